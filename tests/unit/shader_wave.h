/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * One shader that runs full groups of one program, clocked by hand, as fast as it takes them: how
 * many cycles a group costs. The texture unit answers after a fixed time, so many cycles a
 * group. */
#ifndef SHADER_WAVE_H
#define SHADER_WAVE_H

#include "shader_bench.h"

static struct sim_group *
wave_part(bool fragments, unsigned lanes)
{
   struct sim_group *g = sim_pool_alloc(&gpu->groups);
   memset(g, 0, sizeof(*g));
   *g = (struct sim_group){
       .draw = &draws[0], .work_id = 1, .kind = fragments ? SIM_GROUP_QUADS : SIM_GROUP_VERTICES};
   g->program = fragments ? draws[0].state.fs : draws[0].state.vs;
   g->num_items = (uint8_t)(fragments ? lanes / 4 : lanes);
   for (unsigned i = 0; i < g->num_items; i++) {
      if (fragments) {
         g->quad[i] = make_quad(0, 0);
         g->quad[i]->mask = 15;
         continue;
      }
      g->vertex[i] = sim_pool_alloc(&gpu->vertices);
      memset(g->vertex[i], 0, sizeof(*g->vertex[i]));
      g->vertex[i]->draw = &draws[0];
      g->vertex[i]->refs = 1;
   }
   return g;
}

static struct sim_group *
wave_group(bool fragments)
{
   struct sim_group *first = NULL, **next = &first;
   for (unsigned left = lanes_of(0); left; next = &(*next)->next) {
      const unsigned lanes = left < EMUL_LANES ? left : EMUL_LANES;
      *next = wave_part(fragments, lanes);
      left -= lanes;
   }
   return first;
}

static void
wave_free(struct sim_group *g)
{
   for (struct sim_group *next; g; g = next) {
      for (unsigned i = 0; i < g->num_items; i++) {
         if (g->kind == SIM_GROUP_QUADS)
            sim_quad_free(gpu, g->quad[i]);
         else
            sim_vertex_unref(gpu, g->vertex[i]);
      }
      next = g->next;
      sim_pool_free(&gpu->groups, g);
   }
}

/* Cycles of a group of the program (and its text) on a machine of this description. Groups come in
 * waves, one of each context; those that fill the shader do not count. */
static double
simulate_groups(const struct attila_isa_program *isa, const char *text,
                const struct attila_shader_machine *machine)
{
   bool fragments = isa->stage == ATTILA_STAGE_FRAGMENT;
   const char *end = ".fragment\nEND\n", *fs[DRAWS] = {fragments ? text : end, end};
   struct attila_shader_machine all = *machine;
   all.threads += all.buffers;
   unsigned contexts = attila_isa_threads(isa, &all), warm = 3 * contexts, groups = 6 * contexts;
   /* Two of the cycles are the way there and back. */
   scene.tex_latency = machine->texture_latency + machine->texture_cycles - 3;
   /* The unit's answers are of parts. */
   scene.tex_cycles = machine->texture_cycles / ((machine->lanes + EMUL_LANES - 1) / EMUL_LANES);
   scene.quads = 1;
   scene.vertices = 0;
   build(fs, 0);
   if (!fragments) {
      emul_program_destroy((struct emul_program *)draws[0].state.vs);
      draws[0].state.vs = assemble(text);
   }
   struct sim_box *tu = NULL;
   for (unsigned i = 0; i < gpu->kernel.num_boxes && !tu; i++)
      tu = !strcmp(gpu->kernel.boxes[i]->cls->name, "texture") ? gpu->kernel.boxes[i] : NULL;
   sim_tick start = gpu->kernel.now, first = 0, last = 0;
   unsigned sent = 0, got = 0;
   for (sim_tick now = start; got < warm + groups && now < start + 50000000; now++) {
      while (sent < warm + 2 * groups && sim_can_send(&gpu->net.ffu_shf[0], now)) {
         sim_send(&gpu->net.ffu_shf[0], now, &(struct msg_group){.group = wave_group(fragments)});
         sent++;
      }
      shf[0]->cls->clock(shf[0], now);
      shdx[0]->cls->clock(shdx[0], now);
      tu->cls->clock(tu, now);
      shf[0]->counted = shdx[0]->counted = now;
      struct msg_group *m;
      while ((m = sim_peek(&gpu->net.shf_ffu[0], now))) {
         wave_free(m->group);
         got++;
         first = got == warm ? now : first;
         last = now;
         sim_pop(&gpu->net.shf_ffu[0], now);
      }
   }
   assert_true(got >= warm + groups);
   destroy();
   return (double)(last - first) / (got - warm);
}

#endif
