/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What OpenGL 3.1 and GLSL 1.40 brought, in a context of that version, with or without what 3.1
 * removed (argument "core" or "compatibility"): inverses, levels of arrays, rectangles, matrices of
 * blocks by rows, signed normalized textures, instances, primitive restart, copies of buffers,
 * vertex shaders without a position; in a compatibility context EXT_gpu_shader4, whose shaders have
 * integers of 32 bits in GLSL 1.20. Each check draws green when it is right. Prints a line for each
 * that is not. Not here: texture buffers (buffer_textures.c), uniform blocks otherwise
 * (blocks.c). */
#include <stdint.h>
#include "gl_green.h"

enum { WIDTH = 8, HEIGHT = 4 };

static const char glsl140[] = "#version 140\n"
                              "ivec3 bytes(vec4 t) { return ivec3(round(t.xyz * 255.0)); }\n";

static void
inverses(void)
{
   static const GLfloat m[16] = {2, 0, 1, 0, 0, -4, 0, 0.5f, 1, 3, 8, 0, 0, 0, -2, 1};
   const GLuint program = util_program(
       glsl140, GREEN_VERTEX,
       GREEN_FRAGMENT(
           "uniform mat4 m; bool same(mat4 a, mat4 b) { a -= b;"
           " return all(lessThan(abs(a[0]) + abs(a[1]) + abs(a[2]) + abs(a[3]),"
           " vec4(1e-4))); }",
           "mat2 two = inverse(mat2(m)); mat3 three = mat3(m) * inverse(mat3(m));",
           "same(inverse(m) * m, mat4(1)) && !same(m, mat4(1)) && two == mat2(0.5, 0, 0, "
           "-0.25) && same(mat4(three), mat4(1)) && transpose(m)[3] == vec4(0, 0.5, 0, 1)"));
   glUniformMatrix4fv(glGetUniformLocation(program, "m"), 1, GL_FALSE, m);
   green_draw("inverse");
}

static void
instances(void)
{
   util_program(glsl140,
                "in vec4 p; flat out int id;"
                "void main() { id = gl_InstanceID; gl_Position = p - vec4(0, 0, 0.1 * id, 0); }",
                GREEN_FRAGMENT("flat in int id;", "", "id == 4"));
   glEnable(GL_DEPTH_TEST);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 5);
   green_expect("glDrawArraysInstanced");
   static const GLushort index[4] = {0, 1, 2, 3};
   green_buffer(GL_ELEMENT_ARRAY_BUFFER, index, sizeof(index));
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glDrawElementsInstanced(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, NULL, 5);
   green_expect("glDrawElementsInstanced");
   glDisable(GL_DEPTH_TEST);
}

/* Level l of each layer is 9 - l. Mesa allocates level 0 alone and guesses the width of level 0
 * from the others, wrongly where it is odd. */
static void
array_levels(void)
{
   GLubyte texels[5 * 3];
   GLuint name;
   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_1D_ARRAY, name);
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
   for (int l = 0; l < 3; l++) {
      memset(texels, 9 - l, sizeof(texels));
      glTexImage2D(GL_TEXTURE_1D_ARRAY, l, GL_R8, 5 >> l, 3, 0, GL_RED, GL_UNSIGNED_BYTE, texels);
   }
   util_program(glsl140, GREEN_VERTEX,
                GREEN_FRAGMENT("uniform sampler1DArray s;", "",
                               "bytes(textureLod(s, vec2(0.5, 2), 0.0)).r == 9 && "
                               "bytes(textureLod(s, vec2(0.5, 1), 1.0)).r == 8 && "
                               "bytes(textureLod(s, vec2(0.5, 2), 2.0)).r == 7"));
   green_draw("levels of an array");
   glDeleteTextures(1, &name);
}

/* Texel x, y is x, y, 128 of 255, or the same integers. */
static void
rectangle(GLint internal, GLenum format)
{
   GLubyte texels[HEIGHT][WIDTH][4];
   GLuint name;
   for (unsigned y = 0; y < HEIGHT; y++) {
      for (unsigned x = 0; x < WIDTH; x++)
         memcpy(texels[y][x], ((GLubyte[4]){(GLubyte)x, (GLubyte)y, 128, 255}), 4);
   }
   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_RECTANGLE, name);
   glTexImage2D(GL_TEXTURE_RECTANGLE, 0, internal, WIDTH, HEIGHT, 0, format, GL_UNSIGNED_BYTE,
                texels);
   glTexParameteri(GL_TEXTURE_RECTANGLE, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_RECTANGLE, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

static void
rectangles(void)
{
   rectangle(GL_RGBA8, GL_RGBA);
   util_program(
       glsl140, GREEN_VERTEX,
       GREEN_FRAGMENT("uniform sampler2DRect s;",
                      "ivec2 at = ivec2(gl_FragCoord) & ivec2(7, 3); vec2 middle = vec2(at) + "
                      "0.5;",
                      "bytes(texture(s, middle)) == ivec3(at, 128) && "
                      "bytes(textureProj(s, vec3(middle * 3.0, 3))) == ivec3(at, 128) && "
                      "bytes(textureGrad(s, middle, vec2(9), vec2(9))) == ivec3(at, 128) && "
                      "bytes(texelFetch(s, at)) == ivec3(at, 128) && "
                      "textureSize(s) == ivec2(8, 4) && "
                      "bytes(textureOffset(s, vec2(2.5, 1.5), ivec2(3, -1))) == "
                      "ivec3(5, 0, 128) && "
                      "bytes(texelFetchOffset(s, ivec2(9, -2), ivec2(-8, 4))) == "
                      "ivec3(1, 2, 128) && bytes(texture(s, vec2(99, -7))) == ivec3(7, 0, 128)"));
   green_draw("sampler2DRect");
   rectangle(GL_RGBA8I, GL_RGBA_INTEGER);
   util_program(glsl140, GREEN_VERTEX,
                GREEN_FRAGMENT("uniform isampler2DRect s;", "",
                               "texture(s, vec2(6.5, 3.5)) == ivec4(6, 3, 127, 127) && "
                               "texelFetch(s, ivec2(1, 2)).xy == ivec2(1, 2)"));
   green_draw("isampler2DRect");
   rectangle(GL_RGBA8UI, GL_RGBA_INTEGER);
   util_program(glsl140, GREEN_VERTEX,
                GREEN_FRAGMENT("uniform usampler2DRect s;", "",
                               "texture(s, vec2(6.5, 3.5)) == uvec4(6, 3, 128, 255)"));
   green_draw("usampler2DRect");
   const GLfloat depth[4] = {0.25f, 0.5f, 0.75f, 1};
   glTexImage2D(GL_TEXTURE_RECTANGLE, 0, GL_DEPTH_COMPONENT24, 4, 1, 0, GL_DEPTH_COMPONENT,
                GL_FLOAT, depth);
   glTexParameteri(GL_TEXTURE_RECTANGLE, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
   glTexParameteri(GL_TEXTURE_RECTANGLE, GL_TEXTURE_COMPARE_FUNC, GL_LESS);
   util_program(glsl140, GREEN_VERTEX,
                GREEN_FRAGMENT("uniform sampler2DRectShadow s;", "",
                               "texture(s, vec3(1.5, 0.5, 0.4)) == 1.0 && "
                               "texture(s, vec3(1.5, 0.5, 0.6)) == 0.0 && "
                               "textureProj(s, vec4(5.0, 1.0, 1.4, 2.0)) == 1.0"));
   green_draw("sampler2DRectShadow");
}

static void
rows_of_blocks(void)
{
   GLfloat data[3 * 4 + 2 * 4];
   for (unsigned i = 0; i < 20; i++)
      data[i] = (GLfloat)i;
   const GLuint program =
       util_program(glsl140, GREEN_VERTEX,
                    GREEN_FRAGMENT("layout(std140, row_major) uniform B { mat4x3 m; "
                                   "layout(column_major) mat2 n; }; uniform int k;",
                                   "",
                                   "m[1] == vec3(1, 5, 9) && m[k] == vec3(3, 7, 11) && "
                                   "n[1] == vec2(16, 17)"));
   glUniform1i(glGetUniformLocation(program, "k"), 3);
   glUniformBlockBinding(program, glGetUniformBlockIndex(program, "B"), 2);
   glBindBufferBase(GL_UNIFORM_BUFFER, 2, green_buffer(GL_UNIFORM_BUFFER, data, sizeof(data)));
   green_draw("matrices by rows");
}

/* -127, -128 (which is -1, too), 64 and 0 of 127, or of 32767 as many. */
static void
signed_textures(void)
{
   static const struct {
      const char *name, *value; /* of channel 0, 1, ..., as the shader gets them */
      GLint internal;
   } formats[] = {
       {"R8_SNORM", "vec4(-1, 0, 0, 1)", GL_R8_SNORM},
       {"RG8_SNORM", "vec4(-1, -1, 0, 1)", GL_RG8_SNORM},
       {"RGB8_SNORM", "vec4(-1, -1, 64.0 / 127.0, 1)", GL_RGB8_SNORM},
       {"RGBA8_SNORM", "vec4(-1, -1, 64.0 / 127.0, 0)", GL_RGBA8_SNORM},
       {"R16_SNORM", "vec4(-1, 0, 0, 1)", GL_R16_SNORM},
       {"RG16_SNORM", "vec4(-1, -1, 0, 1)", GL_RG16_SNORM},
       {"RGB16_SNORM", "vec4(-1, -1, 16384.0 / 32767.0, 1)", GL_RGB16_SNORM},
       {"RGBA16_SNORM", "vec4(-1, -1, 16384.0 / 32767.0, 0)", GL_RGBA16_SNORM},
   };
   static const GLbyte small[4] = {-127, -128, 64, 0};
   static const GLshort large[4] = {-32767, -32768, 16384, 0};
   GLuint name;
   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_2D, name);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
      char fragment[512];
      GLint type;
      glTexImage2D(GL_TEXTURE_2D, 0, formats[i].internal, 1, 1, 0, GL_RGBA,
                   i < 4 ? GL_BYTE : GL_SHORT, i < 4 ? (const void *)small : (const void *)large);
      glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_RED_TYPE, &type);
      CHECK(type == GL_SIGNED_NORMALIZED, "%s: its type is 0x%x", formats[i].name, type);
      snprintf(fragment, sizeof(fragment),
               GREEN_FRAGMENT("uniform sampler2D s;", "vec4 d = abs(texture(s, vec2(0.5)) - %s);",
                              "all(lessThan(d, vec4(1e-6)))"),
               formats[i].value);
      util_program(glsl140, GREEN_VERTEX, fragment);
      green_draw(formats[i].name);
   }
}

/* Two strips of triangles, a quarter of the window on the left and one on the right. Without a
 * restart triangles between them cover something of the middle. */
static void
restarts(void)
{
   static const GLfloat quarters[9][2] = {{-1, -1},   {-0.5f, -1}, {-1, 1},   {-0.5f, 1}, {0, 0},
                                          {0.5f, -1}, {1, -1},     {0.5f, 1}, {1, 1}};
   static const GLubyte bytes[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
   GLushort shorts[9];
   GLuint ints[9];
   for (unsigned i = 0; i < 9; i++) {
      shorts[i] = i == 4 ? 0xffff : bytes[i];
      ints[i] = i == 4 ? 77777 : bytes[i];
   }
   const struct {
      GLenum type;
      const void *indices;
      size_t size;
      GLuint restart;
   } kinds[] = {{GL_UNSIGNED_BYTE, bytes, sizeof(bytes), 4},
                {GL_UNSIGNED_SHORT, shorts, sizeof(shorts), 0xffff},
                {GL_UNSIGNED_INT, ints, sizeof(ints), 77777}};
   util_program(glsl140, GREEN_VERTEX, GREEN_FRAGMENT("", "", "false"));
   green_buffer(GL_ARRAY_BUFFER, quarters, sizeof(quarters));
   green_corners_from_buffer();
   glEnable(GL_PRIMITIVE_RESTART);
   glClearColor(0, 1, 0, 1);
   for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
      green_buffer(GL_ELEMENT_ARRAY_BUFFER, kinds[i].indices, kinds[i].size);
      glPrimitiveRestartIndex(kinds[i].restart);
      glClear(GL_COLOR_BUFFER_BIT);
      glDrawElements(GL_TRIANGLE_STRIP, 9, kinds[i].type, NULL);
      const unsigned drawn = util_not_green(GREEN_SIZE);
      GREEN_CHECK(drawn == GREEN_SIZE * GREEN_SIZE / 2, "restart at %u: %u of %d pixels are drawn",
                  kinds[i].restart, drawn, GREEN_SIZE * GREEN_SIZE);
   }
   glClearColor(0, 0, 0, 0);
   glDisable(GL_PRIMITIVE_RESTART);
}

/* Corners come by way of another buffer, and of the same one. */
static void
copies(void)
{
   util_program(glsl140, GREEN_VERTEX, GREEN_FRAGMENT("", "", "true"));
   const GLuint from = green_buffer(GL_COPY_READ_BUFFER, green_corners, sizeof(green_corners));
   green_buffer(GL_COPY_WRITE_BUFFER, NULL, 3 * sizeof(green_corners));
   glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 40, sizeof(green_corners) / 2);
   glCopyBufferSubData(GL_COPY_WRITE_BUFFER, GL_COPY_WRITE_BUFFER, 40, 0,
                       sizeof(green_corners) / 2);
   GLint name;
   glGetIntegerv(GL_COPY_WRITE_BUFFER_BINDING, &name);
   glDeleteBuffers(1, &from);
   glBindBuffer(GL_ARRAY_BUFFER, (GLuint)name);
   green_corners_from_buffer();
   green_draw("glCopyBufferSubData");
}

/* A vertex shader need not write a position where its outputs are captured. */
static void
no_position(void)
{
   static const GLchar *const varyings[] = {"number"};
   static const char source[] = "out int number; in vec4 p;"
                                "void main() { number = gl_VertexID * 3 + int(p.x); }";
   const GLuint program = glCreateProgram();
   glAttachShader(program, util_shader(GL_VERTEX_SHADER, glsl140, source));
   glTransformFeedbackVaryings(program, 1, varyings, GL_INTERLEAVED_ATTRIBS);
   util_link(program);
   green_buffer(GL_ARRAY_BUFFER, green_corners, sizeof(green_corners));
   green_corners_from_buffer();
   for (unsigned discard = 0; discard < 2; discard++) {
      GLint got[8] = {0};
      const GLuint captured = green_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, NULL, sizeof(got));
      glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, captured);
      if (discard)
         glEnable(GL_RASTERIZER_DISCARD);
      glBeginTransformFeedback(GL_POINTS);
      glDrawArrays(GL_POINTS, 0, 8);
      glEndTransformFeedback();
      glDisable(GL_RASTERIZER_DISCARD);
      glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof(got), got);
      for (int i = 0; i < 8; i++)
         GREEN_CHECK(got[i] == i * 3 + (int)green_corners[i][0],
                     "without a position, vertex %d captured %d", i, got[i]);
   }
}

/* --- EXT_gpu_shader4 --- */

#define VERTEX120 "attribute vec4 p; void main() { gl_Position = p; }"
#define FRAGMENT120(declarations, statements, ok)                   \
   declarations " void main() { " statements " gl_FragColor = (" ok \
                ") ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }"
#define GPU_SHADER4 "#version 120\n#extension GL_EXT_gpu_shader4: require\n"

static void
gpu_shader4(void)
{
   static const GLuint numbers[4] = {0xdeadbeef, 0xdeadbeef, 0xdeadbeef, 0xdeadbeef};
   GLuint program = util_program(
       GPU_SHADER4,
       "attribute vec4 p; attribute unsigned int v; flat varying unsigned int bits;"
       "flat varying int id; void main() { gl_Position = p; bits = v; id = gl_VertexID; }",
       FRAGMENT120("flat varying unsigned int bits; flat varying int id; uniform int n;"
                   "uniform unsigned int u;",
                   "int x = n; for (int i = 0; i < 7; i++) x = x * 1103515245 + 12345;",
                   "bits == 0xdeadbeefu && (id == 2 || id == 3) && x == -1814186774 && "
                   "(u >> 28u) == 14u && (n & 0xff) == 99 && (n << 7 ^ n >> 3) == -2145013524 && "
                   "n % 1000 == 131"));
   glUniform1i(glGetUniformLocation(program, "n"), 16780131);
   glUniform1uiEXT(glGetUniformLocation(program, "u"), 4000000001u);
   green_buffer(GL_ARRAY_BUFFER, numbers, sizeof(numbers));
   glVertexAttribIPointerEXT(1, 1, GL_UNSIGNED_INT, 0, NULL);
   glEnableVertexAttribArray(1);
   green_buffer(GL_ARRAY_BUFFER, green_corners, sizeof(green_corners));
   green_corners_from_buffer();
   green_draw("integers of EXT_gpu_shader4");
   glDisableVertexAttribArray(1);

   rectangle(GL_RGBA8, GL_RGBA);
   util_program(
       GPU_SHADER4, VERTEX120,
       FRAGMENT120("uniform sampler2DRect s;", "",
                   "round(texelFetch2DRect(s, ivec2(3, 2)).xyz * 255.0) == vec3(3, 2, 128)"));
   green_draw("look-ups of EXT_gpu_shader4");

   /* A uniform that is a float in one stage, which has no such integers, and one in the other. */
   program = glCreateProgram();
   glAttachShader(program, util_shader(GL_VERTEX_SHADER, "#version 120\n",
                                       "attribute vec4 p; uniform int n; varying float half_of_it;"
                                       "void main() { gl_Position = p;"
                                       " half_of_it = float(n / 2); }"));
   glAttachShader(program,
                  util_shader(GL_FRAGMENT_SHADER, GPU_SHADER4,
                              FRAGMENT120("varying float half_of_it; uniform int n;", "",
                                          "(n ^ 1) == 1235 && abs(half_of_it - 617.0) < 0.01")));
   util_link(program);
   glUniform1i(glGetUniformLocation(program, "n"), 1234);
   green_draw("a uniform of two shaders, one with EXT_gpu_shader4");
}

/* A program that asks for 3.1 gets it without what it removed, one that asks for nothing with it.
 */
static void
create_context(bool core)
{
   static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1,
                                    EGL_NONE};
   green_context(EGL_OPENGL_API, core ? version : NULL);
   GLint major = 0, minor = 0, count = 0;
   bool compatible = false;
   glGetIntegerv(GL_MAJOR_VERSION, &major);
   glGetIntegerv(GL_MINOR_VERSION, &minor);
   CHECK(major * 10 + minor >= 31, "OpenGL %d.%d", major, minor);
   CHECK(atof((const char *)glGetString(GL_SHADING_LANGUAGE_VERSION)) >= 1.4, "GLSL %s",
         (const char *)glGetString(GL_SHADING_LANGUAGE_VERSION));
   glGetIntegerv(GL_NUM_EXTENSIONS, &count);
   for (GLint i = 0; i < count; i++)
      compatible |=
          !strcmp((const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i), "GL_ARB_compatibility");
   CHECK(compatible == !core, "GL_ARB_compatibility is %sthere", compatible ? "" : "not ");
}

int
main(int argc, char **argv)
{
   CHECK(argc == 2, "usage: gl31 core|compatibility");
   const bool core = !strcmp(argv[1], "core");
   create_context(core);
   inverses();
   instances();
   array_levels();
   rectangles();
   rows_of_blocks();
   signed_textures();
   restarts();
   copies();
   no_position();
   if (!core)
      gpu_shader4();
   CHECK(glGetError() == GL_NO_ERROR, "an error of OpenGL");
   return !green_right;
}
