/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Capture files: what is written is read again; a file cut at any byte or with any bit turned gives
 * a message and no wrong command. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include <zlib.h>
#include "hw/attila_cmd.h"
#include "capture/sim_capture.h"

static char path[] = "/tmp/attila-capture-XXXXXX";

static int
make_path(void **state)
{
   int fd = mkstemp(path);
   return fd < 0 || close(fd);
}

static int
remove_path(void **state)
{
   return unlink(path);
}

/* A writer of the path; what an earlier test wrote there is removed, for it would be kept. */
static struct sim_capture_writer *
new_writer(void)
{
   char error[256];
   unlink(path);
   struct sim_capture_writer *w = sim_capture_create(path, 64 << 20, error, sizeof(error));
   if (!w)
      fail_msg("%s", error);
   return w;
}

static size_t
command(uint32_t *words, uint32_t op, uint32_t payload, uint32_t seed)
{
   words[0] = ATTILA_CMD_HEADER(op, payload);
   for (uint32_t i = 0; i < payload; i++)
      words[1 + i] = seed * 2654435761u + i / 3;
   return 1 + payload;
}

/* A stream of commands, with a wait after every tenth submission. */
static size_t
make_stream(uint32_t *words, unsigned count)
{
   size_t n = 0;
   for (unsigned i = 0; i < count; i++) {
      n += command(words + n, ATTILA_CMD_WRITE_REGS, 2 + i % 5, i);
      n += command(words + n, ATTILA_CMD_WRITE_BUFFER, 2 + i % 90, i);
      n += command(words + n, ATTILA_CMD_DRAW, 10, i);
   }
   return n;
}

static void
write_file(const uint32_t *words, size_t num_words, unsigned pieces)
{
   struct sim_capture_writer *w = new_writer();
   for (unsigned i = 0; i < pieces; i++) {
      assert_true(sim_capture_commands(w, words, num_words));
      assert_true(sim_capture_wait(w, 0x123456789abcull + i));
   }
   assert_true(sim_capture_close(w));
}

static uint8_t *
read_all(size_t *size)
{
   FILE *f = fopen(path, "rb");
   assert_non_null(f);
   fseek(f, 0, SEEK_END);
   *size = (size_t)ftell(f);
   rewind(f);
   uint8_t *data = malloc(*size);
   assert_int_equal(fread(data, 1, *size, f), *size);
   fclose(f);
   return data;
}

/* Where the first record begins, after the header of 24 bytes and the dictionary. */
static size_t
first_record(const uint8_t *data)
{
   uint32_t stored;
   memcpy(&stored, data + 24 + 8, sizeof(stored));
   return 24 + 16 + stored;
}

static void
put_all(const uint8_t *data, size_t size)
{
   FILE *f = fopen(path, "wb");
   assert_non_null(f);
   assert_int_equal(fwrite(data, 1, size, f), size);
   fclose(f);
}

/* Reads the file; every record must be the expected one. Returns the records read, *complete: the
 * end was reached without error. */
static unsigned
check_file(const uint32_t *words, size_t num_words, bool *complete)
{
   char error[512] = "";
   struct sim_capture_record record;
   unsigned n = 0;
   *complete = false;
   struct sim_capture_reader *r = sim_capture_open(path, error, sizeof(error));
   if (!r) {
      assert_true(error[0] != '\0');
      return 0;
   }
   enum sim_capture_result result;
   while ((result = sim_capture_next(r, &record, error, sizeof(error))) == SIM_CAPTURE_RECORD) {
      if (n % 2 == 0) {
         assert_int_equal(record.kind, SIM_CAPTURE_COMMANDS);
         assert_int_equal(record.num_words, num_words);
         assert_memory_equal(record.words, words, num_words * 4);
      } else {
         assert_int_equal(record.kind, SIM_CAPTURE_WAIT);
         assert_int_equal(record.fence, 0x123456789abcull + n / 2);
      }
      n++;
   }
   assert_true(result == SIM_CAPTURE_END || strstr(error, "chunk at byte"));
   *complete = result == SIM_CAPTURE_END;
   sim_capture_reader_close(r);
   return n;
}

static void
test_capture_reads_back_what_was_written(void **state)
{
   uint32_t *words = malloc(4 << 20);
   size_t n = make_stream(words, 1000);
   bool complete;
   write_file(words, n, 3);
   assert_int_equal(check_file(words, n, &complete), 6);
   assert_true(complete);
   free(words);
}

/* Commands longer than a chunk, the longest there is among them, and data that does not compress.
 */
static void
test_commands_longer_than_a_chunk_read_back(void **state)
{
   char error[512];
   uint32_t *words = malloc(((size_t)ATTILA_CMD_MAX_WORDS + 1) * 4 + 4096), x = 1;
   struct sim_capture_writer *w = new_writer();
   size_t small = make_stream(words, 3);
   assert_true(sim_capture_commands(w, words, small));
   size_t n = command(words, ATTILA_CMD_WRITE_BUFFER, ATTILA_CMD_MAX_WORDS, 9);
   for (uint32_t i = 0; i < 300000; i++)
      words[i + 100] = x = x * 1664525 + 1013904223;
   assert_true(sim_capture_commands(w, words, n));
   assert_true(sim_capture_close(w));
   struct sim_capture_reader *r = sim_capture_open(path, error, sizeof(error));
   assert_non_null(r);
   assert_int_equal(sim_capture_memory_size(r), 64 << 20);
   struct sim_capture_record record;
   size_t total = 0;
   enum sim_capture_result result;
   while ((result = sim_capture_next(r, &record, error, sizeof(error))) == SIM_CAPTURE_RECORD) {
      total += record.num_words;
      if (record.num_words >= n)
         assert_memory_equal(record.words + record.num_words - n, words, n * 4);
   }
   assert_int_equal(result, SIM_CAPTURE_END);
   assert_int_equal(total, small + n);
   sim_capture_reader_close(r);
   free(words);
}

static void
test_truncated_capture_keeps_whole_records(void **state)
{
   uint32_t words[20000];
   size_t n = make_stream(words, 30), size;
   bool complete;
   write_file(words, n, 2);
   uint8_t *data = read_all(&size);
   unsigned most = 0, whole = 0;
   const size_t first = first_record(data);
   /* Hardly inside the dictionary, which is long. */
   for (size_t cut = 0; cut<size; cut += cut> 60 && cut + 100 < first ? 97 : 1) {
      put_all(data, cut);
      unsigned records = check_file(words, n, &complete);
      assert_true(records >= most && records < 4); /* longer files never give less */
      most = records;
      whole += complete;
   }
   /* Complete only where a chunk ends: after the dictionary and three times after one of records.
    */
   assert_int_equal(whole, 4);
   put_all(data, size);
   assert_int_equal(check_file(words, n, &complete), 4);
   free(data);
}

static void
test_flipped_bits_are_detected(void **state)
{
   uint32_t words[20000];
   size_t n = make_stream(words, 20), size;
   bool complete;
   write_file(words, n, 2);
   uint8_t *data = read_all(&size);
   const size_t first = first_record(data);
   for (size_t bit = 0; bit<size * 8; bit += bit> 500 && bit + 900 < first * 8 ? 887 : 11) {
      data[bit / 8] ^= (uint8_t)(1u << bit % 8);
      put_all(data, size);
      unsigned records = check_file(words, n, &complete);
      assert_false(complete);
      assert_true(records < 4);
      data[bit / 8] ^= (uint8_t)(1u << bit % 8);
   }
   free(data);
}

/* The writer records whole commands only. A chunk that is not, with a good CRC, is refused. */
static void
test_partial_command_is_refused(void **state)
{
   char error[512];
   uint32_t words[16] = {ATTILA_CMD_HEADER(ATTILA_CMD_NOP, 4),
                         0x13579bdf,
                         0x2468ace0,
                         0x9f8e7d6c,
                         0x5b4a3920, /* does not pack */
                         ATTILA_CMD_HEADER(ATTILA_CMD_DRAW, 10)};
   struct sim_capture_record record;
   struct sim_capture_writer *w = new_writer();
   assert_true(sim_capture_commands(w, words, 9));
   assert_true(sim_capture_close(w));
   struct sim_capture_reader *r = sim_capture_open(path, error, sizeof(error));
   assert_non_null(r);
   assert_int_equal(sim_capture_next(r, &record, error, sizeof(error)), SIM_CAPTURE_RECORD);
   assert_int_equal(record.num_words, 5);
   sim_capture_reader_close(r);
   /* Kind, sizes and CRC of the chunk, then its words. */
   size_t size;
   uint8_t *data = read_all(&size);
   const long first = (long)first_record(data);
   free(data);
   FILE *f = fopen(path, "r+b");
   uint32_t chunk[4 + 5];
   fseek(f, first, SEEK_SET);
   assert_int_equal(fread(chunk, 4, 9, f), 9);
   chunk[4] = words[5];
   chunk[3] = (uint32_t)crc32(crc32(0, (const Bytef *)chunk, 12), (const Bytef *)(chunk + 4), 20);
   fseek(f, first, SEEK_SET);
   assert_int_equal(fwrite(chunk, 4, 9, f), 9);
   fclose(f);
   r = sim_capture_open(path, error, sizeof(error));
   assert_non_null(r);
   assert_int_equal(sim_capture_next(r, &record, error, sizeof(error)), SIM_CAPTURE_ERROR);
   assert_non_null(strstr(error, "DRAW: 10 payload words, but only 4 follow"));
   sim_capture_reader_close(r);
}

/* A flushed file is readable without being closed. */
static void
test_flushed_file_is_readable(void **state)
{
   char error[512];
   uint32_t words[20000];
   size_t n = make_stream(words, 10);
   bool complete;
   struct sim_capture_writer *w = new_writer();
   assert_true(sim_capture_commands(w, words, n));
   assert_int_equal(check_file(words, n, &complete), 0);
   assert_true(sim_capture_flush(w));
   assert_int_equal(check_file(words, n, &complete), 1);
   assert_true(complete);
   assert_true(sim_capture_close(w));
   assert_null(sim_capture_create("/dev/null/capture", 1, error, sizeof(error)));
   assert_non_null(strstr(error, "Not a directory"));
   assert_null(sim_capture_open("/dev/null", error, sizeof(error)));
   assert_non_null(strstr(error, "not a capture file"));
}

/* Two writers of one name get a file each, and later ones of the process do not overwrite them. */
static void
test_two_writers_of_one_name_get_a_file_each(void **state)
{
   char error[512], second[64], third[64];
   uint32_t words[20000];
   size_t n = make_stream(words, 10);
   bool complete;
   snprintf(second, sizeof(second), "%s-2", path);
   snprintf(third, sizeof(third), "%s-3", path);
   struct sim_capture_writer *a = new_writer(),
                             *b = sim_capture_create(path, 64 << 20, error, sizeof(error));
   assert_non_null(b);
   assert_true(sim_capture_commands(a, words, n));
   size_t first = 1 + ATTILA_CMD_WORDS(words[0]);
   assert_true(sim_capture_commands(b, words, first));
   assert_true(sim_capture_close(a));
   assert_true(sim_capture_close(b));
   assert_int_equal(check_file(words, n, &complete), 1);
   assert_true(complete);
   /* One without a draw and without a frame's end leaves its name to the next one. */
   const uint32_t end_frame = ATTILA_CMD_HEADER(ATTILA_CMD_END_FRAME, 0);
   for (unsigned i = 0; i < 2; i++) {
      b = sim_capture_create(path, 64 << 20, error, sizeof(error));
      assert_int_not_equal(access(i ? third : second, F_OK), -1);
      assert_int_not_equal(access(third, F_OK), i ? -1 : 0);
      assert_true(sim_capture_commands(b, &end_frame, 1));
      assert_true(sim_capture_close(b));
   }
   assert_int_equal(check_file(words, n, &complete), 1);
   assert_int_equal(unlink(second), 0);
   assert_int_equal(unlink(third), 0);
}

/* A full disk (a limit of the size of files) ends the capture with a message; what was written is
 * good, and the process goes on. */
static int
fill(void)
{
   const struct rlimit limit = {100000, 100000};
   char error[512];
   uint32_t words[2048], x = 1;
   if (setrlimit(RLIMIT_FSIZE, &limit))
      return 1;
   struct sim_capture_writer *w = new_writer();
   bool ok = true;
   unsigned good = 0;
   for (; ok && good < 1000; good += ok) {
      command(words, ATTILA_CMD_WRITE_BUFFER, 2000, 9);
      for (unsigned i = 1; i <= 2000; i++)
         words[i] = x = x * 1664525 + 1013904223;
      if (sim_capture_error(w, error, sizeof(error)))
         return 2;
      ok = sim_capture_commands(w, words, 2001) && sim_capture_flush(w);
   }
   if (ok || !sim_capture_error(w, error, sizeof(error)) || !strstr(error, "File too large") ||
       !strstr(error, path))
      return 3;
   /* Small enough, but after a gap. */
   if (sim_capture_wait(w, 1) || sim_capture_commands(w, words, 1) || sim_capture_flush(w))
      return 4;
   return sim_capture_close(w) ? 5 : 100 + (int)good;
}

static void
test_full_disk_leaves_whole_chunks(void **state)
{
   char error[512];
   struct sim_capture_record record;
   fflush(stdout);
   pid_t pid = fork();
   if (pid == 0)
      _exit(fill());
   int status;
   assert_int_equal(waitpid(pid, &status, 0), pid);
   assert_true(WIFEXITED(status));
   assert_true(WEXITSTATUS(status) > 100);
   struct sim_capture_reader *r = sim_capture_open(path, error, sizeof(error));
   assert_non_null(r);
   unsigned records = 0;
   enum sim_capture_result result;
   while ((result = sim_capture_next(r, &record, error, sizeof(error))) == SIM_CAPTURE_RECORD)
      records++;
   assert_int_equal(result, SIM_CAPTURE_END);
   assert_int_equal(records, WEXITSTATUS(status) - 100);
   sim_capture_reader_close(r);
}

/* A child neither writes its parent's commands nor its own ones into the parent's file. */
static void
test_child_writes_nothing_to_its_parents_file(void **state)
{
   uint32_t words[20000];
   size_t n = make_stream(words, 10);
   bool complete;
   struct sim_capture_writer *w = new_writer();
   assert_true(sim_capture_commands(w, words, n));
   fflush(stdout);
   pid_t pid = fork();
   if (pid == 0) {
      bool ok = sim_capture_commands(w, words, n) && sim_capture_flush(w);
      assert_true(sim_capture_flush(w));
      _exit(!(sim_capture_close(w) && ok));
   }
   int status;
   assert_int_equal(waitpid(pid, &status, 0), pid);
   assert_int_equal(status, 0);
   assert_int_equal(check_file(words, n, &complete), 0);
   assert_true(sim_capture_close(w));
   assert_int_equal(check_file(words, n, &complete), 1);
   assert_true(complete);
}

/* A place is one that sim_capture_tell gave: not in the header or the dictionary, not behind the
 * end. */
static void
test_seek_takes_places_of_records(void **state)
{
   uint32_t words[2000];
   char error[300];
   struct sim_capture_record record;
   const size_t n = make_stream(words, 5);
   struct sim_capture_writer *w = new_writer();
   assert_true(sim_capture_commands(w, words, n));
   assert_true(sim_capture_close(w));
   struct sim_capture_reader *r = sim_capture_open(path, error, sizeof(error));
   assert_non_null(r);
   const uint64_t first = sim_capture_tell(r);
   assert_false(sim_capture_seek(r, 0));
   assert_false(sim_capture_seek(r, first - 1));
   assert_int_equal(sim_capture_tell(r), first);
   assert_int_equal(sim_capture_next(r, &record, error, sizeof(error)), SIM_CAPTURE_RECORD);
   const uint64_t end = sim_capture_tell(r);
   assert_false(sim_capture_seek(r, end + 1));
   assert_true(sim_capture_seek(r, first));
   assert_int_equal(sim_capture_next(r, &record, error, sizeof(error)), SIM_CAPTURE_RECORD);
   assert_int_equal(sim_capture_tell(r), end);
   sim_capture_reader_close(r);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_capture_reads_back_what_was_written),
       cmocka_unit_test(test_commands_longer_than_a_chunk_read_back),
       cmocka_unit_test(test_truncated_capture_keeps_whole_records),
       cmocka_unit_test(test_flipped_bits_are_detected),
       cmocka_unit_test(test_partial_command_is_refused),
       cmocka_unit_test(test_flushed_file_is_readable),
       cmocka_unit_test(test_two_writers_of_one_name_get_a_file_each),
       cmocka_unit_test(test_full_disk_leaves_whole_chunks),
       cmocka_unit_test(test_child_writes_nothing_to_its_parents_file),
       cmocka_unit_test(test_seek_takes_places_of_records),
   };
   return cmocka_run_group_tests(tests, make_path, remove_path);
}
