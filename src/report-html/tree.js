// Work in groups and their groups: by debug group, program, target or kind, with sums and what part
// of all that is shown they are. Of two runs beside each other, with differences. Not here: single
// rows in a table (draws.js, compare.js).
import { el, limiter_mark, number, percent, change } from "./dom.js";
import { grid, formats } from "./grid.js";
import { label_of } from "./data.js";

// "[target] group/inner: marker" (docs/howto/tools.md): the groups and the marker, outermost first.
export function label_path(label) {
   const m = /^(?:\[(.*?)\] ?)?(.*?)(?:: (.*))?$/.exec(label || "");
   const path = (m[2] ? m[2].split("/") : []).concat(m[3] ? [m[3]] : []);
   return path.length ? path : ["no label"];
}

function target_of(run, w) {
   const bound = (run.bindings.get(w.bindings) || []).filter((b) => !b.slot.startsWith("texture"));
   if (!bound.length)
      return "no target";
   const b = bound.find((s) => s.slot.startsWith("color")) || bound[0];
   return (b.label || "0x" + b.address.toString(16)) + ", " + b.width + "×" + b.height + ", " +
      b.format;
}

// Names of the groups that a row of work is in, outermost first.
const BY = {
   "debug group": (run, w) => label_path(w.label),
   program: (run, w) => [w.program_name || (w.kind === "draw" ? "a program without a name"
      : "no program")],
   target: (run, w) => [target_of(run, w)],
   kind: (run, w) => [w.kind],
   frame: (run, w) => ["frame " + w.frame],
};

const SUMS = ["cycles", "other", "bytes", "fragments", "work"];

function new_group(key, name) {
   return { key, name, groups: new Map(), rows: [], limiters: new Map(), cycles: 0, other: 0,
      bytes: 0, fragments: 0, work: 0 };
}

// One row of work, or two that belong together: a's or b's is null if only the other run has it.
function row_of(runs, pair) {
   const [a, b] = pair, w = a || b, run = a ? runs[0] : runs[1];
   return { key: "w" + (a ? a.work : "b" + b.work), name: label_of(w), w, run, work: 1,
      cycles: a ? a.exclusive_cycles : 0, other: b ? b.exclusive_cycles : 0,
      bytes: w.bytes || 0, fragments: w.fragments || 0, limiter: w.limiter,
      open: runs.length > 1 ? "#pair/" + pair.index : "#work/" + w.work };
}

function add(root, row, by) {
   const path = by.flatMap((name) => BY[name](row.run, row.w));
   let group = root;
   for (const name of ["", ...path]) {
      if (name) {
         if (!group.groups.has(name))
            group.groups.set(name, new_group(group.key + "/" + name, name));
         group = group.groups.get(name);
      }
      for (const sum of SUMS)
         group[sum] += row[sum];
      group.limiters.set(row.limiter, (group.limiters.get(row.limiter) || 0) + row.cycles);
   }
   group.rows.push(row);
}

// As the table wants it, with what only the whole tells.
function finished(group, all) {
   const by_cost = (x, y) => Math.max(y.cycles, y.other) - Math.max(x.cycles, x.other);
   const children = [...[...group.groups.values()].map((g) => finished(g, all)),
      ...group.rows.map((r) => of_all(r, all))].sort(by_cost);
   const [[limiter]] = [...group.limiters].sort((a, b) => b[1] - a[1]);
   return of_all({ key: group.key, name: group.name, cycles: group.cycles, other: group.other,
      bytes: group.bytes, fragments: group.fragments, work: group.work, limiter,
      _children: children }, all);
}

function of_all(row, all) {
   const { key, name, cycles, other, bytes, fragments, work, limiter, open, _children } = row;
   return { key, name, cycles, other, bytes, fragments, work, limiter, open, _children,
      share: all.cycles ? cycles / all.cycles : null, difference: other - cycles,
      change: cycles ? other / cycles - 1 : null };
}

export function tree_of(runs, pairs, by) {
   const all = new_group("", "everything shown");
   pairs.forEach((pair) => add(all, row_of(runs, pair), by));
   return pairs.length ? [finished(all, all)] : [];
}

function columns(two) {
   const n = { formatter: formats.number, hozAlign: "right", sorter: "number",
      headerSortStartingDir: "desc" };
   const share = { ...n, formatter: formats.percent };
   const signed = (cell) => (cell.getValue() > 0 ? "+" : "") + number(cell.getValue());
   return [
      { title: "Group", field: "name", width: 380, formatter: formats.text },
      { title: "Work", field: "work", width: 80, ...n },
      { title: two ? "A: own cycles" : "Own cycles", field: "cycles", width: 160, ...n },
      { title: two ? "Of A" : "Of all shown", field: "share", width: 140, ...share },
      ...(two ? [{ title: "B: own cycles", field: "other", width: 160, ...n },
         { title: "Difference", field: "difference", width: 130, ...n, formatter: signed },
         { title: "Change", field: "change", width: 110, ...n,
            formatter: (cell) => (cell.getValue() === null ? "" : change(cell.getValue())) }] : []),
      { title: "Mostly limited by", field: "limiter", width: 180,
         formatter: (cell) => limiter_mark(cell.getValue()) },
      { title: "Fragments", field: "fragments", width: 120, ...n },
      { title: "Memory bytes", field: "bytes", width: 160, ...n },
   ];
}

function choice(name, values, chosen, changed) {
   const select = el("select", null, values.map((v) => el("option", { value: v,
      selected: v === chosen }, v)));
   select.addEventListener("change", changed);
   return [el("label", null, name + " ", select), select];
}

export function tree_page(context) {
   const { runs, pairs } = context, two = Boolean(pairs);
   const list = two ? pairs.map(([i, k], index) => Object.assign([i === null ? null
      : runs[0].work[i], k === null ? null : runs[1].work[k]], { index }))
      : context.run.work.map((w) => [w, null]);
   const frames = [...new Set(list.map(([a, b]) => (a || b).frame))].map(String);
   const holder = el("div");
   const show = () => {
      const shown = list.filter(([a, b]) => frame.value === "all" ||
         String((a || b).frame) === frame.value);
      const by = [first.value, ...(second.value === "nothing" || second.value === first.value ? []
         : [second.value])];
      const open = (row) => { if (row.open) location.hash = row.open; };
      holder.replaceChildren(grid(columns(two), tree_of(two ? runs : [context.run], shown, by),
         { open, sort: [], tree: [true, true, false] }));
   };
   const [first_box, first] = choice("by", Object.keys(BY), "debug group", show);
   const [second_box, second] = choice("then by", ["nothing", ...Object.keys(BY)], "program", show);
   const [frame_box, frame] = choice("frame", ["all", ...frames], "all", show);
   show();
   return el("article", { class: "wide" }, el("h1", null, two ? "Tree of work, A beside B"
      : "Tree of work"),
   el("p", { class: "count" }, "Own cycles divide the frames' cycles among work; percentages are " +
      "of all that is shown. The triangle, or → and ←, opens and closes a group."),
   el("div", { class: "steps" }, first_box, second_box, frame_box), holder);
}
