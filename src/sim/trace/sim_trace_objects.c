/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Draws, vertices, triangles, quads and thread groups on their way from box to box. A slice shows
 * how long an object stays in a box: from its arrival until the box sends it on or drops it. Slices
 * that overlap lie on different tracks of the box. A flow connects the slices of an object and of
 * what is made from it. A vertex's flow begins with an instant where the post shading cache misses.
 * A triangle's flow begins in its draw's slice and continues its vertices' flows. A quad's flow
 * begins in HZ and continues its triangle's flow. A group lies on the flows of its vertices or
 * quads.
 *
 * A vertex, quad or group is identified by its address in the host's memory, from its first message
 * until it is freed or another object takes the address; a triangle by its draw and number. Objects
 * that are older than the window have slices but no flow. Not here: memory (sim_trace_memory.c). */
#include "trace/sim_tracer_impl.h"
#include "core/sim_xalloc.h"

#include <stdlib.h>
#include <string.h>

/* --- Identities --- */

static inline uint32_t
trace_objects_bucket_of(unsigned kind, const void *key, uint32_t number)
{
   const uint64_t h =
       ((uint64_t)(uintptr_t)key ^ (uint64_t)number << 20 ^ kind) * 0x9e3779b97f4a7c15ull;
   return (uint32_t)(h >> 48) & (TRACE_BUCKETS - 1);
}

struct trace_object *
trace_object_find(struct sim_tracer *t, unsigned kind, const void *key, uint32_t number)
{
   struct trace_object *o = t->objects.bucket[trace_objects_bucket_of(kind, key, number)];
   while (o && (o->key != key || o->kind != kind || o->number != number))
      o = o->next;
   return o;
}

static void
trace_objects_grow(struct trace_objects *all)
{
   enum { CHUNK = 1024 };
   struct trace_object *chunk = sim_xmalloc(CHUNK * sizeof(*chunk));
   void **chunks = sim_xrealloc(all->chunk, (all->num_chunks + 1) * sizeof(*chunks));
   all->chunk = chunks;
   all->chunk[all->num_chunks++] = chunk;
   for (unsigned i = 0; i < CHUNK; i++) {
      chunk[i].next = all->free;
      all->free = &chunk[i];
   }
}

struct trace_object *
trace_object_add(struct sim_tracer *t, unsigned kind, const void *key, uint32_t number)
{
   struct trace_objects *all = &t->objects;
   struct trace_object **bucket = &all->bucket[trace_objects_bucket_of(kind, key, number)];
   if (!all->free)
      trace_objects_grow(all);
   struct trace_object *o = all->free;
   all->free = o->next;
   *o = (struct trace_object){.next = *bucket,
                              .key = key,
                              .serial = ++all->num_ever,
                              .number = number,
                              .kind = (uint8_t)kind,
                              .unit = TRACE_NOWHERE};
   *bucket = o;
   return o;
}

void
trace_object_remove(struct sim_tracer *t, struct trace_object *o)
{
   struct trace_object **at =
       &t->objects.bucket[trace_objects_bucket_of(o->kind, o->key, o->number)];
   while (*at != o)
      at = &(*at)->next;
   *at = o->next;
   o->next = t->objects.free;
   t->objects.free = o;
}

/* --- Slices --- */

static char *
trace_objects_put_decimal(char *to, int64_t value)
{
   char digits[24], *d = digits;
   uint64_t left = (uint64_t)(value < 0 ? -value : value);
   if (value < 0)
      *to++ = '-';
   do
      *d++ = (char)('0' + left % 10);
   while (left /= 10);
   while (d != digits)
      *to++ = *--d;
   return to;
}

static void
trace_objects_name_object(const struct trace_object *o, char *name)
{
   static const char *const groups[] = {"vertices", "quads", "triangles", "primitives"};
   char *to = name;
   switch (o->kind) {
   case TRACE_VERTEX:
      to = trace_objects_put_decimal(stpcpy(to, "vertex "), (uint32_t)o->x);
      break;
   case TRACE_TRIANGLE:
      to = trace_objects_put_decimal(stpcpy(to, "triangle "), o->number);
      break;
   case TRACE_QUAD:
      to = trace_objects_put_decimal(stpcpy(to, "quad "), o->x);
      *to++ = ',';
      to = trace_objects_put_decimal(to, o->y);
      break;
   case TRACE_GROUP:
      to = trace_objects_put_decimal(to, o->x);
      *to++ = ' ';
      to = stpcpy(to, groups[o->y]);
      break;
   default:
      to = stpcpy(to, o->write ? "write " : "read ");
      to = trace_objects_put_decimal(to, o->x);
      break;
   }
   *to = '\0';
}

static const char *const categories[TRACE_NUM_KINDS] = {"vertex", "triangle", "quad",       "group",
                                                        "miss",   "request",  "transaction"};

static void
trace_objects_put_slice(struct sim_tracer *t, struct trace_object *o, sim_tick leaves)
{
   struct trace_lanes *lanes = &t->units[o->unit].lanes[o->kind];
   char name[64];
   trace_objects_name_object(o, name);
   const bool memory = o->kind >= TRACE_MISS;
   const uint64_t flows[2] = {o->flow, o->cause};
   const struct trace_arg args[] = {
       memory ? (struct trace_arg){"address", o->number | o->address, NULL}
              : (struct trace_arg){"draw", o->draw, NULL},
       {"client", 0, o->client}};
   const struct trace_event e = {.category = categories[o->kind],
                                 .name = name,
                                 .args = args,
                                 .num_args = o->client ? 2 : 1,
                                 .flows = flows,
                                 .num_flows = 2};
   trace_perfetto_slice(&t->perfetto, lanes->track[o->lane], o->since, leaves, &e);
   trace_lanes_give(lanes, o->lane);
}

void
trace_object_move(struct sim_tracer *t, struct trace_object *o, sim_tick leaves, unsigned unit,
                  sim_tick comes)
{
   if (o->unit != TRACE_NOWHERE)
      trace_objects_put_slice(t, o, leaves > o->since ? leaves : o->since);
   o->unit = (uint16_t)unit;
   o->since = comes;
   o->popped = o->last = 0;
   if (unit != TRACE_NOWHERE)
      o->lane =
          trace_lanes_take(&t->perfetto, trace_unit_lanes(t, t->gpu->kernel.boxes[unit], o->kind));
}

static void
trace_objects_leave(struct sim_tracer *t, struct trace_object *o, sim_tick now)
{
   trace_object_move(t, o, now, TRACE_NOWHERE, 0);
}

/* --- Draws --- */

static struct trace_draw *
trace_objects_find_draw(struct trace_objects *all, const struct sim_draw *draw)
{
   for (unsigned i = 0; i < sizeof(all->draws) / sizeof(all->draws[0]); i++) {
      if (all->draws[i].draw == draw)
         return &all->draws[i];
   }
   return NULL;
}

static void
trace_objects_end_draw(struct sim_tracer *t, struct trace_draw *d, sim_tick now)
{
   trace_perfetto_close(&t->perfetto, t->objects.draw_lanes.track[d->lane], now);
   trace_lanes_give(&t->objects.draw_lanes, d->lane);
   d->draw = NULL;
}

static void
trace_objects_begin_draw(struct sim_tracer *t, const struct sim_draw *draw, sim_tick now)
{
   struct trace_objects *all = &t->objects;
   struct trace_draw *d = trace_objects_find_draw(all, draw);
   if (d) /* its end was not seen */
      trace_objects_end_draw(t, d, now);
   d = trace_objects_find_draw(all, NULL);
   if (!d)
      return;
   if (!all->draw_lanes.parent)
      all->draw_lanes = (struct trace_lanes){
          .parent = trace_perfetto_track(&t->perfetto, 0, "draws", 0, NULL), .name = "draws"};
   *d = (struct trace_draw){.draw = draw, .lane = trace_lanes_take(&t->perfetto, &all->draw_lanes)};
   const struct sim_work_state *state = &t->gpu->work->state[draw->work_id];
   char name[64];
   snprintf(name, sizeof(name), "draw %u", draw->number);
   const char *label =
       draw->work_id > SIM_WORK_SHARED && state->texts.label[0] ? state->texts.label : NULL;
   const struct trace_arg args[] = {{"draw", draw->number, NULL},
                                    {"frame", t->gpu->device->observed.frame, NULL},
                                    {"vertices", draw->state.cmd.count, NULL},
                                    {"label", 0, label}};
   trace_perfetto_open(&t->perfetto, all->draw_lanes.track[d->lane], now,
                       &(struct trace_event){.category = "draw",
                                             .name = label ? label : name,
                                             .args = args,
                                             .num_args = label ? 4 : 3});
}

void
trace_objects_of_draw(struct sim_tracer *t, const struct sim_draw *draw, const char *name,
                      uint64_t flow, sim_tick now)
{
   const struct trace_draw *d = trace_objects_find_draw(&t->objects, draw);
   if (d)
      trace_perfetto_instant(
          &t->perfetto, t->objects.draw_lanes.track[d->lane], now,
          &(struct trace_event){
              .category = "indices", .name = name, .flows = &flow, .num_flows = 1});
}

/* --- Passes --- */

void
trace_objects_end_pass(struct sim_tracer *t, const struct sim_seen_pass *p, sim_tick now)
{
   struct trace_objects *all = &t->objects;
   for (unsigned i = 0; i < sizeof(all->draws) / sizeof(all->draws[0]); i++) {
      if (all->draws[i].draw && all->draws[i].draw->pass == p->open)
         trace_objects_end_draw(t, &all->draws[i], now);
   }
   if (!WANTS(t, DRAWS))
      return;
   /* Passes that are open at once have tracks of their own. */
   uint64_t *track = &all->pass_track[p->open];
   if (!*track)
      *track = trace_perfetto_track(&t->perfetto, 0, "passes", 0, NULL);
   const struct trace_arg args[] = {{"first draw", p->draw[0], NULL},
                                    {"draws", p->draws, NULL},
                                    {"parts", p->parts, NULL},
                                    {"ended by", 0, p->why}};
   const struct {
      const char *name;
      sim_tick from, to;
   } phases[] = {{"geometry", p->began, p->drawn}, {"bins", p->drawn, p->ended}};
   for (unsigned i = 0; i < 2; i++) {
      const sim_tick from = phases[i].from > t->start ? phases[i].from : t->start;
      if (phases[i].to > from)
         trace_perfetto_slice(
             &t->perfetto, *track, from, phases[i].to,
             &(struct trace_event){
                 .category = "pass", .name = phases[i].name, .args = args, .num_args = 4});
   }
}

/* --- Triangles --- */

/* Ends the stay of a triangle in its box. Boxes keep the order of triangles, so triangles that
 * arrived earlier and have not left were culled. o NULL: all triangles of the draw leave. */
static void
trace_objects_leave_in_order(struct sim_tracer *t, const struct sim_box *box,
                             const struct trace_object *o, sim_tick now)
{
   struct trace_unit *u = &t->units[box->index];
   while (u->oldest) {
      struct trace_object *first = u->oldest;
      u->oldest = first->younger;
      if (first == o)
         return;
      trace_objects_leave(t, first, first->popped ? first->popped : now);
      trace_object_remove(t, first);
   }
}

static void
trace_objects_come_in_order(struct sim_tracer *t, const struct sim_box *box, struct trace_object *o)
{
   struct trace_unit *u = &t->units[box->index];
   o->younger = NULL;
   *(u->oldest ? &u->youngest->younger : &u->oldest) = o;
   u->youngest = o;
}

/* Returns the track that shows which objects a box makes. */
static uint64_t
trace_objects_births(struct sim_tracer *t, const struct sim_box *b, unsigned kind)
{
   struct trace_unit *u = &t->units[b->index];
   if (!u->births)
      u->births = trace_perfetto_track(&t->perfetto, trace_unit_track(t, b),
                                       kind == TRACE_VERTEX ? "vertices"
                                       : kind == TRACE_QUAD ? "quads"
                                                            : "triangles",
                                       (int)kind, NULL);
   return u->births;
}

static void
trace_objects_new_triangle(struct sim_tracer *t, const struct sim_signal *s,
                           const struct msg_prim *m, sim_tick now, sim_tick ready)
{
   struct trace_object *o = trace_object_find(t, TRACE_TRIANGLE, m->draw, m->number);
   const struct trace_draw *d =
       WANTS(t, DRAWS) ? trace_objects_find_draw(&t->objects, m->draw) : NULL;
   if (o)
      return;
   o = trace_object_add(t, TRACE_TRIANGLE, m->draw, m->number);
   o->draw = m->draw->number;
   o->flow = t->perfetto.next_flow++;
   uint64_t flows[4] = {o->flow};
   for (unsigned v = 0; WANTS(t, VERTICES) && v < m->num_vertices; v++) {
      const struct trace_object *vertex = trace_object_find(t, TRACE_VERTEX, m->v[v], 0);
      flows[1 + v] = vertex ? vertex->flow : 0;
   }
   char name[64];
   trace_objects_name_object(o, name);
   trace_perfetto_instant(
       &t->perfetto,
       d ? t->objects.draw_lanes.track[d->lane] : trace_objects_births(t, s->sender, o->kind), now,
       &(struct trace_event){.category = "triangle", .name = name, .flows = flows, .num_flows = 4});
   trace_object_move(t, o, now, s->receiver->index, ready);
   trace_objects_come_in_order(t, s->receiver, o);
}

static void
trace_objects_passed_on(struct sim_tracer *t, const struct sim_signal *s, const struct msg_prim *m,
                        sim_tick now, sim_tick ready)
{
   struct trace_object *o = trace_object_find(t, TRACE_TRIANGLE, m->draw, m->number);
   if (!o) {
      o = trace_object_add(t, TRACE_TRIANGLE, m->draw, m->number);
      o->draw = m->draw->number;
   } else if (o->unit != s->sender->index) {
      return; /* another piece of the same triangle */
   } else {
      trace_objects_leave_in_order(t, s->sender, o, now);
   }
   trace_object_move(t, o, now, s->receiver->index, ready);
   trace_objects_come_in_order(t, s->receiver, o);
}

static void
trace_objects_set_up(struct sim_tracer *t, const struct sim_signal *s, const struct msg_setup *m,
                     bool is_new, sim_tick now, sim_tick ready)
{
   struct trace_object *o = trace_object_find(t, TRACE_TRIANGLE, m->draw, m->number);
   if (!o) {
      o = trace_object_add(t, TRACE_TRIANGLE, m->draw, m->number);
      o->draw = m->draw->number;
   } else if (o->unit == s->sender->index) {
      trace_objects_leave_in_order(t, s->sender, o, now);
   }
   o->prims += is_new;
   if (o->unit != s->receiver->index)
      trace_object_move(t, o, now, s->receiver->index, ready);
}

void
trace_objects_dead(struct sim_tracer *t, const void *draw, uint32_t number, sim_tick now)
{
   struct trace_object *o =
       WANTS(t, TRIANGLES) ? trace_object_find(t, TRACE_TRIANGLE, draw, number) : NULL;
   if (!o || !o->prims || --o->prims)
      return;
   const sim_tick left = o->last > o->popped ? o->last : o->popped;
   trace_objects_leave(t, o, left ? left : now);
   trace_object_remove(t, o);
}

/* --- Vertices --- */

static void
trace_objects_new_vertex(struct sim_tracer *t, const struct sim_signal *s,
                         const struct msg_lookup *m, sim_tick now, sim_tick ready)
{
   if (m->end)
      return;
   struct trace_object *o = trace_object_find(t, TRACE_VERTEX, m->vertex, 0);
   if (o) { /* an object that has ended had this address */
      trace_objects_leave(t, o, now);
      trace_object_remove(t, o);
   }
   o = trace_object_add(t, TRACE_VERTEX, m->vertex, 0);
   o->draw = m->draw->number;
   o->x = (int32_t)m->index;
   o->flow = t->perfetto.next_flow++;
   char name[64];
   trace_objects_name_object(o, name);
   const struct trace_arg args[] = {{"draw", o->draw, NULL}, {"instance", m->instance, NULL}};
   trace_perfetto_instant(&t->perfetto, trace_objects_births(t, s->sender, TRACE_VERTEX), now,
                          &(struct trace_event){.category = "vertex",
                                                .name = name,
                                                .args = args,
                                                .num_args = 2,
                                                .flows = &o->flow,
                                                .num_flows = 1});
   trace_object_move(t, o, now, s->receiver->index, ready);
}

/* Follows a vertex that is committed. When it is committed again, for other triangles, it is not
 * followed. */
static void
trace_objects_vertex_sent(struct sim_tracer *t, const struct sim_signal *s,
                          const struct msg_vertex *m, bool committed, sim_tick now, sim_tick ready)
{
   struct trace_object *o = m->vertex ? trace_object_find(t, TRACE_VERTEX, m->vertex, 0) : NULL;
   if (o && o->unit == s->sender->index)
      trace_object_move(t, o, now, committed ? TRACE_NOWHERE : s->receiver->index, ready);
}

/* --- Quads and groups --- */

static void
trace_objects_quad_sent(struct sim_tracer *t, const struct sim_signal *s, const struct msg_quad *m,
                        bool is_new, sim_tick now, sim_tick ready)
{
   const struct sim_quad *q = m->quad;
   if (m->end || !q)
      return;
   struct trace_object *o = trace_object_find(t, TRACE_QUAD, q, 0);
   if (!o) {
      o = trace_object_add(t, TRACE_QUAD, q, 0);
      o->draw = q->draw->number;
      o->x = q->x;
      o->y = q->y;
   }
   if (is_new && !o->flow) {
      const struct trace_object *parent =
          WANTS(t, TRIANGLES) ? trace_object_find(t, TRACE_TRIANGLE, q->draw, q->prim->number)
                              : NULL;
      o->flow = t->perfetto.next_flow++;
      char name[64];
      trace_objects_name_object(o, name);
      const uint64_t flows[2] = {o->flow, parent ? parent->flow : 0};
      const struct trace_arg args[] = {{"draw", q->draw->number, NULL},
                                       {"triangle", q->prim->number, NULL},
                                       {"covered", q->mask, NULL}};
      trace_perfetto_instant(&t->perfetto, trace_objects_births(t, s->sender, TRACE_QUAD), now,
                             &(struct trace_event){.category = "quad",
                                                   .name = name,
                                                   .args = args,
                                                   .num_args = 3,
                                                   .flows = flows,
                                                   .num_flows = 2});
   }
   trace_object_move(t, o, now, s->receiver->index, ready);
}

void
trace_objects_free(struct sim_tracer *t, const void *quad, sim_tick now)
{
   struct trace_object *o = WANTS(t, QUADS) ? trace_object_find(t, TRACE_QUAD, quad, 0) : NULL;
   if (!o)
      return;
   trace_objects_leave(t, o, now);
   trace_object_remove(t, o);
}

/* Writes the slice of a group when it begins, so that the flows of its quads pass through it. */
static void
trace_objects_group_sent(struct sim_tracer *t, const struct sim_signal *s,
                         const struct sim_group *g, sim_tick now, sim_tick ready)
{
   struct trace_object *o = trace_object_find(t, TRACE_GROUP, g, 0);
   uint64_t flows[64]; /* a group has at most 64 inputs */
   unsigned num_flows = 0;
   char name[64];
   if (o) { /* its end was not seen */
      trace_objects_leave(t, o, now);
      trace_object_remove(t, o);
   }
   o = trace_object_add(t, TRACE_GROUP, g, 0);
   o->draw = g->draw->number;
   o->x = g->all_items;
   o->y = g->kind;
   o->unit = (uint16_t)s->receiver->index;
   struct trace_lanes *lanes = trace_unit_lanes(t, s->receiver, TRACE_GROUP);
   o->lane = trace_lanes_take(&t->perfetto, lanes);
   o->since = ready;
   const bool known = g->kind == SIM_GROUP_QUADS || g->kind == SIM_GROUP_VERTICES;
   for (const struct sim_group *part = known ? g : NULL; part; part = part->next) {
      for (unsigned i = 0; i < part->num_items; i++) {
         const struct trace_object *q =
             part->kind == SIM_GROUP_QUADS ? trace_object_find(t, TRACE_QUAD, part->quad[i], 0)
                                           : trace_object_find(t, TRACE_VERTEX, part->vertex[i], 0);
         flows[num_flows++] = q ? q->flow : 0;
      }
   }
   trace_objects_name_object(o, name);
   const struct trace_arg args[] = {{"draw", o->draw, NULL}};
   trace_perfetto_open(&t->perfetto, lanes->track[o->lane], ready,
                       &(struct trace_event){.category = categories[TRACE_GROUP],
                                             .name = name,
                                             .args = args,
                                             .num_args = 1,
                                             .flows = flows,
                                             .num_flows = num_flows});
}

static void
trace_objects_end_group(struct sim_tracer *t, struct trace_object *o, sim_tick now)
{
   struct trace_lanes *lanes = &t->units[o->unit].lanes[TRACE_GROUP];
   trace_perfetto_close(&t->perfetto, lanes->track[o->lane], now > o->since ? now : o->since);
   trace_lanes_give(lanes, o->lane);
   trace_object_remove(t, o);
}

/* --- Messages --- */

void
trace_objects_send(struct sim_tracer *t, const struct sim_trace_event *e, unsigned port,
                   sim_tick now)
{
   const struct sim_signal *s = e->what;
   const void *m = e->object;
   const struct msg_prim *prim = m;
   const struct msg_setup *setup = m;
   const struct msg_done *done = m;
   const struct msg_tile *tile = m;
   struct trace_object *o;
   switch (port) {
   case PORT_DRAW:
      trace_objects_begin_draw(t, ((const struct msg_draw *)m)->draw, now);
      break;
   case PORT_DRAW_DONE: {
      struct trace_draw *d = done->draw ? trace_objects_find_draw(&t->objects, done->draw) : NULL;
      if (d && ++d->done == t->gpu->config.gpu.num_rops)
         trace_objects_end_draw(t, d, now);
      break;
   }
   case PORT_NEW_PRIM:
      if (!prim->end && !prim->geometry)
         trace_objects_new_triangle(t, s, prim, now, e->ready);
      break;
   case PORT_PRIM:
      if (prim->end)
         trace_objects_leave_in_order(t, s->sender, NULL, now);
      else
         trace_objects_passed_on(t, s, prim, now, e->ready);
      break;
   case PORT_NEW_SETUP:
   case PORT_SETUP:
      if (setup->end)
         trace_objects_leave_in_order(t, s->sender, NULL, now);
      else
         trace_objects_set_up(t, s, setup, port == PORT_NEW_SETUP, now, e->ready);
      break;
   case PORT_TILE:
      o = tile->end ? NULL : trace_object_find(t, TRACE_TRIANGLE, tile->draw, tile->prim->number);
      if (o)
         o->last = now;
      break;
   case PORT_NEW_QUAD:
   case PORT_QUAD:
      trace_objects_quad_sent(t, s, m, port == PORT_NEW_QUAD, now, e->ready);
      break;
   case PORT_NEW_VERTEX:
      trace_objects_new_vertex(t, s, m, now, e->ready);
      break;
   case PORT_VERTEX:
   case PORT_COMMITTED:
      trace_objects_vertex_sent(t, s, m, port == PORT_COMMITTED, now, e->ready);
      break;
   case PORT_GROUP:
      trace_objects_group_sent(t, s, ((const struct msg_group *)m)->group, now, e->ready);
      break;
   default: /* PORT_GROUP_BACK */
      o = trace_object_find(t, TRACE_GROUP, ((const struct msg_group *)m)->group, 0);
      if (o)
         trace_objects_end_group(t, o, now);
      break;
   }
}

void
trace_objects_pop(struct sim_tracer *t, const struct sim_trace_event *e, unsigned port,
                  sim_tick now)
{
   const struct msg_prim *prim = e->object;
   const struct msg_setup *setup = e->object;
   const bool set_up = port == PORT_SETUP || port == PORT_NEW_SETUP;
   const bool end = set_up ? setup->end : prim->end || prim->geometry;
   struct trace_object *o = end ? NULL
                                : trace_object_find(t, TRACE_TRIANGLE, prim->draw,
                                                    set_up ? setup->number : prim->number);
   if (!o || o->unit != ((const struct sim_signal *)e->what)->receiver->index)
      return;
   o->popped = now;
   /* The rasteriser has made all tiles of this triangle; those of the next one begin. */
   if (set_up && o->last)
      trace_objects_leave(t, o, now);
}

/* --- The end of the window --- */

static int
trace_objects_by_serial(const void *a, const void *b)
{
   const struct trace_object *x = *(struct trace_object *const *)a,
                             *y = *(struct trace_object *const *)b;
   return x->serial < y->serial ? -1 : x->serial > y->serial;
}

/* Ends the objects that are left in order of arrival: the order in buckets depends on addresses of
 * the host. */
static struct trace_object **
trace_objects_all_objects(const struct trace_objects *all, unsigned *num)
{
   unsigned n = 0;
   for (unsigned b = 0; b < TRACE_BUCKETS; b++) {
      for (const struct trace_object *o = all->bucket[b]; o; o = o->next)
         n++;
   }
   struct trace_object **list = sim_xmalloc((n + 1) * sizeof(struct trace_object *));
   *num = 0;
   for (unsigned b = 0; b < TRACE_BUCKETS; b++) {
      for (struct trace_object *o = all->bucket[b]; o; o = o->next)
         list[(*num)++] = o;
   }
   qsort(list, n, sizeof(struct trace_object *), trace_objects_by_serial);
   return list;
}

void
trace_objects_end(struct sim_tracer *t, sim_tick now)
{
   struct trace_objects *all = &t->objects;
   for (unsigned i = 0; i < sizeof(all->draws) / sizeof(all->draws[0]); i++) {
      if (all->draws[i].draw)
         trace_objects_end_draw(t, &all->draws[i], now);
   }
   unsigned num;
   struct trace_object **left = trace_objects_all_objects(all, &num);
   for (unsigned i = 0; i < num; i++) {
      struct trace_object *o = left[i];
      if (o->kind == TRACE_GROUP) {
         trace_objects_end_group(t, o, now);
         continue;
      }
      trace_objects_leave(t, o, now);
      trace_object_remove(t, o);
   }
   free(left);
   for (unsigned i = 0; i < SIM_MAX_BOXES; i++)
      t->units[i].oldest = NULL;
}

void
trace_objects_destroy(struct sim_tracer *t)
{
   for (unsigned i = 0; i < t->objects.num_chunks; i++)
      free(t->objects.chunk[i]);
   free(t->objects.chunk);
   free(t->objects.bucket);
   free(t->objects.buffer);
   free(t->objects.draw_lanes.track);
   free(t->objects.draw_lanes.used);
}
