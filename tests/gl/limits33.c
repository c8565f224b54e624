/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Limits of what came with OpenGL 3.0 to 3.3, in a core or compatibility context, and of OpenGL ES
 * 3.0 (argument "core", "compatibility" or "es"): each is at least what the specification asks for,
 * and is used to the full by something that is drawn green or captured, in all stages at once. Not
 * here: limits that OpenGL 2.1 has, and what is past a limit (limits.c); the number of vertices of
 * a geometry shader (geometry.c); sizes of blocks (blocks.c) and of texture buffers
 * (buffer_textures.c); samples (multisample_textures.c). */
#include "gl_green.h"

#include <stdarg.h>

enum { MAX_UNITS = 64 };

static const char *header;
static bool es;

/* A source that grows. */
struct source {
   char text[16384];
   size_t size;
};

__attribute__((format(printf, 2, 3))) static void
add(struct source *s, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   s->size += (size_t)vsnprintf(s->text + s->size, sizeof(s->text) - s->size, format, args);
   va_end(args);
   CHECK(s->size < sizeof(s->text), "a source is too long");
}

static GLint
get(GLenum name)
{
   GLint value = 0;
   glGetIntegerv(name, &value);
   return value;
}

/* geometry: NULL without. captured: names of outputs to capture, NULL: none. */
static GLuint
program(const char *vertex, const char *geometry, const char *fragment, GLsizei num_captured,
        const char *const *captured, GLenum mode)
{
   const GLuint name = glCreateProgram();
   glAttachShader(name, util_shader(GL_VERTEX_SHADER, header, vertex));
   if (geometry)
      glAttachShader(name, util_shader(GL_GEOMETRY_SHADER, header, geometry));
   glAttachShader(name, util_shader(GL_FRAGMENT_SHADER, header, fragment));
   if (num_captured)
      glTransformFeedbackVaryings(name, num_captured, captured, mode);
   util_link(name);
   return name;
}

/* What a program gets when it asks: tables 6.40 to 6.56 of OpenGL 3.3, 6.29 to 6.35 of ES 3.0. */
static void
values(void)
{
   static const struct {
      GLenum name;
      GLint gl, es; /* the least; -1: not there */
   } limits[] = {
       {GL_MAX_CLIP_DISTANCES, 8, -1},
       {GL_MAX_3D_TEXTURE_SIZE, 256, 256},
       {GL_MAX_TEXTURE_SIZE, 1024, 2048},
       {GL_MAX_CUBE_MAP_TEXTURE_SIZE, 1024, 2048},
       {GL_MAX_RENDERBUFFER_SIZE, 1024, 2048},
       {GL_MAX_ARRAY_TEXTURE_LAYERS, 256, 256},
       {GL_MAX_RECTANGLE_TEXTURE_SIZE, 1024, -1},
       {GL_MAX_TEXTURE_BUFFER_SIZE, 65536, -1},
       {GL_MAX_TEXTURE_LOD_BIAS, 2, 2},
       {GL_MAX_VERTEX_ATTRIBS, 16, 16},
       {GL_MAX_VERTEX_UNIFORM_COMPONENTS, 1024, 1024},
       {GL_MAX_VERTEX_OUTPUT_COMPONENTS, 64, 64},
       {GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, 16, 16},
       {GL_MAX_VERTEX_UNIFORM_BLOCKS, 12, 12},
       {GL_MAX_GEOMETRY_UNIFORM_COMPONENTS, 1024, -1},
       {GL_MAX_GEOMETRY_UNIFORM_BLOCKS, 12, -1},
       {GL_MAX_GEOMETRY_INPUT_COMPONENTS, 64, -1},
       {GL_MAX_GEOMETRY_OUTPUT_COMPONENTS, 128, -1},
       {GL_MAX_GEOMETRY_OUTPUT_VERTICES, 256, -1},
       {GL_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS, 1024, -1},
       {GL_MAX_GEOMETRY_TEXTURE_IMAGE_UNITS, 16, -1},
       {GL_MAX_FRAGMENT_UNIFORM_COMPONENTS, 1024, 896},
       {GL_MAX_FRAGMENT_UNIFORM_BLOCKS, 12, 12},
       {GL_MAX_FRAGMENT_INPUT_COMPONENTS, 128, 60},
       {GL_MAX_TEXTURE_IMAGE_UNITS, 16, 16},
       {GL_MAX_PROGRAM_TEXEL_OFFSET, 7, 7},
       {GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, 48, 32},
       {GL_MAX_UNIFORM_BUFFER_BINDINGS, 36, 24},
       {GL_MAX_UNIFORM_BLOCK_SIZE, 16384, 16384},
       {GL_MAX_COMBINED_UNIFORM_BLOCKS, 36, 24},
       {GL_MAX_VARYING_COMPONENTS, 60, 60},
       {GL_MAX_SAMPLE_MASK_WORDS, 1, -1},
       {GL_MAX_COLOR_TEXTURE_SAMPLES, 1, -1},
       {GL_MAX_DEPTH_TEXTURE_SAMPLES, 1, -1},
       {GL_MAX_INTEGER_SAMPLES, 1, -1},
       {GL_MAX_SAMPLES, 4, 4},
       {GL_MAX_COLOR_ATTACHMENTS, 8, 4},
       {GL_MAX_DRAW_BUFFERS, 8, 4},
       {GL_MAX_DUAL_SOURCE_DRAW_BUFFERS, 1, -1},
       {GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, 64, 64},
       {GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, 4, 4},
       {GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS, 4, 4},
   };
   for (unsigned i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
      const GLint least = es ? limits[i].es : limits[i].gl;
      GREEN_CHECK(least < 0 || get(limits[i].name) >= least, "limit 0x%x is %d, not %d",
                  limits[i].name, get(limits[i].name), least);
   }
   GREEN_CHECK(get(GL_MIN_PROGRAM_TEXEL_OFFSET) <= -8, "texel offsets from %d on",
               get(GL_MIN_PROGRAM_TEXEL_OFFSET));
   GREEN_CHECK(get(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT) <= 256, "offsets of blocks: %d",
               get(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT));
}

/* Declares num varyings, of which every fourth has integers. */
static void
declare(struct source *s, const char *direction, const char *prefix, const char *suffix, int num)
{
   for (int i = 0; i < num; i++)
      add(s, i % 4 == 3 ? "flat %s ivec4 %s%d%s;\n" : "%s vec4 %s%d%s;\n", direction, prefix, i,
          suffix);
}

/* Statements that give varying i of the prefix the value i + 1, i + 2, i + 3, i + 4. */
static void
assign(struct source *s, const char *prefix, int num)
{
   for (int i = 0; i < num; i++)
      add(s, "%s%d = %s(%d, %d, %d, %d);\n", prefix, i, i % 4 == 3 ? "ivec4" : "vec4", i + 1, i + 2,
          i + 3, i + 4);
}

/* Sets a bool to whether they all have it; suffix: of the input, "[v]" in a geometry shader. */
static void
compare(struct source *s, const char *prefix, const char *suffix, int num)
{
   for (int i = 0; i < num; i++)
      add(s, "ok = ok && distance(vec4(%s%d%s), vec4(%d, %d, %d, %d)) < 0.01;\n", prefix, i, suffix,
          i + 1, i + 2, i + 3, i + 4);
}

/* All varyings between vertex and fragment shader, beside the distances of eight planes, a size of
 * points, and what a fragment shader has by itself. */
static void
varyings(void)
{
   struct source v = {.size = 0}, f = {.size = 0};
   const int num = get(es ? GL_MAX_VARYING_COMPONENTS : GL_MAX_FRAGMENT_INPUT_COMPONENTS) / 4;
   CHECK(get(GL_MAX_VERTEX_OUTPUT_COMPONENTS) >= 4 * num &&
             get(GL_MAX_VARYING_COMPONENTS) >= 4 * num,
         "fragment shaders have more inputs than vertex shaders outputs");
   add(&v, "in vec4 p;\n");
   declare(&v, "out", "v", "", num);
   add(&v, "%s void main() { gl_Position = p; gl_PointSize = 4.0;\n",
       es ? "" : "out float gl_ClipDistance[8];");
   for (int i = 0; !es && i < 8; i++)
      add(&v, "gl_ClipDistance[%d] = %d.0 + p.x;\n", i, i + 2);
   assign(&v, "v", num);
   add(&v, "}");
   declare(&f, "in", "v", "", num);
   add(&f, "out vec4 color; void main() { bool ok = gl_FrontFacing && gl_FragCoord.z == 0.5;\n");
   compare(&f, "v", "", num);
   add(&f, "%s color = ok ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }",
       es ? "" : "ok = ok && gl_PrimitiveID < 2;");
   program(v.text, NULL, f.text, 0, NULL, 0);
   for (GLenum i = 0; !es && i < 8; i++)
      glEnable(GL_CLIP_DISTANCE0 + i);
   green_draw("all varyings");
   for (GLenum i = 0; !es && i < 8; i++)
      glDisable(GL_CLIP_DISTANCE0 + i);
}

/* A geometry shader reads all inputs of six vertices and writes all outputs of as many vertices as
 * its total allows: a strip of triangles whose first four cover the window. */
static void
varyings_of_geometry(void)
{
   struct source v = {.size = 0}, g = {.size = 0}, f = {.size = 0};
   const int in = get(GL_MAX_GEOMETRY_INPUT_COMPONENTS) / 4,
             out = get(GL_MAX_GEOMETRY_OUTPUT_COMPONENTS) / 4,
             vertices = get(GL_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS) / (4 * out + 4);
   CHECK(vertices >= 4, "%d vertices", vertices);
   add(&v, "in vec4 p;\n");
   declare(&v, "out", "v", "", in);
   add(&v, "out float gl_ClipDistance[8]; void main() { gl_Position = vec4(gl_VertexID);\n"
           "gl_PointSize = 4.0; for (int i = 0; i < 8; i++) gl_ClipDistance[i] = float(i + 1);\n");
   assign(&v, "v", in);
   add(&v, "}");
   add(&g, "layout(triangles_adjacency) in; layout(triangle_strip, max_vertices = %d) out;\n",
       vertices);
   declare(&g, "in", "v", "[]", in);
   declare(&g, "out", "g", "", out);
   add(&g, "void main() { bool ok = true; for (int v = 0; v < 6; v++) {\n"
           "ok = ok && gl_in[v].gl_Position == vec4(v) && gl_in[v].gl_PointSize == 4.0;\n");
   for (int i = 0; i < 8; i++)
      add(&g, "ok = ok && gl_in[v].gl_ClipDistance[%d] == %d.0;\n", i, i + 1);
   compare(&g, "v", "[v]", in);
   add(&g,
       "} for (int i = 0; ok && i < %d; i++) {\n"
       "gl_Position = i < 4 ? vec4(i %% 2 * 2 - 1, i / 2 * 2 - 1, 0, 1) : vec4(1, 1, 0, 1);\n",
       vertices);
   assign(&g, "g", out);
   add(&g, "EmitVertex(); } }");
   declare(&f, "in", "g", "", out);
   add(&f, "out vec4 color; void main() { bool ok = true;\n");
   compare(&f, "g", "", out);
   add(&f, "color = ok ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }");
   program(v.text, g.text, f.text, 0, NULL, 0);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLES_ADJACENCY, 0, 6);
   green_expect("all varyings of a geometry shader");
}

/* Appends a text: # is the number, @ the letter. */
static void
add_numbered(struct source *s, const char *text, int number, char letter)
{
   for (const char *c = text; *c; c++) {
      if (*c == '#')
         add(s, "%d", number);
      else
         add(s, "%c", *c == '@' ? letter : *c);
   }
}

/* A program of all stages that is green where the sum of num terms of each stage is want.
 * declaration, expression: the i-th term's, with # for i and @ for the stage's letter. */
static GLuint
summing_program(const char *declaration, const char *expression, const int num[3], int want)
{
   struct source stage[3] = {{.size = 0}, {.size = 0}, {.size = 0}};
   static const char letter[3] = {'v', 'g', 'f'};
   for (int s = 0; s < 3; s++) {
      for (int i = 0; i < num[s]; i++)
         add_numbered(&stage[s], declaration, i, letter[s]);
      if (s == 0)
         add(&stage[s],
             "in vec4 p; flat out float v; void main() { gl_Position = p; float sum = 0.0;\n");
      else if (s == 1)
         add(&stage[s], "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
                        "flat in float v[]; flat out float g; void main() { float sum = v[0];\n");
      else
         add(&stage[s], "flat in float %c; out vec4 color; void main() { float sum = %c;\n",
             es ? 'v' : 'g', es ? 'v' : 'g');
      for (int i = 0; i < num[s]; i++) {
         add(&stage[s], "sum += ");
         add_numbered(&stage[s], expression, i, letter[s]);
         add(&stage[s], ";\n");
      }
   }
   add(&stage[0], "v = sum; }");
   add(&stage[1], "for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; g = sum; "
                  "EmitVertex(); } }");
   add(&stage[2], "color = sum == %d.0 ? vec4(0, 1, 0, 1) : vec4(1, 0, sum / 4096.0, 1); }", want);
   return program(stage[0].text, es ? NULL : stage[1].text, stage[2].text, 0, NULL, 0);
}

/* All texture units of all stages: unit u holds u + 1. */
static void
units(void)
{
   const int num[3] = {get(GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS),
                       es ? 0 : get(GL_MAX_GEOMETRY_TEXTURE_IMAGE_UNITS),
                       get(GL_MAX_TEXTURE_IMAGE_UNITS)};
   const int all = num[0] + num[1] + num[2];
   GLuint texture[MAX_UNITS];
   CHECK(all <= MAX_UNITS && all <= get(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS), "%d units", all);
   const GLuint name = summing_program(
       "uniform sampler2D @#;\n", "textureLod(@#, vec2(0.5), 0.0).r", num, all * (all + 1) / 2);
   glGenTextures(all, texture);
   for (int u = 0, s = 0, i = 0; u < all; u++, i++) {
      const GLfloat value = (GLfloat)(u + 1);
      char sampler[16];
      while (i == num[s])
         s++, i = 0;
      snprintf(sampler, sizeof(sampler), "%c%d", "vgf"[s], i);
      glUniform1i(glGetUniformLocation(name, sampler), u);
      glActiveTexture(GL_TEXTURE0 + (GLenum)u);
      glBindTexture(GL_TEXTURE_2D, texture[u]);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 1, 1, 0, GL_RED, GL_FLOAT, &value);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   }
   green_draw("all texture units");
   glActiveTexture(GL_TEXTURE0);
   glDeleteTextures(all, texture);
}

/* All blocks of all stages, at the last bindings: block b begins with b + 1. */
static void
blocks(void)
{
   enum { BYTES = 256, MAX_BLOCKS = 64 };
   const int num[3] = {get(GL_MAX_VERTEX_UNIFORM_BLOCKS),
                       es ? 0 : get(GL_MAX_GEOMETRY_UNIFORM_BLOCKS),
                       get(GL_MAX_FRAGMENT_UNIFORM_BLOCKS)};
   const int all = num[0] + num[1] + num[2];
   GLfloat data[MAX_BLOCKS][BYTES / sizeof(GLfloat)] = {{0}};
   CHECK(all <= MAX_BLOCKS && all <= get(GL_MAX_COMBINED_UNIFORM_BLOCKS) &&
             all <= get(GL_MAX_UNIFORM_BUFFER_BINDINGS),
         "%d blocks", all);
   for (int b = 0; b < all; b++)
      data[b][0] = (GLfloat)(b + 1);
   const GLuint buffer = green_buffer(GL_UNIFORM_BUFFER, data, sizeof(data));
   const GLuint name = summing_program("layout(std140) uniform @# { float @#_one; };\n", "@#_one",
                                       num, all * (all + 1) / 2);
   const GLuint last = (GLuint)get(GL_MAX_UNIFORM_BUFFER_BINDINGS) - 1;
   for (int b = 0, s = 0, i = 0; b < all; b++, i++) {
      char block[16];
      while (i == num[s])
         s++, i = 0;
      snprintf(block, sizeof(block), "%c%d", "vgf"[s], i);
      glUniformBlockBinding(name, glGetUniformBlockIndex(name, block), last - (GLuint)b);
      glBindBufferRange(GL_UNIFORM_BUFFER, last - (GLuint)b, buffer, b * BYTES, 16);
   }
   green_draw("all uniform blocks");
}

/* All uniforms of the default block in all stages. */
static void
uniforms(void)
{
   const int num[3] = {get(GL_MAX_VERTEX_UNIFORM_COMPONENTS) / 4,
                       es ? 0 : get(GL_MAX_GEOMETRY_UNIFORM_COMPONENTS) / 4,
                       get(GL_MAX_FRAGMENT_UNIFORM_COMPONENTS) / 4};
   char declaration[80], expression[80];
   /* A term of an array for each stage: its last element. */
   const int one[3] = {1, !es, 1};
   snprintf(declaration, sizeof(declaration), "uniform vec4 @#[%d];\n", num[0]);
   CHECK((es || num[1] == num[0]) && num[2] >= num[0], "%d, %d and %d uniforms", num[0], num[1],
         num[2]);
   snprintf(expression, sizeof(expression), "@#[%d].w + @#[0].x", num[0] - 1);
   const GLuint name = summing_program(declaration, expression, one, es ? 2 * 7 : 3 * 7);
   GLfloat(*value)[4] = calloc((size_t)num[0], sizeof(*value));
   CHECK(value, "no memory");
   value[0][0] = 2;
   value[num[0] - 1][3] = 5;
   for (int s = 0; s < 3; s++) {
      const char array[3] = {"vgf"[s], '0', 0};
      if (num[s])
         glUniform4fv(glGetUniformLocation(name, array), num[0], value[0]);
   }
   free(value);
   green_draw("all uniforms");
}

/* Captures of all components: into one buffer, or a vector into each of four; from a vertex or a
 * geometry shader. */
static void
captures(bool separate, bool geometry)
{
   const int num = separate ? get(GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS)
                            : get(GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS) / 4;
   const int part = separate ? get(GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS) / 4 : 1;
   const char *names[64];
   char name[64][8];
   GLfloat got[64 * 4];
   struct source v = {.size = 0}, g = {.size = 0};
   struct source *last = geometry ? &g : &v;
   CHECK(num * part <= 16, "%d vectors are captured", num * part);
   GREEN_CHECK(!separate || part == 4, "%d vectors to a separate buffer", part);
   add(&v, "in vec4 p;\n");
   if (geometry) {
      add(&v, "void main() { gl_Position = p; }");
      add(&g, "layout(points) in; layout(points, max_vertices = 1) out;\n");
   }
   for (int i = 0; i < num; i++) {
      add(last, "out vec4 c%d[%d];\n", i, part);
      snprintf(name[i], sizeof(name[i]), "c%d", i);
      names[i] = name[i];
   }
   add(last, "void main() { gl_Position = %s;\n", geometry ? "gl_in[0].gl_Position" : "p");
   for (int i = 0; i < num * part; i++)
      add(last, "c%d[%d] = vec4(%d, %d, %d, %d);\n", i / part, i % part, 4 * i, 4 * i + 1,
          4 * i + 2, 4 * i + 3);
   add(last, "%s }", geometry ? "EmitVertex();" : "");
   program(v.text, geometry ? g.text : NULL, "out vec4 color; void main() { color = vec4(1); }",
           num, names, separate ? GL_SEPARATE_ATTRIBS : GL_INTERLEAVED_ATTRIBS);
   const GLuint buffer = green_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, NULL, sizeof(got));
   for (GLuint i = 0; i < (separate ? (GLuint)num : 1); i++)
      glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, i, buffer,
                        separate ? 16 * part * (GLintptr)i : 0,
                        separate ? 16 * part : (GLsizeiptr)sizeof(got));
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, 1);
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);
   const GLfloat *data =
       glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof(got), GL_MAP_READ_BIT);
   CHECK(data, "no captured data: error 0x%x", glGetError());
   for (int i = 0; i < 4 * num * part; i++)
      GREEN_CHECK(data[i] == (GLfloat)i, "%s%s: component %d is %g",
                  separate ? "separate buffers" : "one buffer", geometry ? ", geometry" : "", i,
                  data[i]);
   glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
   for (GLuint i = 0; i < 4; i++)
      glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, 0);
}

/* Each of the distances alone cuts the right half off; all of them do, and a fragment shader reads
 * them. */
static void
clip_distances(void)
{
   const GLint max = get(GL_MAX_CLIP_DISTANCES);
   const GLuint name = program(
       "in vec4 p; out float gl_ClipDistance[8]; void main() { gl_Position = p;"
       "for (int i = 0; i < 8; i++) gl_ClipDistance[i] = -p.x * float(i + 1); }",
       NULL,
       GREEN_FRAGMENT("uniform bool all_on; in float gl_ClipDistance[8];",
                      "bool ok = true; for (int i = 1; i < 8; i++) ok = ok && "
                      "abs(gl_ClipDistance[i] - gl_ClipDistance[0] * float(i + 1)) < 0.001;",
                      "ok && gl_ClipDistance[0] > 0.0 || !all_on"),
       0, NULL, 0);
   CHECK(max == 8, "%d distances", max);
   for (GLint i = 0; i <= max; i++) {
      for (GLint k = 0; k < max; k++)
         (k == i || i == max ? glEnable : glDisable)(GL_CLIP_DISTANCE0 + (GLenum)k);
      glUniform1i(glGetUniformLocation(name, "all_on"), i == max);
      glClear(GL_COLOR_BUFFER_BIT);
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
      const unsigned cut = util_not_green(GREEN_SIZE);
      GREEN_CHECK(cut == GREEN_SIZE * GREEN_SIZE / 2, "distance %d cuts %u pixels", i, cut);
   }
   for (GLint k = 0; k < max; k++)
      glDisable(GL_CLIP_DISTANCE0 + (GLenum)k);
}

/* Buffer i has the format i % 4 and the value 10 + i. */
static void
draw_buffers(void)
{
   static const struct {
      const char *type;
      GLenum internal, format, read;
   } kinds[4] = {{"vec4", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE},
                 {"ivec4", GL_RGBA16I, GL_RGBA_INTEGER, GL_INT},
                 {"uvec4", GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT},
                 {"vec4", GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_BYTE}};
   const int num = get(GL_MAX_DRAW_BUFFERS);
   GLuint fbo, rb[16];
   GLenum buffers[16];
   struct source f = {.size = 0};
   CHECK(num <= 16, "%d draw buffers", num);
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glGenRenderbuffers(num, rb);
   for (int i = 0; i < num; i++) {
      buffers[i] = GL_COLOR_ATTACHMENT0 + (GLenum)i;
      glBindRenderbuffer(GL_RENDERBUFFER, rb[i]);
      glRenderbufferStorage(GL_RENDERBUFFER, kinds[i % 4].internal, GREEN_SIZE, GREEN_SIZE);
      glFramebufferRenderbuffer(GL_FRAMEBUFFER, buffers[i], GL_RENDERBUFFER, rb[i]);
      add(&f, "layout(location = %d) out %s c%d;\n", i, kinds[i % 4].type, i);
   }
   add(&f, "void main() {\n");
   for (int i = 0; i < num; i++)
      add(&f, "c%d = %s(%d)%s;\n", i, kinds[i % 4].type, 10 + i,
          kinds[i % 4].format == GL_RGBA ? " / 255.0" : "");
   add(&f, "}");
   glDrawBuffers(num, buffers);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "not complete");
   program(GREEN_VERTEX, NULL, f.text, 0, NULL, 0);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   for (int i = 0; i < num; i++) {
      union {
         GLubyte bytes[16];
         GLint value;
      } got = {{0}};
      glReadBuffer(buffers[i]);
      glReadPixels(9, 6, 1, 1, kinds[i % 4].format, kinds[i % 4].read, &got);
      const GLint value = kinds[i % 4].format == GL_RGBA ? got.bytes[0] : got.value;
      GREEN_CHECK(value == 10 + i, "draw buffer %d has %d", i, value);
   }
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &fbo);
   glDeleteRenderbuffers(num, rb);
}

/* The last of as many layers as there can be is drawn, by the geometry shader or alone, and looked
 * up. */
static void
last_layer(void)
{
   const GLint layers = get(GL_MAX_ARRAY_TEXTURE_LAYERS);
   GLuint fbo, texture;
   struct source g = {.size = 0}, f = {.size = 0};
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
   glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, GREEN_SIZE, GREEN_SIZE, layers, 0, GL_RGBA,
                GL_UNSIGNED_BYTE, NULL);
   glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   add(&g,
       "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out; void main() {\n"
       "for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; gl_Layer = %d; "
       "EmitVertex(); } }",
       layers - 1);
   if (es)
      glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, layers - 1);
   else
      glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
   program(GREEN_VERTEX, es ? NULL : g.text,
           "out vec4 color; void main() { color = vec4(0.2, 0.4, 0.6, 1); }", 0, NULL, 0);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   add(&f,
       GREEN_FRAGMENT("uniform sampler2DArray s;", "",
                      "distance(texture(s, vec3(0.5, 0.5, %d)), vec4(0.2, 0.4, 0.6, 1)) < 0.01"),
       layers - 1);
   program(GREEN_VERTEX, NULL, f.text, 0, NULL, 0);
   green_draw("the last layer");
   glDeleteFramebuffers(1, &fbo);
   glDeleteTextures(1, &texture);
}

/* From texel 8, 8 to the sides of 16 times 16. */
static void
texel_offsets(void)
{
   GLubyte texels[16][16];
   GLuint texture;
   for (GLubyte y = 0; y < 16; y++) {
      for (GLubyte x = 0; x < 16; x++)
         texels[y][x] = (GLubyte)(16 * y + x);
   }
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_R8UI, 16, 16, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE, texels);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   program(GREEN_VERTEX, NULL,
           GREEN_FRAGMENT("uniform usampler2D s;", "",
                          "textureOffset(s, vec2(0.53), ivec2(-8, 7)).r == 240u && "
                          "texelFetchOffset(s, ivec2(8), 0, ivec2(7, -8)).r == 15u && "
                          "textureLodOffset(s, vec2(0.53), 0.0, ivec2(7)).r == 255u"),
           0, NULL, 0);
   green_draw("the largest offsets");
   glDeleteTextures(1, &texture);
}

/* Ladders of cases in each form that a program may have them: flat in the source, however many. */
static void
ladders(void)
{
   static const char *const forms[][2] = {
       {"switch (k) {", "case %d: return %d.5;\n"},
       {"float r = -1.0; switch (k) {", "case %d: r = %d.5; break;\n"},
       {"{", "if (k == %d) return %d.5;\n"},
       {"float r = -1.0; {", "if (k == %d) r = %d.5; else\n"},
   };
   for (int form = 0; form < 4; form++) {
      struct source s = {.size = 0};
      add(&s, "uniform int k; uniform float want; out vec4 color; float f() { %s", forms[form][0]);
      for (int i = 0; i < 300; i++)
         add(&s, forms[form][1], i, i * 37 % 101);
      add(&s,
          "%s } return %s; } void main() { color = f() == want ? vec4(0, 1, 0, 1)"
          ": vec4(1, 0, 0, 1); }",
          form == 3 ? ";" : "", form & 1 ? "r" : "-1.0");
      const GLuint name = util_program(header, GREEN_VERTEX, s.text);
      for (int k = 0; k <= 300; k += 50) {
         glUniform1i(glGetUniformLocation(name, "k"), k);
         glUniform1f(glGetUniformLocation(name, "want"),
                     k < 300 ? (GLfloat)(k * 37 % 101) + 0.5f : -1.0f);
         green_draw("a ladder of 300 cases");
      }
   }
}

int
main(int argc, char **argv)
{
   CHECK(argc == 2, "usage: limits33 core|compatibility|es");
   es = !strcmp(argv[1], "es");
   header = green_context_of(argv[1]);
   values();
   varyings();
   units();
   blocks();
   uniforms();
   draw_buffers();
   last_layer();
   texel_offsets();
   ladders();
   for (unsigned separate = 0; separate < 2; separate++) {
      captures(separate, false);
      if (!es)
         captures(separate, true);
   }
   if (!es) {
      varyings_of_geometry();
      clip_distances();
   }
   CHECK(glGetError() == GL_NO_ERROR, "an error of OpenGL");
   return !green_right;
}
