/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What OpenGL 3.2 and 3.3 brought, in a context of that version (argument "core" or
 * "compatibility"), and as much of it as OpenGL ES 3.0 has ("es"): base vertices, copied and packed
 * vertices, divisors, origins of gl_FragCoord, interface blocks, locations, seamless cube maps,
 * depth clamp, sampler objects, swizzles, shadows of arrays and cube maps, masks of one colour
 * buffer, layers of vertex shaders, queries of any sample, sync objects; restart at the fixed
 * index. Each check draws green when it is right. Not here: geometry shaders (geometry.c,
 * layers.c), multisample textures (multisample_textures.c), two source colours (dual_source.c),
 * timers (queries.c), limits (limits33.c). */
#include "gl_green.h"
#include "memory_before_end.h"

static const char *header;
static bool es;

/* A program of the version, without a varying. */
static GLuint
fragments(const char *fragment)
{
   return util_program(header, GREEN_VERTEX, fragment);
}

/* --- Vertices --- */

/* The window is drawn by vertices 4 to 7, of which 6 and 7 provoke; a 9 begins anew. */
static void
base_vertices(void)
{
   static const GLubyte list[4] = {0, 1, 2, 3};
   static const GLushort more[4] = {100, 101, 102, 103};
   static const GLuint cut[7] = {0, 1, 2, 3, 9, 0, 1};
   static const GLsizei counts[2] = {4, 4};
   static const GLvoid *const offsets[2] = {NULL, NULL};
   static const GLint bases[2] = {4, 4};
   util_program(header,
                "in vec4 p; flat out int id; void main() { gl_Position = p; id = gl_VertexID; }",
                GREEN_FRAGMENT("flat in int id;", "", "id == 6 || id == 7"));
   for (unsigned call = 0; call < 6; call++) {
      char what[40];
      snprintf(what, sizeof(what), "base vertex, call %u", call);
      if (call == 5)
         green_buffer(GL_ELEMENT_ARRAY_BUFFER, cut, sizeof(cut));
      else if (call == 1)
         green_buffer(GL_ELEMENT_ARRAY_BUFFER, more, sizeof(more));
      else
         green_buffer(GL_ELEMENT_ARRAY_BUFFER, list, sizeof(list));
      glClear(GL_COLOR_BUFFER_BIT);
      switch (call) {
      case 0:
         glDrawElementsBaseVertex(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_BYTE, NULL, 4);
         break;
      case 1:
         glDrawElementsBaseVertex(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, NULL, -96);
         break;
      case 2:
         glDrawRangeElementsBaseVertex(GL_TRIANGLE_STRIP, 0, 3, 4, GL_UNSIGNED_BYTE, NULL, 4);
         break;
      case 3:
         glDrawElementsInstancedBaseVertex(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_BYTE, NULL, 2, 4);
         break;
      case 4:
         glMultiDrawElementsBaseVertex(GL_TRIANGLE_STRIP, counts, GL_UNSIGNED_BYTE, offsets, 2,
                                       bases);
         break;
      default: /* an index is compared with the restart before the base is added */
         glEnable(GL_PRIMITIVE_RESTART);
         glPrimitiveRestartIndex(9);
         glDrawElementsBaseVertex(GL_TRIANGLE_STRIP, 7, GL_UNSIGNED_INT, NULL, 4);
         glDisable(GL_PRIMITIVE_RESTART);
      }
      green_expect(what);
   }
}

/* Vertices that Mesa copies: doubles, or in the program's memory. Their numbers stay, also where
 * the indices are far apart. Of three draws of one call the first has no vertices; index 0 of the
 * third would be in front of the array with the base of the second, and the indices of the second
 * behind it with that of the third. */
static void
copied_vertices(void)
{
   static const GLushort list[9] = {0, 500, 1000, 1501, 9, 509, 1009, 1510, 0};
   static const GLvoid *const offsets[3] = {NULL, (const GLvoid *)8, (const GLvoid *)16};
   static const GLint counts[3] = {0, 4, 1}, bases[3] = {0, -9, 1501};
   static GLdouble doubles[1502][2];
   GLfloat(*floats)[2] = util_memory_before_end(1502 * sizeof(*floats));
   GLint array;
   for (unsigned i = 0; i < 8; i++)
      doubles[list[i / 2]][i % 2] = floats[list[i / 2]][i % 2] = green_corners[i / 2][i % 2];
   util_program(header,
                "in vec4 p; flat out int id; void main() { gl_Position = p; id = gl_VertexID; }",
                GREEN_FRAGMENT("flat in int id;", "", "id == 1000 || id == 1501"));
   glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &array);
   if (!strcmp(header, "#version 330\n")) { /* core */
      green_buffer(GL_ARRAY_BUFFER, doubles, sizeof(doubles));
      glVertexAttribPointer(0, 2, GL_DOUBLE, GL_FALSE, 0, NULL);
   } else {
      glBindVertexArray(0);
      glBindBuffer(GL_ARRAY_BUFFER, 0);
      glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, floats);
      glEnableVertexAttribArray(0);
   }
   green_buffer(GL_ELEMENT_ARRAY_BUFFER, list, sizeof(list));
   glClear(GL_COLOR_BUFFER_BIT);
   if (es)
      glDrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, NULL);
   else
      glMultiDrawElementsBaseVertex(GL_TRIANGLE_STRIP, counts, GL_UNSIGNED_SHORT, offsets, 3,
                                    bases);
   green_expect("numbers of copied vertices");
   glBindVertexArray((GLuint)array);
   green_buffer(GL_ARRAY_BUFFER, green_corners, sizeof(green_corners));
   green_corners_from_buffer();
}

/* Attribute 1 is the same for the four corners: size components of the type, 4 bytes. */
static void
attribute(const char *what, uint32_t value, GLint size, GLenum type, GLboolean normalized,
          const char *want)
{
   char fragment[320];
   const uint32_t values[4] = {value, value, value, value};
   snprintf(fragment, sizeof(fragment),
            GREEN_FRAGMENT("in vec4 c;", "vec4 d = abs(c - %s);", "all(lessThan(d, vec4(0.003)))"),
            want);
   util_program(header, "in vec4 p; in vec4 v; out vec4 c; void main() { gl_Position = p; c = v; }",
                fragment);
   green_buffer(GL_ARRAY_BUFFER, values, sizeof(values));
   glVertexAttribPointer(1, size, type, normalized, 4, NULL);
   glEnableVertexAttribArray(1);
   green_draw(what);
   glDisableVertexAttribArray(1);
}

#define PACK(x, y, z, w)                                                             \
   (((uint32_t)(x)&1023) | ((uint32_t)(y)&1023) << 10 | ((uint32_t)(z)&1023) << 20 | \
    (uint32_t)(w) << 30)

static void
packed_vertices(void)
{
   attribute("UNSIGNED_INT_2_10_10_10_REV", PACK(1, 1000, 1023, 2), 4,
             GL_UNSIGNED_INT_2_10_10_10_REV, GL_FALSE, "vec4(1, 1000, 1023, 2)");
   attribute("UNSIGNED_INT_2_10_10_10_REV, normalized", PACK(0, 341, 1023, 2), 4,
             GL_UNSIGNED_INT_2_10_10_10_REV, GL_TRUE, "vec4(0, 1.0 / 3.0, 1, 2.0 / 3.0)");
   attribute("INT_2_10_10_10_REV", PACK(-512, 511, -1, 2), 4, GL_INT_2_10_10_10_REV, GL_FALSE,
             "vec4(-512, 511, -1, -2)");
   /* Values that both conversions of OpenGL 3.3 (2.2, 2.3) agree on. */
   attribute("INT_2_10_10_10_REV, normalized", PACK(-511, 511, 256, 1), 4, GL_INT_2_10_10_10_REV,
             GL_TRUE, "vec4(-1, 1, 0.501, 1)");
   if (es)
      return;
   attribute("BGRA of UNSIGNED_INT_2_10_10_10_REV", PACK(0, 341, 1023, 2), GL_BGRA,
             GL_UNSIGNED_INT_2_10_10_10_REV, GL_TRUE, "vec4(1, 1.0 / 3.0, 0, 2.0 / 3.0)");
   attribute("BGRA of INT_2_10_10_10_REV", PACK(-511, 511, 256, 1), GL_BGRA, GL_INT_2_10_10_10_REV,
             GL_TRUE, "vec4(0.501, 1, -1, 1)");
   attribute("BGRA of bytes", 0x40302010, GL_BGRA, GL_UNSIGNED_BYTE, GL_TRUE,
             "vec4(48, 32, 16, 64) / 255.0");
   glVertexAttribPointer(1, GL_BGRA, GL_UNSIGNED_BYTE, GL_FALSE, 4, NULL);
   GREEN_CHECK(glGetError() == GL_INVALID_OPERATION, "BGRA that is not normalized");
   glVertexAttribPointer(1, GL_BGRA, GL_FLOAT, GL_TRUE, 16, NULL);
   GREEN_CHECK(glGetError() == GL_INVALID_OPERATION, "BGRA of floats");
   glVertexAttribPointer(1, 3, GL_INT_2_10_10_10_REV, GL_TRUE, 4, NULL);
   GREEN_CHECK(glGetError() == GL_INVALID_OPERATION, "3 components of a packed vertex");
   /* Values of one attribute for all vertices. */
   util_program(header, "in vec4 p; in vec4 v; out vec4 c; void main() { gl_Position = p; c = v; }",
                GREEN_FRAGMENT("in vec4 c;", "", "distance(c, vec4(-7, 9, 500, 1)) < 0.01"));
   glVertexAttribP4ui(1, GL_INT_2_10_10_10_REV, GL_FALSE, PACK(-7, 9, 500, 1));
   green_draw("glVertexAttribP4ui");
   glVertexAttribP3ui(1, GL_INT_2_10_10_10_REV, GL_FALSE, PACK(-7, 9, 500, 2));
   green_draw("glVertexAttribP3ui");
   glVertexAttrib4f(1, 0, 0, 0, 1);
}

/* Instance i fills four columns of pixels, and reads element i / 2 and element i. */
static void
divisors(void)
{
   static const GLfloat numbers[4] = {0, 1, 2, 3};
   const GLuint program = util_program(
       header,
       "in vec4 p; in float v; in float w; flat out vec3 c; void main() { int i = gl_InstanceID;\n"
       "gl_Position = vec4((p.x + 1.0 + 2.0 * float(i)) / 4.0 - 1.0, p.y, 0, 1);\n"
       "c = vec3(v, w, i); }",
       GREEN_FRAGMENT("flat in vec3 c;", "", "c.x == floor(c.z / 2.0) && c.y == c.z"));
   const GLint w = glGetAttribLocation(program, "w");
   CHECK(w > 1, "attribute %d", w);
   green_buffer(GL_ARRAY_BUFFER, numbers, sizeof(numbers));
   for (GLuint i = 0; i < 2; i++) {
      const GLuint at = i ? (GLuint)w : 1;
      glVertexAttribPointer(at, 1, GL_FLOAT, GL_FALSE, 0, NULL);
      glVertexAttribDivisor(at, 2 - i);
      glEnableVertexAttribArray(at);
   }
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 4);
   green_expect("divisors");
   for (GLuint i = 0; i < 2; i++) {
      glVertexAttribDivisor(i ? (GLuint)w : 1, 0);
      glDisableVertexAttribArray(i ? (GLuint)w : 1);
   }
}

/* OpenGL ES begins anew at the largest index of its type. Vertex 255 is in the middle. */
static void
fixed_restart(void)
{
   static const GLubyte cut[7] = {0, 1, 2, 3, 255, 4, 5};
   GLfloat vertices[256][2] = {{0}};
   memcpy(vertices, green_corners, sizeof(green_corners));
   const GLuint name = green_buffer(GL_ARRAY_BUFFER, vertices, sizeof(vertices));
   green_corners_from_buffer();
   util_program(header,
                "in vec4 p; flat out int id; void main() { gl_Position = p; id = gl_VertexID; }",
                GREEN_FRAGMENT("flat in int id;", "", "id == 2 || id == 3"));
   green_buffer(GL_ELEMENT_ARRAY_BUFFER, cut, sizeof(cut));
   glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawElements(GL_TRIANGLE_STRIP, 7, GL_UNSIGNED_BYTE, NULL);
   green_expect("restart at the fixed index");
   glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
   glDeleteBuffers(1, &name);
   green_buffer(GL_ARRAY_BUFFER, green_corners, sizeof(green_corners));
   green_corners_from_buffer();
}

/* --- Shaders --- */

/* The place of a pixel, from the lower left corner, and gl_FragCoord in the four conventions. */
static void
origins(void)
{
   static const char *const layouts[4] = {"", "layout(origin_upper_left)",
                                          "layout(pixel_center_integer)",
                                          "layout(origin_upper_left, pixel_center_integer)"};
   for (unsigned i = 0; i < 4; i++) {
      char fragment[400];
      snprintf(fragment, sizeof(fragment),
               GREEN_FRAGMENT("%s in vec4 gl_FragCoord; noperspective in vec2 at;",
                              "vec2 want = %s - %s;", "distance(want, gl_FragCoord.xy) < 0.01"),
               layouts[i], i & 1 ? "vec2(at.x, 16.0 - at.y)" : "at",
               i & 2 ? "vec2(0.5)" : "vec2(0)");
      util_program(header,
                   "in vec4 p; noperspective out vec2 at;"
                   "void main() { gl_Position = p; at = p.xy * 8.0 + 8.0; }",
                   fragment);
      green_draw(*layouts[i] ? layouts[i] : "gl_FragCoord");
   }
}

static void
interface_blocks(void)
{
   util_program(
       header,
       "in vec4 p; out Work { flat ivec2 id; vec4 smooth_one[2]; noperspective float last; } v;"
       "void main() { gl_Position = p; v.id = ivec2(5, -7); v.smooth_one[0] = p;"
       " v.smooth_one[1] = vec4(3); v.last = p.x; }",
       GREEN_FRAGMENT("in Work { flat ivec2 id; vec4 smooth_one[2]; noperspective float last; }"
                      " f; uniform int one;",
                      "",
                      "f.id == ivec2(5, -7) && f.smooth_one[one + 1] == vec4(3) && "
                      "abs(f.smooth_one[one].x - f.last) < 0.001"));
   green_draw("interface block");
}

static void
locations(void)
{
   const GLuint program =
       util_program(header,
                    "in vec4 p; layout(location = 7) in vec2 v7; layout(location = 2) in ivec3 v2;"
                    "flat out vec4 c; flat out ivec3 d; void main() { gl_Position = p; c = "
                    "vec4(v7, 0, 0); d = v2; }",
                    "flat in vec4 c; flat in ivec3 d; layout(location = 0) out vec4 color;"
                    "void main() { color = c.xy == vec2(5, 6) && d == ivec3(-1, 2, 3) ? vec4(0, 1, "
                    "0, 1) : vec4(1); }");
   GREEN_CHECK(glGetAttribLocation(program, "v7") == 7 && glGetAttribLocation(program, "v2") == 2,
               "locations of attributes");
   glVertexAttrib2f(7, 5, 6);
   glVertexAttribI4i(2, -1, 2, 3, 4);
   green_draw("locations");
}

/* --- Textures --- */

static GLuint
texture(GLenum target, GLenum filter)
{
   GLuint name;
   glGenTextures(1, &name);
   glBindTexture(target, name);
   glTexParameteri(target, GL_TEXTURE_MIN_FILTER, (GLint)filter);
   glTexParameteri(target, GL_TEXTURE_MAG_FILTER, (GLint)filter);
   return name;
}

/* Face +x is white, the others black. On the edge to +y half of each is seen, or all of +x. */
static void
seamless(void)
{
   static const GLubyte white[4] = {255, 255, 255, 255}, black[4] = {0, 0, 0, 0};
   const GLuint name = texture(GL_TEXTURE_CUBE_MAP, GL_LINEAR);
   glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
   glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
   for (GLenum face = 0; face < 6; face++)
      glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_R8, 2, 2, 0, GL_RED,
                   GL_UNSIGNED_BYTE, face ? black : white);
   const GLuint program = fragments(GREEN_FRAGMENT("uniform samplerCube s; uniform float want;",
                                                   "float t = texture(s, vec3(1, 0.999, 0)).r;",
                                                   "abs(t - want) < 0.01"));
   const GLint want = glGetUniformLocation(program, "want");
   glUniform1f(want, 0.5f);
   if (!es)
      glEnable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
   green_draw("a seamless cube map");
   if (!es) {
      glDisable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
      glUniform1f(want, 1);
      green_draw("a cube map with seams");
   }
   glDeleteTextures(1, &name);
}

/* Without a mipmapped filter textures of integers have one level, too, and need one. */
static void
integer_levels(void)
{
   static const GLbyte texels[4] = {-7, -7, -7, -7}, others[1] = {9};
   const GLuint name = texture(GL_TEXTURE_2D, GL_NEAREST);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_R8I, 2, 2, 0, GL_RED_INTEGER, GL_BYTE, texels);
   glTexImage2D(GL_TEXTURE_2D, 1, GL_R8I, 1, 1, 0, GL_RED_INTEGER, GL_BYTE, others);
   const GLuint program =
       fragments(GREEN_FRAGMENT("uniform highp isampler2D s; uniform highp int want;", "",
                                "textureLod(s, vec2(0.5), 1.0).r == want"));
   glUniform1i(glGetUniformLocation(program, "want"), -7);
   green_draw("levels of integers, filter NEAREST");
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
   glUniform1i(glGetUniformLocation(program, "want"), 9);
   green_draw("levels of integers, filter NEAREST_MIPMAP_NEAREST");
   glDeleteTextures(1, &name);
}

/* Samplers of two units look at one texture; its own parameters make it incomplete. */
static void
samplers(void)
{
   static const GLubyte texels[4] = {0, 255, 0, 255};
   static const GLfloat reference = 0.5f;
   GLuint sampler[2];
   GLint value = 0;
   const GLuint name = texture(GL_TEXTURE_2D, GL_LINEAR);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, 2, 1, 0, GL_RED, GL_UNSIGNED_BYTE, texels);
   glGenSamplers(2, sampler);
   for (GLuint i = 0; i < 2; i++) {
      const GLint filter = i ? GL_LINEAR : GL_NEAREST;
      glSamplerParameteri(sampler[i], GL_TEXTURE_MIN_FILTER, filter);
      glSamplerParameteri(sampler[i], GL_TEXTURE_MAG_FILTER, filter);
      glSamplerParameteri(sampler[i], GL_TEXTURE_WRAP_S, i ? GL_MIRRORED_REPEAT : GL_REPEAT);
      glActiveTexture(GL_TEXTURE0 + i);
      glBindTexture(GL_TEXTURE_2D, name);
      glBindSampler(i, sampler[i]);
   }
   glGetSamplerParameteriv(sampler[1], GL_TEXTURE_WRAP_S, &value);
   GREEN_CHECK(value == GL_MIRRORED_REPEAT && glIsSampler(sampler[0]), "a sampler's parameter");
   GLuint program = fragments(GREEN_FRAGMENT(
       "uniform sampler2D s; uniform sampler2D t;", "",
       "texture(s, vec2(0.45, 0.5)).r == 0.0 && texture(s, vec2(1.2, 0.5)).r == 0.0 && "
       "abs(texture(t, vec2(0.5, 0.5)).r - 0.5) < 0.01 && "
       "texture(t, vec2(1.2, 0.5)).r == 1.0"));
   glUniform1i(glGetUniformLocation(program, "t"), 1);
   green_draw("two samplers of a texture");
   /* Without a sampler it is incomplete: black. */
   glBindSampler(0, 0);
   program = fragments(GREEN_FRAGMENT("uniform sampler2D s; uniform sampler2D t;", "",
                                      "texture(s, vec2(0.75, 0.5)) == vec4(0, 0, 0, 1) && "
                                      "texture(t, vec2(0.75, 0.5)).r == 1.0"));
   glUniform1i(glGetUniformLocation(program, "t"), 1);
   green_draw("a sampler less");
   /* Comparison is the sampler's, too. */
   glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT32F, 1, 1, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                &reference);
   glBindSampler(0, sampler[0]);
   glSamplerParameteri(sampler[0], GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
   glSamplerParameteri(sampler[0], GL_TEXTURE_COMPARE_FUNC, GL_GREATER);
   glSamplerParameteri(sampler[1], GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glSamplerParameteri(sampler[1], GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   program = fragments(GREEN_FRAGMENT("uniform sampler2DShadow s; uniform sampler2D t;", "",
                                      "texture(s, vec3(0.5, 0.5, 0.6)) == 1.0 && "
                                      "texture(s, vec3(0.5, 0.5, 0.4)) == 0.0 && "
                                      "texture(t, vec2(0.5)).r == 0.5"));
   glUniform1i(glGetUniformLocation(program, "t"), 1);
   green_draw("samplers that compare and that do not");
   glDeleteSamplers(2, sampler);
   glActiveTexture(GL_TEXTURE0);
   glDeleteTextures(1, &name);
}

/* Of a texel 1/5, 2/5, 3/5, 4/5, of one with three channels, of integers and of a depth. */
static void
swizzles(void)
{
   static const GLubyte texel[4] = {51, 102, 153, 204};
   static const GLfloat depth = 0.25f;
   static const struct {
      const char *name, *sampler, *want;
      GLint internal, swizzle[4];
      GLenum format, type;
   } cases[] = {
       {"a swizzle",
        "sampler2D",
        "vec4(0.8, 0.6, 0.4, 0.2)",
        GL_RGBA8,
        {GL_ALPHA, GL_BLUE, GL_GREEN, GL_RED},
        GL_RGBA,
        GL_UNSIGNED_BYTE},
       {"zero and one",
        "sampler2D",
        "vec4(0, 1, 0.2, 0.2)",
        GL_RGBA8,
        {GL_ZERO, GL_ONE, GL_RED, GL_RED},
        GL_RGBA,
        GL_UNSIGNED_BYTE},
       {"a channel that is not there",
        "sampler2D",
        "vec4(1, 0, 0.2, 0)",
        GL_R8,
        {GL_ALPHA, GL_BLUE, GL_RED, GL_GREEN},
        GL_RED,
        GL_UNSIGNED_BYTE},
       {"integers",
        "usampler2D",
        "vec4(1, 204, 51, 0)",
        GL_RGBA8UI,
        {GL_ONE, GL_ALPHA, GL_RED, GL_ZERO},
        GL_RGBA_INTEGER,
        GL_UNSIGNED_BYTE},
       {"a depth",
        "sampler2D",
        "vec4(1, 0.25, 0, 0.25)",
        GL_DEPTH_COMPONENT32F,
        {GL_ONE, GL_RED, GL_ZERO, GL_RED},
        GL_DEPTH_COMPONENT,
        GL_FLOAT},
   };
   const GLuint name = texture(GL_TEXTURE_2D, GL_NEAREST);
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      char fragment[320];
      glTexImage2D(GL_TEXTURE_2D, 0, cases[i].internal, 1, 1, 0, cases[i].format, cases[i].type,
                   cases[i].type == GL_FLOAT ? (const void *)&depth : texel);
      for (GLenum c = 0; c < 4; c++)
         glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R + c, cases[i].swizzle[c]);
      snprintf(fragment, sizeof(fragment),
               GREEN_FRAGMENT("uniform %s s;", "vec4 t = vec4(texture(s, vec2(0.5)));",
                              "distance(t, %s) < 0.005"),
               cases[i].sampler, cases[i].want);
      fragments(fragment);
      green_draw(cases[i].name);
   }
   glDeleteTextures(1, &name);
}

/* A depth is red alone in OpenGL ES, whichever level is the first. */
static void
depth_levels(void)
{
   static const GLushort depths[2][4] = {{0, 0, 0, 0}, {65535}};
   const GLuint name = texture(GL_TEXTURE_2D, GL_NEAREST);
   for (GLint l = 0; l < 2; l++)
      glTexImage2D(GL_TEXTURE_2D, l, GL_DEPTH_COMPONENT16, 2 >> l, 2 >> l, 0, GL_DEPTH_COMPONENT,
                   GL_UNSIGNED_SHORT, depths[l]);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
   fragments(GREEN_FRAGMENT("uniform highp sampler2D s;", "",
                            "texture(s, vec2(0.5)) == vec4(1, 0, 0, 1)"));
   green_draw("a depth of the second level");
   glDeleteTextures(1, &name);
}

/* Layer or face i has depth i / 8, compared with LESS. */
static void
shadows(void)
{
   static const struct {
      GLenum target;
      const char *name, *ok;
   } cases[] = {
       {GL_TEXTURE_2D_ARRAY, "sampler2DArrayShadow",
        "texture(s, vec4(0.5, 0.5, 3, 0.37)) == 1.0 && texture(s, vec4(0.5, 0.5, 3, 0.38)) == 0.0 "
        "&& "
        "texture(s, vec4(0.5, 0.5, 5, 0.6)) == 1.0"},
       {GL_TEXTURE_CUBE_MAP, "samplerCubeShadow",
        "texture(s, vec4(0, 0.1, -9, 0.6)) == 1.0 && texture(s, vec4(0, 0.1, -9, 0.63)) == 0.0 && "
        "texture(s, vec4(-2, 1, 1, 0.12)) == 1.0 && texture(s, vec4(-2, 1, 1, 0.13)) == 0.0"},
       {GL_TEXTURE_1D_ARRAY, "sampler1DArrayShadow",
        "texture(s, vec3(0.5, 3, 0.37)) == 1.0 && texture(s, vec3(0.5, 3, 0.38)) == 0.0"},
   };
   for (unsigned i = 0; i < (es ? 2 : 3); i++) {
      const GLenum target = cases[i].target;
      GLfloat depth[6];
      char fragment[400];
      const GLuint name = texture(target, GL_NEAREST);
      for (unsigned l = 0; l < 6; l++)
         depth[l] = (GLfloat)l / 8;
      if (target == GL_TEXTURE_2D_ARRAY)
         glTexImage3D(target, 0, GL_DEPTH_COMPONENT32F, 1, 1, 6, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                      depth);
      else if (target == GL_TEXTURE_1D_ARRAY)
         glTexImage2D(target, 0, GL_DEPTH_COMPONENT32F, 1, 6, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                      depth);
      for (GLenum face = 0; target == GL_TEXTURE_CUBE_MAP && face < 6; face++)
         glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_DEPTH_COMPONENT32F, 1, 1, 0,
                      GL_DEPTH_COMPONENT, GL_FLOAT, &depth[face]);
      glTexParameteri(target, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
      glTexParameteri(target, GL_TEXTURE_COMPARE_FUNC, GL_LESS);
      snprintf(fragment, sizeof(fragment), GREEN_FRAGMENT("uniform %s s;", "", "%s"), cases[i].name,
               cases[i].ok);
      fragments(fragment);
      green_draw(cases[i].name);
      glDeleteTextures(1, &name);
   }
}

/* --- Fragments --- */

/* Depths that are interpolated, and those that the program writes. */
static void
depth_clamp(void)
{
   glEnable(GL_DEPTH_CLAMP);
   glEnable(GL_DEPTH_TEST);
   glClearDepth(0.8);
   glDepthRange(0.25, 0.75);
   for (int i = 0; i < 4; i++) {
      GLfloat depth = 0, want = i & 1 ? 0.75f : 0.25f;
      const GLuint program = util_program(
          header, "in vec4 p; uniform float z; void main() { gl_Position = vec4(p.xy, z, 1); }",
          i < 2 ? GREEN_FRAGMENT("", "", "true")
                : GREEN_FRAGMENT("uniform float z;", "gl_FragDepth = 0.5 + 0.1 * z;", "true"));
      glUniform1f(glGetUniformLocation(program, "z"), i & 1 ? 4 : -4);
      green_draw("depth clamp");
      glReadPixels(3, 4, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
      GREEN_CHECK(depth > want - 0.001f && depth < want + 0.001f, "depth %d is %g", i, depth);
   }
   glDepthRange(0, 1);
   glClearDepth(1);
   glDisable(GL_DEPTH_TEST);
   glDisable(GL_DEPTH_CLAMP);
}

/* Two colour buffers: one keeps its red, the other all but that; one blends, the other does not. */
static void
masks_and_blends(void)
{
   GLuint fbo, rb[2];
   static const GLenum both[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
   static const GLubyte want[2][4] = {{51, 153, 153, 255}, {102, 51, 51, 51}};
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glGenRenderbuffers(2, rb);
   for (unsigned i = 0; i < 2; i++) {
      glBindRenderbuffer(GL_RENDERBUFFER, rb[i]);
      glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, GREEN_SIZE, GREEN_SIZE);
      glFramebufferRenderbuffer(GL_FRAMEBUFFER, both[i], GL_RENDERBUFFER, rb[i]);
   }
   glDrawBuffers(2, both);
   util_program(header, GREEN_VERTEX,
                "layout(location = 0) out vec4 a; layout(location = 1) out vec4 b;"
                "void main() { a = vec4(0.4); b = vec4(0.4); }");
   glClearColor(0.2f, 0.2f, 0.2f, 0.2f);
   glClear(GL_COLOR_BUFFER_BIT);
   glColorMaski(0, GL_FALSE, GL_TRUE, GL_TRUE, GL_TRUE);
   glColorMaski(1, GL_TRUE, GL_FALSE, GL_FALSE, GL_FALSE);
   glEnablei(GL_BLEND, 0);
   glBlendFunc(GL_ONE, GL_ONE);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   glDisable(GL_BLEND);
   glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
   for (unsigned i = 0; i < 2; i++) {
      GLubyte got[4] = {0};
      glReadBuffer(both[i]);
      glReadPixels(7, 7, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, got);
      GREEN_CHECK(!memcmp(got, want[i], 3), "buffer %u has %u %u %u %u", i, got[0], got[1], got[2],
                  got[3]);
   }
   glClearColor(0, 0, 0, 0);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &fbo);
   glDeleteRenderbuffers(2, rb);
}

static void
any_samples(void)
{
   GLuint query, result;
   glGenQueries(1, &query);
   fragments(GREEN_FRAGMENT("", "", "true"));
   for (unsigned seen = 0; seen < 2; seen++) {
      if (!seen)
         glEnable(GL_SCISSOR_TEST);
      glScissor(0, 0, 0, 0);
      glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
      glEndQuery(GL_ANY_SAMPLES_PASSED);
      glDisable(GL_SCISSOR_TEST);
      glGetQueryObjectuiv(query, GL_QUERY_RESULT, &result);
      GREEN_CHECK(result == seen, "any samples: %u, expected %u", result, seen);
   }
   glDeleteQueries(1, &query);
}

/* Instance i draws layer i (AMD_vertex_shader_layer); each layer has its colour then. */
static void
layers_of_vertices(void)
{
   GLuint fbo;
   const GLuint name = texture(GL_TEXTURE_2D_ARRAY, GL_NEAREST);
   glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, GREEN_SIZE, GREEN_SIZE, 4, 0, GL_RGBA,
                GL_UNSIGNED_BYTE, NULL);
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, name, 0);
   util_program(header,
                "\n#extension GL_AMD_vertex_shader_layer: require\n"
                "in vec4 p; flat out float part; void main() { gl_Position = p;"
                "gl_Layer = gl_InstanceID; part = float(gl_InstanceID) / 5.0; }",
                "flat in float part; out vec4 color; void main() { color = vec4(part, 1, 0, 1); }");
   glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 4);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   fragments(GREEN_FRAGMENT("uniform sampler2DArray s;",
                            "ivec2 at = ivec2(gl_FragCoord); int layer = (at.x + at.y) & 3;",
                            "distance(texelFetch(s, ivec3(at, layer), 0).rg, "
                            "vec2(float(layer) / 5.0, 1)) < 0.01"));
   green_draw("layers of vertex shaders");
   glDeleteFramebuffers(1, &fbo);
   glDeleteTextures(1, &name);
}

static void
sync_objects(void)
{
   GLint status = 0, type = 0;
   fragments(GREEN_FRAGMENT("", "", "true"));
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   GLsync sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
   CHECK(sync && glIsSync(sync), "no sync object");
   glGetSynciv(sync, GL_OBJECT_TYPE, 1, NULL, &type);
   GREEN_CHECK(type == GL_SYNC_FENCE, "a sync object of type 0x%x", type);
   glWaitSync(sync, 0, GL_TIMEOUT_IGNORED);
   const GLenum waited = glClientWaitSync(sync, GL_SYNC_FLUSH_COMMANDS_BIT, 60000000000ull);
   GREEN_CHECK(waited == GL_CONDITION_SATISFIED || waited == GL_ALREADY_SIGNALED,
               "a wait for a sync object ends with 0x%x", waited);
   glGetSynciv(sync, GL_SYNC_STATUS, 1, NULL, &status);
   GREEN_CHECK(status == GL_SIGNALED && glClientWaitSync(sync, 0, 0) == GL_ALREADY_SIGNALED,
               "a sync object that was waited for has status 0x%x", status);
   glDeleteSync(sync);
   glClientWaitSync(sync, 0, 0);
   GREEN_CHECK(glGetError() == GL_INVALID_VALUE, "a deleted sync object");
   glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 1);
   GREEN_CHECK(glGetError() == GL_INVALID_VALUE, "a sync object with flags");
   glFenceSync(GL_SYNC_FENCE, 0);
   GREEN_CHECK(glGetError() == GL_INVALID_ENUM, "a sync object of another condition");
}

int
main(int argc, char **argv)
{
   CHECK(argc == 2, "usage: gl33 core|compatibility|es");
   es = !strcmp(argv[1], "es");
   header = green_context_of(argv[1]);
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
   if (es) {
      fixed_restart();
      depth_levels();
   } else {
      base_vertices();
      origins();
      interface_blocks();
      depth_clamp();
   }
   copied_vertices();
   packed_vertices();
   divisors();
   locations();
   seamless();
   integer_levels();
   samplers();
   swizzles();
   shadows();
   if (!es) {
      masks_and_blends();
      layers_of_vertices();
   }
   any_samples();
   sync_objects();
   CHECK(glGetError() == GL_NO_ERROR, "an error of OpenGL");
   return !green_right;
}
