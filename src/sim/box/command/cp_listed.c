/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command Processor, commands in the lists of a tile-based machine. They join the pass behind the
 * draws so far, so they end nothing, and each bin executes them in its tile buffer. The geometry of
 * these draws must be over first: the Polygon List Builder takes a command in the order of
 * primitives.
 * - Clears of targets of the pass. Those of other surfaces, of layers and of surfaces that are
 *   larger than the block state memory end the pass.
 * - Averages of the samples of one of its colour buffers, which a BLIT or a SWAP asks for, from its
 *   first pixel on, to memory that nothing in the pass uses. A draw behind it ends the pass, and
 *   so does a command that reads the averages, so nothing can read them before they are there.
 * Not here: what a bin does (box/rop/rop_listed.c). */
#include "box/command/cp.h"
#include "box/rop_tiles.h"
#include "emul/rop/emul_blit.h"

/* Returns whether the ROPs have a state for each block of a surface. */
static bool
cp_listed_has_states(const struct cp *cp, const struct cp_surfaces *s, bool zs, uint32_t format,
                     uint32_t pitch_tiles)
{
   const struct sim_config *c = &cp->box.gpu->config;
   const uint32_t line = zs ? c->zst.line_stamps * 4 * c->zst.pixel_bytes
                            : c->cw.line_stamps * 4 * c->cw.pixel_bytes,
                  bytes = ATTILA_TILE_ELEMENTS * attila_formats[format % ATTILA_NUM_FORMATS].bytes,
                  parts = (bytes > line ? bytes / line : 1) * s->samples;
   const uint64_t tiles = (uint64_t)sim_tile_fields(pitch_tiles) *
                          sim_tile_fields((s->height + 7) / 8) *
                          sim_tile_rop_field(c->gpu.num_rops);
   return tiles * parts <= (zs ? c->zst.block_states : c->cw.block_states);
}

/* Returns the targets of a clear, as struct cp_pass has them. */
static uint32_t
cp_listed_targets(uint32_t color_mask, uint32_t planes)
{
   return color_mask | (planes ? 1u << ATTILA_MAX_COLOR_BUFFERS : 0);
}

/* Returns whether a command can join a pass at all. */
static bool
cp_listed_open(const struct cp_pass *p)
{
   return p->open && !p->ends && p->renders && p->surfaces.layers == 1;
}

/* Returns whether a clear can join a pass. Its targets may be bound to another pass, too, but must
 * not be used there. */
static bool
cp_listed_joins(const struct cp *cp, const struct cp_pass *p, const struct cp_surfaces *cleared,
                uint32_t color_mask, uint32_t planes)
{
   const struct cp_surfaces *s = &p->surfaces;
   if (!cp_listed_open(p) || p->discarded || cleared->width != s->width ||
       cleared->height != s->height || cleared->samples != s->samples)
      return false;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      if (color_mask >> i & 1 &&
          (memcmp(&cleared->color[i], &s->color[i], sizeof(s->color[i])) ||
           !cp_listed_has_states(cp, s, false, s->color[i].format, s->color[i].pitch_tiles)))
         return false;
   }
   for (uint32_t m = cp_listed_targets(color_mask, planes); m; m &= m - 1) {
      const struct cp_range r = cp_target_range(s, (unsigned)__builtin_ctz(m));
      if (cp_pass_uses(cp, p, r.start, r.end))
         return false;
   }
   return !planes || (!memcmp(&cleared->zs, &s->zs, sizeof(s->zs)) &&
                      cp_listed_has_states(cp, s, true, s->zs.format, s->zs.pitch_tiles));
}

bool
cp_listed_takes(struct cp *cp, const struct attila_regs *regs, uint32_t color_mask, uint32_t planes)
{
   struct cp_surfaces cleared;
   cp_read_surfaces(&cleared, regs, NULL);
   cp->listing = NULL;
   for (uint32_t i = 0; i < cp->max_passes; i++) {
      if (cp_listed_joins(cp, &cp->pass[i], &cleared, color_mask, planes))
         cp->listing = &cp->pass[i];
   }
   return cp->listing != NULL;
}

/* Returns the newest draw with fragments of the pass that the command joins. */
static struct sim_draw *
cp_listed_last_draw(const struct cp *cp)
{
   for (uint32_t i = cp->in_flight; i-- > 0;) {
      struct cp_draw *d = &cp->draws[cp->order[(cp->first + i) % cp->max_draws]];
      if (cp_pass_has(cp, cp->listing, d) && !d->draw.state.regs.rasterizer_discard)
         return &d->draw;
   }
   return NULL;
}

static bool
cp_listed_send(struct cp *cp, const struct sim_listed *l, sim_tick now)
{
   struct sim_signal *out = &cp->box.gpu->net.cp_plb[0];
   if (!sim_can_send(out, now))
      return false;
   cp->listed = *l;
   cp->listed.draw = cp_listed_last_draw(cp);
   cp->listed.clear.regs = &cp->listed.draw->state.regs;
   sim_send(out, now, &(struct msg_pass){.work_id = cp->work_id, .listed = &cp->listed});
   cp->listing->drawn |= cp_listed_targets(l->clear.buffers, l->clear.planes);
   cp->listed_answer = cp->listing->listed_any = true;
   cp->phase++;
   return true;
}

bool
cp_listed_clear(struct cp *cp, const struct msg_rop *clear, sim_tick now)
{
   if (cp->phase == CP_LISTED && (!cp_waited(cp, cp->in_geometry != 0, now) ||
                                  !cp_bind_surfaces(cp, &cp_listed_last_draw(cp)->state.regs, NULL,
                                                    clear->buffers, clear->planes != 0, now) ||
                                  !cp_listed_send(cp, &(struct sim_listed){.clear = *clear}, now)))
      return false;
   return !cp->listed_answer;
}

/* --- Averages --- */

struct attila_cmd_blit
cp_listed_blit_of(const struct attila_cmd_swap *s)
{
   return (struct attila_cmd_blit){
       .src = {.address = s->address, .pitch_tiles = s->pitch_tiles},
       .dst = {.address = s->picture_address, .pitch_tiles = s->picture_pitch_tiles},
       .width = (s->width + 7) / 8 * 8,
       .height = (s->height + 7) / 8 * 8,
       .depth = 1,
       .element_bytes = attila_formats[s->format % ATTILA_NUM_FORMATS].bytes,
       .samples = s->samples,
       .resolve = ATTILA_RESOLVE_AVERAGE,
       .format = s->format,
   };
}

/* Finds the colour buffer of a pass with a blit's samples; -1: there is none. */
static int
cp_listed_source(const struct cp_pass *p, const struct attila_cmd_blit *b)
{
   const struct cp_surfaces *s = &p->surfaces;
   const uint32_t address = b->src.address + b->src.z * b->src.slice_stride;
   for (int i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      if (s->color[i].address == address && s->color[i].format == b->format &&
          s->color[i].pitch_tiles == b->src.pitch_tiles)
         return i;
   }
   return -1;
}

/* Finds the pass whose samples are averaged, which no other pass may use; NULL: there is none. */
static struct cp_pass *
cp_listed_samples(struct cp *cp, const struct attila_cmd_blit *b)
{
   for (uint32_t i = 0; i < cp->max_passes; i++) {
      struct cp_pass *p = &cp->pass[i];
      const int source = cp_listed_source(p, b);
      if (!cp_listed_open(p) || p->resolves || source < 0)
         continue;
      const struct cp_range r = cp_target_range(&p->surfaces, (unsigned)source);
      return cp_pass_uses(cp, p, r.start, r.end) ? NULL : p;
   }
   return NULL;
}

bool
cp_listed_takes_resolve(struct cp *cp, const struct attila_cmd_blit *b)
{
   const struct cp_pass *p = cp->listing = cp_listed_samples(cp, b);
   uint64_t start, end;
   if (!p || cp->event_head != cp->event_tail)
      return false;
   const struct cp_surfaces *s = &p->surfaces;
   if (b->resolve != ATTILA_RESOLVE_AVERAGE || b->depth != 1 || b->samples != s->samples ||
       !b->dst.pitch_tiles || (b->src.x | b->src.y | b->dst.x | b->dst.y) ||
       b->dst.address % ATTILA_SURFACE_ALIGN || b->dst.slice_stride % ATTILA_SURFACE_ALIGN ||
       (b->width + 7) / 8 > (s->width + 7) / 8 || (b->height + 7) / 8 > (s->height + 7) / 8 ||
       !emul_blit_check(b, (uint32_t)cp->box.gpu->device->memory_size, NULL, 0))
      return false;
   emul_blit_range(b, &b->dst, &start, &end);
   return !cp_pass_uses(cp, NULL, start, end);
}

bool
cp_listed_resolve(struct cp *cp, const struct attila_cmd_blit *b, sim_tick now)
{
   if (cp->phase == CP_LISTED) {
      struct cp_range dst;
      emul_blit_range(b, &b->dst, &dst.start, &dst.end);
      const struct sim_listed l = {
          .clear = {.work_id = cp->work_id, .buffers = 1u << cp_listed_source(cp->listing, b)},
          .resolves = true,
          .blit = *b};
      if (!cp_waited(cp, cp->in_geometry != 0, now) ||
          !cp_rop_sync(cp, CP_ROPS, dst.start, dst.end, true, now) || !cp_listed_send(cp, &l, now))
         return false;
      cp_written(cp, dst.start, dst.end);
      cp->listing->averages = dst;
      cp->listing->resolves = true;
   }
   return !cp->listed_answer;
}

bool
cp_listed_resolved(struct cp *cp, uint64_t start, uint64_t end, sim_tick now)
{
   bool busy = false;
   for (uint32_t i = 0; i < cp->max_passes; i++) {
      struct cp_pass *p = &cp->pass[i];
      if (!p->resolves || p->averages.start >= end || start >= p->averages.end)
         continue;
      cp_pass_end_one(cp, p, SIM_PASS_blit);
      busy = true;
   }
   return cp_waited(cp, busy, now);
}
