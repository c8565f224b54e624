// Units over time: a map of busy shares (a line per unit) with the draws above it and an axis of
// cycles below, and curves of chosen units (uPlot). Both show the same cycles: what zooms one zooms
// the other. Needs intervals in the record.
import uPlot from "uplot";
import { counted, el, section, colour, key_of, lacking, legend, line_marks, number, parts_legend,
   table, unit_line } from "./dom.js";
import { label_of } from "./data.js";

const ROW = 18, NAMES = 110, WORK_ROWS = 2, AXIS = 22, TICK = 110, SHOWN = 4;

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// What is shown: cycles from first to last. Who draws it is told when it changes.
class View {
   constructor(run) {
      const frames = run.frames;
      this.first = this.start = frames[0].start_cycle;
      this.last = this.end = frames[frames.length - 1].end_cycle;
      this.watchers = [];
   }

   set(first, last) {
      const length = Math.max(100, Math.min(last - first, this.end - this.start));
      const from = Math.max(this.start, Math.min(first, this.end - length));
      if (from === this.first && from + length === this.last)
         return;
      this.first = from;
      this.last = from + length;
      this.watchers.forEach((f) => f());
   }

   all() { this.set(this.start, this.end); }

   zoom(factor, at) {
      this.set(at - (at - this.first) * factor, at + (this.last - at) * factor);
   }
}

// Round cycles with about so many pixels between them.
function ticks_of(view, width) {
   const rough = (view.last - view.first) * TICK / width, ten = 10 ** Math.floor(Math.log10(rough));
   const step = [1, 2, 5, 10].map((n) => n * ten).find((n) => n >= rough);
   const ticks = [];
   for (let t = Math.ceil(view.first / step) * step; t <= view.last; t += step)
      ticks.push(t);
   return ticks;
}

function draw_axis(c, view, width, y) {
   c.fillStyle = c.strokeStyle = style("--ink");
   c.fillText("cycle", 4, y + AXIS / 2 + 2);
   c.beginPath();
   c.moveTo(NAMES, y + 0.5);
   c.lineTo(NAMES + width, y + 0.5);
   for (const t of ticks_of(view, width)) {
      const x = Math.round(NAMES + (t - view.first) * width / (view.last - view.first)) + 0.5;
      c.moveTo(x, y);
      c.lineTo(x, y + 5);
      const text = number(t), wide = c.measureText(text).width;
      c.fillText(text, Math.max(NAMES, Math.min(NAMES + width - wide, x - wide / 2)),
         y + AXIS / 2 + 3);
   }
   c.stroke();
}

function draw_work(c, run, view, width, height) {
   const scale = width / (view.last - view.first);
   for (const w of run.work) {
      if (w.end_cycle <= view.first || w.start_cycle >= view.last || !w.number)
         continue;
      // Work overlaps: every second one is in the second line.
      const x = NAMES + (w.start_cycle - view.first) * scale;
      c.fillStyle = colour(w.limiter);
      c.fillRect(Math.max(NAMES, x), (w.index % WORK_ROWS) * ROW + 2,
         Math.max(1, (w.end_cycle - w.start_cycle) * scale - 0.5), ROW - 4);
   }
   c.strokeStyle = style("--ink");
   for (const f of run.frames) {
      const x = Math.round(NAMES + (f.end_cycle - view.first) * scale) + 0.5;
      if (x > NAMES && x < NAMES + width) {
         c.beginPath();
         c.moveTo(x, 0);
         c.lineTo(x, height);
         c.stroke();
      }
   }
}

// Of each pixel the average of the intervals in it, by their length.
function columns_of(run, view, width, unit) {
   const sums = new Float64Array(width), weights = new Float64Array(width);
   const of = run.of.interval.units, n = of.columns.length;
   const scale = width / (view.last - view.first);
   run.intervals.forEach((v, i) => {
      if (v.end_cycle <= view.first || v.start_cycle >= view.last)
         return;
      const from = Math.max(0, Math.floor((v.start_cycle - view.first) * scale));
      const to = Math.min(width - 1, Math.ceil((v.end_cycle - view.first) * scale) - 1);
      for (let x = from; x <= to; x++) {
         sums[x] += (of.rows[i][unit * n] || 0) * v.cycles;
         weights[x] += v.cycles;
      }
   });
   return sums.map((s, x) => (weights[x] ? s / weights[x] : 0));
}

function paint(canvas, run, view) {
   if (canvas.clientWidth <= NAMES)
      return; // no longer, or not yet, in the page
   const names = run.of.interval.units.names;
   const width = canvas.clientWidth - NAMES, height = (names.length + WORK_ROWS) * ROW + AXIS;
   const ratio = window.devicePixelRatio || 1;
   canvas.width = (width + NAMES) * ratio;
   canvas.height = height * ratio;
   canvas.style.height = height + "px";
   const c = canvas.getContext("2d");
   c.scale(ratio, ratio);
   c.font = "12px sans-serif";
   c.textBaseline = "middle";
   c.fillStyle = style("--ink");
   c.fillText("draws, work", 4, ROW);
   names.forEach((name, unit) => {
      const y = (unit + WORK_ROWS) * ROW;
      c.globalAlpha = 1;
      c.fillStyle = style("--ink");
      c.fillText(name, 4, y + ROW / 2);
      c.fillStyle = style("--amount");
      columns_of(run, view, width, unit).forEach((share, x) => {
         if (share > 0) {
            // The least share that counts can still be seen.
            c.globalAlpha = 0.12 + 0.88 * Math.min(1, share / 100);
            c.fillRect(NAMES + x, y + 1, 1, ROW - 2);
         }
      });
   });
   c.globalAlpha = 1;
   draw_work(c, run, view, width, height - AXIS);
   draw_axis(c, view, width, height - AXIS);
}

// What is under the pointer, in words.
function words(run, view, cycle, row, work) {
   const names = run.of.interval.units.names, name = names[row];
   const box = name && run.unit_class.get(name);
   const unit = name ? name + (box ? ", " + box.class + ": " + box.meaning : "") : "";
   if (cycle < view.first)
      return unit || "draws and other work, in the colour of their limiter";
   const at = run.intervals.findIndex((v) => v.start_cycle <= cycle && v.end_cycle > cycle);
   const units = at < 0 ? null : run.units("interval", at);
   return "cycle " + number(cycle) + (work ? ", " + label_of(work) : "") +
      (units && units[row] ? ", " + name + ": " + units[row].busy_percent + " % busy, " +
         units[row].blocked_percent + " % blocked" : "");
}

// The map, with the wheel to zoom, dragging to move, and + - and arrows for the keyboard.
function map(run, view) {
   const canvas = el("canvas", { class: "timeline", tabindex: "0", role: "img",
      "aria-label": "units over time; + and - zoom, arrows move, 0 shows all" });
   const says = el("p", { class: "count" }, "Point at something.");
   const cycle_at = (event) => view.first + (event.offsetX - NAMES) *
      (view.last - view.first) / (canvas.clientWidth - NAMES);
   const work_at = (cycle) => run.work.find((w) => w.number && w.exclusive_cycles &&
      w.start_cycle <= cycle && w.end_cycle > cycle);
   canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      view.zoom(event.deltaY > 0 ? 1.25 : 0.8, Math.max(view.first, cycle_at(event)));
   }, { passive: false });
   canvas.addEventListener("pointermove", (event) => {
      const cycle = Math.round(cycle_at(event)), row = Math.floor(event.offsetY / ROW) - WORK_ROWS;
      if (event.buttons & 1) {
         const by = -event.movementX * (view.last - view.first) / (canvas.clientWidth - NAMES);
         view.set(view.first + by, view.last + by);
      }
      says.textContent = words(run, view, cycle, row, event.offsetX < NAMES ? null
         : work_at(cycle));
   });
   canvas.addEventListener("dblclick", (event) => {
      const w = event.offsetX < NAMES ? null : work_at(cycle_at(event));
      if (w)
         location.hash = "#work/" + w.work;
   });
   canvas.addEventListener("keydown", (event) => {
      const middle = (view.first + view.last) / 2, step = (view.last - view.first) / 10;
      const keys = { "+": () => view.zoom(0.8, middle), "-": () => view.zoom(1.25, middle),
         0: () => view.all(),
         ArrowLeft: () => view.set(view.first - step, view.last - step),
         ArrowRight: () => view.set(view.first + step, view.last + step) };
      if (keys[event.key]) {
         event.preventDefault();
         keys[event.key]();
      }
   });
   view.watchers.push(() => paint(canvas, run, view));
   new ResizeObserver(() => paint(canvas, run, view)).observe(canvas);
   return el("div", null, says, canvas);
}

// Curves over the intervals that zoom by dragging, and with the map. A click on a name shows or
// hides one. value: of the axis, as text; top: its end, null: what there is.
function plot_of(run, view, series, data, value, top) {
   const chart = el("div", { class: "chart" });
   const axis = { stroke: style("--ink"), grid: { stroke: style("--line") } };
   const make = () => {
      const plot = new uPlot({
         width: chart.clientWidth, height: 260,
         scales: { x: { time: false, min: view.first, max: view.last },
            y: { range: (u, min, max) => [0, top ?? Math.max(1, max * 1.05)] } },
         legend: line_marks,
         series: [{ label: "cycle" }, ...series.map((s) => ({ width: 1.5, ...s,
            value: (u, v) => (v === null ? "" : value(v)) }))],
         axes: [{ ...axis, values: (u, ticks) => ticks.map((t) => number(t)) },
            { ...axis, values: (u, ticks) => ticks.map(value) }],
         hooks: { setScale: [(u, key) => {
            if (key === "x" && u.scales.x.min !== null)
               view.set(u.scales.x.min, u.scales.x.max);
         }] },
      }, [run.intervals.map((v) => v.end_cycle), ...data], chart);
      view.watchers.push(() => {
         if (plot.scales.x.min !== view.first || plot.scales.x.max !== view.last)
            plot.setScale("x", { min: view.first, max: view.last });
      });
      new ResizeObserver(() => plot.setSize({ width: chart.clientWidth, height: 260 }))
         .observe(chart);
   };
   requestAnimationFrame(() => chart.clientWidth && make());
   return chart;
}

// Units, in the colours of their parts.
function curves(run, view) {
   const of = run.of.interval.units, n = of.columns.length;
   const busiest = of.names.map((name, i) => [i,
      of.rows.reduce((sum, row) => sum + (row[i * n] || 0), 0)])
      .sort((a, b) => b[1] - a[1]).map(([i]) => i);
   return plot_of(run, view, busiest.map((unit, i) => ({ label: of.names[unit],
      ...unit_line(of.names[unit]), show: i < SHOWN })),
   busiest.map((unit) => of.rows.map((row) => row[unit * n] ?? null)), (v) => v + " %", 100);
}

// Thread groups that a shader holds, and what keeps it from holding more.
const GROUPS = [["resident", "resident", "#0072b2", null],
   ["executing", "of them: execute", "#009e73", [8, 4]],
   ["waiting", "wait for texels or memory", "#d55e00", [2, 3]],
   ["loaded", "are loaded", "#cc79a7", [5, 5]],
   ["ended", "wait for the way out", "#e69f00", [10, 3, 2, 3]],
   ["contexts", "contexts", "#8c8c8c", [1, 2]]];
const HOLDS = [["threads_percent", "contexts: a group waits for one", "#0072b2", null],
   ["registers_percent", "registers: a group waits for them", "#d55e00", [8, 4]],
   ["inputs_percent", "inputs: no group waits", "#009e73", [2, 3]]];

function occupancy(run, view) {
   const of = run.of.interval.occupancy;
   if (!of)
      return [];
   const values = (name) => of.rows.map((row) => row && row[of.columns.indexOf(name)]);
   const lines = (all) => all.map(([, label, stroke, dash]) => ({ label, stroke, dash }));
   const shaders = values("shaders").find(Boolean);
   return [
      section("Thread groups in a shader", el("p", { class: "count" }, "Average of " +
         counted(shaders, "shader") + "." +
         " Here colours tell lines apart, not parts of the machine."),
      plot_of(run, view, lines(GROUPS), GROUPS.map(([name]) => values(name)), (v) => String(v))),
      section("What limits them, in % of the shaders' cycles", plot_of(run, view, lines(HOLDS),
         HOLDS.map(([name]) => values(name)), (v) => v + " %", 100))];
}

function names_of_units(run) {
   const { names } = run.of.interval.units;
   return el("details", null, el("summary", null, "What the units are"),
      table([["unit"], ["is"], ["boxes", true], ["meaning"]], names.map((n) => {
         const box = run.unit_class.get(n), all = run.boxes.filter((b) => b.unit === n).length;
         return [n, box ? box.class : "", number(all), box ? box.meaning : ""];
      })));
}

export function timeline_page(context) {
   const { run } = context;
   if (!run.intervals.length || !run.of.interval.units)
      return el("article", null, el("h1", null, "Units over time"),
         lacking("This record has no intervals. Run with --interval N to see what each unit did " +
            "in every N cycles."));
   const view = new View(run);
   return el("article", { class: "wide" }, el("h1", null, "Units over time"),
      legend(run.work.map((w) => w.limiter)),
      key_of([["busy", "a unit is busy in every " + number(run.run.interval_cycles) +
         " cycles: the stronger, the busier"]]),
      section("Draws and units", map(run, view)),
      section("The busiest units", curves(run, view), parts_legend()), occupancy(run, view),
      names_of_units(run));
}
