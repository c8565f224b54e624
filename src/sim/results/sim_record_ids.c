/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Programs, and the surfaces that draws have bound: each different one is written once, and rows
 * refer to it by number. Two are the same when 64 bits of a hash of them are.
 */
#include <stdlib.h>
#include <string.h>
#include "hw/isa/attila_isa.h"
#include "results/sim_record_impl.h"

void
record_ids_free(struct record_ids *ids)
{
   free(ids->entry);
}

static struct record_id *
record_ids_find(const struct record_ids *ids, uint64_t hash)
{
   uint32_t i = (uint32_t)(hash ^ hash >> 32) & (ids->size - 1);
   while (ids->entry[i].hash && ids->entry[i].hash != hash)
      i = (i + 1) & (ids->size - 1);
   return &ids->entry[i];
}

static bool
record_ids_grow(struct record_ids *ids)
{
   struct record_ids bigger = {.num = ids->num, .size = ids->size ? ids->size * 2 : 256};
   if (ids->num * 2 < ids->size)
      return true;
   bigger.entry = calloc(bigger.size, sizeof(*bigger.entry));
   if (!bigger.entry)
      return false;
   for (uint32_t i = 0; i < ids->size; i++) {
      if (ids->entry[i].hash)
         *record_ids_find(&bigger, ids->entry[i].hash) = ids->entry[i];
   }
   free(ids->entry);
   *ids = bigger;
   return true;
}

/* The number of a hash; *fresh: nobody had asked for it. 0 without host memory. */
static uint32_t
record_ids_number_of(struct record_ids *ids, uint64_t hash, bool *fresh)
{
   *fresh = false;
   if (!record_ids_grow(ids))
      return 0;
   hash += !hash;
   struct record_id *id = record_ids_find(ids, hash);
   if (!id->hash) {
      *id = (struct record_id){hash, ++ids->num};
      *fresh = true;
   }
   return id->id;
}

static uint64_t
record_ids_mix(uint64_t hash, const void *data, size_t size)
{
   const uint32_t *word = data;
   for (; size >= 4; size -= 4)
      hash = (hash ^ *word++) * 0x9e3779b97f4a7c15ull + (hash >> 29);
   return hash;
}

/* Instructions by what executes them. */
static void
record_ids_count_classes(const struct attila_isa_program *isa, unsigned *alu, unsigned *texture,
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

/* --- Programs --- */

static void
record_ids_put_program(struct sim_record *rec, uint32_t number,
                       const struct sim_record_program *program)
{
   const struct attila_isa_program *isa = program->isa;
   sqlite3_stmt *s = record_put(rec, TABLE_programs);
   char hex[24];
   unsigned alu, texture, flow;
   char *code = attila_isa_disassemble(isa);
   record_ids_count_classes(isa, &alu, &texture, &flow);
   snprintf(hex, sizeof(hex), "%016llx", (unsigned long long)program->hash);
   record_number(s, IN_programs_program, number);
   record_text(s, IN_programs_stage,
               program->stage == SIM_RECORD_SETUP ? "setup" : attila_stage_name(program->stage));
   record_text(s, IN_programs_name, program->name && program->name[0] ? program->name : NULL);
   record_text(s, IN_programs_hash, hex);
   record_number(s, IN_programs_instructions, isa->num_instrs);
   record_number(s, IN_programs_alu, alu);
   record_number(s, IN_programs_texture, texture);
   record_number(s, IN_programs_flow, flow);
   record_number(s, IN_programs_registers, attila_isa_registers(isa));
   record_number(s, IN_programs_first_frame, program->frame);
   record_text(s, IN_programs_code, code);
   record_text(s, IN_programs_source, program->note.source);
   record_step(rec, s);
   record_costs_describe(rec, number, code, &program->note);
   rec->staged = true;
   free(code);
}

uint32_t
sim_record_program(struct sim_record *rec, const struct sim_record_program *program)
{
   bool fresh;
   if (!record_usable(rec))
      return 0;
   const uint32_t number = record_ids_number_of(
       &rec->programs, record_ids_mix(program->hash, &program->stage, sizeof(program->stage)),
       &fresh);
   if (fresh)
      record_ids_put_program(rec, number, program);
   return number;
}

/* --- Bindings --- */

static void
record_ids_put_binding(struct sim_record *rec, uint32_t number, const struct sim_record_surface *b)
{
   sqlite3_stmt *s = record_put(rec, TABLE_bindings);
   char slot[24];
   if (b->state.slot < 0)
      snprintf(slot, sizeof(slot), "depth");
   else
      snprintf(slot, sizeof(slot), "%s%d", b->state.texture ? "texture" : "color", b->state.slot);
   record_number(s, IN_bindings_bindings, number);
   record_text(s, IN_bindings_slot, slot);
   record_number(s, IN_bindings_address, b->state.address);
   record_text(s, IN_bindings_format, b->format);
   record_text(s, IN_bindings_target, b->target);
   record_number(s, IN_bindings_width, b->state.width);
   record_number(s, IN_bindings_height, b->state.height);
   record_number(s, IN_bindings_depth, b->state.depth);
   record_number(s, IN_bindings_levels, b->state.levels);
   record_number(s, IN_bindings_samples, b->state.samples);
   record_text(s, IN_bindings_label, b->label);
   record_step(rec, s);
   rec->staged = true;
}

uint32_t
sim_record_bindings(struct sim_record *rec, const struct sim_record_surface *surfaces, unsigned num)
{
   bool fresh;
   uint64_t hash = 0;
   if (!record_usable(rec))
      return 0;
   for (unsigned i = 0; i < num; i++)
      hash = record_ids_mix(hash, &surfaces[i].state, sizeof(surfaces[i].state));
   const uint32_t number = record_ids_number_of(&rec->bindings, hash, &fresh);
   for (unsigned i = 0; i < num && fresh; i++)
      record_ids_put_binding(rec, number, &surfaces[i]);
   return number;
}
