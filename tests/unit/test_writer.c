/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The writer's thread by itself (results/sim_writer.h), with jobs made by hand: their order and
 * data, a queue that is full, the end in the middle of work, signal handlers and fork(). And the
 * record that is written by it onto a disk that gets full: what was complete before stays. Not
 * here: what the report's jobs do (test_report.c, test_rows.c).
 */
#include "random_scene.h"
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "record_query.h"
#include "results/sim_writer.h"

#define ALARM_SECONDS 100 /* a writer that stands still is a test that failed */

struct seen {
   uint64_t jobs, bytes; /* done so far */
   uint64_t wrong;       /* out of order, or with other data */
   sem_t gate;           /* which slow jobs wait for */
   pthread_t thread;
};

struct payload {
   uint64_t number;
   uint32_t size; /* with this */
   uint8_t data[];
};

static void
look(void *owner, void *data)
{
   struct seen *seen = owner;
   const struct payload *p = data;
   seen->wrong += p->number != seen->jobs || (uintptr_t)data % 16 != 0;
   for (uint32_t i = 0; i < p->size - sizeof(*p); i += 61)
      seen->wrong += p->data[i] != (uint8_t)(p->number + i);
   seen->thread = pthread_self();
   __atomic_add_fetch(&seen->bytes, p->size, __ATOMIC_RELEASE);
   __atomic_add_fetch(&seen->jobs, 1, __ATOMIC_RELEASE);
}

static void
look_behind_the_gate(void *owner, void *data)
{
   struct seen *seen = owner;
   while (sem_wait(&seen->gate))
      ;
   look(owner, data);
}

static void
fill(struct payload *p, uint64_t number, uint32_t size)
{
   p->number = number;
   p->size = size;
   for (uint32_t i = 0; i < size - sizeof(*p); i++)
      p->data[i] = (uint8_t)(number + i);
}

static bool
hand_over(struct sim_writer *w, struct seen *seen, uint64_t number, uint32_t size,
          sim_writer_job *job)
{
   /* More is asked for than is used in the end. */
   struct payload *p = sim_writer_begin(w, size + number % 5 * 40);
   if (!p)
      return false;
   fill(p, number, size);
   sim_writer_end(w, job, seen, size);
   return true;
}

static void
start(struct seen *seen)
{
   memset(seen, 0, sizeof(*seen));
   sem_init(&seen->gate, 0, 0);
   alarm(ALARM_SECONDS);
}

static void
finish(struct seen *seen)
{
   sem_destroy(&seen->gate);
   alarm(0);
}

static bool
several_processors(void)
{
   cpu_set_t set;
   return !sched_getaffinity(0, sizeof(set), &set) && CPU_COUNT(&set) > 1;
}

/* All jobs, once, in the order in which they were handed over, with their data: small ones, some
 * larger than a block of the writer, and rooms that were left. */
static void
test_order(void **state)
{
   for (unsigned threads = 0; threads < 2; threads++) {
      struct seen seen;
      start(&seen);
      struct sim_writer *w = sim_writer_create(threads);
      assert_non_null(w);
      for (uint64_t n = 0; n < 20000; n++) {
         const uint32_t size = n % 4001 == 4000 ? 700001 : 16 + (uint32_t)(n * 7919 % 300);
         if (n % 11 == 0)
            memset(sim_writer_begin(w, 900), 0xee, 900); /* no job */
         assert_true(hand_over(w, &seen, n, size, look));
         if (n % 997 == 0) {
            sim_writer_wait(w);
            assert_int_equal(seen.jobs, n + 1);
         }
      }
      sim_writer_wait(w);
      assert_int_equal(seen.jobs, 20000);
      assert_int_equal(seen.wrong, 0);
      assert_int_equal(pthread_equal(seen.thread, pthread_self()),
                       !threads || !several_processors());
      sim_writer_destroy(w);
      finish(&seen);
   }
}

/* What a few jobs are, the thread need not be woken for; it does them when it is. */
static void
test_wake(void **state)
{
   struct seen seen;
   if (!several_processors())
      skip();
   start(&seen);
   struct sim_writer *w = sim_writer_create(true);
   assert_true(hand_over(w, &seen, 0, 100, look));
   sim_writer_wake(w);
   while (!__atomic_load_n(&seen.jobs, __ATOMIC_ACQUIRE))
      usleep(1000);
   /* Destroying does what has not been done. */
   for (unsigned n = 1; n < 100; n++)
      assert_true(hand_over(w, &seen, n, 100, look));
   sim_writer_destroy(w);
   assert_int_equal(seen.jobs, 100);
   assert_int_equal(seen.wrong, 0);
   finish(&seen);
}

/* --- A full queue --- */

#define FULL_JOB 65536u
#define FULL_JOBS 1200u /* 75 MiB: more than twice what may wait */

struct flood {
   struct sim_writer *w;
   struct seen *seen;
   uint64_t handed;
};

static void *
flood(void *data)
{
   struct flood *f = data;
   for (uint64_t n = 0; n < FULL_JOBS; n++) {
      if (!hand_over(f->w, f->seen, n, FULL_JOB, n ? look : look_behind_the_gate))
         return "lost";
      __atomic_add_fetch(&f->handed, FULL_JOB, __ATOMIC_RELEASE);
   }
   return NULL;
}

/* The first job stands still: who hands over goes on up to a bound of memory, waits there, and goes
 * on when the job does. */
static void
test_full_queue(void **state)
{
   struct seen seen;
   if (!several_processors())
      skip();
   start(&seen);
   struct flood f = {.w = sim_writer_create(true), .seen = &seen};
   pthread_t thread;
   assert_int_equal(pthread_create(&thread, NULL, flood, &f), 0);
   uint64_t before = 0, handed = 1;
   while (handed != before) {
      before = handed;
      usleep(300000);
      handed = __atomic_load_n(&f.handed, __ATOMIC_ACQUIRE);
   }
   assert_int_equal(seen.jobs, 0);
   assert_in_range(handed, 16u << 20, 34u << 20);
   sem_post(&seen.gate);
   void *result;
   pthread_join(thread, &result);
   assert_null(result);
   sim_writer_wait(f.w);
   assert_int_equal(seen.jobs, FULL_JOBS);
   assert_int_equal(seen.wrong, 0);
   sim_writer_destroy(f.w);
   finish(&seen);
}

/* --- The end in the middle --- */

static struct sim_writer *handled;

static void
handler(int number)
{
   sim_writer_wait_in_handler(handled);
}

static void
raise_in_job(void *owner, void *data)
{
   /* The thread itself is interrupted: waiting for itself would take the two seconds. */
   sim_writer_wait_in_handler(handled);
   look(owner, data);
}

/* A handler sees everything done that was handed over; and it comes back although a job never
 * ends. */
static void
test_handler(void **state)
{
   struct seen seen;
   struct timespec a, b;
   if (!several_processors())
      skip();
   start(&seen);
   handled = sim_writer_create(true);
   signal(SIGUSR1, handler);
   for (unsigned n = 0; n < 50; n++)
      assert_true(hand_over(handled, &seen, n, 200, look));
   raise(SIGUSR1);
   assert_int_equal(seen.jobs, 50);
   /* Of several tries one is quick, however busy the host is. */
   unsigned jobs = 50;
   do {
      clock_gettime(CLOCK_MONOTONIC, &a);
      assert_true(hand_over(handled, &seen, jobs++, 200, raise_in_job));
      sim_writer_wait(handled);
      clock_gettime(CLOCK_MONOTONIC, &b);
   } while (b.tv_sec - a.tv_sec >= 2 && jobs < 60);
   assert_true(b.tv_sec - a.tv_sec < 2);
   assert_true(hand_over(handled, &seen, jobs, 200, look_behind_the_gate));
   raise(SIGUSR1);
   assert_int_equal(seen.jobs, jobs);
   sem_post(&seen.gate);
   sim_writer_destroy(handled);
   assert_int_equal(seen.jobs, jobs + 1);
   assert_int_equal(seen.wrong, 0);
   signal(SIGUSR1, SIG_DFL);
   finish(&seen);
}

/* After fork() in the middle of a job the child has no thread: it loses jobs and does not wait for
 * ever; the parent loses nothing. */
static void
test_fork(void **state)
{
   struct seen seen;
   if (!several_processors())
      skip();
   start(&seen);
   struct sim_writer *w = sim_writer_create(true);
   assert_true(hand_over(w, &seen, 0, 200, look_behind_the_gate));
   assert_true(hand_over(w, &seen, 1, 200, look));
   sim_writer_wake(w);
   assert_false(sim_writer_lost(w));
   const pid_t child = fork();
   if (!child) {
      alarm(10);
      sim_writer_disown(w);
      bool ok = !sim_writer_begin(w, 10) && sim_writer_lost(w);
      sim_writer_wake(w);
      sim_writer_wait(w);
      sim_writer_wait_in_handler(w);
      _exit(ok ? 0 : 1);
   }
   int status;
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   sem_post(&seen.gate);
   sim_writer_destroy(w);
   assert_int_equal(seen.jobs, 2);
   assert_int_equal(seen.wrong, 0);
   assert_false(sim_writer_lost(NULL));
   sim_writer_destroy(NULL);
   finish(&seen);
}

/* --- A full disk --- */

#define FRAMES 12u

static void
simulate(const char *dir, rlim_t most)
{
   char error[512];
   const char *const overrides[] = {"MEMORYCONTROLLER.MemorySize=16"};
   const struct attila_sim_options o = {
       .overrides = overrides, .num_overrides = 1, .record = "sqlite", .out_dir = dir};
   const struct rlimit limit = {most, most};
   struct scene c;
   make_scene(&c, 77);
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim)
      _exit(9);
   /* From here on the disk has little room. */
   signal(SIGXFSZ, SIG_IGN);
   if (most != RLIM_INFINITY && setrlimit(RLIMIT_FSIZE, &limit))
      _exit(8);
   const uint32_t end = ATTILA_CMD_HEADER(ATTILA_CMD_END_FRAME, 0);
   for (unsigned frame = 0; frame < FRAMES; frame++) {
      if (!attila_sim_submit(sim, c.s.words, c.s.num) || !attila_sim_submit(sim, &end, 1))
         _exit(7);
   }
   attila_sim_destroy(sim);
   _exit(0);
}

/* Runs it in a child; what it says on stderr. */
static void
run(const char *dir, rlim_t most, char *said, size_t size)
{
   int pipes[2], status;
   size_t length = 0;
   ssize_t n;
   assert_int_equal(pipe(pipes), 0);
   const pid_t child = fork();
   if (!child) {
      dup2(pipes[1], STDERR_FILENO);
      close(pipes[0]);
      simulate(dir, most);
   }
   close(pipes[1]);
   while ((n = read(pipes[0], said + length, size - 1 - length)) > 0)
      length += (size_t)n;
   said[length] = '\0';
   close(pipes[0]);
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static int64_t
number(const char *dir, const char *sql)
{
   sqlite3 *db = record_open(dir);
   const int64_t n = record_number(db, sql);
   sqlite3_close(db);
   return n;
}

/* The file has the size it can have: the frames that were complete are there, each with rows that
 * add up; the frame in which it ended is said, once; the program goes on to its end. */
static void
test_full_disk(void **state)
{
   char all[] = "/tmp/attila-writer-XXXXXX", part[] = "/tmp/attila-writer-XXXXXX";
   char said[4000], command[200];
   static const char sums[] =
       "SELECT count(*) FROM frames f WHERE cycles != (SELECT sum(exclusive_cycles) FROM work w "
       "WHERE w.frame = f.frame)";
   alarm(ALARM_SECONDS);
   assert_non_null(mkdtemp(all));
   run(all, RLIM_INFINITY, said, sizeof(said));
   assert_string_equal(said, "");
   const int64_t frames = number(all, "SELECT count(*) FROM frames");
   assert_true(frames >= FRAMES);
   assert_int_equal(number(all, sums), 0);
   const int64_t bytes =
       number(all, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
   assert_non_null(mkdtemp(part));
   run(part, (rlim_t)bytes * 9 / 10, said, sizeof(said));
   const char *first = strstr(said, "run.sqlite");
   if (!first || !strstr(said, "frame"))
      fail_msg("nothing is said of a full disk, but: %s", said);
   assert_null(strstr(first + 1, "run.sqlite"));
   const int64_t left = number(part, "SELECT count(*) FROM frames");
   assert_true(left > 0 && left < frames);
   assert_int_equal(number(part, sums), 0);
   assert_int_equal(number(part, "SELECT complete FROM run"), 0);
   snprintf(command, sizeof(command), "rm -r '%s' '%s'", all, part);
   assert_int_equal(system(command), 0);
   alarm(0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_order),      cmocka_unit_test(test_wake),
       cmocka_unit_test(test_full_queue), cmocka_unit_test(test_handler),
       cmocka_unit_test(test_fork),       cmocka_unit_test(test_full_disk),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
