/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim reprogram: copies a capture with other shader programs. The GPU of the copy has more
 * memory, to hold them. Not here: the text of programs (hw/isa/isa_parse.c), the state after
 * commands (cli_state.c). */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "cli/cli_stream.h"
#include "core/sim_range.h"
#include "hw/isa/attila_isa.h"

#define MiB (1u << 20)
#define MAX_MEMORY (2048u * MiB) /* limit of MEMORYCONTROLLER.MemorySize */
#define ALIGNMENT 64u            /* of a program (attila_cmd_program) */

struct replacement {
   const char *path;
   unsigned number; /* number of the replaced program */
   struct attila_isa_program program;
   uint32_t *write; /* WRITE_BUFFER with the binary form; NULL: it is in memory already */
   size_t words;
   uint32_t address, size; /* place of the binary form */
   bool used;
};

struct reprogram {
   const struct cli_options *options;
   const char *source, *target;
   struct replacement *list;
   unsigned count;
   struct cli_stream stream;
   struct cli_state state;
   struct sim_capture_writer *writer;
};

static int
cli_reprogram_bad_file(const char *path, const char *why)
{
   fprintf(stderr, "attila-sim: %s: %s\n", path, why);
   return CLI_FILE;
}

static char *
cli_reprogram_read_text(const char *path)
{
   struct stat st;
   FILE *f = fopen(path, "r");
   char *text = NULL;
   /* The limit is far above what the longest program needs. */
   if (f && !fstat(fileno(f), &st) && S_ISREG(st.st_mode) && st.st_size < 16 * (off_t)MiB)
      text = malloc((size_t)st.st_size + 1);
   if (text)
      text[fread(text, 1, (size_t)st.st_size, f)] = '\0';
   if (f)
      fclose(f);
   return text;
}

/* Reads a program and makes the command that writes it to *address; advances *address. */
static int
cli_reprogram_load_text(struct replacement *r, uint64_t *address)
{
   char error[300];
   char *text = cli_reprogram_read_text(r->path);
   if (!text)
      return cli_reprogram_bad_file(r->path, "cannot be read");
   const bool ok = attila_isa_assemble(text, &r->program, error, sizeof(error));
   free(text);
   if (!ok)
      return cli_reprogram_bad_file(r->path, error);
   const size_t size = attila_isa_encoded_size(&r->program);
   r->words = 3 + (size + 3) / 4;
   r->write = calloc(r->words, sizeof(*r->write));
   if (!r->write)
      return cli_reprogram_bad_file(r->path, "out of host memory");
   r->address = (uint32_t)*address;
   r->size = (uint32_t)size;
   r->write[0] = ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, r->words - 1);
   r->write[1] = r->address;
   r->write[2] = r->size | ATTILA_BUFFER_NO_WAIT;
   attila_isa_encode(&r->program, r->write + 3);
   *address += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
   return CLI_OK;
}

/* Returns why a program cannot replace another with the state that the driver has set, or NULL if
 * it can. */
static const char *
cli_reprogram_misfit(const struct attila_isa_program *old, const struct attila_isa_program *new)
{
   if (old->stage != new->stage)
      return "is of another stage";
   if (new->inputs_read & ~old->inputs_read)
      return "reads inputs that the one before does not";
   if (new->outputs_written != old->outputs_written)
      return "writes other outputs than the one before";
   if (new->tex_units & ~old->tex_units)
      return "samples textures that the one before does not";
   if (new->uses_kill != old->uses_kill)
      return old->uses_kill ? "has no KIL, as the one before" : "has a KIL, unlike the one before";
   return NULL;
}

static bool
cli_reprogram_fits(const struct reprogram *w, const struct replacement *r,
                   const struct attila_cmd_program *p)
{
   char error[300];
   struct attila_isa_program old;
   if (!attila_isa_decode(w->state.memory + p->address, p->size, &old, error, sizeof(error))) {
      fprintf(stderr, "attila-sim: %s: program %u: %s\n", w->source, r->number, error);
      return false;
   }
   const char *why = cli_reprogram_misfit(&old, &r->program);
   attila_isa_free(&old);
   if (why)
      fprintf(stderr, "attila-sim: %s: in place of program %u it %s\n", r->path, r->number, why);
   return !why;
}

static bool
cli_reprogram_write_load(struct reprogram *w, struct replacement *r, const struct cli_command *c)
{
   const struct attila_cmd_program *p = (const struct attila_cmd_program *)c->payload;
   if (!r->used && !cli_reprogram_fits(w, r, p))
      return false;
   if (!r->used && !sim_capture_commands(w->writer, r->write, r->words))
      return false;
   r->used = true;
   const uint32_t load[] = {ATTILA_CMD_HEADER(ATTILA_CMD_LOAD_PROGRAM, 3), p->stage, r->address,
                            r->size};
   return sim_capture_commands(w->writer, load, 4);
}

static bool
cli_reprogram_copy_command(struct reprogram *w, const struct cli_command *c)
{
   if (c->wait)
      return sim_capture_wait(w->writer, c->fence);
   cli_state_command(&w->state, c);
   if (c->op == ATTILA_CMD_LOAD_PROGRAM && c->payload[0] < ATTILA_NUM_STAGES) {
      const unsigned number = cli_state_context(&w->state)->program[c->payload[0]];
      for (unsigned i = 0; i < w->count; i++) {
         if (w->list[i].number == number)
            return cli_reprogram_write_load(w, &w->list[i], c);
      }
   }
   return sim_capture_commands(w->writer, c->payload - 1, 1 + (size_t)c->words);
}

static int
cli_reprogram_copy(struct reprogram *w)
{
   struct cli_command c;
   char error[1024];
   bool ok = true;
   while (ok && cli_stream_next(&w->stream, &c))
      ok = cli_reprogram_copy_command(w, &c);
   if (sim_capture_error(w->writer, error, sizeof(error)))
      return cli_reprogram_bad_file(w->target, error);
   if (!ok)
      return CLI_FILE;
   for (unsigned i = 0; i < w->count && w->stream.status == CLI_OK; i++) {
      if (!w->list[i].used) {
         fprintf(stderr, "attila-sim: %s has no program %u; it has %u\n", w->source,
                 w->list[i].number, w->state.num_programs);
         return CLI_FILE;
      }
   }
   return w->stream.status;
}

static int
cli_reprogram_reprogram(struct reprogram *w)
{
   char error[1024];
   int status = CLI_OK;
   if (cli_same_file(w->source, w->target))
      return cli_complain(w->options, "\"%s\" is the capture itself", w->target);
   if (!cli_stream_open(&w->stream, w->source))
      return CLI_FILE;
   uint64_t end = w->stream.memory_size;
   for (unsigned i = 0; i < w->count && status == CLI_OK; i++)
      status = cli_reprogram_load_text(&w->list[i], &end);
   end = (end + MiB - 1) / MiB * MiB;
   if (status == CLI_OK && end > MAX_MEMORY)
      status = cli_reprogram_bad_file(w->source, "its GPU has no room for more memory");
   if (status != CLI_OK || !cli_state_init(&w->state, w->stream.memory_size))
      return CLI_FILE;
   w->writer = sim_capture_create(w->target, (uint32_t)end, error, sizeof(error));
   if (!w->writer) {
      fprintf(stderr, "attila-sim: %s\n", error);
      return CLI_FILE;
   }
   status = cli_reprogram_copy(w);
   if (!sim_capture_close(w->writer) && status == CLI_OK)
      status = cli_reprogram_bad_file(w->target, "cannot be written");
   /* Leave no incomplete copy. */
   if (status != CLI_OK)
      remove(w->target);
   return status;
}

static bool
cli_reprogram_add(struct reprogram *w, const char *argument)
{
   const char *end = argument;
   struct replacement *r = &w->list[w->count];
   uint32_t number;
   if (!sim_range_number(&end, &number) || *end != '=' || !end[1] || !number)
      return false;
   for (unsigned i = 0; i < w->count; i++) {
      if (w->list[i].number == number)
         return false;
   }
   *r = (struct replacement){.path = end + 1, .number = number};
   w->count++;
   return true;
}

static int
cli_reprogram_arguments(struct reprogram *w, char **args)
{
   for (char **a = args + 1; *a; a++) {
      if (!cli_reprogram_add(w, *a))
         return cli_complain(w->options,
                             "\"%s\" is not N=TEXT with a program that no other TEXT replaces", *a);
   }
   return w->target ? CLI_OK : cli_complain(w->options, "--out FILE is missing");
}

int
cli_reprogram(struct cli_options *o, char **args)
{
   struct reprogram w = {.options = o,
                         .source = args[0],
                         .target = o->file,
                         .list = calloc(o->num_args, sizeof(*w.list))};
   if (!w.list)
      return cli_reprogram_bad_file("reprogram", "out of host memory");
   int status = cli_reprogram_arguments(&w, args);
   if (status == CLI_OK) {
      status = cli_reprogram_reprogram(&w);
      cli_state_fini(&w.state);
      cli_stream_close(&w.stream);
   }
   for (unsigned i = 0; i < w.count; i++) {
      attila_isa_free(&w.list[i].program);
      free(w.list[i].write);
   }
   free(w.list);
   return status;
}
