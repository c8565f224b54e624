/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim diff, of two captures: the first command in which they differ, where it is and what is
 * different in it, registers by name. Not here: two runs (attila diff).
 */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include "cli/cli_stream.h"
#include "core/sim_json.h"
#include "decode/sim_frontend.h"

struct diff {
   bool json;
   unsigned found; /* differences of the command */
};

/* A difference: what, its value in A and in B. */
static void
cli_diff_put(struct diff *d, const char *what, const char *a, const char *b)
{
   if (!d->json) {
      printf(what ? "   %s: %s, %s\n" : "   %s%s, %s\n", what ? what : "", a, b);
   } else {
      printf("%s {\"what\": ", d->found ? ",\n" : "");
      sim_json_text(stdout, what ? what : "command");
      printf(", \"a\": ");
      sim_json_text(stdout, a);
      printf(", \"b\": ");
      sim_json_text(stdout, b);
      printf("}");
   }
   d->found++;
}

/* Text of a value, in one of a few buffers that are used in turn. */
static const char *__attribute__((format(printf, 1, 2))) cli_diff_text(const char *format, ...)
{
   static char buffers[4][200];
   static unsigned next;
   char *text = buffers[next++ % 4];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(buffers[0]), format, args);
   va_end(args);
   return text;
}

static bool
cli_diff_same_command(const struct cli_command *a, const struct cli_command *b)
{
   if (a->wait || b->wait)
      return a->wait == b->wait && a->fence == b->fence;
   return a->op == b->op && a->words == b->words &&
          !memcmp(a->payload, b->payload, (size_t)a->words * 4);
}

/* Where a capture has the command; NULL: it has ended. */
static void
cli_diff_where_json(const char *name, const char *path, const struct cli_command *c,
                    const struct cli_state *s)
{
   printf(",\n \"%s\": {\"file\": ", name);
   sim_json_text(stdout, path);
   if (c && c->wait)
      printf(", \"command\": null, \"name\": \"wait\", \"fence\": %" PRIu64, c->fence);
   else if (c)
      printf(", \"command\": %" PRIu64 ", \"name\": \"%s\"", c->number, sim_command_name(c->op));
   if (c) {
      printf(", \"frame\": %u, \"draw\": %u, \"label\": ", c->frame, c->draw);
      sim_json_text(stdout, cli_state_context(s)->label);
   }
   printf(", \"ends\": %s}", c ? "false" : "true");
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
cli_diff_regs(struct diff *d, const struct cli_command *a, const struct cli_command *b,
              const struct cli_state *s)
{
   unsigned num;
   const struct sim_field *f = sim_fields(&num);
   for (const struct sim_field *end = f + num; f < end; f++) {
      char left[80], right[80];
      const uint32_t x = cli_diff_word_after(a, s, f->word), y = cli_diff_word_after(b, s, f->word);
      if (sim_field_get(f, x) == sim_field_get(f, y))
         continue;
      cli_field_text(f, x, left, sizeof(left));
      cli_field_text(f, y, right, sizeof(right));
      cli_diff_put(d, f->name, left, right);
   }
   if (!d->found)
      cli_diff_put(d, "the same values, in other words",
                   cli_diff_text("%u from %u", a->words - 1, a->payload[0]),
                   cli_diff_text("%u from %u", b->words - 1, b->payload[0]));
}

static void
cli_diff_consts(struct diff *d, const struct cli_command *a, const struct cli_command *b)
{
   if (a->payload[0] != b->payload[0] || a->payload[1] != b->payload[1] || a->words != b->words) {
      cli_diff_put(d, NULL,
                   cli_diff_text("%u vectors from c%u of stage %u", (a->words - 2) / 4,
                                 a->payload[1], a->payload[0]),
                   cli_diff_text("%u from c%u of stage %u", (b->words - 2) / 4, b->payload[1],
                                 b->payload[0]));
      return;
   }
   const float *x = (const float *)(a->payload + 2), *y = (const float *)(b->payload + 2);
   for (uint32_t i = 0; i < a->words - 2; i++) {
      if (memcmp(&x[i], &y[i], sizeof(*x)))
         cli_diff_put(d, cli_diff_text("c%u.%c", a->payload[1] + i / 4, "xyzw"[i % 4]),
                      cli_diff_text("%.9g", (double)x[i]), cli_diff_text("%.9g", (double)y[i]));
   }
}

static void
cli_diff_buffer(struct diff *d, const struct cli_command *a, const struct cli_command *b)
{
   const struct attila_cmd_buffer *x = (const struct attila_cmd_buffer *)a->payload,
                                  *y = (const struct attila_cmd_buffer *)b->payload;
   if (x->address != y->address || x->size != y->size) {
      cli_diff_put(d, NULL,
                   cli_diff_text("%u bytes at 0x%x%s", x->size & ~ATTILA_BUFFER_NO_WAIT, x->address,
                                 x->size & ATTILA_BUFFER_NO_WAIT ? " without waiting" : ""),
                   cli_diff_text("%u bytes at 0x%x%s", y->size & ~ATTILA_BUFFER_NO_WAIT, y->address,
                                 y->size & ATTILA_BUFFER_NO_WAIT ? " without waiting" : ""));
   }
   const uint8_t *p = (const uint8_t *)(a->payload + 2), *q = (const uint8_t *)(b->payload + 2);
   const uint32_t n = ((a->words < b->words ? a->words : b->words) - 2) * 4;
   for (uint32_t i = 0; a->op == ATTILA_CMD_WRITE_BUFFER && i < n; i++) {
      if (p[i] != q[i]) {
         cli_diff_put(d, cli_diff_text("byte %u", i), cli_diff_text("0x%02x", p[i]),
                      cli_diff_text("0x%02x", q[i]));
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
cli_diff_words(struct diff *d, const struct cli_command *a, const struct cli_command *b)
{
   static const char *const none[] = {NULL};
   const char *const *name = a->op == ATTILA_CMD_DRAW            ? draw_members
                             : a->op == ATTILA_CMD_SWAP          ? swap_members
                             : a->op == ATTILA_CMD_LOAD_PROGRAM  ? program_members
                             : a->op == ATTILA_CMD_WRITE_COUNTER ? counter_members
                                                                 : none;
   if (a->words != b->words)
      cli_diff_put(d, NULL, cli_diff_text("%u words", a->words),
                   cli_diff_text("%u words", b->words));
   const uint32_t x_words = attila_cmd_fetched_words(a->op, a->words),
                  y_words = attila_cmd_fetched_words(b->op, b->words);
   for (uint32_t i = 0; i < x_words && i < y_words; i++) {
      const uint32_t x = a->payload[i], y = b->payload[i];
      if (x == y) {
         name += *name != NULL;
         continue;
      }
      if (*name && a->op == ATTILA_CMD_DRAW && i == 0)
         cli_diff_put(d, *name, cli_prim_name(x), cli_prim_name(y));
      else if (*name)
         cli_diff_put(d, *name, cli_diff_text("%u", x), cli_diff_text("%u", y));
      else
         cli_diff_put(d, cli_diff_text("word %u", i), cli_diff_text("0x%08x", x),
                      cli_diff_text("0x%08x", y));
      name += *name != NULL;
   }
}

/* Notes: calls of OpenGL, sources. */
static void
cli_diff_notes(struct diff *d, const struct cli_command *a, const struct cli_command *b)
{
   const char *x = attila_cmd_draw_note(a->payload, a->words),
              *y = attila_cmd_draw_note(b->payload, b->words);
   if (a->op == ATTILA_CMD_DRAW && strcmp(x ? x : "", y ? y : ""))
      cli_diff_put(d, "call", x ? x : "not known", y ? y : "not known");
   else if (a->op == ATTILA_CMD_LOAD_PROGRAM && !d->found)
      cli_diff_put(d, "source, or its lines", cli_diff_text("%u words", a->words),
                   cli_diff_text("%u words", b->words));
}

/* As much of a marker's text as there is, in quotes. */
static const char *
cli_diff_marker_text(const struct cli_command *c)
{
   const char *text = (const char *)(c->payload + 1);
   return cli_diff_text("\"%.*s\"", (int)strnlen(text, (size_t)(c->words - 1) * 4), text);
}

static void
cli_diff_command(struct diff *d, const struct cli_command *a, const struct cli_command *b,
                 const struct cli_state *s)
{
   if (a->wait || b->wait || a->op != b->op)
      return;
   if (a->op == ATTILA_CMD_WRITE_REGS)
      cli_diff_regs(d, a, b, s);
   else if (a->op == ATTILA_CMD_WRITE_CONSTS)
      cli_diff_consts(d, a, b);
   else if (a->op == ATTILA_CMD_WRITE_BUFFER || a->op == ATTILA_CMD_READ_BUFFER)
      cli_diff_buffer(d, a, b);
   else if (a->op == ATTILA_CMD_MARKER)
      cli_diff_put(d, NULL, cli_diff_marker_text(a), cli_diff_marker_text(b));
   else
      cli_diff_words(d, a, b);
   cli_diff_notes(d, a, b);
}

/* The first command in which they differ; NULL: the capture has ended. */
static void
cli_diff_report(struct diff *d, struct cli_stream *a, struct cli_stream *b, uint64_t same,
                const struct cli_command *x, const struct cli_command *y, const struct cli_state *s)
{
   if (d->json) {
      printf("{\"same\": false, \"commands\": %" PRIu64, same);
      cli_diff_where_json("a", a->path, x, s);
      cli_diff_where_json("b", b->path, y, s);
      printf(",\n \"differences\": [");
   } else {
      printf("%" PRIu64 " commands are the same\n", same);
      cli_diff_where(a->path, x, s);
      cli_diff_where(b->path, y, s);
   }
   if (x && y)
      cli_diff_command(d, x, y, s);
   if (d->json)
      printf("]}\n");
}

static int
cli_diff_streams(struct diff *d, struct cli_stream *a, struct cli_stream *b, struct cli_state *s)
{
   struct cli_command x, y;
   uint64_t same = 0;
   if (a->memory_size != b->memory_size) {
      printf(d->json ? "{\"same\": false, \"memory_mib\": [%u, %u]}\n"
                     : "GPU memory: %u MiB, %u MiB\n",
             a->memory_size >> 20, b->memory_size >> 20);
      return CLI_DIFFERENT;
   }
   while (true) {
      const bool left = cli_stream_next(a, &x), right = cli_stream_next(b, &y);
      if (a->status || b->status)
         return CLI_FILE;
      if (!left && !right) {
         printf(d->json ? "{\"same\": true, \"commands\": %" PRIu64 ", \"frames\": %u}\n"
                        : "the same %" PRIu64 " commands, %u frames\n",
                same, a->frame);
         return CLI_OK;
      }
      if (!left || !right || !cli_diff_same_command(&x, &y)) {
         cli_diff_report(d, a, b, same, left ? &x : NULL, right ? &y : NULL, s);
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
   struct diff d = {.json = o->format && !strcmp(o->format, "json")};
   int status = CLI_FILE;
   for (unsigned i = 0; i < 2; i++) {
      if (cli_diff_is_folder(args[i]))
         return cli_fail("diff: %s is a folder: attila diff compares runs", args[i]);
   }
   if (!cli_stream_open(&a, args[0]))
      return CLI_FILE;
   if (cli_stream_open(&b, args[1]) && cli_state_init(&state, a.memory_size))
      status = cli_diff_streams(&d, &a, &b, &state);
   cli_state_fini(&state);
   cli_stream_close(&a);
   cli_stream_close(&b);
   return status;
}
