/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The machine's inside (machine.h), for this folder and tests. */
#ifndef SIM_MACHINE_IMPL_H
#define SIM_MACHINE_IMPL_H

#include "box/sim_gpu.h"
#include "dvfs/dvfs.h"
#include "func/sim_func.h"
#include "picture/sim_maps.h"
#include "results/sim_report.h"
#include "session/machine/machine.h"
#include "trace/sim_tracer.h"

struct sim_machine {
   const struct attila_sim_options *options;
   bool functional; /* mode of the next command */
   struct sim_device device;
   struct sim_gpu gpu; /* cycle mode; functional mode alone uses only its configuration and pools */
   struct attila_shader_machine shader[ATTILA_NUM_STAGES]; /* as configured */
   struct sim_func *func; /* functional mode; NULL if only cycle mode follows */
   struct sim_box *cp;    /* NULL: no boxes */
   struct sim_measure *measure;
   struct sim_report *report; /* NULL: none is open */
   struct sim_maps *maps;     /* NULL: no maps */
   struct sim_tracer *tracer; /* NULL: no trace */
   struct dvfs *dvfs;         /* NULL: frequencies do not change */
   size_t memory_mapped;
   char *maps_folder;
   char *ignored_keys; /* of the .ini file, with reasons; NULL: none */
};

/* Makes functional mode warm the boxes from now on. */
void sim_warming_start(struct sim_machine *m);
/* Lets functional mode note the uses of memory that an L2 would see. False: out of host memory. */
bool sim_warming_note_uses(struct sim_machine *m);

#endif
