/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The part of libattila-hook.so that makes a program see the same time and the same random numbers
 * in every run. With ATTILA_HOOK_FPS set, or ATTILA_HOOK_SIMULATED,
 *  - clocks begin at a fixed date and advance 1/FPS s per frame: programs that animate by the clock
 *    draw the same frames. Or they advance with the simulated GPU's time, as far as it has come
 *    (session/run_state.h): a program that measures itself measures the simulated machine, with a
 *    CPU that takes no time. They also advance when the thread that draws waits (app_hook_wait.c),
 *    and a little when it reads the clock very often: else a program that waits for a moment before
 *    it draws would wait for ever;
 *  - so srand(time(NULL)) and the like give the same numbers, and what the kernel and the C library
 *    call random (getrandom, getentropy, arc4random) is a fixed sequence per process.
 * Mesa keeps the real clocks: the simulator measures host time with them. Not replaced: the CPU's
 * counters and random numbers (rdtsc, rdrand), the CPU time, /dev/urandom, process numbers, where
 * the kernel puts memory, and the order in which threads ask. */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <time.h>
#include <unistd.h>

#include "app_hook.h"
#include "session/run_state.h"

/* Long past, so that a wait for a moment of this clock does not last for hours. */
#define START_WALL 1000000000u
#define START_MONOTONIC 1u

/* A program that reads the clock more often between two frames waits for it to advance. */
#define MANY_READS 10000
#define READ_NS 10000

static uint64_t fixed_fps; /* 0: the simulated GPU's time */
static uint64_t waited_ns; /* what the clocks have advanced apart from frames */
static pid_t frame_thread; /* the thread of the last swap; 0: none yet */

static bool
app_hook_clock_is_fixed(void)
{
   static int state = -1;
   if (state < 0) {
      const char *fps = getenv("ATTILA_HOOK_FPS");
      const char *simulated = getenv("ATTILA_HOOK_SIMULATED");
      fixed_fps = fps ? strtoull(fps, NULL, 10) : 0;
      state = fixed_fps > 0 || (simulated && *simulated);
   }
   return state;
}

/* --- Mesa's own calls --- */

/* Address range of the driver's code. */
struct driver {
   uintptr_t begin, end;
   unsigned long long loaded, unloaded; /* the process's objects, ever, at the last lookup */
   bool looking;
};

/* Called for each object, until it returns 1. */
static int
app_hook_clock_find_driver(struct dl_phdr_info *info, size_t size, void *user)
{
   (void)size;
   struct driver *d = user;
   if (!d->looking) {
      if (d->loaded == info->dlpi_adds && d->unloaded == info->dlpi_subs)
         return 1;
      *d = (struct driver){.loaded = info->dlpi_adds, .unloaded = info->dlpi_subs, .looking = true};
   }
   if (!info->dlpi_name || !strstr(info->dlpi_name, "/libgallium-"))
      return 0;
   for (unsigned i = 0; i < info->dlpi_phnum; i++) {
      const ElfW(Phdr) *p = &info->dlpi_phdr[i];
      if (p->p_type == PT_LOAD && (p->p_flags & PF_X)) {
         d->begin = info->dlpi_addr + p->p_vaddr;
         d->end = d->begin + p->p_memsz;
      }
   }
   return 1;
}

/* Looks the driver up again after objects were loaded or unloaded: a program may load it late, or
 * again elsewhere. */
static bool
app_hook_clock_is_driver(const void *caller)
{
   static _Thread_local struct driver d;
   d.looking = false;
   dl_iterate_phdr(app_hook_clock_find_driver, &d);
   return (uintptr_t)caller - d.begin < d.end - d.begin;
}

/* --- The simulated GPU --- */

/* Each process's simulator writes its own file once it exists. */
static const struct attila_run_state *
app_hook_clock_run_state(void)
{
   static const struct attila_run_state *state;
   static pid_t owner;
   static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
   pthread_mutex_lock(&lock);
   if (owner != getpid()) {
      owner = getpid();
      state = NULL;
   }
   const char *dir = state ? NULL : getenv("ATTILA_RUN_DIR");
   char path[4096];
   if (dir && snprintf(path, sizeof(path), "%s/%d", dir, (int)owner) < (int)sizeof(path)) {
      struct stat st;
      const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
      /* A shorter file is still being created. */
      if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size >= (off_t)sizeof(*state)) {
         void *p = mmap(NULL, sizeof(*state), PROT_READ, MAP_SHARED, fd, 0);
         state = p == MAP_FAILED ? NULL : p;
      }
      if (fd >= 0)
         close(fd);
   }
   pthread_mutex_unlock(&lock);
   return state;
}

static uint64_t
app_hook_clock_simulated_ns(void)
{
   const struct attila_run_state *state = app_hook_clock_run_state();
   return state ? __atomic_load_n(&state->time_ns, __ATOMIC_RELAXED) : 0;
}

/* --- Clocks --- */

/* Returns the seconds at which the replaced clock starts; 0: the clock is not replaced. */
static uint64_t
app_hook_clock_start_of(clockid_t id)
{
   switch (id) {
   case CLOCK_REALTIME:
   case CLOCK_REALTIME_COARSE:
   case CLOCK_TAI:
      return START_WALL;
   case CLOCK_MONOTONIC:
   case CLOCK_MONOTONIC_RAW:
   case CLOCK_MONOTONIC_COARSE:
   case CLOCK_BOOTTIME:
      return START_MONOTONIC;
   default:
      return 0;
   }
}

static bool
app_hook_clock_in_frame_thread(void)
{
   const pid_t thread = __atomic_load_n(&frame_thread, __ATOMIC_RELAXED);
   return gettid() == (thread ? thread : getpid());
}

bool
hook_clock_is_fixed(const void *caller)
{
   return app_hook_clock_is_fixed() && !app_hook_clock_is_driver(caller);
}

void
hook_clock_frame(void)
{
   __atomic_store_n(&frame_thread, gettid(), __ATOMIC_RELAXED);
}

void
hook_clock_waited(uint64_t ns)
{
   if (app_hook_clock_in_frame_thread())
      __atomic_add_fetch(&waited_ns, ns, __ATOMIC_RELAXED);
}

uint64_t
hook_clock_now(clockid_t id)
{
   const uint64_t start = app_hook_clock_start_of(id);
   if (!start)
      return 0;
   const uint64_t passed =
       fixed_fps ? (uint64_t)hook_frame * 1000000000u / fixed_fps : app_hook_clock_simulated_ns();
   return start * 1000000000u + passed + __atomic_load_n(&waited_ns, __ATOMIC_RELAXED);
}

static void
app_hook_clock_count_read(void)
{
   static unsigned reads, last_frame;
   if (!app_hook_clock_in_frame_thread())
      return;
   if (last_frame != hook_frame)
      reads = 0;
   last_frame = hook_frame;
   if (++reads > MANY_READS)
      hook_clock_waited(READ_NS);
}

/* Calls the C library's own, which needs no system call. */
static int
app_hook_clock_real_clock(clockid_t id, struct timespec *t)
{
   typedef int (*clock_fn)(clockid_t, struct timespec *);
   static clock_fn fn;
   clock_fn here = __atomic_load_n(&fn, __ATOMIC_RELAXED);
   if (!here) {
      here = (clock_fn)hook_next("clock_gettime");
      __atomic_store_n(&fn, here, __ATOMIC_RELAXED);
   }
   return here ? here(id, t) : (int)syscall(SYS_clock_gettime, id, t);
}

static int
app_hook_clock_read_clock(clockid_t id, struct timespec *t, const void *caller)
{
   if (!app_hook_clock_start_of(id) || !hook_clock_is_fixed(caller))
      return app_hook_clock_real_clock(id, t);
   app_hook_clock_count_read();
   const uint64_t ns = hook_clock_now(id);
   t->tv_sec = (time_t)(ns / 1000000000u);
   t->tv_nsec = (long)(ns % 1000000000u);
   return 0;
}

EXPORT int
clock_gettime(clockid_t id, struct timespec *t)
{
   return app_hook_clock_read_clock(id, t, __builtin_return_address(0));
}

EXPORT int
gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
   struct timespec t;
   app_hook_clock_read_clock(CLOCK_REALTIME, &t, __builtin_return_address(0));
   tv->tv_sec = t.tv_sec;
   tv->tv_usec = t.tv_nsec / 1000;
   if (tz)
      memset(tz, 0, sizeof(struct timezone));
   return 0;
}

EXPORT time_t
time(time_t *out)
{
   struct timespec t;
   app_hook_clock_read_clock(CLOCK_REALTIME, &t, __builtin_return_address(0));
   if (out)
      *out = t.tv_sec;
   return t.tv_sec;
}

EXPORT int
timespec_get(struct timespec *t, int base)
{
   if (base != TIME_UTC)
      return 0;
   app_hook_clock_read_clock(CLOCK_REALTIME, t, __builtin_return_address(0));
   return base;
}

EXPORT int
ftime(struct timeb *b)
{
   struct timespec t;
   app_hook_clock_read_clock(CLOCK_REALTIME, &t, __builtin_return_address(0));
   *b = (struct timeb){.time = t.tv_sec, .millitm = (unsigned short)(t.tv_nsec / 1000000)};
   return 0;
}

/* --- Random numbers --- */

/* splitmix64; each program has its own sequence, so that names of two programs do not collide. */
static uint64_t
app_hook_clock_next_random(void)
{
   static uint64_t state;
   static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
   pthread_mutex_lock(&lock);
   if (!state) {
      state = 0x41545449;
      for (const char *c = program_invocation_short_name; *c; c++)
         state = state * 31 + (unsigned char)*c;
   }
   uint64_t z = state += 0x9e3779b97f4a7c15u;
   pthread_mutex_unlock(&lock);
   z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
   z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
   return z ^ (z >> 31);
}

static void
app_hook_clock_fill(void *buffer, size_t size)
{
   for (size_t done = 0; done < size; done += 8) {
      const uint64_t r = app_hook_clock_next_random();
      memcpy((char *)buffer + done, &r, size - done < 8 ? size - done : 8);
   }
}

EXPORT ssize_t
getrandom(void *buffer, size_t size, unsigned flags)
{
   if (!app_hook_clock_is_fixed())
      return syscall(SYS_getrandom, buffer, size, flags);
   app_hook_clock_fill(buffer, size);
   return (ssize_t)size;
}

EXPORT int
getentropy(void *buffer, size_t size)
{
   if (size > 256) {
      errno = EIO;
      return -1;
   }
   return getrandom(buffer, size, 0) == (ssize_t)size ? 0 : -1;
}

EXPORT void
arc4random_buf(void *buffer, size_t size)
{
   for (size_t done = 0; done < size;) {
      const ssize_t n = getrandom((char *)buffer + done, size - done, 0);
      done += n > 0 ? (size_t)n : 0;
   }
}

EXPORT uint32_t
arc4random(void)
{
   uint32_t r;
   arc4random_buf(&r, sizeof(r));
   return r;
}

/* Numbers below bound, all equally likely. */
EXPORT uint32_t
arc4random_uniform(uint32_t bound)
{
   if (bound < 2)
      return 0;
   uint32_t r;
   do
      r = arc4random();
   while (r < -bound % bound);
   return r % bound;
}
