/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Writes index files (sim_index.h) under another name; only a complete one replaces the old file.
 * Not here: reading (sim_index.c). */
#include "capture/sim_index_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include "core/sim_file.h"
#include "core/sim_grow_array.h"

#define LEVEL 3 /* of zstd */

struct sim_index_writer {
   FILE *file;
   char *path, *new_path;
   bool failed;
   int error; /* errno, when failed */
   uint64_t written;
   /* Pages so far: their hashes by number, and a hash table of their numbers. */
   struct sim_hash *hash;
   uint32_t *slot;
   size_t num_pages, max_pages, num_slots;
   uint8_t *packed;
   size_t packed_size;
   /* The PAGES chunk that is being made. */
   struct sim_index_page *table;
   uint8_t *pages;
   size_t num_new, max_new, page_bytes, max_page_bytes;
};

static void
index_write_fail(struct sim_index_writer *w, int error)
{
   if (!w->failed)
      w->error = error;
   w->failed = true;
}

static void
index_write_put(struct sim_index_writer *w, const void *data, size_t size)
{
   if (w->failed)
      return;
   if (size && fwrite(data, size, 1, w->file) != 1)
      index_write_fail(w, errno);
   w->written += size;
}

static void
index_write_put_head(struct sim_index_writer *w, struct sim_index_head head)
{
   head.head_crc =
       (uint32_t)crc32(0, (const Bytef *)&head, offsetof(struct sim_index_head, head_crc));
   index_write_put(w, &head, sizeof(head));
}

static bool
index_write_room(struct sim_index_writer *w, void *array, size_t *have, size_t want, size_t bytes)
{
   const bool ok = sim_grow_array(array, have, want, bytes);
   if (!ok)
      index_write_fail(w, ENOMEM);
   return ok;
}

static struct sim_index_writer *
index_write_create(const char *path, char *error, size_t error_size)
{
   struct sim_index_writer *w = calloc(1, sizeof(*w));
   if (w && (w->path = strdup(path)) && asprintf(&w->new_path, "%s.new", path) < 0)
      w->new_path = NULL;
   snprintf(error, error_size, "%s.new: out of host memory", path);
   if (w && w->new_path)
      w->file = sim_file_stream(w->new_path, "w", SIM_FILE_OURS, error, error_size);
   if (w && w->file)
      return w;
   if (w) {
      free(w->path);
      free(w->new_path);
   }
   free(w);
   return NULL;
}

struct sim_index_writer *
sim_index_create(const char *path, const struct sim_index_key *key, char *error, size_t error_size)
{
   struct sim_index_writer *w = index_write_create(path, error, error_size);
   if (!w)
      return NULL;
   struct sim_index_start start = {
       .magic = SIM_INDEX_MAGIC, .version = SIM_INDEX_VERSION, .page = SIM_INDEX_PAGE, .key = *key};
   start.crc = (uint32_t)crc32(0, (const Bytef *)&start, SIM_INDEX_START_CRC);
   index_write_put(w, &start, sizeof(start));
   return w;
}

struct sim_index_writer *
sim_index_extend(const struct sim_index *x, char *error, size_t error_size)
{
   static uint8_t piece[1 << 16];
   struct sim_index_writer *w = index_write_create(x->path, error, error_size);
   for (uint64_t at = 0; w && at < x->end && !w->failed;) {
      const size_t most = x->end - at < sizeof(piece) ? (size_t)(x->end - at) : sizeof(piece);
      const ssize_t n = pread(x->file, piece, most, (off_t)at);
      if (n <= 0)
         index_write_fail(w, n ? errno : EIO);
      else
         index_write_put(w, piece, (size_t)n);
      at += n > 0 ? (uint64_t)n : 0;
   }
   return w;
}

/* Compresses into w->packed. Returns the size, or 0 on failure. */
static size_t
index_write_pack(struct sim_index_writer *w, const void *data, size_t size)
{
   const size_t bound = ZSTD_compressBound(size);
   if (!index_write_room(w, &w->packed, &w->packed_size, bound, 1))
      return 0;
   const size_t n = ZSTD_compress(w->packed, w->packed_size, data, size, LEVEL);
   if (ZSTD_isError(n)) {
      index_write_fail(w, ENOMEM);
      return 0;
   }
   return n;
}

/* --- Pages --- */

static size_t
index_write_slot_of(const struct sim_index_writer *w, const struct sim_hash *h)
{
   size_t i = h->half[0] & (w->num_slots - 1);
   while (w->slot[i] && memcmp(&w->hash[w->slot[i] - 1], h, sizeof(*h)))
      i = (i + 1) & (w->num_slots - 1);
   return i;
}

static void
index_write_grow_slots(struct sim_index_writer *w)
{
   if (w->num_pages * 2 < w->num_slots)
      return;
   free(w->slot);
   w->num_slots = w->num_slots ? w->num_slots * 2 : 4096;
   w->slot = calloc(w->num_slots, sizeof(*w->slot));
   if (!w->slot) {
      index_write_fail(w, ENOMEM);
      return;
   }
   for (size_t i = 0; i < w->num_pages; i++)
      w->slot[index_write_slot_of(w, &w->hash[i])] = (uint32_t)i + 1;
}

/* Returns the number of a page; compresses the page if it is new. */
static uint32_t
index_write_page_number(struct sim_index_writer *w, const uint8_t *page)
{
   static const uint8_t zeros[SIM_INDEX_PAGE];
   if (!memcmp(page, zeros, SIM_INDEX_PAGE))
      return 0;
   const struct sim_hash h = sim_hash(page, SIM_INDEX_PAGE);
   index_write_grow_slots(w);
   if (w->failed)
      return 0;
   const size_t s = index_write_slot_of(w, &h);
   if (w->slot[s])
      return w->slot[s];
   const size_t n = index_write_pack(w, page, SIM_INDEX_PAGE);
   if (!n || !index_write_room(w, &w->hash, &w->max_pages, w->num_pages + 1, sizeof(*w->hash)) ||
       !index_write_room(w, &w->table, &w->max_new, w->num_new + 1, sizeof(*w->table)) ||
       !index_write_room(w, &w->pages, &w->max_page_bytes, w->page_bytes + n, 1))
      return 0;
   w->hash[w->num_pages] = h;
   w->table[w->num_new++] = (struct sim_index_page){.hash = h, .stored = n};
   memcpy(w->pages + w->page_bytes, w->packed, n);
   w->page_bytes += n;
   return w->slot[s] = (uint32_t)++w->num_pages;
}

static void
index_write_put_pages(struct sim_index_writer *w)
{
   const size_t table = w->num_new * sizeof(*w->table);
   if (!w->num_new)
      return;
   index_write_put_head(
       w, (struct sim_index_head){.kind = SIM_INDEX_PAGES,
                                  .number = (uint32_t)w->num_new,
                                  .raw = table,
                                  .stored = table + w->page_bytes,
                                  .crc = (uint32_t)crc32_z(0, (const Bytef *)w->table, table)});
   index_write_put(w, w->table, table);
   index_write_put(w, w->pages, w->page_bytes);
   w->num_new = w->page_bytes = 0;
}

/* --- Chunks --- */

static void
index_write_put_packed(struct sim_index_writer *w, struct sim_index_head head, const void *data,
                       size_t size)
{
   head.raw = size;
   head.stored = index_write_pack(w, data, size);
   head.crc = (uint32_t)crc32_z(0, w->packed, head.stored);
   index_write_put_head(w, head);
   index_write_put(w, w->packed, head.stored);
}

void
sim_index_put_snapshot(struct sim_index_writer *w, uint32_t frame, const uint8_t *memory,
                       const uint8_t *touched, size_t num_pages, const struct sim_state *state)
{
   struct sim_state all = {0};
   for (size_t i = 0; i < num_pages; i++) {
      uint32_t number = touched[i] ? index_write_page_number(w, memory + i * SIM_INDEX_PAGE) : 0;
      SIM_STATE(&all, number);
   }
   sim_state_bytes(&all, state->data, state->at);
   if (all.failed || state->failed)
      index_write_fail(w, ENOMEM);
   index_write_put_pages(w);
   index_write_put_packed(w, (struct sim_index_head){.kind = SIM_INDEX_SNAPSHOT, .number = frame},
                          all.data, all.at);
   free(all.data);
}

void
sim_index_put_machine(struct sim_index_writer *w, uint32_t frame, uint64_t machine,
                      const struct sim_state *state)
{
   if (state->failed)
      index_write_fail(w, ENOMEM);
   index_write_put_packed(
       w, (struct sim_index_head){.kind = SIM_INDEX_MACHINE, .number = frame, .machine = machine},
       state->data, state->at);
}

uint64_t
sim_index_written(const struct sim_index_writer *w)
{
   return w->written;
}

bool
sim_index_finish(struct sim_index_writer *w, bool keep, char *error, size_t error_size)
{
   index_write_put_head(w, (struct sim_index_head){.kind = SIM_INDEX_END});
   if (fclose(w->file))
      index_write_fail(w, errno);
   if (keep && !w->failed && rename(w->new_path, w->path))
      index_write_fail(w, errno);
   if (w->failed)
      snprintf(error, error_size, "%s: %s", w->new_path, strerror(w->error));
   const bool ok = !w->failed;
   if (!keep || !ok)
      unlink(w->new_path);
   free(w->path);
   free(w->new_path);
   free(w->hash);
   free(w->slot);
   free(w->packed);
   free(w->table);
   free(w->pages);
   free(w);
   return ok;
}
