/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What of a simulator in functional mode is in a snapshot (session/checkpoint.h): memory, what
 * commands have changed in the front end, and what the boxes of the machine have been told of
 * (box/sim_warming.h), block states included. Not here: the file (capture/sim_index.h), the command
 * (cli/cli_index.c).
 */
#include "session/checkpoint.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "session/schedule.h"
#include "box/sim_warming.h"
#include "results/sim_report.h"

struct attila_checkpoints {
   struct attila_sim *sim;
   struct sim_index *file;
   uint64_t machine;
   bool any_machine; /* there is none */
   uint32_t *pages;
   size_t num_pages;
};

bool
attila_checkpoint_path(const char *capture_path, char *path, size_t size)
{
   return (size_t)snprintf(path, size, "%s.index", capture_path) < size;
}

static uint64_t
hash_and_free(struct sim_state *s)
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
attila_checkpoint_key(const struct attila_sim *sim, struct sim_capture_reader *capture,
                      struct sim_index_key *key, char *error, size_t error_size)
{
   const struct sim_config *c = &sim->gpu.config;
   uint32_t pixels[] = {sim->device.memory_size,   c->sim.max_draw_vertices,
                        c->shader.aniso_algorithm, c->shader.max_aniso,
                        c->shader.force_max_aniso, c->shader.aniso_even,
                        c->shader.aniso_round,     c->shader.aniso_round_bits,
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
      return "it is of a machine with other texture filters, other memory or MaxDrawVertices";
   return NULL;
}

static void
tell(struct attila_sim *sim, enum sim_warming_kind kind, struct sim_state *state)
{
   const struct sim_warming event = {.kind = kind, .state = state};
   const struct sim_kernel *k = &sim->gpu.kernel;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      if (k->boxes[i]->cls->warm)
         k->boxes[i]->cls->warm(k->boxes[i], &event);
   }
}

uint64_t
attila_checkpoint_machine(struct attila_sim *sim)
{
   const struct sim_config *c = &sim->gpu.config;
   struct sim_state s = {0};
   uint32_t blocks[] = {c->cw.line_stamps, c->cw.pixel_bytes, c->zst.line_stamps,
                        c->zst.pixel_bytes};
   SIM_STATE(&s, blocks);
   tell(sim, SIM_WARM_TRAITS, &s);
   return hash_and_free(&s);
}

/* All but memory. */
static void
common_state(struct attila_sim *sim, struct attila_place *place, struct sim_state *s)
{
   SIM_STATE(s, place->record);
   SIM_STATE(s, place->words);
   attila_orientation_state(&place->origins, s);
   SIM_STATE(s, sim->device.fence);
   sim_frontend_state(sim->device.frontend, s);
}

#define HOST_PAGE 4096
#define MAPPED ((uint64_t)3 << 62) /* of an entry of pagemap: in memory, or swapped out */

uint8_t *
attila_checkpoint_touched(const struct attila_sim *sim)
{
   const struct sim_device *d = &sim->device;
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
blocks_state(struct sim_blocks *b, struct sim_state *s)
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
machine_state(struct attila_sim *sim, struct sim_state *s)
{
   tell(sim, SIM_WARM_STATE, s);
   blocks_state(&sim->device.blocks, s);
}

struct sim_state
attila_checkpoint_save(struct attila_sim *sim, const struct attila_place *place)
{
   struct sim_state s = {0};
   struct attila_place p = *place;
   common_state(sim, &p, &s);
   return s;
}

struct sim_state
attila_checkpoint_save_machine(struct attila_sim *sim)
{
   struct sim_state s = {0};
   machine_state(sim, &s);
   return s;
}

struct attila_checkpoints *
attila_checkpoint_open(struct attila_sim *sim, const char *capture_path,
                       struct sim_capture_reader *capture, char *error, size_t error_size)
{
   char path[4200];
   bool missing = true;
   struct sim_index_key key;
   struct attila_checkpoints *x = calloc(1, sizeof(*x));
   error[0] = '\0';
   if (!x || !attila_checkpoint_path(capture_path, path, sizeof(path)))
      goto none;
   x->sim = sim;
   x->file = sim_index_open(path, &missing, error, error_size);
   if (!x->file) {
      if (missing)
         error[0] = '\0';
      goto none;
   }
   if (!attila_checkpoint_key(sim, capture, &key, error, error_size))
      goto none;
   const char *differs = attila_checkpoint_differs(&sim_index_info(x->file)->key, &key);
   x->any_machine = !sim->cp;
   x->machine = attila_checkpoint_machine(sim);
   if (!differs && !x->any_machine && !sim_index_knows(x->file, x->machine))
      differs = "it has no machine with such ROPs, Z and colour caches, HZ or command processor";
   if (differs) {
      snprintf(error, error_size, "%s: %s", path, differs);
      goto none;
   }
   x->num_pages = sim->device.memory_size / SIM_INDEX_PAGE;
   x->pages = calloc(x->num_pages, sizeof(*x->pages));
   if (x->pages)
      return x;
none:
   attila_checkpoint_close(x);
   return NULL;
}

/* What is loaded must be all there is, and make sense. */
static bool
load(struct attila_checkpoints *x, struct sim_state *s, struct attila_place *place)
{
   if (place)
      common_state(x->sim, place, s);
   else
      machine_state(x->sim, s);
   const bool ok = sim_state_done(s);
   free(s->data);
   return ok;
}

bool
attila_checkpoint_jump(struct attila_checkpoints *x, struct sim_capture_reader *capture,
                       uint32_t from, uint32_t to, uint32_t *frame, struct attila_place *place,
                       char *error, size_t error_size)
{
   struct sim_device *d = &x->sim->device;
   struct sim_state common, machine;
   uint32_t at;
   *frame = from;
   if (x->sim->func)
      sim_func_settle(x->sim->func);
   if (!sim_index_find(x->file, x->any_machine ? NULL : &x->machine, from, to, &at))
      return true;
   if (!sim_index_get_snapshot(x->file, at, &common, x->pages, x->num_pages, error, error_size))
      return false;
   if (!x->any_machine &&
       !sim_index_get_machine(x->file, at, x->machine, &machine, error, error_size)) {
      free(common.data);
      return false;
   }
   const bool parts = load(x, &common, place), boxes = x->any_machine || load(x, &machine, NULL);
   if (!parts || !boxes || !sim_capture_seek(capture, place->record)) {
      snprintf(error, error_size, "%s: the snapshot of frame %u makes no sense",
               sim_index_path(x->file), at);
      return false;
   }
   uint8_t *touched = attila_checkpoint_touched(x->sim);
   const bool ok = touched && sim_index_get_memory(x->file, x->pages, x->num_pages, d->memory,
                                                   touched, error, error_size);
   if (!touched)
      snprintf(error, error_size, "out of host memory");
   free(touched);
   if (!ok)
      return false;
   /* The frame before ends, with all that functional mode does then. */
   sim_report_set_frame(d->report, at - 1);
   sim_report_frame(d->report, sim_report_now(d->report), NULL, 0, 0);
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
