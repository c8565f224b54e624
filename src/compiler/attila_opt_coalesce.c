/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Coalescing, the inverse of copy propagation: if a MOV is a value's only reader, the instructions
 * that make the value write the MOV's destination (an output, part of a vector, a loop variable)
 * directly, saturating if the MOV does. */
#include <string.h>
#include "attila_ir.h"
#include "util/ralloc.h"

/* A longer distance from a value to its only copy is rare and not worth quadratic time. */
#define WINDOW 400

struct coalescer {
   struct air *ir;
   uint16_t *reads; /* [virtual register]: source operands that read it */
};

/* Returns whether the instruction may write the MOV's destination instead, with components placed
 * by the MOV's swizzle. */
static bool
attila_opt_coalesce_can_retarget(const struct attila_isa_instr *def,
                                 const struct attila_isa_instr *mov)
{
   const struct attila_isa_src *src = &mov->src[0];
   if (def->dst.saturate && !mov->dst.saturate)
      return air_is_componentwise(def->op) || air_is_replicated(def->op);
   if (air_is_replicated(def->op) || (air_is_componentwise(def->op) && def->op != ATTILA_OP_ARL))
      return true;
   /* Other instructions cannot move their components. */
   if (mov->dst.saturate)
      return false;
   for (unsigned k = 0; k < 4; k++) {
      if ((mov->dst.write_mask & (1u << k)) &&
          (def->dst.write_mask & (1u << ATTILA_SWZ_GET(src->swizzle, k))) &&
          ATTILA_SWZ_GET(src->swizzle, k) != k)
         return false;
   }
   return true;
}

/* Returns the components of the MOV's destination that are copies of these components of its
 * source. */
static uint8_t
attila_opt_coalesce_moved_components(const struct attila_isa_instr *mov, uint8_t from)
{
   uint8_t mask = 0;
   for (unsigned k = 0; k < 4; k++) {
      if ((mov->dst.write_mask & (1u << k)) &&
          (from & (1u << ATTILA_SWZ_GET(mov->src[0].swizzle, k))))
         mask |= 1u << k;
   }
   return mask;
}

/* Returns the components of the MOV's destination that an instruction reads or writes. */
static uint8_t
attila_opt_coalesce_touched_components(const struct air *ir, const struct attila_isa_instr *in,
                                       const struct attila_isa_dst *dst)
{
   uint8_t mask = 0;
   if (attila_isa_ops[in->op].has_dst && in->dst.file == dst->file) {
      bool same_array = dst->file == ATTILA_FILE_TEMP && ir->vregs[dst->index].array &&
                        ir->vregs[dst->index].array == ir->vregs[in->dst.index].array;
      if (in->dst.index == dst->index ||
          ((same_array || dst->file == ATTILA_FILE_OUTPUT) && in->dst.relative))
         mask |= in->dst.write_mask;
   }
   if (dst->file != ATTILA_FILE_TEMP)
      return mask;
   for (unsigned s = 0; s < air_num_srcs(in); s++) {
      const struct attila_isa_src *src = &in->src[s];
      if (src->file != ATTILA_FILE_TEMP)
         continue;
      if (src->index == dst->index)
         mask |= air_components(src, air_channels(in, s));
      else if (src->relative && ir->vregs[src->index].array == ir->vregs[dst->index].array)
         mask |= 0xf;
   }
   return mask;
}

static void
attila_opt_coalesce_retarget(struct attila_isa_instr *def, const struct attila_isa_instr *mov)
{
   uint8_t mask = 0, written = def->dst.write_mask, swizzle[3][4];
   for (unsigned s = 0; s < 3; s++) {
      for (unsigned k = 0; k < 4; k++)
         swizzle[s][k] = ATTILA_SWZ_GET(def->src[s].swizzle, k);
   }
   for (unsigned k = 0; k < 4; k++) {
      unsigned from = ATTILA_SWZ_GET(mov->src[0].swizzle, k);
      if (!(mov->dst.write_mask & (1u << k)) || !(written & (1u << from)))
         continue;
      mask |= 1u << k;
      for (unsigned s = 0; s < 3; s++)
         swizzle[s][k] = ATTILA_SWZ_GET(def->src[s].swizzle, from);
   }
   if (air_is_componentwise(def->op)) {
      for (unsigned s = 0; s < 3; s++)
         def->src[s].swizzle =
             ATTILA_SWZ(swizzle[s][0], swizzle[s][1], swizzle[s][2], swizzle[s][3]);
   }
   bool saturate = def->dst.saturate || mov->dst.saturate;
   def->dst = mov->dst;
   def->dst.write_mask = mask;
   def->dst.saturate = saturate;
}

static bool
attila_opt_coalesce_mov(struct coalescer *c, unsigned m, unsigned start)
{
   struct air *ir = c->ir;
   struct attila_isa_instr *mov = &ir->instrs[m];
   const struct attila_isa_src *src = &mov->src[0];
   unsigned defs[4], num_defs = 0;
   if (mov->op != ATTILA_OP_MOV || src->file != ATTILA_FILE_TEMP || src->negate || src->absolute ||
       src->relative || mov->dst.relative || !ir->vregs[src->index].ssa ||
       c->reads[src->index] != 1)
      return false;
   uint8_t wanted = air_components(src, mov->dst.write_mask), touched = 0;
   for (unsigned i = m; wanted && i-- > start && m - i <= WINDOW;) {
      const struct attila_isa_instr *in = &ir->instrs[i];
      if (air_writes_temp(in) && in->dst.index == src->index && (in->dst.write_mask & wanted)) {
         uint8_t moved = attila_opt_coalesce_moved_components(mov, in->dst.write_mask);
         if (num_defs == 4 || in->dst.relative || (moved & touched) ||
             !attila_opt_coalesce_can_retarget(in, mov))
            return false;
         defs[num_defs++] = i;
         wanted &= ~in->dst.write_mask;
         touched |= moved;
      }
      touched |= attila_opt_coalesce_touched_components(ir, in, &mov->dst);
   }
   if (wanted)
      return false;
   for (unsigned d = 0; d < num_defs; d++)
      attila_opt_coalesce_retarget(&ir->instrs[defs[d]], mov);
   mov->op = ATTILA_OP_NOP;
   return true;
}

bool
air_coalesce(struct air *ir)
{
   struct coalescer c = {.ir = ir};
   bool progress = false;
   c.reads = rzalloc_array(ir->mem, uint16_t, ir->num_vregs + 1);
   for (unsigned i = 0; i < ir->num_instrs; i++) {
      for (unsigned s = 0; s < air_num_srcs(&ir->instrs[i]); s++) {
         const struct attila_isa_src *src = &ir->instrs[i].src[s];
         if (src->file == ATTILA_FILE_TEMP && c.reads[src->index] < UINT16_MAX)
            c.reads[src->index]++;
      }
   }
   struct air_cfg *cfg = air_build_cfg(ir, false);
   for (unsigned b = 0; b < cfg->num_blocks; b++) {
      for (unsigned i = cfg->blocks[b].start; i < cfg->blocks[b].end; i++)
         progress |= attila_opt_coalesce_mov(&c, i, cfg->blocks[b].start);
   }
   ralloc_free(cfg);
   ralloc_free(c.reads);
   air_compact(ir);
   return progress;
}
