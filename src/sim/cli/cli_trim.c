/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim trim: makes a capture of some frames of another, or of some draws of a frame. The new
 * capture begins with a frame that restores what the wanted commands find: state, and the pages of
 * memory that they access. The commands follow. The frame before wanted frames is taken, too, and
 * ends frame 0: caches and block states (decode/sim_blocks.h) are then as it left them. Not here:
 * the commands of the state (decode/sim_frontend_commands.c), which pages are accessed
 * (cli_trim_pages.c). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli_stream.h"
#include "cli/cli_trim.h"
#include "core/sim_xalloc.h"

#define MAX_CHUNK (1u << 20) /* bytes of memory in a command */

/* A value in memory that a wanted WRITE_COUNTER wrote, or an earlier value that a wanted CONDITION
 * compares with such a one. */
struct counter {
   uint32_t address;
   uint64_t before; /* the running counter when the wanted commands begin */
};

struct counters {
   struct counter *item;
   size_t num, max;
};

struct trim {
   const struct cli_options *o;
   const char *source, *target;
   struct attila_sim *sim;
   struct cli_stream stream;
   const uint32_t *from; /* commands that wait for execution, in the stream's record */
   size_t num;
   bool begun;          /* the wanted commands are reached */
   uint64_t first, end; /* numbers of the first wanted command and of the one after the last */
   uint32_t frames;     /* frames of the capture, as far as it is read */
   uint32_t draws;      /* executed in the frame of --draws, numbered as in draws.csv */
   /* The state when the wanted commands begin. */
   uint32_t *setup; /* commands of the state */
   size_t num_setup, max_setup;
   uint32_t scratch; /* bytes at the beginning of memory that setup overwrites */
   uint64_t fence;
   uint64_t (*running)[ATTILA_NUM_COUNTERS]; /* of each context */
   struct cli_trim_pages pages;
   /* While the wanted commands are read. */
   uint32_t context;
   struct counters written, compared;
   struct sim_capture_writer *writer;
};

/* --- Which commands are wanted --- */

/* Returns whether frame 0 ends with the frame before the wanted ones. */
static bool
cli_trim_warms(const struct trim *t)
{
   return t->o->frames.first > 0 && !t->o->some_draws.given;
}

static bool
cli_trim_is_first(const struct trim *t, const struct cli_command *c)
{
   const struct cli_options *o = t->o;
   const uint32_t first = o->frames.first - cli_trim_warms(t);
   return c->frame > first ||
          (c->frame == first && (!o->some_draws.given || t->draws >= o->some_draws.first));
}

/* Returns whether the command follows all that are wanted. */
static bool
cli_trim_is_past(const struct trim *t, const struct cli_command *c)
{
   const struct cli_options *o = t->o;
   return c->frame > o->frames.last || (o->some_draws.given && t->draws > o->some_draws.last);
}

/* --- Executing --- */

static bool
cli_trim_execute(struct trim *t)
{
   const bool ok = !t->num || attila_session_execute(t->sim, t->from, t->num);
   t->num = 0;
   if (!ok) {
      fprintf(stderr, "attila-sim: frame %u: %s\n", t->stream.frame, attila_sim_error(t->sim));
      t->stream.status = CLI_STOPPED;
   }
   return ok;
}

static void
cli_trim_touch(struct trim *t, uint32_t address, uint32_t pitch_tiles, uint32_t width,
               uint32_t height, uint32_t samples, uint32_t format)
{
   if (format < ATTILA_NUM_FORMATS)
      cli_trim_pages_touch(
          &t->pages, address,
          attila_surface_bytes(pitch_tiles, width, height, samples, attila_formats[format].bytes));
}

/* Marks the render targets as accessed, as a whole. When only some draws of a frame are wanted, no
 * swap marks them. */
static void
cli_trim_touch_targets(struct trim *t)
{
   const struct attila_regs *r = sim_frontend_regs(attila_session_device(t->sim)->frontend);
   const uint32_t samples = r->fb_samples > 1 ? r->fb_samples : 1;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++)
      cli_trim_touch(t, r->color[i].address, r->color[i].pitch_tiles, r->fb_width, r->fb_height,
                     samples, r->color[i].format);
   cli_trim_touch(t, r->zs_address, r->zs_pitch_tiles, r->fb_width, r->fb_height, samples,
                  r->zs_format);
}

/* Takes a command for execution. The commands taken are executed at the end of a record or of a
 * frame. */
static bool
cli_trim_take(struct trim *t, const struct cli_command *c)
{
   if (c->wait)
      return true;
   if (!t->num)
      t->from = c->payload - 1;
   t->num += 1 + (size_t)c->words;
   const bool ends = c->op == ATTILA_CMD_SWAP || c->op == ATTILA_CMD_END_FRAME;
   const bool counted = t->o->some_draws.given && c->frame == t->o->frames.first;
   if (!ends && !counted && t->stream.at < t->stream.record.num_words)
      return true;
   if (!cli_trim_execute(t))
      return false;
   if (counted && !ends)
      t->draws = attila_session_device(t->sim)->observed.draws;
   if (t->begun && counted && c->op == ATTILA_CMD_DRAW)
      cli_trim_touch_targets(t);
   /* Functional mode does not scan out, so the shown surface is marked here, with the parts in
    * which nothing was drawn. */
   if (t->begun && c->op == ATTILA_CMD_SWAP) {
      const struct attila_cmd_swap swap = attila_cmd_swap_of(c->payload);
      cli_trim_touch(t, swap.address, swap.pitch_tiles, swap.width, swap.height, swap.samples,
                     swap.format);
   }
   return true;
}

static void
cli_trim_keep_setup(void *data, const uint32_t *words, size_t num)
{
   struct trim *t = data;
   if (t->num_setup + num > t->max_setup) {
      t->max_setup = 2 * (t->num_setup + num);
      t->setup = sim_xrealloc(t->setup, t->max_setup * sizeof(*t->setup));
   }
   memcpy(t->setup + t->num_setup, words, num * sizeof(*words));
   t->num_setup += num;
}

/* Keeps the state that the wanted commands find. */
static bool
cli_trim_begin(struct trim *t)
{
   const struct sim_device *d = attila_session_device(t->sim);
   t->begun = true;
   t->fence = d->fence;
   t->context = sim_frontend_context(d->frontend);
   t->scratch = sim_frontend_commands(d->frontend, cli_trim_keep_setup, t);
   t->running = sim_xcalloc(ATTILA_MAX_CONTEXTS, sizeof(*t->running));
   for (uint32_t i = 0; i < ATTILA_MAX_CONTEXTS; i++) {
      const uint64_t *running = sim_frontend_context_counters(d->frontend, i);
      if (running)
         memcpy(t->running[i], running, sizeof(*t->running));
   }
   return cli_trim_pages_begin(&t->pages, attila_session_machine(t->sim), d->memory,
                               d->memory_size);
}

/* --- Counters that begin before the wanted commands --- */

static struct counter *
cli_trim_find(const struct counters *c, uint32_t address)
{
   for (size_t i = 0; i < c->num; i++) {
      if (c->item[i].address == address)
         return &c->item[i];
   }
   return NULL;
}

static void
cli_trim_add(struct counters *c, uint32_t address, uint64_t before)
{
   struct counter *found = cli_trim_find(c, address);
   if (!found) {
      if (c->num == c->max) {
         c->max = 2 * c->max + 16;
         c->item = sim_xrealloc(c->item, c->max * sizeof(*c->item));
      }
      found = &c->item[c->num++];
   }
   *found = (struct counter){address, before};
}

/* In the new capture running counters begin at 0. A difference to an earlier value stays the same
 * if that value is lowered by what the counter was when the wanted commands began. */
static void
cli_trim_note(struct trim *t, const struct cli_command *c)
{
   char error[256];
   uint32_t words;
   if (c->wait ||
       !sim_check_header(c->payload - 1, 1 + (size_t)c->words, &words, error, sizeof(error)))
      return; /* the error is reported when it executes */
   if (c->op == ATTILA_CMD_CONTEXT)
      t->context = (c->payload[0] & ~ATTILA_CONTEXT_RESET) % ATTILA_MAX_CONTEXTS;
   if (c->op == ATTILA_CMD_WRITE_COUNTER && c->payload[0] < ATTILA_NUM_COUNTERS &&
       !cli_trim_find(&t->written, c->payload[1]))
      cli_trim_add(&t->written, c->payload[1], t->running[t->context][c->payload[0]]);
   if (c->op != ATTILA_CMD_CONDITION)
      return;
   const struct attila_cmd_condition *condition = (const struct attila_cmd_condition *)c->payload;
   for (uint32_t i = 0; i < condition->count && i < ATTILA_MAX_CONDITION_PAIRS; i++) {
      const uint32_t begin = condition->address + i * 16;
      const struct counter *end = cli_trim_find(&t->written, begin + 8);
      if (end && end->before && !cli_trim_find(&t->written, begin))
         cli_trim_add(&t->compared, begin, end->before);
   }
}

/* --- The first reading: executes up to the last wanted command --- */

static int
cli_trim_replay(struct trim *t)
{
   const struct cli_options *o = t->o;
   struct cli_command c;
   while (cli_stream_next(&t->stream, &c)) {
      t->frames = t->stream.frame + (t->stream.draw > 0);
      if (!c.wait && cli_trim_is_past(t, &c)) {
         t->end = c.number;
         break;
      }
      if (!c.wait && !t->begun && cli_trim_is_first(t, &c)) {
         t->first = c.number;
         if (!cli_trim_execute(t) || !cli_trim_begin(t))
            return t->stream.status ? t->stream.status : CLI_FILE;
      }
      if (t->begun)
         cli_trim_note(t, &c);
      if (!cli_trim_take(t, &c))
         return t->stream.status;
   }
   if (t->stream.status == CLI_OK)
      cli_trim_execute(t);
   cli_trim_pages_end(&t->pages);
   if (t->stream.status != CLI_OK)
      return t->stream.status;
   if (t->frames <= o->frames.first ||
       (t->frames <= o->frames.last && o->frames.last != UINT32_MAX))
      return cli_fail("%s has %u frames, from 0: there is no frame %u", t->source, t->frames,
                      t->frames <= o->frames.first ? o->frames.first : o->frames.last);
   if (o->some_draws.given &&
       (t->draws <= o->some_draws.first ||
        (t->draws <= o->some_draws.last && o->some_draws.last != UINT32_MAX)))
      return cli_fail("frame %u of %s has %u draws, from 0: there is no draw %u", o->frames.first,
                      t->source, t->draws,
                      t->draws <= o->some_draws.first ? o->some_draws.first : o->some_draws.last);
   return CLI_OK;
}

/* --- Writing --- */

static void
cli_trim_put(struct trim *t, enum attila_opcode op, const uint32_t *payload, size_t words)
{
   uint32_t command[8] = {ATTILA_CMD_HEADER(op, words)};
   memcpy(command + 1, payload, words * sizeof(*payload));
   sim_capture_commands(t->writer, command, words + 1);
}

static void
cli_trim_write_memory(struct trim *t)
{
   uint32_t *command = sim_xmalloc(3 * sizeof(*command) + MAX_CHUNK);
   uint32_t address = 0, size;
   while (cli_trim_pages_next(&t->pages, &address, &size, MAX_CHUNK)) {
      command[0] = ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 2 + size / 4);
      command[1] = address;
      command[2] = size;
      memcpy(command + 3, t->pages.memory_before + address, size);
      sim_capture_commands(t->writer, command, 3 + size / 4);
      address += size;
   }
   free(command);
}

/* Writes the frame that restores all that the wanted commands find, or its beginning. */
static void
cli_trim_write_setup(struct trim *t)
{
   const uint32_t fence[] = {(uint32_t)t->fence, (uint32_t)(t->fence >> 32)};
   for (size_t i = 0; i < t->compared.num; i++) {
      uint64_t value;
      uint8_t *at = t->pages.memory_before + t->compared.item[i].address;
      memcpy(&value, at, sizeof(value));
      value -= t->compared.item[i].before;
      memcpy(at, &value, sizeof(value));
   }
   cli_trim_pages_want(&t->pages, 0, t->scratch);
   sim_capture_commands(t->writer, t->setup, t->num_setup);
   cli_trim_write_memory(t);
   cli_trim_put(t, ATTILA_CMD_FENCE, fence, 2);
   if (!cli_trim_warms(t))
      cli_trim_put(t, ATTILA_CMD_END_FRAME, NULL, 0);
}

/* Notes of programs that were loaded before the wanted commands. A program has its note only where
 * it is loaded first. */
struct notes {
   uint32_t **load; /* commands */
   size_t num;
};

static uint32_t **
cli_trim_find_note(const struct notes *n, const uint32_t *payload)
{
   for (size_t i = 0; i < n->num; i++) {
      if (!memcmp(n->load[i] + 1, payload, sizeof(struct attila_cmd_program)))
         return &n->load[i];
   }
   return NULL;
}

static void
cli_trim_keep_note(struct notes *n, const struct cli_command *c)
{
   uint32_t **found = cli_trim_find_note(n, c->payload);
   const size_t bytes = (1 + (size_t)c->words) * sizeof(uint32_t);
   if (!found) {
      n->load = sim_xrealloc(n->load, (n->num + 1) * sizeof(*n->load));
      found = &n->load[n->num++];
      *found = NULL;
   }
   free(*found);
   *found = memcpy(sim_xmalloc(bytes), c->payload - 1, bytes);
}

/* Copies a wanted command; the first load of a program gets its note. */
static bool
cli_trim_copy_command(struct trim *t, struct notes *n, const struct cli_command *c)
{
   const uint32_t *command = c->payload - 1;
   uint32_t **note = c->op == ATTILA_CMD_LOAD_PROGRAM && c->words >= ATTILA_LOAD_PROGRAM_WORDS
                         ? cli_trim_find_note(n, c->payload)
                         : NULL;
   if (note && c->words == ATTILA_LOAD_PROGRAM_WORDS)
      command = *note;
   const bool ok =
       sim_capture_commands(t->writer, command, 1 + (size_t)ATTILA_CMD_WORDS(command[0]));
   if (note) {
      free(*note);
      *note = n->load[--n->num];
   }
   return ok;
}

/* The second reading: copies the wanted commands. */
static int
cli_trim_copy(struct trim *t)
{
   struct notes notes = {0};
   struct cli_stream s;
   struct cli_command c;
   bool ok = cli_stream_open(&s, t->source), wanted = false;
   while (ok && cli_stream_next(&s, &c)) {
      if (!c.wait && c.number >= t->end)
         break;
      wanted |= !c.wait && c.number >= t->first;
      if (wanted)
         ok = c.wait ? sim_capture_wait(t->writer, c.fence) : cli_trim_copy_command(t, &notes, &c);
      else if (!c.wait && c.op == ATTILA_CMD_LOAD_PROGRAM && c.words > ATTILA_LOAD_PROGRAM_WORDS)
         cli_trim_keep_note(&notes, &c);
   }
   while (notes.num)
      free(notes.load[--notes.num]);
   free(notes.load);
   if (t->o->some_draws.given)
      cli_trim_put(t, ATTILA_CMD_END_FRAME, NULL, 0);
   cli_stream_close(&s);
   return s.status;
}

static int
cli_trim_write(struct trim *t)
{
   char error[1024];
   t->writer = sim_capture_create(t->target, t->stream.memory_size, error, sizeof(error));
   if (!t->writer)
      return cli_fail("%s", error);
   cli_trim_write_setup(t);
   int status = cli_trim_copy(t);
   sim_capture_flush(t->writer);
   const bool failed = sim_capture_error(t->writer, error, sizeof(error));
   if (!sim_capture_close(t->writer) && status == CLI_OK)
      status = cli_fail("%s: %s", t->target, failed ? error : "cannot be written");
   /* Leave no incomplete copy. */
   if (status != CLI_OK)
      remove(t->target);
   return status;
}

static void
cli_trim_print(const struct trim *t)
{
   const struct cli_options *o = t->o;
   const uint32_t last = o->frames.last < t->frames ? o->frames.last : t->frames - 1;
   printf("%s: frame 0 sets up %.1f MiB of memory", t->target,
          (double)cli_trim_pages_bytes(&t->pages) / 1048576);
   if (cli_trim_warms(t))
      printf(" and draws frame %u", o->frames.first - 1);
   printf("; ");
   if (o->some_draws.given)
      printf("frame 1 has draws %u to %u of frame %u", o->some_draws.first, t->draws - 1, last);
   else if (last == o->frames.first)
      printf("frame 1 is frame %u", last);
   else
      printf("frames 1 to %u are frames %u to %u", last - o->frames.first + 1, o->frames.first,
             last);
   printf(" of %s\n", t->source);
}

static int
cli_trim_check(const struct trim *t)
{
   const struct cli_options *o = t->o;
   if (!o->frames.given)
      return cli_complain(o, "--frames A-B is missing");
   if (o->some_draws.given && o->frames.first != o->frames.last)
      return cli_complain(o, "--draws is of one frame, and --frames names several");
   if (cli_same_file(t->source, t->target))
      return cli_complain(o, "\"%s\" is the capture itself", t->target);
   return CLI_OK;
}

int
cli_trim(struct cli_options *o, char **args)
{
   struct cli_options functional = *o;
   functional.sim.mode = ATTILA_MODE_FUNCTIONAL;
   struct trim t = {.o = o, .source = args[0], .target = args[1], .end = UINT64_MAX};
   int status = cli_trim_check(&t);
   if (status != CLI_OK)
      return status;
   if (!cli_stream_open(&t.stream, t.source))
      return CLI_FILE;
   t.sim = cli_make_sim(&functional, t.stream.reader);
   status = t.sim ? cli_trim_replay(&t) : CLI_FILE;
   if (status == CLI_OK)
      status = cli_trim_write(&t);
   if (status == CLI_OK)
      cli_trim_print(&t);
   cli_trim_pages_fini(&t.pages);
   attila_sim_destroy(t.sim);
   cli_stream_close(&t.stream);
   free(t.setup);
   free(t.running);
   free(t.written.item);
   free(t.compared.item);
   return status;
}
