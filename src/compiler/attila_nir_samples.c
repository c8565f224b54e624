/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Sample variables and interpolation at other places of a pixel (GLSL 4.00), made of the words of
 * the input ATTILA_SLOT_SAMPLES (attila_fs_input_regs.samples). A noperspective input is linear in
 * the window, and so is any other times 1 / w. So its value elsewhere follows from derivatives,
 * which are taken where the shader starts: there no lane of a quad is inactive. */
#include "attila_nir.h"
#include "compiler/nir/nir_builder.h"

struct samples {
   nir_builder start; /* behind what was added to the start of the shader */
   nir_def *words;    /* NULL: not read yet */
};

/* What is linear in the window, and its change to the next pixel. */
struct linear {
   nir_def *value, *dx, *dy;
};

static nir_def *
attila_nir_samples_word(struct samples *s, unsigned word)
{
   if (!s->words) {
      nir_builder *b = &s->start;
      s->words = nir_load_input(b, 4, 32, nir_imm_int(b, 0), .dest_type = nir_type_uint32,
                                .io_semantics = {.location = ATTILA_SLOT_SAMPLES, .num_slots = 1});
      b->shader->info.use_legacy_math_rules = false; /* the words are integers */
   }
   return nir_channel(&s->start, s->words, word);
}

/* Returns a position in the pixel, 0 to 1, as bits 0 to 7 of a word have it. */
static nir_def *
attila_nir_samples_position(nir_builder *b, nir_def *word)
{
   nir_def *x = nir_iand_imm(b, word, 15), *y = nir_iand_imm(b, nir_ushr_imm(b, word, 4), 15);
   return nir_fmul_imm(b, nir_u2f32(b, nir_vec2(b, x, y)), 1.0 / 16.0);
}

/* Returns the position of the pixel's inputs. */
static nir_def *
attila_nir_samples_here(struct samples *s, nir_builder *b)
{
   return attila_nir_samples_position(b, nir_ushr_imm(b, attila_nir_samples_word(s, 1), 8));
}

static nir_def *
attila_nir_samples_of_number(struct samples *s, nir_builder *b, nir_def *sample)
{
   nir_def *word = nir_bcsel(b, nir_ult_imm(b, sample, 4), attila_nir_samples_word(s, 2),
                             attila_nir_samples_word(s, 3));
   nir_def *bits = nir_ishl_imm(b, nir_iand_imm(b, sample, 3), 3);
   return attila_nir_samples_position(b, nir_ushr(b, word, bits));
}

static struct linear
attila_nir_samples_linear(nir_builder *b, nir_def *value)
{
   return (struct linear){value, nir_ddx(b, value), nir_ddy(b, value)};
}

/* Returns the value at (x, y) pixels from where the inputs are. */
static nir_def *
attila_nir_samples_move(nir_builder *b, const struct linear *l, nir_def *x, nir_def *y)
{
   return nir_fadd(b, nir_fadd(b, l->value, nir_fmul(b, l->dx, x)), nir_fmul(b, l->dy, y));
}

/* Returns element i of an input, or the element times 1 / w. */
static struct linear
attila_nir_samples_element(struct samples *s, nir_intrinsic_instr *intr, nir_def *bary, nir_def *w,
                           unsigned i)
{
   nir_builder *b = &s->start;
   nir_io_semantics sem = nir_intrinsic_io_semantics(intr);
   sem.location += i;
   sem.num_slots = 1;
   nir_def *value = nir_load_interpolated_input(
       b, intr->def.num_components, 32, bary, nir_imm_int(b, 0),
       .base = nir_intrinsic_base(intr) + i, .component = nir_intrinsic_component(intr),
       .dest_type = nir_type_float32, .io_semantics = sem);
   return attila_nir_samples_linear(b, w ? nir_fmul(b, value, w) : value);
}

/* Interpolates an input, or one that an index chooses of several, at a position in the pixel. */
static nir_def *
attila_nir_samples_interpolate(struct samples *s, nir_builder *b, nir_intrinsic_instr *intr,
                               enum glsl_interp_mode mode, nir_def *position)
{
   nir_builder *start = &s->start;
   const nir_src *index = nir_get_io_offset_src(intr);
   const bool constant = nir_src_is_const(*index);
   nir_def *bary = nir_load_barycentric_pixel(start, 32, .interp_mode = mode);
   struct linear w = {0}, chosen = {0};
   if (mode != INTERP_MODE_NOPERSPECTIVE)
      w = attila_nir_samples_linear(start, nir_channel(start, nir_load_frag_coord(start), 3));
   const unsigned first = constant ? nir_src_as_uint(*index) : 0,
                  end = constant ? first + 1 : MAX2(nir_intrinsic_io_semantics(intr).num_slots, 1);
   for (unsigned i = first; i < end; i++) {
      const struct linear l = attila_nir_samples_element(s, intr, bary, w.value, i);
      if (i == first) {
         chosen = l;
         continue;
      }
      nir_def *is = nir_ieq_imm(b, index->ssa, i);
      chosen =
          (struct linear){nir_bcsel(b, is, l.value, chosen.value),
                          nir_bcsel(b, is, l.dx, chosen.dx), nir_bcsel(b, is, l.dy, chosen.dy)};
   }
   nir_def *move = nir_fsub(b, position, attila_nir_samples_here(s, b));
   nir_def *x = nir_channel(b, move, 0), *y = nir_channel(b, move, 1);
   nir_def *value = attila_nir_samples_move(b, &chosen, x, y);
   return w.value ? nir_fmul(b, value, nir_frcp(b, attila_nir_samples_move(b, &w, x, y))) : value;
}

/* Returns what replaces an instruction, or NULL. */
static nir_def *
attila_nir_samples_replace(struct samples *s, nir_builder *b, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_sample_id:
      return attila_nir_samples_word(s, 0);
   case nir_intrinsic_load_sample_mask_in:
      return nir_iand_imm(b, attila_nir_samples_word(s, 1), 255);
   case nir_intrinsic_load_sample_pos:
      return attila_nir_samples_here(s, b);
   case nir_intrinsic_load_interpolated_input:
      break;
   default:
      return NULL;
   }
   const nir_intrinsic_instr *bary = nir_src_as_intrinsic(intr->src[0]);
   const enum glsl_interp_mode mode = nir_intrinsic_interp_mode(bary);
   if (bary->intrinsic == nir_intrinsic_load_barycentric_at_sample)
      return attila_nir_samples_interpolate(s, b, intr, mode,
                                            attila_nir_samples_of_number(s, b, bary->src[0].ssa));
   if (bary->intrinsic == nir_intrinsic_load_barycentric_at_offset)
      return attila_nir_samples_interpolate(s, b, intr, mode,
                                            nir_fadd_imm(b, bary->src[0].ssa, 0.5));
   return NULL;
}

bool
attila_nir_lower_samples(nir_shader *nir)
{
   if (nir->info.stage != MESA_SHADER_FRAGMENT)
      return false;
   nir_function_impl *impl = nir_shader_get_entrypoint(nir);
   nir_builder b = nir_builder_create(impl);
   struct samples s = {.start = nir_builder_at(nir_before_impl(impl))};
   bool progress = false;
   if (nir->info.outputs_written & BITFIELD64_BIT(FRAG_RESULT_SAMPLE_MASK))
      nir->info.use_legacy_math_rules = false; /* the samples that stay are an integer */
   nir_foreach_block (block, impl) {
      nir_foreach_instr_safe (instr, block) {
         if (instr->type != nir_instr_type_intrinsic)
            continue;
         nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
         b.cursor = nir_before_instr(instr);
         nir_def *value = attila_nir_samples_replace(&s, &b, intr);
         if (!value)
            continue;
         nir_def_replace(&intr->def, value);
         progress = true;
      }
   }
   nir_metadata_preserve(impl, progress ? nir_metadata_control_flow : nir_metadata_all);
   return progress;
}
