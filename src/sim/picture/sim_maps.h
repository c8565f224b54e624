/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The maps of a frame (measure/sim_map.h): a listener (measure/sim_observer.h) that gives draws
 * their maps and at the end of a frame writes the maps, as pictures with a legend and as raw
 * values. */
#ifndef SIM_MAPS_H
#define SIM_MAPS_H

#include "measure/sim_map.h"
#include "measure/sim_observer.h"

struct sim_maps;

/* list: comma-separated map names, "overdraw" for shaded and written, or "all". first_draw,
 * last_draw: only draws with these numbers have maps. each: draws ("3,7-9,20-") that also have
 * their own maps; NULL: none. Returns NULL with a message if a name or list is invalid or host
 * memory is exhausted. */
struct sim_maps *sim_maps_create(const char *list, uint32_t first_draw, uint32_t last_draw,
                                 const char *each, char *error, size_t error_size);
void sim_maps_destroy(struct sim_maps *maps);
/* Gives draws maps from now on, and writes them to the folder, which the caller owns. */
void sim_maps_listen(struct sim_maps *maps, struct sim_observed *observed, const char *folder);

/* Returns the map of a draw's surface, or the draw's own map, with a reference until
 * sim_map_release. Returns NULL if the draw has no map or host memory is exhausted. meta: a draw of
 * the driver itself, which does not show the surface's orientation. */
struct sim_map *sim_maps_draw(struct sim_maps *maps, uint32_t draw, uint32_t address,
                              uint32_t width, uint32_t height, bool bottom_up, bool meta);

/* Ends a frame: writes its maps to the folder, which is made if missing, and starts anew. shown:
 * address of the scanned-out surface; 0: none. Returns false on failure, with a message the first
 * time. */
bool sim_maps_frame(struct sim_maps *maps, const char *folder, uint32_t frame, uint32_t shown,
                    char *error, size_t error_size);
/* Returns whether writing maps has failed, after which none are written. maps may be NULL. */
bool sim_maps_failed(const struct sim_maps *maps);

/* --- sim_maps_picture.c --- */

/* Figures about a map for its legend and for maps.csv. */
struct sim_map_summary {
   uint32_t min, max, top; /* min, max: of pixels with a value; top: end of the colour scale */
   uint64_t sum;
   uint32_t pixels; /* pixels with a value */
};

/* Writes the values of a map, top row first; 0: no value. For DRAW, a value is the number plus
 * 1. */
void sim_map_values(const struct sim_map *m, enum sim_map_kind kind, uint32_t *values);
/* Makes each value the sum of its n x n block. */
void sim_map_sum_blocks(uint32_t *values, uint32_t width, uint32_t height, uint32_t n);
void sim_map_summarise(const uint32_t *values, size_t num, enum sim_map_kind kind,
                       struct sim_map_summary *s);
/* Returns a picture with title and legend as malloc'ed RGB, or NULL if host memory is exhausted. */
uint8_t *sim_map_picture(const uint32_t *values, uint32_t width, uint32_t height,
                         enum sim_map_kind kind, const struct sim_map_summary *s,
                         const char *subject, uint32_t *picture_width, uint32_t *picture_height);
/* Returns the colour at t, 0 to 1, of the scale of maps. */
void sim_map_scale_color(double t, uint8_t color[3]);
const char *sim_map_name(enum sim_map_kind kind);
const char *sim_map_unit(enum sim_map_kind kind);

#endif
