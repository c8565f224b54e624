/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command Processor, passes of a tile-based machine. Draws in flight with the same targets form a
 * pass: they go through geometry and setup, and their primitives wait in its lists (box/tiling).
 * Up to OpenPasses passes are open at once, one for each set of targets; a draw goes on with the
 * open pass of its targets. Where there is no room for another pass, the one used longest ago ends.
 * No open pass writes what another one uses or its fragments read, so passes may be drawn in any
 * order. A target that is bound but not used may be that of two. A draw or command that would break
 * this ends the passes that it meets, and so does one that reads or writes what they leave undone.
 * All passes end where an immediate machine waits for all of its draws: at frames, fences, and
 * queries whose value is needed. With a single open pass, they do so at any command that waits. One
 * pass is drawn at a time, after the geometry of all draws; no draw starts meanwhile. Draws retire
 * in their order, so a draw of a pass that is drawn may have to wait for draws before it. A pass
 * stays open while the queue of commands is empty, so it does not depend on how a stream is cut.
 * DISCARD does not end it, but a draw after it does. FLUSH ends it when a draw follows that may
 * read a target of it. Not here: commands in its lists (cp_listed.c), partial renders, for which
 * the command processor need not wait (box/tiling/plb.c). */
#include "box/command/cp.h"

/* --- Ends --- */

void
cp_pass_end_one(struct cp *cp, struct cp_pass *p, enum sim_pass_end why)
{
   if (!p->open || p->ends)
      return;
   p->ends = true;
   p->why = (uint8_t)why;
   p->work_id = cp->work_id;
   cp->num_ending++;
   sim_work_ref(cp->box.gpu->work, p->work_id);
}

void
cp_pass_end(struct cp *cp, enum sim_pass_end why)
{
   for (uint32_t i = 0; i < cp->max_passes; i++)
      cp_pass_end_one(cp, &cp->pass[i], why);
}

/* Returns why a pass ends at the present command. */
static enum sim_pass_end
cp_pass_why(const struct cp *cp)
{
   static const uint8_t why[ATTILA_NUM_CMDS] = {
       [ATTILA_CMD_DRAW] = SIM_PASS_target,       [ATTILA_CMD_SWAP] = SIM_PASS_swap,
       [ATTILA_CMD_END_FRAME] = SIM_PASS_swap,    [ATTILA_CMD_FLUSH] = SIM_PASS_flush,
       [ATTILA_CMD_CLEAR_COLOR] = SIM_PASS_clear, [ATTILA_CMD_CLEAR_ZS] = SIM_PASS_clear,
       [ATTILA_CMD_BLIT] = SIM_PASS_blit,         [ATTILA_CMD_WRITE_BUFFER] = SIM_PASS_upload,
       [ATTILA_CMD_READ_BUFFER] = SIM_PASS_read,  [ATTILA_CMD_WRITE_COUNTER] = SIM_PASS_query,
       [ATTILA_CMD_CONDITION] = SIM_PASS_query,   [ATTILA_CMD_VERTEX_COUNT] = SIM_PASS_query,
       [ATTILA_CMD_INDIRECT] = SIM_PASS_query,    [ATTILA_CMD_STREAM_TARGETS] = SIM_PASS_stream};
   return (enum sim_pass_end)why[cp->op];
}

void
cp_pass_end_by_command(struct cp *cp)
{
   cp_pass_end(cp, cp_pass_why(cp));
}

void
cp_pass_end_oldest(struct cp *cp, enum sim_pass_end why)
{
   if (!cp->num_ending)
      cp_pass_end_one(cp, &cp->pass[cp->draws[cp->order[cp->first]].draw.pass], why);
}

/* --- Memory --- */

/* Returns the memory of target i if the pass uses it, else an empty range. */
static struct cp_range
cp_pass_target(const struct cp_pass *p, unsigned i)
{
   return p->drawn >> i & 1 || p->owns_all ? cp_target_range(&p->surfaces, i)
                                           : (struct cp_range){0};
}

bool
cp_pass_writes(const struct cp_pass *p, uint64_t start, uint64_t end)
{
   for (unsigned i = 0; i <= ATTILA_MAX_COLOR_BUFFERS; i++) {
      const struct cp_range r = cp_pass_target(p, i);
      if (r.start < end && start < r.end)
         return true;
   }
   return p->resolves && p->averages.start < end && start < p->averages.end;
}

/* Returns whether fragments of a pass may read memory [start, end). */
static bool
cp_pass_reads(const struct cp_pass *p, uint64_t start, uint64_t end)
{
   for (uint32_t i = 0; i < p->num_reads; i++) {
      if (p->reads[i].start < end && start < p->reads[i].end)
         return true;
   }
   return p->num_reads == CP_PASS_READS;
}

bool
cp_pass_uses(const struct cp *cp, const struct cp_pass *but, uint64_t start, uint64_t end)
{
   for (uint32_t i = 0; i < cp->max_passes; i++) {
      const struct cp_pass *p = &cp->pass[i];
      if (p != but && p->open && (cp_pass_writes(p, start, end) || cp_pass_reads(p, start, end)))
         return true;
   }
   return false;
}

/* Ends the passes that write to memory or, if a command writes it, read it. */
static void
cp_pass_end_users(struct cp *cp, const struct cp_range *r, bool written)
{
   if (cp_event_writes(cp, r->start, r->end))
      cp_pass_end_by_command(cp);
   for (uint32_t i = 0; i < cp->max_passes; i++) {
      struct cp_pass *p = &cp->pass[i];
      if (cp_pass_writes(p, r->start, r->end) || (written && cp_pass_reads(p, r->start, r->end)))
         cp_pass_end_one(cp, p, cp_pass_why(cp));
   }
}

/* Returns whether a pass is ending, or something else is under way that does not wait for the end
 * of an open pass. */
static bool
cp_pass_busy(const struct cp *cp)
{
   return cp->num_ending || cp->writes || cp->rop_answers ||
          (!cp->in_flight && cp->event_head != cp->event_tail);
}

bool
cp_pass_out(struct cp *cp, sim_tick now)
{
   return cp->tiled ? cp_waited(cp, cp_pass_busy(cp), now) : cp_idle(cp, now);
}

bool
cp_pass_away(struct cp *cp, const struct cp_range *read, const struct cp_range *written,
             sim_tick now)
{
   if (cp->max_passes == 1)
      return cp_idle(cp, now);
   if (read)
      cp_pass_end_users(cp, read, false);
   if (written)
      cp_pass_end_users(cp, written, true);
   return cp_waited(cp, cp->in_geometry || cp_pass_busy(cp), now);
}

bool
cp_pass_lets_write(const struct cp *cp, uint64_t start, uint64_t end)
{
   const struct cp_pass *p = cp->pass;
   return p->open && !p->ends && !p->resolves && cp->event_head == cp->event_tail &&
          !cp_pass_reads(p, start, end);
}

/* --- Contents that nothing needs --- */

/* On an immediate machine this does nothing: its ROPs write back what they have no room for. */
bool
cp_exec_discard(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   const uint64_t start = payload[0], end = start + payload[1];
   for (uint32_t n = 0; n < cp->max_passes; n++) {
      struct cp_pass *p = &cp->pass[n];
      for (unsigned i = 0; p->open && !p->sent && i <= ATTILA_MAX_COLOR_BUFFERS; i++) {
         const struct cp_range r = cp_pass_target(p, i);
         if (r.start < r.end && r.start >= start && r.end <= end)
            p->discarded |= 1u << i;
      }
   }
   return true;
}

/* Discards what draws of a pass left in surfaces that a clear covers as a whole. */
static void
cp_pass_discard_cleared(struct cp_pass *p, const struct cp_surfaces *cleared, uint32_t color_mask,
                        bool zs)
{
   const struct cp_surfaces *s = &p->surfaces;
   if (!p->open || p->sent || cleared->width != s->width || cleared->height != s->height ||
       cleared->samples != s->samples || s->layers > 1)
      return;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      if (color_mask >> i & 1 && !memcmp(&cleared->color[i], &s->color[i], sizeof(s->color[i])))
         p->discarded |= 1u << i;
   }
   if (zs && !memcmp(&cleared->zs, &s->zs, sizeof(s->zs)))
      p->discarded |= 1u << ATTILA_MAX_COLOR_BUFFERS;
   p->discarded &= p->owns_all ? UINT32_MAX : p->drawn;
}

bool
cp_pass_clear(struct cp *cp, const struct attila_regs *regs, uint32_t color_mask, bool zs,
              bool whole, sim_tick now)
{
   struct cp_surfaces cleared;
   cp_read_surfaces(&cleared, regs, NULL);
   const uint32_t targets = color_mask | (zs ? 1u << ATTILA_MAX_COLOR_BUFFERS : 0);
   for (uint32_t i = 0; i < cp->max_passes; i++)
      cp_pass_discard_cleared(&cp->pass[i], &cleared, color_mask, zs && whole);
   for (unsigned i = 0; cp->max_passes > 1 && i <= ATTILA_MAX_COLOR_BUFFERS; i++) {
      const struct cp_range r = cp_target_range(&cleared, i);
      if (targets >> i & 1 && r.start < r.end)
         cp_pass_end_users(cp, &r, true);
   }
   return cp_pass_away(cp, NULL, NULL, now);
}

/* Sends the ROPs the list of discarded surfaces. Nothing is being drawn. */
static void
cp_pass_discard(struct cp *cp, struct cp_pass *p)
{
   struct sim_discards *d = &cp->discards;
   d->num = 0;
   for (uint32_t m = p->discarded; m; m &= m - 1) {
      const struct cp_range r = cp_target_range(&p->surfaces, (unsigned)__builtin_ctz(m));
      d->range[d->num].start = r.start;
      d->range[d->num++].end = r.end;
   }
}

/* --- FLUSH --- */

bool
cp_pass_takes_flush(struct cp *cp, uint32_t bits)
{
   if (!cp->tiled || !cp->in_flight || cp->num_ending)
      return false;
   cp->flush |= bits;
   for (uint32_t i = 0; i < cp->max_passes; i++)
      cp->pass[i].flush |= cp->pass[i].open ? bits : 0;
   return true;
}

/* Memory that a draw may read: as attributes, or by a stage's program. */
struct cp_pass_inputs {
   struct emul_range range[ATTILA_MAX_ATTRIBS + ATTILA_NUM_STAGES * EMUL_STAGE_READS];
   unsigned num;
};

static void
cp_pass_inputs(struct cp_pass_inputs *in, const struct emul_draw_state *state)
{
   const struct attila_attrib_regs *a = state->regs.attrib;
   const bool on[ATTILA_NUM_STAGES] = {[ATTILA_STAGE_VERTEX] = true,
                                       [ATTILA_STAGE_GEOMETRY] = state->gs != NULL,
                                       [ATTILA_STAGE_FRAGMENT] = !state->regs.rasterizer_discard};
   in->num = 0;
   for (unsigned i = 0; i < ATTILA_MAX_ATTRIBS; i++) {
      if (a[i].enable == ATTILA_ATTRIB_MEMORY)
         in->range[in->num++] =
             (struct emul_range){.start = a[i].address, .end = (uint64_t)a[i].address + a[i].limit};
   }
   for (unsigned stage = 0; stage < ATTILA_NUM_STAGES; stage++)
      in->num += on[stage] ? emul_stage_reads(state, stage, in->range + in->num) : 0;
}

/* Returns whether a draw with these inputs may read a target of the pass. */
static bool
cp_pass_feeds(const struct cp_pass *p, const struct cp_pass_inputs *in)
{
   for (unsigned i = 0; i < in->num; i++) {
      if (cp_pass_writes(p, in->range[i].start, in->range[i].end))
         return true;
   }
   return false;
}

/* Returns whether a draw may read what was drawn since texture units last forgot it. */
static bool
cp_pass_reads_drawn(const struct cp *cp, const struct emul_draw_state *state)
{
   struct cp_pass_inputs in;
   cp_pass_inputs(&in, state);
   for (unsigned i = 0; i < in.num; i++) {
      if (cp_rop_changed(cp, in.range[i].start, in.range[i].end))
         return true;
   }
   return false;
}

bool
cp_pass_flush(struct cp *cp, const struct emul_draw_state *reader, sim_tick now)
{
   const uint32_t bits = cp->flush;
   const unsigned kinds = (bits & ATTILA_FLUSH_COLOR ? 1u << CP_COLOR : 0) |
                          (bits & ATTILA_FLUSH_ZS ? 1u << CP_ZS : 0);
   if (!bits || (cp->in_flight && !cp_pass_reads_drawn(cp, reader)))
      return true;
   if (!cp_rop_sync(cp, kinds, 0, UINT64_MAX, false, now))
      return false;
   if (bits & ATTILA_FLUSH_TEXTURE)
      cp_rendered(cp);
   cp->flush = 0;
   return true;
}

/* --- Draws --- */

/* Finds the open pass that a draw with these targets joins: of one without fragments, NULL, the
 * pass that was used last. NULL: there is none. */
static struct cp_pass *
cp_pass_of(struct cp *cp, const struct cp_surfaces *s)
{
   struct cp_pass *found = NULL;
   for (uint32_t i = 0; i < cp->max_passes; i++) {
      struct cp_pass *p = &cp->pass[i];
      if (p->open && !p->ends && (!s || !memcmp(&p->surfaces, s, sizeof(*s))) &&
          (!found || p->used > found->used))
         found = p;
   }
   return found;
}

/* Returns why a pass ends before a draw, if it does. */
static enum sim_pass_end
cp_pass_why_before(const struct cp_pass *p, const struct cp_pass_inputs *in)
{
   if (p->discarded)
      return SIM_PASS_discard;
   if (p->resolves)
      return SIM_PASS_blit;
   return p->flush && cp_pass_feeds(p, in) ? SIM_PASS_flush : SIM_PASS_target;
}

uint32_t
cp_pass_targets(const struct emul_draw_state *s)
{
   const bool zs = s->zs_bound && (s->z_test || s->stencil_test);
   return s->regs.rasterizer_discard ? 0
                                     : s->color_mask | (zs ? 1u << ATTILA_MAX_COLOR_BUFFERS : 0);
}

/* Returns whether a draw must not start while a pass that it does not join is open. targets: those
 * of its surfaces s that its own pass does not use yet. */
static bool
cp_pass_meets(const struct cp_pass *p, const struct cp_pass_inputs *in, const struct cp_surfaces *s,
              uint32_t targets)
{
   if (cp_pass_feeds(p, in))
      return true;
   for (; targets; targets &= targets - 1) {
      const struct cp_range r = cp_target_range(s, (unsigned)__builtin_ctz(targets));
      if (cp_pass_writes(p, r.start, r.end) || cp_pass_reads(p, r.start, r.end))
         return true;
   }
   return false;
}

void
cp_pass_before_draw(struct cp *cp, const struct emul_draw_state *state)
{
   struct cp_pass_inputs in;
   struct cp_surfaces surfaces;
   struct cp_pass *oldest = NULL;
   if (!cp->num_passes)
      return;
   cp_pass_inputs(&in, state);
   cp_read_surfaces(&surfaces, &state->regs, &state->layers);
   struct cp_pass *own = cp_pass_of(cp, state->regs.rasterizer_discard ? NULL : &surfaces);
   const uint32_t targets = cp_pass_targets(state) & ~(own ? own->drawn : 0);
   const enum sim_pass_end why = own ? cp_pass_why_before(own, &in) : SIM_PASS_target;
   if (why != SIM_PASS_target)
      cp_pass_end_one(cp, own, why);
   for (uint32_t i = 0; i < cp->max_passes; i++) {
      struct cp_pass *p = &cp->pass[i];
      if (p == own || !p->open)
         continue;
      if (cp_pass_meets(p, &in, &surfaces, targets) || (!own && p->streams))
         cp_pass_end_one(cp, p, cp_pass_why_before(p, &in));
      oldest = !p->ends && (!oldest || p->used < oldest->used) ? p : oldest;
   }
   if (!own && oldest && cp->num_passes - cp->num_ending == cp->max_passes)
      cp_pass_end_one(cp, oldest, cp_pass_why_before(oldest, &in));
}

/* Opens a pass with the bound surfaces. */
static struct cp_pass *
cp_pass_open(struct cp *cp)
{
   struct cp_pass *p = cp->pass;
   while (p->open)
      p++;
   *p = (struct cp_pass){.open = true, .owns_all = cp->max_passes == 1, .surfaces = cp->surfaces};
   cp->num_passes++;
   return p;
}

static void
cp_pass_add_reads(struct cp_pass *p, const struct emul_draw_state *state)
{
   struct emul_range read[EMUL_STAGE_READS];
   const unsigned num = emul_stage_reads(state, ATTILA_STAGE_FRAGMENT, read);
   for (unsigned i = 0; i < num; i++) {
      uint32_t k = 0;
      while (k < p->num_reads && memcmp(&p->reads[k], &read[i], sizeof(read[i])))
         k++;
      if (k == p->num_reads && k < CP_PASS_READS)
         p->reads[p->num_reads++] = read[i];
   }
}

void
cp_pass_join(struct cp *cp, struct sim_draw *draw)
{
   const bool renders = !draw->state.regs.rasterizer_discard;
   struct cp_pass *p = cp_pass_of(cp, renders ? &cp->surfaces : NULL);
   if (!p)
      p = cp_pass_open(cp);
   if (!p->draws)
      p->began = draw->start;
   draw->pass = (uint8_t)(p - cp->pass);
   p->draws++;
   p->used = ++cp->pass_clock;
   p->drawn |= cp_pass_targets(&draw->state);
   p->streams |= draw->state.stream_out != NULL;
   p->renders |= renders;
   if (renders)
      cp_pass_add_reads(p, &draw->state);
}

/* --- Drawing --- */

/* Finds the pass to draw next, of those that end that which was opened first. */
static struct cp_pass *
cp_pass_next(struct cp *cp)
{
   struct cp_pass *next = NULL;
   for (uint32_t i = 0; i < cp->max_passes; i++) {
      struct cp_pass *p = &cp->pass[i];
      if (p->ends && (!next || p->began < next->began))
         next = p;
   }
   return next;
}

void
cp_pass_step(struct cp *cp, sim_tick now)
{
   struct sim_signal *out = &cp->box.gpu->net.cp_plb[0];
   struct sim_keeping keeping = {0};
   if (!cp->num_ending || cp->drawing || cp->in_geometry || !sim_can_send(out, now))
      return;
   struct cp_pass *p = cp_pass_next(cp);
   if (!cp_sign_pass(cp, p, &keeping))
      return;
   cp_pass_discard(cp, p);
   sim_send(out, now,
            &(struct msg_pass){.work_id = p->work_id,
                               .why = p->why,
                               .pass = (uint8_t)(p - cp->pass),
                               .keeping = keeping});
   p->sent = true;
   cp->drawing = p;
}

/* Notes what will be reported of the pass, while its draws are still in flight. */
static void
cp_pass_see(struct cp *cp, const struct cp_pass *p, const struct sim_seen_pass *drawn)
{
   static const char *const names[] = {
#define W(unused, member, name, doc) #name,
       SIM_PASS_ENDS(W, )
#undef W
   };
   cp->seen = *drawn;
   cp->seen.why = names[p->why];
   cp->seen.began = sim_box_time(&cp->box, p->began);
   cp->seen.draws = p->draws;
   cp->seen.draw = cp->seen_draw;
   cp->seen.width = p->surfaces.width;
   cp->seen.height = p->surfaces.height;
   cp->seen.open = (uint8_t)(p - cp->pass);
   cp->pass_over = true;
   cp_report_later(cp);
}

void
cp_pass_report(struct cp *cp, sim_tick now)
{
   if (!cp->pass_over)
      return;
   cp->pass_over = false;
   cp->seen.ended = now;
   cp->seen.drawn_draws = cp->in_flight
                              ? cp->draws[cp->order[cp->first]].draw.number
                              : cp->draws[cp->retired[cp->num_retired - 1]].draw.number + 1;
   sim_observed_pass(&cp->box.gpu->device->observed, &cp->seen);
}

bool
cp_pass_has(const struct cp *cp, const struct cp_pass *p, const struct cp_draw *d)
{
   return d->draw.pass == p - cp->pass && !d->rops_done;
}

/* Ends the pass that has been drawn. */
static void
cp_pass_close(struct cp *cp)
{
   struct cp_pass *p = cp->drawing;
   uint32_t draws = 0;
   for (uint32_t i = 0; i < cp->in_flight; i++) {
      struct cp_draw *d = &cp->draws[cp->order[(cp->first + i) % cp->max_draws]];
      if (!cp_pass_has(cp, p, d))
         continue;
      d->rops_done = cp->box.gpu->config.gpu.num_rops;
      cp->seen_draw[draws++] = d->draw.number;
   }
   /* A FLUSH may have been done since its draws joined it. */
   for (uint32_t m = p->drawn; m; m &= m - 1) {
      const unsigned i = (unsigned)__builtin_ctz(m);
      const struct cp_range r = cp_target_range(&p->surfaces, i);
      cp_rop_drawn(cp, i == ATTILA_MAX_COLOR_BUFFERS ? CP_ZS : CP_COLOR, &r);
   }
   sim_work_unref(cp->box.gpu->work, p->work_id);
   cp->flush |= p->flush;
   p->open = p->ends = p->sent = p->resolves = false;
   p->num_reads = p->flush = 0;
   cp->num_passes--;
   cp->num_ending--;
   cp->drawing = NULL;
   cp->discards.num = 0;
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
   cp_pass_see(cp, cp->drawing, drawn->pass);
   sim_pop(&net->tf_cp[0], now);
   cp_pass_close(cp);
}
