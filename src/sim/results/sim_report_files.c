/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The folder of a simulator's reports, and its contents: two tables and pictures. The folder is
 * opened once, so the program may change its working directory. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "results/sim_report_impl.h"

#define MAX_SIMULATORS 1000 /* that report into one folder at the same time */

static enum sim_file_result
report_files_open_table(struct sim_csv *c, int folder, const char *folder_path, const char *name,
                        bool pack, char *error, size_t error_size)
{
   char *path = sim_file_path("%s/%s", folder_path, name);
   const enum sim_file_result result = sim_csv_open(c, folder, name, path, pack, error, error_size);
   free(path);
   return result;
}

static void
report_files_remove_pictures(int folder)
{
   const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
   DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;
   for (struct dirent *e; dir && (e = readdir(dir));) {
      if (sim_file_is_picture(e->d_name))
         unlinkat(folder, e->d_name, 0);
   }
   if (dir)
      closedir(dir);
}

/* Opens both tables, or neither. */
static enum sim_file_result
report_files_open_tables(struct sim_report *r, int folder, const char *path, char *error,
                         size_t error_size)
{
   static const char *const names[] = {"draws.csv", "draws.csv.zst"};
   enum sim_file_result result = report_files_open_table(
       &r->draws, folder, path, names[r->pack_draws], r->pack_draws, error, error_size);
   if (result != SIM_FILE_OPEN)
      return result;
   result =
       report_files_open_table(&r->frames, folder, path, "frames.csv", false, error, error_size);
   if (result != SIM_FILE_OPEN)
      sim_csv_close(&r->draws);
   else
      report_files_remove_pictures(folder); /* pictures of an earlier run */
   /* The table is of an earlier run, or ours and empty because another simulator writes the other
    * table here. */
   if (result != SIM_FILE_ERROR)
      unlinkat(folder, names[(result == SIM_FILE_OPEN) ^ r->pack_draws], 0);
   return result;
}

/* Removes the folders of other simulators of an earlier run, unless one is being written or was
 * written by this run. */
static void
report_files_remove_others(const char *path)
{
   static const char *const names[] = {"draws.csv",  "draws.csv.zst", "frames.csv",
                                       "run.sqlite", "counters.csv",  "report.html"};
   int folder = 0;
   for (unsigned n = 2; folder >= 0; n++) {
      char error[4400], *other = sim_file_folder(path, n);
      struct sim_file *frames = NULL;
      folder = open(other, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (folder >= 0 && sim_file_create(&frames, folder, "frames.csv", other, SIM_FILE_OURS, error,
                                         sizeof(error)) == SIM_FILE_OPEN) {
         report_files_remove_pictures(folder);
         for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
            unlinkat(folder, names[i], 0);
         sim_file_close(frames);
         rmdir(other); /* this fails if the user has put files there */
      }
      if (folder >= 0)
         close(folder);
      free(other);
   }
}

/* Opens the folder of the n-th simulator inside the given one. */
static enum sim_file_result
report_files_open_numbered(struct sim_report *r, int parent, const char *parent_path, unsigned n,
                           char *error, size_t error_size)
{
   char name[32];
   snprintf(name, sizeof(name), "simulator-%u", n);
   char *path = sim_file_path("%s/%s", parent_path, name);
   if (mkdirat(parent, name, 0777) == 0 || errno == EEXIST)
      r->folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
   if (r->folder < 0) {
      snprintf(error, error_size, "%s: %s", path, strerror(errno));
      free(path);
      return SIM_FILE_ERROR;
   }
   enum sim_file_result result = report_files_open_tables(r, r->folder, path, error, error_size);
   if (result == SIM_FILE_OPEN) {
      r->path = path;
   } else {
      free(path);
      close(r->folder);
      r->folder = -1;
   }
   return result;
}

bool
report_files_open(struct sim_report *r, const char *path, char *error, size_t error_size)
{
   char taken[4400];
   int folder = sim_file_make_folder(path) ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
   if (folder < 0) {
      snprintf(error, error_size, "%.200s: %s", path, strerror(errno));
      return false;
   }
   enum sim_file_result result = report_files_open_tables(r, folder, path, error, error_size);
   if (result == SIM_FILE_OPEN) {
      r->folder = folder;
      r->path = sim_file_path("%s", path);
      report_files_remove_others(path);
      return true;
   }
   snprintf(taken, sizeof(taken), "%s", error);
   for (unsigned n = 2; result == SIM_FILE_TAKEN && n <= MAX_SIMULATORS; n++)
      result = report_files_open_numbered(r, folder, path, n, error, error_size);
   if (result == SIM_FILE_OPEN)
      fprintf(stderr, "attila: %s: this one reports to %s\n", taken, r->path);
   close(folder);
   return result == SIM_FILE_OPEN;
}

void
report_files_close(struct sim_report *r)
{
   if (r->folder >= 0)
      close(r->folder);
   r->folder = -1;
   free(r->path);
}

/* Returns the picture without alpha as a PNG file in memory. */
static void *
report_files_encode(const uint8_t *rgba, uint32_t width, uint32_t height, size_t *size, char *error,
                    size_t error_size)
{
   png_image image = {
       .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB};
   size_t pixels = (size_t)width * height;
   png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
   uint8_t *rgb = malloc(pixels * 3 + 1), *png = malloc(bytes);
   bool ok = rgb && png;
   snprintf(error, error_size, "out of host memory");
   for (size_t i = 0; ok && i < pixels; i++)
      memcpy(rgb + i * 3, rgba + i * 4, 3);
   if (ok && !png_image_write_to_memory(&image, png, &bytes, 0, rgb, 0, NULL)) {
      snprintf(error, error_size, "%s", image.message);
      ok = false;
   }
   png_image_free(&image);
   free(rgb);
   if (!ok) {
      free(png);
      return NULL;
   }
   *size = bytes;
   return png;
}

/* Writes a whole file at once. */
static bool
report_files_write_file(const struct sim_report *r, const char *name, const void *data, size_t size,
                        char *error, size_t error_size)
{
   struct sim_file *f;
   char *path = sim_file_path("%s/%s", r->path, name);
   bool ok = sim_file_create(&f, r->folder, name, path, SIM_FILE_OURS, error, error_size) ==
             SIM_FILE_OPEN;
   if (ok) {
      ok = sim_file_write(f, data, size);
      const int reason = f->error;
      ok = sim_file_close(f) && ok;
      if (!ok) {
         unlinkat(r->folder, name, 0);
         snprintf(error, error_size, "%s: %s", path, strerror(reason ? reason : errno));
      }
   }
   free(path);
   return ok;
}

bool
report_files_counters(const struct sim_report *r, char *error, size_t error_size)
{
   size_t size = 0;
   char *text = NULL;
   FILE *f = open_memstream(&text, &size);
   if (f) {
      measure_columns_describe(&r->measure->columns, r->measure->kernel, f);
      fclose(f);
   }
   if (!f || !text) {
      snprintf(error, error_size, "out of host memory");
      return false;
   }
   bool ok = report_files_write_file(r, "counters.csv", text, size, error, error_size);
   free(text);
   return ok;
}

bool
report_files_image(const struct sim_report *r, const uint8_t *rgba, uint32_t width, uint32_t height,
                   char *error, size_t error_size)
{
   char name[32], why[200];
   snprintf(name, sizeof(name), "frame-%04u.png", r->observed->frame);
   size_t size = 0;
   void *png = report_files_encode(rgba, width, height, &size, why, sizeof(why));
   if (!png) {
      snprintf(error, error_size, "%s/%s: %s", r->path, name, why);
      return false;
   }
   bool ok = report_files_write_file(r, name, png, size, error, error_size);
   free(png);
   return ok;
}
