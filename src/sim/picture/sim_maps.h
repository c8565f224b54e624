/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A frame's maps (measure/sim_map.h): a listener (measure/sim_observer.h) that gives draws their
 * maps, and writes these at a frame's end as pictures with a legend and as raw values. */
#ifndef SIM_MAPS_H
#define SIM_MAPS_H

#include "measure/sim_map.h"
#include "measure/sim_observer.h"

struct sim_maps;

/* list: comma-separated map names, "overdraw" for shaded and written, or "all". first_draw,
 * last_draw: limits of draws' numbers. each: draws ("3,7-9,20-") with their own maps, too; NULL:
 * none. NULL with a message for an invalid name or list, or without host memory. */
struct sim_maps *sim_maps_create(const char *list, uint32_t first_draw, uint32_t last_draw,
                                 const char *each, char *error, size_t error_size);
void sim_maps_destroy(struct sim_maps *maps);
/* Gives draws maps from now on, and writes them to the folder, which the caller owns. */
void sim_maps_listen(struct sim_maps *maps, struct sim_observed *observed, const char *folder);

/* Returns the map of a draw's surface, or the draw's own, with a reference until sim_map_release;
 * NULL: not wanted, or no memory. meta: the driver's own draw, whose orientation does not count. */
struct sim_map *sim_maps_draw(struct sim_maps *maps, uint32_t draw, uint32_t address,
                              uint32_t width, uint32_t height, bool bottom_up, bool meta);

/* Ends a frame: writes its maps to the folder (made if missing) and starts anew. shown: address of
 * the scanned-out surface; 0: none. False on failure, with a message the first time. */
bool sim_maps_frame(struct sim_maps *maps, const char *folder, uint32_t frame, uint32_t shown,
                    char *error, size_t error_size);
/* Returns whether a frame's maps could not be written, which stops all. maps may be NULL. */
bool sim_maps_failed(const struct sim_maps *maps);

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
