/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * As test_derived, on random streams: cycles of units and draws, thread groups in shaders and costs
 * of instructions that follow from events are those of the record. Here are loads of constants,
 * jumps, tests behind the shaders, stream-out and frames that end between draws. Not here:
 * limiters, for a ROP works longer on a quad of several samples or buffers, which no message
 * tells. */
#include "random_scene.h"
#include "derived_compare.h"
#include "derived_times.h"

struct run {
   struct sim_trace listener;
   struct derived_times times;
};

static void
run_hear(void *data, sim_tick now)
{
   struct run *r = data;
   for (uint32_t i = 0; i < r->listener.num; i++)
      derived_times_hear(&r->times, &r->listener.events[i], now);
   r->listener.num = 0;
}

static void
run_hear_bank(void *data, const struct sim_trace_bank *c)
{
   struct run *r = data;
   if (c->command == SIM_TRACE_READ || c->command == SIM_TRACE_WRITE)
      derived_times_bank(&r->times, c);
}

static void
run_submit(struct run *r, struct attila_sim *sim, const uint32_t *words, size_t num)
{
   r->times.activity.new_words = true;
   if (!attila_sim_submit(sim, words, num))
      fail_msg("%s", attila_sim_error(sim));
}

static void
run_stream(struct run *r, const struct scene *c, const char *const *overrides, const char *folder)
{
   static const uint32_t end_frame = ATTILA_CMD_HEADER(ATTILA_CMD_END_FRAME, 0);
   char error[512] = "";
   struct attila_sim_options o = {.mode = ATTILA_MODE_CYCLE,
                                  .overrides = overrides,
                                  .num_overrides = 6,
                                  .record = "sqlite",
                                  .out_dir = folder};
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim)
      fail_msg("%s", error);
   struct sim_gpu *gpu = &sim->machine->gpu;
   r->listener = (struct sim_trace){.data = r, .tick = run_hear, .bank = run_hear_bank};
   sim_kernel_listen(&gpu->kernel, &r->listener);
   struct sim_signal *s = (struct sim_signal *)&gpu->net;
   for (size_t i = 0; i < sizeof(gpu->net) / sizeof(*s); i++) {
      if (s[i].sender)
         sim_trace_signal(&s[i], true);
   }
   derived_times_init(&r->times, sim);
   run_submit(r, sim, c->s.words, c->s.num);
   run_submit(r, sim, &end_frame, 1);
   attila_sim_destroy(sim);
   free(r->listener.events);
}

static void
test_derived_figures_hold_on_random_machines(void **state)
{
#define SHADER                                                              \
   "MEMORYCONTROLLER.MemorySize=16", "FRAGMENTSHADER.RegisterWritePorts=1", \
       "FRAGMENTSHADER.ConstantCacheRequestQueueSize=1"
   static const char *const machines_of[2][6] = {
       {SHADER, "FRAGMENTSHADER.ThreadResources=96", "FRAGMENTSHADER.TextureRequestQueueSize=1",
        "FRAGMENTSHADER.FetchDelay=4"},
       {SHADER, "FRAGMENTSHADER.VectorShader=TRUE", "FRAGMENTSHADER.VectorALUConfig=simd4+scalar",
        "COMMANDPROCESSOR.FreeOverlap=TRUE"}};
#undef SHADER
   uint64_t waited = 0;
   for (unsigned n = 0; n < 4; n++) {
      struct run *r = derived_alloc(sizeof(*r));
      char folder[64] = "", name[40];
      struct scene c;
      snprintf(name, sizeof(name), "random stream %u", n);
      const struct figure_scene scene = {.name = name};
      record_renew(folder);
      make_scene(&c, 9000 + n);
      run_stream(r, &c, machines_of[n % 2], folder);
      sqlite3 *db = record_open(folder);
      compare_frame_cycles(db, &scene, &r->times.rows);
      compare_row_cycles(db, &scene, &r->times.rows);
      compare_exclusive(db, &scene, &r->times.rows);
      compare_occupancy(db, &scene, &r->times.rows);
      compare_costs(db, &scene, &r->times.rows);
      waited += (uint64_t)record_number(db, "SELECT min(sum(wait_constant), sum(wait_texture), "
                                            "sum(refused_constant)) FROM frame_instructions");
      sqlite3_close(db);
      record_remove(folder);
      derived_rows_free(&r->times.rows);
      free(r);
      free(c.s.words);
   }
   assert_true(waited > 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_derived_figures_hold_on_random_machines)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
