/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Bit functions that the machine lacks and Mesa does not lower: finding the highest bit, packing
 * half floats into integers, splitting 64-bit products. For the other bit functions of GLSL there
 * are options of NIR (attila_nir.c). */
#include "attila_nir.h"
#include "compiler/nir/nir_builder.h"

#define HALF_BIAS \
   (112u << 23) /* difference of the exponent biases of float and half, as bits of a float */
#define HALF_NAN 0x7e00u
#define HALF_INFINITY 0x7c00u
#define SMALLEST_NORMAL_HALF 0x38800000u /* 2^-14 as bits of a float */

/* Finds the highest bit as the exponent of the number converted to float. Before, every bit below a
 * set bit is cleared, so that the conversion cannot round up to the next power of two. */
static nir_def *
attila_nir_bits_find_msb(nir_builder *b, nir_def *x)
{
   nir_def *number = nir_u2f32(b, nir_iand(b, x, nir_inot(b, nir_ushr_imm(b, x, 1))));
   nir_def *bit = nir_iadd_imm(b, nir_ushr_imm(b, number, 23), -127);
   return nir_bcsel(b, nir_ieq_imm(b, x, 0), nir_imm_int(b, -1), bit);
}

/* Returns the float of the half in the low 16 bits. */
static nir_def *
attila_nir_bits_unpack_half(nir_builder *b, nir_def *half)
{
   nir_def *magnitude = nir_iand_imm(b, half, 0x7fff);
   nir_def *normal = nir_iadd_imm(b, nir_ishl_imm(b, magnitude, 13), HALF_BIAS);
   nir_def *special = nir_uge(b, magnitude, nir_imm_int(b, HALF_INFINITY));
   normal = nir_bcsel(b, special, nir_iadd_imm(b, normal, HALF_BIAS), normal);
   nir_def *denormal = nir_fmul_imm(b, nir_u2f32(b, magnitude), 0x1p-24);
   nir_def *value = nir_bcsel(b, nir_ult(b, magnitude, nir_imm_int(b, 0x400)), denormal, normal);
   return nir_ior(b, value, nir_ishl_imm(b, nir_iand_imm(b, half, 0x8000), 16));
}

/* Returns the half nearest to a float, ties to even. */
static nir_def *
attila_nir_bits_pack_half(nir_builder *b, nir_def *value)
{
   nir_def *magnitude = nir_iand_imm(b, value, 0x7fffffff);
   nir_def *odd = nir_iand_imm(b, nir_ushr_imm(b, magnitude, 13), 1);
   nir_def *normal = nir_iadd(b, nir_iadd_imm(b, magnitude, 0xfff - HALF_BIAS), odd);
   normal = nir_umin(b, nir_ushr_imm(b, normal, 13), nir_imm_int(b, HALF_INFINITY));
   nir_def *denormal =
       nir_f2u32(b, nir_fround_even(b, nir_fmul_imm(b, nir_fabs(b, value), 0x1p24)));
   nir_def *half =
       nir_bcsel(b, nir_ult(b, magnitude, nir_imm_int(b, SMALLEST_NORMAL_HALF)), denormal, normal);
   half = nir_bcsel(b, nir_ult(b, nir_imm_int(b, 0x7f800000), magnitude), nir_imm_int(b, HALF_NAN),
                    half);
   return nir_ior(b, half, nir_iand_imm(b, nir_ushr_imm(b, value, 16), 0x8000));
}

static bool
attila_nir_bits_instr(nir_builder *b, nir_alu_instr *alu, UNUSED void *data)
{
   if (alu->op != nir_op_ufind_msb && alu->op != nir_op_pack_half_2x16_split &&
       alu->op != nir_op_unpack_half_2x16_split_x && alu->op != nir_op_unpack_half_2x16_split_y)
      return false;
   b->cursor = nir_before_instr(&alu->instr);
   nir_def *x = nir_ssa_for_alu_src(b, alu, 0), *result;
   switch (alu->op) {
   case nir_op_ufind_msb:
      result = attila_nir_bits_find_msb(b, x);
      break;
   case nir_op_unpack_half_2x16_split_x:
      result = attila_nir_bits_unpack_half(b, nir_iand_imm(b, x, 0xffff));
      break;
   case nir_op_unpack_half_2x16_split_y:
      result = attila_nir_bits_unpack_half(b, nir_ushr_imm(b, x, 16));
      break;
   default:
      result = nir_ishl_imm(b, attila_nir_bits_pack_half(b, nir_ssa_for_alu_src(b, alu, 1)), 16);
      result = nir_ior(b, attila_nir_bits_pack_half(b, x), result);
      break;
   }
   nir_def_replace(&alu->def, result);
   return true;
}

bool
attila_nir_lower_bits(nir_shader *nir)
{
   return nir_shader_alu_pass(nir, attila_nir_bits_instr, nir_metadata_control_flow, NULL);
}

/* Replaces the low or high half of a product of two 32-bit numbers (imulExtended(),
 * umulExtended()). These are the only 64-bit numbers of GLSL 3.30. */
static bool
attila_nir_bits_half_product(nir_builder *b, nir_alu_instr *alu, UNUSED void *data)
{
   if (alu->op != nir_op_unpack_64_2x32_split_x && alu->op != nir_op_unpack_64_2x32_split_y)
      return false;
   nir_alu_instr *product = nir_src_as_alu_instr(alu->src[0].src);
   if (!product || (product->op != nir_op_imul_2x32_64 && product->op != nir_op_umul_2x32_64))
      return false;
   b->cursor = nir_before_instr(&alu->instr);
   unsigned swizzle[NIR_MAX_VEC_COMPONENTS];
   for (unsigned c = 0; c < alu->def.num_components; c++)
      swizzle[c] = alu->src[0].swizzle[c];
   nir_def *factor[2], *half;
   for (unsigned i = 0; i < 2; i++)
      factor[i] =
          nir_swizzle(b, nir_ssa_for_alu_src(b, product, i), swizzle, alu->def.num_components);
   if (alu->op == nir_op_unpack_64_2x32_split_x)
      half = nir_imul(b, factor[0], factor[1]);
   else if (product->op == nir_op_imul_2x32_64)
      half = nir_imul_high(b, factor[0], factor[1]);
   else
      half = nir_umul_high(b, factor[0], factor[1]);
   nir_def_replace(&alu->def, half);
   return true;
}

bool
attila_nir_split_products(nir_shader *nir)
{
   return nir_shader_alu_pass(nir, attila_nir_bits_half_product, nir_metadata_control_flow, NULL);
}
