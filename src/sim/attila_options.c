/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Options from the environment (attila_sim.h).
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "attila_sim.h"

#define MAX_OVERRIDES 256

/* Copies live until exit: the library owns them, and the environment may change. */
static const char *
keep(const char *text)
{
   static struct kept {
      struct kept *next;
      char text[];
   } * all;
   static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
   if (!text)
      return NULL;
   pthread_mutex_lock(&lock);
   struct kept *k = all;
   while (k && strcmp(k->text, text))
      k = k->next;
   if (!k && (k = malloc(sizeof(*k) + strlen(text) + 1))) {
      strcpy(k->text, text);
      k->next = all;
      all = k;
   }
   pthread_mutex_unlock(&lock);
   return k ? k->text : NULL;
}

static const char *
variable(const char *name)
{
   const char *value = getenv(name);
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
split_overrides(struct attila_sim_options *o, char *error, size_t size)
{
   static const char *list[MAX_OVERRIDES];
   const char *v = variable("ATTILA_SET");
   if (!v)
      return true;
   char *copy = strdup(v), *save = NULL;
   if (!copy) {
      snprintf(error, size, "out of host memory");
      return false;
   }
   unsigned n = 0;
   for (char *part = strtok_r(copy, ";", &save); part; part = strtok_r(NULL, ";", &save)) {
      if (!part[strspn(part, " \t")])
         continue;
      if (n == MAX_OVERRIDES) {
         snprintf(error, size, "ATTILA_SET: more than %u settings", MAX_OVERRIDES);
         free(copy);
         return false;
      }
      list[n++] = keep(part);
   }
   free(copy);
   o->overrides = list;
   o->num_overrides = n;
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
   if (!mode || !strcasecmp(mode, "cycle")) {
      o->mode = ATTILA_MODE_CYCLE;
   } else if (!strcasecmp(mode, "functional")) {
      o->mode = ATTILA_MODE_FUNCTIONAL;
   } else {
      snprintf(error, error_size, "ATTILA_MODE=%s: expected cycle or functional", mode);
      return false;
   }
   const char *order = variable("ATTILA_BOX_ORDER");
   if (order) {
      char *end;
      errno = 0;
      unsigned long long seed = strtoull(order, &end, 10);
      if (*order < '0' || *order > '9' || *end || errno || seed > UINT32_MAX) {
         snprintf(error, error_size, "ATTILA_BOX_ORDER=%s: expected a number from 0 to %u", order,
                  UINT32_MAX);
         return false;
      }
      o->box_order_seed = (uint32_t)seed;
   }
   if (!split_overrides(o, error, error_size) ||
       !flag("ATTILA_SAVE_FRAMES", &o->save_frames, error, error_size) ||
       !flag("ATTILA_PROGRESS", &o->progress, error, error_size))
      return false;
   if (o->save_frames && !o->out_dir) {
      snprintf(error, error_size, "ATTILA_SAVE_FRAMES needs ATTILA_OUT, the folder for the frames");
      return false;
   }
   return true;
}
