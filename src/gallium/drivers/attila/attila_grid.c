/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Grids: glDispatchCompute. The GPU runs a grid between draws, so
 * barriers need no command (box/command/cp_grid.c). While a grid is recorded, its program takes the
 * place of those of draws; the units of its textures are those of the fragment stage. */
#include "attila_init.h"

#include "attila_buffer.h"
#include "attila_coherence.h"
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_debug_marker.h"
#include "attila_emit.h"
#include "attila_query.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "attila_shader.h"

/* Makes the buffer with the number of workgroups ready; false: it is too short. */
static bool
attila_grid_indirect(struct attila_context *ctx, const struct pipe_grid_info *info,
                     struct attila_cmd_dispatch *cmd)
{
   struct attila_resource *buffer = attila_resource(info->indirect);
   const uint64_t end = (uint64_t)info->indirect_offset + sizeof(cmd->groups);
   if (end > buffer->base.width0)
      return false;
   attila_buffer_written(&ctx->cs, buffer, buffer->valid.end, end, false);
   attila_buffer_upload(&ctx->cs, buffer);
   cmd->address = buffer->bo.address + info->indirect_offset;
   cmd->flags |= ATTILA_DRAW_INDIRECT;
   return true;
}

static void
attila_grid_emit(struct attila_context *ctx, const struct pipe_grid_info *info)
{
   struct attila_cmd_dispatch cmd = {
       .flags = ctx->draws_conditionally ? ATTILA_DRAW_CONDITIONAL : 0,
   };
   if (info->indirect ? !attila_grid_indirect(ctx, info, &cmd)
                      : !info->grid[0] || !info->grid[1] || !info->grid[2])
      return;
   if (!info->indirect)
      memcpy(cmd.groups, info->grid, sizeof(cmd.groups));
   if (!attila_emit_grid_state(ctx))
      return;
   memcpy(attila_cs_emit(&ctx->cs, ATTILA_CMD_DISPATCH, sizeof(cmd) / 4), &cmd, sizeof(cmd));
   attila_note_call(ctx);
   if (info->indirect)
      attila_resource_use(&ctx->cs, attila_resource(info->indirect));
   attila_grid_recorded(ctx);
}

static void
attila_grid_launch(struct pipe_context *pctx, const struct pipe_grid_info *info)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_program *of_draws[ATTILA_NUM_STAGES];
   attila_cs_own(&ctx->cs);
   if (!attila_draw_condition(ctx, &ctx->draws_conditionally))
      return;
   memcpy(of_draws, ctx->state.program, sizeof(of_draws));
   memset(ctx->state.program, 0, sizeof(ctx->state.program));
   attila_grid_emit(ctx, info);
   memcpy(ctx->state.program, of_draws, sizeof(of_draws));
}

void
attila_init_context_grids(struct attila_context *ctx)
{
   ctx->base.launch_grid = attila_grid_launch;
}
