/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Files of one writer and of whole records: who gets a file, what stays of a record that does not
 * fit, forks. Full disks are limits of the file size (setrlimit), in children. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "core/sim_file.h"

static char dir[] = "/tmp/attila-file-XXXXXX";
static int folder = -1;
static char error[512];

static int
make_dir(void **state)
{
   if (!mkdtemp(dir))
      return 1;
   folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
   return folder < 0;
}

static int
remove_dir(void **state)
{
   char command[128];
   snprintf(command, sizeof(command), "rm -r %s", dir);
   return close(folder) || system(command);
}

static enum sim_file_result
create(struct sim_file **f, const char *name, enum sim_file_kind kind)
{
   error[0] = '\0';
   return sim_file_create(f, folder, name, name, kind, error, sizeof(error));
}

static bool
put(struct sim_file *f, const char *text, bool lines)
{
   return lines ? sim_file_write_lines(f, text, strlen(text))
                : sim_file_write(f, text, strlen(text));
}

static const char *
content(const char *name)
{
   static char text[4096];
   int fd = openat(folder, name, O_RDONLY);
   assert_true(fd >= 0);
   ssize_t n = read(fd, text, sizeof(text) - 1);
   assert_true(n >= 0);
   text[n] = '\0';
   close(fd);
   return text;
}

static void
test_second_writer_is_refused(void **state)
{
   struct sim_file *a, *b;
   assert_int_equal(create(&a, "one", SIM_FILE_OURS), SIM_FILE_OPEN);
   assert_true(put(a, "kept", false));
   assert_int_equal(create(&b, "one", SIM_FILE_OURS), SIM_FILE_TAKEN);
   assert_null(b);
   assert_string_equal(error, "one is being written by another simulator");
   assert_string_equal(content("one"), "kept");
   /* Free again when it is closed, and then begun anew. */
   assert_true(sim_file_close(a));
   assert_int_equal(create(&a, "one", SIM_FILE_OURS), SIM_FILE_OPEN);
   assert_string_equal(content("one"), "");
   /* But what this process meant to keep it does not overwrite. */
   assert_true(put(a, "worth keeping", false));
   sim_file_mark_used(a);
   assert_true(sim_file_close(a));
   assert_int_equal(create(&b, "one", SIM_FILE_OURS), SIM_FILE_TAKEN);
   assert_string_equal(error, "one was written by an earlier simulator of this run");
   assert_string_equal(content("one"), "worth keeping");
   /* When the user has removed it, the name is free. */
   assert_int_equal(unlinkat(folder, "one", 0), 0);
   assert_int_equal(create(&b, "one", SIM_FILE_OURS), SIM_FILE_OPEN);
   assert_true(sim_file_close(b));
}

/* A child that has the file open until told. */
static pid_t
holder(const char *name, int *stop)
{
   int ready[2], end[2];
   char byte = 0;
   assert_int_equal(pipe(ready) | pipe(end), 0);
   pid_t pid = fork();
   if (pid == 0) {
      struct sim_file *f;
      close(end[1]);
      if (create(&f, name, SIM_FILE_OURS) != SIM_FILE_OPEN || write(ready[1], &byte, 1) != 1)
         _exit(1);
      _exit(read(end[0], &byte, 1) != 0);
   }
   close(ready[1]);
   close(end[0]);
   assert_int_equal(read(ready[0], &byte, 1), 1);
   close(ready[0]);
   *stop = end[1];
   return pid;
}

/* What one attila-run starts are processes one after the other: none overwrites what another one
 * meant to keep. Another run does. */
static void
test_processes_of_a_run_keep_each_others_files(void **state)
{
   struct sim_file *f;
   char dir[] = "/tmp/attila-file-XXXXXX", command[64];
   assert_non_null(mkdtemp(dir));
   setenv("ATTILA_RUN_DIR", dir, 1);
   for (unsigned n = 0; n < 2; n++) {
      const pid_t pid = fork();
      if (pid == 0) {
         if (create(&f, n ? "later" : "first", SIM_FILE_OURS) != SIM_FILE_OPEN)
            _exit(1);
         put(f, "kept", false);
         if (n == 0)
            sim_file_mark_used(f);
         _exit(!sim_file_close(f));
      }
      int status;
      assert_int_equal(waitpid(pid, &status, 0), pid);
      assert_int_equal(status, 0);
   }
   assert_int_equal(create(&f, "first", SIM_FILE_OURS), SIM_FILE_TAKEN);
   assert_string_equal(error, "first was written by an earlier simulator of this run");
   assert_string_equal(content("first"), "kept");
   assert_int_equal(create(&f, "later", SIM_FILE_OURS), SIM_FILE_OPEN);
   assert_true(sim_file_close(f));
   unsetenv("ATTILA_RUN_DIR");
   assert_int_equal(create(&f, "first", SIM_FILE_OURS), SIM_FILE_OPEN);
   assert_true(sim_file_close(f));
   snprintf(command, sizeof(command), "rm -r %s", dir);
   assert_int_equal(system(command), 0);
}

static void
test_other_process_is_named(void **state)
{
   struct sim_file *f;
   int stop, status;
   pid_t pid = holder("other", &stop);
   assert_int_equal(create(&f, "other", SIM_FILE_OURS), SIM_FILE_TAKEN);
   assert_string_equal(error, "other is being written by another simulator");
   close(stop);
   assert_int_equal(waitpid(pid, &status, 0), pid);
   assert_int_equal(status, 0);
   assert_int_equal(create(&f, "other", SIM_FILE_OURS), SIM_FILE_OPEN);
   assert_true(sim_file_close(f));
}

static void
test_our_files_are_regular_and_follow_no_link(void **state)
{
   struct sim_file *f;
   assert_int_equal(symlinkat("target", folder, "link"), 0);
   assert_int_equal(mkfifoat(folder, "pipe", 0600), 0);
   assert_int_equal(create(&f, "link", SIM_FILE_OURS), SIM_FILE_ERROR);
   assert_string_equal(error, "link is a symbolic link, which is not followed: remove it");
   assert_int_not_equal(faccessat(folder, "target", F_OK, 0), 0);
   assert_int_equal(create(&f, "link", SIM_FILE_GIVEN), SIM_FILE_OPEN);
   assert_true(put(f, "through the link", false));
   assert_true(sim_file_close(f));
   assert_string_equal(content("target"), "through the link");
   /* A pipe without reader: no wait. */
   assert_int_equal(create(&f, "pipe", SIM_FILE_OURS), SIM_FILE_ERROR);
   int reader = openat(folder, "pipe", O_RDONLY | O_NONBLOCK);
   assert_int_equal(create(&f, "pipe", SIM_FILE_OURS), SIM_FILE_ERROR);
   assert_string_equal(error, "pipe is not a regular file");
   assert_int_equal(create(&f, "pipe", SIM_FILE_GIVEN), SIM_FILE_OPEN);
   char text[16] = "";
   assert_true(put(f, "hello", false));
   assert_int_equal(read(reader, text, sizeof(text)), 5);
   /* A pipe whose reader is gone is an error of the file, not the end of the process. */
   close(reader);
   assert_false(put(f, "hello", false));
   assert_int_equal(f->error, EPIPE);
   assert_false(sim_file_close(f));
   assert_int_equal(
       sim_file_create(&f, folder, "none/file", "shown", SIM_FILE_GIVEN, error, sizeof(error)),
       SIM_FILE_ERROR);
   assert_string_equal(error, "shown: No such file or directory");
}

/* A folder is made with those that it is in, and may be there; nothing is made in a file. */
static void
test_folders_are_made_with_their_parents(void **state)
{
   char path[sizeof(dir) + 20];
   struct stat st;
   snprintf(path, sizeof(path), "%s/outer/inner", dir);
   for (unsigned i = 0; i < 2; i++) {
      assert_true(sim_file_make_folder(path));
      assert_int_equal(stat(path, &st), 0);
      assert_true(S_ISDIR(st.st_mode));
   }
   assert_int_equal(rmdir(path), 0);
   snprintf(path, sizeof(path), "%s/outer", dir);
   assert_int_equal(rmdir(path), 0);
   assert_false(sim_file_make_folder("/dev/null/x"));
   assert_int_equal(errno, ENOTDIR);
}

/* Writes with room for 100 bytes, in a child because the limit stays. */
static int
fill(void)
{
   const struct rlimit limit = {100, 100};
   struct sim_file *a, *b;
   if (setrlimit(RLIMIT_FSIZE, &limit) || create(&a, "records", SIM_FILE_OURS) != SIM_FILE_OPEN ||
       create(&b, "lines", SIM_FILE_OURS) != SIM_FILE_OPEN)
      return 1;
   char record[61], lines[] = "0123456789012345678901234567890123456789\n"
                              "0123456789012345678901234567890123456789\n"
                              "0123456789012345678901234567890123456789\n";
   memset(record, 'r', 60);
   record[60] = '\0';
   if (!put(a, record, false) || put(a, record, false) || a->error != EFBIG || put(b, lines, true))
      return 2;
   /* Nothing follows a gap, even if it would fit. */
   if (put(a, "x", false) || put(b, "x\n", true) || sim_file_usable(a))
      return 3;
   return sim_file_close(a) || sim_file_close(b) ? 4 : 0;
}

static void
test_full_disk_leaves_whole_records(void **state)
{
   fflush(stdout);
   pid_t pid = fork();
   if (pid == 0)
      _exit(fill());
   int status;
   assert_int_equal(waitpid(pid, &status, 0), pid);
   assert_true(WIFEXITED(status));
   assert_int_equal(WEXITSTATUS(status), 0);
   assert_int_equal(strlen(content("records")), 60);
   assert_int_equal(strlen(content("lines")), 82);
}

static void
test_child_does_not_write_its_parents_file(void **state)
{
   struct sim_file *f, *g;
   assert_int_equal(create(&f, "forked", SIM_FILE_OURS), SIM_FILE_OPEN);
   assert_true(put(f, "parent ", false));
   fflush(stdout);
   int stop[2], disowned[2], status;
   char byte;
   assert_int_equal(pipe(stop) | pipe(disowned), 0);
   pid_t pid = fork();
   if (pid == 0) {
      close(stop[1]);
      if (sim_file_usable(f) || put(f, "child ", false))
         _exit(1);
      sim_file_disown(f);
      close(disowned[0]);
      close(disowned[1]);
      /* The child lives on after the parent has closed the file. */
      _exit(read(stop[0], &byte, 1) != 0 || !sim_file_close(f));
   }
   assert_true(put(f, "parent", false));
   assert_true(sim_file_close(f));
   assert_string_equal(content("forked"), "parent parent");
   close(disowned[1]);
   assert_int_equal(read(disowned[0], &byte, 1), 0); /* the end: the child has disowned it */
   close(disowned[0]);
   assert_int_equal(create(&g, "forked", SIM_FILE_OURS), SIM_FILE_OPEN);
   assert_true(sim_file_close(g));
   close(stop[1]);
   assert_int_equal(waitpid(pid, &status, 0), pid);
   assert_int_equal(status, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_second_writer_is_refused),
       cmocka_unit_test(test_other_process_is_named),
       cmocka_unit_test(test_processes_of_a_run_keep_each_others_files),
       cmocka_unit_test(test_our_files_are_regular_and_follow_no_link),
       cmocka_unit_test(test_folders_are_made_with_their_parents),
       cmocka_unit_test(test_full_disk_leaves_whole_records),
       cmocka_unit_test(test_child_does_not_write_its_parents_file),
   };
   return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
