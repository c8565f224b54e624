// The first vertices of a draw before and after its vertex program, from a capture, and the command
// that prints all of them.
import { el, table, lacking } from "./dom.js";

// What is no number is text: "nan", "inf".
const one = (n) => (typeof n === "string" || Number.isInteger(n) ? String(n) : n.toPrecision(6));
const short = (v) => v.map(one).join(" ");

export function vertices_block(run, w) {
   const made = run.made && run.made.vertices[w.work];
   if (!made)
      return lacking("There are no vertices of this draw; the costliest draws have some" +
         (run.made ? " (--draw-pictures)" : "") +
         (run.made && run.made.note ? ": " + run.made.note : "") + ".");
   const registers = [...made.in, ...made.out];
   return el("div", null,
      el("p", { class: "count" }, "In: what the vertex program read, out: what it wrote; o0 is " +
         "the position in clip space. " + (made.rows.length === 1 ? "Its only vertex"
            : "The first " + made.rows.length + " in the order in which they were shaded") +
         "; all of them:"),
      el("p", null, el("code", null, "attila-sim picture CAPTURE --frame " + w.frame + " --draw " +
         w.draw + " --vertices --format csv")),
      table([["vertex", true], ["instance", true], ...registers.map((r) => [r])],
         made.rows.map((row) => [String(row[0]), String(row[1]), ...row.slice(2).map(short)]),
         { class: "code" }));
}
