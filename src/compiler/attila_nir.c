/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Options that describe the machine to Mesa, and tables of NIR passes that lower a shader to
 * vectors of 32-bit values. Without native integers these are floats that hold whole numbers, exact
 * up to 2^24, as GLSL 1.20 and ES 2.0 allow. Selection: attila_select.c. */
#include "attila_nir.h"
#include "compiler/nir/nir_builder.h"

#define ATTILA_NIR_STAGES                                                   \
   (BITFIELD_BIT(MESA_SHADER_VERTEX) | BITFIELD_BIT(MESA_SHADER_GEOMETRY) | \
    BITFIELD_BIT(MESA_SHADER_FRAGMENT) | BITFIELD_BIT(MESA_SHADER_COMPUTE))

/* Options for shaders with and without native integers. */
#define ATTILA_OPTIONS                                                                         \
   .lower_fdiv = true, .lower_fmod = true, .fuse_ffma32 = true, .lower_isign = true,           \
   .lower_ldexp = true, .lower_extract_byte = true, .lower_extract_word = true,                \
   .lower_insert_byte = true, .lower_insert_word = true, .lower_pack_half_2x16 = true,         \
   .lower_pack_unorm_2x16 = true, .lower_pack_snorm_2x16 = true, .lower_pack_unorm_4x8 = true, \
   .lower_pack_snorm_4x8 = true, .has_fused_comp_and_csel = true, .has_ddx_intrinsics = true,  \
   .discard_is_demote = true, .max_unroll_iterations = 32,                                     \
   .support_indirect_inputs = ATTILA_NIR_STAGES,                                               \
   .support_indirect_outputs = BITFIELD_BIT(MESA_SHADER_VERTEX),                               \
   .io_options = nir_io_has_intrinsics, .source_lines = true

static const nir_shader_compiler_options attila_options[2] = {
    {ATTILA_OPTIONS, .no_integers = true, .lower_bitops = true},
    {ATTILA_OPTIONS,
     .lower_mul_high = true,
     .lower_iabs = true,
     .lower_uadd_carry = true,
     .lower_usub_borrow = true,
     .lower_uadd_sat = true,
     .lower_usub_sat = true,
     .lower_iadd_sat = true,
     .lower_hadd = true,
     .lower_bitfield_extract = true,
     .lower_bitfield_insert = true,
     .lower_bitfield_reverse = true,
     .lower_bit_count = true,
     .lower_ifind_msb = true,
     .lower_find_lsb = true,
     .lower_unpack_half_2x16 = true,
     .lower_unpack_unorm_2x16 = true,
     .lower_unpack_snorm_2x16 = true,
     .lower_unpack_unorm_4x8 = true,
     .lower_unpack_snorm_4x8 = true},
};

const struct nir_shader_compiler_options *
attila_nir_options(void)
{
   return &attila_options[0];
}

/* Returns whether an operation takes component x only. */
static bool
attila_nir_is_scalar_op(nir_op op)
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
attila_nir_scalar_filter(const nir_instr *instr, UNUSED const void *data)
{
   if (instr->type != nir_instr_type_alu)
      return false;
   const nir_op op = nir_instr_as_alu(instr)->op;
   return attila_nir_is_scalar_op(op) || op == nir_op_pack_half_2x16 ||
          op == nir_op_unpack_half_2x16; /* half floats are converted one by one (attila_nir_bits.c)
                                          */
}

/* Returns whether this is max(x, 0) as the base of a power, which can become part of LIT if it
 * stays scalar. */
static bool
attila_nir_is_base_of_power(const nir_alu_instr *alu)
{
   if (alu->op != nir_op_fmax)
      return false;
   nir_foreach_use(src, &alu->def)
   {
      const nir_instr *user = nir_src_parent_instr(src);
      if (user->type == nir_instr_type_alu && nir_instr_as_alu(user)->op == nir_op_fpow)
         return true;
   }
   return false;
}

static uint8_t
attila_nir_vector_width(const nir_instr *instr, UNUSED const void *data)
{
   if (instr->type != nir_instr_type_alu)
      return 0;
   const nir_alu_instr *alu = nir_instr_as_alu(instr);
   return attila_nir_is_scalar_op(alu->op) || attila_nir_is_base_of_power(alu) ? 1 : 4;
}

static bool
attila_nir_locals_to_regs(nir_shader *nir)
{
   return nir_lower_locals_to_regs(nir, 1);
}

/* Returns whether nir_lower_int_to_float knows an operation; on others it fails an assertion. */
static bool
attila_nir_int_op_is_supported(const nir_alu_instr *alu)
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

/* Returns whether some value of the instruction is an integer, or bits. */
static bool
attila_nir_is_integer_instr(nir_instr *instr)
{
   if (instr->type == nir_instr_type_tex) {
      const nir_tex_instr *tex = nir_instr_as_tex(instr);
      return nir_alu_type_get_base_type(tex->dest_type) != nir_type_float ||
             tex->op == nir_texop_txf || tex->op == nir_texop_txf_ms ||
             nir_tex_instr_src_index(tex, nir_tex_src_offset) >= 0;
   }
   if (instr->type == nir_instr_type_intrinsic) {
      const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
      nir_alu_type type = nir_type_float32;
      if (nir_intrinsic_has_dest_type(intr))
         type = nir_intrinsic_dest_type(intr);
      else if (nir_intrinsic_has_src_type(intr))
         type = nir_intrinsic_src_type(intr);
      type = nir_alu_type_get_base_type(type);
      return type == nir_type_int || type == nir_type_uint ||
             intr->intrinsic == nir_intrinsic_load_vertex_id ||
             intr->intrinsic == nir_intrinsic_load_instance_id ||
             intr->intrinsic == nir_intrinsic_load_base_vertex ||
             intr->intrinsic == nir_intrinsic_load_ubo ||
             intr->intrinsic == nir_intrinsic_load_ssbo ||
             intr->intrinsic == nir_intrinsic_store_ssbo ||
             intr->intrinsic == nir_intrinsic_ssbo_atomic ||
             intr->intrinsic == nir_intrinsic_ssbo_atomic_swap ||
             intr->intrinsic == nir_intrinsic_get_ssbo_size ||
             intr->intrinsic == nir_intrinsic_image_load ||
             intr->intrinsic == nir_intrinsic_image_store ||
             intr->intrinsic == nir_intrinsic_image_atomic ||
             intr->intrinsic == nir_intrinsic_image_atomic_swap ||
             intr->intrinsic == nir_intrinsic_image_size;
   }
   if (instr->type != nir_instr_type_alu)
      return false;
   const nir_alu_instr *alu = nir_instr_as_alu(instr);
   const nir_op_info *info = &nir_op_infos[alu->op];
   if (alu->op == nir_op_mov || nir_op_is_vec(alu->op) || alu->op == nir_op_bcsel)
      return false; /* moves any type */
   if (alu->op == nir_op_b2b32)
      return true; /* the tables for floats lower it */
   nir_alu_type type = nir_alu_type_get_base_type(info->output_type);
   bool integer = (type == nir_type_int || type == nir_type_uint) && alu->def.bit_size == 32;
   for (unsigned i = 0; i < info->num_inputs; i++) {
      type = nir_alu_type_get_base_type(info->input_types[i]);
      integer |= (type == nir_type_int || type == nir_type_uint) &&
                 nir_src_bit_size(alu->src[i].src) == 32;
   }
   return integer;
}

/* Chooses between native integers and floats. Before GLSL 1.30 integers have 16 bits, which floats
 * can hold, so these shaders (Mesa marks them as legacy) are compiled for floats. So are shaders
 * without integers, since the passes for floats simplify booleans better. */
static void
attila_nir_choose_options(nir_shader *nir)
{
   /* The vertex index, and an invocation's place, are integers. */
   if (nir->info.stage == MESA_SHADER_GEOMETRY || nir->info.stage == MESA_SHADER_COMPUTE)
      nir->options = &attila_options[1];
   if (nir->info.use_legacy_math_rules || !nir->options->no_integers)
      return;
   nir_foreach_function_impl (impl, nir) {
      nir_foreach_block (block, impl) {
         nir_foreach_instr (instr, block) {
            if (attila_nir_is_integer_instr(instr)) {
               nir->options = &attila_options[1];
               return;
            }
         }
      }
   }
}

/* Rejects types without arithmetic on the machine. */
static bool
attila_nir_check_types(nir_shader *nir, void *mem, char **error)
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
            if (nir->options->no_integers && instr->type == nir_instr_type_alu &&
                !attila_nir_int_op_is_supported(nir_instr_as_alu(instr))) {
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
attila_nir_lower_io(nir_shader *nir)
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

static int
attila_nir_vec4_slots(const struct glsl_type *type, bool bindless)
{
   return glsl_count_vec4_slots(type, false, bindless);
}

static bool
attila_nir_lower_uniforms(nir_shader *nir)
{
   return nir_lower_io(nir, nir_var_uniform, attila_nir_vec4_slots, 0);
}

static bool
attila_nir_alu_to_scalar(nir_shader *nir)
{
   return nir_lower_alu_to_scalar(nir, attila_nir_scalar_filter, NULL);
}

/* Merges loads within 16 aligned bytes, which one look-up of the constant cache serves, and loads
 * or stores of consecutive words of a storage buffer. */
static bool
attila_nir_may_merge_loads(unsigned align_mul, unsigned align_offset, unsigned bit_size,
                           unsigned num_components, int64_t hole_size, nir_intrinsic_instr *low,
                           UNUSED nir_intrinsic_instr *high, UNUSED void *data)
{
   return bit_size == 32 && num_components <= 4 && hole_size <= 0 &&
          (low->intrinsic != nir_intrinsic_load_ubo ||
           (align_mul >= 16 && align_offset % 16 + 4 * num_components <= 16));
}

static bool
attila_nir_merge_loads(nir_shader *nir)
{
   return nir_opt_load_store_vectorize(
       nir, &(nir_load_store_vectorize_options){.modes = nir_var_mem_ubo | nir_var_mem_ssbo |
                                                         nir_var_mem_shared,
                                                .callback = attila_nir_may_merge_loads});
}

static bool
attila_nir_is_store(const nir_instr *instr, UNUSED const void *data)
{
   return instr->type == nir_instr_type_intrinsic &&
          (nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_store_ssbo ||
           nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_store_shared);
}

/* Makes stores write all of their components. */
static bool
attila_nir_lower_stores(nir_shader *nir)
{
   return nir_lower_wrmasks(nir, attila_nir_is_store, NULL);
}

static bool
attila_nir_vectorize(nir_shader *nir)
{
   bool progress, any = false;
   do {
      progress = nir_opt_vectorize(nir, attila_nir_vector_width, NULL);
      any |= progress;
   } while (progress);
   return any;
}

/* Returns whether TXP can divide by the projector. It exists only for the implicit level of detail
 * of a fragment, and needs w for the projector, where some shadow maps have their reference. */
static bool
attila_nir_tex_can_project(const nir_shader *nir, const nir_tex_instr *tex)
{
   return nir->info.stage == MESA_SHADER_FRAGMENT && tex->op == nir_texop_tex &&
          !(tex->is_shadow && tex->sampler_dim == GLSL_SAMPLER_DIM_CUBE);
}

/* Lowers other projectors to divisions, and with them, for simplicity, all lookups of the same kind
 * of texture. */
static bool
attila_nir_lower_projectors(nir_shader *nir)
{
   nir_lower_tex_options options = {.lower_txp_array = true};
   nir_foreach_function_impl (impl, nir) {
      nir_foreach_block (block, impl) {
         nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_tex)
               continue;
            const nir_tex_instr *tex = nir_instr_as_tex(instr);
            if (nir_tex_instr_src_index(tex, nir_tex_src_projector) >= 0 &&
                !attila_nir_tex_can_project(nir, tex))
               options.lower_txp |= 1u << tex->sampler_dim;
         }
      }
   }
   return nir_lower_tex(nir, &options);
}

static bool
attila_nir_remove_dead_locals(nir_shader *nir)
{
   return nir_remove_dead_variables(nir, nir_var_function_temp, NULL);
}

static bool
attila_nir_sink(nir_shader *nir)
{
   nir_move_options what = nir_move_const_undef | nir_move_load_input | nir_move_load_uniform |
                           nir_move_load_ubo | nir_move_copies | nir_move_comparisons;
   bool progress = nir_opt_sink(nir, what);
   return progress | nir_opt_move(nir, what);
}

static bool
attila_nir_from_ssa(nir_shader *nir)
{
   return nir_convert_from_ssa(nir, true, false);
}

static bool
attila_nir_opt_if(nir_shader *nir)
{
   return nir_opt_if(nir, nir_opt_if_optimize_phi_true_false);
}

static bool
attila_nir_peephole_select(nir_shader *nir)
{
   return nir_opt_peephole_select(nir, 12, true, true);
}

static bool
attila_nir_shrink_vectors(nir_shader *nir)
{
   return nir_opt_shrink_vectors(nir, false);
}

/* A pass, or a table of passes that loop until nothing changes. */
struct nir_step {
   const char *name;
   bool (*run)(nir_shader *nir);
   const struct nir_step *loop;
   unsigned count; /* passes in the loop */
};

static const struct nir_step optimize[] = {
    {"variables to SSA", nir_lower_vars_to_ssa},
    {"copies of variables", nir_opt_copy_prop_vars},
    {"dead writes", nir_opt_dead_write_vars},
    {"copy propagation", nir_copy_prop},
    {"phis", nir_opt_remove_phis},
    {"dead code", nir_opt_dce},
    {"if", attila_nir_opt_if},
    {"dead control flow", nir_opt_dead_cf},
    {"common subexpressions", nir_opt_cse},
    {"conditional discard", nir_opt_conditional_discard},
    {"select", attila_nir_peephole_select},
    {"algebraic", nir_opt_algebraic},
    {"constant folding", nir_opt_constant_folding},
    {"undefined values", nir_opt_undef},
    {"shrink vectors", attila_nir_shrink_vectors},
    {"loops", nir_opt_loop},
    {"loop unrolling", nir_opt_loop_unroll},
};

static const struct nir_step optimize_late[] = {
    {"late algebraic", nir_opt_algebraic_late}, {"constant folding", nir_opt_constant_folding},
    {"copy propagation", nir_copy_prop},        {"dead code", nir_opt_dce},
    {"common subexpressions", nir_opt_cse},
};

#define LOOP(table) NULL, table, ARRAY_SIZE(table)

/* Adds the constant part of addresses of shared memory to the others. */
static bool
attila_nir_fold_shared_instr(nir_builder *b, nir_intrinsic_instr *intr, UNUSED void *data)
{
   const bool store = intr->intrinsic == nir_intrinsic_store_shared;
   if ((!store && intr->intrinsic != nir_intrinsic_load_shared &&
        intr->intrinsic != nir_intrinsic_shared_atomic &&
        intr->intrinsic != nir_intrinsic_shared_atomic_swap) ||
       !nir_intrinsic_base(intr))
      return false;
   nir_src *offset = &intr->src[store];
   b->cursor = nir_before_instr(&intr->instr);
   nir_src_rewrite(offset, nir_iadd_imm(b, offset->ssa, nir_intrinsic_base(intr)));
   nir_intrinsic_set_base(intr, 0);
   return true;
}

static bool
attila_nir_fold_shared(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, attila_nir_fold_shared_instr, nir_metadata_control_flow,
                                     NULL);
}

static const struct nir_step io_steps[] = {
    {"inputs and outputs", attila_nir_lower_io},
    {"samples", attila_nir_lower_samples},
    {"uniforms", attila_nir_lower_uniforms},
};

/* Steps before the check of types, while there are integers and booleans. */
static const struct nir_step typed_steps[] = {
    {"projectors", attila_nir_lower_projectors},
    {"splitting of copies", nir_split_var_copies},
    {"copies", nir_lower_var_copies},
    {"globals", nir_lower_global_vars_to_local},
    {"optimize", LOOP(optimize)},
    {"integer division", attila_nir_lower_idiv},
    {"scalar operations", attila_nir_alu_to_scalar},
    {"optimize", LOOP(optimize)},
    {"dead locals", attila_nir_remove_dead_locals},
    {"types of locals", attila_nir_type_locals},
    {"late", LOOP(optimize_late)},
    {"registers", attila_nir_locals_to_regs},
    {"offsets", attila_nir_fold_offsets},
    {"dead code", nir_opt_dce},
    {"undefined values", nir_lower_undef_to_zero},
};

static const struct nir_step float_steps[] = {
    {"integers to floats", nir_lower_int_to_float},
    {"copy propagation", nir_copy_prop},
    {"algebraic", nir_opt_algebraic},
    {"late", LOOP(optimize_late)},
    {"dead code", nir_opt_dce},
    {"booleans to floats", attila_nir_bool_to_float},
    {"copy propagation", nir_copy_prop},
    {"dead code", nir_opt_dce},
};

/* Shaders with native integers have tables of their own for these two parts. */
static bool
attila_nir_divide(nir_shader *nir)
{
   return nir_lower_idiv(nir, &(nir_lower_idiv_options){0});
}

static const struct nir_step integer_typed_steps[] = {
    {"projectors", attila_nir_lower_projectors},
    {"images", attila_nir_lower_images},
    {"splitting of copies", nir_split_var_copies},
    {"copies", nir_lower_var_copies},
    {"globals", nir_lower_global_vars_to_local},
    {"optimize", LOOP(optimize)},
    {"integer division", attila_nir_divide},
    {"products of 64 bits", attila_nir_split_products},
    {"high products", nir_lower_alu},
    {"arrays of inputs", attila_nir_lower_input_arrays},
    {"exponents", nir_lower_frexp},
    {"scalar operations", attila_nir_alu_to_scalar},
    {"optimize", LOOP(optimize)},
    {"merging of loads", attila_nir_merge_loads},
    {"parts of stores", attila_nir_lower_stores},
    {"constant addresses", attila_nir_fold_shared},
    {"optimize", LOOP(optimize)},
    {"bits", attila_nir_lower_bits},
    {"dead locals", attila_nir_remove_dead_locals},
    {"late", LOOP(optimize_late)},
    {"registers", attila_nir_locals_to_regs},
    {"offsets", attila_nir_fold_offsets},
    {"late", LOOP(optimize_late)},
    {"undefined values", nir_lower_undef_to_zero},
};

static const struct nir_step integer_steps[] = {
    {"booleans to floats", attila_nir_integer_bool},
    {"copy propagation", nir_copy_prop},
    {"dead code", nir_opt_dce},
};

/* Last steps, with and without native integers. */
static const struct nir_step register_steps[] = {
    {"vectorize", attila_nir_vectorize},
    {"scalar operations", attila_nir_alu_to_scalar},
    {"copy propagation", nir_copy_prop},
    {"common subexpressions", nir_opt_cse},
    {"dead code", nir_opt_dce},
    {"sink", attila_nir_sink},
    {"phis to registers", attila_nir_from_ssa},
    {"nesting", attila_nir_limit_nesting},
    {"dead code", nir_opt_dce},
};

static bool
attila_nir_run_steps(nir_shader *nir, const struct nir_step *steps, unsigned count, bool validate)
{
   bool progress = false;
   for (unsigned i = 0; i < count; i++) {
      const struct nir_step *step = &steps[i];
      if (step->loop) {
         while (attila_nir_run_steps(nir, step->loop, step->count, validate))
            progress = true;
         continue;
      }
      progress |= step->run(nir);
      if (validate)
         nir_validate_shader(nir, step->name);
   }
   return progress;
}

bool
attila_nir_lower(nir_shader *nir, const struct attila_compile_options *options,
                 struct attila_compiled *out, void *mem, char **error)
{
   const bool validate = options->debug & ATTILA_DEBUG_VALIDATE;
   out->alpha_ref_const = ATTILA_NO_CONST;
   if (!(ATTILA_NIR_STAGES & BITFIELD_BIT(nir->info.stage))) {
      *error = ralloc_asprintf(mem, "shader stage %s", gl_shader_stage_name(nir->info.stage));
      return false;
   }
   if (validate)
      nir_validate_shader(nir, "as received");
   attila_nir_run_steps(nir, io_steps, ARRAY_SIZE(io_steps), validate);
   if (options->variant.alpha_test) {
      out->alpha_ref_const = attila_nir_alpha_test(nir, &options->variant);
      if (validate)
         nir_validate_shader(nir, "alpha test");
   }
   attila_nir_choose_options(nir);
   const bool integers = !nir->options->no_integers;
   if (integers)
      attila_nir_run_steps(nir, integer_typed_steps, ARRAY_SIZE(integer_typed_steps), validate);
   else
      attila_nir_run_steps(nir, typed_steps, ARRAY_SIZE(typed_steps), validate);
   if (!attila_nir_check_types(nir, mem, error))
      return false;
   if (integers)
      attila_nir_run_steps(nir, integer_steps, ARRAY_SIZE(integer_steps), validate);
   else
      attila_nir_run_steps(nir, float_steps, ARRAY_SIZE(float_steps), validate);
   attila_nir_run_steps(nir, register_steps, ARRAY_SIZE(register_steps), validate);
   return true;
}
