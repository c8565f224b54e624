/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A trace as a value change dump (IEEE 1364-2005, section 18), which GTKWave reads, and vcd2fst
 * makes an FST file of. Scopes are the units; in a unit are its state, the signals that come in
 * (valid: something was sent in this cycle; fill: objects on the wire and in the queue) and, of a
 * memory channel, each bank's row and command and how many commands there have been. Time is in ps.
 *
 * What units did is known later, and commands of memory are booked ahead, so changes wait, and are
 * sorted before they are written.
 */
#include "trace/sim_tracer_impl.h"
#include "core/sim_xalloc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Values of state and command. */
enum { STATE_NOTHING, STATE_BLOCKED, STATE_BUSY };
enum { COMMAND_NONE, COMMAND_ACTIVATE, COMMAND_READ, COMMAND_WRITE, COMMAND_PRECHARGE };

#define NO_VALUE UINT32_MAX /* x */
#define NONE UINT32_MAX

struct vcd_var {
   uint8_t bits;
   uint32_t now;  /* as written */
   uint32_t next; /* of the time that is being written */
   bool changes;
};

struct vcd_change {
   sim_tick at;
   uint32_t number, var, value; /* number: in the order of their reports */
};

struct vcd_channel {
   uint32_t count[SIM_TRACE_REFRESH + 1]; /* variable of each command */
   uint32_t commands[SIM_TRACE_REFRESH + 1];
   uint32_t row, command; /* variables of bank 0; the other banks' follow each other */
};

struct trace_vcd {
   struct sim_tracer *t;
   struct vcd_var *var;
   uint32_t num_vars, var_size;
   uint32_t flight, *state;            /* variables; [box] */
   uint32_t *signal;                   /* [signal of the netlist]: valid; fill is the next one */
   struct vcd_channel *channel;        /* [box] */
   struct vcd_change *change, *sorted; /* [size] */
   uint32_t num, size, number;
   sim_tick written; /* the last time in the file */
   bool any;
};

/* --- Lines --- */

static void
trace_vcd_put(struct trace_vcd *v, const char *text)
{
   struct trace_out *o = &v->t->out;
   const size_t n = strlen(text);
   memcpy(trace_out_room(o), text, n);
   o->size += n;
   trace_out_flush(o, false);
}

/* The variable's name in the file: printable characters, the lowest digit first. */
static char *
trace_vcd_put_id(char *to, uint32_t var)
{
   do
      *to++ = (char)('!' + var % 94);
   while ((var /= 94) != 0);
   return to;
}

static void
trace_vcd_put_value(struct trace_vcd *v, uint32_t var, uint32_t value)
{
   char *const line = (char *)trace_out_room(&v->t->out), *to = line;
   const unsigned bits = v->var[var].bits;
   if (bits > 1)
      *to++ = 'b';
   if (value == NO_VALUE) {
      *to++ = 'x';
   } else {
      unsigned top = bits;
      while (top > 1 && !(value >> (top - 1) & 1))
         top--;
      while (top-- > 0)
         *to++ = (char)('0' + (value >> top & 1));
   }
   if (bits > 1)
      *to++ = ' ';
   to = trace_vcd_put_id(to, var);
   *to++ = '\n';
   v->t->out.size += (size_t)(to - line);
   trace_out_flush(&v->t->out, false);
}

static void
trace_vcd_put_time(struct trace_vcd *v, sim_tick tick)
{
   char line[40];
   const struct sim_tracer *t = v->t;
   const uint64_t per_us = t->gpu->kernel.period[SIM_DOMAIN_GPU] * t->gpu->config.gpu.gpu_clock;
   snprintf(line, sizeof(line), "#%llu\n", (unsigned long long)(tick * 1000000 / per_us));
   trace_vcd_put(v, line);
}

/* --- Variables --- */

static void
trace_vcd_clean_name(char *name)
{
   for (; *name; name++)
      *name = isalnum((unsigned char)*name) ? *name : '_';
}

static void
trace_vcd_open_scope(struct trace_vcd *v, const char *name)
{
   char clean[64], line[100];
   snprintf(clean, sizeof(clean), "%s", name);
   trace_vcd_clean_name(clean);
   snprintf(line, sizeof(line), "$scope module %s $end\n", clean);
   trace_vcd_put(v, line);
}

static void
trace_vcd_close_scope(struct trace_vcd *v)
{
   trace_vcd_put(v, "$upscope $end\n");
}

static uint32_t
trace_vcd_add_var(struct trace_vcd *v, const char *name, unsigned bits, uint32_t value)
{
   char clean[100], line[160], id[8];
   if (v->num_vars == v->var_size) {
      v->var_size = v->var_size * 2 + 256;
      v->var = sim_xrealloc(v->var, v->var_size * sizeof(*v->var));
   }
   const uint32_t var = v->num_vars++;
   v->var[var] = (struct vcd_var){.bits = (uint8_t)bits, .now = value};
   *trace_vcd_put_id(id, var) = '\0';
   snprintf(clean, sizeof(clean), "%s", name);
   trace_vcd_clean_name(clean);
   snprintf(line, sizeof(line), "$var wire %u %s %s $end\n", bits, id, clean);
   trace_vcd_put(v, line);
   return var;
}

static void
trace_vcd_add_signals(struct trace_vcd *v, const struct sim_box *b)
{
   const struct sim_signal *signals = trace_signals(v->t);
   for (unsigned i = 0; i < b->num_in; i++) {
      const struct sim_signal *s = b->in[i];
      char name[100], number[16];
      /* Several ways from the same box have numbers. */
      unsigned same = 0;
      for (unsigned n = 0; n < i; n++)
         same += b->in[n]->sender == s->sender && !strcmp(b->in[n]->name, s->name);
      snprintf(number, sizeof(number), same ? "_%u" : "", same);
      snprintf(name, sizeof(name), "%s_from_%s%s_valid", s->name, s->sender->name, number);
      v->signal[s - signals] = trace_vcd_add_var(v, name, 1, 0);
      snprintf(name, sizeof(name), "%s_from_%s%s_fill", s->name, s->sender->name, number);
      trace_vcd_add_var(v, name, 16, s->tail - s->head);
   }
}

static void
trace_vcd_add_channel(struct trace_vcd *v, const struct sim_box *b)
{
   static const char *const counts[] = {"activates", "precharges", "reads", "writes", "refreshes"};
   struct vcd_channel *c = &v->channel[b->index];
   char name[40];
   for (unsigned i = 0; i <= SIM_TRACE_REFRESH; i++)
      c->count[i] = trace_vcd_add_var(v, counts[i], 32, 0);
   for (unsigned i = 0; i < v->t->gpu->config.mc.banks; i++) {
      snprintf(name, sizeof(name), "bank%u_row", i);
      const uint32_t row = trace_vcd_add_var(v, name, 32, NO_VALUE);
      c->row = i ? c->row : row;
      snprintf(name, sizeof(name), "bank%u_command", i);
      const uint32_t command = trace_vcd_add_var(v, name, 3, COMMAND_NONE);
      c->command = i ? c->command : command;
   }
}

static void
trace_vcd_add_box(struct trace_vcd *v, const struct sim_box *b)
{
   const struct sim_config *config = &v->t->gpu->config;
   trace_vcd_open_scope(v, b->name);
   v->state[b->index] = trace_vcd_add_var(v, "state", 2, STATE_NOTHING);
   trace_vcd_add_signals(v, b);
   if (config->mc.v2 && !strcmp(b->cls->name, "GDDRChannel"))
      trace_vcd_add_channel(v, b);
   trace_vcd_close_scope(v);
}

struct trace_vcd *
trace_vcd_create(struct sim_tracer *t)
{
   struct trace_vcd *v = sim_xcalloc(1, sizeof(*v));
   v->t = t;
   v->signal = sim_xcalloc(TRACE_NUM_SIGNALS, sizeof(*v->signal));
   v->state = sim_xcalloc(SIM_MAX_BOXES, sizeof(*v->state));
   v->channel = sim_xcalloc(SIM_MAX_BOXES, sizeof(*v->channel));
   for (size_t i = 0; i < TRACE_NUM_SIGNALS; i++)
      v->signal[i] = NONE;
   return v;
}

void
trace_vcd_begin(struct trace_vcd *v, sim_tick now)
{
   const struct sim_kernel *k = &v->t->gpu->kernel;
   trace_vcd_put(
       v, "$version attila $end\n"
          "$comment state: 0 nothing to do, 1 blocked, 2 busy; command: 1 activate, 2 read, 3 "
          "write, 4 precharge $end\n"
          "$timescale 1ps $end\n");
   trace_vcd_open_scope(v, "attila");
   v->flight = trace_vcd_add_var(v, "in_flight", 1, k->flight.on);
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const struct sim_box_class *cls = k->boxes[i]->cls;
      if (!i || k->boxes[i - 1]->cls != cls)
         trace_vcd_open_scope(v, cls->name);
      trace_vcd_add_box(v, k->boxes[i]);
      if (i + 1 == k->num_boxes || k->boxes[i + 1]->cls != cls)
         trace_vcd_close_scope(v);
   }
   trace_vcd_close_scope(v);
   trace_vcd_put(v, "$enddefinitions $end\n");
   trace_vcd_put_time(v, now);
   trace_vcd_put(v, "$dumpvars\n");
   for (uint32_t i = 0; i < v->num_vars; i++)
      trace_vcd_put_value(v, i, v->var[i].now);
   trace_vcd_put(v, "$end\n");
   v->written = now;
}

/* --- Changes --- */

static void
trace_vcd_change(struct trace_vcd *v, sim_tick at, uint32_t var, uint32_t value)
{
   if (v->num == v->size) {
      v->size = v->size * 2 + 4096;
      v->change = sim_xrealloc(v->change, v->size * sizeof(*v->change));
      v->sorted = sim_xrealloc(v->sorted, v->size * sizeof(*v->sorted));
   }
   at = at > v->written ? at : v->written;
   v->change[v->num++] =
       (struct vcd_change){.at = at, .number = v->number++, .var = var, .value = value};
}

void
trace_vcd_signal(struct trace_vcd *v, uint32_t signal, bool sent, sim_tick now)
{
   const struct sim_signal *s = &trace_signals(v->t)[signal];
   const uint32_t var = v->signal[signal];
   if (var == NONE)
      return;
   if (sent) {
      trace_vcd_change(v, now, var, 1);
      trace_vcd_change(v, now + s->sender->period, var, 0);
   }
   trace_vcd_change(v, now, var + 1, s->tail - s->head);
   if (v->t->gpu->kernel.flight.on != (v->var[v->flight].next != 0))
      trace_vcd_flight(v, now);
}

void
trace_vcd_flight(struct trace_vcd *v, sim_tick now)
{
   v->var[v->flight].next = v->t->gpu->kernel.flight.on;
   trace_vcd_change(v, now, v->flight, v->t->gpu->kernel.flight.on);
}

void
trace_vcd_activity(struct trace_vcd *v, const struct sim_box *b, uint32_t state, sim_tick from)
{
   trace_vcd_change(v, from, v->state[b->index],
                    state & SIM_ACTIVITY_BUSY      ? STATE_BUSY
                    : state & SIM_ACTIVITY_BLOCKED ? STATE_BLOCKED
                                                   : STATE_NOTHING);
}

void
trace_vcd_bank(struct trace_vcd *v, const struct sim_trace_bank *b)
{
   static const uint8_t codes[] = {COMMAND_ACTIVATE, COMMAND_PRECHARGE, COMMAND_READ, COMMAND_WRITE,
                                   COMMAND_NONE};
   struct vcd_channel *c = &v->channel[b->channel->index];
   const bool access = b->command == SIM_TRACE_READ || b->command == SIM_TRACE_WRITE;
   const uint32_t row = c->row + 2 * b->bank, command = c->command + 2 * b->bank;
   const uint32_t num = access ? b->count : 1;
   for (uint32_t i = 0; i < num; i++)
      trace_vcd_change(v, b->from + i * ((b->to - b->from) / num), c->count[b->command],
                       ++c->commands[b->command]);
   if (b->command == SIM_TRACE_REFRESH)
      return;
   if (b->command == SIM_TRACE_PRECHARGE)
      trace_vcd_change(v, b->from, row, NO_VALUE);
   else
      trace_vcd_change(v, b->from, row, b->row);
   trace_vcd_change(v, b->from, command, codes[b->command]);
   trace_vcd_change(v, b->to, command, COMMAND_NONE);
}

static int
trace_vcd_by_time(const void *a, const void *b)
{
   const struct vcd_change *x = a, *y = b;
   if (x->at != y->at)
      return x->at < y->at ? -1 : 1;
   return x->number < y->number ? -1 : 1;
}

/* The changes [from, to) are of one time; the last one of a variable counts. */
static void
trace_vcd_put_changes(struct trace_vcd *v, uint32_t from, uint32_t to)
{
   bool timed = false;
   for (uint32_t i = to; i-- > from;) {
      const struct vcd_change *c = &v->change[i];
      struct vcd_var *var = &v->var[c->var];
      if (var->changes)
         continue;
      var->changes = true;
      if (var->now == c->value)
         continue;
      if (!timed)
         trace_vcd_put_time(v, c->at);
      timed = true;
      var->now = c->value;
      trace_vcd_put_value(v, c->var, c->value);
   }
   for (uint32_t i = from; i < to; i++)
      v->var[v->change[i].var].changes = false;
}

/* Sorts the changes: those of a tick stay as they are. Few ticks are counted, which takes no
 * comparisons. */
static void
trace_vcd_sort(struct trace_vcd *v)
{
   enum { FEW = 16384 };
   uint32_t from[FEW + 1] = {0};
   sim_tick last = v->written;
   for (uint32_t i = 0; i < v->num; i++)
      last = v->change[i].at > last ? v->change[i].at : last;
   if (last - v->written >= FEW) {
      qsort(v->change, v->num, sizeof(*v->change), trace_vcd_by_time);
      return;
   }
   for (uint32_t i = 0; i < v->num; i++)
      from[v->change[i].at - v->written + 1]++;
   for (uint32_t i = 0; i < FEW; i++)
      from[i + 1] += from[i];
   for (uint32_t i = 0; i < v->num; i++)
      v->sorted[from[v->change[i].at - v->written]++] = v->change[i];
   struct vcd_change *swap = v->change;
   v->change = v->sorted;
   v->sorted = swap;
}

void
trace_vcd_until(struct trace_vcd *v, sim_tick tick)
{
   uint32_t at = 0;
   trace_vcd_sort(v);
   while (at < v->num && v->change[at].at < tick) {
      uint32_t end = at + 1;
      while (end < v->num && v->change[end].at == v->change[at].at)
         end++;
      trace_vcd_put_changes(v, at, end);
      at = end;
   }
   memmove(v->change, v->change + at, (v->num - at) * sizeof(*v->change));
   v->num -= at;
   v->written = tick > v->written ? tick : v->written;
}

void
trace_vcd_end(struct trace_vcd *v, sim_tick now)
{
   trace_vcd_until(v, now);
   trace_vcd_put_time(v, now);
}

void
trace_vcd_destroy(struct trace_vcd *v)
{
   if (!v)
      return;
   free(v->var);
   free(v->state);
   free(v->signal);
   free(v->channel);
   free(v->change);
   free(v->sorted);
   free(v);
}
