/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Makes booleans in shaders with native integers 1.0 and 0.0, the results of comparisons on this
 * machine. Mesa's nir_lower_bool_to_float is for shaders without integers, where AND and OR have
 * only booleans. Comparisons of integers become NIR's opcodes with 32-bit results (ilt32,
 * b32all_iequal2 ...). No constants may be folded after this pass, since NIR would fold these
 * opcodes to 0 and ~0. */
#include "attila_nir.h"
#include "compiler/nir/nir_builder.h"

/* Returns the operation that replaces one on booleans; nir_num_opcodes: it stays. */
static nir_op
attila_nir_bool_op(nir_op op)
{
   switch (op) {
   case nir_op_b2f32:
   case nir_op_b2b1:
   case nir_op_b2b32: /* booleans in uniforms and between shaders are 1.0 and 0.0, too (patch 0307)
                       */
      return nir_op_mov;
   case nir_op_b2i32:
      return nir_op_f2i32;
   case nir_op_flt:
      return nir_op_slt;
   case nir_op_fge:
      return nir_op_sge;
   case nir_op_feq:
      return nir_op_seq;
   case nir_op_fneu:
      return nir_op_sne;
   case nir_op_ball_fequal2:
      return nir_op_fall_equal2;
   case nir_op_ball_fequal3:
      return nir_op_fall_equal3;
   case nir_op_ball_fequal4:
      return nir_op_fall_equal4;
   case nir_op_bany_fnequal2:
      return nir_op_fany_nequal2;
   case nir_op_bany_fnequal3:
      return nir_op_fany_nequal3;
   case nir_op_bany_fnequal4:
      return nir_op_fany_nequal4;
   case nir_op_ilt:
      return nir_op_ilt32;
   case nir_op_ige:
      return nir_op_ige32;
   case nir_op_ult:
      return nir_op_ult32;
   case nir_op_uge:
      return nir_op_uge32;
   case nir_op_bcsel:
      return nir_op_fcsel;
   default:
      return nir_num_opcodes;
   }
}

/* Returns the comparison for equality of integers, or of former booleans, which are floats now. */
static nir_op
attila_nir_bool_equality(nir_op op, bool booleans)
{
   switch (op) {
   case nir_op_ieq:
      return booleans ? nir_op_seq : nir_op_ieq32;
   case nir_op_ine:
      return booleans ? nir_op_sne : nir_op_ine32;
   case nir_op_ball_iequal2:
      return booleans ? nir_op_fall_equal2 : nir_op_b32all_iequal2;
   case nir_op_ball_iequal3:
      return booleans ? nir_op_fall_equal3 : nir_op_b32all_iequal3;
   case nir_op_ball_iequal4:
      return booleans ? nir_op_fall_equal4 : nir_op_b32all_iequal4;
   case nir_op_bany_inequal2:
      return booleans ? nir_op_fany_nequal2 : nir_op_b32any_inequal2;
   case nir_op_bany_inequal3:
      return booleans ? nir_op_fany_nequal3 : nir_op_b32any_inequal3;
   case nir_op_bany_inequal4:
      return booleans ? nir_op_fany_nequal4 : nir_op_b32any_inequal4;
   default:
      return nir_num_opcodes;
   }
}

struct bool_pass {
   struct set *equalities; /* comparisons of former booleans */
};

static bool
attila_nir_bool_rewrite_def(nir_def *def, void *progress)
{
   if (def->bit_size == 1) {
      def->bit_size = 32;
      *(bool *)progress = true;
   }
   return true;
}

static bool
attila_nir_bool_alu(nir_builder *b, nir_alu_instr *alu, const struct set *of_booleans)
{
   const bool boolean = alu->def.bit_size == 1;
   nir_op op = attila_nir_bool_op(alu->op);
   if (op == nir_num_opcodes)
      op = attila_nir_bool_equality(alu->op, _mesa_set_search(of_booleans, alu));
   if (boolean && alu->op == nir_op_iand)
      op = nir_op_fmul;
   else if (boolean && alu->op == nir_op_ior)
      op = nir_op_fmax;
   else if (boolean && alu->op == nir_op_ixor)
      op = nir_op_sne;
   if (boolean && alu->op == nir_op_inot) {
      b->cursor = nir_before_instr(&alu->instr);
      nir_def_replace(&alu->def, nir_seq(b, nir_ssa_for_alu_src(b, alu, 0), nir_imm_float(b, 0)));
      return true;
   }
   if (op == nir_num_opcodes && !boolean)
      return false;
   alu->op = op == nir_num_opcodes ? alu->op : op;
   alu->def.bit_size = 32;
   return true;
}

static bool
attila_nir_bool_instr(nir_builder *b, nir_instr *instr, void *data)
{
   struct bool_pass *pass = data;
   bool progress = false;
   if (instr->type == nir_instr_type_alu)
      return attila_nir_bool_alu(b, nir_instr_as_alu(instr), pass->equalities);
   if (instr->type == nir_instr_type_load_const) {
      nir_load_const_instr *load = nir_instr_as_load_const(instr);
      for (unsigned i = 0; load->def.bit_size == 1 && i < load->def.num_components; i++)
         load->value[i] = nir_const_value_for_float(load->value[i].b, 32);
   }
   nir_foreach_def(instr, attila_nir_bool_rewrite_def, &progress);
   return progress;
}

static bool
attila_nir_bool_note(UNUSED nir_builder *b, nir_alu_instr *alu, void *data)
{
   struct bool_pass *pass = data;
   if (alu->src[0].src.ssa->bit_size == 1 &&
       attila_nir_bool_equality(alu->op, false) != nir_num_opcodes)
      _mesa_set_add(pass->equalities, alu);
   return false;
}

bool
attila_nir_integer_bool(nir_shader *nir)
{
   struct bool_pass pass = {.equalities = _mesa_pointer_set_create(NULL)};
   nir_shader_alu_pass(nir, attila_nir_bool_note, nir_metadata_all, &pass);
   bool progress =
       nir_shader_instructions_pass(nir, attila_nir_bool_instr, nir_metadata_control_flow, &pass);
   _mesa_set_destroy(pass.equalities, NULL);
   return progress | attila_nir_bool_registers(nir);
}
