/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reports and captures of the facade (attila_sim.h): what files hold, whose they are, and that they
 * are whole at any end of the process: exit, signals, kill -9, forks, full disks. Ends are those of
 * processes of their own, which run this program with other arguments. */
#include <limits.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "hw/attila_format.h"
#include "capture/sim_capture.h"
#include "record_query.h"
#include "sim_stream.h"

static uint8_t copy[1 << 20];

/* Lines of a report; every row has as many fields as the header (fields without commas inside
 * quotes here). */
static unsigned
count_rows(const char *path)
{
   FILE *f = fopen(path, "r");
   char *line = NULL;
   size_t size = 0;
   unsigned rows = 0, fields = 0;
   assert_non_null(f);
   while (getline(&line, &size, f) > 0) {
      unsigned n = 1; /* fields */
      for (const char *c = line; *c; c++)
         n += *c == ',';
      if (!rows)
         fields = n;
      assert_int_equal(n, fields);
      assert_int_equal(line[strlen(line) - 1], '\n');
      rows++;
   }
   free(line);
   fclose(f);
   assert_true(rows > 0); /* the names */
   return rows - 1;
}

static void
test_reports_have_a_row_per_frame_and_draw(void **state)
{
   static const char *const out[] = {"cycle/b", "functional/b"};
   make_stream(&stream, copy);
   for (unsigned mode = 0; mode < 2; mode++) {
      char frames[64], draws[64];
      struct attila_sim *sim =
          make((struct attila_sim_options){.mode = mode, .out_dir = in_dir(out[mode])});
      assert_true(attila_sim_submit(sim, stream.words, stream.num));
      attila_sim_destroy(sim);
      snprintf(frames, sizeof(frames), "%s/frames.csv", out[mode]);
      snprintf(draws, sizeof(draws), "%s/draws.csv", out[mode]);
      assert_int_equal(count_rows(in_dir(frames)), 3);
      /* In cycle mode clears, flushes, uploads, ... have rows, too. */
      unsigned rows = count_rows(in_dir(draws));
      assert_true(mode == 1 ? rows == 0 : rows > 3);
   }
}

/* Two simulators with one folder, and a third after them: each has files of its own. */
static void
test_reports_of_several(void **state)
{
   char out[128];
   strcpy(out, in_dir("two"));
   const struct attila_sim_options o = {.mode = ATTILA_MODE_FUNCTIONAL, .out_dir = out};
   struct attila_sim *a = make(o), *b = make(o);
   const uint32_t end_frame = ATTILA_CMD_HEADER(ATTILA_CMD_END_FRAME, 0);
   for (unsigned i = 0; i < 5; i++) {
      assert_true(attila_sim_submit(a, &end_frame, 1));
      assert_true(i > 1 || attila_sim_submit(b, &end_frame, 1));
   }
   attila_sim_destroy(a);
   attila_sim_destroy(b);
   a = make(o);
   attila_sim_destroy(a);
   assert_int_equal(count_rows(in_dir("two/frames.csv")), 5);
   assert_int_equal(count_rows(in_dir("two/draws.csv")), 0);
   assert_int_equal(count_rows(in_dir("two/simulator-2/frames.csv")), 2);
   assert_int_equal(count_rows(in_dir("two/simulator-3/frames.csv")), 0);
   /* One that has reported nothing left its folder free. */
   a = make(o);
   assert_true(attila_sim_submit(a, &end_frame, 1));
   attila_sim_destroy(a);
   assert_int_equal(count_rows(in_dir("two/simulator-3/frames.csv")), 1);
}

static void
test_links_in_a_report_are_not_followed(void **state)
{
   char error[512];
   char out[128];
   strcpy(out, in_dir("link"));
   const struct attila_sim_options o = {.mode = ATTILA_MODE_FUNCTIONAL, .out_dir = out};
   assert_int_equal(mkdir(in_dir("link"), 0777), 0);
   assert_int_equal(symlink(in_dir("precious"), in_dir("link/draws.csv")), 0);
   assert_null(attila_sim_create(&o, error, sizeof(error)));
   assert_non_null(strstr(error, "link/draws.csv is a symbolic link"));
   assert_int_not_equal(access(in_dir("precious"), F_OK), 0);
}

/* The words of a capture, which must be whole. */
static size_t
captured_words(const char *path)
{
   char error[512];
   struct sim_capture_record record;
   size_t words = 0;
   enum sim_capture_result result;
   struct sim_capture_reader *r = sim_capture_open(path, error, sizeof(error));
   assert_non_null(r);
   while ((result = sim_capture_next(r, &record, error, sizeof(error))) == SIM_CAPTURE_RECORD)
      words += record.kind == SIM_CAPTURE_COMMANDS ? record.num_words : 0;
   if (result != SIM_CAPTURE_END)
      fail_msg("%s", error);
   sim_capture_reader_close(r);
   return words;
}

/* Submits the stream's commands from first to end. */
static bool
submit_range(struct attila_sim *sim, size_t first, size_t end)
{
   size_t from = stream.starts[first], to = end < stream.commands ? stream.starts[end] : stream.num;
   return attila_sim_submit(sim, stream.words + from, to - from);
}

/* A process that ends in the middle of a frame without destroying its simulator. how: a signal, or
 * 0 for exit. */
static int
process_that_ends(int how)
{
   if (!freopen("/dev/null", "w", stderr))
      return 9;
   if (how)
      signal(how, SIG_DFL); /* sanitizers handle some */
   make_stream(&stream, copy);
   struct attila_sim *sim = make(
       (struct attila_sim_options){.out_dir = in_dir("c"), .capture_path = in_dir("c.attila")});
   /* What follows the last frame is part of one. */
   if (!submit_range(sim, 0, stream.commands - 2) ||
       !submit_range(sim, stream.commands - 2, stream.commands))
      return 8;
   if (how)
      raise(how);
   return how ? 7 : 0;
}

/* A parent whose child ends in some way while rows and commands wait to be written. how: a signal,
 * 0 for exit, -1 for exit after more frames. */
static int
process_that_forks(int how)
{
   make_stream(&stream, copy);
   struct attila_sim *sim = make(
       (struct attila_sim_options){.out_dir = in_dir("c"), .capture_path = in_dir("c.attila")});
   if (!submit_range(sim, 0, 26) || !submit_range(sim, 26, 30))
      return 8;
   pid_t pid = fork();
   if (pid == 0) {
      if (how > 0)
         raise(how);
      return how < 0 && !submit_range(sim, 30, stream.commands);
   }
   int status;
   if (waitpid(pid, &status, 0) != pid || (how > 0 ? WTERMSIG(status) != how : status != 0))
      return 7;
   if (!submit_range(sim, 30, stream.commands))
      return 6;
   attila_sim_destroy(sim);
   return 0;
}

/* Reports into a folder whose name is relative and goes elsewhere. */
static int
process_that_moves(void)
{
   static const char *const overrides[] = {"MEMORYCONTROLLER.MemorySize=16"};
   struct attila_sim_options o = {.mode = ATTILA_MODE_FUNCTIONAL,
                                  .out_dir = "relative",
                                  .save_frames = true,
                                  .overrides = overrides,
                                  .num_overrides = 1};
   stream.num = stream.commands = 0;
   PUT(&stream, SWAP, 8192, ATTILA_FORMAT_R8G8B8A8_UNORM, 2, 16, 16, 0);
   if (chdir(dir))
      return 8;
   struct attila_sim *sim = make(o);
   if (chdir("/") || !attila_sim_submit(sim, stream.words, stream.num))
      return 7;
   attila_sim_destroy(sim);
   return 0;
}

/* Frames until a table reaches the limit of a file's size; the program goes on. */
static int
process_with_full_disk(void)
{
   const struct rlimit limit = {2000, 2000};
   const uint32_t end_frame = ATTILA_CMD_HEADER(ATTILA_CMD_END_FRAME, 0);
   if (!freopen(in_dir("full.txt"), "w", stderr) || setrlimit(RLIMIT_FSIZE, &limit))
      return 9;
   struct attila_sim *sim = make((struct attila_sim_options){
       .mode = ATTILA_MODE_FUNCTIONAL, .record = "csv", .out_dir = in_dir("full")});
   for (unsigned i = 0; i < 1000; i++) {
      if (!attila_sim_submit(sim, &end_frame, 1))
         return 8;
   }
   attila_sim_destroy(sim);
   return 0;
}

/* Runs one of them in a process of its own, with no handlers but the simulator's. */
static int
run_process(const char *what, int how)
{
   char number[16];
   snprintf(number, sizeof(number), "%d", how);
   fflush(stdout);
   pid_t pid = fork();
   if (pid == 0) {
      execl("/proc/self/exe", "test_sim", what, dir, number, NULL);
      _exit(99);
   }
   int status;
   assert_int_equal(waitpid(pid, &status, 0), pid);
   return status;
}

/* The record alone, in a folder without write permission: one file has everything. */
static void
check_record(const char *folder, int64_t frames)
{
   static const char *const others[] = {"-journal", "-wal", "-shm"};
   char path[200];
   sqlite3 *db;
   for (unsigned i = 0; i < 3; i++) {
      snprintf(path, sizeof(path), "%s/run.sqlite%s", in_dir(folder), others[i]);
      assert_int_not_equal(access(path, F_OK), 0);
   }
   snprintf(path, sizeof(path), "file:%s/run.sqlite?immutable=1", in_dir(folder));
   assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL),
                    SQLITE_OK);
   assert_int_equal(record_number(db, "SELECT count(*) FROM frames"), frames);
   assert_true(record_number(db, "SELECT count(*) FROM work") > frames);
   assert_int_equal(record_number(db, "SELECT count(*) FROM frame_counters"), frames);
   assert_int_equal(record_number(db, "SELECT count(*) FROM work WHERE frame NOT IN (SELECT frame "
                                      "FROM frames)"),
                    0);
   sqlite3_close(db);
}

static void
test_end_of_process(void **state)
{
   make_stream(&stream, copy);
   static const int hows[] = {0,      SIGKILL, SIGTERM, SIGSEGV, SIGINT,  SIGABRT,
                              SIGHUP, SIGPIPE, SIGUSR1, SIGXCPU, SIGPROF, SIGFPE};
   for (unsigned i = 0; i < sizeof(hows) / sizeof(hows[0]); i++) {
      int status = run_process("ends", hows[i]);
      if (hows[i] ? !WIFSIGNALED(status) || WTERMSIG(status) != hows[i] : status != 0)
         fail_msg("signal %d: status 0x%x", hows[i], status);
      assert_int_equal(count_rows(in_dir("c/frames.csv")), 3);
      check_record("c", 3);
      /* All commands are in the capture. */
      if (captured_words(in_dir("c.attila")) != stream.num)
         fail_msg("signal %d: commands are missing", hows[i]);
   }
}

/* A child of fork() leaves the files to its parent. */
static void
test_child_leaves_the_files_to_its_parent(void **state)
{
   static const int hows[] = {0, SIGTERM, -1};
   make_stream(&stream, copy);
   for (unsigned i = 0; i < 3; i++) {
      assert_int_equal(run_process("forks", hows[i]), 0);
      assert_int_equal(count_rows(in_dir("c/frames.csv")), 3);
      assert_int_equal(captured_words(in_dir("c.attila")), stream.num);
   }
}

/* A folder that a run uses again has that run's files alone, and the user's. */
static void
test_folder_is_used_again(void **state)
{
   static const char *const gone[] = {"again/frame-0001.png", "again/frame-12345.png",
                                      "again/simulator-2/frame-0000.png",
                                      "again/simulator-2/run.sqlite", "again/simulator-3"};
   static const char *const kept[] = {"again/frame-1.png.txt", "again/mine.png",
                                      "again/simulator-2/mine"};
   assert_int_equal(mkdir(in_dir("again"), 0777) | mkdir(in_dir("again/simulator-2"), 0777) |
                        mkdir(in_dir("again/simulator-3"), 0777),
                    0);
   for (unsigned i = 0; i < 4; i++)
      fclose(fopen(in_dir(gone[i]), "w"));
   for (unsigned i = 0; i < 3; i++)
      fclose(fopen(in_dir(kept[i]), "w"));
   struct attila_sim *sim = make(
       (struct attila_sim_options){.mode = ATTILA_MODE_FUNCTIONAL, .out_dir = in_dir("again")});
   attila_sim_destroy(sim);
   for (unsigned i = 0; i < 5; i++)
      assert_int_not_equal(access(in_dir(gone[i]), F_OK), 0);
   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(access(in_dir(kept[i]), F_OK), 0);
}

static void
test_relative_folder_survives_chdir(void **state)
{
   assert_int_equal(run_process("moves", 0), 0);
   assert_int_equal(count_rows(in_dir("relative/frames.csv")), 1);
   assert_int_equal(access(in_dir("relative/frame-0000.png"), R_OK), 0);
}

static void
test_full_disk_is_reported_once(void **state)
{
   char text[1024];
   assert_int_equal(run_process("fills", 0), 0);
   unsigned rows = count_rows(in_dir("full/frames.csv"));
   assert_in_range(rows, 10, 200);
   FILE *f = fopen(in_dir("full.txt"), "r");
   assert_non_null(f);
   size_t n = fread(text, 1, sizeof(text) - 1, f);
   text[n] = '\0';
   fclose(f);
   /* Said once. */
   assert_non_null(strstr(text, "full/frames.csv: File too large: the reports end in frame"));
   assert_ptr_equal(strchr(text, '\n'), text + n - 1);
}

int
main(int argc, char **argv)
{
   if (argc == 4) {
      strcpy(dir, argv[2]);
      int how = atoi(argv[3]);
      return !strcmp(argv[1], "ends")    ? process_that_ends(how)
             : !strcmp(argv[1], "forks") ? process_that_forks(how)
             : !strcmp(argv[1], "moves") ? process_that_moves()
                                         : process_with_full_disk();
   }
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_reports_have_a_row_per_frame_and_draw),
       cmocka_unit_test(test_folder_is_used_again),
       cmocka_unit_test(test_reports_of_several),
       cmocka_unit_test(test_links_in_a_report_are_not_followed),
       cmocka_unit_test(test_end_of_process),
       cmocka_unit_test(test_child_leaves_the_files_to_its_parent),
       cmocka_unit_test(test_relative_folder_survives_chdir),
       cmocka_unit_test(test_full_disk_is_reported_once),
   };
   return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
