/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * DAC: scans out a surface at every swap (CMD_SWAP) through the memory controller and reports the
 * frame. Reads the surface as fast as memory and its queue allow, once; the continuous refresh of a
 * monitor is not modelled. The surface must have been flushed and resolved.
 */
#include <stdlib.h>
#include "box/sim_gpu.h"
#include "emul/rop/emul_swap.h"

/* clang-format off */
#define DAC_STATS(S)                                                    \
   S(frames, "Frames", COUNT, "surfaces scanned out")                   \
   S(blocks, "ReadTransactions", TRANSACTIONS, "blocks read")           \
   S(read_bytes, "ReadBytes", BYTES, "read from memory")                \
   S(busy, "ScanOutCycles", CYCLES, "cycles with a scan-out under way") \
   S(pending, "PendingRequests", COUNT, "sum over cycles of blocks on their way")
/* clang-format on */
SIM_STATS_DECLARE(dac, DAC_STATS)

#define BLOCK 256

struct dac {
   struct sim_box box;
   struct dac_stats *stat; /* [slot] */
   bool active;
   uint16_t slot; /* of the command */
   struct attila_cmd_swap swap;
   uint32_t size; /* of the surface, bytes */
   uint32_t requested;
   uint32_t pending;
   bool image_wanted;     /* by the report */
   uint8_t *data, *image; /* copy of the surface; RGBA8. They grow with the largest surface seen */
   size_t data_size, image_size;
};

static bool
reserve(uint8_t **p, size_t *have, size_t want)
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

/* Takes a command; false: it cannot be executed. */
static bool
start_scan_out(struct dac *d, const struct attila_cmd_swap *swap)
{
   d->swap = *swap;
   if (swap->width > ATTILA_MAX_SURFACE_DIM || swap->height > ATTILA_MAX_SURFACE_DIM ||
       swap->format >= ATTILA_NUM_FORMATS || swap->address % ATTILA_SURFACE_ALIGN)
      return false;
   uint32_t bytes = attila_formats[swap->format].bytes;
   if (!attila_surface_fits(d->box.gpu->device->memory_size, swap->address, swap->pitch_tiles,
                            swap->width, swap->height, 1, bytes))
      return false;
   d->size = (uint32_t)attila_surface_bytes(swap->pitch_tiles, swap->width, swap->height, 1, bytes);
   d->requested = d->pending = 0;
   return reserve(&d->data, &d->data_size, d->size + 1) &&
          reserve(&d->image, &d->image_size, (size_t)swap->width * swap->height * 4 + 1);
}

static bool
send_request(struct dac *d, sim_tick now)
{
   struct sim_signal *out = &d->box.gpu->net.dac_mc[0];
   if (d->requested >= d->size || d->pending >= d->box.gpu->config.dac.requests ||
       !sim_can_send(out, now))
      return false;
   uint32_t left = d->size - d->requested, size = left < BLOCK ? left : BLOCK;
   struct msg_mem_request r = {.data = d->data + d->requested,
                               .address = d->swap.address + d->requested,
                               .size = (uint16_t)size,
                               .slot = d->slot};
   sim_send(out, now, &r);
   d->requested += size;
   d->pending++;
   d->stat[d->slot].blocks++;
   d->stat[d->slot].read_bytes += size;
   return true;
}

static bool
take_responses(struct dac *d, sim_tick now)
{
   struct sim_signal *in = &d->box.gpu->net.mc_dac[0];
   bool progress = false;
   while (sim_peek(in, now)) {
      d->pending--;
      sim_pop(in, now);
      progress = true;
   }
   return progress;
}

static void
report(void *data, sim_tick now)
{
   struct dac *d = data;
   sim_report_frame(d->box.gpu->device->report, now, d->image_wanted ? d->image : NULL,
                    d->swap.width, d->swap.height);
}

/* Everything has been read: the frame ends. */
static void
finish(struct dac *d, sim_tick now)
{
   struct attila_cmd_swap swap = d->swap;
   d->image_wanted = sim_report_wants_image(d->box.gpu->device->report);
   if (d->image_wanted) {
      swap.address = 0; /* in the copy */
      emul_swap_to_rgba8(d->data, &swap, d->image);
   }
   d->stat[d->slot].frames++;
   sim_kernel_after(d->box.kernel, report, d);
   struct msg_done done = {NULL, 0};
   sim_send(&d->box.gpu->net.dac_cp[0], now, &done);
   d->active = false;
}

static sim_tick
dac_clock(struct sim_box *b, sim_tick now)
{
   struct dac *d = (struct dac *)b;
   if (!d->active) {
      struct sim_signal *in = &b->gpu->net.cp_dac[0];
      struct msg_swap *msg = sim_peek(in, now);
      if (!msg)
         return SIM_NEVER;
      if (!start_scan_out(d, &msg->swap)) {
         sim_error(b, "swap of a surface that cannot be scanned out (%ux%u, format %u)",
                   msg->swap.width, msg->swap.height, msg->swap.format);
         return SIM_NEVER;
      }
      d->slot = msg->slot;
      sim_pop(in, now);
      d->active = true;
      return now + b->period;
   }
   d->stat[d->slot].busy += sim_waited(b, now);
   d->stat[d->slot].pending += sim_waited(b, now) * d->pending;
   bool progress = take_responses(d, now);
   progress |= send_request(d, now);
   if (d->requested == d->size && !d->pending && sim_can_send(&b->gpu->net.dac_cp[0], now)) {
      finish(d, now);
      progress = true;
   }
   return progress ? now + b->period : SIM_NEVER;
}

static void
dac_dump(const struct sim_box *b, FILE *f)
{
   const struct dac *d = (const struct dac *)b;
   if (d->active)
      fprintf(f, "  scan-out of %ux%u: %u of %u bytes requested, %u blocks on their way\n",
              d->swap.width, d->swap.height, d->requested, d->size, d->pending);
}

static void
dac_fini(struct sim_box *b)
{
   struct dac *d = (struct dac *)b;
   free(d->data);
   free(d->image);
}

const struct sim_box_class dac_class = {
    .name = "DAC",
    .unit = "DAC",
    .doc = "Reads a surface at every swap and ends the frame (ISPASS 2006 section 2)",
    .size = sizeof(struct dac),
    .domain = SIM_DOMAIN_GPU,
    .clock = dac_clock,
    .dump = dac_dump,
    .fini = dac_fini,
    SIM_STATS_CLASS(dac),
};
