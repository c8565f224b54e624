// A pixel of a draw's pictures, chosen by a click or by arrow keys: its values before and after the
// draw, its history if the page has one, and the command that prints it.
import { el, number, table } from "./dom.js";

const FATES = ["passed", "failed stencil test", "failed depth test", "killed by its program"];

// The colour of an image under shares x and y of its width and height.
async function color_at(source, x, y) {
   const image = new Image();
   image.src = source;
   await image.decode();
   const canvas = el("canvas", { width: 1, height: 1 }), c = canvas.getContext("2d");
   c.drawImage(image, -Math.floor(x * image.naturalWidth), -Math.floor(y * image.naturalHeight));
   return [...c.getImageData(0, 0, 1, 1).data].slice(0, 3);
}

const is_color = (surface) => surface.slot.startsWith("color");
const swatch = (rgb) => el("span", { class: "swatch", style: "background:rgb(" + rgb.join(",") +
   ")" });

// What pictures show of surfaces there. Depth and stencil are only as exact as 255 greys.
async function values(run, made, at) {
   const rows = [];
   for (const s of made.surfaces)
      for (const kind of ["before", "after"].filter((k) => s.pictures[k])) {
         const rgb = await color_at(run.made.images[s.pictures[kind]], (at[0] + 0.5) / s.width,
            (at[1] + 0.5) / s.height);
         const { min, max } = s, value = Number(min) + rgb[0] / 255 * (max - min);
         rows.push([s.slot + " " + kind + " the draw", is_color(s)
            ? el("span", { class: "limiter" }, swatch(rgb), rgb.join(", ") + " of 255")
            : "about " + value.toPrecision(3)]);
      }
   return table([["surface"], ["value"]], rows);
}

const short = (v) => (v === null || typeof v === "string" ? String(v ?? "–") : String(v));
function color_cell(v) {
   if (v[0] === null)
      return "–";
   const rgb = v.slice(0, 3).map((c) => Math.round(255 * Math.max(0, Math.min(1, Number(c) || 0))));
   return el("span", { class: "limiter" }, swatch(rgb), v.map(short).join(" "));
}

// The fragments of the pixel in the whole frame, those of this draw marked.
function history_block(run, w, address, at) {
   const { step, rows } = run.histories[w.frame];
   const near = at.map((v) => Math.floor(v / step) * step + Math.floor(step / 2));
   const found = rows.filter((r) => r[1] === address && r[2] === near[0] && r[3] === near[1]);
   const where = step === 1 ? "this pixel" : "pixel " + near.join(", ") + ", the middle of its " +
      step + " × " + step;
   if (!found.length)
      return el("p", { class: "count" }, "No fragment came to " + where + " in the frame.");
   const link = (draw) => {
      const of = run.work.find((o) => o.frame === w.frame && o.draw === draw && o.kind === "draw");
      const text = draw === w.draw ? el("mark", null, "this draw") : "draw " + draw;
      return of && draw !== w.draw ? el("a", { href: "#work/" + of.work }, text) : text;
   };
   return el("div", null, el("p", { class: "count" }, (found.length === 1
      ? "The only fragment" : "All " + number(found.length) + " fragments, in order,") +
      " that came to " + where + " in the frame:"),
   table([["draw"], ["what came of it"], ["depth", true], ["colour of its program"],
      ["pixel after it"], ["depth after it", true]], found.map((r) => [link(r[0]), FATES[r[4]],
      short(r[5]), color_cell(r[6]), color_cell(r[7]), short(r[8])])));
}

// The box that says what the chosen pixel is, and a function that makes figures of the draw's
// surfaces choose it.
export function pixel_choice(run, w, made) {
   const { width, height } = made.surfaces[0], marks = [];
   const box = el("div", { class: "pixel", "aria-live": "polite" }, el("p", { class: "count" },
      "A click on a picture, or an arrow key when it has the focus, chooses a pixel."));
   const bound = (run.bindings.get(w.bindings) || []).find((b) =>
      b.slot === made.surfaces[0].slot);
   let at = null, asked = 0;
   const choose = async (x, y) => {
      at = [Math.max(0, Math.min(width - 1, x)), Math.max(0, Math.min(height - 1, y))];
      for (const mark of marks) {
         mark.style.left = 100 * (at[0] + 0.5) / width + "%";
         mark.style.top = 100 * (at[1] + 0.5) / height + "%";
         mark.hidden = false;
      }
      const mine = ++asked, shown = await values(run, made, at);
      const with_history = run.made.histories.includes(w.frame) && bound;
      if (with_history)
         await run.load_histories();
      if (mine !== asked)
         return;
      box.replaceChildren(
         el("h3", null, "Pixel " + at.join(", ") + " (from the top left)"), shown,
         with_history ? history_block(run, w, bound.address, at) : "",
         el("p", { class: "count" }, (with_history ? "" : "This page has no history of it " +
            "(attila-report --history). ") + "All that came to it in the frame:"),
         el("p", null, el("code", null, "attila-sim picture CAPTURE --frame " + w.frame +
            " --pixel " + at.join(","))));
   };
   const attach = (button) => {
      const mark = el("span", { class: "mark", hidden: true });
      marks.push(mark);
      button.append(mark);
      button.addEventListener("click", (event) => {
         const img = button.querySelector("img"), r = img.getBoundingClientRect();
         // A click is in the middle of a pixel of the screen.
         const x = event.clientX + 0.5 - r.left - img.clientLeft,
            y = event.clientY + 0.5 - r.top - img.clientTop;
         if (event.detail) // not by a key
            choose(Math.floor(x * width / img.clientWidth),
               Math.floor(y * height / img.clientHeight));
         else
            choose(...(at || [width >> 1, height >> 1]));
      });
      button.addEventListener("keydown", (event) => {
         const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1],
            ArrowDown: [0, 1] }[event.key];
         if (!by)
            return;
         event.preventDefault();
         choose(...(at ? at.map((v, n) => v + by[n]) : [width >> 1, height >> 1]));
      });
   };
   return { box, attach };
}
