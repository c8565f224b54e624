/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fuzzes shader binaries: any bytes are refused with a message, or are a valid program that
 * encoding, disassembling and assembling give back bit for bit, and that the emulator runs with a
 * result that does not depend on what its registers held before. Not here: its pixels in both modes
 * (fuzz_commands.c). */
#include <stdlib.h>
#include <string.h>
#include "../unit/shader_random.h"
#include "hw/attila_cmd.h"
#include "emul/shader/emul_shader.h"
#include "fuzz.h"

#define HEADER 64 /* bytes */
#define INSTR 16

const unsigned fuzz_num_inputs = 32;

/* Made of a program that kills nothing: its first instruction reads a vertex, others become EMIT
 * and CUT. */
static void
make_geometry(struct attila_isa_program *p, unsigned n)
{
   char error[128];
   p->stage = ATTILA_STAGE_GEOMETRY;
   p->gs_vertices_in = (uint8_t)(n % 2 ? 3 : 6);
   p->gs_vertices_out = (uint8_t)(1 + n % 3);
   p->gs_max_vertices = (uint16_t)(1 + n % 5);
   p->gs_repeats = (uint8_t)(n % 4);
   for (uint32_t i = 0; i < p->num_instrs; i++) {
      struct attila_isa_instr *in = &p->instrs[i];
      const unsigned op = in->op;
      if (op == ATTILA_OP_DDX || op == ATTILA_OP_DDY || (attila_isa_ops[op].has_dst && i % 5 == 4))
         *in = (struct attila_isa_instr){.op = i % 3 ? ATTILA_OP_EMIT : ATTILA_OP_CUT};
      if (attila_isa_ops[in->op].cls == ATTILA_CLASS_TEXTURE)
         in->tex_unit = (uint8_t)(attila_first_tex_unit(p->stage) + in->tex_unit / 2);
      for (unsigned s = 0; s < attila_isa_ops[in->op].num_srcs; s++) {
         if (in->src[s].file == ATTILA_FILE_INPUT)
            in->src[s].index = (uint16_t)ATTILA_GS_INPUT(in->src[s].index, i % p->gs_vertices_in);
      }
   }
   if (!attila_isa_finalize(p, error, sizeof(error)))
      abort();
}

size_t
fuzz_input(unsigned n, uint8_t data[FUZZ_MAX_SIZE])
{
   random_state = (n + 1) * 88172645463325253ull;
   struct attila_isa_program p = random_program(n % 2, true, n % 3, 4 + 3 * n);
   if (n % 4 == 3)
      p.stage = ATTILA_STAGE_VERTEX;
   if (n % 12 == 9)
      make_geometry(&p, n);
   size_t size = attila_isa_encoded_size(&p);
   if (size > FUZZ_MAX_SIZE)
      abort();
   attila_isa_encode(&p, data);
   attila_isa_free(&p);
   return size;
}

/* A bit or a word of an instruction, or a whole one. */
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
   struct fuzz_random r = {.state = seed};
   if (size < HEADER + 2 * INSTR || !fuzz_random(&r, 5))
      return LLVMFuzzerMutate(data, size, max_size);
   uint32_t n = (uint32_t)(size - HEADER) / INSTR, word[INSTR / 4];
   uint8_t *at = data + HEADER + (size_t)INSTR * fuzz_random(&r, n);
   unsigned w = fuzz_random(&r, INSTR / 4);
   memcpy(word, at, INSTR);
   switch (fuzz_random(&r, 5)) {
   case 0: /* another opcode */
      word[0] = (word[0] & ~0xffu) | fuzz_random(&r, ATTILA_NUM_OPS + 1);
      break;
   case 1:
      memcpy(word, data + HEADER + (size_t)INSTR * fuzz_random(&r, n), INSTR);
      break;
   case 2:
      word[w] = fuzz_odd_word(&r, word[w]);
      break;
   default:
      word[w] ^= 1u << fuzz_random(&r, 32);
   }
   memcpy(at, word, INSTR);
   return size;
}

/* What a texture unit could answer, from what the request has. */
static void
sample(void *user, const struct emul_tex_request *request, struct emul_vec4 *texel)
{
   const float *from = request->op == ATTILA_OP_TXS ? request->lod : request->coord[0];
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned l = 0; !(request->unread >> c & 1) && l < EMUL_LANES; l++)
         texel->c[c][l] = from[l] * 0.5f + (float)c;
   }
}

static struct emul_vec4 *
registers(size_t n, int byte)
{
   struct emul_vec4 *v = aligned_alloc(64, (n ? n : 1) * sizeof(*v));
   memset(v, byte, (n ? n : 1) * sizeof(*v));
   return v;
}

#define NUM_INPUTS ATTILA_GS_INPUT(ATTILA_MAX_GS_INPUTS, 0)

/* What lanes emit goes to memory that was full of a byte; the caller frees it. */
static struct emul_emission *
prepare_emission(struct emul_thread *t, const struct attila_isa_program *isa, int byte)
{
   if (isa->stage != ATTILA_STAGE_GEOMETRY)
      return NULL;
   struct emul_emission *e = calloc(EMUL_LANES, sizeof(*e));
   const size_t size = (size_t)isa->gs_max_vertices * ATTILA_ISA_MAX_OUTPUTS * sizeof(*e->out);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      e[l].out = malloc(size);
      memset(e[l].out, byte, size);
      emul_emission_start(&e[l], ATTILA_ISA_MAX_OUTPUTS, isa->gs_max_vertices);
      t->emission[l] = &e[l];
   }
   return e;
}

/* What was emitted becomes a sum in output 0, which is compared. */
static void
take_emission(struct emul_emission *e, struct emul_vec4 *outputs)
{
   for (unsigned l = 0; e && l < EMUL_LANES; l++) {
      uint32_t sum = e[l].num;
      const uint32_t *words = (const uint32_t *)e[l].out;
      for (size_t i = 0; i < (size_t)e[l].num * e[l].outputs * 4; i++)
         sum = sum * 31 + words[i];
      for (unsigned v = 0; v < e[l].num; v++)
         sum = sum * 31 + (e[l].begins[v / 32] >> v % 32 & 1);
      memcpy(&outputs[0].c[0][l], &sum, sizeof(sum));
      free(e[l].out);
   }
   free(e);
}

/* The outputs, from registers that were full of a byte. */
static struct emul_vec4 *
execute(const struct emul_program *program, int byte)
{
   static float consts[ATTILA_MAX_CONSTS][4];
   static uint8_t memory[256];
   static const struct emul_const_buffer buffers[ATTILA_MAX_CONST_BUFFERS] = {
       {.address = 16, .size = 64}, {.address = 128, .size = 128}};
   static const struct emul_const_buffer storage[ATTILA_MAX_STORAGE_BUFFERS] = {
       {.address = 64, .size = 40}, {.address = 4, .size = 252}};
   const struct attila_isa_program *isa = emul_program_isa(program);
   struct emul_vec4 *temps = registers(isa->num_temps, byte);
   struct emul_vec4 *outputs = registers(ATTILA_ISA_MAX_OUTPUTS, byte);
   struct emul_vec4 *inputs = registers(NUM_INPUTS, 0);
   for (unsigned i = 0; i < ATTILA_MAX_CONSTS * 4; i++)
      consts[i / 4][i % 4] = (float)(i % 37) - 11.5f;
   for (unsigned i = 0; i < sizeof(memory); i++)
      memory[i] = (uint8_t)(i * 7);
   for (unsigned i = 0; i < NUM_INPUTS * 4; i++) {
      for (unsigned l = 0; l < EMUL_LANES; l++)
         inputs[i / 4].c[i % 4][l] = (float)((i * 7 + l) % 19) - 3.25f;
   }
   struct emul_thread *t = aligned_alloc(64, sizeof(*t));
   memset(t, byte, sizeof(*t));
   t->temps = temps;
   t->inputs = inputs;
   t->outputs = outputs;
   t->consts = consts;
   t->buffers = buffers;
   static const struct attila_image images[ATTILA_MAX_IMAGES] = {
       {.address = 0, .format = ATTILA_FORMAT_R8G8_UNORM, .width = 100, .height = 1, .depth = 1},
       {.address = 4, .format = ATTILA_FORMAT_R32_UINT, .width = 60, .height = 1, .depth = 1}};
   t->storage = storage;
   t->images = images;
   t->accesses = NULL;
   t->memory = memory;
   struct emul_emission *emission = prepare_emission(t, isa, byte);
   emul_thread_start(t, program, 0xffff, isa->stage == ATTILA_STAGE_FRAGMENT, 1u << 16);
   emul_thread_hurry(t); /* a loop without end is not worth the time */
   if (emul_thread_run(t, sample, NULL) != EMUL_STEP_END)
      fuzz_fail("the emulator did not come to the program's end");
   take_emission(emission, outputs);
   if (t->killed == t->lanes) /* it ended early, and nothing is used */
      memset(outputs, 0, ATTILA_ISA_MAX_OUTPUTS * sizeof(*outputs));
   free(t);
   free(temps);
   free(inputs);
   return outputs;
}

static void
check_execution(const struct attila_isa_program *p)
{
   struct emul_program *program = emul_program_create(p);
   if (!program)
      fuzz_fail("the emulator refuses a valid program");
   struct emul_vec4 *a = execute(program, 0x00), *b = execute(program, 0x5a);
   for (unsigned i = 0; i < ATTILA_ISA_MAX_OUTPUTS; i++) {
      if (p->outputs_written & 1ull << i && memcmp(&a[i], &b[i], sizeof(a[i])))
         fuzz_fail("output %u depends on what the registers held before", i);
   }
   free(a);
   free(b);
   emul_program_destroy(program);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct attila_isa_program p, again;
   char error[256] = "";
   if (!attila_isa_decode(data, size, &p, error, sizeof(error))) {
      if (!error[0])
         fuzz_fail("a binary is refused without a message");
      return 0;
   }
   if (!attila_isa_validate(&p, error, sizeof(error)))
      fuzz_fail("what was decoded is not valid: %s", error);
   size_t n = attila_isa_encoded_size(&p);
   uint8_t *binary = calloc(1, n);
   attila_isa_encode(&p, binary);
   if (n > size || memcmp(binary, data, n))
      fuzz_fail("encoding gives another binary");
   char *text = attila_isa_disassemble(&p);
   if (!attila_isa_assemble(text, &again, error, sizeof(error)))
      fuzz_fail("what the disassembler writes is refused: %s\n%s", error, text);
   if (attila_isa_encoded_size(&again) != n)
      fuzz_fail("a binary of another size after the way to text and back:\n%s", text);
   memset(binary, 0, n);
   attila_isa_encode(&again, binary);
   if (memcmp(binary, data, n))
      fuzz_fail("another binary after the way to text and back:\n%s", text);
   check_execution(&p);
   free(text);
   free(binary);
   attila_isa_free(&p);
   attila_isa_free(&again);
   return 0;
}
