/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * For tests of stream-out and of the geometry stage, whose vertices it writes: a command stream
 * that draws 12 vertices, buffers that stream-out fills, and memory as both modes leave it. Include
 * once. */
#ifndef STREAM_OUT_SCENE_H
#define STREAM_OUT_SCENE_H

#include "func_stream.h"

#define VERTICES 12
#define ROOM 4096

static const enum attila_mode modes[] = {ATTILA_MODE_FUNCTIONAL, ATTILA_MODE_CYCLE};

struct scene {
   struct stream s;
   uint32_t target[ATTILA_MAX_STREAM_BUFFERS]; /* ROOM bytes each, full of 0xee */
};

/* Vertex v: o1 is (v, v + .25, v + .5, v + .75), o2 is (100 + v, 0, 0, 0). */
static inline void
start(struct scene *c)
{
   struct stream *s = &c->s;
   float data[VERTICES][4], other[VERTICES];
   uint8_t full[ROOM];
   stream_start(s, 16, 16, 1);
   for (unsigned v = 0; v < VERTICES; v++) {
      for (unsigned i = 0; i < 4; i++)
         data[v][i] = (float)v + .25f * (float)i;
      other[v] = 100.0f + (float)v;
   }
   stream_attrib(s, 0, data[0], 4, VERTICES);
   stream_attrib(s, 1, other, 1, VERTICES);
   memset(full, 0xee, sizeof(full));
   for (unsigned b = 0; b < ATTILA_MAX_STREAM_BUFFERS; b++)
      c->target[b] = stream_upload(s, full, sizeof(full));
   stream_program(s, ATTILA_STAGE_VERTEX, ".vertex\nMOV o0, i0\nMOV o1, i0\nMOV o2, i1\nEND\n");
   stream_program(s, ATTILA_STAGE_FRAGMENT, ".fragment\nMOV o0, i1\nEND\n");
   s->regs.rasterizer_discard = 1;
}

static inline void
outputs(struct scene *c, const uint32_t stride[4], const struct attila_stream_output *o,
        unsigned num)
{
   uint32_t words[4 + ATTILA_MAX_STREAM_OUTPUTS];
   memcpy(words, stride, 16);
   memcpy(words + 4, o, num * 4);
   stream_command(&c->s, ATTILA_CMD_STREAM_OUTPUTS, words, 4 + num);
}

static inline void
targets(struct scene *c, const struct attila_stream_target *t, unsigned num)
{
   struct attila_stream_target all[ATTILA_MAX_STREAM_BUFFERS] = {0};
   memcpy(all, t, num * sizeof(*t));
   stream_command(&c->s, ATTILA_CMD_STREAM_TARGETS, all, sizeof(all) / 4);
}

/* Component x of o1 to buffer 0. */
static inline void
write_numbers(struct scene *c, uint32_t size)
{
   static const uint32_t stride[4] = {4};
   const struct attila_stream_output o = {.output = 1};
   const struct attila_stream_target t = {.address = c->target[0], .size = size};
   outputs(c, stride, &o, 1);
   targets(c, &t, 1);
}

static inline void
draw(struct scene *c, unsigned prim, uint32_t start, uint32_t count)
{
   stream_draw(&c->s, prim, start, count);
}

/* Memory as both modes leave it, which is the same. */
static inline uint8_t *
run(struct scene *c)
{
   uint8_t *memory[2];
   const size_t num = c->s.num;
   uint32_t *words = malloc(num * 4);
   memcpy(words, c->s.words, num * 4);
   for (unsigned m = 0; m < 2; m++) {
      if (m)
         stream_words(&c->s, words, num);
      struct attila_sim *sim = stream_run(&c->s, modes[m]);
      memory[m] = malloc(c->s.next);
      assert_true(attila_sim_read(sim, 0, memory[m], c->s.next));
      attila_sim_destroy(sim);
   }
   assert_memory_equal(memory[0], memory[1], c->s.next);
   free(words);
   free(memory[1]);
   return memory[0];
}

static inline uint64_t
counter(const uint8_t *memory, uint32_t address)
{
   uint64_t v;
   memcpy(&v, memory + address, 8);
   return v;
}

/* Checks the numbers in buffer 0, as digits and letters: 'a' is 10. */
static inline void
check_numbers(const struct scene *c, const uint8_t *memory, const char *expected)
{
   char got[256] = "";
   float value;
   for (unsigned v = 0;
        v < sizeof(got) - 1 && (memcpy(&value, memory + c->target[0] + 4 * v, 4), value >= 0); v++)
      got[v] = (char)(value < 10 ? '0' + (int)value : 'a' + (int)value - 10);
   assert_string_equal(got, expected);
}

#endif
