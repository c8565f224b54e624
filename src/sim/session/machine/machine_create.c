/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Creates the machine (machine.h) from its options: configuration, memory, boxes, functional mode,
 * report, maps, trace, policy; and frees it. Not here: running (machine.c). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "config/sim_ideal.h"
#include "config/sim_shader_machine.h"
#include "core/sim_file.h"
#include "core/sim_range.h"
#include "core/sim_shares.h"
#include "measure/sim_measure.h"
#include "session/machine/machine_impl.h"

#define GUARD_BYTES 4096 /* the emulators' vector loads may read past the last element */

/* Describes the shaders for the compiler, without ideal units: programs are compiled for the
 * configured machine, and ideal units run them faster. */
static bool
machine_create_load_config(struct sim_machine *m, char *error, size_t error_size)
{
   const struct attila_sim_options *o = m->options;
   struct sim_config *config = &m->gpu.config;
   if (!sim_config_read(config, o->config_path, o->overrides, o->num_overrides, &m->ignored_keys,
                        error, error_size))
      return false;
   if (m->ignored_keys && !o->check_only)
      fprintf(stderr, "attila: warning: %s\n", m->ignored_keys);
   config->sim.half |= o->mode == ATTILA_MODE_HALF;
   if (!sim_config_check(config, error, error_size))
      return false;
   for (unsigned stage = 0; stage < ATTILA_NUM_STAGES; stage++)
      sim_shader_machine_describe(config, (enum attila_stage)stage, &m->shader[stage]);
   return sim_config_idealise(config, o->ideal, error, error_size) &&
          sim_config_check(config, error, error_size);
}

/* Returns zeros, which take memory when they are touched; NULL on failure. */
static void *
machine_create_reserve(size_t size)
{
   void *p =
       mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   return p == MAP_FAILED ? NULL : p;
}

static bool
machine_create_memory(struct sim_machine *m, char *error, size_t error_size)
{
   struct sim_device *d = &m->device;
   const uint32_t mib = m->gpu.config.mc.memory_size;
   d->memory_size = mib << 20;
   d->private_size = sim_tiled(&m->gpu.config) ? m->gpu.config.tiling.memory_size << 10 : 0;
   m->memory_mapped = (size_t)sim_device_memory_end(d) + GUARD_BYTES;
   d->memory = machine_create_reserve(m->memory_mapped);
   if (!d->memory)
      snprintf(error, error_size, "cannot reserve %u MiB of GPU memory: %s", mib, strerror(errno));
   else if (!sim_blocks_init(&d->blocks, d->memory_size))
      snprintf(error, error_size, "out of host memory");
   else
      sim_huge_pages(d->memory, m->memory_mapped);
   return d->memory && d->blocks.stored && d->blocks.drawn;
}

/* Returns the parameters that change pixels. */
static struct emul_tex_quality
machine_create_tex_quality(const struct sim_config *config)
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

static void
machine_create_frontend(struct sim_machine *m)
{
   struct sim_device *d = &m->device;
   const struct emul_tex_quality quality = machine_create_tex_quality(&m->gpu.config);
   d->frontend = sim_frontend_create(d->memory_size, &quality);
   sim_frontend_limit_draws(d->frontend, m->gpu.config.sim.max_draw_vertices,
                            m->gpu.config.sim.max_iterations);
}

static bool
machine_create_maps(struct sim_machine *m, char *error, size_t error_size)
{
   const struct attila_sim_options *o = m->options;
   uint64_t first = 0, last = UINT32_MAX;
   if (!o->maps)
      return true;
   if (o->maps_draws && (!sim_range_span(o->maps_draws, &first, &last) || last > UINT32_MAX)) {
      snprintf(error, error_size, "draws of maps: \"%.100s\" is not A or A-B up to %u",
               o->maps_draws, UINT32_MAX);
      return false;
   }
   m->maps =
       sim_maps_create(o->maps, (uint32_t)first, (uint32_t)last, o->maps_each, error, error_size);
   return m->gpu.maps = m->maps != NULL;
}

#define LARGE_SHADERS 16 /* machines with long cycles (docs/explanation/threads.md) */

/* Returns the default number of threads: two for a large machine if processors are free. More were
 * not seen to be faster. */
static unsigned
machine_create_threads_chosen(const struct sim_config *c, unsigned processors)
{
   double load;
   if (c->gpu.num_shaders < LARGE_SHADERS || getloadavg(&load, 1) != 1)
      return 1;
   return load + 1.5 <= processors ? 2 : 1; /* a processor for us, and one that is mostly free */
}

/* Warns if fewer threads clock the boxes than SIMULATOR.Threads, and says why. */
static unsigned
machine_create_threads_fewer(const struct sim_machine *m, unsigned threads, const char *why)
{
   if (m->gpu.config.sim.threads > threads && !m->options->check_only)
      fprintf(stderr, "attila: warning: SIMULATOR.Threads = %u: %u used, %s\n",
              m->gpu.config.sim.threads, threads, why);
   return threads;
}

/* Returns the threads that clock the boxes. */
static unsigned
machine_create_threads(const struct sim_machine *m)
{
   const struct sim_config *c = &m->gpu.config;
   const unsigned jobs = m->options->jobs, processors = sim_processors(),
                  most = jobs < processors ? processors / (jobs ? jobs : 1) : 1;
   if (m->gpu.maps)
      return machine_create_threads_fewer(m, 1, "boxes write maps in their order");
   if (m->options->trace_path)
      return machine_create_threads_fewer(m, 1, "boxes write a trace in their order");
   if (jobs > 1 && c->sim.threads > most)
      return machine_create_threads_fewer(m, most, "workers share the processors");
   if (c->sim.threads)
      return c->sim.threads;
   return jobs > 1 ? 1 : machine_create_threads_chosen(c, processors);
}

static void
machine_create_boxes(struct sim_machine *m)
{
   struct sim_gpu *gpu = &m->gpu;
   const struct sim_config *c = &gpu->config;
   sim_kernel_init(&gpu->kernel, c->gpu.gpu_clock, c->gpu.shader_clock, c->gpu.memory_clock,
                   m->options->box_order_seed);
   gpu->kernel.stall_ticks = (sim_tick)c->sim.stall_cycles * gpu->kernel.period[SIM_DOMAIN_GPU];
   gpu->kernel.num_threads = machine_create_threads(m);
   sim_netlist_build(gpu);
   for (unsigned i = 0; i < gpu->kernel.num_boxes; i++) {
      if (!strcmp(gpu->kernel.boxes[i]->name, "CP"))
         m->cp = gpu->kernel.boxes[i];
   }
   if (!m->cp) {
      fprintf(stderr, "attila: internal error: the netlist has no box CP\n");
      abort();
   }
}

static bool
machine_create_functional_mode(struct sim_machine *m, char *error, size_t error_size)
{
   m->func = sim_func_create(&m->device, m->options->threads);
   if (!m->func) {
      snprintf(error, error_size, "out of host memory");
      return false;
   }
   if (m->cp && !sim_warming_note_uses(m)) {
      snprintf(error, error_size, "out of host memory");
      return false;
   }
   if (m->cp)
      sim_warming_start(m);
   else if (m->options->keep_clears)
      sim_func_keep_clears(m->func);
   return true;
}

struct sim_machine *
sim_machine_create(const struct attila_sim_options *options, bool functional, char *error,
                   size_t error_size)
{
   /* Functional mode touches little of its boxes. */
   struct sim_machine *m = machine_create_reserve(sizeof(*m));
   if (!m) {
      snprintf(error, error_size, "out of host memory");
      return NULL;
   }
   m->options = options;
   m->functional = functional;
   if (!machine_create_load_config(m, error, error_size) ||
       !machine_create_memory(m, error, error_size))
      goto fail;
   machine_create_frontend(m);
   m->gpu.device = &m->device;
   m->gpu.cp_starved = true;
   sim_objects_init(&m->gpu);
   if (!machine_create_maps(m, error, error_size))
      goto fail;
   if (options->mode != ATTILA_MODE_FUNCTIONAL)
      machine_create_boxes(m);
   m->measure = sim_measure_create(&m->gpu.kernel, &m->gpu.config, &m->device.observed);
   if (!m->measure) {
      snprintf(error, error_size, "out of host memory");
      goto fail;
   }
   if (!functional || machine_create_functional_mode(m, error, error_size))
      return m;
fail:
   sim_machine_destroy(m);
   return NULL;
}

void
sim_machine_destroy(struct sim_machine *m)
{
   if (!m)
      return;
   sim_tracer_destroy(m->tracer);
   dvfs_destroy(m->dvfs);
   sim_machine_close_report(m);
   sim_maps_destroy(m->maps);
   sim_measure_destroy(m->measure);
   sim_func_destroy(m->func);
   sim_kernel_fini(&m->gpu.kernel);
   free(m->maps_folder);
   sim_frontend_destroy(m->device.frontend);
   sim_observed_fini(&m->device.observed);
   if (m->device.memory)
      munmap(m->device.memory, m->memory_mapped);
   sim_blocks_fini(&m->device.blocks);
   sim_uses_fini(&m->device.uses);
   free(m->ignored_keys);
   munmap(m, sizeof(*m));
}

/* --- What observes it --- */

bool
sim_machine_open_report(struct sim_machine *m, const struct sim_machine_report *how, char *error,
                        size_t error_size)
{
   const struct attila_sim_options *o = m->options;
   const struct sim_report_options report = {
       .out_dir = how->out_dir,
       .save_frames = o->save_frames && how->out_dir,
       .progress = o->progress && !how->quiet,
       .status = o->status && !how->quiet,
       .draws = o->draws,
       .label = o->label,
       .part_of_a_run = how->part_of_a_run,
       .draws_columns = o->draws_columns,
       .record = o->record,
       .run = {.mode = attila_mode_name(o->mode),
               .config_path = o->config_path,
               .ignored_keys = m->ignored_keys,
               .draws_columns = o->draws_columns,
               .ideal = o->ideal,
               .cycle_draws = o->cycle_draws,
               .cycle_label = o->cycle_label,
               .interval = o->interval,
               .power = o->mode == ATTILA_MODE_FUNCTIONAL || how->rows_only ? NULL : o->power,
               .rows_only = how->rows_only,
               .config = &m->gpu.config},
   };
   struct sim_observed *observed = &m->device.observed;
   sim_machine_close_report(m);
   observed->in_parts = observed->passing = how->partly;
   observed->first_frame = how->first_frame;
   if (o->draws_frames && !sim_observed_choose_frames(observed, o->draws_frames, error, error_size))
      return false;
   m->report = sim_report_create(m->measure, &report, error, error_size);
   if (sim_report_writes_files(m->report))
      sim_machine_count_work(m);
   if (m->dvfs)
      dvfs_announce(m->dvfs);
   return m->report != NULL;
}

void
sim_machine_close_report(struct sim_machine *m)
{
   sim_report_destroy(m->report);
   m->report = NULL;
}

/* Returns the folder of the report, which may be a subfolder of the given one. */
static void
machine_create_connect_maps(struct sim_machine *m)
{
   const struct attila_sim_options *o = m->options;
   const char *folder = sim_report_folder(m->report);
   if (o->maps_dir)
      m->maps_folder = sim_file_path("%s", o->maps_dir);
   else
      m->maps_folder = sim_file_path("%s/maps", folder ? folder : o->out_dir);
   sim_maps_listen(m->maps, &m->device.observed, m->maps_folder);
}

static bool
machine_create_tracer(struct sim_machine *m, char *error, size_t error_size)
{
   const struct attila_sim_options *o = m->options;
   const struct sim_tracer_options trace = {.path = o->trace_path,
                                            .cycles = o->trace_cycles,
                                            .frames = o->trace_frames,
                                            .draws = o->trace_draws,
                                            .what = o->trace_what,
                                            .limit_mib = o->trace_limit};
   if (m->dvfs) {
      snprintf(error, error_size, "a trace has one time for all units: not with DVFS.Policy = %s",
               m->gpu.config.dvfs.policy);
      return false;
   }
   sim_machine_count_work(m);
   m->tracer = sim_tracer_create(&m->gpu, &trace, error, error_size);
   return m->tracer != NULL;
}

bool
sim_machine_observe(struct sim_machine *m, char *error, size_t error_size)
{
   if (m->maps)
      machine_create_connect_maps(m);
   if (m->gpu.kernel.dvfs && !(m->dvfs = dvfs_create(&m->gpu, error, error_size)))
      return false;
   return !m->options->trace_path || machine_create_tracer(m, error, error_size);
}
