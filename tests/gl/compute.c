/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Compute shaders: where invocations are, shared memory with barriers and atomic operations,
 * uniforms, uniform blocks and textures, indirect dispatch, and draws of what a grid wrote, against
 * values computed here. Prints a line for each check that fails. Not here: errors and queries of
 * limits (piglit). */
#include "storage_words.h"

enum { SIZE = 32 };

#define HEADER                                                 \
   "#version 330 compatibility\n"                              \
   "#extension GL_ARB_compute_shader: require\n"               \
   "#extension GL_ARB_shader_storage_buffer_object: require\n" \
   "#extension GL_ARB_shading_language_420pack: enable\n"
#define OUT "layout(std430, binding = 0) buffer O { uint word[]; };\n"

static GLuint
program(const char *text)
{
   const GLuint p = glCreateProgram();
   glAttachShader(p, util_shader(GL_COMPUTE_SHADER, HEADER, text));
   util_link(p);
   return p;
}

/* Each invocation stores all that it knows of its place. */
static void
places(void)
{
   program(
       "layout(local_size_x = 4, local_size_y = 3, local_size_z = 2) in;\n"
       "struct S { uvec3 local; uint index; uvec3 group; uint size; uvec3 global; uint num; };\n"
       "layout(std430, binding = 0) buffer O { S s[]; };\n"
       "void main() { uint g = (gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y) *\n"
       "gl_NumWorkGroups.x + gl_WorkGroupID.x;\n"
       "s[g * 24u + gl_LocalInvocationIndex] = S(gl_LocalInvocationID,\n"
       "gl_LocalInvocationIndex, gl_WorkGroupID, gl_WorkGroupSize.y, gl_GlobalInvocationID,\n"
       "gl_NumWorkGroups.z); }");
   const GLuint name = storage(0, NULL, 12 * 24 * 2 * 3 * 5);
   glDispatchCompute(2, 3, 5);
   read_back(name, 12 * 24 * 30);
   for (unsigned n = 0; n < 24 * 30; n++) {
      const unsigned i = n % 24, g = n / 24;
      const uint32_t l[3] = {i % 4, i / 4 % 3, i / 12}, w[3] = {g % 2, g / 2 % 3, g / 6};
      const uint32_t want[12] = {l[0],
                                 l[1],
                                 l[2],
                                 i,
                                 w[0],
                                 w[1],
                                 w[2],
                                 3,
                                 w[0] * 4 + l[0],
                                 w[1] * 3 + l[1],
                                 w[2] * 2 + l[2],
                                 5};
      for (unsigned c = 0; c < 12; c++)
         expect("places", 12 * n + c, want[c]);
   }
}

/* A scan of 1024 sums in shared memory, and in a second grid the workgroups' sums. */
static void
scan(void)
{
   for (unsigned i = 0; i < 4096; i++)
      words[i] = (i * 2654435761u) >> 20;
   const GLuint in = storage(1, words, 4096), name = storage(0, NULL, 4096);
   uint32_t want[4096], sum = 0;
   for (unsigned i = 0; i < 4096; i++) {
      sum = i % 1024 ? sum + words[i] : words[i];
      want[i] = sum;
   }
   program("layout(local_size_x = 1024) in;\n" OUT
           "layout(std430, binding = 1) buffer I { uint from[]; };\nshared uint s[1024];\n"
           "void main() { uint i = gl_LocalInvocationIndex; s[i] = from[gl_GlobalInvocationID.x];\n"
           "for (uint d = 1u; d < 1024u; d *= 2u) { barrier(); uint v = s[i];\n"
           "if (i >= d) v += s[i - d]; barrier(); s[i] = v; }\n"
           "word[gl_GlobalInvocationID.x] = s[i]; }");
   glDispatchCompute(4, 1, 1);
   read_back(name, 4096);
   for (unsigned i = 0; i < 4096; i++)
      expect("scan", i, want[i]);
   glDeleteBuffers(1, &in);
}

/* Vectors, matrices and structures in shared memory, indexed by what differs by invocation. */
static void
shared_types(void)
{
   program(
       "layout(local_size_x = 8) in;\n" OUT
       "struct S { vec3 v; int i; mat2x3 m; };\nshared S s[8]; shared vec4 v[8];\n"
       "void main() { uint i = gl_LocalInvocationIndex, j = 7u - i;\n"
       "s[i].v = vec3(i, i + 1u, i + 2u); s[i].i = -int(i); s[i].m = mat2x3(i, 1, 2, 3, 4, i);\n"
       "v[i] = vec4(i) * 0.5; v[i].z = 9.0; barrier();\n"
       "word[6u * i] = uint(s[j].v.y); word[6u * i + 1u] = uint(-s[j].i);\n"
       "word[6u * i + 2u] = uint(s[j].m[1][2]); word[6u * i + 3u] = uint(v[j].w * 2.0);\n"
       "word[6u * i + 4u] = uint(v[j][2]); word[6u * i + 5u] = uint(s[j].m[0][i % 3u]); }");
   const GLuint name = storage(0, NULL, 48);
   glDispatchCompute(1, 1, 1);
   read_back(name, 48);
   for (unsigned i = 0; i < 8; i++) {
      const unsigned j = 7 - i;
      const uint32_t want[6] = {j + 1, j, j, j, 9, i % 3 ? i % 3 : j};
      for (unsigned c = 0; c < 6; c++)
         expect("types of shared memory", 6 * i + c, want[c]);
   }
}

/* A histogram: atomic operations on shared memory, then on a buffer; and all operations once. */
static void
atomics(void)
{
   uint32_t want[16] = {0}, zero[32] = {0};
   for (unsigned i = 0; i < 16 * 256; i++)
      want[(i * 7 ^ i / 16) & 15]++;
   const GLuint name = storage(0, zero, 32);
   program("layout(local_size_x = 256) in;\n" OUT "shared uint h[16];\n"
           "void main() { uint l = gl_LocalInvocationIndex, i = gl_GlobalInvocationID.x;\n"
           "if (l < 16u) h[l] = 0u; barrier();\n"
           "atomicAdd(h[(i * 7u ^ i / 16u) & 15u], 1u); barrier();\n"
           "if (l < 16u) atomicAdd(word[l], h[l]); }");
   glDispatchCompute(16, 1, 1);
   read_back(name, 32);
   for (unsigned i = 0; i < 16; i++)
      expect("histogram", i, want[i]);
   program("layout(local_size_x = 64) in;\n" OUT "shared int a[8]; shared uint u[8];\n"
           "void main() { int i = int(gl_LocalInvocationIndex);\n"
           "if (i < 8) { a[i] = 0; u[i] = i == 3 ? ~0u : 5u; } barrier();\n"
           "atomicMin(a[0], 10 - i); atomicMax(a[1], i - 3); atomicMin(u[0], uint(i));\n"
           "atomicMax(u[1], uint(i)); atomicAnd(u[3], ~uint(1 << (i & 31)));\n"
           "atomicOr(u[4], uint(1 << (i & 31))); atomicXor(u[5], uint(i));\n"
           "atomicExchange(a[2], 77); if (atomicCompSwap(a[3], 0, i + 1) == 0) a[4] = i + 1;\n"
           "barrier(); if (i < 8) { word[i] = uint(a[i]); word[8 + i] = u[i]; } }");
   glDispatchCompute(1, 1, 1);
   read_back(name, 16);
   const uint32_t all[16] = {(uint32_t)-53, 60, 77, words[4], words[3], 0, 0, 0, 0, 63, 5, 0,
                             ~0u,           5,  5,  5};
   for (unsigned i = 0; i < 16; i++)
      expect("atomic operations", i, all[i]);
}

/* Uniforms, a uniform block and a texture; then a draw samples the same unit. */
static void
reads(void)
{
   static const GLubyte texels[4][4] = {{10, 20, 30, 40}, {50, 60, 70, 80}, {90}, {200}};
   const GLfloat block[8] = {1, 2, 3, 4, 5, 6, 7, 8};
   GLuint texture, uniforms;
   const GLuint name = storage(0, NULL, 64),
                p = program(
                    "layout(local_size_x = 4) in;\n" OUT
                    "uniform uint factor[3]; uniform sampler2D t;\n"
                    "layout(std140) uniform B { vec4 v[2]; };\n"
                    "void main() { uint i = gl_LocalInvocationIndex;\n"
                    "word[i] = factor[1] * i + factor[2];\n"
                    "word[4u + i] = uint(v[i & 1u][i]);\n"
                    "word[8u + i] = uint(texelFetch(t, ivec2(i & 1u, i / 2u), 0).r * 255.0\n"
                    "+ 0.5); word[12u + i] = uint(textureLod(t, vec2(0.25), 0.0)[i] * 255.0\n"
                    "+ 0.5) + uint(textureSize(t, 0).x); }");
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glGenBuffers(1, &uniforms);
   glBindBuffer(GL_UNIFORM_BUFFER, uniforms);
   glBufferData(GL_UNIFORM_BUFFER, sizeof(block), block, GL_STATIC_DRAW);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, uniforms);
   glUniform1uiv(glGetUniformLocation(p, "factor"), 3, (const GLuint[3]){9, 11, 13});
   glDispatchCompute(1, 1, 1);
   read_back(name, 16);
   for (unsigned i = 0; i < 4; i++) {
      expect("uniforms", i, 11 * i + 13);
      expect("a uniform block", 4 + i, (uint32_t)block[4 * (i & 1) + i]);
      expect("fetched texels", 8 + i, texels[i][0]);
      expect("sampled texels", 12 + i, texels[0][i] + 2u);
   }
}

/* A grid counts the workgroups of the next one, whose vertices a draw takes. */
static void
indirect_and_drawn(void)
{
   const GLuint counts = storage(0, (const uint32_t[3]){0, 1, 1}, 3),
                vertices = storage(1, NULL, 4 * 16);
   program("layout(local_size_x = 32) in;\n" OUT
           "void main() { if (gl_LocalInvocationIndex % 2u == 0u) atomicAdd(word[0], 1u); }");
   glDispatchCompute(1, 1, 1);
   program("layout(local_size_x = 1) in;\n"
           "layout(std430, binding = 1) buffer V { vec4 v[]; };\n"
           "void main() { uint i = gl_WorkGroupID.x;\n"
           "v[i] = vec4(i & 1u, i / 2u & 1u, 0, 1) * 2.0 - vec4(1, 1, 0, 1); }");
   glMemoryBarrier(GL_COMMAND_BARRIER_BIT);
   glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, counts);
   glDispatchComputeIndirect(0);
   glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
   util_program("#version 330 compatibility\n",
                "in vec4 p; void main() { gl_Position = vec4(p.xyz, 1.0); }",
                "void main() { gl_FragColor = vec4(0, 1, 0, 1); }");
   GLint current;
   glGetIntegerv(GL_CURRENT_PROGRAM, &current);
   const GLint at = glGetAttribLocation((GLuint)current, "p");
   glBindBuffer(GL_ARRAY_BUFFER, vertices);
   glVertexAttribPointer((GLuint)at, 4, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray((GLuint)at);
   glClearColor(1, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   glDisableVertexAttribArray((GLuint)at);
   static GLubyte pixel[SIZE * SIZE][4];
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      CHECK_OR(right = false, pixel[i][1] == 255 && !pixel[i][0], "pixel %u is not green", i);
   read_back(counts, 1);
   expect("workgroups of an indirect grid", 0, 16);
}

/* Invocations counted by the query of pipeline statistics. */
static void
counted(void)
{
   GLuint query, count = 0;
   storage(0, NULL, 4);
   program("layout(local_size_x = 33) in;\n" OUT "void main() { word[0] = 1u; }");
   glGenQueries(1, &query);
   glBeginQuery(GL_COMPUTE_SHADER_INVOCATIONS_ARB, query);
   glDispatchCompute(3, 2, 1);
   glDispatchCompute(0, 2, 1);
   glEndQuery(GL_COMPUTE_SHADER_INVOCATIONS_ARB);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &count);
   CHECK_OR(right = false, count == 198, "%u invocations, not 198", count);
}

int
main(void)
{
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   places();
   scan();
   shared_types();
   atomics();
   reads();
   indirect_and_drawn();
   counted();
   CHECK(glGetError() == GL_NO_ERROR, "an error of OpenGL");
   return !right;
}
