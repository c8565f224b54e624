/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Bytes of memory that draws read and write: fragments of several draws, or of one draw on several
 * threads, run side by side only where their order is not visible. Ranges are whole surfaces and
 * buffers, and those levels of textures that may be read (emul_draw_reads.h). Not here: waiting
 * (func_threads.c). */
#include <string.h>
#include "emul/emul_draw_reads.h"
#include "func/sim_func_impl.h"

static bool
func_ranges_overlap(const struct func_range *a, const struct func_range *b)
{
   return a->start < b->end && b->start < a->end;
}

static void
func_ranges_add_read(struct func_ranges *r, uint64_t start, uint64_t end)
{
   if (start < end)
      r->read[r->num_reads++] = (struct func_range){start, end, 0};
}

static void
func_ranges_add_write(const struct func_pass *p, struct func_ranges *r,
                      const struct func_surface *s)
{
   const struct attila_regs *regs = &p->state.regs;
   const uint64_t bytes = attila_surface_bytes(s->pitch_tiles, regs->fb_width, regs->fb_height,
                                               p->state.samples, s->element_bytes);
   r->write[r->num_writes++] = (struct func_range){
       s->address, s->address + bytes,
       func_layout(s->address, s->pitch_tiles, s->element_bytes, p->state.samples)};
}

static void
func_ranges_add_stage(const struct func_pass *p, struct func_ranges *r, unsigned stage)
{
   struct emul_range read[EMUL_STAGE_READS];
   const unsigned num = emul_stage_reads(&p->state, stage, read);
   for (unsigned i = 0; i < num; i++)
      func_ranges_add_read(r, read[i].start, read[i].end);
}

void
func_ranges_of(const struct func_pass *p, struct func_ranges *r)
{
   const struct emul_draw_state *state = &p->state;
   const struct attila_cmd_draw *cmd = &state->cmd;
   r->num_writes = r->num_reads = 0;
   if (!p->discard) { /* otherwise there are no surfaces, and maybe no fragment program */
      if (p->z_active)
         func_ranges_add_write(p, r, &p->zs);
      for (uint32_t m = state->color_mask; m; m &= m - 1)
         func_ranges_add_write(p, r, &p->color[__builtin_ctz(m)]);
      func_ranges_add_stage(p, r, ATTILA_STAGE_FRAGMENT);
   }
   r->num_late = r->num_reads;
   func_ranges_add_stage(p, r, ATTILA_STAGE_VERTEX);
   if (state->gs)
      func_ranges_add_stage(p, r, ATTILA_STAGE_GEOMETRY);
   for (uint64_t m = emul_program_isa(state->vs)->inputs_read; m; m &= m - 1) {
      const unsigned a = (unsigned)__builtin_ctzll(m);
      const struct attila_attrib_regs *attrib =
          a < ATTILA_MAX_ATTRIBS ? &state->regs.attrib[a] : NULL;
      if (attrib && attrib->enable == ATTILA_ATTRIB_MEMORY)
         func_ranges_add_read(r, attrib->address, (uint64_t)attrib->address + attrib->limit);
   }
   const uint64_t first = cmd->index_address + (uint64_t)cmd->start * cmd->index_size;
   func_ranges_add_read(r, first, first + (uint64_t)cmd->count * cmd->index_size);
}

bool
func_ranges_tangled(const struct func_ranges *r)
{
   for (unsigned i = 0; i < r->num_writes; i++) {
      for (unsigned k = 0; k < r->num_reads; k++) {
         if (func_ranges_overlap(&r->write[i], &r->read[k]))
            return true;
      }
      for (unsigned k = 0; k < i; k++) {
         if (func_ranges_overlap(&r->write[i], &r->write[k]))
            return true;
      }
   }
   return false;
}

/* Returns the index of the range in the list, or n. */
static unsigned
func_ranges_find(const struct func_range *list, unsigned n, const struct func_range *range)
{
   unsigned i = 0;
   while (i < n && memcmp(&list[i], range, sizeof(*range)))
      i++;
   return i;
}

static bool
func_ranges_reads_conflict(const struct func_ranges *before, const struct func_ranges *after,
                           unsigned first, unsigned end)
{
   for (unsigned i = first; i < end; i++) {
      if (func_ranges_touch(before, after->read[i].start, after->read[i].end, false))
         return true;
   }
   return false;
}

bool
func_ranges_conflict_early(const struct func_ranges *before, const struct func_ranges *after)
{
   return func_ranges_reads_conflict(before, after, after->num_late, after->num_reads);
}

bool
func_ranges_conflict(const struct func_ranges *before, const struct func_ranges *after)
{
   for (unsigned i = 0; i < after->num_writes; i++) {
      const struct func_range *w = &after->write[i];
      for (unsigned k = 0; k < before->num_reads; k++) {
         if (func_ranges_overlap(&before->read[k], w))
            return true;
      }
      for (unsigned k = 0; k < before->num_writes; k++) {
         if (func_ranges_overlap(&before->write[k], w) && before->write[k].layout != w->layout)
            return true;
      }
   }
   return func_ranges_reads_conflict(before, after, 0, after->num_late);
}

bool
func_ranges_touch(const struct func_ranges *r, uint64_t start, uint64_t end, bool write)
{
   const struct func_range range = {start, end, 0};
   for (unsigned i = 0; i < r->num_writes; i++) {
      if (func_ranges_overlap(&r->write[i], &range))
         return true;
   }
   for (unsigned i = 0; write && i < r->num_reads; i++) {
      if (func_ranges_overlap(&r->read[i], &range))
         return true;
   }
   return false;
}

bool
func_ranges_fit(const struct func_ranges *sum, const struct func_ranges *r)
{
   return sum->num_writes + r->num_writes <= FUNC_MAX_RANGES &&
          sum->num_reads + r->num_late <= FUNC_MAX_RANGES;
}

void
func_ranges_add(struct func_ranges *sum, const struct func_ranges *r)
{
   for (unsigned i = 0; i < r->num_writes; i++) {
      if (func_ranges_find(sum->write, sum->num_writes, &r->write[i]) == sum->num_writes)
         sum->write[sum->num_writes++] = r->write[i];
   }
   for (unsigned i = 0; i < r->num_late; i++) {
      if (func_ranges_find(sum->read, sum->num_reads, &r->read[i]) == sum->num_reads)
         sum->read[sum->num_reads++] = r->read[i];
   }
}
