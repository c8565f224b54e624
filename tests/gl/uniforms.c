/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Draws with uniforms of all kinds, and prints what OpenGL says of them: a line "draw N", then for
 * each active uniform its name, type and value. A sampler's value is the width of its texture. The
 * script beside it compares the lines with the state of the draws. */
#include <stdio.h>
#include "gl_util.h"

enum { SIZE = 16, BLOCK_BYTES = 1024 };

#define LIGHT "struct Light { vec3 position; float power; int kinds[2]; };\n"
static const char vertex[] =
    LIGHT "layout(location = 0) in vec4 p;\n"
          "uniform mat4 view;\n"
          "uniform mat3x2 m32;\n"
          "uniform Light lights[3];\n"
          "uniform float weights[4];\n"
          "uniform ivec3 iv;\n"
          "uniform uint u;\n"
          "uniform bool on;\n"
          "uniform bvec2 both;\n"
          "uniform vec2 unused;\n"
          "layout(std140) uniform Material {\n"
          "   vec4 diffuse;\n"
          "   float shine[3];\n"
          "   mat3 turn;\n"
          "   layout(row_major) mat2x4 rows;\n"
          "   ivec2 count;\n"
          "   bool lit;\n"
          "   Light lamp[2];\n"
          "};\n"
          "void main() {\n"
          "   float s = u * 1.0 + dot(vec3(iv), m32[0].xyy + m32[1].xyx + m32[2].yyx);\n"
          "   for (int i = 0; i < 3; i++)\n"
          "      s += lights[i].power + lights[i].position.x * (lights[i].kinds[0] - "
          "lights[i].kinds[1]);\n"
          "   for (int i = 0; i < 4; i++)\n"
          "      s += on ? weights[i] : weights[3 - i] * (both.x && !both.y ? 2.0 : 3.0);\n"
          "   s += shine[iv.x & 1] + dot(turn[1], turn[2] * turn[0]) + dot(rows[0], rows[1]);\n"
          "   s += lit ? lamp[count.y & 1].power : lamp[0].position.y * lamp[1].kinds[1];\n"
          "   gl_Position = p + 1e-9 * (view * diffuse) * s;\n"
          "}\n";
static const char geometry[] = "layout(triangles) in;\n"
                               "layout(triangle_strip, max_vertices = 3) out;\n"
                               "uniform vec4 shift;\n"
                               "void main() {\n"
                               "   for (int i = 0; i < 3; i++) {\n"
                               "      gl_Position = gl_in[i].gl_Position + shift;\n"
                               "      EmitVertex();\n"
                               "   }\n"
                               "}\n";
static const char fragment[] =
    "struct Layer { sampler2D image; float gain; };\n"
    "uniform mat4 view;\n"
    "uniform vec4 tint;\n"
    "uniform sampler2D images[2];\n"
    "uniform Layer layers[2];\n"
    "layout(std140) uniform Block { vec3 a; float b; uint c[2]; } block[2];\n"
    "out vec4 color;\n"
    "void main() {\n"
    "   color = tint * view[3] + block[0].b * block[1].a.xyzz * float(block[0].c[1]);\n"
    "   color += texture(images[0], gl_FragCoord.xy) * texture(images[1], gl_FragCoord.xy);\n"
    "   for (int i = 0; i < 2; i++)\n"
    "      color += layers[i].gain * texture(layers[i].image, gl_FragCoord.xy);\n"
    "}\n";
/* Two programs with equal instructions. */
static const char plain_vertex[] = "layout(location = 0) in vec4 p;\n"
                                   "void main() { gl_Position = p; }\n";
static const char one_name[] = "uniform vec4 paint;\nout vec4 color;\n"
                               "void main() { color = paint; }\n";
static const char other_name[] = "uniform vec4 shade;\nout vec4 color;\n"
                                 "void main() { color = shade; }\n";
/* Integers are floats. */
static const char old_vertex[] = "attribute vec4 p;\n"
                                 "void main() { gl_Position = p; }\n";
static const char old_fragment[] = "uniform int n;\nuniform ivec2 pair[2];\nuniform bool flag;\n"
                                   "void main() {\n"
                                   "   gl_FragColor = flag ? vec4(n) : vec4(pair[0], pair[1]);\n"
                                   "}\n";

/* --- Types --- */

static const struct type {
   GLenum type;
   const char *name;
   char base; /* f, i, u, b, s: a sampler */
   unsigned columns, rows;
   void(APIENTRY *matrix)(GLint, GLsizei, GLboolean, const GLfloat *);
} types[] = {
    {GL_FLOAT, "float", 'f', 1, 1, NULL},
    {GL_FLOAT_VEC2, "vec2", 'f', 1, 2, NULL},
    {GL_FLOAT_VEC3, "vec3", 'f', 1, 3, NULL},
    {GL_FLOAT_VEC4, "vec4", 'f', 1, 4, NULL},
    {GL_FLOAT_MAT3, "mat3", 'f', 3, 3, glUniformMatrix3fv},
    {GL_FLOAT_MAT4, "mat4", 'f', 4, 4, glUniformMatrix4fv},
    {GL_FLOAT_MAT3x2, "mat3x2", 'f', 3, 2, glUniformMatrix3x2fv},
    {GL_FLOAT_MAT2x4, "mat2x4", 'f', 2, 4, glUniformMatrix2x4fv},
    {GL_INT, "int", 'i', 1, 1, NULL},
    {GL_INT_VEC2, "ivec2", 'i', 1, 2, NULL},
    {GL_INT_VEC3, "ivec3", 'i', 1, 3, NULL},
    {GL_UNSIGNED_INT, "uint", 'u', 1, 1, NULL},
    {GL_BOOL, "bool", 'b', 1, 1, NULL},
    {GL_BOOL_VEC2, "bvec2", 'b', 1, 2, NULL},
    {GL_SAMPLER_2D, "sampler2D", 's', 1, 1, NULL},
};

static const struct type *
type_of(GLenum type)
{
   for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
      if (types[i].type == type)
         return &types[i];
   }
   CHECK(0, "type 0x%x", type);
   return NULL;
}

/* A new value for each component. */
static union word {
   float f;
   GLint i;
   GLuint u;
} next_value(char base)
{
   static unsigned count;
   count++;
   return base == 'f'   ? (union word){.f = count * 0.3f - 7}
          : base == 'i' ? (union word){.i = (GLint)(count * 7) - 300}
          : base == 'u' ? (union word){.u = 4000000000u + count}
                        : (union word){.i = count % 2 == 0};
}

static void
print_value(const char *name, const char *element, const struct type *type, const union word *word)
{
   printf("%s%s|%s|", name, element, type->name);
   for (unsigned i = 0; i < type->columns * type->rows; i++) {
      const char *space = i ? " " : "";
      if (type->base == 'f')
         printf("%s%.9g", space, (double)word[i].f);
      else if (type->base == 'b')
         printf("%s%s", space, word[i].i ? "true" : "false");
      else
         printf(type->base == 'u' ? "%s%u" : "%s%d", space, word[i].u);
   }
   printf("\n");
}

/* --- The default block --- */

static void
set_uniform(GLint location, const struct type *type)
{
   union word w[16];
   for (unsigned i = 0; i < type->columns * type->rows; i++)
      w[i] = next_value(type->base);
   static void(APIENTRY *const floats[])(GLint, GLsizei, const GLfloat *) = {
       glUniform1fv, glUniform2fv, glUniform3fv, glUniform4fv};
   static void(APIENTRY *const ints[])(GLint, GLsizei, const GLint *) = {
       glUniform1iv, glUniform2iv, glUniform3iv, glUniform4iv};
   if (type->matrix)
      type->matrix(location, 1, GL_FALSE, &w[0].f);
   else if (type->base == 'f')
      floats[type->rows - 1](location, 1, &w[0].f);
   else if (type->base == 'u')
      glUniform1uiv(location, 1, &w[0].u);
   else
      ints[type->rows - 1](location, 1, &w[0].i);
}

static void
print_uniform(GLuint program, GLint location, const char *name, const char *element,
              const struct type *type)
{
   union word w[16];
   if (type->base == 'f')
      glGetUniformfv(program, location, &w[0].f);
   else if (type->base == 'u')
      glGetUniformuiv(program, location, &w[0].u);
   else
      glGetUniformiv(program, location, &w[0].i);
   if (type->base == 's') { /* a texture's width is its unit and 1 */
      printf("%s%s|sampler2D|%d\n", name, element, w[0].i + 1);
      return;
   }
   print_value(name, element, type, w);
}

/* --- Uniform blocks --- */

static struct block {
   GLuint buffer;
   union word data[BLOCK_BYTES / 4];
} blocks[3]; /* by binding */

static GLint
block_parameter(GLuint program, GLuint uniform, GLenum name)
{
   GLint value;
   glGetActiveUniformsiv(program, 1, &uniform, name, &value);
   return value;
}

/* Sets, or else prints, a uniform of a block, whose members OpenGL calls as those of number 0. */
static void
member(GLuint program, GLuint uniform, GLuint block, const char *name, const char *element,
       unsigned index, const struct type *type, int set)
{
   union word w[16];
   char title[100], block_name[100];
   const GLint at = block_parameter(program, uniform, GL_UNIFORM_OFFSET) +
                    (GLint)index * block_parameter(program, uniform, GL_UNIFORM_ARRAY_STRIDE),
               stride = block_parameter(program, uniform, GL_UNIFORM_MATRIX_STRIDE),
               rows = block_parameter(program, uniform, GL_UNIFORM_IS_ROW_MAJOR);
   for (unsigned c = 0; c < type->columns; c++) {
      for (unsigned r = 0; r < type->rows; r++) {
         union word *to =
             &blocks[block].data[(at + (GLint)(rows ? r : c) * stride) / 4 + (rows ? c : r)];
         if (set)
            *to = next_value(type->base);
         w[c * type->rows + r] = *to;
      }
   }
   glGetActiveUniformBlockName(program, block, sizeof(block_name), NULL, block_name);
   const char *dot = strchr(name, '.');
   if (strchr(block_name, '['))
      snprintf(title, sizeof(title), "%s%s", block_name, dot);
   else
      snprintf(title, sizeof(title), "%s", name);
   if (!set)
      print_value(title, element, type, w);
}

/* Sets the uniforms, or else prints them. only: those that begin so. */
static void
uniforms(GLuint program, const char *only, int set)
{
   GLint num, num_blocks;
   glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &num);
   glGetProgramiv(program, GL_ACTIVE_UNIFORM_BLOCKS, &num_blocks);
   for (GLuint i = 0; i < (GLuint)num; i++) {
      char name[100], element[16] = "", whole[120];
      GLint size;
      GLenum of;
      glGetActiveUniform(program, i, sizeof(name), NULL, &size, &of, name);
      const struct type *type = type_of(of);
      const size_t length = strlen(name);
      const int array = length > 3 && !strcmp(name + length - 3, "[0]");
      const GLint block = block_parameter(program, i, GL_UNIFORM_BLOCK_INDEX);
      if (strncmp(name, only, strlen(only)))
         continue;
      if (array)
         name[length - 3] = '\0';
      for (unsigned e = 0; e < (unsigned)size; e++) {
         if (array)
            snprintf(element, sizeof(element), "[%u]", e);
         snprintf(whole, sizeof(whole), "%s%s", name, element);
         const GLint location = glGetUniformLocation(program, whole);
         if (block >= 0) {
            const unsigned instances = strncmp(name, "Block.", 6) ? 1 : 2;
            for (unsigned b = 0; b < instances; b++)
               member(program, i, (GLuint)block + b, name, element, e, type, set);
         } else if (!set) {
            print_uniform(program, location, name, element, type);
         } else if (type->base != 's') {
            set_uniform(location, type);
         }
      }
   }
   for (GLint b = 0; b < num_blocks && set; b++) {
      glBindBuffer(GL_UNIFORM_BUFFER, blocks[b].buffer);
      glBufferData(GL_UNIFORM_BUFFER, BLOCK_BYTES, blocks[b].data, GL_DYNAMIC_DRAW);
   }
}

/* --- Draws --- */

static void
draw(GLuint program)
{
   static unsigned draws;
   glUseProgram(program);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   printf("draw %u\n", draws++);
   if (program)
      uniforms(program, "", 0);
}

static GLuint
whole_program(void)
{
   static const char header[] = "#version 330\n";
   static const char *const samplers[] = {"images[0]", "images[1]", "layers[0].image",
                                          "layers[1].image"};
   static const GLint units[] = {5, 0, 3, 7};
   const GLuint program = glCreateProgram();
   glAttachShader(program, util_shader(GL_VERTEX_SHADER, header, vertex));
   glAttachShader(program, util_shader(GL_GEOMETRY_SHADER, header, geometry));
   glAttachShader(program, util_shader(GL_FRAGMENT_SHADER, header, fragment));
   util_link(program);
   for (GLuint b = 0; b < 3; b++) {
      glGenBuffers(1, &blocks[b].buffer);
      glBindBufferBase(GL_UNIFORM_BUFFER, b, blocks[b].buffer);
      glUniformBlockBinding(program, b, b);
   }
   for (unsigned i = 0; i < 4; i++) {
      GLuint texture;
      glUniform1i(glGetUniformLocation(program, samplers[i]), units[i]);
      glActiveTexture(GL_TEXTURE0 + (GLenum)units[i]);
      glGenTextures(1, &texture);
      glBindTexture(GL_TEXTURE_2D, texture);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, units[i] + 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   }
   return program;
}

int
main(void)
{
   static const float corners[] = {-1, -1, 0, 1, 1, -1, 0, 1, 1, 1, 0, 1};
   static const float projection[16] = {1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0.5f, 0, 0, 1};
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   EGLSurface surface =
       util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   GLuint buffer;
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);

   const GLuint whole = whole_program();
   uniforms(whole, "", 1);
   draw(whole);
   uniforms(whole, "tint", 1);
   uniforms(whole, "lights[1].power", 1);
   uniforms(whole, "shine", 1);
   draw(whole);
   const GLuint one = util_program("#version 330\n", plain_vertex, one_name);
   uniforms(one, "", 1);
   draw(one);
   const GLuint other = util_program("#version 330\n", plain_vertex, other_name);
   uniforms(other, "", 1);
   draw(other);
   eglSwapBuffers(display, surface);
   draw(one);
   draw(whole);
   const GLuint old = util_program("#version 120\n", old_vertex, old_fragment);
   uniforms(old, "", 1);
   draw(old);
   glMatrixMode(GL_PROJECTION);
   glLoadMatrixf(projection);
   glDisableVertexAttribArray(0);
   glVertexPointer(4, GL_FLOAT, 0, NULL);
   glEnableClientState(GL_VERTEX_ARRAY);
   draw(0);
   CHECK(!glGetError(), "an error of OpenGL");
   eglSwapBuffers(display, surface);
   return 0;
}
