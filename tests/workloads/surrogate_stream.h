/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a surrogate's capture is made of: commands, memory, registers, programs. Nothing is freed
 * before the program ends. */
#ifndef SURROGATE_STREAM_H
#define SURROGATE_STREAM_H

#include "hw/attila_cmd.h"

/* Ends the program with a message. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *allocate(size_t size); /* zeros */

/* Commands of the first frame, which uploads, and of the second one, which draws. */
extern struct commands {
   uint32_t *words;
   size_t num, capacity;
} uploads, frame;
void put(struct commands *c, enum attila_opcode op, const void *payload, size_t words);
/* Hands out memory of the GPU: at multiples of 16 KB for large surfaces, of 256 bytes for others.
 */
uint32_t take_memory(uint64_t size);
uint32_t upload(const void *data, size_t size);

/* What put_regs sends: the registers that have changed, a command for those that are side by side.
 */
extern struct attila_regs regs;
void put_regs(void);

struct text {
   char all[16384];
   size_t length;
   unsigned instructions;
};
void add_line(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Loads a program, which is uploaded once. The text gets its END. */
void load_program(unsigned stage, struct text *t);
void put_constants(unsigned stage, const float (*constants)[4], unsigned count);

void write_capture(const char *path);

#endif
