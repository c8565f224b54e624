/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Dynamic voltage and frequency scaling: a policy, chosen in the .ini, changes frequency and
 * voltage of domains while the machine runs (dvfs.md). Pixels never change. Not here: the units of
 * a domain (config/sim_dvfs_config.h), how a domain runs slower (core/sim_dvfs.h). */
#ifndef DVFS_H
#define DVFS_H

#include "box/sim_gpu.h"

struct dvfs;

/* Creates the policy of a machine with DVFS domains; call it after the report was made. Returns
 * NULL with a message on failure. */
struct dvfs *dvfs_create(struct sim_gpu *gpu, char *error, size_t error_size);
/* Announces domains and their clocks, also to a listener that was connected later. */
void dvfs_announce(struct dvfs *d);
void dvfs_destroy(struct dvfs *d);

#endif
