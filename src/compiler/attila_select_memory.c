/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Selects memory instructions: loads, stores and atomic operations of images, of storage blocks, in
 * which Mesa keeps atomic counters, too, and of a workgroup's shared memory. Barriers of memory
 * need none, since a group waits for each of its memory instructions. And where invocations are.
 * Not here: uniform blocks (attila_select_io.c). */
#include "attila_nir.h"

/* Returns the instruction of an access, with the block and the byte in it, which may differ by
 * input, or the image and the texel (attila_nir_image.c). block: NULL for shared memory. */
static struct attila_isa_instr *
attila_select_memory_emit(struct attila_select *e, unsigned op, nir_intrinsic_instr *intr,
                          nir_src *block, nir_src *offset, unsigned mask)
{
   struct attila_isa_src b = {0};
   if (block)
      b = attila_select_scalar(e, block);
   const struct attila_isa_src a =
       attila_isa_is_image(op) ? attila_select_src(e, offset) : attila_select_scalar(e, offset);
   const bool has_dst = attila_isa_ops[op].has_dst;
   struct attila_isa_instr *in =
       attila_select_op(e, op, has_dst ? attila_select_def(e, &intr->def) : 0, mask);
   in->src[0] = a;
   if (block)
      in->src[1] = b;
   return in;
}

/* Puts data behind the other sources. */
static void
attila_select_memory_data(struct attila_isa_instr *in, struct attila_isa_src data)
{
   in->src[attila_isa_ops[in->op].num_srcs - 1] = data;
}

static void
attila_select_memory_store(struct attila_select *e, nir_intrinsic_instr *intr)
{
   const bool shared = intr->intrinsic == nir_intrinsic_store_shared;
   const struct attila_isa_src value = attila_select_src(e, &intr->src[0]);
   struct attila_isa_instr *in =
       shared ? attila_select_memory_emit(e, ATTILA_OP_STS, intr, NULL, &intr->src[1], 0)
              : attila_select_memory_emit(e, ATTILA_OP_STB, intr, &intr->src[1], &intr->src[2], 0);
   in->words = intr->num_components; /* attila_nir_lower_stores */
   attila_select_memory_data(in, value);
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
attila_select_memory_atomic(struct attila_select *e, nir_intrinsic_instr *intr, unsigned op)
{
   const bool shared = op == ATTILA_OP_ATOMS;
   nir_src *offset = &intr->src[shared ? 0 : 1],
           *operand = offset + (op == ATTILA_OP_ATOMI ? 2 : 1); /* or what is expected */
   const enum attila_atomic atomic = attila_select_memory_operation(nir_intrinsic_atomic_op(intr));
   if (atomic == ATTILA_ATOMIC_NONE) {
      air_error(e->ir, "atomic operation %u", nir_intrinsic_atomic_op(intr));
      return;
   }
   struct attila_isa_src data;
   if (atomic == ATTILA_ATOMIC_COMPARE_SWAP) {
      const nir_scalar s[2] = {nir_get_scalar(operand[1].ssa, 0),
                               nir_get_scalar(operand[0].ssa, 0)};
      data = attila_select_scalars(e, s, 2);
   } else {
      data = attila_select_scalar(e, operand);
   }
   struct attila_isa_instr *in =
       attila_select_memory_emit(e, op, intr, shared ? NULL : &intr->src[0], offset, 1);
   in->atomic = atomic;
   attila_select_memory_data(in, data);
}

/* Moves what a compute program's invocation knows of its place. */
static void
attila_select_memory_place(struct attila_select *e, nir_intrinsic_instr *intr)
{
   struct attila_isa_src src = {.file = ATTILA_FILE_INPUT, .swizzle = ATTILA_SWZ_XYZW};
   src.index = intr->intrinsic == nir_intrinsic_load_workgroup_id     ? ATTILA_CS_INPUT_WORKGROUP
               : intr->intrinsic == nir_intrinsic_load_num_workgroups ? ATTILA_CS_INPUT_GRID
                                                                      : ATTILA_CS_INPUT_LOCAL;
   if (intr->intrinsic == nir_intrinsic_load_local_invocation_index)
      src = attila_replicate(src, 3);
   attila_select_op(e, ATTILA_OP_MOV, attila_select_def(e, &intr->def),
                    (1u << intr->def.num_components) - 1)
       ->src[0] = src;
}

bool
attila_select_memory(struct attila_select *e, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_local_invocation_id:
   case nir_intrinsic_load_local_invocation_index:
   case nir_intrinsic_load_workgroup_id:
   case nir_intrinsic_load_num_workgroups:
      attila_select_memory_place(e, intr);
      return true;
   case nir_intrinsic_load_shared:
      attila_select_memory_emit(e, ATTILA_OP_LDS, intr, NULL, &intr->src[0],
                                (1u << intr->def.num_components) - 1);
      return true;
   case nir_intrinsic_store_shared:
      attila_select_memory_store(e, intr);
      return true;
   case nir_intrinsic_shared_atomic:
   case nir_intrinsic_shared_atomic_swap:
      attila_select_memory_atomic(e, intr, ATTILA_OP_ATOMS);
      return true;
   case nir_intrinsic_load_ssbo:
      attila_select_memory_emit(e, ATTILA_OP_LDB, intr, &intr->src[0], &intr->src[1],
                                (1u << intr->def.num_components) - 1);
      return true;
   case nir_intrinsic_store_ssbo:
      attila_select_memory_store(e, intr);
      return true;
   case nir_intrinsic_ssbo_atomic:
   case nir_intrinsic_ssbo_atomic_swap:
      attila_select_memory_atomic(e, intr, ATTILA_OP_ATOM);
      return true;
   case nir_intrinsic_image_load:
      attila_select_memory_emit(e, ATTILA_OP_LDI, intr, &intr->src[0], &intr->src[1],
                                (1u << intr->def.num_components) - 1);
      return true;
   case nir_intrinsic_image_store: {
      const struct attila_isa_src texel = attila_select_src(e, &intr->src[3]);
      attila_select_memory_emit(e, ATTILA_OP_STI, intr, &intr->src[0], &intr->src[1], 0)->src[2] =
          texel;
      return true;
   }
   case nir_intrinsic_image_atomic:
   case nir_intrinsic_image_atomic_swap:
      attila_select_memory_atomic(e, intr, ATTILA_OP_ATOMI);
      return true;
   case nir_intrinsic_image_size: {
      const struct attila_isa_src image = attila_select_scalar(e, &intr->src[0]);
      attila_select_op(e, ATTILA_OP_SZI, attila_select_def(e, &intr->def),
                       (1u << intr->def.num_components) - 1)
          ->src[0] = image;
      return true;
   }
   case nir_intrinsic_get_ssbo_size: {
      const struct attila_isa_src block = attila_select_scalar(e, &intr->src[0]);
      attila_select_op(e, ATTILA_OP_SZB, attila_select_def(e, &intr->def), 1)->src[0] = block;
      return true;
   }
   case nir_intrinsic_barrier:
      if (nir_intrinsic_execution_scope(intr) >= SCOPE_WORKGROUP &&
          e->nir->info.stage == MESA_SHADER_COMPUTE)
         air_append(e->ir, ATTILA_OP_BAR);
      return true;
   default:
      return false;
   }
}
