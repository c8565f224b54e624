/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The display of attila-run's program: an existing one, or a virtual server (Xvfb) that only
 * programs with its cookie can use. Not here: the server's end (launch_start_tidy). */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cli/launch.h"
#include "core/sim_file.h"

#define START_MS 30000     /* until Xvfb must have chosen its number */
#define FAMILY_WILD 0xffff /* of Xauth(3): the entry is for any host */

/* Returns whether the display answers; assumes so without xdpyinfo. */
static bool
launch_display_answers(void)
{
   const char *display = getenv("DISPLAY");
   char *xdpyinfo = launch_find_program("xdpyinfo");
   const char *const command[] = {"xdpyinfo", NULL};
   const bool answers = display && *display && (!xdpyinfo || launch_command(command, -1, -1) == 0);
   free(xdpyinfo);
   return answers;
}

static void
launch_display_put(FILE *f, const void *data, uint16_t size)
{
   const uint8_t length[] = {(uint8_t)(size >> 8), (uint8_t)size};
   fwrite(length, 1, sizeof(length), f);
   fwrite(data, 1, size, f);
}

/* Writes a file in the format of xauth, for any host and display. The server and its programs read
 * the same file. */
static bool
launch_display_write_cookie(const char *path)
{
   static const char method[] = "MIT-MAGIC-COOKIE-1";
   const uint8_t family[] = {FAMILY_WILD >> 8, FAMILY_WILD & 0xff};
   uint8_t cookie[16];
   char error[4300];
   FILE *f = sim_file_stream(path, "w", SIM_FILE_OURS, error, sizeof(error));
   bool ok = f && getrandom(cookie, sizeof(cookie), 0) == (ssize_t)sizeof(cookie);
   if (f) {
      fwrite(family, 1, sizeof(family), f);
      launch_display_put(f, "", 0);
      launch_display_put(f, "", 0);
      launch_display_put(f, method, sizeof(method) - 1);
      launch_display_put(f, cookie, sizeof(cookie));
      ok = sim_file_end_stream(f, path, ok, error, sizeof(error));
   }
   if (!ok)
      launch_fail("%s", error);
   return ok;
}

/* Starts the server in its own session: an interrupt from the terminal must not end the program's
 * display. */
static pid_t
launch_display_fork(const char *size, const char *cookie, int number)
{
   char screen[64], descriptor[16];
   const pid_t pid = fork();
   if (pid)
      return pid;
   /* Not the reading end: Xvfb's output is dropped. */
   setsid();
   snprintf(screen, sizeof(screen), "%sx24", size);
   snprintf(descriptor, sizeof(descriptor), "%d", dup(number)); /* a copy stays open in Xvfb */
   /* The server itself uses the OpenGL of the system. */
   unsetenv("GALLIUM_DRIVER");
   const char *const command[] = {"Xvfb",      "-displayfd", descriptor, "-screen", "0",    screen,
                                  "-nolisten", "tcp",        "-noreset", "-auth",   cookie, NULL};
   launch_exec(command, -1, -1);
}

static bool
launch_display_read_number(int fd, char *number, size_t size)
{
   struct pollfd ready = {.fd = fd, .events = POLLIN};
   size_t n = 0;
   while (n + 1 < size && poll(&ready, 1, START_MS) > 0) {
      const ssize_t got = read(fd, number + n, 1);
      if (got <= 0 || number[n] == '\n')
         break;
      n++;
   }
   number[n] = '\0';
   return n;
}

static bool
launch_display_start(const char *size, const char *folder, int tidy)
{
   char number[16], name[32];
   int ends[2];
   char *cookie = sim_file_path("%s/xauthority", folder);
   bool ok = launch_display_write_cookie(cookie);
   if (ok && pipe2(ends, O_CLOEXEC)) {
      launch_fail("cannot make a pipe: %s", strerror(errno));
      ok = false;
   }
   if (ok) {
      const pid_t server = launch_display_fork(size, cookie, ends[1]);
      close(ends[1]);
      ok = server > 0 && write(tidy, &server, sizeof(server)) == sizeof(server) &&
           launch_display_read_number(ends[0], number, sizeof(number));
      close(ends[0]);
      if (!ok)
         launch_fail("Xvfb did not start");
   }
   if (ok) {
      snprintf(name, sizeof(name), ":%s", number);
      setenv("DISPLAY", name, 1);
      setenv("XAUTHORITY", cookie, 1);
   }
   free(cookie);
   return ok;
}

bool
launch_display(const struct cli_options *o, const char *folder, int tidy)
{
   const char *display = getenv("DISPLAY");
   if (o->display && (!display || !*display))
      return launch_fail("--display: DISPLAY is not set") == CLI_OK;
   if (launch_display_answers())
      return true;
   if (o->display)
      return launch_fail("--display: no X server answers at DISPLAY=%s", display) == CLI_OK;
   char *server = launch_find_program("Xvfb");
   if (!server)
      return launch_fail("there is no display and no Xvfb: install xvfb, or start an X server") ==
             CLI_OK;
   free(server);
   return launch_display_start(o->size ? o->size : "1280x1024", folder, tidy);
}
