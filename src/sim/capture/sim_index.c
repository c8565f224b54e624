/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reads index files (sim_index.h), without trust: lengths are checked, state has a CRC, and a page
 * counts only if its hash is right. Not here: writing (sim_index_write.c). */
#include "capture/sim_index_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include "core/sim_grow_array.h"

#define MAX_STATE ((uint64_t)1 << 28) /* bytes of a chunk's state */
#define MAX_TABLE (1u << 24)          /* pages per chunk */

static bool
index_damaged(const struct sim_index *x, uint64_t at, const char *what, char *error,
              size_t error_size)
{
   snprintf(error, error_size, "%s: damaged at byte %llu (%s)", x->path, (unsigned long long)at,
            what);
   return false;
}

static bool
index_read_at(const struct sim_index *x, uint64_t at, void *data, size_t size)
{
   for (size_t done = 0; done < size;) {
      const ssize_t n = pread(x->file, (uint8_t *)data + done, size - done, (off_t)(at + done));
      if (n < 0 && errno == EINTR)
         continue;
      if (n <= 0)
         return false;
      done += (size_t)n;
   }
   return true;
}

/* Reads the table of a PAGES chunk whose stored bytes are at `at`. */
static bool
index_read_table(struct sim_index *x, const struct sim_index_head *h, uint64_t at, char *error,
                 size_t error_size)
{
   const uint64_t bytes = (uint64_t)h->number * sizeof(struct sim_index_page);
   if (!h->number || h->number > MAX_TABLE || h->raw != bytes || bytes > h->stored)
      return index_damaged(x, at, "impossible size", error, error_size);
   struct sim_index_page *table = malloc(bytes);
   bool ok = table &&
             sim_grow_array(&x->page, &x->max_pages, x->num_pages + h->number, sizeof(*x->page)) &&
             index_read_at(x, at, table, bytes) &&
             h->crc == (uint32_t)crc32_z(0, (const Bytef *)table, bytes);
   uint64_t place = at + bytes;
   for (uint32_t i = 0; ok && i < h->number; i++) {
      ok = table[i].stored && table[i].stored <= at + h->stored - place &&
           table[i].stored <= 2 * SIM_INDEX_PAGE;
      x->page[x->num_pages++] = (struct sim_index_place){
          .hash = table[i].hash, .at = place, .stored = (uint32_t)table[i].stored};
      place += table[i].stored;
   }
   free(table);
   return (ok && place == at + h->stored) || index_damaged(x, at, "pages", error, error_size);
}

static bool
index_take_chunk(struct sim_index *x, const struct sim_index_head *h, uint64_t at, char *error,
                 size_t error_size)
{
   if (h->kind == SIM_INDEX_PAGES)
      return index_read_table(x, h, at, error, error_size);
   const struct sim_index_chunk *last = NULL;
   bool known = h->kind == SIM_INDEX_MACHINE && sim_index_knows(x, h->machine);
   for (size_t i = 0; i < x->num_chunks; i++) {
      if (x->chunk[i].head.kind == SIM_INDEX_SNAPSHOT)
         last = &x->chunk[i];
   }
   if ((h->kind != SIM_INDEX_SNAPSHOT && h->kind != SIM_INDEX_MACHINE) || !h->raw ||
       h->raw > MAX_STATE || !h->stored || h->stored > ZSTD_compressBound(h->raw))
      return index_damaged(x, at, "impossible kind or size", error, error_size);
   if (h->kind == SIM_INDEX_SNAPSHOT && last && last->head.number >= h->number)
      return index_damaged(x, at, "frames out of order", error, error_size);
   if (!sim_grow_array(&x->chunk, &x->max_chunks, x->num_chunks + 1, sizeof(*x->chunk)))
      return index_damaged(x, at, "out of host memory", error, error_size);
   x->chunk[x->num_chunks++] = (struct sim_index_chunk){.head = *h, .at = at};
   x->info.snapshots += h->kind == SIM_INDEX_SNAPSHOT;
   x->info.machines += h->kind == SIM_INDEX_MACHINE && !known;
   return true;
}

static bool
index_read_chunks(struct sim_index *x, char *error, size_t error_size)
{
   for (uint64_t at = sizeof(struct sim_index_start);;) {
      struct sim_index_head h;
      if (x->info.bytes - at < sizeof(h) || !index_read_at(x, at, &h, sizeof(h)))
         return index_damaged(x, at, "it ends too early", error, error_size);
      if (h.head_crc !=
          (uint32_t)crc32(0, (const Bytef *)&h, offsetof(struct sim_index_head, head_crc)))
         return index_damaged(x, at, "CRC", error, error_size);
      if (h.kind == SIM_INDEX_END) {
         x->end = at;
         x->info.pages = x->num_pages;
         return at + sizeof(h) == x->info.bytes ||
                index_damaged(x, at, "more than its end", error, error_size);
      }
      at += sizeof(h);
      if (h.stored > x->info.bytes - at)
         return index_damaged(x, at, "it ends too early", error, error_size);
      if (!index_take_chunk(x, &h, at, error, error_size))
         return false;
      at += h.stored;
   }
}

static bool
index_read_start(struct sim_index *x, char *error, size_t error_size)
{
   struct sim_index_start s;
   if (x->info.bytes < sizeof(s) || !index_read_at(x, 0, &s, sizeof(s)) ||
       memcmp(s.magic, SIM_INDEX_MAGIC, sizeof(s.magic))) {
      snprintf(error, error_size, "%s: not an index (no \"%s\" header)", x->path, SIM_INDEX_MAGIC);
      return false;
   }
   if (s.crc != (uint32_t)crc32(0, (const Bytef *)&s, SIM_INDEX_START_CRC))
      return index_damaged(x, 0, "CRC of the header", error, error_size);
   if (s.version != SIM_INDEX_VERSION || s.page != SIM_INDEX_PAGE) {
      snprintf(error, error_size, "%s: index version %u, this program reads version %u", x->path,
               s.version, SIM_INDEX_VERSION);
      return false;
   }
   x->info.key = s.key;
   return true;
}

struct sim_index *
sim_index_open(const char *path, bool *missing, char *error, size_t error_size)
{
   struct sim_index *x = calloc(1, sizeof(*x));
   struct stat st;
   *missing = false;
   if (!x || !(x->path = strdup(path))) {
      snprintf(error, error_size, "%s: out of host memory", path);
      free(x);
      return NULL;
   }
   x->file = open(path, O_RDONLY | O_CLOEXEC);
   if (x->file < 0 || fstat(x->file, &st) || !S_ISREG(st.st_mode)) {
      *missing = x->file < 0 && errno == ENOENT;
      snprintf(error, error_size, "%s: %s", path,
               x->file < 0 ? strerror(errno) : "not a regular file");
      sim_index_close(x);
      return NULL;
   }
   x->info.bytes = (uint64_t)st.st_size;
   if (index_read_start(x, error, error_size) && index_read_chunks(x, error, error_size))
      return x;
   sim_index_close(x);
   return NULL;
}

void
sim_index_close(struct sim_index *x)
{
   if (!x)
      return;
   if (x->file >= 0)
      close(x->file);
   free(x->path);
   free(x->chunk);
   free(x->page);
   free(x);
}

const struct sim_index_info *
sim_index_info(const struct sim_index *x)
{
   return &x->info;
}

const char *
sim_index_path(const struct sim_index *x)
{
   return x->path;
}

static const struct sim_index_chunk *
index_find(const struct sim_index *x, uint32_t kind, uint32_t frame, uint64_t machine)
{
   for (size_t i = 0; i < x->num_chunks; i++) {
      const struct sim_index_head *h = &x->chunk[i].head;
      if (h->kind == kind && h->number == frame &&
          (kind != SIM_INDEX_MACHINE || h->machine == machine))
         return &x->chunk[i];
   }
   return NULL;
}

bool
sim_index_knows(const struct sim_index *x, uint64_t machine)
{
   for (size_t i = 0; i < x->num_chunks; i++) {
      if (x->chunk[i].head.kind == SIM_INDEX_MACHINE && x->chunk[i].head.machine == machine)
         return true;
   }
   return false;
}

bool
sim_index_find(const struct sim_index *x, const uint64_t *machine, uint32_t from, uint32_t to,
               uint32_t *frame)
{
   bool found = false;
   for (size_t i = 0; i < x->num_chunks; i++) {
      const struct sim_index_head *h = &x->chunk[i].head;
      if (h->kind != SIM_INDEX_SNAPSHOT || h->number <= from || h->number > to ||
          (machine && !index_find(x, SIM_INDEX_MACHINE, h->number, *machine)))
         continue;
      *frame = h->number;
      found = true;
   }
   return found;
}

uint32_t
sim_index_frame(const struct sim_index *x, uint32_t i)
{
   uint32_t n = 0;
   for (size_t c = 0; c < x->num_chunks; c++) {
      if (x->chunk[c].head.kind == SIM_INDEX_SNAPSHOT && n++ == i)
         return x->chunk[c].head.number;
   }
   return UINT32_MAX;
}

/* Returns the raw bytes of a chunk, which the caller frees, or NULL with a message. */
static uint8_t *
index_unpack(const struct sim_index *x, const struct sim_index_chunk *c, char *error,
             size_t error_size)
{
   if (!c) {
      snprintf(error, error_size, "%s: no such checkpoint", x->path);
      return NULL;
   }
   uint8_t *stored = malloc(c->head.stored), *raw = malloc(c->head.raw);
   const bool ok = stored && raw && index_read_at(x, c->at, stored, c->head.stored) &&
                   c->head.crc == (uint32_t)crc32_z(0, stored, c->head.stored) &&
                   ZSTD_decompress(raw, c->head.raw, stored, c->head.stored) == c->head.raw;
   free(stored);
   if (ok)
      return raw;
   index_damaged(x, c->at, "state", error, error_size);
   free(raw);
   return NULL;
}

bool
sim_index_get_snapshot(const struct sim_index *x, uint32_t frame, struct sim_state *state,
                       uint32_t *pages, size_t num_pages, char *error, size_t error_size)
{
   const struct sim_index_chunk *c = index_find(x, SIM_INDEX_SNAPSHOT, frame, 0);
   const size_t bytes = num_pages * sizeof(*pages);
   uint8_t *raw = index_unpack(x, c, error, error_size);
   if (!raw)
      return false;
   *state = (struct sim_state){.data = raw, .size = c->head.raw, .load = true};
   sim_state_bytes(state, pages, bytes);
   for (size_t i = 0; i < num_pages; i++)
      sim_state_check(state, pages[i] <= x->num_pages);
   if (!state->failed)
      return true;
   free(raw);
   return index_damaged(x, c->at, "references to pages", error, error_size);
}

bool
sim_index_get_machine(const struct sim_index *x, uint32_t frame, uint64_t machine,
                      struct sim_state *state, char *error, size_t error_size)
{
   const struct sim_index_chunk *c = index_find(x, SIM_INDEX_MACHINE, frame, machine);
   uint8_t *raw = index_unpack(x, c, error, error_size);
   if (!raw)
      return false;
   *state = (struct sim_state){.data = raw, .size = c->head.raw, .load = true};
   return true;
}

static bool
index_same(const struct sim_hash *a, const struct sim_hash *b)
{
   return a->half[0] == b->half[0] && a->half[1] == b->half[1];
}

static bool
index_get_page(const struct sim_index *x, const struct sim_index_place *p, ZSTD_DCtx *context,
               uint8_t *to)
{
   uint8_t stored[2 * SIM_INDEX_PAGE];
   if (!index_read_at(x, p->at, stored, p->stored) ||
       ZSTD_decompressDCtx(context, to, SIM_INDEX_PAGE, stored, p->stored) != SIM_INDEX_PAGE)
      return false;
   const struct sim_hash h = sim_hash(to, SIM_INDEX_PAGE);
   return index_same(&h, &p->hash);
}

bool
sim_index_get_memory(const struct sim_index *x, const uint32_t *pages, size_t num_pages,
                     uint8_t *memory, const uint8_t *touched, char *error, size_t error_size)
{
   static const uint8_t zeros[SIM_INDEX_PAGE];
   ZSTD_DCtx *context = ZSTD_createDCtx();
   bool ok = context || index_damaged(x, 0, "out of host memory", error, error_size);
   for (size_t i = 0; i < num_pages && ok; i++) {
      uint8_t *to = memory + i * SIM_INDEX_PAGE;
      const bool empty = !touched[i] || !memcmp(to, zeros, SIM_INDEX_PAGE);
      if (!pages[i]) {
         if (!empty)
            memset(to, 0, SIM_INDEX_PAGE);
         continue;
      }
      const struct sim_index_place *p = &x->page[pages[i] - 1];
      /* After a jump within a run, most pages in memory are already the right ones. */
      struct sim_hash h = {{0}};
      if (!empty)
         h = sim_hash(to, SIM_INDEX_PAGE);
      if (!(!empty && index_same(&h, &p->hash)) && !index_get_page(x, p, context, to))
         ok = index_damaged(x, p->at, "a page", error, error_size);
   }
   ZSTD_freeDCtx(context);
   return ok;
}
