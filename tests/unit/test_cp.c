/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The command processor between mocks that log what it sends: which draws overlap and which drain
 * the pipeline, flushes when surfaces change, what HZ is told, caches invalidated before the draw
 * that could read stale data, memory transfers, and time that does not depend on when words arrive.
 */
#include "box_bench.h"
#include "func_stream.h"

extern const struct sim_box_class cp_class;

#define ROPS 2
#define SHADERS 2
#define MAX_LOG 4096
#define GEOMETRY_TIME 1000 /* cycles from the start to the clipper's end */
#define DRAW_TIME 5000     /* cycles of fragments, to the answers of the colour writers */

enum event {
   DRAW = 1,
   DRAW_END,
   FLUSH_CW,
   CLEAR_CW,
   FLUSH_ZST,
   CLEAR_ZST,
   CLEAR_HZ,
   FORGET_HZ,
   INVALIDATE_TU,
   INVALIDATE_SL,
   BLIT,
   SWAP,
   FRAGMENTS,
   FORGET_CW,
   FORGET_ZST
};

struct machine {
   struct sim_gpu *gpu;
   struct stream s;
   struct sim_box *cp;
   struct bench_memory memory;
   struct {
      enum event what;
      sim_tick tick;
      uint32_t value;
      const struct sim_draw *draw;
   } log[MAX_LOG];
   unsigned num_log;
   struct {
      struct sim_draw *draw;
      sim_tick due;
   } geometry[16], running[16];
   unsigned geometry_first, geometry_last, first, last;
   bool stop;
   sim_tick stop_at;
   uint32_t samples;   /* passed by each draw */
   sim_tick answer[8]; /* due answers: CW 0, 1; ZST 0, 1; HZ; blitter; DAC */
};

static void
note(struct machine *m, enum event what, sim_tick now, uint32_t value, const struct sim_draw *draw)
{
   assert_true(m->num_log < MAX_LOG);
   m->log[m->num_log].what = what;
   m->log[m->num_log].tick = now;
   m->log[m->num_log].draw = draw;
   m->log[m->num_log++].value = value;
}

static void
take_rop(struct machine *m, struct sim_signal *in, enum event flush, enum event clear,
         sim_tick *answer, sim_tick now)
{
   const struct msg_rop *r = sim_peek(in, now);
   if (!r)
      return;
   enum event what = r->op == ROP_CLEAR ? clear : flush;
   if (r->op == ROP_FORGET && (flush == FLUSH_CW || flush == FLUSH_ZST))
      what = flush == FLUSH_CW ? FORGET_CW : FORGET_ZST;
   note(m, what, now, r->op == ROP_CLEAR ? 0 : (uint32_t)r->start, NULL);
   if (answer)
      *answer = now + 20;
   sim_pop(in, now);
}

/* Everything but memory. */
static sim_tick
neighbours(struct mock *mock, sim_tick now)
{
   struct machine *m = mock->user;
   struct sim_netlist *net = &m->gpu->net;
   struct sim_signal *answers[7] = {&net->cw_cp[0],  &net->cw_cp[1], &net->zst_cp[0],
                                    &net->zst_cp[1], &net->hz_cp[0], &net->blit_cp[0],
                                    &net->dac_cp[0]};
   for (unsigned i = 0; i < 7; i++) {
      if (m->answer[i] && m->answer[i] <= now) {
         sim_send(answers[i], now, &(struct msg_done){0});
         m->answer[i] = 0;
      }
   }
   for (unsigned r = 0; r < ROPS; r++)
      take_rop(m, &net->cp_cw[r], FLUSH_CW, CLEAR_CW, &m->answer[r], now);
   for (unsigned r = 0; r < ROPS; r++)
      take_rop(m, &net->cp_zst[r], FLUSH_ZST, CLEAR_ZST, &m->answer[2 + r], now);
   take_rop(m, &net->cp_hz[0], FORGET_HZ, CLEAR_HZ, &m->answer[4], now);
   for (unsigned i = 0; i < SHADERS; i++)
      take_rop(m, &net->cp_tu[i], INVALIDATE_TU, INVALIDATE_TU, NULL, now);
   take_rop(m, &net->cp_sl[0], INVALIDATE_SL, INVALIDATE_SL, NULL, now);
   /* After the invalidations of the same cycle. */
   const struct msg_draw *d;
   while ((d = sim_peek(&net->cp_stf[0], now))) {
      note(m, DRAW, now, d->draw->hz_epoch, d->draw);
      m->geometry[m->geometry_last % 16].draw = d->draw;
      m->geometry[m->geometry_last++ % 16].due = now + GEOMETRY_TIME;
      sim_pop(&net->cp_stf[0], now);
   }
   if (m->geometry_first != m->geometry_last && m->geometry[m->geometry_first % 16].due <= now) {
      struct sim_draw *draw = m->geometry[m->geometry_first++ % 16].draw;
      sim_send(&net->ts_cp[0], now, &(struct msg_done){.draw = draw});
   }
   while ((d = sim_peek(&net->cp_ts[0], now))) {
      if (!m->gpu->config.cp.free_overlap)
         note(m, FRAGMENTS, now, d->draw->hz_epoch, d->draw);
      d->draw->counters[ATTILA_COUNTER_SAMPLES_PASSED] += m->samples;
      m->running[m->last % 16].draw = d->draw;
      m->running[m->last++ % 16].due = now + DRAW_TIME;
      sim_pop(&net->cp_ts[0], now);
   }
   if (m->first != m->last && m->running[m->first % 16].due <= now) {
      struct sim_draw *draw = m->running[m->first++ % 16].draw;
      note(m, DRAW_END, now, 0, draw);
      for (unsigned r = 0; r < ROPS; r++)
         sim_send(&net->cw_cp[r], now, &(struct msg_done){.draw = draw, .unit = (uint8_t)r});
   }
   if (sim_peek(&net->cp_blit[0], now)) {
      note(m, BLIT, now, 0, NULL);
      m->answer[5] = now + 50;
      sim_pop(&net->cp_blit[0], now);
   }
   if (sim_peek(&net->cp_dac[0], now)) {
      note(m, SWAP, now, 0, NULL);
      sim_report_frame(m->gpu->device->report, now, NULL, 0, 0);
      m->answer[6] = now + 50;
      sim_pop(&net->cp_dac[0], now);
   }
   m->stop |= m->stop_at && now >= m->stop_at;
   return now + 1;
}

static struct machine *
create(bool free_overlap)
{
   struct machine *m = calloc(1, sizeof(*m));
   struct sim_gpu *gpu = m->gpu = bench_create(0);
   gpu->config.cp.free_overlap = free_overlap;
   gpu->device->frontend = sim_frontend_create(gpu->device->memory_size, &EMUL_TEX_QUALITY_DEFAULT);
   m->cp = sim_box_create(&gpu->kernel, gpu, &cp_class, -1);
   struct sim_box *n = bench_mock(gpu, neighbours, m),
                  *mem = bench_mock(gpu, bench_memory_work, &m->memory), *cp = m->cp;
   struct sim_netlist *net = &gpu->net;
   BENCH_SIGNAL(gpu, cp_stf, cp, n, msg_draw, 1, 1, gpu->config.cp.max_draws);
   BENCH_SIGNAL(gpu, cp_ts, cp, n, msg_draw, 1, 1, 15);
   BENCH_SIGNAL(gpu, ts_cp, n, cp, msg_done, 1, 1, 15);
   for (unsigned i = 0; i < ROPS; i++) {
      sim_signal_init(&net->cp_zst[i], "cp_zst", cp, n, sizeof(struct msg_rop), 1, 1, 1);
      sim_signal_init(&net->cp_cw[i], "cp_cw", cp, n, sizeof(struct msg_rop), 1, 1, 1);
      sim_signal_init(&net->zst_cp[i], "zst_cp", n, cp, sizeof(struct msg_done), 1, 1, 2);
      sim_signal_init(&net->cw_cp[i], "cw_cp", n, cp, sizeof(struct msg_done), 1, 1, 20);
      sim_signal_init(&net->cp_tu[i], "cp_tu", cp, n, sizeof(struct msg_rop), 1, 1, 1);
   }
   BENCH_SIGNAL(gpu, cp_hz, cp, n, msg_rop, 1, 1, 1);
   BENCH_SIGNAL(gpu, hz_cp, n, cp, msg_done, 1, 1, 1);
   BENCH_SIGNAL(gpu, cp_sl, cp, n, msg_rop, 1, 1, 1);
   BENCH_SIGNAL(gpu, cp_blit, cp, n, msg_blit, 1, 1, 1);
   BENCH_SIGNAL(gpu, blit_cp, n, cp, msg_done, 1, 1, 1);
   BENCH_SIGNAL(gpu, cp_dac, cp, n, msg_swap, 1, 1, 1);
   BENCH_SIGNAL(gpu, dac_cp, n, cp, msg_done, 1, 1, 1);
   BENCH_SIGNAL(gpu, cp_mc, cp, mem, msg_mem_request, 1, 1, 16);
   BENCH_SIGNAL(gpu, mc_cp, mem, cp, msg_mem_response, 1, 1, 16);
   m->memory.requests = &net->cp_mc[0];
   m->memory.responses = &net->mc_cp[0];
   m->memory.spread = 30;
   sim_kernel_start(&gpu->kernel);
   stream_start(&m->s, 64, 64, 1);
   m->s.regs.z_test = m->s.regs.z_write = 1;
   m->s.regs.z_func = ATTILA_FUNC_LESS;
   stream_program(&m->s, ATTILA_STAGE_VERTEX, ".vertex\nMOV o0, i0\nMOV o1, i1\nEND\n");
   stream_program(&m->s, ATTILA_STAGE_FRAGMENT, ".fragment\nMOV o0, i1\nEND\n");
   return m;
}

/* Submits what was recorded since the last call, whole or command by command, and lets time run
 * until CP starves. */
static void
submit(struct machine *m, bool cut)
{
   struct sim_gpu *gpu = m->gpu;
   struct sim_command_queue *q = &gpu->device->queue;
   for (size_t at = 0; at < m->s.num;) {
      size_t n = cut ? 1 + ATTILA_CMD_WORDS(m->s.words[at]) : m->s.num;
      *q = (struct sim_command_queue){.words = m->s.words + at, .tail = n};
      gpu->cp_starved = false;
      sim_box_wake(m->cp, gpu->kernel.now + 1);
      if (!sim_kernel_run(&gpu->kernel, &gpu->cp_starved))
         fail_msg("%s", gpu->kernel.error);
      assert_int_equal(q->head, q->tail);
      at += n;
   }
   m->s.num = 0;
}

static void
add_fence(struct machine *m, uint32_t value)
{
   const uint32_t payload[2] = {value, 0};
   stream_command(&m->s, ATTILA_CMD_FENCE, payload, 2);
}

/* Lets time run until everything has been done. */
static void
wait_idle(struct machine *m)
{
   sim_tick idle = m->gpu->kernel.now + 4 * DRAW_TIME;
   while (m->gpu->kernel.now < idle) {
      m->stop = false;
      m->stop_at = idle;
      if (!sim_kernel_run(&m->gpu->kernel, &m->stop))
         fail_msg("%s", m->gpu->kernel.error);
   }
   m->stop_at = 0;
}

static void
destroy(struct machine *m)
{
   m->gpu->device->queue.words = NULL;
   free(m->s.words);
   struct sim_frontend *f = m->gpu->device->frontend;
   bench_destroy_kernel(m->gpu);
   sim_frontend_destroy(f);
   bench_destroy_rest(m->gpu);
   free(m);
}

/* The log as words: "D" draw, "E" its end, "c" write back, "g" forget, "C" clear of colour, "z",
 * "y", "Z" of depth, "h" HZ forgets, "H" clears, "t" texture, "s" vertex cache, "b" blit, "w" swap,
 * "F" fragments begin (not logged with free overlap); the two ROPs and shaders count once. */
static const char *
sequence(const struct machine *m)
{
   static char text[MAX_LOG + 1];
   static const char letters[] = " DEcCzZHhtsbwFgy";
   unsigned n = 0;
   for (unsigned i = 0; i < m->num_log; i++) {
      char c = letters[m->log[i].what];
      if (!(n && text[n - 1] == c && strchr("cCgzZyt", c) && m->log[i].tick == m->log[i - 1].tick))
         text[n++] = c;
      /* One message for each range of memory. */
      if (n >= 4 && !memcmp(text + n - 4, "tsts", 4))
         n -= 2;
   }
   text[n] = '\0';
   return text;
}

static void
test_overlap(void **state)
{
   struct machine *m = create(true);
   for (unsigned i = 0; i < 6; i++)
      stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, i, 3);
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   /* Four draws in flight, the fifth waits for the first; caches were written by the program
    * uploads. */
   assert_string_equal(sequence(m), "tsDDDDEDEDEEEE");
   assert_int_equal(m->gpu->device->fence, 1);
   destroy(m);
}

/* The tick of the n-th event of a kind. */
static sim_tick
when(const struct machine *m, enum event what, unsigned n)
{
   for (unsigned i = 0; i < m->num_log; i++) {
      if (m->log[i].what == what && n-- == 0)
         return m->log[i].tick;
   }
   fail_msg("no such event");
   return 0;
}

/* A draw with the registers as they are. */
static void
draw_again(struct machine *m)
{
   const struct attila_cmd_draw cmd = {
       .prim = ATTILA_PRIM_TRIANGLES, .count = 3, .num_instances = 1};
   stream_command(&m->s, ATTILA_CMD_DRAW, &cmd, sizeof(cmd) / 4);
}

/* One draw in the geometry phase while another is in the fragment phase. */
static void
test_phases(void **state)
{
   struct machine *m = create(false);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   for (unsigned i = 0; i < 3; i++)
      draw_again(m);
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   assert_string_equal(sequence(m), "tsDFDEFDEFDEFE");
   /* The second's geometry begins when the first's has ended, its fragments when the first's have;
    * a cycle for each signal. */
   assert_int_equal(when(m, DRAW, 1) - when(m, DRAW, 0), GEOMETRY_TIME + 2);
   assert_int_equal(when(m, FRAGMENTS, 1) - when(m, DRAW_END, 0), 2);
   destroy(m);
   /* Not even that. */
   m = create(false);
   m->gpu->config.cp.pipelined = false;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   draw_again(m);
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   assert_string_equal(sequence(m), "tsDFEDFE");
   destroy(m);
}

/* Registers that are written while a phase is busy are written when it is idle, one a cycle; a full
 * buffer stops the command processor. */
static void
test_updates(void **state)
{
   const uint32_t viewport[4] = {ATTILA_REG(viewport_scale), 0x41000000, 0x41000000, 0x3f000000};
   const uint32_t blend[5] = {ATTILA_REG(blend_color), 1, 2, 3, 4};
   sim_tick geometry[2], fragments[2];
   for (unsigned many = 0; many < 2; many++) {
      struct machine *m = create(false);
      stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
      if (many) {
         stream_command(&m->s, ATTILA_CMD_WRITE_REGS, viewport, 4);
         stream_command(&m->s, ATTILA_CMD_WRITE_REGS, blend, 5);
      }
      draw_again(m);
      add_fence(m, 1);
      submit(m, false);
      geometry[many] = when(m, DRAW, 1) - when(m, DRAW, 0);
      fragments[many] = when(m, FRAGMENTS, 1) - when(m, DRAW_END, 0);
      destroy(m);
   }
   assert_int_equal(geometry[1] - geometry[0], 3);
   assert_int_equal(fragments[1] - fragments[0], 4);
   /* Eight updates where four or eight fit. */
   for (unsigned fit = 0; fit < 2; fit++) {
      struct machine *m = create(false);
      m->gpu->config.cp.update_buffer = fit ? 8 : 4;
      stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
      stream_command(&m->s, ATTILA_CMD_WRITE_REGS, blend, 5);
      stream_command(&m->s, ATTILA_CMD_WRITE_REGS, blend, 5);
      submit(m, false);
      assert_int_equal(when(m, FRAGMENTS, 0) + DRAW_TIME > m->gpu->kernel.now, fit);
      destroy(m);
   }
}

/* A fence and a counter that wait for a draw hold nothing up. */
static void
test_events(void **state)
{
   struct machine *m = create(false);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   const uint32_t count[2] = {ATTILA_COUNTER_SAMPLES_PASSED, 0x20000};
   stream_command(&m->s, ATTILA_CMD_WRITE_COUNTER, count, 2);
   const uint32_t time[2] = {ATTILA_COUNTER_GPU_CYCLES, 0x20008};
   stream_command(&m->s, ATTILA_CMD_WRITE_COUNTER, time, 2);
   add_fence(m, 1);
   draw_again(m);
   stream_command(&m->s, ATTILA_CMD_WRITE_COUNTER, (const uint32_t[2]){count[0], 0x20010}, 2);
   m->samples = 1000; /* of each draw, counted while its fragments begin */
   submit(m, false);
   assert_int_equal(m->gpu->device->fence, 1);
   sim_tick first = when(m, DRAW_END, 0);
   assert_int_equal(when(m, FRAGMENTS, 1) - first, 2);
   wait_idle(m);
   const uint64_t *got = (const uint64_t *)(m->gpu->device->memory + 0x20000);
   assert_int_equal(got[0], 1000);
   assert_in_range(got[1], first, first + 2);
   assert_int_equal(got[2], 2000);
   destroy(m);
   /* Without anything before them they happen at once. */
   m = create(false);
   add_fence(m, 7);
   submit(m, false);
   assert_int_equal(m->gpu->device->fence, 7);
   /* As many as can wait. */
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   for (unsigned i = 0; i < 80; i++)
      add_fence(m, 10 + i);
   submit(m, false);
   assert_int_equal(m->gpu->device->fence, 89);
   destroy(m);
}

/* A conditional draw is skipped when no sample passed, without draining for anything else. */
static void
test_condition(void **state)
{
   for (unsigned n = 0; n < 4; n++) {
      struct machine *m = create(false);
      uint32_t passed = n & 1, inverted = n >> 1;
      m->samples = passed;
      stream_command(&m->s, ATTILA_CMD_WRITE_COUNTER,
                     (const uint32_t[2]){ATTILA_COUNTER_SAMPLES_PASSED, 0x20000}, 2);
      stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
      stream_command(&m->s, ATTILA_CMD_WRITE_COUNTER,
                     (const uint32_t[2]){ATTILA_COUNTER_SAMPLES_PASSED, 0x20008}, 2);
      const struct attila_cmd_condition c = {.address = 0x20000, .count = 1, .inverted = inverted};
      stream_command(&m->s, ATTILA_CMD_CONDITION, &c, sizeof(c) / 4);
      const struct attila_cmd_draw conditional = {.prim = ATTILA_PRIM_TRIANGLES,
                                                  .count = 3,
                                                  .num_instances = 1,
                                                  .flags = ATTILA_DRAW_CONDITIONAL};
      stream_command(&m->s, ATTILA_CMD_DRAW, &conditional, sizeof(conditional) / 4);
      draw_again(m);
      add_fence(m, 1);
      submit(m, false);
      wait_idle(m);
      unsigned draws = 0;
      for (unsigned i = 0; i < m->num_log; i++)
         draws += m->log[i].what == DRAW;
      assert_int_equal(draws, passed != inverted ? 3 : 2);
      destroy(m);
   }
}

/* What the driver believes about which commands wait. */
static void
test_waits(void **state)
{
   static const uint32_t payload[] = {0x30000, 8, 0, 0, 0, 0, 8, 0x40000, 1, 0, 0,
                                      0,       0, 0, 8, 8, 1, 4, 1,       0, 0};
   static const struct {
      enum attila_opcode op;
      uint32_t words;
   } commands[] = {
       {ATTILA_CMD_READ_BUFFER, 2}, {ATTILA_CMD_CLEAR_COLOR, 5},   {ATTILA_CMD_CLEAR_ZS, 3},
       {ATTILA_CMD_BLIT, 21},       {ATTILA_CMD_FLUSH, 1},         {ATTILA_CMD_SWAP, 6},
       {ATTILA_CMD_END_FRAME, 0},   {ATTILA_CMD_WRITE_COUNTER, 2}, {ATTILA_CMD_FENCE, 2},
       {ATTILA_CMD_NOP, 0},         {ATTILA_CMD_WRITE_REGS, 2},    {ATTILA_CMD_CONTEXT, 1},
       {ATTILA_CMD_WRITE_BUFFER, 4}};
   for (unsigned i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
      for (unsigned overlap = 0; overlap < 2; overlap++) {
         struct machine *m = create(overlap);
         struct sim_report *report = bench_report(m->gpu);
         uint32_t words[21];
         memcpy(words, payload, sizeof(words));
         switch (commands[i].op) {
         case ATTILA_CMD_CLEAR_COLOR:
         case ATTILA_CMD_CLEAR_ZS:
         case ATTILA_CMD_FLUSH:
            words[0] = 1;
            break;
         case ATTILA_CMD_SWAP:
            memcpy(words, (const uint32_t[6]){0x1000, ATTILA_FORMAT_R8G8B8A8_UNORM, 8, 64, 64, 0},
                   24);
            break;
         case ATTILA_CMD_WRITE_COUNTER:
            words[0] = 0, words[1] = 0x30000;
            break;
         case ATTILA_CMD_WRITE_REGS:
            words[0] = ATTILA_REG(blend_color);
            break;
         case ATTILA_CMD_CONTEXT:
            words[0] = 0;
            break;
         case ATTILA_CMD_WRITE_BUFFER:
            words[1] = 8 | ATTILA_BUFFER_NO_WAIT;
            break;
         default:
            break;
         }
         (void)report;
         stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
         stream_command(&m->s, commands[i].op, words, commands[i].words);
         submit(m, false);
         bool ended = false;
         for (unsigned n = 0; n < m->num_log; n++)
            ended |= m->log[n].what == DRAW_END;
         if (ended != attila_cmd_waits(commands[i].op))
            fail_msg("command %s %s", sim_command_name(commands[i].op),
                     ended ? "waits" : "does not wait");
         destroy(m);
      }
   }
}

static void
test_surface_change(void **state)
{
   struct machine *m = create(true);
   uint32_t first = m->s.regs.color[0].address;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   m->s.regs.color[0].address = stream_alloc(&m->s, 64 * 64 * 4);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   m->s.regs.zs_address = stream_alloc(&m->s, 64 * 64 * 4);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   /* Lines and bounds of the old buffers stay where they are. */
   assert_string_equal(sequence(m), "tsDEDEDE");
   /* The first colour buffer becomes the depth buffer: it leaves the colour writers, nothing else
    * does. */
   m->s.regs.zs_address = first;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   add_fence(m, 2);
   m->num_log = 0;
   submit(m, false);
   wait_idle(m);
   assert_string_equal(sequence(m), "cgtsDE");
   assert_int_equal(m->log[0].value, first);
   destroy(m);
}

/* More surfaces than the command processor remembers: the one used longest ago leaves the caches.
 */
static void
test_many_surfaces(void **state)
{
   enum { SURFACES = 18 };
   struct machine *m = create(false);
   uint32_t address[SURFACES];
   for (unsigned i = 0; i < SURFACES; i++) {
      m->s.regs.color[0].address = address[i] = stream_alloc(&m->s, 64 * 64 * 4);
      stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
      if (i == 10) { /* not the oldest any more */
         m->s.regs.color[0].address = address[0];
         stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
      }
   }
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   unsigned left = 0;
   for (unsigned i = 0; i < m->num_log; i++) {
      assert_int_not_equal(m->log[i].what, FLUSH_ZST);
      if (m->log[i].what == FORGET_CW)
         assert_int_equal(m->log[i].value, address[1 + left++ / ROPS]);
   }
   assert_int_equal(left, 2 * ROPS);
   destroy(m);
}

/* Surfaces that lie in each other in part make no sense, but the machine goes on. */
static void
test_overlapping_surfaces(void **state)
{
   struct machine *m = create(false);
   uint32_t memory = stream_alloc(&m->s, 5 * 64 * 64 * 4);
   for (unsigned i = 0; i < 6; i++) {
      m->s.regs.color[0].address = memory + i % 3 * 0x1000;
      m->s.regs.zs_address = memory + 0x2800 + i % 2 * 0x1000;
      stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   }
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   assert_int_equal(m->gpu->device->fence, 1);
   destroy(m);
   /* A surface that has been written back leaves the caches when one is drawn to that begins inside
    * it, for a block of both may be another ROP's there. An upload beside the second one concerns
    * nobody any more, one into it does. */
   m = create(false);
   memory = stream_alloc(&m->s, 2 * 64 * 64 * 4);
   m->s.regs.color[0].address = memory;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   stream_flush(&m->s);
   m->s.regs.color[0].address = memory + 0x3000;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   stream_command(&m->s, ATTILA_CMD_WRITE_BUFFER, (const uint32_t[4]){memory, 8, 1, 2}, 4);
   stream_command(&m->s, ATTILA_CMD_WRITE_BUFFER, (const uint32_t[4]){memory + 0x3000, 8, 1, 2}, 4);
   submit(m, false);
   const char *text = sequence(m);
   assert_string_equal(text + strlen(text) - 8, "czgDFEcg");
   destroy(m);
}

static void
test_depth_rules(void **state)
{
   struct machine *m = create(true);
   const struct {
      uint32_t planes;
      float depth;
      uint32_t stencil;
   } clear = {3, 1.0f, 0};
   stream_regs(&m->s);
   stream_command(&m->s, ATTILA_CMD_CLEAR_ZS, &clear, 3);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   m->s.regs.z_func = ATTILA_FUNC_EQUAL;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   m->s.regs.z_func = ATTILA_FUNC_ALWAYS; /* may move depth away */
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   m->s.regs.z_write = 0;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   /* Late depth test does not overlap with early. */
   stream_program(&m->s, ATTILA_STAGE_FRAGMENT, ".fragment\nKIL i1.x\nMOV o0, i1\nEND\n");
   m->s.regs.z_write = 1;
   m->s.regs.z_func = ATTILA_FUNC_LESS;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   /* The upload of the program waits for all draws before it. */
   assert_string_equal(sequence(m), "ZHtsDDDDEDEEEEtsDE");
   uint32_t epochs[6], n = 0;
   for (unsigned i = 0; i < m->num_log; i++) {
      if (m->log[i].what == DRAW)
         epochs[n++] = m->log[i].value;
   }
   /* Every draw has an epoch of its own. */
   for (unsigned i = 1; i < 6; i++)
      assert_int_equal(epochs[i], epochs[i - 1] + 1);
   destroy(m);
}

static void
test_late_alone(void **state)
{
   struct machine *m = create(true);
   struct attila_isa_program isa;
   char error[200];
   assert_true(
       attila_isa_assemble(".fragment\nKIL i1.x\nMOV o0, i1\nEND\n", &isa, error, sizeof(error)));
   uint8_t binary[512];
   assert_true(attila_isa_encoded_size(&isa) <= sizeof(binary));
   attila_isa_encode(&isa, binary);
   struct attila_cmd_program cmd = {ATTILA_STAGE_FRAGMENT,
                                    stream_upload(&m->s, binary, attila_isa_encoded_size(&isa)),
                                    (uint32_t)attila_isa_encoded_size(&isa)};
   attila_isa_free(&isa);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   stream_command(&m->s, ATTILA_CMD_LOAD_PROGRAM, &cmd, 3);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   assert_string_equal(sequence(m), "tsDEDDEE");
   destroy(m);
}

static struct attila_cmd_program
upload_program(struct machine *m, uint32_t *first_word)
{
   struct attila_isa_program isa;
   char error[200];
   uint8_t binary[512];
   assert_true(attila_isa_assemble(".fragment\nMOV o0, i1\nEND\n", &isa, error, sizeof(error)));
   assert_true(attila_isa_encoded_size(&isa) <= sizeof(binary));
   attila_isa_encode(&isa, binary);
   memcpy(first_word, binary, 4);
   const uint32_t size = (uint32_t)attila_isa_encoded_size(&isa);
   attila_isa_free(&isa);
   return (struct attila_cmd_program){ATTILA_STAGE_FRAGMENT, stream_upload(&m->s, binary, size),
                                      size};
}

/* Loads of two programs in turn, and how many of them are read. */
static void
loads(uint32_t room, bool write, unsigned held)
{
   struct machine *m = create(false);
   m->gpu->config.cp.instruction_memory = room;
   uint32_t words[3] = {0, 4, 0}; /* writes what is there */
   struct attila_cmd_program cmd[2];
   for (unsigned i = 0; i < 2; i++)
      cmd[i] = upload_program(m, &words[2]);
   words[0] = cmd[1].address;
   for (unsigned i = 0; i < 6; i++) {
      stream_command(&m->s, ATTILA_CMD_LOAD_PROGRAM, &cmd[i % 2], 3);
      if (write && i == 3) {
         const uint32_t header = ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 3);
         stream_words(&m->s, &header, 1);
         stream_words(&m->s, words, 3);
      }
   }
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   assert_int_equal(stat(m->cp, "ProgramsHeld"), held);
   destroy(m);
}

/* A program that the instruction memory holds is not read again, unless its memory was written. */
static void
test_programs(void **state)
{
   loads(4096, false, 4);
   loads(4096, true, 3);
   loads(0, false, 0);
}

static void
test_writes(void **state)
{
   struct machine *m = create(true);
   uint8_t data[1000];
   for (unsigned i = 0; i < sizeof(data); i++)
      data[i] = (uint8_t)(i * 7 + 1);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   /* Without waiting: the draw before goes on, the draw behind starts after the data is there and
    * caches are invalid.
    */
   const uint32_t no_wait[2] = {0x20003, 1000 | ATTILA_BUFFER_NO_WAIT};
   uint32_t header = ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 2 + 250);
   stream_words(&m->s, &header, 1);
   stream_words(&m->s, no_wait, 2);
   stream_words(&m->s, data, 250);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   stream_command(&m->s, ATTILA_CMD_NOP, no_wait, 0); /* a cycle more, in which the draw arrives */
   submit(m, false);
   assert_string_equal(sequence(m), "tsDtsD");
   const uint32_t wait[2] = {0x30001, 1000};
   stream_words(&m->s, &header, 1);
   stream_words(&m->s, wait, 2);
   stream_words(&m->s, data, 250);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   assert_string_equal(sequence(m), "tsDtsDEEtsDE");
   assert_memory_equal(m->gpu->device->memory + 0x20003, data, 1000);
   assert_memory_equal(m->gpu->device->memory + 0x30001, data, 1000);
   /* 1000 bytes from 3 after a boundary: 253, 256, 256, 235; cycles of the bus: 8 bytes each. */
   uint8_t back[600];
   m->gpu->device->read.dst = back;
   m->gpu->device->read.size = sizeof(back);
   const uint32_t get[2] = {0x30001 + 100, 600};
   stream_command(&m->s, ATTILA_CMD_READ_BUFFER, get, 2);
   sim_tick before = m->gpu->kernel.now;
   submit(m, false);
   assert_memory_equal(back, data + 100, 600);
   assert_true(m->gpu->kernel.now - before >= 600 / 8);
   destroy(m);
}

static void
test_blit_and_swap(void **state)
{
   struct machine *m = create(true);
   struct sim_report *report = bench_report(m->gpu);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   struct attila_cmd_blit b = {.src = {.address = 4096, .pitch_tiles = 8},
                               .dst = {.address = 0x80000, .pitch_tiles = 8},
                               .width = 8,
                               .height = 8,
                               .depth = 1,
                               .element_bytes = 4,
                               .samples = 1};
   stream_command(&m->s, ATTILA_CMD_BLIT, &b, sizeof(b) / 4);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   /* Over the depth buffer: HZ must forget. */
   b.dst.address = m->s.regs.zs_address;
   stream_command(&m->s, ATTILA_CMD_BLIT, &b, sizeof(b) / 4);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   const struct attila_cmd_swap swap = {.address = m->s.regs.color[0].address,
                                        .format = ATTILA_FORMAT_R8G8B8A8_UNORM,
                                        .pitch_tiles = 8,
                                        .width = 64,
                                        .height = 64};
   stream_command(&m->s, ATTILA_CMD_SWAP, &swap, ATTILA_SWAP_WORDS);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   /* Both read the colour buffer; the second goes over the depth buffer. */
   assert_string_equal(sequence(m), "tsDEcbtsDEczybhtsDEcwDE");
   assert_int_equal(sim_report_frames(report), 1);
   assert_int_equal(sim_report_next_draw(report), 1);
   destroy(m);
}

/* A bad draw and an empty one are skipped; a bad command stops the run with a message. */
static void
test_bad(void **state)
{
   struct machine *m = create(true);
   m->s.regs.color[0].pitch_tiles = 1;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   m->s.regs.color[0].pitch_tiles = 8;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 0);
   add_fence(m, 3);
   submit(m, false);
   assert_string_equal(sequence(m), "");
   assert_int_equal(m->gpu->device->fence, 3);
   uint32_t words[2] = {ATTILA_CMD_HEADER(99, 1), 0};
   m->gpu->device->queue = (struct sim_command_queue){.words = words, .tail = 2};
   m->gpu->cp_starved = false;
   sim_box_wake(m->cp, m->gpu->kernel.now + 1);
   assert_false(sim_kernel_run(&m->gpu->kernel, &m->gpu->cp_starved));
   assert_non_null(strstr(m->gpu->kernel.error, "CP"));
   destroy(m);
}

/* The same events in the same cycles when the words come one command at a time. */
static void
test_cuts(void **state)
{
   struct machine *m[2] = {create(true), create(true)};
   for (unsigned i = 0; i < 2; i++) {
      struct machine *x = m[i];
      for (unsigned n = 0; n < 12; n++) {
         const uint32_t flush = n % 8;
         uint8_t data[777] = {0};
         x->s.regs.z_func = n % 5;
         stream_draw(&x->s, ATTILA_PRIM_TRIANGLES, 0, 3);
         stream_command(&x->s, ATTILA_CMD_NOP, &flush, 0);
         if (n % 3 == 0)
            stream_upload(&x->s, data, 5 + 64 * n);
         if (n % 4 == 3)
            stream_command(&x->s, ATTILA_CMD_FLUSH, &flush, 1);
         if (n % 5 == 4)
            stream_counter(&x->s, ATTILA_COUNTER_GPU_CYCLES);
      }
      add_fence(x, 1);
      submit(x, i == 1);
   }
   assert_int_equal(m[0]->gpu->kernel.now, m[1]->gpu->kernel.now);
   assert_int_equal(m[0]->num_log, m[1]->num_log);
   for (unsigned i = 0; i < m[0]->num_log; i++) {
      assert_int_equal(m[0]->log[i].what, m[1]->log[i].what);
      assert_int_equal(m[0]->log[i].tick, m[1]->log[i].tick);
   }
   assert_memory_equal(m[0]->gpu->device->memory, m[1]->gpu->device->memory, 1 << 20);
   destroy(m[0]);
   destroy(m[1]);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_overlap),
       cmocka_unit_test(test_phases),
       cmocka_unit_test(test_updates),
       cmocka_unit_test(test_events),
       cmocka_unit_test(test_condition),
       cmocka_unit_test(test_waits),
       cmocka_unit_test(test_surface_change),
       cmocka_unit_test(test_many_surfaces),
       cmocka_unit_test(test_overlapping_surfaces),
       cmocka_unit_test(test_depth_rules),
       cmocka_unit_test(test_late_alone),
       cmocka_unit_test(test_writes),
       cmocka_unit_test(test_programs),
       cmocka_unit_test(test_blit_and_swap),
       cmocka_unit_test(test_bad),
       cmocka_unit_test(test_cuts),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
