/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Frames in cycle mode and others in functional mode (session/schedule.h): cuts submissions at the
 * ends of frames and does there what the options want. Not here: what a worker does
 * (session/workers.c), how the machine goes on from functional mode (session/warming.c).
 */
#include "session/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/sim_range.h"
#include "results/sim_report.h"

struct attila_schedule {
   struct attila_window *window;
   unsigned num_windows;
   uint32_t warm_up, chunk; /* chunk: frames of a worker; 0: a window */
   uint32_t started;        /* frames before this one have been looked at */
   struct attila_workers *jobs;
   struct attila_roi *parts; /* NULL: whole frames */
};

/* A frame's number; the highest one stands for none. */
static bool
number(const char **p, uint32_t *value)
{
   return sim_range_number(p, value) && *value != UINT32_MAX;
}

struct attila_window *
attila_schedule_parse(const char *list, unsigned *num, char *error, size_t error_size)
{
   struct attila_window *w = calloc(strlen(list) / 2 + 1, sizeof(*w));
   const char *p = list;
   *num = 0;
   for (bool more = w != NULL; more; p++) {
      struct attila_window *next = &w[*num];
      if (!number(&p, &next->first))
         break;
      next->last = next->first;
      if (*p == '-') {
         p++;
         next->last = UINT32_MAX;
         if (*p && *p != ',' && !number(&p, &next->last))
            break;
      }
      const bool rises = !*num || (next[-1].last < next->first && next[-1].last != UINT32_MAX);
      if (next->last < next->first || !rises || (*p && *p != ','))
         break;
      ++*num;
      more = *p == ',';
      if (!more)
         return w;
   }
   snprintf(error, error_size, "\"%.100s\" is not a list of frames such as 40-49,100-", list);
   free(w);
   return NULL;
}

struct attila_schedule *
attila_schedule_create(const struct attila_sim_options *o, char *error, size_t error_size)
{
   error[0] = '\0';
   const bool parts = attila_sim_wants_parts(o);
   if (o->mode == ATTILA_MODE_FUNCTIONAL || (!o->cycle_frames && !o->jobs && !parts))
      return NULL;
   struct attila_schedule *f = calloc(1, sizeof(*f));
   if (!f) {
      snprintf(error, error_size, "out of host memory");
      return NULL;
   }
   f->warm_up = o->warm_up;
   f->window = attila_schedule_parse(o->cycle_frames ? o->cycle_frames : "0-", &f->num_windows,
                                     error, error_size);
   bool ok = f->window != NULL;
   if (ok && parts) {
      f->parts = attila_roi_create(o->cycle_draws, o->cycle_label, o->jobs != 0, error, error_size);
      ok = f->parts != NULL;
   }
   if (ok && !o->jobs && !parts && f->num_windows > 1) {
      snprintf(error, error_size, "several ranges of frames in cycle mode need workers (--jobs)");
      ok = false;
   }
   if (ok && o->jobs && !o->check_only) {
      f->chunk = o->job_frames;
      f->jobs = attila_workers_create(o, error, error_size);
      ok = f->jobs != NULL;
   }
   if (ok)
      return f;
   attila_schedule_destroy(f);
   return NULL;
}

bool
attila_schedule_workers(const struct attila_schedule *f)
{
   return f && f->jobs;
}

bool
attila_schedule_warm(const struct attila_schedule *f)
{
   return f && (f->jobs || f->parts || f->window[0].first > f->warm_up);
}

struct attila_roi *
attila_schedule_parts(const struct attila_schedule *f)
{
   return f ? f->parts : NULL;
}

uint32_t
attila_schedule_first(const struct attila_schedule *f)
{
   return f ? f->window[0].first : 0;
}

size_t
attila_schedule_part(const uint32_t *words, size_t num_words, bool *ends)
{
   size_t i = 0;
   for (*ends = false; i < num_words && !*ends;) {
      uint32_t op = ATTILA_CMD_OP(words[i]);
      *ends = op == ATTILA_CMD_SWAP || op == ATTILA_CMD_END_FRAME;
      i += 1 + (size_t)ATTILA_CMD_WORDS(words[i]);
   }
   return i < num_words ? i : num_words;
}

/* Frames of the pieces that a window is cut into. */
static uint32_t
piece_length(const struct attila_schedule *f, const struct attila_window *w)
{
   return f->chunk ? f->chunk : w->last == UINT32_MAX ? 1 : w->last - w->first + 1;
}

/* Where the first piece of a window begins whose warm-up begins at this frame or later. */
static uint32_t
next_piece(const struct attila_schedule *f, const struct attila_window *w, uint32_t frame)
{
   const uint64_t length = piece_length(f, w), ready = (uint64_t)frame + f->warm_up;
   const uint64_t before = ready > w->first ? (ready - w->first + length - 1) / length : 0;
   const uint64_t first = w->first + before * length;
   if (first > w->last)
      return UINT32_MAX;
   return first > f->warm_up ? (uint32_t)(first - f->warm_up) : 0;
}

static bool
chosen(const struct attila_schedule *f, uint32_t frame)
{
   for (unsigned i = 0; i < f->num_windows; i++) {
      if (frame >= f->window[i].first && frame <= f->window[i].last)
         return true;
   }
   return false;
}

uint32_t
attila_schedule_next(const struct attila_sim *sim, uint32_t frame)
{
   const struct attila_schedule *f = sim->frames;
   uint32_t next = UINT32_MAX;
   if (!f || sim->mode != ATTILA_MODE_FUNCTIONAL || (f->jobs && attila_workers_listen(f->jobs)))
      return frame;
   if (f->parts && chosen(f, frame))
      return frame;
   for (unsigned i = 0; i < f->num_windows; i++) {
      const uint32_t at = next_piece(f, &f->window[i], frame);
      next = at < next ? at : next;
   }
   return next;
}

/* The workers of every piece of a window whose warm-up begins with this frame. */
static void
start_workers(struct attila_schedule *f, struct attila_sim *sim, uint32_t frame)
{
   for (unsigned i = 0; i < f->num_windows; i++) {
      const struct attila_window *w = &f->window[i];
      const uint32_t length = piece_length(f, w);
      /* The pieces begin at first, first + length, ...; the warm-up of early ones is shorter. */
      uint64_t first = (uint64_t)frame + f->warm_up;
      for (uint64_t at = frame ? first : w->first; at <= first && at <= w->last; at++) {
         if (at < w->first || (at - w->first) % length)
            continue;
         const uint64_t last = at + length - 1;
         attila_workers_start(f->jobs, sim, (uint32_t)at,
                              last < w->last ? (uint32_t)last : w->last);
      }
   }
}

/* Before the first command of a frame. */
static void
begin_frame(struct attila_schedule *f, struct attila_sim *sim, uint32_t frame)
{
   f->started = frame + 1;
   if (f->jobs)
      start_workers(f, sim, frame);
   else if (f->parts)
      sim_report_choose_picture(sim->device.report, chosen(f, frame));
   else if (sim->mode == ATTILA_MODE_FUNCTIONAL && frame + f->warm_up >= f->window[0].first)
      attila_sim_go_on_in_cycle_mode(sim);
}

bool
attila_schedule_submit(struct attila_sim *sim, const uint32_t *words, size_t num_words)
{
   struct attila_schedule *f = sim->frames;
   for (size_t at = 0; at < num_words;) {
      const uint32_t frame = sim_report_frames(sim->device.report);
      if (!f->jobs && !f->parts && sim->mode != ATTILA_MODE_FUNCTIONAL)
         return attila_sim_execute(sim, words + at, num_words - at);
      if (frame >= f->started)
         begin_frame(f, sim, frame);
      bool ends;
      const size_t n = attila_schedule_part(words + at, num_words - at, &ends);
      if (f->jobs)
         attila_workers_commands(f->jobs, words + at, n);
      if (!(f->parts && chosen(f, frame) ? attila_roi_execute(f->parts, sim, words + at, n)
                                         : attila_sim_execute(sim, words + at, n)))
         return false;
      if (f->jobs && ends)
         attila_workers_frames(f->jobs, frame + 1);
      at += n;
   }
   return true;
}

void
attila_schedule_wait(struct attila_sim *sim, uint64_t fence)
{
   if (attila_schedule_workers(sim->frames))
      attila_workers_wait(sim->frames->jobs, fence);
}

void
attila_schedule_finish(struct attila_sim *sim)
{
   if (attila_schedule_workers(sim->frames) && !attila_workers_finish(sim->frames->jobs))
      sim->frames_failed = true;
   if (sim->frames && sim->frames->parts)
      attila_roi_finish(sim->frames->parts, sim);
}

void
attila_schedule_destroy(struct attila_schedule *f)
{
   if (!f)
      return;
   attila_workers_destroy(f->jobs);
   attila_roi_destroy(f->parts);
   free(f->window);
   free(f);
}
