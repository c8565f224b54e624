/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A file that the simulator writes: reports, captures. It belongs to one simulator of one process
 * at a time, and holds whole records: what a full disk takes only a part of is taken back, and a
 * process that was forked later writes nothing. And the folders that files are in. Not here: what a
 * record is, and what is done when a file is taken.
 */
#ifndef SIM_FILE_H
#define SIM_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct sim_file {
   int fd;
   int error;    /* errno of the write that failed: nothing is written any more; 0: none */
   bool regular; /* not a pipe or a device */
   bool used;    /* sim_file_mark_used */
   pid_t owner;
   off_t size; /* of a regular file: whole records */
   char path[];
};

enum sim_file_kind {
   SIM_FILE_GIVEN, /* the user named this file: it may be a link, a pipe or a device */
   SIM_FILE_OURS,  /* we named it: only a regular file will do, and links are not followed */
};

enum sim_file_result {
   SIM_FILE_OPEN,
   SIM_FILE_TAKEN, /* by another simulator, which error names */
   SIM_FILE_ERROR,
};

/* Where the process was started without standard streams, or has closed them, /dev/null takes their
 * descriptors, so that no file of ours does: what the program writes to them would be in it. */
void sim_file_hold_standard_streams(void);
/* Opens the file, empty, for this simulator alone. folder: name is relative to it (AT_FDCWD: to the
 * working directory). path: what messages call the file. TAKEN and ERROR give a message. A file is
 * taken while any simulator on this host has it open, and, when an earlier simulator has marked it
 * as used, until the end of this process and of the attila-run that started it. */
enum sim_file_result sim_file_create(struct sim_file **file, int folder, const char *name,
                                     const char *path, enum sim_file_kind kind, char *error,
                                     size_t error_size);
/* The user's file of that name; if another simulator writes it, the first free name with a number:
 * "dir/name-2.attila". A message then says what this simulator does ("captures") to it. NULL:
 * error.
 */
struct sim_file *sim_file_create_numbered(const char *path, const char *does, char *error,
                                          size_t error_size);
/* Something worth keeping has been written. */
void sim_file_mark_used(struct sim_file *f);

/* Whether this process may write it: it opened it, and no write has failed. */
bool sim_file_usable(const struct sim_file *f);
/* Writes a record that is whole, or several lines: of those the ones that fit stay. False, with
 * f->error set, if not everything was written. */
bool sim_file_write(struct sim_file *f, const void *record, size_t size);
bool sim_file_write_lines(struct sim_file *f, const char *lines, size_t size);
/* Around writes that may fail with a signal of their own (a pipe without a reader, a limit of the
 * file's size): that is our error and not the end of the program. failed: drops the signal. Nests.
 */
void sim_file_hold_signals(sigset_t *before);
void sim_file_release_signals(const sigset_t *before, bool failed);
/* A stream for a file that is written at once, without a lock: mode "w" or "a" (behind what is
 * there). NULL with a message. */
FILE *sim_file_stream(const char *path, const char *mode, enum sim_file_kind kind, char *error,
                      size_t error_size);
/* Closes it. ok: all was written so far. False with a message if it is not whole: then a regular
 * file is removed. */
bool sim_file_end_stream(FILE *f, const char *path, bool ok, char *error, size_t error_size);

/* In a child after fork(): lets go of the file, which stays the parent's. */
void sim_file_disown(struct sim_file *f);
/* False if something was lost. f may be NULL. */
bool sim_file_close(struct sim_file *f);

/* The folder and those that it is in, if they are not there. False: errno says why. */
bool sim_file_make_folder(const char *path);
/* A path made as by printf, to be freed; never NULL. */
char *sim_file_path(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
