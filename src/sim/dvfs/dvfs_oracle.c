/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Policy ORACLE reads how long each frame takes at nominal frequency from frames.csv of an earlier
 * run. It is the bound for policies that choose one frequency per frame. A frame that the file
 * lacks runs at nominal frequency. */
#include "dvfs/dvfs_policy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Returns the index of a column of the first line; -1 if no column has this name. */
static int
dvfs_oracle_find_column(const char *line, const char *name)
{
   const size_t length = strlen(name);
   for (int column = 0; line; column++) {
      if (!strncmp(line, name, length) && strchr(",\r\n", line[length]))
         return column;
      line = strchr(line, ',');
      line = line ? line + 1 : NULL;
   }
   return -1;
}

/* Reads the number in a column of a line; false if there is none. */
static bool
dvfs_oracle_get_number(const char *line, int column, uint64_t *number)
{
   for (; column && line; column--) {
      line = strchr(line, ',');
      line = line ? line + 1 : NULL;
   }
   char *end = NULL;
   *number = line ? strtoull(line, &end, 10) : 0;
   return line && end != line;
}

static bool
dvfs_oracle_know(struct dvfs *d, uint64_t frame, uint64_t cycles)
{
   if (frame >= 1u << 24)
      return false;
   if (frame >= d->num_known) {
      const uint32_t num = (uint32_t)frame + 1;
      sim_tick *known = realloc(d->known, num * sizeof(*known));
      if (!known)
         return false;
      memset(known + d->num_known, 0, (num - d->num_known) * sizeof(*known));
      d->known = known;
      d->num_known = num;
   }
   d->known[frame] = cycles * d->kernel->period[SIM_DOMAIN_GPU];
   return true;
}

static bool
dvfs_oracle_read_frames(struct dvfs *d, FILE *f)
{
   char *line = NULL;
   size_t size = 0;
   uint64_t frame, cycles;
   int of_frame = -1, of_cycles = -1;
   if (getline(&line, &size, f) > 0) {
      of_frame = dvfs_oracle_find_column(line, "frame");
      of_cycles = dvfs_oracle_find_column(line, "cycles");
   }
   bool ok = of_frame >= 0 && of_cycles >= 0;
   while (ok && getline(&line, &size, f) > 0)
      ok = dvfs_oracle_get_number(line, of_frame, &frame) &&
           dvfs_oracle_get_number(line, of_cycles, &cycles) && dvfs_oracle_know(d, frame, cycles);
   free(line);
   return ok && d->num_known;
}

static void
dvfs_oracle_begin(struct dvfs *d, uint32_t frame)
{
   const sim_tick work = frame < d->num_known ? d->known[frame] : 0;
   dvfs_set_scaled(d, work ? dvfs_percent_for(d, work) : 100, "frame known");
}

static bool
dvfs_oracle_init(struct dvfs *d, char *error, size_t error_size)
{
   const char *path = d->keys->dvfs.oracle;
   FILE *f = path[0] ? fopen(path, "re") : NULL;
   if (!path[0])
      snprintf(error, error_size, "DVFS.Oracle is empty: expected the path of frames.csv of a run");
   else if (!f)
      snprintf(error, error_size, "DVFS.Oracle = \"%s\": %s", path, strerror(errno));
   if (!f)
      return false;
   const bool ok = dvfs_oracle_read_frames(d, f);
   fclose(f);
   if (!ok)
      snprintf(error, error_size,
               "DVFS.Oracle = \"%s\": expected a table with the columns frame and cycles, as "
               "frames.csv of a run is",
               path);
   return ok;
}

static void
dvfs_oracle_fini(struct dvfs *d)
{
   free(d->known);
}

static void
dvfs_oracle_start(struct dvfs *d)
{
   dvfs_oracle_begin(d, d->gpu->device->observed.frame);
}

static void
dvfs_oracle_frame(struct dvfs *d, uint32_t next, sim_tick now)
{
   dvfs_oracle_begin(d, next);
   dvfs_next_frame(d, now);
}

const struct dvfs_policy dvfs_policy_oracle = {.init = dvfs_oracle_init,
                                               .fini = dvfs_oracle_fini,
                                               .start = dvfs_oracle_start,
                                               .frame = dvfs_oracle_frame};
