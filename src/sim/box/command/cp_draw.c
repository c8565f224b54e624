/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command Processor, rendering: the draws in flight and what keeps them correct. A draw's geometry
 * phase ends when triangle setup has taken all of it. Then its fragment phase begins, which ends
 * when every colour writer has reported the draw's end. The geometry of one draw overlaps with the
 * fragments of the one before (ISPASS 2006 section 2.2, PipelinedBatchRendering), so the state of
 * ROPs and HZ changes between fragment phases.
 * With FreeOverlap (ours) any number of draws overlap if they have the same surfaces and all test
 * depth before shading, or all after. Other draws drain the pipeline first. */
#include "box/command/cp.h"

/* --- Finishing --- */

static void
cp_draw_end_draw(struct cp *cp, struct cp_draw *d)
{
   sim_map_release(d->draw.map);
   sim_frontend_end_draw(cp->box.gpu->device->frontend, &d->draw.state);
   d->used = false;
   cp->free_draws[cp->num_free_draws++] = (uint32_t)(d - cp->draws);
}

/* Runs at the end of a tick, when every box has counted its work in it. */
static void
cp_draw_report(void *data, sim_tick now)
{
   struct cp *cp = data;
   cp->reports = false;
   cp_pass_report(cp, now);
   for (uint32_t i = 0; i < cp->num_retired; i++)
      cp_draw_end_draw(cp, &cp->draws[cp->retired[i]]);
   cp->num_retired = 0;
   if (cp->frame_ended)
      sim_observed_frame_ended(&cp->box.gpu->device->observed,
                               &(struct sim_frame_end){.tick = now, .unshown = true});
   cp->frame_ended = false;
}

void
cp_report_later(struct cp *cp)
{
   /* Once per tick. */
   if (!cp->reports)
      sim_kernel_after(cp->box.kernel, cp_draw_report, cp);
   cp->reports = true;
}

static void
cp_draw_retire(struct cp *cp, uint32_t index, sim_tick now)
{
   sim_work_end(cp->box.gpu->work, cp->draws[index].draw.work_id, sim_box_time(&cp->box, now));
   if (cp->draws[index].draw.stopped)
      sim_warn(&cp->box.gpu->device->observed, EMUL_STOPPED_TEXT,
               cp->draws[index].draw.state.max_iterations);
   cp_report_later(cp);
   cp->retired[cp->num_retired++] = index;
   cp->first = (cp->first + 1) % cp->max_draws;
   cp->in_flight--;
   cp->retired_draws++;
   if (cp->draws[index].draw.state.stream_out)
      cp_stream_retire(cp, &cp->draws[index]);
   if (cp->draws[index].draw.state.storage_writers)
      cp_storage_retire(cp, &cp->draws[index].draw.state);
   for (unsigned r = 0; r < cp->box.gpu->config.gpu.num_rops; r++)
      cp->draws[index].counted[ATTILA_COUNTER_SAMPLES_PASSED] += cp->draws[index].draw.samples[r];
   for (unsigned i = 0; i < ATTILA_NUM_COUNTERS; i++)
      cp->draws[index].counters[i] += cp->draws[index].counted[i];
   cp_event_take_values(cp);
}

void
cp_draw_answers(struct cp *cp, sim_tick now)
{
   struct sim_gpu *gpu = cp->box.gpu;
   uint32_t num_rops = gpu->config.gpu.num_rops;
   for (uint32_t r = 0; r < num_rops; r++) {
      const struct msg_done *m;
      while ((m = sim_peek(&gpu->net.cw_cp[r], now))) {
         if (m->draw)
            ((struct cp_draw *)m->draw)->rops_done++;
         else
            cp->rop_answers--;
         sim_pop(&gpu->net.cw_cp[r], now);
      }
      while (sim_peek(&gpu->net.zst_cp[r], now)) {
         cp->rop_answers--;
         sim_pop(&gpu->net.zst_cp[r], now);
      }
   }
   const struct msg_done *m;
   while ((m = sim_peek(&gpu->net.ts_cp[0], now))) {
      ((struct cp_draw *)m->draw)->geometry_done = true;
      sim_pop(&gpu->net.ts_cp[0], now);
   }
   cp_stream_answers(cp, now);
   if (cp->tiled)
      cp_pass_answers(cp, now);
   while (cp->in_flight && cp->draws[cp->order[cp->first]].rops_done == num_rops &&
          !cp->draws[cp->order[cp->first]].streams)
      cp_draw_retire(cp, cp->order[cp->first], now);
}

void
cp_draw_init(struct cp *cp)
{
   const struct sim_config *config = &cp->box.gpu->config;
   cp->tiled = sim_tiled(config);
   cp->keeps = cp->tiled && config->tiling.keeps;
   cp->max_passes = cp->tiled ? config->tiling.open_passes : 1;
   cp->max_held = CP_RANGES + (cp->max_passes - 1) * ATTILA_MAX_COLOR_BUFFERS;
   cp->max_draws = cp->tiled ? config->tiling.pass_draws : SIM_MAX_DRAWS;
   cp->draws = sim_xcalloc(cp->max_draws, sizeof(*cp->draws));
   cp->order = sim_xcalloc(cp->max_draws, sizeof(*cp->order));
   cp->retired = sim_xcalloc(cp->max_draws, sizeof(*cp->retired));
   cp->free_draws = sim_xcalloc(cp->max_draws, sizeof(*cp->free_draws));
   cp->seen_draw = sim_xcalloc(cp->max_draws, sizeof(*cp->seen_draw));
   while (cp->num_free_draws < cp->max_draws) {
      cp->free_draws[cp->num_free_draws] = cp->max_draws - 1 - cp->num_free_draws;
      cp->num_free_draws++;
   }
}

void
cp_draw_fini(struct cp *cp)
{
   for (unsigned i = 0; i < cp->max_draws; i++) {
      if (cp->draws[i].used && cp->box.gpu->device->frontend)
         sim_frontend_end_draw(cp->box.gpu->device->frontend, &cp->draws[i].draw.state);
   }
   free(cp->draws);
   free(cp->order);
   free(cp->retired);
   free(cp->free_draws);
   free(cp->seen_draw);
}

/* --- Surfaces and ROP caches --- */

void
cp_read_surfaces(struct cp_surfaces *s, const struct attila_regs *regs,
                 const struct attila_cmd_layers *layers)
{
   const bool layered = layers && layers->count > 1;
   memset(s, 0, sizeof(*s));
   s->width = regs->fb_width;
   s->height = regs->fb_height;
   s->samples = regs->fb_samples ? regs->fb_samples : 1;
   s->layers = layered ? layers->count : 1;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      const struct attila_color_regs *c = &regs->color[i];
      if (!c->address)
         continue;
      s->color[i].address = c->address;
      s->color[i].format = c->format;
      s->color[i].pitch_tiles = c->pitch_tiles;
      s->color[i].stride = layered ? layers->color_stride[i] : 0;
   }
   if (regs->zs_address) {
      s->zs.address = regs->zs_address;
      s->zs.format = regs->zs_format;
      s->zs.pitch_tiles = regs->zs_pitch_tiles;
      s->zs.stride = layered ? layers->zs_stride : 0;
   }
}

/* Returns the memory of surfaces of the framebuffer's size, with all layers. */
static struct cp_range
cp_draw_surface_range(const struct cp_surfaces *s, uint32_t address, uint32_t format,
                      uint32_t pitch_tiles, uint32_t stride)
{
   uint64_t bytes = attila_surface_bytes(pitch_tiles, s->width, s->height, s->samples,
                                         attila_formats[format % ATTILA_NUM_FORMATS].bytes);
   bytes += (s->layers - 1) * (uint64_t)stride;
   return (struct cp_range){.start = address,
                            .end = address + bytes,
                            .shape = (uint64_t)pitch_tiles << 32 | format << 8 | s->samples};
}

struct cp_range
cp_color_range(const struct cp_surfaces *s, unsigned i)
{
   return cp_draw_surface_range(s, s->color[i].address, s->color[i].format, s->color[i].pitch_tiles,
                                s->color[i].stride);
}

struct cp_range
cp_zs_range(const struct cp_surfaces *s)
{
   return cp_draw_surface_range(s, s->zs.address, s->zs.format, s->zs.pitch_tiles, s->zs.stride);
}

struct cp_range
cp_target_range(const struct cp_surfaces *s, unsigned i)
{
   if (i == ATTILA_MAX_COLOR_BUFFERS)
      return s->zs.address ? cp_zs_range(s) : (struct cp_range){0};
   return s->color[i].address ? cp_color_range(s, i) : (struct cp_range){0};
}

bool
cp_surfaces_have(const struct cp_surfaces *s, uint64_t start, uint64_t end)
{
   for (unsigned i = 0; i <= ATTILA_MAX_COLOR_BUFFERS; i++) {
      const struct cp_range r = cp_target_range(s, i);
      if (r.start < end && start < r.end)
         return true;
   }
   return false;
}

/* A ROP of one kind uses a surface; ROPs of the other kind drop it. */
static bool
cp_draw_use_surface(struct cp *cp, enum cp_rop_kind kind, const struct cp_range *r, sim_tick now)
{
   enum cp_rop_kind other = kind == CP_COLOR ? CP_ZS : CP_COLOR;
   if (!cp_rop_sync(cp, 1u << other, r->start, r->end, true, now))
      return false;
   return cp_rop_uses(cp, kind, r, now);
}

bool
cp_bind_surfaces(struct cp *cp, const struct attila_regs *regs,
                 const struct attila_cmd_layers *layers, uint32_t color_mask, bool zs, sim_tick now)
{
   struct cp_surfaces new;
   if (cp->rop_answers)
      return false;
   cp_read_surfaces(&new, regs, layers);
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      if (!(color_mask >> i & 1) || !new.color[i].address)
         continue;
      const struct cp_range r = cp_color_range(&new, i);
      if (!cp_draw_use_surface(cp, CP_COLOR, &r, now))
         return false;
      cp_memory_written(cp, r.start, r.end);
   }
   if (zs && new.zs.address) {
      const struct cp_range r = cp_zs_range(&new);
      if (!cp_draw_use_surface(cp, CP_ZS, &r, now))
         return false;
   }
   if (memcmp(&new, &cp->surfaces, sizeof(new)))
      cp->stat[cp->work_id].surface_switches++;
   cp->surfaces = new;
   cp->rop_regs = *regs;
   cp->rop_layers = layers ? *layers : (struct attila_cmd_layers){0};
   return true;
}

bool
cp_clear_color(struct cp *cp, const struct msg_rop *clear, sim_tick now)
{
   struct sim_netlist *net = &cp->box.gpu->net;
   uint32_t num_rops = cp->box.gpu->config.gpu.num_rops;
   if (!cp_can_send_all(net->cp_cw, num_rops, now))
      return false;
   struct msg_rop m = *clear;
   m.regs = &cp->rop_regs;
   cp_send_all(net->cp_cw, num_rops, &m, now);
   cp->rop_answers += num_rops;
   return true;
}

bool
cp_clear_zs(struct cp *cp, const struct msg_rop *clear, sim_tick now)
{
   struct sim_netlist *net = &cp->box.gpu->net;
   uint32_t num_rops = cp->box.gpu->config.gpu.num_rops;
   /* HZ gets clears of stencil, too: they may write to memory of which it knows another surface. */
   if (!cp_hz_forget(cp, now) || !cp_can_send_all(net->cp_zst, num_rops, now) ||
       !sim_can_send(&net->cp_hz[0], now))
      return false;
   struct msg_rop m = *clear;
   m.regs = &cp->rop_regs;
   cp_send_all(net->cp_zst, num_rops, &m, now);
   cp->rop_answers += num_rops;
   sim_send(&net->cp_hz[0], now, &m);
   cp->hz_answer = true;
   cp_hz_uses(cp);
   return true;
}

/* --- Starting --- */

static bool
cp_draw_free_overlap(const struct cp *cp)
{
   const struct sim_config *config = &cp->box.gpu->config;
   return config->cp.free_overlap && config->cp.pipelined;
}

static struct cp_draw *
cp_draw_free_draw(struct cp *cp)
{
   const struct sim_config *config = &cp->box.gpu->config;
   uint32_t limit = cp_draw_free_overlap(cp) ? config->cp.max_draws : config->cp.pipelined ? 2 : 1;
   if (cp->tiled && cp->in_flight == cp->max_draws)
      cp_pass_end_oldest(cp, SIM_PASS_draws);
   if ((cp->tiled ? cp->in_geometry : cp->in_flight) >= limit || !cp->num_free_draws)
      return NULL;
   return &cp->draws[cp->free_draws[cp->num_free_draws - 1]];
}

/* Sets the draw's number, and the map that its pixels count in: that of the first colour buffer
 * that the draw writes, or else that of the depth buffer. */
static void
cp_draw_announce(struct sim_device *device, struct sim_draw *draw)
{
   const struct emul_draw_state *s = &draw->state;
   const unsigned first = s->color_mask ? (unsigned)__builtin_ctz(s->color_mask) : 0;
   struct sim_draw_begins begins = {.width = s->regs.fb_width,
                                    .height = s->regs.fb_height,
                                    .bottom_up = !s->regs.bottom_edge_rule,
                                    .meta = (s->cmd.flags & ATTILA_DRAW_META) != 0};
   if (!s->regs.rasterizer_discard)
      begins.address =
          (s->color_mask || !s->zs_bound) ? s->regs.color[first].address : s->regs.zs_address;
   sim_observed_draw_begins(&device->observed, &begins);
   draw->number = begins.number;
   draw->map = begins.map;
}

/* Takes the snapshot of the state; false if the draw cannot run and is skipped. */
static bool
cp_draw_begin(struct cp *cp, struct cp_draw *d, const struct attila_cmd_draw *cmd, const char *note)
{
   struct sim_device *device = cp->box.gpu->device;
   struct emul_draw_state *state = &d->draw.state;
   char error[256];
   if (!sim_frontend_begin_draw(device->frontend, state, cmd, error, sizeof(error))) {
      sim_warn(&device->observed, "draw skipped: %s", error);
      return false;
   }
   cp->num_free_draws--;
   d->used = true;
   d->rops_done = 0;
   d->geometry_done = false;
   d->streams = state->stream_out != NULL;
   d->counters = sim_frontend_counters(device->frontend);
   memset(d->counted, 0, sizeof(d->counted));
   memset(d->draw.samples, 0, sizeof(d->draw.samples));
   d->draw.counters = d->counted;
   d->draw.counts = state->regs.count_samples || sim_frontend_counts_fragments(device->frontend) ||
                    emul_stage_writes(state, ATTILA_STAGE_FRAGMENT);
   d->draw.discards = &cp->discards;
   cp_draw_announce(device, &d->draw);
   struct sim_work work = {
       .kind = SIM_KIND_DRAW,
       .draw = d->draw.number,
       .meta = (cmd->flags & ATTILA_DRAW_META) != 0,
       .prim = cmd->prim,
       .count = cmd->count,
       .context = sim_frontend_context(device->frontend),
       .instances = cmd->num_instances,
       .label = sim_frontend_label(device->frontend),
       .call = note,
   };
   sim_draw_work(device, state, &work);
   d->draw.work_id = sim_work_begin(cp->box.gpu->work, &work);
   cp->starting = d;
   cp->work_id = d->draw.work_id;
   /* The command keeps its work id, since it may take longer than the draw. */
   sim_work_ref(cp->box.gpu->work, cp->work_id);
   return true;
}

/* Returns whether a draw must not overlap with those in flight. */
static bool
cp_draw_needs_idle(const struct cp *cp, const struct emul_draw_state *state)
{
   struct cp_surfaces surfaces;
   /* On a tile-based machine the Tile Fetcher waits between such draws of a bin
    * (box/tiling/tf.c). */
   if (state->late_zs != cp->late_zs && !cp->tiled)
      return true;
   if (state->regs.rasterizer_discard)
      return false;
   cp_read_surfaces(&surfaces, &state->regs, &state->layers);
   return memcmp(&surfaces, &cp->surfaces, sizeof(surfaces)) != 0;
}

/* Binds the draw's surfaces and updates HZ. No draw in its fragment phase may depend on other
 * surfaces. */
static bool
cp_draw_prepare_fragments(struct cp *cp, const struct emul_draw_state *state, sim_tick now)
{
   /* A draw without fragments touches no surface; its framebuffer registers were not even
    * checked. */
   bool zs = state->zs_bound && (state->z_test || state->stencil_test);
   if (!state->regs.rasterizer_discard &&
       !cp_bind_surfaces(cp, &state->regs, &state->layers, state->color_mask, zs, now))
      return false;
   if (!cp_hz_forget(cp, now))
      return false;
   if (!state->regs.rasterizer_discard && zs)
      cp_hz_uses(cp);
   return true;
}

static void
cp_draw_begin_geometry(struct cp *cp, struct cp_draw *d, sim_tick now)
{
   d->draw.start = now;
   sim_work_start(cp->box.gpu->work, d->draw.work_id, sim_box_time(&cp->box, now),
                  sim_draw_pipeline(cp->box.gpu->device, &d->draw.state));
   d->draw.stopped = 0;
   cp->order[(cp->first + cp->in_flight++) % cp->max_draws] = (uint32_t)(d - cp->draws);
   cp->in_geometry += cp->tiled;
   if (cp->tiled)
      cp_pass_join(cp, &d->draw);
   sim_send(&cp->box.gpu->net.cp_stf[0], now, &(struct msg_draw){.draw = &d->draw});
   cp->stat[d->draw.work_id].batches++;
}

static void
cp_draw_begin_fragments(struct cp *cp, struct cp_draw *d, sim_tick now)
{
   const struct emul_draw_state *state = &d->draw.state;
   cp->late_zs = state->late_zs;
   d->draw.hz_epoch = ++cp->hz_epoch;
   sim_send(&cp->box.gpu->net.cp_ts[0], now, &(struct msg_draw){.draw = &d->draw});
}

/* Returns whether the newest draw in flight is in its geometry phase. */
static bool
cp_draw_geometry_busy(const struct cp *cp)
{
   return cp->in_flight &&
          !cp->draws[cp->order[(cp->first + cp->in_flight - 1) % cp->max_draws]].geometry_done;
}

/* Writes a phase's buffered registers, one per cycle; true when done. */
static bool
cp_draw_write_updates(struct cp *cp, uint32_t *updates, sim_tick now)
{
   if (*updates) {
      cp->updated = now + *updates * cp->box.period;
      *updates = 0;
   }
   if (now >= cp->updated)
      return true;
   cp_again(cp, cp->updated);
   return false;
}

bool
cp_buffer_updates(struct cp *cp, uint32_t geometry, uint32_t fragment, sim_tick now)
{
   uint32_t size = cp->box.gpu->config.cp.update_buffer;
   if (cp_draw_free_overlap(cp))
      return true;
   bool geometry_idle = !cp_draw_geometry_busy(cp), fragment_idle = cp->in_flight == 0;
   if (geometry_idle && !cp_draw_write_updates(cp, &cp->geometry_updates, now))
      return false;
   if (fragment_idle && !cp_draw_write_updates(cp, &cp->fragment_updates, now))
      return false;
   /* If an empty buffer is too small, the registers are accepted all the same. */
   if ((!geometry_idle && cp->geometry_updates && cp->geometry_updates + geometry > size) ||
       (!fragment_idle && cp->fragment_updates && cp->fragment_updates + fragment > size)) {
      sim_stall_begin(&cp->wait, SIM_STAT(cp, stall_updates), now);
      return false;
   }
   sim_stall_end(&cp->wait, &cp->box, cp->work_id, now);
   cp->geometry_updates += geometry_idle ? 0 : geometry;
   cp->fragment_updates += fragment_idle ? 0 : fragment;
   return true;
}

enum {
   DRAW_BEGIN,
   DRAW_IDLE,
   DRAW_STATE,
   DRAW_MEMORY,
   DRAW_GEOMETRY,
   DRAW_FRAGMENTS,
   DRAW_FRAGMENT_STATE,
   DRAW_END
};

/* FreeOverlap: the whole state is written before the draw starts. */
static bool
cp_draw_start_free(struct cp *cp, struct cp_draw *d, sim_tick now)
{
   switch (cp->phase) {
   case DRAW_IDLE:
      cp_pass_before_draw(cp, &d->draw.state);
      if (((cp->num_ending || cp_waits(cp) || cp_draw_needs_idle(cp, &d->draw.state)) &&
           !cp_pass_out(cp, now)) ||
          !cp_storage_prepare(cp, &d->draw.state, now) ||
          !cp_stream_prepare(cp, &d->draw.state, now))
         return false;
      cp->phase = DRAW_STATE;
      /* fallthrough */
   case DRAW_STATE:
      if (!cp_pass_flush(cp, &d->draw.state, now) ||
          !cp_draw_prepare_fragments(cp, &d->draw.state, now))
         return false;
      cp->phase = DRAW_MEMORY;
      /* fallthrough */
   default:
      /* What the draw reads must be in memory, and no cache may hold an older version. */
      if (cp->writes || !cp_forget_written(cp, now) ||
          !sim_can_send(&cp->box.gpu->net.cp_stf[0], now) ||
          !sim_can_send(&cp->box.gpu->net.cp_ts[0], now))
         return false;
      cp_draw_begin_geometry(cp, d, now);
      cp_draw_begin_fragments(cp, d, now);
      if (d->draw.state.storage_writers)
         cp_pass_end_by_command(cp); /* what it writes may be read by anything */
      return true;
   }
}

/* Without FreeOverlap: one draw per phase. The command ends when its fragment phase begins, so the
 * next draw finds at most this one in flight. */
static bool
cp_draw_start_phases(struct cp *cp, struct cp_draw *d, sim_tick now)
{
   struct sim_netlist *net = &cp->box.gpu->net;
   switch (cp->phase) {
   case DRAW_IDLE:
      if (!cp_storage_prepare(cp, &d->draw.state, now) ||
          !cp_stream_prepare(cp, &d->draw.state, now))
         return false;
      /* fallthrough */
   case DRAW_MEMORY:
      cp->phase = DRAW_MEMORY;
      if (cp->writes || !cp_forget_written(cp, now))
         return false;
      cp->phase = DRAW_GEOMETRY;
      /* fallthrough */
   case DRAW_GEOMETRY:
      if (cp_draw_geometry_busy(cp)) {
         sim_stall_begin(&cp->wait, SIM_STAT(cp, wait_geometry), now);
         return false;
      }
      sim_stall_end(&cp->wait, &cp->box, cp->work_id, now);
      if (!cp_draw_write_updates(cp, &cp->geometry_updates, now) ||
          !sim_can_send(&net->cp_stf[0], now))
         return false;
      cp_draw_begin_geometry(cp, d, now);
      cp->phase = DRAW_FRAGMENTS;
      /* fallthrough */
   case DRAW_FRAGMENTS:
      if (cp->in_flight > 1) {
         sim_stall_begin(&cp->wait, SIM_STAT(cp, wait_fragments), now);
         return false;
      }
      sim_stall_end(&cp->wait, &cp->box, cp->work_id, now);
      cp->phase = DRAW_FRAGMENT_STATE;
      /* fallthrough */
   case DRAW_FRAGMENT_STATE:
      if (!cp_draw_prepare_fragments(cp, &d->draw.state, now) ||
          !cp_draw_write_updates(cp, &cp->fragment_updates, now) ||
          !sim_can_send(&net->cp_ts[0], now))
         return false;
      cp_draw_begin_fragments(cp, d, now);
      cp->phase = DRAW_END;
      /* fallthrough */
   default:
      return cp->box.gpu->config.cp.pipelined || cp->in_flight == 0;
   }
}

bool
cp_exec_draw(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   if (cp->phase == DRAW_BEGIN) {
      const struct attila_cmd_draw cmd =
          sim_frontend_draw_command(cp->box.gpu->device->frontend, payload);
      if (cmd.count == 0 || cmd.num_instances == 0)
         return true;
      if (!sim_frontend_draws(cp->box.gpu->device->frontend, cmd.flags)) {
         cp->stat[cp->work_id].skipped++;
         return true;
      }
      struct cp_draw *d = cp_draw_free_draw(cp);
      if (!d) {
         /* The work id of a draw that retired in this cycle is free in the next. */
         if (cp->num_retired)
            cp_again(cp, now + cp->box.period);
         sim_stall_begin(&cp->wait, SIM_STAT(cp, stall_draws), now);
         return false;
      }
      if (!cp_draw_begin(cp, d, &cmd, attila_cmd_draw_note(payload, cp->words - 1))) {
         cp->wait.on = false;
         return true;
      }
      sim_stall_end(&cp->wait, &cp->box, cp->work_id, now);
      cp->phase = DRAW_IDLE;
   }
   return cp_draw_free_overlap(cp) ? cp_draw_start_free(cp, cp->starting, now)
                                   : cp_draw_start_phases(cp, cp->starting, now);
}

void
cp_probe(const struct sim_box *b, struct sim_probe *l)
{
   const struct cp *cp = (const struct cp *)b;
   const struct sim_draw *oldest = &cp->draws[cp->order[cp->first]].draw;
   l->drawing = cp->in_flight != 0;
   l->draw = oldest->number;
   if (l->drawing)
      l->regs = &oldest->state.regs;
   else if (cp->surfaces.width)
      l->regs = &cp->rop_regs;
}
