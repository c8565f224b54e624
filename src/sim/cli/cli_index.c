/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim index: replays a capture in functional mode and writes checkpoints to FILE.index, from
 * which later runs start (docs/howto/long-runs.md). Not here: what a checkpoint holds
 * (session/checkpoint/), starting from one (cli_run.c). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "cli/cli.h"

#define PATIENCE \
   0.4 /* CPU seconds of functional mode between snapshots, when no --every is given */

struct job {
   struct attila_sim *sim;
   struct sim_capture_reader *capture;
   struct sim_index_writer *writer;
   struct sim_index *old; /* an index to which only this machine is added; NULL: write a new one */
   uint64_t machine;
   uint32_t every, frame, snapshots;
   uint32_t dropped;          /* other machines of an index that is written anew for --every */
   struct attila_place place; /* place of the frame that begins */
   double last;               /* CPU time at the last snapshot */
};

/* Returns whether to write a checkpoint at the beginning of this frame. */
static bool
cli_index_wanted(const struct job *j)
{
   const struct sim_index_info *info = j->old ? sim_index_info(j->old) : NULL;
   if (info)
      return j->snapshots < info->snapshots && sim_index_frame(j->old, j->snapshots) == j->frame;
   return j->every ? j->frame % j->every == 0 : cli_cpu_seconds() - j->last >= PATIENCE;
}

static void
cli_index_snapshot(struct job *j)
{
   const struct sim_device *d = attila_session_device(j->sim);
   struct sim_machine *m = attila_session_machine(j->sim);
   struct sim_state machine = attila_checkpoint_save_machine(m);
   if (!j->old) {
      struct sim_state common = attila_checkpoint_save(m, &j->place);
      uint8_t *touched = attila_checkpoint_touched(m);
      machine.failed |= !touched;
      if (touched)
         sim_index_put_snapshot(j->writer, j->frame, d->memory, touched,
                                d->memory_size / SIM_INDEX_PAGE, &common);
      free(touched);
      free(common.data);
   }
   sim_index_put_machine(j->writer, j->frame, j->machine, &machine);
   free(machine.data);
   j->snapshots++;
   j->last = cli_cpu_seconds();
}

/* Executes whole commands. */
static bool
cli_index_execute(struct job *j, const uint32_t *words, size_t num)
{
   const struct sim_device *d = attila_session_device(j->sim);
   size_t done = 0;
   for (size_t i = 0; i < num; i += 1 + (size_t)ATTILA_CMD_WORDS(words[i])) {
      if (ATTILA_CMD_OP(words[i]) != ATTILA_CMD_DRAW)
         continue;
      if (!attila_session_execute(j->sim, words + done, i - done))
         return false;
      attila_orientation_draw(&j->place.orientation, sim_frontend_regs(d->frontend), words + i + 1);
      done = i;
   }
   return attila_session_execute(j->sim, words + done, num - done);
}

static int
cli_index_replay(struct job *j)
{
   char error[1024];
   struct sim_capture_record record;
   enum sim_capture_result result;
   for (uint64_t at_record = sim_capture_tell(j->capture);
        (result = sim_capture_next(j->capture, &record, error, sizeof(error))) ==
        SIM_CAPTURE_RECORD;
        at_record = sim_capture_tell(j->capture)) {
      for (size_t at = 0; at < record.num_words;) {
         bool ends;
         const size_t n = sim_frame_words(record.words + at, record.num_words - at, &ends);
         if (!cli_index_execute(j, record.words + at, n)) {
            fprintf(stderr, "attila-sim: frame %u: %s\n", j->frame, attila_sim_error(j->sim));
            return CLI_STOPPED;
         }
         at += n;
         j->frame += ends;
         if (!ends || !cli_index_wanted(j))
            continue;
         const bool whole = at == record.num_words;
         j->place.record = whole ? sim_capture_tell(j->capture) : at_record;
         j->place.words = whole ? 0 : at;
         cli_index_snapshot(j);
      }
   }
   if (result == SIM_CAPTURE_END)
      return CLI_OK;
   return cli_fail("%s", error);
}

static uint32_t
cli_index_count_frames(const char *capture_path)
{
   char error[1024];
   struct sim_capture_record record;
   uint32_t frames = 0;
   struct sim_capture_reader *capture = sim_capture_open(capture_path, error, sizeof(error));
   while (capture &&
          sim_capture_next(capture, &record, error, sizeof(error)) == SIM_CAPTURE_RECORD) {
      for (size_t at = 0; at < record.num_words;) {
         bool ends;
         at += sim_frame_words(record.words + at, record.num_words - at, &ends);
         frames += ends;
      }
   }
   sim_capture_reader_close(capture);
   return frames;
}

/* Returns whether an index has the snapshots that --every asks for. */
static bool
cli_index_is_every(const struct sim_index *x, uint32_t every, const char *capture_path)
{
   const uint32_t num = sim_index_info(x)->snapshots;
   for (uint32_t i = 0; i < num; i++) {
      if (sim_index_frame(x, i) != (uint64_t)every * (i + 1))
         return false;
   }
   return num == cli_index_count_frames(capture_path) / every;
}

/* Decides about an existing FILE.index: 0 writes it anew, 1 adds this machine, 2 does nothing. */
static int
cli_index_look_at_old(struct job *j, const char *path, const char *capture_path,
                      const struct sim_index_key *key)
{
   char error[1024];
   bool missing;
   struct sim_index *old = sim_index_open(path, &missing, error, sizeof(error));
   /* This machine can be added only to existing snapshots. */
   if (old && (!sim_index_info(old)->snapshots ||
               attila_checkpoint_differs(&sim_index_info(old)->key, key))) {
      sim_index_close(old);
      old = NULL;
   }
   if (old && j->every && !cli_index_is_every(old, j->every, capture_path)) {
      j->dropped = sim_index_info(old)->machines - sim_index_knows(old, j->machine);
      sim_index_close(old);
      old = NULL;
   }
   j->old = old;
   return !old ? 0 : sim_index_knows(old, j->machine) ? 2 : 1;
}

static int
cli_index_write(struct job *j, const char *path, const struct sim_index_key *key)
{
   char error[1024];
   j->writer = j->old ? sim_index_extend(j->old, error, sizeof(error))
                      : sim_index_create(path, key, error, sizeof(error));
   if (!j->writer)
      return cli_fail("%s", error);
   j->last = cli_cpu_seconds();
   const double start = j->last;
   const int status = cli_index_replay(j);
   const uint64_t bytes = sim_index_written(j->writer);
   if (!sim_index_finish(j->writer, status == CLI_OK, error, sizeof(error)))
      return cli_fail("%s", error);
   if (status == CLI_OK)
      printf("%s: %u snapshots of %u frames%s, %.1f MiB, %.1f s of CPU\n", path, j->snapshots,
             j->frame, j->old ? " for another machine" : "", (double)bytes / 1048576,
             cli_cpu_seconds() - start);
   if (status == CLI_OK && j->dropped)
      fprintf(stderr,
              "attila-sim: note: %s had snapshots of other frames for %u other machine%s: "
              "index them again\n",
              path, j->dropped, j->dropped == 1 ? "" : "s");
   return status;
}

int
cli_index(struct cli_options *o, char **args)
{
   const char *capture_path = args[0];
   char error[1024];
   struct sim_index_key key;
   struct cli_options quiet = *o;
   /* Cycle mode never begins, but functional mode warms the machine for it. */
   quiet.sim.cycle_frames = "4294967294-";
   struct job j = {.every = o->every};
   j.capture = sim_capture_open(capture_path, error, sizeof(error));
   if (!j.capture)
      return cli_fail("%s", error);
   char *path = attila_checkpoint_path(capture_path);
   int status = CLI_FILE, old;
   j.sim = cli_make_sim(&quiet, j.capture);
   if (!j.sim)
      goto out;
   if (!attila_checkpoint_key(attila_session_machine(j.sim), j.capture, &key, error,
                              sizeof(error))) {
      fprintf(stderr, "attila-sim: %s\n", error);
      goto out;
   }
   j.machine = attila_checkpoint_machine(attila_session_machine(j.sim));
   old = cli_index_look_at_old(&j, path, capture_path, &key);
   if (old == 2) {
      printf("%s: is there, and of this capture, simulator and machine\n", path);
      status = CLI_OK;
   } else {
      status = cli_index_write(&j, path, &key);
   }
out:
   free(path);
   sim_index_close(j.old);
   /* Otherwise the simulator would warn at its end that the frames of cycle mode never came. */
   if (j.sim)
      attila_session_finish(j.sim);
   attila_sim_destroy(j.sim);
   sim_capture_reader_close(j.capture);
   return status;
}

void
cli_index_info(const char *capture_path)
{
   char error[1024], *path = attila_checkpoint_path(capture_path);
   bool missing;
   struct sim_index *x = sim_index_open(path, &missing, error, sizeof(error));
   if (!x && !missing)
      printf("%s\n", error);
   struct sim_capture_reader *capture =
       x ? sim_capture_open(capture_path, error, sizeof(error)) : NULL;
   if (capture) {
      const struct sim_index_info *info = sim_index_info(x);
      struct sim_index_key key = info->key;
      const char *differs = attila_checkpoint_capture_key(capture, &key, error, sizeof(error))
                                ? attila_checkpoint_differs(&info->key, &key)
                                : error;
      printf("%s: %u snapshots, the last of frame %u, %" PRIu64 " pages of %u bytes, %u machine%s, "
             "%.1f MiB%s%s\n",
             path, info->snapshots, info->snapshots ? sim_index_frame(x, info->snapshots - 1) : 0,
             info->pages, SIM_INDEX_PAGE, info->machines, info->machines == 1 ? "" : "s",
             (double)info->bytes / 1048576, differs ? "; not used: " : "", differs ? differs : "");
      sim_capture_reader_close(capture);
   }
   sim_index_close(x);
   free(path);
}
