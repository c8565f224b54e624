/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Values of options, and relations of options (sim_options.h). */
#include "options/sim_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "core/sim_file.h"
#include "core/sim_nearest.h"
#include "core/sim_range.h"

#define SIM_OFFSET(member) offsetof(struct attila_sim_options, member)

static const struct sim_option run_options[] = {ATTILA_OPTIONS(SIM_OPTION)};

static const struct sim_relation run_relations[] = {
    ATTILA_RELATIONS(SIM_NEEDS, SIM_EXCLUDES, SIM_TIMED)};

const struct sim_option_table sim_run_options = {
    .options = run_options,
    .num_options = sizeof(run_options) / sizeof(run_options[0]),
    .relations = run_relations,
    .num_relations = sizeof(run_relations) / sizeof(run_relations[0]),
};

/* --- Modes --- */

static const char *const mode_names[] = {
#define M(constant, name) [ATTILA_MODE_##constant] = #name,
    ATTILA_MODES(M)
#undef M
};
#define NUM_MODES (sizeof(mode_names) / sizeof(mode_names[0]))

const char *
attila_mode_name(enum attila_mode mode)
{
   return mode_names[mode];
}

bool
attila_mode_parse(const char *name, enum attila_mode *mode)
{
   for (unsigned m = 0; m < NUM_MODES; m++) {
      if (!strcasecmp(name, mode_names[m])) {
         *mode = (enum attila_mode)m;
         return true;
      }
   }
   return false;
}

/* --- Values --- */

/* A list and its length, as ATTILA_MEMBER_LIST declares them. */
struct list {
   const char *const *item;
   unsigned num;
};

/* Returns whether the first n characters of a text are one of the words. */
static bool
options_is_word(const char *words, const char *text, size_t n)
{
   for (const char *w = words; w && *w; w += strcspn(w, " "), w += *w == ' ') {
      if (n == strcspn(w, " ") && !strncmp(w, text, n))
         return true;
   }
   return false;
}

/* Returns whether a file name has one of the endings and something before it. */
static bool
options_has_ending(const char *endings, const char *path)
{
   const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
   const char *dot = *name ? strrchr(name + 1, '.') : NULL;
   return dot && options_is_word(endings, dot, strlen(dot));
}

/* Returns whether a text is a list of some of the words, such as "a,c". */
static bool
options_are_words(const char *words, const char *text)
{
   for (const char *p = text;; p++) {
      const size_t n = strcspn(p, ",");
      if (!options_is_word(words, p, n))
         return false;
      p += n;
      if (!*p)
         return true;
   }
}

static bool
options_is_text(enum sim_option_type type)
{
   return type == SIM_OPTION_TEXT || type == SIM_OPTION_PATH || type == SIM_OPTION_CHOICE ||
          type == SIM_OPTION_WORDS || type == SIM_OPTION_RANGES || type == SIM_OPTION_SPAN ||
          type == SIM_OPTION_PICKS || type == SIM_OPTION_START;
}

static bool
options_set_flag(bool *flag, const char *text)
{
   static const char *const yes[] = {"1", "true", "yes", "on"};
   static const char *const no[] = {"0", "false", "no", "off"};
   for (unsigned i = 0; i < 4; i++) {
      if (!strcasecmp(text, yes[i]) || !strcasecmp(text, no[i])) {
         *flag = !strcasecmp(text, yes[i]);
         return true;
      }
   }
   return false;
}

static bool
options_number_is_good(const struct sim_option *o, uint32_t number)
{
   return number >= o->low && (!o->high || number <= o->high);
}

static bool
options_set_number(const struct sim_option *o, uint32_t *number, const char *text)
{
   uint32_t value;
   const char *p = text;
   if (!sim_range_number(&p, &value) || *p || !options_number_is_good(o, value))
      return false;
   *number = value;
   return true;
}

static bool
options_set_range(struct sim_option_range *range, const char *text)
{
   struct sim_option_range value = {.given = true};
   const char *p = text;
   if (!sim_range_parse(&p, &value.first, &value.last) || *p)
      return false;
   *range = value;
   return true;
}

static bool
options_are_ranges(const char *text)
{
   uint32_t first, last;
   for (const char *p = text; sim_range_parse(&p, &first, &last); p++) {
      if (*p != ',')
         return !*p;
   }
   return false;
}

static bool
options_are_picks(const char *text)
{
   uint32_t frame, first, last;
   for (const char *p = text; sim_range_draws(&p, &frame, &first, &last); p++) {
      if (*p != ',')
         return !*p;
   }
   return false;
}

static bool
options_text_is_good(const struct sim_option *o, const char *text)
{
   uint32_t number;
   uint64_t first, last;
   const char *p = text;
   if (o->type == SIM_OPTION_CHOICE)
      return options_is_word(o->words, text, strlen(text));
   if (o->type == SIM_OPTION_WORDS)
      return options_are_words(o->words, text);
   if (o->endings)
      return options_has_ending(o->endings, text);
   if (o->type == SIM_OPTION_RANGES)
      return options_are_ranges(text);
   if (o->type == SIM_OPTION_SPAN)
      return sim_range_span(text, &first, &last);
   if (o->type == SIM_OPTION_PICKS)
      return options_are_picks(text);
   if (o->type == SIM_OPTION_START)
      return sim_range_number(&p, &number) && !*p;
   return *text;
}

static bool
options_set_text(const struct sim_option *o, const char **member, const char *text)
{
   if (!options_text_is_good(o, text))
      return false;
   char *copy = malloc(strlen(text) + 2);
   if (!copy)
      return false;
   sprintf(copy, "%s%s", text, o->type == SIM_OPTION_START ? "-" : "");
   free((char *)*member);
   *member = copy;
   return true;
}

/* This is no structure assignment, because another member may lie in the padding of the struct. */
static void
options_clear(struct list *list)
{
   list->item = NULL;
   list->num = 0;
}

static bool
options_append(struct list *list, const char *text, size_t length)
{
   const char **grown = realloc((void *)list->item, (list->num + 1) * sizeof(*grown));
   if (!grown)
      return false;
   list->item = grown;
   grown[list->num] = strndup(text, length);
   return grown[list->num] && ++list->num;
}

static bool
options_is_assignment(const char *text, size_t length)
{
   const char *equals = memchr(text, '=', length), *dot = memchr(text, '.', length);
   return equals && dot && dot < equals;
}

static bool
options_set_list(struct list *list, const char *text)
{
   for (const char *p = text; *p; p += *p == ';') {
      p += strspn(p, " \t");
      const size_t length = strcspn(p, ";");
      if (length && (!options_is_assignment(p, length) || !options_append(list, p, length)))
         return false;
      p += length;
   }
   return true;
}

bool
sim_option_set(const struct sim_option *o, void *base, const char *text)
{
   void *member = (char *)base + o->offset;
   switch (o->type) {
   case SIM_OPTION_FLAG:
      return options_set_flag(member, text);
   case SIM_OPTION_NUMBER:
      return options_set_number(o, member, text);
   case SIM_OPTION_RANGE:
      return options_set_range(member, text);
   case SIM_OPTION_MODE:
      return attila_mode_parse(text, member);
   case SIM_OPTION_LIST:
      return options_set_list(member, text);
   default:
      return options_set_text(o, member, text);
   }
}

/* Writes "a, b or c" for words that are separated by spaces. */
static void
options_alternatives(const char *words, char *text, size_t size)
{
   size_t at = 0;
   *text = '\0';
   while (*words && at < size) {
      const int n = (int)strcspn(words, " ");
      const char *between = !at ? "" : strchr(words, ' ') ? ", " : " or ";
      at += (size_t)snprintf(text + at, size - at, "%s%.*s", between, n, words);
      words += n + (words[n] == ' ');
   }
}

void
sim_option_expected(const struct sim_option *o, char *text, size_t size)
{
   static const char *const what[] = {
       [SIM_OPTION_FLAG] = "0 or 1",
       [SIM_OPTION_TEXT] = "at least one character",
       [SIM_OPTION_PATH] = "a path",
       [SIM_OPTION_RANGES] = "a list such as 3,10-20,50-",
       [SIM_OPTION_SPAN] = "A or A-B with B not below A",
       [SIM_OPTION_PICKS] = "a list of FRAME:DRAW, FRAME:FIRST-LAST or FRAME:FIRST- such as "
                            "0:3,7:10-20",
       [SIM_OPTION_LIST] = "SECTION.KEY=VALUE",
       [SIM_OPTION_RANGE] = "A, A-B or A-",
       [SIM_OPTION_START] = "a whole number",
   };
   if (o->type == SIM_OPTION_NUMBER) {
      snprintf(text, size, "a whole number from %u to %u", o->low, o->high ? o->high : UINT32_MAX);
   } else if (o->type == SIM_OPTION_CHOICE || o->type == SIM_OPTION_MODE) {
      options_alternatives(o->words, text, size);
   } else if (o->endings) {
      size_t at = (size_t)snprintf(text, size, "a file that ends in ");
      options_alternatives(o->endings, text + at, size - at);
   } else if (o->type == SIM_OPTION_WORDS) {
      snprintf(text, size, "words with commas between them, of ");
      options_alternatives(o->words, text + strlen(text), size - strlen(text));
   } else {
      snprintf(text, size, "%s", what[o->type]);
   }
}

bool
sim_option_given(const struct sim_option *o, const void *base)
{
   const void *member = (const char *)base + o->offset;
   switch (o->type) {
   case SIM_OPTION_FLAG:
      return *(const bool *)member;
   case SIM_OPTION_NUMBER:
      return *(const uint32_t *)member != 0;
   case SIM_OPTION_RANGE:
      return ((const struct sim_option_range *)member)->given;
   case SIM_OPTION_MODE:
      return *(const enum attila_mode *)member != ATTILA_MODE_CYCLE;
   case SIM_OPTION_LIST:
      return ((const struct list *)member)->num != 0;
   default:
      return *(const char *const *)member != NULL;
   }
}

char *
sim_option_text(const struct sim_option *o, const void *base)
{
   const void *member = (const char *)base + o->offset;
   const struct list *list = member;
   char *text = NULL;
   size_t size = 0;
   FILE *f = sim_option_given(o, base) ? open_memstream(&text, &size) : NULL;
   if (!f)
      return NULL;
   if (o->type == SIM_OPTION_FLAG)
      fputs("1", f);
   else if (o->type == SIM_OPTION_NUMBER)
      fprintf(f, "%u", *(const uint32_t *)member);
   else if (o->type == SIM_OPTION_MODE)
      fputs(attila_mode_name(*(const enum attila_mode *)member), f);
   else if (options_is_text(o->type))
      fputs(*(const char *const *)member, f);
   for (unsigned i = 0; o->type == SIM_OPTION_LIST && i < list->num; i++)
      fprintf(f, "%s%s", i ? ";" : "", list->item[i]);
   return fclose(f) ? NULL : text;
}

/* --- All options --- */

void
sim_option_label(const struct sim_option_table *t, size_t offset, enum sim_command from,
                 char *label, size_t size)
{
   const struct sim_option *best = NULL, *o = t->options;
   for (; o < t->options + t->num_options; o++) {
      if (o->offset != offset)
         continue;
      if (from < SIM_NUM_COMMANDS && o->commands >> from & 1) {
         if (o->name)
            snprintf(label, size, "--%s", o->name);
         else
            snprintf(label, size, "-%c", o->letter);
         return;
      }
      if (!best)
         best = o;
   }
   snprintf(label, size, "%s",
            from != SIM_FROM_PROGRAM && best->variable ? best->variable : best->member);
}

/* Rejects likely misspellings of our variables, with a message. Scripts and users may have other
 * variables with this prefix, and attila-run sets some for the preloaded library
 * (cli_options_table.h). */
static bool
options_check_names(const struct sim_option_table *t, char *error, size_t error_size)
{
   static const char prefix[] = "ATTILA_", hook[] = "ATTILA_HOOK_";
   const size_t skip = sizeof(prefix) - 1;
   for (char **e = environ; e && *e; e++) {
      char name[64];
      const char *meant = NULL;
      if (strncmp(*e, prefix, skip) || !strncmp(*e, hook, sizeof(hook) - 1) ||
          strcspn(*e, "=") >= sizeof(name))
         continue;
      snprintf(name, sizeof(name), "%.*s", (int)strcspn(*e, "="), *e);
      struct sim_nearest near = {.wanted = name + skip};
      for (const struct sim_option *o = t->options; o < t->options + t->num_options; o++) {
         if (o->variable && !strncmp(o->variable, prefix, skip) &&
             sim_nearest_is(&near, o->variable + skip))
            meant = o->variable;
      }
      if (meant && near.differences) {
         snprintf(error, error_size, "%s is no variable of Attila; is it %s?", name, meant);
         return false;
      }
   }
   return true;
}

bool
sim_options_read_environment(const struct sim_option_table *t, void *base, char *error,
                             size_t error_size)
{
   char expected[200];
   if (!options_check_names(t, error, error_size))
      return false;
   for (const struct sim_option *o = t->options; o < t->options + t->num_options; o++) {
      /* A setuid program takes no paths from the environment. */
      const char *text = o->variable ? secure_getenv(o->variable) : NULL;
      if (text && *text && !sim_option_set(o, base, text)) {
         sim_option_expected(o, expected, sizeof(expected));
         snprintf(error, error_size, "%s=%s: expected %s", o->variable, text, expected);
         return false;
      }
   }
   return true;
}

/* Finds an option by its offset; *taken: this caller may set it. Returns whether it is set. */
static bool
options_find(const struct sim_option_table *t, const void *base, size_t offset,
             enum sim_command from, bool *taken)
{
   bool given = false;
   *taken = from == SIM_FROM_PROGRAM;
   for (const struct sim_option *o = t->options; o < t->options + t->num_options; o++) {
      if (o->offset == offset) {
         given |= sim_option_given(o, base);
         *taken |= from < SIM_NUM_COMMANDS ? o->commands >> from & 1 : o->variable != NULL;
      }
   }
   return given;
}

/* Checks values that were not set from text. */
static bool
options_check_values(const struct sim_option_table *t, const void *base, char *error,
                     size_t error_size)
{
   for (const struct sim_option *o = t->options; o < t->options + t->num_options; o++) {
      const void *member = (const char *)base + o->offset;
      char expected[200], *text;
      if (!sim_option_given(o, base) ||
          (o->type == SIM_OPTION_NUMBER
               ? options_number_is_good(o, *(const uint32_t *)member)
               : !options_is_text(o->type) ||
                     options_text_is_good(o, *(const char *const *)member)))
         continue;
      text = sim_option_text(o, base);
      sim_option_expected(o, expected, sizeof(expected));
      snprintf(error, error_size, "%s \"%s\": expected %s", o->member, text ? text : "", expected);
      free(text);
      return false;
   }
   return true;
}

bool
sim_options_check(const struct sim_option_table *t, const void *base, enum sim_command from,
                  char *error, size_t error_size)
{
   const bool functional =
       ((const struct attila_sim_options *)base)->mode == ATTILA_MODE_FUNCTIONAL;
   if (from == SIM_FROM_PROGRAM && !options_check_values(t, base, error, error_size))
      return false;
   for (const struct sim_relation *r = t->relations; r < t->relations + t->num_relations; r++) {
      char who[64], other[64], either[64];
      bool taken, either_taken;
      if (!options_find(t, base, r->who, from, &taken) ||
          (from < SIM_NUM_COMMANDS && r->but >> from & 1))
         continue;
      const bool one = options_find(t, base, r->other, from, &taken);
      const bool some = options_find(t, base, r->either, from, &either_taken) || one;
      sim_option_label(t, r->who, from, who, sizeof(who));
      sim_option_label(t, r->other, from, other, sizeof(other));
      sim_option_label(t, r->either, from, either, sizeof(either));
      if (r->kind == SIM_RELATION_NEEDS && !some) {
         if (r->either == r->other || !either_taken || !taken)
            snprintf(error, error_size, "%s needs %s", who, taken ? other : either);
         else
            snprintf(error, error_size, "%s needs %s or %s", who, other, either);
         return false;
      }
      if (r->kind == SIM_RELATION_EXCLUDES && one) {
         snprintf(error, error_size, "%s and %s exclude each other", who, other);
         return false;
      }
      if (r->kind == SIM_RELATION_TIMED && functional) {
         snprintf(error, error_size, "%s needs cycle or half mode: functional mode has no time",
                  who);
         return false;
      }
   }
   return true;
}

/* Returns whether a path lies in a folder that another option makes. */
static bool
options_is_in_made(const struct sim_option_table *t, const void *base, const char *path)
{
   for (const struct sim_option *o = t->options; o < t->options + t->num_options; o++) {
      const char *folder = o->made == SIM_MADE_FOLDER && sim_option_given(o, base)
                               ? *(const char *const *)((const char *)base + o->offset)
                               : NULL;
      const size_t n = folder ? strlen(folder) : 0;
      if (n && !strncmp(path, folder, n) && (path[n] == '/' || folder[n - 1] == '/'))
         return true;
   }
   return false;
}

bool
sim_options_check_made(const struct sim_option_table *t, const void *base, enum sim_command from,
                       char *error, size_t error_size)
{
   for (const struct sim_option *o = t->options; o < t->options + t->num_options; o++) {
      if (!o->made || !(o->commands >> from & 1) || !sim_option_given(o, base))
         continue;
      const char *path = *(const char *const *)((const char *)base + o->offset);
      if (access(path, F_OK) && options_is_in_made(t, base, path))
         continue;
      if (!sim_file_can_make(path, o->made == SIM_MADE_FOLDER, error, error_size))
         return false;
   }
   return true;
}

void
sim_options_free(const struct sim_option_table *t, void *base)
{
   for (const struct sim_option *o = t->options; o < t->options + t->num_options; o++) {
      void *member = (char *)base + o->offset;
      struct list *list = member;
      if (options_is_text(o->type)) {
         free((char *)*(const char **)member);
         *(const char **)member = NULL;
      } else if (o->type == SIM_OPTION_LIST) {
         for (unsigned i = 0; i < list->num; i++)
            free((char *)list->item[i]);
         free((void *)list->item);
         options_clear(list);
      }
   }
}

/* --- struct attila_sim_options --- */

void
sim_options_drop_timed(struct attila_sim_options *o)
{
   for (const struct sim_option *p = run_options; p < run_options + sim_run_options.num_options;
        p++) {
      for (unsigned r = 0; r < sim_run_options.num_relations; r++) {
         if (run_relations[r].kind != SIM_RELATION_TIMED || run_relations[r].who != p->offset)
            continue;
         if (p->type == SIM_OPTION_NUMBER)
            *(uint32_t *)((char *)o + p->offset) = 0;
         else
            *(const char **)((char *)o + p->offset) = NULL;
      }
   }
}

bool
sim_options_live(struct attila_sim_options *o, char *error, size_t error_size)
{
   if (o->mode == ATTILA_MODE_FUNCTIONAL)
      return true; /* sim_options_check refuses ranges of frames */
   if (o->jobs && !o->job_frames)
      o->job_frames = 1;
   /* The program goes on after a range of whole frames: only a worker can stop there. */
   const size_t n = o->cycle_frames ? strlen(o->cycle_frames) : 0;
   if (!n || (o->cycle_frames[n - 1] == '-' && !strchr(o->cycle_frames, ',')) || o->jobs ||
       attila_sim_wants_parts(o))
      return true;
   o->jobs = 1;
   if (!o->out_dir)
      snprintf(error, error_size,
               "frames %s end before the program does, so a worker simulates them, and it needs a "
               "folder for its reports (--out, ATTILA_OUT)",
               o->cycle_frames);
   return o->out_dir;
}

bool
attila_sim_options_from_env(struct attila_sim_options *o, char *error, size_t error_size)
{
   memset(o, 0, sizeof(*o));
   const bool ok = sim_options_read_environment(&sim_run_options, o, error, error_size) &&
                   sim_options_live(o, error, error_size) &&
                   sim_options_check(&sim_run_options, o, SIM_FROM_ENVIRONMENT, error, error_size);
   if (!ok)
      attila_sim_options_free(o);
   return ok;
}

bool
attila_sim_options_copy(struct attila_sim_options *to, const struct attila_sim_options *from)
{
   *to = *from;
   bool ok = true;
   for (unsigned i = 0; i < sim_run_options.num_options; i++) {
      const struct sim_option *o = &run_options[i];
      const void *old = (const char *)from + o->offset;
      void *new = (char *)to + o->offset;
      const struct list *list = old;
      const char *text = options_is_text(o->type) ? *(const char *const *)old : NULL;
      if (text) {
         *(const char **)new = ok ? strdup(text) : NULL;
         ok = *(const char **)new != NULL;
      } else if (o->type == SIM_OPTION_LIST) {
         options_clear(new);
         for (unsigned k = 0; k < list->num && ok; k++)
            ok = options_append(new, list->item[k], strlen(list->item[k]));
      }
   }
   if (!ok)
      attila_sim_options_free(to);
   return ok;
}

void
attila_sim_options_free(struct attila_sim_options *o)
{
   sim_options_free(&sim_run_options, o);
}
