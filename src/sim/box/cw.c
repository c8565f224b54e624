/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Colour Write (ROPc) of one ROP: reserves the colour cache lines of shaded quads (one per colour buffer and sample), lets quads wait in
 * order while lines are fetched, blends with emul_color_quad and frees the quads. Quads come from the fragment FIFO, or from the Z
 * and stencil test for draws tested late; the command processor never mixes both kinds. It is where every live sample of a draw ends,
 * with or without colour buffer, so samples passed are counted here. After the end of a draw it tells the command processor. Not
 * here: the cache (rop_cache.c).
 */
#include "box/rop_cache.h"
#include "emul/emul_format.h"

#define CW_STATS(S)                                                                                            \
   ROP_CACHE_STATS(S)                                                                                          \
   S(input,    "InputFragments",    FRAGMENTS, "live samples received")                                        \
   S(operated, "OperatedFragments", FRAGMENTS, "samples written to a colour buffer, in any way")               \
   S(blended,  "BlendedFragments",  FRAGMENTS, "samples blended")                                              \
   S(logic,    "LogicOpFragments",  FRAGMENTS, "samples combined by a logic operation")                        \
   S(culled,   "CulledFragments",   FRAGMENTS, "samples removed by alpha to coverage")                         \
   S(quads,    "InputQuads",        QUADS,     "quads received")                                               \
   S(busy,     "ROPOperatorBusy",   CYCLES,    "cycles in which a quad was written")
SIM_STATS_DECLARE(cw, CW_STATS)

struct cw {
   struct sim_box box;
   struct cw_stats stat[SIM_SLOTS];
   struct rop_cache cache;
   struct sim_signal *early_in, *late_in;
   uint32_t quads_cycle;
   sim_tick alu_latency, alu_busy; /* ticks; until when blending of the newest quad takes */
   /* The draw whose quads arrive. NULL: look again. */
   struct sim_draw *draw;
   int surface[ATTILA_MAX_COLOR_BUFFERS];
   bool coverage;
   uint32_t next_buffer, next_sample; /* of the oldest arrived quad: what has no line yet */
};

static bool
clear_target(struct rop_cache *c, const struct msg_rop *msg, unsigned n, struct rop_binding *bind, uint8_t value[16], unsigned *planes)
{
   const struct attila_color_regs *color = &msg->regs->color[n];
   (void)c;
   if (!(msg->buffers >> n & 1) || !color->address || color->format >= ATTILA_NUM_FORMATS ||
       !(attila_formats[color->format].uses & ATTILA_USE_COLOR))
      return false;
   *bind = rop_binding(msg->regs, color->address, color->format, color->pitch_tiles);
   *planes = 3;
   memset(value, 0, 16);
   emul_format_pack((enum attila_format)color->format, msg->color, value);
   rop_repeat(value, attila_formats[color->format].bytes);
   return true;
}

static void
init(struct sim_box *b)
{
   struct cw *w = (struct cw *)b;
   const struct sim_config *cfg = &b->gpu->config;
   struct sim_netlist *net = &b->gpu->net;
   unsigned r = b->instance;
   w->early_in = &net->ffu_cw[r];
   w->late_in = &net->zst_cw[r];
   w->quads_cycle = cfg->cw.quads_cycle;
   w->alu_latency = cfg->cw.alu_latency * b->period;
   w->cache = (struct rop_cache){
      .box = b, .to_mc = &net->cw_mc[r], .from_mc = &net->mc_cw[r], .from_cp = &net->cp_cw[r], .to_cp = &net->cw_cp[r],
      .stats = (uint64_t *)w->stat, .num_stats = sizeof(w->stat[0]) / sizeof(uint64_t),
      .ways = cfg->cw.cache_ways, .sets = cfg->cw.cache_sets, .max_misses = cfg->cw.cache_requests,
      .num_states = cfg->cw.block_states, .blocks_cleared = cfg->cw.blocks_cleared,
      .compress_latency = cfg->cw.compress_latency * b->period, .decompress_latency = cfg->cw.decompress_latency * b->period,
      .no_compression = cfg->cw.no_compression, .num_rops = cfg->gpu.num_rops, .rop = r,
      .op_capacity = cfg->cw.fetch_queue, .compress = emul_compress_color, .clear_target = clear_target,
   };
   rop_cache_init(&w->cache);
}

static void
fini(struct sim_box *b)
{
   rop_cache_fini(&((struct cw *)b)->cache);
}

/* Looks at a new draw; false: one of its surfaces needs a flush first. */
static bool
start_draw(struct cw *w, struct sim_draw *draw)
{
   const struct emul_draw_state *s = &draw->state;
   w->coverage = s->regs.alpha_to_coverage && s->samples > 1;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      if (!(s->color_mask >> i & 1))
         continue;
      const struct attila_color_regs *color = &s->regs.color[i];
      struct rop_binding bind = rop_binding(&s->regs, color->address, color->format, color->pitch_tiles);
      w->surface[i] = rop_cache_bind(&w->cache, &bind);
      if (w->surface[i] < 0) {
         w->cache.want_flush = true;
         return false;
      }
   }
   w->draw = draw;
   return true;
}

/* Reserves the next line of an arrived quad; true when the quad has all of them. */
static bool
fetch_quad(struct cw *w, sim_tick now, const struct msg_quad *m)
{
   struct rop_cache *c = &w->cache;
   struct sim_quad *q = m->quad;
   uint32_t buffers = w->draw->state.color_mask >> w->next_buffer;
   if (w->coverage && w->next_buffer + w->next_sample == 0) {
      uint32_t kept = q->mask & emul_alpha_to_coverage(q->out[0][3], w->draw->state.samples);
      w->stat[m->slot].culled += (unsigned)__builtin_popcount(q->mask & ~kept);
      q->mask = kept;
   }
   if (!buffers || !q->mask) {
      rop_ops_push(c, m->draw, q, m->slot, -1, 0, 0, true);
      return true;
   }
   uint32_t buffer = w->next_buffer + (uint32_t)__builtin_ctz(buffers);
   uint32_t sample = w->next_sample + (uint32_t)__builtin_ctz(q->mask >> (4 * w->next_sample)) / 4;
   int line = rop_cache_reserve(c, now, (unsigned)w->surface[buffer], (uint32_t)q->x >> 3, (uint32_t)q->y >> 3, sample, m->slot);
   if (line < 0) {
      rop_cache_wait(c, m->slot, c->stall);
      rop_cache_wait(c, m->slot, ROP_STAT_fetch_failed);
      return false;
   }
   bool last_sample = sample == 7 || q->mask >> (4 * (sample + 1)) == 0;
   bool last = last_sample && w->draw->state.color_mask >> (buffer + 1) == 0;
   rop_ops_push(c, m->draw, q, m->slot, line, buffer, sample, last);
   w->next_buffer = last_sample ? buffer + 1 : buffer;
   w->next_sample = last_sample ? 0 : sample + 1;
   return last;
}

static bool
fetch(struct cw *w, sim_tick now)
{
   bool progress = false;
   for (uint32_t n = 0; n < w->quads_cycle; n++) {
      struct sim_signal *s = sim_peek(w->early_in, now) ? w->early_in : w->late_in;
      const struct msg_quad *m = sim_peek(s, now);
      if (!m)
         break;
      if (rop_ops_full(&w->cache)) {
         rop_cache_wait(&w->cache, m->slot, ROP_STAT_fetch_q_full);
         break;
      }
      if (m->end) {
         rop_ops_push(&w->cache, m->draw, NULL, m->slot, -1, 0, 0, true);
         w->draw = NULL;
      } else {
         if (w->draw != m->draw && !start_draw(w, m->draw))
            break;
         uint32_t pushed = w->cache.op_tail;
         bool whole = fetch_quad(w, now, m);
         progress |= pushed != w->cache.op_tail;
         if (!whole) {
            if (pushed == w->cache.op_tail)
               break;
            continue;
         }
         w->next_buffer = w->next_sample = 0;
         w->stat[m->slot].quads++;
         w->stat[m->slot].input += (unsigned)__builtin_popcount(m->quad->mask);
      }
      sim_pop(s, now);
      progress = true;
   }
   return progress;
}

static void
write_sample(struct cw *w, const struct rop_entry *op)
{
   struct rop_cache *c = &w->cache;
   const struct emul_draw_state *s = &op->draw->state;
   const struct sim_quad *q = op->quad;
   unsigned nibble = q->mask >> (4 * op->sample) & 15, source = s->regs.fs_color0_to_all ? 0 : op->buffer;
   uint32_t offset = attila_morton8((uint32_t)q->x & 7, (uint32_t)q->y & 7) * s->color_format[op->buffer]->bytes;
   emul_color_quad(s, op->buffer, nibble, (const float (*)[4])q->out[source], rop_cache_data(c, (unsigned)op->line) + offset);
   rop_cache_release(c, (unsigned)op->line, nibble != 0);
   unsigned live = (unsigned)__builtin_popcount(nibble);
   struct cw_stats *stat = &w->stat[op->slot];
   stat->operated += live;
   stat->blended += s->regs.color[op->buffer].blend_enable && !s->regs.logicop_enable ? live : 0;
   stat->logic += s->regs.logicop_enable ? live : 0;
}

/* The end of a draw: every quad before it has left the blend unit. */
static bool
end_draw(struct cw *w, sim_tick now, const struct rop_entry *op)
{
   if (now < w->alu_busy || !sim_can_send(w->cache.to_cp, now)) {
      rop_cache_wait(&w->cache, op->slot, ROP_STAT_consumer_stall);
      return false;
   }
   struct msg_done done = {.draw = op->draw, .unit = (uint8_t)w->box.instance};
   sim_send(w->cache.to_cp, now, &done);
   return true;
}

static bool
process(struct cw *w, sim_tick now)
{
   struct rop_cache *c = &w->cache;
   uint32_t n = 0;
   for (; n < w->quads_cycle && !rop_ops_empty(c); n++) {
      struct rop_entry *op = rop_ops_head(c);
      if (op->line >= 0 && !rop_cache_ready(c, (unsigned)op->line, now)) {
         rop_cache_wait(c, op->slot, ROP_STAT_data_stall);
         break;
      }
      if (!op->quad) {
         if (!end_draw(w, now, op))
            break;
      } else {
         if (op->line >= 0)
            write_sample(w, op);
         if (op->last) {
            if (op->draw->state.regs.count_samples)
               w->box.gpu->counters[ATTILA_COUNTER_SAMPLES_PASSED] += (unsigned)__builtin_popcount(op->quad->mask);
            sim_quad_free(w->box.gpu, op->quad);
         }
         w->alu_busy = now + w->alu_latency;
         if (n == 0)
            w->stat[op->slot].busy++;
      }
      c->op_head++;
   }
   return n > 0;
}

static sim_tick
clock(struct sim_box *b, sim_tick now)
{
   struct cw *w = (struct cw *)b;
   struct rop_cache *c = &w->cache;
   bool flushed = false;
   rop_cache_waited(c, now);
   bool progress = rop_cache_receive(c, now);
   bool idle = rop_ops_empty(c) && w->next_buffer + w->next_sample == 0;
   if (rop_cache_commands(c, now, idle, &progress, &flushed)) {
      progress |= process(w, now);
      progress |= fetch(w, now);
      /* A queue that is empty at the end of a cycle lets a wanted flush start in the next. */
      progress |= c->want_flush && rop_ops_empty(c);
   }
   if (flushed)
      w->draw = NULL;
   progress |= rop_cache_send(c, now);
   if (progress)
      return now + b->period;
   sim_tick t = rop_cache_timer(c, rop_ops_empty(c) ? -1 : rop_ops_head(c)->line, now);
   return !rop_ops_empty(c) && w->alu_busy > now && w->alu_busy < t ? w->alu_busy : t;
}

static void
dump(const struct sim_box *b, FILE *f)
{
   const struct cw *w = (const struct cw *)b;
   const struct rop_cache *c = &w->cache;
   fprintf(f, "   %u quads wait for their line", c->op_tail - c->op_head);
   if (!rop_ops_empty(c)) {
      const struct rop_entry *op = rop_ops_head(c);
      fprintf(f, ", the oldest of draw %u at %d, %d", op->draw->number, op->quad ? op->quad->x : -1, op->quad ? op->quad->y : -1);
   }
   fprintf(f, "\n");
   rop_cache_dump(c, f);
}

const struct sim_box_class cw_class = {
   .name = "ColorWrite", .unit = "CW-SU#", .doc = "Blends shaded quads into the colour buffers (ISPASS 2006 section 2, ROPc)",
   .size = sizeof(struct cw), .domain = SIM_DOMAIN_GPU, .init = init, .clock = clock, .dump = dump, .fini = fini,
   SIM_STATS_CLASS(cw),
};
