/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * For tests of the facade: a folder for files, a small GPU, a stream of commands that draws
 * nothing. Include once. */
#ifndef SIM_STREAM_H
#define SIM_STREAM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "attila_sim.h"
#include "hw/attila_cmd.h"

static char dir[64];
static const char *const small[] = {"MEMORYCONTROLLER.MemorySize=16"};

static inline int
make_dir(void **state)
{
   strcpy(dir, "/tmp/attila-sim-XXXXXX");
   return mkdtemp(dir) == NULL;
}

static inline int
remove_dir(void **state)
{
   char command[128];
   snprintf(command, sizeof(command), "rm -r %s", dir);
   return system(command);
}

static inline const char *
in_dir(const char *name)
{
   static char path[4][128];
   static unsigned n;
   char *p = path[n++ % 4];
   snprintf(p, 128, "%s/%s", dir, name);
   return p;
}

static inline struct attila_sim *
make(struct attila_sim_options o)
{
   char error[512];
   o.overrides = small;
   o.num_overrides = 1;
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim)
      fail_msg("%s", error);
   return sim;
}

struct stream {
   uint32_t words[65536];
   size_t num, starts[1024], commands;
};

static inline void
put(struct stream *s, uint32_t op, const uint32_t *payload, uint32_t words)
{
   s->starts[s->commands++] = s->num;
   s->words[s->num++] = ATTILA_CMD_HEADER(op, words);
   if (words)
      memcpy(s->words + s->num, payload, words * 4);
   s->num += words;
}

#define PUT(s, op, ...)                                     \
   put(s, ATTILA_CMD_##op, (const uint32_t[]){__VA_ARGS__}, \
       sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static inline void
put_buffer(struct stream *s, uint32_t address, const uint8_t *data, uint32_t size)
{
   uint32_t payload[2048] = {address, size};
   memcpy(payload + 2, data, size);
   put(s, ATTILA_CMD_WRITE_BUFFER, payload, 2 + (size + 3) / 4);
}

/* Writes of many sizes and alignments over each other, counters, fences, frames. copy: what memory
 * holds afterwards (1 MiB). */
static inline void
make_stream(struct stream *s, uint8_t *copy)
{
   uint32_t x = 3;
   s->num = s->commands = 0;
   for (unsigned i = 0; i < 60; i++) {
      uint8_t data[2000];
      x = x * 1664525 + 1013904223;
      uint32_t size = (x >> 8) % 1500, address = 8192 + (x >> 16) % 5000;
      for (uint32_t b = 0; b < size; b++)
         data[b] = (uint8_t)(x >> 7 ^ b * 13);
      memcpy(copy + address, data, size);
      put_buffer(s, address, data, size);
      if (i % 9 == 4)
         PUT(s, WRITE_COUNTER, ATTILA_COUNTER_GPU_CYCLES, 4096 + 8 * i);
      if (i % 11 == 5)
         PUT(s, FENCE, i, 0);
      if (i % 20 == 19)
         put(s, ATTILA_CMD_END_FRAME, NULL, 0);
   }
   PUT(s, WRITE_REGS, 0, 640, 480);
   PUT(s, FENCE, 1000, 0);
}

static struct stream stream;

#endif
