/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The executor with worker processes (executor.h). At the beginning of a piece of the run the
 * process forks. The worker has the whole state, copied on write. It waits until the commands of
 * its frames are there, in a file in memory that the parent fills while it goes on in functional
 * mode; then it simulates them in cycle mode, reports into OUT/workers/FRAME and ends. A limited
 * number of workers simulate at a time. What a worker finds depends on nothing but the commands up
 * to its last one, so their number changes no result. The record of the first worker is a complete
 * one; the records of the others need only their rows.
 *
 * A worker lacks the other threads of the program, so it touches nothing but the simulator, closes
 * every other file and ends without the program's exit handlers. Not here: joining the records of
 * workers (cli/cli_merge.c). */
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
#include "core/sim_xalloc.h"
#include "core/sim_file.h"
#include "decode/sim_frontend.h"
#include "results/sim_report.h"
#include "session/execute/executor.h"

#define MAX_SIMULATORS 1000 /* that may report into one folder */

/* A piece of a worker's file: a wait (num_words 0), or the number of words that follow. */
struct piece {
   uint64_t num_words, fence;
};

struct worker {
   struct worker *next; /* in the order of frames */
   uint32_t first, last;
   pid_t pid;
   int commands, go, done; /* files: in memory; pipes to and from the worker */
   uint64_t bytes;         /* bytes of commands */
   bool running;
   bool first_of_all; /* the first worker: its record describes the run */
};

struct workers {
   struct sim_executor executor;
   struct sim_executor *inner; /* it observes in this process and simulates in workers */
   struct worker *list;
   uint32_t frames;  /* frames that have ended */
   uint32_t started; /* frames before this one have their workers */
   unsigned running;
   bool failed, forked; /* forked: there has been a worker */
   char *folder;        /* of reports */
};

static void
workers_complain(struct workers *w, const char *what, uint32_t frame)
{
   if (!w->failed)
      fprintf(stderr, "attila: error: the worker of frame %u: %s\n", frame, what);
   w->failed = true;
}

/* Makes OUT/workers, or OUT/simulator-2/workers and so on if another simulator of the program has
 * taken the folder. Keeps the absolute path: the program may change its working directory before a
 * worker begins. Returns false with errno set. */
static bool
workers_make_folder(struct workers *w)
{
   const char *out = w->executor.schedule->folder;
   if (!sim_file_make_folder(out))
      return false;
   for (unsigned n = 1; n <= MAX_SIMULATORS; n++) {
      char *parent = sim_file_folder(out, n);
      if (n > 1)
         mkdir(parent, 0777);
      w->folder = sim_file_path("%s/workers", parent);
      const bool made = mkdir(w->folder, 0777) == 0;
      if (made && n > 1)
         fprintf(stderr, "attila: another simulator reports into %s: this one into %s\n", out,
                 parent);
      free(parent);
      if (made) {
         char *whole = realpath(w->folder, NULL);
         free(w->folder);
         w->folder = whole;
         return whole;
      }
      if (errno != EEXIST)
         return false;
      free(w->folder);
      w->folder = NULL;
   }
   return false;
}

/* --- The worker --- */

/* Waits until the parent has written all commands, and returns them. If the parent ends before
 * that, the worker ends. */
static const uint8_t *
workers_worker_await_commands(int commands, int go, uint64_t *bytes)
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

/* Executes the commands of a worker. Returns false if the machine stopped. */
static bool
workers_worker_replay(struct sim_executor *e, const uint8_t *commands, uint64_t bytes)
{
   const struct sim_device *d = sim_machine_device(e->machine);
   for (uint64_t at = 0; at < bytes;) {
      struct piece p;
      memcpy(&p, commands + at, sizeof(p));
      at += sizeof(p);
      /* A piece begins at a multiple of 8 bytes. */
      if (p.num_words &&
          !e->cls->submit(e, (const uint32_t *)(const void *)(commands + at), p.num_words))
         return false;
      if (!p.num_words && d->fence < p.fence)
         sim_machine_run_until_fence(e->machine, p.fence);
      at += (p.num_words * 4 + 7) & ~7ull;
   }
   return !sim_machine_error(e->machine);
}

/* The descriptors of a worker, besides standard input, output and error. */
enum { COMMANDS_FD = 3, GO_FD, DONE_FD, LOW_FDS };

static void
workers_worker_keep_files(int commands, int go, int done)
{
   /* First copy all three to high numbers: a number below LOW_FDS may be in use by another of them.
    */
   const int high[3] = {fcntl(commands, F_DUPFD, LOW_FDS), fcntl(go, F_DUPFD, LOW_FDS),
                        fcntl(done, F_DUPFD, LOW_FDS)};
   for (int i = 0; i < 3; i++) {
      if (dup2(high[i], COMMANDS_FD + i) < 0)
         _exit(1);
   }
   close_range(LOW_FDS, ~0u, 0);
}

/* Resets signals: handlers that the program installed must not run in the worker. */
static void
workers_worker_drop_handlers(void)
{
   for (int s = 1; s < NSIG; s++) {
      struct sigaction a;
      if (!sigaction(s, NULL, &a) && a.sa_handler != SIG_IGN)
         signal(s, SIG_DFL);
   }
}

static _Noreturn void
workers_worker_die(const char *error)
{
   fprintf(stderr, "attila: error: %s\n", error);
   _exit(1);
}

static void
workers_worker_open_report(const struct workers *w, const struct worker *worker, uint32_t frame)
{
   struct sim_machine *m = w->executor.machine;
   char error[1024], *path = sim_file_path("%s/%08u", w->folder, worker->first);
   const struct sim_machine_report report = {
       .out_dir = path,
       .first_frame = worker->first,
       .part_of_a_run = true,
       .partly = w->executor.schedule->roi,
       .quiet = true,
       /* With DVFS each worker writes a complete record, since only it may have seen some
        * states. */
       .rows_only = !worker->first_of_all && !sim_machine_has_dvfs(m),
   };
   if (!sim_machine_open_report(m, &report, error, sizeof(error)))
      workers_worker_die(error);
   free(path);
}

static _Noreturn void
workers_worker_main(const struct workers *w, const struct worker *worker, uint32_t frame)
{
   struct sim_machine *m = w->executor.machine;
   uint64_t bytes;
   const uint8_t *commands = workers_worker_await_commands(COMMANDS_FD, GO_FD, &bytes);
   workers_worker_open_report(w, worker, frame);
   struct sim_report *report = sim_machine_report(m);
   sim_report_begin_work(report);
   if (!w->inner->cls->simulate(w->inner))
      workers_worker_die("out of host memory");
   bool ok = workers_worker_replay(w->inner, commands, bytes) && sim_machine_drain(m);
   if (!ok)
      fprintf(stderr, "attila: error: %s\n", sim_machine_error(m));
   sim_report_end_work(report);
   ok &= sim_machine_end_run(m);
   sim_machine_close_report(m);
   if (ok && write(DONE_FD, "", 1) != 1)
      _exit(1);
   _exit(ok ? 0 : 1);
}

/* --- The program's process --- */

static void
workers_remove(struct workers *w, struct worker *worker)
{
   struct worker **p = &w->list;
   while (*p != worker)
      p = &(*p)->next;
   *p = worker->next;
   free(worker);
}

static void
workers_await_end(const struct worker *worker)
{
   /* The program itself may have waited for all its children. */
   while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR)
      ;
   close(worker->done);
}

/* Waits for the end of a worker that simulates. */
static void
workers_reap(struct workers *w, struct worker *worker)
{
   char byte;
   ssize_t n;
   do
      n = read(worker->done, &byte, 1);
   while (n < 0 && errno == EINTR);
   if (n != 1)
      workers_complain(w, "it ended without its reports", worker->first);
   workers_await_end(worker);
   w->running--;
   workers_remove(w, worker);
}

/* Waits until one of the running workers has ended. */
static void
workers_reap_any(struct workers *w)
{
   struct pollfd *fds = sim_xcalloc(w->running, sizeof(*fds));
   struct worker **of = sim_xcalloc(w->running, sizeof(*of));
   unsigned n = 0, i = 0;
   for (struct worker *j = w->list; j; j = j->next) {
      if (j->running) {
         of[n] = j;
         fds[n++] = (struct pollfd){.fd = j->done, .events = POLLIN};
      }
   }
   while (poll(fds, n, -1) < 0 && errno == EINTR)
      ;
   while (i < n - 1 && !fds[i].revents)
      i++;
   workers_reap(w, of[i]);
   free(fds);
   free(of);
}

/* The worker has all its commands. Starts it once fewer than the allowed number are running. */
static void
workers_launch(struct workers *w, struct worker *worker)
{
   const ssize_t size = sizeof(worker->bytes);
   while (w->running >= w->executor.schedule->workers)
      workers_reap_any(w);
   /* If the worker is gone, its missing reports are noticed later. SIGPIPE must not end the
    * program. */
   if (send(worker->go, &worker->bytes, (size_t)size, MSG_NOSIGNAL) != size)
      workers_complain(w, strerror(errno), worker->first);
   close(worker->go);
   close(worker->commands);
   worker->go = worker->commands = -1;
   worker->running = true;
   w->running++;
}

static void
workers_append(struct workers *w, struct worker *worker, const void *data, size_t size)
{
   for (size_t done = 0; done < size;) {
      const ssize_t n = write(worker->commands, (const uint8_t *)data + done, size - done);
      if (n < 0 && errno == EINTR)
         continue;
      if (n <= 0) {
         workers_complain(w, strerror(errno), worker->first);
         return;
      }
      done += (size_t)n;
   }
   worker->bytes += size;
}

/* Gives these commands to the workers that have not been started. */
static void
workers_record(struct workers *w, const uint32_t *words, size_t num_words)
{
   static const uint8_t zeros[8];
   const struct piece p = {.num_words = num_words};
   for (struct worker *j = w->list; j; j = j->next) {
      if (j->running)
         continue;
      workers_append(w, j, &p, sizeof(p));
      workers_append(w, j, words, num_words * 4);
      workers_append(w, j, zeros, num_words * 4 % 8);
   }
}

static void
workers_wait(struct sim_executor *e, uint64_t fence)
{
   struct workers *w = (struct workers *)e;
   const struct piece p = {.fence = fence};
   for (struct worker *j = w->list; j; j = j->next) {
      if (!j->running)
         workers_append(w, j, &p, sizeof(p));
   }
}

/* After a frame: starts the workers that now have all their commands. */
static void
workers_end_frame(struct workers *w, uint32_t frame)
{
   w->frames = frame + 1;
   for (struct worker *j = w->list, *next; j; j = next) {
      next = j->next;
      if (j->running || j->last > frame)
         continue;
      workers_launch(w, j);
      next = w->list; /* it may have changed */
   }
}

/* Opens the pipes and the file of a worker; *go and *done are the worker's ends. */
static bool
workers_open_files(struct worker *worker, int *go, int *done)
{
   int go_ends[2], done_ends[2];
   worker->commands = memfd_create("attila-commands", MFD_CLOEXEC);
   if (worker->commands < 0)
      return false;
   if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, go_ends)) {
      close(worker->commands);
      return false;
   }
   if (pipe2(done_ends, O_CLOEXEC)) {
      close(worker->commands);
      close(go_ends[0]);
      close(go_ends[1]);
      return false;
   }
   worker->go = go_ends[0];
   *go = go_ends[1];
   worker->done = done_ends[0];
   *done = done_ends[1];
   return true;
}

/* Before the first command of a frame: forks a worker for frames first to last. */
static void
workers_fork(struct workers *w, uint32_t frame, uint32_t first, uint32_t last)
{
   int go, done; /* the worker's ends */
   struct worker *worker = sim_xcalloc(1, sizeof(*worker)), **end = &w->list;
   *worker = (struct worker){.first = first, .last = last, .first_of_all = !w->forked};
   if (!workers_open_files(worker, &go, &done)) {
      workers_complain(w, strerror(errno), first);
      free(worker);
      return;
   }
   w->forked = true;
   worker->pid = fork();
   if (worker->pid == 0) {
      workers_worker_drop_handlers();
      workers_worker_keep_files(worker->commands, go, done);
      workers_worker_main(w, worker, frame);
   }
   close(go);
   close(done);
   if (worker->pid < 0) {
      workers_complain(w, strerror(errno), first);
      close(worker->commands);
      close(worker->go);
      close(worker->done);
      free(worker);
      return;
   }
   while (*end)
      end = &(*end)->next;
   *end = worker;
}

/* Forks the workers of all pieces whose warm-up begins with this frame. */
static void
workers_begin_frame(struct workers *w, uint32_t frame)
{
   const struct sim_schedule *s = w->executor.schedule;
   w->started = frame + 1;
   for (unsigned i = 0; i < s->num_frames; i++) {
      const struct sim_range *r = &s->frames[i];
      const uint32_t length = sim_schedule_piece(s, r);
      /* Pieces of the run begin at first, first + length, ...; early ones have a shorter
       * warm-up. */
      const uint64_t first = (uint64_t)frame + s->warm_up;
      for (uint64_t at = frame ? first : r->first; at <= first && at <= r->last; at++) {
         if (at < r->first || (at - r->first) % length)
            continue;
         const uint64_t last = at + length - 1;
         workers_fork(w, frame, (uint32_t)at, last < r->last ? (uint32_t)last : r->last);
      }
   }
}

static bool
workers_submit(struct sim_executor *e, const uint32_t *words, size_t num_words)
{
   struct workers *w = (struct workers *)e;
   for (size_t at = 0; at < num_words;) {
      const uint32_t frame = sim_machine_device(e->machine)->observed.frame;
      bool ends;
      const size_t n = sim_frame_words(words + at, num_words - at, &ends);
      if (frame >= w->started)
         workers_begin_frame(w, frame);
      workers_record(w, words + at, n);
      if (!w->inner->cls->submit(w->inner, words + at, n))
         return false;
      if (ends)
         workers_end_frame(w, frame);
      at += n;
   }
   return true;
}

static uint32_t
workers_next_frame(const struct sim_executor *e, uint32_t frame)
{
   const struct workers *w = (const struct workers *)e;
   for (const struct worker *j = w->list; j; j = j->next) {
      if (!j->running)
         return frame; /* a worker waits for these commands */
   }
   return sim_schedule_next(e->schedule, frame);
}

/* Makes the file that marks the reports as complete, for attila-sim merge (cli/cli_merge.c). If
 * there were no workers, removes the folder, so that the next simulator can use its name. */
static void
workers_mark_complete(const struct workers *w)
{
   if (rmdir(w->folder) == 0)
      return;
   char *path = sim_file_path("%s/complete", w->folder);
   const int fd = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666) : -1;
   if (fd >= 0)
      close(fd);
   free(path);
}

static bool
workers_finish(struct sim_executor *e)
{
   struct workers *w = (struct workers *)e;
   /* The program may end in the middle of a frame; workers whose frames never came are not
    * needed. */
   for (struct worker *j = w->list, *next; j; j = next) {
      next = j->next;
      if (j->running)
         continue;
      if (j->first < w->frames) {
         workers_launch(w, j);
         next = w->list;
         continue;
      }
      close(j->go);
      close(j->commands);
      workers_await_end(j);
      workers_remove(w, j);
   }
   while (w->list)
      workers_reap(w, w->list);
   if (!w->failed && w->folder)
      workers_mark_complete(w);
   return (!w->inner->cls->finish || w->inner->cls->finish(w->inner)) && !w->failed;
}

static void
workers_destroy(struct sim_executor *e)
{
   struct workers *w = (struct workers *)e;
   sim_executor_destroy(w->inner);
   free(w->folder);
   free(w);
}

static const struct sim_executor_class workers_class = {
    .submit = workers_submit,
    .wait = workers_wait,
    .next_frame = workers_next_frame,
    .finish = workers_finish,
    .destroy = workers_destroy,
};

struct sim_executor *
sim_workers_create(const struct sim_schedule *s, struct sim_machine *m, char *error,
                   size_t error_size)
{
   struct workers *w = sim_xcalloc(1, sizeof(*w));
   w->executor = (struct sim_executor){&workers_class, m, s};
   w->inner = s->roi ? sim_roi_create(s, m, true) : sim_direct_create(s, m, true);
   if (!s->folder || workers_make_folder(w))
      return &w->executor;
   snprintf(error, error_size, "%s: %s", s->folder, strerror(errno));
   workers_destroy(&w->executor);
   return NULL;
}
