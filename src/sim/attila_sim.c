/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The facade (attila_sim.h): creates a GPU from options, feeds its command queue and runs it, in
 * cycle or functional mode. Every call takes the simulator's lock. Not here: options from the
 * environment (attila_options.c), exit and signals (attila_exit.c).
 */
#include "attila_sim_impl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "decode/sim_frontend_impl.h"
#include "report/sim_report.h"

#define GUARD_BYTES 4096 /* vector loads of the emulators may end past the last element */

static void
print_warning(const char *message)
{
   fprintf(stderr, "attila: warning: %s\n", message);
}

void
attila_sim_fail(struct attila_sim *sim, const char *format, ...)
{
   struct sim_kernel *k = &sim->gpu.kernel;
   if (!k->stopped || !k->error[0]) {
      va_list args;
      va_start(args, format);
      vsnprintf(k->error, sizeof(k->error), format, args);
      va_end(args);
   }
   k->stopped = true;
}

/* --- Creation --- */

static bool
load_config(struct sim_config *config, const struct attila_sim_options *o, char *error,
            size_t error_size)
{
   sim_config_defaults(config);
   if (o->config_path && !sim_config_load(config, o->config_path, print_warning, error, error_size))
      return false;
   for (unsigned i = 0; i < o->num_overrides; i++) {
      if (!sim_config_set(config, o->overrides[i], error, error_size))
         return false;
   }
   return sim_config_check(config, error, error_size);
}

static void *
reserve(size_t size)
{
   void *p =
       mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   return p == MAP_FAILED ? NULL : p;
}

static void
build_machine(struct attila_sim *sim, uint32_t order_seed)
{
   struct sim_gpu *gpu = &sim->gpu;
   const struct sim_config *c = &gpu->config;
   sim_kernel_init(&gpu->kernel, c->gpu.gpu_clock, c->gpu.shader_clock, c->gpu.memory_clock,
                   order_seed);
   gpu->kernel.stall_ticks = (sim_tick)c->sim.stall_cycles * gpu->kernel.period[SIM_DOMAIN_GPU];
   sim_netlist_build(gpu);
   for (unsigned i = 0; i < gpu->kernel.num_boxes; i++) {
      if (!strcmp(gpu->kernel.boxes[i]->name, "CP"))
         sim->cp = gpu->kernel.boxes[i];
   }
   if (!sim->cp) {
      fprintf(stderr, "attila: the netlist has no box CP\n");
      abort();
   }
}

static struct attila_sim *
create(const struct attila_sim_options *o, bool warm, char *error, size_t error_size)
{
   struct attila_sim *sim = aligned_alloc(64, (sizeof(*sim) + 63) & ~(size_t)63);
   if (!sim) {
      snprintf(error, error_size, "out of host memory");
      return NULL;
   }
   memset(sim, 0, sizeof(*sim));
   pthread_mutex_init(&sim->lock, NULL);
   struct sim_gpu *gpu = &sim->gpu;
   if (!load_config(&gpu->config, o, error, error_size)) {
      attila_sim_destroy(sim);
      return NULL;
   }
   gpu->mode =
       o->mode == ATTILA_MODE_FUNCTIONAL || warm ? ATTILA_MODE_FUNCTIONAL : ATTILA_MODE_CYCLE;
   gpu->memory_size = gpu->config.mc.memory_size << 20;
   sim->memory_mapped = (size_t)gpu->memory_size + GUARD_BYTES;
   gpu->memory = reserve(sim->memory_mapped);
   if (!gpu->memory) {
      snprintf(error, error_size, "cannot reserve %u MiB of GPU memory: %s",
               gpu->config.mc.memory_size, strerror(errno));
      attila_sim_destroy(sim);
      return NULL;
   }
   sim_pool_init(&gpu->vertices, sizeof(struct sim_vertex), 256);
   sim_pool_init(&gpu->prims, sizeof(struct sim_prim), 256);
   sim_pool_init(&gpu->quads, sizeof(struct sim_quad), 64);
   sim_pool_init(&gpu->groups, sizeof(struct sim_group), 64);
   gpu->reads_capacity = 16;
   gpu->reads = calloc(gpu->reads_capacity, sizeof(*gpu->reads));
   gpu->frontend = sim_frontend_create(gpu);
   if (o->mode == ATTILA_MODE_CYCLE)
      build_machine(sim, o->box_order_seed);
   if (gpu->mode == ATTILA_MODE_FUNCTIONAL)
      gpu->func = sim_func_create(gpu);
   gpu->report = sim_report_create(gpu, o, error, error_size);
   if (gpu->report && o->capture_path)
      sim->capture = sim_capture_create(o->capture_path, gpu->memory_size, error, error_size);
   if (!gpu->report || !gpu->reads || (o->capture_path && !sim->capture)) {
      attila_sim_destroy(sim);
      return NULL;
   }
   gpu->cp_starved = true;
   attila_exit_add(sim);
   return sim;
}

struct attila_sim *
attila_sim_create(const struct attila_sim_options *options, char *error, size_t error_size)
{
   return create(options, false, error, error_size);
}

struct attila_sim *
attila_sim_create_warm(const struct attila_sim_options *options, char *error, size_t error_size)
{
   return create(options, true, error, error_size);
}

void
attila_sim_enter_cycle_mode(struct attila_sim *sim)
{
   pthread_mutex_lock(&sim->lock);
   if (sim->cp && sim->gpu.mode == ATTILA_MODE_FUNCTIONAL) {
      sim_func_destroy(sim->gpu.func);
      sim->gpu.func = NULL;
      sim->gpu.mode = ATTILA_MODE_CYCLE;
   }
   pthread_mutex_unlock(&sim->lock);
}

void
attila_sim_destroy(struct attila_sim *sim)
{
   if (!sim)
      return;
   struct sim_gpu *gpu = &sim->gpu;
   attila_exit_remove(sim);
   if (gpu->report)
      attila_sim_finish(sim);
   sim_report_destroy(gpu);
   if (sim->capture && !sim_capture_close(sim->capture))
      fprintf(stderr, "attila: warning: the capture file is incomplete\n");
   if (gpu->func)
      sim_func_destroy(gpu->func);
   sim_kernel_fini(&gpu->kernel);
   sim_frontend_destroy(gpu->frontend);
   sim_pool_fini(&gpu->vertices);
   sim_pool_fini(&gpu->prims);
   sim_pool_fini(&gpu->quads);
   sim_pool_fini(&gpu->groups);
   if (gpu->memory)
      munmap(gpu->memory, sim->memory_mapped);
   if (sim->discard)
      munmap(sim->discard, sim->memory_mapped);
   free(gpu->reads);
   free(gpu->queue.words);
   pthread_mutex_destroy(&sim->lock);
   free(sim);
}

/* --- Running --- */

/* Runs what is in the queue. Caller holds the lock. */
static bool
run_queue(struct attila_sim *sim)
{
   struct sim_gpu *gpu = &sim->gpu;
   struct sim_kernel *k = &gpu->kernel;
   if (gpu->mode == ATTILA_MODE_FUNCTIONAL) {
      if (!sim_func_run(gpu->func))
         attila_sim_fail(sim, "functional mode stopped");
      return !k->stopped;
   }
   gpu->cp_starved = false;
   sim_box_wake(sim->cp, k->now + 1);
   if (!sim_kernel_run(k, &gpu->cp_starved))
      return false;
   if (!gpu->cp_starved) {
      attila_sim_fail(sim, "tick %llu: every box sleeps but commands are waiting",
                      (unsigned long long)k->now);
      sim_kernel_dump(k, stderr);
      return false;
   }
   return true;
}

struct wait {
   const struct sim_gpu *gpu;
   uint64_t fence;
};

static bool
fence_reached(const void *data)
{
   const struct wait *w = data;
   return w->gpu->fence >= w->fence;
}

static bool
run_until_fence(struct attila_sim *sim, uint64_t fence)
{
   struct sim_gpu *gpu = &sim->gpu;
   struct sim_kernel *k = &gpu->kernel;
   if (gpu->fence >= fence)
      return true;
   if (gpu->mode == ATTILA_MODE_CYCLE && !k->stopped) {
      const struct wait w = {gpu, fence};
      k->until = fence_reached;
      k->until_data = &w;
      bool ok = sim_kernel_run(k, NULL);
      k->until = NULL;
      k->until_data = NULL;
      if (ok && gpu->fence < fence) {
         attila_sim_fail(sim, "tick %llu: every box sleeps but fence %llu has not been signalled",
                         (unsigned long long)k->now, (unsigned long long)fence);
         sim_kernel_dump(k, stderr);
      }
   }
   return gpu->fence >= fence;
}

void
attila_sim_finish(struct attila_sim *sim)
{
   struct sim_gpu *gpu = &sim->gpu;
   if (gpu->mode == ATTILA_MODE_CYCLE && sim->cp && !gpu->kernel.stopped)
      sim_kernel_run(&gpu->kernel, NULL);
   sim_report_finish(gpu);
   if (sim->capture)
      sim_capture_flush(sim->capture);
}

/* --- Submission --- */

static bool
push_read(struct sim_gpu *gpu, uint8_t *dst, uint32_t size)
{
   if (gpu->num_reads == gpu->reads_capacity) {
      unsigned capacity = gpu->reads_capacity * 2;
      struct sim_host_read *reads = calloc(capacity, sizeof(*reads));
      if (!reads)
         return false;
      for (unsigned i = 0; i < gpu->num_reads; i++)
         reads[i] = gpu->reads[(gpu->reads_head + i) % gpu->reads_capacity];
      free(gpu->reads);
      gpu->reads = reads;
      gpu->reads_capacity = capacity;
      gpu->reads_head = 0;
   }
   gpu->reads[(gpu->reads_head + gpu->num_reads) % gpu->reads_capacity] =
       (struct sim_host_read){dst, size};
   gpu->num_reads++;
   return true;
}

/* Finds the commands in words: fences to be known to wait, reads nobody asked for. dst: where the
 * one READ_BUFFER of attila_sim_read goes. */
static bool
scan(struct attila_sim *sim, const uint32_t *words, size_t num_words, uint8_t *dst)
{
   struct sim_gpu *gpu = &sim->gpu;
   char error[300];
   for (size_t i = 0; i < num_words;) {
      uint32_t n;
      if (!sim_check_header(words + i, num_words - i, &n, error, sizeof(error))) {
         attila_sim_fail(sim, "word %zu of a submission: %s", i, error);
         return false;
      }
      uint32_t op = ATTILA_CMD_OP(words[i]);
      if (op == ATTILA_CMD_FENCE) {
         uint64_t value = words[i + 1] | (uint64_t)words[i + 2] << 32;
         sim->last_fence = value > sim->last_fence ? value : sim->last_fence;
      } else if (op == ATTILA_CMD_SWAP || op == ATTILA_CMD_END_FRAME) {
         sim->frame_ended = true;
      } else if (op == ATTILA_CMD_READ_BUFFER) {
         /* A size beyond memory is an error when the command is executed; it needs no destination.
          */
         if (!dst && !sim->discard)
            sim->discard = reserve(sim->memory_mapped);
         if ((!dst && !sim->discard) || !push_read(gpu, dst ? dst : sim->discard, words[i + 2])) {
            attila_sim_fail(sim, "out of host memory");
            return false;
         }
      }
      i += n;
   }
   return true;
}

static bool
append(struct sim_command_queue *q, const uint32_t *words, size_t num_words)
{
   if (q->head == q->tail) {
      q->head = q->tail = 0;
   } else if (q->tail + num_words > q->capacity && q->head) {
      memmove(q->words, q->words + q->head, (q->tail - q->head) * 4);
      q->tail -= q->head;
      q->head = 0;
   }
   if (q->tail + num_words > q->capacity) {
      size_t capacity = (q->tail + num_words) * 2;
      uint32_t *grown = realloc(q->words, capacity * 4);
      if (!grown)
         return false;
      q->words = grown;
      q->capacity = capacity;
   }
   memcpy(q->words + q->tail, words, num_words * 4);
   q->tail += num_words;
   return true;
}

static bool
submit(struct attila_sim *sim, const uint32_t *words, size_t num_words, uint8_t *dst)
{
   struct sim_kernel *k = &sim->gpu.kernel;
   if (k->stopped)
      return false;
   if (!num_words)
      return true;
   if (!scan(sim, words, num_words, dst))
      return false;
   /* A capture is complete up to the last frame whatever happens. */
   bool frame_ended = sim->frame_ended;
   sim->frame_ended = false;
   if (sim->capture && (!sim_capture_commands(sim->capture, words, num_words) ||
                        (frame_ended && !sim_capture_flush(sim->capture)))) {
      sim_warn(&sim->gpu, "the capture file could not be written: %s", strerror(errno));
      sim_capture_close(sim->capture);
      sim->capture = NULL;
   }
   if (!append(&sim->gpu.queue, words, num_words)) {
      attila_sim_fail(sim, "out of host memory");
      return false;
   }
   return run_queue(sim);
}

bool
attila_sim_submit(struct attila_sim *sim, const uint32_t *words, size_t num_words)
{
   pthread_mutex_lock(&sim->lock);
   bool ok = submit(sim, words, num_words, NULL);
   pthread_mutex_unlock(&sim->lock);
   return ok;
}

bool
attila_sim_wait(struct attila_sim *sim, uint64_t fence)
{
   pthread_mutex_lock(&sim->lock);
   bool ok = sim->gpu.fence >= fence;
   if (!ok && fence <= sim->last_fence) {
      if (sim->capture)
         sim_capture_wait(sim->capture, fence);
      ok = run_until_fence(sim, fence);
   }
   pthread_mutex_unlock(&sim->lock);
   return ok;
}

bool
attila_sim_fence_signalled(struct attila_sim *sim, uint64_t fence)
{
   pthread_mutex_lock(&sim->lock);
   bool ok = sim->gpu.fence >= fence;
   pthread_mutex_unlock(&sim->lock);
   return ok;
}

bool
attila_sim_read(struct attila_sim *sim, uint32_t address, void *dst, size_t size)
{
   /* The size field of the command has 31 bits. */
   const uint32_t most = 1u << 30;
   pthread_mutex_lock(&sim->lock);
   uint32_t memory_size = sim->gpu.memory_size;
   bool ok = address <= memory_size && size <= memory_size - address;
   for (size_t done = 0; ok && done < size;) {
      uint32_t n = size - done < most ? (uint32_t)(size - done) : most;
      const uint32_t words[3] = {ATTILA_CMD_HEADER(ATTILA_CMD_READ_BUFFER, 2),
                                 address + (uint32_t)done, n};
      ok = submit(sim, words, 3, (uint8_t *)dst + done);
      done += n;
   }
   pthread_mutex_unlock(&sim->lock);
   return ok;
}

bool
attila_sim_scanout(struct attila_sim *sim, uint32_t address, void *dst, size_t size)
{
   pthread_mutex_lock(&sim->lock);
   const struct sim_gpu *gpu = &sim->gpu;
   bool ok =
       !gpu->kernel.stopped && address <= gpu->memory_size && size <= gpu->memory_size - address;
   if (ok)
      memcpy(dst, gpu->memory + address, size);
   pthread_mutex_unlock(&sim->lock);
   return ok;
}

/* --- Queries --- */

uint32_t
attila_sim_memory_size(const struct attila_sim *sim)
{
   return sim->gpu.memory_size;
}

uint64_t
attila_sim_cycles(struct attila_sim *sim)
{
   pthread_mutex_lock(&sim->lock);
   const struct sim_kernel *k = &sim->gpu.kernel;
   uint64_t cycles = k->period[SIM_DOMAIN_GPU] ? k->now / k->period[SIM_DOMAIN_GPU] : 0;
   pthread_mutex_unlock(&sim->lock);
   return cycles;
}

uint64_t
attila_sim_time_ns(struct attila_sim *sim)
{
   pthread_mutex_lock(&sim->lock);
   uint64_t ns = (uint64_t)((double)sim->gpu.kernel.now * sim->gpu.kernel.ns_per_tick);
   pthread_mutex_unlock(&sim->lock);
   return ns;
}

const char *
attila_sim_error(struct attila_sim *sim)
{
   pthread_mutex_lock(&sim->lock);
   const char *error = sim->gpu.kernel.stopped ? sim->gpu.kernel.error : NULL;
   pthread_mutex_unlock(&sim->lock);
   return error;
}
