/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Writes and reads capture files (format in capture/sim_capture.h). The reader trusts nothing:
 * every length is checked before it is used, every chunk has a CRC, and commands must be whole.
 * Whether a command makes sense is checked when it is executed.
 */
#include "capture/sim_capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include "core/sim_file.h"
#include "core/sim_state.h"
#include "decode/sim_frontend.h"
#include "hw/attila_surface.h"

#define HEADER_BYTES 24
#define CHUNK_BYTES 16
#define CHUNK_WORDS (256 * 1024) /* written when this many are pending */
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

/* Names the interface a stream was made for: commands, registers and formats in their order, and
 * where the elements of surfaces are. A capture of another one would be misread without a word. */
#define T_R(type, name, doc) #type #name ","
#define T_B(bits, name, doc) #bits #name ","
#define T_RA(type, name, count, doc) #type #name #count ","
#define T_INNER(list, name, count)
#define T_RS(list, name, count) #name #count "(" list(T_R, T_B, T_RA, T_INNER) ")"
#define T_FORMAT(name, ...) #name #__VA_ARGS__ ","
#define T_COMMAND(NAME, name, words, doc) #NAME #words ","
static uint32_t
capture_interface_crc(void)
{
   static const char registers[] = ATTILA_REGS(T_R, T_B, T_RA, T_RS),
                     formats[] = ATTILA_FORMATS(T_FORMAT), commands[] = ATTILA_COMMANDS(T_COMMAND);
   uLong crc = crc32(0, (const Bytef *)registers, sizeof(registers));
   crc = crc32(crc, (const Bytef *)formats, sizeof(formats));
   crc = crc32(crc, (const Bytef *)commands, sizeof(commands));
   for (uint32_t size = 1; size <= 256; size++) {
      /* A surface, and an element of it. */
      uint32_t height = 1 + size % 100, pitch = attila_surface_pitch(size, height);
      uint8_t place[8];
      capture_put32(place, pitch);
      /* No command says where a sample is: captures from the time when each had a plane of its own
       * can be read, and have the second of two planes here. */
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
   uint8_t *pending; /* room for the head of a chunk, then num_words words */
   size_t num_words, capacity;
   uint8_t *packed; /* room for the head of a chunk, then deflated words */
   size_t packed_size;
};

/* Fills in the head of a chunk and writes the chunk in one piece. */
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
   capture_put32(head + 16, capture_interface_crc());
   capture_put32(head + 20, (uint32_t)crc32(0, head, 20));
   w->file = sim_file_create_numbered(path, "captures", error, error_size);
   if (!w->file) {
      sim_capture_close(w);
      return NULL;
   }
   bool ok = sim_file_write(w->file, head, sizeof(head));
   if (!ok) {
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

/* The chunk of what is pending. */
static bool
capture_flush(struct sim_capture_writer *w)
{
   if (!w->num_words)
      return !w->file->error;
   size_t raw = w->num_words * 4;
   uLongf stored = compressBound(raw);
   if (stored > w->packed_size) {
      uint8_t *packed = realloc(w->packed, CHUNK_BYTES + stored);
      if (packed) {
         w->packed = packed;
         w->packed_size = stored;
      }
   }
   stored = w->packed_size;
   bool packed =
       w->packed &&
       compress2(w->packed + CHUNK_BYTES, &stored, w->pending + CHUNK_BYTES, raw, 1) == Z_OK &&
       stored < raw;
   bool ok = packed ? capture_write_chunk(w, SIM_CAPTURE_COMMANDS, w->packed, raw, stored)
                    : capture_write_chunk(w, SIM_CAPTURE_COMMANDS, w->pending, raw, raw);
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

/* Room for n more words. */
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

/* Words of complete commands: what is malformed is refused when it is executed. */
static size_t
capture_whole_words(const uint32_t *words, size_t num_words)
{
   size_t whole = 0;
   for (uint32_t n; whole < num_words; whole += n) {
      char error[300];
      if (!sim_check_header(words + whole, num_words - whole, &n, error, sizeof(error)))
         break;
   }
   return whole;
}

bool
sim_capture_commands(struct sim_capture_writer *w, const uint32_t *words, size_t num_words)
{
   if (!sim_file_usable(w->file))
      return !w->file->error;
   num_words = capture_whole_words(words, num_words);
   for (size_t done = 0; done < num_words && !w->file->error;) {
      /* Whole commands up to the size of a chunk; a longer one alone. */
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
   uint32_t memory_size;
   uint8_t *stored;
   uint32_t *raw;
   size_t stored_capacity, raw_capacity;
};

struct sim_capture_reader *
sim_capture_open(const char *path, char *error, size_t error_size)
{
   struct sim_capture_reader *r = calloc(1, sizeof(*r));
   uint8_t head[HEADER_BYTES];
   if (!r || !(r->path = strdup(path))) {
      snprintf(error, error_size, "%s: out of host memory", path);
      free(r);
      return NULL;
   }
   r->file = fopen(path, "rb");
   off_t end = -1;
   if (!r->file || fseeko(r->file, 0, SEEK_END) || (end = ftello(r->file)) < 0 ||
       fseeko(r->file, 0, SEEK_SET))
      snprintf(error, error_size, "%s: %s", path, strerror(errno));
   else if (fread(head, 1, sizeof(head), r->file) != sizeof(head) ||
            memcmp(head, SIM_CAPTURE_MAGIC, 8))
      snprintf(error, error_size, "%s: not a capture file (no \"%s\" header)", path,
               SIM_CAPTURE_MAGIC);
   else if (capture_get32(head + 20) != (uint32_t)crc32(0, head, 20))
      snprintf(error, error_size, "%s: the header is damaged (CRC)", path);
   else if (capture_get32(head + 8) != SIM_CAPTURE_VERSION)
      snprintf(error, error_size, "%s: capture version %u, this program reads version %u", path,
               capture_get32(head + 8), SIM_CAPTURE_VERSION);
   else if (capture_get32(head + 16) != capture_interface_crc())
      snprintf(error, error_size,
               "%s: made by a version with other commands, registers, formats or surfaces; capture "
               "it again",
               path);
   else {
      r->memory_size = capture_get32(head + 12);
      r->offset = HEADER_BYTES;
      r->size = (uint64_t)end;
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

/* Every command in the chunk is known and complete. */
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

static enum sim_capture_result
capture_unpack(struct sim_capture_reader *r, uint32_t raw_size, uint32_t stored_size,
               struct sim_capture_record *record, char *error, size_t error_size)
{
   char text[300];
   if (raw_size % 4)
      return capture_damaged(r, "not a whole number of words", error, error_size);
   if (!capture_reserve((void **)&r->raw, &r->raw_capacity, raw_size))
      return capture_damaged(r, "out of host memory", error, error_size);
   uLongf size = raw_size;
   if (raw_size == stored_size)
      memcpy(r->raw, r->stored, raw_size);
   else if (uncompress((Bytef *)r->raw, &size, r->stored, stored_size) != Z_OK || size != raw_size)
      return capture_damaged(r, "cannot be decompressed", error, error_size);
   if (!capture_whole_commands(r->raw, raw_size / 4, text, sizeof(text)))
      return capture_damaged(r, text, error, error_size);
   *record = (struct sim_capture_record){
       .kind = SIM_CAPTURE_COMMANDS, .words = r->raw, .num_words = raw_size / 4};
   return SIM_CAPTURE_RECORD;
}

enum sim_capture_result
sim_capture_next(struct sim_capture_reader *r, struct sim_capture_record *record, char *error,
                 size_t error_size)
{
   uint8_t head[CHUNK_BYTES];
   if (r->offset == r->size)
      return SIM_CAPTURE_END;
   if (r->size - r->offset < CHUNK_BYTES || fread(head, 1, CHUNK_BYTES, r->file) != CHUNK_BYTES)
      return capture_damaged(r, "the file ends inside it", error, error_size);
   uint32_t kind = capture_get32(head), raw_size = capture_get32(head + 4),
            stored_size = capture_get32(head + 8);
   if (kind != SIM_CAPTURE_COMMANDS && kind != SIM_CAPTURE_WAIT)
      return capture_damaged(r, "unknown kind", error, error_size);
   if (stored_size > r->size - r->offset - CHUNK_BYTES)
      return capture_damaged(r, "the file ends inside it", error, error_size);
   if (raw_size == 0 || raw_size > MAX_RAW_BYTES || stored_size > raw_size)
      return capture_damaged(r, "impossible size", error, error_size);
   if (!capture_reserve((void **)&r->stored, &r->stored_capacity, stored_size))
      return capture_damaged(r, "out of host memory", error, error_size);
   if (fread(r->stored, 1, stored_size, r->file) != stored_size)
      return capture_damaged(r, "cannot be read", error, error_size);
   if (capture_get32(head + 12) != (uint32_t)crc32(crc32(0, head, 12), r->stored, stored_size))
      return capture_damaged(r, "damaged (CRC)", error, error_size);
   if (kind == SIM_CAPTURE_WAIT) {
      if (raw_size != 8 || stored_size != 8)
         return capture_damaged(r, "impossible size", error, error_size);
      *record = (struct sim_capture_record){.kind = SIM_CAPTURE_WAIT,
                                            .fence = capture_get32(r->stored) |
                                                     (uint64_t)capture_get32(r->stored + 4) << 32};
   } else {
      enum sim_capture_result result =
          capture_unpack(r, raw_size, stored_size, record, error, error_size);
      if (result != SIM_CAPTURE_RECORD)
         return result;
   }
   r->offset += CHUNK_BYTES + stored_size;
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
   if (place < HEADER_BYTES || place > r->size || fseeko(r->file, (off_t)place, SEEK_SET))
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
   return sim_capture_seek(r, HEADER_BYTES);
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
