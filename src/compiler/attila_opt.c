/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The table of passes on the compiler's instructions, dead code removal, tests of booleans. */
#include <string.h>
#include "attila_ir.h"
#include "util/macros.h"
#include "util/ralloc.h"

bool
air_dead_code(struct air *ir)
{
   struct air_cfg *cfg = air_build_cfg(ir, true);
   BITSET_WORD *live = rzalloc_array(cfg, BITSET_WORD, cfg->words);
   bool progress = false;
   for (unsigned b = 0; b < cfg->num_blocks; b++) {
      memcpy(live, cfg->blocks[b].live_out, cfg->words * sizeof(*live));
      for (unsigned i = cfg->blocks[b].end; i-- > cfg->blocks[b].start;) {
         struct attila_isa_instr *in = &ir->instrs[i];
         bool address = in->dst.file == ATTILA_FILE_ADDRESS;
         if (attila_isa_ops[in->op].has_dst && in->dst.file != ATTILA_FILE_OUTPUT &&
             !in->dst.relative && (address || !ir->vregs[in->dst.index].array)) {
            unsigned base = address ? air_address_bit(ir) : in->dst.index * 4u;
            uint8_t mask = 0;
            for (unsigned k = 0; k < 4; k++)
               mask |=
                   (in->dst.write_mask & (1u << k)) && BITSET_TEST(live, base + k) ? 1u << k : 0;
            progress |= mask != in->dst.write_mask;
            in->dst.write_mask = mask;
            if (!mask && (in->op == ATTILA_OP_ATOM || in->op == ATTILA_OP_ATOMI)) {
               in->op = in->op == ATTILA_OP_ATOM ? ATTILA_OP_RED : ATTILA_OP_REDI;
               memset(&in->dst, 0, sizeof(in->dst));
            } else if (!mask && in->op == ATTILA_OP_ATOMS) {
               in->dst.write_mask = mask = 1; /* it has no form without a result */
            } else if (!mask) {
               in->op = ATTILA_OP_NOP;
               continue;
            }
         }
         air_live_step(ir, in, live);
      }
   }
   ralloc_free(cfg);
   air_compact(ir);
   return progress;
}

/* Returns whether an operand has one value in all channels, and this value. */
static bool
attila_opt_is_literal(const struct air *ir, const struct attila_isa_instr *in, unsigned s,
                      float value)
{
   const struct attila_isa_src *src = &in->src[s];
   uint8_t channels = air_channels(in, s);
   if (src->file != ATTILA_FILE_LITERAL)
      return false;
   for (unsigned k = 0; k < 4; k++) {
      float v = ir->literals[src->index][ATTILA_SWZ_GET(src->swizzle, k)];
      v = src->absolute && v < 0.0f ? -v : v;
      if ((channels & (1u << k)) && (src->negate ? -v : v) != value)
         return false;
   }
   return true;
}

static bool
attila_opt_is_boolean_op(unsigned op)
{
   return op == ATTILA_OP_SLT || op == ATTILA_OP_SGE || op == ATTILA_OP_SEQ ||
          op == ATTILA_OP_SNE || op == ATTILA_OP_SGT || op == ATTILA_OP_SLE;
}

static const uint8_t inverse_compare[ATTILA_NUM_OPS] = {
    /* Only equality can be inverted: with the others NaN would matter. */
    [ATTILA_OP_SEQ] = ATTILA_OP_SNE,
    [ATTILA_OP_SNE] = ATTILA_OP_SEQ,
};

/* Simplifies x != 0 and x == 0 where x is 0 or 1. */
static bool
attila_opt_simplify_boolean_test(struct air *ir, const uint32_t *def, struct attila_isa_instr *in)
{
   if ((in->op != ATTILA_OP_SNE && in->op != ATTILA_OP_SEQ) ||
       !attila_opt_is_literal(ir, in, 1, 0.0f) || in->src[0].file != ATTILA_FILE_TEMP ||
       in->src[0].relative)
      return false;
   uint8_t components = air_components(&in->src[0], air_channels(in, 0));
   const struct attila_isa_instr *first = NULL;
   for (unsigned k = 0; k < 4; k++) {
      if (!(components & (1u << k)))
         continue;
      uint32_t d = def[in->src[0].index * 4u + k];
      if (!d || !attila_opt_is_boolean_op(ir->instrs[d - 1].op) ||
          (first && first != &ir->instrs[d - 1]))
         return false;
      first = &ir->instrs[d - 1];
   }
   if (in->op == ATTILA_OP_SNE) {
      in->op = ATTILA_OP_MOV;
      in->src[0].negate = in->src[0].absolute = false;
      in->src[1] = (struct attila_isa_src){.swizzle = ATTILA_SWZ_XYZW};
      return true;
   }
   /* Replace it by the opposite comparison of the same operands, if these have not changed. */
   if (!first || !inverse_compare[first->op])
      return false;
   struct attila_isa_instr result = *in;
   result.op = inverse_compare[first->op];
   for (unsigned s = 0; s < 2; s++) {
      uint8_t swizzle[4];
      result.src[s] = first->src[s];
      if (result.src[s].relative ||
          (result.src[s].file == ATTILA_FILE_TEMP && !ir->vregs[result.src[s].index].ssa))
         return false;
      for (unsigned k = 0; k < 4; k++)
         swizzle[k] = ATTILA_SWZ_GET(first->src[s].swizzle, ATTILA_SWZ_GET(in->src[0].swizzle, k));
      result.src[s].swizzle = ATTILA_SWZ(swizzle[0], swizzle[1], swizzle[2], swizzle[3]);
   }
   *in = result;
   return true;
}

bool
air_peephole(struct air *ir)
{
   uint32_t *def = rzalloc_array(ir->mem, uint32_t, ir->num_vregs * 4 + 4);
   bool progress = false;
   for (unsigned i = 0; i < ir->num_instrs; i++) {
      struct attila_isa_instr *in = &ir->instrs[i];
      progress |= attila_opt_simplify_boolean_test(ir, def, in);
      for (unsigned k = 0; air_writes_temp(in) && ir->vregs[in->dst.index].ssa && k < 4; k++) {
         if (in->dst.write_mask & (1u << k))
            def[in->dst.index * 4u + k] = i + 1;
      }
   }
   ralloc_free(def);
   return progress;
}

static const struct {
   const char *name;
   bool (*run)(struct air *ir);
} passes[] = {
    {"copy propagation", air_copy_propagate},
    {"peephole", air_peephole},
    {"dead code", air_dead_code},
    {"merging of copies", air_merge_copies},
    {"coalescing", air_coalesce},
};

void
air_optimize(struct air *ir)
{
   /* Each round removes instructions or operands; the limit bounds the time of pathological
    * shaders. */
   bool progress = true;
   for (unsigned round = 0; progress && round < 16; round++) {
      progress = false;
      for (unsigned p = 0; p < ARRAY_SIZE(passes); p++) {
         progress |= passes[p].run(ir);
         if (!air_validate(ir, passes[p].name))
            return;
      }
   }
}
