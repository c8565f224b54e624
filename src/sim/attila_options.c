/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Names of modes, and options from the environment (attila_sim.h).
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "attila_sim.h"

static const char *const mode_names[] = {
#define M(constant, name) [ATTILA_MODE_##constant] = #name,
    ATTILA_MODES(M)
#undef M
};

const char *
attila_mode_name(enum attila_mode mode)
{
   return mode_names[mode];
}

bool
attila_mode_parse(const char *name, enum attila_mode *mode)
{
   for (unsigned m = 0; m < sizeof(mode_names) / sizeof(mode_names[0]); m++) {
      if (!strcasecmp(name, mode_names[m])) {
         *mode = (enum attila_mode)m;
         return true;
      }
   }
   return false;
}

/* Copies live until exit: the library owns them, and the environment may change. */
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER,
                       split_lock = PTHREAD_MUTEX_INITIALIZER;

static const char *
keep(const char *text)
{
   static struct kept {
      struct kept *next;
      char text[];
   } * all;
   if (!text)
      return NULL;
   pthread_mutex_lock(&kept_lock);
   struct kept *k = all;
   while (k && strcmp(k->text, text))
      k = k->next;
   if (!k && (k = malloc(sizeof(*k) + strlen(text) + 1))) {
      strcpy(k->text, text);
      k->next = all;
      all = k;
   }
   pthread_mutex_unlock(&kept_lock);
   return k ? k->text : NULL;
}

/* A program with rights that its caller lacks takes no orders about files from the environment. */
static const char *
variable(const char *name)
{
   const char *value = secure_getenv(name);
   return value && *value ? keep(value) : NULL;
}

static bool
flag(const char *name, bool *out, char *error, size_t size)
{
   const char *v = variable(name);
   if (!v)
      return true;
   static const char *const yes[] = {"1", "true", "yes", "on"}, *const no[] = {"0", "false", "no",
                                                                               "off"};
   for (unsigned i = 0; i < 4; i++) {
      if (!strcasecmp(v, yes[i]) || !strcasecmp(v, no[i])) {
         *out = !strcasecmp(v, yes[i]);
         return true;
      }
   }
   snprintf(error, size, "%s=%s: expected 0 or 1", name, v);
   return false;
}

static bool
count(const char *name, uint32_t *out, char *error, size_t size)
{
   const char *v = variable(name);
   if (!v)
      return true;
   char *end;
   errno = 0;
   unsigned long long number = strtoull(v, &end, 10);
   if (*v < '0' || *v > '9' || *end || errno || number > UINT32_MAX) {
      snprintf(error, size, "%s=%s: expected a number from 0 to %u", name, v, UINT32_MAX);
      return false;
   }
   *out = (uint32_t)number;
   return true;
}

static bool
threads_from_env(struct attila_sim_options *o, char *error, size_t size)
{
   if (!count("ATTILA_THREADS", &o->threads, error, size))
      return false;
   if (!variable("ATTILA_THREADS") || (o->threads && o->threads <= ATTILA_MAX_THREADS))
      return true;
   snprintf(error, size, "ATTILA_THREADS=%u: expected a number from 1 to %u", o->threads,
            ATTILA_MAX_THREADS);
   return false;
}

/* A value of ATTILA_SET and its parts. */
struct split {
   struct split *next;
   const char *text; /* kept */
   unsigned num;
   const char *parts[];
};

static struct split *
split_at_semicolons(const char *text)
{
   size_t most = 1;
   for (const char *c = text; *c; c++)
      most += *c == ';';
   struct split *s = malloc(sizeof(*s) + most * sizeof(s->parts[0]));
   char *copy = strdup(text), *save = NULL;
   bool ok = s && copy;
   if (ok)
      *s = (struct split){.text = text};
   for (char *p = ok ? strtok_r(copy, ";", &save) : NULL; p && ok; p = strtok_r(NULL, ";", &save)) {
      if (p[strspn(p, " \t")])
         ok = (s->parts[s->num++] = keep(p)) != NULL;
   }
   free(copy);
   if (!ok) {
      free(s);
      return NULL;
   }
   return s;
}

static bool
set_overrides(struct attila_sim_options *o, char *error, size_t size)
{
   static struct split *all;
   const char *text = variable("ATTILA_SET");
   if (!text)
      return true;
   pthread_mutex_lock(&split_lock);
   struct split *s = all;
   while (s && s->text != text)
      s = s->next;
   if (!s && (s = split_at_semicolons(text))) {
      s->next = all;
      all = s;
   }
   pthread_mutex_unlock(&split_lock);
   if (!s) {
      snprintf(error, size, "ATTILA_SET: out of host memory");
      return false;
   }
   o->overrides = s->parts;
   o->num_overrides = s->num;
   return true;
}

static bool
frames_from_env(struct attila_sim_options *o, char *error, size_t size)
{
   o->cycle_frames = variable("ATTILA_CYCLE_FRAMES");
   o->cycle_draws = variable("ATTILA_CYCLE_DRAWS");
   o->cycle_label = variable("ATTILA_CYCLE_LABEL");
   if (!count("ATTILA_WARM_UP", &o->warm_up, error, size) ||
       !count("ATTILA_JOBS", &o->jobs, error, size) ||
       !count("ATTILA_JOB_FRAMES", &o->job_frames, error, size))
      return false;
   if (o->jobs && !o->job_frames)
      o->job_frames = 1;
   /* After the end of a range of whole frames only a worker can stop. */
   const size_t n = o->cycle_frames ? strlen(o->cycle_frames) : 0;
   if (n && (o->cycle_frames[n - 1] != '-' || strchr(o->cycle_frames, ',')) && !o->jobs &&
       !attila_sim_wants_parts(o))
      o->jobs = 1;
   return true;
}

bool
attila_sim_options_from_env(struct attila_sim_options *o, char *error, size_t error_size)
{
   memset(o, 0, sizeof(*o));
   o->config_path = variable("ATTILA_CONFIG");
   o->out_dir = variable("ATTILA_OUT");
   o->capture_path = variable("ATTILA_CAPTURE");
   const char *mode = variable("ATTILA_MODE");
   o->mode = ATTILA_MODE_CYCLE;
   if (mode && !attila_mode_parse(mode, &o->mode)) {
      snprintf(error, error_size, "ATTILA_MODE=%s: expected cycle, half or functional", mode);
      return false;
   }
   if (!count("ATTILA_BOX_ORDER", &o->box_order_seed, error, error_size) ||
       !count("ATTILA_INTERVAL", &o->interval, error, error_size) ||
       !count("ATTILA_TRACE_LIMIT", &o->trace_limit, error, error_size))
      return false;
   o->draws_frames = variable("ATTILA_DRAWS_FRAMES");
   o->draws = variable("ATTILA_DRAWS");
   o->label = variable("ATTILA_LABEL");
   o->draws_columns = variable("ATTILA_DRAWS_COLUMNS");
   o->record = variable("ATTILA_RECORD");
   o->power = variable("ATTILA_POWER");
   o->ideal = variable("ATTILA_IDEAL");
   o->trace_path = variable("ATTILA_TRACE");
   o->trace_cycles = variable("ATTILA_TRACE_CYCLES");
   o->trace_frames = variable("ATTILA_TRACE_FRAMES");
   o->trace_draws = variable("ATTILA_TRACE_DRAWS");
   o->trace_what = variable("ATTILA_TRACE_WHAT");
   o->maps = variable("ATTILA_MAPS");
   o->maps_each = variable("ATTILA_MAPS_EACH");
   if (!frames_from_env(o, error, error_size) || !threads_from_env(o, error, error_size))
      return false;
   if (!set_overrides(o, error, error_size) ||
       !flag("ATTILA_SAVE_FRAMES", &o->save_frames, error, error_size) ||
       !flag("ATTILA_PROGRESS", &o->progress, error, error_size) ||
       !flag("ATTILA_STATUS", &o->status, error, error_size))
      return false;
   if (o->save_frames && !o->out_dir) {
      snprintf(error, error_size, "ATTILA_SAVE_FRAMES needs ATTILA_OUT, the folder for the frames");
      return false;
   }
   if (o->maps && !o->out_dir) {
      snprintf(error, error_size, "ATTILA_MAPS needs ATTILA_OUT, the folder for the maps");
      return false;
   }
   if (o->maps_each && !o->maps) {
      snprintf(error, error_size, "ATTILA_MAPS_EACH needs ATTILA_MAPS, which says what maps");
      return false;
   }
   return true;
}
