/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Checks of commands (decode/sim_check.c): one wrong command of every kind, and random ones against
 * a plain computation of the bytes they would touch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "decode/sim_frontend.h"

#define MEMORY (1u << 20)

static struct sim_frontend *frontend;
static char error[512];

static int
make_frontend(void **state)
{
   frontend = sim_frontend_create(MEMORY, &EMUL_TEX_QUALITY_DEFAULT);
   return 0;
}

static int
free_frontend(void **state)
{
   sim_frontend_destroy(frontend);
   return 0;
}

static bool
check(uint32_t op, const uint32_t *payload, uint32_t words)
{
   uint32_t *command =
       malloc((words + 1) * 4); /* exactly as long as it claims, for the sanitizer */
   command[0] = ATTILA_CMD_HEADER(op, words);
   memcpy(command + 1, payload, words * 4);
   error[0] = '\0';
   bool ok = sim_frontend_check(frontend, command, words + 1, error, sizeof(error));
   assert_true(ok == (error[0] == '\0'));
   free(command);
   return ok;
}

#define CHECK(op, ...)                                     \
   check(ATTILA_CMD_##op, (const uint32_t[]){__VA_ARGS__}, \
         sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static void
expect(bool accepted, bool wanted, const char *message)
{
   if (accepted != wanted)
      fail_msg("accepted %d, wanted %d: %s", accepted, wanted, error);
   if (!wanted && !strstr(error, message))
      fail_msg("\"%s\" does not contain \"%s\"", error, message);
}
#define GOOD(...) expect(CHECK(__VA_ARGS__), true, "")
#define BAD(message, ...) expect(CHECK(__VA_ARGS__), false, message)

static void
test_bad_headers_are_refused(void **state)
{
   const uint32_t unknown = ATTILA_CMD_HEADER(200, 0),
                  short_draw = ATTILA_CMD_HEADER(ATTILA_CMD_DRAW, 3),
                  cut = ATTILA_CMD_HEADER(ATTILA_CMD_FENCE, 2);
   assert_false(sim_frontend_check(frontend, &unknown, 1, error, sizeof(error)));
   assert_string_equal(error, "unknown command 200 (header 0x000000c8)");
   assert_false(sim_frontend_check(frontend, &short_draw, 4, error, sizeof(error)));
   assert_string_equal(error, "command DRAW: 3 payload words, at least 10 expected");
   assert_false(sim_frontend_check(frontend, &cut, 1, error, sizeof(error)));
   assert_string_equal(error, "command FENCE: 2 payload words, but only 0 follow");
   assert_false(sim_frontend_check(frontend, &cut, 0, error, sizeof(error)));
}

static void
test_notes_are_checked(void **state)
{
   /* Notes: 3 lines in 2 words, a text. */
   GOOD(LOAD_PROGRAM, 1, 64, 100, 3, 0x00020001, 7, 0x00414141);
   GOOD(LOAD_PROGRAM, 1, 64, 100, 0, 0);
   BAD("a note of 3 words with 3 lines", LOAD_PROGRAM, 1, 64, 100, 3, 0x00020001, 7);
   BAD("a note of 2 words with 4294967295 lines", LOAD_PROGRAM, 1, 64, 100, 0xffffffff, 0);
   BAD("ends with NUL", LOAD_PROGRAM, 1, 64, 100, 0, 0x41414141);
   GOOD(DRAW, 9, 10, 0, 0, 0, 0, 1, 0, 3, 0, 0x41414141, 0);
   BAD("does not end with NUL", DRAW, 9, 10, 0, 0, 0, 0, 1, 0, 3, 0, 0x41414141);
}

static void
test_each_command_checks_its_payload(void **state)
{
   GOOD(WRITE_REGS, 0, 1);
   GOOD(WRITE_REGS, ATTILA_NUM_REGS - 2, 1, 2);
   BAD("registers", WRITE_REGS, ATTILA_NUM_REGS - 1, 1, 2);
   BAD("registers", WRITE_REGS, 0xffffffff, 1);
   GOOD(WRITE_CONSTS, 1, ATTILA_MAX_CONSTS - 1, 1, 2, 3, 4);
   BAD("vec4", WRITE_CONSTS, 1, ATTILA_MAX_CONSTS, 1, 2, 3, 4);
   BAD("vec4", WRITE_CONSTS, 1, ATTILA_MAX_CONSTS - 1, 1, 2, 3, 4, 5);
   BAD("stage 4", WRITE_CONSTS, ATTILA_NUM_STAGES, 0, 1, 2, 3, 4);
   GOOD(WRITE_BUFFER, MEMORY - 5, 5, 0, 0);
   BAD("outside", WRITE_BUFFER, MEMORY - 4, 5, 0, 0);
   BAD("payload words", WRITE_BUFFER, 0, 5, 0);
   BAD("payload words", WRITE_BUFFER, 0, 5, 0, 0, 0);
   GOOD(WRITE_BUFFER, 0, 4 | ATTILA_BUFFER_NO_WAIT, 0);
   GOOD(READ_BUFFER, 0, MEMORY);
   BAD("outside", READ_BUFFER, 1, MEMORY);
   BAD("size", READ_BUFFER, 0, 4 | ATTILA_BUFFER_NO_WAIT);
   GOOD(LOAD_PROGRAM, 1, 64, 100);
   BAD("multiple of 64", LOAD_PROGRAM, 1, 32, 100);
   BAD("stage 4, 0 to 3 are accepted", LOAD_PROGRAM, ATTILA_NUM_STAGES, 64, 100);
   BAD("program of 0 bytes", LOAD_PROGRAM, 0, 64, 0);
   BAD("outside", LOAD_PROGRAM, 0, MEMORY - 64, 65);
   GOOD(DRAW, 9, 10, 0, 0, 0, 0, 1, 0, 3, 0);
   BAD("primitive 14", DRAW, ATTILA_NUM_PRIMS, 10, 0, 0, 0, 0, 1, 0, 0, 0);
   BAD("index size 3", DRAW, 0, 10, 0, 3, 0, 0, 1, 0, 0, 0);
   GOOD(DRAW, 0, 10, 0, 0, 0, 0, 1, 0, ATTILA_DRAW_CONDITIONAL, 0);
   BAD("flags", DRAW, 0, 10, 0, 0, 0, 0, 1, 0, 32, 0);
   GOOD(DRAW, 0, 0, 7, 0, 0, 0, 1, 0, ATTILA_DRAW_COUNTED, 0);
   BAD("10 vertices", DRAW, 0, 10, 0, 0, 0, 0, 1, 0, ATTILA_DRAW_COUNTED, 0);
   BAD("index size 2", DRAW, 0, 0, 0, 2, 0, 0, 1, 0, ATTILA_DRAW_COUNTED, 0);
   GOOD(DRAW, 0, 10, 6, 2, MEMORY - 32, 0, 1, 0, 0, 0);
   BAD("index buffer", DRAW, 0, 10, 7, 2, MEMORY - 32, 0, 1, 0, 0, 0);
   BAD("index buffer", DRAW, 0, 0xffffffff, 0xffffffff, 4, 0, 0, 1, 0, 0, 0);
   BAD("vertices from", DRAW, 0, 2, 0xffffffff, 0, 0, 0, 1, 0, 0, 0);
   /* Source and destination of 8 x 8 elements, then the box, 4 bytes, samples, resolve, format. */
#define SIDES 4096, 1, 0, 0, 0, 0, 0, 16384, 1, 0, 0, 0, 0, 0, 8, 8, 1
   GOOD(BLIT, SIDES, 4, 8, 0, 0);
   BAD("3 samples", BLIT, SIDES, 4, 3, 0, 0);
   GOOD(BLIT, SIDES, 4, 8, ATTILA_RESOLVE_AVERAGE, ATTILA_FORMAT_R8G8B8A8_UNORM);
   BAD("resolve of format", BLIT, SIDES, 4, 8, ATTILA_RESOLVE_AVERAGE, ATTILA_FORMAT_R8_UNORM);
   BAD("resolve of format", BLIT, SIDES, 4, 8, ATTILA_RESOLVE_AVERAGE, ATTILA_FORMAT_Z24S8);
   BAD("resolve of format", BLIT, SIDES, 4, 8, ATTILA_RESOLVE_AVERAGE, 0xffffffff);
   GOOD(BLIT, SIDES, 4, 4, ATTILA_RESOLVE_SAMPLE0 + 3, 0);
   BAD("resolve 6 of 4 samples", BLIT, SIDES, 4, 4, ATTILA_RESOLVE_SAMPLE0 + 4, 0);
   BAD("payload words", BLIT, SIDES, 4, 4);
   GOOD(FLUSH, 7);
   BAD("bits", FLUSH, 8);
   GOOD(WRITE_COUNTER, 0, MEMORY - 8);
   BAD("outside", WRITE_COUNTER, 0, MEMORY);
   BAD("multiple of 8", WRITE_COUNTER, 0, 12);
   BAD("counter", WRITE_COUNTER, ATTILA_NUM_COUNTERS, 8);
   GOOD(CONDITION, MEMORY - 32, 2, 1);
   BAD("outside", CONDITION, MEMORY - 32, 3, 1);
   BAD("multiple of 8", CONDITION, 12, 1, 0);
   BAD("0 pairs", CONDITION, 4096, 0, 0);
   BAD("65 pairs", CONDITION, 4096, ATTILA_MAX_CONDITION_PAIRS + 1, 0);
   BAD("inverted 2", CONDITION, 4096, 1, 2);
   GOOD(MARKER, 0, 0x00414141);
   BAD("NUL", MARKER, 0, 0x41414141);
   BAD("kind", MARKER, 2);
   GOOD(SWAP, 4096, ATTILA_FORMAT_B8G8R8X8_UNORM, 4, 32, 32, 1);
   BAD("format", SWAP, 4096, ATTILA_FORMAT_DXT1_RGB, 4, 32, 32, 1);
   BAD("4 tiles per row, 5 are needed", SWAP, 4096, ATTILA_FORMAT_B8G8R8X8_UNORM, 4, 33, 32, 1);
   GOOD(SWAP, 4096, ATTILA_FORMAT_B8G8R8X8_UNORM, ATTILA_MAX_PITCH_TILES, 32, 8, 1);
   BAD("1029 tiles per row, at most 1028", SWAP, 4096, ATTILA_FORMAT_B8G8R8X8_UNORM, 1029, 32, 8,
       1);
   BAD("outside", SWAP, MEMORY - 4096, ATTILA_FORMAT_B8G8R8X8_UNORM, 4, 32, 40, 1);
   BAD("aligned", SWAP, 4100, ATTILA_FORMAT_B8G8R8X8_UNORM, 4, 32, 32, 1);
   BAD("surface of 0", SWAP, 4096, ATTILA_FORMAT_B8G8R8X8_UNORM, 4, 0, 32, 1);
   BAD("flags 0x4", SWAP, 4096, ATTILA_FORMAT_B8G8R8X8_UNORM, 4, 32, 32, 4);
   BAD("6 words, samples need 9", SWAP, 4096, ATTILA_FORMAT_B8G8R8X8_UNORM, 4, 32, 32, 2);
   GOOD(SWAP, 4096, ATTILA_FORMAT_B8G8R8X8_UNORM, 4, 32, 32, 3, 4, 4096 + 16384, 4);
   BAD("3 samples", SWAP, 4096, ATTILA_FORMAT_B8G8R8X8_UNORM, 4, 32, 32, 2, 3, 65536, 4);
   BAD("outside", SWAP, MEMORY - 12288, ATTILA_FORMAT_B8G8R8X8_UNORM, 4, 32, 32, 2, 4, 4096, 4);
   BAD("picture", SWAP, 4096, ATTILA_FORMAT_B8G8R8X8_UNORM, 4, 32, 32, 2, 4, 65536, 3);
   BAD("overlaps", SWAP, 4096, ATTILA_FORMAT_B8G8R8X8_UNORM, 4, 32, 32, 2, 4, 4096 + 16128, 4);
   BAD("overlaps", SWAP, 8192, ATTILA_FORMAT_B8G8R8X8_UNORM, 4, 32, 32, 2, 4, 4096 + 256, 4);
   GOOD(FENCE, 1, 2);
   GOOD(END_FRAME);
}

static void
test_geometry_checks_its_payload(void **state)
{
   GOOD(GEOMETRY, 0, 0, 0, 0, 0, 0, 0, 0, 0);
   GOOD(GEOMETRY, 1, 0x20010203, 0, 0, 0, 0, 0, 0, 0x3f000000);
   BAD("enable 2", GEOMETRY, 2, 0, 0, 0, 0, 0, 0, 0, 0);
   BAD("input 3 is output 64", GEOMETRY, 0, 0x40000000, 0, 0, 0, 0, 0, 0, 0);
   BAD("input 31 is output 255", GEOMETRY, 1, 0, 0, 0, 0, 0, 0, 0, 0xff000000);
   BAD("8 payload words", GEOMETRY, 1, 0, 0, 0, 0, 0, 0, 0);
}

static void
test_stream_out_checks_its_payload(void **state)
{
#define OUTPUT(output, first, last, buffer, offset) \
   ((output) | (first) << 6 | (last) << 8 | (buffer) << 10 | (uint32_t)(offset) << 12)
   GOOD(STREAM_OUTPUTS, 16, 0, 0, 0);
   GOOD(STREAM_OUTPUTS, 16, 0, ATTILA_MAX_STREAM_STRIDE, 0, OUTPUT(63, 0, 3, 0, 0),
        OUTPUT(1, 2, 2, 2, 511));
   BAD("3 payload words", STREAM_OUTPUTS, 16, 0, 0);
   BAD("buffer 1: 6 bytes", STREAM_OUTPUTS, 16, 6, 0, 0);
   BAD("buffer 3: 2052 bytes", STREAM_OUTPUTS, 16, 0, 0, ATTILA_MAX_STREAM_STRIDE + 4);
   BAD("output 1 ends at byte 20 of a vertex of 16", STREAM_OUTPUTS, 16, 0, 0, 0,
       OUTPUT(1, 0, 3, 0, 0), OUTPUT(1, 1, 1, 0, 4));
   BAD("vertex of 0 bytes", STREAM_OUTPUTS, 16, 0, 0, 0, OUTPUT(1, 0, 0, 1, 0));
   BAD("components 2 to 1", STREAM_OUTPUTS, 16, 0, 0, 0, OUTPUT(1, 2, 1, 0, 0));
   BAD("word 0x4", STREAM_OUTPUTS, 16, 0, 0, 0, 0x40000001);
   GOOD(STREAM_OUTPUTS, 16, 0, 0, 8, OUTPUT(1, 0, 3, 0, 0) | 1u << 28,
        OUTPUT(1, 0, 0, 3, 0) | 3u << 28, OUTPUT(1, 1, 1, 3, 1) | 3u << 28);
   BAD("output 1: stream 2 in buffer 0 of another", STREAM_OUTPUTS, 16, 0, 0, 0,
       OUTPUT(1, 0, 0, 0, 0) | 1u << 28, OUTPUT(1, 1, 1, 0, 1) | 2u << 28);
   uint32_t words[4 + ATTILA_MAX_STREAM_OUTPUTS + 1] = {4};
   assert_true(check(ATTILA_CMD_STREAM_OUTPUTS, words, 4 + ATTILA_MAX_STREAM_OUTPUTS));
   expect(check(ATTILA_CMD_STREAM_OUTPUTS, words, 5 + ATTILA_MAX_STREAM_OUTPUTS), false,
          "65 outputs, at most 64");
#define NONE 0, 0, 0
   GOOD(STREAM_TARGETS, 4, MEMORY - 4, MEMORY - 8, NONE, NONE, NONE);
   BAD("buffer 1: 4 bytes at 0x6", STREAM_TARGETS, NONE, 6, 4, 0, NONE, NONE);
   BAD("buffer 0: 6 bytes", STREAM_TARGETS, 4, 6, 0, NONE, NONE, NONE);
   BAD("outside", STREAM_TARGETS, 4, MEMORY, 0, NONE, NONE, NONE);
   BAD("outside", STREAM_TARGETS, NONE, NONE, NONE, 4, 4, MEMORY);
   BAD("counter at 0xc", STREAM_TARGETS, NONE, NONE, 4, 4, 12, NONE);
   GOOD(VERTEX_COUNT, MEMORY - 8, 1);
   BAD("outside", VERTEX_COUNT, MEMORY, 1);
   BAD("counter at 0x4", VERTEX_COUNT, 4, 1);
   BAD("0 bytes", VERTEX_COUNT, 8, 0);
   GOOD(INDIRECT, MEMORY - 16, 4, 0);
   GOOD(INDIRECT, MEMORY - 20, 5, 7);
   BAD("outside", INDIRECT, MEMORY - 16, 5, 7);
   BAD("numbers at 0x6", INDIRECT, 6, 4, 0);
   BAD("3 words", INDIRECT, 8, 3, 0);
   GOOD(DRAW, 0, 0, 0, 0, 0, 0, 0, 0, ATTILA_DRAW_INDIRECT, 0);
   BAD("indirect, but with 3", DRAW, 0, 3, 0, 0, 0, 0, 0, 0, ATTILA_DRAW_INDIRECT, 0);
   BAD("indirect, but", DRAW, 0, 0, 0, 0, 0, 0, 1, 0, ATTILA_DRAW_INDIRECT, 0);
   BAD("flags 0x18", DRAW, 0, 0, 0, 0, 0, 0, 0, 0, ATTILA_DRAW_INDIRECT | ATTILA_DRAW_COUNTED, 0);
}

static void
test_clears_check_the_bound_surfaces(void **state)
{
   struct attila_regs *r = sim_frontend_regs(frontend);
   memset(r, 0, sizeof(*r));
   BAD("framebuffer of 0 x 0", CLEAR_COLOR, 1, 0, 0, 0, 0);
   r->fb_width = r->fb_height = 64;
   GOOD(CLEAR_COLOR, 0xff, 0, 0, 0, 0); /* nothing bound */
   r->color[3].address = MEMORY - 64 * 64 * 4;
   r->color[3].format = ATTILA_FORMAT_R8G8B8A8_UNORM;
   r->color[3].pitch_tiles = 8;
   GOOD(CLEAR_COLOR, 8, 0, 0, 0, 0);
   r->fb_samples = 2;
   BAD("outside", CLEAR_COLOR, 8, 0, 0, 0, 0);
   GOOD(CLEAR_COLOR, 7, 0, 0, 0, 0);
   r->fb_samples = 3;
   BAD("3 samples", CLEAR_COLOR, 8, 0, 0, 0, 0);
   r->fb_samples = 0;
   r->color[3].format = ATTILA_FORMAT_Z24S8;
   BAD("format", CLEAR_COLOR, 8, 0, 0, 0, 0);
   BAD("mask", CLEAR_COLOR, 256, 0, 0, 0, 0);
   r->zs_address = 256;
   r->zs_format = ATTILA_FORMAT_Z24S8;
   r->zs_pitch_tiles = 8;
   GOOD(CLEAR_ZS, 3, 0, 0);
   BAD("planes", CLEAR_ZS, 4, 0, 0);
   r->zs_pitch_tiles = 7;
   BAD("tiles per row", CLEAR_ZS, 3, 0, 0);
   r->zs_pitch_tiles = 8;
   r->zs_address = 128;
   BAD("expected a multiple of 256", CLEAR_ZS, 3, 0, 0);
}

/* The last byte a blit touches on one side, element by element. */
static uint64_t
blit_end(const struct attila_cmd_blit *b, const struct attila_cmd_blit_surface *s)
{
   uint64_t end = 0;
   for (uint32_t z = s->z; z < s->z + b->depth; z++) {
      for (uint32_t y = s->y; y < s->y + b->height; y++) {
         for (uint32_t x = s->x; x < s->x + b->width; x++) {
            uint64_t at = s->address + (uint64_t)z * s->slice_stride;
            if (s->pitch_tiles)
               at += attila_element_offset(s->pitch_tiles, b->samples, b->element_bytes, x, y,
                                           b->samples - 1);
            else
               at += (uint64_t)y * s->linear_stride + (uint64_t)x * b->element_bytes;
            end = at + b->element_bytes > end ? at + b->element_bytes : end;
         }
      }
   }
   return end;
}

static uint32_t
next(uint32_t *x)
{
   *x = *x * 1664525 + 1013904223;
   return *x >> 8;
}

static void
random_surface(struct attila_cmd_blit_surface *s, uint32_t *x)
{
   s->address = next(x) % (MEMORY + 1000);
   s->pitch_tiles = next(x) % 3 ? 1 + next(x) % 20 : 0;
   s->slice_stride = next(x) % 3 ? next(x) % 200000 : 0;
   s->linear_stride = next(x) % 3000;
   s->x = next(x) % 40;
   s->y = next(x) % 40;
   s->z = next(x) % 4;
}

static void
test_accepted_blits_stay_inside_memory(void **state)
{
   uint32_t x = 99;
   unsigned accepted = 0, outside = 0;
   for (unsigned i = 0; i < 4000; i++) {
      struct attila_cmd_blit b = {.width = 1 + next(&x) % 40,
                                  .height = 1 + next(&x) % 40,
                                  .depth = 1 + next(&x) % 3,
                                  .element_bytes = 1u << next(&x) % 5,
                                  .samples = next(&x) % 4 ? 1 : 4};
      random_surface(&b.src, &x);
      random_surface(&b.dst, &x);
      bool ok = check(ATTILA_CMD_BLIT, (const uint32_t *)&b, sizeof(b) / 4);
      uint64_t src = blit_end(&b, &b.src), dst = blit_end(&b, &b.dst);
      if (ok) {
         accepted++;
         assert_true(src <= MEMORY && dst <= MEMORY);
      } else if (strstr(error, "outside")) {
         /* Whole tiles count, so a refused tiled surface may end up to a tile below its last
          * element. */
         uint64_t slack = (uint64_t)64 * b.element_bytes * b.samples * 2;
         assert_true(src + slack > MEMORY || dst + slack > MEMORY);
         outside++;
      }
   }
   assert_true(accepted > 300 && outside > 300);
}

/* Random words of every length: an answer, no access outside (run it with the sanitizer). */
static void
test_random_words_access_nothing_outside(void **state)
{
   uint32_t x = 5, words[40];
   for (unsigned i = 0; i < 200000; i++) {
      for (unsigned n = 0; n < 40; n++)
         words[n] = next(&x) % 3 ? next(&x) % 64 : next(&x) << 8 ^ next(&x);
      uint32_t op = next(&x) % (ATTILA_NUM_CMDS + 1), count = next(&x) % 39;
      sim_frontend_regs(frontend)->fb_width = words[39] % 9000;
      sim_frontend_regs(frontend)->color[0].address = words[38];
      check(op, words, count);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_bad_headers_are_refused),
       cmocka_unit_test(test_each_command_checks_its_payload),
       cmocka_unit_test(test_geometry_checks_its_payload),
       cmocka_unit_test(test_stream_out_checks_its_payload),
       cmocka_unit_test(test_clears_check_the_bound_surfaces),
       cmocka_unit_test(test_accepted_blits_stay_inside_memory),
       cmocka_unit_test(test_random_words_access_nothing_outside),
       cmocka_unit_test(test_notes_are_checked),
   };
   return cmocka_run_group_tests(tests, make_frontend, free_frontend);
}
