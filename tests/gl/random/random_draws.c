/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Random calls that draw, and what they draw from: buffers and their parts, vertex arrays, queries
 * and transform feedback. Arrays in the program's memory are drawn within their end only, since
 * what lies behind is the program's mistake. */
#include "random.h"
#include <stdlib.h>
#include <string.h>

static const GLenum buffer_targets[] = {
    GL_ARRAY_BUFFER,      GL_ELEMENT_ARRAY_BUFFER,      GL_COPY_READ_BUFFER,
    GL_COPY_WRITE_BUFFER, GL_PIXEL_PACK_BUFFER,         GL_PIXEL_UNPACK_BUFFER,
    GL_UNIFORM_BUFFER,    GL_TRANSFORM_FEEDBACK_BUFFER, GL_TEXTURE_BUFFER};

static GLuint
buffer_bind(GLenum target)
{
   GLuint name = random_name(&random_gl.buffers);
   if (random_gl.buffers.count < 4) {
      glGenBuffers(1, &name);
      random_add(&random_gl.buffers, name, 0);
   }
   glBindBuffer(target, name);
   return name;
}

/* Half of the time what both vertices and indices can be: small floats, or bytes below 64. */
static void *
buffer_data(size_t bytes)
{
   uint8_t *data = random_block(bytes);
   const unsigned kind = random_below(3);
   for (size_t i = 0; kind && i + 4 <= bytes; i += 4) {
      const float f = (float)random_below(2048) / 1024 - 1;
      if (kind == 1)
         memcpy(data + i, &f, sizeof(f));
      else
         data[i] &= 63, data[i + 1] = 0, data[i + 2] &= 63, data[i + 3] = 0;
   }
   return data;
}

void
random_buffer(void)
{
   static const GLenum usages[] = {GL_STATIC_DRAW, GL_STREAM_DRAW, GL_DYNAMIC_READ, GL_STREAM_COPY};
   const GLenum target = RANDOM_OF(buffer_targets);
   const GLuint name = buffer_bind(target);
   const GLsizeiptr size = random_one_in(30) ? random_size(100) : 16 + (GLsizei)random_below(4096);
   const bool too_large = size > 1 << 20;
   switch (random_below(6)) {
   case 0:
      if (size >= 0 && !too_large)
         glBufferSubData(target, random_one_in(8) ? random_place() : (GLint)random_below(900),
                         size / 3, buffer_data((size_t)size / 3));
      break;
   case 1:
      glBindBufferBase(RANDOM_OF(buffer_targets), random_below(random_one_in(30) ? 200 : 4), name);
      break;
   case 2:
      glBindBufferRange(random_one_in(2) ? GL_UNIFORM_BUFFER : GL_TRANSFORM_FEEDBACK_BUFFER,
                        random_below(4), name,
                        random_one_in(3) ? random_place() : 256 * (GLint)random_below(3),
                        random_one_in(6) ? random_size(2000) : 4 * (GLint)random_below(500));
      break;
   default:
      glBufferData(target, size,
                   size < 0 || too_large || random_one_in(6) ? NULL : buffer_data((size_t)size),
                   RANDOM_OF(usages));
      break;
   }
}

void
random_buffer_map(void)
{
   static const GLenum names[] = {GL_ARRAY_BUFFER, GL_ELEMENT_ARRAY_BUFFER, GL_UNIFORM_BUFFER,
                                  GL_COPY_WRITE_BUFFER, GL_PIXEL_PACK_BUFFER};
   static const GLbitfield access[] = {GL_MAP_READ_BIT,
                                       GL_MAP_WRITE_BIT,
                                       GL_MAP_READ_BIT | GL_MAP_WRITE_BIT,
                                       GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT,
                                       GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT,
                                       GL_MAP_WRITE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT,
                                       GL_MAP_WRITE_BIT | GL_MAP_UNSYNCHRONIZED_BIT};
   const GLenum target = RANDOM_OF(names);
   buffer_bind(target);
   const GLsizeiptr size = 4 + (GLsizei)random_below(200);
   const GLbitfield bits =
       random_one_in(20) ? random_below(256) : access[random_below(RANDOM_LENGTH(access))];
   uint8_t *p = glMapBufferRange(target, random_place(), size, bits);
   if (p && bits & GL_MAP_WRITE_BIT)
      memcpy(p, buffer_data((size_t)size), (size_t)size);
   else if (p && bits & GL_MAP_READ_BIT)
      random_sum(p, (size_t)size);
   if (random_one_in(3))
      glFlushMappedBufferRange(target, random_place(), (GLint)random_below(100));
   if (!random_one_in(12))
      glUnmapBuffer(target);
}

void
random_buffer_copy(void)
{
   const GLenum from = RANDOM_OF(buffer_targets), to = RANDOM_OF(buffer_targets);
   buffer_bind(from);
   buffer_bind(to);
   const GLsizeiptr size = random_size(600);
   glCopyBufferSubData(from, to, random_place(), random_place(), size);
   if (size > 0 && size <= 4096)
      glGetBufferSubData(to, random_place(), size, random_block((size_t)size));
}

static void
vertex_pointer(GLuint index)
{
   static const GLenum types[] = {GL_FLOAT,         GL_FLOAT,          GL_FLOAT,
                                  GL_UNSIGNED_BYTE, GL_SHORT,          GL_HALF_FLOAT,
                                  GL_INT,           GL_UNSIGNED_SHORT, GL_INT_2_10_10_10_REV,
                                  GL_BYTE,          GL_DOUBLE,         GL_FIXED};
   const GLenum type = RANDOM_OF(types);
   const GLint size =
       random_one_in(40) ? (GLint)(GL_BGRA - (GLuint)random_place()) : 1 + (GLint)random_below(4);
   GLsizei stride = random_one_in(40) ? random_size(99) : 4 * (GLsizei)random_below(9);
   GLint buffer = 0;
   glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &buffer);
   const char *pointer = (const char *)(uintptr_t)random_below(64); // NOLINT: an offset
   if (!buffer) { /* at most 32 bytes a vertex, and 32 more at the end */
      if (!random_gl.vertices)
         random_gl.vertices = calloc(RANDOM_CLIENT_VERTICES + 1, 32);
      if (stride > 32)
         stride = 32;
      pointer = random_gl.vertices;
      random_gl.client_arrays = true;
   }
   if (index == 3 ? !random_one_in(30) : random_one_in(30))
      glVertexAttribIPointer(index, size, type, stride, pointer);
   else
      glVertexAttribPointer(index, size, type, random_one_in(2), stride, pointer);
}

void
random_vertex_arrays(void)
{
   GLuint name;
   if (random_gl.arrays.count < 2 || random_one_in(10)) {
      glGenVertexArrays(1, &name);
      random_add(&random_gl.arrays, name, 0);
   }
   if (random_one_in(3))
      glBindVertexArray(random_name(&random_gl.arrays));
   for (GLuint i = 0; i < RANDOM_ATTRIBUTES; i++) {
      const GLuint at = random_one_in(60) ? random_below(40) : i;
      buffer_bind(GL_ARRAY_BUFFER);
      if (!random_one_in(5))
         vertex_pointer(at);
      (random_one_in(5) ? glDisableVertexAttribArray : glEnableVertexAttribArray)(at);
      if (random_one_in(4))
         glVertexAttribDivisor(at, random_below(3));
      if (random_one_in(4))
         glVertexAttrib4f(at, random_float(), random_float(), random_float(), 1);
      if (i == 3 && random_one_in(2))
         glVertexAttribI4i(at, random_place(), 2, 3, 4);
   }
   buffer_bind(GL_ELEMENT_ARRAY_BUFFER);
}

/* An attribute that has lost its buffer would read the program's memory at its offset. */
static void
disarm(void)
{
   for (GLuint i = 0; i < 16; i++) {
      GLint enabled = 0, buffer = 0;
      void *pointer = NULL;
      glGetVertexAttribiv(i, GL_VERTEX_ATTRIB_ARRAY_ENABLED, &enabled);
      glGetVertexAttribiv(i, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, &buffer);
      glGetVertexAttribPointerv(i, GL_VERTEX_ATTRIB_ARRAY_POINTER, &pointer);
      if (enabled && !buffer && (!pointer || pointer != random_gl.vertices))
         glDisableVertexAttribArray(i);
   }
}

static const GLenum modes[] = {GL_POINTS,
                               GL_LINES,
                               GL_LINE_LOOP,
                               GL_LINE_STRIP,
                               GL_TRIANGLES,
                               GL_TRIANGLES,
                               GL_TRIANGLES,
                               GL_TRIANGLE_STRIP,
                               GL_TRIANGLE_FAN,
                               GL_LINES_ADJACENCY,
                               GL_LINE_STRIP_ADJACENCY,
                               GL_TRIANGLES_ADJACENCY,
                               GL_TRIANGLE_STRIP_ADJACENCY};

/* Vertices of one draw, few of them, since each is shaded. */
static GLsizei
vertex_count(void)
{
   static const GLsizei odd[] = {0, -1, 1, 2, 1000};
   if (random_one_in(20) && !random_gl.client_arrays)
      return odd[random_below(RANDOM_LENGTH(odd))];
   return 1 + (GLsizei)random_below(RANDOM_CLIENT_VERTICES / 2);
}

/* Where the indices are; NULL with no buffer is the program's mistake, so there is a block. */
static const void *
indices(GLenum type, GLsizei count)
{
   GLint buffer = 0;
   glGetIntegerv(GL_ELEMENT_ARRAY_BUFFER_BINDING, &buffer);
   if (buffer && !random_gl.client_arrays)
      return (const void *)(uintptr_t)(random_one_in(4) ? random_below(3000) : 0); // NOLINT
   if (buffer)
      glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
   const size_t width = type == GL_UNSIGNED_BYTE ? 1 : type == GL_UNSIGNED_SHORT ? 2 : 4;
   uint8_t *data = random_block(width * (size_t)(count < 0 ? 0 : count));
   for (GLsizei i = 0; i < count; i++) {
      memset(data + (size_t)i * width, 0, width);
      data[(size_t)i * width] = (uint8_t)random_below(RANDOM_CLIENT_VERTICES / 2);
   }
   return data;
}

static void
draw_elements(GLenum mode, GLsizei count, GLsizei instances)
{
   static const GLenum types[] = {GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT, GL_UNSIGNED_INT};
   const GLenum type = RANDOM_OF(types);
   const void *at = indices(type, count);
   const GLint base = random_gl.client_arrays ? (GLint)random_below(32) : random_place();
   const GLsizei counts[3] = {count, count / 2, 1};
   const void *const where[3] = {at, at, at};
   const GLint bases[3] = {base, 0, 1};
   /* All vertices of a range may be read, also those that no index names. */
   const GLuint last = random_gl.client_arrays ? RANDOM_CLIENT_VERTICES - 1 : 255;
   switch (random_below(6)) {
   case 0:
      glDrawElementsInstanced(mode, count, type, at, instances);
      break;
   case 1:
      glDrawRangeElements(mode, 0, random_one_in(4) ? random_below(20) : last, count, type, at);
      break;
   case 2:
      glDrawElementsBaseVertex(mode, count, type, at, base);
      break;
   case 3:
      glMultiDrawElements(mode, counts, type, where, (GLsizei)random_below(4));
      break;
   case 4:
      glMultiDrawElementsBaseVertex(mode, counts, type, where, (GLsizei)random_below(4), bases);
      break;
   default:
      glDrawElements(mode, count, type, at);
      break;
   }
}

/* Ends what keeps most draws from having an effect. */
static void
mend(void)
{
   GLint linked = 0, program = 0;
   glGetIntegerv(GL_CURRENT_PROGRAM, &program);
   glGetProgramiv((GLuint)program, GL_LINK_STATUS, &linked);
   if (!program || !linked)
      random_program_new();
   glEndConditionalRender();
   if (random_one_in(3))
      glEndTransformFeedback();
   glBindVertexArray(random_gl.arrays.name[0]);
   for (size_t i = 0; i < RANDOM_LENGTH(buffer_targets); i++)
      glUnmapBuffer(buffer_targets[i]);
   if (random_one_in(2) || glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDisable(GL_RASTERIZER_DISCARD);
   if (random_one_in(2)) {
      glDisable(GL_SCISSOR_TEST);
      glDisable(GL_DEPTH_TEST);
      glColorMask(1, 1, 1, 1);
      glViewport(0, 0, 64, 64);
   }
}

void
random_draw(void)
{
   if (random_one_in(2))
      mend();
   static const GLsizei many[] = {1, 1, 1, 2, 3, 0, -1, 40};
   const GLenum mode = RANDOM_OF(modes);
   const GLsizei count = vertex_count(), instances = many[random_below(RANDOM_LENGTH(many))];
   const GLint first =
       random_gl.client_arrays ? (GLint)random_below(RANDOM_CLIENT_VERTICES / 2) : random_place();
   const GLint firsts[2] = {first, 0};
   const GLsizei counts[2] = {count, count};
   disarm();
   while (glGetError())
      ;
   switch (random_below(6)) {
   case 0:
      glDrawArrays(mode, first, count);
      break;
   case 1:
      glDrawArraysInstanced(mode, first, count, instances);
      break;
   case 2:
      glMultiDrawArrays(mode, firsts, counts, 2);
      break;
   default:
      draw_elements(mode, count, instances);
      break;
   }
   random_gl.draws += !glGetError();
}

void
random_query(void)
{
   static const GLenum targets[] = {GL_SAMPLES_PASSED,
                                    GL_ANY_SAMPLES_PASSED,
                                    GL_ANY_SAMPLES_PASSED_CONSERVATIVE,
                                    GL_PRIMITIVES_GENERATED,
                                    GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
                                    GL_TIME_ELAPSED};
   static const GLenum waits[] = {GL_QUERY_WAIT, GL_QUERY_NO_WAIT, GL_QUERY_BY_REGION_WAIT};
   const GLenum target = RANDOM_OF(targets);
   GLuint name = random_name(&random_gl.queries), result = 0;
   GLuint64 wide = 0;
   if (random_gl.queries.count < 4) {
      glGenQueries(1, &name);
      random_add(&random_gl.queries, name, 0);
   }
   switch (random_below(7)) {
   case 0:
   case 1:
      glBeginQuery(target, name);
      break;
   case 2:
   case 3:
      glEndQuery(target);
      break;
   case 4:
      glGetQueryObjectuiv(name, random_one_in(3) ? GL_QUERY_RESULT_AVAILABLE : GL_QUERY_RESULT,
                          &result);
      glGetQueryObjectui64v(name, GL_QUERY_RESULT, &wide);
      break;
   case 5:
      glBeginConditionalRender(name, RANDOM_OF(waits));
      break;
   default:
      glEndConditionalRender();
      glQueryCounter(name, GL_TIMESTAMP);
      break;
   }
}

void
random_feedback(void)
{
   static const GLenum primitives[] = {GL_POINTS, GL_LINES, GL_TRIANGLES};
   GLuint name = random_name(&random_gl.feedbacks);
   switch (random_below(6)) {
   case 0:
      if (random_gl.feedbacks.count < 2) {
         glGenTransformFeedbacks(1, &name);
         random_add(&random_gl.feedbacks, name, 0);
      }
      glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, name);
      break;
   case 1:
      glPauseTransformFeedback();
      break;
   case 2:
      glResumeTransformFeedback();
      break;
   case 3:
      glEndTransformFeedback();
      break;
   default:
      for (GLuint i = 0; i < 3; i++)
         glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, random_name(&random_gl.buffers));
      glBeginTransformFeedback(RANDOM_OF(primitives));
      break;
   }
}
