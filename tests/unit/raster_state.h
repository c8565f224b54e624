/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A draw state for tests of the rasteriser: real programs, an untouched framebuffer in memory,
 * pixel = clip coordinate. */
#ifndef RASTER_STATE_H
#define RASTER_STATE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "emul/raster/emul_raster.h"

#define MEMORY (64u << 20)

/* The program for a text. Texts are literals, so each is assembled once and kept. */
static const struct emul_program *
assemble(const char *text, unsigned stage)
{
   static struct {
      const char *text;
      const struct emul_program *program;
   } made[16];
   unsigned n = 0;
   for (; n < 16 && made[n].text; n++) {
      if (made[n].text == text)
         return made[n].program;
   }
   assert_true(n < 16);
   struct attila_isa_program isa;
   char error[256];
   if (!attila_isa_assemble(text, &isa, error, sizeof(error)) || isa.stage != stage) {
      print_error("%s\n", error);
      fail();
   }
   const struct emul_program *p = emul_program_create(&isa);
   attila_isa_free(&isa);
   made[n].text = text;
   made[n].program = p;
   return p;
}

/* Window coordinates are clip coordinates for w = 1: x and y in pixels, z in [0, 1]. */
static inline void
state_regs(struct attila_regs *r, uint32_t width, uint32_t height)
{
   memset(r, 0, sizeof(*r));
   r->fb_width = r->scissor_maxx = width;
   r->fb_height = r->scissor_maxy = height;
   r->viewport_scale[0] = r->viewport_translate[0] = width / 2.0f;
   r->viewport_scale[1] = r->viewport_translate[1] = height / 2.0f;
   r->viewport_scale[2] = r->viewport_translate[2] = 0.5f;
   r->half_pixel_center = 1;
   r->depth_clip = 1;
   r->line_width = r->point_size = 1.0f;
   r->edge_flag_output = ATTILA_NO_VARYING;
   r->sample_mask = 0xff;
}

static inline void
state_init(struct emul_draw_state *s, const struct attila_regs *r, unsigned prim, const char *fs)
{
   static const struct emul_program *vs;
   struct attila_cmd_draw cmd = {.prim = prim, .count = 3, .num_instances = 1};
   char error[256] = "";
   if (!vs)
      vs = assemble(".vertex\nMOV o0, i0\nMOV o1, i1\nMOV o2, i2\nMOV o3, i3\nEND\n",
                    ATTILA_STAGE_VERTEX);
   memset(s, 0, sizeof(*s));
   s->vs = vs;
   s->fs = assemble(fs, ATTILA_STAGE_FRAGMENT);
   if (!emul_draw_state_init(s, r, &cmd, MEMORY, error, sizeof(error))) {
      print_error("%s\n", error);
      fail();
   }
}

/* A vertex at a window position. */
static inline void
window_vertex(const struct attila_regs *r, struct emul_vertex *v, double x, double y, double z,
              double w)
{
   memset(v, 0, sizeof(*v));
   v->out[0][0] = (float)((x - r->viewport_translate[0]) / r->viewport_scale[0] * w);
   v->out[0][1] = (float)((y - r->viewport_translate[1]) / r->viewport_scale[1] * w);
   v->out[0][2] = (float)((z - r->viewport_translate[2]) / r->viewport_scale[2] * w);
   v->out[0][3] = (float)w;
}

static uint32_t random_state = 12345;

static inline uint32_t
random_u32(void)
{
   random_state ^= random_state << 13;
   random_state ^= random_state >> 17;
   random_state ^= random_state << 5;
   return random_state;
}

static inline double
random_double(double lo, double hi)
{
   return lo + (hi - lo) * (random_u32() / 4294967296.0);
}

#endif
