/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The names that a program gives its work: debug groups, markers, labels of what it draws to.
 */
#ifndef ATTILA_DEBUG_MARKER_H
#define ATTILA_DEBUG_MARKER_H

#include <stdbool.h>

#define ATTILA_LABEL_BYTES 128 /* with its NUL: what a row of the reports has room for */
#define ATTILA_LABEL_DEPTH 64  /* GL_MAX_DEBUG_GROUP_STACK_DEPTH */

/* [0] is outside of all groups, [depth] the innermost one. Groups deeper than there is room for are
 * counted only. */
struct attila_labels {
   unsigned depth;
   struct {
      char group[ATTILA_LABEL_BYTES], marker[ATTILA_LABEL_BYTES];
   } level[ATTILA_LABEL_DEPTH];
   char target[ATTILA_LABEL_BYTES];
   char sent[ATTILA_LABEL_BYTES]; /* the label of the GPU's context */
};

#endif
