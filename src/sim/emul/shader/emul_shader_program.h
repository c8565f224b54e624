/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A program's pre-decoded form, and the function table of a vector instruction set. Only for the
 * shader emulator and the shader's boxes, which read operands and latencies. */
#ifndef EMUL_SHADER_PROGRAM_H
#define EMUL_SHADER_PROGRAM_H

#include "core/sim_cost.h"
#include "emul/shader/emul_shader.h"

struct emul_instr;
/* Executes an instruction; pc is advanced before the call. */
typedef enum emul_step (*emul_op_fn)(struct emul_thread *t, const struct emul_instr *in);

/* Scoreboard entries of a thread's registers, for boxes: nothing, the address registers, the latest
 * of all temporaries (relative operands), outputs, temporaries. */
enum {
   EMUL_SB_NONE,
   EMUL_SB_ADDRESS,
   EMUL_SB_ANY_TEMP,
   EMUL_SB_OUTPUT,
   EMUL_SB_TEMP = EMUL_SB_OUTPUT + ATTILA_ISA_MAX_OUTPUTS,
};

struct emul_src {
   uint8_t file;   /* enum attila_isa_file */
   bool broadcast; /* CONST, LITERAL: one value for all lanes */
   bool relative;
   uint8_t rel_comp;
   uint8_t offset[4]; /* of components after swizzle, in floats from the register */
   uint16_t index, min_index, max_index; /* limits are for relative indices */
   uint32_t keep, flip; /* absolute and negate as bit operations: (v & keep) ^ flip */
};

struct emul_instr {
   emul_op_fn fn;  /* executes this instruction */
   emul_op_fn run; /* executes this instruction and the next ones, run_length in all */
   uint16_t run_length;
   uint8_t op, write_mask, dst_file;
   bool saturate, dst_relative;
   uint8_t dst_rel_comp;
   uint16_t dst_index, dst_max_index;
   uint16_t target; /* flow: next pc without active lanes. BRK, CONT: ELSE, ENDIF or ENDLOOP of the
                     * innermost block */
   uint8_t tex_unit, tex_target, tex_component, ref_comp;
   bool tex_shadow;
   uint8_t words, atomic;
   int8_t tex_offset[4]; /* [3] is 0 */
   struct emul_src src[3];
   /* For boxes. */
   uint16_t sb_src[4], sb_dst; /* scoreboard entries that it reads and writes */
   uint8_t cls;                /* enum attila_isa_class */
   uint8_t temp_reads;         /* distinct temporaries that it reads */
   uint8_t steps;              /* one-component instructions of equal effect */
   bool is_scalar;             /* reads and writes one component only */
   bool jumps;                 /* the next pc is known after execution */
};

struct emul_program {
   struct attila_isa_program isa;
   struct emul_instr *instrs;
   void (*deliver)(struct emul_thread *t, const struct emul_instr *in,
                   const struct emul_vec4 *texel);
   /* Registers that some lane may use unwritten: cleared when a group starts. */
   uint16_t clear_temps[ATTILA_ISA_MAX_TEMPS], num_clear_temps;
   uint8_t clear_outputs[ATTILA_ISA_MAX_OUTPUTS], num_clear_outputs;
   uint8_t input_components[ATTILA_ISA_MAX_INPUTS]; /* bit per component read */
   bool uses_address;
   struct sim_cost *costs; /* [copy][instruction]; NULL: not counted */
   void *native;           /* memory of instruction functions; NULL: none */
   size_t native_size;
};

/* Returns where a copy of the program counts its costs; NULL: nowhere. */
static inline struct sim_cost *
emul_program_costs(const struct emul_program *p, unsigned copy)
{
   return p->costs ? p->costs + (size_t)copy * p->isa.num_instrs : NULL;
}

/* Instruction functions for one host instruction set, equal in every bit (but NaN payloads). plain:
 * no modifiers, relative operands or saturation, and no component is overwritten before it is
 * read. */
struct emul_exec {
   const char *name;
   emul_op_fn plain[ATTILA_NUM_OPS], general[ATTILA_NUM_OPS];
   void (*deliver)(struct emul_thread *t, const struct emul_instr *in,
                   const struct emul_vec4 *texel);
   bool native; /* emul_native.c replaces functions */
};
extern const struct emul_exec emul_exec_base, emul_exec_avx2, emul_exec_avx512;

/* Returns the n-th table this host can run, fastest first; NULL past the last. For tests and
 * emul_program_create. */
const struct emul_exec *emul_exec_get(unsigned n);
struct emul_program *emul_program_create_for(const struct attila_isa_program *isa,
                                             const struct emul_exec *exec);

/* Returns the components (after swizzle) of source s that an instruction reads. */
unsigned emul_components_read(const struct attila_isa_instr *in, unsigned s);
/* Flow instructions, for every host (emul_shader.c); cond: lanes whose condition holds. */
enum emul_step emul_flow_if(struct emul_thread *t, const struct emul_instr *in, uint16_t cond);
enum emul_step emul_flow_kill(struct emul_thread *t, uint16_t cond);
extern const emul_op_fn emul_flow_ops[ATTILA_NUM_OPS];
/* LDC: fills the request from all lanes' offsets and buffer numbers; pc stays. */
void emul_load_begin(struct emul_thread *t, const struct emul_instr *in,
                     const uint32_t offset[EMUL_LANES], const uint32_t buffer[EMUL_LANES]);
/* Memory instructions: fills the request, whose data is there, from bytes (where[0]) or texels and
 * numbers of buffers or images. */
void emul_memory_begin(struct emul_thread *t, const struct emul_instr *in,
                       uint32_t where[3][EMUL_LANES], const uint32_t number[EMUL_LANES]);
/* Those that access images. */
void emul_image_begin(struct emul_thread *t, const struct emul_instr *in,
                      uint32_t coord[3][EMUL_LANES], const uint32_t number[EMUL_LANES]);
/* Completes the result of LDI, whose elements are there, or SZI. */
void emul_image_finish(const struct emul_memory_request *request, struct emul_vec4 *result);

#endif
