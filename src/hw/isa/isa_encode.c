/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A program's binary form in GPU memory (shader-isa.md), little endian words: 8 for the header, 4
 * per instruction, 4 per literal. Meaningless bits must be 0, so a program has exactly one
 * encoding. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "hw/isa/attila_isa.h"

#define HEADER_WORDS 8
#define INSTR_WORDS 4
#define MAGIC 0x41535441u /* "ATSA" */
#define VERSION 2u

/* The header's last word: of geometry programs, and, with the first four 0, of vertex and fragment
 * programs. */
#define GS_VERTICES_IN(word) ((word)&7)
#define GS_VERTICES_OUT(word) ((word) >> 4 & 3)
#define GS_MAX_VERTICES(word) ((word) >> 8 & 0x7ff)
#define GS_REPEATS(word) ((word) >> 19 & 31)
#define EARLY(word) ((word) >> 30 & 1)
#define WIDE(word) ((word) >> 31)
#define LAST_WORD(in, out, max, repeats, early, wide)                                          \
   ((uint32_t)(in) | (uint32_t)(out) << 4 | (uint32_t)(max) << 8 | (uint32_t)(repeats) << 19 | \
    (uint32_t)(early) << 30 | (uint32_t)(wide) << 31)
/* Of compute programs: invocations in x, y and z, less 1. The words of their shared memory are the
 * upper half of the word with the constants. */
#define CS_X(word) ((word)&0x3ff)
#define CS_Y(word) ((word) >> 10 & 0x3ff)
#define CS_Z(word) ((word) >> 20 & 0x3f)
#define CS_LAST_WORD(x, y, z, wide) \
   ((uint32_t)(x) | (uint32_t)(y) << 10 | (uint32_t)(z) << 20 | (uint32_t)(wide) << 31)
#define CONSTS(word) ((word)&0xffff)
#define SHARED(word) ((word) >> 16)
_Static_assert(ATTILA_MAX_WORKGROUP_XY <= 0x400 && ATTILA_MAX_WORKGROUP_Z <= 0x40, "CS_LAST_WORD");
_Static_assert(ATTILA_MAX_CONSTS <= 0xffff && ATTILA_MAX_SHARED_BYTES / 4 <= 0xffff, "SHARED");
_Static_assert(ATTILA_MAX_GS_VERTICES <= 0x7ff, "GS_MAX_VERTICES");
_Static_assert(ATTILA_MAX_GS_INVOCATIONS - 1 <= 31, "GS_REPEATS");

/* An instruction's fields: word, first bit, bits. Each source is a field group in words 1..3. */
#define FIELD_OP 0, 0, 8
#define FIELD_DST_FILE 0, 8, 3
#define FIELD_DST_MASK 0, 11, 4
#define FIELD_DST_INDEX 0, 15, 12
#define FIELD_DST_SAT 0, 27, 1
#define FIELD_DST_REL 0, 28, 1
#define FIELD_DST_COMP 0, 29, 2
#define FIELD_TEX_SHADOW 0, 31, 1
#define FIELD_TEX_UNIT 1, 28, 4    /* its low bits */
#define FIELD_TEX_TARGET 2, 28, 3  /* its low bits */
#define FIELD_TEX_TARGET3 3, 30, 1 /* its high bit; such targets have no offsets */
#define FIELD_TEX_UNIT4 2, 31, 1
#define FIELD_TARGET 3, 0, 14       /* flow; such instructions have no third source */
#define FIELD_TEX_COMPONENT 3, 0, 2 /* TXG, in place of offsets */
#define FIELD_MEMORY 1, 28, 4       /* memory instructions: words, or the atomic operation */
/* Offsets of texture instructions with fewer than three sources. */
#define FIELD_OFFSET_X 3, 0, 4
#define FIELD_OFFSET_Y 3, 4, 4
#define FIELD_OFFSET_Z 3, 8, 4
/* TXD: the first bit puts offsets in place of sources 1 and 2's modifiers. */
#define FIELD_TXD_OFFSET 3, 31, 1
#define FIELD_TXD_OFFSET_X 3, 23, 4
#define FIELD_TXD_OFFSET_Y 2, 23, 4
#define FIELD_TXD_OFFSET_Z 3, 27, 4
#define SRC_PLAIN_BITS 0x007fffffu /* of a source without modifiers or relative index */

/* The limits fit the fields. */
_Static_assert(ATTILA_NUM_OPS <= 1 << 8, "FIELD_OP");
_Static_assert(ATTILA_NUM_FILES <= 1 << 3, "FIELD_DST_FILE");
_Static_assert(ATTILA_ISA_MAX_INDEX < 1 << 12, "FIELD_DST_INDEX");
_Static_assert(ATTILA_ISA_MAX_TEMPS - 1 <= ATTILA_ISA_MAX_INDEX, "FIELD_DST_INDEX");
_Static_assert(ATTILA_MAX_CONSTS - 1 <= ATTILA_ISA_MAX_INDEX, "FIELD_DST_INDEX");
_Static_assert(ATTILA_ISA_MAX_LITERALS - 1 <= ATTILA_ISA_MAX_INDEX, "FIELD_DST_INDEX");
_Static_assert(ATTILA_ISA_TEX_BANK <= 1 << 5, "FIELD_TEX_UNIT");
_Static_assert(ATTILA_NUM_TEX_TARGETS <= 1 << 4, "FIELD_TEX_TARGET");
_Static_assert(ATTILA_ISA_MAX_INSTRS <= 1 << 14, "FIELD_TARGET");
_Static_assert(ATTILA_NUM_ATOMICS <= 1 << 4, "FIELD_MEMORY");

static void
isa_encode_put(uint32_t w[INSTR_WORDS], unsigned word, unsigned bit, unsigned bits, uint32_t value)
{
   w[word] |= (value & ((1u << bits) - 1)) << bit;
}

static uint32_t
isa_encode_get(const uint32_t w[INSTR_WORDS], unsigned word, unsigned bit, unsigned bits)
{
   return w[word] >> bit & ((1u << bits) - 1);
}

static void
isa_encode_put_src(uint32_t w[INSTR_WORDS], unsigned word, const struct attila_isa_src *s)
{
   isa_encode_put(w, word, 0, 3, s->file);
   isa_encode_put(w, word, 3, 8, s->swizzle);
   isa_encode_put(w, word, 11, 12, s->index);
   isa_encode_put(w, word, 23, 1, s->negate);
   isa_encode_put(w, word, 24, 1, s->absolute);
   isa_encode_put(w, word, 25, 1, s->relative);
   isa_encode_put(w, word, 26, 2, s->relative ? s->rel_comp : 0u);
}

static void
isa_encode_get_src(const uint32_t w[INSTR_WORDS], unsigned word, struct attila_isa_src *s)
{
   s->file = (uint8_t)isa_encode_get(w, word, 0, 3);
   s->swizzle = (uint8_t)isa_encode_get(w, word, 3, 8);
   s->index = (uint16_t)isa_encode_get(w, word, 11, 12);
   s->negate = isa_encode_get(w, word, 23, 1);
   s->absolute = isa_encode_get(w, word, 24, 1);
   s->relative = isa_encode_get(w, word, 25, 1);
   s->rel_comp = (uint8_t)isa_encode_get(w, word, 26, 2);
}

static void
isa_encode_put_offsets(uint32_t w[INSTR_WORDS], const struct attila_isa_instr *in)
{
   const uint32_t x = (uint8_t)in->tex_offset[0], y = (uint8_t)in->tex_offset[1],
                  z = (uint8_t)in->tex_offset[2];
   if (in->op == ATTILA_OP_TXG) {
      isa_encode_put(w, FIELD_TEX_COMPONENT, in->tex_component);
   } else if (attila_isa_ops[in->op].num_srcs < 3) {
      isa_encode_put(w, FIELD_OFFSET_X, x);
      isa_encode_put(w, FIELD_OFFSET_Y, y);
      isa_encode_put(w, FIELD_OFFSET_Z, z);
   } else if (attila_isa_has_offset(in)) {
      isa_encode_put(w, FIELD_TXD_OFFSET, 1);
      isa_encode_put(w, FIELD_TXD_OFFSET_X, x);
      isa_encode_put(w, FIELD_TXD_OFFSET_Y, y);
      isa_encode_put(w, FIELD_TXD_OFFSET_Z, z);
   }
}

static int8_t
isa_encode_get_offset(const uint32_t w[INSTR_WORDS], unsigned word, unsigned bit, unsigned bits)
{
   const uint32_t v = isa_encode_get(w, word, bit, bits);
   return (int8_t)(v < 8 ? (int32_t)v : (int32_t)v - 16);
}

/* Reads them and removes them from the words. */
static void
isa_encode_get_offsets(uint32_t w[INSTR_WORDS], struct attila_isa_instr *in)
{
   if (in->op == ATTILA_OP_TXG) {
      in->tex_component = (uint8_t)isa_encode_get(w, FIELD_TEX_COMPONENT);
   } else if (attila_isa_ops[in->op].num_srcs < 3) {
      in->tex_offset[0] = isa_encode_get_offset(w, FIELD_OFFSET_X);
      in->tex_offset[1] = isa_encode_get_offset(w, FIELD_OFFSET_Y);
      in->tex_offset[2] = isa_encode_get_offset(w, FIELD_OFFSET_Z);
   } else if (isa_encode_get(w, FIELD_TXD_OFFSET)) {
      in->tex_offset[0] = isa_encode_get_offset(w, FIELD_TXD_OFFSET_X);
      in->tex_offset[1] = isa_encode_get_offset(w, FIELD_TXD_OFFSET_Y);
      in->tex_offset[2] = isa_encode_get_offset(w, FIELD_TXD_OFFSET_Z);
      w[2] &= SRC_PLAIN_BITS;
      w[3] &= SRC_PLAIN_BITS;
   }
}

static void
isa_encode_instr(unsigned stage, const struct attila_isa_instr *in, uint32_t w[INSTR_WORDS])
{
   const struct attila_isa_op_info *info = &attila_isa_ops[in->op];
   memset(w, 0, INSTR_WORDS * sizeof(*w));
   isa_encode_put(w, FIELD_OP, in->op);
   if (info->has_dst) {
      isa_encode_put(w, FIELD_DST_FILE, in->dst.file);
      isa_encode_put(w, FIELD_DST_MASK, in->dst.write_mask);
      isa_encode_put(w, FIELD_DST_INDEX, in->dst.index);
      isa_encode_put(w, FIELD_DST_SAT, in->dst.saturate);
      isa_encode_put(w, FIELD_DST_REL, in->dst.relative);
      isa_encode_put(w, FIELD_DST_COMP, in->dst.relative ? in->dst.rel_comp : 0);
   }
   for (unsigned s = 0; s < info->num_srcs; s++)
      isa_encode_put_src(w, 1 + s, &in->src[s]);
   if (info->cls == ATTILA_CLASS_TEXTURE) {
      isa_encode_put(w, FIELD_TEX_SHADOW, in->tex_shadow);
      const uint32_t unit = in->tex_unit - attila_isa_tex_bank(stage);
      isa_encode_put(w, FIELD_TEX_UNIT, unit);
      isa_encode_put(w, FIELD_TEX_UNIT4, unit >> 4);
      isa_encode_put(w, FIELD_TEX_TARGET, in->tex_target);
      if (in->tex_target >> 3)
         isa_encode_put(w, FIELD_TEX_TARGET3, 1);
      isa_encode_put_offsets(w, in);
   }
   if (info->cls == ATTILA_CLASS_MEMORY)
      isa_encode_put(w, FIELD_MEMORY, attila_isa_stores_words(in->op) ? in->words : in->atomic);
   if (info->cls == ATTILA_CLASS_FLOW)
      isa_encode_put(w, FIELD_TARGET, in->target);
}

/* Returns false if the words are not what isa_encode_instr makes: unknown opcode or meaningless
 * bits set. */
static bool
isa_encode_decode_instr(unsigned stage, const uint32_t w[INSTR_WORDS], struct attila_isa_instr *in)
{
   memset(in, 0, sizeof(*in));
   in->op = (uint8_t)isa_encode_get(w, FIELD_OP);
   if (in->op >= ATTILA_NUM_OPS)
      return false;
   const struct attila_isa_op_info *info = &attila_isa_ops[in->op];
   if (info->has_dst) {
      in->dst.file = (uint8_t)isa_encode_get(w, FIELD_DST_FILE);
      in->dst.write_mask = (uint8_t)isa_encode_get(w, FIELD_DST_MASK);
      in->dst.index = (uint16_t)isa_encode_get(w, FIELD_DST_INDEX);
      in->dst.saturate = isa_encode_get(w, FIELD_DST_SAT);
      in->dst.relative = isa_encode_get(w, FIELD_DST_REL);
      in->dst.rel_comp = (uint8_t)isa_encode_get(w, FIELD_DST_COMP);
   }
   uint32_t plain[INSTR_WORDS];
   memcpy(plain, w, sizeof(plain));
   if (info->cls == ATTILA_CLASS_TEXTURE)
      isa_encode_get_offsets(plain, in);
   for (unsigned s = 0; s < info->num_srcs; s++)
      isa_encode_get_src(plain, 1 + s, &in->src[s]);
   if (info->cls == ATTILA_CLASS_TEXTURE) {
      in->tex_shadow = isa_encode_get(w, FIELD_TEX_SHADOW);
      in->tex_unit =
          (uint8_t)(attila_isa_tex_bank(stage) +
                    (isa_encode_get(w, FIELD_TEX_UNIT) | isa_encode_get(w, FIELD_TEX_UNIT4) << 4));
      in->tex_target = (uint8_t)(isa_encode_get(w, FIELD_TEX_TARGET) |
                                 isa_encode_get(plain, FIELD_TEX_TARGET3) << 3);
   }
   if (attila_isa_stores_words(in->op))
      in->words = (uint8_t)isa_encode_get(w, FIELD_MEMORY);
   if (attila_isa_is_atomic(in->op))
      in->atomic = (uint8_t)isa_encode_get(w, FIELD_MEMORY);
   if (info->cls == ATTILA_CLASS_FLOW)
      in->target = (uint16_t)isa_encode_get(w, FIELD_TARGET);
   uint32_t again[INSTR_WORDS];
   isa_encode_instr(stage, in, again);
   return memcmp(again, w, sizeof(again)) == 0;
}

size_t
attila_isa_encoded_size(const struct attila_isa_program *p)
{
   return 4 * (HEADER_WORDS + INSTR_WORDS * (size_t)p->num_instrs + 4 * (size_t)p->num_literals);
}

/* Returns the header's last word. */
static uint32_t
isa_encode_last_word(const struct attila_isa_program *p)
{
   if (p->stage == ATTILA_STAGE_COMPUTE)
      return CS_LAST_WORD(p->workgroup[0] - 1, p->workgroup[1] - 1, p->workgroup[2] - 1, p->wide);
   return LAST_WORD(p->gs_vertices_in, p->gs_vertices_out, p->gs_max_vertices, p->gs_repeats,
                    p->early_tests, p->wide);
}

/* Takes what is in the header's last word; false: bits without a meaning are set. */
static bool
isa_encode_decode_last_word(uint32_t last, struct attila_isa_program *p)
{
   p->wide = WIDE(last);
   if (p->stage == ATTILA_STAGE_COMPUTE) {
      p->workgroup[0] = (uint16_t)(CS_X(last) + 1);
      p->workgroup[1] = (uint16_t)(CS_Y(last) + 1);
      p->workgroup[2] = (uint16_t)(CS_Z(last) + 1);
   } else {
      p->gs_vertices_in = (uint8_t)GS_VERTICES_IN(last);
      p->gs_vertices_out = (uint8_t)GS_VERTICES_OUT(last);
      p->gs_max_vertices = (uint16_t)GS_MAX_VERTICES(last);
      p->gs_repeats = (uint8_t)GS_REPEATS(last);
      p->early_tests = EARLY(last);
   }
   return isa_encode_last_word(p) == last;
}

void
attila_isa_encode(const struct attila_isa_program *p, void *binary)
{
   uint8_t *out = binary;
   const uint32_t header[HEADER_WORDS] = {
       MAGIC,
       VERSION,
       p->stage,
       p->num_instrs,
       p->num_literals,
       p->num_temps,
       p->num_consts | p->shared_bytes / 4 << 16,
       isa_encode_last_word(p),
   };
   memcpy(out, header, sizeof(header));
   out += sizeof(header);
   for (uint32_t i = 0; i < p->num_instrs; i++, out += 4 * INSTR_WORDS) {
      uint32_t w[INSTR_WORDS];
      isa_encode_instr(p->stage, &p->instrs[i], w);
      memcpy(out, w, sizeof(w));
   }
   if (p->num_literals)
      memcpy(out, p->literals, p->num_literals * sizeof(*p->literals));
}

static bool
isa_encode_decode_error(char *error, size_t size, const char *what)
{
   if (size)
      snprintf(error, size, "program: %s", what);
   return false;
}

static bool
isa_encode_decode_body(const uint8_t *in, struct attila_isa_program *p, char *error,
                       size_t error_size)
{
   p->instrs = calloc(p->num_instrs, sizeof(*p->instrs));
   p->literals = p->num_literals ? calloc(p->num_literals, sizeof(*p->literals)) : NULL;
   if (!p->instrs || (p->num_literals && !p->literals))
      return isa_encode_decode_error(error, error_size, "out of memory");
   for (uint32_t i = 0; i < p->num_instrs; i++, in += 4 * INSTR_WORDS) {
      uint32_t w[INSTR_WORDS];
      memcpy(w, in, sizeof(w));
      if (!isa_encode_decode_instr(p->stage, w, &p->instrs[i])) {
         if (error_size)
            snprintf(error, error_size, "instruction %u: unknown opcode or reserved bits set", i);
         return false;
      }
   }
   if (p->num_literals)
      memcpy(p->literals, in, p->num_literals * sizeof(*p->literals));
   /* Validates before finalizing, to check the binary itself. */
   return attila_isa_validate(p, error, error_size) && attila_isa_finalize(p, error, error_size);
}

bool
attila_isa_decode(const void *binary, size_t size, struct attila_isa_program *p, char *error,
                  size_t error_size)
{
   uint32_t header[HEADER_WORDS];
   memset(p, 0, sizeof(*p));
   if (size < sizeof(header))
      return isa_encode_decode_error(error, error_size, "shorter than its header");
   memcpy(header, binary, sizeof(header));
   p->stage = (uint8_t)(header[2] < ATTILA_NUM_STAGES ? header[2] : 0);
   if (header[0] != MAGIC || header[1] != VERSION ||
       !isa_encode_decode_last_word(header[HEADER_WORDS - 1], p)) {
      memset(p, 0, sizeof(*p));
      return isa_encode_decode_error(error, error_size, "not a program of this instruction set");
   }
   if (header[2] >= ATTILA_NUM_STAGES || header[3] == 0 || header[3] > ATTILA_ISA_MAX_INSTRS ||
       header[4] > ATTILA_ISA_MAX_LITERALS || header[5] > ATTILA_ISA_MAX_TEMPS ||
       CONSTS(header[6]) > ATTILA_MAX_CONSTS) {
      memset(p, 0, sizeof(*p));
      return isa_encode_decode_error(error, error_size, "a count in the header is out of range");
   }
   p->num_instrs = header[3];
   p->num_literals = header[4];
   p->num_temps = header[5];
   p->num_consts = CONSTS(header[6]);
   p->shared_bytes = 4 * SHARED(header[6]);
   if (size < attila_isa_encoded_size(p)) {
      memset(p, 0, sizeof(*p));
      return isa_encode_decode_error(error, error_size, "shorter than its header says");
   }
   if (isa_encode_decode_body((const uint8_t *)binary + sizeof(header), p, error, error_size))
      return true;
   attila_isa_free(p);
   return false;
}
