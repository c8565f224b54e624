/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Slices of textures, and which of them have contents. Not here: creation
 * (attila_resource_create.c), zeros in unwritten slices (attila_lazy_zero.c), use by commands
 * (attila_coherence.c). */
#include "attila_resource.h"

#include "util/u_math.h"
#include "util/u_memory.h"

unsigned
attila_level_slices(const struct attila_resource *res, unsigned level)
{
   return res->base.target == PIPE_TEXTURE_3D ? u_minify(res->base.depth0, level)
                                              : res->base.array_size;
}

struct attila_rect
attila_whole_image(const struct attila_resource *res)
{
   return (struct attila_rect){.width = DIV_ROUND_UP(res->base.width0, res->block_width),
                               .height = DIV_ROUND_UP(res->base.height0, res->block_height)};
}

bool
attila_box_is_whole(const struct attila_resource *res, unsigned level, const struct pipe_box *box)
{
   /* A compressed level may be smaller than its blocks. */
   return box->x == 0 && box->y == 0 && box->width >= (int)u_minify(res->base.width0, level) &&
          box->height >= (int)u_minify(res->base.height0, level);
}

static unsigned
attila_resource_num_slices(const struct attila_resource *res)
{
   const unsigned last = res->base.last_level;
   return res->first_slice[last] + attila_level_slices(res, last);
}

bool
attila_undefined_init(struct attila_resource *res)
{
   for (unsigned l = 1; l <= res->base.last_level; l++)
      res->first_slice[l] = res->first_slice[l - 1] + attila_level_slices(res, l - 1);
   res->num_undefined = attila_resource_num_slices(res);
   res->defined = CALLOC(BITSET_WORDS(res->num_undefined), sizeof(BITSET_WORD));
   return res->defined != NULL;
}

void
attila_undefine(struct attila_resource *res)
{
   res->num_undefined = attila_resource_num_slices(res);
   memset(res->defined, 0, BITSET_WORDS(res->num_undefined) * sizeof(BITSET_WORD));
}

bool
attila_is_defined(const struct attila_resource *res, unsigned level, unsigned z)
{
   return BITSET_TEST(res->defined, res->first_slice[level] + z);
}

unsigned
attila_num_defined(const struct attila_resource *res)
{
   return attila_resource_num_slices(res) - res->num_undefined;
}

unsigned
attila_num_defined_in(const struct attila_resource *res, unsigned level, unsigned z, unsigned num)
{
   unsigned defined = 0;
   for (unsigned i = 0; i < num; i++)
      defined += attila_is_defined(res, level, z + i);
   return defined;
}

bool
attila_copies_nothing(const struct attila_resource *src, unsigned src_level,
                      const struct pipe_box *box, const struct attila_resource *dst,
                      unsigned dst_level, unsigned dst_z, unsigned dst_depth)
{
   return !dst->is_front && !dst->dmabuf &&
          !attila_num_defined_in(src, src_level, box->z, box->depth) &&
          !attila_num_defined_in(dst, dst_level, dst_z, dst_depth);
}

void
attila_define_slices(struct attila_resource *res, unsigned level, unsigned z, unsigned num)
{
   for (unsigned i = res->first_slice[level] + z; num; i++, num--) {
      if (BITSET_TEST(res->defined, i))
         continue;
      BITSET_SET(res->defined, i);
      res->num_undefined--;
   }
}
