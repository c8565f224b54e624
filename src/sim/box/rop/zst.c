/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Z and Stencil Test (ROPz) of one ROP: tests each sample of a quad with emul_zs_quad. Quads come
 * from HZ and go to the interpolator, or, for draws tested after shading, come from the fragment
 * FIFO and go to colour write. Quads without a live sample end here. Lines that leave the cache
 * tell HZ their largest depth. Not here: the queue of quads that wait for their lines (rop_unit.c),
 * the cache (rop_cache.c).
 */
#include "box/rop/rop_unit.h"

/* clang-format off */
#define ZST_STATS(S)                                                                             \
   ROP_CACHE_STATS(S)                                                                            \
   S(input,    "InputFragments",    FRAGMENTS, "live samples received")                          \
   S(tested,   "TestedFragments",   FRAGMENTS, "samples tested")                                 \
   S(passed,   "PassedFragments",   FRAGMENTS, "samples that passed")                            \
   S(failed,   "FailedFragments",   FRAGMENTS, "samples that failed")                            \
   S(output,   "OutputFragments",   FRAGMENTS, "live samples sent on")                           \
   S(quads,    "InputQuads",        QUADS,     "quads received")                                 \
   S(culled,   "CulledQuads",       QUADS,     "quads that ended here")                          \
   S(busy,     "ROPOperatorBusy",   CYCLES,    "cycles in which a quad was tested or passed on") \
   S(updates,  "UpdatesHZ",         COUNT,     "block depths sent to HZ")
/* clang-format on */
SIM_STATS_DECLARE(zst, ZST_STATS)

struct zst {
   struct rop_unit rop;
   struct zst_stats *stat; /* [slot] */
   struct sim_signal *early_out, *late_out, *hz;
   uint32_t hz_size;
   bool hz_updates;
   bool shader_depth, coverage; /* of the draw whose quads arrive */
   uint32_t hz_epoch;           /* of the newest draw of which anything was processed */
};

/* A line leaves: HZ learns its largest depth. Of formats with a tile in several lines it learns
 * nothing. */
static bool
evict(struct sim_box *box, sim_tick now, const struct rop_surface *surface,
      const struct rop_line *line, const uint8_t *data)
{
   struct zst *z = (struct zst *)box;
   const struct attila_format_desc *format = &attila_formats[surface->bind.format];
   if (!z->hz_updates || surface->bind.samples != 1 || surface->parts != 1 ||
       format->channel[0].bits == 0 || line->tile >= z->hz_size)
      return true;
   if (!sim_can_send(z->hz, now))
      return false;
   struct msg_hz update = {.address = surface->bind.address,
                           .block = line->tile,
                           .zmax = emul_zs_block_max(format, data),
                           .epoch = z->hz_epoch};
   sim_send(z->hz, now, &update);
   z->stat[line->dirty_slot].updates++;
   return true;
}

static bool
clear_target(struct rop_cache *c, const struct msg_rop *msg, unsigned n, struct rop_binding *bind,
             uint8_t value[16], unsigned *planes)
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
   memset(value, 0, 16);
   emul_zs_clear_value(format, *planes, msg->depth, msg->stencil, NULL, value);
   rop_repeat(value, format->bytes);
   return true;
}

static bool
start_draw(struct rop_unit *u, const struct sim_draw *draw)
{
   struct zst *z = (struct zst *)u;
   const struct emul_draw_state *s = &draw->state;
   z->coverage = s->late_zs && s->regs.alpha_to_coverage && s->samples > 1;
   z->shader_depth = s->late_zs && s->fs && emul_program_isa(s->fs)->writes_depth;
   u->look = z->coverage || z->shader_depth;
   u->buffers = s->zs_bound && (s->z_test || s->stencil_test);
   return !u->buffers || rop_unit_bind(u, 0, &s->regs, s->regs.zs_address, s->regs.zs_format,
                                       s->regs.zs_pitch_tiles);
}

/* What shading changed: coverage by alpha, depth. */
static void
look_at(struct rop_unit *u, const struct msg_quad *m)
{
   const struct zst *z = (const struct zst *)u;
   const struct emul_draw_state *s = &m->draw->state;
   struct sim_quad *q = m->quad;
   if (z->coverage)
      q->mask &= emul_alpha_to_coverage(q->out[0][3], s->samples);
   if (z->shader_depth) {
      for (unsigned i = 0; i < s->samples; i++)
         memcpy(q->z[i], q->out[ATTILA_FS_OUTPUT_DEPTH][0], sizeof(q->z[i]));
   }
}

static void
test_sample(struct zst *z, const struct rop_entry *op)
{
   const struct emul_draw_state *s = &op->draw->state;
   struct sim_quad *q = op->quad;
   unsigned nibble = rop_entry_mask(op);
   uint8_t *data = rop_entry_data(&z->rop, op);
   unsigned pass = emul_zs_quad(s, q->front, nibble, q->z[op->sample], data);
   q->mask &= ~((nibble & ~pass) << (4 * op->sample));
   rop_cache_release(&z->rop.cache, (unsigned)op->line, s->stencil_test || (s->z_write && pass),
                     op->slot);
   unsigned tested = (unsigned)__builtin_popcount(nibble),
            passed = (unsigned)__builtin_popcount(pass);
   z->stat[op->slot].tested += tested;
   z->stat[op->slot].passed += passed;
   z->stat[op->slot].failed += tested - passed;
}

static bool
execute(struct rop_unit *u, sim_tick now, const struct rop_entry *op, bool first)
{
   struct zst *z = (struct zst *)u;
   struct sim_signal *out = op->draw->state.late_zs ? z->late_out : z->early_out;
   if (op->last && !sim_can_send(out, now)) {
      rop_cache_wait(&u->cache, op->slot, ROP_STAT_consumer_stall);
      return false;
   }
   z->hz_epoch = op->draw->hz_epoch;
   if (op->line >= 0)
      test_sample(z, op);
   if (op->last && op->quad && !op->quad->mask) {
      sim_quad_free(u->box.gpu, op->quad);
      z->stat[op->slot].culled++;
   } else if (op->last) {
      struct msg_quad m = {.draw = op->draw, .quad = op->quad, .slot = op->slot, .end = !op->quad};
      if (op->quad)
         z->stat[op->slot].output += (unsigned)__builtin_popcount(op->quad->mask);
      sim_send(out, now, &m);
   }
   z->stat[op->slot].busy += first;
   return true;
}

static const struct rop_unit_class zst_unit = {
    .start_draw = start_draw,
    .look_at = look_at,
    .execute = execute,
    .stat_input = SIM_STAT(zst, input),
    .stat_quads = SIM_STAT(zst, quads),
};

static void
init(struct sim_box *b)
{
   struct zst *z = (struct zst *)b;
   const struct sim_config *cfg = &b->gpu->config;
   struct sim_netlist *net = &b->gpu->net;
   unsigned r = b->instance;
   z->early_out = &net->zst_interp[r];
   z->late_out = &net->zst_cw[r];
   z->hz = &net->zst_hz[r];
   z->hz_size = cfg->rast.hz_size;
   z->hz_updates = !cfg->rast.disable_hz;
   z->rop.early_in = &net->hz_zst[r];
   z->rop.late_in = &net->ffu_zst[r];
   z->rop.cache = (struct rop_cache){
       ROP_CACHE_PARAMS(&cfg->zst, b->period),
       .stats = (uint64_t *)z->stat,
       .num_stats = sizeof(z->stat[0]) / sizeof(uint64_t),
       .to_mc = &net->zst_mc[r],
       .from_mc = &net->mc_zst[r],
       .from_cp = &net->cp_zst[r],
       .to_cp = &net->zst_cp[r],
       .compress = emul_compress_z,
       .evict = evict,
       .clear_target = clear_target,
   };
   rop_unit_init(&z->rop, &zst_unit, cfg->zst.quads_cycle, cfg->zst.fetch_queue);
}

const struct sim_box_class zst_class = {
    .name = "ZStencilTest",
    .unit = "ZST-SU#",
    .doc = "Tests quads against depth and stencil buffer (ISPASS 2006 section 2, ROPz)",
    .size = sizeof(struct zst),
    .domain = SIM_DOMAIN_GPU,
    .init = init,
    .clock = rop_unit_clock,
    .dump = rop_unit_dump,
    .fini = rop_unit_fini,
    SIM_STATS_CLASS(zst),
};
