/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Storage buffers and atomic counters in vertex, geometry and fragment shaders: loads, stores and
 * atomic operations against what the specification says, layouts, ranges and what is outside them,
 * fragments that are killed, hidden or helpers, early tests, and draws that read what others wrote.
 * Prints a line for each check that fails. Not here: errors and queries (piglit). */
#include "storage_words.h"

enum { SIZE = 32, PIXELS = SIZE * SIZE };

#define HEADER                                                 \
   "#version 330 compatibility\n"                              \
   "#extension GL_ARB_shader_storage_buffer_object: require\n" \
   "#extension GL_ARB_shader_atomic_counters: require\n"       \
   "#extension GL_ARB_shading_language_420pack: enable\n"      \
   "#extension GL_ARB_shader_image_load_store: enable\n"
#define VERTEX "void main() { gl_Position = gl_Vertex; }"
#define PIXEL "int(gl_FragCoord.x) + 32 * int(gl_FragCoord.y)"

/* A storage buffer filled with a word. */
static GLuint
filled(GLuint binding, uint32_t with, unsigned n)
{
   for (unsigned i = 0; i < n; i++)
      words[i] = with;
   return storage(binding, words, n);
}

/* Mesa keeps vertices of glBegin until something asks for pixels, so these are arrays. */
static void
draw_vertices(GLenum kind, const GLfloat (*vertex)[3], GLsizei num)
{
   glBindBuffer(GL_ARRAY_BUFFER, 0);
   glVertexPointer(3, GL_FLOAT, 0, vertex);
   glEnableClientState(GL_VERTEX_ARRAY);
   glDrawArrays(kind, 0, num);
   glDisableClientState(GL_VERTEX_ARRAY);
}

static void
draw(void)
{
   static const GLfloat all[4][3] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   draw_vertices(GL_TRIANGLE_STRIP, all, 4);
}

/* Each fragment stores its number; helpers of the triangle's edges store nothing. */
static void
fragments_store(void)
{
   const GLuint name = filled(0, 7, PIXELS);
   util_program(HEADER, VERTEX,
                "layout(std430, binding = 0) buffer B { uint word[]; };\n"
                "void main() { int i = " PIXEL "; word[i] = 1000u + uint(i);\n"
                "float d = dFdx(float(i)); gl_FragColor = vec4(0, d, 0, 1); }");
   glClear(GL_COLOR_BUFFER_BIT);
   draw_vertices(GL_TRIANGLES, (const GLfloat[3][3]){{-1, -1}, {1, -1}, {-1, 1}}, 3);
   static GLubyte pixel[PIXELS][4];
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   read_back(name, PIXELS);
   for (unsigned i = 0; i < PIXELS; i++)
      expect("stores of fragments", i, pixel[i][1] ? 1000 + i : 7);
}

/* Every kind of member, in its place of std430, loaded and stored. */
static void
layouts(void)
{
   struct {
      GLfloat a, pad[3], b[3], c; /* 0, 16, 28 */
      GLfloat m[3][4], d[3];      /* 32, 80 */
      GLint e, i[2];              /* 92, 96 */
      GLuint t, u;                /* 104, 108 */
      GLfloat s[2][4];            /* 112 */
   } in = {.a = 1.5f,
           .b = {2, 3, 4},
           .c = 5,
           .d = {6, 7, 8},
           .e = -9,
           .i = {-7, 1 << 30},
           .t = 1,
           .u = 4000000001u,
           .s = {{10, 11, 12, 13}, {14, 15, 16, 17}}};
   for (unsigned k = 0; k < 3; k++) {
      for (unsigned c = 0; c < 3; c++)
         in.m[k][c] = (GLfloat)(20 + 10 * k + c);
   }
   storage(0, &in, sizeof(in) / 4);
   const GLuint out = filled(1, 99, sizeof(in) / 4);
#define MEMBERS(x)                                                                        \
   "float a" x "; vec3 b" x "; float c" x "; mat3 m" x "; float d" x "[3]; int e" x ";\n" \
   "ivec2 i" x "; bool t" x "; uint u" x "; vec4 s" x "[2];"
   util_program(HEADER, VERTEX,
                "layout(std430, binding = 0) readonly buffer A { " MEMBERS(
                    "0") " };\n"
                         "layout(std430, binding = 1) buffer B { " MEMBERS(
                             "1") " };\n"
                                  "void main() { a1 = a0; b1.yz = b0.zy; b1.x = b0.x; c1 = c0; "
                                  "m1[0] = m0[0];\n"
                                  "m1[1] = m0[2]; m1[2].y = m0[2].y; for (int k = 0; k < 3; k++) "
                                  "d1[k] = d0[2 - k];\n"
                                  "e1 = e0; i1 = i0; t1 = !t0; u1 = u0; s1[1] = s0[0].wzyx; "
                                  "s1[0].xw = s0[1].xw;\n"
                                  "gl_FragColor = vec4(1); }");
   draw();
   read_back(out, sizeof(in) / 4);
   GLfloat f[40];
   memcpy(f, words, sizeof(in));
   static const struct {
      unsigned at;
      GLfloat value;
   } want[] = {{0, 1.5f}, {4, 2},   {5, 4},   {6, 3},   {7, 5},   {8, 20},  {9, 21},
               {10, 22},  {12, 40}, {13, 41}, {14, 42}, {17, 41}, {20, 8},  {21, 7},
               {22, 6},   {28, 14}, {31, 17}, {32, 13}, {33, 12}, {34, 11}, {35, 10}};
   for (unsigned k = 0; k < sizeof(want) / sizeof(want[0]); k++)
      CHECK_OR(right = false, f[want[k].at] == want[k].value, "std430: word %u is %g, not %g",
               want[k].at, f[want[k].at], want[k].value);
   static const struct {
      unsigned at;
      uint32_t value;
   } bits[] = {{1, 99},  {11, 99},           {15, 99},           {16, 99},
               {18, 99}, {23, (uint32_t)-9}, {24, (uint32_t)-7}, {25, 1 << 30},
               {26, 0},  {27, 4000000001u},  {29, 99},           {30, 99}};
   for (unsigned k = 0; k < sizeof(bits) / sizeof(bits[0]); k++)
      expect("std430", bits[k].at, bits[k].value);
}

/* All operations whose order is not seen, on a word for all and on a word for each of eight. */
static void
atomics(void)
{
   static const uint32_t start[] = {5,           0xffffffffu, 3, 0x7fffffff,
                                    0x80000000u, 0xffffffffu, 0, 0xf0f0f0f0u};
   memset(words, 0, sizeof(words));
   memcpy(words, start, sizeof(start));
   const GLuint name = storage(0, words, 16);
   util_program(HEADER, VERTEX,
                "layout(std430, binding = 0) buffer B { uint add, umin, umax; int imin, imax;\n"
                "uint band, bor, bxor; uint each[8]; };\n"
                "void main() { uint i = uint(" PIXEL ");\n"
                "atomicAdd(add, i); atomicMin(umin, i + 3u); atomicMax(umax, i * 5u);\n"
                "atomicMin(imin, int(i) - 500); atomicMax(imax, int(i) - 2000);\n"
                "atomicAnd(band, ~(1u << (i & 15u))); atomicOr(bor, 1u << (i % 29u));\n"
                "atomicXor(bxor, i * 2654435761u); atomicAdd(each[i & 7u], 1u);\n"
                "gl_FragColor = vec4(1); }");
   draw();
   read_back(name, 16);
   uint32_t x = start[7];
   for (uint32_t i = 0; i < PIXELS; i++)
      x ^= i * 2654435761u;
   const uint32_t want[] = {
       5 + PIXELS * (PIXELS - 1) / 2, 3,           (PIXELS - 1) * 5, (uint32_t)-500,
       (uint32_t)(PIXELS - 1 - 2000), 0xffff0000u, (1u << 29) - 1,   x};
   for (unsigned i = 0; i < 8; i++)
      expect("atomic operations", i, want[i]);
   for (unsigned i = 8; i < 16; i++)
      expect("atomic operations on a word each", i, PIXELS / 8);
}

/* What atomic operations return is a permutation; compare and swap loops end. */
static void
returned_values(void)
{
   const GLuint list = filled(0, 0, PIXELS), head = filled(1, 0, 4);
   util_program(HEADER, VERTEX,
                "layout(std430, binding = 0) buffer L { uint list[]; };\n"
                "layout(std430, binding = 1) coherent buffer H { uint head, swapped, sum; };\n"
                "void main() { uint at = atomicAdd(head, 1u); list[at] = uint(" PIXEL ") + 1u;\n"
                "uint old = sum, seen; for (int k = 0; k < 3000; k++) {\n"
                "seen = atomicCompSwap(sum, old, old + 3u); if (seen == old) break; old = seen; }\n"
                "atomicExchange(swapped, 77u);\n"
                "gl_FragColor = vec4(1); }");
   draw();
   read_back(head, 4);
   expect("a counter", 0, PIXELS);
   expect("exchange", 1, 77);
   expect("compare and swap", 2, 3 * PIXELS);
   read_back(list, PIXELS);
   static bool found[PIXELS + 1];
   for (unsigned i = 0; i < PIXELS; i++) {
      const uint32_t pixel = words[i];
      CHECK_OR(right = false, pixel >= 1 && pixel <= PIXELS && !found[pixel],
               "list: place %u has pixel %u", i, pixel);
      found[pixel <= PIXELS ? pixel : 0] = true;
   }
}

/* Killed fragments store before, not after; their atomic operations do nothing. */
static void
kills(void)
{
   const GLuint name = filled(0, 0, 2 * PIXELS + 1);
   util_program(HEADER, VERTEX,
                "layout(std430, binding = 0) buffer B { uint word[]; };\n"
                "void main() { int i = " PIXEL "; word[i] = 1u; if (i % 3 == 0) discard;\n"
                "word[i + 1024] = 2u; atomicAdd(word[2048], 1u); gl_FragColor = vec4(1); }");
   draw();
   read_back(name, 2 * PIXELS + 1);
   unsigned live = 0;
   for (unsigned i = 0; i < PIXELS; i++) {
      expect("stores before a kill", i, 1);
      expect("stores behind a kill", PIXELS + i, i % 3 ? 2 : 0);
      live += i % 3 != 0;
   }
   expect("atomic operations behind a kill", 2 * PIXELS, live);
}

/* Hidden fragments store, unless tests come first. */
static void
early_tests(bool early, bool writes_depth)
{
   char source[512];
   const GLuint name = filled(0, 0, 1);
   snprintf(source, sizeof(source),
            "%slayout(std430, binding = 0) buffer B { uint count; };\n"
            "void main() { atomicAdd(count, 1u); gl_FragColor = vec4(1); %s }",
            early ? "layout(early_fragment_tests) in;\n" : "",
            writes_depth ? "gl_FragDepth = 0.0;" : "");
   util_program(HEADER, VERTEX, source);
   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_LESS);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   for (unsigned i = 0; i < 3; i++) {
      /* The second is hidden, the third is half before both. */
      const GLfloat z = i == 0 ? 0 : i == 1 ? 0.5f : -0.5f, top = i == 2 ? 0 : 1;
      draw_vertices(GL_TRIANGLE_STRIP,
                    (const GLfloat[4][3]){{-1, -1, z}, {1, -1, z}, {-1, top, z}, {1, top, z}}, 4);
   }
   glDisable(GL_DEPTH_TEST);
   read_back(name, 1);
   expect(early ? "early tests" : "late tests", 0,
          early ? PIXELS + PIXELS / 2 : 2 * PIXELS + PIXELS / 2);
}

/* Samples that a program drops count for queries if tests come first. */
static void
counted(bool early)
{
   char source[256];
   snprintf(source, sizeof(source),
            "%svoid main() { gl_FragColor = vec4(1); if ((" PIXEL ") %% 3 == 0) discard; }",
            early ? "layout(early_fragment_tests) in;\n" : "");
   util_program(HEADER, VERTEX, source);
   GLuint query, samples = 0, live = 0;
   glGenQueries(1, &query);
   glBeginQuery(GL_SAMPLES_PASSED, query);
   draw();
   glEndQuery(GL_SAMPLES_PASSED);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &samples);
   glDeleteQueries(1, &query);
   for (unsigned i = 0; i < PIXELS; i++)
      live += i % 3 != 0;
   CHECK_OR(right = false, samples == (early ? PIXELS : live), "%s tests count %u of %u samples",
            early ? "early" : "late", samples, early ? PIXELS : live);
}

/* What is behind a clear, which Hierarchical Z knows, stores all the same. */
static void
behind_a_clear(void)
{
   const GLuint name = filled(0, 0, 1);
   util_program(HEADER, VERTEX,
                "layout(std430, binding = 0) buffer B { uint count; };\n"
                "void main() { atomicAdd(count, 1u); gl_FragColor = vec4(1); }");
   glEnable(GL_DEPTH_TEST);
   glClearDepth(0.25);
   draw();
   glClearDepth(1);
   glDisable(GL_DEPTH_TEST);
   read_back(name, 1);
   expect("fragments behind a clear", 0, PIXELS);
}

/* Outside of a range, loads are 0 and nothing changes. */
static void
outside(void)
{
   GLint align;
   glGetIntegerv(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, &align);
   CHECK(align <= 256, "ranges begin at multiples of %d bytes", align);
   for (unsigned i = 0; i < 192; i++)
      words[i] = 100 + i;
   const GLuint name = storage(2, words, 192), out = filled(1, 9, 8);
   glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, name, 256, 128); /* words 64 to 95 */
   util_program(HEADER, VERTEX,
                "layout(std430, binding = 0) buffer B { uint word[]; };\n"
                "layout(std430, binding = 1) buffer O { uint got[]; };\n"
                "void main() { int i = " PIXEL "; if (i == 0) {\n"
                "int far = 1000 + i; got[0] = word[31 + i]; got[1] = word[32 + i];\n"
                "got[2] = word[far]; got[3] = uint(word.length()); got[4] = word[i - 1];\n"
                "got[5] = atomicAdd(word[far], 5u); word[32 + i] = 1u; word[far] = 2u;\n"
                "word[i - 1] = 3u; word[31 + i] = 4u; got[far] = 6u; }\n"
                "gl_FragColor = vec4(1); }");
   draw();
   read_back(out, 8);
   const uint32_t want[] = {195, 0, 0, 32, 0, 0, 9, 9};
   for (unsigned i = 0; i < 8; i++)
      expect("loads outside", i, want[i]);
   read_back(name, 192);
   for (unsigned i = 0; i < 192; i++)
      expect("stores outside", i, i == 95 ? 4 : 100 + i);
}

/* Vertex shaders store, once for each index. */
static void
vertices_store(void)
{
   static const GLubyte index[] = {0, 1, 2, 2, 1, 3, 0, 1, 2};
   static const GLfloat p[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
   const GLuint name = filled(0, 0, 8);
   util_program(HEADER,
                "layout(std430, binding = 0) buffer B { uint count[4]; uint seen[4]; };\n"
                "in vec2 p; void main() { atomicAdd(count[gl_VertexID], 1u);\n"
                "seen[gl_VertexID] = uint(gl_VertexID) + 50u; gl_Position = vec4(p, 0, 1); }",
                "void main() { gl_FragColor = vec4(0, 1, 0, 1); }");
   glEnableVertexAttribArray(0);
   GLuint vertices, indices;
   glGenBuffers(1, &vertices);
   glBindBuffer(GL_ARRAY_BUFFER, vertices);
   glBufferData(GL_ARRAY_BUFFER, sizeof(p), p, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glGenBuffers(1, &indices);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(index), index, GL_STATIC_DRAW);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawElements(GL_TRIANGLES, sizeof(index), GL_UNSIGNED_BYTE, NULL);
   CHECK_OR(right = false, !util_not_green(SIZE), "vertices: not all is green");
   glEnable(GL_RASTERIZER_DISCARD);
   glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, NULL);
   glDisable(GL_RASTERIZER_DISCARD);
   glDisableVertexAttribArray(0);
   glBindBuffer(GL_ARRAY_BUFFER, 0);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
   read_back(name, 8);
   static const uint32_t times[] = {3, 4, 4, 1};
   for (unsigned i = 0; i < 4; i++) {
      CHECK_OR(right = false, words[i] >= 1 && words[i] <= times[i],
               "vertex %u was shaded %u times, not 1 to %u", i, words[i], times[i]);
      expect("stores of vertices", 4 + i, 50 + i);
   }
}

static void
primitives_store(void)
{
   const GLuint name = filled(0, 0, 20), program = glCreateProgram();
   glAttachShader(program, util_shader(GL_VERTEX_SHADER, HEADER, VERTEX));
   glAttachShader(program,
                  util_shader(GL_GEOMETRY_SHADER, HEADER,
                              "layout(points) in; layout(points, max_vertices = 1) out;\n"
                              "layout(std430, binding = 0) buffer B { uint all; uint of[]; };\n"
                              "void main() { atomicAdd(all, 1u);\n"
                              "of[gl_PrimitiveIDIn] = uint(of.length()); }"));
   glAttachShader(
       program, util_shader(GL_FRAGMENT_SHADER, HEADER, "void main() { gl_FragColor = vec4(1); }"));
   util_link(program);
   static const GLfloat points[19][3];
   draw_vertices(GL_POINTS, points, 19);
   read_back(name, 20);
   expect("primitives", 0, 19);
   for (unsigned i = 0; i < 19; i++)
      expect("stores of primitives", 1 + i, 19);
}

static void
counters(void)
{
   GLuint name;
   const uint32_t start[] = {10, 5000, 3};
   glGenBuffers(1, &name);
   glBindBufferBase(GL_ATOMIC_COUNTER_BUFFER, 3, name);
   glBufferData(GL_ATOMIC_COUNTER_BUFFER, sizeof(start), start, GL_DYNAMIC_COPY);
   const GLuint list = filled(0, 0, PIXELS);
   util_program(HEADER, VERTEX,
                "layout(binding = 3, offset = 0) uniform atomic_uint up;\n"
                "layout(binding = 3, offset = 4) uniform atomic_uint down;\n"
                "layout(binding = 3, offset = 8) uniform atomic_uint still;\n"
                "layout(std430, binding = 0) buffer L { uint list[]; };\n"
                "void main() { list[atomicCounterIncrement(up) - 10u] = atomicCounter(still);\n"
                "atomicCounterDecrement(down); gl_FragColor = vec4(1); }");
   draw();
   read_back(name, 3);
   expect("increments", 0, 10 + PIXELS);
   expect("decrements", 1, 5000 - PIXELS);
   read_back(list, PIXELS);
   for (unsigned i = 0; i < PIXELS; i++)
      expect("counters as indices", i, 3);
}

/* A draw reads what draws before it wrote: as storage, uniforms and vertices. */
static void
reads_of_written(void)
{
   const GLuint name = filled(0, 0, 4 * PIXELS);
   const char *const write =
       "layout(std430, binding = 0) buffer B { vec4 v[]; }; uniform float scale;\n"
       "void main() { int i = " PIXEL "; v[i] = vec4(i, scale, float(i & 1) * 2.0 - 1.0, 1);\n"
       "gl_FragColor = vec4(1); }";
   const GLuint writer = util_program(HEADER, VERTEX, write);
   glUniform1f(glGetUniformLocation(writer, "scale"), 3);
   draw();
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
   util_program(HEADER, VERTEX,
                "layout(std430, binding = 0) buffer B { vec4 v[]; };\n"
                "layout(std140) uniform U { vec4 u[256]; };\n"
                "void main() { int i = " PIXEL "; bool ok = v[1023 - i].x == float(1023 - i) &&\n"
                "v[i].y == 3.0 && u[i & 255].x == float(i & 255);\n"
                "gl_FragColor = ok ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }");
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, name);
   draw();
   CHECK_OR(right = false, !util_not_green(SIZE), "loads: not all is green");
   glUseProgram(writer);
   glUniform1f(glGetUniformLocation(writer, "scale"), 4);
   draw();
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
   util_program(
       HEADER,
       "in vec4 p; out float y; void main() { y = p.y;\n"
       "gl_Position = vec4(gl_VertexID < 2 ? -1.0 : 1.0, p.z, 0, p.w); }",
       "in float y; void main() { gl_FragColor = y == 4.0 ? vec4(0, 1, 0, 1) : vec4(1); }");
   glBindBuffer(GL_ARRAY_BUFFER, name);
   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   glDisableVertexAttribArray(0);
   glBindBuffer(GL_ARRAY_BUFFER, 0);
   CHECK_OR(right = false, !util_not_green(SIZE), "vertices that were stored: not all is green");
   /* The CPU changes a part, and a shader adds to all of it. */
   glBindBuffer(GL_SHADER_STORAGE_BUFFER, name);
   glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, 8, (GLuint[2]){40, 50});
   util_program(HEADER, VERTEX,
                "layout(std430, binding = 0) buffer B { uint word[]; };\n"
                "void main() { int i = " PIXEL "; if (i < 2) word[i] += 2u; if (i == 2) word[6] = "
                "8u;\ngl_FragColor = vec4(1); }");
   draw();
   read_back(name, 8);
   expect("bytes of the CPU", 0, 42);
   expect("bytes of the CPU", 1, 52);
   expect("bytes of the GPU", 6, 8);
   memcpy(&words[5], &(GLfloat){4}, 4);
   read_back(name, 8);
   GLfloat scale;
   memcpy(&scale, &words[5], 4);
   CHECK_OR(right = false, scale == 4, "a word is %g, not 4", scale);
}

/* Blocks whose number differs from pixel to pixel; several samples count once each. */
static void
arrays_of_blocks(void)
{
   GLuint name[4];
   for (unsigned i = 0; i < 4; i++)
      name[i] = filled(i, 0, 1);
   util_program(HEADER "#extension GL_ARB_gpu_shader5: enable\n", VERTEX,
                "layout(std430, binding = 0) buffer B { uint count; } b[4];\n"
                "void main() { int i = " PIXEL "; for (int k = 0; k < 4; k++)\n"
                "if ((i & 3) == k) atomicAdd(b[k].count, uint(k + 1)); gl_FragColor = vec4(1); }");
   draw();
   for (unsigned i = 0; i < 4; i++) {
      read_back(name[i], 1);
      expect("arrays of blocks", 0, PIXELS / 4 * (i + 1));
   }
}

int
main(void)
{
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   static const struct util_limit limits[] = {{GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, 8},
                                              {GL_MAX_FRAGMENT_SHADER_STORAGE_BLOCKS, 8},
                                              {GL_MAX_SHADER_STORAGE_BLOCK_SIZE, 1 << 24},
                                              {GL_MAX_FRAGMENT_ATOMIC_COUNTER_BUFFERS, 1},
                                              {GL_MAX_FRAGMENT_ATOMIC_COUNTERS, 8}};
   util_limits(limits, sizeof(limits) / sizeof(limits[0]));
   fragments_store();
   layouts();
   atomics();
   returned_values();
   kills();
   early_tests(false, false);
   early_tests(true, false);
   early_tests(true, true);
   counted(false);
   counted(true);
   behind_a_clear();
   outside();
   vertices_store();
   primitives_store();
   counters();
   reads_of_written();
   arrays_of_blocks();
   CHECK(glGetError() == GL_NO_ERROR, "an error of OpenGL");
   return !right;
}
