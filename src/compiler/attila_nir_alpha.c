/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The alpha test as shader code before the store of the first colour, as in Mesa's
 * nir_lower_alpha_test. Unlike that one it can first multiply alpha by the coverage of a smooth
 * primitive, and takes the reference from a constant register that the driver sets. */
#include "attila_nir.h"
#include "compiler/nir/nir_builder.h"

static_assert((int)COMPARE_FUNC_NEVER == (int)ATTILA_FUNC_NEVER &&
                  (int)COMPARE_FUNC_GREATER == (int)ATTILA_FUNC_GREATER &&
                  (int)COMPARE_FUNC_ALWAYS == (int)ATTILA_FUNC_ALWAYS,
              "comparisons");

struct alpha_test {
   const struct attila_variant *variant;
   unsigned ref_const;
   bool added;
};

/* Returns the first constant register beyond the uniforms. */
static unsigned
attila_nir_alpha_free_const(nir_shader *nir)
{
   unsigned first = nir->num_uniforms;
   nir_foreach_block (block, nir_shader_get_entrypoint(nir)) {
      nir_foreach_instr (instr, block) {
         if (instr->type != nir_instr_type_intrinsic)
            continue;
         const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
         if (intr->intrinsic == nir_intrinsic_load_uniform)
            first = MAX2(first, nir_intrinsic_base(intr) + MAX2(nir_intrinsic_range(intr), 1));
      }
   }
   return first;
}

/* Returns the channel of a stored value that is the alpha of the colour, or -1. */
static int
attila_nir_alpha_channel(const nir_intrinsic_instr *intr)
{
   if (intr->intrinsic != nir_intrinsic_store_output)
      return -1;
   const nir_io_semantics sem = nir_intrinsic_io_semantics(intr);
   const unsigned component = nir_intrinsic_component(intr);
   if ((sem.location != FRAG_RESULT_COLOR && sem.location != FRAG_RESULT_DATA0) ||
       sem.dual_source_blend_index || component > 3)
      return -1;
   const unsigned channel = 3 - component;
   return channel < intr->num_components && nir_intrinsic_write_mask(intr) & 1u << channel
              ? (int)channel
              : -1;
}

static bool
attila_nir_alpha_add_test(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   struct alpha_test *t = data;
   const int channel = attila_nir_alpha_channel(intr);
   if (channel < 0)
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   nir_def *zero = nir_imm_int(b, 0);
   nir_def *alpha = nir_channel(b, intr->src[0].ssa, channel);
   if (t->variant->alpha_coverage) {
      const nir_io_semantics face = {.location = VARYING_SLOT_FACE, .num_slots = 1};
      alpha = nir_fmul(b, alpha,
                       nir_load_input(b, 1, 32, zero, .component = 1, .io_semantics = face,
                                      .dest_type = nir_type_float32));
   }
   nir_def *ref = nir_load_uniform(b, 1, 32, zero, .base = t->ref_const, .range = 1,
                                   .dest_type = nir_type_float32);
   nir_def *passes = nir_compare_func(b, t->variant->alpha_func, alpha, ref);
   nir_discard_if(b, nir_inot(b, passes));
   b->shader->info.fs.uses_discard = true;
   t->added = true;
   return true;
}

unsigned
attila_nir_alpha_test(nir_shader *nir, const struct attila_variant *variant)
{
   struct alpha_test t = {.variant = variant, .ref_const = attila_nir_alpha_free_const(nir)};
   nir_shader_intrinsics_pass(nir, attila_nir_alpha_add_test, nir_metadata_control_flow, &t);
   if (!t.added)
      return ATTILA_NO_CONST;
   nir->num_uniforms = MAX2(nir->num_uniforms, t.ref_const + 1);
   return t.ref_const;
}
