/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Limits of the fixed functions: stacks, lights, clip planes, texture coordinates, LOD bias,
 * anisotropy, point sizes, line widths, viewport, elements of a draw. */
#include "limits.h"

#include <stdlib.h>

/* Each level of a stack holds another value, and they come back in order. */
static void
check_matrix_stack(GLenum mode, GLenum depth_name, GLenum max_name, GLenum matrix_name)
{
   const int max = limits_get(max_name);
   bool right = true;
   glMatrixMode(mode);
   for (int i = 0; i < max; i++) {
      glLoadIdentity();
      glTranslatef((float)i, 0, 0);
      if (i < max - 1)
         glPushMatrix();
   }
   EXPECT_OK("a full matrix stack");
   EXPECT(limits_get(depth_name) == max, "stack 0x%x: depth %d of %d", mode, limits_get(depth_name),
          max);
   glPushMatrix();
   EXPECT_ERROR(GL_STACK_OVERFLOW, "one matrix more");
   for (int i = max - 1; i >= 0; i--) {
      GLfloat m[16];
      glGetFloatv(matrix_name, m);
      right &= m[12] == (float)i;
      if (i)
         glPopMatrix();
   }
   EXPECT(right, "matrices came back wrong");
   glPopMatrix();
   EXPECT_ERROR(GL_STACK_UNDERFLOW, "one matrix less");
   glLoadIdentity();
   glMatrixMode(GL_MODELVIEW);
}

static void
check_stacks(void)
{
   check_matrix_stack(GL_MODELVIEW, GL_MODELVIEW_STACK_DEPTH, GL_MAX_MODELVIEW_STACK_DEPTH,
                      GL_MODELVIEW_MATRIX);
   check_matrix_stack(GL_PROJECTION, GL_PROJECTION_STACK_DEPTH, GL_MAX_PROJECTION_STACK_DEPTH,
                      GL_PROJECTION_MATRIX);
   check_matrix_stack(GL_TEXTURE, GL_TEXTURE_STACK_DEPTH, GL_MAX_TEXTURE_STACK_DEPTH,
                      GL_TEXTURE_MATRIX);
   const int attribs = limits_get(GL_MAX_ATTRIB_STACK_DEPTH),
             client = limits_get(GL_MAX_CLIENT_ATTRIB_STACK_DEPTH);
   for (int i = 0; i < attribs; i++)
      glPushAttrib(GL_ALL_ATTRIB_BITS);
   EXPECT_OK("glPushAttrib");
   glPushAttrib(GL_ALL_ATTRIB_BITS);
   EXPECT_ERROR(GL_STACK_OVERFLOW, "glPushAttrib past the last");
   for (int i = 0; i < attribs; i++)
      glPopAttrib();
   glPopAttrib();
   EXPECT_ERROR(GL_STACK_UNDERFLOW, "glPopAttrib");
   for (int i = 0; i < client; i++)
      glPushClientAttrib(GL_CLIENT_ALL_ATTRIB_BITS);
   EXPECT_OK("glPushClientAttrib");
   glPushClientAttrib(GL_CLIENT_ALL_ATTRIB_BITS);
   EXPECT_ERROR(GL_STACK_OVERFLOW, "glPushClientAttrib past the last");
   for (int i = 0; i < client; i++)
      glPopClientAttrib();
   glPopClientAttrib();
   EXPECT_ERROR(GL_STACK_UNDERFLOW, "glPopClientAttrib");

   /* Lists that call each other: the innermost sets the colour. */
   const int nesting = limits_get(GL_MAX_LIST_NESTING);
   const GLuint list = glGenLists(nesting);
   for (int i = 0; i < nesting; i++) {
      glNewList(list + (GLuint)i, GL_COMPILE);
      if (i)
         glCallList(list + (GLuint)i - 1);
      else
         glColor3f(1, 0.2f, 0);
      glEndList();
   }
   glCallList(list + (GLuint)nesting - 1);
   GLfloat color[4];
   glGetFloatv(GL_CURRENT_COLOR, color);
   EXPECT(color[1] == 0.2f, "%d nested lists: colour %g", nesting, color[1]);
   glDeleteLists(list, nesting);
   EXPECT_ALIVE("stacks");
}

/* Every light adds a part of red; every clip plane alone cuts the right half off. */
static void
check_lights_and_planes(void)
{
   const int lights = limits_get(GL_MAX_LIGHTS), planes = limits_get(GL_MAX_CLIP_PLANES);
   static const GLfloat black[] = {0, 0, 0, 1}, white[] = {1, 1, 1, 1},
                        part[] = {16 / 255.0f, 0, 0, 1}, towards[] = {0, 0, 1, 0};
   glClearColor(0, 0, 1, 1);
   glLightModelfv(GL_LIGHT_MODEL_AMBIENT, black);
   glMaterialfv(GL_FRONT_AND_BACK, GL_DIFFUSE, white);
   glNormal3f(0, 0, 1);
   glEnable(GL_LIGHTING);
   for (int i = 0; i < lights; i++) {
      glLightfv(GL_LIGHT0 + (GLenum)i, GL_POSITION, towards);
      glLightfv(GL_LIGHT0 + (GLenum)i, GL_DIFFUSE, part);
      glLightfv(GL_LIGHT0 + (GLenum)i, GL_SPECULAR, black);
      glEnable(GL_LIGHT0 + (GLenum)i);
   }
   glRectf(-1, -1, 1, 1);
   EXPECT_PIXEL(9, 9, 16 * lights, 0, 0, "all lights");
   for (int i = 0; i < lights; i++)
      glDisable(GL_LIGHT0 + (GLenum)i);
   glDisable(GL_LIGHTING);
   glEnable(GL_LIGHT0 + (GLenum)lights);
   EXPECT_ERROR(GL_INVALID_ENUM, "light past the last");

   static const GLdouble left[] = {-1, 0, 0, 0};
   for (int i = 0; i < planes; i++) {
      glClipPlane(GL_CLIP_PLANE0 + (GLenum)i, left);
      glEnable(GL_CLIP_PLANE0 + (GLenum)i);
      glClear(GL_COLOR_BUFFER_BIT);
      glColor3f(0, 1, 0);
      glRectf(-1, -1, 1, 1);
      EXPECT_PIXEL(SIZE / 2 - 1, 5, 0, 255, 0, "left of a clip plane");
      EXPECT_PIXEL(SIZE / 2, 5, 0, 0, 255, "right of a clip plane");
      glDisable(GL_CLIP_PLANE0 + (GLenum)i);
   }
   glEnable(GL_CLIP_PLANE0 + (GLenum)planes);
   EXPECT_ERROR(GL_INVALID_ENUM, "clip plane past the last");
}

/* Fixed function with all its texture units: each adds a part. */
static void
check_texture_units(void)
{
   const int units = limits_get(GL_MAX_TEXTURE_UNITS), coords = limits_get(GL_MAX_TEXTURE_COORDS);
   GLuint texture[32];
   EXPECT(units <= coords && coords <= 32, "%d units, %d coordinates", units, coords);
   glGenTextures(units, texture);
   for (int i = 0; i < units; i++) {
      GLubyte texels[2][4] = {{200, 0, 0, 255}, {(GLubyte)(10 + i), 1, 0, 255}};
      glActiveTexture(GL_TEXTURE0 + (GLenum)i);
      glBindTexture(GL_TEXTURE_2D, texture[i]);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
      glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ADD);
      glEnable(GL_TEXTURE_2D);
      glMultiTexCoord2f(GL_TEXTURE0 + (GLenum)i, 0.75f, 0.5f);
   }
   glColor3f(0, 0, 0);
   glRectf(-1, -1, 1, 1);
   EXPECT_PIXEL(40, 40, 10 * units + units * (units - 1) / 2, units, 0,
                "all fixed-function texture units");
   for (int i = 0; i < units; i++) {
      glActiveTexture(GL_TEXTURE0 + (GLenum)i);
      glDisable(GL_TEXTURE_2D);
      glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
   }
   glActiveTexture(GL_TEXTURE0);
   glDeleteTextures(units, texture);
   glClientActiveTexture(GL_TEXTURE0 + (GLenum)coords);
   EXPECT_ERROR(GL_INVALID_ENUM, "glClientActiveTexture past the last");
}

/* Level l is coloured 10 * l. */
static void
check_texture_parameters(void)
{
   GLuint texture;
   GLfloat max_bias = 0, max_aniso = 0, got = 0;
   glGetFloatv(GL_MAX_TEXTURE_LOD_BIAS, &max_bias);
   glGetFloatv(GL_MAX_TEXTURE_MAX_ANISOTROPY_EXT, &max_aniso);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
   for (int l = 0; l <= 8; l++) {
      GLubyte *texels = malloc((size_t)(256 >> l) * (256 >> l));
      for (int i = 0; i < (256 >> l) * (256 >> l); i++)
         texels[i] = (GLubyte)(10 * l);
      glTexImage2D(GL_TEXTURE_2D, l, GL_LUMINANCE8, 256 >> l, 256 >> l, 0, GL_LUMINANCE,
                   GL_UNSIGNED_BYTE, texels);
      free(texels);
   }
   glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
   glEnable(GL_TEXTURE_2D);
   glColor3f(1, 1, 1);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   /* 256 texels on 64 pixels: level 2 without a bias. */
   const struct {
      float bias;
      int level;
   } cases[] = {
       {0, 2}, {3, 5}, {max_bias, 8}, {-max_bias, 0}, {max_bias + 50, 8}, {-max_bias - 50, 0}};
   for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, cases[i].bias);
      glBegin(GL_QUADS);
      glTexCoord2f(0, 0), glVertex2f(-1, -1);
      glTexCoord2f(1, 0), glVertex2f(1, -1);
      glTexCoord2f(1, 1), glVertex2f(1, 1);
      glTexCoord2f(0, 1), glVertex2f(-1, 1);
      glEnd();
      EXPECT_PIXEL(20, 20, 10 * cases[i].level, 10 * cases[i].level, 10 * cases[i].level,
                   "LOD bias");
   }
   glTexEnvf(GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, 0);
   /* 16 texels across a pixel one way, 1 the other: with all of the anisotropy level 0 is read,
    * with none of it level 4. */
   for (int aniso = 1; aniso <= (int)max_aniso; aniso *= 2) {
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
      glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, (float)aniso);
      int level = 4;
      for (int a = aniso; a > 1; a /= 2)
         level--;
      glBegin(GL_QUADS);
      glTexCoord2f(0, 0), glVertex2f(-1, -1);
      glTexCoord2f(4, 0), glVertex2f(1, -1);
      glTexCoord2f(4, 0.25f), glVertex2f(1, 1);
      glTexCoord2f(0, 0.25f), glVertex2f(-1, 1);
      glEnd();
      EXPECT_PIXEL(20, 20, 10 * level, 10 * level, 10 * level, "anisotropy");
   }
   glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, max_aniso * 4);
   EXPECT_OK("more anisotropy than the limit is the limit");
   glGetTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, &got);
   EXPECT(got == max_aniso || got == max_aniso * 4, "anisotropy %g", got);
   glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, 0.5f);
   EXPECT_ERROR(GL_INVALID_VALUE, "anisotropy below 1");
   glDisable(GL_TEXTURE_2D);
   glDeleteTextures(1, &texture);
}

/* A point or line of the largest size in a larger framebuffer, and one that asks for twice that. */
static void
check_points_and_lines(void)
{
   GLfloat size[2], width[2];
   GLuint rb;
   glGenRenderbuffers(1, &rb);
   glBindRenderbuffer(GL_RENDERBUFFER, rb);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1024, 1024);
   GLuint fbo = limits_framebuffer(0, 0, rb);
   glViewport(0, 0, 1024, 1024);
   glColor3f(0, 1, 0);
   glClearColor(0, 0, 1, 1);
   for (int smooth = 0; smooth < 2; smooth++) {
      glGetFloatv(smooth ? GL_SMOOTH_POINT_SIZE_RANGE : GL_ALIASED_POINT_SIZE_RANGE, size);
      glGetFloatv(smooth ? GL_SMOOTH_LINE_WIDTH_RANGE : GL_ALIASED_LINE_WIDTH_RANGE, width);
      (smooth ? glEnable : glDisable)(GL_POINT_SMOOTH);
      (smooth ? glEnable : glDisable)(GL_LINE_SMOOTH);
      for (int factor = 1; factor <= 2; factor++) {
         glPointSize(size[1] * (float)factor);
         glClear(GL_COLOR_BUFFER_BIT);
         glBegin(GL_POINTS);
         glVertex2f(0, 0);
         glEnd();
         const int r = (int)size[1] / 2;
         EXPECT_PIXEL(512 + r - 2, 512, 0, 255, 0, "right edge of the largest point");
         EXPECT_PIXEL(512 - r + 2, 512, 0, 255, 0, "left edge of the largest point");
         EXPECT_PIXEL(512, 512 + r + 2, 0, 0, 255, "above the largest point");
         if (!smooth)
            EXPECT_PIXEL(512 - r + 1, 512 - r + 1, 0, 255, 0, "corner of the largest point");
         else
            EXPECT_PIXEL(512 - r * 3 / 4, 512 - r * 3 / 4, 0, 0, 255,
                         "outside of the largest round point");
         glLineWidth(width[1] * (float)factor);
         glClear(GL_COLOR_BUFFER_BIT);
         glBegin(GL_LINES);
         glVertex2f(-0.5f, 0);
         glVertex2f(0.5f, 0);
         glEnd();
         const int h = (int)width[1] / 2;
         EXPECT_PIXEL(512, 512 + h - 2, 0, 255, 0, "upper edge of the widest line");
         EXPECT_PIXEL(512, 512 - h + 2, 0, 255, 0, "lower edge of the widest line");
         EXPECT_PIXEL(512, 512 + h + 2, 0, 0, 255, "above the widest line");
         if (smooth) { /* coverage multiplies alpha: without blending everything touched is written
                        */
            glEnable(GL_BLEND);
            glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
         }
      }
      glDisable(GL_BLEND);
   }
   glDisable(GL_POINT_SMOOTH);
   glDisable(GL_LINE_SMOOTH);
   glPointSize(0);
   EXPECT_ERROR(GL_INVALID_VALUE, "point size 0");
   glLineWidth(-1);
   EXPECT_ERROR(GL_INVALID_VALUE, "line width -1");
   glPointSize(1);
   glLineWidth(1);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &fbo);
   glDeleteRenderbuffers(1, &rb);
}

static void
check_viewport(void)
{
   GLint dims[2], got[4];
   glGetIntegerv(GL_MAX_VIEWPORT_DIMS, dims);
   glViewport(0, 0, dims[0] * 2, dims[1] * 2);
   EXPECT_OK("a viewport beyond the limit is clamped");
   glGetIntegerv(GL_VIEWPORT, got);
   EXPECT(got[2] == dims[0] && got[3] == dims[1], "viewport of %d x %d", got[2], got[3]);
   glViewport(0, 0, -1, 4);
   EXPECT_ERROR(GL_INVALID_VALUE, "negative viewport");
   /* Its far corner is in the window when it begins far to the left. */
   glClearColor(0, 0, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glViewport(SIZE - dims[0], SIZE - dims[1], dims[0], dims[1]);
   glColor3f(1, 0, 0);
   glBegin(GL_TRIANGLES);
   const float a = 1 - 16.0f / (float)dims[0];
   glVertex2f(a, 1);
   glVertex2f(1, a);
   glVertex2f(1, 1);
   glEnd();
   EXPECT_PIXEL(SIZE - 1, SIZE - 1, 255, 0, 0, "corner of the largest viewport");
   EXPECT_PIXEL(SIZE - 9, SIZE - 9, 0, 0, 255, "beside it");
   glViewport(5, 5, 0, 0);
   glRectf(-1, -1, 1, 1);
   EXPECT_PIXEL(5, 5, 0, 0, 255, "viewport of no size");
   glViewport(0, 0, SIZE, SIZE);
}

/* Tables and stacks that only the CPU knows. */
static void
check_tables(void)
{
   const int table = limits_get(GL_MAX_PIXEL_MAP_TABLE),
             names = limits_get(GL_MAX_NAME_STACK_DEPTH), order = limits_get(GL_MAX_EVAL_ORDER);
   GLfloat *values = calloc((size_t)table + 1, sizeof(*values)),
           *points = calloc((size_t)order + 1, 3 * sizeof(*points));
   static const GLubyte last = 255;
   values[table - 1] = 0.5f;
   glPixelMapfv(GL_PIXEL_MAP_R_TO_R, table, values);
   EXPECT_OK("glPixelMap");
   glPixelTransferi(GL_MAP_COLOR, 1);
   glRasterPos2f(-1, -1);
   glDrawPixels(1, 1, GL_RED, GL_UNSIGNED_BYTE, &last);
   glPixelTransferi(GL_MAP_COLOR, 0);
   EXPECT_PIXEL(0, 0, 128, 0, 0, "the last entry of a pixel map");
   glPixelMapfv(GL_PIXEL_MAP_R_TO_R, table + 1, values);
   EXPECT_ERROR(GL_INVALID_VALUE, "a pixel map that is too large");

   GLuint hits[16];
   glSelectBuffer(16, hits);
   glRenderMode(GL_SELECT);
   for (int i = 0; i < names; i++)
      glPushName((GLuint)i);
   EXPECT_OK("glPushName");
   glPushName(0);
   EXPECT_ERROR(GL_STACK_OVERFLOW, "glPushName past the last");
   glRenderMode(GL_RENDER);

   /* A Bezier curve whose points all lie in the middle of a pixel. */
   for (int i = 0; i < order; i++)
      points[3 * i] = points[3 * i + 1] = 0.515625f;
   glMap1f(GL_MAP1_VERTEX_3, 0, 1, 3, order, points);
   EXPECT_OK("glMap1");
   glEnable(GL_MAP1_VERTEX_3);
   glColor3f(0, 1, 0);
   glBegin(GL_POINTS);
   glEvalCoord1f(0.7f);
   glEnd();
   glDisable(GL_MAP1_VERTEX_3);
   EXPECT_PIXEL(SIZE * 3 / 4, SIZE * 3 / 4, 0, 255, 0, "an evaluator of the highest order");
   glMap1f(GL_MAP1_VERTEX_3, 0, 1, 3, order + 1, points);
   EXPECT_ERROR(GL_INVALID_VALUE, "an evaluator of too high an order");
   free(points);
   free(values);
}

/* Attributes through separate bindings: the last binding, the largest relative offset, a stride
 * larger than any needs. */
static void
check_bindings(void)
{
   const int bindings = limits_get(GL_MAX_VERTEX_ATTRIB_BINDINGS),
             offset = limits_get(GL_MAX_VERTEX_ATTRIB_RELATIVE_OFFSET);
   const GLsizei stride = 100000;
   GLubyte *data = calloc(3, (size_t)stride);
   GLuint buffer;
   GLuint program =
       limits_program(PASS_THROUGH, "void main() { gl_FragColor = vec4(1.0, 0.0, 1.0, 1.0); }");
   static const GLbyte corners[3][4] = {{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}};
   for (int i = 0; i < 3; i++)
      for (int c = 0; c < 4; c++)
         data[i * stride + offset + c] = (GLubyte)corners[i][c];
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, 3 * stride, data, GL_STATIC_DRAW);
   glBindVertexBuffer((GLuint)bindings - 1, buffer, 0, stride);
   glVertexAttribFormat(0, 4, GL_BYTE, GL_FALSE, (GLuint)offset);
   glVertexAttribBinding(0, (GLuint)bindings - 1);
   glEnableVertexAttribArray(0);
   EXPECT_OK("bindings");
   glDrawArrays(GL_TRIANGLES, 0, 3);
   EXPECT_PIXEL(60, 60, 255, 0, 255, "the last binding with the largest offset");
   glDisableVertexAttribArray(0);
   glBindVertexBuffer((GLuint)bindings, buffer, 0, 16);
   EXPECT_ERROR(GL_INVALID_VALUE, "binding past the last");
   glVertexAttribFormat(0, 4, GL_BYTE, GL_FALSE, (GLuint)offset + 1);
   EXPECT_ERROR(GL_INVALID_VALUE, "relative offset past the largest");
   glVertexAttribBinding(0, 0);
   glBindBuffer(GL_ARRAY_BUFFER, 0);
   glDeleteBuffers(1, &buffer);
   limits_delete_program(program);
   free(data);
}

/* More vertices and indices in a draw than is recommended, all of which must arrive: points, one
 * per pixel of a row. */
static void
check_elements(void)
{
   const int n = 2 * limits_get(GL_MAX_ELEMENTS_VERTICES),
             k = 2 * limits_get(GL_MAX_ELEMENTS_INDICES);
   GLfloat *v = malloc((size_t)n * 2 * sizeof(*v));
   GLuint *index = malloc((size_t)k * sizeof(*index));
   for (int i = 0; i < n; i++) {
      v[2 * i] = ((float)(i % SIZE) + 0.5f) / (SIZE / 2) - 1;
      v[2 * i + 1] = ((float)(i / SIZE % SIZE) + 0.5f) / (SIZE / 2) - 1;
   }
   for (int i = 0; i < k; i++)
      index[i] = (GLuint)(i % n);
   glClearColor(0, 0, 0, 0);
   glClear(GL_COLOR_BUFFER_BIT);
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   glColor3f(16 / 255.0f, 0, 0);
   glEnableClientState(GL_VERTEX_ARRAY);
   glVertexPointer(2, GL_FLOAT, 0, v);
   glDrawRangeElements(GL_POINTS, 0, (GLuint)n - 1, k, GL_UNSIGNED_INT, index);
   glDrawArrays(GL_POINTS, 0, n);
   glDisableClientState(GL_VERTEX_ARRAY);
   glDisable(GL_BLEND);
   GLubyte *pixels = malloc(SIZE * SIZE * 4);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   long sum = 0;
   for (int i = 0; i < SIZE * SIZE; i++)
      sum += pixels[i * 4];
   EXPECT(sum == 16L * (n + k), "%d vertices and %d indices: sum %ld, not %ld", n, k, sum,
          16L * (n + k));
   free(pixels);
   free(index);
   free(v);
   EXPECT_OK("elements");
}

void
limits_state(void)
{
   glUseProgram(0);
   glViewport(0, 0, SIZE, SIZE);
   check_stacks();
   check_lights_and_planes();
   check_texture_units();
   check_texture_parameters();
   check_points_and_lines();
   check_viewport();
   check_elements();
   check_tables();
   check_bindings();
   EXPECT_ALIVE("fixed functions");
}
