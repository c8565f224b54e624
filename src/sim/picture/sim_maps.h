/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Maps: for each pixel of a surface that a frame draws to, its fragments' cost. Cycle mode's boxes
 * add to them; at a frame's end they are written as pictures with a legend and as raw values. Off
 * by default: a draw without a map costs its boxes a test per quad. No simulated time, and nothing
 * depends on maps. */
#ifndef SIM_MAPS_H
#define SIM_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* M(constant, name, unit, title): a pixel's value; a fragment is a pixel of a quad with a live
 * sample. */
/* clang-format off */
#define SIM_MAPS(M)                                                                              \
   M(SHADED,       shaded,       "fragments",    "fragments given to a shader")                  \
   M(WRITTEN,      written,      "fragments",    "fragments that passed all tests")              \
   M(LATENCY,      latency,      "cycles",       "cycles from quad to written pixel, mean")      \
   M(SHADER,       shader,       "cycles",       "cycles in shaders, sum")                       \
   M(INSTRUCTIONS, instructions, "instructions", "shader instructions executed")                 \
   M(MISSES,       misses,       "misses",       "texture misses of 8 x 8 pixels")               \
   M(DRAW,         draw,         "draw",         "the last draw that wrote the pixel")
/* clang-format on */

enum sim_map_kind {
#define M(constant, name, unit, title) SIM_MAP_##constant,
   SIM_MAPS(M)
#undef M
       SIM_NUM_MAPS
};

/* Of one surface in one frame. */
struct sim_map {
   uint32_t address, width, height;       /* the surface's: bytes, pixels */
   bool bottom_up;                        /* its first row is the picture's lowest */
   uint32_t draws, first_draw, last_draw; /* in the frame, to this surface */
   uint32_t refs;                         /* draws in flight, and single draws' maps */
   struct sim_map *surface; /* a single draw's: its surface's map; NULL: this is one */
   /* [height * width], in memory order; LATENCY is summed over WRITTEN's fragments, DRAW is the
    * draw's number plus one; 0: none. */
   uint32_t (*pixel)[SIM_NUM_MAPS];
};

struct sim_maps;

/* list: comma-separated map names, "overdraw" for shaded and written, or "all". first_draw,
 * last_draw: limits of draws' numbers. each: draws ("3,7-9,20-") with their own maps, too; NULL:
 * none. NULL with a message for an invalid name or list, or without host memory. */
struct sim_maps *sim_maps_create(const char *list, uint32_t first_draw, uint32_t last_draw,
                                 const char *each, char *error, size_t error_size);
void sim_maps_destroy(struct sim_maps *maps);

/* Returns the map of a draw's surface, or the draw's own, with a reference until sim_maps_release;
 * NULL: not wanted, or no memory. own: the driver's own draw, whose orientation does not count. */
struct sim_map *sim_maps_draw(struct sim_maps *maps, uint32_t draw, uint32_t address,
                              uint32_t width, uint32_t height, bool bottom_up, bool own);
static inline void
sim_maps_release(struct sim_map *m)
{
   if (m)
      m->refs--;
}

/* Ends a frame: writes its maps to the folder (made if missing) and starts anew. shown: address of
 * the scanned-out surface; 0: none. False on failure, with a message the first time. */
bool sim_maps_frame(struct sim_maps *maps, const char *folder, uint32_t frame, uint32_t shown,
                    char *error, size_t error_size);
/* Returns whether a frame's maps could not be written, which stops all. maps may be NULL. */
bool sim_maps_failed(const struct sim_maps *maps);

/* Returns a pixel's values; outside the surface the nearest pixel's. */
static inline uint32_t *
sim_map_at(const struct sim_map *m, int32_t x, int32_t y)
{
   const uint32_t px = x < 0 ? 0 : (uint32_t)x < m->width ? (uint32_t)x : m->width - 1;
   const uint32_t py = y < 0 ? 0 : (uint32_t)y < m->height ? (uint32_t)y : m->height - 1;
   return m->pixel[(size_t)py * m->width + px];
}

/* Returns the pixels of a quad with a live sample: mask has bit sample * 4 + pixel. */
static inline unsigned
sim_map_pixels(uint32_t mask)
{
   mask |= mask >> 16;
   mask |= mask >> 8;
   return (mask | mask >> 4) & 15;
}

/* Adds value to a quad's pixels (a bit for each of four). */
static inline void
sim_map_add(const struct sim_map *m, enum sim_map_kind kind, int32_t x, int32_t y, unsigned pixels,
            uint64_t value)
{
   for (unsigned p = 0; p < 4; p++) {
      if (pixels >> p & 1)
         sim_map_at(m, x + (int32_t)(p & 1), y + (int32_t)(p >> 1))[kind] += (uint32_t)value;
   }
}

/* Ends a quad made latency cycles ago by this draw. */
void sim_map_end(const struct sim_map *m, int32_t x, int32_t y, uint32_t mask, uint64_t latency,
                 uint32_t draw);

/* --- sim_maps_picture.c --- */

/* What is written beside a map's picture. */
struct sim_map_summary {
   uint32_t min, max, top; /* of pixels with a value; top: end of the colour scale */
   uint64_t sum;
   uint32_t pixels; /* with a value */
};

/* Returns a map's values, top row first; 0: none. DRAW: the number plus one. */
void sim_map_values(const struct sim_map *m, enum sim_map_kind kind, uint32_t *values);
/* Makes each value the sum of its n x n block. */
void sim_map_sum_blocks(uint32_t *values, uint32_t width, uint32_t height, uint32_t n);
void sim_map_summarise(const uint32_t *values, size_t num, enum sim_map_kind kind,
                       struct sim_map_summary *s);
/* Returns a picture with title and legend, malloc'ed RGB. NULL: out of host memory. */
uint8_t *sim_map_picture(const uint32_t *values, uint32_t width, uint32_t height,
                         enum sim_map_kind kind, const struct sim_map_summary *s,
                         const char *subject, uint32_t *picture_width, uint32_t *picture_height);
const char *sim_map_name(enum sim_map_kind kind);
const char *sim_map_unit(enum sim_map_kind kind);

#endif
