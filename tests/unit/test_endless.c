/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Programs that never end and draws that take for ever, in both modes: they are stopped, the
 * application goes on, and what does end is drawn. */
#include "func_stream.h"
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "hw/attila_surface.h"

#define SIZE 32
static const char vs[] = ".vertex\nMOV o0, i0\nMOV o1, i1\nEND\n";
/* Ten iterations where i1.x is positive, for ever elsewhere. */
static const char fs_half[] =
    ".fragment\n.literal 0x41200000, 0x3f800000, 0, 0\nMOV r0, l0.z\nSGT r2.x, i1.x, l0.z\nLOOP\n"
    "ADD r0.x, r0.x, l0.y\nIF r2.x\nSGE r1.x, r0.x, l0.x\nIF r1.x\nBRK\nENDIF\nENDIF\nENDLOOP\n"
    "MOV o0, l0.y\nEND\n";
static const char vs_endless[] = ".vertex\nMOV o0, i0\nLOOP\nNOP\nENDLOOP\nEND\n";
static const char fs_white[] = ".fragment\n.literal 0x3f800000, 0, 0, 0\nMOV o0, l0.x\nEND\n";

/* A quad over all of the picture; i1.x is negative in its left half. */
static void
make_stream(struct stream *s, const char *vertex, const char *fragment, uint32_t instances)
{
   static const float position[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
   static const float side[4][1] = {{-1}, {1}, {-1}, {1}};
   stream_start(s, SIZE, SIZE, 1);
   stream_regs(s);
   stream_clear(s, 0, 0, 0, 0, 1, 0);
   stream_attrib(s, 0, &position[0][0], 2, 4);
   stream_attrib(s, 1, &side[0][0], 1, 4);
   stream_program(s, ATTILA_STAGE_VERTEX, vertex);
   stream_program(s, ATTILA_STAGE_FRAGMENT, fragment);
   stream_regs(s);
   struct attila_cmd_draw cmd = {
       .prim = ATTILA_PRIM_TRIANGLE_STRIP, .count = 4, .num_instances = instances};
   stream_command(s, ATTILA_CMD_DRAW, &cmd, sizeof(cmd) / 4);
}

/* The picture in a mode; *cycles and *said (what was printed) are of that run. */
static uint32_t *
run(struct stream *s, enum attila_mode mode, uint32_t order, const char *setting, uint64_t *cycles,
    char said[4096])
{
   char error[512];
   const struct attila_sim_options o = {.mode = mode,
                                        .overrides = &setting,
                                        .num_overrides = setting != NULL,
                                        .box_order_seed = order};
   FILE *out = tmpfile();
   assert_non_null(out);
   int saved = dup(STDERR_FILENO);
   fflush(stderr);
   dup2(fileno(out), STDERR_FILENO);
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   bool ok = sim && attila_sim_submit(sim, s->words, s->num);
   uint32_t *surface = ok ? stream_read_surface(sim, s, s->regs.color[0].address) : NULL;
   fflush(stderr);
   dup2(saved, STDERR_FILENO);
   close(saved);
   rewind(out);
   said[fread(said, 1, 4095, out)] = '\0';
   fclose(out);
   if (!ok)
      fail_msg("%s", sim ? attila_sim_error(sim) : error);
   *cycles = attila_sim_cycles(sim);
   attila_sim_destroy(sim);
   return surface;
}

static const char stopped[] =
    "attila: warning: a shader program loops more than 65536 times "
    "(SIMULATOR.MaxLoopIterations) and is stopped; the rest of its draw is undefined\n";
static const char few_iterations[] = "SIMULATOR.MaxLoopIterations=65536";

static void
test_endless_fragments_are_killed_in_both_modes(void **state)
{
   struct stream s;
   char said[4096];
   uint64_t cycles[3] = {0};
   make_stream(&s, vs, fs_half, 1);
   for (unsigned i = 0; i < 3; i++) {
      uint32_t *surface = run(&s, i == 0 ? ATTILA_MODE_FUNCTIONAL : ATTILA_MODE_CYCLE, i,
                              few_iterations, &cycles[i], said);
      assert_string_equal(said, stopped);
      for (uint32_t y = 0; y < SIZE; y++) {
         for (uint32_t x = 0; x < SIZE; x++)
            assert_int_equal(stream_pixel(&s, surface, x, y, 0), x < SIZE / 2 ? 0 : 0xffffffff);
      }
      free(surface);
   }
   /* The order in which boxes are clocked does not matter; and only the first groups are waited
    * for, which take turns: all of them take 18 million cycles. */
   assert_int_equal(cycles[1], cycles[2]);
   assert_in_range(cycles[1], 65536, 9000000);
   free(s.words);
}

static void
test_endless_vertices_draw_nothing(void **state)
{
   struct stream s;
   char said[4096];
   uint64_t cycles;
   make_stream(&s, vs_endless, fs_white, 1);
   for (unsigned mode = 0; mode < 2; mode++) {
      uint32_t *surface = run(&s, mode, 0, few_iterations, &cycles, said);
      assert_string_equal(said, stopped);
      for (uint32_t i = 0; i < SIZE * SIZE; i++)
         assert_int_equal(stream_pixel(&s, surface, i % SIZE, i / SIZE, 0), 0);
      free(surface);
   }
   free(s.words);
}

/* As many iterations as the machine allows, and one more. */
static void
test_iterations_end_at_the_limit_of_the_machine(void **state)
{
   static const char vs_loops[] =
       ".vertex\n.literal 0, 0x3f800000, 0x42c80000, 0\nMOV o0, i0\nMOV r0, l0.x\nLOOP\n"
       "ADD r0.x, r0.x, l0.y\nSGE r1.x, r0.x, l0.z\nIF r1.x\nBRK\nENDIF\nENDLOOP\nEND\n";
   struct stream s;
   char said[4096];
   uint64_t cycles;
   make_stream(&s, vs_loops, fs_white, 1);
   for (unsigned i = 0; i < 4; i++) {
      uint32_t *surface = run(
          &s, i / 2, 0, i & 1 ? "SIMULATOR.MaxLoopIterations=98" : "SIMULATOR.MaxLoopIterations=99",
          &cycles, said);
      assert_int_equal(said[0] != '\0', i & 1);
      assert_int_equal(stream_pixel(&s, surface, 1, 1, 0), i & 1 ? 0 : 0xffffffff);
      free(surface);
   }
   free(s.words);
}

/* 1000 instances of 4 vertices: more than a machine may allow. */
static void
test_draw_beyond_max_vertices_is_skipped(void **state)
{
   struct stream s;
   char said[4096];
   uint64_t cycles;
   make_stream(&s, vs, fs_white, 1000);
   for (unsigned mode = 0; mode < 2; mode++) {
      uint32_t *surface = run(&s, mode, 0, "SIMULATOR.MaxDrawVertices=3999", &cycles, said);
      assert_string_equal(said, "attila: warning: draw skipped: 4 vertices of 1000 instances, "
                                "SIMULATOR.MaxDrawVertices allows 3999 together\n");
      assert_int_equal(stream_pixel(&s, surface, 1, 1, 0), 0);
      free(surface);
   }
   uint32_t *surface =
       run(&s, ATTILA_MODE_FUNCTIONAL, 0, "SIMULATOR.MaxDrawVertices=4000", &cycles, said);
   assert_string_equal(said, "");
   assert_int_equal(stream_pixel(&s, surface, 1, 1, 0), 0xffffffff);
   free(surface);
   free(s.words);
}

/* A clock on which every look takes a second. */
static bool slow_clock;

int
clock_gettime(clockid_t id, struct timespec *ts)
{
   static time_t looks;
   long result = syscall(SYS_clock_gettime, id, ts);
   ts->tv_sec += slow_clock ? looks++ : 0;
   return (int)result;
}

/* A draw that takes long says how far it is, every ten seconds. */
static void
test_slow_draw_reports_its_progress(void **state)
{
   struct stream s;
   char said[4096];
   uint64_t cycles;
   make_stream(&s, vs, fs_white, 30);
   slow_clock = true;
   uint32_t *surface = run(&s, ATTILA_MODE_FUNCTIONAL, 0, NULL, &cycles, said);
   slow_clock = false;
   assert_string_equal(said, "attila: frame 0, draw 0: 40 of 120 vertices after 10 s\n"
                             "attila: frame 0, draw 0: 80 of 120 vertices after 20 s\n");
   free(surface);
   free(s.words);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_endless_fragments_are_killed_in_both_modes),
       cmocka_unit_test(test_endless_vertices_draw_nothing),
       cmocka_unit_test(test_draw_beyond_max_vertices_is_skipped),
       cmocka_unit_test(test_slow_draw_reports_its_progress),
       cmocka_unit_test(test_iterations_end_at_the_limit_of_the_machine),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
