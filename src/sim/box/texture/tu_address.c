/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture Unit, first part: takes quads from the shaders into the access queue, one per cycle, and
 * calculates texel addresses, one bilinear operation per cycle. A thread's request is one message,
 * whose quads arrive one by one (tex_link.h). Several shaders take turns. As the address pipeline
 * depends on nothing else, a quad's times are known on entry. */
#include "box/shader/tex_link.h"
#include "box/texture/tu.h"

/* Finds log2 of a decompressed texel's bytes, and of the compression factor. */
static void
tu_address_compression(const struct emul_tex_state *st, struct tu_task *task)
{
   task->element_shift = st->valid ? st->element_shift : 0;
   task->texel_shift = task->element_shift;
   task->space = 0;
   if (!st->valid || st->format->block_width != 4)
      return;
   /* A block is 16 texels of one or two bytes (RGTC), one or two 2-byte channels (EAC), else four
    * bytes. */
   switch (st->format->type) {
   case ATTILA_TYPE_RGTC_UNORM:
   case ATTILA_TYPE_RGTC_SNORM:
      task->texel_shift = task->element_shift == 3 ? 0 : 1;
      break;
   case ATTILA_TYPE_EAC_UNORM:
   case ATTILA_TYPE_EAC_SNORM:
      task->texel_shift = task->element_shift == 3 ? 1 : 2;
      break;
   default:
      task->texel_shift = 2;
   }
   task->space = (uint8_t)(task->texel_shift + 4 - task->element_shift);
}

/* Chooses the places of the task's plan and texels. */
static void
tu_address_choose_store(struct tu *t, struct tu_task *task)
{
   task->placed = emul_tex_can_place(task->state);
   task->texels_used = 0;
   if (task->placed && emul_tex_max_steps(task->state) <= TU_SMALL_STEPS) {
      struct tu_small *small = &t->small[t->task];
      task->plan = (struct emul_tex_plan *)small->plan;
      task->texels = (uint8_t *)small->texels;
   } else {
      task->plan = &t->plans[t->task];
      task->texels = t->texels + (size_t)t->task * TU_TEXEL_STORE;
   }
}

static struct sim_signal *
tu_address_link_signal(const struct tu *t, uint32_t link)
{
   return &t->box.gpu->net.shdx_tu[t->first_link + link * t->link_step];
}

void
tu_address_arrivals(struct tu *t, sim_tick now)
{
   const struct msg_tex *m;
   for (uint32_t link = 0; link < t->num_links; link++) {
      const struct sim_signal *in = tu_address_link_signal(t, link);
      while ((m = sim_peek_at(in, now, t->arrived[link]))) {
         unsigned quads = tex_count_quads(tex_quads(m->thread->emul.tex.mask));
         t->arrived[link]++;
         t->waiting += quads ? quads : 1;
         t->waiting_work_id = m->work_id;
      }
   }
}

/* Starts the next message if there is one and room for it. */
static bool
tu_address_start_task(struct tu *t, sim_tick now)
{
   uint32_t link = t->link, looked = 0;
   for (; looked < t->num_links && !t->arrived[link]; looked++)
      link = link + 1 == t->num_links ? 0 : link + 1;
   if (looked == t->num_links || !t->free_tasks.num)
      return false;
   const struct msg_tex *m = sim_peek(tu_address_link_signal(t, link), now);
   t->task = t->free_tasks.id[--t->free_tasks.num];
   t->link = link;
   struct tu_task *task = &t->tasks[t->task];
   const struct emul_tex_request *req = &m->thread->emul.tex;
   task->thread = m->thread;
   task->work_id = m->work_id;
   task->link = (uint16_t)(t->first_link + link * t->link_step);
   task->state = &m->thread->group->draw->state.tex[req->unit % ATTILA_MAX_TEX_UNITS];
   tu_address_compression(task->state, task);
   tu_address_choose_store(t, task);
   emul_tex_plan(task->state, req, task->plan);
   task->plan->placed = task->placed;
   t->quads = tex_quads(req->mask);
   t->quads = t->quads ? t->quads : 1; /* no lane is active: takes its turn all the same */
   task->quads_left = task->quads_unread = (uint8_t)tex_count_quads(t->quads);
   t->quad_started = sim_tick_for(&t->box, tu_address_link_signal(t, link)->sender, m->begin);
   t->quad_phase = 0;
   return true;
}

static void
tu_address_count_quad(struct tu *t, const struct tu_task *task, unsigned quad, unsigned operations,
                      unsigned elements)
{
   struct tu_stats *s = &t->stat[task->work_id];
   const struct emul_tex_plan *plan = task->plan;
   unsigned op = task->thread->emul.tex.op, lanes = task->thread->emul.tex.mask >> quad * 4 & 15;
   s->requests++;
   s->address_busy += operations;
   s->address_finished++;
   if (op == ATTILA_OP_TXS || op == ATTILA_OP_TXQL) {
      s->size_queries++;
      return;
   }
   s->bilinears += operations;
   s->aniso_ratio += elements;
   s->magnified += tex_count_quads(plan->magnified >> quad * 4 & 15);
   if (plan->num_steps && !plan->linear)
      s->point_sampled += tex_count_quads(lanes);
   if (op == ATTILA_OP_TXF)
      s->texel_fetches += tex_count_quads(lanes);
   if (task->state->regs.target != ATTILA_TEX_3D)
      *(operations > elements ? &s->mips2 : &s->mips1) += 1;
   if (task->state->regs.max_aniso <= 1)
      s->aniso_none++;
   else
      (&s->aniso_01)[elements - 1]++;
   (&s->bilinear_01)[operations > 32 ? 31 : operations - 1]++;
}

/* Puts the task's next quad into the access queue. */
static void
tu_address_take_quad(struct tu *t, sim_tick now)
{
   struct tu_task *task = &t->tasks[t->task];
   unsigned quad = (unsigned)__builtin_ctz(t->quads);
   unsigned operations = task->plan->quad_steps[quad], elements = task->plan->aniso_ratio[quad];
   operations = operations ? operations : 1;
   elements = elements ? elements : 1;
   uint32_t id = t->free_accesses.id[--t->free_accesses.num];
   sim_tick period = t->box.period, start = now + period;
   start = t->address_free > start ? t->address_free : start;
   t->address_free = start + operations * period;
   t->accesses[id] = (struct tu_access){
       .task = t->task,
       .started = t->quad_started,
       .calculated = elements == 1 ? start : t->address_free - period,
       .ready = t->address_free + (t->box.gpu->config.shader.address_latency + 1) * period,
       .work_id = task->work_id,
       .quad = (uint8_t)quad,
       .elements = (uint8_t)elements};
   if (!tu_queue_length(&t->access))
      t->access_work_id = task->work_id;
   tu_queue_push(&t->access, id);
   tu_address_count_quad(t, task, quad, operations, elements);
   if (++t->quad_phase == t->request_rate) {
      t->quad_phase = 0;
      t->quad_started += period;
   }
   t->quads &= t->quads - 1;
   t->waiting--;
   sim_busy(&t->box, task->work_id);
}

/* Prefetches, for the host, the next requests, made long ago. */
static void
tu_address_prefetch_requests(const struct tu *t, sim_tick now)
{
   const struct sim_signal *in = tu_address_link_signal(t, t->link);
   const struct msg_tex *next = sim_peek(in, now);
   if (!next)
      return;
   __builtin_prefetch(next->thread->group);
   const struct msg_tex *after = sim_peek_at(in, now, 1);
   if (!after)
      return;
   const struct emul_tex_request *req = &after->thread->emul.tex;
   __builtin_prefetch(req->coord[0]);
   __builtin_prefetch(req->coord[1]);
   __builtin_prefetch(&req->mask);
   __builtin_prefetch(&after->thread->group);
}

bool
tu_address_clock(struct tu *t, sim_tick now)
{
   t->stopped = false;
   if (!t->waiting)
      return false;
   if (!t->free_accesses.num || (!t->quads && !tu_address_start_task(t, now))) {
      t->stopped = true;
      return false;
   }
   tu_address_take_quad(t, now);
   if (!t->quads) { /* the shader may send as many more */
      sim_pop(tu_address_link_signal(t, t->link), now);
      t->arrived[t->link]--;
      t->link = t->link + 1 == t->num_links ? 0 : t->link + 1;
      tu_address_prefetch_requests(t, now);
   }
   return true;
}
