/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Functional mode defers clears (func_clear.c). Random streams of clears, draws, copies and reads
 * over surfaces that share memory must leave every byte as they do when all clears are applied
 * after every command, with one thread and with several; and what is shown in a window must be what
 * memory would have. */
#include "random_scene.h"
#include "session/machine/machine_impl.h"
#include "session/session_impl.h"
#include "func/sim_func_impl.h"

/* A surface to draw in. */
struct target {
   uint32_t address, pitch, width, height, samples, format;
};
enum { NUM_COLORS = 5, NUM_ZS = 2 };

struct targets {
   struct target color[NUM_COLORS], zs[NUM_ZS];
   uint32_t buffer; /* bytes that are no surface */
};

static struct target
target(struct stream *s, uint32_t pitch, uint32_t width, uint32_t height, uint32_t samples,
       uint32_t format)
{
   const size_t bytes =
       attila_surface_bytes(pitch, pitch * 8, height, samples, attila_formats[format].bytes);
   return (struct target){stream_alloc(s, bytes), pitch, width, height, samples, format};
}

static void
make_targets(struct stream *s, struct targets *t)
{
   s->next = ATTILA_LARGE_ALIGN;
   t->color[0] = target(s, 32, 200, 150, 1, ATTILA_FORMAT_R8G8B8A8_UNORM);
   t->zs[0] = target(s, 32, 200, 150, 1, ATTILA_FORMAT_Z24S8);
   t->color[1] = target(s, 24, 130, 70, 4, ATTILA_FORMAT_B8G8R8A8_UNORM);
   t->zs[1] = target(s, 24, 130, 70, 4, ATTILA_FORMAT_Z24S8);
   t->color[2] = target(s, 24, 190, 100, 1, ATTILA_FORMAT_R16G16B16A16_FLOAT);
   /* No superblocks of 64x64; and one in the middle of the first. */
   t->color[3] = target(s, 13, 100, 60, 1, ATTILA_FORMAT_B5G6R5_UNORM);
   t->color[4] = t->color[0];
   t->color[4].address += 3 * ATTILA_LARGE_ALIGN;
   t->color[4].pitch = 16;
   t->color[4].width = 120;
   t->buffer = stream_alloc(s, 4096);
}

/* Binds a colour, and depth where that has the same samples. */
static void
bind(struct stream *s, const struct targets *t)
{
   struct attila_regs *r = &s->regs;
   const uint32_t n = rnd(NUM_COLORS + 6); /* mostly the two that share memory */
   const struct target *c = &t->color[n < NUM_COLORS ? n : n % 2 * 4], *z = &t->zs[c->samples > 1];
   uint32_t width = c->width, height = c->height;
   if (chance(30)) { /* a part of it */
      width = 1 + rnd(width);
      height = 1 + rnd(height);
   }
   if (z->width < width || z->height < height)
      z = NULL;
   r->fb_width = r->scissor_maxx = width;
   r->fb_height = r->scissor_maxy = height;
   r->fb_samples = c->samples;
   r->color[0].address = c->address;
   r->color[0].format = c->format;
   r->color[0].pitch_tiles = c->pitch;
   r->zs_address = z && chance(80) ? z->address : 0;
   r->zs_format = ATTILA_FORMAT_Z24S8;
   r->zs_pitch_tiles = z ? z->pitch : 0;
   r->viewport_scale[0] = r->viewport_translate[0] = (float)width / 2;
   r->viewport_scale[1] = r->viewport_translate[1] = (float)height / 2;
}

static void
clear_some(struct stream *s)
{
   const struct {
      uint32_t mask;
      float color[4];
   } color = {1, {(float)rnd(2), 0.5f, 0.25f, (float)rnd(2)}}; /* often the one before */
   const struct {
      uint32_t planes;
      float depth;
      uint32_t stencil;
   } zs = {chance(80) ? 3 : 1 + rnd(2), (float)rnd(2), 7 * rnd(2)};
   stream_regs(s);
   if (chance(70))
      stream_command(s, ATTILA_CMD_CLEAR_COLOR, &color, 5);
   if (chance(70))
      stream_command(s, ATTILA_CMD_CLEAR_ZS, &zs, 3);
}

/* One triangle, which reads a surface as a texture, or vertices from one. */
static void
draw_some(struct stream *s, const struct targets *t)
{
   const struct target *from = &t->color[rnd(NUM_COLORS)];
   const float x = rnd_float(-1, 1), y = rnd_float(-1, 0.5f), size = rnd_float(0.1f, 1.5f);
   const float position[12] = {x, y,        rnd_float(-1, 1), 1, x + size, y, rnd_float(-1, 1), 1,
                               x, y + size, rnd_float(-1, 1), 1},
               color[12] = {1, 0.5f, 0, 1, 0, 1, 0.3f, 1, 0.2f, 0, 1, 0.5f};
   struct attila_regs *r = &s->regs;
   stream_program(s, ATTILA_STAGE_VERTEX, vertex_programs[0]);
   stream_program(s, ATTILA_STAGE_FRAGMENT, fragment_programs[rnd(2)]);
   stream_attrib(s, 0, position, 4, 3);
   stream_attrib(s, 1, color, 4, 3);
   stream_attrib(s, 2, color, 4, 3);
   if (chance(10)) {
      r->attrib[1].address = from->address;
      r->attrib[1].format = ATTILA_FORMAT_R8G8B8A8_UNORM;
   }
   r->color[0].write_mask = chance(70) ? 15 : rnd(16);
   r->color[0].blend_enable = chance(30);
   r->color[0].rgb_src = r->color[0].alpha_src = ATTILA_FACTOR_SRC_ALPHA;
   r->color[0].rgb_dst = r->color[0].alpha_dst = ATTILA_FACTOR_ONE;
   r->z_test = chance(60);
   r->z_write = chance(60);
   r->z_func = rnd(8);
   r->rasterizer_discard = chance(5);
   r->tex[0] = (struct attila_tex_regs){.enable = chance(80),
                                        .target = ATTILA_TEX_2D,
                                        .format = ATTILA_FORMAT_R8G8B8A8_UNORM,
                                        .address = from->address,
                                        .width = 8 + rnd(100),
                                        .height = 8 + rnd(60),
                                        .depth = 1,
                                        .num_levels = 1,
                                        .swizzle = 0 | 1 << 3 | 2 << 6 | 3 << 9,
                                        .mag_filter = rnd(2),
                                        .min_filter = rnd(2),
                                        .mip_filter = ATTILA_MIP_NONE,
                                        .max_aniso = 1};
   stream_regs(s);
   const struct attila_cmd_draw cmd = {.prim = ATTILA_PRIM_TRIANGLES,
                                       .count = 3,
                                       .num_instances = 1,
                                       .flags = chance(40) ? ATTILA_DRAW_CONDITIONAL : 0};
   stream_command(s, ATTILA_CMD_DRAW, &cmd, sizeof(cmd) / 4);
}

static void
copy_some(struct stream *s, const struct targets *t)
{
   const struct target *from = &t->color[rnd(2) ? 0 : 4], *to = &t->color[rnd(2) ? 0 : 4];
   const struct attila_cmd_blit b = {
       .src = {.address = from->address, .pitch_tiles = from->pitch, .x = rnd(50), .y = rnd(50)},
       .dst = {.address = to->address, .pitch_tiles = to->pitch, .x = rnd(50), .y = rnd(50)},
       .width = 1 + rnd(60),
       .height = 1 + rnd(60),
       .depth = 1,
       .element_bytes = 4,
       .samples = 1};
   stream_regs(s);
   stream_command(s, ATTILA_CMD_BLIT, &b, sizeof(b) / 4);
}

/* Words into the middle of something. */
static void
write_some(struct stream *s, const struct targets *t)
{
   const struct target *to = chance(70) ? &t->color[rnd(NUM_COLORS)] : &t->zs[rnd(NUM_ZS)];
   const uint32_t address = to->address + 8 * rnd(10000);
   const uint32_t head[3] = {address, 8, rnd(1u << 30)}, tail = rnd(1u << 30);
   const uint32_t header = ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 4);
   const uint32_t counter[2] = {ATTILA_COUNTER_FS_INVOCATIONS, address + 512};
   if (chance(70)) {
      stream_words(s, &header, 1);
      stream_words(s, head, 3);
      stream_words(s, &tail, 1);
   } else {
      stream_command(s, ATTILA_CMD_WRITE_COUNTER, counter, 2);
   }
}

/* What decides about draws is read from a surface, where it is not zero unless it is cleared. */
static void
decide_some(struct stream *s, const struct targets *t)
{
   const struct attila_cmd_condition c = {
       .address = t->color[0].address + 16 * rnd(8000), .count = 1 + rnd(3), .inverted = rnd(2)};
   const uint32_t write[] = {
       ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 6), c.address, 16, 1, 2, 3, 4};
   stream_words(s, write, 7);
   clear_some(s);
   stream_command(s, ATTILA_CMD_CONDITION, &c, sizeof(c) / 4);
}

static void
make_stream(struct stream *s, struct targets *t, uint32_t number)
{
   seed = number;
   stream_start(s, 64, 64, 1);
   make_targets(s, t);
   bind(s, t);
   for (unsigned i = 0; i < 80; i++) {
      if (chance(60))
         bind(s, t);
      const uint32_t what = rnd(100);
      if (what < 35)
         clear_some(s);
      else if (what < 80)
         draw_some(s, t);
      else if (what < 86)
         copy_some(s, t);
      else if (what < 94)
         write_some(s, t);
      else
         decide_some(s, t);
   }
   /* No command behind the last clears. */
   bind(s, t);
   clear_some(s);
}

/* --- Running --- */

static struct attila_sim *
create(unsigned threads, bool keep)
{
   static const char *const overrides[] = {"MEMORYCONTROLLER.MemorySize=16"};
   char error[512] = "";
   const struct attila_sim_options o = {.mode = ATTILA_MODE_FUNCTIONAL,
                                        .overrides = overrides,
                                        .num_overrides = 1,
                                        .threads = threads,
                                        .keep_clears = keep};
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim)
      fail_msg("%s", error);
   func_queue_strain(sim->machine->func);
   return sim;
}

/* cut: command by command. */
static void
submit(struct attila_sim *sim, const struct stream *s, bool cut)
{
   for (size_t at = 0; at < s->num;) {
      const size_t n = cut ? 1 + ATTILA_CMD_WORDS(s->words[at]) : s->num;
      if (!attila_sim_submit(sim, s->words + at, n))
         fail_msg("%s", attila_sim_error(sim));
      at += n;
   }
}

static void
compare(const uint8_t *applied, const uint8_t *deferred, size_t bytes, uint32_t number,
        const char *how)
{
   if (!memcmp(applied, deferred, bytes))
      return;
   for (size_t i = 0; i < bytes; i++) {
      if (applied[i] != deferred[i])
         fail_msg("stream %u, %s: byte 0x%zx is 0x%02x, with all clears applied 0x%02x", number,
                  how, i, deferred[i], applied[i]);
   }
}

struct shown {
   const struct target *target;
   const uint8_t *applied; /* the device's memory as it would be */
   unsigned blocks;        /* that are cleared */
};

static void
check_shown(void *user, const uint8_t *bytes, const struct attila_cleared *cleared)
{
   struct shown *s = user;
   const struct target *t = s->target;
   for (uint32_t y = 0; y < t->height; y++) {
      for (uint32_t x = 0; x < t->width; x++) {
         const uint64_t at = attila_element_offset(t->pitch, 1, 4, x, y, 0);
         const bool is = cleared->blocks && cleared->blocks[at / (64 * 64 * 4)];
         const uint8_t *pixel = is ? cleared->element : bytes + at;
         if (memcmp(pixel, s->applied + t->address + at, 4))
            fail_msg("pixel (%u, %u), which is %s, is wrong", x, y, is ? "cleared" : "in memory");
         s->blocks += is && x % 64 == 0 && y % 64 == 0;
      }
   }
}

/* The surface in the window's place; how many blocks of it had not been filled. */
static unsigned
show(struct attila_sim *sim, const struct target *t, const uint8_t *applied)
{
   struct shown shown = {t, applied, 0};
   const struct attila_scanout s = {.address = t->address,
                                    .size =
                                        attila_surface_bytes(t->pitch, t->width, t->height, 1, 4),
                                    .pitch_tiles = t->pitch,
                                    .element_bytes = 4,
                                    .width = t->width,
                                    .height = t->height};
   assert_true(attila_sim_scanout(sim, &s, check_shown, &shown));
   return shown.blocks;
}

static void
test_deferred_clears_change_no_memory(void **state)
{
   static const unsigned threads[] = {1, 2, 5};
   unsigned blocks = 0, waiting = 0;
   for (uint32_t number = 0; number < 60; number++) {
      struct stream s;
      struct targets t;
      make_stream(&s, &t, 400 + number);
      struct attila_sim *sim = create(1, false);
      submit(sim, &s, true);
      assert_int_equal(sim->machine->func->num_deferred, 0);
      uint8_t *applied = stream_read_memory(sim, &s);
      attila_sim_destroy(sim);
      for (unsigned i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
         char how[64];
         snprintf(how, sizeof(how), "%u threads", threads[i]);
         sim = create(threads[i], true);
         submit(sim, &s, i & 1);
         waiting += sim->machine->func->num_deferred;
         blocks += show(sim, &t.color[0], applied);
         uint8_t *deferred = stream_read_memory(sim, &s);
         compare(applied, deferred, s.next, 400 + number, how);
         attila_sim_destroy(sim);
         free(deferred);
      }
      free(applied);
      free(s.words);
   }
   /* Else this was no test. */
   assert_in_range(waiting, 100, UINT32_MAX);
   assert_in_range(blocks, 50, UINT32_MAX);
}

/* More clears wait than there is room for. */
static void
test_more_clears_than_places_are_applied(void **state)
{
   struct stream s;
   struct target t[FUNC_MAX_DEFERRED + 3];
   stream_start(&s, 64, 64, 1);
   s.next = ATTILA_LARGE_ALIGN;
   s.regs.zs_address = 0;
   for (unsigned i = 0; i < FUNC_MAX_DEFERRED + 3; i++) {
      t[i] = target(&s, 8, 64, 64, 1, ATTILA_FORMAT_R8G8B8A8_UNORM);
      s.regs.color[0].address = t[i].address;
      s.regs.color[0].pitch_tiles = 8;
      stream_regs(&s);
      stream_clear(&s, (float)i / 255, 0, 0, 1, 0, 0);
   }
   struct attila_sim *sim = create(1, true);
   submit(sim, &s, false);
   assert_int_equal(sim->machine->func->num_deferred, FUNC_MAX_DEFERRED);
   uint8_t *memory = stream_read_memory(sim, &s);
   for (unsigned i = 0; i < FUNC_MAX_DEFERRED; i++)
      assert_false(sim->machine->func->deferred[i].some_wait);
   for (unsigned i = 0; i < FUNC_MAX_DEFERRED + 3; i++) {
      const uint8_t pixel[4] = {(uint8_t)i, 0, 0, 255};
      for (unsigned k = 0; k < 64 * 64; k++)
         assert_memory_equal(memory + t[i].address + 4 * k, pixel, 4);
   }
   attila_sim_destroy(sim);
   free(memory);
   free(s.words);
}

/* A draw that ends behind the vertices needs no fragment program, also while a clear waits. */
static void
test_discarding_draw_needs_no_fragment_program(void **state)
{
   static const float position[3][4] = {{0}};
   struct stream s;
   stream_start(&s, 64, 64, 1);
   s.next = ATTILA_LARGE_ALIGN;
   s.regs.zs_address = 0;
   const struct target t = target(&s, 8, 64, 64, 1, ATTILA_FORMAT_R8G8B8A8_UNORM);
   s.regs.color[0].address = t.address;
   s.regs.color[0].pitch_tiles = 8;
   stream_regs(&s);
   stream_clear(&s, 1, 0, 0, 1, 0, 0);
   stream_attrib(&s, 0, position[0], 4, 3);
   stream_program(&s, ATTILA_STAGE_VERTEX, ".vertex\nMOV o0, i0\nEND\n");
   s.regs.rasterizer_discard = 1;
   stream_regs(&s);
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
   for (unsigned threads = 1; threads <= 2; threads++) {
      struct attila_sim *sim = create(threads, true);
      submit(sim, &s, false);
      assert_int_equal(sim->machine->func->num_deferred, 1);
      attila_sim_destroy(sim);
   }
   free(s.words);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_deferred_clears_change_no_memory),
       cmocka_unit_test(test_more_clears_than_places_are_applied),
       cmocka_unit_test(test_discarding_draw_needs_no_fragment_program),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
