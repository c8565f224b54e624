/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Files of one writer with whole records, and folders (sim_file.h). */
#include "core/sim_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "core/sim_xalloc.h"

void
sim_file_hold_standard_streams(void)
{
   for (int fd = 0; fd <= STDERR_FILENO; fd++) {
      /* open() takes the lowest free descriptor, which is fd. */
      if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) < 0)
         return;
   }
}

/* --- Who has a file --- */

/* Files to which this process wrote something worth keeping, until it ends. An attila-run may start
 * several processes in sequence: its own folder $ATTILA_RUN_DIR has an empty file for each. */
static struct used_file {
   struct used_file *next;
   dev_t dev;
   ino_t ino;
} * used_files;
static pthread_mutex_t used_lock = PTHREAD_MUTEX_INITIALIZER;

/* Returns the path of a file's mark, to free; NULL: attila-run has not started this process. */
static char *
file_used_mark(const struct stat *st)
{
   const char *dir = secure_getenv("ATTILA_RUN_DIR");
   return dir ? sim_file_path("%s/used-%llx-%llx", dir, (unsigned long long)st->st_dev,
                              (unsigned long long)st->st_ino)
              : NULL;
}

static bool
file_is_used(const struct stat *st)
{
   char *mark = file_used_mark(st);
   const bool marked = mark && access(mark, F_OK) == 0;
   free(mark);
   if (marked)
      return true;
   pthread_mutex_lock(&used_lock);
   const struct used_file *u = used_files;
   while (u && (u->dev != st->st_dev || u->ino != st->st_ino))
      u = u->next;
   pthread_mutex_unlock(&used_lock);
   return u != NULL;
}

/* Removes the mark of a deleted file whose number a new file has got. */
static void
file_forget_mark(const struct stat *st)
{
   char *mark = file_used_mark(st);
   if (mark)
      unlink(mark);
   free(mark);
   pthread_mutex_lock(&used_lock);
   for (struct used_file **at = &used_files, *u; (u = *at) != NULL;) {
      if (u->dev != st->st_dev || u->ino != st->st_ino) {
         at = &u->next;
         continue;
      }
      *at = u->next;
      free(u);
   }
   pthread_mutex_unlock(&used_lock);
}

struct sim_file *
sim_file_create_numbered(const char *path, const char *does, char *error, size_t error_size)
{
   enum { MAX_FILES = 1000 }; /* files with the same name */
   struct sim_file *file = NULL;
   char taken[1024];
   enum sim_file_result result =
       sim_file_create(&file, AT_FDCWD, path, path, SIM_FILE_GIVEN, error, error_size);
   if (result == SIM_FILE_TAKEN)
      snprintf(taken, sizeof(taken), "%s", error);
   for (unsigned n = 2; result == SIM_FILE_TAKEN && n <= MAX_FILES; n++) {
      char *other = sim_file_numbered(path, n);
      result = sim_file_create(&file, AT_FDCWD, other, other, SIM_FILE_GIVEN, error, error_size);
      if (result == SIM_FILE_OPEN)
         fprintf(stderr, "attila: %s: this one %s to %s\n", taken, does, other);
      free(other);
   }
   return file;
}

void
sim_file_mark_used(struct sim_file *f)
{
   struct stat st;
   if (f->used || !f->regular || fstat(f->fd, &st))
      return;
   f->used = true;
   char *mark = file_used_mark(&st);
   const int fd = mark ? open(mark, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
   if (fd >= 0)
      close(fd);
   free(mark);
   struct used_file *u = malloc(sizeof(*u));
   if (!u)
      return;
   pthread_mutex_lock(&used_lock);
   *u = (struct used_file){used_files, st.st_dev, st.st_ino};
   used_files = u;
   pthread_mutex_unlock(&used_lock);
}

/* --- Life --- */

/* The lock ends with the last copy of the descriptor. On file systems without locks the file is
 * used, though it may be taken. */
static enum sim_file_result
file_take(int fd, struct sim_file *f, const struct stat *st, char *error, size_t error_size)
{
   int locked = flock(fd, LOCK_EX | LOCK_NB);
   if (locked && errno == EWOULDBLOCK) {
      snprintf(error, error_size, "%s is being written by another simulator", f->path);
      return SIM_FILE_TAKEN;
   }
   if (locked)
      fprintf(stderr,
              "attila: warning: %s cannot be locked (%s): programs that write it at the "
              "same time damage it\n",
              f->path, strerror(errno));
   if (!st->st_size)
      file_forget_mark(st);
   if (file_is_used(st)) {
      snprintf(error, error_size, "%s was written by an earlier simulator of this run", f->path);
      return SIM_FILE_TAKEN;
   }
   if (ftruncate(fd, 0)) {
      snprintf(error, error_size, "%s: %s", f->path, strerror(errno));
      return SIM_FILE_ERROR;
   }
   return SIM_FILE_OPEN;
}

/* Returns a descriptor to write to a file of this kind; -1 with a message. */
static int
file_open(int folder, const char *name, const char *path, enum sim_file_kind kind, int flags,
          struct stat *st, char *error, size_t error_size)
{
   /* open() would wait on a pipe without readers; our own files are never pipes. */
   if (kind == SIM_FILE_OURS)
      flags |= O_NOFOLLOW | O_NONBLOCK;
   const int fd = openat(folder, name, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
   if (fd < 0 && errno == ELOOP && kind == SIM_FILE_OURS)
      snprintf(error, error_size, "%s is a symbolic link, which is not followed: remove it", path);
   else if (fd < 0 || fstat(fd, st))
      snprintf(error, error_size, "%s: %s", path, strerror(errno));
   else if (kind == SIM_FILE_OURS && !S_ISREG(st->st_mode))
      snprintf(error, error_size, "%s is not a regular file", path);
   else
      return fd;
   if (fd >= 0)
      close(fd);
   return -1;
}

FILE *
sim_file_stream(const char *path, const char *mode, enum sim_file_kind kind, char *error,
                size_t error_size)
{
   struct stat st;
   const int flags = mode[0] == 'a' ? O_APPEND : O_TRUNC;
   const int fd = file_open(AT_FDCWD, path, path, kind, flags, &st, error, error_size);
   FILE *f = fd < 0 ? NULL : fdopen(fd, mode);
   if (fd >= 0 && !f) {
      snprintf(error, error_size, "%s: %s", path, strerror(errno));
      close(fd);
   }
   return f;
}

bool
sim_file_end_stream(FILE *f, const char *path, bool ok, char *error, size_t error_size)
{
   struct stat st;
   const bool regular = !fstat(fileno(f), &st) && S_ISREG(st.st_mode);
   int reason = errno;
   ok = !ferror(f) && ok;
   if (fclose(f)) {
      reason = errno;
      ok = false;
   }
   if (ok)
      return true;
   snprintf(error, error_size, "%s: %s", path, strerror(reason ? reason : EIO));
   if (regular)
      unlink(path);
   return false;
}

enum sim_file_result
sim_file_create(struct sim_file **file, int folder, const char *name, const char *path,
                enum sim_file_kind kind, char *error, size_t error_size)
{
   struct sim_file *f = calloc(1, sizeof(*f) + strlen(path) + 1);
   *file = NULL;
   if (!f) {
      snprintf(error, error_size, "%s: out of host memory", path);
      return SIM_FILE_ERROR;
   }
   strcpy(f->path, path);
   struct stat st;
   enum sim_file_result result = SIM_FILE_ERROR;
   f->fd = file_open(folder, name, path, kind, 0, &st, error, error_size);
   if (f->fd >= 0 && (f->regular = S_ISREG(st.st_mode)))
      result = file_take(f->fd, f, &st, error, error_size);
   else if (f->fd >= 0)
      result = SIM_FILE_OPEN;
   if (result != SIM_FILE_OPEN) {
      if (f->fd >= 0)
         close(f->fd);
      free(f);
      return result;
   }
   f->owner = getpid();
   *file = f;
   return SIM_FILE_OPEN;
}

bool
sim_file_usable(const struct sim_file *f)
{
   return f->fd >= 0 && !f->error && f->owner == getpid();
}

void
sim_file_disown(struct sim_file *f)
{
   f->owner = 0;
   if (f->fd >= 0)
      close(f->fd);
   f->fd = -1;
}

bool
sim_file_close(struct sim_file *f)
{
   if (!f)
      return true;
   bool ours = f->owner == getpid();
   if (f->fd >= 0 && close(f->fd) && ours && !f->error)
      f->error = errno;
   bool ok = !ours || !f->error;
   free(f);
   return ok;
}

/* --- Writing --- */

static const int write_signals[] = {SIGPIPE, SIGXFSZ};
#define NUM_WRITE_SIGNALS (sizeof(write_signals) / sizeof(write_signals[0]))

void
sim_file_hold_signals(sigset_t *before)
{
   sigset_t set;
   sigemptyset(&set);
   for (unsigned i = 0; i < NUM_WRITE_SIGNALS; i++)
      sigaddset(&set, write_signals[i]);
   pthread_sigmask(SIG_BLOCK, &set, before);
}

void
sim_file_release_signals(const sigset_t *before, bool failed)
{
   const struct timespec now = {0, 0};
   sigset_t set;
   sigemptyset(&set);
   for (unsigned i = 0; i < NUM_WRITE_SIGNALS; i++) {
      if (!sigismember(before, write_signals[i]))
         sigaddset(&set, write_signals[i]);
   }
   if (failed)
      sigtimedwait(&set, NULL, &now);
   pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* Returns the bytes written; fewer than size only on an error. */
static size_t
file_write_at(struct sim_file *f, const uint8_t *data, size_t size)
{
   size_t done = 0;
   sigset_t before;
   sim_file_hold_signals(&before);
   while (done < size) {
      ssize_t n = f->regular ? pwrite(f->fd, data + done, size - done, f->size + (off_t)done)
                             : write(f->fd, data + done, size - done);
      if (n < 0 && errno == EINTR)
         continue;
      if (n <= 0) {
         f->error = n < 0 ? errno : ENOSPC;
         break;
      }
      done += (size_t)n;
   }
   sim_file_release_signals(&before, f->error);
   return done;
}

static bool
file_write_keeping(struct sim_file *f, const uint8_t *data, size_t size, bool lines)
{
   if (!sim_file_usable(f))
      return false;
   int saved = errno;
   size_t done = file_write_at(f, data, size);
   if (done < size && f->regular) {
      while (done && !(lines && data[done - 1] == '\n'))
         done--;
      /* This needs no space. If it fails, readers meet a record without an end. */
      int given_back = ftruncate(f->fd, f->size + (off_t)done);
      (void)given_back;
   }
   f->size += (off_t)done;
   errno = saved;
   return done == size;
}

bool
sim_file_write(struct sim_file *f, const void *record, size_t size)
{
   return file_write_keeping(f, record, size, false);
}

bool
sim_file_write_lines(struct sim_file *f, const char *lines, size_t size)
{
   return file_write_keeping(f, (const uint8_t *)lines, size, true);
}

/* --- Folders --- */

/* Returns whether files can be made in the folder of a path. */
static bool
file_has_folder(const char *path)
{
   struct stat st;
   const char *slash = strrchr(path, '/');
   char *folder = sim_file_path("%.*s", slash ? (int)(slash + 1 - path) : 1, slash ? path : ".");
   const bool has = !stat(folder, &st) && S_ISDIR(st.st_mode) && !access(folder, W_OK | X_OK);
   free(folder);
   return has;
}

bool
sim_file_can_make(const char *path, bool folder, char *error, size_t error_size)
{
   struct stat st;
   const bool there = !stat(path, &st), is_folder = there && S_ISDIR(st.st_mode);
   if (there && folder && !is_folder)
      snprintf(error, error_size, "%s is a file: name a folder", path);
   else if (there && !folder && is_folder)
      snprintf(error, error_size, "%s is a folder: name a file", path);
   else if (there && access(path, folder ? W_OK | X_OK : W_OK))
      snprintf(error, error_size, "cannot write to %s: %s", path, strerror(errno));
   else if (!there && !folder && !file_has_folder(path))
      snprintf(error, error_size, "%s: there is no folder to write to", path);
   else
      return true;
   return false;
}

bool
sim_file_make_folder(const char *path)
{
   char copy[4096];
   if (snprintf(copy, sizeof(copy), "%s", path) >= (int)sizeof(copy)) {
      errno = ENAMETOOLONG;
      return false;
   }
   for (char *p = copy + 1; *p; p++) {
      if (*p != '/')
         continue;
      *p = '\0';
      if (mkdir(copy, 0777) && errno != EEXIST)
         return false;
      *p = '/';
   }
   return mkdir(copy, 0777) == 0 || errno == EEXIST;
}

char *
sim_file_path(const char *format, ...)
{
   char *path;
   va_list args;
   va_start(args, format);
   if (vasprintf(&path, format, args) < 0)
      sim_out_of_memory();
   va_end(args);
   return path;
}

char *
sim_file_numbered(const char *path, unsigned number)
{
   const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
              *dot = strrchr(name, '.');
   const size_t stem = dot && dot > name ? (size_t)(dot - path) : strlen(path);
   return number == 1 ? sim_file_path("%s", path)
                      : sim_file_path("%.*s-%u%s", (int)stem, path, number, path + stem);
}

char *
sim_file_folder(const char *path, unsigned number)
{
   return number == 1 ? sim_file_path("%s", path) : sim_file_path("%s/simulator-%u", path, number);
}

bool
sim_file_is_picture(const char *name)
{
   static const char before[] = "frame-";
   if (strncmp(name, before, sizeof(before) - 1))
      return false;
   name += sizeof(before) - 1;
   const size_t digits = strspn(name, "0123456789");
   return digits && !strcmp(name + digits, ".png");
}
