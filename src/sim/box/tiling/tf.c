/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Tile Fetcher (TF) of a tile-based machine: at the end of a pass, or of a part of one, sends the
 * primitives of one bin after the other to traversal. An access per cycle goes to the tile cache:
 * the table of lists, then for each primitive its entry, itself and its vertices. Primitives wait
 * in a queue until their lines have come; then they are set up anew, TileSetupCycles each, with
 * bounds that end at the bin's. So units behind need not know of bins. The part of a draw in a bin
 * is a run. Runs of a bin follow in the order of draws, and pixels lie in one bin each, so a pixel
 * sees draws as in an immediate machine. A command in the lists is sent as an end (SIM_END_LISTED)
 * to the ROPs of the bin. Ends keep the paths of fragments in order (enum sim_end):
 * - SIM_END_BIN after a bin, for the ROPs that own tiles of it, which then write it back;
 * - SIM_END_RUN where, in a bin, fragments tested before shading are followed by fragments that are
 *   not tested: the interpolator merges the two paths by it;
 * - SIM_END_PIPE where, in a ROP, late tests follow early ones or the other way round. The next
 *   primitive waits until the colour writers of the bin's ROPs have reported it;
 * - SIM_END_PASS after the last bin, which all colour writers report when all is written back.
 * Not here: the lists (bins.c), the cache (tile_cache.c). */
#include "box/rop/rop_cache.h"
#include "box/tiling/kept.h"

SIM_BOX_STATS(tf)
_Static_assert(offsetof(struct tf_stats, bins) == sizeof(struct tile_cache_stats),
               "statistics of the tile cache come first");

/* A primitive of a bin, or an end. */
struct tf_item {
   const struct bins_prim *prim; /* NULL: an end; or of a command, which is sent as one */
   struct sim_draw *draw;
   int32_t box[4]; /* the bin: minx, miny, maxx, maxy; max exclusive */
   uint32_t fill;  /* the last read that brings lines of the primitive */
   bool reads;     /* it waits for that read */
   uint8_t what;   /* of an end: enum sim_end */
   uint32_t bin;   /* of SIM_END_BIN */
   uint32_t rops;  /* of an end: bit per ROP that gets it */
};

/* Most lines to read for a primitive: its entry, itself, vertices in two lines each or more. */
#define TF_LINES 64

struct tf {
   struct sim_box box;
   struct tf_stats *stat; /* [work_id] */
   struct bins *bins;     /* NULL: PLB has the lists */
   bool partial;
   uint16_t work_id; /* of the work that waits for the pass */
   /* Which primitive comes next. */
   uint64_t place; /* of the next bin in the order of bins; see tf_next_bin */
   uint32_t bin, entry;
   bool in_bin, listed;   /* the bin is known; its list, too */
   bool walked;           /* no bin is left */
   uint32_t header;       /* address of the line of the table of lists that was read; 0: none */
   uint32_t ahead;        /* address of the line after it, if that must still be read; 0: no */
   uint32_t header_fill;  /* the read that brings header, */
   bool header_reads;     /* if it comes from memory */
   uint32_t rops;         /* that own tiles of the bin: a bit each */
   struct sim_draw *run;  /* draw of the bin's last primitive; NULL: none */
   struct sim_draw *last; /* draw of the lists' last primitive; NULL: none */
   struct sim_draw *pipe[SIM_MAX_ROPS]; /* draw of the ROP's last primitive since SIM_END_PIPE */
   /* The lines that the primitive needs. */
   uint32_t line[TF_LINES], num_lines, next_line;
   struct tf_item fetched;
   bool fetching;
   /* What waits to be sent. */
   struct tf_item *queue;
   uint32_t head, tail, size;
   sim_tick next_send;
   bool piping;    /* the oldest item is a SIM_END_PIPE or SIM_END_PASS that was sent */
   uint32_t piped; /* colour writers that have not reported it */
   struct sim_stall stall;
   /* With RenderingElimination: what is kept, and of the present pass; NULL: nothing is. */
   struct kept kept[SIM_KEPT_PASSES], *keeping;
   sim_tick seen_since; /* when the present bin began */
};

static void
tf_init(struct sim_box *b)
{
   struct tf *t = (struct tf *)b;
   /* Two ends may follow a primitive. */
   t->size = b->gpu->config.tiling.fetch_queue + 3;
   t->queue = sim_box_alloc(b, t->size * sizeof(*t->queue));
}

static void
tf_fini(struct sim_box *b)
{
   struct tf *t = (struct tf *)b;
   for (unsigned i = 0; i < SIM_KEPT_PASSES; i++)
      kept_fini(&t->kept[i]);
}

static struct tf_item *
tf_item_at(const struct tf *t, uint32_t i)
{
   return &t->queue[i % t->size];
}

static void
tf_put(struct tf *t, const struct tf_item *item)
{
   *tf_item_at(t, t->tail++) = *item;
}

static void
tf_put_end(struct tf *t, struct sim_draw *draw, enum sim_end what, uint32_t rops)
{
   tf_put(t, &(struct tf_item){.draw = draw, .what = (uint8_t)what, .rops = rops});
}

/* --- Bins --- */

/* Returns the ROPs that own tiles of a bin. */
static uint32_t
tf_rops_of(const struct tf *t, const int32_t box[4])
{
   const unsigned num_rops = t->box.gpu->config.gpu.num_rops;
   uint32_t rops = 0;
   for (uint32_t y = (uint32_t)box[1]; y < (uint32_t)box[3]; y += ATTILA_TILE_DIM) {
      for (uint32_t x = (uint32_t)box[0]; x < (uint32_t)box[2]; x += ATTILA_TILE_DIM)
         rops |= 1u << sim_tile_rop(num_rops, x >> 3, y >> 3);
   }
   return rops;
}

static uint32_t
tf_all_rops(const struct tf *t)
{
   return (uint32_t)((1ull << t->box.gpu->config.gpu.num_rops) - 1);
}

static void
tf_box_of(const struct tf *t, uint32_t bin, int32_t box[4])
{
   const struct bins *b = t->bins;
   const uint32_t x = bin % b->across * b->width, y = bin / b->across % b->down * b->height;
   box[0] = (int32_t)x;
   box[1] = (int32_t)y;
   box[2] = (int32_t)(x + b->width);
   box[3] = (int32_t)(y + b->height);
}

/* Returns every second bit of n, from the lowest. */
static uint32_t
tf_gather(uint64_t n)
{
   uint32_t bits = 0;
   for (unsigned i = 0; i < 32; i++)
      bits |= (uint32_t)(n >> 2 * i & 1) << i;
   return bits;
}

/* Finds the next bin; false if none is left. In Z order, places are counted in the smallest square,
 * a power of two wide, that holds a layer's bins. */
static bool
tf_next_bin(struct tf *t)
{
   const struct bins *b = t->bins;
   const bool z = sim_tiled_in_z_order(&t->box.gpu->config);
   uint64_t side = 1;
   while (z && (side < b->across || side < b->down))
      side *= 2;
   const uint64_t places = z ? side * side : (uint64_t)b->across * b->down;
   while (t->place < places * b->layers) {
      const uint64_t in_layer = t->place % places;
      const uint32_t layer = (uint32_t)(t->place / places),
                     x = z ? tf_gather(in_layer) : (uint32_t)(in_layer % b->across),
                     y = z ? tf_gather(in_layer >> 1) : (uint32_t)(in_layer / b->across);
      t->place++;
      if (x >= b->across || y >= b->down)
         continue;
      t->bin = (layer * b->down + y) * b->across + x;
      return true;
   }
   return false;
}

static uint32_t
tf_header_line(const struct tf *t)
{
   const uint32_t size = t->bins->cache->line_bytes;
   return bins_header_address(t->bins, t->bin) / size * size;
}

/* Reads a line of the table of lists; the line after it follows in the next cycle. */
static bool
tf_read_header(struct tf *t, uint32_t line, sim_tick now)
{
   struct tile_cache *c = t->bins->cache;
   uint32_t fill;
   const enum tile_cache_answer a =
       tile_cache_access(c, now, line, false, false, t->work_id, &fill);
   if (a == TILE_CACHE_NOT_NOW)
      return false;
   if (line == t->ahead) {
      t->ahead = 0;
      return true;
   }
   t->header = line;
   t->header_reads = a == TILE_CACHE_COMING;
   t->header_fill = fill;
   t->ahead = line + c->line_bytes;
   if (t->ahead >= bins_header_address(t->bins, bins_number(t->bins)))
      t->ahead = 0;
   return true;
}

/* Queues the ends that must come between the runs of two draws. */
static void
tf_put_ends_before(struct tf *t, struct sim_draw *draw)
{
   struct sim_draw *other = NULL;
   unsigned rops = 0;
   for (unsigned m = t->rops; m; m &= m - 1) {
      struct sim_draw **d = &t->pipe[__builtin_ctz(m)];
      if (*d && (*d)->state.late_zs != draw->state.late_zs) {
         other = *d;
         rops |= m & -m;
      }
      *d = draw;
   }
   if (rops)
      tf_put_end(t, other, SIM_END_PIPE, rops);
   else if (t->run && sim_draw_tests_early(t->run) && !sim_draw_tests_early(draw))
      tf_put_end(t, t->run, SIM_END_RUN, t->rops);
}

/* Queues the end of the bin. */
static void
tf_end_bin(struct tf *t)
{
   tf_put_end(t, t->run, SIM_END_BIN, t->rops);
   tf_item_at(t, t->tail - 1)->bin = t->bin;
   t->in_bin = t->listed = false;
   t->run = NULL;
}

/* Queues the end of the pass. It must not overtake the last fragments of a ROP that had another
 * draw than the last one of all. */
static void
tf_end_pass(struct tf *t)
{
   t->rops = tf_all_rops(t);
   tf_put_ends_before(t, t->last);
   tf_put_end(t, t->last, SIM_END_PASS, t->rops);
}

/* Queues what gives a bin its kept contents, in place of its primitives. */
static void
tf_restore(struct tf *t, const struct bins_prim *p)
{
   t->stat[t->work_id].eliminated++;
   tf_put_ends_before(t, p->draw);
   t->run = t->last = p->draw;
   tf_put(t,
          &(struct tf_item){
              .prim = p, .draw = p->draw, .what = SIM_END_LISTED, .bin = t->bin, .rops = t->rops});
   tf_box_of(t, t->bin, tf_item_at(t, t->tail - 1)->box);
   tf_end_bin(t);
}

/* Reads the table of lists up to a bin with primitives. In a cycle it passes as many empty bins as
 * have their entries in a line of the table. False: nothing could be done. */
static bool
tf_look_for_bin(struct tf *t, sim_tick now)
{
   bool progress = false;
   int32_t box[4];
   for (;;) {
      if (!t->walked && !t->in_bin && !tf_next_bin(t)) {
         t->walked = true;
         if (t->last)
            tf_end_pass(t);
         return true;
      }
      t->in_bin = true;
      const uint32_t line = tf_header_line(t);
      if (line != t->header)
         return progress || tf_read_header(t, line, now);
      if (t->header_reads && !tile_cache_has(t->bins->cache, t->header_fill))
         return progress;
      if (t->bins->bin[t->bin].num) {
         t->entry = t->bins->bin[t->bin].first;
         t->run = NULL;
         tf_box_of(t, t->bin, box);
         t->rops = tf_rops_of(t, box);
         const struct bins_prim *same = t->keeping ? kept_same(t->keeping, t->bins, t->bin) : NULL;
         t->listed = !same;
         t->stat[t->work_id].bins += !same;
         if (same)
            tf_restore(t, same);
         return true;
      }
      t->stat[t->work_id].empty++;
      t->in_bin = false;
      progress = true;
   }
}

/* --- Primitives --- */

static void
tf_need(struct tf *t, uint32_t address, uint32_t bytes)
{
   const uint32_t size = t->bins->cache->line_bytes;
   for (uint32_t line = address / size * size; line < address + bytes; line += size) {
      bool known = false;
      for (uint32_t i = 0; i < t->num_lines; i++)
         known |= t->line[i] == line;
      if (!known && t->num_lines < TF_LINES)
         t->line[t->num_lines++] = line;
   }
}

/* Begins to fetch the bin's next primitive. */
static void
tf_begin_prim(struct tf *t)
{
   const struct sim_config *c = &t->box.gpu->config;
   const struct bin *bin = &t->bins->bin[t->bin];
   const struct bins_prim *p = bin->entry[t->entry];
   if (t->run != p->draw) {
      tf_put_ends_before(t, p->draw);
      t->stat[p->draw->work_id].runs += !p->listed;
   }
   t->run = t->last = p->draw;
   t->fetched = (struct tf_item){
       .prim = p, .draw = p->draw, .what = SIM_END_LISTED, .bin = t->bin, .rops = t->rops};
   tf_box_of(t, t->bin, t->fetched.box);
   t->num_lines = t->next_line = 0;
   tf_need(t, bins_entry_address(t->bins, c, bin, t->entry), c->tiling.entry_bytes);
   tf_need(t, p->address, BINS_RECORD);
   for (unsigned i = 0; i < 4; i++) {
      if (p->vertex[i])
         tf_need(t, p->vertex[i], p->vertex_bytes);
   }
   t->fetching = true;
}

static void
tf_end_prim(struct tf *t)
{
   tf_put(t, &t->fetched);
   t->fetching = false;
   if (++t->entry == t->bins->bin[t->bin].num)
      tf_end_bin(t);
}

/* Does a cycle's access to the tile cache. */
static bool
tf_fetch(struct tf *t, sim_tick now)
{
   uint32_t fill;
   if (t->walked || t->tail - t->head + 3 > t->size)
      return false;
   if (t->ahead)
      return tf_read_header(t, t->ahead, now);
   if (!t->listed)
      return tf_look_for_bin(t, now);
   if (!t->fetching)
      tf_begin_prim(t);
   const uint16_t work_id = t->fetched.draw->work_id;
   const enum tile_cache_answer a =
       tile_cache_access(t->bins->cache, now, t->line[t->next_line], false, false, work_id, &fill);
   if (a == TILE_CACHE_NOT_NOW)
      return false;
   if (a == TILE_CACHE_COMING && (!t->fetched.reads || (int32_t)(fill - t->fetched.fill) > 0)) {
      t->fetched.reads = true;
      t->fetched.fill = fill;
   }
   if (++t->next_line == t->num_lines)
      tf_end_prim(t);
   return true;
}

/* --- For listeners --- */

/* Begins a part of a pass, which may be its first. */
static void
tf_see_part(struct tf *t, sim_tick now)
{
   struct bins *b = t->bins;
   const uint32_t num = b->begun ? bins_number(b) : 0;
   t->seen_since = now;
   b->seen.parts++;
   if (b->seen_part)
      return;
   if (b->seen_room < num) {
      b->seen_bin = sim_xrealloc(b->seen_bin, num * sizeof(*b->seen_bin));
      b->seen_room = num;
   }
   if (num)
      memset(b->seen_bin, 0, num * sizeof(*b->seen_bin));
   b->seen = (struct sim_seen_pass){.drawn = sim_box_time(&t->box, now), .parts = 1};
   if (num) {
      b->seen.bin_width = b->width;
      b->seen.bin_height = b->height;
      b->seen.across = b->across;
      b->seen.down = b->down;
      b->seen.layers = b->layers;
      b->seen.bin = b->seen_bin;
   }
}

static void
tf_see_bin(struct tf *t, uint32_t bin, sim_tick now)
{
   struct bins *b = t->bins;
   b->seen_bin[bin].primitives += b->bin[bin].num - b->bin[bin].first;
   b->seen_bin[bin].ticks += now - t->seen_since;
   t->seen_since = now;
}

/* --- To traversal --- */

static int32_t
tf_most(int32_t a, int32_t b)
{
   return a > b ? a : b;
}

static int32_t
tf_least(int32_t a, int32_t b)
{
   return a < b ? a : b;
}

/* Makes the part of the primitive that lies in a bin. */
static struct sim_prim *
tf_make(struct tf *t, const struct tf_item *i)
{
   struct sim_prim *p = sim_pool_alloc(&t->box.gpu->prims);
   p->setup = i->prim->setup;
   p->draw = i->draw;
   p->number = i->prim->number;
   p->refs = 1;
   p->low_z = t->bins->low_z.size ? &t->bins->low_z : NULL;
   memset(p->vtx, 0, sizeof(p->vtx));
   struct emul_setup *s = &p->setup;
   s->minx = tf_most(s->minx, i->box[0]);
   s->miny = tf_most(s->miny, i->box[1]);
   s->maxx = tf_least(s->maxx, i->box[2]);
   s->maxy = tf_least(s->maxy, i->box[3]);
   for (unsigned n = 0; n < 2; n++) {
      s->box[n] = tf_most(s->box[n], i->box[n]);
      s->box[n + 2] = tf_least(s->box[n + 2], i->box[n + 2]);
   }
   return p;
}

static bool
tf_has_lines(struct tf *t, const struct tf_item *i, sim_tick now)
{
   if (!i->reads || tile_cache_has(t->bins->cache, i->fill))
      return true;
   sim_stall_begin(&t->stall, SIM_STAT(tf, stall_lines), now);
   return false;
}

static bool
tf_send_prim(struct tf *t, const struct tf_item *i, sim_tick now)
{
   struct sim_signal *out = &t->box.gpu->net.tf_tt[0];
   const uint16_t work_id = i->draw->work_id;
   if (now < t->next_send || !tf_has_lines(t, i, now))
      return false;
   if (!sim_can_send(out, now)) {
      sim_stall_begin(&t->stall, SIM_STAT(tf, stall_traversal), now);
      return false;
   }
   /* A primitive may be listed in a bin in which it has no pixel, since its edges or its bounding
    * box were tested against the whole bin. */
   struct sim_prim *p = tf_make(t, i);
   if (p->setup.minx < p->setup.maxx && p->setup.miny < p->setup.maxy)
      sim_send(
          out, now,
          &(struct msg_setup){.draw = i->draw, .prim = p, .number = p->number, .work_id = work_id});
   else
      sim_prim_unref(t->box.gpu, p);
   t->stat[work_id].primitives++;
   t->next_send = now + t->box.gpu->config.tiling.setup_cycles * t->box.period;
   return true;
}

static bool
tf_send_end(struct tf *t, const struct tf_item *i, sim_tick now)
{
   struct sim_signal *out = &t->box.gpu->net.tf_tt[0];
   struct tf_stats *stat = &t->stat[i->draw->work_id];
   if (t->piping) {
      if (t->piped) {
         sim_stall_begin(&t->stall, SIM_STAT(tf, stall_drain), now);
         return false;
      }
      t->piping = false;
      return true;
   }
   if (!tf_has_lines(t, i, now))
      return false;
   if (!sim_can_send(out, now)) {
      sim_stall_begin(&t->stall, SIM_STAT(tf, stall_traversal), now);
      return false;
   }
   sim_send(out, now,
            &(struct msg_setup){.draw = i->draw,
                                .listed = i->prim ? i->prim->listed : NULL,
                                .bin = (uint32_t)i->box[0] | (uint32_t)i->box[1] << 16,
                                .work_id = i->draw->work_id,
                                .end = true,
                                .what = i->what,
                                .rops = i->rops});
   stat->ends++;
   stat->listed += i->what == SIM_END_LISTED && !i->prim->listed->restores;
   if (i->what == SIM_END_BIN)
      tf_see_bin(t, i->bin, now);
   if (i->what != SIM_END_PIPE && i->what != SIM_END_PASS)
      return true;
   stat->drains++;
   t->piping = true;
   t->piped = sim_count_bits(i->rops);
   sim_stall_begin(&t->stall, SIM_STAT(tf, stall_drain), now);
   return false;
}

/* Sends the oldest primitive or end. */
static bool
tf_send(struct tf *t, sim_tick now)
{
   if (t->head == t->tail)
      return false;
   const struct tf_item *i = tf_item_at(t, t->head);
   const uint32_t piping = t->piping;
   const uint16_t work_id = i->draw->work_id;
   const bool gone = i->prim && !i->prim->listed ? tf_send_prim(t, i, now) : tf_send_end(t, i, now);
   if (!gone && piping == t->piping)
      return false;
   if (gone) {
      sim_stall_end(&t->stall, &t->box, work_id, now);
      t->head++;
   }
   sim_busy(&t->box, work_id);
   return true;
}

/* --- The box --- */

static bool
tf_take_lists(struct tf *t, sim_tick now)
{
   struct sim_netlist *net = &t->box.gpu->net;
   const struct msg_bins *m = sim_peek(&net->plb_tf[0], now);
   if (!m)
      return false;
   t->bins = m->bins;
   t->partial = m->partial;
   t->work_id = m->work_id;
   t->place = 0;
   t->in_bin = t->listed = t->walked = false;
   t->header = t->ahead = 0;
   t->run = t->last = NULL;
   memset(t->pipe, 0, sizeof(t->pipe));
   t->keeping = NULL;
   if (m->keeping.entry) {
      t->keeping = &t->kept[m->keeping.entry - 1];
      kept_begin(t->keeping, t->bins, &m->keeping);
      /* The parts of a pass that is drawn in parts are not kept. */
      if (t->bins->seen_part) {
         kept_forget(t->keeping);
         t->keeping = NULL;
      }
   }
   tf_see_part(t, now);
   tile_cache_give(t->bins->cache, &t->box, net->tf_mc, net->mc_tf);
   sim_busy(&t->box, t->work_id);
   sim_pop(&net->plb_tf[0], now);
   return true;
}

/* Gives the lists back when everything has been drawn. */
static bool
tf_finish(struct tf *t, sim_tick now)
{
   struct sim_netlist *net = &t->box.gpu->net;
   if (!t->walked || t->head != t->tail || t->bins->cache->under_way ||
       !sim_can_send(&net->tf_plb[0], now) || !sim_can_send(&net->tf_cp[0], now))
      return false;
   if (t->keeping)
      kept_store(t->keeping, t->bins);
   sim_send(&net->tf_plb[0], now, &(struct msg_bins){.bins = t->bins, .work_id = t->work_id});
   if (!t->partial)
      sim_send(&net->tf_cp[0], now, &(struct msg_drawn){.pass = &t->bins->seen});
   t->bins->seen_part = t->partial;
   sim_busy(&t->box, t->work_id);
   t->bins = NULL;
   return true;
}

static bool
tf_take_reports(struct tf *t, sim_tick now)
{
   struct sim_netlist *net = &t->box.gpu->net;
   bool any = false;
   for (uint32_t r = 0; r < t->box.gpu->config.gpu.num_rops; r++) {
      if (!sim_peek(&net->cw_tf[r], now))
         continue;
      sim_pop(&net->cw_tf[r], now);
      t->piped--;
      any = true;
   }
   return any;
}

static uint16_t
tf_work_id(const struct tf *t)
{
   return t->head != t->tail ? tf_item_at(t, t->head)->draw->work_id : t->work_id;
}

static sim_tick
tf_clock(struct sim_box *b, sim_tick now)
{
   struct tf *t = (struct tf *)b;
   bool progress = !t->bins && tf_take_lists(t, now);
   if (!t->bins)
      return SIM_NEVER;
   progress |= tf_take_reports(t, now);
   progress |= tile_cache_receive(t->bins->cache, now);
   progress |= tf_send(t, now);
   progress |= tf_fetch(t, now);
   progress |= t->bins->cache->wrote;
   t->bins->cache->wrote = false;
   progress |= tf_finish(t, now);
   if (t->bins)
      sim_blocked(b, tf_work_id(t));
   if (progress)
      return now + b->period;
   return t->head != t->tail && t->next_send > now ? t->next_send : SIM_NEVER;
}

static void
tf_flush_counters(struct sim_box *b, sim_tick next)
{
   struct tf *t = (struct tf *)b;
   if (t->bins)
      sim_stall_flush(&t->stall, b, tf_work_id(t), next);
}

static void
tf_dump(const struct sim_box *b, FILE *f)
{
   const struct tf *t = (const struct tf *)b;
   if (!t->bins) {
      fprintf(f, "   no lists\n");
      return;
   }
   fprintf(f, "   bin %u of %u, entry %u of %u; %u waiting%s", t->bin, bins_number(t->bins),
           t->entry, t->in_bin ? t->bins->bin[t->bin].num : 0, t->tail - t->head,
           t->piping ? ", for the fragments before" : "");
   if (t->head != t->tail)
      fprintf(f, "; oldest: draw %u", tf_item_at(t, t->head)->draw->number);
   fputc('\n', f);
}

const struct sim_box_class tf_class = {
    .size = sizeof(struct tf),
    .domain = SIM_DOMAIN_GPU,
    .init = tf_init,
    .clock = tf_clock,
    .dump = tf_dump,
    .fini = tf_fini,
    .flush_counters = tf_flush_counters,
    SIM_BOX_CLASS(tf),
};
