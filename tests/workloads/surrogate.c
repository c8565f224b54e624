/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Writes a capture of a surrogate frame: meshes whose statistics are those that a file says, which
 * are published of a game that cannot be had. The first frame uploads, the second one draws. Not
 * here: the statistics (ut2004.ini, doom3.ini), comparing them (attila/studies/surrogates.py), the
 * capture (surrogate_stream.c). */
#include "surrogate_stream.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ini.h>
#include "hw/attila_surface.h"

/* The keys of a file: K(name, least and greatest value). ut2004.ini says what they are. */
/* clang-format off */
#define KEYS(K)                                                                                \
   K(indices_per_frame, 3, 1e7) K(indices_per_batch, 12, 60000) K(index_bytes, 2, 4)           \
   K(vertex_instructions, 13, 500) K(vertex_longest, 0, 500) K(vertices_per_index, .17, 1)     \
   K(clipped, 0, 90) K(culled, 0, 90) K(overdraw, 1, 100) K(removed_hz, 0, 100)                \
   K(removed_zs, 0, 100) K(removed_alpha, 0, 100) K(removed_mask, 0, 100)                      \
   K(fragment_instructions, 2, 500) K(texture_instructions, 0, 8)                              \
   K(samples_per_request, 1, 32) K(bilinear, 0, 90) K(aniso_ratio, 2, 16)                      \
   K(longest_share, 0, 90) K(lights, 0, 64) K(stencil_share, 0, 100) K(blended, 0, 100)        \
   K(textures, 1, 1024) K(texture_size, 4, 4096) K(texels_per_pixel, 1, 2)                     \
   K(vertex_bytes, 32, 256) K(volume_bytes, 12, 256) K(base_instructions, 0, 500)              \
   K(base_textures, 0, 8)
/* clang-format on */
struct surrogate {
#define K(name, least, most) double name;
   KEYS(K)
#undef K
};

/* What a batch does to the picture; the areas of all batches together are the overdraw. */
enum kind {
   BASE,    /* covers the screen once; the depth that is there afterwards */
   COPY,    /* the base a little farther away: Hierarchical Z passes it, the depth test does not */
   VISIBLE, /* in front of all that is there */
   KILLED,  /* the same; the program kills half of it, as an alpha test does */
   HIDDEN,  /* behind the base */
   SHADOW,  /* the front of a shadow volume whose back is behind the base */
   FRONT,   /* the front of a volume that is in front of the base */
   BACK,    /* its back */
   LIGHT,   /* the base with one light, which is added where no shadow is */
   NUM_KINDS,
};

/* Triangles in memory. */
struct mesh {
   uint32_t vertices, vertex_bytes, stride, indices, count;
};

struct batch {
   enum kind kind;
   double order;  /* when it is drawn */
   double height; /* of the part of the screen in which it is drawn */
   struct mesh mesh;
};

/* Outputs of vertex programs: 0 the position, then texture coordinates, then what the rest of the
 * program computes. */
enum { MAX_TEXTURES = 8, REST_OUTPUT = MAX_TEXTURES + 1 };

static struct surrogate s;
static struct {
   uint32_t width, height;
} screen;
static double areas[NUM_KINDS]; /* in screens */
static unsigned counts[NUM_KINDS], num_batches;

/* --- The file --- */

static const struct key {
   const char *name;
   size_t offset;
   double least, most;
} keys[] = {
#define K(name, least, most) {#name, offsetof(struct surrogate, name), least, most},
    KEYS(K)
#undef K
};
enum { NUM_KEYS = sizeof(keys) / sizeof(keys[0]) };

/* Takes a key of [published] or [assumed]; other sections are for people. Returns 0 for a value
 * that cannot be. */
static int
take_key(void *unused, const char *section, const char *name, const char *text)
{
   if (strcmp(section, "published") && strcmp(section, "assumed"))
      return 1;
   for (unsigned k = 0; k < NUM_KEYS; k++) {
      if (strcmp(keys[k].name, name))
         continue;
      char *end;
      const double value = strtod(text, &end);
      if (end == text || *end || !(value >= keys[k].least && value <= keys[k].most))
         fail("%s takes a number from %g to %g, not '%s'", name, keys[k].least, keys[k].most, text);
      *(double *)((char *)&s + keys[k].offset) = value;
      return 1;
   }
   fail("there is no key %s", name);
}

static void
read_file(const char *path)
{
   for (unsigned k = 0; k < NUM_KEYS; k++)
      *(double *)((char *)&s + keys[k].offset) = NAN;
   const int line = ini_parse(path, take_key, NULL);
   if (line)
      fail(line < 0 ? "cannot read %s" : "%s: line %d is neither KEY = NUMBER nor a comment", path,
           line);
   for (unsigned k = 0; k < NUM_KEYS; k++)
      if (isnan(*(double *)((char *)&s + keys[k].offset)))
         fail("%s: there is no %s", path, keys[k].name);
}

/* --- Numbers --- */

/* 0 to 1, always the same ones. */
static double
random_part(void)
{
   static uint32_t seed = 1;
   seed = seed * 1664525 + 1013904223;
   return (seed >> 8) / 16777216.0;
}

/* Whole numbers whose mean is this one. sum: of the means so far. */
static unsigned
next_of(double *sum, double mean)
{
   const double before = floor(*sum + .5);
   *sum += mean;
   return (unsigned)(floor(*sum + .5) - before);
}

static bool
has_volumes(enum kind kind)
{
   return s.lights > 0 && (kind == COPY || kind == HIDDEN || (kind >= SHADOW && kind <= BACK));
}

/* COPY and LIGHT draw meshes of BASE again, BACK those of FRONT; each light has as many of SHADOW.
 */
static bool
is_fixed(enum kind kind)
{
   return kind == BASE || kind == COPY || kind == LIGHT || kind == SHADOW;
}

static void
find_areas(void)
{
   const double one = s.overdraw / 100, failed = one * s.removed_zs, masked = one * s.removed_mask,
                killed = one * s.removed_alpha, shadowed = failed * s.stencil_share / 100,
                written =
                    one * (100 - s.removed_hz - s.removed_zs - s.removed_mask - s.removed_alpha);
   const bool lit = s.lights > 0;
   areas[BASE] = 1;
   areas[COPY] = failed - shadowed;
   areas[KILLED] = 2 * killed;
   areas[HIDDEN] = one * s.removed_hz;
   areas[lit ? LIGHT : VISIBLE] = written - 1 - killed + shadowed;
   areas[SHADOW] = shadowed;
   areas[FRONT] = areas[BACK] = (masked - shadowed) / 2;
   for (unsigned k = 0; k < NUM_KINDS; k++)
      if (areas[k] < 0)
         fail("removed_* leave too little of the overdraw: kind %u has %g screens", k, areas[k]);
   if (!lit && (shadowed > 0 || masked > 0))
      fail("without lights removed_mask and stencil_share must be 0");
   if (lit && areas[LIGHT] > s.lights)
      fail("lights must be %g at least, so that each lights a screen at most", areas[LIGHT]);
}

static void
find_counts(void)
{
   const double scale = (double)screen.width * screen.height / (1024 * 768),
                wanted = s.indices_per_frame * scale / s.indices_per_batch;
   double area = 0, sum = 0;
   counts[BASE] = (unsigned)fmax(1, wanted / s.overdraw + .5);
   counts[COPY] = (unsigned)ceil(areas[COPY] * counts[BASE]);
   counts[LIGHT] = (unsigned)s.lights * counts[BASE];
   if (areas[SHADOW] > 0)
      counts[SHADOW] =
          (unsigned)(s.lights * fmax(1, round(areas[SHADOW] * wanted / s.overdraw / s.lights)));
   num_batches = counts[BASE] + counts[COPY] + counts[LIGHT] + counts[SHADOW];
   const double left = fmax(0, wanted - num_batches);
   for (unsigned k = 0; k < NUM_KINDS; k++)
      area += is_fixed(k) ? 0 : areas[k];
   for (unsigned k = 0; k < NUM_KINDS; k++) {
      if (is_fixed(k) || areas[k] == 0)
         continue;
      const unsigned n = next_of(&sum, left * areas[k] / area);
      counts[k] = k == BACK ? counts[FRONT] : n < 1 ? 1 : n;
      num_batches += counts[k];
   }
}

/* --- Meshes --- */

/* Where a mesh is, in parts of the screen, and how far away: -1 to 1. */
struct place {
   double x, y, width, height, z, roughness;
};

struct builder {
   float (*vertices)[8]; /* position, texture coordinates in pixels, normal */
   uint32_t *indices, num_vertices, num_indices;
};

/* Adds triangles of a grid that fills a place, line by line. Some lines of vertices are there
 * twice, as at the borders of strips, so that there are as many vertices as there should be. */
static void
add_grid(struct builder *b, const struct place *p, unsigned columns, unsigned rows,
         unsigned triangles, bool turned)
{
   const double wanted = s.vertices_per_index * 6 * columns * rows / (columns + 1) - rows - 1;
   double twice = 0;
   for (unsigned y = 0, n = 0; y <= rows; y++) {
      for (unsigned x = 0; x <= columns; x++) {
         const double u = (double)x / columns, v = (double)y / rows;
         const float vertex[8] = {(float)(2 * (p->x + u * p->width) - 1),
                                  (float)(2 * (p->y + v * p->height) - 1),
                                  (float)(p->z + (random_part() - .5) * p->roughness),
                                  (float)((u - .5) * p->width * screen.width),
                                  (float)((v - .5) * p->height * screen.height)};
         memcpy(b->vertices[b->num_vertices++], vertex, sizeof(vertex));
      }
      const uint32_t line = b->num_vertices - columns - 1;
      if (y && y < rows && wanted > 0 && next_of(&twice, fmin(1, wanted / (rows - 1)))) {
         memcpy(b->vertices[b->num_vertices], b->vertices[line],
                (columns + 1) * sizeof(*b->vertices));
         b->num_vertices += columns + 1;
      }
      for (; y < rows && n < triangles && n < 2 * columns * (y + 1); n++) {
         const uint32_t a = b->num_vertices - columns - 1 + n / 2 % columns,
                        below = a + columns + 1,
                        corners[2][3] = {{a, a + 1, below}, {a + 1, below + 1, below}};
         for (unsigned i = 0; i < 3; i++)
            b->indices[b->num_indices++] = corners[n % 2][turned ? 2 - i : i];
      }
   }
}

/* Finds a grid of about so many triangles whose cells are about squares. */
static void
find_grid(double triangles, const struct place *p, unsigned *columns, unsigned *rows)
{
   const double best = sqrt(triangles / 2 * p->height * screen.height / (p->width * screen.width));
   double least = HUGE_VAL;
   for (unsigned r = (unsigned)fmax(1, best * .7); r <= best * 1.5 + 1; r++) {
      const unsigned c = (unsigned)fmax(1, floor(triangles / 2 / r + .5));
      const double error = fabs(2.0 * c * r - triangles) + .1 * fabs(r - best);
      if (error < least) {
         least = error;
         *columns = c;
         *rows = r;
      }
   }
}

static struct mesh
uploaded(const struct builder *b, enum kind kind)
{
   const uint32_t stride = (uint32_t)(has_volumes(kind) ? s.volume_bytes : s.vertex_bytes),
                  size = (uint32_t)s.index_bytes;
   uint8_t *vertices = allocate((size_t)b->num_vertices * stride),
           *indices = allocate((size_t)b->num_indices * size);
   for (uint32_t i = 0; i < b->num_vertices; i++)
      memcpy(vertices + (size_t)i * stride, b->vertices[i], stride < 32 ? stride : 32);
   for (uint32_t i = 0; i < b->num_indices; i++)
      memcpy(indices + (size_t)i * size, &b->indices[i], size); /* little-endian */
   return (struct mesh){.vertices = upload(vertices, (size_t)b->num_vertices * stride),
                        .vertex_bytes = b->num_vertices * stride,
                        .stride = stride,
                        .indices = upload(indices, (size_t)b->num_indices * size),
                        .count = b->num_indices};
}

/* What is seen fills the place, what is culled lies there too, what is clipped is beside the
 * screen. */
static struct mesh
make_mesh(const struct place *p, enum kind kind)
{
   static double sum, missing; /* missing: triangles that earlier meshes had too few of */
   const unsigned all = next_of(&sum, s.indices_per_batch / 3);
   const double seen = s.indices_per_batch / 3 * (100 - s.clipped - s.culled) / 100 + missing;
   unsigned columns = 1, rows = 1;
   find_grid(fmax(2, seen), p, &columns, &rows);
   const unsigned drawn = 2 * columns * rows, others = all > drawn ? all - drawn : 0,
                  culled = (unsigned)(others * s.culled / fmax(1, s.culled + s.clipped) + .5);
   missing = seen - drawn;
   const struct place outside = {p->x + 1.5, p->y, p->width, p->height, p->z, p->roughness};
   struct builder b = {.vertices =
                           allocate((16 * (size_t)(all + drawn) + 64) * sizeof(*b.vertices)),
                       .indices = allocate(3 * (size_t)(all + drawn) * sizeof(*b.indices))};
   add_grid(&b, p, columns, rows, drawn, false);
   add_grid(&b, p, columns, culled / 2 / columns + 1, culled, true);
   add_grid(&b, &outside, columns, (others - culled) / 2 / columns + 1, others - culled, false);
   return uploaded(&b, kind);
}

/* --- Batches --- */

/* When a batch is drawn among those of its kind, 0 to 1; KILLED between two of VISIBLE. */
static double
part_of(enum kind kind, unsigned number)
{
   const double part = (number + .5) / counts[kind], visible = counts[VISIBLE];
   return kind == KILLED && visible ? (floor(part * visible) + .99) / visible : part;
}

/* A random place of an area; number: of so many of its kind. */
static struct place
free_place(enum kind kind, unsigned number)
{
   const double area = areas[kind] / counts[kind],
                width = fmin(1, fmax(area, sqrt(area) * (.8 + .4 * random_part()))),
                height = area / width, x = random_part() * (1 - width),
                y = random_part() * (1 - height);
   struct place p = {x, y, width, height, -.1 - .8 * part_of(kind, number), .01};
   if (kind == HIDDEN)
      p.z = .5;
   if (kind == SHADOW) {
      /* Each light has the same part of the screen in shadow, in which meshes are side by side. */
      const double width_of_one = s.lights / counts[kind];
      p = (struct place){number / (unsigned)s.lights * width_of_one,
                         0,
                         width_of_one,
                         areas[kind] / s.lights,
                         -.5,
                         .1};
   }
   return p;
}

/* When a batch is drawn: the base first, then what belongs to each light, the light last. */
static double
order_of(enum kind kind, unsigned number)
{
   const double part = part_of(kind, number);
   switch (kind) {
   case BASE:
      return -2 + part;
   case COPY:
      return -1 + part;
   case SHADOW:
      return number % (unsigned)s.lights;
   case LIGHT:
      return number / counts[BASE] + .99;
   default:
      return s.lights == 0    ? part
             : kind == KILLED ? s.lights + part
                              : floor(part * s.lights) + .01 + .9 * fmod(part * s.lights, 1);
   }
}

static int
compare_batches(const void *a, const void *b)
{
   const struct batch *const *x = a, *const *y = b;
   return (*x)->order < (*y)->order ? -1 : (*x)->order > (*y)->order ? 1 : *x < *y ? -1 : 1;
}

/* Returns all batches in the order in which they are drawn, their meshes uploaded. */
static struct batch **
make_batches(void)
{
   struct batch *all = allocate(num_batches * sizeof(*all)), *b = all,
                **sorted = allocate(num_batches * sizeof(struct batch *));
   for (unsigned k = 0; k < NUM_KINDS; k++)
      for (unsigned i = 0; i < counts[k]; i++, b++) {
         const double width = 1.0 / counts[BASE];
         const struct place p =
             k == BASE ? (struct place){i * width, 0, width, 1, 0, .05} : free_place(k, i);
         *b = (struct batch){.kind = k, .order = order_of(k, i), .height = 1};
         if (k == COPY || k == LIGHT) {
            b->mesh = all[i % counts[BASE]].mesh;
            b->height = areas[k] * counts[BASE] / counts[k];
         } else if (k == BACK)
            b->mesh = b[-(int)counts[FRONT]].mesh;
         else
            b->mesh = make_mesh(&p, k);
         sorted[b - all] = b;
      }
   qsort(sorted, num_batches, sizeof(*sorted), compare_batches);
   return sorted;
}

/* --- Textures --- */

static uint32_t *texture_addresses, num_levels;

/* Uploads textures of DXT1 blocks that repeat every few kilobytes, so that captures are small. */
static void
make_textures(void)
{
   struct attila_layout layout;
   const uint32_t size = (uint32_t)s.texture_size;
   for (num_levels = 1; size >> num_levels;)
      num_levels++;
   attila_surface_layout(size, size, 1, 0, num_levels, 1, 8, 4, 4, &layout);
   uint8_t *data = allocate(layout.size);
   for (size_t i = 0; i < layout.size; i++)
      data[i] = i < 4096 ? (uint8_t)(random_part() * 256) : data[i - 4096];
   texture_addresses = allocate((size_t)s.textures * sizeof(*texture_addresses));
   for (unsigned t = 0; t < s.textures; t++)
      texture_addresses[t] = upload(data, layout.size);
}

/* Binds the next texture to a unit, with the next filter: bilinear, trilinear or anisotropic, as
 * many of each as make the samples of a request. Returns how many texels a pixel is wide and high.
 */
static void
bind_texture(unsigned unit, bool hidden, float *width, float *height)
{
   static unsigned next;
   static double few[2], many[2];
   const double bilinear = s.bilinear / 100,
                others = (s.samples_per_request - bilinear) / (1 - bilinear) / 2,
                share = (others - 1) / (s.aniso_ratio - 1);
   if (share < 0 || share > 1)
      fail("samples_per_request must be from %g to %g with this bilinear and aniso_ratio",
           2 - bilinear, bilinear + 2 * (1 - bilinear) * s.aniso_ratio);
   const bool flat = next_of(&few[hidden], bilinear),
              aniso = !flat && next_of(&many[hidden], share);
   regs.tex[attila_first_tex_unit(ATTILA_STAGE_FRAGMENT) + unit] =
       (struct attila_tex_regs){.address = texture_addresses[next++ % (unsigned)s.textures],
                                .enable = 1,
                                .target = ATTILA_TEX_2D,
                                .format = ATTILA_FORMAT_DXT1_RGB,
                                .num_levels = num_levels,
                                .last_level = num_levels - 1,
                                .width = (uint32_t)s.texture_size,
                                .height = (uint32_t)s.texture_size,
                                .depth = 1,
                                .swizzle = ATTILA_SWIZZLE_X | ATTILA_SWIZZLE_Y << 3 |
                                           ATTILA_SWIZZLE_Z << 6 | ATTILA_SWIZZLE_1 << 9,
                                .mag_filter = ATTILA_FILTER_LINEAR,
                                .min_filter = ATTILA_FILTER_LINEAR,
                                .mip_filter = flat ? ATTILA_MIP_NEAREST : ATTILA_MIP_LINEAR,
                                .max_aniso = aniso ? (uint32_t)s.aniso_ratio : 1,
                                .max_lod = 15};
   *width = *height = (float)s.texels_per_pixel;
   if (aniso)
      *width *= (float)s.aniso_ratio * .98f; /* not a sample more */
}

/* --- Programs --- */

/* A matrix, coordinates of textures, and the rest: two chains of which each second instruction
 * needs both. */
static void
vertex_text(struct text *t, unsigned instructions, unsigned textures)
{
   for (unsigned i = 0; i < 4; i++)
      add_line(t, "DP4 o0.%c, i0, c%u", "xyzw"[i], i);
   for (unsigned i = 0; i < textures; i++)
      add_line(t, "MUL o%u, i1, c%u", 1 + i, 4 + i);
   if (t->instructions + 3 <= instructions) {
      add_line(t, "MOV r0, i2");
      add_line(t, "MOV r1, i2");
      while (t->instructions + 1 < instructions)
         add_line(t, t->instructions % 2 ? "MAD r0, r0, c4, r1" : "MAD r1, r1, c5, i2");
   }
   while (t->instructions < instructions)
      add_line(t, t->instructions + 1 < instructions ? "MOV o%u, i2" : "MOV o%u, r0", REST_OUTPUT);
}

/* Textures in groups of three, which are added up, and the rest in a chain. kill: fragments whose
 * first texture coordinate is negative. */
static void
fragment_text(struct text *t, unsigned instructions, unsigned textures, bool kill)
{
   if (kill)
      add_line(t, "KIL i0.x");
   for (unsigned first = 0; first < textures; first += 3) {
      const unsigned end = first + 3 < textures ? first + 3 : textures;
      for (unsigned i = first; i < end; i++)
         add_line(t, "TEX r%u, i%u, t%u, 2D", 1 + i - first, i, i);
      for (unsigned i = first; i < end && t->instructions + textures - end + 1 < instructions; i++)
         add_line(t, "MAD r0, r%u, c0, r0", 1 + i - first);
   }
   while (t->instructions + 1 < instructions)
      add_line(t, "MAD r0, r0, c0, c1");
   add_line(t, textures ? "MAD o0, r1, c0, r0" : "MOV o0, c0");
}

/* Returns the instructions of the next vertex program. Long ones are side by side, so that a part
 * of the frame is theirs; the others are as long as the mean asks for. */
static unsigned
next_vertex_length(unsigned number)
{
   static double sum;
   const double part = (number + .5) / num_batches, share = s.longest_share / 100;
   if (fabs(part - .6) < share / 2)
      return (unsigned)s.vertex_longest;
   return next_of(&sum, (s.vertex_instructions - share * s.vertex_longest) / (1 - share));
}

/* Loads a batch's programs and what they read. */
static void
set_programs(const struct batch *b, unsigned number)
{
   static double instructions[2], textures[2]; /* of batches that are shaded, and of hidden ones */
   const bool hidden = b->kind == HIDDEN || b->kind == COPY,
              own = b->kind == BASE && s.base_instructions > 0;
   const double with = s.lights > 0 ? areas[LIGHT] - areas[SHADOW] : 0,
                more = with > 0 && s.base_instructions > 0 ? 1 / with : 0;
   struct text vertex = {.length = 0}, fragment = {.length = 0};
   unsigned length = 1, units = 0;
   if (own)
      length = (unsigned)s.base_instructions, units = (unsigned)s.base_textures;
   else if (!has_volumes(b->kind)) {
      length =
          next_of(&instructions[hidden],
                  s.fragment_instructions + more * (s.fragment_instructions - s.base_instructions));
      units = next_of(&textures[hidden],
                      s.texture_instructions + more * (s.texture_instructions - s.base_textures));
   }
   units = units > MAX_TEXTURES ? MAX_TEXTURES : units;
   /* A little farther away than the base, but not farther than its farthest point in 8x8 pixels. */
   float constants[4 + MAX_TEXTURES][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
   constants[2][3] = b->kind == COPY ? 2e-4f : 0;
   for (unsigned i = 0; i < MAX_TEXTURES; i++) {
      float *c = constants[4 + i];
      if (i < units)
         bind_texture(i, hidden, &c[0], &c[1]);
      c[0] /= (float)s.texture_size;
      c[1] /= (float)s.texture_size;
      c[3] = 1;
   }
   vertex_text(&vertex, next_vertex_length(number), units);
   add_line(&fragment, ".fragment");
   fragment.instructions = 0;
   fragment_text(&fragment, length, units, b->kind == KILLED);
   load_program(ATTILA_STAGE_VERTEX, &vertex);
   load_program(ATTILA_STAGE_FRAGMENT, &fragment);
   put_constants(ATTILA_STAGE_VERTEX, constants, 4 + MAX_TEXTURES);
}

/* --- Drawing --- */

static void
start_regs(void)
{
   struct attila_regs *r = &regs;
   const uint32_t pitch = attila_surface_pitch(screen.width, screen.height);
   const uint64_t bytes = attila_surface_bytes(pitch, screen.width, screen.height, 1, 4);
   r->fb_width = r->scissor_maxx = screen.width;
   r->fb_height = r->scissor_maxy = screen.height;
   r->color[0].address = take_memory(bytes);
   r->color[0].format = ATTILA_FORMAT_B8G8R8A8_UNORM;
   r->color[0].pitch_tiles = r->zs_pitch_tiles = pitch;
   r->zs_address = take_memory(bytes);
   r->zs_format = ATTILA_FORMAT_Z24S8;
   r->viewport_scale[0] = r->viewport_translate[0] = (float)screen.width / 2;
   r->viewport_scale[1] = r->viewport_translate[1] = (float)screen.height / 2;
   r->viewport_scale[2] = r->viewport_translate[2] = .5f;
   r->half_pixel_center = r->depth_clip = 1;
   r->cull = ATTILA_CULL_BACK;
   r->line_width = r->point_size = 1;
   r->edge_flag_output = ATTILA_NO_VARYING;
   r->sample_mask = 0xff;
   for (unsigned i = 0; i < MAX_TEXTURES; i++)
      r->fs_input[i].output = 1 + i;
}

static void
set_state(const struct batch *b)
{
   static double blends;
   struct attila_regs *r = &regs;
   const bool volume = has_volumes(b->kind), light = b->kind == LIGHT,
              blend = b->kind == VISIBLE && next_of(&blends, s.blended / 100);
   r->scissor_maxy = (uint32_t)fmin(screen.height, b->height * screen.height + .5);
   r->z_test = 1;
   r->z_write = !volume && !light && !blend;
   r->z_func = light ? ATTILA_FUNC_EQUAL : ATTILA_FUNC_LESS;
   r->color[0].write_mask = volume ? 0 : 15;
   r->color[0].blend_enable = light || blend;
   r->color[0].rgb_src = r->color[0].alpha_src =
       light ? ATTILA_FACTOR_ONE : ATTILA_FACTOR_SRC_ALPHA;
   r->color[0].rgb_dst = r->color[0].alpha_dst =
       light ? ATTILA_FACTOR_ONE : ATTILA_FACTOR_INV_SRC_ALPHA;
   memset(r->stencil, 0, sizeof(r->stencil));
   if (volume || light)
      r->stencil[0] =
          (struct attila_stencil_regs){.enable = 1,
                                       .func = light ? ATTILA_FUNC_EQUAL : ATTILA_FUNC_ALWAYS,
                                       .zpass = light             ? ATTILA_STENCIL_KEEP
                                                : b->kind == BACK ? ATTILA_STENCIL_DECR_WRAP
                                                                  : ATTILA_STENCIL_INCR_WRAP,
                                       .value_mask = 255,
                                       .write_mask = light ? 0 : 255};
   static const uint32_t offsets[] = {0, 12, 20};
   memset(r->attrib, 0, sizeof(r->attrib));
   for (unsigned i = 0; i < (b->mesh.stride < 32 ? 1 : 3); i++)
      r->attrib[i] = (struct attila_attrib_regs){.enable = ATTILA_ATTRIB_MEMORY,
                                                 .address = b->mesh.vertices + offsets[i],
                                                 .stride = b->mesh.stride,
                                                 .limit = b->mesh.vertex_bytes - offsets[i],
                                                 .format = i == 1 ? ATTILA_FORMAT_R32G32_FLOAT
                                                                  : ATTILA_FORMAT_R32G32B32_FLOAT};
}

static void
draw(const struct batch *b, unsigned number)
{
   set_programs(b, number);
   set_state(b);
   put_regs();
   const struct attila_cmd_draw command = {.prim = ATTILA_PRIM_TRIANGLES,
                                           .count = b->mesh.count,
                                           .index_size = (uint32_t)s.index_bytes,
                                           .index_address = b->mesh.indices,
                                           .num_instances = 1};
   put(&frame, ATTILA_CMD_DRAW, &command, ATTILA_DRAW_WORDS);
}

static void
draw_frame(struct batch **sorted)
{
   static const uint32_t black[5] = {1}, depth[] = {3, 0x3f800000, 0}, stencil[] = {2, 0, 0},
                         flush[] = {ATTILA_FLUSH_COLOR};
   const float constants[2][4] = {{.5f, .5f, .5f, .5f}, {.1f, .1f, .1f, .1f}};
   put_regs();
   put(&frame, ATTILA_CMD_CLEAR_COLOR, black, 5);
   put(&frame, ATTILA_CMD_CLEAR_ZS, depth, 3);
   put_constants(ATTILA_STAGE_FRAGMENT, constants, 2);
   for (unsigned i = 0; i < num_batches; i++) {
      if (s.lights > 0 && i && floor(sorted[i]->order) > fmax(0, floor(sorted[i - 1]->order)))
         put(&frame, ATTILA_CMD_CLEAR_ZS, stencil, 3); /* for the next light */
      draw(sorted[i], i);
   }
   const struct attila_color_regs *c = &regs.color[0];
   const uint32_t swap[ATTILA_SWAP_WORDS] = {c->address,   c->format,     c->pitch_tiles,
                                             screen.width, screen.height, 0};
   put(&frame, ATTILA_CMD_FLUSH, flush, 1);
   put(&frame, ATTILA_CMD_SWAP, swap, ATTILA_SWAP_WORDS);
}

static const char usage[] =
    "usage: surrogate FILE.ini WIDTHxHEIGHT OUT.attila\n"
    "Writes a capture of a frame with the statistics of FILE.ini. They are of 1024x768; a smaller\n"
    "frame has fewer batches in proportion to its pixels. Frame 0 uploads, frame 1 draws.\n";

int
main(int argc, char **argv)
{
   char rest;
   if (argc == 2 && !strcmp(argv[1], "--help")) {
      fputs(usage, stdout);
      return 0;
   }
   if (argc != 4 || sscanf(argv[2], "%ux%u%c", &screen.width, &screen.height, &rest) != 2 ||
       screen.width < 64 || screen.width > 4096 || screen.height < 64 || screen.height > 4096) {
      fputs(usage, stderr);
      return 2;
   }
   read_file(argv[1]);
   find_areas();
   find_counts();
   start_regs();
   make_textures();
   struct batch **sorted = make_batches();
   draw_frame(sorted);

   write_capture(argv[3]);
   return 0;
}
