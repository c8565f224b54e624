/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Primitive assembly: what OpenGL's tables say for each primitive type, written out as strings:
 * vertices in order, '!' after the provoking one, '-' after a vertex whose edge to the next is no
 * boundary, ' ' between primitives. Vertex attributes: addresses and formats. */
#include <math.h>
#include "core/sim_fp.h"
#include "raster_state.h"

/* Runs vertices a, b, c ... ('|' restarts) and writes what comes out. A held reference must be one
 * that later output may use. */
static void
run(unsigned prim, bool first, bool adjacency, const char *vertices, char *text)
{
   struct emul_assembler a;
   struct emul_assembled out[2];
   uint32_t held[EMUL_ASSEMBLER_REFS] = {0}, num_held = 0;
   emul_assembler_start(&a, prim, first);
   a.adjacency = adjacency;
   for (const char *v = vertices;; v++) {
      unsigned n, keep = 0;
      if (*v == '|')
         emul_assembler_restart(&a, out, &n);
      else if (*v)
         n = emul_assembler_vertex(&a, (uint32_t)*v, out, &keep);
      else
         n = emul_assembler_end(&a, out);
      for (unsigned i = 0; i < n; i++) {
         for (unsigned k = 0; k < out[i].num_vertices; k++) {
            bool known = out[i].ref[k] == (uint32_t)*v;
            for (unsigned h = 0; h < num_held; h++)
               known |= held[h] == out[i].ref[k];
            assert_true(known);
            *text++ = (char)out[i].ref[k];
            if (k == out[i].provoking && !adjacency && prim != ATTILA_PRIM_POINTS)
               *text++ = '!';
            if (out[i].num_vertices == 3 && !(out[i].edges >> k & 1))
               *text++ = '-';
         }
         if (out[i].num_vertices == 2 && out[i].stipple_reset)
            *text++ = '*';
         *text++ = ' ';
      }
      num_held = 0;
      for (unsigned i = 0; i < EMUL_ASSEMBLER_REFS; i++) {
         if (keep >> i & 1)
            held[num_held++] = a.ref[i];
      }
      if (!*v)
         break;
   }
   *text = 0;
}

static const struct {
   unsigned prim;
   bool first;
   const char *in, *out;
} cases[] = {
    {ATTILA_PRIM_POINTS, false, "ab|c", "a b c "},
    {ATTILA_PRIM_LINES, false, "abcde", "ab!* cd!* "},
    {ATTILA_PRIM_LINES, true, "a|bcd", "b!c* "},
    {ATTILA_PRIM_LINE_STRIP, false, "abcd|ef", "ab!* bc! cd! ef!* "},
    {ATTILA_PRIM_LINE_STRIP, true, "abc", "a!b* b!c "},
    {ATTILA_PRIM_LINE_LOOP, false, "abc|de|f", "ab!* bc! ca! de!* ed! "},
    {ATTILA_PRIM_LINE_LOOP, true, "abc", "a!b* b!c c!a "},
    {ATTILA_PRIM_TRIANGLES, false, "abcdefgh", "abc! def! "},
    {ATTILA_PRIM_TRIANGLES, true, "ab|cde", "c!de "},
    {ATTILA_PRIM_TRIANGLE_STRIP, false, "abcdef|ghi", "abc! cbd! cde! edf! ghi! "},
    {ATTILA_PRIM_TRIANGLE_STRIP, true, "abcde", "a!bc b!dc c!de "},
    {ATTILA_PRIM_TRIANGLE_FAN, false, "abcde|fgh", "abc! acd! ade! fgh! "},
    {ATTILA_PRIM_TRIANGLE_FAN, true, "abcd", "ab!c ac!d "},
    {ATTILA_PRIM_QUADS, false, "abcdefghi", "ab-d! bcd!- ef-h! fgh!- "},
    {ATTILA_PRIM_QUADS, true, "abc|defg", "d!ef- d!-fg "},
    /* abdc, cdfe: the vertex of a quad with the highest (or lowest) number provokes. */
    {ATTILA_PRIM_QUAD_STRIP, false, "abcdefg", "ca-d! abd!- ec-f! cdf!- "},
    {ATTILA_PRIM_QUAD_STRIP, true, "abcdef", "a!bd- a!-dc c!df- c!-fe "},
    {ATTILA_PRIM_POLYGON, false, "abcde|fgh|ij", "a!bc- a!-cd- a!-de f!gh "},
    {ATTILA_PRIM_POLYGON, true, "abcd", "a!bc- a!-cd "},
    {ATTILA_PRIM_LINES_ADJACENCY, false, "abcdefghi", "bc!* fg!* "},
    {ATTILA_PRIM_LINES_ADJACENCY, true, "abc|defg", "e!f* "},
    {ATTILA_PRIM_LINE_STRIP_ADJACENCY, false, "abcdef|ghij", "bc!* cd! de! hi!* "},
    {ATTILA_PRIM_LINE_STRIP_ADJACENCY, true, "abcde", "b!c* c!d "},
    {ATTILA_PRIM_TRIANGLES_ADJACENCY, false, "abcdefghijklm", "ace! gik! "},
    {ATTILA_PRIM_TRIANGLES_ADJACENCY, true, "abcde|fghijk", "f!hj "},
    {ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY, false, "abcdefghij|klmnop", "ace! ecg! egi! kmo! "},
    {ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY, true, "abcdefghi", "a!ce ec!g "},
    {ATTILA_NUM_PRIMS, true, "abcd", ""},
};

static void
primitives_leave_in_opengls_order(void **unused __attribute__((unused)))
{
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      char text[256];
      run(cases[i].prim, cases[i].first, false, cases[i].in, text);
      assert_string_equal(text, cases[i].out);
   }
}

/* With adjacent vertices, in the order in which a geometry program sees them (OpenGL 3.2, table
 * 2.4). A strip's last vertex that completes no triangle does not count. */
static const struct {
   unsigned prim;
   const char *in, *out;
} adjacent[] = {
    {ATTILA_PRIM_POINTS, "ab", "a b "},
    {ATTILA_PRIM_LINES_ADJACENCY, "abcdefghi", "abcd efgh "},
    {ATTILA_PRIM_LINE_STRIP_ADJACENCY, "abcdef|ghij", "abcd bcde cdef ghij "},
    {ATTILA_PRIM_TRIANGLES_ADJACENCY, "abcdefghijklm", "abcdef ghijkl "},
    {ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY, "abcde", ""},
    {ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY, "abcdef", "abcfed "},
    {ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY, "abcdefg", "abcfed "},
    {ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY, "abcdefgh", "abcged eacfgh "},
    {ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY, "abcdefghi", "abcged eacfgh "},
    {ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY, "abcdefghij", "abcged eacfgi ecgjih "},
    {ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY, "abcdefghijkl|mnopqr",
     "abcged eacfgi ecgkih iegjkl mnorqp "},
};

static void
adjacent_vertices_leave_in_opengls_order(void **unused __attribute__((unused)))
{
   for (unsigned i = 0; i < sizeof(adjacent) / sizeof(adjacent[0]); i++) {
      char text[256];
      run(adjacent[i].prim, false, true, adjacent[i].in, text);
      assert_string_equal(text, adjacent[i].out);
   }
}

/* Numbers of primitives for gl_PrimitiveID; '|' restarts, '/' is between instances. Triangles of a
 * quad or polygon have one number. */
static const struct {
   unsigned prim;
   const char *in, *ids;
} numbered[] = {
    {ATTILA_PRIM_POINTS, "ab|c/d", "0120"},
    {ATTILA_PRIM_LINES, "abcde|fg/hi", "0120"},
    {ATTILA_PRIM_LINE_LOOP, "abc|de/fgh", "01234012"},
    {ATTILA_PRIM_TRIANGLES, "abcdef|ghi/jkl", "0120"},
    {ATTILA_PRIM_TRIANGLE_STRIP, "abcd|efg/hijk", "01201"},
    {ATTILA_PRIM_TRIANGLE_FAN, "abcde/fghi", "01201"},
    {ATTILA_PRIM_QUADS, "abcdefgh|ijkl/mnop", "00112200"},
    {ATTILA_PRIM_QUAD_STRIP, "abcdef|ghij/klmn", "00112200"},
    {ATTILA_PRIM_POLYGON, "abcde|fgh|ijkl/mnop", "00012200"},
};

static void
primitives_are_numbered(void **unused __attribute__((unused)))
{
   for (unsigned i = 0; i < sizeof(numbered) / sizeof(numbered[0]); i++) {
      struct emul_assembler a;
      struct emul_assembled out[2];
      char ids[32] = "", *end = ids;
      emul_assembler_start(&a, numbered[i].prim, false);
      for (const char *v = numbered[i].in;; v++) {
         unsigned n, keep;
         if (*v == '|')
            emul_assembler_restart(&a, out, &n);
         else if (*v == '/' || !*v)
            n = emul_assembler_end(&a, out);
         else
            n = emul_assembler_vertex(&a, (uint32_t)*v, out, &keep);
         for (unsigned k = 0; k < n; k++)
            *end++ = (char)('0' + out[k].id);
         if (!*v)
            break;
      }
      *end = 0;
      assert_string_equal(ids, numbered[i].ids);
   }
   struct emul_assembler a;
   emul_assembler_start(&a, ATTILA_PRIM_TRIANGLES, false);
   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(emul_assembler_triangle(&a, 0, 1, 2).id, i);
}

/* --- Vertex attributes --- */

static void
attribute_addresses_stay_inside_the_buffer(void **unused __attribute__((unused)))
{
   struct attila_regs regs;
   struct emul_draw_state state;
   state_regs(&regs, 16, 16);
   regs.attrib[0] = (struct attila_attrib_regs){.enable = 1,
                                                .address = 1000,
                                                .stride = 20,
                                                .format = ATTILA_FORMAT_R32G32B32_FLOAT,
                                                .limit = 100};
   regs.attrib[1] = regs.attrib[0];
   regs.attrib[1].divisor = 3;
   regs.attrib[2] = regs.attrib[0];
   regs.attrib[2].limit = 0xffffffff;
   state_init(&state, &regs, ATTILA_PRIM_TRIANGLES, ".fragment\nMOV o0, i1\nEND\n");
   assert_int_equal(emul_attrib_address(&state, 0, 4, 0), 1080);
   assert_int_equal(emul_attrib_address(&state, 0, 5, 0), ATTILA_NO_ADDRESS);
   assert_int_equal(emul_attrib_address(&state, 0, 0xffffffff, 0), ATTILA_NO_ADDRESS);
   state.cmd.first_instance = 2;
   assert_int_equal(emul_attrib_address(&state, 1, 77, 2 + 5), 1060);
   assert_int_equal(emul_attrib_address(&state, 2, 1000000, 0), 1000 + 20000000);
   assert_int_equal(emul_attrib_address(&state, 2, 0x10000000, 0), ATTILA_NO_ADDRESS);
   assert_int_equal(emul_attrib_address(&state, 3, 0, 0), ATTILA_NO_ADDRESS);
   /* Instances past 2^32 are outside, whatever their number times the stride wraps to. */
   state.regs.attrib[1].divisor = 1;
   state.regs.attrib[1].stride = 0xfffffffe;
   state.cmd.first_instance = 0xffffffff;
   for (uint32_t i = 0; i < 8; i++)
      assert_int_equal(emul_attrib_address(&state, 1, 0, 0xffffffff + i), ATTILA_NO_ADDRESS);
   state.regs.attrib[1].stride = 0;
   assert_int_equal(emul_attrib_address(&state, 1, 0, 2), 1000);
}

/* Vertices see the number of their instance, whatever the first one is and wherever other
 * attributes come from. */
static void
instance_numbers_start_at_0(void **unused __attribute__((unused)))
{
   struct attila_regs regs;
   struct emul_draw_state state;
   struct emul_vec4 in;
   const uint32_t vertex[3] = {7, 8, 9};
   const uint8_t memory[16] = {1};
   float value[4];
   state_regs(&regs, 16, 16);
   regs.attrib[5] = (struct attila_attrib_regs){
       .enable = ATTILA_ATTRIB_INSTANCE, .format = ATTILA_FORMAT_R32G32_FLOAT, .limit = 16};
   state_init(&state, &regs, ATTILA_PRIM_TRIANGLES, ".fragment\nMOV o0, i1\nEND\n");
   state.cmd.first_instance = 4;
   assert_int_equal(emul_attrib_address(&state, 5, 0, 4), ATTILA_NO_ADDRESS);
   emul_attrib_convert(&state, 5, NULL, 4, value);
   assert_true(value[0] == 0 && value[1] == 0 && value[2] == 0 && value[3] == 1);
   emul_attrib_fetch(&state, 5, memory, vertex, 3, 4 + 70000, &in);
   for (unsigned i = 0; i < 3; i++)
      assert_true(in.c[0][i] == 70000 && in.c[1][i] == 0 && in.c[2][i] == 0 && in.c[3][i] == 1);
}

/* Numbers of vertices and instances as integers: the instance from 0, the bias as it is. */
static void
numbers_are_integers(void **unused __attribute__((unused)))
{
   struct attila_regs regs;
   struct emul_draw_state state;
   struct emul_vec4 in;
   const uint32_t vertex[3] = {7, 0x12345678, 0xffffffff};
   const uint8_t memory[16] = {1};
   state_regs(&regs, 16, 16);
   state_init(&state, &regs, ATTILA_PRIM_TRIANGLES, ".fragment\nMOV o0, i1\nEND\n");
   state.cmd.first_instance = 4;
   state.cmd.index_bias = (uint32_t)-3;
   emul_attrib_fetch(&state, ATTILA_VS_INPUT_IDS, memory, vertex, 3, 4 + 0x2000001, &in);
   for (unsigned i = 0; i < 3; i++) {
      const uint32_t want[4] = {vertex[i], 0x2000001, (uint32_t)-3, 0};
      float one[4];
      emul_vertex_ids(&state, vertex[i], 4 + 0x2000001, one);
      assert_memory_equal(one, want, sizeof(want));
      for (unsigned c = 0; c < 4; c++)
         assert_memory_equal(&in.c[c][i], &want[c], sizeof(want[c]));
   }
}

/* A group of vertices is what its vertices are one by one, wherever the buffer ends, in memory that
 * ends there, too. */
static void
groups_are_vertices(void **unused __attribute__((unused)))
{
   static const enum attila_format formats[] = {
       ATTILA_FORMAT_R32_FLOAT, ATTILA_FORMAT_R32G32_FLOAT, ATTILA_FORMAT_R32G32B32_FLOAT,
       ATTILA_FORMAT_R32G32B32A32_FLOAT, ATTILA_FORMAT_R8G8B8A8_UNORM};
   unsigned inside = 0, outside = 0;
   for (unsigned round = 0; round < 20000; round++) {
      struct attila_regs regs;
      struct emul_draw_state state;
      struct emul_vec4 in;
      uint32_t vertex[EMUL_LANES];
      const unsigned count = round % 3 ? EMUL_LANES : 1 + random_u32() % EMUL_LANES,
                     first = random_u32() % 30;
      const uint32_t size = 64 + random_u32() % 1000;
      uint8_t *memory = malloc(size);
      assert_non_null(memory);
      for (unsigned i = 0; i < size; i++)
         memory[i] = (uint8_t)(random_u32() % 64);
      state_regs(&regs, 16, 16);
      regs.attrib[0] =
          (struct attila_attrib_regs){.enable = 1,
                                      .address = random_u32() % 64,
                                      .stride = random_u32() % 40,
                                      .format = formats[random_u32() % 5],
                                      .limit = random_u32() % 2 ? 2000 : random_u32() % 1000};
      state_init(&state, &regs, ATTILA_PRIM_TRIANGLES, ".fragment\nMOV o0, i1\nEND\n");
      state.memory_size = size;
      for (unsigned i = 0; i < EMUL_LANES; i++)
         vertex[i] = round % 2 ? first + i : random_u32() % 40;
      emul_attrib_fetch(&state, 0, memory, vertex, count, 0, &in);
      for (unsigned i = 0; i < count; i++) {
         const uint32_t at = emul_attrib_address(&state, 0, vertex[i], 0);
         const bool there = at != ATTILA_NO_ADDRESS;
         float value[4];
         emul_attrib_convert(&state, 0, there ? memory + at : NULL, 0, value);
         for (unsigned c = 0; c < 4; c++)
            assert_true(in.c[c][i] == value[c]);
         inside += there;
         outside += !there;
      }
      free(memory);
   }
   assert_true(inside > 10000 && outside > 10000);
}

static void
attribute_formats_become_floats(void **unused __attribute__((unused)))
{
   static const struct {
      enum attila_format format;
      uint8_t bytes[16];
      float value[4];
   } tests[] = {
       {ATTILA_FORMAT_R8G8B8A8_UNORM, {0, 51, 255, 102}, {0, 0.2f, 1, 0.4f}},
       {ATTILA_FORMAT_B8G8R8A8_UNORM, {0, 51, 255, 102}, {1, 0.2f, 0, 0.4f}},
       {ATTILA_FORMAT_R8G8B8_SNORM, {0x80, 0x81, 127}, {-1, -1, 1, 1}},
       {ATTILA_FORMAT_R16_USCALED, {0xff, 0xff}, {65535, 0, 0, 1}},
       {ATTILA_FORMAT_R16G16_SSCALED, {0xff, 0xff, 1, 0x80}, {-1, -32767, 0, 1}},
       {ATTILA_FORMAT_R16G16B16_UNORM, {0xff, 0xff, 0, 0, 0xff, 0x7f}, {1, 0, 32767.0f / 65535, 1}},
       {ATTILA_FORMAT_R16G16_FLOAT, {0, 0x3c, 0, 0xc0}, {1, -2, 0, 1}},
       {ATTILA_FORMAT_R32G32_FIXED, {0, 0x80, 1, 0, 0, 0, 0xff, 0xff}, {1.5f, -1, 0, 1}},
       {ATTILA_FORMAT_R32_UNORM, {0xff, 0xff, 0xff, 0xff}, {1, 0, 0, 1}},
       {ATTILA_FORMAT_R32G32_SNORM, {0, 0, 0, 0x80, 0xff, 0xff, 0xff, 0x7f}, {-1, 1, 0, 1}},
       {ATTILA_FORMAT_R10G10B10A2_UNORM, {0xff, 0x03, 0, 0xc0}, {1, 0, 0, 1}},
       {ATTILA_FORMAT_B10G10R10A2_SNORM, {0xff, 0x01, 0, 0x40}, {0, 0, 1, 1}},
       {ATTILA_FORMAT_R10G10B10A2_SSCALED, {0x00, 0x02, 0, 0xc0}, {-512, 0, 0, -1}},
       {ATTILA_FORMAT_B10G10R10A2_SSCALED, {0x00, 0x02, 0, 0xc0}, {0, 0, -512, -1}},
       {ATTILA_FORMAT_B10G10R10A2_USCALED, {0x00, 0x02, 0x30, 0xc0}, {3, 0, 512, 3}},
       {ATTILA_FORMAT_R32G32B32A32_FLOAT,
        {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0x80, 0xbf},
        {1, 2, 0, -1}},
       {ATTILA_FORMAT_R32G32B32_FLOAT,
        {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40},
        {1, 2, 3, 1}},
   };
   static uint8_t memory[4096];
   struct attila_regs regs;
   struct emul_draw_state state;
   for (unsigned i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
      float value[4];
      struct emul_vec4 in;
      const uint32_t vertex[2] = {1, 5000};
      state_regs(&regs, 16, 16);
      regs.attrib[0] = (struct attila_attrib_regs){
          .enable = 1, .address = 64, .stride = 16, .format = tests[i].format, .limit = 1024};
      state_init(&state, &regs, ATTILA_PRIM_TRIANGLES, ".fragment\nMOV o0, i1\nEND\n");
      emul_attrib_convert(&state, 0, tests[i].bytes, 0, value);
      for (unsigned c = 0; c < 4; c++)
         assert_true(value[c] == tests[i].value[c]);
      memcpy(memory + 80, tests[i].bytes, 16);
      emul_attrib_fetch(&state, 0, memory, vertex, 2, 0, &in);
      for (unsigned c = 0; c < 4; c++)
         assert_true(in.c[c][0] == value[c] && in.c[c][1] == (c == 3));
   }
   float value[4];
   emul_attrib_convert(&state, 0, NULL, 0, value);
   assert_true(value[0] == 0 && value[1] == 0 && value[2] == 0 && value[3] == 1);
}

/* Integers are the bits of components, also those that a vertex outside of the buffer reads. */
static void
integer_attributes_stay_integers(void **unused __attribute__((unused)))
{
   static const struct {
      enum attila_format format;
      uint8_t bytes[16];
      int32_t value[4];
   } tests[] = {
       {ATTILA_FORMAT_R8_UINT, {0x80}, {128, 0, 0, 1}},
       {ATTILA_FORMAT_R8G8B8_SINT, {0x80, 1, 0x7f}, {-128, 1, 127, 1}},
       {ATTILA_FORMAT_R16G16_SINT, {0xff, 0xff, 1, 0x80}, {-1, -32767, 0, 1}},
       {ATTILA_FORMAT_R16G16B16A16_UINT, {0xff, 0xff, 1, 0, 2, 0, 3, 0x80}, {65535, 1, 2, 0x8003}},
       {ATTILA_FORMAT_R32G32B32_UINT,
        {1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 1, 0, 0x80, 0x7f},
        {1, -1, 0x7f800001, 1}},
       {ATTILA_FORMAT_R32G32B32A32_SINT,
        {0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0x80, 5, 0, 0, 0, 0xfb, 0xff, 0xff, 0xff},
        {INT32_MAX, INT32_MIN, 5, -5}},
   };
   static uint8_t memory[4096];
   const sim_fp_state before = sim_fp_enter();
   for (unsigned i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
      struct attila_regs regs;
      struct emul_draw_state state;
      struct emul_vec4 in;
      const uint32_t vertex[2] = {1, 5000};
      state_regs(&regs, 16, 16);
      regs.attrib[0] = (struct attila_attrib_regs){
          .enable = 1, .address = 64, .stride = 16, .format = tests[i].format, .limit = 1024};
      state_init(&state, &regs, ATTILA_PRIM_TRIANGLES, ".fragment\nMOV o0, i1\nEND\n");
      memcpy(memory + 80, tests[i].bytes, 16);
      emul_attrib_fetch(&state, 0, memory, vertex, 2, 0, &in);
      for (unsigned c = 0; c < 4; c++) {
         const int32_t outside = c == 3;
         assert_memory_equal(&in.c[c][0], &tests[i].value[c], 4);
         assert_memory_equal(&in.c[c][1], &outside, 4);
      }
   }
   sim_fp_leave(before);
}

/* Where colour buffer 0 holds integers there is no alpha, and no such buffer blends. */
static void
integer_buffers_do_not_blend(void **unused __attribute__((unused)))
{
   for (unsigned n = 0; n < 4; n++) {
      struct attila_regs regs;
      struct emul_draw_state state;
      const bool integer[2] = {n & 1, n & 2};
      state_regs(&regs, 64, 64);
      regs.fb_samples = 4;
      regs.alpha_to_coverage = regs.alpha_to_one = 1;
      for (unsigned i = 0; i < 2; i++)
         regs.color[i] = (struct attila_color_regs){
             .address = 4096 + i * 65536,
             .format = integer[i] ? ATTILA_FORMAT_R8G8B8A8_SINT : ATTILA_FORMAT_R8G8B8A8_UNORM,
             .pitch_tiles = 8,
             .write_mask = 15,
             .blend_enable = 1};
      state_init(&state, &regs, ATTILA_PRIM_TRIANGLES, ".fragment\nMOV o0, i1\nMOV o1, i1\nEND\n");
      assert_int_equal(state.color_mask, 3);
      for (unsigned i = 0; i < 2; i++)
         assert_int_equal(state.regs.color[i].blend_enable, !integer[i]);
      assert_int_equal(state.regs.alpha_to_coverage, !integer[0]);
      assert_int_equal(state.regs.alpha_to_one, !integer[0]);
   }
}

static void
bad_state_is_refused(void **unused __attribute__((unused)))
{
   struct attila_regs regs;
   struct emul_draw_state state;
   struct attila_cmd_draw cmd = {.prim = ATTILA_PRIM_TRIANGLES, .count = 3, .num_instances = 1};
   state_regs(&regs, 64, 64);
   regs.color[0] = (struct attila_color_regs){
       .address = 4096, .format = ATTILA_FORMAT_R8G8B8A8_UNORM, .pitch_tiles = 8, .write_mask = 15};
   state_init(&state, &regs, ATTILA_PRIM_TRIANGLES, ".fragment\nMOV o0, i1\nEND\n");
   assert_int_equal(state.color_mask, 1);
   enum { BAD = 13 };
   struct attila_regs bad[BAD];
   for (unsigned i = 0; i < BAD; i++)
      bad[i] = regs;
   bad[0].fb_samples = 3;
   bad[1].fb_width = 8193;
   bad[2].color[0].format = 255;
   bad[3].color[0].format = ATTILA_FORMAT_DXT1_RGB;
   bad[4].color[0].address = 4097;
   bad[5].color[0].address = 0xffffff00;
   bad[6].color[0].address = MEMORY - 16128;
   bad[7].color[0].pitch_tiles = 7;
   bad[8].color[0].pitch_tiles = 2047;
   bad[9].zs_address = 256;
   bad[10].color[0].rgb_src = 15;
   bad[11].attrib[3].enable = 1;
   bad[12].fill_back = 3;
   for (unsigned i = 0; i < BAD; i++) {
      char error[128] = "";
      assert_false(emul_draw_state_init(&state, &bad[i], &cmd, MEMORY, error, sizeof(error)));
      assert_true(error[0] != 0);
   }
   char error[128];
   regs.color[0].address = MEMORY - 16384;
   assert_true(emul_draw_state_init(&state, &regs, &cmd, MEMORY, error, sizeof(error)));
   cmd.index_size = 4;
   cmd.index_address = MEMORY - 8;
   assert_false(emul_draw_state_init(&state, &regs, &cmd, MEMORY, error, sizeof(error)));
   /* Any words in all registers: refused or usable, never a crash. */
   for (unsigned i = 0; i < 2000; i++) {
      struct attila_regs r = regs;
      for (unsigned k = 0; k < 1 + i % 40; k++)
         ((uint32_t *)&r)[random_u32() % ATTILA_NUM_REGS] = random_u32() >> random_u32() % 32;
      cmd.index_size = 0;
      emul_draw_state_init(&state, &r, &cmd, MEMORY, error, sizeof(error));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(primitives_leave_in_opengls_order),
       cmocka_unit_test(adjacent_vertices_leave_in_opengls_order),
       cmocka_unit_test(primitives_are_numbered),
       cmocka_unit_test(attribute_addresses_stay_inside_the_buffer),
       cmocka_unit_test(instance_numbers_start_at_0),
       cmocka_unit_test(numbers_are_integers),
       cmocka_unit_test(attribute_formats_become_floats),
       cmocka_unit_test(integer_attributes_stay_integers),
       cmocka_unit_test(integer_buffers_do_not_blend),
       cmocka_unit_test(groups_are_vertices),
       cmocka_unit_test(bad_state_is_refused),
   };
   return cmocka_run_group_tests_name("assemble", tests, NULL, NULL);
}
