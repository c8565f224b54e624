/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The two copies of a shared texture. Nobody tells the driver that somebody outside has written,
 * so the outside copy is hashed before the texture's first use after a submission: only when it
 * has changed is it uploaded. What the GPU has written goes outside when the application flushes.
 * Hashing costs no simulated time; the copies are uploads and reads over the system bus like any
 * other, but for a frame that SWAP scans out. Not here: handles (attila_dmabuf_handle.c).
 */
#include "attila_dmabuf.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "attila_context.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "attila_transfer.h"
#include "drm-uapi/dma-buf.h"
#include "frontend/sw_winsys.h"
#include "util/log.h"
#include "util/os_file.h"
#include "util/u_atomic.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#define XXH_INLINE_ALL
#include "util/xxhash.h"

#define NEVER UINT64_MAX /* attila_shared.checked */
#define NEW_STRIDE_ALIGN 64

static struct attila_rect
whole_image(const struct attila_resource *res)
{
   return (struct attila_rect){.width = DIV_ROUND_UP(res->base.width0, res->block_width),
                               .height = DIV_ROUND_UP(res->base.height0, res->block_height)};
}

/* --- The memory --- */

static bool
add_shared(struct attila_screen *screen, struct attila_resource *res, struct attila_shared *shared)
{
   shared->explicit_flush = true;
   shared->checked = NEVER;
   res->shared = MALLOC_STRUCT(attila_shared);
   if (!res->shared)
      return false;
   *res->shared = *shared;
   p_atomic_inc(&screen->num_shared);
   return true;
}

bool
attila_shared_use_target(struct attila_screen *screen, struct attila_resource *res)
{
   struct attila_shared shared = {.fd = -1, .stride = res->dt_stride};
   /* A device cannot map what another one made. */
   if (!screen->winsys->displaytarget_map(screen->winsys, res->dt, PIPE_MAP_WRITE))
      return false;
   screen->winsys->displaytarget_unmap(screen->winsys, res->dt);
   return add_shared(screen, res, &shared);
}

/* The image must lie in the memory: its size is all that is known of somebody else's dmabuf. */
static bool
lies_inside(const struct attila_resource *res, const struct attila_shared *shared)
{
   const struct attila_rect image = whole_image(res);
   const uint64_t row = image.width * res->element_bytes;
   const uint64_t end = shared->offset + (uint64_t)shared->stride * (image.height - 1) + row;
   return shared->stride >= row && end <= shared->map_size;
}

bool
attila_shared_use_fd(struct attila_screen *screen, struct attila_resource *res, int fd,
                     unsigned offset, unsigned stride, bool write)
{
   const off_t size = lseek(fd, 0, SEEK_END);
   struct attila_shared shared = {.fd = -1,
                                  .offset = offset,
                                  .stride = stride,
                                  .map_size = size > 0 ? size : 0,
                                  .read_only = !write};
   if (!lies_inside(res, &shared))
      return false;
   shared.map =
       mmap(NULL, shared.map_size, PROT_READ | (write ? PROT_WRITE : 0), MAP_SHARED, fd, 0);
   if (shared.map == MAP_FAILED)
      return false;
   shared.fd = os_dupfd_cloexec(fd);
   if (shared.fd >= 0 && add_shared(screen, res, &shared))
      return true;
   munmap(shared.map, shared.map_size);
   if (shared.fd >= 0)
      close(shared.fd);
   return false;
}

bool
attila_shared_use_new_dmabuf(struct attila_screen *screen, struct attila_resource *res)
{
   const struct attila_rect image = whole_image(res);
   const unsigned stride = ALIGN_POT(image.width * res->element_bytes, NEW_STRIDE_ALIGN);
   /* The kernel makes a dmabuf of whole pages that cannot be taken away. */
   const long page = sysconf(_SC_PAGESIZE);
   const size_t size = ALIGN_POT((size_t)stride * image.height, (size_t)page);
   const int memory = memfd_create("attila", MFD_CLOEXEC | MFD_ALLOW_SEALING);
   if (memory < 0)
      return false;
   int fd = -1;
   if (!ftruncate(memory, size) && fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK) >= 0) {
      struct udmabuf_create create = {
          .memfd = memory, .flags = UDMABUF_FLAGS_CLOEXEC, .offset = 0, .size = size};
      fd = ioctl(screen->udmabuf_fd, UDMABUF_CREATE, &create);
   }
   close(memory);
   const bool ok = fd >= 0 && attila_shared_use_fd(screen, res, fd, 0, stride, true);
   if (fd >= 0)
      close(fd);
   return ok;
}

void
attila_shared_finish(struct attila_screen *screen, struct attila_resource *res)
{
   struct attila_shared *shared = res->shared;
   if (!shared)
      return;
   if (shared->map)
      munmap(shared->map, shared->map_size);
   if (shared->fd >= 0)
      close(shared->fd);
   FREE(shared);
   res->shared = NULL;
   p_atomic_dec(&screen->num_shared);
}

/* --- Access to it --- */

/* Other devices' caches; a file that is no dmabuf has none and refuses. */
static void
synchronise(const struct attila_shared *shared, uint64_t flags)
{
   struct dma_buf_sync sync = {.flags = flags};
   int result;
   do
      result = ioctl(shared->fd, DMA_BUF_IOCTL_SYNC, &sync);
   while (result < 0 && (errno == EINTR || errno == EAGAIN));
}

static uint8_t *
begin_access(struct attila_screen *screen, const struct attila_resource *res, bool write)
{
   const struct attila_shared *shared = res->shared;
   if (!shared->map)
      return screen->winsys->displaytarget_map(screen->winsys, res->dt,
                                               write ? PIPE_MAP_WRITE : PIPE_MAP_READ);
   if (write && shared->read_only)
      return NULL;
   synchronise(shared, DMA_BUF_SYNC_START | (write ? DMA_BUF_SYNC_RW : DMA_BUF_SYNC_READ));
   return shared->map + shared->offset;
}

static void
end_access(struct attila_screen *screen, const struct attila_resource *res, bool write)
{
   const struct attila_shared *shared = res->shared;
   if (!shared->map)
      screen->winsys->displaytarget_unmap(screen->winsys, res->dt);
   else
      synchronise(shared, DMA_BUF_SYNC_END | (write ? DMA_BUF_SYNC_RW : DMA_BUF_SYNC_READ));
}

static uint64_t
hash_image(const struct attila_resource *res, const uint8_t *map)
{
   const struct attila_rect image = whole_image(res);
   uint64_t hash = 0;
   for (unsigned y = 0; y < image.height; y++)
      hash = XXH64(map + (size_t)y * res->shared->stride, image.width * res->element_bytes, hash);
   return hash;
}

/* --- The two copies --- */

/* Both are the same now. */
static void
remember(struct attila_screen *screen, struct attila_shared *shared, uint64_t hash)
{
   shared->hash = hash;
   shared->known = true;
   shared->checked = p_atomic_read(&screen->num_submissions);
}

void
attila_shared_accept(struct attila_screen *screen, struct attila_resource *res)
{
   const uint8_t *map = begin_access(screen, res, false);
   if (!map)
      return;
   remember(screen, res->shared, hash_image(res, map));
   end_access(screen, res, false);
}

void
attila_shared_recheck(struct attila_resource *res)
{
   res->shared->checked = NEVER;
}

void
attila_shared_import(struct attila_context *ctx, struct attila_resource *res)
{
   struct attila_shared *shared = res->shared;
   if (!shared || shared->writers ||
       shared->checked == p_atomic_read(&ctx->screen->num_submissions))
      return;
   const uint8_t *map = begin_access(ctx->screen, res, false);
   if (!map)
      return;
   /* The hash first: what is written outside during the upload is seen the next time. */
   const uint64_t hash = hash_image(res, map);
   const bool changed = !shared->known || hash != shared->hash;
   if (changed) {
      const struct attila_rect image = whole_image(res);
      attila_upload_rect(ctx, res, 0, 0, &image, map, shared->stride);
   }
   end_access(ctx->screen, res, false);
   remember(ctx->screen, shared, hash);
}

void
attila_shared_import_bound(struct attila_context *ctx)
{
   if (!p_atomic_read(&ctx->screen->num_shared))
      return;
   const struct pipe_framebuffer_state *fb = &ctx->framebuffer;
   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      if (fb->cbufs[i])
         attila_shared_import(ctx, attila_resource(fb->cbufs[i]->texture));
   }
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      const struct attila_textures *textures = &ctx->textures[s];
      for (unsigned i = 0; i < textures->num_views; i++) {
         if (textures->views[i])
            attila_shared_import(ctx, attila_resource(textures->views[i]->texture));
      }
   }
}

void
attila_shared_written(struct attila_context *ctx, struct attila_resource *res)
{
   util_dynarray_foreach(&ctx->shared_written, struct pipe_resource *, known)
   {
      if (*known == &res->base)
         return;
   }
   struct pipe_resource *reference = NULL;
   pipe_resource_reference(&reference, &res->base);
   util_dynarray_append(&ctx->shared_written, struct pipe_resource *, reference);
   p_atomic_inc(&res->shared->writers);
}

void
attila_shared_export(struct attila_context *ctx, struct attila_resource *res, bool scanned_out)
{
   struct attila_shared *shared = res->shared;
   const struct attila_rect image = whole_image(res);
   uint8_t *map = begin_access(ctx->screen, res, true);
   if (!map) {
      mesa_loge_once("attila: cannot write to a shared texture's memory: what was drawn stays "
                     "in the GPU");
      return;
   }
   attila_download_rect(ctx, res, 0, 0, &image, map, shared->stride, scanned_out);
   remember(ctx->screen, shared, hash_image(res, map));
   end_access(ctx->screen, res, true);
   shared->due = false;
}

static void
release_written(struct pipe_resource **resource)
{
   p_atomic_dec(&attila_resource(*resource)->shared->writers);
   pipe_resource_reference(resource, NULL);
}

void
attila_shared_flush(struct attila_context *ctx, const struct attila_resource *except)
{
   struct pipe_resource **list = util_dynarray_begin(&ctx->shared_written);
   const unsigned num = util_dynarray_num_elements(&ctx->shared_written, struct pipe_resource *);
   unsigned kept = 0;
   for (unsigned i = 0; i < num; i++) {
      struct attila_resource *res = attila_resource(list[i]);
      if (res == except || (res->shared->explicit_flush && !res->shared->due)) {
         list[kept++] = list[i];
      } else {
         attila_shared_export(ctx, res, false);
         release_written(&list[i]);
      }
   }
   ctx->shared_written.size = kept * sizeof(*list);
}

void
attila_shared_present(struct attila_context *ctx, struct attila_resource *res)
{
   struct pipe_resource **list = util_dynarray_begin(&ctx->shared_written);
   const unsigned num = util_dynarray_num_elements(&ctx->shared_written, struct pipe_resource *);
   for (unsigned i = 0; i < num; i++) {
      if (list[i] == &res->base) {
         attila_shared_export(ctx, res, true);
         release_written(&list[i]);
         list[i] = list[num - 1];
         ctx->shared_written.size -= sizeof(*list);
         return;
      }
   }
}

void
attila_shared_forget(struct attila_context *ctx)
{
   util_dynarray_foreach(&ctx->shared_written, struct pipe_resource *, resource)
       release_written(resource);
   util_dynarray_fini(&ctx->shared_written);
}
