/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Integers in shaders: fragments written into every format, texels of every target, borders,
 * vertices, flat varyings, numbers of primitives; blending, alpha test and dithering that must
 * leave them alone; and varyings without perspective, whose places they tell exactly. Each
 * draw ends in an image of 32 bits, which is compared with numbers that the program works out
 * itself. Not here: images without shaders (integers.c). */
#include <stdbool.h>
#include <stdint.h>
#include "gl_util.h"
#include "integer_formats.h"

enum { WIDTH = 8, HEIGHT = 24, PIXELS = WIDTH * HEIGHT };

struct pixel {
   int32_t c[4];
};

/* A window-sized quad at the attribute p; INTEGER is ivec4 or uvec4, SAMPLER a sampler's name. */
#define VERTEX "in vec2 p; void main() { gl_Position = vec4(p, 0, 1); }"

static unsigned version = 130;

static GLuint
use_program(bool is_signed, const char *sampler, const char *vertex, const char *fragment)
{
   char header[256];
   snprintf(header, sizeof(header), "#version %u\n#define INTEGER %s\n#define SAMPLER %s%s\n",
            version, is_signed ? "ivec4" : "uvec4", is_signed ? "i" : "u", sampler);
   return util_program(header, vertex, fragment);
}

static void
draw(void)
{
   static const GLfloat corners[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* Renders into a new image of the window's size from here on. */
static void
target(GLenum internal, bool is_signed)
{
   GLuint texture, framebuffer;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glTexImage2D(GL_TEXTURE_2D, 0, (GLint)internal, WIDTH, HEIGHT, 0, GL_RGBA_INTEGER,
                is_signed ? GL_INT : GL_UNSIGNED_INT, NULL);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "0x%x: incomplete",
         internal);
   if (is_signed)
      glClearBufferiv(GL_COLOR, 0, (const GLint[]){-7, -7, -7, -7});
   else
      glClearBufferuiv(GL_COLOR, 0, (const GLuint[]){7, 7, 7, 7});
}

/* Compares the image with what WANT makes of each pixel. */
static void
expect(const char *what, bool is_signed, struct pixel (*want)(int x, int y, const void *data),
       const void *data)
{
   static struct pixel got[PIXELS];
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA_INTEGER, is_signed ? GL_INT : GL_UNSIGNED_INT, got);
   for (int i = 0; i < PIXELS; i++) {
      const struct pixel w = want(i % WIDTH, i / WIDTH, data);
      CHECK(!memcmp(&got[i], &w, sizeof(w)), "%s: pixel %d, %d is %d %d %d %d, not %d %d %d %d",
            what, i % WIDTH, i / WIDTH, got[i].c[0], got[i].c[1], got[i].c[2], got[i].c[3], w.c[0],
            w.c[1], w.c[2], w.c[3]);
   }
   CHECK(glGetError() == GL_NO_ERROR, "%s: an error", what);
}

/* --- Fragments --- */

/* The low bits of what a shader multiplies, as the channel holds them; 0, 0, 0, 1 of no channel. */
static struct pixel
written(int x, int y, const void *data)
{
   const struct integer_format *f = data;
   const uint32_t seed = (uint32_t)(x + 1) * 2654435761u ^ (uint32_t)(y + 1) * 2246822519u;
   const uint32_t value[4] = {seed, seed * 3266489917u, ~seed, seed >> 3};
   struct pixel p;
   for (int i = 0; i < 4; i++) {
      const int drop = 32 - f->bits[i];
      p.c[i] = !f->bits[i]    ? i == 3
               : f->is_signed ? (int32_t)value[i] >> drop
                              : (int32_t)(value[i] >> drop);
   }
   return p;
}

/* Blending, alpha test, dithering, clamping and alpha to coverage do not touch integers. */
static void
write_fragments(const struct integer_format *f)
{
   static const char fragment[] =
       "out INTEGER color; uniform ivec4 drop;"
       "void main() {"
       " uvec2 at = uvec2(gl_FragCoord.xy) + 1u;"
       " uint seed = at.x * 2654435761u ^ at.y * 2246822519u;"
       " color = INTEGER(seed, seed * 3266489917u, ~seed, seed >> 3u) >> drop; }";
   GLint drop[4];
   for (int i = 0; i < 4; i++)
      drop[i] = f->bits[i] ? 32 - f->bits[i] : 0;
   target(f->internal, f->is_signed);
   const GLuint program = use_program(f->is_signed, "sampler2D", VERTEX, fragment);
   glUniform4iv(glGetUniformLocation(program, "drop"), 1, drop);
   static const GLenum off[] = {GL_BLEND, GL_ALPHA_TEST, GL_DITHER, GL_SAMPLE_ALPHA_TO_COVERAGE};
   glBlendFunc(GL_ONE, GL_ONE);
   glAlphaFunc(GL_NEVER, 0.5f);
   for (unsigned i = 0; i < 4; i++)
      glEnable(off[i]);
   draw();
   for (unsigned i = 0; i < 4; i++)
      glDisable(off[i]);
   expect(f->name, f->is_signed, written, f);
}

/* A shader's values beyond what the format holds are clamped, as clears are. */
static struct pixel
clamped(int x, int y, const void *data)
{
   (void)x, (void)y;
   return *(const bool *)data ? (struct pixel){{127, -128, 127, -128}}
                              : (struct pixel){{255, 255, 3, 255}};
}

static void
write_too_large(bool is_signed)
{
   target(is_signed ? GL_RGBA8I : GL_RGBA8UI, is_signed);
   use_program(is_signed, "sampler2D", VERTEX,
               is_signed
                   ? "out INTEGER c; void main() { c = ivec4(1000, -1000, 1 << 30, 1 << 31); }"
                   : "out INTEGER c; void main() { c = uvec4(256, 1u << 31, 3, ~0u); }");
   draw();
   expect("too large", is_signed, clamped, &is_signed);
}

/* --- Texels --- */

enum { W = 8, H = 4, D = 3 }; /* of level 0; level 1: half as wide and high, 3D half as deep */

/* Texel x, y, z of a level. */
static struct pixel
texel(int x, int y, int z, int level)
{
   const int base = (1 << 30) + level * 4096 + z * 256 + y * 16 + x;
   return (struct pixel){{base, -base, x - 3, INT32_MIN + y}};
}

#define AT "ivec2 at = ivec2(gl_FragCoord.xy); int z = at.y / 4; at.y -= 4 * z;"

/* Lookups that should give texel (x, y % 4, y / 4) of pixel x, y, or (x / 2, y % 4 / 2, y / 4) in
 * level 1. */
static const struct lookup {
   const char *name, *sampler, *value;
   GLenum target;
   bool flat_y; /* rows are all row 0 */
   int layers;  /* others are not looked at; 0: all rows are of layer 0 */
   int level;
} lookups[] = {
#define F(name, sampler, target, flat, layers, level, value) \
   {                                                         \
      name, sampler, value, target, flat, layers, level      \
   }
    F("1D fetch", "sampler1D", GL_TEXTURE_1D, true, 0, 0, "texelFetch(s, at.x, 0)"),
    F("1D fetch, level 1", "sampler1D", GL_TEXTURE_1D, true, 0, 1, "texelFetch(s, at.x / 2, 1)"),
    F("1D", "sampler1D", GL_TEXTURE_1D, true, 0, 0, "texture(s, (at.x + 0.5) / 8.0)"),
    F("1D offset", "sampler1D", GL_TEXTURE_1D, true, 0, 0,
      "textureOffset(s, (at.x + 3.5) / 8.0, -3)"),
    F("1D projective", "sampler1D", GL_TEXTURE_1D, true, 0, 0,
      "textureProj(s, vec2(at.x + 0.5, 8.0))"),
    F("2D fetch", "sampler2D", GL_TEXTURE_2D, false, 0, 0, "texelFetch(s, at, 0)"),
    F("2D fetch, level 1", "sampler2D", GL_TEXTURE_2D, false, 0, 1, "texelFetch(s, at / 2, 1)"),
    F("2D fetch with offset", "sampler2D", GL_TEXTURE_2D, false, 0, 0,
      "texelFetchOffset(s, at - ivec2(2, -1), 0, ivec2(2, -1))"),
    F("2D", "sampler2D", GL_TEXTURE_2D, false, 0, 0, "texture(s, (at + 0.5) / vec2(8, 4))"),
    F("2D bias", "sampler2D", GL_TEXTURE_2D, false, 0, 1,
      "texture(s, (at + 0.5) / vec2(8, 4), 5.0)"),
    F("2D level", "sampler2D", GL_TEXTURE_2D, false, 0, 1,
      "textureLod(s, (at / 2 + 0.5) / vec2(4, 2), 1.0)"),
    F("2D gradients", "sampler2D", GL_TEXTURE_2D, false, 0, 1,
      "textureGrad(s, (at / 2 + 0.5) / vec2(4, 2), vec2(0.25, 0), vec2(0, 0.5))"),
    F("2D level with offset", "sampler2D", GL_TEXTURE_2D, false, 0, 1,
      "textureLodOffset(s, (at / 2 + 1.5) / vec2(4, 2), 1.0, ivec2(-1))"),
    F("2D projective", "sampler2D", GL_TEXTURE_2D, false, 0, 0,
      "textureProj(s, vec4((at + 0.5) / vec2(8, 4) * 3.0, 0, 3))"),
    F("2D projective level", "sampler2D", GL_TEXTURE_2D, false, 0, 1,
      "textureProjLod(s, vec3((at / 2 + 0.5) / vec2(4, 2) * 3.0, 3), 1.0)"),
    F("2D projective gradients with offset", "sampler2D", GL_TEXTURE_2D, false, 0, 0,
      "textureProjGradOffset(s, vec3((at + 2.5) / vec2(8, 4) * 3.0, 3), vec2(0), vec2(0), "
      "ivec2(-2))"),
    F("3D fetch", "sampler3D", GL_TEXTURE_3D, false, D, 0, "texelFetch(s, ivec3(at, z), 0)"),
    F("3D", "sampler3D", GL_TEXTURE_3D, false, D, 0,
      "texture(s, (vec3(at, z) + 0.5) / vec3(8, 4, 3))"),
    F("3D offset", "sampler3D", GL_TEXTURE_3D, false, D, 0,
      "textureLodOffset(s, (vec3(at, z) + 1.5) / vec3(8, 4, 3), 0.0, ivec3(-1))"),
    F("1D array fetch", "sampler1DArray", GL_TEXTURE_1D_ARRAY, true, D, 0,
      "texelFetch(s, ivec2(at.x, z), 0)"),
    F("1D array", "sampler1DArray", GL_TEXTURE_1D_ARRAY, true, D, 0,
      "texture(s, vec2((at.x + 0.5) / 8.0, z))"),
    F("1D array, level 1, offset", "sampler1DArray", GL_TEXTURE_1D_ARRAY, true, D, 1,
      "textureLodOffset(s, vec2((at.x / 2 + 1.5) / 4.0, z), 1.0, -1)"),
    F("2D array fetch", "sampler2DArray", GL_TEXTURE_2D_ARRAY, false, D, 0,
      "texelFetch(s, ivec3(at, z), 0)"),
    F("2D array fetch, level 1", "sampler2DArray", GL_TEXTURE_2D_ARRAY, false, D, 1,
      "texelFetch(s, ivec3(at / 2, z), 1)"),
    F("2D array", "sampler2DArray", GL_TEXTURE_2D_ARRAY, false, D, 0,
      "texture(s, vec3((at + 0.5) / vec2(8, 4), z))"),
    F("2D array gradients", "sampler2DArray", GL_TEXTURE_2D_ARRAY, false, D, 1,
      "textureGrad(s, vec3((at / 2 + 0.5) / vec2(4, 2), z), vec2(0.25, 0), vec2(0, 0.5))"),
    F("cube", "samplerCube", GL_TEXTURE_CUBE_MAP, false, 6, 0, "textureLod(s, face(at, z), 0.0)"),
    F("cube gradients", "samplerCube", GL_TEXTURE_CUBE_MAP, false, 6, 0,
      "textureGrad(s, face(at, z), vec3(0), vec3(0))"),
    F("cube, implicit level", "samplerCube", GL_TEXTURE_CUBE_MAP, false, 6, 0,
      "texture(s, face(at, z), -9.0)"),
#undef F
};

/* The direction of a texel of a face of 4 x 4 (OpenGL 3.0, table 3.19). */
#define FACE                                                             \
   "vec3 face(ivec2 at, int f) {"                                        \
   " vec2 p = ((at & 3) + 0.5) / 2.0 - 1.0;"                             \
   " return f == 0 ? vec3(1, -p.y, -p.x) : f == 1 ? vec3(-1, -p.y, p.x)" \
   " : f == 2 ? vec3(p.x, 1, p.y) : f == 3 ? vec3(p.x, -1, -p.y)"        \
   " : f == 4 ? vec3(p.x, -p.y, 1) : vec3(-p.x, -p.y, -1); }"

static struct pixel
looked_up(int x, int y, const void *data)
{
   const struct lookup *l = data;
   const int z = y / H, shift = l->level, width = l->target == GL_TEXTURE_CUBE_MAP ? 4 : W;
   if (l->layers && z >= l->layers)
      return (struct pixel){{-7, -7, -7, -7}};
   return texel(x % width >> shift, l->flat_y ? 0 : y % H >> shift, l->layers ? z : 0, shift);
}

static void
upload(GLenum point, const struct lookup *l, int level, int layer)
{
   static struct pixel texels[W * H * D];
   const bool cube = l->target == GL_TEXTURE_CUBE_MAP, volume = l->target == GL_TEXTURE_3D;
   const int w = (cube ? 4 : W) >> level, h = l->flat_y ? 1 : H >> level,
             d = cube || !l->layers ? 1
                 : volume           ? D >> level
                                    : D;
   for (int i = 0; i < w * h * d; i++)
      texels[i] = texel(i % w, i / w % h, layer + i / w / h, level);
   if (l->target == GL_TEXTURE_1D)
      glTexImage1D(point, level, GL_RGBA32I, w, 0, GL_RGBA_INTEGER, GL_INT, texels);
   else if (volume || l->target == GL_TEXTURE_2D_ARRAY)
      glTexImage3D(point, level, GL_RGBA32I, w, h, d, 0, GL_RGBA_INTEGER, GL_INT, texels);
   else
      glTexImage2D(point, level, GL_RGBA32I, w, l->flat_y ? d : h, 0, GL_RGBA_INTEGER, GL_INT,
                   texels);
}

static void
look_up(const struct lookup *l)
{
   char fragment[1024];
   GLuint name;
   target(GL_RGBA32I, true);
   glGenTextures(1, &name);
   glBindTexture(l->target, name);
   for (int level = 0; level < 2; level++) {
      for (int f = 0; f < 6 && l->target == GL_TEXTURE_CUBE_MAP; f++)
         upload(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)f, l, level, f);
      if (l->target != GL_TEXTURE_CUBE_MAP)
         upload(l->target, l, level, 0);
   }
   glTexParameteri(l->target, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
   glTexParameteri(l->target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glTexParameteri(l->target, GL_TEXTURE_MAX_LEVEL, 1);
   snprintf(fragment, sizeof(fragment),
            "uniform SAMPLER s; out ivec4 color;" FACE "void main() {" AT
            " if (z >= %d) discard; color = %s; }",
            l->layers ? l->layers : 99, l->value);
   use_program(true, l->sampler, VERTEX, fragment);
   draw();
   expect(l->name, true, looked_up, l);
   glDeleteTextures(1, &name);
}

/* A border of integers around a texture of every kind of channel order. */
static struct pixel
bordered(int x, int y, const void *data)
{
   (void)data;
   return x >= 2 && x < 6 && y >= 2 && y < 6 ? (struct pixel){{5, -6, 0, 1}}
                                             : (struct pixel){{-70000, 12345678, 0, 1}};
}

static void
border(void)
{
   static const GLint color[4] = {-70000, 12345678, 3, 4};
   GLint texels[16][2];
   GLuint name;
   for (int i = 0; i < 16; i++)
      texels[i][0] = 5, texels[i][1] = -6;
   target(GL_RGBA32I, true);
   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_2D, name);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RG32I, 4, 4, 0, GL_RG_INTEGER, GL_INT, texels);
   glTexParameterIiv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, color);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   use_program(true, "sampler2D", VERTEX,
               "uniform SAMPLER s; out ivec4 color;"
               "void main() { color = texture(s, (gl_FragCoord.xy - 2.0) / 4.0); }");
   draw();
   expect("border", true, bordered, NULL);
   glDeleteTextures(1, &name);
}

/* --- Vertices --- */

static const struct attribute {
   const char *name;
   GLenum type;
   int size;
   bool is_signed;
   struct pixel value;
} attributes[] = {
    {"bytes", GL_BYTE, 4, true, {{-128, 127, -1, 5}}},
    {"three bytes", GL_BYTE, 3, true, {{-128, 127, -1, 1}}},
    {"unsigned bytes", GL_UNSIGNED_BYTE, 4, false, {{255, 128, 7, 0}}},
    {"shorts", GL_SHORT, 4, true, {{-32768, 32767, -2, 9}}},
    {"three shorts", GL_SHORT, 3, true, {{-32768, 32767, -2, 1}}},
    {"unsigned shorts", GL_UNSIGNED_SHORT, 2, false, {{65535, 40000, 0, 1}}},
    {"one integer", GL_INT, 1, true, {{INT32_MIN, 0, 0, 1}}},
    {"three integers", GL_INT, 3, true, {{INT32_MIN, INT32_MAX, -16777217, 1}}},
    {"unsigned integers", GL_UNSIGNED_INT, 4, false, {{-1, 16777217, 1 << 31, 3}}},
    {"current value", GL_NONE, 4, true, {{-100000001, 16777217, -1, 1 << 30}}},
};

static struct pixel
attribute_value(int x, int y, const void *data)
{
   (void)x, (void)y;
   return ((const struct attribute *)data)->value;
}

static void
attribute(const struct attribute *a)
{
   uint8_t data[4][16] = {{0}};
   const int bytes = a->type == GL_INT || a->type == GL_UNSIGNED_INT       ? 4
                     : a->type == GL_SHORT || a->type == GL_UNSIGNED_SHORT ? 2
                                                                           : 1;
   for (int v = 0; v < 4; v++) {
      for (int i = 0; i < a->size; i++)
         memcpy(data[v] + i * bytes, &a->value.c[i], (size_t)bytes); /* the host is little-endian */
   }
   target(a->is_signed ? GL_RGBA32I : GL_RGBA32UI, a->is_signed);
   use_program(a->is_signed, "sampler2D",
               "in vec2 p; in INTEGER v; flat out INTEGER f;"
               "void main() { f = v; gl_Position = vec4(p, 0, 1); }",
               "flat in INTEGER f; out INTEGER color; void main() { color = f; }");
   if (a->type != GL_NONE) {
      glVertexAttribIPointer(1, a->size, a->type, sizeof(data[0]), data);
      glEnableVertexAttribArray(1);
   } else {
      glVertexAttribI4iv(1, a->value.c);
   }
   draw();
   glDisableVertexAttribArray(1);
   expect(a->name, a->is_signed, attribute_value, a);
}

/* Triangles 0 and 1 of a strip, each with the integer of its first or last vertex. The last row of
 * pixels is not drawn: with it, the diagonal would meet centres of pixels. */
static struct pixel
provoked(int x, int y, const void *data)
{
   if (y == HEIGHT - 1)
      return (struct pixel){{-7, -7, -7, -7}};
   const bool upper = (x + 0.5) / WIDTH + (y + 0.5) / (HEIGHT - 1) > 1;
   const int vertex = upper + (*(const GLenum *)data == GL_LAST_VERTEX_CONVENTION ? 2 : 0);
   return (struct pixel){{(1 << 30) + vertex, -vertex, vertex, 1}};
}

static void
provoking_vertex(GLenum convention)
{
   target(GL_RGBA32I, true);
   use_program(true, "sampler2D",
               "in vec2 p; flat out ivec4 f; void main() {"
               " f = ivec4((1 << 30) + gl_VertexID, -gl_VertexID, gl_VertexID, 1);"
               " gl_Position = vec4(p, 0, 1); }",
               "flat in ivec4 f; out ivec4 color; void main() { color = f; }");
   glProvokingVertex(convention);
   glViewport(0, 0, WIDTH, HEIGHT - 1);
   draw();
   expect("provoking vertex", true, provoked, &convention);
}

/* --- Primitives --- */

/* A primitive for each pixel, in two instances of half of them. */
static struct pixel
numbered(int x, int y, const void *data)
{
   (void)data;
   return (struct pixel){{(y * WIDTH + x) % (PIXELS / 2), 1 << 30, 0, 1}};
}

static void
primitives(GLenum mode)
{
   /* Corners of the pixels of an instance; a restart after every row. */
   static GLfloat corners[PIXELS / 2 * 4][2];
   static GLuint indices[PIXELS / 2 * 4 + HEIGHT / 2];
   const int vertices = mode == GL_QUADS ? 4 : 1;
   GLsizei count = 0;
   for (int i = 0; i < PIXELS / 2; i++) {
      for (int v = 0; v < vertices; v++) {
         const float dx = vertices == 1 ? 0.5f : v == 1 || v == 2,
                     dy = vertices == 1 ? 0.5f : v / 2;
         corners[i * vertices + v][0] = ((float)(i % WIDTH) + dx) * 2 / WIDTH - 1;
         corners[i * vertices + v][1] = ((float)(i / WIDTH) + dy) * 2 / HEIGHT - 1;
         indices[count++] = (GLuint)(i * vertices + v);
      }
      if (i % WIDTH == WIDTH - 1)
         indices[count++] = 77777;
   }
   target(GL_RGBA32I, true);
   version = 150;
   use_program(true, "sampler2D",
               "in vec2 p; void main() { gl_Position = vec4(p + vec2(0, gl_InstanceID), 0, 1); }",
               "out ivec4 color; void main() { color = ivec4(gl_PrimitiveID, 1 << 30, 0, 1); }");
   version = 130;
   glEnable(GL_PRIMITIVE_RESTART);
   glPrimitiveRestartIndex(77777);
   glViewport(0, 0, WIDTH, HEIGHT);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glDrawElementsInstanced(mode, count, GL_UNSIGNED_INT, indices, 2);
   glDisable(GL_PRIMITIVE_RESTART);
   expect("primitives", true, numbered, NULL);
}

/* A varying without perspective is the pixel's place, where the triangle is cut, too. */
static struct pixel
placed(int x, int y, const void *data)
{
   (void)data;
   return y < HEIGHT / 2 ? (struct pixel){{-7, -7, -7, -7}}
                         : (struct pixel){{x * 2 + 1, y * 2 + 1, 0, 1}};
}

static void
cut_without_perspective(void)
{
   target(GL_RGBA32I, true);
   /* The vertices' w are 1, 2, 3 and 4. */
   use_program(true, "sampler2D",
               "in vec2 p; noperspective out vec2 place; void main() {"
               " float w = float(gl_VertexID + 1); place = (p + 1.0) * vec2(8, 24);"
               " gl_Position = vec4(p, 0, 1) * w; gl_ClipDistance[0] = p.y * w; }",
               "noperspective in vec2 place; out ivec4 color;"
               "void main() { color = ivec4(round(place), 0, 1); }");
   glEnable(GL_CLIP_DISTANCE0);
   glViewport(0, 0, WIDTH, HEIGHT);
   draw();
   glDisable(GL_CLIP_DISTANCE0);
   expect("cut without perspective", true, placed, NULL);
}

#define EACH(table, function)                                          \
   for (unsigned i = 0; i < sizeof(table) / sizeof((table)[0]); i++) { \
      function(&(table)[i]);                                           \
      draws++;                                                         \
   }

int
main(void)
{
   unsigned draws = 0;
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   util_make_current(display, util_config(display), 64, EGL_NO_CONTEXT, &context);
   glViewport(0, 0, WIDTH, HEIGHT);
   EACH(formats, write_fragments)
   write_too_large(false);
   write_too_large(true);
   EACH(lookups, look_up)
   border();
   EACH(attributes, attribute)
   provoking_vertex(GL_FIRST_VERTEX_CONVENTION);
   provoking_vertex(GL_LAST_VERTEX_CONVENTION);
   primitives(GL_POINTS);
   primitives(GL_QUADS);
   cut_without_perspective();
   printf("%u draws\n", draws + 8);
   return 0;
}
