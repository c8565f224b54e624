/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Our own NIR passes, where Mesa has no pass or an inexact one: division of whole numbers, types of
 * local arrays, registers of booleans, constant offsets, input arrays. Their order is in
 * attila_nir.c. */
#include "attila_nir.h"
#include "compiler/nir/nir_builder.h"

/* Returns the magnitude of a quotient. x * (1 / y) may be wrong by one; the exact remainder shows
 * that. */
static nir_def *
attila_nir_lower_build_udiv(nir_builder *b, nir_def *x, nir_def *y)
{
   nir_def *q = nir_ffloor(b, nir_fmul(b, x, nir_frcp(b, y)));
   nir_def *r = nir_fadd(b, x, nir_fneg(b, nir_fmul(b, q, y)));
   q = nir_fadd(b, q, nir_b2f32(b, nir_fge(b, r, y)));
   return nir_fadd(b, q, nir_fneg(b, nir_b2f32(b, nir_flt_imm(b, r, 0.0))));
}

/* Lowers integer division and remainder, which nir_lower_int_to_float does inexactly or not at
 * all. */
static bool
attila_nir_lower_idiv_instr(nir_builder *b, nir_alu_instr *alu, UNUSED void *data)
{
   bool is_signed = alu->op == nir_op_idiv || alu->op == nir_op_irem || alu->op == nir_op_imod;
   bool quotient = alu->op == nir_op_idiv || alu->op == nir_op_udiv;
   if (!is_signed && alu->op != nir_op_udiv && alu->op != nir_op_umod)
      return false;
   b->cursor = nir_before_instr(&alu->instr);
   bool exact = b->exact;
   b->exact = true;
   nir_def *x = nir_i2f32(b, nir_ssa_for_alu_src(b, alu, 0));
   nir_def *y = nir_i2f32(b, nir_ssa_for_alu_src(b, alu, 1));
   nir_def *q = attila_nir_lower_build_udiv(b, nir_fabs(b, x), nir_fabs(b, y));
   if (is_signed)
      q = nir_fmul(b, q, nir_fmul(b, nir_fsign(b, x), nir_fsign(b, y)));
   nir_def *result = q;
   if (!quotient) {
      result = nir_fadd(b, x, nir_fneg(b, nir_fmul(b, q, y)));
      if (alu->op == nir_op_imod) {
         /* The result has the sign of the divisor. */
         nir_def *other = nir_flt_imm(b, nir_fmul(b, result, y), 0.0);
         result = nir_fadd(b, result, nir_fmul(b, nir_b2f32(b, other), y));
      }
   }
   result = nir_f2i32(b, result);
   b->exact = exact;
   nir_def_replace(&alu->def, result);
   return true;
}

bool
attila_nir_lower_idiv(nir_shader *nir)
{
   return nir_shader_alu_pass(nir, attila_nir_lower_idiv_instr, nir_metadata_control_flow, NULL);
}

/* Makes local arrays of integers arrays of floats. With the conversions nir_lower_int_to_float
 * finds the types of constants that are stored in them. */
static bool
attila_nir_lower_type_local_instr(nir_builder *b, nir_intrinsic_instr *intr, UNUSED void *data)
{
   if (intr->intrinsic != nir_intrinsic_load_deref && intr->intrinsic != nir_intrinsic_store_deref)
      return false;
   nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
   enum glsl_base_type type = glsl_get_base_type(deref->type);
   if (!nir_deref_mode_is(deref, nir_var_function_temp) ||
       (type != GLSL_TYPE_INT && type != GLSL_TYPE_UINT))
      return false;
   if (intr->intrinsic == nir_intrinsic_store_deref) {
      b->cursor = nir_before_instr(&intr->instr);
      nir_src_rewrite(&intr->src[1], nir_i2f32(b, intr->src[1].ssa));
   } else {
      b->cursor = nir_after_instr(&intr->instr);
      nir_def *value = nir_f2i32(b, &intr->def);
      nir_def_rewrite_uses_after(&intr->def, value, value->parent_instr);
   }
   return true;
}

bool
attila_nir_type_locals(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, attila_nir_lower_type_local_instr,
                                     nir_metadata_control_flow, NULL);
}

bool
attila_nir_bool_registers(nir_shader *nir)
{
   bool progress = false;
   nir_foreach_function_impl (impl, nir) {
      nir_foreach_reg_decl(decl, impl)
      {
         if (nir_intrinsic_bit_size(decl) == 1) {
            nir_intrinsic_set_bit_size(decl, 32);
            progress = true;
         }
      }
   }
   return progress;
}

bool
attila_nir_bool_to_float(nir_shader *nir)
{
   const bool progress = nir_lower_bool_to_float(nir, true);
   return progress | attila_nir_bool_registers(nir);
}

/* Moves constant offsets to the base: once integers are floats, a constant read only by an
 * intrinsic has no known type. */
static bool
attila_nir_lower_fold_uniform_offset(nir_builder *b, nir_intrinsic_instr *intr, UNUSED void *data)
{
   if (intr->intrinsic != nir_intrinsic_load_uniform || !nir_src_is_const(intr->src[0]))
      return false;
   unsigned offset = nir_src_as_uint(intr->src[0]);
   if (!offset)
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   nir_intrinsic_set_base(intr, nir_intrinsic_base(intr) + offset);
   nir_intrinsic_set_range(intr, 1);
   nir_src_rewrite(&intr->src[0], nir_imm_int(b, 0));
   return true;
}

bool
attila_nir_fold_offsets(nir_shader *nir)
{
   bool progress = nir_shader_intrinsics_pass(nir, attila_nir_lower_fold_uniform_offset,
                                              nir_metadata_control_flow, NULL);
   return progress | nir_io_add_const_offset_to_base(nir, nir_var_shader_in | nir_var_shader_out);
}

static bool
attila_nir_lower_input_array_instr(nir_builder *b, nir_intrinsic_instr *intr, UNUSED void *data)
{
   nir_src *offset = nir_get_io_offset_src(intr);
   if (intr->intrinsic != nir_intrinsic_load_per_vertex_input || nir_src_is_const(*offset))
      return false;
   const nir_io_semantics sem = nir_intrinsic_io_semantics(intr);
   nir_def *value = NULL;
   b->cursor = nir_before_instr(&intr->instr);
   nir_def *zero = nir_imm_int(b, 0);
   for (unsigned i = 0; i < sem.num_slots; i++) {
      nir_intrinsic_instr *element =
          nir_instr_as_intrinsic(nir_instr_clone(b->shader, &intr->instr));
      nir_io_semantics one = sem;
      one.location += i;
      one.num_slots = 1;
      nir_intrinsic_set_io_semantics(element, one);
      nir_intrinsic_set_base(element, nir_intrinsic_base(intr) + i);
      nir_builder_instr_insert(b, &element->instr);
      nir_src_rewrite(nir_get_io_offset_src(element), zero);
      value = value ? nir_bcsel(b, nir_ieq_imm(b, offset->ssa, i), &element->def, value)
                    : &element->def;
   }
   nir_def_replace(&intr->def, value);
   return true;
}

bool
attila_nir_lower_input_arrays(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, attila_nir_lower_input_array_instr,
                                     nir_metadata_control_flow, NULL);
}
