/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The waits of libattila-hook.so under the replaced clock (app_hook_clock.c): when a thread that
 * draws has slept, or waited in vain for events, the clock has advanced by that time. Not here:
 * waits for another thread with a deadline (pthread_cond_timedwait, sem_timedwait), which end at
 * once since the replaced clock is long past. */
#include <poll.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "app_hook.h"

#define NS_PER_S 1000000000u

static uint64_t
app_hook_wait_to_ns(const struct timespec *t)
{
   return (uint64_t)t->tv_sec * NS_PER_S + (uint64_t)t->tv_nsec;
}

static void
app_hook_wait_waited(const void *caller, uint64_t ns)
{
   if (hook_clock_is_fixed(caller))
      hook_clock_waited(ns);
}

/* Finds the library's function behind the one of that name here. */
#define REAL(name)                \
   static __typeof__(&name) real; \
   if (!real)                     \
   real = (__typeof__(&name))hook_next(#name)
#define CALLER __builtin_return_address(0)

/* --- Sleep --- */

EXPORT int
nanosleep(const struct timespec *want, struct timespec *rest)
{
   REAL(nanosleep);
   const int result = real(want, rest);
   if (!result)
      app_hook_wait_waited(CALLER, app_hook_wait_to_ns(want));
   return result;
}

EXPORT int
clock_nanosleep(clockid_t id, int flags, const struct timespec *want, struct timespec *rest)
{
   REAL(clock_nanosleep);
   struct timespec left = *want;
   uint64_t ns = app_hook_wait_to_ns(want);
   const uint64_t now = hook_clock_is_fixed(CALLER) ? hook_clock_now(id) : 0;
   /* The kernel does not know this moment's clock. */
   if (now && (flags & TIMER_ABSTIME)) {
      ns = ns > now ? ns - now : 0;
      left = (struct timespec){(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};
      flags &= ~TIMER_ABSTIME;
      rest = NULL;
      id = CLOCK_MONOTONIC;
   }
   const int result = real(id, flags, &left, rest);
   if (!result && now)
      app_hook_wait_waited(CALLER, ns);
   return result;
}

EXPORT int
usleep(useconds_t us)
{
   REAL(usleep);
   const int result = real(us);
   if (!result)
      app_hook_wait_waited(CALLER, (uint64_t)us * 1000);
   return result;
}

EXPORT unsigned
sleep(unsigned seconds)
{
   REAL(sleep);
   const unsigned left = real(seconds);
   app_hook_wait_waited(CALLER, (uint64_t)(seconds - left) * NS_PER_S);
   return left;
}

/* --- Events that do not come --- */

EXPORT int
poll(struct pollfd *fds, nfds_t count, int ms)
{
   REAL(poll);
   const int result = real(fds, count, ms);
   if (!result && ms > 0)
      app_hook_wait_waited(CALLER, (uint64_t)ms * 1000000);
   return result;
}

EXPORT int
ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
   REAL(ppoll);
   const int result = real(fds, count, timeout, mask);
   if (!result && timeout)
      app_hook_wait_waited(CALLER, app_hook_wait_to_ns(timeout));
   return result;
}

EXPORT int
select(int count, fd_set *in, fd_set *out, fd_set *error, struct timeval *timeout)
{
   REAL(select);
   const uint64_t ns =
       timeout ? (uint64_t)timeout->tv_sec * NS_PER_S + (uint64_t)timeout->tv_usec * 1000 : 0;
   const int result = real(count, in, out, error, timeout);
   if (!result)
      app_hook_wait_waited(CALLER, ns);
   return result;
}

EXPORT int
pselect(int count, fd_set *in, fd_set *out, fd_set *error, const struct timespec *timeout,
        const sigset_t *mask)
{
   REAL(pselect);
   const int result = real(count, in, out, error, timeout, mask);
   if (!result && timeout)
      app_hook_wait_waited(CALLER, app_hook_wait_to_ns(timeout));
   return result;
}

EXPORT int
epoll_wait(int fd, struct epoll_event *events, int count, int ms)
{
   REAL(epoll_wait);
   const int result = real(fd, events, count, ms);
   if (!result && ms > 0)
      app_hook_wait_waited(CALLER, (uint64_t)ms * 1000000);
   return result;
}

EXPORT int
epoll_pwait(int fd, struct epoll_event *events, int count, int ms, const sigset_t *mask)
{
   REAL(epoll_pwait);
   const int result = real(fd, events, count, ms, mask);
   if (!result && ms > 0)
      app_hook_wait_waited(CALLER, (uint64_t)ms * 1000000);
   return result;
}
