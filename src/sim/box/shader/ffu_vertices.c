/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fragment FIFO, vertices: takes them from the loaders in turn into groups, and sends shaded ones
 * to Streamer Commit as they return. When a group leaves, and to which shader: ffu.c. */
#include "box/shader/ffu.h"

void
ffu_vertices_init(struct ffu *f)
{
   const uint32_t ring = ffu_power_of_two(f->box.gpu->config.rast.shaded_vertex_queue + 1);
   f->shaded_mask = ring - 1;
   f->shaded = sim_xcalloc(ring, sizeof(*f->shaded));
}

/* Returns the next vertex, of the loaders in turn; NULL: none. A loader that has sent its draw's
 * end waits for the others. */
static struct msg_vertex *
ffu_next_vertex(struct ffu *f, unsigned *loader, sim_tick now)
{
   struct sim_signal *in = f->box.gpu->net.sl_ffu;
   for (unsigned i = 0; i < f->num_loaders; i++) {
      unsigned l = f->next_loader + i;
      l = l < f->num_loaders ? l : l - f->num_loaders;
      struct msg_vertex *m = f->loaders_ended >> l & 1 ? NULL : sim_peek(&in[l], now);
      if (m) {
         *loader = l;
         return m;
      }
   }
   return NULL;
}

bool
ffu_take_vertices(struct ffu *f, sim_tick now)
{
   struct ffu_open *o = &f->vertices;
   struct msg_vertex *m;
   unsigned loader;
   bool progress = false;
   while (!o->closed && (m = ffu_next_vertex(f, &loader, now))) {
      struct sim_signal *in = &f->box.gpu->net.sl_ffu[loader];
      if (m->end) {
         sim_busy(&f->box, m->work_id);
         f->loaders_ended |= 1u << loader;
         if (f->loaders_ended == (1u << f->num_loaders) - 1) {
            f->loaders_ended = 0;
            o->closed = o->group != NULL;
         }
         sim_pop(in, now);
         progress = true;
         continue;
      }
      if (o->group && ffu_is_full(f, o->group)) {
         o->closed = true;
         break;
      }
      if (f->vertices_in_flight == f->box.gpu->config.rast.shaded_vertex_queue)
         break;
      if (!o->group)
         ffu_open_group(f, o, m->draw, SIM_GROUP_VERTICES, m->draw->state.vs, now);
      struct sim_group *g = ffu_join(f, o);
      g->vertex[g->num_items++] = m->vertex;
      f->vertices_in_flight++;
      f->vertices_taken++;
      f->stat[m->work_id].input_vertices++;
      sim_busy(&f->box, m->work_id);
      sim_pop(in, now);
      f->next_loader = loader + 1 == f->num_loaders ? 0 : loader + 1;
      progress = true;
   }
   return progress;
}

void
ffu_close_last_vertices(struct ffu *f, sim_tick now)
{
   struct sim_signal *in = &f->box.gpu->net.stoc_ffu[0];
   const struct msg_stand *m = sim_peek(in, now);
   struct ffu_open *o = &f->vertices;
   if (m) {
      f->vertices_last = m->vertices;
      sim_pop(in, now);
   }
   if (o->group && f->vertices_taken == f->vertices_last &&
       f->vertices_in_flight == o->group->all_items)
      o->closed = true;
}

void
ffu_collect_vertices(struct ffu *f, const struct sim_group *g)
{
   for (unsigned i = 0; i < g->num_items; i++)
      f->shaded[f->shaded_tail++ & f->shaded_mask] = g->vertex[i];
}

bool
ffu_commit_vertices(struct ffu *f, sim_tick now)
{
   struct sim_signal *out = &f->box.gpu->net.ffu_stc[0];
   bool progress = false;
   while (f->shaded_head != f->shaded_tail) {
      struct sim_vertex *v = f->shaded[f->shaded_head & f->shaded_mask];
      /* The vertex has left the host's caches: the shaders had it long ago. */
      if (f->shaded_tail - f->shaded_head > 2)
         __builtin_prefetch(&f->shaded[(f->shaded_head + 2) & f->shaded_mask]->draw);
      if (!sim_can_send(out, now)) {
         sim_wait(&f->waits, &f->stat[v->draw->work_id].stall_commit);
         break;
      }
      f->shaded_head++;
      f->vertices_in_flight--;
      f->stat[v->draw->work_id].output_vertices++;
      sim_busy(&f->box, v->draw->work_id);
      sim_send(out, now,
               &(struct msg_vertex){.draw = v->draw, .vertex = v, .work_id = v->draw->work_id});
      progress = true;
   }
   return progress;
}

void
ffu_wait_vertices(struct ffu *f, sim_tick now)
{
   unsigned loader;
   const struct msg_vertex *m = ffu_next_vertex(f, &loader, now);
   if (m)
      sim_blocked(&f->box, m->work_id);
   if (f->vertices.group)
      sim_blocked(&f->box, f->vertices.group->work_id);
   if (f->shaded_head != f->shaded_tail)
      sim_blocked(&f->box, f->shaded[f->shaded_head & f->shaded_mask]->draw->work_id);
}
