// The data that attila/report/html.py put into the page, and a run's rows by name. Not here:
// anything that is shown.

export async function read_data(element) {
   const text = atob(element.textContent.trim()), packed = new Uint8Array(text.length);
   for (let i = 0; i < text.length; i++)
      packed[i] = text.charCodeAt(i);
   element.remove(); // megabytes that nobody needs again
   const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
   return JSON.parse(await new Response(stream).text());
}

function objects(table) {
   return table.rows.map((row) => {
      const o = {};
      table.columns.forEach((name, i) => { o[name] = row[i]; });
      return o;
   });
}

// What happens while a program loads: uploads of buffers and textures, and of programs.
const LOADING = ["upload", "program"];
const STEADY_SHARE = 0.05;

export class Run {
   // read(name): what is read when a page shows it. counters: of this run's work, [row of
   // work][counter, value, ...]. states: {items: [[item, part, number, name], ...], states:
   // [[pipeline, item, value, ...], ...]}, each state as what it changes; null: the record has
   // none. meshes: by work (attila/report/meshes.py). histories: by frame (history.py)
   constructor(data, read) {
      this.read = read;
      this.name = data.name;
      this.run = data.run;
      this.pictures = data.pictures;
      this.reference = data.reference; // attila/report/reference.py; null: none
      this.area = data.area; // attila/report/area.py; with a note: none
      this.frames = objects(data.frames);
      this.work = objects(data.work);
      this.intervals = objects(data.intervals);
      this.boxes = objects(data.boxes);
      this.counters = objects(data.counters);
      this.configuration = objects(data.configuration);
      this.kinds = new Map(data.kinds.rows);
      this.programs = new Map(objects(data.programs).map((p) => [p.program, p]));
      this.made = data.made; // pictures from a capture (attila/report/pictures.py); null: none
      this.costs = new Map(); // by program: its instructions in order
      for (const i of data.instructions ? objects(data.instructions) : []) {
         if (!this.costs.has(i.program))
            this.costs.set(i.program, []);
         this.costs.get(i.program).push(i);
      }
      this.passes = data.passes ? objects(data.passes) : []; // of a tile-based machine
      const pass_at = new Map();
      this.passes.forEach((p, i) => {
         Object.assign(p, { index: i, cycles: p.end_cycle - p.start_cycle, bins: [], runs: [] });
         pass_at.set(p.frame + "/" + p.pass, p);
      });
      for (const d of data.pass_draws ? objects(data.pass_draws) : [])
         pass_at.get(d.frame + "/" + d.pass).runs.push(d);
      for (const b of data.pass_bins ? objects(data.pass_bins) : [])
         pass_at.get(b.frame + "/" + b.pass).bins.push(b);
      this.channels = data.channels ? objects(data.channels) : null;
      this.of = { frame: data.of_frame, work: data.of_work, interval: data.of_interval };
      this.bindings = new Map();
      for (const b of objects(data.bindings)) {
         if (!this.bindings.has(b.bindings))
            this.bindings.set(b.bindings, []);
         this.bindings.get(b.bindings).push(b);
      }
      this.counter_at = new Map(this.counters.map((c) => [c.counter, c]));
      this.unit_class = new Map(this.boxes.map((b) => [b.unit, b]));
      this.frames.forEach((f, i) => { f.index = i; });
      this.frame_at = new Map(this.frames.map((f) => [f.frame, f]));
      this.work.forEach((w, i) => this.finish(w, i));
      this.work_at = new Map(this.work.map((w) => [w.work, w]));
   }

   // What the table of draws shows of a row beside its columns.
   finish(w, index) {
      const frame = this.frame_at.get(w.frame);
      w.index = index;
      w.share = frame && frame.cycles ? w.exclusive_cycles / frame.cycles : null;
      const program = w.fragment_program ?? w.compute_program ?? null;
      w.program = program === null ? null : this.programs.get(program);
      w.program_name = w.program ? w.program.name : null;
      w.instructions = w.program ? w.program.instructions : null;
      const clients = this.clients("work", index);
      w.bytes = clients ? clients.reduce((n, c) => n + (c.read || 0) + (c.written || 0), 0) : null;
      const fragments = this.fragments("work", index);
      w.fragments = fragments ? fragments.passed || fragments.colour_input : null;
      const overdraw = this.overdraw("work", index);
      w.overdraw = overdraw && overdraw.length ? overdraw[0].overdraw : null;
   }

   // The rows of a view for one frame, piece of work or interval; null if the record has none.
   named(kind, view, index) {
      const of = this.of[kind][view];
      if (!of)
         return null;
      const row = of.rows[index], n = of.columns.length;
      return of.names.map((name, i) => {
         const o = { name };
         of.columns.forEach((column, c) => { o[column] = row[i * n + c] ?? null; });
         return o;
      });
   }

   units(kind, index) { return this.named(kind, "units", index); }

   clients(kind, index) {
      const rows = this.named(kind, "bytes", index);
      return rows && rows.map((r) => ({ name: r.name, read: r.read_bytes,
         written: r.written_bytes }));
   }

   // Femtojoules by unit; null if the record has no energies.
   energy(kind, index) { return this.named(kind, "energy", index); }

   caches(kind, index) { return this.named(kind, "caches", index); }

   // The row of a view that has one for each; null if the record has none.
   row_of(kind, view, index) {
      const of = this.of[kind][view];
      if (!of || !of.rows[index])
         return null;
      return Object.fromEntries(of.columns.map((name, i) => [name, of.rows[index][i]]));
   }

   // Thread groups of a shader on average, and what holds others back; null: not recorded.
   occupancy(kind, index) { return this.row_of(kind, "occupancy", index); }

   // What became of fragments; null: not recorded.
   fragments(kind, index) { return this.row_of(kind, "fragments", index); }

   // A draw's overdraw, or that of each surface of a frame; null if the record has none.
   overdraw(kind, index) {
      const of = this.of[kind].overdraw;
      return of && objects({ columns: of.columns, rows: of.rows[index] });
   }

   // Counters of work are most of the data: they are read when somebody asks for them first.
   async load() {
      this.of.work.counters = await this.read("counters");
   }

   // The states of draws, their meshes and the histories of pixels, likewise.
   async load_states() { this.states ??= await this.read("states"); }

   async load_meshes() { this.meshes ??= await this.read("meshes"); }

   async load_histories() { this.histories ??= await this.read("histories"); }

   draw_before(w) {
      let i = w.index - 1;
      while (i >= 0 && this.work[i].pipeline === null)
         i--;
      return this.work[i];
   }

   // Values by item of a state, after load_states().
   values_at(pipeline) {
      const values = new Map();
      for (const [number, ...changes] of this.states.states) {
         if (number > pipeline)
            break;
         for (let i = 0; i < changes.length; i += 2)
            values.set(changes[i], changes[i + 1]);
      }
      return values;
   }

   // The state of a draw and of the draw before, after load_states(): [{part, number, name, type,
   // value, before, changed}] of what one of them has; null: not recorded. type: of a uniform.
   state(w) {
      if (!this.states || w.pipeline === null)
         return null;
      const now = this.values_at(w.pipeline), earlier = this.draw_before(w);
      const then = earlier ? this.values_at(earlier.pipeline) : now;
      const programs = [null, w.vertex_program, w.geometry_program, w.fragment_program,
         w.compute_program];
      return this.states.items.filter((i) => programs.includes(i[5])).map(
         ([item, part, number, name, type]) => {
            const value = now.get(item) ?? null, before = then.get(item) ?? null;
            return { part, number, name, type, value, before, changed: value !== before };
         }).filter((i) => i.value !== null || i.before !== null);
   }

   // [counter, value] of what is not 0, after load(); null if the record has no counters
   counts(kind, index) {
      const of = this.of[kind].counters;
      if (!of)
         return null;
      const result = [];
      for (let i = 0; i < of[index].length; i += 2)
         result.push([this.counter_at.get(of[index][i]), of[index][i + 1]]);
      return result;
   }

   // Frames in which uploads have at most 5 % of the cycles, as in a program that has loaded.
   steady() {
      const loading = new Map();
      for (const w of this.work.filter((o) => LOADING.includes(o.kind)))
         loading.set(w.frame, (loading.get(w.frame) || 0) + w.exclusive_cycles);
      return this.frames.filter((f) => (loading.get(f.frame) || 0) <= STEADY_SHARE * f.cycles);
   }

   total(column) { return this.frames.reduce((n, f) => n + f[column], 0); }
}

export function label_of(w) {
   const what = w.kind === "draw" ? "draw " + w.draw : w.kind + " " + w.number;
   return "frame " + w.frame + ", " + what + (w.label ? " (" + w.label + ")" : "");
}
