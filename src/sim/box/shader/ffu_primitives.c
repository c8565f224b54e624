/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fragment FIFO, geometry stage: primitives from Geometry Issue run their draw's geometry program
 * in groups of their own on the vertex shaders, and go on to Geometry Commit as they return. A
 * group leaves when it is full, at the draw's end, or when Geometry Issue can send nothing before a
 * primitive's output is taken. */
#include "box/shader/ffu.h"

void
ffu_primitives_init(struct ffu *f)
{
   struct ffu_primitives *p = &f->primitives;
   const uint32_t ring = ffu_power_of_two(f->box.gpu->config.gs.primitives);
   p->mask = ring - 1;
   p->shaded = sim_xcalloc(ring, sizeof(*p->shaded));
}

bool
ffu_take_primitives(struct ffu *f, sim_tick now)
{
   struct sim_signal *in = &f->box.gpu->net.gi_ffu[0];
   struct ffu_open *o = &f->primitives.open;
   const struct msg_gs *m;
   bool progress = false;
   while (!o->closed && (m = sim_peek(in, now))) {
      if (m->prim) {
         if (o->group && ffu_is_full(f, o->group))
            break;
         if (!o->group)
            ffu_open_group(f, o, m->draw, SIM_GROUP_PRIMITIVES, m->draw->state.gs, now);
         struct sim_group *g = ffu_join(f, o);
         g->prim[g->num_items++] = m->prim;
         f->stat[m->work_id].input_primitives++;
      }
      sim_busy(&f->box, m->work_id);
      o->closed = m->last && o->group;
      sim_pop(in, now);
      progress = true;
   }
   return progress;
}

void
ffu_collect_primitives(struct ffu *f, const struct sim_group *g)
{
   struct ffu_primitives *p = &f->primitives;
   for (unsigned i = 0; i < g->num_items; i++)
      p->shaded[p->tail++ & p->mask] = g->prim[i];
}

bool
ffu_return_primitives(struct ffu *f, sim_tick now)
{
   struct ffu_primitives *p = &f->primitives;
   struct sim_signal *out = &f->box.gpu->net.ffu_gc[0];
   bool progress = false;
   while (p->head != p->tail && sim_can_send(out, now)) {
      struct sim_gs_prim *prim = p->shaded[p->head++ & p->mask];
      f->stat[prim->work_id].output_primitives++;
      sim_busy(&f->box, prim->work_id);
      sim_send(out, now,
               &(struct msg_gs){.draw = prim->draw, .prim = prim, .work_id = prim->work_id});
      progress = true;
   }
   return progress;
}

void
ffu_wait_primitives(struct ffu *f)
{
   const struct ffu_primitives *p = &f->primitives;
   if (p->open.group)
      sim_blocked(&f->box, p->open.group->work_id);
   if (p->head != p->tail)
      sim_blocked(&f->box, p->shaded[p->head & p->mask]->work_id);
}
