/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The netlist: every box and every signal of the machine, one line each (ISPASS 2006 Figure 5).
 * netlist.c makes boxes and signals from it; a box reaches its signals through gpu->net.
 *
 * BOX(class, member, group, how many)
 * ALT(class, other class, member, group, condition, how many)   class if the condition holds, else
 * the other. SIG(member, from, to, how many, message, bandwidth, latency, capacity)   how many: 1
 * for a single one, else an expression of the configuration c; signal i connects instance i of the
 * boxes that have several. group: who shares voltage and frequency (config/sim_dvfs_config.h).
 */
#ifndef SIM_NETLIST_H
#define SIM_NETLIST_H

#include "box/objects.h"
#include "config/sim_config.h"
#include "config/sim_dvfs_config.h"
#include "config/sim_shader_machine.h"

#define SIM_MAX_ROPS 16
#define SIM_MAX_DRAWS 15   /* in flight */
#define SIM_MAX_SHADERS 32 /* fragment and vertex shaders when split */
#define SIM_MAX_CHANNELS 16

/* Shaders 0..num_shaders-1 are unified or fragment; the vertex shaders of a split machine follow.
 */
#define NUM_SHADERS(c) ((c)->gpu.num_shaders + ((c)->gpu.unified ? 0 : (c)->gpu.num_vertex_shaders))

/* Texture units: each shader's own, or shared by all. Every unit that a shader reaches is a link:
 * link l is that of shader l / TEX_UNITS_OF_SHADER and of unit l % NUM_TEX_UNITS. */
#define SIM_MAX_TEX_UNITS 64
#define SIM_MAX_TEX_LINKS 256
#define TEX_UNITS_OF_SHADER(c) \
   ((c)->shader.tex_shared ? (c)->shader.tex_shared : (c)->shader.tex_units)
#define NUM_TEX_LINKS(c) (NUM_SHADERS(c) * TEX_UNITS_OF_SHADER(c))
#define NUM_TEX_UNITS(c) ((c)->shader.tex_shared ? (c)->shader.tex_shared : NUM_TEX_LINKS(c))
/* Requests of threads that a link holds. */
#define TEX_LINK_REQUESTS(c)                            \
   ((c)->shader.tex_queue * 4 < 2 * sim_shader_lanes(c) \
        ? 1                                             \
        : (c)->shader.tex_queue * 4 / sim_shader_lanes(c))

/* clang-format off */
#define SIM_BOXES(BOX, ALT)                                       \
   BOX(cp, cp, COMMAND, 1)                                        \
   BOX(stf, stf, GEOMETRY, 1)                                     \
   BOX(stoc, stoc, GEOMETRY, 1)                                   \
   BOX(sl, sl, GEOMETRY, c->streamer.loaders)                     \
   BOX(stc, stc, GEOMETRY, 1)                                     \
   BOX(pa, pa, GEOMETRY, 1)                                       \
   BOX(clp, clp, GEOMETRY, 1)                                     \
   BOX(ts, ts, SETUP, 1)                                          \
   BOX(tt, tt, RASTER, 1)                                         \
   BOX(hz, hz, RASTER, 1)                                         \
   BOX(zst, zst, ROP, c->gpu.num_rops)                            \
   BOX(interp, interp, RASTER, 1)                                 \
   BOX(ffu, ffu, SHADER, 1)                                       \
   BOX(shf, shf, SHADER, NUM_SHADERS(c))                          \
   BOX(shdx, shdx, SHADER, NUM_SHADERS(c))                        \
   BOX(tu, tu, SHADER, NUM_TEX_UNITS(c))                          \
   BOX(cw, cw, ROP, c->gpu.num_rops)                              \
   BOX(blitter, blitter, COMMAND, 1)                              \
   BOX(dac, dac, DISPLAY, 1)                                      \
   ALT(mc_v2, mc, mc, MEMORY, c->mc.v2, 1)                        \
   ALT(gddr, sched, sched, MEMORY, c->mc.v2, c->mc.channels)

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
   SIG(ffu_stc,   ffu,  stc,    1, struct msg_vertex, 16, 1, c->rast.shaded_vertex_queue)       \
   SIG(stc_pa,    stc,  pa,     1, struct msg_vertex, c->streamer.vertices_cycle,               \
      c->pa.input_latency, c->pa.queue) /* what is on its way has its place */                  \
   SIG(stc_stoc,  stc,  stoc,   1, struct msg_vertex, 16, 1, 64) /* entry free again */         \
   SIG(pa_clp,    pa,   clp,    1, struct msg_prim,   c->pa.triangles_cycle, 1, c->clip.queue)  \
   SIG(clp_ts,    clp,  ts,     1, struct msg_prim,   c->clip.triangles_cycle,                  \
      c->clip.exec_latency + c->rast.triangle_input_latency,                                    \
      c->clip.triangles_cycle * (c->clip.exec_latency + c->rast.triangle_input_latency + 1) +   \
         c->rast.setup_units)                                                                   \
   SIG(ts_tt,     ts,   tt,     1, struct msg_setup,  c->rast.triangles_cycle,                  \
      (c->rast.setup_on_shader ? 0 : c->rast.setup_latency) +                                   \
         c->rast.triangle_output_latency + 1 /* into its queue */,                              \
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
   SIG(ffu_shf,   ffu,  shf,    NUM_SHADERS(c), struct msg_group, 1, 1,                         \
      sim_netlist_shader_groups(c))                                                             \
   SIG(shf_ffu,   shf,  ffu,    NUM_SHADERS(c), struct msg_group, 1,                            \
      sim_shader_output_latency(c), 4 + sim_shader_output_latency(c))                           \
   SIG(shf_shdx,  shf,  shdx,   NUM_SHADERS(c), struct msg_issue, 16, 1, 32)                    \
   SIG(shdx_shf,  shdx, shf,    NUM_SHADERS(c), struct msg_issue, 16, 1, 32)                    \
   /* Control */                                                                                \
   SIG(cp_zst,    cp,   zst,    c->gpu.num_rops, struct msg_rop,  1, 1, 1)                      \
   SIG(cp_cw,     cp,   cw,     c->gpu.num_rops, struct msg_rop,  1, 1, 1)                      \
   SIG(zst_cp,    zst,  cp,     c->gpu.num_rops, struct msg_done, 1, 1, 2)                      \
   SIG(cw_cp,     cw,   cp,     c->gpu.num_rops, struct msg_done, 1, 1, 20)                     \
   SIG(ts_cp,     ts,   cp,     1, struct msg_done,   1, 4, SIM_MAX_DRAWS)                      \
      /* the geometry of a draw has ended. As in the release the next draw's begins when the    \
       * streamer has been told to stop and has said that it is ready: 4 cycles */              \
   SIG(cp_ts,     cp,   ts,     1, struct msg_draw,   1, 1, SIM_MAX_DRAWS)                      \
      /* the fragment phase of the next draw begins */                                          \
   SIG(cp_hz,     cp,   hz,     1, struct msg_rop,    1, 1, 1) /* Z clear: HZ follows */        \
   SIG(hz_cp,     hz,   cp,     1, struct msg_done,   1, 1, 1)                                  \
   SIG(cp_tu,     cp,   tu,     NUM_TEX_UNITS(c), struct msg_rop, 1, 1, 1)                      \
      /* invalidate the texture cache; no answer */                                             \
   SIG(cp_sl,     cp,   sl,     c->streamer.loaders, struct msg_rop,    1, 1, 1)                \
      /* invalidate the vertex input cache; no answer */                                        \
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
   /* of the simple controller, */                                                              \
   SIG(mc_sched,  mc,   sched,  c->mc.v2 ? 0 : c->mc.channels, struct msg_channel, 1, 1,        \
      c->mc.service_queue)                                                                      \
   SIG(sched_mc,  sched, mc,    c->mc.v2 ? 0 : c->mc.channels, struct msg_channel, 1, 1,        \
      c->mc.service_queue)                                                                      \
   /* of the one with banks: transactions, room in the channel's queues, reads and writes done */ \
   SIG(mc_gddr,   mc,   sched,  c->mc.v2 ? c->mc.channels : 0, struct msg_transaction, 1, 1, 4) \
   SIG(gddr_taken, sched, mc,   c->mc.v2 ? c->mc.channels : 0, struct msg_taken, 1, 1, 4)       \
   SIG(gddr_read, sched, mc,    c->mc.v2 ? c->mc.channels : 0, struct msg_transaction_done, 1,  \
      sim_netlist_read_latency(c), 256)                                                         \
   SIG(gddr_written, sched, mc, c->mc.v2 ? c->mc.channels : 0, struct msg_transaction_done, 1,  \
      1, 64)

/* Between shaders and texture units: one of each for every link. */
#define SIM_TEX_SIGNALS(SIG)                                                                    \
   SIG(shdx_tu,   shdx, tu,     NUM_TEX_LINKS(c), struct msg_tex, 1, 1, TEX_LINK_REQUESTS(c))   \
   SIG(tu_shf,    tu,   shf,    NUM_TEX_LINKS(c), struct msg_tex, 1, 1, 64)
/* clang-format on */

struct shf_thread;
/* ShF to ShDX: num_instrs instructions were fetched for a thread. ShDX to ShF: the thread may be
 * fetched again at tick ready (state SHF_READY), waits for a texture (SHF_BLOCKED), or ends at that
 * tick (SHF_ENDED). */
struct msg_issue {
   struct shf_thread *thread;
   sim_tick ready;
   sim_tick alu_free; /* no instruction may be fetched before, as fetch or answer know it */
   uint8_t num_instrs, state;
   bool replay; /* answer: the last instruction that was fetched did not issue */
   uint16_t slot;
};
/* A texture operation of a thread; the result is in the thread's registers when it comes back. */
struct msg_tex {
   struct shf_thread *thread;
   sim_tick begin; /* of a request: when its first quad leaves the shader */
   uint16_t slot;
};
/* One request on its way through a channel. */
struct msg_channel {
   struct msg_mem_request request;
   sim_tick accepted; /* by MC */
   uint16_t client;
};

/* Part of a request, within one aligned block of 64 bytes of memory: what a GDDR channel with banks
 * serves. */
struct msg_transaction {
   uint8_t *data;
   uint32_t address, row, column;
   uint16_t size;  /* bytes of memory that it stands for */
   uint16_t entry; /* of the controller's request buffer */
   uint16_t slot;
   uint8_t bank, bursts, bytes; /* bytes: on the client's bus */
   uint8_t client;              /* enum mc_kind */
   bool write;
};
struct msg_taken {
   uint64_t queue; /* of the channel, has room for another one */
};
struct msg_transaction_done {
   sim_tick ready; /* when the controller knows */
   uint64_t entry;
};

/* Cycles from the first read command of a transaction to the answer if it is the only one. */
uint32_t sim_netlist_read_latency(const struct sim_config *c);

/* Thread groups that wait for a shader, of ShaderInputQueueSize inputs. */
uint32_t sim_netlist_shader_groups(const struct sim_config *c);

/* gpu->net.hz_zst[rop]; single signals are element 0: gpu->net.cp_stf[0]. */
struct sim_netlist {
#define SIG(member, from, to, how_many, message, bw, lat, cap) \
   struct sim_signal member[SIM_MAX_TEX_UNITS];
   SIM_SIGNALS(SIG)
#undef SIG
#define SIG(member, from, to, how_many, message, bw, lat, cap) \
   struct sim_signal member[SIM_MAX_TEX_LINKS];
   SIM_TEX_SIGNALS(SIG)
#undef SIG
};

/* The classes of all machines: whatever boxes there may be. */
extern const struct sim_box_class *const sim_netlist_classes[];
extern const unsigned sim_netlist_num_classes;

/* Makes every signal one over which nothing ever comes: first thing of a machine in parts. */
void sim_netlist_clear(struct sim_gpu *gpu);
/* Creates every box and signal of gpu from gpu->config. */
void sim_netlist_build(struct sim_gpu *gpu);

#endif
