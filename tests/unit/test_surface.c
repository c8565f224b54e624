/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The layout of surfaces (hw/attila_surface.h): every element has its own place, bounds are exact,
 * and draws, blits and clears accept the same surfaces. */
#include "raster_state.h"
#include "emul/rop/emul_blit.h"
#include "hw/attila_surface.h"

static void
elements_have_their_own_places(void **unused __attribute__((unused)))
{
   for (unsigned n = 0; n < 200; n++) {
      uint32_t width = 1 + random_u32() % 40, height = 1 + random_u32() % 40;
      uint32_t samples = 1u << random_u32() % 4, bytes = 1u << random_u32() % 5;
      uint32_t pitch = (width + 7) / 8 + random_u32() % 3;
      uint64_t size = attila_surface_bytes(pitch, width, height, samples, bytes), last = 0;
      uint8_t *used = calloc(1, size);
      for (uint32_t y = 0; y < height; y++) {
         for (uint32_t x = 0; x < width; x++) {
            for (uint32_t s = 0; s < samples; s++) {
               uint64_t at = attila_element_offset(pitch, samples, bytes, x, y, s);
               assert_true(at % bytes == 0 && at + bytes <= size);
               assert_int_equal(used[at]++, 0);
               last = at > last ? at : last;
            }
         }
      }
      /* Quads, and the samples of a tile, are where they are said to be. */
      uint64_t tile = attila_tile_offset(pitch, samples, bytes, (width - 1) / 8, (height - 1) / 8);
      assert_int_equal(tile + 64 * samples * bytes, size);
      assert_true(last >= tile);
      assert_int_equal(attila_element_offset(pitch, samples, bytes, 1, 0, 0), bytes);
      assert_int_equal(attila_element_offset(pitch, samples, bytes, 0, 1, 0), 2 * bytes);
      assert_int_equal(attila_element_offset(pitch, samples, bytes, 2, 0, 0), 4 * samples * bytes);
      assert_int_equal(attila_element_offset(pitch, samples, bytes, 1, 1, samples - 1),
                       (4 * samples - 1) * bytes);
      assert_int_equal(attila_element_offset(pitch, samples, bytes, 7, 7, samples - 1),
                       (64 * samples - 1) * bytes);
      free(used);
   }
}

/* Tiles by their number: superblocks one after the other, Morton order inside, of the side that the
 * length of a row allows. */
static void
tiles_have_their_numbers(void **unused __attribute__((unused)))
{
   static const struct {
      uint32_t pitch, tx, ty, number;
   } known[] = {
       {80, 0, 0, 0},  {80, 1, 0, 1},  {80, 0, 1, 2},   {80, 2, 0, 4},       {80, 7, 7, 63},
       {80, 8, 0, 64}, {80, 9, 1, 67}, {80, 0, 8, 640}, {80, 79, 59, 5087},  {12, 3, 3, 15},
       {12, 4, 0, 16}, {12, 0, 4, 48}, {6, 1, 1, 3},    {6, 2, 0, 4},        {6, 0, 2, 12},
       {5, 4, 0, 4},   {5, 0, 1, 5},   {1, 0, 7, 7},    {16, 8, 3, 64 + 10},
   };
   for (unsigned i = 0; i < sizeof(known) / sizeof(*known); i++)
      assert_int_equal(attila_tile_number(known[i].pitch, known[i].tx, known[i].ty),
                       known[i].number);
   for (unsigned n = 0; n < 300; n++) {
      uint32_t pitch = 1 + random_u32() % 40, tx, ty;
      for (uint32_t number = 0; number < 500; number++) {
         attila_tile_of_number(pitch, number, &tx, &ty);
         assert_true(tx < pitch);
         assert_int_equal(attila_tile_number(pitch, tx, ty), number);
      }
      /* Every tile of a rectangle once, in the order of memory. */
      struct attila_tile_rect r = {.x0 = random_u32() % pitch, .y0 = random_u32() % 20};
      r.x1 = r.x0 + random_u32() % (pitch + 1 - r.x0), r.y1 = r.y0 + random_u32() % 20;
      uint32_t next = 0, found = 0;
      while ((next = attila_next_tile(pitch, &r, next, &tx, &ty)) != UINT32_MAX) {
         assert_true(tx >= r.x0 && tx < r.x1 && ty >= r.y0 && ty < r.y1);
         assert_int_equal(attila_tile_number(pitch, tx, ty), next);
         next++;
         found++;
      }
      assert_int_equal(found, (r.x1 - r.x0) * (r.y1 - r.y0));
      /* The same in squares. */
      next = found = 0;
      while ((next = attila_next_tile(pitch, &r, next, &tx, &ty)) != UINT32_MAX) {
         const uint32_t num = attila_tiles_together(pitch, &r, next, tx, ty);
         for (uint32_t i = 0, x, y; i < num; i++) {
            attila_tile_of_number(pitch, next + i, &x, &y);
            assert_true(x >= r.x0 && x < r.x1 && y >= r.y0 && y < r.y1);
            assert_int_equal(x, tx + ATTILA_GATHER8(i));
            assert_int_equal(y, ty + ATTILA_GATHER8(i >> 1));
         }
         next += num;
         found += num;
      }
      assert_int_equal(found, (r.x1 - r.x0) * (r.y1 - r.y0));
   }
}

/* Whole superblocks where they cost little, and never more than half as much memory again. */
static void
rows_are_padded(void **unused __attribute__((unused)))
{
   assert_int_equal(attila_surface_pitch(640, 480), 80);
   assert_int_equal(attila_surface_pitch(800, 600), 104);
   assert_int_equal(attila_surface_pitch(64, 64), 8);
   assert_int_equal(attila_surface_pitch(32, 32), 8); /* part of one superblock, without a gap */
   assert_int_equal(attila_surface_pitch(96, 72), 12);
   assert_int_equal(attila_surface_pitch(48, 40), 6);
   assert_int_equal(attila_surface_pitch(512, 1), 65);
   assert_int_equal(attila_surface_pitch(ATTILA_MAX_SURFACE_DIM, 1), 1025);
   for (unsigned n = 0; n < 20000; n++) {
      uint32_t width = 1 + random_u32() % (n % 3 ? 200 : ATTILA_MAX_SURFACE_DIM);
      uint32_t height = 1 + random_u32() % (n % 2 ? 200 : ATTILA_MAX_SURFACE_DIM);
      uint32_t pitch = attila_surface_pitch(width, height);
      uint64_t tiles = (uint64_t)((width + 7) / 8) * ((height + 7) / 8);
      assert_in_range(pitch, (width + 7) / 8, ATTILA_MAX_PITCH_TILES);
      uint64_t bytes = attila_surface_bytes(pitch, width, height, 1, 4);
      /* A row alone may have an odd tile more. */
      assert_true(bytes <=
                  tiles * 384 + (attila_super_shift(pitch) ? 0 : 256 * ((height + 7) / 8)));
   }
}

/* Large surfaces are whole superblocks of 4-byte elements. */
static void
large_surfaces_are_aligned(void **unused __attribute__((unused)))
{
   struct attila_layout l;
   attila_surface_layout(640, 480, 1, 0, 1, 1, 4, 1, 1, &l);
   assert_int_equal(l.align, 16384);
   assert_int_equal(l.size, 640 * 512 * 4);
   attila_surface_layout(64, 64, 1, 0, 7, 1, 4, 1, 1, &l);
   assert_int_equal(l.align, ATTILA_SURFACE_ALIGN);
   assert_true(l.size < 4 * 16384 && l.size % l.align == 0);
}

static void
bounds_are_exact(void **unused __attribute__((unused)))
{
   const uint64_t memory = 1u << 20, size = attila_surface_bytes(5, 33, 17, 2, 4);
   assert_int_equal(size, (2 * 5 + 5) * 64 * 2 * 4);
   assert_true(attila_surface_fits(memory, memory - size, 5, 33, 17, 2, 4));
   assert_false(attila_surface_fits(memory, memory - size + 1, 5, 33, 17, 2, 4));
   assert_false(attila_surface_fits(memory, 0, 4, 33, 17, 2, 4));
   assert_true(attila_surface_fits(memory, 0, ATTILA_MAX_PITCH_TILES, 33, 8, 1, 4));
   assert_false(attila_surface_fits(memory, 0, ATTILA_MAX_PITCH_TILES + 1, 33, 8, 1, 4));
   assert_false(attila_surface_fits(memory, 0, 0xffffffff, 0xffffffff, 0xffffffff, 8, 16));
   assert_false(attila_surface_fits(memory, 0xffffff00, 1, 8, 8, 1, 4));
   assert_int_equal(attila_surface_bytes(3, 0, 9, 1, 4), 0);
   assert_int_equal(attila_surface_bytes(3, 9, 0, 1, 4), 0);
   /* The largest surface there can be does not wrap. */
   assert_true(attila_surface_bytes(ATTILA_MAX_PITCH_TILES, ATTILA_MAX_SURFACE_DIM,
                                    ATTILA_MAX_SURFACE_DIM, 8, 16) >= 1ull << 33);
}

/* Draws and blits at the limits of pitch and memory. */
static void
all_accept_the_same(void **unused __attribute__((unused)))
{
   unsigned accepted = 0;
   for (unsigned n = 0; n < 3000; n++) {
      uint32_t width = 1 + random_u32() % 90, height = 1 + random_u32() % 60;
      uint32_t samples = 1u << random_u32() % 4, format = ATTILA_FORMAT_R8G8B8A8_UNORM;
      uint32_t pitch = (width + 7) / 8 + random_u32() % 3 - 1;
      if (random_u32() % 8 == 0)
         pitch = ATTILA_MAX_PITCH_TILES - 1 + random_u32() % 3;
      uint64_t size = attila_surface_bytes(pitch, width, height, samples, 4);
      uint32_t address = (uint32_t)((MEMORY - size - 512 + random_u32() % 1024) & ~255ull);
      bool fits = attila_surface_fits(MEMORY, address, pitch, width, height, samples, 4);
      struct attila_regs regs;
      struct emul_draw_state state;
      struct attila_cmd_draw draw = {.count = 3, .num_instances = 1};
      char error[256];
      state_regs(&regs, width, height);
      state_init(&state, &regs, ATTILA_PRIM_TRIANGLES, ".fragment\nMOV o0, i1\nEND\n");
      regs.fb_samples = samples;
      regs.color[0] = (struct attila_color_regs){
          .address = address, .format = format, .pitch_tiles = pitch, .write_mask = 15};
      assert_int_equal(emul_draw_state_init(&state, &regs, &draw, MEMORY, error, sizeof(error)),
                       fits);
      memset(&regs.color[0], 0, sizeof(regs.color[0]));
      regs.zs_address = address, regs.zs_format = ATTILA_FORMAT_Z24S8, regs.zs_pitch_tiles = pitch;
      assert_int_equal(emul_draw_state_init(&state, &regs, &draw, MEMORY, error, sizeof(error)),
                       fits);
      struct attila_cmd_blit blit = {.src = {.address = 0, .pitch_tiles = (width + 7) / 8},
                                     .dst = {.address = address, .pitch_tiles = pitch},
                                     .width = width,
                                     .height = height,
                                     .depth = 1,
                                     .element_bytes = 4,
                                     .samples = samples};
      if (pitch) /* a pitch of 0 is a linear surface */
         assert_int_equal(emul_blit_check(&blit, MEMORY, error, sizeof(error)), fits);
      accepted += fits;
   }
   assert_true(accepted > 300 && accepted < 2700);
}

/* A framebuffer of 64 x 64 pixels: 16384 bytes a buffer of four bytes a pixel. Two buffers that a
 * draw uses may not share memory, unless they are one image that is attached twice. */
static void
buffers_of_a_draw_are_apart(void **unused __attribute__((unused)))
{
   static const struct {
      uint32_t format, address, pitch, write_mask;
      bool depth, accepted;
   } other[] = {
       {ATTILA_FORMAT_R8G8B8A8_UNORM, 0x14000, 8, 15, false, true},
       {ATTILA_FORMAT_R8G8B8A8_UNORM, 0x13f00, 8, 15, false, false},
       {ATTILA_FORMAT_R8G8B8A8_UNORM, 0x0c100, 8, 15, false, false},
       {ATTILA_FORMAT_R8G8B8A8_UNORM, 0x0c000, 8, 15, false, true},
       {ATTILA_FORMAT_R8G8B8A8_UNORM, 0x11000, 8, 0, false, true},
       {ATTILA_FORMAT_R8G8B8A8_UNORM, 0x10000, 8, 15, false, true},
       {ATTILA_FORMAT_R8G8B8A8_UNORM, 0x10000, 9, 15, false, false},
       {ATTILA_FORMAT_B8G8R8A8_UNORM, 0x10000, 8, 15, false, false},
       {ATTILA_FORMAT_Z24S8, 0x14000, 8, 0, true, true},
       {ATTILA_FORMAT_Z24S8, 0x10000, 8, 0, true, false},
   };
   for (unsigned i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
      struct attila_regs regs;
      struct emul_draw_state state;
      struct attila_cmd_draw draw = {.count = 3, .num_instances = 1};
      char error[256] = "";
      state_regs(&regs, 64, 64);
      state_init(&state, &regs, ATTILA_PRIM_TRIANGLES, ".fragment\nMOV o0, i1\nEND\n");
      memset(regs.color, 0, sizeof(regs.color));
      regs.fb_samples = 1;
      regs.fs_color0_to_all = 1;
      regs.zs_address = 0;
      regs.color[1] = (struct attila_color_regs){.address = 0x10000,
                                                 .format = ATTILA_FORMAT_R8G8B8A8_UNORM,
                                                 .pitch_tiles = 8,
                                                 .write_mask = 15};
      if (other[i].depth) {
         regs.zs_address = other[i].address;
         regs.zs_format = other[i].format;
         regs.zs_pitch_tiles = other[i].pitch;
      } else {
         regs.color[3] = (struct attila_color_regs){.address = other[i].address,
                                                    .format = other[i].format,
                                                    .pitch_tiles = other[i].pitch,
                                                    .write_mask = other[i].write_mask};
      }
      const bool ok = emul_draw_state_init(&state, &regs, &draw, MEMORY, error, sizeof(error));
      assert_int_equal(ok, other[i].accepted);
      if (!ok)
         assert_non_null(strstr(error, "share memory"));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(elements_have_their_own_places),
       cmocka_unit_test(tiles_have_their_numbers),
       cmocka_unit_test(rows_are_padded),
       cmocka_unit_test(large_surfaces_are_aligned),
       cmocka_unit_test(bounds_are_exact),
       cmocka_unit_test(all_accept_the_same),
       cmocka_unit_test(buffers_of_a_draw_are_apart),
   };
   return cmocka_run_group_tests_name("surface", tests, NULL, NULL);
}
