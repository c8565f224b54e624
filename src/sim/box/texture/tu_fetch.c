/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture Unit, look-up: finds or requests the cache lines of a bilinear operation's texels, in one
 * cycle unless one tag bank needs more than TU_BANK_PORTS lines, more than
 * TextureCacheMissesPerCycle miss, or a line cannot be requested yet; the rest is retried. Texels
 * of one line share a look-up. Lines stay pinned until they are read. If the operation has pinned
 * all lines of a set and needs more, and nothing else will unpin any, those present are read
 * early. */
#include "box/texture/tu.h"

typedef uint32_t quad_u32 __attribute__((vector_size(16)));

/* Loads the addresses of a quad's taps. */
static inline quad_u32
tu_fetch_load_quad(const uint32_t *address)
{
   quad_u32 v;
   memcpy(&v, address, sizeof(v));
   return v;
}

uint32_t
tu_texel_word(const struct tu_task *task, const struct emul_tex_step *step, unsigned lane,
              unsigned tap)
{
   uint32_t address = step->address[tap][lane];
   if (!task->space)
      return address / TU_BANK_BYTES;
   unsigned in = step->inside[tap][lane], x = in & 3, y = in >> 2;
   unsigned morton = (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2;
   return (uint32_t)((((uint64_t)address << task->space) + (morton << task->texel_shift)) /
                     TU_BANK_BYTES);
}

/* Returns whether each lane's taps are in different banks or in one word, so that no bank gets more
 * requests than a lane has words. */
static bool
tu_fetch_banks_differ(const struct tu_task *task, const struct emul_tex_step *step, unsigned lane)
{
   quad_u32 word[EMUL_TEX_TAPS], bad = {0};
   for (unsigned tap = 0; tap < EMUL_TEX_TAPS; tap++) {
      if (task->space) {
         for (unsigned i = 0; i < 4; i++)
            word[tap][i] = tu_texel_word(task, step, lane + i, tap);
      } else {
         word[tap] = tu_fetch_load_quad(&step->address[tap][lane]) / TU_BANK_BYTES;
      }
   }
   for (unsigned a = 0; a < EMUL_TEX_TAPS; a++) {
      for (unsigned b = a + 1; b < EMUL_TEX_TAPS; b++) {
         quad_u32 differ = word[a] ^ word[b];
         bad |= (quad_u32)(differ != 0) & (quad_u32)((differ & (TU_BANKS - 1)) == 0);
      }
   }
   return !(bad[0] | bad[1] | bad[2] | bad[3]);
}

/* Returns whether the taps are 2x2 squares of 4-byte texels in Morton order, the usual case. */
static bool
tu_fetch_squares_of_words(const struct emul_tex_step *step, unsigned lane)
{
   quad_u32 first = tu_fetch_load_quad(&step->address[0][lane]) / TU_BANK_BYTES, bad = {0};
   for (unsigned tap = 1; tap < EMUL_TEX_TAPS; tap++)
      bad |= (first ^ tu_fetch_load_quad(&step->address[tap][lane]) / TU_BANK_BYTES ^ tap) &
             (TU_BANKS - 1);
   return !(bad[0] | bad[1] | bad[2] | bad[3]);
}

/* Returns whether these taps' texels are all read, from one line. */
static bool
tu_fetch_all_in_one_line(const struct emul_tex_step *step, unsigned lane, uint32_t shift,
                         unsigned taps)
{
   uint32_t first = step->address[0][lane];
   quad_u32 other = {0}, all = {first, first, first, first};
   if (first >= EMUL_TEX_NO_ADDRESS)
      return false;
   for (unsigned tap = 0; tap < taps; tap++)
      other |= tu_fetch_load_quad(&step->address[tap][lane]) ^ all;
   other >>= shift;
   return !(other[0] | other[1] | other[2] | other[3]);
}

static void
tu_fetch_set_one_line(struct tu_op *op, uint32_t key, unsigned taps)
{
   memset(op->line_of, 0, sizeof(op->line_of));
   op->texels_of[0] = op->num_texels = op->num_left = (uint8_t)(4 * taps);
   op->present = op->left = taps == 1 ? 0x1111 : 0xffff;
   op->num_lines = 1;
   op->line[0].key = key;
}

/* Finds the distinct lines of an operation. */
static void
tu_fetch_collect_lines(struct tu *t, const struct tu_task *task, unsigned quad, struct tu_op *op)
{
   const struct emul_tex_step *step = &task->plan->steps[op->step];
   uint32_t shift = t->cache.tags.line_shift - task->space, space = (uint32_t)task->space << 29;
   unsigned taps = task->plan->linear ? EMUL_TEX_TAPS : 1, n = 0, last = 0;
   op->found = op->let_go = 0;
   op->reading = false;
   /* Words wider than a bank take several; only lines that share a bank can conflict. */
   op->regular =
       task->texel_shift <= 2 && (taps == 1 || tu_fetch_squares_of_words(step, quad * 4) ||
                                  tu_fetch_banks_differ(task, step, quad * 4));
   if (tu_fetch_all_in_one_line(step, quad * 4, shift, taps)) {
      tu_fetch_set_one_line(op, step->address[0][quad * 4] >> shift | space, taps);
      return;
   }
   op->left = 0;
   op->num_texels = 0;
   for (unsigned lane = 0; lane < 4; lane++) {
      for (unsigned tap = 0; tap < taps; tap++) {
         uint32_t address = step->address[tap][quad * 4 + lane];
         unsigned texel = lane * 4 + tap;
         if (address >= EMUL_TEX_NO_ADDRESS)
            continue;
         uint32_t key = address >> shift | space;
         if (!n || op->line[last].key != key) {
            for (last = 0; last < n && op->line[last].key != key; last++)
               ;
            if (last == n) {
               op->texels_of[n] = 0;
               op->line[n++].key = key;
            }
         }
         op->line_of[texel] = (uint8_t)last;
         op->texels_of[last]++;
         op->left |= (uint16_t)(1u << texel);
         op->num_texels++;
      }
   }
   op->present = op->left;
   op->num_left = op->num_texels;
   op->num_lines = (uint8_t)n;
}

/* Makes the operations of a quad's next anisotropic sample. */
static uint32_t
tu_fetch_start_element(struct tu *t, uint32_t id)
{
   struct tu_access *a = &t->accesses[id];
   const struct tu_task *task = &t->tasks[a->task];
   const struct emul_tex_plan *plan = task->plan;
   uint32_t element = t->free_elements.id[--t->free_elements.num];
   struct tu_element *e = &t->elements[element];
   e->access = (uint16_t)id;
   e->work_id = a->work_id;
   e->missing = 0;
   e->num_ops = e->at = 0;
   e->waits = false;
   if (!plan->quad_steps[a->quad])
      return element;
   for (unsigned s = 0; s < plan->num_steps && e->num_ops < TU_ELEMENT_OPS; s++) {
      if (!(plan->steps[s].mask >> a->quad * 4 & 15) ||
          (a->elements > 1 && plan->steps[s].sample[a->quad] != a->fetched))
         continue;
      struct tu_op *op = &e->op[e->num_ops++];
      op->step = (uint8_t)s;
      tu_fetch_collect_lines(t, task, a->quad, op);
   }
   return element;
}

/* Returns bits of lines whose texels get a free port of their tag bank in this cycle. */
static uint16_t
tu_fetch_lines_in_reach(struct tu *t, const struct tu_task *task, unsigned quad,
                        const struct tu_op *op, uint16_t *texels)
{
   const struct emul_tex_step *step = &task->plan->steps[op->step];
   uint16_t reach = 0, in_bank[TU_BANKS] = {0};
   uint8_t ports[TU_BANKS] = {0};
   *texels = 0;
   for (unsigned texel = 0; texel < TU_TEXELS; texel++) {
      if (!(op->left >> texel & 1))
         continue;
      unsigned bank = tu_texel_word(task, step, quad * 4 + texel / 4, texel % 4) & (TU_BANKS - 1);
      uint16_t line = (uint16_t)(1u << op->line_of[texel]);
      if (!(in_bank[bank] & line)) {
         if (ports[bank] == TU_BANK_PORTS) {
            t->fail.conflict++;
            continue;
         }
         ports[bank]++;
         in_bank[bank] |= line;
      }
      reach |= line;
      *texels |= (uint16_t)(1u << texel);
   }
   return reach;
}

/* Returns the lane of a line's first texel: a miss belongs to its pixel or vertex. */
static unsigned
tu_fetch_missing_lane(const struct tu_op *op, unsigned line)
{
   unsigned texel = 0;
   while (!(op->present >> texel & 1) || op->line_of[texel] != line)
      texel++;
   return texel / 4;
}

static void
tu_fetch_trace_miss(const struct tu *t, const struct tu_access *a, const struct tu_op *op,
                    unsigned i, uint32_t line)
{
   const struct sim_group *g = t->tasks[a->task].thread->group;
   const void *who = g->kind == SIM_GROUP_QUADS
                         ? (const void *)g->quad[a->quad]
                         : g->vertex[a->quad * 4 + tu_fetch_missing_lane(op, i)];
   sim_trace_ask(t->box.kernel, who, t->cache.tags.lines[line].data);
}

/* Counts a miss of a draw with a map. */
static void
tu_fetch_map_miss(const struct tu *t, const struct tu_access *a, const struct tu_op *op,
                  unsigned line)
{
   const struct sim_group *g = t->tasks[a->task].thread->group;
   if (g->kind == SIM_GROUP_QUADS && g->draw->map) {
      const struct sim_quad *q = g->quad[a->quad];
      sim_map_add(g->draw->map, SIM_MAP_MISSES, q->x, q->y, 1u << tu_fetch_missing_lane(op, line),
                  1);
   }
}

/* Looks up one line of an operation, for this many texels. */
static bool
tu_fetch_look_up_line(struct tu *t, uint32_t element, struct tu_op *op, unsigned i, unsigned texels,
                      unsigned *misses, uint16_t work_id)
{
   struct tu_stats *s = &t->stat[work_id];
   uint32_t line = tu_tags_find(&t->cache.tags, op->line[i].key);
   bool pinned;
   if (line != TU_NO_LINE) {
      s->hits += texels;
   } else if (*misses == t->max_misses) {
      t->fail.miss += texels;
      return false;
   } else {
      line = tu_cache_request(t, op->line[i].key, work_id, &pinned);
      if (line == TU_NO_LINE) {
         /* Each texel of the line counts as a miss. */
         unsigned tried = t->max_misses - *misses;
         tried = texels < tried ? texels : tried;
         *misses += tried;
         *(pinned ? &t->fail.pinned : &t->fail.queue) += tried;
         t->fail.miss += texels - tried;
         return false;
      }
      (*misses)++;
      s->misses++;
      s->miss_ok++;
      if (t->box.gpu->maps)
         tu_fetch_map_miss(t, &t->accesses[t->elements[element].access], op, i);
      if (__builtin_expect(t->box.kernel->trace != NULL, 0))
         tu_fetch_trace_miss(t, &t->accesses[t->elements[element].access], op, i, line);
      s->hits += texels - 1;
   }
   struct tu_line *l = &t->cache.tags.lines[line];
   sim_trace_look_up(&t->box, &t->cache.tags, op->line[i].key, texels);
   t->cache.tags.pins[line]++;
   op->line[i].at = line;
   op->found |= (uint16_t)(1u << i);
   if (!l->valid)
      tu_window_wait(t, element, l);
   return true;
}

/* Looks up the rest of an operation; returns whether anything was found. */
static bool
tu_fetch_look_up(struct tu *t, uint32_t element, struct tu_op *op, uint16_t work_id)
{
   const struct tu_access *a = &t->accesses[t->elements[element].access];
   uint16_t texels = op->left, reach = 0xffff, done = 0;
   unsigned misses = 0, num_done = 0;
   bool progress = false;
   t->fail.skipped = op->num_texels - op->num_left;
   if (!op->regular && op->num_lines > TU_BANK_PORTS)
      reach = tu_fetch_lines_in_reach(t, &t->tasks[a->task], a->quad, op, &texels);
   for (unsigned i = 0; i < op->num_lines; i++) {
      if (op->found >> i & 1 || !(reach >> i & 1))
         continue;
      progress |= tu_fetch_look_up_line(t, element, op, i, op->texels_of[i], &misses, work_id);
   }
   if (op->found == (1u << op->num_lines) - 1 && texels == op->left) {
      done = op->left;
      num_done = op->num_left;
      progress = true;
   } else {
      for (unsigned texel = 0; texel < TU_TEXELS; texel++) {
         if (texels >> texel & 1 && op->found >> op->line_of[texel] & 1) {
            done |= (uint16_t)(1u << texel);
            num_done++;
         }
      }
   }
   t->stat[work_id].fetches_ok += num_done;
   op->left &= (uint16_t)~done;
   op->num_left -= (uint8_t)num_done;
   return progress || num_done;
}

/* Prefetches, for the host, what look-up needs of the next quads, whose addresses were computed
 * long ago. */
static void
tu_fetch_prefetch(const struct tu *t)
{
   const uint32_t num = tu_queue_length(&t->access), *id = t->access.id;
   if (num > 2)
      __builtin_prefetch(&t->accesses[id[(t->access.head + 2) & t->access.mask]]);
   if (num > 1)
      __builtin_prefetch(&t->tasks[t->accesses[id[(t->access.head + 1) & t->access.mask]].task]);
   if (!num)
      return;
   const struct tu_access *a = &t->accesses[tu_queue_first(&t->access)];
   const struct emul_tex_plan *plan = t->tasks[a->task].plan;
   __builtin_prefetch(plan);
   __builtin_prefetch(&plan->steps[0].mask);
   for (unsigned tap = 0; tap < EMUL_TEX_TAPS; tap++)
      __builtin_prefetch(&plan->steps[0].address[tap][a->quad * 4]);
}

/* Ends an element's look-up; its quad's next one may follow. */
static void
tu_fetch_finish_element(struct tu *t)
{
   uint32_t element = t->fetching, id = t->elements[element].access;
   struct tu_access *a = &t->accesses[id];
   t->elements[element].at = 0;
   t->fetching = TU_NO_LINE;
   tu_window_add(t, element);
   if (++a->fetched < a->elements)
      return;
   t->access.head++;
   if (tu_queue_length(&t->access))
      t->access_work_id = tu_access_work_id(t, tu_queue_first(&t->access));
   tu_fetch_prefetch(t);
}

/* Returns why look-up cannot start or go on with the oldest quad, or TU_STALL_NONE. */
static enum tu_stall
tu_fetch_stalled(const struct tu *t, sim_tick now)
{
   if (!tu_queue_length(&t->access))
      return TU_STALL_FETCH;
   if (t->accesses[tu_queue_first(&t->access)].ready > now)
      return TU_STALL_ADDRESS;
   if (tu_queue_length(&t->ready) >= t->access_queue)
      return TU_STALL_READY;
   return t->in_window >= t->window ? TU_STALL_WAIT : TU_STALL_NONE;
}

bool
tu_fetch_clock(struct tu *t, sim_tick now)
{
   t->stall = tu_fetch_stalled(t, now);
   t->fails = false;
   t->stall_work_id = 0;
   if (t->stall != TU_STALL_FETCH)
      t->stall_work_id = t->access_work_id;
   if (t->stall != TU_STALL_NONE)
      return false;
   uint32_t id = tu_queue_first(&t->access);
   if (t->fetching == TU_NO_LINE)
      t->fetching = tu_fetch_start_element(t, id);
   struct tu_element *e = &t->elements[t->fetching];
   if (e->at < e->num_ops) {
      struct tu_op *op = &e->op[e->at];
      memset(&t->fail, 0, sizeof(t->fail));
      bool progress = tu_fetch_look_up(t, t->fetching, op, t->stall_work_id);
      t->fails = op->num_left != 0 || t->fail.skipped;
      /* Only this element itself can unpin lines. */
      if (!progress && t->fail.pinned && !t->in_window && !tu_queue_length(&t->ready) &&
          t->cache.head == t->cache.tail)
         progress = tu_read_early(t, e);
      if (progress)
         sim_busy(&t->box, t->stall_work_id);
      if (op->num_left)
         return progress;
      e->at++;
   }
   sim_busy(&t->box, t->stall_work_id);
   if (e->at == e->num_ops)
      tu_fetch_finish_element(t);
   return true;
}
