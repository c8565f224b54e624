/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A file that the simulator writes (reports, captures). One simulator of one process owns it; a
 * child forked later writes nothing. It holds whole records: the part of a record that still fitted
 * on a full disk is removed. Also folders. Not here: records, and what happens if a file is
 * taken. */
#ifndef SIM_FILE_H
#define SIM_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct sim_file {
   int fd;
   int error;    /* errno of a failed write, after which nothing is written; 0: none */
   bool regular; /* not a pipe or a device */
   bool used;    /* sim_file_mark_used */
   pid_t owner;
   off_t size; /* of a regular file's whole records */
   char path[];
};

enum sim_file_kind {
   SIM_FILE_GIVEN, /* named by the user: may be a link, a pipe or a device */
   SIM_FILE_OURS,  /* named by us: a regular file, no links */
};

enum sim_file_result {
   SIM_FILE_OPEN,
   SIM_FILE_TAKEN, /* by another simulator, named in error */
   SIM_FILE_ERROR,
};

/* Opens /dev/null for closed standard streams, so that no file of ours gets their descriptors, and
 * with them the program's output. */
void sim_file_hold_standard_streams(void);
/* Opens the file, empty, for this simulator alone. folder: base of name (AT_FDCWD: the working
 * directory). path: its name in messages. TAKEN and ERROR give a message. A file is taken while a
 * simulator on this host has it open, and, if an earlier one marked it as used, until the end of
 * this process and of its attila-run. */
enum sim_file_result sim_file_create(struct sim_file **file, int folder, const char *name,
                                     const char *path, enum sim_file_kind kind, char *error,
                                     size_t error_size);
/* Opens the user's file; if another simulator writes it, the first free numbered name,
 * "dir/name-2.attila", with a message about what this one does ("captures") to it. NULL: error. */
struct sim_file *sim_file_create_numbered(const char *path, const char *does, char *error,
                                          size_t error_size);
/* Notes that something worth keeping was written. */
void sim_file_mark_used(struct sim_file *f);

/* Returns whether this process may write: it opened the file, and no write failed. */
bool sim_file_usable(const struct sim_file *f);
/* Writes a whole record, or several lines, of which those that fit stay. False, with f->error set,
 * if not all was written. */
bool sim_file_write(struct sim_file *f, const void *record, size_t size);
bool sim_file_write_lines(struct sim_file *f, const char *lines, size_t size);
/* Block the signals that writes may raise (a pipe without reader, a limit on a file's size), as the
 * error is ours and must not end the program. failed: drops the signal. Pairs may nest. */
void sim_file_hold_signals(sigset_t *before);
void sim_file_release_signals(const sigset_t *before, bool failed);
/* Opens a stream for a file written at once, unlocked: mode "w" or "a". NULL with a message. */
FILE *sim_file_stream(const char *path, const char *mode, enum sim_file_kind kind, char *error,
                      size_t error_size);
/* Closes such a stream. ok: all writes so far succeeded. False with a message if it is incomplete;
 * a regular file is then removed. */
bool sim_file_end_stream(FILE *f, const char *path, bool ok, char *error, size_t error_size);

/* In a child after fork(): releases the file, which stays the parent's. */
void sim_file_disown(struct sim_file *f);
/* Closes; false if something was lost. f may be NULL. */
bool sim_file_close(struct sim_file *f);

/* Returns whether a file, or a folder and its parents, could be made or written. False with a
 * message. Makes nothing. */
bool sim_file_can_make(const char *path, bool folder, char *error, size_t error_size);
/* Makes a folder and its parents if missing. False: errno. */
bool sim_file_make_folder(const char *path);
/* Returns whether a file has the name of a frame's picture: frame-0012.png. */
bool sim_file_is_picture(const char *name);
/* Returns a printf-like path, to free; never NULL. */
char *sim_file_path(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Return the file and the folder of the n-th simulator, from 1, of several that have been given the
 * same one: "dir/name-2.attila", "dir/simulator-2". To be freed; never NULL. */
char *sim_file_numbered(const char *path, unsigned number);
char *sim_file_folder(const char *path, unsigned number);

#endif
