/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Dictionaries of captures (sim_dictionary.h): writing ours, and comparing a file's with it. The
 * text of a file is not trusted. Not here: the file (sim_capture.c). */
#include "capture/sim_dictionary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/sim_xalloc.h"
#include "decode/sim_fields.h"
#include "hw/attila_cmd.h"
#include "hw/isa/attila_isa.h"

#define MAX_LINE 128 /* bytes */

struct name {
   const char *name;
   uint32_t number, words; /* words: of a command */
};

/* clang-format off */
#define C(NAME, name, words, doc) {#NAME, ATTILA_CMD_##NAME, words},
static const struct name commands[] = {ATTILA_COMMANDS(C)};
#undef C
#define F(name, ...) {#name, ATTILA_FORMAT_##name, 0},
static const struct name formats[] = {ATTILA_FORMATS(F)};
#undef F
#define O(name, ...) {#name, ATTILA_OP_##name, 0},
static const struct name opcodes[] = {ATTILA_ISA_OPCODES(O)};
#undef O
/* clang-format on */

/* Numbers that registers, commands and programs hold. The text of a list's name is a string of its
 * own, so that the preprocessor needs no second list. */
static const struct value {
   const char *list, *name;
   uint32_t number;
} values[] = {
#define E(name, value) {NULL, #name, value},
#define X(enum_name, list) {#enum_name, NULL, 0}, list(E)
    ATTILA_ENUMS(X)
#undef X
#undef E
#define P(name) {NULL, #name, ATTILA_PRIM_##name},
        {"attila_prim", NULL, 0},
    ATTILA_PRIMS(P)
#undef P
#define P(name, doc) {NULL, #name, ATTILA_COUNTER_##name},
        {"attila_counter", NULL, 0},
    ATTILA_COUNTERS(P)
#undef P
#define P(name) {NULL, #name, ATTILA_TEX_##name},
        {"attila_tex_target", NULL, 0},
    ATTILA_TEX_TARGETS(P)
#undef P
#define P(name, ...) {NULL, #name, ATTILA_FILE_##name},
        {"attila_isa_file", NULL, 0},
    ATTILA_ISA_FILES(P)
#undef P
};
#define NUM(array) (sizeof(array) / sizeof(array[0]))

/* --- Writing --- */

char *
sim_dictionary_text(size_t *size)
{
   char *text = NULL;
   FILE *f = open_memstream(&text, size);
   if (!f)
      sim_out_of_memory();
   for (size_t i = 0; i < NUM(commands); i++)
      fprintf(f, "command %u %u %s\n", commands[i].number, commands[i].words, commands[i].name);
   for (size_t i = 0; i < NUM(formats); i++)
      fprintf(f, "format %u %s\n", formats[i].number, formats[i].name);
   for (size_t i = 0; i < NUM(opcodes); i++)
      fprintf(f, "opcode %u %s\n", opcodes[i].number, opcodes[i].name);
   const char *list = "";
   for (size_t i = 0; i < NUM(values); i++) {
      if (values[i].list)
         list = values[i].list;
      else
         fprintf(f, "value %u %s.%s\n", values[i].number, list, values[i].name);
   }
   unsigned num;
   const struct sim_field *field = sim_fields(&num);
   for (const struct sim_field *end = field + num; field < end; field++) {
      if (!field->instance)
         fprintf(f, "register %u %u %u %u %u %s\n", field->word, field->bit, field->bits,
                 field->instances, field->stride, field->name);
   }
   if (fclose(f))
      sim_out_of_memory();
   return text;
}

/* --- Checking --- */

/* Returns whether the line is one of our registers with a lower COUNT than now. A register that
 * grows has at least the file's COUNT of elements here. */
static bool
dictionary_has_grown(const char *line)
{
   uint32_t word, bit, bits, count, stride;
   char name[MAX_LINE];
   unsigned num;
   int end = 0;
   if (sscanf(line, "register %u %u %u %u %u %s%n", &word, &bit, &bits, &count, &stride, name,
              &end) != 6 ||
       line[end])
      return false;
   const struct sim_field *f = sim_fields(&num), *last = f + num;
   while (f < last && (f->instance || strcmp(f->name, name)))
      f++;
   return f < last && f->word == word && f->bit == bit && f->bits == bits && count &&
          count <= f->instances && (count == 1 || stride == f->stride);
}

bool
sim_dictionary_check(const char *text, size_t size, char *error, size_t error_size)
{
   size_t n;
   char *ours = sim_dictionary_text(&n);
   bool ok = true;
   for (const char *at = text, *end = text + size; at < end && ok; at += n + 1) {
      char line[MAX_LINE + 1];
      const char *stop = memchr(at, '\n', (size_t)(end - at));
      n = (size_t)((stop ? stop : end) - at);
      snprintf(line, sizeof(line), "%.*s\n", (int)(n < MAX_LINE ? n : MAX_LINE - 1), at);
      const char *found = strstr(ours, line);
      line[strcspn(line, "\n")] = '\0';
      ok = strlen(line) == n &&
           ((found && (found == ours || found[-1] == '\n')) || dictionary_has_grown(line));
      if (!ok)
         snprintf(error, error_size,
                  "\"%s\" is not in the dictionary of this version, so the capture is of a later "
                  "version or of a branch: replay it there",
                  line);
   }
   free(ours);
   return ok;
}
