/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Validator of scheduling: proves that all instructions of a reordered block read what they read
 * before, and that the block leaves the same values. It knows only where each instruction was. */
#include <string.h>
#include "attila_ir.h"
#include "util/macros.h"
#include "util/ralloc.h"

/* The dependences of an instruction: for each resource that it accesses, the last writer, as 1 +
 * its former index; 0: there is none in the block. */
struct dependences {
   uint32_t writer[3 * 4 + 4 + 4 + 4];
};

struct replay {
   const struct air *ir;
   uint32_t *last; /* last writer, by component of a register, address register, output */
};

static uint32_t *
attila_sched_validate_last_writer(const struct replay *r, unsigned file, unsigned index,
                                  unsigned component)
{
   const struct air *ir = r->ir;
   unsigned base = air_address_bit(ir);
   if (file == ATTILA_FILE_OUTPUT)
      return &r->last[base + 4 + index * 4 + component];
   if (file == ATTILA_FILE_ADDRESS)
      return &r->last[base + component];
   /* An array is one resource. */
   if (ir->vregs[index].array)
      return &r->last[(ir->vregs[index].array - 1u) * 4];
   return &r->last[index * 4 + component];
}

/* Executes one instruction, formerly at index number. */
static struct dependences
attila_sched_validate_replay(struct replay *r, const struct attila_isa_instr *in, uint32_t number)
{
   struct dependences d = {{0}};
   unsigned n = 0;
   for (unsigned s = 0; s < air_num_srcs(in); s++) {
      const struct attila_isa_src *src = &in->src[s];
      uint8_t mask = src->file == ATTILA_FILE_TEMP ? air_components(src, air_channels(in, s)) : 0;
      for (unsigned c = 0; c < 4; c++)
         d.writer[n++] =
             mask & (1u << c) ? *attila_sched_validate_last_writer(r, src->file, src->index, c) : 0;
      if (src->relative)
         d.writer[12 + s] =
             *attila_sched_validate_last_writer(r, ATTILA_FILE_ADDRESS, 0, src->rel_comp);
   }
   if (!attila_isa_ops[in->op].has_dst)
      return d;
   if (in->dst.relative)
      d.writer[15] =
          *attila_sched_validate_last_writer(r, ATTILA_FILE_ADDRESS, 0, in->dst.rel_comp);
   bool all_outputs = in->dst.file == ATTILA_FILE_OUTPUT && in->dst.relative;
   bool array = in->dst.file == ATTILA_FILE_TEMP && r->ir->vregs[in->dst.index].array;
   for (unsigned c = 0; c < 4; c++) {
      if (!(in->dst.write_mask & (1u << c)))
         continue;
      for (unsigned o = all_outputs ? 0 : in->dst.index;
           o < (all_outputs ? ATTILA_ISA_MAX_OUTPUTS : in->dst.index + 1u); o++) {
         uint32_t *last = attila_sched_validate_last_writer(r, in->dst.file, o, c);
         /* A relative write changes only part of the array, so it depends on earlier writers. */
         if (array || all_outputs)
            d.writer[16 + c] = d.writer[16 + c] * 31 + *last;
         *last = number + 1;
      }
   }
   return d;
}

void
air_validate_order(struct air *ir, const struct air_cfg *cfg, const struct attila_isa_instr *before,
                   const uint32_t *origin)
{
   void *mem = ralloc_context(NULL);
   unsigned things = air_address_bit(ir) + 4 + ATTILA_ISA_MAX_OUTPUTS * 4;
   struct dependences *wanted = ralloc_array(mem, struct dependences, ir->num_instrs + 1);
   struct replay old = {ir, ralloc_array(mem, uint32_t, things)},
                 new = {ir, ralloc_array(mem, uint32_t, things)};
   bool *seen = rzalloc_array(mem, bool, ir->num_instrs + 1);
   for (unsigned b = 0; b < cfg->num_blocks && !ir->broken; b++) {
      const struct air_block *block = &cfg->blocks[b];
      memset(old.last, 0, things * sizeof(*old.last));
      memset(new.last, 0, things * sizeof(*new.last));
      for (unsigned i = block->start; i < block->end; i++)
         wanted[i] = attila_sched_validate_replay(&old, &before[i], i);
      for (unsigned i = block->start; i < block->end && !ir->broken; i++) {
         uint32_t from = origin[i];
         if (from < block->start || from >= block->end || seen[from] ||
             memcmp(&before[from], &ir->instrs[i], sizeof(*before))) {
            air_broken(ir, "scheduling", i, "not an instruction of the block");
            break;
         }
         seen[from] = true;
         struct dependences d = attila_sched_validate_replay(&new, &before[from], from);
         if (memcmp(&d, &wanted[from], sizeof(d)))
            air_broken(ir, "scheduling", i, "it reads another instruction's result than before");
      }
      if (!ir->broken && memcmp(old.last, new.last, things * sizeof(*old.last)))
         air_broken(ir, "scheduling", block->start, "the block ends with other values");
   }
   ralloc_free(mem);
}
