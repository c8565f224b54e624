/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Capture files: the command stream of a program, to be replayed without it. Little-endian:
 *
 *    header  "ATTILACS", u32 version, u32 bytes of GPU memory, u32 checksum of the places of
 *            elements in surfaces (the same for the same layout), u32 CRC-32 of the 20 bytes before
 *    chunks  u32 kind, u32 raw bytes, u32 stored bytes, u32 CRC-32 of the 12 bytes before and of
 *            the stored bytes; then the stored bytes
 *
 * The first chunk is a DICTIONARY: what the stream's numbers mean (capture/sim_dictionary.h). A
 * reader with other numbers refuses it. Version 1 had none, and a checksum of names in the header
 * instead; numbers that it used mean the same for ever, which tests/unit/test_dictionary.c checks.
 *
 * A COMMANDS chunk holds whole commands (hw/attila_cmd.h), deflated unless raw and stored size are
 * equal. A WAIT chunk holds a 64-bit fence value: the program waited for this fence here. Waits
 * change cycle counts, because time then runs on while no commands come. */
#ifndef SIM_CAPTURE_H
#define SIM_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_CAPTURE_MAGIC "ATTILACS"
#define SIM_CAPTURE_VERSION 2u

enum sim_capture_kind {
   SIM_CAPTURE_COMMANDS = 1,
   SIM_CAPTURE_WAIT = 2,
   SIM_CAPTURE_DICTIONARY = 3, /* never a record */
};

struct sim_capture_writer;
/* Returns NULL with a message if the file cannot be created. Does not overwrite a file that another
 * simulator is writing, or that an earlier simulator of this process wrote: name.attila then
 * becomes name-2.attila, and so on, with a message on stderr. */
struct sim_capture_writer *sim_capture_create(const char *path, uint32_t memory_size, char *error,
                                              size_t error_size);
/* Appends whole commands, written in chunks. Writing ends at the first failure (a full disk): this
 * function and sim_capture_flush then return false, and the file has whole chunks. In a child of
 * the writer's process they do nothing. */
bool sim_capture_commands(struct sim_capture_writer *w, const uint32_t *words, size_t num_words);
bool sim_capture_wait(struct sim_capture_writer *w, uint64_t fence);
/* Writes what is pending, which completes the file up to here. */
bool sim_capture_flush(struct sim_capture_writer *w);
/* Returns whether writing has failed, and why. */
bool sim_capture_error(const struct sim_capture_writer *w, char *error, size_t error_size);
/* In a child after fork(): releases the file. */
void sim_capture_disown(struct sim_capture_writer *w);
/* Closes the file; returns false if something was lost. */
bool sim_capture_close(struct sim_capture_writer *w);

struct sim_capture_record {
   enum sim_capture_kind kind;
   const uint32_t *words; /* COMMANDS: whole commands, valid until the next call */
   size_t num_words;
   uint64_t fence; /* WAIT */
};
enum sim_capture_result { SIM_CAPTURE_RECORD, SIM_CAPTURE_END, SIM_CAPTURE_ERROR };

struct sim_capture_reader;
/* Returns NULL with a message if the file cannot be opened or is not a capture. */
struct sim_capture_reader *sim_capture_open(const char *path, char *error, size_t error_size);
uint32_t sim_capture_memory_size(const struct sim_capture_reader *r);
/* Returns the next record. ERROR with a message and place for a truncated or damaged file; earlier
 * records are good. */
enum sim_capture_result sim_capture_next(struct sim_capture_reader *r,
                                         struct sim_capture_record *record, char *error,
                                         size_t error_size);
/* Return the offset of the next record in the file; continue reading at an offset. */
uint64_t sim_capture_tell(const struct sim_capture_reader *r);
bool sim_capture_seek(struct sim_capture_reader *r, uint64_t place);
/* Finds the size of the file and a fingerprint of the capture: a hash of the header and of the
 * sizes and checksums of all chunks. Returns false with a message if the file is damaged. Leaves
 * the reader at the first record. */
bool sim_capture_fingerprint(struct sim_capture_reader *r, uint64_t *bytes, uint64_t *fingerprint,
                             char *error, size_t error_size);
void sim_capture_reader_close(struct sim_capture_reader *r);

#endif
