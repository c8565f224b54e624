/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Triangle Traversal (TT, the Fragment Generator of ISPASS 2006 section 2): finds the 8x8 tiles a
 * primitive covers by recursive descent (McCool, Wales and Moule 2002): the bounding box lies in at
 * most 2 x 2 aligned blocks of a power of two; a block that the primitive may overlap is divided in
 * four, visited in Morton order, so that consecutive tiles are neighbours in memory and in the
 * caches. Each cycle tests up to four blocks for every tile it can send. Depth, HZ and quads are
 * the next boxes'.
 */
#include "box/sim_gpu.h"

/* clang-format off */
#define TT_STATS(S)                                                                      \
   S(input, "InputTriangles", TRIANGLES, "primitives traversed")                         \
   S(requested, "RequestedTriangles", TRIANGLES, "primitives asked for from setup")      \
   S(fragments, "GeneratedFragments", FRAGMENTS,                                         \
      "covered fragments (of multisampled draws: of tiles)")                             \
   S(tiles, "GeneratedTiles", TILES, "8x8 tiles sent")                                   \
   S(tests, "TestedBlocks", TILES, "blocks tested, empty ones included")                 \
   S(quads0, "Stamps0Fragment", QUADS, "quads of sent tiles without a covered fragment") \
   S(quads1, "Stamps1Fragment", QUADS, "quads with 1 covered fragment")                  \
   S(quads2, "Stamps2Fragment", QUADS, "quads with 2 covered fragments")                 \
   S(quads3, "Stamps3Fragment", QUADS, "quads with 3 covered fragments")                 \
   S(quads4, "Stamps4Fragment", QUADS, "quads with 4 covered fragments")                 \
   S(busy, "UtilizationCycles", CYCLES, "cycles in which a block was tested")            \
   S(stall_hz, "StallsHZ", CYCLES, "the HZ test took no tile")
/* clang-format on */
SIM_STATS_DECLARE(tt, TT_STATS)

#define TT_TESTS_PER_TILE 4
#define TT_STACK 64 /* 4 roots, and 3 more for each of 10 halvings of 8192 */

struct tt_block {
   int32_t x, y, dim;
};

struct tt {
   struct sim_box box;
   struct tt_stats *stat; /* [slot] */
   bool started;          /* the oldest primitive */
   unsigned depth;
   struct tt_block stack[TT_STACK];
   struct sim_stall stall;
};

/* Pushes the four blocks of the 2 x 2 group at (x, y) that touch the bounding box, so that they pop
 * in Morton order. */
static inline void
push_four(struct tt *t, const struct emul_setup *s, int32_t x, int32_t y, int32_t dim)
{
   for (int32_t i = 3; i >= 0; i--) {
      int32_t bx = x + (i & 1) * dim, by = y + (i >> 1) * dim;
      if (bx < s->maxx && bx + dim > s->minx && by < s->maxy && by + dim > s->miny)
         t->stack[t->depth++] = (struct tt_block){bx, by, dim};
   }
}

static void
start(struct tt *t, const struct emul_setup *s)
{
   int32_t width = s->maxx - s->minx, height = s->maxy - s->miny;
   int32_t size = width > height ? width : height, dim = ATTILA_TILE_DIM;
   t->depth = 0;
   t->started = true;
   if (width <= 0 || height <= 0)
      return;
   while (dim < size)
      dim *= 2;
   push_four(t, s, s->minx & ~(dim - 1), s->miny & ~(dim - 1), dim);
}

static void
count_quads(struct tt_stats *stat, uint64_t coverage)
{
   /* Per nibble: fragments of a quad, 0..4; then how many nibbles have each number. */
   uint64_t pairs = coverage - (coverage >> 1 & 0x5555555555555555ull);
   uint64_t n = (pairs & 0x3333333333333333ull) + (pairs >> 2 & 0x3333333333333333ull);
   uint64_t b0 = n & 0x1111111111111111ull, b1 = n >> 1 & 0x1111111111111111ull,
            b2 = n >> 2 & 0x1111111111111111ull;
   unsigned one = (unsigned)__builtin_popcountll(b0 & ~b1),
            two = (unsigned)__builtin_popcountll(b1 & ~b0);
   unsigned three = (unsigned)__builtin_popcountll(b0 & b1),
            four = (unsigned)__builtin_popcountll(b2);
   stat->quads1 += one;
   stat->quads2 += two;
   stat->quads3 += three;
   stat->quads4 += four;
   stat->quads0 += 16 - one - two - three - four;
   stat->fragments += (uint64_t)__builtin_popcountll(coverage);
   stat->tiles++;
}

/* Tests the block on top of the stack; covered tiles are sent (there is room). */
static void
visit(struct tt *t, const struct msg_setup *m, sim_tick now)
{
   struct sim_gpu *gpu = t->box.gpu;
   const struct emul_setup *s = &m->prim->setup;
   struct tt_block block = t->stack[--t->depth];
   t->stat[m->slot].tests++;
   if (block.dim > ATTILA_TILE_DIM) {
      if (emul_block_overlaps(s, block.x, block.y, block.dim))
         push_four(t, s, block.x, block.y, block.dim / 2);
      return;
   }
   /* With several samples a pixel whose centre is not covered can have samples that are: all quads
    * of the tile are candidates. */
   uint64_t coverage;
   if (emul_multisample(&m->draw->state))
      coverage = emul_block_overlaps(s, block.x, block.y, block.dim) ? ~0ull : 0;
   else
      coverage = emul_tile_coverage(s, block.x, block.y);
   if (!coverage)
      return;
   m->prim->refs++;
   sim_send(&gpu->net.tt_hz[0], now,
            &(struct msg_tile){.draw = m->draw,
                               .prim = m->prim,
                               .x = block.x,
                               .y = block.y,
                               .coverage = coverage,
                               .slot = m->slot});
   count_quads(&t->stat[m->slot], coverage);
}

static sim_tick
tt_clock(struct sim_box *b, sim_tick now)
{
   struct tt *t = (struct tt *)b;
   struct sim_netlist *net = &b->gpu->net;
   const struct sim_config *config = &b->gpu->config;
   uint32_t tests = config->rast.tiles_cycle * TT_TESTS_PER_TILE,
            starts = config->rast.triangles_cycle;
   bool progress = false;
   const struct msg_setup *m;
   while ((m = sim_peek(&net->ts_tt[0], now))) {
      uint16_t slot = m->slot;
      if (!m->end && !t->started) {
         if (starts == 0)
            break;
         starts--;
         start(t, &m->prim->setup);
         t->stat[slot].requested++;
         t->stat[slot].input++;
         sim_busy(b, slot);
         progress = true;
      }
      if (m->end || t->depth) {
         /* A tile or the marker may follow. */
         bool room = sim_can_send(&net->tt_hz[0], now) != 0;
         if (room)
            sim_stall_end(&t->stall, b, slot, now);
         else if (!progress)
            sim_stall_begin(&t->stall, SIM_STAT(tt, stall_hz), now);
         if (!room)
            break;
      }
      if (m->end) {
         sim_send(&net->tt_hz[0], now,
                  &(struct msg_tile){.draw = m->draw, .slot = slot, .end = true});
      } else if (t->depth) {
         if (tests == 0)
            break;
         if (tests-- == config->rast.tiles_cycle * TT_TESTS_PER_TILE)
            t->stat[slot].busy++;
         visit(t, m, now);
         sim_busy(b, slot);
         progress = true;
         if (t->depth)
            continue;
      }
      if (!m->end) {
         sim_prim_unref(b->gpu, m->prim);
         t->started = false;
      }
      sim_pop(&net->ts_tt[0], now);
      sim_busy(b, slot);
      progress = true;
   }
   if ((m = sim_peek(&net->ts_tt[0], now)))
      sim_blocked(b, m->slot);
   return progress ? now + b->period : SIM_NEVER;
}

static void
tt_settle(struct sim_box *b, sim_tick next)
{
   const struct msg_setup *m = sim_peek(&b->gpu->net.ts_tt[0], next);
   if (m)
      sim_stall_settle(&((struct tt *)b)->stall, b, m->slot, next);
}

static void
tt_dump(const struct sim_box *b, FILE *f)
{
   const struct tt *t = (const struct tt *)b;
   const struct sim_signal *in = &b->gpu->net.ts_tt[0];
   const struct msg_setup *m = sim_peek(in, SIM_NEVER);
   fprintf(f, "%s: %u primitives waiting", b->name, in->tail - in->head);
   if (m)
      fprintf(f, ", oldest: draw %u%s, %u blocks to visit", m->draw->number, m->end ? " end" : "",
              t->started ? t->depth : 0);
   fputc('\n', f);
}

const struct sim_box_class tt_class = {
    .name = "TriangleTraversal",
    .unit = "TT",
    .doc = "Finds the tiles a primitive covers (ISPASS 2006 section 2, Fragment Generator).",
    .size = sizeof(struct tt),
    .domain = SIM_DOMAIN_GPU,
    .clock = tt_clock,
    .settle = tt_settle,
    .dump = tt_dump,
    SIM_STATS_CLASS(tt),
};
