/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Z and Stencil Test (ROPz) of one ROP: reserves the Z cache lines of arriving quads, lets the quads wait in order while lines are
 * fetched, and tests each sample with emul_zs_quad. Quads come from HZ and go to the interpolator, or, for draws tested after shading,
 * come from the fragment FIFO and go to colour write; the command processor never mixes both kinds. Quads without a live sample
 * end here. Lines that leave the cache tell HZ their largest depth. Not here: the cache (rop_cache.c).
 */
#include "box/rop_cache.h"

#define ZST_STATS(S)                                                                                           \
   ROP_CACHE_STATS(S)                                                                                          \
   S(input,    "InputFragments",    FRAGMENTS, "live samples received")                                        \
   S(tested,   "TestedFragments",   FRAGMENTS, "samples tested")                                               \
   S(passed,   "PassedFragments",   FRAGMENTS, "samples that passed")                                          \
   S(failed,   "FailedFragments",   FRAGMENTS, "samples that failed")                                          \
   S(output,   "OutputFragments",   FRAGMENTS, "live samples sent on")                                         \
   S(quads,    "InputQuads",        QUADS,     "quads received")                                               \
   S(culled,   "CulledQuads",       QUADS,     "quads that ended here")                                        \
   S(busy,     "ROPOperatorBusy",   CYCLES,    "cycles in which a quad was tested or passed on")               \
   S(updates,  "UpdatesHZ",         COUNT,     "block depths sent to HZ")
SIM_STATS_DECLARE(zst, ZST_STATS)

struct zst {
   struct sim_box box;
   struct zst_stats stat[SIM_SLOTS];
   struct rop_cache cache;
   struct sim_signal *early_in, *late_in, *early_out, *late_out, *hz;
   uint32_t quads_cycle, hz_size;
   bool hz_updates;
   /* The draw whose quads arrive. NULL: look again. */
   struct sim_draw *draw;
   int surface;
   bool tests, shader_depth, coverage;
   uint32_t next_sample; /* of the oldest arrived quad that has no line yet */
   uint32_t hz_epoch;    /* of the newest draw of which anything was processed */
};

/* A line leaves: HZ learns its largest depth. */
static bool
evict(struct sim_box *box, sim_tick now, const struct rop_surface *surface, const struct rop_line *line, const uint8_t *data)
{
   struct zst *z = (struct zst *)box;
   const struct attila_format_desc *format = &attila_formats[surface->bind.format];
   if (!z->hz_updates || surface->bind.samples != 1 || format->channel[0].bits == 0 || line->tile >= z->hz_size)
      return true;
   if (!sim_can_send(z->hz, now))
      return false;
   struct msg_hz update = {.address = surface->bind.address, .block = line->tile, .zmax = emul_zs_block_max(format, data),
                           .epoch = z->hz_epoch};
   sim_send(z->hz, now, &update);
   z->stat[line->slot].updates++;
   return true;
}

static bool
clear_target(struct rop_cache *c, const struct msg_rop *msg, unsigned n, struct rop_binding *bind, uint8_t value[16], unsigned *planes)
{
   const struct attila_regs *regs = msg->regs;
   (void)c;
   if (n || !regs->zs_address || regs->zs_format >= ATTILA_NUM_FORMATS)
      return false;
   const struct attila_format_desc *format = &attila_formats[regs->zs_format];
   unsigned has = (format->channel[0].bits ? 1u : 0u) | (format->channel[1].bits ? 2u : 0u);
   *planes = msg->planes & has;
   if (!(format->uses & ATTILA_USE_ZS) || !*planes)
      return false;
   *bind = rop_binding(regs, regs->zs_address, regs->zs_format, regs->zs_pitch_tiles);
   if (*planes == has) {
      *planes = 3;
      emul_zs_clear_value(format, has, msg->depth, msg->stencil, NULL, value);
      rop_repeat(value, format->bytes);
   }
   return true;
}

static void
init(struct sim_box *b)
{
   struct zst *z = (struct zst *)b;
   struct sim_gpu *gpu = b->gpu;
   const struct sim_config *cfg = &gpu->config;
   struct sim_netlist *net = &gpu->net;
   unsigned r = b->instance;
   z->early_in = &net->hz_zst[r];
   z->late_in = &net->ffu_zst[r];
   z->early_out = &net->zst_interp[r];
   z->late_out = &net->zst_cw[r];
   z->hz = &net->zst_hz[r];
   z->quads_cycle = cfg->zst.quads_cycle;
   z->hz_size = cfg->rast.hz_size;
   z->hz_updates = !cfg->rast.disable_hz;
   z->cache = (struct rop_cache){
      .box = b, .to_mc = &net->zst_mc[r], .from_mc = &net->mc_zst[r], .from_cp = &net->cp_zst[r], .to_cp = &net->zst_cp[r],
      .stats = (uint64_t *)z->stat, .num_stats = sizeof(z->stat[0]) / sizeof(uint64_t),
      .ways = cfg->zst.cache_ways, .sets = cfg->zst.cache_sets, .max_misses = cfg->zst.cache_requests,
      .num_states = cfg->zst.block_states, .blocks_cleared = cfg->zst.blocks_cleared,
      .compress_latency = cfg->zst.compress_latency * b->period, .decompress_latency = cfg->zst.decompress_latency * b->period,
      .no_compression = cfg->zst.no_compression, .num_rops = cfg->gpu.num_rops, .rop = r,
      .op_capacity = cfg->zst.fetch_queue, .compress = emul_compress_z, .evict = evict, .clear_target = clear_target,
   };
   rop_cache_init(&z->cache);
}

static void
fini(struct sim_box *b)
{
   rop_cache_fini(&((struct zst *)b)->cache);
}

/* Looks at a new draw; false: its surface needs a flush first. */
static bool
start_draw(struct zst *z, struct sim_draw *draw)
{
   const struct emul_draw_state *s = &draw->state;
   z->tests = s->zs_bound && (s->z_test || s->stencil_test);
   z->coverage = s->late_zs && s->regs.alpha_to_coverage && s->samples > 1;
   z->shader_depth = s->late_zs && s->fs && emul_program_isa(s->fs)->writes_depth;
   if (z->tests) {
      struct rop_binding bind = rop_binding(&s->regs, s->regs.zs_address, s->regs.zs_format, s->regs.zs_pitch_tiles);
      z->surface = rop_cache_bind(&z->cache, &bind);
      if (z->surface < 0) {
         z->cache.want_flush = true;
         return false;
      }
   }
   z->draw = draw;
   return true;
}

/* What shading changed: coverage by alpha, depth. */
static void
take_shaded(const struct zst *z, struct sim_quad *q)
{
   const struct emul_draw_state *s = &z->draw->state;
   if (z->coverage)
      q->mask &= emul_alpha_to_coverage(q->out[0][3], s->samples);
   if (z->shader_depth) {
      for (unsigned i = 0; i < s->samples; i++)
         memcpy(q->z[i], q->out[ATTILA_FS_OUTPUT_DEPTH][0], sizeof(q->z[i]));
   }
}

/* Reserves the next line of an arrived quad; true when the quad has all of them. */
static bool
fetch_quad(struct zst *z, sim_tick now, const struct msg_quad *m)
{
   struct rop_cache *c = &z->cache;
   struct sim_quad *q = m->quad;
   if (z->next_sample == 0 && z->draw->state.late_zs)
      take_shaded(z, q);
   if (!z->tests || !q->mask) {
      rop_ops_push(c, m->draw, q, m->slot, -1, 0, 0, true);
      return true;
   }
   uint32_t left = q->mask >> (4 * z->next_sample);
   uint32_t sample = z->next_sample + (uint32_t)__builtin_ctz(left) / 4;
   int line = rop_cache_reserve(c, now, (unsigned)z->surface, (uint32_t)q->x >> 3, (uint32_t)q->y >> 3, sample, m->slot);
   if (line < 0) {
      rop_cache_wait(c, m->slot, c->stall);
      rop_cache_wait(c, m->slot, ROP_STAT_fetch_failed);
      return false;
   }
   bool last = sample == 7 || q->mask >> (4 * (sample + 1)) == 0;
   rop_ops_push(c, m->draw, q, m->slot, line, 0, sample, last);
   z->next_sample = sample + 1;
   return last;
}

static bool
fetch(struct zst *z, sim_tick now)
{
   bool progress = false;
   for (uint32_t n = 0; n < z->quads_cycle; n++) {
      struct sim_signal *s = sim_peek(z->early_in, now) ? z->early_in : z->late_in;
      const struct msg_quad *m = sim_peek(s, now);
      if (!m)
         break;
      if (rop_ops_full(&z->cache)) {
         rop_cache_wait(&z->cache, m->slot, ROP_STAT_fetch_q_full);
         break;
      }
      if (m->end) {
         rop_ops_push(&z->cache, m->draw, NULL, m->slot, -1, 0, 0, true);
         z->draw = NULL;
      } else {
         if (z->draw != m->draw && !start_draw(z, m->draw))
            break;
         uint32_t pushed = z->cache.op_tail;
         bool whole = fetch_quad(z, now, m);
         progress |= pushed != z->cache.op_tail;
         if (!whole) {
            if (pushed == z->cache.op_tail)
               break;
            continue;
         }
         z->next_sample = 0;
         z->stat[m->slot].quads++;
         z->stat[m->slot].input += (unsigned)__builtin_popcount(m->quad->mask);
      }
      sim_pop(s, now);
      progress = true;
   }
   return progress;
}

static void
test_sample(struct zst *z, const struct rop_entry *op)
{
   struct rop_cache *c = &z->cache;
   const struct emul_draw_state *s = &op->draw->state;
   struct sim_quad *q = op->quad;
   unsigned nibble = q->mask >> (4 * op->sample) & 15;
   uint32_t offset = attila_morton8((uint32_t)q->x & 7, (uint32_t)q->y & 7) * s->zs_format->bytes;
   unsigned pass = emul_zs_quad(s, q->front, nibble, q->z[op->sample], rop_cache_data(c, (unsigned)op->line) + offset);
   q->mask &= ~((nibble & ~pass) << (4 * op->sample));
   rop_cache_release(c, (unsigned)op->line, s->stencil_test || (s->z_write && pass));
   unsigned tested = (unsigned)__builtin_popcount(nibble), passed = (unsigned)__builtin_popcount(pass);
   z->stat[op->slot].tested += tested;
   z->stat[op->slot].passed += passed;
   z->stat[op->slot].failed += tested - passed;
}

static bool
process(struct zst *z, sim_tick now)
{
   struct rop_cache *c = &z->cache;
   uint32_t n = 0;
   for (; n < z->quads_cycle && !rop_ops_empty(c); n++) {
      struct rop_entry *op = rop_ops_head(c);
      struct sim_signal *out = op->draw->state.late_zs ? z->late_out : z->early_out;
      if (op->line >= 0 && !rop_cache_ready(c, (unsigned)op->line, now)) {
         rop_cache_wait(c, op->slot, ROP_STAT_data_stall);
         break;
      }
      if (op->last && !sim_can_send(out, now)) {
         rop_cache_wait(c, op->slot, ROP_STAT_consumer_stall);
         break;
      }
      z->hz_epoch = op->draw->hz_epoch;
      if (op->line >= 0)
         test_sample(z, op);
      if (op->last && op->quad && !op->quad->mask) {
         sim_quad_free(z->box.gpu, op->quad);
         z->stat[op->slot].culled++;
      } else if (op->last) {
         struct msg_quad m = {.draw = op->draw, .quad = op->quad, .slot = op->slot, .end = !op->quad};
         if (op->quad)
            z->stat[op->slot].output += (unsigned)__builtin_popcount(op->quad->mask);
         sim_send(out, now, &m);
      }
      if (n == 0)
         z->stat[op->slot].busy++;
      c->op_head++;
   }
   return n > 0;
}

static sim_tick
clock(struct sim_box *b, sim_tick now)
{
   struct zst *z = (struct zst *)b;
   struct rop_cache *c = &z->cache;
   bool flushed = false;
   rop_cache_waited(c, now);
   bool progress = rop_cache_receive(c, now);
   if (rop_cache_commands(c, now, rop_ops_empty(c) && z->next_sample == 0, &progress, &flushed)) {
      progress |= process(z, now);
      progress |= fetch(z, now);
      /* A queue that is empty at the end of a cycle lets a wanted flush start in the next. */
      progress |= c->want_flush && rop_ops_empty(c);
   }
   if (flushed)
      z->draw = NULL;
   progress |= rop_cache_send(c, now);
   if (progress)
      return now + b->period;
   return rop_cache_timer(c, rop_ops_empty(c) ? -1 : rop_ops_head(c)->line, now);
}

static void
dump(const struct sim_box *b, FILE *f)
{
   const struct zst *z = (const struct zst *)b;
   const struct rop_cache *c = &z->cache;
   fprintf(f, "   %u quads wait for their line", c->op_tail - c->op_head);
   if (!rop_ops_empty(c)) {
      const struct rop_entry *op = rop_ops_head(c);
      fprintf(f, ", the oldest of draw %u at %d, %d", op->draw->number, op->quad ? op->quad->x : -1, op->quad ? op->quad->y : -1);
   }
   fprintf(f, "\n");
   rop_cache_dump(c, f);
}

const struct sim_box_class zst_class = {
   .name = "ZStencilTest", .unit = "ZST-SU#", .doc = "Tests quads against depth and stencil buffer (ISPASS 2006 section 2, ROPz)",
   .size = sizeof(struct zst), .domain = SIM_DOMAIN_GPU, .init = init, .clock = clock, .dump = dump, .fini = fini,
   SIM_STATS_CLASS(zst),
};
