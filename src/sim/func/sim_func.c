/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Functional mode: executes the command queue with the emulators directly on GPU memory, one
 * command after the other. Same pixels as the cycle mode, no time, no caches (FLUSH does nothing).
 * Here: the commands that are not draws or clears.
 */
#include <stdio.h>
#include <string.h>
#include "core/sim_fp.h"
#include "emul/rop/emul_blit.h"
#include "emul/rop/emul_swap.h"
#include "func/sim_func_impl.h"

struct sim_func *
sim_func_create(struct sim_gpu *gpu)
{
   struct sim_func *f = aligned_alloc(64, (sizeof(*f) + 63) & ~(size_t)63);
   if (!f)
      return NULL;
   memset(f, 0, sizeof(*f));
   f->gpu = gpu;
   f->tile_z24 = func_tile_z24_get(0);
   size_t bytes = (FUNC_CHUNK + 8) * sizeof(*f->vertices);
   f->vertices = aligned_alloc(64, bytes);
   if (!f->vertices) {
      free(f);
      return NULL;
   }
   memset(f->vertices, 0, bytes);
   return f;
}

void
sim_func_destroy(struct sim_func *f)
{
   if (!f)
      return;
   free(f->vertices);
   free(f->image);
   free(f);
}

static void
sample(void *user, const struct emul_tex_request *request, struct emul_vec4 *texel)
{
   struct sim_func *f = user;
   emul_tex_sample(&f->draw.state.tex[request->unit], request, f->gpu->memory, texel);
}

void
func_run_thread(struct sim_func *f, const struct emul_program *program, unsigned stage,
                struct emul_vec4 *inputs, uint16_t lanes)
{
   f->thread.temps = f->temps;
   f->thread.inputs = inputs;
   f->thread.outputs = f->outputs;
   f->thread.consts = (const float(*)[4])f->draw.state.consts[stage];
   emul_thread_start(&f->thread, program, lanes, stage == ATTILA_STAGE_FRAGMENT);
   if (emul_thread_run(&f->thread, sample, f) == EMUL_STEP_RUNAWAY)
      sim_warn(f->gpu, "a %s program was stopped after %u loop iterations",
               stage == ATTILA_STAGE_FRAGMENT ? "fragment" : "vertex", EMUL_MAX_ITERATIONS);
}

static bool
fail(struct sim_func *f, const char *message)
{
   struct sim_kernel *k = &f->gpu->kernel;
   if (!k->error[0])
      snprintf(k->error, sizeof(k->error), "%s", message);
   k->stopped = true;
   return false;
}

static void
draw(struct sim_func *f, const uint32_t *payload)
{
   struct sim_gpu *gpu = f->gpu;
   struct attila_cmd_draw cmd;
   char error[256];
   memcpy(&cmd, payload, sizeof(cmd));
   if (cmd.count == 0 || cmd.num_instances == 0)
      return;
   if (!sim_frontend_begin_draw(gpu->frontend, &f->draw.state, &cmd, error, sizeof(error))) {
      sim_warn(gpu, "draw skipped: %s", error);
      return;
   }
   f->draw.slot = 1;
   f->draw.number = gpu->draw_in_frame++;
   func_draw(f);
   sim_report_draw(gpu, &f->draw, 0);
   sim_frontend_end_draw(gpu->frontend, &f->draw.state);
}

static void
read_buffer(struct sim_func *f, const uint32_t *payload)
{
   struct sim_host_read read;
   uint32_t address = payload[0], size = payload[1];
   /* A replay has nobody who wants the data. */
   if (sim_gpu_next_read(f->gpu, &read) && read.dst)
      memcpy(read.dst, f->gpu->memory + address, size < read.size ? size : read.size);
}

static void
write_counter(struct sim_func *f, const uint32_t *payload)
{
   uint64_t value = f->gpu->counters[payload[0] % ATTILA_NUM_COUNTERS];
   for (unsigned i = 0; i < 8; i++)
      f->gpu->memory[payload[1] + i] = (uint8_t)(value >> 8 * i);
}

static bool
swap(struct sim_func *f, const uint32_t *payload)
{
   struct sim_gpu *gpu = f->gpu;
   struct attila_cmd_swap cmd;
   memcpy(&cmd, payload, sizeof(cmd));
   if (!sim_report_wants_image(gpu)) {
      sim_report_frame(gpu, 0, NULL, 0, 0);
      return true;
   }
   size_t size = (size_t)cmd.width * cmd.height * 4;
   if (size > f->image_size) {
      free(f->image);
      f->image = malloc(size);
      f->image_size = f->image ? size : 0;
      if (!f->image)
         return fail(f, "no memory for the image of a frame");
   }
   emul_swap_to_rgba8(gpu->memory, &cmd, f->image);
   sim_report_frame(gpu, 0, f->image, cmd.width, cmd.height);
   return true;
}

static void
marker(struct sim_gpu *gpu, const uint32_t *payload, uint32_t words)
{
   if (payload[0] != ATTILA_MARKER_TEXT)
      return;
   size_t bytes = (size_t)(words - 1) * 4;
   if (bytes > sizeof(gpu->label) - 1)
      bytes = sizeof(gpu->label) - 1;
   memset(gpu->label, 0, sizeof(gpu->label));
   memcpy(gpu->label, payload + 1, strnlen((const char *)(payload + 1), bytes));
}

static bool
load_program(struct sim_func *f, const uint32_t *payload)
{
   char error[256], message[320];
   if (sim_frontend_load_program(f->gpu->frontend, payload[0], f->gpu->memory + payload[1],
                                 payload[2], error, sizeof(error)))
      return true;
   snprintf(message, sizeof(message), "LOAD_PROGRAM at 0x%x: %s", payload[1], error);
   return fail(f, message);
}

static void
fence(struct sim_gpu *gpu, const uint32_t *payload)
{
   uint64_t value = payload[0] | (uint64_t)payload[1] << 32;
   if (value > gpu->fence)
      gpu->fence = value;
}

static bool
blit(struct sim_func *f, const uint32_t *payload)
{
   struct attila_cmd_blit b;
   char error[256];
   memcpy(&b, payload, sizeof(b));
   if (!b.width || !b.height || !b.depth)
      return true;
   if (!emul_blit_check(&b, f->gpu->memory_size, error, sizeof(error)))
      return fail(f, error);
   return emul_blit(f->gpu->memory, f->gpu->memory_size, &b);
}

/* A checked command; payload is aligned to words only. */
static bool
execute(struct sim_func *f, uint32_t op, const uint32_t *payload, uint32_t words)
{
   struct sim_gpu *gpu = f->gpu;
   switch (op) {
   case ATTILA_CMD_WRITE_REGS:
      sim_frontend_write_regs(gpu->frontend, payload, words);
      break;
   case ATTILA_CMD_WRITE_CONSTS:
      sim_frontend_write_consts(gpu->frontend, payload, words);
      break;
   case ATTILA_CMD_WRITE_BUFFER:
      memcpy(gpu->memory + payload[0], payload + 2, payload[1] & ~ATTILA_BUFFER_NO_WAIT);
      break;
   case ATTILA_CMD_READ_BUFFER:
      read_buffer(f, payload);
      break;
   case ATTILA_CMD_LOAD_PROGRAM:
      return load_program(f, payload);
   case ATTILA_CMD_DRAW:
      draw(f, payload);
      break;
   case ATTILA_CMD_CLEAR_COLOR: {
      float color[4];
      memcpy(color, payload + 1, sizeof(color));
      func_clear_color(gpu, sim_frontend_regs(gpu->frontend), payload[0], color);
      break;
   }
   case ATTILA_CMD_CLEAR_ZS: {
      float depth;
      memcpy(&depth, payload + 1, sizeof(depth));
      func_clear_zs(gpu, sim_frontend_regs(gpu->frontend), payload[0], depth, payload[2]);
      break;
   }
   case ATTILA_CMD_BLIT:
      return blit(f, payload);
   case ATTILA_CMD_WRITE_COUNTER:
      write_counter(f, payload);
      break;
   case ATTILA_CMD_MARKER:
      marker(gpu, payload, words);
      break;
   case ATTILA_CMD_SWAP:
      return swap(f, payload);
   case ATTILA_CMD_END_FRAME:
      sim_report_frame(gpu, 0, NULL, 0, 0);
      break;
   case ATTILA_CMD_FENCE:
      fence(gpu, payload);
      break;
   default: /* NOP, FLUSH: there are no caches */
      break;
   }
   return true;
}

static bool
run_queue(struct sim_func *f)
{
   struct sim_command_queue *q = &f->gpu->queue;
   while (q->head < q->tail) {
      const uint32_t *command = q->words + q->head;
      char error[300];
      if (!sim_frontend_check(f->gpu->frontend, command, q->tail - q->head, error, sizeof(error)))
         return fail(f, error);
      uint32_t words = ATTILA_CMD_WORDS(command[0]);
      if (!execute(f, ATTILA_CMD_OP(command[0]), command + 1, words))
         return false;
      q->head += 1 + words;
   }
   return true;
}

bool
sim_func_run(struct sim_func *f)
{
   const sim_fp_state fp = sim_fp_enter();
   bool ok = run_queue(f);
   sim_fp_leave(fp);
   return ok;
}
