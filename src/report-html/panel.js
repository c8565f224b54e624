// The page of one piece of work: what it was, what it cost, what limited it and why.
import { el, section, step, table, number, percent, lacking, size_of } from "./dom.js";
import { facts, limiters_block, units_block, bytes_block, caches_block, fragments_block,
   overdraw_block, counters_block } from "./blocks.js";
import { label_of } from "./data.js";
import { why_work } from "./why.js";
import { draw_pictures, draw_textures, draw_maps, maps_block } from "./pictures.js";
import { code_block, source_block } from "./programs.js";
import { vertices_block } from "./vertices.js";
import { mesh_block } from "./mesh.js";
import { state_block } from "./state.js";

const COUNTS = { draw: "vertices or indices", dispatch: "invocations" };

function summary(run, w) {
   return facts([
      ["kind", w.kind + (run.kinds.get(w.kind) ? ": " + run.kinds.get(w.kind) : "")],
      ["call", w.call === null && w.kind === "draw" ? "not known" : w.call], ["label", w.label],
      ["primitive", w.primitive],
      [COUNTS[w.kind] || "bytes or count", number(w.count)],
      [w.kind === "dispatch" ? "workgroups" : "instances",
         w.instances === null ? null : number(w.instances)],
      ["made by", w.meta ? "the driver itself" : "the program"],
      ["cycles from start to end", number(w.cycles) + " (" + number(w.start_cycle) + " to " +
         number(w.end_cycle) + ")"],
      ["cycles of its own", number(w.exclusive_cycles) + ", " + percent(w.share) +
         " of its frame"],
   ]);
}

function programs(run, w) {
   const used = [w.vertex_program, w.geometry_program, w.fragment_program, w.compute_program]
      .map((p) => run.programs.get(p)).filter(Boolean);
   if (!used.length)
      return lacking("It runs no program.");
   return el("div", null,
      table([["stage"], ["name"], ["instructions", true], ["compute", true], ["texture", true],
         ["flow", true], ["registers per input", true]], used.map((p) => [p.stage,
         el("a", { href: "#program/" + p.program }, p.name || p.hash),
         number(p.instructions), number(p.alu), number(p.texture), number(p.flow),
         number(p.registers)])),
      used.map((p) => el("details", null, el("summary", null, "Code of " + (p.name || p.stage)),
         source_block(run, p), code_block(run, p))));
}

function surfaces(run, w) {
   const bound = run.bindings.get(w.bindings);
   if (!bound)
      return lacking("It reads and writes no surface that the record names.");
   return table([["slot"], ["size"], ["format"], ["target"], ["levels", true], ["samples", true],
      ["address"], ["label"]], bound.map((b) => [b.slot, size_of(b), b.format, b.target,
      number(b.levels), number(b.samples), "0x" + b.address.toString(16), b.label || ""]));
}

export function work_page(context, id) {
   const { run } = context;
   const w = run.work_at.get(Number(id));
   if (!w)
      return lacking("There is no work " + id + " in this report.");
   const before = run.work[w.index - 1], after = run.work[w.index + 1];
   const link = (to, text, key) => step(to ? "#work/" + to.work : null, text, key);
   return el("article", { class: "work" },
      el("nav", { class: "steps" }, link(before, "‹ before", "["), link(after, "next ›", "]"),
         el("a", { href: "#draws", class: "button", "data-key": "Escape" }, "to the table")),
      el("h1", null, label_of(w)),
      el("p", { class: "why" }, why_work(run, w)),
      w.kind === "draw" ? section("What it drew", draw_pictures(run, w)) : null,
      el("div", { class: "columns" },
         section("What it is", summary(run, w)),
         section("Limiters", limiters_block(w)),
         section("Units, in % of its cycles", units_block(run, "work", w.index)),
         section("Memory by client", bytes_block(run, "work", w.index)),
         section("Caches and DRAM rows", caches_block(run, "work", w.index)),
         section("Fragments", fragments_block(run, "work", w.index)),
         w.kind === "draw" ? section("Overdraw", overdraw_block(run, "work", w.index)) : null),
      w.kind === "draw" ? section("State", state_block(run, w)) : null,
      section("Programs", programs(run, w)),
      section("Targets and textures", el("div", null, surfaces(run, w), draw_textures(run, w))),
      w.kind === "draw" ? section("Mesh", mesh_block(run, w)) : null,
      w.kind === "draw" ? section("Vertices", vertices_block(run, w)) : null,
      w.kind === "draw" ? section("Maps of this draw", draw_maps(run, w)) : null,
      w.kind === "draw" ? section("Maps of its surface, all draws of the frame",
         maps_block(run, w.frame, w)) : null,
      counters_block(run, "work", w.index));
}
