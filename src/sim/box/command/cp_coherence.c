/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command Processor, coherence: tracks which memory the ROPs', texture units', streamer's and
 * shaders' caches may hold, so that only what another unit touches is written back or forgotten; a
 * change of render targets empties no cache. It keeps a few ranges (whole surfaces) per kind of
 * ROP; a range is dirty from the draw or clear that may write it until its write-back. Not here:
 * commands (cp.c, cp_draw.c, cp_dma.c), block states (decode/sim_blocks.h). */
#include "box/command/cp.h"

static bool
cp_coherence_overlap(const struct cp_range *r, uint64_t start, uint64_t end)
{
   return r->start < end && r->end > start;
}

/* Adds [start, end) to a list of at most max ranges; a full list merges its last two. */
static void
cp_coherence_add_range(struct cp_range *list, uint32_t *num, uint32_t max, uint64_t start,
                       uint64_t end)
{
   for (uint32_t i = 0; i < *num; i++) {
      struct cp_range *r = &list[i];
      if (start <= r->end && end >= r->start) {
         r->start = start < r->start ? start : r->start;
         r->end = end > r->end ? end : r->end;
         return;
      }
   }
   if (*num == max) {
      struct cp_range *r = &list[max - 1];
      r->start = start < r->start ? start : r->start;
      r->end = end > r->end ? end : r->end;
      return;
   }
   list[(*num)++] = (struct cp_range){.start = start, .end = end};
}

/* --- ROPs --- */

static bool
cp_coherence_same_surface(const struct cp_range *a, const struct cp_range *b)
{
   return a->start == b->start && a->end == b->end && a->shape == b->shape;
}

/* Returns whether the ROPs hold another surface in the same memory. */
static bool
cp_coherence_holds_another(const struct cp_held *h, const struct cp_range *surface)
{
   for (uint32_t i = 0; i < h->num; i++) {
      if (cp_coherence_overlap(&h->range[i], surface->start, surface->end) &&
          !cp_coherence_same_surface(&h->range[i], surface))
         return true;
   }
   return false;
}

/* Returns the range used longest ago that no open pass draws to. */
static uint32_t
cp_coherence_oldest(const struct cp *cp, const struct cp_held *h)
{
   uint32_t i = 0;
   while (i + 1 < h->num && cp_pass_uses(cp, NULL, h->range[i].start, h->range[i].end))
      i++;
   return i;
}

bool
cp_rop_uses(struct cp *cp, enum cp_rop_kind kind, const struct cp_range *surface, sim_tick now)
{
   struct cp_held *h = &cp->held[kind];
   uint32_t i = 0;
   /* In the two surfaces, a block may belong to different ROPs. */
   if (cp_coherence_holds_another(h, surface) &&
       !cp_rop_sync(cp, 1u << kind, surface->start, surface->end, true, now))
      return false;
   while (i < h->num && !cp_coherence_same_surface(&h->range[i], surface))
      i++;
   /* If the list is full, gives up the range used longest ago. */
   if (i == cp->max_held) {
      const uint32_t oldest = cp_coherence_oldest(cp, h);
      if (!cp_rop_sync(cp, 1u << kind, h->range[oldest].start, h->range[oldest].end, true, now))
         return false;
   }
   if (i < h->num)
      memmove(h->range + i, h->range + i + 1, (h->num - i - 1) * sizeof(h->range[0]));
   else
      h->num++;
   h->range[h->num - 1] = *surface;
   h->range[h->num - 1].dirty = h->range[h->num - 1].changed = true;
   return true;
}

void
cp_rop_drawn(struct cp *cp, enum cp_rop_kind kind, const struct cp_range *surface)
{
   struct cp_held *h = &cp->held[kind];
   for (uint32_t i = 0; i < h->num; i++) {
      if (cp_coherence_same_surface(&h->range[i], surface))
         h->range[i].dirty = h->range[i].changed = true;
   }
}

bool
cp_rop_changed(const struct cp *cp, uint64_t start, uint64_t end)
{
   for (unsigned k = 0; k < CP_NUM_ROP_KINDS; k++) {
      for (uint32_t i = 0; i < cp->held[k].num; i++) {
         const struct cp_range *r = &cp->held[k].range[i];
         if (r->changed && cp_coherence_overlap(r, start, end))
            return true;
      }
   }
   return false;
}

static bool
cp_coherence_holds(const struct cp_held *h, uint64_t start, uint64_t end, bool dirty)
{
   for (uint32_t i = 0; i < h->num; i++) {
      if (cp_coherence_overlap(&h->range[i], start, end) && (!dirty || h->range[i].dirty))
         return true;
   }
   return false;
}

bool
cp_rop_holds(const struct cp *cp, uint64_t start, uint64_t end)
{
   return cp_coherence_holds(&cp->held[CP_COLOR], start, end, false) ||
          cp_coherence_holds(&cp->held[CP_ZS], start, end, false);
}

static bool
cp_coherence_send_rops(struct cp *cp, unsigned kinds, const struct msg_rop *m, sim_tick now)
{
   struct sim_netlist *net = &cp->box.gpu->net;
   struct sim_signal *const signals[CP_NUM_ROP_KINDS] = {net->cp_cw, net->cp_zst};
   uint32_t num_rops = cp->box.gpu->config.gpu.num_rops;
   for (unsigned k = 0; k < CP_NUM_ROP_KINDS; k++) {
      if (kinds >> k & 1 && !cp_can_send_all(signals[k], num_rops, now))
         return false;
   }
   for (unsigned k = 0; k < CP_NUM_ROP_KINDS; k++) {
      if (kinds >> k & 1) {
         cp_send_all(signals[k], num_rops, m, now);
         cp->rop_answers += num_rops;
      }
   }
   return true;
}

static void
cp_coherence_written_back(struct cp_held *h, uint64_t start, uint64_t end)
{
   for (uint32_t i = 0; i < h->num; i++) {
      if (h->range[i].start >= start && h->range[i].end <= end)
         h->range[i].dirty = false;
   }
}

static void
cp_coherence_forgotten(struct cp *cp, struct cp_held *h, uint64_t start, uint64_t end)
{
   uint32_t kept = 0;
   for (uint32_t i = 0; i < h->num; i++) {
      const struct cp_range *r = &h->range[i];
      if (r->start < start || r->end > end)
         h->range[kept++] = *r;
      else if (r->changed) /* the texture units must still forget it */
         cp_coherence_add_range(cp->written, &cp->num_written, CP_RANGES, r->start, r->end);
   }
   h->num = kept;
}

enum { SYNC_START, SYNC_WRITE_BACK, SYNC_FORGET };

/* Begins a step by sending its command to the ROPs concerned; false: not now. */
static bool
cp_coherence_sync_send(struct cp *cp, unsigned kinds, uint64_t start, uint64_t end, unsigned step,
                       sim_tick now)
{
   struct msg_rop m = {.op = step == SYNC_WRITE_BACK ? ROP_WRITE_BACK : ROP_FORGET,
                       .work_id = cp->work_id,
                       .start = start,
                       .end = end,
                       .regs = &cp->rop_regs};
   unsigned send = 0;
   for (unsigned k = 0; k < CP_NUM_ROP_KINDS; k++)
      send |= (unsigned)(kinds >> k & 1 &&
                         cp_coherence_holds(&cp->held[k], start, end, step == SYNC_WRITE_BACK))
              << k;
   if (!send || !cp_coherence_send_rops(cp, send, &m, now))
      return false;
   cp->sync = step;
   return true;
}

/* Widens a range until it contains every surface that it touches. */
static void
cp_coherence_widen(const struct cp *cp, unsigned kinds, uint64_t *start, uint64_t *end)
{
   const uint64_t from = *start, to = *end;
   for (unsigned k = 0; k < CP_NUM_ROP_KINDS; k++) {
      for (uint32_t i = 0; i < cp->held[k].num && kinds >> k & 1; i++) {
         const struct cp_range *r = &cp->held[k].range[i];
         if (!cp_coherence_overlap(r, from, to))
            continue;
         *start = r->start < *start ? r->start : *start;
         *end = r->end > *end ? r->end : *end;
      }
   }
}

bool
cp_rop_sync(struct cp *cp, unsigned kinds, uint64_t start, uint64_t end, bool forget, sim_tick now)
{
   if (cp->rop_answers)
      return false;
   bool dirty = false, held = false;
   for (unsigned k = 0; k < CP_NUM_ROP_KINDS; k++) {
      dirty |= kinds >> k & 1 && cp_coherence_holds(&cp->held[k], start, end, true);
      held |= kinds >> k & 1 && cp_coherence_holds(&cp->held[k], start, end, false);
   }
   if (!dirty && !(forget && held))
      return true;
   /* The wider range may hold other dirty lines. */
   cp_coherence_widen(cp, kinds, &start, &end);
   for (unsigned k = 0; k < CP_NUM_ROP_KINDS; k++)
      dirty |= kinds >> k & 1 && cp_coherence_holds(&cp->held[k], start, end, true);
   if (cp->sync == SYNC_START && dirty) {
      cp_coherence_sync_send(cp, kinds, start, end, SYNC_WRITE_BACK, now);
      return false;
   }
   if (cp->sync == SYNC_START)
      cp->sync = SYNC_WRITE_BACK;
   for (unsigned k = 0; k < CP_NUM_ROP_KINDS; k++) {
      if (kinds >> k & 1)
         cp_coherence_written_back(&cp->held[k], start, end);
   }
   if (cp->sync == SYNC_WRITE_BACK && forget) {
      cp_coherence_sync_send(cp, kinds, start, end, SYNC_FORGET, now);
      return false;
   }
   for (unsigned k = 0; k < CP_NUM_ROP_KINDS && forget; k++) {
      if (kinds >> k & 1)
         cp_coherence_forgotten(cp, &cp->held[k], start, end);
   }
   cp->sync = SYNC_START;
   return true;
}

/* --- Texture units, streamer and constant caches --- */

void
cp_written(struct cp *cp, uint64_t start, uint64_t end)
{
   cp_coherence_add_range(cp->written, &cp->num_written, CP_RANGES, start, end);
   cp_memory_written(cp, start, end);
   cp_programs_written(cp, start, end);
   cp_sign_written(cp, start, end);
}

void
cp_rendered(struct cp *cp)
{
   for (unsigned k = 0; k < CP_NUM_ROP_KINDS; k++) {
      for (uint32_t i = 0; i < cp->held[k].num; i++) {
         struct cp_range *r = &cp->held[k].range[i];
         if (r->changed)
            cp_coherence_add_range(cp->written, &cp->num_written, CP_RANGES, r->start, r->end);
         r->changed = false;
      }
   }
}

bool
cp_forget_written(struct cp *cp, sim_tick now)
{
   struct sim_netlist *net = &cp->box.gpu->net;
   uint32_t num_units = NUM_TEX_UNITS(&cp->box.gpu->config),
            num_loaders = cp->box.gpu->config.streamer.loaders,
            num_shaders = NUM_SHADERS(&cp->box.gpu->config);
   if (!cp->num_written)
      return true;
   if (!cp_can_send_all(net->cp_tu, num_units, now) ||
       !cp_can_send_all(net->cp_sl, num_loaders, now) ||
       !cp_can_send_all(net->cp_cc, num_shaders, now))
      return false;
   const struct cp_range *r = &cp->written[--cp->num_written];
   struct msg_rop m = {.op = ROP_FORGET, .work_id = cp->work_id, .start = r->start, .end = r->end};
   cp_send_all(net->cp_tu, num_units, &m, now);
   cp_send_all(net->cp_sl, num_loaders, &m, now);
   cp_send_all(net->cp_cc, num_shaders, &m, now);
   cp->stat[cp->work_id].invalidations++;
   if (!cp->num_written)
      return true;
   cp_again(cp, now + cp->box.period);
   return false;
}
