/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which host vectors hold which components while emul_native.c makes a function. Vectors 0 to
 * NATIVE_VECTORS - 1 hold half of a component's lanes each: of an operand that is read again soon,
 * or of a result. A result is written to its register when the vector is reused or the function
 * ends, or never if another result overwrites it before. The least recently used vector is
 * reused. */
#ifndef EMUL_NATIVE_VECTORS_H
#define EMUL_NATIVE_VECTORS_H

#include "emul/shader/emul_native_x86.h"
#include "emul/shader/emul_shader_program.h"

#define NATIVE_HALVES 2
#define NATIVE_HALF_BYTES 32
#define NATIVE_VECTORS 11
#define NATIVE_AHEAD 24 /* how many instructions ahead another use is looked for */

/* A register's component, of all lanes; constants have one value for all lanes. */
struct native_place {
   uint8_t file;   /* enum attila_isa_file */
   uint16_t index; /* register */
   uint8_t offset; /* in floats, from the register's first */
   bool broadcast;
};

enum native_use { NATIVE_FREE, NATIVE_HOLDS, NATIVE_NEW };
struct native_vector {
   enum native_use use; /* NEW: a result, while its place still holds an old operand */
   bool changed;        /* the register is out of date */
   unsigned used;       /* time of last use */
   struct native_place place;
};

struct native {
   struct x86_code code;
   size_t literals;                   /* offset of the literals in the code */
   const struct emul_instr *in, *end; /* the current instruction; the end */
   unsigned half, now;
   struct native_vector vectors[NATIVE_VECTORS];
};

static inline enum x86_reg
native_base_of(unsigned file)
{
   switch (file) {
   case ATTILA_FILE_TEMP:
      return X86_RCX;
   case ATTILA_FILE_INPUT:
      return X86_RDX;
   case ATTILA_FILE_CONST:
      return X86_R8;
   default: /* outputs */
      return X86_R9;
   }
}

static inline struct native_place
native_place_of(const struct emul_src *src, unsigned c)
{
   return (struct native_place){src->file, src->index, src->offset[c], src->broadcast};
}

static inline struct native_place
native_place_of_result(const struct emul_instr *in, unsigned c)
{
   return (struct native_place){in->dst_file, in->dst_index, (uint8_t)(c * EMUL_LANES), false};
}

static inline bool
native_same(struct native_place a, struct native_place b)
{
   return a.file == b.file && a.index == b.index && a.offset == b.offset;
}

static inline struct x86_operand
native_memory(const struct native *n, struct native_place p)
{
   const size_t offset = p.offset * sizeof(float);
   if (!p.broadcast)
      return x86_memory(native_base_of(p.file),
                        p.index * sizeof(struct emul_vec4) + offset + n->half * NATIVE_HALF_BYTES);
   const size_t element = p.index * 4 * sizeof(float) + offset;
   return p.file == ATTILA_FILE_LITERAL ? x86_in_code(n->literals + element)
                                        : x86_memory(native_base_of(p.file), element);
}

static inline void
native_store(struct native *n, unsigned v)
{
   const struct native_vector *vector = &n->vectors[v];
   if (vector->use == NATIVE_HOLDS && vector->changed)
      x86_do(&n->code, X86_STORE, v, 0, native_memory(n, vector->place));
}

/* Returns a vector for a result: the least recently used one, which cannot be in use, since four
 * results and a component's operands are fewer than the vectors. */
static inline unsigned
native_take(struct native *n)
{
   unsigned best = NATIVE_VECTORS;
   for (unsigned v = 0; v < NATIVE_VECTORS; v++) {
      const struct native_vector *vector = &n->vectors[v];
      if (vector->use == NATIVE_FREE) {
         best = v;
         break;
      }
      if (vector->use == NATIVE_HOLDS &&
          (best == NATIVE_VECTORS || vector->used < n->vectors[best].used))
         best = v;
   }
   native_store(n, best);
   n->vectors[best] = (struct native_vector){.use = NATIVE_NEW, .used = n->now++};
   return best;
}

/* Returns whether an instruction reads the place in its components from c on. */
static inline bool
native_reads(const struct emul_instr *in, struct native_place p, unsigned c)
{
   for (unsigned s = 0; s < attila_isa_ops[in->op].num_srcs; s++) {
      for (unsigned i = c; i < 4; i++) {
         if (native_same(native_place_of(&in->src[s], i), p))
            return true;
      }
   }
   return false;
}

/* Returns whether the place, read for component c, is read again before it is written. */
static inline bool
native_again(const struct native *n, struct native_place p, unsigned c)
{
   const struct emul_instr *in = n->in;
   if (native_reads(in, p, c + 1))
      return true;
   for (unsigned i = 0; i < NATIVE_AHEAD; i++) {
      const struct native_place first = native_place_of_result(in, 0);
      if (first.file == p.file && first.index == p.index &&
          in->write_mask >> p.offset / EMUL_LANES & 1)
         return false;
      if (++in == n->end)
         return false;
      if (native_reads(in, p, 0))
         return true;
   }
   return false;
}

/* Returns where component c of an operand is, vector or memory. Uniform values are loaded to a
 * vector, which is `otherwise` if the value is not kept. */
static inline struct x86_operand
native_find(struct native *n, struct native_place p, unsigned c, unsigned otherwise)
{
   for (unsigned v = 0; v < NATIVE_VECTORS; v++) {
      struct native_vector *vector = &n->vectors[v];
      if (vector->use == NATIVE_HOLDS && native_same(vector->place, p)) {
         vector->used = n->now++;
         return x86_vector(v);
      }
   }
   const struct x86_operand at = native_memory(n, p);
   const bool keep = native_again(n, p, c);
   if (!keep && !p.broadcast)
      return at;
   const unsigned to = keep ? native_take(n) : otherwise;
   x86_do(&n->code, p.broadcast ? X86_BROADCAST : X86_LOAD, to, 0, at);
   if (keep)
      n->vectors[to] = (struct native_vector){.use = NATIVE_HOLDS, .used = n->now++, .place = p};
   return x86_vector(to);
}

/* Notes that component c of the result is in vector v; all operands are read. */
static inline void
native_result(struct native *n, unsigned c, unsigned v)
{
   const struct native_place p = native_place_of_result(n->in, c);
   for (unsigned i = 0; i < NATIVE_VECTORS; i++) {
      struct native_vector *old = &n->vectors[i];
      if (old->use == NATIVE_HOLDS && native_same(old->place, p))
         old->use = NATIVE_FREE;
   }
   struct native_vector *vector = &n->vectors[v];
   if (vector->use == NATIVE_NEW) {
      vector->use = NATIVE_HOLDS;
      vector->changed = true;
      vector->place = p;
   } else { /* it already holds another component */
      x86_do(&n->code, X86_STORE, v, 0, native_memory(n, p));
   }
}

/* Runs at the end of each half of the lanes. */
static inline void
native_write_back(struct native *n)
{
   for (unsigned v = 0; v < NATIVE_VECTORS; v++) {
      native_store(n, v);
      n->vectors[v].use = NATIVE_FREE;
   }
}

#endif
