/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Shaders with native integers: every operation of NIR on whole 32-bit numbers against plain C, bit
 * for bit, booleans among them, and integers that index. Random programs are in test_random.c. */
#include "harness.h"
#include "util/half_float.h"

static const uint32_t values[] = {
    0,          1,          2,          3,          5,          31,         32,         100,
    0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffff9, 0x00010001, 0x12345678, 0x3f800000,
};
#define NUM ARRAY_SIZE(values)

/* C(name, in C: of i and k (signed), u and v (unsigned), in NIR: of x and y) */
/* clang-format off */
#define CASES(C)                                                                                 \
   C(add, u + v, nir_iadd(n, x, y))                                                              \
   C(sub, u - v, nir_isub(n, x, y))                                                              \
   C(mul, u * v, nir_imul(n, x, y))                                                              \
   C(umul_high, (uint64_t)u * v >> 32, nir_umul_high(n, x, y))                                   \
   C(imul_high, (int64_t)i * k >> 32, nir_imul_high(n, x, y))                                    \
   C(umul_extended, u * v + 3 * ((uint64_t)u * v >> 32), halves(n, nir_umul_2x32_64(n, x, y)))     \
   C(imul_extended, u * v + 3 * (uint32_t)((int64_t)i * k >> 32),                                \
     halves(n, nir_imul_2x32_64(n, x, y)))                                                       \
   C(idiv, k == 0 || (u == 1u << 31 && k == -1) ? 7 : i / k,                                     \
     guard(n, x, y, nir_idiv(n, x, y)))                                                          \
   C(irem, k == 0 || (u == 1u << 31 && k == -1) ? 7 : i % k,                                     \
     guard(n, x, y, nir_irem(n, x, y)))                                                          \
   C(udiv, v == 0 ? 7 : u / v, zero(n, y, nir_udiv(n, x, y)))                                    \
   C(umod, v == 0 ? 7 : u % v, zero(n, y, nir_umod(n, x, y)))                                    \
   C(and_or_xor, ((u & v) | 0x10) ^ (v >> 3),                                                    \
     nir_ixor(n, nir_ior_imm(n, nir_iand(n, x, y), 0x10), nir_ushr_imm(n, y, 3)))                \
   C(not, ~u, nir_inot(n, x))                                                                    \
   C(neg, 0 - u, nir_ineg(n, x))                                                                 \
   C(abs, i < 0 ? 0 - u : u, nir_iabs(n, x))                                                     \
   C(sign, (i > 0) - (i < 0), nir_isign(n, x))                                                   \
   C(shl, u << (v & 31), nir_ishl(n, x, y))                                                      \
   C(ishr, i >> (v & 31), nir_ishr(n, x, y))                                                     \
   C(ushr, u >> (v & 31), nir_ushr(n, x, y))                                                     \
   C(imin, i < k ? i : k, nir_imin(n, x, y))                                                     \
   C(imax, i > k ? i : k, nir_imax(n, x, y))                                                     \
   C(umin, u < v ? u : v, nir_umin(n, x, y))                                                     \
   C(umax, u > v ? u : v, nir_umax(n, x, y))                                                     \
   C(ilt, i < k, nir_b2i32(n, nir_ilt(n, x, y)))                                                 \
   C(ige, i >= k, nir_b2i32(n, nir_ige(n, x, y)))                                                \
   C(ult, u < v, nir_b2i32(n, nir_ult(n, x, y)))                                                 \
   C(uge, u >= v, nir_b2i32(n, nir_uge(n, x, y)))                                                \
   C(ieq, u == v, nir_b2i32(n, nir_ieq(n, x, y)))                                                \
   C(ine, u != v, nir_b2i32(n, nir_ine(n, x, y)))                                                \
   C(booleans, (i < k && u > v) || (u == v) != (i > 3) || !(u != 5),                             \
     nir_b2i32(n, nir_ior(n, nir_ior(n, nir_iand(n, nir_ilt(n, x, y), nir_ult(n, y, x)),         \
                                     nir_ixor(n, nir_ieq(n, x, y), nir_ilt(n, num(n, 3), x))),   \
                          nir_inot(n, nir_ine(n, x, num(n, 5))))))                               \
   C(equal_booleans, (i < k) == (u < v), nir_b2i32(n, nir_ieq(n, nir_ilt(n, x, y),               \
                                                              nir_ult(n, x, y))))                \
   C(select, i < k ? u : 9, nir_bcsel(n, nir_ilt(n, x, y), x, num(n, 9)))                        \
   C(select_positive, i > 0 ? v : 9, nir_bcsel(n, nir_ilt(n, num(n, 0), x), y, num(n, 9)))       \
   C(select_negative, i < 0 ? v : 9, nir_bcsel(n, nir_ilt(n, x, num(n, 0)), y, num(n, 9)))       \
   C(i2f, bits_of((float)i), nir_i2f32(n, x))                                                    \
   C(u2f, bits_of((float)u), nir_u2f32(n, x))                                                    \
   C(f2i, (uint32_t)(int32_t)((i >> 8) / 4.0f), nir_f2i32(n, quarter(n, nir_ishr_imm(n, x, 8)))) \
   C(f2u, (uint32_t)((u >> 8) / 4.0f), nir_f2u32(n, quarter(n, nir_ushr_imm(n, x, 8))))          \
   C(b2f, bits_of(i < k ? 1.0f : 0.0f), nir_b2f32(n, nir_ilt(n, x, y)))                          \
   C(bit_count, __builtin_popcount(u), nir_bit_count(n, x))                                      \
   C(find_lsb, u ? __builtin_ctz(u) : -1, nir_find_lsb(n, x))                                    \
   C(ufind_msb, u ? 31 - __builtin_clz(u) : -1, nir_ufind_msb(n, x))                             \
   C(ifind_msb, (i ^ i >> 31) ? 31 - __builtin_clz((uint32_t)(i ^ i >> 31)) : -1,                \
     nir_ifind_msb(n, x))                                                                        \
   C(bitfield_reverse, reversed(u), nir_bitfield_reverse(n, x))                                  \
   C(ubitfield_extract, u >> 5 & 0x7ff, nir_ubitfield_extract(n, x, num(n, 5), num(n, 11)))      \
   C(ibitfield_extract, (int32_t)((uint32_t)i << 16) >> 21,                                      \
     nir_ibitfield_extract(n, x, num(n, 5), num(n, 11)))                                         \
   C(bitfield_insert, (u & ~0xffe0u) | (v << 5 & 0xffe0),                                        \
     nir_bitfield_insert(n, x, y, num(n, 5), num(n, 11)))                                        \
   C(bits_survive, u & 0x3ff, nir_bcsel(n, nir_ine(n, x, y), nir_iand_imm(n, x, 0x3ff),          \
                                        nir_iand_imm(n, y, 0x3ff)))
/* clang-format on */

static uint32_t
bits_of(float f)
{
   uint32_t bits;
   memcpy(&bits, &f, sizeof(bits));
   return bits;
}

static uint32_t
reversed(uint32_t u)
{
   uint32_t r = 0;
   for (unsigned i = 0; i < 32; i++)
      r |= (u >> i & 1) << (31 - i);
   return r;
}

static nir_def *
num(nir_builder *n, uint32_t value)
{
   return nir_imm_ivec4(n, value, value, value, value);
}

static nir_def *
quarter(nir_builder *n, nir_def *x)
{
   return nir_fmul_imm(n, nir_i2f32(n, x), 0.25);
}

/* Returns the low half of each 64-bit number plus three times the high half. */
static nir_def *
halves(nir_builder *n, nir_def *numbers)
{
   return nir_iadd(n, nir_unpack_64_2x32_split_x(n, numbers),
                   nir_imul_imm(n, nir_unpack_64_2x32_split_y(n, numbers), 3));
}

/* Returns 7 where the divisor is 0, and where the quotient does not fit into 32 bits. */
static nir_def *
zero(nir_builder *n, nir_def *divisor, nir_def *value)
{
   return nir_bcsel(n, nir_ieq(n, divisor, num(n, 0)), num(n, 7), value);
}

static nir_def *
guard(nir_builder *n, nir_def *x, nir_def *y, nir_def *value)
{
   nir_def *least = nir_ieq(n, x, num(n, 0x80000000)), *minus = nir_ieq(n, y, num(n, ~0u));
   return zero(n, y, nir_bcsel(n, nir_iand(n, least, minus), num(n, 7), value));
}

#define C(name, in_c, in_nir)                                                  \
   static uint32_t expect_##name(int32_t i, int32_t k, uint32_t u, uint32_t v) \
   {                                                                           \
      (void)i, (void)k, (void)u, (void)v;                                      \
      return (uint32_t)(in_c);                                                 \
   }                                                                           \
   static nir_def *build_##name(nir_builder *n, nir_def *x, nir_def *y)        \
   {                                                                           \
      (void)y;                                                                 \
      return in_nir;                                                           \
   }
CASES(C)
#undef C

static const struct {
   const char *name;
   uint32_t (*expect)(int32_t i, int32_t k, uint32_t u, uint32_t v);
   nir_def *(*build)(nir_builder *n, nir_def *x, nir_def *y);
} cases[] = {
#define C(name, in_c, in_nir) {#name, expect_##name, build_##name},
    CASES(C)
#undef C
};

static void
put(struct emul_vec4 *reg, unsigned c, unsigned lane, uint32_t bits)
{
   memcpy(&reg->c[c][lane], &bits, sizeof(bits));
}

static void
check_case(unsigned c, gl_shader_stage stage, uint32_t debug)
{
   struct shader_test *t = test_begin_with(stage, true);
   nir_builder *n = &t->b;
   nir_def *x = test_input(t, 0), *y = test_input(t, 1);
   /* Read both inputs, whatever the case needs. */
   test_output(t, 1, nir_ixor(n, x, y));
   test_output(t, 0, cases[c].build(n, x, y));
   test_must_compile(t, debug);
   for (unsigned first = 0; first < NUM * NUM; first += 4 * EMUL_LANES) {
      for (unsigned i = 0; i < 4 * EMUL_LANES; i++) {
         put(test_input_reg(t, 0), i % 4, i / 4, values[(first + i) % NUM]);
         put(test_input_reg(t, 1), i % 4, i / 4, values[(first + i) / NUM]);
      }
      assert_true(test_run(t));
      for (unsigned i = 0; i < 4 * EMUL_LANES; i++) {
         const uint32_t u = values[(first + i) % NUM], v = values[(first + i) / NUM],
                        want = cases[c].expect((int32_t)u, (int32_t)v, u, v),
                        got = bits_of(test_output_reg(t, 0)->c[i % 4][i / 4]);
         if (got != want)
            fail_msg("%s(0x%x, 0x%x) is 0x%x, not 0x%x", cases[c].name, u, v, got, want);
      }
   }
   test_end(t);
}

static void
operations_are_those_of_c(void **state)
{
   for (unsigned c = 0; c < ARRAY_SIZE(cases); c++) {
      check_case(c, MESA_SHADER_FRAGMENT, 0);
      check_case(c, MESA_SHADER_VERTEX, ATTILA_DEBUG_NOOPT);
   }
}

static void
vectors_are_equal_as_integers(void **state)
{
   struct shader_test *t = test_begin_with(MESA_SHADER_FRAGMENT, true);
   nir_builder *b = &t->b;
   nir_def *x = test_input(t, 0), *y = test_input(t, 1);
   test_output(
       t, 0,
       nir_b2i32(b,
                 nir_vec4(b, nir_ball_iequal4(b, x, y),
                          nir_ball_iequal2(b, nir_trim_vector(b, x, 2), nir_trim_vector(b, y, 2)),
                          nir_bany_inequal3(b, nir_trim_vector(b, x, 3), nir_trim_vector(b, y, 3)),
                          nir_bany_inequal4(b, x, y))));
   test_must_compile(t, 0);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      for (unsigned c = 0; c < 4; c++) {
         /* As floats they are all NaN, or 0 and -0. */
         put(test_input_reg(t, 0), c, l, c == 3 ? 0 : 0x7fc00000 + c);
         put(test_input_reg(t, 1), c, l,
             (c == 3 ? 0 : 0x7fc00000 + c) ^ (l >> c & 1 ? 0x80000000 : 0));
      }
   }
   assert_true(test_run(t));
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      const uint32_t want[4] = {l == 0, (l & 3) == 0, (l & 7) != 0, l != 0};
      for (unsigned c = 0; c < 4; c++)
         assert_int_equal(bits_of(test_output_reg(t, 0)->c[c][l]), want[c]);
   }
   test_end(t);
}

/* A loop that counts in integers and indexes constants and a local array with them. */
static void
integers_count_and_index(void **state)
{
   struct shader_test *t = test_begin_with(MESA_SHADER_VERTEX, true);
   nir_builder *b = &t->b;
   nir_variable *array = nir_local_variable_create(b->impl, glsl_array_type(glsl_int_type(), 4, 0),
                                                   "array"),
                *count = nir_local_variable_create(b->impl, glsl_int_type(), "count"),
                *sum = nir_local_variable_create(b->impl, glsl_int_type(), "sum");
   nir_def *limit = nir_channel(b, test_input(t, 0), 0);
   for (unsigned i = 0; i < 4; i++)
      nir_store_array_var_imm(b, array, i, nir_imm_int(b, 1 << (8 * i)), 1);
   nir_store_var(b, count, nir_imm_int(b, 0), 1);
   nir_store_var(b, sum, nir_imm_int(b, 0), 1);
   nir_push_loop(b);
   {
      nir_def *i = nir_load_var(b, count);
      nir_push_if(b, nir_ige(b, i, limit));
      nir_jump(b, nir_jump_break);
      nir_pop_if(b, NULL);
      nir_def *element = nir_load_array_var(b, array, nir_iand_imm(b, i, 3));
      nir_store_var(b, sum, nir_iadd(b, nir_load_var(b, sum), element), 1);
      nir_store_var(b, count, nir_iadd_imm(b, i, 1), 1);
   }
   nir_pop_loop(b, NULL);
   nir_def *uniform = test_uniform_indirect(t, 8, 16, nir_load_var(b, count));
   test_output(t, 0, nir_vec2(b, nir_load_var(b, sum), nir_channel(b, uniform, 1)));
   test_must_compile(t, 0);
   for (unsigned l = 0; l < EMUL_LANES; l++)
      put(test_input_reg(t, 0), 0, l, l);
   assert_true(test_run(t));
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      uint32_t want = 0;
      for (unsigned i = 0; i < l; i++)
         want += 1u << (8 * (i & 3));
      assert_int_equal(bits_of(test_output_reg(t, 0)->c[0][l]), want);
      assert_float_equal(test_output_reg(t, 0)->c[1][l], t->consts[8 + l][1], 0);
   }
   test_end(t);
}

/* The numbers of vertex and instance are in an input of their own, even with the largest number of
 * attributes. */
static void
vertices_and_instances_are_integers(void **state)
{
   struct shader_test *t = test_begin_with(MESA_SHADER_VERTEX, true);
   nir_builder *b = &t->b;
   nir_def *sum = nir_channel(b, test_input(t, ATTILA_MAX_ATTRIBS - 1), 0);
   sum = nir_iadd(b, sum, nir_imul_imm(b, nir_load_vertex_id(b), 3));
   sum = nir_iadd(b, sum, nir_imul_imm(b, nir_load_instance_id(b), 5));
   test_output(t, 0, nir_iadd(b, sum, nir_imul_imm(b, nir_load_base_vertex(b), 7)));
   test_must_compile(t, 0);
   assert_int_equal(t->out.vs_instance_input, ATTILA_NO_INPUT);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      put(&t->inputs[ATTILA_MAX_ATTRIBS - 1], 0, l, 1000000);
      put(&t->inputs[ATTILA_VS_INPUT_IDS], 0, l, 0x10000001 + l);
      put(&t->inputs[ATTILA_VS_INPUT_IDS], 1, l, 1000 - l);
      put(&t->inputs[ATTILA_VS_INPUT_IDS], 2, l, -9);
   }
   assert_true(test_run(t));
   for (unsigned l = 0; l < EMUL_LANES; l++)
      assert_int_equal(bits_of(test_output_reg(t, 0)->c[0][l]),
                       1000000 + 3 * (0x10000001 + l) + 5 * (1000 - l) - 63);
   test_end(t);
}

/* Half floats: all of them to floats and back, and floats that round. */
static void
halves_pack_and_unpack(void **state)
{
   static const struct {
      uint32_t from, half;
   } rounds[] = {{0x3f801000, 0x3c00}, {0x3f801001, 0x3c01}, {0x3f803000, 0x3c02},
                 {0x477fefff, 0x7bff}, {0x477ff000, 0x7c00}, {0x7f7fffff, 0x7c00},
                 {0x7f800000, 0x7c00}, {0xff800000, 0xfc00}, {0x7fc00001, 0x7e00},
                 {0x33000000, 0x0000}, {0x33000001, 0x0001}, {0x33c00000, 0x0002},
                 {0x387fffff, 0x0400}, {0x80000001, 0x8000}, {0xb8800000, 0x8400}};
   struct shader_test *t = test_begin_with(MESA_SHADER_FRAGMENT, true);
   nir_builder *b = &t->b;
   nir_def *x = test_input(t, 0), *halves = nir_unpack_half_2x16(b, nir_channel(b, x, 0));
   test_output(t, 0,
               nir_vec4(b, nir_channel(b, halves, 0), nir_channel(b, halves, 1),
                        nir_pack_half_2x16(b, halves),
                        nir_pack_half_2x16(b, nir_channels(b, x, 0x6))));
   test_must_compile(t, 0);
   for (unsigned h = 0; h < 0x10000; h += EMUL_LANES) {
      for (unsigned l = 0; l < EMUL_LANES; l++) {
         put(test_input_reg(t, 0), 0, l, (h + l) | (0xffff - h - l) << 16);
         put(test_input_reg(t, 0), 1, l, rounds[l % ARRAY_SIZE(rounds)].from);
         put(test_input_reg(t, 0), 2, l, rounds[(l + 1) % ARRAY_SIZE(rounds)].from);
      }
      assert_true(test_run(t));
      for (unsigned l = 0; l < EMUL_LANES; l++) {
         const struct emul_vec4 *got = test_output_reg(t, 0);
         const uint16_t half[2] = {h + l, 0xffff - h - l};
         for (unsigned i = 0; i < 2; i++) {
            const uint32_t bits = bits_of(got->c[i][l]), back = bits_of(got->c[2][l]) >> 16 * i;
            const bool nan = (half[i] & 0x7fff) > 0x7c00;
            if (nan) {
               assert_true((bits & 0x7fffffff) > 0x7f800000);
               assert_int_equal(back & 0x7fff, 0x7e00);
               continue;
            }
            assert_int_equal(bits, bits_of(_mesa_half_to_float(half[i])));
            assert_int_equal(back & 0xffff, half[i]);
         }
         assert_int_equal(bits_of(got->c[3][l]),
                          rounds[l % ARRAY_SIZE(rounds)].half |
                              (uint32_t)rounds[(l + 1) % ARRAY_SIZE(rounds)].half << 16);
      }
   }
   test_end(t);
}

/* A shader that computes with floats only is the same program with and without integers. */
static void
floats_alone_need_no_integers(void **state)
{
   char *text[2];
   for (unsigned integers = 0; integers < 2; integers++) {
      struct shader_test *t = test_begin_with(MESA_SHADER_FRAGMENT, integers);
      nir_builder *b = &t->b;
      nir_def *x = test_input(t, 0), *y = test_input(t, 1);
      nir_def *both = nir_iand(b, nir_flt(b, nir_channel(b, x, 0), nir_channel(b, y, 1)),
                               nir_flt(b, nir_channel(b, y, 2), nir_channel(b, x, 3)));
      test_output(t, 0, nir_bcsel(b, both, nir_fmul(b, x, y), nir_fadd(b, x, y)));
      test_must_compile(t, 0);
      text[integers] = attila_isa_disassemble(&t->out.isa);
      test_end(t);
   }
   assert_string_equal(text[0], text[1]);
   free(text[0]);
   free(text[1]);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(operations_are_those_of_c),
       cmocka_unit_test(vectors_are_equal_as_integers),
       cmocka_unit_test(integers_count_and_index),
       cmocka_unit_test(vertices_and_instances_are_integers),
       cmocka_unit_test(halves_pack_and_unpack),
       cmocka_unit_test(floats_alone_need_no_integers),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
