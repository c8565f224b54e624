/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The netlist: every unit, box and signal of the machine, one line each (ISPASS 2006 Figure 5). The
 * sheet of a unit lies beside this file (unit_hz.h); the unit itself is a class of boxes in box/.
 * To add one: docs/howto/extending.md. What is made from these lists: box/netlist.h, config/,
 * power/, measure/.
 *
 * How to read a sheet. Its lists may be empty, but each of them is there:
 *
 * SIM_UNIT_name(U): what the unit is.
 *    U("Class", "Code", "meaning", row to which its counts are charged). In Code, # is the number
 *    of the instance; Code ends the names of the statistics.
 * SIM_PARAMS_name(P, B, T), or SIM_PARAMS_SECTION if a section of the .ini is the unit's own.
 *    P(SECTION, Key, member, default, minimum, maximum, "unit", "meaning")   an integer
 *    B(SECTION, Key, member, default, "meaning")                             TRUE or FALSE
 *    T(SECTION, Key, member, "default", "meaning")                           text
 * SIM_STATS_name(S): what it counts, for each work id.
 *    S(member, "Name", unit of enum sim_unit, "meaning")
 * SIM_ENERGY_name(A, E, D, N): what costs energy. c is the configuration. If the list is empty, the
 *    unit's energy is 0, and outputs say that it declares none.
 *    A(NAME, rows, bits of a row, ports)         an array of memory cells
 *    E("Statistic", Key, most in a cycle of a box, energy of one, "what it is made of")
 *       OP(x): an operation of power/power_table.h with its share of latches, control and wires;
 *       SHADER(x): one of a shader, s; READ(NAME), WRITE(NAME): an access to an array; WIRES(n):
 *       n bits to the memory's pins
 *    D("Statistic", Key, energy, "what it is")   the same for memory chips and pins, whose voltage
 *       is not the chip's. d: what commands cost (power/power_model.c). NULL instead of a
 *       statistic: each cycle
 *    N("Statistics", "why")                      statistics that have no energy of their own, and
 *       why; '*' stands for anything. Statistics in cycles need no line.
 * SIM_AREA_name(U, IN): how much of the chip it takes (config/sim_area.c).
 *    U(name, "what", how many, thousands of transistors of logic, bits of memory, pads, "source")
 *    IN(name)                                    it is included in the unit of this name
 * SIM_LIMITER_name(L, W, C, M): when it holds work up (measure/sim_limiter.c). c is the
 *    configuration.
 *    L(place, "name", ideal, output, uses memory)
 *       place: from the end of the pipeline to its beginning; of units that limit equally, the one
 *       with the first place is named. ideal: the ideal unit that helps. output: a signal of
 *       SIM_SIGNALS that the unit sends, or NONE if no receiver holds it up.
 *    W("Statistic", cycles)                      for the L before: cycles that one count takes at
 *       best, by the parameters that limit it. The unit's work is the largest of its Ws. Without a
 *       W, its busy cycles count, as far as the receiver of its output has room.
 *    C("Statistic")                              a memory channel: cycles of its data pins
 *    M(place, "name of bandwidth", "name of latency", ideal)   memory
 * SIM_IDEAL_name(I): values with which the unit is as fast as possible (--ideal).
 *    I(ideal unit, SECTION, "Key=value Key=value") */
#ifndef UNITS_NETLIST_H
#define UNITS_NETLIST_H

#include "units/unit_blitter.h"
#include "units/unit_cc.h"
#include "units/unit_clp.h"
#include "units/unit_cp.h"
#include "units/unit_csd.h"
#include "units/unit_cw.h"
#include "units/unit_dac.h"
#include "units/unit_ffu.h"
#include "units/unit_gc.h"
#include "units/unit_gddr.h"
#include "units/unit_gi.h"
#include "units/unit_hz.h"
#include "units/unit_interp.h"
#include "units/unit_l2.h"
#include "units/unit_lsu.h"
#include "units/unit_mc.h"
#include "units/unit_mc_v2.h"
#include "units/unit_pa.h"
#include "units/unit_plb.h"
#include "units/unit_sched.h"
#include "units/unit_shdx.h"
#include "units/unit_shf.h"
#include "units/unit_sl.h"
#include "units/unit_so.h"
#include "units/unit_stc.h"
#include "units/unit_stf.h"
#include "units/unit_stoc.h"
#include "units/unit_tf.h"
#include "units/unit_ts.h"
#include "units/unit_tt.h"
#include "units/unit_tu.h"
#include "units/unit_zst.h"

/* The row to which a unit's counts are charged (SIM_UNIT). */
#define SIM_CHARGES_DRAW "the draw or other command it was done for"

/* Reasons why statistics have no energy. */
#define SIM_ENERGY_RETRY "it did not happen, and is tried again"
#define SIM_ENERGY_LEVEL "how many there are, summed over cycles: nothing happens"

/* --- The .ini --- */

/* Sections that several units share. */
/* clang-format off */
#define SIM_PARAMS_STREAMER(P, B, T)                                                    \
   SIM_PARAMS_stf(P, B, T) SIM_PARAMS_stoc(P, B, T) SIM_PARAMS_stc(P, B, T)             \
   SIM_PARAMS_sl(P, B, T)
#define SIM_PARAMS_RASTERIZER(P, B, T)                                                  \
   SIM_PARAMS_ts(P, B, T) SIM_PARAMS_tt(P, B, T) SIM_PARAMS_hz(P, B, T)                 \
   SIM_PARAMS_interp(P, B, T) SIM_PARAMS_ffu(P, B, T)
#define SIM_PARAMS_GEOMETRYSTAGE(P, B, T) SIM_PARAMS_gi(P, B, T) SIM_PARAMS_gc(P, B, T)
#define SIM_PARAMS_FRAGMENTSHADER(P, B, T)               \
   SIM_PARAMS_shf(P, B, T) SIM_PARAMS_tu(P, B, T) SIM_PARAMS_cc(P, B, T) SIM_PARAMS_lsu(P, B, T)

/* S(SECTION, member of struct sim_config). Sections that belong to no unit are in
 * config/sim_params.h. */
#define SIM_SECTIONS(S)                                                                        \
   S(GPU, gpu) S(COMMANDPROCESSOR, cp) S(MEMORYCONTROLLER, mc) S(L2, l2) S(STREAMER, streamer) \
      S(PRIMITIVEASSEMBLY, pa) S(GEOMETRYSTAGE, gs) S(STREAMOUT, so) S(CLIPPER, clip)          \
   S(RASTERIZER, rast) S(TILING, tiling) S(FRAGMENTSHADER, shader) S(VERTEXSHADER, vshader)      \
   S(COMPUTE, compute) S(LATENCY, latency) S(REPEATRATE, repeat)                               \
   S(ZSTENCILTEST, zst) S(COLORWRITE, cw) S(DAC, dac)                                          \
   S(SIMULATOR, sim) S(DVFS, dvfs)
/* clang-format on */

/* --- Boxes --- */

#define SIM_MAX_ROPS 32
#define SIM_MAX_DRAWS 15   /* in flight */
#define SIM_MAX_SHADERS 64 /* fragment and vertex shaders when split */
#define SIM_MAX_CHANNELS 32

/* Shaders 0..num_shaders-1 are unified or fragment; the vertex shaders of a split machine follow.
 */
#define NUM_SHADERS(c) ((c)->gpu.num_shaders + ((c)->gpu.unified ? 0 : (c)->gpu.num_vertex_shaders))

/* Windows of thread groups (boxes of Shader Fetch): one for each shader, or for all of them. */
#define NUM_WINDOWS(c) ((c)->shader.shared_window ? 1 : NUM_SHADERS(c))
#define SHADERS_OF_WINDOW(c) ((c)->shader.shared_window ? (c)->gpu.num_shaders : 1)

/* Texture units: each shader's own, or shared by all. Every unit that a shader reaches is a link:
 * link l is that of shader l / TEX_UNITS_OF_SHADER and of unit l % NUM_TEX_UNITS. */
#define SIM_MAX_TEX_UNITS 64
#define SIM_MAX_TEX_LINKS 256
#define TEX_UNITS_OF_SHADER(c) \
   ((c)->shader.tex_shared ? (c)->shader.tex_shared : (c)->shader.tex_units)
#define NUM_TEX_LINKS(c) (NUM_SHADERS(c) * TEX_UNITS_OF_SHADER(c))
#define NUM_TEX_UNITS(c) ((c)->shader.tex_shared ? (c)->shader.tex_shared : NUM_TEX_LINKS(c))
/* Requests of threads, or of their parts, that a link holds: at least one operation. */
#define TEX_LINK_REQUESTS(c)                            \
   ((c)->shader.tex_queue * 4 < 2 * sim_shader_lanes(c) \
        ? sim_shader_parts(c)                           \
        : (c)->shader.tex_queue * 4 / sim_shader_lanes(c) * sim_shader_parts(c))

/* BOX(class, member, group, how many)
 * ALT(class, other class, member, group, condition, how many): class if the condition holds, else
 * the other.
 * how many: 1 for a single box, else an expression of the configuration c, which is 0 in machines
 * without such boxes. group: boxes of a group share voltage and frequency
 * (config/sim_dvfs_config.h). Statistics and terms of energy are in this order. */
/* clang-format off */
#define SIM_BOXES(BOX, ALT)                                       \
   BOX(cp, cp, COMMAND, 1)                                        \
   BOX(stf, stf, GEOMETRY, 1)                                     \
   BOX(stoc, stoc, GEOMETRY, 1)                                   \
   BOX(sl, sl, GEOMETRY, c->streamer.loaders)                     \
   BOX(stc, stc, GEOMETRY, 1)                                     \
   BOX(pa, pa, GEOMETRY, 1)                                       \
   BOX(gi, gi, GEOMETRY, 1)                                       \
   BOX(gc, gc, GEOMETRY, 1)                                       \
   BOX(clp, clp, GEOMETRY, 1)                                     \
   BOX(so, so, GEOMETRY, 1)                                       \
   BOX(ts, ts, SETUP, 1)                                          \
   BOX(plb, plb, SETUP, sim_tiled(c))                             \
   BOX(tf, tf, RASTER, sim_tiled(c))                              \
   BOX(tt, tt, RASTER, 1)                                         \
   BOX(hz, hz, RASTER, 1)                                         \
   BOX(zst, zst, ROP, c->gpu.num_rops)                            \
   BOX(interp, interp, RASTER, 1)                                 \
   BOX(ffu, ffu, SHADER, 1)                                       \
   BOX(shf, shf, SHADER, NUM_WINDOWS(c))                          \
   BOX(shdx, shdx, SHADER, NUM_SHADERS(c))                        \
   BOX(tu, tu, SHADER, NUM_TEX_UNITS(c))                          \
   BOX(cc, cc, SHADER, NUM_SHADERS(c))                            \
   BOX(lsu, lsu, SHADER, NUM_SHADERS(c))                          \
   BOX(cw, cw, ROP, c->gpu.num_rops)                              \
   BOX(blitter, blitter, COMMAND, 1)                              \
   BOX(dac, dac, DISPLAY, 1)                                      \
   ALT(mc_v2, mc, mc, MEMORY, c->mc.v2 && !c->l2.on, 1)           \
   BOX(l2, l2, MEMORY, L2_SLICES(c))                              \
   ALT(gddr, sched, sched, MEMORY, c->mc.v2, c->mc.channels)      \
   BOX(csd, csd, SHADER, 1)
/* clang-format on */

/* U(class) for the unit of every line. */
#define SIM_EACH_UNIT SIM_BOXES(SIM_UNIT_OF_BOX, SIM_UNITS_OF_ALT)
#define SIM_UNIT_OF_BOX(class, member, group, how_many) U(class)
#define SIM_UNITS_OF_ALT(class, other, member, group, condition, how_many) U(class) U(other)

#define SIM_UNIT_NAME(class) SIM_UNIT_##class(SIM_UNIT_NAME_OF)
#define SIM_UNIT_NAME_OF(name, code, doc, charges) name

/* --- Signals --- */

/* The number of channels of this kind (with banks or not) behind the memory controller, or behind
 * the L2. */
#define CHANNELS_OF(c, there, banks) ((there) && (c)->mc.v2 == (banks) ? (c)->mc.channels : 0)

/* SIG(member, from, to, how many, message, bandwidth, latency, capacity): signal i connects
 * instance i of the boxes that have several. */
/* clang-format off */
#define SIM_SIGNALS(SIG)                                                                        \
   /* Geometry */                                                                               \
   SIG(cp_stf,    cp,   stf,    1, struct msg_draw,   1, 3, c->cp.max_draws)                    \
   SIG(stf_stoc,  stf,  stoc,   1, struct msg_index,  c->streamer.indices_cycle, 1,             \
      c->streamer.output_fifo)                                                                  \
   SIG(stoc_sl,   stoc, sl,     c->streamer.loaders, struct msg_lookup,                         \
      c->streamer.loader_indices, 2, c->streamer.loader_queue)                                  \
   SIG(stoc_stc,  stoc, stc,    1, struct msg_lookup, c->streamer.indices_cycle, 1,             \
      c->streamer.output_fifo)                                                                  \
   SIG(sl_ffu,    sl,   ffu,    c->streamer.loaders, struct msg_vertex,                         \
      c->streamer.loader_indices, 1, c->rast.vertex_input_queue)                                \
   SIG(stoc_ffu,  stoc, ffu,    1, struct msg_stand,  1, 1, 1)                                   \
   SIG(ffu_stc,   ffu,  stc,    1, struct msg_vertex, 16, 1, c->rast.shaded_vertex_queue)       \
   SIG(stc_pa,    stc,  pa,     1, struct msg_vertex, c->streamer.vertices_cycle,               \
      c->pa.input_latency, c->pa.queue) /* what is on its way has its place */                  \
   SIG(stc_stoc,  stc,  stoc,   1, struct msg_vertex, 16, 1, 64) /* entry free again */         \
   SIG(pa_clp,    pa,   clp,    1, struct msg_prim,   c->pa.triangles_cycle, 1, c->clip.queue)  \
   SIG(pa_gi,     pa,   gi,     1, struct msg_gs_input, c->pa.triangles_cycle, 1, c->gs.queue)  \
   SIG(gi_ffu,    gi,   ffu,    1, struct msg_gs,     1, 1, 4)                                  \
   SIG(gi_gc,     gi,   gc,     1, struct msg_gs,     1, 1, c->gs.primitives + SIM_MAX_DRAWS)   \
   SIG(ffu_gc,    ffu,  gc,     1, struct msg_gs,     16, 1, 64)                                \
   SIG(gc_gi,     gc,   gi,     1, struct msg_gs_room, 16, 1, c->gs.primitives)                 \
   SIG(gc_clp,    gc,   clp,    1, struct msg_prim,   c->gs.vertices_cycle, 1, c->clip.queue)   \
   SIG(gc_so,     gc,   so,     1, struct msg_prim,   c->gs.vertices_cycle, 1, c->so.queue)     \
   SIG(pa_so,     pa,   so,     1, struct msg_prim,   c->pa.triangles_cycle, 1, c->so.queue)    \
   SIG(so_cp,     so,   cp,     1, struct msg_done,   1, 1, SIM_MAX_DRAWS)                      \
   SIG(clp_ts,    clp,  ts,     1, struct msg_prim,   c->clip.triangles_cycle,                  \
      c->clip.exec_latency + c->rast.triangle_input_latency,                                    \
      c->clip.triangles_cycle * (c->clip.exec_latency + c->rast.triangle_input_latency + 1) +   \
         c->rast.setup_units)                                                                   \
   SIG(ts_tt,     ts,   tt,     !sim_tiled(c), struct msg_setup, c->rast.triangles_cycle,       \
      (c->rast.setup_on_shader ? 0 : c->rast.setup_latency) +                                   \
         c->rast.triangle_output_latency + 1 /* into its queue */,                              \
      c->rast.batch_queue + c->rast.setup_fifo)                                                 \
   /* of a tile-based machine */                                                                \
   SIG(ts_plb,    ts,   plb,    sim_tiled(c), struct msg_setup, c->rast.triangles_cycle,        \
      (c->rast.setup_on_shader ? 0 : c->rast.setup_latency) +                                   \
         c->rast.triangle_output_latency + 1,                                                   \
      c->rast.setup_fifo)                                                                       \
   SIG(plb_tf,    plb,  tf,     sim_tiled(c), struct msg_bins,  1, 1, 1)                        \
   SIG(tf_plb,    tf,   plb,    sim_tiled(c), struct msg_bins,  1, 1, 1)                        \
   SIG(tf_tt,     tf,   tt,     sim_tiled(c), struct msg_setup, 1, 1,                           \
      c->rast.batch_queue + c->rast.setup_fifo)                                                 \
   /* when primitives are set up on the shaders */                                              \
   SIG(ts_ffu,    ts,   ffu,    c->rast.setup_on_shader, struct msg_triangle,                   \
      c->rast.setup_units, c->rast.setup_latency, c->rast.triangle_input_queue)                 \
   SIG(ffu_ts,    ffu,  ts,     c->rast.setup_on_shader, struct msg_triangle,                   \
      c->rast.setup_units, c->rast.setup_latency,                                               \
      c->rast.setup_units * c->rast.setup_latency)                                              \
   /* Fragments */                                                                              \
   SIG(tt_hz,     tt,   hz,     1, struct msg_tile,   c->rast.tiles_cycle, 1,                   \
      2 * c->rast.tiles_cycle)                                                                  \
   SIG(hz_zst,    hz,   zst,    c->gpu.num_rops, struct msg_quad, 16, 1,                        \
      c->rast.generated_queue + c->zst.input_queue)                                             \
   SIG(hz_interp, hz,   interp, c->gpu.num_rops, struct msg_quad, 16, 1,                        \
      c->rast.generated_queue)                                                                  \
   SIG(zst_hz,    zst,  hz,     c->gpu.num_rops, struct msg_hz,   1, c->rast.hz_update_latency, \
      16)                                                                                       \
   SIG(zst_interp, zst, interp, c->gpu.num_rops, struct msg_quad, c->zst.quads_cycle, 1,      \
      c->rast.tested_queue)                                                                     \
   SIG(interp_ffu, interp, ffu, c->gpu.num_rops, struct msg_quad, c->rast.tiles_cycle,          \
      c->rast.interp_latency, c->rast.interpolated_queue + c->rast.interp_latency)              \
   SIG(ffu_zst,   ffu,  zst,    c->gpu.num_rops, struct msg_quad, 4, 1, c->zst.input_queue)     \
   SIG(ffu_cw,    ffu,  cw,     c->gpu.num_rops, struct msg_quad, 4, 1, c->cw.input_queue)      \
   SIG(zst_cw,    zst,  cw,     c->gpu.num_rops, struct msg_quad, c->zst.quads_cycle, 1,        \
      c->cw.input_queue)                                                                        \
   /* Shaders */                                                                                \
   SIG(ffu_shf,   ffu,  shf,    NUM_WINDOWS(c), struct msg_group, SHADERS_OF_WINDOW(c), 1,      \
      SHADERS_OF_WINDOW(c) * sim_netlist_shader_groups(c))                                      \
   SIG(shf_ffu,   shf,  ffu,    NUM_WINDOWS(c), struct msg_group, SHADERS_OF_WINDOW(c),         \
      sim_shader_output_latency(c), SHADERS_OF_WINDOW(c) * (4 + sim_shader_output_latency(c)))  \
   SIG(csd_shf,   csd,  shf,    NUM_WINDOWS(c), struct msg_group, 1, 1, 1)                      \
   SIG(shf_csd,   shf,  csd,    NUM_WINDOWS(c), struct msg_group, SHADERS_OF_WINDOW(c), 1,      \
      4 * SHADERS_OF_WINDOW(c))                                                                 \
   SIG(shf_shdx,  shf,  shdx,   NUM_SHADERS(c), struct msg_issue, 16, 1, 32)                    \
   SIG(shdx_shf,  shdx, shf,    NUM_SHADERS(c), struct msg_issue, 16, 1, 32)                    \
   SIG(shdx_cc,   shdx, cc,     NUM_SHADERS(c), struct msg_load, sim_shader_parts(c), 1,        \
      c->shader.cc_queue * sim_shader_parts(c))                                                 \
   SIG(cc_shf,    cc,   shf,    NUM_SHADERS(c), struct msg_load, 1, 1, 8)                       \
   SIG(shdx_lsu,  shdx, lsu,    NUM_SHADERS(c), struct msg_load, sim_shader_parts(c), 1,        \
      c->shader.lsu_queue * sim_shader_parts(c))                                                \
   SIG(lsu_shf,   lsu,  shf,    NUM_SHADERS(c), struct msg_load, 1, 1, 8)                       \
   /* Control */                                                                                \
   SIG(cp_zst,    cp,   zst,    c->gpu.num_rops, struct msg_rop,  1, 1, 1)                      \
   SIG(cp_cw,     cp,   cw,     c->gpu.num_rops, struct msg_rop,  1, 1, 1)                      \
   SIG(zst_cp,    zst,  cp,     c->gpu.num_rops, struct msg_done, 1, 1, 2)                      \
   SIG(cw_cp,     cw,   cp,     c->gpu.num_rops, struct msg_done, 1, 1, 20)                     \
   SIG(ts_cp,     ts,   cp,     !sim_tiled(c), struct msg_done, 1, 4, SIM_MAX_DRAWS)            \
      /* The geometry of a draw has ended. As in the release, the next draw's begins when the   \
       * streamer has stopped and reported that it is ready: 4 cycles */                        \
   SIG(cp_ts,     cp,   ts,     1, struct msg_draw,   1, 1, SIM_MAX_DRAWS)                      \
      /* the fragment phase of the next draw begins */                                          \
   SIG(cp_plb,    cp,   plb,    sim_tiled(c), struct msg_pass, 1, 1, 1)                         \
   SIG(plb_cp,    plb,  cp,     sim_tiled(c), struct msg_done, 1, 1, SIM_MAX_DRAWS)             \
      /* all primitives of the draw are listed */                                               \
   SIG(tf_cp,     tf,   cp,     sim_tiled(c), struct msg_drawn, 1, 1, 1)                       \
   SIG(cw_tf,     cw,   tf,     sim_tiled(c) ? c->gpu.num_rops : 0, struct msg_piped, 1, 1, 2)  \
   SIG(cp_hz,     cp,   hz,     1, struct msg_rop,    1, 1, 1) /* Z clear: HZ follows */        \
   SIG(hz_cp,     hz,   cp,     1, struct msg_done,   1, 1, 1)                                  \
   SIG(cp_tu,     cp,   tu,     NUM_TEX_UNITS(c), struct msg_rop, 1, 1, 1)                      \
      /* invalidate the texture cache; no answer */                                             \
   SIG(cp_sl,     cp,   sl,     c->streamer.loaders, struct msg_rop,    1, 1, 1)                \
      /* invalidate the vertex input cache; no answer */                                        \
   SIG(cp_cc,     cp,   cc,     NUM_SHADERS(c), struct msg_rop, 1, 1, 1)                        \
      /* invalidate the constant cache; no answer */                                            \
   SIG(cp_csd,    cp,   csd,    1, struct msg_grid,   1, 1, 1)                                  \
   SIG(csd_cp,    csd,  cp,     1, struct msg_done,   1, 1, 1)                                  \
   SIG(cp_blit,   cp,   blitter, 1, struct msg_blit,  1, 1, 1)                                  \
   SIG(blit_cp,   blitter, cp,  1, struct msg_done,   1, 1, 1)                                  \
   SIG(cp_dac,    cp,   dac,    1, struct msg_swap,   1, 1, 1)                                  \
   SIG(dac_cp,    dac,  cp,     1, struct msg_done,   1, 1, 1)                                  \
   /* Memory: requests and responses of every client, then controller to channel schedulers */  \
   SIG(cp_mc,     cp,   mc,     1, struct msg_mem_request,  1, 1, 16)                           \
   SIG(mc_cp,     mc,   cp,     1, struct msg_mem_response, 2, 1, 16)                           \
   SIG(stf_mc,    stf,  mc,     1, struct msg_mem_request,  1, 1, 8)                            \
   SIG(mc_stf,    mc,   stf,    1, struct msg_mem_response, 2, 1, 64)                           \
   SIG(sl_mc,     sl,   mc,     c->streamer.loaders, struct msg_mem_request,  1, 1, 8) \
   SIG(mc_sl,     mc,   sl,     c->streamer.loaders, struct msg_mem_response, 2, 1, 64) \
   SIG(so_mc,     so,   mc,     1, struct msg_mem_request,  1, 1, 8)                            \
   SIG(mc_so,     mc,   so,     1, struct msg_mem_response, 2, 1, 64)                           \
   SIG(plb_mc,    plb,  mc,     sim_tiled(c), struct msg_mem_request,  1, 1, 8)                 \
   SIG(mc_plb,    mc,   plb,    sim_tiled(c), struct msg_mem_response, 2, 1, 64)                \
   SIG(tf_mc,     tf,   mc,     sim_tiled(c), struct msg_mem_request,  1, 1, 8)                 \
   SIG(mc_tf,     mc,   tf,     sim_tiled(c), struct msg_mem_response, 2, 1, 64)                \
   SIG(zst_mc,    zst,  mc,     c->gpu.num_rops, struct msg_mem_request,  1, 1, 16)             \
   SIG(mc_zst,    mc,   zst,    c->gpu.num_rops, struct msg_mem_response, 2, 1, 64)             \
   SIG(cw_mc,     cw,   mc,     c->gpu.num_rops, struct msg_mem_request,  1, 1, 16)             \
   SIG(mc_cw,     mc,   cw,     c->gpu.num_rops, struct msg_mem_response, 2, 1, 64)             \
   SIG(tu_mc,     tu,   mc,     NUM_TEX_UNITS(c), struct msg_mem_request, 1, 1, 8)              \
   SIG(mc_tu,     mc,   tu,     NUM_TEX_UNITS(c), struct msg_mem_response, 2, 1, 64)            \
   SIG(blit_mc,   blitter, mc,  1, struct msg_mem_request,  1, 1, 16)                           \
   SIG(mc_blit,   mc,   blitter, 1, struct msg_mem_response, 2, 1, 64)                          \
   SIG(dac_mc,    dac,  mc,     1, struct msg_mem_request,  1, 1, 8)                            \
   SIG(mc_dac,    mc,   dac,    1, struct msg_mem_response, 2, 1, 64)                           \
   SIG(cc_mc,     cc,   mc,     NUM_SHADERS(c), struct msg_mem_request, 1, 1, 8)                \
   SIG(mc_cc,     mc,   cc,     NUM_SHADERS(c), struct msg_mem_response, 2, 1, 64)              \
   SIG(lsu_mc,    lsu,  mc,     NUM_SHADERS(c), struct msg_mem_request, 1, 1, 8)                \
   SIG(mc_lsu,    mc,   lsu,    NUM_SHADERS(c), struct msg_mem_response, 2, 1, 64)              \
   /* Requests on their way through a channel: of the simple controller, */                     \
   SIG(mc_sched,  mc,   sched,  CHANNELS_OF(c, !c->l2.on, false), struct msg_channel, 1, 1,     \
      c->mc.service_queue)                                                                      \
   SIG(sched_mc,  sched, mc,    CHANNELS_OF(c, !c->l2.on, false), struct msg_channel, 1, 1,     \
      c->mc.service_queue)                                                                      \
   /* of the one with banks: transactions, room in the channel's queues, reads and writes done */ \
   SIG(mc_gddr,   mc,   sched,  CHANNELS_OF(c, !c->l2.on, true), struct msg_transaction, 1, 1, 4) \
   SIG(gddr_taken, sched, mc,   CHANNELS_OF(c, !c->l2.on, true), struct msg_taken, 1, 1, 4)     \
   SIG(gddr_read, sched, mc,    CHANNELS_OF(c, !c->l2.on, true), struct msg_transaction_done, 1, \
      sim_netlist_read_latency(c), 256)                                                         \
   SIG(gddr_written, sched, mc, CHANNELS_OF(c, !c->l2.on, true), struct msg_transaction_done, 1, \
      1, 64)                                                                                    \
   /* with L2: requests to its slices, and what these ask of both kinds of channels */          \
   SIG(mc_l2,     mc,   l2,     L2_SLICES(c), struct msg_channel, 1, 1, c->l2.request_queue)    \
   SIG(l2_mc,     l2,   mc,     L2_SLICES(c), struct msg_channel, 1, 1, c->mc.service_queue)    \
   SIG(l2_sched,  l2,   sched,  CHANNELS_OF(c, c->l2.on, false), struct msg_channel, 1, 1,      \
      c->mc.service_queue)                                                                      \
   SIG(sched_l2,  sched, l2,    CHANNELS_OF(c, c->l2.on, false), struct msg_channel, 1, 1,      \
      c->mc.service_queue)                                                                      \
   SIG(l2_gddr,   l2,   sched,  CHANNELS_OF(c, c->l2.on, true), struct msg_transaction, 1, 1, 4) \
   SIG(gddr_l2_taken, sched, l2, CHANNELS_OF(c, c->l2.on, true), struct msg_taken, 1, 1, 4)     \
   SIG(gddr_l2_read, sched, l2, CHANNELS_OF(c, c->l2.on, true), struct msg_transaction_done, 1, \
      sim_netlist_read_latency(c), 256)                                                         \
   SIG(gddr_l2_written, sched, l2, CHANNELS_OF(c, c->l2.on, true),                              \
      struct msg_transaction_done, 1, 1, 64)

/* Between shaders and texture units: one of each for every link. */
#define SIM_TEX_SIGNALS(SIG)                                                                    \
   SIG(shdx_tu,   shdx, tu,     NUM_TEX_LINKS(c), struct msg_tex, sim_shader_parts(c), 1,       \
      TEX_LINK_REQUESTS(c))                                                                     \
   SIG(tu_shf,    tu,   shf,    NUM_TEX_LINKS(c), struct msg_tex, 1, 1, 64)
/* clang-format on */

#endif
