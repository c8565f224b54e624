/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A pixel that is watched (sim_func_watch_pixel), on random scenes: memory is the same byte for
 * byte as without, a fragment that failed leaves the pixel's colours as they were, and what a
 * fragment that passed leaves there is what blending its colour gives. Every fate occurs. All
 * pixels watched at once (sim_func_watch_cover) count the same fragments. */
#include "random_scene.h"
#include "func/sim_func_impl.h"
#include "session/machine/machine_impl.h"
#include "session/session_impl.h"

struct watcher {
   struct sim_func *func;
   int32_t x, y;
   uint32_t number;                                     /* of the scene */
   uint8_t before[ATTILA_MAX_COLOR_BUFFERS][8][4 * 16]; /* [buffer][sample] */
   bool called;
   unsigned fates[SIM_FUNC_KILLED + 1], blended;
   unsigned fragments, passed;   /* in layer 0 */
   struct sim_func_cover *cover; /* all pixels instead of one, or NULL */
};

static const uint8_t *
quad_of(const struct watcher *w, uint32_t layer, unsigned rt, unsigned sample)
{
   const struct func_pass *p = w->func->pass;
   const struct func_surface *s = &p->color[rt];
   return s->base + (size_t)layer * s->layer_stride +
          emul_quad_offset(s->pitch_tiles, p->state.samples, sample, s->element_bytes, w->x & ~1,
                           w->y & ~1);
}

static void
check_color(struct watcher *w, const struct sim_func_fragment *found, unsigned rt, unsigned sample)
{
   const struct func_pass *p = w->func->pass;
   const unsigned bytes = p->color[rt].element_bytes;
   const unsigned pixel = (unsigned)((w->y & 1) * 2 + (w->x & 1));
   uint8_t *expected = w->before[rt][sample];
   float color[4][4] = {{0}};
   if (found->passed >> sample & 1) {
      /* Outputs to other buffers and for other samples, and smoothing, are not reported. */
      if ((rt && !p->state.regs.fs_color0_to_all) || p->state.smooth || !found->shaded ||
          p->state.sample_shading || emul_blends_two(&p->state, rt))
         return;
      for (unsigned c = 0; c < 4; c++)
         color[c][pixel] = found->output[c];
      emul_color_quad(&p->state, rt, 1u << pixel, (const float(*)[4])color, NULL, expected);
      w->blended++;
   }
   if (memcmp(quad_of(w, found->layer, rt, sample) + pixel * bytes, expected + pixel * bytes,
              bytes))
      fail_msg("scene %u, pixel %d, %d, primitive %u, buffer %u, sample %u, fate %u: other colours "
               "than expected",
               w->number, w->x, w->y, found->primitive, rt, sample, found->fate);
}

static void
fragment(void *user, const struct sim_func_fragment *found, bool after)
{
   struct watcher *w = user;
   const struct emul_draw_state *state = &w->func->pass->state;
   assert_true(found->covered && !(found->passed & ~found->covered));
   assert_int_equal(found->passed != 0, found->fate == SIM_FUNC_PASSED);
   assert_int_equal(w->called, after);
   w->called = !after;
   w->fates[found->fate] += after;
   if (after && !found->layer) {
      w->fragments += state->sample_shading ? (unsigned)__builtin_popcount(found->covered) : 1;
      w->passed +=
          state->sample_shading ? (unsigned)__builtin_popcount(found->passed) : found->passed != 0;
   }
   for (uint32_t m = state->color_mask; m; m &= m - 1) {
      const unsigned rt = (unsigned)__builtin_ctz(m);
      for (unsigned s = 0; s < state->samples; s++) {
         if (after)
            check_color(w, found, rt, s);
         else
            memcpy(w->before[rt][s], quad_of(w, found->layer, rt, s),
                   4 * w->func->pass->color[rt].element_bytes);
      }
   }
}

static uint8_t *
run(const struct stream *s, struct watcher *w)
{
   static const char *const overrides[] = {"MEMORYCONTROLLER.MemorySize=16"};
   char error[512] = "";
   struct attila_sim_options o = {
       .mode = ATTILA_MODE_FUNCTIONAL, .overrides = overrides, .num_overrides = 1, .threads = 3};
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim)
      fail_msg("%s", error);
   if (w) {
      w->func = sim->machine->func;
      w->fragments = w->passed = 0;
      if (w->cover)
         sim_func_watch_cover(w->func, w->cover);
      else
         sim_func_watch_pixel(w->func, w->x, w->y, fragment, w);
   }
   if (!attila_sim_submit(sim, s->words, s->num))
      fail_msg("%s", attila_sim_error(sim));
   uint8_t *memory = stream_read_memory(sim, s);
   attila_sim_destroy(sim);
   return memory;
}

static void
test_watching_a_pixel_changes_no_memory(void **state)
{
   struct watcher w = {0};
   for (w.number = 9000; w.number < 9012; w.number++) {
      struct scene c;
      make_scene(&c, w.number);
      uint8_t *plain = run(&c.s, NULL);
      for (unsigned i = 0; i < 6; i++) {
         w.x = (int32_t)rnd(96);
         w.y = (int32_t)rnd(72);
         uint8_t *watched = run(&c.s, &w);
         assert_memory_equal(watched, plain, c.s.next);
         free(watched);
      }
      free(plain);
      free(c.s.words);
   }
   for (unsigned f = 0; f <= SIM_FUNC_KILLED; f++)
      assert_in_range(w.fates[f], 10, UINT32_MAX);
   assert_in_range(w.blended, 100, UINT32_MAX);
}

/* At most as large as the largest surface of a scene. */
#define COVER_SIZE 512

static void
test_watching_all_pixels_counts_what_watching_each_counts(void **state)
{
   struct sim_func_cover cover = {.width = COVER_SIZE, .height = COVER_SIZE};
   struct watcher all = {.cover = &cover}, one = {0};
   unsigned fragments = 0, passed = 0, edges = 0;
   for (one.number = 9000; one.number < 9012; one.number++) {
      struct scene c;
      make_scene(&c, one.number);
      cover.pixel = calloc(COVER_SIZE * COVER_SIZE, sizeof(*cover.pixel));
      uint8_t *plain = run(&c.s, NULL), *watched = run(&c.s, &all);
      assert_memory_equal(watched, plain, c.s.next);
      free(watched);
      for (unsigned i = 0; i < 12; i++) {
         one.x = (int32_t)rnd(96);
         one.y = (int32_t)rnd(72);
         free(run(&c.s, &one));
         const struct sim_func_cover_pixel *p = &cover.pixel[one.y * COVER_SIZE + one.x];
         assert_int_equal(p->fragments, one.fragments);
         assert_int_equal(p->passed, one.passed);
         fragments += p->fragments;
         passed += p->passed;
         edges += p->edge;
      }
      free(cover.pixel);
      free(plain);
      free(c.s.words);
   }
   assert_in_range(passed, 50, fragments - 50);
   assert_in_range(edges, 10, 12 * 12 - 10);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_watching_a_pixel_changes_no_memory),
       cmocka_unit_test(test_watching_all_pixels_counts_what_watching_each_counts)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
