/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * NIR pass that gives accesses of images the coordinates of the machine: x, y, and a slice, layer
 * or face in z, whatever the kind of image, which becomes an array of 2D ones. Sizes come likewise.
 * Not here: which instruction an access becomes (attila_select_memory.c). */
#include "attila_nir.h"
#include "nir_builder.h"

static bool
attila_nir_image_coord(nir_builder *b, nir_intrinsic_instr *intr, bool flat, bool deep)
{
   nir_def *coord = intr->src[1].ssa, *zero = nir_imm_int(b, 0);
   nir_def *y = nir_channel(b, coord, 1);
   nir_def *z = !deep ? zero : flat ? y : nir_channel(b, coord, 2);
   nir_src_rewrite(&intr->src[1], nir_vec4(b, nir_channel(b, coord, 0), flat ? zero : y, z, zero));
   nir_intrinsic_set_image_dim(intr, GLSL_SAMPLER_DIM_2D);
   nir_intrinsic_set_image_array(intr, true);
   return true;
}

/* The layers of an array of 1D images are in z. */
static bool
attila_nir_image_size_1d_array(nir_builder *b, nir_intrinsic_instr *intr)
{
   nir_def *size = nir_image_size(b, 3, 32, intr->src[0].ssa, intr->src[1].ssa,
                                  .image_dim = GLSL_SAMPLER_DIM_2D, .image_array = true);
   nir_def_replace(&intr->def, nir_vec2(b, nir_channel(b, size, 0), nir_channel(b, size, 2)));
   return true;
}

static bool
attila_nir_image_lower(nir_builder *b, nir_intrinsic_instr *intr, UNUSED void *data)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_image_load:
   case nir_intrinsic_image_store:
   case nir_intrinsic_image_atomic:
   case nir_intrinsic_image_atomic_swap:
   case nir_intrinsic_image_size:
      break;
   default:
      return false;
   }
   const enum glsl_sampler_dim dim = nir_intrinsic_image_dim(intr);
   const bool array = nir_intrinsic_image_array(intr);
   const bool flat = dim == GLSL_SAMPLER_DIM_1D || dim == GLSL_SAMPLER_DIM_BUF;
   const bool deep = array || dim == GLSL_SAMPLER_DIM_3D || dim == GLSL_SAMPLER_DIM_CUBE;
   b->cursor = nir_before_instr(&intr->instr);
   if (intr->intrinsic == nir_intrinsic_image_size)
      return flat && array && attila_nir_image_size_1d_array(b, intr);
   return (flat || !deep) && attila_nir_image_coord(b, intr, flat, deep);
}

bool
attila_nir_lower_images(nir_shader *nir)
{
   bool progress =
       nir_lower_image(nir, &(nir_lower_image_options){.lower_cube_size = true,
                                                       .lower_image_samples_to_one = true});
   progress |=
       nir_shader_intrinsics_pass(nir, attila_nir_image_lower, nir_metadata_control_flow, NULL);
   return progress;
}
