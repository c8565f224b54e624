/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The command processor's own declarations: cp.c (commands), cp_draw.c (draws in flight, surfaces),
 * cp_dma.c (memory), cp_program.c (programs). No other box includes this.
 */
#ifndef SIM_CP_H
#define SIM_CP_H

#include "box/sim_probe.h"

SIM_BOX_STATS(cp)

#define CP_MAX_DRAWS 15
#define CP_MAX_CONTEXTS 64
#define CP_DMA 32    /* memory requests in flight */
#define CP_BLOCK 256 /* bytes of a request at most, and its alignment */
#define CP_PROGRAMS 256

/* A draw in flight. sim_draw is the first member: a message's draw leads
 * back. */
struct cp_draw {
   struct sim_draw draw;
   uint32_t rops_done;
   bool geometry_done, used;
   bool streams;                          /* stream-out still writes for it */
   uint64_t counted[ATTILA_NUM_COUNTERS]; /* by this draw */
   uint64_t *counters;                    /* of its context */
};

#define CP_EVENTS 64
/* A fence, or a counter to be written. */
struct cp_event {
   uint32_t op, payload[2];
   uint64_t after;     /* so many draws have retired */
   uint64_t *counters; /* of its context */
   uint16_t work_id;
};

struct cp_dma {
   uint8_t data[CP_BLOCK];
   uint8_t *dst; /* reads: where data goes, or NULL */
   uint16_t size, work_id;
};

/* What the colour and Z caches of the ROPs depend on. */
struct cp_surfaces {
   uint32_t width, height, samples, layers;
   struct {
      uint32_t address, format, pitch_tiles, stride; /* stride: of layers */
   } color[ATTILA_MAX_COLOR_BUFFERS], zs;
};

enum cp_rop_kind { CP_COLOR, CP_ZS, CP_NUM_ROP_KINDS };
#define CP_ROPS 3u /* both kinds: bit per enum cp_rop_kind */
#define CP_RANGES 16

/* Memory [start, end). */
struct cp_range {
   uint64_t start, end;
   uint64_t shape; /* of a surface: which ROP has which of its blocks (cp_draw.c) */
   bool dirty;     /* lines of it may have to be written back */
   bool changed;   /* rendered to since the texture units were told */
};

/* What the caches of a kind of ROP may hold. */
struct cp_held {
   struct cp_range range[CP_RANGES];
   uint32_t num;
};

struct cp {
   struct sim_box box;
   struct cp_stats *stat; /* [work_id] */
   /* The command at the head of the queue. */
   bool active, begun;  /* begun: it has its row */
   uint32_t op, words;  /* words: with the header */
   sim_tick start;      /* when its first word was taken */
   sim_tick ready;      /* when enough words are here to execute */
   unsigned phase;      /* of the command's function; 0 at first */
   sim_tick next;       /* when to clock again, collected by the functions */
   unsigned phase_stat; /* SIM_STAT of what draws in flight do, plus 1; 0: a command says */
   uint16_t phase_work_id;
   sim_tick phase_since;
   sim_tick starved;      /* tick in which the queue was found empty; SIM_NEVER: it was not */
   struct sim_stall wait; /* the command waits for earlier work */
   uint16_t work_id;      /* the command's */
   /* Transfers. */
   sim_tick transfer; /* when the payload began to cross the system bus */
   uint32_t at;       /* bytes requested so far */
   uint64_t condition[2 * ATTILA_MAX_CONDITION_PAIRS]; /* counters being read */
   unsigned num_counters;                              /* of STREAM_TARGETS, that are asked for */
   uint8_t *program;                                   /* binary being loaded */
   size_t program_size;                                /* bytes allocated */
   /* Programs that the instruction memory holds (cp_program.c). */
   struct {
      uint32_t address, size;
   } loaded[CP_PROGRAMS];
   uint32_t num_loaded, instructions;
   struct cp_dma dma[CP_DMA];
   uint8_t dma_free[CP_DMA];
   uint32_t num_dma_free, reads, writes; /* in flight */
   /* Contexts whose state is on chip, the selected one first. */
   struct {
      uint32_t number, words; /* words of state when it was left */
   } resident[CP_MAX_CONTEXTS];
   uint32_t num_resident;
   /* Draws. */
   struct cp_draw draws[CP_MAX_DRAWS];
   uint8_t order[CP_MAX_DRAWS]; /* indices of draws in flight, a ring */
   uint32_t first, in_flight;
   uint64_t retired_draws; /* ever */
   struct cp_event events[CP_EVENTS];
   uint32_t event_head, event_tail; /* free running */
   struct cp_draw *starting;        /* of the DRAW command being executed */
   uint8_t retired[CP_MAX_DRAWS];   /* indices of draws to report at the end of the tick */
   uint32_t num_retired;
   bool frame_ended; /* and then the frame */
   bool late_zs;     /* of the draw started last */
   /* Registers written for the next draw while the draws in flight need the old ones (snapshots of
    * state keep them right; this is their time). */
   uint32_t geometry_updates, fragment_updates;
   sim_tick updated; /* the last of them are written */
   /* The surfaces of the draw or clear started last, and the registers that describe them. */
   struct cp_surfaces surfaces;
   struct attila_regs rop_regs;
   struct attila_cmd_layers rop_layers; /* of which the surfaces have layers; count 0, 1: none */
   /* What caches may hold (cp_coherence.c). */
   struct cp_held held[CP_NUM_ROP_KINDS];
   struct cp_range written[CP_RANGES]; /* since the texture units and the streamer forgot it */
   uint32_t num_written;
   unsigned sync;        /* step of cp_rop_sync */
   uint32_t rop_answers; /* outstanding */
   /* HZ. */
   struct cp_range hz_range[CP_RANGES]; /* depth surfaces; changed: by others, HZ must forget */
   uint32_t num_hz_ranges;
   bool hz_answer, blit_answer, dac_answer; /* outstanding */
   uint32_t hz_epoch;                       /* of the draw started last */
};

/* cp_dma.c */
void cp_dma_init(struct cp *cp);
void cp_dma_responses(struct cp *cp, sim_tick now);
/* One request inside an aligned block; false: try again. */
bool cp_dma_write(struct cp *cp, sim_tick now, uint32_t address, const void *src, uint32_t size);
bool cp_dma_read(struct cp *cp, sim_tick now, uint32_t address, void *dst, uint32_t size);
/* Commands; true when finished. */
bool cp_exec_write_buffer(struct cp *cp, const uint32_t *payload, sim_tick now);
bool cp_exec_read_buffer(struct cp *cp, const uint32_t *payload, sim_tick now);
bool cp_exec_condition(struct cp *cp, const uint32_t *payload, sim_tick now);
/* Bytes of the next request of a transfer of size bytes to or from address. */
uint32_t cp_dma_piece(const struct cp *cp, uint32_t address, uint32_t size);

/* The surfaces that registers describe, of a layered draw (layers not NULL) all layers; the memory
 * of colour buffer i; of the depth buffer. */
void cp_read_surfaces(struct cp_surfaces *s, const struct attila_regs *regs,
                      const struct attila_cmd_layers *layers);
struct cp_range cp_color_range(const struct cp_surfaces *s, unsigned i);
struct cp_range cp_zs_range(const struct cp_surfaces *s);
/* cp_warming.c: struct sim_box_class.warm. */
void cp_warm(struct sim_box *b, const struct sim_warming *event);
/* cp_program.c. The instruction memory holds a program from now on. */
void cp_program_hold(struct cp *cp, const struct attila_cmd_program *p);
bool cp_exec_load_program(struct cp *cp, const uint32_t *payload, sim_tick now);
/* Memory [start, end) has been written: programs there must be read again. */
void cp_programs_written(struct cp *cp, uint64_t start, uint64_t end);

/* cp_draw.c */
bool cp_exec_draw(struct cp *cp, const uint32_t *payload, sim_tick now);
/* So many registers of the geometry and the fragment phase are written, which waits in buffers
 * while the phase is busy; false: a buffer is full. */
bool cp_buffer_updates(struct cp *cp, uint32_t geometry, uint32_t fragment, sim_tick now);
/* Takes the answers of the colour writers and retires finished draws in order. */
void cp_draw_answers(struct cp *cp, sim_tick now);
void cp_draw_fini(struct cp *cp);
/* struct sim_box_class.probe */
void cp_probe(const struct sim_box *b, struct sim_probe *l);
/* Reports at the end of the tick what retired and, when frame_ended, the frame. */
void cp_report_later(struct cp *cp);
/* The ROPs will use these surfaces: colour buffers of the mask, depth and stencil when zs; nobody
 * is in the fragment phase who uses others. True when done. */
bool cp_bind_surfaces(struct cp *cp, const struct attila_regs *regs,
                      const struct attila_cmd_layers *layers, uint32_t color_mask, bool zs,
                      sim_tick now);
/* Sends a clear to every colour writer or Z unit (and HZ). */
bool cp_clear_color(struct cp *cp, uint32_t buffers, const float color[4], sim_tick now);
bool cp_clear_zs(struct cp *cp, uint32_t planes, float depth, uint32_t stencil, sim_tick now);

/* cp_stream.c */
bool cp_exec_stream_outputs(struct cp *cp, const uint32_t *payload, sim_tick now);
bool cp_exec_stream_targets(struct cp *cp, const uint32_t *payload, sim_tick now);
bool cp_exec_vertex_count(struct cp *cp, const uint32_t *payload, sim_tick now);
/* Before a draw: the ROPs hold nothing of what stream-out may write for it. False: not yet. */
bool cp_stream_prepare(struct cp *cp, const struct emul_draw_state *state, sim_tick now);
/* Stream-out's answers. */
void cp_stream_answers(struct cp *cp, sim_tick now);
/* The draw retires; its counters are not added to those of its context yet. */
void cp_stream_retire(struct cp *cp, const struct cp_draw *d);

/* cp_hz.c. Somebody other than the Z units writes to memory [start, end): HZ will forget it. */
void cp_memory_written(struct cp *cp, uint64_t start, uint64_t end);
/* HZ forgets what it must; true when it has. Before draws and clears. */
bool cp_hz_forget(struct cp *cp, sim_tick now);
/* Afterwards: HZ will know the bound depth surface. */
void cp_hz_uses(struct cp *cp);

/* cp_event.c */
bool cp_exec_fence(struct cp *cp, const uint32_t *payload, sim_tick now);
bool cp_exec_write_counter(struct cp *cp, const uint32_t *payload, sim_tick now);
/* Lets the events happen whose time has come. */
void cp_events(struct cp *cp, sim_tick now);

/* cp_coherence.c */
/* ROPs of a kind may read and write a surface from now on, and hold nothing of another one in its
 * memory. False: not yet; call it again. */
bool cp_rop_uses(struct cp *cp, enum cp_rop_kind kind, const struct cp_range *surface,
                 sim_tick now);
/* Whether any ROP may hold something of [start, end). */
bool cp_rop_holds(const struct cp *cp, uint64_t start, uint64_t end);
/* Brings memory [start, end) up to date with what ROPs of these kinds hold; forget: they hold it no
 * longer. Called with the same arguments until it is true; no draw may be using the memory. */
bool cp_rop_sync(struct cp *cp, unsigned kinds, uint64_t start, uint64_t end, bool forget,
                 sim_tick now);
/* Somebody other than a ROP has written [start, end), or ROPs have written all that they hold:
 * texture units, streamer, constant caches (and HZ) will forget it before the next draw. */
void cp_written(struct cp *cp, uint64_t start, uint64_t end);
void cp_rendered(struct cp *cp);
/* Tells texture units, streamer and constant caches; true when they know everything. */
bool cp_forget_written(struct cp *cp, sim_tick now);

/* cp.c: a context becomes the first of those on chip, before it is selected. True: it is on chip.
 * out: words of the one that leaves for it. */
bool cp_context_select(struct cp *cp, uint32_t number, uint32_t *out);
/* cp.c: true when every earlier draw has retired and every earlier write is in memory. */
bool cp_idle(struct cp *cp, sim_tick now);

static inline uint64_t
cp_cycles(const struct cp *cp, sim_tick from, sim_tick to)
{
   return (to - from) / cp->box.period;
}

/* When bytes that began to cross the system bus at tick from are all here. */
static inline sim_tick
cp_bus_time(const struct cp *cp, sim_tick from, uint64_t bytes)
{
   uint32_t width = cp->box.gpu->config.mc.system_bus;
   return from + (bytes + width - 1) / width * cp->box.period;
}

/* The same message to each of count boxes of a kind. */
static inline bool
cp_can_send_all(struct sim_signal *signals, uint32_t count, sim_tick now)
{
   for (uint32_t i = 0; i < count; i++) {
      if (!sim_can_send(&signals[i], now))
         return false;
   }
   return true;
}

static inline void
cp_send_all(struct sim_signal *signals, uint32_t count, const struct msg_rop *m, sim_tick now)
{
   for (uint32_t i = 0; i < count; i++)
      sim_send(&signals[i], now, m);
}

static inline void
cp_again(struct cp *cp, sim_tick tick)
{
   if (tick < cp->next)
      cp->next = tick;
}

#endif
