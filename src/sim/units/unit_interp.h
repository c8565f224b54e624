/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Interpolator (box/raster/interp.c). units.h says how to read it. */
#ifndef UNIT_INTERP_H
#define UNIT_INTERP_H

/* clang-format off */
#define SIM_UNIT_interp(U)                                                                   \
   U("Interpolator", "Interpolator",                                                         \
      "Interpolates the inputs of fragment quads (ISPASS 2006 section 2)", SIM_CHARGES_DRAW)

#define SIM_PARAMS_interp(P, B, T)                                                 \
   P(RASTERIZER, NumInterpolators, interpolators, 10, 1, 32, "inputs/cycle",       \
      "inputs interpolated of each of StampsPerCycle quads, which begin together") \
   P(RASTERIZER, InterpolatorLatency, interp_latency, 2, 1, 100, "cycles",         \
      "latency of the first attribute; each further one adds a cycle, up to 8")    \
   P(RASTERIZER, EarlyZTestedStampQueueSize, tested_queue, 16, 1, 4096, "quads",   \
      "quads of a ROP that passed the early Z test and wait for interpolation")

/* Of two bins, with HiddenSurfaceRemoval. */
#define SIM_TAGS(c) (2 * (c)->tiling.width * (c)->tiling.height)

#define SIM_STATS_interp(S)                                                     \
   S(fragments, "InterpolatedFragments", FRAGMENTS, "live pixels interpolated") \
   S(quads, "InterpolatedQuads", QUADS, "quads interpolated")                   \
   S(inputs, "InterpolatedInputs", COUNT, "four-component inputs of quads")     \
   S(busy, "BusyCycles", CYCLES, "cycles in which a quad was taken")            \
   S(deferred, "DeferredStamps", QUADS,                                         \
      "quads that waited for what hides them (HiddenSurfaceRemoval)")           \
   S(hidden_quads, "HiddenStamps", QUADS,                                       \
      "waiting quads dropped because later ones hide all of them")              \
   S(hidden_fragments, "HiddenFragments", FRAGMENTS,                            \
      "fragments that later ones hid: they were not shaded")                    \
   S(stall, "ConsumerBusy", CYCLES, "a finished quad waited for the fragment FIFO")

#define SIM_ENERGY_interp(A, E, D, N)                                                        \
   A(TAGS, SIM_TAGS(c), 32, 1)                                                               \
   E("DeferredStamps", Tag, c->tiling.hides * c->gpu.num_rops, 4 * (READ(TAGS) +             \
      WRITE(TAGS)), "four tags, of primitives")                                              \
   E("InterpolatedInputs", Input, c->rast.interpolators * c->rast.tiles_cycle, 4 * (2 *      \
      POWER_FMA + 3 * OP(float_add)),                                                        \
      "for each of four components a plane's value and three steps to the quad's fragments") \
   E("InterpolatedQuads", Quad, c->rast.tiles_cycle, 4 * OP(special) + 8 * POWER_FMA,        \
      "1/w and barycentric coordinates of four fragments")                                   \
   N("InterpolatedFragments Hidden*", "parts of InterpolatedQuads and DeferredStamps")

#define SIM_AREA_interp(U, IN)                                                          \
   U(interpolators, "Interpolators", c->rast.interpolators * c->rast.tiles_cycle, 2.5 * \
      AREA_MAC, 0, 0,                                                                   \
      "estimate: four components of four fragments, multipliers of half the width")     \
   U(tags, "Tag buffers", c->tiling.hides, 0, 32. * SIM_TAGS(c), 0,                     \
      "estimate: 32 bits for each pixel of two bins")

#define SIM_LIMITER_interp(L, W, C, M)                  \
   L(90, "interpolator", raster, interp_ffu, false)     \
      W("InterpolatedQuads", 1.0 / c->rast.tiles_cycle) \
      W("InterpolatedInputs", 1.0 / c->rast.tiles_cycle / c->rast.interpolators)

#define SIM_IDEAL_interp(I)                                                        \
   I(raster, RASTERIZER,                                                           \
      "NumInterpolators=32 InterpolatorLatency=1 EarlyZTestedStampQueueSize=4096")
/* clang-format on */

#endif
