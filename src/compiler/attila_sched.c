/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Scheduling in basic blocks, before register allocation (with a limit of live components) or after
 * it. It fills the time until a result is readable with other instructions, and pairs instructions
 * that can issue together. A group is fetched once in `interval` cycles, since other groups have
 * their turns. A texture operation stops the group until the texels have arrived; by then all
 * earlier results have arrived, too. The caller decides whether the order is worth it
 * (attila_candidate_select.c). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "attila_ir.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "util/ralloc.h"

struct edge {
   uint32_t to, latency;
   int32_t next;
};

struct task {
   int32_t edges;  /* to instructions that wait for it */
   uint32_t preds; /* unissued instructions that it waits for */
   uint32_t path;  /* least cycles from its issue to the block's end */
};

/* Something that instructions read and write: a component, an array, an output. */
struct resource {
   uint32_t stamp;  /* block for which the rest is valid */
   int32_t writer;  /* the last one in the block, or -1 */
   int32_t readers; /* readers since then, as a list: index of one, or -1 */
   uint32_t uses;   /* unissued reads in the block */
   bool live;       /* its value is read later */
   bool live_out;
};

struct reader {
   uint32_t task;
   int32_t next;
};

struct scheduler {
   struct air *ir;
   struct air_cfg *cfg;
   const struct air_block *block;
   uint32_t stamp;
   unsigned start, count; /* the block's movable instructions */
   struct task *tasks;
   struct resource *resources;
   struct edge *edges;
   unsigned num_edges, max_edges;
   struct reader *readers;
   unsigned num_readers, max_readers;
   unsigned pressure;              /* live components */
   struct attila_isa_instr *order; /* issued ones */
   unsigned issued;
   const struct air_order *how;
   unsigned limit;   /* most live components */
   uint32_t *result; /* by register, then output: when it is readable */
   uint32_t time;    /* when the last fetch of the group executes */
   uint32_t next;    /* when its next fetch may execute */
   unsigned fetched; /* instructions in the last fetch; 0: no further one may join it */
   uint32_t *origin; /* [instruction] former index for the validator, or NULL */
};

/* Returns the cycles until a result is readable. Texels and constants are there when the group
 * continues. */
static unsigned
attila_sched_latency_of(const struct scheduler *s, const struct attila_isa_instr *in)
{
   return attila_isa_waits(in->op) ? 1 : s->ir->machine->latency[in->op] + 1u;
}

static bool
attila_sched_has_limit(const struct scheduler *s)
{
   return s->limit != UINT_MAX;
}

static bool
attila_sched_is_flow(const struct attila_isa_instr *in)
{
   switch (in->op) {
   case ATTILA_OP_IF:
   case ATTILA_OP_ELSE:
   case ATTILA_OP_ENDIF:
   case ATTILA_OP_LOOP:
   case ATTILA_OP_ENDLOOP:
   case ATTILA_OP_BRK:
   case ATTILA_OP_CONT:
   case ATTILA_OP_END:
   case ATTILA_OP_EMIT:
   case ATTILA_OP_CUT:
   case ATTILA_OP_BAR:
      return true;
   default:
      return false;
   }
}

/* Resources: components of virtual registers, of the address register, of outputs, then all outputs
 * together, and memory. The first component of the first register stands for an array. */
static unsigned
attila_sched_output_resource(const struct air *ir, unsigned index)
{
   return air_address_bit(ir) + 4 + index * 4;
}

static unsigned
attila_sched_num_resources(const struct air *ir)
{
   return attila_sched_output_resource(ir, ATTILA_ISA_MAX_OUTPUTS) + 2;
}

static unsigned
attila_sched_memory(const struct air *ir)
{
   return attila_sched_output_resource(ir, ATTILA_ISA_MAX_OUTPUTS) + 1;
}

struct accesses {
   uint32_t reads[21], writes[6];
   unsigned num_reads, num_writes;
};

static void
attila_sched_add_temp(const struct air *ir, uint32_t *list, unsigned *count, unsigned vreg,
                      uint8_t mask)
{
   if (ir->vregs[vreg].array) {
      list[(*count)++] = (ir->vregs[vreg].array - 1u) * 4;
      return;
   }
   for (unsigned k = 0; k < 4; k++) {
      if (mask & (1u << k))
         list[(*count)++] = vreg * 4 + k;
   }
}

static void
attila_sched_find_accesses(const struct air *ir, const struct attila_isa_instr *in,
                           struct accesses *a)
{
   a->num_reads = a->num_writes = 0;
   /* Memory instructions keep their order, and kills decide which lanes write. */
   if (attila_isa_ops[in->op].cls == ATTILA_CLASS_MEMORY)
      a->writes[a->num_writes++] = attila_sched_memory(ir);
   else if (in->op == ATTILA_OP_KIL || in->op == ATTILA_OP_KILC)
      a->reads[a->num_reads++] = attila_sched_memory(ir);
   for (unsigned s = 0; s < air_num_srcs(in); s++) {
      const struct attila_isa_src *src = &in->src[s];
      if (src->relative)
         a->reads[a->num_reads++] = air_address_bit(ir) + src->rel_comp;
      if (src->file == ATTILA_FILE_TEMP)
         attila_sched_add_temp(ir, a->reads, &a->num_reads, src->index,
                               air_components(src, air_channels(in, s)));
   }
   if (!attila_isa_ops[in->op].has_dst)
      return;
   if (in->dst.relative)
      a->reads[a->num_reads++] = air_address_bit(ir) + in->dst.rel_comp;
   if (in->dst.file == ATTILA_FILE_TEMP) {
      attila_sched_add_temp(ir, a->writes, &a->num_writes, in->dst.index, in->dst.write_mask);
   } else if (in->dst.file == ATTILA_FILE_OUTPUT) {
      unsigned all = attila_sched_output_resource(ir, ATTILA_ISA_MAX_OUTPUTS);
      if (in->dst.relative) {
         a->writes[a->num_writes++] = all;
         return;
      }
      a->reads[a->num_reads++] = all;
      for (unsigned k = 0; k < 4; k++) {
         if (in->dst.write_mask & (1u << k))
            a->writes[a->num_writes++] = attila_sched_output_resource(ir, in->dst.index) + k;
      }
   } else {
      for (unsigned k = 0; k < 4; k++) {
         if (in->dst.write_mask & (1u << k))
            a->writes[a->num_writes++] = air_address_bit(ir) + k;
      }
   }
}

static struct resource *
attila_sched_get_resource(struct scheduler *s, uint32_t index)
{
   struct resource *r = &s->resources[index];
   if (r->stamp != s->stamp) {
      bool tracked = index < s->ir->num_vregs * 4 && !s->ir->vregs[index / 4].array;
      *r = (struct resource){.stamp = s->stamp, .writer = -1, .readers = -1};
      tracked &= attila_sched_has_limit(s);
      r->live_out = tracked && BITSET_TEST(s->block->live_out, index);
      r->live = tracked && BITSET_TEST(s->block->live_in, index);
   }
   return r;
}

/* Returns whether a resource costs registers while it is live: only components of plain virtual
 * registers do. */
static bool
attila_sched_counts(const struct scheduler *s, uint32_t index)
{
   return index < s->ir->num_vregs * 4 && !s->ir->vregs[index / 4].array;
}

static void
attila_sched_add_edge(struct scheduler *s, uint32_t from, uint32_t to, unsigned latency)
{
   if (from == to)
      return;
   if (s->num_edges == s->max_edges) {
      s->max_edges = MAX2(256, s->max_edges * 2);
      s->edges = reralloc(s->cfg, s->edges, struct edge, s->max_edges);
   }
   s->edges[s->num_edges] = (struct edge){to, latency, s->tasks[from].edges};
   s->tasks[from].edges = s->num_edges++;
   s->tasks[to].preds++;
}

static void
attila_sched_add_reader(struct scheduler *s, struct resource *r, uint32_t task)
{
   if (s->num_readers == s->max_readers) {
      s->max_readers = MAX2(256, s->max_readers * 2);
      s->readers = reralloc(s->cfg, s->readers, struct reader, s->max_readers);
   }
   s->readers[s->num_readers] = (struct reader){task, r->readers};
   r->readers = s->num_readers++;
}

static void
attila_sched_build_graph(struct scheduler *s)
{
   struct accesses a;
   s->num_edges = s->num_readers = 0;
   for (unsigned t = 0; t < s->count; t++) {
      s->tasks[t] = (struct task){.edges = -1};
      attila_sched_find_accesses(s->ir, &s->ir->instrs[s->start + t], &a);
      for (unsigned i = 0; i < a.num_reads; i++) {
         struct resource *r = attila_sched_get_resource(s, a.reads[i]);
         if (r->writer >= 0)
            attila_sched_add_edge(s, r->writer, t,
                                  attila_sched_latency_of(s, &s->ir->instrs[s->start + r->writer]));
         attila_sched_add_reader(s, r, t);
         r->uses++;
      }
      for (unsigned i = 0; i < a.num_writes; i++) {
         struct resource *r = attila_sched_get_resource(s, a.writes[i]);
         if (r->writer >= 0)
            attila_sched_add_edge(s, r->writer, t, 1);
         for (int32_t n = r->readers; n >= 0; n = s->readers[n].next)
            attila_sched_add_edge(s, s->readers[n].task, t, 0);
         r->writer = t;
         r->readers = -1;
      }
   }
   for (unsigned t = s->count; t-- > 0;) {
      s->tasks[t].path = attila_sched_latency_of(s, &s->ir->instrs[s->start + t]);
      for (int32_t e = s->tasks[t].edges; e >= 0; e = s->edges[e].next)
         s->tasks[t].path =
             MAX2(s->tasks[t].path, s->edges[e].latency + s->tasks[s->edges[e].to].path);
   }
}

/* Returns by how many the live components change if the task issues now. commit: applies the
 * change. */
static int
attila_sched_pressure_change(struct scheduler *s, unsigned task, bool commit)
{
   struct accesses a;
   int change = 0;
   attila_sched_find_accesses(s->ir, &s->ir->instrs[s->start + task], &a);
   for (unsigned i = 0; i < a.num_reads; i++) {
      struct resource *r = attila_sched_get_resource(s, a.reads[i]);
      r->uses--;
   }
   for (unsigned i = 0; i < a.num_reads; i++) {
      struct resource *r = attila_sched_get_resource(s, a.reads[i]);
      bool again = false;
      for (unsigned k = 0; k < i; k++)
         again |= a.reads[k] == a.reads[i];
      if (attila_sched_counts(s, a.reads[i]) && !again && r->live && !r->uses && !r->live_out) {
         change--;
         if (commit)
            r->live = false;
      }
   }
   for (unsigned i = 0; i < a.num_writes; i++) {
      struct resource *r = attila_sched_get_resource(s, a.writes[i]);
      if (attila_sched_counts(s, a.writes[i]) && !r->live && (r->uses || r->live_out)) {
         change++;
         if (commit)
            r->live = true;
      }
   }
   if (!commit) {
      for (unsigned i = 0; i < a.num_reads; i++)
         attila_sched_get_resource(s, a.reads[i])->uses++;
   }
   return change;
}

/* --- Time --- */

/* Returns the time when a register is readable. Instructions wait for whole registers, not
 * components. */
static uint32_t *
attila_sched_result_of(struct scheduler *s, unsigned file, unsigned index)
{
   unsigned vreg = index;
   if (file == ATTILA_FILE_TEMP && s->ir->vregs[index].array)
      vreg = s->ir->vregs[index].array - 1u;
   return file == ATTILA_FILE_TEMP     ? &s->result[vreg]
          : file == ATTILA_FILE_OUTPUT ? &s->result[s->ir->num_vregs + 1 + index]
                                       : &s->result[s->ir->num_vregs];
}

/* Returns the first cycle in which decode accepts an instruction. */
static uint32_t
attila_sched_earliest(struct scheduler *s, const struct attila_isa_instr *in)
{
   uint32_t cycle = 0, latency = attila_sched_latency_of(s, in);
   for (unsigned i = 0; i < air_num_srcs(in); i++) {
      if (in->src[i].file == ATTILA_FILE_TEMP)
         cycle = MAX2(cycle, *attila_sched_result_of(s, ATTILA_FILE_TEMP, in->src[i].index));
      if (in->src[i].relative)
         cycle = MAX2(cycle, *attila_sched_result_of(s, ATTILA_FILE_ADDRESS, 0));
   }
   if (!attila_isa_ops[in->op].has_dst)
      return cycle;
   if (in->dst.relative)
      cycle = MAX2(cycle, *attila_sched_result_of(s, ATTILA_FILE_ADDRESS, 0));
   /* A result must not arrive before the previous result of the same register. */
   uint32_t before = *attila_sched_result_of(s, in->dst.file, in->dst.index);
   return before >= latency ? MAX2(cycle, before - latency + 1) : cycle;
}

static bool
attila_sched_may_join(const struct scheduler *s, const struct attila_isa_instr *in)
{
   const struct attila_shader_machine *m = s->ir->machine;
   return s->fetched && (m->alu != ATTILA_ALU_SIMD_SCALAR || s->fetched == 1) &&
          s->fetched < m->ways && attila_isa_pairs(m, &s->order[s->issued - 1], in);
}

/* Returns when the instruction executes if it issues next; it joins the last fetch if possible. */
static uint32_t
attila_sched_execution(struct scheduler *s, const struct attila_isa_instr *in)
{
   uint32_t ready = attila_sched_earliest(s, in);
   if (ready <= s->time && attila_sched_may_join(s, in))
      return s->time;
   if (ready <= s->next)
      return s->next;
   return s->next + DIV_ROUND_UP(ready - s->next, s->how->interval) * s->how->interval;
}

static void
attila_sched_execute(struct scheduler *s, const struct attila_isa_instr *in, uint32_t time)
{
   const struct attila_shader_machine *m = s->ir->machine;
   const bool waits = attila_isa_waits(in->op);
   const unsigned cls = attila_isa_ops[in->op].cls;
   const uint32_t wait = cls == ATTILA_CLASS_LOAD     ? m->load_latency
                         : cls == ATTILA_CLASS_MEMORY ? m->memory_latency
                                                      : m->texture_latency;
   uint32_t busy = m->vector * m->repeat[in->op];
   s->fetched = waits ? 0 : s->fetched && time == s->time ? s->fetched + 1 : 1;
   s->time = time;
   if (attila_isa_ops[in->op].has_dst)
      *attila_sched_result_of(s, in->dst.file, in->dst.index) =
          time + attila_sched_latency_of(s, in);
   uint32_t next = time + s->how->interval + (busy > m->fetch_gap ? busy - m->fetch_gap : 0);
   s->next = MAX2(s->next, waits ? time + MAX2(wait, s->how->interval) : next);
}

/* --- Choice --- */

static uint32_t
attila_sched_busy_of(const struct scheduler *s, const struct attila_isa_instr *in)
{
   return s->ir->machine->vector * s->ir->machine->repeat[in->op];
}

static bool
attila_sched_is_long_scalar(const struct scheduler *s, const struct attila_isa_instr *in)
{
   return attila_sched_busy_of(s, in) > s->ir->machine->fetch_gap && attila_isa_is_scalar(in);
}

/* How many instructions of each kind could issue now, on machines that pair SIMD and scalar
 * instructions. */
struct kinds {
   bool pair;
   unsigned scalars, long_scalars;
};

static struct kinds
attila_sched_count_kinds(const struct scheduler *s, const uint32_t *ready, unsigned num_ready)
{
   const struct attila_shader_machine *m = s->ir->machine;
   struct kinds k = {.pair = m->ways > 1 && m->alu == ATTILA_ALU_SIMD_SCALAR};
   for (unsigned i = 0; k.pair && i < num_ready; i++) {
      const struct attila_isa_instr *in = &s->ir->instrs[s->start + ready[i]];
      k.scalars += attila_isa_is_scalar(in);
      k.long_scalars += attila_sched_is_long_scalar(s, in);
   }
   return k;
}

/* Returns how well an instruction uses the ALUs; more is better. If it joins the last fetch, this
 * is the number of cycles in which both ALUs work. If not, a long scalar instruction is preferred
 * when another one can pair with it; else a SIMD instruction when a scalar one can join it, since
 * two scalar instructions would leave it without a partner. */
static uint32_t
attila_sched_use_of_alus(const struct scheduler *s, const struct kinds *k,
                         const struct attila_isa_instr *in, bool joins)
{
   if (!k->pair)
      return 0;
   if (joins)
      return MIN2(attila_sched_busy_of(s, in), attila_sched_busy_of(s, &s->order[s->issued - 1]));
   if (k->long_scalars > 1 && s->ir->machine->two_scalars)
      return attila_sched_is_long_scalar(s, in);
   return k->scalars && !attila_isa_is_scalar(in);
}

struct choice {
   int change;
   bool fits, held;
   uint32_t time, use, path, task;
};

static bool
attila_sched_is_better(const struct choice *t, const struct choice *b)
{
   if (t->fits != b->fits)
      return t->fits;
   if (!t->fits && t->change != b->change)
      return t->change < b->change;
   if (t->held != b->held)
      return b->held;
   if (t->time != b->time)
      return t->time < b->time;
   if (t->use != b->use)
      return t->use > b->use;
   if (t->path != b->path)
      return t->path > b->path;
   return t->task < b->task;
}

/* Returns the best task without unissued predecessors, and when it executes. */
static unsigned
attila_sched_pick(struct scheduler *s, const uint32_t *ready, unsigned num_ready, uint32_t *when)
{
   struct choice b = {0};
   unsigned best = 0;
   struct kinds kinds = attila_sched_count_kinds(s, ready, num_ready);
   for (unsigned i = 0; i < num_ready; i++) {
      const struct attila_isa_instr *in = &s->ir->instrs[s->start + ready[i]];
      struct choice t = {.task = ready[i], .path = s->tasks[ready[i]].path};
      t.change = attila_sched_has_limit(s) ? attila_sched_pressure_change(s, ready[i], false) : 0;
      t.fits = t.change <= 0 || s->pressure + t.change <= s->limit;
      t.time = attila_sched_execution(s, in);
      bool joins = s->fetched && t.time == s->time;
      t.use = attila_sched_use_of_alus(s, &kinds, in, joins);
      t.held = s->how->hold && attila_sched_is_long_scalar(s, in) &&
               (joins ? !attila_sched_is_long_scalar(s, &s->order[s->issued - 1])
                      : kinds.long_scalars < 2);
      if (i == 0 || attila_sched_is_better(&t, &b)) {
         best = i;
         b = t;
      }
   }
   *when = b.time;
   return best;
}

static void
attila_sched_schedule_block(struct scheduler *s)
{
   uint32_t *ready = ralloc_array(s->cfg, uint32_t, s->count + 1);
   unsigned num_ready = 0, bit;
   attila_sched_build_graph(s);
   s->pressure = 0;
   if (attila_sched_has_limit(s)) {
      BITSET_FOREACH_SET(bit, s->block->live_in, s->ir->num_vregs * 4)
      s->pressure += !s->ir->vregs[bit / 4].array;
   }
   memset(s->result, 0, (s->ir->num_vregs + 1 + ATTILA_ISA_MAX_OUTPUTS) * sizeof(*s->result));
   s->time = s->next = s->fetched = s->issued = 0;
   for (unsigned t = 0; t < s->count; t++) {
      if (!s->tasks[t].preds)
         ready[num_ready++] = t;
   }
   while (num_ready) {
      uint32_t when;
      unsigned i = attila_sched_pick(s, ready, num_ready, &when);
      uint32_t t = ready[i];
      ready[i] = ready[--num_ready];
      s->pressure += attila_sched_has_limit(s) ? attila_sched_pressure_change(s, t, true) : 0;
      if (s->origin)
         s->origin[s->start + s->issued] = s->start + t;
      s->order[s->issued++] = s->ir->instrs[s->start + t];
      attila_sched_execute(s, &s->ir->instrs[s->start + t], when);
      for (int32_t e = s->tasks[t].edges; e >= 0; e = s->edges[e].next) {
         if (--s->tasks[s->edges[e].to].preds == 0)
            ready[num_ready++] = s->edges[e].to;
      }
   }
   ralloc_free(ready);
   memcpy(&s->ir->instrs[s->start], s->order, s->count * sizeof(*s->order));
}

/* Returns the largest number of components that are live at once. */
static unsigned
attila_sched_max_pressure(const struct air *ir, const struct air_cfg *cfg)
{
   BITSET_WORD *live = rzalloc_array(NULL, BITSET_WORD, cfg->words);
   unsigned bits = ir->num_vregs * 4, most = 0;
   for (unsigned b = 0; b < cfg->num_blocks; b++) {
      memcpy(live, cfg->blocks[b].live_out, cfg->words * sizeof(*live));
      for (unsigned i = cfg->blocks[b].end; i-- > cfg->blocks[b].start;) {
         unsigned count = 0, bit;
         air_live_step(ir, &ir->instrs[i], live);
         BITSET_FOREACH_SET(bit, live, bits)
         count += !ir->vregs[bit / 4].array;
         most = MAX2(most, count);
      }
   }
   ralloc_free(live);
   return most;
}

void
air_schedule(struct air *ir, const struct air_order *how)
{
   bool limited = how->percent != 0;
   struct air_cfg *cfg = air_build_cfg(ir, limited);
   struct scheduler s = {.ir = ir, .cfg = cfg, .how = how};
   struct attila_isa_instr *before = NULL;
   s.limit = limited ? attila_sched_max_pressure(ir, cfg) * how->percent / 100 : UINT_MAX;
   s.tasks = ralloc_array(cfg, struct task, ir->num_instrs + 1);
   s.resources = rzalloc_array(cfg, struct resource, attila_sched_num_resources(ir));
   s.order = ralloc_array(cfg, struct attila_isa_instr, ir->num_instrs + 1);
   s.result = ralloc_array(cfg, uint32_t, ir->num_vregs + 1 + ATTILA_ISA_MAX_OUTPUTS);
   if (ir->validate) {
      before = ralloc_memdup(cfg, ir->instrs, ir->num_instrs * sizeof(*before));
      s.origin = ralloc_array(cfg, uint32_t, ir->num_instrs + 1);
      for (unsigned i = 0; i < ir->num_instrs; i++)
         s.origin[i] = i;
   }
   for (unsigned b = 0; b < cfg->num_blocks; b++) {
      s.block = &cfg->blocks[b];
      s.stamp = b + 1;
      s.start = s.block->start;
      unsigned end = s.block->end;
      while (s.start < end && attila_sched_is_flow(&ir->instrs[s.start]))
         s.start++;
      while (end > s.start && attila_sched_is_flow(&ir->instrs[end - 1]))
         end--;
      s.count = end - s.start;
      /* The branch's condition is read after the block. */
      for (unsigned i = end; i < s.block->end; i++) {
         struct accesses a;
         attila_sched_find_accesses(ir, &ir->instrs[i], &a);
         for (unsigned k = 0; k < a.num_reads; k++)
            attila_sched_get_resource(&s, a.reads[k])->live_out = true;
      }
      if (s.count > 1)
         attila_sched_schedule_block(&s);
   }
   if (ir->validate)
      air_validate_order(ir, cfg, before, s.origin);
   ralloc_free(cfg);
}

void
air_schedule_allocated(struct air *ir, const struct air_order *how)
{
   struct air real = *ir;
   real.vregs = ir->temps;
   real.num_vregs = ir->num_temps;
   air_schedule(&real, how);
   ir->error = real.error;
   ir->broken = real.broken;
}
