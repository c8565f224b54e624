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
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "attila_sim.h"
#include "hw/attila_cmd.h"
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
      unsigned n = 1;
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
   return rows - 1;
}

static void
test_reports(void **state)
{
   make_stream(&stream, copy);
   for (unsigned mode = 0; mode < 2; mode++) {
      struct attila_sim *sim =
          make((struct attila_sim_options){.mode = mode, .out_dir = in_dir("a/b")});
      assert_true(attila_sim_submit(sim, stream.words, stream.num));
      attila_sim_destroy(sim);
      assert_int_equal(count_rows(in_dir("a/b/frames.csv")), 3);
      assert_int_equal(count_rows(in_dir("a/b/draws.csv")), 0);
   }
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

/* A parent whose child ends in some way while rows and commands wait to be written. */
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
      if (how)
         raise(how);
      return 0;
   }
   int status;
   if (waitpid(pid, &status, 0) != pid || (how ? WTERMSIG(status) != how : status != 0))
      return 7;
   if (!submit_range(sim, 30, stream.commands))
      return 6;
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
   static const int hows[] = {0, SIGTERM};
   make_stream(&stream, copy);
   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(run_process("forks", hows[i], 0), 0);
      assert_int_equal(count_rows(in_dir("c/frames.csv")), 3);
      assert_int_equal(captured_words(in_dir("c.attila")), stream.num);
   }
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
}

int
main(int argc, char **argv)
{
   if (argc == 5) {
      strcpy(dir, argv[2]);
      int how = atoi(argv[3]);
      return !strcmp(argv[1], "ends") ? process_that_ends(how, (unsigned)atoi(argv[4]))
                                      : process_that_forks(how);
   }
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_memory),         cmocka_unit_test(test_cutting_changes_nothing),
       cmocka_unit_test(test_malformed),      cmocka_unit_test(test_bad_options),
       cmocka_unit_test(test_capture),        cmocka_unit_test(test_reports),
       cmocka_unit_test(test_end_of_process), cmocka_unit_test(test_signal_while_writing),
       cmocka_unit_test(test_fork),           cmocka_unit_test(test_environment),
   };
   return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
