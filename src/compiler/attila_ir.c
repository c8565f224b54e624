/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Storage of the compiler's instruction form, its literal pool, control flow graph with liveness
 * per register component, and validator. No optimisation. */
#include <assert.h>
#include <stdarg.h>
#include <string.h>
#include "attila_ir.h"
#include "hw/attila_regs.h"
#include "util/macros.h"
#include "util/ralloc.h"

void
air_error(struct air *ir, const char *format, ...)
{
   if (ir->error)
      return;
   va_list args;
   va_start(args, format);
   ir->error = ralloc_vasprintf(ir->mem, format, args);
   va_end(args);
}

void
air_broken(struct air *ir, const char *step, unsigned instr, const char *what)
{
   ir->broken = true;
   air_error(ir, "internal: after %s, instruction %u: %s", step, instr, what);
}

unsigned
air_new_array(struct air *ir, unsigned elements)
{
   assert(elements > 0);
   if (ir->num_vregs + elements > AIR_MAX_VREGS) {
      air_error(ir, "the shader is too large: more than %u values", AIR_MAX_VREGS);
      return 0;
   }
   if (ir->num_vregs + elements > ir->max_vregs) {
      ir->max_vregs = MAX2(ir->max_vregs * 2, ir->num_vregs + elements + 64);
      ir->vregs = reralloc(ir->mem, ir->vregs, struct air_vreg, ir->max_vregs);
   }
   unsigned first = ir->num_vregs;
   for (unsigned i = 0; i < elements; i++)
      ir->vregs[first + i] = (struct air_vreg){.array = first + 1, .elements = elements};
   ir->num_vregs += elements;
   return first;
}

unsigned
air_new_vreg(struct air *ir, bool ssa)
{
   unsigned v = air_new_array(ir, 1);
   if (v < ir->num_vregs)
      ir->vregs[v] = (struct air_vreg){.ssa = ssa};
   return v;
}

struct attila_isa_instr *
air_append(struct air *ir, unsigned op)
{
   assert(op < ATTILA_NUM_OPS);
   if (ir->num_instrs == ir->max_instrs) {
      ir->max_instrs = MAX2(ir->max_instrs * 2, 256);
      ir->instrs = reralloc(ir->mem, ir->instrs, struct attila_isa_instr, ir->max_instrs);
   }
   struct attila_isa_instr *in = &ir->instrs[ir->num_instrs++];
   memset(in, 0, sizeof(*in));
   in->op = op;
   in->line = ir->line;
   for (unsigned s = 0; s < 3; s++)
      in->src[s].swizzle = ATTILA_SWZ_XYZW;
   return in;
}

void
air_compact(struct air *ir)
{
   unsigned n = 0;
   for (unsigned i = 0; i < ir->num_instrs; i++) {
      if (ir->instrs[i].op != ATTILA_OP_NOP)
         ir->instrs[n++] = ir->instrs[i];
   }
   ir->num_instrs = n;
}

/* Returns the component of a literal with this value, or 4. Compares bits: 0 and -0 differ. */
static unsigned
attila_ir_find_value(const float *row, uint8_t used, float value)
{
   for (unsigned c = 0; c < 4; c++) {
      if ((used & (1u << c)) && memcmp(&row[c], &value, sizeof(value)) == 0)
         return c;
   }
   return 4;
}

/* Finds count values in literal l; with grow, adds missing ones in free components. Returns false
 * if they do not fit. */
static bool
attila_ir_fit_literal(struct air *ir, unsigned l, const float *values, unsigned count, bool grow,
                      uint8_t *swizzle)
{
   float row[4];
   uint8_t used = ir->literal_used[l], swz = 0;
   memcpy(row, ir->literals[l], sizeof(row));
   for (unsigned i = 0; i < count; i++) {
      unsigned c = attila_ir_find_value(row, used, values[i]);
      if (c == 4) {
         if (!grow || used == 0xf)
            return false;
         c = ffs(~used) - 1;
         row[c] = values[i];
         used |= 1u << c;
      }
      swz |= c << (2 * i);
   }
   for (unsigned i = count; i < 4; i++)
      swz |= (swz & 3) << (2 * i);
   memcpy(ir->literals[l], row, sizeof(row));
   ir->literal_used[l] = used;
   *swizzle = swz;
   return true;
}

struct attila_isa_src
air_literal(struct air *ir, const float *values, unsigned count)
{
   struct attila_isa_src src = {.file = ATTILA_FILE_LITERAL, .swizzle = ATTILA_SWZ_XYZW};
   float negated[4];
   assert(count >= 1 && count <= 4);
   for (unsigned i = 0; i < count; i++)
      negated[i] = -values[i];
   /* Try the values in existing literals: as they are, negated, then with free components filled.
    * At last make a new literal. */
   for (unsigned attempt = 0; attempt < 3; attempt++) {
      for (unsigned l = 0; l < ir->num_literals; l++) {
         if (attila_ir_fit_literal(ir, l, attempt == 1 ? negated : values, count, attempt == 2,
                                   &src.swizzle)) {
            src.index = l;
            src.negate = attempt == 1;
            return src;
         }
      }
   }
   if (ir->num_literals == ATTILA_ISA_MAX_LITERALS) {
      air_error(ir, "more than %u literal constants", ATTILA_ISA_MAX_LITERALS);
      return src;
   }
   if (ir->num_literals % 64 == 0) {
      ir->literals =
          reralloc_size(ir->mem, ir->literals, (ir->num_literals + 64) * sizeof(*ir->literals));
      ir->literal_used = reralloc_size(ir->mem, ir->literal_used, ir->num_literals + 64);
   }
   src.index = ir->num_literals++;
   memset(ir->literals[src.index], 0, sizeof(*ir->literals));
   ir->literal_used[src.index] = 0;
   attila_ir_fit_literal(ir, src.index, values, count, true, &src.swizzle);
   return src;
}

static uint8_t
attila_ir_texture_channels(const struct attila_isa_instr *in, unsigned s)
{
   static const uint8_t coords[] = {
       [ATTILA_TEX_1D] = 0x1,       [ATTILA_TEX_2D] = 0x3,     [ATTILA_TEX_3D] = 0x7,
       [ATTILA_TEX_CUBE] = 0x7,     [ATTILA_TEX_RECT] = 0x3,   [ATTILA_TEX_2D_ARRAY] = 0x7,
       [ATTILA_TEX_1D_ARRAY] = 0x3, [ATTILA_TEX_BUFFER] = 0x1, [ATTILA_TEX_CUBE_ARRAY] = 0xf,
   };
   assert(in->tex_target < ARRAY_SIZE(coords));
   uint8_t mask = coords[in->tex_target];
   if (in->op == ATTILA_OP_TXS)
      return 0x1;
   if (s > 0 && in->op == ATTILA_OP_TXD)
      return mask & 0x7;
   if (s > 0)
      return in->op == ATTILA_OP_TXG || attila_isa_ref_in_src1(in) ? 0x3 : 0x1;
   if (in->tex_shadow && in->tex_target != ATTILA_TEX_CUBE_ARRAY)
      mask |= 1u << attila_isa_tex_ref_component(in->tex_target);
   if (in->op == ATTILA_OP_TXP)
      mask |= 0x8;
   return mask;
}

uint8_t
air_channels(const struct attila_isa_instr *in, unsigned s)
{
   if (attila_isa_ops[in->op].cls == ATTILA_CLASS_TEXTURE)
      return attila_ir_texture_channels(in, s);
   switch (in->op) {
   case ATTILA_OP_DP2:
      return 0x3;
   case ATTILA_OP_DP3:
      return 0x7;
   case ATTILA_OP_DP4:
      return 0xf;
   case ATTILA_OP_DPH:
      return s == 0 ? 0x7 : 0xf;
   case ATTILA_OP_DST:
      return s == 0 ? 0x6 : 0xa;
   case ATTILA_OP_LIT:
      return 0xb;
   case ATTILA_OP_XPD:
      return 0x7;
   case ATTILA_OP_KIL:
      return 0xf;
   case ATTILA_OP_KILC:
   case ATTILA_OP_IF:
   case ATTILA_OP_LDC:
   case ATTILA_OP_LDB:
   case ATTILA_OP_SZB:
   case ATTILA_OP_LDS:
   case ATTILA_OP_SZI:
      return 0x1;
   case ATTILA_OP_STB:
   case ATTILA_OP_STS: /* the last source has the data */
      return s + 1 == attila_isa_ops[in->op].num_srcs ? (1u << in->words) - 1 : 0x1;
   case ATTILA_OP_ATOM:
   case ATTILA_OP_RED:
   case ATTILA_OP_ATOMS:
      return s + 1 == attila_isa_ops[in->op].num_srcs && in->atomic == ATTILA_ATOMIC_COMPARE_SWAP
                 ? 0x3
                 : 0x1;
   case ATTILA_OP_LDI:
      return s == 0 ? 0x7 : 0x1;
   case ATTILA_OP_STI:
      return s == 0 ? 0x7 : s == 1 ? 0x1 : 0xf;
   case ATTILA_OP_ATOMI:
   case ATTILA_OP_REDI:
      return s == 0 ? 0x7 : s == 2 && in->atomic == ATTILA_ATOMIC_COMPARE_SWAP ? 0x3 : 0x1;
   default:
      return attila_isa_ops[in->op].cls == ATTILA_CLASS_SCALAR ? 0x1 : in->dst.write_mask;
   }
}

static bool
attila_ir_ends_block(unsigned op)
{
   switch (op) {
   case ATTILA_OP_IF:
   case ATTILA_OP_ELSE:
   case ATTILA_OP_LOOP:
   case ATTILA_OP_BRK:
   case ATTILA_OP_CONT:
   case ATTILA_OP_ENDLOOP:
   case ATTILA_OP_END:
   /* EMIT and CUT read all outputs, so no write of an output may move across them. */
   case ATTILA_OP_EMIT:
   case ATTILA_OP_CUT:
   /* What other invocations wrote before a barrier is loaded behind it. */
   case ATTILA_OP_BAR:
      return true;
   default:
      return false;
   }
}

struct open_construct {
   unsigned op, block, else_block; /* IF: block that ends with it; LOOP: first block of the body */
};

/* Links blocks to their successors by nesting. The blocks of breaks wait in a list until their loop
 * ends. */
static void
attila_ir_link_blocks(struct air *ir, struct air_cfg *cfg, struct open_construct *stack,
                      unsigned *breaks)
{
   struct air_block *blocks = cfg->blocks;
   unsigned depth = 0, num_breaks = 0;
   for (unsigned b = 0; b < cfg->num_blocks; b++) {
      struct air_block *block = &blocks[b];
      if (block->start == block->end)
         continue;
      if (ir->instrs[block->start].op == ATTILA_OP_ENDIF && depth) {
         struct open_construct *o = &stack[--depth];
         /* Without ELSE, the block of the condition jumps here; with ELSE, the end of the first
          * arm. */
         struct air_block *from = &blocks[o->else_block ? o->else_block : o->block];
         from->succ[from->num_succs++] = b;
      }
      unsigned op = ir->instrs[block->end - 1].op;
      unsigned loop = depth;
      while (loop && stack[loop - 1].op != ATTILA_OP_LOOP)
         loop--;
      switch (op) {
      case ATTILA_OP_IF:
         block->succ[block->num_succs++] = b + 1;
         stack[depth++] = (struct open_construct){op, b, 0};
         break;
      case ATTILA_OP_ELSE:
         assert(depth && stack[depth - 1].op == ATTILA_OP_IF);
         blocks[stack[depth - 1].block].succ[blocks[stack[depth - 1].block].num_succs++] = b + 1;
         stack[depth - 1].else_block = b;
         break;
      case ATTILA_OP_LOOP:
         block->succ[block->num_succs++] = b + 1;
         stack[depth++] = (struct open_construct){op, b + 1, num_breaks};
         break;
      case ATTILA_OP_BRK:
         breaks[num_breaks++] = b;
         break;
      case ATTILA_OP_CONT:
         assert(loop);
         block->succ[block->num_succs++] = stack[loop - 1].block;
         break;
      case ATTILA_OP_ENDLOOP:
         assert(depth && stack[depth - 1].op == ATTILA_OP_LOOP);
         block->succ[block->num_succs++] = stack[--depth].block;
         while (num_breaks > stack[depth].else_block) {
            struct air_block *from = &blocks[breaks[--num_breaks]];
            from->succ[from->num_succs++] = b + 1;
         }
         break;
      case ATTILA_OP_END:
         break;
      default:
         block->succ[block->num_succs++] = b + 1;
         break;
      }
   }
}

void
air_live_step(const struct air *ir, const struct attila_isa_instr *in, BITSET_WORD *live)
{
   unsigned address = air_address_bit(ir);
   if (attila_isa_ops[in->op].has_dst) {
      unsigned base = in->dst.file == ATTILA_FILE_ADDRESS ? address : in->dst.index * 4u;
      if (in->dst.file != ATTILA_FILE_OUTPUT && !in->dst.relative) {
         for (unsigned c = 0; c < 4; c++) {
            if (in->dst.write_mask & (1u << c))
               BITSET_CLEAR(live, base + c);
         }
      }
      if (in->dst.relative)
         BITSET_SET(live, address + in->dst.rel_comp);
   }
   for (unsigned s = 0; s < air_num_srcs(in); s++) {
      const struct attila_isa_src *src = &in->src[s];
      if (src->relative)
         BITSET_SET(live, address + src->rel_comp);
      if (src->file != ATTILA_FILE_TEMP)
         continue;
      uint8_t mask = air_components(src, air_channels(in, s));
      for (unsigned c = 0; c < 4; c++) {
         if (mask & (1u << c))
            BITSET_SET(live, src->index * 4u + c);
      }
   }
}

static void
attila_ir_compute_liveness(struct air *ir, struct air_cfg *cfg)
{
   BITSET_WORD *live = rzalloc_array(cfg, BITSET_WORD, cfg->words);
   size_t bytes = cfg->words * sizeof(BITSET_WORD);
   for (unsigned b = 0; b < cfg->num_blocks; b++) {
      cfg->blocks[b].live_in = rzalloc_array(cfg, BITSET_WORD, cfg->words);
      cfg->blocks[b].live_out = rzalloc_array(cfg, BITSET_WORD, cfg->words);
   }
   bool progress;
   do {
      progress = false;
      for (unsigned b = cfg->num_blocks; b-- > 0;) {
         struct air_block *block = &cfg->blocks[b];
         for (unsigned s = 0; s < block->num_succs; s++) {
            const BITSET_WORD *in = cfg->blocks[block->succ[s]].live_in;
            for (unsigned w = 0; w < cfg->words; w++)
               block->live_out[w] |= in[w];
         }
         memcpy(live, block->live_out, bytes);
         for (unsigned i = block->end; i-- > block->start;)
            air_live_step(ir, &ir->instrs[i], live);
         if (memcmp(live, block->live_in, bytes)) {
            memcpy(block->live_in, live, bytes);
            progress = true;
         }
      }
   } while (progress);
}

struct air_cfg *
air_build_cfg(struct air *ir, bool liveness)
{
   struct air_cfg *cfg = rzalloc(ir->mem, struct air_cfg);
   unsigned max_blocks = 2;
   for (unsigned i = 0; i < ir->num_instrs; i++)
      max_blocks += attila_ir_ends_block(ir->instrs[i].op) || ir->instrs[i].op == ATTILA_OP_ENDIF;
   cfg->blocks = rzalloc_array(cfg, struct air_block, max_blocks);
   unsigned start = 0;
   for (unsigned i = 0; i < ir->num_instrs; i++) {
      bool last = i + 1 == ir->num_instrs;
      if (attila_ir_ends_block(ir->instrs[i].op) || last ||
          ir->instrs[i + 1].op == ATTILA_OP_ENDIF) {
         cfg->blocks[cfg->num_blocks++] = (struct air_block){.start = start, .end = i + 1};
         start = i + 1;
      }
   }
   void *tmp = ralloc_context(NULL);
   attila_ir_link_blocks(ir, cfg, rzalloc_array(tmp, struct open_construct, max_blocks),
                         rzalloc_array(tmp, unsigned, max_blocks));
   ralloc_free(tmp);
   cfg->words = BITSET_WORDS(air_address_bit(ir) + 4);
   if (liveness)
      attila_ir_compute_liveness(ir, cfg);
   return cfg;
}

static const char *
attila_ir_check_instr(const struct air *ir, const struct attila_isa_instr *in)
{
   if (in->op >= ATTILA_NUM_OPS)
      return "unknown opcode";
   const struct attila_isa_op_info *info = &attila_isa_ops[in->op];
   if (info->has_dst) {
      if (in->dst.write_mask == 0 || in->dst.write_mask > 15)
         return "write mask";
      if (in->dst.file == ATTILA_FILE_TEMP && in->dst.index >= ir->num_vregs)
         return "destination outside the virtual registers";
      if (in->dst.file == ATTILA_FILE_TEMP && in->dst.relative && !ir->vregs[in->dst.index].array)
         return "relative destination that is not an array";
   } else if (in->dst.file != ATTILA_FILE_NONE) {
      return "destination of an operation without one";
   }
   for (unsigned s = 0; s < info->num_srcs; s++) {
      const struct attila_isa_src *src = &in->src[s];
      if (src->file == ATTILA_FILE_NONE || src->file == ATTILA_FILE_OUTPUT ||
          src->file == ATTILA_FILE_ADDRESS)
         return "source that cannot be read";
      if (src->file == ATTILA_FILE_TEMP && src->index >= ir->num_vregs)
         return "source outside the virtual registers";
      if (src->file == ATTILA_FILE_TEMP && src->relative && !ir->vregs[src->index].array)
         return "relative source that is not an array";
      if (src->file == ATTILA_FILE_LITERAL && src->index >= ir->num_literals)
         return "source outside the literals";
   }
   return NULL;
}

bool
air_validate(struct air *ir, const char *pass)
{
   if (!ir->validate)
      return true;
   uint8_t *written = rzalloc_size(NULL, ir->num_vregs + 1);
   const char *what = NULL;
   unsigned i;
   for (i = 0; i < ir->num_instrs && !what; i++) {
      const struct attila_isa_instr *in = &ir->instrs[i];
      what = attila_ir_check_instr(ir, in);
      if (!what && air_writes_temp(in) && ir->vregs[in->dst.index].ssa) {
         if (written[in->dst.index] & in->dst.write_mask)
            what = "second write of a component that has one";
         written[in->dst.index] |= in->dst.write_mask;
      }
      /* In the array an instruction comes after all that dominate it, in loops, too. */
      for (unsigned s = 0; !what && s < air_num_srcs(in); s++) {
         const struct attila_isa_src *src = &in->src[s];
         if (src->file != ATTILA_FILE_TEMP || !ir->vregs[src->index].ssa)
            continue;
         uint8_t before = air_writes_temp(in) && in->dst.index == src->index
                              ? written[src->index] & ~in->dst.write_mask
                              : written[src->index];
         if (air_components(src, air_channels(in, s)) & ~before)
            what = "read of a component before its write";
      }
   }
   ralloc_free(written);
   if (what)
      air_broken(ir, pass, i - 1, what);
   return !what;
}
