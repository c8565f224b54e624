/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Runs thread groups: start, step, run, delivery of texels, flow instructions with their mask
 * stack. Arithmetic: emul_shader_ops.h. */
#include <string.h>
#include "core/sim_xalloc.h"
#include "emul/shader/emul_shader_program.h"

enum { KIND_IF, KIND_LOOP };

void
emul_thread_start(struct emul_thread *t, const struct emul_program *program, uint16_t lanes,
                  bool is_fragment, uint32_t iterations)
{
   t->program = program;
   t->pc = 0;
   t->lanes = t->exec = lanes;
   t->killed = t->stopped = t->helpers = 0;
   t->logs = NULL;
   t->is_fragment = is_fragment;
   t->depth = 0;
   t->loop_guard = iterations;
   for (unsigned i = 0; i < program->num_clear_temps; i++)
      memset(&t->temps[program->clear_temps[i]], 0, sizeof(*t->temps));
   for (unsigned i = 0; i < program->num_clear_outputs; i++)
      memset(&t->outputs[program->clear_outputs[i]], 0, sizeof(*t->outputs));
   if (program->uses_address)
      memset(t->address, 0, sizeof(t->address));
}

void
emul_thread_hurry(struct emul_thread *t)
{
   if (t->loop_guard > EMUL_FEW_ITERATIONS)
      t->loop_guard = EMUL_FEW_ITERATIONS;
}

enum emul_step
emul_thread_step(struct emul_thread *t)
{
   const struct emul_instr *in = &t->program->instrs[t->pc++];
   return in->fn(t, in);
}

/* Returns the register for a texture operation's or load's result if every lane takes it unchanged,
 * else NULL. */
static struct emul_vec4 *
emul_shader_result_register(const struct emul_thread *t, const struct emul_instr *in)
{
   if (in->saturate || in->dst_relative || t->exec != t->lanes || t->logs)
      return NULL;
   return (in->dst_file == ATTILA_FILE_TEMP ? t->temps : t->outputs) + in->dst_index;
}

/* Writes a result's components to the logs of the executing lanes, or replaces them by what is
 * there. */
static void
emul_shader_log(struct emul_thread *t, unsigned components, struct emul_vec4 *result)
{
   for (unsigned lanes = t->exec; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctz(lanes), at = t->log_first + lane,
                     l = at % EMUL_LANES;
      struct emul_log *log = &t->logs[at / EMUL_LANES];
      if (!t->log_reads && log->num[l] + 4 > log->room) {
         log->room = 2 * log->room + 64;
         log->value = sim_xrealloc(log->value, log->room * sizeof(*log->value));
      }
      for (unsigned left = components; left; left &= left - 1) {
         float *value = &result->c[__builtin_ctz(left)][lane];
         if (!t->log_reads)
            log->value[log->num[l]++][l] = *value;
         else if (log->next[l] < log->num[l])
            *value = log->value[log->next[l]++][l];
      }
   }
}

void
emul_thread_result(struct emul_thread *t, const struct emul_vec4 *result)
{
   const struct emul_instr *in = &t->program->instrs[t->pc];
   struct emul_vec4 logged;
   if (__builtin_expect(t->logs != NULL, 0)) {
      logged = *result;
      emul_shader_log(t, in->write_mask, &logged);
      result = &logged;
   }
   struct emul_vec4 *direct = emul_shader_result_register(t, in);
   for (unsigned c = 0; direct && c < 4; c++) {
      if (in->write_mask >> c & 1)
         memcpy(direct->c[c], result->c[c], sizeof(direct->c[c]));
   }
   if (!direct)
      t->program->deliver(t, in, result);
   t->pc++;
}

void
emul_load_words(const struct emul_load_request *load, uint64_t start, uint64_t end,
                const uint8_t *bytes, struct emul_vec4 *result)
{
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      for (unsigned left = load->components[l]; left; left &= left - 1) {
         const unsigned c = (unsigned)__builtin_ctz(left);
         const uint64_t address = load->address[l] + 4 * (uint64_t)c;
         if (address >= start && address < end)
            memcpy(&result->c[c][l], bytes + (address - start), 4);
      }
   }
}

/* Fills in a load's offsets and buffers: for active lanes, the words inside. */
void
emul_load_begin(struct emul_thread *t, const struct emul_instr *in,
                const uint32_t offset[EMUL_LANES], const uint32_t buffer[EMUL_LANES])
{
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      t->load.components[l] = 0;
      if (!(t->exec >> l & 1) || buffer[l] >= ATTILA_MAX_CONST_BUFFERS)
         continue;
      const struct emul_const_buffer *b = &t->buffers[buffer[l]];
      const uint32_t first = offset[l] & ~3u;
      t->load.address[l] = b->address + first;
      for (unsigned c = 0; c < 4; c++) {
         if ((in->write_mask >> c & 1) && first + 4ull * c + 4 <= b->size)
            t->load.components[l] |= (uint8_t)(1u << c);
      }
   }
   t->pc--;
}

static void
emul_shader_load(struct emul_thread *t)
{
   struct emul_vec4 result;
   memset(&result, 0, sizeof(result));
   emul_load_words(&t->load, 0, UINT64_MAX, t->memory, &result);
   emul_thread_result(t, &result);
}

static void
emul_shader_memory(struct emul_thread *t)
{
   struct emul_vec4 result;
   emul_memory_execute(&t->request, attila_isa_is_shared(t->request.op) ? t->shared : t->memory,
                       &result);
   if (attila_isa_ops[t->request.op].has_dst)
      emul_thread_result(t, &result);
   else
      emul_thread_stored(t);
}

enum emul_step
emul_thread_run(struct emul_thread *t,
                void (*sample)(void *user, const struct emul_tex_request *request,
                               struct emul_vec4 *texel),
                void *user)
{
   const struct emul_instr *instrs = t->program->instrs;
   for (;;) {
      const struct emul_instr *in = &instrs[t->pc];
      t->pc += in->run_length;
      enum emul_step step = in->run(t, in);
      if (step == EMUL_STEP_NEXT)
         continue;
      if (step == EMUL_STEP_LOAD) {
         emul_shader_load(t);
         continue;
      }
      if (step == EMUL_STEP_MEMORY) {
         if (t->accesses)
            t->accesses(user, &t->request);
         emul_shader_memory(t);
         continue;
      }
      if (step != EMUL_STEP_TEXTURE)
         return step;
      struct emul_vec4 texel, *direct = emul_shader_result_register(t, in);
      sample(user, &t->tex, direct ? direct : &texel);
      if (direct)
         t->pc++;
      else
         emul_thread_result(t, &texel);
   }
}

/* Returns lanes that left the innermost loop or wait for its next iteration. */
static uint16_t
emul_shader_lanes_out(const struct emul_thread *t)
{
   for (unsigned d = t->depth; d-- > 0;) {
      if (t->stack[d].kind == KIND_LOOP)
         return t->stack[d].brk | t->stack[d].cont;
   }
   return 0;
}

/* IF's stack entry: exec has the lanes to rejoin, brk those that wait for ELSE. */
enum emul_step
emul_flow_if(struct emul_thread *t, const struct emul_instr *in, uint16_t cond)
{
   unsigned d = t->depth++;
   t->stack[d].kind = KIND_IF;
   t->stack[d].exec = t->exec;
   t->stack[d].brk = t->exec & ~cond;
   t->exec &= cond;
   if (!t->exec)
      t->pc = in->target;
   return EMUL_STEP_NEXT;
}

static enum emul_step
emul_shader_flow_else(struct emul_thread *t, const struct emul_instr *in)
{
   t->exec = t->stack[t->depth - 1].brk;
   if (!t->exec)
      t->pc = in->target;
   return EMUL_STEP_NEXT;
}

static enum emul_step
emul_shader_flow_endif(struct emul_thread *t, const struct emul_instr *in)
{
   (void)in;
   t->depth--;
   t->exec = t->stack[t->depth].exec & ~emul_shader_lanes_out(t);
   if (!t->exec && in->target)
      t->pc = in->target;
   return EMUL_STEP_NEXT;
}

static enum emul_step
emul_shader_flow_loop(struct emul_thread *t, const struct emul_instr *in)
{
   (void)in;
   unsigned d = t->depth++;
   t->stack[d].kind = KIND_LOOP;
   t->stack[d].exec = t->exec;
   t->stack[d].brk = t->stack[d].cont = 0;
   return EMUL_STEP_NEXT;
}

static unsigned
emul_shader_innermost_loop(const struct emul_thread *t)
{
   unsigned d = t->depth - 1;
   while (t->stack[d].kind != KIND_LOOP)
      d--;
   return d;
}

static enum emul_step
emul_shader_flow_brk(struct emul_thread *t, const struct emul_instr *in)
{
   t->stack[emul_shader_innermost_loop(t)].brk |= t->exec;
   t->exec = 0;
   t->pc = in->target;
   return EMUL_STEP_NEXT;
}

static enum emul_step
emul_shader_flow_cont(struct emul_thread *t, const struct emul_instr *in)
{
   t->stack[emul_shader_innermost_loop(t)].cont |= t->exec;
   t->exec = 0;
   t->pc = in->target;
   return EMUL_STEP_NEXT;
}

/* Ends the group when every lane is killed: nothing that follows is visible. */
static enum emul_step
emul_shader_kill_lanes(struct emul_thread *t, uint16_t lanes)
{
   t->killed |= lanes;
   return t->killed == t->lanes ? EMUL_STEP_END : EMUL_STEP_NEXT;
}

static enum emul_step
emul_shader_flow_endloop(struct emul_thread *t, const struct emul_instr *in)
{
   unsigned d = t->depth - 1;
   uint16_t again = t->stack[d].exec & ~t->stack[d].brk & ~t->stopped;
   t->stack[d].cont = 0;
   if (again && t->loop_guard == 0) {
      t->stopped |= again;
      t->loop_guard = EMUL_FEW_ITERATIONS;
      if (t->is_fragment && emul_shader_kill_lanes(t, again) == EMUL_STEP_END)
         return EMUL_STEP_END;
      again = 0;
   }
   if (again) {
      t->loop_guard--;
      t->exec = again;
      t->pc = in->target + 1u;
      return EMUL_STEP_NEXT;
   }
   t->depth = (uint16_t)d;
   t->exec = t->stack[d].exec;
   return EMUL_STEP_NEXT;
}

enum emul_step
emul_flow_kill(struct emul_thread *t, uint16_t cond)
{
   return emul_shader_kill_lanes(t, cond & t->exec);
}

static enum emul_step
emul_shader_flow_nop(struct emul_thread *t, const struct emul_instr *in)
{
   (void)t;
   (void)in;
   return EMUL_STEP_NEXT;
}

static void
emul_shader_clear_outputs(struct emul_thread *t, uint16_t lanes)
{
   for (uint64_t m = emul_program_isa(t->program)->outputs_written; m; m &= m - 1) {
      struct emul_vec4 *out = &t->outputs[__builtin_ctzll(m)];
      for (uint32_t left = lanes; left; left &= left - 1) {
         for (unsigned c = 0; c < 4; c++)
            out->c[c][__builtin_ctz(left)] = 0.0f;
      }
   }
}

static enum emul_step
emul_shader_flow_emit(struct emul_thread *t, const struct emul_instr *in)
{
   const uint64_t written = emul_program_isa(t->program)->outputs_written;
   for (uint32_t left = t->exec; left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctz(left), bit = t->emission[l]->num % 32;
      struct emul_emission *e = t->emission[l];
      if (e->num == e->max)
         continue;
      float(*out)[4] = e->out + (size_t)e->num * e->outputs;
      for (unsigned o = 0; o < e->outputs; o++) {
         for (unsigned c = 0; c < 4; c++)
            out[o][c] = written >> o & 1 ? t->outputs[o].c[c][l] : 0.0f;
      }
      e->stream[e->num] = (uint8_t)in->target;
      uint32_t *begins = &e->begins[e->num++ / 32];
      *begins = (bit ? *begins : 0) | (uint32_t)e->cut << bit;
      e->cut = false;
   }
   return EMUL_STEP_NEXT;
}

static enum emul_step
emul_shader_flow_cut(struct emul_thread *t, const struct emul_instr *in)
{
   (void)in;
   for (uint32_t left = t->exec; left; left &= left - 1)
      t->emission[__builtin_ctz(left)]->cut = true;
   return EMUL_STEP_NEXT;
}

/* Makes stopped lanes' results invisible. */
static void
emul_shader_drop(struct emul_thread *t)
{
   if (emul_program_isa(t->program)->stage == ATTILA_STAGE_GEOMETRY) {
      for (uint32_t left = t->stopped; left; left &= left - 1)
         t->emission[__builtin_ctz(left)]->num = 0;
   } else if (!t->is_fragment) {
      emul_shader_clear_outputs(t, t->stopped);
   }
}

static enum emul_step
emul_shader_flow_bar(struct emul_thread *t, const struct emul_instr *in)
{
   (void)t;
   (void)in;
   return EMUL_STEP_BARRIER;
}

static enum emul_step
emul_shader_flow_end(struct emul_thread *t, const struct emul_instr *in)
{
   (void)in;
   if (t->stopped)
      emul_shader_drop(t);
   t->pc--;
   return EMUL_STEP_END;
}

const emul_op_fn emul_flow_ops[ATTILA_NUM_OPS] = {
    [ATTILA_OP_NOP] = emul_shader_flow_nop,         [ATTILA_OP_ELSE] = emul_shader_flow_else,
    [ATTILA_OP_ENDIF] = emul_shader_flow_endif,     [ATTILA_OP_LOOP] = emul_shader_flow_loop,
    [ATTILA_OP_BRK] = emul_shader_flow_brk,         [ATTILA_OP_CONT] = emul_shader_flow_cont,
    [ATTILA_OP_ENDLOOP] = emul_shader_flow_endloop, [ATTILA_OP_END] = emul_shader_flow_end,
    [ATTILA_OP_EMIT] = emul_shader_flow_emit,       [ATTILA_OP_CUT] = emul_shader_flow_cut,
    [ATTILA_OP_BAR] = emul_shader_flow_bar,
};
