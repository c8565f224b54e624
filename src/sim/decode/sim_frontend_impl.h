/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of the command front end share. Others use box/sim_gpu.h.
 */
#ifndef SIM_FRONTEND_IMPL_H
#define SIM_FRONTEND_IMPL_H

#include "box/sim_gpu.h"

struct sim_frontend {
   struct sim_gpu *gpu;
   struct attila_regs regs;
};

/* The checks that need no register: opcode, payload length, constant ranges. Also used for
 * captures. header_words receives the words of the whole command. */
bool sim_check_header(const uint32_t *command, size_t available, uint32_t *command_words,
                      char *error, size_t error_size);
const char *sim_command_name(uint32_t op);

#endif
