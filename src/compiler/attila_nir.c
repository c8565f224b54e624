/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Options that tell Mesa what the machine has, and the table of NIR passes that turn a shader into
 * one whose every value is a float32 vector. Integers are floats that hold whole numbers: exact up
 * to 2^24, as GLSL 1.20 and ES 2.0 allow. Selection of instructions is in attila_select.c.
 */
#include "attila_nir.h"
#include "compiler/nir/nir_builder.h"

#define ATTILA_STAGES (BITFIELD_BIT(MESA_SHADER_VERTEX) | BITFIELD_BIT(MESA_SHADER_FRAGMENT))

static const nir_shader_compiler_options attila_options = {
    .lower_fdiv = true,
    .lower_fmod = true,
    .fuse_ffma32 = true,
    .lower_bitops = true,
    .lower_isign = true,
    .lower_ldexp = true,
    .lower_extract_byte = true,
    .lower_extract_word = true,
    .lower_insert_byte = true,
    .lower_insert_word = true,
    .lower_pack_half_2x16 = true,
    .lower_pack_unorm_2x16 = true,
    .lower_pack_snorm_2x16 = true,
    .lower_pack_unorm_4x8 = true,
    .lower_pack_snorm_4x8 = true,
    .has_fused_comp_and_csel = true,
    .has_ddx_intrinsics = true,
    .discard_is_demote = true,
    .no_integers = true,
    .max_unroll_iterations = 32,
    .force_indirect_unrolling_sampler = true,
    .support_indirect_inputs = ATTILA_STAGES,
    .support_indirect_outputs = BITFIELD_BIT(MESA_SHADER_VERTEX),
    .io_options = nir_io_has_intrinsics,
};

const struct nir_shader_compiler_options *
attila_nir_options(UNUSED gl_shader_stage stage)
{
   return &attila_options;
}

/* Operations that take component x only. */
static bool
is_scalar_op(nir_op op)
{
   switch (op) {
   case nir_op_frcp:
   case nir_op_frsq:
   case nir_op_fsqrt:
   case nir_op_fexp2:
   case nir_op_flog2:
   case nir_op_fpow:
   case nir_op_fsin:
   case nir_op_fcos:
   case nir_op_fdiv:
      return true;
   default:
      return false;
   }
}

static bool
scalar_filter(const nir_instr *instr, UNUSED const void *data)
{
   return instr->type == nir_instr_type_alu && is_scalar_op(nir_instr_as_alu(instr)->op);
}

static uint8_t
vector_width(const nir_instr *instr, UNUSED const void *data)
{
   if (instr->type != nir_instr_type_alu)
      return 0;
   return is_scalar_op(nir_instr_as_alu(instr)->op) ? 1 : 4;
}

static bool
optimize(nir_shader *nir)
{
   bool progress, any = false;
   do {
      progress = false;
      NIR_PASS(progress, nir, nir_lower_vars_to_ssa);
      NIR_PASS(progress, nir, nir_opt_copy_prop_vars);
      NIR_PASS(progress, nir, nir_opt_dead_write_vars);
      NIR_PASS(progress, nir, nir_copy_prop);
      NIR_PASS(progress, nir, nir_opt_remove_phis);
      NIR_PASS(progress, nir, nir_opt_dce);
      NIR_PASS(progress, nir, nir_opt_if, nir_opt_if_optimize_phi_true_false);
      NIR_PASS(progress, nir, nir_opt_dead_cf);
      NIR_PASS(progress, nir, nir_opt_cse);
      NIR_PASS(progress, nir, nir_opt_conditional_discard);
      NIR_PASS(progress, nir, nir_opt_peephole_select, 12, true, true);
      NIR_PASS(progress, nir, nir_opt_algebraic);
      NIR_PASS(progress, nir, nir_opt_constant_folding);
      NIR_PASS(progress, nir, nir_opt_undef);
      NIR_PASS(progress, nir, nir_opt_shrink_vectors, false);
      NIR_PASS(progress, nir, nir_opt_loop);
      NIR_PASS(progress, nir, nir_opt_loop_unroll);
      any |= progress;
   } while (progress);
   return any;
}

static bool
optimize_late(nir_shader *nir)
{
   bool progress, any = false;
   do {
      progress = false;
      NIR_PASS(progress, nir, nir_opt_algebraic_late);
      NIR_PASS(progress, nir, nir_opt_constant_folding);
      NIR_PASS(progress, nir, nir_copy_prop);
      NIR_PASS(progress, nir, nir_opt_dce);
      NIR_PASS(progress, nir, nir_opt_cse);
      any |= progress;
   } while (progress);
   return any;
}

/* The magnitude of a quotient of whole numbers: x * (1 / y) may miss by one, which an exact
 * remainder shows. */
static nir_def *
build_udiv(nir_builder *b, nir_def *x, nir_def *y)
{
   nir_def *q = nir_ffloor(b, nir_fmul(b, x, nir_frcp(b, y)));
   nir_def *r = nir_fadd(b, x, nir_fneg(b, nir_fmul(b, q, y)));
   q = nir_fadd(b, q, nir_b2f32(b, nir_fge(b, r, y)));
   return nir_fadd(b, q, nir_fneg(b, nir_b2f32(b, nir_flt_imm(b, r, 0.0))));
}

/* Integer division and remainder, which nir_lower_int_to_float would do inexactly or not at all. */
static bool
lower_idiv_instr(nir_builder *b, nir_alu_instr *alu, UNUSED void *data)
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
   nir_def *q = build_udiv(b, nir_fabs(b, x), nir_fabs(b, y));
   if (is_signed)
      q = nir_fmul(b, q, nir_fmul(b, nir_fsign(b, x), nir_fsign(b, y)));
   nir_def *result = q;
   if (!quotient) {
      result = nir_fadd(b, x, nir_fneg(b, nir_fmul(b, q, y)));
      if (alu->op == nir_op_imod) {
         /* The remainder takes the divisor's sign. */
         nir_def *other = nir_flt_imm(b, nir_fmul(b, result, y), 0.0);
         result = nir_fadd(b, result, nir_fmul(b, nir_b2f32(b, other), y));
      }
   }
   result = nir_f2i32(b, result);
   b->exact = exact;
   nir_def_replace(&alu->def, result);
   return true;
}

static bool
lower_idiv(nir_shader *nir)
{
   return nir_shader_alu_pass(nir, lower_idiv_instr, nir_metadata_control_flow, NULL);
}

/* Local arrays of integers hold floats; the conversions tell nir_lower_int_to_float what their
 * constants are. */
static bool
type_local_instr(nir_builder *b, nir_intrinsic_instr *intr, UNUSED void *data)
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

static bool
type_locals(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, type_local_instr, nir_metadata_control_flow, NULL);
}

static bool
locals_to_regs(nir_shader *nir)
{
   return nir_lower_locals_to_regs(nir, 1);
}

/* Whether nir_lower_int_to_float knows what to do with an operation; it asserts otherwise. */
static bool
int_op_is_supported(const nir_alu_instr *alu)
{
   switch (alu->op) {
   case nir_op_mov:
   case nir_op_vec2:
   case nir_op_vec3:
   case nir_op_vec4:
   case nir_op_bcsel:
   case nir_op_b2i32:
   case nir_op_i2f32:
   case nir_op_u2f32:
   case nir_op_f2i32:
   case nir_op_f2u32:
   case nir_op_ilt:
   case nir_op_ige:
   case nir_op_ieq:
   case nir_op_ine:
   case nir_op_ult:
   case nir_op_uge:
   case nir_op_iadd:
   case nir_op_isub:
   case nir_op_imul:
   case nir_op_iabs:
   case nir_op_ineg:
   case nir_op_imax:
   case nir_op_imin:
   case nir_op_umax:
   case nir_op_umin:
   case nir_op_ball_iequal2:
   case nir_op_ball_iequal3:
   case nir_op_ball_iequal4:
   case nir_op_bany_inequal2:
   case nir_op_bany_inequal3:
   case nir_op_bany_inequal4:
      return true;
   default:
      break;
   }
   const nir_op_info *info = &nir_op_infos[alu->op];
   bool integer = false, boolean = alu->def.bit_size == 1;
   nir_alu_type type = nir_alu_type_get_base_type(info->output_type);
   integer |= type == nir_type_int || type == nir_type_uint;
   for (unsigned i = 0; i < info->num_inputs; i++) {
      type = nir_alu_type_get_base_type(info->input_types[i]);
      integer |= type == nir_type_int || type == nir_type_uint;
      boolean &= alu->src[i].src.ssa->bit_size == 1;
   }
   if (!boolean)
      return !integer;
   return !integer || alu->op == nir_op_iand || alu->op == nir_op_ior || alu->op == nir_op_ixor ||
          alu->op == nir_op_inot;
}

/* What the machine has no arithmetic for; a shader that needs it fails to compile. */
static bool
check_types(nir_shader *nir, void *mem, char **error)
{
   nir_foreach_function_impl (impl, nir) {
      nir_foreach_block (block, impl) {
         nir_foreach_instr (instr, block) {
            nir_def *def = nir_instr_def(instr);
            if (def && def->bit_size != 1 && def->bit_size != 32 &&
                instr->type != nir_instr_type_deref) {
               *error = ralloc_asprintf(mem, "values of %u bits", def->bit_size);
               return false;
            }
            if (def && def->num_components > 4) {
               *error = ralloc_asprintf(mem, "vectors of %u components", def->num_components);
               return false;
            }
            if (instr->type == nir_instr_type_alu &&
                !int_op_is_supported(nir_instr_as_alu(instr))) {
               *error = ralloc_asprintf(mem, "integer operation %s",
                                        nir_op_infos[nir_instr_as_alu(instr)->op].name);
               return false;
            }
         }
      }
   }
   return true;
}

static bool
bool_to_float(nir_shader *nir)
{
   bool progress = nir_lower_bool_to_float(nir, true);
   /* Registers of booleans: their declarations follow. */
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

static bool
lower_io(nir_shader *nir)
{
   if (nir->info.io_lowered)
      return false;
   unsigned vars = 0;
   nir_foreach_variable_with_modes (var, nir, nir_var_shader_in | nir_var_shader_out)
      vars++;
   if (vars)
      nir_lower_io_passes(nir, false);
   return vars != 0;
}

/* Constant offsets move to the base: whether a constant that only an intrinsic reads is an integer
 * could not be told once integers are floats. */
static bool
fold_uniform_offset(nir_builder *b, nir_intrinsic_instr *intr, UNUSED void *data)
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

static bool
fold_offsets(nir_shader *nir)
{
   bool progress =
       nir_shader_intrinsics_pass(nir, fold_uniform_offset, nir_metadata_control_flow, NULL);
   return progress | nir_io_add_const_offset_to_base(nir, nir_var_shader_in | nir_var_shader_out);
}

static int
vec4_slots(const struct glsl_type *type, bool bindless)
{
   return glsl_count_vec4_slots(type, false, bindless);
}

static bool
lower_uniforms(nir_shader *nir)
{
   return nir_lower_io(nir, nir_var_uniform, vec4_slots, 0);
}

static bool
alu_to_scalar(nir_shader *nir)
{
   return nir_lower_alu_to_scalar(nir, scalar_filter, NULL);
}

static bool
vectorize(nir_shader *nir)
{
   bool progress, any = false;
   do {
      progress = nir_opt_vectorize(nir, vector_width, NULL);
      any |= progress;
   } while (progress);
   return any;
}

static bool
remove_dead_locals(nir_shader *nir)
{
   return nir_remove_dead_variables(nir, nir_var_function_temp, NULL);
}

static bool
sink(nir_shader *nir)
{
   nir_move_options what = nir_move_const_undef | nir_move_load_input | nir_move_load_uniform |
                           nir_move_copies | nir_move_comparisons;
   bool progress = nir_opt_sink(nir, what);
   return progress | nir_opt_move(nir, what);
}

static bool
from_ssa(nir_shader *nir)
{
   return nir_convert_from_ssa(nir, true, false);
}

struct nir_step {
   const char *name;
   bool (*run)(nir_shader *nir);
};

/* Before the check of types: integers and booleans are still there. */
static const struct nir_step typed_steps[] = {
    {"io", lower_io},
    {"uniforms", lower_uniforms},
    {"copies", nir_split_var_copies},
    {"var copies", nir_lower_var_copies},
    {"globals", nir_lower_global_vars_to_local},
    {"optimize", optimize},
    {"idiv", lower_idiv},
    {"scalar", alu_to_scalar},
    {"optimize", optimize},
    {"locals", remove_dead_locals},
    {"local types", type_locals},
    {"late", optimize_late},
    {"registers", locals_to_regs},
    {"offsets", fold_offsets},
    {"dce", nir_opt_dce},
    {"undef", nir_lower_undef_to_zero},
};

static const struct nir_step float_steps[] = {
    {"int to float", nir_lower_int_to_float},
    {"copy propagation", nir_copy_prop},
    {"bool to float", bool_to_float},
    {"copy propagation", nir_copy_prop},
    {"dce", nir_opt_dce},
    {"vectorize", vectorize},
    {"scalar", alu_to_scalar},
    {"copy propagation", nir_copy_prop},
    {"cse", nir_opt_cse},
    {"dce", nir_opt_dce},
    {"sink", sink},
    {"from ssa", from_ssa},
    {"dce", nir_opt_dce},
};

static void
run_steps(nir_shader *nir, const struct nir_step *steps, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      steps[i].run(nir);
      nir_validate_shader(nir, steps[i].name);
   }
}

bool
attila_nir_lower(nir_shader *nir, void *mem, char **error)
{
   if (nir->info.stage != MESA_SHADER_VERTEX && nir->info.stage != MESA_SHADER_FRAGMENT) {
      *error = ralloc_asprintf(mem, "shader stage %s", gl_shader_stage_name(nir->info.stage));
      return false;
   }
   run_steps(nir, typed_steps, ARRAY_SIZE(typed_steps));
   if (!check_types(nir, mem, error))
      return false;
   run_steps(nir, float_steps, ARRAY_SIZE(float_steps));
   return true;
}
