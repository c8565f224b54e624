/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Colour Write (ROPc) of one ROP: blends the samples of shaded quads into the colour buffers with
 * emul_color_quad and frees the quads. Quads come from the fragment FIFO, or from the Z and stencil
 * test for draws tested late. It is where every live sample of a draw ends, with or without colour
 * buffer, so samples passed are counted here. After the end of a draw it tells the command
 * processor. Not here: the queue of quads that wait for their lines (rop_unit.c), the cache
 * (rop_cache.c).
 */
#include "box/rop/rop_unit.h"
#include "emul/format/emul_format.h"

/* clang-format off */
#define CW_STATS(S)                                                                              \
   ROP_CACHE_STATS(S)                                                                            \
   S(input,    "InputFragments",    FRAGMENTS, "live samples received")                          \
   S(operated, "OperatedFragments", FRAGMENTS, "samples written to a colour buffer, in any way") \
   S(blended,  "BlendedFragments",  FRAGMENTS, "samples blended")                                \
   S(logic,    "LogicOpFragments",  FRAGMENTS, "samples combined by a logic operation")          \
   S(culled,   "CulledFragments",   FRAGMENTS, "samples removed by alpha to coverage")           \
   S(quads,    "InputQuads",        QUADS,     "quads received")                                 \
   S(busy,     "ROPOperatorBusy",   CYCLES,    "cycles in which a quad was written")
/* clang-format on */
SIM_STATS_DECLARE(cw, CW_STATS)

struct cw {
   struct rop_unit rop;
   struct cw_stats *stat; /* [slot] */
   sim_tick alu_latency;
};

static bool
clear_target(struct rop_cache *c, const struct msg_rop *msg, unsigned n, struct rop_binding *bind,
             uint8_t value[16], unsigned *planes)
{
   const struct attila_color_regs *color = &msg->regs->color[n];
   (void)c;
   if (!(msg->buffers >> n & 1) || !color->address || color->format >= ATTILA_NUM_FORMATS ||
       !(attila_formats[color->format].uses & ATTILA_USE_COLOR))
      return false;
   *bind = rop_binding(msg->regs, color->address, color->format, color->pitch_tiles);
   *planes = 1;
   memset(value, 0, 16);
   emul_format_pack((enum attila_format)color->format, msg->color, value);
   rop_repeat(value, attila_formats[color->format].bytes);
   return true;
}

static bool
start_draw(struct rop_unit *u, const struct sim_draw *draw)
{
   const struct emul_draw_state *s = &draw->state;
   u->look = s->regs.alpha_to_coverage && s->samples > 1;
   u->buffers = s->color_mask;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      const struct attila_color_regs *color = &s->regs.color[i];
      if (s->color_mask >> i & 1 &&
          !rop_unit_bind(u, i, &s->regs, color->address, color->format, color->pitch_tiles))
         return false;
   }
   return true;
}

/* Coverage by alpha. */
static void
look_at(struct rop_unit *u, const struct msg_quad *m)
{
   struct sim_quad *q = m->quad;
   uint32_t kept = q->mask & emul_alpha_to_coverage(q->out[0][3], m->draw->state.samples);
   ((struct cw *)u)->stat[m->slot].culled += (unsigned)__builtin_popcount(q->mask & ~kept);
   q->mask = kept;
}

static void
write_sample(struct cw *w, const struct rop_entry *op)
{
   const struct emul_draw_state *s = &op->draw->state;
   unsigned nibble = rop_entry_mask(op), source = s->regs.fs_color0_to_all ? 0 : op->buffer;
   emul_color_quad(s, op->buffer, nibble, (const float(*)[4])op->quad->out[source],
                   rop_entry_data(&w->rop, op));
   rop_cache_release(&w->rop.cache, (unsigned)op->line, nibble != 0, op->slot);
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
   struct rop_cache *c = &w->rop.cache;
   if (now < w->rop.busy || !sim_can_send(c->to_cp, now)) {
      rop_cache_wait(c, op->slot, ROP_STAT_consumer_stall);
      return false;
   }
   struct msg_done done = {.draw = op->draw, .unit = (uint8_t)w->rop.box.instance};
   sim_send(c->to_cp, now, &done);
   return true;
}

static bool
execute(struct rop_unit *u, sim_tick now, const struct rop_entry *op, bool first)
{
   struct cw *w = (struct cw *)u;
   if (!op->quad)
      return end_draw(w, now, op);
   if (op->line >= 0)
      write_sample(w, op);
   if (op->last) {
      if (op->draw->state.regs.count_samples)
         op->draw->counters[ATTILA_COUNTER_SAMPLES_PASSED] +=
             (unsigned)__builtin_popcount(op->quad->mask);
      sim_quad_free(u->box.gpu, op->quad);
   }
   u->busy = now + w->alu_latency;
   w->stat[op->slot].busy += first;
   return true;
}

static const struct rop_unit_class cw_unit = {
    .start_draw = start_draw,
    .look_at = look_at,
    .execute = execute,
    .stat_input = SIM_STAT(cw, input),
    .stat_quads = SIM_STAT(cw, quads),
};

static void
init(struct sim_box *b)
{
   struct cw *w = (struct cw *)b;
   const struct sim_config *cfg = &b->gpu->config;
   struct sim_netlist *net = &b->gpu->net;
   unsigned r = b->instance;
   w->alu_latency = cfg->cw.alu_latency * b->period;
   w->rop.early_in = &net->ffu_cw[r];
   w->rop.late_in = &net->zst_cw[r];
   w->rop.cache = (struct rop_cache){
       ROP_CACHE_PARAMS(&cfg->cw, b->period),
       .stats = (uint64_t *)w->stat,
       .num_stats = sizeof(w->stat[0]) / sizeof(uint64_t),
       .to_mc = &net->cw_mc[r],
       .from_mc = &net->mc_cw[r],
       .from_cp = &net->cp_cw[r],
       .to_cp = &net->cw_cp[r],
       .compress = emul_compress_color,
       .clear_target = clear_target,
   };
   rop_unit_init(&w->rop, &cw_unit, cfg->cw.quads_cycle, cfg->cw.fetch_queue);
}

const struct sim_box_class cw_class = {
    .name = "ColorWrite",
    .unit = "CW-SU#",
    .doc = "Blends shaded quads into the colour buffers (ISPASS 2006 section 2, ROPc)",
    .size = sizeof(struct cw),
    .domain = SIM_DOMAIN_GPU,
    .init = init,
    .clock = rop_unit_clock,
    .dump = rop_unit_dump,
    .fini = rop_unit_fini,
    SIM_STATS_CLASS(cw),
};
