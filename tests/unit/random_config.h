/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Random machines: every number and switch of a machine may change, so a new parameter is
 * tried without a line here. Texts keep their defaults. Include after random_scene.h (rnd,
 * chance). */
#ifndef RANDOM_CONFIG_H
#define RANDOM_CONFIG_H

#include "config/sim_config.h"

struct random_param {
   const char *section, *name; /* "SECTION.Key" */
   uint32_t def, min, max;
};

static const struct random_param random_params[] = {
#define P(section, key, member, def, min, max, unit, doc) \
   {#section, #section "." #key, def, min, max},
#define B(section, key, member, def, doc) {#section, #section "." #key, def, 0, 1},
#define T(section, key, member, def, doc)
#define S(section, member) SIM_PARAMS_##section(P, B, T)
    SIM_SECTIONS(S)
#undef P
#undef B
#undef T
#undef S
};
#define NUM_RANDOM_PARAMS (sizeof(random_params) / sizeof(random_params[0]))

/* From a quarter of the default to four times as much, often the smallest, or a power of two, which
 * many parameters must be. */
static uint32_t
random_value(const struct random_param *p)
{
   uint64_t low = p->def / 4 > p->min ? p->def / 4 : p->min,
            high = 4ull * p->def + 8 < p->max ? 4ull * p->def + 8 : p->max;
   if (chance(20))
      return (uint32_t)low;
   uint64_t v = low + rnd((uint32_t)(high - low < 0x7fffffff ? high - low + 1 : 0x7fffffff));
   if (chance(50)) {
      uint64_t power = 1;
      while (2 * power <= v)
         power *= 2;
      v = power >= low ? power : v;
   }
   return (uint32_t)v;
}

/* Assignments of a machine that sim_config_check accepts, separated by semicolons: base, which may
 * be empty, and random ones that agree with it. */
static void
random_config(uint64_t number, const char *base, char *text, size_t size)
{
   struct sim_config config;
   char error[512];
   size_t length = strlen(base);
   seed = number * 104729 + 3;
   sim_config_defaults(&config);
   assert_true(length < size);
   strcpy(text, base);
   for (const char *p = base; *p; p += strspn(p, ";")) {
      char one[128];
      const size_t n = strcspn(p, ";");
      snprintf(one, sizeof(one), "%.*s", (int)n, p);
      assert_true(sim_config_set(&config, one, error, sizeof(error)));
      p += n;
   }
   for (unsigned i = 0; i < NUM_RANDOM_PARAMS; i++) {
      const struct random_param *p = &random_params[i];
      char one[128];
      struct sim_config with = config;
      /* Limits of the simulator are not the machine's; the memory is that of the scenes. */
      if (!strcmp(p->section, "SIMULATOR") || !strcmp(p->name, "MEMORYCONTROLLER.MemorySize") ||
          !chance(30))
         continue;
      snprintf(one, sizeof(one), "%s=%u", p->name, random_value(p));
      if (!sim_config_set(&with, one, error, sizeof(error)) ||
          !sim_config_check(&with, error, sizeof(error)))
         continue;
      config = with;
      assert_true(length + strlen(one) + 2 < size);
      length += (size_t)sprintf(text + length, "%s%s", length ? ";" : "", one);
   }
}

#endif
