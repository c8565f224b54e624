/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Layered rendering by command streams, in both modes: primitives that choose layers of a colour
 * and a depth buffer leave what draws to each layer alone leave; layers that do not exist; clears
 * of a layer before and after; layers as textures; more layers than the ROPs keep surfaces of. Not
 * here: who writes the layer (test_geometry_stage). */
#include "func_stream.h"

#define WIDTH 45
#define HEIGHT 37
#define TRIANGLES 60

struct scene {
   struct stream s;
   uint32_t layers, stride, color, zs;
};

/* Layers of 45 x 37 pixels, cleared one by one. */
static void
start(struct scene *c, uint32_t layers, unsigned samples)
{
   float position[3 * TRIANGLES][4], color[3 * TRIANGLES][4];
   uint32_t x = 7;
   stream_start(&c->s, WIDTH, HEIGHT, samples);
   c->layers = layers;
   c->stride = (uint32_t)attila_surface_bytes(attila_surface_pitch(WIDTH, HEIGHT), WIDTH, HEIGHT,
                                              samples ? samples : 1, 4);
   c->stride = (c->stride + 255) & ~255u;
   c->color = c->s.regs.color[0].address = stream_alloc(&c->s, (size_t)layers * c->stride);
   c->zs = c->s.regs.zs_address = stream_alloc(&c->s, (size_t)layers * c->stride);
   for (unsigned v = 0; v < 3 * TRIANGLES; v++) {
      for (unsigned i = 0; i < 4; i++) {
         x = x * 1664525 + 1013904223;
         position[v][i] = i < 3 ? (float)(x >> 8) / (float)(1 << 23) - 1.0f : 1.0f;
         x = x * 1664525 + 1013904223;
         color[v][i] = (float)(x >> 8) / (float)(1 << 24);
      }
   }
   stream_attrib(&c->s, 0, position[0], 4, 3 * TRIANGLES);
   stream_attrib(&c->s, 1, color[0], 4, 3 * TRIANGLES);
   c->s.regs.z_test = c->s.regs.z_write = 1;
   c->s.regs.z_func = ATTILA_FUNC_LESS;
   for (uint32_t l = 0; l < layers; l++) {
      c->s.regs.color[0].address = c->color + l * c->stride;
      c->s.regs.zs_address = c->zs + l * c->stride;
      stream_regs(&c->s);
      stream_clear(&c->s, 0, 0, (float)l / (float)layers, 1, .75f, 0);
   }
   c->s.regs.color[0].address = c->color;
   c->s.regs.zs_address = c->zs;
   stream_program(&c->s, ATTILA_STAGE_VERTEX, ".vertex\nMOV o0, i0\nMOV o1, i1\nEND\n");
   stream_program(&c->s, ATTILA_STAGE_FRAGMENT, ".fragment\nMOV o0, i1\nEND\n");
   static const struct attila_cmd_geometry on = {.enable = 1, .input = {0, 1}};
   stream_command(&c->s, ATTILA_CMD_GEOMETRY, &on, sizeof(on) / 4);
}

/* The layer is the primitive's number, plus first. */
static void
geometry(struct scene *c, int first)
{
   char text[400];
   snprintf(text, sizeof(text),
            ".geometry 3 3 3\n.literal 0x%08x, 0, 0, 0\nMOV o0, i0\nMOV o1, i8\nIADD o2.x, i7.x, "
            "l0.x\nEMIT\nMOV o0, i1\nMOV o1, i9\nEMIT\nMOV o0, i2\nMOV o1, i10\nEMIT\nEND\n",
            (unsigned)first);
   stream_program(&c->s, ATTILA_STAGE_GEOMETRY, text);
}

static void
layered(struct scene *c, uint32_t count, uint32_t output)
{
   const struct attila_cmd_layers l = {
       .count = count, .output = output, .color_stride = {c->stride}, .zs_stride = c->stride};
   stream_command(&c->s, ATTILA_CMD_LAYERS, &l, sizeof(l) / 4);
}

/* Triangles from `first` on, each alone in its layer, without layers. */
static void
draw_apart(struct scene *c, unsigned first, unsigned count, int layer)
{
   for (unsigned t = 0; t < count; t++) {
      const uint32_t l = (uint32_t)(layer + (int)t) < c->layers ? (uint32_t)(layer + (int)t) : 0;
      c->s.regs.color[0].address = c->color + l * c->stride;
      c->s.regs.zs_address = c->zs + l * c->stride;
      stream_draw(&c->s, ATTILA_PRIM_TRIANGLES, 3 * (first + t), 3);
   }
}

/* What layers hold afterwards, the same in both modes. */
static uint8_t *
run(struct scene *c)
{
   static const enum attila_mode modes[] = {ATTILA_MODE_FUNCTIONAL, ATTILA_MODE_CYCLE};
   uint8_t *memory[2];
   const size_t size = (size_t)c->layers * c->stride;
   stream_flush(&c->s);
   uint32_t *words = malloc(c->s.num * 4);
   const size_t all = c->s.num;
   memcpy(words, c->s.words, all * 4);
   for (unsigned m = 0; m < 2; m++) {
      if (m)
         stream_words(&c->s, words, all);
      struct attila_sim *sim = stream_run(&c->s, modes[m]);
      memory[m] = malloc(2 * size);
      assert_true(attila_sim_read(sim, c->color, memory[m], size));
      assert_true(attila_sim_read(sim, c->zs, memory[m] + size, size));
      attila_sim_destroy(sim);
   }
   assert_memory_equal(memory[0], memory[1], 2 * size);
   free(words);
   free(memory[1]);
   return memory[0];
}

/* Both scenes leave the same. */
static void
check_same(struct scene c[2])
{
   uint8_t *a = run(&c[0]), *b = run(&c[1]);
   assert_memory_equal(a, b, 2 * (size_t)c[0].layers * c[0].stride);
   free(a);
   free(b);
}

static void
layers_are_as_if_drawn_alone(void **unused)
{
   for (unsigned samples = 0; samples <= 4; samples += 4) {
      struct scene c[2];
      for (unsigned i = 0; i < 2; i++) {
         start(&c[i], 5, samples);
         geometry(&c[i], 0);
         layered(&c[i], i ? 0 : 5, 2);
         for (unsigned first = 0; first < TRIANGLES; first += 5) {
            if (i)
               draw_apart(&c[i], first, 5, 0);
            else
               stream_draw(&c[i].s, ATTILA_PRIM_TRIANGLES, 3 * first, 15);
         }
      }
      check_same(c);
   }
}

/* Before the first and behind the last one there is layer 0. */
static void
layers_that_do_not_exist_are_the_first(void **unused)
{
   struct scene c[2];
   for (unsigned i = 0; i < 2; i++) {
      start(&c[i], 3, 0);
      geometry(&c[i], -2);
      layered(&c[i], i ? 1 : 3, 2);
      if (i)
         draw_apart(&c[i], 0, 10, -2);
      else
         stream_draw(&c[i].s, ATTILA_PRIM_TRIANGLES, 0, 30);
   }
   check_same(c);
}

/* Without a layer in its vertices a draw is in the first. */
static void
vertices_without_a_layer_are_in_the_first(void **unused)
{
   struct scene c[2];
   for (unsigned i = 0; i < 2; i++) {
      start(&c[i], 3, 0);
      geometry(&c[i], 1);
      layered(&c[i], i ? 0 : 3, i ? 2 : 9);
      stream_draw(&c[i].s, ATTILA_PRIM_TRIANGLES, 0, 30);
   }
   check_same(c);
}

/* A layer that is cleared between draws. */
static void
clears_are_of_one_layer(void **unused)
{
   struct scene c[2];
   for (unsigned i = 0; i < 2; i++) {
      start(&c[i], 4, 0);
      geometry(&c[i], 0);
      for (unsigned n = 0; n < 6; n++) {
         layered(&c[i], i ? 0 : 4, 2);
         if (i) {
            draw_apart(&c[i], 4 * n, 4, 0);
         } else {
            stream_draw(&c[i].s, ATTILA_PRIM_TRIANGLES, 12 * n, 12);
         }
         c[i].s.regs.color[0].address = c[i].color + n % 4 * c[i].stride;
         c[i].s.regs.zs_address = c[i].zs + n % 4 * c[i].stride;
         stream_regs(&c[i].s);
         if (n < 4)
            stream_clear(&c[i].s, 1, 0, 0, 1, .9f, 0);
         c[i].s.regs.color[0].address = c[i].color;
         c[i].s.regs.zs_address = c[i].zs;
      }
   }
   check_same(c);
}

/* The last layer but one is a texture of draws to the last, between draws that write it. */
static void
layers_are_read(void **unused)
{
   struct scene c[2];
   for (unsigned i = 0; i < 2; i++) {
      struct stream *s = &c[i].s;
      start(&c[i], 5, 0);
      geometry(&c[i], 0);
      for (unsigned n = 0; n < 4; n++) {
         const uint32_t bits = ATTILA_FLUSH_COLOR | ATTILA_FLUSH_TEXTURE;
         layered(&c[i], i ? 0 : 4, 2);
         stream_program(s, ATTILA_STAGE_FRAGMENT, ".fragment\nMOV o0, i1\nEND\n");
         if (i)
            draw_apart(&c[i], 4 * n, 4, 0);
         else
            stream_draw(s, ATTILA_PRIM_TRIANGLES, 12 * n, 12);
         stream_command(s, ATTILA_CMD_FLUSH, &bits, 1);
         layered(&c[i], 0, 2);
         stream_program(s, ATTILA_STAGE_FRAGMENT, ".fragment\nTEX o0, i1, t0, 2D\nEND\n");
         s->regs.tex[0] = (struct attila_tex_regs){.enable = 1,
                                                   .target = ATTILA_TEX_2D,
                                                   .format = s->regs.color[0].format,
                                                   .address = c[i].color + 3 * c[i].stride,
                                                   .width = WIDTH,
                                                   .height = HEIGHT,
                                                   .depth = 1,
                                                   .num_levels = 1,
                                                   .swizzle = 0 | 1 << 3 | 2 << 6 | 3 << 9,
                                                   .mip_filter = ATTILA_MIP_NONE,
                                                   .max_aniso = 1};
         c[i].s.regs.color[0].address = c[i].color + 4 * c[i].stride;
         c[i].s.regs.zs_address = c[i].zs + 4 * c[i].stride;
         stream_draw(s, ATTILA_PRIM_TRIANGLES, 12 * n + 30, 30);
         s->regs.tex[0].enable = 0;
         c[i].s.regs.color[0].address = c[i].color;
         c[i].s.regs.zs_address = c[i].zs;
      }
   }
   check_same(c);
}

/* More than the ROPs remember. */
static void
more_layers_than_the_rops_remember_are_right(void **unused)
{
   struct scene c[2];
   for (unsigned i = 0; i < 2; i++) {
      start(&c[i], 90, 0);
      geometry(&c[i], 20);
      layered(&c[i], i ? 0 : 90, 2);
      for (unsigned n = 0; n < 3; n++) {
         geometry(&c[i], 20 + 5 * (int)n);
         if (i)
            draw_apart(&c[i], 0, TRIANGLES, 20 + 5 * (int)n);
         else
            stream_draw(&c[i].s, ATTILA_PRIM_TRIANGLES, 0, 3 * TRIANGLES);
      }
   }
   check_same(c);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(layers_are_as_if_drawn_alone),
       cmocka_unit_test(layers_that_do_not_exist_are_the_first),
       cmocka_unit_test(vertices_without_a_layer_are_in_the_first),
       cmocka_unit_test(clears_are_of_one_layer),
       cmocka_unit_test(layers_are_read),
       cmocka_unit_test(more_layers_than_the_rops_remember_are_right),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
