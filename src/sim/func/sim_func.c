/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Functional mode: executes the command queue with the emulators directly on GPU memory, command by
 * command. Pixels are those of cycle mode; there is no time, and no caches (FLUSH does nothing).
 * Here: commands other than draws and clears. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include "core/sim_fp.h"
#include "core/sim_xalloc.h"
#include "emul/rop/emul_blit.h"
#include "emul/emul_stream_out.h"
#include "emul/rop/emul_swap.h"
#include "func/sim_func_impl.h"

void *
func_pages(size_t bytes)
{
   void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   return p == MAP_FAILED ? NULL : p;
}

void
func_pages_free(void *pages, size_t bytes)
{
   if (pages)
      munmap(pages, bytes);
}

struct func_worker *
func_worker_create(unsigned index, unsigned shares)
{
   struct func_worker *w = func_pages(sizeof(*w));
   if (!w)
      return NULL;
   w->group = &w->waiting;
   w->index = index;
   w->shares = shares;
   return w;
}

void
func_worker_destroy(struct func_worker *w)
{
   func_pages_free(w, sizeof(*w));
}

/* Room for one more vertex: the last one may be read as if it had every output. */
#define ARENA_BYTES \
   (FUNC_SEGMENTS * FUNC_SEGMENT_VECTORS * 4 * sizeof(float) + sizeof(struct emul_vertex))

struct sim_func *
sim_func_create(struct sim_device *device, unsigned threads)
{
   struct sim_func *f = aligned_alloc(64, (sizeof(*f) + 63) & ~(size_t)63);
   if (!f)
      return NULL;
   memset(f, 0, sizeof(*f));
   f->device = device;
   f->tile_z = func_tile_z_get(0);
   f->color = emul_color_writer_get(0);
   f->windows = emul_windows_get(0);
   f->own = func_worker_create(0, 1);
   f->threads = func_threads_create(threads);
   f->queue = func_queue_create();
   f->arena.vectors = func_pages(ARENA_BYTES);
   f->clipped.vectors = func_pages(ARENA_BYTES);
   f->emitted.vectors = func_pages(ARENA_BYTES);
   if (f->own && f->threads && f->queue && f->arena.vectors && f->clipped.vectors &&
       f->emitted.vectors)
      return f;
   sim_func_destroy(f);
   return NULL;
}

void
sim_func_destroy(struct sim_func *f)
{
   if (!f)
      return;
   func_threads_destroy(f->threads);
   func_queue_destroy(f->queue);
   func_worker_destroy(f->own);
   func_pages_free(f->arena.vectors, ARENA_BYTES);
   func_pages_free(f->clipped.vectors, ARENA_BYTES);
   func_pages_free(f->emitted.vectors, ARENA_BYTES);
   free(f->gs.out);
   emul_grid_fini(&f->compute);
   free(f->row);
   free(f->grid.found);
   free(f->image);
   free(f);
}

void
sim_func_set_watch(struct sim_func *f, const struct sim_func_watch *w)
{
   f->watch = *w;
   f->watched = true;
}

/* Notes that a command without block states wrote memory [start, end). */
static void
func_written(struct sim_func *f, enum sim_user user, uint64_t start, uint64_t end)
{
   if (!f->watched || start >= end)
      return;
   sim_use(&f->device->uses, user, start, end, true);
   f->watch.written(f->watch.user, start, end);
}

/* Returns false, for "return func_fail(...)". */
static bool
func_fail(struct sim_func *f, const char *message)
{
   snprintf(f->error, f->error_size, "%s", message);
   return false;
}

/* --- Commands; false: the simulation ends. Payloads are checked, and aligned to words only --- */

/* Brings bytes [start, end) of memory up to date before they are read or written. */
static void
func_sync_range(struct sim_func *f, uint64_t start, uint64_t end, bool write)
{
   func_drain_range(f, start, end, write);
   func_clear_apply(f, start, end, write);
}

static bool
func_exec_nop(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   return true;
}

static bool
func_exec_context(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   if (f->watched)
      f->watch.context(f->watch.user, payload);
   sim_frontend_select(f->device->frontend, payload);
   return true;
}

static bool
func_exec_write_regs(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   sim_frontend_write_regs(f->device->frontend, payload, words);
   return true;
}

static bool
func_exec_write_consts(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   sim_frontend_write_consts(f->device->frontend, payload, words);
   return true;
}

static bool
func_exec_const_buffers(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   sim_frontend_const_buffers(f->device->frontend, payload, words);
   return true;
}

static bool
func_exec_geometry(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   sim_frontend_geometry(f->device->frontend, payload);
   return true;
}

static bool
func_exec_layers(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   sim_frontend_layers(f->device->frontend, payload);
   return true;
}

static bool
func_exec_storage(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   sim_frontend_storage(f->device->frontend, payload, words);
   return true;
}

static bool
func_exec_images(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   sim_frontend_images(f->device->frontend, payload, words);
   return true;
}

static bool
func_exec_write_buffer(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   const uint32_t size = payload[1] & ~ATTILA_BUFFER_NO_WAIT;
   func_sync_range(f, payload[0], (uint64_t)payload[0] + size, true);
   memcpy(f->device->memory + payload[0], payload + 2, size);
   func_written(f, SIM_USER_COMMANDS, payload[0], (uint64_t)payload[0] + size);
   return true;
}

static bool
func_exec_read_buffer(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   const struct sim_device *d = f->device;
   uint32_t address = payload[0], size = payload[1];
   func_drain(f);
   func_clear_apply(f, address, (uint64_t)address + size, false);
   sim_use(&f->device->uses, SIM_USER_COMMANDS, address, (uint64_t)address + size, false);
   /* A replay keeps no data. */
   if (d->read.dst)
      memcpy(d->read.dst, d->memory + address, size < d->read.size ? size : d->read.size);
   return true;
}

static bool
func_exec_load_program(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   char error[256], message[320];
   func_sync_range(f, payload[1], (uint64_t)payload[1] + payload[2], false);
   if (sim_frontend_load_program(f->device->frontend, payload, words,
                                 f->device->memory + payload[1], error, sizeof(error))) {
      if (f->watched)
         f->watch.program(f->watch.user, payload);
      return true;
   }
   snprintf(message, sizeof(message), "LOAD_PROGRAM at 0x%x: %s", payload[1], error);
   return func_fail(f, message);
}

void
func_draw_writes(struct sim_func *f, const struct emul_draw_state *state, bool done)
{
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      uint64_t start, end;
      for (unsigned i = 0; emul_stage_writes(state, s) && i < EMUL_STAGE_STORAGE; i++) {
         const bool bound = emul_stage_storage(state, s, i, &start, &end);
         if (bound && !done)
            func_clear_apply(f, start, end, true);
         else if (bound && f->watched)
            f->watch.written(f->watch.user, start, end);
      }
   }
}

/* Executes a draw into stream-out. */
static void
func_draw_streams(struct sim_func *f, const struct func_pass *pass)
{
   const struct emul_stream_out *s = pass->state.stream_out;
   uint64_t before[ATTILA_MAX_STREAM_BUFFERS];
   memcpy(before, pass->state.stream_filled, sizeof(before));
   for (uint32_t m = s->buffers; m; m &= m - 1) {
      const struct attila_stream_target *t = &s->target[__builtin_ctz(m)];
      func_clear_apply(f, t->address, (uint64_t)t->address + t->size, true);
   }
   func_draw(f);
   for (uint32_t m = s->buffers; m; m &= m - 1) {
      const unsigned b = (unsigned)__builtin_ctz(m);
      const uint64_t address = s->target[b].address, filled = pass->state.stream_filled[b];
      pass->counters[ATTILA_COUNTER_STREAM_BYTES_0 + b] = filled;
      func_written(f, SIM_USER_STREAMS, address + before[b], address + filled);
   }
}

static bool
func_exec_draw(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   struct sim_device *d = f->device;
   const struct attila_cmd_draw cmd = sim_frontend_draw_command(d->frontend, payload);
   char error[256];
   if (cmd.count == 0 || cmd.num_instances == 0 || !sim_frontend_draws(d->frontend, cmd.flags))
      return true;
   struct func_pass *pass = func_pass_take(f);
   if (!sim_frontend_begin_draw(d->frontend, &pass->state, &cmd, error, sizeof(error))) {
      sim_warn(&d->observed, "draw skipped: %s", error);
      return true;
   }
   pass->counters = sim_frontend_counters(d->frontend);
   struct sim_draw_begins begins = {0};
   sim_observed_draw_begins(&d->observed, &begins);
   if (f->watched)
      f->watch.draw(f->watch.user, &pass->state);
   func_fragment_start(f, pass);
   func_use_indices(pass);
   f->pass = pass;
   func_pass_begin(f);
   func_draw_writes(f, &pass->state, false);
   if (pass->state.stream_out)
      func_draw_streams(f, pass);
   else
      func_draw(f);
   struct sim_work work = {
       .kind = SIM_KIND_DRAW,
       .draw = begins.number,
       .meta = (cmd.flags & ATTILA_DRAW_META) != 0,
       .prim = cmd.prim,
       .count = cmd.count,
       .instances = cmd.num_instances,
       .label = sim_frontend_label(d->frontend),
       .call = attila_cmd_draw_note(payload, words),
   };
   sim_draw_work(d, &pass->state, &work);
   work.pipeline = sim_draw_pipeline(d, &pass->state);
   sim_observed_draw(&d->observed, &work);
   func_pass_end(f);
   func_draw_writes(f, &pass->state, true);
   return true;
}

static bool
func_exec_clear_color(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   float color[4];
   memcpy(color, payload + 1, sizeof(color));
   if (f->watched)
      f->watch.clear_color(f->watch.user, payload[0], color);
   func_clear_color(f, sim_frontend_regs(f->device->frontend), payload[0], color);
   return true;
}

static bool
func_exec_clear_zs(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   float depth;
   memcpy(&depth, payload + 1, sizeof(depth));
   if (f->watched)
      f->watch.clear_zs(f->watch.user, payload[0], depth, payload[2]);
   func_clear_zs(f, sim_frontend_regs(f->device->frontend), payload[0], depth, payload[2]);
   return true;
}

static bool
func_exec_blit(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   func_drain(f);
   struct attila_cmd_blit b;
   uint64_t start, end;
   char error[256];
   memcpy(&b, payload, sizeof(b));
   if (!b.width || !b.height || !b.depth)
      return true;
   if (!emul_blit_check(&b, f->device->memory_size, error, sizeof(error)))
      return func_fail(f, error);
   emul_blit_range(&b, &b.src, &start, &end);
   func_clear_apply(f, start, end, false);
   sim_use(&f->device->uses, SIM_USER_BLITS, start, end, false);
   emul_blit_range(&b, &b.dst, &start, &end);
   func_clear_apply(f, start, end, true);
   if (!emul_blit(f->device->memory, f->device->memory_size, &b))
      return func_fail(f, "no host memory for a blit");
   func_written(f, SIM_USER_BLITS, start, end);
   return true;
}

/* No caches: nothing to do. */
static bool
func_exec_flush(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   return true;
}

/* What is discarded is undefined, so it may stay. */
static bool
func_exec_discard(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   return true;
}

static bool
func_exec_write_counter(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   func_drain(f);
   func_clear_apply(f, payload[1], (uint64_t)payload[1] + 8, true);
   const struct sim_device *d = f->device;
   sim_frontend_note_counter(d->frontend, payload[0]);
   const uint64_t value = payload[0] == ATTILA_COUNTER_TIME_NS ? d->time_ns
                          : payload[0] == ATTILA_COUNTER_GPU_CYCLES
                              ? d->gpu_cycles
                              : sim_frontend_counters(d->frontend)[payload[0]];
   for (unsigned i = 0; i < 8; i++)
      f->device->memory[payload[1] + i] = (uint8_t)(value >> 8 * i);
   func_written(f, SIM_USER_COMMANDS, payload[1], (uint64_t)payload[1] + 8);
   return true;
}

static bool
func_exec_condition(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   func_drain(f);
   struct attila_cmd_condition c;
   memcpy(&c, payload, sizeof(c));
   func_clear_apply(f, c.address, c.address + 16ull * c.count, false);
   sim_frontend_set_condition(f->device->frontend, &c, f->device->memory + c.address);
   return true;
}

/* Reads a 64-bit counter from memory. */
static uint64_t
func_read_counter(struct sim_func *f, uint32_t address)
{
   uint64_t value;
   func_clear_apply(f, address, address + 8ull, false);
   memcpy(&value, f->device->memory + address, sizeof(value));
   return value;
}

static bool
func_exec_stream_outputs(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   sim_frontend_stream_outputs(f->device->frontend, payload, words);
   return true;
}

static bool
func_exec_stream_targets(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   struct attila_stream_target target[ATTILA_MAX_STREAM_BUFFERS];
   uint64_t filled[ATTILA_MAX_STREAM_BUFFERS];
   func_drain(f);
   memcpy(target, payload, sizeof(target));
   for (unsigned b = 0; b < ATTILA_MAX_STREAM_BUFFERS; b++)
      filled[b] = target[b].filled ? func_read_counter(f, target[b].filled) : 0;
   sim_frontend_stream_targets(f->device->frontend, payload, filled);
   return true;
}

static bool
func_exec_vertex_count(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   struct attila_cmd_vertex_count c;
   func_drain(f);
   memcpy(&c, payload, sizeof(c));
   sim_frontend_set_vertex_count(f->device->frontend, &c, func_read_counter(f, c.filled));
   return true;
}

static bool
func_exec_indirect(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   struct attila_cmd_indirect c;
   memcpy(&c, payload, sizeof(c));
   const uint64_t end = c.address + 4ull * c.words;
   func_drain_range(f, c.address, end, false);
   func_clear_apply(f, c.address, end, false);
   sim_frontend_set_indirect(f->device->frontend, &c, f->device->memory + c.address);
   return true;
}

static bool
func_exec_marker(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   sim_frontend_marker(f->device->frontend, payload, words);
   return true;
}

/* The DAC reads what it shows. */
static void
func_use_shown(struct sim_func *f, const struct attila_cmd_swap *swap)
{
   if (swap->format < ATTILA_NUM_FORMATS)
      sim_use(&f->device->uses, SIM_USER_DISPLAY, swap->address,
              swap->address + attila_surface_bytes(swap->pitch_tiles, swap->width, swap->height,
                                                   swap->samples,
                                                   attila_formats[swap->format].bytes),
              false);
}

static bool
func_exec_swap(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   func_drain(f);
   struct sim_device *d = f->device;
   const struct attila_cmd_swap swap = attila_cmd_swap_of(payload);
   const struct attila_cmd_swap cmd = emul_swap_picture(&swap);
   struct sim_frame_end end = {
       .tick = d->ticks, .shown = swap.address, .width = cmd.width, .height = cmd.height};
   const bool image = sim_observed_wants_image(&d->observed);
   if (image)
      func_clear_apply(f, 0, UINT64_MAX, false);
   func_use_shown(f, &swap);
   if (swap.flags & ATTILA_SWAP_RESOLVE) {
      sim_func_sync_memory(f);
      emul_swap_resolve(d->memory + swap.address, &swap, d->memory);
      func_written(f, SIM_USER_DISPLAY, cmd.address,
                   cmd.address + attila_surface_bytes(cmd.pitch_tiles, cmd.width, cmd.height, 1,
                                                      attila_formats[cmd.format].bytes));
   }
   if (image) {
      const size_t size = (size_t)cmd.width * cmd.height * 4;
      if (size > f->image_size) {
         free(f->image);
         f->image = malloc(size);
         f->image_size = f->image ? size : 0;
         if (!f->image)
            return func_fail(f, "no memory for the image of a frame");
      }
      emul_swap_to_rgba8(d->memory, &cmd, f->image);
      end.image = f->image;
   }
   sim_observed_frame_ended(&d->observed, &end);
   return true;
}

static bool
func_exec_end_frame(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   func_drain(f);
   sim_observed_frame_ended(&f->device->observed,
                            &(struct sim_frame_end){.tick = f->device->ticks, .unshown = true});
   return true;
}

static bool
func_exec_fence(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   sim_device_fence(f->device, payload);
   return true;
}

static bool (*const execute[ATTILA_NUM_CMDS])(struct sim_func *f, const uint32_t *payload,
                                              uint32_t words) = {
#define C(NAME, name, words, doc) func_exec_##name,
    ATTILA_COMMANDS(C)
#undef C
};

static bool
func_run_queue(struct sim_func *f)
{
   struct sim_command_queue *q = &f->device->queue;
   while (q->head < q->tail) {
      const uint32_t *command = q->words + q->head;
      uint32_t words = ATTILA_CMD_WORDS(command[0]);
      if (!sim_frontend_check(f->device->frontend, command, q->tail - q->head, f->error,
                              f->error_size) ||
          !execute[ATTILA_CMD_OP(command[0])](f, command + 1, words))
         return false;
      q->head += 1 + words;
   }
   return true;
}

void
sim_func_watch_pixel(struct sim_func *f, int32_t x, int32_t y,
                     void (*call)(void *user, const struct sim_func_fragment *found, bool after),
                     void *user)
{
   f->pixel.at[0] = x;
   f->pixel.at[1] = y;
   f->pixel.call = call;
   f->pixel.user = user;
}

void
sim_func_watch_grid(struct sim_func *f, int32_t x, int32_t y, int32_t step,
                    void (*call)(void *user, int32_t x, int32_t y,
                                 const struct sim_func_fragment *found),
                    void *user)
{
   f->grid.first[0] = x % step;
   f->grid.first[1] = y % step;
   f->grid.step = step;
   f->grid.call = call;
   f->grid.user = user;
}

void
sim_func_watch_cover(struct sim_func *f, struct sim_func_cover *cover)
{
   f->cover = cover;
}

void
sim_func_watch_vertices(struct sim_func *f, const struct sim_func_vertices_watch *w)
{
   f->vertices = w ? *w : (struct sim_func_vertices_watch){0};
   if (f->vertices.primitive && !f->row)
      f->row = sim_xcalloc(ARENA_BYTES / sizeof(float[4]), sizeof(*f->row));
}

bool
sim_func_run(struct sim_func *f, char *error, size_t error_size)
{
   const sim_fp_state fp = sim_fp_enter();
   f->error = error;
   f->error_size = error_size;
   bool ok = func_run_queue(f);
   func_drain(f);
   if (!f->keeps_clears)
      sim_func_sync_memory(f);
   sim_fp_leave(fp);
   return ok;
}
