/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The two copies of a shared texture, in GPU memory and outside. Nothing reports writes outside. So
 * that copy is hashed before the first use of the texture after a submission, and uploaded only if
 * it has changed. Writes of the GPU are copied outside when the application flushes. Hashing takes
 * no simulated time; copies cross the system bus like any other, except frames that SWAP scans
 * out. */
#include "attila_dmabuf_sync.h"

#include <errno.h>
#include <sys/ioctl.h>
#include "attila_cs.h"
#include "attila_dmabuf.h"
#include "attila_rect.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "drm-uapi/dma-buf.h"
#include "frontend/sw_winsys.h"
#include "util/log.h"
#include "util/u_atomic.h"
#include "util/u_inlines.h"
#define XXH_INLINE_ALL
#include "util/xxhash.h"

/* --- Access to it --- */

/* Synchronises with the caches of other devices. On a file that is no dmabuf this fails, and is not
 * needed. */
static void
attila_dmabuf_synchronise(const struct attila_dmabuf *shared, uint64_t flags)
{
   struct dma_buf_sync sync = {.flags = flags};
   int result;
   do
      result = ioctl(shared->fd, DMA_BUF_IOCTL_SYNC, &sync);
   while (result < 0 && (errno == EINTR || errno == EAGAIN));
}

static uint8_t *
attila_dmabuf_begin_access(const struct attila_resource *res, bool write)
{
   const struct attila_dmabuf *shared = res->dmabuf;
   struct sw_winsys *winsys = attila_winsys(res->base.screen);
   if (!shared->map)
      return winsys->displaytarget_map(winsys, res->dt, write ? PIPE_MAP_WRITE : PIPE_MAP_READ);
   if (write && shared->read_only)
      return NULL;
   attila_dmabuf_synchronise(shared,
                             DMA_BUF_SYNC_START | (write ? DMA_BUF_SYNC_RW : DMA_BUF_SYNC_READ));
   return shared->map + shared->offset;
}

static void
attila_dmabuf_end_access(const struct attila_resource *res, bool write)
{
   const struct attila_dmabuf *shared = res->dmabuf;
   struct sw_winsys *winsys = attila_winsys(res->base.screen);
   if (!shared->map)
      winsys->displaytarget_unmap(winsys, res->dt);
   else
      attila_dmabuf_synchronise(shared,
                                DMA_BUF_SYNC_END | (write ? DMA_BUF_SYNC_RW : DMA_BUF_SYNC_READ));
}

static uint64_t
attila_dmabuf_hash_image(const struct attila_resource *res, const uint8_t *map)
{
   const struct attila_rect image = attila_whole_image(res);
   uint64_t hash = 0;
   for (unsigned y = 0; y < image.height; y++)
      hash = XXH64(map + (size_t)y * res->dmabuf->stride, image.width * res->element_bytes, hash);
   return hash;
}

/* --- The two copies --- */

/* Notes that both are equal. */
static void
attila_dmabuf_remember(struct attila_screen *screen, struct attila_dmabuf *shared, uint64_t hash)
{
   shared->hash = hash;
   shared->known = true;
   shared->checked = p_atomic_read(&screen->num_submissions);
}

void
attila_dmabuf_accept(struct attila_screen *screen, struct attila_resource *res)
{
   const uint8_t *map = attila_dmabuf_begin_access(res, false);
   if (!map)
      return;
   attila_dmabuf_remember(screen, res->dmabuf, attila_dmabuf_hash_image(res, map));
   attila_dmabuf_end_access(res, false);
}

void
attila_dmabuf_recheck(struct attila_resource *res)
{
   res->dmabuf->checked = ATTILA_DMABUF_NEVER;
}

void
attila_dmabuf_import(struct attila_cs *cs, struct attila_resource *res)
{
   struct attila_dmabuf *shared = res->dmabuf;
   if (!shared || shared->writers || shared->checked == p_atomic_read(&cs->screen->num_submissions))
      return;
   const uint8_t *map = attila_dmabuf_begin_access(res, false);
   if (!map)
      return;
   /* Hashes first, so that an outside write during the upload is noticed next time. */
   const uint64_t hash = attila_dmabuf_hash_image(res, map);
   const bool changed = !shared->known || hash != shared->hash;
   if (changed) {
      const struct attila_rect image = attila_whole_image(res);
      attila_upload_rect(cs, res, 0, 0, &image, map, shared->stride);
   }
   attila_dmabuf_end_access(res, false);
   attila_dmabuf_remember(cs->screen, shared, hash);
}

void
attila_dmabuf_export(struct attila_cs *cs, struct attila_resource *res, bool scanned_out)
{
   struct attila_dmabuf *shared = res->dmabuf;
   const struct attila_rect image = attila_whole_image(res);
   uint8_t *map = attila_dmabuf_begin_access(res, true);
   if (!map) {
      mesa_loge_once("attila: cannot write to a shared texture's memory: what was drawn stays "
                     "in the GPU");
      return;
   }
   attila_download_rect(cs, res, 0, 0, &image, map, shared->stride, scanned_out);
   attila_dmabuf_remember(cs->screen, shared, attila_dmabuf_hash_image(res, map));
   attila_dmabuf_end_access(res, true);
   shared->due = false;
}

static void
attila_dmabuf_release_written(struct pipe_resource **resource)
{
   p_atomic_dec(&attila_resource(*resource)->dmabuf->writers);
   pipe_resource_reference(resource, NULL);
}

void
attila_dmabuf_flush(struct attila_cs *cs, const struct attila_resource *except)
{
   struct pipe_resource **list = util_dynarray_begin(&cs->dmabufs_written);
   const unsigned num = util_dynarray_num_elements(&cs->dmabufs_written, struct pipe_resource *);
   unsigned kept = 0;
   for (unsigned i = 0; i < num; i++) {
      struct attila_resource *res = attila_resource(list[i]);
      if (res == except || (res->dmabuf->explicit_flush && !res->dmabuf->due)) {
         list[kept++] = list[i];
      } else {
         attila_dmabuf_export(cs, res, false);
         attila_dmabuf_release_written(&list[i]);
      }
   }
   cs->dmabufs_written.size = kept * sizeof(*list);
}

void
attila_dmabuf_present(struct attila_cs *cs, struct attila_resource *res)
{
   struct pipe_resource **list = util_dynarray_begin(&cs->dmabufs_written);
   const unsigned num = util_dynarray_num_elements(&cs->dmabufs_written, struct pipe_resource *);
   for (unsigned i = 0; i < num; i++) {
      if (list[i] == &res->base) {
         attila_dmabuf_export(cs, res, true);
         attila_dmabuf_release_written(&list[i]);
         list[i] = list[num - 1];
         cs->dmabufs_written.size -= sizeof(*list);
         return;
      }
   }
}

void
attila_dmabuf_forget(struct attila_cs *cs)
{
   util_dynarray_foreach(&cs->dmabufs_written, struct pipe_resource *, resource)
       attila_dmabuf_release_written(resource);
   util_dynarray_fini(&cs->dmabufs_written);
}
