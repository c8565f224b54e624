// Energy: by unit, by frame, over time, and the work that cost most. Records of runs with --power,
// or to which attila-sim power --write has added it, have it. And the machine's area, which every
// run has, with performance by both.
import uPlot from "uplot";
import { el, section, table, number, percent, bar, lacking, key_of, line_marks, unit_line, LACKING }
   from "./dom.js";
import { label_of } from "./data.js";

const LARGEST = 15, CURVES = 6, WIDTH = 1100;
// Shades that no part of the machine has.
const KINDS = [["dynamic_fj", "dynamic", "#5b3a94"], ["clock_fj", "clock", "#8f6fc4"],
   ["leakage_fj", "leakage", "#bda6e0"], ["offchip_fj", "off chip", "#e3d8f3"]];

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const millijoules = (fj) => (fj * 1e-12).toPrecision(4);
const watts = (fj, seconds) => (seconds ? (fj * 1e-15 / seconds).toFixed(2) : LACKING);
const total_of = (rows) => rows.reduce((n, r) => n + (r.total_fj || 0), 0);

// Each unit's energy of all frames, the largest first.
function by_unit(run) {
   const sums = new Map();
   for (const f of run.frames)
      for (const r of run.energy("frame", f.index)) {
         const s = sums.get(r.name) || { total_fj: 0 };
         for (const column of ["total_fj", ...KINDS.map(([c]) => c)])
            s[column] = (s[column] || 0) + (r[column] || 0);
         sums.set(r.name, s);
      }
   return [...sums].sort((a, b) => b[1].total_fj - a[1].total_fj);
}

function units(run) {
   const sums = by_unit(run), seconds = run.total("simulated_ms") * 1e-3;
   const all = total_of(sums.map(([, s]) => s));
   return el("div", null, key_of(KINDS.map(([, kind, colour]) => [colour, kind])), table([["unit"],
      ["mJ", true], ["W", true], ["share", true], [""],
      ...KINDS.map(([, name]) => [name + " mJ", true])], sums.map(([name, s]) =>
      [name, millijoules(s.total_fj), watts(s.total_fj, seconds), percent(s.total_fj / all),
         bar(KINDS.map(([c, kind, colour]) => [s[c] / sums[0][1].total_fj, colour, kind])),
         ...KINDS.map(([c]) => millijoules(s[c]))]), { class: "bars" }));
}

function frames(run) {
   const rows = run.frames.map((f) => {
      const fj = total_of(run.energy("frame", f.index)), s = f.simulated_ms * 1e-3;
      return [el("a", { href: "#frame/" + f.frame }, String(f.frame)),
         f.simulated_ms.toFixed(3), millijoules(fj), watts(fj, s),
         (fj * 1e-15 * s).toExponential(3), (fj * 1e-15 * s * s).toExponential(3)];
   });
   return table([["frame"], ["ms", true], ["E, mJ", true], ["W", true], ["E·D, Js", true],
      ["E·D², Js²", true]], rows);
}

function work(run) {
   const rows = run.work.map((w) => [w, total_of(run.energy("work", w.index))])
      .filter(([, fj]) => fj > 0).sort((a, b) => b[1] - a[1]).slice(0, LARGEST);
   return table([["work"], ["mJ", true], ["own cycles", true], ["most in"]], rows.map(([w, fj]) => {
      const most = run.energy("work", w.index).sort((a, b) => b.total_fj - a.total_fj)[0];
      return [el("a", { href: "#work/" + w.work }, label_of(w)), millijoules(fj),
         number(w.exclusive_cycles), most.name + " " + percent(most.total_fj / fj)];
   }));
}

// Watts of everything and of the units that burn most, in every interval.
function over_time(run) {
   if (!run.intervals.length || !run.of.interval.energy)
      return lacking("This record has no intervals: run with --interval N.");
   const names = by_unit(run).slice(0, CURVES).map(([name]) => name);
   const seconds = (v) => v.cycles / (run.run.gpu_mhz * 1e6);
   const rows = run.intervals.map((v, i) => {
      const of = new Map(run.energy("interval", i).map((r) => [r.name, r.total_fj || 0]));
      const all = [...of.values()].reduce((a, b) => a + b, 0);
      return [all, ...names.map((n) => of.get(n) || 0)]
         .map((fj) => (v.cycles ? fj * 1e-15 / seconds(v) : null));
   });
   const chart = el("div", { class: "chart" });
   const value = (u, v) => (v === null ? "" : v.toFixed(1) + " W");
   requestAnimationFrame(() => new uPlot({
      width: Math.min(WIDTH, chart.clientWidth || WIDTH), height: 260,
      scales: { x: { time: false }, y: { range: (u, low, high) => [0, high || 1] } },
      legend: line_marks,
      series: [{ label: "cycle" }, ...["all", ...names].map((label, i) =>
         ({ label, ...(i ? unit_line(label) : { stroke: style("--ink") }), width: 1.5, value }))],
      axes: [{ stroke: style("--ink"), grid: { stroke: style("--line") } },
         { stroke: style("--ink"), grid: { stroke: style("--line") },
            values: (u, ticks) => ticks.map((t) => t + " W") }],
   }, [run.intervals.map((v) => v.end_cycle),
      ...rows[0].map((_, i) => rows.map((r) => r[i]))], chart));
   return chart;
}

function areas(run) {
   if (run.area.note)
      return lacking("No area: " + run.area.note + ".");
   const units = [...run.area.units].filter((u) => u[1]).sort((a, b) => b[3] - a[3]);
   return table([["unit"], ["units", true], ["million transistors", true], ["mm²", true],
      ["share", true], [""]], [...units.map(([name, n, transistors, mm2]) => [name, number(n),
      transistors.toFixed(2), mm2.toFixed(2), percent(mm2 / run.area.mm2),
      bar([[mm2 / units[0][3], "busy", "area"]])]),
      ["all", "", run.area.mtransistors.toFixed(2), run.area.mm2.toFixed(2), "", ""]],
   { class: "bars" });
}

// Frames a second of simulated time, by area and by energy.
function efficiency(run) {
   const seconds = run.total("simulated_ms") * 1e-3;
   if (!seconds)
      return lacking("No simulated time has passed.");
   const rate = run.frames.length / seconds, { mm2 } = run.area;
   const joules = run.of.frame.energy
      ? run.frames.reduce((n, f) => n + total_of(run.energy("frame", f.index)), 0) * 1e-15 : null;
   const digits = (n) => (n === null || n === undefined || !isFinite(n) ? LACKING
      : n.toPrecision(4));
   return table([["what"], ["value", true], ["unit"]], [
      ["performance", digits(rate), "frames/s"],
      ["area", digits(mm2), "mm² (attila-sim area)"],
      ["performance by area", digits(mm2 ? rate / mm2 : null), "frames/s per mm²"],
      ["power", digits(joules === null ? null : joules / seconds), "W"],
      ["performance by power", digits(joules ? run.frames.length / joules : null),
         "frames/s per W, which is frames per joule"],
      ["power by area", digits(joules && mm2 ? joules / seconds / mm2 : null), "W per mm²"]]);
}

export function energy_page(context) {
   const { run } = context;
   const of_area = [section("Performance by area and by power", efficiency(run)),
      section("Area", areas(run))];
   if (!run.of.frame.energy)
      return el("article", null, el("h1", null, "Energy and area"),
         lacking("This record has no energies. Run with --power builtin, or add them: attila-sim " +
            "power DIR --write (docs/explanation/power.md)."), of_area);
   return el("article", null, el("h1", null, "Energy and area"), of_area[0],
      section("Units, all frames", units(run)),
      section("Power over time", over_time(run)),
      el("div", { class: "columns" },
         section("Frames", frames(run)), section("Work that cost most", work(run))), of_area[1]);
}
