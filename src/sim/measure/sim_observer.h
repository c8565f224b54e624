/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a run reports to its listeners. Both modes, the decoder and the boxes announce draws,
 * frames, rows of work, programs; reports, maps, traces and policies listen (docs/howto/listen.md).
 * Listeners change nothing in the machine. Events come once per draw or frame, in the kernel's
 * thread, in the order in which listeners were connected. Numbers that the machine itself needs (of
 * frames, draws, programs) are kept here, the same with and without listeners. */
#ifndef SIM_OBSERVER_H
#define SIM_OBSERVER_H

#include "core/sim_cost.h"
#include "core/sim_range.h"
#include "hw/attila_cmd.h"
#include "hw/attila_limits.h"
#include "measure/sim_work.h"

struct attila_isa_program;
struct measure_interval;
struct measure_parts;
struct measure_values;
struct sim_map;

/* --- What events say --- */

/* A draw begins. */
struct sim_draw_begins {
   uint32_t number; /* in its frame, from 0; set by sim_observed_draw_begins */
   /* Cycle mode: the surface that the draw is drawn to; address 0: none. */
   uint32_t address, width, height; /* bytes, pixels */
   bool bottom_up;                  /* its first row is the lowest of the picture */
   bool meta;                       /* the driver's own draw */
   /* A listener may set this: boxes then count in this map what each pixel costs. NULL: no map. */
   struct sim_map *map;
};

/* A row: what a draw, another command or the rest of a frame has cost. */
struct sim_row {
   const struct sim_work *work; /* with its texts valid during the call only */
   uint32_t number;             /* in its frame, from 1, or one of these */
#define SIM_ROW_EARLIER 0u      /* what the work of earlier frames cost in this frame */
#define SIM_ROW_SHARED (UINT32_MAX - 1)
#define SIM_ROW_OTHER UINT32_MAX
   uint32_t draws; /* draws of its frame that had begun when the work began, itself included */
   const struct measure_values *values; /* statistics by column; NULL in functional mode */
   const struct measure_parts
       *parts; /* the same, divided by state of the clocks; NULL: no states */
};

#define SIM_STAGE_SETUP ATTILA_NUM_STAGES /* the stage of a program of the machine itself */

/* A program that a draw uses for the first time. */
struct sim_seen_program {
   uint64_t hash; /* of its binary */
   uint32_t stage;
   const char *name; /* NULL: none */
   const struct attila_isa_program *isa;
   struct attila_program_note note;
};

/* A surface that a draw reads or writes. Surfaces are the same if the first part is equal. */
struct sim_seen_surface {
   struct {
      int32_t slot; /* colour buffer or texture unit; -1: depth */
      uint32_t texture, address, format, target, width, height, depth, levels, samples;
   } state;
   const char *format, *target, *label; /* constants; label: NULL: none */
};

#define SIM_PIPELINE_BYTES 272 /* of a value, with NUL: 16 numbers of up to 15 characters */

/* An item of the state of draws (decode/sim_pipeline_items.h) that differs from the draw before. */
struct sim_pipeline_change {
   uint32_t item;    /* its number; of all but uniforms the same in every run of this version */
   uint32_t program; /* of a uniform: number of its program; 0: no uniform */
   const char *part, *name; /* "depth", "GL_DEPTH_FUNC"; valid during the event */
   const char *type;        /* of a uniform, in GLSL; NULL: no uniform */
   int32_t number;          /* of the texture, attribute, ...; -1: the part is there once */
   bool is_new;             /* no draw of the run has had it before */
   bool absent;             /* this draw does not have it */
   char value[SIM_PIPELINE_BYTES];
};

/* The clock of a domain changes (core/sim_dvfs.h). */
struct sim_clock_change {
   unsigned domain;
   unsigned percent, voltage; /* of the nominal frequency; thousandths of the nominal voltage */
   double still_ns;           /* how long the domain stands still */
   const char *reason;        /* in a few words */
};

/* A bin of a pass. */
struct sim_seen_bin {
   uint32_t primitives; /* primitives in its list, over all parts of the pass */
   uint64_t ticks; /* from the end of the previous bin at the Tile Fetcher to the end of this one */
};

/* A pass of a tile-based machine has been drawn (box/command/cp_pass.c). */
struct sim_seen_pass {
   const char *why; /* why it ended, as in the statistic Passes<why>_PLB */
   sim_tick began, drawn,
       ended; /* when its first draw began, when the first lists were drawn, when all were */
   uint32_t draws;
   const uint32_t *draw; /* [draws] their numbers in the frame, in order; others may lie between */
   uint32_t drawn_draws; /* all draws of the frame before this number are drawn */
   uint8_t open;         /* from 0, which of the passes that are open at once */
   uint32_t parts;       /* parts in which it was drawn: partial renders, and the rest */
   uint32_t width, height; /* of the framebuffer, pixels */
   uint32_t bin_width, bin_height, across, down, layers;
   const struct sim_seen_bin *bin; /* [(layer * down + y) * across + x] */
};

struct sim_frame_end {
   sim_tick tick;  /* the last one of the frame */
   bool unshown;   /* the frame ended with END_FRAME: nothing is shown */
   uint32_t shown; /* address of the surface that is scanned out; 0: none, or not known */
   const uint8_t
       *image; /* width * height RGBA8 pixels, row 0 on top; NULL: no listener wanted it */
   uint32_t width, height;
   bool passed; /* no part of the frame was simulated; set by sim_observed_frame_ended */
};

/* --- Listeners --- */

struct sim_observer;

/* Events; each may be NULL. */
struct sim_observer_class {
   void (*draw_begins)(struct sim_observer *o, struct sim_draw_begins *draw);
   /* Functional mode reports vertices done, from 0, and all vertices, while it executes a draw. */
   void (*draw_progress)(struct sim_observer *o, uint64_t done, uint64_t total);
   /* Rows come in order of completion, within their frame. */
   void (*row)(struct sim_observer *o, const struct sim_row *row);
   /* A new program, or new bindings, come before the first row with this number (struct
    * sim_work). */
   void (*program)(struct sim_observer *o, uint32_t number, const struct sim_seen_program *program);
   void (*bindings)(struct sim_observer *o, uint32_t number,
                    const struct sim_seen_surface *surfaces, unsigned num);
   /* A new state of draws: what differs from the state before, whose number is one less. */
   void (*pipeline)(struct sim_observer *o, uint32_t number,
                    const struct sim_pipeline_change *changes, unsigned num);
   void (*interval)(struct sim_observer *o, const struct measure_interval *interval);
   /* A pass comes when its draws end, before their rows. */
   void (*pass)(struct sim_observer *o, const struct sim_seen_pass *pass);
   /* A domain whose clock may change, with a number from 0; comes before anything runs. */
   void (*clock_domain)(struct sim_observer *o, unsigned domain, const char *name);
   /* Comes before the change, between ticks. */
   void (*clock)(struct sim_observer *o, const struct sim_clock_change *change);
   /* Returns whether the listener will use the picture of the present frame. */
   bool (*wants_image)(const struct sim_observer *o);
   /* Comes after the frame's rows, while sim_observed.frame still is its number. */
   void (*frame_ended)(struct sim_observer *o, const struct sim_frame_end *end);
   /* The next frame begins: numbers are those of this frame. */
   void (*frame_began)(struct sim_observer *o);
   /* The run has ended. Another run may follow. */
   void (*run_ended)(struct sim_observer *o);
};

struct sim_observer {
   const struct sim_observer_class *cls;
   struct sim_observer *next;
};

/* --- The side of the machine --- */

#define SIM_MAX_WARNINGS 256

struct sim_numbers { /* numbers of things, by a hash of their contents */
   struct sim_number {
      uint64_t hash; /* 0: free */
      uint32_t number;
   } * entry;
   uint32_t num, size; /* size: a power of two, or 0 */
};

/* What the instructions of a program have cost in the present frame. */
struct sim_program_costs {
   struct sim_cost *cost; /* [copy][num]; at the end of a frame the first copy holds the sum */
   uint32_t num;          /* instructions */
};

/* Each device has one; all zeros: no listener. */
struct sim_observed {
   struct sim_observer *first;
   uint32_t frame;        /* number of the present one, from 0 */
   uint32_t draws;        /* of the present frame that have begun */
   uint32_t passed_draws; /* draws of the present frame that were passed over, not simulated */
   sim_tick began;        /* the end of the frame before */
   /* in_parts: only parts of frames are simulated (regions of interest). passing: what is executed
    * now is in no such part, and has no rows and no time. */
   bool in_parts, passing;
   uint32_t first_frame;     /* earlier frames are only executed to reach it, and have no rows */
   struct sim_range *frames; /* only these frames have rows; NULL: all */
   unsigned num_frames;
   bool wants_state;     /* a listener wants programs and bindings */
   uint32_t cost_copies; /* copies of the counters of instructions: one per shader, or one in all;
                            0: no counters */
   struct sim_numbers programs, bindings;
   struct sim_program_costs *costs; /* [number of the program] */
   uint32_t num_costs;
   uint64_t warned[SIM_MAX_WARNINGS]; /* hashes of texts that were printed */
   unsigned num_warned;
};

/* Calls an event of every listener. */
#define SIM_EVENT(observed, event, ...)                                           \
   do {                                                                           \
      for (struct sim_observer *o_ = (observed)->first, *next_; o_; o_ = next_) { \
         next_ = o_->next;                                                        \
         if (o_->cls->event)                                                      \
            o_->cls->event(o_, ##__VA_ARGS__);                                    \
      }                                                                           \
   } while (0)

/* Connects a listener, which its owner keeps and frees. Listeners are called in the order of
 * connection. */
void sim_observe(struct sim_observed *observed, struct sim_observer *listener);
/* Disconnects a listener if it is connected. */
void sim_observe_no_more(struct sim_observed *observed, struct sim_observer *listener);
void sim_observed_fini(struct sim_observed *observed);

/* Chooses the frames that have rows and maps from a list such as "3,10-20,50-". Returns false with
 * a message if the list is wrong. */
bool sim_observed_choose_frames(struct sim_observed *observed, const char *list, char *error,
                                size_t error_size);
/* Returns whether the present frame has rows and maps. */
bool sim_observed_wants_frame(const struct sim_observed *observed);
/* Returns whether the programs and bindings of draws are announced. */
static inline bool
sim_observed_wants_state(const struct sim_observed *observed)
{
   return observed->wants_state && !observed->passing && observed->frame >= observed->first_frame;
}
bool sim_observed_wants_image(const struct sim_observed *observed);

/* Announces a draw that begins; sets its number, and its map. */
void sim_observed_draw_begins(struct sim_observed *observed, struct sim_draw_begins *draw);
void sim_observed_draw_progress(struct sim_observed *observed, uint64_t done, uint64_t total);
void sim_observed_pass(struct sim_observed *observed, const struct sim_seen_pass *pass);
/* Announces a row without statistics for a draw that functional mode has executed. */
void sim_observed_draw(struct sim_observed *observed, const struct sim_work *draw);
void sim_observed_frame_ended(struct sim_observed *observed, const struct sim_frame_end *end);
/* Ends the present frame if it has draws, and the run. */
void sim_observed_run_ended(struct sim_observed *observed, sim_tick now);

/* --- sim_numbers.c --- */

/* Return the number, from 1, of a program or of the surfaces that a draw has bound; equal ones have
 * equal numbers. 0: host memory is exhausted, or nothing is bound. *costs: the cost counters of the
 * program's instructions, by position; NULL: there are none. */
uint32_t sim_observed_program(struct sim_observed *observed, const struct sim_seen_program *program,
                              struct sim_cost **costs);
uint32_t sim_observed_bindings(struct sim_observed *observed,
                               const struct sim_seen_surface *surfaces, unsigned num);
/* At the end of a frame: adds up the copies; after the frame: sets all to 0. */
void sim_observed_sum_costs(struct sim_observed *observed);
void sim_observed_clear_costs(struct sim_observed *observed);

/* --- sim_warn.c --- */

/* Prints a warning for the user on stderr, once per distinct text. */
void sim_warn(struct sim_observed *observed, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
