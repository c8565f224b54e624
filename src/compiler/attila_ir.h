/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The compiler's form between NIR and the program: a flat array of instructions whose TEMP operands
 * are virtual registers, and the queries that every pass needs (reads, writes, successor blocks).
 * Passes are in the files named below. No NIR. */
#ifndef ATTILA_IR_H
#define ATTILA_IR_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/isa/attila_machine.h"
#include "util/bitset.h"

#define AIR_MAX_VREGS 65535

struct air_vreg {
   bool ssa; /* each component is written by at most one instruction, which dominates its reads */
   uint16_t array;    /* 1 + first register of the array that it is part of; 0: a plain register */
   uint16_t elements; /* length of the array, in its first register */
};

struct air {
   void *mem;                                   /* ralloc context of all below */
   uint8_t stage;                               /* enum attila_stage */
   bool validate;                               /* run the validators */
   bool ignore_machine;                         /* choose nothing for speed on the machine */
   const struct attila_shader_machine *machine; /* the target */
   struct attila_isa_instr *instrs;
   unsigned num_instrs, max_instrs;
   uint16_t line; /* source line for appended instructions; 0: unknown */
   struct air_vreg *vregs;
   unsigned num_vregs, max_vregs;
   float (*literals)[4];
   uint8_t *literal_used; /* mask of components */
   unsigned num_literals;
   unsigned
       spread; /* number of registers that allocation may use freely; it uses few beyond these */
   /* After register allocation: registers, and which are in arrays. */
   unsigned num_temps;
   struct air_vreg *temps;
   unsigned num_consts; /* constant registers that may be read */
   char *error;         /* the first error, or NULL */
   bool broken;         /* the error is a bug of the compiler, found by a validator */
};

/* A virtual register's place after register allocation. */
struct air_place {
   uint16_t reg;
   uint8_t map; /* component c is in the register's component map >> 2 * c & 3 */
   bool used;   /* it is accessed */
};

/* A run of instructions without a branch in or out. */
struct air_block {
   unsigned start, end; /* instructions start .. end - 1 */
   unsigned succ[2], num_succs;
   BITSET_WORD *live_in, *live_out; /* bit register * 4 + component; see air_address_bit */
};

struct air_cfg {
   struct air_block *blocks;
   unsigned num_blocks;
   unsigned words; /* words of a live set */
};

void air_error(struct air *ir, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Reports what a validator found: after which step, at which instruction, what is wrong. */
void air_broken(struct air *ir, const char *step, unsigned instr, const char *what);
unsigned air_new_vreg(struct air *ir, bool ssa);
unsigned air_new_array(struct air *ir, unsigned elements);
/* Appends a zeroed instruction, valid until the next one. */
struct attila_isa_instr *air_append(struct air *ir, unsigned op);
/* Removes the instructions that a pass turned into NOP. */
void air_compact(struct air *ir);
/* Returns a literal operand whose first count channels are the values. */
struct attila_isa_src air_literal(struct air *ir, const float *values, unsigned count);

/* Returns whether a result's component c depends on component c of the sources only. */
static inline bool
air_is_componentwise(unsigned op)
{
   switch (op) {
   case ATTILA_OP_MOV:
   case ATTILA_OP_ADD:
   case ATTILA_OP_MUL:
   case ATTILA_OP_MAD:
   case ATTILA_OP_MIN:
   case ATTILA_OP_MAX:
   case ATTILA_OP_SLT:
   case ATTILA_OP_SGE:
   case ATTILA_OP_SEQ:
   case ATTILA_OP_SNE:
   case ATTILA_OP_SGT:
   case ATTILA_OP_SLE:
   case ATTILA_OP_CMP:
   case ATTILA_OP_CND:
   case ATTILA_OP_LRP:
   case ATTILA_OP_FRC:
   case ATTILA_OP_FLR:
   case ATTILA_OP_CEIL:
   case ATTILA_OP_TRUNC:
   case ATTILA_OP_ROUND:
   case ATTILA_OP_SSG:
   case ATTILA_OP_ARL:
   case ATTILA_OP_DDX:
   case ATTILA_OP_DDY:
      return true;
   default:
      return attila_isa_ops[op].cls == ATTILA_CLASS_INTEGER;
   }
}

/* Returns whether all components get the same value. */
static inline bool
air_is_replicated(unsigned op)
{
   switch (op) {
   case ATTILA_OP_DP2:
   case ATTILA_OP_DP3:
   case ATTILA_OP_DP4:
   case ATTILA_OP_DPH:
   case ATTILA_OP_RCP:
   case ATTILA_OP_RSQ:
   case ATTILA_OP_SQRT:
   case ATTILA_OP_EX2:
   case ATTILA_OP_LG2:
   case ATTILA_OP_POW:
   case ATTILA_OP_SIN:
   case ATTILA_OP_COS:
      return true;
   default:
      return false;
   }
}

/* Returns the channels (after the swizzle) of a source that the instruction reads. */
uint8_t air_channels(const struct attila_isa_instr *in, unsigned s);

/* Returns the components of a source's register that the instruction reads. */
static inline uint8_t
air_components(const struct attila_isa_src *src, uint8_t channels)
{
   uint8_t mask = 0;
   for (unsigned c = 0; c < 4; c++) {
      if (channels & (1u << c))
         mask |= 1u << ATTILA_SWZ_GET(src->swizzle, c);
   }
   return mask;
}

static inline unsigned
air_num_srcs(const struct attila_isa_instr *in)
{
   return attila_isa_ops[in->op].num_srcs;
}

static inline bool
air_writes_temp(const struct attila_isa_instr *in)
{
   return attila_isa_ops[in->op].has_dst && in->dst.file == ATTILA_FILE_TEMP;
}

/* Returns the first of the four bits of the address register in a live set. */
static inline unsigned
air_address_bit(const struct air *ir)
{
   return ir->num_vregs * 4;
}

/* In attila_ir.c: builds the blocks, optionally with live sets. All is freed with the returned
 * graph, a child of ir->mem. */
struct air_cfg *air_build_cfg(struct air *ir, bool liveness);
/* Changes live from the live set after an instruction to the live set before it. */
void air_live_step(const struct air *ir, const struct attila_isa_instr *in, BITSET_WORD *live);

/* The passes; each returns whether it changed anything. */
bool air_copy_propagate(struct air *ir); /* attila_opt_copy.c */
bool air_merge_copies(struct air *ir);   /* attila_opt_merge.c */
bool air_coalesce(struct air *ir);       /* attila_opt_coalesce.c */
bool air_dead_code(struct air *ir);      /* attila_opt.c */
bool air_peephole(struct air *ir);       /* attila_opt.c */
/* Runs the table of passes until nothing changes. */
void air_optimize(struct air *ir); /* attila_opt.c */
/* Replaces virtual registers by at most ATTILA_ISA_MAX_TEMPS real ones. */
void air_allocate(struct air *ir); /* attila_ra.c */
/* The two steps of air_allocate: choose the place of each virtual register (returns how many
 * registers are used), then rewrite operands. A MOV of a register to itself becomes a NOP. */
unsigned air_choose_places(struct air *ir, struct air_place *places);
void air_place_operands(struct attila_isa_instr *in, const struct air_place *places);
/* Returns whether the allocated instructions compute what ir does; else ir has an error with the
 * place. real has an instruction for each of ir; a removed MOV is a NOP. In
 * attila_ra_validate.c. */
bool air_validate_allocation(struct air *ir, const struct attila_isa_instr *real,
                             const struct air_place *places, unsigned num_regs);

struct air_order {
   unsigned percent;  /* limit, of the live components in the given order; 0: no limit */
   unsigned interval; /* cycles between a group's fetches */
   bool hold;         /* a long scalar instruction waits for another one, to issue both together */
};
/* Reorders the instructions of blocks. It is not in the table of passes, since it may cost
 * registers. In attila_sched.c. */
void air_schedule(struct air *ir, const struct air_order *order);
/* The same after register allocation, where it costs no registers; percent is 0. In
 * attila_sched.c. */
void air_schedule_allocated(struct air *ir, const struct air_order *order);
/* Returns whether reordered blocks compute the same; else ir has an error with the place. before:
 * the instructions in the former order; origin: the former index of each. In
 * attila_sched_validate.c. */
void air_validate_order(struct air *ir, const struct air_cfg *cfg,
                        const struct attila_isa_instr *before, const uint32_t *origin);
/* Schedules and allocates in several ways, and keeps the result that is fastest on the machine. In
 * attila_candidate_select.c. */
void air_choose(struct air *ir);
/* Checks the invariants between passes if ir->validate; the error names the pass. */
bool air_validate(struct air *ir, const char *pass); /* attila_ir.c */

#endif
