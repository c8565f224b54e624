/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Streamer Output Cache (StOC, ISPASS 2006 section 2): the post shading vertex cache. An index that
 * hits a vertex shaded in this draw goes to streamer commit only. A miss takes the least recently
 * used entry that no index waits for, and goes to the first loader with room; each loader takes
 * SLIndicesCycle per cycle. The end of a draw empties the cache. Without OutputCacheKeeps an entry
 * hits only while an index waits for it, as in the last release. When it stalls because no loader
 * has room or every entry is in use, it reports to the fragment FIFO which vertex was the last, so
 * that no incomplete group waits for more. Not here: loading (sl.c), order (stc.c). */
#include "box/geometry/lru.h"
#include "box/sim_gpu.h"

#include <stdlib.h>

SIM_BOX_STATS(stoc)

struct stoc_entry {
   uint32_t index, instance;
   struct sim_vertex *vertex;
};

struct stoc {
   struct sim_box box;
   struct stoc_stats *stat; /* [work_id] */
   struct lru lru;          /* users: references that commit has not released */
   struct stoc_entry *entries;
   uint32_t sent, told; /* vertices sent to the loaders; value of sent when a stall
                         * was last reported */
   struct sim_stall stall;
};

static void
stoc_init(struct sim_box *b)
{
   struct stoc *s = (struct stoc *)b;
   lru_init(&s->lru, b->gpu->config.streamer.output_memory);
   s->entries = sim_xcalloc(s->lru.num_entries, sizeof(*s->entries));
}

static void
stoc_fini(struct sim_box *b)
{
   struct stoc *s = (struct stoc *)b;
   lru_fini(&s->lru);
   free(s->entries);
}

static inline uint32_t
stoc_hash(uint32_t index, uint32_t instance)
{
   return index * 2654435761u + instance * 2246822519u;
}

static uint32_t
stoc_find(const struct stoc *s, uint32_t index, uint32_t instance)
{
   uint32_t e = lru_first(&s->lru, stoc_hash(index, instance));
   while (e != LRU_NONE && (s->entries[e].index != index || s->entries[e].instance != instance))
      e = s->lru.entries[e].chain;
   return e;
}

static void
stoc_drop_vertex(struct stoc *s, struct stoc_entry *entry)
{
   if (entry->vertex)
      sim_vertex_unref(s->box.gpu, entry->vertex);
   entry->vertex = NULL;
}

/* Gives an unused entry to a new vertex. */
static void
stoc_replace(struct stoc *s, uint32_t e, const struct msg_index *m)
{
   struct stoc_entry *entry = &s->entries[e];
   stoc_drop_vertex(s, entry);
   struct sim_vertex *v = sim_pool_alloc(&s->box.gpu->vertices);
   /* Outputs that the program does not write read as zero in both modes. */
   memset(&v->data, 0, sizeof(v->data));
   v->draw = m->draw;
   v->refs = 1;
   v->entry = e;
   v->shaded = false;
   v->copy_pass = 0;
   *entry = (struct stoc_entry){.index = m->vertex, .instance = m->instance, .vertex = v};
   lru_rehash(&s->lru, e, stoc_hash(m->vertex, m->instance));
}

/* Ends the draw: all entries miss. */
static void
stoc_empty(struct stoc *s)
{
   lru_forget(&s->lru);
   for (uint32_t e = 0; e < s->lru.num_entries; e++) {
      if (!s->lru.entries[e].users)
         stoc_drop_vertex(s, &s->entries[e]);
   }
}

static void
stoc_release(struct stoc *s, sim_tick now)
{
   struct sim_signal *in = &s->box.gpu->net.stc_stoc[0];
   const struct msg_vertex *m;
   while ((m = sim_peek(in, now))) {
      uint32_t e = m->vertex->entry;
      sim_pop(in, now);
      if (!lru_release(&s->lru, e))
         continue;
      if (!s->box.gpu->config.streamer.cache_keeps && s->lru.entries[e].hashed)
         lru_unhash(&s->lru, e);
      if (!s->lru.entries[e].hashed)
         stoc_drop_vertex(s, &s->entries[e]);
   }
}

/* Returns the first loader that takes a vertex in this cycle, or NULL. */
static struct sim_signal *
stoc_choose_loader(struct stoc *s, sim_tick now)
{
   struct sim_signal *loaders = s->box.gpu->net.stoc_sl;
   for (uint32_t i = 0; i < s->box.gpu->config.streamer.loaders; i++) {
      if (sim_can_send(&loaders[i], now))
         return &loaders[i];
   }
   return NULL;
}

/* Builds the message in place: copying one that was just stored member by member stalls the
 * host. */
static inline void
stoc_send(struct sim_signal *out, const struct msg_index *m, struct sim_vertex *vertex,
          sim_tick now)
{
   sim_send(out, now,
            &(struct msg_lookup){.draw = m->draw,
                                 .vertex = vertex,
                                 .index = m->vertex,
                                 .instance = m->instance,
                                 .work_id = m->work_id,
                                 .restart = m->restart,
                                 .next_instance = m->next_instance,
                                 .end = m->end});
}

/* Sends the end of a draw through every loader; false if one has no room. */
static bool
stoc_send_end(struct stoc *s, const struct msg_index *end, sim_tick now)
{
   struct sim_signal *loaders = s->box.gpu->net.stoc_sl;
   uint32_t num = s->box.gpu->config.streamer.loaders;
   for (uint32_t i = 0; i < num; i++) {
      if (!sim_can_send(&loaders[i], now))
         return false;
   }
   for (uint32_t i = 0; i < num; i++)
      stoc_send(&loaders[i], end, NULL, now);
   return true;
}

/* Looks up one index and sends it on; if it must wait returns false, and *why is the statistic to
 * count. */
static bool
stoc_lookup(struct stoc *s, const struct msg_index *m, sim_tick now, unsigned *why)
{
   struct sim_netlist *net = &s->box.gpu->net;
   *why = SIM_STAT(stoc, stall_output);
   if (!sim_can_send(&net->stoc_stc[0], now))
      return false;
   struct sim_vertex *vertex = NULL;
   if (m->end) {
      if (!stoc_send_end(s, m, now))
         return false;
      stoc_empty(s);
   } else if (!m->restart) {
      /* A program that writes memory does so for each index. */
      const bool shares = !emul_stage_writes(&m->draw->state, ATTILA_STAGE_VERTEX);
      uint32_t e = shares ? stoc_find(s, m->vertex, m->instance) : LRU_NONE;
      if (e != LRU_NONE) {
         s->stat[m->work_id].hits++;
      } else {
         e = s->lru.oldest;
         if (e == LRU_NONE) {
            *why = SIM_STAT(stoc, stall_entry);
            return false;
         }
         struct sim_signal *loader = stoc_choose_loader(s, now);
         if (!loader)
            return false;
         stoc_replace(s, e, m);
         s->entries[e].vertex->refs++;
         stoc_send(loader, m, s->entries[e].vertex, now);
         s->sent++;
         s->stat[m->work_id].misses++;
      }
      lru_reserve(&s->lru, e);
      vertex = s->entries[e].vertex;
      vertex->refs++;
      s->stat[m->work_id].indices++;
   }
   stoc_send(&net->stoc_stc[0], m, vertex, now);
   return true;
}

/* Reports a stall, which ends when commit releases an entry or a loader has room. */
static void
stoc_stand(struct stoc *s, sim_tick now)
{
   struct sim_signal *out = &s->box.gpu->net.stoc_ffu[0];
   if (s->told == s->sent || !sim_can_send(out, now))
      return;
   sim_send(out, now, &(struct msg_stand){.vertices = s->sent});
   s->told = s->sent;
}

static sim_tick
stoc_clock(struct sim_box *b, sim_tick now)
{
   struct stoc *s = (struct stoc *)b;
   struct sim_signal *in = &b->gpu->net.stf_stoc[0];
   bool progress = false;
   stoc_release(s, now);
   const struct msg_index *m;
   /* The output signals' bandwidth is the number of lookups per cycle. */
   while ((m = sim_peek(in, now))) {
      uint16_t work_id = m->work_id;
      unsigned why;
      if (!stoc_lookup(s, m, now, &why)) {
         if (!progress) {
            sim_stall_begin(&s->stall, why, now);
            stoc_stand(s, now);
         }
         break;
      }
      sim_stall_end(&s->stall, b, work_id, now);
      sim_busy(b, work_id);
      sim_pop(in, now);
      progress = true;
   }
   if ((m = sim_peek(in, now)))
      sim_blocked(b, m->work_id);
   return progress ? now + b->period : SIM_NEVER;
}

static void
stoc_flush_counters(struct sim_box *b, sim_tick next)
{
   const struct msg_index *m = sim_peek(&b->gpu->net.stf_stoc[0], next);
   if (m)
      sim_stall_flush(&((struct stoc *)b)->stall, b, m->work_id, next);
}

static void
stoc_dump(const struct sim_box *b, FILE *f)
{
   const struct stoc *s = (const struct stoc *)b;
   const struct sim_signal *in = &b->gpu->net.stf_stoc[0];
   const struct msg_index *m = sim_next(in);
   uint32_t busy = 0;
   for (uint32_t e = 0; e < s->lru.num_entries; e++)
      busy += s->lru.entries[e].users != 0;
   fprintf(f, "%s: %u indices waiting, %u of %u entries wait for commit", b->name,
           in->tail - in->head, busy, s->lru.num_entries);
   if (m)
      fprintf(f, ", oldest: draw %u index %u%s%s", m->draw->number, m->vertex,
              m->restart ? " restart" : "", m->end ? " end" : "");
   fputc('\n', f);
}

const struct sim_box_class stoc_class = {
    .size = sizeof(struct stoc),
    .domain = SIM_DOMAIN_GPU,
    .init = stoc_init,
    .clock = stoc_clock,
    .flush_counters = stoc_flush_counters,
    .dump = stoc_dump,
    .fini = stoc_fini,
    SIM_BOX_CLASS(stoc),
};
