/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The disassembler, for isa_parse.c: literals are bit patterns, which keep NaN payloads and signs
 * of zero; comments have their values. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "hw/isa/isa_text.h"

const char *const isa_tex_target_names[ATTILA_NUM_TEX_TARGETS] = {
#define T(name) #name,
    ATTILA_TEX_TARGETS(T)
#undef T
};
const char *const isa_atomic_names[ATTILA_NUM_ATOMICS] = {"?",
#define A(name, result) #name,
                                                          ATTILA_ATOMICS(A)
#undef A
};
const char *const isa_file_letters[ATTILA_NUM_FILES] = {
#define F(name, letter, size, doc) letter,
    ATTILA_ISA_FILES(F)
#undef F
};
const char isa_components[5] = "xyzw";

struct text {
   char *s;
   size_t length, capacity;
   bool failed;
};

static void __attribute__((format(printf, 2, 3)))
isa_print_add(struct text *t, const char *format, ...)
{
   char piece[192];
   va_list args;
   va_start(args, format);
   int n = vsnprintf(piece, sizeof(piece), format, args);
   va_end(args);
   if (n < 0 || (size_t)n >= sizeof(piece))
      t->failed = true;
   if (t->failed)
      return;
   if (t->length + (size_t)n + 1 > t->capacity) {
      size_t capacity = 2 * (t->length + (size_t)n + 1) + 1024;
      char *s = realloc(t->s, capacity);
      if (!s) {
         t->failed = true;
         return;
      }
      t->s = s;
      t->capacity = capacity;
   }
   memcpy(t->s + t->length, piece, (size_t)n + 1);
   t->length += (size_t)n;
}

static void
isa_print_add_register(struct text *t, unsigned file, unsigned index, bool relative, unsigned comp)
{
   const char *letter = file < ATTILA_NUM_FILES ? isa_file_letters[file] : "?";
   if (relative)
      isa_print_add(t, "%s[a0.%c+%u]", letter, isa_components[comp & 3], index);
   else
      isa_print_add(t, "%s%u", letter, index);
}

static void
isa_print_add_src(struct text *t, const struct attila_isa_src *s)
{
   isa_print_add(t, "%s%s", s->negate ? "-" : "", s->absolute ? "|" : "");
   isa_print_add_register(t, s->file, s->index, s->relative, s->rel_comp);
   if (s->swizzle == ATTILA_SWZ_GET(s->swizzle, 0) * 0x55)
      isa_print_add(t, ".%c", isa_components[s->swizzle & 3]);
   else if (s->swizzle != ATTILA_SWZ_XYZW)
      isa_print_add(t, ".%c%c%c%c", isa_components[ATTILA_SWZ_GET(s->swizzle, 0)],
                    isa_components[ATTILA_SWZ_GET(s->swizzle, 1)],
                    isa_components[ATTILA_SWZ_GET(s->swizzle, 2)],
                    isa_components[ATTILA_SWZ_GET(s->swizzle, 3)]);
   if (s->absolute)
      isa_print_add(t, "|");
}

static void
isa_print_add_dst(struct text *t, const struct attila_isa_dst *d)
{
   isa_print_add_register(t, d->file, d->index, d->relative, d->rel_comp);
   if (d->write_mask == 15)
      return;
   isa_print_add(t, ".");
   for (unsigned c = 0; c < 4; c++) {
      if (d->write_mask >> c & 1)
         isa_print_add(t, "%c", isa_components[c]);
   }
}

static void
isa_print_add_instr(struct text *t, const struct attila_isa_instr *in)
{
   if (in->op >= ATTILA_NUM_OPS) {
      isa_print_add(t, "# unknown opcode %u\n", in->op);
      return;
   }
   const struct attila_isa_op_info *info = &attila_isa_ops[in->op];
   const char *separator = " ";
   isa_print_add(t, "%s%s", info->name, info->has_dst && in->dst.saturate ? "_SAT" : "");
   if (info->has_dst) {
      isa_print_add(t, " ");
      isa_print_add_dst(t, &in->dst);
      separator = ", ";
   }
   for (unsigned s = 0; s < info->num_srcs; s++) {
      isa_print_add(t, "%s", separator);
      isa_print_add_src(t, &in->src[s]);
      separator = ", ";
   }
   if (in->op == ATTILA_OP_EMIT && in->target)
      isa_print_add(t, " %u", in->target);
   if (info->cls == ATTILA_CLASS_TEXTURE)
      isa_print_add(t, ", t%u, %s%s", in->tex_unit,
                    in->tex_target < ATTILA_NUM_TEX_TARGETS ? isa_tex_target_names[in->tex_target]
                                                            : "?",
                    in->tex_shadow ? ", SHADOW" : "");
   if (attila_isa_stores_words(in->op))
      isa_print_add(t, ", %u", in->words);
   if (attila_isa_is_atomic(in->op))
      isa_print_add(t, ", %s", isa_atomic_names[in->atomic < ATTILA_NUM_ATOMICS ? in->atomic : 0]);
   if (in->tex_component)
      isa_print_add(t, ", COMPONENT %c", isa_components[in->tex_component & 3]);
   if (attila_isa_has_offset(in))
      isa_print_add(t, ", OFFSET %d %d %d", in->tex_offset[0], in->tex_offset[1],
                    in->tex_offset[2]);
   isa_print_add(t, "\n");
}

char *
attila_isa_disassemble(const struct attila_isa_program *p)
{
   struct text t = {0};
   isa_print_add(&t, ".%s", attila_stage_name(p->stage));
   if (p->stage == ATTILA_STAGE_GEOMETRY)
      isa_print_add(&t, " %u %u %u", p->gs_vertices_in, p->gs_vertices_out, p->gs_max_vertices);
   if (p->gs_repeats)
      isa_print_add(&t, " %u", p->gs_repeats + 1);
   if (p->stage == ATTILA_STAGE_COMPUTE)
      isa_print_add(&t, " %u %u %u", p->workgroup[0], p->workgroup[1], p->workgroup[2]);
   if (p->shared_bytes)
      isa_print_add(&t, " %u", p->shared_bytes);
   isa_print_add(&t, "\n%s%s", p->early_tests ? ".early\n" : "", p->wide ? ".wide\n" : "");
   if (p->num_temps)
      isa_print_add(&t, ".temps %u\n", p->num_temps);
   if (p->num_consts)
      isa_print_add(&t, ".consts %u\n", p->num_consts);
   for (uint32_t l = 0; l < p->num_literals; l++) {
      uint32_t w[4];
      memcpy(w, p->literals[l], sizeof(w));
      isa_print_add(&t, ".literal 0x%08x, 0x%08x, 0x%08x, 0x%08x # l%u = ", w[0], w[1], w[2], w[3],
                    l);
      isa_print_add(&t, "%g, %g, %g, %g\n", (double)p->literals[l][0], (double)p->literals[l][1],
                    (double)p->literals[l][2], (double)p->literals[l][3]);
   }
   unsigned indent = 0;
   for (uint32_t i = 0; i < p->num_instrs; i++) {
      unsigned op = p->instrs[i].op;
      if ((op == ATTILA_OP_ELSE || op == ATTILA_OP_ENDIF || op == ATTILA_OP_ENDLOOP) && indent)
         indent--;
      isa_print_add(&t, "%*s", (int)(3 * (indent < 20 ? indent : 20)), "");
      isa_print_add_instr(&t, &p->instrs[i]);
      if (op == ATTILA_OP_IF || op == ATTILA_OP_ELSE || op == ATTILA_OP_LOOP)
         indent++;
   }
   if (t.failed) {
      free(t.s);
      return NULL;
   }
   return t.s;
}
