/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fuzzes the reader of capture files: of any file it gives what its chunks hold, which are whole
 * commands, and says where it is damaged; what it read, written and read again, is the same.
 * Checksums are put right after most changes, or nothing but checksums would be tested. Not here:
 * executing the commands
 * (fuzz_commands.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include "capture/sim_capture.h"
#include "capture/sim_dictionary.h"
#include "decode/sim_frontend.h"
#include "hw/attila_cmd.h"
#include "fuzz.h"

#define HEADER 24
#define CHUNK 16

const unsigned fuzz_num_inputs = 6;

/* Where captures are written: the writer makes its own file. */
static const char *
scratch(void)
{
   static char path[64];
   snprintf(path, sizeof(path), "/tmp/attila-fuzz-%ld.attila", (long)getpid());
   unlink(path);
   return path;
}

static struct sim_capture_writer *
new_writer(const char *path)
{
   char error[512];
   struct sim_capture_writer *w = sim_capture_create(path, 16 << 20, error, sizeof(error));
   if (!w) {
      fprintf(stderr, "fuzz: error: %s\n", error);
      exit(2);
   }
   return w;
}

static uint32_t
word(const uint8_t *data)
{
   uint32_t w;
   memcpy(&w, data, 4);
   return w;
}

static void
put_checksum(uint8_t *to, uLong crc)
{
   uint32_t w = (uint32_t)crc;
   memcpy(to, &w, 4);
}

/* Stores the dictionary, which is the first chunk, as text, so that it can be changed. Returns the
 * new size. */
static size_t
unpack_dictionary(uint8_t data[FUZZ_MAX_SIZE], size_t size)
{
   size_t text_size;
   char *text = sim_dictionary_text(&text_size);
   uint8_t *chunk = data + HEADER, *rest = chunk + CHUNK + word(chunk + 8);
   const uint32_t raw = (uint32_t)text_size;
   memmove(chunk + CHUNK + text_size, rest, size - (size_t)(rest - data));
   size = size - (size_t)(rest - chunk) + CHUNK + text_size;
   memcpy(chunk + 4, &raw, 4);
   memcpy(chunk + 8, &raw, 4);
   memcpy(chunk + CHUNK, text, text_size);
   free(text);
   put_checksum(chunk + 12, crc32(crc32(0, chunk, 12), chunk + CHUNK, raw));
   return size;
}

/* Markers, registers and writes that compress and others that do not, in n chunks and a wait. */
size_t
fuzz_input(unsigned n, uint8_t data[FUZZ_MAX_SIZE])
{
   struct fuzz_random r = {.state = n};
   const char *path = scratch();
   struct sim_capture_writer *w = new_writer(path);
   for (unsigned chunk = 0; chunk <= n; chunk++) {
      uint32_t words[64] = {ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_REGS, 3 + chunk), chunk};
      for (unsigned i = 2; i < 4 + chunk; i++)
         words[i] = n % 2 ? fuzz_random(&r, UINT32_MAX) : i;
      sim_capture_commands(w, words, 4 + chunk);
      if (chunk % 2)
         sim_capture_wait(w, chunk);
      sim_capture_flush(w);
   }
   sim_capture_close(w);
   FILE *f = fopen(path, "rb");
   size_t size = f ? fread(data, 1, FUZZ_MAX_SIZE, f) : 0;
   if (f)
      fclose(f);
   unlink(path);
   return n % 2 ? unpack_dictionary(data, size) : size;
}

/* The layout is in sim_capture.h. */
static void
mend_checksums(uint8_t *data, size_t size)
{
   if (size < HEADER)
      return;
   put_checksum(data + 20, crc32(0, data, 20));
   for (size_t at = HEADER; size - at >= CHUNK;) {
      size_t stored = word(data + at + 8);
      if (stored > size - at - CHUNK)
         break;
      uLong crc = crc32(0, data + at, 12);
      put_checksum(data + at + 12, crc32(crc, data + at + CHUNK, (uInt)stored));
      at += CHUNK + stored;
   }
}

/* A field of one of the chunks' heads becomes a little more or less. */
static void
change_head(struct fuzz_random *r, uint8_t *data, size_t size)
{
   size_t at = HEADER;
   for (unsigned n = fuzz_random(r, 8); n; n--) {
      size_t next = at + CHUNK + word(data + at + 8);
      at = next + CHUNK <= size ? next : at;
   }
   uint8_t *field = data + at + 4 * fuzz_random(r, 3);
   uint32_t w = word(field) + 4 * fuzz_random(r, 4) - 8;
   memcpy(field, &w, 4);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
   struct fuzz_random r = {.state = seed};
   if (size >= HEADER + CHUNK && !fuzz_random(&r, 4))
      change_head(&r, data, size);
   else if (size > HEADER && fuzz_random(&r, 4)) /* after the header */
      size = HEADER + LLVMFuzzerMutate(data + HEADER, size - HEADER, max_size - HEADER);
   else
      size = LLVMFuzzerMutate(data, size, max_size);
   if (fuzz_random(&r, 8))
      mend_checksums(data, size);
   return size;
}

/* What a file holds: its words and fences. */
struct content {
   uint32_t *words;
   size_t num;
   bool whole;
};

static void
append(struct content *c, const void *words, size_t num)
{
   c->words = realloc(c->words, (c->num + num + 1) * 4);
   memcpy(c->words + c->num, words, num * 4);
   c->num += num;
}

static void
check_commands(const struct sim_capture_record *record)
{
   char error[256];
   for (size_t at = 0; at < record->num_words;) {
      uint32_t words;
      if (!sim_check_header(record->words + at, record->num_words - at, &words, error,
                            sizeof(error)))
         return; /* the simulator refuses it in the same way */
      at += words;
   }
}

/* The record is what the next chunk of the file holds; at: where that begins. */
static void
check_chunk(const uint8_t *data, size_t size, size_t *at, const struct sim_capture_record *record)
{
   const uint8_t *head = data + *at, *stored = head + CHUNK;
   if (size - *at < CHUNK || word(head + 8) > size - *at - CHUNK)
      fuzz_fail("a record of a chunk that is not in the file");
   const size_t raw_size = word(head + 4), stored_size = word(head + 8);
   if (word(head + 12) != (uint32_t)crc32(crc32(0, head, 12), stored, (uInt)stored_size))
      fuzz_fail("a record of a chunk with a wrong checksum");
   const bool wait = record->kind == SIM_CAPTURE_WAIT;
   if (word(head) != record->kind || (wait ? 8 : record->num_words * 4) != raw_size)
      fuzz_fail("a record of another kind or size than its chunk's");
   uint8_t *raw = malloc(raw_size + 1);
   uLongf n = raw_size;
   if (raw_size == stored_size)
      memcpy(raw, stored, raw_size);
   else if (uncompress(raw, &n, stored, stored_size) != Z_OK || n != raw_size)
      fuzz_fail("a record of a chunk that cannot be decompressed");
   if (memcmp(raw, wait ? (const void *)&record->fence : record->words, raw_size))
      fuzz_fail("a record that is not what its chunk holds");
   free(raw);
   *at += CHUNK + stored_size;
}

/* Where the first record is in a file that has been opened. */
static size_t
first_record(const uint8_t *data)
{
   return HEADER + (word(data + 8) == 1 ? 0 : CHUNK + word(data + HEADER + 8));
}

/* Everything in a file; also compared with its data, and written to w, when they are there. */
static struct content
read_all(struct sim_capture_reader *reader, struct sim_capture_writer *w, const uint8_t *data,
         size_t size)
{
   size_t at = data ? first_record(data) : 0;
   struct content c = {0};
   struct sim_capture_record record;
   char error[512] = "";
   enum sim_capture_result result;
   while ((result = sim_capture_next(reader, &record, error, sizeof(error))) ==
          SIM_CAPTURE_RECORD) {
      if (at)
         check_chunk(data, size, &at, &record);
      if (record.kind == SIM_CAPTURE_WAIT) {
         append(&c, &record.fence, 2);
         if (w)
            sim_capture_wait(w, record.fence);
      } else {
         check_commands(&record);
         append(&c, record.words, record.num_words);
         if (w)
            sim_capture_commands(w, record.words, record.num_words);
      }
   }
   c.whole = result == SIM_CAPTURE_END;
   if (!c.whole && !error[0])
      fuzz_fail("a damaged file without a message");
   return c;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   char error[512] = "";
   struct sim_capture_reader *reader =
       sim_capture_open(fuzz_file(data, size), error, sizeof(error));
   if (!reader) {
      if (!error[0])
         fuzz_fail("a file is refused without a message");
      return 0;
   }
   const char *path = scratch();
   struct sim_capture_writer *w = new_writer(path);
   struct content a = read_all(reader, w, data, size);
   sim_capture_reader_close(reader);
   if (!sim_capture_close(w))
      fuzz_fail("what was read cannot be written");
   reader = sim_capture_open(path, error, sizeof(error));
   unlink(path);
   if (!reader)
      fuzz_fail("what was written cannot be opened: %s", error);
   struct content b = read_all(reader, NULL, NULL, 0);
   sim_capture_reader_close(reader);
   if (!b.whole || a.num != b.num || (a.num && memcmp(a.words, b.words, a.num * 4)))
      fuzz_fail("%zu words were read, and written and read again %zu", a.num, b.num);
   free(a.words);
   free(b.words);
   return 0;
}
