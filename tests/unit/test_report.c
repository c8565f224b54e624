/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reports and captures of the facade (attila_sim.h): what files hold, whose they are, and that they
 * are whole at any end of the process: exit, signals, forks, full disks. Ends are those of
 * processes of their own, which run this program with other arguments.
 */
#include <limits.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "hw/attila_format.h"
#include "capture/sim_capture.h"
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
test_reports(void **state)
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
test_report_links(void **state)
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

/* A signal that comes in the middle of a write of the simulator, in whichever thread that is: half
 * of the bytes are written. Only the capture and the tables of rows count: counters.csv and the
 * record (SQLite's own writes pass here, too) are begun by another thread, at some time. */
static unsigned writes_until_signal; /* 0: no signal */
static int signal_in_write;

static bool
counts(int fd)
{
   char link[64], path[PATH_MAX + 1];
   snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
   const ssize_t n = readlink(link, path, PATH_MAX);
   path[n > 0 ? n : 0] = '\0';
   return strstr(path, "c.attila") || strstr(path, "frames.csv") || strstr(path, "draws.csv");
}

static ssize_t
interrupted(int fd, const void *data, size_t size, off_t offset, bool at)
{
   size_t part = size;
   if (writes_until_signal && counts(fd) && !--writes_until_signal) {
      part = size / 2;
      kill(getpid(), signal_in_write);
   }
   return at ? syscall(SYS_pwrite64, fd, data, part, offset) : syscall(SYS_write, fd, data, part);
}

ssize_t
write(int fd, const void *data, size_t size)
{
   return interrupted(fd, data, size, 0, false);
}

ssize_t
pwrite(int fd, const void *data, size_t size, off_t offset)
{
   return interrupted(fd, data, size, offset, true);
}

/* Submits the stream's commands from first to end. */
static bool
submit_range(struct attila_sim *sim, size_t first, size_t end)
{
   size_t from = stream.starts[first], to = end < stream.commands ? stream.starts[end] : stream.num;
   return attila_sim_submit(sim, stream.words + from, to - from);
}

/* A process that ends in some way without destroying its simulator. how: a signal, or 0 for exit.
 * at: 0, or the signal comes in that write of the simulator. */
static int
process_that_ends(int how, unsigned at)
{
   if (!freopen("/dev/null", "w", stderr))
      return 9;
   if (how)
      signal(how, SIG_DFL); /* sanitizers handle some */
   make_stream(&stream, copy);
   struct attila_sim *sim = make(
       (struct attila_sim_options){.out_dir = in_dir("c"), .capture_path = in_dir("c.attila")});
   signal_in_write = how;
   writes_until_signal = at;
   /* What follows the last frame is still pending then. */
   if (!submit_range(sim, 0, stream.commands - 2) ||
       !submit_range(sim, stream.commands - 2, stream.commands))
      return 8;
   if (how && !at)
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
run_process(const char *what, int how, unsigned at)
{
   char numbers[2][16];
   snprintf(numbers[0], 16, "%d", how);
   snprintf(numbers[1], 16, "%u", at);
   fflush(stdout);
   pid_t pid = fork();
   if (pid == 0) {
      execl("/proc/self/exe", "test_sim", what, dir, numbers[0], numbers[1], NULL);
      _exit(99);
   }
   int status;
   assert_int_equal(waitpid(pid, &status, 0), pid);
   return status;
}

static void
test_end_of_process(void **state)
{
   make_stream(&stream, copy);
   static const int hows[] = {0,       SIGTERM, SIGSEGV, SIGINT,  SIGABRT, SIGHUP, SIGQUIT,
                              SIGPIPE, SIGALRM, SIGUSR1, SIGXCPU, SIGPROF, SIGFPE, SIGSYS};
   for (unsigned i = 0; i < sizeof(hows) / sizeof(hows[0]); i++) {
      int status = run_process("ends", hows[i], 0);
      if (hows[i] ? !WIFSIGNALED(status) || WTERMSIG(status) != hows[i] : status != 0)
         fail_msg("signal %d: status 0x%x", hows[i], status);
      assert_int_equal(count_rows(in_dir("c/frames.csv")), 3);
      /* All commands are in the capture. */
      if (captured_words(in_dir("c.attila")) != stream.num)
         fail_msg("signal %d: commands are missing", hows[i]);
   }
}

/* The first two writes after the headers are the capture's chunk and rows of the first submission;
 * the second submission is never made. */
static void
test_signal_while_writing(void **state)
{
   make_stream(&stream, copy);
   for (unsigned at = 1; at < 3; at++) {
      int status = run_process("ends", SIGTERM, at);
      assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
      assert_int_equal(captured_words(in_dir("c.attila")), stream.starts[stream.commands - 2]);
      count_rows(in_dir("c/frames.csv"));
   }
}

/* A child of fork() leaves the files to its parent. */
static void
test_fork(void **state)
{
   static const int hows[] = {0, SIGTERM, -1};
   make_stream(&stream, copy);
   for (unsigned i = 0; i < 3; i++) {
      assert_int_equal(run_process("forks", hows[i], 0), 0);
      assert_int_equal(count_rows(in_dir("c/frames.csv")), 3);
      assert_int_equal(captured_words(in_dir("c.attila")), stream.num);
   }
}

static void
test_relative_folder(void **state)
{
   assert_int_equal(run_process("moves", 0, 0), 0);
   assert_int_equal(count_rows(in_dir("relative/frames.csv")), 1);
   assert_int_equal(access(in_dir("relative/frame-0000.png"), R_OK), 0);
}

static void
test_full_disk(void **state)
{
   char text[1024];
   assert_int_equal(run_process("fills", 0, 0), 0);
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
   if (argc == 5) {
      strcpy(dir, argv[2]);
      int how = atoi(argv[3]);
      return !strcmp(argv[1], "ends")    ? process_that_ends(how, (unsigned)atoi(argv[4]))
             : !strcmp(argv[1], "forks") ? process_that_forks(how)
             : !strcmp(argv[1], "moves") ? process_that_moves()
                                         : process_with_full_disk();
   }
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_reports),
       cmocka_unit_test(test_reports_of_several),
       cmocka_unit_test(test_report_links),
       cmocka_unit_test(test_end_of_process),
       cmocka_unit_test(test_signal_while_writing),
       cmocka_unit_test(test_fork),
       cmocka_unit_test(test_relative_folder),
       cmocka_unit_test(test_full_disk),
   };
   return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
