/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Streamer Output Cache (StOC, ISPASS 2006 section 2): the post shading vertex cache. An index that was shaded before
 * in the same draw and still has an entry goes only to streamer commit; any other takes the least recently used entry
 * that no index waits for and goes to the loader too. Entries hold vertices of one draw: its end empties the cache. Not
 * here: loading (sl.c), order (stc.c).
 */
#include "core/sim_gpu.h"

#define STOC_STATS(S)                                                                                       \
   S(indices, "Indices", INDICES, "indices looked up")                                                      \
   S(hits, "Hits", INDICES, "indices whose vertex is shaded or being shaded")                               \
   S(misses, "Misses", INDICES, "indices sent to be loaded and shaded")                                     \
   S(stall_entry, "StallsNoEntry", CYCLES, "every entry waited for commit")                                 \
   S(stall_output, "StallsOutput", CYCLES, "the loader or commit took nothing")
SIM_STATS_DECLARE(stoc, STOC_STATS)

#define NONE UINT32_MAX

struct stoc_entry {
   uint32_t index, instance;
   struct sim_vertex *vertex;
   uint32_t pending;        /* references commit has not released */
   uint32_t chain;          /* next entry of the hash bucket */
   uint32_t older, newer;   /* list of entries without pending references */
   bool valid;              /* can hit */
};

enum stoc_stall { STALL_NONE, STALL_ENTRY, STALL_OUTPUT };

struct stoc {
   struct sim_box box;
   struct stoc_stats stat[SIM_SLOTS];
   struct stoc_entry *entries;
   uint32_t num_entries;
   uint32_t *buckets, bucket_shift, num_buckets;
   uint32_t oldest, newest;
   sim_tick stalled;
   uint8_t stall;           /* enum stoc_stall */
};

static void
list_add(struct stoc *s, uint32_t e, bool as_oldest)
{
   struct stoc_entry *entry = &s->entries[e];
   if (as_oldest) {
      entry->older = NONE;
      entry->newer = s->oldest;
      if (s->oldest != NONE)
         s->entries[s->oldest].older = e;
      else
         s->newest = e;
      s->oldest = e;
   } else {
      entry->newer = NONE;
      entry->older = s->newest;
      if (s->newest != NONE)
         s->entries[s->newest].newer = e;
      else
         s->oldest = e;
      s->newest = e;
   }
}

static void
list_remove(struct stoc *s, uint32_t e)
{
   struct stoc_entry *entry = &s->entries[e];
   if (entry->older != NONE)
      s->entries[entry->older].newer = entry->newer;
   else
      s->oldest = entry->newer;
   if (entry->newer != NONE)
      s->entries[entry->newer].older = entry->older;
   else
      s->newest = entry->older;
}

static void
stoc_init(struct sim_box *b)
{
   struct stoc *s = (struct stoc *)b;
   s->num_entries = b->gpu->config.streamer.output_memory;
   s->entries = calloc(s->num_entries, sizeof(*s->entries));
   uint32_t bits = 1;
   while (1u << bits < 2 * s->num_entries)
      bits++;
   s->bucket_shift = 32 - bits;
   s->num_buckets = 1u << bits;
   s->buckets = malloc(s->num_buckets * sizeof(*s->buckets));
   memset(s->buckets, 0xff, s->num_buckets * sizeof(*s->buckets));
   s->oldest = s->newest = NONE;
   for (uint32_t e = 0; e < s->num_entries; e++)
      list_add(s, e, false);
   s->stalled = SIM_NEVER;
}

static void
stoc_fini(struct sim_box *b)
{
   struct stoc *s = (struct stoc *)b;
   free(s->entries);
   free(s->buckets);
}

static inline uint32_t *
bucket(struct stoc *s, uint32_t index, uint32_t instance)
{
   return &s->buckets[(uint32_t)(index * 2654435761u + instance * 2246822519u) >> s->bucket_shift];
}

static uint32_t
find(struct stoc *s, uint32_t index, uint32_t instance)
{
   uint32_t e = *bucket(s, index, instance);
   while (e != NONE && (s->entries[e].index != index || s->entries[e].instance != instance))
      e = s->entries[e].chain;
   return e;
}

static void
forget(struct stoc *s, uint32_t e)
{
   struct stoc_entry *entry = &s->entries[e];
   uint32_t *link = bucket(s, entry->index, entry->instance);
   while (*link != e)
      link = &s->entries[*link].chain;
   *link = entry->chain;
   entry->valid = false;
}

static void
drop_vertex(struct stoc *s, struct stoc_entry *entry)
{
   if (entry->vertex)
      sim_vertex_unref(s->box.gpu, entry->vertex);
   entry->vertex = NULL;
}

/* Takes the least recently used free entry for a new vertex. */
static struct stoc_entry *
allocate(struct stoc *s, const struct msg_index *m)
{
   uint32_t e = s->oldest;
   struct stoc_entry *entry = &s->entries[e];
   list_remove(s, e);
   if (entry->valid)
      forget(s, e);
   drop_vertex(s, entry);
   struct sim_vertex *v = sim_pool_alloc(&s->box.gpu->vertices);
   /* Outputs the program does not write read as zero in both modes. */
   memset(&v->data, 0, sizeof(v->data));
   v->draw = m->draw;
   v->refs = 1;
   v->entry = e;
   v->shaded = false;
   entry->vertex = v;
   entry->index = m->vertex;
   entry->instance = m->instance;
   entry->valid = true;
   uint32_t *head = bucket(s, m->vertex, m->instance);
   entry->chain = *head;
   *head = e;
   return entry;
}

/* The draw has ended: nothing hits any more. */
static void
empty(struct stoc *s)
{
   memset(s->buckets, 0xff, s->num_buckets * sizeof(*s->buckets));
   for (uint32_t e = 0; e < s->num_entries; e++) {
      struct stoc_entry *entry = &s->entries[e];
      entry->valid = false;
      if (!entry->pending)
         drop_vertex(s, entry);
   }
}

static void
release(struct stoc *s, sim_tick now)
{
   struct sim_signal *in = &s->box.gpu->net.stc_stoc[0];
   const struct msg_vertex *m;
   while ((m = sim_peek(in, now))) {
      uint32_t e = m->vertex->entry;
      struct stoc_entry *entry = &s->entries[e];
      sim_pop(in, now);
      if (--entry->pending)
         continue;
      if (!entry->valid)
         drop_vertex(s, entry);
      list_add(s, e, !entry->valid);
   }
}

/* Looks up one index and sends it on; returns why not. */
static enum stoc_stall
lookup(struct stoc *s, const struct msg_index *m, sim_tick now)
{
   struct sim_netlist *net = &s->box.gpu->net;
   if (!sim_can_send(&net->stoc_stc[0], now))
      return STALL_OUTPUT;
   struct msg_lookup out = {.draw = m->draw, .index = m->vertex, .instance = m->instance, .slot = m->slot,
                            .restart = m->restart, .end = m->end};
   if (m->end) {
      if (!sim_can_send(&net->stoc_sl[0], now))
         return STALL_OUTPUT;
      empty(s);
      sim_send(&net->stoc_sl[0], now, &out);
   } else if (!m->restart) {
      uint32_t e = find(s, m->vertex, m->instance);
      struct stoc_entry *entry;
      if (e != NONE) {
         entry = &s->entries[e];
         if (!entry->pending)
            list_remove(s, e);
         s->stat[m->slot].hits++;
      } else {
         if (s->oldest == NONE)
            return STALL_ENTRY;
         if (!sim_can_send(&net->stoc_sl[0], now))
            return STALL_OUTPUT;
         entry = allocate(s, m);
         out.vertex = entry->vertex;
         out.vertex->refs++;
         sim_send(&net->stoc_sl[0], now, &out);
         s->stat[m->slot].misses++;
      }
      entry->pending++;
      out.vertex = entry->vertex;
      out.vertex->refs++;
      s->stat[m->slot].indices++;
   }
   sim_send(&net->stoc_stc[0], now, &out);
   return STALL_NONE;
}

static sim_tick
stoc_clock(struct sim_box *b, sim_tick now)
{
   struct stoc *s = (struct stoc *)b;
   struct sim_signal *in = &b->gpu->net.stf_stoc[0];
   bool progress = false;
   release(s, now);
   const struct msg_index *m;
   /* The output signals' bandwidth is the number of lookups per cycle. */
   while ((m = sim_peek(in, now))) {
      uint8_t slot = m->slot;
      enum stoc_stall why = lookup(s, m, now);
      if (why != STALL_NONE) {
         if (!progress && s->stalled == SIM_NEVER) {
            s->stalled = now;
            s->stall = why;
         }
         break;
      }
      if (s->stalled != SIM_NEVER) {
         uint64_t cycles = (now - s->stalled) / b->period;
         *(s->stall == STALL_ENTRY ? &s->stat[slot].stall_entry : &s->stat[slot].stall_output) += cycles;
         s->stalled = SIM_NEVER;
      }
      sim_pop(in, now);
      progress = true;
   }
   return progress ? now + b->period : SIM_NEVER;
}

static void
stoc_dump(const struct sim_box *b, FILE *f)
{
   const struct stoc *s = (const struct stoc *)b;
   const struct sim_signal *in = &b->gpu->net.stf_stoc[0];
   const struct msg_index *m = sim_peek(in, SIM_NEVER);
   uint32_t busy = 0;
   for (uint32_t e = 0; e < s->num_entries; e++)
      busy += s->entries[e].pending != 0;
   fprintf(f, "%s: %u indices waiting, %u of %u entries wait for commit", b->name, in->tail - in->head, busy,
           s->num_entries);
   if (m)
      fprintf(f, ", oldest: draw %u index %u%s%s", m->draw->number, m->vertex, m->restart ? " restart" : "",
              m->end ? " end" : "");
   fputc('\n', f);
}

const struct sim_box_class stoc_class = {
   .name = "StreamerOutputCache",
   .unit = "StOC",
   .doc = "Post shading vertex cache (ISPASS 2006 section 2, Streamer).",
   .size = sizeof(struct stoc),
   .domain = SIM_DOMAIN_GPU,
   .init = stoc_init,
   .clock = stoc_clock,
   .dump = stoc_dump,
   .fini = stoc_fini,
   SIM_STATS_CLASS(stoc),
};
