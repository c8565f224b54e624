/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reads the keys of [DVFS] (config/sim_dvfs_config.h). */
#include "config/sim_dvfs_config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "config/sim_config_impl.h"
#include "units/units.h"

struct text {
   char *error;
   size_t size;
};

static bool __attribute__((format(printf, 2, 3)))
dvfs_config_complain(const struct text *t, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   vsnprintf(t->error, t->size, format, args);
   va_end(args);
   return false;
}

static bool
dvfs_config_read_policy(struct sim_dvfs_config *d, const char *text, const struct text *t)
{
   static const char *const names[] = {
#define P(name, file, doc) #name,
       SIM_DVFS_POLICIES(P)
#undef P
           "OFF"};
   char all[256] = "";
   for (unsigned i = 0; i <= SIM_DVFS_OFF; i++) {
      if (!strcasecmp(names[i], text)) {
         d->policy = (enum sim_dvfs_policy)i;
         return true;
      }
      snprintf(all + strlen(all), sizeof(all) - strlen(all), " %s", names[i]);
   }
   return dvfs_config_complain(t, "DVFS.Policy = \"%s\": expected one of%s", text, all);
}

/* Returns a domain's number; num_domains: unknown name. */
static unsigned
dvfs_config_find_domain(const struct sim_dvfs_config *d, const char *name, size_t length)
{
   unsigned i = 0;
   while (i < d->num_domains &&
          (strlen(d->domain[i].name) != length || strncasecmp(d->domain[i].name, name, length)))
      i++;
   return i;
}

static bool
dvfs_config_add_group(struct sim_dvfs_config *d, enum sim_dvfs_group group, const char *key,
                      const char *name, const struct text *t)
{
   const unsigned i = dvfs_config_find_domain(d, name, strlen(name));
   if (!name[0] || strpbrk(name, " ,"))
      return dvfs_config_complain(t, "DVFS.%s = \"%s\": expected the name of a domain, one word",
                                  key, name);
   if (i == SIM_DVFS_MAX_DOMAINS)
      return dvfs_config_complain(t, "DVFS.%s = \"%s\": there are %u domains already", key, name,
                                  SIM_DVFS_MAX_DOMAINS);
   if (i == d->num_domains) {
      snprintf(d->domain[i].name, sizeof(d->domain[i].name), "%s", name);
      d->domain[i].percent = 100;
      d->num_domains++;
   }
   d->of_group[group] = i;
   return true;
}

/* Requires a domain that can change. */
static bool
dvfs_config_need_domain(const struct sim_dvfs_config *d, const char *key, const char *name,
                        size_t length, unsigned *number, const struct text *t)
{
   char all[SIM_DVFS_MAX_DOMAINS * SIM_TEXT_SIZE] = "";
   *number = dvfs_config_find_domain(d, name, length);
   if (*number && *number < d->num_domains)
      return true;
   for (unsigned i = 1; i < d->num_domains; i++)
      snprintf(all + strlen(all), sizeof(all) - strlen(all), " %s", d->domain[i].name);
   return dvfs_config_complain(t, "DVFS.%s: \"%.*s\" is none of the domains that can change:%s",
                               key, (int)length, name, all);
}

/* Returns the next word of a comma-separated list. */
static const char *
dvfs_config_next_word(const char *s, size_t *length)
{
   s += strspn(s, ", ");
   *length = strcspn(s, ",");
   while (*length && s[*length - 1] == ' ')
      --*length;
   return *length ? s : NULL;
}

/* "geometry 60, memory 80" */
static bool
dvfs_config_read_frequencies(struct sim_dvfs_config *d, const char *text, const struct text *t)
{
   size_t length;
   for (const char *s = text; (s = dvfs_config_next_word(s, &length)) != NULL; s += length) {
      const size_t name = strcspn(s, " ,");
      unsigned number;
      if (!dvfs_config_need_domain(d, "Frequencies", s, name < length ? name : length, &number, t))
         return false;
      char *end;
      const unsigned long percent = strtoul(s + (name < length ? name : length), &end, 10);
      if (end != s + length || percent < 10 || percent > 100)
         return dvfs_config_complain(
             t, "DVFS.Frequencies: \"%.*s\": expected a domain and 10 to 100 (percent)",
             (int)length, s);
      d->domain[number].percent = (unsigned)percent;
   }
   return true;
}

static bool
dvfs_config_read_scaled(struct sim_dvfs_config *d, const char *text, const struct text *t)
{
   size_t length;
   for (const char *s = text; (s = dvfs_config_next_word(s, &length)) != NULL; s += length) {
      unsigned number;
      if (!dvfs_config_need_domain(d, "Scaled", s, length, &number, t))
         return false;
      d->scaled |= 1u << number;
   }
   return true;
}

static bool
dvfs_config_need_scaled(const struct sim_dvfs_config *d, const struct text *t)
{
   if (!d->scaled)
      return dvfs_config_complain(t, "DVFS.Scaled is empty: this policy needs a domain to change");
   return true;
}

static bool
dvfs_config_check_watermark(const struct sim_dvfs_config *d, const struct sim_config *config,
                            const struct text *t)
{
   if (d->front == d->back)
      return dvfs_config_complain(t, "DVFS.FrontDomain and BackDomain are both \"%s\"",
                                  config->dvfs.front);
   if (config->dvfs.restore_low < config->dvfs.low || config->dvfs.high < config->dvfs.restore_high)
      return dvfs_config_complain(
          t,
          "DVFS: expected LowMark (%u) <= RestoreAbove (%u) and RestoreBelow (%u) <= "
          "HighMark (%u)",
          config->dvfs.low, config->dvfs.restore_low, config->dvfs.restore_high, config->dvfs.high);
   return true;
}

/* Whether the machine has the signal is checked later (dvfs.c). */
static bool
dvfs_config_check_queue(const char *queue, const struct text *t)
{
   static const char *const signals[] = {
#define SIG(name, ...) #name,
       SIM_SIGNALS(SIG) SIM_TEX_SIGNALS(SIG)
#undef SIG
   };
   for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
      if (!strcmp(signals[i], queue))
         return true;
   }
   return dvfs_config_complain(t,
                               "DVFS.Queue = \"%s\": expected a signal of "
                               "docs/reference/units.md, such as ts_tt, hz_interp or interp_ffu",
                               queue);
}

/* Keys that the policy does not use are checked, too, unless they have their defaults, which may
 * name domains that this machine lacks. */
static bool
dvfs_config_read_policy_keys(struct sim_dvfs_config *d, const struct sim_config *config,
                             const struct text *t)
{
   const typeof(config->dvfs) *keys = &config->dvfs;
   const bool watermark = d->policy == SIM_DVFS_WATERMARK;
   const bool scaled = d->policy == SIM_DVFS_RACE_TO_IDLE || d->policy == SIM_DVFS_DEADLINE ||
                       d->policy == SIM_DVFS_ORACLE;
   const struct {
      const char *key, *value;
      unsigned *domain;
   } sides[] = {{"FrontDomain", keys->front, &d->front}, {"BackDomain", keys->back, &d->back}};
   if (!dvfs_config_check_queue(keys->queue, t))
      return false;
   for (unsigned i = 0; i < 2; i++) {
      if ((watermark || strcmp(sides[i].value, sim_param_find("DVFS", sides[i].key)->text)) &&
          !dvfs_config_need_domain(d, sides[i].key, sides[i].value, strlen(sides[i].value),
                                   sides[i].domain, t))
         return false;
   }
   if ((scaled || strcmp(keys->scaled, sim_param_find("DVFS", "Scaled")->text)) &&
       !dvfs_config_read_scaled(d, keys->scaled, t))
      return false;
   return (!watermark || dvfs_config_check_watermark(d, config, t)) &&
          (!scaled || dvfs_config_need_scaled(d, t));
}

bool
sim_dvfs_config_read(struct sim_dvfs_config *d, const struct sim_config *config, char *error,
                     size_t error_size)
{
   const struct text t = {error, error_size};
   const struct sim_dvfs_config none = {.num_domains = 1, .domain[0] = {SIM_DVFS_CONSTANT, 100}};
   *d = none;
   if (!dvfs_config_read_policy(d, config->dvfs.policy, &t))
      return false;
   const enum sim_dvfs_policy policy = d->policy;
#define G(name, key, member, def, doc)                                                           \
   if (!dvfs_config_add_group(d, SIM_DVFS_GROUP_##name, #key, config->dvfs.domain_##member, &t)) \
      return false;
   SIM_DVFS_GROUPS(G)
#undef G
   if (!dvfs_config_read_frequencies(d, config->dvfs.frequencies, &t) ||
       !dvfs_config_read_policy_keys(d, config, &t))
      return false;
   if (policy == SIM_DVFS_OFF) {
      *d = none;
      d->policy = policy;
   }
   return true;
}

unsigned
sim_dvfs_voltage(const struct sim_config *config, unsigned percent)
{
   const unsigned low = config->dvfs.min_frequency, volts = config->dvfs.min_voltage;
   if (percent <= low)
      return percent == 100 ? 1000 : volts * 10;
   return volts * 10 + (1000 - volts * 10) * (percent - low) / (100 - low);
}
