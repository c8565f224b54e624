/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The file of a record: opening it, transactions, what happens when something fails. It is in WAL
 * mode, so that a process that dies at any time leaves everything up to the last commit, and others
 * may read while it is written. Writing does not wait for the disk: a host that loses power may
 * lose the record. Not here: what is in it (sim_record_schema.c and the others).
 */
#include <errno.h>
#include <signal.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "results/sim_record_impl.h"

static double
host_seconds(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
   return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

/* --- SQLite --- */

/* A file that is too large is our error, and not the end of the program. Signals whose handlers end
 * the process may come: the file is good at any time. */
static void
hold_signal(sigset_t *before)
{
   sigset_t set;
   sigemptyset(&set);
   sigaddset(&set, SIGXFSZ);
   pthread_sigmask(SIG_BLOCK, &set, before);
}

static void
release_signal(const sigset_t *before, bool failed)
{
   const struct timespec now = {0, 0};
   sigset_t set;
   sigemptyset(&set);
   sigaddset(&set, SIGXFSZ);
   if (failed && !sigismember(before, SIGXFSZ))
      sigtimedwait(&set, NULL, &now);
   pthread_sigmask(SIG_SETMASK, before, NULL);
}

void
record_enter(struct sim_record *rec)
{
   if (!rec->held++)
      hold_signal(&rec->signals);
}

void
record_leave(struct sim_record *rec)
{
   if (!--rec->held)
      release_signal(&rec->signals, rec->failed);
}

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
   /* SQLite forgets it now and then. */
   const int code = result & 0xff, now = code == SQLITE_IOERR || code == SQLITE_FULL ? errno : 0;
   const int kept = rec->db ? sqlite3_system_errno(rec->db) : 0, reason = kept ? kept : now;
   snprintf(rec->error, sizeof(rec->error), "%.400s: %s", rec->path,
            reason    ? strerror(reason)
            : rec->db ? sqlite3_errmsg(rec->db)
                      : sqlite3_errstr(result));
}

void
record_step(struct sim_record *rec, sqlite3_stmt *s)
{
   if (rec->failed)
      return;
   record_enter(rec);
   record_check(rec, sqlite3_step(s));
   record_leave(rec);
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
   if (rec->failed)
      return;
   record_enter(rec);
   record_check(rec, sqlite3_exec(rec->db, sql, NULL, NULL, NULL));
   record_leave(rec);
}

void
record_text(sqlite3_stmt *s, int column, const char *text)
{
   sqlite3_bind_text(s, column, text, -1, SQLITE_STATIC);
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
      record_text(s, column++, l->unit);
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
      record_sql(rec, "BEGIN");
   rec->open = true;
}

/* Asked for every row: a clock that is cheap, and good to some milliseconds. */
static double
coarse_seconds(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
   return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

bool
record_old(const struct sim_record *rec)
{
   return (rec->open || rec->num_waiting) && coarse_seconds() - rec->committed >= 1.0;
}

void
sim_record_commit(struct sim_record *rec)
{
   if (!record_usable(rec) || !rec->open)
      return;
   record_sql(rec, "COMMIT");
   rec->open = false;
   rec->committed = coarse_seconds();
}

/* --- Life --- */

static void
remove_old(const char *path)
{
   static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
   char name[4400];
   for (unsigned i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
      snprintf(name, sizeof(name), "%s%s", path, ends[i]);
      unlink(name);
   }
}

static void
prepare_all(struct sim_record *rec)
{
   rec->put_work = record_prepare(rec, "INSERT INTO work VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                                       "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
   rec->put_frame = record_prepare(rec, "INSERT INTO frames VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                                        "?, ?, ?, ?, ?, ?)");
   rec->put_interval = record_prepare(rec, "INSERT INTO intervals VALUES (?, ?, ?, ?, ?, ?, ?)");
   rec->put_program =
       record_prepare(rec, "INSERT INTO programs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
   rec->put_binding =
       record_prepare(rec, "INSERT INTO bindings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
   rec->end_run =
       record_prepare(rec, "UPDATE run SET complete = ?, wall_seconds = ?, cpu_seconds = ?");
   rec->drop_work = record_prepare(rec, "DELETE FROM work WHERE work >= ?");
   rec->drop_counts = record_prepare(rec, "DELETE FROM work_counts WHERE work >= ?");
}

void
sim_record_fill(struct sim_record *rec, const struct sim_record_run *run)
{
   if (!record_usable(rec))
      return;
   record_enter(rec);
   /* Rows for a merge, which takes nothing but whole ones, need no journal. */
   record_sql(rec, run->rows_only ? "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; "
                                    "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF"
                                  : "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA "
                                    "synchronous = OFF; PRAGMA application_id = 1096042572");
   sqlite3_busy_timeout(rec->db, 5000);
   record_begin(rec);
   record_make_tables(rec);
   record_costs_make(rec);
   record_values_make(rec);
   if (!run->rows_only)
      record_make_views(rec);
   if (!rec->failed)
      record_describe(rec, run);
   if (!rec->failed && run->power)
      record_power(rec, run->power, run->config);
   if (!rec->failed)
      prepare_all(rec);
   sim_record_commit(rec);
   record_leave(rec);
}

struct sim_record *
sim_record_create(const char *folder, const struct measure_columns *columns,
                  const struct sim_kernel *kernel, char *error, size_t error_size)
{
   struct sim_record *rec = calloc(1, sizeof(*rec));
   if (!rec || !(rec->path = malloc(strlen(folder) + sizeof(SIM_RECORD_NAME) + 1)) ||
       !(rec->chosen = calloc(columns->num + 1, sizeof(*rec->chosen))) ||
       !(rec->places = calloc(columns->num + 1, sizeof(*rec->places)))) {
      snprintf(error, error_size, "out of host memory");
      sim_record_close(rec);
      return NULL;
   }
   sprintf(rec->path, "%s/%s", folder, SIM_RECORD_NAME);
   rec->owner = getpid();
   rec->columns = columns;
   rec->kernel = kernel;
   rec->next_number = 1;
   rec->frame_id = 1;
   rec->began = host_seconds();
   rec->committed = coarse_seconds();
   for (unsigned i = 0; i < columns->num_draws; i++)
      rec->chosen[columns->draws[i]] = true;
   remove_old(rec->path);
   record_check(rec, sqlite3_open_v2(rec->path, &rec->db,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                                         SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX,
                                     NULL));
   if (rec->failed) {
      snprintf(error, error_size, "%s", rec->error);
      sim_record_close(rec);
      return NULL;
   }
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
end_run(struct sim_record *rec, bool complete, double cpu)
{
   record_begin(rec);
   record_number(rec->end_run, 1, complete);
   sqlite3_bind_double(rec->end_run, 2, host_seconds() - rec->began);
   sqlite3_bind_double(rec->end_run, 3, cpu);
   record_step(rec, rec->end_run);
   sim_record_commit(rec);
}

void
sim_record_frame(struct sim_record *rec, const struct sim_record_frame *f)
{
   sqlite3_stmt *s = rec ? rec->put_frame : NULL;
   if (!record_usable(rec))
      return;
   int n = 1;
   record_enter(rec);
   record_work_flush(rec, UINT32_MAX);
   record_begin(rec);
   record_number(s, n++, f->frame);
   record_number(s, n++, f->draws);
   record_number(s, n++, f->start);
   record_number(s, n++, f->end);
   record_number(s, n++, f->end - f->start);
   record_number(s, n++, f->domain_cycles[SIM_DOMAIN_SHADER]);
   record_number(s, n++, f->domain_cycles[SIM_DOMAIN_MEMORY]);
   sqlite3_bind_double(s, n++, f->ms);
   sqlite3_bind_double(s, n++, f->wall);
   sqlite3_bind_double(s, n++, f->cpu);
   record_limits(s, n, &f->limits);
   record_step(rec, s);
   record_put_values(rec, rec->put_frame_counts, f->frame, RECORD_LAYOUT_FRAME, f->values);
   rec->cpu += f->cpu;
   end_run(rec, false, rec->cpu);
   record_leave(rec);
}

void
sim_record_finish(struct sim_record *rec)
{
   if (!record_usable(rec))
      return;
   end_run(rec, true, rec->cpu);
   record_sql(rec, "PRAGMA wal_checkpoint(TRUNCATE)");
}

void
sim_record_next_frame(struct sim_record *rec, uint64_t start, bool kept)
{
   if (record_usable(rec))
      record_work_new_frame(rec, start, kept);
}

void
sim_record_interval(struct sim_record *rec, const struct sim_record_interval *i)
{
   sqlite3_stmt *s = rec ? rec->put_interval : NULL;
   if (!record_usable(rec))
      return;
   int n = 1;
   record_enter(rec);
   record_begin(rec);
   record_number(s, n++, rec->intervals);
   record_number(s, n++, i->frame);
   record_number(s, n++, i->start);
   record_number(s, n++, i->end);
   for (unsigned d = 0; d < SIM_NUM_DOMAINS; d++)
      record_number(s, n++, i->domain_cycles[d]);
   record_step(rec, s);
   record_put_values(rec, rec->put_interval_counts, rec->intervals++, RECORD_LAYOUT_INTERVAL,
                     i->values);
   record_leave(rec);
}

static void
finalize_all(struct sim_record *rec)
{
   sqlite3_stmt *s;
   while ((s = sqlite3_next_stmt(rec->db, NULL)))
      sqlite3_finalize(s);
}

bool
sim_record_close(struct sim_record *rec)
{
   sigset_t before;
   if (!rec)
      return true;
   bool ok = true;
   /* SQLite's file must not be touched by a child of the process that opened it. */
   if (rec->owner == getpid() && rec->db) {
      hold_signal(&before);
      finalize_all(rec);
      if (rec->failed)
         sqlite3_exec(rec->db, "ROLLBACK", NULL, NULL, NULL);
      sqlite3_close(rec->db);
      release_signal(&before, true);
      ok = !rec->failed;
   }
   record_clocks_free(rec);
   free(rec->power);
   free(rec->waiting);
   free(rec->chosen);
   free(rec->places);
   free(rec->text.p);
   free(rec->counts.p);
   record_layouts_free(rec);
   free(rec->path);
   record_ids_free(&rec->programs);
   record_ids_free(&rec->bindings);
   record_costs_free(rec);
   free(rec);
   return ok;
}
