/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fuzzes the reader of .ini files and of single assignments: any file is refused with a message, or
 * gives a configuration whose parameters are in their ranges, that is the same when it is written
 * and read again, and of which a machine can be built if its parameters fit together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "attila_sim.h"
#include "config/sim_config.h"
#include "fuzz.h"

#define LONG "a text that no parameter takes, which is longer than a buffer for it may be; "

static const char *const texts[] = {
    "[GPU]\nNumStampPipes = 4\nUnified = \"FALSE\"\n[MEMORYCONTROLLER]\nMemorySize=64\n",
    "# comment\n; another\n[FRAGMENTSHADER]\nVectorShader = TRUE\nVectorLength = 16  # lanes\n"
    "NoSuchKey = 7\n[NOWHERE]\n",
    "[SIMULATOR]\nStallCycles=0x1000\nMaxDrawVertices =  4294967295\n",
    "[FRAGMENTSHADER]\nVectorLength = 4\nVectorResources = 96\n",
};
#define NUM_TEXTS (sizeof(texts) / sizeof(texts[0]))
const unsigned fuzz_num_inputs = NUM_TEXTS + 8; /* the others are all parameters */

static char *
describe(const struct sim_config *c, size_t *size)
{
   char *text = NULL;
   FILE *f = open_memstream(&text, size);
   sim_config_describe(c, SIM_DESCRIBE_INI, f);
   fclose(f);
   return text;
}

size_t
fuzz_input(unsigned n, uint8_t data[FUZZ_MAX_SIZE])
{
   size_t size;
   if (n < NUM_TEXTS) {
      size = strlen(texts[n]);
      memcpy(data, texts[n], size);
      return size;
   }
   struct sim_config c;
   sim_config_defaults(&c);
   char *text = describe(&c, &size);
   if (size > FUZZ_MAX_SIZE)
      abort();
   memcpy(data, text, size);
   free(text);
   return size;
}

/* The value after a random '=', or any bytes. */
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
   static const char *const values[] = {
       "0",   "1",     "2",           "3",    "4",          "8",          "16",
       "32",  "64",    "127",         "1024", "65536",      "-1",         "+1",
       "1e3", "TRUE",  "FALSE",       "0x10", "4294967295", "4294967296", "99999999999999999999",
       "",    "\"5\"", LONG LONG LONG};
   struct fuzz_random r = {.state = seed};
   uint8_t *equals = NULL;
   size_t at = fuzz_random(&r, (uint32_t)size + 1);
   if (fuzz_random(&r, 4))
      equals = memchr(data + at, '=', size - at);
   if (!equals)
      return LLVMFuzzerMutate(data, size, max_size);
   at = (size_t)(equals + 1 - data);
   uint8_t *end = memchr(data + at, '\n', size - at);
   size_t line = end ? (size_t)(end - data) : size;
   const char *value = values[fuzz_random(&r, sizeof(values) / sizeof(values[0]))];
   char near[16];
   if (!fuzz_random(&r, 3)) { /* a little more or less, or three times as much */
      uint64_t old = 0;
      for (size_t i = at; i < line && old < UINT32_MAX; i++)
         old = data[i] >= '0' && data[i] <= '9' ? old * 10 + data[i] - '0' : old;
      old = fuzz_random(&r, 2) ? old * 3 : old + fuzz_random(&r, 3) - 1;
      snprintf(near, sizeof(near), "%u", (uint32_t)old);
      value = near;
   }
   size_t n = strlen(value);
   if (at + n + (size - line) > max_size)
      return size;
   memmove(data + at + n, data + line, size - line);
   memcpy(data + at, value, n);
   return at + n + (size - line);
}

static void
check_ranges(const struct sim_config *c)
{
#define P(section, key, member, def, min, max, unit, doc)                                   \
   if ((uint64_t)IN->member < (uint64_t)(min) || (uint64_t)IN->member > (uint64_t)(max))    \
      fuzz_fail(#section "." #key " = %u, its range is %llu to %llu", (unsigned)IN->member, \
                (unsigned long long)(min), (unsigned long long)(max));
#define B(section, key, member, def, doc)
#define T(section, key, member, def, doc)                 \
   if (memchr(IN->member, 0, sizeof(IN->member)) == NULL) \
      fuzz_fail(#section "." #key " has no end");
#define S(section, group)                     \
   {                                          \
      const typeof(c->group) *IN = &c->group; \
      (void)IN;                               \
      SIM_PARAMS_##section(P, B, T)           \
   }
   SIM_SECTIONS(S)
#undef P
#undef B
#undef T
#undef S
}

/* A machine of this configuration is built; its addresses are cut up by these sizes. */
static void
check_machine(const struct sim_config *c, const char *path)
{
   const uint32_t sizes[] = {c->mc.burst_bytes,
                             c->mc.interleave,
                             c->mc.page_size,
                             c->mc.banks,
                             c->mc.row_size,
                             c->mc.burst_length,
                             c->shader.tex_line_size,
                             c->shader.tex_sets,
                             c->rast.hz_cache_line_size,
                             c->zst.cache_sets,
                             c->cw.cache_sets,
                             c->streamer.cache_line_size};
   for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
      if (__builtin_popcount(sizes[i]) != 1)
         fuzz_fail("size %zu is %u, no power of two", i, sizes[i]);
   }
   char error[512] = "";
   const struct attila_sim_options o = {.config_path = path, .mode = ATTILA_MODE_CYCLE};
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim)
      fuzz_fail("no machine of a configuration that is in order: %s", error);
   attila_sim_destroy(sim);
}

/* Every line as attila-run takes it, in its section: --set Section.Key=value. */
static void
set_lines(const uint8_t *data, size_t size)
{
   struct sim_config c;
   char section[80] = "", error[512], line[1024];
   sim_config_defaults(&c);
   for (size_t at = 0, n; at < size; at += n + 1) {
      const uint8_t *end = memchr(data + at, '\n', size - at);
      n = end ? (size_t)(end - data) - at : size - at;
      if (n && data[at] == '[') {
         snprintf(section, sizeof(section), "%.*s", (int)(n - 1), (const char *)data + at + 1);
         section[strcspn(section, "]")] = 0;
         continue;
      }
      snprintf(line, sizeof(line), "%s.%.*s", section, (int)n, (const char *)data + at);
      error[0] = 0;
      if (!sim_config_set(&c, line, error, sizeof(error)) && !error[0])
         fuzz_fail("--set %s is refused without a message", line);
   }
   check_ranges(&c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct sim_config c, again;
   char error[512] = "";
   set_lines(data, size);
   sim_config_defaults(&c);
   if (!sim_config_load(&c, fuzz_file(data, size), NULL, error, sizeof(error))) {
      if (!error[0])
         fuzz_fail("a file is refused without a message");
      return 0;
   }
   check_ranges(&c);
   size_t na, nb;
   char *a = describe(&c, &na);
   memset(&again, 0xa5, sizeof(again)); /* every key must be in the file */
   const char *path = fuzz_file(a, na);
   if (!sim_config_load(&again, path, NULL, error, sizeof(error)))
      fuzz_fail("what describes a configuration is refused: %s", error);
   char *b = describe(&again, &nb);
   if (na != nb || memcmp(a, b, na))
      fuzz_fail("another configuration when it is written and read again");
   free(b);
   free(a);
   if (sim_config_check(&c, error, sizeof(error)))
      check_machine(&c, path);
   else if (!error[0])
      fuzz_fail("a configuration is refused without a message");
   return 0;
}
