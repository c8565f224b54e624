/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Writes and reads capture files (format: capture/sim_capture.h). The reader trusts nothing:
 * lengths are checked, chunks have a CRC, commands must be whole; their validity is checked at
 * execution. */
#include "capture/sim_capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include "capture/sim_dictionary.h"
#include "core/sim_file.h"
#include "core/sim_state.h"
#include "core/sim_xalloc.h"
#include "decode/sim_frontend.h"
#include "hw/attila_surface.h"

#define HEADER_BYTES 24
#define V1_INTERFACE 0x7a532f4cu /* version 1 files have this instead of a dictionary */
#define CHUNK_BYTES 16
#define CHUNK_WORDS (256 * 1024) /* a chunk is written when this many words are pending */
#define MAX_RAW_BYTES                                                                            \
   (((size_t)1 << 26) + 16 + CHUNK_WORDS * 4) /* the longest command, and pending ones before it \
                                               */

static void
capture_put32(uint8_t *p, uint32_t v)
{
   for (unsigned i = 0; i < 4; i++)
      p[i] = (uint8_t)(v >> 8 * i);
}

static uint32_t
capture_get32(const uint8_t *p)
{
   return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Returns a checksum of the places of elements in surfaces, since a capture with another layout
 * would be misread silently. The second sample counts as if it were in a second plane, as in old
 * captures: no command depends on the place of a sample, so they stay readable. */
static uint32_t
capture_surface_crc(void)
{
   uLong crc = crc32(0, NULL, 0);
   for (uint32_t size = 1; size <= 256; size++) {
      uint32_t height = 1 + size % 100, pitch = attila_surface_pitch(size, height);
      uint8_t place[8];
      capture_put32(place, pitch);
      const uint32_t plane = 4 * ATTILA_TILE_ELEMENTS;
      const uint64_t in_first = attila_element_offset(pitch, 1, 4, size - 1, height - 1, 0);
      capture_put32(place + 4, (uint32_t)(in_first + (in_first / plane + 1) * plane));
      crc = crc32(crc, place, sizeof(place));
   }
   return (uint32_t)crc;
}

/* --- Writer --- */

struct sim_capture_writer {
   struct sim_file *file;
   uint8_t *pending; /* room for a chunk's head, then num_words words */
   size_t num_words, capacity;
   bool drew;       /* a draw or the end of a frame was written: the file is worth keeping */
   uint8_t *packed; /* room for a chunk's head, then deflated words */
   size_t packed_size;
};

/* Fills in a chunk's head and writes the chunk in one piece. */
static bool
capture_write_chunk(struct sim_capture_writer *w, uint32_t kind, uint8_t *chunk, size_t raw_size,
                    size_t stored_size)
{
   capture_put32(chunk, kind);
   capture_put32(chunk + 4, (uint32_t)raw_size);
   capture_put32(chunk + 8, (uint32_t)stored_size);
   uLong crc = crc32(crc32(0, chunk, 12), chunk + CHUNK_BYTES, (uInt)stored_size);
   capture_put32(chunk + 12, (uint32_t)crc);
   return sim_file_write(w->file, chunk, CHUNK_BYTES + stored_size);
}

/* Writes the raw bytes at chunk + CHUNK_BYTES as a chunk, deflated if that makes them smaller. */
static bool
capture_pack_chunk(struct sim_capture_writer *w, uint32_t kind, uint8_t *chunk, size_t raw)
{
   uLongf stored = compressBound(raw);
   if (stored > w->packed_size) {
      uint8_t *packed = realloc(w->packed, CHUNK_BYTES + stored);
      if (packed) {
         w->packed = packed;
         w->packed_size = stored;
      }
   }
   stored = w->packed_size;
   bool packed = w->packed &&
                 compress2(w->packed + CHUNK_BYTES, &stored, chunk + CHUNK_BYTES, raw, 1) == Z_OK &&
                 stored < raw;
   return packed ? capture_write_chunk(w, kind, w->packed, raw, stored)
                 : capture_write_chunk(w, kind, chunk, raw, raw);
}

static bool
capture_write_dictionary(struct sim_capture_writer *w)
{
   size_t size;
   char *text = sim_dictionary_text(&size);
   uint8_t *chunk = sim_xmalloc(CHUNK_BYTES + size);
   memcpy(chunk + CHUNK_BYTES, text, size);
   const bool ok = capture_pack_chunk(w, SIM_CAPTURE_DICTIONARY, chunk, size);
   free(chunk);
   free(text);
   return ok;
}

struct sim_capture_writer *
sim_capture_create(const char *path, uint32_t memory_size, char *error, size_t error_size)
{
   struct sim_capture_writer *w = calloc(1, sizeof(*w));
   if (!w || !(w->pending = malloc(CHUNK_BYTES + CHUNK_WORDS * 4))) {
      snprintf(error, error_size, "%s: out of host memory", path);
      free(w);
      return NULL;
   }
   w->capacity = CHUNK_WORDS;
   uint8_t head[HEADER_BYTES] = SIM_CAPTURE_MAGIC;
   capture_put32(head + 8, SIM_CAPTURE_VERSION);
   capture_put32(head + 12, memory_size);
   capture_put32(head + 16, capture_surface_crc());
   capture_put32(head + 20, (uint32_t)crc32(0, head, 20));
   w->file = sim_file_create_numbered(path, "captures", error, error_size);
   if (!w->file) {
      sim_capture_close(w);
      return NULL;
   }
   if (!sim_file_write(w->file, head, sizeof(head)) || !capture_write_dictionary(w)) {
      sim_capture_error(w, error, error_size);
      sim_capture_close(w);
      return NULL;
   }
   return w;
}

bool
sim_capture_error(const struct sim_capture_writer *w, char *error, size_t error_size)
{
   if (!w->file->error)
      return false;
   snprintf(error, error_size, "%s: %s", w->file->path, strerror(w->file->error));
   return true;
}

/* Writes the pending words as a chunk. */
static bool
capture_flush(struct sim_capture_writer *w)
{
   if (!w->num_words)
      return !w->file->error;
   bool ok = capture_pack_chunk(w, SIM_CAPTURE_COMMANDS, w->pending, w->num_words * 4);
   if (w->drew)
      sim_file_mark_used(w->file);
   w->num_words = 0;
   return ok;
}

bool
sim_capture_flush(struct sim_capture_writer *w)
{
   if (!sim_file_usable(w->file))
      return !w->file->error;
   return capture_flush(w);
}

/* Makes room for n more words. */
static bool
capture_make_room(struct sim_capture_writer *w, size_t n)
{
   if (w->num_words + n <= w->capacity)
      return true;
   size_t capacity = w->num_words + n + CHUNK_WORDS;
   uint8_t *grown = realloc(w->pending, CHUNK_BYTES + capacity * 4);
   if (!grown) {
      w->file->error = ENOMEM;
      return false;
   }
   w->pending = grown;
   w->capacity = capacity;
   return true;
}

/* Returns the number of words that form whole commands. Malformed commands are refused when they
 * execute. */
static size_t
capture_whole_words(struct sim_capture_writer *w, const uint32_t *words, size_t num_words)
{
   size_t whole = 0;
   for (uint32_t n; whole < num_words; whole += n) {
      char error[300];
      if (!sim_check_header(words + whole, num_words - whole, &n, error, sizeof(error)))
         break;
      const uint32_t op = ATTILA_CMD_OP(words[whole]);
      w->drew |= op == ATTILA_CMD_DRAW || op == ATTILA_CMD_SWAP || op == ATTILA_CMD_END_FRAME;
   }
   return whole;
}

bool
sim_capture_commands(struct sim_capture_writer *w, const uint32_t *words, size_t num_words)
{
   if (!sim_file_usable(w->file))
      return !w->file->error;
   num_words = capture_whole_words(w, words, num_words);
   for (size_t done = 0; done < num_words && !w->file->error;) {
      /* Whole commands up to a chunk's size; a longer one alone. */
      size_t n = 0;
      while (done + n < num_words &&
             (n == 0 || n + 1 + ATTILA_CMD_WORDS(words[done + n]) <= CHUNK_WORDS))
         n += 1 + (size_t)ATTILA_CMD_WORDS(words[done + n]);
      if (n > num_words - done)
         n = num_words - done;
      if (!capture_make_room(w, n))
         break;
      memcpy(w->pending + CHUNK_BYTES + w->num_words * 4, words + done, n * 4);
      w->num_words += n;
      done += n;
      if (w->num_words >= CHUNK_WORDS)
         capture_flush(w);
   }
   return !w->file->error;
}

bool
sim_capture_wait(struct sim_capture_writer *w, uint64_t fence)
{
   uint8_t chunk[CHUNK_BYTES + 8];
   if (!sim_file_usable(w->file))
      return !w->file->error;
   capture_put32(chunk + CHUNK_BYTES, (uint32_t)fence);
   capture_put32(chunk + CHUNK_BYTES + 4, (uint32_t)(fence >> 32));
   return capture_flush(w) && capture_write_chunk(w, SIM_CAPTURE_WAIT, chunk, 8, 8);
}

void
sim_capture_disown(struct sim_capture_writer *w)
{
   sim_file_disown(w->file);
}

bool
sim_capture_close(struct sim_capture_writer *w)
{
   bool ok = !w->file || sim_capture_flush(w);
   ok = sim_file_close(w->file) && ok;
   free(w->pending);
   free(w->packed);
   free(w);
   return ok;
}

/* --- Reader --- */

struct sim_capture_reader {
   FILE *file;
   char *path;
   uint64_t offset, size; /* of the next chunk; of the file */
   uint64_t first;        /* offset of the first record */
   uint32_t memory_size;
   uint8_t *stored;
   uint32_t *raw;
   size_t stored_capacity, raw_capacity;
};

static bool
capture_reserve(void **buffer, size_t *capacity, size_t size)
{
   if (size <= *capacity)
      return true;
   void *p = realloc(*buffer, size);
   if (!p)
      return false;
   *buffer = p;
   *capacity = size;
   return true;
}

static enum sim_capture_result
capture_damaged(const struct sim_capture_reader *r, const char *what, char *error,
                size_t error_size)
{
   snprintf(error, error_size, "%s: chunk at byte %llu: %s", r->path, (unsigned long long)r->offset,
            what);
   return SIM_CAPTURE_ERROR;
}

/* Returns whether all commands of the chunk are known and complete. */
static bool
capture_whole_commands(const uint32_t *words, size_t num_words, char *error, size_t error_size)
{
   for (size_t i = 0; i < num_words;) {
      uint32_t n;
      if (!sim_check_header(words + i, num_words - i, &n, error, error_size))
         return false;
      i += n;
   }
   return true;
}

/* A chunk's head; its stored bytes are in r->stored. */
struct chunk {
   uint32_t kind, raw_size, stored_size;
};

static enum sim_capture_result
capture_read_chunk(struct sim_capture_reader *r, struct chunk *c, char *error, size_t error_size)
{
   uint8_t head[CHUNK_BYTES];
   if (r->size - r->offset < CHUNK_BYTES || fread(head, 1, CHUNK_BYTES, r->file) != CHUNK_BYTES)
      return capture_damaged(r, "the file ends inside it", error, error_size);
   *c = (struct chunk){capture_get32(head), capture_get32(head + 4), capture_get32(head + 8)};
   if (c->kind < SIM_CAPTURE_COMMANDS || c->kind > SIM_CAPTURE_DICTIONARY)
      return capture_damaged(r, "unknown kind", error, error_size);
   if (c->stored_size > r->size - r->offset - CHUNK_BYTES)
      return capture_damaged(r, "the file ends inside it", error, error_size);
   if (c->raw_size == 0 || c->raw_size > MAX_RAW_BYTES || c->stored_size > c->raw_size)
      return capture_damaged(r, "impossible size", error, error_size);
   if (!capture_reserve((void **)&r->stored, &r->stored_capacity, c->stored_size))
      return capture_damaged(r, "out of host memory", error, error_size);
   if (fread(r->stored, 1, c->stored_size, r->file) != c->stored_size)
      return capture_damaged(r, "cannot be read", error, error_size);
   if (capture_get32(head + 12) != (uint32_t)crc32(crc32(0, head, 12), r->stored, c->stored_size))
      return capture_damaged(r, "damaged (CRC)", error, error_size);
   return SIM_CAPTURE_RECORD;
}

/* Unpacks a chunk into r->raw. */
static enum sim_capture_result
capture_unpack(struct sim_capture_reader *r, const struct chunk *c, char *error, size_t error_size)
{
   if (!capture_reserve((void **)&r->raw, &r->raw_capacity, c->raw_size))
      return capture_damaged(r, "out of host memory", error, error_size);
   uLongf size = c->raw_size;
   if (c->raw_size == c->stored_size)
      memcpy(r->raw, r->stored, c->raw_size);
   else if (uncompress((Bytef *)r->raw, &size, r->stored, c->stored_size) != Z_OK ||
            size != c->raw_size)
      return capture_damaged(r, "cannot be decompressed", error, error_size);
   return SIM_CAPTURE_RECORD;
}

static enum sim_capture_result
capture_unpack_commands(struct sim_capture_reader *r, const struct chunk *c,
                        struct sim_capture_record *record, char *error, size_t error_size)
{
   char text[300];
   if (c->raw_size % 4)
      return capture_damaged(r, "not a whole number of words", error, error_size);
   if (capture_unpack(r, c, error, error_size) != SIM_CAPTURE_RECORD)
      return SIM_CAPTURE_ERROR;
   *record = (struct sim_capture_record){
       .kind = SIM_CAPTURE_COMMANDS, .words = r->raw, .num_words = c->raw_size / 4};
   if (!capture_whole_commands(record->words, record->num_words, text, sizeof(text)))
      return capture_damaged(r, text, error, error_size);
   return SIM_CAPTURE_RECORD;
}

/* Reads a file's first chunk. */
static bool
capture_read_dictionary(struct sim_capture_reader *r, char *error, size_t error_size)
{
   struct chunk c;
   char text[300];
   if (capture_read_chunk(r, &c, error, error_size) != SIM_CAPTURE_RECORD)
      return false;
   if (c.kind != SIM_CAPTURE_DICTIONARY) {
      capture_damaged(r, "not a dictionary, which is the first one", error, error_size);
      return false;
   }
   if (capture_unpack(r, &c, error, error_size) != SIM_CAPTURE_RECORD)
      return false;
   if (!sim_dictionary_check((const char *)r->raw, c.raw_size, text, sizeof(text))) {
      capture_damaged(r, text, error, error_size);
      return false;
   }
   r->offset += CHUNK_BYTES + c.stored_size;
   r->first = r->offset;
   return true;
}

/* Returns whether a file's header is readable. */
static bool
capture_check_header(const uint8_t *head, const char *path, char *error, size_t error_size)
{
   const uint32_t version = capture_get32(head + 8);
   if (memcmp(head, SIM_CAPTURE_MAGIC, 8))
      snprintf(error, error_size, "%s: not a capture file (no \"%s\" header)", path,
               SIM_CAPTURE_MAGIC);
   else if (capture_get32(head + 20) != (uint32_t)crc32(0, head, 20))
      snprintf(error, error_size, "%s: the header is damaged (CRC)", path);
   else if (version < 1 || version > SIM_CAPTURE_VERSION)
      snprintf(error, error_size, "%s: capture version %u, this program reads versions 1 to %u",
               path, version, SIM_CAPTURE_VERSION);
   else if (capture_get32(head + 16) != (version == 1 ? V1_INTERFACE : capture_surface_crc()))
      snprintf(error, error_size, "%s: made by a version with other %s; capture it again", path,
               version == 1 ? "commands, registers, formats or surfaces" : "surfaces");
   else
      return true;
   return false;
}

struct sim_capture_reader *
sim_capture_open(const char *path, char *error, size_t error_size)
{
   struct sim_capture_reader *r = calloc(1, sizeof(*r));
   uint8_t head[HEADER_BYTES] = {0};
   if (!r || !(r->path = strdup(path))) {
      snprintf(error, error_size, "%s: out of host memory", path);
      free(r);
      return NULL;
   }
   r->file = fopen(path, "rb");
   off_t end = -1;
   if (!r->file || fseeko(r->file, 0, SEEK_END) || (end = ftello(r->file)) < 0 ||
       fseeko(r->file, 0, SEEK_SET)) {
      snprintf(error, error_size, "%s: %s", path, strerror(errno));
   } else {
      /* The bytes that a short file lacks are 0, which is no valid header. */
      const size_t got = fread(head, 1, sizeof(head), r->file);
      r->memory_size = capture_get32(head + 12);
      r->offset = r->first = got;
      r->size = (uint64_t)end;
      if (capture_check_header(head, path, error, error_size) &&
          (capture_get32(head + 8) == 1 || capture_read_dictionary(r, error, error_size)))
         return r;
   }
   sim_capture_reader_close(r);
   return NULL;
}

uint32_t
sim_capture_memory_size(const struct sim_capture_reader *r)
{
   return r->memory_size;
}

enum sim_capture_result
sim_capture_next(struct sim_capture_reader *r, struct sim_capture_record *record, char *error,
                 size_t error_size)
{
   struct chunk c;
   if (r->offset == r->size)
      return SIM_CAPTURE_END;
   if (capture_read_chunk(r, &c, error, error_size) != SIM_CAPTURE_RECORD)
      return SIM_CAPTURE_ERROR;
   if (c.kind == SIM_CAPTURE_DICTIONARY)
      return capture_damaged(r, "a second dictionary", error, error_size);
   if (c.kind == SIM_CAPTURE_WAIT) {
      if (c.raw_size != 8 || c.stored_size != 8)
         return capture_damaged(r, "impossible size", error, error_size);
      *record = (struct sim_capture_record){.kind = SIM_CAPTURE_WAIT,
                                            .fence = capture_get32(r->stored) |
                                                     (uint64_t)capture_get32(r->stored + 4) << 32};
   } else if (capture_unpack_commands(r, &c, record, error, error_size) != SIM_CAPTURE_RECORD) {
      return SIM_CAPTURE_ERROR;
   }
   r->offset += CHUNK_BYTES + c.stored_size;
   return SIM_CAPTURE_RECORD;
}

uint64_t
sim_capture_tell(const struct sim_capture_reader *r)
{
   return r->offset;
}

bool
sim_capture_seek(struct sim_capture_reader *r, uint64_t place)
{
   if (place < r->first || place > r->size || fseeko(r->file, (off_t)place, SEEK_SET))
      return false;
   r->offset = place;
   return true;
}

bool
sim_capture_fingerprint(struct sim_capture_reader *r, uint64_t *bytes, uint64_t *fingerprint,
                        char *error, size_t error_size)
{
   uint8_t head[HEADER_BYTES];
   const int file = fileno(r->file);
   struct sim_hash h = {{0}};
   for (uint64_t at = 0, size = HEADER_BYTES; at < r->size; size = CHUNK_BYTES) {
      if (pread(file, head, size, (off_t)at) != (ssize_t)size) {
         capture_damaged(r, "the file ends inside it", error, error_size);
         return false;
      }
      const struct sim_hash part = sim_hash(head, size);
      const uint64_t both[3] = {h.half[0], h.half[1], part.half[0]};
      h = sim_hash(both, sizeof(both));
      at += size + (at ? capture_get32(head + 8) : 0);
   }
   *bytes = r->size;
   *fingerprint = h.half[0];
   return sim_capture_seek(r, r->first);
}

void
sim_capture_reader_close(struct sim_capture_reader *r)
{
   if (!r)
      return;
   if (r->file)
      fclose(r->file);
   free(r->path);
   free(r->stored);
   free(r->raw);
   free(r);
}
