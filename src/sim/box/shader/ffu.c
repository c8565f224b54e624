/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fragment FIFO (FFU, ISPASS 2006 sections 2.2 and 2.3): crossbar and scheduler between producers
 * of vertices and fragments and the shaders. It forms thread groups, gives them to shaders -
 * vertices first (ffu_vertices.c), then primitives of the geometry stage (ffu_primitives.c) and of
 * setup (ffu_triangles.c) - and returns fragments to their ROP in order of arrival. Streamer and
 * Geometry Commit reorder vertices and primitives. In a tile-based machine fragments may wait for
 * later ones that hide them, before they join a group (ffu_kill.c).
 * ShaderDistribution chooses the shader of a group of fragments (ffu_distribution.c):
 * - 1: the one with the fewest groups.
 * - 4: the same, but groups of a ROP's square follow its first group to the same shader, until that
 *   has got ShaderInputBatchSize inputs of the square, or is full while another one is idle. So
 *   neighbours use one texture cache.
 * - 2: the owner of the scan tile of the group's first quad.
 * - 3: per ROP, one shader until it has got ShaderInputBatchSize inputs or is full, then the next.
 * - 0: by tiles or by batches of all ROPs, as in the last release.
 * Vertices go to the shader with the fewest groups. With 0 in a unified machine vertices and
 * fragments share a pointer to the next shader, and a group of vertices advances it by one. If 0
 * means tiles, the pointer turns, in every cycle without a ready group of vertices, to the owner of
 * the oldest waiting quad of the current ROP; if no quad waits after a group of fragments, the
 * pointer advances when that group's shader has got ShaderInputBatchSize inputs. So vertices rotate
 * over the shaders while no quads wait, and pile up on one shader while quads wait: the price of
 * the release's tiled distribution. A ready group of vertices blocks all others in that cycle, even
 * if its shader is full.
 * An incomplete group of vertices leaves when every loader has sent the draw's end, when the
 * streamer waits for nothing but this group, or VertexGroupTimeout cycles after its first input. An
 * incomplete group of fragments leaves only at the draw's end, or after FragmentGroupTimeout cycles
 * if that is not 0. */
#include <stdlib.h>
#include <string.h>
#include "box/shader/ffu.h"

static void
ffu_init_inputs(struct ffu *f)
{
   const struct sim_netlist *net = &f->box.gpu->net;
   for (unsigned s = 0; s < f->last_vertex_shader; s++)
      sim_input_set_add(&f->from_shaders, &f->box, &net->shf_ffu[s]);
   for (unsigned l = 0; l < f->num_loaders; l++)
      sim_input_set_add(&f->from_loaders, &f->box, &net->sl_ffu[l]);
   for (unsigned r = 0; r < f->num_rops; r++)
      sim_input_set_add(&f->from_interpolator, &f->box, &net->interp_ffu[r]);
}

static void
ffu_init(struct sim_box *b)
{
   struct ffu *f = (struct ffu *)b;
   const struct sim_config *c = &b->gpu->config;
   f->num_rops = c->gpu.num_rops;
   /* A window for all shaders is, for groups, one shader. */
   f->num_shaders = c->shader.shared_window ? 1 : c->gpu.num_shaders;
   f->unified = c->gpu.unified;
   f->num_loaders = c->streamer.loaders;
   f->first_vertex_shader = c->gpu.unified ? 0 : c->gpu.num_shaders;
   f->last_vertex_shader = NUM_WINDOWS(c);
   struct sim_shader_machine machine;
   shf_machine(&machine, c, 0);
   ffu_init_inputs(f);
   f->lanes = machine.lanes;
   shf_machine(&machine, c, f->first_vertex_shader);
   f->vertex_lanes = machine.lanes;
   f->vertex_timeout = c->rast.vertex_timeout * b->period;
   f->fragment_timeout =
       c->rast.fragment_timeout ? c->rast.fragment_timeout * b->period : SIM_NEVER;
   ffu_distribution_init(f);
   f->shaded_quads = sim_shaded_quads(c);
   uint32_t ring = ffu_power_of_two(f->shaded_quads + 1);
   f->ring_mask = ring - 1;
   for (unsigned r = 0; r < f->num_rops; r++)
      f->rop[r].ring = sim_xcalloc(ring, sizeof(*f->rop[r].ring));
   ffu_kill_init(f);
   ffu_vertices_init(f);
   ffu_primitives_init(f);
   ffu_triangles_init(f);
}

static void
ffu_fini(struct sim_box *b)
{
   struct ffu *f = (struct ffu *)b;
   for (unsigned r = 0; r < f->num_rops; r++)
      free(f->rop[r].ring);
   free(f->shaded);
   free(f->primitives.shaded);
   ffu_triangles_fini(f);
}

/* --- What comes back from the shaders, and leaves --- */

/* Notes when a group of a draw with a map is given to a shader. */
static void
ffu_map_given(struct sim_group *g, sim_tick now)
{
   g->given = now;
   for (; g; g = g->next) {
      for (unsigned i = 0; i < g->num_items; i++) {
         struct sim_quad *q = g->quad[i];
         q->shaded_mask = q->mask;
         sim_map_add(g->draw->map, SIM_MAP_SHADED, q->x, q->y, sim_quad_pixels(q->mask), 1);
      }
   }
}

/* Notes when such a group returns. */
static void
ffu_map_shaded(const struct ffu *f, const struct sim_group *g, sim_tick now)
{
   const sim_tick cycles = (now - g->given) / f->box.period;
   for (; g; g = g->next) {
      for (unsigned i = 0; i < g->num_items; i++) {
         const struct sim_quad *q = g->quad[i];
         sim_map_add(g->draw->map, SIM_MAP_SHADER, q->x, q->y, sim_quad_pixels(q->shaded_mask),
                     cycles);
      }
   }
}

static bool
ffu_collect_shaded(struct ffu *f, sim_tick now)
{
   struct sim_netlist *net = &f->box.gpu->net;
   bool progress = false;
   if (!sim_inputs_any(&f->box, &f->from_shaders))
      return false;
   for (unsigned s = 0; s < f->last_vertex_shader; s++) {
      struct msg_group *m;
      while ((m = sim_peek(&net->shf_ffu[s], now))) {
         struct sim_group *g = m->group;
         sim_pop(&net->shf_ffu[s], now);
         sim_busy(&f->box, g->work_id);
         f->load[s]--;
         progress = true;
         if (g->kind == SIM_GROUP_QUADS) {
            f->rop[g->rop].ring[g->order & f->ring_mask].done = true;
            f->shading &= ~(1ull << g->rop);
            if (g->draw->map)
               ffu_map_shaded(f, g, now);
            continue;
         }
         for (struct sim_group *next; g; g = next) {
            if (g->kind == SIM_GROUP_TRIANGLES)
               ffu_collect_triangles(f, g);
            else if (g->kind == SIM_GROUP_PRIMITIVES)
               ffu_collect_primitives(f, g);
            else
               ffu_collect_vertices(f, g);
            next = g->next;
            sim_pool_free(&f->box.gpu->groups, g);
         }
      }
   }
   return progress;
}

/* Sends the quads of a part of a ROP's oldest entry, in order; killed ones take no room. False:
 * wait. */
static bool
ffu_send_part(struct ffu *f, struct ffu_rop *rop, struct ffu_entry *e, struct sim_signal *out,
              sim_tick now)
{
   const struct sim_group *g = e->group;
   while (e->sent < g->num_items) {
      struct sim_quad *q = g->quad[e->sent];
      if (q->mask == 0) {
         f->stat[q->work_id].killed_quads++;
         sim_busy(&f->box, q->work_id);
         sim_quad_free(f->box.gpu, q);
      } else if (sim_can_send(out, now)) {
         f->stat[q->work_id].output_fragments += sim_count_bits4(sim_quad_pixels(q->mask));
         sim_busy(&f->box, q->work_id);
         sim_send(out, now, &(struct msg_quad){.draw = q->draw, .quad = q, .work_id = q->work_id});
      } else {
         return false;
      }
      e->sent++;
      rop->in_flight--;
   }
   return true;
}

static bool
ffu_send_quads(struct ffu *f, struct ffu_rop *rop, struct ffu_entry *e, struct sim_signal *out,
               sim_tick now)
{
   while (ffu_send_part(f, rop, e, out, now)) {
      struct sim_group *next = e->group->next;
      sim_pool_free(&f->box.gpu->groups, e->group);
      if (!next)
         return true;
      e->group = next;
      e->sent = 0;
   }
   return false;
}

static bool
ffu_drain_rop(struct ffu *f, unsigned r, sim_tick now)
{
   struct sim_netlist *net = &f->box.gpu->net;
   struct ffu_rop *rop = &f->rop[r];
   const uint32_t before = rop->in_flight;
   while (rop->head != rop->tail) {
      struct ffu_entry *e = &rop->ring[rop->head & f->ring_mask];
      struct sim_signal *out = e->late ? &net->ffu_zst[r] : &net->ffu_cw[r];
      if (e->group && !e->done) {
         if (rop->in_flight >= f->shaded_quads)
            sim_wait(&f->waits, &f->stat[e->draw->work_id].stall_order);
         else
            f->shading |= 1ull << r;
         break;
      }
      bool gone = e->group ? ffu_send_quads(f, rop, e, out, now) : sim_can_send(out, now) > 0;
      if (!gone) {
         sim_wait(&f->waits, &f->stat[e->draw->work_id].stall_rop);
         break;
      }
      if (!e->group) {
         sim_send(out, now,
                  &(struct msg_quad){.draw = e->draw,
                                     .listed = e->listed,
                                     .work_id = e->draw->work_id,
                                     .end = true,
                                     .what = e->what,
                                     .bin = e->bin});
         sim_busy(&f->box, e->draw->work_id);
         rop->in_flight--;
      }
      if (++rop->head == rop->tail)
         f->queued &= ~(1ull << r);
   }
   return rop->in_flight != before;
}

/* --- Forming groups --- */

static struct sim_group *
ffu_new_part(struct ffu *f, struct sim_draw *draw, enum sim_group_kind kind,
             const struct emul_program *program)
{
   struct sim_group *g = sim_pool_alloc(&f->box.gpu->groups);
   g->draw = draw;
   g->program = program;
   g->work_id = draw->work_id;
   g->kind = kind;
   g->num_items = g->all_items = 0;
   g->rop = 0;
   g->next = NULL;
   return g;
}

struct sim_group *
ffu_open_group(struct ffu *f, struct ffu_open *o, struct sim_draw *draw, enum sim_group_kind kind,
               const struct emul_program *program, sim_tick now)
{
   o->group = o->last = ffu_new_part(f, draw, kind, program);
   o->opened = now;
   o->closed = false;
   return o->group;
}

struct sim_group *
ffu_join(struct ffu *f, struct ffu_open *o)
{
   struct sim_group *g = o->group;
   g->all_items++;
   if (o->last->num_items == (g->kind == SIM_GROUP_QUADS ? EMUL_LANES / 4 : EMUL_LANES))
      o->last = o->last->next = ffu_new_part(f, g->draw, g->kind, g->program);
   return o->last;
}

/* Returns the next quad or end that may join a group; NULL: none. */
static inline const struct msg_quad *
ffu_next_quad(const struct ffu *f, unsigned r, sim_tick now)
{
   return f->window ? ffu_kill_first(f, r) : sim_peek(&f->box.gpu->net.interp_ffu[r], now);
}

static inline void
ffu_pop_quad(struct ffu *f, unsigned r, sim_tick now)
{
   struct sim_signal *in = &f->box.gpu->net.interp_ffu[r];
   if (f->window) {
      ffu_kill_pop(f, r);
      return;
   }
   sim_pop(in, now);
   sim_prefetch_quad(in);
}

static bool
ffu_take_quads(struct ffu *f, unsigned r, sim_tick now)
{
   struct ffu_rop *rop = &f->rop[r];
   struct ffu_open *o = &rop->open;
   const struct msg_quad *m;
   bool progress = false;
   while (!o->closed && (m = ffu_next_quad(f, r, now)) && rop->in_flight < f->shaded_quads) {
      if (o->group && (m->end || ffu_is_full(f, o->group) || o->group->draw != m->draw)) {
         o->closed = true;
         f->leaving |= 1ull << r;
         break;
      }
      /* Waiting for a full queue is counted. */
      if (++rop->in_flight >= f->shaded_quads)
         f->shading &= ~(1ull << r);
      sim_busy(&f->box, m->work_id);
      progress = true;
      if (m->end) {
         rop->ring[rop->tail++ & f->ring_mask] = (struct ffu_entry){.draw = m->draw,
                                                                    .late = m->draw->state.late_zs,
                                                                    .what = m->what,
                                                                    .bin = m->bin,
                                                                    .listed = m->listed};
         f->queued |= 1ull << r;
         ffu_pop_quad(f, r, now);
         continue;
      }
      struct sim_group *g = o->group;
      if (!g) {
         g = ffu_open_group(f, o, m->draw, SIM_GROUP_QUADS, m->draw->state.fs, now);
         g->rop = (uint8_t)r;
         f->forming |= 1ull << r;
         if (f->distribution == FFU_RELEASE_TILES)
            o->owner = (uint8_t)ffu_release_owner(f, m->quad);
      }
      struct sim_group *part = ffu_join(f, o);
      part->quad[part->num_items++] = m->quad;
      f->leaving |= (uint64_t)ffu_is_full(f, g) << r;
      if (!f->window)
         ffu_count_input(f, m);
      ffu_pop_quad(f, r, now);
   }
   return progress;
}

/* --- Giving groups to shaders --- */

static inline sim_tick
ffu_timeout(const struct ffu *f, const struct ffu_open *o)
{
   sim_tick t = o->group->kind == SIM_GROUP_QUADS      ? f->fragment_timeout
                : o->group->kind == SIM_GROUP_VERTICES ? f->vertex_timeout
                                                       : SIM_NEVER;
   return t == SIM_NEVER ? t : o->opened + t;
}

static bool
ffu_may_leave(const struct ffu *f, const struct ffu_open *o, sim_tick now)
{
   return o->closed || ffu_is_full(f, o->group) || now >= ffu_timeout(f, o);
}

static void
ffu_count_group(struct ffu *f, const struct sim_group *g)
{
   struct ffu_stats *stat = &f->stat[g->work_id];
   stat->partial_groups += !ffu_is_full(f, g);
   if (g->kind == SIM_GROUP_TRIANGLES) {
      stat->triangle_groups++;
      stat->shaded_triangles += g->all_items;
      return;
   }
   if (g->kind == SIM_GROUP_PRIMITIVES) {
      stat->primitive_groups++;
      stat->shaded_primitives += g->all_items;
      return;
   }
   if (g->kind != SIM_GROUP_QUADS) {
      stat->vertex_groups++;
      stat->shaded_vertices += g->all_items;
      g->draw->counters[ATTILA_COUNTER_VS_INVOCATIONS] += g->all_items;
      return;
   }
   unsigned fragments = 0;
   for (const struct sim_group *part = g; part; part = part->next) {
      for (unsigned i = 0; i < part->num_items; i++)
         fragments += sim_count_bits4(sim_quad_pixels(part->quad[i]->mask));
   }
   stat->fragment_groups++;
   stat->shaded_fragments += fragments;
   g->draw->counters[ATTILA_COUNTER_FS_INVOCATIONS] += fragments;
}

/* Gives a group to shader s; false if s is -1: none has room. */
static bool
ffu_give(struct ffu *f, struct ffu_open *o, int s, sim_tick now)
{
   struct sim_group *g = o->group;
   if (s < 0 || !sim_can_send(&f->box.gpu->net.ffu_shf[s], now)) {
      if (g->kind == SIM_GROUP_QUADS && !f->uneven && ffu_any_idle(f)) {
         f->uneven = true;
         sim_wait(&f->waits, &f->stat[g->work_id].stall_uneven);
      }
      sim_wait(&f->waits, g->kind == SIM_GROUP_QUADS ? &f->stat[g->work_id].stall_shader
                                                     : &f->stat[g->work_id].stall_vertex_shader);
      return false;
   }
   if (g->kind == SIM_GROUP_QUADS) {
      struct ffu_rop *rop = &f->rop[g->rop];
      g->order = rop->tail;
      rop->ring[rop->tail++ & f->ring_mask] =
          (struct ffu_entry){.group = g, .draw = g->draw, .late = g->draw->state.late_zs};
      f->queued |= 1ull << g->rop;
      f->forming &= ~(1ull << g->rop);
      f->leaving &= ~(1ull << g->rop);
      if (g->draw->map)
         ffu_map_given(g, now);
   }
   ffu_count_group(f, g);
   sim_busy(&f->box, g->work_id);
   f->load[s]++;
   sim_send(&f->box.gpu->net.ffu_shf[s], now, &(struct msg_group){.group = g});
   o->group = NULL;
   o->closed = false;
   return true;
}

static inline bool
ffu_ready(const struct ffu *f, const struct ffu_open *o, sim_tick now)
{
   return o->group && ffu_may_leave(f, o, now);
}

static inline unsigned
ffu_after(unsigned i, unsigned num)
{
   return i + 1 == num ? 0 : i + 1;
}

/* Gives a group to shader s. The next choice among equals starts after that shader. */
static bool
ffu_give_chosen(struct ffu *f, struct ffu_open *o, int s, sim_tick now)
{
   if (!ffu_give(f, o, s, now))
      return false;
   f->first_choice = ffu_after((unsigned)s, f->last_vertex_shader);
   return true;
}

/* Gives a group to the shader with the fewest groups among first..last - 1. */
static bool
ffu_give_fewest(struct ffu *f, struct ffu_open *o, unsigned first, unsigned last, sim_tick now)
{
   return ffu_ready(f, o, now) &&
          ffu_give_chosen(f, o, ffu_choose_shader(f, first, last, UINT32_MAX, now), now);
}

static bool
ffu_give_rop(struct ffu *f, struct ffu_rop *rop, sim_tick now)
{
   return ffu_ready(f, &rop->open, now) &&
          ffu_give_chosen(f, &rop->open, ffu_choose(f, rop, now), now);
}

/* Moves to the next ROP with a group that may leave; visited: ROPs passed in this cycle. Returns
 * whether the pointer was turned to the owner of that ROP's waiting quad. */
static bool
ffu_find_rop(struct ffu *f, unsigned *visited, sim_tick now)
{
   /* If no group may leave, the search over all ROPs would end at the present one. */
   if (!f->leaving && !*visited && f->fragment_timeout == SIM_NEVER)
      *visited = f->num_rops;
   for (; *visited < f->num_rops && !ffu_ready(f, &f->rop[f->next_rop].open, now); ++*visited)
      f->next_rop = ffu_after(f->next_rop, f->num_rops);
   const struct ffu_open *o = &f->rop[f->next_rop].open;
   if (f->distribution != FFU_RELEASE_TILES || !o->group)
      return false;
   f->next_shader = o->owner;
   return true;
}

/* Each ROP may give one group per cycle; without tiles, all that it has. */
static bool
ffu_give_fragments(struct ffu *f, sim_tick now)
{
   unsigned visited = 0;
   bool progress = false;
   if (!f->forming)
      return false;
   ffu_find_rop(f, &visited, now);
   while (visited < f->num_rops) {
      unsigned s = f->next_shader;
      if (!ffu_give(f, &f->rop[f->next_rop].open, (int)s, now))
         break;
      progress = true;
      f->batched[s] += f->lanes;
      if (f->distribution == FFU_RELEASE_TILES) {
         f->next_rop = ffu_after(f->next_rop, f->num_rops);
         visited++;
      }
      if (!ffu_find_rop(f, &visited, now) && f->batched[s] >= f->batch_size) {
         f->batched[s] = 0;
         f->next_shader = ffu_after(s, f->num_shaders);
      }
   }
   return progress;
}

/* Vertices, primitives and fragments of a unified machine follow one pointer to the next shader. */
static bool
ffu_give_as_release(struct ffu *f, sim_tick now)
{
   struct ffu_open *first = ffu_ready(f, &f->vertices, now)          ? &f->vertices
                            : ffu_ready(f, &f->primitives.open, now) ? &f->primitives.open
                            : ffu_ready(f, &f->triangles.open, now)  ? &f->triangles.open
                                                                     : NULL;
   if (!first)
      return ffu_give_fragments(f, now);
   if (!ffu_give(f, first, (int)f->next_shader, now))
      return false;
   f->batched[f->next_shader] += f->vertex_lanes;
   f->next_shader = ffu_after(f->next_shader, f->num_shaders);
   return true;
}

static sim_tick
ffu_next_timeout(const struct ffu *f, const struct ffu_open *o, sim_tick now, sim_tick next)
{
   if (!o->group || ffu_may_leave(f, o, now))
      return next;
   sim_tick t = ffu_timeout(f, o);
   return t < next ? t : next;
}

/* Reports what the FIFO holds when nothing moves: a ROP's oldest group (which may be in a shader),
 * an incomplete group, quads of its window, or vertices for which the next box has no room. */
static void
ffu_wait(struct ffu *f, sim_tick now)
{
   ffu_wait_vertices(f, now);
   if (ffu_has_primitives(f))
      ffu_wait_primitives(f);
   ffu_wait_triangles(f);
   for (unsigned r = 0; (f->queued || f->forming || f->window) && r < f->num_rops; r++) {
      const struct ffu_rop *rop = &f->rop[r];
      if (rop->head != rop->tail)
         sim_blocked(&f->box, rop->ring[rop->head & f->ring_mask].draw->work_id);
      else if (rop->open.group)
         sim_blocked(&f->box, rop->open.group->work_id);
      else if (rop->window.head != rop->window.tail)
         sim_blocked(&f->box, ffu_kill_oldest(f, r));
   }
}

static sim_tick
ffu_clock(struct sim_box *b, sim_tick now)
{
   struct ffu *f = (struct ffu *)b;
   sim_waits_charge(&f->waits, b, now);
   f->uneven = false;

   bool progress = ffu_collect_shaded(f, now);
   if (f->shaded_head != f->shaded_tail)
      progress |= ffu_commit_vertices(f, now);
   if (f->triangles.program)
      progress |= ffu_return_triangles(f, now);
   const bool primitives = ffu_has_primitives(f);
   if (primitives)
      progress |= ffu_return_primitives(f, now);
   if (sim_inputs_any(b, &f->from_loaders))
      progress |= ffu_take_vertices(f, now);
   if (f->vertices.group || !sim_signal_empty(&b->gpu->net.stoc_ffu[0]))
      ffu_close_last_vertices(f, now);
   if (primitives)
      progress |= ffu_take_primitives(f, now);
   if (f->triangles.program)
      progress |= ffu_take_triangles(f, now);
   const bool pointer = f->pointer, shared = pointer && f->unified;
   if (!shared) {
      progress |=
          ffu_give_fewest(f, &f->vertices, f->first_vertex_shader, f->last_vertex_shader, now);
      if (primitives)
         progress |= ffu_give_fewest(f, &f->primitives.open, f->first_vertex_shader,
                                     f->last_vertex_shader, now);
      progress |= ffu_give_fewest(f, &f->triangles.open, 0, f->num_shaders, now);
   }
   const bool quads = sim_inputs_any(b, &f->from_interpolator) || f->window_opens;
   const unsigned first_rop = f->next_rop;
   const bool fragments = quads || (f->queued & ~f->shading) || (!pointer && f->forming);
   for (unsigned i = 0; fragments && i < f->num_rops; i++) {
      unsigned r = first_rop + i < f->num_rops ? first_rop + i : first_rop + i - f->num_rops;
      if ((f->queued & ~f->shading) >> r & 1)
         progress |= ffu_drain_rop(f, r, now);
      if (quads)
         progress |= ffu_take_quads(f, r, now);
      if (quads && f->window)
         progress |= ffu_kill_take(f, r, now);
      if (!pointer && ffu_give_rop(f, &f->rop[r], now)) {
         f->next_rop = ffu_after(r, f->num_rops);
         progress = true;
      }
   }
   if (pointer)
      progress |= shared ? ffu_give_as_release(f, now) : ffu_give_fragments(f, now);
   if (progress)
      return now + b->period;
   ffu_wait(f, now);
   sim_tick next = ffu_next_timeout(f, &f->vertices, now, SIM_NEVER);
   for (unsigned r = 0; f->forming && r < f->num_rops; r++)
      next = ffu_next_timeout(f, &f->rop[r].open, now, next);
   return next;
}

static void
ffu_flush_counters(struct sim_box *b, sim_tick next)
{
   sim_waits_flush(&((struct ffu *)b)->waits, b, next);
}

static void
ffu_dump(const struct sim_box *b, FILE *out)
{
   const struct ffu *f = (const struct ffu *)b;
   fprintf(out, "   vertices in flight %u, shaded and waiting %u, in the open group %u\n",
           f->vertices_in_flight, f->shaded_tail - f->shaded_head,
           f->vertices.group ? f->vertices.group->all_items : 0);
   for (unsigned r = 0; r < f->num_rops; r++) {
      const struct ffu_rop *rop = &f->rop[r];
      const struct ffu_entry *e =
          rop->head != rop->tail ? &rop->ring[rop->head & f->ring_mask] : NULL;
      fprintf(out,
              "   ROP %u: %u in the window, %u in flight, %u groups and ends, open group %u; "
              "oldest: %s of draw %d\n",
              r, rop->window.tail - rop->window.head, rop->in_flight, rop->tail - rop->head,
              rop->open.group ? rop->open.group->all_items : 0,
              !e          ? "none"
              : !e->group ? "end"
              : e->done   ? "shaded group"
                          : "group being shaded",
              e ? (int)e->draw->number : -1);
   }
   for (unsigned s = 0; s < f->last_vertex_shader; s++)
      fprintf(out, "   shader %u: %u groups\n", s, f->load[s]);
}

const struct sim_box_class ffu_class = {
    .size = sizeof(struct ffu),
    .domain = SIM_DOMAIN_GPU,
    .init = ffu_init,
    .clock = ffu_clock,
    .flush_counters = ffu_flush_counters,
    .dump = ffu_dump,
    .fini = ffu_fini,
    SIM_BOX_CLASS(ffu),
};
