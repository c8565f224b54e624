/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The contents of [DVFS]: the policy for frequencies and voltages, the units that share them, and
 * how voltage follows frequency. Not here: policies (src/sim/dvfs), boxes at other frequencies
 * (core/sim_dvfs.h). */
#ifndef SIM_DVFS_CONFIG_H
#define SIM_DVFS_CONFIG_H

#include <stdbool.h>
#include "config/sim_config.h"

/* P(name in the .ini, name in C, what it does). A policy is a line here and a file in src/sim/dvfs.
 * OFF: no DVFS domains. */
/* clang-format off */
#define SIM_DVFS_POLICIES(P)                                                                      \
   P(FIXED, fixed, "the frequencies of Frequencies, for the whole run")                           \
   P(WATERMARK, watermark, "a step down for the side of a queue that waits, all of it back later") \
   P(RACE_TO_IDLE, race_to_idle, "nominal while a frame is drawn, the lowest until the next")     \
   P(DEADLINE, deadline, "the lowest that ends frames in time if they are like those before")     \
   P(ORACLE, oracle, "the lowest that ends each frame in time, known from an earlier run")
/* clang-format on */
enum sim_dvfs_policy {
#define P(name, file, doc) SIM_DVFS_##name,
   SIM_DVFS_POLICIES(P)
#undef P
       SIM_DVFS_OFF,
   SIM_NUM_DVFS_POLICIES = SIM_DVFS_OFF
};

/* G(name in C, Key, struct member, default domain, units): units that share a domain. */
/* clang-format off */
#define SIM_DVFS_GROUPS(G)                                                                \
   G(COMMAND, CommandDomain, command, "geometry", "command processor and Blitter")        \
   G(DISPLAY, DisplayDomain, display, "constant", "DAC")                                  \
   G(GEOMETRY, GeometryDomain, geometry, "geometry",                                      \
     "streamer, primitive assembly, clipper")                                             \
   G(SETUP, SetupDomain, setup, "geometry", "triangle setup")                             \
   G(VERTEX, VertexShaderDomain, vertex, "geometry",                                      \
     "vertex shaders and their texture units, when Unified is FALSE")                     \
   G(RASTER, RasterDomain, raster, "fragment",                                            \
     "triangle traversal, Hierarchical Z, interpolator")                                  \
   G(SHADER, ShaderDomain, shader, "fragment",                                            \
     "fragment FIFO, shaders and texture units")                                          \
   G(ROP, RopDomain, rop, "fragment", "Z and stencil test, colour write")                 \
   G(MEMORY, MemoryDomain, memory, "memory", "memory controller, L2 cache and channels")
/* clang-format on */
enum sim_dvfs_group {
#define G(name, key, member, def, doc) SIM_DVFS_GROUP_##name,
   SIM_DVFS_GROUPS(G)
#undef G
       SIM_NUM_DVFS_GROUPS
};

/* The domain that never changes. */
#define SIM_DVFS_CONSTANT "constant"
#define SIM_DVFS_MAX_DOMAINS 8

struct sim_dvfs_domain {
   char name[SIM_TEXT_SIZE];
   unsigned percent; /* of nominal frequency, at the beginning */
};

struct sim_dvfs_config {
   enum sim_dvfs_policy policy;
   unsigned num_domains; /* number 0 is the constant one */
   struct sim_dvfs_domain domain[SIM_DVFS_MAX_DOMAINS];
   unsigned of_group[SIM_NUM_DVFS_GROUPS];
   unsigned front, back; /* domains before and behind WATERMARK's queue */
   unsigned scaled;      /* bit per domain that a frame policy changes */
};

/* Reads the keys. Returns false with a message if they are wrong. */
bool sim_dvfs_config_read(struct sim_dvfs_config *d, const struct sim_config *config, char *error,
                          size_t error_size);
/* Returns the voltage at a frequency, in thousandths of nominal: linear from MinVoltage at
 * MinFrequency to nominal, MinVoltage below. */
unsigned sim_dvfs_voltage(const struct sim_config *config, unsigned percent);

#endif
