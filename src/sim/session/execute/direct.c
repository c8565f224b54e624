/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The direct executor (executor.h): functional mode with warming up to a frame, then cycle mode to
 * the end. Either part may be empty. */
#include <stdlib.h>
#include "core/sim_xalloc.h"
#include "decode/sim_frontend.h"
#include "session/execute/executor.h"

struct direct {
   struct sim_executor executor;
   uint64_t cycle_frame; /* functional mode ends where this frame begins; UINT64_MAX: never */
};

static bool
direct_simulate(struct sim_executor *e)
{
   sim_machine_end_functional_mode(e->machine);
   return true;
}

static bool
direct_submit(struct sim_executor *e, const uint32_t *words, size_t num_words)
{
   const struct direct *d = (const struct direct *)e;
   struct sim_machine *m = e->machine;
   if (d->cycle_frame == UINT64_MAX)
      return sim_machine_execute(m, words, num_words);
   while (num_words && sim_machine_is_functional(m)) {
      if (sim_machine_device(m)->observed.frame >= d->cycle_frame) {
         direct_simulate(e);
         break;
      }
      bool ends;
      const size_t n = sim_frame_words(words, num_words, &ends);
      if (!sim_machine_execute(m, words, n))
         return false;
      words += n;
      num_words -= n;
   }
   return !num_words || sim_machine_execute(m, words, num_words);
}

static uint32_t
direct_next_frame(const struct sim_executor *e, uint32_t frame)
{
   const struct direct *d = (const struct direct *)e;
   const bool skips = d->cycle_frame != UINT64_MAX && sim_machine_is_functional(e->machine);
   return skips ? sim_schedule_next(e->schedule, frame) : frame;
}

static void
direct_destroy(struct sim_executor *e)
{
   free(e);
}

static const struct sim_executor_class direct_class = {
    .submit = direct_submit,
    .next_frame = direct_next_frame,
    .simulate = direct_simulate,
    .destroy = direct_destroy,
};

struct sim_executor *
sim_direct_create(const struct sim_schedule *s, struct sim_machine *m, bool observe)
{
   struct direct *d = sim_xcalloc(1, sizeof(*d));
   d->executor = (struct sim_executor){&direct_class, m, s};
   if (observe || !s->num_frames)
      d->cycle_frame = UINT64_MAX;
   else if (s->frames[0].first > s->warm_up)
      d->cycle_frame = s->frames[0].first - s->warm_up;
   return &d->executor;
}
