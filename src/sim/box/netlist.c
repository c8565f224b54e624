/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Builds the machine of a configuration: every box of SIM_BOXES, every signal of SIM_SIGNALS, then
 * calls every box's init. A contradictory netlist is a bug in units/units.h and ends the process
 * with a message. Not here: clocking, and what boxes do. */
#include "box/sim_gpu.h"
#include "config/sim_gddr_timing.h"
#include "core/sim_dvfs.h"

#include <stdlib.h>

#define BOX(class, member, group, how_many) extern const struct sim_box_class class##_class;
#define ALT(class, other, member, group, condition, how_many) \
   extern const struct sim_box_class class##_class, other##_class;
SIM_BOXES(BOX, ALT)
#undef BOX
#undef ALT

const struct sim_box_class *const sim_netlist_classes[] = {
#define BOX(class, member, group, how_many) &class##_class,
#define ALT(class, other, member, group, condition, how_many) &class##_class, &other##_class,
    SIM_BOXES(BOX, ALT)
#undef BOX
#undef ALT
};
const unsigned sim_netlist_num_classes =
    sizeof(sim_netlist_classes) / sizeof(sim_netlist_classes[0]);

static void
netlist_fail(const char *what, const char *signal, const char *box, uint32_t count)
{
   fprintf(stderr, "attila: netlist: %s (%s, %s, %u)\n", what, signal, box, count);
   abort();
}

/* Returns whether a box is a vertex shader of a split machine, or a unit of its own. */
static bool
netlist_of_vertices(const struct sim_config *c, const struct sim_box_class *cls, uint32_t i)
{
   if (cls == &tu_class)
      return !c->shader.tex_shared && i / c->shader.tex_units >= c->gpu.num_shaders;
   return (cls == &shf_class || cls == &shdx_class || cls == &cc_class || cls == &lsu_class) &&
          i >= c->gpu.num_shaders;
}

static void
netlist_create_boxes(struct sim_gpu *gpu, const struct sim_dvfs_config *dvfs,
                     struct sim_netlist_boxes *boxes, const char *name,
                     const struct sim_box_class *cls, enum sim_dvfs_group group, bool numbered,
                     uint32_t count)
{
   if (count > SIM_MAX_TEX_UNITS)
      netlist_fail("number of boxes out of range", "-", name, count);
   boxes->name = name;
   boxes->count = count;
   for (uint32_t i = 0; i < count; i++) {
      boxes->box[i] = sim_box_create(&gpu->kernel, gpu, cls, numbered ? (int)i : -1);
      if (gpu->kernel.dvfs)
         sim_dvfs_put(
             boxes->box[i],
             dvfs->of_group[netlist_of_vertices(&gpu->config, cls, i) ? SIM_DVFS_GROUP_VERTEX
                                                                      : group]);
   }
}

/* Returns the box at one end of signal i of how_many: the i-th if that end has one per signal, else
 * the single one. */
static struct sim_box *
netlist_signal_end(const struct sim_netlist_boxes *boxes, const char *signal, uint32_t i,
                   uint32_t how_many)
{
   if (boxes->count == how_many)
      return boxes->box[i];
   if (boxes->count != 1)
      netlist_fail("a signal's number does not fit its boxes", signal, boxes->name, boxes->count);
   return boxes->box[0];
}

/* Returns how many flip-flops of the receiver's clock an object passes on its way into another
 * clock domain. Credits return without this delay. */
static uint32_t
netlist_sync_cycles(const struct sim_box *sender, const struct sim_box *receiver)
{
   return sender->period == receiver->period && sender->dvfs_domain == receiver->dvfs_domain
              ? 0
              : sender->gpu->config.gpu.sync_cycles;
}

/* Returns how many objects the sender may send while an object passes the synchroniser, which has
 * room for them: it costs time but no bandwidth. */
static uint32_t
netlist_in_synchronizer(const struct sim_box *sender, const struct sim_box *receiver,
                        uint32_t bandwidth, uint32_t sync)
{
   uint64_t ticks = (uint64_t)sync * receiver->period;
   return (uint32_t)((ticks + sender->period - 1) / sender->period) * bandwidth;
}

static void
netlist_connect(struct sim_signal *signal, const char *name, struct sim_box *sender,
                struct sim_box *receiver, uint32_t payload, uint32_t bandwidth, uint32_t latency,
                uint32_t capacity)
{
   uint32_t sync = netlist_sync_cycles(sender, receiver);
   sim_signal_init(signal, name, sender, receiver, payload, bandwidth, latency,
                   capacity + netlist_in_synchronizer(sender, receiver, bandwidth, sync));
   if (sender->dvfs_domain == receiver->dvfs_domain)
      signal->latency += sync * receiver->period;
   else
      sim_dvfs_cross(signal, sync * receiver->period);
}

static void
netlist_create_signals(struct sim_signal *signals, const char *name,
                       const struct sim_netlist_boxes *from, const struct sim_netlist_boxes *to,
                       uint32_t how_many, uint32_t payload, uint32_t bandwidth, uint32_t latency,
                       uint32_t capacity)
{
   if (how_many == 0 || !from->count || !to->count) /* not in this machine */
      return;
   if (how_many > SIM_MAX_TEX_UNITS)
      netlist_fail("number of signals out of range", name, from->name, how_many);
   if (bandwidth == 0 || latency == 0 || capacity == 0)
      netlist_fail("a signal without bandwidth, latency or capacity", name, from->name, how_many);
   for (uint32_t i = 0; i < how_many; i++)
      netlist_connect(&signals[i], name, netlist_signal_end(from, name, i, how_many),
                      netlist_signal_end(to, name, i, how_many), payload, bandwidth, latency,
                      capacity);
}

/* Creates the signals of the links between shaders and texture units. to_unit: those away from the
 * shader. */
static void
netlist_create_tex_signals(struct sim_signal *signals, const char *name,
                           const struct sim_netlist_boxes *from, const struct sim_netlist_boxes *to,
                           bool to_unit, uint32_t how_many, uint32_t payload, uint32_t bandwidth,
                           uint32_t latency, uint32_t capacity)
{
   const struct sim_netlist_boxes *shaders = to_unit ? from : to, *units = to_unit ? to : from;
   if (!shaders->count || !units->count)
      return;
   if (how_many > SIM_MAX_TEX_LINKS)
      netlist_fail("number of signals out of range", name, from->name, how_many);
   for (uint32_t i = 0; i < how_many; i++) {
      struct sim_box *shader = shaders->box[i / (how_many / shaders->count)],
                     *unit = units->box[i % units->count];
      netlist_connect(&signals[i], name, to_unit ? shader : unit, to_unit ? unit : shader, payload,
                      bandwidth, latency, capacity);
   }
}

/* Returns a number of work ids that suffices for all that is in the machine at once: work that the
 * command processor lets in, dirty lines of the ROPs' caches and of the L2, blocks on their way to
 * memory. */
#define NUM_POSTED 64 /* writes of a ROP's cache without answer */
#define NUM_EVENTS 64 /* queries that wait in the command processor */
static uint32_t
netlist_num_work_ids(const struct sim_config *c)
{
   uint64_t zst = c->zst.cache_ways * c->zst.cache_sets + NUM_POSTED;
   uint64_t cw = c->cw.cache_ways * c->cw.cache_sets + NUM_POSTED;
   uint64_t work_ids = SIM_DEFAULT_WORK_IDS + c->cp.max_draws + NUM_EVENTS +
                       c->gpu.num_rops * (zst + cw) +
                       L2_SLICES(c) * ((uint64_t)c->l2.ways * c->l2.sets + c->l2.write_backs);
   if (sim_tiled(c))
      work_ids += c->tiling.pass_draws + c->tiling.cache_ways * c->tiling.cache_sets;
   return work_ids < SIM_MAX_WORK_IDS ? (uint32_t)work_ids : SIM_MAX_WORK_IDS;
}

uint32_t
sim_netlist_shader_groups(const struct sim_config *c)
{
   uint32_t groups = c->rast.shader_input_queue / sim_shader_lanes(c);
   return groups ? groups : 1;
}

uint32_t
sim_netlist_read_latency(const struct sim_config *c)
{
   struct sim_gddr_timing t;
   char error[256];
   return c->mc.v2 && sim_gddr_timing_init(&t, c, error, sizeof(error)) ? sim_gddr_read_cycles(&t)
                                                                        : 1;
}

void
sim_netlist_clear(struct sim_gpu *gpu)
{
   struct sim_signal *s = (struct sim_signal *)&gpu->net;
   for (size_t i = 0; i < sizeof(gpu->net) / sizeof(*s); i++)
      s[i] = (struct sim_signal){.arrival = SIM_NEVER};
}

static void
netlist_read_domains(struct sim_gpu *gpu, struct sim_dvfs_config *dvfs)
{
   char error[400];
   if (!sim_dvfs_config_read(dvfs, &gpu->config, error, sizeof(error)))
      netlist_fail(error, "-", "-", 0); /* checked before */
   if (dvfs->policy != SIM_DVFS_OFF)
      sim_dvfs_create(&gpu->kernel, dvfs->num_domains);
}

void
sim_netlist_connect(struct sim_gpu *gpu,
                    const struct sim_netlist_boxes boxes[static NETLIST_NUM_BOXES])
{
   const struct sim_config *c = &gpu->config;
#define SIG(member, from, to, how_many, message, bandwidth, latency, capacity)                    \
   netlist_create_signals(gpu->net.member, #member, &boxes[NETLIST_##from], &boxes[NETLIST_##to], \
                          how_many, sizeof(message), bandwidth, latency, capacity);
   SIM_SIGNALS(SIG)
#undef SIG

#define SIG(member, from, to, how_many, message, bandwidth, latency, capacity)            \
   netlist_create_tex_signals(gpu->net.member, #member, &boxes[NETLIST_##from],           \
                              &boxes[NETLIST_##to], NETLIST_##to == NETLIST_tu, how_many, \
                              sizeof(message), bandwidth, latency, capacity);
   SIM_TEX_SIGNALS(SIG)
#undef SIG
}

void
sim_netlist_build(struct sim_gpu *gpu)
{
   const struct sim_config *c = &gpu->config;
   sim_netlist_clear(gpu);
   gpu->kernel.num_work_ids = netlist_num_work_ids(c);
   struct sim_netlist_boxes boxes[NETLIST_NUM_BOXES] = {0};
   struct sim_dvfs_config dvfs;
   netlist_read_domains(gpu, &dvfs);

   /* The constant 1 makes a single box; an expression of c makes numbered ones, even when it is 1,
    * and none when it is 0. */
#define BOX(class, member, group, how_many)                                            \
   netlist_create_boxes(gpu, &dvfs, &boxes[NETLIST_##member], #member, &class##_class, \
                        SIM_DVFS_GROUP_##group, strcmp(#how_many, "1") != 0, how_many);
#define ALT(class, other, member, group, condition, how_many)                                  \
   netlist_create_boxes(gpu, &dvfs, &boxes[NETLIST_##member], #member,                         \
                        (condition) ? &class##_class : &other##_class, SIM_DVFS_GROUP_##group, \
                        strcmp(#how_many, "1") != 0, how_many);
   SIM_BOXES(BOX, ALT)
#undef BOX
#undef ALT

   sim_netlist_connect(gpu, boxes);
   sim_netlist_group(gpu);
   sim_kernel_start(&gpu->kernel);
}
