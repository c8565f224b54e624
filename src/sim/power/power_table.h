/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The table of energies: process, voltage, temperature, clock gating, leakage, DRAM currents, and
 * each elementary operation's cost with source and uncertainty. A key is one line here with its
 * default; files in configs/power/ give other values. The model: docs/explanation/power.md. Not
 * here: which events consist of which operations (the sheets, units/). */
#ifndef POWER_TABLE_H
#define POWER_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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
#define POWER_NUMBERS(N)                                                                       \
   N(PROCESS, Node, node, 130, 22, 350, "nm", "feature size of the chip")                      \
   N(PROCESS, NominalVoltage, nominal, 1.45, 0.4, 5, "V", "at which leakage has its ratio")    \
   N(PROCESS, Voltage, voltage, 1.45, 0.05, 5, "V", "of the chip")                             \
   N(PROCESS, Temperature, temperature, 85, -50, 150, "C", "of the chip")                      \
   N(PROCESS, EnergyNode, energy_node, 45, 5, 350, "nm", "of the chips that [ENERGY] is from") \
   N(PROCESS, EnergyVoltage, energy_voltage, 0.9, 0.4, 5, "V", "and their voltage")            \
   N(PROCESS, Overhead, overhead, 6, 1, 50, "",                                                \
      "of latches, control and wires of a unit: times the energy of its operations")           \
   N(PROCESS, ShaderOverhead, shader_overhead, 12, 1, 50, "", "the same of shaders")            \
   N(CLOCK, TreeRatio, tree_ratio, 0.1, 0, 1, "",                                             \
      "clock tree that nothing gates, of the peak of its units")                               \
   N(CLOCK, LocalRatio, local_ratio, 0.2, 0, 1, "",                                           \
      "clock of a unit's latches, of its peak; gated as GatingStyle says")                     \
   N(CLOCK, IdleShare, idle_share, 0.1, 0, 1, "",                                              \
      "linear_idle: what a unit burns without work, of its peak")                              \
   N(LEAKAGE, Ratio, leakage, 0.1, 0, 0.95, "",                                                \
      "leakage of a unit, of its peak at NominalVoltage and ReferenceTemperature")             \
   N(LEAKAGE, ReferenceTemperature, leakage_temperature, 100, -50, 150, "C", "of Ratio")       \
   N(LEAKAGE, ThresholdVoltage, threshold, 0.33, 0.05, 1, "V", "of the transistors")           \
   N(LEAKAGE, Swing, swing, 1.5, 1, 3, "", "subthreshold swing coefficient")                   \
   N(LEAKAGE, BarrierLowering, dibl, 0.1, 0, 0.5, "V/V",                                       \
      "by which the supply lowers the threshold (DIBL)")                                       \
   N(LEAKAGE, ThresholdSlope, threshold_slope, 0.0007, 0, 0.01, "V/K",                         \
      "by which heat lowers the threshold")                                                    \
   N(WIRE, Capacitance, wire_cap, 0.2, 0.01, 1, "fF/um", "of a wire")                          \
   N(WIRE, Activity, wire_activity, 0.25, 0, 1, "", "share of wires that rise in a transfer")  \
   N(WIRE, CrossbarLength, crossbar_length, 12, 0, 50, "mm", "of a transfer to memory's pins") \
   N(ARRAY, GateCapacitance, gate_cap, 1.5, 0.1, 10, "fF/um", "of a transistor, by width")     \
   N(ARRAY, DrainCapacitance, drain_cap, 1.0, 0.1, 10, "fF/um", "of a transistor, by width")   \
   N(ARRAY, CellWidth, cell_width, 16, 4, 100, "features", "of a cell with one port")          \
   N(ARRAY, CellHeight, cell_height, 9, 4, 100, "features", "of a cell with one port")         \
   N(ARRAY, PortPitch, port_pitch, 4, 1, 40, "features", "a further port adds to both")        \
   N(ARRAY, PassWidth, pass_width, 3, 1, 40, "features", "of a cell's pass transistor")        \
   N(ARRAY, BitlineSwing, bitline_swing, 0.25, 0.01, 1, "", "of Voltage, when read")           \
   N(ARRAY, SenseCapacitance, sense_cap, 30, 0, 1000, "fF", "that a sense amplifier switches") \
   N(ARRAY, Overhead, array_overhead, 4, 1, 50, "",                                            \
      "of drivers, repeaters, timing and ways that are not used: times the energy")            \
   N(DRAM, Voltage, dram_voltage, 1.8, 0.5, 5, "V", "VDD of the chips")                        \
   N(DRAM, ChipWidth, dram_width, 32, 4, 128, "bits", "data pins of a chip")                   \
   N(DRAM, TestClock, dram_clock, 700, 50, 5000, "MHz", "at which the currents were measured") \
   N(DRAM, IDD0, idd0, 300, 0, 5000, "mA", "a row opened and closed again and again") \
   N(DRAM, IDD2N, idd2n, 230, 0, 5000, "mA", "standby, all banks closed")                      \
   N(DRAM, IDD3N, idd3n, 310, 0, 5000, "mA", "standby, a row open")                            \
   N(DRAM, IDD4R, idd4r, 395, 0, 5000, "mA", "reads one after the other")                      \
   N(DRAM, IDD4W, idd4w, 415, 0, 5000, "mA", "writes one after the other")                     \
   N(DRAM, IDD5, idd5, 450, 0, 5000, "mA", "refreshes one after the other")                    \
   N(DRAM, RowCycle, dram_trc, 40, 1, 1000, "ns", "tRC of IDD0")                               \
   N(DRAM, RowActive, dram_tras, 26, 1, 1000, "ns", "tRAS of IDD0")                            \
   N(DRAM, RefreshCycle, dram_trfc, 60, 1, 1000, "ns", "tRFC of IDD5")                         \
   N(DRAM, PinEnergy, pin_energy, 16, 0, 1000, "pJ/bit",                                       \
      "of both ends of a data pin, termination included")                                      \
   N(BUS, PinEnergy, bus_energy, 20, 0, 1000, "pJ/bit", "of a pin to system memory")
/* clang-format on */

/* Operations' energies at EnergyNode and EnergyVoltage. E(Key, member, pJ, uncertainty in %,
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
/* The same for a file's text. */
bool power_table_read(struct power_table *t, const char *text, char *error, size_t error_size);
/* Applies one "SECTION.Key=value". */
bool power_table_set(struct power_table *t, const char *assignment, char *error, size_t error_size);
/* Write the table as a file; as a JSON object. */
void power_table_print(const struct power_table *t, FILE *f);
void power_table_print_json(const struct power_table *t, FILE *f);

#endif
