/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Vector arithmetic of the shader emulator, in every copy of the instruction functions: only adds,
 * multiplies, divides, compares and converts, which IEEE 754 defines on every host. The polynomials
 * are minimax fits for this project (Remez exchange), with errors measured by
 * tests/unit/test_shader_math.c and stated in shader-isa.md. */
#ifndef EMUL_SHADER_MATH_H
#define EMUL_SHADER_MATH_H

#include <stdint.h>
#include <string.h>
#include "core/sim_inline.h"

/* Lanes of a vector: the including file's EMUL_WIDTH, a host register. */
typedef float vf __attribute__((vector_size(4 * EMUL_WIDTH)));
typedef int32_t vi __attribute__((vector_size(4 * EMUL_WIDTH)));
typedef uint32_t vu __attribute__((vector_size(4 * EMUL_WIDTH)));
/* The same in memory: registers; structure members aligned as one element. */
typedef float vf_reg __attribute__((vector_size(4 * EMUL_WIDTH), may_alias));
typedef float vf_any __attribute__((vector_size(4 * EMUL_WIDTH), may_alias, aligned(4)));
typedef int32_t vi_any __attribute__((vector_size(4 * EMUL_WIDTH), may_alias, aligned(4)));
/* Half as many lanes, in double. */
typedef float half_f __attribute__((vector_size(2 * EMUL_WIDTH)));
typedef int32_t half_i __attribute__((vector_size(2 * EMUL_WIDTH)));
typedef double half_d __attribute__((vector_size(4 * EMUL_WIDTH)));
typedef int64_t half_l __attribute__((vector_size(4 * EMUL_WIDTH)));

SIM_INLINE vi
v_splati(int32_t x)
{
   return (vi){0} + x;
}

/* Negates as bits, which keeps signalling NaNs. */
SIM_INLINE vf
v_splat(float x)
{
   int32_t bits;
   memcpy(&bits, &x, 4);
   return (vf)v_splati(bits);
}

/* m: all ones or all zeros per lane. */
SIM_INLINE vf
v_select(vi m, vf a, vf b)
{
   return (vf)((m & (vi)a) | (~m & (vi)b));
}

SIM_INLINE vf
v_bool(vi m)
{
   return (vf)(m & (vi)v_splat(1.0f));
}

/* Converts integers, as registers hold them. */
SIM_INLINE vf
v_from_unsigned(vf a)
{
   /* Both halves are exact, so only the sum is rounded. */
   const vi low = (vi)a & v_splati(0xffff), high = (vi)((vu)a >> 16);
   return __builtin_convertvector(high, vf) * v_splat(65536.0f) + __builtin_convertvector(low, vf);
}

/* Rounds towards zero, saturates; NaN gives 0. */
SIM_INLINE vf
v_to_signed(vf a)
{
   const vf limit = v_splat(2147483648.0f);
   const vi inside = (a >= -limit) & (a < limit);
   vi v = __builtin_convertvector((vf)((vi)a & inside), vi);
   v |= (a >= limit) & v_splati(INT32_MAX);
   v |= (a < -limit) & v_splati(INT32_MIN);
   return (vf)v;
}

SIM_INLINE vf
v_to_unsigned(vf a)
{
   const vf half = v_splat(2147483648.0f), limit = v_splat(4294967296.0f);
   const vi upper = (a >= half) & (a < limit), lower = (a > v_splat(0.0f)) & (a < half);
   vi v = __builtin_convertvector((vf)((vi)a & lower), vi);
   v |= __builtin_convertvector((vf)((vi)(a - half) & upper), vi) ^ (upper & v_splati(INT32_MIN));
   return (vf)(v | (a >= limit));
}

SIM_INLINE vf
v_abs(vf a)
{
   return (vf)((vi)a & v_splati(0x7fffffff));
}

SIM_INLINE vf
v_copysign(vf a, vf sign)
{
   return (vf)(((vi)a & v_splati(0x7fffffff)) | ((vi)sign & v_splati(INT32_MIN)));
}

/* Saturates; NaN gives 0. */
SIM_INLINE vf
v_saturate(vf a)
{
   vf one = v_splat(1.0f);
   vf low = v_select(a < one, a, one);
   return (vf)((a > v_splat(0.0f)) & (vi)low);
}

/* Values from 2^23 on are integers already, and NaN stays; integer conversion is exact for the
 * others. */
SIM_INLINE vf
v_trunc(vf a)
{
   vi small = v_abs(a) < v_splat(8388608.0f);
   vf t = __builtin_convertvector(__builtin_convertvector((vf)((vi)a & small), vi), vf);
   return v_select(small, v_copysign(t, a), a);
}

SIM_INLINE vf
v_floor(vf a)
{
   vf t = v_trunc(a);
   return v_select(t > a, t - v_splat(1.0f), t);
}

SIM_INLINE vf
v_ceil(vf a)
{
   vf t = v_trunc(a);
   return v_select(t < a, v_copysign(t + v_splat(1.0f), a), t);
}

/* Adding and subtracting 2^23 rounds to nearest even. */
SIM_INLINE vf
v_round(vf a)
{
   vf magic = v_splat(8388608.0f), b = v_abs(a);
   return v_select(b < magic, v_copysign((b + magic) - magic, a), a);
}

SIM_INLINE vf
v_sqrt(vf a)
{
   vf r;
   for (unsigned i = 0; i < EMUL_WIDTH; i++)
      r[i] = __builtin_sqrtf(a[i]);
   return r;
}

/* 2^a = 2^n * (1 + f * P(f)), n = round(a), f in [-0.5, 0.5]; two scaling steps round denormals
 * once. */
SIM_INLINE vf
v_ex2(vf a)
{
   vf magic = v_splat(12582912.0f);
   a = v_select(a > v_splat(129.0f), v_splat(129.0f), a);
   a = v_select(a < v_splat(-151.0f), v_splat(-151.0f), a);
   vf shifted = a + magic;
   vf f = a - (shifted - magic);
   vu n = (vu)shifted - (vu)magic;
   vf p = v_splat(0.000154759107f);
   p = p * f + v_splat(0.00133996138f);
   p = p * f + v_splat(0.00961800555f);
   p = p * f + v_splat(0.0555033003f);
   p = p * f + v_splat(0.240226513f);
   p = p * f + v_splat(0.693147205f);
   p = p * f + v_splat(1.0f);
   vu half = (vu)((vi)n >> 1);
   vu bias = (vu)v_splati(127);
   return p * (vf)((half + bias) << 23) * (vf)((n - half + bias) << 23);
}

/* a = 2^e * (1 + r), 1 + r in [sqrt(1/2), sqrt(2)): log2 = e + r * log2(e) + r^2 * Q(r), with r *
 * log2(e) split to hide its rounding. */
SIM_INLINE vf
v_lg2(vf a)
{
   vf tiny = v_splat(1.17549435e-38f);
   vi denormal = a < tiny;
   vf y = v_select(denormal, a * v_splat(16777216.0f), a);
   vi origin = v_splati(0x3f3504f3);
   vi e = (vi)((vu)y - (vu)origin) >> 23;
   vf r = (vf)((vu)y - ((vu)e << 23)) - v_splat(1.0f);
   vf q = v_splat(-0.113000693f);
   q = q * r + v_splat(0.187502348f);
   q = q * r + v_splat(-0.190444961f);
   q = q * r + v_splat(0.204350886f);
   q = q * r + v_splat(-0.239666137f);
   q = q * r + v_splat(0.288582f);
   q = q * r + v_splat(-0.36069481f);
   q = q * r + v_splat(0.48089799f);
   q = q * r + v_splat(-0.721347377f);
   e += denormal & v_splati(-24);
   /* log2(e) = 1.4375 + 0.0051950408...; r's upper 12 bits times 1.4375 (5 bits) is exact. */
   vf high = (vf)((vi)r & v_splati(~0xfff));
   vf low = (r - high) * v_splat(1.4375f) + (r * v_splat(0.00519504089f) + (r * r) * q);
   vf result = __builtin_convertvector(e, vf) + (high * v_splat(1.4375f) + low);
   vf inf = v_splat(__builtin_inff()), zero = v_splat(0.0f);
   result = v_select(a < inf, result, a); /* infinity and NaN stay */
   result = v_select(a == zero, -inf, result);
   return v_select(a < zero, v_splat(__builtin_nanf("")), result);
}

/* Returns a - n * pi/2 in double; pi/2 in two parts, the first of 33 bits, so its product with n <
 * 2^20 is exact. */
SIM_INLINE half_f
v_reduce(half_f a, half_i *quadrant)
{
   const double magic = 6755399441055744.0; /* 1.5 * 2^52: the integer lands in the low bits */
   half_d x = __builtin_convertvector(a, half_d);
   half_d k = x * 0.63661977236758134308 + magic;
   *quadrant = __builtin_convertvector((half_l)k, half_i);
   half_d n = k - magic;
   return __builtin_convertvector(
       (x - n * 1.57079632673412561417e+00) - n * 6.07710050650619224932e-11, half_f);
}

/* Returns sin(a + turn * pi/2); 0 for a beyond 2^30, where floats are many periods apart. */
SIM_INLINE vf
v_sincos(vf a, int turn)
{
   vf bounded = (vf)((vi)a & (v_abs(a) <= v_splat(1073741824.0f)));
   union {
      vf v;
      half_f half[2];
   } x = {.v = bounded}, reduced;
   union {
      vi v;
      half_i half[2];
   } q;
   for (unsigned h = 0; h < 2; h++)
      reduced.half[h] = v_reduce(x.half[h], &q.half[h]);
   vf r = reduced.v, z = r * r;
   vi quadrant = q.v + v_splati(turn);
   vf s = v_splat(-0.000195175927f);
   s = s * z + v_splat(0.00833218086f);
   s = s * z + v_splat(-0.16666655f);
   s = s * (z * r) + r;
   vf c = v_splat(2.44385535e-05f);
   c = c * z + v_splat(-0.00138873685f);
   c = c * z + v_splat(0.0416666469f);
   c = (c * (z * z) - v_splat(0.5f) * z) + v_splat(1.0f);
   vf value = v_select((quadrant & v_splati(1)) != 0, c, s);
   value = (vf)((vi)value ^ ((quadrant & v_splati(2)) << 30));
   /* Infinity and NaN give NaN. */
   return v_select(v_abs(a) < v_splat(__builtin_inff()), value, a - a);
}

#endif
