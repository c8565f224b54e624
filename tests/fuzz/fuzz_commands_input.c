/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Valid command streams, and how they are changed so that most commands stay whole
 * (fuzz_commands.h). */
#include "../unit/func_stream.h"
#include "fuzz.h"
#include "fuzz_commands.h"

const unsigned fuzz_num_inputs = 24;

static const char vs[] = ".vertex\nDP4 o0.x, i0, c0\nDP4 o0.y, i0, c1\nMOV o0.zw, i0\nMOV o1, i1\n"
                         "MUL o2, i0, c2\nEND\n";
static const char *const fs[] = {
    ".fragment\nMOV o0, i1\nMOV o1, i1.wzyx\nEND\n",
    ".fragment\nTEX r0, i2, t0, 2D\nMUL r0, r0, i1\nMOV o0, r0\nMOV o1, i2\nEND\n",
    ".fragment\nKIL i2.x\nDDX r0, i1\nADD o0, r0, i1\nEND\n",
    ".fragment\nMUL r0, i2, i2\nTXP r1, i2, t1, CUBE\nMAD o0, r0, r1, i1\nMOV o8.x, i1.y\nEND\n",
    ".fragment\n.literal 9000, 3, 2.3e-10, 0\nMUL r0, i2, l0\nF2I r0, r0\nLDC r1, r0.x, r0.y\n"
    "U2F r1, r1\nMUL o0, r1, l0.z\nEND\n",
    ".fragment\n.literal 9000, 3, 0x00000001, 0\nMUL r0, i2, l0\nF2I r0, r0\n"
    "RED r0.x, r0.y, l0.z, ADD\nLDB r1, r0.x, l0.z\nSZB r2, r0.y\n"
    "STI r0, l0.w, i1\nLDI r3, r0.y, l0.w\nMUL o0, i1, i1\nEND\n"};
#define NUM_FS (sizeof(fs) / sizeof(fs[0]))

struct inputs {
   struct stream s;
   struct fuzz_random r;
   struct attila_cmd_program program[NUM_FS];
   bool streams;     /* to memory */
   uint32_t counter; /* of bytes, in memory */
};

static float
random_float(struct inputs *in, float low, float high)
{
   return low + (high - low) * (float)fuzz_random(&in->r, 65536) / 65536.0f;
}

static void
upload_program(struct stream *s, const char *text, struct attila_cmd_program *cmd)
{
   struct attila_isa_program isa;
   char error[256];
   if (!attila_isa_assemble(text, &isa, error, sizeof(error)))
      fuzz_fail("%s", error);
   *cmd = (struct attila_cmd_program){.stage = isa.stage,
                                      .size = (uint32_t)attila_isa_encoded_size(&isa)};
   void *binary = calloc(1, cmd->size);
   attila_isa_encode(&isa, binary);
   attila_isa_free(&isa);
   cmd->address = stream_upload(s, binary, cmd->size);
   free(binary);
}

static void
upload_data(struct inputs *in)
{
   struct stream *s = &in->s;
   float vertex[48][8];
   uint32_t texel[6 * 256];
   for (unsigned v = 0; v < 48; v++) {
      for (unsigned c = 0; c < 8; c++)
         vertex[v][c] = random_float(in, c < 3 ? -1.3f : 0, 1.3f);
      vertex[v][3] = fuzz_random(&in->r, 5) ? 1 : random_float(in, -1, 2);
   }
   for (unsigned a = 0; a < 2; a++)
      stream_attrib(s, a, &vertex[0][0], 4, 96);
   for (unsigned a = 0; a < 2; a++) { /* both in one buffer */
      s->regs.attrib[a].stride = 32;
      s->regs.attrib[a].address += a * 16;
      s->regs.attrib[a].limit -= a * 16;
   }
   for (unsigned i = 0; i < 6 * 256; i++)
      texel[i] = fuzz_random(&in->r, UINT32_MAX);
   for (unsigned t = 0; t < 2; t++)
      s->regs.tex[t] =
          (struct attila_tex_regs){.enable = 1,
                                   .target = t ? ATTILA_TEX_CUBE : ATTILA_TEX_2D,
                                   .format = fuzz_random(&in->r, 4) ? ATTILA_FORMAT_R8G8B8A8_UNORM
                                                                    : ATTILA_FORMAT_R8G8B8A8_UINT,
                                   .address = stream_upload(s, texel, sizeof(texel)),
                                   .width = 16,
                                   .height = 16,
                                   .depth = 1,
                                   .num_levels = 1,
                                   .swizzle = 0 | 1 << 3 | 2 << 6 | 3 << 9,
                                   .mag_filter = ATTILA_FILTER_LINEAR,
                                   .min_filter = fuzz_random(&in->r, 2),
                                   .max_aniso = 1 + fuzz_random(&in->r, 4),
                                   .max_lod = 100};
}

static void
set_state(struct inputs *in, unsigned samples)
{
   /* The first buffer is averaged and shown, which integers cannot be. */
   static const uint32_t formats[] = {ATTILA_FORMAT_R8G8B8A8_UNORM, ATTILA_FORMAT_R8G8B8A8_UNORM,
                                      ATTILA_FORMAT_R32G32B32A32_FLOAT,
                                      ATTILA_FORMAT_R16G16B16A16_SINT};
   struct attila_regs *r = &in->s.regs;
   struct stream *s = &in->s;
   stream_start(s, FUZZ_SIZE, FUZZ_SIZE, samples);
   s->next = FUZZ_DATA;
   for (unsigned i = 0; i < 2; i++)
      r->color[i] = (struct attila_color_regs){.address = FUZZ_COLOR(i),
                                               .format = formats[fuzz_random(&in->r, i ? 4 : 3)],
                                               .pitch_tiles = FUZZ_SIZE / 8,
                                               .write_mask = 15};
   r->zs_address = FUZZ_ZS;
   r->count_samples = 1;
}

/* Every third input writes vertices to memory; buffers that are soon full, too. */
static void
stream_out(struct inputs *in)
{
   uint32_t words[4 + 4] = {0};
   struct attila_stream_target target[ATTILA_MAX_STREAM_BUFFERS] = {0};
   for (unsigned i = 0; i < 4; i++) {
      const struct attila_stream_output o = {.output = fuzz_random(&in->r, 4),
                                             .last = fuzz_random(&in->r, 4),
                                             .buffer = fuzz_random(&in->r, 4),
                                             .offset = 4 * i};
      memcpy(&words[4 + i], &o, 4);
      words[o.buffer] = 64;
      target[o.buffer].address = FUZZ_STREAM + 0x10000 * o.buffer + 4 * fuzz_random(&in->r, 64);
      target[o.buffer].size = 4 * fuzz_random(&in->r, 2000);
   }
   const uint64_t bytes = 40 + fuzz_random(&in->r, 200);
   in->counter = stream_upload(&in->s, &bytes, sizeof(bytes));
   stream_command(&in->s, ATTILA_CMD_STREAM_OUTPUTS, words, 8);
   stream_command(&in->s, ATTILA_CMD_STREAM_TARGETS, target, sizeof(target) / 4);
}

/* As many vertices as a number in memory says. */
static void
count_vertices(struct inputs *in, struct attila_cmd_draw *cmd)
{
   const struct attila_cmd_vertex_count count = {.filled = in->counter,
                                                 .stride = 4 + fuzz_random(&in->r, 20)};
   stream_command(&in->s, ATTILA_CMD_VERTEX_COUNT, &count, sizeof(count) / 4);
   cmd->count = 0;
   cmd->flags = ATTILA_DRAW_COUNTED;
}

/* Another depth test, blending, kind of primitive for every draw. */
static void
random_draw(struct inputs *in)
{
   struct stream *s = &in->s;
   struct fuzz_random *x = &in->r;
   struct attila_regs *r = &s->regs;
   r->z_test = fuzz_random(x, 4) > 0;
   r->z_write = fuzz_random(x, 2);
   r->z_func = fuzz_random(x, 8);
   r->stencil[0].enable = fuzz_random(x, 3) == 0;
   r->stencil[0].func = fuzz_random(x, 8);
   r->stencil[0].zpass = fuzz_random(x, 8);
   r->stencil[0].value_mask = r->stencil[0].write_mask = 255;
   r->color[0].blend_enable = fuzz_random(x, 2);
   r->color[0].rgb_src = fuzz_random(x, ATTILA_FACTOR_INV_CONST_ALPHA + 1);
   r->color[0].rgb_dst = fuzz_random(x, ATTILA_FACTOR_INV_CONST_ALPHA + 1);
   r->color[0].rgb_dst_second = r->color[0].rgb_src >= ATTILA_FACTOR_INV_SRC_ALPHA;
   r->alpha_to_coverage = fuzz_random(x, 5) == 0;
   r->line_smooth = r->poly_smooth = fuzz_random(x, 5) == 0;
   r->fill_front = fuzz_random(x, 8) < 6 ? ATTILA_FILL_SOLID : fuzz_random(x, 3);
   r->line_width = random_float(in, 1, 4);
   r->point_size = random_float(in, 1, 12);
   stream_command(s, ATTILA_CMD_LOAD_PROGRAM, &in->program[fuzz_random(x, NUM_FS)], 3);
   stream_regs(s);
   struct attila_cmd_draw cmd = {.prim = fuzz_random(x, ATTILA_NUM_PRIMS),
                                 .count = 3 + fuzz_random(x, 20),
                                 .start = fuzz_random(x, 20),
                                 .num_instances = 1 + (fuzz_random(x, 4) == 0)};
   if (fuzz_random(x, 2)) {
      cmd.index_size = 1u << fuzz_random(x, 3);
      cmd.index_address = s->regs.tex[0].address; /* any numbers */
      cmd.flags = fuzz_random(x, 2) ? ATTILA_DRAW_RESTART : 0;
      cmd.restart_index = fuzz_random(x, 256);
   } else if (in->streams) {
      count_vertices(in, &cmd);
   }
   stream_command(s, ATTILA_CMD_DRAW, &cmd, sizeof(cmd) / 4);
}

static void
finish_frame(struct inputs *in, unsigned samples)
{
   struct stream *s = &in->s;
   const struct attila_regs *r = &s->regs;
   const uint32_t words = attila_formats[r->color[0].format].bytes;
   struct attila_cmd_blit blit = {
       .src = {.address = FUZZ_COLOR(0), .pitch_tiles = FUZZ_SIZE / 8, .x = 3, .y = 1},
       .dst = {.address = FUZZ_SCRATCH, .pitch_tiles = 4},
       .width = 20,
       .height = 13,
       .depth = 1,
       .element_bytes = words,
       .samples = samples,
       .resolve = samples > 1 ? ATTILA_RESOLVE_AVERAGE : ATTILA_RESOLVE_NONE,
       .format = r->color[0].format};
   const struct attila_cmd_swap swap = {.address = FUZZ_SCRATCH,
                                        .format = r->color[0].format,
                                        .pitch_tiles = 4,
                                        .width = 20,
                                        .height = 13};
   stream_flush(s);
   stream_command(s, ATTILA_CMD_BLIT, &blit, sizeof(blit) / 4);
   for (unsigned i = 0; i < ATTILA_NUM_COUNTERS; i++) {
      const uint32_t payload[2] = {i, FUZZ_SCRATCH + 0x80000 + 8 * i};
      if (i == ATTILA_COUNTER_SAMPLES_PASSED || i == ATTILA_COUNTER_IA_VERTICES ||
          (in->streams && i >= ATTILA_COUNTER_STREAM_PRIMITIVES))
         stream_command(s, ATTILA_CMD_WRITE_COUNTER, payload, 2);
   }
   const struct attila_cmd_swap resolved = {.address = FUZZ_COLOR(0),
                                            .format = r->color[0].format,
                                            .pitch_tiles = FUZZ_SIZE / 8,
                                            .width = 20,
                                            .height = 13,
                                            .flags = ATTILA_SWAP_RESOLVE,
                                            .samples = samples,
                                            .picture_address = FUZZ_SCRATCH,
                                            .picture_pitch_tiles = 3};
   if (samples > 1)
      stream_command(s, ATTILA_CMD_SWAP, &resolved, sizeof(resolved) / 4);
   else
      stream_command(s, ATTILA_CMD_SWAP, &swap, ATTILA_SWAP_WORDS);
}

size_t
fuzz_input(unsigned n, uint8_t data[FUZZ_MAX_SIZE])
{
   static const struct {
      uint32_t stage, first;
      float m[3][4];
   } consts = {ATTILA_STAGE_VERTEX, 0, {{0.9f, 0.1f, 0, 0}, {-0.1f, 0.9f, 0, 0.1f}, {2, 2, 1, 1}}};
   static const uint32_t marker[2] = {ATTILA_MARKER_TEXT, 0x657375};
   struct inputs in = {.r = {.state = n}};
   const unsigned samples = n % 3 == 2 ? 1u << (1 + n % 2) : 1;
   struct attila_cmd_program vertex;
   set_state(&in, samples);
   upload_data(&in);
   upload_program(&in.s, vs, &vertex);
   for (unsigned i = 0; i < NUM_FS; i++)
      upload_program(&in.s, fs[i], &in.program[i]);
   stream_regs(&in.s);
   stream_clear(&in.s, 0.2f, 0.4f, 0.6f, 1, 0.8f, 3);
   stream_command(&in.s, ATTILA_CMD_LOAD_PROGRAM, &vertex, 3);
   stream_command(&in.s, ATTILA_CMD_WRITE_CONSTS, &consts, sizeof(consts) / 4);
   stream_command(&in.s, ATTILA_CMD_MARKER, marker, 2);
   in.streams = n % 3 == 1;
   if (in.streams)
      stream_out(&in);
   const uint32_t words = in.s.regs.tex[0].address; /* any */
   const uint32_t buffers[] = {ATTILA_STAGE_FRAGMENT, 0, words, 6144, words + 256, 1003};
   stream_command(&in.s, ATTILA_CMD_CONST_BUFFERS, buffers, 6);
   stream_command(&in.s, ATTILA_CMD_STORAGE, buffers, 6);
   const uint32_t image[2 + ATTILA_IMAGE_WORDS] = {
       ATTILA_STAGE_FRAGMENT, 0, 65536, ATTILA_FORMAT_R8G8B8A8_UNORM, 2, 0, 16, 16, 1};
   stream_command(&in.s, ATTILA_CMD_IMAGES, image, 2 + ATTILA_IMAGE_WORDS);
   for (unsigned i = 0; i < 1 + n % 4; i++)
      random_draw(&in);
   finish_frame(&in, samples);
   uint32_t choices = n;
   memcpy(data, &choices, 4);
   size_t size = in.s.num * 4;
   if (4 + size > FUZZ_MAX_SIZE)
      abort();
   memcpy(data + 4, in.s.words, size);
   free(in.s.words);
   return 4 + size;
}

/* --- Changes --- */

static const uint8_t least_words[] = {
#define C(NAME, name, words, doc) words,
    ATTILA_COMMANDS(C)
#undef C
};

/* A new command before word at; returns its words. */
static size_t
insert_command(struct fuzz_random *r, uint32_t *w, size_t num, size_t at, size_t max)
{
   uint32_t op = fuzz_random(r, ATTILA_NUM_CMDS), n = least_words[op];
   if (num + 1 + n > max)
      return 0;
   memmove(w + at + 1 + n, w + at, (num - at) * 4);
   w[at] = ATTILA_CMD_HEADER(op, n);
   for (uint32_t i = 1; i <= n; i++)
      w[at + i] = fuzz_odd_word(r, fuzz_random(r, 64));
   if (op == ATTILA_CMD_WRITE_REGS)
      w[at + 1] = fuzz_random(r, ATTILA_NUM_REGS);
   return 1 + n;
}

/* A word of the payload of n words. Of registers mostly one behind the index, of uploads mostly
 * data. */
static void
change_payload(struct fuzz_random *r, uint32_t op, uint32_t *p, uint32_t n)
{
   uint32_t skip = op == ATTILA_CMD_WRITE_REGS ? 1 : op == ATTILA_CMD_WRITE_BUFFER ? 2 : 0;
   if (!n)
      return;
   uint32_t at =
       n > skip && fuzz_random(r, 16) ? skip + fuzz_random(r, n - skip) : fuzz_random(r, n);
   p[at] = fuzz_odd_word(r, p[at]);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
   struct fuzz_random r = {.state = seed};
   size_t num = size / 4, commands = 0;
   if (num < 2 || !fuzz_random(&r, 40))
      return LLVMFuzzerMutate(data, size, max_size);
   static uint32_t w[FUZZ_MAX_SIZE / 4];
   static size_t begin[FUZZ_MAX_SIZE / 4];
   max_size = max_size < FUZZ_MAX_SIZE ? max_size : FUZZ_MAX_SIZE;
   memcpy(w, data, num * 4);
   for (size_t at = 1; at < num; at += 1 + ATTILA_CMD_WORDS(w[at])) {
      begin[commands++] = at;
      if (ATTILA_CMD_WORDS(w[at]) >= num - at)
         break;
   }
   size_t at = begin[fuzz_random(&r, (uint32_t)commands)];
   /* Registers above all: most of what they may hold is executed, other commands are refused soon.
    */
   for (unsigned i = 0; i < 2 && ATTILA_CMD_OP(w[at]) != ATTILA_CMD_WRITE_REGS; i++)
      at = begin[fuzz_random(&r, (uint32_t)commands)];
   size_t n = ATTILA_CMD_WORDS(w[at]), all = 1 + n;
   if (all > num - at)
      all = num - at, n = all - 1;
   switch (fuzz_random(&r, 16)) {
   case 0: /* gone */
      memmove(w + at, w + at + all, (num - at - all) * 4);
      num -= all;
      break;
   case 1: /* twice */
      if ((num + all) * 4 <= max_size) {
         memmove(w + at + all, w + at, (num - at) * 4);
         num += all;
      }
      break;
   case 2:
      num += insert_command(&r, w, num, at, max_size / 4);
      break;
   case 3:
      w[0] = fuzz_random(&r, 4);
      break;
   default:
      change_payload(&r, ATTILA_CMD_OP(w[at]), w + at + 1, (uint32_t)n);
   }
   memcpy(data, w, num * 4);
   return num * 4;
}
