/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fuzzes the assembler: any text is refused with a message, or gives a valid program that survives
 * the way to text and back.
 */
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

size_t
fuzz_input(unsigned n, uint8_t data[FUZZ_MAX_SIZE])
{
   char *text;
   if (n < NUM_TEXTS) {
      text = strdup(texts[n]);
   } else {
      random_state = n * 88172645463325253ull;
      struct attila_isa_program p = random_program(true, true, true, 5 + n);
      text = attila_isa_disassemble(&p);
      attila_isa_free(&p);
   }
   size_t size = strlen(text);
   memcpy(data, text, size);
   free(text);
   return size;
}

/* A token changes its place, or any bytes do. */
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
   static const char *const words[] = {
       "MOV ",  "TEX ",  "IF ",   "ENDIF\n", "LOOP\n",   "ENDLOOP\n",
       "END\n", "r4095", "r4096", "l1024",   "c1055",    "c[a0.x]",
       ".xyzw", "-|",    "_SAT",  ".temps ", ".consts ", "99999999999999999999",
       "0x"};
   struct fuzz_random r = {.state = seed};
   if (fuzz_random(&r, 2))
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

static uint8_t *
encode(const struct attila_isa_program *p, size_t *size)
{
   *size = attila_isa_encoded_size(p);
   uint8_t *binary = calloc(1, *size);
   attila_isa_encode(p, binary);
   return binary;
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
   text = attila_isa_disassemble(&p);
   if (!attila_isa_assemble(text, &again, error, sizeof(error)))
      fuzz_fail("what the disassembler writes is refused: %s\n%s", error, text);
   size_t na, nb;
   uint8_t *a = encode(&p, &na), *b = encode(&again, &nb);
   if (na != nb || memcmp(a, b, na))
      fuzz_fail("another program after the way to text and back:\n%s", text);
   free(a);
   free(b);
   free(text);
   attila_isa_free(&p);
   attila_isa_free(&again);
   return 0;
}
