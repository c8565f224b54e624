/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a record derives of statistics (K_caches, K_bytes, K_units, K_fragments, K_overdraw), and
 * the counters of programs that are made of several statistics, against what follows from events
 * alone: the messages that pass between boxes, the commands of memory's banks, what boxes do, and
 * the lines that caches are asked for, which caches of the test replay. Six scenes. With
 * ATTILA_TEST_TABLE=FILE the table of docs/notebook/derived.md is written there. Not here:
 * whether a single statistic is right (the tests of its box). */
#include "cache_replay.h"
#include "derived_compare.h"
#include "derived_times.h"

#include <stdlib.h>
#include "box/geometry/sl_cache.h"
#include "box/texture/tu.h"
#include "capture/sim_capture.h"
#include "measure/sim_caches.h"

/* --- Events --- */

/* clang-format off */
#define CLIENTS(C)                                                                          \
   C(cp, "CommandProcessor") C(stf, "StreamerFetch") C(sl, "StreamerLoader")                \
   C(zst, "ZStencilTest") C(cw, "ColorWrite") C(tu, "TextureUnit") C(blit, "Blitter")       \
   C(dac, "DAC")
/* clang-format on */
enum client {
#define C(member, name) CLIENT_##member,
   CLIENTS(C)
#undef C
       NUM_CLIENTS
};
static const char *const client_names[] = {
#define C(member, name) name,
    CLIENTS(C)
#undef C
};

#define MAX_REPLAYS 96

/* What followed from events. */
struct heard {
   struct sim_trace listener;
   struct sim_gpu *gpu;
   struct replay replays[MAX_REPLAYS];
   unsigned num_replays;
   uint64_t bytes[NUM_CLIENTS][2];
   uint64_t row_hits, row_misses;
   bool opened[SIM_MAX_CHANNELS][64]; /* a bank's row, and nothing has used it */
   uint64_t draws, vertices, triangles, shaded, generated, uncovered, quads_found, quads_sent;
   uint64_t tested, passed, uncovered_tested, colour_input, colour_dead, colour_uncovered, written;
   bool times; /* these, too */
   struct derived_times in_time;
};

static uint64_t
live_pixels(uint32_t mask)
{
   uint64_t live = 0;
   for (unsigned pixel = 0; pixel < 4; pixel++)
      live += (mask >> pixel & 0x11111111) != 0;
   return live;
}

static void
hear_memory(struct heard *h, enum client client, const struct msg_mem_request *m)
{
   h->bytes[client][m->write] += m->wire_bytes ? m->wire_bytes : m->size;
}

static bool
tests_depth(const struct sim_draw *d)
{
   return d->state.zs_bound && (d->state.z_test || d->state.stencil_test);
}

static void
hear_to_zst(struct heard *h, const struct msg_quad *m)
{
   if (m->end)
      return;
   h->uncovered_tested += 4 - live_pixels(m->quad->mask);
   /* A quad that is dead when it comes is not tested. */
   h->tested += tests_depth(m->draw) && m->quad->mask ? 4 : 0;
}

static void
hear_from_zst(struct heard *h, const struct msg_quad *m)
{
   if (!m->end && tests_depth(m->draw))
      h->passed += live_pixels(m->quad->mask);
}

static void
hear_to_cw(struct heard *h, const struct msg_quad *m)
{
   if (m->end)
      return;
   h->colour_input += 4;
   h->colour_uncovered += 4 - live_pixels(m->quad->mask);
   h->colour_dead += m->quad->mask ? 0 : 4;
   h->written += (uint64_t)__builtin_popcount(m->quad->mask) *
                 (unsigned)__builtin_popcount(m->draw->state.color_mask);
}

static void
hear_tile(struct heard *h, const struct msg_tile *m)
{
   const uint64_t empty = 64ull * m->empty;
   h->generated += empty;
   h->uncovered += empty;
   if (m->end)
      return;
   h->generated += 64;
   h->uncovered += 64 - (unsigned)__builtin_popcountll(m->coverage);
   for (unsigned quad = 0; quad < 16; quad++)
      h->quads_found += (m->coverage >> 4 * quad & 15) != 0;
}

static void
hear_group(struct heard *h, const struct msg_group *m)
{
   const struct sim_group *g = m->group;
   for (unsigned i = 0; i < g->num_items && g->kind == SIM_GROUP_QUADS; i++)
      h->shaded += live_pixels(g->quad[i]->mask);
   h->vertices += g->kind == SIM_GROUP_VERTICES ? g->num_items : 0;
}

static struct replay *
heard_replay(struct heard *h, const void *cache)
{
   for (unsigned i = 0; i < h->num_replays; i++) {
      if (h->replays[i].cache == cache)
         return &h->replays[i];
   }
   return NULL;
}

static const char *
cache_name(const struct sim_box *b, const void *cache)
{
   const char *unit = b->cls->name;
   if (!strcmp(unit, "TextureUnit"))
      return cache == &((const struct tu *)b)->cache.l1 ? "texture L1" : "texture L0";
   return !strcmp(unit, "StreamerLoader")  ? "attributes"
          : !strcmp(unit, "HierarchicalZ") ? "hierarchical Z"
          : !strcmp(unit, "ZStencilTest")  ? "depth"
                                           : "colour";
}

static void
hear_look_up(struct heard *h, const struct sim_trace_event *e)
{
   const struct sim_box *b = e->what;
   struct replay *r = heard_replay(h, e->object);
   if (!r) {
      assert_true(h->num_replays < MAX_REPLAYS);
      r = &h->replays[h->num_replays++];
      const char *name = cache_name(b, e->object);
      replay_make(r, e->object, name,
                  strcmp(name, "attributes") ? 0 : h->gpu->config.streamer.cache_lines);
   }
   if (e->ready)
      replay_access(r, e->number, e->ready);
   else
      replay_forget(r, e->number);
}

/* Lines that a command makes invalid, of caches that do not say so. */
static void
hear_forget(struct heard *h, const char *name, const struct sim_box *b, const struct msg_rop *m)
{
   for (unsigned i = 0; i < h->num_replays; i++) {
      struct replay *r = &h->replays[i];
      const uintptr_t at = (uintptr_t)r->cache - (uintptr_t)b;
      if (strncmp(r->name, name, strlen(name)) || at >= b->cls->size)
         continue;
      for (uint32_t k = 0; k < r->size; k++) {
         struct held *l = &r->held[k];
         uint64_t first = l->line, bytes;
         if (!l->valid)
            continue;
         if (!strcmp(name, "attributes")) {
            bytes = h->gpu->config.streamer.cache_line_size;
            first *= bytes;
         } else {
            const struct tu_tags *tags = r->cache;
            bytes = tags->line_size >> tu_key_space((uint32_t)l->line);
            first = tu_key_address((uint32_t)l->line, tags->line_shift);
         }
         l->valid = first >= m->end || first + bytes <= m->start;
      }
   }
}

static void
hear_index(struct heard *h, const struct msg_index *m)
{
   struct replay *r = heard_replay(h, h->gpu->net.stf_stoc);
   if (m->end) {
      memset(r->held, 0, r->size * sizeof(*r->held));
   } else if (!m->restart) {
      replay_access(r, (uint64_t)m->instance << 32 | m->vertex, 1);
   }
}

static void
hear_send(struct heard *h, const struct sim_trace_event *e)
{
   const struct sim_netlist *net = &h->gpu->net;
   const struct sim_signal *s = e->what;
#define FROM(member) DERIVED_FROM(net, member, s)
#define C(member, name)   \
   if (FROM(member##_mc)) \
      hear_memory(h, CLIENT_##member, e->object);
   CLIENTS(C)
#undef C
   if (FROM(cp_stf))
      h->draws++;
   else if (FROM(stf_stoc))
      hear_index(h, e->object);
   else if (FROM(ts_tt))
      h->triangles += !((const struct msg_setup *)e->object)->end;
   else if (FROM(tt_hz))
      hear_tile(h, e->object);
   else if (FROM(hz_zst) || FROM(hz_interp))
      h->quads_sent += !((const struct msg_quad *)e->object)->end;
   else if (FROM(ffu_shf))
      hear_group(h, e->object);
   else if (FROM(zst_interp))
      hear_from_zst(h, e->object);
   else if (FROM(cp_sl))
      hear_forget(h, "attributes", s->receiver, e->object);
   else if (FROM(cp_tu))
      hear_forget(h, "texture", s->receiver, e->object);
   if (FROM(hz_zst) || FROM(ffu_zst))
      hear_to_zst(h, e->object);
   if (FROM(zst_cw)) /* of draws that are tested late */
      hear_from_zst(h, e->object);
   if (FROM(zst_cw) || FROM(ffu_cw))
      hear_to_cw(h, e->object);
#undef FROM
}

static void
hear_tick(void *data, sim_tick now)
{
   struct heard *h = data;
   for (uint32_t i = 0; i < h->listener.num; i++) {
      const struct sim_trace_event *e = &h->listener.events[i];
      if (e->kind == SIM_TRACE_SEND) {
         hear_send(h, e);
      } else if (e->kind == SIM_TRACE_LOOK_UP) {
         hear_look_up(h, e);
      }
      if (h->times)
         derived_times_hear(&h->in_time, e, now);
   }
   h->listener.num = 0;
}

static void
hear_bank(void *data, const struct sim_trace_bank *c)
{
   struct heard *h = data;
   bool *opened = &h->opened[c->channel->instance][c->bank];
   if (c->command == SIM_TRACE_ACTIVATE)
      *opened = true;
   if (c->command != SIM_TRACE_READ && c->command != SIM_TRACE_WRITE)
      return;
   if (h->times)
      derived_times_bank(&h->in_time, c);
   h->row_misses += *opened;
   h->row_hits += c->count - *opened;
   *opened = false;
}

/* --- Runs --- */

/* Of programs (SIM_DERIVED_COUNTERS, SIM_CACHES). */
static const char *const counters[] = {"draws", "vertices", "triangles", "fragments",
#define C(cache, counter, hits, misses, retries, access) counter,
                                       SIM_CACHES(C)
#undef C
};
#define NUM_COUNTERS (sizeof(counters) / sizeof(counters[0]))

struct run {
   struct heard heard;
   sqlite3 *db;
   char folder[64];
   uint64_t counter[NUM_COUNTERS]; /* of a monitor that was open all the time */
};

static void
run_listen(struct heard *h, struct attila_sim *sim)
{
   h->gpu = &sim->machine->gpu;
   h->listener = (struct sim_trace){.data = h, .tick = hear_tick, .bank = hear_bank};
   sim_kernel_listen(&h->gpu->kernel, &h->listener);
   struct sim_signal *s = (struct sim_signal *)&h->gpu->net;
   for (size_t i = 0; i < sizeof(h->gpu->net) / sizeof(*s); i++) {
      if (s[i].sender)
         sim_trace_signal(&s[i], true);
   }
   replay_make(&h->replays[h->num_replays++], h->gpu->net.stf_stoc, "shaded vertices",
               h->gpu->config.streamer.output_memory);
}

static void
run_read_counters(struct run *r, struct attila_sim *sim, struct attila_monitor *monitor)
{
   attila_sim_monitor_end(sim, monitor);
   for (unsigned n = 0; n < NUM_COUNTERS; n++) {
      struct attila_sim_counter c;
      unsigned i = 0;
      while (attila_sim_get_counter(sim, i, &c) && strcmp(c.name, counters[n]) != 0)
         i++;
      attila_sim_monitor_read(sim, monitor, &i, 1, &r->counter[n]);
   }
   attila_sim_monitor_destroy(sim, monitor);
}

static void
run_scene(struct run *r, const struct figure_scene *scene, const char *const *overrides,
          unsigned num, bool times)
{
   char error[1024] = "", path[300];
   *r = (struct run){0};
   record_renew(r->folder);
   snprintf(path, sizeof(path), "%s/%s.attila", ATTILA_TESTS, scene->path);
   struct sim_capture_reader *in = sim_capture_open(path, error, sizeof(error));
   struct attila_sim_options o = {.mode = ATTILA_MODE_CYCLE,
                                  .overrides = overrides,
                                  .num_overrides = num,
                                  .record = times ? "sqlite,boxes" : "sqlite",
                                  .out_dir = r->folder};
   struct attila_sim *sim = in ? attila_sim_create(&o, error, sizeof(error)) : NULL;
   if (!sim)
      fail_msg("%s", error);
   run_listen(&r->heard, sim);
   r->heard.times = times;
   if (times)
      derived_times_init(&r->heard.in_time, sim);
   struct attila_monitor *monitor = attila_sim_monitor_begin(sim, scene->context);
   struct sim_capture_record c;
   enum sim_capture_result got;
   while ((got = sim_capture_next(in, &c, error, sizeof(error))) == SIM_CAPTURE_RECORD) {
      r->heard.in_time.activity.new_words |= c.kind == SIM_CAPTURE_COMMANDS;
      if (c.kind == SIM_CAPTURE_COMMANDS && !attila_sim_submit(sim, c.words, c.num_words))
         fail_msg("%s", attila_sim_error(sim));
   }
   assert_int_equal(got, SIM_CAPTURE_END);
   sim_capture_reader_close(in);
   attila_session_finish(sim);
   sim_kernel_flush_counters(&r->heard.gpu->kernel);
   run_read_counters(r, sim, monitor);
   sim_kernel_listen(&r->heard.gpu->kernel, NULL);
   attila_sim_destroy(sim);
   r->db = record_open(r->folder);
}

static void
run_end(struct run *r)
{
   sqlite3_close(r->db);
   record_remove(r->folder);
   for (unsigned i = 0; i < r->heard.num_replays; i++)
      free(r->heard.replays[i].held);
   free(r->heard.listener.events);
   derived_rows_free(&r->heard.in_time.rows);
}

/* --- Comparison --- */

static void
compare_cache(struct run *r, const struct figure_scene *scene, const char *name,
              const char *machine)
{
   char of[64];
   uint64_t hits = 0, misses = 0;
   for (unsigned i = 0; i < r->heard.num_replays; i++) {
      const struct replay *p = &r->heard.replays[i];
      hits += strcmp(p->name, name) ? 0 : p->hits;
      misses += strcmp(p->name, name) ? 0 : p->misses;
   }
   if (!strcmp(name, "DRAM rows")) {
      hits = r->heard.row_hits;
      misses = r->heard.row_misses;
   }
   snprintf(of, sizeof(of), "%s%s", name, machine);
   same(scene, "hits", of, sum_of(r->db, "hits", "frame_caches", "cache", name), hits);
   same(scene, "misses", of, sum_of(r->db, "misses", "frame_caches", "cache", name), misses);
   assert_int_equal(sum_of(r->db, "hits", "work_caches", "cache", name), hits);
   assert_int_equal(sum_of(r->db, "misses", "work_caches", "cache", name), misses);
}

static void
compare_fragments(struct run *r, const struct figure_scene *scene)
{
   const struct heard *h = &r->heard;
   const struct {
      const char *column;
      uint64_t events;
   } fates[] = {{"generated", h->generated},
                {"uncovered", h->uncovered},
                {"culled_hz", 4 * (h->quads_found - h->quads_sent)},
                {"uncovered_tested", h->uncovered_tested},
                {"tested", h->tested},
                {"passed", h->passed},
                {"failed", h->tested - h->passed},
                {"colour_input", h->colour_input},
                {"colour_dead", h->colour_dead},
                {"colour_uncovered", h->colour_uncovered}};
   for (unsigned i = 0; i < sizeof(fates) / sizeof(fates[0]); i++)
      same(scene, "fragments", fates[i].column,
           sum_of(r->db, fates[i].column, "frame_fragments", "''", ""), fates[i].events);
   same(scene, "overdraw", "shaded", sum_of(r->db, "shaded", "frame_overdraw", "''", ""),
        h->shaded);
   same(scene, "overdraw", "written", sum_of(r->db, "written", "frame_overdraw", "''", ""),
        h->written);
}

static void
compare_bytes(struct run *r, const struct figure_scene *scene)
{
   for (unsigned c = 0; c < NUM_CLIENTS; c++) {
      same(scene, "bytes read", client_names[c],
           sum_of(r->db, "read_bytes", "frame_bytes", "client", client_names[c]),
           r->heard.bytes[c][0]);
      same(scene, "bytes written", client_names[c],
           sum_of(r->db, "written_bytes", "frame_bytes", "client", client_names[c]),
           r->heard.bytes[c][1]);
   }
}

static void
compare_times(struct run *r, const struct figure_scene *scene)
{
   const struct derived_rows *rows = &r->heard.in_time.rows;
   compare_frame_cycles(r->db, scene, rows);
   compare_row_cycles(r->db, scene, rows);
   compare_exclusive(r->db, scene, rows);
   compare_occupancy(r->db, scene, rows);
   compare_costs(r->db, scene, rows);
   compare_limiters(r->db, scene, rows);
}

static uint64_t
share(uint64_t part, uint64_t whole)
{
   return whole ? (uint64_t)(100.0 * (double)part / (double)whole + 0.5) : 0;
}

static void
compare_counters(struct run *r, const struct figure_scene *scene)
{
   const struct heard *h = &r->heard;
   uint64_t events[NUM_COUNTERS] = {h->draws, h->vertices, h->triangles, h->shaded};
   static const char *const caches[] = {
#define C(cache, counter, hits, misses, retries, access) cache,
       SIM_CACHES(C)
#undef C
   };
   for (unsigned i = 0; i < sizeof(caches) / sizeof(caches[0]); i++) {
      uint64_t hits = strcmp(caches[i], "DRAM rows") ? 0 : h->row_hits, all = hits;
      all += hits ? h->row_misses : 0;
      for (unsigned k = 0; k < h->num_replays; k++) {
         const struct replay *p = &h->replays[k];
         hits += strcmp(p->name, caches[i]) ? 0 : p->hits;
         all += strcmp(p->name, caches[i]) ? 0 : p->hits + p->misses;
      }
      events[NUM_COUNTERS - sizeof(caches) / sizeof(caches[0]) + i] = share(hits, all);
   }
   for (unsigned i = 0; i < NUM_COUNTERS; i++)
      same(scene, "counter", counters[i], r->counter[i], events[i]);
}

/* --- Tests --- */

/* The caches of vertices, whose lines go in the order of their use, and rows of memory; all that is
 * no cache. One miss in flight: others are tried again and again. Shaders are short of registers,
 * ports and room in the texture unit, so that groups and instructions wait for each of these. */
static void
test_derived_figures_are_recomputed_from_the_trace(void **state)
{
#define MACHINE                                                                           \
   "MEMORYCONTROLLER.MemoryControllerV2=TRUE", "STREAMER.SLInputCacheRequestQueueSize=1", \
       "FRAGMENTSHADER.RegisterWritePorts=1", "FRAGMENTSHADER.FetchDelay=4"
   static const char *const threads[] = {
       MACHINE, "FRAGMENTSHADER.ExecutableThreads=64", "FRAGMENTSHADER.ThreadRate=2",
       "FRAGMENTSHADER.ThreadResources=96", "FRAGMENTSHADER.TextureRequestQueueSize=1"};
   static const char *const vectors[] = {MACHINE, "FRAGMENTSHADER.VectorShader=TRUE",
                                         "FRAGMENTSHADER.VectorALUConfig=simd4+scalar"};
#undef MACHINE
   for (unsigned i = 0; i < NUM_SCENES; i++) {
      struct run r;
      run_scene(&r, &scenes[i], scenes[i].vector ? vectors : threads,
                scenes[i].vector ? sizeof(vectors) / sizeof(vectors[0])
                                 : sizeof(threads) / sizeof(threads[0]),
                true);
      compare_cache(&r, &scenes[i], "attributes", "");
      compare_cache(&r, &scenes[i], "shaded vertices", "");
      compare_cache(&r, &scenes[i], "DRAM rows", "");
      compare_bytes(&r, &scenes[i]);
      compare_fragments(&r, &scenes[i]);
      compare_times(&r, &scenes[i]);
      run_end(&r);
   }
}

/* Caches so large that no line has to go: then it does not matter which one would. All retries that
 * there are come from full queues. */
static void
test_large_caches_never_replace_a_line(void **state)
{
   static const char *const machine[] = {"MEMORYCONTROLLER.MemoryControllerV2=TRUE",
                                         "FRAGMENTSHADER.TextureCacheReplacement=0",
                                         "FRAGMENTSHADER.TextureCacheLines=1024",
                                         "FRAGMENTSHADER.TextureCacheWays=64",
                                         "FRAGMENTSHADER.TwoLevelTextureCache=TRUE",
                                         "FRAGMENTSHADER.TextureCacheLinesL1=1024",
                                         "FRAGMENTSHADER.TextureCacheWaysL1=64",
                                         "ZSTENCILTEST.ZCacheLines=1024",
                                         "ZSTENCILTEST.ZCacheWays=64",
                                         "COLORWRITE.ColorCacheLines=1024",
                                         "COLORWRITE.ColorCacheWays=64",
                                         "RASTERIZER.HZCacheLines=1024"};
   for (unsigned i = 0; i < NUM_SCENES; i++) {
      struct run r;
      run_scene(&r, &scenes[i], machine, sizeof(machine) / sizeof(machine[0]), false);
      compare_cache(&r, &scenes[i], "texture L0", "");
      compare_cache(&r, &scenes[i], "texture L1", "");
      compare_cache(&r, &scenes[i], "depth", "");
      compare_cache(&r, &scenes[i], "colour", "");
      compare_cache(&r, &scenes[i], "hierarchical Z", "");
      compare_counters(&r, &scenes[i]);
      run_end(&r);
   }
}

/* A second level whose lines never go behind a first level whose lines do. */
static void
test_second_level_hits_behind_a_small_first(void **state)
{
   static const char *const machine[] = {
       "FRAGMENTSHADER.TextureCacheReplacement=0", "FRAGMENTSHADER.TextureCacheLines=1",
       "FRAGMENTSHADER.TwoLevelTextureCache=TRUE", "FRAGMENTSHADER.TextureCacheLinesL1=1024",
       "FRAGMENTSHADER.TextureCacheWaysL1=64"};
   for (unsigned i = 1; i < 4; i += 2) {
      struct run r;
      run_scene(&r, &scenes[i], machine, sizeof(machine) / sizeof(machine[0]), false);
      compare_cache(&r, &scenes[i], "texture L1", ", small L0");
      run_end(&r);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_derived_figures_are_recomputed_from_the_trace),
       cmocka_unit_test(test_large_caches_never_replace_a_line),
       cmocka_unit_test(test_second_level_hits_behind_a_small_first),
   };
   const char *path = getenv("ATTILA_TEST_TABLE");
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   if (path)
      write_table(path);
   return failed;
}
