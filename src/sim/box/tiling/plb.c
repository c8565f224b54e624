/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Polygon List Builder (PLB) of a tile-based machine: stores every primitive that setup sends, with
 * the vertices that are not stored yet, in the parameter buffer, and lists it in each bin that it
 * touches. One primitive at a time: BinTilesCycle bins are tested per cycle, while a line per cycle
 * is written through the tile cache: first primitive and vertices, then an entry for each bin that
 * was found. A command in the lists is stored likewise, in all bins. A clear of all that the
 * primitives before it write takes these out: lists begin with the clear then, unless fragments
 * count for a query. Each open pass has lists of its own. When the command processor ends a pass,
 * its lists go to the Tile Fetcher and come back empty. When a primitive does not fit into the
 * pass's share of the parameter buffer, the lists go to the Tile Fetcher first, and the pass goes
 * on with empty lists: a partial render. Not here: the lists (bins.c), the cache (tile_cache.c),
 * when passes end (box/command/cp_pass.c). */
#include "box/tiling/bins.h"

SIM_BOX_STATS(plb)
_Static_assert(offsetof(struct plb_stats, primitives) == sizeof(struct tile_cache_stats),
               "statistics of the tile cache come first");

/* How much of the present primitive is written. */
struct plb_work {
   bool begun;
   struct bins_prim *prim; /* NULL: it touches no bin */
   uint32_t tested;        /* bins tested so far */
   uint32_t low_z;         /* tiles to compare for low-resolution Z */
   uint32_t at, end;       /* addresses of primitive and vertices still to write */
   uint32_t next_hit;
   uint32_t entry;  /* address of its entry in the list; 0: not appended yet */
   uint32_t header; /* address in the table of lists, if that must be written; else 0 */
   bool fresh;
   bool clears; /* it takes the primitives before it out of the lists */
};

struct plb {
   struct sim_box box;
   struct plb_stats *stat; /* [work_id] */
   struct tile_cache cache;
   struct bins *bins; /* [OpenPasses] */
   struct plb_work work;
   struct msg_setup listed;    /* what stands for a command in place of a primitive */
   struct bins *out;           /* the lists that the Tile Fetcher has, or gets next */
   bool away;                  /* the Tile Fetcher has them, and the cache */
   bool sending;               /* it gets them as soon as all writes are done */
   bool partial;               /* and the pass goes on after that */
   uint16_t work_id;           /* of the work that waits for the lists */
   struct sim_keeping keeping; /* of the pass that ends */
   struct sim_stall stall;
};

static void
plb_init(struct sim_box *b)
{
   struct plb *p = (struct plb *)b;
   struct sim_netlist *net = &b->gpu->net;
   const uint32_t num = b->gpu->config.tiling.open_passes;
   tile_cache_init(&p->cache, b);
   tile_cache_give(&p->cache, b, net->plb_mc, net->mc_plb);
   p->bins = sim_box_alloc(b, num * sizeof(*p->bins));
   for (uint32_t i = 0; i < num; i++)
      bins_init(&p->bins[i], b->gpu, &p->cache, i);
}

static void
plb_fini(struct sim_box *b)
{
   for (uint32_t i = 0; i < b->gpu->config.tiling.open_passes; i++)
      bins_fini(&((struct plb *)b)->bins[i]);
}

/* Returns the lists of the pass to which a primitive, the end of a draw or a command belongs. */
static struct bins *
plb_bins_of(const struct plb *p, const struct msg_setup *m)
{
   return &p->bins[m->draw->pass];
}

/* --- The lists go and come --- */

/* Sends the lists once all writes are in memory. */
static bool
plb_send(struct plb *p, sim_tick now)
{
   struct sim_signal *out = &p->box.gpu->net.plb_tf[0];
   if (!p->sending || p->cache.under_way || !sim_can_send(out, now))
      return false;
   sim_send(out, now,
            &(struct msg_bins){.bins = p->out,
                               .work_id = p->work_id,
                               .partial = p->partial,
                               .keeping = p->partial ? (struct sim_keeping){0} : p->keeping});
   sim_busy(&p->box, p->work_id);
   p->sending = false;
   p->away = true;
   return true;
}

static bool
plb_take_back(struct plb *p, sim_tick now)
{
   struct sim_netlist *net = &p->box.gpu->net;
   struct sim_signal *in = &net->tf_plb[0];
   if (!sim_peek(in, now))
      return false;
   sim_pop(in, now);
   tile_cache_give(&p->cache, &p->box, net->plb_mc, net->mc_plb);
   bins_reset(p->out, p->partial);
   p->away = false;
   return true;
}

/* Takes the end of the pass; all its draws have ended. */
static bool
plb_end_pass(struct plb *p, sim_tick now)
{
   struct sim_signal *in = &p->box.gpu->net.cp_plb[0];
   const struct msg_pass *m = sim_peek(in, now);
   if (!m || m->listed || p->sending || p->away)
      return false;
   (&p->stat[m->work_id].end_target)[m->why]++; /* in the order of enum sim_pass_end */
   p->out = &p->bins[m->pass];
   p->sending = true;
   p->partial = false;
   p->work_id = m->work_id;
   p->keeping = m->keeping;
   sim_busy(&p->box, m->work_id);
   sim_pop(in, now);
   return true;
}

/* --- Primitives --- */

/* Stores a primitive that touches bins. */
static void
plb_store_prim(struct plb *p, const struct msg_setup *m)
{
   struct bins *b = plb_bins_of(p, m);
   struct plb_stats *stat = &p->stat[m->work_id];
   unsigned vertices = 0;
   if (b->num_hits) {
      p->work.prim = bins_store(b, m->prim, &vertices);
      p->work.low_z = low_z_add(&b->low_z, m->draw, &m->prim->setup);
   }
   stat->low_z += p->work.low_z;
   stat->vertices += vertices;
   stat->attribute_bytes += b->start + b->used - p->work.at;
   if (p->work.prim && b->signs)
      stat->signed_bytes += 3 * p->work.prim->vertex_bytes;
   stat->primitives++;
   sim_prim_unref(p->box.gpu, m->prim);
}

/* A command joins the lists; empties: all primitives before it go. */
static void
plb_low_z_command(struct bins *b, const struct sim_listed *l, bool empties)
{
   if (empties)
      low_z_empty(&b->low_z);
   else
      low_z_add_command(&b->low_z, !l->resolves && l->clear.planes & 1);
}

/* Begins the primitive, or the command; false if the lists must be drawn first. */
static bool
plb_begin(struct plb *p, const struct msg_setup *m)
{
   const struct sim_config *c = &p->box.gpu->config;
   struct bins *b = plb_bins_of(p, m);
   struct plb_work *w = &p->work;
   struct plb_stats *stat = &p->stat[m->work_id];
   const bool listed = m == &p->listed;
   if (!b->begun)
      bins_begin(b, c, &m->draw->state);
   if (listed)
      bins_find_all(b);
   else
      bins_find(b, c, &m->prim->setup);
   if (b->num_prims && b->used + bins_need(b, c, m->draw) > b->size) {
      p->out = b;
      p->sending = p->partial = true;
      p->work_id = m->work_id;
      stat->partial++;
      return false;
   }
   *w = (struct plb_work){.begun = true, .at = b->start + b->used};
   if (listed) {
      w->prim = bins_store_listed(b, m->listed);
      w->clears = bins_clears_all(b);
      plb_low_z_command(b, m->listed, w->clears);
      stat->listed += !m->listed->resolves;
      stat->resolves += m->listed->resolves;
   } else {
      plb_store_prim(p, m);
   }
   w->end = b->start + b->used;
   return true;
}

/* Writes a line of the primitive and its vertices. The first line may also hold older vertices. */
static bool
plb_write_attributes(struct plb *p, const struct msg_setup *m, sim_tick now)
{
   struct plb_work *w = &p->work;
   struct tile_cache *c = &p->cache;
   const uint32_t begin = w->at / c->line_bytes * c->line_bytes, end = begin + c->line_bytes;
   uint32_t fill;
   if (tile_cache_access(c, now, w->at, true, w->at == begin, m->work_id, &fill) ==
       TILE_CACHE_NOT_NOW)
      return false;
   w->at = end < w->end ? end : w->end;
   return true;
}

/* Appends the primitive to the list of the next bin that was found. */
static bool
plb_write_entry(struct plb *p, const struct msg_setup *m, sim_tick now)
{
   const struct sim_config *c = &p->box.gpu->config;
   struct bins *b = plb_bins_of(p, m);
   struct plb_work *w = &p->work;
   struct plb_stats *stat = &p->stat[m->work_id];
   uint32_t fill;
   if (!w->entry) {
      const uint32_t bin = b->hit[w->next_hit].bin;
      w->entry = bins_append(b, c, bin, w->prim, &w->fresh);
      if (w->clears)
         stat->taken_out += bins_take_out(b, bin, b->num_clears);
      w->header = b->bin[bin].num == 1 || w->clears ? bins_header_address(b, bin) : 0;
      stat->blocks += w->fresh;
      stat->entries++;
      stat->list_bytes += c->tiling.entry_bytes;
      stat->signed_bytes += b->signs ? 4 : 0;
   }
   /* A line may hold several blocks; it is fresh only when its first block is written. */
   const bool fresh = w->fresh && w->entry % p->cache.line_bytes == 0;
   if (tile_cache_access(&p->cache, now, w->entry, true, fresh, m->work_id, &fill) ==
       TILE_CACHE_NOT_NOW)
      return false;
   w->entry = 0;
   w->next_hit++;
   return true;
}

/* Enters a new list into the table, or a list's new first entry. */
static bool
plb_write_header(struct plb *p, const struct msg_setup *m, sim_tick now)
{
   uint32_t fill;
   if (tile_cache_access(&p->cache, now, p->work.header, true, false, m->work_id, &fill) ==
       TILE_CACHE_NOT_NOW)
      return false;
   p->work.header = 0;
   return true;
}

/* Does a cycle's work on the primitive; sets *finished. False: nothing moved. */
static bool
plb_work_on(struct plb *p, const struct msg_setup *m, sim_tick now, bool *finished)
{
   struct plb_work *w = &p->work;
   const struct bins *b = plb_bins_of(p, m);
   bool progress = false;
   const typeof(p->box.gpu->config.tiling) *c = &p->box.gpu->config.tiling;
   const uint32_t left = b->num_tested - w->tested, n = left < c->bins_cycle ? left : c->bins_cycle;
   w->tested += n;
   p->stat[m->work_id].tested += n;
   progress |= n != 0 || w->low_z != 0;
   w->low_z -= w->low_z < c->low_z_cycle ? w->low_z : c->low_z_cycle;
   if (w->at < w->end)
      progress |= plb_write_attributes(p, m, now);
   else if (w->header && !w->entry)
      progress |= plb_write_header(p, m, now);
   else if (w->next_hit < b->num_hits && b->hit[w->next_hit].tested <= w->tested)
      progress |= plb_write_entry(p, m, now);
   *finished = w->tested == b->num_tested && !w->low_z && w->at >= w->end &&
               w->next_hit == b->num_hits && !w->header;
   return progress;
}

/* Returns the oldest primitive or end of a draw, or the command in their place; NULL: none. */
static const struct msg_setup *
plb_input(struct plb *p, sim_tick now)
{
   const struct msg_pass *command = sim_peek(&p->box.gpu->net.cp_plb[0], now);
   if (!command || !command->listed)
      return sim_peek(&p->box.gpu->net.ts_plb[0], now);
   p->listed = (struct msg_setup){
       .draw = command->listed->draw, .listed = command->listed, .work_id = command->work_id};
   return &p->listed;
}

/* Takes it, and says so to the command processor where that waits. */
static void
plb_pop(struct plb *p, const struct msg_setup *m, sim_tick now)
{
   struct sim_netlist *net = &p->box.gpu->net;
   const bool listed = m == &p->listed;
   if (listed || m->end)
      sim_send(&net->plb_cp[0], now, &(struct msg_done){.draw = listed ? NULL : m->draw});
   p->work.begun = false;
   if (listed)
      sim_pop(&net->cp_plb[0], now);
   else
      sim_pop(&net->ts_plb[0], now);
}

/* Works on the oldest primitive, end of a draw or command. */
static bool
plb_step(struct plb *p, sim_tick now)
{
   const struct msg_setup *m = plb_input(p, now);
   bool finished = false;
   if (!m)
      return false;
   if (p->away || p->sending) {
      sim_stall_begin(&p->stall, SIM_STAT(plb, stall_drawing), now);
      return false;
   }
   const uint16_t work_id = m->work_id;
   if ((m->end || m == &p->listed) && !sim_can_send(&p->box.gpu->net.plb_cp[0], now))
      return false;
   if (m->end) {
      finished = true;
   } else if (!p->work.begun && !plb_begin(p, m)) {
      return true;
   } else if (!plb_work_on(p, m, now, &finished)) {
      sim_stall_end(&p->stall, &p->box, work_id, now);
      sim_stall_begin(&p->stall, SIM_STAT(plb, stall_cache), now);
      return false;
   }
   sim_stall_end(&p->stall, &p->box, work_id, now);
   sim_busy(&p->box, work_id);
   if (finished)
      plb_pop(p, m, now);
   return true;
}

/* --- The box --- */

static sim_tick
plb_clock(struct sim_box *b, sim_tick now)
{
   struct plb *p = (struct plb *)b;
   bool progress = plb_take_back(p, now);
   if (!p->away)
      progress |= tile_cache_receive(&p->cache, now);
   progress |= plb_step(p, now);
   progress |= plb_end_pass(p, now);
   progress |= plb_send(p, now);
   if (!p->away) {
      progress |= p->cache.wrote;
      p->cache.wrote = false;
   }
   const struct msg_setup *m = plb_input(p, now);
   if (p->sending)
      sim_blocked(b, p->work_id);
   else if (m)
      sim_blocked(b, m->work_id);
   return progress ? now + b->period : SIM_NEVER;
}

static void
plb_flush_counters(struct sim_box *b, sim_tick next)
{
   struct plb *p = (struct plb *)b;
   const struct msg_setup *m = plb_input(p, next);
   if (m)
      sim_stall_flush(&p->stall, b, m->work_id, next);
}

static void
plb_dump(const struct sim_box *b, FILE *f)
{
   const struct plb *p = (const struct plb *)b;
   const struct sim_signal *in = &b->gpu->net.ts_plb[0];
   const struct msg_setup *m = sim_next(in);
   fprintf(f, "   %u primitives waiting", in->tail - in->head);
   for (uint32_t i = 0; i < b->gpu->config.tiling.open_passes; i++) {
      const struct bins *l = &p->bins[i];
      const bool out = l == p->out;
      fprintf(f, "; %llu stored, %u of %u bytes used; the lists are %s",
              (unsigned long long)l->num_prims, l->used, l->size,
              out && p->away      ? "being drawn"
              : out && p->sending ? "to be drawn"
                                  : "open");
   }
   if (m)
      fprintf(f, "; oldest: draw %u%s", m->draw->number, m->end ? " end" : "");
   fputc('\n', f);
}

const struct sim_box_class plb_class = {
    .size = sizeof(struct plb),
    .domain = SIM_DOMAIN_GPU,
    .init = plb_init,
    .clock = plb_clock,
    .dump = plb_dump,
    .fini = plb_fini,
    .flush_counters = plb_flush_counters,
    SIM_BOX_CLASS(plb),
};
