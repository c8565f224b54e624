/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Draws a texture of random blocks in each of ES 3.0's compressed formats and writes the pixels to
 * standard output. The script beside it compares two drivers: ours decodes in the texture unit,
 * for softpipe Mesa decodes while the texture is specified. */
#include <GLES3/gl3.h>
#include <stdint.h>
#include <stdio.h>
#include "gles_util.h"

enum { SIZE = 64, BLOCKS = (SIZE / 4) * (SIZE / 4) };

static const struct {
   GLenum format;
   unsigned bytes;
} formats[] = {{GL_COMPRESSED_RGB8_ETC2, 8},
               {GL_COMPRESSED_SRGB8_ETC2, 8},
               {GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, 8},
               {GL_COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2, 8},
               {GL_COMPRESSED_RGBA8_ETC2_EAC, 16},
               {GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC, 16},
               {GL_COMPRESSED_R11_EAC, 8},
               {GL_COMPRESSED_SIGNED_R11_EAC, 8},
               {GL_COMPRESSED_RG11_EAC, 16},
               {GL_COMPRESSED_SIGNED_RG11_EAC, 16}};

static void
draw_texture(unsigned f, uint32_t *random)
{
   static uint8_t blocks[BLOCKS * 16], pixels[SIZE * SIZE * 4];
   for (unsigned i = 0; i < sizeof(blocks); i++) {
      *random = *random * 1664525u + 1013904223u;
      blocks[i] = (uint8_t)(*random >> 24);
   }
   GLuint texture;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glCompressedTexImage2D(GL_TEXTURE_2D, 0, formats[f].format, SIZE, SIZE, 0,
                          (GLsizei)(BLOCKS * formats[f].bytes), blocks);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   CHECK(glGetError() == GL_NO_ERROR, "OpenGL error with format 0x%x", formats[f].format);
   fwrite(pixels, 1, sizeof(pixels), stdout);
   glDeleteTextures(1, &texture);
}

int
main(void)
{
   EGLDisplay display = util_display(EGL_OPENGL_ES_API);
   EGLContext context;
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   /* Halved and raised, so that signed values can be seen; alpha is blended into blue. */
   glUseProgram(util_program_of("precision highp float; uniform sampler2D s;"
                                "void main() { vec4 t = texture2D(s, gl_FragCoord.xy / 64.0);"
                                "gl_FragColor = vec4(0.5 + 0.5 * t.rg, mix(t.b, t.a, 0.5), 1); }"));
   static const float triangle[] = {-1, -1, 3, -1, -1, 3};
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, triangle);
   glEnableVertexAttribArray(0);
   uint32_t random = 1;
   for (unsigned f = 0; f < sizeof(formats) / sizeof(formats[0]); f++)
      draw_texture(f, &random);
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglTerminate(display);
   return 0;
}
