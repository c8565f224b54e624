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

/* memory_size: bytes of GPU memory. quality: of all textures; it is copied. Ends the process if
 * host memory is exhausted. */
struct sim_frontend *sim_frontend_create(uint32_t memory_size,
                                         const struct emul_tex_quality *quality);
/* From now on, skips draws with more than max_vertices vertices (count times instances) and stops
 * thread groups after max_iterations iterations. */
void sim_frontend_limit_draws(struct sim_frontend *f, uint32_t max_vertices,
                              uint32_t max_iterations);
void sim_frontend_destroy(struct sim_frontend *f);
uint32_t sim_frontend_memory_size(const struct sim_frontend *f);

/* Saves or loads all that commands have changed. */
void sim_frontend_state(struct sim_frontend *f, struct sim_state *s);

/* Calls put with the commands that restore on a new machine what commands have left here: all
 * contexts, and which one is selected. They overwrite only memory from 0 up to the returned number
 * of bytes. They do not restore unused programs, nor running counters, which begin at 0, except
 * those of stream-out. put gets data and a whole command at a time. */
typedef void (*sim_frontend_put)(void *data, const uint32_t *words, size_t num_words);
uint32_t sim_frontend_commands(const struct sim_frontend *f, sim_frontend_put put, void *data);
/* Returns the running counters of a context, or NULL if the context was never selected. */
const uint64_t *sim_frontend_context_counters(const struct sim_frontend *f, uint32_t context);

/* Executes CONTEXT, a checked payload. */
void sim_frontend_select(struct sim_frontend *f, const uint32_t *payload);
/* Return, for the selected context: its number; the words of state that a context switch moves; its
 * registers; its running counters, which live as long as the front end (boxes may add to them in
 * any order); its text marker. */
uint32_t sim_frontend_context(const struct sim_frontend *f);
uint32_t sim_frontend_context_words(const struct sim_frontend *f);
struct attila_regs *sim_frontend_regs(struct sim_frontend *f);
uint64_t *sim_frontend_counters(struct sim_frontend *f);
const char *sim_frontend_label(const struct sim_frontend *f);
/* Notes that WRITE_COUNTER reads a counter of the selected context. */
void sim_frontend_note_counter(struct sim_frontend *f, uint32_t counter);
/* Returns whether it has ever read ATTILA_COUNTER_FS_INVOCATIONS: it may read it again. */
bool sim_frontend_counts_fragments(const struct sim_frontend *f);
/* Returns a hash of the binary of a stage's program, which the state must have. */
uint64_t sim_frontend_program_hash(const struct emul_draw_state *state, enum attila_stage stage);
/* Returns the texture units that the programs of the selected context sample, a bit for each. */
uint64_t sim_frontend_tex_units(const struct sim_frontend *f);

/* Checks a command's bounds (words available, payload length, registers, constants, addresses in
 * memory). Returns false with a message if the command is malformed; the simulator then stops with
 * this message. */
bool sim_frontend_check(struct sim_frontend *f, const uint32_t *command, size_t available,
                        char *error, size_t error_size);
/* Returns the words up to the next frame's end, at most num_words, and whether a frame ends
 * there. */
size_t sim_frame_words(const uint32_t *words, size_t num_words, bool *ends);
/* Checks opcode and payload length, without registers. command_words: words of the command with
 * header. */
bool sim_check_header(const uint32_t *command, size_t available, uint32_t *command_words,
                      char *error, size_t error_size);
/* Returns the name of an opcode ("DRAW"), or "?" for an unknown one. */
const char *sim_command_name(uint32_t op);

/* Executes CONDITION. pairs: its counters, 2 * count words of 64 bits, as in memory. */
void sim_frontend_set_condition(struct sim_frontend *f, const struct attila_cmd_condition *cmd,
                                const void *pairs);
/* Returns whether a draw with these flags executes. */
bool sim_frontend_draws(const struct sim_frontend *f, uint32_t draw_flags);
/* Executes VERTEX_COUNT, a checked command. filled: its counter. */
void sim_frontend_set_vertex_count(struct sim_frontend *f,
                                   const struct attila_cmd_vertex_count *cmd, uint64_t filled);
/* Executes INDIRECT, a checked command. numbers: its words. */
void sim_frontend_set_indirect(struct sim_frontend *f, const struct attila_cmd_indirect *cmd,
                               const void *numbers);
/* Returns a checked DRAW's payload with what it finally draws. */
struct attila_cmd_draw sim_frontend_draw_command(const struct sim_frontend *f,
                                                 const uint32_t *payload);
/* Execute STREAM_OUTPUTS and STREAM_TARGETS, a checked payload. filled: the counters of the
 * targets; 0 for a target without one. */
void sim_frontend_stream_outputs(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
void sim_frontend_stream_targets(struct sim_frontend *f, const uint32_t *payload,
                                 const uint64_t filled[ATTILA_MAX_STREAM_BUFFERS]);
/* Sets the selected context's text marker. */
void sim_frontend_set_label(struct sim_frontend *f, const char *label);
/* Execute MARKER, WRITE_REGS, WRITE_CONSTS: a checked payload. */
void sim_frontend_marker(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
void sim_frontend_write_regs(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
void sim_frontend_write_consts(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
/* Execute GEOMETRY, CONST_BUFFERS, STORAGE, IMAGES: a checked payload. */
void sim_frontend_geometry(struct sim_frontend *f, const uint32_t *payload);
void sim_frontend_layers(struct sim_frontend *f, const uint32_t *payload);
void sim_frontend_const_buffers(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
void sim_frontend_storage(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
void sim_frontend_images(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
/* Executes a checked LOAD_PROGRAM. binary: the program's bytes, read from GPU memory by the caller.
 * Decoded programs are cached. Returns false with a message if it is invalid. */
bool sim_frontend_load_program(struct sim_frontend *f, const uint32_t *payload, uint32_t words,
                               const void *binary, char *error, size_t error_size);
/* Fills state, allocating or sharing constant banks and texture states. Returns false with a
 * message if the draw must be skipped. */
bool sim_frontend_begin_draw(struct sim_frontend *f, struct emul_draw_state *state,
                             const struct attila_cmd_draw *cmd, char *error, size_t error_size);
/* Does the same for a grid of these workgroups (sim_frontend_grid.c). */
bool sim_frontend_begin_grid(struct sim_frontend *f, struct emul_draw_state *state,
                             const uint32_t groups[3], char *error, size_t error_size);
/* In sim_draw_work.c: fills in the programs and bindings of a draw's row. */
void sim_draw_work(struct sim_device *d, const struct emul_draw_state *state,
                   struct sim_work *work);
/* After sim_draw_work, once all that the draw reads is in memory: announces its state. Returns the
 * number of the state, for its row; 0: no listener wants it. */
uint32_t sim_draw_pipeline(struct sim_device *d, const struct emul_draw_state *state);
/* Releases what begin_draw shared. */
void sim_frontend_end_draw(struct sim_frontend *f, struct emul_draw_state *state);

#endif
