/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * DAC: reads the shown surface block by block through the memory controller (ISPASS 2006 section
 * 2). A clear block costs no traffic, a compressed one its size. Blocks are queued, requested and
 * decompressed in order. Of a multisampled surface it reads all samples and shows averages. As in
 * the release, it covers all squares of 64x64 pixels that the surface touches, and treats blocks
 * beyond the edges as clear.
 * With SynchedRefresh a swap reads the surface once; when this is done, the swap and the frame end.
 * Without SynchedRefresh a swap ends at once, and the surface shown last is read every RefreshRate
 * cycles. Not here: the way to the screen, which takes no simulated time. */
#include <stdlib.h>
#include "box/command/block_count.h"
#include "box/sim_gpu.h"
#include "emul/rop/emul_swap.h"

SIM_BOX_STATS(dac)

#define REQUEST 256u /* most bytes of memory per request */
#define SQUARE 8u    /* tiles per side */

struct dac_block {
   uint32_t at; /* bytes from the start of the surface */
   uint32_t requested, arrived;
   uint8_t quarters; /* quarters of it that cross the pins, 0 to 4 */
   bool beyond;      /* beyond the surface's edges: not shown */
};

struct dac {
   struct sim_box box;
   struct dac_stats *stat; /* [work_id] */
   const struct sim_config *config;
   bool shown; /* a surface has been swapped in */
   bool swapping, reading;
   struct attila_cmd_swap swap;
   uint16_t work_id;              /* the swap's; 0: refreshes without a swap */
   uint32_t size;                 /* of the surface, bytes */
   uint32_t block_size;           /* bytes of a block: 64 pixels */
   struct attila_tile_rect tiles; /* of the surface */
   uint32_t tile;                 /* next tile to queue, in order of memory; UINT32_MAX: none */
   uint32_t sample;               /* its sample */
   uint32_t beyond;               /* blocks beyond the edges, after the last tile */
   uint32_t pending;              /* requests without response */
   sim_tick states;               /* when the block states have arrived */
   sim_tick decompress;           /* when the decompressor is free */
   sim_tick next;                 /* next refresh, without SynchedRefresh */
   /* Blocks: [head, request) wait for data or the decompressor, [request, tail) for their
    * request. */
   struct dac_block *block; /* [config->dac.requests] */
   uint32_t head, request, tail;
   uint32_t decompressing; /* blocks from head on */
   uint8_t *data, *image;  /* copy of the surface, and its pixels as RGBA8; both grow with the
                            * largest surface */
   size_t data_size, image_size;
};

static bool
dac_reserve(uint8_t **p, size_t *have, size_t want)
{
   if (want <= *have)
      return true;
   uint8_t *bigger = realloc(*p, want);
   if (!bigger)
      return false;
   *p = bigger;
   *have = want;
   return true;
}

static inline struct dac_block *
dac_block_at(struct dac *d, uint32_t i)
{
   return &d->block[i % d->config->dac.requests];
}

/* Takes a swap's surface; false if it cannot be shown. */
static bool
dac_take_surface(struct dac *d, const struct attila_cmd_swap *swap)
{
   d->swap = *swap;
   if (swap->width > ATTILA_MAX_SURFACE_DIM || swap->height > ATTILA_MAX_SURFACE_DIM ||
       swap->format >= ATTILA_NUM_FORMATS || swap->address % ATTILA_SURFACE_ALIGN)
      return false;
   uint32_t bytes = attila_formats[swap->format].bytes;
   if (!attila_surface_fits(d->box.gpu->device->memory_size, swap->address, swap->pitch_tiles,
                            swap->width, swap->height, swap->samples, bytes))
      return false;
   d->block_size = 64 * bytes;
   d->size = (uint32_t)attila_surface_bytes(swap->pitch_tiles, swap->width, swap->height,
                                            swap->samples, bytes);
   d->tiles = (struct attila_tile_rect){.x1 = (swap->width + 7) / 8, .y1 = (swap->height + 7) / 8};
   return dac_reserve(&d->data, &d->data_size, d->size + 1) &&
          dac_reserve(&d->image, &d->image_size, (size_t)swap->width * swap->height * 4 + 1);
}

/* Finds the first tile whose number is at least number. */
static void
dac_find_tile(struct dac *d, uint32_t number)
{
   uint32_t tx, ty;
   d->tile = attila_next_tile(d->swap.pitch_tiles, &d->tiles, number, &tx, &ty);
}

/* First brings the block states up to date. */
static void
dac_start_reading(struct dac *d, uint16_t work_id, sim_tick now)
{
   const uint32_t inside = d->tiles.x1 * d->tiles.y1 * d->swap.samples,
                  blocks = ((d->tiles.x1 + SQUARE - 1) & ~(SQUARE - 1)) *
                           ((d->tiles.y1 + SQUARE - 1) & ~(SQUARE - 1)) * d->swap.samples,
                  rate = d->config->dac.states_cycle;
   d->work_id = work_id;
   dac_find_tile(d, 0);
   d->sample = 0;
   d->beyond = blocks - inside;
   d->head = d->request = d->tail = 0;
   d->states = now + (d->config->dac.state_latency + (blocks + rate - 1) / rate) * d->box.period;
   d->reading = true;
   d->stat[work_id].refreshes++;
}

static bool
dac_decompress(struct dac *d, sim_tick now)
{
   bool progress = false;
   if (d->decompressing && now >= d->decompress) {
      d->head += d->decompressing;
      d->decompressing = 0;
      progress = true;
   }
   if (d->decompressing)
      return progress;
   while (d->decompressing < d->config->dac.blocks_cycle &&
          d->head + d->decompressing != d->request) {
      const struct dac_block *b = dac_block_at(d, d->head + d->decompressing);
      if (b->arrived != (b->quarters ? d->block_size : 0))
         break;
      d->stat[d->work_id].blocks++;
      COUNT_BLOCK(&d->stat[d->work_id], b->quarters);
      d->decompress = now + d->config->dac.decompress_latency * d->box.period;
      d->decompressing++;
      progress = true;
   }
   return progress;
}

/* Makes one memory request, or skips a clear block. */
static bool
dac_request(struct dac *d, sim_tick now)
{
   struct sim_signal *out = &d->box.gpu->net.dac_mc[0];
   if (d->request == d->tail)
      return false;
   struct dac_block *b = dac_block_at(d, d->request);
   if (b->quarters == 0) {
      /* Memory holds the clear value, which is what the decompressor would put out. */
      if (!b->beyond)
         memcpy(d->data + b->at, d->box.gpu->device->memory + d->swap.address + b->at,
                d->block_size);
      d->request++;
      return true;
   }
   if (!sim_can_send(out, now))
      return false;
   uint32_t left = d->block_size - b->requested, size = left < REQUEST ? left : REQUEST;
   struct msg_mem_request r = {.data = d->data + b->at + b->requested,
                               .address = d->swap.address + b->at + b->requested,
                               .size = (uint16_t)size,
                               .wire_bytes = (uint16_t)(size / 4 * b->quarters),
                               .work_id = d->work_id,
                               .cookie = d->request % d->config->dac.requests};
   sim_send(out, now, &r);
   b->requested += size;
   if (b->requested == d->block_size)
      d->request++;
   d->pending++;
   d->stat[d->work_id].requests++;
   d->stat[d->work_id].read_bytes += r.wire_bytes;
   return true;
}

static bool
dac_queue_block(struct dac *d, sim_tick now)
{
   if (now < d->states || d->tail - d->head == d->config->dac.requests)
      return false;
   if (d->tile == UINT32_MAX) {
      if (!d->beyond)
         return false;
      d->beyond--;
      *dac_block_at(d, d->tail++) = (struct dac_block){.beyond = true};
      return true;
   }
   uint32_t at = (d->tile * d->swap.samples + d->sample) * d->block_size;
   uint8_t state = sim_block_state(&d->box.gpu->device->blocks, d->swap.address + at);
   *dac_block_at(d, d->tail++) =
       (struct dac_block){.at = at, .quarters = (uint8_t)sim_block_quarters(state)};
   if (++d->sample == d->swap.samples) {
      d->sample = 0;
      dac_find_tile(d, d->tile + 1);
   }
   return true;
}

static bool
dac_take_responses(struct dac *d, sim_tick now)
{
   struct sim_signal *in = &d->box.gpu->net.mc_dac[0];
   const struct msg_mem_response *r;
   bool progress = false;
   while ((r = sim_peek(in, now))) {
      struct dac_block *b = &d->block[r->cookie];
      uint32_t left = d->block_size - b->arrived;
      b->arrived += left < REQUEST ? left : REQUEST;
      d->pending--;
      sim_pop(in, now);
      progress = true;
   }
   return progress;
}

/* --- Swaps --- */

static inline bool
dac_reads_at_swap(const struct dac *d)
{
   return d->config->dac.synched && d->config->dac.refresh;
}

/* Stores the averaged samples where the swap wants them. */
static void
dac_store_picture(struct dac *d)
{
   struct sim_device *device = d->box.gpu->device;
   const struct attila_cmd_swap picture = emul_swap_picture(&d->swap);
   emul_swap_resolve(dac_reads_at_swap(d) ? d->data : device->memory + d->swap.address, &d->swap,
                     device->memory);
   uint32_t tx, ty, tile = attila_next_tile(picture.pitch_tiles, &d->tiles, 0, &tx, &ty);
   for (; tile != UINT32_MAX;
        tile = attila_next_tile(picture.pitch_tiles, &d->tiles, tile + 1, &tx, &ty))
      sim_block_set(&device->blocks, picture.address + tile * d->block_size, d->block_size, 4, 0);
}

static void
dac_report(void *data, sim_tick now)
{
   struct dac *d = data;
   struct sim_observed *observed = &d->box.gpu->device->observed;
   struct attila_cmd_swap swap = emul_swap_picture(&d->swap);
   const uint8_t *image = NULL;
   if (sim_observed_wants_image(observed)) {
      bool was_read = dac_reads_at_swap(d) && !(d->swap.flags & ATTILA_SWAP_RESOLVE);
      swap.address = was_read ? 0 : swap.address;
      emul_swap_to_rgba8(was_read ? d->data : d->box.gpu->device->memory, &swap, d->image);
      image = d->image;
   }
   sim_observed_frame_ended(observed, &(struct sim_frame_end){.tick = now,
                                                              .shown = d->swap.address,
                                                              .image = image,
                                                              .width = swap.width,
                                                              .height = swap.height});
}

/* Ends the frame. */
static void
dac_finish_swap(struct dac *d, sim_tick now)
{
   d->stat[d->work_id].frames++;
   if (d->swap.flags & ATTILA_SWAP_RESOLVE)
      dac_store_picture(d);
   sim_kernel_after(d->box.kernel, dac_report, d);
   sim_send(&d->box.gpu->net.dac_cp[0], now, &(struct msg_done){0});
   d->swapping = false;
}

static bool
dac_take_swap(struct dac *d, sim_tick now)
{
   struct sim_signal *in = &d->box.gpu->net.cp_dac[0];
   const struct msg_swap *msg = sim_peek(in, now);
   if (!msg || d->reading || d->swapping)
      return false;
   if (!dac_take_surface(d, &msg->swap)) {
      sim_error(&d->box, "swap of a surface that cannot be scanned out (%ux%u, format %u)",
                msg->swap.width, msg->swap.height, msg->swap.format);
      return false;
   }
   if (dac_reads_at_swap(d))
      dac_start_reading(d, msg->work_id, now);
   else
      d->work_id = msg->work_id;
   if (!d->shown)
      d->next = now + d->config->dac.refresh_rate * d->box.period;
   d->shown = d->swapping = true;
   sim_pop(in, now);
   return true;
}

/* Begins a refresh without a swap. */
static bool
dac_refresh(struct dac *d, sim_tick now)
{
   if (!d->shown || d->config->dac.synched || !d->config->dac.refresh || d->reading ||
       now < d->next)
      return false;
   dac_start_reading(d, 0, now);
   while (d->next <= now)
      d->next += d->config->dac.refresh_rate * d->box.period;
   return true;
}

/* --- The box --- */

static void
dac_init(struct sim_box *b)
{
   struct dac *d = (struct dac *)b;
   d->config = &b->gpu->config;
   d->block = sim_xcalloc(d->config->dac.requests, sizeof(*d->block));
   if (!d->config->dac.synched)
      b->kernel->background = b;
}

static sim_tick
dac_wake(const struct dac *d, sim_tick now)
{
   sim_tick t = SIM_NEVER;
   if (d->reading && d->states > now)
      t = d->states;
   if (d->decompressing && d->decompress < t)
      t = d->decompress;
   if (d->shown && !d->reading && !d->config->dac.synched && d->config->dac.refresh && d->next < t)
      t = d->next;
   return t;
}

/* Counts the cycles of a refresh up to now. */
static void
dac_flush_counters(struct sim_box *b, sim_tick now)
{
   struct dac *d = (struct dac *)b;
   if (!d->reading)
      return;
   d->stat[d->work_id].busy += sim_waited(b, now);
   d->stat[d->work_id].pending += sim_waited(b, now) * d->pending;
}

static sim_tick
dac_clock(struct sim_box *b, sim_tick now)
{
   struct dac *d = (struct dac *)b;
   dac_flush_counters(b, now);
   bool progress = dac_take_responses(d, now);
   progress |= dac_refresh(d, now);
   if (d->reading) {
      progress |= dac_decompress(d, now);
      for (uint32_t i = 0; i < d->config->dac.blocks_cycle && dac_request(d, now); i++)
         progress = true;
      for (uint32_t i = 0; i < d->config->dac.blocks_cycle && dac_queue_block(d, now); i++)
         progress = true;
      d->reading = d->tile != UINT32_MAX || d->beyond || d->head != d->tail;
   }
   progress |= dac_take_swap(d, now);
   if (d->swapping && !(d->reading && d->config->dac.synched) &&
       sim_can_send(&b->gpu->net.dac_cp[0], now)) {
      dac_finish_swap(d, now);
      progress = true;
   }
   if (progress)
      sim_busy(b, d->work_id);
   if (d->reading) {
      sim_blocked(b, d->work_id);
      if (d->states > now)
         sim_busy_until(b, d->work_id, d->states);
      if (d->decompressing)
         sim_busy_until(b, d->work_id, d->decompress);
   }
   return progress ? now + b->period : dac_wake(d, now);
}

static void
dac_dump(const struct sim_box *b, FILE *f)
{
   const struct dac *d = (const struct dac *)b;
   if (d->reading)
      fprintf(f, "  refresh of %ux%u: at byte %u of %u, %u blocks queued, %u requests\n",
              d->swap.width, d->swap.height,
              d->tile == UINT32_MAX ? d->size : d->tile * d->swap.samples * d->block_size, d->size,
              d->tail - d->head, d->pending);
}

static void
dac_fini(struct sim_box *b)
{
   struct dac *d = (struct dac *)b;
   free(d->block);
   free(d->data);
   free(d->image);
}

const struct sim_box_class dac_class = {
    .size = sizeof(struct dac),
    .domain = SIM_DOMAIN_GPU,
    .init = dac_init,
    .clock = dac_clock,
    .flush_counters = dac_flush_counters,
    .dump = dac_dump,
    .fini = dac_fini,
    SIM_BOX_CLASS(dac),
};
