/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The table of energies: process, voltage, temperature, clock gating, leakage, DRAM currents, and
 * the cost of each elementary operation with source and uncertainty. Each key is a line here with
 * its default; files in configs/power/ have other values. The model: docs/explanation/power.md. Not
 * here: which events consist of which operations (the sheets, units/). */
#ifndef POWER_TABLE_H
#define POWER_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "config/sim_gddr_timing.h"

/* Clock gating: number, name in the table, meaning (Wattch's cc0 to cc3). */
/* clang-format off */
#define POWER_GATINGS(G)                                                                    \
   G(NONE, none, "every unit burns its peak in every cycle (cc0)")                          \
   G(ALL, all_or_nothing, "a unit burns its peak in a cycle with work, else nothing (cc1)") \
   G(LINEAR, linear, "a unit burns what its events cost (cc2)")                             \
   G(IDLE, linear_idle, "the same, and a share of its peak in a cycle without work (cc3)")
/* clang-format on */
enum power_gating {
#define G(NAME, name, doc) POWER_GATING_##NAME,
   POWER_GATINGS(G)
#undef G
       POWER_NUM_GATINGS
};

/* N(SECTION, Key, member, default, minimum, maximum, "unit", "meaning") Voltages: energies scale by
 * the square of Voltage; leakage is relative to NominalVoltage. */
/* clang-format off */
#define POWER_NUMBERS(N)                                                                      \
   N(PROCESS, Node, node, 130, 22, 350, "nm", "feature size of the chip")                     \
   N(PROCESS, NominalVoltage, nominal, 1.45, 0.4, 5, "V",                                     \
      "voltage at which leakage has its ratio")                                               \
   N(PROCESS, Voltage, voltage, 1.45, 0.05, 5, "V", "supply voltage of the chip")             \
   N(PROCESS, Temperature, temperature, 85, -50, 150, "C", "temperature of the chip")         \
   N(PROCESS, EnergyNode, energy_node, 45, 5, 350, "nm",                                      \
      "feature size of the chips that [ENERGY] is from")                                      \
   N(PROCESS, EnergyVoltage, energy_voltage, 0.9, 0.4, 5, "V",                                \
      "supply voltage of the chips that [ENERGY] is from")                                    \
   N(PROCESS, Overhead, overhead, 6, 1, 50, "",                                               \
      "factor on the energy of a unit's operations: latches, control and wires")              \
   N(PROCESS, ShaderOverhead, shader_overhead, 12, 1, 50, "",                                 \
      "factor on the energy of a shader's operations: latches, control and wires")            \
   N(CLOCK, TreeRatio, tree_ratio, 0.1, 0, 1, "",                                             \
      "power of the clock tree, which nothing gates, as a share of its units' peak")          \
   N(CLOCK, LocalRatio, local_ratio, 0.2, 0, 1, "",                                           \
      "power of the clock of a unit's latches, as a share of its peak; gated as GatingStyle " \
      "says")                                                                                 \
   N(CLOCK, IdleShare, idle_share, 0.1, 0, 1, "",                                             \
      "linear_idle: power of a unit without work, as a share of its peak")                    \
   N(LEAKAGE, Ratio, leakage, 0.1, 0, 0.95, "",                                               \
      "leakage of a unit at NominalVoltage and ReferenceTemperature, as a share of its peak") \
   N(LEAKAGE, ReferenceTemperature, leakage_temperature, 100, -50, 150, "C",                  \
      "temperature at which leakage has its ratio")                                           \
   N(LEAKAGE, ThresholdVoltage, threshold, 0.33, 0.05, 1, "V",                                \
      "threshold voltage of the transistors")                                                 \
   N(LEAKAGE, Swing, swing, 1.5, 1, 3, "", "subthreshold swing coefficient")                  \
   N(LEAKAGE, BarrierLowering, dibl, 0.1, 0, 0.5, "V/V",                                      \
      "how far the supply voltage lowers the threshold (DIBL)")                               \
   N(LEAKAGE, ThresholdSlope, threshold_slope, 0.0007, 0, 0.01, "V/K",                        \
      "how far heat lowers the threshold")                                                    \
   N(WIRE, Capacitance, wire_cap, 0.2, 0.01, 1, "fF/um", "capacitance of a wire")             \
   N(WIRE, Activity, wire_activity, 0.25, 0, 1, "", "share of wires that rise in a transfer") \
   N(WIRE, CrossbarLength, crossbar_length, 12, 0, 50, "mm",                                  \
      "length of a transfer's way to the memory's pins")                                      \
   N(ARRAY, GateCapacitance, gate_cap, 1.5, 0.1, 10, "fF/um",                                 \
      "capacitance of a transistor's gate, by its width")                                     \
   N(ARRAY, DrainCapacitance, drain_cap, 1.0, 0.1, 10, "fF/um",                               \
      "capacitance of a transistor's drain, by its width")                                    \
   N(ARRAY, CellWidth, cell_width, 16, 4, 100, "features", "width of a cell with one port")   \
   N(ARRAY, CellHeight, cell_height, 9, 4, 100, "features", "height of a cell with one port") \
   N(ARRAY, PortPitch, port_pitch, 4, 1, 40, "features",                                      \
      "what a further port adds to a cell's width and height")                                \
   N(ARRAY, PassWidth, pass_width, 3, 1, 40, "features", "width of a cell's pass transistor") \
   N(ARRAY, BitlineSwing, bitline_swing, 0.25, 0.01, 1, "",                                   \
      "swing of a bit line when read, as a share of Voltage")                                 \
   N(ARRAY, SenseCapacitance, sense_cap, 30, 0, 1000, "fF",                                   \
      "capacitance that a sense amplifier switches")                                          \
   N(ARRAY, Overhead, array_overhead, 4, 1, 50, "",                                           \
      "factor on an array's energy: drivers, repeaters, timing and ways that are not used")   \
   N(DRAM, Voltage, dram_voltage, 1.8, 0.5, 5, "V", "supply voltage of the chips (VDD)")      \
   N(DRAM, ChipWidth, dram_width, 32, 4, 128, "bits", "data pins of a chip")                  \
   N(DRAM, TestClock, dram_clock, 700, 50, 5000, "MHz",                                       \
      "clock at which the currents were measured")                                            \
   N(DRAM, IDD0, idd0, 300, 0, 5000, "mA",                                                    \
      "current when a row is opened and closed again and again")                              \
   N(DRAM, IDD2N, idd2n, 230, 0, 5000, "mA", "current of standby, all banks closed")          \
   N(DRAM, IDD3N, idd3n, 310, 0, 5000, "mA", "current of standby, a row open")                \
   N(DRAM, IDD4R, idd4r, 395, 0, 5000, "mA", "current of reads one after the other")          \
   N(DRAM, IDD4W, idd4w, 415, 0, 5000, "mA", "current of writes one after the other")         \
   N(DRAM, IDD5, idd5, 450, 0, 5000, "mA", "current of refreshes one after the other")        \
   N(DRAM, RowCycle, dram_trc, 40, 1, 1000, "ns", "tRC at which IDD0 was measured")           \
   N(DRAM, RowActive, dram_tras, 26, 1, 1000, "ns", "tRAS at which IDD0 was measured")        \
   N(DRAM, RefreshCycle, dram_trfc, 60, 1, 1000, "ns", "tRFC at which IDD5 was measured")     \
   N(DRAM, PinEnergy, pin_energy, 16, 0, 1000, "pJ/bit",                                      \
      "energy of both ends of a data pin, termination included")                              \
   N(BUS, PinEnergy, bus_energy, 20, 0, 1000, "pJ/bit", "energy of a pin to system memory")
/* clang-format on */

/* What a channel costs if its memory is not GDDR3 (V2MemoryType), in energies instead of
 * currents. */
struct power_chip {
   double bytes;           /* bytes per cycle of the channel that the other values are for */
   double activate;        /* pJ: a row is opened and closed */
   double read, write;     /* pJ/bit: between the row and the pins */
   double pin;             /* pJ/bit: on a data pin */
   double refresh;         /* pJ: one bank */
   double standby, opened; /* mW: with all banks closed; additional while a row is open */
};

/* The keys of a type, N as above; the last arguments are their defaults. */
/* clang-format off */
#define POWER_CHIP(N, SECTION, type, byte, act, rd, wr, pins, ref, idle, row)                   \
   N(SECTION, BytesPerCycle, chip[SIM_MEMORY_##type].bytes, byte, 1, 64, "bytes/cycle",         \
      "bandwidth of the channel that the other keys are for")                                   \
   N(SECTION, Activate, chip[SIM_MEMORY_##type].activate, act, 0, 1e6, "pJ",                    \
      "a row is opened and closed")                                                             \
   N(SECTION, Read, chip[SIM_MEMORY_##type].read, rd, 0, 1000, "pJ/bit",                        \
      "a bit moves from the row to the pins")                                                   \
   N(SECTION, Write, chip[SIM_MEMORY_##type].write, wr, 0, 1000, "pJ/bit",                      \
      "a bit moves from the pins to the row")                                                   \
   N(SECTION, PinEnergy, chip[SIM_MEMORY_##type].pin, pins, 0, 1000, "pJ/bit",                  \
      "energy of a data pin, unless Read and Write have it")                                    \
   N(SECTION, Refresh, chip[SIM_MEMORY_##type].refresh, ref, 0, 1e6, "pJ", "a bank is refreshed")\
   N(SECTION, Standby, chip[SIM_MEMORY_##type].standby, idle, 0, 1e5, "mW", "all banks closed") \
   N(SECTION, RowOpen, chip[SIM_MEMORY_##type].opened, row, 0, 1e5, "mW",                       \
      "more while a row is open")

/* Sources: docs/notebook/power.md. */
#define POWER_CHIPS(N)                                                       \
   POWER_CHIP(N, GDDR5, gddr5, 16, 1380, 13.3, 13.3, 0, 1380, 67, 15)        \
   POWER_CHIP(N, GDDR6, gddr6, 16, 1242, 7.3, 7.3, 0, 1242, 30, 7)           \
   POWER_CHIP(N, LPDDR4, lpddr4, 4, 1204, 5.3, 3.9, 3.2, 2050, 34, 4)        \
   POWER_CHIP(N, LPDDR5, lpddr5, 16, 963, 4.2, 3.1, 1.5, 1640, 27, 3)        \
   POWER_CHIP(N, HBM2, hbm2, 16, 909, 2.7, 2.7, 0.8, 2050, 24, 9)
/* clang-format on */

/* The energies of operations at EnergyNode and EnergyVoltage. E(Key, member, pJ, uncertainty in %,
 * "source", "meaning") */
#define POWER_HOROWITZ "Horowitz, ISSCC 2014"
/* clang-format off */
#define POWER_ENERGIES(E)                                                                    \
   E(FloatAdd, float_add, 0.9, 30, POWER_HOROWITZ, "32-bit float add or compare")            \
   E(FloatMultiply, float_multiply, 3.7, 30, POWER_HOROWITZ, "32-bit float multiply")        \
   E(IntegerAdd, integer_add, 0.1, 30, POWER_HOROWITZ, "32-bit integer add or compare")      \
   E(IntegerMultiply, integer_multiply, 3.1, 30, POWER_HOROWITZ, "32-bit integer multiply")  \
   E(ByteAdd, byte_add, 0.03, 30, POWER_HOROWITZ, "8-bit add")                               \
   E(ByteMultiply, byte_multiply, 0.2, 30, POWER_HOROWITZ, "8-bit multiply")                 \
   E(HalfMultiplyAdd, half_multiply_add, 1.5, 30, POWER_HOROWITZ,                            \
      "16-bit floating-point multiply (1.1) and add (0.4)")                                  \
   E(SpecialFunction, special, 10, 60,                                                       \
      "estimate: table and quadratic interpolation, 2 multiplies and 3 adds",                \
      "reciprocal, square root, exponent, logarithm, sine")                                  \
   E(LatchBit, latch_bit, 0.004, 50, "estimate: 5 fF of data and clock at 0.9 V",            \
      "a bit moves into a latch")                                                            \
   E(Decision, decision, 2, 80, "estimate: 20 integer adds", "a step of a control unit")
/* clang-format on */

enum power_op {
#define E(key, member, pj, percent, source, doc) POWER_OP_##member,
   POWER_ENERGIES(E)
#undef E
       POWER_NUM_OPS
};

struct power_table {
   char path[256]; /* of the file; "": the built-in table */
   enum power_gating gating;
#define N(section, key, member, def, min, max, unit, doc) double member;
   POWER_NUMBERS(N)
#undef N
   struct power_chip chip[SIM_NUM_MEMORY_TYPES]; /* [enum sim_memory_type]; unused for gddr3 */
   struct power_energy {
      double pj, percent;
      char source[160];
   } energy[POWER_NUM_OPS];
};

/* Sets the built-in table. */
void power_table_defaults(struct power_table *t);
/* Reads a file, whose keys replace built-in ones. False, with file, line, key and accepted values
 * in error, for an unknown key or an invalid value. */
bool power_table_load(struct power_table *t, const char *path, char *error, size_t error_size);
/* The same for the text of a file. */
bool power_table_read(struct power_table *t, const char *text, char *error, size_t error_size);
/* Applies one "SECTION.Key=value". */
bool power_table_set(struct power_table *t, const char *assignment, char *error, size_t error_size);
/* Write the table as a file; as a JSON object. */
void power_table_print(const struct power_table *t, FILE *f);
void power_table_print_json(const struct power_table *t, FILE *f);

#endif
