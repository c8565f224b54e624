/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The simulator inside a library that test_unload.c loads and unloads, as a program does with the
 * OpenGL library that contains the driver. */
#include <stdio.h>
#include "attila_sim.h"

__attribute__((visibility("default"))) int use_simulator(const char *capture_path);

int
use_simulator(const char *capture_path)
{
   char error[512];
   static const char *const overrides[] = {"MEMORYCONTROLLER.MemorySize=16"};
   struct attila_sim_options o = {
       .overrides = overrides, .num_overrides = 1, .capture_path = capture_path};
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim) {
      fprintf(stderr, "%s\n", error);
      return 1;
   }
   attila_sim_destroy(sim);
   return 0;
}
