/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Uses up the GPU's memory with textures, renderbuffers and buffers until GL_OUT_OF_MEMORY, draws,
 * uploads and reads back while nothing is left, then frees and draws again. Needs a small GPU
 * (MEMORYCONTROLLER.MemorySize) to be quick. */
#include "limits.h"

#include <stdlib.h>
#include <string.h>

#define MAX_OBJECTS 4096

enum kind { TEXTURES, RENDERBUFFERS, SAMPLES, BUFFERS, NUM_KINDS };
static const char *const kind_names[NUM_KINDS] = {"textures", "renderbuffers",
                                                  "multisampled renderbuffers", "buffers"};

static GLuint
create(enum kind kind, int size)
{
   GLuint name;
   if (kind == TEXTURES) {
      glGenTextures(1, &name);
      glBindTexture(GL_TEXTURE_2D, name);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   } else if (kind == BUFFERS) {
      glGenBuffers(1, &name);
      glBindBuffer(GL_ARRAY_BUFFER, name);
      glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size * size * 4, NULL, GL_STATIC_DRAW);
      glBindBuffer(GL_ARRAY_BUFFER, 0);
   } else {
      glGenRenderbuffers(1, &name);
      glBindRenderbuffer(GL_RENDERBUFFER, name);
      glRenderbufferStorageMultisample(GL_RENDERBUFFER, kind == SAMPLES ? 4 : 0, GL_RGBA8, size,
                                       size);
   }
   return name;
}

static void delete (enum kind kind, GLuint name)
{
   if (kind == TEXTURES)
      glDeleteTextures(1, &name);
   else if (kind == BUFFERS)
      glDeleteBuffers(1, &name);
   else
      glDeleteRenderbuffers(1, &name);
}

/* Allocates down to the smallest size until nothing fits. Returns how many of the first size did.
 */
static int
fill(enum kind kind, GLuint *names, int *num)
{
   int first = 0;
   *num = 0;
   for (int size = 1024; size >= 64; size /= 2) {
      for (;;) {
         const GLuint name = create(kind, size);
         const GLenum error = glGetError();
         if (error != GL_NO_ERROR) {
            EXPECT(error == GL_OUT_OF_MEMORY, "%s: error 0x%x when memory is used up",
                   kind_names[kind], error);
            delete (kind, name);
            break;
         }
         EXPECT(*num < MAX_OBJECTS, "%s never run out", kind_names[kind]);
         if (*num >= MAX_OBJECTS)
            return first;
         names[(*num)++] = name;
         first += size == 1024;
      }
   }
   return first;
}

/* What a program goes on doing when an allocation has failed: it must not crash, and what needs no
 * memory must be right. */
static void
use_while_full(GLuint texture)
{
   static const GLubyte texel[4] = {10, 200, 30, 255};
   EXPECT_ALIVE("immediate mode without memory");
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 3, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
   EXPECT_OK("glTexSubImage2D without memory");
   glEnable(GL_TEXTURE_2D);
   glColor3f(1, 1, 1);
   glTexCoord2f(3.5f / 16, 3.5f / 16);
   glRectf(-1, -1, 1, 1);
   glDisable(GL_TEXTURE_2D);
   EXPECT_PIXEL(8, 8, 10, 200, 30, "a texture changed without memory");
   GLuint program =
       limits_program(PASS_THROUGH, "void main() { gl_FragColor = vec4(1.0, 0.0, 1.0, 1.0); }");
   EXPECT(program, "a program without memory");
   limits_quad();
   EXPECT_PIXEL(8, 8, 255, 0, 255, "a new program without memory");
   limits_delete_program(program);
   /* These may need memory: the error is GL_OUT_OF_MEMORY or there is none. */
   GLubyte *big = calloc(512 * 512, 4);
   GLuint other;
   glGenTextures(1, &other);
   glBindTexture(GL_TEXTURE_2D, other);
   glDrawPixels(512, 512, GL_RGBA, GL_UNSIGNED_BYTE, big);
   EXPECT_ERRORS(GL_NO_ERROR, GL_OUT_OF_MEMORY, "glDrawPixels without memory");
   glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 0, 0, 64, 64, 0);
   EXPECT_ERRORS(GL_NO_ERROR, GL_OUT_OF_MEMORY, "glCopyTexImage2D without memory");
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 512, 512, 0, GL_RGBA, GL_UNSIGNED_BYTE, big);
   EXPECT_ERRORS(GL_NO_ERROR, GL_OUT_OF_MEMORY, "glTexImage2D without memory");
   glGenerateMipmap(GL_TEXTURE_2D);
   EXPECT_ERRORS(GL_NO_ERROR, GL_OUT_OF_MEMORY, "glGenerateMipmap without memory");
   /* 16 MiB of vertices do not fit; nothing that is drawn is checked. */
   enum { BIG = 1 << 21 };
   float *v = calloc(BIG, 2 * sizeof(float));
   glEnableClientState(GL_VERTEX_ARRAY);
   glVertexPointer(2, GL_FLOAT, 0, v);
   glScissor(0, 0, 0, 0);
   glEnable(GL_SCISSOR_TEST);
   glDrawArrays(GL_POINTS, BIG - 100, 100);
   if (!limits_small)
      glDrawArrays(GL_POINTS, 0, BIG);
   glDisable(GL_SCISSOR_TEST);
   glDisableClientState(GL_VERTEX_ARRAY);
   EXPECT_ERRORS(GL_NO_ERROR, GL_OUT_OF_MEMORY, "a large client array without memory");
   free(v);
   free(big);
   glDeleteTextures(1, &other);
   EXPECT_ALIVE("use without memory");
}

/* A texture and a renderbuffer that are more than half of the memory, used and deleted, leave room
 * for the next one at once. */
static void
check_deleted(void)
{
   GLint info[4] = {0};
   glFinish();
   glGetIntegerv(GL_TEXTURE_FREE_MEMORY_ATI, info);
   const int width = 2048, height = info[0] / 8 * 5 / (width * 4 / 1024);
   GLuint name = 0;
   for (int round = 0; round < 6; round++) {
      if (round % 3 != 2) {
         glGenTextures(1, &name);
         glBindTexture(GL_TEXTURE_2D, name);
         glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                      NULL);
         glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
         EXPECT_OK("a texture of more than half of the memory");
         GLuint program = limits_program(
             PASS_THROUGH,
             "uniform sampler2D t; void main() { gl_FragColor = texture2D(t, vec2(0.5)); }");
         limits_quad();
         limits_delete_program(program);
         glDeleteTextures(1, &name);
      } else {
         glGenRenderbuffers(1, &name);
         glBindRenderbuffer(GL_RENDERBUFFER, name);
         glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
         EXPECT_OK("a renderbuffer of more than half of the memory");
         GLuint fbo = limits_framebuffer(0, 0, name);
         glRectf(-1, -1, 1, 1);
         glDeleteFramebuffers(1, &fbo);
         glDeleteRenderbuffers(1, &name);
         EXPECT_ALIVE("another framebuffer"); /* the deleted one was bound as long as nothing else
                                                 was drawn to */
      }
   }
   EXPECT_ALIVE("deleted objects");
}

void
limits_memory(void)
{
   static GLuint names[MAX_OBJECTS];
   int num, first[2];
   for (enum kind kind = 0; kind < NUM_KINDS; kind++) {
      static const GLubyte texels[16 * 16 * 4];
      GLuint texture;
      glGenTextures(1, &texture);
      glBindTexture(GL_TEXTURE_2D, texture);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
      /* The second round gets as much as the first: nothing was lost. */
      for (int round = 0; round < 2; round++) {
         first[round] = fill(kind, names, &num);
         EXPECT(num > 3, "%d %s fit", num, kind_names[kind]);
         use_while_full(texture);
         for (int i = 0; i < num; i++)
            delete (kind, names[i]);
         EXPECT_OK("freeing");
         EXPECT_ALIVE("freed memory");
      }
      EXPECT(first[1] >= first[0], "%s: %d fit, then %d", kind_names[kind], first[0], first[1]);
      glDeleteTextures(1, &texture);
      glFinish();
   }
   check_deleted();
   /* Larger than any memory. */
   glBindBuffer(GL_ARRAY_BUFFER, (glGenBuffers(1, names), names[0]));
   glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)1 << 31, NULL, GL_STATIC_DRAW);
   EXPECT_ERROR(GL_OUT_OF_MEMORY, "a buffer of 2 GiB");
   glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)1 << 40, NULL, GL_STATIC_DRAW);
   EXPECT_ERROR(GL_OUT_OF_MEMORY, "a buffer of 1 TiB");
   glBufferData(GL_ARRAY_BUFFER, -1, NULL, GL_STATIC_DRAW);
   EXPECT_ERROR(GL_INVALID_VALUE, "a buffer of -1 bytes");
   glBindBuffer(GL_ARRAY_BUFFER, 0);
   glDeleteBuffers(1, names);
}
