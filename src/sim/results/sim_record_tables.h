/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The tables of a record, one line each: CREATE TABLE, INSERT and the numbers of parameters
 * (IN_work_frame) come from here. record.md explains the columns. Not here: tables of statistics,
 * which depend on the machine (sim_record_counters.c), and of energies (power/power_record.c). */
#ifndef SIM_RECORD_TABLES_H
#define SIM_RECORD_TABLES_H

#define KEY "INTEGER PRIMARY KEY"
#define INT "INTEGER NOT NULL"
#define INT_ "INTEGER" /* with _: may be NULL */
#define REAL "REAL NOT NULL"
#define REAL_ "REAL"
#define TEXT "TEXT NOT NULL"
#define TEXT_ "TEXT"
#define ANY ""

/* clang-format off */
/* T(table, the columns, constraints, what follows) and C(table, column, type). */
#define RECORD_TABLES(T)                                                                          \
   T(run, "", "") T(configuration, "", "")              \
   T(boxes, "", "") T(counters, "", "") T(kinds, "", " WITHOUT ROWID")                            \
   T(frames, "", "") T(work, "", "") T(intervals, "", "") T(programs, "", "")                     \
   T(instructions, ", PRIMARY KEY (program, position)", " WITHOUT ROWID")                         \
   T(frame_instructions, ", PRIMARY KEY (frame, program, position)", " WITHOUT ROWID")            \
   T(bindings, ", PRIMARY KEY (bindings, slot)", " WITHOUT ROWID")                                \
   T(pipelines, ", PRIMARY KEY (item, pipeline)", " WITHOUT ROWID")                               \
   T(pipeline_items, "", "")                                                                      \
   T(passes, ", PRIMARY KEY (frame, pass)", " WITHOUT ROWID")                                     \
   T(pass_draws, ", PRIMARY KEY (frame, first_draw)", " WITHOUT ROWID")                           \
   T(pass_bins, ", PRIMARY KEY (frame, pass, layer, y, x)", " WITHOUT ROWID")                     \
   RECORD_CLOCK_TABLES(T)
/* These tables exist only if the frequency of some domain changes. */
#define RECORD_CLOCK_TABLES(T)                                                                    \
   T(clock_domains, "", "") T(clock_boxes, "", "") T(clock_changes, "", "")                       \
   T(power_states, ", PRIMARY KEY (state, unit, instance)", " WITHOUT ROWID")                     \
   T(work_states, "", "") T(frame_states, "", "") T(interval_states, "", "")

#define RECORD_COLUMNS_run(C, t)                                                                  \
   C(t, schema, INT) C(t, program, TEXT_) C(t, arguments, TEXT_) C(t, version, TEXT)              \
   C(t, mode, TEXT) C(t, config_path, TEXT_) C(t, ignored_keys, TEXT_) C(t, ideal, TEXT_)         \
   C(t, host, TEXT_)                                                                              \
   C(t, started, TEXT) C(t, complete, INT) C(t, wall_seconds, REAL_) C(t, cpu_seconds, REAL_)     \
   C(t, gpu_mhz, INT_) C(t, shader_mhz, INT_) C(t, memory_mhz, INT_) C(t, interval_cycles, INT_)  \
   C(t, draws_columns, TEXT_) C(t, cycle_draws, TEXT_) C(t, cycle_label, TEXT_)
#define RECORD_COLUMNS_configuration(C, t)                                                        \
   C(t, section, TEXT) C(t, key, TEXT) C(t, value, ANY) C(t, default_value, ANY)                  \
   C(t, unit, TEXT_) C(t, meaning, TEXT)
#define RECORD_COLUMNS_boxes(C, t)                                                                \
   C(t, box, KEY) C(t, name, TEXT) C(t, class, TEXT) C(t, unit, TEXT) C(t, instance, INT_)        \
   C(t, clock, TEXT) C(t, meaning, TEXT)
#define RECORD_COLUMNS_counters(C, t)                                                             \
   C(t, counter, KEY) C(t, name, TEXT) C(t, statistic, TEXT) C(t, class, TEXT)  \
   C(t, unit, TEXT) C(t, boxes, INT) C(t, measure, TEXT) C(t, clock, TEXT) C(t, meaning, TEXT)    \
   C(t, attribution, TEXT) C(t, of_work, INT)
#define RECORD_COLUMNS_kinds(C, t) C(t, kind, "TEXT PRIMARY KEY") C(t, meaning, TEXT)
#define RECORD_LIMITERS(C, t)                                                                     \
   C(t, limiter, TEXT_) C(t, limiter_share, REAL_) C(t, limiter2, TEXT_)                          \
   C(t, limiter2_share, REAL_) C(t, limiter3, TEXT_) C(t, limiter3_share, REAL_)
#define RECORD_COLUMNS_frames(C, t)                                                               \
   C(t, frame, KEY) C(t, draws, INT) C(t, start_cycle, INT) C(t, end_cycle, INT)                  \
   C(t, cycles, INT) C(t, shader_cycles, INT) C(t, memory_cycles, INT) C(t, simulated_ms, REAL)   \
   C(t, host_seconds, REAL) C(t, cpu_seconds, REAL) RECORD_LIMITERS(C, t)
#define RECORD_COLUMNS_work(C, t)                                                                 \
   C(t, work, KEY) C(t, frame, INT) C(t, number, INT) C(t, kind, TEXT) C(t, draw, INT_)           \
   C(t, label, TEXT_) C(t, call, TEXT_) C(t, meta, INT) C(t, primitive, TEXT_) C(t, count, INT)   \
   C(t, instances, INT_) C(t, start_cycle, INT) C(t, end_cycle, INT) C(t, cycles, INT)            \
   C(t, exclusive_cycles, INT) C(t, vertex_program, INT_) C(t, geometry_program, INT_)            \
   C(t, fragment_program, INT_) C(t, compute_program, INT_)                                        \
   C(t, bindings, INT_) C(t, pipeline, INT_) RECORD_LIMITERS(C, t)
#define RECORD_COLUMNS_intervals(C, t)                                                            \
   C(t, interval, KEY) C(t, frame, INT) C(t, start_cycle, INT) C(t, end_cycle, INT)               \
   C(t, cycles, INT) C(t, shader_cycles, INT) C(t, memory_cycles, INT)
#define RECORD_COLUMNS_programs(C, t)                                                             \
   C(t, program, KEY) C(t, stage, TEXT) C(t, name, TEXT_) C(t, hash, TEXT)                        \
   C(t, instructions, INT) C(t, alu, INT) C(t, texture, INT) C(t, flow, INT)                      \
   C(t, registers, INT) C(t, first_frame, INT) C(t, code, TEXT_)                                  \
   C(t, source, TEXT_) C(t, uniforms, TEXT_) C(t, order_dependent, INT)
#define RECORD_COLUMNS_instructions(C, t)                                                         \
   C(t, program, INT) C(t, position, INT) C(t, text, TEXT) C(t, line, INT_)
#define RECORD_COLUMNS_frame_instructions(C, t)                                                   \
   C(t, frame, INT) C(t, program, INT) C(t, position, INT) SIM_COSTS(RECORD_COST)
#define RECORD_COLUMNS_bindings(C, t)                                                             \
   C(t, bindings, INT) C(t, slot, TEXT) C(t, address, INT) C(t, format, TEXT) C(t, target, TEXT)  \
   C(t, width, INT) C(t, height, INT) C(t, depth, INT) C(t, levels, INT) C(t, samples, INT)       \
   C(t, label, TEXT_)
#define RECORD_COLUMNS_pipelines(C, t)                                                            \
   C(t, pipeline, INT) C(t, item, INT) C(t, value, "NUMERIC")
#define RECORD_COLUMNS_pipeline_items(C, t)                                                       \
   C(t, item, KEY) C(t, part, TEXT) C(t, number, INT_) C(t, name, TEXT) C(t, type, TEXT_)         \
   C(t, program, INT_)
#define RECORD_COLUMNS_passes(C, t)                                                               \
   C(t, frame, INT) C(t, pass, INT) C(t, why, TEXT) C(t, start_cycle, INT) C(t, end_cycle, INT)   \
   C(t, geometry_cycles, INT) C(t, parts, INT) C(t, first_draw, INT) C(t, draws, INT)             \
   C(t, width, INT) C(t, height, INT) C(t, layers, INT) C(t, bin_width, INT)                      \
   C(t, bin_height, INT)
#define RECORD_COLUMNS_pass_draws(C, t)                                                           \
   C(t, frame, INT) C(t, pass, INT) C(t, first_draw, INT) C(t, draws, INT)
#define RECORD_COLUMNS_pass_bins(C, t)                                                            \
   C(t, frame, INT) C(t, pass, INT) C(t, layer, INT) C(t, y, INT) C(t, x, INT)                    \
   C(t, primitives, INT) C(t, cycles, INT)
#define RECORD_COLUMNS_clock_domains(C, t) C(t, domain, KEY) C(t, name, TEXT)
#define RECORD_COLUMNS_clock_boxes(C, t) C(t, box, KEY) C(t, domain, INT)
#define RECORD_COLUMNS_clock_changes(C, t)                                                        \
   C(t, change, KEY) C(t, frame, INT) C(t, domain, INT) C(t, cycle, REAL)                         \
   C(t, simulated_ns, REAL) C(t, percent, INT) C(t, voltage_permille, INT) C(t, still_ns, REAL)   \
   C(t, reason, TEXT)
#define RECORD_COLUMNS_power_states(C, t)                                                         \
   C(t, state, INT) C(t, unit, TEXT) C(t, instance, INT) C(t, permille, INT)
#define RECORD_STATES(C, t)                                                                       \
   C(t, state, INT) C(t, counter, INT) C(t, instance, INT) C(t, value, INT)
#define RECORD_COLUMNS_work_states(C, t) C(t, work, INT) RECORD_STATES(C, t)
#define RECORD_COLUMNS_frame_states(C, t) C(t, frame, INT) RECORD_STATES(C, t)
#define RECORD_COLUMNS_interval_states(C, t) C(t, interval, INT) RECORD_STATES(C, t)
/* clang-format on */

enum record_table {
#define T(table, constraints, end) TABLE_##table,
   RECORD_TABLES(T)
#undef T
       RECORD_NUM_TABLES
};

/* Numbers of parameters, from 1. */
#define C(table, column, type) IN_##table##_##column,
#define RECORD_COST(member, what) IN_frame_instructions_##member,
#define T(table, constraints, end) enum { IN_##table, RECORD_COLUMNS_##table(C, table) };
RECORD_TABLES(T)
#undef T
#undef C
#undef RECORD_COST

#endif
