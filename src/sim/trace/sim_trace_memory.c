/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Memory: requests in the controller, their transactions in the channels, commands to banks. A
 * request is identified by its buffer and address, a miss by its client and buffer. A transaction
 * is identified by its place in the controller's buffer; with the simple controller, by the data of
 * its request; in the L2, by its slice and its place in the slice. A request's flow continues the
 * flow of the quad or vertex that missed, and goes through its transactions to the reads and writes
 * of banks; with an L2 it goes through the slice, and on only if that asks memory. Lines that a
 * slice writes back have no flow. A bank's track has a slice per open row, with the commands
 * activate, read and write
 * (several per transaction); precharge and refresh lie between these slices. */
#include "trace/sim_tracer_impl.h"

/* --- Requests --- */

static struct trace_object **
trace_memory_buffer_of(struct sim_tracer *t, uintptr_t address)
{
   return &t->objects.buffer[(address >> 8) & (TRACE_BUFFERS - 1)];
}

/* Returns the request whose buffer holds this byte; NULL: the request is older than the window. */
static struct trace_object *
trace_memory_request_of(struct sim_tracer *t, const void *data)
{
   const uintptr_t at = (uintptr_t)data;
   for (unsigned i = 0; i < 2; i++) {
      struct trace_object *o = *trace_memory_buffer_of(t, at - 256 * i);
      for (; o; o = o->younger) {
         if (at - (uintptr_t)o->key < (uintptr_t)o->y)
            return o;
      }
   }
   return NULL;
}

static void
trace_memory_remove_request(struct sim_tracer *t, struct trace_object *o, sim_tick now)
{
   struct trace_object **at = trace_memory_buffer_of(t, (uintptr_t)o->key);
   while (*at != o)
      at = &(*at)->younger;
   *at = o->younger;
   struct trace_object *miss = trace_object_find(t, TRACE_MISS, o->key, 0);
   if (miss) {
      trace_object_move(t, miss, now, TRACE_NOWHERE, 0);
      trace_object_remove(t, miss);
   }
   if (!o->followed) /* the window ends before the request has a transaction */
      o->flow = 0;
   trace_object_move(t, o, now, TRACE_NOWHERE, 0);
   trace_object_remove(t, o);
}

static void
trace_memory_requested(struct sim_tracer *t, const struct sim_signal *s,
                       const struct msg_mem_request *m, sim_tick now, sim_tick ready)
{
   struct trace_object *o = trace_object_find(t, TRACE_REQUEST, m->data, m->address);
   if (o) /* its end was not seen */
      trace_memory_remove_request(t, o, now);
   o = trace_object_add(t, TRACE_REQUEST, m->data, m->address);
   o->write = m->write;
   o->x = m->wire_bytes ? m->wire_bytes : m->size;
   o->y = m->size;
   o->client = s->sender->name;
   o->flow = t->perfetto.next_flow++;
   o->younger = *trace_memory_buffer_of(t, (uintptr_t)m->data);
   *trace_memory_buffer_of(t, (uintptr_t)m->data) = o;
   trace_object_move(t, o, now, s->receiver->index, ready);
   struct trace_object *miss = trace_object_find(t, TRACE_MISS, m->data, 0);
   if (!miss)
      return;
   o->followed = true;
   miss->write = m->write;
   miss->address = m->address;
   miss->x = o->x;
   miss->flow = o->flow;
   if (miss->asker && WANTS(t, DRAWS))
      trace_objects_of_draw(t, miss->asker, "indices", o->flow, now);
   trace_object_move(t, miss, now, s->sender->index, now);
}

static void
trace_memory_responded(struct sim_tracer *t, const struct msg_mem_response *m, sim_tick now)
{
   struct trace_object *o = trace_object_find(t, TRACE_REQUEST, m->data, m->address);
   if (o)
      trace_memory_remove_request(t, o, now);
}

/* Begins the slice of a miss in the box that sends its request; it ends when memory answers. A miss
 * that another cache answers has no slice: the next miss of this buffer replaces it. */
void
trace_memory_ask(struct sim_tracer *t, const void *who, const void *buffer)
{
   const struct trace_object *by = trace_object_find(t, TRACE_QUAD, who, 0);
   by = by ? by : trace_object_find(t, TRACE_VERTEX, who, 0);
   const struct trace_object *from = by ? NULL : trace_object_find(t, TRACE_MISS, who, 0);
   struct trace_object *o = trace_object_find(t, TRACE_MISS, buffer, 0);
   if (!o)
      o = trace_object_add(t, TRACE_MISS, buffer, 0);
   o->cause = by ? by->flow : from ? from->cause : 0;
   o->asker = by || from ? NULL : who;
}

/* --- Transactions --- */

/* Returns the identity of a transaction, from its number in the controller or in a slice of the
 * L2. */
static inline uintptr_t
trace_memory_numbered(const struct sim_box *channel, uint64_t number)
{
   return (uintptr_t)(channel->instance << 16 | number);
}

static struct trace_object *
trace_memory_add_transaction(struct sim_tracer *t, uintptr_t key,
                             const struct trace_object *request)
{
   struct trace_object *o = trace_object_add(t, TRACE_TRANSACTION, (void *)key, 0);
   o->flow = request ? request->flow : 0;
   o->client = request ? request->client : NULL;
   return o;
}

static void
trace_memory_done(struct sim_tracer *t, uintptr_t key, sim_tick at)
{
   struct trace_object *o = trace_object_find(t, TRACE_TRANSACTION, (void *)key, 0);
   if (!o)
      return;
   trace_object_move(t, o, at, TRACE_NOWHERE, 0);
   trace_object_remove(t, o);
}

/* A transfer of the L2 is part of the way of the request that it is for. */
void
trace_memory_fetch(struct sim_tracer *t, const struct sim_box *slice, uint32_t transfer,
                   const void *buffer)
{
   const uintptr_t key = trace_memory_numbered(slice, transfer);
   trace_memory_done(t, key, 0); /* its end was not seen */
   trace_memory_add_transaction(t, key, trace_memory_request_of(t, buffer));
}

static void
trace_memory_transact(struct sim_tracer *t, const struct sim_signal *s, uintptr_t key,
                      const uint8_t *data, uint32_t address, uint32_t bytes, bool write,
                      sim_tick now, sim_tick ready)
{
   struct trace_object *o = trace_object_find(t, TRACE_TRANSACTION, (void *)key, 0);
   struct trace_object *request = trace_memory_request_of(t, data);
   if (o && o->unit != TRACE_NOWHERE) { /* its end was not seen */
      trace_memory_done(t, key, now);
      o = NULL;
   }
   if (!o)
      o = trace_memory_add_transaction(t, key, request);
   if (request)
      request->followed = true;
   o->write = write;
   o->x = (int32_t)bytes;
   o->y = (int32_t)bytes;
   o->address = address;
   trace_object_move(t, o, now, s->receiver->index, ready);
}

static inline uintptr_t
trace_memory_channel_key(const struct sim_box *channel, const struct msg_mem_request *r)
{
   return r->data ? (uintptr_t)r->data : trace_memory_numbered(channel, r->cookie);
}

void
trace_memory_send(struct sim_tracer *t, const struct sim_trace_event *e, unsigned port,
                  sim_tick now)
{
   const struct sim_signal *s = e->what;
   const struct msg_transaction *m = e->object;
   const struct msg_channel *c = e->object;
   switch (port) {
   case PORT_REQUEST:
      trace_memory_requested(t, s, e->object, now, e->ready);
      break;
   case PORT_RESPONSE:
      trace_memory_responded(t, e->object, now);
      break;
   case PORT_TRANSACTION:
      trace_memory_transact(t, s, trace_memory_numbered(s->receiver, m->entry), m->data, m->address,
                            m->bytes, m->write, now, e->ready);
      break;
   case PORT_DONE:
      trace_memory_done(
          t,
          trace_memory_numbered(s->sender, ((const struct msg_transaction_done *)e->object)->entry),
          now);
      break;
   case PORT_CHANNEL:
      trace_memory_transact(t, s, trace_memory_channel_key(s->receiver, &c->request),
                            c->request.data, c->request.address, c->request.size, c->request.write,
                            now, e->ready);
      break;
   default: /* PORT_SERVED */
      trace_memory_done(t, trace_memory_channel_key(s->sender, &c->request), now);
      break;
   }
}

/* --- Banks --- */

static void
trace_memory_describe_banks(struct sim_tracer *t, const struct sim_box *channel)
{
   struct trace_unit *u = &t->units[channel->index];
   const unsigned num = t->gpu->config.mc.banks;
   u->banks = sim_arena_alloc(&t->gpu->kernel.arena, num * sizeof(*u->banks));
   for (unsigned i = 0; i < num; i++) {
      char name[32];
      snprintf(name, sizeof(name), "bank %u", i);
      u->banks[i].track = trace_perfetto_track(&t->perfetto, trace_unit_track(t, channel), name,
                                               TRACE_NUM_KINDS + (int)i, NULL);
   }
}

static void
trace_memory_end_access(struct sim_tracer *t, struct trace_bank *b, sim_tick now)
{
   if (b->access_end)
      trace_perfetto_close(&t->perfetto, b->track, b->access_end < now ? b->access_end : now);
   b->access_end = 0;
}

static void
trace_memory_open_row(struct sim_tracer *t, struct trace_bank *b, uint32_t row, sim_tick at)
{
   char name[32];
   snprintf(name, sizeof(name), "row %u", row);
   trace_perfetto_open(&t->perfetto, b->track, at,
                       &(struct trace_event){.category = "row", .name = name});
   b->row = row;
   b->open = true;
}

static void
trace_memory_close_row(struct sim_tracer *t, struct trace_bank *b, sim_tick at)
{
   trace_memory_end_access(t, b, at);
   if (b->open)
      trace_perfetto_close(&t->perfetto, b->track, at);
   b->open = false;
}

static void
trace_memory_put_access(struct sim_tracer *t, struct trace_bank *b, const struct sim_trace_bank *c)
{
   const uintptr_t key = trace_memory_numbered(c->channel, c->entry);
   const struct trace_object *o =
       WANTS(t, MEMORY) ? trace_object_find(t, TRACE_TRANSACTION, (void *)key, 0) : NULL;
   const struct trace_owner owner = trace_owner_of(t, c->work_id);
   char work_id[64];
   trace_owner_name(&owner, work_id, sizeof(work_id));
   const struct trace_arg args[] = {{"commands", c->count, NULL}, {"for", 0, work_id}};
   trace_perfetto_open(
       &t->perfetto, b->track, c->from,
       &(struct trace_event){.category = "command",
                             .name = c->command == SIM_TRACE_READ ? "read" : "write",
                             .args = args,
                             .num_args = 2,
                             .flows = o ? &o->flow : NULL,
                             .num_flows = o != NULL});
   b->access_end = c->to;
}

void
trace_memory_bank(struct sim_tracer *t, const struct sim_trace_bank *c)
{
   struct trace_unit *u = &t->units[c->channel->index];
   if (!u->banks)
      trace_memory_describe_banks(t, c->channel);
   struct trace_bank *b = &u->banks[c->bank];
   struct trace_event e = {.category = "command"};
   const sim_tick from = c->from > t->start ? c->from : t->start, to = c->to > from ? c->to : from;
   b->last = c->command == SIM_TRACE_READ || c->command == SIM_TRACE_WRITE ? from : to;
   switch (c->command) {
   case SIM_TRACE_ACTIVATE:
      trace_memory_close_row(t, b, from);
      trace_memory_open_row(t, b, c->row, from);
      e.name = "activate";
      trace_perfetto_slice(&t->perfetto, b->track, from, to, &e);
      break;
   case SIM_TRACE_PRECHARGE:
      trace_memory_close_row(t, b, from);
      e.name = "precharge";
      trace_perfetto_slice(&t->perfetto, b->track, from, to, &e);
      break;
   case SIM_TRACE_REFRESH:
      e.name = "refresh";
      for (unsigned i = 0; i < t->gpu->config.mc.banks; i++) {
         if (i == c->bank || !t->gpu->config.mc.refresh_bank)
            trace_perfetto_slice(&t->perfetto, u->banks[i].track, from, to, &e);
      }
      break;
   default:
      trace_memory_end_access(t, b, from);
      if (!b->open)
         trace_memory_open_row(t, b, c->row, from);
      trace_memory_put_access(t, b, c);
      break;
   }
}

void
trace_memory_end(struct sim_tracer *t, sim_tick now)
{
   const struct sim_kernel *k = &t->gpu->kernel;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      struct trace_unit *u = &t->units[i];
      for (unsigned n = 0; u->banks && n < t->gpu->config.mc.banks; n++) {
         const sim_tick access = u->banks[n].access_end, last = u->banks[n].last;
         const sim_tick end = access > last ? access : last;
         trace_memory_close_row(t, &u->banks[n], end > now ? end : now);
      }
      u->banks = NULL; /* the machine's memory */
   }
   /* Requests end with the other objects. */
   for (unsigned i = 0; i < TRACE_BUFFERS; i++) {
      for (struct trace_object *o = t->objects.buffer[i]; o; o = o->younger)
         o->flow = o->followed ? o->flow : 0;
      t->objects.buffer[i] = NULL;
   }
}
