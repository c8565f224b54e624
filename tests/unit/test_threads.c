/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Several threads that clock the boxes of a machine (SIMULATOR.Threads) must leave every byte of
 * memory, every cycle and every statistic of every row as one does: random scenes on machines of
 * several shapes and on random ones, with threads that are not equally fast; errors; programs that
 * fork, or end at any moment. "scripts/sanitize thread" looks for data races in it. Not here: the
 * same for whole frames (tests/sim/box-threads.sh). */
#include "random_scene.h"
#include "machine_text.h"
#include "random_config.h"
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "box/sim_gpu.h"
#include "core/sim_pay.h"
#include "session/machine/machine_impl.h"
#include "session/session_impl.h"

#define MAX_CONFIG 16384

struct result {
   uint8_t *memory;
   uint64_t cycles;
   char *draws, *instructions; /* files of the record */
};

static unsigned
box_threads_alive(void)
{
   unsigned n = 0;
   DIR *d = opendir("/proc/self/task");
   assert_non_null(d);
   for (struct dirent *e; (e = readdir(d));) {
      char path[64], name[32] = "";
      snprintf(path, sizeof(path), "/proc/self/task/%.20s/comm", e->d_name);
      FILE *f = fopen(path, "r");
      n += f && fgets(name, sizeof(name), f) && !strcmp(name, "attila-boxes\n");
      if (f)
         fclose(f);
   }
   closedir(d);
   return n;
}

static struct attila_sim *
create(const char *config, unsigned threads, uint32_t seed, const char *dir)
{
   char machine[MAX_CONFIG + 64];
   snprintf(machine, sizeof(machine), "SIMULATOR.Threads=%u;%s", threads, config);
   struct attila_sim_options o = {.mode = ATTILA_MODE_CYCLE,
                                  .box_order_seed = threads > 1 ? seed : 0,
                                  .record = dir ? "csv" : NULL,
                                  .out_dir = dir};
   return machine_create(o, 16, machine);
}

static void
submit(struct attila_sim *sim, const uint32_t *words, size_t num)
{
   if (!attila_sim_submit(sim, words, num))
      fail_msg("%s", attila_sim_error(sim));
}

/* Takes a file away. */
static char *
take_file(const char *dir, const char *name)
{
   char path[128];
   snprintf(path, sizeof(path), "%s/%s", dir, name);
   FILE *f = fopen(path, "r");
   assert_non_null(f);
   fseek(f, 0, SEEK_END);
   const long size = ftell(f);
   rewind(f);
   char *text = calloc(1, (size_t)size + 1);
   assert_int_equal(fread(text, 1, (size_t)size, f), size);
   fclose(f);
   unlink(path);
   return text;
}

/* Half of the stream is submitted, then the rest. seed: 0: threads clock if they are faster; else
 * now and then, at random. */
static struct result
run(const struct scene *c, const char *config, unsigned threads, uint32_t seed)
{
   char dir[] = "/tmp/attila-test-XXXXXX";
   const unsigned before = box_threads_alive();
   const uint32_t end_frame = ATTILA_CMD_HEADER(ATTILA_CMD_END_FRAME, 0);
   assert_non_null(mkdtemp(dir));
   struct attila_sim *sim = create(config, threads, seed, dir);
   size_t half = 0;
   while (half < c->s.num / 2)
      half += 1 + ATTILA_CMD_WORDS(c->s.words[half]);
   submit(sim, c->s.words, half);
   submit(sim, c->s.words + half, c->s.num - half);
   submit(sim, &end_frame, 1);
   attila_session_finish(sim);
   assert_int_equal(sim->machine->gpu.kernel.num_threads, threads);
   if (seed)
      assert_int_equal(box_threads_alive() - before, threads - 1);
   struct result r = {.memory = malloc(c->s.next), .cycles = attila_sim_cycles(sim)};
   assert_true(attila_sim_read(sim, 0, r.memory, c->s.next));
   assert_int_equal(sim->machine->gpu.quads.in_use, 0);
   attila_sim_destroy(sim);
   assert_int_equal(box_threads_alive(), before);
   r.draws = take_file(dir, "draws.csv");
   free(take_file(dir, "frames.csv"));
   free(take_file(dir, "counters.csv"));
   assert_int_equal(rmdir(dir), 0);
   return r;
}

static void
free_result(struct result *r)
{
   free(r->memory);
   free(r->draws);
}

static void
compare(const struct scene *c, const struct result *one, const struct result *r, unsigned threads,
        uint32_t number, const char *config)
{
   if (r->cycles != one->cycles)
      fail_msg("scene %u: %llu cycles with %u threads, %llu with one; machine \"%s\"", number,
               (unsigned long long)r->cycles, threads, (unsigned long long)one->cycles, config);
   for (uint32_t i = 0; i < c->s.next; i++) {
      if (r->memory[i] != one->memory[i])
         fail_msg("scene %u with %u threads: byte 0x%x is 0x%02x, with one 0x%02x; machine \"%s\"",
                  number, threads, i, r->memory[i], one->memory[i], config);
   }
   if (strcmp(r->draws, one->draws))
      fail_msg("scene %u: %u threads change draws.csv; machine \"%s\"", number, threads, config);
}

/* A scene on a machine, with so many threads beside one: as it pays, and at random. */
static void
try_scene(uint32_t number, const char *config, bool pays, const unsigned *counts, unsigned num)
{
   struct scene c;
   make_scene(&c, number);
   struct result one = run(&c, config, 1, 0);
   for (unsigned i = 0; i < num; i++) {
      struct result r = run(&c, config, counts[i], i == 0 && pays ? 0 : number + i);
      compare(&c, &one, &r, counts[i], number, config);
      free_result(&r);
   }
   free_result(&one);
   free(c.s.words);
}

/* Two as it pays, the others at random. */
static void
test_threads_change_no_cycle(void **unused)
{
   (void)unused;
   static const unsigned counts[] = {2, 3, 2, 5, 16};
   const bool full = getenv("ATTILA_TEST_LONG");
   for (unsigned m = 0; m < (full ? NUM_MACHINES : 3); m++)
      try_scene(5000 + m, machines[m], m == 0, counts, full ? 5 : 2);
}

/* With ATTILA_TEST_LONG 100 of them. */
static void
test_threads_agree_on_random_machines(void **unused)
{
   (void)unused;
   const unsigned num = getenv("ATTILA_TEST_LONG") ? 100 : 3;
   for (unsigned number = 0; number < num; number++) {
      char config[MAX_CONFIG];
      const unsigned threads = number % 10 == 9 ? 16 : 2 + number % 4;
      random_config(number, "", config, sizeof(config));
      try_scene(6000 + number, config, false, &threads, 1);
   }
}

/* --- Errors --- */

struct failing {
   struct sim_box box;
};
SIM_STATS_DECLARE_PLAIN(failing, SIM_ACTIVITY_STATS)

static sim_tick
failing_clock(struct sim_box *b, sim_tick now)
{
   if (now == 1000 && b->instance % 3 == 1)
      sim_error(b, "enough");
   return now + 1;
}

/* 12 boxes of which four fail in tick 1000. True: all threads were clocking then. */
static bool
try_errors(unsigned threads, uint32_t seed)
{
   static const struct sim_box_class cls = {.name = "Failing",
                                            .unit = "F#",
                                            .size = sizeof(struct failing),
                                            .domain = SIM_DOMAIN_GPU,
                                            .clock = failing_clock};
   struct sim_gpu *gpu = aligned_alloc(64, (sizeof(*gpu) + 63) & ~(size_t)63);
   assert_non_null(gpu);
   memset(gpu, 0, sizeof(*gpu));
   struct sim_kernel *k = &gpu->kernel;
   sim_kernel_init(k, 600, 600, 600, seed);
   k->num_threads = threads;
   for (unsigned i = 0; i < 12; i++) {
      sim_box_create(k, gpu, &cls, (int)i);
      k->group[i] = (uint8_t)i;
   }
   assert_false(sim_kernel_run(k, NULL));
   const bool all = k->pay->all;
   assert_string_equal(k->error, "F1, cycle 1000: enough");
   assert_int_equal(k->now, 1000);
   assert_false(sim_kernel_run(k, NULL));
   sim_kernel_fini(k);
   free(gpu);
   return all;
}

/* Of several boxes that fail in a tick the first one's error is kept, as with one thread, and
 * nothing runs afterwards. */
static void
test_first_boxs_error_is_kept(void **unused)
{
   (void)unused;
   for (unsigned threads = 2; threads < 5; threads++) {
      bool all = false;
      for (uint32_t seed = 1; seed < 200 && !all; seed++)
         all = try_errors(threads, seed);
      assert_true(all);
   }
}

/* --- Forks --- */

/* Parent and child have the second half of a stream: both end as one thread does, and the child has
 * threads of its own. */
static void
test_parent_and_child_go_on_after_fork(void **unused)
{
   (void)unused;
#ifdef __SANITIZE_THREAD__
   skip(); /* its runtime ends a forked process that starts threads */
#endif
   struct scene c;
   make_scene(&c, 5100);
   struct result one = run(&c, "", 1, 0);
   const uint32_t end_frame = ATTILA_CMD_HEADER(ATTILA_CMD_END_FRAME, 0);
   struct attila_sim *sim = create("", 3, 1, NULL);
   size_t half = 0;
   while (half < c.s.num / 2)
      half += 1 + ATTILA_CMD_WORDS(c.s.words[half]);
   submit(sim, c.s.words, half);
   const pid_t child = fork();
   assert_int_not_equal(child, -1);
   submit(sim, c.s.words + half, c.s.num - half);
   submit(sim, &end_frame, 1);
   attila_session_finish(sim);
   uint8_t *memory = malloc(c.s.next);
   const uint64_t cycles = attila_sim_cycles(sim); /* reading takes some */
   const bool same = attila_sim_read(sim, 0, memory, c.s.next) &&
                     !memcmp(memory, one.memory, c.s.next) && cycles == one.cycles &&
                     box_threads_alive() == 2;
   if (!child)
      _exit(same ? 0 : 1);
   assert_true(same);
   int status;
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
   free(memory);
   attila_sim_destroy(sim);
   free_result(&one);
   free(c.s.words);
}

/* --- Ends --- */

static struct scene ends_scene;

static void *
ends_run(void *data)
{
   struct attila_sim *sim = data;
   for (;;)
      attila_sim_submit(sim, ends_scene.s.words, ends_scene.s.num);
   return NULL;
}

/* A child that ends itself while all threads clock its machine. */
static int
ends_child(unsigned how, unsigned ms)
{
   const pid_t child = fork();
   assert_int_not_equal(child, -1);
   if (!child) {
      pthread_t runs;
      const struct rlimit no_core = {0};
      setrlimit(RLIMIT_CORE, &no_core);
      signal(SIGINT, SIG_DFL); /* a shell's job in the background ignores it */
      alarm(60);               /* if it hangs */
      pthread_create(&runs, NULL, ends_run, create("", 3, 1 + ms, NULL));
      usleep(ms * 1000);
      if (how == 0)
         exit(3);
      raise(how == 1 ? SIGINT : SIGABRT);
   }
   int status;
   assert_int_equal(waitpid(child, &status, 0), child);
   return status;
}

/* At any moment exit, Ctrl-C and abort end a program as they do with one thread. */
static void
test_program_ends_as_with_one_thread(void **unused)
{
   (void)unused;
#ifdef __SANITIZE_THREAD__
   skip(); /* as above */
#endif
   const unsigned num = getenv("ATTILA_TEST_LONG") ? 300 : 12;
   make_scene(&ends_scene, 5200);
   for (unsigned i = 0; i < num; i++) {
      const int status = ends_child(i % 3, 1 + i * 7 % 60);
      if (i % 3 == 0)
         assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
      else
         assert_true(WIFSIGNALED(status) && WTERMSIG(status) == (i % 3 == 1 ? SIGINT : SIGABRT));
   }
   free(ends_scene.s.words);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_first_boxs_error_is_kept),
       cmocka_unit_test(test_parent_and_child_go_on_after_fork),
       cmocka_unit_test(test_program_ends_as_with_one_thread),
       cmocka_unit_test(test_threads_change_no_cycle),
       cmocka_unit_test(test_threads_agree_on_random_machines),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
