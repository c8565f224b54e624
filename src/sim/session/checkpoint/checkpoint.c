/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Checkpoints (checkpoint.h): memory, what commands changed in the front end, and what warming left
 * in the boxes (box/sim_warming.h), block states included. Not here: the file
 * (capture/sim_index.h), the command (cli/cli_index.c). */
#include "session/checkpoint/checkpoint.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "box/sim_warming.h"
#include "config/sim_config.h"
#include "core/sim_xalloc.h"
#include "core/sim_file.h"
#include "decode/sim_frontend.h"
#include "session/machine/machine.h"

struct attila_checkpoints {
   struct sim_machine *m;
   struct sim_index *file;
   uint64_t machine;
   bool any_machine; /* this machine has no boxes */
   uint32_t *pages;
   size_t num_pages;
};

char *
attila_checkpoint_path(const char *capture_path)
{
   return sim_file_path("%s.index", capture_path);
}

static uint64_t
checkpoint_hash_and_free(struct sim_state *s)
{
   const uint64_t h = sim_hash(s->data, s->at).half[0];
   free(s->data);
   return h;
}

bool
attila_checkpoint_capture_key(struct sim_capture_reader *capture, struct sim_index_key *key,
                              char *error, size_t error_size)
{
   key->sources = attila_checkpoint_sources;
   return sim_capture_fingerprint(capture, &key->capture_bytes, &key->capture, error, error_size);
}

bool
attila_checkpoint_key(const struct sim_machine *m, struct sim_capture_reader *capture,
                      struct sim_index_key *key, char *error, size_t error_size)
{
   const struct sim_config *c = sim_machine_config(m);
   uint32_t pixels[] = {
       c->mc.memory_size << 20,   c->sim.max_draw_vertices, c->sim.max_iterations,
       c->shader.aniso_algorithm, c->shader.max_aniso,      c->shader.force_max_aniso,
       c->shader.aniso_even,      c->shader.aniso_round,    c->shader.aniso_round_bits,
       c->shader.brilinear,       c->shader.trilinear_bits};
   key->pixels = sim_hash(pixels, sizeof(pixels)).half[0];
   return attila_checkpoint_capture_key(capture, key, error, error_size);
}

const char *
attila_checkpoint_differs(const struct sim_index_key *has, const struct sim_index_key *wants)
{
   if (has->capture != wants->capture || has->capture_bytes != wants->capture_bytes)
      return "it is of another capture";
   if (has->sources != wants->sources)
      return "another version of the simulator made it";
   if (has->pixels != wants->pixels)
      return "it is of a machine with other texture filters, other memory, MaxDrawVertices or "
             "MaxLoopIterations";
   return NULL;
}

static void
checkpoint_warm(struct sim_machine *m, enum sim_warming_kind kind, struct sim_state *state)
{
   sim_machine_warm(m, &(struct sim_warming){.kind = kind, .state = state});
}

uint64_t
attila_checkpoint_machine(struct sim_machine *m)
{
   const struct sim_config *c = sim_machine_config(m);
   struct sim_state s = {0};
   uint32_t blocks[] = {c->cw.line_stamps, c->cw.pixel_bytes, c->zst.line_stamps,
                        c->zst.pixel_bytes};
   SIM_STATE(&s, blocks);
   SIM_STATE(&s, sim_machine_device(m)->uses.users);
   checkpoint_warm(m, SIM_WARM_TRAITS, &s);
   return checkpoint_hash_and_free(&s);
}

/* Saves or loads all but memory and boxes. */
static void
checkpoint_common_state(struct sim_machine *m, struct attila_place *place, struct sim_state *s)
{
   struct sim_device *d = sim_machine_device(m);
   SIM_STATE(s, place->record);
   SIM_STATE(s, place->words);
   attila_orientation_state(&place->orientation, s);
   SIM_STATE(s, d->fence);
   sim_frontend_state(d->frontend, s);
}

#define HOST_PAGE 4096
#define MAPPED ((uint64_t)3 << 62) /* in a pagemap entry: in memory, or swapped out */

uint8_t *
attila_checkpoint_touched(struct sim_machine *m)
{
   const struct sim_device *d = sim_machine_device(m);
   const size_t num = d->memory_size / SIM_INDEX_PAGE, part = SIM_INDEX_PAGE / HOST_PAGE;
   uint8_t *touched = malloc(num);
   uint64_t entry[512 * SIM_INDEX_PAGE / HOST_PAGE];
   const int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
   for (size_t i = 0, n; touched && i < num; i += n) {
      const off_t at = (off_t)((uintptr_t)d->memory / HOST_PAGE + i * part) * (off_t)sizeof(*entry);
      n = num - i < 512 ? num - i : 512;
      const size_t bytes = n * part * sizeof(*entry);
      const bool known = map >= 0 && pread(map, entry, bytes, at) == (ssize_t)bytes;
      for (size_t p = 0; p < n; p++) {
         uint64_t any = known ? 0 : MAPPED;
         for (size_t k = 0; known && k < part; k++)
            any |= entry[p * part + k];
         touched[i + p] = (any & MAPPED) != 0;
      }
   }
   if (map >= 0)
      close(map);
   return touched;
}

static void
checkpoint_blocks_state(struct sim_blocks *b, struct sim_state *s)
{
   static const uint8_t zeros[SIM_BLOCKS_GROUP];
   const size_t num = b->memory_size / SIM_BLOCK_UNIT;
   for (size_t at = 0; at < num; at += SIM_BLOCKS_GROUP) {
      const size_t n = num - at < SIM_BLOCKS_GROUP ? num - at : SIM_BLOCKS_GROUP;
      uint8_t some = memcmp(b->stored + at, zeros, n) != 0;
      const bool had = some;
      SIM_STATE(s, some);
      if (s->load)
         b->drawn[at / SIM_BLOCKS_GROUP] = some;
      if (some)
         sim_state_bytes(s, b->stored + at, n);
      else if (had)
         memset(b->stored + at, 0, n);
   }
}

static void
checkpoint_uses_state(struct sim_uses *u, struct sim_state *s)
{
   const size_t num = u->memory_size / SIM_USES_UNIT;
   SIM_STATE(s, u->now);
   for (size_t at = 0; at < num; at += SIM_USES_GROUP) {
      const size_t n = num - at < SIM_USES_GROUP ? num - at : SIM_USES_GROUP;
      uint8_t *some = &u->some[at / SIM_USES_GROUP];
      const bool had = *some;
      SIM_STATE(s, *some);
      if (had && !*some) {
         memset(u->used + at, 0, n * sizeof(*u->used));
         memset(u->written + at, 0, n * sizeof(*u->written));
      } else if (*some) {
         sim_state_bytes(s, u->used + at, n * sizeof(*u->used));
         sim_state_bytes(s, u->written + at, n * sizeof(*u->written));
         sim_state_bytes(s, u->writer + at, n);
      }
   }
}

static void
checkpoint_machine_state(struct sim_machine *m, struct sim_state *s)
{
   checkpoint_warm(m, SIM_WARM_STATE, s);
   checkpoint_blocks_state(&sim_machine_device(m)->blocks, s);
   if (sim_machine_device(m)->uses.users)
      checkpoint_uses_state(&sim_machine_device(m)->uses, s);
}

struct sim_state
attila_checkpoint_save(struct sim_machine *m, const struct attila_place *place)
{
   struct sim_state s = {0};
   struct attila_place p = *place;
   checkpoint_common_state(m, &p, &s);
   return s;
}

struct sim_state
attila_checkpoint_save_machine(struct sim_machine *m)
{
   struct sim_state s = {0};
   checkpoint_machine_state(m, &s);
   return s;
}

/* --- Loading --- */

/* Returns whether the opened index belongs to this capture and machine. */
static bool
checkpoint_check(struct attila_checkpoints *x, struct sim_capture_reader *capture, char *error,
                 size_t error_size)
{
   struct sim_index_key key;
   if (!attila_checkpoint_key(x->m, capture, &key, error, error_size))
      return false;
   const char *differs = attila_checkpoint_differs(&sim_index_info(x->file)->key, &key);
   if (!differs && !sim_index_info(x->file)->snapshots)
      differs = "it has no snapshot: the capture is short (attila-sim index --every makes some)";
   if (!differs && !x->any_machine && !sim_index_knows(x->file, x->machine))
      differs = "it has no machine with such ROPs, Z and colour caches, HZ, command processor "
                "or clients of an L2";
   if (differs)
      snprintf(error, error_size, "%s: %s", sim_index_path(x->file), differs);
   return !differs;
}

enum attila_checkpoint_result
attila_checkpoint_open(struct attila_checkpoints **checkpoints, struct sim_machine *m,
                       const char *capture_path, struct sim_capture_reader *capture, char *error,
                       size_t error_size)
{
   bool missing = true;
   char *path = attila_checkpoint_path(capture_path);
   struct sim_index *file = sim_index_open(path, &missing, error, error_size);
   free(path);
   *checkpoints = NULL;
   if (!file)
      return missing ? ATTILA_CHECKPOINTS_NONE : ATTILA_CHECKPOINTS_UNUSABLE;
   struct attila_checkpoints *x = sim_xcalloc(1, sizeof(*x));
   *x = (struct attila_checkpoints){
       .m = m,
       .file = file,
       .machine = attila_checkpoint_machine(m),
       .any_machine = !sim_machine_has_boxes(m),
       .num_pages = sim_machine_device(m)->memory_size / SIM_INDEX_PAGE,
   };
   if (!checkpoint_check(x, capture, error, error_size)) {
      attila_checkpoint_close(x);
      return ATTILA_CHECKPOINTS_UNUSABLE;
   }
   x->pages = sim_xcalloc(x->num_pages, sizeof(*x->pages));
   *checkpoints = x;
   return ATTILA_CHECKPOINTS_OPEN;
}

/* Loads state; place NULL: the state of boxes. Returns whether it is complete and valid. */
static bool
checkpoint_load(struct attila_checkpoints *x, struct sim_state *s, struct attila_place *place)
{
   if (place)
      checkpoint_common_state(x->m, place, s);
   else
      checkpoint_machine_state(x->m, s);
   const bool ok = sim_state_done(s);
   free(s->data);
   return ok;
}

static bool
checkpoint_load_state(struct attila_checkpoints *x, uint32_t at, struct attila_place *place,
                      char *error, size_t error_size)
{
   struct sim_state common, machine;
   if (!sim_index_get_snapshot(x->file, at, &common, x->pages, x->num_pages, error, error_size))
      return false;
   if (!x->any_machine &&
       !sim_index_get_machine(x->file, at, x->machine, &machine, error, error_size)) {
      free(common.data);
      return false;
   }
   const bool device = checkpoint_load(x, &common, place),
              boxes = x->any_machine || checkpoint_load(x, &machine, NULL);
   if (!device || !boxes)
      snprintf(error, error_size, "%s: corrupt checkpoint for frame %u", sim_index_path(x->file),
               at);
   return device && boxes;
}

static bool
checkpoint_load_memory(struct attila_checkpoints *x, char *error, size_t error_size)
{
   uint8_t *touched = attila_checkpoint_touched(x->m);
   if (!touched) {
      snprintf(error, error_size, "out of host memory");
      return false;
   }
   const bool ok =
       sim_index_get_memory(x->file, x->pages, x->num_pages, sim_machine_device(x->m)->memory,
                            touched, error, error_size);
   free(touched);
   return ok;
}

bool
attila_checkpoint_jump(struct attila_checkpoints *x, struct sim_capture_reader *capture,
                       uint32_t from, uint32_t to, uint32_t *frame, struct attila_place *place,
                       char *error, size_t error_size)
{
   struct sim_device *device = sim_machine_device(x->m);
   uint32_t at;
   *frame = from;
   sim_machine_sync_memory(x->m);
   if (!sim_index_find(x->file, x->any_machine ? NULL : &x->machine, from, to, &at))
      return true;
   if (!checkpoint_load_state(x, at, place, error, error_size))
      return false;
   if (!sim_capture_seek(capture, place->record)) {
      snprintf(error, error_size,
               "%s: corrupt checkpoint for frame %u: it lies outside the capture",
               sim_index_path(x->file), at);
      return false;
   }
   if (!checkpoint_load_memory(x, error, error_size))
      return false;
   /* Ends the frame before this one, with all that functional mode does at an end of a frame. */
   device->observed.frame = at - 1;
   sim_observed_frame_ended(&device->observed, &(struct sim_frame_end){.tick = device->ticks});
   *frame = at;
   return true;
}

void
attila_checkpoint_close(struct attila_checkpoints *x)
{
   if (!x)
      return;
   sim_index_close(x->file);
   free(x->pages);
   free(x);
}
