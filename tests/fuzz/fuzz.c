/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What fuzzing targets share (fuzz.h). Not here: running them (fuzz_main.c). */
#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void
fuzz_fail(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   fprintf(stderr, "fuzz: defect: ");
   vfprintf(stderr, format, args);
   fprintf(stderr, "\n");
   va_end(args);
   abort();
}

uint32_t
fuzz_random(struct fuzz_random *r, uint32_t n)
{
   /* A counter, and a hash of it whose bits all depend on all of its bits. */
   uint64_t x = r->state += 0x9e3779b97f4a7c15ull;
   x = (x ^ x >> 31) * 0xd6e8feb86659fd93ull;
   x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
   return (uint32_t)((x >> 32) % (n ? n : 1));
}

uint32_t
fuzz_odd_word(struct fuzz_random *r, uint32_t old)
{
   /* Sizes and limits of the machine, ends of integers, floats at the ends of their range. */
   static const uint32_t odd[] = {
       0,          1,          2,          3,          4,          7,          8,
       15,         16,         31,         32,         33,         63,         64,
       127,        128,        255,        256,        1023,       1024,       1055,
       1056,       4095,       4096,       8191,       8192,       8193,       65535,
       65536,      0x00ffff00, 0x00ffffff, 0x01000000, 0x01000100, 0x7fffffff, 0x80000000,
       0x80000001, 0xfffffffe, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
       0x7fc00000, 0x7f7fffff, 0x00800000, 0x4f000000, 0xcf000000};
   switch (fuzz_random(r, 6)) {
   case 0:
      return odd[fuzz_random(r, sizeof(odd) / sizeof(odd[0]))];
   case 1:
      return old + 1;
   case 2:
      return old - 1;
   case 3:
      return old ^ 1u << fuzz_random(r, 32);
   case 4:
      return fuzz_random(r, 130);
   default:
      return old * 2;
   }
}

size_t
fuzz_mutate_bytes(struct fuzz_random *r, uint8_t *data, size_t size, size_t max_size)
{
   if (!size) {
      data[0] = (uint8_t)fuzz_random(r, 256);
      return max_size ? 1 : 0;
   }
   size_t at = fuzz_random(r, (uint32_t)size), rest = size - at;
   size_t n = 1 + fuzz_random(r, rest < 16 ? (uint32_t)rest : 16);
   n = n < rest ? n : rest;
   switch (fuzz_random(r, 7)) {
   case 0: /* vanish */
      memmove(data + at, data + at + n, rest - n);
      return size - n;
   case 1: /* double */
      if (size + n > max_size)
         return size;
      memmove(data + at + n, data + at, rest);
      return size + n;
   case 2: /* move */
      memmove(data + fuzz_random(r, (uint32_t)(size - n + 1)), data + at, n);
      return size;
   case 3: /* the end is cut off */
      return fuzz_random(r, 4) ? size : at;
   case 4: { /* a word */
      uint32_t word;
      if (rest < 4)
         return size;
      memcpy(&word, data + at, 4);
      word = fuzz_odd_word(r, word);
      memcpy(data + at, &word, 4);
      return size;
   }
   case 5:
      data[at] ^= (uint8_t)(1u << fuzz_random(r, 8));
      return size;
   default:
      data[at] = (uint8_t)fuzz_random(r, 256);
      return size;
   }
}

const char *
fuzz_file(const void *data, size_t size)
{
   static char path[64];
   static int fd = -1;
   if (fd >= 0)
      close(fd);
   fd = memfd_create("fuzz", MFD_CLOEXEC);
   if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
      perror("fuzz: a file in memory");
      exit(2);
   }
   snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
   return path;
}
