/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Adds up the area of a machine: logic by the density of a chip of the process, memory by the size
 * of its cells, pads as they are. Not here: what a unit is made of (sim_area_units.h).
 */
#include "config/sim_area.h"

#include "config/sim_shader_machine.h"

/* Transistors and areas of chips: AnandTech, "GPU Cheatsheet" (September 2004), and for R420 and
 * R520 TechPowerUp's GPU database. Memory and pads are in them, so that logic comes out a little
 * small. */
const struct sim_area_process sim_area_processes[] = {
    {150, 63, 142, "NV25"},
    {130, 160, 281, "R420"},
    {110, 146, 159, "NV43"},
    {90, 321, 288, "R520"},
};
const unsigned sim_num_area_processes = sizeof(sim_area_processes) / sizeof(*sim_area_processes);

/* A cell of six transistors is about 150 squares of the process's size (Intel's: 1.00 square
 * micrometres at 90 nm, 0.57 at 65 nm); it fills half of an array (Intel's 52 Mbit on 109 mm2). */
#define CELL_SQUARES 150.
#define CELLS_OF_ARRAY .5
/* Square millimetres: a pad of 60 x 250 micrometres and as much for address, clock and supply. */
#define PAD_MM2 .03

/* What executes in a cycle: inputs, and ALUs for each. */
struct alus {
   double lanes, simd, scalar;
   double registers;
};

static struct alus
alus_of(const struct sim_config *c, bool vertices)
{
   struct sim_shader_machine m;
   char error[256];
   struct alus a = {0};
   if (!sim_shader_machine_init(&m, c, vertices, error, sizeof(error)))
      return a;
   a.lanes = m.fetch_groups * ((m.lanes + m.vector - 1) / m.vector);
   a.registers = m.registers * m.register_lanes;
   a.simd = m.ways;
   if (m.alu == SIM_ALU_SIMD_SCALAR) {
      a.scalar = m.ways / 2;
      a.simd = m.ways - m.ways / 2;
   } else if (m.alu == SIM_ALU_SCALAR)
      a.simd = .25 * m.ways; /* one of four components */
   return a;
}

/* The first SIMD ALU is in a lane; further ones, and scalar ones, cost their part of the unit. */
static double
shader_logic(const struct sim_config *c, bool vertices)
{
   const struct alus a = alus_of(c, vertices);
   const double lane = vertices ? AREA_VERTEX_SHADER : AREA_SHADER_UNIT / 4;
   return a.lanes *
          (AREA_LANE + lane * ((a.simd - 1) * AREA_SIMD_ALU + a.scalar * AREA_SCALAR_ALU));
}

static double
shader_bits(const struct sim_config *c, bool vertices)
{
   return AREA_REGISTER_BITS * alus_of(c, vertices).registers;
}

/* Units with a bus of their own to memory. */
static double
area_clients(const struct sim_config *c)
{
   const double textures =
       c->shader.tex_shared ? c->shader.tex_shared : c->gpu.num_shaders * c->shader.tex_units;
   return 4 + c->streamer.loaders + textures + 2 * c->gpu.num_rops;
}

const struct sim_area_process *
sim_area_process(unsigned nm)
{
   for (unsigned i = 0; i < sim_num_area_processes; i++) {
      if (sim_area_processes[i].nm == nm)
         return &sim_area_processes[i];
   }
   return NULL;
}

static void
fill(struct sim_area_unit *u, double logic, double bits, double pads,
     const struct sim_area_process *p)
{
   const double um = p->nm / 1000.;
   u->mtransistors = (logic + AREA_BIT * bits) / 1000;
   u->kbits = bits / 1000;
   u->mm2 = logic / 1000 * p->mm2 / p->mtransistors +
            bits * CELL_SQUARES * um * um / CELLS_OF_ARRAY / 1e6 + pads * PAD_MM2;
}

void
sim_area_of(struct sim_area *area, const struct sim_config *c,
            const struct sim_area_process *process)
{
   *area = (struct sim_area){0};
#define U(id, words, number, logic, bits, pads, from)                          \
   area->unit[SIM_AREA_##id] = (struct sim_area_unit){                         \
       .name = #id, .what = words, .source = from, .units = (double)(number)}; \
   fill(&area->unit[SIM_AREA_##id], (double)(logic), (double)(bits), (double)(pads), process);
   SIM_AREA_UNITS(U)
#undef U
   for (unsigned i = 0; i < SIM_NUM_AREA_UNITS; i++) {
      area->mtransistors += area->unit[i].units * area->unit[i].mtransistors;
      area->mm2 += area->unit[i].units * area->unit[i].mm2;
   }
}
