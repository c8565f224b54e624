/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The command processor between mocks that log what it sends, for its tests. The log as words:
 * sequence(); when something happened: when(). */
#ifndef CP_BENCH_H
#define CP_BENCH_H

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
   unsigned constants_told, streamer_told;
   bool stop;
   sim_tick stop_at;
   uint32_t samples;   /* passed by each draw */
   sim_tick answer[8]; /* due answers: CW 0, 1; ZST 0, 1; HZ; blitter; DAC */
};

static inline void
note(struct machine *m, enum event what, sim_tick now, uint32_t value, const struct sim_draw *draw)
{
   assert_true(m->num_log < MAX_LOG);
   m->log[m->num_log].what = what;
   m->log[m->num_log].tick = now;
   m->log[m->num_log].draw = draw;
   m->log[m->num_log++].value = value;
}

static inline void
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

/* Constant caches hear of what the streamer hears of, in the same cycle. */
static inline void
take_constants(struct machine *m, struct sim_signal *in, sim_tick now)
{
   const struct msg_rop *r = sim_peek(in, now), *streamer = sim_peek(&m->gpu->net.cp_sl[0], now);
   if (!r)
      return;
   assert_non_null(streamer);
   assert_memory_equal(r, streamer, sizeof(*r));
   m->constants_told++;
   sim_pop(in, now);
}

/* Everything but memory. */
static inline sim_tick
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
   for (unsigned i = 0; i < SHADERS; i++)
      take_constants(m, &net->cp_cc[i], now);
   m->streamer_told += sim_peek(&net->cp_sl[0], now) != NULL;
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
      d->draw->samples[0] += m->samples;
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
      sim_observed_frame_ended(&m->gpu->device->observed, &(struct sim_frame_end){.tick = now});
      m->answer[6] = now + 50;
      sim_pop(&net->cp_dac[0], now);
   }
   m->stop |= m->stop_at && now >= m->stop_at;
   return now + 1;
}

static inline struct machine *
create(bool free_overlap)
{
   struct machine *m = calloc(1, sizeof(*m));
   struct sim_gpu *gpu = m->gpu = bench_create(0);
   gpu->config.cp.free_overlap = free_overlap;
   gpu->device->frontend = sim_frontend_create(gpu->device->memory_size, &EMUL_TEX_QUALITY_DEFAULT);
   m->cp = sim_box_create(&gpu->kernel, gpu, &cp_class, -1);
   struct sim_box *n = bench_mock(gpu, neighbours, m),
                  *mem = bench_mock(gpu, bench_memory_work, &m->memory);
   struct sim_netlist *net = &gpu->net;
   BENCH_CONNECT(gpu, BENCH_BOX(cp, m->cp), BENCH_BOX(stf, n), BENCH_BOX(ts, n), BENCH_BOX(so, n),
                 BENCH_BOX(zst, n), BENCH_BOX(cw, n), BENCH_BOX(tu, n), BENCH_BOX(cc, n),
                 BENCH_BOX(hz, n), BENCH_BOX(sl, n), BENCH_BOX(blitter, n), BENCH_BOX(dac, n),
                 BENCH_BOX(mc, mem));
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
static inline void
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

static inline void
add_fence(struct machine *m, uint32_t value)
{
   const uint32_t payload[2] = {value, 0};
   stream_command(&m->s, ATTILA_CMD_FENCE, payload, 2);
}

/* Lets time run until everything has been done. */
static inline void
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

static inline void
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
static inline const char *
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

/* The tick of the n-th event of a kind. */
static inline sim_tick
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
static inline void
draw_again(struct machine *m)
{
   const struct attila_cmd_draw cmd = {
       .prim = ATTILA_PRIM_TRIANGLES, .count = 3, .num_instances = 1};
   stream_command(&m->s, ATTILA_CMD_DRAW, &cmd, sizeof(cmd) / 4);
}

#endif
