/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim experiment: copies a capture in which draws are left out or do less; the difference in
 * cycles shows what their work cost. Registers are changed where the capture writes them, so that
 * the copy has as many commands. Where changed draws follow unchanged ones, or the reverse, it has
 * additional writes of registers. Not here: other programs (cli_reprogram.c), ideal units
 * (config/sim_ideal.h). */
#include <stdlib.h>
#include <string.h>
#include "cli/cli_stream.h"
#include "core/sim_file.h"
#include "core/sim_xalloc.h"

struct experiment {
   const struct cli_options *o;
   const char *source, *target;
   bool skip, scissor, textures, blend; /* what --what lists */
   struct cli_stream stream;
   struct cli_state state;
   struct attila_regs *written; /* [context]: what the registers of the copy hold */
   bool changing;               /* the copy now writes registers for changed draws */
   uint64_t changed;            /* draws */
   struct sim_capture_writer *writer;
};

static bool
cli_experiment_has(const char *list, const char *word)
{
   const size_t n = strlen(word);
   for (const char *p = list; *p; p += *p == ',') {
      const size_t length = strcspn(p, ",");
      if (length == n && !strncmp(p, word, n))
         return true;
      p += length;
   }
   return false;
}

/* Returns the registers as they should be in the copy. */
static struct attila_regs
cli_experiment_registers(const struct experiment *x)
{
   struct attila_regs r = cli_state_context(&x->state)->regs;
   if (!x->changing)
      return r;
   if (x->scissor) {
      r.scissor_minx = r.scissor_miny = 0;
      r.scissor_maxx = r.scissor_maxy = 1;
   }
   if (x->blend) {
      r.logicop_enable = 0;
      for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++)
         r.color[i].blend_enable = 0;
   }
   for (unsigned u = 0; x->textures && u < ATTILA_MAX_TEX_UNITS; u++) {
      struct attila_tex_regs *t = &r.tex[u];
      if (t->target == ATTILA_TEX_BUFFER)
         continue;
      t->width = t->width < 2 ? t->width : 2;
      t->height = t->height < 2 ? t->height : 2;
      if (t->target == ATTILA_TEX_3D)
         t->depth = t->depth < 2 ? t->depth : 2;
      t->num_levels = t->num_levels < 1 ? t->num_levels : 1;
      t->first_level = t->last_level = 0;
   }
   return r;
}

/* Writes registers first to end - 1. */
static bool
cli_experiment_write(struct experiment *x, const struct attila_regs *r, uint32_t first,
                     uint32_t end)
{
   uint32_t command[2 + ATTILA_NUM_REGS] = {
       ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_REGS, 1 + end - first), first};
   memcpy(command + 2, (const uint32_t *)r + first, (end - first) * sizeof(*command));
   memcpy((uint32_t *)&x->written[x->state.context] + first, command + 2,
          (end - first) * sizeof(*command));
   return sim_capture_commands(x->writer, command, 2 + end - first);
}

/* Before a draw: writes the registers that differ in the copy. */
static bool
cli_experiment_update(struct experiment *x)
{
   const struct attila_regs wanted = cli_experiment_registers(x);
   const uint32_t *has = (const uint32_t *)&x->written[x->state.context],
                  *wants = (const uint32_t *)&wanted;
   bool ok = true;
   for (uint32_t i = 0, first; ok && i < ATTILA_NUM_REGS;) {
      first = i;
      while (i < ATTILA_NUM_REGS && has[i] != wants[i])
         i++;
      ok = first == i || cli_experiment_write(x, &wanted, first, i);
      i += first == i;
   }
   return ok;
}

static bool
cli_experiment_wants(const struct experiment *x, const struct cli_command *c)
{
   const struct sim_option_range *f = &x->o->frames, *d = &x->o->some_draws;
   return (!f->given || (c->frame >= f->first && c->frame <= f->last)) &&
          (!d->given || (c->draw >= d->first && c->draw <= d->last));
}

static bool
cli_experiment_command(struct experiment *x, const struct cli_command *c)
{
   char error[256];
   uint32_t words;
   if (c->wait)
      return sim_capture_wait(x->writer, c->fence);
   if (!sim_check_header(c->payload - 1, 1 + (size_t)c->words, &words, error, sizeof(error))) {
      x->stream.status = cli_fail("%s: frame %u: %s", x->source, c->frame, error);
      return false;
   }
   cli_state_command(&x->state, c);
   if (c->op == ATTILA_CMD_CONTEXT && c->payload[0] & ATTILA_CONTEXT_RESET)
      memset(&x->written[x->state.context], 0, sizeof(*x->written));
   if (c->op == ATTILA_CMD_WRITE_REGS && c->words > 1 && c->payload[0] < ATTILA_NUM_REGS &&
       c->words - 1 <= ATTILA_NUM_REGS - c->payload[0]) {
      const struct attila_regs wanted = cli_experiment_registers(x);
      return cli_experiment_write(x, &wanted, c->payload[0], c->payload[0] + c->words - 1);
   }
   if (c->op == ATTILA_CMD_DRAW) {
      const bool wanted = cli_experiment_wants(x, c);
      x->changed += wanted;
      x->changing = wanted;
      if (wanted && x->skip)
         return true;
      if (!cli_experiment_update(x))
         return false;
   }
   return sim_capture_commands(x->writer, c->payload - 1, 1 + (size_t)c->words);
}

static int
cli_experiment_copy(struct experiment *x)
{
   char error[1024];
   struct cli_command c;
   bool ok = true;
   x->writer = sim_capture_create(x->target, x->stream.memory_size, error, sizeof(error));
   if (!x->writer)
      return cli_fail("%s", error);
   while (ok && cli_stream_next(&x->stream, &c))
      ok = cli_experiment_command(x, &c);
   int status = x->stream.status;
   sim_capture_flush(x->writer);
   const bool failed = sim_capture_error(x->writer, error, sizeof(error));
   if (!sim_capture_close(x->writer) && status == CLI_OK)
      status = cli_fail("%s: %s", x->target, failed ? error : "cannot be written");
   if (status == CLI_OK && !x->changed)
      status = cli_fail("%s has no such draw", x->source);
   /* Leave no incomplete copy. */
   if (status != CLI_OK)
      remove(x->target);
   return status;
}

int
cli_experiment(struct cli_options *o, char **args)
{
   struct experiment x = {.o = o, .source = args[0], .target = args[1]};
   if (!o->what)
      return cli_complain(o, "--what LIST is missing");
   if (cli_same_file(x.source, x.target))
      return cli_complain(o, "\"%s\" is the capture itself", x.target);
   x.skip = cli_experiment_has(o->what, "skip");
   x.scissor = cli_experiment_has(o->what, "scissor");
   x.textures = cli_experiment_has(o->what, "textures");
   x.blend = cli_experiment_has(o->what, "blend");
   /* If all draws are changed, so are the registers from the beginning on. */
   x.changing = !o->frames.given && !o->some_draws.given;
   if (!cli_stream_open(&x.stream, x.source))
      return CLI_FILE;
   int status = CLI_FILE;
   if (cli_state_init(&x.state, x.stream.memory_size)) {
      x.written = sim_xcalloc(ATTILA_MAX_CONTEXTS, sizeof(*x.written));
      status = cli_experiment_copy(&x);
      free(x.written);
      cli_state_fini(&x.state);
   }
   if (status == CLI_OK)
      printf("%s: %llu draws changed\n", x.target, (unsigned long long)x.changed);
   cli_stream_close(&x.stream);
   return status;
}
