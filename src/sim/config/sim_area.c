/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Adds up a machine's area: logic by the density of a chip in the process, memory by its cells,
 * pads. Published figures are MICRO 2005, section 6.2; the rest is estimated by counting arithmetic
 * in their units. Not here: units' contents (SIM_AREA_name in their sheets, units/). What the
 * estimate is good for: docs/explanation/area.md. */
#include "config/sim_area.h"

#include "config/sim_shader_machine.h"

/* Chips' transistors and areas: AnandTech, "GPU Cheatsheet" (September 2004); R420 and R520:
 * TechPowerUp's GPU database, as G92 and GF100. They include memory and pads, so logic comes out
 * slightly small. */
const struct sim_area_process sim_area_processes[] = {
    {150, 63, 142, "NV25"}, {130, 160, 281, "R420"}, {110, 146, 159, "NV43"},
    {90, 321, 288, "R520"}, {65, 754, 324, "G92"},   {40, 3000, 529, "GF100"},
};
const unsigned sim_num_area_processes = sizeof(sim_area_processes) / sizeof(*sim_area_processes);

const struct sim_area_place sim_area_places[] = {
#define CODE(name, code, doc, charges) code
#define ROW(id, ...) #id,
#define IN(id) #id,
#define U(class) {SIM_UNIT_##class(CODE), {SIM_AREA_##class(ROW, IN) NULL}},
    SIM_EACH_UNIT
#undef U
#undef IN
#undef ROW
#undef CODE
};
const unsigned sim_num_area_places = sizeof(sim_area_places) / sizeof(*sim_area_places);

/* A six-transistor cell is about 150 squares of the process's size (Intel's: 1.00 square
 * micrometres at 90 nm, 0.57 at 65 nm) and fills half of an array (Intel's 52 Mbit on 109 mm2). */
#define CELL_SQUARES 150.
#define CELLS_OF_ARRAY .5
/* Square millimetres: a pad of 60 x 250 micrometres, and as much for address, clock and supply. */
#define PAD_MM2 .03

/* Thousands of transistors. MICRO 2005, section 6.2: a vertex shader; a shader unit with its
 * texture unit; 15 % of that per additional SIMD ALU, 5 % per scalar one. */
#define AREA_VERTEX_SHADER 2500.
#define AREA_SHADER_UNIT 15000.
#define AREA_SIMD_ALU .15
#define AREA_SCALAR_ALU .05

/* Thousands of transistors per bit of memory; the published figures include them. */
#define AREA_BIT .006
#define AREA_REGISTER_BITS 128.

/* That paper's machine has a vertex shader of 96 registers and one lane, and a shader unit of 448
 * registers and four lanes. The vertex shader without its registers is a lane; the shader unit
 * without its registers and four lanes is its texture unit. */
#define AREA_LANE (AREA_VERTEX_SHADER - 96 * AREA_REGISTER_BITS * AREA_BIT)
#define AREA_TEXTURE_UNIT (AREA_SHADER_UNIT - 4 * AREA_LANE - 448 * AREA_REGISTER_BITS * AREA_BIT)
#define AREA_TEXTURE_LOGIC \
   (AREA_TEXTURE_UNIT - AREA_BIT * (AREA_CACHE_BITS(64, 256) + (64 + 64 + 4) * AREA_TEXTURE_ENTRY))

/* A 32-bit float multiplier-adder with its control: a SIMD ALU for four lanes has 16 of them. A
 * 32-bit integer adder, and an 8-bit multiplier, are about a tenth of it. */
#define AREA_MAC (AREA_SHADER_UNIT * AREA_SIMD_ALU / 16)
#define AREA_ADDER (AREA_MAC / 10)

/* Bits of a cache with 32-bit tags, and of queue entries. */
#define AREA_CACHE_BITS(lines, bytes) ((double)(lines) * ((bytes)*8. + 32))
#define AREA_VERTEX 2048.       /* 16 attributes, ISPASS 2006, Table 1 */
#define AREA_TRIANGLE 384.      /* 3 x 4 x 32 bits, MICRO 2005, Table 1 */
#define AREA_QUAD 640.          /* (2 x 16 + 4 x 32) x 4 bits, MICRO 2005, Table 1 */
#define AREA_SHADER_QUAD 5120.  /* 10 attributes of 4 fragments, MICRO 2005, Table 1 */
#define AREA_TEXTURE_ENTRY 384. /* 3 coordinates of 4 fragments */
#define AREA_REQUEST 64.        /* address, client, number */
#define AREA_TRANSACTION 512.   /* 64 bytes */
#define AREA_CONTEXT 32768.     /* a context's registers */
#define AREA_BLOCK_STATE 2.

/* What executes per cycle: lanes, and the ALUs of each. */
struct alus {
   double lanes, simd, scalar;
   double registers;
};

static struct alus
area_alus_of(const struct sim_config *c, bool vertices)
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

/* A lane has the first SIMD ALU; others, and scalar ones, cost their part of the unit. */
static double
area_shader_logic(const struct sim_config *c, bool vertices)
{
   const struct alus a = area_alus_of(c, vertices);
   const double lane = vertices ? AREA_VERTEX_SHADER : AREA_SHADER_UNIT / 4;
   return a.lanes *
          (AREA_LANE + lane * ((a.simd - 1) * AREA_SIMD_ALU + a.scalar * AREA_SCALAR_ALU));
}

static double
area_shader_bits(const struct sim_config *c, bool vertices)
{
   return AREA_REGISTER_BITS * area_alus_of(c, vertices).registers;
}

/* Counts the units with a memory port. Constant caches and load/store units use the port of their
 * shader's texture unit. */
static double
area_clients(const struct sim_config *c)
{
   const double textures =
       c->shader.tex_shared ? c->shader.tex_shared : c->gpu.num_shaders * c->shader.tex_units;
   return 4 + c->streamer.loaders + textures + 2 * c->gpu.num_rops + 2 * sim_tiled(c);
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

/* What each of `units` equal units is made of: thousands of transistors of logic, bits of memory,
 * pads. */
struct made_of {
   double units, logic, bits, pads;
};

static void
area_add(struct sim_area *area, const struct sim_area_process *p, const char *name,
         const char *what, const char *source, const struct made_of *m)
{
   const double um = p->nm / 1000.;
   struct sim_area_unit *u = &area->unit[area->num++];
   *u = (struct sim_area_unit){.name = name, .what = what, .source = source, .units = m->units};
   u->mtransistors = (m->logic + AREA_BIT * m->bits) / 1000;
   u->kbits = m->bits / 1000;
   u->mm2 = m->logic / 1000 * p->mm2 / p->mtransistors +
            m->bits * CELL_SQUARES * um * um / CELLS_OF_ARRAY / 1e6 + m->pads * PAD_MM2;
   area->mtransistors += u->units * u->mtransistors;
   area->mm2 += u->units * u->mm2;
}

void
sim_area_of(struct sim_area *area, const struct sim_config *c,
            const struct sim_area_process *process)
{
   bool declared;
   *area = (struct sim_area){0};
#define ROW(id, what, units, logic, bits, pads, source) \
   declared = true;                                     \
   area_add(area, process, #id, what, source, &(struct made_of){units, logic, bits, pads});
#define IN(id) declared = true;
#define U(class)                                                                 \
   declared = false;                                                             \
   SIM_AREA_##class(ROW, IN);                                                    \
   if (!declared)                                                                \
      area_add(area, process, #class, SIM_UNIT_NAME(class), SIM_AREA_UNDECLARED, \
               &(struct made_of){0});
   SIM_EACH_UNIT
#undef U
#undef IN
#undef ROW
}
