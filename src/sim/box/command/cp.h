/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Declarations that the command processor's files share: cp.c (commands), cp_draw.c (draws in
 * flight, surfaces), cp_dma.c (memory), cp_program.c (programs). No other box includes this. */
#ifndef SIM_CP_H
#define SIM_CP_H

#include "box/sim_probe.h"
#include "emul/emul_draw_reads.h"

SIM_BOX_STATS(cp)

#define CP_MAX_CONTEXTS 64
#define CP_DMA 32    /* memory requests in flight */
#define CP_BLOCK 256 /* most bytes of a request, and its alignment */
#define CP_PROGRAMS 256

/* A draw in flight. sim_draw comes first, so that a message's draw leads back here. */
struct cp_draw {
   struct sim_draw draw;
   uint32_t rops_done;
   bool geometry_done, used;
   bool streams;                          /* stream-out still writes for it */
   uint64_t counted[ATTILA_NUM_COUNTERS]; /* what this draw alone counted */
   uint64_t *counters;                    /* its context's */
};

#define CP_EVENTS 64
/* A fence, or a counter to write. */
struct cp_event {
   uint32_t op, payload[2];
   uint64_t after;     /* due when this many draws have retired */
   uint64_t *counters; /* its context's */
   uint64_t value;     /* the counter's value from then on */
   uint16_t work_id;
};

struct cp_dma {
   uint8_t data[CP_BLOCK];
   uint8_t *dst; /* read: destination or NULL */
   uint16_t size, work_id;
};

/* The registers on which the ROPs' colour and Z caches depend. */
struct cp_surfaces {
   uint32_t width, height, samples, layers;
   struct {
      uint32_t address, format, pitch_tiles, stride; /* stride: bytes between layers */
   } color[ATTILA_MAX_COLOR_BUFFERS], zs;
};

enum cp_rop_kind { CP_COLOR, CP_ZS, CP_NUM_ROP_KINDS };
#define CP_ROPS 3u /* both kinds: bit per enum cp_rop_kind */
#define CP_RANGES 16
#define CP_PASS_READS 128
#define CP_PASSES 8

/* A pass that is kept. */
struct cp_kept {
   struct cp_surfaces surfaces;
   uint32_t used; /* counts passes; 0: none is kept */
   bool stale;    /* something else wrote to its surfaces */
};

/* Memory [start, end). */
struct cp_range {
   uint64_t start, end;
   uint64_t shape; /* which ROP owns which block of the surface (cp_draw.c) */
   bool dirty;     /* lines may have to be written back */
   bool changed;   /* rendered to since the texture units last forgot it */
};

/* Surfaces that the caches of one kind of ROP may hold, the one used last at the end. Those of open
 * passes stay, so there is room for all of them. */
#define CP_HELD (CP_RANGES + (CP_PASSES - 1) * ATTILA_MAX_COLOR_BUFFERS)
struct cp_held {
   struct cp_range range[CP_HELD];
   uint32_t num;
};

/* An open pass of a tile-based machine (cp_pass.c). */
struct cp_pass {
   bool open;        /* it has a draw; else the others mean nothing */
   bool ends;        /* no draw may join it */
   bool sent;        /* it is being drawn */
   bool renders;     /* a draw in it has fragments */
   bool streams;     /* a draw in it has stream-out */
   bool resolves;    /* its lists have a resolve: no draw may join it */
   bool listed_any;  /* its lists have a command */
   bool owns_all;    /* a single open pass has all bound targets for itself, drawn or not */
   uint8_t why;      /* enum sim_pass_end */
   uint16_t work_id; /* of the command that ends it */
   uint32_t flush;   /* ATTILA_FLUSH_* of FLUSH commands since it was opened */
   /* Targets, a bit per colour buffer, then depth and stencil: those that it draws to or tests, and
    * those whose contents nothing needs. */
   uint32_t drawn, discarded;
   uint32_t draws;
   uint64_t used; /* order in which passes got their last draw */
   sim_tick began;
   struct cp_surfaces surfaces;
   struct cp_range averages;               /* where its resolve writes */
   struct emul_range reads[CP_PASS_READS]; /* what its fragments may read */
   uint32_t num_reads;                     /* CP_PASS_READS: reads has no room for all */
};

struct cp {
   struct sim_box box;
   struct cp_stats *stat; /* [work_id] */
   /* The command at the head of the queue. */
   bool active, begun;  /* begun: it has its row */
   uint32_t op, words;  /* words: including the header */
   sim_tick start;      /* when its first word was taken */
   sim_tick ready;      /* when it has enough words to execute */
   unsigned phase;      /* step of the command's function, from 0 */
   sim_tick next;       /* when to clock again */
   unsigned phase_stat; /* SIM_STAT of the draws in flight, plus 1; 0: the command decides */
   uint16_t phase_work_id;
   sim_tick phase_since;
   sim_tick starved;      /* tick in which the queue was found empty, else SIM_NEVER */
   struct sim_stall wait; /* the command waits for earlier work */
   uint16_t work_id;      /* the command's */
   /* Transfers. */
   sim_tick transfer; /* when the payload began to cross the system bus */
   uint32_t at;       /* bytes requested so far */
   uint64_t condition[2 * ATTILA_MAX_CONDITION_PAIRS]; /* counters or numbers being read */
   unsigned num_counters; /* number of STREAM_TARGETS counters requested */
   uint8_t *program;      /* binary that is being loaded */
   size_t program_size;   /* bytes allocated */
   /* Programs in the instruction memory (cp_program.c). */
   struct {
      uint32_t address, size;
   } loaded[CP_PROGRAMS];
   uint32_t num_loaded, instructions;
   struct cp_dma dma[CP_DMA];
   uint8_t dma_free[CP_DMA];
   uint32_t num_dma_free, reads, writes; /* in flight */
   /* Contexts on chip, the selected one first. */
   struct {
      uint32_t number, words; /* words of its state when it was left */
   } resident[CP_MAX_CONTEXTS];
   uint32_t num_resident;
   /* Draws. */
   struct cp_draw *draws; /* [max_draws] */
   uint32_t max_draws;
   uint32_t *free_draws, num_free_draws; /* indices of unused ones, a stack */
   uint32_t *order;                      /* ring of indices of draws in flight */
   uint32_t first, in_flight;
   uint32_t in_geometry;   /* draws whose geometry or stream-out has not ended */
   uint64_t retired_draws; /* since reset */
   struct cp_event events[CP_EVENTS];
   uint32_t event_head, event_tail; /* free running */
   struct cp_draw *starting;        /* draw of the DRAW command being executed */
   uint32_t *retired;               /* draws to report at the end of the tick */
   uint32_t num_retired;
   bool reports;         /* there is something to report */
   struct sim_draw grid; /* the one that runs; state.cs NULL: none */
   bool csd_answer;      /* outstanding */
   bool frame_ended;     /* then report the frame */
   bool late_zs;         /* the draw started last tests Z after shading */
   /* Registers written for the next draw while draws in flight use the old values. Snapshots keep
    * the values right; this counts the time. */
   uint32_t geometry_updates, fragment_updates;
   sim_tick updated; /* when the last of these updates is written */
   /* Surfaces of the draw or clear started last, with the registers that describe them. */
   struct cp_surfaces surfaces;
   struct attila_regs rop_regs;
   struct attila_cmd_layers rop_layers; /* layers of these surfaces; count 0 or 1: no layers */
   /* Memory that caches may hold (cp_coherence.c). */
   struct cp_held held[CP_NUM_ROP_KINDS];
   uint32_t max_held;
   struct cp_range written[CP_RANGES]; /* written since texture units and streamer forgot it */
   uint32_t num_written;
   unsigned sync;        /* step of cp_rop_sync */
   uint32_t rop_answers; /* answers outstanding */
   /* HZ. */
   struct cp_range hz_range[CP_RANGES]; /* depth surfaces that HZ may know */
   uint32_t num_hz_ranges;
   bool hz_answer, blit_answer, dac_answer; /* answer outstanding */
   uint32_t hz_epoch;                       /* the epoch of the draw started last */
   /* The passes of a tile-based machine that draws in flight belong to (cp_pass.c). */
   bool tiled;
   struct cp_pass pass[CP_PASSES];
   uint32_t max_passes, num_passes, num_ending; /* open, and of these those that end */
   uint64_t pass_clock;                         /* draws that joined passes */
   struct cp_pass *drawing;                     /* the one that is being drawn; NULL: none */
   bool pass_over;                              /* a pass is over and must be reported */
   struct sim_seen_pass seen;                   /* what listeners learn of it, */
   uint32_t *seen_draw;                         /* [max_draws] its draws */
   struct cp_pass *listing;                     /* the one that a clear or resolve joins */
   struct sim_listed listed;                    /* this command */
   bool listed_answer;                          /* outstanding */
   bool swap_listed;             /* what the present SWAP shows is resolved by a pass */
   uint32_t flush;               /* ATTILA_FLUSH_* of FLUSH commands that are still to be done */
   struct sim_discards discards; /* of the pass that is being drawn */
   /* With RenderingElimination: targets of the passes that the Tile Fetcher keeps (cp_sign.c). */
   bool keeps;
   struct cp_kept kept[SIM_KEPT_PASSES];
   uint32_t kept_clock;
};

/* cp_dma.c */
void cp_dma_init(struct cp *cp);
void cp_dma_responses(struct cp *cp, sim_tick now);
/* Writes one request within an aligned block; false: try again. */
bool cp_dma_write(struct cp *cp, sim_tick now, uint32_t address, const void *src, uint32_t size);
bool cp_dma_read(struct cp *cp, sim_tick now, uint32_t address, void *dst, uint32_t size);
/* The commands; each returns true when finished. */
bool cp_exec_write_buffer(struct cp *cp, const uint32_t *payload, sim_tick now);
bool cp_exec_read_buffer(struct cp *cp, const uint32_t *payload, sim_tick now);
bool cp_exec_condition(struct cp *cp, const uint32_t *payload, sim_tick now);
bool cp_exec_indirect(struct cp *cp, const uint32_t *payload, sim_tick now);
/* Reads what a command needs to know into cp->condition, behind what ROPs hold of it, in this phase
 * of the command and the next; true when it is there. */
bool cp_dma_find_drawn(struct cp *cp, unsigned phase, uint32_t address, uint32_t size,
                       sim_tick now);
/* Returns the size in bytes of the next request of a transfer of size bytes at address. */
uint32_t cp_dma_piece(const struct cp *cp, uint32_t address, uint32_t size);

/* Finds the surfaces that registers describe (of a layered draw, layers not NULL, all layers), the
 * memory of colour buffer i, and that of the depth buffer. */
void cp_read_surfaces(struct cp_surfaces *s, const struct attila_regs *regs,
                      const struct attila_cmd_layers *layers);
struct cp_range cp_color_range(const struct cp_surfaces *s, unsigned i);
struct cp_range cp_zs_range(const struct cp_surfaces *s);
/* Returns the memory of colour buffer i, or behind them of depth and stencil. Empty: there is no
 * such target. */
struct cp_range cp_target_range(const struct cp_surfaces *s, unsigned i);
/* Returns whether a target has memory in [start, end). */
bool cp_surfaces_have(const struct cp_surfaces *s, uint64_t start, uint64_t end);
/* cp_warming.c, for struct sim_box_class.warm */
void cp_warm(struct sim_box *b, const struct sim_warming *event);
/* cp_program.c. Enters a program into the instruction memory. */
void cp_program_hold(struct cp *cp, const struct attila_cmd_program *p);
bool cp_exec_load_program(struct cp *cp, const uint32_t *payload, sim_tick now);
/* Makes sure that programs in memory [start, end), which was written, are read again. */
void cp_programs_written(struct cp *cp, uint64_t start, uint64_t end);

/* cp_draw.c */
bool cp_exec_draw(struct cp *cp, const uint32_t *payload, sim_tick now);
/* Buffers this many register writes of each phase that is busy; false if a buffer is full. */
bool cp_buffer_updates(struct cp *cp, uint32_t geometry, uint32_t fragment, sim_tick now);
/* Takes the colour writers' answers; retires finished draws in order. */
void cp_draw_answers(struct cp *cp, sim_tick now);
void cp_draw_init(struct cp *cp);
void cp_draw_fini(struct cp *cp);
/* struct sim_box_class.probe */
void cp_probe(const struct sim_box *b, struct sim_probe *l);
/* Reports retired draws at the end of the tick, then the frame if frame_ended. */
void cp_report_later(struct cp *cp);
/* Binds these surfaces to the ROPs: the colour buffers of the mask, and depth and stencil if zs. No
 * draw with other surfaces may be in its fragment phase. True when done. */
bool cp_bind_surfaces(struct cp *cp, const struct attila_regs *regs,
                      const struct attila_cmd_layers *layers, uint32_t color_mask, bool zs,
                      sim_tick now);
/* Sends a clear of the bound surfaces to every colour writer, or to every Z unit (and HZ). */
bool cp_clear_color(struct cp *cp, const struct msg_rop *clear, sim_tick now);
bool cp_clear_zs(struct cp *cp, const struct msg_rop *clear, sim_tick now);

/* cp_pass.c */
/* Returns whether a pass writes memory [start, end). */
bool cp_pass_writes(const struct cp_pass *p, uint64_t start, uint64_t end);
/* Returns whether an open pass but this one (NULL: any) writes it or its fragments may read it. */
bool cp_pass_uses(const struct cp *cp, const struct cp_pass *but, uint64_t start, uint64_t end);
/* Returns the targets that a draw uses, as struct cp_pass has them. */
uint32_t cp_pass_targets(const struct emul_draw_state *state);
/* Returns whether a draw in flight belongs to a pass that is not drawn yet. */
bool cp_pass_has(const struct cp *cp, const struct cp_pass *p, const struct cp_draw *d);
/* Ends a pass, or all passes, if open and not ending already. */
void cp_pass_end_one(struct cp *cp, struct cp_pass *p, enum sim_pass_end why);
void cp_pass_end(struct cp *cp, enum sim_pass_end why);
/* Does the same for a command that waits until all draws have retired. */
void cp_pass_end_by_command(struct cp *cp);
/* Ends the pass of the oldest draw in flight if none is ending. */
void cp_pass_end_oldest(struct cp *cp, enum sim_pass_end why);
/* If a pass is ending and all primitives are in lists, sends its lists to be drawn. Call this at
 * the end of a clock. */
void cp_pass_step(struct cp *cp, sim_tick now);
/* Waits until no pass is ending; on an immediate machine, for all earlier work. True when done. */
bool cp_pass_out(struct cp *cp, sim_tick now);
/* Before a command reads or writes memory (NULL: none): ends the passes that this meets, and waits
 * for them and for all geometry. True when done. */
bool cp_pass_away(struct cp *cp, const struct cp_range *read, const struct cp_range *written,
                  sim_tick now);
/* Does so before a clear of colour buffers of the mask; of depth and stencil if zs. Discards what
 * draws left in surfaces that are cleared as a whole. */
bool cp_pass_clear(struct cp *cp, const struct attila_regs *regs, uint32_t color_mask, bool zs,
                   bool whole, sim_tick now);
/* With one open pass: returns whether [start, end) may be written once its geometry is over, before
 * its fragments are drawn. */
bool cp_pass_lets_write(const struct cp *cp, uint64_t start, uint64_t end);
/* Takes the answers of Polygon List Builder and Tile Fetcher. */
void cp_pass_answers(struct cp *cp, sim_tick now);
/* Reports the pass that is over, at the end of the tick. */
void cp_pass_report(struct cp *cp, sim_tick now);
bool cp_exec_discard(struct cp *cp, const uint32_t *payload, sim_tick now);

/* Notes a FLUSH in the midst of passes, which end when something needs it. False: none is open, or
 * one is ending. */
bool cp_pass_takes_flush(struct cp *cp, uint32_t bits);
/* Before a draw: ends the passes that it meets and must not join. */
void cp_pass_before_draw(struct cp *cp, const struct emul_draw_state *state);
/* A draw whose surfaces are bound joins its pass, or opens it. */
void cp_pass_join(struct cp *cp, struct sim_draw *draw);
/* Before a draw, or the end of a frame (NULL): does what FLUSH commands left, if no draw is in
 * flight, or this one reads what was drawn. False: not yet. */
bool cp_pass_flush(struct cp *cp, const struct emul_draw_state *reader, sim_tick now);

/* cp_sign.c */
/* Signs the draws of a pass that ends, and says where its bins are kept. False: not yet. */
bool cp_sign_pass(struct cp *cp, const struct cp_pass *p, struct sim_keeping *keeping);
/* Notes that something other than a kept pass writes to [start, end). */
void cp_sign_written(struct cp *cp, uint64_t start, uint64_t end);

/* cp_listed.c */
#define CP_LISTED 16 /* first step of a command that joins the pass */
/* Returns whether a clear of colour buffers of the mask and of planes of depth and stencil can join
 * the lists of an open pass. */
bool cp_listed_takes(struct cp *cp, const struct attila_regs *regs, uint32_t color_mask,
                     uint32_t planes);
/* Executes such a clear; true when done. Its first step is CP_LISTED. */
bool cp_listed_clear(struct cp *cp, const struct msg_rop *clear, sim_tick now);
/* Do the same for averages of samples: of a BLIT, or of a SWAP with ATTILA_SWAP_RESOLVE, as a BLIT
 * of whole tiles. */
bool cp_listed_takes_resolve(struct cp *cp, const struct attila_cmd_blit *b);
bool cp_listed_resolve(struct cp *cp, const struct attila_cmd_blit *b, sim_tick now);
struct attila_cmd_blit cp_listed_blit_of(const struct attila_cmd_swap *swap);
/* Before the command processor reads [start, end): waits for averages that a pass writes there.
 * False: not yet. */
bool cp_listed_resolved(struct cp *cp, uint64_t start, uint64_t end, sim_tick now);

/* cp_stream.c */
bool cp_exec_stream_outputs(struct cp *cp, const uint32_t *payload, sim_tick now);
bool cp_exec_stream_targets(struct cp *cp, const uint32_t *payload, sim_tick now);
bool cp_exec_vertex_count(struct cp *cp, const uint32_t *payload, sim_tick now);
/* Before a draw: makes the ROPs drop what stream-out may write. False: not yet. */
bool cp_stream_prepare(struct cp *cp, const struct emul_draw_state *state, sim_tick now);
/* Returns whether stream-out of a draw in flight may still write memory [start, end). */
bool cp_stream_writes(const struct cp *cp, uint64_t start, uint64_t end);

/* cp_storage.c: constant and storage buffers. */
bool cp_exec_const_buffers(struct cp *cp, const uint32_t *payload, sim_tick now);
bool cp_exec_storage(struct cp *cp, const uint32_t *payload, sim_tick now);
bool cp_exec_images(struct cp *cp, const uint32_t *payload, sim_tick now);
/* Makes memory ready for a draw's storage buffers; false: not now. */
bool cp_storage_prepare(struct cp *cp, const struct emul_draw_state *state, sim_tick now);
/* Notes what a draw that has ended may have written. */
void cp_storage_retire(struct cp *cp, const struct emul_draw_state *state);
/* Returns whether a draw in flight may write [start, end). */
bool cp_storage_writes(const struct cp *cp, uint64_t start, uint64_t end);
/* cp_grid.c */
bool cp_exec_dispatch(struct cp *cp, const uint32_t *payload, sim_tick now);
void cp_grid_fini(struct cp *cp);
/* Takes stream-out's answers. */
void cp_stream_answers(struct cp *cp, sim_tick now);
/* Called when the draw retires, before its counters are added to its context's. */
void cp_stream_retire(struct cp *cp, const struct cp_draw *d);

/* cp_hz.c. Notes that a unit other than the Z units writes [start, end), so HZ must forget it. */
void cp_memory_written(struct cp *cp, uint64_t start, uint64_t end);
/* Makes HZ forget such memory before a draw or clear; true when done. */
bool cp_hz_forget(struct cp *cp, sim_tick now);
/* Notes that HZ will know the bound depth surface, after cp_hz_forget. */
void cp_hz_uses(struct cp *cp);

/* cp_event.c */
bool cp_exec_fence(struct cp *cp, const uint32_t *payload, sim_tick now);
bool cp_exec_write_counter(struct cp *cp, const uint32_t *payload, sim_tick now);
/* Runs the events that are due. */
void cp_events(struct cp *cp, sim_tick now);
/* Returns whether a counter waits to be written to [start, end). */
bool cp_event_writes(const struct cp *cp, uint64_t start, uint64_t end);
/* Takes the values of counters all of whose draws have now retired. */
void cp_event_take_values(struct cp *cp);

/* cp_coherence.c */
/* Lets the ROPs of a kind use a surface, and drop any other surface in its memory. False: not yet;
 * call it again. */
bool cp_rop_uses(struct cp *cp, enum cp_rop_kind kind, const struct cp_range *surface,
                 sim_tick now);
/* Notes that ROPs have drawn to a surface that they use. */
void cp_rop_drawn(struct cp *cp, enum cp_rop_kind kind, const struct cp_range *surface);
/* Returns whether [start, end) was rendered to since the texture units last forgot it. */
bool cp_rop_changed(const struct cp *cp, uint64_t start, uint64_t end);
/* Returns whether any ROP may hold data of [start, end). */
bool cp_rop_holds(const struct cp *cp, uint64_t start, uint64_t end);
/* Writes back what ROPs of these kinds hold of [start, end), and drops it if forget is set. Call it
 * with the same arguments until it returns true. No draw may be using the memory. */
bool cp_rop_sync(struct cp *cp, unsigned kinds, uint64_t start, uint64_t end, bool forget,
                 sim_tick now);
/* [start, end) was written by another unit, or by ROPs that wrote back all: texture units,
 * streamer, constant caches (and HZ) forget it before the next draw. */
void cp_written(struct cp *cp, uint64_t start, uint64_t end);
void cp_rendered(struct cp *cp);
/* Makes texture units, streamer and constant caches forget what was written; true when all have the
 * message. */
bool cp_forget_written(struct cp *cp, sim_tick now);

/* cp.c: makes a context the first of the contexts on chip, before it is selected. Returns whether
 * it was on chip. out: words of the context that it replaces. */
bool cp_context_select(struct cp *cp, uint32_t number, uint32_t *out);
/* cp.c: waits while earlier work is busy, and counts the cycles for that work. Returns !busy. */
bool cp_waited(struct cp *cp, bool busy, sim_tick now);
/* cp.c: true when all earlier draws have retired and all earlier writes are in memory. */
bool cp_idle(struct cp *cp, sim_tick now);

/* Returns whether cp_waited has begun to count: it must be called until the wait is over. */
static inline bool
cp_waits(const struct cp *cp)
{
   return cp->wait.on && cp->wait.stat == SIM_STAT(cp, wait_idle);
}

static inline uint64_t
cp_cycles(const struct cp *cp, sim_tick from, sim_tick to)
{
   return (to - from) / cp->box.period;
}

/* Returns when bytes that began to cross the system bus at tick from have all arrived. */
static inline sim_tick
cp_bus_time(const struct cp *cp, sim_tick from, uint64_t bytes)
{
   uint32_t width = cp->box.gpu->config.mc.system_bus;
   return from + (bytes + width - 1) / width * cp->box.period;
}

/* Sends the same message to each of count boxes of a kind. */
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
