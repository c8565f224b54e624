/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * An interpreter of shader programs written plainly, for comparison: one lane at a time, recursive
 * blocks, scalar arithmetic. Header only; no groups, no timing. */
#ifndef SHADER_INTERPRETER_H
#define SHADER_INTERPRETER_H

#include <math.h>
#include <string.h>
#include "emul/shader/emul_shader_program.h"

struct lane {
   const struct attila_isa_program *p;
   float temp[ATTILA_ISA_MAX_TEMPS][4], input[32][4], output[32][4];
   const float (*consts)[4];
   int32_t address[4];
   bool killed;
};

enum outcome { GO_ON, BREAK, CONTINUE };

static int
relative(const struct lane *l, int index, bool rel, unsigned comp, int size)
{
   int64_t i = (int64_t)index + (rel ? l->address[comp] : 0);
   return i < 0 ? 0 : i >= size ? size - 1 : (int)i;
}

static float
read_component(const struct lane *l, const struct attila_isa_src *s, unsigned c)
{
   const float *reg;
   int index = s->index;
   switch (s->file) {
   case ATTILA_FILE_TEMP:
      reg = l->temp[relative(l, index, s->relative, s->rel_comp, (int)l->p->num_temps)];
      break;
   case ATTILA_FILE_INPUT:
      reg = l->input[relative(l, index, s->relative, s->rel_comp, 32)];
      break;
   case ATTILA_FILE_CONST:
      reg = l->consts[relative(l, index, s->relative, s->rel_comp, (int)l->p->num_consts)];
      break;
   default:
      reg = l->p->literals[relative(l, index, s->relative, s->rel_comp, (int)l->p->num_literals)];
      break;
   }
   float v = reg[(s->swizzle >> (2 * c)) & 3];
   if (s->absolute)
      v = fabsf(v);
   return s->negate ? -v : v;
}

static void
write_result(struct lane *l, const struct attila_isa_dst *d, const float v[4])
{
   float *reg;
   if (d->file == ATTILA_FILE_TEMP)
      reg = l->temp[relative(l, d->index, d->relative, d->rel_comp, (int)l->p->num_temps)];
   else
      reg = l->output[relative(l, d->index, d->relative, d->rel_comp, 9)];
   for (unsigned c = 0; c < 4; c++) {
      if (d->write_mask >> c & 1)
         reg[c] = !d->saturate ? v[c] : v[c] > 0 ? (v[c] < 1 ? v[c] : 1) : 0;
   }
}

static float
from_bits(uint32_t bits)
{
   float f;
   memcpy(&f, &bits, sizeof(f));
   return f;
}

/* Of operations on integers; everything in 64 bits. */
static float
integer_component(unsigned op, float a, float b)
{
   uint32_t bits[2];
   memcpy(&bits[0], &a, 4);
   memcpy(&bits[1], &b, 4);
   const uint64_t u = bits[0], v = bits[1];
   const int64_t i = (int32_t)bits[0], j = (int32_t)bits[1];
   const double d = a;
   switch (op) {
   case ATTILA_OP_IADD:
      return from_bits((uint32_t)(u + v));
   case ATTILA_OP_ISUB:
      return from_bits((uint32_t)(u - v));
   case ATTILA_OP_IMUL:
      return from_bits((uint32_t)(u * v));
   case ATTILA_OP_AND:
      return from_bits((uint32_t)(u & v));
   case ATTILA_OP_OR:
      return from_bits((uint32_t)(u | v));
   case ATTILA_OP_XOR:
      return from_bits((uint32_t)(u ^ v));
   case ATTILA_OP_SHL:
      return from_bits((uint32_t)(u << v % 32));
   case ATTILA_OP_ISHR:
      return from_bits((uint32_t)(i >> v % 32));
   case ATTILA_OP_USHR:
      return from_bits((uint32_t)(u >> v % 32));
   case ATTILA_OP_IMIN:
      return from_bits((uint32_t)(i < j ? i : j));
   case ATTILA_OP_IMAX:
      return from_bits((uint32_t)(i > j ? i : j));
   case ATTILA_OP_UMIN:
      return from_bits((uint32_t)(u < v ? u : v));
   case ATTILA_OP_UMAX:
      return from_bits((uint32_t)(u > v ? u : v));
   case ATTILA_OP_IEQ:
      return u == v;
   case ATTILA_OP_INE:
      return u != v;
   case ATTILA_OP_ILT:
      return i < j;
   case ATTILA_OP_IGE:
      return i >= j;
   case ATTILA_OP_ULT:
      return u < v;
   case ATTILA_OP_UGE:
      return u >= v;
   case ATTILA_OP_I2F:
      return (float)i;
   case ATTILA_OP_U2F:
      return (float)u;
   case ATTILA_OP_F2I:
      return from_bits(isnan(d)             ? 0
                       : d >= 2147483648.0  ? INT32_MAX
                       : d <= -2147483648.0 ? (uint32_t)INT32_MIN
                                            : (uint32_t)(int32_t)d);
   case ATTILA_OP_F2U:
      return from_bits(!(d > 0) ? 0 : d >= 4294967296.0 ? UINT32_MAX : (uint32_t)d);
   default:
      fail_msg("no reference for %s", attila_isa_ops[op].name);
      return 0;
   }
}

static float
one_component(unsigned op, float a, float b, float c)
{
   if (attila_isa_ops[op].cls == ATTILA_CLASS_INTEGER)
      return integer_component(op, a, b);
   switch (op) {
   case ATTILA_OP_MOV:
      return a;
   case ATTILA_OP_ADD:
      return a + b;
   case ATTILA_OP_MUL:
      return a * b;
   case ATTILA_OP_MAD:
      return a * b + c;
   case ATTILA_OP_MIN:
      return a < b || isnan(b) ? a : b;
   case ATTILA_OP_MAX:
      return a > b || isnan(b) ? a : b;
   case ATTILA_OP_SLT:
      return a < b;
   case ATTILA_OP_SGE:
      return a >= b;
   case ATTILA_OP_SEQ:
      return a == b;
   case ATTILA_OP_SNE:
      return a != b;
   case ATTILA_OP_SGT:
      return a > b;
   case ATTILA_OP_SLE:
      return a <= b;
   case ATTILA_OP_CMP:
      return a < 0 ? b : c;
   case ATTILA_OP_CND:
      return a != 0 ? b : c;
   case ATTILA_OP_LRP:
      return a * b + (1 - a) * c;
   case ATTILA_OP_FRC:
      return a - floorf(a);
   case ATTILA_OP_FLR:
      return floorf(a);
   case ATTILA_OP_CEIL:
      return ceilf(a);
   case ATTILA_OP_TRUNC:
      return truncf(a);
   case ATTILA_OP_ROUND:
      return rintf(a);
   case ATTILA_OP_SSG:
      return a > 0 ? 1 : a < 0 ? -1 : 0;
   default:
      fail_msg("no reference for %s", attila_isa_ops[op].name);
      return 0;
   }
}

/* What the test's texture returns. Coordinates and level of TXF and TXS are floats to it, too, as
 * are TXG's offsets, dx[0] and dx[1]. layer: of an array of cubes. */
static void
texture(unsigned op, unsigned unit, const int8_t offset[3], const float coord[3], float layer,
        float ref, float lod, const float dx[3], const float dy[3], float result[4])
{
   if (op == ATTILA_OP_TXS) {
      result[0] = lod;
      result[1] = result[2] = (float)unit;
      result[3] = 3.0f;
      return;
   }
   result[0] = coord[0] * 0.5f + (float)unit;
   result[1] = coord[1] - coord[2];
   result[2] = ref + lod * 2.0f;
   result[3] = op == ATTILA_OP_TXD   ? dx[0] + dy[1] - dx[2] + dy[2]
               : op == ATTILA_OP_TXG ? dx[0] + 2.0f * dx[1]
                                     : 1.0f;
   result[3] += layer;
   result[1] += (float)(offset[0] * 3 + offset[1] * 5 + offset[2] * 7);
}

static void
execute_texture(struct lane *l, const struct attila_isa_instr *in)
{
   float coord[4], dx[3] = {0}, dy[3] = {0}, lod = 0, ref = 0, result[4];
   const bool cube_array = in->tex_target == ATTILA_TEX_CUBE_ARRAY;
   for (unsigned c = 0; c < 4; c++)
      coord[c] = read_component(l, &in->src[0], c);
   for (unsigned c = 0; c < 3 && in->op == ATTILA_OP_TXP; c++)
      coord[c] /= coord[3];
   if (in->op == ATTILA_OP_TXB || in->op == ATTILA_OP_TXL || in->op == ATTILA_OP_TXF)
      lod = read_component(l, &in->src[1], 0);
   else if (in->op == ATTILA_OP_TXS)
      lod = coord[0];
   for (unsigned c = 0; c < 3 && in->op == ATTILA_OP_TXD; c++) {
      dx[c] = read_component(l, &in->src[1], c);
      dy[c] = read_component(l, &in->src[2], c);
   }
   for (unsigned c = 0; c < 2 && in->op == ATTILA_OP_TXG; c++)
      dx[c] = read_component(l, &in->src[1], c);
   if (in->tex_shadow && cube_array) {
      ref = read_component(l, &in->src[1], 1);
      dx[1] = 0;
   } else if (in->tex_shadow) {
      ref = coord[attila_isa_tex_ref_component(in->tex_target)];
   }
   texture(in->op, in->tex_unit, in->tex_offset, coord,
           cube_array && in->op != ATTILA_OP_TXS ? coord[3] : 0, ref, lod, dx, dy, result);
   write_result(l, &in->dst, result);
}

static int32_t
to_address(float f)
{
   f = floorf(f);
   return isnan(f)             ? 0
          : f >= 2147483648.0f ? INT32_MAX
          : f < -2147483648.0f ? INT32_MIN
                               : (int32_t)f;
}

static void
execute(struct lane *l, const struct attila_isa_instr *in)
{
   const struct attila_isa_op_info *info = &attila_isa_ops[in->op];
   float s[3][4] = {{0}}, v[4] = {0};
   if (info->cls == ATTILA_CLASS_TEXTURE) {
      execute_texture(l, in);
      return;
   }
   for (unsigned i = 0; i < info->num_srcs; i++) {
      for (unsigned c = 0; c < 4; c++)
         s[i][c] = read_component(l, &in->src[i], c);
   }
   const float *a = s[0], *b = s[1];
   float dot2 = a[0] * b[0] + a[1] * b[1], dot3 = dot2 + a[2] * b[2];
   for (unsigned c = 0; c < 4; c++) {
      switch (in->op) {
      case ATTILA_OP_DP2:
         v[c] = dot2;
         break;
      case ATTILA_OP_DP3:
         v[c] = dot3;
         break;
      case ATTILA_OP_DP4:
         v[c] = dot3 + a[3] * b[3];
         break;
      case ATTILA_OP_DPH:
         v[c] = dot3 + b[3];
         break;
      case ATTILA_OP_RCP:
         v[c] = 1 / a[0];
         break;
      case ATTILA_OP_RSQ:
         v[c] = 1 / sqrtf(fabsf(a[0]));
         break;
      case ATTILA_OP_SQRT:
         v[c] = sqrtf(a[0]);
         break;
      case ATTILA_OP_DST:
         v[c] = c == 0 ? 1 : c == 1 ? a[1] * b[1] : c == 2 ? a[2] : b[3];
         break;
      case ATTILA_OP_XPD:
         v[c] = c == 3 ? 0 : a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
         break;
      case ATTILA_OP_ARL:
         if (in->dst.write_mask >> c & 1)
            l->address[c] = to_address(a[c]);
         break;
      default:
         v[c] = one_component(in->op, s[0][c], s[1][c], s[2][c]);
         break;
      }
   }
   if (in->op != ATTILA_OP_ARL)
      write_result(l, &in->dst, v);
}

/* First instruction at the same level from i on that is one of two opcodes. */
static uint32_t
find(const struct attila_isa_program *p, uint32_t i, unsigned op1, unsigned op2)
{
   unsigned depth = 0;
   for (;; i++) {
      unsigned op = p->instrs[i].op;
      if (depth == 0 && (op == op1 || op == op2))
         return i;
      depth += op == ATTILA_OP_IF || op == ATTILA_OP_LOOP;
      depth -= op == ATTILA_OP_ENDIF || op == ATTILA_OP_ENDLOOP;
   }
}

static enum outcome
interpret(struct lane *l, uint32_t i, uint32_t end)
{
   const struct attila_isa_program *p = l->p;
   for (; i < end; i++) {
      const struct attila_isa_instr *in = &p->instrs[i];
      enum outcome o = GO_ON;
      if (in->op == ATTILA_OP_BRK || in->op == ATTILA_OP_CONT)
         return in->op == ATTILA_OP_BRK ? BREAK : CONTINUE;
      if (in->op == ATTILA_OP_IF) {
         bool taken = read_component(l, &in->src[0], 0) != 0;
         uint32_t other = find(p, i + 1, ATTILA_OP_ELSE, ATTILA_OP_ENDIF);
         uint32_t endif = p->instrs[other].op == ATTILA_OP_ELSE
                              ? find(p, other + 1, ATTILA_OP_ENDIF, ATTILA_OP_ENDIF)
                              : other;
         o = taken            ? interpret(l, i + 1, other)
             : other == endif ? GO_ON
                              : interpret(l, other + 1, endif);
         i = endif;
      } else if (in->op == ATTILA_OP_LOOP) {
         uint32_t endloop = find(p, i + 1, ATTILA_OP_ENDLOOP, ATTILA_OP_ENDLOOP);
         while (interpret(l, i + 1, endloop) != BREAK)
            ;
         i = endloop;
      } else if (in->op == ATTILA_OP_KIL) {
         for (unsigned c = 0; c < 4; c++)
            l->killed |= read_component(l, &in->src[0], c) < 0;
      } else if (in->op == ATTILA_OP_KILC) {
         l->killed |= read_component(l, &in->src[0], 0) != 0;
      } else if (in->op != ATTILA_OP_NOP && in->op != ATTILA_OP_END) {
         execute(l, in);
      }
      if (o != GO_ON)
         return o;
   }
   return GO_ON;
}

#endif
