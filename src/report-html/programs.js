// Shader programs by the cycles of the draws that run them, and a page for each: code, draws.
import { el, section, table, number, percent, lacking, limiter_mark } from "./dom.js";
import { grid, formats } from "./grid.js";
import { facts } from "./blocks.js";
import { label_of } from "./data.js";

const COSTLIEST = 20;

const drawn_with = (run, p) => run.work.filter((w) =>
   w[p.stage + "_program"] === p.program);

const name_of = (p) => p.name || p.stage + " program " + p.program;

export function programs_page(context) {
   const { run } = context;
   const total = run.total("cycles");
   const rows = [...run.programs.values()].map((p) => {
      const work = drawn_with(run, p);
      const cycles = work.reduce((n, w) => n + w.exclusive_cycles, 0);
      return { ...p, key: p.program, draws: work.length, cycles, share: total && cycles / total };
   });
   const text = { formatter: formats.text, headerFilter: "input" };
   const n = { formatter: formats.number, hozAlign: "right", sorter: "number",
      headerSortStartingDir: "desc" };
   return el("article", { class: "wide" }, el("h1", null, "Shader programs"),
      el("p", { class: "lacking" }, "Own cycles are those of the draws that run a program, " +
         "whatever limited them; the record does not have cycles of single programs."),
      grid([
         { title: "Program", field: "name", width: 200, ...text },
         { title: "Stage", field: "stage", width: 110, ...text },
         { title: "Draws", field: "draws", width: 100, ...n },
         { title: "Own cycles of its draws", field: "cycles", width: 230, ...n },
         { title: "Of all frames", field: "share", width: 140, ...n, formatter: formats.percent },
         { title: "Instructions", field: "instructions", width: 140, ...n },
         { title: "Compute", field: "alu", width: 120, ...n },
         { title: "Texture", field: "texture", width: 110, ...n },
         { title: "Flow", field: "flow", width: 90, ...n },
         { title: "Registers", field: "registers", width: 120, ...n },
      ], rows, { open: (p) => { location.hash = "#program/" + p.program; },
         sort: [{ column: "cycles", dir: "desc" }] }));
}

export function program_page(context, id) {
   const { run } = context;
   const p = run.programs.get(Number(id));
   if (!p)
      return lacking("There is no program " + id + " in this report.");
   const work = drawn_with(run, p).sort((a, b) => b.exclusive_cycles - a.exclusive_cycles);
   return el("article", null,
      el("nav", { class: "steps" }, el("a", { href: "#programs", class: "button",
         "data-key": "Escape" }, "to the table")),
      el("h1", null, name_of(p)),
      facts([["stage", p.stage], ["instructions", number(p.instructions) + ": " + number(p.alu) +
         " compute, " + number(p.texture) + " texture, " + number(p.flow) + " flow"],
      ["registers per input", number(p.registers)], ["hash of the binary", p.hash],
      ["first used in frame", number(p.first_frame)]]),
      el("div", { class: "columns" },
         section("Code", p.code ? el("pre", null, p.code)
            : lacking("The record does not have it.")),
         section("Its costliest draws, of " + number(work.length),
            table([["work"], ["own cycles", true], ["of its frame", true], ["limiter"]],
               work.slice(0, COSTLIEST).map((w) => [el("a", { href: "#work/" + w.work },
                  label_of(w)), number(w.exclusive_cycles), percent(w.share),
               limiter_mark(w.limiter)])))));
}
