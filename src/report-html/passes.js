// Passes of a tile-based machine: why each ended, what it took, and maps of its bins: primitives
// and cycles. Not here: what single draws of a pass cost (draws.js).
import { counted, el, section, step, table, number, percent, bytes, bar, lacking }
   from "./dom.js";

const LARGEST = 40;
const MAPS = [["primitives", "Primitives in the list of the bin"],
   ["cycles", "Cycles from the end of the bin before to its own, at the Tile Fetcher"]];

const draws_of = (run, p) => run.work.filter((w) => w.kind === "draw" && w.frame === p.frame &&
   p.runs.some((r) => w.draw >= r.first_draw && w.draw < r.first_draw + r.draws));

// Of all clients, as far as its draws caused them; null: not in the record.
function bytes_of(run, p) {
   const known = draws_of(run, p).map((w) => w.bytes).filter((b) => b !== null);
   return known.length ? known.reduce((n, b) => n + b, 0) : null;
}

function reasons(run) {
   const seen = new Map();
   for (const p of run.passes) {
      const r = seen.get(p.why) || { passes: 0, cycles: 0, bytes: null };
      const moved = bytes_of(run, p);
      seen.set(p.why, { passes: r.passes + 1, cycles: r.cycles + p.cycles,
         bytes: moved === null ? r.bytes : (r.bytes || 0) + moved });
   }
   const all = run.passes.reduce((n, p) => n + p.cycles, 0);
   const rows = [...seen].sort((a, b) => b[1].cycles - a[1].cycles).map(([why, r]) =>
      [why, number(r.passes), number(r.cycles), percent(r.cycles / all),
         bar([[r.cycles / all, "busy", why]]), bytes(r.bytes)]);
   return table([["ended by"], ["passes", true], ["cycles", true], ["share", true], [""],
      ["bytes of its draws", true]], rows, { class: "bars" });
}

// Numbers of its draws, with how many lie between them, which are those of other open passes.
function range_of(p) {
   const last = p.runs[p.runs.length - 1], end = last.first_draw + last.draws - 1;
   const others = end - p.first_draw + 1 - p.draws;
   return p.first_draw + (p.draws > 1 ? " to " + end : "") + (others ? " but for " + others : "");
}

function list(run) {
   const rows = [...run.passes].sort((a, b) => b.cycles - a.cycles).slice(0, LARGEST).map((p) =>
      [el("a", { href: "#pass/" + p.index }, "pass " + p.pass + " of frame " + p.frame), p.why,
         range_of(p),
         number(p.cycles), number(p.geometry_cycles), number(p.cycles - p.geometry_cycles),
         number(p.parts), number(p.bins.length),
         number(p.bins.reduce((n, b) => n + b.primitives, 0)), bytes(bytes_of(run, p))]);
   return el("div", null, run.passes.length > LARGEST
      ? el("p", { class: "count" }, "the longest " + LARGEST + " of " + number(run.passes.length))
      : null,
   table([["pass"], ["ended by"], ["draws"], ["cycles", true], ["until its lists were drawn", true],
      ["from then on", true], ["parts", true], ["bins", true], ["list entries", true],
      ["bytes of its draws", true]], rows));
}

export function passes_page({ run }) {
   if (!run.passes.length)
      return el("article", null, el("h1", null, "Passes"),
         lacking("This machine is not tile-based, or the record is older than passes."));
   return el("article", null, el("h1", null, "Passes"),
      el("p", null, "A pass is draws with the same targets. They are drawn bin by bin when " +
         "it ends."),
      section("Why passes ended", reasons(run)), section("Passes, by their cycles", list(run)));
}

// A map of a layer, a square for each bin; its shade says how much of the largest value it has.
function map_of(p, layer, what, most, ink) {
   const across = Math.ceil(p.width / p.bin_width), down = Math.ceil(p.height / p.bin_height);
   const side = Math.max(2, Math.min(16, Math.floor(720 / across)));
   const wide = side * p.bin_width, high = side * p.bin_height, unit = Math.max(p.bin_width,
      p.bin_height);
   const w = wide / unit, h = high / unit;
   const canvas = el("canvas", { role: "img", class: "bins", width: across * w, height: down * h,
      "aria-label": what + " by bin, layer " + layer + ", up to " + number(most) });
   const c = canvas.getContext("2d");
   c.fillStyle = ink;
   for (const b of p.bins) {
      if (b.layer !== layer)
         continue;
      c.globalAlpha = most ? Math.sqrt(b[what] / most) : 0;
      c.fillRect(b.x * w, b.y * h, Math.max(1, w - 1), Math.max(1, h - 1));
   }
   const says = el("p", { class: "count" }, "\u00a0");
   canvas.addEventListener("pointermove", (event) => {
      const x = Math.floor(event.offsetX * across / canvas.clientWidth);
      const y = Math.floor(event.offsetY * down / canvas.clientHeight);
      const b = p.bins.find((o) => o.layer === layer && o.x === x && o.y === y);
      says.textContent = "bin " + x + ", " + y + ": " + (b ? counted(b.primitives, "primitive") +
         ", " + counted(b.cycles, "cycle") : "no primitive");
   });
   return el("div", { class: "scroll" }, canvas, says);
}

function maps(p) {
   const ink = getComputedStyle(document.documentElement).getPropertyValue("--accent");
   const layers = [...new Set(p.bins.map((b) => b.layer))].sort((a, b) => a - b);
   return MAPS.map(([what, title]) => {
      const most = p.bins.reduce((n, b) => Math.max(n, b[what]), 0);
      return section(title + (p.bins.length ? ", at most " + number(most) : ""),
         layers.length ? layers.map((l) => el("div", null,
            layers.length > 1 ? el("h3", null, "layer " + l) : null, map_of(p, l, what, most, ink)))
            : lacking("No bin of this pass has a primitive."));
   });
}

// Time says nothing of a single draw: all of a pass end together.
function draws_table(run, p) {
   const rows = draws_of(run, p);
   return el("div", null, rows.length > LARGEST
      ? el("p", { class: "count" }, "the first " + LARGEST + " of " + number(rows.length)) : null,
   table([["draw"], ["fragments", true], ["bytes", true]], rows.slice(0, LARGEST).map((w) =>
      [el("a", { href: "#work/" + w.work }, w.label || "draw " + w.draw), number(w.fragments),
         bytes(w.bytes)])));
}

export function pass_page({ run }, argument) {
   const p = run.passes[Number(argument)];
   if (!p)
      return el("article", null, lacking("There is no such pass."));
   const near = (i) => (run.passes[i] ? "#pass/" + i : null);
   const facts = [["ended by", p.why], ["framebuffer", p.width + " × " + p.height + (p.layers > 1
      ? ", " + p.layers + " layers" : "")], ["bins", p.bin_width + " × " + p.bin_height +
      " pixels, " + number(p.bins.length) + " with primitives"], ["cycles", number(p.cycles)],
   ["until its lists were drawn", number(p.geometry_cycles)],
   ["parts", number(p.parts) + (p.parts > 1 ? " (the parameter buffer was full)" : "")],
   ["bytes of its draws", bytes(bytes_of(run, p))]];
   return el("article", null, el("h1", null, "Pass " + p.pass + " of frame " + p.frame),
      el("p", { class: "steps" }, step(near(p.index - 1), "‹ before", "["),
         step(near(p.index + 1), "next ›", "]")),
      el("dl", { class: "facts" }, facts.map(([name, value]) =>
         el("div", null, el("dt", null, name), el("dd", null, value)))),
      ...maps(p), section("Draws", draws_table(run, p)));
}
