/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim picture: its files, and the textures of a draw. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli_picture.h"
#include "core/sim_file.h"
#include "core/sim_mix.h"
#include "hw/attila_surface.h"

bool
cli_picture_fail(const char *message)
{
   fprintf(stderr, "attila-sim: %s\n", message);
   return false;
}

static bool
cli_picture_files_picture_is_srgb(enum attila_format format)
{
   return (attila_formats[format].uses & ATTILA_USE_SRGB) != 0;
}

/* Returns the kind of file that a path names. In a folder the simulator chooses the names. */
static enum sim_file_kind
cli_picture_kind(const struct cli_picture_job *j)
{
   return j->o->given->file ? SIM_FILE_GIVEN : SIM_FILE_OURS;
}

bool
cli_picture_write(struct cli_picture_job *j, const char *path, uint8_t *rgb, uint32_t width,
                  uint32_t height)
{
   char error[4400];
   const uint32_t max = j->o->given->max_size, large = width > height ? width : height;
   if (max && large > max)
      picture_shrink(rgb, &width, &height, (large + max - 1) / max);
   if (!picture_write_png(path, cli_picture_kind(j), rgb, width, height, error, sizeof(error)))
      return cli_picture_fail(error);
   j->pictures++;
   return true;
}

/* Writes a file beside the PNG. */
static bool
cli_picture_files_picture_write_raw(const struct cli_picture_job *j, const char *png,
                                    const struct picture *p, bool color)
{
   char error[4400];
   const size_t n = (size_t)p->width * p->height;
   float *one = color ? NULL : malloc(n * sizeof(*one));
   if (!color && !one)
      return cli_picture_fail("out of host memory");
   char *path = sim_file_path("%.*s.npy", (int)(strlen(png) - 4), png);
   for (size_t i = 0; one && i < n; i++)
      one[i] = p->pixel[i][0];
   bool ok = picture_write_npy(path, cli_picture_kind(j), "<f4", one ? (const void *)one : p->pixel,
                               p->width, p->height, one ? 1 : 4, error, sizeof(error));
   free(path);
   free(one);
   return ok || cli_picture_fail(error);
}

/* The same for --overdraw: fragments and passed ones of each pixel. */
static bool
cli_picture_files_picture_write_counts(const struct cli_picture_job *j, const char *png, unsigned s)
{
   char error[4400];
   uint32_t *counts = cli_picture_cover_counts(j, j->surface[s].bottom_up);
   if (!counts)
      return cli_picture_fail("out of host memory");
   char *path = sim_file_path("%.*s.npy", (int)(strlen(png) - 4), png);
   const bool ok = picture_write_npy(path, cli_picture_kind(j), "<u4", counts, j->surface[s].width,
                                     j->surface[s].height, 2, error, sizeof(error));
   free(path);
   free(counts);
   return ok || cli_picture_fail(error);
}

/* Writes the values of a picture of a draw, if --raw asks for them and the kind has some. */
static bool
cli_picture_files_picture_raw(const struct cli_picture_job *j, unsigned s,
                              enum cli_picture_kind kind, const char *path, const struct picture *p)
{
   if (!j->o->given->raw)
      return true;
   if (kind == KIND_BEFORE || kind == KIND_AFTER)
      return cli_picture_files_picture_write_raw(j, path, p, cli_picture_plane(s) == PICTURE_COLOR);
   return kind != KIND_OVERDRAW || cli_picture_files_picture_write_counts(j, path, s);
}

/* draw: -1: none. */
static void
cli_picture_files_picture_list(const struct cli_picture_job *j, uint32_t frame, int64_t draw,
                               const char *surface, const char *kind,
                               const struct picture_surface *s, const char *path)
{
   const char *name = strrchr(path, '/'), *format = attila_formats[s->format].name;
   char number[24] = "";
   if (draw >= 0)
      snprintf(number, sizeof(number), "%" PRId64, draw);
   printf("%s: frame %u, %s%s, %s, %s", path, frame, draw >= 0 ? "draw " : "no draw in flight",
          number, surface, kind);
   if (j->o->num_cycles)
      printf(" %" PRIu64, j->cycle);
   printf(": %u x %u %s at 0x%x", s->width, s->height, format, s->address);
   if (j->index)
      fprintf(j->index, "%u,%s,%s,%s,%u,%u,%s,%u", frame, number, surface, kind, s->width,
              s->height, format, s->address);
   if (j->index)
      fprintf(j->index, ",%s", name ? name + 1 : path);
}

#define NOT_CHANGED UINT64_MAX /* a texture */

static void
cli_picture_files_picture_list_end(const struct cli_picture_job *j, uint64_t changed,
                                   const float range[2], bool color)
{
   if (changed != NOT_CHANGED)
      printf(", %" PRIu64 " pixels changed", changed);
   if (!color)
      printf(", %.9g to %.9g", (double)range[0], (double)range[1]);
   if (changed != NOT_CHANGED && j->cover)
      printf(", %" PRIu64 " pixels covered by %" PRIu64 " fragments, of which %" PRIu64 " passed",
             j->covered.pixels, j->covered.fragments, j->covered.passed);
   putchar('\n');
   if (j->index)
      fprintf(j->index, ",%" PRIu64 ",%.9g,%.9g,", changed != NOT_CHANGED ? changed : 0,
              (double)range[0], (double)range[1]);
   if (j->index && j->o->num_cycles)
      fprintf(j->index, "%" PRIu64, j->cycle);
   if (j->index && j->cover && changed != NOT_CHANGED)
      fprintf(j->index, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u\n", j->covered.pixels,
              j->covered.fragments, j->covered.passed, j->covered.most);
   else if (j->index)
      fputs(",,,,\n", j->index);
}

/* Finds the smallest and the largest value in both pictures. */
static void
cli_picture_files_picture_common_range(const struct picture *a, const struct picture *b,
                                       float range[2])
{
   float other[2];
   picture_range(a, &range[0], &range[1]);
   picture_range(b, &other[0], &other[1]);
   range[0] = other[0] < range[0] ? other[0] : range[0];
   range[1] = other[1] > range[1] ? other[1] : range[1];
}

/* What a draw covered is shown over the first of its wanted surfaces: it is the same for all. */
static bool
cli_picture_files_picture_shows(const struct cli_picture_job *j, unsigned s,
                                enum cli_picture_kind kind)
{
   bool first = true;
   for (unsigned i = 0; i < s; i++)
      first &= !j->before[i].pixel;
   return (j->o->kinds >> kind & 1) && (first || kind < KIND_COVERAGE);
}

bool
cli_picture_kinds(struct cli_picture_job *j, unsigned s, uint32_t frame, uint32_t draw,
                  const struct picture *after)
{
   static const char *const names[] = {
#define K(NAME, name) #name,
       CLI_PICTURE_KINDS(K)
#undef K
   };
   const struct picture *before = &j->before[s];
   const uint64_t changed = picture_changed(before, after);
   const bool color = cli_picture_plane(s) == PICTURE_COLOR;
   float range[2];
   cli_picture_files_picture_common_range(before, after, range);
   for (enum cli_picture_kind k = 0; k < NUM_KINDS; k++) {
      const struct picture *p = k == KIND_BEFORE ? before : after;
      if (!cli_picture_files_picture_shows(j, s, k))
         continue;
      uint8_t *rgb =
          color ? picture_to_rgb(p, cli_picture_files_picture_is_srgb(j->surface[s].format), false)
                : picture_to_grey(p, range[0], range[1]);
      if (!rgb)
         return cli_picture_fail("out of host memory");
      if (k == KIND_DIFF)
         picture_dim(rgb, before, after);
      if (k >= KIND_COVERAGE)
         cli_picture_cover_paint(j, k, j->surface[s].bottom_up, rgb);
      char *path = j->o->given->file
                       ? sim_file_path("%s", j->o->given->file)
                       : sim_file_path("%s/frame-%04u-draw-%04u-%s-%s.png", j->o->given->folder,
                                       frame, draw, cli_surface_name(s), names[k]);
      const bool ok = cli_picture_write(j, path, rgb, p->width, p->height) &&
                      cli_picture_files_picture_raw(j, s, k, path, p);
      free(rgb);
      if (ok) {
         cli_picture_files_picture_list(j, frame, draw, cli_surface_name(s), names[k],
                                        &j->surface[s], path);
         cli_picture_files_picture_list_end(j, changed, range, color);
      }
      free(path);
      if (!ok)
         return false;
   }
   return true;
}

bool
cli_picture_moment(struct cli_picture_job *j, unsigned s, uint32_t frame, int64_t draw,
                   const struct picture *p)
{
   const bool color = cli_picture_plane(s) == PICTURE_COLOR;
   float range[2];
   picture_range(p, &range[0], &range[1]);
   uint8_t *rgb =
       color ? picture_to_rgb(p, cli_picture_files_picture_is_srgb(j->surface[s].format), false)
             : picture_to_grey(p, range[0], range[1]);
   if (!rgb)
      return cli_picture_fail("out of host memory");
   char *path = j->o->given->file
                    ? sim_file_path("%s", j->o->given->file)
                    : sim_file_path("%s/cycle-%010" PRIu64 "-%s.png", j->o->given->folder, j->cycle,
                                    cli_surface_name(s));
   const bool ok = cli_picture_write(j, path, rgb, p->width, p->height) &&
                   (!j->o->given->raw || cli_picture_files_picture_write_raw(j, path, p, color));
   free(rgb);
   if (ok) {
      cli_picture_files_picture_list(j, frame, draw, cli_surface_name(s), "cycle", &j->surface[s],
                                     path);
      cli_picture_files_picture_list_end(j, NOT_CHANGED, range, color);
   }
   free(path);
   return ok;
}

/* --- Textures --- */

/* Returns its first level and slice; t grows upwards, as in OpenGL. */
static struct picture_surface
cli_picture_files_picture_texture_surface(const struct cli_picture_job *j,
                                          const struct attila_tex_regs *t)
{
   const struct attila_format_desc *d = &attila_formats[t->format % ATTILA_NUM_FORMATS];
   struct attila_layout layout = {0};
   attila_surface_layout(t->width, t->height, t->depth ? t->depth : 1, t->target == ATTILA_TEX_3D,
                         t->num_levels, t->samples, d->bytes, d->block_width, d->block_height,
                         &layout);
   struct picture_surface s = {
       .format = (enum attila_format)(t->format % ATTILA_NUM_FORMATS),
       .address = t->address + layout.level_offset[t->first_level],
       .pitch_tiles = layout.pitch_tiles[t->first_level],
       .samples = t->samples ? t->samples : 1,
       .bottom_up = attila_orientation_bottom_up(&j->orientation, t->address, true),
       .width = attila_minify(t->width, t->first_level),
       .height = attila_minify(t->height, t->first_level),
       .swizzled = true,
   };
   for (unsigned i = 0; i < 4; i++)
      s.swizzle[i] = t->swizzle >> 3 * i & 7;
   return s;
}

static uint64_t
cli_picture_files_picture_hash(const struct picture *p)
{
   return sim_mix(p->width * 65537ull + p->height, p->pixel,
                  (size_t)p->width * p->height * 4 * sizeof(uint32_t));
}

/* Remembers the hash of a texture. Returns false if it was known already. */
static bool
cli_picture_files_picture_is_new(struct cli_picture_job *j, uint64_t h)
{
   for (unsigned i = 0; i < j->num_textures; i++) {
      if (j->textures[i] == h)
         return false;
   }
   uint64_t *grown = realloc(j->textures, (j->num_textures + 1) * sizeof(*grown));
   if (grown) {
      j->textures = grown;
      j->textures[j->num_textures++] = h;
   }
   return true;
}

static bool
cli_picture_files_picture_one_texture(struct cli_picture_job *j, uint32_t frame, uint32_t draw,
                                      unsigned unit, const struct attila_tex_regs *t)
{
   const struct sim_device *d = attila_session_device(j->sim);
   const struct picture_surface s = cli_picture_files_picture_texture_surface(j, t);
   const bool depth = attila_formats[s.format].type == ATTILA_TYPE_ZS;
   char name[16];
   float range[2];
   struct picture p;
   if (!picture_has_plane(&s, PICTURE_COLOR, d->memory_size))
      return true;
   if (!picture_take(&p, &s, depth ? PICTURE_DEPTH : PICTURE_COLOR, d->memory))
      return cli_picture_fail("out of host memory");
   picture_range(&p, &range[0], &range[1]);
   const uint64_t h = cli_picture_files_picture_hash(&p);
   snprintf(name, sizeof(name), "texture%u", unit);
   char *path = sim_file_path("%s/texture-%016" PRIx64 ".png", j->o->given->folder, h);
   bool ok = true;
   if (cli_picture_files_picture_is_new(j, h)) {
      uint8_t *rgb = depth ? picture_to_grey(&p, range[0], range[1])
                           : picture_to_rgb(&p, cli_picture_files_picture_is_srgb(s.format), true);
      ok = rgb ? cli_picture_write(j, path, rgb, p.width, p.height)
               : cli_picture_fail("out of host memory");
      free(rgb);
   }
   picture_free(&p);
   if (ok) {
      cli_picture_files_picture_list(j, frame, draw, name, "texture", &s, path);
      cli_picture_files_picture_list_end(j, NOT_CHANGED, range, !depth);
   }
   free(path);
   return ok;
}

bool
cli_picture_textures(struct cli_picture_job *j, uint32_t frame, uint32_t draw)
{
   struct sim_frontend *frontend = attila_session_device(j->sim)->frontend;
   const struct attila_regs *r = sim_frontend_regs(frontend);
   uint64_t units = sim_frontend_tex_units(frontend);
   bool ok = true;
   for (; units && ok; units &= units - 1) {
      const unsigned u = (unsigned)__builtin_ctzll(units);
      if (r->tex[u].enable && r->tex[u].num_levels && r->tex[u].target != ATTILA_TEX_BUFFER)
         ok = cli_picture_files_picture_one_texture(j, frame, draw, u, &r->tex[u]);
   }
   return ok;
}
