/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Hierarchical Z: tests 8x8 tiles against an on-chip buffer of one depth bound per block, splits
 * what survives into quads and sends every quad to the ROP that owns its tile (sim_tile_rop): to
 * the ZST for draws tested before shading, to the interpolator for all others.
 *
 * Order. The end marker of every draw goes to hz_interp[r]; a draw that is tested early sends one
 * to hz_zst[r] too. So what waits in hz_interp[r] tells the interpolator which path the oldest
 * unfinished draw takes (interp.c).
 *
 * The buffer holds 8 bits per block (ISPASS 2006 section 2): a small float of 1 - z with 4 bits of
 * exponent and 4 of mantissa, because perspective depth crowds near 1. It is rounded so that a
 * block never looks nearer than it is. The bounds belong to one surface; a draw with another one
 * starts from nothing. They stay true because
 * - a draw that may raise depth (it writes depth with GREATER, NOTEQUAL, GEQUAL or ALWAYS) makes
 * every block it touches unknown;
 * - bounds come from ZST when lines leave the Z cache, marked with the hz_epoch of the newest draw
 * whose quads it processed; HZ takes them only when that is a later epoch than those seen before
 * the last clear or change of surface and that of the last raising draw. The command processor
 * drains the pipeline and begins an epoch around those. Not used for multisampled surfaces. Not
 * here: the depth of tiles and quads (emul_raster).
 */
#include "box/rop/rop_cache.h"

#include <stdlib.h>

/* clang-format off */
#define HZ_STATS(S)                                                                              \
   S(input,     "InputFragments",           FRAGMENTS, "covered fragments received")             \
   S(outside,   "OutsideTriangleFragments", FRAGMENTS,                                           \
      "fragments of received tiles that are not covered")                                        \
   S(output,    "OutputFragments",          FRAGMENTS, "live samples sent on")                   \
   S(culled,    "CulledFragments",          FRAGMENTS,                                           \
      "covered fragments of tiles without a live sample or culled by HZ")                        \
   S(culled_hz, "CulledHZFragments",        FRAGMENTS,                                           \
      "covered fragments culled by the HZ test")                                                 \
   S(tiles,     "InputTiles",               TILES,     "tiles received")                         \
   S(culled_tiles, "CulledHZTiles",         TILES,     "tiles culled by the HZ test")            \
   S(quads,     "OutputQuads",              QUADS,     "quads sent on")                          \
   S(reads,     "ReadsHZBuffer",            COUNT,     "block bounds read")                      \
   S(writes,    "WritesHZBuffer",           COUNT,     "block bounds written")                   \
   S(void_updates, "VoidUpdates",           COUNT,     "bounds from the ZST that came too late") \
   S(stall,     "ConsumerBusy",             CYCLES,                                              \
      "a tile waited for a ROP or the interpolator")                                             \
   S(clear,     "ClearCycles",              CYCLES,    "busy with clear commands")
/* clang-format on */
SIM_STATS_DECLARE(hz, HZ_STATS)

struct hz {
   struct sim_box box;
   struct hz_stats *stat; /* [slot] */
   struct sim_signal *in, *cmd, *answer;
   struct sim_signal *zst, *interp, *update; /* [num_rops] */
   uint32_t num_rops, tiles_cycle, size;
   sim_tick clear_blocks; /* blocks per cycle */
   bool enabled;
   /* The buffer: 0 is unknown (or far), larger is nearer. */
   uint8_t *bound;
   uint32_t surface, pitch; /* address and tiles per row of what bound describes; 0: nothing */
   int64_t void_epoch;      /* updates of this and older epochs are void */
   int64_t newest;          /* epoch of the newest draw seen */
   /* The draw whose tiles arrive. NULL: look again. */
   struct sim_draw *draw;
   bool early, cull, raises;
   /* The oldest tile, or the end of a draw, as far as it is done. */
   bool tested;
   uint64_t left; /* coverage, or bit per ROP for an end */
   bool busy;     /* with a command */
   sim_tick busy_until;
   uint64_t *waiting;
};

/* --- Bounds --- */

/* 1 - z as 4 bits of exponent and 4 of mantissa, rounded down: monotonous, so z1 has a smaller code
 * than z2 only if z1 > z2. */
static inline uint8_t
encode(float z)
{
   float f = (float)(1.0 - (double)z);
   uint32_t bits;
   if (!(f > 0.0f))
      return 0;
   if (f > 1.0f)
      f = 1.0f;
   memcpy(&bits, &f, 4);
   int32_t code = (int32_t)(bits >> 19) - (112 << 4);
   return code > 0 ? (uint8_t)code : 0;
}

/* The buffer describes another surface, or other contents, of which nothing is known. */
static void
forget(struct hz *h, uint32_t surface, uint32_t pitch)
{
   memset(h->bound, 0, h->size);
   h->surface = surface;
   h->pitch = pitch;
   h->void_epoch = h->newest;
}

/* A bound for every element that a clear to depth gives. */
static uint8_t
clear_bound(const struct attila_regs *regs, float depth)
{
   uint8_t block[64 * 8], element[8];
   const struct attila_format_desc *format = &attila_formats[regs->zs_format];
   if (format->channel[0].bits == 0)
      return 0;
   emul_zs_clear_value(format, 3, depth, 0, NULL, element);
   for (unsigned i = 0; i < 64; i++)
      memcpy(block + i * format->bytes, element, format->bytes);
   return encode(emul_zs_block_max(format, block));
}

/* Every block inside the framebuffer gets the bound of a clear; returns how many. */
static uint64_t
clear(struct hz *h, const struct attila_regs *regs, float depth)
{
   uint32_t width = (regs->fb_width + 7) / 8, height = (regs->fb_height + 7) / 8;
   uint8_t bound = regs->fb_samples > 1 ? 0 : clear_bound(regs, depth);
   forget(h, regs->zs_address, regs->zs_pitch_tiles);
   for (uint64_t ty = 0; ty < height && width <= h->pitch; ty++) {
      uint64_t first = ty * h->pitch;
      if (first >= h->size)
         break;
      memset(h->bound + first, bound, width < h->size - first ? width : h->size - first);
   }
   return (uint64_t)width * height;
}

static void
take_updates(struct hz *h, sim_tick now)
{
   for (uint32_t r = 0; r < h->num_rops; r++) {
      const struct msg_hz *m;
      while ((m = sim_peek(&h->update[r], now)) != NULL) {
         if (m->address == h->surface && m->block < h->size && m->epoch > h->void_epoch) {
            h->bound[m->block] = encode(m->zmax);
            h->stat[0].writes++;
         } else {
            h->stat[0].void_updates++;
         }
         sim_pop(&h->update[r], now);
      }
   }
}

/* --- Commands --- */

/* True while a command keeps the box busy. */
static bool
commands(struct hz *h, sim_tick now, bool *progress)
{
   const struct msg_rop *m = h->busy ? NULL : sim_peek(h->cmd, now);
   if (m) {
      const struct attila_regs *regs = m->regs;
      sim_tick cycles = 1;
      bool zs = m->op == ROP_CLEAR && regs->zs_address && regs->zs_format < ATTILA_NUM_FORMATS &&
                (attila_formats[regs->zs_format].uses & ATTILA_USE_ZS);
      if (zs && (m->planes & 1)) {
         uint64_t blocks = clear(h, regs, m->depth);
         cycles = (blocks + h->clear_blocks - 1) / h->clear_blocks;
      } else if (m->op == ROP_FLUSH) {
         forget(h, 0, 0);
      }
      sim_pop(h->cmd, now);
      h->draw = NULL;
      h->busy = true;
      h->busy_until = now + (cycles ? cycles : 1) * h->box.period;
      *progress = true;
   }
   if (!h->busy)
      return false;
   if (now >= h->busy_until && sim_can_send(h->answer, now)) {
      struct msg_done done = {0};
      sim_send(h->answer, now, &done);
      h->busy = false;
      *progress = true;
   } else {
      h->waiting = &h->stat[0].clear;
   }
   return true;
}

/* --- Tiles --- */

/* True when culled fragments leave no trace in the stencil buffer. */
static bool
stencil_keeps(const struct emul_draw_state *s)
{
   if (!s->stencil_test)
      return true;
   const struct attila_stencil_regs *f = &s->regs.stencil[0], *b = &s->regs.stencil[1];
   return f->fail == ATTILA_STENCIL_KEEP && f->zfail == ATTILA_STENCIL_KEEP &&
          (!b->enable || (b->fail == ATTILA_STENCIL_KEEP && b->zfail == ATTILA_STENCIL_KEEP));
}

static void
start_draw(struct hz *h, struct sim_draw *draw)
{
   const struct emul_draw_state *s = &draw->state;
   unsigned func = s->regs.z_func;
   bool writes_depth = s->fs && emul_program_isa(s->fs)->writes_depth,
        tests = s->zs_bound && s->z_test;
   h->draw = draw;
   h->early = sim_draw_tests_early(draw);
   if (tests && (s->regs.zs_address != h->surface || s->regs.zs_pitch_tiles != h->pitch))
      forget(h, s->regs.zs_address, s->regs.zs_pitch_tiles);
   h->raises = tests && s->z_write && func >= ATTILA_FUNC_GREATER;
   h->cull = h->enabled && tests && s->samples == 1 && !writes_depth && stencil_keeps(s) &&
             (func == ATTILA_FUNC_LESS || func == ATTILA_FUNC_LEQUAL || func == ATTILA_FUNC_EQUAL);
   h->newest = draw->hz_epoch;
   if (h->raises)
      h->void_epoch = draw->hz_epoch;
}

/* The HZ test of a new tile; what is left of its coverage. */
static uint64_t
test_tile(struct hz *h, const struct msg_tile *m)
{
   uint32_t block = ((uint32_t)m->y >> 3) * h->pitch + ((uint32_t)m->x >> 3);
   struct hz_stats *stat = &h->stat[m->slot];
   unsigned covered = (unsigned)__builtin_popcountll(m->coverage);
   stat->tiles++;
   stat->input += covered;
   stat->outside += 64 - covered;
   if (h->raises && block < h->size) {
      h->bound[block] = 0;
      stat->writes++;
   } else if (h->cull && block < h->size) {
      float zmin, zmax;
      stat->reads++;
      if (h->bound[block]) {
         emul_tile_depth_range(&m->prim->setup, m->x, m->y, &zmin, &zmax);
         if (zmin >= 0.0f && encode(zmin) < h->bound[block]) {
            stat->culled += covered;
            stat->culled_hz += covered;
            stat->culled_tiles++;
            return 0;
         }
      }
   }
   /* Centres do not say which samples are covered: every quad of the tile is looked at. */
   return emul_multisample(&h->draw->state) ? ~0ull : m->coverage;
}

/* The samples that the sample mask lets through. */
static uint32_t
sample_mask(const struct emul_draw_state *s)
{
   uint32_t mask = 0;
   for (unsigned i = 0; i < s->samples; i++)
      mask |= (s->regs.sample_mask >> i & 1) * (15u << (4 * i));
   return mask;
}

/* Makes quad number q (Morton order) of a tile; NULL: no sample of it is covered. */
static struct sim_quad *
make_quad(struct hz *h, const struct msg_tile *m, unsigned q, unsigned rop)
{
   const struct emul_draw_state *s = &h->draw->state;
   int32_t x = m->x + emul_quad_x(q), y = m->y + emul_quad_y(q);
   uint32_t mask = (uint32_t)(m->coverage >> (4 * q)) & 15;
   if (s->samples > 1)
      mask = emul_quad_coverage(&m->prim->setup, x, y, s->samples) & sample_mask(s);
   if (!mask)
      return NULL;
   struct sim_quad *quad = sim_pool_alloc(&h->box.gpu->quads);
   quad->draw = m->draw;
   quad->prim = m->prim;
   m->prim->refs++;
   quad->x = x;
   quad->y = y;
   quad->mask = mask;
   quad->slot = m->slot;
   quad->rop = (uint8_t)rop;
   quad->front = m->prim->setup.front;
   for (unsigned i = 0; i < s->samples; i++) {
      if (mask >> (4 * i) & 15)
         emul_quad_depth(&m->prim->setup, x, y, i, s->samples, quad->z[i]);
   }
   return quad;
}

/* Sends the quads that are left of the oldest tile; true when none is left. */
static bool
send_quads(struct hz *h, sim_tick now, const struct msg_tile *m)
{
   unsigned rop = sim_tile_rop(h->num_rops, (uint32_t)m->x >> 3, (uint32_t)m->y >> 3);
   struct sim_signal *out = h->early ? &h->zst[rop] : &h->interp[rop];
   uint32_t room = sim_can_send(out, now);
   while (h->left) {
      unsigned q = (unsigned)__builtin_ctzll(h->left) / 4;
      if (!room)
         return false;
      struct sim_quad *quad = make_quad(h, m, q, rop);
      h->left &= ~(15ull << (4 * q));
      if (!quad)
         continue;
      struct msg_quad msg = {.draw = m->draw, .quad = quad, .slot = m->slot};
      sim_send(out, now, &msg);
      room--;
      h->stat[m->slot].quads++;
      h->stat[m->slot].output += (unsigned)__builtin_popcount(quad->mask);
   }
   return true;
}

/* Sends the end of a draw to each ROP as soon as that has room; true when all have it. */
static bool
send_end(struct hz *h, sim_tick now, const struct msg_tile *m)
{
   struct msg_quad msg = {.draw = m->draw, .slot = m->slot, .end = true};
   if (!h->tested) {
      h->tested = true;
      h->left = (1ull << h->num_rops) - 1;
   }
   for (uint32_t r = 0; r < h->num_rops; r++) {
      if (!(h->left >> r & 1) || !sim_can_send(&h->interp[r], now) ||
          (h->early && !sim_can_send(&h->zst[r], now)))
         continue;
      sim_send(&h->interp[r], now, &msg);
      if (h->early)
         sim_send(&h->zst[r], now, &msg);
      h->left &= ~(1ull << r);
   }
   return h->left == 0;
}

static bool
tiles(struct hz *h, sim_tick now)
{
   bool progress = false;
   for (uint32_t n = 0; n < h->tiles_cycle; n++) {
      const struct msg_tile *m = sim_peek(h->in, now);
      uint64_t before = h->left;
      bool was_tested = h->tested, done;
      if (!m)
         break;
      if (h->draw != m->draw)
         start_draw(h, m->draw);
      if (m->end) {
         done = send_end(h, now, m);
      } else {
         if (!h->tested) {
            h->left = test_tile(h, m);
            h->tested = true;
         }
         done = send_quads(h, now, m);
      }
      if (!done) {
         progress |= h->left != before || h->tested != was_tested;
         h->waiting = &h->stat[m->slot].stall;
         break;
      }
      if (m->end)
         h->draw = NULL;
      else
         sim_prim_unref(h->box.gpu, m->prim);
      sim_pop(h->in, now);
      h->tested = false;
      progress = true;
   }
   return progress;
}

/* --- The box --- */

static void
init(struct sim_box *b)
{
   struct hz *h = (struct hz *)b;
   const struct sim_config *cfg = &b->gpu->config;
   struct sim_netlist *net = &b->gpu->net;
   h->in = net->tt_hz;
   h->cmd = net->cp_hz;
   h->answer = net->hz_cp;
   h->zst = net->hz_zst;
   h->interp = net->hz_interp;
   h->update = net->zst_hz;
   h->num_rops = cfg->gpu.num_rops;
   h->tiles_cycle = cfg->rast.tiles_cycle;
   h->size = cfg->rast.hz_size;
   h->clear_blocks = cfg->zst.blocks_cleared;
   h->enabled = !cfg->rast.disable_hz;
   h->void_epoch = h->newest = -1;
   h->bound = calloc(h->size, 1);
   if (!h->bound) {
      fprintf(stderr, "attila: out of host memory\n");
      abort();
   }
}

static void
fini(struct sim_box *b)
{
   free(((struct hz *)b)->bound);
}

static sim_tick
clock(struct sim_box *b, sim_tick now)
{
   struct hz *h = (struct hz *)b;
   bool progress = false;
   if (h->waiting)
      *h->waiting += sim_waited(b, now);
   h->waiting = NULL;
   take_updates(h, now);
   if (!commands(h, now, &progress))
      progress |= tiles(h, now);
   if (progress)
      return now + b->period;
   return h->busy && h->busy_until > now ? h->busy_until : SIM_NEVER;
}

static void
dump(const struct sim_box *b, FILE *f)
{
   const struct hz *h = (const struct hz *)b;
   fprintf(f, "   surface 0x%x, %s", h->surface, h->busy ? "busy with a command" : "no command");
   if (h->draw)
      fprintf(f, ", draw %u, left of its oldest tile or end: %llx", h->draw->number,
              (unsigned long long)h->left);
   fprintf(f, "\n");
}

const struct sim_box_class hz_class = {
    .name = "HierarchicalZ",
    .unit = "HZ",
    .doc = "Culls hidden tiles and splits the others into quads (ISPASS 2006 section 2)",
    .size = sizeof(struct hz),
    .domain = SIM_DOMAIN_GPU,
    .init = init,
    .clock = clock,
    .dump = dump,
    .fini = fini,
    SIM_STATS_CLASS(hz),
};
