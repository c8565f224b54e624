/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The command front end that both modes share: contexts with their registers, constants, programs
 * and texture states, the snapshot of them that a draw takes, and the checks that no malformed
 * command gets past. It knows no time.
 */
#ifndef SIM_FRONTEND_H
#define SIM_FRONTEND_H

#include "core/sim_state.h"
#include "decode/sim_device.h"
#include "emul/emul_draw.h"

/* memory_size: bytes of GPU memory. quality: of every texture; copied. Ends the process when host
 * memory is exhausted. */
struct sim_frontend *sim_frontend_create(uint32_t memory_size,
                                         const struct emul_tex_quality *quality);
/* A draw with more vertices (count times instances) is skipped; without this call none is. */
void sim_frontend_limit_draws(struct sim_frontend *f, uint32_t max_vertices);
void sim_frontend_destroy(struct sim_frontend *f);
uint32_t sim_frontend_memory_size(const struct sim_frontend *f);

/* Saves or loads everything that commands have changed. */
void sim_frontend_state(struct sim_frontend *f, struct sim_state *s);

/* CONTEXT: a checked command's payload. */
void sim_frontend_select(struct sim_frontend *f, const uint32_t *payload);
/* The selected context: its number; words of state that a switch to it would move; its registers;
 * its running counters (sums that boxes add to, so their order does not matter; they live as long
 * as the front end); its text marker. */
uint32_t sim_frontend_context(const struct sim_frontend *f);
uint32_t sim_frontend_context_words(const struct sim_frontend *f);
struct attila_regs *sim_frontend_regs(struct sim_frontend *f);
uint64_t *sim_frontend_counters(struct sim_frontend *f);
const char *sim_frontend_label(const struct sim_frontend *f);
/* A bit for each texture unit that the programs of the selected context sample. */
uint64_t sim_frontend_tex_units(const struct sim_frontend *f);

/* Bounds-checks a command (words available, payload length, register and constant range, addresses
 * within memory). Returns false with a message for a malformed one; the simulator then stops with
 * that message. */
bool sim_frontend_check(struct sim_frontend *f, const uint32_t *command, size_t available,
                        char *error, size_t error_size);
/* Words up to the end of the next frame, at most num_words, and whether one ends there. */
size_t sim_frame_words(const uint32_t *words, size_t num_words, bool *ends);
/* The checks that need no registers: opcode and payload length. command_words receives the words of
 * the whole command, header included. */
bool sim_check_header(const uint32_t *command, size_t available, uint32_t *command_words,
                      char *error, size_t error_size);
/* "DRAW"; "?" for an opcode that is none. */
const char *sim_command_name(uint32_t op);

/* CONDITION: pairs are the counters it names, 2 * count words of 64 bits, as they are in memory. */
void sim_frontend_set_condition(struct sim_frontend *f, const struct attila_cmd_condition *cmd,
                                const void *pairs);
/* Whether a draw with these flags is executed. */
bool sim_frontend_draws(const struct sim_frontend *f, uint32_t draw_flags);
/* VERTEX_COUNT: a checked command, and the counter that it names. */
void sim_frontend_set_vertex_count(struct sim_frontend *f,
                                   const struct attila_cmd_vertex_count *cmd, uint64_t filled);
/* A checked DRAW's payload, with the number of vertices that it has. */
struct attila_cmd_draw sim_frontend_draw_command(const struct sim_frontend *f,
                                                 const uint32_t *payload);
/* STREAM_OUTPUTS, STREAM_TARGETS: a checked command's payload; the counters that its targets name,
 * 0 for those that name none. */
void sim_frontend_stream_outputs(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
void sim_frontend_stream_targets(struct sim_frontend *f, const uint32_t *payload,
                                 const uint64_t filled[ATTILA_MAX_STREAM_BUFFERS]);
/* The text marker of the selected context becomes this one. */
void sim_frontend_set_label(struct sim_frontend *f, const char *label);
/* MARKER, WRITE_REGS, WRITE_CONSTS: a checked command's payload. */
void sim_frontend_marker(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
void sim_frontend_write_regs(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
void sim_frontend_write_consts(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
/* GEOMETRY, CONST_BUFFERS: a checked command's payload. */
void sim_frontend_geometry(struct sim_frontend *f, const uint32_t *payload);
void sim_frontend_layers(struct sim_frontend *f, const uint32_t *payload);
void sim_frontend_const_buffers(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
/* binary: the program's bytes (read from GPU memory by the caller). Decoded programs are cached by
 * content. A program that does not validate gives false and a message. */
bool sim_frontend_load_program(struct sim_frontend *f, unsigned stage, const void *binary,
                               size_t size, char *error, size_t error_size);
/* The note of a checked LOAD_PROGRAM, after it: a payload and its words. */
void sim_frontend_annotate_program(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
/* Fills state (allocating or sharing constant banks and texture states). False with a message: skip
 * the draw. */
bool sim_frontend_begin_draw(struct sim_frontend *f, struct emul_draw_state *state,
                             const struct attila_cmd_draw *cmd, char *error, size_t error_size);
/* sim_draw_work.c: what the record says of a draw besides its statistics. */
void sim_draw_work(const struct sim_device *d, const struct emul_draw_state *state,
                   struct sim_work *work);
/* Releases what begin_draw shared. */
void sim_frontend_end_draw(struct sim_frontend *f, struct emul_draw_state *state);

#endif
