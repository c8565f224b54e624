/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Validator of register allocation: proves that every read of the allocated program sees the value
 * that the virtual program's read sees. It takes only the places of virtual registers from the
 * allocator (attila_ra.c), and checks on every path of the control flow graph that instructions
 * agree with them and that no value is overwritten while still read. */
#include <string.h>
#include "attila_ir.h"
#include "util/macros.h"
#include "util/ralloc.h"

/* The state of a component of a virtual register at a point, over all paths: it was never written;
 * its place holds its value; its place holds something else. Where paths join, the state that is
 * later in this list counts. */
enum content { UNDEFINED, VALID, LOST };

struct checker {
   struct air *virt; /* the virtual program */
   const struct attila_isa_instr *real;
   const struct air_place *places;
   unsigned num_regs;
   uint32_t
       *first;     /* by component of a register: 1 + a component of a virtual register in it ... */
   uint32_t *next; /* ... and the next one in the same place; 0: the last */
   uint8_t *now;   /* enum content, by virtual register component */
   unsigned instr;
   const char *what; /* what is wrong */
};

static bool
attila_ra_validate_wrong(struct checker *c, const char *what)
{
   c->what = what;
   return false;
}

/* Returns the register component that holds a virtual register's component. */
static unsigned
attila_ra_validate_place_of(const struct checker *c, unsigned vreg, unsigned comp)
{
   return c->places[vreg].reg * 4u + ATTILA_SWZ_GET(c->places[vreg].map, comp);
}

/* --- Both programs do the same with their operands --- */

/* Returns the channel of the allocated program that corresponds to channel k of the virtual
 * program. */
static unsigned
attila_ra_validate_real_channel(const struct checker *c, const struct attila_isa_instr *v,
                                unsigned k)
{
   return air_writes_temp(v) && air_is_componentwise(v->op)
              ? ATTILA_SWZ_GET(c->places[v->dst.index].map, k)
              : k;
}

static bool
attila_ra_validate_check_source(struct checker *c, const struct attila_isa_instr *v,
                                const struct attila_isa_instr *p, unsigned s)
{
   const struct attila_isa_src *from = &v->src[s], *to = &p->src[s];
   if (from->file != to->file || from->negate != to->negate || from->absolute != to->absolute ||
       from->relative != to->relative || (from->relative && from->rel_comp != to->rel_comp))
      return attila_ra_validate_wrong(c, "a source of another kind");
   bool temp = from->file == ATTILA_FILE_TEMP;
   if (temp && (!c->places[from->index].used || to->index >= c->num_regs))
      return attila_ra_validate_wrong(c, "a source without a register");
   if (to->index != (temp ? c->places[from->index].reg : from->index))
      return attila_ra_validate_wrong(c, "a source in another register");
   uint8_t channels = air_channels(v, s);
   for (unsigned k = 0; k < 4; k++) {
      if (!(channels & (1u << k)))
         continue;
      unsigned comp = ATTILA_SWZ_GET(from->swizzle, k);
      if (temp)
         comp = ATTILA_SWZ_GET(c->places[from->index].map, comp);
      if (ATTILA_SWZ_GET(to->swizzle, attila_ra_validate_real_channel(c, v, k)) != comp)
         return attila_ra_validate_wrong(c, "a source in another component");
   }
   return true;
}

static bool
attila_ra_validate_check_destination(struct checker *c, const struct attila_isa_instr *v,
                                     const struct attila_isa_instr *p)
{
   const struct attila_isa_dst *from = &v->dst, *to = &p->dst;
   if (from->file != to->file || from->saturate != to->saturate || from->relative != to->relative ||
       (from->relative && from->rel_comp != to->rel_comp))
      return attila_ra_validate_wrong(c, "a destination of another kind");
   if (from->file != ATTILA_FILE_TEMP)
      return (from->index == to->index && from->write_mask == to->write_mask) ||
             attila_ra_validate_wrong(c, "another destination");
   const struct air_place *place = &c->places[from->index];
   bool moves = air_is_componentwise(v->op) || air_is_replicated(v->op);
   uint8_t mask = 0;
   if (!place->used || to->index >= c->num_regs)
      return attila_ra_validate_wrong(c, "a destination without a register");
   for (unsigned k = 0; k < 4; k++) {
      unsigned comp = ATTILA_SWZ_GET(place->map, k);
      if (!(from->write_mask & (1u << k)))
         continue;
      if ((mask & (1u << comp)) || (!moves && comp != k))
         return attila_ra_validate_wrong(c, "a result in another component");
      mask |= 1u << comp;
   }
   return (to->index == place->reg && to->write_mask == mask) ||
          attila_ra_validate_wrong(c, "a destination in another register");
}

/* Checks that source and destination of a removed MOV have the same place. */
static bool
attila_ra_validate_check_removed(struct checker *c, const struct attila_isa_instr *v)
{
   const struct attila_isa_src *src = &v->src[0];
   if (v->op != ATTILA_OP_MOV || v->dst.file != ATTILA_FILE_TEMP || v->dst.saturate ||
       v->dst.relative || src->file != ATTILA_FILE_TEMP || src->negate || src->absolute ||
       src->relative)
      return attila_ra_validate_wrong(c, "removed, but not a plain copy");
   if (!c->places[v->dst.index].used || !c->places[src->index].used)
      return attila_ra_validate_wrong(c, "removed, but a value has no register");
   for (unsigned k = 0; k < 4; k++) {
      if ((v->dst.write_mask & (1u << k)) &&
          attila_ra_validate_place_of(c, v->dst.index, k) !=
              attila_ra_validate_place_of(c, src->index, ATTILA_SWZ_GET(src->swizzle, k)))
         return attila_ra_validate_wrong(c, "removed, but it copies from another register");
   }
   return true;
}

static bool
attila_ra_validate_check_operands(struct checker *c)
{
   const struct attila_isa_instr *v = &c->virt->instrs[c->instr], *p = &c->real[c->instr];
   if (p->op == ATTILA_OP_NOP && v->op != ATTILA_OP_NOP)
      return attila_ra_validate_check_removed(c, v);
   if (p->op != v->op || p->tex_unit != v->tex_unit || p->tex_target != v->tex_target ||
       p->tex_component != v->tex_component || p->tex_shadow != v->tex_shadow ||
       memcmp(p->tex_offset, v->tex_offset, sizeof(p->tex_offset)))
      return attila_ra_validate_wrong(c, "another operation");
   if (attila_isa_ops[v->op].has_dst && !attila_ra_validate_check_destination(c, v, p))
      return false;
   for (unsigned s = 0; s < air_num_srcs(v); s++) {
      if (!attila_ra_validate_check_source(c, v, p, s))
         return false;
   }
   return true;
}

/* Checks that elements are consecutive and components unmoved, as relative operands need. */
static bool
attila_ra_validate_check_array(struct checker *c, unsigned vreg)
{
   unsigned first = c->virt->vregs[vreg].array - 1u, count = c->virt->vregs[first].elements;
   for (unsigned e = 0; e < count; e++) {
      const struct air_place *place = &c->places[first + e];
      if (!place->used || place->reg != c->places[first].reg + e || place->map != ATTILA_SWZ_XYZW ||
          place->reg >= c->num_regs)
         return attila_ra_validate_wrong(c, "an array that is not in consecutive registers");
   }
   return true;
}

/* --- Values survive until they are read --- */

/* Notes that a component of a virtual register is written. weak: it may be written. */
static void
attila_ra_validate_write_component(struct checker *c, unsigned vreg, unsigned comp, bool weak)
{
   unsigned mine = vreg * 4 + comp;
   for (uint32_t n = c->first[attila_ra_validate_place_of(c, vreg, comp)]; n; n = c->next[n - 1]) {
      if (n - 1 != mine && c->now[n - 1] == VALID)
         c->now[n - 1] = LOST;
   }
   if (!weak || c->now[mine] == UNDEFINED)
      c->now[mine] = VALID;
}

static void
attila_ra_validate_apply_write(struct checker *c, const struct attila_isa_instr *v)
{
   bool array = v->dst.relative;
   unsigned first = array ? c->virt->vregs[v->dst.index].array - 1u : v->dst.index;
   unsigned count = array ? c->virt->vregs[first].elements : 1;
   for (unsigned e = 0; e < count; e++) {
      for (unsigned k = 0; k < 4; k++) {
         if (v->dst.write_mask & (1u << k))
            attila_ra_validate_write_component(c, first + e, k, array);
      }
   }
}

/* Applies a removed MOV: its destination gets the state of its source. */
static void
attila_ra_validate_apply_removed(struct checker *c, const struct attila_isa_instr *v)
{
   uint8_t from[4];
   for (unsigned k = 0; k < 4; k++)
      from[k] = c->now[v->src[0].index * 4u + ATTILA_SWZ_GET(v->src[0].swizzle, k)];
   for (unsigned k = 0; k < 4; k++) {
      if (v->dst.write_mask & (1u << k))
         c->now[v->dst.index * 4u + k] = from[k];
   }
}

static bool
attila_ra_validate_check_reads(struct checker *c, const struct attila_isa_instr *v)
{
   for (unsigned s = 0; s < air_num_srcs(v); s++) {
      const struct attila_isa_src *src = &v->src[s];
      if (src->file != ATTILA_FILE_TEMP)
         continue;
      unsigned first = src->index, count = 1;
      if (src->relative) {
         first = c->virt->vregs[src->index].array - 1u;
         count = c->virt->vregs[first].elements;
      }
      uint8_t mask = air_components(src, air_channels(v, s));
      for (unsigned i = first * 4; i < (first + count) * 4; i++) {
         if ((mask & (1u << (i & 3))) && c->now[i] == LOST)
            return attila_ra_validate_wrong(c, "it reads a value that was overwritten");
      }
   }
   return true;
}

/* Changes the state from that at the start of a block to that at its end. report: stops at a bad
 * read. */
static bool
attila_ra_validate_run_block(struct checker *c, const struct air_block *block, bool report)
{
   for (unsigned i = block->start; i < block->end; i++) {
      const struct attila_isa_instr *v = &c->virt->instrs[i];
      c->instr = i;
      bool removed = c->real[i].op == ATTILA_OP_NOP;
      /* A removed MOV reads nothing; the reads of its result are checked instead. */
      if (report && !removed && !attila_ra_validate_check_reads(c, v))
         return false;
      if (removed && v->op == ATTILA_OP_MOV)
         attila_ra_validate_apply_removed(c, v);
      else if (air_writes_temp(v))
         attila_ra_validate_apply_write(c, v);
   }
   return true;
}

/* Joins a block's end state into another's start state; returns whether that changed. */
static bool
attila_ra_validate_join(uint8_t *into, const uint8_t *from, unsigned count)
{
   bool changed = false;
   for (unsigned i = 0; i < count; i++) {
      if (from[i] > into[i]) {
         into[i] = from[i];
         changed = true;
      }
   }
   return changed;
}

static bool
attila_ra_validate_check_flow(struct checker *c, void *mem)
{
   struct air_cfg *cfg = air_build_cfg(c->virt, false);
   unsigned count = c->virt->num_vregs * 4;
   uint8_t **start = rzalloc_array(mem, uint8_t *, cfg->num_blocks + 1);
   bool changed = cfg->num_blocks > 0, ok = true;
   c->now = rzalloc_size(mem, count + 1);
   for (unsigned b = 0; b < cfg->num_blocks; b++)
      start[b] = rzalloc_size(mem, count + 1);
   while (changed) {
      changed = false;
      for (unsigned b = 0; b < cfg->num_blocks; b++) {
         const struct air_block *block = &cfg->blocks[b];
         memcpy(c->now, start[b], count);
         attila_ra_validate_run_block(c, block, false);
         for (unsigned s = 0; s < block->num_succs; s++)
            changed |= attila_ra_validate_join(start[block->succ[s]], c->now, count);
      }
   }
   for (unsigned b = 0; ok && b < cfg->num_blocks; b++) {
      memcpy(c->now, start[b], count);
      ok = attila_ra_validate_run_block(c, &cfg->blocks[b], true);
   }
   ralloc_free(cfg);
   return ok;
}

static bool
attila_ra_validate_check_instructions(struct checker *c)
{
   const struct air *ir = c->virt;
   for (c->instr = 0; c->instr < ir->num_instrs; c->instr++) {
      const struct attila_isa_instr *v = &ir->instrs[c->instr];
      if (!attila_ra_validate_check_operands(c))
         return false;
      if (air_writes_temp(v) && v->dst.relative && !attila_ra_validate_check_array(c, v->dst.index))
         return false;
      for (unsigned s = 0; s < air_num_srcs(v); s++) {
         if (v->src[s].file == ATTILA_FILE_TEMP && v->src[s].relative &&
             !attila_ra_validate_check_array(c, v->src[s].index))
            return false;
      }
   }
   return true;
}

static void
attila_ra_validate_list_inhabitants(struct checker *c, void *mem)
{
   c->first = rzalloc_array(mem, uint32_t, c->num_regs * 4 + 4);
   c->next = rzalloc_array(mem, uint32_t, c->virt->num_vregs * 4 + 4);
   for (unsigned v = 0; v < c->virt->num_vregs; v++) {
      for (unsigned k = 0; k < 4; k++) {
         if (!c->places[v].used || c->places[v].reg >= c->num_regs)
            continue;
         uint32_t *first = &c->first[attila_ra_validate_place_of(c, v, k)];
         c->next[v * 4 + k] = *first;
         *first = v * 4 + k + 1;
      }
   }
}

bool
air_validate_allocation(struct air *ir, const struct attila_isa_instr *real,
                        const struct air_place *places, unsigned num_regs)
{
   void *mem = ralloc_context(NULL);
   struct checker c = {.virt = ir, .real = real, .places = places, .num_regs = num_regs};
   attila_ra_validate_list_inhabitants(&c, mem);
   if (!attila_ra_validate_check_instructions(&c) || !attila_ra_validate_check_flow(&c, mem))
      air_broken(ir, "register allocation", c.instr, c.what);
   ralloc_free(mem);
   return !ir->error;
}
