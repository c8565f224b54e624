/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The area of each unit, one line each: how many there are, what logic and memory one is made of,
 * and where the estimate comes from. The published figures are MICRO 2005, section 6.2; all else is
 * estimated by counting arithmetic in units that those figures give. Not here: adding up and
 * processes (sim_area.c), what it is good for (docs/explanation/area.md).
 *
 * U(name, "what", number of units, thousands of transistors of logic, bits of memory, pads,
 * "source") c is the configuration. Numbers are double.
 */
#ifndef SIM_AREA_UNITS_H
#define SIM_AREA_UNITS_H

/* Thousands of transistors. MICRO 2005, section 6.2: a vertex shader, a shader unit with its
 * texture unit; 15 % of that for one SIMD ALU more, 5 % for a scalar one. */
#define AREA_VERTEX_SHADER 2500.
#define AREA_SHADER_UNIT 15000.
#define AREA_SIMD_ALU .15
#define AREA_SCALAR_ALU .05

/* A bit of memory has six transistors, which the published figures include. */
#define AREA_BIT .006
#define AREA_REGISTER_BITS 128.

/* The machine of that paper: a vertex shader with 96 registers and one lane, a shader unit with 448
 * registers and four lanes. What a lane is without registers follows from the vertex shader; what
 * four of them leave of a shader unit is its texture unit. */
#define AREA_LANE (AREA_VERTEX_SHADER - 96 * AREA_REGISTER_BITS * AREA_BIT)
#define AREA_TEXTURE_UNIT (AREA_SHADER_UNIT - 4 * AREA_LANE - 448 * AREA_REGISTER_BITS * AREA_BIT)
#define AREA_TEXTURE_LOGIC \
   (AREA_TEXTURE_UNIT - AREA_BIT * (AREA_CACHE_BITS(64, 256) + (64 + 64 + 4) * AREA_TEXTURE_ENTRY))

/* A multiplier and adder of 32-bit floats with its share of control: a quarter of what a SIMD ALU
 * adds to one of the four lanes. An adder of integers as wide, and an 8-bit multiplier, are about a
 * tenth of it. */
#define AREA_MAC (AREA_SHADER_UNIT * AREA_SIMD_ALU / 16)
#define AREA_ADDER (AREA_MAC / 10)

/* Bits of a cache with tags of 32 bits, and of what waits in queues. */
#define AREA_CACHE_BITS(lines, bytes) ((double)(lines) * ((bytes)*8. + 32))
#define AREA_VERTEX 2048.       /* 16 attributes, ISPASS 2006, Table 1 */
#define AREA_TRIANGLE 384.      /* 3 x 4 x 32 bits, MICRO 2005, Table 1 */
#define AREA_QUAD 640.          /* (2 x 16 + 4 x 32) x 4 bits, MICRO 2005, Table 1 */
#define AREA_SHADER_QUAD 5120.  /* 10 attributes of 4 fragments, MICRO 2005, Table 1 */
#define AREA_TEXTURE_ENTRY 384. /* 3 coordinates of 4 fragments */
#define AREA_REQUEST 64.        /* address, client, number */
#define AREA_TRANSACTION 512.   /* 64 bytes */
#define AREA_CONTEXT 32768.     /* registers of a context */
#define AREA_BLOCK_STATE 2.

#define AREA_ROP_BITS(r)                                                                        \
   (AREA_CACHE_BITS((r).cache_ways * (r).cache_sets, (r).line_stamps * 4 * (r).pixel_bytes) +   \
    AREA_QUAD *                                                                                 \
        ((r).input_queue + (r).fetch_queue + (r).read_queue + (r).op_queue + (r).write_queue) + \
    AREA_BLOCK_STATE * (r).block_states)

/* clang-format off */
#define SIM_AREA_UNITS(U)                                                                          \
   U(shaders, "Shaders", c->gpu.num_shaders, shader_logic(c, false), shader_bits(c, false), 0,     \
     "MICRO 2005, 6.2: 15 million transistors with its texture unit, +15 % a SIMD ALU, +5 % a "    \
     "scalar one")                                                                                 \
   U(vertex_shaders, "Vertex shaders", c->gpu.unified ? 0 : c->gpu.num_vertex_shaders,             \
     shader_logic(c, true), shader_bits(c, true), 0,                                               \
     "MICRO 2005, 6.2: 2.5 million transistors, +15 % a SIMD ALU, +5 % a scalar one")              \
   U(texture_units, "Texture units",                                                               \
     c->shader.tex_shared ? c->shader.tex_shared : c->gpu.num_shaders * c->shader.tex_units,       \
     AREA_TEXTURE_LOGIC,                                                                           \
     AREA_CACHE_BITS(c->shader.tex_ways * c->shader.tex_sets, c->shader.tex_line_size) +           \
        AREA_TEXTURE_ENTRY * (c->shader.tex_queue + c->shader.tex_access_queue +                   \
                              c->shader.tex_result_queue) +                                        \
        (c->shader.tex_two_levels ? AREA_CACHE_BITS(c->shader.tex_ways_l1 * c->shader.tex_sets_l1, \
                                                    c->shader.tex_line_size_l1) : 0),              \
     0, "MICRO 2005, 6.2: what four lanes of a vertex shader leave of a shader unit; cache and "   \
        "queues by their bits")                                                                    \
   U(command, "Command processor", 1, 1200,                                                        \
     128. * c->cp.instruction_memory + AREA_CONTEXT * c->cp.contexts + 64. * c->cp.update_buffer,  \
     0, "estimate: a 64-bit RISC core without caches (MIPS R4000: 1.2 million), its memories by "  \
        "their bits")                                                                              \
   U(streamer, "Streamer", c->streamer.loaders, 8 * AREA_MAC,                                      \
     AREA_CACHE_BITS(c->streamer.cache_lines, c->streamer.cache_line_size) +                       \
        AREA_REQUEST * c->streamer.loader_queue,                                                   \
     0, "estimate: two conversions to four floats a cycle, its cache")                             \
   U(vertex_cache, "Post-shading cache", 1, 2 * AREA_MAC,                                          \
     AREA_VERTEX * c->streamer.output_memory + 32. * c->streamer.index_buffer, 0,                  \
     "ISPASS 2006, Table 1: 16 attributes a vertex; estimate of control")                          \
   U(assembly, "Primitive assembly", c->pa.triangles_cycle, AREA_MAC,                              \
     3 * AREA_VERTEX * c->pa.queue, 0, "MICRO 2005, Table 1: a queue of three vertices each; "     \
     "estimate of control")                                                                        \
   U(clipper, "Clipper", c->clip.units, 12 * AREA_MAC, AREA_TRIANGLE * c->clip.queue, 0,           \
     "estimate: distances to six planes for a vertex, an interpolation of four")                   \
   U(setup, "Triangle setup", c->rast.setup_on_shader ? 0 : c->rast.setup_units, 28 * AREA_MAC,    \
     AREA_TRIANGLE * c->rast.setup_fifo, 0,                                                        \
     "estimate: the adjoint of a 3 x 3 matrix (18 products), a depth plane (6), a reciprocal (4)") \
   U(traversal, "Fragment generation", 1,                                                          \
     AREA_ADDER * 3 * (4. * c->rast.tile_testers +                                                 \
                       (double)c->rast.tiles_cycle * c->rast.gen_width * c->rast.gen_height),      \
     AREA_TRIANGLE * c->rast.batch_queue, 0,                                                       \
     "estimate: an adder for each edge and corner that is tested, and for each fragment of a tile")\
   U(hierarchical_z, "Hierarchical Z", c->rast.disable_hz ? 0 : 1, 8 * AREA_ADDER,                 \
     (double)c->rast.hz_size * (c->rast.hz_variant == 2 ? 24 : 8), 0,                              \
     "MICRO 2005, section 3: on chip, 256 KB")                                                     \
   U(interpolators, "Interpolators", c->rast.interpolators * c->rast.tiles_cycle, 2.5 * AREA_MAC,  \
     0, 0, "estimate: four components of four fragments, multipliers of half the width")           \
   U(fragment_fifo, "Fragment FIFO", 1, 8 * AREA_MAC,                                              \
     AREA_SHADER_QUAD * c->rast.shader_input_queue + AREA_QUAD * c->rast.shaded_queue +            \
        AREA_QUAD * (c->rast.tested_queue + c->rast.interpolated_queue + c->rast.generated_queue), \
     0, "MICRO 2005, Table 1: 10 attributes a fragment; estimate of the crossbar")                 \
   U(z_stencil, "Z and stencil test", c->gpu.num_rops, 5 * AREA_MAC * c->zst.quads_cycle,          \
     AREA_ROP_BITS(c->zst), 0,                                                                     \
     "estimate: four comparisons and a coder; ISPASS 2006, Table 2: cache of 16 KB")               \
   U(colour_write, "Colour write", c->gpu.num_rops, 8 * AREA_MAC * c->cw.quads_cycle,              \
     AREA_ROP_BITS(c->cw), 0,                                                                      \
     "estimate: 32 8-bit multipliers, conversions and a coder; ISPASS 2006, Table 2: cache of "    \
     "16 KB")                                                                                      \
   U(crossbar, "Memory crossbar", 1,                                                               \
     .02 * 512 * c->mc.channels * area_clients(c),                                                 \
     AREA_REQUEST * c->mc.client_queue * area_clients(c) + AREA_REQUEST * c->mc.request_queue +    \
        AREA_TRANSACTION * c->mc.write_buffers, 0,                                                 \
     "estimate: 20 transistors where a bit of a 64-byte bus meets a channel; queues by their bits")\
   U(channels, "Memory channels", c->mc.channels, 6 * AREA_MAC,                                    \
     AREA_TRANSACTION * c->mc.service_queue + AREA_REQUEST * c->mc.channel_transactions,           \
     c->mc.burst_bytes * 4.,                                                                       \
     "estimate: scheduler of 0.8 million, queues by their bits, a pad for each data pin (two "     \
     "transfers a cycle)")                                                                         \
   U(display, "DAC and blitter", 1, 2000, AREA_TRANSACTION * 8 * c->dac.requests, 0,               \
     "estimate: two DMA engines, a scan-out, what a display needs")
/* clang-format on */

#endif
