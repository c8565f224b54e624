/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Makes a program's executable form, once: chooses instruction functions for this host, resolves
 * operands and jumps, finds the registers that must be cleared, as some lane may read them before
 * they are written. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "emul/shader/emul_native.h"
#include "emul/shader/emul_shader_program.h"
#include "hw/isa/attila_machine.h"

#if defined(__x86_64__)
static struct emul_exec native;

static __attribute__((constructor)) void
emul_shader_decode_prepare_native(void)
{
   __builtin_cpu_init();
   native = __builtin_cpu_supports("avx512f") ? emul_exec_avx512 : emul_exec_avx2;
   native.name = "native";
   native.native = true;
}
#endif

const struct emul_exec *
emul_exec_get(unsigned n)
{
   const struct emul_exec *list[4];
   unsigned count = 0;
#if defined(__x86_64__) || defined(__i386__)
   __builtin_cpu_init();
#if defined(__x86_64__)
   if (__builtin_cpu_supports("avx2"))
      list[count++] = &native;
#endif
   if (__builtin_cpu_supports("avx512f"))
      list[count++] = &emul_exec_avx512;
   if (__builtin_cpu_supports("avx2"))
      list[count++] = &emul_exec_avx2;
#endif
   list[count++] = &emul_exec_base;
   return n < count ? list[n] : NULL;
}

unsigned
emul_components_read(const struct attila_isa_instr *in, unsigned s)
{
   const struct attila_isa_op_info *info = &attila_isa_ops[in->op];
   if (info->cls == ATTILA_CLASS_SCALAR)
      return 1;
   switch (in->op) {
   case ATTILA_OP_DP2:
      return 3;
   case ATTILA_OP_DP3:
   case ATTILA_OP_XPD:
      return 7;
   case ATTILA_OP_DPH:
      return s == 0 ? 7 : 15;
   case ATTILA_OP_DST:
      return s == 0 ? 6 : 10;
   case ATTILA_OP_LIT:
      return 11;
   case ATTILA_OP_IF:
   case ATTILA_OP_KILC:
      return 1;
   case ATTILA_OP_TXB:
   case ATTILA_OP_TXL:
      return s == 0 ? 15 : attila_isa_ref_in_src1(in) ? 3 : 1;
   case ATTILA_OP_TXG:
      return s == 0 ? 15 : 3;
   case ATTILA_OP_TXD:
      return s == 0 ? 15 : 7;
   case ATTILA_OP_TXF:
      return s == 0 ? 7 : 1;
   case ATTILA_OP_TXS:
   case ATTILA_OP_LDC:
   case ATTILA_OP_LDB:
   case ATTILA_OP_SZB:
   case ATTILA_OP_LDS:
   case ATTILA_OP_SZI:
      return 1;
   case ATTILA_OP_STB:
   case ATTILA_OP_STS: /* the last source has the data */
      return s + 1 == attila_isa_ops[in->op].num_srcs ? (1u << in->words) - 1 : 1;
   case ATTILA_OP_ATOM:
   case ATTILA_OP_RED:
   case ATTILA_OP_ATOMS:
      return s + 1 == attila_isa_ops[in->op].num_srcs && in->atomic == ATTILA_ATOMIC_COMPARE_SWAP
                 ? 3
                 : 1;
   case ATTILA_OP_LDI:
      return s == 0 ? 7 : 1;
   case ATTILA_OP_STI:
      return s == 0 ? 7 : s == 1 ? 1 : 15;
   case ATTILA_OP_ATOMI:
   case ATTILA_OP_REDI:
      return s == 0 ? 7 : s == 2 && in->atomic == ATTILA_ATOMIC_COMPARE_SWAP ? 3 : 1;
   case ATTILA_OP_DP4:
   case ATTILA_OP_KIL:
   case ATTILA_OP_TEX:
   case ATTILA_OP_TXP:
   case ATTILA_OP_TXQL:
   case ATTILA_OP_ARL:
      return 15;
   default:
      return in->dst.write_mask;
   }
}

static unsigned
emul_shader_decode_swizzled(unsigned components, unsigned swizzle)
{
   unsigned read = 0;
   for (unsigned c = 0; c < 4; c++) {
      if (components >> c & 1)
         read |= 1u << ATTILA_SWZ_GET(swizzle, c);
   }
   return read;
}

/* --- Registers read before they are written --- */

/* Components surely written by every active lane. */
struct written {
   uint8_t temp[ATTILA_ISA_MAX_TEMPS], output[ATTILA_ISA_MAX_OUTPUTS];
};

struct analysis {
   struct written now;
   unsigned depth;
   bool clear_temp[ATTILA_ISA_MAX_TEMPS], clear_output[ATTILA_ISA_MAX_OUTPUTS];
   bool any_temp, loops;
   /* Not cleared: half a megabyte, of which a program uses some levels, each written first. */
   struct {
      struct written before, then;
      bool has_else;
   } level[ATTILA_ISA_MAX_NESTING];
};

static void
emul_shader_decode_analyse_flow(struct analysis *a, unsigned op)
{
   if (op == ATTILA_OP_IF || op == ATTILA_OP_LOOP) {
      a->level[a->depth].before = a->now;
      a->level[a->depth++].has_else = false;
      a->loops |= op == ATTILA_OP_LOOP;
   } else if (op == ATTILA_OP_ELSE) {
      a->level[a->depth - 1].then = a->now;
      a->level[a->depth - 1].has_else = true;
      a->now = a->level[a->depth - 1].before;
   } else if (op == ATTILA_OP_ENDLOOP) {
      a->now = a->level[--a->depth].before;
   } else if (op == ATTILA_OP_ENDIF) {
      a->depth--;
      if (!a->level[a->depth].has_else) {
         a->now = a->level[a->depth].before;
         return;
      }
      for (unsigned i = 0; i < ATTILA_ISA_MAX_TEMPS; i++)
         a->now.temp[i] &= a->level[a->depth].then.temp[i];
      for (unsigned i = 0; i < ATTILA_ISA_MAX_OUTPUTS; i++)
         a->now.output[i] &= a->level[a->depth].then.output[i];
   }
}

static void
emul_shader_decode_analyse(struct analysis *a, const struct attila_isa_program *p)
{
   for (uint32_t i = 0; i < p->num_instrs; i++) {
      const struct attila_isa_instr *in = &p->instrs[i];
      for (unsigned s = 0; s < attila_isa_ops[in->op].num_srcs; s++) {
         const struct attila_isa_src *src = &in->src[s];
         if (src->file != ATTILA_FILE_TEMP)
            continue;
         a->any_temp |= src->relative;
         if (emul_shader_decode_swizzled(emul_components_read(in, s), src->swizzle) &
             ~a->now.temp[src->index])
            a->clear_temp[src->index] = true;
      }
      if (in->dst.file == ATTILA_FILE_TEMP && !in->dst.relative)
         a->now.temp[in->dst.index] |= in->dst.write_mask;
      else if (in->dst.file == ATTILA_FILE_OUTPUT && !in->dst.relative)
         a->now.output[in->dst.index] |= in->dst.write_mask;
      emul_shader_decode_analyse_flow(a, in->op);
   }
   for (unsigned i = 0; i < ATTILA_ISA_MAX_TEMPS; i++)
      a->clear_temp[i] |= a->any_temp;
   /* A loop's guard may stop it anywhere; EMIT may come before any write. */
   const bool early = a->loops || p->stage == ATTILA_STAGE_GEOMETRY;
   for (unsigned i = 0; i < ATTILA_ISA_MAX_OUTPUTS; i++)
      a->clear_output[i] = (p->outputs_written >> i & 1) && (early || a->now.output[i] != 15);
}

static bool
emul_shader_decode_find_clears(struct emul_program *p)
{
   struct analysis *a = malloc(sizeof(*a));
   if (!a)
      return false;
   memset(a, 0, offsetof(struct analysis, level));
   emul_shader_decode_analyse(a, &p->isa);
   for (unsigned i = 0; i < p->isa.num_temps; i++) {
      if (a->clear_temp[i])
         p->clear_temps[p->num_clear_temps++] = (uint16_t)i;
   }
   for (unsigned i = 0; i < ATTILA_ISA_MAX_OUTPUTS; i++) {
      if (a->clear_output[i])
         p->clear_outputs[p->num_clear_outputs++] = (uint8_t)i;
   }
   free(a);
   return true;
}

/* --- Instructions --- */

static uint16_t
emul_shader_decode_max_index(const struct attila_isa_program *p, unsigned file)
{
   switch (file) {
   case ATTILA_FILE_TEMP:
      return (uint16_t)(p->num_temps - 1);
   case ATTILA_FILE_CONST:
      return (uint16_t)(p->num_consts - 1);
   case ATTILA_FILE_LITERAL:
      return (uint16_t)(p->num_literals - 1);
   case ATTILA_FILE_OUTPUT:
      return p->stage == ATTILA_STAGE_FRAGMENT ? ATTILA_FS_OUTPUT_DEPTH
             : p->wide                         ? ATTILA_ISA_MAX_OUTPUTS - 1
                                               : ATTILA_ISA_NEAR_REGISTERS - 1;
   default:
      return p->wide ? ATTILA_ISA_MAX_INPUTS - 1 : ATTILA_ISA_NEAR_REGISTERS - 1;
   }
}

static void
emul_shader_decode_src(const struct attila_isa_program *p, const struct attila_isa_src *from,
                       struct emul_src *s)
{
   s->file = from->file;
   s->broadcast = from->file == ATTILA_FILE_CONST || from->file == ATTILA_FILE_LITERAL;
   s->relative = from->relative;
   s->rel_comp = from->rel_comp;
   s->index = from->index;
   s->max_index = emul_shader_decode_max_index(p, from->file);
   if (p->stage == ATTILA_STAGE_GEOMETRY && from->file == ATTILA_FILE_INPUT) {
      const unsigned input = from->index / ATTILA_GS_INPUT_STRIDE;
      s->min_index = (uint16_t)ATTILA_GS_INPUT(input, 0);
      s->max_index = (uint16_t)ATTILA_GS_INPUT(input, p->gs_vertices_in - 1);
   }
   s->keep = from->absolute ? 0x7fffffffu : 0xffffffffu;
   s->flip = from->negate ? 0x80000000u : 0;
   for (unsigned c = 0; c < 4; c++)
      s->offset[c] = (uint8_t)(ATTILA_SWZ_GET(from->swizzle, c) * (s->broadcast ? 1 : EMUL_LANES));
}

/* Plain functions store component by component, so no component may be read after it is stored. */
static bool
emul_shader_decode_is_plain(const struct attila_isa_instr *in)
{
   const struct attila_isa_op_info *info = &attila_isa_ops[in->op];
   if (in->dst.saturate || in->dst.relative)
      return false;
   for (unsigned s = 0; s < info->num_srcs; s++) {
      const struct attila_isa_src *src = &in->src[s];
      if (src->negate || src->absolute || src->relative)
         return false;
      /* Scalar, dot and per-component functions read all sources first; the check does not
       * distinguish them. */
      if (src->file != ATTILA_FILE_TEMP || in->dst.file != ATTILA_FILE_TEMP ||
          src->index != in->dst.index)
         continue;
      for (unsigned c = 0; c < 4; c++) {
         unsigned earlier = in->dst.write_mask & ((1u << c) - 1);
         if ((in->dst.write_mask >> c & 1) && (earlier >> ATTILA_SWZ_GET(src->swizzle, c) & 1))
            return false;
      }
   }
   return true;
}

static uint16_t
emul_shader_decode_scoreboard_entry(unsigned file, unsigned index, bool relative)
{
   if (file == ATTILA_FILE_TEMP)
      return (uint16_t)(relative ? EMUL_SB_ANY_TEMP : EMUL_SB_TEMP + index);
   if (file == ATTILA_FILE_OUTPUT)
      return (uint16_t)(EMUL_SB_OUTPUT + index);
   return file == ATTILA_FILE_ADDRESS ? EMUL_SB_ADDRESS : EMUL_SB_NONE;
}

static void
emul_shader_decode_describe_issue(struct emul_instr *in, const struct attila_isa_instr *from)
{
   in->is_scalar = attila_isa_is_scalar(from);
   in->steps = (uint8_t)attila_isa_scalar_steps(from);
   in->jumps = attila_isa_may_jump(from->op);
   for (unsigned s = 0; s < 3; s++) {
      bool again = false;
      for (unsigned earlier = 0; earlier < s; earlier++)
         again |= in->sb_src[earlier] == in->sb_src[s];
      bool temp = in->sb_src[s] == EMUL_SB_ANY_TEMP || in->sb_src[s] >= EMUL_SB_TEMP;
      in->temp_reads = (uint8_t)(in->temp_reads + (temp && !again));
   }
}

static void
emul_shader_decode_instr(struct emul_program *p, const struct emul_exec *exec, uint32_t i)
{
   const struct attila_isa_instr *from = &p->isa.instrs[i];
   const struct attila_isa_op_info *info = &attila_isa_ops[from->op];
   struct emul_instr *in = &p->instrs[i];
   bool address = from->dst.relative;
   in->op = from->op;
   in->cls = info->cls;
   in->write_mask = from->dst.write_mask;
   in->dst_file = from->dst.file;
   in->dst_index = from->dst.index;
   in->dst_max_index = emul_shader_decode_max_index(&p->isa, from->dst.file);
   in->saturate = from->dst.saturate;
   in->dst_relative = from->dst.relative;
   in->dst_rel_comp = from->dst.rel_comp;
   in->target = from->target;
   in->tex_unit = from->tex_unit;
   in->tex_component = from->tex_component;
   in->tex_target = from->tex_target;
   in->tex_shadow = from->tex_shadow;
   in->words = from->op == ATTILA_OP_STI ? 4 : from->words;
   in->atomic = from->atomic;
   in->ref_comp = (uint8_t)attila_isa_tex_ref_component(from->tex_target);
   memcpy(in->tex_offset, from->tex_offset, sizeof(from->tex_offset));
   for (unsigned s = 0; s < info->num_srcs; s++) {
      emul_shader_decode_src(&p->isa, &from->src[s], &in->src[s]);
      in->sb_src[s] = emul_shader_decode_scoreboard_entry(from->src[s].file, from->src[s].index,
                                                          from->src[s].relative);
      address |= from->src[s].relative;
   }
   in->sb_src[3] = address ? EMUL_SB_ADDRESS : EMUL_SB_NONE;
   in->sb_dst =
       emul_shader_decode_scoreboard_entry(from->dst.file, from->dst.index, from->dst.relative);
   emul_shader_decode_describe_issue(in, from);
   p->uses_address |= address;
   in->fn = emul_flow_ops[in->op]               ? emul_flow_ops[in->op]
            : emul_shader_decode_is_plain(from) ? exec->plain[in->op]
                                                : exec->general[in->op];
   in->run = in->fn;
   in->run_length = 1;
}

/* When no lane is left, BRK, CONT and ENDIF go to the end of the innermost block. */
static void
emul_shader_decode_resolve_jumps(struct emul_program *p)
{
   uint16_t block[ATTILA_ISA_MAX_NESTING];
   unsigned depth = 0;
   for (uint32_t i = 0; i < p->isa.num_instrs; i++) {
      struct emul_instr *in = &p->instrs[i];
      switch (in->op) {
      case ATTILA_OP_IF:
      case ATTILA_OP_LOOP:
         block[depth++] = in->target;
         break;
      case ATTILA_OP_ELSE:
         block[depth - 1] = in->target;
         break;
      case ATTILA_OP_ENDLOOP:
         depth--;
         break;
      case ATTILA_OP_ENDIF:
         depth--;
         in->target = depth ? block[depth - 1] : 0;
         break;
      case ATTILA_OP_BRK:
      case ATTILA_OP_CONT:
         in->target = block[depth - 1];
         break;
      default:
         break;
      }
   }
}

static bool
emul_shader_decode_copy_isa(struct attila_isa_program *to, const struct attila_isa_program *from)
{
   *to = *from;
   to->literals = NULL;
   to->instrs = malloc(from->num_instrs * sizeof(*to->instrs));
   if (!to->instrs)
      return false;
   memcpy(to->instrs, from->instrs, from->num_instrs * sizeof(*to->instrs));
   if (!from->num_literals)
      return true;
   to->literals = malloc(from->num_literals * sizeof(*to->literals));
   if (!to->literals)
      return false;
   memcpy(to->literals, from->literals, from->num_literals * sizeof(*to->literals));
   return true;
}

static void
emul_shader_decode_find_inputs_read(struct emul_program *p)
{
   if (p->isa.stage == ATTILA_STAGE_GEOMETRY) /* whole vertices are loaded */
      return;
   for (uint32_t i = 0; i < p->isa.num_instrs; i++) {
      const struct attila_isa_instr *in = &p->isa.instrs[i];
      for (unsigned s = 0; s < attila_isa_ops[in->op].num_srcs; s++) {
         const struct attila_isa_src *src = &in->src[s];
         if (src->file != ATTILA_FILE_INPUT)
            continue;
         if (src->relative)
            memset(p->input_components, 15, sizeof(p->input_components));
         else
            p->input_components[src->index] |=
                (uint8_t)emul_shader_decode_swizzled(emul_components_read(in, s), src->swizzle);
      }
   }
}

struct emul_program *
emul_program_create_for(const struct attila_isa_program *isa, const struct emul_exec *exec)
{
   char error[128];
   if (!attila_isa_validate(isa, error, sizeof(error)))
      return NULL;
   struct emul_program *p = calloc(1, sizeof(*p));
   if (!p)
      return NULL;
   p->instrs = calloc(isa->num_instrs, sizeof(*p->instrs));
   if (!p->instrs || !emul_shader_decode_copy_isa(&p->isa, isa) ||
       !attila_isa_finalize(&p->isa, error, sizeof(error)) || !emul_shader_decode_find_clears(p)) {
      emul_program_destroy(p);
      return NULL;
   }
   p->deliver = exec->deliver;
   emul_shader_decode_find_inputs_read(p);
   for (uint32_t i = 0; i < isa->num_instrs; i++)
      emul_shader_decode_instr(p, exec, i);
   emul_shader_decode_resolve_jumps(p);
   if (exec->native)
      emul_native_compile(p);
   return p;
}

struct emul_program *
emul_program_create(const struct attila_isa_program *isa)
{
   return emul_program_create_for(isa, emul_exec_get(0));
}

void
emul_program_count(struct emul_program *program, struct sim_cost *costs)
{
   if (program->costs != costs) /* others may read it */
      program->costs = costs;
}

void
emul_program_destroy(struct emul_program *p)
{
   if (!p)
      return;
   emul_native_free(p);
   attila_isa_free(&p->isa);
   free(p->instrs);
   free(p);
}

const struct attila_isa_program *
emul_program_isa(const struct emul_program *p)
{
   return &p->isa;
}

unsigned
emul_program_input_components(const struct emul_program *p, unsigned input)
{
   return p->input_components[input];
}
