/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture Unit (ISPASS 2006 section 3): request queue, address calculation, texture cache, filter.
 * A request is a thread's texture operation for up to four quads; its work is a list of bilinear
 * operations, quad by quad, each at most 4 x 4 texels. One of them starts address calculation, one
 * looks up its lines and one is filtered per cycle, all in order. Texels are copied out of the
 * cache lines and the emulator filters that copy, so the picture depends on what the cache really
 * holds. One cache level; compressed textures are kept compressed and decoded while filtering at no
 * extra time.
 */
#include <stdlib.h>
#include "box/shader/shader_unit.h"
#include "box/texture/tu_cache.h"
#include "box/sim_gpu.h"

/* clang-format off */
#define TU_STATS(S)                                                                             \
   S(requests, "TextureRequests", REQUESTS, "texture operations of thread groups accepted")     \
   S(results, "TextureResults", REQUESTS, "texture operations answered")                        \
   S(bilinears, "BilinearSamples", SAMPLES, "bilinear operations of single inputs")             \
   S(point_sampled, "PointSampled", FRAGMENTS, "inputs sampled without bilinear filtering")     \
   S(magnified, "MagnifiedPixels", FRAGMENTS, "inputs that used the magnification filter")      \
   S(aniso_ratio, "AnisotropyRatio", COUNT, "sum over quads of the anisotropic samples taken")  \
   S(address_busy, "AddressALUBusyCycles", CYCLES,                                              \
      "cycles in which address calculation started for a quad")                                 \
   S(address_finished, "AddressCalculationFinished", QUADS,                                     \
      "bilinear operations of quads with addresses")                                            \
   S(fetches_ok, "FetchesOK", QUADS,                                                            \
      "bilinear operations whose lines were all found or requested")                            \
   S(fetches_failed, "FetchesFailed", CYCLES, "cycles in which a look-up could not finish")     \
   S(fetches_skipped, "FetchesSkiped", QUADS, "bilinear operations that read no texel")         \
   S(stall_address, "FetchStallAddress", CYCLES, "look-up waited for address calculation")      \
   S(stall_fetch, "FetchStallFetch", CYCLES,                                                    \
      "look-up waited for a line, a request slot or the memory controller")                     \
   S(stall_wait, "FetchStallWaitRead", CYCLES, "filter waited for memory")                      \
   S(hits, "HitsFetch_FC", COUNT, "line look-ups that hit (also lines on their way)")           \
   S(misses, "MissesFetch_FC", COUNT, "line look-ups that missed")                              \
   S(reads_ok, "ReadsOK", QUADS, "bilinear operations read from the cache and filtered")        \
   S(filter_busy, "FilterALUBusyCycles", CYCLES, "cycles in which the filter took a quad")      \
   S(memory_requests, "MemoryRequests", TRANSACTIONS, "lines requested from memory")            \
   S(read_transactions, "ReadTransactions", TRANSACTIONS, "lines received from memory")         \
   S(read_bytes, "ReadBytesMemory", BYTES, "read from memory")                                  \
   S(memory_latency, "MemoryRequestLatency", CYCLES, "sum over lines from request to data")     \
   S(result_latency, "TextureResultLatency", CYCLES,                                            \
      "sum over requests from acceptance to answer")                                            \
   S(pending_requests, "PendingMemoryRequests", COUNT, "sum over cycles of lines on their way") \
   S(access_occupation, "AccessQueueOccupation", COUNT,                                         \
      "sum over cycles of bilinear operations in flight")                                       \
   S(result_occupation, "ResultQueueOccupation", COUNT,                                         \
      "sum over cycles of results waiting to leave")
/* clang-format on */
SIM_STATS_DECLARE(tu, TU_STATS)

#define OP_LINES 16 /* 4 taps of 4 lanes, each in its own line */
#define NO_STEP 255
#define RESULTS 64 /* ring */
#define TEXEL_BYTES (EMUL_TEX_MAX_STEPS * EMUL_TEX_TAPS * EMUL_LANES * 16)

/* A request between address calculation and filter. */
struct tu_task {
   struct shf_thread *thread;
   const struct emul_tex_state *state;
   struct emul_tex_plan *plan;
   sim_tick accepted;
   uint16_t slot;
};

/* One bilinear operation of a quad. */
struct tu_op {
   uint32_t task;           /* in tasks */
   sim_tick ready;          /* addresses are known */
   uint8_t quad, step;      /* step NO_STEP: nothing to read */
   bool last;               /* of its task */
   bool fetched;            /* all lines looked up */
   uint8_t num_lines;       /* distinct lines, 0xff: not counted yet */
   uint8_t found, released; /* of them, in order */
   uint32_t line_address[OP_LINES];
   uint32_t line[OP_LINES];            /* in the cache, for those found */
   uint8_t tap_line[EMUL_TEX_TAPS][4]; /* [tap][lane]: index above, 0xff: reads nothing */
};

struct tu_result {
   struct shf_thread *thread;
   sim_tick ready, accepted;
   uint16_t slot;
};

struct tu {
   struct sim_box box;
   struct tu_stats *stat; /* [slot] */
   struct tu_cache cache;
   /* Bilinear operations in flight: [head, fetch) wait for texels, [fetch, tail) for addresses and
    * look-up. */
   struct tu_op *ops;
   uint32_t capacity;
   uint64_t head, fetch, tail; /* free running; entry = value % capacity */
   /* Requests in flight, in order. */
   struct tu_task *tasks;
   uint32_t task_capacity;
   uint64_t task_head, task_tail;
   struct emul_tex_plan **free_plans; /* stack, so that few are touched */
   struct emul_tex_plan *plans;
   uint32_t num_free;
   /* The youngest task while its operations are being made. */
   bool making;
   uint8_t quad, step;
   struct tu_result results[RESULTS];
   uint32_t result_head, result_tail;
   uint32_t pending; /* lines on their way */
   bool stuck;       /* look-up found a set full of pinned lines */
   enum { STALL_NONE, STALL_ADDRESS, STALL_FETCH } stall;
   bool wait_read;
   uint16_t stall_slot, wait_slot;
   uint8_t texels[TEXEL_BYTES] __attribute__((aligned(64)));
};

static void
tu_init(struct sim_box *b)
{
   struct tu *t = (struct tu *)b;
   const struct sim_config *c = &b->gpu->config;
   tu_cache_init(&t->cache, c->shader.tex_sets, c->shader.tex_ways, c->shader.tex_line_size);
   t->capacity = c->shader.tex_access_queue;
   t->task_capacity = t->capacity + 1;
   t->ops = calloc(t->capacity, sizeof(*t->ops));
   t->tasks = calloc(t->task_capacity, sizeof(*t->tasks));
   t->free_plans = calloc(t->task_capacity, sizeof(*t->free_plans));
   /* Host memory that is never touched but for the steps in use. */
   t->plans = aligned_alloc(64, t->task_capacity * sizeof(*t->plans));
   if (!t->ops || !t->tasks || !t->free_plans || !t->plans)
      abort(); /* host memory exhausted, as sim_pool_grow */
   for (uint32_t i = 0; i < t->task_capacity; i++)
      t->free_plans[t->num_free++] = &t->plans[i];
}

static void
tu_fini(struct sim_box *b)
{
   struct tu *t = (struct tu *)b;
   tu_cache_fini(&t->cache);
   free(t->ops);
   free(t->tasks);
   free(t->free_plans);
   free(t->plans);
}

/* --- Address calculation --- */

static void
count_request(struct tu *t, const struct tu_task *task, const struct emul_tex_request *req)
{
   struct tu_stats *s = &t->stat[task->slot];
   const struct emul_tex_plan *plan = task->plan;
   s->requests++;
   s->magnified += sim_count_bits(plan->magnified);
   if (plan->num_steps && !plan->linear)
      s->point_sampled += sim_count_bits(req->mask);
   for (unsigned i = 0; i < plan->num_steps; i++)
      s->bilinears += sim_count_bits(plan->steps[i].mask);
   for (unsigned q = 0; q < EMUL_LANES / 4; q++)
      s->aniso_ratio += plan->aniso_ratio[q];
}

/* Takes the next request and plans it. */
static bool
accept_request(struct tu *t, sim_tick now)
{
   struct sim_signal *in = &t->box.gpu->net.shdx_tu[t->box.instance];
   struct msg_tex *msg = sim_peek(in, now);
   if (!msg || !t->num_free)
      return false;
   struct tu_task *task = &t->tasks[t->task_tail++ % t->task_capacity];
   const struct emul_tex_request *req = &msg->thread->emul.tex;
   task->thread = msg->thread;
   task->slot = msg->slot;
   task->accepted = now;
   task->state = &msg->thread->group->draw->state.tex[req->unit % ATTILA_MAX_TEX_UNITS];
   task->plan = t->free_plans[--t->num_free];
   emul_tex_plan(task->state, req, task->plan);
   count_request(t, task, req);
   sim_pop(in, now);
   t->making = true;
   t->quad = t->step = 0;
   return true;
}

/* Moves (quad, step) to the next bilinear operation at or after it; false: there is none. */
static bool
next_operation(const struct emul_tex_plan *plan, uint8_t *quad, uint8_t *step)
{
   for (; *quad < EMUL_LANES / 4; (*quad)++, *step = 0) {
      if (!plan->quad_steps[*quad])
         continue;
      for (; *step < plan->num_steps; (*step)++) {
         if (plan->steps[*step].mask >> *quad * 4 & 15)
            return true;
      }
   }
   return false;
}

/* One bilinear operation of the youngest request enters address calculation. */
static bool
address_stage(struct tu *t, sim_tick now)
{
   if (t->tail - t->head >= t->capacity)
      return false;
   if (!t->making && !accept_request(t, now))
      return false;
   uint32_t index = (uint32_t)((t->task_tail - 1) % t->task_capacity);
   const struct tu_task *task = &t->tasks[index];
   struct tu_op *op = &t->ops[t->tail++ % t->capacity];
   op->task = index;
   op->ready = now + t->box.gpu->config.shader.address_latency * t->box.period;
   op->num_lines = 0xff;
   op->found = op->released = 0;
   op->fetched = false;
   op->step = NO_STEP;
   if (next_operation(task->plan, &t->quad, &t->step)) {
      op->quad = t->quad;
      op->step = t->step++;
   }
   op->last = !next_operation(task->plan, &t->quad, &t->step);
   t->making = !op->last;
   t->stat[task->slot].address_busy++;
   sim_busy(&t->box, task->slot);
   return true;
}

/* --- Look-up --- */

/* Finds the distinct lines of an operation. */
static void
collect_lines(struct tu *t, struct tu_op *op)
{
   op->num_lines = 0;
   if (op->step == NO_STEP)
      return;
   const struct emul_tex_step *step = &t->tasks[op->task].plan->steps[op->step];
   uint32_t mask = ~(t->cache.line_size - 1);
   for (unsigned tap = 0; tap < EMUL_TEX_TAPS; tap++) {
      for (unsigned i = 0; i < 4; i++) {
         uint32_t address = step->address[tap][op->quad * 4 + i], line = address & mask;
         unsigned k = 0;
         if (address >= EMUL_TEX_NO_ADDRESS) {
            op->tap_line[tap][i] = 0xff;
            continue;
         }
         while (k < op->num_lines && op->line_address[k] != line)
            k++;
         if (k == op->num_lines)
            op->line_address[op->num_lines++] = line;
         op->tap_line[tap][i] = (uint8_t)k;
      }
   }
}

/* Requests a missing line. False: not now. */
static bool
request_line(struct tu *t, uint32_t address, uint16_t slot, sim_tick now, uint32_t *line)
{
   struct sim_signal *out = &t->box.gpu->net.tu_mc[t->box.instance];
   if (t->pending >= t->box.gpu->config.shader.tex_requests || !sim_can_send(out, now))
      return false;
   *line = tu_cache_allocate(&t->cache, address);
   if (*line == TU_NO_LINE) {
      t->stuck = true;
      return false;
   }
   struct tu_line *l = &t->cache.lines[*line];
   struct sim_device *d = t->box.gpu->device;
   uint32_t wire = sim_blocks_wire_bytes(&d->blocks, address, t->cache.line_size);
   l->slot = slot;
   t->stat[slot].misses++;
   if (wire == 0) { /* clear */
      memcpy(l->data, d->memory + address, t->cache.line_size);
      l->state = TU_LINE_VALID;
      return true;
   }
   struct msg_mem_request request = {.data = l->data,
                                     .address = address,
                                     .size = (uint16_t)t->cache.line_size,
                                     .wire_bytes = (uint16_t)wire,
                                     .slot = slot,
                                     .cookie = (now << 24 | *line)};
   sim_send(out, now, &request);
   t->pending++;
   t->stat[slot].memory_requests++;
   t->stat[slot].read_bytes += wire;
   return true;
}

/* Looks up the lines of the next operation. */
static bool
fetch_stage(struct tu *t, sim_tick now)
{
   if (t->fetch == t->tail)
      return false;
   struct tu_op *op = &t->ops[t->fetch % t->capacity];
   uint16_t slot = t->tasks[op->task].slot;
   t->stall_slot = slot;
   if (op->ready > now) {
      t->stall = STALL_ADDRESS;
      return false;
   }
   struct tu_stats *s = &t->stat[slot];
   bool progress = false;
   if (op->num_lines == 0xff) {
      collect_lines(t, op);
      sim_busy(&t->box, slot);
      s->address_finished++;
      s->fetches_skipped += op->num_lines == 0;
      progress = true;
   }
   for (; op->found < op->num_lines; op->found++) {
      uint32_t line = tu_cache_find(&t->cache, op->line_address[op->found]);
      if (line != TU_NO_LINE) {
         s->hits++;
      } else if (!request_line(t, op->line_address[op->found], slot, now, &line)) {
         t->stall = STALL_FETCH;
         return progress;
      }
      t->cache.lines[line].pins++;
      op->line[op->found] = line;
      sim_busy(&t->box, slot);
      progress = true;
   }
   op->fetched = true;
   sim_busy(&t->box, slot);
   t->fetch++;
   s->fetches_ok++;
   return true;
}

/* --- Read and filter --- */

/* Copies the texels of an operation that are in its lines first .. end - 1, points the plan at the
 * copy and lets go of the lines. */
static void
read_lines(struct tu *t, struct tu_op *op, unsigned first, unsigned end)
{
   struct tu_task *task = &t->tasks[op->task];
   struct emul_tex_step *step = &task->plan->steps[op->step];
   unsigned bytes = task->plan->element_bytes;
   for (unsigned tap = 0; tap < EMUL_TEX_TAPS; tap++) {
      for (unsigned i = 0; i < 4; i++) {
         unsigned k = op->tap_line[tap][i], lane = op->quad * 4u + i;
         if (k < first || k >= end)
            continue;
         uint32_t in_line = step->address[tap][lane] & (t->cache.line_size - 1);
         uint32_t offset = ((op->step * EMUL_TEX_TAPS + tap) * EMUL_LANES + lane) * 16;
         const uint8_t *src = t->cache.lines[op->line[k]].data + in_line;
         if (bytes == 4)
            memcpy(t->texels + offset, src, 4);
         else
            memcpy(t->texels + offset, src, bytes);
         step->address[tap][lane] = offset;
      }
   }
   for (unsigned k = first; k < end; k++)
      tu_cache_unpin(&t->cache, op->line[k]);
}

static void
finish_task(struct tu *t, struct tu_task *task, sim_tick now)
{
   struct emul_vec4 result;
   emul_tex_filter(task->state, &task->thread->emul.tex, task->plan, t->texels, &result);
   emul_thread_texture_result(&task->thread->emul, &result);
   t->results[t->result_tail++ % RESULTS] = (struct tu_result){
       task->thread, now + t->box.gpu->config.shader.filter_latency * t->box.period, task->accepted,
       task->slot};
   t->free_plans[t->num_free++] = task->plan;
   t->task_head++;
}

/* The oldest operation is read and filtered when all its lines are there. */
static bool
read_stage(struct tu *t, sim_tick now)
{
   if (t->head == t->tail)
      return false;
   struct tu_op *op = &t->ops[t->head % t->capacity];
   struct tu_task *task = &t->tasks[op->task];
   if (!op->fetched && !t->stuck)
      return false;
   unsigned there = op->released;
   while (there < op->found && t->cache.lines[op->line[there]].state == TU_LINE_VALID)
      there++;
   if (!op->fetched) {
      /* Its own lines fill the set it needs more of: read what is there and let go of it. */
      if (there == op->released)
         return false;
      read_lines(t, op, op->released, there);
      op->released = (uint8_t)there;
      t->stuck = false;
      sim_busy(&t->box, task->slot);
      return true;
   }
   if (there < op->num_lines || (op->last && t->result_tail - t->result_head >= RESULTS)) {
      t->wait_read = there < op->num_lines;
      t->wait_slot = task->slot;
      return false;
   }
   if (op->step != NO_STEP)
      read_lines(t, op, op->released, op->num_lines);
   t->stuck = false;
   sim_busy(&t->box, task->slot);
   t->stat[task->slot].reads_ok++;
   t->stat[task->slot].filter_busy++;
   if (op->last)
      finish_task(t, task, now);
   t->head++;
   return true;
}

/* --- Input and output --- */

static bool
take_responses(struct tu *t, sim_tick now)
{
   struct sim_signal *in = &t->box.gpu->net.mc_tu[t->box.instance];
   struct msg_mem_response *r;
   bool progress = false;
   while ((r = sim_peek(in, now))) {
      uint32_t line = r->cookie & 0xffffff;
      sim_tick sent = r->cookie >> 24;
      struct tu_stats *s = &t->stat[t->cache.lines[line].slot];
      t->cache.lines[line].state = TU_LINE_VALID;
      t->pending--;
      s->read_transactions++;
      s->memory_latency += (now - sent) / t->box.period;
      sim_pop(in, now);
      progress = true;
   }
   return progress;
}

static bool
send_result(struct tu *t, sim_tick now)
{
   struct sim_signal *out = &t->box.gpu->net.tu_shf[t->box.instance];
   struct tu_result *r = &t->results[t->result_head % RESULTS];
   if (t->result_head == t->result_tail || r->ready > now || !sim_can_send(out, now))
      return false;
   struct msg_tex msg = {r->thread, r->slot};
   sim_send(out, now, &msg);
   t->stat[r->slot].results++;
   sim_busy(&t->box, r->slot);
   t->stat[r->slot].result_latency += (now - r->accepted) / t->box.period;
   t->result_head++;
   return true;
}

/* Charges the cycles since the last clock to what was waiting then. */
static void
count_waiting(struct sim_box *b, sim_tick now)
{
   struct tu *t = (struct tu *)b;
   uint64_t cycles = sim_waited(&t->box, now);
   if (t->head != t->tail) {
      struct tu_stats *s = &t->stat[t->tasks[t->ops[t->head % t->capacity].task].slot];
      s->access_occupation += cycles * (t->tail - t->head);
      s->pending_requests += cycles * t->pending;
   }
   if (t->result_head != t->result_tail)
      t->stat[t->results[t->result_head % RESULTS].slot].result_occupation +=
          cycles * (t->result_tail - t->result_head);
   if (t->stall == STALL_ADDRESS)
      t->stat[t->stall_slot].stall_address += cycles;
   if (t->stall == STALL_FETCH) {
      t->stat[t->stall_slot].stall_fetch += cycles;
      t->stat[t->stall_slot].fetches_failed += cycles;
   }
   if (t->wait_read)
      t->stat[t->wait_slot].stall_wait += cycles;
}

/* Says what the next cycles are when nothing moves: addresses are being calculated, a result is
 * being filtered, or the oldest request waits. Returns when a pipeline delivers. */
static sim_tick
pipelines(struct tu *t, sim_tick now)
{
   const struct tu_result *r = &t->results[t->result_head % RESULTS];
   sim_tick wake = SIM_NEVER;
   if (t->task_head != t->task_tail)
      sim_blocked(&t->box, t->tasks[t->task_head % t->task_capacity].slot);
   if (t->result_head != t->result_tail) {
      sim_blocked(&t->box, r->slot);
      if (r->ready > now) {
         sim_busy_until(&t->box, r->slot, r->ready);
         wake = r->ready;
      }
   }
   if (t->fetch != t->tail) {
      const struct tu_op *op = &t->ops[t->fetch % t->capacity];
      if (op->ready > now) {
         sim_busy_until(&t->box, t->tasks[op->task].slot, op->ready);
         wake = op->ready < wake ? op->ready : wake;
      }
   }
   return wake;
}

static sim_tick
tu_clock(struct sim_box *b, sim_tick now)
{
   struct tu *t = (struct tu *)b;
   struct sim_signal *from_cp = &b->gpu->net.cp_tu[b->instance];
   const struct msg_rop *forget;
   count_waiting(b, now);
   t->stall = STALL_NONE;
   t->wait_read = false;
   bool progress = take_responses(t, now);
   if ((forget = sim_peek(from_cp, now))) {
      tu_cache_forget(&t->cache, forget->start, forget->end);
      sim_pop(from_cp, now);
      progress = true;
   }
   progress |= send_result(t, now);
   progress |= read_stage(t, now);
   progress |= fetch_stage(t, now);
   progress |= address_stage(t, now);
   sim_tick wake = pipelines(t, now);
   return progress ? now + b->period : wake;
}

static void
tu_dump(const struct sim_box *b, FILE *f)
{
   const struct tu *t = (const struct tu *)b;
   fprintf(f,
           "  %u requests, %u bilinear operations (%u wait for look-up), %u lines on their way, %u "
           "results\n",
           (unsigned)(t->task_tail - t->task_head), (unsigned)(t->tail - t->head),
           (unsigned)(t->tail - t->fetch), t->pending, t->result_tail - t->result_head);
   if (t->head != t->tail) {
      const struct tu_op *op = &t->ops[t->head % t->capacity];
      fprintf(f, "  oldest: quad %u step %u of slot %u, %u of %u lines found%s\n", op->quad,
              op->step, t->tasks[op->task].slot, op->found, op->num_lines,
              t->stuck ? ", its set is full of pinned lines" : "");
   }
}

const struct sim_box_class tu_class = {
    .name = "TextureUnit",
    .unit = "TU-FS#TU0",
    .doc = "Texture addresses, cache and filter of one shader (ISPASS 2006 section 3, Table 2)",
    .size = sizeof(struct tu),
    .domain = SIM_DOMAIN_SHADER,
    .init = tu_init,
    .clock = tu_clock,
    .settle = count_waiting,
    .dump = tu_dump,
    .fini = tu_fini,
    SIM_STATS_CLASS(tu),
};
