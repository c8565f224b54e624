/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A trace's window and dispatch: marks the followed signals when the window begins, passes events
 * on at the end of each tick, and ends after the last cycle or at the limit of the file. A unit
 * reports its activity as runs of equal cycles, which may be long, so units are polled every
 * FLUSH_TICKS cycles. */
#include "trace/sim_tracer_impl.h"

#include <stdlib.h>
#include <string.h>
#include "core/sim_range.h"

#define FLUSH_TICKS 4096 /* ticks */

/* --- Options --- */

static bool
tracer_parse_range(const char *text, const char *name, uint64_t *first, uint64_t *last, char *error,
                   size_t error_size)
{
   if (sim_range_span(text, first, last))
      return true;
   snprintf(error, error_size, "%s of the trace: \"%.100s\" is not A or A-B with B not below A",
            name, text);
   return false;
}

static bool
tracer_parse_what(uint32_t *what, const char *list, char *error, size_t error_size)
{
   static const char *const names[] = {
#define W(bit, name, on, doc) #name,
       SIM_TRACE_WHAT(W)
#undef W
   };
   *what = 0;
   for (const char *p = list; p; p = *p ? p + 1 : NULL) {
      const size_t n = strcspn(p, ",");
      unsigned i = 0;
      while (i < SIM_TRACE_NUM_WHAT && (strlen(names[i]) != n || strncmp(names[i], p, n)))
         i++;
      if (i == SIM_TRACE_NUM_WHAT) {
         size_t at = (size_t)snprintf(error, error_size, "what of the trace: \"%.*s\" is none of",
                                      n < 100 ? (int)n : 100, p);
         for (i = 0; i < SIM_TRACE_NUM_WHAT && at < error_size; i++)
            at += (size_t)snprintf(error + at, error_size - at, "%s %s", i ? "," : "", names[i]);
         return false;
      }
      *what |= 1u << i;
      p += n;
      if (!*p)
         break;
   }
   return true;
}

static bool
tracer_parse(struct sim_tracer *t, const struct sim_tracer_options *o, char *error,
             size_t error_size)
{
   uint64_t first = 0, last = 0;
   const sim_tick period = t->gpu->kernel.period[SIM_DOMAIN_GPU];
   if (o->cycles) {
      if (!tracer_parse_range(o->cycles, "cycles", &first, &last, error, error_size))
         return false;
      t->window.cycles = true;
      t->window.first = first * period;
      t->window.last = (last + 1) * period - 1;
   }
   if (o->frames) {
      if (!tracer_parse_range(o->frames, "frames", &first, &last, error, error_size))
         return false;
      t->window.frames = true;
      t->window.first_frame = (uint32_t)first;
      t->window.last_frame = (uint32_t)last;
   }
   if (o->draws) {
      if (!tracer_parse_range(o->draws, "draws", &first, &last, error, error_size))
         return false;
      t->window.draws = true;
      t->window.first_draw = (uint32_t)first;
      t->window.last_draw = (uint32_t)last;
   }
   t->what = 0
#define W(bit, name, on, doc) | (on ? 1u << SIM_TRACE_BIT_##bit : 0)
       SIM_TRACE_WHAT(W)
#undef W
       ;
   return !o->what || tracer_parse_what(&t->what, o->what, error, error_size);
}

/* --- Signals --- */

/* P(message, sender, receiver, port, what, another what): how signals are followed. `what` names
 * the parts of the trace (SIM_TRACE_WHAT) that need the signal. The first line that fits a signal
 * of the netlist counts; a signal that fits no line is not followed. Sender and receiver are lines
 * of SIM_BOXES, or ANY. */
/* clang-format off */
#define TRACE_PORTS(P)                                                \
   P(draw,         ANY,   stf,   DRAW,        DRAWS,     DRAWS)       \
   P(done,         cw,    ANY,   DRAW_DONE,   DRAWS,     DRAWS)       \
   P(lookup,       ANY,   sl,    NEW_VERTEX,  VERTICES,  VERTICES)    \
   P(vertex,       ANY,   stoc,  OTHER,       VERTICES,  VERTICES)    \
   P(vertex,       ANY,   pa,    COMMITTED,   VERTICES,  VERTICES)    \
   P(vertex,       ANY,   ANY,   VERTEX,      VERTICES,  VERTICES)    \
   P(group,        ANY,   shf,   GROUP,       VERTICES,  QUADS)       \
   P(group,        shf,   ANY,   GROUP_BACK,  VERTICES,  QUADS)       \
   P(prim,         ANY,   so,    OTHER,       TRIANGLES, TRIANGLES)   \
   P(prim,         ANY,   ANY,   PRIM,        TRIANGLES, TRIANGLES)   \
   P(setup,        ANY,   ANY,   SETUP,       TRIANGLES, TRIANGLES)   \
   P(tile,         ANY,   ANY,   TILE,        TRIANGLES, TRIANGLES)   \
   P(quad,         ANY,   ANY,   QUAD,        QUADS,     QUADS)       \
   P(mem_request,  ANY,   ANY,   REQUEST,     MEMORY,    MEMORY)      \
   P(mem_response, ANY,   ANY,   RESPONSE,    MEMORY,    MEMORY)      \
   P(channel,      ANY,   sched, CHANNEL,     MEMORY,    MEMORY)      \
   P(channel,      sched, ANY,   SERVED,      MEMORY,    MEMORY)      \
   P(channel,      ANY,   l2,    CHANNEL,     MEMORY,    MEMORY)      \
   P(channel,      l2,    ANY,   SERVED,      MEMORY,    MEMORY)      \
   P(transaction,  ANY,   ANY,   TRANSACTION, MEMORY,    MEMORY)      \
   P(transaction_done, ANY, ANY, DONE,        MEMORY,    MEMORY)
/* clang-format on */

enum { NETLIST_ANY = NETLIST_NUM_BOXES };

static const struct trace_rule {
   const char *message;
   unsigned from, to;
   enum sim_trace_port port;
   uint32_t what;
} trace_rules[] = {
#define P(message, from, to, port, what, other)                        \
   {"struct msg_" #message, NETLIST_##from, NETLIST_##to, PORT_##port, \
    1u << SIM_TRACE_BIT_##what | 1u << SIM_TRACE_BIT_##other},
    TRACE_PORTS(P)
#undef P
};
#define NUM_RULES (sizeof(trace_rules) / sizeof(trace_rules[0]))

static const struct trace_line {
   const char *message;
   unsigned from, to;
   size_t first, num; /* signals */
} trace_lines[] = {
#define SIG(member, from, to, how_many, message, bandwidth, latency, capacity) \
   {#message, NETLIST_##from, NETLIST_##to,                                    \
    offsetof(struct sim_netlist, member) / sizeof(struct sim_signal),          \
    sizeof(((struct sim_netlist *)NULL)->member) / sizeof(struct sim_signal)},
    SIM_SIGNALS(SIG) SIM_TEX_SIGNALS(SIG)
#undef SIG
};
#define NUM_LINES (sizeof(trace_lines) / sizeof(trace_lines[0]))

static const struct trace_rule *
tracer_find_rule(const struct trace_line *l)
{
   for (unsigned i = 0; i < NUM_RULES; i++) {
      const struct trace_rule *r = &trace_rules[i];
      if (!strcmp(r->message, l->message) && (r->from == NETLIST_ANY || r->from == l->from) &&
          (r->to == NETLIST_ANY || r->to == l->to))
         return r;
   }
   return NULL;
}

/* Returns whether the sender in this line makes what it sends, because it receives no such
 * message. */
static bool
tracer_is_made_by(const struct trace_line *l)
{
   for (unsigned i = 0; i < NUM_LINES; i++) {
      if (trace_lines[i].to == l->from && !strcmp(trace_lines[i].message, l->message))
         return false;
   }
   return true;
}

static void
tracer_choose_signals(struct sim_tracer *t)
{
   for (unsigned i = 0; i < NUM_LINES; i++) {
      const struct trace_line *l = &trace_lines[i];
      const struct trace_rule *r = tracer_find_rule(l);
      /* The window needs the end of its last draw. */
      if (!r || !(r->what & t->what || (r->port == PORT_DRAW_DONE && t->window.draws)))
         continue;
      enum sim_trace_port port = r->port;
      if (tracer_is_made_by(l))
         port = port == PORT_PRIM    ? PORT_NEW_PRIM
                : port == PORT_SETUP ? PORT_NEW_SETUP
                : port == PORT_QUAD  ? PORT_NEW_QUAD
                                     : port;
      memset(t->port + l->first, (int)port, l->num);
   }
}

static void
tracer_listen(struct sim_tracer *t, bool on)
{
   struct sim_signal *s = (struct sim_signal *)&t->gpu->net;
   for (size_t i = 0; i < TRACE_NUM_SIGNALS; i++) {
      if (s[i].sender && (t->port[i] || WANTS(t, QUEUES)))
         sim_trace_signal(&s[i], on);
   }
}

/* --- Units --- */

uint64_t
trace_unit_track(struct sim_tracer *t, const struct sim_box *b)
{
   struct trace_unit *u = &t->units[b->index];
   if (!u->track) {
      char name[100];
      snprintf(name, sizeof(name), "%s (%s)", b->name, b->cls->name);
      u->track = trace_perfetto_track(&t->perfetto, 0, name, 1 + (int)b->index, NULL);
   }
   return u->track;
}

struct trace_lanes *
trace_unit_lanes(struct sim_tracer *t, const struct sim_box *b, unsigned kind)
{
   static const char *const names[TRACE_NUM_KINDS] = {
       "vertices", "triangles", "quads", "thread groups", "misses", "requests", "transactions"};
   struct trace_lanes *l = &t->units[b->index].lanes[kind];
   if (!l->parent) {
      l->parent = trace_unit_track(t, b);
      l->name = names[kind];
      l->rank = (int)kind;
   }
   return l;
}

struct trace_owner
trace_owner_of(const struct sim_tracer *t, unsigned work_id)
{
   const struct sim_work_state *s = &t->gpu->work->state[work_id];
   if (work_id == SIM_WORK_OTHER || work_id == SIM_WORK_SHARED)
      return (struct trace_owner){.kind =
                                      work_id == SIM_WORK_OTHER ? SIM_KIND_OTHER : SIM_KIND_SHARED};
   if (s->earlier)
      return (struct trace_owner){.kind = SIM_KIND_EARLIER};
   return (struct trace_owner){.serial = s->serial, .draw = s->work.draw, .kind = s->work.kind};
}

void
trace_owner_name(const struct trace_owner *o, char *name, size_t size)
{
   if (o->kind == SIM_KIND_DRAW)
      snprintf(name, size, "draw %u", o->draw);
   else
      snprintf(name, size, "%s", sim_work_kind_names[o->kind]);
}

static void
tracer_put_state(struct sim_tracer *t, const struct sim_box *b)
{
   struct trace_unit *u = &t->units[b->index];
   char name[64];
   if (!u->state || u->to <= u->from)
      return;
   trace_owner_name(&u->owner, name, sizeof(name));
   trace_perfetto_slice(
       &t->perfetto, trace_unit_track(t, b), u->from, u->to,
       &(struct trace_event){.category = u->state & SIM_ACTIVITY_BUSY ? "busy" : "blocked",
                             .name = name});
}

static void
tracer_activity(void *data, const struct sim_box *b, uint32_t state, sim_tick from, sim_tick to)
{
   struct sim_tracer *t = data;
   struct trace_unit *u = &t->units[b->index];
   from = from > t->start ? from : t->start;
   if (!t->running || to <= from || !WANTS(t, UNITS))
      return;
   /* Look up the owner now: when the slice is written, the work id may have another one. */
   const struct trace_owner owner = trace_owner_of(t, state & 0xffff);
   if (u->state == state && u->to == from && u->owner.serial == owner.serial &&
       u->owner.kind == owner.kind) {
      u->to = to;
      return;
   }
   tracer_put_state(t, b);
   u->state = state;
   u->owner = owner;
   u->from = from;
   u->to = to;
}

/* --- Events --- */

static void tracer_stop(struct sim_tracer *t, sim_tick now);

static void
tracer_bank(void *data, const struct sim_trace_bank *command)
{
   struct sim_tracer *t = data;
   if (t->running && WANTS(t, BANKS))
      trace_memory_bank(t, command);
}

static void
tracer_put_queue(struct sim_tracer *t, uint32_t signal, sim_tick now)
{
   const struct sim_signal *s = &trace_signals(t)[signal];
   const uint32_t filled = s->tail - s->head;
   if (t->queue[signal] && t->filled[signal] == filled)
      return;
   if (!t->queue[signal]) {
      char name[160];
      snprintf(name, sizeof(name), "%s %s to %s", s->name, s->sender->name, s->receiver->name);
      t->queue[signal] = trace_perfetto_track(&t->perfetto, trace_unit_track(t, s->receiver), name,
                                              100, "objects");
   }
   t->filled[signal] = filled;
   trace_perfetto_value(&t->perfetto, t->queue[signal], now, filled);
}

static void
tracer_put_event(struct sim_tracer *t, const struct sim_trace_event *e, sim_tick now)
{
   if (e->kind == SIM_TRACE_FREE) {
      trace_objects_free(t, e->object, now);
      return;
   }
   if (e->kind == SIM_TRACE_DEAD) {
      trace_objects_dead(t, e->what, e->number, now);
      return;
   }
   if (e->kind == SIM_TRACE_LOOK_UP)
      return;
   if (e->kind == SIM_TRACE_ASK) {
      if (WANTS(t, MEMORY))
         trace_memory_ask(t, e->what, e->object);
      return;
   }
   if (e->kind == SIM_TRACE_FETCH) {
      if (WANTS(t, MEMORY))
         trace_memory_fetch(t, e->object, e->number, e->what);
      return;
   }
   const uint32_t signal = (uint32_t)((const struct sim_signal *)e->what - trace_signals(t));
   const unsigned port = t->port[signal];
   if (WANTS(t, QUEUES))
      tracer_put_queue(t, signal, now);
   if (e->kind == SIM_TRACE_POP) {
      if (port >= PORT_NEW_PRIM && port <= PORT_SETUP)
         trace_objects_pop(t, e, port, now);
   } else if (port >= PORT_REQUEST) {
      trace_memory_send(t, e, port, now);
   } else if (port) {
      trace_objects_send(t, e, port, now);
   }
}

static void
tracer_flush_counters(struct sim_tracer *t, sim_tick now)
{
   sim_kernel_flush_counters(&t->gpu->kernel);
   t->next_flush = now + FLUSH_TICKS;
}

/* Returns whether the last draw of the window has ended in this tick. */
static bool
tracer_last_draw_done(const struct sim_tracer *t, const struct sim_trace_event *e)
{
   if (!t->window.draws || e->kind != SIM_TRACE_SEND ||
       t->port[(const struct sim_signal *)e->what - trace_signals(t)] != PORT_DRAW_DONE)
      return false;
   const struct msg_done *m = e->object;
   return m->draw && m->draw->number == t->window.last_draw;
}

static void
tracer_tick(void *data, sim_tick now)
{
   struct sim_tracer *t = data;
   unsigned ended = 0;
   for (uint32_t i = 0; t->running && i < t->listener.num; i++) {
      const struct sim_trace_event *e = &t->listener.events[i];
      tracer_put_event(t, e, now);
      ended += tracer_last_draw_done(t, e);
   }
   t->listener.num = 0;
   t->window.rops_done += ended;
   if (t->running && now >= t->next_flush)
      tracer_flush_counters(t, now);
   if (t->running &&
       (t->out.full || t->out.failed || t->window.rops_done >= t->gpu->config.gpu.num_rops)) {
      if (t->out.full && !t->out.failed)
         fprintf(stderr,
                 "attila: %s has %llu MiB: the trace ends at cycle %llu (--trace-limit, "
                 "--trace-what)\n",
                 t->out.file->path, (unsigned long long)(t->out.limit >> 20),
                 (unsigned long long)(now / t->gpu->kernel.period[SIM_DOMAIN_GPU]));
      tracer_stop(t, now);
   }
}

/* --- The window --- */

static void
tracer_start(struct sim_tracer *t, sim_tick now)
{
   if (t->running || t->over)
      return;
   t->running = true;
   t->start = now + 1;
   t->next_flush = now + FLUSH_TICKS;
   sim_kernel_listen(&t->gpu->kernel, &t->listener);
   tracer_listen(t, true);
}

static void
tracer_stop(struct sim_tracer *t, sim_tick now)
{
   const struct sim_kernel *k = &t->gpu->kernel;
   if (!t->running)
      return;
   tracer_flush_counters(t, now);
   t->running = false;
   t->over = true;
   tracer_listen(t, false);
   sim_kernel_listen(&t->gpu->kernel, NULL);
   for (unsigned i = 0; i < k->num_boxes; i++)
      tracer_put_state(t, k->boxes[i]);
   trace_memory_end(t, now + 1);
   trace_objects_end(t, now + 1);
   trace_out_flush(&t->out, true);
}

static void
tracer_last_cycle(void *data, sim_tick now)
{
   tracer_stop(data, now);
}

static void
tracer_first_cycle(void *data, sim_tick now)
{
   struct sim_tracer *t = data;
   tracer_start(t, now);
   if (t->window.last > now)
      sim_kernel_call_at(&t->gpu->kernel, t->window.last, tracer_last_cycle, t);
   else
      tracer_stop(t, now); /* nothing happens in tick 0 */
}

static void
tracer_frame_ended(struct sim_observer *o, const struct sim_frame_end *e)
{
   struct sim_tracer *t = (struct sim_tracer *)o;
   const uint32_t frame = t->gpu->device->observed.frame;
   const sim_tick end = e->tick;
   if (t->running && frame >= t->window.last_frame && t->window.frames)
      tracer_stop(t, end);
   else if (t->running && t->window.draws)
      tracer_stop(t, end); /* the frame has fewer draws */
   if (t->window.frames && !t->window.draws && frame + 1 == t->window.first_frame)
      tracer_start(t, end);
}

static void
tracer_draw_begins(struct sim_observer *o, struct sim_draw_begins *draw)
{
   struct sim_tracer *t = (struct sim_tracer *)o;
   if (t->window.draws && t->gpu->device->observed.frame == t->window.first_frame &&
       draw->number == t->window.first_draw)
      tracer_start(t, t->gpu->kernel.now - 1);
}

/* Draws of a tile-based machine end with their pass, and after those before them. */
static void
tracer_pass(struct sim_observer *o, const struct sim_seen_pass *p)
{
   struct sim_tracer *t = (struct sim_tracer *)o;
   const sim_tick end = t->gpu->kernel.now;
   if (!t->running)
      return;
   trace_objects_end_pass(t, p, end);
   if (t->window.draws && t->window.last_draw < p->drawn_draws)
      tracer_stop(t, end);
}

static const struct sim_observer_class tracer_observer = {.frame_ended = tracer_frame_ended,
                                                          .draw_begins = tracer_draw_begins,
                                                          .pass = tracer_pass};

/* --- Life --- */

struct sim_tracer *
sim_tracer_create(struct sim_gpu *gpu, const struct sim_tracer_options *o, char *error,
                  size_t error_size)
{
   struct sim_kernel *k = &gpu->kernel;
   struct sim_tracer *t = calloc(1, sizeof(*t));
   if (!t || !(t->port = calloc(TRACE_NUM_SIGNALS, sizeof(*t->port))) ||
       !(t->queue = calloc(TRACE_NUM_SIGNALS, sizeof(*t->queue))) ||
       !(t->filled = calloc(TRACE_NUM_SIGNALS, sizeof(*t->filled))) ||
       !(t->objects.bucket = calloc(TRACE_BUCKETS, sizeof(*t->objects.bucket))) ||
       !(t->objects.buffer = calloc(TRACE_BUFFERS, sizeof(*t->objects.buffer)))) {
      snprintf(error, error_size, "out of host memory");
      sim_tracer_destroy(t);
      return NULL;
   }
   t->gpu = gpu;
   t->observer.cls = &tracer_observer;
   t->listener = (struct sim_trace){
       .data = t, .tick = tracer_tick, .activity = tracer_activity, .bank = tracer_bank};
   const uint64_t mib = o->limit_mib ? o->limit_mib : SIM_TRACE_LIMIT_MIB;
   if (!tracer_parse(t, o, error, error_size) ||
       !trace_out_open(&t->out, o->path, mib << 20, error, error_size)) {
      sim_tracer_destroy(t);
      return NULL;
   }
   tracer_choose_signals(t);
   t->perfetto = (struct trace_perfetto){
       .out = &t->out, .ticks_per_us = k->period[SIM_DOMAIN_GPU] * gpu->config.gpu.gpu_clock};
   trace_perfetto_begin(&t->perfetto, "attila");
   sim_observe(&gpu->device->observed, &t->observer);
   if (t->window.cycles && t->window.first > k->now + 1)
      sim_kernel_call_at(k, t->window.first - 1, tracer_first_cycle, t);
   else if (t->window.cycles)
      tracer_first_cycle(t, k->now);
   else if (!t->window.draws && !t->window.first_frame)
      tracer_start(t, k->now);
   return t;
}

bool
sim_tracer_finish(struct sim_tracer *t)
{
   if (!t || !t->out.file)
      return !t || !t->told;
   tracer_stop(t, t->gpu->kernel.now);
   if (!t->over)
      fprintf(stderr, "attila: warning: %s: the trace's window was never reached\n",
              t->out.file->path);
   t->told = !trace_out_close(&t->out);
   return !t->told;
}

void
sim_tracer_disown(struct sim_tracer *t)
{
   if (t && t->out.file)
      sim_file_disown(t->out.file);
}

void
sim_tracer_destroy(struct sim_tracer *t)
{
   if (!t)
      return;
   sim_tracer_finish(t);
   if (t->gpu)
      sim_observe_no_more(&t->gpu->device->observed, &t->observer);
   for (unsigned i = 0; i < SIM_MAX_BOXES; i++) {
      for (unsigned k = 0; k < TRACE_NUM_KINDS; k++) {
         free(t->units[i].lanes[k].track);
         free(t->units[i].lanes[k].used);
      }
   }
   trace_objects_destroy(t);
   free(t->listener.events);
   free(t->port);
   free(t->queue);
   free(t->filled);
   free(t);
}
