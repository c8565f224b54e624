/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Dictionaries of captures (capture/sim_dictionary.h): writes ours, translates streams with another
 * one. The text comes from a file, so it is not trusted. Not here: the file (sim_capture.c). */
#include "capture/sim_dictionary.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/sim_xalloc.h"
#include "decode/sim_fields.h"
#include "hw/attila_cmd.h"
#include "hw/isa/attila_isa.h"

#define NAME_BYTES 64
#define MAX_LINE 128
#define MAX_WORDS 16384 /* of a register file */
#define UNKNOWN UINT32_MAX

struct name {
   const char *name;
   uint32_t number, words; /* words: of commands */
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

/* Numbers in registers, commands and programs. A list's name is a string of its own, so that the
 * preprocessor needs no second list. */
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

/* --- Reading --- */

/* A word of the other register file. */
struct word {
   uint32_t to;                     /* ours; UNKNOWN: none of its fields is known */
   uint32_t known;                  /* bits of known fields */
   uint8_t format_bit, format_bits; /* bits: 0 without a format */
   char unknown[NAME_BYTES];        /* an unknown or moved field of it */
};

struct sim_dictionary {
   bool same;
   uint32_t command[256], format[256]; /* our numbers, or UNKNOWN */
   char command_name[256][NAME_BYTES], format_name[256][NAME_BYTES];
   struct word *word;
   uint32_t num_words;
   uint32_t from[ATTILA_NUM_REGS]; /* the other file's word that becomes ours */
   uint32_t *out;
   size_t num_out, max_out;
};

static bool __attribute__((format(printf, 3, 4)))
dictionary_fail(char *error, size_t error_size, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   vsnprintf(error, error_size, format, args);
   va_end(args);
   return false;
}

static const struct name *
dictionary_find(const struct name *list, size_t num, const char *name)
{
   for (size_t i = 0; i < num; i++) {
      if (!strcmp(list[i].name, name))
         return &list[i];
   }
   return NULL;
}

/* Returns our number of LIST.NAME. */
static uint32_t
dictionary_find_value(const char *name)
{
   const char *list = "";
   for (size_t i = 0; i < NUM(values); i++) {
      const size_t n = strlen(list);
      if (values[i].list)
         list = values[i].list;
      else if (!strncmp(name, list, n) && name[n] == '.' && !strcmp(name + n + 1, values[i].name))
         return values[i].number;
   }
   return UNKNOWN;
}

static bool
dictionary_read_command(struct sim_dictionary *d, uint32_t number, uint32_t words, const char *name,
                        char *error, size_t error_size)
{
   const struct name *ours = dictionary_find(commands, NUM(commands), name);
   if (number > 255)
      return dictionary_fail(error, error_size, "command %s has number %u", name, number);
   if (ours && ours->words != words)
      return dictionary_fail(error, error_size, "command %s has %u words, here it has %u", name,
                             words, ours->words);
   d->command[number] = ours ? ours->number : UNKNOWN;
   snprintf(d->command_name[number], NAME_BYTES, "%s", name);
   d->same &= ours && ours->number == number;
   return true;
}

static bool
dictionary_read_format(struct sim_dictionary *d, uint32_t number, const char *name, char *error,
                       size_t error_size)
{
   const struct name *ours = dictionary_find(formats, NUM(formats), name);
   if (number > 255)
      return dictionary_fail(error, error_size, "format %s has number %u", name, number);
   d->format[number] = ours ? ours->number : UNKNOWN;
   snprintf(d->format_name[number], NAME_BYTES, "%s", name);
   d->same &= ours && ours->number == number;
   return true;
}

/* Opcodes and values: a known name must have our number, an unknown one none of ours. */
static bool
dictionary_read_fixed(struct sim_dictionary *d, const char *what, uint32_t number, const char *name,
                      uint32_t ours, char *error, size_t error_size)
{
   if (ours != UNKNOWN && ours != number)
      return dictionary_fail(error, error_size, "%s %s is number %u, here it is number %u", what,
                             name, number, ours);
   d->same &= ours == number;
   return true;
}

/* Reads a word with one of its fields. */
static void
dictionary_read_word(struct sim_dictionary *d, const struct sim_field *ours, uint32_t word,
                     uint32_t to, uint32_t bit, uint32_t bits, const char *name)
{
   struct word *w = &d->word[word];
   const bool fits = ours && ours->bit == bit && ours->bits == bits && to < ATTILA_NUM_REGS &&
                     (w->to == UNKNOWN || w->to == to) &&
                     (d->from[to] == UNKNOWN || d->from[to] == word);
   d->same &= fits && word == to;
   if (!fits) {
      memcpy(w->unknown, name, NAME_BYTES);
      return;
   }
   w->to = to;
   d->from[to] = word;
   w->known |= (bits == 32 ? ~0u : (1u << bits) - 1) << bit;
   if (strstr(ours->doc, "enum attila_format")) {
      w->format_bit = (uint8_t)bit;
      w->format_bits = (uint8_t)bits;
   }
}

static bool
dictionary_read_register(struct sim_dictionary *d, const uint32_t n[5], const char *name,
                         char *error, size_t error_size)
{
   const uint32_t word = n[0], bit = n[1], bits = n[2], count = n[3], stride = n[4];
   if (!bits || bit > 31 || bits > 32 - bit || !count || count > MAX_WORDS || stride > MAX_WORDS ||
       word >= MAX_WORDS || (uint64_t)word + (uint64_t)(count - 1) * stride >= MAX_WORDS)
      return dictionary_fail(error, error_size, "register %s has no such place", name);
   unsigned num;
   const struct sim_field *ours = sim_fields(&num), *end = ours + num;
   while (ours < end && (ours->instance || strcmp(ours->name, name)))
      ours++;
   const uint32_t last = word + (count - 1) * stride;
   for (; d->num_words <= last; d->num_words++)
      d->word[d->num_words] = (struct word){.to = UNKNOWN};
   for (uint32_t i = 0; i < count; i++) {
      const bool known = ours < end && i < ours->instances;
      dictionary_read_word(d, known ? ours : NULL, word + i * stride,
                           known ? ours->word + i * ours->stride : UNKNOWN, bit, bits, name);
   }
   return true;
}

static bool
dictionary_read_line(struct sim_dictionary *d, const char *line, char *error, size_t error_size)
{
   char name[NAME_BYTES] = "";
   uint32_t n[5];
   int end = 0;
   const struct name *ours;
   if (sscanf(line, "command %u %u %63s%n", &n[0], &n[1], name, &end) == 3 && !line[end])
      return dictionary_read_command(d, n[0], n[1], name, error, error_size);
   if (sscanf(line, "format %u %63s%n", &n[0], name, &end) == 2 && !line[end])
      return dictionary_read_format(d, n[0], name, error, error_size);
   if (sscanf(line, "opcode %u %63s%n", &n[0], name, &end) == 2 && !line[end]) {
      ours = dictionary_find(opcodes, NUM(opcodes), name);
      return dictionary_read_fixed(d, "opcode", n[0], name, ours ? ours->number : UNKNOWN, error,
                                   error_size);
   }
   if (sscanf(line, "value %u %63s%n", &n[0], name, &end) == 2 && !line[end])
      return dictionary_read_fixed(d, "value", n[0], name, dictionary_find_value(name), error,
                                   error_size);
   if (sscanf(line, "register %u %u %u %u %u %63s%n", &n[0], &n[1], &n[2], &n[3], &n[4], name,
              &end) == 6 &&
       !line[end])
      return dictionary_read_register(d, n, name, error, error_size);
   return dictionary_fail(error, error_size, "\"%s\" is no line of a dictionary", line);
}

static bool
dictionary_is_ours(const char *text, size_t size)
{
   size_t n;
   char *ours = sim_dictionary_text(&n);
   const bool same = n == size && !memcmp(ours, text, n);
   free(ours);
   return same;
}

struct sim_dictionary *
sim_dictionary_read(const char *text, size_t size, char *error, size_t error_size)
{
   struct sim_dictionary *d = sim_xcalloc(1, sizeof(*d));
   d->word = sim_xcalloc(MAX_WORDS, sizeof(*d->word));
   d->same = true;
   if (dictionary_is_ours(text, size))
      return d;
   memset(d->command, 0xff, sizeof(d->command));
   memset(d->format, 0xff, sizeof(d->format));
   memset(d->from, 0xff, sizeof(d->from));
   for (const char *at = text, *end = text + size; at < end;) {
      char line[MAX_LINE];
      const char *stop = memchr(at, '\n', (size_t)(end - at));
      const size_t n = (size_t)((stop ? stop : end) - at);
      snprintf(line, sizeof(line), "%.*s", (int)(n < MAX_LINE ? n : MAX_LINE), at);
      if (!dictionary_read_line(d, line, error, error_size)) {
         sim_dictionary_free(d);
         return NULL;
      }
      at += n + 1;
   }
   return d;
}

void
sim_dictionary_free(struct sim_dictionary *d)
{
   if (!d)
      return;
   free(d->word);
   free(d->out);
   free(d);
}

bool
sim_dictionary_same(const struct sim_dictionary *d)
{
   return d->same;
}

/* --- Translating --- */

static void
dictionary_put(struct sim_dictionary *d, uint32_t word)
{
   if (d->num_out == d->max_out) {
      d->max_out = 2 * d->max_out + 1024;
      d->out = sim_xrealloc(d->out, d->max_out * sizeof(*d->out));
   }
   d->out[d->num_out++] = word;
}

static bool
dictionary_format(const struct sim_dictionary *d, uint32_t *format, char *error, size_t error_size)
{
   const uint32_t ours = *format < 256 ? d->format[*format] : UNKNOWN;
   if (ours == UNKNOWN)
      return dictionary_fail(error, error_size, "format %u (%s) is unknown here", *format,
                             *format < 256 ? d->format_name[*format] : "");
   *format = ours;
   return true;
}

static bool
dictionary_write_regs(struct sim_dictionary *d, const uint32_t *payload, uint32_t words,
                      char *error, size_t error_size)
{
   size_t header = 0;
   uint32_t next = UNKNOWN;
   for (uint32_t i = 1; i < words; i++) {
      const uint64_t at = (uint64_t)payload[0] + i - 1;
      uint32_t value = payload[i];
      if (at >= d->num_words)
         return dictionary_fail(error, error_size, "register word %llu is not in the dictionary",
                                (unsigned long long)at);
      const struct word *w = &d->word[at];
      if (value & ~w->known)
         return dictionary_fail(error, error_size, "register %s cannot be written here",
                                w->unknown[0] ? w->unknown : "of an unused bit");
      if (w->to == UNKNOWN)
         continue;
      if (w->format_bits) {
         const uint32_t mask = (w->format_bits == 32 ? ~0u : (1u << w->format_bits) - 1)
                               << w->format_bit;
         uint32_t format = (value & mask) >> w->format_bit;
         if (!dictionary_format(d, &format, error, error_size))
            return false;
         value = (value & ~mask) | (format << w->format_bit & mask);
      }
      if (w->to != next) {
         header = d->num_out;
         dictionary_put(d, ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_REGS, 1));
         dictionary_put(d, w->to);
      }
      dictionary_put(d, value);
      d->out[header] += ATTILA_CMD_HEADER(0, 1);
      next = w->to + 1;
   }
   return true;
}

/* Returns the word of a command's payload with a format, or UNKNOWN. */
static uint32_t
dictionary_format_word(uint32_t op, const uint32_t *payload)
{
   if (op == ATTILA_CMD_SWAP)
      return offsetof(struct attila_cmd_swap, format) / 4;
   if (op == ATTILA_CMD_BLIT &&
       payload[offsetof(struct attila_cmd_blit, resolve) / 4] == ATTILA_RESOLVE_AVERAGE)
      return offsetof(struct attila_cmd_blit, format) / 4;
   return UNKNOWN;
}

const uint32_t *
sim_dictionary_translate(struct sim_dictionary *d, const uint32_t *words, size_t num_words,
                         size_t *num_translated, char *error, size_t error_size)
{
   d->num_out = 0;
   for (size_t i = 0; i < num_words;) {
      const uint32_t theirs = ATTILA_CMD_OP(words[i]), n = ATTILA_CMD_WORDS(words[i]),
                     op = d->command[theirs], *payload = words + i + 1;
      const char *name = d->command_name[theirs];
      if (op == UNKNOWN) {
         dictionary_fail(error, error_size, "command %u (%s) is unknown here", theirs, name);
         return NULL;
      }
      if (n > num_words - i - 1 || n < commands[op].words) {
         dictionary_fail(error, error_size, "command %s is not whole", name);
         return NULL;
      }
      if (op == ATTILA_CMD_WRITE_REGS) {
         if (!dictionary_write_regs(d, payload, n, error, error_size))
            return NULL;
      } else {
         const uint32_t format = dictionary_format_word(op, payload);
         dictionary_put(d, ATTILA_CMD_HEADER(op, n));
         for (uint32_t w = 0; w < n; w++) {
            uint32_t value = payload[w];
            if (w == format && !dictionary_format(d, &value, error, error_size))
               return NULL;
            dictionary_put(d, value);
         }
      }
      i += 1 + (size_t)n;
   }
   *num_translated = d->num_out;
   return d->out;
}
