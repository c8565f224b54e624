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

// Of A, and of B with other_ before them.
const SUMS = ["work", "cycles", "fragments", "bytes"].flatMap((sum) => [sum, "other_" + sum]);
const LIMITERS = [["limiter", "cycles"], ["other_limiter", "other_cycles"]];

function new_group(key, name) {
   return { key, name, groups: new Map(), rows: [], of_limiter: LIMITERS.map(() => new Map()),
      ...Object.fromEntries(SUMS.map((sum) => [sum, 0])) };
}

const sums_of = (w) => ({ work: w ? 1 : 0, cycles: w ? w.exclusive_cycles : 0,
   fragments: (w && w.fragments) || 0, bytes: (w && w.bytes) || 0, limiter: w && w.limiter });

// One row of work, or two that belong together: a's or b's is null if only the other run has it.
function row_of(runs, pair) {
   const [a, b] = pair, w = a || b, run = a ? runs[0] : runs[1];
   return { key: "w" + (a ? a.work : "b" + b.work), name: label_of(w), w, run, ...sums_of(a),
      ...Object.fromEntries(Object.entries(sums_of(b)).map(([k, v]) => ["other_" + k, v])),
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
      LIMITERS.forEach(([limiter, cycles], i) => group.of_limiter[i].set(row[limiter],
         (group.of_limiter[i].get(row[limiter]) || 0) + row[cycles]));
   }
   group.rows.push(row);
}

// As the table wants it, with what only the whole tells.
function finished(group, all) {
   const cost = (x) => Math.max(x.cycles, x.other_cycles);
   const children = [...[...group.groups.values()].map((g) => finished(g, all)),
      ...group.rows.map((r) => of_all(r, all))].sort((x, y) => cost(y) - cost(x));
   const limiters = Object.fromEntries(LIMITERS.map(([limiter], i) => [limiter,
      [...group.of_limiter[i]].sort((x, y) => y[1] - x[1])[0][0]]));
   return of_all({ ...group, ...limiters, _children: children }, all);
}

function of_all(row, all) {
   const shown = ["key", "name", "open", "_children", "limiter", "other_limiter", ...SUMS];
   const share = (sum) => (all[sum] ? row[sum] / all[sum] : null);
   return { ...Object.fromEntries(shown.map((name) => [name, row[name]])),
      share: share("cycles"), other_share: share("other_cycles"),
      difference: row.other_cycles - row.cycles,
      change: row.cycles && row.other_work ? row.other_cycles / row.cycles - 1 : null };
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
   const limited = (cell) => (cell.getValue() === null ? "" : limiter_mark(cell.getValue()));
   const limiter = { formatter: limited };
   // The columns of one run, or those of A and B beside each other.
   const both = (title, field, width, how) => (two
      ? [["A: ", field], ["B: ", "other_" + field]] : [["", field]]).map(([of, name]) =>
      ({ title: of ? of + title : title[0].toUpperCase() + title.slice(1), field: name, width,
         ...how }));
   return [
      { title: "Group", field: "name", width: two ? 320 : 380, formatter: formats.text },
      ...both("own cycles", "cycles", 160, n),
      ...(two ? [{ title: "Difference", field: "difference", width: 130, ...n, formatter: signed },
         { title: "Change", field: "change", width: 110, ...n,
            formatter: (cell) => (cell.getValue() === null ? "" : change(cell.getValue())) }] : []),
      ...both("of all shown", "share", 175, share),
      ...both("mostly limited by", "limiter", 210, limiter),
      ...both("work", "work", 100, n),
      ...both("fragments", "fragments", 135, n),
      ...both("memory bytes", "bytes", 160, n),
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
      "of all that is shown. + and -, or → and ←, open and close a group."),
   el("div", { class: "steps" }, first_box, second_box, frame_box), holder);
}
