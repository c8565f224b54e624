/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Storage buffers of words: made, read back and compared. For programs of storage buffers and grids
 * (storage.c, compute.c). */
#ifndef STORAGE_WORDS_H
#define STORAGE_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include "gl_util.h"

enum { WORDS = 65536 }; /* of the largest buffer */

static bool right = true;
static uint32_t words[WORDS];

/* Makes a buffer of n words and binds it as storage buffer `binding`. */
static GLuint
storage(GLuint binding, const void *data, unsigned n)
{
   GLuint name;
   glGenBuffers(1, &name);
   glBindBuffer(GL_SHADER_STORAGE_BUFFER, name);
   glBufferData(GL_SHADER_STORAGE_BUFFER, 4 * n, data, GL_DYNAMIC_COPY);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, name);
   return name;
}

static void
read_back(GLuint name, unsigned n)
{
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   glBindBuffer(GL_SHADER_STORAGE_BUFFER, name);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, 4 * n, words);
}

static void
expect(const char *name, unsigned at, uint32_t want)
{
   CHECK_OR(right = false, words[at] == want, "%s: word %u is %u (0x%x), not %u (0x%x)", name, at,
            words[at], words[at], want, want);
}

#endif
