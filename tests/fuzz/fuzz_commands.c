/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fuzzes command streams: the same words in functional and in cycle mode. Neither mode crashes or
 * stands still, both execute the stream or refuse it, and where the stream leaves nothing to chance
 * (fuzz_judge) both leave the same memory. */
#include "fuzz_commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "attila_sim.h"
#include "hw/attila_cmd.h"
#include "fuzz.h"

static const char *const machine[] = {
    "MEMORYCONTROLLER.MemorySize=16", "SIMULATOR.MaxDrawVertices=1000",
    "SIMULATOR.StallCycles=100000",
    /* Only of a small machine: */
    "GPU.NumStampPipes=1", "FRAGMENTSHADER.VectorShader=1", "FRAGMENTSHADER.VectorLength=16",
    "RASTERIZER.HierarchicalZBufferSize=1024", "ZSTENCILTEST.BlockStateMemorySize=1024",
    "COLORWRITE.BlockStateMemorySize=1024", "STREAMER.IndexBufferSize=64"};
#define NUM_ALL 3
#define NUM_SMALL (sizeof(machine) / sizeof(machine[0]))

static struct attila_sim *
new_machine(enum attila_mode mode, uint32_t choices)
{
   char error[512];
   const struct attila_sim_options o = {.mode = mode,
                                        .keep_clears = true,
                                        .overrides = machine,
                                        .num_overrides =
                                            choices & FUZZ_SMALL_MACHINE ? NUM_SMALL : NUM_ALL};
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim)
      fuzz_fail("%s", error);
   return sim;
}

/* Command by command, or all at once. */
static bool
submit(struct attila_sim *sim, const uint32_t *words, size_t num, uint32_t choices)
{
   for (size_t at = 0; at < num;) {
      size_t n = choices & FUZZ_ONE_BY_ONE ? 1 + ATTILA_CMD_WORDS(words[at]) : num;
      n = n < num - at ? n : num - at;
      if (!attila_sim_submit(sim, words + at, n))
         return false;
      at += n;
   }
   return true;
}

static void
copy_memory(void *to, const uint8_t *bytes, const struct attila_cleared *cleared)
{
   if (cleared->blocks)
      fuzz_fail("memory is no surface, but has cleared blocks");
   memcpy(to, bytes, FUZZ_MEMORY);
}

/* Whether the stream was executed to its end; then memory receives what it left. error: why not. */
static bool
run(const uint32_t *words, size_t num, enum attila_mode mode, uint32_t choices, uint8_t *memory,
    char error[512])
{
   static const uint32_t last[] = {ATTILA_CMD_HEADER(ATTILA_CMD_FLUSH, 1),
                                   ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS,
                                   ATTILA_CMD_HEADER(ATTILA_CMD_FENCE, 2), 0xffffffff, 0x7fffffff};
   struct attila_sim *sim = new_machine(mode, choices);
   bool ok =
       submit(sim, words, num, choices) && attila_sim_submit(sim, last, sizeof(last) / 4) &&
       attila_sim_wait(sim, 0x7fffffffffffffffull) &&
       attila_sim_scanout(sim, &(struct attila_scanout){.size = FUZZ_MEMORY}, copy_memory, memory);
   const char *why = attila_sim_error(sim);
   if (!ok && !why)
      fuzz_fail("the simulator refuses a stream without a message");
   snprintf(error, 512, "%s", ok ? "executed" : why);
   attila_sim_destroy(sim);
   return ok;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   static uint8_t *functional, *cycle;
   char error[2][512];
   uint32_t choices;
   if (size < 4)
      return 0;
   size_t num = (size - 4) / 4;
   uint32_t *words = malloc(num * 4 + 1);
   memcpy(&choices, data, 4);
   memcpy(words, data + 4, num * 4);
   const struct fuzz_verdict verdict = fuzz_judge(words, num);
   if (verdict.quick) {
      if (!functional) {
         functional = malloc(FUZZ_MEMORY);
         cycle = malloc(FUZZ_MEMORY);
      }
      bool a = run(words, num, ATTILA_MODE_FUNCTIONAL, choices, functional, error[0]);
      bool b = run(words, num, ATTILA_MODE_CYCLE, choices, cycle, error[1]);
      if (a != b)
         fuzz_fail("functional mode: %s; cycle mode: %s", error[0], error[1]);
      for (size_t i = 0; a && verdict.same_memory && i < FUZZ_MEMORY; i++) {
         if (functional[i] != cycle[i])
            fuzz_fail("memory at 0x%zx: 0x%02x in functional mode, 0x%02x in cycle mode", i,
                      functional[i], cycle[i]);
      }
   }
   free(words);
   return 0;
}
