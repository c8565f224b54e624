// Why a piece of work, or a frame, took its time: sentences made of what the record has, and of
// nothing else.
import { counted, number, percent, bytes, size_of } from "./dom.js";

const MEMORY = ["memory bandwidth", "memory latency", "system bus", "blitter"];
const ALIKE = 0.9; // a second limiter with so much of the first one's share is as good as equal
const SHADOW = 0.5; // less of its own than that: most of it ran while older work did

function largest_client(run, kind, index) {
   const clients = run.clients(kind, index);
   if (!clients)
      return null;
   const total = clients.reduce((n, c) => n + c.read + c.written, 0);
   const most = clients.reduce((a, c) => (c.read + c.written > a.read + a.written ? c : a));
   if (!total)
      return null;
   return "Of " + bytes(total) + " over the memory bus " +
      percent((most.read + most.written) / total) + " were asked for by " + most.name + " (" +
      bytes(most.read) + " read, " + bytes(most.written) + " written).";
}

function of_program(w) {
   const p = w.program;
   return p ? "Its fragment program " + p.name + " has " + counted(p.instructions, "instruction") +
      ", of which " + p.alu + " compute, " + p.texture + " read textures and " + p.flow +
      " are control flow." : null;
}

function of_textures(run, w) {
   const textures = (run.bindings.get(w.bindings) || []).filter((b) =>
      b.slot.startsWith("texture"));
   return textures.length ? "It reads " + textures.map((t) => t.slot + " (" + size_of(t) + ", " +
      t.format + ")").join(", ") + "." : null;
}

function of_fragments(run, w) {
   const f = run.fragments("work", w.index);
   if (!f || !f.generated)
      return null;
   const inside = f.generated - f.uncovered;
   return counted(f.generated, "fragment was", "fragments were") + " generated, " +
      number(inside) + " of them inside their triangle; " +
      counted(f.culled_hz, "was", "were") + " culled by hierarchical Z, " +
      number(f.failed - f.uncovered_tested) + " failed the depth or stencil test.";
}

function limiters(of) {
   const parts = [];
   if (!of.limiter)
      return ["The record names no limiter: no unit held it up for a share worth naming."];
   parts.push("Limited by: " + of.limiter + ", in " + percent(of.limiter_share) + " of its " +
      counted(of.cycles, "cycle") + ".");
   const second = of.limiter2 && of.limiter2 + " (" + percent(of.limiter2_share) + ")";
   if (of.limiter2 && of.limiter2_share >= ALIKE * of.limiter_share)
      parts.push("Nearly equal: " + second +
         "; making one of the two faster would not help alone.");
   else if (of.limiter2)
      parts.push("Next, if that were faster: " + second + ".");
   return parts;
}

export function why_work(run, w) {
   const parts = limiters(w);
   if (w.limiter === "shaders")
      parts.push(of_program(w), of_fragments(run, w));
   else if (w.limiter === "texture units")
      parts.push(of_program(w), of_textures(run, w));
   else if (MEMORY.includes(w.limiter))
      parts.push(largest_client(run, "work", w.index), of_textures(run, w));
   else if (w.kind === "draw")
      parts.push(counted(w.count, "vertex or index", "vertices or indices") + ".",
         of_fragments(run, w));
   if (w.cycles && w.exclusive_cycles < SHADOW * w.cycles)
      parts.push("Only " + number(w.exclusive_cycles) + " of the cycles are its own: in the " +
         "others, older work had not ended.");
   return parts.filter(Boolean).join(" ");
}

export function why_frame(run, frame) {
   const parts = limiters(frame);
   const work = run.work.filter((w) => w.frame === frame.frame);
   if (work.length) {
      const most = work.reduce((a, w) => (w.exclusive_cycles > a.exclusive_cycles ? w : a));
      parts.push("Its costliest piece of work is " +
         (most.kind === "draw" ? "draw " + most.draw : most.kind + " " + most.number) + " with " +
         percent(most.share) + " of its cycles.");
   }
   parts.push(largest_client(run, "frame", frame.index));
   return parts.filter(Boolean).join(" ");
}
