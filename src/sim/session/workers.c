/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Frames in parallel (session/schedule.h): at the beginning of a piece of the run the process
 * forks. The worker has the whole state, copied on write. It waits until the commands of its frames
 * are there, in a file in memory that the parent fills while it goes on in functional mode; then it
 * simulates them in cycle mode from a hot start, reports into OUT/workers/FRAME and ends. At most
 * so many workers simulate at a time. What a worker finds depends on nothing but the commands up to
 * its last one, so their number changes no result. The first worker's record has all that a record
 * has; of the others, rows of frames are enough.
 *
 * A worker is forked from a program with threads that it does not have: it touches nothing but the
 * simulator, closes every other file and ends without the program's exit handlers. Not here: making
 * one record of theirs (cli/cli_merge.c).
 */
#include "session/schedule.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "core/sim_file.h"
#include "results/sim_report.h"

#define MAX_SIMULATORS 1000 /* of a folder */

/* A piece of what is replayed: a wait (num_words 0), or so many words, which follow. */
struct piece {
   uint64_t num_words, fence;
};

struct job {
   struct job *next; /* in the order of frames */
   uint32_t first, last;
   pid_t pid;
   int commands, go, done; /* files: in memory; pipes to and from the worker */
   uint64_t bytes;         /* of commands */
   bool running;
   bool first_of_all; /* its record says what the run is, for all others */
};

struct attila_workers {
   struct attila_sim_options options;
   struct job *list;
   uint32_t frames; /* ended */
   unsigned running;
   bool failed, started; /* started: a worker has been */
   char folder[4200];
};

static void
complain(struct attila_workers *jobs, const char *what, uint32_t frame)
{
   if (!jobs->failed)
      fprintf(stderr, "attila: error: the worker of frame %u: %s\n", frame, what);
   jobs->failed = true;
}

/* A folder for the workers' reports: OUT/workers, or that of another simulator of the program in
 * OUT/simulator-2, ... False: errno says why. */
static bool
make_folder(struct attila_workers *jobs)
{
   char path[4200];
   if (!sim_file_make_folder(jobs->options.out_dir))
      return false;
   for (unsigned n = 1; n <= MAX_SIMULATORS; n++) {
      snprintf(jobs->folder, sizeof(jobs->folder), "%.4000s", jobs->options.out_dir);
      if (n > 1) {
         snprintf(jobs->folder, sizeof(jobs->folder), "%.4000s/simulator-%u", jobs->options.out_dir,
                  n);
         mkdir(jobs->folder, 0777);
      }
      snprintf(path, sizeof(path), "%.4100s/workers", jobs->folder);
      if (mkdir(path, 0777) == 0) {
         if (n > 1)
            fprintf(stderr, "attila: another simulator reports into %s: this one into %s\n",
                    jobs->options.out_dir, jobs->folder);
         return true;
      }
      if (errno != EEXIST)
         return false;
   }
   return false;
}

struct attila_workers *
attila_workers_create(const struct attila_sim_options *options, char *error, size_t error_size)
{
   struct attila_workers *jobs = calloc(1, sizeof(*jobs));
   if (!jobs) {
      snprintf(error, error_size, "out of host memory");
      return NULL;
   }
   jobs->options = *options;
   if (make_folder(jobs))
      return jobs;
   snprintf(error, error_size, "%.300s/workers: %s", jobs->folder, strerror(errno));
   free(jobs);
   return NULL;
}

/* --- The worker --- */

/* The commands, when all of them are here; the worker ends if they never will be. */
static const uint8_t *
await_commands(int commands, int go, uint64_t *bytes)
{
   ssize_t n;
   do
      n = read(go, bytes, sizeof(*bytes));
   while (n < 0 && errno == EINTR);
   if (n != sizeof(*bytes))
      _exit(0);
   void *p = mmap(NULL, *bytes ? *bytes : 1, PROT_READ, MAP_PRIVATE, commands, 0);
   if (p == MAP_FAILED)
      _exit(1);
   return p;
}

/* Whole frames are simulated from here on; of others the worker has functional mode, too, whose
 * threads it does not have. */
static bool
begin_work(struct attila_sim *sim)
{
   struct attila_roi *parts = attila_schedule_parts(sim->frames);
   if (!parts) {
      attila_sim_go_on_in_cycle_mode(sim);
      return true;
   }
   sim_func_destroy(sim->func);
   sim->func = sim_func_create(&sim->device, 1);
   if (!sim->func)
      return false;
   attila_warming_start(sim);
   attila_roi_simulate(parts);
   return true;
}

static bool
execute(struct attila_sim *sim, const uint32_t *words, size_t num_words)
{
   struct attila_roi *parts = attila_schedule_parts(sim->frames);
   return parts ? attila_roi_execute(parts, sim, words, num_words)
                : attila_sim_execute(sim, words, num_words);
}

/* False: the simulator stopped. */
static bool
replay(struct attila_sim *sim, const uint8_t *commands, uint64_t bytes)
{
   for (uint64_t at = 0; at < bytes;) {
      struct piece p;
      memcpy(&p, commands + at, sizeof(p));
      at += sizeof(p);
      /* Pieces are of whole words, and begin at multiples of 8 bytes. */
      if (p.num_words &&
          !execute(sim, (const uint32_t *)(const void *)(commands + at), p.num_words))
         return false;
      if (!p.num_words && sim->device.fence < p.fence)
         attila_sim_run_until_fence(sim, p.fence);
      at += (p.num_words * 4 + 7) & ~7ull;
   }
   return !sim->gpu.kernel.stopped;
}

/* The only files of a worker, beside standard input, output and error. */
enum { COMMANDS_FD = 3, GO_FD, DONE_FD, LOW_FDS };

static void
keep_files(int commands, int go, int done)
{
   /* Out of the way of each other first. */
   const int high[3] = {fcntl(commands, F_DUPFD, LOW_FDS), fcntl(go, F_DUPFD, LOW_FDS),
                        fcntl(done, F_DUPFD, LOW_FDS)};
   for (int i = 0; i < 3; i++) {
      if (dup2(high[i], COMMANDS_FD + i) < 0)
         _exit(1);
   }
   close_range(LOW_FDS, ~0u, 0);
}

/* The program's handlers are none of the worker's business. */
static void
drop_handlers(void)
{
   for (int s = 1; s < NSIG; s++) {
      struct sigaction a;
      if (!sigaction(s, NULL, &a) && a.sa_handler != SIG_IGN)
         signal(s, SIG_DFL);
   }
}

static _Noreturn void
work(struct attila_sim *sim, const struct attila_workers *jobs, const struct job *job,
     uint32_t frame)
{
   char path[4200], error[1024];
   uint64_t bytes;
   const uint8_t *commands = await_commands(COMMANDS_FD, GO_FD, &bytes);
   snprintf(path, sizeof(path), "%.4100s/workers/%08u", jobs->folder, job->first);
   sim->options.progress = sim->options.status = false;
   sim->options.record = "sqlite";
   sim_report_destroy(sim->device.report);
   /* Energies of states that only one worker has seen are in its own record. */
   const bool rows_only = !job->first_of_all && !sim->gpu.kernel.islands;
   if (!attila_sim_make_report(sim, path, rows_only, error, sizeof(error))) {
      fprintf(stderr, "attila: error: %s\n", error);
      _exit(1);
   }
   sim_report_set_frame(sim->device.report, frame);
   sim_report_set_first_frame(sim->device.report, job->first);
   sim_report_begin_work(sim->device.report);
   if (!begin_work(sim)) {
      fprintf(stderr, "attila: error: out of host memory\n");
      _exit(1);
   }
   bool ok = replay(sim, commands, bytes);
   if (!ok)
      fprintf(stderr, "attila: error: %s\n", sim->gpu.kernel.error);
   ok = ok && sim_kernel_run(&sim->gpu.kernel, NULL);
   sim_report_end_work(sim->device.report);
   sim_gpu_end_maps(&sim->gpu, 0);
   sim_report_finish(sim->device.report);
   ok &= !sim_report_failed(sim->device.report);
   sim_report_destroy(sim->device.report);
   if (ok && write(DONE_FD, "", 1) != 1)
      _exit(1);
   _exit(ok ? 0 : 1);
}

/* --- The program's process --- */

/* Waits for the end of a worker. */
static void
reap(struct attila_workers *jobs, struct job *job)
{
   char byte;
   ssize_t n;
   do
      n = read(job->done, &byte, 1);
   while (n < 0 && errno == EINTR);
   if (n != 1)
      complain(jobs, "it ended without its reports", job->first);
   /* The program may have waited for all its children itself. */
   while (waitpid(job->pid, NULL, 0) < 0 && errno == EINTR)
      ;
   close(job->done);
   jobs->running -= job->running;
   for (struct job **p = &jobs->list; *p; p = &(*p)->next) {
      if (*p == job) {
         *p = job->next;
         break;
      }
   }
   free(job);
}

/* Waits until one of those that simulate has ended. */
static void
await_any(struct attila_workers *jobs)
{
   struct pollfd *fds = calloc(jobs->running, sizeof(*fds));
   struct job **of = calloc(jobs->running, sizeof(*of));
   unsigned n = 0;
   for (struct job *j = jobs->list; j && fds && of; j = j->next) {
      if (j->running) {
         of[n] = j;
         fds[n++] = (struct pollfd){.fd = j->done, .events = POLLIN};
      }
   }
   while (n && poll(fds, n, -1) < 0 && errno == EINTR)
      ;
   for (unsigned i = 0; i < n; i++) {
      if (fds[i].revents) {
         reap(jobs, of[i]);
         break;
      }
   }
   free(fds);
   free(of);
}

/* The worker has all its commands: it may simulate when fewer than the most others do. */
static void
launch(struct attila_workers *jobs, struct job *job)
{
   while (jobs->running >= jobs->options.jobs)
      await_any(jobs);
   /* Of a worker that is no more the reports are missed, and not by a signal. */
   if (send(job->go, &job->bytes, sizeof(job->bytes), MSG_NOSIGNAL) != sizeof(job->bytes))
      complain(jobs, strerror(errno), job->first);
   close(job->go);
   close(job->commands);
   job->go = job->commands = -1;
   job->running = true;
   jobs->running++;
}

static void
append(struct attila_workers *jobs, struct job *job, const void *data, size_t size)
{
   for (size_t done = 0; done < size;) {
      const ssize_t n = write(job->commands, (const uint8_t *)data + done, size - done);
      if (n < 0 && errno == EINTR)
         continue;
      if (n <= 0) {
         complain(jobs, strerror(errno), job->first);
         return;
      }
      done += (size_t)n;
   }
   job->bytes += size;
}

void
attila_workers_commands(struct attila_workers *jobs, const uint32_t *words, size_t num_words)
{
   static const uint8_t zeros[8];
   const struct piece p = {.num_words = num_words};
   for (struct job *j = jobs->list; j; j = j->next) {
      if (j->running)
         continue;
      append(jobs, j, &p, sizeof(p));
      append(jobs, j, words, num_words * 4);
      append(jobs, j, zeros, num_words * 4 % 8);
   }
}

void
attila_workers_wait(struct attila_workers *jobs, uint64_t fence)
{
   const struct piece p = {.fence = fence};
   for (struct job *j = jobs->list; j; j = j->next) {
      if (!j->running)
         append(jobs, j, &p, sizeof(p));
   }
}

void
attila_workers_frames(struct attila_workers *jobs, uint32_t frames)
{
   jobs->frames = frames;
   for (struct job *j = jobs->list, *next; j; j = next) {
      next = j->next;
      if (j->running || j->last >= frames)
         continue;
      launch(jobs, j);
      next = jobs->list; /* it may have changed */
   }
}

void
attila_workers_start(struct attila_workers *jobs, struct attila_sim *sim, uint32_t first,
                     uint32_t last)
{
   int go[2] = {-1, -1}, done[2] = {-1, -1}; /* our end, the worker's; the other way round */
   const uint32_t frame = sim_report_frames(sim->device.report);
   struct job *job = calloc(1, sizeof(*job)), **end = &jobs->list;
   const int commands = memfd_create("attila-commands", MFD_CLOEXEC);
   if (!job || commands < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, go) ||
       pipe2(done, O_CLOEXEC)) {
      complain(jobs, strerror(errno), first);
      free(job);
      return;
   }
   *job = (struct job){.first = first,
                       .last = last,
                       .commands = commands,
                       .go = go[0],
                       .done = done[0],
                       .first_of_all = !jobs->started};
   jobs->started = true;
   job->pid = fork();
   if (job->pid == 0) {
      drop_handlers();
      keep_files(commands, go[1], done[1]);
      work(sim, jobs, job, frame);
   }
   close(go[1]);
   close(done[1]);
   if (job->pid < 0) {
      complain(jobs, strerror(errno), first);
      close(commands);
      close(go[0]);
      close(done[0]);
      free(job);
      return;
   }
   while (*end)
      end = &(*end)->next;
   *end = job;
}

bool
attila_workers_listen(const struct attila_workers *jobs)
{
   bool some = false;
   for (const struct job *j = jobs->list; j && !some; j = j->next)
      some = !j->running;
   return some;
}

bool
attila_workers_finish(struct attila_workers *jobs)
{
   /* The program may end within a frame; who has nothing to report is not needed. */
   for (struct job *j = jobs->list, *next; j; j = next) {
      next = j->next;
      if (j->running)
         continue;
      if (j->first < jobs->frames) {
         launch(jobs, j);
         next = jobs->list;
         continue;
      }
      close(j->go);
      close(j->commands);
      j->running = true;
      jobs->running++;
      while (waitpid(j->pid, NULL, 0) < 0 && errno == EINTR)
         ;
      jobs->running--;
      close(j->done);
      for (struct job **p = &jobs->list; *p; p = &(*p)->next) {
         if (*p == j) {
            *p = next;
            break;
         }
      }
      free(j);
   }
   while (jobs->list)
      reap(jobs, jobs->list);
   return !jobs->failed;
}

void
attila_workers_destroy(struct attila_workers *jobs)
{
   if (!jobs)
      return;
   attila_workers_finish(jobs);
   free(jobs);
}
