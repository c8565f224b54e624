/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What GLSL 1.30 brought, each in a shader of its own that draws green when it is right: integers
 * of 32 bits, integers from vertex to fragment shader, numbers of vertices and instances, texels at
 * integers, sizes and levels of textures, offsets. With the argument "legacy" a shader of GLSL
 * 1.20 that counts in integers. Prints a line for each that is not right. Not here:
 * every built-in function (piglit). */
#include <stdbool.h>
#include "gl_util.h"

enum { SIZE = 16, LEVELS = 4, WIDTH = 8, HEIGHT = 4 };

#define VERTEX "in vec4 p; void main() { gl_Position = p; }"
/* ok: what must be true of every fragment. */
#define FRAGMENT(declarations, statements, ok)                                            \
   declarations "void main() { " statements " gl_FragColor = (" ok ") ? vec4(0, 1, 0, 1)" \
                " : vec4(1, 0, 0, 1); }"

static const struct {
   const char *name, *vertex, *fragment;
} cases[] = {
    {"32 bits", VERTEX,
     FRAGMENT("uniform int n;",
              "int x = n; for (int i = 0; i < 7; i++) x = x * 1103515245 + 12345;",
              "x == -1814186774 && uint(x) == 2480780522u")},
    {"bits", VERTEX,
     FRAGMENT("uniform int n;", "uint u = uint(n);",
              "(n << 7 ^ n >> 3) == -2145013524 && (~u >> 28u) == 15u && (n & 0xff) == 99 "
              "&& -n / 7 == -2397161 && n % 1000 == 131")},
    {"uniforms", VERTEX,
     FRAGMENT(
         "uniform int n; uniform uint u; uniform bool yes; uniform bvec2 no; uniform ivec3 v[3];",
         "",
         "n == 16780131 && u == 4000000001u && yes && !any(no) && !(yes && no.x) && "
         "v[int(gl_FragCoord.x) & 1].z == 5 + 3 * (int(gl_FragCoord.x) & 1)")},
    {"bits of floats", VERTEX,
     FRAGMENT("uniform float f;", "",
              "floatBitsToInt(f) == 1069547520 && intBitsToFloat(floatBitsToInt(-f)) == -1.5")},
    {"functions", VERTEX,
     FRAGMENT("uniform int n;", "",
              "bitCount(n) == 8 && findMSB(n) == 24 && findLSB(n << 5) == 5 && "
              "bitfieldExtract(n, 8, 4) == -5 && bitfieldReverse(n) == -959446912")},
    {"products", VERTEX,
     FRAGMENT("uniform int n; uniform uint u;",
              "ivec2 high, low; imulExtended(ivec2(n, -n), ivec2(-1 << 30, 7), high, low);"
              "uint top, bottom; umulExtended(u, u, top, bottom);",
              "high == ivec2(-4195033, -1) && low == ivec2(1073741824, -117460917) && "
              "top == 3725290300u && bottom == 1393971201u")},
    {"halves", VERTEX,
     FRAGMENT("uniform float f;", "uint h = packHalf2x16(vec2(f, -2.0));",
              "h == 0xc0003e00u && unpackHalf2x16(h) == vec2(1.5, -2)")},
    {"vertices",
     "in vec4 p; flat out ivec2 id; out float all;"
     "void main() { gl_Position = p; id = ivec2(gl_VertexID, 1 << 30 | 5);"
     " all = float(gl_VertexID); }",
     /* Vertices 2 to 5; the last one provokes: of triangles 2 3 4 and 3 4 5. */
     FRAGMENT("flat in ivec2 id; in float all;", "",
              "(id.x == 4 || id.x == 5) && id.y == 1073741829 && all >= 2.0 && all <= 5.0")},
    {"instances",
     "in vec4 p; flat out int id;"
     "void main() { id = gl_InstanceIDARB; gl_Position = p + vec4(0, 0, -0.1 * id, 0); }",
     FRAGMENT("flat in int id;", "", "id == 2")},
    {"texels", VERTEX,
     FRAGMENT("uniform sampler2D s;", "ivec2 at = ivec2(gl_FragCoord.xy) & ivec2(7, 3);",
              "bytes(texelFetch(s, at, 0)) == ivec3(at, 0) && "
              "bytes(texelFetch(s, at >> 2, 2)) == ivec3(at >> 2, 2)")},
    {"texels outside", VERTEX,
     FRAGMENT(
         "uniform sampler2D s;", "",
         "texelFetch(s, ivec2(8, 0), 0) == vec4(0) && texelFetch(s, ivec2(0, -1), 0) == vec4(0)"
         " && texelFetch(s, ivec2(0), 4) == vec4(0)")},
    {"offsets", VERTEX,
     FRAGMENT("uniform sampler2D s;", "vec2 at = vec2(2.5, 1.5) / vec2(8, 4);",
              "bytes(textureOffset(s, at, ivec2(3, -1))) == ivec3(5, 0, 0) && "
              "bytes(texelFetchOffset(s, ivec2(9, -1), 0, ivec2(-8, 2))) == ivec3(1, 1, 0) && "
              "bytes(textureLodOffset(s, at, 1.0, ivec2(1, 1))) == ivec3(2, 1, 1) && "
              "bytes(textureGradOffset(s, at, vec2(0.125, 0), -vec2(0, 0.25), ivec2(-1, 1))) == "
              "ivec3(1, 2, 0)")},
    {"sizes", VERTEX,
     FRAGMENT("uniform sampler2D s; uniform int one;", "",
              "textureSize(s, 0) == ivec2(8, 4) && textureSize(s, one) == ivec2(4, 2) && "
              "textureQueryLevels(s) == 4")},
};

/* 16 times 1.5 * 3. */
static const char legacy[] =
    FRAGMENT("uniform int m; uniform float f; uniform bool yes, no;",
             "float x = 0.0; for (int i = 0; i < m / 1000000; i++) x += f * float(m - 16000000);",
             "x == 72.0 && yes && !no && !(yes && no) && (yes || no)");

static void
use_program(const char *header, const char *vertex, const char *fragment)
{
   const GLuint program = util_program(header, vertex, fragment);
   static const GLint v[9] = {1, 2, 5, 3, 4, 8, 6, 7, 11};
   glUniform1i(glGetUniformLocation(program, "n"), 16780131);
   glUniform1i(glGetUniformLocation(program, "m"), 16000003);
   glUniform1i(glGetUniformLocation(program, "one"), 1);
   glUniform1ui(glGetUniformLocation(program, "u"), 4000000001u);
   glUniform1i(glGetUniformLocation(program, "yes"), 77);
   glUniform3iv(glGetUniformLocation(program, "v"), 3, v);
   glUniform1f(glGetUniformLocation(program, "f"), 1.5f);
}

/* Texel x, y of level l is (x, y, l) / 255. */
static void
make_texture(void)
{
   GLuint name;
   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_2D, name);
   for (int l = 0; l < LEVELS; l++) {
      const int w = WIDTH >> l, h = HEIGHT >> l ? HEIGHT >> l : 1;
      GLubyte texels[WIDTH * HEIGHT][4];
      for (int i = 0; i < w * h; i++)
         memcpy(texels[i], ((GLubyte[4]){(GLubyte)(i % w), (GLubyte)(i / w), (GLubyte)l, 255}), 4);
      glTexImage2D(GL_TEXTURE_2D, l, GL_RGBA, w, h, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   }
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

/* Draws vertices 2 to 5 of three instances, each in front of the one before. Returns whether all
 * pixels are green. */
static bool
draws_green(const char *name)
{
   static const GLfloat corners[6][2] = {{9, 9}, {9, 9}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glDrawArraysInstancedARB(GL_TRIANGLE_STRIP, 2, 4, 3);
   const unsigned wrong = util_not_green(SIZE);
   CHECK_OR((void)0, !wrong, "%s: %u of %d pixels are not green", name, wrong, SIZE * SIZE);
   return !wrong;
}

int
main(int argc, char **argv)
{
   static const char header[] = "#version 130\n"
                                "#extension GL_ARB_draw_instanced: require\n"
                                "#extension GL_ARB_shader_bit_encoding: require\n"
                                "#extension GL_ARB_shading_language_packing: require\n"
                                "#extension GL_ARB_texture_query_levels: require\n"
                                "#extension GL_MESA_shader_integer_functions: require\n"
                                "ivec3 bytes(vec4 t) { return ivec3(t.xyz * 255.0 + 0.5); }\n";
   const bool old = argc > 1 && !strcmp(argv[1], "legacy");
   bool right = true;
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_LEQUAL);
   make_texture();
   if (old) {
      use_program("#version 120\n", "attribute vec4 p; void main() { gl_Position = p; }", legacy);
      right = draws_green("legacy");
   }
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]) && !old; i++) {
      use_program(header, cases[i].vertex, cases[i].fragment);
      right &= draws_green(cases[i].name);
   }
   CHECK(glGetError() == GL_NO_ERROR, "an error of OpenGL");
   return !right;
}
