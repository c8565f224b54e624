/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim picture: the surfaces of draws before and after them. Replays the capture once in
 * functional mode, where memory holds all that earlier draws have written. Not here: --cycle
 * (cli_picture_cycle.c), lists of draws (cli_picture_options.c), what a draw covered
 * (cli_picture_cover.c), files and textures (cli_picture_files.c), the colours of elements
 * (picture/). */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli_picture.h"
#include "core/sim_file.h"

static bool
cli_picture_wanted(const struct cli_picture_options *o, uint32_t frame, uint32_t draw)
{
   for (unsigned i = 0; i < o->num_picks; i++) {
      const struct cli_pick *p = &o->picks[i];
      if (p->frame == frame && draw >= p->first && draw <= p->last)
         return true;
   }
   return false;
}

/* Returns whether this draw, a later one or a draw of a later frame is wanted. */
static bool
cli_picture_more_wanted(const struct cli_picture_job *j, uint32_t frame, uint32_t draw)
{
   bool more = frame < j->last_frame;
   for (unsigned i = 0; i < j->o->num_picks && !more; i++)
      more = j->o->picks[i].frame == frame && j->o->picks[i].last >= draw;
   return more;
}

static bool
cli_picture_frame_wanted(const struct cli_picture_options *o, uint32_t frame)
{
   bool some = false;
   for (unsigned i = 0; i < o->num_picks && !some; i++)
      some = o->picks[i].frame == frame;
   return some;
}

/* --- What a draw draws to --- */

/* This also runs in frames that are not wanted. */
void
cli_picture_note_draw(struct cli_picture_job *j, const uint32_t *payload)
{
   attila_orientation_draw(&j->orientation,
                           sim_frontend_regs(attila_session_device(j->sim)->frontend), payload);
}

struct picture_surface
cli_picture_surface(const struct cli_picture_job *j, const struct attila_regs *r, unsigned s)
{
   const bool color = s < ATTILA_MAX_COLOR_BUFFERS;
   return (struct picture_surface){
       .format = (enum attila_format)(color ? r->color[s].format : r->zs_format),
       .address = color ? r->color[s].address : r->zs_address,
       .pitch_tiles = color ? r->color[s].pitch_tiles : r->zs_pitch_tiles,
       .samples = r->fb_samples > 1 ? r->fb_samples : 1,
       .width = r->fb_width,
       .height = r->fb_height,
       .bottom_up = attila_orientation_bottom_up(
           &j->orientation, color ? r->color[s].address : r->zs_address, false),
   };
}

enum picture_plane
cli_picture_plane(unsigned s)
{
   return s == SURFACE_DEPTH     ? PICTURE_DEPTH
          : s == SURFACE_STENCIL ? PICTURE_STENCIL
                                 : PICTURE_COLOR;
}

/* --- A draw --- */

static void
cli_picture_drop_before(struct cli_picture_job *j)
{
   for (unsigned s = 0; s < NUM_SURFACES; s++)
      picture_free(&j->before[s]);
}

static bool
cli_picture_take_before(struct cli_picture_job *j)
{
   const struct sim_device *d = attila_session_device(j->sim);
   for (unsigned s = 0; s < NUM_SURFACES; s++) {
      j->surface[s] = cli_picture_surface(j, sim_frontend_regs(d->frontend), s);
      if (!(j->o->surfaces >> s & 1) ||
          !picture_has_plane(&j->surface[s], cli_picture_plane(s), d->memory_size))
         continue;
      if (!picture_take(&j->before[s], &j->surface[s], cli_picture_plane(s), d->memory))
         return cli_picture_fail("out of host memory");
   }
   return true;
}

static bool
cli_picture_take_after(struct cli_picture_job *j, uint32_t frame, uint32_t draw)
{
   bool ok = true;
   j->draws++;
   for (unsigned s = 0; s < NUM_SURFACES && ok; s++) {
      struct picture after;
      if (!(j->o->surfaces >> s & 1))
         continue;
      if (!j->before[s].pixel) {
         j->missing[s]++;
         continue;
      }
      if (!picture_take(&after, &j->surface[s], cli_picture_plane(s),
                        attila_session_device(j->sim)->memory))
         return cli_picture_fail("out of host memory");
      ok = cli_picture_kinds(j, s, frame, draw, &after);
      picture_free(&after);
   }
   return ok;
}

bool
cli_picture_execute(struct cli_picture_job *j, struct cli_batch *b)
{
   const bool ok = !b->num || attila_sim_submit(j->sim, b->words, b->num);
   b->num = 0;
   if (!ok)
      j->stream.status = CLI_STOPPED;
   return ok;
}

/* Executes a DRAW in a frame with wanted draws. Only executed draws have a number, not an empty one
 * or one that a condition forbids. */
static bool
cli_picture_one_draw(struct cli_picture_job *j, const struct cli_command *c)
{
   const struct sim_observed *observed = &attila_session_device(j->sim)->observed;
   const uint32_t draw = observed->draws;
   struct cli_batch b = {c->payload - 1, 1 + (size_t)c->words};
   if (!cli_picture_wanted(j->o, c->frame, draw))
      return cli_picture_execute(j, &b);
   if (j->o->watches)
      return j->o->given->vertices ? cli_picture_vertices_draw(j, c, draw, &b)
             : j->o->given->grid   ? cli_picture_grid_draw(j, c, draw, &b)
                                   : cli_picture_pixel_draw(j, c, draw, &b);
   bool ok = cli_picture_take_before(j) && cli_picture_cover_draw(j, &b);
   if (ok && observed->draws != draw)
      ok = cli_picture_take_after(j, c->frame, draw) &&
           (!j->o->given->textures || cli_picture_textures(j, c->frame, draw));
   cli_picture_drop_before(j);
   cli_picture_cover_free(j);
   return ok;
}

bool
cli_picture_jump(struct cli_picture_job *j, uint32_t to)
{
   struct attila_place place = {0};
   uint32_t frame = j->stream.frame;
   if (!cli_jump(j->checkpoints, j->stream.reader, to, &frame, &place)) {
      j->stream.status = CLI_FILE;
      return false;
   }
   if (frame != j->stream.frame) {
      cli_stream_go_on(&j->stream, frame, place.words);
      j->orientation = place.orientation;
   }
   return true;
}

/* Returns the first wanted frame from this one on; this one if there is none. */
static uint32_t
cli_picture_next_wanted(const struct cli_picture_options *o, uint32_t frame)
{
   uint32_t next = UINT32_MAX;
   for (unsigned i = 0; i < o->num_picks; i++) {
      const uint32_t f = o->picks[i].frame;
      next = f >= frame && f < next ? f : next;
   }
   return next == UINT32_MAX ? frame : next;
}

static bool
cli_picture_replay(struct cli_picture_job *j)
{
   struct cli_batch b = {0};
   struct cli_command c;
   if (!cli_picture_jump(j, cli_picture_next_wanted(j->o, 0)))
      return false;
   while (cli_stream_next(&j->stream, &c)) {
      if (c.wait)
         continue;
      if (c.op == ATTILA_CMD_DRAW) {
         /* Execute the commands before the draw, which set its registers. */
         if (!cli_picture_execute(j, &b))
            return false;
         cli_picture_note_draw(j, c.payload);
      }
      if (c.op == ATTILA_CMD_DRAW && cli_picture_frame_wanted(j->o, c.frame)) {
         if (!cli_picture_one_draw(j, &c))
            return false;
      } else {
         cli_batch_add(&b, &c);
      }
      /* The next command may be in another record, which replaces these words. And the numbers of
       * draws begin anew with each frame. */
      if ((j->stream.at == j->stream.record.num_words || j->stream.frame != c.frame) &&
          !cli_picture_execute(j, &b))
         return false;
      if (!cli_picture_more_wanted(j, j->stream.frame,
                                   attila_session_device(j->sim)->observed.draws))
         return true;
      if (j->stream.frame != c.frame &&
          !cli_picture_jump(j, cli_picture_next_wanted(j->o, j->stream.frame)))
         return false;
   }
   return j->stream.status == CLI_OK;
}

/* --- The command --- */

static bool
cli_picture_open_index(struct cli_picture_job *j)
{
   if (!j->o->given->folder)
      return true;
   if (!sim_file_make_folder(j->o->given->folder)) {
      fprintf(stderr, "attila-sim: %s: %s\n", j->o->given->folder, strerror(errno));
      return false;
   }
   char error[4400], *path = sim_file_path("%s/pictures.csv", j->o->given->folder);
   j->index = sim_file_stream(path, "w", SIM_FILE_OURS, error, sizeof(error));
   free(path);
   if (!j->index)
      return cli_picture_fail(error);
   fputs("frame,draw,surface,kind,width,height,format,address,file,changed,min,max,"
         "cycle,covered,fragments,passed,most\n",
         j->index);
   return true;
}

static int
cli_picture_finish(struct cli_picture_job *j, bool ok)
{
   if (j->index && fclose(j->index) && ok)
      ok = cli_picture_fail("pictures.csv cannot be written");
   if (j->stream.status == CLI_STOPPED)
      fprintf(stderr, "attila-sim: %s\n", attila_sim_error(j->sim));
   for (unsigned s = 0; s < NUM_SURFACES; s++) {
      if (j->missing[s])
         fprintf(stderr, "attila-sim: %" PRIu64 " of %" PRIu64 " %s have no %s\n", j->missing[s],
                 j->draws, j->o->num_cycles ? "cycles" : "draws", cli_surface_name(s));
   }
   if (!ok)
      return j->stream.status != CLI_OK ? j->stream.status : CLI_FILE;
   if (j->pictures || (j->o->watches && j->draws))
      return CLI_OK;
   if (!j->draws)
      fprintf(stderr, "attila-sim: %s: no such draw; attila-sim dump lists all\n",
              j->o->given->args[0]);
   return CLI_FILE;
}

int
cli_picture(struct cli_options *given, char **args)
{
   struct cli_picture_options o;
   struct cli_picture_job *j = calloc(1, sizeof(*j));
   int status = cli_picture_options(&o, given);
   if (!j || status != CLI_OK)
      goto out;
   status = CLI_FILE;
   j->o = &o;
   for (unsigned i = 0; i < o.num_picks; i++)
      j->last_frame = o.picks[i].frame > j->last_frame ? o.picks[i].frame : j->last_frame;
   if (!cli_stream_open(&j->stream, args[0]))
      goto out;
   j->sim = cli_make_sim(given, j->stream.reader);
   if (j->sim) {
      j->checkpoints = cli_jump_open(given, j->sim, args[0], j->stream.reader,
                                     o.num_cycles ? attila_session_next_frame(j->sim, 0)
                                                  : cli_picture_next_wanted(&o, 0));
      if (o.watches)
         cli_picture_pixel_begin(j);
      status =
          cli_picture_finish(j, cli_picture_open_index(j) &&
                                    (o.num_cycles ? cli_picture_cycles(j) : cli_picture_replay(j)));
      if (o.watches)
         cli_picture_pixel_end(j);
   }
   attila_checkpoint_close(j->checkpoints);
   cli_stream_close(&j->stream);
   attila_sim_destroy(j->sim);
out:
   cli_picture_options_free(&o);
   if (j)
      free(j->textures);
   free(j);
   return status;
}
