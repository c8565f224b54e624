/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Hierarchical Z, the test: finds the quads of a tile that cannot have a visible fragment. It tests
 * a tile against the bounds of all its blocks; variants that test quads test each against its own
 * block (multisampled or wide elements have several per tile). Not here: where bounds come from
 * (hz_surface.c), when they arrive and at what cost (variants). */
#include "box/raster/hz.h"

void
hz_tile_range(const struct hz *h, const struct hz_tile *t, uint32_t *near, uint32_t *far)
{
   const struct emul_setup *s = &t->m.prim->setup;
   const struct attila_format_desc *format = t->m.draw->state.zs_format;
   float zmin = s->zmin, zmax = s->zmax;
   /* Non-finite depths have no order. */
   if (__builtin_isfinite(s->z[0]) && __builtin_isfinite(s->z[1]) && __builtin_isfinite(s->z[2]))
      emul_tile_depth_range(s, t->m.x, t->m.y, &zmin, &zmax);
   *near = h->variant->code(format, emul_zs_code(format, zmin));
   *far = h->variant->code(format, emul_zs_code(format, zmax));
}

/* Returns whether no fragment with depths from near to far can pass. */
static bool
hz_test_hidden(enum hz_test test, bool exact, uint32_t near, uint32_t far, uint32_t bound_near,
               uint32_t bound_far)
{
   switch (test) {
   case HZ_TEST_LESS:
      return exact ? near >= bound_far : near > bound_far;
   case HZ_TEST_LEQUAL:
      return near > bound_far;
   case HZ_TEST_GREATER:
      return exact ? far <= bound_near : far < bound_near;
   case HZ_TEST_GEQUAL:
      return far < bound_near;
   default:
      return false;
   }
}

/* Finds the codes of a quad's nearest and farthest covered sample. */
static void
hz_test_quad_range(const struct hz *h, const struct hz_tile *t, unsigned q, uint32_t *near,
                   uint32_t *far)
{
   const struct emul_draw_state *s = &t->m.draw->state;
   *near = EMUL_ZS_FARTHER;
   *far = EMUL_ZS_NEARER;
   for (unsigned i = 0; i < s->samples; i++) {
      uint32_t nibble = t->mask[q] >> (4 * i) & 15, code[4];
      float z[4];
      if (!nibble)
         continue;
      emul_quad_depth(&t->m.prim->setup, t->m.x + emul_quad_x(q), t->m.y + emul_quad_y(q), i,
                      s->samples, z);
      emul_zs_codes(s->zs_format, z, code);
      for (unsigned p = 0; p < 4; p++) {
         if (!(nibble >> p & 1))
            continue;
         *near = code[p] < *near ? code[p] : *near;
         *far = code[p] > *far ? code[p] : *far;
      }
   }
   *near = h->variant->code(s->zs_format, *near);
   *far = h->variant->code(s->zs_format, *far);
}

/* Bounds of all blocks together, and the tightest of any block. */
struct bounds {
   uint32_t near, far, tight_near, tight_far;
};

static struct bounds
hz_test_find_bounds(const struct hz *h, const struct hz_tile *t)
{
   struct bounds all = {EMUL_ZS_FARTHER, EMUL_ZS_NEARER, EMUL_ZS_NEARER, EMUL_ZS_FARTHER};
   for (uint32_t b = t->block; b < t->block + t->num_blocks; b++) {
      uint32_t near, far;
      h->variant->bounds(h, t, b, &near, &far);
      all.near = near < all.near ? near : all.near;
      all.far = far > all.far ? far : all.far;
      all.tight_near = near > all.tight_near ? near : all.tight_near;
      all.tight_far = far < all.tight_far ? far : all.tight_far;
   }
   return all;
}

uint16_t
hz_test_tile(const struct hz *h, const struct hz_tile *t)
{
   const bool exact = h->variant->exact(t->m.draw->state.zs_format);
   const struct bounds all = hz_test_find_bounds(h, t);
   uint32_t near, far;
   hz_tile_range(h, t, &near, &far);
   if (hz_test_hidden(t->test, exact, near, far, all.near, all.far))
      return t->stamps;
   /* If a quad at the other end of the tile's range would not be hidden by the tightest bounds, no
    * quad is. */
   if (!h->variant->per_quad ||
       !hz_test_hidden(t->test, exact, far, near, all.tight_near, all.tight_far))
      return 0;
   uint16_t culled = 0;
   for (unsigned q = 0; q < HZ_TILE_STAMPS; q++) {
      uint32_t bound_near, bound_far;
      if (!(t->stamps >> q & 1))
         continue;
      /* Quads are in Morton order, so each lies in one block. */
      h->variant->bounds(h, t, t->block + q * t->num_blocks / HZ_TILE_STAMPS, &bound_near,
                         &bound_far);
      hz_test_quad_range(h, t, q, &near, &far);
      culled |= (uint16_t)(hz_test_hidden(t->test, exact, near, far, bound_near, bound_far) << q);
   }
   return culled;
}

bool
hz_tile_passes(const struct hz *h, const struct hz_tile *t)
{
   /* Uses the current bounds, not those that the variant reads and may still have to wait for. */
   uint32_t near, far, bound_near = EMUL_ZS_FARTHER, bound_far = EMUL_ZS_NEARER;
   for (uint32_t b = t->block; b < t->block + t->num_blocks; b++) {
      bound_near = h->near[b] < bound_near ? h->near[b] : bound_near;
      bound_far = h->far[b] > bound_far ? h->far[b] : bound_far;
   }
   const bool equal = h->variant->exact(t->m.draw->state.zs_format);
   hz_tile_range(h, t, &near, &far);
   switch (h->accept) {
   case HZ_TEST_LESS:
      return far < bound_near;
   case HZ_TEST_LEQUAL:
      return equal ? far <= bound_near : far < bound_near;
   case HZ_TEST_GREATER:
      return near > bound_far;
   case HZ_TEST_GEQUAL:
      return equal ? near >= bound_far : near > bound_far;
   default:
      return false;
   }
}
