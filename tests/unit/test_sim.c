/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The facade (attila_sim.h) with streams that draw nothing: memory, fences, errors, captures,
 * options. Both modes. Reports, and how files survive the end of the process: test_report.c. */
#include <sys/auxv.h>
#include <sys/wait.h>
#include "hw/attila_format.h"
#include "hw/attila_surface.h"
#include "session/machine/machine_impl.h"
#include "session/session_impl.h"
#include "capture/sim_capture.h"
#include "sim_stream.h"

static uint8_t copy[1 << 20], back[1 << 20];

static void
test_memory_holds_what_commands_wrote(void **state)
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

/* A legal machine that is slow: no object moves over any signal for 16384 cycles while constants
 * cross the system bus, but nothing is stuck. */
static void
test_slow_is_no_stall(void **state)
{
   static const char *const slow[] = {"MEMORYCONTROLLER.MemorySize=16",
                                      "MEMORYCONTROLLER.SystemBusBytes=1",
                                      "SIMULATOR.StallCycles=1000", "GPU.ShaderClock=700"};
   static uint32_t payload[2 + 4 * ATTILA_MAX_CONSTS] = {ATTILA_STAGE_FRAGMENT};
   for (unsigned clocks = 0; clocks < 2; clocks++) {
      char error[512];
      const struct attila_sim_options o = {.overrides = slow, .num_overrides = 3 + clocks};
      struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
      if (!sim)
         fail_msg("%s", error);
      stream.num = stream.commands = 0;
      put(&stream, ATTILA_CMD_WRITE_CONSTS, payload, sizeof(payload) / 4);
      PUT(&stream, FENCE, 1, 0);
      if (!attila_sim_submit(sim, stream.words, stream.num) || !attila_sim_wait(sim, 1))
         fail_msg("%s", attila_sim_error(sim));
      assert_true(attila_sim_cycles(sim) > 16 * ATTILA_MAX_CONSTS);
      attila_sim_destroy(sim);
   }
}

static void
test_malformed_commands_stop_the_simulator(void **state)
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

/* Both modes accept the same surfaces for a swap, up to the longest rows. */
static void
test_swap_of_long_rows(void **state)
{
   char message[512] = "";
   for (unsigned mode = 0; mode < 2; mode++) {
      struct attila_sim *sim = make((struct attila_sim_options){.mode = mode});
      stream.num = stream.commands = 0;
      PUT(&stream, SWAP, 8192, ATTILA_FORMAT_R8G8B8A8_UNORM, ATTILA_MAX_PITCH_TILES, 16, 16, 0);
      PUT(&stream, FENCE, 1, 0);
      assert_true(attila_sim_submit(sim, stream.words, stream.num) && attila_sim_wait(sim, 1));
      PUT(&stream, SWAP, 8192, ATTILA_FORMAT_R8G8B8A8_UNORM, ATTILA_MAX_PITCH_TILES + 1, 16, 16, 0);
      PUT(&stream, FENCE, 2, 0);
      assert_false(attila_sim_submit(sim, stream.words, stream.num) && attila_sim_wait(sim, 2));
      if (mode == 0)
         strcpy(message, attila_sim_error(sim));
      const char *cause = strstr(message, "command SWAP");
      assert_non_null(cause);
      assert_non_null(strstr(attila_sim_error(sim), cause));
      attila_sim_destroy(sim);
   }
}

static void
test_bad_options_are_refused(void **state)
{
   char error[512];
   const char *const bad[] = {"GPU.NumStampPipes=99"};
   struct attila_sim_options o = {.overrides = bad, .num_overrides = 1};
   assert_null(attila_sim_create(&o, error, sizeof(error)));
   assert_non_null(strstr(error, "expected a number from 1 to 32"));
   o = (struct attila_sim_options){.config_path = "/dev/null/x.ini"};
   assert_null(attila_sim_create(&o, error, sizeof(error)));
   o = (struct attila_sim_options){.out_dir = "/dev/null/x"};
   assert_null(attila_sim_create(&o, error, sizeof(error)));
   assert_non_null(strstr(error, "/dev/null/x"));
   o = (struct attila_sim_options){.capture_path = "/dev/null/x"};
   assert_null(attila_sim_create(&o, error, sizeof(error)));
}

/* A replay of a capture, waits included, takes the same cycles. */
static void
test_replay_takes_the_same_cycles(void **state)
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

static void
test_environment_sets_the_options(void **state)
{
   struct attila_sim_options o;
   char error[256];
   setenv("ATTILA_SET", "GPU.NumStampPipes=4;; MEMORYCONTROLLER.V2MemoryChannels=8", 1);
   setenv("ATTILA_MODE", "half", 1);
   setenv("ATTILA_BOX_ORDER", "17", 1);
   setenv("ATTILA_PROGRESS", "1", 1);
   assert_true(attila_sim_options_from_env(&o, error, sizeof(error)));
   assert_int_equal(o.num_overrides, 2);
   assert_string_equal(o.overrides[0], "GPU.NumStampPipes=4");
   assert_int_equal(o.mode, ATTILA_MODE_HALF);
   assert_int_equal(o.box_order_seed, 17);
   assert_true(o.progress);
   assert_null(o.out_dir);
   attila_sim_options_free(&o);
   setenv("ATTILA_PROGRESS", "perhaps", 1);
   assert_false(attila_sim_options_from_env(&o, error, sizeof(error)));
   assert_string_equal(error, "ATTILA_PROGRESS=perhaps: expected 0 or 1");
   setenv("ATTILA_PROGRESS", "0", 1);
   setenv("ATTILA_MODE", "fast", 1);
   assert_false(attila_sim_options_from_env(&o, error, sizeof(error)));
   assert_string_equal(error, "ATTILA_MODE=fast: expected cycle, functional or half");
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
   attila_sim_options_free(&o);
}

/* A program with rights that its caller lacks: it does not write where the environment says. */
static void
test_setuid_program_ignores_the_environment(void **state)
{
   char command[400];
   if (geteuid())
      skip(); /* only root can give away a copy of this program */
   snprintf(command, sizeof(command),
            "cp /proc/%d/exe %s/secure && chown 65534 %s/secure && chmod 4755 %s/secure",
            (int)getpid(), dir, dir, dir);
   assert_int_equal(system(command), 0);
   setenv("ATTILA_OUT", dir, 1);
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

/* The watchdog writes the state of a machine in which nothing is on its way, too. */
static void
test_dump_of_an_idle_machine(void **state)
{
   struct attila_sim *sim = make((struct attila_sim_options){.mode = ATTILA_MODE_CYCLE});
   char *text = NULL;
   size_t size = 0;
   FILE *f = open_memstream(&text, &size);
   assert_non_null(f);
   sim_kernel_dump(&sim->machine->gpu.kernel, f);
   fclose(f);
   assert_non_null(strstr(text, "TS: 0 primitives waiting, 0 set up\n"));
   free(text);
   attila_sim_destroy(sim);
}

int
main(int argc, char **argv)
{
   if (argc == 2)
      _exit(process_with_rights());
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_memory_holds_what_commands_wrote),
       cmocka_unit_test(test_cutting_changes_nothing),
       cmocka_unit_test(test_slow_is_no_stall),
       cmocka_unit_test(test_malformed_commands_stop_the_simulator),
       cmocka_unit_test(test_dump_of_an_idle_machine),
       cmocka_unit_test(test_swap_of_long_rows),
       cmocka_unit_test(test_bad_options_are_refused),
       cmocka_unit_test(test_replay_takes_the_same_cycles),
       cmocka_unit_test(test_environment_sets_the_options),
       cmocka_unit_test(test_setuid_program_ignores_the_environment),
   };
   return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
