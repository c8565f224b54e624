/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Z and Stencil Test (ROPz) of one ROP: tests each sample of a quad with emul_zs_quad. Quads come
 * from HZ and go to the interpolator; those tested after shading come from the fragment FIFO and go
 * to colour write. Quads without a live sample end here, and with EndDepthOnly also those that need
 * no shading; these are counted here for queries, as are all of draws whose program asks for early
 * tests, which therefore come through here without a test, too. Lines that leave the cache send HZ
 * their depths. Not here: the pipeline (rop_unit.c), the cache (rop_cache.c). */
#include "box/rop/rop_unit.h"

SIM_BOX_STATS(zst)

struct zst {
   struct rop_unit rop;
   struct zst_stats *stat; /* [work_id] */
   struct sim_signal *early_out, *late_out, *hz;
   bool hz_updates, end_depth_only;
   bool shader_depth, coverage; /* of the arriving draw */
};

/* Sends HZ the depths of a line that is written back. */
static bool
zst_evict(struct sim_box *box, sim_tick now, const struct rop_surface *surface,
          const struct rop_posted *line, const uint8_t *data)
{
   struct zst *z = (struct zst *)box;
   const struct attila_format_desc *format = &attila_formats[surface->bind.format];
   if (!z->hz_updates || format->channel[0].bits == 0)
      return true;
   if (!sim_can_send(z->hz, now))
      return false;
   struct msg_hz update = {.address = line->address,
                           .bytes = line->bytes,
                           .epoch = line->epoch,
                           .work_id = line->work_id};
   emul_zs_block_range(format, data, line->bytes / format->bytes, &update.near, &update.far);
   sim_work_ref(box->gpu->work, update.work_id);
   sim_send(z->hz, now, &update);
   z->stat[line->work_id].updates++;
   return true;
}

static bool
zst_clear_target(struct rop_cache *c, const struct msg_rop *msg, unsigned n,
                 struct rop_binding *bind, uint8_t value[16], unsigned *planes)
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

static void
zst_warm(struct sim_box *b, const struct sim_warming *e)
{
   struct rop_cache *c = &((struct rop_unit *)b)->cache;
   const struct emul_draw_state *s = e->draw;
   if (e->kind != SIM_WARM_DRAW)
      rop_warm(c, e);
   else if (s->zs_bound && (s->z_test || s->stencil_test) && !s->regs.rasterizer_discard)
      for (uint32_t layer = 0; layer < s->layers.count; layer++)
         rop_warm_bind(c, &s->regs, emul_layer_zs(s, layer), s->regs.zs_format,
                       s->regs.zs_pitch_tiles);
}

static bool
zst_start_draw(struct rop_unit *u, const struct sim_draw *draw)
{
   struct zst *z = (struct zst *)u;
   const struct emul_draw_state *s = &draw->state;
   z->coverage = s->late_zs && s->regs.alpha_to_coverage && s->samples > 1;
   z->shader_depth = s->late_zs && s->fs && emul_program_isa(s->fs)->writes_depth;
   u->look = z->coverage || z->shader_depth;
   u->buffers = u->read_buffers = s->zs_bound && (s->z_test || s->stencil_test);
   u->writes = s->z_write;
   return !u->buffers || rop_unit_bind(u, 0, &s->regs, emul_layer_zs(s, u->layer),
                                       s->regs.zs_format, s->regs.zs_pitch_tiles);
}

/* Applies what shading changed: the coverage, by alpha, and the depth. */
static void
zst_look_at(struct rop_unit *u, const struct msg_quad *m)
{
   const struct zst *z = (const struct zst *)u;
   const struct emul_draw_state *s = &m->draw->state;
   struct sim_quad *q = m->quad;
   if (z->coverage)
      q->mask &= emul_alpha_to_coverage(q->out[0][3], s->samples);
   if (z->shader_depth) {
      for (unsigned p = 0; p < 4; p++) {
         const float depth = emul_clamp_depth(s, q->out[ATTILA_FS_OUTPUT_DEPTH][0][p]);
         for (unsigned i = 0; i < s->samples; i++)
            q->z[i][p] = depth;
      }
   }
}

static unsigned
zst_test_part(struct rop_unit *u, const struct rop_entry *e)
{
   struct zst *z = (struct zst *)u;
   const struct emul_draw_state *s = &e->draw->state;
   struct sim_quad *q = e->quad;
   unsigned nibble = rop_entry_mask(e);
   unsigned pass = emul_zs_quad(s, q->front, nibble, q->z[e->sample], rop_entry_data(u, e));
   if (q->accepted && pass != nibble)
      sim_error(&u->box, "the quad at %d, %d fails the depth test, but HZ has accepted it", q->x,
                q->y);
   q->mask &= ~((nibble & ~pass) << (4 * e->sample));
   z->rop.cache.epoch = q->hz_epoch;
   z->stat[e->work_id].samples += sim_count_bits4(nibble);
   z->stat[e->work_id].passed_samples += sim_count_bits4(pass);
   /* The whole quad is written; failed or masked pixels keep their old depth (as in the
    * release). */
   return nibble;
}

static void
zst_count_output(struct zst *z, const struct rop_entry *e)
{
   struct zst_stats *stat = &z->stat[e->work_id];
   stat->output += 4;
   if (e->line < 0)
      return;
   unsigned live = sim_count_bits4(sim_quad_pixels(e->quad->mask));
   stat->tested += 4;
   stat->passed += live;
   stat->failed += 4 - live;
}

/* Handles the ends of a tile-based machine, of which Hierarchical Z needs to know nothing. */
static bool
zst_finish_end(struct rop_unit *u, sim_tick now, const struct rop_entry *e, struct sim_signal *out)
{
   if ((e->what == SIM_END_BIN && !rop_bin_end(&u->cache, e->draw)) ||
       (e->what == SIM_END_PASS && rop_holds_pass(u)))
      return false;
   sim_send(out, now,
            &(struct msg_quad){.draw = e->draw,
                               .listed = e->listed,
                               .work_id = e->work_id,
                               .end = true,
                               .what = e->what,
                               .bin = e->bin});
   return true;
}

static bool
zst_finish(struct rop_unit *u, sim_tick now, const struct rop_entry *e)
{
   struct zst *z = (struct zst *)u;
   struct sim_signal *out = e->draw->state.late_zs ? z->late_out : z->early_out;
   const struct emul_draw_state *s = &e->draw->state;
   bool dead = e->quad && !e->quad->mask, ends = e->quad && z->end_depth_only && !s->late_zs &&
                                                 !s->color_mask &&
                                                 !emul_stage_writes(s, ATTILA_STAGE_FRAGMENT);
   if (!dead && !ends && !sim_can_send(out, now))
      return false;
   if (!e->quad && e->what != SIM_END_DRAW)
      return zst_finish_end(u, now, e, out);
   z->rop.cache.epoch = e->quad ? e->quad->hz_epoch : e->draw->hz_epoch;
   zst_count_output(z, e);
   if (e->quad && s->counts_early)
      e->draw->samples[u->box.instance] += sim_count_bits(e->quad->mask);
   if (ends && !dead) {
      rop_unit_end_quad(u, now, e->quad);
      z->stat[e->work_id].ended_live++;
   } else if (dead) {
      sim_quad_give(&u->box, e->quad);
      z->stat[e->work_id].ended++;
   } else {
      struct msg_quad m = {
          .draw = e->draw, .quad = e->quad, .work_id = e->work_id, .end = !e->quad};
      sim_send(out, now, &m);
   }
   return true;
}

static const struct rop_unit_class zst_unit = {.start_draw = zst_start_draw,
                                               .look_at = zst_look_at,
                                               .write = zst_test_part,
                                               .finish = zst_finish};

static void
zst_init(struct sim_box *b)
{
   struct zst *z = (struct zst *)b;
   const struct sim_config *cfg = &b->gpu->config;
   struct sim_netlist *net = &b->gpu->net;
   unsigned r = b->instance;
   z->early_out = &net->zst_interp[r];
   z->late_out = &net->zst_cw[r];
   z->hz = &net->zst_hz[r];
   z->hz_updates = !cfg->rast.disable_hz;
   z->end_depth_only = cfg->zst.end_depth_only;
   z->rop.early_in = &net->hz_zst[r];
   z->rop.late_in = &net->ffu_zst[r];
   z->rop.cache = (struct rop_cache){
       ROP_CACHE_PARAMS(zst, &cfg->zst, b, z->stat),
       .accepts = cfg->rast.hz_min,
       .compressor = EMUL_COMPRESS_HILO_3,
       .evict = zst_evict,
       .clear_target = zst_clear_target,
   };
   ROP_UNIT_PARAMS(&z->rop, &cfg->zst, b->period);
   rop_unit_init(&z->rop, &zst_unit);
}

const struct sim_box_class zst_class = {
    .size = sizeof(struct zst),
    .domain = SIM_DOMAIN_GPU,
    .init = zst_init,
    .clock = rop_unit_clock,
    .dump = rop_unit_dump,
    .flush_counters = rop_unit_flush_counters,
    .warm = zst_warm,
    .probe = rop_unit_probe,
    SIM_BOX_CLASS(zst),
};
