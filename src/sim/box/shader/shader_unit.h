/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a shader's boxes (Shader Fetch, Decode/Execute, its units and caches) share: the
 * context of a thread group, owned by the receiver of the last message with the thread. No timing
 * and no state here. */
#ifndef SIM_SHADER_UNIT_H
#define SIM_SHADER_UNIT_H

#include "box/objects.h"
#include "config/sim_shader_machine.h"
#include "emul/shader/emul_shader_program.h"

/* A thread's state; Decode/Execute answers READY, BLOCKED, CONSTANT, MEMORY, BARRIER or ENDED
 * (msg_issue.state). */
enum shf_state {
   SHF_FREE,     /* context not in use */
   SHF_LOADING,  /* its inputs arrive */
   SHF_BUFFERED, /* loaded, waits to execute */
   SHF_READY,    /* may be fetched */
   SHF_WAITING,  /* may be fetched at a known tick */
   SHF_ISSUED,   /* with Decode/Execute */
   SHF_BLOCKED,  /* waits for the texture unit */
   SHF_CONSTANT, /* waits for the constant cache */
   SHF_MEMORY,   /* waits for the load/store unit */
   SHF_BARRIER,  /* waits for the other groups of its workgroup */
   SHF_ENDED,    /* its outputs wait to leave */
   SHF_NUM_STATES
};

/* The context of a thread group, or of a part of one with more than EMUL_LANES inputs. The parts
 * have one program counter, scoreboard and state: those of the first. An instruction executes for
 * the parts that are at the lowest place in the program, as if all lanes had one mask. */
struct shf_thread {
   struct emul_thread emul; /* the texture unit answers emul.tex with emul_thread_result */
   struct sim_group *group;
   struct shf_thread *first, *next; /* parts of the group: the first; the next one, NULL: none */
   uint32_t pc;                     /* of the group, in its first part */
   uint16_t waits;                  /* with several parts: how many wait for a texture or a load */
   bool asks, ended;                /* this part waits for a texture or load; it has ended */
   bool at_barrier;                 /* the group waits for its workgroup */
   sim_tick held_since;             /* its registers are counted up to here */
   uint32_t registers;              /* held, in units of the shader's register file */
   uint16_t index;                  /* number in the shader */
   uint8_t lanes;                   /* inputs present; the ALUs work for a full group */
   uint16_t num_temps;              /* temporaries of its program */
   sim_tick latest;                 /* when its last result is written */
   sim_tick *ready_at;     /* by scoreboard entry: tick from which an instruction that needs the
                            * register may execute */
   struct sim_cost *costs; /* per instruction of its program; NULL: not counted */
   uint32_t at;            /* the instruction that its state is charged to */
   sim_tick since;         /* when that state began */
   struct emul_vec4 *inputs, *outputs;
   struct emul_vec4 *block; /* registers, temporaries and ready_at side by side: the host's TLB
                             * holds few pages */
   size_t block_size;       /* bytes */
};

/* The instruction at pc. */
static inline const struct emul_instr *
shf_thread_instr(const struct shf_thread *t)
{
   return &t->emul.program->instrs[t->pc];
}

/* Executes the group's instruction. EMUL_STEP_TEXTURE, EMUL_STEP_LOAD, EMUL_STEP_MEMORY: parts with
 * `asks` set need a unit. EMUL_STEP_END: all parts have ended. */
enum emul_step shf_thread_step_parts(struct shf_thread *t);
static inline enum emul_step
shf_thread_step(struct shf_thread *t)
{
   if (__builtin_expect(t->next != NULL, 0))
      return shf_thread_step_parts(t);
   const enum emul_step step = emul_thread_step(&t->emul);
   t->pc = t->emul.pc;
   return step;
}
/* Returns whether this part executes the group's instruction. */
static inline bool
shf_thread_executes(const struct shf_thread *first, const struct shf_thread *part)
{
   return part->emul.pc == first->pc && !part->ended;
}
/* Called when a part's texels or words are in its registers. Returns whether all parts have theirs,
 * so that the group goes on. */
bool shf_thread_answered(struct shf_thread *part);

/* Returns the tick from which the thread's instruction has its sources. With indirect addressing
 * any temporary may be one. */
static inline sim_tick
shf_operands_ready(const struct shf_thread *t, const struct emul_instr *in)
{
   sim_tick tick = in->sb_dst == EMUL_SB_ANY_TEMP ? t->ready_at[EMUL_SB_ANY_TEMP] : 0;
   for (unsigned s = 0; s < 4; s++) {
      sim_tick source = t->ready_at[in->sb_src[s]];
      tick = source > tick ? source : tick;
   }
   return tick;
}

/* Returns the machine of a GPU's shader s; its configuration is valid. */
static inline void
shf_machine(struct sim_shader_machine *machine, const struct sim_config *config, unsigned s)
{
   char error[256];
   bool vertices = !config->gpu.unified && s >= config->gpu.num_shaders;
   sim_shader_machine_init(machine, config, vertices, error, sizeof(error));
}

/* Returns the cycles in which a group of vertices, or EMIT, sends its outputs. */
static inline unsigned
shf_output_cycles(const struct sim_shader_machine *m, const struct attila_isa_program *isa)
{
   const unsigned cycles =
       (attila_isa_outputs(isa) + m->output_attributes - 1) / m->output_attributes;
   return (cycles ? cycles : 1) * m->output_cycles;
}

/* Makes room for a program's registers and scoreboard. */
void shf_thread_reserve(struct sim_arena *arena, struct shf_thread *t,
                        const struct attila_isa_program *isa);
/* Loads t->group's inputs and starts its program at instruction 0. */
void shf_thread_load(struct shf_thread *t);
/* Stores outputs, kills and written depth in t->group's vertices or quads. */
void shf_thread_store(const struct shf_thread *t);

/* Prefetches, for the host: other boxes used these quads and groups long ago. */

static inline void
shf_prefetch_group(const struct sim_group *g)
{
   __builtin_prefetch(g);
   __builtin_prefetch(&g->quad[EMUL_LANES / 4 - 1]);
}
/* Prefetches what decode needs of a thread. */
static inline void
shf_prefetch_decode(const struct shf_thread *t)
{
   __builtin_prefetch(t->ready_at);
   __builtin_prefetch(t->ready_at + EMUL_SB_TEMP);
   if (shf_thread_instr(t)->cls == ATTILA_CLASS_TEXTURE) {
      __builtin_prefetch(&t->emul.tex.mask, 1);
      __builtin_prefetch(t->emul.tex.coord[0], 1);
      __builtin_prefetch(t->emul.tex.coord[1], 1);
   }
}
/* Prefetches quads that get outputs soon. */
void shf_prefetch_outputs(const struct sim_group *g);
/* The group that is loaded next; each call prefetches part of what it will need. */
struct shf_coming {
   const struct sim_group *group;
   unsigned quads; /* quads prefetched */
};
void shf_prefetch_input(struct shf_coming *coming, const struct msg_group *next);

#endif
