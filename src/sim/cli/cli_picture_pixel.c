/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim picture --pixel: every fragment of a pixel, its fate, and the values of the pixel
 * before and after the fragment. And --grid: those of every Nth pixel of every Nth row. Not here:
 * the fates (func/func_pixel.c). */
#include <stdlib.h>
#include <string.h>
#include "cli/cli_picture.h"
#include "core/sim_json.h"
#include "func/sim_func.h"
#include "hw/attila_surface.h"

/* The callback's data. */
struct watched {
   struct cli_picture_job *job;
   const char *target;
   struct picture_surface color, zs;
   bool has_color, has_depth;
   uint32_t x, y;   /* in memory */
   uint32_t height; /* of the surfaces */
   bool bottom_up;
   uint32_t frame, draw;
   float color_before[4], depth_before;
};

/* Reads a pixel of a surface, decoding only its tile. */
static bool
cli_picture_pixel_value(const struct watched *w, const struct picture_surface *s,
                        enum picture_plane plane, float value[4])
{
   const struct sim_device *d = attila_session_device(w->job->sim);
   const uint32_t bytes = ATTILA_TILE_ELEMENTS * attila_formats[s->format].bytes * s->samples;
   struct picture_surface tile = *s;
   struct picture p;
   tile.address +=
       bytes * attila_tile_number(s->pitch_tiles, w->x / ATTILA_TILE_DIM, w->y / ATTILA_TILE_DIM);
   tile.pitch_tiles = 1;
   tile.width = tile.height = ATTILA_TILE_DIM;
   tile.bottom_up = false;
   if (!picture_take(&p, &tile, plane, d->memory))
      return false;
   memcpy(value, p.pixel[w->y % ATTILA_TILE_DIM * ATTILA_TILE_DIM + w->x % ATTILA_TILE_DIM],
          4 * sizeof(float));
   picture_free(&p);
   return true;
}

static void
cli_picture_pixel_values(const struct watched *w, float color[4], float *depth)
{
   float value[4] = {0};
   memset(color, 0, 4 * sizeof(*color));
   *depth = 0;
   if (w->has_color && !cli_picture_pixel_value(w, &w->color, PICTURE_COLOR, color))
      w->job->failed = true;
   if (w->has_depth && !cli_picture_pixel_value(w, &w->zs, PICTURE_DEPTH, value))
      w->job->failed = true;
   *depth = value[0];
}

/* --- Output --- */

static const char *const fates[] = {[SIM_FUNC_PASSED] = "passed",
                                    [SIM_FUNC_FAILED_STENCIL] = "failed stencil",
                                    [SIM_FUNC_FAILED_DEPTH] = "failed depth",
                                    [SIM_FUNC_KILLED] = "killed"};

static void
cli_picture_pixel_put_json_color(const char *name, bool has, const float c[4])
{
   const double v[4] = {(double)c[0], (double)c[1], (double)c[2], (double)c[3]};
   printf(", \"%s\": ", name);
   if (has)
      sim_json_vec4(stdout, v);
   else
      printf("null");
}

static void
cli_picture_pixel_put_json_number(const char *name, bool has, float n)
{
   printf(", \"%s\": ", name);
   if (has)
      sim_json_number(stdout, (double)n);
   else
      printf("null");
}

static void
cli_picture_pixel_put_json(const struct watched *w, const struct sim_func_fragment *f,
                           const float color[4], float depth)
{
   const char *label = sim_frontend_label(attila_session_device(w->job->sim)->frontend);
   printf("%s {\"frame\": %u, \"draw\": %u, \"label\": ", w->job->pictures ? ",\n" : "", w->frame,
          w->draw);
   if (label && *label)
      sim_json_text(stdout, label);
   else
      printf("null");
   printf(", \"target\": \"%s\", \"address\": %u, \"layer\": %u, \"primitive\": %u, "
          "\"front\": %s, \"covered\": %u, \"passed\": %u, \"fate\": \"%s\"",
          w->target, w->has_color ? w->color.address : w->zs.address, f->layer, f->primitive,
          f->front ? "true" : "false", f->covered, f->passed, fates[f->fate]);
   cli_picture_pixel_put_json_number("z", true, f->z);
   cli_picture_pixel_put_json_color("output", f->shaded, f->output);
   cli_picture_pixel_put_json_color("color_before", w->has_color, w->color_before);
   cli_picture_pixel_put_json_color("color_after", w->has_color, color);
   cli_picture_pixel_put_json_number("depth_before", w->has_depth, w->depth_before);
   cli_picture_pixel_put_json_number("depth_after", w->has_depth, depth);
   printf("}");
}

static void
cli_picture_pixel_put_color(bool has, const float c[4])
{
   char text[60] = "-";
   if (has)
      snprintf(text, sizeof(text), "%.3f %.3f %.3f %.3f", (double)c[0], (double)c[1], (double)c[2],
               (double)c[3]);
   printf("  %-25s", text);
}

static void
cli_picture_pixel_put_text(const struct watched *w, const struct sim_func_fragment *f,
                           const float color[4], float depth)
{
   if (!w->job->pictures)
      printf("%5s %9s %5s %5s %-14s %8s  %-25s  %-25s  %-25s  %8s  %8s\n", "draw", "primitive",
             "layer", "face", "what came of it", "z", "program's colour", "colour before", "after",
             "depth before", "after");
   printf("%5u %9u %5u %5s %-14s  %8.6f", w->draw, f->primitive, f->layer,
          f->front ? "front" : "back", fates[f->fate], (double)f->z);
   cli_picture_pixel_put_color(f->shaded, f->output);
   cli_picture_pixel_put_color(w->has_color, w->color_before);
   cli_picture_pixel_put_color(w->has_color, color);
   if (w->has_depth)
      printf("      %8.6f  %8.6f\n", (double)w->depth_before, (double)depth);
   else
      printf("      %8s  %8s\n", "-", "-");
}

static void
cli_picture_pixel_fragment(void *user, const struct sim_func_fragment *found, bool after)
{
   struct watched *w = user;
   float color[4], depth;
   w->color.address = found->color;
   w->zs.address = found->zs;
   if (!after) {
      cli_picture_pixel_values(w, w->color_before, &w->depth_before);
      return;
   }
   cli_picture_pixel_values(w, color, &depth);
   struct sim_func_fragment f = *found;
   if (w->has_color)
      picture_output(&w->color, f.output);
   if (cli_picture_pixel_json(w->job->o))
      cli_picture_pixel_put_json(w, &f, color, depth);
   else
      cli_picture_pixel_put_text(w, &f, color, depth);
   w->job->pictures++;
}

/* --- A draw --- */

/* Finds the surfaces of a draw; false: none. */
static bool
cli_picture_pixel_start(struct watched *w)
{
   const struct sim_device *d = attila_session_device(w->job->sim);
   const struct attila_regs *r = sim_frontend_regs(d->frontend);
   w->color = cli_picture_surface(w->job, r, 0);
   w->zs = cli_picture_surface(w->job, r, SURFACE_DEPTH);
   w->has_color = picture_has_plane(&w->color, PICTURE_COLOR, d->memory_size);
   w->has_depth = picture_has_plane(&w->zs, PICTURE_DEPTH, d->memory_size);
   w->target = w->has_color ? "color0" : "depth";
   w->height = r->fb_height;
   w->bottom_up = w->has_color ? w->color.bottom_up : w->zs.bottom_up;
   w->job->draws++;
   return w->has_color || w->has_depth;
}

bool
cli_picture_pixel_draw(struct cli_picture_job *j, const struct cli_command *c, uint32_t draw,
                       struct cli_batch *b)
{
   struct watched w = {.job = j, .frame = c->frame, .draw = draw};
   w.x = j->o->pixel[0];
   w.y = j->o->pixel[1];
   if (!cli_picture_pixel_start(&w) || w.x >= w.color.width || w.y >= w.height)
      return cli_picture_execute(j, b);
   if (w.bottom_up)
      w.y = w.height - 1 - w.y;
   attila_probe_pixel(attila_session_machine(j->sim), (int32_t)w.x, (int32_t)w.y,
                      cli_picture_pixel_fragment, &w);
   const bool ok = cli_picture_execute(j, b);
   attila_probe_pixel(attila_session_machine(j->sim), 0, 0, NULL, NULL);
   return ok && (!j->failed || cli_picture_fail("out of host memory"));
}

/* --- A grid --- */

static void
cli_picture_pixel_put_csv(bool has, unsigned count, const float *value)
{
   for (unsigned i = 0; i < count; i++) {
      printf(",");
      if (has)
         printf("%.9g", (double)value[i]);
   }
}

static void
cli_picture_pixel_grid(void *user, int32_t x, int32_t y, const struct sim_func_fragment *found)
{
   struct watched *w = user;
   float color[4], depth, output[4];
   w->x = (uint32_t)x;
   w->y = (uint32_t)y;
   w->color.address = found->color;
   w->zs.address = found->zs;
   cli_picture_pixel_values(w, color, &depth);
   memcpy(output, found->output, sizeof(output));
   if (w->has_color)
      picture_output(&w->color, output);
   printf("%u,%u,%u,%u,%u,%u,%u,%s", w->frame, w->draw,
          w->has_color ? w->color.address : w->zs.address, w->x,
          w->bottom_up ? w->height - 1 - w->y : w->y, found->layer, found->primitive,
          fates[found->fate]);
   cli_picture_pixel_put_csv(true, 1, &found->z);
   cli_picture_pixel_put_csv(found->shaded, 4, output);
   cli_picture_pixel_put_csv(w->has_color, 4, color);
   cli_picture_pixel_put_csv(w->has_depth, 1, &depth);
   printf("\n");
   w->job->pictures++;
}

bool
cli_picture_grid_draw(struct cli_picture_job *j, const struct cli_command *c, uint32_t draw,
                      struct cli_batch *b)
{
   struct watched w = {.job = j, .frame = c->frame, .draw = draw};
   const uint32_t step = j->o->given->grid;
   if (!cli_picture_pixel_start(&w))
      return cli_picture_execute(j, b);
   /* The middles of blocks that --max-size makes pixels of. */
   const int32_t x = (int32_t)(step / 2),
                 y = w.bottom_up ? (int32_t)(w.height - 1 - step / 2 + step) : x;
   attila_probe_grid(attila_session_machine(j->sim), x, y, (int32_t)step, cli_picture_pixel_grid,
                     &w);
   const bool ok = cli_picture_execute(j, b);
   attila_probe_grid(attila_session_machine(j->sim), 0, 0, 1, NULL, NULL);
   return ok && (!j->failed || cli_picture_fail("out of host memory"));
}

void
cli_picture_pixel_begin(const struct cli_picture_job *j)
{
   if (j->o->given->grid)
      printf("frame,draw,address,x,y,layer,primitive,fate,z,output.r,output.g,output.b,output.a,"
             "after.r,after.g,after.b,after.a,depth_after\n");
   else if (cli_picture_pixel_json(j->o))
      printf("[");
}

void
cli_picture_pixel_end(const struct cli_picture_job *j)
{
   if (cli_picture_pixel_json(j->o))
      printf("]\n");
   else if (j->draws && !j->pictures && j->o->given->pixel)
      printf("no fragment came to this pixel in %llu draws\n", (unsigned long long)j->draws);
}
