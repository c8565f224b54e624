/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a fuzzing target has, for both of its drivers: libFuzzer of clang, and fuzz_main.c. And what
 * targets share: random numbers, mutations, a file that is only in memory. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUZZ_MAX_SIZE 65536 /* bytes of an input */

/* The target. Ends the process (a sanitizer does, or fuzz_fail) when the simulator is wrong. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Inputs to begin with, made by code. Returns the bytes of number n. */
extern const unsigned fuzz_num_inputs;
size_t fuzz_input(unsigned n, uint8_t data[FUZZ_MAX_SIZE]);

/* Changes an input in a way that suits its kind; part of libFuzzer's interface. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
/* Changes any bytes. The driver has it. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* A defect was found: says so and aborts. */
_Noreturn void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Random numbers: the same seed, the same sequence. */
struct fuzz_random {
   uint64_t state;
};
/* 0 to n - 1; n 0 counts as 1. */
uint32_t fuzz_random(struct fuzz_random *r, uint32_t n);
/* A word like the old one, or one that is at a limit of something. */
uint32_t fuzz_odd_word(struct fuzz_random *r, uint32_t old);
/* A few of the bytes change, move, double or vanish. */
size_t fuzz_mutate_bytes(struct fuzz_random *r, uint8_t *data, size_t size, size_t max_size);

/* A file in memory that holds the data; returns its path, good until the next call. */
const char *fuzz_file(const void *data, size_t size);

#endif
