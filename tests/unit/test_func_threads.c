/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Functional mode with several fragment threads must leave every byte of memory, counters included,
 * as with one: random scenes (random_scene.h), large triangles over each other that read what
 * others drew, and a program that forks. "scripts/sanitize thread" looks for data races in it. */
#include "random_scene.h"
#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>
#include "session/machine/machine_impl.h"
#include "session/session_impl.h"
#include "func/sim_func_impl.h"

static const unsigned counts[] = {2, 5, 64};

/* Ours: a sanitizer has threads, too. */
static bool
is_fragment_thread(const char *task)
{
   char path[64], name[32] = "";
   snprintf(path, sizeof(path), "/proc/self/task/%.20s/comm", task);
   FILE *f = fopen(path, "r");
   const bool read = f && fgets(name, sizeof(name), f);
   if (f)
      fclose(f);
   return read && !strcmp(name, "attila-fragment\n");
}

static unsigned
threads_alive(void)
{
   unsigned n = 0;
   DIR *d = opendir("/proc/self/task");
   assert_non_null(d);
   for (struct dirent *e; (e = readdir(d));)
      n += is_fragment_thread(e->d_name);
   closedir(d);
   return n;
}

static struct attila_sim *
create(unsigned threads, bool always)
{
   static const char *const overrides[] = {"MEMORYCONTROLLER.MemorySize=16"};
   char error[512] = "";
   struct attila_sim_options o = {.mode = ATTILA_MODE_FUNCTIONAL,
                                  .overrides = overrides,
                                  .num_overrides = 1,
                                  .threads = threads,
                                  .keep_clears = true};
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim)
      fail_msg("%s", error);
   if (always)
      func_queue_strain(sim->machine->func);
   return sim;
}

static void
submit(struct attila_sim *sim, const uint32_t *words, size_t num)
{
   if (!attila_sim_submit(sim, words, num))
      fail_msg("%s", attila_sim_error(sim));
}

/* What memory holds after a stream, with so many threads, this one counted. started: whether the
 * others must have been there, or must not; -1: that depends. */
static uint8_t *
run(const struct stream *s, unsigned threads, bool always, int started)
{
   const unsigned before = threads_alive();
   struct attila_sim *sim = create(threads, always);
   submit(sim, s->words, s->num);
   if (started >= 0)
      assert_int_equal(threads_alive() - before, started ? threads - 1 : 0);
   uint8_t *memory = stream_read_memory(sim, s);
   attila_sim_destroy(sim);
   assert_int_equal(threads_alive(), before);
   return memory;
}

static void
compare(const uint8_t *one, const uint8_t *several, size_t bytes, unsigned threads, uint32_t number)
{
   for (size_t i = 0; i < bytes; i++) {
      if (one[i] != several[i])
         fail_msg("stream %u with %u threads: byte 0x%zx is 0x%02x, with one it is 0x%02x", number,
                  threads, i, several[i], one[i]);
   }
}

static void
test_threads_change_no_pixel(void **state)
{
   for (uint32_t number = 0; number < 8; number++) {
      struct scene c;
      make_scene(&c, 7000 + number);
      uint8_t *one = run(&c.s, 1, false, 0);
      for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
         uint8_t *several = run(&c.s, counts[i], true, -1);
         compare(one, several, c.s.next, counts[i], 7000 + number);
         free(several);
      }
      free(one);
      free(c.s.words);
   }
}

#define W 400
#define H 300
#define DRAWS 40
#define VERTICES 300

static void
big_vertices(struct stream *s, unsigned n)
{
   static float position[VERTICES][4], color[VERTICES][4], coord[VERTICES][2];
   const float size = n % 3 ? 0.2f : 1.4f;
   for (unsigned i = 0; i < VERTICES; i++) {
      if (i % 3 == 0) {
         position[i][0] = rnd_float(-1, 1);
         position[i][1] = rnd_float(-1, 1);
      } else {
         position[i][0] = position[i - i % 3][0] + rnd_float(-size, size);
         position[i][1] = position[i - i % 3][1] + rnd_float(-size, size);
      }
      position[i][2] = rnd_float(-1.2f, 1.2f);
      position[i][3] = chance(90) ? 1.0f : rnd_float(-0.3f, 1.5f);
      for (unsigned k = 0; k < 4; k++)
         color[i][k] = rnd_float(0, 1);
      coord[i][0] = rnd_float(-1, 2);
      coord[i][1] = rnd_float(-1, 2);
   }
   stream_attrib(s, 0, &position[0][0], 4, VERTICES);
   stream_attrib(s, 1, &color[0][0], 4, VERTICES);
   stream_attrib(s, 2, &coord[0][0], 2, VERTICES);
}

static struct attila_tex_regs
texture(uint32_t address)
{
   return (struct attila_tex_regs){.enable = 1,
                                   .target = ATTILA_TEX_2D,
                                   .format = ATTILA_FORMAT_R8G8B8A8_UNORM,
                                   .address = address,
                                   .width = W,
                                   .height = H,
                                   .depth = 1,
                                   .num_levels = 1,
                                   .swizzle = 0 | 1 << 3 | 2 << 6 | 3 << 9,
                                   .mag_filter = ATTILA_FILTER_LINEAR,
                                   .min_filter = ATTILA_FILTER_LINEAR,
                                   .mip_filter = ATTILA_MIP_NONE,
                                   .max_aniso = 1};
}

/* Draws to two surfaces, of which each is a texture or a buffer of vertices of draws to the other,
 * and sometimes a texture of those to itself; writes between them over a texture that is read;
 * queries. */
static void
make_big(struct stream *s, uint64_t number)
{
   seed = number;
   stream_start(s, W, H, 1);
   const uint32_t first = s->regs.color[0].address,
                  second = stream_alloc(
                      s, attila_surface_bytes(s->regs.color[0].pitch_tiles, W, H, 1, 4));
   stream_program(s, ATTILA_STAGE_VERTEX, ".vertex\nMOV o0, i0\nMOV o1, i1\nMOV o2, i2\nEND\n");
   stream_regs(s);
   stream_clear(s, 0.1f, 0.2f, 0.3f, 1, 1.0f, 0);
   for (unsigned n = 0; n < DRAWS; n++) {
      const uint32_t target = chance(50) ? first : second;
      stream_program(s, ATTILA_STAGE_FRAGMENT, fragment_programs[rnd(3)]);
      big_vertices(s, n);
      if (chance(20)) { /* colours of vertices that are pixels */
         s->regs.attrib[1].address = first + second - target + 4 * rnd(W * H / 2);
         s->regs.attrib[1].stride = 4 * rnd(100);
         s->regs.attrib[1].format = ATTILA_FORMAT_R8G8B8A8_UNORM;
         s->regs.attrib[1].limit = 4 * (W * H / 2);
      }
      s->regs.color[0].address = target;
      s->regs.color[0].blend_enable = chance(50);
      s->regs.color[0].rgb_src = s->regs.color[0].alpha_src = 1 + rnd(10);
      s->regs.color[0].rgb_dst = s->regs.color[0].alpha_dst = 1 + rnd(10);
      s->regs.tex[0] = texture(chance(80) ? first + second - target : target);
      s->regs.z_test = chance(70);
      s->regs.z_write = chance(80);
      s->regs.z_func = chance(80) ? ATTILA_FUNC_LESS : rnd(8);
      s->regs.count_samples = chance(50);
      stream_draw(s, chance(80) ? ATTILA_PRIM_TRIANGLES : ATTILA_PRIM_TRIANGLE_FAN, 0, VERTICES);
      if (chance(20))
         stream_counter(s, ATTILA_COUNTER_SAMPLES_PASSED);
      if (chance(20)) {
         const uint32_t write[] = {second + 64 * rnd(W * H / 16), 16, 1, 2, 3, 4};
         stream_command(s, ATTILA_CMD_WRITE_BUFFER, write, 6);
      }
      if (chance(10))
         stream_clear(s, rnd_float(0, 1), 0, 0, 1, 1.0f, 0);
   }
   stream_counter(s, ATTILA_COUNTER_FS_INVOCATIONS);
   stream_counter(s, ATTILA_COUNTER_SAMPLES_PASSED);
}

static void
test_threads_change_no_pixel_of_large_draws(void **state)
{
   for (uint32_t number = 0; number < 1; number++) {
      struct stream s;
      make_big(&s, number);
      uint8_t *one = run(&s, 1, false, 0);
      for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
         uint8_t *several = run(&s, counts[i], i == 1, 1);
         compare(one, several, s.next, counts[i], number);
         free(several);
      }
      free(one);
      free(s.words);
   }
}

/* Commands of the stream up to about the middle. */
static size_t
half(const struct stream *s)
{
   size_t at = 0;
   while (at < s->num / 2)
      at += 1 + ATTILA_CMD_WORDS(s->words[at]);
   return at;
}

/* A forked process has none of the threads, and gets its own when it goes on. */
static void
test_forked_process_starts_its_own_threads(void **state)
{
#ifdef __SANITIZE_THREAD__
   skip(); /* its runtime ends a forked process that starts threads */
#endif
   struct stream s;
   make_big(&s, 5);
   uint8_t *one = run(&s, 1, false, 0);
   struct attila_sim *sim = create(3, false);
   const size_t at = half(&s);
   submit(sim, s.words, at);
   const unsigned before = threads_alive();
   assert_int_equal(before, 2);
   pid_t child = fork();
   assert_true(child >= 0);
   submit(sim, s.words + at, s.num - at);
   assert_int_equal(threads_alive(), 2); /* of its own, in both processes */
   uint8_t *several = stream_read_memory(sim, &s);
   const bool same = !memcmp(one, several, s.next);
   attila_sim_destroy(sim);
   free(several);
   free(one);
   free(s.words);
   if (!child)
      _exit(same ? 0 : 1);
   int status;
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(WIFEXITED(status));
   assert_int_equal(WEXITSTATUS(status), 0);
   assert_true(same);
}

/* One that ends without going on does not wait for threads that it has not. */
static void
test_fork_and_destroy(void **state)
{
   struct stream s;
   make_big(&s, 6);
   struct attila_sim *sim = create(2, false);
   submit(sim, s.words, s.num);
   pid_t child = fork();
   assert_true(child >= 0);
   attila_sim_destroy(sim);
   free(s.words);
   if (!child)
      _exit(0);
   int status;
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
}

int
main(void)
{
   alarm(170); /* a lock that is not given back must not hang the tests */
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads_change_no_pixel),
                                      cmocka_unit_test(test_threads_change_no_pixel_of_large_draws),
                                      cmocka_unit_test(test_forked_process_starts_its_own_threads),
                                      cmocka_unit_test(test_fork_and_destroy)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
