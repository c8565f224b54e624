// Elements, numbers as text, and the colours of limiters. Nothing here knows the record's tables.

// el("a", {href: "#x", class: "y", onclick: f}, "text", child, [children]): null children are left
// out.
export function el(tag, attributes, ...children) {
   const e = document.createElement(tag);
   for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false)
         continue;
      if (name.startsWith("on"))
         e.addEventListener(name.slice(2), value);
      else
         e.setAttribute(name, value === true ? "" : value);
   }
   e.append(...children.flat(2).filter((c) => c !== null && c !== undefined));
   return e;
}

export const LACKING = "–"; // what the record does not have

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export function number(n) {
   return n === null || n === undefined ? LACKING : grouped.format(n);
}

// "1 draw", "2 draws", "2 vertices"
export function counted(n, one, more) {
   return number(n) + " " + (n === 1 ? one : more || one + "s");
}

// 0.123 -> "12.3 %"
export function percent(share) {
   return share === null || share === undefined || Number.isNaN(share)
      ? LACKING : (100 * share).toFixed(1) + " %";
}

// How often, of pixels for instance.
export function times(n) {
   return n === null || n === undefined ? LACKING : n.toFixed(2);
}

export function change(share) {
   return (share > 0 ? "+" : "") + percent(share);
}

// Width, height and depth of a surface, not to be broken into lines.
export function size_of(b) {
   const sizes = [b.width, b.height].concat(b.depth > 1 ? [b.depth] : []);
   return sizes.join("\u00a0×\u00a0");
}

export function bytes(n) {
   if (n === null || n === undefined)
      return LACKING;
   for (const [unit, size] of [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]])
      if (n >= size)
         return (n / size).toFixed(n < 10 * size ? 2 : 1) + " " + unit;
   return n + " B";
}

// --- Colours: each means a part of the machine, on every page ---

// Okabe and Ito's, which people who see no red or no green can tell apart. 24 limiters and 24 units
// have the 8 colours of the parts that they are in; the name is always beside the colour. Amounts
// (busy, bytes, energy) have shades and stripes of no part.
const PARTS = {
   memory: ["memory", "#d55e00", ["memory bandwidth", "memory latency", "L2", "blitter"],
      ["MC", "L2C", "Sched", "Blitter"]],
   shader: ["shaders", "#0072b2", ["shaders", "constant caches", "load/store units",
      "shared memory", "distribution of fragments", "compute dispatch"],
      ["FFU", "ShF-FS", "ShDX-FS", "CC-FS", "LSU-FS", "CSD"]],
   texture: ["textures", "#56b4e9", ["texture units"], ["TU-FSTU"]],
   colour: ["colour", "#009e73", ["colour units"], ["CW-SU"]],
   depth: ["depth", "#cc79a7", ["depth units", "hierarchical Z"], ["ZST-SU", "HZ"]],
   raster: ["rasteriser", "#f0e442", ["interpolator", "traversal", "tile fetcher", "setup"],
      ["Interpolator", "TT", "TF", "TS"]],
   geometry: ["geometry", "#e69f00", ["polygon lists", "clipper", "stream-out", "geometry commit",
      "geometry issue", "primitive assembly",
      "streamer commit", "attribute loader", "vertex cache", "index fetch"],
   ["PLB", "CLP", "SO", "GC", "GI", "PA", "StC", "SL", "StOC", "StF"]],
   command: ["commands, bus, display", "#8a8a8a", ["system bus", "command processor", "DAC"],
      ["CP", "DAC"]],
};
const part_of = new Map(), part_of_unit = new Map();
for (const [part, [, , limiters, units]] of Object.entries(PARTS)) {
   limiters.forEach((l) => part_of.set(l, part));
   units.forEach((u) => part_of_unit.set(u, part));
}

export const knows_limiter = (limiter) => part_of.has(limiter);

export function colour(limiter) {
   const part = part_of.get(limiter);
   return part ? PARTS[part][1] : "transparent";
}

// Of a unit's curve: units of the same part differ by their dashes.
const DASHES = [null, [8, 4], [2, 3], [10, 3, 2, 3], [5, 5], [1, 2], [14, 3], [3, 7],
   [8, 2, 2, 2, 2, 2]];
export function unit_line(unit) {
   const part = PARTS[part_of_unit.get(unit) || "command"];
   return { stroke: part[1], dash: DASHES[Math.max(0, part[3].indexOf(unit))] };
}

// Marks of uPlot's legend look like the lines: with their dashes.
export const line_marks = { markers: { width: 0, fill: (plot, i) => {
   const { stroke, dash } = plot.series[i], colour = stroke ? stroke(plot, i) : "transparent";
   if (!dash)
      return colour;
   let at = 0;
   return "repeating-linear-gradient(90deg, " + dash.map((n, k) => (k % 2 ? "transparent " :
      colour + " ") + at + "px " + (at += n) + "px").join(", ") + ")";
} } };

export function limiter_mark(limiter) {
   return el("span", { class: "limiter" },
      el("span", { class: "swatch", style: "background:" + colour(limiter) }),
      limiter || "none named");
}

// marks: [class or colour, text]
export function key_of(marks) {
   return el("p", { class: "legend" }, marks.map(([fill, text]) => el("span", { class: "limiter" },
      el("span", { class: "swatch" + (fill.startsWith("#") ? "" : " " + fill),
         style: fill.startsWith("#") ? "background:" + fill : null }), text)));
}

export function legend(limiters) {
   const used = new Set([...limiters].map((l) => part_of.get(l)));
   return key_of(Object.entries(PARTS).filter(([p]) => used.has(p)).map(
      ([, [name, value]]) => [value, "limited by: " + name]));
}

export const parts_legend = () => key_of(Object.values(PARTS).map(([name, value]) =>
   [value, name]));

export const READ_WRITTEN = [["read", "read"], ["written", "written"]];

// --- Plain tables and bars ---

// What is wider than its box can be scrolled, by keyboard, too.
const scrolling = new ResizeObserver((entries) => entries.forEach(({ target }) => {
   const wide = target.scrollWidth > target.clientWidth;
   if (wide)
      target.tabIndex = 0;
   else
      target.removeAttribute("tabindex");
}));

export function scroll_box(label, ...children) {
   const box = el("div", { class: "scroll", role: "group", "aria-label": label }, ...children);
   scrolling.observe(box);
   return box;
}

// columns: [title, is a number]; rows: arrays of text or elements
export function table(columns, rows, attributes) {
   return scroll_box("table of " + (columns[0][0] || "rows"), el("table", attributes,
      el("thead", null, el("tr", null,
         columns.map(([title, right]) => (title ? el("th", { class: right ? "n" : null,
            scope: "col" }, title) : el("td"))))),
      el("tbody", null, rows.map((row) => el("tr", null,
         row.map((cell, i) => el("td", { class: columns[i][1] ? "n" : null }, cell)))))));
}

// A bar of parts, each [share of the whole, class or colour, title]
export function bar(parts) {
   return el("div", { class: "bar" }, parts.filter(([share]) => share > 0).map(
      ([share, fill, title]) => el("span", {
         title,
         class: fill.startsWith("#") ? null : fill,
         style: "width:" + Math.min(100, 100 * share).toFixed(2) + "%" +
            (fill.startsWith("#") ? ";background:" + fill : ""),
      })));
}

// A button to a page beside this one, with its key; hash null: there is none.
export function step(hash, text, key) {
   return el("a", { href: hash, class: "button", "aria-disabled": hash ? null : "true",
      title: "key " + key, "data-key": key }, text);
}

export function section(title, ...children) {
   return el("section", null, el("h2", null, title), ...children);
}

export const lacking = (what) => el("p", { class: "lacking" }, what);
