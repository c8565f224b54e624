/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim run, bench and maps: replay a capture and print cycles and host time. Not here: making
 * maps (picture/sim_maps.h). */
#include <inttypes.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "cli/cli.h"
#include "cli/cli_record.h"
#include "core/sim_file.h"

/* Finds the range of frames to replay. Returns false, with a message, if --frames is wrong. */
static bool
cli_run_choose_frames(struct cli_options *o)
{
   char error[300];
   struct sim_option_range *f = &o->frames;
   if (!o->sim.cycle_frames)
      return true;
   f->given = attila_session_frames(o->sim.cycle_frames, &f->first, &f->last, error, sizeof(error));
   if (!f->given)
      cli_complain(o, "--frames: %s", error);
   return f->given;
}

/* attila-sim merge joins the workers of one run only, so another run must use another folder. */
bool
cli_run_workers_free(const char *program, const char *folder)
{
   char *path = sim_file_path("%s/workers", folder);
   const bool there = access(path, F_OK) == 0;
   if (there)
      fprintf(stderr,
              "%s: %s: the reports of another run are there; attila-sim merge %s joins them\n",
              program, path, folder);
   free(path);
   return !there;
}

static double
cli_run_host_seconds(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
   return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

/* CPU time of this process and of the workers that have ended. */
static double
cli_run_cpu_seconds(void)
{
   struct rusage workers;
   getrusage(RUSAGE_CHILDREN, &workers);
   return cli_cpu_seconds() + (double)(workers.ru_utime.tv_sec + workers.ru_stime.tv_sec) +
          (double)(workers.ru_utime.tv_usec + workers.ru_stime.tv_usec) * 1e-6;
}

struct attila_sim *
cli_make_sim(const struct cli_options *o, const struct sim_capture_reader *capture)
{
   char memory[64], error[1024] = "out of host memory";
   const unsigned num = o->sim.num_overrides;
   uint32_t size = sim_capture_memory_size(capture);
   struct attila_sim *sim = NULL;
   struct attila_sim_options options = o->sim;
   if (options.mode == ATTILA_MODE_FUNCTIONAL)
      sim_options_drop_timed(&options); /* bench has both modes; this file chooses run's frames */
   const char **overrides = malloc((num + 1) * sizeof(*overrides));
   if (overrides) {
      snprintf(memory, sizeof(memory), "MEMORYCONTROLLER.MemorySize=%u", size >> 20);
      overrides[0] = memory;
      if (num)
         memcpy(overrides + 1, o->sim.overrides, num * sizeof(*overrides));
      options.overrides = overrides;
      options.num_overrides = num + 1;
      sim = attila_sim_create(&options, error, sizeof(error));
      free(overrides);
   }
   if (!sim) {
      fprintf(stderr, "attila-sim: %s\n", error);
      return NULL;
   }
   if (attila_sim_memory_size(sim) < size)
      fprintf(stderr,
              "attila-sim: warning: the capture is of a GPU with %u MiB, this one has %u MiB\n",
              size >> 20, attila_sim_memory_size(sim) >> 20);
   return sim;
}

struct replay {
   const struct cli_options *o;
   struct attila_sim *sim;
   struct sim_capture_reader *capture;
   struct attila_checkpoints *checkpoints; /* NULL: none */
   uint32_t frame;
   size_t skip; /* words of the next record that have been executed */
   bool done;   /* the last wanted frame is over */
   bool damaged;
};

/* At the beginning of a frame: returns the first frame from this one on that must be replayed. */
static uint32_t
cli_run_next_wanted(const struct replay *r)
{
   const struct cli_options *o = r->o;
   if (o->sim.mode != ATTILA_MODE_FUNCTIONAL)
      return attila_session_next_frame(r->sim, r->frame);
   return o->frames.first > r->frame ? o->frames.first : r->frame;
}

/* Before the first command of a frame: skips to a checkpoint before the next frame that must be
 * replayed, if there is one. Returns true if it did; the next record is then another one. */
static bool
cli_run_jump(struct replay *r)
{
   struct attila_place place = {0};
   const uint32_t from = r->frame;
   r->damaged = !cli_jump(r->checkpoints, r->capture, cli_run_next_wanted(r), &r->frame, &place);
   r->skip = place.words;
   return r->damaged || r->frame != from;
}

/* Submits a record frame by frame. Returns false when the simulator stopped. */
static bool
cli_run_submit_frames(struct replay *r, const struct sim_capture_record *record)
{
   size_t at = r->skip < record->num_words ? r->skip : record->num_words;
   r->skip = 0;
   while (at < record->num_words && !r->done) {
      bool ends;
      size_t n = sim_frame_words(record->words + at, record->num_words - at, &ends);
      if (!attila_sim_submit(r->sim, record->words + at, n))
         return false;
      at += n;
      if (!ends)
         continue;
      r->frame++;
      r->done = r->o->frames.given && r->frame > r->o->frames.last;
      if (!r->done && cli_run_jump(r))
         return true;
   }
   return true;
}

static int
cli_run_replay(struct replay *r)
{
   char error[1024];
   struct sim_capture_record record;
   enum sim_capture_result result = SIM_CAPTURE_END;
   bool ok = true;
   cli_run_jump(r);
   /* Stop when reports can no longer be written. */
   while (ok && !r->done && !r->damaged && !attila_session_failed(r->sim) &&
          (result = sim_capture_next(r->capture, &record, error, sizeof(error))) ==
              SIM_CAPTURE_RECORD) {
      if (record.kind == SIM_CAPTURE_WAIT) {
         attila_sim_wait(r->sim, record.fence);
         ok = attila_sim_error(r->sim) == NULL;
      } else {
         ok = cli_run_submit_frames(r, &record);
      }
   }
   if (!ok) {
      fprintf(stderr, "attila-sim: frame %u: %s\n", r->frame, attila_sim_error(r->sim));
      return CLI_STOPPED;
   }
   if (result == SIM_CAPTURE_ERROR)
      return cli_fail("%s; what came before was replayed", error);
   if (r->damaged || attila_session_failed(r->sim))
      return CLI_FILE;
   const struct sim_option_range *frames = &r->o->frames;
   /* Draws after the end of the last frame make a frame of the record. */
   const uint32_t num = r->frame + (attila_session_device(r->sim)->observed.draws > 0);
   if (frames->given && num <= frames->first)
      return cli_fail("the capture has only %u frames, none of these frames (from 0)", num);
   if (frames->given && num <= frames->last && frames->last != UINT32_MAX)
      fprintf(stderr, "attila-sim: warning: the capture has only %u frames\n", num);
   return CLI_OK;
}

#define MAX_CLASSES 64

static void
cli_run_print_profile(struct attila_sim *sim, uint64_t cycles)
{
   struct attila_host_time times[MAX_CLASSES];
   const unsigned n = attila_probe_host_times(attila_session_machine(sim), times, MAX_CLASSES);
   uint64_t total = 0;
   for (unsigned c = 0; c < n; c++)
      total += times[c].ns;
   printf("%-24s %6s %10s %7s %12s\n", "box", "number", "host ms", "share", "ns per cycle");
   for (unsigned c = 0; c < n; c++)
      printf("%-24s %6u %10.1f %6.1f%% %12.2f\n", times[c].name, times[c].boxes,
             (double)times[c].ns * 1e-6, total ? 100.0 * (double)times[c].ns / (double)total : 0.0,
             cycles ? (double)times[c].ns / (double)cycles : 0.0);
   printf("by this, threads of SIMULATOR.Threads can at most have these speeds:");
   for (unsigned threads = 2; threads <= 16; threads *= 2)
      printf("%s %u: %.2f", threads > 2 ? "," : "", threads,
             attila_probe_threads_bound(attila_session_machine(sim), threads));
   printf("\n");
}

struct result {
   uint32_t frames;
   uint64_t cycles, clocked; /* of the frames of the record; with what is beside them */
   double ms, host, cpu;
   unsigned threads;       /* SIMULATOR.Threads */
   double threads_clocked; /* part of the cycles that all threads clocked */
};

static void
cli_run_read_cycles(struct result *r, struct attila_sim *sim, const struct attila_frame_sum *sum)
{
   r->clocked = attila_sim_cycles(sim);
   r->cycles = sum->cycles;
   r->ms = sum->ms;
   /* Nothing ended a frame. */
   if (!r->cycles) {
      r->cycles = r->clocked;
      r->ms = (double)attila_sim_time_ns(sim) * 1e-6;
   }
}

static int
cli_run_once(struct cli_options *o, const char *path, bool profile, struct result *r)
{
   char error[1024];
   if (!cli_run_choose_frames(o))
      return CLI_USAGE;
   if (o->sim.jobs && !cli_run_workers_free("attila-sim", o->sim.out_dir))
      return CLI_FILE;
   struct sim_capture_reader *capture = sim_capture_open(path, error, sizeof(error));
   if (!capture)
      return cli_fail("%s", error);
   o->sim.keep_clears = true;
   struct attila_sim *sim = cli_make_sim(o, capture);
   if (!sim) {
      sim_capture_reader_close(capture);
      return CLI_FILE;
   }
   if (profile)
      attila_probe_profile(attila_session_machine(sim));
   if (o->frames.given && o->sim.mode == ATTILA_MODE_FUNCTIONAL)
      attila_session_report_from(sim, o->frames.first);
   *r = (struct result){0};
   struct attila_frame_sum sum;
   attila_session_sum_frames(sim, &sum);
   double start = cli_run_host_seconds(), cpu = cli_run_cpu_seconds();
   struct replay run = {.o = o, .sim = sim, .capture = capture};
   run.checkpoints = cli_jump_open(o, sim, path, capture, cli_run_next_wanted(&run));
   int status = cli_run_replay(&run);
   /* Frames before the first wanted one are not counted. */
   const uint32_t before = o->frames.given ? o->frames.first : 0;
   r->frames = run.frame > before ? run.frame - before : 0;
   attila_checkpoint_close(run.checkpoints);
   if (!attila_session_finish(sim) && status == CLI_OK)
      status = CLI_FILE;
   r->host = cli_run_host_seconds() - start;
   r->cpu = cli_run_cpu_seconds() - cpu;
   cli_run_read_cycles(r, sim, &sum);
   r->threads = attila_probe_threads(attila_session_machine(sim), &r->threads_clocked);
   if (profile)
      cli_run_print_profile(sim, r->clocked);
   attila_sim_destroy(sim);
   sim_capture_reader_close(capture);
   return status;
}

static void
cli_run_print_result(const char *path, enum attila_mode mode, const struct result *r)
{
   char threads[64] = "";
   if (r->threads > 1)
      snprintf(threads, sizeof(threads), ", %.0f %% of cycles by %u threads",
               100.0 * r->threads_clocked, r->threads);
   if (r->cycles)
      printf("%s: %s: %u frames, %" PRIu64
             " cycles (%.3f ms simulated), %.3f s of CPU in %.3f s, %.1f kcycles/s%s\n",
             path, attila_mode_name(mode), r->frames, r->cycles, r->ms, r->cpu, r->host,
             r->cpu > 0 ? (double)r->clocked / r->cpu * 1e-3 : 0.0, threads);
   else
      printf("%s: %s: %u frames, %.3f s of CPU in %.3f s, %.2f frames/s\n", path,
             attila_mode_name(mode), r->frames, r->cpu, r->host,
             r->cpu > 0 ? r->frames / r->cpu : 0.0);
}

/* --- --jobs --- */

static char interrupted[4400];

/* The reports of finished workers stay; the message says how to join them. */
static void
cli_run_interrupt(int number)
{
   const ssize_t n = write(STDERR_FILENO, interrupted, strlen(interrupted));
   (void)n;
   signal(number, SIG_DFL);
   raise(number);
}

static void
cli_run_expect_interrupts(const char *folder)
{
   static const int signals[] = {SIGINT, SIGTERM};
   snprintf(interrupted, sizeof(interrupted),
            "attila-sim: interrupted; attila-sim merge %.4000s joins the frames that workers have "
            "finished\n",
            folder);
   for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
      struct sigaction a;
      if (!sigaction(signals[i], NULL, &a) && a.sa_handler != SIG_IGN)
         signal(signals[i], cli_run_interrupt);
   }
}

/* Reads the sums of all workers from the merged record. */
static void
cli_run_read_merged(const char *folder, struct result *r)
{
   char error[1024];
   sqlite3_stmt *s = NULL;
   sqlite3 *db = cli_record_open(folder, error, sizeof(error));
   if (db &&
       sqlite3_prepare_v2(db, "SELECT sum(cycles), sum(simulated_ms) FROM frames", -1, &s, NULL) ==
           SQLITE_OK &&
       sqlite3_step(s) == SQLITE_ROW) {
      r->cycles = r->clocked = (uint64_t)sqlite3_column_int64(s, 0);
      r->ms = sqlite3_column_double(s, 1);
   }
   sqlite3_finalize(s);
   sqlite3_close(db);
}

int
cli_run(struct cli_options *o, char **args)
{
   const char *path = args[0];
   struct result r = {0};
   const bool jobs = o->sim.jobs && o->sim.mode != ATTILA_MODE_FUNCTIONAL;
   if (jobs)
      cli_run_expect_interrupts(o->sim.out_dir);
   int status = cli_run_once(o, path, o->profile, &r);
   if (jobs && (status == CLI_OK || r.frames)) {
      const int merged = cli_merge_workers(o->sim.out_dir);
      status = merged > status ? merged : status;
      cli_run_read_merged(o->sim.out_dir, &r);
   }
   if (status == CLI_OK || status == CLI_STOPPED || r.frames)
      cli_run_print_result(path, o->sim.mode, &r);
   return status;
}

int
cli_maps(struct cli_options *o, char **args)
{
   if (o->timed_mode)
      attila_mode_parse(o->timed_mode, &o->sim.mode);
   return cli_run(o, args);
}

int
cli_bench(struct cli_options *o, char **args)
{
   struct result r;
   o->sim.mode = ATTILA_MODE_FUNCTIONAL;
   int status = cli_run_once(o, args[0], false, &r);
   if (status != CLI_OK)
      return status;
   cli_run_print_result(args[0], o->sim.mode, &r);
   o->sim.mode = ATTILA_MODE_CYCLE;
   status = cli_run_once(o, args[0], false, &r);
   if (status != CLI_OK)
      return status;
   cli_run_print_result(args[0], o->sim.mode, &r);
   /* The profile slows the run down, so it is a run of its own. */
   return cli_run_once(o, args[0], true, &r);
}
