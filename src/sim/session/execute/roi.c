/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The region-of-interest executor (executor.h): some draws of a frame, or the work under some
 * labels, in cycle mode, the rest in functional mode. Where a region begins, cycle mode goes on as
 * at a frame's beginning. At its end a FLUSH with a label of its own writes caches back, the
 * machine drains and empties its caches, and functional mode goes on with the same memory,
 * registers and counters; the machine's time stands still there. A region of draws reaches from its
 * first to its last DRAW. A region of a label begins with the first command under the label that
 * does work, and ends where the label changes. Both end before the command that ends the frame. An
 * observing executor (observe) changes no mode and only notes which regions the run has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/sim_xalloc.h"
#include "decode/sim_frontend.h"
#include "results/sim_report.h"
#include "session/execute/executor.h"

#define MAX_LABELS 8 /* labels to list if none matched */
#define END_LABEL "end of the window"

struct roi {
   struct sim_executor executor;
   struct sim_device *device;
   bool *came; /* [range]: whether a draw of it came */
   bool label_came;
   bool observe, inside;
   bool reported;  /* missing regions were reported */
   bool fits;      /* the present label matches */
   uint32_t frame; /* the present one; UINT32_MAX: none */
   /* What was in the run, for messages. */
   uint32_t frames, fewest, most; /* number of frames; fewest and most draws of a frame */
   char seen[MAX_LABELS][SIM_LABEL_BYTES];
   unsigned num_seen;
   bool more_seen;
};

/* Returns whether draws are chosen by number. */
static bool
roi_by_number(const struct roi *p)
{
   return p->executor.schedule->num_draws != 0;
}

static const char *
roi_label(const struct roi *p)
{
   return p->executor.schedule->label;
}

/* --- From one mode to the other --- */

static void
roi_enter(struct roi *p)
{
   p->inside = true;
   p->label_came = true;
   if (p->observe)
      return;
   sim_machine_enter_cycle_mode(p->executor.machine);
   p->device->observed.passing = false;
}

static bool
roi_leave(struct roi *p)
{
   static const uint32_t flush[] = {ATTILA_CMD_HEADER(ATTILA_CMD_FLUSH, 1),
                                    ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS};
   struct sim_frontend *frontend = p->device->frontend;
   struct sim_machine *m = p->executor.machine;
   char label[SIM_LABEL_BYTES];
   p->inside = false;
   if (p->observe)
      return true;
   sim_label_keep(label, sim_frontend_label(frontend));
   sim_frontend_set_label(frontend, END_LABEL);
   const bool ok = sim_machine_execute(m, flush, 2) && sim_machine_drain(m);
   sim_frontend_set_label(frontend, label);
   if (!ok)
      return false;
   sim_machine_leave_cycle_mode(m);
   p->device->observed.passing = true;
   return !sim_machine_error(m);
}

/* --- What there is --- */

static void
roi_note_label(struct roi *p, const char *label)
{
   p->fits = !roi_label(p) || sim_report_label_matches(roi_label(p), label);
   if (!roi_label(p) || p->label_came || !label || !*label)
      return;
   for (unsigned i = 0; i < p->num_seen; i++) {
      if (!strcmp(p->seen[i], label))
         return;
   }
   p->more_seen |= p->num_seen == MAX_LABELS;
   if (p->num_seen < MAX_LABELS)
      sim_label_keep(p->seen[p->num_seen++], label);
}

static void
roi_note_frame(struct roi *p, uint32_t draws)
{
   p->frames++;
   p->fewest = draws < p->fewest ? draws : p->fewest;
   p->most = draws > p->most ? draws : p->most;
}

/* Returns the range that has a draw in [first, last], or num_draws. */
static unsigned
roi_find_range(const struct roi *p, uint32_t first, uint32_t last)
{
   const struct sim_schedule *s = p->executor.schedule;
   return sim_range_find(s->draws, s->num_draws, first, last);
}

static bool
roi_has_draw(const struct roi *p, uint32_t first, uint32_t last)
{
   return roi_find_range(p, first, last) < p->executor.schedule->num_draws;
}

/* --- Commands --- */

/* Submitted words, partly executed. */
struct walk {
   struct roi *p;
   const uint32_t *words;
   size_t done;
   uint32_t draws; /* DRAWs that are not yet executed, some of which may not draw */
};

static bool
roi_execute_to(struct walk *w, size_t to)
{
   const size_t from = w->done;
   w->done = to;
   w->draws = 0;
   return from == to || sim_machine_execute(w->p->executor.machine, w->words + from, to - from);
}

/* Returns the next draw number of the present frame if all DRAWs so far draw. */
static uint32_t
roi_next_draw_at_most(const struct walk *w)
{
   return w->p->device->observed.draws + w->draws;
}

/* Returns whether a command has a row, apart from the one that ends the frame. */
static bool
roi_does_work(uint32_t op)
{
   switch (op) {
   case ATTILA_CMD_DRAW:
   case ATTILA_CMD_CLEAR_COLOR:
   case ATTILA_CMD_CLEAR_ZS:
   case ATTILA_CMD_BLIT:
   case ATTILA_CMD_FLUSH:
   case ATTILA_CMD_WRITE_BUFFER:
   case ATTILA_CMD_READ_BUFFER:
   case ATTILA_CMD_LOAD_PROGRAM:
   case ATTILA_CMD_WRITE_COUNTER:
   case ATTILA_CMD_CONDITION:
   case ATTILA_CMD_STREAM_TARGETS:
   case ATTILA_CMD_VERTEX_COUNT:
   case ATTILA_CMD_INDIRECT:
      return true;
   default:
      return false;
   }
}

/* Begins a region with this command if one is due. */
static bool
roi_before_work(struct walk *w, uint32_t op, size_t at)
{
   struct roi *p = w->p;
   if (!p->fits || (roi_by_number(p) && op != ATTILA_CMD_DRAW))
      return true;
   if (roi_by_number(p)) {
      const uint32_t draws = p->device->observed.draws;
      if (!roi_has_draw(p, draws, roi_next_draw_at_most(w)))
         return true;
      if (!roi_execute_to(w, at))
         return false;
      const uint32_t draw = roi_next_draw_at_most(w);
      if (!roi_has_draw(p, draw, draw))
         return true;
      p->came[roi_find_range(p, draw, draw)] = true;
   } else if (!roi_execute_to(w, at)) {
      return false;
   }
   roi_enter(p);
   return true;
}

/* Ends a region behind this DRAW if it is the region's last one. */
static bool
roi_after_draw(struct walk *w, size_t end)
{
   struct roi *p = w->p;
   const struct sim_schedule *s = p->executor.schedule;
   uint32_t draw = roi_next_draw_at_most(w);
   unsigned r = roi_find_range(p, draw - 1, draw - 1);
   if (!roi_by_number(p) || (r < s->num_draws && draw <= s->draws[r].last))
      return true;
   if (!roi_execute_to(w, end))
      return false;
   draw = roi_next_draw_at_most(w);
   r = roi_find_range(p, draw, draw);
   if (r == s->num_draws)
      return roi_leave(p);
   p->came[r] = true;
   return true;
}

static bool
roi_after_label(struct walk *w, size_t end)
{
   struct roi *p = w->p;
   if (!roi_label(p))
      return true;
   if (!roi_execute_to(w, end))
      return false;
   roi_note_label(p, sim_frontend_label(p->device->frontend));
   return !p->inside || p->fits || roi_leave(p);
}

static bool
roi_before_end_of_frame(struct walk *w, size_t at)
{
   struct roi *p = w->p;
   if (!roi_execute_to(w, at) || (p->inside && !roi_leave(p)))
      return false;
   roi_note_frame(p, p->device->observed.draws);
   return true;
}

/* Handles the command in words[at, end). */
static bool
roi_walk_command(struct walk *w, size_t at, size_t end)
{
   const uint32_t op = ATTILA_CMD_OP(w->words[at]);
   if (op == ATTILA_CMD_SWAP || op == ATTILA_CMD_END_FRAME)
      return roi_before_end_of_frame(w, at);
   if (op == ATTILA_CMD_MARKER || op == ATTILA_CMD_CONTEXT)
      return roi_after_label(w, end);
   if (!w->p->inside && roi_does_work(op) && !roi_before_work(w, op, at))
      return false;
   if (op != ATTILA_CMD_DRAW)
      return true;
   w->draws++;
   return !w->p->inside || roi_after_draw(w, end);
}

/* Executes commands of a frame with regions. */
static bool
roi_execute(struct roi *p, uint32_t frame, const uint32_t *words, size_t num_words)
{
   struct walk w = {.p = p, .words = words};
   if (frame != p->frame)
      roi_note_label(p, sim_frontend_label(p->device->frontend));
   p->frame = frame;
   for (size_t at = 0, end; at < num_words; at = end) {
      uint32_t size;
      char error[300];
      /* Execution refuses malformed commands. */
      if (!sim_check_header(words + at, num_words - at, &size, error, sizeof(error)))
         break;
      end = at + size;
      if (!roi_walk_command(&w, at, end))
         return false;
   }
   return roi_execute_to(&w, num_words);
}

static bool
roi_submit(struct sim_executor *e, const uint32_t *words, size_t num_words)
{
   struct roi *p = (struct roi *)e;
   for (size_t at = 0; at < num_words;) {
      const uint32_t frame = p->device->observed.frame;
      const bool has_regions = sim_schedule_has_frame(e->schedule, frame);
      bool ends;
      const size_t n = sim_frame_words(words + at, num_words - at, &ends);
      sim_report_choose_picture(sim_machine_report(e->machine), has_regions);
      if (!(has_regions ? roi_execute(p, frame, words + at, n)
                        : sim_machine_execute(e->machine, words + at, n)))
         return false;
      at += n;
   }
   return true;
}

static uint32_t
roi_next_frame(const struct sim_executor *e, uint32_t frame)
{
   return sim_machine_is_functional(e->machine) ? sim_schedule_next(e->schedule, frame) : frame;
}

/* --- The end --- */

/* Writes "a, b and others", limited in length. */
static void
roi_list_labels(const struct roi *p, char *text, size_t size)
{
   size_t n = 0;
   for (unsigned i = 0; i < p->num_seen && n < size; i++)
      n += (size_t)snprintf(text + n, size - n, "%s\"%s\"", i ? ", " : "", p->seen[i]);
   if (n < size)
      snprintf(text + n, size - n, "%s", !p->num_seen ? "none" : p->more_seen ? " and others" : "");
}

/* Writes a text such as "12 frames have 3 to 5 draws each". */
static void
roi_describe_frames(const struct roi *p, char *text, size_t size)
{
   const int n =
       snprintf(text, size, "%u %s ", p->frames, p->frames == 1 ? "frame has" : "frames have");
   if (p->fewest < p->most)
      snprintf(text + n, size - (size_t)n, "%u to %u draws each", p->fewest, p->most);
   else
      snprintf(text + n, size - (size_t)n, "%u %s%s", p->most, p->most == 1 ? "draw" : "draws",
               p->frames == 1 ? "" : " each");
}

static void
roi_describe_range(const struct sim_range *r, char *text, size_t size)
{
   if (r->last == UINT32_MAX)
      snprintf(text, size, "draws %u-", r->first);
   else if (r->last == r->first)
      snprintf(text, size, "draw %u", r->first);
   else
      snprintf(text, size, "draws %u-%u", r->first, r->last);
}

static void
roi_report_missing_draws(const struct roi *p, const char *labels)
{
   const struct sim_schedule *s = p->executor.schedule;
   char range[32], with[200] = "", frames[80];
   roi_describe_frames(p, frames, sizeof(frames));
   const bool others = s->label && !p->label_came;
   if (s->label)
      snprintf(with, sizeof(with), " with a label that matches \"%.120s\"", s->label);
   for (unsigned i = 0; i < s->num_draws; i++) {
      if (p->came[i])
         continue;
      roi_describe_range(&s->draws[i], range, sizeof(range));
      sim_warn(&p->device->observed, "%s%s %s not simulated: %s, with numbers from 0%s%s", range,
               with, s->draws[i].first == s->draws[i].last ? "was" : "were", frames,
               others ? "; labels: " : "", others ? labels : "");
   }
}

/* Warns once about regions that never came. */
static bool
roi_finish(struct sim_executor *e)
{
   struct roi *p = (struct roi *)e;
   struct sim_observed *observed = &p->device->observed;
   char labels[MAX_LABELS * (SIM_LABEL_BYTES + 4) + 16];
   if (p->reported || !(observed->frame || observed->draws))
      return true;
   p->reported = true;
   /* The run may end in the middle of a frame. */
   if (p->frame == observed->frame && observed->draws)
      roi_note_frame(p, observed->draws);
   roi_list_labels(p, labels, sizeof(labels));
   if (!p->frames)
      sim_warn(observed, "no part of a frame was simulated: the run has none of these frames");
   else if (roi_label(p) && !roi_by_number(p) && !p->label_came)
      sim_warn(observed,
               "no part of a frame was simulated: nothing has a label that matches \"%s\"; labels "
               "of %u frame%s: %s",
               roi_label(p), p->frames, p->frames == 1 ? "" : "s", labels);
   else
      roi_report_missing_draws(p, labels);
   return true;
}

static bool
roi_simulate(struct sim_executor *e)
{
   struct roi *p = (struct roi *)e;
   p->observe = p->inside = false;
   p->frame = UINT32_MAX;
   return sim_machine_restart_functional_mode(e->machine);
}

static void
roi_destroy(struct sim_executor *e)
{
   free(((struct roi *)e)->came);
   free(e);
}

static const struct sim_executor_class roi_class = {
    .submit = roi_submit,
    .next_frame = roi_next_frame,
    .simulate = roi_simulate,
    .finish = roi_finish,
    .destroy = roi_destroy,
};

struct sim_executor *
sim_roi_create(const struct sim_schedule *s, struct sim_machine *m, bool observe)
{
   struct roi *p = sim_xcalloc(1, sizeof(*p));
   *p = (struct roi){
       .executor = {&roi_class, m, s},
       .device = sim_machine_device(m),
       .came = sim_xcalloc(s->num_draws + 1, sizeof(*p->came)),
       .observe = observe,
       .frame = UINT32_MAX,
       .fewest = UINT32_MAX,
   };
   return &p->executor;
}
