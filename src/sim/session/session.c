/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The session behind attila_sim.h and session.h: a machine, its schedule's executor, a capture.
 * Every call takes the lock (lock.c). Not here: options (options/sim_options.h), counters
 * (monitor.c), the end of the process (process_end.c). */
#include <stdio.h>
#include <stdlib.h>
#include "core/sim_file.h"
#include "core/sim_xalloc.h"
#include "options/sim_options.h"
#include "results/sim_report.h"
#include "session/session_impl.h"

static struct sim_report *
session_report(const struct attila_sim *sim)
{
   return sim_machine_report(sim->machine);
}

/* --- Creation --- */

static bool
session_open_report(struct attila_sim *sim, char *error, size_t error_size)
{
   const struct sim_schedule *s = &sim->schedule;
   const bool workers = s->kind == SIM_SCHEDULE_WORKERS;
   const struct sim_machine_report report = {
       .out_dir = workers ? NULL : sim->options.out_dir, /* workers have their own reports */
       .first_frame = s->num_frames ? s->frames[0].first : 0,
       .part_of_a_run = workers,
       .partly = s->roi,
   };
   return sim_machine_open_report(sim->machine, &report, error, error_size);
}

static bool
session_open_capture(struct attila_sim *sim, char *error, size_t error_size)
{
   const char *path = sim->options.capture_path;
   if (path)
      sim->capture = sim_capture_create(path, attila_sim_memory_size(sim), error, error_size);
   return !path || sim->capture;
}

static bool
session_copy_options(struct attila_sim *sim, const struct attila_sim_options *given, char *error,
                     size_t error_size)
{
   struct attila_sim_options *o = &sim->options;
   if (!sim_options_check(&sim_run_options, given, SIM_FROM_PROGRAM, error, error_size))
      return false;
   if (!attila_sim_options_copy(o, given)) {
      snprintf(error, error_size, "out of host memory");
      return false;
   }
   if (o->check_only) {
      free((char *)o->maps_dir);
      free((char *)o->capture_path);
      o->maps_dir = o->out_dir;
      o->out_dir = o->capture_path = NULL;
   }
   return true;
}

static bool
session_init(struct attila_sim *sim, const struct attila_sim_options *given, char *error,
             size_t error_size)
{
   const struct attila_sim_options *o = &sim->options;
   sim_file_hold_standard_streams();
   if (!session_copy_options(sim, given, error, error_size) ||
       !sim_schedule_init(&sim->schedule, o, error, error_size))
      return false;
   sim->machine = sim_machine_create(o, sim->schedule.functional, error, error_size);
   if (!sim->machine || !session_open_report(sim, error, error_size))
      return false;
   sim->executor = sim_executor_create(&sim->schedule, sim->machine, error, error_size);
   return sim->executor && sim_machine_observe(sim->machine, error, error_size) &&
          session_open_capture(sim, error, error_size);
}

struct attila_sim *
attila_sim_create(const struct attila_sim_options *o, char *error, size_t error_size)
{
   struct attila_sim *sim = sim_xcalloc(1, sizeof(*sim));
   struct attila_thread_state before;
   pthread_mutex_init(&sim->lock, NULL);
   attila_run_wanted();
   attila_session_enter_thread(&before);
   const bool ok = session_init(sim, o, error, error_size);
   attila_session_leave_thread(&before);
   if (!ok) {
      attila_sim_destroy(sim);
      return NULL;
   }
   attila_process_end_add(sim);
   attila_run_created();
   return sim;
}

void
attila_sim_destroy(struct attila_sim *sim)
{
   struct attila_thread_state before;
   if (!sim)
      return;
   attila_process_end_remove(sim);
   attila_session_enter_thread(&before);
   if (sim->machine && session_report(sim))
      attila_session_finish_locked(sim);
   if (sim->capture && !sim_capture_close(sim->capture) && !sim->capture_failed)
      fprintf(stderr, "attila: warning: the capture file is incomplete\n");
   sim_executor_destroy(sim->executor);
   sim_machine_destroy(sim->machine);
   sim_schedule_fini(&sim->schedule);
   attila_sim_options_free(&sim->options);
   pthread_mutex_destroy(&sim->lock);
   free(sim);
   attila_session_leave_thread(&before);
}

/* --- The capture --- */

/* Reports once that the capture ends here. */
static void
session_check_capture(struct attila_sim *sim, bool ok)
{
   char error[4300];
   if (ok || sim->capture_failed || !sim_capture_error(sim->capture, error, sizeof(error)))
      return;
   sim->capture_failed = true;
   fprintf(stderr, "attila: error: %s: the capture ends in frame %u and is good up to there\n",
           error, sim_machine_device(sim->machine)->observed.frame);
}

/* --- Submission --- */

static void
session_enter(struct attila_sim *sim)
{
   attila_session_lock(sim);
   attila_run_enter();
   sim_report_begin_work(session_report(sim));
}

static void
session_leave(struct attila_sim *sim)
{
   sim_report_end_work(session_report(sim));
   const struct sim_observed *run = &sim_machine_device(sim->machine)->observed;
   attila_run_leave(&sim->counted,
                    (struct attila_run_progress){.frames = run->frame,
                                                 .time_ns = sim_machine_time_ns(sim->machine)});
   attila_session_unlock(sim);
}

static bool
session_submit(struct attila_sim *sim, const uint32_t *words, size_t num_words)
{
   if (sim_machine_error(sim->machine))
      return false;
   if (!num_words)
      return true;
   if (sim->capture)
      session_check_capture(sim, sim_capture_commands(sim->capture, words, num_words) &&
                                     sim_capture_flush(sim->capture));
   return sim->executor->cls->submit(sim->executor, words, num_words);
}

bool
attila_sim_submit(struct attila_sim *sim, const uint32_t *words, size_t num_words)
{
   session_enter(sim);
   const bool ok = session_submit(sim, words, num_words);
   session_leave(sim);
   return ok;
}

bool
attila_sim_wait(struct attila_sim *sim, uint64_t fence)
{
   struct sim_executor *e = sim->executor;
   session_enter(sim);
   bool ok = sim_machine_device(sim->machine)->fence >= fence;
   if (e->cls->wait)
      e->cls->wait(e, fence);
   if (!ok) {
      if (sim->capture)
         session_check_capture(sim, sim_capture_wait(sim->capture, fence));
      ok = sim_machine_run_until_fence(sim->machine, fence);
   }
   session_leave(sim);
   return ok;
}

bool
attila_sim_fence_signalled(struct attila_sim *sim, uint64_t fence)
{
   attila_session_lock(sim);
   const bool ok = sim_machine_device(sim->machine)->fence >= fence;
   attila_session_unlock(sim);
   return ok;
}

bool
attila_sim_read(struct attila_sim *sim, uint32_t address, void *dst, size_t size)
{
   /* The command's size field has 31 bits. */
   const uint32_t most = 1u << 30;
   session_enter(sim);
   struct sim_device *d = sim_machine_device(sim->machine);
   bool ok = address <= d->memory_size && size <= d->memory_size - address;
   for (size_t done = 0; ok && done < size;) {
      uint32_t n = size - done < most ? (uint32_t)(size - done) : most;
      const uint32_t words[3] = {ATTILA_CMD_HEADER(ATTILA_CMD_READ_BUFFER, 2),
                                 address + (uint32_t)done, n};
      d->read.dst = (uint8_t *)dst + done;
      d->read.size = n;
      ok = session_submit(sim, words, 3);
      d->read.dst = NULL;
      done += n;
   }
   session_leave(sim);
   return ok;
}

bool
attila_sim_scanout(struct attila_sim *sim, const struct attila_scanout *shown,
                   void (*take)(void *user, const uint8_t *bytes,
                                const struct attila_cleared *cleared),
                   void *user)
{
   attila_session_lock(sim);
   const bool ok = sim_machine_scanout(sim->machine, shown, take, user);
   attila_session_unlock(sim);
   return ok;
}

/* --- The end --- */

/* Checks that all frames of the schedule came, where the program decided when the run ended. */
static void
session_check_frames(struct attila_sim *sim)
{
   struct sim_observed *observed = &sim_machine_device(sim->machine)->observed;
   const struct sim_schedule *s = &sim->schedule;
   const uint32_t frames = observed->frame;
   if (!sim->options.cycle_frames || !s->num_frames || s->kind == SIM_SCHEDULE_ROI ||
       sim->frames_checked || !frames)
      return;
   const uint32_t last = s->frames[s->num_frames - 1].last;
   sim->frames_checked = true;
   if (frames <= s->frames[0].first)
      sim_warn(observed, "the run has only %u frames, none of the frames %s (from 0)", frames,
               sim->options.cycle_frames);
   else if (frames <= last && last != UINT32_MAX)
      sim_warn(observed, "the run has only %u frames, not all of the frames %s (from 0)", frames,
               sim->options.cycle_frames);
}

void
attila_session_finish_locked(struct attila_sim *sim)
{
   struct sim_executor *e = sim->executor;
   if (!sim_machine_finish(sim->machine))
      sim->incomplete = true;
   if (e && e->cls->finish && !e->cls->finish(e))
      sim->incomplete = true;
   if (!sim_machine_end_run(sim->machine))
      sim->incomplete = true;
   session_check_frames(sim);
   if (sim->capture)
      session_check_capture(sim, sim_capture_flush(sim->capture));
}

bool
attila_session_finish(struct attila_sim *sim)
{
   attila_session_lock(sim);
   sim->frames_checked = true; /* the caller compares them with its capture */
   attila_session_finish_locked(sim);
   const bool ok = !sim->incomplete;
   attila_session_unlock(sim);
   return ok;
}

/* --- Queries --- */

uint32_t
attila_sim_memory_size(const struct attila_sim *sim)
{
   return sim_machine_device(sim->machine)->memory_size;
}

void
attila_sim_shader_machine(const struct attila_sim *sim, unsigned stage,
                          struct attila_shader_machine *machine)
{
   *machine = *sim_machine_shader(sim->machine, stage);
}

uint64_t
attila_sim_cycles(struct attila_sim *sim)
{
   attila_session_lock(sim);
   const uint64_t cycles = sim_machine_cycles(sim->machine);
   attila_session_unlock(sim);
   return cycles;
}

uint64_t
attila_sim_time_ns(struct attila_sim *sim)
{
   attila_session_lock(sim);
   const uint64_t ns = sim_machine_time_ns(sim->machine);
   attila_session_unlock(sim);
   return ns;
}

const char *
attila_sim_error(struct attila_sim *sim)
{
   attila_session_lock(sim);
   const char *error = sim_machine_error(sim->machine);
   attila_session_unlock(sim);
   return error;
}

/* --- For attila-sim --- */

bool
attila_session_frames(const char *list, uint32_t *first, uint32_t *last, char *error,
                      size_t error_size)
{
   unsigned num;
   struct sim_range *frames = sim_schedule_frames(list, &num, error, error_size);
   if (!frames)
      return false;
   *first = frames[0].first;
   *last = frames[num - 1].last;
   free(frames);
   return true;
}

struct sim_machine *
attila_session_machine(struct attila_sim *sim)
{
   return sim->machine;
}

const struct sim_device *
attila_session_device(struct attila_sim *sim)
{
   return sim_machine_device(sim->machine);
}

const struct sim_config *
attila_session_config(const struct attila_sim *sim)
{
   return sim_machine_config(sim->machine);
}

bool
attila_session_execute(struct attila_sim *sim, const uint32_t *words, size_t num_words)
{
   attila_session_lock(sim);
   const bool ok = sim_machine_execute(sim->machine, words, num_words);
   attila_session_unlock(sim);
   return ok;
}

void
attila_session_report_from(struct attila_sim *sim, uint32_t frame)
{
   sim_machine_device(sim->machine)->observed.first_frame = frame;
}

static void
session_frame_ended(struct sim_observer *o, const struct sim_frame_end *end)
{
   struct attila_frame_sum *sum = (struct attila_frame_sum *)o;
   const struct sim_observed *run = sum->observed;
   const struct sim_kernel *k = sum->measure->kernel;
   if (run->frame < run->first_frame || end->passed)
      return;
   const uint64_t cycles = measure_cycles(sum->measure, SIM_DOMAIN_GPU, end->tick) -
                           measure_cycles(sum->measure, SIM_DOMAIN_GPU, run->began);
   sum->cycles += cycles;
   sum->ms += (double)cycles * (double)k->period[SIM_DOMAIN_GPU] * k->ns_per_tick * 1e-6;
}

void
attila_session_sum_frames(struct attila_sim *sim, struct attila_frame_sum *sum)
{
   static const struct sim_observer_class cls = {.frame_ended = session_frame_ended};
   struct sim_observed *observed = &sim_machine_device(sim->machine)->observed;
   *sum = (struct attila_frame_sum){
       .observer.cls = &cls, .observed = observed, .measure = sim_machine_measure(sim->machine)};
   sim_observe(observed, &sum->observer);
}

bool
attila_session_failed(const struct attila_sim *sim)
{
   return sim_report_failed(session_report(sim));
}

uint32_t
attila_session_next_frame(struct attila_sim *sim, uint32_t frame)
{
   attila_session_lock(sim);
   const uint32_t next = sim->executor->cls->next_frame(sim->executor, frame);
   attila_session_unlock(sim);
   return next;
}
