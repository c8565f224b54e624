/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fragment FIFO, setup on the shaders (TriangleSetupOnShader): primitives from Triangle Setup run
 * the setup program, with their vertices' clip coordinates, in groups of their own, and return
 * there. A group leaves when it is full, at the draw's end, or when Triangle Setup can send nothing
 * before a primitive returns. The program is Olano and Greer's (2D homogeneous rasterisation): the
 * adjoint of the matrix of the vertices' x, y and w gives the coefficients of the three edges, and
 * with z those of depth. The program is built into the machine. Pixels come from emul_setup, which
 * is exact; the program only costs time and registers of the shaders. */
#include <stdlib.h>
#include "box/shader/ffu.h"

/* i0 to i3: the vertices' x, y, z, w in components x, y, z. o0 to o2: the edges' coefficients of x,
 * y and 1, and in w those of depth; o3: twice the area. */
static const char setup_program[] = ".vertex\n"
                                    "MUL r0, i1.zxyw, i3.yzxw\n"
                                    "MAD r0.xyz, i1.yzxw, i3.zxyw, -r0\n"
                                    "MUL r1, i0.yzxw, i3.zxyw\n"
                                    "MAD r1.xyz, i0.zxyw, i3.yzxw, -r1\n"
                                    "MUL r2, i0.zxyw, i1.yzxw\n"
                                    "MAD r2.xyz, i0.yzxw, i1.zxyw, -r2\n"
                                    "DP3 r3.x, r2, i3\n"
                                    "RCP r3.y, r3.x\n"
                                    "DP3 r0.w, r0, i2\n"
                                    "DP3 r1.w, r1, i2\n"
                                    "DP3 r2.w, r2, i2\n"
                                    "MUL r0.w, r0.w, r3.y\n"
                                    "MUL r1.w, r1.w, r3.y\n"
                                    "MUL r2.w, r2.w, r3.y\n"
                                    "MOV o0, r0\n"
                                    "MOV o1, r1\n"
                                    "MOV o2, r2\n"
                                    "MOV o3, r3.x\n"
                                    "END\n";

void
ffu_triangles_init(struct ffu *f)
{
   struct ffu_triangles *t = &f->triangles;
   const struct sim_config *c = &f->box.gpu->config;
   struct attila_isa_program isa;
   char error[200];
   if (!c->rast.setup_on_shader)
      return;
   if (!attila_isa_assemble(setup_program, &isa, error, sizeof(error))) {
      sim_error(&f->box, "setup program: %s", error);
      return;
   }
   t->program = emul_program_create(&isa);
   attila_isa_free(&isa);
   t->room = c->rast.triangle_output_queue;
   const uint32_t ring = ffu_power_of_two(t->room);
   t->mask = ring - 1;
   t->shaded = sim_xcalloc(ring, sizeof(*t->shaded));
   if (!t->program)
      sim_error(&f->box, "out of host memory");
}

void
ffu_triangles_fini(struct ffu *f)
{
   if (f->triangles.program)
      emul_program_destroy(f->triangles.program);
   free(f->triangles.shaded);
}

/* Announces the program when it is used first. */
static void
ffu_triangles_record_program(struct ffu *f)
{
   struct ffu_triangles *t = &f->triangles;
   struct sim_cost *costs;
   if (t->recorded)
      return;
   t->recorded = true;
   const struct sim_seen_program seen = {
       .stage = SIM_STAGE_SETUP, .name = "triangle setup", .isa = emul_program_isa(t->program)};
   sim_observed_program(&f->box.gpu->device->observed, &seen, &costs);
   emul_program_count(t->program, costs);
}

bool
ffu_take_triangles(struct ffu *f, sim_tick now)
{
   struct ffu_triangles *t = &f->triangles;
   struct sim_signal *in = &f->box.gpu->net.ts_ffu[0];
   struct ffu_open *o = &t->open;
   const struct msg_triangle *m;
   bool progress = false;
   while (t->program && !o->closed && (m = sim_peek(in, now))) {
      if (m->triangle) {
         if (o->group && ffu_is_full(f, o->group))
            break;
         if (t->in_flight == t->room) {
            /* No other primitive may join before some of these return. */
            o->closed = o->group != NULL;
            break;
         }
         ffu_triangles_record_program(f);
         if (!o->group)
            ffu_open_group(f, o, m->triangle->prim.draw, SIM_GROUP_TRIANGLES, t->program, now);
         struct sim_group *g = ffu_join(f, o);
         g->triangle[g->num_items++] = m->triangle;
         t->in_flight++;
         f->stat[m->work_id].input_triangles++;
      }
      sim_busy(&f->box, m->work_id);
      o->closed = m->last && o->group;
      sim_pop(in, now);
      progress = true;
   }
   return progress;
}

void
ffu_collect_triangles(struct ffu *f, const struct sim_group *g)
{
   struct ffu_triangles *t = &f->triangles;
   for (unsigned i = 0; i < g->num_items; i++)
      t->shaded[t->tail++ & t->mask] = g->triangle[i];
}

bool
ffu_return_triangles(struct ffu *f, sim_tick now)
{
   struct ffu_triangles *t = &f->triangles;
   struct sim_signal *out = &f->box.gpu->net.ffu_ts[0];
   bool progress = false;
   while (t->head != t->tail && sim_can_send(out, now)) {
      struct sim_triangle *triangle = t->shaded[t->head++ & t->mask];
      uint16_t work_id = triangle->prim.work_id;
      t->in_flight--;
      f->stat[work_id].output_triangles++;
      sim_busy(&f->box, work_id);
      sim_send(out, now, &(struct msg_triangle){.triangle = triangle, .work_id = work_id});
      progress = true;
   }
   return progress;
}

void
ffu_wait_triangles(struct ffu *f)
{
   const struct ffu_triangles *t = &f->triangles;
   if (t->open.group)
      sim_blocked(&f->box, t->open.group->work_id);
   if (t->head != t->tail)
      sim_blocked(&f->box, t->shaded[t->head & t->mask]->prim.work_id);
}
