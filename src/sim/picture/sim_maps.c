/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Maps of the simulated frame, and their files (sim_maps.h). Not here: counting
 * (measure/sim_map.h), drawing (sim_maps_picture.c). */
#include "picture/sim_maps.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/sim_file.h"
#include "core/sim_range.h"
#include "picture/picture.h"

#define MAX_SURFACES 1024      /* per frame: a game that loads generates levels of many textures */
#define MAX_PIXELS (24u << 20) /* of all maps: 672 MiB */
#define FILE_NAME_SIZE 96
#define MAX_RANGES 64 /* ranges of draws with their own maps */

struct sim_maps {
   struct sim_observer observer; /* the first member */
   struct sim_observed *observed;
   const char *folder;
   uint32_t kinds; /* bits */
   uint32_t first_draw, last_draw;
   struct {
      uint32_t first, last;
   } each[MAX_RANGES]; /* draws with their own maps */
   unsigned num_each;
   struct sim_map *map[MAX_SURFACES];
   unsigned num;
   uint64_t pixels;
   bool told;   /* a message has said that there is no more room */
   bool listed; /* maps.csv has its first line */
   bool failed;
};

static const char *const names[] = {
#define M(constant, name, unit, title) #name,
    SIM_MAPS(M)
#undef M
};

const char *
sim_map_name(enum sim_map_kind kind)
{
   return names[kind];
}

/* Returns the kinds of maps that a name stands for, a bit for each; 0: unknown name. */
static uint32_t
maps_kinds_of(const char *name, size_t length)
{
   static const struct {
      const char *name;
      uint32_t kinds;
   } groups[] = {{"all", (1u << SIM_NUM_MAPS) - 1},
                 {"overdraw", 1u << SIM_MAP_SHADED | 1u << SIM_MAP_WRITTEN}};
   for (unsigned i = 0; i < SIM_NUM_MAPS; i++) {
      if (strlen(names[i]) == length && !strncmp(names[i], name, length))
         return 1u << i;
   }
   for (unsigned i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
      if (strlen(groups[i].name) == length && !strncmp(groups[i].name, name, length))
         return groups[i].kinds;
   }
   return 0;
}

/* Reads a list of draws such as "3,7-9,20-". */
static bool
maps_parse_each(struct sim_maps *maps, const char *list, char *error, size_t error_size)
{
   const char *p = list;
   for (bool more = true; more && maps->num_each < MAX_RANGES; more = *p++ == ',') {
      const unsigned n = maps->num_each++;
      if (!sim_range_parse(&p, &maps->each[n].first, &maps->each[n].last))
         break;
      if (!*p)
         return true;
   }
   snprintf(error, error_size,
            "maps of single draws: \"%.100s\" is no list of at most %u draws or ranges such as "
            "3,7-9,20-",
            list, MAX_RANGES);
   return false;
}

struct sim_maps *
sim_maps_create(const char *list, uint32_t first_draw, uint32_t last_draw, const char *each,
                char *error, size_t error_size)
{
   uint32_t kinds = 0;
   for (const char *p = list; *p;) {
      const size_t n = strcspn(p, ",");
      const uint32_t found = maps_kinds_of(p, n);
      if (!found) {
         snprintf(error, error_size,
                  "maps: \"%.*s\" is none of overdraw, shaded, written, latency, shader, "
                  "instructions, misses, draw, all",
                  (int)(n < 100 ? n : 100), p);
         return NULL;
      }
      kinds |= found;
      p += n + (p[n] == ',');
   }
   struct sim_maps *maps = calloc(1, sizeof(*maps));
   if (!maps) {
      snprintf(error, error_size, "out of host memory");
      return NULL;
   }
   maps->kinds = kinds;
   maps->first_draw = first_draw;
   maps->last_draw = last_draw;
   if (each && !maps_parse_each(maps, each, error, error_size)) {
      free(maps);
      return NULL;
   }
   return maps;
}

/* Frees unused maps: those of single draws, or all. */
static void
maps_drop(struct sim_maps *maps, bool single)
{
   unsigned kept = 0;
   for (unsigned i = 0; i < maps->num; i++) {
      struct sim_map *m = maps->map[i];
      if (m->refs || (single && !m->surface)) {
         maps->map[kept++] = m;
         continue;
      }
      maps->pixels -= (uint64_t)m->width * m->height;
      if (m->surface)
         m->surface->refs--;
      free(m->pixel);
      free(m);
   }
   maps->num = kept;
}

void
sim_maps_destroy(struct sim_maps *maps)
{
   if (!maps)
      return;
   if (maps->observed)
      sim_observe_no_more(maps->observed, &maps->observer);
   for (unsigned i = 0; i < maps->num; i++) {
      maps->map[i]->refs = 0;
      maps->map[i]->surface = NULL;
   }
   maps_drop(maps, false);
   free(maps);
}

/* Adds a map. Returns NULL if there is no room. */
static struct sim_map *
maps_add(struct sim_maps *maps, uint32_t address, uint32_t width, uint32_t height)
{
   const uint64_t pixels = (uint64_t)width * height;
   if (!pixels || maps->num == MAX_SURFACES || maps->pixels + pixels > MAX_PIXELS)
      return NULL;
   struct sim_map *m = calloc(1, sizeof(*m));
   if (m)
      m->pixel = calloc(pixels, sizeof(*m->pixel));
   if (!m || !m->pixel) {
      free(m);
      return NULL;
   }
   m->address = address;
   m->width = width;
   m->height = height;
   maps->pixels += pixels;
   return maps->map[maps->num++] = m;
}

static void
maps_tell(struct sim_maps *maps, const char *what)
{
   if (!maps->told)
      fprintf(stderr, "attila: warning: no room for maps %s\n", what);
   maps->told = true;
}

static bool
maps_wants_own(const struct sim_maps *maps, uint32_t draw)
{
   for (unsigned i = 0; i < maps->num_each; i++) {
      if (draw >= maps->each[i].first && draw <= maps->each[i].last)
         return true;
   }
   return false;
}

/* Returns a draw's own map of a surface, or the surface's map if there is no room. */
static struct sim_map *
maps_own_map(struct sim_maps *maps, struct sim_map *surface, uint32_t draw)
{
   struct sim_map *m = maps_add(maps, surface->address, surface->width, surface->height);
   if (!m) {
      maps_tell(maps, "of all draws that were asked for");
      return surface;
   }
   m->surface = surface;
   surface->refs++;
   m->draws = 1;
   m->first_draw = m->last_draw = draw;
   return m;
}

struct sim_map *
sim_maps_draw(struct sim_maps *maps, uint32_t draw, uint32_t address, uint32_t width,
              uint32_t height, bool bottom_up, bool meta)
{
   struct sim_map *m = NULL;
   if (draw < maps->first_draw || draw > maps->last_draw || !address)
      return NULL;
   for (unsigned i = 0; i < maps->num && !m; i++) {
      struct sim_map *c = maps->map[i];
      if (!c->surface && c->address == address && c->width == width && c->height == height)
         m = c;
   }
   if (!m)
      m = maps_add(maps, address, width, height);
   if (!m) {
      maps_tell(maps, "of all surfaces");
      return NULL;
   }
   if (!meta)
      m->bottom_up = bottom_up;
   if (!m->draws++)
      m->first_draw = draw;
   m->last_draw = draw;
   if (maps_wants_own(maps, draw))
      m = maps_own_map(maps, m, draw);
   m->refs++;
   return m;
}

/* --- Files --- */

struct subject {
   const char *folder;
   uint32_t frame;
   unsigned target; /* 0: what was shown; else its number among the others */
};

/* Ends a row of maps.csv; the last column is for maps of single draws. */
static void
maps_list_draw(FILE *f, const struct sim_map *m)
{
   if (m->surface)
      fprintf(f, ",%u\n", m->first_draw);
   else
      fputs(",\n", f);
}

static void
maps_list_map(FILE *f, const struct subject *of, const struct sim_map *m, enum sim_map_kind kind,
              const struct sim_map_summary *s, const char *file)
{
   const uint32_t less = kind == SIM_MAP_DRAW;
   fprintf(f, "%s.png,%s.npy,%u,%s,%u,%u,%u,%u,%u,%u,%u,%s,%u,%u,%u,%" PRIu64 ",%u", file, file,
           of->frame, names[kind], of->target, m->address, m->width, m->height, m->draws,
           m->first_draw, m->last_draw, sim_map_unit(kind), s->pixels ? s->min - less : 0,
           s->pixels ? s->max - less : 0, s->top - less * (s->top != 0), s->sum, s->pixels);
   maps_list_draw(f, m);
}

/* Writes the picture of a map. Misses are summed over blocks: each brings a line of many texels, so
 * single pixels would be scattered dots. */
static bool
maps_write_map_picture(const struct subject *of, const struct sim_map *m, enum sim_map_kind kind,
                       uint32_t *values, const char *path, char *error, size_t error_size)
{
   struct sim_map_summary s;
   char text[160], target[32] = "";
   uint32_t width, height;
   if (kind == SIM_MAP_MISSES)
      sim_map_sum_blocks(values, m->width, m->height, 8);
   sim_map_summarise(values, (size_t)m->width * m->height, kind, &s);
   if (of->target)
      snprintf(target, sizeof(target), ", target %u", of->target);
   if (m->surface)
      snprintf(text, sizeof(text), "frame %u%s, draw %u", of->frame, target, m->first_draw);
   else
      snprintf(text, sizeof(text), "frame %u%s, %u draw%s", of->frame, target, m->draws,
               m->draws == 1 ? "" : "s");
   uint8_t *rgb = sim_map_picture(values, m->width, m->height, kind, &s, text, &width, &height);
   if (!rgb) {
      snprintf(error, error_size, "out of host memory");
      return false;
   }
   bool ok = picture_write_png(path, SIM_FILE_OURS, rgb, width, height, error, error_size);
   free(rgb);
   return ok;
}

static bool
maps_write_map(const struct subject *of, const struct sim_map *m, enum sim_map_kind kind,
               uint32_t *values, FILE *list, char *error, size_t error_size)
{
   char file[FILE_NAME_SIZE], target[32] = "";
   struct sim_map_summary s;
   if (m->surface)
      snprintf(target, sizeof(target), "draw-%04u-", m->first_draw);
   else if (of->target)
      snprintf(target, sizeof(target), "target%u-", of->target);
   snprintf(file, sizeof(file), "frame-%04u-%s%s", of->frame, target, names[kind]);
   sim_map_values(m, kind, values);
   sim_map_summarise(values, (size_t)m->width * m->height, kind, &s);
   char *raw = sim_file_path("%s/%s.npy", of->folder, file);
   char *png = sim_file_path("%s/%s.png", of->folder, file);
   bool ok = picture_write_npy(raw, SIM_FILE_OURS, "<u4", values, m->width, m->height, 1, error,
                               error_size);
   ok = ok && maps_write_map_picture(of, m, kind, values, png, error, error_size);
   free(raw);
   free(png);
   if (ok)
      maps_list_map(list, of, m, kind, &s, file);
   return ok;
}

static FILE *
maps_open_list(struct sim_maps *maps, const char *folder, char *error, size_t error_size)
{
   char *path = sim_file_path("%s/maps.csv", folder);
   FILE *f = NULL;
   if (sim_file_make_folder(folder))
      f = sim_file_stream(path, maps->listed ? "a" : "w", SIM_FILE_OURS, error, error_size);
   else
      snprintf(error, error_size, "%s: %s", folder, strerror(errno));
   free(path);
   if (!f)
      return NULL;
   if (!maps->listed)
      fputs(
          "file,raw,frame,map,target,address,width,height,draws,first_draw,last_draw,unit,min,max,"
          "top,sum,pixels,draw\n",
          f);
   maps->listed = true;
   return f;
}

/* Adds the map of a single draw to the map of its surface. */
static void
maps_add_to_surface(const struct sim_map *m)
{
   const size_t pixels = (size_t)m->width * m->height;
   for (size_t i = 0; i < pixels; i++) {
      const uint32_t *from = m->pixel[i];
      uint32_t *to = m->surface->pixel[i];
      for (unsigned k = 0; k < SIM_NUM_MAPS; k++) {
         if (k != SIM_MAP_DRAW)
            to[k] += from[k];
         else if (from[k] > to[k]) /* ROPs keep the order of draws */
            to[k] = from[k];
      }
   }
}

static bool
maps_write(const struct sim_maps *maps, const struct subject *of, const struct sim_map *m,
           FILE *list, char *error, size_t error_size)
{
   uint32_t *values = malloc((size_t)m->width * m->height * sizeof(*values));
   bool ok = values != NULL;
   if (!ok)
      snprintf(error, error_size, "out of host memory");
   for (unsigned k = 0; k < SIM_NUM_MAPS && ok; k++) {
      if (maps->kinds >> k & 1)
         ok = maps_write_map(of, m, (enum sim_map_kind)k, values, list, error, error_size);
   }
   free(values);
   return ok;
}

/* Writes the map of a surface, and the maps of its single draws. */
static bool
maps_write_surface(struct sim_maps *maps, const struct subject *of, const struct sim_map *m,
                   FILE *list, char *error, size_t error_size)
{
   bool ok = maps_write(maps, of, m, list, error, error_size);
   for (unsigned i = 0; i < maps->num && ok; i++) {
      struct sim_map *of_draw = maps->map[i];
      if (of_draw->surface != m || !of_draw->draws)
         continue;
      of_draw->bottom_up = m->bottom_up;
      ok = maps_write(maps, of, of_draw, list, error, error_size);
   }
   return ok;
}

static bool
maps_write_frame(struct sim_maps *maps, struct subject *of, uint32_t shown, char *error,
                 size_t error_size)
{
   unsigned others = 0;
   FILE *list = maps_open_list(maps, of->folder, error, error_size);
   bool ok = list != NULL;
   for (unsigned i = 0; i < maps->num; i++) {
      if (maps->map[i]->surface)
         maps_add_to_surface(maps->map[i]);
   }
   for (unsigned i = 0; i < maps->num && ok; i++) {
      const struct sim_map *m = maps->map[i];
      if (!m->draws || m->surface)
         continue;
      of->target = m->address == shown ? 0 : ++others;
      ok = maps_write_surface(maps, of, m, list, error, error_size);
   }
   const bool bad = list && ferror(list);
   if (list && (fclose(list) || bad) && ok) {
      snprintf(error, error_size, "%s/maps.csv: %s", of->folder, strerror(errno));
      ok = false;
   }
   return ok;
}

bool
sim_maps_failed(const struct sim_maps *maps)
{
   return maps && maps->failed;
}

bool
sim_maps_frame(struct sim_maps *maps, const char *folder, uint32_t frame, uint32_t shown,
               char *error, size_t error_size)
{
   struct subject of = {.folder = folder, .frame = frame};
   bool some = false, ok = true;
   for (unsigned i = 0; i < maps->num; i++)
      some |= maps->map[i]->draws != 0;
   if (some && !maps->failed)
      ok = maps_write_frame(maps, &of, shown, error, error_size);
   maps->failed |= !ok;
   for (unsigned i = 0; i < maps->num; i++) {
      struct sim_map *m = maps->map[i];
      m->draws = 0;
      memset(m->pixel, 0, (size_t)m->width * m->height * sizeof(*m->pixel));
   }
   maps_drop(maps, true);
   /* Surfaces that are no longer drawn to must not take the room of others. */
   if (maps->num > MAX_SURFACES / 2 || maps->pixels > MAX_PIXELS / 2)
      maps_drop(maps, false);
   return ok;
}

/* --- Listening --- */

static void
maps_draw_begins(struct sim_observer *o, struct sim_draw_begins *draw)
{
   struct sim_maps *maps = (struct sim_maps *)o;
   if (sim_observed_wants_frame(maps->observed))
      draw->map = sim_maps_draw(maps, draw->number, draw->address, draw->width, draw->height,
                                draw->bottom_up, draw->meta);
}

static void
maps_frame_ended(struct sim_observer *o, const struct sim_frame_end *end)
{
   struct sim_maps *maps = (struct sim_maps *)o;
   char error[4400];
   if (!sim_maps_frame(maps, maps->folder, maps->observed->frame, end->shown, error, sizeof(error)))
      sim_warn(maps->observed, "no more maps are written: %s", error);
}

static const struct sim_observer_class maps_observer = {.draw_begins = maps_draw_begins,
                                                        .frame_ended = maps_frame_ended};

void
sim_maps_listen(struct sim_maps *maps, struct sim_observed *observed, const char *folder)
{
   maps->observer.cls = &maps_observer;
   maps->observed = observed;
   maps->folder = folder;
   sim_observe(observed, &maps->observer);
}
