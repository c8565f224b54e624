/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command Processor, events: FENCE and WRITE_COUNTER, which are due when earlier work is done. They
 * wait in a queue and drain nothing. Draws retire in order. When one does, its counters are added
 * to those of its context, and then an event takes its value. So a counter is exact although later
 * draws are in flight, or retire in the same cycle. */
#include "box/command/cp.h"

/* Runs the oldest event; false: not now. */
static bool
cp_event_happen(struct cp *cp, const struct cp_event *e, sim_tick now)
{
   struct sim_gpu *gpu = cp->box.gpu;
   if (e->op == ATTILA_CMD_FENCE) {
      sim_device_fence(gpu->device, e->payload);
      /* The program that waited for this event cannot have submitted anything before this cycle. */
      if (cp->starved != SIM_NEVER)
         cp->starved = now;
      return true;
   }
   uint64_t value = e->value;
   if (e->payload[0] == ATTILA_COUNTER_TIME_NS)
      value = (uint64_t)((double)sim_box_time(&cp->box, now) * gpu->kernel.ns_per_tick);
   else if (e->payload[0] == ATTILA_COUNTER_GPU_CYCLES)
      value = sim_box_time(&cp->box, now) / cp->box.period;
   uint8_t bytes[8];
   for (unsigned i = 0; i < 8; i++)
      bytes[i] = (uint8_t)(value >> 8 * i);
   uint16_t work_id = cp->work_id;
   cp->work_id = e->work_id;
   bool sent = cp_dma_write(cp, now, e->payload[1], bytes, 8);
   cp->work_id = work_id;
   return sent;
}

void
cp_event_take_values(struct cp *cp)
{
   for (uint32_t i = cp->event_head; i != cp->event_tail; i++) {
      struct cp_event *e = &cp->events[i % CP_EVENTS];
      if (e->after == cp->retired_draws && e->op == ATTILA_CMD_WRITE_COUNTER)
         e->value = e->counters[e->payload[0] % ATTILA_NUM_COUNTERS];
   }
}

bool
cp_event_writes(const struct cp *cp, uint64_t start, uint64_t end)
{
   for (uint32_t i = cp->event_head; i != cp->event_tail; i++) {
      const struct cp_event *e = &cp->events[i % CP_EVENTS];
      if (e->op == ATTILA_CMD_WRITE_COUNTER && e->payload[1] < end &&
          start < (uint64_t)e->payload[1] + 8)
         return true;
   }
   return false;
}

void
cp_events(struct cp *cp, sim_tick now)
{
   while (cp->event_head != cp->event_tail) {
      const struct cp_event *e = &cp->events[cp->event_head % CP_EVENTS];
      if (cp->retired_draws < e->after)
         return;
      if (!cp_event_happen(cp, e, now)) {
         cp_again(cp, now + cp->box.period);
         return;
      }
      sim_work_unref(cp->box.gpu->work, e->work_id);
      cp->event_head++;
   }
}

/* Queues an event behind the draws so far; false if the queue is full. */
static bool
cp_event_queue_event(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   if (cp->event_tail - cp->event_head == CP_EVENTS) {
      cp_pass_end(cp, SIM_PASS_query);
      sim_stall_begin(&cp->wait, SIM_STAT(cp, stall_events), now);
      return false;
   }
   sim_stall_end(&cp->wait, &cp->box, cp->work_id, now);
   cp->events[cp->event_tail++ % CP_EVENTS] =
       (struct cp_event){.op = cp->op,
                         .payload = {payload[0], payload[1]},
                         .after = cp->retired_draws + cp->in_flight,
                         .counters = sim_frontend_counters(cp->box.gpu->device->frontend),
                         .work_id = cp->work_id};
   if (!cp->in_flight)
      cp_event_take_values(cp);
   sim_work_ref(cp->box.gpu->work, cp->work_id);
   if (cp->op == ATTILA_CMD_FENCE)
      cp_pass_end(cp, SIM_PASS_fence);
   cp_events(cp, now);
   return true;
}

bool
cp_exec_fence(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   /* A fence means that uploads are in memory. Uploads are short, so the fence waits for them
    * here. */
   return !cp->writes && !cp->rop_answers && cp_event_queue_event(cp, payload, now);
}

bool
cp_exec_write_counter(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   uint64_t start = payload[1], end = start + 8;
   if (cp->phase == 0) {
      sim_frontend_note_counter(cp->box.gpu->device->frontend, payload[0]);
      /* If the memory was a surface, the ROPs write it back first. */
      if (cp_rop_holds(cp, start, end) && !cp_idle(cp, now))
         return false;
      cp->phase = 1;
   }
   if (!cp_rop_sync(cp, CP_ROPS, start, end, true, now) || !cp_event_queue_event(cp, payload, now))
      return false;
   cp_written(cp, start, end);
   return true;
}
