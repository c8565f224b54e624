/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Merging of copies: MOVs of a block between the same two registers become one. Such MOVs arise
 * because vectors are built component by component. When the results of one instruction (LIT, a
 * texture) are copied by one MOV, coalescing may remove it. */
#include "attila_ir.h"
#include "util/ralloc.h"

/* As in coalescing: longer distances are not worth quadratic time. */
#define WINDOW 64

static bool
attila_opt_merge_may_merge(const struct air *ir, const struct attila_isa_instr *in)
{
   return in->op == ATTILA_OP_MOV && !in->dst.relative && !in->src[0].relative &&
          (in->dst.file == ATTILA_FILE_OUTPUT ||
           (in->dst.file == ATTILA_FILE_TEMP && !ir->vregs[in->dst.index].array)) &&
          (in->src[0].file != ATTILA_FILE_TEMP || !ir->vregs[in->src[0].index].array);
}

static bool
attila_opt_merge_same_registers(const struct attila_isa_instr *a, const struct attila_isa_instr *b)
{
   return a->dst.file == b->dst.file && a->dst.index == b->dst.index &&
          a->dst.saturate == b->dst.saturate && a->src[0].file == b->src[0].file &&
          a->src[0].index == b->src[0].index && a->src[0].negate == b->src[0].negate &&
          a->src[0].absolute == b->src[0].absolute && !(a->dst.write_mask & b->dst.write_mask);
}

/* Returns whether a MOV reads what an instruction writes. */
static bool
attila_opt_merge_depends(const struct attila_isa_instr *mov, const struct attila_isa_instr *in)
{
   const struct attila_isa_src *from = &mov->src[0];
   return in->dst.file == ATTILA_FILE_TEMP && from->file == ATTILA_FILE_TEMP &&
          in->dst.index == from->index &&
          (in->dst.write_mask & air_components(from, mov->dst.write_mask));
}

/* Returns whether the MOV must not move before an instruction. */
static bool
attila_opt_merge_is_in_the_way(const struct attila_isa_instr *in,
                               const struct attila_isa_instr *mov)
{
   if (attila_isa_ops[in->op].has_dst) {
      if (in->dst.file == mov->dst.file &&
          (in->dst.relative ||
           (in->dst.index == mov->dst.index && (in->dst.write_mask & mov->dst.write_mask))))
         return true;
      if (attila_opt_merge_depends(mov, in))
         return true;
   }
   for (unsigned s = 0; mov->dst.file == ATTILA_FILE_TEMP && s < air_num_srcs(in); s++) {
      const struct attila_isa_src *src = &in->src[s];
      if (src->file == ATTILA_FILE_TEMP && src->index == mov->dst.index &&
          (air_components(src, air_channels(in, s)) & mov->dst.write_mask))
         return true;
   }
   return false;
}

static void
attila_opt_merge_merge(struct attila_isa_instr *into, struct attila_isa_instr *mov)
{
   uint8_t swizzle[4];
   for (unsigned k = 0; k < 4; k++) {
      const struct attila_isa_instr *from = mov->dst.write_mask & (1u << k) ? mov : into;
      swizzle[k] = ATTILA_SWZ_GET(from->src[0].swizzle, k);
   }
   into->src[0].swizzle = ATTILA_SWZ(swizzle[0], swizzle[1], swizzle[2], swizzle[3]);
   into->dst.write_mask |= mov->dst.write_mask;
   mov->op = ATTILA_OP_NOP;
}

bool
air_merge_copies(struct air *ir)
{
   bool progress = false;
   struct air_cfg *cfg = air_build_cfg(ir, false);
   for (unsigned b = 0; b < cfg->num_blocks; b++) {
      const struct air_block *block = &cfg->blocks[b];
      for (unsigned i = block->start; i < block->end; i++) {
         struct attila_isa_instr *first = &ir->instrs[i];
         if (!attila_opt_merge_may_merge(ir, first))
            continue;
         for (unsigned k = i + 1; k < block->end && k - i < WINDOW; k++) {
            struct attila_isa_instr *mov = &ir->instrs[k];
            if (!attila_opt_merge_may_merge(ir, mov) ||
                !attila_opt_merge_same_registers(first, mov) ||
                attila_opt_merge_depends(mov, first))
               continue;
            bool free = true;
            for (unsigned n = i + 1; free && n < k; n++)
               free = !attila_opt_merge_is_in_the_way(&ir->instrs[n], mov);
            if (free) {
               attila_opt_merge_merge(first, mov);
               progress = true;
            }
         }
      }
   }
   ralloc_free(cfg);
   air_compact(ir);
   return progress;
}
