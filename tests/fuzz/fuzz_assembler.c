/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fuzzes the assembler: any text is refused with a message, or gives a program that names no
 * register that is not there and survives the way to text and back. A random program's text is not
 * refused, and gives that program. */
#include <stdlib.h>
#include <string.h>
#include "../unit/shader_random.h"
#include "fuzz.h"

static const char *const texts[] = {
    ".vertex\nDP4 o0.x, i0, c0\nDP4 o0.y, i0, c1\nMOV o1, -|i1.wzyx|\nEND\n",
    ".fragment\n.literal 0x3f800000, 0, 1.5, -2\nTEX r0, i2, t0, 2D\nMAD_SAT r0.xy, r0, l0, i1\n"
    "KIL r0.x\nMOV o0, r0\nEND\n",
    ".fragment\nMOV r0, i0\nLOOP\nSGE r1.x, r0.x, i1.x\nIF r1.x\nBRK\nELSE\nCONT\nENDIF\nENDLOOP\n"
    "MOV o0, r0\nEND\n",
    ".vertex\nARL a0.x, i0.x\nMOV o0, c[a0.x + 3]\nTXL r0, i1, t16, CUBE\nEND\n",
};
#define NUM_TEXTS (sizeof(texts) / sizeof(texts[0]))
const unsigned fuzz_num_inputs = NUM_TEXTS + 28;

static uint8_t *
encode(const struct attila_isa_program *p, size_t *size)
{
   *size = attila_isa_encoded_size(p);
   uint8_t *binary = calloc(1, *size);
   attila_isa_encode(p, binary);
   return binary;
}

static void
expect_same(const struct attila_isa_program *p, const struct attila_isa_program *q,
            const char *text)
{
   size_t np, nq;
   uint8_t *a = encode(p, &np), *b = encode(q, &nq);
   if (np != nq || memcmp(a, b, np))
      fuzz_fail("another program after the way to text and back:\n%s", text);
   free(a);
   free(b);
}

/* The text of a random program, which is no longer than FUZZ_MAX_SIZE. */
static char *
random_text(uint64_t seed, unsigned length)
{
   char error[256];
   struct attila_isa_program q;
   random_state = (seed + 1) * 88172645463325253ull;
   struct attila_isa_program p = random_program(true, true, true, length);
   char *text = attila_isa_disassemble(&p);
   if (!attila_isa_assemble(text, &q, error, sizeof(error)))
      fuzz_fail("a program's text is refused: %s\n%s", error, text);
   expect_same(&p, &q, text);
   attila_isa_free(&q);
   attila_isa_free(&p);
   return text;
}

size_t
fuzz_input(unsigned n, uint8_t data[FUZZ_MAX_SIZE])
{
   char *text = n < NUM_TEXTS ? strdup(texts[n]) : random_text(n, 5 + n);
   size_t size = strlen(text);
   memcpy(data, text, size);
   free(text);
   return size;
}

/* A token changes its place, or any bytes do, or it is another program. */
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
   static const char *const words[] = {
       "MOV ",   "TEX ",  "IF ",   "ENDIF\n", "LOOP\n",   "ENDLOOP\n",
       "END\n",  "r4095", "r4096", "l1024",   "c1055",    "c[a0.x]",
       ".xyzw",  "-|",    "_SAT",  ".temps ", ".consts ", "99999999999999999999",
       "0x",     "l1",    "l4",    "r12",     "c12",      "[a0.w+4095]",
       "t31",    "t32",   "o8",    "i31",     "i7",       ".geometry 3 3 4\n",
       "EMIT\n", "CUT\n"};
   struct fuzz_random r = {.state = seed};
   const uint32_t way = fuzz_random(&r, 5);
   if (way == 0) {
      char *text = random_text(seed, 1 + fuzz_random(&r, 20));
      size_t n = strlen(text);
      if (n <= max_size)
         memcpy(data, text, size = n);
      free(text);
      return size;
   }
   if (way < 3)
      return LLVMFuzzerMutate(data, size, max_size);
   const char *word = words[fuzz_random(&r, sizeof(words) / sizeof(words[0]))];
   size_t n = strlen(word), at = fuzz_random(&r, (uint32_t)size + 1);
   if (size + n > max_size)
      return size;
   if (fuzz_random(&r, 2)) { /* in between; otherwise over what is there */
      memmove(data + at + n, data + at, size - at);
      size += n;
   }
   memcpy(data + at, word, n);
   return at + n > size ? at + n : size;
}

/* What attila_isa_validate has to see, in other words. */
static void
check_indices(const struct attila_isa_program *p)
{
   const uint32_t limit[ATTILA_NUM_FILES] = {
       [ATTILA_FILE_TEMP] = p->num_temps,
       [ATTILA_FILE_INPUT] = p->stage == ATTILA_STAGE_GEOMETRY
                                 ? ATTILA_GS_INPUT(ATTILA_MAX_GS_INPUTS, 0)
                                 : ATTILA_ISA_MAX_INPUTS,
       [ATTILA_FILE_OUTPUT] = p->stage == ATTILA_STAGE_FRAGMENT ? ATTILA_FS_OUTPUT_SAMPLES + 1
                                                                : ATTILA_ISA_MAX_OUTPUTS,
       [ATTILA_FILE_CONST] = p->num_consts,
       [ATTILA_FILE_LITERAL] = p->num_literals,
       [ATTILA_FILE_ADDRESS] = 1};
   if (p->num_temps > ATTILA_ISA_MAX_TEMPS || p->num_consts > ATTILA_MAX_CONSTS)
      fuzz_fail("%u temporaries, %u constants", p->num_temps, p->num_consts);
   for (uint32_t i = 0; i < p->num_instrs; i++) {
      const struct attila_isa_instr *in = &p->instrs[i];
      const struct attila_isa_op_info *info = &attila_isa_ops[in->op];
      bool inside = !info->has_dst ||
                    (in->dst.file < ATTILA_NUM_FILES && in->dst.index < limit[in->dst.file]);
      for (unsigned s = 0; s < info->num_srcs; s++)
         inside &= in->src[s].file < ATTILA_NUM_FILES && in->src[s].index < limit[in->src[s].file];
      if (!inside || (info->cls == ATTILA_CLASS_TEXTURE && in->tex_unit >= ATTILA_MAX_TEX_UNITS))
         fuzz_fail("instruction %u names what is not there", i);
   }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct attila_isa_program p, again;
   char error[256] = "";
   char *text = malloc(size + 1);
   memcpy(text, data, size);
   text[size] = '\0';
   bool ok = attila_isa_assemble(text, &p, error, sizeof(error));
   free(text);
   if (!ok) {
      if (!error[0])
         fuzz_fail("the assembler refuses a text without a message");
      return 0;
   }
   if (!attila_isa_validate(&p, error, sizeof(error)))
      fuzz_fail("the assembler made a program that is not valid: %s", error);
   check_indices(&p);
   text = attila_isa_disassemble(&p);
   if (!attila_isa_assemble(text, &again, error, sizeof(error)))
      fuzz_fail("what the disassembler writes is refused: %s\n%s", error, text);
   expect_same(&p, &again, text);
   free(text);
   attila_isa_free(&p);
   attila_isa_free(&again);
   return 0;
}
