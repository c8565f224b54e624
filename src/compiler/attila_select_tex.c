/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Selection of texture instructions: packs coordinates, reference and projector into one operand,
 * and branches to indexed samplers. Other projectors were lowered before (attila_nir.c). */
#include "attila_nir.h"
#include "util/ralloc.h"

#define LEVELS_COMPONENT 3 /* TXS returns the number of levels here */

struct tex_operands {
   nir_def *coord, *projector, *comparator, *bias, *lod, *sample, *ddx, *ddy, *index;
   int8_t offset[3];    /* texels */
   nir_def *any_offset; /* gathers: texels, constant or not */
};

/* Returns false if the offset is not constant or too large. */
static bool
attila_select_tex_collect_offset(const nir_src *src, struct tex_operands *o)
{
   if (!nir_src_is_const(*src))
      return false;
   for (unsigned i = 0; i < nir_src_num_components(*src); i++) {
      const int64_t texels = nir_src_comp_as_int(*src, i);
      if (i >= ARRAY_SIZE(o->offset) || texels < ATTILA_ISA_MIN_OFFSET ||
          texels > ATTILA_ISA_MAX_OFFSET)
         return false;
      o->offset[i] = texels;
   }
   return true;
}

static bool
attila_select_tex_collect_operands(struct attila_select *e, nir_tex_instr *tex,
                                   struct tex_operands *o)
{
   memset(o, 0, sizeof(*o));
   for (unsigned i = 0; i < tex->num_srcs; i++) {
      nir_def *def = tex->src[i].src.ssa;
      switch (tex->src[i].src_type) {
      case nir_tex_src_coord:
         o->coord = def;
         break;
      case nir_tex_src_projector:
         o->projector = def;
         break;
      case nir_tex_src_comparator:
         o->comparator = def;
         break;
      case nir_tex_src_bias:
         o->bias = def;
         break;
      case nir_tex_src_lod:
         o->lod = def;
         break;
      case nir_tex_src_ms_index:
         o->sample = def;
         break;
      case nir_tex_src_ddx:
         o->ddx = def;
         break;
      case nir_tex_src_ddy:
         o->ddy = def;
         break;
      case nir_tex_src_texture_offset:
      case nir_tex_src_sampler_offset:
         o->index = def;
         break;
      case nir_tex_src_offset:
         if (tex->op == nir_texop_tg4)
            o->any_offset = def;
         else if (!attila_select_tex_collect_offset(&tex->src[i].src, o)) {
            air_error(e->ir, "a texture offset that is not a constant from %d to %d",
                      ATTILA_ISA_MIN_OFFSET, ATTILA_ISA_MAX_OFFSET);
            return false;
         }
         break;
      default:
         air_error(e->ir, "texture operand of type %u", tex->src[i].src_type);
         return false;
      }
   }
   if (!o->coord && tex->op != nir_texop_txs && tex->op != nir_texop_query_levels) {
      air_error(e->ir, "texture operation without coordinates");
      return false;
   }
   return true;
}

static int
attila_select_tex_texture_target(const nir_tex_instr *tex)
{
   switch (tex->sampler_dim) {
   case GLSL_SAMPLER_DIM_1D:
      return tex->is_array ? ATTILA_TEX_1D_ARRAY : ATTILA_TEX_1D;
   case GLSL_SAMPLER_DIM_EXTERNAL:
   case GLSL_SAMPLER_DIM_2D:
   case GLSL_SAMPLER_DIM_MS: /* the texture unit knows about samples */
      return tex->is_array ? ATTILA_TEX_2D_ARRAY : ATTILA_TEX_2D;
   case GLSL_SAMPLER_DIM_3D:
      return tex->is_array ? -1 : ATTILA_TEX_3D;
   case GLSL_SAMPLER_DIM_CUBE:
      return tex->is_array ? ATTILA_TEX_CUBE_ARRAY : ATTILA_TEX_CUBE;
   case GLSL_SAMPLER_DIM_BUF:
      return ATTILA_TEX_BUFFER;
   case GLSL_SAMPLER_DIM_RECT:
      return tex->is_array ? -1 : ATTILA_TEX_RECT;
   default:
      return -1;
   }
}

static int
attila_select_tex_texture_op(const nir_tex_instr *tex, const struct tex_operands *o,
                             unsigned target)
{
   switch (tex->op) {
   case nir_texop_tex:
      if (o->comparator && target == ATTILA_TEX_CUBE_ARRAY)
         return ATTILA_OP_TXB; /* it has room for the reference */
      return o->projector ? ATTILA_OP_TXP : ATTILA_OP_TEX;
   case nir_texop_txb:
      return o->bias ? ATTILA_OP_TXB : ATTILA_OP_TEX;
   case nir_texop_txl:
      return o->lod ? ATTILA_OP_TXL : ATTILA_OP_TEX;
   case nir_texop_txd:
      return o->ddx && o->ddy ? ATTILA_OP_TXD : -1;
   case nir_texop_txf:
   case nir_texop_txf_ms:
      return ATTILA_OP_TXF;
   case nir_texop_txs:
   case nir_texop_query_levels:
      return ATTILA_OP_TXS;
   case nir_texop_tg4:
      return ATTILA_OP_TXG;
   case nir_texop_lod:
      return ATTILA_OP_TXQL;
   default:
      return -1;
   }
}

/* Returns an operand with coordinates, reference and projector where the texture unit expects
 * them. */
static struct attila_isa_src
attila_select_tex_pack_coordinates(struct attila_select *e, nir_tex_instr *tex,
                                   const struct tex_operands *o, unsigned target)
{
   nir_scalar s[4];
   unsigned count = MIN2(tex->coord_components, 4);
   for (unsigned i = 0; i < 4; i++)
      s[i] = nir_get_scalar(o->coord, MIN2(i, count - 1));
   if (o->comparator && target != ATTILA_TEX_CUBE_ARRAY) {
      unsigned ref = attila_isa_tex_ref_component(target);
      s[ref] = nir_get_scalar(o->comparator, 0);
      count = MAX2(count, ref + 1);
   }
   if (o->projector) {
      s[3] = nir_get_scalar(o->projector, 0);
      count = 4;
   }
   return attila_select_scalars(e, s, count);
}

/* Samples the texture of an array that the index names, each in a branch of its own: where the
 * index is the same for all fragments of a group, only one is sampled. Levels of detail follow from
 * the coordinates of inactive lanes, too. */
static void
attila_select_tex_emit_indexed(struct attila_select *e, const struct attila_isa_instr *sample,
                               nir_def *index, unsigned count, unsigned first, unsigned vreg)
{
   nir_scalar s = nir_get_scalar(index, 0);
   struct attila_isa_src which = attila_replicate(attila_select_scalars(e, &s, 1), 0);
   const unsigned texel = air_new_vreg(e->ir, false);
   for (unsigned i = 0; i < count; i++) {
      if (count > 1) {
         float number = i;
         if (e->integers)
            memcpy(&number, &i, sizeof(number));
         struct attila_isa_src literal = attila_replicate(air_literal(e->ir, &number, 1), 0);
         const unsigned equal = air_new_vreg(e->ir, true);
         struct attila_isa_instr *in =
             attila_select_op(e, e->integers ? ATTILA_OP_IEQ : ATTILA_OP_SEQ, equal, 1);
         in->src[0] = which;
         in->src[1] = literal;
         air_append(e->ir, ATTILA_OP_IF)->src[0] = attila_replicate(attila_temp(equal), 0);
      }
      struct attila_isa_instr *in = air_append(e->ir, ATTILA_OP_NOP);
      *in = *sample;
      in->dst.index = texel;
      in->tex_unit += i;
      e->out->samplers |= 1u << (first + i);
      if (count > 1)
         air_append(e->ir, ATTILA_OP_ENDIF);
   }
   attila_select_op(e, ATTILA_OP_MOV, vreg, sample->dst.write_mask)->src[0] = attila_temp(texel);
}

/* Returns the number of samplers from first on that an index may name. */
static unsigned
attila_select_tex_array_length(const nir_shader *nir, unsigned first, unsigned limit)
{
   unsigned count = 1;
   while (first + count < limit && BITSET_TEST(nir->info.textures_used, first + count))
      count++;
   return count;
}

/* Returns the second operand: the offsets of a gather; for an array of cubes, bias or level (lod,
 * or 0) and reference. */
static struct attila_isa_src
attila_select_tex_pack_second(struct attila_select *e, const struct attila_isa_instr *in,
                              const struct tex_operands *o, nir_def *lod)
{
   static const float zero[2]; /* also the integer 0 */
   const nir_scalar undefined = {0};
   if (!attila_isa_ref_in_src1(in)) {
      if (!o->any_offset)
         return air_literal(e->ir, zero, 2);
      const nir_scalar xy[2] = {nir_get_scalar(o->any_offset, 0), nir_get_scalar(o->any_offset, 1)};
      return attila_select_scalars(e, xy, 2);
   }
   const nir_scalar s[2] = {lod ? nir_get_scalar(lod, 0) : undefined,
                            nir_get_scalar(o->comparator, 0)};
   if (lod)
      return attila_select_scalars(e, s, 2);
   const unsigned vreg = air_new_vreg(e->ir, true);
   attila_select_op(e, ATTILA_OP_MOV, vreg, 1)->src[0] =
       attila_replicate(air_literal(e->ir, zero, 1), 0);
   attila_select_op(e, ATTILA_OP_MOV, vreg, 2)->src[0] =
       attila_replicate(attila_select_scalars(e, &s[1], 1), 0);
   return attila_temp(vreg);
}

/* Sets the sources of an instruction. */
static void
attila_select_tex_set_sources(struct attila_select *e, nir_tex_instr *tex,
                              const struct tex_operands *o, struct attila_isa_instr *in)
{
   static const float zero = 0.0f; /* also the integer 0 */
   struct attila_isa_src level = {0};
   nir_def *lod = in->op == ATTILA_OP_TXB ? o->bias : o->sample ? o->sample : o->lod;
   for (unsigned s = 0; s < 3; s++)
      in->src[s].swizzle = ATTILA_SWZ_XYZW;
   if ((in->op == ATTILA_OP_TXB || in->op == ATTILA_OP_TXL || in->op == ATTILA_OP_TXF ||
        in->op == ATTILA_OP_TXS) &&
       !attila_isa_ref_in_src1(in)) {
      nir_scalar scalar = {0};
      if (lod)
         scalar = nir_get_scalar(lod, 0);
      level = attila_replicate(
          lod ? attila_select_scalars(e, &scalar, 1) : air_literal(e->ir, &zero, 1), 0);
   }
   if (in->op == ATTILA_OP_TXS) {
      in->src[0] = level;
      return;
   }
   in->src[0] = attila_select_tex_pack_coordinates(e, tex, o, in->tex_target);
   if (in->op == ATTILA_OP_TXD) {
      nir_src x = nir_src_for_ssa(o->ddx), y = nir_src_for_ssa(o->ddy);
      in->src[1] = attila_select_src(e, &x);
      in->src[2] = attila_select_src(e, &y);
   } else if (in->op == ATTILA_OP_TXG || attila_isa_ref_in_src1(in)) {
      in->src[1] = attila_select_tex_pack_second(e, in, o, lod);
   } else if (level.file != ATTILA_FILE_NONE) {
      in->src[1] = level;
   }
}

/* Copies gradients to registers of their own: an instruction with an offset has no room for the
 * modifiers of gradients. */
static void
attila_select_tex_copy_gradients(struct attila_select *e, struct attila_isa_instr *in)
{
   for (unsigned s = 1; s < 3; s++) {
      if (!in->src[s].negate && !in->src[s].absolute && !in->src[s].relative)
         continue;
      const unsigned vreg = air_new_vreg(e->ir, true);
      attila_select_op(e, ATTILA_OP_MOV, vreg, 0xf)->src[0] = in->src[s];
      in->src[s] = attila_temp(vreg);
   }
}

void
attila_select_texture(struct attila_select *e, nir_tex_instr *tex)
{
   struct tex_operands o;
   if (!attila_select_tex_collect_operands(e, tex, &o))
      return;
   const int target = attila_select_tex_texture_target(tex),
             op = target < 0 ? -1 : attila_select_tex_texture_op(tex, &o, (unsigned)target);
   if (target < 0 || op < 0 || (o.comparator && target == ATTILA_TEX_3D)) {
      air_error(e->ir, "texture operation %u on sampler dimension %u%s", tex->op, tex->sampler_dim,
                tex->is_array ? " array" : "");
      return;
   }
   /* Instructions that do not filter have no sampler. */
   const unsigned sampler =
       op == ATTILA_OP_TXF || op == ATTILA_OP_TXS ? tex->texture_index : tex->sampler_index;
   if (sampler >= ATTILA_STAGE_TEX_UNITS) {
      air_error(e->ir, "sampler %u; there are %u", sampler, ATTILA_STAGE_TEX_UNITS);
      return;
   }
   if (o.projector && op != ATTILA_OP_TXP) {
      air_error(e->ir, "internal: a projector that was not lowered");
      return;
   }
   struct attila_isa_instr in = {
       .op = op, .tex_target = target, .tex_shadow = o.comparator != NULL};
   if (op == ATTILA_OP_TXG && !in.tex_shadow)
      in.tex_component = tex->component;
   attila_select_tex_set_sources(e, tex, &o, &in);
   memcpy(in.tex_offset, o.offset, sizeof(in.tex_offset));
   if (op == ATTILA_OP_TXD && attila_isa_has_offset(&in))
      attila_select_tex_copy_gradients(e, &in);
   in.tex_unit = attila_first_tex_unit(e->ir->stage) + sampler;
   in.dst.file = ATTILA_FILE_TEMP;
   const bool levels = tex->op == nir_texop_query_levels;
   const unsigned def = attila_select_def(e, &tex->def),
                  vreg = levels ? air_new_vreg(e->ir, true) : def;
   in.dst.write_mask = levels ? 1u << LEVELS_COMPONENT : (1u << tex->def.num_components) - 1;
   in.line = e->ir->line;
   if (o.index) {
      unsigned count = attila_select_tex_array_length(e->nir, sampler, ATTILA_STAGE_TEX_UNITS);
      e->out->indexed_samplers = MAX2(e->out->indexed_samplers, count);
      attila_select_tex_emit_indexed(e, &in, o.index, count, sampler, vreg);
   } else {
      in.dst.index = vreg;
      e->out->samplers |= 1u << sampler;
      *air_append(e->ir, ATTILA_OP_NOP) = in;
   }
   if (levels)
      attila_select_op(e, ATTILA_OP_MOV, def, 1)->src[0] =
          attila_replicate(attila_temp(vreg), LEVELS_COMPONENT);
}
