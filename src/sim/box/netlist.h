/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The machine made from the netlist (units/units.h): its signals, which boxes reach through
 * gpu->net; messages that only two boxes use; the functions of netlist.c. */
#ifndef SIM_NETLIST_H
#define SIM_NETLIST_H

#include "box/objects.h"
#include "config/sim_config.h"
#include "config/sim_dvfs_config.h"
#include "config/sim_shader_machine.h"
#include "units/units.h"

struct shf_thread;
/* ShF to ShDX: num_instrs instructions were fetched for a thread. ShDX to ShF: the thread may be
 * fetched again at tick ready (SHF_READY), waits for a texture (SHF_BLOCKED), the constant cache
 * (SHF_CONSTANT), the load/store unit (SHF_MEMORY) or its workgroup (SHF_BARRIER), or ends at that
 * tick (SHF_ENDED). */
struct msg_issue {
   struct shf_thread *thread;
   sim_tick ready;
   sim_tick alu_free; /* no instruction may be fetched before, as far as the sender knows */
   uint8_t num_instrs, state;
   bool replay; /* answer: the last fetched instruction did not issue */
   uint16_t work_id;
};
/* A thread's texture operation; it returns with the result in the thread's registers. */
struct msg_tex {
   struct shf_thread *thread;
   sim_tick begin; /* request: when its first quad leaves the shader */
   uint16_t work_id;
};
/* A thread's load from its constant buffers, or memory instruction; it returns in the same way. */
struct msg_load {
   struct shf_thread *thread;
   uint16_t work_id;
};
/* One request on its way through a channel. */
struct msg_channel {
   struct msg_mem_request request;
   sim_tick accepted; /* when MC accepted it */
   uint16_t client;
};

/* The part of a request within one aligned block of 64 bytes: what a GDDR channel with banks
 * serves. */
struct msg_transaction {
   uint8_t *data;
   uint32_t address, row, column;
   uint16_t size;  /* bytes of memory that it moves */
   uint16_t entry; /* of the controller's request buffer */
   uint16_t work_id;
   uint8_t bank, bursts, bytes; /* bytes: on the client's bus */
   uint8_t client;              /* enum mc_kind */
   uint8_t atomic;              /* enum attila_atomic: reads a word, and changes it */
   bool write, timed;           /* timed: as in the request */
};
struct msg_taken {
   uint64_t queue; /* this queue of the channel has room for another transaction */
};
struct msg_transaction_done {
   sim_tick ready; /* when the controller knows of it */
   uint64_t entry;
};

/* Returns the cycles from a lone transaction's first read command to its answer. */
uint32_t sim_netlist_read_latency(const struct sim_config *c);

/* Returns how many thread groups may wait for a shader (ShaderInputQueueSize inputs). */
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

/* The lines of SIM_BOXES, which signals connect. */
enum netlist_box {
#define BOX(class, member, group, how_many) NETLIST_##member,
#define ALT(class, other, member, group, condition, how_many) NETLIST_##member,
   SIM_BOXES(BOX, ALT)
#undef BOX
#undef ALT
       NETLIST_NUM_BOXES
};

/* The boxes of one line. count 0: the machine lacks them. */
struct sim_netlist_boxes {
   const char *name;
   struct sim_box *box[SIM_MAX_TEX_UNITS];
   uint32_t count;
};

/* The classes of all boxes that any machine may have. */
extern const struct sim_box_class *const sim_netlist_classes[];
extern const unsigned sim_netlist_num_classes;

/* Makes every signal a silent one; the first step of a machine in parts. */
void sim_netlist_clear(struct sim_gpu *gpu);
/* Creates every signal of gpu->config whose two ends are among the boxes; for a test of some boxes,
 * which has others in place of their neighbours. */
void sim_netlist_connect(struct sim_gpu *gpu,
                         const struct sim_netlist_boxes boxes[static NETLIST_NUM_BOXES]);
/* Creates every box and signal of gpu from gpu->config. */
void sim_netlist_build(struct sim_gpu *gpu);
/* Sets sim_kernel.group of every box (netlist_groups.c); sim_netlist_build calls it. */
void sim_netlist_group(struct sim_gpu *gpu);

#endif
