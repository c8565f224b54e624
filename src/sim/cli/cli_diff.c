/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim diff, of two captures: the first command in which they differ, where it is and what is
 * different in it, registers by name. Not here: two runs (attila diff).
 */
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include "cli/cli_stream.h"
#include "decode/sim_frontend.h"

static bool
cli_diff_same_command(const struct cli_command *a, const struct cli_command *b)
{
   if (a->wait || b->wait)
      return a->wait == b->wait && a->fence == b->fence;
   return a->op == b->op && a->words == b->words &&
          !memcmp(a->payload, b->payload, (size_t)a->words * 4);
}

static void
cli_diff_where(const char *path, const struct cli_command *c, const struct cli_state *s)
{
   if (!c) {
      printf("%s: ends here\n", path);
      return;
   }
   if (c->wait)
      printf("%s: the program waits for fence %" PRIu64, path, c->fence);
   else
      printf("%s: command %" PRIu64 ", %s", path, c->number, sim_command_name(c->op));
   printf(", frame %u, draw %u", c->frame, c->draw);
   if (cli_state_context(s)->label[0])
      printf(", label \"%s\"", cli_state_context(s)->label);
   printf("\n");
}

/* The value of a word of registers once the command is executed. */
static uint32_t
cli_diff_word_after(const struct cli_command *c, const struct cli_state *s, uint32_t word)
{
   const uint32_t first = c->payload[0], count = c->words - 1;
   if (word >= first && word - first < count)
      return c->payload[1 + word - first];
   return ((const uint32_t *)&cli_state_context(s)->regs)[word];
}

static void
cli_diff_regs(const struct cli_command *a, const struct cli_command *b, const struct cli_state *s)
{
   unsigned num, found = 0;
   const struct sim_field *f = sim_fields(&num);
   for (const struct sim_field *end = f + num; f < end; f++) {
      char left[80], right[80];
      const uint32_t x = cli_diff_word_after(a, s, f->word), y = cli_diff_word_after(b, s, f->word);
      if (sim_field_get(f, x) == sim_field_get(f, y))
         continue;
      cli_field_text(f, x, left, sizeof(left));
      cli_field_text(f, y, right, sizeof(right));
      printf("   %s: %s, %s\n", f->name, left, right);
      found++;
   }
   if (!found)
      printf("   the same values, in other words (%u from %u, %u from %u)\n", a->words - 1,
             a->payload[0], b->words - 1, b->payload[0]);
}

static void
cli_diff_consts(const struct cli_command *a, const struct cli_command *b)
{
   if (a->payload[0] != b->payload[0] || a->payload[1] != b->payload[1] || a->words != b->words) {
      printf("   %u vectors from c%u of stage %u, %u from c%u of stage %u\n", (a->words - 2) / 4,
             a->payload[1], a->payload[0], (b->words - 2) / 4, b->payload[1], b->payload[0]);
      return;
   }
   const float *x = (const float *)(a->payload + 2), *y = (const float *)(b->payload + 2);
   for (uint32_t i = 0; i < a->words - 2; i++) {
      if (memcmp(&x[i], &y[i], sizeof(*x)))
         printf("   c%u.%c: %.9g, %.9g\n", a->payload[1] + i / 4, "xyzw"[i % 4], (double)x[i],
                (double)y[i]);
   }
}

static void
cli_diff_buffer(const struct cli_command *a, const struct cli_command *b)
{
   const struct attila_cmd_buffer *x = (const struct attila_cmd_buffer *)a->payload,
                                  *y = (const struct attila_cmd_buffer *)b->payload;
   if (x->address != y->address || x->size != y->size) {
      printf("   %u bytes at 0x%x%s, %u bytes at 0x%x%s\n", x->size & ~ATTILA_BUFFER_NO_WAIT,
             x->address, x->size & ATTILA_BUFFER_NO_WAIT ? " without waiting" : "",
             y->size & ~ATTILA_BUFFER_NO_WAIT, y->address,
             y->size & ATTILA_BUFFER_NO_WAIT ? " without waiting" : "");
   }
   const uint8_t *p = (const uint8_t *)(a->payload + 2), *q = (const uint8_t *)(b->payload + 2);
   const uint32_t n = ((a->words < b->words ? a->words : b->words) - 2) * 4;
   for (uint32_t i = 0; a->op == ATTILA_CMD_WRITE_BUFFER && i < n; i++) {
      if (p[i] != q[i]) {
         printf("   byte %u: 0x%02x, 0x%02x\n", i, p[i], q[i]);
         return;
      }
   }
}

/* Members of a payload that is a struct of words. */
static const char *const draw_members[] = {
    "primitive", "count",          "start", "index size",    "indices", "index bias",
    "instances", "first instance", "flags", "restart index", NULL};
static const char *const swap_members[] = {
    "address", "format",          "tiles per row",         "width", "height", "flags",
    "samples", "picture address", "picture tiles per row", NULL};
static const char *const program_members[] = {"stage", "address", "bytes", NULL};
static const char *const counter_members[] = {"counter", "address", NULL};

static void
cli_diff_words(const struct cli_command *a, const struct cli_command *b)
{
   static const char *const none[] = {NULL};
   const char *const *name = a->op == ATTILA_CMD_DRAW            ? draw_members
                             : a->op == ATTILA_CMD_SWAP          ? swap_members
                             : a->op == ATTILA_CMD_LOAD_PROGRAM  ? program_members
                             : a->op == ATTILA_CMD_WRITE_COUNTER ? counter_members
                                                                 : none;
   if (a->words != b->words)
      printf("   %u words, %u words\n", a->words, b->words);
   for (uint32_t i = 0; i < a->words && i < b->words; i++) {
      const uint32_t x = a->payload[i], y = b->payload[i];
      if (x == y) {
         name += *name != NULL;
         continue;
      }
      if (*name && a->op == ATTILA_CMD_DRAW && i == 0)
         printf("   %s: %s, %s\n", *name, cli_prim_name(x), cli_prim_name(y));
      else if (*name)
         printf("   %s: %u, %u\n", *name, x, y);
      else
         printf("   word %u: 0x%08x, 0x%08x\n", i, x, y);
      name += *name != NULL;
   }
}

static void
cli_diff_marker(const struct cli_command *a, const struct cli_command *b)
{
   printf("   \"%.*s\", \"%.*s\"\n",
          (int)strnlen((const char *)(a->payload + 1), (size_t)(a->words - 1) * 4),
          (const char *)(a->payload + 1),
          (int)strnlen((const char *)(b->payload + 1), (size_t)(b->words - 1) * 4),
          (const char *)(b->payload + 1));
}

static void
cli_diff_command(const struct cli_command *a, const struct cli_command *b,
                 const struct cli_state *s)
{
   if (a->wait || b->wait || a->op != b->op)
      return;
   if (a->op == ATTILA_CMD_WRITE_REGS)
      cli_diff_regs(a, b, s);
   else if (a->op == ATTILA_CMD_WRITE_CONSTS)
      cli_diff_consts(a, b);
   else if (a->op == ATTILA_CMD_WRITE_BUFFER || a->op == ATTILA_CMD_READ_BUFFER)
      cli_diff_buffer(a, b);
   else if (a->op == ATTILA_CMD_MARKER)
      cli_diff_marker(a, b);
   else
      cli_diff_words(a, b);
}

static int
cli_diff_streams(struct cli_stream *a, struct cli_stream *b, struct cli_state *s)
{
   struct cli_command x, y;
   uint64_t same = 0;
   if (a->memory_size != b->memory_size) {
      printf("GPU memory: %u MiB, %u MiB\n", a->memory_size >> 20, b->memory_size >> 20);
      return CLI_DIFFERENT;
   }
   while (true) {
      const bool left = cli_stream_next(a, &x), right = cli_stream_next(b, &y);
      if (a->status || b->status)
         return CLI_FILE;
      if (!left && !right) {
         printf("the same %" PRIu64 " commands, %u frames\n", same, a->frame);
         return CLI_OK;
      }
      if (!left || !right || !cli_diff_same_command(&x, &y)) {
         printf("%" PRIu64 " commands are the same\n", same);
         cli_diff_where(a->path, left ? &x : NULL, s);
         cli_diff_where(b->path, right ? &y : NULL, s);
         if (left && right)
            cli_diff_command(&x, &y, s);
         return CLI_DIFFERENT;
      }
      same += !x.wait;
      cli_state_command(s, &x);
   }
}

static bool
cli_diff_is_folder(const char *path)
{
   struct stat st;
   return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int
cli_diff(struct cli_options *o, char **args)
{
   struct cli_stream a, b;
   struct cli_state state = {0};
   int status = CLI_FILE;
   for (unsigned i = 0; i < 2; i++) {
      if (cli_diff_is_folder(args[i]))
         return cli_fail("diff: %s is a folder: attila diff compares runs", args[i]);
   }
   if (!cli_stream_open(&a, args[0]))
      return CLI_FILE;
   if (cli_stream_open(&b, args[1]) && cli_state_init(&state, a.memory_size))
      status = cli_diff_streams(&a, &b, &state);
   cli_state_fini(&state);
   cli_stream_close(&a);
   cli_stream_close(&b);
   return status;
}
