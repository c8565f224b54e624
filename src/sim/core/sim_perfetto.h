/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Field numbers of Perfetto traces: protos/perfetto/trace/{trace,trace_packet}.proto and
 * track_event/{track_event,track_descriptor,counter_descriptor,process_descriptor,
 * debug_annotation}.proto (https://github.com/google/perfetto), only its stable interface. Not
 * here: encoding and writers. */
#ifndef SIM_PERFETTO_H
#define SIM_PERFETTO_H

enum trace_field { TRACE_PACKET = 1 };

enum packet_field {
   PACKET_TIMESTAMP = 8, /* ns */
   PACKET_SEQUENCE = 10,
   PACKET_TRACK_EVENT = 11,
   PACKET_SEQUENCE_FLAGS = 13,
   PACKET_TRACK_DESCRIPTOR = 60,
};

enum descriptor_field {
   DESCRIPTOR_UUID = 1,
   DESCRIPTOR_NAME = 2,
   DESCRIPTOR_PROCESS = 3,
   DESCRIPTOR_PARENT = 5,
   DESCRIPTOR_COUNTER = 8,
   DESCRIPTOR_CHILD_ORDERING = 11,
   DESCRIPTOR_RANK = 12,
};

enum process_field { PROCESS_PID = 1, PROCESS_NAME = 6 };

enum counter_field { COUNTER_UNIT_NAME = 6 };

enum event_field {
   EVENT_ANNOTATION = 4,
   EVENT_TYPE = 9,
   EVENT_TRACK = 11,
   EVENT_CATEGORY = 22,
   EVENT_NAME = 23,
   EVENT_INTEGER = 30,
   EVENT_FLOW = 47,
};

enum annotation_field {
   ANNOTATION_INTEGER = 4,
   ANNOTATION_TEXT = 6,
   ANNOTATION_NAME = 10,
};

/* TrackEvent.Type */
enum event_type { EVENT_BEGIN = 1, EVENT_END = 2, EVENT_INSTANT = 3, EVENT_COUNTER = 4 };
enum { SEQUENCE_FIRST = 1 }; /* SequenceFlags: forget the state of earlier packets */
enum { ORDER_EXPLICIT = 3 }; /* ChildTracksOrdering: by rank */

#endif
