/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What follows the program of attila-run, whatever its end: one record from those of the workers of
 * --jobs, and the pages of --report. Not here: how records are joined (cli_merge.c), what is in a
 * page (attila-report). */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli/launch.h"
#include "core/sim_file.h"

static bool
launch_finish_has(const char *folder, const char *name)
{
   char *path = sim_file_path("%s/%s", folder, name);
   const bool has = access(path, F_OK) == 0;
   free(path);
   return has;
}

unsigned
launch_count_pictures(const char *folder, bool removes)
{
   unsigned num = 0;
   DIR *dir = opendir(folder);
   for (struct dirent *e; dir && (e = readdir(dir));) {
      if (!sim_file_is_picture(e->d_name))
         continue;
      num++;
      if (removes)
         unlinkat(dirfd(dir), e->d_name, 0);
   }
   if (dir)
      closedir(dir);
   return num;
}

/* Prints a word with the quotes that a shell needs. */
static void
launch_finish_put_word(const char *word)
{
   if (!word[strspn(word,
                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:,")]) {
      fprintf(stderr, "%s ", word);
      return;
   }
   fputc('\'', stderr);
   for (; *word; word++)
      fprintf(stderr, *word == '\'' ? "'\\''" : "%c", *word);
   fputs("' ", stderr);
}

/* Makes the page of a simulator's folder. capture: the capture that this simulator made. */
static int
launch_finish_page(const char *page, const char *folder, const char *capture)
{
   const bool captured = capture && access(capture, R_OK) == 0;
   const char *command[5] = {page, "--capture", capture, folder};
   if (!captured)
      command[1] = folder, command[2] = NULL;
   if (launch_command(command, -1, STDERR_FILENO))
      return launch_fail("no page of %s", folder);
   fprintf(stderr, "attila-run: folder: %s\nattila-run: page: %s/report.html\n", folder, folder);
   if (captured) {
      fputs("attila-run: next: ", stderr);
      launch_finish_put_word(program_invocation_name);
      fputs("run ", stderr);
      launch_finish_put_word(capture);
      fputs("--config NAME --out DIR replays the capture on another machine\n", stderr);
   }
   return CLI_OK;
}

int
launch_finish(const struct cli_options *o, const char *page)
{
   const char *out = o->sim.out_dir;
   int status = CLI_OK;
   unsigned pages = 0;
   launch_unset_variables();
   for (unsigned n = 1; out; n++) {
      char *folder = sim_file_folder(out, n);
      char *capture = o->sim.capture_path ? sim_file_numbered(o->sim.capture_path, n) : NULL;
      const bool there = access(folder, F_OK) == 0;
      if (there && launch_finish_has(folder, "workers") && cli_merge_workers(folder))
         status = CLI_FILE;
      if (there && o->report && launch_finish_has(folder, "run.sqlite")) {
         const int made = launch_finish_page(page, folder, capture);
         pages += made == CLI_OK;
         status |= made;
      }
      free(folder);
      free(capture);
      if (!there)
         break;
   }
   if (o->report && !pages && !status)
      fprintf(stderr, "attila-run: nothing was recorded, so there is no page\n");
   return o->report && !pages ? CLI_FILE : status;
}
