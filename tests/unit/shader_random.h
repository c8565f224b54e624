/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Random valid shader programs for tests: every opcode and operand form for encoding tests, or
 * straight and structured code that ends for execution tests. Header only; no timing, no images. */
#ifndef SHADER_RANDOM_H
#define SHADER_RANDOM_H

#include <stdlib.h>
#include <string.h>
#include "hw/isa/attila_isa.h"

static uint64_t random_state = 88172645463325252ull;

static inline uint32_t
rnd(uint32_t n)
{
   random_state ^= random_state << 13;
   random_state ^= random_state >> 7;
   random_state ^= random_state << 17;
   return (uint32_t)((random_state >> 20) % n);
}

#define RND_TEMPS 8
#define RND_CONSTS 12
#define RND_LITS 4

struct generator {
   struct attila_isa_program p;
   bool any_op;          /* encoding tests: every opcode, sources and sizes */
   bool textures, kills; /* may occur */
   unsigned loops;       /* nesting of LOOP now */
};

static inline struct attila_isa_src
random_src(struct generator *g)
{
   static const uint8_t files[] = {ATTILA_FILE_TEMP,  ATTILA_FILE_TEMP,  ATTILA_FILE_TEMP,
                                   ATTILA_FILE_INPUT, ATTILA_FILE_CONST, ATTILA_FILE_LITERAL};
   struct attila_isa_src s = {.file = files[rnd(6)],
                              .swizzle = rnd(2) ? ATTILA_SWZ_XYZW : (uint8_t)rnd(256)};
   static const uint16_t size[ATTILA_NUM_FILES] = {[ATTILA_FILE_TEMP] = RND_TEMPS,
                                                   [ATTILA_FILE_INPUT] = 8,
                                                   [ATTILA_FILE_CONST] = RND_CONSTS,
                                                   [ATTILA_FILE_LITERAL] = RND_LITS};
   (void)g;
   s.index = (uint16_t)rnd(size[s.file]);
   s.negate = rnd(4) == 0;
   s.absolute = rnd(6) == 0;
   s.relative = rnd(8) == 0;
   s.rel_comp = s.relative ? (uint8_t)rnd(4) : 0;
   return s;
}

static inline struct attila_isa_instr *
emit(struct generator *g, unsigned op)
{
   struct attila_isa_instr *in = &g->p.instrs[g->p.num_instrs++];
   memset(in, 0, sizeof(*in));
   in->op = (uint8_t)op;
   const struct attila_isa_op_info *info = &attila_isa_ops[op];
   for (unsigned s = 0; s < info->num_srcs; s++)
      in->src[s] = random_src(g);
   if (info->has_dst) {
      in->dst.file = op == ATTILA_OP_ARL ? ATTILA_FILE_ADDRESS
                     : rnd(4)            ? ATTILA_FILE_TEMP
                                         : ATTILA_FILE_OUTPUT;
      in->dst.index = (uint16_t)(op == ATTILA_OP_ARL ? 0 : rnd(RND_TEMPS));
      in->dst.write_mask = (uint8_t)(rnd(2) ? 15 : 1 + rnd(15));
      if (op != ATTILA_OP_ARL) {
         in->dst.saturate = rnd(5) == 0;
         /* A relative write inside a loop could hit its counter. */
         in->dst.relative =
             rnd(10) == 0 && (g->any_op || !g->loops || in->dst.file == ATTILA_FILE_OUTPUT);
         in->dst.rel_comp = in->dst.relative ? (uint8_t)rnd(4) : 0;
      }
   }
   if (op == ATTILA_OP_STB)
      in->words = (uint8_t)(1 + rnd(4));
   if (attila_isa_is_atomic(op))
      in->atomic = (uint8_t)(1 + rnd(ATTILA_NUM_ATOMICS - 1));
   if (info->cls == ATTILA_CLASS_TEXTURE) {
      in->tex_unit = (uint8_t)rnd(32);
      static const uint8_t targets[] = {ATTILA_TEX_2D,       ATTILA_TEX_CUBE,       ATTILA_TEX_RECT,
                                        ATTILA_TEX_2D_ARRAY, ATTILA_TEX_CUBE_ARRAY, ATTILA_TEX_1D,
                                        ATTILA_TEX_1D_ARRAY, ATTILA_TEX_3D};
      in->tex_target = targets[rnd(op == ATTILA_OP_TXG ? 5 : 8)];
      const bool direct = op == ATTILA_OP_TXF || op == ATTILA_OP_TXS || op == ATTILA_OP_TXQL,
                 cube_array = in->tex_target == ATTILA_TEX_CUBE_ARRAY;
      if (op == ATTILA_OP_TXF && (in->tex_target == ATTILA_TEX_CUBE || cube_array))
         in->tex_target = ATTILA_TEX_2D_ARRAY;
      in->tex_shadow = !direct && in->tex_target != ATTILA_TEX_3D &&
                       (!cube_array || info->num_srcs == 2) && rnd(3) == 0;
      if (op == ATTILA_OP_TXG && !in->tex_shadow)
         in->tex_component = (uint8_t)rnd(4);
      for (unsigned i = rnd(2) ? attila_isa_tex_offsets(in) : 0; i-- > 0;)
         in->tex_offset[i] = (int8_t)((int)rnd(16) + ATTILA_ISA_MIN_OFFSET);
      for (unsigned s = 1; s < 3 && op == ATTILA_OP_TXD && attila_isa_has_offset(in); s++) {
         in->src[s].negate = in->src[s].absolute = in->src[s].relative = false;
         in->src[s].rel_comp = 0;
      }
   }
   return in;
}

static inline struct attila_isa_src
plain_src(unsigned file, unsigned index, unsigned component)
{
   return (struct attila_isa_src){
       .file = (uint8_t)file, .index = (uint16_t)index, .swizzle = (uint8_t)(component * 0x55)};
}

/* Temporaries RND_TEMPS + 2 * depth and + 1 count the iterations of a loop and hold its condition:
 * no random instruction writes them. */
static inline void
begin_loop(struct generator *g)
{
   unsigned counter = RND_TEMPS + 2 * g->loops++, test = counter + 1;
   struct attila_isa_instr *in = emit(g, ATTILA_OP_MOV);
   in->dst = (struct attila_isa_dst){
       .file = ATTILA_FILE_TEMP, .index = (uint16_t)counter, .write_mask = 1};
   in->src[0] = plain_src(ATTILA_FILE_LITERAL, 0, 0);
   emit(g, ATTILA_OP_LOOP);
   in = emit(g, ATTILA_OP_ADD); /* literal 0 is (0, 1, 2, 3) */
   in->dst = (struct attila_isa_dst){
       .file = ATTILA_FILE_TEMP, .index = (uint16_t)counter, .write_mask = 1};
   in->src[0] = plain_src(ATTILA_FILE_TEMP, counter, 0);
   in->src[1] = plain_src(ATTILA_FILE_LITERAL, 0, 1);
   in = emit(g, ATTILA_OP_SGE); /* input 7 holds small counts that differ by lane */
   in->dst =
       (struct attila_isa_dst){.file = ATTILA_FILE_TEMP, .index = (uint16_t)test, .write_mask = 1};
   in->src[0] = plain_src(ATTILA_FILE_TEMP, counter, 0);
   in->src[1] = plain_src(ATTILA_FILE_INPUT, 7, rnd(4));
   emit(g, ATTILA_OP_IF)->src[0] = plain_src(ATTILA_FILE_TEMP, test, 0);
   emit(g, ATTILA_OP_BRK);
   emit(g, ATTILA_OP_ENDIF);
}

static inline unsigned
random_op(struct generator *g)
{
   for (;;) {
      /* Memory instructions come last: test_shader_memory. */
      unsigned op = rnd(g->any_op ? ATTILA_NUM_OPS : ATTILA_OP_LDB);
      unsigned cls = attila_isa_ops[op].cls;
      if (cls == ATTILA_CLASS_FLOW || op == ATTILA_OP_DDX || op == ATTILA_OP_DDY ||
          attila_isa_is_shared(op))
         continue;
      if (cls == ATTILA_CLASS_TEXTURE && !g->textures)
         continue;
      /* From memory, and whole numbers as operands: test_shader_loads. */
      if (!g->any_op && cls == ATTILA_CLASS_LOAD)
         continue;
      /* Transcendental ones are compared with libm elsewhere. */
      if (!g->any_op && cls == ATTILA_CLASS_SCALAR && op != ATTILA_OP_RCP && op != ATTILA_OP_RSQ &&
          op != ATTILA_OP_SQRT)
         continue;
      if (!g->any_op && op == ATTILA_OP_LIT)
         continue;
      return op;
   }
}

static inline void
random_block(struct generator *g, unsigned depth, unsigned length)
{
   for (unsigned i = 0; i < length && g->p.num_instrs < 400; i++) {
      unsigned choice = rnd(20);
      if (choice == 0 && depth < 5) {
         emit(g, ATTILA_OP_IF);
         random_block(g, depth + 1, 1 + rnd(4));
         if (rnd(2)) {
            emit(g, ATTILA_OP_ELSE);
            random_block(g, depth + 1, rnd(4));
         }
         emit(g, ATTILA_OP_ENDIF);
      } else if (choice == 1 && depth < 5 && g->loops < 2) {
         begin_loop(g);
         random_block(g, depth + 1, 1 + rnd(5));
         emit(g, ATTILA_OP_ENDLOOP);
         g->loops--;
      } else if (choice == 2 && g->loops) {
         emit(g, ATTILA_OP_IF);
         random_block(g, depth + 1, rnd(2));
         emit(g, rnd(2) ? ATTILA_OP_BRK : ATTILA_OP_CONT);
         emit(g, ATTILA_OP_ENDIF);
      } else if (choice == 3 && g->kills) {
         emit(g, rnd(2) ? ATTILA_OP_KIL : ATTILA_OP_KILC);
      } else if (choice == 4) {
         emit(g, ATTILA_OP_ARL);
      } else {
         emit(g, random_op(g));
      }
   }
}

/* A finalized program; free with attila_isa_free. */
static inline struct attila_isa_program
random_program(bool any_op, bool textures, bool kills, unsigned length)
{
   struct generator g = {.any_op = any_op, .textures = textures, .kills = kills};
   char error[128];
   g.p.stage = ATTILA_STAGE_FRAGMENT;
   g.p.instrs = calloc(2048, sizeof(*g.p.instrs));
   g.p.literals = calloc(RND_LITS, sizeof(*g.p.literals));
   g.p.num_literals = RND_LITS;
   for (unsigned i = 0; i < 4 * RND_LITS; i++)
      g.p.literals[i / 4][i % 4] = i < 4 ? (float)i : (float)(int)rnd(2000) / 64.0f - 15.0f;
   g.p.num_temps = RND_TEMPS + 4;
   g.p.num_consts = RND_CONSTS;
   random_block(&g, 0, length);
   emit(&g, ATTILA_OP_END);
   if (!attila_isa_finalize(&g.p, error, sizeof(error)))
      abort();
   return g.p;
}

#endif
