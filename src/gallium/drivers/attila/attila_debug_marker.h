/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The names that a program gives its work: debug groups, markers, labels of render targets. */
#ifndef ATTILA_DEBUG_MARKER_H
#define ATTILA_DEBUG_MARKER_H

#include <stdbool.h>

#define ATTILA_LABEL_BYTES 128 /* with NUL: the room in reports' rows */
#define ATTILA_LABEL_DEPTH 64  /* GL_MAX_DEBUG_GROUP_STACK_DEPTH */

/* [0] is outside all groups, [depth] is the innermost group. Groups for which there is no room are
 * only counted. */
struct attila_labels {
   unsigned depth;
   struct {
      char group[ATTILA_LABEL_BYTES], marker[ATTILA_LABEL_BYTES];
   } level[ATTILA_LABEL_DEPTH];
   char target[ATTILA_LABEL_BYTES];
   char sent[ATTILA_LABEL_BYTES]; /* label of the GPU context */
};

struct attila_context;
/* Notes the OpenGL call of the last recorded DRAW or DISPATCH. */
void attila_note_call(struct attila_context *ctx);

#endif
