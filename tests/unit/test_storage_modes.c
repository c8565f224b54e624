/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Random streams (random_scene.h) that go on with draws whose vertex, geometry and fragment
 * programs change storage buffers and images by operations that commute: memory is the same in both
 * modes, on machines of several shapes and on random ones, with any order of boxes and number of
 * threads. Not here: what the values are (test_shader_memory, test_shader_images,
 * tests/gl/storage.sh). */
#include "random_scene.h"
#include "machine_text.h"
#include "random_config.h"
#include <unistd.h>

#define MAX_CONFIG 16384
#define STEPS 24
#define STORAGE_BYTES 4096
#define BUFFERS 8

/* Each buffer is for one operation: 0 ADD, 1 XOR, 3 UMIN, 4 OR, 5 UMAX, 6 and 7 stores of what the
 * address says; 2 is only read. Literal 0: 2, a mask, 1, 0; 1: factors and a mask; 2 and 3:
 * buffers. */
#define LITERALS                                                                                \
   ".literal 0x00000002, 0x000003fc, 0x00000001, 0x00000000\n.literal 700, 3, 0x00000fff, 64\n" \
   ".literal 0x00000003, 0x00000004, 0x00000005, 0x00000006\n.literal 0x00000007, 0, 0, 0\n"
/* Literal 4: a mask of texels, 1 and 0; 5: images; 6: what is stored of a coordinate. Image 0 is
 * only read, 1 is for ADD, the others get what the coordinates say. */
#define IMAGE_LITERALS                                                                           \
   LITERALS ".literal 0x0000003f, 0x0000003f, 0x00000001, 0x00000000\n"                          \
            ".literal 0x00000000, 0x00000001, 0x00000002, 0x00000003\n.literal 0.015, 5, 0, 0\n" \
            ".literal 0x00000004, 0x00000004, 0x00000004, 0x00000004\n"
static const char *const vertex_storage[] = {
    ".vertex\n" LITERALS "SHL r0.x, i16.x, l0.x\nAND r0.x, r0.x, l0.y\n"
    "RED r0.x, l0.w, l0.z, ADD\nRED l0.z, l2.z, i16.x, UMAX\nMOV o0, i0\nMOV o1, i1\n"
    "MOV o2, i2\nEND\n",
    ".vertex\n" LITERALS "SHL r0.x, i16.x, l0.x\nLDB r1, r0.x, l0.x\nSTB r0.x, l3.x, r0, 1\n"
    "MOV o0, i0\nMAD o1, r1, l0.w, i1\nMOV o2, i2\nEND\n",
    ".vertex\n" IMAGE_LITERALS "AND r0, i16.xyxx, l4\nLDI r1, r0, l5.x\nREDI r0, l5.y, l0.z, ADD\n"
    "MOV o0, i0\nMUL o1, r1, i1\nMOV o2, i2\nEND\n",
};
/* For geometry_programs[2], whose primitives are triangles: they stay what they are. */
static const char geometry_storage[] =
    ".geometry 3 3 3\n" LITERALS "RED l0.w, l0.w, l0.z, ADD\nRED l0.x, l0.z, i7.x, XOR\n" VERTEX_0
    "EMIT\n" VERTEX_1 "EMIT\n" VERTEX_2 "EMIT\nEND\n";
static const char *const fragment_storage[] = {
    ".fragment\n" LITERALS "MUL r0, i2, l1.x\nF2I r0, r0\nAND r0.x, r0.x, l1.z\n"
    "RED r0.x, l0.w, l0.z, ADD\nMOV o0, i1\nEND\n",
    ".fragment\n.early\n" LITERALS "MUL r0, i2, l1.x\nF2I r0, r0\nAND r0.xy, r0, l1.z\n"
    "RED r0.x, l2.x, r0.y, UMIN\nRED r0.y, l0.z, r0.x, XOR\nMOV o0, i1\nMOV o1, i2\nEND\n",
    ".fragment\n" LITERALS "KIL i1.x\nMUL r0, i2, l1.x\nF2I r0, r0\nIF i1.y\nAND r0.x, r0.x, l1.z\n"
    "STB r0.x, l2.w, l1, 1\nENDIF\nRED l1.z, l0.w, l0.z, ADD\nMOV o0, i1\nEND\n",
    ".fragment\n" LITERALS "MUL r0, i2, l1.x\nF2I r0, r0\nRED r0.x, l2.y, r0.y, OR\n"
    "LDB r1, r0.z, l0.x\nSZB r2, l0.z\nRED r0.y, l0.w, r2, ADD\nMAD o0, r1, l0.w, i1\n"
    "MOV o8.x, i1.y\nEND\n",
    ".fragment\n" IMAGE_LITERALS "MUL r0, i2, l1.x\nF2I r0, r0\nAND r0, r0, l4\n"
    "REDI r0, l5.y, l0.z, ADD\nI2F r2, r0\nMUL r2, r2, l6.x\nSTI r0, l5.z, r2.xyxy\n"
    "LDI r1, r0, l5.x\nADD o0, r1, i1\nEND\n",
    ".fragment\n" IMAGE_LITERALS "MUL r0, i2, l1.x\nF2I r0, r0\nAND r0, r0, l4\nKIL i1.x\n"
    "MOV r3, l0.w\nMOV r3.x, r0.x\nSTI r3, l5.w, r0.x\nSZI r2, l5.z\nREDI r0, l5.y, r2, ADD\n"
    "MOV r0.w, l4.w\nSTI r0.ywww, l7.x, r0.yyyy\nMOV o0, i1\nEND\n",
};
#define VERTEX_STORAGE (sizeof(vertex_storage) / sizeof(vertex_storage[0]))
#define FRAGMENT_STORAGE (sizeof(fragment_storage) / sizeof(fragment_storage[0]))

#define IMAGES 5
#define IMAGE_BYTES 32768

static uint32_t storage;  /* address of the buffers */
static uint32_t pictures; /* of the images */

/* Binds all of them; some are smaller. */
static void
bind_images(struct scene *c)
{
   static const uint8_t formats[IMAGES] = {ATTILA_FORMAT_R8G8B8A8_UNORM, ATTILA_FORMAT_R32_UINT,
                                           ATTILA_FORMAT_R8_UNORM, ATTILA_FORMAT_R16_UINT,
                                           ATTILA_FORMAT_R8G8_UINT};
   for (unsigned stage = 0; stage < ATTILA_NUM_STAGES; stage++) {
      uint32_t bind[2 + IMAGES * ATTILA_IMAGE_WORDS] = {stage, 0};
      for (unsigned i = 0; i < IMAGES; i++) {
         const bool flat = i >= 3;
         const uint32_t width = 20 + load_rnd(44);
         const struct attila_image image = {.address =
                                                pictures + IMAGE_BYTES * i + 256 * load_rnd(2),
                                            .format = formats[i],
                                            .pitch_tiles = flat ? 0 : 8,
                                            .slice_stride = flat ? 0 : 16384,
                                            .width = width,
                                            .height = flat ? 1 : 20 + load_rnd(44),
                                            .depth = flat ? 1 : 1 + load_rnd(2)};
         memcpy(bind + 2 + i * ATTILA_IMAGE_WORDS, &image, sizeof(image));
      }
      stream_command(&c->s, ATTILA_CMD_IMAGES, bind, 2 + IMAGES * ATTILA_IMAGE_WORDS);
   }
}

/* Binds all of them; some reach less far. */
static void
bind_storage(struct scene *c)
{
   for (unsigned stage = 0; stage < ATTILA_NUM_STAGES; stage++) {
      uint32_t bind[2 + 2 * BUFFERS] = {stage, 0};
      for (unsigned i = 0; i < BUFFERS; i++) {
         bind[2 + 2 * i] = storage + STORAGE_BYTES * i + 4 * load_rnd(8);
         bind[3 + 2 * i] = load_rnd(4) ? STORAGE_BYTES - 64 : load_rnd(STORAGE_BYTES / 2);
      }
      stream_command(&c->s, ATTILA_CMD_STORAGE, bind, 2 + 2 * BUFFERS);
   }
}

static void
add_storage(struct scene *c)
{
   uint32_t *words = calloc(STORAGE_BYTES, BUFFERS);
   for (unsigned i = 0; i < BUFFERS * STORAGE_BYTES / 4; i++) {
      const float small = (float)rnd(1000) / 1000.0f; /* what is read becomes colours */
      words[i] = rnd(1u << 31);
      if (i / (STORAGE_BYTES / 4) == 2)
         memcpy(&words[i], &small, 4);
   }
   storage = stream_upload(&c->s, words, BUFFERS * STORAGE_BYTES);
   free(words);
   words = calloc(IMAGE_BYTES, IMAGES);
   for (unsigned i = 0; i < IMAGES * IMAGE_BYTES / 4; i++)
      words[i] = rnd(1u << 31);
   pictures = stream_upload(&c->s, words, IMAGES * IMAGE_BYTES);
   free(words);
   for (unsigned step = 0; step < STEPS; step++) {
      if (step % 6 == 0) {
         bind_storage(c);
         bind_images(c);
      }
      if (chance(30))
         bind_any_fb(c);
      if (c->current != 1 && c->s.regs.tex[0].address == c->fb[0].color[0])
         use_texture(c);
      if (chance(20))
         clear(c);
      random_state(&c->s.regs);
      if (chance(30))
         new_vertices(c);
      stream_program(&c->s, ATTILA_STAGE_VERTEX,
                     load_rnd(2) ? vertex_storage[load_rnd(VERTEX_STORAGE)]
                                 : vertex_programs[rnd(2)]);
      if (load_rnd(4))
         stream_program(&c->s, ATTILA_STAGE_FRAGMENT, fragment_storage[load_rnd(FRAGMENT_STORAGE)]);
      else
         any_fragment_program(c);
      use_geometry(c);
      if (c->geometry == 3 && load_rnd(2))
         stream_program(&c->s, ATTILA_STAGE_GEOMETRY, geometry_storage);
      say_layers(c);
      c->s.regs.sample_shading = load_rnd(4) == 0;
      draw(c);
   }
   flush(c, ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS);
   const uint32_t fence[2] = {2, 0};
   stream_command(&c->s, ATTILA_CMD_FENCE, fence, 2);
}

static unsigned threads = 1; /* of functional mode */

/* Returns memory after the scene. */
static uint8_t *
run(const struct scene *c, enum attila_mode mode, const char *config, uint32_t order)
{
   const struct attila_sim_options o = {
       .mode = mode, .threads = threads, .box_order_seed = order, .keep_clears = true};
   struct attila_sim *sim = machine_create(o, 16, config);
   if (!attila_sim_submit(sim, c->s.words, c->s.num))
      fail_msg("%s", attila_sim_error(sim));
   assert_true(attila_sim_wait(sim, 2));
   uint8_t *memory = malloc(c->s.next);
   assert_true(attila_sim_read(sim, 0, memory, c->s.next));
   attila_sim_destroy(sim);
   return memory;
}

static void
compare(const struct scene *c, const uint8_t *want, uint8_t *got, uint32_t number,
        const char *config)
{
   for (uint32_t i = 0; i < c->s.next; i++) {
      if (want[i] != got[i])
         fail_msg(
             "scene %u: byte 0x%x, of buffer %d byte 0x%x, is 0x%02x, expected 0x%02x; machine "
             "\"%s\"",
             number, i, (int)(i - storage) / STORAGE_BYTES, (i - storage) % STORAGE_BYTES, got[i],
             want[i], config);
   }
   free(got);
}

static void
both_modes_leave_the_same_memory(void **state)
{
   const uint32_t first = sample_number("ATTILA_TEST_FIRST", 0),
                  end = first + sample_number("ATTILA_TEST_SCENES", 2);
   (void)state;
   for (uint32_t number = first; number < end; number++) {
      struct scene c;
      char config[MAX_CONFIG];
      make_scene(&c, 7000 + number);
      add_storage(&c);
      uint8_t *f = run(&c, ATTILA_MODE_FUNCTIONAL, "", 0);
      threads = 7;
      compare(&c, f, run(&c, ATTILA_MODE_FUNCTIONAL, "", 0), number, "functional, 7 threads");
      threads = 1;
      for (unsigned m = 0; m < NUM_MACHINES; m++) {
         if (sample_has(m + number))
            compare(&c, f, run(&c, ATTILA_MODE_CYCLE, machines[m], number + m), number,
                    machines[m]);
      }
      random_config(7000 + number, "", config, sizeof(config));
      free(f);
      f = run(&c, ATTILA_MODE_FUNCTIONAL, config, 0); /* filters are the machine's */
      compare(&c, f, run(&c, ATTILA_MODE_CYCLE, config, number), number, config);
      free(f);
      free(c.s.words);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(both_modes_leave_the_same_memory)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
