/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The memory of textures that other processes and devices see. Not here: copies to and from the GPU
 * (attila_dmabuf_sync.c), handles (attila_dmabuf_handle.c). */
#include "attila_dmabuf.h"

#include <fcntl.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "attila_cs.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "frontend/sw_winsys.h"
#include "util/os_file.h"
#include "util/u_atomic.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#define NEW_STRIDE_ALIGN 64

/* --- The memory --- */

static bool
attila_dmabuf_add_shared(struct attila_screen *screen, struct attila_resource *res,
                         struct attila_dmabuf *shared)
{
   shared->explicit_flush = true;
   shared->checked = ATTILA_DMABUF_NEVER;
   res->dmabuf = MALLOC_STRUCT(attila_dmabuf);
   if (!res->dmabuf)
      return false;
   *res->dmabuf = *shared;
   p_atomic_inc(&screen->num_dmabufs);
   return true;
}

bool
attila_dmabuf_use_target(struct attila_screen *screen, struct attila_resource *res)
{
   struct attila_dmabuf shared = {.fd = -1, .stride = res->dt_stride};
   struct sw_winsys *winsys = attila_winsys(res->base.screen);
   /* A device cannot map another one's memory. */
   if (!winsys->displaytarget_map(winsys, res->dt, PIPE_MAP_WRITE))
      return false;
   winsys->displaytarget_unmap(winsys, res->dt);
   return attila_dmabuf_add_shared(screen, res, &shared);
}

/* Checks that the image lies inside a foreign dmabuf, of which only the size is known. */
static bool
attila_dmabuf_lies_inside(const struct attila_resource *res, const struct attila_dmabuf *shared)
{
   const struct attila_rect image = attila_whole_image(res);
   const uint64_t row = image.width * res->element_bytes;
   const uint64_t end = shared->offset + (uint64_t)shared->stride * (image.height - 1) + row;
   return shared->stride >= row && end <= shared->map_size;
}

bool
attila_dmabuf_use_fd(struct attila_screen *screen, struct attila_resource *res, int fd,
                     unsigned offset, unsigned stride, bool write)
{
   const off_t size = lseek(fd, 0, SEEK_END);
   struct attila_dmabuf shared = {.fd = -1,
                                  .offset = offset,
                                  .stride = stride,
                                  .map_size = size > 0 ? size : 0,
                                  .read_only = !write};
   if (!attila_dmabuf_lies_inside(res, &shared))
      return false;
   shared.map =
       mmap(NULL, shared.map_size, PROT_READ | (write ? PROT_WRITE : 0), MAP_SHARED, fd, 0);
   if (shared.map == MAP_FAILED)
      return false;
   shared.fd = os_dupfd_cloexec(fd);
   if (shared.fd >= 0 && attila_dmabuf_add_shared(screen, res, &shared))
      return true;
   munmap(shared.map, shared.map_size);
   if (shared.fd >= 0)
      close(shared.fd);
   return false;
}

bool
attila_dmabuf_use_new_dmabuf(struct attila_screen *screen, struct attila_resource *res)
{
   const struct attila_rect image = attila_whole_image(res);
   const unsigned stride = ALIGN_POT(image.width * res->element_bytes, NEW_STRIDE_ALIGN);
   /* The kernel makes dmabufs of whole, locked pages. */
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
   const bool ok = fd >= 0 && attila_dmabuf_use_fd(screen, res, fd, 0, stride, true);
   if (fd >= 0)
      close(fd);
   return ok;
}

void
attila_dmabuf_finish(struct attila_screen *screen, struct attila_resource *res)
{
   struct attila_dmabuf *shared = res->dmabuf;
   if (!shared)
      return;
   if (shared->map)
      munmap(shared->map, shared->map_size);
   if (shared->fd >= 0)
      close(shared->fd);
   FREE(shared);
   res->dmabuf = NULL;
   p_atomic_dec(&screen->num_dmabufs);
}

void
attila_dmabuf_written(struct attila_cs *cs, struct attila_resource *res)
{
   util_dynarray_foreach(&cs->dmabufs_written, struct pipe_resource *, known)
   {
      if (*known == &res->base)
         return;
   }
   struct pipe_resource *reference = NULL;
   pipe_resource_reference(&reference, &res->base);
   util_dynarray_append(&cs->dmabufs_written, struct pipe_resource *, reference);
   p_atomic_inc(&res->dmabuf->writers);
}
