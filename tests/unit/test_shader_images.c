/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Images in the shader emulator, on every instruction set of the host, against a model of each
 * lane: loads, stores and atomic operations of all formats of OpenGL 4.2, table 3.21, in tiled
 * levels with slices and in buffers; what is outside, not bound or no word; helpers; sizes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "hw/attila_cmd.h"
#include "emul/shader/emul_shader_program.h"

#define MEMORY 65536
#define ROUNDS 12

/* The formats: kind, then bits of each channel from bit 0 on. */
enum { UNORM, SNORM, FLOAT, UINT, SINT };
static const struct format {
   unsigned format, kind, bits[4];
} formats[] = {
#define X(name, kind, ...)        \
   {                              \
      ATTILA_FORMAT_##name, kind, \
      {                           \
         __VA_ARGS__              \
      }                           \
   }
    X(R32G32B32A32_FLOAT, FLOAT, 32, 32, 32, 32),
    X(R16G16B16A16_FLOAT, FLOAT, 16, 16, 16, 16),
    X(R32G32_FLOAT, FLOAT, 32, 32),
    X(R16G16_FLOAT, FLOAT, 16, 16),
    X(R11G11B10_FLOAT, FLOAT, 11, 11, 10),
    X(R32_FLOAT, FLOAT, 32),
    X(R16_FLOAT, FLOAT, 16),
    X(R32G32B32A32_UINT, UINT, 32, 32, 32, 32),
    X(R16G16B16A16_UINT, UINT, 16, 16, 16, 16),
    X(R10G10B10A2_UINT, UINT, 10, 10, 10, 2),
    X(R8G8B8A8_UINT, UINT, 8, 8, 8, 8),
    X(R32G32_UINT, UINT, 32, 32),
    X(R16G16_UINT, UINT, 16, 16),
    X(R8G8_UINT, UINT, 8, 8),
    X(R32_UINT, UINT, 32),
    X(R16_UINT, UINT, 16),
    X(R8_UINT, UINT, 8),
    X(R32G32B32A32_SINT, SINT, 32, 32, 32, 32),
    X(R16G16B16A16_SINT, SINT, 16, 16, 16, 16),
    X(R8G8B8A8_SINT, SINT, 8, 8, 8, 8),
    X(R32G32_SINT, SINT, 32, 32),
    X(R16G16_SINT, SINT, 16, 16),
    X(R8G8_SINT, SINT, 8, 8),
    X(R32_SINT, SINT, 32),
    X(R16_SINT, SINT, 16),
    X(R8_SINT, SINT, 8),
    X(R16G16B16A16_UNORM, UNORM, 16, 16, 16, 16),
    X(R10G10B10A2_UNORM, UNORM, 10, 10, 10, 2),
    X(R8G8B8A8_UNORM, UNORM, 8, 8, 8, 8),
    X(R16G16_UNORM, UNORM, 16, 16),
    X(R8G8_UNORM, UNORM, 8, 8),
    X(R16_UNORM, UNORM, 16),
    X(R8_UNORM, UNORM, 8),
    X(R16G16B16A16_SNORM, SNORM, 16, 16, 16, 16),
    X(R8G8B8A8_SNORM, SNORM, 8, 8, 8, 8),
    X(R16G16_SNORM, SNORM, 16, 16),
    X(R8G8_SNORM, SNORM, 8, 8),
    X(R16_SNORM, SNORM, 16),
    X(R8_SNORM, SNORM, 8),
#undef X
};
#define NUM_FORMATS (sizeof(formats) / sizeof(formats[0]))
_Static_assert(NUM_FORMATS == 39, "OpenGL 4.2, table 3.21");

struct machine {
   struct emul_thread t;
   struct emul_vec4 temps[4], in[2], out[1];
   struct attila_image images[ATTILA_MAX_IMAGES];
   uint8_t memory[MEMORY];
};

static uint32_t
hash(uint32_t x)
{
   x = (x ^ 61) * 0x9e3779b1u;
   x ^= x >> 15;
   return (x * 0x85ebca6bu) ^ x >> 13;
}

static void
put(float *where, uint32_t bits)
{
   memcpy(where, &bits, 4);
}

static uint32_t
get(const float *where)
{
   uint32_t bits;
   memcpy(&bits, where, 4);
   return bits;
}

/* --- The model --- */

/* A float of so many bits: 5 of the exponent, a sign if there are 16 (OpenGL 4.2, 2.1.1). */
static double
small_float(uint32_t v, unsigned bits)
{
   const unsigned mantissa = bits == 16 ? 10 : bits - 5;
   const uint32_t m = v & ((1u << mantissa) - 1), e = v >> mantissa & 31;
   const double sign = bits == 16 && v >> 15 ? -1 : 1, one = 1u << mantissa;
   if (e == 31)
      return m ? NAN : sign * INFINITY;
   return sign * (e ? ldexp(1 + m / one, (int)e - 15) : ldexp(m / one, -14));
}

/* Returns channel c of a texel: a number, or an integer's bits. */
static double
channel(const struct format *f, const uint8_t *texel, unsigned c)
{
   unsigned at = 0;
   uint64_t v = 0;
   for (unsigned i = 0; i < c; i++)
      at += f->bits[i];
   const unsigned bits = f->bits[c];
   for (unsigned i = 0; i < bits; i++)
      v |= (uint64_t)(texel[(at + i) / 8] >> (at + i) % 8 & 1) << i;
   const int64_t s = v >> (bits - 1) & 1 ? (int64_t)(v | ~0ull << bits) : (int64_t)v;
   float number;
   const uint32_t word = (uint32_t)v;
   memcpy(&number, &word, 4);
   switch (f->kind) {
   case UNORM:
      return (double)v / (double)((1ull << bits) - 1);
   case SNORM:
      return fmax((double)s / (double)((1ull << (bits - 1)) - 1), -1);
   case FLOAT:
      return bits == 32 ? (double)number : small_float(word, bits);
   case UINT:
      return (double)v;
   default:
      return (double)(uint32_t)s;
   }
}

/* Returns what a lane loads as component c. */
static double
component(const struct format *f, const uint8_t *texel, unsigned c)
{
   return f->bits[c] ? channel(f, texel, c) : c == 3;
}

static bool
is_integer(const struct format *f)
{
   return f->kind == UINT || f->kind == SINT;
}

/* Returns how far a stored channel may be from what was stored. */
static double
precision(const struct format *f, unsigned c, double value)
{
   const unsigned bits = f->bits[c];
   if (is_integer(f))
      return 0;
   if (f->kind == FLOAT)
      return bits == 32 ? 0
                        : ldexp(fmax(fabs(value), ldexp(1, -14)), bits == 10   ? -6
                                                                  : bits == 11 ? -7
                                                                               : -11);
   return .501 / (double)((1ull << (bits - (f->kind == SNORM))) - 1);
}

/* Returns a lane's texel; NULL: it is outside. Tiles of 8 x 8 texels in Morton order, which are in
 * rows where a row has an odd number of them. */
static uint8_t *
texel_of(const struct attila_image *image, unsigned bytes, const uint32_t at[3], uint8_t *memory)
{
   if (at[0] >= image->width || at[1] >= image->height || at[2] >= image->depth)
      return NULL;
   if (!image->pitch_tiles)
      return memory + image->address + at[0] * bytes;
   uint32_t inside = 0;
   for (unsigned i = 0; i < 3; i++)
      inside |= (at[0] >> i & 1) << 2 * i | (at[1] >> i & 1) << (2 * i + 1);
   const uint32_t tile = at[0] / 8 + at[1] / 8 * image->pitch_tiles;
   return memory + image->address + at[2] * image->slice_stride + (tile * 64 + inside) * bytes;
}

/* --- Programs --- */

static struct attila_isa_program
assembled(const char *text)
{
   struct attila_isa_program isa;
   char error[256];
   if (!attila_isa_assemble(text, &isa, error, sizeof(error)))
      fail_msg("%s in %s", error, text);
   return isa;
}

/* Makes a value that the format can nearly hold. */
static uint32_t
value_for(const struct format *f, unsigned c, uint32_t h)
{
   const unsigned bits = f->bits[c] ? f->bits[c] : 8;
   const double unit = (double)(h % 100001) / 100000;
   float number = (float)(f->kind == UNORM ? unit : 2 * unit - 1);
   if (f->kind == FLOAT)
      number = (float)(bits < 16 ? 300 * unit : bits == 16 ? 600 * unit - 300 : 1e30 * (unit - .5));
   uint32_t word;
   memcpy(&word, &number, 4);
   if (f->kind == UINT)
      word = bits == 32 ? h : h & ((1u << bits) - 1);
   if (f->kind == SINT)
      word = (uint32_t)((int32_t)(h << (32 - bits)) >> (32 - bits));
   return word;
}

/* Image 1 is tiled, 4 a buffer; others are not bound. Input 0 has the texel and the image, input 1
 * data. */
static void
start(struct machine *m, const struct emul_program *p, const struct format *f, unsigned round)
{
   const uint32_t number[] = {1, 4, 1, 2, 4, 1, 8, 1};
   memset(m, 0, sizeof(*m));
   for (unsigned i = 0; i < MEMORY; i += 4) {
      uint32_t word = hash(i + round);
      if (f->kind == FLOAT) /* no infinities */
         word &= 0xbf7ebeffu & (f->bits[0] == 11 ? 0xbfdfbbff : ~0u);
      memcpy(m->memory + i, &word, 4);
   }
   m->images[1] = (struct attila_image){.address = 1024,
                                        .format = f->format,
                                        .pitch_tiles = 3,
                                        .slice_stride = 3 * 2 * 64 * 16,
                                        .width = 21,
                                        .height = 13,
                                        .depth = 3};
   m->images[4] = (struct attila_image){
       .address = 40964, .format = f->format, .width = 37, .height = 1, .depth = 1};
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      const uint32_t h = hash(round * 16 + l);
      const bool flat = number[round % 8] == 4 && h >> 25 & 7;
      put(&m->in[0].c[0][l], round == 7 ? h : h % (flat ? 40 : 24));
      put(&m->in[0].c[1][l], flat ? 0 : (h >> 8) % 14);
      put(&m->in[0].c[2][l], flat ? 0 : (h >> 16) % 4);
      put(&m->in[0].c[3][l], number[round % 8]);
      for (unsigned c = 0; c < 4; c++)
         put(&m->in[1].c[c][l], value_for(f, c, hash(h + c)));
   }
   m->t.temps = m->temps;
   m->t.inputs = m->in;
   m->t.outputs = m->out;
   m->t.images = m->images;
   m->t.memory = m->memory;
   emul_thread_start(&m->t, p, round % 2 ? 0xffff : 0x7ff, true, 1u << 16);
   m->t.helpers = (uint16_t)(round % 3 == 2 ? 0x2412 : 0);
}

enum { LOAD, STORE, ADD, EXCHANGE, REDUCE };

/* Does a lane's instruction in memory, and checks what the program did. */
static void
lane_is_right(const struct format *f, unsigned what, struct machine *ran, uint8_t *memory,
              unsigned l, bool writes, const char *where)
{
   const unsigned bytes = attila_formats[f->format].bytes;
   static const uint8_t zeros[16];
   const uint32_t n = get(&ran->in[0].c[3][l]),
                  at[3] = {get(&ran->in[0].c[0][l]), get(&ran->in[0].c[1][l]),
                           get(&ran->in[0].c[2][l])};
   const bool bound = n < ATTILA_MAX_IMAGES && ran->images[n].format;
   uint8_t *texel = bound ? texel_of(&ran->images[n], bytes, at, memory) : NULL;
   const uint8_t *read = texel ? texel : zeros;
   for (unsigned c = 0; c < 4 && what == LOAD; c++) {
      const double want = bound ? component(f, read, c) : 0;
      const double got = is_integer(f) ? get(&ran->out[0].c[c][l]) : (double)ran->out[0].c[c][l];
      if (fabs(got - want) > 1e-6 * fabs(want) && !(isnan(got) && isnan(want)))
         fail_msg("%s, lane %u: component %u is %.9g, not %.9g", where, l, c, got, want);
   }
   if (what == LOAD)
      return;
   if (what == STORE) {
      uint8_t *stored = texel && writes ? ran->memory + (texel - memory) : NULL;
      for (unsigned c = 0; c < 4 && stored && f->bits[c]; c++) {
         const double want = is_integer(f) ? get(&ran->in[1].c[c][l]) : (double)ran->in[1].c[c][l];
         const double got = channel(f, stored, c);
         bool last = true; /* a later lane may have overwritten it */
         for (unsigned k = l + 1; k < EMUL_LANES; k++)
            last &= get(&ran->in[0].c[0][k]) != at[0] || get(&ran->in[0].c[1][k]) != at[1] ||
                    get(&ran->in[0].c[2][k]) != at[2] || !(ran->t.lanes >> k & 1) ||
                    ran->t.helpers >> k & 1;
         if (last && fabs(got - want) > precision(f, c, want))
            fail_msg("%s, lane %u: stored component %u is %.9g, not %.9g", where, l, c, got, want);
      }
      if (stored)
         memcpy(texel, stored, bytes);
      return;
   }
   uint32_t old = 0;
   const uint32_t data = get(&ran->in[1].c[0][l]);
   if (texel && writes && bytes == 4) {
      memcpy(&old, texel, 4);
      const uint32_t word = what == EXCHANGE ? data : old + data;
      memcpy(texel, &word, 4);
   }
   if (what == REDUCE)
      return;
   if (get(&ran->out[0].c[0][l]) != old)
      fail_msg("%s, lane %u: was 0x%x, not 0x%x", where, l, get(&ran->out[0].c[0][l]), old);
}

static void
check(const char *text, unsigned what)
{
   static struct machine ran;
   static uint8_t memory[MEMORY];
   const struct emul_exec *exec;
   const struct attila_isa_program isa = assembled(text);
   assert_true(isa.uses_storage && isa.uses_images);
   assert_int_equal(isa.writes_storage, what != LOAD);
   for (unsigned n = 0; (exec = emul_exec_get(n)); n++) {
      struct emul_program *p = emul_program_create_for(&isa, exec);
      assert_non_null(p);
      for (unsigned i = 0; i < NUM_FORMATS * ROUNDS; i++) {
         const struct format *f = &formats[i / ROUNDS];
         char where[128];
         snprintf(where, sizeof(where), "%s round %u %s", attila_formats[f->format].name,
                  i % ROUNDS, exec->name);
         start(&ran, p, f, i % ROUNDS);
         memcpy(memory, ran.memory, MEMORY);
         const uint16_t lanes = ran.t.lanes, helpers = ran.t.helpers;
         assert_int_equal(emul_thread_run(&ran.t, NULL, NULL), EMUL_STEP_END);
         for (unsigned l = 0; l < EMUL_LANES; l++) {
            if (lanes >> l & 1)
               lane_is_right(f, what, &ran, memory, l, !(helpers >> l & 1), where);
         }
         if (memcmp(ran.memory, memory, MEMORY))
            fail_msg("%s: something else was written", where);
      }
      emul_program_destroy(p);
   }
   attila_isa_free((struct attila_isa_program *)&isa);
}

static void
loads_convert_texels_of_every_format(void **state)
{
   (void)state;
   check(".fragment\nLDI r0, i0, i0.w\nMOV o0, r0\nEND\n", LOAD);
}

static void
stores_convert_to_every_format(void **state)
{
   (void)state;
   check(".fragment\nSTI i0, i0.w, i1\nMOV o0, i1\nEND\n", STORE);
}

static void
atomic_operations_change_texels_that_are_words(void **state)
{
   (void)state;
   check(".fragment\nATOMI r0, i0, i0.w, i1, ADD\nMOV o0, r0\nEND\n", ADD);
   check(".fragment\nATOMI r0, i0, i0.w, i1, EXCHANGE\nMOV o0, r0\nEND\n", EXCHANGE);
   check(".fragment\n.temps 1\nREDI i0, i0.w, i1, ADD\nMOV o0, r0\nEND\n", REDUCE);
}

static void
sizes_are_those_of_what_is_bound(void **state)
{
   (void)state;
   static struct machine m;
   const struct attila_isa_program isa = assembled(".fragment\nSZI o0, i0.w\nEND\n");
   struct emul_program *p = emul_program_create(&isa);
   static const uint32_t sizes[][4] = {{21, 13, 3, 0}, {37, 1, 1, 0}, {21, 13, 3, 0}, {0}};
   for (unsigned round = 0; round < 4; round++) {
      start(&m, p, &formats[0], round);
      assert_int_equal(emul_thread_run(&m.t, NULL, NULL), EMUL_STEP_END);
      for (unsigned c = 0; c < 4; c++)
         assert_int_equal(get(&m.out[0].c[c][3]), sizes[round][c]);
   }
   emul_program_destroy(p);
   attila_isa_free((struct attila_isa_program *)&isa);
}

static void
text_and_binary_keep_every_part(void **state)
{
   (void)state;
   static const char text[] = ".fragment\n.temps 3\nLDI r0.xy, i0, i0.w\nSTI -r0, r1.x, |i1|\n"
                              "ATOMI r1.x, r0, i0.w, i1, COMPARE_SWAP\nREDI i0, r2.y, r1, UMIN\n"
                              "SZI r2.z, i0.w\nMOV o0, r2\nEND\n";
   const struct attila_isa_program isa = assembled(text);
   struct attila_isa_program again;
   char error[256], *disassembled = attila_isa_disassemble(&isa);
   for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
      char one[80];
      snprintf(one, sizeof(one), "%.*s\n", (int)strcspn(line, "\n"), line);
      assert_non_null(strstr(disassembled, one));
   }
   void *binary = malloc(attila_isa_encoded_size(&isa));
   attila_isa_encode(&isa, binary);
   assert_true(attila_isa_decode(binary, attila_isa_encoded_size(&isa), &again, error, 256));
   assert_memory_equal(again.instrs, isa.instrs, isa.num_instrs * sizeof(*isa.instrs));
   assert_true(again.uses_images && again.writes_storage && again.storage_order);
   free(binary);
   free(disassembled);
   attila_isa_free(&again);
   attila_isa_free((struct attila_isa_program *)&isa);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(loads_convert_texels_of_every_format),
       cmocka_unit_test(stores_convert_to_every_format),
       cmocka_unit_test(atomic_operations_change_texels_that_are_words),
       cmocka_unit_test(sizes_are_those_of_what_is_bound),
       cmocka_unit_test(text_and_binary_keep_every_part),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
