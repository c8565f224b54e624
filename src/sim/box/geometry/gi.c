/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Geometry Issue (GI): sends primitives of draws with a geometry stage to the fragment FIFO, which
 * groups them into threads, and sends Geometry Commit their order. Reading the attributes of a
 * primitive's vertices takes time. With several invocations a primitive is read and issued for
 * each, one after the other. A primitive is issued when the output buffer has room for all
 * that its program may emit; one that needs more than the whole buffer is issued when no other is
 * in the stage. So programs that declare more vertices have fewer primitives in the shaders. Room
 * is freed primitive by primitive. An incomplete group waits for that, and is sent when only its
 * own primitives are left in the stage. GI's memory holds primitives until Geometry Commit has
 * taken what they emitted. */
#include "box/sim_gpu.h"
#include "config/sim_shader_machine.h"
#include "emul/geometry/emul_gs.h"

SIM_BOX_STATS(gi)

struct gi {
   struct sim_box box;
   struct gi_stats *stat;    /* [work_id] */
   struct sim_gs_prim *slot; /* ring of the primitives */
   uint32_t num_slots, head, tail;
   uint32_t used;      /* bytes of the output buffer in use */
   uint32_t open;      /* primitives of the newest group while it is incomplete */
   uint32_t group;     /* primitives of a complete group */
   uint8_t invocation; /* of the oldest waiting primitive, the next to issue */
   bool reading;       /* the oldest waiting primitive is being read */
   sim_tick read_done; /* if so, when its attributes are read */
   struct sim_stall stall;
};

static void
gi_init(struct sim_box *b)
{
   struct gi *g = (struct gi *)b;
   const struct sim_config *c = &b->gpu->config;
   struct sim_shader_machine machine; /* of a configuration that is valid */
   char error[256];
   sim_shader_machine_init(&machine, c, !c->gpu.unified, error, sizeof(error));
   g->group = machine.lanes;
   g->num_slots = c->gs.primitives;
   g->slot = sim_box_alloc(b, g->num_slots * sizeof(*g->slot));
}

/* Frees the room of the oldest primitives, whose output Geometry Commit has taken. */
static bool
gi_take_room(struct gi *g, sim_tick now)
{
   struct sim_signal *in = &g->box.gpu->net.gc_gi[0];
   const struct msg_gs_room *m;
   bool progress = false;
   while ((m = sim_peek(in, now))) {
      g->used -= m->bytes;
      g->head++;
      sim_pop(in, now);
      progress = true;
   }
   return progress;
}

/* Allocates host memory for what the primitive emits. */
static void
gi_prepare(struct gi *g, struct sim_gs_prim *p, const struct msg_gs_input *m)
{
   const struct emul_draw_state *state = &m->draw->state;
   const size_t size = sizeof(p->emission.out[0]) * state->num_outputs *
                       emul_program_isa(state->gs)->gs_max_vertices;
   if (p->room < size) {
      p->room = size;
      p->storage = sim_arena_alloc(&g->box.kernel->arena, size);
   }
   p->draw = m->draw;
   p->work_id = m->work_id;
   p->num_vertices = m->num_vertices;
   p->id = m->id;
   p->invocation = g->invocation;
   p->shaded = false;
   memcpy(p->v, m->v, sizeof(p->v));
   p->emission.out = p->storage;
   emul_gs_start(state, &p->emission);
}

/* Returns whether a primitive that needs this many bytes can be issued; if not, *why is the
 * statistic to count. */
static bool
gi_has_room(const struct gi *g, uint32_t bytes, unsigned *why)
{
   const uint32_t all = g->box.gpu->config.gs.output_bytes;
   *why = g->tail - g->head == g->num_slots ? SIM_STAT(gi, stall_primitives)
                                            : SIM_STAT(gi, stall_room);
   return g->head == g->tail ||
          (g->tail - g->head < g->num_slots && g->used <= all && bytes <= all - g->used);
}

/* Returns whether the newest group is incomplete, but no further primitive of this size can be
 * issued before the group has come back. */
static bool
gi_waits_for_itself(const struct gi *g, uint32_t bytes)
{
   unsigned unused;
   return g->open && g->open == g->tail - g->head && !gi_has_room(g, bytes, &unused);
}

static void
gi_close_group(struct gi *g, uint16_t work_id)
{
   g->open = 0;
   g->stat[work_id].closed++;
}

/* Sends an incomplete group on once only its own primitives are left in the stage. */
static void
gi_send_group(struct gi *g, const struct msg_gs_input *m, uint32_t bytes, sim_tick now)
{
   struct sim_signal *ffu = &g->box.gpu->net.gi_ffu[0];
   if (!gi_waits_for_itself(g, bytes) || !sim_can_send(ffu, now))
      return;
   sim_send(ffu, now, &(struct msg_gs){.draw = m->draw, .work_id = m->work_id, .last = true});
   gi_close_group(g, m->work_id);
}

/* Returns whether the primitive has been issued for all its invocations. Each holds the vertices.
 */
static bool
gi_all_issued(struct gi *g, const struct msg_gs_input *m)
{
   const bool all = m->end || g->invocation == emul_program_isa(m->draw->state.gs)->gs_repeats;
   for (unsigned v = 0; v < m->num_vertices && !all; v++)
      m->v[v]->refs++;
   g->invocation = all ? 0 : g->invocation + 1;
   return all;
}

/* Issues the oldest primitive; if it must wait returns false, and *why is the statistic to
 * count. */
static bool
gi_issue(struct gi *g, const struct msg_gs_input *m, sim_tick now, unsigned *why)
{
   struct sim_netlist *net = &g->box.gpu->net;
   struct gi_stats *stat = &g->stat[m->work_id];
   const uint32_t bytes = emul_gs_output_bytes(&m->draw->state);
   if (!gi_has_room(g, bytes, why)) {
      gi_send_group(g, m, bytes, now);
      return false;
   }
   *why = SIM_STAT(gi, stall_fifo);
   if (!sim_can_send(&net->gi_ffu[0], now) || !sim_can_send(&net->gi_gc[0], now))
      return false;
   struct sim_gs_prim *p = &g->slot[g->tail++ % g->num_slots];
   gi_prepare(g, p, m);
   p->bytes = bytes;
   g->used += bytes;
   struct msg_gs out = {.draw = m->draw, .prim = p, .work_id = m->work_id};
   sim_send(&net->gi_gc[0], now, &out);
   g->open = (g->open + 1) % g->group;
   out.last = gi_waits_for_itself(g, bytes);
   sim_send(&net->gi_ffu[0], now, &out);
   m->draw->counters[ATTILA_COUNTER_GS_INVOCATIONS]++;
   m->draw->counters[ATTILA_COUNTER_GS_INPUTS] += g->invocation == 0;
   stat->primitives++;
   stat->attributes += attila_isa_inputs(emul_program_isa(m->draw->state.gs));
   stat->reserved += bytes;
   if (out.last)
      gi_close_group(g, m->work_id);
   return true;
}

static bool
gi_end_draw(struct gi *g, const struct msg_gs_input *m, sim_tick now, unsigned *why)
{
   struct sim_netlist *net = &g->box.gpu->net;
   const struct msg_gs end = {.draw = m->draw, .work_id = m->work_id, .last = true};
   *why = SIM_STAT(gi, stall_fifo);
   if (!sim_can_send(&net->gi_ffu[0], now) || !sim_can_send(&net->gi_gc[0], now))
      return false;
   sim_send(&net->gi_gc[0], now, &end);
   sim_send(&net->gi_ffu[0], now, &end);
   g->open = 0;
   return true;
}

/* Begins to read the oldest primitive; true when it has been read. */
static bool
gi_read(struct gi *g, const struct msg_gs_input *m, sim_tick now)
{
   const uint32_t rate = g->box.gpu->config.gs.input_attributes;
   if (!g->reading) {
      const uint32_t attributes =
                         m->end ? 0 : attila_isa_inputs(emul_program_isa(m->draw->state.gs)),
                     cycles = (attributes + rate - 1) / rate;
      g->reading = true;
      g->read_done = now + (cycles > 1 ? cycles - 1 : 0) * g->box.period;
   }
   return now >= g->read_done;
}

static sim_tick
gi_clock(struct sim_box *b, sim_tick now)
{
   struct gi *g = (struct gi *)b;
   struct sim_signal *in = &b->gpu->net.pa_gi[0];
   const struct msg_gs_input *m;
   bool progress = gi_take_room(g, now);
   if (!(m = sim_peek(in, now)))
      return progress ? now + b->period : SIM_NEVER;
   const uint16_t work_id = m->work_id;
   if (!gi_read(g, m, now)) {
      sim_busy_until(b, work_id, g->read_done);
      return g->read_done;
   }
   unsigned why;
   if (!(m->end ? gi_end_draw(g, m, now, &why) : gi_issue(g, m, now, &why))) {
      sim_stall_begin(&g->stall, why, now);
      sim_blocked(b, work_id);
      return progress ? now + b->period : SIM_NEVER;
   }
   sim_stall_end(&g->stall, b, work_id, now);
   sim_busy(b, work_id);
   g->reading = false;
   if (gi_all_issued(g, m))
      sim_pop(in, now);
   return now + b->period;
}

static void
gi_flush_counters(struct sim_box *b, sim_tick next)
{
   const struct msg_gs_input *m = sim_peek(&b->gpu->net.pa_gi[0], next);
   if (m)
      sim_stall_flush(&((struct gi *)b)->stall, b, m->work_id, next);
}

static void
gi_dump(const struct sim_box *b, FILE *f)
{
   const struct gi *g = (const struct gi *)b;
   const struct sim_signal *in = &b->gpu->net.pa_gi[0];
   const struct msg_gs_input *m = sim_next(in);
   fprintf(f, "%s: %u primitives waiting, %u issued, %u bytes of the output buffer", b->name,
           in->tail - in->head, g->tail - g->head, g->used);
   if (m)
      fprintf(f, ", oldest: draw %u%s", m->draw->number, m->end ? " end" : "");
   fputc('\n', f);
}

const struct sim_box_class gi_class = {
    .size = sizeof(struct gi),
    .domain = SIM_DOMAIN_GPU,
    .init = gi_init,
    .clock = gi_clock,
    .flush_counters = gi_flush_counters,
    .dump = gi_dump,
    SIM_BOX_CLASS(gi),
};
