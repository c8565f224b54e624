/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command Processor (CP, ISPASS 2006 section 2): executes the commands of the queue in order.
 * Register and constant writes overlap with draws in flight; a command that depends on earlier work
 * waits. Draws: cp_draw.c; memory transfers: cp_dma.c; the commands' meaning:
 * decode/sim_frontend.c.
 * A command's first word takes one cycle and has no effect before the next cycle. So simulated time
 * may stop while the queue is empty: words submitted later are executed from the cycle in which the
 * queue was found empty. */
#include "box/command/cp.h"
#include "emul/rop/emul_blit.h"
#include "emul/rop/emul_swap.h"

#include <stdlib.h>

static void
cp_init(struct sim_box *b)
{
   struct cp *cp = (struct cp *)b;
   cp->starved = SIM_NEVER;
   cp->num_resident = 1; /* context 0 is selected at reset */
   cp_draw_init(cp);
   cp_dma_init(cp);
}

static void
cp_fini(struct sim_box *b)
{
   struct cp *cp = (struct cp *)b;
   cp_draw_fini(cp);
   cp_grid_fini(cp);
   free(cp->program);
}

bool
cp_waited(struct cp *cp, bool busy, sim_tick now)
{
   if (busy) {
      sim_stall_begin(&cp->wait, SIM_STAT(cp, wait_idle), now);
      return false;
   }
   if (cp->wait.on)
      cp->start = now;
   sim_stall_end(&cp->wait, &cp->box, cp->work_id, now);
   return true;
}

bool
cp_idle(struct cp *cp, sim_tick now)
{
   const bool busy =
       cp->in_flight || cp->writes || cp->rop_answers || cp->event_head != cp->event_tail;
   if (busy)
      cp_pass_end_by_command(cp);
   return cp_waited(cp, busy, now);
}

/* --- Commands; each returns true when it has finished --- */

static bool
cp_exec_clear_color(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   const struct attila_regs *regs = sim_frontend_regs(cp->box.gpu->device->frontend);
   struct msg_rop m = {.op = ROP_CLEAR, .work_id = cp->work_id};
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++)
      m.buffers |= (uint32_t)(regs->color[i].address != 0) << i;
   m.buffers &= payload[0];
   memcpy(m.color, payload + 1, sizeof(m.color));
   if (cp->phase == 0 && m.buffers && cp_listed_takes(cp, regs, m.buffers, 0))
      cp->phase = CP_LISTED;
   switch (cp->phase) {
   case 0:
      if (!cp_pass_clear(cp, regs, m.buffers, false, true, now))
         return false;
      cp->phase = 1;
      /* fallthrough */
   case 1:
      if (!cp_bind_surfaces(cp, regs, NULL, m.buffers, false, now))
         return false;
      if (!m.buffers)
         return true;
      if (!cp_clear_color(cp, &m, now))
         return false;
      cp->phase = 2;
      return false;
   case 2:
      return cp->rop_answers == 0;
   default:
      return cp_listed_clear(cp, &m, now);
   }
}

static bool
cp_exec_clear_zs(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   const struct attila_regs *regs = sim_frontend_regs(cp->box.gpu->device->frontend);
   const struct attila_format_desc *format = &attila_formats[regs->zs_format % ATTILA_NUM_FORMATS];
   const uint32_t has = (format->channel[0].bits ? 1 : 0) | (format->channel[1].bits ? 2 : 0),
                  planes = payload[0] & has;
   struct msg_rop m = {
       .op = ROP_CLEAR, .work_id = cp->work_id, .planes = planes, .stencil = payload[2]};
   memcpy(&m.depth, payload + 1, sizeof(m.depth));
   if (cp->phase == 0 && regs->zs_address && planes && cp_listed_takes(cp, regs, 0, planes))
      cp->phase = CP_LISTED;
   switch (cp->phase) {
   case 0:
      if (!cp_pass_clear(cp, regs, 0, true, planes == has, now))
         return false;
      cp->phase = 1;
      /* fallthrough */
   case 1:
      if (!cp_bind_surfaces(cp, regs, NULL, 0, true, now))
         return false;
      if (!cp->surfaces.zs.address || !planes)
         return true;
      if (cp->hz_answer || !cp_clear_zs(cp, &m, now))
         return false;
      cp->phase = 2;
      return false;
   case 2:
      return cp->rop_answers == 0 && !cp->hz_answer;
   default:
      return cp_listed_clear(cp, &m, now);
   }
}

static bool
cp_exec_flush(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   uint32_t bits = payload[0];
   unsigned kinds = (bits & ATTILA_FLUSH_COLOR ? 1u << CP_COLOR : 0) |
                    (bits & ATTILA_FLUSH_ZS ? 1u << CP_ZS : 0);
   if (cp->phase == 0 && !cp_waits(cp) && cp_pass_takes_flush(cp, bits))
      return true;
   if (cp->phase == 0 && !cp_pass_out(cp, now))
      return false;
   if (cp->phase == 0 && cp_pass_takes_flush(cp, bits))
      return true;
   cp->phase = 1;
   if (!cp_rop_sync(cp, kinds, 0, UINT64_MAX, false, now))
      return false;
   if (bits & ATTILA_FLUSH_TEXTURE)
      cp_rendered(cp);
   return true;
}

static bool
cp_exec_blit(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   struct sim_netlist *net = &cp->box.gpu->net;
   const struct attila_cmd_blit *b = (const struct attila_cmd_blit *)payload;
   struct cp_range src, dst;
   if (!b->width || !b->height || !b->depth)
      return true;
   emul_blit_range(b, &b->src, &src.start, &src.end);
   emul_blit_range(b, &b->dst, &dst.start, &dst.end);
   if (cp->phase == 0 && cp_listed_takes_resolve(cp, b))
      cp->phase = CP_LISTED;
   if (cp->phase >= CP_LISTED) {
      const bool done = cp_listed_resolve(cp, b, now);
      cp->stat[cp->work_id].blits += done;
      return done;
   }
   switch (cp->phase) {
   case 0:
      if (!cp_pass_away(cp, &src, &dst, now))
         return false;
      cp->phase = 1;
      /* fallthrough */
   case 1:
      if (!cp_rop_sync(cp, CP_ROPS, src.start, src.end, false, now))
         return false;
      cp->phase = 2;
      /* fallthrough */
   case 2:
      if (!cp_rop_sync(cp, CP_ROPS, dst.start, dst.end, true, now))
         return false;
      cp->phase = 3;
      /* fallthrough */
   case 3:
      if (!sim_can_send(&net->cp_blit[0], now))
         return false;
      sim_send(&net->cp_blit[0], now, &(struct msg_blit){.work_id = cp->work_id, .blit = *b});
      cp->blit_answer = true;
      cp->phase = 4;
      return false;
   default:
      if (cp->blit_answer)
         return false;
      cp_written(cp, dst.start, dst.end);
      cp->stat[cp->work_id].blits++;
      return true;
   }
}

static bool
cp_exec_swap(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   struct sim_netlist *net = &cp->box.gpu->net;
   const struct attila_cmd_swap s = attila_cmd_swap_of(payload), p = emul_swap_picture(&s);
   const uint32_t bytes = attila_formats[s.format % ATTILA_NUM_FORMATS].bytes;
   const uint64_t end =
       s.address + attila_surface_bytes(s.pitch_tiles, s.width, s.height, s.samples, bytes);
   const uint64_t picture_end =
       p.address + attila_surface_bytes(p.pitch_tiles, p.width, p.height, 1, bytes);
   const bool resolves = s.flags & ATTILA_SWAP_RESOLVE;
   const struct attila_cmd_blit blit = cp_listed_blit_of(&s);
   if (cp->phase == 0 && resolves && cp_listed_takes_resolve(cp, &blit))
      cp->phase = CP_LISTED;
   if (cp->phase >= CP_LISTED) {
      if (!cp_listed_resolve(cp, &blit, now))
         return false;
      cp->swap_listed = true;
      cp->phase = 0;
   }
   switch (cp->phase) {
   case 0:
      if (!cp_idle(cp, now))
         return false;
      cp->phase = 1;
      /* fallthrough */
   case 1:
      if (!cp_pass_flush(cp, NULL, now) || !cp_rop_sync(cp, CP_ROPS, s.address, end, false, now))
         return false;
      cp->phase = 2;
      /* fallthrough */
   case 2:
      if ((resolves && !cp_rop_sync(cp, CP_ROPS, p.address, picture_end, true, now)) ||
          !sim_can_send(&net->cp_dac[0], now))
         return false;
      sim_send(&net->cp_dac[0], now,
               &(struct msg_swap){.work_id = cp->work_id, .swap = cp->swap_listed ? p : s});
      cp->swap_listed = false;
      /* The DAC ends the frame, so this frame's statistics are counted first. */
      cp->stat[cp->work_id].frames++;
      cp->dac_answer = true;
      cp->phase = 3;
      return false;
   default:
      if (cp->dac_answer)
         return false;
      if (resolves)
         cp_written(cp, p.address, picture_end);
      return true;
   }
}

static bool
cp_exec_end_frame(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   if (cp->phase == 0 && !cp_idle(cp, now))
      return false;
   cp->phase = 1;
   if (!cp_pass_flush(cp, NULL, now))
      return false;
   cp->stat[cp->work_id].frames++;
   cp_report_later(cp);
   cp->frame_ended = true;
   return true;
}

static bool
cp_exec_marker(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   sim_frontend_marker(cp->box.gpu->device->frontend, payload, cp->words - 1);
   return true;
}

static bool
cp_exec_nop(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   return true;
}

/* Returns how many of a number of registers the geometry phase reads (viewport to attributes). The
 * fragment phase reads the others. */
static uint32_t
cp_geometry_registers(uint32_t first, uint32_t count)
{
   const uint32_t begin = ATTILA_REG(viewport_scale), end = ATTILA_REG(fs_input);
   uint32_t last = first + count < end ? first + count : end;
   first = first > begin ? first : begin;
   return last > first ? last - first : 0;
}

/* Writes one register per cycle while the phase that reads it is idle. */
static bool
cp_exec_write_regs(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   uint32_t count = cp->words - 2, geometry = cp_geometry_registers(payload[0], count);
   if (cp->phase == 0) {
      if (!cp_buffer_updates(cp, geometry, count - geometry, now))
         return false;
      cp->transfer = now + (count - 1) * cp->box.period;
      cp->phase = 1;
   }
   if (now < cp->transfer) {
      cp_again(cp, cp->transfer);
      return false;
   }
   sim_frontend_write_regs(cp->box.gpu->device->frontend, payload, cp->words - 1);
   cp->stat[cp->work_id].register_writes += count;
   return true;
}

static bool
cp_exec_write_consts(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   uint32_t count = (cp->words - 3) / 4;
   bool geometry = payload[0] != ATTILA_STAGE_FRAGMENT;
   if (!cp_buffer_updates(cp, geometry ? count : 0, geometry ? 0 : count, now))
      return false;
   cp->stat[cp->work_id].register_writes += count;
   sim_frontend_write_consts(cp->box.gpu->device->frontend, payload, cp->words - 1);
   return true;
}

static bool
cp_exec_geometry(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   const uint32_t count = cp->words - 1;
   if (!cp_buffer_updates(cp, count, 0, now))
      return false;
   cp->stat[cp->work_id].register_writes += count;
   sim_frontend_geometry(cp->box.gpu->device->frontend, payload);
   return true;
}

static bool
cp_exec_layers(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   const uint32_t count = cp->words - 1;
   if (!cp_buffer_updates(cp, 0, count, now))
      return false;
   cp->stat[cp->work_id].register_writes += count;
   sim_frontend_layers(cp->box.gpu->device->frontend, payload);
   return true;
}

bool
cp_context_select(struct cp *cp, uint32_t number, uint32_t *out)
{
   struct sim_frontend *f = cp->box.gpu->device->frontend;
   uint32_t size = cp->box.gpu->config.cp.contexts, i = 0;
   *out = 0;
   while (i < cp->num_resident && cp->resident[i].number != number)
      i++;
   const bool here = i < cp->num_resident;
   /* A context's size is known best when another one is selected. */
   if (cp->num_resident)
      cp->resident[0].words = sim_frontend_context_words(f);
   if (!here) {
      if (cp->num_resident == size)
         *out = cp->resident[--cp->num_resident].words;
      i = cp->num_resident++;
   }
   memmove(cp->resident + 1, cp->resident, i * sizeof(cp->resident[0]));
   cp->resident[0].number = number;
   return here;
}

/* The last HardwareContexts contexts that were used are on chip. Any other one is read over the
 * system bus, after the one that it replaces has been written. Draws in flight have snapshots, so
 * nothing waits. */
static bool
cp_exec_context(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   struct sim_frontend *f = cp->box.gpu->device->frontend;
   if (cp->phase == 0) {
      uint32_t number = payload[0] & ~ATTILA_CONTEXT_RESET, out;
      if (sim_frontend_context(f) != number)
         cp->stat[cp->work_id].context_switches++;
      const bool here = cp_context_select(cp, number, &out);
      sim_frontend_select(f, payload);
      /* A context that is reset need not be read. */
      uint32_t in = payload[0] & ATTILA_CONTEXT_RESET ? 0 : sim_frontend_context_words(f);
      cp->resident[0].words = in;
      cp->transfer = here ? now : cp_bus_time(cp, now, (uint64_t)(out + in) * 4);
      cp->phase = 1;
   }
   if (now < cp->transfer) {
      cp_again(cp, cp->transfer);
      return false;
   }
   return true;
}

static bool (*const execute[ATTILA_NUM_CMDS])(struct cp *cp, const uint32_t *payload,
                                              sim_tick now) = {
#define C(NAME, name, words, doc) cp_exec_##name,
    ATTILA_COMMANDS(C)
#undef C
};

/* The statistic that counts a command's cycles, plus 1; 0: none. */
#define CYCLES(NAME, stat) [ATTILA_CMD_##NAME] = SIM_STAT(cp, stat) + 1
static const uint8_t cycles_of[ATTILA_NUM_CMDS] = {
    CYCLES(CONTEXT, context),
    CYCLES(WRITE_BUFFER, memory_write),
    CYCLES(READ_BUFFER, memory_read),
    CYCLES(LOAD_PROGRAM, memory_read),
    CYCLES(CONDITION, memory_read),
    CYCLES(STREAM_TARGETS, memory_read),
    CYCLES(VERTEX_COUNT, memory_read),
    CYCLES(DRAW, draw_wait),
    CYCLES(DISPATCH, dispatch),
    CYCLES(CLEAR_COLOR, clear),
    CYCLES(CLEAR_ZS, clear),
    CYCLES(BLIT, blit),
    CYCLES(FLUSH, flush),
    CYCLES(WRITE_COUNTER, memory_write),
    CYCLES(SWAP, swap),
};

/* Commands with rows of their own. A DRAW gets its row once it is known to be valid. */
#define ROW(NAME, kind) [ATTILA_CMD_##NAME] = SIM_KIND_##kind
static const uint8_t row_of[ATTILA_NUM_CMDS] = {
    ROW(CONTEXT, CONTEXT),
    ROW(WRITE_BUFFER, UPLOAD),
    ROW(READ_BUFFER, READBACK),
    ROW(LOAD_PROGRAM, PROGRAM),
    ROW(CLEAR_COLOR, CLEAR),
    ROW(CLEAR_ZS, CLEAR),
    ROW(BLIT, BLIT),
    ROW(FLUSH, FLUSH),
    ROW(WRITE_COUNTER, QUERY),
    ROW(CONDITION, QUERY),
    ROW(STREAM_TARGETS, QUERY),
    ROW(VERTEX_COUNT, QUERY),
    ROW(INDIRECT, QUERY),
    ROW(SWAP, SWAP),
};

/* Bytes of a transfer. */
static uint32_t
cp_transfer_bytes(uint32_t op, const uint32_t *payload)
{
   switch (op) {
   case ATTILA_CMD_WRITE_BUFFER:
   case ATTILA_CMD_READ_BUFFER:
      return ((const struct attila_cmd_buffer *)payload)->size & ~ATTILA_BUFFER_NO_WAIT;
   case ATTILA_CMD_LOAD_PROGRAM:
      return ((const struct attila_cmd_program *)payload)->size;
   case ATTILA_CMD_WRITE_COUNTER:
      return 8;
   default:
      return 0;
   }
}

static uint16_t
cp_begin_row(const struct cp *cp, const uint32_t *payload)
{
   const struct sim_gpu *gpu = cp->box.gpu;
   if (!gpu->work || !row_of[cp->op])
      return SIM_WORK_OTHER;
   return sim_work_begin(gpu->work,
                         &(struct sim_work){.kind = (enum sim_work_kind)row_of[cp->op],
                                            .count = cp_transfer_bytes(cp->op, payload),
                                            .context = sim_frontend_context(gpu->device->frontend),
                                            .label = sim_frontend_label(gpu->device->frontend),
                                            .start = sim_box_time(&cp->box, cp->start)});
}

/* --- The queue --- */

/* Returns whether the command must wait for its frame to begin. */
static bool
cp_is_held(struct cp *cp, sim_tick now)
{
   const sim_tick until = sim_gpu_held(&cp->box, now);
   if (until)
      cp_again(cp, until);
   else
      cp->start = now;
   return until != 0;
}

/* Takes the next command of the queue; false if there is none. */
static bool
cp_take_command(struct cp *cp, sim_tick now)
{
   struct sim_gpu *gpu = cp->box.gpu;
   const struct sim_command_queue *q = &gpu->device->queue;
   if (q->head == q->tail) {
      if (cp->starved == SIM_NEVER)
         cp->starved = now;
      gpu->cp_starved = true; /* appended words wake the box */
      return false;
   }
   const uint32_t *command = q->words + q->head;
   char error[300];
   if (!sim_frontend_check(gpu->device->frontend, command, q->tail - q->head, error,
                           sizeof(error))) {
      sim_error(&cp->box, "%s", error);
      return false;
   }
   cp->op = ATTILA_CMD_OP(command[0]);
   cp->words = 1 + ATTILA_CMD_WORDS(command[0]);
   cp->start = cp->starved != SIM_NEVER ? cp->starved : now;
   cp->starved = SIM_NEVER;
   const uint32_t words = 1 + attila_cmd_fetched_words(cp->op, cp->words - 1);
   cp->ready = cp_bus_time(cp, cp->start, (uint64_t)words * 4);
   cp->active = true;
   cp->phase = 0;
   cp->work_id = SIM_WORK_OTHER;
   cp->begun = false;
   gpu->cp_starved = false;
   return true;
}

/* Counts the cycles of the command so far. */
static void
cp_count_cycles(struct cp *cp, sim_tick now)
{
   if (cycles_of[cp->op])
      sim_stat(&cp->box, cp->work_id)[cycles_of[cp->op] - 1] += cp_cycles(cp, cp->start, now);
   cp->start = now;
}

static void
cp_finish_command(struct cp *cp, sim_tick now)
{
   cp_count_cycles(cp, now);
   sim_busy(&cp->box, cp->work_id);
   cp->stat[cp->work_id].commands++;
   if (row_of[cp->op])
      sim_work_end(cp->box.gpu->work, cp->work_id, sim_box_time(&cp->box, now));
   else
      sim_work_unref(cp->box.gpu->work, cp->work_id);
   cp->work_id = SIM_WORK_OTHER;
   cp->box.gpu->device->queue.head += cp->words;
   cp->active = false;
}

/* Takes the answers of boxes other than ROPs. */
static void
cp_take_answers(struct cp *cp, sim_tick now)
{
   struct sim_netlist *net = &cp->box.gpu->net;
   if (sim_peek(&net->hz_cp[0], now)) {
      cp->hz_answer = false;
      sim_pop(&net->hz_cp[0], now);
   }
   if (sim_peek(&net->blit_cp[0], now)) {
      cp->blit_answer = false;
      sim_pop(&net->blit_cp[0], now);
   }
   if (sim_peek(&net->csd_cp[0], now)) {
      cp->csd_answer = false;
      sim_pop(&net->csd_cp[0], now);
   }
   if (sim_peek(&net->dac_cp[0], now)) {
      cp->dac_answer = false;
      sim_pop(&net->dac_cp[0], now);
   }
}

/* Charges the cycles since the last call to the phase of the draws in flight. */
static void
cp_count_phase(struct cp *cp, sim_tick now)
{
   if (cp->phase_stat)
      sim_stat(&cp->box, cp->phase_work_id)[cp->phase_stat - 1] +=
          cp_cycles(cp, cp->phase_since, now);
   cp->phase_since = now;
}

/* Finds the phase of the draws in flight from now on; as in the release there is one at a time. */
static void
cp_find_phase(struct cp *cp)
{
   cp->phase_work_id = SIM_WORK_OTHER;
   if (cp->in_flight) {
      const struct cp_draw *d = &cp->draws[cp->order[cp->first]];
      cp->phase_stat = d->geometry_done ? SIM_STAT(cp, end_geometry) : SIM_STAT(cp, draw);
      cp->phase_work_id = d->draw.work_id;
   } else if (cp->active && cp->op == ATTILA_CMD_DRAW) {
      cp->phase_stat = SIM_STAT(cp, end_fragment);
      cp->phase_work_id = cp->work_id;
   } else {
      cp->phase_stat = 0;
      return;
   }
   cp->phase_stat++;
}

/* Treats words that came after the queue was found empty as if they had been there in that
 * cycle. */
static void
cp_count_late_words(struct cp *cp)
{
   const struct sim_command_queue *q = &cp->box.gpu->device->queue;
   if (cp->starved == SIM_NEVER || q->head == q->tail || cp->in_flight || cp->phase_stat)
      return;
   cp->phase_since = cp->starved;
   if (ATTILA_CMD_OP(q->words[q->head]) == ATTILA_CMD_DRAW)
      cp->phase_stat = SIM_STAT(cp, end_fragment) + 1;
}

static sim_tick
cp_clock(struct sim_box *b, sim_tick now)
{
   struct cp *cp = (struct cp *)b;
   cp->next = SIM_NEVER;
   cp_count_late_words(cp);
   cp_count_phase(cp, now);
   cp_dma_responses(cp, now);
   cp_draw_answers(cp, now);
   cp_events(cp, now);
   cp_take_answers(cp, now);
   if (b->gpu->stream_ends)
      cp_pass_end(cp, SIM_PASS_end);
   /* Taking a command takes a cycle, so at most one finishes per cycle. */
   while (cp->active || cp_take_command(cp, now)) {
      if (now < cp->ready) {
         cp_again(cp, cp->ready);
         break;
      }
      /* The command may have been taken before its frame's start was known. */
      if (__builtin_expect(b->gpu->hold_until != 0, 0) && !cp->begun && cp_is_held(cp, now))
         break;
      const struct sim_command_queue *q = &b->gpu->device->queue;
      if (!cp->begun)
         cp->work_id = cp_begin_row(cp, q->words + q->head + 1);
      cp->begun = true;
      if (!execute[cp->op](cp, q->words + q->head + 1, now))
         break;
      cp_finish_command(cp, now);
   }
   if (cp->tiled)
      cp_pass_step(cp, now);
   cp_find_phase(cp);
   if (cp->active) {
      if (cp->next != SIM_NEVER)
         sim_working(b, cp->work_id);
      else
         sim_blocked(b, cp->work_id);
   }
   sim_kernel_flight(b->kernel, cp->active || cp->in_flight || cp->writes || cp->reads ||
                                    cp->rop_answers || cp->hz_answer || cp->blit_answer ||
                                    cp->dac_answer || cp->csd_answer);
   return cp->next;
}

static void
cp_flush_counters(struct sim_box *b, sim_tick next)
{
   struct cp *cp = (struct cp *)b;
   sim_stall_flush(&cp->wait, b, cp->work_id, next);
   cp_count_phase(cp, next);
   /* A command that is still being taken has no effect in any frame. While it waits for earlier
    * draws, the cycles count for those draws. */
   if (cp->active && cp->wait.on && cp->wait.stat == SIM_STAT(cp, wait_idle))
      cp->start = next;
   else if (cp->active && cp->begun)
      cp_count_cycles(cp, next);
}

static void
cp_dump(const struct sim_box *b, FILE *f)
{
   const struct cp *cp = (const struct cp *)b;
   fprintf(f, "%s: ", b->name);
   if (cp->active)
      fprintf(f, "command %s (%u words) since %llu, phase %u", sim_command_name(cp->op), cp->words,
              (unsigned long long)cp->start, cp->phase);
   else
      fprintf(f, "no command");
   fprintf(f, "; in flight: %u draws, %u reads, %u writes; answers awaited: %u ROP%s%s%s%s\n",
           cp->in_flight, cp->reads, cp->writes, cp->rop_answers, cp->hz_answer ? ", HZ" : "",
           cp->blit_answer ? ", blitter" : "", cp->dac_answer ? ", DAC" : "",
           cp->csd_answer ? ", CSD" : "");
   for (uint32_t i = 0; i < cp->in_flight; i++) {
      const struct cp_draw *d = &cp->draws[cp->order[(cp->first + i) % cp->max_draws]];
      fprintf(f, "   draw %u, work id %u, started %llu, %u ROPs done\n", d->draw.number,
              d->draw.work_id, (unsigned long long)d->draw.start, d->rops_done);
   }
}

const struct sim_box_class cp_class = {
    .size = sizeof(struct cp),
    .domain = SIM_DOMAIN_GPU,
    .init = cp_init,
    .clock = cp_clock,
    .flush_counters = cp_flush_counters,
    .dump = cp_dump,
    .fini = cp_fini,
    .warm = cp_warm,
    .probe = cp_probe,
    SIM_BOX_CLASS(cp),
};
