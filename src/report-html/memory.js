// Memory: bytes by client and by channel, in each frame or in all, and the largest users.
import { el, section, table, number, percent, bytes, bar, lacking, size_of, LACKING }
   from "./dom.js";
import { label_of } from "./data.js";

const LARGEST = 15;

function by_frame(run) {
   const first = run.frames.length ? run.clients("frame", 0) : null;
   if (!first)
      return lacking("This record does not have bytes by client.");
   const names = first.map((c) => c.name);
   const rows = run.frames.map((f) => {
      const clients = run.clients("frame", f.index);
      const total = clients.reduce((n, c) => n + c.read + c.written, 0);
      return [el("a", { href: "#frame/" + f.frame }, String(f.frame)),
         ...clients.map((c) => bytes(c.read + c.written)), bytes(total),
         f.cycles ? (total / f.cycles).toFixed(1) : LACKING];
   });
   return table([["frame"], ...names.map((n) => [n, true]), ["all", true],
      ["bytes per cycle", true]], rows, { class: "sums-right" });
}

function by_channel(run) {
   if (!run.channels || !run.channels.length)
      return lacking("This record does not have its channels' counters.");
   const sums = new Map();
   for (const c of run.channels) {
      const s = sums.get(c.channel) || { read: 0, written: 0, data: 0, hits: 0, misses: 0 };
      sums.set(c.channel, { read: s.read + c.read_bytes, written: s.written + c.written_bytes,
         data: s.data + c.data_cycles, hits: s.hits + c.row_hits,
         misses: s.misses + c.row_misses });
   }
   const cycles = run.total("memory_cycles");
   return table([["channel"], ["read", true], ["written", true], ["data pins in use", true], [""],
      ["row hits", true], ["row misses", true], ["hit rate", true]], [...sums].map(([name, s]) =>
      [name, bytes(s.read), bytes(s.written), percent(s.data / cycles),
         bar([[s.data / cycles, "busy", "data pins in use"]]), number(s.hits), number(s.misses),
         s.hits + s.misses ? percent(s.hits / (s.hits + s.misses)) : LACKING]),
   { class: "bars" });
}

function largest(run) {
   const rows = run.work.filter((w) => w.bytes).sort((a, b) => b.bytes - a.bytes)
      .slice(0, LARGEST);
   if (!rows.length)
      return lacking("This record does not have bytes of single draws.");
   return table([["work"], ["bytes", true], ["per own cycle", true]], rows.map((w) =>
      [el("a", { href: "#work/" + w.work }, label_of(w)), bytes(w.bytes),
         w.exclusive_cycles ? (w.bytes / w.exclusive_cycles).toFixed(1) : LACKING]));
}

// Surfaces by the draws that use them: what is worth making smaller.
function surfaces(run) {
   const seen = new Map();
   for (const w of run.work) {
      const used = new Set(); // a draw may have one in several slots
      for (const b of run.bindings.get(w.bindings) || []) {
         const key = [b.address, b.format, b.width, b.height].join(" ");
         const s = seen.get(key) || { ...b, slots: new Set(), draws: 0, cycles: 0 };
         s.slots.add(b.slot.replace(/\d+$/, ""));
         seen.set(key, s);
         used.add(s);
      }
      for (const s of used) {
         s.draws++;
         s.cycles += w.exclusive_cycles;
      }
   }
   if (!seen.size)
      return lacking("No draw of this record names a surface.");
   const rows = [...seen.values()].sort((a, b) => b.cycles - a.cycles);
   return table([["address"], ["size"], ["format"], ["used as"], ["label"], ["draws", true],
      ["own cycles of these draws", true]], rows.map((s) => ["0x" + s.address.toString(16),
      size_of(s), s.format,
      [...s.slots].join(", "), s.label || "", number(s.draws), number(s.cycles)]));
}

export function memory_page(context) {
   const { run } = context;
   return el("article", null, el("h1", null, "Memory"),
      section("Bytes over the bus, by client", by_frame(run)),
      section("Channels, all frames", by_channel(run)),
      el("div", { class: "columns" },
         section("Work that moved most", largest(run)),
         section("Surfaces", surfaces(run))));
}
