/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Replays that start from checkpoints in FILE.index, and their messages. Not here: what a
 * checkpoint holds (session/checkpoint/), writing one (cli_index.c). */
#include <stdio.h>
#include "cli/cli.h"

struct attila_checkpoints *
cli_jump_open(const struct cli_options *o, struct attila_sim *sim, const char *path,
              struct sim_capture_reader *capture, uint32_t first)
{
   char error[1024];
   if (o->no_index || !first)
      return NULL;
   struct attila_checkpoints *x;
   if (attila_checkpoint_open(&x, attila_session_machine(sim), path, capture, error,
                              sizeof(error)) == ATTILA_CHECKPOINTS_UNUSABLE)
      fprintf(stderr, "attila-sim: warning: %s; all frames before run in functional mode\n", error);
   return x;
}

bool
cli_jump(struct attila_checkpoints *index, struct sim_capture_reader *capture, uint32_t to,
         uint32_t *frame, struct attila_place *place)
{
   char error[1024];
   if (!index || to <= *frame ||
       attila_checkpoint_jump(index, capture, *frame, to, frame, place, error, sizeof(error)))
      return true;
   fprintf(stderr, "attila-sim: %s; make it again (attila-sim index) or use --no-index\n", error);
   return false;
}
