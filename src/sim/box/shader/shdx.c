/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Shader Decode/Execute (ShDX, ISPASS 2006 section 2.3): executes the instructions that Shader
 * Fetch issues, keeps the thread's scoreboard, hands texture operations to the texture unit and
 * tells Shader Fetch how the thread goes on. Arithmetic is in emul/.
 *
 * END costs nothing: it is taken with the instruction before it, as if it were a bit of it.
 */
#include "box/shader/shader_unit.h"
#include "box/sim_gpu.h"
#include "box/shader/tex_link.h"

/* clang-format off */
#define SHDX_STATS(S)                                                                           \
   S(executed, "ExecutedInstructions", INSTRUCTIONS, "instructions executed on a thread group") \
   S(simd, "SIMDInstructions", INSTRUCTIONS, "of them SIMD")                                    \
   S(scalar, "ScalarInstructions", INSTRUCTIONS, "of them scalar")                              \
   S(flow, "FlowInstructions", INSTRUCTIONS, "of them branches and kills")                      \
   S(lanes, "ExecutedInputs", COUNT, "inputs active in them (sum)")                             \
   S(texture, "TextureRequests", REQUESTS, "texture operations sent")                           \
   S(blocks, "BlockCommands", COMMANDS, "threads blocked by a texture operation")               \
   S(ends, "EndCommands", COMMANDS, "threads ended")                                            \
   S(stall_texture, "StallsTextureUnit", CYCLES,                                                \
      "a texture operation waited for room in the texture unit")
/* clang-format on */
SIM_STATS_DECLARE(shdx, SHDX_STATS)

struct shdx {
   struct sim_box box;
   struct shdx_stats *stat; /* [slot] */
   struct tex_link link;    /* to its texture units */
   struct msg_tex held;     /* waits for a texture unit; thread NULL: none */
   sim_tick again;          /* when to ask it, or another one, again */
   bool stalled;            /* since the last clock */
};

/* The result of an instruction executed at tick now may be used by one executed latency cycles
 * later. */
static void
scoreboard_write(struct shf_thread *t, const struct emul_instr *in, sim_tick ready)
{
   if (in->sb_dst == EMUL_SB_NONE)
      return;
   t->ready_at[in->sb_dst] = ready;
   t->latest = ready > t->latest ? ready : t->latest;
   if (in->sb_dst == EMUL_SB_ANY_TEMP) {
      for (unsigned i = 0; i < t->num_temps; i++)
         t->ready_at[EMUL_SB_TEMP + i] = ready;
   } else if (in->sb_dst >= EMUL_SB_TEMP && t->ready_at[EMUL_SB_ANY_TEMP] < ready) {
      t->ready_at[EMUL_SB_ANY_TEMP] = ready;
   }
}

/* Without the host's instruction for it, which the build does not assume. */
static unsigned
count_lanes(uint32_t m)
{
   m = m - (m >> 1 & 0x5555);
   m = (m & 0x3333) + (m >> 2 & 0x3333);
   m = (m + (m >> 4)) & 0x0f0f;
   return (m + (m >> 8)) & 31;
}

static void
count_instr(struct shdx_stats *stat, const struct emul_instr *in, uint16_t exec)
{
   stat->executed++;
   stat->lanes += count_lanes(exec);
   stat->simd += in->cls == ATTILA_CLASS_SIMD;
   stat->scalar += in->cls == ATTILA_CLASS_SCALAR;
   stat->flow += in->cls == ATTILA_CLASS_FLOW;
}

/* When a lane of a draw was stopped the rest of the draw hurries. Other shaders see that from the
 * next tick on, so the order in which they are clocked does not matter. */
static void
watch_loop(struct shdx *x, struct shf_thread *t, sim_tick now)
{
   struct sim_draw *draw = t->group->draw;
   if (draw->stopped && draw->stopped < now) {
      emul_thread_hurry(&t->emul);
   } else if (t->emul.stopped && !draw->stopped) {
      draw->stopped = now;
      sim_warn(x->box.gpu->device->report, EMUL_STOPPED_TEXT, EMUL_MAX_ITERATIONS);
   }
}

/* Executes what was issued; returns how it ended. */
static enum emul_step
execute(struct shdx *x, const struct msg_issue *m, sim_tick now)
{
   struct shf_thread *t = m->thread;
   enum emul_step step = EMUL_STEP_NEXT;
   for (unsigned i = 0; i < m->num_instrs && step == EMUL_STEP_NEXT; i++) {
      const struct emul_instr *in = shf_thread_instr(t);
      count_instr(&x->stat[m->slot], in, t->emul.exec);
      step = emul_thread_step(&t->emul);
      if (in->op == ATTILA_OP_ENDLOOP)
         watch_loop(x, t, now);
      scoreboard_write(t, in, now + in->latency * x->box.period);
   }
   if (step == EMUL_STEP_NEXT && shf_thread_instr(t)->op == ATTILA_OP_END)
      step = emul_thread_step(&t->emul);
   return step;
}

static void
issue(struct shdx *x, const struct msg_issue *m, sim_tick now)
{
   struct sim_netlist *net = &x->box.gpu->net;
   unsigned s = x->box.instance;
   struct shf_thread *t = m->thread;
   struct msg_issue answer = {.thread = t, .num_instrs = m->num_instrs, .slot = m->slot};
   switch (execute(x, m, now)) {
   case EMUL_STEP_NEXT: {
      /* Fetch issues one cycle before the instruction executes. */
      sim_tick ready = shf_operands_ready(t, shf_thread_instr(t));
      answer.state = SHF_READY;
      answer.ready = ready > x->box.period ? ready - x->box.period : 0;
      break;
   }
   case EMUL_STEP_TEXTURE: {
      answer.state = SHF_BLOCKED;
      x->stat[m->slot].texture++;
      x->stat[m->slot].blocks++;
      if (!tex_link_send(&x->link, &x->box, t, m->slot, now, &x->again))
         x->held = (struct msg_tex){.thread = t, .slot = m->slot};
      break;
   }
   default:
      answer.state = SHF_ENDED;
      answer.ready = t->latest;
      x->stat[m->slot].ends++;
      break;
   }
   sim_send(&net->shdx_shf[s], now, &answer);
}

/* Counts the cycles until now as waiting if it waits. */
static void
shdx_settle(struct sim_box *b, sim_tick now)
{
   struct shdx *x = (struct shdx *)b;
   if (x->stalled)
      x->stat[x->held.slot].stall_texture += sim_waited(b, now);
}

static sim_tick
shdx_clock(struct sim_box *b, sim_tick now)
{
   struct shdx *x = (struct shdx *)b;
   struct sim_netlist *net = &b->gpu->net;
   struct sim_signal *in = &net->shf_shdx[b->instance];
   struct msg_issue *m;
   bool progress = false;
   shdx_settle(b, now);
   if (x->held.thread && tex_link_send(&x->link, b, x->held.thread, x->held.slot, now, &x->again)) {
      sim_busy(b, x->held.slot);
      x->held.thread = NULL;
      progress = true;
   }
   /* Nothing overtakes a texture operation that waits: the pipeline stands. */
   while (!x->held.thread && (m = sim_peek(in, now)) &&
          sim_can_send(&net->shdx_shf[b->instance], now)) {
      struct msg_issue issued = *m;
      sim_pop(in, now);
      issue(x, &issued, now);
      sim_busy(b, issued.slot);
      progress = true;
   }
   x->stalled = x->held.thread != NULL;
   if (x->stalled)
      sim_blocked(b, x->held.slot);
   else if ((m = sim_peek(in, now)))
      sim_blocked(b, m->slot);
   if (x->stalled)
      return x->again;
   return progress && sim_peek(in, now) ? now + b->period : SIM_NEVER;
}

static void
shdx_dump(const struct sim_box *b, FILE *out)
{
   const struct shdx *x = (const struct shdx *)b;
   if (x->held.thread)
      fprintf(out, "   thread %u waits for the texture unit\n", x->held.thread->index);
}

const struct sim_box_class shdx_class = {
    .name = "ShaderDecodeExecute",
    .unit = "ShDX-FS#",
    .doc = "executes shader instructions with their latencies (ISPASS 2006 section 2.3)",
    .size = sizeof(struct shdx),
    .domain = SIM_DOMAIN_SHADER,
    .clock = shdx_clock,
    .settle = shdx_settle,
    .dump = shdx_dump,
    SIM_STATS_CLASS(shdx),
};
