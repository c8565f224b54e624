/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Checks a finalized program against every rule of the instruction set, so that it executes without
 * further checks of indices. Reads of unwritten registers are allowed (they read 0). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "hw/isa/attila_isa.h"

struct check {
   const struct attila_isa_program *p;
   uint32_t instr;
   char *error;
   size_t size;
};

static bool __attribute__((format(printf, 2, 3)))
isa_validate_fail(const struct check *c, const char *format, ...)
{
   va_list args;
   int n = c->size ? snprintf(c->error, c->size, "instruction %u: ", c->instr) : 0;
   va_start(args, format);
   if (n >= 0 && (size_t)n < c->size)
      vsnprintf(c->error + n, c->size - (size_t)n, format, args);
   va_end(args);
   return false;
}

/* Returns how many registers of a file the program may name. */
static uint32_t
isa_validate_file_limit(const struct attila_isa_program *p, unsigned file)
{
   switch (file) {
   case ATTILA_FILE_TEMP:
      return p->num_temps;
   case ATTILA_FILE_INPUT:
      return p->stage == ATTILA_STAGE_GEOMETRY  ? ATTILA_GS_INPUT(ATTILA_MAX_GS_INPUTS, 0)
             : p->stage == ATTILA_STAGE_COMPUTE ? ATTILA_NUM_CS_INPUTS
                                                : ATTILA_ISA_MAX_INPUTS;
   case ATTILA_FILE_OUTPUT:
      return p->stage == ATTILA_STAGE_FRAGMENT  ? ATTILA_FS_OUTPUT_SAMPLES + 1
             : p->stage == ATTILA_STAGE_COMPUTE ? 0
                                                : ATTILA_ISA_MAX_OUTPUTS;
   case ATTILA_FILE_CONST:
      return p->num_consts;
   case ATTILA_FILE_LITERAL:
      return p->num_literals;
   case ATTILA_FILE_ADDRESS:
      return 1;
   default:
      return 0;
   }
}

/* Checks an index of a geometry program's inputs. */
static bool
isa_validate_check_gs_input(const struct check *c, unsigned s, const struct attila_isa_src *src)
{
   const bool ids = src->index == ATTILA_GS_INPUT_IDS;
   if (src->index % ATTILA_GS_INPUT_STRIDE >= c->p->gs_vertices_in && !ids)
      return isa_validate_fail(c, "source %u: input register %u of primitives of %u vertices", s,
                               src->index, c->p->gs_vertices_in);
   if (ids && src->relative)
      return isa_validate_fail(c, "source %u: input register %u is not relative", s, src->index);
   return true;
}

static bool
isa_validate_check_src(const struct check *c, unsigned s, const struct attila_isa_src *src)
{
   if (src->file != ATTILA_FILE_TEMP && src->file != ATTILA_FILE_INPUT &&
       src->file != ATTILA_FILE_CONST && src->file != ATTILA_FILE_LITERAL)
      return isa_validate_fail(c, "source %u: register file %u cannot be read", s, src->file);
   if (src->index >= isa_validate_file_limit(c->p, src->file))
      return isa_validate_fail(c, "source %u: register %u is outside its file", s, src->index);
   if (src->rel_comp > 3)
      return isa_validate_fail(c, "source %u: address component %u", s, src->rel_comp);
   if (src->file == ATTILA_FILE_INPUT && c->p->stage == ATTILA_STAGE_COMPUTE && src->relative)
      return isa_validate_fail(c, "source %u: inputs of a compute program are not relative", s);
   if (src->file == ATTILA_FILE_INPUT && c->p->stage == ATTILA_STAGE_GEOMETRY)
      return isa_validate_check_gs_input(c, s, src);
   return true;
}

static bool
isa_validate_check_dst(const struct check *c, const struct attila_isa_instr *in)
{
   const struct attila_isa_dst *dst = &in->dst;
   if ((dst->file == ATTILA_FILE_ADDRESS) != (in->op == ATTILA_OP_ARL))
      return isa_validate_fail(c, "ARL and only ARL writes the address register");
   if (dst->file != ATTILA_FILE_TEMP && dst->file != ATTILA_FILE_OUTPUT &&
       dst->file != ATTILA_FILE_ADDRESS)
      return isa_validate_fail(c, "register file %u cannot be written", dst->file);
   if (dst->index >= isa_validate_file_limit(c->p, dst->file))
      return isa_validate_fail(c, "destination register %u is outside its file", dst->index);
   if (dst->write_mask == 0 || dst->write_mask > 15)
      return isa_validate_fail(c, "write mask %u", dst->write_mask);
   if (dst->rel_comp > 3)
      return isa_validate_fail(c, "destination address component %u", dst->rel_comp);
   if (c->p->stage == ATTILA_STAGE_FRAGMENT && dst->file == ATTILA_FILE_OUTPUT && dst->relative &&
       dst->index == ATTILA_FS_OUTPUT_SAMPLES)
      return isa_validate_fail(c, "output register %u is not relative", dst->index);
   if (dst->file == ATTILA_FILE_ADDRESS && (dst->relative || dst->saturate))
      return isa_validate_fail(
          c, "the address register is written without saturation and not relative");
   return true;
}

static bool
isa_validate_check_texture(const struct check *c, const struct attila_isa_instr *in)
{
   const unsigned bank = attila_isa_tex_bank(c->p->stage);
   if (in->tex_unit < bank || in->tex_unit >= bank + ATTILA_ISA_TEX_BANK ||
       in->tex_unit >= ATTILA_MAX_TEX_UNITS)
      return isa_validate_fail(c, "texture unit %u", in->tex_unit);
   if (in->tex_target >= ATTILA_NUM_TEX_TARGETS)
      return isa_validate_fail(c, "texture target %u", in->tex_target);
   if (in->tex_shadow && in->tex_target == ATTILA_TEX_3D)
      return isa_validate_fail(c, "a 3D texture has no shadow compare");
   const bool unfiltered = in->op == ATTILA_OP_TXF || in->op == ATTILA_OP_TXS,
              cube_array = in->tex_target == ATTILA_TEX_CUBE_ARRAY;
   if (in->tex_shadow && (unfiltered || in->op == ATTILA_OP_TXQL))
      return isa_validate_fail(c, "%s has no shadow compare", attila_isa_ops[in->op].name);
   if (in->tex_shadow && cube_array && attila_isa_ops[in->op].num_srcs != 2)
      return isa_validate_fail(c, "%s of an array of cubes has no shadow compare",
                               attila_isa_ops[in->op].name);
   if (in->op == ATTILA_OP_TXG && in->tex_target != ATTILA_TEX_2D &&
       in->tex_target != ATTILA_TEX_RECT && in->tex_target != ATTILA_TEX_2D_ARRAY &&
       in->tex_target != ATTILA_TEX_CUBE && !cube_array)
      return isa_validate_fail(c, "TXG of a texture without two dimensions");
   if (in->tex_component > (in->op == ATTILA_OP_TXG && !in->tex_shadow ? 3 : 0))
      return isa_validate_fail(c, "texture component %u", in->tex_component);
   if (in->tex_target == ATTILA_TEX_BUFFER && !unfiltered)
      return isa_validate_fail(c, "%s of a buffer", attila_isa_ops[in->op].name);
   if (in->op == ATTILA_OP_TXF && (in->tex_target == ATTILA_TEX_CUBE || cube_array))
      return isa_validate_fail(c, "TXF of a cube map");
   for (unsigned i = 0; i < 3; i++) {
      if (in->tex_offset[i] < ATTILA_ISA_MIN_OFFSET || in->tex_offset[i] > ATTILA_ISA_MAX_OFFSET)
         return isa_validate_fail(c, "offset %d", in->tex_offset[i]);
      if (in->tex_offset[i] && i >= attila_isa_tex_offsets(in))
         return isa_validate_fail(c, "an offset of a coordinate that takes none");
   }
   for (unsigned s = 1; s < 3 && in->op == ATTILA_OP_TXD && attila_isa_has_offset(in); s++) {
      if (in->src[s].negate || in->src[s].absolute || in->src[s].relative)
         return isa_validate_fail(c, "source %u: a modifier beside an offset", s);
   }
   return true;
}

static bool
isa_validate_check_instr(const struct check *c, const struct attila_isa_instr *in)
{
   if (in->op >= ATTILA_NUM_OPS)
      return isa_validate_fail(c, "unknown opcode %u", in->op);
   const struct attila_isa_op_info *info = &attila_isa_ops[in->op];
   if (info->has_dst ? !isa_validate_check_dst(c, in)
                     : in->dst.file != ATTILA_FILE_NONE &&
                           !isa_validate_fail(c, "%s has no destination", info->name))
      return false;
   for (unsigned s = 0; s < 3; s++) {
      if (s < info->num_srcs) {
         if (!isa_validate_check_src(c, s, &in->src[s]))
            return false;
      } else if (in->src[s].file != ATTILA_FILE_NONE) {
         return isa_validate_fail(c, "%s has %u sources", info->name, info->num_srcs);
      }
   }
   if (info->cls == ATTILA_CLASS_TEXTURE && !isa_validate_check_texture(c, in))
      return false;
   if (attila_isa_stores_words(in->op) && (in->words < 1 || in->words > 4))
      return isa_validate_fail(c, "%u words, 1 to 4 are accepted", in->words);
   if (attila_isa_is_atomic(in->op) &&
       (in->atomic == ATTILA_ATOMIC_NONE || in->atomic >= ATTILA_NUM_ATOMICS))
      return isa_validate_fail(c, "atomic operation %u", in->atomic);
   bool fragment_only = in->op == ATTILA_OP_KIL || in->op == ATTILA_OP_KILC ||
                        in->op == ATTILA_OP_DDX || in->op == ATTILA_OP_DDY;
   if (fragment_only && c->p->stage != ATTILA_STAGE_FRAGMENT)
      return isa_validate_fail(c, "%s in a program that is not of fragments", info->name);
   if ((in->op == ATTILA_OP_BAR || attila_isa_is_shared(in->op)) &&
       c->p->stage != ATTILA_STAGE_COMPUTE)
      return isa_validate_fail(c, "%s in a program that has no workgroups", info->name);
   if ((in->op == ATTILA_OP_EMIT || in->op == ATTILA_OP_CUT) &&
       c->p->stage != ATTILA_STAGE_GEOMETRY)
      return isa_validate_fail(c, "%s in a program that is not of primitives", info->name);
   if (in->op == ATTILA_OP_EMIT && in->target &&
       (c->p->gs_vertices_out != 1 || in->target >= ATTILA_MAX_VERTEX_STREAMS))
      return isa_validate_fail(c, "stream %u of vertices", in->target);
   if ((in->op == ATTILA_OP_END) != (c->instr == c->p->num_instrs - 1))
      return isa_validate_fail(c, "END must be the last instruction, exactly once");
   return true;
}

/* Recomputes targets on a copy, with the code that sets them, and compares. */
static bool
isa_validate_check_targets(struct check *c)
{
   struct attila_isa_program copy = *c->p;
   size_t bytes = (size_t)copy.num_instrs * sizeof(*copy.instrs);
   copy.instrs = malloc(bytes);
   if (!copy.instrs)
      return isa_validate_fail(c, "out of memory");
   memcpy(copy.instrs, c->p->instrs, bytes);
   bool ok = attila_isa_finalize(&copy, c->error, c->size);
   for (uint32_t i = 0; ok && i < copy.num_instrs; i++) {
      if (copy.instrs[i].target != c->p->instrs[i].target) {
         c->instr = i;
         ok = isa_validate_fail(c, "target %u is not %u", c->p->instrs[i].target,
                                copy.instrs[i].target);
      }
   }
   free(copy.instrs);
   return ok;
}

static bool
isa_validate_check_geometry(const struct check *c)
{
   const struct attila_isa_program *p = c->p;
   const unsigned in = p->gs_vertices_in;
   if (p->stage != ATTILA_STAGE_GEOMETRY)
      return (!in && !p->gs_vertices_out && !p->gs_max_vertices && !p->gs_repeats) ||
             isa_validate_fail(c, "primitives in a program that is not of primitives");
   if (in < 1 || in == 5 || in > ATTILA_MAX_PRIM_VERTICES)
      return isa_validate_fail(c, "primitives of %u vertices come in, 1 to 4 or 6 are accepted",
                               in);
   if (p->gs_vertices_out < 1 || p->gs_vertices_out > 3)
      return isa_validate_fail(c, "primitives of %u vertices go out, 1 to 3 are accepted",
                               p->gs_vertices_out);
   if (p->gs_max_vertices < 1 || p->gs_max_vertices > ATTILA_MAX_GS_VERTICES)
      return isa_validate_fail(c, "%u vertices are emitted at most, 1 to %u are accepted",
                               p->gs_max_vertices, ATTILA_MAX_GS_VERTICES);
   if (p->gs_repeats >= ATTILA_MAX_GS_INVOCATIONS)
      return isa_validate_fail(c, "%u invocations, 1 to %u are accepted", p->gs_repeats + 1,
                               ATTILA_MAX_GS_INVOCATIONS);
   return true;
}

static bool
isa_validate_check_workgroup(const struct check *c)
{
   const struct attila_isa_program *p = c->p;
   const unsigned x = p->workgroup[0], y = p->workgroup[1], z = p->workgroup[2];
   if (p->stage != ATTILA_STAGE_COMPUTE)
      return (!x && !y && !z && !p->shared_bytes) ||
             isa_validate_fail(c, "a workgroup in a program that has none");
   if (x < 1 || x > ATTILA_MAX_WORKGROUP_XY || y < 1 || y > ATTILA_MAX_WORKGROUP_XY || z < 1 ||
       z > ATTILA_MAX_WORKGROUP_Z || attila_isa_workgroup(p) > ATTILA_MAX_WORKGROUP)
      return isa_validate_fail(c,
                               "a workgroup of %u x %u x %u, %u x %u x %u and %u together are "
                               "accepted",
                               x, y, z, ATTILA_MAX_WORKGROUP_XY, ATTILA_MAX_WORKGROUP_XY,
                               ATTILA_MAX_WORKGROUP_Z, ATTILA_MAX_WORKGROUP);
   if (p->shared_bytes > ATTILA_MAX_SHARED_BYTES || p->shared_bytes % 4)
      return isa_validate_fail(c, "%u bytes of shared memory, whole words up to %u are accepted",
                               p->shared_bytes, ATTILA_MAX_SHARED_BYTES);
   return true;
}

bool
attila_isa_validate(const struct attila_isa_program *p, char *error, size_t error_size)
{
   struct check c = {.p = p, .error = error, .size = error_size};
   if (p->stage >= ATTILA_NUM_STAGES)
      return isa_validate_fail(&c, "stage %u", p->stage);
   if (p->num_instrs == 0 || p->num_instrs > ATTILA_ISA_MAX_INSTRS || !p->instrs)
      return isa_validate_fail(&c, "%u instructions", p->num_instrs);
   if (p->num_literals > ATTILA_ISA_MAX_LITERALS || (p->num_literals && !p->literals))
      return isa_validate_fail(&c, "%u literals", p->num_literals);
   if (p->num_temps > ATTILA_ISA_MAX_TEMPS)
      return isa_validate_fail(&c, "%u temporaries", p->num_temps);
   if (p->num_consts > ATTILA_MAX_CONSTS)
      return isa_validate_fail(&c, "%u constants", p->num_consts);
   if (p->early_tests && p->stage != ATTILA_STAGE_FRAGMENT)
      return isa_validate_fail(&c, "early tests in a program that is not of fragments");
   if (!isa_validate_check_geometry(&c) || !isa_validate_check_workgroup(&c))
      return false;
   for (; c.instr < p->num_instrs; c.instr++) {
      if (!isa_validate_check_instr(&c, &p->instrs[c.instr]))
         return false;
   }
   return isa_validate_check_targets(&c);
}
