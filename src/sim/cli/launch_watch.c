/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Runs attila-run's program. The program keeps standard input and the terminal; signals sent to
 * this process are passed on to it. What its processes report (session/run_state.h) serves four
 * ends:
 *  - a note when nothing came to the simulated GPU;
 *  - an interrupt ends a program in the middle of a long simulated frame, where its own handler
 *    might have no effect for minutes. Reports are then complete up to the last whole frame;
 *  - the other processes of a program end when one of them has drawn the frames it was allowed;
 *  - a program that runs by the simulated clock gets a note of how long that takes, and ends at a
 *    limit.
 * Not here: the environment and the display (cli_launch.c). */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "cli/launch.h"
#include "session/run_state.h"

#define INTERRUPT_MS 800 /* for the program to react to a signal by itself */
#define LIMIT_MS 2000    /* for the rest of a program to end when one process has */
#define POLL_MS 100
#define PACE_MS 10000  /* host time until the first estimate of the simulated clock's pace */
#define EXIT_LIMIT 124 /* as of timeout(1) */

static const char *run_dir;
static pid_t child;

static uint64_t
launch_watch_now_ms(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* --- What the processes report --- */

static bool
launch_watch_read_state(const char *name, struct attila_run_state *state)
{
   char path[4096];
   if (snprintf(path, sizeof(path), "%s/%s", run_dir, name) >= (int)sizeof(path))
      return false;
   int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
   if (fd < 0)
      return false;
   ssize_t n = read(fd, state, sizeof(*state));
   close(fd);
   return n == sizeof(*state);
}

/* Calls visit for every process that made a GPU, ended or not, until one returns true. */
static bool
launch_watch_any_process(bool (*visit)(pid_t pid, const struct attila_run_state *state, void *user),
                         void *user)
{
   DIR *dir = opendir(run_dir);
   bool found = false;
   for (struct dirent *e; dir && !found && (e = readdir(dir));) {
      struct attila_run_state state;
      if (isdigit((unsigned char)e->d_name[0]) && launch_watch_read_state(e->d_name, &state))
         found = visit((pid_t)atol(e->d_name), &state, user);
   }
   if (dir)
      closedir(dir);
   return found;
}

static bool
launch_watch_has_gpu(pid_t pid, const struct attila_run_state *state, void *user)
{
   return state->gpus > 0;
}

static bool
launch_watch_wanted_gpu(pid_t pid, const struct attila_run_state *state, void *user)
{
   return state->wanted > 0;
}

static bool
launch_watch_has_context(pid_t pid, const struct attila_run_state *state, void *user)
{
   return state->contexts > 0;
}

static bool
launch_watch_reached_limit(pid_t pid, const struct attila_run_state *state, void *user)
{
   return state->limit != 0;
}

static pid_t
launch_watch_parent_of(pid_t pid)
{
   char path[64], line[512];
   snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
   FILE *f = fopen(path, "re");
   int parent = 0;
   /* The name, in parentheses, may hold anything. */
   if (f && fgets(line, sizeof(line), f)) {
      const char *end = strrchr(line, ')');
      if (!end || sscanf(end + 1, " %*c %d", &parent) != 1)
         parent = 0;
   }
   if (f)
      fclose(f);
   return parent;
}

/* The number that a process in a container reports may be the number of another process here. */
static bool
launch_watch_is_ours(pid_t pid)
{
   while (pid > 1 && pid != child)
      pid = launch_watch_parent_of(pid);
   return pid == child;
}

/* The program and its descendants. */
static void
launch_watch_kill_all(int signal)
{
   DIR *dir = opendir("/proc");
   for (struct dirent *e; dir && (e = readdir(dir));) {
      const pid_t pid = (pid_t)atol(e->d_name);
      if (pid > 1 && pid != child && launch_watch_is_ours(pid))
         kill(pid, signal);
   }
   if (dir)
      closedir(dir);
   kill(child, signal);
}

/* --- Interrupts in the middle of a frame --- */

#define MAX_SEEN 64
struct interrupt {
   int signal;        /* 0: none */
   uint64_t deadline; /* the time when the program must have reacted */
   unsigned polls, num_seen;
   struct seen {
      pid_t pid;
      uint32_t frames; /* frames when the signal came */
      unsigned busy;   /* how often it was inside the simulator since */
   } seen[MAX_SEEN];
   bool killed_child;
};

static bool
launch_watch_see_process(pid_t pid, const struct attila_run_state *state, void *user)
{
   struct interrupt *i = user;
   unsigned n = 0;
   while (n < i->num_seen && i->seen[n].pid != pid)
      n++;
   if (n == i->num_seen && n < MAX_SEEN && !i->polls)
      i->seen[i->num_seen++] = (struct seen){.pid = pid, .frames = state->frames};
   if (n < i->num_seen)
      i->seen[n].busy += state->busy && state->frames == i->seen[n].frames;
   return false;
}

static void
launch_watch_begin_interrupt(struct interrupt *i, int signal)
{
   if (i->signal)
      return;
   *i = (struct interrupt){.signal = signal, .deadline = launch_watch_now_ms() + INTERRUPT_MS};
   launch_watch_any_process(launch_watch_see_process, i);
}

/* Ends the processes that have been simulating one and the same frame since the signal. */
static void
launch_watch_check_interrupt(struct interrupt *i)
{
   if (!i->signal || i->deadline == UINT64_MAX)
      return;
   i->polls++;
   launch_watch_any_process(launch_watch_see_process, i);
   if (launch_watch_now_ms() < i->deadline)
      return;
   for (unsigned n = 0; n < i->num_seen; n++) {
      const struct seen *s = &i->seen[n];
      if (s->busy <= (i->polls + 1) / 2 || !launch_watch_is_ours(s->pid))
         continue;
      fprintf(stderr,
              "attila-run: interrupted in the middle of frame %u: reports end with the frame "
              "before it\n",
              s->frames);
      kill(s->pid, SIGKILL);
      i->killed_child |= s->pid == child;
   }
   if (i->killed_child)
      i->deadline = UINT64_MAX;
   else
      i->signal = 0;
}

/* --- The program --- */

/* Sets the preloaded library for the program only: this process needs the real clock. */
static void
launch_watch_add_preload(const char *library)
{
   const char *others = getenv("LD_PRELOAD");
   char *value = NULL;
   if (asprintf(&value, "%s%s%s", library, others ? ":" : "", others ? others : "") < 0 ||
       setenv("LD_PRELOAD", value, 1))
      _exit(1);
   free(value);
}

static bool
launch_watch_start(const struct launch_watch *w, char **program, const sigset_t *mask)
{
   const pid_t self = getpid();
   child = fork();
   if (child)
      return child > 0 || launch_fail("cannot start a process: %s", strerror(errno)) == CLI_OK;
   /* If the watcher is killed, the program ends with it. */
   prctl(PR_SET_PDEATHSIG, SIGKILL);
   if (getppid() != self)
      _exit(1);
   if (w->preload)
      launch_watch_add_preload(w->preload);
   sigprocmask(SIG_SETMASK, mask, NULL);
   execvp(program[0], program);
   fprintf(stderr, "attila-run: error: cannot run %s: %s\n", program[0], strerror(errno));
   _exit(errno == ENOENT ? 127 : 126);
}

void
launch_end_by(int number)
{
   const struct rlimit no_core = {0, 0};
   setrlimit(RLIMIT_CORE, &no_core);
   signal(number, SIG_DFL);
   sigset_t set;
   sigemptyset(&set);
   sigaddset(&set, number);
   raise(number);
   sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* Returns whether the program has ended. If the terminal stopped the program, this process stops,
 * too: the shell waits for this process. */
static bool
launch_watch_child_changed(int *status)
{
   if (waitpid(child, status, WNOHANG | WUNTRACED) != child)
      return false;
   if (!WIFSTOPPED(*status))
      return true;
   const int number = WSTOPSIG(*status);
   if (number == SIGTSTP || number == SIGTTIN || number == SIGTTOU) {
      raise(SIGSTOP);
      kill(child, SIGCONT);
   }
   return false;
}

/* Passes on signals that another process sends to this one. The terminal's signals reach the
 * program by themselves. */
static void
launch_watch_hand_on(const siginfo_t *info)
{
   const bool sent =
       info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL;
   if (sent && info->si_pid != child)
      kill(child, info->si_signo);
}

/* --- The simulated clock --- */

struct pace {
   uint64_t limit_ms; /* of host time; 0: the program's clock is not the simulated one */
   uint64_t start_ms, next_ms;
   uint64_t frames, time_ns; /* of all processes */
   bool ended;
};

static bool
launch_watch_add_pace(pid_t pid, const struct attila_run_state *state, void *user)
{
   struct pace *p = user;
   p->frames += state->frames;
   p->time_ns = state->time_ns > p->time_ns ? state->time_ns : p->time_ns;
   return false;
}

/* Prints how fast simulated time passes, each time after twice as long. */
static void
launch_watch_pace(struct pace *p)
{
   const uint64_t now = launch_watch_now_ms();
   p->ended = p->limit_ms && now - p->start_ms >= p->limit_ms;
   if (!p->limit_ms || (now < p->next_ms && !p->ended))
      return;
   p->next_ms = now + (now - p->start_ms);
   p->frames = p->time_ns = 0;
   launch_watch_any_process(launch_watch_add_pace, p);
   const double host = (double)(now - p->start_ms) / 1e3, simulated = (double)p->time_ns / 1e9;
   if (p->time_ns)
      fprintf(stderr,
              "attila-run: simulated clock: %llu frames in %.4g s (%.0f frames per second) took "
              "%.0f s; a simulated second takes %.2g hours\n",
              (unsigned long long)p->frames, simulated, (double)p->frames / simulated, host,
              host / simulated / 3600);
   else
      fprintf(stderr, "attila-run: simulated clock: no frame has ended after %.0f s\n", host);
   if (p->ended)
      fprintf(stderr,
              "attila-run: simulated clock: the limit of %.3g minutes is reached: ending "
              "the program (--host-limit)\n",
              (double)p->limit_ms / 6e4);
}

/* Waits for the program. Returns true if this function ended it, because its frames were done or at
 * the limit of host time. */
static bool
launch_watch_watch(const sigset_t *all, bool limited, struct pace *pace,
                   struct interrupt *interrupt, int *status)
{
   const struct timespec poll = {0, POLL_MS * 1000000L};
   uint64_t deadline = 0;
   int last = 0;
   pace->start_ms = launch_watch_now_ms();
   pace->next_ms = pace->start_ms + PACE_MS;
   for (;;) {
      siginfo_t info;
      const bool timed = limited || interrupt->signal || pace->limit_ms;
      const int number = timed ? sigtimedwait(all, &info, &poll) : sigwaitinfo(all, &info);
      if (number == SIGCHLD) {
         if (launch_watch_child_changed(status))
            return last != 0;
      } else if (number > 0) {
         launch_watch_hand_on(&info);
         if (number == SIGINT || number == SIGTERM || number == SIGHUP)
            launch_watch_begin_interrupt(interrupt, number);
      }
      launch_watch_check_interrupt(interrupt);
      if (limited && !deadline && launch_watch_any_process(launch_watch_reached_limit, NULL))
         deadline = launch_watch_now_ms() + LIMIT_MS;
      if (!deadline)
         launch_watch_pace(pace);
      if (pace->ended && !deadline)
         deadline = launch_watch_now_ms();
      if (deadline && launch_watch_now_ms() >= deadline && last != SIGKILL) {
         last = last ? SIGKILL : SIGTERM;
         launch_watch_kill_all(last);
         deadline = launch_watch_now_ms() + LIMIT_MS;
      }
   }
}

/* Prints a note if the program never opened the GPU, or made no OpenGL context. An error while the
 * GPU was made has had its own message. */
static void
launch_watch_note(const char *program)
{
   const char *slash = strrchr(program, '/');
   program = slash ? slash + 1 : program;
   if (!launch_watch_any_process(launch_watch_wanted_gpu, NULL))
      fprintf(stderr,
              "attila-run: note: ATTILA drew nothing: %s never opened OpenGL or EGL on it. A "
              "program may draw with Vulkan or without a GPU, bring its own libGL, or clear "
              "LD_LIBRARY_PATH; docs/howto/programs.md names options for browsers and toolkits.\n",
              program);
   else if (launch_watch_any_process(launch_watch_has_gpu, NULL) &&
            !launch_watch_any_process(launch_watch_has_context, NULL))
      fprintf(stderr,
              "attila-run: note: ATTILA drew nothing: %s opened it, but made no OpenGL context. It "
              "can have OpenGL 3.3 and OpenGL ES 3.0; attila-run --gl 4.6 offers a program more, "
              "where it does not use what is missing.\n",
              program);
}

/* The status of the program's end. */
static int
launch_watch_status(struct launch_watch *w, const struct interrupt *interrupt, int status)
{
   if (interrupt->killed_child)
      w->signal = interrupt->signal;
   else if (WIFSIGNALED(status))
      w->signal = WTERMSIG(status);
   return w->signal ? 128 + w->signal : WEXITSTATUS(status);
}

int
launch_watch(struct launch_watch *w, char **program)
{
   sigset_t all, before;
   struct pace pace = {.limit_ms = w->limit_ms};
   struct interrupt interrupt = {0};
   int status = 0, result;
   run_dir = w->run_dir;
   sigfillset(&all);
   sigprocmask(SIG_SETMASK, &all, &before);
   if (!launch_watch_start(w, program, &before))
      return CLI_FILE;
   const bool ended = launch_watch_watch(&all, w->limited, &pace, &interrupt, &status);
   if (ended) {
      if (!pace.ended)
         fprintf(stderr, "attila-run: the frames are done: the rest of the program was ended\n");
      result = pace.ended ? EXIT_LIMIT : CLI_OK;
   } else {
      if (w->notes && !launch_watch_any_process(launch_watch_reached_limit, NULL))
         launch_watch_note(program[0]);
      result = launch_watch_status(w, &interrupt, status);
   }
   sigprocmask(SIG_SETMASK, &before, NULL);
   return result;
}
