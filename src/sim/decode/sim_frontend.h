/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The command front end of both modes: contexts with registers, constants, programs and texture
 * states, draws' snapshots, and the checks that stop malformed commands. No time. */
#ifndef SIM_FRONTEND_H
#define SIM_FRONTEND_H

#include "core/sim_state.h"
#include "decode/sim_device.h"
#include "emul/emul_draw.h"

/* memory_size: bytes of GPU memory. quality: for all textures; copied. Ends the process if host
 * memory is exhausted. */
struct sim_frontend *sim_frontend_create(uint32_t memory_size,
                                         const struct emul_tex_quality *quality);
/* Skips draws of more vertices (count times instances) and stops thread groups of more iterations
 * from now on. */
void sim_frontend_limit_draws(struct sim_frontend *f, uint32_t max_vertices,
                              uint32_t max_iterations);
void sim_frontend_destroy(struct sim_frontend *f);
uint32_t sim_frontend_memory_size(const struct sim_frontend *f);

/* Saves or loads all that commands have changed. */
void sim_frontend_state(struct sim_frontend *f, struct sim_state *s);

/* Executes CONTEXT, a checked payload. */
void sim_frontend_select(struct sim_frontend *f, const uint32_t *payload);
/* Return the selected context's number; the words of state that a switch moves; its registers; its
 * running counters (sums of boxes' additions in any order; they live as long as the front end); its
 * text marker. */
uint32_t sim_frontend_context(const struct sim_frontend *f);
uint32_t sim_frontend_context_words(const struct sim_frontend *f);
struct attila_regs *sim_frontend_regs(struct sim_frontend *f);
uint64_t *sim_frontend_counters(struct sim_frontend *f);
const char *sim_frontend_label(const struct sim_frontend *f);
/* Returns a bit per texture unit that the selected context's programs sample. */
uint64_t sim_frontend_tex_units(const struct sim_frontend *f);

/* Checks a command's bounds (words available, payload length, registers, constants, addresses in
 * memory). False with a message if malformed; the simulator then stops with it. */
bool sim_frontend_check(struct sim_frontend *f, const uint32_t *command, size_t available,
                        char *error, size_t error_size);
/* Returns the words up to the next frame's end, at most num_words, and whether a frame ends
 * there. */
size_t sim_frame_words(const uint32_t *words, size_t num_words, bool *ends);
/* Checks opcode and payload length, without registers. command_words: words of the command with
 * header. */
bool sim_check_header(const uint32_t *command, size_t available, uint32_t *command_words,
                      char *error, size_t error_size);
/* Returns "DRAW" ...; "?" for an unknown opcode. */
const char *sim_command_name(uint32_t op);

/* CONDITION: pairs are its counters, 2 * count words of 64 bits, as in memory. */
void sim_frontend_set_condition(struct sim_frontend *f, const struct attila_cmd_condition *cmd,
                                const void *pairs);
/* Returns whether a draw with these flags executes. */
bool sim_frontend_draws(const struct sim_frontend *f, uint32_t draw_flags);
/* VERTEX_COUNT: a checked command, and its counter. */
void sim_frontend_set_vertex_count(struct sim_frontend *f,
                                   const struct attila_cmd_vertex_count *cmd, uint64_t filled);
/* Returns a checked DRAW's payload with its final number of vertices. */
struct attila_cmd_draw sim_frontend_draw_command(const struct sim_frontend *f,
                                                 const uint32_t *payload);
/* STREAM_OUTPUTS, STREAM_TARGETS: a checked payload; the targets' counters, 0 for those without. */
void sim_frontend_stream_outputs(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
void sim_frontend_stream_targets(struct sim_frontend *f, const uint32_t *payload,
                                 const uint64_t filled[ATTILA_MAX_STREAM_BUFFERS]);
/* Sets the selected context's text marker. */
void sim_frontend_set_label(struct sim_frontend *f, const char *label);
/* Execute MARKER, WRITE_REGS, WRITE_CONSTS: a checked payload. */
void sim_frontend_marker(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
void sim_frontend_write_regs(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
void sim_frontend_write_consts(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
/* Execute GEOMETRY, CONST_BUFFERS: a checked payload. */
void sim_frontend_geometry(struct sim_frontend *f, const uint32_t *payload);
void sim_frontend_layers(struct sim_frontend *f, const uint32_t *payload);
void sim_frontend_const_buffers(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
/* binary: the program's bytes, read from GPU memory by the caller. Decoded programs are cached by
 * content. False with a message if it is invalid. */
bool sim_frontend_load_program(struct sim_frontend *f, unsigned stage, const void *binary,
                               size_t size, char *error, size_t error_size);
/* Takes a checked LOAD_PROGRAM's note, after it: payload and words. */
void sim_frontend_annotate_program(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
/* Fills state, allocating or sharing constant banks and texture states. False with a message: skip
 * the draw. */
bool sim_frontend_begin_draw(struct sim_frontend *f, struct emul_draw_state *state,
                             const struct attila_cmd_draw *cmd, char *error, size_t error_size);
/* sim_draw_work.c: programs and bindings of a draw's row. */
void sim_draw_work(struct sim_device *d, const struct emul_draw_state *state,
                   struct sim_work *work);
/* Releases what begin_draw shared. */
void sim_frontend_end_draw(struct sim_frontend *f, struct emul_draw_state *state);

#endif
