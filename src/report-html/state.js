// The state of a draw by OpenGL's names, in the order of the pipeline; what differs from the draw
// before is marked. Not here: how registers read in OpenGL's words (decode/sim_pipeline_items.h).
import { el, table, lacking } from "./dom.js";

// Parts of the state in groups. Textures are those of the stage's own units, from this number on.
const GROUPS = [
   ["Vertex input", ["draw", "attribute"], null],
   ["Vertex stage", ["vertex uniform", "vertex constant", "vertex block", "vertex storage"], 16],
   ["Geometry stage",
      ["geometry uniform", "geometry constant", "geometry block", "geometry storage"], 32],
   ["Rasteriser", ["raster"], null],
   ["Fragment stage",
      ["fragment uniform", "fragment constant", "fragment block", "fragment storage"], 0],
   ["Depth and stencil", ["depth", "stencil"], null],
   ["Framebuffer", ["framebuffer", "color"], null],
];
const STAGE_UNITS = 16;
const ARRAY = "GL_VERTEX_ATTRIB_ARRAY"; // names are long for heads of columns
const UNTITLED = ["draw", "raster", "framebuffer"]; // the group says it
const SHADERS = { GL_VERTEX_SHADER: "vertex_program", GL_GEOMETRY_SHADER: "geometry_program",
   GL_FRAGMENT_SHADER: "fragment_program" };
const GROUP_OF_SHADER = { GL_VERTEX_SHADER: 1, GL_GEOMETRY_SHADER: 2, GL_FRAGMENT_SHADER: 4 };

// The item's value; of one that changed also the value of the draw before, and the mark.
function value_of(item, shown = item.value) {
   if (!item.changed)
      return shown;
   const before = item.before === null ? "absent" : String(item.before);
   return [el("mark", null, item.value === null ? "absent" : shown), " ",
      el("small", null, "before: " + before)];
}

function list(items, link) {
   return el("dl", { class: "facts" }, items.map((i) => el("div", null, el("dt", null, i.name),
      el("dd", null, link && link(i) ? value_of(i, link(i)) : value_of(i)))));
}

function uniforms_of(items) {
   return table([["type"], ["uniform"], ["value"]],
      items.map((i) => [i.type, i.name, value_of(i)]), { class: "code" });
}

// A row for each number, a column for each name.
function rows_of(part, items) {
   const names = [...new Set(items.map((i) => i.name))];
   const numbers = [...new Set(items.map((i) => i.number))];
   const title = (n) => (n === "c" ? "value" : n.startsWith(ARRAY)
      ? el("span", { title: n }, "..." + n.slice(ARRAY.length)) : n);
   return table([[part], ...names.map((n) => [title(n)])], numbers.map((number) =>
      [names.includes("c") ? "c[" + number + "]" : String(number), ...names.map((name) => {
         const item = items.find((i) => i.number === number && i.name === name);
         return item ? value_of(item) : "";
      })]), { class: "code" });
}

function part_block(part, items) {
   if (items[0].type)
      return [el("section", null, el("h4", null, part + "s"), uniforms_of(items))];
   if (items[0].number === null)
      return [el("section", null, UNTITLED.includes(part) ? null : el("h4", null, part),
         list(items))];
   if (part !== "color")
      return [el("section", null, el("h4", null, part + "s"), rows_of(part, items))];
   return numbered(part, items, 0);
}

// A list for each texture or colour buffer, whose numbers begin at first.
function numbered(part, items, first) {
   return [...new Set(items.map((i) => i.number))].map((number) => el("section", null,
      el("h4", null, part + " " + (number - first)),
      list(items.filter((i) => i.number === number))));
}

function group_block(run, w, items, index) {
   const [title, parts, first] = GROUPS[index];
   const link = (i) => {
      const p = run.programs.get(w[SHADERS[i.name]]);
      return p && i.value !== null ? el("a", { href: "#program/" + p.program }, i.value) : null;
   };
   const program = items.filter((i) => GROUP_OF_SHADER[i.name] === index);
   const textures = first === null ? [] : items.filter((i) => i.part === "texture" &&
      i.number >= first && i.number < first + STAGE_UNITS);
   const blocks = [program.length ? el("section", null, list(program, link)) : null,
      ...parts.flatMap((part) => {
         const of = items.filter((i) => i.part === part);
         return of.length ? part_block(part, of) : [];
      }), ...numbered("texture", textures, first)].filter(Boolean);
   if (!blocks.length)
      return null;
   blocks[0].prepend(el("h3", null, title)); // they stay together when columns break
   return el("section", null, blocks);
}

function filled(run, w, box) {
   const items = run.state(w);
   if (!items) {
      box.replaceChildren(lacking("The record has no state of this draw."));
      return;
   }
   const changed = items.filter((i) => i.changed).length, first = !run.draw_before(w);
   const only = el("input", { type: "checkbox",
      onchange: () => box.classList.toggle("only", only.checked) });
   box.replaceChildren(
      el("p", { class: "count" }, first ? "It is the first draw of this report. "
         : changed ? "Marked: the " + changed + " that differ from the draw before. "
            : "Nothing differs from the draw before. ",
      "What has no effect is absent."),
      changed ? el("p", null, el("label", null, only, " only what differs")) : "",
      el("div", { class: "parts" },
         GROUPS.map((_, i) => group_block(run, w, items, i))));
}

export function state_block(run, w) {
   const box = el("div", { class: "state" }, el("p", { class: "count" }, "Reading the states ..."));
   run.load_states().then(() => filled(run, w, box));
   return box;
}
