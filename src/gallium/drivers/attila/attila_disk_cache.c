/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Compiled shaders on disk. Mesa (util/disk_cache.h) handles files, sizes and sharing; this file
 * defines keys and contents. A key has the NIR that the compiler gets, the variant, and the
 * parameters of shader units on which the choice of code depends; other state is lowered into the
 * NIR. The cache as a whole belongs to one build of driver and compiler. */
#include "attila_disk_cache.h"

#include "attila_compiler.h"
#include "attila_screen.h"
#include "compiler/nir/nir_serialize.h"
#include "util/blob.h"
#include "util/mesa-sha1.h"

/* Flags that only print the compiler's output. */
#define HARMLESS_DEBUG (ATTILA_DEBUG_ISA | ATTILA_DEBUG_STATS)

void
attila_disk_cache_open(struct attila_screen *screen)
{
   struct mesa_sha1 ctx;
   unsigned char sha1[SHA1_DIGEST_LENGTH];
   char id[SHA1_DIGEST_STRING_LENGTH];

   if (screen->debug & ATTILA_DEBUG_COMPILER & ~HARMLESS_DEBUG)
      return;
   _mesa_sha1_init(&ctx);
   if (!disk_cache_get_function_identifier(attila_disk_cache_open, &ctx))
      return;
   _mesa_sha1_final(&ctx, sha1);
   _mesa_sha1_format(id, sha1);
   screen->disk_cache = disk_cache_create("attila", id, 0);
}

void
attila_disk_cache_key(struct attila_screen *screen, const nir_shader *nir,
                      const struct attila_compile_options *options, cache_key key)
{
   struct blob blob;
   blob_init(&blob);
   /* Serialise without names, which change nothing, but with lines, which are reported. */
   nir_serialize(&blob, nir, true);
   blob_write_bytes(&blob, &options->variant, sizeof(options->variant));
   blob_write_bytes(&blob, &options->machine, sizeof(options->machine));
   disk_cache_compute_key(screen->disk_cache, blob.data, blob.size, key);
   blob_finish(&blob);
}

bool
attila_disk_cache_load(struct attila_screen *screen, const cache_key key,
                       struct attila_compiled *compiled)
{
   size_t size;
   char error[200];
   void *data = disk_cache_get(screen->disk_cache, key, &size);
   if (!data)
      return false;
   struct blob_reader reader;
   blob_reader_init(&reader, data, size);
   blob_copy_bytes(&reader, compiled, sizeof(*compiled));
   memset(&compiled->isa, 0, sizeof(compiled->isa));
   const uint32_t num = blob_read_uint32(&reader);
   const uint32_t *lines = blob_read_bytes(&reader, (size_t)num * sizeof(*lines));
   const size_t left = reader.end - reader.current;
   const bool loaded =
       !reader.overrun &&
       attila_isa_decode(reader.current, left, &compiled->isa, error, sizeof(error)) &&
       compiled->isa.num_instrs == num;
   for (uint32_t i = 0; loaded && i < num; i++)
      compiled->isa.instrs[i].line = lines[i];
   if (!loaded)
      memset(compiled, 0, sizeof(*compiled));
   free(data);
   return loaded;
}

void
attila_disk_cache_store(struct attila_screen *screen, const cache_key key,
                        const struct attila_compiled *compiled)
{
   /* An entry is the struct without its pointers, as in memory, since only this build reads it;
    * then the lines of instructions; then the binary, which lacks lines. */
   struct attila_compiled layout = *compiled;
   struct blob blob;
   const size_t size = attila_isa_encoded_size(&compiled->isa);
   memset(&layout.isa, 0, sizeof(layout.isa));
   blob_init(&blob);
   blob_write_bytes(&blob, &layout, sizeof(layout));
   blob_write_uint32(&blob, compiled->isa.num_instrs);
   for (uint32_t i = 0; i < compiled->isa.num_instrs; i++)
      blob_write_uint32(&blob, compiled->isa.instrs[i].line);
   const intptr_t program = blob_reserve_bytes(&blob, size);
   if (program >= 0) {
      attila_isa_encode(&compiled->isa, blob.data + program);
      disk_cache_put(screen->disk_cache, key, blob.data, blob.size, NULL);
   }
   blob_finish(&blob);
}
