/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * How instructions issue, how many groups of a program fit a machine, a program's statistics line.
 * Prediction of cycles: isa_cycles.c. */
#include <stdio.h>
#include "hw/isa/attila_machine.h"

static unsigned
isa_machine_count_components(const struct attila_isa_instr *in)
{
   unsigned n = 0;
   for (unsigned m = in->dst.write_mask; m; m &= m - 1)
      n++;
   return n;
}

/* Componentwise and special function operations are scalar if they write one component; operations
 * on whole vectors never are (the original's rule). */
static bool
isa_machine_is_vector_op(unsigned op)
{
   switch (op) {
   case ATTILA_OP_DP2:
   case ATTILA_OP_DP3:
   case ATTILA_OP_DP4:
   case ATTILA_OP_DPH:
   case ATTILA_OP_DST:
   case ATTILA_OP_LIT:
   case ATTILA_OP_XPD:
   case ATTILA_OP_EXP:
   case ATTILA_OP_LOG:
   case ATTILA_OP_KIL:
   case ATTILA_OP_KILC:
      return true;
   default:
      return attila_isa_waits(op);
   }
}

bool
attila_isa_is_scalar(const struct attila_isa_instr *in)
{
   return isa_machine_count_components(in) <= 1 && !isa_machine_is_vector_op(in->op);
}

/* A one-component ALU takes a step per written component; sums of products one per product; where
 * the original has the instruction, its repeat rate. */
unsigned
attila_isa_scalar_steps(const struct attila_isa_instr *in)
{
   unsigned components = isa_machine_count_components(in);
   switch (in->op) {
   case ATTILA_OP_DP2:
      return 2;
   case ATTILA_OP_DP3:
   case ATTILA_OP_XPD: /* its repeat rate has each component's two */
   case ATTILA_OP_TEX:
   case ATTILA_OP_TXQL:
      return 3;
   case ATTILA_OP_DP4:
   case ATTILA_OP_DPH:
   case ATTILA_OP_TXB:
   case ATTILA_OP_TXL:
   case ATTILA_OP_TXP:
   case ATTILA_OP_TXF:
   case ATTILA_OP_TXG:
      return 4;
   case ATTILA_OP_LIT:
      return 7;
   case ATTILA_OP_DST:
      return 8;
   case ATTILA_OP_TXD:
      return 9;
   case ATTILA_OP_EXP:
   case ATTILA_OP_LOG:
   case ATTILA_OP_TXS:
   case ATTILA_OP_LDC: /* the offset; the buffer is mostly uniform */
   case ATTILA_OP_LDB:
   case ATTILA_OP_SZB:
   case ATTILA_OP_LDS:
      return 1;
   case ATTILA_OP_STB: /* the offset and the words */
   case ATTILA_OP_STS:
      return 1u + in->words;
   case ATTILA_OP_ATOM:
   case ATTILA_OP_RED:
   case ATTILA_OP_ATOMS:
      return in->atomic == ATTILA_ATOMIC_COMPARE_SWAP ? 3 : 2;
   case ATTILA_OP_LDI: /* x and y */
      return 2;
   case ATTILA_OP_STI:
      return 2 + 4;
   case ATTILA_OP_ATOMI:
   case ATTILA_OP_REDI:
      return in->atomic == ATTILA_ATOMIC_COMPARE_SWAP ? 4 : 3;
   case ATTILA_OP_SZI:
      return 1;
   default:
      return components ? components : 1;
   }
}

bool
attila_isa_waits(unsigned op)
{
   return attila_isa_ops[op].cls == ATTILA_CLASS_TEXTURE ||
          attila_isa_ops[op].cls == ATTILA_CLASS_LOAD ||
          attila_isa_ops[op].cls == ATTILA_CLASS_MEMORY;
}

bool
attila_isa_may_jump(unsigned op)
{
   switch (op) {
   case ATTILA_OP_IF:
   case ATTILA_OP_ELSE:
   case ATTILA_OP_ENDIF:
   case ATTILA_OP_BRK:
   case ATTILA_OP_CONT:
   case ATTILA_OP_ENDLOOP:
   case ATTILA_OP_EMIT: /* no output may change before they are taken */
   case ATTILA_OP_BAR:
      return true;
   default:
      return false;
   }
}

bool
attila_isa_pairs(const struct attila_shader_machine *machine, const struct attila_isa_instr *first,
                 const struct attila_isa_instr *second)
{
   if (machine->ways < 2 || second->op == ATTILA_OP_END || attila_isa_may_jump(first->op) ||
       attila_isa_waits(first->op))
      return false;
   if (machine->alu != ATTILA_ALU_SIMD_SCALAR)
      return true;
   const bool a = attila_isa_is_scalar(first), b = attila_isa_is_scalar(second);
   return a && b ? machine->two_scalars : a ? !machine->simd_first : b;
}

unsigned
attila_isa_threads(const struct attila_isa_program *p, const struct attila_shader_machine *machine)
{
   uint32_t unit = machine->granularity ? machine->granularity : 1;
   uint32_t held = (attila_isa_registers(p) + unit - 1) / unit * unit;
   held *= machine->lanes ? machine->lanes : 1;
   uint32_t fit = machine->registers / held;
   fit = fit < machine->threads ? fit : machine->threads;
   return fit ? fit : 1; /* a lone group gets the registers it needs */
}

void
attila_isa_stats_line(const struct attila_isa_program *p,
                      const struct attila_shader_machine *machine, char *line, size_t size)
{
   unsigned count[ATTILA_CLASS_MEMORY + 1] = {0}, loops = 0;
   for (uint32_t i = 0; i < p->num_instrs; i++) {
      if (p->instrs[i].op < ATTILA_NUM_OPS)
         count[attila_isa_ops[p->instrs[i].op].cls]++;
      loops += p->instrs[i].op == ATTILA_OP_LOOP;
   }
   /* No registers are spilled: a program that needs too many does not compile. */
   snprintf(line, size,
            "%u inst, %u loops, %u cycles, 0:0 spills:fills, %u simd, %u scalar, %u tex, %u flow, "
            "%u literals, %u regs, %u threads",
            p->num_instrs, loops, (attila_isa_cycles(p, machine) + 99) / 100,
            count[ATTILA_CLASS_SIMD] + count[ATTILA_CLASS_INTEGER], count[ATTILA_CLASS_SCALAR],
            count[ATTILA_CLASS_TEXTURE], count[ATTILA_CLASS_FLOW], p->num_literals,
            attila_isa_registers(p), attila_isa_threads(p, machine));
}
