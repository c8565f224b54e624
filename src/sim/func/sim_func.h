/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The functional mode: executes commands with the emulators directly, without time.
 */
#ifndef SIM_FUNC_H
#define SIM_FUNC_H

#include "decode/sim_frontend.h"

struct sim_func;

/* NULL: out of host memory. The device must live as long. */
struct sim_func *sim_func_create(struct sim_device *device);
void sim_func_destroy(struct sim_func *f);
/* Executes every command in device->queue. False on an error that ends the simulation, with a
 * message. */
bool sim_func_run(struct sim_func *f, char *error, size_t error_size);

#endif
