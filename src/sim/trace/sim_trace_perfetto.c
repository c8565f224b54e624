/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Packets of a Perfetto trace: tracks, slices, instants, counters, flows. Packets are short, so
 * every length is a varint of two bytes, and nothing has to be moved when it is known. Not here:
 * numbers of fields (core/sim_perfetto.h), what is traced. */
#include "trace/sim_tracer_impl.h"

#include <stdlib.h>
#include <string.h>
#include "core/sim_xalloc.h"
#include "core/sim_perfetto.h"

enum { WIRE_VARINT, WIRE_FIXED64, WIRE_BYTES };
#define KEY(field, wire) ((field) << 3 | (wire))

enum { TRACK_RUN = 1, SEQUENCE = 1 }; /* the process; the only sequence */

/* --- Bytes --- */

static inline uint8_t *
trace_perfetto_put_varint(uint8_t *to, uint64_t value)
{
   for (; value >= 0x80; value >>= 7)
      *to++ = (uint8_t)(value | 0x80);
   *to++ = (uint8_t)value;
   return to;
}

static inline uint8_t *
trace_perfetto_put_number(uint8_t *to, unsigned field, uint64_t value)
{
   return trace_perfetto_put_varint(trace_perfetto_put_varint(to, KEY(field, WIRE_VARINT)), value);
}

/* Appends at most 400 bytes of a text, which is UTF-8 or else ASCII. */
static inline uint8_t *
trace_perfetto_put_text(uint8_t *to, unsigned field, const char *text)
{
   const size_t n = strnlen(text, 400);
   to = trace_perfetto_put_varint(trace_perfetto_put_varint(to, KEY(field, WIRE_BYTES)), n);
   memcpy(to, text, n);
   return to + n;
}

/* Begins a message. trace_perfetto_close_message writes its length into the two bytes before it. */
static inline uint8_t *
trace_perfetto_open_message(uint8_t *to, unsigned field)
{
   return trace_perfetto_put_varint(to, KEY(field, WIRE_BYTES)) + 2;
}

static inline void
trace_perfetto_close_message(uint8_t *begin, const uint8_t *end)
{
   const size_t n = (size_t)(end - begin);
   begin[-2] = (uint8_t)(n & 0x7f) | 0x80;
   begin[-1] = (uint8_t)(n >> 7);
}

/* --- Packets --- */

static uint8_t *
trace_perfetto_begin_packet(struct trace_perfetto *p, uint8_t **begin)
{
   uint8_t *to = *begin = trace_perfetto_open_message(trace_out_room(p->out), TRACE_PACKET);
   to = trace_perfetto_put_number(to, PACKET_SEQUENCE, SEQUENCE);
   if (!p->begun)
      to = trace_perfetto_put_number(to, PACKET_SEQUENCE_FLAGS, SEQUENCE_FIRST);
   p->begun = true;
   return to;
}

static void
trace_perfetto_end_packet(struct trace_perfetto *p, uint8_t *begin, const uint8_t *end)
{
   trace_perfetto_close_message(begin, end);
   p->out->size = (size_t)(end - p->out->data);
   trace_out_flush(p->out, false);
}

static inline uint64_t
trace_perfetto_to_ns(const struct trace_perfetto *p, sim_tick tick)
{
   return tick * 1000 / p->ticks_per_us;
}

void
trace_perfetto_begin(struct trace_perfetto *p, const char *name)
{
   uint8_t *packet, *to = trace_perfetto_begin_packet(p, &packet), *descriptor, *process;
   to = descriptor = trace_perfetto_open_message(to, PACKET_TRACK_DESCRIPTOR);
   to = trace_perfetto_put_number(to, DESCRIPTOR_UUID, TRACK_RUN);
   to = trace_perfetto_put_number(to, DESCRIPTOR_CHILD_ORDERING, ORDER_EXPLICIT);
   to = process = trace_perfetto_open_message(to, DESCRIPTOR_PROCESS);
   to = trace_perfetto_put_number(to, PROCESS_PID, 1);
   to = trace_perfetto_put_text(to, PROCESS_NAME, name);
   trace_perfetto_close_message(process, to);
   trace_perfetto_close_message(descriptor, to);
   trace_perfetto_end_packet(p, packet, to);
   p->next_track = TRACK_RUN + 1;
   p->next_flow = 1;
}

uint64_t
trace_perfetto_track(struct trace_perfetto *p, uint64_t parent, const char *name, int rank,
                     const char *unit)
{
   const uint64_t track = p->next_track++;
   uint8_t *packet, *to = trace_perfetto_begin_packet(p, &packet), *descriptor, *counter;
   to = descriptor = trace_perfetto_open_message(to, PACKET_TRACK_DESCRIPTOR);
   to = trace_perfetto_put_number(to, DESCRIPTOR_UUID, track);
   to = trace_perfetto_put_number(to, DESCRIPTOR_PARENT, parent ? parent : TRACK_RUN);
   to = trace_perfetto_put_text(to, DESCRIPTOR_NAME, name);
   to = trace_perfetto_put_number(to, DESCRIPTOR_CHILD_ORDERING, ORDER_EXPLICIT);
   to = trace_perfetto_put_number(to, DESCRIPTOR_RANK, (uint64_t)rank);
   if (unit) {
      to = counter = trace_perfetto_open_message(to, DESCRIPTOR_COUNTER);
      to = trace_perfetto_put_text(to, COUNTER_UNIT_NAME, unit);
      trace_perfetto_close_message(counter, to);
   }
   trace_perfetto_close_message(descriptor, to);
   trace_perfetto_end_packet(p, packet, to);
   return track;
}

static inline uint8_t *
trace_perfetto_begin_event(struct trace_perfetto *p, uint8_t *packet[2], unsigned type,
                           uint64_t track, sim_tick at)
{
   uint8_t *to = trace_perfetto_begin_packet(p, &packet[0]);
   to = trace_perfetto_put_number(to, PACKET_TIMESTAMP, trace_perfetto_to_ns(p, at));
   to = packet[1] = trace_perfetto_open_message(to, PACKET_TRACK_EVENT);
   to = trace_perfetto_put_number(to, EVENT_TYPE, type);
   return trace_perfetto_put_number(to, EVENT_TRACK, track);
}

static inline void
trace_perfetto_end_event(struct trace_perfetto *p, uint8_t *const packet[2], const uint8_t *end)
{
   trace_perfetto_close_message(packet[1], end);
   trace_perfetto_end_packet(p, packet[0], end);
}

static void
trace_perfetto_put_event(struct trace_perfetto *p, unsigned type, uint64_t track, sim_tick at,
                         const struct trace_event *e)
{
   uint8_t *packet[2], *to = trace_perfetto_begin_event(p, packet, type, track, at);
   to = trace_perfetto_put_text(to, EVENT_CATEGORY, e->category);
   to = trace_perfetto_put_text(to, EVENT_NAME, e->name);
   for (unsigned i = 0; i < e->num_args; i++) {
      const struct trace_arg *a = &e->args[i];
      uint8_t *annotation = to = trace_perfetto_open_message(to, EVENT_ANNOTATION);
      to = trace_perfetto_put_text(to, ANNOTATION_NAME, a->name);
      to = a->text ? trace_perfetto_put_text(to, ANNOTATION_TEXT, a->text)
                   : trace_perfetto_put_number(to, ANNOTATION_INTEGER, (uint64_t)a->value);
      trace_perfetto_close_message(annotation, to);
   }
   for (unsigned i = 0; i < e->num_flows; i++) {
      if (!e->flows[i])
         continue;
      to = trace_perfetto_put_varint(to, KEY(EVENT_FLOW, WIRE_FIXED64));
      for (unsigned n = 0; n < 8; n++)
         *to++ = (uint8_t)(e->flows[i] >> (8 * n));
   }
   trace_perfetto_end_event(p, packet, to);
}

void
trace_perfetto_open(struct trace_perfetto *p, uint64_t track, sim_tick at,
                    const struct trace_event *e)
{
   trace_perfetto_put_event(p, EVENT_BEGIN, track, at, e);
}

void
trace_perfetto_close(struct trace_perfetto *p, uint64_t track, sim_tick at)
{
   uint8_t *packet[2], *to = trace_perfetto_begin_event(p, packet, EVENT_END, track, at);
   trace_perfetto_end_event(p, packet, to);
}

void
trace_perfetto_slice(struct trace_perfetto *p, uint64_t track, sim_tick from, sim_tick to,
                     const struct trace_event *e)
{
   trace_perfetto_put_event(p, EVENT_BEGIN, track, from, e);
   trace_perfetto_close(p, track, to > from ? to : from);
}

void
trace_perfetto_instant(struct trace_perfetto *p, uint64_t track, sim_tick at,
                       const struct trace_event *e)
{
   trace_perfetto_put_event(p, EVENT_INSTANT, track, at, e);
}

void
trace_perfetto_value(struct trace_perfetto *p, uint64_t track, sim_tick at, int64_t value)
{
   uint8_t *packet[2], *to = trace_perfetto_begin_event(p, packet, EVENT_COUNTER, track, at);
   to = trace_perfetto_put_number(to, EVENT_INTEGER, (uint64_t)value);
   trace_perfetto_end_event(p, packet, to);
}

/* --- Lanes --- */

unsigned
trace_lanes_take(struct trace_perfetto *p, struct trace_lanes *l)
{
   unsigned lane = 0;
   for (unsigned word = 0; lane < l->num; word++, lane = word * 64) {
      if (~l->used[word]) {
         lane = word * 64 + (unsigned)__builtin_ctzll(~l->used[word]);
         break;
      }
   }
   if (lane >= l->size) {
      l->size = l->size * 2 + 64;
      l->track = sim_xrealloc(l->track, l->size * sizeof(*l->track));
      l->used = sim_xrealloc(l->used, l->size / 8);
      memset(&l->used[l->num / 64], 0, (l->size - l->num / 64 * 64) / 8);
   }
   if (lane >= l->num) {
      l->track[lane] = trace_perfetto_track(p, l->parent, l->name, l->rank, NULL);
      l->num = lane + 1;
   }
   l->used[lane / 64] |= 1ull << lane % 64;
   return lane;
}
