/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim dump: a capture as text, with a line per command and per register that it changes.
 * Registers and their values have names; a program's text follows where it is first loaded. Not
 * here: what the commands do (they are not executed). */
#include <inttypes.h>
#include <string.h>
#include <zlib.h>
#include "cli/cli_stream.h"
#include "decode/sim_frontend.h"
#include "results/sim_record.h"

struct dump {
   const struct cli_options *o;
   struct cli_state state;
   uint32_t frame; /* the frame whose heading has been printed; UINT32_MAX: none */
};

/* --- Parts of commands; each ends the line of the command --- */

static void
cli_dump_regs(const struct dump *d, const struct cli_command *c)
{
   const uint32_t first = c->payload[0], count = c->words - 1;
   const uint32_t *old = (const uint32_t *)&cli_state_context(&d->state)->regs;
   unsigned num, same = 0;
   const struct sim_field *f = sim_fields(&num);
   printf(" %u to %u\n", first, first + count - 1);
   for (const struct sim_field *end = f + num; f < end; f++) {
      char text[80], before[80];
      if (f->word < first || f->word - first >= count)
         continue;
      const uint32_t word = c->payload[1 + f->word - first];
      if (sim_field_get(f, word) == sim_field_get(f, old[f->word])) {
         same++;
         continue;
      }
      cli_field_text(f, word, text, sizeof(text));
      cli_field_text(f, old[f->word], before, sizeof(before));
      printf("         %s = %s (was %s)\n", f->name, text, before);
   }
   if (same)
      printf("         and %u as before\n", same);
}

static void
cli_dump_consts(const struct cli_command *c)
{
   const float *v = (const float *)(c->payload + 2);
   const uint32_t count = (c->words - 2) / 4;
   printf(" %s, %u from c%u\n", attila_stage_name(c->payload[0]), count, c->payload[1]);
   for (uint32_t i = 0; i < count; i++, v += 4)
      printf("         c%u = %.9g, %.9g, %.9g, %.9g\n", c->payload[1] + i, (double)v[0],
             (double)v[1], (double)v[2], (double)v[3]);
}

static void
cli_dump_transfer(const struct cli_command *c)
{
   const struct attila_cmd_buffer *b = (const struct attila_cmd_buffer *)c->payload;
   printf(" %u bytes at 0x%x%s", b->size & ~ATTILA_BUFFER_NO_WAIT, b->address,
          b->size & ATTILA_BUFFER_NO_WAIT ? ", without waiting" : "");
   if (c->op == ATTILA_CMD_WRITE_BUFFER)
      printf(", CRC-32 0x%08lx", crc32(0, (const Bytef *)(c->payload + 2), (c->words - 2) * 4));
   printf("\n");
}

static void
cli_dump_state(const struct cli_context *x)
{
   unsigned num;
   const struct sim_field *f = sim_fields(&num);
   for (const struct sim_field *end = f + num; f < end; f++) {
      char text[80];
      const uint32_t word = ((const uint32_t *)&x->regs)[f->word];
      if (!sim_field_get(f, word))
         continue;
      cli_field_text(f, word, text, sizeof(text));
      printf("         %s = %s\n", f->name, text);
   }
}

static void
cli_dump_program_of(const struct cli_state *s, const char *stage, unsigned program)
{
   if (!program)
      printf(", no %s program", stage);
   else
      printf(", %s program %u%s%s", stage, program, s->programs[program - 1].name[0] ? " " : "",
             s->programs[program - 1].name);
}

static void
cli_dump_draw(const struct dump *d, const struct cli_command *c)
{
   const struct attila_cmd_draw *draw = (const struct attila_cmd_draw *)c->payload;
   const struct cli_context *x = cli_state_context(&d->state);
   printf(" %u: %s, %u %s from %u", c->draw, sim_record_prim_name(draw->prim), draw->count,
          draw->index_size ? "indices" : "vertices", draw->start);
   if (draw->index_size)
      printf(", of %u bytes at 0x%x, bias %d", draw->index_size, draw->index_address,
             (int)draw->index_bias);
   if (draw->num_instances != 1 || draw->first_instance)
      printf(", %u instances from %u", draw->num_instances, draw->first_instance);
   if (draw->flags & ATTILA_DRAW_RESTART)
      printf(", restart at 0x%x", draw->restart_index);
   if (draw->flags & ATTILA_DRAW_INDIRECT)
      printf(", indirect");
   if (draw->flags & ATTILA_DRAW_CONDITIONAL)
      printf(", conditional");
   if (draw->flags & ATTILA_DRAW_META)
      printf(", the driver's own");
   cli_dump_program_of(&d->state, "vertex", x->program[ATTILA_STAGE_VERTEX]);
   if (x->geometry)
      cli_dump_program_of(&d->state, "geometry", x->program[ATTILA_STAGE_GEOMETRY]);
   cli_dump_program_of(&d->state, "fragment", x->program[ATTILA_STAGE_FRAGMENT]);
   if (x->label[0])
      printf(", label \"%s\"", x->label);
   const char *call = attila_cmd_draw_note(c->payload, c->words);
   if (call)
      printf(", by %.*s", (int)strnlen(call, (c->words - ATTILA_DRAW_WORDS) * 4), call);
   printf("\n");
   if (d->o->state)
      cli_dump_state(x);
}

static void
cli_dump_clear(const struct cli_command *c)
{
   const float *v = (const float *)c->payload;
   if (c->op == ATTILA_CMD_CLEAR_COLOR)
      printf(" buffers 0x%x, %.9g, %.9g, %.9g, %.9g\n", c->payload[0], (double)v[1], (double)v[2],
             (double)v[3], (double)v[4]);
   else
      printf("%s%s, depth %.9g, stencil %u\n", c->payload[0] & 1 ? " depth" : "",
             c->payload[0] & 2 ? " stencil" : "", (double)v[1], c->payload[2]);
}

static void
cli_dump_surface(const char *name, const struct attila_cmd_blit_surface *s)
{
   printf("         %s: 0x%x, %s %u, slices of %u bytes, at %u, %u, %u\n", name, s->address,
          s->pitch_tiles ? "tiles per row" : "linear, bytes per row",
          s->pitch_tiles ? s->pitch_tiles : s->linear_stride, s->slice_stride, s->x, s->y, s->z);
}

static void
cli_dump_blit(const struct cli_command *c)
{
   const struct attila_cmd_blit *b = (const struct attila_cmd_blit *)c->payload;
   printf(" %u x %u x %u of %u bytes, %u samples%s, %s\n", b->width, b->height, b->depth,
          b->element_bytes, b->samples,
          b->resolve == ATTILA_RESOLVE_NONE      ? ""
          : b->resolve == ATTILA_RESOLVE_AVERAGE ? ", averaged"
                                                 : ", one of them",
          b->format < ATTILA_NUM_FORMATS ? attila_formats[b->format].name : "?");
   cli_dump_surface("from", &b->src);
   cli_dump_surface("to", &b->dst);
}

static void
cli_dump_swap(const struct cli_command *c)
{
   struct attila_cmd_swap s = {0};
   memcpy(&s, c->payload, c->words * 4 < sizeof(s) ? c->words * 4 : sizeof(s));
   printf(" %u x %u, %s at 0x%x, %u tiles per row%s", s.width, s.height,
          s.format < ATTILA_NUM_FORMATS ? attila_formats[s.format].name : "?", s.address,
          s.pitch_tiles, s.flags & ATTILA_SWAP_BOTTOM_UP ? ", row 0 at the bottom" : "");
   if (s.flags & ATTILA_SWAP_RESOLVE)
      printf(", averages of %u samples to 0x%x, %u tiles per row", s.samples, s.picture_address,
             s.picture_pitch_tiles);
   printf("\n");
}

static const char *
cli_dump_counter_name(uint32_t counter)
{
   static const char *const names[ATTILA_NUM_COUNTERS] = {
#define C(name, doc) #name,
       ATTILA_COUNTERS(C)
#undef C
   };
   return counter < ATTILA_NUM_COUNTERS ? names[counter] : "?";
}

static void
cli_dump_stream_outputs(const struct cli_command *c)
{
   const uint32_t *p = c->payload;
   printf(" vertices of %u, %u, %u, %u bytes\n", p[0], p[1], p[2], p[3]);
   for (uint32_t i = ATTILA_MAX_STREAM_BUFFERS; i < c->words; i++) {
      struct attila_stream_output o;
      memcpy(&o, p + i, sizeof(o));
      printf("            o%u.%.*s to buffer %u, byte %u", o.output,
             o.last < o.first ? 0 : o.last - o.first + 1, &"xyzw"[o.first], o.buffer, 4 * o.offset);
      printf(o.stream ? ", of stream %u\n" : "\n", o.stream);
   }
}

static void
cli_dump_stream_targets(const struct cli_command *c)
{
   const struct attila_stream_target *t = (const struct attila_stream_target *)c->payload;
   const char *comma = "";
   for (unsigned b = 0; b < ATTILA_MAX_STREAM_BUFFERS; b++, t++) {
      if (!t->size)
         continue;
      printf("%s %u: %u bytes at 0x%x", comma, b, t->size, t->address);
      comma = ",";
      if (t->filled)
         printf(" filled as 0x%x says", t->filled);
   }
   printf("%s\n", *comma ? "" : " none");
}

static void
cli_dump_marker(const struct cli_command *c)
{
   const char *text = (const char *)(c->payload + 1);
   printf("%s \"%.*s\"\n", c->payload[0] == ATTILA_MARKER_SHADER_NAME ? " of a program" : "",
          (int)strnlen(text, (size_t)(c->words - 1) * 4), text);
}

static void
cli_dump_load(const struct cli_command *c)
{
   const struct attila_cmd_program *p = (const struct attila_cmd_program *)c->payload;
   struct attila_program_note note = {0};
   printf(" %s, %u bytes at 0x%x", attila_stage_name(p->stage), p->size, p->address);
   const uint32_t *words = c->payload + ATTILA_LOAD_PROGRAM_WORDS;
   if (c->words > ATTILA_LOAD_PROGRAM_WORDS &&
       attila_program_note_valid(words, c->words - ATTILA_LOAD_PROGRAM_WORDS))
      note = attila_program_note_of(words, c->words - ATTILA_LOAD_PROGRAM_WORDS);
   if (note.source)
      printf(", source of %zu bytes%s", strlen(note.source),
             note.num_lines ? "" : ", lines not known");
   printf("\n");
   for (const char *line = note.uniforms; line && *line; line += *line == '\n') {
      const size_t length = strcspn(line, "\n");
      printf("            uniform %.*s\n", (int)length, line);
      line += length;
   }
}

static void
cli_dump_const_buffers(const struct cli_command *c)
{
   printf(" of stage %u:", c->payload[0]);
   for (uint32_t i = 2; i + 1 < c->words; i += 2)
      printf(" %u %u bytes at 0x%x", c->payload[1] + (i - 2) / 2, c->payload[i + 1], c->payload[i]);
   printf("\n");
}

static void
cli_dump_geometry(const struct cli_command *c)
{
   const struct attila_cmd_geometry *g = (const struct attila_cmd_geometry *)c->payload;
   printf(" %s", g->enable ? "on, inputs are outputs" : "off");
   for (unsigned i = 0; g->enable && i < ATTILA_MAX_GS_INPUTS; i++)
      printf(" %u", g->input[i]);
   printf("\n");
}

static void
cli_dump_layers(const struct cli_command *c)
{
   const struct attila_cmd_layers *l = (const struct attila_cmd_layers *)c->payload;
   printf(" %u by output %u, bytes of each:", l->count, l->output);
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++)
      printf(" %u", l->color_stride[i]);
   printf(", %u\n", l->zs_stride);
}

static void
cli_dump_images(const struct cli_command *c)
{
   const uint32_t count = (c->words - 2) / ATTILA_IMAGE_WORDS;
   printf(" %s, %u from %u\n", attila_stage_name(c->payload[0]), count, c->payload[1]);
   for (uint32_t n = 0; n < count; n++) {
      struct attila_image i;
      memcpy(&i, c->payload + 2 + n * ATTILA_IMAGE_WORDS, sizeof(i));
      if (i.format >= ATTILA_NUM_FORMATS || !i.format)
         printf("         %u: none\n", c->payload[1] + n);
      else
         printf("         %u: %u x %u x %u %s at 0x%x, %u tiles in a row, slices of %u bytes\n",
                c->payload[1] + n, i.width, i.height, i.depth, attila_formats[i.format].name,
                i.address, i.pitch_tiles, i.slice_stride);
   }
}

static void
cli_dump_payload(const struct dump *d, const struct cli_command *c)
{
   const uint32_t *p = c->payload;
   switch (c->op) {
   case ATTILA_CMD_CONTEXT:
      printf(" %u%s\n", p[0] & ~ATTILA_CONTEXT_RESET, p[0] & ATTILA_CONTEXT_RESET ? ", reset" : "");
      return;
   case ATTILA_CMD_WRITE_REGS:
      cli_dump_regs(d, c);
      return;
   case ATTILA_CMD_WRITE_CONSTS:
      cli_dump_consts(c);
      return;
   case ATTILA_CMD_CONST_BUFFERS:
   case ATTILA_CMD_STORAGE:
      cli_dump_const_buffers(c);
      return;
   case ATTILA_CMD_IMAGES:
      cli_dump_images(c);
      return;
   case ATTILA_CMD_GEOMETRY:
      cli_dump_geometry(c);
      return;
   case ATTILA_CMD_LAYERS:
      cli_dump_layers(c);
      return;
   case ATTILA_CMD_WRITE_BUFFER:
   case ATTILA_CMD_READ_BUFFER:
   case ATTILA_CMD_DISCARD:
      cli_dump_transfer(c);
      return;
   case ATTILA_CMD_LOAD_PROGRAM:
      cli_dump_load(c);
      return;
   case ATTILA_CMD_DRAW:
      cli_dump_draw(d, c);
      return;
   case ATTILA_CMD_CLEAR_COLOR:
   case ATTILA_CMD_CLEAR_ZS:
      cli_dump_clear(c);
      return;
   case ATTILA_CMD_BLIT:
      cli_dump_blit(c);
      return;
   case ATTILA_CMD_FLUSH:
      printf("%s%s%s\n", p[0] & ATTILA_FLUSH_COLOR ? " color" : "",
             p[0] & ATTILA_FLUSH_ZS ? " zs" : "", p[0] & ATTILA_FLUSH_TEXTURE ? " texture" : "");
      return;
   case ATTILA_CMD_WRITE_COUNTER:
      printf(" %s to 0x%x\n", cli_dump_counter_name(p[0]), p[1]);
      return;
   case ATTILA_CMD_CONDITION:
      printf(" of %u pairs at 0x%x%s\n", p[1], p[0], p[2] ? ", inverted" : "");
      return;
   case ATTILA_CMD_STREAM_OUTPUTS:
      cli_dump_stream_outputs(c);
      return;
   case ATTILA_CMD_STREAM_TARGETS:
      cli_dump_stream_targets(c);
      return;
   case ATTILA_CMD_VERTEX_COUNT:
      printf(" of the counter at 0x%x, %u bytes each\n", p[0], p[1]);
      return;
   case ATTILA_CMD_INDIRECT:
      printf(" of the %u words at 0x%x, %u indices\n", p[1], p[0], p[1] == 5 ? p[2] : 0);
      return;
   case ATTILA_CMD_MARKER:
      cli_dump_marker(c);
      return;
   case ATTILA_CMD_SWAP:
      cli_dump_swap(c);
      return;
   case ATTILA_CMD_FENCE:
      printf(" %" PRIu64 "\n", (uint64_t)p[1] << 32 | p[0]);
      return;
   default:
      printf("\n");
   }
}

static void
cli_dump_program(const struct cli_state *s, unsigned number)
{
   const struct cli_program *p = &s->programs[number - 1];
   printf("         program %u%s%s\n", number, p->name[0] ? ": " : "", p->name);
   for (const char *line = p->text; line && *line;) {
      const size_t n = strcspn(line, "\n");
      printf("            %.*s\n", (int)n, line);
      line += n + (line[n] == '\n');
   }
}

static bool
cli_dump_wanted(const struct cli_options *o, const struct cli_command *c)
{
   if (o->frames.given && (c->frame < o->frames.first || c->frame > o->frames.last))
      return false;
   /* A draw is chosen together with the commands since the draw before it. */
   return !o->some_draws.given || (c->draw >= o->some_draws.first && c->draw <= o->some_draws.last);
}

static void
cli_dump_command(struct dump *d, const struct cli_command *c)
{
   const bool print = cli_dump_wanted(d->o, c);
   if (print && d->frame != c->frame) {
      printf("frame %u\n", c->frame);
      d->frame = c->frame;
   }
   if (print && c->wait) {
      printf("         the program waits for fence %" PRIu64 "\n", c->fence);
   } else if (print) {
      printf("%8" PRIu64 " %s", c->number, sim_command_name(c->op));
      cli_dump_payload(d, c);
   }
   const unsigned program = cli_state_command(&d->state, c);
   if (print && program)
      cli_dump_program(&d->state, program);
   else if (print && !c->wait && c->op == ATTILA_CMD_LOAD_PROGRAM &&
            c->payload[0] < ATTILA_NUM_STAGES)
      printf("         program %u again\n", cli_state_context(&d->state)->program[c->payload[0]]);
}

int
cli_dump(struct cli_options *o, char **args)
{
   const char *path = args[0];
   struct cli_stream stream;
   struct cli_command command;
   struct dump dump = {.o = o, .frame = UINT32_MAX};
   if (!cli_stream_open(&stream, path))
      return CLI_FILE;
   if (!cli_state_init(&dump.state, stream.memory_size)) {
      cli_stream_close(&stream);
      return CLI_FILE;
   }
   printf("%s: GPU memory %u MiB\n", path, stream.memory_size >> 20);
   while (!(o->frames.given && stream.frame > o->frames.last) && cli_stream_next(&stream, &command))
      cli_dump_command(&dump, &command);
   cli_state_fini(&dump.state);
   cli_stream_close(&stream);
   return stream.status;
}
