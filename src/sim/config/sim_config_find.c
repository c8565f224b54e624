/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Finds machines by name: "micro2005" is micro2005.ini in this source tree's or installation's
 * folder of machines. Not here: reading (sim_config_file.c). */
#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "config/sim_config.h"

static bool
config_find_exists(const char *path)
{
   struct stat s;
   return !stat(path, &s);
}

/* Finds the file of the program or library that contains this code. */
static bool
config_find_self(char path[PATH_MAX])
{
   Dl_info info;
   if (dladdr((void *)(uintptr_t)sim_config_find, &info) && info.dli_fname &&
       strchr(info.dli_fname, '/') && realpath(info.dli_fname, path))
      return true;
   const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
   path[n > 0 ? n : 0] = '\0';
   return n > 0;
}

/* Finds the folder of machines, with '/': $ATTILA_MACHINES, or the first one above this library or
 * program, in a build or installation. */
static bool
config_find_folder(char folder[PATH_MAX])
{
   static const char *const places[] = {"/configs/", "/share/attila/configs/"};
   char self[PATH_MAX], probe[PATH_MAX + 64];
   const char *given = secure_getenv("ATTILA_MACHINES");
   if (given && *given)
      return snprintf(folder, PATH_MAX, "%s/", given) < PATH_MAX;
   if (!config_find_self(self))
      return false;
   for (char *slash; (slash = strrchr(self, '/'));) {
      *slash = '\0';
      for (unsigned i = 0; i < 2; i++) {
         snprintf(probe, sizeof(probe), "%s%sispass2006.ini", self, places[i]);
         if (config_find_exists(probe))
            return snprintf(folder, PATH_MAX, "%s%s", self, places[i]) < PATH_MAX;
      }
   }
   return false;
}

bool
sim_config_find(const char *name, const char *subfolder, char *path, size_t size)
{
   static const char *const ends[] = {"", ".ini"};
   char folder[PATH_MAX];
   bool found = config_find_exists(name);
   if (!found && *name != '/' && *name != '.' && config_find_folder(folder)) {
      /* The name may be a path of the source tree: configs/micro2005.ini. */
      const char *inside = strncmp(name, "configs/", 8) ? name : name + 8;
      for (unsigned i = 0; i < 4 && !found; i++) {
         const int n =
             snprintf(path, size, "%s%s%s%s", folder, i < 2 ? "" : subfolder, inside, ends[i % 2]);
         found = n > 0 && (size_t)n < size && config_find_exists(path);
      }
      if (found)
         return true;
   }
   snprintf(path, size, "%s", name);
   return found;
}

const char *
sim_config_list(char *text, size_t size)
{
   char folder[PATH_MAX];
   struct dirent **entries = NULL;
   size_t used = 0;
   *text = '\0';
   const int num = config_find_folder(folder) ? scandir(folder, &entries, NULL, alphasort) : 0;
   for (int i = 0; i < num; i++) {
      const char *name = entries[i]->d_name, *end = strrchr(name, '.');
      if (end && !strcmp(end, ".ini") && used < size)
         used += (size_t)snprintf(text + used, size - used, "%s%.*s",
                                  used ? ", " : "; machines by name: ", (int)(end - name), name);
      free(entries[i]);
   }
   free(entries);
   return text;
}
