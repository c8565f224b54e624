/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Constant state objects, with register words computed at creation. */
#ifndef ATTILA_STATE_OBJECTS_H
#define ATTILA_STATE_OBJECTS_H

#include <stdbool.h>
#include "hw/attila_regs.h"
#include "pipe/p_state.h"

struct attila_blend {
   struct attila_color_regs
       color[ATTILA_MAX_COLOR_BUFFERS]; /* the blending registers of each buffer */
   uint32_t logicop_enable, logicop, alpha_to_coverage, alpha_to_one;
};

struct attila_zsa {
   uint32_t z_test, z_write, z_func;
   bool alpha_test;
   uint8_t alpha_func; /* enum attila_func */
   float alpha_ref;
   struct attila_stencil_regs stencil[2];
};

struct attila_rasterizer {
   struct pipe_rasterizer_state base;
};

struct attila_sampler {
   struct attila_tex_regs regs; /* the sampler's registers */
};

struct attila_sampler_view {
   struct pipe_sampler_view base;
   struct attila_tex_regs regs; /* the view's registers; drawing adds the address */
   uint8_t format_swizzle[4];   /* the format's share of regs.swizzle */
   uint32_t offset;             /* bytes from the resource's address */
};

struct attila_vertex_elements {
   unsigned num;
   struct {
      uint8_t buffer, format;
      uint16_t offset;
      uint32_t stride, divisor;
   } element[ATTILA_MAX_ATTRIBS];
};

#endif
