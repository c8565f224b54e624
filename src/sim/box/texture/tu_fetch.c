/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture Unit, look-up: finds or requests the cache lines of a bilinear operation's texels, in one
 * cycle unless one tag bank needs more than TU_BANK_PORTS lines, more than
 * TextureCacheMissesPerCycle miss, or a line cannot be requested yet; the rest is retried. Texels
 * of one line share a look-up. Lines stay pinned until they are read. If the operation has pinned
 * all lines of a set and needs more, and nothing else will unpin any, those present are read
 * early. */
#include <emmintrin.h>
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

/* Returns, for comparisons of 16 texels' 32-bit words, a byte for each. */
static inline __m128i
tu_fetch_pack(const quad_u32 bad[4])
{
   return _mm_packs_epi16(_mm_packs_epi32((__m128i)bad[0], (__m128i)bad[1]),
                          _mm_packs_epi32((__m128i)bad[2], (__m128i)bad[3]));
}

/* Loads a quad's addresses, a vector of taps for each lane. */
static inline void
tu_fetch_load_taps(const struct emul_tex_step *step, unsigned lane, unsigned taps, quad_u32 out[4])
{
   quad_u32 a = tu_fetch_load_quad(&step->address[0][lane]), b, c, d;
   b = c = d = (quad_u32){0} + EMUL_TEX_UNUSED;
   if (taps > 1) {
      b = tu_fetch_load_quad(&step->address[1][lane]);
      c = tu_fetch_load_quad(&step->address[2][lane]);
      d = tu_fetch_load_quad(&step->address[3][lane]);
   }
   const __m128i ab = _mm_unpacklo_epi32((__m128i)a, (__m128i)b),
                 cd = _mm_unpacklo_epi32((__m128i)c, (__m128i)d),
                 ab_high = _mm_unpackhi_epi32((__m128i)a, (__m128i)b),
                 cd_high = _mm_unpackhi_epi32((__m128i)c, (__m128i)d);
   out[0] = (quad_u32)_mm_unpacklo_epi64(ab, cd);
   out[1] = (quad_u32)_mm_unpackhi_epi64(ab, cd);
   out[2] = (quad_u32)_mm_unpacklo_epi64(ab_high, cd_high);
   out[3] = (quad_u32)_mm_unpackhi_epi64(ab_high, cd_high);
}

/* Finds the distinct lines of an operation, in the order of their first texels. */
static void
tu_fetch_collect_lines(struct tu *t, const struct tu_task *task, unsigned quad, struct tu_op *op)
{
   const struct emul_tex_step *step = &task->plan->steps[op->step];
   const uint32_t shift = t->cache.tags.line_shift - task->space,
                  space = (uint32_t)task->space << 29;
   const unsigned taps = task->plan->linear ? EMUL_TEX_TAPS : 1;
   op->found = op->let_go = 0;
   op->reading = false;
   /* Words wider than a bank take several; only lines that share a bank can conflict. */
   op->regular =
       task->texel_shift <= 2 && (taps == 1 || tu_fetch_squares_of_words(step, quad * 4) ||
                                  tu_fetch_banks_differ(task, step, quad * 4));
   quad_u32 address[4], key[4], same[4];
   tu_fetch_load_taps(step, quad * 4, taps, address);
   for (unsigned lane = 0; lane < 4; lane++) {
      same[lane] = (quad_u32)(address[lane] < EMUL_TEX_NO_ADDRESS);
      key[lane] = address[lane] >> shift | space;
   }
   const __m128i read = tu_fetch_pack(same), one = _mm_set1_epi8(1);
   __m128i line_of = _mm_setzero_si128(), line = _mm_setzero_si128();
   unsigned left = (unsigned)_mm_movemask_epi8(read), num_texels = 0, n = 0;
   op->present = op->left = (uint16_t)left;
   for (; left; n++, line = _mm_add_epi8(line, one)) {
      const unsigned first = (unsigned)__builtin_ctz(left);
      const uint32_t k = key[first / 4][first % 4];
      for (unsigned lane = 0; lane < 4; lane++)
         same[lane] = (quad_u32)(key[lane] == k);
      const __m128i texels = _mm_and_si128(tu_fetch_pack(same), read);
      const __m128i sums = _mm_sad_epu8(_mm_and_si128(texels, one), _mm_setzero_si128());
      const unsigned bits = (unsigned)_mm_movemask_epi8(texels),
                     num = (unsigned)(_mm_cvtsi128_si32(sums) + _mm_extract_epi16(sums, 4));
      line_of = _mm_or_si128(line_of, _mm_and_si128(texels, line));
      op->line[n].key = k;
      op->line[n].texels = (uint16_t)bits;
      op->texels_of[n] = (uint8_t)num;
      num_texels += num;
      left &= ~bits;
   }
   _mm_storeu_si128((__m128i *)op->line_of, line_of);
   op->num_texels = op->num_left = (uint8_t)num_texels;
   op->num_lines = (uint8_t)n;
}

static void
tu_fetch_add_operation(struct tu *t, const struct tu_access *a, struct tu_element *e, unsigned step)
{
   struct tu_op *op = &e->op[e->num_ops++];
   op->step = (uint8_t)step;
   tu_fetch_collect_lines(t, &t->tasks[a->task], a->quad, op);
}

/* Lists the steps of each of a quad's anisotropic samples. */
static void
tu_fetch_list_steps(struct tu *t, const struct tu_access *a, const struct emul_tex_plan *plan)
{
   memset(t->steps.first, TU_NO_STEP, sizeof(t->steps.first));
   for (unsigned s = plan->num_steps; s-- > 0;) {
      if (!(plan->steps[s].mask >> a->quad * 4 & 15))
         continue;
      uint8_t *first = &t->steps.first[plan->steps[s].sample[a->quad]];
      t->steps.next[s] = *first;
      *first = (uint8_t)s;
   }
}

/* Makes the operations of a quad's next anisotropic sample. */
static uint32_t
tu_fetch_start_element(struct tu *t, uint32_t id)
{
   struct tu_access *a = &t->accesses[id];
   const struct emul_tex_plan *plan = t->tasks[a->task].plan;
   uint32_t element = t->free_elements.id[--t->free_elements.num];
   struct tu_element *e = &t->elements[element];
   e->access = (uint16_t)id;
   e->work_id = a->work_id;
   e->missing = 0;
   e->num_ops = e->at = 0;
   e->waits = false;
   if (!plan->quad_steps[a->quad])
      return element;
   if (a->elements > 1) {
      if (!a->fetched)
         tu_fetch_list_steps(t, a, plan);
      for (unsigned s = t->steps.first[a->fetched]; s != TU_NO_STEP && e->num_ops < TU_ELEMENT_OPS;
           s = t->steps.next[s])
         tu_fetch_add_operation(t, a, e, s);
      return element;
   }
   for (unsigned s = 0; s < plan->num_steps && e->num_ops < TU_ELEMENT_OPS; s++) {
      if (plan->steps[s].mask >> a->quad * 4 & 15)
         tu_fetch_add_operation(t, a, e, s);
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
   return (unsigned)__builtin_ctz(op->line[line].texels) / 4;
}

static void
tu_fetch_trace_miss(const struct tu *t, const struct tu_access *a, const struct tu_op *op,
                    unsigned i, uint32_t line)
{
   const struct sim_group *g = t->tasks[a->task].thread->group;
   const void *who = g->kind == SIM_GROUP_QUADS ? (const void *)g->quad[a->quad]
                     : g->kind == SIM_GROUP_WORK
                         ? (const void *)g
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

/* Requests a missing line; TU_NO_LINE: not now. */
static uint32_t
tu_fetch_miss(struct tu *t, uint32_t element, const struct tu_op *op, unsigned i, unsigned *misses,
              uint16_t work_id)
{
   struct tu_stats *s = &t->stat[work_id];
   const unsigned texels = op->texels_of[i];
   bool pinned;
   if (*misses == t->max_misses) {
      t->fail.miss += texels;
      return TU_NO_LINE;
   }
   const uint32_t line = tu_cache_request(t, op->line[i].key, work_id, &pinned);
   if (line == TU_NO_LINE) {
      /* Each texel of the line counts as a miss. */
      unsigned tried = t->max_misses - *misses;
      tried = texels < tried ? texels : tried;
      *misses += tried;
      *(pinned ? &t->fail.pinned : &t->fail.queue) += tried;
      t->fail.miss += texels - tried;
      return TU_NO_LINE;
   }
   (*misses)++;
   s->misses++;
   s->miss_ok++;
   if (t->box.gpu->maps)
      tu_fetch_map_miss(t, &t->accesses[t->elements[element].access], op, i);
   if (__builtin_expect(t->box.kernel->trace != NULL, 0))
      tu_fetch_trace_miss(t, &t->accesses[t->elements[element].access], op, i, line);
   s->hits += texels - 1;
   return line;
}

/* Looks up one line of an operation. */
static inline bool
tu_fetch_look_up_line(struct tu *t, uint32_t element, struct tu_op *op, unsigned i,
                      unsigned *misses, uint16_t work_id)
{
   const unsigned texels = op->texels_of[i];
   uint32_t line = tu_tags_find(&t->cache.tags, op->line[i].key);
   if (line != TU_NO_LINE)
      t->stat[work_id].hits += texels;
   else if ((line = tu_fetch_miss(t, element, op, i, misses, work_id)) == TU_NO_LINE)
      return false;
   struct tu_line *l = &t->cache.tags.lines[line];
   sim_trace_look_up(&t->box, &t->cache.tags, op->line[i].key, texels);
   t->cache.tags.pins[line]++;
   op->line[i].at = (uint16_t)line;
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
   unsigned misses = 0, num_done;
   bool progress = false;
   t->fail.skipped = op->num_texels - op->num_left;
   if (!op->regular && op->num_lines > TU_BANK_PORTS)
      reach = tu_fetch_lines_in_reach(t, &t->tasks[a->task], a->quad, op, &texels);
   for (unsigned lines = reach & ~op->found & ((1u << op->num_lines) - 1); lines;
        lines &= lines - 1) {
      const unsigned i = (unsigned)__builtin_ctz(lines);
      progress |= tu_fetch_look_up_line(t, element, op, i, &misses, work_id);
   }
   if (op->found == (1u << op->num_lines) - 1 && texels == op->left) {
      done = op->left;
      num_done = op->num_left;
      progress = true;
   } else {
      for (unsigned lines = op->found; lines; lines &= lines - 1)
         done |= op->line[__builtin_ctz(lines)].texels & texels;
      num_done = sim_count_bits(done);
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
      bool progress = false;
      if (!t->repeats) {
         memset(&t->fail, 0, sizeof(t->fail));
         progress = tu_fetch_look_up(t, t->fetching, op, t->stall_work_id);
         t->repeats = !progress;
      }
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
