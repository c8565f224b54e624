/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Writes frames.csv and draws.csv. Columns: what the row is about, then every statistic as
 * Name_Unit. A statistic of a unit with several instances first appears as their sum, under the
 * unit's name without a number (InputFragments_ZST-SU); after all sums and single units come the
 * columns per instance (InputFragments_ZST-SU0, ...). A draw's row holds what was charged to its
 * slot; a frame's row is the sum of its draws and of slot 0. draws.csv contains nothing of the
 * host, so equal runs give equal files. Rows are collected in memory and written at the end of a
 * frame. Images and warnings: sim_image.c, sim_warn.c.
 */
#include "report/sim_report_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "hw/attila_cmd.h"

static const char *const prim_names[ATTILA_NUM_PRIMS] = {
    "POINTS",         "LINES",        "LINE_LOOP", "LINE_STRIP", "TRIANGLES",
    "TRIANGLE_STRIP", "TRIANGLE_FAN", "QUADS",     "QUAD_STRIP", "POLYGON",
};

/* --- Rows --- */

/* Room for a row; an error of host memory drops the row rather than the application. */
static char *
row_space(struct csv *c, size_t size)
{
   if (c->fd < 0)
      return NULL;
   if (c->len + size > c->capacity) {
      size_t capacity = (c->len + size) * 2;
      char *grown = realloc(c->data, capacity);
      if (!grown)
         return NULL;
      c->data = grown;
      c->capacity = capacity;
   }
   return c->data + c->len;
}

static void
write_pending(struct csv *c)
{
   size_t done = 0, len = c->len;
   c->len = 0;
   while (c->fd >= 0 && done < len) {
      ssize_t n = write(c->fd, c->data + done, len - done);
      if (n < 0 && errno == EINTR)
         continue;
      if (n <= 0)
         break;
      done += (size_t)n;
   }
}

static char *
put_number(char *p, uint64_t v)
{
   char digits[20];
   unsigned n = 0;
   do {
      digits[n++] = (char)('0' + v % 10);
      v /= 10;
   } while (v);
   while (n)
      *p++ = digits[--n];
   return p;
}

static char *
put_stats(char *p, const struct sim_report *r, const uint64_t *values)
{
   for (unsigned i = 0; i < r->num_columns; i++) {
      *p++ = ',';
      p = put_number(p, values[i]);
   }
   *p++ = '\n';
   return p;
}

/* A text field in quotes; line breaks become blanks so that a row is a line. */
static char *
put_text(char *p, const char *text)
{
   *p++ = '"';
   for (; *text; text++) {
      if (*text == '"')
         *p++ = '"';
      *p++ = (unsigned char)*text < ' ' ? ' ' : *text;
   }
   *p++ = '"';
   return p;
}

#define ROW_BYTES(r) (600 + 2 * SIM_LABEL_BYTES + 21 * (size_t)(r)->num_columns)

/* --- Columns --- */

static bool
numbered(const struct sim_box_class *cls)
{
   return strchr(cls->unit, '#') != NULL;
}

/* The columns of a class's sums (or of its single box). */
static unsigned
class_columns(struct sim_report *r, const struct sim_box_class *cls)
{
   for (unsigned i = 0; i < r->num_classes; i++) {
      if (r->classes[i].cls == cls)
         return r->classes[i].first;
   }
   r->classes[r->num_classes++] = (struct report_class){cls, r->num_columns};
   r->num_columns += cls->num_stats;
   return r->num_columns - cls->num_stats;
}

static void
make_columns(struct sim_report *r, const struct sim_kernel *k)
{
   for (unsigned i = 0; i < k->num_boxes; i++)
      r->sum_column[i] = class_columns(r, k->boxes[i]->cls);
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const struct sim_box_class *cls = k->boxes[i]->cls;
      r->own_column[i] = NO_COLUMN;
      if (numbered(cls)) {
         r->own_column[i] = r->num_columns;
         r->num_columns += cls->num_stats;
      }
   }
}

static void
put_header(struct csv *c, const struct sim_report *r, const struct sim_kernel *k, const char *first)
{
   size_t size = strlen(first) + 2 + (size_t)r->num_columns * 160;
   char *start = row_space(c, size), *p = start;
   if (!p)
      return;
   p += sprintf(p, "%s", first);
   for (unsigned i = 0; i < r->num_classes; i++) {
      const struct sim_box_class *cls = r->classes[i].cls;
      char unit[64];
      unsigned n = 0;
      for (const char *u = cls->unit; *u && n < sizeof(unit) - 1; u++) {
         if (*u != '#')
            unit[n++] = *u;
      }
      unit[n] = '\0';
      for (unsigned s = 0; s < cls->num_stats; s++)
         p += snprintf(p, 160, ",%s_%s", cls->stats[s].name, unit);
   }
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const struct sim_box_class *cls = k->boxes[i]->cls;
      for (unsigned s = 0; s < cls->num_stats && r->own_column[i] != NO_COLUMN; s++)
         p += snprintf(p, 160, ",%s_%s", cls->stats[s].name, k->boxes[i]->name);
   }
   *p++ = '\n';
   c->len += (size_t)(p - start);
}

/* Takes the counters of a slot into values (added) and clears them. */
static void
take_slot(struct sim_report *r, struct sim_kernel *k, unsigned slot, uint64_t *values)
{
   for (unsigned i = 0; i < k->num_boxes; i++) {
      struct sim_box *b = k->boxes[i];
      const struct sim_box_class *cls = b->cls;
      if (!cls->num_stats)
         continue;
      uint64_t *stat = sim_stat(b, slot);
      uint64_t *sum = values + r->sum_column[i];
      for (unsigned s = 0; s < cls->num_stats; s++)
         sum[s] += stat[s];
      if (r->own_column[i] != NO_COLUMN) {
         uint64_t *own = values + r->own_column[i];
         for (unsigned s = 0; s < cls->num_stats; s++)
            own[s] += stat[s];
      }
      memset(stat, 0, cls->num_stats * sizeof(*stat));
   }
}

/* --- Life --- */

static double
host_seconds(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
   return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static bool
make_folder(const char *path)
{
   char copy[4096];
   if (snprintf(copy, sizeof(copy), "%s", path) >= (int)sizeof(copy)) {
      errno = ENAMETOOLONG;
      return false;
   }
   for (char *p = copy + 1; *p; p++) {
      if (*p != '/')
         continue;
      *p = '\0';
      if (mkdir(copy, 0777) && errno != EEXIST)
         return false;
      *p = '/';
   }
   return mkdir(copy, 0777) == 0 || errno == EEXIST;
}

static bool
open_csv(struct csv *c, const char *dir, const char *name, char *error, size_t error_size)
{
   char path[4200];
   snprintf(path, sizeof(path), "%s/%s", dir, name);
   c->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
   if (c->fd < 0)
      snprintf(error, error_size, "%.200s: %s", path, strerror(errno));
   return c->fd >= 0;
}

struct sim_report *
sim_report_create(struct sim_kernel *kernel, const struct sim_report_options *o, char *error,
                  size_t error_size)
{
   struct sim_report *r = calloc(1, sizeof(*r));
   if (!r) {
      snprintf(error, error_size, "out of host memory");
      return NULL;
   }
   r->draws.fd = r->frames.fd = -1;
   r->kernel = kernel;
   r->progress = o->progress;
   r->save_frames = o->save_frames && o->out_dir;
   r->last_host = host_seconds();
   make_columns(r, kernel);
   r->row = calloc(r->num_columns + 1, sizeof(uint64_t));
   r->frame_sum = calloc(r->num_columns + 1, sizeof(uint64_t));
   bool ok = r->row && r->frame_sum;
   if (!ok)
      snprintf(error, error_size, "out of host memory");
   if (ok && o->out_dir) {
      r->dir = strdup(o->out_dir);
      ok = make_folder(o->out_dir);
      if (!ok)
         snprintf(error, error_size, "%.200s: %s", o->out_dir, strerror(errno));
      ok = ok && r->dir && open_csv(&r->draws, r->dir, "draws.csv", error, error_size) &&
           open_csv(&r->frames, r->dir, "frames.csv", error, error_size);
   }
   if (!ok) {
      sim_report_destroy(r);
      return NULL;
   }
   put_header(&r->draws, r, kernel,
              "frame,draw,label,meta,prim,count,start_cycle,end_cycle,cycles");
   put_header(&r->frames, r, kernel,
              "frame,draws,start_cycle,end_cycle,cycles,simulated_ms,host_seconds,kcycles_per_s");
   write_pending(&r->draws);
   write_pending(&r->frames);
   return r;
}

void
sim_report_destroy(struct sim_report *r)
{
   if (!r)
      return;
   write_pending(&r->draws);
   write_pending(&r->frames);
   if (r->draws.fd >= 0)
      close(r->draws.fd);
   if (r->frames.fd >= 0)
      close(r->frames.fd);
   free(r->draws.data);
   free(r->frames.data);
   free(r->row);
   free(r->frame_sum);
   free(r->dir);
   free(r);
}

void
sim_report_set_first_frame(struct sim_report *r, uint32_t frame)
{
   if (r)
      r->first_frame = frame;
}

uint32_t
sim_report_frames(const struct sim_report *r)
{
   return r ? r->frame : 0;
}

bool
sim_report_drew(const struct sim_report *r)
{
   return r && (r->frame || r->next_draw);
}

bool
sim_report_writes_files(const struct sim_report *r)
{
   return r && r->dir;
}

bool
sim_report_wants_image(const struct sim_report *r)
{
   return r && r->save_frames && r->frame >= r->first_frame;
}

/* --- Draws and frames --- */

static uint64_t
cycles_at(const struct sim_report *r, sim_tick tick)
{
   sim_tick period = r->kernel->period[SIM_DOMAIN_GPU];
   return period ? tick / period : tick;
}

uint32_t
sim_report_next_draw(struct sim_report *r)
{
   return r ? r->next_draw++ : 0;
}

void
sim_report_draw(struct sim_report *r, const struct sim_report_draw *draw)
{
   if (!r)
      return;
   memset(r->row, 0, r->num_columns * sizeof(uint64_t));
   take_slot(r, r->kernel, draw->slot, r->row);
   for (unsigned i = 0; i < r->num_columns; i++)
      r->frame_sum[i] += r->row[i];
   r->draws_in_frame++;
   char *start = r->frame >= r->first_frame ? row_space(&r->draws, ROW_BYTES(r)) : NULL, *p = start;
   if (!p)
      return;
   uint64_t from = cycles_at(r, draw->start), to = cycles_at(r, draw->end);
   p = put_number(p, r->frame);
   *p++ = ',';
   p = put_number(p, draw->number);
   *p++ = ',';
   p = put_text(p, draw->label);
   p += sprintf(p, ",%u,%s,%u,%llu,%llu,%llu", draw->meta,
                draw->prim < ATTILA_NUM_PRIMS ? prim_names[draw->prim] : "?", draw->count,
                (unsigned long long)from, (unsigned long long)to,
                (unsigned long long)(to > from ? to - from : 0));
   p = put_stats(p, r, r->row);
   r->draws.len += (size_t)(p - start);
   /* A frame of very many draws does not pile up in memory. */
   if (r->draws.len > 1u << 20)
      write_pending(&r->draws);
}

static void
frame_row(struct sim_report *r, uint64_t from, uint64_t to, double host)
{
   char *start = row_space(&r->frames, ROW_BYTES(r)), *p = start;
   if (!p)
      return;
   uint64_t cycles = to - from;
   const struct sim_kernel *k = r->kernel;
   double ms = (double)cycles * (double)k->period[SIM_DOMAIN_GPU] * k->ns_per_tick * 1e-6;
   p += sprintf(p, "%u,%u,%llu,%llu,%llu,%.6f,%.3f,%.1f", r->frame, r->draws_in_frame,
                (unsigned long long)from, (unsigned long long)to, (unsigned long long)cycles, ms,
                host, host > 0 ? (double)cycles / host * 1e-3 : 0.0);
   p = put_stats(p, r, r->frame_sum);
   r->frames.len += (size_t)(p - start);
}

/* Writes the row of the current frame and starts the next. */
static void
end_frame(struct sim_report *r, sim_tick end)
{
   /* Slot 0, and what other boxes still charged to draws after their rows were written. */
   for (unsigned slot = 0; slot < SIM_SLOTS; slot++)
      take_slot(r, r->kernel, slot, r->frame_sum);
   double now = host_seconds(), host = now - r->last_host;
   uint64_t from = r->last_cycle, to = cycles_at(r, end);
   if (r->frame >= r->first_frame)
      frame_row(r, from, to, host);
   write_pending(&r->draws);
   write_pending(&r->frames);
   if (r->progress) {
      if (to > from)
         fprintf(stderr, "attila: frame %u: %u draws, %llu cycles, %.3f s, %.0f kcycles/s\n",
                 r->frame, r->draws_in_frame, (unsigned long long)(to - from), host,
                 host > 0 ? (double)(to - from) / host * 1e-3 : 0.0);
      else
         fprintf(stderr, "attila: frame %u: %u draws, functional, %.3f s\n", r->frame,
                 r->draws_in_frame, host);
   }
   memset(r->frame_sum, 0, r->num_columns * sizeof(uint64_t));
   r->draws_in_frame = 0;
   r->last_cycle = to;
   r->last_host = now;
   r->frame++;
   r->next_draw = 0;
}

void
sim_report_frame(struct sim_report *r, sim_tick end, const uint8_t *image, uint32_t width,
                 uint32_t height)
{
   if (!r)
      return;
   if (image && sim_report_wants_image(r)) {
      char path[4200], error[300];
      snprintf(path, sizeof(path), "%s/frame-%04u.png", r->dir, r->frame);
      if (!sim_image_save(path, image, width, height, error, sizeof(error)))
         sim_warn(r, "%s", error);
   }
   end_frame(r, end);
}

void
sim_report_finish(struct sim_report *r)
{
   if (!r)
      return;
   if (r->draws_in_frame)
      end_frame(r, r->kernel->now);
   write_pending(&r->draws);
   write_pending(&r->frames);
}

void
sim_report_emergency(struct sim_report *r)
{
   if (!r)
      return;
   write_pending(&r->draws);
   write_pending(&r->frames);
}
