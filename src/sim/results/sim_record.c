/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The file of a record: opening it, transactions, failures. The rows of a frame are one transaction
 * at its end. SQLite's journal exists only during the transaction. At other times the record is a
 * single file, and a killed process leaves all whole frames. Writing does not wait for the disk: a
 * host that loses power may lose the record. Not here: the contents (sim_record_schema.c and the
 * others). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "core/sim_file.h"
#include "core/sim_utf8.h"
#include "results/sim_record_impl.h"

#define PATIENCE 5000 /* ms to wait for another process that reads or writes */
#define COMMIT_PATIENCE 50

const struct record_kind_names record_kinds[RECORD_NUM_KINDS] = {
    [RECORD_WORK] = {"work", "work"},
    [RECORD_FRAME] = {"frame", "frames"},
    [RECORD_INTERVAL] = {"interval", "intervals"},
};

static double
record_host_seconds(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
   return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

/* --- SQLite --- */

bool
record_usable(const struct sim_record *rec)
{
   return rec && !rec->failed && rec->owner == getpid();
}

void
record_check(struct sim_record *rec, int result)
{
   if (rec->failed || result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE)
      return;
   rec->failed = true;
   /* SQLite does not always keep errno. */
   const int code = result & 0xff, now = code == SQLITE_IOERR || code == SQLITE_FULL ? errno : 0;
   const int kept = rec->db ? sqlite3_system_errno(rec->db) : 0, reason = kept ? kept : now;
   snprintf(rec->error, sizeof(rec->error), "%.400s: %s", rec->path,
            reason    ? strerror(reason)
            : rec->db ? sqlite3_errmsg(rec->db)
                      : sqlite3_errstr(result));
}

void
record_out_of_memory(struct sim_record *rec)
{
   if (!rec->failed)
      snprintf(rec->error, sizeof(rec->error), "%.400s: out of host memory", rec->path);
   rec->failed = true;
}

void
record_step(struct sim_record *rec, sqlite3_stmt *s)
{
   if (rec->failed)
      return;
   record_check(rec, sqlite3_step(s));
   sqlite3_reset(s);
}

sqlite3_stmt *
record_prepare(struct sim_record *rec, const char *sql)
{
   sqlite3_stmt *s = NULL;
   if (!rec->failed)
      record_check(rec, sqlite3_prepare_v3(rec->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL));
   return s;
}

void
record_sql(struct sim_record *rec, const char *sql)
{
   if (!rec->failed)
      record_check(rec, sqlite3_exec(rec->db, sql, NULL, NULL, NULL));
}

void
record_run(struct sim_record *rec, sqlite3_str *sql)
{
   char *text = sqlite3_str_finish(sql);
   if (text)
      record_sql(rec, text);
   else
      record_out_of_memory(rec);
   sqlite3_free(text);
}

void
record_text(sqlite3_stmt *s, int column, const char *text)
{
   if (!text || sim_utf8_valid(text)) {
      sqlite3_bind_text(s, column, text, -1, SQLITE_STATIC);
      return;
   }
   const size_t size = strlen(text) + 1;
   char *copy = malloc(size);
   if (copy)
      sim_utf8_copy(copy, size, text);
   sqlite3_bind_text(s, column, copy, -1, free);
}

void
record_word(sqlite3_stmt *s, int column, const char *word)
{
   sqlite3_bind_text(s, column, word, -1, SQLITE_STATIC);
}

void
record_number(sqlite3_stmt *s, int column, uint64_t value)
{
   sqlite3_bind_int64(s, column, (sqlite3_int64)value);
}

void
record_limits(sqlite3_stmt *s, int column, const struct sim_limits *limits)
{
   for (unsigned i = 0; i < SIM_NUM_LIMITS; i++) {
      const struct sim_limit *l = &limits->limit[i];
      sqlite3_bind_text(s, column++, l->unit, -1, SQLITE_STATIC);
      if (l->unit)
         sqlite3_bind_double(s, column++, l->share);
      else
         sqlite3_bind_null(s, column++);
   }
}

void
record_begin(struct sim_record *rec)
{
   if (!rec->open)
      record_sql(rec, "BEGIN IMMEDIATE");
   rec->open = true;
}

static void
record_commit(struct sim_record *rec, int patience)
{
   sigset_t before;
   if (!record_usable(rec) || (!rec->open && !rec->staged))
      return;
   sim_file_hold_signals(&before);
   record_begin(rec);
   record_unstage(rec);
   sqlite3_busy_timeout(rec->db, patience);
   const int result = rec->failed ? SQLITE_OK : sqlite3_exec(rec->db, "COMMIT", NULL, NULL, NULL);
   /* While a reader holds the file, the transaction stays open. */
   rec->open = result == SQLITE_BUSY;
   if (!rec->open || patience == PATIENCE)
      record_check(rec, result);
   sqlite3_busy_timeout(rec->db, PATIENCE);
   sim_file_release_signals(&before, rec->failed);
}

void
sim_record_commit(struct sim_record *rec)
{
   record_commit(rec, COMMIT_PATIENCE);
}

/* --- Life --- */

static void
record_remove_old(const char *path)
{
   static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
   for (unsigned i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
      char *name = sim_file_path("%s%s", path, ends[i]);
      unlink(name);
      free(name);
   }
}

void
sim_record_fill(struct sim_record *rec, const struct sim_record_run *run)
{
   sigset_t before;
   if (!record_usable(rec))
      return;
   sim_file_hold_signals(&before);
   sqlite3_busy_timeout(rec->db, PATIENCE);
   /* A merge takes only whole records, so its rows need no journal. */
   record_sql(rec, run->rows_only ? "PRAGMA journal_mode = OFF; PRAGMA locking_mode = EXCLUSIVE"
                                  : "PRAGMA application_id = 1096042572");
   record_sql(rec, "PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY");
   record_begin(rec);
   record_make_tables(rec);
   record_counts_make(rec, run);
   if (!rec->failed && !run->rows_only)
      record_make_views(rec);
   if (!rec->failed)
      record_describe(rec, run);
   if (!rec->failed && run->power)
      record_power(rec, run->power, run->config);
   record_stage(rec);
   sim_file_release_signals(&before, rec->failed);
   record_commit(rec, PATIENCE);
}

struct sim_record *
sim_record_create(const char *folder, const struct sim_measure *measure, char *error,
                  size_t error_size)
{
   struct sim_record *rec = calloc(1, sizeof(*rec));
   const struct measure_columns *columns = &measure->columns;
   if (!rec || !(rec->path = malloc(strlen(folder) + sizeof(SIM_RECORD_NAME) + 1)) ||
       !(rec->chosen = calloc(columns->num + 1, sizeof(*rec->chosen)))) {
      snprintf(error, error_size, "out of host memory");
      sim_record_close(rec);
      return NULL;
   }
   sprintf(rec->path, "%s/%s", folder, SIM_RECORD_NAME);
   rec->owner = getpid();
   rec->measure = measure;
   rec->frame_id = 1;
   rec->began = record_host_seconds();
   for (unsigned i = 0; i < columns->num_draws; i++)
      rec->chosen[columns->draws[i]] = true;
   record_remove_old(rec->path);
   record_check(rec, sqlite3_open_v2(rec->path, &rec->db,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                                         SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX,
                                     NULL));
   if (rec->failed) {
      snprintf(error, error_size, "%s", rec->error);
      sim_record_close(rec);
      return NULL;
   }
   /* The tables have many columns, and SQLite's default lookaside memory is far too small. */
   sqlite3_db_config(rec->db, SQLITE_DBCONFIG_LOOKASIDE, NULL, 1200, 1000);
   return rec;
}

void
sim_record_disown(struct sim_record *rec)
{
   if (rec)
      rec->owner = 0;
}

const char *
sim_record_error(const struct sim_record *rec)
{
   return rec && rec->failed ? rec->error : NULL;
}

static void
record_end_run(struct sim_record *rec, bool complete)
{
   enum { COMPLETE = 1, WALL_SECONDS, CPU_SECONDS };
   if (!rec->end_run)
      rec->end_run = record_prepare(rec, "UPDATE run SET complete = :complete, wall_seconds = "
                                         ":wall_seconds, cpu_seconds = :cpu_seconds");
   record_begin(rec);
   record_number(rec->end_run, COMPLETE, complete);
   sqlite3_bind_double(rec->end_run, WALL_SECONDS, record_host_seconds() - rec->began);
   sqlite3_bind_double(rec->end_run, CPU_SECONDS, rec->cpu);
   record_step(rec, rec->end_run);
}

void
sim_record_frame(struct sim_record *rec, const struct sim_record_frame *f)
{
   sqlite3_stmt *s = rec ? record_put(rec, TABLE_frames) : NULL;
   if (!record_usable(rec))
      return;
   record_begin(rec);
   record_number(s, IN_frames_frame, f->frame);
   record_number(s, IN_frames_draws, f->draws);
   record_number(s, IN_frames_start_cycle, f->start);
   record_number(s, IN_frames_end_cycle, f->end);
   record_number(s, IN_frames_cycles, f->end - f->start);
   record_number(s, IN_frames_shader_cycles, f->domain_cycles[SIM_DOMAIN_SHADER]);
   record_number(s, IN_frames_memory_cycles, f->domain_cycles[SIM_DOMAIN_MEMORY]);
   sqlite3_bind_double(s, IN_frames_simulated_ms, f->ms);
   sqlite3_bind_double(s, IN_frames_host_seconds, f->wall);
   sqlite3_bind_double(s, IN_frames_cpu_seconds, f->cpu);
   record_limits(s, IN_frames_limiter, &f->limits);
   record_step(rec, s);
   record_counts_put(rec, RECORD_FRAME, f->frame, true, f->values);
   if (rec->clocks)
      record_clocks_frame(rec, f);
   rec->cpu += f->cpu;
   record_end_run(rec, false);
}

void
sim_record_next_frame(struct sim_record *rec, uint32_t numbers)
{
   if (!record_usable(rec))
      return;
   rec->frame_id += numbers;
   rec->passes = 0;
   if (rec->clocks)
      record_clocks_next_frame(rec);
}

void
sim_record_finish(struct sim_record *rec, bool complete)
{
   if (!record_usable(rec))
      return;
   record_end_run(rec, complete);
   record_commit(rec, PATIENCE);
}

void
sim_record_interval(struct sim_record *rec, const struct sim_record_interval *i)
{
   sqlite3_stmt *s = rec ? record_put(rec, TABLE_intervals) : NULL;
   if (!record_usable(rec))
      return;
   record_begin(rec);
   record_number(s, IN_intervals_interval, rec->intervals);
   record_number(s, IN_intervals_frame, i->frame);
   record_number(s, IN_intervals_start_cycle, i->start);
   record_number(s, IN_intervals_end_cycle, i->end);
   for (unsigned d = 0; d < SIM_NUM_DOMAINS; d++)
      record_number(s, IN_intervals_cycles + (int)d, i->domain_cycles[d]);
   record_step(rec, s);
   record_counts_put(rec, RECORD_INTERVAL, rec->intervals, true, i->values);
   if (rec->clocks)
      record_clocks_interval(rec, i);
   rec->intervals++;
}

const char *
sim_record_prim_name(uint32_t prim)
{
   static const char *const names[ATTILA_NUM_PRIMS] = {
#define P(name) #name,
       ATTILA_PRIMS(P)
#undef P
   };
   return prim < ATTILA_NUM_PRIMS ? names[prim] : "?";
}

static const char *
record_primitive(const struct sim_work *work)
{
   return work->kind == SIM_KIND_DRAW ? sim_record_prim_name(work->prim) : NULL;
}

void
record_number_or_null(sqlite3_stmt *s, int column, bool is, uint64_t value)
{
   if (is)
      record_number(s, column, value);
   else
      sqlite3_bind_null(s, column);
}

static void
record_put_work(struct sim_record *rec, const struct sim_record_work *w)
{
   sqlite3_stmt *s = record_put(rec, TABLE_work);
   const struct sim_work *work = w->work;
   const bool draw = work->kind == SIM_KIND_DRAW;
   record_begin(rec);
   record_number(s, IN_work_work, rec->frame_id + w->number);
   record_number(s, IN_work_frame, w->frame);
   record_number(s, IN_work_number, w->number);
   record_text(s, IN_work_kind, sim_work_kind_names[work->kind]);
   record_number_or_null(s, IN_work_draw, draw, work->draw);
   record_text(s, IN_work_label, work->label && work->label[0] ? work->label : NULL);
   record_text(s, IN_work_call, work->call);
   record_number(s, IN_work_meta, work->meta);
   record_text(s, IN_work_primitive, record_primitive(work));
   record_number(s, IN_work_count, work->count);
   record_number_or_null(s, IN_work_instances, draw || work->kind == SIM_KIND_DISPATCH,
                         work->instances);
   record_number(s, IN_work_start_cycle, w->start);
   record_number(s, IN_work_end_cycle, w->end);
   record_number(s, IN_work_cycles, w->end > w->start ? w->end - w->start : 0);
   record_number(s, IN_work_exclusive_cycles, w->exclusive);
   record_number_or_null(s, IN_work_vertex_program, work->vertex_program, work->vertex_program);
   record_number_or_null(s, IN_work_geometry_program, work->geometry_program,
                         work->geometry_program);
   record_number_or_null(s, IN_work_fragment_program, work->fragment_program,
                         work->fragment_program);
   record_number_or_null(s, IN_work_compute_program, work->compute_program, work->compute_program);
   record_number_or_null(s, IN_work_bindings, work->bindings, work->bindings);
   record_number_or_null(s, IN_work_pipeline, work->pipeline, work->pipeline);
   record_limits(s, IN_work_limiter, w->limits);
   record_step(rec, s);
   record_counts_put(rec, RECORD_WORK, rec->frame_id + w->number, draw, w->values);
}

void
sim_record_work(struct sim_record *rec, const struct sim_record_work *work)
{
   if (!record_usable(rec))
      return;
   if (!work->hidden)
      record_put_work(rec, work);
   if (rec->clocks)
      record_clocks_work(rec, work);
}

static void
record_finalize_all(struct sim_record *rec)
{
   sqlite3_stmt *s;
   while ((s = sqlite3_next_stmt(rec->db, NULL)))
      sqlite3_finalize(s);
}

bool
sim_record_close(struct sim_record *rec)
{
   if (!rec)
      return true;
   bool ok = true;
   /* A child of the process that opened SQLite's file must not touch it. */
   if (rec->owner == getpid() && rec->db) {
      sigset_t before;
      record_commit(rec, PATIENCE);
      sim_file_hold_signals(&before);
      record_finalize_all(rec);
      if (rec->failed)
         sqlite3_exec(rec->db, "ROLLBACK", NULL, NULL, NULL);
      sqlite3_close(rec->db);
      sim_file_release_signals(&before, true);
      ok = !rec->failed;
   }
   record_clocks_free(rec);
   free(rec->power);
   free(rec->chosen);
   record_counts_free(rec);
   free(rec->path);
   free(rec);
   return ok;
}
