/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The simulator's version, for --version and records of runs. */
#ifndef SIM_VERSION_H
#define SIM_VERSION_H

/* Release and commit: "0.2.0 (1a2b3c4)"; "-dirty": with uncommitted changes. */
extern const char sim_version[];

#endif
