/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim picture --cycle: pictures of an unfinished frame. Simulates the capture and, at the
 * end of a cycle, shows the surface of the oldest draw in flight, from memory and from the lines in
 * the caches of the ROPs. Not here: reading those caches (session/machine/probe.h), lists of cycles
 * (cli_picture_options.c). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "cli/cli_picture.h"
#include "hw/attila_surface.h"

/* Returns the surface's bytes as if all caches were written back; NULL: out of host memory. */
static uint8_t *
cli_picture_cycle_surface_now(const struct cli_picture_job *j, const struct picture_surface *s)
{
   const uint64_t size = attila_surface_bytes(s->pitch_tiles, s->width, s->height, s->samples,
                                              attila_formats[s->format].bytes);
   uint8_t *data = malloc(size);
   if (data)
      attila_probe_memory(attila_session_machine(j->sim), s->address, (uint32_t)size, data);
   return data;
}

static bool
cli_picture_cycle_one_surface(struct cli_picture_job *j, const struct attila_drawing *drawing,
                              unsigned s)
{
   struct picture_surface at = cli_picture_surface(j, drawing->regs, s);
   const enum picture_plane plane = cli_picture_plane(s);
   struct picture p;
   if (!picture_has_plane(&at, plane, attila_sim_memory_size(j->sim))) {
      j->missing[s]++;
      return true;
   }
   j->surface[s] = at;
   uint8_t *memory = cli_picture_cycle_surface_now(j, &at);
   at.address = 0;
   if (!memory || !picture_take(&p, &at, plane, memory)) {
      free(memory);
      return cli_picture_fail("out of host memory");
   }
   const bool ok = cli_picture_moment(j, s, attila_session_device(j->sim)->observed.frame,
                                      drawing->in_flight ? (int64_t)drawing->draw : -1, &p);
   picture_free(&p);
   free(memory);
   return ok;
}

/* Advances to the next cycle, if there is one. */
static bool
cli_picture_cycle_next_cycle(struct cli_picture_job *j)
{
   const struct cli_cycles *c = &j->o->cycles[j->cycles];
   if (j->cycle + c->step <= c->last)
      j->cycle += c->step;
   else if (++j->cycles < j->o->num_cycles)
      j->cycle = j->o->cycles[j->cycles].first;
   else
      return false;
   return true;
}

static void
cli_picture_cycle_over(void *data, sim_tick now)
{
   struct cli_picture_job *j = data;
   const struct attila_drawing drawing = attila_probe_drawing(attila_session_machine(j->sim));
   (void)now;
   j->draws++;
   if (!drawing.regs)
      fprintf(stderr, "attila-sim: cycle %" PRIu64 ": nothing has been drawn so far\n", j->cycle);
   for (unsigned s = 0; drawing.regs && s < NUM_SURFACES && !j->failed; s++) {
      if (j->o->surfaces >> s & 1)
         j->failed = !cli_picture_cycle_one_surface(j, &drawing, s);
   }
   j->all_cycles = j->failed || !cli_picture_cycle_next_cycle(j);
   if (!j->all_cycles)
      attila_probe_at(attila_session_machine(j->sim), j->cycle, cli_picture_cycle_over, j);
}

/* Submits the capture until all cycles are over. */
static bool
cli_picture_cycle_replay(struct cli_picture_job *j)
{
   struct cli_batch b = {0};
   struct cli_command c;
   if (!cli_picture_jump(j, attila_session_next_frame(j->sim, 0)))
      return false;
   while (!j->all_cycles && cli_stream_next(&j->stream, &c)) {
      if (c.wait) { /* the previous record has been executed */
         attila_sim_wait(j->sim, c.fence);
         if (attila_sim_error(j->sim))
            j->stream.status = CLI_STOPPED;
         if (j->stream.status != CLI_OK)
            return false;
         continue;
      }
      if (c.op == ATTILA_CMD_DRAW) {
         if (!cli_picture_execute(j, &b))
            return false;
         cli_picture_note_draw(j, c.payload);
      }
      cli_batch_add(&b, &c);
      /* The next record replaces the words of this one. */
      if (j->stream.at == j->stream.record.num_words && !cli_picture_execute(j, &b))
         return false;
   }
   return j->stream.status == CLI_OK;
}

bool
cli_picture_cycles(struct cli_picture_job *j)
{
   j->cycle = j->o->cycles[0].first;
   attila_probe_at(attila_session_machine(j->sim), j->cycle, cli_picture_cycle_over, j);
   if (!cli_picture_cycle_replay(j))
      return false;
   attila_session_finish(j->sim);
   if (j->all_cycles)
      return !j->failed;
   fprintf(stderr, "attila-sim: %s: the run ends at cycle %" PRIu64 ", before cycle %" PRIu64 "\n",
           j->o->given->args[0], attila_sim_cycles(j->sim), j->cycle);
   return false;
}
