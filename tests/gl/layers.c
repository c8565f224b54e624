/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Layered rendering: a geometry shader sends primitives to layers of arrays, cube maps and 3D
 * textures, with depth and stencil buffers, several colour buffers and levels; clears of all
 * layers, also scissored and masked; layers beside each other that are drawn alone; lookups in what
 * was drawn; uploads from pixel buffers to all slices. Prints a checksum of all pixels. Not here:
 * other outputs of geometry shaders (geometry.c). */
#include <stdbool.h>
#include <stdint.h>
#include "gl_util.h"

enum { SIZE = 32, LAYERS = 6 };

#define HEADER "#version 150 compatibility\n"

static bool right = true;
static uint32_t sum = 2166136261u;

static GLuint
program(const char *geometry, const char *fragment)
{
   const GLuint name = glCreateProgram();
   glAttachShader(
       name, util_shader(GL_VERTEX_SHADER, HEADER, "void main() { gl_Position = gl_Vertex; }"));
   if (geometry)
      glAttachShader(name, util_shader(GL_GEOMETRY_SHADER, HEADER, geometry));
   glAttachShader(name, util_shader(GL_FRAGMENT_SHADER, HEADER, fragment));
   util_link(name);
   return name;
}

/* A rectangle becomes one in each of the layers first to last: red says which, and it is as deep as
 * its number says: layer l has depth l / 16. */
static GLuint
to_layers(GLint first, GLint last)
{
   const GLuint p =
       program("layout(triangles) in; layout(triangle_strip, max_vertices = 18) out;\n"
               "uniform int first, last; flat out int layer;\n"
               "void main() { for (int l = first; l <= last; l++) { for (int i = 0; i < 3; i++) {\n"
               "gl_Position = vec4(gl_in[i].gl_Position.xy, float(l) / 8.0 - 1.0, 1); gl_Layer = "
               "l; layer = "
               "l; EmitVertex(); } EndPrimitive(); } }",
               "flat in int layer;\n"
               "void main() { gl_FragData[0] = vec4(float(layer * 10 + 5) / 255.0, 0, 0, 1);\n"
               "gl_FragData[1] = vec4(0, float(layer) / 255.0, 0, 1); }");
   glUniform1i(glGetUniformLocation(p, "first"), first);
   glUniform1i(glGetUniformLocation(p, "last"), last);
   return p;
}

/* glRectf's quadrilateral is no primitive that a geometry shader takes. */
static void
rectangle(GLfloat x0, GLfloat y0, GLfloat x1, GLfloat y1)
{
   glBegin(GL_TRIANGLE_STRIP);
   glVertex2f(x0, y0);
   glVertex2f(x1, y0);
   glVertex2f(x0, y1);
   glVertex2f(x1, y1);
   glEnd();
}

static GLuint
texture(GLenum target, GLint format, GLenum pixels, GLenum type, GLint levels)
{
   GLuint name;
   glGenTextures(1, &name);
   glBindTexture(target, name);
   for (GLint l = 0; l < levels; l++) {
      const GLsizei size = SIZE >> l;
      if (target == GL_TEXTURE_CUBE_MAP) {
         for (GLenum f = 0; f < 6; f++)
            glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + f, l, format, size, size, 0, pixels, type,
                         NULL);
      } else if (target == GL_TEXTURE_1D_ARRAY) {
         glTexImage2D(target, l, format, size, LAYERS, 0, pixels, type, NULL);
      } else {
         glTexImage3D(target, l, format, size, size,
                      target == GL_TEXTURE_3D ? (2 * LAYERS) >> l : LAYERS, 0, pixels, type, NULL);
      }
   }
   glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, levels - 1);
   glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   return name;
}

static GLuint
framebuffer(void)
{
   GLuint name;
   glGenFramebuffers(1, &name);
   glBindFramebuffer(GL_FRAMEBUFFER, name);
   return name;
}

static void
complete(const char *what)
{
   const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
   CHECK(status == GL_FRAMEBUFFER_COMPLETE, "%s: framebuffer status 0x%x", what, status);
}

/* A texel of a layer, read through a framebuffer of its own. */
static uint32_t
texel(GLuint name, GLenum target, GLint level, GLint layer, GLenum attachment, GLint x, GLint y)
{
   GLubyte pixel[4] = {0};
   GLuint read;
   GLint was;
   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &was);
   glGenFramebuffers(1, &read);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, read);
   if (target == GL_TEXTURE_CUBE_MAP)
      glFramebufferTexture2D(GL_READ_FRAMEBUFFER, attachment,
                             GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)layer, name, level);
   else
      glFramebufferTextureLayer(GL_READ_FRAMEBUFFER, attachment, name, level, layer);
   if (attachment == GL_COLOR_ATTACHMENT0) {
      glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   } else {
      GLfloat depth;
      glReadBuffer(GL_NONE);
      glReadPixels(x, y, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
      pixel[0] = (GLubyte)(depth * 16.0f + 0.5f);
   }
   glDeleteFramebuffers(1, &read);
   glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)was);
   for (unsigned i = 0; i < 4; i++)
      sum = (sum ^ pixel[i]) * 16777619u;
   return pixel[0] | (uint32_t)pixel[1] << 8 | (uint32_t)pixel[2] << 16;
}

static void
expect(const char *what, GLint layer, uint32_t got, uint32_t want)
{
   CHECK_OR(right = false, got == want, "%s: layer %d has 0x%06x, expected 0x%06x", what, layer,
            got, want);
}

#define GREY 0x404040u
#define COLOR(layer) ((uint32_t)(layer)*10 + 5)

/* Clears all layers, then draws into layers 1 to 4, on the right half. */
static void
targets(void)
{
   static const struct {
      const char *name;
      GLenum target;
      GLint level, layers;
   } cases[] = {
       {"2D array", GL_TEXTURE_2D_ARRAY, 0, LAYERS},
       {"2D array, level 1", GL_TEXTURE_2D_ARRAY, 1, LAYERS},
       {"1D array", GL_TEXTURE_1D_ARRAY, 0, LAYERS},
       {"cube map", GL_TEXTURE_CUBE_MAP, 0, 6},
       {"3D texture", GL_TEXTURE_3D, 0, 2 * LAYERS},
       {"3D texture, level 1", GL_TEXTURE_3D, 1, LAYERS},
   };
   for (unsigned c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
      const GLenum target = cases[c].target;
      const GLint size = SIZE >> cases[c].level, row = target == GL_TEXTURE_1D_ARRAY ? 0 : size / 2;
      const GLuint t = texture(target, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 2), fb = framebuffer();
      glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t, cases[c].level);
      complete(cases[c].name);
      glViewport(0, 0, size, target == GL_TEXTURE_1D_ARRAY ? 1 : size);
      glClearColor(0x40 / 255.0f, 0x40 / 255.0f, 0x40 / 255.0f, 1);
      glClear(GL_COLOR_BUFFER_BIT);
      to_layers(1, 4);
      rectangle(0, -1, 1, 1);
      for (GLint l = 0; l < cases[c].layers; l++) {
         expect(cases[c].name, l,
                texel(t, target, cases[c].level, l, GL_COLOR_ATTACHMENT0, size - 1, row),
                l >= 1 && l <= 4 ? COLOR(l) : GREY);
         expect(cases[c].name, l, texel(t, target, cases[c].level, l, GL_COLOR_ATTACHMENT0, 1, row),
                GREY);
      }
      glDeleteTextures(1, &t);
      glDeleteFramebuffers(1, &fb);
   }
}

/* Each layer has a depth buffer of its own, and a second colour buffer has one more layer than the
 * first. Layers 0 to 5 are as deep as their numbers; what is drawn then at depth 3/16 is seen in
 * layers 3 to 5 only (less or equal). */
static void
depth_and_two_colors(void)
{
   static const GLenum both[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
   const GLuint fb = framebuffer(),
                a = texture(GL_TEXTURE_2D_ARRAY, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 1),
                b = texture(GL_TEXTURE_2D_ARRAY, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 1),
                z = texture(GL_TEXTURE_2D_ARRAY, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT,
                            GL_UNSIGNED_INT, 1);
   glFramebufferTexture(GL_FRAMEBUFFER, both[0], a, 0);
   glFramebufferTexture(GL_FRAMEBUFFER, both[1], b, 0);
   glFramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, z, 0);
   glDrawBuffers(2, both);
   complete("depth and two colours");
   glViewport(0, 0, SIZE, SIZE);
   glClearDepth(1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_LEQUAL);
   to_layers(0, 5);
   rectangle(-1, -1, 1, 1);
   program("layout(triangles) in; layout(triangle_strip, max_vertices = 18) out;\n"
           "void main() { for (int l = 0; l < 6; l++) { for (int i = 0; i < 3; i++) {\n"
           "gl_Position = vec4(gl_in[i].gl_Position.xy, 3.0 / 8.0 - 1.0, 1); gl_Layer = l; "
           "EmitVertex(); } EndPrimitive(); } }",
           "void main() { gl_FragData[0] = vec4(0, 0, 1, 1); gl_FragData[1] = vec4(0, 0, 1, 1); }");
   rectangle(-1, -1, 0, 1);
   glDisable(GL_DEPTH_TEST);
   for (GLint l = 0; l < LAYERS; l++) {
      expect("colour 0", l, texel(a, GL_TEXTURE_2D_ARRAY, 0, l, GL_COLOR_ATTACHMENT0, 20, 9),
             COLOR(l));
      expect("colour 1", l, texel(b, GL_TEXTURE_2D_ARRAY, 0, l, GL_COLOR_ATTACHMENT0, 20, 9),
             (uint32_t)l << 8);
      expect("behind", l, texel(a, GL_TEXTURE_2D_ARRAY, 0, l, GL_COLOR_ATTACHMENT0, 9, 9),
             l >= 3 ? 0xff0000u : COLOR(l));
      expect("depth", l, texel(z, GL_TEXTURE_2D_ARRAY, 0, l, GL_DEPTH_ATTACHMENT, 20, 9),
             (uint32_t)l);
      expect("depth drawn later", l, texel(z, GL_TEXTURE_2D_ARRAY, 0, l, GL_DEPTH_ATTACHMENT, 9, 9),
             l >= 3 ? 3 : (uint32_t)l);
   }
   glDeleteTextures(3, (GLuint[]){a, b, z});
   glDeleteFramebuffers(1, &fb);
}

/* Clears reach all layers: of a part, of some channels, and where the colour buffer is larger than
 * the depth buffer. */
static void
clears(void)
{
   const GLuint fb = framebuffer(),
                a = texture(GL_TEXTURE_2D_ARRAY, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 1);
   GLuint small;
   glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, a, 0);
   complete("clears");
   glClearColor(1, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glEnable(GL_SCISSOR_TEST);
   glScissor(8, 8, 8, 8);
   glClearColor(0, 1, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glColorMask(GL_FALSE, GL_FALSE, GL_TRUE, GL_FALSE);
   glScissor(0, 0, 4, 4);
   glClearColor(0, 0, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
   glDisable(GL_SCISSOR_TEST);
   for (GLint l = 0; l < LAYERS; l++) {
      expect("all", l, texel(a, GL_TEXTURE_2D_ARRAY, 0, l, GL_COLOR_ATTACHMENT0, 20, 20), 0x0000ff);
      expect("a part", l, texel(a, GL_TEXTURE_2D_ARRAY, 0, l, GL_COLOR_ATTACHMENT0, 9, 9),
             0x00ff00);
      expect("a channel", l, texel(a, GL_TEXTURE_2D_ARRAY, 0, l, GL_COLOR_ATTACHMENT0, 1, 1),
             0xff00ff);
   }
   glGenTextures(1, &small);
   glBindTexture(GL_TEXTURE_2D_ARRAY, small);
   glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT24, 16, 16, 3, 0, GL_DEPTH_COMPONENT,
                GL_UNSIGNED_INT, NULL);
   glFramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, small, 0);
   complete("a smaller depth buffer");
   glClearColor(0, 1, 1, 1);
   glClearDepth(0.5);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glClearDepth(1);
   for (GLint l = 0; l < LAYERS; l++) {
      expect("inside the smaller", l,
             texel(a, GL_TEXTURE_2D_ARRAY, 0, l, GL_COLOR_ATTACHMENT0, 12, 12), 0xffff00);
      if (l < 3)
         expect("the smaller", l,
                texel(small, GL_TEXTURE_2D_ARRAY, 0, l, GL_DEPTH_ATTACHMENT, 12, 12), 8);
   }
   glDeleteTextures(2, (GLuint[]){a, small});
   glDeleteFramebuffers(1, &fb);
}

/* A framebuffer with one of the layers, between draws to all of them; then all are looked up. */
static void
one_of_them(void)
{
   const GLuint a = texture(GL_TEXTURE_2D_ARRAY, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 1),
                all = framebuffer();
   glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, a, 0);
   glViewport(0, 0, SIZE, SIZE);
   to_layers(0, 5);
   rectangle(-1, -1, 1, 1); /* over undefined contents */
   const GLuint one = framebuffer();
   glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, a, 0, 3);
   program(NULL, "void main() { gl_FragColor = vec4(0, 1, 0, 1); }");
   rectangle(-1, -1, 0, 1);
   glBindFramebuffer(GL_FRAMEBUFFER, all);
   to_layers(2, 4);
   rectangle(-0.5f, -1, 0, 1);
   const GLuint b = texture(GL_TEXTURE_2D_ARRAY, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 1),
                copies = framebuffer();
   glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, b, 0);
   glBindTexture(GL_TEXTURE_2D_ARRAY, a);
   program("layout(triangles) in; layout(triangle_strip, max_vertices = 18) out;\n"
           "flat out int layer;\n"
           "void main() { for (int l = 0; l < 6; l++) { for (int i = 0; i < 3; i++) {\n"
           "gl_Position = gl_in[i].gl_Position; gl_Layer = 5 - l; layer = l; "
           "EmitVertex(); } EndPrimitive(); } }",
           "#extension GL_EXT_texture_array: enable\n"
           "flat in int layer; uniform sampler2DArray image;\n"
           "void main() { gl_FragColor = texelFetch(image, ivec3(gl_FragCoord.xy, layer), 0); }");
   rectangle(-1, -1, 1, 1);
   for (GLint l = 0; l < LAYERS; l++) {
      const GLint to = 5 - l;
      expect("left", l, texel(b, GL_TEXTURE_2D_ARRAY, 0, to, GL_COLOR_ATTACHMENT0, 2, 5),
             l == 3 ? 0x00ff00 : COLOR(l));
      expect("middle", l, texel(b, GL_TEXTURE_2D_ARRAY, 0, to, GL_COLOR_ATTACHMENT0, 10, 5),
             COLOR(l));
   }
   glDeleteTextures(2, (GLuint[]){a, b});
   glDeleteFramebuffers(3, (GLuint[]){one, all, copies});
}

/* From a pixel buffer, which Mesa draws layer by layer, into all slices at once. */
static void
uploads(void)
{
   static GLubyte pixels[LAYERS][SIZE * SIZE][4];
   GLuint buffer;
   const GLuint t = texture(GL_TEXTURE_2D_ARRAY, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 1);
   for (unsigned l = 0; l < LAYERS; l++) {
      for (unsigned i = 0; i < SIZE * SIZE; i++) {
         pixels[l][i][0] = (GLubyte)(l + 1);
         pixels[l][i][1] = (GLubyte)i;
      }
   }
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
   glBufferData(GL_PIXEL_UNPACK_BUFFER, sizeof(pixels), pixels, GL_STREAM_DRAW);
   glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, SIZE, SIZE, LAYERS, GL_RGBA, GL_UNSIGNED_BYTE,
                   NULL);
   glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
   for (GLint l = 0; l < LAYERS; l++)
      expect("an upload", l, texel(t, GL_TEXTURE_2D_ARRAY, 0, l, GL_COLOR_ATTACHMENT0, 7, 2),
             (uint32_t)(l + 1) | (2 * SIZE + 7) << 8);
   glDeleteBuffers(1, &buffer);
   glDeleteTextures(1, &t);
}

/* A framebuffer has as many layers as its image with the fewest. What is drawn to others is
 * undefined, but there it changes no image. */
static void
fewest(void)
{
   for (unsigned small = 0; small < 2; small++) {
      GLuint image[2];
      const GLuint fb = framebuffer();
      const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
      for (unsigned i = 0; i < 2; i++) {
         glGenTextures(1, &image[i]);
         glBindTexture(GL_TEXTURE_2D_ARRAY, image[i]);
         glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, SIZE, SIZE, i == small ? 2 : LAYERS, 0,
                      GL_RGBA, GL_UNSIGNED_BYTE, NULL);
         glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
         glFramebufferTexture(GL_FRAMEBUFFER, both[i], image[i], 0);
      }
      glDrawBuffers(2, both);
      complete("2 and 6 layers");
      glClearColor(0, 0, 1, 0);
      glClear(GL_COLOR_BUFFER_BIT);
      to_layers(1, LAYERS - 1);
      rectangle(-1, -1, 1, 1);
      for (GLint l = 1; l < LAYERS; l++) {
         const uint32_t drawn = small ? 15 : 1 << 8;
         expect("fewest layers", l,
                texel(image[!small], GL_TEXTURE_2D_ARRAY, 0, l, GL_COLOR_ATTACHMENT0, 3, 3),
                l == 1 ? drawn : 255 << 16);
      }
      glDeleteFramebuffers(1, &fb);
      glDeleteTextures(2, image);
   }
}

int
main(void)
{
   EGLContext context;
   EGLDisplay display = util_display(EGL_OPENGL_API);
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   targets();
   depth_and_two_colors();
   clears();
   one_of_them();
   uploads();
   fewest();
   CHECK(glGetError() == GL_NO_ERROR, "an error of OpenGL");
   printf("pixels %08x\n", sum);
   return !right;
}
