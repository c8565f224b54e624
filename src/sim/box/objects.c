/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Pools of the objects that travel between boxes. Host memory management: nothing here costs
 * simulated time. */
#include "box/sim_gpu.h"
#include "core/sim_dvfs.h"

/* Returns a quad to its pool that a box of another thread freed. */
static void
objects_reclaim(struct sim_kernel *k, void *object)
{
   sim_quad_free(k->boxes[0]->gpu, object);
}

/* Inputs that a quad of each pool can hold. */
static const uint8_t objects_quad_inputs[SIM_QUAD_ROOMS] = {ATTILA_MAX_VARYINGS, 16, 8, 4};

void
sim_objects_init(struct sim_gpu *gpu)
{
   gpu->kernel.reclaim = objects_reclaim;
   sim_pool_init(&gpu->vertices, &gpu->kernel.arena, sizeof(struct sim_vertex), 256);
   sim_pool_init(&gpu->prims, &gpu->kernel.arena, sizeof(struct sim_prim), 256);
   for (unsigned room = 0; room < SIM_QUAD_ROOMS; room++)
      sim_pool_init(&gpu->quads.pool[room], &gpu->kernel.arena,
                    offsetof(struct sim_quad, in) +
                        objects_quad_inputs[room] * sizeof(((struct sim_quad *)0)->in[0]),
                    64);
   sim_pool_init(&gpu->groups, &gpu->kernel.arena, sizeof(struct sim_group), 64);
}

void
sim_vertex_unref(struct sim_gpu *gpu, struct sim_vertex *v)
{
   if (v && --v->refs == 0)
      sim_pool_free(&gpu->vertices, v);
}

void
sim_prim_unref(struct sim_gpu *gpu, struct sim_prim *p)
{
   if (!p || --p->refs != 0)
      return;
   if (__builtin_expect(gpu->kernel.trace != NULL, 0))
      sim_trace_add(
          &gpu->kernel,
          &(struct sim_trace_event){.kind = SIM_TRACE_DEAD, .what = p->draw, .number = p->number});
   for (unsigned i = 0; i < 4; i++)
      sim_vertex_unref(gpu, p->vtx[i]);
   sim_pool_free(&gpu->prims, p);
}

struct sim_quad *
sim_quad_alloc(struct sim_gpu *gpu, unsigned inputs)
{
   unsigned room = SIM_QUAD_ROOMS - 1;
   while (inputs > objects_quad_inputs[room])
      room--;
   struct sim_quad *q = sim_pool_alloc(&gpu->quads.pool[room]);
   q->room = (uint8_t)room;
   q->accepted = false;
   gpu->quads.in_use++;
   return q;
}

void
sim_quad_recycle(struct sim_gpu *gpu, struct sim_quad *q)
{
   sim_pool_free(&gpu->quads.pool[q->room], q);
   gpu->quads.in_use--;
}

void
sim_quad_free(struct sim_gpu *gpu, struct sim_quad *q)
{
   if (__builtin_expect(gpu->kernel.trace != NULL, 0))
      sim_trace_add(&gpu->kernel, &(struct sim_trace_event){.kind = SIM_TRACE_FREE, .object = q});
   sim_prim_unref(gpu, q->prim);
   sim_quad_recycle(gpu, q);
}

sim_tick
sim_gpu_held(struct sim_box *cp, sim_tick now)
{
   struct sim_gpu *gpu = cp->gpu;
   if (sim_box_time(cp, now) < gpu->hold_until)
      return sim_dvfs_tick(&gpu->kernel, cp->dvfs_domain, gpu->hold_until);
   gpu->hold_until = 0;
   return 0;
}
