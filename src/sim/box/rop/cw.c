/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Colour Write (ROPc) of one ROP: blends samples of shaded quads into the colour buffers with
 * emul_color_quad and frees the quads, which come from the fragment FIFO or, for draws tested late,
 * from the Z and stencil test. Every live sample ends here, with or without a colour buffer, so
 * passed samples are counted here. (EndDepthOnly and early tests that a program asks for are
 * exceptions, see zst.c.) A draw's end is reported to the command processor. Not here: the pipeline
 * (rop_unit.c), the cache (rop_cache.c). */
#include <stdlib.h>

#include "box/rop/rop_unit.h"
#include "emul/format/emul_format.h"

SIM_BOX_STATS(cw)

struct cw {
   struct rop_unit rop;
   struct cw_stats *stat; /* [work_id] */
};

static bool
cw_clear_target(struct rop_cache *c, const struct msg_rop *msg, unsigned n,
                struct rop_binding *bind, uint8_t value[16], unsigned *planes)
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

static void
cw_warm(struct sim_box *b, const struct sim_warming *e)
{
   struct rop_cache *c = &((struct rop_unit *)b)->cache;
   if (e->kind != SIM_WARM_DRAW) {
      rop_warm(c, e);
      return;
   }
   const struct emul_draw_state *s = e->draw;
   for (uint32_t m = s->regs.rasterizer_discard ? 0 : s->color_mask; m; m &= m - 1) {
      const unsigned i = (unsigned)__builtin_ctz(m);
      const struct attila_color_regs *color = &s->regs.color[i];
      for (uint32_t layer = 0; layer < s->layers.count; layer++)
         rop_warm_bind(c, &s->regs, emul_layer_color(s, i, layer), color->format,
                       color->pitch_tiles);
   }
}

/* Returns whether all channels are whole bytes. Only then some of them can be written without
 * reading the others. */
static bool
cw_channels_are_bytes(const struct attila_format_desc *f)
{
   bool bits = false;
   for (unsigned i = 0; i < 4; i++)
      bits |= f->channel[i].bits % 8 != 0;
   return !bits;
}

static bool
cw_start_draw(struct rop_unit *u, const struct sim_draw *draw)
{
   const struct emul_draw_state *s = &draw->state;
   u->look = s->regs.alpha_to_coverage && s->samples > 1;
   u->buffers = s->color_mask;
   u->read_buffers = u->part_buffers = u->slow_buffers = 0;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      const struct attila_color_regs *color = &s->regs.color[i];
      if (!(s->color_mask >> i & 1))
         continue;
      if (!rop_unit_bind(u, i, &s->regs, emul_layer_color(s, i, u->layer), color->format,
                         color->pitch_tiles))
         return false;
      const bool part = emul_masks_channels(s, i);
      u->part_buffers |= (uint32_t)part << i;
      u->slow_buffers |= (uint32_t)(emul_blends_two(s, i) && !s->regs.logicop_enable) << i;
      u->read_buffers |= (uint32_t)(color->blend_enable || s->regs.logicop_enable ||
                                    (part && !cw_channels_are_bytes(s->color_format[i])))
                         << i;
   }
   return true;
}

/* Applies alpha to coverage. */
static void
cw_look_at(struct rop_unit *u, const struct msg_quad *m)
{
   struct sim_quad *q = m->quad;
   uint32_t kept = q->mask & emul_alpha_to_coverage(q->out[0][3], m->draw->state.samples);
   ((struct cw *)u)->stat[m->work_id].removed += sim_count_bits(q->mask & ~kept);
   q->mask = kept;
}

static unsigned
cw_write_part(struct rop_unit *u, const struct rop_entry *e)
{
   const struct emul_draw_state *s = &e->draw->state;
   const struct attila_color_regs *color = &s->regs.color[e->buffer];
   unsigned nibble = rop_entry_mask(e), source = s->regs.fs_color0_to_all ? 0 : e->buffer;
   emul_color_quad(s, e->buffer, nibble, (const float(*)[4])e->quad->out[source],
                   (const float(*)[4])e->quad->out[1], rop_entry_data(u, e));
   struct cw_stats *stat = &((struct cw *)u)->stat[e->work_id];
   stat->samples += sim_count_bits4(nibble);
   stat->blended += color->blend_enable && !s->regs.logicop_enable ? 4 : 0;
   stat->logic += s->regs.logicop_enable ? 4 : 0;
   return nibble;
}

/* Handles the ends of a tile-based machine. */
static bool
cw_finish_end(struct rop_unit *u, sim_tick now, const struct rop_entry *e)
{
   struct sim_signal *piped = &u->box.gpu->net.cw_tf[u->box.instance];
   if (e->what == SIM_END_BIN)
      return rop_bin_end(&u->cache, e->draw);
   if (e->what != SIM_END_PIPE && e->what != SIM_END_PASS)
      return true;
   if (e->what == SIM_END_PASS && rop_holds_pass(u))
      return false;
   if (!sim_can_send(piped, now))
      return false;
   u->cache.resolved &= e->what != SIM_END_PASS;
   sim_send(piped, now, &(struct msg_piped){.unit = (uint8_t)u->box.instance});
   return true;
}

/* At a draw's end all its quads have been written. */
static bool
cw_finish(struct rop_unit *u, sim_tick now, const struct rop_entry *e)
{
   struct rop_cache *c = &u->cache;
   if (!e->quad) {
      struct msg_done done = {.draw = e->draw, .unit = (uint8_t)u->box.instance};
      if (e->what != SIM_END_DRAW)
         return cw_finish_end(u, now, e);
      if (!sim_can_send(c->to_cp, now))
         return false;
      sim_send(c->to_cp, now, &done);
      return true;
   }
   rop_unit_end_quad(u, now, e->quad);
   return true;
}

static const struct rop_unit_class cw_unit = {.start_draw = cw_start_draw,
                                              .look_at = cw_look_at,
                                              .write = cw_write_part,
                                              .finish = cw_finish};

static void
cw_init(struct sim_box *b)
{
   static const enum emul_compressor compressors[] = {
       EMUL_COMPRESS_HILO_2, EMUL_COMPRESS_HILO_REORDERED, EMUL_COMPRESS_MSAA};
   struct cw *w = (struct cw *)b;
   const struct sim_config *cfg = &b->gpu->config;
   struct sim_netlist *net = &b->gpu->net;
   unsigned r = b->instance;
   w->rop.early_in = &net->ffu_cw[r];
   w->rop.late_in = &net->zst_cw[r];
   w->rop.cache = (struct rop_cache){
       ROP_CACHE_PARAMS(cw, &cfg->cw, b, w->stat),
       .compressor = compressors[cfg->cw.compressor],
       .colors = true,
       .signs = sim_tiled(cfg) && cfg->tiling.eliminates,
       .clear_target = cw_clear_target,
   };
   ROP_UNIT_PARAMS(&w->rop, &cfg->cw, b->period);
   w->rop.alu_slow_rate = cfg->cw.two_rate;
   rop_unit_init(&w->rop, &cw_unit);
}

static void
cw_fini(struct sim_box *b)
{
   struct rop_cache *c = &((struct rop_unit *)b)->cache;
   for (unsigned i = 0; i < ROP_MAX_SURFACES; i++)
      free(c->surface[i].signature);
}

const struct sim_box_class cw_class = {
    .size = sizeof(struct cw),
    .domain = SIM_DOMAIN_GPU,
    .init = cw_init,
    .clock = rop_unit_clock,
    .dump = rop_unit_dump,
    .flush_counters = rop_unit_flush_counters,
    .fini = cw_fini,
    .warm = cw_warm,
    .probe = rop_unit_probe,
    SIM_BOX_CLASS(cw),
};
