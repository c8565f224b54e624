/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Selects memory instructions: loads, stores and atomic operations of storage blocks, in which Mesa
 * keeps atomic counters, too. Barriers need none, since a group waits for each of its memory
 * instructions. Not here: uniform blocks (attila_select_io.c). */
#include "attila_nir.h"

/* Returns the instruction of an access, with the byte and the block, which may differ by input. */
static struct attila_isa_instr *
attila_select_memory_emit(struct attila_select *e, unsigned op, nir_intrinsic_instr *intr,
                          nir_src *block, nir_src *offset, unsigned mask)
{
   const struct attila_isa_src b = attila_select_scalar(e, block),
                               a = attila_select_scalar(e, offset);
   const bool has_dst = attila_isa_ops[op].has_dst;
   struct attila_isa_instr *in =
       attila_select_op(e, op, has_dst ? attila_select_def(e, &intr->def) : 0, mask);
   in->src[0] = a;
   in->src[1] = b;
   return in;
}

static void
attila_select_memory_store(struct attila_select *e, nir_intrinsic_instr *intr)
{
   const struct attila_isa_src value = attila_select_src(e, &intr->src[0]);
   struct attila_isa_instr *in =
       attila_select_memory_emit(e, ATTILA_OP_STB, intr, &intr->src[1], &intr->src[2], 0);
   in->words = intr->num_components; /* attila_nir_lower_stores */
   in->src[2] = value;
}

static enum attila_atomic
attila_select_memory_operation(nir_atomic_op op)
{
   switch (op) {
   case nir_atomic_op_iadd:
      return ATTILA_ATOMIC_ADD;
   case nir_atomic_op_umin:
      return ATTILA_ATOMIC_UMIN;
   case nir_atomic_op_umax:
      return ATTILA_ATOMIC_UMAX;
   case nir_atomic_op_imin:
      return ATTILA_ATOMIC_IMIN;
   case nir_atomic_op_imax:
      return ATTILA_ATOMIC_IMAX;
   case nir_atomic_op_iand:
      return ATTILA_ATOMIC_AND;
   case nir_atomic_op_ior:
      return ATTILA_ATOMIC_OR;
   case nir_atomic_op_ixor:
      return ATTILA_ATOMIC_XOR;
   case nir_atomic_op_xchg:
      return ATTILA_ATOMIC_EXCHANGE;
   case nir_atomic_op_cmpxchg:
      return ATTILA_ATOMIC_COMPARE_SWAP;
   default:
      return ATTILA_ATOMIC_NONE;
   }
}

static void
attila_select_memory_atomic(struct attila_select *e, nir_intrinsic_instr *intr)
{
   const enum attila_atomic atomic = attila_select_memory_operation(nir_intrinsic_atomic_op(intr));
   if (atomic == ATTILA_ATOMIC_NONE) {
      air_error(e->ir, "atomic operation %u", nir_intrinsic_atomic_op(intr));
      return;
   }
   struct attila_isa_src data;
   if (atomic == ATTILA_ATOMIC_COMPARE_SWAP) {
      const nir_scalar s[2] = {nir_get_scalar(intr->src[3].ssa, 0),
                               nir_get_scalar(intr->src[2].ssa, 0)};
      data = attila_select_scalars(e, s, 2);
   } else {
      data = attila_select_scalar(e, &intr->src[2]);
   }
   struct attila_isa_instr *in =
       attila_select_memory_emit(e, ATTILA_OP_ATOM, intr, &intr->src[0], &intr->src[1], 1);
   in->atomic = atomic;
   in->src[2] = data;
}

bool
attila_select_memory(struct attila_select *e, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_ssbo:
      attila_select_memory_emit(e, ATTILA_OP_LDB, intr, &intr->src[0], &intr->src[1],
                                (1u << intr->def.num_components) - 1);
      return true;
   case nir_intrinsic_store_ssbo:
      attila_select_memory_store(e, intr);
      return true;
   case nir_intrinsic_ssbo_atomic:
   case nir_intrinsic_ssbo_atomic_swap:
      attila_select_memory_atomic(e, intr);
      return true;
   case nir_intrinsic_get_ssbo_size: {
      const struct attila_isa_src block = attila_select_scalar(e, &intr->src[0]);
      attila_select_op(e, ATTILA_OP_SZB, attila_select_def(e, &intr->def), 1)->src[0] = block;
      return true;
   }
   case nir_intrinsic_barrier:
      return true;
   default:
      return false;
   }
}
