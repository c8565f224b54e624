// Two runs, draw by draw, sorted by what changed most.
import { el, section, table, number, change, limiter_mark, lacking } from "./dom.js";
import { grid, formats } from "./grid.js";
import { numbers } from "./draws.js";
import { label_of } from "./data.js";
import { units_block, limiters_block, bytes_block } from "./blocks.js";

const signed = (n) => (n > 0 ? "+" : "") + number(n);

export function paired_rows(a, b, pairs) {
   return pairs.map(([i, k], key) => {
      const of_a = i === null ? null : a.work[i], of_b = k === null ? null : b.work[k];
      const any = of_a || of_b;
      const cycles_a = of_a ? of_a.exclusive_cycles : null;
      const cycles_b = of_b ? of_b.exclusive_cycles : null;
      return { key, a: of_a, b: of_b, frame: any.frame, number: any.number, kind: any.kind,
         label: any.label, program_name: any.program_name, cycles_a, cycles_b,
         difference: (cycles_b || 0) - (cycles_a || 0),
         change: cycles_a && cycles_b !== null ? cycles_b / cycles_a - 1 : null,
         limiter_a: of_a && of_a.limiter, limiter_b: of_b && of_b.limiter };
   });
}

function frames_table(a, b) {
   const all = new Set([...a.frames, ...b.frames].map((f) => f.frame));
   return table([["frame"], ["A: cycles", true], ["B: cycles", true], ["difference", true],
      ["change", true], ["A: limiter"], ["B: limiter"]], [...all].sort((x, y) => x - y).map((n) => {
      const f = a.frame_at.get(n), g = b.frame_at.get(n);
      return [String(n), number(f && f.cycles), number(g && g.cycles),
         f && g ? signed(g.cycles - f.cycles) : "only in " + (f ? "A" : "B"),
         f && g && f.cycles ? change(g.cycles / f.cycles - 1) : "",
         f ? limiter_mark(f.limiter) : "", g ? limiter_mark(g.limiter) : ""];
   }));
}

function machine_table(a, b) {
   const of_b = new Map(b.configuration.map((k) => [k.section + "." + k.key, k.value]));
   const rows = a.configuration.map((k) => [k.section + "." + k.key, String(k.value),
      String(of_b.get(k.section + "." + k.key))]).filter(([, x, y]) => x !== y);
   rows.unshift(...["mode", "ideal", "version"].filter((k) => a.run[k] !== b.run[k]).map((k) =>
      [k, String(a.run[k] ?? "none"), String(b.run[k] ?? "none")]));
   return rows.length ? table([["key"], ["A"], ["B"]], rows)
      : el("p", null, "The same machine.");
}

function columns() {
   const signed_cell = (cell) => signed(cell.getValue());
   const text = { formatter: formats.text, headerFilter: "input" };
   // What changed most first, whichever way.
   const by_size = (x, y) => Math.abs(x) - Math.abs(y);
   return [
      { title: "Frame", field: "frame", width: 95, ...numbers, headerFilterPlaceholder: "" },
      { title: "No.", field: "number", width: 75, sorter: "number", hozAlign: "right" },
      { title: "Kind", field: "kind", width: 90, ...text },
      { title: "A: own cycles", field: "cycles_a", width: 150, ...numbers },
      { title: "B: own cycles", field: "cycles_b", width: 150, ...numbers },
      { title: "Difference", field: "difference", width: 130, ...numbers, sorter: by_size,
         formatter: signed_cell },
      { title: "Change", field: "change", width: 110, ...numbers, sorter: by_size,
         formatter: (cell) => change(cell.getValue()) },
      { title: "A: limiter", field: "limiter_a", width: 170, formatter: formats.limiter },
      { title: "B: limiter", field: "limiter_b", width: 170, formatter: formats.limiter },
      { title: "Label", field: "label", width: 160, ...text },
      { title: "Fragment program", field: "program_name", width: 175, ...text },
   ];
}

export function compare_page(context) {
   const [a, b] = context.runs;
   const rows = paired_rows(a, b, context.pairs);
   const total = (run) => run.total("cycles");
   return el("article", { class: "wide" },
      el("h1", null, "A and B, draw by draw"),
      el("p", { class: "why" }, "A is " + a.name + ", B is " + b.name + ". All frames: " +
         number(total(a)) + " and " + number(total(b)) + " cycles, " +
         signed(total(b) - total(a)) + " (" + change(total(b) / total(a) - 1) +
         "). Rows belong together by frame, kind and place among their kind."),
      grid(columns(), rows, { open: (r) => { location.hash = "#pair/" + r.key; },
         sort: [{ column: "difference", dir: "desc" }] }),
      el("div", { class: "columns" }, section("Frames", frames_table(a, b)),
         section("What is different about the machines", machine_table(a, b))));
}

export function pair_page(context, key) {
   const pair = context.pairs[Number(key)];
   if (!pair)
      return lacking("There is no pair " + key + " in this report.");
   const half = (name, run, index) => {
      if (index === null)
         return section(name, lacking("This run has no such work."));
      const w = run.work[index];
      return section(name + ": " + number(w.exclusive_cycles) + " cycles of its own",
         limiters_block(w), units_block(run, "work", index), bytes_block(run, "work", index));
   };
   const [a, b] = context.runs;
   return el("article", null,
      el("nav", { class: "steps" }, el("a", { href: "#compare", class: "button",
         "data-key": "Escape" }, "to the table")),
      el("h1", null, label_of(pair[0] === null ? b.work[pair[1]] : a.work[pair[0]])),
      el("div", { class: "columns" }, half("A", a, pair[0]), half("B", b, pair[1])));
}
