/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The opcode table, and what follows from a program's instructions: masks, flags, register counts,
 * flow targets. Checks: isa_validate.c; binary form: isa_encode.c; text: isa_print.c,
 * isa_parse.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "hw/isa/attila_isa.h"

const struct attila_isa_op_info attila_isa_ops[ATTILA_NUM_OPS] = {
#define O(name, srcs, dst, cls, lat, rep, doc) \
   {#name, srcs, dst, ATTILA_CLASS_##cls, lat, rep, doc},
    ATTILA_ISA_OPCODES(O)
#undef O
};

/* attila_isa_program has a bit for each of them. */
_Static_assert(ATTILA_ISA_MAX_INPUTS <= 64 && ATTILA_MAX_GS_INPUTS <= 64 &&
                   ATTILA_ISA_MAX_OUTPUTS <= 64 && ATTILA_MAX_TEX_UNITS <= 64,
               "bit masks");

unsigned
attila_isa_tex_offsets(const struct attila_isa_instr *in)
{
   if (attila_isa_ops[in->op].cls != ATTILA_CLASS_TEXTURE || in->op == ATTILA_OP_TXS ||
       in->op == ATTILA_OP_TXQL || in->op == ATTILA_OP_TXG)
      return 0;
   switch (in->tex_target) {
   case ATTILA_TEX_1D:
   case ATTILA_TEX_1D_ARRAY:
      return 1;
   case ATTILA_TEX_3D:
      return 3;
   case ATTILA_TEX_CUBE:
   case ATTILA_TEX_CUBE_ARRAY:
   case ATTILA_TEX_BUFFER:
      return 0;
   default:
      return 2;
   }
}

/* The open IF, ELSE and LOOP instructions while the program is read in order. */
struct flow_stack {
   uint32_t instr[ATTILA_ISA_MAX_NESTING];
   unsigned depth;
};

static bool
isa_flow_error(char *error, size_t size, uint32_t i, const char *what)
{
   if (size)
      snprintf(error, size, "instruction %u: %s", i, what);
   return false;
}

static bool
isa_flow_step(struct attila_isa_program *p, uint32_t i, struct flow_stack *s, char *error,
              size_t error_size)
{
   struct attila_isa_instr *in = &p->instrs[i];
   if (in->op == ATTILA_OP_EMIT)
      return true;
   in->target = 0;
   if (in->op == ATTILA_OP_IF || in->op == ATTILA_OP_LOOP) {
      if (s->depth == ATTILA_ISA_MAX_NESTING)
         return isa_flow_error(error, error_size, i, "IF and LOOP nest too deep");
      s->instr[s->depth++] = i;
      return true;
   }
   if (in->op == ATTILA_OP_BRK || in->op == ATTILA_OP_CONT) {
      for (unsigned d = 0; d < s->depth; d++) {
         if (p->instrs[s->instr[d]].op == ATTILA_OP_LOOP)
            return true;
      }
      return isa_flow_error(error, error_size, i, "BRK or CONT outside a loop");
   }
   if (in->op != ATTILA_OP_ELSE && in->op != ATTILA_OP_ENDIF && in->op != ATTILA_OP_ENDLOOP)
      return true;

   struct attila_isa_instr *open = s->depth ? &p->instrs[s->instr[s->depth - 1]] : NULL;
   unsigned op = open ? open->op : ATTILA_OP_NOP;
   if (in->op == ATTILA_OP_ENDLOOP) {
      if (op != ATTILA_OP_LOOP)
         return isa_flow_error(error, error_size, i, "ENDLOOP without its LOOP");
      in->target = (uint16_t)s->instr[s->depth - 1];
   } else if (op != ATTILA_OP_IF && !(op == ATTILA_OP_ELSE && in->op == ATTILA_OP_ENDIF)) {
      return isa_flow_error(error, error_size, i,
                            in->op == ATTILA_OP_ELSE ? "ELSE without its IF"
                                                     : "ENDIF without its IF");
   }
   open->target = (uint16_t)i;
   if (in->op == ATTILA_OP_ELSE)
      s->instr[s->depth - 1] = i;
   else
      s->depth--;
   return true;
}

/* Clears operands that an opcode lacks, so that equal programs are equal bytes. */
static void
isa_clear_unused(struct attila_isa_instr *in)
{
   const struct attila_isa_op_info *info = &attila_isa_ops[in->op];
   if (!info->has_dst)
      memset(&in->dst, 0, sizeof(in->dst));
   for (unsigned s = info->num_srcs; s < 3; s++)
      memset(&in->src[s], 0, sizeof(in->src[s]));
   if (in->dst.file != ATTILA_FILE_NONE && !in->dst.relative)
      in->dst.rel_comp = 0;
   for (unsigned s = 0; s < info->num_srcs; s++) {
      if (!in->src[s].relative)
         in->src[s].rel_comp = 0;
   }
   if (!attila_isa_stores_words(in->op))
      in->words = 0;
   if (!attila_isa_is_atomic(in->op))
      in->atomic = 0;
   if (info->cls != ATTILA_CLASS_TEXTURE) {
      in->tex_unit = in->tex_target = in->tex_component = 0;
      in->tex_shadow = false;
      memset(in->tex_offset, 0, sizeof(in->tex_offset));
   }
}

static void
isa_grow(uint32_t *count, uint32_t index)
{
   if (index >= *count)
      *count = index + 1;
}

/* Returns the registers that an operand may name. */
static uint64_t
isa_named_registers(const struct attila_isa_program *p, unsigned index, bool relative,
                    unsigned registers)
{
   return !relative ? 1ull << (index & 63)
                    : UINT64_MAX >> (64 - (p->wide ? registers : ATTILA_ISA_NEAR_REGISTERS));
}

static void
isa_derive_input(struct attila_isa_program *p, const struct attila_isa_src *src)
{
   if (p->stage != ATTILA_STAGE_GEOMETRY)
      p->inputs_read |= isa_named_registers(p, src->index, src->relative, ATTILA_ISA_MAX_INPUTS);
   else if (src->index == ATTILA_GS_INPUT_IDS)
      p->gs_reads_ids = true;
   else
      p->inputs_read |= 1ull << (src->index / ATTILA_GS_INPUT_STRIDE & 63);
}

static void
isa_derive_instr(struct attila_isa_program *p, const struct attila_isa_instr *in)
{
   const struct attila_isa_op_info *info = &attila_isa_ops[in->op];
   for (unsigned s = 0; s < info->num_srcs; s++) {
      const struct attila_isa_src *src = &in->src[s];
      if (src->file == ATTILA_FILE_TEMP)
         isa_grow(&p->num_temps, src->index);
      else if (src->file == ATTILA_FILE_CONST)
         isa_grow(&p->num_consts, src->index);
      else if (src->file == ATTILA_FILE_INPUT)
         isa_derive_input(p, src);
   }
   if (in->dst.file == ATTILA_FILE_TEMP)
      isa_grow(&p->num_temps, in->dst.index);
   else if (in->dst.file == ATTILA_FILE_OUTPUT)
      p->outputs_written |=
          isa_named_registers(p, in->dst.index, in->dst.relative, ATTILA_ISA_MAX_OUTPUTS);
   if (info->cls == ATTILA_CLASS_TEXTURE)
      p->tex_units |= 1ull << (in->tex_unit & 63);
   p->uses_kill |= in->op == ATTILA_OP_KIL || in->op == ATTILA_OP_KILC;
   p->uses_derivatives |= in->op == ATTILA_OP_DDX || in->op == ATTILA_OP_DDY;
   p->uses_flow |= in->op >= ATTILA_OP_IF && in->op <= ATTILA_OP_ENDLOOP;
   p->uses_loads |= info->cls == ATTILA_CLASS_LOAD;
   p->uses_shared |= attila_isa_is_shared(in->op);
   p->uses_barrier |= in->op == ATTILA_OP_BAR;
   p->uses_storage |= info->cls == ATTILA_CLASS_MEMORY && !attila_isa_is_shared(in->op);
   p->uses_images |= attila_isa_is_image(in->op);
   const bool stores = attila_isa_is_store(in->op) && !attila_isa_is_shared(in->op),
              changes = attila_isa_is_atomic(in->op) && !attila_isa_is_shared(in->op);
   p->writes_storage |= stores || changes;
   /* Workgroups of every machine take effect in the same order (emul_grid.h). */
   p->storage_order |=
       p->stage != ATTILA_STAGE_COMPUTE &&
       (stores || (changes && (info->has_dst || in->atomic == ATTILA_ATOMIC_EXCHANGE ||
                               in->atomic == ATTILA_ATOMIC_COMPARE_SWAP)));
   p->writes_samples |= p->stage == ATTILA_STAGE_FRAGMENT && in->dst.file == ATTILA_FILE_OUTPUT &&
                        in->dst.index == ATTILA_FS_OUTPUT_SAMPLES;
}

bool
attila_isa_finalize(struct attila_isa_program *p, char *error, size_t error_size)
{
   struct flow_stack stack = {.depth = 0};
   p->inputs_read = p->outputs_written = p->tex_units = 0;
   p->uses_kill = p->writes_depth = p->uses_derivatives = p->uses_flow = p->uses_loads = false;
   p->writes_samples = p->gs_reads_ids = false;
   p->uses_storage = p->uses_images = p->writes_storage = p->storage_order = false;
   p->uses_shared = p->uses_barrier = false;
   if (p->num_instrs > ATTILA_ISA_MAX_INSTRS)
      return isa_flow_error(error, error_size, ATTILA_ISA_MAX_INSTRS, "too many instructions");
   for (uint32_t i = 0; i < p->num_instrs; i++) {
      if (p->instrs[i].op >= ATTILA_NUM_OPS)
         return isa_flow_error(error, error_size, i, "unknown opcode");
      isa_clear_unused(&p->instrs[i]);
      isa_derive_instr(p, &p->instrs[i]);
      if (!isa_flow_step(p, i, &stack, error, error_size))
         return false;
   }
   if (stack.depth)
      return isa_flow_error(error, error_size, stack.instr[stack.depth - 1],
                            "IF or LOOP is not closed");
   p->writes_depth =
       p->stage == ATTILA_STAGE_FRAGMENT && (p->outputs_written >> ATTILA_FS_OUTPUT_DEPTH & 1);
   return true;
}

void
attila_isa_free(struct attila_isa_program *p)
{
   free(p->instrs);
   free(p->literals);
   memset(p, 0, sizeof(*p));
}

static unsigned
isa_count_bits(uint64_t m)
{
   unsigned n = 0;
   for (; m; m &= m - 1)
      n++;
   return n;
}

unsigned
attila_isa_inputs(const struct attila_isa_program *p)
{
   const unsigned inputs = isa_count_bits(p->inputs_read);
   return p->stage == ATTILA_STAGE_GEOMETRY ? inputs * p->gs_vertices_in + p->gs_reads_ids : inputs;
}

unsigned
attila_isa_outputs(const struct attila_isa_program *p)
{
   return isa_count_bits(p->outputs_written);
}

unsigned
attila_isa_registers(const struct attila_isa_program *p)
{
   unsigned held = p->num_temps, inputs = attila_isa_inputs(p), outputs = attila_isa_outputs(p);
   held = inputs > held ? inputs : held;
   held = outputs > held ? outputs : held;
   return held ? held : 1;
}
