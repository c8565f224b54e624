/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Why a shader is refused, in the shading language's terms: its first feature that this GPU lacks.
 * Only programs that override Mesa's version or extensions get here; in others Mesa itself refuses
 * such a feature and names the version. Not here: limits (attila_ra.c, attila_select_io.c). */
#include "attila_nir.h"

#define GLSL_400 " (GLSL 4.00, GLSL ES 3.20)"

static const char *
attila_nir_unsupported_missing_in_texture(const nir_tex_instr *tex)
{
   if (tex->op == nir_texop_tg4)
      return NULL;
   const int offset = nir_tex_instr_src_index(tex, nir_tex_src_offset);
   if (offset >= 0 && !nir_src_is_const(tex->src[offset].src))
      return "texture offsets that are not constant" GLSL_400;
   return NULL;
}

static const char *
attila_nir_unsupported_missing_in_intrinsic(const nir_intrinsic_instr *intr)
{
   const char *name = nir_intrinsic_infos[intr->intrinsic].name;
   if (strstr(name, "bindless_image_"))
      return "images without bindings (ARB_bindless_texture)";
   if (strstr(name, "atomic"))
      return "atomic operations on numbers that are no integers of 32 bits";
   return NULL;
}

static const char *
attila_nir_unsupported_missing_in_alu(const nir_alu_instr *alu)
{
   const nir_op_info *info = &nir_op_infos[alu->op];
   if (alu->def.bit_size == 64 || (info->num_inputs && nir_src_bit_size(alu->src[0].src) == 64))
      return "numbers of 64 bits (GLSL 4.00)";
   return NULL;
}

const char *
attila_ignored_feature(const nir_shader *nir)
{
   const struct shader_info *info = &nir->info;
   if (info->stage == MESA_SHADER_FRAGMENT)
      return NULL;
   if (info->outputs_written & VARYING_BIT_VIEWPORT)
      return "gl_ViewportIndex (GLSL 4.10)";
   return info->cull_distance_array_size ? "gl_CullDistance (GLSL 4.50)" : NULL;
}

const char *
attila_missing_feature(const nir_shader *nir)
{
   nir_foreach_function_impl (impl, (nir_shader *)nir) {
      nir_foreach_block (block, impl) {
         nir_foreach_instr (instr, block) {
            const char *missing = NULL;
            if (instr->type == nir_instr_type_tex)
               missing = attila_nir_unsupported_missing_in_texture(nir_instr_as_tex(instr));
            else if (instr->type == nir_instr_type_intrinsic)
               missing = attila_nir_unsupported_missing_in_intrinsic(nir_instr_as_intrinsic(instr));
            else if (instr->type == nir_instr_type_alu)
               missing = attila_nir_unsupported_missing_in_alu(nir_instr_as_alu(instr));
            if (missing)
               return missing;
         }
      }
   }
   return NULL;
}
