// Units over time: a map of busy shares (a line per unit) with the draws above it,
// and curves of chosen units (uPlot). Needs intervals in the record.
import uPlot from "uplot";
import { el, section, colour, lacking, legend } from "./dom.js";
import { label_of } from "./data.js";

const ROW = 18, NAMES = 130, WORK_ROWS = 2, WIDTH = 1100;
const CURVES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a"];

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// What is drawn: cycles from first to last.
function view_of(run) {
   const frames = run.frames;
   return { first: frames[0].start_cycle, last: frames[frames.length - 1].end_cycle };
}

function draw_work(c, run, view, width) {
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
         c.lineTo(x, 1e4);
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
   const width = canvas.clientWidth - NAMES, height = (names.length + WORK_ROWS) * ROW;
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
      c.fillStyle = style("--busy");
      columns_of(run, view, width, unit).forEach((share, x) => {
         if (share > 0) {
            // The least share that counts can still be seen.
            c.globalAlpha = 0.12 + 0.88 * Math.min(1, share / 100);
            c.fillRect(NAMES + x, y + 1, 1, ROW - 2);
         }
      });
   });
   c.globalAlpha = 1;
   draw_work(c, run, view, width);
}

// The map, with the wheel to zoom, dragging to move, and + - and arrows for the keyboard.
function map(run) {
   const whole = view_of(run), view = { ...whole };
   const canvas = el("canvas", { class: "timeline", tabindex: "0", role: "img",
      "aria-label": "units over time; + and - zoom, arrows move, 0 shows all" });
   const says = el("p", { class: "count" }, "Point at something.");
   const set = (first, last) => {
      const length = Math.max(100, Math.min(last - first, whole.last - whole.first));
      view.first = Math.max(whole.first, Math.min(first, whole.last - length));
      view.last = view.first + length;
      paint(canvas, run, view);
   };
   const zoom = (factor, at) => set(at - (at - view.first) * factor,
      at + (view.last - at) * factor);
   const cycle_at = (event) => view.first + (event.offsetX - NAMES) *
      (view.last - view.first) / (canvas.clientWidth - NAMES);
   const work_at = (cycle) => run.work.find((w) => w.number && w.exclusive_cycles &&
      w.start_cycle <= cycle && w.end_cycle > cycle);
   canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, cycle_at(event));
   }, { passive: false });
   canvas.addEventListener("pointermove", (event) => {
      const cycle = Math.round(cycle_at(event)), row = Math.floor(event.offsetY / ROW) - WORK_ROWS;
      if (event.buttons & 1) {
         const by = -event.movementX * (view.last - view.first) / (canvas.clientWidth - NAMES);
         set(view.first + by, view.last + by);
      }
      const at = run.intervals.findIndex((v) => v.start_cycle <= cycle && v.end_cycle > cycle);
      const units = at < 0 ? null : run.units("interval", at), w = work_at(cycle);
      says.textContent = "cycle " + cycle + (w ? ", " + label_of(w) : "") +
         (units && units[row] ? ", " + units[row].name + ": " + units[row].busy_percent +
            " % busy, " + units[row].blocked_percent + " % blocked" : "");
   });
   canvas.addEventListener("dblclick", (event) => {
      const w = work_at(cycle_at(event));
      if (w)
         location.hash = "#work/" + w.work;
   });
   canvas.addEventListener("keydown", (event) => {
      const middle = (view.first + view.last) / 2, step = (view.last - view.first) / 10;
      const keys = { "+": () => zoom(0.8, middle), "-": () => zoom(1.25, middle),
         0: () => set(whole.first, whole.last),
         ArrowLeft: () => set(view.first - step, view.last - step),
         ArrowRight: () => set(view.first + step, view.last + step) };
      if (keys[event.key]) {
         event.preventDefault();
         keys[event.key]();
      }
   });
   new ResizeObserver(() => paint(canvas, run, view)).observe(canvas);
   return el("div", null, says, canvas);
}

function curves(run) {
   const of = run.of.interval.units, n = of.columns.length;
   const chart = el("div", { class: "chart" });
   const busiest = of.names.map((name, i) => [i,
      of.rows.reduce((sum, row) => sum + (row[i * n] || 0), 0)])
      .sort((a, b) => b[1] - a[1]).map(([i]) => i);
   const series = busiest.map((unit, i) => ({ label: of.names[unit], stroke: CURVES[i %
      CURVES.length], width: 1.5, show: i < 4, value: (u, v) => (v === null ? "" : v + " %") }));
   requestAnimationFrame(() => new uPlot({
      width: Math.min(WIDTH, chart.clientWidth || WIDTH), height: 260,
      scales: { x: { time: false }, y: { range: [0, 100] } },
      series: [{ label: "cycle" }, ...series],
      axes: [{ stroke: style("--ink"), grid: { stroke: style("--line") } },
         { stroke: style("--ink"), grid: { stroke: style("--line") },
            values: (u, ticks) => ticks.map((t) => t + " %") }],
   }, [run.intervals.map((v) => v.end_cycle),
      ...busiest.map((unit) => of.rows.map((row) => row[unit * n] ?? null))], chart));
   return chart;
}

export function timeline_page(context) {
   const { run } = context;
   if (!run.intervals.length || !run.of.interval.units)
      return el("article", null, el("h1", null, "Units over time"),
         lacking("This record has no intervals. Run with --interval N to see what each unit did " +
            "in every N cycles."));
   return el("article", { class: "wide" }, el("h1", null, "Units over time"),
      legend(run.work.map((w) => w.limiter)),
      section("Busy in every " + run.run.interval_cycles + " cycles: the stronger, the busier",
         map(run)),
      section("The busiest units; click a name to show or hide it", curves(run)));
}
