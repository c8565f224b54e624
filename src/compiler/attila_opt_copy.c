/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Copy propagation: an operand that reads a MOV's result reads its source instead, with swizzles
 * composed, negation and absolute value folded in. Dead code removal drops the MOVs. */
#include <string.h>
#include "attila_ir.h"
#include "util/ralloc.h"

struct copies {
   struct air *ir;
   uint32_t *def; /* by SSA component: 1 + instruction that writes it */
   uint32_t
       *local; /* by component: 1 + MOV of this block whose source is unchanged; others are stale */
   unsigned *active; /* the MOVs that `local` names */
   unsigned num_active;
   unsigned start; /* first instruction of the block */
};

static bool
attila_opt_copy_is_copy(const struct attila_isa_instr *in)
{
   return in->op == ATTILA_OP_MOV && in->dst.file == ATTILA_FILE_TEMP && !in->dst.saturate &&
          !in->dst.relative;
}

/* Returns whether the source never changes after the MOV. */
static bool
attila_opt_copy_source_is_constant(const struct air *ir, const struct attila_isa_src *src)
{
   if (src->relative)
      return false;
   return src->file != ATTILA_FILE_TEMP || ir->vregs[src->index].ssa;
}

/* Returns the MOV that set a component's value at instruction now, or NULL. */
static const struct attila_isa_instr *
attila_opt_copy_find_copy(const struct copies *c, unsigned vreg, unsigned comp, unsigned now)
{
   const struct air *ir = c->ir;
   uint32_t i = c->local[vreg * 4 + comp];
   if (i > c->start && i <= now && attila_opt_copy_is_copy(&ir->instrs[i - 1]))
      return &ir->instrs[i - 1];
   i = c->def[vreg * 4 + comp];
   if (ir->vregs[vreg].ssa && i && attila_opt_copy_is_copy(&ir->instrs[i - 1]) &&
       attila_opt_copy_source_is_constant(ir, &ir->instrs[i - 1].src[0]))
      return &ir->instrs[i - 1];
   return NULL;
}

static bool
attila_opt_copy_same_operand(const struct attila_isa_src *a, const struct attila_isa_src *b)
{
   return a->file == b->file && a->index == b->index && a->negate == b->negate &&
          a->absolute == b->absolute && a->relative == b->relative && a->rel_comp == b->rel_comp;
}

static bool
attila_opt_copy_propagate_source(const struct copies *c, struct attila_isa_instr *in, unsigned s,
                                 unsigned now)
{
   struct attila_isa_src *src = &in->src[s];
   uint8_t channels = air_channels(in, s), swizzle[4] = {0};
   const struct attila_isa_src *from = NULL;
   unsigned first = 4;
   if (src->file != ATTILA_FILE_TEMP || src->relative || c->ir->vregs[src->index].array)
      return false;
   for (unsigned k = 0; k < 4; k++) {
      if (!(channels & (1u << k)))
         continue;
      unsigned comp = ATTILA_SWZ_GET(src->swizzle, k);
      const struct attila_isa_instr *copy = attila_opt_copy_find_copy(c, src->index, comp, now);
      if (!copy || (from && !attila_opt_copy_same_operand(from, &copy->src[0])))
         return false;
      from = &copy->src[0];
      swizzle[k] = ATTILA_SWZ_GET(from->swizzle, comp);
      first = first == 4 ? k : first;
   }
   if (!from || (from->file == ATTILA_FILE_TEMP && from->index == src->index))
      return false;
   for (unsigned k = 0; k < 4; k++) {
      if (!(channels & (1u << k)))
         swizzle[k] = swizzle[first];
   }
   struct attila_isa_src result = *from;
   result.swizzle = ATTILA_SWZ(swizzle[0], swizzle[1], swizzle[2], swizzle[3]);
   result.absolute = src->absolute || from->absolute;
   result.negate = src->negate ^ (!src->absolute && from->negate);
   if (in->op == ATTILA_OP_TXD && s && attila_isa_has_offset(in) &&
       (result.absolute || result.negate || result.relative))
      return false;
   *src = result;
   return true;
}

/* Returns whether an instruction changes what a MOV reads or wrote. */
static bool
attila_opt_copy_disturbs(const struct air *ir, const struct attila_isa_instr *in,
                         const struct attila_isa_instr *copy)
{
   const struct attila_isa_src *src = &copy->src[0];
   if (in->dst.file == ATTILA_FILE_ADDRESS)
      return src->relative && (in->dst.write_mask & (1u << src->rel_comp));
   if (src->file == ATTILA_FILE_TEMP) {
      unsigned array = ir->vregs[src->index].array;
      if (array && ir->vregs[in->dst.index].array == array &&
          (src->relative || in->dst.relative || in->dst.index == src->index))
         return true;
      if (!array && in->dst.index == src->index &&
          (air_components(src, copy->dst.write_mask) & in->dst.write_mask))
         return true;
   }
   return false;
}

static void
attila_opt_copy_note_write(struct copies *c, unsigned i)
{
   const struct attila_isa_instr *in = &c->ir->instrs[i];
   if (!attila_isa_ops[in->op].has_dst || in->dst.file == ATTILA_FILE_OUTPUT)
      return;
   for (unsigned a = 0; a < c->num_active;) {
      const struct attila_isa_instr *copy = &c->ir->instrs[c->active[a]];
      if (!attila_opt_copy_disturbs(c->ir, in, copy)) {
         a++;
         continue;
      }
      for (unsigned k = 0; k < 4; k++) {
         uint32_t *local = &c->local[copy->dst.index * 4u + k];
         if (*local == c->active[a] + 1)
            *local = 0;
      }
      c->active[a] = c->active[--c->num_active];
   }
   if (in->dst.file != ATTILA_FILE_TEMP || in->dst.relative || c->ir->vregs[in->dst.index].array)
      return;
   bool copy = attila_opt_copy_is_copy(in) &&
               !(in->src[0].file == ATTILA_FILE_TEMP && in->src[0].index == in->dst.index);
   for (unsigned k = 0; k < 4; k++) {
      if (in->dst.write_mask & (1u << k))
         c->local[in->dst.index * 4u + k] = copy ? i + 1 : 0;
   }
   if (copy && !attila_opt_copy_source_is_constant(c->ir, &in->src[0]))
      c->active[c->num_active++] = i;
}

bool
air_copy_propagate(struct air *ir)
{
   void *mem = ralloc_context(ir->mem);
   struct copies c = {.ir = ir};
   bool progress = false;
   c.def = rzalloc_array(mem, uint32_t, ir->num_vregs * 4 + 4);
   c.local = rzalloc_array(mem, uint32_t, ir->num_vregs * 4 + 4);
   c.active = ralloc_array(mem, unsigned, ir->num_instrs + 1);
   for (unsigned i = 0; i < ir->num_instrs; i++) {
      const struct attila_isa_instr *in = &ir->instrs[i];
      for (unsigned k = 0; air_writes_temp(in) && k < 4; k++) {
         if (in->dst.write_mask & (1u << k))
            c.def[in->dst.index * 4u + k] = i + 1;
      }
   }
   struct air_cfg *cfg = air_build_cfg(ir, false);
   for (unsigned b = 0; b < cfg->num_blocks; b++) {
      c.start = cfg->blocks[b].start;
      c.num_active = 0;
      for (unsigned i = c.start; i < cfg->blocks[b].end; i++) {
         struct attila_isa_instr *in = &ir->instrs[i];
         for (unsigned s = 0; s < air_num_srcs(in); s++)
            progress |= attila_opt_copy_propagate_source(&c, in, s, i);
         attila_opt_copy_note_write(&c, i);
      }
   }
   ralloc_free(cfg);
   ralloc_free(mem);
   return progress;
}
