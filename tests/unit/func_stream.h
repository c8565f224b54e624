/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Builds command streams for tests: memory is handed out from low addresses, registers are sent as
 * a whole. */
#ifndef FUNC_STREAM_H
#define FUNC_STREAM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "attila_sim.h"
#include "hw/attila_cmd.h"
#include "hw/attila_surface.h"
#include "hw/isa/attila_isa.h"

struct stream {
   uint32_t *words;
   size_t num, capacity;
   uint32_t next; /* free memory */
   struct attila_regs regs;
};

static inline void
stream_words(struct stream *s, const void *data, size_t words)
{
   if (s->num + words > s->capacity) {
      s->capacity = (s->num + words) * 2;
      s->words = realloc(s->words, s->capacity * 4);
   }
   if (words)
      memcpy(s->words + s->num, data, words * 4);
   s->num += words;
}

static inline void
stream_command(struct stream *s, unsigned op, const void *payload, size_t words)
{
   uint32_t header = ATTILA_CMD_HEADER(op, words);
   stream_words(s, &header, 1);
   stream_words(s, payload, words);
}

static inline uint32_t
stream_alloc(struct stream *s, size_t size)
{
   uint32_t address = s->next;
   s->next += (uint32_t)((size + 255) & ~(size_t)255);
   return address;
}

static inline uint32_t
stream_upload(struct stream *s, const void *data, size_t size)
{
   uint32_t address = stream_alloc(s, size), words = (uint32_t)(size + 3) / 4;
   uint32_t head[3] = {ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 2 + words), address,
                       (uint32_t)size};
   uint32_t *copy = calloc(words + 1, 4);
   memcpy(copy, data, size);
   stream_words(s, head, 3);
   stream_words(s, copy, words);
   free(copy);
   return address;
}

static inline void
stream_program(struct stream *s, unsigned stage, const char *text)
{
   struct attila_isa_program isa;
   char error[256];
   if (!attila_isa_assemble(text, &isa, error, sizeof(error)))
      fail_msg("%s", error);
   size_t size = attila_isa_encoded_size(&isa);
   void *binary = calloc(1, size);
   attila_isa_encode(&isa, binary);
   attila_isa_free(&isa);
   struct attila_cmd_program cmd = {
       .stage = stage, .address = stream_upload(s, binary, size), .size = (uint32_t)size};
   free(binary);
   stream_command(s, ATTILA_CMD_LOAD_PROGRAM, &cmd, sizeof(cmd) / 4);
}

/* All registers but those of the texture units of geometry programs, which no test samples, and of
 * the last fragment inputs (stream_more_inputs). */
static inline void
stream_regs(struct stream *s)
{
   const uint32_t first = 0,
                  num = ATTILA_REG(tex) +
                        sizeof(struct attila_tex_regs) / 4 * 2 * ATTILA_STAGE_TEX_UNITS,
                  header = ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_REGS, 1 + num);
   stream_words(s, &header, 1);
   stream_words(s, &first, 1);
   stream_words(s, &s->regs, num);
}

/* The registers of fragment inputs from 32 on. */
static inline void
stream_more_inputs(struct stream *s)
{
   const uint32_t first = ATTILA_REG(fs_input_more), num = ATTILA_NUM_REGS - first,
                  header = ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_REGS, 1 + num);
   stream_words(s, &header, 1);
   stream_words(s, &first, 1);
   stream_words(s, s->regs.fs_input_more, num);
}

/* A framebuffer of RGBA8 and Z24S8 with a viewport over all of it: clip coordinates -1..1, y
 * downwards. */
static inline void
stream_start(struct stream *s, uint32_t width, uint32_t height, unsigned samples)
{
   struct attila_regs *r = &s->regs;
   uint32_t pitch = attila_surface_pitch(width, height);
   size_t bytes = attila_surface_bytes(pitch, width, height, samples ? samples : 1, 4);
   memset(s, 0, sizeof(*s));
   s->next = 4096;
   r->fb_width = r->scissor_maxx = width;
   r->fb_height = r->scissor_maxy = height;
   r->fb_samples = samples;
   r->color[0] = (struct attila_color_regs){.address = stream_alloc(s, bytes),
                                            .format = ATTILA_FORMAT_R8G8B8A8_UNORM,
                                            .pitch_tiles = pitch,
                                            .write_mask = 15};
   r->zs_address = stream_alloc(s, bytes);
   r->zs_format = ATTILA_FORMAT_Z24S8;
   r->zs_pitch_tiles = pitch;
   r->viewport_scale[0] = r->viewport_translate[0] = (float)width / 2;
   r->viewport_scale[1] = r->viewport_translate[1] = (float)height / 2;
   r->viewport_scale[2] = r->viewport_translate[2] = 0.5f;
   r->half_pixel_center = r->depth_clip = 1;
   r->line_width = r->point_size = 1.0f;
   r->edge_flag_output = ATTILA_NO_VARYING;
   r->sample_mask = 0xff;
   for (unsigned i = 0; i < ATTILA_MAX_VARYINGS; i++)
      attila_fs_input(r, i)->output = i;
}

static inline void
stream_clear(struct stream *s, float r, float g, float b, float a, float depth, uint32_t stencil)
{
   const struct {
      uint32_t mask;
      float color[4];
   } color = {1, {r, g, b, a}};
   const struct {
      uint32_t planes;
      float depth;
      uint32_t stencil;
   } zs = {3, depth, stencil};
   stream_command(s, ATTILA_CMD_CLEAR_COLOR, &color, 5);
   stream_command(s, ATTILA_CMD_CLEAR_ZS, &zs, 3);
}

/* Attribute a: floats of `components` each, tightly packed. */
static inline void
stream_attrib(struct stream *s, unsigned a, const float *data, unsigned components, size_t vertices)
{
   static const uint32_t format[5] = {0, ATTILA_FORMAT_R32_FLOAT, ATTILA_FORMAT_R32G32_FLOAT,
                                      ATTILA_FORMAT_R32G32B32_FLOAT,
                                      ATTILA_FORMAT_R32G32B32A32_FLOAT};
   uint32_t size = (uint32_t)(vertices * components * 4);
   s->regs.attrib[a] = (struct attila_attrib_regs){.enable = 1,
                                                   .address = stream_upload(s, data, size),
                                                   .stride = components * 4,
                                                   .format = format[components],
                                                   .limit = size};
}

static inline void
stream_draw(struct stream *s, unsigned prim, uint32_t start, uint32_t count)
{
   struct attila_cmd_draw cmd = {.prim = prim, .start = start, .count = count, .num_instances = 1};
   stream_regs(s);
   stream_command(s, ATTILA_CMD_DRAW, &cmd, sizeof(cmd) / 4);
}

static inline void
stream_draw_indexed(struct stream *s, unsigned prim, uint32_t address, uint32_t size,
                    uint32_t count, uint32_t restart)
{
   struct attila_cmd_draw cmd = {.prim = prim,
                                 .count = count,
                                 .num_instances = 1,
                                 .index_address = address,
                                 .index_size = size,
                                 .flags = restart ? ATTILA_DRAW_RESTART : 0,
                                 .restart_index = restart};
   stream_regs(s);
   stream_command(s, ATTILA_CMD_DRAW, &cmd, sizeof(cmd) / 4);
}

static inline void
stream_flush(struct stream *s)
{
   const uint32_t bits = ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS;
   stream_command(s, ATTILA_CMD_FLUSH, &bits, 1);
}

static inline uint32_t
stream_counter(struct stream *s, unsigned counter)
{
   uint32_t payload[2] = {counter, stream_alloc(s, 8)};
   stream_command(s, ATTILA_CMD_WRITE_COUNTER, payload, 2);
   return payload[1];
}

/* Runs the stream on a new GPU, which the caller reads and destroys. The stream's words are gone
 * then. */
static inline struct attila_sim *
stream_run(struct stream *s, enum attila_mode mode)
{
   char error[512] = "";
   struct attila_sim_options options = {.mode = mode, .keep_clears = true};
   struct attila_sim *sim = attila_sim_create(&options, error, sizeof(error));
   if (!sim)
      fail_msg("%s", error);
   if (!attila_sim_submit(sim, s->words, s->num))
      fail_msg("%s", attila_sim_error(sim));
   free(s->words);
   s->words = NULL;
   s->num = s->capacity = 0;
   return sim;
}

static inline uint64_t
stream_read_counter(struct attila_sim *sim, uint32_t address)
{
   uint64_t value = ~0ull;
   assert_true(attila_sim_read(sim, address, &value, 8));
   return value;
}

/* All memory that the stream has handed out. */
static inline uint8_t *
stream_read_memory(struct attila_sim *sim, const struct stream *s)
{
   uint8_t *memory = malloc(s->next);
   assert_non_null(memory);
   assert_true(attila_sim_read(sim, 0, memory, s->next));
   return memory;
}

static inline uint32_t *
stream_read_surface(struct attila_sim *sim, const struct stream *s, uint32_t address)
{
   uint32_t samples = s->regs.fb_samples ? s->regs.fb_samples : 1;
   uint32_t width = s->regs.fb_width, height = s->regs.fb_height;
   size_t size =
       attila_surface_bytes(attila_surface_pitch(width, height), width, height, samples, 4);
   uint32_t *data = malloc(size);
   const uint32_t flush[2] = {ATTILA_CMD_HEADER(ATTILA_CMD_FLUSH, 1),
                              ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS};
   assert_true(attila_sim_submit(sim, flush, 2)); /* ROP caches; nothing when they are clean */
   assert_true(attila_sim_read(sim, address, data, size));
   return data;
}

static inline uint32_t
stream_pixel(const struct stream *s, const uint32_t *surface, uint32_t x, uint32_t y,
             unsigned sample)
{
   uint32_t samples = s->regs.fb_samples ? s->regs.fb_samples : 1;
   uint32_t pitch = attila_surface_pitch(s->regs.fb_width, s->regs.fb_height);
   return surface[attila_element_offset(pitch, samples, 1, x, y, sample)];
}

#endif
