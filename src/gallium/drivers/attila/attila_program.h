/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A shader compiled for one variant, and its binary in GPU memory. */
#ifndef ATTILA_PROGRAM_H
#define ATTILA_PROGRAM_H

#include "attila_bo.h"
#include "attila_compiler.h"
#include "hw/attila_cmd.h"

struct attila_cs;
struct pipe_shader_state;

struct attila_program {
   struct attila_program *next; /* another variant of the same shader */
   enum attila_stage stage;
   struct attila_variant variant;
   struct attila_compiled compiled;
   void *binary;            /* until it is in GPU memory */
   char *source, *uniforms; /* until they are in the command stream; NULL: unknown */
   uint32_t binary_size;
   struct attila_bo bo;
   bool failed;    /* not compiled: its draws are skipped */
   char name[160]; /* for messages and markers */
};

/* Compiles a program. On failure sets its member failed, and report, which may be NULL. The caller
 * keeps nir and source (NULL: unknown). Returns NULL if memory is exhausted. */
struct attila_program *attila_program_create(struct attila_cs *cs, enum attila_stage stage,
                                             const nir_shader *nir, const char *source,
                                             const struct attila_variant *variant,
                                             struct pipe_shader_state *report);
void attila_program_destroy(struct attila_cs *cs, struct attila_program *program);

/* Records what the GPU needs to run a program. Returns false (after a message) if it cannot run. */
bool attila_program_emit(struct attila_cs *cs, struct attila_program *program);

#endif
