// The run's pictures beside another driver's (attila-report --reference): a curve, a table of
// frames, and the frames that differ most with a slider, blinking and the signed difference.
import uPlot from "uplot";
import { counted, el, section, step, line_marks, number, percent, lacking } from "./dom.js";
import { grid, formats } from "./grid.js";
import { pair_controls } from "./pair.js";
import { numbers } from "./draws.js";

const WIDTH = 1100, BOUND = 40; // dB below which a difference is worth a look
const STEPS = [1, 2, 5].flatMap((n) => [n, 10 * n, 100 * n, 1000 * n]).sort((a, b) => a - b);

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function curve(frames) {
   const chart = el("div", { class: "chart" });
   const axis = { stroke: style("--ink"), grid: { stroke: style("--line") } };
   requestAnimationFrame(() => new uPlot({
      width: Math.min(WIDTH, chart.clientWidth || WIDTH), height: 180,
      scales: { x: { time: false }, y: { range: [20, 100] } },
      legend: line_marks,
      series: [{ label: "frame" }, { label: "PSNR", stroke: style("--amount"), width: 1.5,
         value: (u, v) => (v === null ? "" : v.toFixed(2) + " dB") },
      { label: "bound", stroke: style("--written"), dash: [4, 3] }],
      axes: [{ ...axis, incrs: STEPS },
         { ...axis, size: 70, values: (u, ticks) => ticks.map((t) => t + " dB") }],
   }, [frames.map((f) => f.frame), frames.map((f) => Math.min(f.psnr, 100)),
      frames.map(() => BOUND)], chart));
   return chart;
}

function columns() {
   const digits = (n) => (cell) => cell.getValue()?.toFixed(n) ?? "";
   return [
      { title: "Frame", field: "frame", width: 95, ...numbers, headerFilterPlaceholder: "" },
      { title: "PSNR, dB", field: "psnr", width: 120, ...numbers, formatter: digits(2) },
      { title: "SSIM", field: "ssim", width: 110, ...numbers, formatter: digits(4) },
      { title: "Pixels", field: "pixels", width: 120, ...numbers },
      { title: "of all", field: "share", width: 100, ...numbers, formatter: formats.percent },
      { title: "By up to", field: "largest", width: 110, ...numbers },
      { title: "Blocks", field: "blocks", width: 110, ...numbers },
      { title: "Mostly", field: "mostly", width: 130, formatter: formats.text,
         headerFilter: "input" },
      { title: "Picture", field: "picture", width: 100, formatter: formats.text },
      { title: "Problem", field: "problem", width: 300, formatter: formats.text },
   ];
}

const largest_class = (f) => Object.entries(f.classes || {}).reduce((most, one) =>
   (one[1] > most[1] ? one : most), ["", 0])[0];

function meanings(reference) {
   return el("dl", { class: "facts" }, Object.entries(reference.classes).map(([name, meaning]) =>
      el("div", null, el("dt", null, name), el("dd", null, meaning))));
}

function in_short(reference, good) {
   const below = good.filter((f) => f.psnr < BOUND).length, equal = good.filter((f) => !f.pixels);
   const worst = good.reduce((a, b) => (b.psnr < a.psnr ? b : a));
   return counted(good.length, "frame") + " compared" +
      (reference.alone ? " (" + number(reference.alone) + " more are only in the run)" : "") +
      ": " + number(equal.length) + " without a difference, " + number(below) + " below " + BOUND +
      " dB. " + (worst.pixels ? "Frame " + worst.frame + " differs most, " +
         worst.psnr.toFixed(2) + " dB: " + percent(worst.share) + " of its pixels, by up to " +
         worst.largest + " of 255, mostly " + largest_class(worst) + "." : "");
}

export function reference_page(context) {
   const { reference } = context.run;
   if (!reference)
      return lacking("This run was not compared with another driver (attila-report --reference).");
   const good = reference.frames.filter((f) => f.psnr !== undefined);
   const rows = reference.frames.map((f) => ({ ...f, key: f.frame, mostly: largest_class(f),
      picture: reference.pictures[f.frame] ? "yes" : "" }));
   return el("article", { class: "wide" },
      el("h1", null, "Beside " + reference.renderer),
      el("p", { class: "why" }, good.length ? in_short(reference, good)
         : "No frame could be compared."),
      reference.version ? el("p", { class: "count" }, reference.version) : null,
      good.length > 1 ? curve(good) : null,
      grid(columns(), rows, { open: (r) => { location.hash = "#beside/" + r.key; },
         sort: [{ column: "psnr", dir: "asc" }] }),
      section("Which pixels differ", meanings(reference)));
}

function pair(run, made, frame) {
   const name = run.reference.renderer;
   const box = el("div", { class: "pair" },
      el("figure", null,
         el("div", { class: "stack" }, el("img", { src: made.ours, alt: "frame " + frame +
            " on Attila" }), el("img", { src: made.theirs, alt: "frame " + frame + " on " +
            name })),
         el("input", { type: "range", min: 0, max: 100, value: 50,
            "aria-label": "how much of Attila's picture is shown" }),
         el("figcaption", null, "left of the slider Attila, right of it " + name + " ",
            el("button", { type: "button", "aria-pressed": "false", "data-first": "Attila",
               "data-second": name }, "blink"), " ", el("output"))),
      el("figure", null, el("img", { src: made.signed, alt: "signed difference" }),
         el("figcaption", null, "Attila less " + name + ", 4 times: grey where equal")));
   pair_controls(box);
   return box;
}

export function beside_page(context, id) {
   const { run } = context;
   const all = run.reference ? run.reference.frames : [];
   const at = all.findIndex((f) => f.frame === Number(id)), f = all[at];
   if (!f)
      return lacking("There is no frame " + id + " beside another driver's in this report.");
   const link = (to, text, key) => step(to ? "#beside/" + to.frame : null, text, key);
   const made = run.reference.pictures[f.frame];
   const classes = Object.entries(f.classes || {}).filter(([, n]) => n);
   return el("article", { class: "wide" },
      el("nav", { class: "steps" }, link(all[at - 1], "‹ before", "["),
         link(all[at + 1], "next ›", "]"), el("a", { href: "#reference", class: "button",
            "data-key": "Escape" }, "to the table"),
         el("a", { href: "#frame/" + f.frame, class: "button" }, "its cycles")),
      el("h1", null, "Frame " + f.frame + " beside " + run.reference.renderer),
      el("p", { class: "why" }, f.problem || (f.pixels ? f.psnr.toFixed(2) + " dB, SSIM " +
         f.ssim.toFixed(4) + ": " + counted(f.pixels, "pixel differs", "pixels differ") +
         " by up to " + f.largest + " of 255 (" +
         classes.map(([name, n]) => number(n) + " of " + name).join(", ") + ")."
         : "No pixel differs.")),
      made ? pair(run, made, f.frame) : lacking("The " + number(Object.keys(
         run.reference.pictures).length) + " frames that differ most have pictures here."));
}
