/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim export --format perfetto: a record as a trace for ui.perfetto.dev and trace_processor.
 * Frames, draws and other work are slices, what units did in intervals are counters. Time is
 * simulated GPU time: cycle C of the GPU clock is at C * 1000 / gpu_mhz ns, rounded down.
 *
 * The trace is written while the record is read; in memory are a row, the ends of the slices that
 * are open, and the names of the counters. Not here: the encoding (core/sim_proto.c), numbers
 * of fields (core/sim_perfetto.h), what the
 * tables hold and the formulas (docs/reference/record.md), the other formats (cli_export.c).
 */
#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "cli/cli.h"
#include "cli/cli_record.h"
#include "core/sim_perfetto.h"
#include "core/sim_proto.h"

enum { TRACK_RUN = 1, SEQUENCE = 1 }; /* the process; the only sequence */

/* Tracks on which slices do not overlap. */
struct lane {
   uint64_t track, end; /* ns */
   bool open;
};

struct lanes {
   const char *name;
   uint64_t group; /* track; 0: not described yet */
   struct lane *lanes;
   unsigned count;
};

struct counter {
   char *name; /* as in the view */
   uint64_t track;
};

/* A group of counters. Of a row of the query, by the number of the interval: column 0 is what the
 * counters are of (NULL: the names of the columns say it all), column 1 the group of their own that
 * they have in this one (NULL: none), the others are values; NULL: none.
 */
struct counter_group {
   const char *name, *query, *unit; /* of the values, for people */
   int unit_code;
};

static const struct counter_group groups[] = {
    {"units",
     "SELECT u.unit, (SELECT min(class) FROM boxes b WHERE b.unit = u.unit) || ' (' || u.unit || "
     "')', busy_percent AS busy, blocked_percent AS blocked FROM interval_units u WHERE interval = "
     "?",
     "%", UNIT_NONE},
    {"fragments",
     "SELECT NULL, NULL, generated, uncovered, culled_hz, uncovered_tested, tested, passed, "
     "failed, colour_input, colour_dead, colour_uncovered FROM interval_fragments WHERE interval = "
     "?",
     "fragments", UNIT_NONE},
    {"bytes by client",
     "SELECT client, client, read_bytes AS read, written_bytes AS written FROM interval_bytes "
     "WHERE interval = ?",
     NULL, UNIT_BYTES},
    {"caches",
     "SELECT cache, NULL, 100.0 * hits / nullif(hits + misses, 0) AS hits FROM interval_caches "
     "WHERE interval = ?",
     "%", UNIT_NONE},
    /* Of records with energies (cli_perfetto_gather_energies). */
    {"power",
     "SELECT 'machine', NULL, sum(total_fj) * 1e-15 / seconds AS power FROM energy WHERE interval "
     "= ?1 UNION ALL SELECT unit, NULL, total_fj * 1e-15 / seconds FROM energy WHERE interval = ?1",
     "W", UNIT_NONE},
    {"energy",
     "SELECT NULL, NULL, sum(dynamic_fj) * 1e-6 AS dynamic, sum(clock_fj) * 1e-6 AS clock, "
     "sum(leakage_fj) * 1e-6 AS leakage, sum(offchip_fj) * 1e-6 AS offchip FROM energy WHERE "
     "interval = ?",
     "nJ", UNIT_NONE},
};
#define NUM_GROUPS (sizeof(groups) / sizeof(groups[0]))

struct group_state {
   sqlite3_stmt *query; /* NULL: this record has no such view */
   struct counter *counters;
   size_t count;
   uint64_t track; /* 0: not described yet */
   char *inner;    /* the group in it that was described last, and its track */
   uint64_t inner_track;
};

struct trace {
   sqlite3 *db;
   const char *folder, *path;
   FILE *f;
   struct proto packet;
   char error[600];
   uint64_t next_track;
   bool begun; /* the first packet has been written */
   uint64_t gpu_mhz;
   bool energies; /* the record has them */
   int64_t first_frame, last_frame;
   struct lanes draws, others;
   struct group_state groups[NUM_GROUPS];
};

static void
cli_perfetto_database_error(struct trace *t)
{
   if (!t->error[0])
      snprintf(t->error, sizeof(t->error), "%.200s/run.sqlite: %.200s", t->folder,
               sqlite3_errmsg(t->db));
}

static void
cli_perfetto_memory_error(struct trace *t)
{
   if (!t->error[0])
      snprintf(t->error, sizeof(t->error), "out of host memory");
}

static sqlite3_stmt *
cli_perfetto_prepare(struct trace *t, const char *sql)
{
   sqlite3_stmt *s = NULL;
   if (!t->error[0] && sqlite3_prepare_v2(t->db, sql, -1, &s, NULL) != SQLITE_OK)
      cli_perfetto_database_error(t);
   return s;
}

/* A query of the chosen frames: ?1 to ?2. The places of its format, if it has any, are columns of
 * energy and where they come from: none in a record without. */
static sqlite3_stmt *
cli_perfetto_prepare_frames(struct trace *t, const char *format, const char *energies)
{
   char *sql =
       sqlite3_mprintf(format, t->energies ? "joules, watts, " : "", t->energies ? energies : "");
   if (!sql)
      cli_perfetto_memory_error(t);
   sqlite3_stmt *s = cli_perfetto_prepare(t, sql);
   sqlite3_free(sql);
   sqlite3_bind_int64(s, 1, t->first_frame);
   sqlite3_bind_int64(s, 2, t->last_frame);
   return s;
}

/* The next row; false at the end or on an error. */
static bool
cli_perfetto_step(struct trace *t, sqlite3_stmt *s)
{
   const int result = s && !t->error[0] ? sqlite3_step(s) : SQLITE_DONE;
   if (result != SQLITE_ROW && result != SQLITE_DONE)
      cli_perfetto_database_error(t);
   return result == SQLITE_ROW;
}

static const char *
cli_perfetto_text(sqlite3_stmt *s, int column)
{
   return (const char *)sqlite3_column_text(s, column);
}

static uint64_t
cli_perfetto_to_ns(const struct trace *t, int64_t cycle)
{
   return (uint64_t)cycle * 1000 / t->gpu_mhz;
}

/* --- Packets --- */

static size_t
cli_perfetto_open_packet(struct trace *t)
{
   const size_t packet = proto_open(&t->packet, TRACE_PACKET);
   proto_number(&t->packet, PACKET_SEQUENCE, SEQUENCE);
   if (!t->begun)
      proto_number(&t->packet, PACKET_SEQUENCE_FLAGS, SEQUENCE_FIRST);
   t->begun = true;
   return packet;
}

static void
cli_perfetto_close_packet(struct trace *t, size_t packet)
{
   proto_close(&t->packet, packet);
   if (t->packet.failed)
      cli_perfetto_memory_error(t);
   else if (!proto_flush(&t->packet, t->f) && !t->error[0])
      snprintf(t->error, sizeof(t->error), "%.400s: %s", t->path, strerror(errno ? errno : EIO));
}

/* A new track below another one. Counters have a group; of others it is NULL. */
static uint64_t
cli_perfetto_describe_track(struct trace *t, uint64_t parent, const char *name, int rank,
                            const struct counter_group *group)
{
   struct proto *p = &t->packet;
   const uint64_t track = t->next_track++;
   const size_t packet = cli_perfetto_open_packet(t),
                descriptor = proto_open(p, PACKET_TRACK_DESCRIPTOR);
   proto_number(p, DESCRIPTOR_UUID, track);
   proto_number(p, DESCRIPTOR_PARENT, parent);
   proto_text(p, DESCRIPTOR_NAME, name);
   proto_number(p, DESCRIPTOR_CHILD_ORDERING, ORDER_EXPLICIT);
   proto_signed(p, DESCRIPTOR_RANK, rank);
   if (group) {
      const size_t counter = proto_open(p, DESCRIPTOR_COUNTER);
      if (group->unit_code != UNIT_NONE)
         proto_number(p, COUNTER_UNIT, (uint64_t)group->unit_code);
      if (group->unit)
         proto_text(p, COUNTER_UNIT_NAME, group->unit);
      proto_close(p, counter);
   }
   proto_close(p, descriptor);
   cli_perfetto_close_packet(t, packet);
   return track;
}

static void
cli_perfetto_describe_run(struct trace *t, sqlite3_stmt *run)
{
   struct proto *p = &t->packet;
   const size_t packet = cli_perfetto_open_packet(t),
                descriptor = proto_open(p, PACKET_TRACK_DESCRIPTOR);
   const char *program = cli_perfetto_text(run, 2) ? cli_perfetto_text(run, 2) : "attila",
              *slash = strrchr(program, '/');
   const char *arguments =
       cli_perfetto_text(run, 3) && *cli_perfetto_text(run, 3) ? cli_perfetto_text(run, 3) : NULL;
   proto_number(p, DESCRIPTOR_UUID, TRACK_RUN);
   proto_number(p, DESCRIPTOR_CHILD_ORDERING, ORDER_EXPLICIT);
   const size_t process = proto_open(p, DESCRIPTOR_PROCESS);
   proto_number(p, PROCESS_PID, 1);
   /* The viewer shows no other text of a process. */
   char name[200];
   snprintf(name, sizeof(name), "%s%s%s", slash ? slash + 1 : program, arguments ? " " : "",
            arguments ? arguments : "");
   proto_text(p, PROCESS_NAME, name);
   proto_close(p, process);
   proto_close(p, descriptor);
   cli_perfetto_close_packet(t, packet);
}

/* Opens a packet with an event in it; *event closes the inner one. */
static size_t
cli_perfetto_open_event(struct trace *t, uint64_t ns, uint64_t track, unsigned type, size_t *event)
{
   const size_t packet = cli_perfetto_open_packet(t);
   proto_number(&t->packet, PACKET_TIMESTAMP, ns);
   *event = proto_open(&t->packet, PACKET_TRACK_EVENT);
   proto_number(&t->packet, EVENT_TYPE, type);
   proto_number(&t->packet, EVENT_TRACK, track);
   return packet;
}

static void
cli_perfetto_put_end(struct trace *t, uint64_t ns, uint64_t track)
{
   size_t event;
   const size_t packet = cli_perfetto_open_event(t, ns, track, EVENT_END, &event);
   proto_close(&t->packet, event);
   cli_perfetto_close_packet(t, packet);
}

/* The columns of a row from the first on are annotations with the columns' names. */
static void
cli_perfetto_put_annotations(struct proto *p, sqlite3_stmt *s, int first)
{
   for (int i = first; i < sqlite3_column_count(s); i++) {
      const int type = sqlite3_column_type(s, i);
      if (type == SQLITE_NULL)
         continue;
      const size_t annotation = proto_open(p, EVENT_ANNOTATION);
      proto_text(p, ANNOTATION_NAME, sqlite3_column_name(s, i));
      if (type == SQLITE_INTEGER)
         proto_signed(p, ANNOTATION_INTEGER, sqlite3_column_int64(s, i));
      else if (type == SQLITE_FLOAT)
         proto_double(p, ANNOTATION_DOUBLE, sqlite3_column_double(s, i));
      else
         proto_text(p, ANNOTATION_TEXT, cli_perfetto_text(s, i));
      proto_close(p, annotation);
   }
}

/* A slice begins. Columns of the row: start, end, category, name, then annotations. */
static void
cli_perfetto_put_begin(struct trace *t, uint64_t track, sqlite3_stmt *s)
{
   size_t event;
   const size_t packet = cli_perfetto_open_event(
       t, cli_perfetto_to_ns(t, sqlite3_column_int64(s, 0)), track, EVENT_BEGIN, &event);
   proto_text(&t->packet, EVENT_CATEGORY, cli_perfetto_text(s, 2) ? cli_perfetto_text(s, 2) : "");
   proto_text(&t->packet, EVENT_NAME, cli_perfetto_text(s, 3) ? cli_perfetto_text(s, 3) : "");
   cli_perfetto_put_annotations(&t->packet, s, 4);
   proto_close(&t->packet, event);
   cli_perfetto_close_packet(t, packet);
}

/* --- Frames and work --- */

#define LIMITERS "limiter, limiter_share, limiter2, limiter2_share, limiter3, limiter3_share"

static void
cli_perfetto_put_frames(struct trace *t)
{
   sqlite3_stmt *s = cli_perfetto_prepare_frames(
       t,
       "SELECT start_cycle, end_cycle, 'frame', 'frame ' || frame, frame, draws, cycles, "
       "start_cycle, simulated_ms, %s" LIMITERS " FROM frames%s WHERE frame BETWEEN ?1 AND ?2 "
       "AND cycles > 0 ORDER BY frame",
       " LEFT JOIN frame_power USING (frame)");
   uint64_t track = 0;
   while (cli_perfetto_step(t, s)) {
      if (!track)
         track = cli_perfetto_describe_track(t, TRACK_RUN, "frames", 0, NULL);
      cli_perfetto_put_begin(t, track, s);
      cli_perfetto_put_end(t, cli_perfetto_to_ns(t, sqlite3_column_int64(s, 1)), track);
   }
   if (!track && !t->error[0])
      snprintf(t->error, sizeof(t->error), "%.400s: no frame with cycles is recorded%s", t->folder,
               t->first_frame || t->last_frame != INT64_MAX ? " in --frames" : "");
   sqlite3_finalize(s);
}

/* Ends slices that end up to a time, the earliest first. */
static void
cli_perfetto_end_slices(struct trace *t, struct lanes *l, uint64_t ns)
{
   for (;;) {
      struct lane *next = NULL;
      for (unsigned i = 0; i < l->count; i++) {
         struct lane *lane = &l->lanes[i];
         if (lane->open && lane->end <= ns && (!next || lane->end < next->end))
            next = lane;
      }
      if (!next)
         return;
      cli_perfetto_put_end(t, next->end, next->track);
      next->open = false;
   }
}

/* The first lane that is free, or a new one; NULL: no memory. */
static struct lane *
cli_perfetto_free_lane(struct trace *t, struct lanes *l)
{
   char name[60];
   for (unsigned i = 0; i < l->count; i++) {
      if (!l->lanes[i].open)
         return &l->lanes[i];
   }
   struct lane *grown = realloc(l->lanes, (l->count + 1) * sizeof(*grown));
   if (!grown) {
      cli_perfetto_memory_error(t);
      return NULL;
   }
   l->lanes = grown;
   if (!l->group)
      l->group = cli_perfetto_describe_track(t, TRACK_RUN, l->name, l == &t->draws ? 1 : 2, NULL);
   /* The viewer would draw lanes of the same name as one. */
   snprintf(name, sizeof(name), "%s, lane %u", l->name, l->count + 1);
   l->lanes[l->count] =
       (struct lane){.track = cli_perfetto_describe_track(t, l->group, name, (int)l->count, NULL)};
   return &l->lanes[l->count++];
}

static void
cli_perfetto_put_work(struct trace *t)
{
   /* Rows are in the order of commands, not in that of their starts; SQLite sorts on disk. */
   sqlite3_stmt *s = cli_perfetto_prepare_frames(
       t,
       "SELECT start_cycle, end_cycle, kind, coalesce(w.label, kind || ' ' || coalesce(draw, "
       "number)), work, frame, number, draw, w.label AS label, meta, cycles, exclusive_cycles, "
       "start_cycle, %s" LIMITERS ", primitive, count, instances, v.name AS vertex_program, "
       "v.instructions AS vertex_instructions, p.name AS fragment_program, p.instructions AS "
       "fragment_instructions, (SELECT group_concat(b.slot || ' ' || b.width || 'x' || b.height "
       "|| ' ' || b.format || coalesce(' ' || b.label, ''), ', ') FROM bindings b WHERE "
       "b.bindings = w.bindings AND b.slot NOT GLOB 'texture*') AS targets FROM work w%s LEFT "
       "JOIN programs v ON v.program = vertex_program LEFT JOIN programs p ON p.program = "
       "fragment_program WHERE frame BETWEEN ?1 AND ?2 AND cycles > 0 ORDER BY start_cycle, "
       "work",
       " LEFT JOIN work_power USING (work)");
   while (cli_perfetto_step(t, s)) {
      struct lanes *l = !strcmp(cli_perfetto_text(s, 2), "draw") ? &t->draws : &t->others;
      cli_perfetto_end_slices(t, l, cli_perfetto_to_ns(t, sqlite3_column_int64(s, 0)));
      struct lane *lane = cli_perfetto_free_lane(t, l);
      if (!lane)
         break;
      cli_perfetto_put_begin(t, lane->track, s);
      lane->end = cli_perfetto_to_ns(t, sqlite3_column_int64(s, 1));
      lane->open = true;
   }
   cli_perfetto_end_slices(t, &t->draws, UINT64_MAX);
   cli_perfetto_end_slices(t, &t->others, UINT64_MAX);
   sqlite3_finalize(s);
}

/* --- Intervals --- */

static void
cli_perfetto_put_value(struct trace *t, uint64_t ns, uint64_t track, bool integer, int64_t value,
                       double real)
{
   size_t event;
   const size_t packet = cli_perfetto_open_event(t, ns, track, EVENT_COUNTER, &event);
   if (integer)
      proto_signed(&t->packet, EVENT_INTEGER, value);
   else
      proto_double(&t->packet, EVENT_DOUBLE, real);
   proto_close(&t->packet, event);
   cli_perfetto_close_packet(t, packet);
}

/* Where a new counter goes: into the group, or one in it. */
static uint64_t
cli_perfetto_counter_parent(struct trace *t, unsigned group, const char *inner)
{
   struct group_state *g = &t->groups[group];
   if (!g->track)
      g->track =
          cli_perfetto_describe_track(t, TRACK_RUN, groups[group].name, 3 + (int)group, NULL);
   if (!inner)
      return g->track;
   if (!g->inner || strcmp(g->inner, inner)) {
      free(g->inner);
      g->inner = strdup(inner);
      g->inner_track = cli_perfetto_describe_track(t, g->track, inner, (int)g->count, NULL);
      if (!g->inner)
         cli_perfetto_memory_error(t);
   }
   return g->inner_track;
}

/* The counter of a name, described if it is new; NULL: no memory. The views give their rows in the
 * same order each time, so it is nearly always the one at the hint.
 */
static struct counter *
cli_perfetto_find_counter(struct trace *t, unsigned group, const char *name, const char *inner,
                          size_t hint)
{
   struct group_state *g = &t->groups[group];
   for (size_t i = 0; i < g->count; i++) {
      struct counter *c = &g->counters[(hint + i) % g->count];
      if (!strcmp(c->name, name))
         return c;
   }
   struct counter *grown = realloc(g->counters, (g->count + 1) * sizeof(*grown));
   char *copy = strdup(name);
   if (grown)
      g->counters = grown;
   if (!grown || !copy) {
      free(copy);
      cli_perfetto_memory_error(t);
      return NULL;
   }
   const uint64_t parent = cli_perfetto_counter_parent(t, group, inner);
   g->counters[g->count] = (struct counter){
       copy, cli_perfetto_describe_track(t, parent, name, (int)g->count, &groups[group])};
   return &g->counters[g->count++];
}

/* What a group counted in an interval that begins then. */
static void
cli_perfetto_put_group(struct trace *t, unsigned group, int64_t interval, uint64_t ns)
{
   sqlite3_stmt *s = t->groups[group].query;
   size_t place = 0;
   sqlite3_bind_int64(s, 1, interval);
   while (cli_perfetto_step(t, s)) {
      for (int i = 2; i < sqlite3_column_count(s); i++) {
         char name[128];
         const char *of = cli_perfetto_text(s, 0);
         if (sqlite3_column_type(s, i) == SQLITE_NULL)
            continue;
         snprintf(name, sizeof(name), "%s%s%s", of ? of : "", of ? " " : "",
                  sqlite3_column_name(s, i));
         struct counter *c =
             cli_perfetto_find_counter(t, group, name, cli_perfetto_text(s, 1), place++);
         if (!c)
            return;
         cli_perfetto_put_value(t, ns, c->track, sqlite3_column_type(s, i) == SQLITE_INTEGER,
                                sqlite3_column_int64(s, i), sqlite3_column_double(s, i));
      }
   }
   sqlite3_reset(s);
}

/* A counter holds its value until the next one: what comes after the intervals is not theirs. */
static void
cli_perfetto_put_zeros(struct trace *t, uint64_t ns)
{
   for (unsigned g = 0; g < NUM_GROUPS; g++) {
      for (size_t i = 0; i < t->groups[g].count; i++)
         cli_perfetto_put_value(t, ns, t->groups[g].counters[i].track, true, 0, 0);
   }
}

static bool
cli_perfetto_has_intervals(struct trace *t)
{
   sqlite3_stmt *s =
       cli_perfetto_prepare(t, "SELECT 1 FROM sqlite_master WHERE name = 'interval_energy'");
   const bool has = cli_perfetto_step(t, s);
   sqlite3_finalize(s);
   return has;
}

/* The view interval_energy sums up all intervals, whichever it is asked for: once is enough. */
static void
cli_perfetto_gather_energies(struct trace *t)
{
   if (t->energies && cli_perfetto_has_intervals(t) &&
       sqlite3_exec(t->db,
                    "PRAGMA temp_store = MEMORY; CREATE TEMP TABLE energy AS SELECT e.*, seconds "
                    "FROM interval_energy e JOIN interval_power USING (interval); CREATE INDEX "
                    "temp.energy_interval ON energy (interval)",
                    NULL, NULL, NULL) != SQLITE_OK)
      cli_perfetto_database_error(t);
}

static void
cli_perfetto_put_intervals(struct trace *t)
{
   cli_perfetto_gather_energies(t);
   sqlite3_stmt *s = cli_perfetto_prepare_frames(
       t,
       "SELECT interval, start_cycle, end_cycle FROM intervals, (SELECT min(start_cycle) AS a, "
       "max(end_cycle) AS b FROM frames WHERE frame BETWEEN ?1 AND ?2) WHERE end_cycle > a AND "
       "start_cycle < b ORDER BY interval",
       NULL);
   int64_t end = -1;
   for (unsigned g = 0; g < NUM_GROUPS && !t->error[0]; g++) {
      /* A view whose counters this machine does not have is missing. */
      if (sqlite3_prepare_v2(t->db, groups[g].query, -1, &t->groups[g].query, NULL) != SQLITE_OK)
         t->groups[g].query = NULL;
   }
   while (cli_perfetto_step(t, s)) {
      const int64_t start = sqlite3_column_int64(s, 1);
      if (end >= 0 && end != start)
         cli_perfetto_put_zeros(t, cli_perfetto_to_ns(t, end));
      for (unsigned g = 0; g < NUM_GROUPS; g++) {
         if (t->groups[g].query)
            cli_perfetto_put_group(t, g, sqlite3_column_int64(s, 0), cli_perfetto_to_ns(t, start));
      }
      end = sqlite3_column_int64(s, 2);
   }
   if (end >= 0)
      cli_perfetto_put_zeros(t, cli_perfetto_to_ns(t, end));
   else if (!t->error[0])
      fprintf(
          stderr,
          "attila-sim: %s: no intervals are recorded (--interval N): no counters in the trace\n",
          t->folder);
   sqlite3_finalize(s);
}

/* --- The file --- */

static void
cli_perfetto_put_all(struct trace *t)
{
   sqlite3_stmt *run = cli_perfetto_prepare(t, "SELECT gpu_mhz, mode, program, arguments FROM run");
   if (cli_perfetto_step(t, run)) {
      t->gpu_mhz = (uint64_t)sqlite3_column_int64(run, 0);
      if (!strcmp(cli_perfetto_text(run, 1), "functional") || !t->gpu_mhz)
         snprintf(t->error, sizeof(t->error), "%.400s: a functional run has no cycles to trace",
                  t->folder);
      else
         cli_perfetto_describe_run(t, run);
   } else if (!t->error[0]) {
      snprintf(t->error, sizeof(t->error), "%.400s/run.sqlite: no run is recorded", t->folder);
   }
   sqlite3_finalize(run);
   sqlite3_stmt *power =
       cli_perfetto_prepare(t, "SELECT 1 FROM sqlite_master WHERE name = 'power_terms'");
   t->energies = cli_perfetto_step(t, power);
   sqlite3_finalize(power);
   if (!t->error[0])
      cli_perfetto_put_frames(t);
   if (!t->error[0])
      cli_perfetto_put_work(t);
   if (!t->error[0])
      cli_perfetto_put_intervals(t);
}

static void
cli_perfetto_release(struct trace *t)
{
   for (unsigned g = 0; g < NUM_GROUPS; g++) {
      sqlite3_finalize(t->groups[g].query);
      for (size_t i = 0; i < t->groups[g].count; i++)
         free(t->groups[g].counters[i].name);
      free(t->groups[g].counters);
      free(t->groups[g].inner);
   }
   free(t->draws.lanes);
   free(t->others.lanes);
   proto_free(&t->packet);
   sqlite3_close(t->db);
}

/* Half a trace looks like a whole one; what is not a file (/dev/stdout) is left alone. */
static void
cli_perfetto_remove_half(const char *path)
{
   struct stat st;
   if (!stat(path, &st) && S_ISREG(st.st_mode))
      remove(path);
}

int
cli_perfetto(const struct cli_options *o, const char *folder)
{
   char database[4400], path[4400];
   struct trace t = {.folder = folder,
                     .path = o->file ? o->file : path,
                     .next_track = TRACK_RUN + 1,
                     .first_frame = o->frames.first,
                     .last_frame = o->frames.given ? o->frames.last : INT64_MAX,
                     .draws.name = "draws",
                     .others.name = "other work"};
   snprintf(database, sizeof(database), "%s/run.sqlite", folder);
   snprintf(path, sizeof(path), "%s/run.perfetto-trace", folder);
   if ((t.db = cli_record_open(folder, t.error, sizeof(t.error))) &&
       cli_same_file(database, t.path))
      snprintf(t.error, sizeof(t.error), "%.400s is the record itself: name another file", t.path);
   else if (t.db && !(t.f = fopen(t.path, "we")))
      snprintf(t.error, sizeof(t.error), "%.400s: %s", t.path, strerror(errno));
   else if (t.db)
      cli_perfetto_put_all(&t);
   if (t.f && fclose(t.f) && !t.error[0])
      snprintf(t.error, sizeof(t.error), "%.400s: %s", t.path, strerror(errno));
   if (t.f && t.error[0])
      cli_perfetto_remove_half(t.path);
   cli_perfetto_release(&t);
   if (t.error[0])
      fprintf(stderr, "attila-sim: %s\n", t.error);
   return t.error[0] ? CLI_FILE : CLI_OK;
}
