/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Runs a fuzzing target without libFuzzer: replays files, or makes inputs. Input number N of seed S
 * is always the same: one of the target's own, changed a few times. A child process runs them, and
 * its parent has the input it died of. Knows nothing of coverage; scripts/fuzz --libfuzzer does. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "fuzz.h"

#define MAX_CHANGES 6

/* What the child does now; the parent sees it. */
struct shared {
   uint64_t run, done;
   size_t size;
   uint8_t data[FUZZ_MAX_SIZE];
};

struct options {
   uint64_t seed, runs, first;
   unsigned seconds, limit;
   const char *save, *corpus;
};

static struct fuzz_random bytes; /* of LLVMFuzzerMutate */

size_t
LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
   return fuzz_mutate_bytes(&bytes, data, size, max_size);
}

static void
help(const char *name)
{
   printf("Usage: %s [options] [FILE ...]\n\n"
          "Runs the target on each FILE, or on inputs that it makes.\n\n"
          "  --seed N      other inputs (default 1)\n"
          "  --runs N      so many (default: no end)\n"
          "  --seconds N   for so long (default: no end)\n"
          "  --first N     begin with this run (default 0)\n"
          "  --limit N     seconds that one input may take (default 60)\n"
          "  --save FILE   where the input that fails goes (default fuzz-failure)\n"
          "  --corpus DIR  write the inputs that all begin with there, and end\n"
          "  -h, --help    this text\n\n"
          "Exit: 0 nothing failed, 1 something did, 2 wrong use.\n",
          name);
}

static uint64_t
number(const char *option, const char *text, uint64_t max)
{
   char *end;
   errno = 0;
   unsigned long long n = strtoull(text, &end, 10);
   if (text[0] < '0' || text[0] > '9' || *end || errno || n > max) {
      fprintf(stderr, "fuzz: error: --%s %s: expected a number from 0 to %llu\n", option, text,
              (unsigned long long)max);
      exit(2);
   }
   return n;
}

static struct options
read_options(int argc, char **argv)
{
   static const struct option list[] = {
       {"seed", 1, 0, 's'},   {"runs", 1, 0, 'r'},  {"seconds", 1, 0, 't'},
       {"first", 1, 0, 'f'},  {"limit", 1, 0, 'l'}, {"save", 1, 0, 'o'},
       {"corpus", 1, 0, 'c'}, {"help", 0, 0, 'h'},  {NULL, 0, NULL, 0}};
   struct options o = {.seed = 1, .runs = UINT64_MAX, .limit = 60, .save = "fuzz-failure"};
   int c, index = 0;
   while ((c = getopt_long(argc, argv, "h", list, &index)) != -1) {
      switch (c) {
      case 's':
         o.seed = number("seed", optarg, UINT64_MAX);
         break;
      case 'r':
         o.runs = number("runs", optarg, UINT64_MAX);
         break;
      case 't':
         o.seconds = (unsigned)number("seconds", optarg, 1000000);
         break;
      case 'f':
         o.first = number("first", optarg, UINT64_MAX);
         break;
      case 'l':
         o.limit = (unsigned)number("limit", optarg, 1000000);
         break;
      case 'o':
         o.save = optarg;
         break;
      case 'c':
         o.corpus = optarg;
         break;
      case 'h':
         help(argv[0]);
         exit(0);
      default:
         exit(2);
      }
   }
   return o;
}

static bool
write_file(const char *path, const uint8_t *data, size_t size)
{
   FILE *f = fopen(path, "wb");
   bool ok = f && fwrite(data, 1, size, f) == size;
   if (f && fclose(f))
      ok = false;
   if (!ok)
      fprintf(stderr, "fuzz: error: %s: %s\n", path, strerror(errno));
   return ok;
}

static int
write_corpus(const char *dir)
{
   static uint8_t data[FUZZ_MAX_SIZE];
   for (unsigned i = 0; i < fuzz_num_inputs; i++) {
      char path[4096];
      snprintf(path, sizeof(path), "%s/input-%03u", dir, i);
      if (!write_file(path, data, fuzz_input(i, data)))
         return 2;
   }
   printf("%u inputs in %s\n", fuzz_num_inputs, dir);
   return 0;
}

/* Input number run. The first ones are the target's own as they are. */
static size_t
make_input(uint64_t seed, uint64_t run, uint8_t data[FUZZ_MAX_SIZE])
{
   struct fuzz_random r = {.state = seed * 0xd1342543de82ef95ull ^ run * 0xaf251af3b0f025b5ull};
   if (run < fuzz_num_inputs)
      return fuzz_input((unsigned)run, data);
   size_t size = fuzz_input(fuzz_random(&r, fuzz_num_inputs), data);
   for (unsigned n = 1 + fuzz_random(&r, 1 + fuzz_random(&r, MAX_CHANGES)); n; n--) {
      unsigned change = fuzz_random(&r, UINT32_MAX);
      bytes.state = fuzz_random(&r, UINT32_MAX);
      size = LLVMFuzzerCustomMutator(data, size, FUZZ_MAX_SIZE, change);
   }
   return size;
}

/* An exact copy on the heap: a sanitizer sees an access past the end. */
static void
run_copy(const uint8_t *data, size_t size)
{
   uint8_t *copy = malloc(size ? size : 1);
   if (!copy)
      abort();
   memcpy(copy, data, size);
   LLVMFuzzerTestOneInput(copy, size);
   free(copy);
}

/* The child: runs to the end, or dies. said: what is printed about the input that runs. */
static void
run_all(const struct options *o, struct shared *s, int said)
{
   time_t end = time(NULL) + o->seconds;
   signal(SIGALRM, SIG_DFL);
   for (s->run = o->first; s->done < o->runs; s->run++, s->done++) {
      if (o->seconds && time(NULL) >= end)
         break;
      s->size = make_input(o->seed, s->run, s->data);
      if (ftruncate(said, 0))
         abort();
      alarm(o->limit);
      run_copy(s->data, s->size);
   }
   alarm(0);
   fflush(NULL);
   _exit(0);
}

static void
print_said(int said)
{
   char text[4096];
   ssize_t n;
   lseek(said, 0, SEEK_SET);
   while ((n = read(said, text, sizeof(text))) > 0)
      fwrite(text, 1, (size_t)n, stderr);
}

static void
report(const struct options *o, const struct shared *s, const char *name, int status)
{
   char how[64];
   if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
      snprintf(how, sizeof(how), "it took more than %u s", o->limit);
   else if (WIFSIGNALED(status))
      snprintf(how, sizeof(how), "signal %d", WTERMSIG(status));
   else
      snprintf(how, sizeof(how), "exit status %d", WEXITSTATUS(status));
   fprintf(stderr, "fuzz: FAILED in run %llu of seed %llu: %s\n", (unsigned long long)s->run,
           (unsigned long long)o->seed, how);
   fprintf(stderr, "fuzz: again: %s --seed %llu --first %llu --runs 1\n", name,
           (unsigned long long)o->seed, (unsigned long long)s->run);
   if (write_file(o->save, s->data, s->size))
      fprintf(stderr, "fuzz: or, with the input that was saved: %s %s\n", name, o->save);
}

static int
fuzz(const struct options *o, const char *name)
{
   struct shared *s =
       mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   int said = memfd_create("said", 0), status;
   if (s == MAP_FAILED || said < 0) {
      perror("fuzz");
      return 2;
   }
   fflush(NULL);
   pid_t child = fork();
   if (!child) {
      /* O_APPEND: what is printed goes to the end, also after it was emptied. */
      char path[64];
      snprintf(path, sizeof(path), "/proc/self/fd/%d", said);
      FILE *f = freopen(path, "a", stderr);
      if (!f)
         _exit(2);
      setvbuf(stderr, NULL, _IONBF, 0);
      dup2(fileno(stderr), STDERR_FILENO);
      run_all(o, s, said);
   }
   if (child < 0 || waitpid(child, &status, 0) != child) {
      perror("fuzz");
      return 2;
   }
   if (status) {
      print_said(said);
      report(o, s, name, status);
      return 1;
   }
   printf("%llu runs of seed %llu: nothing failed\n", (unsigned long long)s->done,
          (unsigned long long)o->seed);
   return 0;
}

static int
replay(const char *path)
{
   static uint8_t data[FUZZ_MAX_SIZE];
   FILE *f = fopen(path, "rb");
   size_t size = f ? fread(data, 1, sizeof(data), f) : 0;
   if (!f || ferror(f)) {
      fprintf(stderr, "fuzz: error: %s: %s\n", path, strerror(errno));
      return 2;
   }
   bool more = size == sizeof(data) && fgetc(f) != EOF;
   fclose(f);
   if (more) {
      fprintf(stderr, "fuzz: error: %s: larger than %d bytes\n", path, FUZZ_MAX_SIZE);
      return 2;
   }
   run_copy(data, size);
   printf("%s: nothing failed\n", path);
   return 0;
}

int
main(int argc, char **argv)
{
   struct options o = read_options(argc, argv);
   if (o.corpus)
      return write_corpus(o.corpus);
   if (optind == argc)
      return fuzz(&o, argv[0]);
   for (int i = optind; i < argc; i++) {
      int status = replay(argv[i]);
      if (status)
         return status;
   }
   return 0;
}
