// The first page: what the run was, how long its frames took, what limited them, where the bytes
// went; and the strip of frames, a bar each.
import { counted, el, section, step, table, number, percent, bytes, bar, lacking, limiter_mark,
   legend, colour, key_of, READ_WRITTEN } from "./dom.js";
import { facts, limiters_block, units_block, bytes_block, caches_block, fragments_block,
   overdraw_block, counters_block } from "./blocks.js";
import { label_of } from "./data.js";
import { why_frame } from "./why.js";
import { maps_block } from "./pictures.js";

const COSTLIEST = 10;

// Parts of frames that were simulated; null: all of them
function parts_of_frames(r) {
   const parts = [];
   if (r.cycle_draws)
      parts.push("draws " + r.cycle_draws);
   if (r.cycle_label)
      parts.push("label " + r.cycle_label);
   return parts.length ? "only " + parts.join(", ") : null;
}

function run_facts(run) {
   const r = run.run, frames = run.frames.length, cycles = run.total("cycles");
   const ms = run.total("simulated_ms");
   return facts([
      ["frames", number(frames)],
      ["cycles of the GPU clock", number(cycles)],
      ["simulated time", ms.toFixed(3) + " ms at " + r.gpu_mhz + " MHz"],
      ["a frame takes", (ms / frames).toFixed(3) + " ms on average"],
      ["draws", number(run.total("draws"))],
      ["machine", r.config_path || "built in"],
      ["other clocks", "shaders " + r.shader_mhz + " MHz, memory " + r.memory_mhz + " MHz"],
      ["mode", r.mode], ["ideal units", r.ideal],
      ["simulated of each frame", parts_of_frames(r)],
      ["program", r.program + " " + (r.arguments || "")],
      ["started", r.started + " on " + r.host],
      ["complete", r.complete ? "yes" : "no: the run went on, or was stopped, after these frames"],
   ]);
}

// [limiter, cycles of the frames that it limited], most first
function cycles_by_limiter(frames) {
   const cycles = new Map();
   for (const f of frames)
      cycles.set(f.limiter, (cycles.get(f.limiter) || 0) + f.cycles);
   return [...cycles].sort((a, b) => b[1] - a[1]);
}

function limiters_of_frames(run) {
   const total = run.total("cycles"), rows = cycles_by_limiter(run.frames);
   return table([["limiter of the frame"], ["cycles", true], ["share", true], [""]], rows.map(
      ([limiter, n]) => [limiter_mark(limiter), number(n), percent(n / total),
         bar([[n / total, colour(limiter) === "transparent" ? "busy" : colour(limiter),
            limiter || ""]])]), { class: "bars" });
}

// [client, [bytes read, bytes written]] of all frames, most first; empty if not in the record
function bytes_by_client(run) {
   const sums = new Map();
   for (const f of run.frames)
      for (const c of run.clients("frame", f.index) || []) {
         const s = sums.get(c.name) || [0, 0];
         sums.set(c.name, [s[0] + c.read, s[1] + c.written]);
      }
   return [...sums].filter(([, [r, w]]) => r + w).sort((a, b) =>
      b[1][0] + b[1][1] - a[1][0] - a[1][1]);
}

// Of frames that upload next to nothing, if there are others, too.
function steadily(run) {
   const frames = run.steady(), n = frames.length;
   if (!n || n === run.frames.length)
      return "";
   const total = frames.reduce((sum, f) => sum + f.cycles, 0);
   const ms = frames.reduce((sum, f) => sum + f.simulated_ms, 0);
   const [limiter, cycles] = cycles_by_limiter(frames)[0];
   return number(n) + " of the frames spent at most 5 % of the cycles on uploads of data and " +
      "programs: " + (ms / n).toFixed(3) + " ms each" + (limiter ? ", " +
      percent(cycles / total) + " of that limited by: " + limiter : "") + ".";
}

// The run in three sentences, for who reads no further.
function in_short(run) {
   const ms = run.total("simulated_ms"), total = run.total("cycles"), n = run.frames.length;
   const [limiter, cycles] = cycles_by_limiter(run.frames)[0], clients = bytes_by_client(run);
   const parts = parts_of_frames(run.run);
   const moved = clients.reduce((sum, [, [r, w]]) => sum + r + w, 0);
   return el("p", { class: "why" }, counted(n, "frame") + " took " +
      ms.toFixed(3) + " simulated milliseconds, " + (ms / n).toFixed(3) + " ms each on average. " +
      (parts ? "These are parts of frames: " + parts + " were simulated, and all numbers are of " +
         "these alone. " : "") +
      (limiter ? percent(cycles / total) + " of that time went into frames limited by: " +
         limiter + ". " : "The record names no limiter. ") +
      (moved ? "Of " + bytes(moved) + " between the GPU and its memory, " + clients[0][0] +
         " moved " + percent((clients[0][1][0] + clients[0][1][1]) / moved) + ". " : "") +
      steadily(run));
}

function bandwidth(run) {
   const rows = bytes_by_client(run);
   if (!rows.length)
      return lacking("This record does not have bytes by client, or nothing was moved.");
   const total = rows.reduce((n, [, [r, w]]) => n + r + w, 0);
   return el("div", null,
      key_of(READ_WRITTEN),
      table([["client"], ["read", true], ["written", true], ["share", true], [""]], rows.map(
         ([name, [r, w]]) => [name, bytes(r), bytes(w), percent((r + w) / total),
            bar([[r / total, "read", "read"], [w / total, "written", "written"]])]),
      { class: "bars" }),
      el("p", null, bytes(total) + " in " + number(run.total("cycles")) + " cycles: " +
         (total / run.total("cycles")).toFixed(1) + " bytes per cycle."));
}

function costliest(run) {
   const rows = [...run.work].sort((a, b) => b.exclusive_cycles - a.exclusive_cycles)
      .slice(0, COSTLIEST);
   return table([["work"], ["own cycles", true], ["of its frame", true], ["limiter"]], rows.map(
      (w) => [el("a", { href: "#work/" + w.work }, label_of(w)), number(w.exclusive_cycles),
         percent(w.share), limiter_mark(w.limiter)]));
}

// A button for each frame: its height is its cycles, its colour its limiter.
function strip(context) {
   const { run } = context;
   const most = Math.max(...run.frames.map((f) => f.cycles), 1);
   return el("div", null, legend(run.frames.map((f) => f.limiter)),
      el("div", { class: "strip" }, run.frames.map((f) => {
         const picture = run.pictures.of[f.frame];
         return el("a", { href: "#frame/" + f.frame, class: "frame",
            title: "frame " + f.frame + ": " + number(f.cycles) + " cycles, " +
               (f.limiter || "limiter not known") },
         el("span", { class: "height" }, el("span", { class: "fill", style: "height:" +
            (100 * f.cycles / most).toFixed(1) + "%;background:" + colour(f.limiter) })),
         picture ? el("img", { src: picture, alt: "picture of frame " + f.frame,
            loading: "lazy" }) : null,
         el("small", null, String(f.frame)));
      })),
      run.pictures.recorded ? null : el("p", { class: "lacking" },
         "The run saved no pictures (--save-frames)."));
}

export function summary_page(context) {
   const { run } = context;
   return el("article", null,
      el("h1", null, "Run " + run.name),
      in_short(run),
      section("Frames", strip(context)),
      el("div", { class: "columns" },
         section("The run", run_facts(run)),
         section("What limited the frames", limiters_of_frames(run)),
         section("Where the bandwidth went", bandwidth(run)),
         section("Costliest work", costliest(run))));
}

export function frame_page(context, id) {
   const { run } = context;
   const f = run.frame_at.get(Number(id));
   if (!f)
      return lacking("There is no frame " + id + " in this report.");
   const before = run.frames[f.index - 1], after = run.frames[f.index + 1];
   const link = (to, text, key) => step(to ? "#frame/" + to.frame : null, text, key);
   const picture = run.pictures.of[f.frame];
   return el("article", null,
      el("nav", { class: "steps" }, link(before, "‹ before", "["), link(after, "next ›", "]"),
         el("a", { href: "#draws/" + f.frame, class: "button" }, "its draws")),
      el("h1", null, "Frame " + f.frame + ": " + number(f.cycles) + " cycles, " +
         f.simulated_ms.toFixed(3) + " ms"),
      el("p", { class: "why" }, why_frame(run, f)),
      picture ? el("img", { class: "picture", src: picture, alt: "frame " + f.frame }) : null,
      el("div", { class: "columns" },
         section("Limiters", limiters_block(f)),
         section("Units, in % of its cycles", units_block(run, "frame", f.index)),
         section("Memory by client", bytes_block(run, "frame", f.index)),
         section("Caches and DRAM rows", caches_block(run, "frame", f.index)),
         section("Fragments", fragments_block(run, "frame", f.index))),
      section("Overdraw of its surfaces", overdraw_block(run, "frame", f.index)),
      section("Maps", maps_block(run, f.frame)),
      counters_block(run, "frame", f.index));
}
