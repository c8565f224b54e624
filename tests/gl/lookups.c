/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture look-ups of OpenGL 4.0 and ARB_stencil_texturing: gathers with component, offset and
 * comparison, arrays of cubes with and without comparison, levels of detail, stencil. What a shader
 * reads is written into an image of integers and compared with what the specifications say. Not
 * here: wrap modes and formats (tests/unit/test_texture_gather.c), buffers (buffer_textures.c). */
#include <stdbool.h>
#include <stdint.h>
#include "gl_util.h"

enum { SIZE = 8, PIXELS = SIZE * SIZE, CUBES = 3, FACE = 4 };

/* A version of GLSL, 330 or 400. */
#define HEADER                                           \
   "#version %s\n"                                       \
   "#if __VERSION__ < 400\n"                             \
   "#extension GL_ARB_texture_gather: require\n"         \
   "#extension GL_ARB_texture_cube_map_array: require\n" \
   "#extension GL_ARB_texture_query_lod: require\n"      \
   "#define textureQueryLod textureQueryLOD\n#endif\n"   \
   "out uvec4 c;\n"                                      \
   "#define AT (gl_FragCoord.xy / 8.0)\n"
#define VERTEX "in vec2 p; void main() { gl_Position = vec4(p, 0, 1); }"

static const char *version;
static uint32_t got[PIXELS][4];

static GLuint
new_texture(GLenum target)
{
   GLuint texture;
   glGenTextures(1, &texture);
   glBindTexture(target, texture);
   glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   return texture;
}

/* Draws a program whose source is a statement behind a declaration, and reads what it wrote. */
static void
draw(const char *declaration, const char *statement)
{
   static const GLfloat corners[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
   char source[2048], header[1024];
   snprintf(source, sizeof(source), "%s void main() { %s }", declaration, statement);
   snprintf(header, sizeof(header), HEADER, version);
   const GLuint program = glCreateProgram();
   glAttachShader(program, util_shader(GL_VERTEX_SHADER, "#version 330\n", VERTEX));
   glAttachShader(program, util_shader(GL_FRAGMENT_SHADER, header, source));
   util_link(program);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA_INTEGER, GL_UNSIGNED_INT, got);
   CHECK(glGetError() == GL_NO_ERROR, "%s: an error", statement);
   glDeleteProgram(program);
}

/* Texel x, y of the gathered texture has components x, y, x + 16 y, 200 - x. */
static uint32_t
texel(int x, int y, int component)
{
   x &= SIZE - 1;
   y &= SIZE - 1;
   const uint32_t v[4] = {(uint32_t)x, (uint32_t)y, (uint32_t)(x + 16 * y), (uint32_t)(200 - x)};
   return v[component];
}

static void
test_gathers(void)
{
   uint8_t texels[PIXELS][4];
   const GLuint texture = new_texture(GL_TEXTURE_2D);
   for (int i = 0; i < PIXELS; i++) {
      for (int c = 0; c < 4; c++)
         texels[i][c] = (uint8_t)texel(i % SIZE, i / SIZE, c);
   }
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8UI, SIZE, SIZE, 0, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE,
                texels);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
   for (int offsets = 0; offsets < 2; offsets++) {
      const int dx = offsets ? 2 : 0, dy = offsets ? -3 : 0;
      draw("uniform usampler2D s;",
           offsets ? "c = textureGatherOffset(s, AT, ivec2(2, -3));" : "c = textureGather(s, AT);");
      for (int i = 0; i < PIXELS; i++) {
         const int x = i % SIZE + dx, y = i / SIZE + dy;
         const uint32_t want[4] = {texel(x, y + 1, 0), texel(x + 1, y + 1, 0), texel(x + 1, y, 0),
                                   texel(x, y, 0)};
         CHECK(!memcmp(got[i], want, sizeof(want)), "gather %d: pixel %d is %u %u %u %u", offsets,
               i, got[i][0], got[i][1], got[i][2], got[i][3]);
      }
   }
   for (int component = 1; component < 4; component++) {
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_RED + component);
      draw("uniform usampler2D s;", "c = textureGather(s, AT);");
      for (int i = 0; i < PIXELS; i++)
         CHECK(got[i][3] == texel(i % SIZE, i / SIZE, component), "component %d: pixel %d is %u",
               component, i, got[i][3]);
   }
   glDeleteTextures(1, &texture);
}

static void
test_comparisons(void)
{
   GLfloat depth[PIXELS];
   const GLuint texture = new_texture(GL_TEXTURE_2D);
   for (int i = 0; i < PIXELS; i++)
      depth[i] = (GLfloat)i / PIXELS;
   glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT32F, SIZE, SIZE, 0, GL_DEPTH_COMPONENT,
                GL_FLOAT, depth);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
   draw("uniform sampler2DShadow s;", "c = uvec4(textureGather(s, AT, 0.4));");
   for (int i = 0; i < PIXELS; i++) {
      for (int k = 0; k < 4; k++) {
         int x = i % SIZE + (k == 1 || k == 2), y = i / SIZE + (k < 2);
         x = x == SIZE ? SIZE - 1 : x;
         y = y == SIZE ? SIZE - 1 : y;
         CHECK(got[i][k] == (0.4f <= depth[y * SIZE + x]), "comparison: pixel %d, texel %d is %u",
               i, k, got[i][k]);
      }
   }
   glDeleteTextures(1, &texture);
}

/* The look-up of each pixel: x chooses the face, y the layer. */
#define DIRECTION                                                                                \
   "int f = int(gl_FragCoord.x) % 6; vec3 d = vec3(0.1, 0.1, 0.1); d[f / 2] = f % 2 == 0 ? 1.0 " \
   ": -1.0; float layer = floor(gl_FragCoord.y) - 2.0;"

static int
layer_of(int pixel)
{
   const int layer = pixel / SIZE - 2;
   return layer < 0 ? 0 : layer >= CUBES ? CUBES - 1 : layer;
}

static void
test_cubes(void)
{
   uint32_t numbers[6 * CUBES][FACE * FACE];
   GLfloat depth[6 * CUBES][FACE * FACE];
   for (int i = 0; i < 6 * CUBES; i++) {
      for (int k = 0; k < FACE * FACE; k++) {
         numbers[i][k] = (uint32_t)i;
         depth[i][k] = (GLfloat)i / 32;
      }
   }
   GLuint texture = new_texture(GL_TEXTURE_CUBE_MAP_ARRAY);
   glTexImage3D(GL_TEXTURE_CUBE_MAP_ARRAY, 0, GL_R32UI, FACE, FACE, 6 * CUBES, 0, GL_RED_INTEGER,
                GL_UNSIGNED_INT, numbers);
   glTexParameteri(GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
   static const char *const lookups[] = {
       DIRECTION "c = uvec4(texture(s, vec4(d, layer)).x, textureSize(s, 0));",
       DIRECTION "c = uvec4(textureLod(s, vec4(d, layer), 0.0).x, textureSize(s, 0));",
       DIRECTION "c = uvec4(textureGather(s, vec4(d, layer)).x, textureSize(s, 0));"};
   for (unsigned k = 0; k < sizeof(lookups) / sizeof(lookups[0]); k++) {
      draw("uniform usamplerCubeArray s;", lookups[k]);
      for (int i = 0; i < PIXELS; i++)
         CHECK(got[i][0] == (uint32_t)(6 * layer_of(i) + i % SIZE % 6) && got[i][1] == FACE &&
                   got[i][2] == FACE && got[i][3] == CUBES,
               "%s: pixel %d is %u %u %u %u", lookups[k], i, got[i][0], got[i][1], got[i][2],
               got[i][3]);
   }
   glDeleteTextures(1, &texture);
   texture = new_texture(GL_TEXTURE_CUBE_MAP_ARRAY);
   glTexImage3D(GL_TEXTURE_CUBE_MAP_ARRAY, 0, GL_DEPTH_COMPONENT32F, FACE, FACE, 6 * CUBES, 0,
                GL_DEPTH_COMPONENT, GL_FLOAT, depth);
   glTexParameteri(GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
   glTexParameteri(GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
   glTexParameteri(GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_COMPARE_FUNC, GL_LESS);
   draw("uniform samplerCubeArrayShadow s;",
        DIRECTION "c = uvec4(texture(s, vec4(d, layer), 7.5 / 32.0));");
   for (int i = 0; i < PIXELS; i++)
      CHECK(got[i][0] == (6 * layer_of(i) + i % SIZE % 6 > 7), "cube comparison: pixel %d is %u", i,
            got[i][0]);
   glDeleteTextures(1, &texture);
}

/* A texel every pixel at half the size is level 1. */
static void
test_levels(void)
{
   static const uint8_t texels[64 * 64];
   const GLuint texture = new_texture(GL_TEXTURE_2D);
   for (int level = 0; level < 7; level++)
      glTexImage2D(GL_TEXTURE_2D, level, GL_R8, 64 >> level, 64 >> level, 0, GL_RED,
                   GL_UNSIGNED_BYTE, texels);
   static const struct {
      GLenum filter;
      const char *scale;
      uint32_t level, lod; /* of 16ths; lod: plus 256 */
   } cases[] = {
       {GL_NEAREST_MIPMAP_LINEAR, "4.0", 32, 256 + 32},
       {GL_NEAREST_MIPMAP_LINEAR, "0.25", 0, 256 - 32},
       {GL_NEAREST_MIPMAP_LINEAR, "2048.0", 96, 256 + 176},
       {GL_NEAREST_MIPMAP_NEAREST, "5.0", 32, 256 + 37},
       {GL_NEAREST, "4.0", 0, 256 + 32},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      char statement[256];
      snprintf(statement, sizeof(statement),
               "vec2 q = textureQueryLod(s, gl_FragCoord.xy * %s / 64.0) * 16.0 + 0.01;"
               "c = uvec4(q.x, q.y + 256.0, 0, 0);",
               cases[i].scale);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)cases[i].filter);
      draw("uniform sampler2D s;", statement);
      CHECK(got[9][0] == cases[i].level && got[9][1] == cases[i].lod,
            "level of detail %u: %u %u, not %u %u", i, got[9][0], got[9][1], cases[i].level,
            cases[i].lod);
   }
   glDeleteTextures(1, &texture);
}

static void
test_stencil(GLenum format, GLuint output)
{
   const GLuint texture = new_texture(GL_TEXTURE_2D);
   GLuint framebuffer;
   glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, SIZE, SIZE, 0, GL_DEPTH_STENCIL,
                format == GL_DEPTH24_STENCIL8 ? GL_UNSIGNED_INT_24_8
                                              : GL_FLOAT_32_UNSIGNED_INT_24_8_REV,
                NULL);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D, texture, 0);
   glDrawBuffer(GL_NONE);
   glReadBuffer(GL_NONE);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "stencil image");
   glEnable(GL_SCISSOR_TEST);
   for (int y = 0; y < SIZE; y++) {
      glScissor(0, y, SIZE, 1);
      glClearBufferfi(GL_DEPTH_STENCIL, 0, 0.5f, 250 - 17 * y);
   }
   glDisable(GL_SCISSOR_TEST);
   glBindFramebuffer(GL_FRAMEBUFFER, output);
   glTexParameteri(GL_TEXTURE_2D, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX);
   draw("uniform usampler2D s;", "c = texture(s, AT); c.y = textureGather(s, AT).w;");
   for (int i = 0; i < PIXELS; i++)
      CHECK(got[i][0] == (uint32_t)(250 - 17 * (i / SIZE)) && got[i][1] == got[i][0],
            "stencil 0x%x: pixel %d is %u %u", format, i, got[i][0], got[i][1]);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
   glTexParameterIuiv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, (const GLuint[]){25, 1, 2, 3});
   draw("uniform usampler2D s;", "c = texture(s, AT + vec2(1.0, 0.0));");
   CHECK(got[5][0] == 25, "border of stencil 0x%x: %u", format, got[5][0]);
   glTexParameteri(GL_TEXTURE_2D, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_DEPTH_COMPONENT);
   draw("uniform sampler2D s;", "c = uvec4(texture(s, AT) * 100.0);");
   CHECK(got[5][0] == 50 || got[5][0] == 49, "depth beside stencil: %u", got[5][0]);
   glDeleteFramebuffers(1, &framebuffer);
   glDeleteTextures(1, &texture);
}

int
main(int argc, char **argv)
{
   CHECK(argc == 2, "usage: lookups GLSL-VERSION");
   version = argv[1];
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   util_make_current(display, util_config(display), 16, EGL_NO_CONTEXT, &context);
   const GLuint framebuffer = util_draw_to_integers(SIZE);
   test_gathers();
   if (!strcmp(version, "400"))
      test_comparisons();
   test_cubes();
   test_levels();
   test_stencil(GL_DEPTH24_STENCIL8, framebuffer);
   test_stencil(GL_DEPTH32F_STENCIL8, framebuffer);
   puts("lookups agree");
   return 0;
}
