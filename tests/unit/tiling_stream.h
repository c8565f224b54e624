/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Streams for a tile-based machine, on a framebuffer of 64x64 pixels, 4x4 bins: what they draw, and
 * their run in both modes, which must leave the same memory. Include once. */
#ifndef TILING_STREAM_H
#define TILING_STREAM_H

#include "func_stream.h"
#include "record_query.h"

#define SIZE 64
#define BINS 16                 /* of 16x16 pixels */
#define BIN_BYTES (16 * 16 * 4) /* of a colour buffer */
#define PICTURE_BYTES (SIZE * SIZE * 4)

#define TILED                                                                              \
   "GPU.Renderer=TILED", "COMMANDPROCESSOR.FreeOverlap=TRUE", "RASTERIZER.DisableHZ=TRUE", \
       "MEMORYCONTROLLER.MemorySize=16"
#define MAX_KEYS 12

static char folder[64];
static sqlite3 *db;

static struct attila_sim *
create(enum attila_mode mode, const char *const *keys, unsigned num, const char *dir)
{
   char error[512] = "";
   const struct attila_sim_options o = {.mode = mode,
                                        .overrides = keys,
                                        .num_overrides = num,
                                        .record = dir ? "sqlite" : NULL,
                                        .keep_clears = true,
                                        .out_dir = dir};
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim)
      fail_msg("%s", error);
   return sim;
}

static void
open_record(void)
{
   char path[96];
   snprintf(path, sizeof(path), "%s/run.sqlite", folder);
   sqlite3_close(db);
   assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
}

/* Ends the frame of the stream, runs it in both modes, compares all memory and opens the record of
 * the tile-based machine. more: further keys, then NULL. */
static void
run_tiled(struct stream *s, const char *const *more)
{
   const char *keys[MAX_KEYS] = {TILED};
   unsigned num = 4;
   while (*more)
      keys[num++] = *more++;
   stream_flush(s);
   stream_command(s, ATTILA_CMD_END_FRAME, NULL, 0);
   record_renew(folder);
   struct attila_sim *tiled = create(ATTILA_MODE_CYCLE, keys, num, folder),
                     *functional = create(ATTILA_MODE_FUNCTIONAL, keys, num, NULL);
   if (!attila_sim_submit(tiled, s->words, s->num) ||
       !attila_sim_submit(functional, s->words, s->num))
      fail_msg("%s", attila_sim_error(tiled));
   uint8_t *a = stream_read_memory(tiled, s), *b = stream_read_memory(functional, s);
   for (uint32_t i = 0; i < s->next; i++) {
      if (a[i] != b[i])
         fail_msg("byte 0x%x is 0x%02x, expected 0x%02x", i, a[i], b[i]);
   }
   free(a);
   free(b);
   free(s->words);
   attila_sim_destroy(functional);
   attila_sim_destroy(tiled);
   open_record();
}

/* A statistic, summed over all frames. */
static int64_t
counted(const char *statistic)
{
   char sql[160];
   snprintf(sql, sizeof(sql), "SELECT sum(\"%s\") FROM frame_counters", statistic);
   return record_number(db, sql);
}

#define RUN(s, ...) run_tiled(s, (const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})

#define DRAWS 3000
#define QUADS 8
#define SMALL 1536 /* triangles */

/* What draws need, uploaded before the first: an upload ends the pass. Two triangles over all of
 * the framebuffer, QUADS times, each nearer and redder than the one before; then SMALL triangles of
 * two pixels each. */
static void
start(struct stream *s)
{
   static float position[6 * QUADS + 3 * SMALL][4], color[6 * QUADS + 3 * SMALL][4];
   static const float corner[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}};
   for (unsigned i = 0; i < 6 * QUADS; i++) {
      const float p[4] = {corner[i % 6][0], corner[i % 6][1], 0.5f - 0.1f * (float)(i / 6), 1},
                  c[4] = {(float)(i / 6) / QUADS, corner[i % 6][0] * 0.5f + 0.5f, 0.5f, 0.25f};
      memcpy(position[i], p, sizeof(p));
      memcpy(color[i], c, sizeof(c));
   }
   for (unsigned i = 0; i < 3 * SMALL; i++) {
      const unsigned n = i / 3, v = i % 3;
      const float p[4] = {(float)(n % 32) / 16 - 1 + (v == 1) / 16.0f,
                          (float)(n / 32 % 32) / 16 - 1 + (v == 2) / 16.0f, 0, 1},
                  c[4] = {(float)(n % 7) / 7, (float)(i % 5) / 5, 0, 1};
      memcpy(position[6 * QUADS + i], p, sizeof(p));
      memcpy(color[6 * QUADS + i], c, sizeof(c));
   }
   stream_start(s, SIZE, SIZE, 1);
   stream_program(s, ATTILA_STAGE_VERTEX, ".vertex\nMOV o0, i0\nMOV o1, i1\nEND\n");
   stream_program(s, ATTILA_STAGE_FRAGMENT, ".fragment\nMOV o0, i1\nEND\n");
   stream_attrib(s, 0, position[0], 4, 6 * QUADS + 3 * SMALL);
   stream_attrib(s, 1, color[0], 4, 6 * QUADS + 3 * SMALL);
}

static void
draw_quad(struct stream *s, unsigned number)
{
   stream_draw(s, ATTILA_PRIM_TRIANGLES, 6 * number, 6);
}

static inline void
draw_small(struct stream *s, unsigned num)
{
   stream_draw(s, ATTILA_PRIM_TRIANGLES, 6 * QUADS, 3 * num);
}

static inline void
blend(struct stream *s)
{
   struct attila_color_regs *c = &s->regs.color[0];
   c->blend_enable = 1;
   c->rgb_src = c->alpha_src = ATTILA_FACTOR_SRC_ALPHA;
   c->rgb_dst = c->alpha_dst = ATTILA_FACTOR_INV_SRC_ALPHA;
}

/* Uploads a program for fragments. */
static inline struct attila_cmd_program
program(struct stream *s, const char *text)
{
   stream_program(s, ATTILA_STAGE_FRAGMENT, text);
   struct attila_cmd_program p;
   memcpy(&p, s->words + s->num - sizeof(p) / 4, sizeof(p));
   return p;
}

static inline void
test_depth(struct stream *s)
{
   s->regs.z_test = s->regs.z_write = 1;
   s->regs.z_func = ATTILA_FUNC_LEQUAL;
   stream_regs(s);
   stream_clear(s, 0, 0, 0, 0, 1, 0);
}

static inline void
discard(struct stream *s, uint32_t address, uint32_t bytes)
{
   const struct attila_cmd_buffer d = {address, bytes};
   stream_command(s, ATTILA_CMD_DISCARD, &d, sizeof(d) / 4);
}

/* Texture unit 0 reads 64x64 texels at an address. */
static inline void
sample(struct stream *s, uint32_t address)
{
   s->regs.tex[0] = (struct attila_tex_regs){.enable = 1,
                                             .target = ATTILA_TEX_2D,
                                             .address = address,
                                             .format = ATTILA_FORMAT_R8G8B8A8_UNORM,
                                             .width = SIZE,
                                             .height = SIZE,
                                             .depth = 1,
                                             .num_levels = 1,
                                             .swizzle = 0 | 1 << 3 | 2 << 6 | 3 << 9,
                                             .mip_filter = ATTILA_MIP_NONE,
                                             .max_aniso = 1};
}

static int
close_record(void **state)
{
   sqlite3_close(db);
   return record_remove(folder);
}

#endif
