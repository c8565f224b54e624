/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The lists of a pass (bins.h): the size of bins, which bins a primitive touches, where things lie
 * in the parameter buffer. Open passes have equal shares of the buffer. A share begins with the
 * table of lists; primitives, vertices and blocks of lists follow in the order in which they are
 * made. Not here: time (plb.c, tf.c). */
#include "box/tiling/bins.h"
#include "box/signature.h"

#define CHUNK_BYTES (1u << 20)
#define BINS_SHARE 256 /* shares are multiples of the longest line or block of a list */

void
bins_init(struct bins *b, const struct sim_gpu *gpu, struct tile_cache *cache, uint32_t number)
{
   const struct sim_config *c = &gpu->config;
   /* No line of the tile cache holds parts of two shares. */
   const uint32_t share = gpu->device->private_size / c->tiling.open_passes;
   b->cache = cache;
   b->size = share - share % BINS_SHARE;
   b->start = gpu->device->memory_size + number * b->size;
   b->entries_per_block = (c->tiling.block_bytes - BINS_LINK) / c->tiling.entry_bytes;
   b->pass = 1;
   b->signs = c->tiling.keeps;
   low_z_init(&b->low_z, c->tiling.low_z_tiles);
}

void
bins_fini(struct bins *b)
{
   for (uint32_t i = 0; i < b->bin_room; i++) {
      free(b->bin[i].entry);
      free(b->bin[i].block);
   }
   for (uint32_t i = 0; i < b->num_chunks; i++)
      free(b->chunk[i]);
   free(b->bin);
   free(b->chunk);
   free(b->hit);
   free(b->seen_bin);
   free(b->low_z.far);
}

void
bins_reset(struct bins *b, bool same_targets)
{
   for (uint32_t i = 0; i < bins_number(b); i++)
      b->bin[i].num = b->bin[i].num_blocks = b->bin[i].first = 0;
   tile_cache_forget(b->cache, b->start, b->start + b->size);
   for (; b->listed; b->listed = b->listed->next)
      sim_work_unref(b->cache->box->gpu->work, b->listed->l.clear.work_id);
   b->pass++;
   b->num_prims = 0;
   b->written = b->cleared = b->num_clears = 0;
   b->stays = false;
   b->chunk_at = 0;
   b->chunk_used = 0;
   b->begun &= same_targets;
   low_z_empty(&b->low_z);
   b->used = b->begun ? bins_number(b) * BINS_HEADER : 0;
}

/* --- Shape --- */

static uint32_t
bins_divide_up(uint32_t a, uint32_t by)
{
   return (a + by - 1) / by;
}

/* Returns the bytes of a pixel's colours, with all samples and targets. */
static uint32_t
bins_pixel_bytes(const struct emul_draw_state *state)
{
   uint32_t bytes = 0;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      const struct attila_color_regs *color = &state->regs.color[i];
      if (color->address)
         bytes += attila_formats[color->format % ATTILA_NUM_FORMATS].bytes;
   }
   return bytes * state->samples;
}

/* Sets how many bins there are of the present size. */
static void
bins_count(struct bins *b, const struct emul_draw_state *state)
{
   b->across = bins_divide_up(state->regs.fb_width, b->width);
   b->down = bins_divide_up(state->regs.fb_height, b->height);
}

void
bins_begin(struct bins *b, const struct sim_config *c, const struct emul_draw_state *state)
{
   const uint32_t pixel = bins_pixel_bytes(state);
   b->width = c->tiling.width;
   b->height = c->tiling.height;
   b->layers = state->layers.count ? state->layers.count : 1;
   while (b->width * b->height * pixel > c->tiling.buffer_bytes &&
          (b->width > ATTILA_TILE_DIM || b->height > ATTILA_TILE_DIM)) {
      if (b->height >= b->width)
         b->height /= 2;
      else
         b->width /= 2;
   }
   bins_count(b, state);
   while ((uint64_t)bins_number(b) * (BINS_HEADER + c->tiling.block_bytes) > b->size / 2) {
      if (b->width <= b->height)
         b->width *= 2;
      else
         b->height *= 2;
      bins_count(b, state);
   }
   const uint32_t num = bins_number(b);
   if (b->bin_room < num) {
      b->bin = sim_xrealloc(b->bin, num * sizeof(*b->bin));
      memset(b->bin + b->bin_room, 0, (num - b->bin_room) * sizeof(*b->bin));
      b->bin_room = num;
   }
   b->used = num * BINS_HEADER;
   b->draw = NULL;
   b->begun = true;
   low_z_begin(&b->low_z, state->regs.fb_width, state->regs.fb_height);
}

/* --- Which bins --- */

/* Returns whether a primitive may cover part of the bin at (x, y). */
static bool
bins_touches(const struct bins *b, const struct emul_setup *s, int32_t x, int32_t y)
{
   const int32_t dim = (int32_t)(b->width < b->height ? b->width : b->height);
   for (int32_t dy = 0; dy < (int32_t)b->height; dy += dim) {
      for (int32_t dx = 0; dx < (int32_t)b->width; dx += dim) {
         if (emul_block_overlaps(s, x + dx, y + dy, dim))
            return true;
      }
   }
   return false;
}

static void
bins_hit(struct bins *b, uint32_t bin)
{
   if (b->num_hits == b->hit_room) {
      b->hit_room = 2 * b->hit_room + 64;
      b->hit = sim_xrealloc(b->hit, b->hit_room * sizeof(*b->hit));
   }
   b->hit[b->num_hits++] = (struct bins_hit){.bin = bin, .tested = b->num_tested};
}

void
bins_find_all(struct bins *b)
{
   b->num_hits = b->num_tested = 0;
   for (uint32_t i = 0; i < bins_number(b); i++)
      bins_hit(b, i);
}

void
bins_find(struct bins *b, const struct sim_config *c, const struct emul_setup *s)
{
   const uint32_t width = b->width, height = b->height;
   b->num_hits = b->num_tested = 0;
   if (s->minx >= s->maxx || s->miny >= s->maxy)
      return;
   const uint32_t x0 = (uint32_t)s->minx / width, x1 = ((uint32_t)s->maxx - 1) / width,
                  y0 = (uint32_t)s->miny / height, y1 = ((uint32_t)s->maxy - 1) / height;
   for (uint32_t y = y0; y <= y1; y++) {
      for (uint32_t x = x0; x <= x1; x++) {
         b->num_tested++;
         if (c->tiling.test_edges &&
             !bins_touches(b, s, (int32_t)(x * width), (int32_t)(y * height)))
            continue;
         bins_hit(b, (s->layer * b->down + y) * b->across + x);
      }
   }
}

/* --- The parameter buffer --- */

static void *
bins_allocate(struct bins *b, size_t bytes)
{
   bytes = (bytes + 15) & ~(size_t)15;
   if (b->num_chunks && b->chunk_used + bytes > CHUNK_BYTES) {
      b->chunk_at++;
      b->chunk_used = 0;
   }
   if (b->chunk_at == b->num_chunks) {
      if (b->num_chunks == b->chunk_room) {
         b->chunk_room = 2 * b->chunk_room + 16;
         b->chunk = sim_xrealloc(b->chunk, b->chunk_room * sizeof(*b->chunk));
      }
      b->chunk[b->num_chunks++] = sim_xcheck(aligned_alloc(64, CHUNK_BYTES));
   }
   void *p = b->chunk[b->chunk_at] + b->chunk_used;
   b->chunk_used += bytes;
   return p;
}

static uint32_t
bins_take(struct bins *b, uint32_t bytes, uint32_t align)
{
   const uint32_t at = (b->used + align - 1) / align * align;
   b->used = at + bytes;
   return b->start + at;
}

/* Finds which outputs of a draw's vertices are stored: the position, and what its fragments
 * read. */
static void
bins_look_at(struct bins *b, const struct sim_draw *draw)
{
   const struct emul_draw_state *state = &draw->state;
   uint64_t read = 1;
   if (b->draw == draw)
      return;
   for (unsigned i = 0; i < state->num_fs_inputs; i++) {
      const unsigned output = state->fs_inputs[i].output;
      read |= output < ATTILA_MAX_VARYINGS ? 1ull << output : 0;
   }
   b->draw = draw;
   b->outputs = 64 - (uint32_t)__builtin_clzll(read);
   b->signed_outputs = read & (emul_program_isa(emul_last_program(state))->outputs_written | 1);
   b->vertex_bytes = 16 * (sim_count_bits((uint32_t)read) + sim_count_bits((uint32_t)(read >> 32)));
}

static struct sim_vertex *
bins_vertex_of(const struct emul_vertex *v)
{
   return (struct sim_vertex *)((uintptr_t)v - offsetof(struct sim_vertex, data));
}

uint64_t
bins_need(struct bins *b, const struct sim_config *c, const struct sim_draw *draw)
{
   bins_look_at(b, draw);
   uint64_t bytes = 2 * BINS_RECORD + 4 * (uint64_t)b->vertex_bytes;
   for (uint32_t i = 0; i < b->num_hits; i++) {
      const struct bin *bin = &b->bin[b->hit[i].bin];
      if (bin->num == bin->num_blocks * b->entries_per_block)
         bytes += c->tiling.block_bytes;
   }
   return bytes + c->tiling.block_bytes;
}

/* Returns the copy of a vertex in this pass; makes it if need be. */
static const struct bins_vertex *
bins_store_vertex(struct bins *b, struct sim_vertex *v, unsigned *stored)
{
   if (v->copy_pass == b->pass)
      return v->copy;
   const size_t bytes = b->outputs * sizeof(v->data.out[0]);
   struct bins_vertex *copy = bins_allocate(b, sizeof(*copy) + bytes);
   memcpy(copy->out, v->data.out, bytes);
   copy->address = bins_take(b, b->vertex_bytes, 16);
   v->copy = copy;
   v->copy_pass = b->pass;
   ++*stored;
   return copy;
}

/* Notes what a primitive's draw writes, and whether it must be drawn even if that is cleared.
 * Clears before it are then no longer the last ones, so they count as writes. */
static void
bins_note_writes(struct bins *b, const struct sim_draw *draw)
{
   const struct emul_draw_state *s = &draw->state;
   b->written |= s->color_mask | (s->z_write ? BINS_DEPTH : 0) |
                 (s->stencil_test ? BINS_STENCIL : 0) | b->cleared;
   b->stays |= draw->counts;
   b->cleared = b->num_clears = 0;
}

#define BINS_SIGN(sum, member) signature_add_bytes(sum, &(member), sizeof(member))

/* Returns the signature of a stored primitive. */
static uint64_t
bins_sign(const struct bins *b, const struct bins_prim *p)
{
   const struct emul_setup *s = &p->setup;
   const struct emul_vertex *const v[4] = {s->v[0], s->v[1], s->v[2], s->flat};
   const uint32_t flags[4] = {s->num_edges, s->id, s->layer,
                              (uint32_t)s->front | (uint32_t)s->is_point << 1 |
                                  (uint32_t)s->is_line << 2 | (uint32_t)s->smooth << 3 |
                                  (uint32_t)s->centre_edges << 4};
   uint64_t sum = BINS_SIGN(SIGNATURE_START, flags);
   const int32_t bounds[4] = {s->minx, s->miny, s->maxx, s->maxy};
   sum = BINS_SIGN(sum, bounds);
   sum = BINS_SIGN(sum, s->box);
   for (unsigned i = 0; i < s->num_edges; i++)
      sum = signature_add(
          signature_add(signature_add(sum, (uint64_t)s->edge_a[i]), (uint64_t)s->edge_b[i]),
          (uint64_t)s->edge_c[i]);
   sum = BINS_SIGN(sum, s->z);
   sum = BINS_SIGN(BINS_SIGN(sum, s->zmin), s->zmax);
   sum = BINS_SIGN(BINS_SIGN(sum, s->q), s->l);
   sum = BINS_SIGN(BINS_SIGN(sum, s->point_center), s->point_size);
   sum = BINS_SIGN(signature_add(sum, s->stipple_start), s->stipple_step);
   for (unsigned i = 0; i < 4; i++) {
      for (uint64_t m = v[i] ? b->signed_outputs : 0; m; m &= m - 1)
         sum = BINS_SIGN(sum, v[i]->out[__builtin_ctzll(m)]);
   }
   return sum;
}

struct bins_prim *
bins_store(struct bins *b, const struct sim_prim *p, unsigned *vertices)
{
   struct bins_prim *s = bins_allocate(b, sizeof(*s));
   bins_look_at(b, p->draw);
   bins_note_writes(b, p->draw);
   *vertices = 0;
   *s = (struct bins_prim){
       .setup = p->setup, .draw = p->draw, .number = p->number, .vertex_bytes = b->vertex_bytes};
   for (unsigned i = 0; i < 4; i++) {
      const struct emul_vertex **v = i < 3 ? &s->setup.v[i] : &s->setup.flat;
      if (!*v)
         continue;
      const struct bins_vertex *copy = bins_store_vertex(b, bins_vertex_of(*v), vertices);
      s->vertex[i] = copy->address;
      *v = (const struct emul_vertex *)copy->out;
   }
   s->address = bins_take(b, BINS_RECORD, BINS_RECORD);
   s->signature = b->signs ? bins_sign(b, s) : 0;
   b->num_prims++;
   return s;
}

/* Notes what a command clears of the targets of the lists' primitives. */
static void
bins_note_clear(struct bins *b, const struct sim_listed *l)
{
   const struct attila_regs *to = l->clear.regs, *of = &l->draw->state.regs;
   b->stays |= l->resolves;
   b->num_clears++;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      if (l->clear.buffers >> i & 1 && to->color[i].address == of->color[i].address)
         b->cleared |= 1u << i;
   }
   if (to->zs_address == of->zs_address)
      b->cleared |=
          (l->clear.planes & 1 ? BINS_DEPTH : 0) | (l->clear.planes & 2 ? BINS_STENCIL : 0);
}

bool
bins_clears_all(const struct bins *b)
{
   return !b->stays && b->written && !(b->written & ~b->cleared);
}

struct bins_prim *
bins_store_listed(struct bins *b, const struct sim_listed *l)
{
   struct bins_listed *copy = bins_allocate(b, sizeof(*copy));
   struct bins_prim *s = bins_allocate(b, sizeof(*s));
   *copy = (struct bins_listed){.l = *l, .regs = *l->clear.regs, .next = b->listed};
   copy->l.clear.regs = &copy->regs;
   copy->l.bin_width = (uint16_t)b->width;
   copy->l.bin_height = (uint16_t)b->height;
   sim_work_ref(b->cache->box->gpu->work, l->clear.work_id);
   *s = (struct bins_prim){.draw = l->draw, .listed = &copy->l};
   s->address = bins_take(b, BINS_RECORD, BINS_RECORD);
   b->listed = copy;
   b->num_prims++;
   bins_note_clear(b, l);
   return s;
}

/* --- Lists --- */

uint32_t
bins_entry_address(const struct bins *b, const struct sim_config *c, const struct bin *bin,
                   uint32_t entry)
{
   return bin->block[entry / b->entries_per_block] +
          entry % b->entries_per_block * c->tiling.entry_bytes;
}

uint32_t
bins_append(struct bins *b, const struct sim_config *c, uint32_t number, struct bins_prim *p,
            bool *fresh)
{
   struct bin *bin = &b->bin[number];
   *fresh = bin->num == bin->num_blocks * b->entries_per_block;
   if (*fresh) {
      if (bin->num_blocks == bin->block_room) {
         bin->block_room = 2 * bin->block_room + 4;
         bin->block = sim_xrealloc(bin->block, bin->block_room * sizeof(*bin->block));
      }
      bin->block[bin->num_blocks++] = bins_take(b, c->tiling.block_bytes, c->tiling.block_bytes);
   }
   if (bin->num == bin->room) {
      bin->room = 2 * bin->room + 8;
      bin->entry = sim_xrealloc(bin->entry, bin->room * sizeof(*bin->entry));
   }
   bin->entry[bin->num] = p;
   return bins_entry_address(b, c, bin, bin->num++);
}

uint32_t
bins_take_out(struct bins *b, uint32_t number, uint32_t keep)
{
   struct bin *bin = &b->bin[number];
   const uint32_t before = bin->first;
   bin->first = bin->num - keep;
   return bin->first - before;
}
