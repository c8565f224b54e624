/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The assembler: directives (.vertex, .fragment, .geometry IN OUT MAX with vertices per primitive
 * in and out and most emitted, .wide, .temps N, .consts N, .literal a, b, c, d) and one instruction
 * per line; # starts a comment. A literal is 0x and the 8 digits of its bits, or a decimal
 * number. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "hw/isa/isa_text.h"

struct parser {
   const char *s;   /* the line's next character */
   const char *end; /* of the line, before a comment */
   unsigned line;
   struct attila_isa_program *p;
   uint32_t capacity, literal_capacity;
   char *error;
   size_t error_size;
};

static bool
isa_parse_bad(struct parser *q, const char *what)
{
   if (q->error_size)
      snprintf(q->error, q->error_size, "line %u: %s", q->line, what);
   return false;
}

static void
isa_parse_skip(struct parser *q)
{
   while (q->s < q->end && (*q->s == ' ' || *q->s == '\t' || *q->s == '\r'))
      q->s++;
}

static bool
isa_parse_accept(struct parser *q, char c)
{
   isa_parse_skip(q);
   if (q->s == q->end || *q->s != c)
      return false;
   q->s++;
   return true;
}

/* Parses a word of letters, digits and underscores, maybe empty. */
static void
isa_parse_word(struct parser *q, char *out, size_t size)
{
   size_t n = 0;
   isa_parse_skip(q);
   while (q->s < q->end && (isalnum((unsigned char)*q->s) || *q->s == '_')) {
      if (n + 1 < size)
         out[n++] = *q->s;
      q->s++;
   }
   out[n] = 0;
}

static bool
isa_parse_number(struct parser *q, uint32_t max, uint32_t *value)
{
   uint64_t v = 0;
   isa_parse_skip(q);
   if (q->s == q->end || !isdigit((unsigned char)*q->s))
      return isa_parse_bad(q, "a number is expected");
   for (; q->s < q->end && isdigit((unsigned char)*q->s); q->s++) {
      v = v * 10 + (uint64_t)(*q->s - '0');
      if (v > max)
         return isa_parse_bad(q, "number out of range");
   }
   *value = (uint32_t)v;
   return true;
}

static int
isa_parse_component(char c)
{
   const char *at = c ? strchr(isa_components, c) : NULL;
   return at ? (int)(at - isa_components) : -1;
}

/* Parses r12 or r[a0.x+12]. */
static bool
isa_parse_reg(struct parser *q, uint8_t *file, uint16_t *index, bool *relative, uint8_t *rel_comp)
{
   uint32_t n;
   isa_parse_skip(q);
   *file = ATTILA_FILE_NONE;
   for (unsigned f = ATTILA_FILE_TEMP; f < ATTILA_NUM_FILES && q->s < q->end; f++) {
      if (isa_file_letters[f][0] == *q->s)
         *file = (uint8_t)f;
   }
   if (*file == ATTILA_FILE_NONE)
      return isa_parse_bad(q, "a register is expected");
   q->s++;
   if ((*relative = isa_parse_accept(q, '['))) {
      if (!isa_parse_accept(q, 'a') || !isa_parse_accept(q, '0') || !isa_parse_accept(q, '.') ||
          q->s == q->end || isa_parse_component(*q->s) < 0)
         return isa_parse_bad(q, "a0.x, a0.y, a0.z or a0.w is expected");
      *rel_comp = (uint8_t)isa_parse_component(*q->s++);
      if (!isa_parse_accept(q, '+') || !isa_parse_number(q, ATTILA_ISA_MAX_INDEX, &n) ||
          !isa_parse_accept(q, ']'))
         return isa_parse_bad(q, "+ number ] is expected");
   } else if (!isa_parse_number(q, ATTILA_ISA_MAX_INDEX, &n)) {
      return false;
   }
   *index = (uint16_t)n;
   return true;
}

static bool
isa_parse_src(struct parser *q, struct attila_isa_src *s)
{
   unsigned swizzle[4] = {0, 1, 2, 3}, n = 0;
   s->negate = isa_parse_accept(q, '-');
   s->absolute = isa_parse_accept(q, '|');
   if (!isa_parse_reg(q, &s->file, &s->index, &s->relative, &s->rel_comp))
      return false;
   if (isa_parse_accept(q, '.')) {
      for (; n < 4 && q->s < q->end && isa_parse_component(*q->s) >= 0; n++)
         swizzle[n] = (unsigned)isa_parse_component(*q->s++);
      if (n != 1 && n != 4)
         return isa_parse_bad(q, "a swizzle has 1 or 4 components");
      if (n == 1)
         swizzle[1] = swizzle[2] = swizzle[3] = swizzle[0];
   }
   s->swizzle = ATTILA_SWZ(swizzle[0], swizzle[1], swizzle[2], swizzle[3]);
   if (s->absolute && !isa_parse_accept(q, '|'))
      return isa_parse_bad(q, "| is expected");
   return true;
}

static bool
isa_parse_dst(struct parser *q, struct attila_isa_dst *d)
{
   if (!isa_parse_reg(q, &d->file, &d->index, &d->relative, &d->rel_comp))
      return false;
   d->write_mask = 15;
   if (!isa_parse_accept(q, '.'))
      return true;
   d->write_mask = 0;
   for (; q->s < q->end && isa_parse_component(*q->s) >= 0; q->s++) {
      unsigned bit = 1u << isa_parse_component(*q->s);
      if (d->write_mask >= bit)
         return isa_parse_bad(q, "a write mask names components once, in order");
      d->write_mask |= (uint8_t)bit;
   }
   return d->write_mask ? true : isa_parse_bad(q, "a write mask is expected");
}

/* Parses three numbers of texels. */
static bool
isa_parse_offset(struct parser *q, struct attila_isa_instr *in)
{
   for (unsigned i = 0; i < 3; i++) {
      const bool negative = isa_parse_accept(q, '-');
      uint32_t texels;
      if (!isa_parse_number(q, negative ? -ATTILA_ISA_MIN_OFFSET : ATTILA_ISA_MAX_OFFSET, &texels))
         return false;
      in->tex_offset[i] = (int8_t)(negative ? -(int32_t)texels : (int32_t)texels);
   }
   return true;
}

static bool
isa_parse_texture(struct parser *q, struct attila_isa_instr *in)
{
   uint32_t unit;
   char name[16];
   if (!isa_parse_accept(q, ',') || !isa_parse_accept(q, 't') ||
       !isa_parse_number(q, ATTILA_MAX_TEX_UNITS - 1, &unit) || !isa_parse_accept(q, ','))
      return isa_parse_bad(q, ", tN, target is expected");
   in->tex_unit = (uint8_t)unit;
   isa_parse_word(q, name, sizeof(name));
   for (in->tex_target = 0; in->tex_target < ATTILA_NUM_TEX_TARGETS; in->tex_target++) {
      if (!strcmp(name, isa_tex_target_names[in->tex_target]))
         break;
   }
   if (in->tex_target == ATTILA_NUM_TEX_TARGETS)
      return isa_parse_bad(q, "unknown texture target");
   while (isa_parse_accept(q, ',')) {
      isa_parse_word(q, name, sizeof(name));
      if (!strcmp(name, "SHADOW") && !in->tex_shadow)
         in->tex_shadow = true;
      else if (!strcmp(name, "COMPONENT") && !in->tex_component) {
         isa_parse_skip(q);
         if (q->s == q->end || isa_parse_component(*q->s) < 0)
            return isa_parse_bad(q, "a component is expected");
         in->tex_component = (uint8_t)isa_parse_component(*q->s++);
      } else if (strcmp(name, "OFFSET"))
         return isa_parse_bad(q, "SHADOW, COMPONENT or OFFSET is expected");
      else
         return isa_parse_offset(q, in);
   }
   return true;
}

/* Parses what follows a memory instruction's sources: words, or the operation. */
static bool
isa_parse_memory(struct parser *q, struct attila_isa_instr *in)
{
   char name[16];
   uint32_t words;
   if (!attila_isa_stores_words(in->op) && !attila_isa_is_atomic(in->op))
      return true;
   if (!isa_parse_accept(q, ','))
      return isa_parse_bad(q, ", is expected");
   if (attila_isa_stores_words(in->op)) {
      if (!isa_parse_number(q, 4, &words))
         return false;
      in->words = (uint8_t)words;
      return true;
   }
   isa_parse_word(q, name, sizeof(name));
   for (in->atomic = 1; in->atomic < ATTILA_NUM_ATOMICS; in->atomic++) {
      if (!strcmp(name, isa_atomic_names[in->atomic]))
         return true;
   }
   return isa_parse_bad(q, "unknown atomic operation");
}

static bool
isa_parse_instr(struct parser *q, struct attila_isa_instr *in)
{
   char name[16];
   isa_parse_word(q, name, sizeof(name));
   size_t length = strlen(name);
   bool saturate = length > 4 && !strcmp(name + length - 4, "_SAT");
   if (saturate)
      name[length - 4] = 0;
   memset(in, 0, sizeof(*in));
   for (in->op = 0; in->op < ATTILA_NUM_OPS; in->op++) {
      if (!strcmp(name, attila_isa_ops[in->op].name))
         break;
   }
   if (in->op == ATTILA_NUM_OPS)
      return isa_parse_bad(q, "unknown instruction");
   const struct attila_isa_op_info *info = &attila_isa_ops[in->op];
   if (saturate && !info->has_dst)
      return isa_parse_bad(q, "_SAT needs a destination");
   if (info->has_dst && !isa_parse_dst(q, &in->dst))
      return false;
   in->dst.saturate = saturate;
   for (unsigned s = 0; s < info->num_srcs; s++) {
      if ((s || info->has_dst) && !isa_parse_accept(q, ','))
         return isa_parse_bad(q, ", is expected");
      if (!isa_parse_src(q, &in->src[s]))
         return false;
   }
   isa_parse_skip(q);
   if (in->op == ATTILA_OP_EMIT && q->s < q->end && isdigit((unsigned char)*q->s)) {
      uint32_t stream;
      if (!isa_parse_number(q, ATTILA_MAX_VERTEX_STREAMS - 1, &stream))
         return false;
      in->target = (uint16_t)stream;
   }
   if (info->cls == ATTILA_CLASS_MEMORY)
      return isa_parse_memory(q, in);
   return info->cls != ATTILA_CLASS_TEXTURE || isa_parse_texture(q, in);
}

static bool
isa_parse_literal(struct parser *q, float value[4])
{
   for (unsigned i = 0; i < 4; i++) {
      char text[48];
      size_t n = 0;
      if (i && !isa_parse_accept(q, ','))
         return isa_parse_bad(q, "a literal has 4 components");
      isa_parse_skip(q);
      while (q->s < q->end && n + 1 < sizeof(text) && *q->s != ',' &&
             !isspace((unsigned char)*q->s))
         text[n++] = *q->s++;
      text[n] = 0;
      char *rest;
      if (n == 10 && text[0] == '0' && text[1] == 'x') {
         uint32_t bits = (uint32_t)strtoul(text + 2, &rest, 16);
         memcpy(&value[i], &bits, 4);
      } else {
         value[i] = strtof(text, &rest);
      }
      if (n == 0 || *rest)
         return isa_parse_bad(q, "a number is expected");
   }
   return true;
}

static bool
isa_parse_grow_array(void **array, uint32_t count, uint32_t *capacity, size_t size)
{
   if (count < *capacity)
      return true;
   void *bigger = realloc(*array, (*capacity ? 2 * *capacity : 64) * size);
   if (!bigger)
      return false;
   *array = bigger;
   *capacity = *capacity ? 2 * *capacity : 64;
   return true;
}

/* Parses vertices per input and output primitive, the most emitted, and invocations if there are
 * several. */
static bool
isa_parse_geometry(struct parser *q)
{
   uint32_t in, out, max, invocations = 1;
   if (!isa_parse_number(q, ATTILA_MAX_PRIM_VERTICES, &in) || !isa_parse_number(q, 3, &out) ||
       !isa_parse_number(q, ATTILA_MAX_GS_VERTICES, &max))
      return false;
   isa_parse_skip(q);
   if (q->s < q->end && isdigit((unsigned char)*q->s) &&
       !isa_parse_number(q, ATTILA_MAX_GS_INVOCATIONS, &invocations))
      return false;
   if (!invocations)
      return isa_parse_bad(q, "number out of range");
   q->p->gs_vertices_in = (uint8_t)in;
   q->p->gs_vertices_out = (uint8_t)out;
   q->p->gs_max_vertices = (uint16_t)max;
   q->p->gs_repeats = (uint8_t)(invocations - 1);
   return true;
}

/* Parses a workgroup's invocations in x, y and z, and bytes of shared memory if there are any. */
static bool
isa_parse_compute(struct parser *q)
{
   uint32_t size[3];
   if (!isa_parse_number(q, ATTILA_MAX_WORKGROUP_XY, &size[0]) ||
       !isa_parse_number(q, ATTILA_MAX_WORKGROUP_XY, &size[1]) ||
       !isa_parse_number(q, ATTILA_MAX_WORKGROUP_Z, &size[2]))
      return false;
   for (unsigned i = 0; i < 3; i++)
      q->p->workgroup[i] = (uint16_t)size[i];
   isa_parse_skip(q);
   return q->s == q->end || !isdigit((unsigned char)*q->s) ||
          isa_parse_number(q, ATTILA_MAX_SHARED_BYTES, &q->p->shared_bytes);
}

static bool
isa_parse_directive(struct parser *q)
{
   char name[16];
   isa_parse_word(q, name, sizeof(name));
   for (unsigned stage = 0; stage < ATTILA_NUM_STAGES; stage++) {
      if (strcmp(name, attila_stage_name(stage)))
         continue;
      q->p->stage = (uint8_t)stage;
      return stage == ATTILA_STAGE_GEOMETRY  ? isa_parse_geometry(q)
             : stage == ATTILA_STAGE_COMPUTE ? isa_parse_compute(q)
                                             : true;
   }
   if (!strcmp(name, "early"))
      return q->p->early_tests = true;
   if (!strcmp(name, "wide"))
      return q->p->wide = true;
   if (!strcmp(name, "temps"))
      return isa_parse_number(q, ATTILA_ISA_MAX_TEMPS, &q->p->num_temps);
   if (!strcmp(name, "consts"))
      return isa_parse_number(q, ATTILA_MAX_CONSTS, &q->p->num_consts);
   if (strcmp(name, "literal"))
      return isa_parse_bad(q, "unknown directive");
   if (q->p->num_literals == ATTILA_ISA_MAX_LITERALS)
      return isa_parse_bad(q, "too many literals");
   void *literals = q->p->literals;
   if (!isa_parse_grow_array(&literals, q->p->num_literals, &q->literal_capacity,
                             sizeof(*q->p->literals)))
      return isa_parse_bad(q, "out of memory");
   q->p->literals = literals;
   return isa_parse_literal(q, q->p->literals[q->p->num_literals++]);
}

static bool
isa_parse_line(struct parser *q)
{
   isa_parse_skip(q);
   if (q->s == q->end)
      return true;
   if (isa_parse_accept(q, '.')) {
      if (!isa_parse_directive(q))
         return false;
   } else {
      if (q->p->num_instrs == ATTILA_ISA_MAX_INSTRS)
         return isa_parse_bad(q, "too many instructions");
      void *instrs = q->p->instrs;
      if (!isa_parse_grow_array(&instrs, q->p->num_instrs, &q->capacity, sizeof(*q->p->instrs)))
         return isa_parse_bad(q, "out of memory");
      q->p->instrs = instrs;
      if (!isa_parse_instr(q, &q->p->instrs[q->p->num_instrs++]))
         return false;
   }
   isa_parse_skip(q);
   return q->s == q->end ? true : isa_parse_bad(q, "text after the end of the line");
}

bool
attila_isa_assemble(const char *text, struct attila_isa_program *p, char *error, size_t error_size)
{
   struct parser q = {.p = p, .error = error, .error_size = error_size};
   memset(p, 0, sizeof(*p));
   for (const char *line = text; *line;) {
      size_t length = strcspn(line, "\n");
      const char *comment = memchr(line, '#', length);
      q.s = line;
      q.end = comment ? comment : line + length;
      q.line++;
      if (!isa_parse_line(&q))
         goto fail;
      line += length + (line[length] == '\n');
   }
   if (attila_isa_finalize(p, error, error_size) && attila_isa_validate(p, error, error_size))
      return true;
fail:
   attila_isa_free(p);
   return false;
}
