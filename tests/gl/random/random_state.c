/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Random calls about the state of the fixed stages, what programs ask of it, names that are deleted
 * while they are used, and fences. */
#include "random.h"
#include <stddef.h>

static const GLenum switches[] = {GL_BLEND,
                                  GL_DEPTH_TEST,
                                  GL_STENCIL_TEST,
                                  GL_SCISSOR_TEST,
                                  GL_CULL_FACE,
                                  GL_DITHER,
                                  GL_COLOR_LOGIC_OP,
                                  GL_POLYGON_OFFSET_FILL,
                                  GL_MULTISAMPLE,
                                  GL_SAMPLE_COVERAGE,
                                  GL_SAMPLE_MASK,
                                  GL_SAMPLE_ALPHA_TO_COVERAGE,
                                  GL_DEPTH_CLAMP,
                                  GL_PRIMITIVE_RESTART,
                                  GL_FRAMEBUFFER_SRGB,
                                  GL_PROGRAM_POINT_SIZE,
                                  GL_CLIP_DISTANCE0,
                                  GL_RASTERIZER_DISCARD,
                                  GL_POLYGON_SMOOTH,
                                  GL_LINE_SMOOTH,
                                  GL_TEXTURE_CUBE_MAP_SEAMLESS,
                                  GL_PRIMITIVE_RESTART_FIXED_INDEX,
                                  GL_CLIP_DISTANCE1};
static const GLenum comparisons[] = {GL_NEVER,   GL_LESS,     GL_EQUAL,  GL_LEQUAL,
                                     GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS};
static const GLenum stencil_ops[] = {GL_KEEP,      GL_ZERO,      GL_REPLACE, GL_INCR,
                                     GL_INCR_WRAP, GL_DECR_WRAP, GL_DECR,    GL_INVERT};
static const GLenum factors[] = {GL_ZERO,
                                 GL_ONE,
                                 GL_SRC_COLOR,
                                 GL_SRC_ALPHA,
                                 GL_DST_COLOR,
                                 GL_ONE_MINUS_SRC_ALPHA,
                                 GL_CONSTANT_COLOR,
                                 GL_DST_ALPHA,
                                 GL_SRC_ALPHA_SATURATE,
                                 GL_SRC1_COLOR,
                                 GL_ONE_MINUS_CONSTANT_ALPHA};
static const GLenum equations[] = {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN,
                                   GL_MAX};
static const GLenum faces[] = {GL_FRONT, GL_BACK, GL_FRONT_AND_BACK};

static void
state_tests(void)
{
   const GLenum face = RANDOM_OF(faces);
   switch (random_below(6)) {
   case 0:
      glStencilFuncSeparate(face, RANDOM_OF(comparisons), random_place(), random_below(512));
      break;
   case 1:
      glStencilOpSeparate(face, RANDOM_OF(stencil_ops), RANDOM_OF(stencil_ops),
                          RANDOM_OF(stencil_ops));
      break;
   case 2:
      glStencilMaskSeparate(face, random_below(512));
      break;
   case 3:
      glDepthRangef(random_float(), random_float());
      break;
   case 4:
      glDepthMask(random_one_in(2));
      break;
   default:
      glDepthFunc(RANDOM_OF(comparisons));
      break;
   }
}

static void
state_colors(void)
{
   const GLuint at = random_one_in(40) ? random_below(40) : random_below(3);
   switch (random_below(7)) {
   case 0:
      glBlendFuncSeparate(RANDOM_OF(factors), RANDOM_OF(factors), RANDOM_OF(factors),
                          RANDOM_OF(factors));
      break;
   case 1:
      glBlendEquationSeparate(RANDOM_OF(equations), RANDOM_OF(equations));
      break;
   case 2:
      glBlendColor(random_float(), random_float(), random_float(), random_float());
      break;
   case 3:
      glColorMaski(at, random_one_in(2), random_one_in(2), 1, random_one_in(2));
      break;
   case 4:
      glLogicOp(random_one_in(30) ? random_below(9999) : GL_CLEAR + random_below(16));
      break;
   case 5:
      (random_one_in(2) ? glEnablei : glDisablei)(GL_BLEND, at);
      break;
   default:
      glSampleCoverage(random_float(), random_one_in(2));
      glSampleMaski(random_one_in(30) ? 3 : 0, random_below(65536));
      break;
   }
}

static void
state_raster(void)
{
   static const GLenum fills[] = {GL_FILL, GL_LINE, GL_POINT};
   static const GLenum conventions[] = {GL_FIRST_VERTEX_CONVENTION, GL_LAST_VERTEX_CONVENTION};
   switch (random_below(10)) {
   case 0:
      glViewport(random_place(), random_place(), random_size(64), random_size(64));
      break;
   case 1:
      glScissor(random_place(), random_place(), random_size(64), random_size(64));
      break;
   case 2:
      glPolygonMode(random_one_in(20) ? RANDOM_OF(faces) : GL_FRONT_AND_BACK, RANDOM_OF(fills));
      break;
   case 3:
      glPolygonOffset(random_float(), random_float());
      break;
   case 4:
      glLineWidth(random_float() + 1);
      glPointSize(random_float() * 4);
      break;
   case 5:
      glCullFace(RANDOM_OF(faces));
      break;
   case 6:
      glFrontFace(random_one_in(2) ? GL_CW : GL_CCW);
      break;
   case 7:
      glPrimitiveRestartIndex(random_one_in(2) ? random_below(40) : 0xffff);
      break;
   case 8:
      glPointParameteri(random_one_in(3) ? GL_POINT_FADE_THRESHOLD_SIZE
                                         : GL_POINT_SPRITE_COORD_ORIGIN,
                        (GLint)RANDOM_OF(((const GLenum[]){GL_LOWER_LEFT, GL_UPPER_LEFT, 7})));
      break;
   default:
      glProvokingVertex(RANDOM_OF(conventions));
      glClampColor(GL_CLAMP_READ_COLOR, random_one_in(2) ? GL_TRUE : GL_FIXED_ONLY);
      break;
   }
}

void
random_state(void)
{
   switch (random_below(5)) {
   case 0:
      state_tests();
      break;
   case 1:
      state_colors();
      break;
   case 2:
      state_raster();
      break;
   case 3: {
      const GLenum name = RANDOM_OF(switches);
      const bool on = name == GL_RASTERIZER_DISCARD ? random_one_in(8) : random_one_in(2);
      (on ? glEnable : glDisable)(name);
      break;
   }
   default:
      glDisable(random_one_in(2) ? GL_SCISSOR_TEST : GL_RASTERIZER_DISCARD);
      if (random_one_in(3))
         glViewport(0, 0, 64, 64);
      break;
   }
}

void
random_get(void)
{
   /* Larger than any answer; lists of formats and of binaries are the longest. */
   static union {
      GLint i[4096];
      GLfloat f[4096];
      GLint64 l[4096];
      GLboolean b[4096];
      GLchar c[4096];
   } v;
   const GLenum name = 0x0b00 + random_below(0x8e00);
   const GLuint index = random_below(4), program = random_name(&random_gl.programs);
   const GLsizei room = random_size(200) & 4095;
   switch (random_below(14)) {
   case 0:
      glGetIntegerv(name, v.i);
      break;
   case 1:
      glGetFloatv(name, v.f);
      break;
   case 2:
      glGetInteger64v(name, v.l);
      break;
   case 3:
      glGetBooleanv(name, v.b);
      break;
   case 4:
      glGetIntegeri_v(name, index, v.i);
      break;
   case 5:
      glGetProgramiv(program, name, v.i);
      glGetAttachedShaders(program, 4, NULL, (GLuint *)v.i);
      break;
   case 6:
      glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + index,
                                            0x8210 + random_below(8), v.i);
      glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                            0x8cd0 + random_below(6), v.i);
      break;
   case 7:
      glGetVertexAttribiv(random_below(20), 0x8622 + random_below(5), v.i);
      break;
   case 8:
      glGetActiveAttrib(program, random_below(6), room, NULL, v.i, (GLenum *)v.i + 4, v.c + 64);
      break;
   case 9:
      glGetActiveUniformBlockiv(program, random_below(3), 0x8a3f + random_below(8), v.i);
      break;
   case 10:
      glGetUniformfv(program, random_place() & 15, v.f);
      break;
   case 11:
      glGetTransformFeedbackVarying(program, random_below(5), room, NULL, v.i, (GLenum *)v.i + 4,
                                    v.c + 64);
      break;
   case 12:
      glGetStringi(GL_EXTENSIONS, random_below(400));
      glGetString(random_one_in(3) ? name : GL_VENDOR + random_below(4));
      break;
   default:
      glGetInternalformativ(GL_RENDERBUFFER, name, GL_SAMPLES, room, v.i);
      break;
   }
}

void
random_delete(void)
{
   static const struct {
      struct random_names *names;
      void (*delete)(GLsizei n, const GLuint *names);
   } kinds[] = {
       {&random_gl.textures, glDeleteTextures},
       {&random_gl.buffers, glDeleteBuffers},
       {&random_gl.framebuffers, glDeleteFramebuffers},
       {&random_gl.renderbuffers, glDeleteRenderbuffers},
       {&random_gl.samplers, glDeleteSamplers},
       {&random_gl.arrays, glDeleteVertexArrays},
       {&random_gl.queries, glDeleteQueries},
       {&random_gl.feedbacks, glDeleteTransformFeedbacks},
   };
   const unsigned k = random_below(RANDOM_LENGTH(kinds) + 1);
   if (k == RANDOM_LENGTH(kinds)) {
      glDeleteProgram(random_name(&random_gl.programs));
      return;
   }
   const GLuint list[2] = {random_name(kinds[k].names), random_name(kinds[k].names)};
   kinds[k].delete(random_one_in(30) ? -1 : 1 + (GLsizei)random_below(2), list);
   /* Most of them come again, or later calls would have nothing to work on. */
   if (kinds[k].names->count && !random_one_in(4))
      kinds[k].names->count--;
}

void
random_sync(void)
{
   GLint value = 0;
   switch (random_below(5)) {
   case 0:
      glDeleteSync(random_gl.sync);
      random_gl.sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, random_one_in(20));
      break;
   case 1:
      glClientWaitSync(random_gl.sync, random_one_in(2) ? GL_SYNC_FLUSH_COMMANDS_BIT : 0,
                       random_below(2));
      break;
   case 2:
      glGetSynciv(random_gl.sync, GL_SYNC_STATUS, 1, NULL, &value);
      break;
   case 3:
      glFlush();
      break;
   default:
      glFinish();
      break;
   }
}
