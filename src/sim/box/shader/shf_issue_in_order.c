/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Issue policy IN_ORDER: the shader input queue of ISPASS 2006 section 5 (ThreadWindow = FALSE). A
 * batch's groups take turns in order of arrival, one fetch each; a group that is not ready blocks
 * those behind it. Loaded groups join a batch until its first round has reached the last group and
 * no more come: the shader is full, the next group is of another draw, or none came for
 * BATCH_TIMEOUT cycles (figure of the original). The next batch starts when all groups of this one
 * have ended. */
#include "box/shader/shf_issue.h"

#define BATCH_TIMEOUT 64

static bool
shf_issue_in_order_same_batch(const struct shf_window *w, unsigned a, unsigned b)
{
   const struct sim_group *x = w->threads[w->order[a]].group, *y = w->threads[w->order[b]].group;
   return x->draw == y->draw && x->program == y->program;
}

static void
shf_issue_in_order_started(struct shf_window *w)
{
   if (!w->closed && w->batch + 1 == w->num_order &&
       (!w->batch || shf_issue_in_order_same_batch(w, 0, w->batch)))
      w->batch++;
}

static void
shf_issue_in_order_ended(struct shf_window *w, unsigned position)
{
   if (w->turn > position)
      w->turn--;
   if (--w->batch)
      return;
   w->turn = 0;
   w->closed = false;
   while (w->batch < w->num_order && shf_issue_in_order_same_batch(w, 0, w->batch))
      w->batch++;
}

/* Passes over contexts that wait at a barrier. If all do, the others of their workgroup must join
 * the batch. */
static void
shf_issue_in_order_skip(struct shf_window *w)
{
   while (w->turn < w->batch && w->threads[w->order[w->turn]].at_barrier)
      w->turn++;
   for (unsigned i = 0; w->turn == w->batch && i <= w->batch; i++) {
      if (i == w->batch && w->batch < w->num_order && shf_issue_in_order_same_batch(w, 0, w->batch))
         w->batch++;
      else if (i == w->batch || !w->threads[w->order[i]].at_barrier)
         return;
   }
}

static int
shf_issue_in_order_choose(struct shf_window *w, sim_tick now, sim_tick *again)
{
   *again = SIM_NEVER;
   shf_issue_in_order_skip(w);
   if (w->turn == w->batch) {
      sim_tick timeout = w->last_started + BATCH_TIMEOUT * w->period;
      if (!w->closed && !w->full && w->batch == w->num_order && now < timeout) {
         *again = timeout;
         return -1;
      }
      w->closed = true;
      w->turn = 0;
   }
   shf_issue_in_order_skip(w);
   if (w->turn == w->batch)
      return -1;
   unsigned i = w->order[w->turn];
   if (!shf_is_ready(w, i))
      return -1;
   w->turn++;
   return (int)i;
}

const struct shf_policy shf_policy_in_order = {.name = "IN_ORDER",
                                               .choose = shf_issue_in_order_choose,
                                               .started = shf_issue_in_order_started,
                                               .ended = shf_issue_in_order_ended};
