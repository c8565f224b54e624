/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a program should not do but may: indices and attributes outside buffers, positions,
 * coordinates and sizes that are NaN, infinite or any bit pattern, divisions by zero, many vertices
 * for one pixel. Nothing may crash or hang, and where OpenGL defines a result it is checked. */
#include "limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t seed = 12345;

static uint32_t
random_bits(void)
{
   seed ^= seed << 13;
   seed ^= seed >> 17;
   seed ^= seed << 5;
   return seed;
}

static float
any_float(void)
{
   static const float special[] = {0,     -0.0f,  1,      -1,      NAN,   INFINITY, -INFINITY,
                                   1e30f, -1e30f, 1e-40f, 3.4e38f, 16384, 1e9f,     -1e9f};
   const uint32_t bits = random_bits();
   float f;
   switch (random_bits() % 4) {
   case 0:
      return special[bits % (sizeof(special) / sizeof(special[0]))];
   case 1:
      memcpy(&f, &bits, 4);
      return f;
   case 2:
      return (float)(int32_t)bits / 1e6f;
   default:
      return (float)(bits % 2001) / 1000.0f - 1;
   }
}

/* Random primitives of random positions, with every kind of clipping, wide and smooth and stippled.
 */
static void
check_any_positions(void)
{
   static const GLenum modes[] = {GL_POINTS,  GL_LINES,          GL_TRIANGLES, GL_QUADS,
                                  GL_POLYGON, GL_TRIANGLE_STRIP, GL_LINE_LOOP};
   static const GLenum switches[] = {
       GL_DEPTH_TEST,  GL_POINT_SMOOTH,        GL_LINE_SMOOTH, GL_POLYGON_SMOOTH, GL_LINE_STIPPLE,
       GL_CLIP_PLANE0, GL_POLYGON_OFFSET_FILL, GL_DEPTH_CLAMP, GL_CULL_FACE,      GL_FOG,
       GL_BLEND,       GL_TEXTURE_2D};
   static const GLubyte texels[4 * 4 * 4] = {255, 1, 2, 3};
   enum { VERTICES = 12 };
   const unsigned rounds = limits_small ? 150 : 2500;
   GLuint texture;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glGenerateMipmap(GL_TEXTURE_2D);
   for (unsigned round = 0; round < rounds; round++) {
      for (size_t s = 0; s < sizeof(switches) / sizeof(switches[0]); s++)
         (random_bits() % 3 ? glDisable : glEnable)(switches[s]);
      const GLdouble plane[] = {any_float(), any_float(), any_float(), any_float()};
      glClipPlane(GL_CLIP_PLANE0, plane);
      glPolygonOffset(any_float(), any_float());
      glPointSize(fabsf(any_float()) + 0.1f);
      glLineWidth(fabsf(any_float()) + 0.1f);
      glDepthRange(any_float(), any_float());
      glPolygonMode(GL_FRONT_AND_BACK, GL_POINT + random_bits() % 3);
      glFogf(GL_FOG_DENSITY, fabsf(any_float()));
      glAlphaFunc(GL_GREATER, any_float());
      while (glGetError() != GL_NO_ERROR) { /* sizes that are NaN */
      }
      glBegin(modes[random_bits() % (sizeof(modes) / sizeof(modes[0]))]);
      for (int i = 0; i < VERTICES; i++) {
         glColor4f(any_float(), any_float(), any_float(), any_float());
         glTexCoord4f(any_float(), any_float(), any_float(), any_float());
         glVertex4f(any_float(), any_float(), any_float(), random_bits() % 2 ? 1 : any_float());
      }
      glEnd();
   }
   for (size_t s = 0; s < sizeof(switches) / sizeof(switches[0]); s++)
      glDisable(switches[s]);
   glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
   glPolygonOffset(0, 0);
   glDepthRange(0, 1);
   glPointSize(1);
   glLineWidth(1);
   glDeleteTextures(1, &texture);
   while (glGetError() != GL_NO_ERROR) {
   }
   EXPECT_ALIVE("any positions");
}

/* Texture coordinates, LOD and bias of any bit pattern, on every target and filter. */
static void
check_any_coordinates(void)
{
   static const struct {
      GLenum target;
      const char *type, *call;
   } kinds[] = {
       {GL_TEXTURE_1D, "1D", "texture1D(t, c.x, c.w)"},
       {GL_TEXTURE_2D, "2D", "texture2D(t, c.xy, c.w)"},
       {GL_TEXTURE_3D, "3D", "texture3D(t, c.xyz, c.w)"},
       {GL_TEXTURE_CUBE_MAP, "Cube", "textureCube(t, c.xyz, c.w)"},
       {GL_TEXTURE_2D, "2D", "texture2DProj(t, c)"},
       {GL_TEXTURE_2D, "2D", "texture2DGradARB(t, c.xy, c.zw * 1e20, c.yz)"},
       {GL_TEXTURE_2D, "2D", "texture2DLod(t, c.xy, c.z)"},
   };
   static const GLubyte white[8 * 8 * 8 * 4] = {0};
   static GLubyte texels[sizeof(white)];
   memset(texels, 255, sizeof(texels));
   for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
      GLuint texture;
      struct text source = {0};
      glGenTextures(1, &texture);
      glBindTexture(kinds[k].target, texture);
      for (int l = 0; l < 4; l++) {
         const int n = 8 >> l;
         if (kinds[k].target == GL_TEXTURE_1D)
            glTexImage1D(GL_TEXTURE_1D, l, GL_RGBA8, n, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
         else if (kinds[k].target == GL_TEXTURE_3D)
            glTexImage3D(GL_TEXTURE_3D, l, GL_RGBA8, n, n, n, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
         else
            for (unsigned f = 0; f < (kinds[k].target == GL_TEXTURE_CUBE_MAP ? 6 : 1); f++)
               glTexImage2D(kinds[k].target == GL_TEXTURE_2D ? GL_TEXTURE_2D
                                                             : GL_TEXTURE_CUBE_MAP_POSITIVE_X + f,
                            l, GL_RGBA8, n, n, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
      }
      text_add(&source,
               "#extension GL_ARB_shader_texture_lod : enable\nuniform sampler%s t; uniform vec4 "
               "u; void main() {"
               "vec4 c = u + gl_FragCoord.xyxy * u.w; gl_FragColor = %s; }",
               kinds[k].type, kinds[k].call);
      GLuint program = limits_program(PASS_THROUGH, source.data);
      EXPECT(program, "%s does not link", kinds[k].call);
      text_free(&source);
      for (unsigned round = 0; round < (limits_small ? 8u : 60u); round++) {
         static const GLenum wraps[] = {GL_REPEAT, GL_CLAMP, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT,
                                        GL_CLAMP_TO_BORDER};
         static const GLenum filters[] = {GL_NEAREST, GL_LINEAR, GL_LINEAR_MIPMAP_LINEAR,
                                          GL_NEAREST_MIPMAP_NEAREST};
         glTexParameteri(kinds[k].target, GL_TEXTURE_WRAP_S, (GLint)wraps[random_bits() % 5]);
         glTexParameteri(kinds[k].target, GL_TEXTURE_WRAP_T, (GLint)wraps[random_bits() % 5]);
         glTexParameteri(kinds[k].target, GL_TEXTURE_WRAP_R, (GLint)wraps[random_bits() % 5]);
         glTexParameteri(kinds[k].target, GL_TEXTURE_MIN_FILTER, (GLint)filters[random_bits() % 4]);
         glTexParameterf(kinds[k].target, GL_TEXTURE_MAX_ANISOTROPY_EXT, round % 2 ? 16 : 1);
         glTexParameterf(kinds[k].target, GL_TEXTURE_MIN_LOD, any_float());
         glTexParameterf(kinds[k].target, GL_TEXTURE_MAX_LOD, any_float());
         glUniform4f(glGetUniformLocation(program, "u"), any_float(), any_float(), any_float(),
                     any_float());
         limits_quad();
      }
      limits_delete_program(program);
      glDeleteTextures(1, &texture);
   }
   EXPECT_ALIVE("any texture coordinates");
}

/* Every expression is drawn with 0, and must end. */
static void
check_arithmetic(void)
{
   static const char *const expressions[] = {
       "1.0 / z",
       "z / z",
       "mod(1.0, z)",
       "float(int(u) / int(z))",
       "float(int(1e30) / int(u + z))",
       "sqrt(-1.0 - z)",
       "inversesqrt(z)",
       "log(z)",
       "log2(-1.0 + z)",
       "pow(z, z)",
       "pow(-1.0, z + 0.5)",
       "normalize(vec3(z)).x",
       "sin(1e38 + z)",
       "tan(1e20 + z)",
       "asin(2.0 + z)",
       "exp(1e10 + z)",
       "atan(z, z)",
       "refract(vec3(z), vec3(z), 1.0 / z).x",
       "smoothstep(z, z, z)",
       "clamp(1.0, 2.0, z)",
       "1.0 / z - 1.0 / z",
       "dFdx(1.0 / z)",
       "float(int(1.0 / z))",
       "floor(1.0 / z)",
       "length(vec4(3e38))",
       "fract(-1e-10 + z)",
   };
   for (size_t i = 0; i < sizeof(expressions) / sizeof(expressions[0]); i++) {
      struct text vs = {0}, fs = {0};
      text_add(&vs,
               "attribute vec4 position; uniform float u; varying float r; void main() { float z = "
               "u; r = %s; gl_Position = position;"
               "gl_PointSize = r; }",
               strstr(expressions[i], "dFdx") ? "z" : expressions[i]);
      text_add(&fs,
               "uniform float u; varying float r; void main() { float z = u * gl_FragCoord.x; "
               "float v = %s; gl_FragColor = vec4(v, r, 0.0, 1.0);"
               "gl_FragDepth = v; }",
               expressions[i]);
      GLuint program = limits_program(vs.data, fs.data);
      EXPECT(program, "%s does not link", expressions[i]);
      limits_quad();
      limits_delete_program(program);
      text_free(&vs);
      text_free(&fs);
   }
   EXPECT_OK("arithmetic");
   /* Each constant array element outside the array: any value, but no crash. */
   GLuint program = limits_program(
       PASS_THROUGH,
       "uniform float u; uniform vec4 c[4]; void main() { float a[4]; for (int i = 0; i < 4; i++) "
       "a[i] = 0.5;"
       "int n = int(u); a[n] = 1.0; gl_FragColor = vec4(a[n], c[n].x, a[n + 7], 1.0); }");
   EXPECT(program, "indices outside arrays do not link");
   static const float indices[] = {-1, 4, 1e9f, -1e9f, 3e38f, 100000};
   for (size_t i = 0; i < sizeof(indices) / sizeof(indices[0]); i++) {
      glUniform1f(glGetUniformLocation(program, "u"), indices[i]);
      limits_quad();
   }
   limits_delete_program(program);
   EXPECT_ALIVE("arithmetic");
}

enum { NEIGHBOURS = 64, NEIGHBOUR_FLOATS = 1024 };

/* Fills the GPU's memory before and behind a buffer that is drawn between two calls with ones. */
static void
neighbours(GLuint *names)
{
   float ones[NEIGHBOUR_FLOATS];
   for (int i = 0; i < NEIGHBOUR_FLOATS; i++)
      ones[i] = 1;
   glGenBuffers(NEIGHBOURS, names);
   for (int i = 0; i < NEIGHBOURS; i++) {
      glBindBuffer(GL_ARRAY_BUFFER, names[i]);
      glBufferData(GL_ARRAY_BUFFER, sizeof(ones), ones, GL_STATIC_DRAW);
      glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
      glDrawArrays(GL_POINTS, 0, NEIGHBOUR_FLOATS / 2);
   }
}

/* Reads outside buffers give zero: such vertices are in the middle of the window, moved to the
 * centre of a pixel. */
static void
check_buffers(void)
{
   GLuint buffer[2], before[NEIGHBOURS], behind[NEIGHBOURS];
   static const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
   static const GLushort index[] = {0, 1, 2, 3, 60000, 65535, 4, 5};
   GLuint program =
       limits_program("attribute vec4 position; attribute vec4 a; varying vec4 v; void main() { "
                      "gl_Position = vec4(position.xy + 1.0 / 64.0, 0.0, 1.0); v = a; }",
                      "varying vec4 v; void main() { gl_FragColor = vec4(v.rgb, 1.0); }");
   glEnableVertexAttribArray(0);
   neighbours(before);
   glGenBuffers(2, buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer[0]);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glDrawArrays(GL_POINTS, 0, 4);
   neighbours(behind);
   glBindBuffer(GL_ARRAY_BUFFER, buffer[0]);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer[1]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(index), index, GL_STATIC_DRAW);
   const GLuint a = (GLuint)glGetAttribLocation(program, "a");
   glEnableVertexAttribArray(a);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   /* This attribute's array begins far past the end of its buffer. */
   glVertexAttribPointer(a, 4, GL_FLOAT, GL_FALSE, 1 << 20, (const void *)(uintptr_t)0x7ffffff0);
   glClearColor(0, 0, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, NULL);
   EXPECT_PIXEL(7, 7, 0, 0, 0, "an attribute outside its buffer");
   glDisableVertexAttribArray(a);
   glVertexAttrib4f(a, 1, 0, 0, 1);
   glDrawElements(GL_TRIANGLE_STRIP, 8, GL_UNSIGNED_SHORT, NULL);
   glDrawElements(GL_TRIANGLES, 1000, GL_UNSIGNED_INT, NULL);
   glDrawElements(GL_TRIANGLES, 300, GL_UNSIGNED_SHORT, (const void *)(uintptr_t)3);
   glDrawElements(GL_TRIANGLES, 300, GL_UNSIGNED_BYTE, (const void *)(uintptr_t)0xfffffff0);
   glDrawElements(GL_TRIANGLES, 300, GL_UNSIGNED_INT, (const void *)(uintptr_t)0x7ffffffffffffff0);
   glDrawElementsBaseVertex(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, NULL, 0x7fffffff);
   glDrawElementsBaseVertex(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, NULL, -0x7fffffff);
   glDrawArrays(GL_TRIANGLES, 0x7ffffff0, 12);
   EXPECT_OK("draws outside buffers");
   glDrawArrays(GL_TRIANGLES, -1, 3);
   EXPECT_ERRORS(GL_INVALID_VALUE, GL_NO_ERROR,
                 "negative first"); /* OpenGL 2.1 recommends the error */
   glDrawArrays(GL_TRIANGLES, 0, -1);
   EXPECT_ERROR(GL_INVALID_VALUE, "negative count");
   glBufferSubData(GL_ARRAY_BUFFER, 30, 4, corners);
   EXPECT_ERROR(GL_INVALID_VALUE, "glBufferSubData outside");
   EXPECT(!glMapBufferRange(GL_ARRAY_BUFFER, 0, 1000, GL_MAP_READ_BIT),
          "a range outside was mapped");
   EXPECT_ERROR(GL_INVALID_VALUE, "glMapBufferRange outside");
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_POINTS, 1024, 200); /* in the neighbours' pages */
   EXPECT_PIXEL(SIZE / 2, SIZE / 2, 255, 0, 0, "points behind the buffer are at zero");
   /* Many vertices on one pixel; in the end the window is red where they were. */
   const GLsizei many = limits_small ? 20000 : 1000000;
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_POINTS, 0, many);
   EXPECT_PIXEL(SIZE / 2, SIZE / 2, 255, 0, 0, "points outside the buffer are at zero");
   glDisableVertexAttribArray(0);
   glBindBuffer(GL_ARRAY_BUFFER, 0);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
   glDeleteBuffers(2, buffer);
   glDeleteBuffers(NEIGHBOURS, before);
   glDeleteBuffers(NEIGHBOURS, behind);
   limits_delete_program(program);
   EXPECT_ALIVE("buffers");
}

void
limits_robust(void)
{
   glUseProgram(0);
   glViewport(0, 0, SIZE, SIZE);
   check_any_positions();
   check_any_coordinates();
   check_arithmetic();
   check_buffers();
}
