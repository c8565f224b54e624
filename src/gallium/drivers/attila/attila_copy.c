/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Copies of elements between textures, and resolves, by the GPU's blitter. */
#include "attila_copy.h"

#include <string.h>
#include "attila_coherence.h"
#include "attila_cs.h"
#include "attila_format_map.h"
#include "attila_front.h"
#include "attila_lazy_zero.h"
#include "attila_resource.h"
#include "util/box.h"
#include "util/u_math.h"

void
attila_copy_elements(struct attila_cs *cs, struct attila_resource *dst, unsigned dst_level,
                     unsigned dst_x, unsigned dst_y, unsigned dst_z, struct attila_resource *src,
                     unsigned src_level, const struct pipe_box *box, uint32_t resolve,
                     enum pipe_format format)
{
   const unsigned width = DIV_ROUND_UP(box->width, src->block_width),
                  height = DIV_ROUND_UP(box->height, src->block_height);
   struct pipe_box dst_box;
   u_box_3d(dst_x, dst_y, dst_z, width * dst->block_width, height * dst->block_height, box->depth,
            &dst_box);
   attila_front_import(cs, src);
   attila_front_write(cs, dst, attila_box_is_whole(dst, dst_level, &dst_box));
   attila_zero_slices(cs, src, src_level, box->z, box->depth);
   attila_define_box(cs, dst, dst_level, &dst_box);
   attila_resource_flush(cs, src);
   attila_resource_flush(cs, dst);
   struct attila_cmd_blit blit = {
       .src = {.address = attila_slice_address(src, src_level, 0),
               .pitch_tiles = src->layout.pitch_tiles[src_level],
               .slice_stride = src->layout.slice_stride[src_level],
               .x = box->x / src->block_width,
               .y = box->y / src->block_height,
               .z = box->z},
       .dst = {.address = attila_slice_address(dst, dst_level, 0),
               .pitch_tiles = dst->layout.pitch_tiles[dst_level],
               .slice_stride = dst->layout.slice_stride[dst_level],
               .x = dst_x / dst->block_width,
               .y = dst_y / dst->block_height,
               .z = dst_z},
       .width = width,
       .height = height,
       .depth = box->depth,
       .element_bytes = src->element_bytes,
       .samples = attila_samples(src),
       .resolve = resolve,
       .format = attila_map_format(format)->format,
   };
   memcpy(attila_cs_emit(cs, ATTILA_CMD_BLIT, sizeof(blit) / 4), &blit, sizeof(blit));
   cs->frame_has_work = true;
}
