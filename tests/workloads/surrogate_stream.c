/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Commands, memory, registers and programs of a surrogate's capture. Not here: what is drawn
 * (surrogate.c). */
#include "surrogate_stream.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "capture/sim_capture.h"
#include "hw/attila_surface.h"
#include "hw/isa/attila_isa.h"

enum { MEMORY = 256 << 20 }; /* of the GPU, in bytes */

_Noreturn void
fail(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   fputs("surrogate: ", stderr);
   vfprintf(stderr, format, args);
   fputc('\n', stderr);
   va_end(args);
   exit(1);
}

void *
allocate(size_t size)
{
   void *p = calloc(1, size + 1);
   if (!p)
      fail("out of memory");
   return p;
}

struct commands uploads, frame;
struct attila_regs regs;
static struct attila_regs sent_regs;

void
put(struct commands *c, enum attila_opcode op, const void *payload, size_t words)
{
   if (c->num + words + 1 > c->capacity) {
      c->capacity = 2 * (c->num + words + 1);
      c->words = realloc(c->words, c->capacity * 4);
      if (!c->words)
         fail("out of memory");
   }
   c->words[c->num++] = ATTILA_CMD_HEADER(op, words);
   if (words)
      memcpy(c->words + c->num, payload, words * 4);
   c->num += words;
}

uint32_t
take_memory(uint64_t size)
{
   static uint32_t next = 4096; /* 0 is no address */
   const uint32_t align = size < 4 * ATTILA_LARGE_ALIGN ? 256 : ATTILA_LARGE_ALIGN,
                  address = (next + align - 1) & ~(align - 1);
   if (address + size > MEMORY)
      fail("the surrogate needs more than %u MB of GPU memory", (unsigned)MEMORY >> 20);
   next = address + (uint32_t)size;
   return address;
}

uint32_t
upload(const void *data, size_t size)
{
   const size_t words = 2 + (size + 3) / 4;
   uint32_t *payload = allocate(words * 4);
   payload[0] = take_memory(size);
   payload[1] = (uint32_t)size | ATTILA_BUFFER_NO_WAIT;
   memcpy(payload + 2, data, size);
   put(&uploads, ATTILA_CMD_WRITE_BUFFER, payload, words);
   return payload[0];
}

void
put_regs(void)
{
   const uint32_t *now = (const uint32_t *)&regs, *sent = (const uint32_t *)&sent_regs;
   for (uint32_t i = 0; i < ATTILA_NUM_REGS; i++) {
      uint32_t payload[1 + ATTILA_NUM_REGS] = {i}, n = 0;
      for (; i < ATTILA_NUM_REGS && now[i] != sent[i]; i++)
         payload[++n] = now[i];
      if (n)
         put(&frame, ATTILA_CMD_WRITE_REGS, payload, 1 + n);
   }
   sent_regs = regs;
}

void
add_line(struct text *t, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   t->length += (size_t)vsnprintf(t->all + t->length, sizeof(t->all) - t->length, format, args);
   va_end(args);
   t->all[t->length++] = '\n';
   t->instructions++;
}

void
load_program(unsigned stage, struct text *t)
{
   static struct program {
      char *text;
      struct attila_cmd_program command;
   } programs[512];
   static const struct program *loaded[ATTILA_NUM_STAGES];
   struct program *p = programs;
   struct attila_isa_program isa;
   char error[256];
   add_line(t, "END");
   while (p->text && strcmp(p->text, t->all))
      if (++p == programs + sizeof(programs) / sizeof(programs[0]) - 1)
         fail("more than 511 programs");
   if (!p->text) {
      if (!attila_isa_assemble(t->all, &isa, error, sizeof(error)))
         fail("%s", error);
      const size_t size = attila_isa_encoded_size(&isa);
      void *binary = allocate(size);
      attila_isa_encode(&isa, binary);
      p->text = memcpy(allocate(t->length), t->all, t->length);
      p->command = (struct attila_cmd_program){stage, upload(binary, size), (uint32_t)size};
   }
   if (loaded[stage] != p)
      put(&frame, ATTILA_CMD_LOAD_PROGRAM, &p->command, ATTILA_LOAD_PROGRAM_WORDS);
   loaded[stage] = p;
}

void
put_constants(unsigned stage, const float (*constants)[4], unsigned count)
{
   uint32_t payload[2 + 4 * 16] = {stage, 0};
   memcpy(payload + 2, constants, count * sizeof(*constants));
   put(&frame, ATTILA_CMD_WRITE_CONSTS, payload, 2 + 4 * count);
}

void
write_capture(const char *path)
{
   static const uint32_t reset[] = {ATTILA_CMD_HEADER(ATTILA_CMD_CONTEXT, 1), ATTILA_CONTEXT_RESET};
   char error[512];
   struct sim_capture_writer *w = sim_capture_create(path, MEMORY, error, sizeof(error));
   if (!w)
      fail("%s", error);
   put(&uploads, ATTILA_CMD_END_FRAME, NULL, 0);
   const bool ok = sim_capture_commands(w, reset, 2) &&
                   sim_capture_commands(w, uploads.words, uploads.num) &&
                   sim_capture_commands(w, frame.words, frame.num);
   if (!sim_capture_close(w) || !ok)
      fail("cannot write %s", path);
}
