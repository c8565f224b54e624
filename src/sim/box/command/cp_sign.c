/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command Processor, rendering elimination of a tile-based machine (Anglada et al., HPCA 2019):
 * when a pass ends, gets a signature of each draw, of all that its fragments depend on besides its
 * primitives: registers, program, constants, and what textures and constant buffers hold. A GPU
 * would count uploads in place of reading contents. The Tile Fetcher adds the primitives of a bin,
 * and compares the sum with that of the same bin in the last pass with these targets.
 * A draw whose fragments count for a query, or may read a target of the pass, has no signature. A
 * pass with layers or with commands in its lists has none. Kept passes whose surfaces something
 * else writes to are stale, since a GPU finds a bin that it does not draw in memory. A clear as a
 * whole is no such write: it changes block states alone. Not here: bins (box/tiling/kept.c). */
#include "box/command/cp.h"
#include "box/signature.h"

/* Adds registers first up to the one before end. */
static uint64_t
cp_sign_regs(uint64_t sum, const struct attila_regs *regs, uint32_t first, uint32_t end)
{
   return signature_add_bytes(sum, (const uint32_t *)regs + first,
                              (end - first) * sizeof(uint32_t));
}

/* Adds what memory holds of what the fragments may read; 0: that is of the pass itself. */
static uint64_t
cp_sign_reads(const struct cp *cp, const struct cp_pass *p, uint64_t sum,
              const struct emul_draw_state *s)
{
   struct emul_range read[EMUL_STAGE_READS];
   const unsigned num = emul_stage_reads(s, ATTILA_STAGE_FRAGMENT, read);
   const struct sim_device *d = cp->box.gpu->device;
   for (unsigned i = 0; i < num; i++) {
      const uint64_t end = read[i].end < d->memory_size ? read[i].end : d->memory_size;
      if (cp_pass_writes(p, read[i].start, read[i].end))
         return 0;
      if (read[i].start < end)
         sum = signature_add_bytes(sum, d->memory + read[i].start, end - read[i].start);
   }
   return sum;
}

static uint64_t
cp_sign_draw(const struct cp *cp, const struct cp_pass *p, const struct sim_draw *draw)
{
   const struct emul_draw_state *s = &draw->state;
   const struct attila_isa_program *isa = emul_program_isa(s->fs);
   const uint32_t consts =
       isa->num_consts < ATTILA_MAX_CONSTS ? isa->num_consts : ATTILA_MAX_CONSTS;
   uint64_t sum = SIGNATURE_START;
   if (draw->counts)
      return 0;
   sum = cp_sign_regs(sum, &s->regs, 0, ATTILA_REG(attrib));
   sum = cp_sign_regs(sum, &s->regs, ATTILA_REG(fs_input), ATTILA_REG(tex));
   sum = cp_sign_regs(sum, &s->regs, ATTILA_REG(fs_input_more), ATTILA_NUM_REGS);
   for (uint64_t m = isa->tex_units; m; m &= m - 1)
      sum = signature_add_bytes(sum, &s->regs.tex[__builtin_ctzll(m)], sizeof(s->regs.tex[0]));
   sum = signature_add_bytes(sum, s->fs_inputs, s->num_fs_inputs * sizeof(s->fs_inputs[0]));
   sum = signature_add(sum, s->linear_outputs);
   sum = signature_add(sum, sim_frontend_program_hash(s, ATTILA_STAGE_FRAGMENT));
   sum = signature_add_bytes(sum, s->consts[ATTILA_STAGE_FRAGMENT], consts * 4 * sizeof(float));
   return cp_sign_reads(cp, p, sum, s);
}

void
cp_sign_written(struct cp *cp, uint64_t start, uint64_t end)
{
   for (unsigned i = 0; cp->keeps && i < SIM_KEPT_PASSES; i++)
      cp->kept[i].stale |= cp->kept[i].used && cp_surfaces_have(&cp->kept[i].surfaces, start, end);
}

/* Returns whether a kept pass has memory of a target of the pass. */
static bool
cp_sign_shares(const struct cp_pass *p, const struct cp_kept *k)
{
   for (unsigned i = 0; i <= ATTILA_MAX_COLOR_BUFFERS; i++) {
      const struct cp_range r = cp_target_range(&k->surfaces, i);
      if (r.start < r.end && cp_pass_writes(p, r.start, r.end))
         return true;
   }
   return false;
}

/* Finds the entry of the pass with the present targets, or that of the one used longest ago. Other
 * passes that share memory with it become stale; without keeps all do. */
static struct cp_kept *
cp_sign_choose(struct cp *cp, const struct cp_pass *p, bool keeps)
{
   struct cp_kept *found = NULL, *oldest = cp->kept;
   for (unsigned i = 0; i < SIM_KEPT_PASSES; i++) {
      struct cp_kept *k = &cp->kept[i];
      oldest = k->used < oldest->used ? k : oldest;
      if (keeps && k->used && !memcmp(&k->surfaces, &p->surfaces, sizeof(k->surfaces)))
         found = k;
      else
         k->stale |= k->used && (p->listed_any || cp_sign_shares(p, k));
   }
   if (!keeps || found)
      return found;
   *oldest = (struct cp_kept){.surfaces = p->surfaces, .stale = true};
   return oldest;
}

bool
cp_sign_pass(struct cp *cp, const struct cp_pass *p, struct sim_keeping *keeping)
{
   const bool keeps = p->surfaces.layers == 1 && !p->listed_any && p->renders;
   if (!cp->keeps)
      return true;
   /* Memory is as the pass will find it. */
   if (cp->writes)
      return false;
   for (uint32_t i = 0; i < cp->in_flight; i++) {
      struct cp_draw *in = &cp->draws[cp->order[(cp->first + i) % cp->max_draws]];
      struct sim_draw *d = &in->draw;
      const struct emul_draw_state *s = &d->state;
      if (!cp_pass_has(cp, p, in) || s->regs.rasterizer_discard)
         continue;
      d->signature = keeps ? cp_sign_draw(cp, p, d) : 0;
      keeping->targets |= (uint16_t)cp_pass_targets(s);
   }
   struct cp_kept *k = cp_sign_choose(cp, p, keeps);
   if (!k)
      return true;
   keeping->entry = (uint8_t)(k - cp->kept + 1);
   keeping->stale = k->stale;
   k->stale = false;
   k->used = ++cp->kept_clock;
   return true;
}
