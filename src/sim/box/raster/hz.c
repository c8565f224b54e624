/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Hierarchical Z: tests tiles against on-chip bounds of the depth buffer, splits the rest into
 * quads and sends each to the ROP that owns its tile (sim_tile_rop): to the ZST if the draw tests
 * before shading, else to the interpolator. Tiles pass a queue of EarlyZQueueSize quads: they
 * arrive (StampsPerCycle tiles per cycle), look up their bounds, are tested and leave quad by quad,
 * with equal rates in all stages. Quads without a covered fragment end on arrival; culled ones
 * leave the queue in order but take no cycle.
 * Order: every draw's end marker goes to hz_interp[r]; a draw tested early sends one to hz_zst[r]
 * too. So hz_interp[r] tells the interpolator which path the oldest unfinished draw takes
 * (interp.c).
 * The bounds stay true because
 * - a draw that may leave a farther (or nearer) depth widens the bounds of each block it touches as
 *   its tiles arrive, before later tiles are tested. Without HZNearest (papers, release of 2015)
 *   bounds never widen, and after a draw that may leave a farther depth nothing is tested until a
 *   clear;
 * - the ZST sends bounds of lines that leave the Z cache, with the epoch of the newest draw in
 *   them. They count only if that draw is newer than the last clear and the last widening draw,
 *   since they do not include quads that are still on their way;
 * - the command processor reports other writers of memory (ROP_FORGET), and clears when the
 *   pipeline is empty.
 * A tile that is behind the low-resolution Z of its lists (box/low_z.h) ends on arrival, too.
 * Not here: the bounds (hz_surface.c), what reading them costs and how exact they are
 * (hz_release.c, hz_ispass2006.c), depths of tiles and quads (emul_raster). */
#include "box/low_z.h"
#include "box/raster/hz.h"

/* With 0 in the .ini other keys select the variant. */
enum { HZ_ISPASS2006 = 1, HZ_RELEASE = 2 };

#define V(number, name, doc) [number] = &hz_##name,
static const struct hz_variant *const variants[] = {SIM_HZ_VARIANTS(V)};
#undef V

static inline struct hz_tile *
hz_entry(const struct hz *h, uint32_t i)
{
   return &h->tile[i & h->mask];
}

static void
hz_take_updates(struct hz *h, sim_tick now)
{
   h->accesses = 0;
   for (uint32_t r = 0; r < h->num_rops; r++) {
      const struct msg_hz *m;
      while ((m = sim_peek(&h->update[r], now)) != NULL) {
         hz_surface_update(h, m);
         sim_work_unref(h->box.gpu->work, m->work_id);
         h->accesses++;
         sim_pop(&h->update[r], now);
      }
   }
}

/* --- Commands --- */

const struct hz_surface *
hz_clear(struct hz *h, const struct msg_rop *m, bool *fresh)
{
   const struct attila_regs *regs = m->regs;
   *fresh = false;
   if (!regs->zs_address || regs->zs_format >= ATTILA_NUM_FORMATS ||
       !(attila_formats[regs->zs_format].uses & ATTILA_USE_ZS))
      return NULL;
   struct hz_surface *s = hz_surface_find(h, regs);
   if (!(m->planes & 1) || attila_formats[regs->zs_format].channel[0].bits == 0)
      return NULL;
   if (!s) {
      s = hz_surface_add(h, regs, h->newest + 1);
      *fresh = true;
   }
   hz_surface_clear(h, s, regs, m->depth);
   return s;
}

static void
hz_clear_surface(struct hz *h, const struct msg_rop *m, sim_tick now)
{
   const struct attila_regs *regs = m->regs;
   bool fresh;
   const struct hz_surface *s = hz_clear(h, m, &fresh);
   if (!s)
      return;
   h->stat[m->work_id].new_surfaces += fresh;
   uint64_t blocks = (uint64_t)((regs->fb_width + 7) / 8) * ((regs->fb_height + 7) / 8) * s->parts;
   h->busy_until = now + (blocks + h->clear_blocks - 1) / h->clear_blocks * h->box.period;
}

/* Executes commands; true while one keeps the box busy. */
static bool
hz_commands(struct hz *h, sim_tick now, bool *progress)
{
   const struct msg_rop *m = h->command ? NULL : sim_peek(h->cmd, now);
   /* Not before the queue is empty: tiles in it already have the places of their bounds. */
   if (m && h->head == h->tail) {
      h->busy_until = now + h->box.period;
      if (h->enabled && m->op == ROP_CLEAR)
         hz_clear_surface(h, m, now);
      else if (m->op == ROP_FORGET)
         hz_surface_forget(h, m->start, m->end);
      h->draw = NULL;
      h->command = true;
      h->ready = h->ready_before = true; /* the queue is empty */
      h->command_work_id = m->work_id;
      sim_pop(h->cmd, now);
      *progress = true;
   }
   if (!h->command)
      return false;
   if (now >= h->busy_until && sim_can_send(h->answer, now)) {
      struct msg_done done = {0};
      sim_send(h->answer, now, &done);
      h->command = false;
      *progress = true;
   } else {
      sim_wait(&h->waits, &h->stat[h->command_work_id].clear);
   }
   return true;
}

/* --- Arrival --- */

/* Returns how the tiles of a draw that reads the depth buffer are tested. EQUAL is tested as
 * LEQUAL: a depth behind all depths equals none of them. */
static enum hz_test
hz_test_of(const struct emul_draw_state *s, bool any_depth, bool nearest)
{
   if (any_depth || !emul_stencil_keeps(s))
      return HZ_TEST_NONE;
   switch (s->regs.z_func) {
   case ATTILA_FUNC_LESS:
      return HZ_TEST_LESS;
   case ATTILA_FUNC_LEQUAL:
   case ATTILA_FUNC_EQUAL:
      return HZ_TEST_LEQUAL;
   case ATTILA_FUNC_GREATER:
      return nearest ? HZ_TEST_GREATER : HZ_TEST_NONE;
   case ATTILA_FUNC_GEQUAL:
      return nearest ? HZ_TEST_GEQUAL : HZ_TEST_NONE;
   default:
      return HZ_TEST_NONE;
   }
}

/* Returns the test that accepts tiles of a draw without reading depth. There is none with stencil,
 * whose values change, or with depth from the shader. GREATER needs HZNearest, as in hz_test_of. If
 * the draw writes depth, only whole tiles are accepted, since the rest of a tile would be read for
 * the next quad. */
static enum hz_test
hz_accept_of(const struct hz *h, const struct sim_draw *draw)
{
   const struct emul_draw_state *s = &draw->state;
   if (!h->min || !sim_draw_tests_early(draw) || s->stencil_test || h->any_depth)
      return HZ_TEST_NONE;
   switch (s->regs.z_func) {
   case ATTILA_FUNC_LESS:
      return HZ_TEST_LESS;
   case ATTILA_FUNC_LEQUAL:
      return HZ_TEST_LEQUAL;
   case ATTILA_FUNC_GREATER:
      return h->nearest ? HZ_TEST_GREATER : HZ_TEST_NONE;
   case ATTILA_FUNC_GEQUAL:
      return h->nearest ? HZ_TEST_GEQUAL : HZ_TEST_NONE;
   default:
      return HZ_TEST_NONE;
   }
}

/* Returns whether no depth of a whole tile of the draw stays behind the tile's own. The Z cache of
 * a tile-based machine keeps the depths of a bin until its end, so they do not come from there in
 * time. */
static bool
hz_settles(const struct hz *h, const struct sim_draw *draw)
{
   const struct emul_draw_state *s = &draw->state;
   return h->tiled && sim_draw_tests_early(draw) && !s->stencil_test && !h->any_depth &&
          s->z_write &&
          (s->regs.z_func == ATTILA_FUNC_LESS || s->regs.z_func == ATTILA_FUNC_LEQUAL);
}

/* Starts a draw or another layer with its first tile; false while older tiles may still use the
 * room that its surface needs. */
static bool
hz_start_draw(struct hz *h, const struct msg_tile *m, sim_tick now)
{
   const struct emul_draw_state *s = &m->draw->state;
   bool tests = s->zs_bound && s->z_test && attila_formats[s->regs.zs_format].channel[0].bits;
   const uint32_t layer = m->prim->setup.layer;
   const struct attila_regs *regs = &s->regs;
   struct attila_regs of_layer;
   /* A tile-based machine has the draws of a pass in each bin: what has an order is their runs. */
   const int64_t epoch = h->tiled ? h->newest + 1 : m->draw->hz_epoch;
   if (layer) {
      emul_layer_regs(s, layer, &of_layer);
      regs = &of_layer;
   }
   h->target = NULL;
   h->test = HZ_TEST_NONE;
   if (h->enabled && s->zs_bound && (s->z_test || s->stencil_test))
      h->target = hz_surface_find(h, regs);
   if (h->enabled && tests && !h->target) {
      /* The new surface may take the room of a surface that older tiles use. Its unknown bounds are
       * written at the rate of a clear. */
      if (h->head != h->tail)
         return false;
      h->target = hz_surface_add(h, regs, epoch);
      h->stat[m->work_id].new_surfaces++;
      h->fresh = true;
      h->busy_until =
          now + (h->target->blocks + h->clear_blocks - 1) / h->clear_blocks * h->box.period;
   }
   h->draw = m->draw;
   h->layer = layer;
   h->newest = epoch;
   if (!tests)
      h->target = NULL;
   if (!h->target)
      return true;
   h->any_depth = (s->fs && emul_program_isa(s->fs)->writes_depth) || s->shades_hidden;
   h->lowers = (h->nearest || h->min) && s->z_write && (s->regs.z_func & 1);
   h->raises = s->z_write && (s->regs.z_func & 4);
   if (h->raises && !h->nearest && !h->tiled) {
      h->target->blind = true;
      h->raises = false;
   }
   h->test = (uint8_t)(h->target->blind ? HZ_TEST_NONE : hz_test_of(s, h->any_depth, h->nearest));
   h->accept = (uint8_t)hz_accept_of(h, m->draw);
   h->settles = hz_settles(h, m->draw);
   if (h->lowers)
      h->target->void_near = h->newest;
   if (h->raises)
      h->target->void_far = h->newest;
   return true;
}

/* Returns the samples that the sample mask lets through. */
static uint32_t
hz_sample_mask(const struct emul_draw_state *s)
{
   uint32_t mask = 0;
   for (unsigned i = 0; i < s->samples; i++)
      mask |= (s->regs.sample_mask >> i & 1) * (15u << (4 * i));
   return mask;
}

/* Finds the covered samples of the tile's quads. */
static void
hz_cover(struct hz *h, struct hz_tile *t)
{
   const struct emul_draw_state *s = &h->draw->state;
   struct hz_stats *stat = &h->stat[t->m.work_id];
   uint32_t allowed = s->samples > 1 ? hz_sample_mask(s) : 15;
   /* With several samples, covered pixel centres do not tell which samples are covered, so every
    * quad of the tile is tested. */
   bool all = emul_multisample(s);
   unsigned covered = 0;
   for (unsigned q = 0; q < HZ_TILE_STAMPS; q++) {
      uint32_t mask = (uint32_t)(t->m.coverage >> (4 * q)) & 15;
      if (s->samples > 1 && (mask || all))
         mask = emul_quad_coverage(&t->m.prim->setup, t->m.x + emul_quad_x(q),
                                   t->m.y + emul_quad_y(q), s->samples) &
                allowed;
      t->mask[q] = mask;
      t->stamps |= (uint16_t)((mask != 0) << q);
      covered += sim_count_bits4(sim_quad_pixels(mask));
   }
   t->whole = covered == 64 && s->samples == 1;
   unsigned outside = 4 * (HZ_TILE_STAMPS - sim_count_bits(t->stamps));
   stat->tiles++;
   stat->input += 64;
   stat->outside += 64 - covered;
   stat->culled += outside;
   stat->culled_outside += outside;
}

/* Finds a tile's blocks, and widens the bounds of those that it may change. The test for acceptance
 * comes before that, while the bounds are those of earlier draws. */
static void
hz_find_blocks(struct hz *h, struct hz_tile *t)
{
   t->surface = h->target;
   t->settles = t->whole && h->settles;
   t->block =
       hz_surface_blocks(h->target, (uint32_t)t->m.x >> 3, (uint32_t)t->m.y >> 3, &t->num_blocks);
   t->accepted = t->num_blocks && h->accept != HZ_TEST_NONE &&
                 (t->whole || !h->draw->state.z_write) && hz_tile_passes(h, t);
   if (t->num_blocks && (h->raises || h->lowers)) {
      uint32_t near = EMUL_ZS_NEARER, far = EMUL_ZS_FARTHER;
      if (!h->any_depth)
         hz_tile_range(h, t, &near, &far);
      for (uint32_t b = t->block; b < t->block + t->num_blocks; b++)
         t->widened |= hz_surface_widen(h, b, near, far);
   }
   if (t->test == HZ_TEST_NONE && h->accept == HZ_TEST_NONE && !t->widened)
      t->num_blocks = 0;
}

/* Drops a tile that is behind what its lists leave there. */
static void
hz_test_low(struct hz *h, struct hz_tile *t)
{
   struct hz_stats *stat = &h->stat[t->m.work_id];
   const unsigned quads = sim_count_bits(t->stamps);
   stat->tested_low++;
   if (!low_z_hidden(t->m.prim->low_z, t->m.prim, t->m.x, t->m.y))
      return;
   stat->culled_low += quads;
   stat->culled += 4 * quads;
   t->stamps = 0;
}

/* Takes a tile, or the end of a draw. */
static void
hz_accept(struct hz *h, const struct msg_tile *m)
{
   struct hz_tile *t = hz_entry(h, h->tail);
   struct hz_stats *stat = &h->stat[m->work_id];
   stat->tiles += m->empty;
   stat->input += 64ull * m->empty;
   stat->outside += 64ull * m->empty;
   stat->culled += 64ull * m->empty;
   stat->culled_outside += 64ull * m->empty;
   memset(t, 0, sizeof(*t));
   t->m = *m;
   t->early = m->end ? sim_end_tests_early(m->draw, m->what) : sim_draw_tests_early(m->draw);
   if (m->end) {
      if (h->enabled && m->what == SIM_END_LISTED)
         hz_surface_listed(h, m);
      t->end = true;
      t->rops = m->what == SIM_END_DRAW ? (1ull << h->num_rops) - 1 : m->rops;
      h->tail++;
      h->draw = NULL;
      return;
   }
   hz_cover(h, t);
   if (t->stamps && m->prim->low_z)
      hz_test_low(h, t);
   if (!t->stamps) {
      sim_prim_unref(h->box.gpu, m->prim);
      return;
   }
   t->test = h->test;
   t->epoch = (uint32_t)h->newest;
   if (h->target)
      hz_find_blocks(h, t);
   h->used += sim_count_bits(t->stamps);
   h->tail++;
}

/* Returns whether there is room for more than can be on its way. A queue that is too small for that
 * accepts tiles while one fits. */
static bool
hz_has_room(const struct hz *h)
{
   uint32_t free = h->queue_size - h->used;
   return h->queue_size > 2 * h->stamps_cycle ? free > 2 * h->stamps_cycle : free >= HZ_TILE_STAMPS;
}

/* Takes arrivals. Multisampled tiles of one cycle take as many cycles as their samples need. */
static bool
hz_arrive(struct hz *h, sim_tick now)
{
   const struct msg_tile *m;
   uint32_t left = h->stamps_cycle, taken = 0;
   sim_tick next_tiles = h->next_tiles;
   /* The value of the ready signal when these tiles left, two cycles ago. */
   bool ready = now - h->box.last_clock >= 2 * h->box.period ? h->ready : h->ready_before;
   if (h->variant->ready_signal && !ready)
      return false;
   h->fresh = h->fresh && now < h->busy_until;
   if (h->fresh) {
      sim_wait(&h->waits, &h->stat[h->draw->work_id].clear);
      return false;
   }
   while (left && (m = sim_peek(h->in, now)) != NULL) {
      if (h->tail - h->head > h->mask || h->queue_size - h->used < HZ_TILE_STAMPS)
         break;
      /* The tiles before a command in the lists are tested against older bounds. */
      if (h->enabled && m->end && m->what == SIM_END_LISTED && h->head != h->tail)
         break;
      if (!m->end) {
         if ((h->draw != m->draw || h->layer != m->prim->setup.layer) &&
             (!hz_start_draw(h, m, now) || h->fresh))
            break;
         if (emul_multisample(&m->draw->state)) {
            if (now < h->next_tiles)
               break;
            next_tiles = now + (m->draw->state.samples + h->samples_cycle - 1) / h->samples_cycle *
                                   h->box.period;
         }
         left -= HZ_TILE_STAMPS;
      }
      hz_accept(h, m);
      sim_pop(h->in, now);
      taken++;
   }
   h->next_tiles = next_tiles;
   if (h->fresh)
      sim_wait(&h->waits, &h->stat[h->draw->work_id].clear);
   return taken != 0;
}

/* --- Bounds --- */

static bool
hz_look(struct hz *h, sim_tick now)
{
   uint32_t budget = h->stamps_cycle, before = h->looked;
   while (h->looked != h->tail && budget) {
      struct hz_tile *t = hz_entry(h, h->looked);
      if (t->num_blocks && !h->variant->lookup(h, t, now, &budget))
         break;
      h->looked++;
      /* Tiles that need no test are not delayed by its stage. */
      if (!t->num_blocks && h->tested + 1 == h->looked)
         h->tested = h->looked;
   }
   return h->looked != before;
}

/* Tests tiles whose bounds are here. next: when the oldest other tile gets its bounds. */
static bool
hz_test_tiles(struct hz *h, sim_tick now, sim_tick *next)
{
   uint32_t budget = h->stamps_cycle, before = h->tested;
   while (h->tested != h->looked) {
      struct hz_tile *t = hz_entry(h, h->tested);
      uint32_t stamps = sim_count_bits(t->stamps);
      if (t->num_blocks) {
         if (t->ready > now)
            *next = t->ready;
         if (t->ready > now || budget < stamps)
            break;
         budget -= stamps;
         uint16_t culled = hz_test_tile(h, t);
         uint32_t num = sim_count_bits(culled);
         h->stat[t->m.work_id].culled_hz += num;
         h->stat[t->m.work_id].culled += 4 * num;
         t->culled = culled;
         h->variant->release(h, t);
         if (t->settles && hz_surface_settle(h, t)) {
            h->stat[t->m.work_id].writes += t->num_blocks;
            h->accesses++;
         }
      }
      h->tested++;
   }
   return h->tested != before;
}

/* --- Departure --- */

/* Sends the samples in mask of a quad. */
static void
hz_send_quad(struct hz *h, sim_tick now, const struct hz_tile *t, unsigned q, uint32_t mask,
             unsigned rop, struct sim_signal *out)
{
   const struct emul_draw_state *s = &t->m.draw->state;
   const unsigned num = s->num_fs_inputs; /* by ascending number */
   struct sim_quad *quad = sim_quad_alloc(h->box.gpu, num ? s->fs_inputs[num - 1].index + 1u : 0);
   quad->draw = t->m.draw;
   quad->prim = t->m.prim;
   t->m.prim->refs++;
   quad->x = t->m.x + emul_quad_x(q);
   quad->y = t->m.y + emul_quad_y(q);
   quad->mask = mask;
   quad->sample = (uint8_t)(__builtin_ctz(mask) / 4);
   quad->work_id = t->m.work_id;
   quad->rop = (uint8_t)rop;
   quad->front = t->m.prim->setup.front;
   quad->accepted = t->accepted;
   quad->hz_epoch = t->epoch;
   h->stat[t->m.work_id].accepted += t->accepted;
   for (unsigned i = 0; i < s->samples; i++) {
      if (quad->mask >> (4 * i) & 15)
         emul_quad_depth(&t->m.prim->setup, quad->x, quad->y, i, s->samples, quad->z[i]);
   }
   if (t->m.draw->map)
      quad->made = sim_box_time(&h->box, now);
   struct msg_quad msg = {.draw = t->m.draw, .quad = quad, .work_id = t->m.work_id};
   sim_send(out, now, &msg);
   h->stat[t->m.work_id].quads++;
   h->stat[t->m.work_id].output += 4;
}

/* Sends the oldest tile's quads, each sample by itself where samples are shaded; true when none is
 * left. */
static bool
hz_send_quads(struct hz *h, sim_tick now, struct hz_tile *t, uint32_t *budget)
{
   unsigned rop = sim_tile_rop(h->num_rops, (uint32_t)t->m.x >> 3, (uint32_t)t->m.y >> 3);
   struct sim_signal *out = t->early ? &h->zst[rop] : &h->interp[rop];
   uint32_t room = sim_can_send(out, now);
   h->used -= sim_count_bits(t->culled);
   t->stamps &= (uint16_t)~t->culled;
   t->culled = 0;
   while (t->stamps && *budget) {
      unsigned q = (unsigned)__builtin_ctz(t->stamps);
      if (!room) {
         sim_wait(&h->waits, &h->stat[t->m.work_id].stall);
         return false;
      }
      uint32_t mask = t->mask[q];
      if (t->m.draw->state.sample_shading)
         mask &= 15u << (__builtin_ctz(mask) & ~3);
      hz_send_quad(h, now, t, q, mask, rop, out);
      room--;
      --*budget;
      t->mask[q] &= ~mask;
      if (t->mask[q])
         continue;
      t->stamps &= (uint16_t)(t->stamps - 1);
      h->used--;
   }
   return t->stamps == 0;
}

/* Sends the end of a draw to each ROP with room; true when all have it. */
static bool
hz_send_end(struct hz *h, sim_tick now, struct hz_tile *t)
{
   struct msg_quad msg = {.draw = t->m.draw,
                          .listed = t->m.listed,
                          .work_id = t->m.work_id,
                          .end = true,
                          .what = t->m.what,
                          .bin = t->m.bin};
   for (uint32_t r = 0; r < h->num_rops; r++) {
      if (!(t->rops >> r & 1) || !sim_can_send(&h->interp[r], now) ||
          (t->early && !sim_can_send(&h->zst[r], now)))
         continue;
      sim_send(&h->interp[r], now, &msg);
      if (t->early)
         sim_send(&h->zst[r], now, &msg);
      t->rops &= ~(1ull << r);
   }
   if (t->rops)
      sim_wait(&h->waits, &h->stat[t->m.work_id].stall);
   return t->rops == 0;
}

static bool
hz_depart(struct hz *h, sim_tick now)
{
   uint32_t budget = h->stamps_cycle, head = h->head;
   uint64_t rops = 0;
   while (h->head != h->tested && budget) {
      struct hz_tile *t = hz_entry(h, h->head);
      rops = t->rops;
      if (t->end ? !hz_send_end(h, now, t) : !hz_send_quads(h, now, t, &budget)) {
         rops ^= t->rops;
         break;
      }
      rops = 0;
      if (!t->end)
         sim_prim_unref(h->box.gpu, t->m.prim);
      h->head++;
   }
   return h->head != head || budget != h->stamps_cycle || rops;
}

/* --- The box --- */

static void
hz_init(struct sim_box *b)
{
   struct hz *h = (struct hz *)b;
   const struct sim_config *cfg = &b->gpu->config;
   struct sim_netlist *net = &b->gpu->net;
   h->in = net->tt_hz;
   h->cmd = net->cp_hz;
   h->answer = net->hz_cp;
   h->zst = net->hz_zst;
   h->interp = net->hz_interp;
   h->update = net->zst_hz;
   h->num_rops = cfg->gpu.num_rops;
   h->stamps_cycle = cfg->rast.tiles_cycle * HZ_TILE_STAMPS;
   h->queue_size = cfg->rast.early_z_queue;
   h->samples_cycle = cfg->rast.msaa_samples;
   h->size = cfg->rast.hz_size;
   h->num_surfaces = cfg->rast.hz_surfaces;
   h->clear_blocks = cfg->rast.hz_blocks_cleared;
   h->latency = cfg->rast.hz_latency * b->period;
   h->enabled = !cfg->rast.disable_hz;
   h->nearest = cfg->rast.hz_nearest;
   h->min = cfg->rast.hz_min;
   h->tiled = sim_tiled(cfg);
   h->newest = 0;
   h->ready = h->ready_before = true;
   h->near = sim_box_alloc(b, h->size * sizeof(*h->near));
   h->far = sim_box_alloc(b, h->size * sizeof(*h->far));
   /* A tile has at least one quad, the end of a draw none. */
   h->mask = 1;
   while (h->mask < h->queue_size + HZ_TILE_STAMPS)
      h->mask *= 2;
   h->tile = sim_box_alloc(b, h->mask-- * sizeof(*h->tile));
   h->variant = variants[cfg->rast.hz_variant       ? cfg->rast.hz_variant
                         : cfg->rast.hz_cache_lines ? HZ_RELEASE
                                                    : HZ_ISPASS2006];
   h->variant->init(h);
}

/* Called when nothing moved. Returns when something will, and reports the activity until then. */
static sim_tick
hz_rest(struct hz *h, sim_tick now, sim_tick bounds_ready)
{
   struct sim_box *b = &h->box;
   const struct msg_tile *m = sim_peek(h->in, now);
   unsigned work_id = h->head != h->tail ? hz_entry(h, h->head)->m.work_id : m ? m->work_id : 0;
   sim_tick next = bounds_ready;
   if (h->head != h->tail)
      sim_blocked(b, work_id);
   if (h->fresh)
      next = h->busy_until < next ? h->busy_until : next;
   if (m && h->next_tiles > now)
      next = h->next_tiles < next ? h->next_tiles : next;
   /* The ready signal arrives a cycle late. */
   if (m && h->variant->ready_signal && h->ready && !h->fresh && h->next_tiles <= now)
      next = now + b->period;
   if (next != SIM_NEVER)
      sim_busy_until(b, work_id, next);
   return next;
}

static sim_tick
hz_clock(struct sim_box *b, sim_tick now)
{
   struct hz *h = (struct hz *)b;
   bool progress = false;
   sim_waits_charge(&h->waits, b, now);
   hz_take_updates(h, now);
   if (hz_commands(h, now, &progress)) {
      sim_busy_until(b, h->command_work_id, h->busy_until);
      return progress ? now + b->period : h->busy_until > now ? h->busy_until : SIM_NEVER;
   }
   sim_tick ready = SIM_NEVER;
   unsigned work_id = h->head != h->tail ? hz_entry(h, h->head)->m.work_id : 0;
   progress |= hz_arrive(h, now);
   work_id = h->head != h->tail ? hz_entry(h, h->head)->m.work_id : work_id;
   progress |= hz_look(h, now);
   progress |= hz_depart(h, now);
   progress |= hz_test_tiles(h, now, &ready);
   bool again = h->variant->end_cycle(h);
   h->ready_before = h->ready;
   h->ready = hz_has_room(h);
   if (progress) {
      sim_busy(b, work_id);
      return now + b->period;
   }
   sim_tick next = hz_rest(h, now, ready);
   /* A tile without its bounds tries again in the next cycle. */
   return again || h->looked != h->tail ? now + b->period : next;
}

static void
hz_flush_counters(struct sim_box *b, sim_tick next)
{
   sim_waits_flush(&((struct hz *)b)->waits, b, next);
}

static void
hz_dump(const struct sim_box *b, FILE *f)
{
   const struct hz *h = (const struct hz *)b;
   fprintf(
       f, "   %s, %s, %u quads in the queue; tiles and ends: %u to look up, %u to test, %u to send",
       h->variant->name, h->command ? "busy with a command" : "no command", h->used,
       h->tail - h->looked, h->looked - h->tested, h->tested - h->head);
   if (h->head != h->tail) {
      const struct hz_tile *t = hz_entry(h, h->head);
      fprintf(f, "; the oldest of draw %u%s", t->m.draw->number, t->end ? ", its end" : "");
   }
   for (uint32_t i = 0; i < h->num_surfaces; i++) {
      if (h->surface[i].live)
         fprintf(f, "\n   surface 0x%llx: %u blocks from %u",
                 (unsigned long long)h->surface[i].start, h->surface[i].blocks, h->surface[i].base);
   }
   fprintf(f, "\n");
}

const struct sim_box_class hz_class = {
    .size = sizeof(struct hz),
    .domain = SIM_DOMAIN_GPU,
    .init = hz_init,
    .clock = hz_clock,
    .dump = hz_dump,
    .flush_counters = hz_flush_counters,
    .warm = hz_warm,
    SIM_BOX_CLASS(hz),
};
