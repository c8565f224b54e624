/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Gallium mappings with flags that no OpenGL program can set, and the memory that a resource has
 * afterwards. Drawing with it is in tests/gl/buffers.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "attila_buffer.h"
#include "attila_coherence.h"
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_public.h"
#include "attila_resource.h"
#include "frontend/sw_winsys.h"
#include "null/null_sw_winsys.h"
#include "util/box.h"
#include "util/u_inlines.h"

enum { SIZE = 64, BYTES = SIZE * SIZE * 4 };

struct fixture {
   struct sw_winsys *winsys;
   struct pipe_screen *screen;
   struct pipe_context *ctx;
   struct pipe_resource *texture, *buffer;
};

static int
set_up(void **state)
{
   struct fixture *f = calloc(1, sizeof(*f));
   setenv("ATTILA_MODE", "functional", 1);
   f->winsys = null_sw_create();
   f->screen = attila_create_screen(f->winsys);
   assert_non_null(f->screen);
   f->ctx = f->screen->context_create(f->screen, NULL, 0);
   assert_non_null(f->ctx);
   const struct pipe_resource texture = {.target = PIPE_TEXTURE_2D,
                                         .format = PIPE_FORMAT_R8G8B8A8_UNORM,
                                         .width0 = SIZE,
                                         .height0 = SIZE,
                                         .depth0 = 1,
                                         .array_size = 1,
                                         .bind = PIPE_BIND_SAMPLER_VIEW | PIPE_BIND_RENDER_TARGET};
   f->texture = f->screen->resource_create(f->screen, &texture);
   f->buffer = pipe_buffer_create(f->screen, PIPE_BIND_VERTEX_BUFFER, PIPE_USAGE_DEFAULT, BYTES);
   assert_non_null(f->texture);
   assert_non_null(f->buffer);
   *state = f;
   return 0;
}

static int
tear_down(void **state)
{
   struct fixture *f = *state;
   pipe_resource_reference(&f->texture, NULL);
   pipe_resource_reference(&f->buffer, NULL);
   f->ctx->destroy(f->ctx);
   f->screen->destroy(f->screen);
   f->winsys->destroy(f->winsys);
   free(f);
   return 0;
}

/* Records a draw to the texture without submitting it. */
static void
draw_white(struct fixture *f)
{
   const union pipe_color_union white = {.f = {1, 1, 1, 1}};
   struct pipe_surface templat = {.format = f->texture->format};
   struct pipe_surface *surface = f->ctx->create_surface(f->ctx, f->texture, &templat);
   f->ctx->clear_render_target(f->ctx, surface, &white, 0, 0, SIZE, SIZE, false);
   pipe_surface_reference(&surface, NULL);
}

/* Marks the buffer as used by the next draw. */
static void
use_buffer(struct fixture *f)
{
   static const uint8_t data[BYTES];
   f->ctx->buffer_subdata(f->ctx, f->buffer, 0, 0, BYTES / 2, data);
   attila_resource_use(&attila_context(f->ctx)->cs, attila_resource(f->buffer));
}

static uint32_t
address(const struct pipe_resource *resource)
{
   return attila_resource((struct pipe_resource *)resource)->bo.address;
}

static void
test_read_without_blocking(void **state)
{
   struct fixture *f = *state;
   struct pipe_transfer *transfer;
   struct pipe_box box;
   u_box_2d(0, 0, SIZE, SIZE, &box);
   draw_white(f);
   const unsigned usage = PIPE_MAP_READ | PIPE_MAP_DONTBLOCK;
   assert_null(f->ctx->texture_map(f->ctx, f->texture, 0, usage, &box, &transfer));
   /* The commands that it would have waited for are submitted now. */
   const uint32_t *map = f->ctx->texture_map(f->ctx, f->texture, 0, usage, &box, &transfer);
   assert_non_null(map);
   assert_int_equal(map[5], 0xffffffff);
   f->ctx->texture_unmap(f->ctx, transfer);

   /* There is nothing to wait for, since the contents are not read. */
   draw_white(f);
   map = f->ctx->texture_map(f->ctx, f->texture, 0,
                             PIPE_MAP_WRITE | PIPE_MAP_DONTBLOCK | PIPE_MAP_DISCARD_RANGE, &box,
                             &transfer);
   assert_non_null(map);
   f->ctx->texture_unmap(f->ctx, transfer);

   /* A buffer's system memory is always available. */
   use_buffer(f);
   u_box_1d(0, BYTES, &box);
   void *data = f->ctx->buffer_map(
       f->ctx, f->buffer, 0, PIPE_MAP_READ | PIPE_MAP_WRITE | PIPE_MAP_DONTBLOCK, &box, &transfer);
   assert_non_null(data);
   f->ctx->buffer_unmap(f->ctx, transfer);
}

/* Returns whether a buffer in use gets other memory when a range of it is mapped. */
static bool
moves(struct fixture *f, unsigned usage, unsigned offset, unsigned size)
{
   struct pipe_transfer *transfer;
   struct pipe_box box;
   use_buffer(f);
   const uint32_t before = address(f->buffer);
   u_box_1d(offset, size, &box);
   assert_non_null(
       f->ctx->buffer_map(f->ctx, f->buffer, 0, PIPE_MAP_WRITE | usage, &box, &transfer));
   f->ctx->buffer_unmap(f->ctx, transfer);
   return address(f->buffer) != before;
}

static void
test_discarded_busy_buffer_gets_fresh_memory(void **state)
{
   struct fixture *f = *state;
   assert_true(moves(f, PIPE_MAP_DISCARD_WHOLE_RESOURCE, 0, 4));
   /* Only the first half has been written. */
   assert_true(moves(f, PIPE_MAP_DISCARD_RANGE, 0, BYTES / 2));
   assert_false(moves(f, PIPE_MAP_DISCARD_RANGE, 0, BYTES / 4));
   assert_false(moves(f, PIPE_MAP_DISCARD_RANGE, BYTES / 4, BYTES / 4));
   assert_true(moves(f, PIPE_MAP_DISCARD_RANGE, 0, BYTES));
   assert_false(moves(f, 0, 0, BYTES));
   assert_false(moves(f, PIPE_MAP_DISCARD_WHOLE_RESOURCE | PIPE_MAP_UNSYNCHRONIZED, 0, BYTES));

   use_buffer(f);
   const uint32_t before = address(f->buffer);
   f->ctx->invalidate_resource(f->ctx, f->buffer);
   assert_int_not_equal(address(f->buffer), before);
   /* An idle buffer keeps its memory. */
   const uint32_t fresh = address(f->buffer);
   f->ctx->invalidate_resource(f->ctx, f->buffer);
   assert_int_equal(address(f->buffer), fresh);
}

static void
test_discarded_busy_texture_gets_fresh_memory(void **state)
{
   static uint8_t texels[BYTES];
   struct fixture *f = *state;
   struct pipe_box whole, part;
   u_box_2d(0, 0, SIZE, SIZE, &whole);
   u_box_2d(0, 0, SIZE, SIZE / 2, &part);
   draw_white(f);
   uint32_t before = address(f->texture);
   f->ctx->texture_subdata(f->ctx, f->texture, 0, PIPE_MAP_WRITE, &part, texels, SIZE * 4, BYTES);
   assert_int_equal(address(f->texture), before);
   draw_white(f);
   f->ctx->texture_subdata(f->ctx, f->texture, 0, PIPE_MAP_WRITE, &whole, texels, SIZE * 4, BYTES);
   assert_int_not_equal(address(f->texture), before);
   before = address(f->texture);
   f->ctx->texture_subdata(f->ctx, f->texture, 0, PIPE_MAP_WRITE, &whole, texels, SIZE * 4, BYTES);
   assert_int_equal(address(f->texture), before);
}

/* Lets a command write value to words [first, last) of the buffer, which the CPU does not know. */
static void
gpu_writes(struct fixture *f, uint32_t first, uint32_t last, uint32_t value)
{
   uint32_t words[BYTES / 4];
   struct attila_cs *cs = &attila_context(f->ctx)->cs;
   for (uint32_t i = first; i < last; i++)
      words[i] = value;
   attila_buffer_gpu_writes(cs, attila_resource(f->buffer), first * 4, last * 4);
   attila_cs_write_buffer(cs, address(f->buffer) + first * 4, words + first, (last - first) * 4,
                          false);
}

static void
cpu_writes(struct fixture *f, unsigned usage, uint32_t first, uint32_t last, uint32_t value)
{
   struct pipe_transfer *transfer;
   uint32_t *map = pipe_buffer_map_range(f->ctx, f->buffer, first * 4, (last - first) * 4,
                                         PIPE_MAP_WRITE | usage, &transfer);
   assert_non_null(map);
   for (uint32_t i = 0; i < last - first; i++)
      map[i] = value;
   pipe_buffer_unmap(f->ctx, transfer);
}

/* Checks that words [first, last) of a buffer are value. */
static void
reads(struct fixture *f, struct pipe_resource *buffer, uint32_t first, uint32_t last,
      uint32_t value)
{
   struct pipe_transfer *transfer;
   const uint32_t *map = pipe_buffer_map_range(f->ctx, buffer, first * 4, (last - first) * 4,
                                               PIPE_MAP_READ, &transfer);
   assert_non_null(map);
   for (uint32_t i = 0; i < last - first; i++)
      assert_int_equal(map[i], value);
   pipe_buffer_unmap(f->ctx, transfer);
}

static void
test_what_commands_write_is_read_back(void **state)
{
   struct fixture *f = *state;
   cpu_writes(f, 0, 0, 100, 1);
   gpu_writes(f, 10, 20, 2);
   gpu_writes(f, 40, 50, 3);
   /* The CPU writes after the GPU: between the GPU's ranges, and in a part of one. */
   cpu_writes(f, 0, 30, 32, 4);
   cpu_writes(f, 0, 15, 16, 5);
   reads(f, f->buffer, 0, 10, 1);
   reads(f, f->buffer, 10, 15, 2);
   reads(f, f->buffer, 15, 16, 5);
   reads(f, f->buffer, 16, 20, 2);
   reads(f, f->buffer, 20, 30, 1);
   reads(f, f->buffer, 30, 32, 4);
   reads(f, f->buffer, 40, 50, 3);
   reads(f, f->buffer, 50, 100, 1);
   /* The GPU writes again, then the CPU overwrites a discarded range without a read. */
   gpu_writes(f, 0, 30, 6);
   cpu_writes(f, PIPE_MAP_DISCARD_RANGE, 10, 20, 7);
   gpu_writes(f, 18, 19, 8);
   reads(f, f->buffer, 10, 18, 7);
   reads(f, f->buffer, 18, 19, 8);
   reads(f, f->buffer, 20, 30, 6);
   reads(f, f->buffer, 30, 32, 4);
}

static void
test_what_commands_write_is_copied(void **state)
{
   struct fixture *f = *state;
   struct pipe_box box;
   struct pipe_resource *copy =
       pipe_buffer_create(f->screen, PIPE_BIND_VERTEX_BUFFER, PIPE_USAGE_DEFAULT, BYTES);
   cpu_writes(f, 0, 0, 100, 1);
   gpu_writes(f, 200, 210, 2);
   u_box_1d(190 * 4, 20 * 4, &box);
   f->ctx->resource_copy_region(f->ctx, copy, 0, 0, 0, 0, f->buffer, 0, &box);
   reads(f, copy, 0, 10, 0);
   reads(f, copy, 10, 20, 2);
   pipe_resource_reference(&copy, NULL);
}

/* A non-blocking read fails until the commands have executed. */
static void
test_read_back_without_blocking(void **state)
{
   struct fixture *f = *state;
   struct pipe_transfer *transfer;
   struct pipe_box box;
   gpu_writes(f, 0, 10, 2);
   u_box_1d(0, 40, &box);
   const unsigned usage = PIPE_MAP_READ | PIPE_MAP_DONTBLOCK;
   assert_null(f->ctx->buffer_map(f->ctx, f->buffer, 0, usage, &box, &transfer));
   u_box_1d(40, 40, &box);
   assert_non_null(f->ctx->buffer_map(f->ctx, f->buffer, 0, usage, &box, &transfer));
   f->ctx->buffer_unmap(f->ctx, transfer);
   u_box_1d(0, 40, &box);
   const uint32_t *map = f->ctx->buffer_map(f->ctx, f->buffer, 0, usage, &box, &transfer);
   assert_non_null(map);
   assert_int_equal(map[9], 2);
   f->ctx->buffer_unmap(f->ctx, transfer);
   /* A discarded range belongs to neither side. */
   gpu_writes(f, 0, 10, 3);
   f->ctx->invalidate_resource(f->ctx, f->buffer);
   u_box_1d(0, 40, &box);
   assert_non_null(f->ctx->buffer_map(f->ctx, f->buffer, 0, usage, &box, &transfer));
   f->ctx->buffer_unmap(f->ctx, transfer);
}

/* A buffer may be unmapped in another context, which outlives the first. */
static void
test_transfer_changes_context(void **state)
{
   struct fixture *f = *state;
   struct pipe_context *other = f->screen->context_create(f->screen, NULL, 0);
   struct pipe_transfer *transfers[100];
   struct pipe_box box;
   u_box_1d(0, 16, &box);
   for (unsigned i = 0; i < 100; i++)
      assert_non_null(other->buffer_map(other, f->buffer, 0, PIPE_MAP_WRITE, &box, &transfers[i]));
   for (unsigned i = 0; i < 50; i++)
      f->ctx->buffer_unmap(f->ctx, transfers[i]);
   other->destroy(other);
   for (unsigned i = 50; i < 100; i++)
      f->ctx->buffer_unmap(f->ctx, transfers[i]);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test_setup_teardown(test_read_without_blocking, set_up, tear_down),
       cmocka_unit_test_setup_teardown(test_discarded_busy_buffer_gets_fresh_memory, set_up,
                                       tear_down),
       cmocka_unit_test_setup_teardown(test_discarded_busy_texture_gets_fresh_memory, set_up,
                                       tear_down),
       cmocka_unit_test_setup_teardown(test_what_commands_write_is_read_back, set_up, tear_down),
       cmocka_unit_test_setup_teardown(test_what_commands_write_is_copied, set_up, tear_down),
       cmocka_unit_test_setup_teardown(test_read_back_without_blocking, set_up, tear_down),
       cmocka_unit_test_setup_teardown(test_transfer_changes_context, set_up, tear_down),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
