/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command Processor: LOAD_PROGRAM and the contents of the shaders' instruction memory. A program
 * that is there is not read again; only its address changes. A program that does not fit evicts all
 * others, as in the last release's driver. Not here: what a program means
 * (decode/sim_programs.c). */
#include "box/command/cp.h"

#include <stdlib.h>

#define INSTRUCTION_BYTES 16

static uint32_t
cp_program_instructions(uint32_t bytes)
{
   return (bytes + INSTRUCTION_BYTES - 1) / INSTRUCTION_BYTES;
}

static bool
cp_program_is_loaded(const struct cp *cp, const struct attila_cmd_program *p)
{
   for (uint32_t i = 0; i < cp->num_loaded; i++) {
      if (cp->loaded[i].address == p->address && cp->loaded[i].size == p->size)
         return true;
   }
   return false;
}

static void
cp_program_note_loaded(struct cp *cp, const struct attila_cmd_program *p)
{
   const uint32_t room = cp->box.gpu->config.cp.instruction_memory,
                  used = cp_program_instructions(p->size);
   if (cp->instructions + used > room || cp->num_loaded == CP_PROGRAMS)
      cp->num_loaded = cp->instructions = 0;
   if (used > room)
      return;
   cp->loaded[cp->num_loaded].address = p->address;
   cp->loaded[cp->num_loaded++].size = p->size;
   cp->instructions += used;
}

void
cp_program_hold(struct cp *cp, const struct attila_cmd_program *p)
{
   if (!cp_program_is_loaded(cp, p))
      cp_program_note_loaded(cp, p);
}

void
cp_programs_written(struct cp *cp, uint64_t start, uint64_t end)
{
   uint32_t kept = 0;
   for (uint32_t i = 0; i < cp->num_loaded; i++) {
      const uint64_t address = cp->loaded[i].address, size = cp->loaded[i].size;
      if (address < end && address + size > start)
         cp->instructions -= cp_program_instructions((uint32_t)size);
      else
         cp->loaded[kept++] = cp->loaded[i];
   }
   cp->num_loaded = kept;
}

/* Reads the binary; false until all of it has arrived. */
static bool
cp_program_read_program(struct cp *cp, const struct attila_cmd_program *p, sim_tick now)
{
   if (cp->phase == 0) {
      /* The binary may just have been written. */
      if (cp->writes || !cp_listed_resolved(cp, p->address, (uint64_t)p->address + p->size, now))
         return false;
      if (cp->program_size < p->size) {
         free(cp->program);
         cp->program = malloc(p->size);
         cp->program_size = p->size;
      }
      cp->at = 0;
      cp->phase = 1;
   }
   while (cp->at < p->size) {
      uint32_t piece = cp_dma_piece(cp, p->address, p->size);
      if (!cp_dma_read(cp, now, p->address + cp->at, cp->program + cp->at, piece))
         return false;
      cp->at += piece;
   }
   return cp->reads == 0;
}

bool
cp_exec_load_program(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   const struct attila_cmd_program *p = (const struct attila_cmd_program *)payload;
   struct sim_device *device = cp->box.gpu->device;
   /* A loaded program has not been written since, so memory still holds it. */
   const uint8_t *binary = device->memory + p->address;
   if (cp->phase == 0 && cp_program_is_loaded(cp, p)) {
      cp->stat[cp->work_id].programs_held++;
   } else {
      if (!cp_program_read_program(cp, p, now))
         return false;
      binary = cp->program;
      cp_program_note_loaded(cp, p);
   }
   char error[256];
   if (!sim_frontend_load_program(device->frontend, payload, cp->words - 1, binary, error,
                                  sizeof(error)))
      sim_error(&cp->box, "LOAD_PROGRAM at 0x%x: %s", p->address, error);
   return true;
}
