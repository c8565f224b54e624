// The mesh of a draw: its primitives before and after the vertex program on a canvas that pointer
// and keyboard turn. Not here: which draws have one (attila/report/meshes.py).
import { counted, el, lacking, number } from "./dom.js";

const STEP = Math.PI / 36, MARGIN = 0.9; // of a key; of the canvas, for all of the mesh
const CUBE = [[0, 1], [1, 3], [3, 2], [2, 0], [4, 5], [5, 7], [7, 6], [6, 4], [0, 4], [1, 5],
   [2, 6], [3, 7]]; // edges; bit n of a corner: its sign on axis n
const corners = () => Array.from({ length: 8 }, (_, i) => [0, 1, 2].map((n) =>
   (i >> n & 1) * 2 - 1));

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Points as [x, y, z] with z towards the reader, or null: what is no number, or behind the eye.
function places(values, size) {
   const points = [];
   for (let i = 0; i < values.length; i += size) {
      const [x, y, z, w] = values.slice(i, i + size);
      const bad = values.slice(i, i + size).some((v) => v === null) || (size === 4 && w <= 0);
      points.push(bad ? null : size === 4 ? [x / w, y / w, -z / w] : [x, y, z]);
   }
   return points;
}

// Middle and half of the extent of points.
function extent(points) {
   const low = [0, 1, 2].map((n) => points.reduce((m, p) => Math.min(m, p[n]), Infinity));
   const high = [0, 1, 2].map((n) => points.reduce((m, p) => Math.max(m, p[n]), -Infinity));
   return { middle: low.map((l, n) => (l + high[n]) / 2),
      reach: Math.max(1e-30, Math.hypot(...low.map((l, n) => (high[n] - l) / 2))) };
}

// What is shown: primitives of [point, ...], a frame around them, and how it is turned at first.
function scene(mesh, after, aspect) {
   const points = places(after ? mesh.out : mesh.in, after ? 4 : 3);
   if (after)
      points.forEach((p) => { if (p) p[0] *= aspect; });
   const all = [];
   for (let i = 0; i < mesh.primitives.length; i += mesh.corners)
      all.push(mesh.primitives.slice(i, i + mesh.corners).map((v) => points[v]));
   const shown = all.filter((p) => p.every(Boolean)), frame = corners();
   if (after)
      frame.forEach((p) => { p[0] *= aspect; });
   const { middle, reach } = after ? { middle: [0, 0, 0], reach: Math.hypot(1, aspect) }
      : extent(shown.flat());
   return { shown, left: all.length - shown.length, frame: after ? frame : null, middle, reach,
      first: after ? [0, 0] : [-0.5, 0.35] };
}

// Turns a point about the middle: first about y, then about x.
function turned(p, s, view) {
   const [x, y, z] = p.map((v, n) => (v - s.middle[n]) / s.reach);
   const [a, b] = view.angle, u = x * Math.cos(a) + z * Math.sin(a),
      d = z * Math.cos(a) - x * Math.sin(a);
   return [u, y * Math.cos(b) - d * Math.sin(b), y * Math.sin(b) + d * Math.cos(b)];
}

// How bright a triangle is: by the angle between its normal and the reader.
function light([a, b, c]) {
   const u = b.map((v, n) => v - a[n]), v = c.map((w, n) => w - a[n]);
   const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
   return Math.abs(normal[2]) / (Math.hypot(...normal) || 1);
}

function paint(canvas, s, view, solid) {
   const dense = window.devicePixelRatio || 1, width = canvas.clientWidth,
      height = canvas.clientHeight;
   canvas.width = width * dense;
   canvas.height = height * dense;
   const c = canvas.getContext("2d"), scale = view.zoom * MARGIN * Math.min(width, height) / 2;
   c.scale(dense, dense);
   const at = (p) => [width / 2 + p[0] * scale, height / 2 - p[1] * scale];
   const path = (points, close) => {
      c.beginPath();
      points.forEach((p, i) => (i ? c.lineTo(...at(p)) : c.moveTo(...at(p))));
      if (close)
         c.closePath();
   };
   c.lineWidth = 1;
   if (s.frame) {
      c.strokeStyle = style("--other");
      const corner = s.frame.map((p) => turned(p, s, view));
      CUBE.forEach(([i, k]) => { path([corner[i], corner[k]]); c.stroke(); });
   }
   const depth = (p) => p.reduce((n, q) => n + q[2], 0) / p.length;
   const turn = s.shown.map((p) => p.map((q) => turned(q, s, view)));
   if (solid)
      turn.sort((a, b) => depth(a) - depth(b));
   c.strokeStyle = c.fillStyle = style("--ink");
   for (const p of turn) {
      if (p.length === 1) {
         c.fillRect(at(p[0])[0] - 1, at(p[0])[1] - 1, 2, 2);
         continue;
      }
      path(p, p.length > 2);
      if (solid && p.length > 2) {
         const grey = Math.round(70 + 150 * light(p));
         c.fillStyle = c.strokeStyle = "rgb(" + grey + "," + grey + "," + grey + ")";
         c.fill();
      }
      c.stroke();
   }
}

// Dragging and arrows turn it, the wheel (when it has the focus), + and - zoom, 0 is the beginning.
function steered(canvas, view, again) {
   const zoom = (factor) => { view.zoom = Math.max(0.1, Math.min(100, view.zoom * factor)); };
   const turn = (by, up) => {
      view.angle = [view.angle[0] + by,
         Math.max(-Math.PI / 2, Math.min(Math.PI / 2, view.angle[1] + up))];
   };
   canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
   canvas.addEventListener("pointermove", (event) => {
      if (!(event.buttons & 1))
         return;
      turn(event.movementX / 100, event.movementY / 100);
      again();
   });
   canvas.addEventListener("wheel", (event) => {
      if (document.activeElement !== canvas)
         return;
      event.preventDefault();
      zoom(event.deltaY > 0 ? 0.8 : 1.25);
      again();
   }, { passive: false });
   canvas.addEventListener("keydown", (event) => {
      const keys = { ArrowLeft: () => turn(-STEP, 0), ArrowRight: () => turn(STEP, 0),
         ArrowUp: () => turn(0, -STEP), ArrowDown: () => turn(0, STEP), "+": () => zoom(1.25),
         "-": () => zoom(0.8), 0: () => view.start() };
      if (!keys[event.key])
         return;
      event.preventDefault();
      keys[event.key]();
      again();
   });
}

// Width by height of what the draw draws to.
function aspect_of(run, w) {
   const bound = run.bindings.get(w.bindings) || [];
   const target = bound.find((b) => b.slot === "color0") || bound.find((b) => b.slot === "depth");
   return target ? target.width / target.height : 1;
}

const KINDS = ["point", "line", "triangle"];

function filled(run, w, mesh, box) {
   const canvas = el("canvas", { class: "mesh", tabindex: "0", role: "img",
      "aria-label": "mesh of the draw; arrows turn it, + and - zoom, 0 shows it as at first" });
   const says = el("p", { class: "count", "aria-live": "polite" });
   const view = {};
   let shown, waits = false;
   const solid = el("input", { type: "checkbox", checked: mesh.corners > 2 });
   const now = () => { waits = false; paint(canvas, shown, view, solid.checked); };
   const again = () => {
      if (!waits)
         requestAnimationFrame(now);
      waits = true;
   };
   const choose = (after) => {
      shown = scene(mesh, after, aspect_of(run, w));
      view.start = () => { view.angle = [...shown.first]; view.zoom = 1; };
      view.start();
      says.textContent = counted(mesh.out.length / 4, "shaded vertex", "shaded vertices") + ", " +
         counted(shown.shown.length, KINDS[mesh.corners - 1]) + (after
            ? ": o0 divided by its w, before clipping; the box is what is visible"
            : ": the first three components of " + mesh.input) + (shown.left ? "; not shown: " +
         number(shown.left) + " with a corner that is " + (after ? "behind the eye or " : "") +
         "no number" : "") + ".";
      again();
   };
   const radio = (after, text, on) => el("label", null, el("input", { type: "radio",
      name: "mesh-" + w.work, checked: on, onchange: () => choose(after) }), " " + text);
   solid.addEventListener("change", again);
   steered(canvas, view, again);
   box.replaceChildren(el("p", { class: "legend" },
      mesh.input ? radio(false, "before the vertex program", false) : null,
      radio(true, "after it", true), mesh.corners > 2 ? el("label", null, solid, " filled") : null),
   canvas, says);
   choose(true);
   new ResizeObserver(again).observe(canvas);
}

export function mesh_block(run, w) {
   const made = run.made && run.made.meshes;
   if (!made || !made.works.includes(w.work))
      return lacking("There is no mesh of this draw; " + (made ? "the costliest draws have one, " +
         "as far as they have " + number(made.most) + " vertices or indices in all " +
         "(--mesh-vertices)" : "it needs a capture") +
         (run.made && run.made.note ? ": " + run.made.note : "") + ".");
   const box = el("div", null, el("p", { class: "count" }, "Reading the meshes ..."));
   run.load_meshes().then(() => filled(run, w, run.meshes[w.work], box));
   return box;
}
