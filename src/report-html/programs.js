// Shader programs by the cycles of the draws that run them, and a page for each: code, draws.
import { el, section, table, number, percent, lacking, limiter_mark, bar } from "./dom.js";
import { grid, formats } from "./grid.js";
import { facts } from "./blocks.js";
import { label_of } from "./data.js";

const COSTLIEST = 20;

const drawn_with = (run, p) => run.work.filter((w) =>
   w[p.stage + "_program"] === p.program);

const name_of = (p) => p.name || p.stage + " program " + p.program;

// What groups of inputs did at an instruction, in the order of the table.
const WAITS = [["wait_result", "results"], ["wait_texture", "texels"],
   ["wait_constant", "constants"], ["wait_memory", "storage"],
   ["wait_barrier", "barriers"], ["wait_fetch", "its turn"], ["wait_decode", "decoding"],
   ["wait_output", "the way out"]];

const waited = (i) => WAITS.reduce((n, [key]) => n + (i[key] || 0), 0);

const line_id = (p, line) => "source-" + p.program + "-" + line;

// Not a link of the page: those are its own addresses.
const line_link = (p, line) => el("button", { class: "line", title: "to this line of the source",
   onclick: () => document.getElementById(line_id(p, line))?.scrollIntoView({ block: "center" }) },
String(line));

// The program's text, with what the instructions of each line cost together. An instruction that
// was made of several lines counts for one of them.
export function source_block(run, p) {
   if (!p.source)
      return lacking("The text of this program is not known: it is one of fixed functions or of " +
         "the driver, its stage has several shaders, or the record is of a capture without notes.");
   const costs = run.costs.get(p.program) || [], lines = p.source.replace(/\n$/, "").split("\n");
   const of = lines.map(() => ({ instructions: 0, alu: 0, waited: 0 }));
   const unknown = { instructions: 0, alu: 0, waited: 0 };
   for (const i of costs) {
      const to = of[i.line - 1] || unknown;
      to.instructions++;
      to.alu += i.alu_cycles || 0;
      to.waited += waited(i) || 0;
   }
   const total = of.reduce((n, o) => n + o.alu, unknown.alu);
   const most = Math.max(1, ...of.map((o) => Math.max(o.alu, o.waited)));
   const known = costs.some((i) => i.line);
   return el("div", null,
      el("p", { class: "count" }, !known ? "Its lines are not known: a #line directive counts " +
         "them anew, or it is no GLSL." : "What the instructions of each line cost together. " +
         "Instructions of no line (the ends of loops and of the program, what the driver adds): " +
         number(unknown.instructions) + ", " + number(unknown.alu) + " cycles of ALUs, " +
         number(unknown.waited) + " waited."),
      table([["line", true], ["source"], ["instructions", true], ["ALU", true], ["of ALU", true],
         ["waited", true], [""]], lines.map((text, n) => {
         const o = of[n], any = o.instructions > 0;
         return [el("span", { id: line_id(p, n + 1) }, String(n + 1)), el("code", null, text),
            any ? number(o.instructions) : "", any ? number(o.alu) : "",
            any ? percent(total && o.alu / total) : "", any ? number(o.waited) : "",
            any ? el("div", null, bar([[o.alu / most, "busy", "ALU"]]),
               bar([[o.waited / most, "blocked", "waited"]])) : ""];
      }), { class: "bars code source" }));
}

// The code, with what each instruction cost in the frames of the report beside it.
export function code_block(run, p) {
   const costs = run.costs.get(p.program);
   if (!costs || !costs.some((i) => i.groups))
      return el("div", null, p.code ? el("pre", null, p.code)
         : lacking("The record does not have it."),
      lacking("The record does not have the cost of its instructions."));
   const most = Math.max(1, ...costs.map((i) => Math.max(i.alu_cycles, waited(i))));
   const total = costs.reduce((n, i) => n + i.alu_cycles, 0);
   return el("div", null,
      el("p", { class: "count" }, "All draws with this program, all frames of this report. ALU: " +
         "cycles that it kept the ALUs; waited: cycles of all groups of inputs at it, of which " +
         "most for what is named."),
      table([["", true], ["instruction"], ["line", true], ["executed by groups", true],
         ["ALU", true], ["of ALU", true], ["waited", true], ["mostly for"], [""]],
      costs.map((i) => {
         const [why] = WAITS.filter(([key]) => i[key]).sort((a, b) => i[b[0]] - i[a[0]]);
         return [String(i.position), el("code", null, i.text), i.line ? line_link(p, i.line) : "",
            number(i.groups),
            number(i.alu_cycles), percent(total && i.alu_cycles / total), number(waited(i)),
            why ? why[1] : "", el("div", null, bar([[i.alu_cycles / most, "busy", "ALU"]]),
               bar([[waited(i) / most, "blocked", "waited"]]))];
      }), { class: "bars code" }));
}

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
         "whatever limited them; a program's page has what its instructions cost."),
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
         section("Its costliest draws, of " + number(work.length),
            table([["work"], ["own cycles", true], ["of its frame", true], ["limiter"]],
               work.slice(0, COSTLIEST).map((w) => [el("a", { href: "#work/" + w.work },
                  label_of(w)), number(w.exclusive_cycles), percent(w.share),
               limiter_mark(w.limiter)])))),
      section("Source", source_block(run, p)), section("Code", code_block(run, p)));
}
