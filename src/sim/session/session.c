/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The facade (attila_sim.h): creates a GPU from options, feeds its command queue and runs it, in
 * cycle or functional mode. Every call takes the simulator's lock. Not here: options
 * (options/sim_options.h), exit and signals (session/process_end.c).
 */
#include "session/machine.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "config/sim_ideal.h"
#include "config/sim_shader_machine.h"
#include "core/sim_range.h"
#include "options/sim_options.h"
#include "results/sim_report.h"
#include "session/run_state.h"
#include "session/schedule.h"

#define GUARD_BYTES 4096 /* vector loads of the emulators may end past the last element */

static void
print_warning(const char *message)
{
   fprintf(stderr, "attila: warning: %s\n", message);
}

static void
ignore_warning(const char *message)
{
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

/* Programs are those of the machine as it was configured: ideal units run the same ones faster. */
static bool
load_config(struct attila_sim *sim, const struct attila_sim_options *o, char *error,
            size_t error_size)
{
   struct sim_config *config = &sim->gpu.config;
   if (!sim_config_read(config, o->config_path, o->overrides, o->num_overrides,
                        o->check_only ? ignore_warning : print_warning, error, error_size))
      return false;
   config->sim.half |= o->mode == ATTILA_MODE_HALF;
   if (!sim_config_check(config, error, error_size))
      return false;
   for (unsigned stage = 0; stage < ATTILA_NUM_STAGES; stage++)
      sim_shader_machine_describe(config, (enum attila_stage)stage, &sim->shader_machine[stage]);
   return sim_config_idealise(config, o->ideal, error, error_size) &&
          sim_config_check(config, error, error_size);
}

static void *
reserve(size_t size)
{
   void *p =
       mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (p == MAP_FAILED)
      return NULL;
   sim_huge_pages(p, size);
   return p;
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

static bool
create_memory(struct attila_sim *sim, char *error, size_t error_size)
{
   struct sim_device *d = &sim->device;
   uint32_t mib = sim->gpu.config.mc.memory_size;
   d->memory_size = mib << 20;
   sim->memory_mapped = (size_t)d->memory_size + GUARD_BYTES;
   d->memory = reserve(sim->memory_mapped);
   if (!d->memory)
      snprintf(error, error_size, "cannot reserve %u MiB of GPU memory: %s", mib, strerror(errno));
   else if (!sim_blocks_init(&d->blocks, d->memory_size))
      snprintf(error, error_size, "out of host memory");
   return d->memory && d->blocks.stored && d->blocks.drawn;
}

/* Parameters that change pixels. */
static struct emul_tex_quality
tex_quality(const struct sim_config *config)
{
   return (struct emul_tex_quality){
       .aniso_algorithm = (enum emul_tex_aniso)config->shader.aniso_algorithm,
       .max_aniso = config->shader.max_aniso,
       .force_max_aniso = config->shader.force_max_aniso,
       .even_samples = config->shader.aniso_even,
       .aniso_round =
           (float)config->shader.aniso_round / (float)(1u << config->shader.aniso_round_bits),
       .trilinear_threshold =
           (float)config->shader.brilinear / (float)(1u << config->shader.trilinear_bits)};
}

static bool
create_tracer(struct attila_sim *sim, const struct attila_sim_options *o, char *error,
              size_t error_size)
{
   const struct sim_tracer_options trace = {.path = o->trace_path,
                                            .cycles = o->trace_cycles,
                                            .frames = o->trace_frames,
                                            .draws = o->trace_draws,
                                            .what = o->trace_what,
                                            .limit_mib = o->trace_limit};
   if (sim->dvfs) {
      snprintf(error, error_size, "a trace has one time for all units: not with DVFS.Policy = %s",
               sim->gpu.config.dvfs.policy);
      return false;
   }
   sim->tracer = sim_tracer_create(&sim->gpu, &trace, error, error_size);
   return sim->tracer != NULL;
}

static bool
create_maps(struct attila_sim *sim, const struct attila_sim_options *o, char *error,
            size_t error_size)
{
   uint32_t first = 0, last = UINT32_MAX;
   const char *p = o->maps_draws;
   if (p && (!sim_range_parse(&p, &first, &last) || *p)) {
      snprintf(error, error_size, "draws of maps: \"%s\" is not A or A-B", o->maps_draws);
      return false;
   }
   sim->gpu.maps = sim_maps_create(o->maps, first, last, o->maps_each, error, error_size);
   return sim->gpu.maps != NULL;
}

/* The report may have gone to a folder in the one that was asked for. */
static bool
find_maps_folder(struct attila_sim *sim, const struct attila_sim_options *o)
{
   char path[4200];
   const char *folder = sim_report_folder(sim->device.report);
   snprintf(path, sizeof(path), "%s/maps", folder ? folder : o->out_dir ? o->out_dir : ".");
   sim->maps_folder = strdup(o->maps_dir ? o->maps_dir : path);
   sim->gpu.maps_folder = sim->maps_folder;
   return sim->maps_folder != NULL;
}

struct sim_report *
attila_sim_make_report(struct attila_sim *sim, const char *out_dir, bool rows_only, char *error,
                       size_t error_size)
{
   const struct attila_sim_options *o = &sim->options;
   const struct sim_report_options report = {
       .out_dir = out_dir,
       .save_frames = o->save_frames && out_dir,
       .progress = o->progress,
       .status = o->status,
       .draws_frames = o->draws_frames,
       .draws = o->draws,
       .label = o->label,
       .part_of_a_run = attila_schedule_workers(sim->frames),
       .draws_columns = o->draws_columns,
       .record = o->record,
       .run = {.mode = attila_mode_name(o->mode),
               .config_path = o->config_path,
               .draws_columns = o->draws_columns,
               .ideal = o->ideal,
               .cycle_draws = o->cycle_draws,
               .cycle_label = o->cycle_label,
               .interval = o->interval,
               .power = o->mode == ATTILA_MODE_FUNCTIONAL || rows_only ? NULL : o->power,
               .rows_only = rows_only,
               .config = &sim->gpu.config},
   };
   struct sim_report *r = sim_report_create(&sim->gpu.kernel, &report, error, error_size);
   sim->device.report = r;
   sim->gpu.rows = sim_report_rows(r);
   if (attila_schedule_parts(sim->frames))
      sim_report_pass_over(r, true);
   return r;
}

/* The machine or the functional mode's executor, and what they report to. */
static bool
create_parts(struct attila_sim *sim, const struct attila_sim_options *o, char *error,
             size_t error_size)
{
   struct sim_device *d = &sim->device;
   const struct emul_tex_quality quality = tex_quality(&sim->gpu.config);
   d->frontend = sim_frontend_create(d->memory_size, &quality);
   sim_frontend_limit_draws(d->frontend, sim->gpu.config.sim.max_draw_vertices);
   sim->gpu.device = d;
   sim_objects_init(&sim->gpu);
   if (o->maps && !create_maps(sim, o, error, error_size))
      return false;
   if (o->mode != ATTILA_MODE_FUNCTIONAL)
      build_machine(sim, o->box_order_seed);
   if (sim->mode == ATTILA_MODE_FUNCTIONAL && !(sim->func = sim_func_create(d, o->threads))) {
      snprintf(error, error_size, "out of host memory");
      return false;
   }
   if (sim->func && sim->cp)
      attila_warming_start(sim);
   else if (sim->func && o->keep_clears)
      sim_func_keep_clears(sim->func);
   /* Workers have reports of their own. */
   attila_sim_make_report(sim, attila_schedule_workers(sim->frames) ? NULL : o->out_dir, false,
                          error, error_size);
   sim_report_set_first_frame(d->report, attila_schedule_first(sim->frames));
   if (sim->gpu.maps && !find_maps_folder(sim, o)) {
      snprintf(error, error_size, "out of host memory");
      return false;
   }
   if (d->report && sim->gpu.kernel.islands && attila_schedule_parts(sim->frames)) {
      snprintf(error, error_size,
               "frequencies change by whole frames: parts of frames not with "
               "DVFS.Policy = %s",
               sim->gpu.config.dvfs.policy);
      return false;
   }
   if (d->report && sim->gpu.kernel.islands &&
       !(sim->dvfs = dvfs_create(&sim->gpu, error, error_size)))
      return false;
   if (d->report && o->trace_path && !create_tracer(sim, o, error, error_size))
      return false;
   if (d->report && o->capture_path)
      sim->capture = sim_capture_create(o->capture_path, d->memory_size, error, error_size);
   return d->report && (!o->capture_path || sim->capture);
}

static bool
copy_options(struct attila_sim *sim, const struct attila_sim_options *given, char *error,
             size_t error_size)
{
   struct attila_sim_options *o = &sim->options;
   if (!sim_options_check(&sim_run_options, given, SIM_FROM_PROGRAM, error, error_size))
      return false;
   if (!attila_sim_options_copy(o, given)) {
      snprintf(error, error_size, "out of host memory");
      return false;
   }
   if (o->check_only) {
      free((char *)o->maps_dir);
      free((char *)o->capture_path);
      o->maps_dir = o->out_dir;
      o->out_dir = o->capture_path = NULL;
   }
   return true;
}

struct attila_sim *
attila_sim_create(const struct attila_sim_options *given, char *error, size_t error_size)
{
   struct attila_sim *sim = aligned_alloc(64, (sizeof(*sim) + 63) & ~(size_t)63);
   if (!sim) {
      snprintf(error, error_size, "out of host memory");
      return NULL;
   }
   memset(sim, 0, sizeof(*sim));
   pthread_mutex_init(&sim->lock, NULL);
   if (!copy_options(sim, given, error, error_size)) {
      free(sim);
      return NULL;
   }
   const struct attila_sim_options *o = &sim->options;
   sim->frames = attila_schedule_create(o, error, error_size);
   sim->mode = o->mode == ATTILA_MODE_FUNCTIONAL || attila_schedule_warm(sim->frames)
                   ? ATTILA_MODE_FUNCTIONAL
                   : ATTILA_MODE_CYCLE;
   if ((!sim->frames && error[0]) || !load_config(sim, o, error, error_size) ||
       !create_memory(sim, error, error_size) || !create_parts(sim, o, error, error_size)) {
      attila_sim_destroy(sim);
      return NULL;
   }
   sim->gpu.cp_starved = true;
   attila_exit_add(sim);
   attila_run_created();
   return sim;
}

void
attila_sim_go_on_in_cycle_mode(struct attila_sim *sim)
{
   attila_warming_enter(sim);
   sim_func_destroy(sim->func);
   sim->func = NULL;
   sim->mode = ATTILA_MODE_CYCLE;
}

void
attila_sim_destroy(struct attila_sim *sim)
{
   if (!sim)
      return;
   attila_exit_remove(sim);
   if (sim->device.report)
      attila_sim_finish(sim);
   sim_tracer_destroy(sim->tracer);
   dvfs_destroy(sim->dvfs);
   sim_report_destroy(sim->device.report);
   sim->device.report = NULL;
   if (sim->capture && !sim_capture_close(sim->capture) && !sim->capture_failed)
      fprintf(stderr, "attila: warning: the capture file is incomplete\n");
   sim_func_destroy(sim->func);
   attila_schedule_destroy(sim->frames);
   sim_kernel_fini(&sim->gpu.kernel);
   sim_maps_destroy(sim->gpu.maps);
   free(sim->maps_folder);
   sim_frontend_destroy(sim->device.frontend);
   if (sim->device.memory)
      munmap(sim->device.memory, sim->memory_mapped);
   sim_blocks_fini(&sim->device.blocks);
   pthread_mutex_destroy(&sim->lock);
   attila_sim_options_free(&sim->options);
   free(sim);
}

/* Tells the user once that the capture ends here. */
static void
check_capture(struct attila_sim *sim, bool ok)
{
   char error[4300];
   if (ok || sim->capture_failed || !sim_capture_error(sim->capture, error, sizeof(error)))
      return;
   sim->capture_failed = true;
   fprintf(stderr, "attila: error: %s: the capture ends in frame %u and is good up to there\n",
           error, sim_report_frames(sim->device.report));
}

/* --- Running --- */

/* Runs what is in the queue. Caller holds the lock. */
static bool
run_queue(struct attila_sim *sim)
{
   struct sim_gpu *gpu = &sim->gpu;
   struct sim_kernel *k = &gpu->kernel;
   if (sim->mode == ATTILA_MODE_FUNCTIONAL) {
      char error[300];
      if (!sim_func_run(sim->func, error, sizeof(error)))
         attila_sim_fail(sim, "%s", error);
      return !k->stopped;
   }
   gpu->cp_starved = false;
   sim_kernel_flight(k, true);
   sim_box_wake(sim->cp, sim_box_now(sim->cp) + 1);
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
   const struct sim_device *device;
   uint64_t fence;
};

static bool
fence_reached(const void *data)
{
   const struct wait *w = data;
   return w->device->fence >= w->fence;
}

bool
attila_sim_run_until_fence(struct attila_sim *sim, uint64_t fence)
{
   struct sim_kernel *k = &sim->gpu.kernel;
   const struct wait w = {&sim->device, fence};
   if (sim->mode == ATTILA_MODE_CYCLE && !k->stopped) {
      k->until = fence_reached;
      k->until_data = &w;
      sim_kernel_run(k, NULL);
      k->until = NULL;
      k->until_data = NULL;
   }
   return fence_reached(&w);
}

void
attila_sim_finish(struct attila_sim *sim)
{
   sim_report_begin_work(sim->device.report);
   if (sim->mode == ATTILA_MODE_CYCLE && sim->cp && !sim->gpu.kernel.stopped)
      sim_kernel_run(&sim->gpu.kernel, NULL);
   sim_report_end_work(sim->device.report);
   sim_tracer_finish(sim->tracer);
   sim_gpu_end_maps(&sim->gpu, 0);
   attila_schedule_finish(sim);
   sim_report_finish(sim->device.report);
   if (sim->capture)
      check_capture(sim, sim_capture_flush(sim->capture));
}

/* --- Submission --- */

bool
attila_sim_execute(struct attila_sim *sim, const uint32_t *words, size_t num_words)
{
   sim->device.queue = (struct sim_command_queue){.words = words, .tail = num_words};
   bool ok = run_queue(sim);
   sim->device.queue = (struct sim_command_queue){0};
   return ok;
}

static bool
submit(struct attila_sim *sim, const uint32_t *words, size_t num_words)
{
   if (sim->gpu.kernel.stopped)
      return false;
   if (!num_words)
      return true;
   if (sim->capture)
      check_capture(sim, sim_capture_commands(sim->capture, words, num_words));
   return sim->frames ? attila_schedule_submit(sim, words, num_words)
                      : attila_sim_execute(sim, words, num_words);
}

static void
enter(struct attila_sim *sim)
{
   pthread_mutex_lock(&sim->lock);
   attila_run_enter();
   sim_report_begin_work(sim->device.report);
}

static void
leave(struct attila_sim *sim)
{
   sim_report_end_work(sim->device.report);
   attila_run_leave(sim);
   pthread_mutex_unlock(&sim->lock);
}

bool
attila_sim_submit(struct attila_sim *sim, const uint32_t *words, size_t num_words)
{
   enter(sim);
   bool ok = submit(sim, words, num_words);
   leave(sim);
   return ok;
}

bool
attila_sim_wait(struct attila_sim *sim, uint64_t fence)
{
   enter(sim);
   bool ok = sim->device.fence >= fence;
   attila_schedule_wait(sim, fence);
   if (!ok) {
      if (sim->capture)
         check_capture(sim, sim_capture_wait(sim->capture, fence));
      ok = attila_sim_run_until_fence(sim, fence);
   }
   leave(sim);
   return ok;
}

bool
attila_sim_fence_signalled(struct attila_sim *sim, uint64_t fence)
{
   pthread_mutex_lock(&sim->lock);
   bool ok = sim->device.fence >= fence;
   pthread_mutex_unlock(&sim->lock);
   return ok;
}

bool
attila_sim_read(struct attila_sim *sim, uint32_t address, void *dst, size_t size)
{
   /* The size field of the command has 31 bits. */
   const uint32_t most = 1u << 30;
   enter(sim);
   struct sim_device *d = &sim->device;
   bool ok = address <= d->memory_size && size <= d->memory_size - address;
   for (size_t done = 0; ok && done < size;) {
      uint32_t n = size - done < most ? (uint32_t)(size - done) : most;
      const uint32_t words[3] = {ATTILA_CMD_HEADER(ATTILA_CMD_READ_BUFFER, 2),
                                 address + (uint32_t)done, n};
      d->read.dst = (uint8_t *)dst + done;
      d->read.size = n;
      ok = submit(sim, words, 3);
      d->read.dst = NULL;
      done += n;
   }
   leave(sim);
   return ok;
}

bool
attila_sim_scanout(struct attila_sim *sim, const struct attila_scanout *s,
                   void (*take)(void *user, const uint8_t *bytes,
                                const struct attila_cleared *cleared),
                   void *user)
{
   pthread_mutex_lock(&sim->lock);
   const struct sim_device *d = &sim->device;
   struct attila_cleared cleared = {0};
   bool ok = !sim->gpu.kernel.stopped && s->address <= d->memory_size &&
             s->size <= d->memory_size - s->address;
   if (ok && sim->func)
      sim_func_cleared(sim->func, s, &cleared);
   if (ok)
      take(user, d->memory + s->address, &cleared);
   pthread_mutex_unlock(&sim->lock);
   return ok;
}

/* --- Queries --- */

uint32_t
attila_sim_memory_size(const struct attila_sim *sim)
{
   return sim->device.memory_size;
}

void
attila_sim_shader_machine(const struct attila_sim *sim, unsigned stage,
                          struct attila_shader_machine *machine)
{
   *machine = sim->shader_machine[stage];
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
