/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Distance of two words: the fewest letters left out, added, changed or swapped with a neighbour
 * (optimal string alignment). */
#include "core/sim_nearest.h"

#include <ctype.h>
#include <string.h>

#define MAX_LETTERS 64

static bool
nearest_same(char a, char b)
{
   return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static unsigned
nearest_min(unsigned a, unsigned b)
{
   return a < b ? a : b;
}

static unsigned
nearest_distance(const char *a, size_t num_a, const char *b, size_t num_b)
{
   unsigned row[3][MAX_LETTERS + 1];
   for (unsigned j = 0; j <= num_b; j++)
      row[0][j] = j;
   for (unsigned i = 1; i <= num_a; i++) {
      unsigned *now = row[i % 3];
      const unsigned *before = row[(i - 1) % 3], *two_before = row[(i + 1) % 3];
      now[0] = i;
      for (unsigned j = 1; j <= num_b; j++) {
         now[j] = nearest_min(nearest_min(before[j], now[j - 1]) + 1,
                              before[j - 1] + !nearest_same(a[i - 1], b[j - 1]));
         if (i > 1 && j > 1 && nearest_same(a[i - 1], b[j - 2]) && nearest_same(a[i - 2], b[j - 1]))
            now[j] = nearest_min(now[j], two_before[j - 2] + 1);
      }
   }
   return row[num_a % 3][num_b];
}

bool
sim_nearest_is(struct sim_nearest *n, const char *name)
{
   const size_t num_wanted = strlen(n->wanted), num_name = strlen(name);
   if (!num_wanted || num_wanted > MAX_LETTERS || num_name > MAX_LETTERS)
      return false;
   const unsigned enough = num_wanted < 6 ? 1 : (unsigned)num_wanted / 3;
   const unsigned distance = nearest_distance(n->wanted, num_wanted, name, num_name);
   if (distance > enough || (n->found && distance >= n->differences))
      return false;
   n->found = true;
   n->differences = distance;
   return true;
}
