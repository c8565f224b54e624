/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The cache of decoded programs: a hash table by content, and a list of unused ones, of which the
 * one unused for longest is dropped first. Not here: programs' meaning (emul/shader). */
#include "decode/sim_programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/sim_xalloc.h"
#include "hw/attila_cmd.h"

#define BUCKETS 1024

struct sim_programs {
   struct sim_program *buckets[BUCKETS];
   struct sim_program unused; /* head of a ring: newer is the one unused for longest */
   unsigned num_unused, count;
};

struct sim_programs *
sim_programs_create(void)
{
   struct sim_programs *p = sim_xcalloc(1, sizeof(*p));
   p->unused.older = p->unused.newer = &p->unused;
   return p;
}

static void
programs_destroy(struct sim_program *program)
{
   emul_program_destroy(program->program);
   free(program->binary);
   free(program->note);
   free(program);
}

void
sim_programs_destroy(struct sim_programs *p)
{
   for (unsigned i = 0; p && i < BUCKETS; i++) {
      while (p->buckets[i]) {
         struct sim_program *program = p->buckets[i];
         p->buckets[i] = program->next_in_bucket;
         programs_destroy(program);
      }
   }
   free(p);
}

static uint64_t
programs_hash_bytes(const void *data, size_t size)
{
   const uint8_t *p = data;
   uint64_t h = 0xcbf29ce484222325ull ^ size;
   for (; size >= 8; size -= 8, p += 8) {
      uint64_t w;
      memcpy(&w, p, 8);
      h = (h ^ w) * 0x9e3779b97f4a7c15ull;
      h ^= h >> 29;
   }
   for (; size; size--)
      h = (h ^ *p++) * 0x100000001b3ull;
   return h ^ h >> 32;
}

/* Removes a program from the unused ones. */
static void
programs_unlink_unused(struct sim_programs *p, struct sim_program *program)
{
   program->older->newer = program->newer;
   program->newer->older = program->older;
   p->num_unused--;
}

static void
programs_forget_oldest(struct sim_programs *p)
{
   struct sim_program *oldest = p->unused.newer;
   struct sim_program **at = &p->buckets[oldest->hash % BUCKETS];
   while (*at != oldest)
      at = &(*at)->next_in_bucket;
   *at = oldest->next_in_bucket;
   programs_unlink_unused(p, oldest);
   programs_destroy(oldest);
   p->count--;
}

static struct sim_program *
programs_decode(unsigned stage, const void *binary, size_t size, char *error, size_t error_size)
{
   struct attila_isa_program isa;
   if (!attila_isa_decode(binary, size, &isa, error, error_size))
      return NULL;
   if (isa.stage != stage) {
      snprintf(error, error_size, "a %s program loaded for the %s stage",
               attila_stage_name(isa.stage), attila_stage_name(stage));
      attila_isa_free(&isa);
      return NULL;
   }
   struct sim_program *program = sim_xcalloc(1, sizeof(*program));
   program->size = size;
   program->stage = stage;
   program->binary = sim_xmalloc(size ? size : 1);
   memcpy(program->binary, binary, size);
   program->program = sim_xcheck(emul_program_create(&isa));
   attila_isa_free(&isa);
   return program;
}

/* Copies a note that fits the program. */
static void
programs_annotate(struct sim_program *program, const uint32_t *note, uint32_t words)
{
   if (!words || (note[0] && note[0] != emul_program_isa(program->program)->num_instrs))
      return;
   program->note = sim_xmalloc(words * sizeof(*note));
   memcpy(program->note, note, words * sizeof(*note));
   program->note_words = words;
}

/* Returns whether a note may be that of the program. Later loads of a program have none; another
 * program may have taken its place in memory. */
static bool
programs_has_note(const struct sim_program *program, const uint32_t *note, uint32_t words)
{
   return !words || !program->note ||
          (program->note_words == words && !memcmp(program->note, note, words * sizeof(*note)));
}

struct sim_program *
sim_programs_get(struct sim_programs *p, const uint32_t *payload, uint32_t words,
                 const void *binary, char *error, size_t error_size)
{
   const uint32_t stage = payload[0], address = payload[1], size = payload[2],
                  *note = payload + ATTILA_LOAD_PROGRAM_WORDS;
   const uint32_t note_words = words - ATTILA_LOAD_PROGRAM_WORDS;
   if (stage >= ATTILA_NUM_STAGES) {
      snprintf(error, error_size, "program for stage %u", stage);
      return NULL;
   }
   const uint64_t hash = programs_hash_bytes(binary, size);
   struct sim_program **bucket = &p->buckets[hash % BUCKETS], *program = *bucket, *annotated = NULL;
   for (; program; program = program->next_in_bucket) {
      if (program->hash != hash || program->size != size || program->stage != stage ||
          memcmp(program->binary, binary, size))
         continue;
      if (program->address == address && programs_has_note(program, note, note_words))
         break;
      annotated = program->note ? program : annotated;
   }
   if (!program) {
      program = programs_decode(stage, binary, size, error, error_size);
      if (!program)
         return NULL;
      program->hash = hash;
      program->address = address;
      program->next_in_bucket = *bucket; /* the last one is found first */
      *bucket = program;
      p->count++;
   } else if (!program->refs) {
      programs_unlink_unused(p, program);
   }
   if (!program->note)
      programs_annotate(program, note, note_words);
   /* A restored program (sim_frontend_commands.c) had its note at another address. */
   if (!program->note && annotated)
      programs_annotate(program, annotated->note, annotated->note_words);
   program->refs++;
   return program;
}

void
sim_programs_release(struct sim_programs *p, struct sim_program *program)
{
   if (!program || --program->refs)
      return;
   program->older = p->unused.older;
   program->newer = &p->unused;
   program->older->newer = program->newer->older = program;
   if (++p->num_unused > SIM_PROGRAMS_KEPT)
      programs_forget_oldest(p);
}

#define MAX_BINARY (1u << 24) /* bytes of a program in a snapshot */

struct sim_program *
sim_program_state(struct sim_programs *p, struct sim_program *program, struct sim_state *s)
{
   char name[sizeof(program->name)] = "", error[256];
   struct attila_cmd_program load = {0};
   uint32_t note_words = program ? program->note_words : 0;
   if (program) {
      load = (struct attila_cmd_program){program->stage, program->address, (uint32_t)program->size};
      memcpy(name, program->name, sizeof(name));
   }
   SIM_STATE(s, load);
   SIM_STATE_TEXT(s, name);
   SIM_STATE(s, note_words);
   if (!s->load) {
      sim_state_bytes(s, program ? program->binary : NULL, load.size);
      sim_state_bytes(s, program ? program->note : NULL, note_words * sizeof(*program->note));
      return program;
   }
   if (!load.size || !sim_state_check(s, load.size <= MAX_BINARY && load.size <= s->size - s->at))
      return NULL;
   const void *binary = s->data + s->at;
   s->at += load.size;
   if (!sim_state_check(s, note_words <= ATTILA_CMD_MAX_WORDS - ATTILA_LOAD_PROGRAM_WORDS &&
                               note_words * sizeof(uint32_t) <= s->size - s->at))
      return NULL;
   const uint32_t words = ATTILA_LOAD_PROGRAM_WORDS + note_words;
   uint32_t *payload = sim_xmalloc(words * sizeof(*payload));
   memcpy(payload, &load, sizeof(load));
   sim_state_bytes(s, payload + ATTILA_LOAD_PROGRAM_WORDS, note_words * sizeof(*payload));
   program = NULL;
   if (sim_state_check(s, !note_words || attila_program_note_valid(
                                             payload + ATTILA_LOAD_PROGRAM_WORDS, note_words)))
      program = sim_programs_get(p, payload, words, binary, error, sizeof(error));
   free(payload);
   if (sim_state_check(s, program))
      memcpy(program->name, name, sizeof(name));
   return program;
}

void
sim_programs_state(struct sim_programs *p, struct sim_state *s)
{
   uint32_t num = p->num_unused;
   SIM_STATE(s, num);
   if (!s->load) {
      for (struct sim_program *i = p->unused.newer; i != &p->unused; i = i->newer)
         sim_program_state(p, i, s);
      return;
   }
   while (p->num_unused)
      programs_forget_oldest(p);
   for (uint32_t i = 0; i < num && sim_state_check(s, num <= SIM_PROGRAMS_KEPT); i++)
      sim_programs_release(p, sim_program_state(p, NULL, s));
}

unsigned
sim_programs_count(const struct sim_programs *p)
{
   return p->count;
}
