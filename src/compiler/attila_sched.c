/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Scheduling inside basic blocks: fills the time until a result may be read with other work and
 * issues texture operations early, within a number of live components. Whether the new order is
 * worth it is the caller's decision (air_estimate_cycles and the registers that allocation then
 * needs).
 */
#include <stdlib.h>
#include <string.h>
#include "attila_ir.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "util/ralloc.h"

/* A texture operation waits for memory; what it takes varies, and this is what the estimate uses.
 */
#define TEXTURE_LATENCY 40

struct edge {
   uint32_t to, latency;
   int32_t next;
};

struct task {
   int32_t edges;  /* to instructions that wait for this one */
   uint32_t preds; /* instructions not issued yet that this one waits for */
   uint32_t ready; /* cycle at which its operands may be read */
   uint32_t path;  /* cycles from its issue to the end of the block at least */
   bool issued;
};

/* Something that is read and written: a component, an array, an output. */
struct resource {
   uint32_t stamp;  /* block that the rest belongs to */
   int32_t writer;  /* last one, -1: none in the block */
   int32_t readers; /* since then, index of a reader, -1: none */
   uint32_t uses;   /* reads in the block that were not issued yet */
   bool live;       /* holds a value that is read later */
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
   unsigned start, count; /* instructions of the block that may move */
   struct task *tasks;
   struct resource *resources;
   struct edge *edges;
   unsigned num_edges, max_edges;
   struct reader *readers;
   unsigned num_readers, max_readers;
   unsigned pressure; /* live components */
};

static unsigned
latency_of(const struct attila_isa_instr *in)
{
   return attila_isa_ops[in->op].cls == ATTILA_CLASS_TEXTURE ? TEXTURE_LATENCY
                                                             : attila_isa_ops[in->op].latency;
}

static bool
is_flow(const struct attila_isa_instr *in)
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
      return true;
   default:
      return false;
   }
}

/* Resources: components of virtual registers, of the address register, of outputs, then all outputs
 * at once. An array is the first component of its first register. */
static unsigned
output_resource(const struct air *ir, unsigned index)
{
   return air_address_bit(ir) + 4 + index * 4;
}

static unsigned
num_resources(const struct air *ir)
{
   return output_resource(ir, ATTILA_ISA_MAX_OUTPUTS) + 1;
}

struct accesses {
   uint32_t reads[20], writes[5];
   unsigned num_reads, num_writes;
};

static void
add_temp(const struct air *ir, uint32_t *list, unsigned *count, unsigned vreg, uint8_t mask)
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
find_accesses(const struct air *ir, const struct attila_isa_instr *in, struct accesses *a)
{
   a->num_reads = a->num_writes = 0;
   for (unsigned s = 0; s < air_num_srcs(in); s++) {
      const struct attila_isa_src *src = &in->src[s];
      if (src->relative)
         a->reads[a->num_reads++] = air_address_bit(ir) + src->rel_comp;
      if (src->file == ATTILA_FILE_TEMP)
         add_temp(ir, a->reads, &a->num_reads, src->index,
                  air_components(src, air_channels(in, s)));
   }
   if (!attila_isa_ops[in->op].has_dst)
      return;
   if (in->dst.relative)
      a->reads[a->num_reads++] = air_address_bit(ir) + in->dst.rel_comp;
   if (in->dst.file == ATTILA_FILE_TEMP) {
      add_temp(ir, a->writes, &a->num_writes, in->dst.index, in->dst.write_mask);
   } else if (in->dst.file == ATTILA_FILE_OUTPUT) {
      unsigned all = output_resource(ir, ATTILA_ISA_MAX_OUTPUTS);
      if (in->dst.relative) {
         a->writes[a->num_writes++] = all;
         return;
      }
      a->reads[a->num_reads++] = all;
      for (unsigned k = 0; k < 4; k++) {
         if (in->dst.write_mask & (1u << k))
            a->writes[a->num_writes++] = output_resource(ir, in->dst.index) + k;
      }
   } else {
      for (unsigned k = 0; k < 4; k++) {
         if (in->dst.write_mask & (1u << k))
            a->writes[a->num_writes++] = air_address_bit(ir) + k;
      }
   }
}

static struct resource *
get_resource(struct scheduler *s, uint32_t index)
{
   struct resource *r = &s->resources[index];
   if (r->stamp != s->stamp) {
      bool tracked = index < s->ir->num_vregs * 4 && !s->ir->vregs[index / 4].array;
      *r = (struct resource){.stamp = s->stamp, .writer = -1, .readers = -1};
      r->live_out = tracked && BITSET_TEST(s->block->live_out, index);
      r->live = tracked && BITSET_TEST(s->block->live_in, index);
   }
   return r;
}

/* Only components of plain virtual registers cost registers by being live. */
static bool
counts(const struct scheduler *s, uint32_t index)
{
   return index < s->ir->num_vregs * 4 && !s->ir->vregs[index / 4].array;
}

static void
add_edge(struct scheduler *s, uint32_t from, uint32_t to, unsigned latency)
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
add_reader(struct scheduler *s, struct resource *r, uint32_t task)
{
   if (s->num_readers == s->max_readers) {
      s->max_readers = MAX2(256, s->max_readers * 2);
      s->readers = reralloc(s->cfg, s->readers, struct reader, s->max_readers);
   }
   s->readers[s->num_readers] = (struct reader){task, r->readers};
   r->readers = s->num_readers++;
}

static void
build_graph(struct scheduler *s)
{
   struct accesses a;
   s->num_edges = s->num_readers = 0;
   for (unsigned t = 0; t < s->count; t++) {
      s->tasks[t] = (struct task){.edges = -1};
      find_accesses(s->ir, &s->ir->instrs[s->start + t], &a);
      for (unsigned i = 0; i < a.num_reads; i++) {
         struct resource *r = get_resource(s, a.reads[i]);
         if (r->writer >= 0)
            add_edge(s, r->writer, t, latency_of(&s->ir->instrs[s->start + r->writer]));
         add_reader(s, r, t);
         r->uses++;
      }
      for (unsigned i = 0; i < a.num_writes; i++) {
         struct resource *r = get_resource(s, a.writes[i]);
         if (r->writer >= 0)
            add_edge(s, r->writer, t, 1);
         for (int32_t n = r->readers; n >= 0; n = s->readers[n].next)
            add_edge(s, s->readers[n].task, t, 1);
         r->writer = t;
         r->readers = -1;
      }
   }
   for (unsigned t = s->count; t-- > 0;) {
      s->tasks[t].path = latency_of(&s->ir->instrs[s->start + t]);
      for (int32_t e = s->tasks[t].edges; e >= 0; e = s->edges[e].next)
         s->tasks[t].path =
             MAX2(s->tasks[t].path, s->edges[e].latency + s->tasks[s->edges[e].to].path);
   }
}

/* Change of live components when the task is issued now. With commit, makes the change. */
static int
pressure_change(struct scheduler *s, unsigned task, bool commit)
{
   struct accesses a;
   int change = 0;
   find_accesses(s->ir, &s->ir->instrs[s->start + task], &a);
   for (unsigned i = 0; i < a.num_reads; i++) {
      struct resource *r = get_resource(s, a.reads[i]);
      r->uses--;
   }
   for (unsigned i = 0; i < a.num_reads; i++) {
      struct resource *r = get_resource(s, a.reads[i]);
      bool again = false;
      for (unsigned k = 0; k < i; k++)
         again |= a.reads[k] == a.reads[i];
      if (counts(s, a.reads[i]) && !again && r->live && !r->uses && !r->live_out) {
         change--;
         if (commit)
            r->live = false;
      }
   }
   for (unsigned i = 0; i < a.num_writes; i++) {
      struct resource *r = get_resource(s, a.writes[i]);
      if (counts(s, a.writes[i]) && !r->live && (r->uses || r->live_out)) {
         change++;
         if (commit)
            r->live = true;
      }
   }
   if (!commit) {
      for (unsigned i = 0; i < a.num_reads; i++)
         get_resource(s, a.reads[i])->uses++;
   }
   return change;
}

/* The best task whose predecessors were all issued. */
static unsigned
pick(struct scheduler *s, const uint32_t *ready, unsigned num_ready, uint32_t cycle, unsigned limit)
{
   unsigned best = 0;
   int best_change = 0;
   bool best_fits = false;
   for (unsigned i = 0; i < num_ready; i++) {
      const struct task *t = &s->tasks[ready[i]], *b = &s->tasks[ready[best]];
      int change = pressure_change(s, ready[i], false);
      bool fits = change <= 0 || s->pressure + change <= limit;
      uint32_t wait = MAX2(t->ready, cycle), best_wait = MAX2(b->ready, cycle);
      bool better;
      if (i == 0)
         better = true;
      else if (fits != best_fits)
         better = fits;
      else if (!fits && change != best_change)
         better = change < best_change;
      else if (wait != best_wait)
         better = wait < best_wait;
      else if (t->path != b->path)
         better = t->path > b->path;
      else
         better = ready[i] < ready[best];
      if (better) {
         best = i;
         best_change = change;
         best_fits = fits;
      }
   }
   return best;
}

static void
schedule_block(struct scheduler *s, unsigned limit, struct attila_isa_instr *order)
{
   uint32_t *ready = ralloc_array(s->cfg, uint32_t, s->count + 1);
   unsigned num_ready = 0, issued = 0, bit;
   uint32_t cycle = 0;
   build_graph(s);
   s->pressure = 0;
   BITSET_FOREACH_SET(bit, s->block->live_in, s->ir->num_vregs * 4)
   s->pressure += !s->ir->vregs[bit / 4].array;
   for (unsigned t = 0; t < s->count; t++) {
      if (!s->tasks[t].preds)
         ready[num_ready++] = t;
   }
   while (num_ready) {
      unsigned i = pick(s, ready, num_ready, cycle, limit);
      uint32_t t = ready[i];
      ready[i] = ready[--num_ready];
      s->pressure += pressure_change(s, t, true);
      cycle = MAX2(cycle, s->tasks[t].ready);
      order[issued++] = s->ir->instrs[s->start + t];
      for (int32_t e = s->tasks[t].edges; e >= 0; e = s->edges[e].next) {
         struct task *to = &s->tasks[s->edges[e].to];
         to->ready = MAX2(to->ready, cycle + s->edges[e].latency);
         if (--to->preds == 0)
            ready[num_ready++] = s->edges[e].to;
      }
      cycle++;
   }
   ralloc_free(ready);
   memcpy(&s->ir->instrs[s->start], order, s->count * sizeof(*order));
}

/* Components that are live at once at most. */
static unsigned
max_pressure(const struct air *ir, const struct air_cfg *cfg)
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
air_schedule(struct air *ir, unsigned percent)
{
   struct air_cfg *cfg = air_build_cfg(ir, true);
   struct scheduler s = {.ir = ir, .cfg = cfg};
   unsigned limit = max_pressure(ir, cfg) * percent / 100;
   s.tasks = ralloc_array(cfg, struct task, ir->num_instrs + 1);
   s.resources = rzalloc_array(cfg, struct resource, num_resources(ir));
   struct attila_isa_instr *order = ralloc_array(cfg, struct attila_isa_instr, ir->num_instrs + 1);
   for (unsigned b = 0; b < cfg->num_blocks; b++) {
      s.block = &cfg->blocks[b];
      s.stamp = b + 1;
      s.start = s.block->start;
      unsigned end = s.block->end;
      while (s.start < end && is_flow(&ir->instrs[s.start]))
         s.start++;
      while (end > s.start && is_flow(&ir->instrs[end - 1]))
         end--;
      s.count = end - s.start;
      /* The condition of the branch behind is read after the block. */
      for (unsigned i = end; i < s.block->end; i++) {
         struct accesses a;
         find_accesses(ir, &ir->instrs[i], &a);
         for (unsigned k = 0; k < a.num_reads; k++)
            get_resource(&s, a.reads[k])->live_out = true;
      }
      if (s.count > 1)
         schedule_block(&s, limit, order);
   }
   ralloc_free(cfg);
}

unsigned
air_estimate_cycles(const struct air *ir, unsigned num_regs)
{
   /* When each component of a register, of the address register, may be read; branches are taken as
    * they come. */
   uint32_t *ready = rzalloc_array(ir->mem, uint32_t, (num_regs + 1) * 4);
   unsigned cycle = 0;
   for (unsigned i = 0; i < ir->num_instrs; i++) {
      const struct attila_isa_instr *in = &ir->instrs[i];
      for (unsigned s = 0; s < air_num_srcs(in); s++) {
         uint8_t mask = air_components(&in->src[s], air_channels(in, s));
         for (unsigned k = 0; k < 4; k++) {
            if (in->src[s].file == ATTILA_FILE_TEMP && (mask & (1u << k)))
               cycle = MAX2(cycle, ready[in->src[s].index * 4u + k]);
         }
         if (in->src[s].relative)
            cycle = MAX2(cycle, ready[num_regs * 4 + in->src[s].rel_comp]);
      }
      for (unsigned k = 0; attila_isa_ops[in->op].has_dst && k < 4; k++) {
         unsigned reg = in->dst.file == ATTILA_FILE_ADDRESS ? num_regs : in->dst.index;
         if (in->dst.file != ATTILA_FILE_OUTPUT && (in->dst.write_mask & (1u << k)))
            ready[reg * 4 + k] = cycle + latency_of(in);
      }
      cycle++;
   }
   ralloc_free(ready);
   return cycle;
}
