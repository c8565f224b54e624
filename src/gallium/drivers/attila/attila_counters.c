/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The simulator's counters as driver queries, for GALLIUM_HUD and GL_AMD_performance_monitor. A
 * query counts exactly what the commands of its context between begin and end cost (attila_monitor
 * of attila_sim.h), and takes no simulated time. Not here: OpenGL's queries (attila_query.c), the
 * names of counters (they come from the simulator). */
#include "attila_counters.h"

#include "attila_cs.h"
#include "attila_screen.h"
#include "util/u_memory.h"

struct attila_batch {
   struct attila_monitor *monitor; /* NULL: not begun yet */
   bool active, asked, has_result;
   uint64_t fence; /* fence behind its commands, when the result was requested */
   unsigned num;
   unsigned *counters; /* [num] the simulator's indices */
   uint64_t *values;   /* [num], when has_result */
};

struct attila_counter_group {
   const char *name;
   unsigned num;
};

static enum pipe_driver_query_type
attila_counters_type_of(const struct attila_sim_counter *c)
{
   if (!strcmp(c->unit, "%"))
      return PIPE_DRIVER_QUERY_TYPE_PERCENTAGE;
   if (!strcmp(c->unit, "bytes"))
      return PIPE_DRIVER_QUERY_TYPE_BYTES;
   return PIPE_DRIVER_QUERY_TYPE_UINT64;
}

static int
attila_counters_get_driver_query_info(struct pipe_screen *pscreen, unsigned index,
                                      struct pipe_driver_query_info *info)
{
   struct attila_screen *screen = attila_screen(pscreen);
   struct attila_sim_counter c;
   if (!info)
      return (int)attila_sim_num_counters(screen->sim);
   if (!attila_sim_get_counter(screen->sim, index, &c))
      return 0;
   *info = (struct pipe_driver_query_info){
       .name = c.name,
       .query_type = PIPE_QUERY_DRIVER_SPECIFIC + index,
       .type = attila_counters_type_of(&c),
       .result_type = PIPE_DRIVER_QUERY_RESULT_TYPE_AVERAGE, /* per frame */
       .flags = PIPE_DRIVER_QUERY_FLAG_BATCH,
   };
   if (info->type == PIPE_DRIVER_QUERY_TYPE_PERCENTAGE)
      info->max_value.u64 = 100;
   for (unsigned g = 0, end = 0; g < screen->num_counter_groups; g++) {
      end += screen->counter_groups[g].num;
      if (index < end) {
         info->group_id = g;
         break;
      }
   }
   return 1;
}

static int
attila_counters_get_driver_query_group_info(struct pipe_screen *pscreen, unsigned index,
                                            struct pipe_driver_query_group_info *info)
{
   const struct attila_screen *screen = attila_screen(pscreen);
   if (!info)
      return (int)screen->num_counter_groups;
   if (index >= screen->num_counter_groups)
      return 0;
   const struct attila_counter_group *g = &screen->counter_groups[index];
   *info = (struct pipe_driver_query_group_info){
       .name = g->name, .max_active_queries = g->num, .num_queries = g->num};
   return 1;
}

bool
attila_init_screen_counters(struct attila_screen *screen)
{
   const unsigned num = attila_sim_num_counters(screen->sim);
   if (!num)
      return true;
   screen->counter_groups = CALLOC(num, sizeof(*screen->counter_groups));
   if (!screen->counter_groups)
      return false;
   for (unsigned i = 0; i < num; i++) {
      struct attila_sim_counter c;
      if (!attila_sim_get_counter(screen->sim, i, &c))
         return false;
      struct attila_counter_group *g = screen->counter_groups + screen->num_counter_groups;
      if (!screen->num_counter_groups || strcmp(g[-1].name, c.group) != 0) {
         g->name = c.group;
         screen->num_counter_groups++;
      } else {
         g--;
      }
      g->num++;
   }
   return true;
}

void
attila_init_screen_counter_queries(struct pipe_screen *base)
{
   if (!attila_screen(base)->num_counter_groups)
      return;
   base->get_driver_query_info = attila_counters_get_driver_query_info;
   base->get_driver_query_group_info = attila_counters_get_driver_query_group_info;
}

void
attila_finish_screen_counters(struct attila_screen *screen)
{
   FREE(screen->counter_groups);
}

struct attila_batch *
attila_batch_create(struct attila_cs *cs, unsigned num, const unsigned *counters)
{
   const unsigned all = attila_sim_num_counters(cs->screen->sim);
   struct attila_batch *b = CALLOC_STRUCT(attila_batch);
   bool ok = b && (b->counters = CALLOC(num + 1, sizeof(*b->counters))) &&
             (b->values = CALLOC(num + 1, sizeof(*b->values)));
   for (unsigned i = 0; ok && i < num; i++) {
      b->counters[i] = counters[i] - PIPE_QUERY_DRIVER_SPECIFIC;
      ok = b->counters[i] < all;
   }
   if (!ok) {
      if (b)
         attila_batch_destroy(cs, b);
      return NULL;
   }
   b->num = num;
   return b;
}

static void
attila_counters_forget(struct attila_cs *cs, struct attila_batch *b)
{
   if (b->monitor)
      attila_sim_monitor_destroy(cs->screen->sim, b->monitor);
   b->monitor = NULL;
   b->active = b->asked = b->has_result = false;
}

void
attila_batch_destroy(struct attila_cs *cs, struct attila_batch *b)
{
   attila_counters_forget(cs, b);
   FREE(b->counters);
   FREE(b->values);
   FREE(b);
}

bool
attila_batch_begin(struct attila_cs *cs, struct attila_batch *b)
{
   attila_counters_forget(cs, b);
   attila_cs_submit(cs, NULL);
   b->monitor = attila_sim_monitor_begin(cs->screen->sim, cs->number);
   b->active = b->monitor != NULL;
   return b->active;
}

void
attila_batch_end(struct attila_cs *cs, struct attila_batch *b)
{
   if (!b->active)
      return;
   attila_cs_submit(cs, NULL);
   attila_sim_monitor_end(cs->screen->sim, b->monitor);
   b->active = false;
}

/* Returns whether the result is available. A non-blocking query is "not available" once and then
 * waits. So a program that asks once per frame (GALLIUM_HUD) does not drain the GPU, and a program
 * that polls comes to an end, although the GPU advances only in waits. */
static bool
attila_counters_is_done(struct attila_cs *cs, struct attila_batch *b, bool wait)
{
   struct attila_sim *sim = cs->screen->sim;
   const bool again = b->asked;
   if (!b->asked)
      attila_cs_submit(cs, &b->fence);
   b->asked = true;
   if (!wait && !again)
      return attila_sim_fence_signalled(sim, b->fence);
   attila_sim_wait(sim, b->fence);
   return true;
}

bool
attila_batch_result(struct attila_cs *cs, struct attila_batch *b, bool wait,
                    union pipe_query_result *result)
{
   if (b->active || !b->monitor)
      return false;
   if (!b->has_result) {
      if (!attila_counters_is_done(cs, b, wait))
         return false;
      attila_sim_monitor_read(cs->screen->sim, b->monitor, b->counters, b->num, b->values);
      b->has_result = true;
   }
   for (unsigned i = 0; i < b->num; i++)
      result->batch[i].u64 = b->values[i];
   return true;
}
