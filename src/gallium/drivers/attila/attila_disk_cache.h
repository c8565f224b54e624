/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Compiled shaders on disk, in Mesa's shader cache. */
#ifndef ATTILA_DISK_CACHE_H
#define ATTILA_DISK_CACHE_H

#include <stdbool.h>
#include "util/disk_cache.h"

struct attila_compile_options;
struct attila_compiled;
struct attila_screen;
struct nir_shader;

/* Without a cache (MESA_SHADER_CACHE_DISABLE, or debug flags that need the compiler)
 * screen->disk_cache is NULL. */
void attila_disk_cache_open(struct attila_screen *screen);

/* Makes the key of a shader compiled with these options, as far as they change code. Needs a
 * cache. */
void attila_disk_cache_key(struct attila_screen *screen, const struct nir_shader *nir,
                           const struct attila_compile_options *options, cache_key key);
/* Returns false if the entry is missing or damaged; else the caller owns the contents of
 * compiled. */
bool attila_disk_cache_load(struct attila_screen *screen, const cache_key key,
                            struct attila_compiled *compiled);
void attila_disk_cache_store(struct attila_screen *screen, const cache_key key,
                             const struct attila_compiled *compiled);

#endif
