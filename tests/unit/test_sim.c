/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The facade (attila_sim.h) with streams that draw nothing: memory, fences, errors, captures,
 * reports and how they survive the end of the process. Both modes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "attila_sim.h"
#include "hw/attila_cmd.h"
#include "hw/attila_format.h"
#include "capture/sim_capture.h"

static char dir[64];
static const char *const small[] = {"MEMORYCONTROLLER.MemorySize=16"};

static int
make_dir(void **state)
{
   strcpy(dir, "/tmp/attila-sim-XXXXXX");
   return mkdtemp(dir) == NULL;
}

static int
remove_dir(void **state)
{
   char command[128];
   snprintf(command, sizeof(command), "rm -r %s", dir);
   return system(command);
}

static const char *
in_dir(const char *name)
{
   static char path[4][128];
   static unsigned n;
   char *p = path[n++ % 4];
   snprintf(p, 128, "%s/%s", dir, name);
   return p;
}

static struct attila_sim *
make(struct attila_sim_options o)
{
   char error[512];
   o.overrides = small;
   o.num_overrides = 1;
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim)
      fail_msg("%s", error);
   return sim;
}

struct stream {
   uint32_t words[65536];
   size_t num, starts[1024], commands;
};

static void
put(struct stream *s, uint32_t op, const uint32_t *payload, uint32_t words)
{
   s->starts[s->commands++] = s->num;
   s->words[s->num++] = ATTILA_CMD_HEADER(op, words);
   if (words)
      memcpy(s->words + s->num, payload, words * 4);
   s->num += words;
}

#define PUT(s, op, ...)                                     \
   put(s, ATTILA_CMD_##op, (const uint32_t[]){__VA_ARGS__}, \
       sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static void
put_buffer(struct stream *s, uint32_t address, const uint8_t *data, uint32_t size)
{
   uint32_t payload[2048] = {address, size};
   memcpy(payload + 2, data, size);
   put(s, ATTILA_CMD_WRITE_BUFFER, payload, 2 + (size + 3) / 4);
}

/* Writes of many sizes and alignments over each other, counters, fences, frames. copy: what memory
 * holds afterwards (1 MiB). */
static void
make_stream(struct stream *s, uint8_t *copy)
{
   uint32_t x = 3;
   s->num = s->commands = 0;
   for (unsigned i = 0; i < 60; i++) {
      uint8_t data[2000];
      x = x * 1664525 + 1013904223;
      uint32_t size = (x >> 8) % 1500, address = 8192 + (x >> 16) % 5000;
      for (uint32_t b = 0; b < size; b++)
         data[b] = (uint8_t)(x >> 7 ^ b * 13);
      memcpy(copy + address, data, size);
      put_buffer(s, address, data, size);
      if (i % 9 == 4)
         PUT(s, WRITE_COUNTER, ATTILA_COUNTER_GPU_CYCLES, 4096 + 8 * i);
      if (i % 11 == 5)
         PUT(s, FENCE, i, 0);
      if (i % 20 == 19)
         put(s, ATTILA_CMD_END_FRAME, NULL, 0);
   }
   PUT(s, WRITE_REGS, 0, 640, 480);
   PUT(s, FENCE, 1000, 0);
}

static struct stream stream;
static uint8_t copy[1 << 20], back[1 << 20];

static void
test_memory(void **state)
{
   make_stream(&stream, copy);
   for (unsigned mode = 0; mode < 2; mode++) {
      struct attila_sim *sim = make((struct attila_sim_options){.mode = mode});
      assert_int_equal(attila_sim_memory_size(sim), 16 << 20);
      assert_true(attila_sim_submit(sim, stream.words, stream.num));
      assert_true(attila_sim_wait(sim, 1000));
      assert_true(attila_sim_fence_signalled(sim, 1000));
      assert_false(attila_sim_fence_signalled(sim, 1001));
      assert_false(attila_sim_wait(sim, 1001)); /* never submitted */
      assert_true(attila_sim_read(sim, 8192, back, 8000));
      assert_memory_equal(back, copy + 8192, 8000);
      assert_true(attila_sim_read(sim, 8193, back, 3));
      assert_memory_equal(back, copy + 8193, 3);
      assert_true(attila_sim_read(sim, 8192, back, 0));
      assert_false(attila_sim_read(sim, (16 << 20) - 4, back, 5));
      assert_null(attila_sim_error(sim));
      assert_true((attila_sim_cycles(sim) > 0) == (mode == ATTILA_MODE_CYCLE));
      attila_sim_destroy(sim);
   }
}

/* Cycles until the last fence, the stream submitted step commands at a time. */
static uint64_t
cycles_of(unsigned step, uint32_t order, uint64_t counters[60])
{
   struct attila_sim *sim = make((struct attila_sim_options){.box_order_seed = order});
   for (size_t c = 0; c < stream.commands; c += step) {
      size_t end = c + step < stream.commands ? stream.starts[c + step] : stream.num;
      assert_true(attila_sim_submit(sim, stream.words + stream.starts[c], end - stream.starts[c]));
   }
   assert_true(attila_sim_wait(sim, 1000));
   uint64_t cycles = attila_sim_cycles(sim);
   assert_true(attila_sim_read(sim, 4096, counters, 60 * 8));
   attila_sim_destroy(sim);
   return cycles;
}

static void
test_cutting_changes_nothing(void **state)
{
   uint64_t expected_counters[60], counters[60];
   make_stream(&stream, copy);
   uint64_t expected = cycles_of(1000, 0, expected_counters);
   assert_true(expected_counters[4] > 0 && expected_counters[13] > expected_counters[4]);
   static const unsigned steps[] = {1, 2, 7, 30};
   for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(cycles_of(steps[i], i, counters), expected);
      assert_memory_equal(counters, expected_counters, sizeof(counters));
   }
}

static void
test_malformed(void **state)
{
   const uint32_t cut[] = {ATTILA_CMD_HEADER(ATTILA_CMD_NOP, 0),
                           ATTILA_CMD_HEADER(ATTILA_CMD_DRAW, 10), 0, 0};
   const uint32_t outside[] = {ATTILA_CMD_HEADER(ATTILA_CMD_READ_BUFFER, 2), 16 << 20, 4};
   for (unsigned mode = 0; mode < 2; mode++) {
      struct attila_sim *sim = make((struct attila_sim_options){.mode = mode});
      assert_false(attila_sim_submit(sim, cut, 4));
      assert_non_null(
          strstr(attila_sim_error(sim), "command DRAW: 10 payload words, but only 2 follow"));
      assert_false(attila_sim_submit(sim, cut, 1));
      assert_false(attila_sim_read(sim, 0, back, 4));
      attila_sim_destroy(sim);
      sim = make((struct attila_sim_options){.mode = mode});
      assert_false(attila_sim_submit(sim, outside, 3));
      assert_non_null(
          strstr(attila_sim_error(sim), "READ_BUFFER: buffer of 4 bytes at 0x1000000 is outside"));
      attila_sim_destroy(sim);
   }
}

static void
test_bad_options(void **state)
{
   char error[512];
   const char *const bad[] = {"GPU.NumStampPipes=99"};
   struct attila_sim_options o = {.overrides = bad, .num_overrides = 1};
   assert_null(attila_sim_create(&o, error, sizeof(error)));
   assert_non_null(strstr(error, "expected a number from 1 to 16"));
   o = (struct attila_sim_options){.config_path = "/nonexistent.ini"};
   assert_null(attila_sim_create(&o, error, sizeof(error)));
   o = (struct attila_sim_options){.out_dir = "/dev/null/x"};
   assert_null(attila_sim_create(&o, error, sizeof(error)));
   assert_non_null(strstr(error, "/dev/null/x"));
   o = (struct attila_sim_options){.capture_path = "/dev/null/x"};
   assert_null(attila_sim_create(&o, error, sizeof(error)));
}

/* A replay of a capture, waits included, takes the same cycles. */
static void
test_capture(void **state)
{
   char error[512];
   make_stream(&stream, copy);
   const char *path = in_dir("test.attila");
   struct attila_sim *sim = make((struct attila_sim_options){.capture_path = path});
   for (size_t c = 0; c < stream.commands; c++) {
      size_t end = c + 1 < stream.commands ? stream.starts[c + 1] : stream.num;
      assert_true(attila_sim_submit(sim, stream.words + stream.starts[c], end - stream.starts[c]));
      if (c == 20)
         assert_true(attila_sim_wait(sim, 5));
      if (c == 30)
         assert_true(attila_sim_read(sim, 8192, back, 4000));
   }
   assert_true(attila_sim_wait(sim, 1000));
   uint64_t cycles = attila_sim_cycles(sim);
   attila_sim_destroy(sim);
   struct sim_capture_reader *r = sim_capture_open(path, error, sizeof(error));
   assert_non_null(r);
   assert_int_equal(sim_capture_memory_size(r), 16 << 20);
   sim = make((struct attila_sim_options){0});
   struct sim_capture_record record;
   enum sim_capture_result result;
   while ((result = sim_capture_next(r, &record, error, sizeof(error))) == SIM_CAPTURE_RECORD) {
      if (record.kind == SIM_CAPTURE_WAIT)
         assert_true(attila_sim_wait(sim, record.fence));
      else
         assert_true(attila_sim_submit(sim, record.words, record.num_words));
   }
   assert_int_equal(result, SIM_CAPTURE_END);
   assert_true(attila_sim_wait(sim, 1000));
   assert_int_equal(attila_sim_cycles(sim), cycles);
   attila_sim_destroy(sim);
   sim_capture_reader_close(r);
}

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
      assert_int_equal(count_rows(in_dir(draws)), 0);
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

/* A signal that comes in the middle of a write of the simulator: half of the bytes are written. */
static unsigned writes_until_signal; /* 0: no signal */
static int signal_in_write;

static ssize_t
interrupted(int fd, const void *data, size_t size, off_t offset, bool at)
{
   size_t part = size;
   if (writes_until_signal && !--writes_until_signal) {
      part = size / 2;
      raise(signal_in_write);
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
   struct attila_sim *sim =
       make((struct attila_sim_options){.mode = ATTILA_MODE_FUNCTIONAL, .out_dir = in_dir("full")});
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

static void
test_environment(void **state)
{
   struct attila_sim_options o;
   char error[256];
   setenv("ATTILA_SET", "GPU.NumStampPipes=4;; MEMORYCONTROLLER.V2MemoryChannels=8", 1);
   setenv("ATTILA_MODE", "functional", 1);
   setenv("ATTILA_BOX_ORDER", "17", 1);
   setenv("ATTILA_PROGRESS", "1", 1);
   assert_true(attila_sim_options_from_env(&o, error, sizeof(error)));
   assert_int_equal(o.num_overrides, 2);
   assert_string_equal(o.overrides[0], "GPU.NumStampPipes=4");
   assert_int_equal(o.mode, ATTILA_MODE_FUNCTIONAL);
   assert_int_equal(o.box_order_seed, 17);
   assert_true(o.progress);
   assert_null(o.out_dir);
   setenv("ATTILA_PROGRESS", "perhaps", 1);
   assert_false(attila_sim_options_from_env(&o, error, sizeof(error)));
   assert_string_equal(error, "ATTILA_PROGRESS=perhaps: expected 0 or 1");
   setenv("ATTILA_PROGRESS", "0", 1);
   setenv("ATTILA_MODE", "fast", 1);
   assert_false(attila_sim_options_from_env(&o, error, sizeof(error)));
   assert_string_equal(error, "ATTILA_MODE=fast: expected cycle or functional");
   setenv("ATTILA_MODE", "cycle", 1);
   setenv("ATTILA_BOX_ORDER", "-1", 1);
   assert_false(attila_sim_options_from_env(&o, error, sizeof(error)));
   setenv("ATTILA_BOX_ORDER", "1", 1);
   setenv("ATTILA_SAVE_FRAMES", "1", 1);
   assert_false(attila_sim_options_from_env(&o, error, sizeof(error)));
   assert_non_null(strstr(error, "ATTILA_OUT"));
   /* Any number of settings. */
   char many[300 * 24] = "";
   for (unsigned i = 0; i < 300; i++)
      sprintf(many + strlen(many), "GPU.GPUClock=%u;", i + 1);
   unsetenv("ATTILA_SAVE_FRAMES");
   setenv("ATTILA_SET", many, 1);
   assert_true(attila_sim_options_from_env(&o, error, sizeof(error)));
   assert_int_equal(o.num_overrides, 300);
   assert_string_equal(o.overrides[299], "GPU.GPUClock=300");
}

/* A program with rights that its caller lacks: it does not write where the environment says. */
static void
test_secure_environment(void **state)
{
   char command[400];
   if (geteuid())
      skip(); /* only root can give away a copy of this program */
   snprintf(command, sizeof(command),
            "cp /proc/%d/exe %s/secure && chown 65534 %s/secure && chmod 4755 %s/secure",
            (int)getpid(), dir, dir, dir);
   assert_int_equal(system(command), 0);
   setenv("ATTILA_OUT", "/tmp", 1);
   fflush(stdout);
   pid_t pid = fork();
   if (pid == 0) {
      execl(in_dir("secure"), "secure", "secure", NULL);
      _exit(99);
   }
   int status;
   assert_int_equal(waitpid(pid, &status, 0), pid);
   unsetenv("ATTILA_OUT");
   if (WEXITSTATUS(status) == 77)
      skip(); /* the file system is mounted nosuid */
   assert_int_equal(status, 0);
}

static int
process_with_rights(void)
{
   struct attila_sim_options o;
   char error[256];
   if (!getauxval(AT_SECURE))
      return 77;
   return !attila_sim_options_from_env(&o, error, sizeof(error)) || o.out_dir;
}

int
main(int argc, char **argv)
{
   if (argc == 2)
      _exit(process_with_rights());
   if (argc == 5) {
      strcpy(dir, argv[2]);
      int how = atoi(argv[3]);
      return !strcmp(argv[1], "ends")    ? process_that_ends(how, (unsigned)atoi(argv[4]))
             : !strcmp(argv[1], "forks") ? process_that_forks(how)
             : !strcmp(argv[1], "moves") ? process_that_moves()
                                         : process_with_full_disk();
   }
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_memory),
       cmocka_unit_test(test_cutting_changes_nothing),
       cmocka_unit_test(test_malformed),
       cmocka_unit_test(test_bad_options),
       cmocka_unit_test(test_capture),
       cmocka_unit_test(test_reports),
       cmocka_unit_test(test_end_of_process),
       cmocka_unit_test(test_signal_while_writing),
       cmocka_unit_test(test_fork),
       cmocka_unit_test(test_environment),
       cmocka_unit_test(test_secure_environment),
       cmocka_unit_test(test_reports_of_several),
       cmocka_unit_test(test_report_links),
       cmocka_unit_test(test_relative_folder),
       cmocka_unit_test(test_full_disk),
   };
   return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
