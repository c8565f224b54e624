// Pictures that scripts/attila-report made from a capture: what a draw did, its textures, maps of a
// frame. What is missing is said, with the reason.
import { counted, el, table, number, lacking, size_of, LACKING } from "./dom.js";
import { pixel_choice } from "./pixel.js";

// A click shows it in its own size, and small again.
function figure(run, image, caption, alt) {
   const large = (e) => e.currentTarget.classList.toggle("large");
   return el("figure", null,
      el("button", { class: "zoom", title: "large or small", onclick: large },
         el("img", { src: run.made.images[image], alt, loading: "lazy" })),
      caption ? el("figcaption", null, caption) : null);
}

function why_none(run, what) {
   return lacking(what + (run.made && run.made.note ? ": " + run.made.note + "." : "."));
}

const MEANINGS = { shaded: "fragments given to a shader",
   written: "fragments that passed all tests",
   latency: "cycles from the quad to the written pixel", shader: "cycles with a shader",
   instructions: "shader instructions executed", misses: "texture cache misses" };
// What each picture of a draw shows, as a function of what the draw covered.
const KINDS = [["before", () => "before it"], ["after", () => "after it"],
   ["diff", () => "what it changed, all else dark"],
   ["coverage", () => "coverage: green passed, red failed all"],
   ["overdraw", (c) => "overdraw: " + (c.most > 1 ? "1 (violet) to " + number(c.most) +
      " (yellow) fragments" : counted(c.most, "fragment")) + " on a pixel"],
   ["wireframe", () => "wireframe: edges of its primitives"]];

// What a draw covered is more than what it changed: it may have written what was there already.
function what_it_wrote(surface, cover) {
   const { changed, width, height } = surface;
   return counted(cover.fragments, "fragment") + " came to " + number(cover.covered) + " of " +
      counted(width * height, "pixel") + ", " + number(cover.passed) +
      " of them passed all tests; " +
      counted(changed, "pixel has", "pixels have") + " another value than before it" +
      (cover.passed > changed
         ? "; the others that it wrote have what they had, or were written twice." : ".");
}

// A click chooses a pixel of it.
function pixel_figure(run, image, caption, alt, attach) {
   const button = el("button", { class: "pick", type: "button" },
      el("img", { src: run.made.images[image], alt }));
   attach(button);
   return el("figure", null, button, el("figcaption", null, caption));
}

function surface_pictures(run, surface, cover, attach) {
   return el("div", { class: "figures" }, KINDS.filter(([k]) => surface.pictures[k]).map(
      ([k, text]) => pixel_figure(run, surface.pictures[k], text(cover), surface.slot + " " +
         text(cover), attach)));
}

// Depth or stencil beside a colour buffer.
function other_surface(run, surface, cover, attach) {
   const { min, max, changed, slot } = surface;
   const short = (n) => String(Number(Number(n).toPrecision(6)));
   return el("div", null, el("p", { class: "count" }, slot + ", " + surface.format + ": " +
      (min === max ? "every pixel has " + short(min) + ", before and after it."
         : counted(changed, "pixel has", "pixels have") + " another value than before it; black " +
            short(min) + ", white " + short(max) + ".")),
   surface_pictures(run, surface, cover, attach));
}

// Of the surface that the draw draws to, and of depth and stencil.
export function draw_pictures(run, w) {
   if (w.kind !== "draw")
      return null;
   const made = run.made && run.made.draws[w.work];
   if (!made)
      return why_none(run, "There is no picture of this draw; the costliest draws have one" +
         (run.made ? " (--draw-pictures)" : ""));
   const [first, ...others] = made.surfaces, { box, attach } = pixel_choice(run, w, made);
   const large = el("input", { type: "checkbox",
      onchange: () => all.classList.toggle("large", large.checked) });
   const all = el("div", null,
      el("p", { class: "count" }, first.slot + ", " + size_of(first) + ", " + first.format + ": " +
         what_it_wrote(first, made.cover)),
      el("p", null, el("label", null, large, " large")),
      surface_pictures(run, first, made.cover, attach),
      others.map((s) => other_surface(run, s, made.cover, attach)), box);
   return all;
}

export function draw_textures(run, w) {
   const made = run.made && run.made.draws[w.work];
   if (!made || !made.textures.length)
      return null;
   return el("div", { class: "figures small" }, made.textures.map((t) => figure(run, t.image,
      t.slot + ": " + size_of(t) + ", " + t.format, "contents of " + t.slot)));
}

// Maps of a draw alone: pictures with their legends, and what they add up to.
export function draw_maps(run, w) {
   const maps = (run.made && run.made.draw_maps[w.work]) || [];
   if (!maps.length)
      return why_none(run, "There are no maps of this draw alone; the costliest draws of the " +
         "costliest frame have them (--map-draws), or those of attila-run --maps-each");
   const mean = (one, pixels) => (one.pixels ? (one.sum / pixels).toFixed(2) : LACKING);
   return el("div", null,
      el("p", { class: "count" }, "What its own fragments cost, each pixel by itself" +
         (run.made.maps_from === "again" ? "; the frame was simulated again with cold caches"
            : "") + ". Black: none."),
      table([["map"], ["what"], ["sum", true], ["largest", true], ["pixels with some", true],
         ["of each pixel with some", true], ["of each pixel of the surface", true]],
      maps.filter((one) => one.map !== "draw").map((one) => [one.map,
         MEANINGS[one.map], one.map === "latency" ? LACKING : number(one.sum), number(one.max),
         number(one.pixels) + " of " + number(one.width * one.height), mean(one, one.pixels),
         one.map === "latency" ? LACKING : mean(one, one.width * one.height)])),
      el("div", { class: "figures" }, maps.filter((one) => one.map !== "draw").map((one) =>
         figure(run, one.image, null, one.map + " of the draw's pixels"))));
}

// Maps of a frame; draw: only of the surface that this draw draws to.
export function maps_block(run, frame, draw) {
   const all = (run.made && run.made.maps[frame]) || [];
   const bound = draw && run.bindings.get(draw.bindings);
   const target = bound && (bound.find((b) => b.slot === "color0") ||
      bound.find((b) => b.slot === "depth"));
   const maps = draw ? all.filter((m) => target && m.address === target.address) : all;
   if (!maps.length)
      return why_none(run, all.length ? "The surface of this draw has no maps"
         : "There are no maps of this frame; the costliest frame has them (--map-frames)");
   const targets = [...new Set(maps.map((m) => m.target))].sort((a, b) => a - b);
   return el("div", null,
      el("p", { class: "count" }, "What the fragments of each pixel cost in the whole frame" +
         (run.made.maps_from === "again" ? ", simulated again with cold caches" : "") +
         ". Black: none."),
      targets.map((t) => {
         const of = maps.filter((m) => m.target === t), m = of[0];
         const figures = el("div", { class: "figures" }, of.map((one) =>
            figure(run, one.image, null, one.map + " of the pixels")));
         const name = (t ? "target " + t : "the surface that was shown") + ": " + size_of(m) +
            ", " + counted(m.draws, "draw") + " (" + m.first_draw + " to " + m.last_draw + ")";
         return draw || targets.length === 1
            ? el("div", null, el("p", null, name), figures)
            : el("details", { open: t === targets[0] }, el("summary", null, name), figures);
      }));
}
