/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fragment FIFO: chooses the shader of a group of fragments. The papers do not give the rule: they
 * have one crossbar before the shaders (ISPASS 2006 section 3), one window for all (section 5), and
 * quads of overlapping regions in several texture units. Not here: the last release's pointer, and
 * when a group may leave (ffu.c). */
#include "box/rop_tiles.h"
#include "box/shader/ffu.h"

#define FFU_SQUARE 4 /* log2 of a ROP's square: sim_tile_rop() */

static unsigned
ffu_log2(uint32_t n)
{
   unsigned shift = 0;
   while (n > 1u << shift)
      shift++;
   return shift;
}

void
ffu_distribution_init(struct ffu *f)
{
   const struct sim_config *c = &f->box.gpu->config;
   static const enum ffu_distribution rules[] = {
       [1] = FFU_FEWEST, [2] = FFU_TILES, [3] = FFU_BATCHES, [4] = FFU_FEWEST_SQUARES};
   f->distribution = c->rast.distribution    ? rules[c->rast.distribution]
                     : c->rast.tiled_shaders ? FFU_RELEASE_TILES
                                             : FFU_RELEASE_BATCHES;
   f->pointer = f->distribution == FFU_RELEASE_TILES || f->distribution == FFU_RELEASE_BATCHES;
   f->tile_shift_x = ffu_log2(c->rast.scan_width);
   f->tile_shift_y = ffu_log2(c->rast.scan_height);
   f->batch_size = c->rast.shader_batch;
   for (unsigned r = 0; r < f->num_rops; r++)
      f->rop[r].given = f->batch_size;
}

unsigned
ffu_release_owner(const struct ffu *f, const struct sim_quad *q)
{
   const uint32_t tx = (uint32_t)q->x >> f->tile_shift_x, ty = (uint32_t)q->y >> f->tile_shift_y,
                  n = (tx & 1) | (ty & 1) << 1 | (tx & 2) << 1 | (ty & 2) << 2;
   /* With two shaders in a row, each would own whole columns. */
   return f->num_shaders == 2 ? (tx + ty) & 1 : n % f->num_shaders;
}

/* Returns the shader of a scan tile by its place among its ROP's tiles, so that a ROP's path visits
 * every shader in turn, for any number of them. ROPs start with different shaders. */
static unsigned
ffu_tile_owner(const struct ffu *f, const struct sim_quad *q)
{
   const unsigned sx = f->tile_shift_x, sy = f->tile_shift_y;
   const uint32_t tx = (uint32_t)q->x >> sx, ty = (uint32_t)q->y >> sy;
   const uint32_t x = (uint32_t)q->x >> FFU_SQUARE, y = (uint32_t)q->y >> FFU_SQUARE;
   const unsigned columns = sx < FFU_SQUARE ? FFU_SQUARE - sx : 0,
                  rows = sy < FFU_SQUARE ? FFU_SQUARE - sy : 0;
   uint32_t place, first = q->rop * f->num_shaders / f->num_rops;
   if (sx > FFU_SQUARE || sy > FFU_SQUARE) {
      place = attila_morton8(tx & 0xff, ty & 0xff);
   } else {
      const uint32_t fields = attila_morton8(x / ROP_FIELD & 0xff, y / ROP_FIELD & 0xff),
                     squares = (ROP_FIELD * ROP_FIELD + f->num_rops - 1) / f->num_rops,
                     square = attila_morton8(x % ROP_FIELD, y % ROP_FIELD) / f->num_rops;
      place = ((fields * squares + square) << (columns + rows)) +
              (((ty & ((1u << rows) - 1)) << columns) | (tx & ((1u << columns) - 1)));
   }
   return (first + place) % f->num_shaders;
}

bool
ffu_any_idle(const struct ffu *f)
{
   for (unsigned s = 0; s < f->num_shaders; s++) {
      if (!f->load[s])
         return true;
   }
   return false;
}

int
ffu_choose_shader(const struct ffu *f, unsigned first, unsigned last, uint32_t below, sim_tick now)
{
   struct sim_signal *out = f->box.gpu->net.ffu_shf;
   int best = -1;
   for (unsigned i = 0, s = f->first_choice; i < f->last_vertex_shader; i++, s++) {
      s = s >= f->last_vertex_shader ? 0 : s;
      if (f->load[s] >= below || s < first || s >= last || !sim_can_send(&out[s], now))
         continue;
      best = (int)s;
      below = f->load[s];
   }
   return best;
}

static inline bool
ffu_has_room(const struct ffu *f, unsigned s, sim_tick now)
{
   return sim_can_send(&f->box.gpu->net.ffu_shf[s], now);
}

/* Returns the ROP's shader until that has got its batch or is full, then the next one with room. */
static int
ffu_choose_batch(struct ffu *f, struct ffu_rop *rop, sim_tick now)
{
   if (rop->given >= f->batch_size || !ffu_has_room(f, rop->owner, now)) {
      unsigned tried = 0, s = f->next_shader;
      for (; tried < f->num_shaders && !ffu_has_room(f, s, now); tried++)
         s = s + 1 == f->num_shaders ? 0 : s + 1;
      if (tried == f->num_shaders)
         return -1;
      rop->owner = s;
      rop->given = 0;
      f->next_shader = s + 1 == f->num_shaders ? 0 : s + 1;
   }
   rop->given += f->lanes;
   return (int)rop->owner;
}

/* Returns whether another ROP's square goes to the same shader. */
static bool
ffu_shares_shader(const struct ffu *f, const struct ffu_rop *rop)
{
   for (unsigned r = 0; r < f->num_rops; r++) {
      const struct ffu_rop *other = &f->rop[r];
      if (other != rop && other->in_flight && other->owner == rop->owner)
         return true;
   }
   return false;
}

/* A square leaves a full shader for an idle one. If it shares the shader with another ROP's square,
 * it also leaves for a shader with fewer groups. Otherwise that shader would run out of work before
 * the two squares are done, since the quads that it could get wait in HZ behind quads of these two
 * ROPs. */
static int
ffu_choose_square(struct ffu *f, struct ffu_rop *rop, sim_tick now)
{
   const struct sim_quad *q = rop->open.group->quad[0];
   const uint32_t square = (uint32_t)q->x >> FFU_SQUARE | ((uint32_t)q->y >> FFU_SQUARE) << 16;
   const bool stays = square == rop->square && rop->given < f->batch_size;
   int s = (int)rop->owner;
   if (!stays || !ffu_has_room(f, rop->owner, now)) {
      const uint32_t below = !stays                      ? UINT32_MAX
                             : ffu_shares_shader(f, rop) ? f->load[rop->owner]
                                                         : 1;
      s = ffu_choose_shader(f, 0, f->num_shaders, below, now);
      if (s < 0)
         return -1;
      rop->square = square;
      rop->owner = (unsigned)s;
      rop->given = 0;
   }
   rop->given += f->lanes;
   return s;
}

int
ffu_choose(struct ffu *f, struct ffu_rop *rop, sim_tick now)
{
   switch (f->distribution) {
   case FFU_TILES:
      return (int)ffu_tile_owner(f, rop->open.group->quad[0]);
   case FFU_BATCHES:
      return ffu_choose_batch(f, rop, now);
   case FFU_FEWEST_SQUARES:
      return ffu_choose_square(f, rop, now);
   default:
      return ffu_choose_shader(f, 0, f->num_shaders, UINT32_MAX, now);
   }
}
