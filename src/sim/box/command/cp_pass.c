/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command Processor, passes of a tile-based machine. All draws in flight form a pass: they have the
 * same targets and go through geometry and setup one after the other; their primitives wait in
 * lists (box/tiling). The pass ends where an immediate machine waits for its draws, which is at
 * commands that read or write what draws may write or read, and at draws with other targets. It
 * also ends at fences, when queries need a value, and when it has PassDraws draws. Then the lists
 * are drawn, and all draws retire. A pass stays open while the queue of commands is empty, so it
 * does not depend on how a stream is cut. DISCARD does not end it, but a draw after it does.
 * FLUSH ends it when a draw follows that may read a target of it. Not here: commands in its lists
 * (cp_listed.c), partial renders, for which the command processor need not wait
 * (box/tiling/plb.c). */
#include "box/command/cp.h"

void
cp_pass_end(struct cp *cp, enum sim_pass_end why)
{
   if (!cp->tiled || !cp->in_flight || cp->pass_ends)
      return;
   cp->pass_ends = true;
   cp->pass_why = (uint8_t)why;
   cp->pass_work_id = cp->work_id;
   sim_work_ref(cp->box.gpu->work, cp->pass_work_id);
}

void
cp_pass_end_by_command(struct cp *cp)
{
   static const uint8_t why[ATTILA_NUM_CMDS] = {[ATTILA_CMD_DRAW] = SIM_PASS_target,
                                                [ATTILA_CMD_SWAP] = SIM_PASS_swap,
                                                [ATTILA_CMD_END_FRAME] = SIM_PASS_swap,
                                                [ATTILA_CMD_FLUSH] = SIM_PASS_flush,
                                                [ATTILA_CMD_CLEAR_COLOR] = SIM_PASS_clear,
                                                [ATTILA_CMD_CLEAR_ZS] = SIM_PASS_clear,
                                                [ATTILA_CMD_BLIT] = SIM_PASS_blit,
                                                [ATTILA_CMD_WRITE_BUFFER] = SIM_PASS_upload,
                                                [ATTILA_CMD_READ_BUFFER] = SIM_PASS_read,
                                                [ATTILA_CMD_WRITE_COUNTER] = SIM_PASS_query,
                                                [ATTILA_CMD_CONDITION] = SIM_PASS_query,
                                                [ATTILA_CMD_VERTEX_COUNT] = SIM_PASS_query,
                                                [ATTILA_CMD_STREAM_TARGETS] = SIM_PASS_stream};
   cp_pass_end(cp, (enum sim_pass_end)why[cp->op]);
}

void
cp_pass_add_reads(struct cp *cp, const struct emul_draw_state *state)
{
   struct emul_range read[EMUL_STAGE_READS];
   if (!cp->tiled || state->regs.rasterizer_discard)
      return;
   cp->pass_renders = true;
   const unsigned num = emul_stage_reads(state, ATTILA_STAGE_FRAGMENT, read);
   for (unsigned i = 0; i < num; i++) {
      uint32_t k = 0;
      while (k < cp->num_pass_reads && memcmp(&cp->pass_reads[k], &read[i], sizeof(read[i])))
         k++;
      if (k == cp->num_pass_reads && k < CP_PASS_READS)
         cp->pass_reads[cp->num_pass_reads++] = read[i];
   }
}

bool
cp_pass_lets_write(const struct cp *cp, uint64_t start, uint64_t end)
{
   if (!cp->tiled || !cp->in_flight || cp->pass_ends || cp->resolves ||
       cp->num_pass_reads == CP_PASS_READS || cp->event_head != cp->event_tail)
      return false;
   for (uint32_t i = 0; i < cp->num_pass_reads; i++) {
      if (cp->pass_reads[i].start < end && start < cp->pass_reads[i].end)
         return false;
   }
   return true;
}

/* On an immediate machine this does nothing: its ROPs write back what they have no room for. */
bool
cp_exec_discard(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   const uint64_t start = payload[0], end = start + payload[1];
   if (!cp->tiled || !cp->in_flight || cp->pass_sent)
      return true;
   for (unsigned i = 0; i <= ATTILA_MAX_COLOR_BUFFERS; i++) {
      const struct cp_range r = cp_target_range(&cp->surfaces, i);
      if (r.start < r.end && r.start >= start && r.end <= end)
         cp->discarded |= 1u << i;
   }
   return true;
}

void
cp_pass_clear(struct cp *cp, const struct attila_regs *regs, uint32_t color_mask, bool zs)
{
   const struct cp_surfaces *s = &cp->surfaces;
   struct cp_surfaces cleared;
   if (!cp->tiled || !cp->in_flight || cp->pass_sent)
      return;
   cp_read_surfaces(&cleared, regs, NULL);
   if (cleared.width != s->width || cleared.height != s->height || cleared.samples != s->samples ||
       s->layers > 1)
      return;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      if (color_mask >> i & 1 && !memcmp(&cleared.color[i], &s->color[i], sizeof(s->color[i])))
         cp->discarded |= 1u << i;
   }
   if (zs && !memcmp(&cleared.zs, &s->zs, sizeof(s->zs)))
      cp->discarded |= 1u << ATTILA_MAX_COLOR_BUFFERS;
}

/* Sends the ROPs the list of discarded surfaces. Nothing is being drawn. */
static void
cp_pass_discard(struct cp *cp)
{
   struct sim_discards *d = &cp->discards;
   d->num = 0;
   for (uint32_t m = cp->discarded; m; m &= m - 1) {
      const struct cp_range r = cp_target_range(&cp->surfaces, (unsigned)__builtin_ctz(m));
      d->range[d->num].start = r.start;
      d->range[d->num++].end = r.end;
   }
   cp->discarded = 0;
}

/* --- FLUSH --- */

bool
cp_pass_takes_flush(struct cp *cp, uint32_t bits)
{
   if (!cp->tiled || !cp->in_flight || cp->pass_ends)
      return false;
   cp->flush |= bits;
   return true;
}

bool
cp_pass_writes(const struct cp *cp, uint64_t start, uint64_t end)
{
   return cp_surfaces_have(&cp->surfaces, start, end);
}

/* Returns whether a draw may read a target of the pass: as attributes, or by a stage's program. */
static bool
cp_pass_feeds(const struct cp *cp, const struct emul_draw_state *state)
{
   const struct attila_attrib_regs *a = state->regs.attrib;
   const bool on[ATTILA_NUM_STAGES] = {[ATTILA_STAGE_VERTEX] = true,
                                       [ATTILA_STAGE_GEOMETRY] = state->gs != NULL,
                                       [ATTILA_STAGE_FRAGMENT] = !state->regs.rasterizer_discard};
   for (unsigned i = 0; i < ATTILA_MAX_ATTRIBS; i++) {
      if (a[i].enable == ATTILA_ATTRIB_MEMORY &&
          cp_pass_writes(cp, a[i].address, (uint64_t)a[i].address + a[i].limit))
         return true;
   }
   for (unsigned stage = 0; stage < ATTILA_NUM_STAGES; stage++) {
      struct emul_range read[EMUL_STAGE_READS];
      const unsigned num = on[stage] ? emul_stage_reads(state, stage, read) : 0;
      for (unsigned i = 0; i < num; i++) {
         if (cp_pass_writes(cp, read[i].start, read[i].end))
            return true;
      }
   }
   return false;
}

void
cp_pass_before_draw(struct cp *cp, const struct emul_draw_state *state)
{
   if (cp->discarded)
      cp_pass_end(cp, SIM_PASS_discard);
   if (cp->resolves)
      cp_pass_end(cp, SIM_PASS_blit);
   if (cp->flush && cp->in_flight && cp_pass_feeds(cp, state))
      cp_pass_end(cp, SIM_PASS_flush);
}

bool
cp_pass_flush(struct cp *cp, sim_tick now)
{
   const uint32_t bits = cp->flush;
   const unsigned kinds = (bits & ATTILA_FLUSH_COLOR ? 1u << CP_COLOR : 0) |
                          (bits & ATTILA_FLUSH_ZS ? 1u << CP_ZS : 0);
   if (!bits || cp->in_flight)
      return true;
   if (!cp_rop_sync(cp, kinds, 0, UINT64_MAX, false, now))
      return false;
   if (bits & ATTILA_FLUSH_TEXTURE)
      cp_rendered(cp);
   cp->flush = 0;
   return true;
}

/* --- Ends --- */

void
cp_pass_step(struct cp *cp, sim_tick now)
{
   struct sim_signal *out = &cp->box.gpu->net.cp_plb[0];
   struct sim_keeping keeping = {0};
   if (!cp->pass_ends || cp->pass_sent || cp->in_geometry || !sim_can_send(out, now) ||
       !cp_sign_pass(cp, &keeping))
      return;
   cp_pass_discard(cp);
   sim_send(
       out, now,
       &(struct msg_pass){.work_id = cp->pass_work_id, .why = cp->pass_why, .keeping = keeping});
   cp->pass_sent = true;
}

/* Notes what will be reported of the pass, while its draws are still in flight. */
static void
cp_pass_see(struct cp *cp, const struct sim_seen_pass *drawn)
{
   static const char *const names[] = {
#define W(unused, member, name, doc) #name,
       SIM_PASS_ENDS(W, )
#undef W
   };
   const struct sim_draw *first = &cp->draws[cp->order[cp->first]].draw;
   cp->seen = *drawn;
   cp->seen.why = names[cp->pass_why];
   cp->seen.began = sim_box_time(&cp->box, first->start);
   cp->seen.first_draw = first->number;
   cp->seen.draws = cp->in_flight;
   cp->seen.width = cp->surfaces.width;
   cp->seen.height = cp->surfaces.height;
   cp->pass_over = true;
}

void
cp_pass_report(struct cp *cp, sim_tick now)
{
   if (!cp->pass_over)
      return;
   cp->pass_over = false;
   cp->seen.ended = now;
   sim_observed_pass(&cp->box.gpu->device->observed, &cp->seen);
}

void
cp_pass_answers(struct cp *cp, sim_tick now)
{
   struct sim_netlist *net = &cp->box.gpu->net;
   const struct msg_done *m;
   while ((m = sim_peek(&net->plb_cp[0], now))) {
      struct cp_draw *d = (struct cp_draw *)m->draw;
      if (d) {
         d->geometry_done = true;
         cp->in_geometry -= !d->streams;
      } else {
         cp->listed_answer = false;
      }
      sim_pop(&net->plb_cp[0], now);
   }
   const struct msg_drawn *drawn = sim_peek(&net->tf_cp[0], now);
   if (!drawn)
      return;
   cp_pass_see(cp, drawn->pass);
   sim_pop(&net->tf_cp[0], now);
   for (uint32_t i = 0; i < cp->in_flight; i++)
      cp->draws[cp->order[(cp->first + i) % cp->max_draws]].rops_done =
          cp->box.gpu->config.gpu.num_rops;
   sim_work_unref(cp->box.gpu->work, cp->pass_work_id);
   cp->pass_ends = cp->pass_sent = false;
   cp->discards.num = 0;
   cp->num_pass_reads = 0;
   cp->pass_renders = cp->resolves = cp->listed_any = false;
}
