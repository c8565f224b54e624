/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim picture --coverage, --overdraw, --wireframe: what a draw covered, over the surface
 * after it. Not here: the counts (func/func_cover.c), files (cli_picture_files.c). */
#include <stdlib.h>
#include <string.h>
#include "cli/cli_picture.h"
#include "func/sim_func.h"
#include "picture/sim_maps.h"

void
cli_picture_cover_free(struct cli_picture_job *j)
{
   if (j->cover)
      free(j->cover->pixel);
   free(j->cover);
   j->cover = NULL;
}

static bool
cli_picture_cover_start(struct cli_picture_job *j)
{
   const struct attila_regs *r = sim_frontend_regs(attila_session_device(j->sim)->frontend);
   struct sim_func_cover *c = calloc(1, sizeof(*c));
   if (!c)
      return false;
   *c = (struct sim_func_cover){.width = r->fb_width, .height = r->fb_height};
   c->pixel = calloc((size_t)c->width * c->height + 1, sizeof(*c->pixel));
   j->cover = c;
   return c->pixel != NULL;
}

static void
cli_picture_cover_sum(struct cli_picture_job *j)
{
   const struct sim_func_cover *c = j->cover;
   memset(&j->covered, 0, sizeof(j->covered));
   for (size_t i = 0; i < (size_t)c->width * c->height; i++) {
      const struct sim_func_cover_pixel *p = &c->pixel[i];
      j->covered.pixels += p->fragments != 0;
      j->covered.fragments += p->fragments;
      j->covered.passed += p->passed;
      j->covered.most = p->fragments > j->covered.most ? p->fragments : j->covered.most;
   }
}

bool
cli_picture_cover_draw(struct cli_picture_job *j, struct cli_batch *b)
{
   if (!(j->o->kinds >> KIND_COVERAGE))
      return cli_picture_execute(j, b);
   if (!cli_picture_cover_start(j))
      return cli_picture_fail("out of host memory");
   attila_probe_cover(attila_session_machine(j->sim), j->cover);
   const bool ok = cli_picture_execute(j, b);
   attila_probe_cover(attila_session_machine(j->sim), NULL);
   cli_picture_cover_sum(j);
   return ok;
}

/* --- Colours --- */

/* Bright and dark, so that they differ for eyes that see no red or no green, too. */
static const uint8_t green[3] = {0x6e, 0xf0, 0xa0}, red[3] = {0xd0, 0x30, 0x20},
                     line[3] = {0xff, 0xe0, 0x60};

static void
cli_picture_cover_coverage(const struct sim_func_cover_pixel *p, uint8_t rgb[3])
{
   if (!p->fragments) {
      picture_dim_pixel(rgb);
      return;
   }
   /* A third of what is there stays visible. */
   const uint8_t *color = p->passed ? green : red;
   for (unsigned c = 0; c < 3; c++)
      rgb[c] = (uint8_t)((2 * color[c] + rgb[c]) / 3);
}

static void
cli_picture_cover_overdraw(const struct sim_func_cover_pixel *p, uint32_t most, uint8_t rgb[3])
{
   /* The darkest fifth of the scale would look like what is dimmed. */
   if (p->fragments)
      sim_map_scale_color(0.2 + (most > 1 ? 0.8 * (p->fragments - 1) / (most - 1) : 0.0), rgb);
   else
      picture_dim_pixel(rgb);
}

static void
cli_picture_cover_wireframe(const struct sim_func_cover_pixel *p, uint8_t rgb[3])
{
   for (unsigned c = 0; c < 3; c++)
      rgb[c] = p->edge ? line[c] : rgb[c] / 2;
}

/* Returns the pixels of row y, counted from the top. */
static const struct sim_func_cover_pixel *
cli_picture_cover_row(const struct sim_func_cover *c, bool bottom_up, uint32_t y)
{
   return c->pixel + (size_t)(bottom_up ? c->height - 1 - y : y) * c->width;
}

void
cli_picture_cover_paint(const struct cli_picture_job *j, enum cli_picture_kind kind, bool bottom_up,
                        uint8_t *rgb)
{
   const struct sim_func_cover *c = j->cover;
   for (uint32_t y = 0; y < c->height; y++) {
      const struct sim_func_cover_pixel *p = cli_picture_cover_row(c, bottom_up, y);
      for (uint32_t x = 0; x < c->width; x++, p++, rgb += 3) {
         if (kind == KIND_COVERAGE)
            cli_picture_cover_coverage(p, rgb);
         else if (kind == KIND_OVERDRAW)
            cli_picture_cover_overdraw(p, j->covered.most, rgb);
         else
            cli_picture_cover_wireframe(p, rgb);
      }
   }
}

uint32_t *
cli_picture_cover_counts(const struct cli_picture_job *j, bool bottom_up)
{
   const struct sim_func_cover *c = j->cover;
   uint32_t *counts = malloc(((size_t)c->width * c->height + 1) * 2 * sizeof(*counts)),
            *to = counts;
   for (uint32_t y = 0; counts && y < c->height; y++) {
      const struct sim_func_cover_pixel *p = cli_picture_cover_row(c, bottom_up, y);
      for (uint32_t x = 0; x < c->width; x++, p++) {
         *to++ = p->fragments;
         *to++ = p->passed;
      }
   }
   return counts;
}
