/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Contents from outside the GPU: windows' front buffers and shared textures. */
#include "attila_front.h"

#include <string.h>
#include "attila_cs.h"
#include "attila_dmabuf.h"
#include "attila_dmabuf_sync.h"
#include "attila_rect.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "frontend/sw_winsys.h"
#include "util/u_memory.h"

/* Copies the display target before the window is read. Returns NULL if the GPU does not have its
 * contents yet. */
static uint8_t *
attila_front_copy_display_target(struct sw_winsys *winsys, const struct attila_resource *res,
                                 size_t size)
{
   uint8_t *copy = attila_is_defined(res, 0, 0) ? MALLOC(size) : NULL;
   const uint8_t *map = copy ? winsys->displaytarget_map(winsys, res->dt, 0) : NULL;
   if (map) {
      memcpy(copy, map, size);
      winsys->displaytarget_unmap(winsys, res->dt);
      return copy;
   }
   FREE(copy);
   return NULL;
}

/* Nothing reports what other clients draw, so the window is read each time; only changed contents
 * are uploaded. */
void
attila_front_import(struct attila_cs *cs, struct attila_resource *res)
{
   struct sw_winsys *winsys = attila_winsys(res->base.screen);
   attila_dmabuf_import(cs, res);
   if (!res->is_front || !res->dt || res->front_rendered)
      return;
   const size_t size = (size_t)res->dt_stride * res->base.height0;
   uint8_t *known = attila_front_copy_display_target(winsys, res, size);
   const uint8_t *map = winsys->displaytarget_map(winsys, res->dt, PIPE_MAP_READ);
   if (map) {
      struct attila_rect all = {0, 0, res->base.width0, res->base.height0};
      if (!known || memcmp(known, map, size))
         attila_upload_rect(cs, res, 0, 0, &all, map, res->dt_stride);
      winsys->displaytarget_unmap(winsys, res->dt);
   }
   FREE(known);
}

void
attila_front_write(struct attila_cs *cs, struct attila_resource *res, bool whole)
{
   if (!whole)
      attila_front_import(cs, res);
   res->front_rendered = res->is_front;
   if (res->dmabuf)
      attila_dmabuf_written(cs, res);
}
