/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The functional mode: executes commands with the emulators directly, without time. */
#ifndef SIM_FUNC_H
#define SIM_FUNC_H

#include "decode/sim_frontend.h"
#include "hw/attila_scanout.h"

struct sim_func;

/* Callbacks for a machine that goes on in cycle mode, about all that commands change except
 * memory's bytes. Called before memory and registers change, except `written` and `program`. */
struct sim_func_watch {
   void *user;
   void (*written)(void *user, uint64_t start, uint64_t end);
   void (*clear_color)(void *user, uint32_t buffers, const float color[4]);
   void (*clear_zs)(void *user, uint32_t planes, float depth, uint32_t stencil);
   void (*draw)(void *user, const struct emul_draw_state *state);
   void (*program)(void *user, const uint32_t *payload);
   void (*context)(void *user, const uint32_t *payload);
   /* Most bytes of a block of colour and depth surfaces (sim_block_draw). */
   uint32_t color_block, zs_block;
};

/* threads: how many execute fragments, including the caller, at most SIM_FUNC_MAX_THREADS; 0: one
 * per processor, up to 8. Memory, counters and reports do not depend on their number. The device
 * must outlive the result. NULL: out of host memory. */
#define SIM_FUNC_MAX_THREADS 64
struct sim_func *sim_func_create(struct sim_device *device, unsigned threads);
void sim_func_destroy(struct sim_func *f);
/* Sets the callbacks; w is copied. */
void sim_func_set_watch(struct sim_func *f, const struct sim_func_watch *w);
/* What became of a fragment at a pixel. */
enum sim_func_fate {
   SIM_FUNC_PASSED, /* at least one sample passed every test; masked channels stay */
   SIM_FUNC_FAILED_STENCIL,
   SIM_FUNC_FAILED_DEPTH,
   SIM_FUNC_KILLED /* killed by its program or by alpha to coverage */
};
struct sim_func_fragment {
   enum sim_func_fate fate;
   uint32_t primitive; /* number among the draw's rasterised primitives, from 0 */
   uint32_t layer;     /* layer that is drawn to, from 0 */
   uint32_t color, zs; /* addresses of colour buffer 0 and of the depth buffer in that layer */
   uint32_t covered, passed; /* bit per sample */
   float z;                  /* sample 0's, in [0, 1] */
   float output[4];          /* the program's first colour, if it ran */
   bool front, shaded;
};
/* Watches a pixel: calls `call` for each of its fragments, in order, before and after its primitive
 * is rasterised. At the first call, memory has all that was drawn before. Memory changes as without
 * watching. NULL stops watching. Use it only between two calls of sim_func_run. */
void sim_func_watch_pixel(struct sim_func *f, int32_t x, int32_t y,
                          void (*call)(void *user, const struct sim_func_fragment *found,
                                       bool after),
                          void *user);
/* Watches the pixels at x, y and all that are a multiple of step away in both directions: calls
 * `call` for each of their fragments when its primitive is in memory. Memory changes as without
 * watching. NULL stops watching. Use it only between two calls of sim_func_run. */
void sim_func_watch_grid(struct sim_func *f, int32_t x, int32_t y, int32_t step,
                         void (*call)(void *user, int32_t x, int32_t y,
                                      const struct sim_func_fragment *found),
                         void *user);
/* What draws cover in layer 0. */
struct sim_func_cover {
   uint32_t width, height; /* at least those of the draws' surfaces */
   struct sim_func_cover_pixel {
      uint32_t fragments; /* of all primitives */
      uint32_t passed;    /* fragments with a sample that passed every test */
      bool edge;          /* an edge of a primitive is here */
   } * pixel;             /* [y * width + x] */
};
/* Watches all pixels: adds the fragments of draws to cover. Memory changes as without watching.
 * NULL stops watching. Use it only between two calls of sim_func_run. */
void sim_func_watch_cover(struct sim_func *f, struct sim_func_cover *cover);
/* Vertices of a draw that are shaded together. */
struct sim_func_vertices {
   const struct emul_draw_state *state;
   const uint32_t *vertex; /* [count]: their numbers, including the index bias */
   unsigned count;
   uint32_t instance;
   const struct emul_vec4 *in, *out; /* [register]: before and after the vertex program */
};
/* Calls `shaded` for all shaded vertices, in order, and `primitive` for each assembled primitive
 * after its vertices. row: numbers of its 1 to 3 vertices among the draw's shaded ones, from 0.
 * Either may be NULL. */
struct sim_func_vertices_watch {
   void (*shaded)(void *user, const struct sim_func_vertices *shaded);
   void (*primitive)(void *user, unsigned count, const uint32_t row[3]);
   void *user;
};
/* Watches vertices; w is copied. NULL stops watching. Use it only between two calls of
 * sim_func_run. */
void sim_func_watch_vertices(struct sim_func *f, const struct sim_func_vertices_watch *w);
/* Executes every command in device->queue; then threads wait for the next call. False: an error
 * that ends the simulation, with a message. */
bool sim_func_run(struct sim_func *f, char *error, size_t error_size);
/* Lets clears wait beyond sim_func_run. Then readers of the device's memory must call one of the
 * next two functions before. */
void sim_func_keep_clears(struct sim_func *f);
void sim_func_sync_memory(struct sim_func *f);
/* Brings memory up to date, except for clears that it puts into cleared, which is valid until the
 * next call. */
void sim_func_cleared(struct sim_func *f, const struct attila_scanout *shown,
                      struct attila_cleared *cleared);

#endif
