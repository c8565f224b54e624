/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A ROP's cache as the tile buffer of a tile-based machine (box/tiling/tf.c). The Tile Fetcher
 * sends the end of every bin to each ROP that owns tiles of it. Then the lines that the bin has
 * used are emptied, one per cycle, and written back if dirty; the next pass reads them anew, or not
 * at all if their blocks are clear. TileBuffers - 1 ended bins may wait for this while another one
 * is drawn. A block lies in one bin, so a line needs only the number of the bin that used it last.
 * Lines of discarded surfaces are not written back. Memory gets their contents at once, without
 * simulated time, since on other machines it has them (attila_cmd.h). Not here: transfers
 * (rop_transfer.c), which lines (rop_cache.c), commands in the lists (rop_listed.c). */
#include "box/rop/rop_cache.h"

bool
rop_bin_end(struct rop_cache *c, const struct sim_draw *draw)
{
   /* With a single tile buffer a bin's end waits until the bin is written back. */
   if (c->bin_ends && !c->bins_ended) {
      c->bin_ends = false;
      return true;
   }
   if (c->bin_ends || (c->bins_ended && c->bins_ended == c->max_bins_ended)) {
      rop_cache_wait(c, draw->work_id, ROP_STAT_bin_wait);
      return false;
   }
   c->bins++;
   c->bins_ended++;
   c->discards = draw->discards;
   ++*rop_stat(c, draw->work_id, ROP_STAT_bins);
   c->bin_ends = c->max_bins_ended == 0;
   return !c->bin_ends;
}

/* Returns whether a line's contents are discarded. A line is not discarded while older contents of
 * its block are on their way to memory, since these would arrive later. */
static bool
rop_bin_discards(const struct rop_cache *c, const struct rop_line *l)
{
   const struct sim_discards *d = c->discards;
   for (uint32_t i = 0; i < d->num; i++) {
      if (l->address >= d->range[i].start && l->address < d->range[i].end)
         return rop_transfer_contents(c, l->address) == c->box->gpu->device->memory + l->address;
   }
   return false;
}

/* Makes a dirty line clean without a write over the pins. Later reads of the block cost that many
 * bytes, but for a plane that still has its clear value. */
static void
rop_bin_drop(struct rop_cache *c, uint32_t line, uint32_t bytes)
{
   struct sim_device *d = c->box->gpu->device;
   const struct rop_line *l = &c->line[line];
   const uint8_t *data = rop_cache_data(c, line);
   memcpy(d->memory + l->address, data, l->bytes);
   sim_block_set(&d->blocks, l->address, l->bytes, 4 * bytes / l->bytes,
                 rop_has_state(c, l->block) ? rop_clear_flags(&c->surface[l->surface], data) : 0);
   rop_cache_clean_line(c, line);
}

static void
rop_bin_discard(struct rop_cache *c, uint32_t line)
{
   const struct rop_line *l = &c->line[line];
   rop_sign_forget(c, l);
   ++*rop_stat(c, l->dirty_work_id, ROP_STAT_discarded);
   rop_bin_drop(c, line, l->bytes);
}

/* Leaves a line that memory has already. */
static void
rop_bin_eliminate(struct rop_cache *c, uint32_t line)
{
   const struct rop_line *l = &c->line[line];
   const uint8_t state = sim_block_state(&c->box->gpu->device->blocks, l->address);
   const uint32_t bytes = rop_block_stored(c, &c->surface[l->surface], l->block,
                                           sim_block_quarters(state) == 4, rop_cache_data(c, line));
   ++*rop_stat(c, l->dirty_work_id, ROP_STAT_eliminated);
   *rop_stat(c, l->dirty_work_id, ROP_STAT_eliminated_bytes) += bytes;
   rop_bin_drop(c, line, bytes);
}

/* Looks at lines from bin_line on, up to the next one that is written back. */
bool
rop_bin_write_back(struct rop_cache *c)
{
   const uint32_t newest = c->bins - c->bins_ended;
   bool progress = false;
   for (; c->bin_line < c->ways * c->sets; c->bin_line++) {
      struct rop_line *l = &c->line[c->bin_line];
      if (l->state == ROP_LINE_INVALID || (int32_t)(l->bin - newest) > 0)
         continue;
      if (l->dirty && rop_bin_discards(c, l))
         rop_bin_discard(c, c->bin_line);
      else if (l->dirty && rop_sign_same(c, l))
         rop_bin_eliminate(c, c->bin_line);
      if (!l->dirty) {
         sim_trace_look_up(c->box, c, l->address, 0);
         rop_cache_drop_line(c, c->bin_line);
         progress = true;
         continue;
      }
      struct rop_request *r = rop_transfer_request(c, true);
      if (!r)
         return progress;
      ++*rop_stat(c, l->dirty_work_id, ROP_STAT_bin_lines);
      rop_transfer_spill(c, r, c->bin_line);
      rop_transfer_ask(c, r);
      sim_trace_look_up(c->box, c, l->address, 0);
      rop_cache_drop_line(c, c->bin_line++);
      return true;
   }
   c->bin_line = 0;
   c->num_squares = 0;
   c->bins_ended--;
   return true;
}
