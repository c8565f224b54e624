/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture Unit, last part: reads the ready queue's texels from the cache, one bilinear operation
 * per cycle, filters them, and sends results to the shaders, one quad per cycle. A read takes one
 * word of a bank, TU_BANK_PORTS per bank and cycle, and keeps its port longer if a texel is wider
 * than TextureCachePortWidth; equal words are read once. As the filter pipeline depends on nothing
 * else, a quad's times are known once it is read. The emulator does the arithmetic for a whole
 * thread at its last texel. */
#include "box/texture/tu.h"

/* Returns a texel's place in the task's store. A compressed block is stored once per operation. */
static uint32_t
tu_filter_place_texel(struct tu_task *task, const uint8_t *src, const uint8_t **seen,
                      uint32_t *seen_at, unsigned *num_seen)
{
   unsigned bytes = task->plan->element_bytes;
   if (task->space) {
      for (unsigned i = 0; i < *num_seen; i++) {
         if (seen[i] == src)
            return seen_at[i];
      }
      seen[*num_seen] = src;
      seen_at[(*num_seen)++] = task->texels_used;
   }
   uint32_t at = task->texels_used;
   memcpy(task->texels + at, src, bytes);
   task->texels_used += bytes;
   return at;
}

/* Copies an operation's texels to the plan's taps. */
static void
tu_filter_place_texels(struct tu *t, struct tu_task *task, unsigned quad, const struct tu_op *op,
                       uint16_t texels, uint16_t lines)
{
   const struct emul_tex_step *step = &task->plan->steps[op->step];
   const struct tu_tags *tags = &t->cache.tags;
   uint32_t *placed = (uint32_t *)task->texels + op->step * EMUL_TEX_TAPS * EMUL_LANES;
   for (unsigned bits = texels; bits; bits &= bits - 1) {
      unsigned texel = (unsigned)__builtin_ctz(bits), line = op->line_of[texel];
      if (!(lines >> line & 1))
         continue;
      unsigned tap = texel & 3, lane = quad * 4 + texel / 4;
      uint32_t in_line = step->address[tap][lane] & (tags->line_size - 1);
      memcpy(&placed[tap * EMUL_LANES + lane],
             tags->data + (size_t)op->line[line].at * tags->line_size + in_line, 4);
   }
}

/* Does the same when all texels are present. */
static void
tu_filter_place_all(struct tu *t, struct tu_task *task, unsigned quad, const struct tu_op *op,
                    unsigned taps)
{
   const struct emul_tex_step *step = &task->plan->steps[op->step];
   const struct tu_tags *tags = &t->cache.tags;
   const uint32_t in_line = tags->line_size - 1;
   uint32_t *placed = (uint32_t *)task->texels + op->step * EMUL_TEX_TAPS * EMUL_LANES + quad * 4;
   const uint8_t *line[TU_TEXELS], *line_of = op->line_of;
   for (unsigned i = 0; i < op->num_lines; i++)
      line[i] = tags->data + (size_t)op->line[i].at * tags->line_size;
   for (unsigned tap = 0; tap < taps; tap++, placed += EMUL_LANES, line_of++) {
      const uint32_t *address = &step->address[tap][quad * 4];
#pragma GCC unroll 4
      for (unsigned lane = 0; lane < 4; lane++)
         memcpy(&placed[lane], line[line_of[lane * 4]] + (address[lane] & in_line), 4);
   }
}

/* Copies an operation's texels in these lines (both as bits) one after another, and points the plan
 * at the copy. */
static void
tu_filter_copy_texels(struct tu *t, struct tu_task *task, unsigned quad, const struct tu_op *op,
                      uint16_t texels, uint16_t lines)
{
   struct emul_tex_step *step = &task->plan->steps[op->step];
   uint32_t in_line = (t->cache.tags.line_size >> task->space) - 1;
   const uint8_t *seen[TU_TEXELS];
   uint32_t seen_at[TU_TEXELS];
   unsigned num_seen = 0;
   for (unsigned bits = texels; bits; bits &= bits - 1) {
      unsigned texel = (unsigned)__builtin_ctz(bits), line = op->line_of[texel];
      if (!(lines >> line & 1))
         continue;
      uint32_t *address = &step->address[texel & 3][quad * 4 + texel / 4];
      const uint8_t *src = t->cache.tags.lines[op->line[line].at].data + (*address & in_line);
      *address = tu_filter_place_texel(task, src, seen, seen_at, &num_seen);
   }
}

/* Reads an operation's texels in these lines (both as bits). */
static void
tu_filter_read_texels(struct tu *t, struct tu_task *task, unsigned quad, const struct tu_op *op,
                      uint16_t texels, uint16_t lines)
{
   if (!task->placed)
      tu_filter_copy_texels(t, task, quad, op, texels, lines);
   else if (lines == 0xffff && (texels == 0xffff || texels == 0x1111))
      tu_filter_place_all(t, task, quad, op, texels == 0xffff ? EMUL_TEX_TAPS : 1);
   else
      tu_filter_place_texels(t, task, quad, op, texels, lines);
}

/* Tries the look-up again that fails since all lines of a set are pinned. */
static void
tu_filter_wake_look_up(struct tu *t)
{
   if (t->fail.pinned)
      t->repeats = false;
}

static void
tu_filter_let_go(struct tu *t, struct tu_op *op, unsigned line, uint16_t work_id)
{
   t->cache.tags.pins[op->line[line].at]--;
   replace_use(&t->cache.tags.replace, op->line[line].at);
   t->stat[work_id].unpins += op->texels_of[line];
   tu_filter_wake_look_up(t);
}

/* Does the same for all lines of an operation that has let go none. */
static void
tu_filter_let_go_all(struct tu *t, const struct tu_op *op, uint16_t work_id)
{
   struct tu_tags *tags = &t->cache.tags;
   for (unsigned line = 0; line < op->num_lines; line++) {
      tags->pins[op->line[line].at]--;
      replace_use(&tags->replace, op->line[line].at);
   }
   t->stat[work_id].unpins += op->num_texels;
   tu_filter_wake_look_up(t);
}

static void
tu_filter_count_reads(struct tu *t, const struct tu_task *task, unsigned num)
{
   struct tu_stats *s = &t->stat[task->work_id];
   s->reads_ok += num;
   s->cache_reads += num;
   s->cache_read_bytes += num << (task->texel_shift < 2 ? 2 : task->texel_shift);
}

bool
tu_read_early(struct tu *t, struct tu_element *e)
{
   const struct tu_access *a = &t->accesses[e->access];
   struct tu_task *task = &t->tasks[a->task];
   bool progress = false;
   for (unsigned i = 0; i <= e->at; i++) {
      struct tu_op *op = &e->op[i];
      uint16_t lines = 0;
      for (unsigned line = 0; line < op->num_lines; line++) {
         if ((op->found & ~op->let_go) >> line & 1 && t->cache.tags.lines[op->line[line].at].valid)
            lines |= (uint16_t)(1u << line);
      }
      if (!lines)
         continue;
      tu_filter_read_texels(t, task, a->quad, op, op->present, lines);
      for (unsigned line = 0; line < op->num_lines; line++) {
         if (lines >> line & 1) {
            tu_filter_count_reads(t, task, op->texels_of[line]);
            tu_filter_let_go(t, op, line, task->work_id);
         }
      }
      op->let_go |= lines;
      progress = true;
   }
   return progress;
}

/* Returns bits of an operation's remaining texels that the ports deliver in this cycle. */
static uint16_t
tu_filter_texels_in_reach(struct tu *t, const struct tu_task *task, unsigned quad,
                          const struct tu_op *op, sim_tick now)
{
   const struct emul_tex_step *step = &task->plan->steps[op->step];
   struct tu_stats *s = &t->stat[task->work_id];
   uint32_t word[TU_BANKS][TU_BANK_PORTS];
   uint8_t asked[TU_BANKS] = {0}, given[TU_BANKS] = {0};
   uint16_t reach = 0;
   for (unsigned bits = op->left; bits; bits &= bits - 1) {
      unsigned texel = (unsigned)__builtin_ctz(bits), i = 0;
      uint32_t w = tu_texel_word(task, step, quad * 4 + texel / 4, texel % 4);
      unsigned bank = w & (TU_BANKS - 1);
      while (i < given[bank] && word[bank][i] != w)
         i++;
      if (i == given[bank]) {
         if (asked[bank] == TU_BANK_PORTS) {
            s->read_conflicts++;
            continue;
         }
         sim_tick *busy = &t->port_busy[bank][asked[bank]++];
         if (*busy > now)
            continue;
         *busy = now + t->port_cycles[task->texel_shift] * t->box.period;
         t->ports_busy = *busy > t->ports_busy ? *busy : t->ports_busy;
         word[bank][given[bank]++] = w;
      }
      reach |= (uint16_t)(1u << texel);
   }
   return reach;
}

/* Reads what it can of an operation; returns whether that was all. */
static bool
tu_filter_read_operation(struct tu *t, struct tu_task *task, unsigned quad, struct tu_op *op,
                         sim_tick now)
{
   uint16_t reach = op->left;
   unsigned num = op->num_left;
   if (!op->regular || t->port_cycles[task->texel_shift] > 1 || t->ports_busy > now) {
      reach = tu_filter_texels_in_reach(t, task, quad, op, now);
      num = 0;
      for (unsigned bits = reach; bits; bits &= bits - 1)
         num++;
   }
   tu_filter_read_texels(t, task, quad, op, reach, (uint16_t)~op->let_go);
   tu_filter_count_reads(t, task, num);
   op->left &= (uint16_t)~reach;
   op->num_left -= (uint8_t)num;
   t->stat[task->work_id].reads_failed += op->num_left;
   if (op->num_left)
      return false;
   if (!op->let_go)
      tu_filter_let_go_all(t, op, task->work_id);
   else
      for (unsigned line = 0; line < op->num_lines; line++) {
         if (!(op->let_go >> line & 1))
            tu_filter_let_go(t, op, line, task->work_id);
      }
   return true;
}

/* Sends an element that has been read through the filter. */
static void
tu_filter_start_filter(struct tu *t, uint32_t element, sim_tick now)
{
   const struct tu_element *e = &t->elements[element];
   struct tu_access *a = &t->accesses[e->access];
   struct tu_task *task = &t->tasks[a->task];
   sim_tick period = t->box.period, start = now + period;
   unsigned cycles = e->num_ops ? e->num_ops : 1;
   start = t->filter_free > start ? t->filter_free : start;
   t->filter_free = start + cycles * period;
   t->filtering[t->filter_tail++ & t->filter_mask] = (struct tu_filtering){
       .done = t->filter_free + (t->box.gpu->config.shader.filter_latency + 1) * period,
       .access = ++a->read == a->elements ? e->access : TU_NO_LINE,
       .work_id = task->work_id};
   t->stat[task->work_id].filter_busy += cycles;
   t->free_elements.id[t->free_elements.num++] = element;
   if (a->read != a->elements || --task->quads_unread)
      return;
   struct emul_vec4 result;
   emul_tex_filter(task->state, &task->thread->emul.tex, task->plan, task->texels, &result);
   emul_thread_result(&task->thread->emul, &result);
}

/* Marks an operation's texels as unread, except those read early. */
static void
tu_filter_start_operation(struct tu_op *op)
{
   op->reading = true;
   op->left = op->present;
   op->num_left = op->num_texels;
   for (unsigned texel = 0; op->let_go && texel < TU_TEXELS; texel++) {
      if (op->left >> texel & 1 && op->let_go >> op->line_of[texel] & 1) {
         op->left &= (uint16_t) ~(1u << texel);
         op->num_left--;
      }
   }
}

/* Prefetches, for the host, what reading needs of the next elements, which were looked up long
 * ago. */
static void
tu_filter_prefetch(const struct tu *t)
{
   const uint32_t num = tu_queue_length(&t->ready), *id = t->ready.id;
   if (num > 1) {
      const struct tu_element *e = &t->elements[id[(t->ready.head + 1) & t->ready.mask]];
      __builtin_prefetch(e);
      __builtin_prefetch((const uint8_t *)e + 64);
   }
   if (!num)
      return;
   const struct tu_element *e = &t->elements[tu_queue_first(&t->ready)];
   const struct tu_access *a = &t->accesses[e->access];
   const struct tu_op *op = &e->op[0];
   if (!e->num_ops)
      return;
   const struct tu_task *task = &t->tasks[a->task];
   __builtin_prefetch(&task->plan->steps[op->step].address[0][a->quad * 4]);
   if (task->placed)
      __builtin_prefetch(task->texels + op->step * EMUL_TEX_TAPS * EMUL_LANES * 4 + a->quad * 16);
   if (op->num_lines)
      __builtin_prefetch(t->cache.tags.data + (size_t)op->line[0].at * t->cache.tags.line_size);
}

bool
tu_read_clock(struct tu *t, sim_tick now)
{
   if (!tu_queue_length(&t->ready) || t->filter_tail - t->filter_head >= t->access_queue)
      return false;
   uint32_t element = tu_queue_first(&t->ready);
   struct tu_element *e = &t->elements[element];
   const struct tu_access *a = &t->accesses[e->access];
   struct tu_task *task = &t->tasks[a->task];
   sim_busy(&t->box, e->work_id);
   if (e->at < e->num_ops) {
      struct tu_op *op = &e->op[e->at];
      if (!op->reading)
         tu_filter_start_operation(op);
      if (!tu_filter_read_operation(t, task, a->quad, op, now))
         return true;
      e->at++;
   }
   if (e->at == e->num_ops) {
      t->ready.head++;
      tu_filter_prefetch(t);
      tu_filter_start_filter(t, element, now);
   }
   return true;
}

/* Sends the oldest result; a thread goes on when it gets its last one. */
static bool
tu_filter_send_result(struct tu *t, sim_tick now)
{
   if (t->result_head == t->result_tail)
      return false;
   const struct tu_result *r = &t->results[t->result_head & t->result_mask];
   struct tu_task *task = &t->tasks[r->task];
   struct tu_stats *s = &t->stat[task->work_id];
   struct sim_signal *out = &t->box.gpu->net.tu_shf[task->link];
   if (task->quads_left == 1 && !sim_can_send(out, now))
      return false;
   s->results++;
   s->result_latency += t->box.period == 1 ? now - r->started : (now - r->started) / t->box.period;
   sim_busy(&t->box, task->work_id);
   t->result_head++;
   if (--task->quads_left)
      return true;
   __builtin_prefetch(task->thread); /* what the shader needs next */
   __builtin_prefetch(&task->thread->group);
   struct msg_tex msg = {.thread = task->thread, .work_id = task->work_id};
   sim_send(out, now, &msg);
   t->free_tasks.id[t->free_tasks.num++] = r->task;
   return true;
}

bool
tu_filter_clock(struct tu *t, sim_tick now, sim_tick *wake)
{
   bool progress = tu_filter_send_result(t, now);
   if (t->filter_head == t->filter_tail)
      return progress;
   const struct tu_filtering *f = &t->filtering[t->filter_head & t->filter_mask];
   if (f->done > now) {
      *wake = f->done < *wake ? f->done : *wake;
      return progress;
   }
   if (f->access != TU_NO_LINE) {
      if (t->result_tail - t->result_head >= t->result_queue)
         return progress;
      const struct tu_access *a = &t->accesses[f->access];
      t->results[t->result_tail++ & t->result_mask] =
          (struct tu_result){.started = a->started, .task = a->task, .work_id = a->work_id};
      t->free_accesses.id[t->free_accesses.num++] = f->access;
   }
   sim_busy(&t->box, f->work_id);
   t->filter_head++;
   return true;
}
