/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Random streams: surfaces that change, every primitive and depth function, stencil, blending,
 * samples, instances, clears, blits, rendering to textures, integers in vertices, textures and
 * colour buffers, constants in memory, writes with and without waiting, queries, geometry stages,
 * layers, stream-out and draws of what it wrote, shading of samples. And, by random_machines.h,
 * machines of several shapes to run them on. Include once. */
#ifndef RANDOM_SCENE_H
#define RANDOM_SCENE_H

#include "func_stream.h"
#include "random_machines.h"
#include "random_programs.h"
#include "sample.h"

enum { NUM_FBS = 7, INTEGER_FBS = 2 /* the last ones */, LAYERS = 3 /* at most */ };

struct fb {
   uint32_t width, height, samples, num_colors;
   uint32_t color[2], color_format[2], zs, zs_format;
   uint32_t color_stride[2], zs_stride; /* to the next layer */
};

struct scene {
   struct stream s;
   struct fb fb[NUM_FBS];
   unsigned current;
   uint32_t vertices, num_vertices, texture, buffer, constants;
   uint32_t streamed, filled; /* buffers of STREAM_BYTES; the counters of each */
   bool streaming;            /* to them */
   unsigned geometry;         /* vertices of the primitives that the stage takes; 0: it is off */
};

#define STREAM_BYTES 6000

/* LAYERS of them, *stride bytes apart. */
static uint32_t
surface(struct stream *s, uint32_t width, uint32_t height, uint32_t samples, uint32_t format,
        uint32_t *stride)
{
   const uint64_t bytes = attila_surface_bytes(attila_surface_pitch(width, height), width, height,
                                               samples, attila_formats[format].bytes);
   const uint32_t address = stream_alloc(s, bytes);
   *stride = s->next - address;
   stream_alloc(s, (LAYERS - 1) * (size_t)*stride);
   return address;
}

static void
make_fbs(struct scene *c)
{
   static const uint32_t sizes[NUM_FBS][3] = {{96, 72, 1}, {61, 50, 1}, {48, 40, 4}, {96, 72, 1},
                                              {61, 50, 1}, {61, 50, 1}, {48, 40, 4}};
   static const uint32_t formats[NUM_FBS][3] = {
       {ATTILA_FORMAT_R8G8B8A8_UNORM, 0, ATTILA_FORMAT_Z24S8},
       {ATTILA_FORMAT_R16G16B16A16_FLOAT, ATTILA_FORMAT_B5G6R5_UNORM, ATTILA_FORMAT_Z16_UNORM},
       {ATTILA_FORMAT_B8G8R8A8_UNORM, 0, ATTILA_FORMAT_Z32_FLOAT_S8X24},
       {ATTILA_FORMAT_R8G8B8A8_UNORM, ATTILA_FORMAT_R8G8B8A8_UNORM, ATTILA_FORMAT_Z24S8},
       {ATTILA_FORMAT_R8G8B8A8_UNORM, 0, ATTILA_FORMAT_Z24S8},
       {ATTILA_FORMAT_R32G32_UINT, ATTILA_FORMAT_R16_SINT, ATTILA_FORMAT_Z16_UNORM},
       {ATTILA_FORMAT_R8G8B8A8_SINT, 0, ATTILA_FORMAT_Z24S8},
   };
   for (unsigned i = 0; i < NUM_FBS; i++) {
      struct fb *f = &c->fb[i];
      f->width = sizes[i][0];
      f->height = sizes[i][1];
      f->samples = sizes[i][2];
      f->zs_format = formats[i][2];
      f->zs = surface(&c->s, f->width, f->height, f->samples, f->zs_format, &f->zs_stride);
      f->num_colors = formats[i][1] ? 2 : 1;
      for (unsigned b = 0; b < f->num_colors; b++) {
         f->color_format[b] = formats[i][b];
         f->color[b] =
             surface(&c->s, f->width, f->height, f->samples, formats[i][b], &f->color_stride[b]);
      }
   }
   /* One shares its depth with the first, and the next begins inside its colour. */
   c->fb[3].zs = c->fb[0].zs;
   c->fb[4].color[0] = c->fb[3].color[0] + 8192;
}

static void
use_layers(struct scene *c)
{
   const struct fb *f = &c->fb[c->current];
   const struct attila_cmd_layers l = {.count = 1 + layer_rnd(LAYERS),
                                       .output =
                                           layer_rnd(8) ? 4 : layer_rnd(ATTILA_NO_VARYING + 1),
                                       .color_stride = {f->color_stride[0], f->color_stride[1]},
                                       .zs_stride = f->zs_stride};
   stream_command(&c->s, ATTILA_CMD_LAYERS, &l, sizeof(l) / 4);
}

static void
bind_fb(struct scene *c, unsigned i)
{
   struct attila_regs *r = &c->s.regs;
   const struct fb *f = &c->fb[i];
   c->current = i;
   r->fb_width = r->scissor_maxx = f->width;
   r->fb_height = r->scissor_maxy = f->height;
   r->scissor_minx = r->scissor_miny = 0;
   if (chance(30)) {
      r->scissor_minx = rnd(f->width / 2);
      r->scissor_maxy = f->height - rnd(f->height / 2);
   }
   r->fb_samples = f->samples;
   for (unsigned b = 0; b < 2; b++) {
      r->color[b].address = b < f->num_colors ? f->color[b] : 0;
      r->color[b].format = f->color_format[b];
      r->color[b].pitch_tiles = attila_surface_pitch(f->width, f->height);
   }
   if (chance(10))
      r->color[0].address = 0;
   r->zs_address = chance(90) ? f->zs : 0;
   r->zs_format = f->zs_format;
   r->zs_pitch_tiles = attila_surface_pitch(f->width, f->height);
   r->viewport_scale[0] = r->viewport_translate[0] = (float)f->width / 2;
   r->viewport_scale[1] = r->viewport_translate[1] = (float)f->height / 2;
   use_layers(c);
}

static void
random_state(struct attila_regs *r)
{
   for (unsigned b = 0; b < 2; b++) {
      struct attila_color_regs *k = &r->color[b];
      k->write_mask = chance(70) ? 15 : rnd(16);
      k->blend_enable = chance(40);
      k->rgb_eq = rnd(5);
      k->alpha_eq = rnd(5);
      k->rgb_src = rnd(15);
      k->rgb_dst = rnd(15);
      k->alpha_src = rnd(15);
      k->alpha_dst = rnd(15);
   }
   r->logicop_enable = chance(5);
   r->logicop = rnd(16);
   /* Dual-source blending, by numbers that are random already. */
   for (unsigned b = 0; b < 2 && r->logicop >= 12; b++) {
      r->color[b].rgb_src_second = r->logicop & 1;
      r->color[b].rgb_dst_second = r->logicop >> 1 & 1;
      r->color[b].alpha_src_second = r->color[b].rgb_src & 1;
      r->color[b].alpha_dst_second = r->color[b].rgb_dst & 1;
   }
   r->fs_color0_to_all = chance(30);
   r->z_test = chance(80);
   r->z_write = chance(70);
   r->z_func = chance(60) ? ATTILA_FUNC_LESS + 2 * rnd(2) : rnd(8);
   for (unsigned i = 0; i < 2; i++) {
      struct attila_stencil_regs *t = &r->stencil[i];
      t->enable = chance(25);
      t->func = rnd(8);
      t->fail = rnd(8);
      t->zfail = rnd(8);
      t->zpass = rnd(8);
      t->ref = rnd(4);
      t->value_mask = t->write_mask = 255;
   }
   r->count_samples = chance(50);
   r->cull = chance(30) ? 1 + rnd(2) : 0;
   r->front_ccw = rnd(2);
   r->flatshade_first = rnd(2);
   r->fill_front = chance(15) ? rnd(3) : 0;
   r->fill_back = chance(15) ? rnd(3) : 0;
   r->line_width = chance(70) ? 1.0f : rnd_float(1, 6);
   r->line_smooth = chance(10);
   r->poly_smooth = chance(10);
   r->line_stipple_enable = chance(20);
   r->line_stipple_pattern = rnd(65536);
   r->line_stipple_factor = 1 + rnd(3);
   r->point_size = rnd_float(1, 9);
   r->point_smooth = chance(20);
   r->offset_tri = chance(20);
   r->offset_units = rnd_float(-4, 4);
   r->offset_scale = rnd_float(-1, 1);
   r->rasterizer_discard = chance(4);
   r->alpha_to_coverage = chance(10);
   r->alpha_to_one = chance(10);
   r->pixel_coverage = chance(15);
   r->sample_mask = chance(80) ? 0xff : rnd(256);
   r->depth_clip = chance(80);
   for (unsigned i = 0; i < 4; i++) {
      r->fs_input[i].interp = (chance(80) ? 0 : rnd(3)) | (chance(20) ? ATTILA_INTERP_CENTROID : 0);
      r->fs_input[i].output = i;
   }
   if (integers(80))
      r->fs_input[3].interp = ATTILA_INTERP_FLAT;
}

static void
new_vertices(struct scene *c)
{
   struct attila_regs *r = &c->s.regs;
   unsigned count = c->num_vertices = 40 + rnd(100);
   float(*v)[12] = calloc(count, sizeof(*v));
   float spread = chance(50) ? 0.4f : 1.6f;
   for (unsigned i = 0; i < count; i++) {
      v[i][0] = rnd_float(-1.2f, 1.2f) * spread;
      v[i][1] = rnd_float(-1.2f, 1.2f) * spread;
      v[i][2] = rnd_float(-0.9f, 0.9f) * spread;
      v[i][3] = chance(70) ? 1.0f : rnd_float(-0.2f, 2.0f);
      for (unsigned k = 4; k < 12; k++)
         v[i][k] = rnd_float(-0.2f, 1.2f);
   }
   uint32_t size = (uint32_t)(count * sizeof(*v)), address;
   /* Sometimes over the vertices of the draws before, which the command then waits for. */
   if (c->vertices && chance(40) && size <= 140 * sizeof(*v)) {
      address = c->vertices;
      uint32_t head[2] = {address, size};
      uint32_t header = ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 2 + size / 4);
      stream_words(&c->s, &header, 1);
      stream_words(&c->s, head, 2);
      stream_words(&c->s, v, size / 4);
   } else {
      address = stream_alloc(&c->s, 140 * sizeof(*v));
      uint32_t head[2] = {address, size | ATTILA_BUFFER_NO_WAIT};
      uint32_t header = ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 2 + size / 4);
      stream_words(&c->s, &header, 1);
      stream_words(&c->s, head, 2);
      stream_words(&c->s, v, size / 4);
   }
   c->vertices = address;
   for (unsigned a = 0; a < 3; a++)
      r->attrib[a] = (struct attila_attrib_regs){.enable = 1,
                                                 .address = address + a * 16,
                                                 .stride = sizeof(*v),
                                                 .format = ATTILA_FORMAT_R32G32B32A32_FLOAT,
                                                 .limit = size - a * 16};
   r->attrib[3] = (struct attila_attrib_regs){.enable = ATTILA_ATTRIB_MEMORY + chance(20),
                                              .address = address + 1,
                                              .stride = 5,
                                              .format = integers(50) ? ATTILA_FORMAT_R8G8B8_UINT
                                                                     : ATTILA_FORMAT_R8G8B8_SNORM,
                                              .divisor = 1 + rnd(2),
                                              .limit = 40};
   free(v);
}

/* Some outputs to some buffers, with gaps; behind what they hold, or from their begin. */
static void
begin_stream(struct scene *c)
{
   uint32_t words[4 + 8] = {0};
   struct attila_stream_target target[4] = {0};
   const uint32_t num = 1 + streams(8), of = shading_rnd(3) ? 0 : shading_rnd(256);
   for (unsigned i = 0; i < num; i++) {
      const uint32_t buffer = streams(4), first = streams(4), last = first + streams(4 - first);
      const struct attila_stream_output o = {.output = streams(5),
                                             .first = first,
                                             .last = last,
                                             .buffer = buffer,
                                             .offset = words[buffer] / 4 + streams(2),
                                             .stream = of >> 2 * buffer & 3};
      memcpy(&words[4 + i], &o, 4);
      words[buffer] = 4 * (o.offset + last - first + 1u);
   }
   for (unsigned b = 0; b < 4; b++) {
      words[b] += 4 * streams(3);
      target[b].address = c->streamed + b * STREAM_BYTES + 4 * streams(20);
      target[b].size = streams(5) ? 4 * streams(STREAM_BYTES / 4 - 20) : 0;
      target[b].filled = streams(2) ? c->filled + 8 * b : 0;
   }
   stream_command(&c->s, ATTILA_CMD_STREAM_OUTPUTS, words, 4 + num);
   stream_command(&c->s, ATTILA_CMD_STREAM_TARGETS, target, sizeof(target) / 4);
   c->streaming = true;
}

static void
end_stream(struct scene *c)
{
   static const struct attila_stream_target none[4];
   for (unsigned b = 0; b < 4; b++) {
      const uint32_t payload[2] = {ATTILA_COUNTER_STREAM_BYTES_0 + b, c->filled + 8 * b};
      stream_command(&c->s, ATTILA_CMD_WRITE_COUNTER, payload, 2);
   }
   for (unsigned i = 0; i < 2; i++) {
      const unsigned stream = shading_rnd(ATTILA_MAX_VERTEX_STREAMS);
      const uint32_t payload[2] = {i ? attila_stream_written(stream)
                                     : attila_stream_primitives(stream),
                                   c->buffer + 3968 + 8 * (2 * streams(8) + i)};
      stream_command(&c->s, ATTILA_CMD_WRITE_COUNTER, payload, 2);
   }
   stream_command(&c->s, ATTILA_CMD_STREAM_TARGETS, none, sizeof(none) / 4);
   c->streaming = false;
}

/* Vertices come from what was written, as many as fit into it. */
static void
draw_streamed(struct scene *c)
{
   const struct attila_regs regs = c->s.regs;
   const uint32_t b = streams(4), stride = 16 + 4 * streams(8);
   const struct attila_cmd_vertex_count count = {.filled = c->filled + 8 * b, .stride = stride};
   const struct attila_cmd_draw cmd = {.prim = streams(ATTILA_PRIM_POLYGON + 1),
                                       .num_instances = 1 + streams(2),
                                       .flags = ATTILA_DRAW_COUNTED};
   for (unsigned a = 0; a < 3; a++) {
      c->s.regs.attrib[a].address = c->streamed + b * STREAM_BYTES + 4 * a;
      c->s.regs.attrib[a].stride = stride;
      c->s.regs.attrib[a].limit = STREAM_BYTES - 4 * a;
   }
   stream_command(&c->s, ATTILA_CMD_VERTEX_COUNT, &count, sizeof(count) / 4);
   stream_regs(&c->s);
   stream_command(&c->s, ATTILA_CMD_DRAW, &cmd, sizeof(cmd) / 4);
   c->s.regs = regs;
}

static void
stream_out(struct scene *c)
{
   if (c->streaming && streams(3) == 0)
      end_stream(c);
   else if (streams(6) == 0)
      begin_stream(c);
   else if (!c->streaming && streams(6) == 0)
      draw_streamed(c);
}

/* Switches the stage on or off, or changes its program. */
static void
use_geometry(struct scene *c)
{
   struct attila_cmd_geometry g = {.enable = 0};
   const unsigned i = geometry_rnd(6);
   if (geometry_rnd(100) >= 12 && !(c->geometry && geometry_rnd(3) == 0))
      return;
   if (!c->geometry || geometry_rnd(2)) {
      g.enable = 1;
      for (unsigned n = 0; n < ATTILA_MAX_GS_INPUTS; n++)
         g.input[n] = (uint8_t)(geometry_rnd(8) ? n : geometry_rnd(5));
      g.input[0] = 0;
      stream_program(&c->s, ATTILA_STAGE_GEOMETRY,
                     i || shading_rnd(3) == 0 ? geometry_programs[i]
                     : shading_rnd(2)         ? repeated_geometry_program
                                              : streams_geometry_program);
   }
   c->geometry = g.enable ? geometry_vertices[i] : 0;
   stream_command(&c->s, ATTILA_CMD_GEOMETRY, &g, sizeof(g) / 4);
}

/* In some steps of scenes: programs that say the layer. */
static void
say_layers(struct scene *c)
{
   if (layer_rnd(100) < 30)
      stream_program(&c->s, ATTILA_STAGE_VERTEX, layer_vertex_program);
   if (c->geometry == 1 && layer_rnd(100) < 50)
      stream_program(&c->s, ATTILA_STAGE_GEOMETRY, layer_geometry_program);
}

/* A primitive type, most often one that the geometry stage takes. */
static uint32_t
any_prim(const struct scene *c)
{
   static const uint8_t fitting[7][4] = {
       [1] = {ATTILA_PRIM_POINTS, ATTILA_PRIM_POINTS, ATTILA_PRIM_POINTS, ATTILA_PRIM_POINTS},
       [2] = {ATTILA_PRIM_LINES, ATTILA_PRIM_LINE_STRIP, ATTILA_PRIM_LINE_LOOP,
              ATTILA_PRIM_LINE_STRIP_ADJACENCY},
       [3] = {ATTILA_PRIM_TRIANGLES, ATTILA_PRIM_TRIANGLE_STRIP, ATTILA_PRIM_TRIANGLE_FAN,
              ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY},
       [4] = {ATTILA_PRIM_LINES_ADJACENCY, ATTILA_PRIM_LINES_ADJACENCY,
              ATTILA_PRIM_LINE_STRIP_ADJACENCY, ATTILA_PRIM_LINE_STRIP_ADJACENCY},
       [6] = {ATTILA_PRIM_TRIANGLES_ADJACENCY, ATTILA_PRIM_TRIANGLES_ADJACENCY,
              ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY, ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY}};
   const uint32_t prim = rnd(ATTILA_PRIM_POLYGON + 1);
   if (c->geometry && geometry_rnd(20))
      return fitting[c->geometry][geometry_rnd(4)];
   return geometry_rnd(8) ? prim
                          : ATTILA_PRIM_LINES_ADJACENCY +
                                geometry_rnd(ATTILA_NUM_PRIMS - ATTILA_PRIM_LINES_ADJACENCY);
}

/* The numbers of a draw come from memory, where an upload, with or without waiting, puts them. */
static void
draw_indirect(struct scene *c, struct attila_cmd_draw *cmd)
{
   const uint32_t indexed = cmd->index_size != 0, words = 4 + indexed,
                  header = ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 2 + words),
                  address = shading_rnd(2) ? stream_alloc(&c->s, 4 * words) : c->buffer + 4060,
                  head[2] = {address,
                             4 * words | (address < c->buffer + 4096 ? 0 : ATTILA_BUFFER_NO_WAIT)};
   const uint32_t numbers[5] = {cmd->count, cmd->num_instances, cmd->start,
                                indexed ? cmd->index_bias : cmd->first_instance,
                                cmd->first_instance};
   const struct attila_cmd_indirect indirect = {
       .address = address, .words = words, .indices = cmd->start + cmd->count - shading_rnd(2)};
   stream_words(&c->s, &header, 1);
   stream_words(&c->s, head, 2);
   stream_words(&c->s, numbers, words);
   stream_command(&c->s, ATTILA_CMD_INDIRECT, &indirect, sizeof(indirect) / 4);
   cmd->count = cmd->start = cmd->index_bias = cmd->num_instances = cmd->first_instance = 0;
   cmd->flags |= ATTILA_DRAW_INDIRECT;
}

static void
draw(struct scene *c)
{
   struct attila_cmd_draw cmd = {
       .prim = any_prim(c), .num_instances = chance(15) ? rnd(4) : 1, .first_instance = rnd(3)};
   if (chance(50)) {
      uint32_t size = 1u << rnd(3), n = 20 + rnd(80), bytes = 0;
      uint8_t data[512];
      for (uint32_t i = 0; i < n; i++, bytes += size) {
         uint32_t index = rnd(c->num_vertices + 2);
         memcpy(data + bytes, &index, size);
      }
      cmd.index_size = size;
      cmd.start = rnd(3);
      cmd.count = n - cmd.start;
      cmd.index_address = stream_upload(&c->s, data, bytes);
      cmd.flags = chance(40) ? ATTILA_DRAW_RESTART : 0;
      cmd.restart_index = rnd(20);
      cmd.index_bias = chance(20) ? (uint32_t)-2 : 0;
   } else {
      cmd.start = rnd(5);
      cmd.count = rnd(c->num_vertices);
   }
   stream_regs(&c->s);
   if (shading_rnd(6) == 0)
      draw_indirect(c, &cmd);
   stream_command(&c->s, ATTILA_CMD_DRAW, &cmd, sizeof(cmd) / 4);
}

static void
flush(struct scene *c, uint32_t bits)
{
   stream_command(&c->s, ATTILA_CMD_FLUSH, &bits, 1);
}

/* Draws read what was drawn: the colour of framebuffer 0, or the texture that blits write to. */
static void
use_texture(struct scene *c)
{
   bool target = c->current == 1 && chance(60);
   c->s.regs.tex[0] = (struct attila_tex_regs){
       .enable = 1,
       .target = ATTILA_TEX_2D,
       .format = integers(30) ? ATTILA_FORMAT_R8G8B8A8_UINT : ATTILA_FORMAT_R8G8B8A8_UNORM,
       .address = target ? c->fb[0].color[0] : c->texture,
       .width = 96,
       .height = 72,
       .depth = 1,
       .num_levels = 1,
       .swizzle = 0 | 1 << 3 | 2 << 6 | 3 << 9,
       .mag_filter = rnd(2),
       .min_filter = rnd(2),
       .mip_filter = ATTILA_MIP_NONE,
       .max_aniso = 1,
       .wrap_s = rnd(4),
       .wrap_t = rnd(4)};
   flush(c, ATTILA_FLUSH_COLOR | ATTILA_FLUSH_TEXTURE);
}

static void
blit(struct scene *c)
{
   /* From the colour of framebuffer 0 or 3 to the texture or to framebuffer 0's depth, which HZ has
    * to notice. */
   uint32_t x = rnd(40), y = rnd(30);
   uint32_t src = c->fb[rnd(2) ? 0 : 3].color[0], dst = chance(30) ? c->fb[0].zs : c->texture;
   const struct attila_cmd_blit b = {
       .src = {.address = src, .pitch_tiles = 12, .x = x, .y = rnd(30)},
       .dst = {.address = dst, .pitch_tiles = 12, .x = rnd(40), .y = y},
       .width = 1 + rnd(50),
       .height = 1 + rnd(40),
       .depth = 1,
       .element_bytes = 4,
       .samples = 1};
   stream_regs(&c->s);
   stream_command(&c->s, ATTILA_CMD_BLIT, &b, sizeof(b) / 4);
}

/* Framebuffers 2 and 6 have four samples; an average, or one of them (of integers always), becomes
 * part of the texture. */
static void
resolve(struct scene *c)
{
   const bool of_integers = integers(20);
   struct attila_cmd_blit b = {
       .src = {.address = c->fb[of_integers ? 6 : 2].color[0],
               .pitch_tiles = 6,
               .x = rnd(10),
               .y = rnd(10)},
       .dst = {.address = c->texture, .pitch_tiles = 12, .x = rnd(40), .y = rnd(30)},
       .width = 1 + rnd(38),
       .height = 1 + rnd(30),
       .depth = 1,
       .element_bytes = 4,
       .samples = 4,
       .resolve = ATTILA_RESOLVE_AVERAGE + (chance(70) ? 0 : rnd(5)),
       .format = ATTILA_FORMAT_B8G8R8A8_UNORM};
   if (of_integers && b.resolve == ATTILA_RESOLVE_AVERAGE)
      b.resolve = ATTILA_RESOLVE_SAMPLE0;
   stream_regs(&c->s);
   stream_command(&c->s, ATTILA_CMD_BLIT, &b, sizeof(b) / 4);
}

/* Says that a surface, or a part of it, is of no use: what later commands find stays the same. */
static void
discard(struct scene *c)
{
   const struct fb *f = &c->fb[layer_rnd(4) ? c->current : layer_rnd(NUM_FBS)];
   const bool zs = layer_rnd(2);
   const uint32_t stride = zs ? f->zs_stride : f->color_stride[0],
                  payload[2] = {zs ? f->zs : f->color[0], layer_rnd(2)   ? LAYERS * stride
                                                          : layer_rnd(2) ? stride
                                                                         : 4096};
   stream_command(&c->s, ATTILA_CMD_DISCARD, payload, 2);
}

static void
clear(struct scene *c)
{
   const struct {
      uint32_t mask;
      float color[4];
   } color = {1 + rnd(3), {rnd_float(0, 1), rnd_float(0, 1), rnd_float(0, 1), 1}};
   const struct {
      uint32_t planes;
      float depth;
      uint32_t stencil;
   } zs = {rnd(4), chance(70) ? 1.0f : rnd_float(0, 1), rnd(5)};
   stream_regs(&c->s);
   if (chance(70))
      stream_command(&c->s, ATTILA_CMD_CLEAR_COLOR, &color, 5);
   if (chance(70))
      stream_command(&c->s, ATTILA_CMD_CLEAR_ZS, &zs, 3);
}

/* Some bytes of a surface come from the program. */
static void
upload(struct scene *c)
{
   const struct fb *f = &c->fb[3 + rnd(2)];
   uint32_t words[2 + 64], size = 1 + rnd(256);
   words[0] = (chance(70) ? f->color[0] : c->fb[0].zs) + rnd(61 * 50 * 4 - 256);
   words[1] = size;
   for (unsigned i = 0; i < 64; i++)
      words[2 + i] = rnd(1u << 31) * 2;
   stream_command(&c->s, ATTILA_CMD_WRITE_BUFFER, words, 2 + (size + 3) / 4);
}

static void
bind_any_fb(struct scene *c)
{
   unsigned i = rnd(NUM_FBS - INTEGER_FBS);
   if (integers(25))
      i = NUM_FBS - INTEGER_FBS + i % INTEGER_FBS;
   bind_fb(c, i);
}

#define CONSTANTS 1024 /* bytes */

/* Some of the constants change, or where buffers begin and end. */
static void
change_constants(struct scene *c)
{
   uint32_t words[2 + 32];
   const uint32_t first = load_rnd(CONSTANTS / 4 - 32);
   words[0] = c->constants + 4 * first;
   words[1] = 32 * 4;
   for (unsigned i = 0; i < 32; i++) {
      const float value = (float)load_rnd(1000) / 1000.0f;
      memcpy(&words[2 + i], &value, 4);
   }
   stream_command(&c->s, ATTILA_CMD_WRITE_BUFFER, words, 2 + 32);
   uint32_t bind[2 + 2 * 3] = {load_rnd(ATTILA_NUM_STAGES), 0};
   for (unsigned i = 0; i < 3; i++) {
      bind[2 + 2 * i] = c->constants + 16 * load_rnd(20);
      bind[3 + 2 * i] = load_rnd(CONSTANTS - 20 * 16);
   }
   stream_command(&c->s, ATTILA_CMD_CONST_BUFFERS, bind, 2 + 2 * (1 + load_rnd(3)));
}

/* In some steps of scenes: programs that load. */
static void
use_constants(struct scene *c)
{
   if (load_rnd(100) < 30)
      change_constants(c);
   if (load_rnd(100) < 15)
      stream_program(&c->s, ATTILA_STAGE_FRAGMENT, load_fragment_programs[load_rnd(3)]);
   if (load_rnd(100) < 15)
      stream_program(&c->s, ATTILA_STAGE_VERTEX, load_vertex_program);
}

static void
any_fragment_program(struct scene *c)
{
   const unsigned i = rnd(5);
   stream_program(&c->s, ATTILA_STAGE_FRAGMENT, fragment_programs[integers(20) ? 5 : i]);
}

/* In some steps of scenes: samples that are shaded by themselves, programs that know of them. */
static void
use_samples(struct scene *c)
{
   if (shading_rnd(100) < 12)
      stream_program(&c->s, ATTILA_STAGE_FRAGMENT, sample_fragment_programs[shading_rnd(2)]);
   c->s.regs.fs_input[3].samples = shading_rnd(2);
   c->s.regs.sample_shading = shading_rnd(3) == 0;
}

static __attribute__((unused)) void
make_scene(struct scene *c, uint32_t number)
{
   memset(c, 0, sizeof(*c));
   seed = number * 7919 + 1;
   integer_seed = stream_seed = load_seed = geometry_seed = layer_seed = shading_seed = number;
   stream_start(&c->s, 96, 72, 1);
   make_fbs(c);
   uint32_t words = (uint32_t)attila_surface_bytes(attila_surface_pitch(96, 72), 96, 72, 1, 4) / 4;
   uint32_t *texels = calloc(words, 4);
   for (unsigned i = 0; i < 96 * 72; i++)
      texels[i] = rnd(1u << 31) * 2;
   c->texture = stream_upload(&c->s, texels, words * 4);
   free(texels);
   c->buffer = stream_alloc(&c->s, 4096);
   c->filled = c->buffer + 3840;
   c->streamed = stream_alloc(&c->s, 4 * STREAM_BYTES);
   c->constants = c->buffer + 2048; /* behind the counters */
   const struct {
      uint32_t stage, first;
      float m[2][4];
   } consts = {ATTILA_STAGE_VERTEX, 0, {{0.9f, 0.8f, 1, 1}, {0.1f, 0, 0.05f, 0}}};
   stream_command(&c->s, ATTILA_CMD_WRITE_CONSTS, &consts, sizeof(consts) / 4);
   bind_fb(c, 0);
   new_vertices(c);
   use_texture(c);
   stream_program(&c->s, ATTILA_STAGE_VERTEX, vertex_programs[0]);
   stream_program(&c->s, ATTILA_STAGE_FRAGMENT, fragment_programs[0]);
   for (unsigned step = 0; step < 50; step++) {
      if (chance(25))
         bind_any_fb(c);
      /* What texture unit 0 reads must not be drawn to. */
      if (c->current != 1 && c->s.regs.tex[0].address == c->fb[0].color[0])
         use_texture(c);
      if (chance(20))
         clear(c);
      if (chance(60))
         random_state(&c->s.regs);
      if (chance(20))
         stream_program(&c->s, ATTILA_STAGE_VERTEX, vertex_programs[rnd(2)]);
      if (chance(40))
         any_fragment_program(c);
      if (chance(30))
         new_vertices(c);
      if (chance(15))
         use_texture(c);
      if (chance(10))
         blit(c);
      if (chance(10))
         resolve(c);
      if (chance(10))
         upload(c);
      if (chance(10)) {
         /* Never the invocation counters of shaders, which depend on the vertex cache. */
         static const uint32_t counters[] = {
             ATTILA_COUNTER_SAMPLES_PASSED, ATTILA_COUNTER_IA_VERTICES,
             ATTILA_COUNTER_IA_PRIMITIVES, ATTILA_COUNTER_CLIP_INVOCATIONS,
             ATTILA_COUNTER_CLIP_PRIMITIVES};
         const uint32_t payload[2] = {counters[rnd(5)], c->buffer + 8 * step};
         stream_command(&c->s, ATTILA_CMD_WRITE_COUNTER, payload, 2);
      }
      use_constants(c);
      use_geometry(c);
      say_layers(c);
      use_samples(c);
      if (chance(3))
         stream_command(&c->s, ATTILA_CMD_END_FRAME, &c->s.next, 0);
      if (layer_rnd(10) == 0)
         discard(c);
      stream_out(c);
      draw(c);
   }
   flush(c, ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS);
   const uint32_t fence[2] = {1, 0};
   stream_command(&c->s, ATTILA_CMD_FENCE, fence, 2);
}

#endif
