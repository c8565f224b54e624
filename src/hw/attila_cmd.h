/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The command stream between driver and GPU: 32-bit little-endian words. A command is a header word
 * (opcode in bits 0..7, payload words in bits 8..31) and its payload: the ATTILA command
 * processor's set (ISPASS 2006, section 4: write register, write buffer, draw, fast clear, swap)
 * plus what OpenGL needs. Driver, capture, replay and simulator include this one declaration. */
#ifndef ATTILA_CMD_H
#define ATTILA_CMD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "hw/attila_regs.h"
#include "hw/attila_surface.h"

#define ATTILA_CMD_HEADER(op, words) ((uint32_t)(op) | (uint32_t)(words) << 8)
#define ATTILA_CMD_OP(header) ((header)&0xffu)
#define ATTILA_CMD_WORDS(header) ((header) >> 8)
#define ATTILA_CMD_MAX_WORDS ((1u << 24) - 1)

/* The commands: C(OPCODE, name, minimum payload words, "payload: what it does"). Code that checks,
 * executes or prints commands makes a table of this list, with one function per name. */
/* clang-format off */
#define ATTILA_COMMANDS(C)                                                                       \
   C(NOP, nop, 0, "does nothing")                                                                \
   C(CONTEXT, context, 1,                                                                        \
      "number, or'ed with ATTILA_CONTEXT_RESET: selects whose state the following commands use") \
   C(WRITE_REGS, write_regs, 2,                                                                  \
      "first register index, then one value per word (attila_regs.h)")                           \
   C(WRITE_CONSTS, write_consts, 6,                                                              \
      "stage, first vec4, then vec4s for the stage's constant bank")                             \
   C(WRITE_BUFFER, write_buffer, 2,                                                              \
      "struct attila_cmd_buffer, then ceil(size/4) words copied to GPU memory")                  \
   C(READ_BUFFER, read_buffer, 2,                                                                \
      "struct attila_cmd_buffer: DMA from GPU to system memory")                                 \
   C(LOAD_PROGRAM, load_program, 3,                                                              \
      "struct attila_cmd_program: load a shader program from GPU memory; then a note")           \
   C(DRAW, draw, 10, "struct attila_cmd_draw; then a note")                                      \
   C(CLEAR_COLOR, clear_color, 5,                                                                \
      "colour buffer mask, 4 float32 values: fast clear of whole bound surfaces")                \
   C(CLEAR_ZS, clear_zs, 3,                                                                      \
      "bit 0 depth, bit 1 stencil; float32 depth; stencil: fast clear of the bound surface")     \
   C(BLIT, blit, 21,                                                                             \
      "struct attila_cmd_blit: copies a box of elements between surfaces, or resolves samples")  \
   C(FLUSH, flush, 1,                                                                            \
      "enum attila_flush bits: what the ROPs' caches hold is written back")        \
   C(WRITE_COUNTER, write_counter, 2,                                                            \
      "enum attila_counter, address: writes a 64-bit counter once earlier work is done")         \
   C(CONDITION, condition, 3,                                                                     \
      "struct attila_cmd_condition: decides whether conditional draws are executed")             \
   C(MARKER, marker, 1, "kind (enum attila_marker), then a NUL padded string")                   \
   C(SWAP, swap, 6, "struct attila_cmd_swap: the DAC scans out a surface; ends the frame")       \
   C(END_FRAME, end_frame, 0,                                                                    \
      "ends the frame without scanning anything out (finish of an off-screen program)")          \
   C(FENCE, fence, 2,                                                                            \
      "64-bit value, low word first: signalled when all earlier work is done")                   \
   C(STREAM_OUTPUTS, stream_outputs, 4,                                                          \
      "strides in bytes of the stream-out buffers, then a struct attila_stream_output for each " \
      "output that is written; none: stream-out is off")                                         \
   C(STREAM_TARGETS, stream_targets, 12,                                                         \
      "a struct attila_stream_target for each stream-out buffer: where it is, how full it is")   \
   C(VERTEX_COUNT, vertex_count, 2,                                                              \
      "struct attila_cmd_vertex_count: how many vertices draws with ATTILA_DRAW_COUNTED have")     \
   C(CONST_BUFFERS, const_buffers, 4,                                                            \
      "stage, first buffer, then address and bytes of each: what LDC reads; bytes 0: nothing")   \
   C(GEOMETRY, geometry, 9,                                                                      \
      "struct attila_cmd_geometry: the geometry stage is on or off, and what its inputs are")    \
   C(LAYERS, layers, 11, "struct attila_cmd_layers: draws choose among layers of what is bound") \
   C(DISCARD, discard, 2,                                                                        \
      "struct attila_cmd_buffer: surfaces in this memory are of no use any more, until drawn to") \
   C(INDIRECT, indirect, 3,                                                                      \
      "struct attila_cmd_indirect: what draws with ATTILA_DRAW_INDIRECT draw")                    \
   C(STORAGE, storage, 4,                                                                        \
      "stage, first buffer, then address and bytes of each: storage buffers; bytes 0: nothing")    \
   C(DISPATCH, dispatch, 5,                                                                      \
      "struct attila_cmd_dispatch: runs the compute program for a grid of workgroups; then a "   \
      "note")                                                                                  \
   C(IMAGES, images, 9, "stage, first image, then a struct attila_image for each")
/* clang-format on */

enum attila_opcode {
#define C(NAME, name, words, doc) ATTILA_CMD_##NAME,
   ATTILA_COMMANDS(C)
#undef C
       ATTILA_NUM_CMDS
};

/* A context has its own register file, constant banks, programs, text marker and counters. Reset
 * selects context 0. RESET gives the selected one the state of a new machine (but counters go
 * on). */
#define ATTILA_MAX_CONTEXTS 1024
#define ATTILA_CONTEXT_RESET 0x80000000u

/* WRITE_BUFFER, READ_BUFFER, DISCARD. */
struct attila_cmd_buffer {
   uint32_t address, size; /* bytes; any alignment */
};
/* WRITE_BUFFER normally waits for earlier draws. This bit in size pipelines the write, if the
 * driver knows that no unfinished draw accesses the range (fresh memory). */
#define ATTILA_BUFFER_NO_WAIT 0x80000000u

/* DISCARD says that OpenGL leaves contents undefined. Then they are what they would be without it,
 * so every machine has the same; but a tile-based machine does not write them to memory. */

struct attila_cmd_program {
   uint32_t stage;   /* enum attila_stage */
   uint32_t address; /* 64-byte aligned; binary format in hw/isa/attila_isa.h */
   uint32_t size;    /* bytes */
};

/* CONDITION: the sum of end - begin over count pairs of 64-bit counters (begin, end) from
 * WRITE_COUNTER. It holds if the sum is not 0, or when inverted if it is 0. After reset it
 * holds. */
#define ATTILA_MAX_CONDITION_PAIRS 64
struct attila_cmd_condition {
   uint32_t address;  /* of the pairs, a multiple of 8 */
   uint32_t count;    /* 1..ATTILA_MAX_CONDITION_PAIRS */
   uint32_t inverted; /* 0, 1 */
};

/* A vertex output that stream-out writes: components first to last become words of the vertex in a
 * buffer. */
struct attila_stream_output {
   uint32_t output : 6; /* of the vertex shader; unwritten ones are (0, 0, 0, 1) */
   uint32_t first : 2, last : 2;
   uint32_t buffer : 2;
   uint32_t offset : 16; /* words from the vertex's start */
   uint32_t stream : 2;  /* whose vertices it is; equal for all outputs of a buffer */
   uint32_t unused : 2;  /* 0 */
};

/* STREAM_TARGETS. A primitive is written if all of it fits into every bound buffer with outputs of
 * its stream; the first one follows `filled` bytes. */
struct attila_stream_target {
   uint32_t address; /* a multiple of 4 */
   uint32_t size;    /* bytes, a multiple of 4; 0: not bound */
   uint32_t filled;  /* address of a counter ATTILA_COUNTER_STREAM_BYTES_n from WRITE_COUNTER: the
                      * bytes in the buffer; 0: empty */
};

/* VERTEX_COUNT. */
struct attila_cmd_vertex_count {
   uint32_t filled; /* address of a counter, as above */
   uint32_t stride; /* bytes per vertex: the count is the counter divided by it */
};

/* INDIRECT: the numbers are words in memory, as OpenGL has them (DrawArraysIndirectCommand,
 * DrawElementsIndirectCommand): count, instances, first, with indices their bias, first
 * instance. */
struct attila_cmd_indirect {
   uint32_t address; /* a multiple of 4 */
   uint32_t words;   /* 4; 5: with indices */
   uint32_t indices; /* with indices: how many there are; a draw gets no more */
};

/* GEOMETRY. While the stage is on, registers and commands that name vertex outputs name the
 * geometry stage's. */
struct attila_cmd_geometry {
   uint32_t enable;                     /* 0, 1 */
   uint8_t input[ATTILA_MAX_GS_INPUTS]; /* vertex outputs, up to ATTILA_NO_VARYING; unwritten ones
                                         * read (0, 0, 0, 1) */
};

/* LAYERS. Registers name layer 0 of each bound image; layer n is n strides behind. A primitive goes
 * to its provoking vertex's layer, to layer 0 if that does not exist. Clears ignore this: they
 * clear what the registers name. */
struct attila_cmd_layers {
   uint32_t count;  /* of every bound image; 0 and 1: a single one */
   uint32_t output; /* of the last vertex-making stage, up to ATTILA_NO_VARYING; x is the layer, an
                     * integer; unwritten: layer 0 */
   uint32_t color_stride[ATTILA_MAX_COLOR_BUFFERS], zs_stride; /* bytes, multiples of 256 */
};

/* IMAGES: a level of a texture, some of its layers, or a buffer of texels. */
struct attila_image {
   uint32_t address;      /* of the first slice, a multiple of ATTILA_SURFACE_ALIGN; of a buffer, of
                           * ATTILA_STORAGE_ALIGN */
   uint32_t format;       /* enum attila_format with ATTILA_USE_COLOR; NONE: nothing is bound */
   uint32_t pitch_tiles;  /* tiles per row of tiles; 0: a buffer, whose texels are consecutive */
   uint32_t slice_stride; /* bytes from one z to the next */
   uint32_t width, height, depth; /* texels; depth: slices, layers or faces. Of a buffer the last
                                   * two are 1 */
};
#define ATTILA_IMAGE_WORDS (sizeof(struct attila_image) / 4)

/* Returns the bytes from an image's address to its end; 0: nothing is bound. */
static inline uint64_t
attila_image_bytes(const struct attila_image *i)
{
   const uint32_t bytes = i->format < ATTILA_NUM_FORMATS ? attila_formats[i->format].bytes : 0;
   if (!bytes || !i->width || !i->height || !i->depth)
      return 0;
   if (!i->pitch_tiles)
      return (uint64_t)i->width * bytes;
   return (uint64_t)(i->depth - 1) * i->slice_stride +
          attila_surface_bytes(i->pitch_tiles, i->width, i->height, 1, bytes);
}

/* OpenGL primitives, with OpenGL's and Gallium's numbers. */
/* clang-format off */
#define ATTILA_PRIMS(P)                                                                           \
   P(POINTS) P(LINES) P(LINE_LOOP) P(LINE_STRIP) P(TRIANGLES) P(TRIANGLE_STRIP) P(TRIANGLE_FAN)   \
   P(QUADS) P(QUAD_STRIP) P(POLYGON) P(LINES_ADJACENCY) P(LINE_STRIP_ADJACENCY)                   \
   P(TRIANGLES_ADJACENCY) P(TRIANGLE_STRIP_ADJACENCY)
/* clang-format on */
enum attila_prim {
#define P(name) ATTILA_PRIM_##name,
   ATTILA_PRIMS(P)
#undef P
       ATTILA_NUM_PRIMS
};

struct attila_cmd_draw {
   uint32_t prim;          /* enum attila_prim */
   uint32_t count;         /* indices or vertices */
   uint32_t start;         /* first vertex (not indexed) or first index */
   uint32_t index_size;    /* 0: not indexed; 1, 2, 4 bytes */
   uint32_t index_address; /* of index 0, in GPU memory */
   uint32_t index_bias;    /* int32, added to every index */
   uint32_t num_instances, first_instance;
   uint32_t flags;         /* enum attila_draw_flags */
   uint32_t restart_index; /* when ATTILA_DRAW_RESTART */
};
enum attila_draw_flags {
   ATTILA_DRAW_RESTART = 1 << 0,     /* primitive restart enabled */
   ATTILA_DRAW_META = 1 << 1,        /* the driver's own (blit, clear) */
   ATTILA_DRAW_CONDITIONAL = 1 << 2, /* skipped if the context's condition does not hold */
   ATTILA_DRAW_COUNTED = 1 << 3,     /* as many vertices as VERTEX_COUNT found; count is 0, no
                                      * indices */
   ATTILA_DRAW_INDIRECT = 1 << 4,    /* what INDIRECT found; count, start, index_bias, num_instances
                                      * and first_instance are 0 */
};

/* DISPATCH: with ATTILA_DRAW_INDIRECT the workgroups are three words in memory, as OpenGL has them
 * (DispatchIndirectCommand), and groups is 0; else address is 0. A grid with more than
 * ATTILA_MAX_WORKGROUPS in a dimension is skipped. */
struct attila_cmd_dispatch {
   uint32_t groups[3];
   uint32_t address; /* a multiple of 4 */
   uint32_t flags;   /* ATTILA_DRAW_META, CONDITIONAL, INDIRECT */
};
#define ATTILA_DISPATCH_FLAGS (ATTILA_DRAW_META | ATTILA_DRAW_CONDITIONAL | ATTILA_DRAW_INDIRECT)

/* Copies a box of elements (texels or compressed blocks) without conversion; both formats have the
 * same bytes per element. Coordinates are elements of the level; z is the array layer, cube face or
 * slice. With resolve the destination has one sample, the average or one of the source's; both
 * surfaces are tiled. */
struct attila_cmd_blit_surface {
   uint32_t address;       /* the level's (with attila_layout.level_offset) */
   uint32_t pitch_tiles;   /* tiles per row of tiles; 0: linear, with linear_stride */
   uint32_t slice_stride;  /* bytes from one z to the next */
   uint32_t linear_stride; /* bytes per row when pitch_tiles is 0 */
   uint32_t x, y, z;
};
struct attila_cmd_blit {
   struct attila_cmd_blit_surface src, dst;
   uint32_t width, height, depth;
   uint32_t element_bytes; /* 1, 2, 4, 8, 16; of one sample */
   uint32_t samples;       /* the source's: 1, 2, 4, 8. Without resolve also the destination's */
   uint32_t resolve;       /* enum attila_resolve */
   uint32_t format; /* enum attila_format with ATTILA_USE_COLOR, for ATTILA_RESOLVE_AVERAGE; sRGB
                     * averages linear values, integers have no average */
};
enum attila_resolve {
   ATTILA_RESOLVE_NONE, /* all samples are copied */
   ATTILA_RESOLVE_AVERAGE,
   ATTILA_RESOLVE_SAMPLE0, /* + n: sample n */
};

enum attila_flush {
   ATTILA_FLUSH_COLOR = 1 << 0,   /* CW: write back, materialise clears, decompress */
   ATTILA_FLUSH_ZS = 1 << 1,      /* ZST: the same */
   ATTILA_FLUSH_TEXTURE = 1 << 2, /* invalidate texture and vertex input caches */
};

/* Running 64-bit counters of a context; a query is the difference of two WRITE_COUNTER results.
 * Time and cycles are the machine's. STREAM_TARGETS sets those of stream-out buffers. */
/* clang-format off */
#define ATTILA_COUNTERS(C)                                          \
   C(SAMPLES_PASSED,       "samples that passed depth and stencil") \
   C(TIME_NS,              "simulated nanoseconds")                 \
   C(GPU_CYCLES,           "cycles of the GPU clock")               \
   C(IA_VERTICES,          "vertices read by the streamer")         \
   C(IA_PRIMITIVES,        "primitives assembled")                  \
   C(VS_INVOCATIONS,       "vertices shaded")                       \
   C(CLIP_INVOCATIONS,     "primitives that reached the clipper")   \
   C(CLIP_PRIMITIVES,      "primitives that left the clipper")      \
   C(FS_INVOCATIONS,       "fragments shaded")                      \
   C(STREAM_PRIMITIVES,    "primitives of stream 0 that stream-out was given") \
   C(STREAM_WRITTEN,       "those that it wrote")                   \
   C(STREAM_BYTES_0,       "bytes that its buffer 0 holds")         \
   C(STREAM_BYTES_1,       "bytes that its buffer 1 holds")         \
   C(STREAM_BYTES_2,       "bytes that its buffer 2 holds")         \
   C(STREAM_BYTES_3,       "bytes that its buffer 3 holds")         \
   C(GS_INVOCATIONS,       "lanes that took one in the geometry stage") \
   C(GS_PRIMITIVES,        "primitives that it made")               \
   C(GS_INPUTS,            "primitives that came to it")            \
   C(GS_PRIMITIVES_0,      "those of its primitives in stream 0")   \
   C(GS_PRIMITIVES_1,      "those in stream 1")                     \
   C(GS_PRIMITIVES_2,      "those in stream 2")                     \
   C(GS_PRIMITIVES_3,      "those in stream 3")                     \
   C(STREAM_PRIMITIVES_1,  "STREAM_PRIMITIVES of stream 1")         \
   C(STREAM_PRIMITIVES_2,  "of stream 2")                           \
   C(STREAM_PRIMITIVES_3,  "of stream 3")                           \
   C(STREAM_WRITTEN_1,     "STREAM_WRITTEN of stream 1")            \
   C(STREAM_WRITTEN_2,     "of stream 2")                           \
   C(STREAM_WRITTEN_3,     "of stream 3")                           \
   C(CS_INVOCATIONS,       "invocations of compute programs")
/* clang-format on */
enum attila_counter {
#define C(name, doc) ATTILA_COUNTER_##name,
   ATTILA_COUNTERS(C)
#undef C
       ATTILA_NUM_COUNTERS
};

/* Return the counters of a stream. */
static inline enum attila_counter
attila_stream_primitives(unsigned stream)
{
   return stream ? ATTILA_COUNTER_STREAM_PRIMITIVES_1 + (stream - 1)
                 : ATTILA_COUNTER_STREAM_PRIMITIVES;
}
static inline enum attila_counter
attila_stream_written(unsigned stream)
{
   return stream ? ATTILA_COUNTER_STREAM_WRITTEN_1 + (stream - 1) : ATTILA_COUNTER_STREAM_WRITTEN;
}

enum attila_marker { ATTILA_MARKER_TEXT, ATTILA_MARKER_SHADER_NAME };

/* Notes for people: words behind the structure of DRAW, DISPATCH and LOAD_PROGRAM that the machine
 * ignores, in no time. DRAW's and DISPATCH's is its OpenGL call, "glDrawArrays(GL_TRIANGLES, 0,
 * 3)", NUL padded. LOAD_PROGRAM's is the number of its instructions (0: no lines), each one's
 * source line in 16 bits (0: unknown), padded to a word, and two texts that end with NUL, the
 * second one NUL padded: the source, and a line for each uniform (both empty: unknown): c REGISTER
 * TYPE NAME      in constant registers f REGISTER TYPE NAME      the same, integers as floats b
 * BLOCK BYTE ARRAY_STRIDE MATRIX_STRIDE TYPE NAME   in a uniform block r BLOCK BYTE ARRAY_STRIDE
 * MATRIX_STRIDE TYPE NAME   the same, with matrices row by row t UNIT TYPE NAME          a sampler:
 * the texture unit of its first element TYPE is GLSL's, of an array with its length (vec3[4]); NAME
 * is OpenGL's, without [0]. */
#define ATTILA_DRAW_WORDS (sizeof(struct attila_cmd_draw) / 4)
#define ATTILA_DISPATCH_WORDS (sizeof(struct attila_cmd_dispatch) / 4)
#define ATTILA_LOAD_PROGRAM_WORDS (sizeof(struct attila_cmd_program) / 4)

static inline const char *
attila_cmd_draw_note(const uint32_t *payload, uint32_t words)
{
   return words > ATTILA_DRAW_WORDS ? (const char *)(payload + ATTILA_DRAW_WORDS) : NULL;
}

static inline const char *
attila_cmd_dispatch_note(const uint32_t *payload, uint32_t words)
{
   return words > ATTILA_DISPATCH_WORDS ? (const char *)(payload + ATTILA_DISPATCH_WORDS) : NULL;
}

struct attila_program_note {
   uint32_t num_lines;
   const uint16_t *lines;
   const char *source;   /* NULL: unknown */
   const char *uniforms; /* NULL: unknown */
};

/* Returns whether words are a whole note of LOAD_PROGRAM. */
static inline bool
attila_program_note_valid(const uint32_t *note, uint32_t words)
{
   return 1 + (uint64_t)note[0] / 2 + note[0] % 2 < words && !(note[words - 1] >> 24);
}

/* words: of the note, which begins at note and is valid. */
static inline struct attila_program_note
attila_program_note_of(const uint32_t *note, uint32_t words)
{
   struct attila_program_note n = {0};
   if (words) {
      n.num_lines = note[0];
      n.lines = (const uint16_t *)(note + 1);
      const char *source = (const char *)(note + 1 + (n.num_lines + 1) / 2),
                 *uniforms = source + strlen(source) + 1;
      n.source = *source ? source : NULL;
      n.uniforms = uniforms < (const char *)(note + words) && *uniforms ? uniforms : NULL;
   }
   return n;
}

/* Returns the payload words that the command processor fetches with the command: neither notes nor
 * data, which it streams. */
static inline uint32_t
attila_cmd_fetched_words(enum attila_opcode op, uint32_t words)
{
   const uint32_t fetched = op == ATTILA_CMD_DRAW           ? ATTILA_DRAW_WORDS
                            : op == ATTILA_CMD_DISPATCH     ? ATTILA_DISPATCH_WORDS
                            : op == ATTILA_CMD_LOAD_PROGRAM ? ATTILA_LOAD_PROGRAM_WORDS
                            : op == ATTILA_CMD_WRITE_BUFFER ? sizeof(struct attila_cmd_buffer) / 4
                                                            : words;
   return fetched < words ? fetched : words;
}

#define ATTILA_SWAP_BOTTOM_UP 1u /* row 0 is the bottom row */
/* The surface has samples, whose averages the DAC shows, and the words from samples on are present.
 * Their picture, of the same size and format, is left in memory for readers of what was shown, in
 * no time, like the way to the screen. It must not overlap the surface. */
#define ATTILA_SWAP_RESOLVE 2u

struct attila_cmd_swap {
   uint32_t address;     /* of the surface */
   uint32_t format;      /* enum attila_format */
   uint32_t pitch_tiles; /* tiles per row */
   uint32_t width, height;
   uint32_t flags;   /* ATTILA_SWAP_* */
   uint32_t samples; /* 2, 4, 8 */
   uint32_t picture_address, picture_pitch_tiles;
};
#define ATTILA_SWAP_WORDS 6 /* without samples */

/* Returns a SWAP's payload as a whole structure. */
static inline struct attila_cmd_swap
attila_cmd_swap_of(const uint32_t *payload)
{
   struct attila_cmd_swap s = {0};
   memcpy(&s, payload, ATTILA_SWAP_WORDS * sizeof(*payload));
   if (s.flags & ATTILA_SWAP_RESOLVE)
      memcpy(&s, payload, sizeof(s));
   else
      s.samples = 1;
   return s;
}

/* Returns whether a command begins only when all earlier draws have finished and writes are in
 * memory. So does WRITE_BUFFER without ATTILA_BUFFER_NO_WAIT. CLEAR, BLIT, FLUSH and SWAP finish
 * before the next command begins; FENCE and WRITE_COUNTER do not hold up later ones. */
static inline bool
attila_cmd_waits(enum attila_opcode op)
{
   switch (op) {
   case ATTILA_CMD_READ_BUFFER:
   case ATTILA_CMD_CLEAR_COLOR:
   case ATTILA_CMD_CLEAR_ZS:
   case ATTILA_CMD_BLIT:
   case ATTILA_CMD_FLUSH:
   case ATTILA_CMD_SWAP:
   case ATTILA_CMD_END_FRAME:
   case ATTILA_CMD_STREAM_TARGETS:
   case ATTILA_CMD_DISPATCH:
      return true;
   default:
      return false;
   }
}

#endif
