/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The compiler's NIR half: lowering to what the instruction set has, and selection of
 * instructions. */
#ifndef ATTILA_NIR_H
#define ATTILA_NIR_H

#include "attila_compiler.h"
#include "attila_ir.h"
#include "compiler/nir/nir.h"

/* attila_nir.c: runs the NIR passes, each followed by Mesa's validator (which aborts) with
 * ATTILA_DEBUG_VALIDATE in options->debug. Afterwards all values have 32 bits and are floats if the
 * shader has no native integers (nir_shader_compiler_options.no_integers); local arrays are
 * registers, phis are gone, and out->alpha_ref_const is set. Returns false and a message in *error
 * (a child of mem) for what the machine cannot do. */
bool attila_nir_lower(nir_shader *nir, const struct attila_compile_options *options,
                      struct attila_compiled *out, void *mem, char **error);

/* attila_nir_lower.c: our own passes. */
bool attila_nir_lower_idiv(nir_shader *nir);
bool attila_nir_type_locals(nir_shader *nir);
/* attila_nir_image.c */
bool attila_nir_lower_images(nir_shader *nir);
bool attila_nir_bool_to_float(nir_shader *nir);
/* Gives registers of booleans 32 bits, once booleans have these. */
bool attila_nir_bool_registers(nir_shader *nir);
bool attila_nir_fold_offsets(nir_shader *nir);
/* Lowers indexed arrays in a geometry shader's inputs: the machine indexes vertices. */
bool attila_nir_lower_input_arrays(nir_shader *nir);

/* attila_nir_bits.c: bit functions that Mesa does not lower. */
bool attila_nir_lower_bits(nir_shader *nir);
bool attila_nir_split_products(nir_shader *nir);

/* attila_nir_bool.c: booleans become floats in shaders with native integers. */
bool attila_nir_integer_bool(nir_shader *nir);

/* attila_nir_samples.c: sample variables, and interpolation at samples and offsets. */
bool attila_nir_lower_samples(nir_shader *nir);

/* attila_nir_nesting.c: reduces the nesting of IF and LOOP to ATTILA_ISA_MAX_NESTING levels, except
 * where code follows the innermost ones. Phis must be registers. */
bool attila_nir_limit_nesting(nir_shader *nir);

/* attila_nir_alpha.c: adds the alpha test; inputs, outputs and uniforms must be intrinsics. Returns
 * the constant register of the reference, or ATTILA_NO_CONST if the shader writes no alpha. */
unsigned attila_nir_alpha_test(nir_shader *nir, const struct attila_variant *variant);

/* attila_nir_unsupported.c: returns a feature of the shader that this GPU lacks and that the
 * compiler would otherwise ignore, or NULL. */
const char *attila_ignored_feature(const nir_shader *nir);
/* Returns the first feature of a refused shader that this GPU lacks, or NULL if it is unknown. */
const char *attila_missing_feature(const nir_shader *nir);

struct attila_pattern;

/* State of a shader's selection. */
struct attila_select {
   struct air *ir;
   nir_shader *nir;
   struct attila_compiled *out;
   bool integers;  /* the shader has native integers: offsets and instance numbers are integers */
   uint32_t *vreg; /* by NIR value index: virtual register + 1 */
   uint8_t *input_reg; /* geometry: by varying slot, input + 1; fragment: register + 1, then those
                        * of inputs that are read at centroids, too */
   struct attila_pattern **pattern; /* by NIR instruction index; NULL: no pattern */
   struct {
      uint32_t key; /* the offset that this address component holds, as virtual register * 4 +
                       component + 1; 0: none */
      uint32_t age;
   } address[4];
   uint32_t clock;
};

/* attila_select.c */
bool attila_select_shader(struct air *ir, nir_shader *nir, struct attila_compiled *out);
unsigned attila_select_def(struct attila_select *e, nir_def *def);
struct attila_isa_src attila_select_src(struct attila_select *e, nir_src *src);
/* Returns an operand that reads these channels of a value. */
struct attila_isa_src attila_select_channels(struct attila_select *e, nir_def *def,
                                             const uint8_t *swizzle, unsigned count);
struct attila_isa_src attila_select_scalars(struct attila_select *e, const nir_scalar *scalars,
                                            unsigned count);
/* Returns a value's component x for all channels. */
struct attila_isa_src attila_select_scalar(struct attila_select *e, nir_src *src);
void attila_select_vector(struct attila_select *e, unsigned vreg, const nir_scalar *scalars,
                          unsigned count);
struct attila_isa_instr *attila_select_op(struct attila_select *e, unsigned op, unsigned vreg,
                                          uint8_t mask);
/* Returns a component of the address register that holds the offset, after loading it if
 * necessary. */
unsigned attila_select_address(struct attila_select *e, nir_src *offset);
void attila_select_forget_addresses(struct attila_select *e);

/* Return whether a component is the result of op; an operand of its operation; whether it is this
 * constant. */
static inline bool
attila_scalar_is(nir_scalar s, nir_op op)
{
   return nir_scalar_is_alu(s) && nir_scalar_alu_op(s) == op;
}
static inline nir_scalar
attila_scalar_operand(nir_scalar s, unsigned src)
{
   return nir_scalar_chase_movs(nir_scalar_chase_alu_src(s, src));
}
static inline bool
attila_scalar_is_float(nir_scalar s, double value)
{
   return nir_scalar_is_const(s) && nir_scalar_as_float(s) == value;
}

/* attila_select_pattern.c. The first function runs before selection and finds instructions that
 * each replace several NIR instructions. The second one selects such an instruction if the NIR
 * instruction belongs to one. */
void attila_select_find_patterns(struct attila_select *e, nir_function_impl *impl);
bool attila_select_pattern(struct attila_select *e, nir_alu_instr *alu);

/* attila_select_io.c */
void attila_select_layout(struct attila_select *e);
/* attila_select_memory.c: selects a memory instruction. Returns false if it is something else. */
bool attila_select_memory(struct attila_select *e, nir_intrinsic_instr *intr);
void attila_select_intrinsic(struct attila_select *e, nir_intrinsic_instr *intr);

/* attila_select_tex.c */
void attila_select_texture(struct attila_select *e, nir_tex_instr *tex);

static inline struct attila_isa_src
attila_temp(unsigned vreg)
{
   return (struct attila_isa_src){
       .file = ATTILA_FILE_TEMP, .index = vreg, .swizzle = ATTILA_SWZ_XYZW};
}

/* Returns the operand with channel c in every channel. */
static inline struct attila_isa_src
attila_replicate(struct attila_isa_src src, unsigned c)
{
   unsigned k = ATTILA_SWZ_GET(src.swizzle, c);
   src.swizzle = ATTILA_SWZ(k, k, k, k);
   return src;
}

#endif
