/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Buffers and textures that change between draws: buffers SCENE draws one scene and checks its
 * pixels. buffers.sh finds from the commands whether the GPU had to wait. Not here: unwritten
 * contents (memory.c). */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include "egl_util.h"

enum { SIZE = 64, CELL = 8, CELLS = (SIZE / CELL) * (SIZE / CELL), DRAWS = 20 };

struct vertex {
   float x, y;
   uint8_t color[4];
};

static const struct vertex *const AT_START; /* of the bound buffer */

/* A colour of its own for every draw. */
static void
cell_color(int i, uint8_t color[4])
{
   color[0] = (uint8_t)(40 + 10 * i);
   color[1] = (uint8_t)(250 - 7 * i);
   color[2] = (uint8_t)(i * 37);
   color[3] = 255;
}

/* Cell i is the i-th square of the window, row by row from below. */
static void
cell(int i, struct vertex v[4])
{
   static const int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
   for (int k = 0; k < 4; k++) {
      v[k].x = (i % (SIZE / CELL) + corner[k][0]) * 2.0f * CELL / SIZE - 1;
      v[k].y = (i / (SIZE / CELL) + corner[k][1]) * 2.0f * CELL / SIZE - 1;
      cell_color(i, v[k].color);
   }
}

static void
expect_cell(int i, const uint8_t color[4])
{
   uint8_t p[4];
   glReadPixels(i % (SIZE / CELL) * CELL + CELL / 2, i / (SIZE / CELL) * CELL + CELL / 2, 1, 1,
                GL_RGBA, GL_UNSIGNED_BYTE, p);
   CHECK(!memcmp(p, color, 3), "cell %d is %u %u %u, not %u %u %u", i, p[0], p[1], p[2], color[0],
         color[1], color[2]);
}

static void
expect_cells(int num)
{
   static const uint8_t black[4];
   for (int i = 0; i < CELLS; i++) {
      uint8_t color[4];
      cell_color(i, color);
      expect_cell(i, i < num ? color : black);
   }
   CHECK(glGetError() == GL_NO_ERROR, "an OpenGL error");
}

static void
use_vertices(const struct vertex *v)
{
   glEnableClientState(GL_VERTEX_ARRAY);
   glEnableClientState(GL_COLOR_ARRAY);
   glVertexPointer(2, GL_FLOAT, sizeof(*v), &v->x);
   glColorPointer(4, GL_UNSIGNED_BYTE, sizeof(*v), (const uint8_t *)v + 2 * sizeof(float));
}

static GLuint
buffer(GLenum target, size_t size, const void *data)
{
   GLuint name;
   glGenBuffers(1, &name);
   glBindBuffer(target, name);
   glBufferData(target, (GLsizeiptr)size, data, GL_DYNAMIC_DRAW);
   return name;
}

/* --- Buffers --- */

/* Every draw uses a part of the buffer that was not written before; between two parts is a gap. */
static void
append(void)
{
   struct vertex v[4];
   buffer(GL_ARRAY_BUFFER, DRAWS * 8 * sizeof(*v), NULL);
   use_vertices(AT_START);
   for (int i = 0; i < DRAWS; i++) {
      cell(i, v);
      glBufferSubData(GL_ARRAY_BUFFER, i * 8 * sizeof(*v), sizeof(v), v);
      glDrawArrays(GL_TRIANGLE_FAN, i * 8, 4);
   }
}

/* All that is in the buffer is replaced for every draw, which is not all of the buffer. */
static void
discard(void)
{
   struct vertex v[4];
   buffer(GL_ARRAY_BUFFER, 64 * sizeof(*v), NULL);
   use_vertices(AT_START);
   for (int i = 0; i < DRAWS; i++) {
      cell(i, v);
      if (i % 2) {
         glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(v), v);
      } else {
         void *map = glMapBufferRange(GL_ARRAY_BUFFER, 0, sizeof(v),
                                      GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT);
         CHECK(map, "no mapping");
         memcpy(map, v, sizeof(v));
         glUnmapBuffer(GL_ARRAY_BUFFER);
      }
      glDrawArrays(GL_TRIANGLE_FAN, 0, 4);
   }
}

/* The storage is given up with glBufferData(NULL) and with GL_MAP_INVALIDATE_BUFFER_BIT. */
static void
orphan(void)
{
   struct vertex v[4];
   buffer(GL_ARRAY_BUFFER, 64 * sizeof(*v), NULL);
   use_vertices(AT_START);
   for (int i = 0; i < DRAWS; i++) {
      cell(i, v);
      GLbitfield access = GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT;
      if (i % 2) {
         glBufferData(GL_ARRAY_BUFFER, 64 * sizeof(*v), NULL, GL_DYNAMIC_DRAW);
         access = GL_MAP_WRITE_BIT | GL_MAP_UNSYNCHRONIZED_BIT;
      }
      void *map = glMapBufferRange(GL_ARRAY_BUFFER, 20 * sizeof(*v), sizeof(v), access);
      CHECK(map, "no mapping");
      memcpy(map, v, sizeof(v));
      glUnmapBuffer(GL_ARRAY_BUFFER);
      glDrawArrays(GL_TRIANGLE_FAN, 20, 4);
   }
}

/* What a draw has used changes, but between them something empties the pipeline. */
static void
once(void)
{
   struct vertex v[8];
   memset(v, 0, sizeof(v));
   buffer(GL_ARRAY_BUFFER, sizeof(v), v);
   use_vertices(AT_START);
   for (int i = 0; i < DRAWS; i++) {
      glClear(GL_DEPTH_BUFFER_BIT);
      cell(i, v);
      glBufferSubData(GL_ARRAY_BUFFER, 0, 4 * sizeof(*v), v);
      glDrawArrays(GL_TRIANGLE_FAN, 0, 4);
   }
}

/* A part of a buffer that draws still use is changed: these writes have to wait. */
static void
busy(void)
{
   struct vertex v[8];
   memset(v, 0, sizeof(v));
   buffer(GL_ARRAY_BUFFER, sizeof(v), v);
   use_vertices(AT_START);
   for (int i = 0; i < DRAWS; i++) {
      cell(i, v);
      glBufferSubData(GL_ARRAY_BUFFER, 0, 4 * sizeof(*v), v);
      glDrawArrays(GL_TRIANGLE_FAN, 0, 4);
   }
}

/* Two small writes at the ends of a large buffer do not transfer what is between them. */
static void
ends(void)
{
   enum { NUM = 1 << 16 };
   struct vertex v[4];
   buffer(GL_ARRAY_BUFFER, NUM * sizeof(*v), NULL);
   use_vertices(AT_START);
   /* Written once, so that later writes leave no gap. */
   cell(0, v);
   glBufferSubData(GL_ARRAY_BUFFER, (NUM - 4) * sizeof(*v), sizeof(v), v);
   for (int i = 0; i < DRAWS; i += 2) {
      cell(i, v);
      glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(v), v);
      cell(i + 1, v);
      glBufferSubData(GL_ARRAY_BUFFER, (NUM - 4) * sizeof(*v), sizeof(v), v);
      glDrawArrays(GL_TRIANGLE_FAN, 0, 4);
      glDrawArrays(GL_TRIANGLE_FAN, NUM - 4, 4);
   }
}

/* The vertices get into the buffer that is drawn with by a copy, of odd size and place, too. */
static void
copy(void)
{
   enum { PAD = 5, BIG = 3000 };
   static uint8_t data[PAD + BIG * 4 * sizeof(struct vertex)];
   struct vertex *v = (struct vertex *)malloc(BIG * 4 * sizeof(*v));
   for (int i = 0; i < BIG * 4; i += 4)
      cell(i / 4 % DRAWS, v + i);
   memcpy(data + PAD, v, sizeof(data) - PAD);
   buffer(GL_COPY_READ_BUFFER, sizeof(data), data);
   buffer(GL_ARRAY_BUFFER, sizeof(data), NULL);
   use_vertices(AT_START);
   glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_ARRAY_BUFFER, PAD, 0, sizeof(data) - PAD);
   for (int i = 0; i < DRAWS / 2; i++)
      glDrawArrays(GL_TRIANGLE_FAN, (BIG / DRAWS * DRAWS - DRAWS + i) * 4, 4);
   /* Inside one buffer, and while draws still use it. */
   for (int i = DRAWS / 2; i < DRAWS; i++) {
      glCopyBufferSubData(GL_ARRAY_BUFFER, GL_ARRAY_BUFFER, i * 4 * sizeof(*v), 0, 4 * sizeof(*v));
      glDrawArrays(GL_TRIANGLE_FAN, 0, 4);
   }
   struct vertex back[4], want[4];
   cell(DRAWS - 1, want);
   glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(back), back);
   CHECK(!memcmp(back, want, sizeof(back)), "what was copied reads back wrong");
   free(v);
}

/* Many draws of one buffer in one call, each of enough vertices for an upload of its own. */
static void
immediate(void)
{
   for (int i = 0; i < DRAWS; i++) {
      struct vertex v[4];
      cell(i, v);
      glBegin(GL_TRIANGLE_FAN);
      for (int k = 0; k < 60; k++) {
         const struct vertex *at = &v[k < 57 ? 0 : k - 56];
         glColor4ubv(at->color);
         glVertex2f(at->x, at->y);
      }
      glEnd();
   }
}

/* --- Indices --- */

/* Arrays of indices with memory between them that cannot be read. */
static void
multidraw(void)
{
   enum { GAP = 1 << 30, PAGE = 4096 };
   uint8_t *memory = mmap(NULL, (size_t)GAP + 2 * PAGE, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   CHECK(memory != MAP_FAILED && !mprotect(memory, PAGE, PROT_READ | PROT_WRITE) &&
             !mprotect(memory + PAGE + GAP, PAGE, PROT_READ | PROT_WRITE),
         "no memory");
   struct vertex v[4 * DRAWS];
   GLsizei count[DRAWS];
   const void *indices[DRAWS];
   for (int i = 0; i < DRAWS; i++) {
      uint16_t *at = (uint16_t *)(memory + (i % 2 ? PAGE + GAP : 0)) + 16 * i;
      cell(i, v + 4 * i);
      for (int k = 0; k < 4; k++)
         at[k] = (uint16_t)(4 * i + k);
      count[i] = 4;
      indices[i] = at;
   }
   buffer(GL_ARRAY_BUFFER, sizeof(v), v);
   use_vertices(AT_START);
   glMultiDrawElements(GL_TRIANGLE_FAN, count, GL_UNSIGNED_SHORT, indices, DRAWS);
   munmap(memory, (size_t)GAP + 2 * PAGE);
}

/* --- Textures --- */

static GLuint
texture(int size, const void *texels)
{
   GLuint name;
   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_2D, name);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glEnable(GL_TEXTURE_2D);
   return name;
}

/* Draws cell i with the texture's texel at (s, t). */
static void
draw_texel(int i, float s, float t)
{
   struct vertex v[4];
   cell(i, v);
   glColor3f(1, 1, 1);
   glBegin(GL_TRIANGLE_FAN);
   for (int k = 0; k < 4; k++) {
      glTexCoord2f(s, t);
      glVertex2f(v[k].x, v[k].y);
   }
   glEnd();
}

static void
fill_texels(int i, uint8_t (*texels)[4], int num)
{
   for (int k = 0; k < num; k++)
      cell_color(i, texels[k]);
}

/* A whole texture is replaced for every draw; its size is not a multiple of the tiles'. */
static void
texture_whole(void)
{
   enum { W = 20 };
   static uint8_t texels[W * W][4];
   texture(W, NULL);
   for (int i = 0; i < DRAWS; i++) {
      fill_texels(i, texels, W * W);
      glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, W, W, GL_RGBA, GL_UNSIGNED_BYTE, texels);
      draw_texel(i, 0.97f, 0.97f);
   }
}

/* A texture that other draws still use for something else, as the target of draws. */
static void
texture_target(void)
{
   enum { W = 32 };
   static uint8_t texels[W * W][4];
   GLuint fbo, name = texture(W, NULL);
   glGenFramebuffers(1, &fbo);
   for (int i = 0; i < DRAWS; i++) {
      glBindFramebuffer(GL_FRAMEBUFFER, fbo);
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, 0);
      fill_texels(i, texels, W * W);
      glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, W, W, GL_RGBA, GL_UNSIGNED_BYTE, texels);
      glDisable(GL_TEXTURE_2D);
      glColor3f(1, 0, 0);
      glRectf(-1, -1, -0.9f, -0.9f); /* not where it is sampled */
      glBindFramebuffer(GL_FRAMEBUFFER, 0);
      glEnable(GL_TEXTURE_2D);
      draw_texel(i, 0.9f, 0.9f);
   }
}

/* Tiles of a texture change, but something has emptied the pipeline since it was used. */
static void
texture_idle(void)
{
   enum { W = 64 };
   static uint8_t texels[W * W][4];
   fill_texels(DRAWS - 1, texels, W * W);
   texture(W, texels);
   draw_texel(0, 0.5f, 0.5f);
   for (int i = 0; i < DRAWS; i++) {
      glClear(GL_COLOR_BUFFER_BIT);
      fill_texels(i, texels, 64);
      glTexSubImage2D(GL_TEXTURE_2D, 0, 8 * (i % 8), 8 * (i / 8), 8, 8, GL_RGBA, GL_UNSIGNED_BYTE,
                      texels);
      draw_texel(CELLS - 1, 0.5f, 0.5f);
   }
   glClear(GL_COLOR_BUFFER_BIT);
   for (int i = 0; i < DRAWS; i++)
      draw_texel(i, (8 * (i % 8) + 4) / (float)W, (8 * (i / 8) + 4) / (float)W);
}

/* Parts of tiles change, as glyphs of a text: of a texture that nothing uses, or that the draws
 * before do. Texels of one, two, four and sixteen bytes. */
static void
change_parts(bool in_use)
{
   enum { W = 64 };
   static const struct {
      GLenum internal, format, type;
   } kinds[] = {{GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE},
                {GL_RGBA32F, GL_RGBA, GL_FLOAT},
                {GL_LUMINANCE8, GL_LUMINANCE, GL_UNSIGNED_BYTE},
                {GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5}};
   static uint8_t ones[W * W][4];
   static uint8_t got[W * W][4], want[4][W * W][4];
   GLuint names[4];
   memset(ones, 255, sizeof(ones));
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
   for (int k = 0; k < 4; k++) {
      names[k] = texture(W, NULL);
      glTexImage2D(GL_TEXTURE_2D, 0, (GLint)kinds[k].internal, W, W, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   ones);
      memset(want[k], 255, sizeof(want[k]));
   }
   for (int i = 0; i < DRAWS; i++) {
      const int k = i % 4, x = 1 + i * 2, y = 3 + i, w = 1 + i % 13, h = 1 + i * 5 % 11;
      const uint8_t gray = i & 1 ? 0 : 255;
      union {
         uint8_t bytes[16 * 13 * 11];
         float floats[4 * 13 * 11];
      } part;
      memset(part.bytes, gray, sizeof(part.bytes));
      for (int n = 0; n < 4 * 13 * 11 && k == 1; n++)
         part.floats[n] = gray / 255.0f;
      if (!in_use)
         glClear(GL_COLOR_BUFFER_BIT); /* waits for the draw before */
      glBindTexture(GL_TEXTURE_2D, names[k]);
      glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, w, h, kinds[k].format, kinds[k].type, part.bytes);
      for (int n = 0; n < w * h; n++)
         memset(want[k][(y + n / w) * W + x + n % w], gray, 4);
      if (in_use)
         for (int n = 0; n < 4; n++) {
            glBindTexture(GL_TEXTURE_2D, names[n]);
            draw_texel(i, 0.99f, 0.01f);
         }
   }
   for (int k = 0; k < 4; k++) {
      glBindTexture(GL_TEXTURE_2D, names[k]);
      glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, got);
      for (int n = 0; n < W * W; n++)
         CHECK(got[n][0] == want[k][n][0], "format %d: texel (%d, %d) is %u, not %u", k, n % W,
               n / W, got[n][0], want[k][n][0]);
   }
   glDisable(GL_TEXTURE_2D);
   for (int i = 0; i < DRAWS; i++) {
      uint8_t color[4];
      struct vertex v[4];
      cell(i, v);
      cell_color(i, color);
      glColor4ubv(color);
      glRectf(v[0].x, v[0].y, v[2].x, v[2].y);
   }
}

static void
texture_glyphs(void)
{
   change_parts(false);
}

static void
texture_glyphs_used(void)
{
   change_parts(true);
}

/* A level is added while draws use the others. */
static void
texture_levels(void)
{
   enum { W = 128 };
   static uint8_t texels[W * W][4];
   fill_texels(0, texels, W * W);
   texture(W, texels);
   for (int level = 1; level < 8; level++)
      glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, W >> level, W >> level, 0, GL_RGBA,
                   GL_UNSIGNED_BYTE, NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
   draw_texel(0, 0.5f, 0.5f);
   for (int i = 1; i < 8; i++) {
      fill_texels(i, texels, (W >> i) * (W >> i));
      glTexSubImage2D(GL_TEXTURE_2D, i, 0, 0, W >> i, W >> i, GL_RGBA, GL_UNSIGNED_BYTE, texels);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, i);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, i);
      draw_texel(i, 0.5f, 0.5f);
   }
}

/* Many more bytes than memory has go into parts of a used texture. */
static void
texture_parts(void)
{
   enum { W = 512, PART = 500, ROUNDS = 40 };
   static uint8_t texels[PART * PART][4];
   texture(W, NULL);
   for (int i = 0; i < ROUNDS; i++) {
      fill_texels(i % DRAWS, texels, PART * PART);
      glTexSubImage2D(GL_TEXTURE_2D, 0, 1 + i % 7, 3, PART, PART, GL_RGBA, GL_UNSIGNED_BYTE,
                      texels);
      draw_texel(i % DRAWS, 0.5f, 0.9f);
   }
}

static const struct scene {
   const char *name;
   void (*draw)(void);
   int cells;
} scenes[] = {
    {"append", append, DRAWS},
    {"discard", discard, DRAWS},
    {"orphan", orphan, DRAWS},
    {"once", once, DRAWS},
    {"busy", busy, DRAWS},
    {"ends", ends, DRAWS},
    {"copy", copy, DRAWS},
    {"immediate", immediate, DRAWS},
    {"multidraw", multidraw, DRAWS},
    {"texture_whole", texture_whole, DRAWS},
    {"texture_target", texture_target, DRAWS},
    {"texture_idle", texture_idle, DRAWS},
    {"texture_glyphs", texture_glyphs, DRAWS},
    {"texture_glyphs_used", texture_glyphs_used, DRAWS},
    {"texture_levels", texture_levels, 8},
    {"texture_parts", texture_parts, DRAWS},
};

int
main(int argc, char **argv)
{
   EGLContext context;
   EGLDisplay display = util_display(EGL_OPENGL_API);
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   for (size_t i = 0; i < sizeof(scenes) / sizeof(*scenes); i++) {
      if (argc != 2 || strcmp(argv[1], scenes[i].name))
         continue;
      scenes[i].draw();
      expect_cells(scenes[i].cells);
      return 0;
   }
   fprintf(stderr, "usage: buffers SCENE\n");
   return 2;
}
