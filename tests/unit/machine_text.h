/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A configuration or a simulator of a machine that a test wrote as text: what --set would set,
 * with semicolons between, as many settings as there are. Not here: the texts (random_machines.h,
 * random_config.h). */
#ifndef TEST_MACHINE_TEXT_H
#define TEST_MACHINE_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "attila_sim.h"
#include "config/sim_config.h"

/* Sets what a text says; group is put before each key: "" or "SECTION.". False with a message:
 * a setting is refused. */
static inline bool
machine_set(struct sim_config *c, const char *group, const char *machine, char *error, size_t size)
{
   char *const copy = strdup(machine), setting[256];
   bool ok = true;
   for (char *save = NULL, *p = strtok_r(copy, ";", &save); ok && p;
        p = strtok_r(NULL, ";", &save)) {
      snprintf(setting, sizeof(setting), "%s%s", group, p);
      ok = sim_config_set(c, setting, error, size);
   }
   free(copy);
   return ok;
}

/* megabytes: of memory, if the machine does not say it. o.overrides is not read. The test fails if
 * the machine cannot be made. The caller destroys the simulator. */
static inline struct attila_sim *
machine_create(struct attila_sim_options o, unsigned megabytes, const char *machine)
{
   const size_t size = strlen(machine) + 64;
   char error[512] = "", *const text = malloc(size);
   const char **const overrides = malloc(size * sizeof(*overrides));
   snprintf(text, size, "MEMORYCONTROLLER.MemorySize=%u;%s", megabytes, machine);
   o.num_overrides = 0;
   for (char *save = NULL, *p = strtok_r(text, ";", &save); p; p = strtok_r(NULL, ";", &save))
      overrides[o.num_overrides++] = p;
   o.overrides = overrides;
   struct attila_sim *const sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim)
      fail_msg("%s", error);
   free(overrides);
   free(text);
   return sim;
}

#endif
