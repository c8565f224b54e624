/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The functional mode: executes commands with the emulators directly, without time.
 */
#ifndef SIM_FUNC_H
#define SIM_FUNC_H

#include "decode/sim_frontend.h"
#include "hw/attila_scanout.h"

struct sim_func;

/* Who wants to know what commands change besides the bytes of memory: a machine that goes on from
 * there in cycle mode. Each is called before memory and registers change, but written and program.
 */
struct sim_func_watch {
   void *user;
   void (*written)(void *user, uint64_t start, uint64_t end);
   void (*clear_color)(void *user, uint32_t buffers, const float color[4]);
   void (*clear_zs)(void *user, uint32_t planes, float depth, uint32_t stencil);
   void (*draw)(void *user, const struct emul_draw_state *state);
   void (*program)(void *user, const uint32_t *payload);
   void (*context)(void *user, const uint32_t *payload);
   /* Blocks of colour and depth surfaces have so many bytes at most (sim_block_draw). */
   uint32_t color_block, zs_block;
};

/* threads: how many execute fragments, the caller counted, at most SIM_FUNC_MAX_THREADS; 0: as many
 * as there are processors, up to 8. Memory, counters and reports do not depend on it. NULL: out of
 * host memory. The device must live as long. */
#define SIM_FUNC_MAX_THREADS 64
struct sim_func *sim_func_create(struct sim_device *device, unsigned threads);
void sim_func_destroy(struct sim_func *f);
/* From now on; w is copied. */
void sim_func_set_watch(struct sim_func *f, const struct sim_func_watch *w);
/* What became of a fragment that came to a pixel. */
enum sim_func_fate {
   SIM_FUNC_PASSED, /* every test, of a sample at least; what is masked is not written all the same
                     */
   SIM_FUNC_FAILED_STENCIL,
   SIM_FUNC_FAILED_DEPTH,
   SIM_FUNC_KILLED /* by its program, or by alpha to coverage */
};
struct sim_func_fragment {
   enum sim_func_fate fate;
   uint32_t primitive; /* of those of the draw that are rasterised, from 0 */
   uint32_t layer;     /* of what is drawn to, from 0 */
   uint32_t color, zs; /* addresses of that layer of colour buffer 0 and of the depth buffer */
   uint32_t covered, passed; /* samples, a bit for each */
   float z;                  /* of sample 0, in [0, 1] */
   float output[4];          /* the program's first colour, if shaded */
   bool front, shaded;
};
/* From now on call is told of each fragment that draws send to the pixel, in their order: before
 * its primitive is rasterised, when memory has everything that comes before, and after. Memory
 * changes as without. NULL: of none any more. Between two calls of sim_func_run. */
void sim_func_watch_pixel(struct sim_func *f, int32_t x, int32_t y,
                          void (*call)(void *user, const struct sim_func_fragment *found,
                                       bool after),
                          void *user);
/* Vertices that a draw has shaded together. */
struct sim_func_vertices {
   const struct emul_draw_state *state;
   const uint32_t *vertex; /* [count]: their numbers, with the index bias */
   unsigned count;
   uint32_t instance;
   const struct emul_vec4 *in, *out; /* [register]: before and after the vertex program */
};
/* From now on call is told of all vertices that are shaded, in their order. NULL: of none any more.
 * Between two calls of sim_func_run. */
void sim_func_watch_vertices(struct sim_func *f,
                             void (*call)(void *user, const struct sim_func_vertices *shaded),
                             void *user);
/* Executes every command in device->queue; when it returns, threads wait for the next call. False
 * on an error that ends the simulation, with a message. */
bool sim_func_run(struct sim_func *f, char *error, size_t error_size);
/* From now on clears may not have been written to memory when sim_func_run returns: who looks at
 * the device's memory calls one of these before. */
void sim_func_keep_clears(struct sim_func *f);
void sim_func_sync_memory(struct sim_func *f);
/* Memory is as commands made it, but for what is put into cleared, which is good until the next
 * call. */
void sim_func_cleared(struct sim_func *f, const struct attila_scanout *shown,
                      struct attila_cleared *cleared);

#endif
