/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Programs, and the surfaces that draws have bound: each different one is written once, and rows
 * refer to it by number. Two are the same when 64 bits of a hash of them are. The simulator finds
 * the number, and hands over what is new (sim_writer.h).
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "hw/isa/attila_isa.h"
#include "results/sim_record_impl.h"

void
record_ids_free(struct record_ids *ids)
{
   free(ids->slot);
}

static struct record_id *
find(const struct record_ids *ids, uint64_t hash)
{
   uint32_t i = (uint32_t)(hash ^ hash >> 32) & (ids->size - 1);
   while (ids->slot[i].hash && ids->slot[i].hash != hash)
      i = (i + 1) & (ids->size - 1);
   return &ids->slot[i];
}

static bool
grow(struct record_ids *ids)
{
   struct record_ids bigger = {.num = ids->num, .size = ids->size ? ids->size * 2 : 256};
   if (ids->num * 2 < ids->size)
      return true;
   bigger.slot = calloc(bigger.size, sizeof(*bigger.slot));
   if (!bigger.slot)
      return false;
   for (uint32_t i = 0; i < ids->size; i++) {
      if (ids->slot[i].hash)
         *find(&bigger, ids->slot[i].hash) = ids->slot[i];
   }
   free(ids->slot);
   *ids = bigger;
   return true;
}

/* The number of a hash; *fresh: nobody had asked for it. 0 without host memory. */
static uint32_t
number_of(struct record_ids *ids, uint64_t hash, bool *fresh)
{
   *fresh = false;
   if (!grow(ids))
      return 0;
   hash += !hash;
   struct record_id *id = find(ids, hash);
   if (!id->hash) {
      *id = (struct record_id){hash, ++ids->num};
      *fresh = true;
   }
   return id->id;
}

static uint64_t
mix(uint64_t hash, const void *data, size_t size)
{
   const uint32_t *word = data;
   for (; size >= 4; size -= 4)
      hash = (hash ^ *word++) * 0x9e3779b97f4a7c15ull + (hash >> 29);
   return hash;
}

/* Instructions by what executes them. */
static void
count_classes(const struct attila_isa_program *isa, unsigned *alu, unsigned *texture,
              unsigned *flow)
{
   *alu = *texture = *flow = 0;
   for (uint32_t i = 0; i < isa->num_instrs; i++) {
      switch (attila_isa_ops[isa->instrs[i].op].cls) {
      case ATTILA_CLASS_TEXTURE:
         ++*texture;
         break;
      case ATTILA_CLASS_FLOW:
         ++*flow;
         break;
      default:
         ++*alu;
         break;
      }
   }
}

static const char *const stages[] = {[ATTILA_STAGE_VERTEX] = "vertex",
                                     [ATTILA_STAGE_FRAGMENT] = "fragment",
                                     [SIM_RECORD_SETUP] = "setup"};

/* --- Numbers --- */

uint32_t
sim_record_number_program(struct sim_record *rec, const struct sim_record_program *program,
                          bool *fresh)
{
   return number_of(&rec->programs, mix(program->hash, &program->stage, sizeof(program->stage)),
                    fresh);
}

uint32_t
sim_record_number_bindings(struct sim_record *rec, const struct sim_record_surface *surfaces,
                           unsigned num, bool *fresh)
{
   uint64_t hash = 0;
   for (unsigned i = 0; i < num; i++)
      hash = mix(hash, &surfaces[i].state, sizeof(surfaces[i].state));
   return number_of(&rec->bindings, hash, fresh);
}

/* --- Handing over --- */

struct handed_program {
   uint32_t number;
   struct sim_record_program program;
   struct attila_isa_program isa;
   max_align_t data[]; /* instructions, literals, name */
};

static void
write_program(void *report, void *data)
{
   struct sim_report *r = report;
   struct handed_program *h = data;
   h->program.isa = &h->isa;
   sim_record_program(r->record, h->number, &h->program);
}

void
report_hand_over_program(struct sim_report *r, uint32_t number,
                         const struct sim_record_program *program)
{
   const struct attila_isa_program *isa = program->isa;
   const size_t instrs = isa->num_instrs * sizeof(*isa->instrs);
   const size_t literals = isa->num_literals * sizeof(*isa->literals);
   const size_t name = program->name ? strlen(program->name) + 1 : 0;
   const size_t size = sizeof(struct handed_program) + instrs + literals + name;
   struct handed_program *h = sim_writer_begin(r->writer, size);
   if (!h)
      return;
   uint8_t *at = (uint8_t *)h->data;
   *h = (struct handed_program){.number = number, .program = *program, .isa = *isa};
   if (instrs)
      h->isa.instrs = memcpy(at, isa->instrs, instrs);
   if (literals)
      h->isa.literals = memcpy(at + instrs, isa->literals, literals);
   if (name)
      h->program.name = memcpy(at + instrs + literals, program->name, name);
   sim_writer_end(r->writer, write_program, r, size);
}

struct handed_bindings {
   uint32_t number, num;
   struct sim_record_surface surfaces[];
};

static void
write_bindings(void *report, void *data)
{
   struct sim_report *r = report;
   const struct handed_bindings *h = data;
   sim_record_bindings(r->record, h->number, h->surfaces, h->num);
}

void
report_hand_over_bindings(struct sim_report *r, uint32_t number,
                          const struct sim_record_surface *surfaces, unsigned num)
{
   const size_t size = sizeof(struct handed_bindings) + num * sizeof(*surfaces);
   struct handed_bindings *h = sim_writer_begin(r->writer, size);
   if (!h)
      return;
   h->number = number;
   h->num = num;
   memcpy(h->surfaces, surfaces, num * sizeof(*surfaces));
   sim_writer_end(r->writer, write_bindings, r, size);
}

/* --- Writing --- */

void
sim_record_program(struct sim_record *rec, uint32_t number,
                   const struct sim_record_program *program)
{
   if (!record_usable(rec))
      return;
   const struct attila_isa_program *isa = program->isa;
   sqlite3_stmt *s = rec->put_program;
   char hex[24];
   unsigned alu, texture, flow;
   char *code = attila_isa_disassemble(isa);
   count_classes(isa, &alu, &texture, &flow);
   snprintf(hex, sizeof(hex), "%016llx", (unsigned long long)program->hash);
   record_enter(rec);
   record_begin(rec);
   record_number(s, 1, number);
   record_text(s, 2, stages[program->stage]);
   record_text(s, 3, program->name && program->name[0] ? program->name : NULL);
   record_text(s, 4, hex);
   record_number(s, 5, isa->num_instrs);
   record_number(s, 6, alu);
   record_number(s, 7, texture);
   record_number(s, 8, flow);
   record_number(s, 9, attila_isa_registers(isa));
   record_number(s, 10, program->frame);
   record_text(s, 11, code);
   record_step(rec, s);
   record_costs_describe(rec, number, code);
   record_leave(rec);
   free(code);
}

static void
put_binding(struct sim_record *rec, uint32_t number, const struct sim_record_surface *b)
{
   sqlite3_stmt *s = rec->put_binding;
   char slot[24];
   if (b->state.slot < 0)
      snprintf(slot, sizeof(slot), "depth");
   else
      snprintf(slot, sizeof(slot), "%s%d", b->state.texture ? "texture" : "color", b->state.slot);
   record_begin(rec);
   record_number(s, 1, number);
   record_text(s, 2, slot);
   record_number(s, 3, b->state.address);
   record_text(s, 4, b->format);
   record_text(s, 5, b->target);
   record_number(s, 6, b->state.width);
   record_number(s, 7, b->state.height);
   record_number(s, 8, b->state.depth);
   record_number(s, 9, b->state.levels);
   record_number(s, 10, b->state.samples);
   record_text(s, 11, b->label);
   record_step(rec, s);
}

void
sim_record_bindings(struct sim_record *rec, uint32_t number,
                    const struct sim_record_surface *surfaces, unsigned num)
{
   if (!record_usable(rec))
      return;
   record_enter(rec);
   for (unsigned i = 0; i < num; i++)
      put_binding(rec, number, &surfaces[i]);
   record_leave(rec);
}
