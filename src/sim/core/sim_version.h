/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which simulator this is, for --version and the records of runs.
 */
#ifndef SIM_VERSION_H
#define SIM_VERSION_H

/* Release and commit: "0.2.0 (1a2b3c4)"; "-dirty": with changes that are not committed. */
extern const char sim_version[];

#endif
