/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Parts of frames in cycle mode (session/roi.h). Commands are executed up to where a part begins;
 * there the machine goes on as at the beginning of a frame (hot start). Where it ends, caches are
 * written back by a FLUSH with a label of its own, the machine comes to rest and forgets what
 * caches hold, and functional mode goes on: memory, registers and counters are the same in both
 * modes. In functional mode the machine's time stands still.
 *
 * A part of draws begins with its first DRAW and ends behind its last one; one of a label begins
 * with the first command of it that does work and ends where the label changes. Each ends at the
 * latest before the command that ends the frame.
 */
#include "session/roi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/sim_range.h"
#include "results/sim_report.h"

#define MAX_LABELS 8 /* that are named where none was the right one */
#define END_LABEL "end of the window"

struct range {
   uint32_t first, last;
   bool came;
};

struct attila_roi {
   struct range *range; /* of draws; num_ranges 0: all */
   unsigned num_ranges;
   const char *label; /* NULL: all */
   bool label_came;
   bool look, inside;
   bool told;      /* the user knows what did not come */
   bool fits;      /* the present label does */
   uint32_t frame; /* the present one; UINT32_MAX: none */
   /* What there was, for the user. */
   uint32_t frames, fewest, most; /* frames, draws of one */
   char seen[MAX_LABELS][SIM_LABEL_BYTES];
   unsigned num_seen;
   bool more_seen;
};

static bool
parse_draws(struct attila_roi *p, const char *list)
{
   const char *at = list;
   p->range = calloc(strlen(list) / 2 + 1, sizeof(*p->range));
   for (bool more = p->range != NULL; more; at++) {
      struct range *r = &p->range[p->num_ranges];
      if (!sim_range_parse(&at, &r->first, &r->last) || (*at && *at != ',') ||
          (p->num_ranges && r[-1].last >= r->first))
         return false;
      p->num_ranges++;
      more = *at == ',';
   }
   return p->range != NULL;
}

struct attila_roi *
attila_roi_create(const char *draws, const char *label, bool look, char *error, size_t error_size)
{
   struct attila_roi *p = calloc(1, sizeof(*p));
   if (!p) {
      snprintf(error, error_size, "out of host memory");
      return NULL;
   }
   p->label = label;
   p->look = look;
   p->frame = UINT32_MAX;
   p->fewest = UINT32_MAX;
   if (draws && !parse_draws(p, draws))
      snprintf(error, error_size,
               "\"%.100s\" is not a list of draws of a frame, from 0, in order and each once, such "
               "as 40-59,70,100-",
               draws);
   else
      return p;
   attila_roi_destroy(p);
   return NULL;
}

void
attila_roi_destroy(struct attila_roi *p)
{
   if (p)
      free(p->range);
   free(p);
}

void
attila_roi_simulate(struct attila_roi *p)
{
   p->look = p->inside = false;
   p->frame = UINT32_MAX;
}

/* --- From one mode to the other --- */

static void
enter(struct attila_roi *p, struct attila_sim *sim)
{
   p->inside = true;
   p->label_came = true;
   if (p->look)
      return;
   attila_warming_enter(sim);
   sim->mode = ATTILA_MODE_CYCLE;
   sim_report_pass_over(sim->device.report, false);
}

static bool
leave(struct attila_roi *p, struct attila_sim *sim)
{
   static const uint32_t flush[] = {ATTILA_CMD_HEADER(ATTILA_CMD_FLUSH, 1),
                                    ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS};
   struct sim_frontend *frontend = sim->device.frontend;
   struct sim_kernel *k = &sim->gpu.kernel;
   char label[SIM_LABEL_BYTES];
   p->inside = false;
   if (p->look)
      return true;
   sim_label_keep(label, sim_frontend_label(frontend));
   sim_frontend_set_label(frontend, END_LABEL);
   const bool ok = attila_sim_execute(sim, flush, 2) && sim_kernel_run(k, NULL);
   sim_frontend_set_label(frontend, label);
   if (!ok)
      return false;
   attila_warming_leave(sim);
   sim->mode = ATTILA_MODE_FUNCTIONAL;
   sim_report_pass_over(sim->device.report, true);
   sim->device.time_ns = (uint64_t)((double)k->now * k->ns_per_tick);
   sim->device.gpu_cycles = k->now / k->period[SIM_DOMAIN_GPU];
   return !k->stopped;
}

/* --- What there is --- */

static void
note_label(struct attila_roi *p, const char *label)
{
   p->fits = !p->label || sim_report_label_matches(p->label, label);
   if (!p->label || p->label_came || !label || !*label)
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
note_frame(struct attila_roi *p, uint32_t draws)
{
   p->frames++;
   p->fewest = draws < p->fewest ? draws : p->fewest;
   p->most = draws > p->most ? draws : p->most;
}

/* Whether there is a draw of a range in [first, last]. NULL: none is. */
static struct range *
find_range(const struct attila_roi *p, uint32_t first, uint32_t last)
{
   for (unsigned i = 0; i < p->num_ranges; i++) {
      if (p->range[i].first <= last && p->range[i].last >= first)
         return &p->range[i];
   }
   return NULL;
}

/* --- Commands --- */

/* Submitted words, of which some have been executed. */
struct walk {
   struct attila_roi *p;
   struct attila_sim *sim;
   const uint32_t *words;
   size_t done;
   uint32_t draws; /* DRAWs that have not been executed; not all of them may draw */
};

static bool
execute_to(struct walk *w, size_t to)
{
   const size_t from = w->done;
   w->done = to;
   w->draws = 0;
   return from == to || attila_sim_execute(w->sim, w->words + from, to - from);
}

/* Of the present frame, if all DRAWs so far are executed and draw. */
static uint32_t
next_draw_at_most(const struct walk *w)
{
   return sim_report_draws(w->sim->device.report) + w->draws;
}

/* Commands that have rows, but for the end of the frame. */
static bool
does_work(uint32_t op)
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
      return true;
   default:
      return false;
   }
}

/* A part may begin with this command. */
static bool
before_work(struct walk *w, uint32_t op, size_t at)
{
   struct attila_roi *p = w->p;
   if (!p->fits || (p->num_ranges && op != ATTILA_CMD_DRAW))
      return true;
   if (p->num_ranges) {
      const uint32_t draws = sim_report_draws(w->sim->device.report);
      if (!find_range(p, draws, next_draw_at_most(w)))
         return true;
      if (!execute_to(w, at))
         return false;
      const uint32_t draw = next_draw_at_most(w);
      struct range *r = find_range(p, draw, draw);
      if (!r)
         return true;
      r->came = true;
   } else if (!execute_to(w, at)) {
      return false;
   }
   enter(p, w->sim);
   return true;
}

/* In a part: it may end behind this DRAW. */
static bool
after_draw(struct walk *w, size_t end)
{
   struct attila_roi *p = w->p;
   uint32_t draw = next_draw_at_most(w);
   struct range *r = find_range(p, draw - 1, draw - 1);
   if (!p->num_ranges || (r && draw <= r->last))
      return true;
   if (!execute_to(w, end))
      return false;
   draw = next_draw_at_most(w);
   r = find_range(p, draw, draw);
   if (!r)
      return leave(p, w->sim);
   r->came = true;
   return true;
}

static bool
after_label(struct walk *w, size_t end)
{
   struct attila_roi *p = w->p;
   if (!p->label)
      return true;
   if (!execute_to(w, end))
      return false;
   note_label(p, sim_frontend_label(w->sim->device.frontend));
   return !p->inside || p->fits || leave(p, w->sim);
}

static bool
before_end_of_frame(struct walk *w, const uint32_t *command, size_t at)
{
   struct attila_roi *p = w->p;
   if (!execute_to(w, at) || (p->inside && !leave(p, w->sim)))
      return false;
   note_frame(p, sim_report_draws(w->sim->device.report));
   if (!p->look)
      sim_gpu_end_maps(&w->sim->gpu, ATTILA_CMD_OP(command[0]) == ATTILA_CMD_SWAP
                                         ? attila_cmd_swap_of(command + 1).address
                                         : 0);
   return true;
}

/* A command at words[at, end). */
static bool
walk_command(struct walk *w, size_t at, size_t end)
{
   const uint32_t op = ATTILA_CMD_OP(w->words[at]);
   if (op == ATTILA_CMD_SWAP || op == ATTILA_CMD_END_FRAME)
      return before_end_of_frame(w, w->words + at, at);
   if (op == ATTILA_CMD_MARKER || op == ATTILA_CMD_CONTEXT)
      return after_label(w, end);
   if (!w->p->inside && does_work(op) && !before_work(w, op, at))
      return false;
   if (op != ATTILA_CMD_DRAW)
      return true;
   w->draws++;
   return !w->p->inside || after_draw(w, end);
}

bool
attila_roi_execute(struct attila_roi *p, struct attila_sim *sim, const uint32_t *words,
                   size_t num_words)
{
   struct walk w = {.p = p, .sim = sim, .words = words};
   const uint32_t frame = sim_report_frames(sim->device.report);
   if (frame != p->frame)
      note_label(p, sim_frontend_label(sim->device.frontend));
   p->frame = frame;
   for (size_t at = 0, end; at < num_words; at = end) {
      uint32_t size;
      char error[300];
      /* A command that is none is refused where it is executed. */
      if (!sim_check_header(words + at, num_words - at, &size, error, sizeof(error)))
         break;
      end = at + size;
      if (!walk_command(&w, at, end))
         return false;
   }
   return execute_to(&w, num_words);
}

/* --- The end --- */

/* "a, b and others", at most so long. */
static void
list_labels(const struct attila_roi *p, char *text, size_t size)
{
   size_t n = 0;
   for (unsigned i = 0; i < p->num_seen && n < size; i++)
      n += (size_t)snprintf(text + n, size - n, "%s\"%s\"", i ? ", " : "", p->seen[i]);
   if (n < size)
      snprintf(text + n, size - n, "%s", !p->num_seen ? "none" : p->more_seen ? " and others" : "");
}

/* "12 frames have 3 to 5 draws each" */
static void
describe_frames(const struct attila_roi *p, char *text, size_t size)
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
describe_range(const struct range *r, char *text, size_t size)
{
   if (r->last == UINT32_MAX)
      snprintf(text, size, "draws %u-", r->first);
   else if (r->last == r->first)
      snprintf(text, size, "draw %u", r->first);
   else
      snprintf(text, size, "draws %u-%u", r->first, r->last);
}

void
attila_roi_finish(struct attila_roi *p, struct attila_sim *sim)
{
   char labels[MAX_LABELS * (SIM_LABEL_BYTES + 4) + 16], range[32], with[200] = "", frames[80];
   if (p->told || !sim_report_drew(sim->device.report))
      return;
   p->told = true;
   /* The run may end within a frame. */
   if (p->frame == sim_report_frames(sim->device.report) && sim_report_draws(sim->device.report))
      note_frame(p, sim_report_draws(sim->device.report));
   list_labels(p, labels, sizeof(labels));
   if (!p->frames) {
      sim_warn(sim->device.report,
               "no part of a frame was simulated: the run has none of these frames");
      return;
   }
   if (p->label && !p->num_ranges && !p->label_came)
      sim_warn(sim->device.report,
               "no part of a frame was simulated: nothing has a label that matches \"%s\"; labels "
               "of %u frame%s: %s",
               p->label, p->frames, p->frames == 1 ? "" : "s", labels);
   describe_frames(p, frames, sizeof(frames));
   const bool others = p->label && !p->label_came;
   if (p->label)
      snprintf(with, sizeof(with), " with a label that matches \"%.120s\"", p->label);
   for (unsigned i = 0; i < p->num_ranges; i++) {
      if (p->range[i].came)
         continue;
      describe_range(&p->range[i], range, sizeof(range));
      sim_warn(sim->device.report, "%s%s %s not simulated: %s, with numbers from 0%s%s", range,
               with, p->range[i].first == p->range[i].last ? "was" : "were", frames,
               others ? "; labels: " : "", others ? labels : "");
   }
}
