/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Memory that the programs of a draw may read (emul_draw_reads.h). Textures count by levels, so
 * that a level can be made from the one before. */
#include "emul/emul_draw_reads.h"

static unsigned
emul_draw_reads_add(struct emul_range *out, unsigned num, uint64_t start, uint64_t end)
{
   if (start < end)
      out[num++] = (struct emul_range){start, end};
   return num;
}

unsigned
emul_stage_reads(const struct emul_draw_state *state, unsigned stage,
                 struct emul_range out[EMUL_STAGE_READS])
{
   const struct emul_program *program = stage == ATTILA_STAGE_FRAGMENT  ? state->fs
                                        : stage == ATTILA_STAGE_VERTEX  ? state->vs
                                        : stage == ATTILA_STAGE_COMPUTE ? state->cs
                                                                        : state->gs;
   const struct attila_isa_program *isa = emul_program_isa(program);
   unsigned num = 0;
   for (uint64_t units = isa->tex_units; units; units &= units - 1) {
      const struct emul_tex_state *t = &state->tex[__builtin_ctzll(units)];
      if (!t->valid)
         continue;
      const unsigned end = t->last_level + 1; /* levels are consecutive */
      const uint64_t address = t->regs.address;
      num = emul_draw_reads_add(
          out, num, address + t->layout.level_offset[t->first_level],
          address + (end < t->regs.num_levels ? t->layout.level_offset[end] : t->layout.size));
   }
   for (unsigned i = 0; isa->uses_loads && i < ATTILA_MAX_CONST_BUFFERS; i++) {
      const struct emul_const_buffer *b = &state->const_buffers[stage][i];
      num = emul_draw_reads_add(out, num, b->address, (uint64_t)b->address + b->size);
   }
   for (unsigned i = 0; isa->uses_storage && i < ATTILA_MAX_STORAGE_BUFFERS; i++) {
      const struct emul_const_buffer *b = &state->storage[stage][i];
      num = emul_draw_reads_add(out, num, b->address, (uint64_t)b->address + b->size);
   }
   for (unsigned i = 0; isa->uses_images && i < ATTILA_MAX_IMAGES; i++) {
      const struct attila_image *image = &state->images[stage][i];
      num =
          emul_draw_reads_add(out, num, image->address, image->address + attila_image_bytes(image));
   }
   return num;
}

bool
emul_stage_storage(const struct emul_draw_state *state, unsigned stage, unsigned i, uint64_t *start,
                   uint64_t *end)
{
   if (i < ATTILA_MAX_STORAGE_BUFFERS) {
      const struct emul_const_buffer *b = &state->storage[stage][i];
      *start = b->address;
      *end = *start + b->size;
      return b->size != 0;
   }
   const struct attila_image *image = &state->images[stage][i - ATTILA_MAX_STORAGE_BUFFERS];
   *start = image->address;
   *end = *start + attila_image_bytes(image);
   return *start != *end;
}
