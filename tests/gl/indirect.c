/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Draws whose numbers are in a buffer (ARB_draw_indirect, ARB_multi_draw_indirect), also one that
 * transform feedback wrote; first instances (ARB_base_instance); framebuffers without images
 * (ARB_framebuffer_no_attachments). */
#include <stdint.h>
#include "gl_util.h"

enum { SIZE = 8 };

/* Two quads: the whole target, and its right half. v advances by instance. */
static const GLfloat corners[8][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1},
                                      {0, -1},  {1, -1}, {0, 1},  {1, 1}};
static const GLuint values[4] = {10, 20, 30, 40};

#define HEADER "#version 330\n"
#define VERTEX                                                                           \
   "in vec2 p; in uint v; flat out uvec4 o; void main() { gl_Position = vec4(p, 0, 1); " \
   "o = uvec4(v, gl_InstanceID, gl_VertexID, 7); }"
#define FRAGMENT "flat in uvec4 o; out uvec4 c; void main() { c = o; }"

/* What the pixels in the middle of the left and right half must be: value and number of the
 * instance. */
static void
expect(const char *what, GLuint left, GLuint left_instance, GLuint right, GLuint right_instance)
{
   GLuint got[2][4];
   glReadPixels(1, 4, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, got[0]);
   glReadPixels(6, 4, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, got[1]);
   CHECK(got[0][0] == left && got[0][1] == left_instance && got[1][0] == right &&
             got[1][1] == right_instance,
         "%s: %u %u and %u %u, not %u %u and %u %u", what, got[0][0], got[0][1], got[1][0],
         got[1][1], left, left_instance, right, right_instance);
   CHECK(glGetError() == GL_NO_ERROR, "%s: an error", what);
   glClearBufferuiv(GL_COLOR, 0, (const GLuint[]){1, 1, 1, 1});
}

static GLuint
new_buffer(GLenum target, const void *data, GLsizeiptr size)
{
   GLuint buffer;
   glGenBuffers(1, &buffer);
   glBindBuffer(target, buffer);
   glBufferData(target, size, data, GL_DYNAMIC_COPY);
   return buffer;
}

static const void *
at(uintptr_t offset)
{
   return (const void *)offset;
}

static void
test_draws(void)
{
   static const GLushort indices[] = {9, 9, 0, 1, 2, 3};
   glClearBufferuiv(GL_COLOR, 0, (const GLuint[]){1, 1, 1, 1});
   glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 4, 1, 2);
   expect("first instance", 30, 0, 30, 0);
   new_buffer(GL_ELEMENT_ARRAY_BUFFER, indices, sizeof(indices));
   glDrawElementsInstancedBaseVertexBaseInstance(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, at(4), 2,
                                                 4, 1);
   expect("first instance of indices", 1, 1, 30, 1);

   /* Words that no draw reads lie between the commands. */
   static const GLuint arrays[] = {99, 4, 1, 0, 1, 99, 99, 4, 1, 4, 3, 99};
   const GLuint buffer = new_buffer(GL_DRAW_INDIRECT_BUFFER, arrays, sizeof(arrays));
   glDrawArraysIndirect(GL_TRIANGLE_STRIP, at(4));
   expect("arrays", 20, 0, 20, 0);
   glMultiDrawArraysIndirect(GL_TRIANGLE_STRIP, at(4), 2, 24);
   expect("two draws", 20, 0, 40, 0);
   static const GLuint none[] = {4, 0, 0, 0, 0, 1, 0, 0};
   glBufferSubData(GL_DRAW_INDIRECT_BUFFER, 0, sizeof(none), none);
   glMultiDrawArraysIndirect(GL_TRIANGLE_STRIP, at(0), 2, 0);
   expect("no instances and no vertices", 1, 1, 1, 1);
   static const GLuint elements[] = {4, 1, 2, 0, 0, 4, 3, 2, 4, 1};
   glBufferSubData(GL_DRAW_INDIRECT_BUFFER, 0, sizeof(elements), elements);
   glDrawElementsIndirect(GL_TRIANGLE_STRIP, GL_UNSIGNED_SHORT, at(20));
   expect("elements", 1, 1, 40, 2);
   glMultiDrawElementsIndirect(GL_TRIANGLE_STRIP, GL_UNSIGNED_SHORT, at(0), 2, 0);
   expect("two draws of elements", 10, 0, 40, 2);
   glDrawArraysIndirect(GL_TRIANGLE_STRIP, at(sizeof(arrays) - 12));
   CHECK(glGetError() == GL_INVALID_OPERATION, "a command beyond the buffer is drawn");
   glDeleteBuffers(1, &buffer);
}

/* The GPU writes the command. */
static void
test_written_by_the_gpu(GLuint drawing)
{
   static const char *const varying = "command";
   const GLuint program = glCreateProgram();
   glAttachShader(program, util_shader(GL_VERTEX_SHADER, HEADER,
                                       "flat out uvec4 command; void main() { gl_Position = "
                                       "vec4(0); command = uvec4(4, 1, 4, 2 + gl_VertexID); }"));
   glAttachShader(program, util_shader(GL_FRAGMENT_SHADER, HEADER,
                                       "out uvec4 c; void main() { c = uvec4(5); }"));
   glTransformFeedbackVaryings(program, 1, &varying, GL_INTERLEAVED_ATTRIBS);
   util_link(program);
   const GLuint buffer = new_buffer(GL_DRAW_INDIRECT_BUFFER, NULL, 64);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, 2);
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);
   glUseProgram(drawing);
   glDrawArraysIndirect(GL_TRIANGLE_STRIP, at(16));
   expect("a command of the GPU", 1, 1, 40, 0);
   glDeleteBuffers(1, &buffer);
   glDeleteProgram(program);
}

/* Nothing is written, but samples are counted. */
static void
test_no_images(void)
{
   GLuint framebuffer, query, passed;
   glGenFramebuffers(1, &framebuffer);
   glGenQueries(1, &query);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT,
         "a framebuffer without size is complete");
   glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, 21);
   glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_HEIGHT, 13);
   for (GLint samples = 0; samples <= 8; samples += 4) {
      glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_SAMPLES, samples);
      CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "incomplete");
      glViewport(0, 0, 21, 13);
      glBeginQuery(GL_SAMPLES_PASSED, query);
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
      glEndQuery(GL_SAMPLES_PASSED);
      glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
      CHECK(passed == 21 * 13 * (GLuint)(samples ? samples : 1), "%u passed of %d samples", passed,
            samples);
   }
   CHECK(glGetError() == GL_NO_ERROR, "an error");
   glDeleteFramebuffers(1, &framebuffer);
}

int
main(void)
{
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   util_make_current(display, util_config(display), 16, EGL_NO_CONTEXT, &context);
   util_draw_to_integers(SIZE);
   const GLuint program = util_program(HEADER, VERTEX, FRAGMENT);
   new_buffer(GL_ARRAY_BUFFER, corners, sizeof(corners));
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
   new_buffer(GL_ARRAY_BUFFER, values, sizeof(values));
   glVertexAttribIPointer(1, 1, GL_UNSIGNED_INT, 0, NULL);
   glEnableVertexAttribArray(1);
   glVertexAttribDivisor(1, 1);
   test_draws();
   test_written_by_the_gpu(program);
   test_no_images();
   puts("draws agree");
   return 0;
}
