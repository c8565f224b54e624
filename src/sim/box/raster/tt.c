/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Triangle Traversal (TT, Fragment Generator in ISPASS 2006 section 2): a rasteriser finds the 8x8
 * tiles that primitives cover and sends them to HZ. It traverses batches of RasterizationBatchSize
 * primitives of a draw (fewer at its end), one after the other. Tiles without a covered fragment
 * cost the rasteriser time, but only their number is sent, since HZ drops their quads on arrival.
 * Not here: depth, HZ, quads. */
#include "box/raster/tt.h"

#define V(number, name, doc) [number] = &tt_##name,
static const struct tt_variant *const variants[] = {SIM_RASTERISERS(V)};
#undef V

static void
tt_init(struct sim_box *b)
{
   struct tt *t = (struct tt *)b;
   const struct sim_config *c = &b->gpu->config;
   uint32_t number = c->rast.rasteriser ? c->rast.rasteriser : c->rast.recursive ? 1 : 2;
   t->variant = variants[number];
   t->in = sim_tiled(c) ? b->gpu->net.tf_tt : b->gpu->net.ts_tt;
   t->tiles = c->rast.tiles_cycle;
   t->box_test = c->rast.tile_box_test;
   t->max_batch = !t->variant->batches                       ? 1
                  : c->rast.batch_size < c->rast.batch_queue ? c->rast.batch_size
                                                             : c->rast.batch_queue;
   t->state = sim_xcalloc(1, t->variant->size);
   t->variant->init(t);
}

static void
tt_fini(struct sim_box *b)
{
   struct tt *t = (struct tt *)b;
   if (t->state && t->variant->fini)
      t->variant->fini(t);
   free(t->state);
}

/* Counts the nibbles that are 1; the others are 0. */
static unsigned
tt_count_ones(uint64_t nibbles)
{
   return (unsigned)(((nibbles + (nibbles >> 4)) & 0x0f0f0f0f0f0f0f0full) * 0x0101010101010101ull >>
                     56);
}

static void
tt_count_quads(struct tt_stats *stat, uint64_t coverage)
{
   /* First each nibble gets the number of fragments of its quad, 0..4; then nibbles with each
    * number are counted. */
   uint64_t pairs = coverage - (coverage >> 1 & 0x5555555555555555ull);
   uint64_t n = (pairs & 0x3333333333333333ull) + (pairs >> 2 & 0x3333333333333333ull);
   uint64_t b0 = n & 0x1111111111111111ull, b1 = n >> 1 & 0x1111111111111111ull,
            b2 = n >> 2 & 0x1111111111111111ull;
   const unsigned one = tt_count_ones(b0 & ~b1), two = tt_count_ones(b1 & ~b0);
   const unsigned three = tt_count_ones(b0 & b1), four = tt_count_ones(b2);
   stat->quads1 += one;
   stat->quads2 += two;
   stat->quads3 += three;
   stat->quads4 += four;
   stat->quads0 += 16 - one - two - three - four;
}

bool
tt_generate(struct tt *t, struct sim_prim *p, uint16_t work_id, int32_t x, int32_t y, sim_tick now)
{
   struct sim_signal *out = &t->box.gpu->net.tt_hz[0];
   const struct emul_setup *s = &p->setup;
   struct tt_stats *stat = &t->stat[work_id];
   /* With several samples, a pixel whose centre is not covered can have covered samples, so all
    * quads of the tile are candidates. */
   uint64_t coverage;
   if (emul_multisample(&p->draw->state))
      coverage = emul_block_overlaps(s, x, y, ATTILA_TILE_DIM) ? ~0ull : 0;
   else
      coverage = emul_tile_coverage(s, x, y);
   if (!coverage) {
      t->empty++;
      stat->quads0 += 16;
   } else {
      if (!sim_can_send(out, now))
         return false;
      p->refs++;
      sim_send(out, now,
               &(struct msg_tile){.draw = p->draw,
                                  .prim = p,
                                  .x = x,
                                  .y = y,
                                  .coverage = coverage,
                                  .work_id = work_id,
                                  .empty = t->empty});
      t->empty = 0;
      stat->sent++;
      tt_count_quads(stat, coverage);
   }
   stat->tiles++;
   stat->fragments += 64;
   return true;
}

/* --- Batches --- */

/* Starts a batch of the primitives at the front of the input; false if too few have come. */
static bool
tt_start_batch(struct tt *t, sim_tick now)
{
   const struct sim_signal *in = t->in;
   const struct msg_setup *m;
   unsigned n = 0;
   while (n < t->max_batch && (m = sim_peek_at(in, now, n)) && !m->end &&
          (!n || m->draw == t->prim[0]->draw)) {
      t->prim[n++] = m->prim;
      t->work_id = m->work_id;
   }
   if (n == 0 || (n < t->max_batch && !m))
      return false;
   t->num = n;
   t->stat[t->work_id].input += n;
   t->stat[t->work_id].requested += n;
   t->stat[t->work_id].batches++;
   t->variant->start(t);
   return true;
}

static void
tt_end_batch(struct tt *t, sim_tick now)
{
   struct sim_signal *in = t->in;
   for (unsigned i = 0; i < t->num; i++) {
      sim_prim_unref(t->box.gpu, t->prim[i]);
      sim_pop(in, now);
   }
   t->num = 0;
}

static bool
tt_work_batches(struct tt *t, sim_tick now)
{
   bool worked = t->num != 0;
   uint16_t work_id = t->work_id;
   if (worked && t->variant->step(t, now))
      tt_end_batch(t, now);
   if (!t->num && tt_start_batch(t, now)) {
      worked = true;
      work_id = t->work_id;
   }
   if (worked) {
      t->stat[work_id].busy++;
      sim_busy(&t->box, work_id);
   }
   return worked;
}

/* --- Primitives one after the other --- */

static bool
tt_work_stream(struct tt *t, sim_tick now)
{
   struct sim_signal *in = t->in;
   bool worked = t->variant->step(t, now);
   const struct msg_setup *m = sim_peek(in, now);
   if (m && !m->end && t->variant->accept(t, m->prim, m->work_id)) {
      t->work_id = m->work_id;
      t->stat[m->work_id].input++;
      t->stat[m->work_id].requested++;
      t->stat[m->work_id].batches++;
      sim_pop(in, now);
      worked = true;
   }
   if (worked) {
      t->stat[t->work_id].busy++;
      sim_busy(&t->box, t->work_id);
   }
   return worked;
}

/* Passes on a draw's end when nothing of the draw is in traversal. */
static bool
tt_pass_end(struct tt *t, sim_tick now)
{
   struct sim_netlist *net = &t->box.gpu->net;
   const struct msg_setup *m = sim_peek(t->in, now);
   if (!m || !m->end || t->num || (t->variant->idle && !t->variant->idle(t)))
      return false;
   sim_send(&net->tt_hz[0], now,
            &(struct msg_tile){.draw = m->draw,
                               .work_id = m->work_id,
                               .end = true,
                               .what = m->what,
                               .rops = m->rops,
                               .listed = m->listed,
                               .bin = m->bin,
                               .empty = t->empty});
   sim_busy(&t->box, m->work_id);
   t->empty = 0;
   sim_pop(t->in, now);
   return true;
}

/* Returns whether the box holds work, and the work id. */
static bool
tt_holds(const struct tt *t, sim_tick now, uint16_t *work_id)
{
   const struct msg_setup *m = sim_peek(t->in, now);
   *work_id = m ? m->work_id : t->work_id;
   return m || (t->variant->idle && !t->variant->idle(t));
}

/* Returns when the next primitive arrives if a batch waits for it. */
static sim_tick
tt_next_primitive(const struct tt *t, sim_tick now)
{
   const struct sim_signal *in = t->in;
   for (unsigned n = 0; !t->num && n < t->max_batch; n++) {
      sim_tick arrival = sim_arrival_at(in, n);
      if (arrival > now)
         return arrival;
   }
   return SIM_NEVER;
}

static sim_tick
tt_clock(struct sim_box *b, sim_tick now)
{
   struct tt *t = (struct tt *)b;
   struct sim_signal *out = &b->gpu->net.tt_hz[0];
   uint16_t work_id;
   if (!tt_holds(t, now, &work_id))
      return SIM_NEVER;
   bool worked = false;
   if (sim_can_send(out, now)) {
      sim_stall_end(&t->stall, b, work_id, now);
      worked = tt_pass_end(t, now);
      worked |= t->variant->accept ? tt_work_stream(t, now) : tt_work_batches(t, now);
   } else {
      sim_stall_begin(&t->stall, SIM_STAT(tt, stall_hz), now);
   }
   if (tt_holds(t, now, &work_id))
      sim_blocked(b, work_id);
   return worked ? now + b->period : tt_next_primitive(t, now);
}

static void
tt_flush_counters(struct sim_box *b, sim_tick next)
{
   struct tt *t = (struct tt *)b;
   uint16_t work_id;
   if (tt_holds(t, next, &work_id))
      sim_stall_flush(&t->stall, b, work_id, next);
}

static void
tt_dump(const struct sim_box *b, FILE *f)
{
   const struct tt *t = (const struct tt *)b;
   const struct sim_signal *in = t->in;
   const struct msg_setup *m = sim_next(in);
   fprintf(f, "%s (%s): %u primitives waiting, %u of them in traversal", b->name, t->variant->name,
           in->tail - in->head, t->num);
   if (m)
      fprintf(f, ", oldest: draw %u%s", m->draw->number, m->end ? " end" : "");
   fputc('\n', f);
}

const struct sim_box_class tt_class = {
    .size = sizeof(struct tt),
    .domain = SIM_DOMAIN_GPU,
    .init = tt_init,
    .clock = tt_clock,
    .flush_counters = tt_flush_counters,
    .dump = tt_dump,
    .fini = tt_fini,
    SIM_BOX_CLASS(tt),
};
