/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The fragment FIFO alone between mock neighbours: which shader gets a group, when a group that is
 * not full leaves, and how many groups wait for a shader. Not here: order and results behind the
 * shaders (test_shader_boxes.c). */
#include "box_bench.h"

extern const struct sim_box_class ffu_class;

#define LANES 16
#define MAX_ITEMS 1024
#define SHADERS 8

/* What the producers send, in order, not before this tick. */
struct item {
   sim_tick earliest;
   bool is_vertex, end;
   uint32_t stands; /* not 0: the streamer says that it stands after so many vertices */
   int32_t x, y;    /* of a quad, pixels */
};

/* A group that arrived at a shader. */
struct arrival {
   sim_tick tick;
   unsigned shader, num_items;
   int32_t x; /* of its first quad */
};

struct bench {
   struct sim_gpu *gpu;
   struct sim_box *ffu, *neighbours;
   struct sim_draw draw;
   struct item items[MAX_ITEMS];
   unsigned num_items, next;
   struct arrival arrivals[MAX_ITEMS];
   unsigned num_arrivals;
   sim_tick deaf[SHADERS];  /* the shader takes nothing before */
   sim_tick keeps[SHADERS]; /* it gives nothing back before */
   struct sim_group *kept[SHADERS][64];
   unsigned num_kept[SHADERS];
   sim_tick look;            /* when to count what waits for each shader */
   unsigned waited[SHADERS]; /* groups */
   unsigned quads, vertices, ends;
};

static bool
send_item(struct bench *b, const struct item *it, sim_tick now)
{
   struct sim_gpu *gpu = b->gpu;
   struct sim_draw *draw = &b->draw;
   struct sim_signal *out = it->is_vertex ? &gpu->net.sl_ffu[0] : &gpu->net.interp_ffu[0];
   if (it->stands) {
      sim_send(&gpu->net.stoc_ffu[0], now, &(struct msg_stand){.vertices = it->stands});
      return true;
   }
   if (!sim_can_send(out, now))
      return false;
   if (it->is_vertex) {
      struct sim_vertex *v = NULL;
      if (!it->end) {
         v = sim_pool_alloc(&gpu->vertices);
         memset(v, 0, sizeof(*v));
         v->draw = draw;
         v->refs = 1;
      }
      sim_send(out, now,
               &(struct msg_vertex){
                   .draw = draw, .vertex = v, .work_id = draw->work_id, .end = it->end});
      return true;
   }
   struct sim_quad *q = NULL;
   if (!it->end) {
      q = sim_quad_alloc(gpu, ATTILA_MAX_VARYINGS);
      memset(q, 0, sizeof(*q));
      q->draw = draw;
      q->work_id = draw->work_id;
      q->x = it->x;
      q->y = it->y;
      q->mask = 15;
   }
   sim_send(out, now,
            &(struct msg_quad){.draw = draw, .quad = q, .work_id = draw->work_id, .end = it->end});
   return true;
}

static void
run_shader(struct bench *b, unsigned s, sim_tick now)
{
   struct sim_netlist *net = &b->gpu->net;
   const struct msg_group *m;
   while (now >= b->deaf[s] && (m = sim_peek(&net->ffu_shf[s], now))) {
      struct sim_group *g = m->group;
      b->arrivals[b->num_arrivals++] =
          (struct arrival){.tick = now,
                           .shader = s,
                           .num_items = g->num_items,
                           .x = g->kind == SIM_GROUP_QUADS ? g->quad[0]->x : 0};
      assert_true(b->num_arrivals < MAX_ITEMS && b->num_kept[s] < 64);
      b->kept[s][b->num_kept[s]++] = g;
      sim_pop(&net->ffu_shf[s], now);
   }
   while (b->num_kept[s] && now >= b->keeps[s] && sim_can_send(&net->shf_ffu[s], now))
      sim_send(&net->shf_ffu[s], now, &(struct msg_group){.group = b->kept[s][--b->num_kept[s]]});
}

/* Producers, shaders, ROP and commit. */
static sim_tick
neighbours(struct mock *mock, sim_tick now)
{
   struct bench *b = mock->user;
   struct sim_netlist *net = &b->gpu->net;
   sim_tick next = SIM_NEVER;
   for (unsigned s = 0; s < b->gpu->config.gpu.num_shaders; s++) {
      if (now == b->look)
         b->waited[s] = net->ffu_shf[s].tail - net->ffu_shf[s].head;
      run_shader(b, s, now);
      if (now < b->deaf[s] || b->num_kept[s])
         next = now + 1;
   }
   const struct msg_quad *q;
   while ((q = sim_peek(&net->ffu_cw[0], now))) {
      b->ends += q->end;
      b->quads += !q->end;
      if (q->quad)
         sim_quad_free(b->gpu, q->quad);
      sim_pop(&net->ffu_cw[0], now);
   }
   const struct msg_vertex *v;
   while ((v = sim_peek(&net->ffu_stc[0], now))) {
      b->vertices++;
      sim_vertex_unref(b->gpu, v->vertex);
      sim_pop(&net->ffu_stc[0], now);
   }
   while (b->next < b->num_items) {
      const struct item *it = &b->items[b->next];
      if (it->earliest > now)
         return it->earliest < next ? it->earliest : next;
      if (!send_item(b, it, now))
         return now + 1;
      b->next++;
   }
   return next;
}

/* The configuration is the default with groups of LANES, and may change until run(). */
static struct bench *
create(unsigned shaders)
{
   struct bench *b = calloc(1, sizeof(*b));
   b->gpu = bench_create(0);
   struct sim_config *c = &b->gpu->config;
   c->gpu.num_shaders = shaders;
   c->gpu.num_rops = 1;
   c->gpu.unified = true;
   c->shader.vector = true;
   c->shader.vector_length = LANES;
   c->rast.shaded_queue = 1024;
   c->rast.tiles_cycle = 4;
   c->rast.interp_latency = 1;
   c->streamer.loader_indices = LANES;
   b->draw.work_id = 1;
   b->draw.counters = bench_counters;
   return b;
}

static void
push(struct bench *b, struct item it)
{
   assert_true(b->num_items < MAX_ITEMS);
   b->items[b->num_items++] = it;
}

/* A full group of quads at this pixel. */
static void
push_group(struct bench *b, sim_tick earliest, int32_t x, int32_t y)
{
   for (unsigned i = 0; i < LANES / 4; i++)
      push(b, (struct item){.earliest = earliest, .x = x, .y = y});
}

static void
run(struct bench *b)
{
   struct sim_gpu *gpu = b->gpu;
   b->ffu = sim_box_create(&gpu->kernel, gpu, &ffu_class, -1);
   b->neighbours = bench_mock(gpu, neighbours, b);
   BENCH_CONNECT(gpu, BENCH_BOX(interp, b->neighbours), BENCH_BOX(sl, b->neighbours),
                 BENCH_BOX(stoc, b->neighbours), BENCH_BOX(ffu, b->ffu),
                 BENCH_BOX(cw, b->neighbours), BENCH_BOX(stc, b->neighbours),
                 BENCH_BOX(shf, b->neighbours));
   sim_kernel_start(&gpu->kernel);
   bench_run_boxes(gpu, NULL);
   unsigned quads = 0, vertices = 0, ends = 0;
   for (unsigned i = 0; i < b->num_items; i++) {
      ends += b->items[i].end && !b->items[i].is_vertex;
      quads += !b->items[i].end && !b->items[i].is_vertex && !b->items[i].stands;
      vertices += !b->items[i].end && b->items[i].is_vertex;
   }
   assert_int_equal(b->quads, quads);
   assert_int_equal(b->vertices, vertices);
   assert_int_equal(b->ends, ends);
   assert_int_equal(gpu->groups.in_use, 0);
}

static void
destroy(struct bench *b)
{
   assert_int_equal(b->gpu->quads.in_use, 0);
   assert_int_equal(b->gpu->vertices.in_use, 0);
   bench_destroy(b->gpu);
   free(b);
}

/* The shaders that got the groups, in the order of arrival. */
static void
check_shaders(const struct bench *b, const char *expected)
{
   char got[MAX_ITEMS + 1] = "";
   for (unsigned i = 0; i < b->num_arrivals; i++)
      got[i] = (char)('0' + b->arrivals[i].shader);
   assert_string_equal(got, expected);
}

/* A full group in each of 4 x 4 scan tiles, row by row, slowly enough that groups arrive in
 * order. */
static void
tiles(unsigned shaders, uint32_t rule, bool tiled, uint32_t width, uint32_t height,
      const char *expected)
{
   struct bench *b = create(shaders);
   struct sim_config *c = &b->gpu->config;
   c->rast.distribution = rule;
   c->rast.tiled_shaders = tiled;
   c->rast.scan_width = width;
   c->rast.scan_height = height;
   c->rast.shader_batch = 2 * LANES;
   for (unsigned i = 0; i < 16; i++)
      push_group(b, 10 + 20 * i, (int32_t)(i % 4 * width + width - 2),
                 (int32_t)(i / 4 * height + height - 2));
   push(b, (struct item){.end = true});
   run(b);
   check_shaders(b, expected);
   destroy(b);
}

/* As the release: tiles go to shaders in Morton order; to two shaders like the squares of a
 * chessboard. */
static void
test_release_tiles_go_in_morton_order(void **state)
{
   tiles(4, 0, true, 8, 8, "0101232301012323");
   tiles(4, 0, true, 16, 8, "0101232301012323");
   tiles(4, 0, true, 8, 32, "0101232301012323");
   tiles(8, 0, true, 8, 8, "0145236701452367");
   tiles(2, 0, true, 8, 8, "0101101001011010");
   /* Positions 0 1 4 5, 2 3 6 7, 8 9 12 13, 10 11 14 15, modulo 3. */
   tiles(3, 0, true, 8, 8, "0112200120011220");
}

/* The tiles of a ROP's squares, and its squares in Morton order, have their turn one by one. Tiles
 * larger than a square go in Morton order. */
static void
test_tiles_of_a_rop_rotate_over_shaders(void **state)
{
   tiles(4, 2, false, 8, 8, "0101232301012323");
   tiles(4, 2, false, 16, 16, "0101232301012323");
   tiles(4, 2, false, 32, 32, "0101232301012323");
   tiles(8, 2, false, 8, 8, "0145236701452367");
   tiles(2, 2, false, 8, 8, "0101010101010101");
   tiles(3, 2, false, 8, 8, "0112200120011220");
   /* Two tiles of 16x8 in a square. */
   tiles(8, 2, false, 16, 8, "0202131346465757");
}

/* ShaderDistribution 0 is what TiledShaderDistribution says; any other does not look at it. */
static void
test_distribution_0_follows_tiled_distribution(void **state)
{
   static const char by_tiles[] = "0101232301012323", by_batches[] = "0011223300112233",
                     fewest[] = "0123012301230123", squares[] = "0011223300112233";
   tiles(4, 0, true, 8, 8, by_tiles);
   tiles(4, 0, false, 8, 8, by_batches);
   for (unsigned tiled = 0; tiled < 2; tiled++) {
      tiles(4, 1, tiled, 8, 8, fewest);
      tiles(4, 2, tiled, 8, 8, by_tiles);
      tiles(4, 3, tiled, 8, 8, by_batches);
      tiles(4, 4, tiled, 8, 8, squares);
   }
}

/* A group goes where its first quad belongs, wherever the others are. */
static void
test_group_goes_where_its_first_quad_belongs(void **state)
{
   struct bench *b = create(4);
   b->gpu->config.rast.distribution = 2;
   for (unsigned i = 0; i < 2 * LANES / 4; i++)
      push(b, (struct item){.earliest = 10, .x = i == 0 ? 8 : i == 4 ? 0 : 2 * (int32_t)i, .y = 8});
   push(b, (struct item){.end = true});
   run(b);
   assert_int_equal(b->num_arrivals, 2);
   for (unsigned i = 0; i < 2; i++)
      assert_int_equal(b->arrivals[i].shader, b->arrivals[i].x == 8 ? 3 : 2);
   destroy(b);
}

static void
batches(uint32_t size, unsigned groups, const char *expected)
{
   struct bench *b = create(3);
   b->gpu->config.rast.distribution = 3;
   b->gpu->config.rast.shader_batch = size;
   for (unsigned i = 0; i < groups; i++)
      push_group(b, 10 + 20 * i, 0, 0);
   push(b, (struct item){.end = true});
   run(b);
   check_shaders(b, expected);
   destroy(b);
}

/* The next shader's turn comes when one has got at least so many inputs. */
static void
test_next_shader_follows_a_full_batch(void **state)
{
   batches(4, 7, "0120120");
   batches(LANES, 7, "0120120");
   batches(LANES + 1, 7, "0011220");
   batches(2 * LANES, 7, "0011220");
   batches(5 * LANES, 11, "00000111112");
}

/* A shader that still has its first group gets no other as long as others have none. */
static void
test_shader_with_the_fewest_groups_is_next(void **state)
{
   struct bench *b = create(3);
   b->gpu->config.rast.distribution = 1;
   b->keeps[0] = 1000;
   for (unsigned i = 0; i < 9; i++)
      push_group(b, 10 + 20 * i, 0, 0);
   push_group(b, 1100, 0, 0);
   push_group(b, 1120, 0, 0);
   push(b, (struct item){.end = true});
   run(b);
   check_shaders(b, "01212121201");
   destroy(b);
}

/* Groups at these x, and the shaders that they go to with rule 4 and batches of four groups. */
static void
squares(unsigned slow, uint32_t queue, const char *at, const char *expected)
{
   struct bench *b = create(3);
   b->gpu->config.rast.distribution = 4;
   b->gpu->config.rast.shader_batch = 4 * LANES;
   b->gpu->config.rast.shader_input_queue = queue * LANES;
   for (unsigned s = 0; s < slow; s++)
      b->deaf[s] = 1000;
   for (unsigned i = 0; at[i]; i++)
      push_group(b, 10 + 20 * i, 16 * (at[i] - 'a') + 2 * (int32_t)(i % 8), 0);
   push(b, (struct item){.end = true});
   run(b);
   check_shaders(b, expected);
   destroy(b);
}

/* A square stays where it began, for a batch; so does it when that shader has no room, unless
 * another one has nothing to do. */
static void
test_square_stays_with_its_shader_for_a_batch(void **state)
{
   squares(0, 8, "aabbba", "001112");
   squares(0, 8, "aaaaaaaaab", "0000111120");
   squares(1, 2, "aaaa", "1100");
   squares(3, 2, "aaaaaaaa", "00112222");
}

static void
push_vertices(struct bench *b, sim_tick earliest, unsigned groups)
{
   for (unsigned i = 0; i < groups * LANES; i++)
      push(b, (struct item){.earliest = earliest + 20 * (i / LANES), .is_vertex = true});
}

/* Groups of vertices alone, while a quad waits in the tile of shader 3 for others, and after it. */
static void
vertices(bool tiled, uint32_t batch, const char *expected)
{
   struct bench *b = create(4);
   b->gpu->config.rast.distribution = 0;
   b->gpu->config.rast.tiled_shaders = tiled;
   b->gpu->config.rast.shader_batch = batch;
   b->gpu->config.rast.scan_width = b->gpu->config.rast.scan_height = 8;
   push_vertices(b, 10, 5);
   push(b, (struct item){.earliest = 200, .x = 8, .y = 8});
   push_vertices(b, 210, 3);
   for (unsigned i = 1; i < LANES / 4; i++)
      push(b, (struct item){.earliest = 300, .x = 8, .y = 8});
   push_vertices(b, 310, 3);
   push(b, (struct item){.earliest = 400, .end = true});
   run(b);
   check_shaders(b, expected);
   destroy(b);
}

/* Vertices take turns; by tiles they go where the waiting quad will go. After it they go on there,
 * unless that shader has got its batch: four groups of vertices and that quad's. */
static void
test_vertices_follow_the_fragments_pointer(void **state)
{
   vertices(true, 6 * LANES,
            "01230"
            "333"
            "3"
            "301");
   vertices(true, 5 * LANES,
            "01230"
            "333"
            "3"
            "012");
   vertices(false, 4 * LANES,
            "01230"
            "123"
            "0"
            "012");
}

/* ShaderInputQueueSize inputs, at least one group, are sent to a shader that takes none. By tiles
 * the next one waits though another shader has room; by fewest groups both fill up. */
static void
queue(uint32_t size, uint32_t rule, unsigned waited0, unsigned waited1)
{
   struct bench *b = create(2);
   b->gpu->config.rast.distribution = rule;
   b->gpu->config.rast.shader_input_queue = size;
   for (unsigned i = 0; i < 20; i++)
      push_group(b, 10, 0, 0);
   push(b, (struct item){.end = true});
   b->deaf[0] = b->deaf[1] = 400;
   b->look = 399;
   run(b);
   assert_int_equal(b->waited[0], waited0);
   assert_int_equal(b->waited[1], waited1);
   /* The groups come in one a cycle from 11 on; the first that has no room waits until the cycle
    * after one was taken in 400. */
   assert_true(stat(b->ffu, "StallsFragmentShaderBusy") >= 400 - 11 - waited0 - waited1);
   destroy(b);
}

static void
test_input_queue_holds_whole_groups(void **state)
{
   queue(4, 2, 1, 0);
   queue(2 * LANES - 1, 2, 1, 0);
   queue(4 * LANES, 2, 4, 0);
   queue(8 * LANES, 2, 8, 0);
   queue(4 * LANES, 1, 4, 4);
   /* The whole machine has such queues, too. */
   struct bench *b = create(2);
   b->gpu->config.rast.shader_input_queue = 6 * LANES;
   sim_netlist_build(b->gpu);
   for (unsigned s = 0; s < 2; s++)
      assert_int_equal(b->gpu->net.ffu_shf[s].capacity, 6);
   destroy(b);
}

/* Inputs at these ticks; then the end of the draw at tick end. Groups of so many inputs have to
 * arrive at a shader at these ticks. */
struct waiting {
   uint32_t timeout;
   sim_tick sent[4], end;
   unsigned num_sent, num_groups;
   struct {
      sim_tick tick;
      unsigned num_items;
   } group[4];
};

static void
check_waiting(const struct waiting *w, bool is_vertex)
{
   struct bench *b = create(1);
   /* The other kind's timeout must not matter. */
   b->gpu->config.rast.vertex_timeout = is_vertex ? w->timeout : 17;
   b->gpu->config.rast.fragment_timeout = is_vertex ? 17 : w->timeout;
   for (unsigned i = 0; i < w->num_sent; i++)
      push(b, (struct item){.earliest = w->sent[i], .is_vertex = is_vertex});
   push(b, (struct item){.earliest = w->end, .is_vertex = is_vertex, .end = true});
   run(b);
   assert_int_equal(b->num_arrivals, w->num_groups);
   for (unsigned i = 0; i < w->num_groups; i++) {
      assert_int_equal(b->arrivals[i].tick, w->group[i].tick);
      assert_int_equal(b->arrivals[i].num_items, w->group[i].num_items);
   }
   assert_int_equal(stat(b->ffu, is_vertex ? "VertexThreads" : "FragmentThreads"), w->num_groups);
   unsigned partial = 0;
   for (unsigned i = 0; i < w->num_groups; i++)
      partial += w->group[i].num_items != (is_vertex ? LANES : LANES / 4);
   assert_int_equal(stat(b->ffu, "PartialThreads"), partial);
   destroy(b);
}

/* What is sent in 10 is in the FIFO in 11, and a group that leaves at once is at the shader in 12;
 * one that waits N cycles for more, in 12 + N. */
static void
test_incomplete_group_leaves_after_its_timeout(void **state)
{
   static const struct waiting both[] = {
       {1, {10}, 5000, 1, 1, {{13, 1}}},
       {2, {10}, 5000, 1, 1, {{14, 1}}},
       {70, {10}, 5000, 1, 1, {{82, 1}}},
       {1000, {10}, 5000, 1, 1, {{1012, 1}}},
       /* The last cycle's input still joins, and does not make the group wait longer. */
       {70, {10, 40, 80}, 5000, 3, 1, {{82, 3}}},
       /* The one after begins another group. */
       {70, {10, 40, 81}, 5000, 3, 2, {{82, 2}, {153, 1}}},
       /* The end of the draw ends the wait. */
       {1000, {10, 40}, 60, 2, 1, {{62, 2}}},
   };
   for (unsigned i = 0; i < sizeof(both) / sizeof(both[0]); i++) {
      check_waiting(&both[i], true);
      check_waiting(&both[i], false);
   }
   /* Fragments without a timeout wait for the end, or for a full group. */
   check_waiting(&(struct waiting){0, {10, 40}, 5000, 2, 1, {{5002, 2}}}, false);
   check_waiting(&(struct waiting){0, {10, 40, 60, 90}, 5000, 4, 1, {{92, 4}}}, false);
}

/* The streamer says in 20 that it stands after stands vertices; one comes in 10, one in late. The
 * first group arrives at the shader in tick, with so many of them. */
static void
check_stand(uint32_t stands, sim_tick late, sim_tick tick, unsigned num_items)
{
   struct bench *b = create(1);
   b->gpu->config.rast.vertex_timeout = 1000;
   push(b, (struct item){.earliest = 10, .is_vertex = true});
   if (late < 20)
      push(b, (struct item){.earliest = late, .is_vertex = true});
   push(b, (struct item){.earliest = 20, .stands = stands});
   if (late >= 20)
      push(b, (struct item){.earliest = late, .is_vertex = true});
   push(b, (struct item){.earliest = 5000, .is_vertex = true, .end = true});
   run(b);
   assert_int_equal(b->arrivals[0].tick, tick);
   assert_int_equal(b->arrivals[0].num_items, num_items);
   destroy(b);
}

/* A group leaves as soon as its last vertex is here and the streamer stands. */
static void
test_group_leaves_when_the_streamer_stalls(void **state)
{
   check_stand(2, 12, 22, 2);
   check_stand(2, 40, 42, 2);
   /* The streamer has sent another one since. */
   check_stand(1, 15, 1012, 2);
}

/* Not while others are with the shaders: their way back lets the streamer go on. */
static void
test_stand_behind_others(void **state)
{
   struct bench *b = create(1);
   b->gpu->config.rast.vertex_timeout = 1000;
   b->keeps[0] = 60;
   for (unsigned i = 0; i <= LANES; i++)
      push(b, (struct item){.earliest = 10, .is_vertex = true});
   push(b, (struct item){.earliest = 20, .stands = LANES + 1});
   push(b, (struct item){.earliest = 5000, .is_vertex = true, .end = true});
   run(b);
   assert_int_equal(b->num_arrivals, 2);
   assert_int_equal(b->arrivals[0].num_items, LANES);
   assert_int_equal(b->arrivals[1].num_items, 1);
   assert_int_equal(b->arrivals[1].tick, 60 + 2);
   destroy(b);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_tiles_of_a_rop_rotate_over_shaders),
       cmocka_unit_test(test_release_tiles_go_in_morton_order),
       cmocka_unit_test(test_square_stays_with_its_shader_for_a_batch),
       cmocka_unit_test(test_distribution_0_follows_tiled_distribution),
       cmocka_unit_test(test_group_goes_where_its_first_quad_belongs),
       cmocka_unit_test(test_next_shader_follows_a_full_batch),
       cmocka_unit_test(test_shader_with_the_fewest_groups_is_next),
       cmocka_unit_test(test_input_queue_holds_whole_groups),
       cmocka_unit_test(test_incomplete_group_leaves_after_its_timeout),
       cmocka_unit_test(test_vertices_follow_the_fragments_pointer),
       cmocka_unit_test(test_group_leaves_when_the_streamer_stalls),
       cmocka_unit_test(test_stand_behind_others),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
