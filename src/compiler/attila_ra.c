/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Register allocation. Fewer registers mean more threads per shader, so values of one to three
 * components share registers where their live ranges, exact per component and with holes, allow. No
 * spilling: the machine has more registers than shaders of its time need; a shader that needs more
 * fails to compile. */
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "attila_ir.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "util/ralloc.h"

/* Positions: instruction i reads at 2 i and writes at 2 i + 1. */
struct range {
   uint32_t start, end; /* end is exclusive */
};

struct ranges {
   struct range *list; /* ascending and disjoint when finished */
   unsigned count, max;
};

struct node {
   uint32_t vreg, start;
   uint16_t elements; /* registers it occupies */
   uint8_t used;      /* mask of components */
   bool fixed;        /* components must keep their places */
   uint32_t hint;     /* 1 + index of a MOV from or to it */
};

struct allocator {
   struct air *ir;
   struct ranges *live;  /* by virtual register * 4 + component */
   struct ranges *taken; /* [register * 4 + component] */
   /* [instruction]: bounds of the outermost loop around it; without a loop, the instruction
    * itself. */
   uint32_t *loop_start, *loop_end;
   struct air_place *places;
   unsigned num_regs;
   unsigned max_regs; /* registers for which taken has room */
};

static void
attila_ra_add_range(void *mem, struct ranges *r, uint32_t start, uint32_t end)
{
   if (r->count == r->max) {
      r->max = MAX2(4, r->max * 2);
      r->list = reralloc(mem, r->list, struct range, r->max);
   }
   r->list[r->count++] = (struct range){start, end};
}

/* Adds a range in front: ranges are found from the end of the program to its start. Adjacent ones
 * are joined. */
static void
attila_ra_prepend_range(void *mem, struct ranges *r, uint32_t start, uint32_t end)
{
   if (r->count && r->list[r->count - 1].start == end)
      r->list[r->count - 1].start = start;
   else
      attila_ra_add_range(mem, r, start, end);
}

static void
attila_ra_reverse_ranges(struct ranges *r)
{
   for (unsigned i = 0; i < r->count / 2; i++) {
      struct range t = r->list[i];
      r->list[i] = r->list[r->count - 1 - i];
      r->list[r->count - 1 - i] = t;
   }
}

static void
attila_ra_block_ranges(struct allocator *a, const struct air_block *block, uint32_t *end)
{
   struct air *ir = a->ir;
   unsigned bits = ir->num_vregs * 4;
   unsigned bit;
   BITSET_FOREACH_SET(bit, block->live_out, bits)
   end[bit] = ir->vregs[bit / 4].array ? 0 : block->end * 2;
   for (unsigned i = block->end; i-- > block->start;) {
      const struct attila_isa_instr *in = &ir->instrs[i];
      if (air_writes_temp(in) && !ir->vregs[in->dst.index].array) {
         for (unsigned k = 0; k < 4; k++) {
            unsigned b = in->dst.index * 4u + k;
            if (!(in->dst.write_mask & (1u << k)))
               continue;
            attila_ra_prepend_range(a->live, &a->live[b], i * 2 + 1, end[b] ? end[b] : i * 2 + 2);
            end[b] = 0;
         }
      }
      for (unsigned s = 0; s < air_num_srcs(in); s++) {
         const struct attila_isa_src *src = &in->src[s];
         if (src->file != ATTILA_FILE_TEMP || ir->vregs[src->index].array)
            continue;
         uint8_t mask = air_components(src, air_channels(in, s));
         for (unsigned k = 0; k < 4; k++) {
            if ((mask & (1u << k)) && !end[src->index * 4u + k])
               end[src->index * 4u + k] = i * 2 + 1;
         }
      }
   }
   BITSET_FOREACH_SET(bit, block->live_in, bits)
   {
      if (end[bit])
         attila_ra_prepend_range(a->live, &a->live[bit], block->start * 2, end[bit]);
      end[bit] = 0;
   }
}

static void
attila_ra_find_loops(struct allocator *a)
{
   struct air *ir = a->ir;
   unsigned depth = 0, start = 0;
   for (unsigned i = 0; i < ir->num_instrs; i++) {
      if (ir->instrs[i].op == ATTILA_OP_LOOP && depth++ == 0)
         start = i;
      a->loop_start[i] = depth ? start : i;
      a->loop_end[i] = i;
      if (ir->instrs[i].op == ATTILA_OP_ENDLOOP && --depth == 0) {
         for (unsigned k = start; k <= i; k++)
            a->loop_end[k] = i;
      }
   }
}

/* An array lives as a whole from first to last access, and through every loop with an access. */
static void
attila_ra_touch_array(struct allocator *a, unsigned vreg, uint8_t mask, unsigned i)
{
   unsigned first = a->ir->vregs[vreg].array - 1u;
   uint32_t start = a->loop_start[i] * 2, end = a->loop_end[i] * 2 + 2;
   for (unsigned k = 0; k < 4; k++) {
      struct ranges *r = &a->live[first * 4 + k];
      if (!(mask & (1u << k)))
         continue;
      if (!r->count)
         attila_ra_add_range(a->live, r, start, end);
      r->list[0].start = MIN2(r->list[0].start, start);
      r->list[0].end = MAX2(r->list[0].end, end);
   }
}

static void
attila_ra_array_ranges(struct allocator *a)
{
   struct air *ir = a->ir;
   for (unsigned i = 0; i < ir->num_instrs; i++) {
      const struct attila_isa_instr *in = &ir->instrs[i];
      if (air_writes_temp(in) && ir->vregs[in->dst.index].array)
         attila_ra_touch_array(a, in->dst.index, in->dst.write_mask, i);
      for (unsigned s = 0; s < air_num_srcs(in); s++) {
         const struct attila_isa_src *src = &in->src[s];
         if (src->file == ATTILA_FILE_TEMP && ir->vregs[src->index].array)
            attila_ra_touch_array(a, src->index, air_components(src, air_channels(in, s)), i);
      }
   }
}

static bool
attila_ra_overlaps(const struct ranges *a, const struct ranges *b)
{
   unsigned low = 0;
   for (unsigned i = 0; i < a->count; i++) {
      unsigned high = b->count;
      /* Find the first range of b that ends after a starts. */
      while (low < high) {
         unsigned middle = (low + high) / 2;
         if (b->list[middle].end <= a->list[i].start)
            low = middle + 1;
         else
            high = middle;
      }
      if (low < b->count && b->list[low].start < a->list[i].end)
         return true;
   }
   return false;
}

static void
attila_ra_occupy(struct allocator *a, unsigned component, const struct ranges *live)
{
   struct ranges *t = &a->taken[component];
   for (unsigned i = 0; i < live->count; i++) {
      attila_ra_add_range(a->taken, t, 0, 0);
      unsigned k = t->count - 1;
      for (; k > 0 && t->list[k - 1].start > live->list[i].start; k--)
         t->list[k] = t->list[k - 1];
      t->list[k] = live->list[i];
   }
}

/* Returns the components of a register (for an array: of all its registers) that are free while
 * component c of the node is live. */
static uint8_t
attila_ra_free_components(const struct allocator *a, const struct node *n, unsigned c, unsigned reg)
{
   uint8_t mask = 0;
   for (unsigned p = 0; p < 4; p++) {
      bool is_free = !n->fixed || p == c;
      for (unsigned e = 0; is_free && e < n->elements; e++)
         is_free = !attila_ra_overlaps(&a->live[n->vreg * 4 + c], &a->taken[(reg + e) * 4 + p]);
      mask |= is_free ? 1u << p : 0;
   }
   return mask;
}

/* Gives every used component a free one, the component of the same name where possible. */
static bool
attila_ra_match(const uint8_t *candidates, uint8_t used, unsigned c, uint8_t taken, uint8_t *map)
{
   while (c < 4 && !(used & (1u << c)))
      c++;
   if (c == 4)
      return true;
   for (unsigned i = 0; i < 4; i++) {
      unsigned p = (c + i) & 3;
      if (!(candidates[c] & ~taken & (1u << p)))
         continue;
      if (attila_ra_match(candidates, used, c + 1, taken | 1u << p, map)) {
         *map = (*map & ~(3u << (2 * c))) | p << (2 * c);
         return true;
      }
   }
   return false;
}

/* Returns how many free components a register would have left, of which fewer are better, or -1 if
 * the node does not fit. */
static int
attila_ra_try_register(const struct allocator *a, const struct node *n, unsigned reg, uint8_t *map)
{
   uint8_t candidates[4] = {0}, any = 0;
   for (unsigned c = 0; c < 4; c++) {
      if (!(n->used & (1u << c)))
         continue;
      candidates[c] = attila_ra_free_components(a, n, c, reg);
      any |= candidates[c];
      if (!candidates[c])
         return -1;
   }
   *map = ATTILA_SWZ_XYZW;
   if (!attila_ra_match(candidates, n->used, 0, 0, map))
      return -1;
   return util_bitcount(any) - util_bitcount(n->used);
}

/* Tries the place with which the MOV of the hint becomes superfluous. */
static bool
attila_ra_try_hint(struct allocator *a, const struct node *n, unsigned *reg, uint8_t *map)
{
   if (!n->hint || n->elements > 1)
      return false;
   const struct attila_isa_instr *mov = &a->ir->instrs[n->hint - 1];
   bool is_dst = mov->dst.index == n->vreg;
   unsigned other = is_dst ? mov->src[0].index : mov->dst.index;
   if (!a->places[other].used || a->ir->vregs[other].array)
      return false;
   uint8_t candidates[4] = {0};
   *reg = a->places[other].reg;
   for (unsigned c = 0; c < 4; c++) {
      if (n->used & (1u << c))
         candidates[c] = attila_ra_free_components(a, n, c, *reg);
   }
   for (unsigned k = 0; k < 4; k++) {
      unsigned from = ATTILA_SWZ_GET(mov->src[0].swizzle, k), mine = is_dst ? k : from;
      if (mov->dst.write_mask & (1u << k))
         candidates[mine] &= 1u << ATTILA_SWZ_GET(a->places[other].map, is_dst ? from : k);
   }
   *map = ATTILA_SWZ_XYZW;
   return attila_ra_match(candidates, n->used, 0, 0, map);
}

/* Returns where the last value of a register before start ends; 0: there is no value. */
static uint32_t
attila_ra_last_use(const struct allocator *a, unsigned reg, uint32_t start)
{
   uint32_t end = 0;
   for (unsigned p = 0; p < 4; p++) {
      const struct ranges *t = &a->taken[reg * 4 + p];
      for (unsigned i = 0; i < t->count && t->list[i].start < start; i++)
         end = MAX2(end, t->list[i].end);
   }
   return end;
}

/* Among the registers that may be used freely (spread) takes an unused one, or else the one that
 * has been free for longest, so that no instruction waits until another one has finished with the
 * register. */
static bool
attila_ra_try_spread(struct allocator *a, const struct node *n, unsigned *reg, uint8_t *map)
{
   uint32_t best = UINT32_MAX;
   if (n->elements > 1 || !a->ir->spread)
      return false;
   for (unsigned r = 0; r < MIN2(a->ir->spread, a->max_regs); r++) {
      uint8_t m;
      if (attila_ra_try_register(a, n, r, &m) != 4 - (int)util_bitcount(n->used))
         continue;
      uint32_t end = attila_ra_last_use(a, r, n->start);
      if (end < best) {
         best = end;
         *reg = r;
         *map = m;
      }
   }
   if (best == UINT32_MAX)
      return false;
   a->num_regs = MAX2(a->num_regs, *reg + 1);
   return true;
}

static void
attila_ra_place(struct allocator *a, const struct node *n)
{
   uint8_t map = ATTILA_SWZ_XYZW;
   unsigned reg = 0;
   if (n->elements > ATTILA_ISA_MAX_TEMPS) {
      air_error(a->ir, "an array of %u elements, in %u temporary registers", n->elements,
                ATTILA_ISA_MAX_TEMPS);
      return;
   }
   if (!attila_ra_try_hint(a, n, &reg, &map) && !attila_ra_try_spread(a, n, &reg, &map)) {
      int best = -1;
      for (unsigned r = 0; r + n->elements <= a->num_regs; r++) {
         uint8_t m;
         int left = attila_ra_try_register(a, n, r, &m);
         if (left >= 0 && (best < 0 || left < best)) {
            best = left;
            reg = r;
            map = m;
         }
      }
      if (best < 0) {
         /* Take new registers behind all others; an array may begin in the last ones if these are
          * free. */
         for (reg = a->num_regs;
              reg > 0 && n->elements > 1 && attila_ra_try_register(a, n, reg - 1, &map) >= 0; reg--)
            ;
         map = ATTILA_SWZ_XYZW;
         if (reg + n->elements > ATTILA_ISA_MAX_TEMPS) {
            air_error(a->ir, "more than %u temporary registers", ATTILA_ISA_MAX_TEMPS);
            return;
         }
         a->num_regs = MAX2(a->num_regs, reg + n->elements);
      }
   }
   for (unsigned e = 0; e < n->elements; e++) {
      a->places[n->vreg + e] = (struct air_place){.reg = reg + e, .map = map, .used = true};
      for (unsigned c = 0; c < 4; c++) {
         if (n->used & (1u << c))
            attila_ra_occupy(a, (reg + e) * 4 + ATTILA_SWZ_GET(map, c), &a->live[n->vreg * 4 + c]);
      }
   }
}

static int
attila_ra_compare_nodes(const void *pa, const void *pb)
{
   const struct node *a = pa, *b = pb;
   if (a->start != b->start)
      return a->start < b->start ? -1 : 1;
   return a->vreg < b->vreg ? -1 : a->vreg > b->vreg;
}

static unsigned
attila_ra_collect_nodes(struct allocator *a, struct node *nodes)
{
   struct air *ir = a->ir;
   unsigned count = 0;
   for (unsigned v = 0; v < ir->num_vregs; v++) {
      struct node n = {.vreg = v, .start = UINT32_MAX, .elements = 1};
      if (ir->vregs[v].array) {
         if (ir->vregs[v].array != v + 1)
            continue;
         n.elements = ir->vregs[v].elements;
         n.fixed = true;
      }
      for (unsigned c = 0; c < 4; c++) {
         const struct ranges *r = &a->live[v * 4 + c];
         if (!r->count)
            continue;
         n.used |= 1u << c;
         n.start = MIN2(n.start, r->list[0].start);
      }
      if (n.used)
         nodes[count++] = n;
   }
   /* This finds the node of a virtual register, until nodes is sorted. */
   uint32_t *index = rzalloc_array(nodes, uint32_t, ir->num_vregs + 1);
   for (unsigned i = 0; i < count; i++)
      index[nodes[i].vreg] = i + 1;
   for (unsigned i = 0; i < ir->num_instrs; i++) {
      const struct attila_isa_instr *in = &ir->instrs[i];
      if (!air_writes_temp(in) || !index[in->dst.index])
         continue;
      struct node *d = &nodes[index[in->dst.index] - 1];
      d->fixed |= !air_is_componentwise(in->op) && !air_is_replicated(in->op);
      if (in->op != ATTILA_OP_MOV || in->src[0].file != ATTILA_FILE_TEMP || in->src[0].negate ||
          in->src[0].absolute || in->src[0].relative || in->dst.relative || in->dst.saturate ||
          !index[in->src[0].index])
         continue;
      struct node *s = &nodes[index[in->src[0].index] - 1];
      d->hint = d->hint ? d->hint : i + 1;
      s->hint = s->hint ? s->hint : i + 1;
   }
   qsort(nodes, count, sizeof(*nodes), attila_ra_compare_nodes);
   return count;
}

static bool
attila_ra_is_identity(const struct attila_isa_instr *in)
{
   if (in->op != ATTILA_OP_MOV || in->dst.file != ATTILA_FILE_TEMP || in->dst.saturate ||
       in->dst.relative || in->src[0].file != ATTILA_FILE_TEMP || in->src[0].relative ||
       in->src[0].negate || in->src[0].absolute || in->src[0].index != in->dst.index)
      return false;
   for (unsigned k = 0; k < 4; k++) {
      if ((in->dst.write_mask & (1u << k)) && ATTILA_SWZ_GET(in->src[0].swizzle, k) != k)
         return false;
   }
   return true;
}

void
air_place_operands(struct attila_isa_instr *in, const struct air_place *places)
{
   uint8_t dst_map = ATTILA_SWZ_XYZW, old_mask = in->dst.write_mask;
   uint8_t channels[3];
   for (unsigned s = 0; s < 3; s++)
      channels[s] = s < air_num_srcs(in) ? air_channels(in, s) : 0;
   if (air_writes_temp(in)) {
      dst_map = places[in->dst.index].map;
      in->dst.write_mask = 0;
      for (unsigned k = 0; k < 4; k++) {
         if (old_mask & (1u << k))
            in->dst.write_mask |= 1u << ATTILA_SWZ_GET(dst_map, k);
      }
      assert(places[in->dst.index].used);
      in->dst.index = places[in->dst.index].reg;
   }
   for (unsigned s = 0; s < air_num_srcs(in); s++) {
      struct attila_isa_src *src = &in->src[s];
      uint8_t map = src->file == ATTILA_FILE_TEMP ? places[src->index].map : ATTILA_SWZ_XYZW;
      uint8_t swizzle[4] = {0}, read = 0;
      bool identity = true;
      for (unsigned k = 0; k < 4; k++) {
         if (!(channels[s] & (1u << k)))
            continue;
         unsigned to = air_is_componentwise(in->op) ? ATTILA_SWZ_GET(dst_map, k) : k;
         swizzle[to] = ATTILA_SWZ_GET(map, ATTILA_SWZ_GET(src->swizzle, k));
         identity &= swizzle[to] == to;
         read |= 1u << to;
      }
      /* Channels that are not read repeat one that is. */
      unsigned last = read ? ffs(read) - 1 : 0;
      for (unsigned k = 0; k < 4; k++) {
         last = read & (1u << k) ? k : last;
         swizzle[k] = identity ? k : swizzle[last];
      }
      src->swizzle = ATTILA_SWZ(swizzle[0], swizzle[1], swizzle[2], swizzle[3]);
      if (src->file == ATTILA_FILE_TEMP) {
         assert(places[src->index].used);
         src->index = places[src->index].reg;
      }
   }
   if (attila_ra_is_identity(in))
      in->op = ATTILA_OP_NOP;
}

unsigned
air_choose_places(struct air *ir, struct air_place *places)
{
   void *mem = ralloc_context(ir->mem);
   struct allocator a = {.ir = ir, .places = places};
   memset(places, 0, ir->num_vregs * sizeof(*places));
   a.live = rzalloc_array(mem, struct ranges, ir->num_vregs * 4 + 4);
   /* taken has twice the room, since arrays are also tried from the last registers on. */
   a.max_regs = MIN2(ATTILA_ISA_MAX_TEMPS, ir->num_vregs + 1);
   a.taken = rzalloc_array(mem, struct ranges, a.max_regs * 2 * 4);
   a.loop_start = rzalloc_array(mem, uint32_t, ir->num_instrs + 1);
   a.loop_end = rzalloc_array(mem, uint32_t, ir->num_instrs + 1);

   struct air_cfg *cfg = air_build_cfg(ir, true);
   uint32_t *end = rzalloc_array(mem, uint32_t, ir->num_vregs * 4 + 4);
   for (unsigned b = cfg->num_blocks; b-- > 0;)
      attila_ra_block_ranges(&a, &cfg->blocks[b], end);
   for (unsigned i = 0; i < ir->num_vregs * 4; i++)
      attila_ra_reverse_ranges(&a.live[i]);
   attila_ra_find_loops(&a);
   attila_ra_array_ranges(&a);

   struct node *nodes = rzalloc_array(mem, struct node, ir->num_vregs + 1);
   unsigned count = attila_ra_collect_nodes(&a, nodes);
   for (unsigned i = 0; i < count && !ir->error; i++)
      attila_ra_place(&a, &nodes[i]);
   ralloc_free(cfg);
   ralloc_free(mem);
   return a.num_regs;
}

void
air_allocate(struct air *ir)
{
   struct air_place *places = ralloc_array(ir->mem, struct air_place, ir->num_vregs + 1);
   unsigned num_regs = air_choose_places(ir, places);
   if (ir->error)
      return;
   struct attila_isa_instr *real =
       ralloc_memdup(ir->mem, ir->instrs, ir->num_instrs * sizeof(*real));
   for (unsigned i = 0; i < ir->num_instrs; i++)
      air_place_operands(&real[i], places);
   if (ir->validate && !air_validate_allocation(ir, real, places, num_regs))
      return;
   /* Arrays may use the same registers at different times, so all their registers count as one
    * array. */
   ir->temps = rzalloc_array(ir->mem, struct air_vreg, num_regs + 1);
   unsigned first = UINT_MAX;
   for (unsigned v = 0; v < ir->num_vregs; v++)
      first = ir->vregs[v].array && places[v].used ? MIN2(first, places[v].reg) : first;
   for (unsigned v = 0; v < ir->num_vregs; v++) {
      if (ir->vregs[v].array && places[v].used)
         ir->temps[places[v].reg] = (struct air_vreg){.array = first + 1, .elements = num_regs};
   }
   ir->instrs = real;
   ir->num_temps = num_regs;
   air_compact(ir);
}
