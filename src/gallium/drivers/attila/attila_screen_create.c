/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Creation and destruction of the screen and its connections, and queries of frontends. Not here:
 * caps (attila_caps.c), formats (attila_format_map.c), resources. */
#include "attila_public.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "attila_bo.h"
#include "attila_caps.h"
#include "attila_compiler.h"
#include "attila_counters.h"
#include "attila_debug.h"
#include "attila_disk_cache.h"
#include "attila_dmabuf_handle.h"
#include "attila_eviction.h"
#include "attila_fence.h"
#include "attila_format_map.h"
#include "attila_init.h"
#include "attila_screen.h"
#include "attila_shader.h"
#include "attila_transfer.h"
#include "util/disk_cache.h"
#include "util/log.h"
#include "util/u_atomic.h"
#include "util/u_debug.h"
#include "util/u_memory.h"

static const char *
attila_screen_get_name(struct pipe_screen *pscreen)
{
   return attila_screen(pscreen)->name;
}

static const char *
attila_screen_get_vendor(struct pipe_screen *pscreen)
{
   return "The Attila developers";
}

static const char *
attila_screen_get_device_vendor(struct pipe_screen *pscreen)
{
   return "ATTILA (simulated)";
}

static uint64_t
attila_screen_get_timestamp(struct pipe_screen *pscreen)
{
   return attila_screen_time(attila_screen(pscreen));
}

static struct disk_cache *
attila_screen_get_disk_shader_cache(struct pipe_screen *pscreen)
{
   return attila_screen(pscreen)->disk_cache;
}

static void
attila_screen_query_memory_info(struct pipe_screen *pscreen, struct pipe_memory_info *info)
{
   struct attila_screen *screen = attila_screen(pscreen);
   memset(info, 0, sizeof(*info));
   simple_mtx_lock(&screen->lock);
   info->total_device_memory = screen->memory_size / 1024;
   info->avail_device_memory =
       (attila_memory_available(&screen->memory) + attila_eviction_size(screen)) / 1024;
   simple_mtx_unlock(&screen->lock);
}

/* Makes a name such as "ATTILA (cycle mode, 256 MB, machine.ini)". */
static void
attila_screen_make_name(struct attila_screen *screen, const struct attila_sim_options *options)
{
   const char *machine = options->config_path ? options->config_path : "ISPASS 2006";
   const char *slash = strrchr(machine, '/');
   snprintf(screen->name, sizeof(screen->name), "ATTILA (%s mode, %u MB, %.24s)",
            attila_mode_name(options->mode), screen->memory_size >> 20,
            slash ? slash + 1 : machine);
}

static bool
attila_screen_create_simulator(struct attila_screen *screen)
{
   struct attila_sim_options given;
   char error[512] = "out of memory";
   if (!attila_sim_options_from_env(&given, error, sizeof(error))) {
      mesa_loge("attila: %s", error);
      return false;
   }
   struct attila_sim_options options = given;
   options.keep_clears = true;
   const char **overrides =
       MALLOC((options.num_overrides + ATTILA_DEBUG_OVERRIDES) * sizeof(*overrides));
   if (!attila_debug_parse(given.debug, &screen->debug)) {
      error[0] = '\0';
   } else if (overrides) {
      attila_debug_override(screen->debug, &options, overrides);
      screen->sim = attila_sim_create(&options, error, sizeof(error));
   }
   FREE(overrides);
   if (screen->sim) {
      screen->memory_size = attila_sim_memory_size(screen->sim);
      for (unsigned stage = 0; stage < ATTILA_NUM_STAGES; stage++)
         attila_sim_shader_machine(screen->sim, stage, &screen->shader_machine[stage]);
      screen->has_readers = options.out_dir || options.capture_path;
      screen->has_clock = options.mode != ATTILA_MODE_FUNCTIONAL;
      screen->frame_on_finish = given.frame_on_finish;
      screen->frame_on_flush = given.frame_on_flush;
      screen->frame_limit = given.frame_limit;
      attila_screen_make_name(screen, &options);
   } else if (error[0]) {
      mesa_loge("attila: %s", error);
   }
   attila_sim_options_free(&given);
   return screen->sim != NULL;
}

/* --- The GPU --- */

static void
attila_screen_free(struct attila_screen *screen)
{
   if (screen->sim)
      attila_sim_destroy(screen->sim);
   attila_memory_finish(&screen->memory);
   disk_cache_destroy(screen->disk_cache);
   attila_finish_screen_counters(screen);
   for (unsigned i = 0; i < screen->num_refusals; i++)
      free(screen->refusals[i]);
   attila_finish_screen_handles(screen);
   slab_destroy_parent(&screen->transfer_pool);
   simple_mtx_destroy(&screen->lock);
   simple_mtx_destroy(&screen->submit_lock);
   util_idalloc_fini(&screen->context_numbers);
   while (screen->connections) {
      struct attila_connection *c = screen->connections;
      screen->connections = c->next;
      FREE(c);
   }
   FREE(screen);
}

static struct attila_screen *
attila_screen_create(void)
{
   struct attila_screen *screen = CALLOC_STRUCT(attila_screen);
   if (!screen)
      return NULL;

   if (!attila_screen_create_simulator(screen)) {
      FREE(screen);
      return NULL;
   }
   if (!attila_memory_init(&screen->memory, screen->memory_size, &screen->lock,
                           attila_eviction_reclaim, screen->debug & ATTILA_DEBUG_ZERO)) {
      mesa_loge("attila: the configured GPU has no memory");
      attila_sim_destroy(screen->sim);
      FREE(screen);
      return NULL;
   }
   simple_mtx_init(&screen->lock, mtx_plain);
   simple_mtx_init(&screen->submit_lock, mtx_plain);
   util_idalloc_init(&screen->context_numbers, 16);
   list_inithead(&screen->streams);
   slab_create_parent(&screen->transfer_pool, sizeof(struct attila_transfer), 64);
   screen->process = getpid();
   screen->udmabuf_fd = -1;
   attila_disk_cache_open(screen);
   if (!attila_init_screen_counters(screen)) {
      mesa_loge("attila: out of memory");
      attila_screen_free(screen);
      return NULL;
   }
   return screen;
}

/* --- Its connections --- */

static simple_mtx_t shared_lock = SIMPLE_MTX_INITIALIZER;
static struct attila_screen *shared; /* the GPU for new connections; NULL: none is open */

/* Returns whether no connection is open. */
static bool
attila_screen_close(struct attila_screen *screen)
{
   simple_mtx_lock(&shared_lock);
   const bool last = --screen->num_open == 0;
   if (last && shared == screen)
      shared = NULL;
   simple_mtx_unlock(&shared_lock);
   return last;
}

/* Reports that a context is not the only one if there are several connections. */
static void
attila_screen_count_connections(struct attila_connection *newest)
{
   struct attila_connection *older = newest->next;
   if (!older)
      return;
   p_atomic_inc(&newest->base.num_contexts);
   if (!older->next)
      p_atomic_inc(&older->base.num_contexts);
}

/* Returns a new connection to the GPU of this process, which is made if there is none. A child does
 * not use the GPU of its parent, since both would advance it. */
static struct attila_connection *
attila_screen_open(struct sw_winsys *winsys)
{
   struct attila_connection *c = CALLOC_STRUCT(attila_connection);
   simple_mtx_lock(&shared_lock);
   if (c && (!shared || shared->process != getpid()))
      shared = attila_screen_create();
   if (c && shared) {
      c->screen = shared;
      c->winsys = winsys;
      c->next = shared->connections;
      shared->connections = c;
      shared->num_open++;
      attila_screen_count_connections(c);
   } else {
      FREE(c);
      c = NULL;
   }
   simple_mtx_unlock(&shared_lock);
   return c;
}

static void
attila_screen_destroy(struct pipe_screen *pscreen)
{
   struct attila_screen *screen = attila_screen(pscreen);
   ((struct attila_connection *)pscreen)->winsys = NULL;
   if (attila_screen_close(screen))
      attila_screen_free(screen);
}

struct pipe_screen *
attila_create_screen(struct sw_winsys *winsys)
{
   struct attila_connection *connection = attila_screen_open(winsys);
   if (!connection)
      return NULL;
   struct pipe_screen *base = &connection->base;
   base->destroy = attila_screen_destroy;
   base->get_name = attila_screen_get_name;
   base->get_vendor = attila_screen_get_vendor;
   base->get_device_vendor = attila_screen_get_device_vendor;
   base->get_timestamp = attila_screen_get_timestamp;
   base->get_disk_shader_cache = attila_screen_get_disk_shader_cache;
   base->query_memory_info = attila_screen_query_memory_info;
   base->get_shader_param = attila_get_shader_param;
   base->get_compute_param = attila_get_compute_param;
   base->get_compiler_options = attila_get_compiler_options;
   base->is_format_supported = attila_is_format_supported;
   base->context_create = attila_context_create;
   attila_init_screen_resources(base);
   attila_init_screen_present(base);
   attila_init_screen_fences(base);
   attila_init_screen_counter_queries(base);
   attila_init_screen_handles(base);
   attila_init_caps(base);
   attila_init_handle_caps(base);
   return base;
}
