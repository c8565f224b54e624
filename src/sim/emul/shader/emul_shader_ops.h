/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The instruction functions. Each emul_shader_*.c includes it with EMUL_EXEC_NAME (the table's
 * symbol), EMUL_EXEC_TEXT and EMUL_WIDTH (lanes of a register) for its vector instruction set.
 * Groups run in chunks of EMUL_WIDTH lanes, as far as lanes exist; quads never cross chunks. Each
 * function exists as _plain and _general (emul_shader_program.h). */
#include "emul/shader/emul_shader_math.h"
#include "emul/shader/emul_shader_program.h"

struct operand {
   const float *base;
   const struct emul_src *s;
};

SIM_INLINE struct operand
prepare(const struct emul_thread *t, const struct emul_src *s)
{
   struct operand o = {.s = s};
   switch (s->file) {
   case ATTILA_FILE_TEMP:
      o.base = &t->temps[s->index].c[0][0];
      break;
   case ATTILA_FILE_INPUT:
      o.base = &t->inputs[s->index].c[0][0];
      break;
   case ATTILA_FILE_CONST:
      o.base = t->consts[s->index];
      break;
   default:
      o.base = t->program->isa.literals[s->index];
      break;
   }
   return o;
}

static inline uint16_t
clamp_index(int64_t index, uint16_t min, uint16_t max)
{
   return (uint16_t)(index < min ? min : index > max ? max : index);
}

static vf
gather(const struct emul_thread *t, const struct emul_src *s, unsigned c, unsigned first)
{
   vf v;
   unsigned offset = s->offset[c];
   for (unsigned i = 0; i < EMUL_WIDTH; i++) {
      unsigned l = first + i;
      uint16_t r =
          clamp_index((int64_t)s->index + t->address[s->rel_comp][l], s->min_index, s->max_index);
      switch (s->file) {
      case ATTILA_FILE_TEMP:
         v[i] = (&t->temps[r].c[0][0])[offset + l];
         break;
      case ATTILA_FILE_INPUT:
         v[i] = (&t->inputs[r].c[0][0])[offset + l];
         break;
      case ATTILA_FILE_CONST:
         v[i] = t->consts[r][offset];
         break;
      default:
         v[i] = t->program->isa.literals[r][offset];
         break;
      }
   }
   return v;
}

/* Where the lanes of a plain operand's component c are. */
struct lanes_of {
   const float *p;
   bool broadcast;
};

SIM_INLINE struct lanes_of
plain_component(struct operand o, unsigned c)
{
   return (struct lanes_of){o.base + o.s->offset[c], o.s->broadcast};
}

SIM_INLINE vf
plain_fetch(struct lanes_of l, unsigned first)
{
   return l.broadcast ? v_splat(*l.p) : (vf) * (const vf_reg *)(l.p + first);
}

/* Returns component c (after swizzle) of the lanes from first on. */
SIM_INLINE vf
fetch(const struct emul_thread *t, struct operand o, unsigned c, unsigned first, bool general)
{
   vf v = general && o.s->relative ? gather(t, o.s, c, first)
                                   : plain_fetch(plain_component(o, c), first);
   if (general)
      v = (vf)(((vi)v & v_splati((int32_t)o.s->keep)) ^ v_splati((int32_t)o.s->flip));
   return v;
}

/* Expands a chunk's part of a lane mask to a vector mask. */
SIM_INLINE vi
lane_mask(unsigned lanes, unsigned first)
{
#if EMUL_WIDTH == 16
   const vi bit = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
#elif EMUL_WIDTH == 8
   const vi bit = {1, 2, 4, 8, 16, 32, 64, 128};
#else
   const vi bit = {1, 2, 4, 8};
#endif
   return (v_splati((int32_t)(lanes >> first)) & bit) != 0;
}

/* Returns lanes whose mask is set, at their place in the group. */
SIM_INLINE unsigned
mask_lanes(vi m, unsigned first)
{
#if EMUL_WIDTH == 16
   typedef char bytes __attribute__((vector_size(16)));
   unsigned lanes = (uint16_t)__builtin_ia32_pmovmskb128(__builtin_convertvector(m, bytes));
#elif EMUL_WIDTH == 8
   unsigned lanes = (unsigned)__builtin_ia32_movmskps256((vf)m);
#elif defined(__SSE__)
   unsigned lanes = (unsigned)__builtin_ia32_movmskps((vf)m);
#else
   unsigned lanes = 0;
   for (unsigned i = 0; i < EMUL_WIDTH; i++)
      lanes |= (unsigned)(m[i] & 1) << i;
#endif
   return lanes << first;
}

/* A result's place. Lanes that do not exist may be written, so every group without divergence is
 * full. */
struct result {
   struct emul_vec4 *reg;
   uint16_t exec;
   bool full;
};

SIM_INLINE struct result
result_begin(const struct emul_thread *t, const struct emul_instr *in)
{
   return (struct result){(in->dst_file == ATTILA_FILE_TEMP ? t->temps : t->outputs) +
                              in->dst_index,
                          t->exec, t->exec == t->lanes};
}

SIM_INLINE void
result_store(struct result r, unsigned c, unsigned first, vf v)
{
   vf_reg *p = (vf_reg *)(r.reg->c[c] + first);
   if (__builtin_expect(!r.full, 0))
      v = v_select(lane_mask(r.exec, first), v, *p);
   *p = v;
}

static void
scatter(struct emul_thread *t, const struct emul_instr *in, const vf v[4], unsigned first)
{
   struct emul_vec4 *file = in->dst_file == ATTILA_FILE_TEMP ? t->temps : t->outputs;
   for (unsigned i = 0; i < EMUL_WIDTH; i++) {
      unsigned l = first + i;
      if (!(t->exec >> l & 1))
         continue;
      uint16_t r = clamp_index((int64_t)in->dst_index + t->address[in->dst_rel_comp][l], 0,
                               in->dst_max_index);
      for (unsigned c = 0; c < 4; c++) {
         if (in->write_mask >> c & 1)
            file[r].c[c][l] = v[c][i];
      }
   }
}

/* Commits a result after all components were computed. */
static void
result_commit(struct emul_thread *t, const struct emul_instr *in, vf v[4], unsigned first)
{
   for (unsigned c = 0; in->saturate && c < 4; c++)
      v[c] = v_saturate(v[c]);
   if (in->dst_relative) {
      scatter(t, in, v, first);
      return;
   }
   const struct result r = result_begin(t, in);
   for (unsigned c = 0; c < 4; c++) {
      if (in->write_mask >> c & 1)
         result_store(r, c, first, v[c]);
   }
}

#define EACH_CHUNK(t)                                                                 \
   for (unsigned first = 0, last_ = (t)->lanes; first < EMUL_LANES && last_ >> first; \
        first += EMUL_WIDTH)

/* Defines name_plain and name_general with this body. */
#define OP(name)                                                                                   \
   SIM_INLINE void name##_lanes(struct emul_thread *t, const struct emul_instr *in, bool general); \
   static enum emul_step name##_plain(struct emul_thread *t, const struct emul_instr *in)          \
   {                                                                                               \
      name##_lanes(t, in, false);                                                                  \
      return EMUL_STEP_NEXT;                                                                       \
   }                                                                                               \
   static enum emul_step name##_general(struct emul_thread *t, const struct emul_instr *in)        \
   {                                                                                               \
      name##_lanes(t, in, true);                                                                   \
      return EMUL_STEP_NEXT;                                                                       \
   }                                                                                               \
   SIM_INLINE void name##_lanes(struct emul_thread *t, const struct emul_instr *in,                \
                                const bool general)

/* In a chunk: sets every written component c to an expression. Plain functions store each at once,
 * general ones after the last is computed. */
#define EACH(expr)                                 \
   if (general) {                                  \
      vf v[4] = {{0}};                             \
      for (unsigned c = 0; c < 4; c++) {           \
         if (in->write_mask >> c & 1)              \
            v[c] = (expr);                         \
      }                                            \
      result_commit(t, in, v, first);              \
   } else {                                        \
      const struct result r = result_begin(t, in); \
      for (unsigned c = 0; c < 4; c++) {           \
         if (in->write_mask >> c & 1)              \
            result_store(r, c, first, (expr));     \
      }                                            \
   }

#define S(i) const struct operand s##i = prepare(t, &in->src[i])
#define G(i, c) fetch(t, s##i, c, first, general)
#define P(i, c) const struct lanes_of p##i = plain_component(s##i, c)
#define L(i) plain_fetch(p##i, first)

/* By component, of operands a, b, d; plain functions compute once what a component's chunks
 * share. */
#define MAP(name, operands, parts, general_values, plain_values, expr) \
   OP(name)                                                            \
   {                                                                   \
      operands;                                                        \
      if (general) {                                                   \
         EACH_CHUNK(t)                                                 \
         {                                                             \
            EACH(({                                                    \
               general_values;                                         \
               (expr);                                                 \
            }))                                                        \
         }                                                             \
         return;                                                       \
      }                                                                \
      const struct result r = result_begin(t, in);                     \
      for (unsigned mask = in->write_mask; mask; mask &= mask - 1) {   \
         const unsigned c = (unsigned)__builtin_ctz(mask);             \
         parts;                                                        \
         EACH_CHUNK(t)                                                 \
         {                                                             \
            plain_values;                                              \
            result_store(r, c, first, (expr));                         \
         }                                                             \
      }                                                                \
   }
#define MAP1(name, expr) MAP(name, S(0), P(0, c), vf a = G(0, c), vf a = L(0), expr)
/* clang-format off */
#define MAP2(name, expr)                                                                      \
   MAP(name, S(0); S(1), P(0, c); P(1, c), vf a = G(0, c); vf b = G(1, c),                    \
       vf a = L(0); vf b = L(1), expr)
#define MAP3(name, expr)                                                                      \
   MAP(name, S(0); S(1); S(2), P(0, c); P(1, c); P(2, c),                                     \
       vf a = G(0, c); vf b = G(1, c); vf d = G(2, c),                                        \
       vf a = L(0); vf b = L(1); vf d = L(2), expr)
/* clang-format on */
/* Writes one value to all components. */
#define DOT(name, expr)       \
   OP(name)                   \
   {                          \
      S(0);                   \
      S(1);                   \
      EACH_CHUNK(t)           \
      {                       \
         const vf x = (expr); \
         EACH(x);             \
      }                       \
   }
#define SCALAR(name, expr)     \
   OP(name)                    \
   {                           \
      S(0);                    \
      EACH_CHUNK(t)            \
      {                        \
         const vf a = G(0, 0); \
         const vf x = (expr);  \
         EACH(x);              \
      }                        \
   }

#define ONE v_splat(1.0f)
#define ZERO v_splat(0.0f)

MAP1(MOV, a)
MAP2(ADD, a + b)
MAP2(MUL, a *b)
MAP3(MAD, a *b + d)
#define DP2_SUM (G(0, 0) * G(1, 0) + G(0, 1) * G(1, 1))
#define DP3_SUM (DP2_SUM + G(0, 2) * G(1, 2))
DOT(DP2, DP2_SUM)
DOT(DP3, DP3_SUM)
DOT(DP4, DP3_SUM + G(0, 3) * G(1, 3))
DOT(DPH, DP3_SUM + G(1, 3))
MAP2(MIN, v_select((a < b) | (b != b), a, b))
MAP2(MAX, v_select((a > b) | (b != b), a, b))
MAP2(SLT, v_bool(a < b))
MAP2(SGE, v_bool(a >= b))
MAP2(SEQ, v_bool(a == b))
MAP2(SNE, v_bool(a != b))
MAP2(SGT, v_bool(a > b))
MAP2(SLE, v_bool(a <= b))
MAP3(CMP, v_select(a < ZERO, b, d))
MAP3(CND, v_select(a != ZERO, b, d))
MAP3(LRP, a *b + (ONE - a) * d)
MAP1(FRC, a - v_floor(a))
MAP1(FLR, v_floor(a))
MAP1(CEIL, v_ceil(a))
MAP1(TRUNC, v_trunc(a))
MAP1(ROUND, v_round(a))
MAP1(SSG, v_bool(a > ZERO) - v_bool(a < ZERO))

#define VI(x) ((vi)(x))
#define VU(x) ((vu)(x))
#define SHIFT (VU(b) & VU(v_splati(31)))
MAP2(IADD, (vf)(VU(a) + VU(b)))
MAP2(ISUB, (vf)(VU(a) - VU(b)))
MAP2(IMUL, (vf)(VU(a) * VU(b)))
MAP2(AND, (vf)(VI(a) & VI(b)))
MAP2(OR, (vf)(VI(a) | VI(b)))
MAP2(XOR, (vf)(VI(a) ^ VI(b)))
MAP2(SHL, (vf)(VU(a) << SHIFT))
MAP2(ISHR, (vf)(VI(a) >> (vi)SHIFT))
MAP2(USHR, (vf)(VU(a) >> SHIFT))
MAP2(IMIN, v_select(VI(a) < VI(b), a, b))
MAP2(IMAX, v_select(VI(a) > VI(b), a, b))
MAP2(UMIN, v_select((vi)(VU(a) < VU(b)), a, b))
MAP2(UMAX, v_select((vi)(VU(a) > VU(b)), a, b))
MAP2(IEQ, v_bool(VI(a) == VI(b)))
MAP2(INE, v_bool(VI(a) != VI(b)))
MAP2(ILT, v_bool(VI(a) < VI(b)))
MAP2(IGE, v_bool(VI(a) >= VI(b)))
MAP2(ULT, v_bool((vi)(VU(a) < VU(b))))
MAP2(UGE, v_bool((vi)(VU(a) >= VU(b))))
MAP1(I2F, __builtin_convertvector(VI(a), vf))
MAP1(U2F, v_from_unsigned(a))
MAP1(F2I, v_to_signed(a))
MAP1(F2U, v_to_unsigned(a))

SCALAR(RCP, ONE / a)
SCALAR(RSQ, ONE / v_sqrt(v_abs(a)))
SCALAR(SQRT, v_sqrt(a))
SCALAR(EX2, v_ex2(a))
SCALAR(LG2, v_lg2(a))
SCALAR(SIN, v_sincos(a, 0))
SCALAR(COS, v_sincos(a, 1))
/* As LIT: exponent 0 gives 1 for any base. */
DOT(POW, v_select(G(1, 0) == ZERO, ONE, v_ex2(G(1, 0) * v_lg2(G(0, 0)))))

/* A different expression per component: all values first, then stores. */
#define FOUR(x, y, z, w) \
   vf value[4];          \
   value[0] = (x);       \
   value[1] = (y);       \
   value[2] = (z);       \
   value[3] = (w);       \
   EACH(value[c])

OP(DST)
{
   S(0);
   S(1);
   EACH_CHUNK(t)
   {
      FOUR(ONE, G(0, 1) * G(1, 1), G(0, 2), G(1, 3));
   }
}

OP(XPD)
{
   S(0);
   S(1);
   EACH_CHUNK(t)
   {
      FOUR(G(0, 1) * G(1, 2) - G(0, 2) * G(1, 1), G(0, 2) * G(1, 0) - G(0, 0) * G(1, 2),
           G(0, 0) * G(1, 1) - G(0, 1) * G(1, 0), ZERO);
   }
}

/* Diffuse max(x, 0), specular max(y, 0) ^ clamp(w) when x > 0; any base to the power 0 gives 1. */
OP(LIT)
{
   S(0);
   EACH_CHUNK(t)
   {
      const vf a = G(0, 0), b = G(0, 1), w = G(0, 3);
      const vf limit = v_splat(127.99609375f);
      vf base = v_select(b > ZERO, b, ZERO);
      vf power = v_select(w > limit, limit, w);
      power = v_select(power < -limit, -limit, power);
      vf specular = v_select(power == ZERO, ONE, v_ex2(power * v_lg2(base)));
      FOUR(ONE, v_select(a > ZERO, a, ZERO), v_select(a > ZERO, specular, ZERO), ONE);
   }
}

OP(EXP)
{
   S(0);
   EACH_CHUNK(t)
   {
      const vf a = G(0, 0), floor = v_floor(a);
      FOUR(v_ex2(floor), a - floor, v_ex2(a), ONE);
   }
}

/* floor(log2) and the fraction both come from the number's bits, so they agree. */
OP(LOG)
{
   S(0);
   EACH_CHUNK(t)
   {
      const vf a = v_abs(G(0, 0));
      vi denormal = a < v_splat(1.17549435e-38f);
      vf y = v_select(denormal, a * v_splat(16777216.0f), a);
      vi e = ((vi)y >> 23) - v_splati(127) + (denormal & v_splati(-24));
      vf fraction = (vf)(((vi)y & v_splati(0x7fffff)) | v_splati(0x3f800000));
      const vf log = v_lg2(a);
      vi finite = (a > ZERO) & (a < v_splat(__builtin_inff()));
      vi number = a == a;
      FOUR(v_select(finite, __builtin_convertvector(e, vf), log),
           v_select(finite, fraction, v_select(number, ONE, a)), log, ONE);
   }
}

OP(ARL)
{
   S(0);
   EACH_CHUNK(t)
   {
      vi mask = lane_mask(t->exec, first);
      vi v[4];
      for (unsigned c = 0; c < 4; c++)
         v[c] = (vi)v_to_signed(v_floor(G(0, c)));
      for (unsigned c = 0; c < 4; c++) {
         vi_any *p = (vi_any *)(t->address[c] + first);
         if (in->write_mask >> c & 1)
            *p = (mask & v[c]) | (~mask & *p);
      }
   }
}

/* Takes lane i of every quad. */
#if EMUL_WIDTH == 16
#define QUAD_LANE(v, i)                                                                       \
   __builtin_shufflevector(v, v, i, i, i, i, 4 + i, 4 + i, 4 + i, 4 + i, 8 + i, 8 + i, 8 + i, \
                           8 + i, 12 + i, 12 + i, 12 + i, 12 + i)
#elif EMUL_WIDTH == 8
#define QUAD_LANE(v, i) __builtin_shufflevector(v, v, i, i, i, i, 4 + i, 4 + i, 4 + i, 4 + i)
#else
#define QUAD_LANE(v, i) __builtin_shufflevector(v, v, i, i, i, i)
#endif
/* The same differences as of implicit LOD, so TXD with these gives the same samples. */
MAP1(DDX, QUAD_LANE(a, 3) - QUAD_LANE(a, 2))
MAP1(DDY, QUAD_LANE(a, 2) - QUAD_LANE(a, 0))

SIM_INLINE void
texture_chunk(struct emul_thread *t, const struct emul_instr *in, struct operand s0, unsigned first,
              const bool general)
{
   struct emul_tex_request *q = &t->tex;
   if (in->op == ATTILA_OP_TXS) {
      *(vf_any *)(q->lod + first) = G(0, 0);
      return;
   }
   vf coord[4] = {G(0, 0), G(0, 1), G(0, 2)};
   const bool cube_array = in->tex_target == ATTILA_TEX_CUBE_ARRAY;
   if (in->op == ATTILA_OP_TXP || (in->tex_shadow && in->ref_comp == 3) || cube_array)
      coord[3] = G(0, 3);
   if (in->op == ATTILA_OP_TXP) {
      for (unsigned c = 0; c < 3; c++)
         coord[c] = coord[c] / coord[3];
   }
   for (unsigned c = 0; c < 3; c++)
      *(vf_any *)(q->coord[c] + first) = coord[c];
   if (in->tex_shadow && !cube_array)
      *(vf_any *)(q->ref + first) = coord[in->ref_comp];
   if (cube_array)
      *(vf_any *)(q->layer + first) = coord[3];
   if (in->op == ATTILA_OP_TXB || in->op == ATTILA_OP_TXL || in->op == ATTILA_OP_TXF) {
      S(1);
      *(vf_any *)(q->lod + first) = G(1, 0);
      if (in->tex_shadow && cube_array)
         *(vf_any *)(q->ref + first) = G(1, 1);
   } else if (in->op == ATTILA_OP_TXG) {
      S(1);
      *(vf_any *)(q->ddx[0] + first) = G(1, 0);
      *(vf_any *)((in->tex_shadow && cube_array ? q->ref : q->ddx[1]) + first) = G(1, 1);
   } else if (in->op == ATTILA_OP_TXD) {
      S(1);
      S(2);
      for (unsigned c = 0; c < 3; c++) {
         *(vf_any *)(q->ddx[c] + first) = G(1, c);
         *(vf_any *)(q->ddy[c] + first) = G(2, c);
      }
   }
}

/* Copies coordinates from a register, for the usual texture instruction. */
SIM_INLINE void
texture_copy(struct emul_tex_request *q, struct operand s0)
{
   for (unsigned c = 0; c < 3; c++) {
      const float *from = plain_component(s0, c).p;
      for (unsigned first = 0; first < EMUL_LANES; first += EMUL_WIDTH)
         *(vf_any *)(q->coord[c] + first) = *(const vf_reg *)(from + first);
   }
}

/* All texture instructions: fills the request; pc stays until the result arrives. */
SIM_INLINE enum emul_step
texture_request(struct emul_thread *t, const struct emul_instr *in, const bool general)
{
   struct emul_tex_request *q = &t->tex;
   S(0);
   if (!general && in->op == ATTILA_OP_TEX && !in->tex_shadow && !in->src[0].broadcast &&
       in->tex_target != ATTILA_TEX_CUBE_ARRAY) {
      texture_copy(q, s0);
   } else {
      EACH_CHUNK(t)
      texture_chunk(t, in, s0, first, general);
   }
   q->op = in->op;
   q->unit = in->tex_unit;
   q->target = in->tex_target;
   q->component = in->tex_component;
   q->shadow = in->tex_shadow;
   q->mask = t->exec;
   q->has_quads = t->is_fragment;
   q->unread = ~in->write_mask & 15;
   memcpy(q->offset, in->tex_offset, sizeof(q->offset));
   t->pc--;
   return EMUL_STEP_TEXTURE;
}

static enum emul_step
TEX_plain(struct emul_thread *t, const struct emul_instr *in)
{
   return texture_request(t, in, false);
}

static enum emul_step
TEX_general(struct emul_thread *t, const struct emul_instr *in)
{
   return texture_request(t, in, true);
}

static enum emul_step
LDC_general(struct emul_thread *t, const struct emul_instr *in)
{
   const bool general = true;
   uint32_t offset[EMUL_LANES], buffer[EMUL_LANES];
   S(0);
   S(1);
   EACH_CHUNK(t)
   {
      const vf a = G(0, 0), b = G(1, 0);
      memcpy(offset + first, &a, sizeof(a));
      memcpy(buffer + first, &b, sizeof(b));
   }
   emul_load_begin(t, in, offset, buffer);
   return EMUL_STEP_LOAD;
}

/* Memory instructions: where (a byte or a texel), in which buffer or image, and what; pc stays
 * until the unit has done it. */
static enum emul_step
MEMORY_general(struct emul_thread *t, const struct emul_instr *in)
{
   const bool general = true,
              numbers = attila_isa_ops[in->op].num_srcs > 1 && !attila_isa_is_shared(in->op);
   const unsigned coords = numbers && attila_isa_is_image(in->op) ? 3 : 1;
   const unsigned words = attila_isa_is_store(in->op)                ? in->words
                          : !attila_isa_is_atomic(in->op)            ? 0
                          : in->atomic == ATTILA_ATOMIC_COMPARE_SWAP ? 2
                                                                     : 1;
   uint32_t where[3][EMUL_LANES], number[EMUL_LANES];
   S(0);
   EACH_CHUNK(t)
   {
      for (unsigned c = 0; c < coords; c++) {
         const vf a = G(0, c);
         memcpy(where[c] + first, &a, sizeof(a));
      }
   }
   if (numbers) {
      S(1);
      EACH_CHUNK(t)
      {
         const vf b = G(1, 0);
         memcpy(number + first, &b, sizeof(b));
      }
   }
   if (words) {
      const struct operand s2 = prepare(t, &in->src[attila_isa_ops[in->op].num_srcs - 1]);
      EACH_CHUNK(t)
      {
         for (unsigned c = 0; c < words; c++) {
            const vf v = G(2, c);
            memcpy(t->request.data[c] + first, &v, sizeof(v));
         }
      }
   }
   emul_memory_begin(t, in, where, numbers ? number : where[0]);
   return EMUL_STEP_MEMORY;
}

/* Returns the lanes whose condition holds: component x not 0, or (KIL) any component below 0. */
SIM_INLINE uint16_t
condition(const struct emul_thread *t, const struct emul_instr *in, bool any_negative)
{
   const bool general = true;
   unsigned lanes = 0;
   S(0);
   EACH_CHUNK(t)
   {
      vi m;
      if (any_negative)
         m = (G(0, 0) < ZERO) | (G(0, 1) < ZERO) | (G(0, 2) < ZERO) | (G(0, 3) < ZERO);
      else
         m = G(0, 0) != ZERO;
      lanes |= mask_lanes(m, first);
   }
   return (uint16_t)lanes;
}

static enum emul_step
KIL_general(struct emul_thread *t, const struct emul_instr *in)
{
   return emul_flow_kill(t, condition(t, in, true));
}

static enum emul_step
KILC_general(struct emul_thread *t, const struct emul_instr *in)
{
   return emul_flow_kill(t, condition(t, in, false));
}

static enum emul_step
IF_general(struct emul_thread *t, const struct emul_instr *in)
{
   return emul_flow_if(t, in, condition(t, in, false));
}

static void
deliver(struct emul_thread *t, const struct emul_instr *in, const struct emul_vec4 *texel)
{
   EACH_CHUNK(t)
   {
      vf v[4] = {{0}};
      for (unsigned c = 0; c < 4; c++) {
         if (in->write_mask >> c & 1)
            v[c] = *(const vf_reg *)(texel->c[c] + first);
      }
      result_commit(t, in, v, first);
   }
}

/* clang-format off */
#define OPS(V)                                                                                   \
   V(MOV), V(ADD), V(MUL), V(MAD), V(DP2), V(DP3), V(DP4), V(DPH), V(DST), V(LIT), V(XPD),       \
      V(MIN), V(MAX), V(SLT), V(SGE),                                                            \
      V(SEQ), V(SNE), V(SGT), V(SLE), V(CMP), V(CND), V(LRP), V(FRC), V(FLR), V(CEIL), V(TRUNC), \
         V(ROUND), V(SSG),                                                                       \
      V(RCP), V(RSQ), V(SQRT), V(EX2), V(LG2), V(POW), V(SIN), V(COS), V(EXP), V(LOG), V(ARL),   \
         V(DDX), V(DDY), V(IADD), V(ISUB), V(IMUL), V(AND), V(OR), V(XOR), V(SHL), V(ISHR), \
      V(USHR), V(IMIN), V(IMAX), V(UMIN), V(UMAX), V(IEQ), V(INE), V(ILT), V(IGE), V(ULT),     \
      V(UGE), V(I2F), V(U2F), V(F2I), V(F2U)
/* clang-format on */
#define TEXTURE_OPS(V)                                                                        \
   V(TEX, TEX), V(TXP, TEX), V(TXB, TEX), V(TXL, TEX), V(TXD, TEX), V(TXF, TEX), V(TXS, TEX), \
       V(TXG, TEX), V(TXQL, TEX)
#define GENERAL_OPS(V)                                                                      \
   V(KIL, KIL), V(KILC, KILC), V(IF, IF), V(LDC, LDC), V(LDB, MEMORY), V(STB, MEMORY),      \
       V(ATOM, MEMORY), V(RED, MEMORY), V(SZB, MEMORY), V(LDS, MEMORY), V(STS, MEMORY),     \
       V(ATOMS, MEMORY), V(LDI, MEMORY), V(STI, MEMORY), V(ATOMI, MEMORY), V(REDI, MEMORY), \
       V(SZI, MEMORY)

#define PLAIN(op) [ATTILA_OP_##op] = op##_plain
#define GENERAL(op) [ATTILA_OP_##op] = op##_general
#define PLAIN_OF(op, fn) [ATTILA_OP_##op] = fn##_plain
#define GENERAL_OF(op, fn) [ATTILA_OP_##op] = fn##_general
const struct emul_exec EMUL_EXEC_NAME = {
    .name = EMUL_EXEC_TEXT,
    .plain = {OPS(PLAIN), TEXTURE_OPS(PLAIN_OF), GENERAL_OPS(GENERAL_OF)},
    .general = {OPS(GENERAL), TEXTURE_OPS(GENERAL_OF), GENERAL_OPS(GENERAL_OF)},
    .deliver = deliver,
};
