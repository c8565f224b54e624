/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fuzzes the reader of index files and what loads their snapshots: any file is refused with a
 * message, or jumped with; a simulator that has jumped goes on with functional mode and with cycle
 * mode. Checksums are put right after most changes. Not here: the capture beside it, which is
 * always the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include "session/machine/machine.h"
#include "session/session.h"
#include "fuzz.h"
#include "hw/attila_cmd.h"

#define START 56
#define HEAD 40

const unsigned fuzz_num_inputs = 4;

static struct attila_sim *
make_sim(void)
{
   char error[512];
   static const char *overrides[] = {"MEMORYCONTROLLER.MemorySize=16"};
   const struct attila_sim_options o = {
       .overrides = overrides, .num_overrides = 1, .cycle_frames = "100-"};
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim) {
      fprintf(stderr, "fuzz: error: %s\n", error);
      exit(2);
   }
   return sim;
}

/* A frame that clears a surface of colour and one of depth. */
static size_t
frame(uint32_t *words, uint32_t n)
{
   struct attila_regs regs = {.fb_width = 32, .fb_height = 32};
   size_t at = 0;
   regs.color[0].address = 65536;
   regs.color[0].format = ATTILA_FORMAT_R8G8B8A8_UNORM;
   regs.color[0].pitch_tiles = 4;
   regs.color[0].write_mask = 15;
   regs.zs_address = 131072;
   regs.zs_format = ATTILA_FORMAT_Z24X8_UNORM;
   regs.zs_pitch_tiles = 4;
   words[at++] = ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_REGS, 1 + ATTILA_NUM_REGS);
   words[at++] = 0;
   memcpy(words + at, &regs, sizeof(regs));
   at += ATTILA_NUM_REGS;
   words[at++] = ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 3);
   words[at++] = 4096 + 64 * n;
   words[at++] = 4;
   words[at++] = n;
   const float color[4] = {0.5f, 0.25f, (float)n, 1};
   words[at++] = ATTILA_CMD_HEADER(ATTILA_CMD_CLEAR_COLOR, 5);
   words[at++] = 1;
   memcpy(words + at, color, sizeof(color));
   at += 4;
   const float depth = 0.75f;
   words[at++] = ATTILA_CMD_HEADER(ATTILA_CMD_CLEAR_ZS, 3);
   words[at++] = 3;
   memcpy(words + at++, &depth, sizeof(depth));
   words[at++] = n;
   words[at++] = ATTILA_CMD_HEADER(ATTILA_CMD_END_FRAME, 0);
   return at;
}

#define FRAMES 4
#define FRAME_WORDS (ATTILA_NUM_REGS + 64)

static const char *
capture_path(void)
{
   static char path[64];
   char error[512];
   if (path[0])
      return path;
   snprintf(path, sizeof(path), "/tmp/attila-fuzz-index-%ld.attila", (long)getpid());
   struct sim_capture_writer *w = sim_capture_create(path, 16 << 20, error, sizeof(error));
   if (!w) {
      fprintf(stderr, "fuzz: error: %s\n", error);
      exit(2);
   }
   for (uint32_t n = 0; n < FRAMES; n++) {
      uint32_t words[FRAME_WORDS];
      sim_capture_commands(w, words, frame(words, n));
   }
   sim_capture_close(w);
   return path;
}

static struct sim_capture_reader *
open_capture(void)
{
   char error[512];
   struct sim_capture_reader *r = sim_capture_open(capture_path(), error, sizeof(error));
   if (!r) {
      fprintf(stderr, "fuzz: error: %s\n", error);
      exit(2);
   }
   unlink(capture_path());
   return r;
}

/* The capture stays open: its name is gone as soon as it is read. */
static struct sim_capture_reader *
capture(void)
{
   static struct sim_capture_reader *r;
   if (!r)
      r = open_capture();
   return r;
}

static const char *
index_path(void)
{
   static char path[80];
   snprintf(path, sizeof(path), "%s.index", capture_path());
   return path;
}

size_t
fuzz_input(unsigned n, uint8_t data[FUZZ_MAX_SIZE])
{
   char error[512];
   struct attila_sim *sim = make_sim();
   struct sim_index_key key;
   struct sim_machine *m = attila_session_machine(sim);
   const struct sim_device *d = attila_session_device(sim);
   attila_checkpoint_key(m, capture(), &key, error, sizeof(error));
   struct sim_index_writer *w = sim_index_create(index_path(), &key, error, sizeof(error));
   for (uint32_t f = 0; f <= n && w; f++) {
      uint32_t words[FRAME_WORDS];
      attila_session_execute(sim, words, frame(words, f));
      struct attila_place place = {.record = sim_capture_tell(capture())};
      place.orientation.num = n % (ATTILA_ORIENTATIONS + 1);
      struct sim_state common = attila_checkpoint_save(m, &place),
                       machine = attila_checkpoint_save_machine(m);
      uint8_t *touched = attila_checkpoint_touched(m);
      sim_index_put_snapshot(w, f + 1, d->memory, touched, d->memory_size / SIM_INDEX_PAGE,
                             &common);
      sim_index_put_machine(w, f + 1, attila_checkpoint_machine(m), &machine);
      free(common.data);
      free(machine.data);
      free(touched);
   }
   if (!w || !sim_index_finish(w, true, error, sizeof(error))) {
      fprintf(stderr, "fuzz: error: %s\n", error);
      exit(2);
   }
   attila_sim_destroy(sim);
   FILE *f = fopen(index_path(), "rb");
   const size_t size = f ? fread(data, 1, FUZZ_MAX_SIZE, f) : 0;
   if (f)
      fclose(f);
   unlink(index_path());
   return size;
}

/* --- Changes --- */

static uint64_t
number(const uint8_t *at, size_t bytes)
{
   uint64_t v = 0;
   memcpy(&v, at, bytes);
   return v;
}

/* The layout is in capture/sim_index_impl.h. */
static void
mend_checksums(uint8_t *data, size_t size)
{
   if (size < START)
      return;
   uint32_t crc = (uint32_t)crc32(0, data, START - 8);
   memcpy(data + START - 8, &crc, 4);
   for (size_t at = START; size - at >= HEAD;) {
      const uint64_t raw = number(data + at + 16, 8), stored = number(data + at + 24, 8);
      if (stored > size - at - HEAD)
         break;
      const uint64_t part = number(data + at, 4) == SIM_INDEX_PAGES && raw < stored ? raw : stored;
      crc = (uint32_t)crc32_z(0, data + at + HEAD, part);
      memcpy(data + at + 32, &crc, 4);
      crc = (uint32_t)crc32(0, data + at, 36);
      memcpy(data + at + 36, &crc, 4);
      at += HEAD + stored;
   }
}

/* Some bytes of what a chunk holds, unpacked; it must not become longer. */
static void
change_inside(struct fuzz_random *r, uint8_t *data, size_t size)
{
   static uint8_t raw[1 << 20], packed[1 << 20];
   size_t at = START;
   for (unsigned n = 1 + fuzz_random(r, 8); n; n--) {
      const size_t next = at + HEAD + number(data + at + 24, 8);
      at = next + HEAD <= size ? next : at;
   }
   const uint64_t want = number(data + at + 16, 8), stored = number(data + at + 24, 8);
   if (want > sizeof(raw) || stored > size - at - HEAD ||
       ZSTD_decompress(raw, want, data + at + HEAD, stored) != want)
      return;
   /* What is behind the references to pages is more interesting. */
   const uint32_t pages = (16u << 20) / SIM_INDEX_PAGE * 4;
   for (unsigned n = 1 + fuzz_random(r, 3); n; n--) {
      const uint32_t from = fuzz_random(r, 4) && want > pages ? pages : 0;
      const size_t i = from + fuzz_random(r, (uint32_t)want - from);
      raw[i] =
          (uint8_t)(fuzz_random(r, 2) ? fuzz_random(r, 256) : raw[i] ^ 1u << fuzz_random(r, 8));
   }
   const size_t n = ZSTD_compress(packed, sizeof(packed), raw, want, 3);
   if (ZSTD_isError(n) || n > stored)
      return;
   const uint64_t now = n;
   memmove(data + at + HEAD + n, data + at + HEAD + stored, size - at - HEAD - stored);
   memset(data + size - (stored - n), 0, stored - n);
   memcpy(data + at + HEAD, packed, n);
   memcpy(data + at + 24, &now, 8);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
   struct fuzz_random r = {.state = seed};
   if (size >= START + HEAD && fuzz_random(&r, 3))
      change_inside(&r, data, size);
   else
      size = LLVMFuzzerMutate(data, size, max_size);
   if (fuzz_random(&r, 8))
      mend_checksums(data, size);
   return size;
}

/* --- The target --- */

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   char error[512] = "";
   uint32_t words[FRAME_WORDS], at;
   struct attila_place place;
   struct sim_capture_reader *r = capture();
   FILE *f = fopen(index_path(), "wb");
   if (!f || (size && fwrite(data, size, 1, f) != 1) || fclose(f)) {
      fprintf(stderr, "fuzz: error: %s cannot be written\n", index_path());
      exit(2);
   }
   struct attila_sim *sim = make_sim();
   struct attila_checkpoints *x;
   if (attila_checkpoint_open(&x, attila_session_machine(sim), capture_path(), r, error,
                              sizeof(error)) != ATTILA_CHECKPOINTS_OPEN &&
       !error[0])
      fuzz_fail("an index is refused without a message");
   for (uint32_t from = 0, more = x != NULL; more; from = at) {
      if (!attila_checkpoint_jump(x, r, from, from + 1, &at, &place, error, sizeof(error))) {
         if (!error[0])
            fuzz_fail("a snapshot is refused without a message");
         break;
      }
      more = at != from;
      if (more && !attila_session_execute(sim, words, frame(words, at)))
         fuzz_fail("after a jump: %s", attila_sim_error(sim));
      if (more)
         continue;
      sim_machine_end_functional_mode(attila_session_machine(sim));
      if (!attila_session_execute(sim, words, frame(words, 1)))
         fuzz_fail("in cycle mode after a jump: %s", attila_sim_error(sim));
   }
   attila_checkpoint_close(x);
   attila_sim_destroy(sim);
   unlink(index_path());
   return 0;
}
