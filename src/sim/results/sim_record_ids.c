/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Programs, the surfaces that draws have bound, and the state of draws: each is written once, and
 * rows refer to it by number (measure/sim_numbers.c, decode/sim_pipeline.c). Of a state only what
 * differs from the one before is written. */
#include <stdlib.h>
#include "hw/isa/attila_isa.h"
#include "results/sim_record_impl.h"

/* Counts instructions by the unit that executes them. */
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

void
sim_record_program(struct sim_record *rec, uint32_t number, const struct sim_seen_program *program)
{
   if (!record_usable(rec))
      return;
   const struct attila_isa_program *isa = program->isa;
   sqlite3_stmt *s = record_put(rec, TABLE_programs);
   char hex[24];
   unsigned alu, texture, flow;
   char *code = attila_isa_disassemble(isa);
   record_ids_count_classes(isa, &alu, &texture, &flow);
   snprintf(hex, sizeof(hex), "%016llx", (unsigned long long)program->hash);
   record_number(s, IN_programs_program, number);
   record_text(s, IN_programs_stage,
               program->stage == SIM_STAGE_SETUP ? "setup" : attila_stage_name(program->stage));
   record_text(s, IN_programs_name, program->name && program->name[0] ? program->name : NULL);
   record_text(s, IN_programs_hash, hex);
   record_number(s, IN_programs_instructions, isa->num_instrs);
   record_number(s, IN_programs_alu, alu);
   record_number(s, IN_programs_texture, texture);
   record_number(s, IN_programs_flow, flow);
   record_number(s, IN_programs_registers, attila_isa_registers(isa));
   record_number(s, IN_programs_first_frame, rec->measure->observed->frame);
   record_text(s, IN_programs_code, code);
   record_text(s, IN_programs_source, program->note.source);
   record_text(s, IN_programs_uniforms, program->note.uniforms);
   record_number(s, IN_programs_order_dependent, isa->storage_order);
   record_step(rec, s);
   record_costs_describe(rec, number, code, &program->note);
   rec->staged = true;
   free(code);
}

/* --- Bindings --- */

static void
record_ids_put_binding(struct sim_record *rec, uint32_t number, const struct sim_seen_surface *b)
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

void
sim_record_bindings(struct sim_record *rec, uint32_t number,
                    const struct sim_seen_surface *surfaces, unsigned num)
{
   for (unsigned i = 0; i < num && record_usable(rec); i++)
      record_ids_put_binding(rec, number, &surfaces[i]);
}

/* --- The state of draws --- */

void
sim_record_pipeline(struct sim_record *rec, uint32_t number,
                    const struct sim_pipeline_change *changes, unsigned num)
{
   sqlite3_stmt *item = rec ? record_put(rec, TABLE_pipeline_items) : NULL,
                *put = rec ? record_put(rec, TABLE_pipelines) : NULL;
   for (unsigned i = 0; i < num && record_usable(rec); i++) {
      const struct sim_pipeline_change *c = &changes[i];
      if (c->is_new) {
         record_number(item, IN_pipeline_items_item, c->item);
         record_word(item, IN_pipeline_items_part, c->part);
         record_number_or_null(item, IN_pipeline_items_number, c->number >= 0, (uint64_t)c->number);
         record_text(item, IN_pipeline_items_name, c->name);
         record_text(item, IN_pipeline_items_type, c->type);
         record_number_or_null(item, IN_pipeline_items_program, c->program, c->program);
         record_step(rec, item);
      }
      record_number(put, IN_pipelines_pipeline, number);
      record_number(put, IN_pipelines_item, c->item);
      record_text(put, IN_pipelines_value, c->absent ? NULL : c->value);
      record_step(rec, put);
      rec->staged = true;
   }
}
