/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The ROP cache: lines, reservations, replacement (rop_cache.h). Not here: transfers
 * (rop_transfer.c), surfaces (rop_surface.c), clear and write-back commands (rop_command.c).
 * A quad that needs old contents reserves its line for reading; a miss fills it. Otherwise it
 * reserves it for writing only: as the whole block may be written, the line of a plain or clear
 * block is taken without a read and remembers which bytes were written. Only those go to memory;
 * the rest of a clear block is its clear value. A compressed block cannot be written in part, so it
 * is read all the same. If old contents of a partial line are needed, the line is written back and
 * filled. */
#include "box/rop/rop_cache.h"

void
rop_cache_init(struct rop_cache *c)
{
   uint32_t lines = c->ways * c->sets;
   c->tag = sim_box_alloc(c->box, lines * sizeof(*c->tag));
   c->line = sim_box_alloc(c->box, lines * sizeof(*c->line));
   c->line_data = sim_box_alloc(c->box, (size_t)lines * ROP_LINE_BYTES);
   replace_init(&c->replace, c->policy, c->sets, c->ways,
                sim_box_alloc(c->box, 2 * lines * sizeof(uint64_t)));
   if (c->signs)
      c->squares = sim_box_alloc(c->box, ROP_SQUARES * sizeof(*c->squares));
   c->command = ROP_IDLE;
   c->last.surface = UINT32_MAX;
   rop_transfer_init(c);
}

/* --- Lines --- */

void
rop_cache_clean_line(struct rop_cache *c, uint32_t line)
{
   struct rop_line *l = &c->line[line];
   if (l->dirty)
      sim_work_unref(c->box->gpu->work, l->dirty_work_id);
   l->dirty = false;
   l->touched = 0;
}

void
rop_cache_drop_line(struct rop_cache *c, uint32_t line)
{
   if (c->line[line].state != ROP_LINE_INVALID)
      c->surface[c->line[line].surface].lines--;
   rop_cache_clean_line(c, line);
   c->tag[line] = 0;
   c->line[line].state = ROP_LINE_INVALID;
}

void
rop_cache_written(struct rop_cache *c, unsigned line, uint64_t elements, bool whole,
                  unsigned work_id)
{
   struct rop_line *l = &c->line[line];
   l->users--;
   replace_use(&c->replace, line);
   if (!elements)
      return;
   l->touched |= elements;
   l->full |= whole ? elements : 0;
   if (!l->dirty) {
      l->dirty = true;
      l->dirty_work_id = (uint16_t)work_id;
      sim_work_ref(c->box->gpu->work, l->dirty_work_id);
   }
}

/* Returns a line of a set that is empty, or replaceable as it has no reservation; -1: none. */
static int
rop_cache_victim(struct rop_cache *c, uint32_t set)
{
   const uint32_t first = set * c->ways;
   uint64_t free = 0;
   for (uint32_t way = 0; way < c->ways; way++) {
      const struct rop_line *l = &c->line[first + way];
      if (l->state == ROP_LINE_INVALID)
         return (int)(first + way);
      free |= (uint64_t)(!l->users && l->state != ROP_LINE_FILLING) << way;
   }
   return free ? (int)replace_take(&c->replace, set, free) : -1;
}

/* --- Reservation --- */

/* A block for which a line is needed. */
struct want {
   uint32_t surface, tx, ty, part;
   uint32_t address;
   bool fill; /* it needs data */
   bool read; /* count FetchOK, not AllocateOK */
   unsigned work_id;
   const struct sim_quad *quad;
};

static int
rop_cache_refused(struct rop_cache *c, const struct want *w, enum rop_stat fetch,
                  enum rop_stat alloc)
{
   rop_cache_wait(c, w->work_id, w->fill ? ROP_STAT_fetch_misses : ROP_STAT_alloc_misses);
   rop_cache_wait(c, w->work_id, w->fill ? ROP_STAT_fetch_miss_fail : ROP_STAT_alloc_miss_fail);
   rop_cache_wait(c, w->work_id, w->fill ? fetch : alloc);
   return -1;
}

/* Takes line `old` for the block; it may hold another block, or a part of this one. */
static int
rop_cache_take_line(struct rop_cache *c, const struct want *w, int old)
{
   struct rop_surface *s = &c->surface[w->surface];
   if (old < 0 || c->line[old].users)
      return rop_cache_refused(c, w, ROP_STAT_fetch_fail_reserve, ROP_STAT_alloc_fail_reserve);
   bool spill = c->line[old].dirty;
   struct rop_request *r = NULL;
   if ((spill || w->fill) && !(r = rop_transfer_request(c, spill)))
      return rop_cache_refused(c, w, ROP_STAT_fetch_fail_queue, ROP_STAT_alloc_fail_queue);
   if (spill) {
      rop_sign_forget(c, &c->line[old]);
      rop_transfer_spill(c, r, (uint32_t)old);
      sim_trace_ask(c->box->kernel, w->quad, rop_posted_data(c, r->posted));
   }
   rop_cache_drop_line(c, (uint32_t)old);
   c->tag[old] = w->address;
   c->line[old] =
       (struct rop_line){.address = w->address,
                         .block = rop_block_number(s, rop_own_number(c, s, w->tx, w->ty), w->part),
                         .bytes = (uint16_t)s->block_bytes,
                         .users = 1,
                         .state = r ? ROP_LINE_FILLING : ROP_LINE_VALID,
                         .surface = (uint8_t)w->surface,
                         .partial = !w->fill,
                         .bin = c->bin};
   c->replace.used[old] = c->replace.clock;
   s->lines++;
   /* In the host's memory a line always has all of its contents; what a partial line lacks is
    * neither used nor sent. A line that is filled gets them from memory (rop_transfer.c). */
   if (!w->fill)
      memcpy(rop_cache_data(c, (unsigned)old), rop_transfer_contents(c, w->address),
             s->block_bytes);
   if (r) {
      r->holds_line = true;
      r->line = (uint32_t)old;
      r->fill = w->fill;
      r->address = w->address;
      r->work_id = (uint16_t)w->work_id;
      if (w->fill)
         sim_trace_ask(c->box->kernel, w->quad, rop_cache_data(c, (unsigned)old));
      rop_transfer_ask(c, r);
   }
   ++*rop_stat(c, w->work_id, w->fill ? ROP_STAT_fetch_misses : ROP_STAT_alloc_misses);
   ++*rop_stat(c, w->work_id, w->fill ? ROP_STAT_fetch_miss_ok : ROP_STAT_alloc_miss_ok);
   return old;
}

/* A block's address gives its set. If a tile has several blocks, the release stores them in another
 * order, which gives the set: only four blocks of a square of 16x16 pixels lie in a row. Each
 * further four lie as far away as the next 64x64 pixels (differences.md). */
static uint32_t
rop_cache_set_by_place(const struct rop_cache *c, const struct rop_surface *s, uint32_t address)
{
   if (s->parts == 1 || s->block_bytes != c->line_bytes)
      return address / c->line_bytes % c->sets;
   const uint32_t block = (address - s->bind.address) / s->block_bytes;
   const uint32_t square = block / (4 * s->parts), in_square = block % (4 * s->parts);
   const uint32_t fours = square / 16 * 16 * s->parts + in_square / 4 * 16 + square % 16;
   return (s->bind.address / c->line_bytes + 4 * fours + in_square % 4) % c->sets;
}

/* Returns the block's set. */
static uint32_t
rop_cache_set_of(const struct rop_cache *c, const struct want *w)
{
   if (!c->all_sets)
      return rop_cache_set_by_place(c, &c->surface[w->surface], w->address);
   /* Neighbours in both directions get different sets, and so do blocks at the same place of
    * surfaces that follow one another. */
   const struct rop_surface *s = &c->surface[w->surface];
   uint32_t own = rop_block_number(s, rop_own_number(c, s, w->tx, w->ty), w->part);
   return (own + 7 * (s->bind.address >> 16)) % c->sets;
}

/* Returns the line that holds the block, or -1 and the set for it. */
static int
rop_cache_search(const struct rop_cache *c, const struct want *w, uint32_t *set)
{
   if (c->tag[c->last_line] == w->address)
      return (int)c->last_line;
   *set = rop_cache_set_of(c, w);
   for (uint32_t i = *set * c->ways; i < (*set + 1) * c->ways; i++) {
      if (c->tag[i] == w->address)
         return (int)i;
   }
   return -1;
}

int
rop_cache_find(const struct rop_cache *c, unsigned surface, uint32_t tx, uint32_t ty, uint32_t part)
{
   const struct want w = {.surface = surface,
                          .tx = tx,
                          .ty = ty,
                          .part = part,
                          .address = rop_block_address(&c->surface[surface], tx, ty, part)};
   uint32_t set;
   return rop_cache_search(c, &w, &set);
}

const uint8_t *
rop_cache_contents(const struct rop_cache *c, unsigned surface, uint32_t tx, uint32_t ty,
                   uint32_t part)
{
   const int line = rop_cache_find(c, surface, tx, ty, part);
   return line >= 0
              ? rop_cache_data(c, (unsigned)line)
              : rop_transfer_contents(c, rop_block_address(&c->surface[surface], tx, ty, part));
}

static int
rop_cache_reserve_line(struct rop_cache *c, const struct want *w)
{
   uint32_t set = 0;
   int i = rop_cache_search(c, w, &set);
   if (i >= 0) {
      struct rop_line *l = &c->line[i];
      c->last_line = (uint32_t)i;
      if (!w->fill || !l->partial || l->full == rop_line_elements(c, l)) {
         l->users++;
         l->bin = c->bin;
         ++*rop_stat(c, w->work_id, w->fill ? ROP_STAT_fetch_hits : ROP_STAT_alloc_hits);
         return i;
      }
      i = rop_cache_take_line(c, w, i);
      if (i >= 0)
         sim_trace_look_up(c->box, c, w->address, 0);
      return i;
   }
   i = rop_cache_take_line(c, w, rop_cache_victim(c, set));
   if (i >= 0)
      c->last_line = (uint32_t)i;
   return i;
}

/* Quads of a tile follow one another. */
static inline uint32_t
rop_cache_address_of(struct rop_cache *c, uint32_t surface, uint32_t tx, uint32_t ty, uint32_t part)
{
   if (c->last.tx != tx || c->last.ty != ty || c->last.part != part || c->last.surface != surface) {
      c->last.surface = surface;
      c->last.tx = tx;
      c->last.ty = ty;
      c->last.part = part;
      c->last.address = rop_block_address(&c->surface[surface], tx, ty, part);
   }
   return c->last.address;
}

int
rop_cache_reserve(struct rop_cache *c, unsigned surface, const struct sim_quad *quad, uint32_t part,
                  bool read, unsigned work_id)
{
   const uint32_t tx = (uint32_t)quad->x >> 3, ty = (uint32_t)quad->y >> 3;
   struct want w = {.surface = surface,
                    .tx = tx,
                    .ty = ty,
                    .part = part,
                    .address = rop_cache_address_of(c, surface, tx, ty, part),
                    .fill = read,
                    .read = read,
                    .work_id = work_id,
                    .quad = quad};
   int line = -1;
   if (!read) {
      /* While the block is written back, it is unknown whether it will be compressed. */
      if (rop_transfer_spilling(c, w.address)) {
         rop_cache_wait(c, work_id, ROP_STAT_allocate_failed);
         return -1;
      }
      const uint8_t state = sim_block_state(&c->box->gpu->device->blocks, w.address);
      const uint32_t quarters = sim_block_quarters(state);
      /* A compressed block is read, unless all of it is overwritten. */
      w.fill = quarters > 0 && quarters < 4 &&
               !(c->accepts && quad->accepted && state & SIM_BLOCK_STENCIL_CLEAR);
   }
   line = rop_cache_reserve_line(c, &w);
   if (line >= 0) {
      ++*rop_stat(c, work_id, read ? ROP_STAT_fetch_ok : ROP_STAT_allocate_ok);
      sim_trace_look_up(c->box, c, w.address, 1);
   } else
      rop_cache_wait(c, work_id, read ? ROP_STAT_fetch_failed : ROP_STAT_allocate_failed);
   return line;
}

/* --- Ports --- */

static bool
rop_cache_take_port(sim_tick *port, uint32_t num_ports, sim_tick now, sim_tick until)
{
   for (uint32_t i = 0; i < num_ports; i++) {
      if (port[i] <= now) {
         port[i] = until;
         return true;
      }
   }
   return false;
}

static inline sim_tick
rop_cache_port_until(const struct rop_cache *c, sim_tick now, uint32_t bytes)
{
   const uint32_t cycles = bytes <= c->port_width ? 1 : (bytes + c->port_width - 1) / c->port_width;
   return now + cycles * c->box->period;
}

bool
rop_cache_read(struct rop_cache *c, sim_tick now, unsigned line, uint32_t bytes, unsigned work_id)
{
   if (c->line[line].state != ROP_LINE_VALID) {
      rop_cache_wait(c, work_id, ROP_STAT_reads_fail);
      return false;
   }
   if (!rop_cache_take_port(c->read_port, c->num_read_ports, now,
                            rop_cache_port_until(c, now, bytes)))
      return false;
   replace_use(&c->replace, line);
   ++*rop_stat(c, work_id, ROP_STAT_reads_ok);
   *rop_stat(c, work_id, ROP_STAT_fc_read_bytes) += bytes;
   return true;
}

bool
rop_cache_can_write(struct rop_cache *c, sim_tick now, unsigned line, uint32_t bytes,
                    unsigned work_id)
{
   if (c->line[line].state != ROP_LINE_VALID) {
      rop_cache_wait(c, work_id, ROP_STAT_writes_fail);
      return false;
   }
   if (!rop_cache_take_port(c->write_port, c->num_write_ports, now,
                            rop_cache_port_until(c, now, bytes)))
      return false;
   ++*rop_stat(c, work_id, ROP_STAT_writes_ok);
   *rop_stat(c, work_id, ROP_STAT_fc_write_bytes) += bytes;
   return true;
}

/* Blocks on their way to memory, and dirty lines, hold newer contents. */
void
rop_cache_probe(const struct rop_cache *c, const struct sim_probe *l)
{
   for (uint32_t i = 0; i < ROP_POSTED; i++) {
      const struct rop_posted *p = &c->posted[i];
      if (p->used)
         sim_probe_put(l, p->address, rop_transfer_contents(c, p->address), p->bytes);
   }
   for (uint32_t i = 0; i < c->ways * c->sets; i++) {
      if (c->line[i].dirty)
         sim_probe_put(l, c->line[i].address, rop_cache_data(c, i), c->line[i].bytes);
   }
}

void
rop_cache_dump(const struct rop_cache *c, FILE *f)
{
   fprintf(f, "   cache: command state %d\n", (int)c->command);
   rop_transfer_dump(c, f);
   rop_surface_dump(c, f);
}
