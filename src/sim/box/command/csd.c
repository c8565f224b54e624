/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Compute Dispatcher (CSD): splits a grid into workgroups, in the order of their numbers, and each
 * into thread groups, one in a cycle. A workgroup goes as a whole to one shader, the next one in
 * turn that has contexts, registers and shared memory for all of it, and less than
 * WorkgroupsShader others; one that is larger than a shader goes to an empty one. Room is free
 * again when the last group of the workgroup has ended. What a workgroup does to memory is done
 * when it is placed, by the functions of functional mode, and what units answer to it is kept: its
 * groups then execute with these values, in their time, and change nothing. So both modes leave the
 * same memory, whatever the program does. Not here: barriers (box/shader/shf.c), shared memory
 * (box/shader/lsu.c). */
#include "box/sim_gpu.h"
#include "emul/compute/emul_grid.h"

#include <stdlib.h>

SIM_BOX_STATS(csd)

/* A workgroup in a shader, and its groups. */
struct csd_resident {
   struct sim_workgroup w;
   uint32_t shader, sent, ended;
   struct csd_resident *next_free;
   struct emul_log logs[EMUL_MAX_WORKGROUP_GROUPS];
   struct sim_group *parts; /* [group][part] */
};

/* What workgroups hold of a shader. */
struct csd_shader {
   uint32_t workgroups, groups, registers, shared;
};

struct csd {
   struct sim_box box;
   struct csd_stats *stat; /* [work_id] */
   struct sim_shader_machine machine;
   uint32_t num_shaders, num_parts, max_groups; /* parts: of a group; groups: of any workgroup */
   uint32_t workgroups, shared;                 /* room of a shader */
   struct csd_shader shader[SIM_MAX_SHADERS];
   struct csd_resident **all, *free;
   uint32_t num_all;
   struct sim_draw *grid; /* NULL: none */
   struct emul_grid emul;
   uint64_t next, done, num; /* workgroups: the next to place; ended; all */
   sim_tick begin;           /* when the first one may be placed */
   struct csd_resident *placing;
   uint32_t turn;           /* the next shader */
   uint32_t resident;       /* workgroups in shaders */
   sim_tick counted;        /* they are counted up to here */
   struct csd_shader needs; /* of a workgroup of the grid */
   struct sim_stall stall;
};

static void
csd_init(struct sim_box *b)
{
   struct csd *x = (struct csd *)b;
   const struct sim_config *c = &b->gpu->config;
   char error[256];
   sim_shader_machine_init(&x->machine, c, false, error, sizeof(error));
   /* A window for all shaders has the room of all (shf.c). */
   const uint32_t of_window = SHADERS_OF_WINDOW(c);
   x->num_shaders = c->gpu.num_shaders / of_window;
   x->machine.groups *= of_window;
   x->machine.registers *= of_window;
   x->workgroups = c->compute.workgroups * of_window;
   x->shared = c->shader.shared_bytes * of_window;
   x->num_parts = (x->machine.lanes + EMUL_LANES - 1) / EMUL_LANES;
   x->max_groups = (ATTILA_MAX_WORKGROUP + x->machine.lanes - 1) / x->machine.lanes;
}

static void
csd_fini(struct sim_box *b)
{
   struct csd *x = (struct csd *)b;
   for (uint32_t i = 0; i < x->num_all; i++) {
      for (unsigned l = 0; l < EMUL_MAX_WORKGROUP_GROUPS; l++)
         free(x->all[i]->logs[l].value);
      free(x->all[i]->parts);
      free(x->all[i]);
   }
   free(x->all);
   emul_grid_fini(&x->emul);
}

/* --- Grids --- */

static void
csd_sample(void *user, const struct emul_tex_request *request, struct emul_vec4 *texel)
{
   const struct csd *x = user;
   emul_tex_sample(&x->grid->state.tex[request->unit], request, x->emul.memory, texel);
}

/* Takes a grid. */
static void
csd_take(struct csd *x, sim_tick now)
{
   struct sim_signal *in = &x->box.gpu->net.cp_csd[0];
   const struct msg_grid *m = sim_peek(in, now);
   if (x->grid || !m)
      return;
   const struct attila_isa_program *isa = emul_program_isa(m->grid->state.cs);
   const uint32_t groups = (attila_isa_workgroup(isa) + x->machine.lanes - 1) / x->machine.lanes;
   x->grid = m->grid;
   x->num = emul_grid_workgroups(&m->grid->state);
   x->next = x->done = 0;
   x->begin = now + x->box.gpu->config.compute.launch_latency * x->box.period;
   x->needs = (struct csd_shader){
       .workgroups = 1,
       .groups = groups,
       .registers = groups * sim_shader_registers(&x->machine, isa) *
                    (x->machine.lanes / x->machine.register_lanes),
       .shared = isa->shared_bytes,
   };
   x->emul.state = &m->grid->state;
   x->emul.memory = x->box.gpu->device->memory;
   x->emul.sample = csd_sample;
   x->emul.user = x;
   emul_grid_start(&x->emul);
   x->stat[m->grid->work_id].grids++;
   sim_pop(in, now);
}

static void
csd_count_resident(struct csd *x, sim_tick now)
{
   if (x->grid)
      x->stat[x->grid->work_id].resident += x->resident * ((now - x->counted) / x->box.period);
   x->counted = now;
}

/* --- Room --- */

/* Takes back groups that have ended. */
static bool
csd_hear(struct csd *x, sim_tick now)
{
   bool any = false;
   for (uint32_t s = 0; s < x->num_shaders; s++) {
      struct sim_signal *in = &x->box.gpu->net.shf_csd[s];
      const struct msg_group *m;
      while ((m = sim_peek(in, now))) {
         struct csd_resident *r = (struct csd_resident *)m->group->work.workgroup;
         struct csd_shader *from = &x->shader[r->shader];
         any = true;
         sim_pop(in, now);
         if (++r->ended < r->w.groups)
            continue;
         csd_count_resident(x, now);
         from->workgroups -= x->needs.workgroups;
         from->groups -= x->needs.groups;
         from->registers -= x->needs.registers;
         from->shared -= x->needs.shared;
         r->next_free = x->free;
         x->free = r;
         x->resident--;
         x->done++;
      }
   }
   return any;
}

/* Returns the statistic of what a shader has no room for, or 0. */
static unsigned
csd_lack(const struct csd *x, const struct csd_shader *s)
{
   const struct csd_shader *n = &x->needs;
   if (!s->workgroups)
      return 0;
   return s->workgroups >= x->workgroups                       ? SIM_STAT(csd, stall_workgroups)
          : s->groups + n->groups > x->machine.groups          ? SIM_STAT(csd, stall_contexts)
          : s->registers + n->registers > x->machine.registers ? SIM_STAT(csd, stall_registers)
          : s->shared + n->shared > x->shared                  ? SIM_STAT(csd, stall_shared)
                                                               : 0;
}

/* Returns whether an empty shader has no room for a workgroup. */
static bool
csd_too_large(const struct csd *x)
{
   return x->needs.groups > x->machine.groups || x->needs.registers > x->machine.registers ||
          x->needs.shared > x->shared;
}

/* --- Placing --- */

/* Returns an unused workgroup, made if there is none. */
static struct csd_resident *
csd_new_resident(struct csd *x)
{
   struct csd_resident *r = x->free;
   if (r) {
      x->free = r->next_free;
      for (unsigned l = 0; l < EMUL_MAX_WORKGROUP_GROUPS; l++) {
         memset(r->logs[l].num, 0, sizeof(r->logs[l].num));
         memset(r->logs[l].next, 0, sizeof(r->logs[l].next));
      }
      return r;
   }
   r = sim_xcalloc(1, sizeof(*r));
   r->parts = sim_xcalloc((size_t)x->max_groups * x->num_parts, sizeof(*r->parts));
   x->all = sim_xrealloc(x->all, (x->num_all + 1) * sizeof(*x->all));
   x->all[x->num_all++] = r;
   return r;
}

/* Makes a group's parts. */
static void
csd_make_group(struct csd *x, struct csd_resident *r, uint32_t group, uint32_t iterations)
{
   const uint32_t first = group * x->machine.lanes,
                  all = attila_isa_workgroup(emul_program_isa(x->grid->state.cs)) - first;
   uint32_t left = all < x->machine.lanes ? all : x->machine.lanes;
   struct sim_group *g = &r->parts[(size_t)group * x->num_parts];
   g->all_items = (uint8_t)left;
   for (uint32_t at = first; left; g++) {
      const uint32_t lanes = left < EMUL_LANES ? left : EMUL_LANES;
      g->draw = x->grid;
      g->program = x->grid->state.cs;
      g->work_id = x->grid->work_id;
      g->kind = SIM_GROUP_WORK;
      g->num_items = (uint8_t)lanes;
      g->work.workgroup = &r->w;
      g->work.first = at;
      g->work.iterations = iterations;
      at += lanes;
      left -= lanes;
      g->next = left ? g + 1 : NULL;
   }
}

/* Gives a workgroup to a shader, and does what it does to memory. */
static void
csd_place(struct csd *x, uint32_t shader, sim_tick now)
{
   struct csd_resident *r = csd_new_resident(x);
   struct csd_shader *to = &x->shader[shader];
   struct csd_stats *stat = &x->stat[x->grid->work_id];
   const uint32_t iterations = emul_grid_iterations(&x->emul);
   csd_count_resident(x, now);
   r->w = (struct sim_workgroup){
       .number = x->next++, .groups = x->needs.groups, .left = x->needs.groups, .logs = r->logs};
   r->shader = shader;
   r->sent = r->ended = 0;
   for (uint32_t g = 0; g < x->needs.groups; g++)
      csd_make_group(x, r, g, iterations);
   emul_grid_run(&x->emul, r->w.number, r->logs);
   if (x->emul.stopped && !x->grid->stopped)
      x->grid->stopped = sim_box_time(&x->box, now);
   to->workgroups += x->needs.workgroups;
   to->groups += x->needs.groups;
   to->registers += x->needs.registers;
   to->shared += x->needs.shared;
   x->turn = shader + 1 == x->num_shaders ? 0 : shader + 1;
   x->resident++;
   x->placing = r;
   stat->workgroups++;
   stat->groups += x->needs.groups;
   stat->oversized += csd_too_large(x);
}

/* Places the next workgroup if a shader has room for it. */
static bool
csd_find_place(struct csd *x, sim_tick now)
{
   unsigned lack = 0;
   for (uint32_t i = 0; i < x->num_shaders; i++) {
      const uint32_t s = (x->turn + i) % x->num_shaders;
      const unsigned lacks = csd_lack(x, &x->shader[s]);
      if (!lacks) {
         sim_stall_end(&x->stall, &x->box, x->grid->work_id, now);
         csd_place(x, s, now);
         return true;
      }
      lack = lack ? lack : lacks;
   }
   sim_stall_begin(&x->stall, lack, now);
   return false;
}

/* Sends the next group of the workgroup that is being placed; returns whether it did. */
static bool
csd_send(struct csd *x, sim_tick now)
{
   struct csd_resident *r = x->placing;
   struct sim_signal *out = &x->box.gpu->net.csd_shf[r->shader];
   if (!sim_can_send(out, now))
      return false;
   sim_send(out, now, &(struct msg_group){.group = &r->parts[r->sent * x->num_parts]});
   if (++r->sent == r->w.groups)
      x->placing = NULL;
   return true;
}

static bool
csd_end(struct csd *x, sim_tick now)
{
   struct sim_signal *out = &x->box.gpu->net.csd_cp[0];
   if (x->done < x->num || !sim_can_send(out, now))
      return false;
   sim_send(out, now, &(struct msg_done){.draw = x->grid});
   x->grid = NULL;
   return true;
}

static sim_tick
csd_clock(struct sim_box *b, sim_tick now)
{
   struct csd *x = (struct csd *)b;
   bool progress = csd_hear(x, now);
   csd_take(x, now);
   if (!x->grid)
      return SIM_NEVER;
   const uint16_t work_id = x->grid->work_id;
   if (now < x->begin) {
      sim_busy_until(b, work_id, x->begin);
      return x->begin;
   }
   if (!x->placing && x->next < x->num)
      progress |= csd_find_place(x, now);
   if (x->placing)
      progress |= csd_send(x, now);
   else if (x->next == x->num)
      csd_end(x, now);
   if (progress)
      sim_busy(b, work_id);
   else
      sim_blocked(b, work_id);
   return progress && x->grid ? now + b->period : SIM_NEVER;
}

static void
csd_flush_counters(struct sim_box *b, sim_tick next)
{
   struct csd *x = (struct csd *)b;
   csd_count_resident(x, next);
   if (x->grid)
      sim_stall_flush(&x->stall, b, x->grid->work_id, next);
}

static void
csd_dump(const struct sim_box *b, FILE *f)
{
   const struct csd *x = (const struct csd *)b;
   if (x->grid)
      fprintf(f, "%s: %llu of %llu workgroups placed, %u in shaders\n", b->name,
              (unsigned long long)x->next, (unsigned long long)x->num, x->resident);
}

const struct sim_box_class csd_class = {
    .size = sizeof(struct csd),
    .domain = SIM_DOMAIN_GPU,
    .init = csd_init,
    .clock = csd_clock,
    .flush_counters = csd_flush_counters,
    .dump = csd_dump,
    .fini = csd_fini,
    SIM_BOX_CLASS(csd),
};
