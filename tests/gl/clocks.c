/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Prints how far the clock goes on while the program waits, then every clock and the usual random
 * numbers before each of four frames. The script beside it runs it several times. */
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "gles_util.h"

static void
print_clocks(int frame)
{
   static const struct {
      const char *name;
      clockid_t id;
   } clocks[] = {
       {"realtime", CLOCK_REALTIME},
       {"realtime_coarse", CLOCK_REALTIME_COARSE},
       {"tai", CLOCK_TAI},
       {"monotonic", CLOCK_MONOTONIC},
       {"monotonic_raw", CLOCK_MONOTONIC_RAW},
       {"monotonic_coarse", CLOCK_MONOTONIC_COARSE},
       {"boottime", CLOCK_BOOTTIME},
   };
   struct timespec t;
   for (unsigned i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
      clock_gettime(clocks[i].id, &t);
      printf("%d %s %lld.%09ld\n", frame, clocks[i].name, (long long)t.tv_sec, t.tv_nsec);
   }
   struct timeval tv;
   gettimeofday(&tv, NULL);
   printf("%d gettimeofday %lld.%06ld\n", frame, (long long)tv.tv_sec, (long)tv.tv_usec);
   timespec_get(&t, TIME_UTC);
   printf("%d timespec_get %lld.%09ld\n", frame, (long long)t.tv_sec, t.tv_nsec);
   printf("%d time %lld\n", frame, (long long)time(NULL));
}

static void
print_random(int frame)
{
   unsigned long long r = 0;
   if (getrandom(&r, sizeof(r), 0) == sizeof(r))
      printf("%d getrandom %llx\n", frame, r);
   if (getentropy(&r, sizeof(r)) == 0)
      printf("%d getentropy %llx\n", frame, r);
   struct timeval tv;
   gettimeofday(&tv, NULL);
   srand((unsigned)time(NULL) ^ (unsigned)tv.tv_usec);
   srandom((unsigned)time(NULL) ^ (unsigned)tv.tv_usec);
   srand48(time(NULL) ^ tv.tv_usec);
   printf("%d rand %d %ld %ld\n", frame, rand(), random(), lrand48());
}

static double
seconds(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *
wait_elsewhere(void *unused)
{
   usleep(5000);
   return unused;
}

/* Each way to wait 5 ms, and how far the clock went on. */
static void
print_waits(void)
{
   const struct timespec wait = {0, 5000000};
   struct timeval tv = {0, 5000};
   struct timespec until;
   double start = seconds();
#define WAIT(name, call)                        \
   do {                                         \
      call;                                     \
      const double now = seconds();             \
      printf("0 %s %.6f\n", name, now - start); \
      start = now;                              \
   } while (0)
   WAIT("nanosleep", nanosleep(&wait, NULL));
   WAIT("clock_nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &wait, NULL));
   clock_gettime(CLOCK_MONOTONIC, &until);
   until.tv_nsec += 5000000; /* the clock started with a whole second */
   WAIT("until", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL));
   WAIT("usleep", usleep(5000));
   WAIT("poll", poll(NULL, 0, 5));
   WAIT("ppoll", ppoll(NULL, 0, &wait, NULL));
   WAIT("select", select(0, NULL, NULL, NULL, &tv));
   WAIT("pselect", pselect(0, NULL, NULL, NULL, &wait, NULL));
   const int fd = epoll_create1(0);
   struct epoll_event event;
   WAIT("epoll_wait", epoll_wait(fd, &event, 1, 5));
   WAIT("epoll_pwait", epoll_pwait(fd, &event, 1, 5, NULL));
   close(fd);
   pthread_t thread;
   pthread_create(&thread, NULL, wait_elsewhere, NULL);
   WAIT("thread", pthread_join(thread, NULL));
   /* A program that does nothing but look at the clock gets on, too. */
   while (seconds() < start + 0.005)
      ;
   printf("0 spinning %.6f\n", seconds() - start);
}

int
main(void)
{
   EGLDisplay display = util_display(EGL_OPENGL_ES_API);
   EGLContext context;
   EGLSurface surface =
       util_make_current(display, util_config(display), 16, EGL_NO_CONTEXT, &context);
   print_waits();
   for (int frame = 0; frame < 4; frame++) {
      print_clocks(frame);
      print_random(frame);
      glClear(GL_COLOR_BUFFER_BIT);
      eglSwapBuffers(display, surface);
   }
   return 0;
}
