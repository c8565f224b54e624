/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Random programs of GLSL 3.30 and ESSL 3.00: vertex, geometry and fragment shaders of random
 * statements and expressions, some of them broken, and their uniforms. Loops end after a few
 * turns. */
#include "random.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct {
   char *text;
   size_t size, used;
   GLenum kind;
   unsigned locals; /* l0, l1, ... */
} source;

__attribute__((format(printf, 1, 2))) static void
put(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   const int n = vsnprintf(source.text + source.used, source.size - source.used, format, args);
   va_end(args);
   source.used += (size_t)n < source.size - source.used ? (size_t)n : 0;
}

static const struct {
   const char *type, *name, *call; /* of call: two expressions are coordinates, a vec4 each */
   bool es;
} samplers[] = {
    {"sampler2D", "s0", "texture(s0, (%s).xy)", true},
    {"sampler2D", "s0", "textureLod(s0, (%s).xy, (%s).x)", true},
    {"sampler2D", "s0", "texelFetch(s0, ivec2((%s).xy) & 15, int((%s).x) & 1)", true},
    {"sampler2D", "s0", "vec4(textureSize(s0, int((%s).x) & 3), (%s).xy)", true},
    {"sampler2D", "s0", "textureGrad(s0, (%s).xy, (%s).xy, vec2(0.1))", true},
    {"samplerCube", "s1", "texture(s1, (%s).xyz)", true},
    {"sampler2DArray", "s2", "texture(s2, (%s).xyz)", true},
    {"sampler3D", "s3", "texture(s3, (%s).xyz)", true},
    {"sampler2DShadow", "s4", "vec4(texture(s4, (%s).xyz))", true},
    {"isampler2D", "s5", "vec4(texture(s5, (%s).xy))", true},
    {"usampler2D", "s6", "vec4(texelFetch(s6, ivec2((%s).xy), 0))", true},
    {"samplerBuffer", "s7", "texelFetch(s7, int((%s).x * 8.0))", false},
    {"sampler2DMS", "s8", "texelFetch(s8, ivec2((%s).xy), int((%s).y) & 3)", false},
    {"sampler2DRect", "s9", "texture(s9, (%s).xy * 8.0)", false},
    {"sampler1D", "s10", "texture(s10, (%s).x)", false},
    {"sampler1DArray", "s11", "texture(s11, (%s).xy)", false},
};

static void expression(unsigned depth, char *out, size_t size);

static void
leaf(char *out, size_t size)
{
   const char *input = source.kind == GL_VERTEX_SHADER     ? "a"
                       : source.kind == GL_GEOMETRY_SHADER ? "gl_in[i].gl_Position + u"
                                                           : "v";
   switch (random_below(8)) {
   case 0:
      snprintf(out, size, "vec4(%.3f, %.3f, %.3f, 1)", random_below(4000) / 1000.0 - 2,
               random_below(4000) / 1000.0 - 2, random_below(4000) / 1000.0);
      break;
   case 1:
      snprintf(out, size, "u[%u]", random_below(3));
      break;
   case 2:
      snprintf(out, size, "b[int(u[0].x) & 3]");
      break;
   case 3:
      if (source.locals) {
         snprintf(out, size, "l%u", random_below(source.locals));
         break;
      } // fall through
   default:
      if (source.kind == GL_GEOMETRY_SHADER)
         snprintf(out, size, "(%s[%u])", input, random_below(3));
      else
         snprintf(out, size, "%s%u", input, random_below(3));
      break;
   }
}

static void
lookup(unsigned depth, char *out, size_t size)
{
   char x[512], y[512];
   unsigned s;
   do
      s = random_below(RANDOM_LENGTH(samplers));
   while (random_gl.es && !samplers[s].es && !random_one_in(60));
   expression(depth, x, sizeof(x));
   expression(depth, y, sizeof(y));
   const char *c = samplers[s].call;
   size_t used = 0;
   for (unsigned n = 0; *c && used + 600 < size; c++) {
      if (c[0] == '%') {
         used += (size_t)snprintf(out + used, size - used, "%s", n++ ? y : x);
         c++;
      } else {
         out[used++] = *c;
      }
   }
   out[used] = 0;
}

static void
expression(unsigned depth, char *out, size_t size)
{
   static const char *const unary[] = {"-(%s)",
                                       "abs(%s)",
                                       "fract(%s)",
                                       "sin(%s)",
                                       "cos(%s)",
                                       "exp2(%s)",
                                       "log2(%s)",
                                       "sqrt(%s)",
                                       "floor(%s)",
                                       "sign(%s)",
                                       "round(%s)",
                                       "trunc(%s)",
                                       "(%s).wzyx",
                                       "(%s).xxyy",
                                       "vec4(length(%s))",
                                       "normalize(%s)",
                                       "f(%s)",
                                       "vec4(lessThan(%s, vec4(0.5)))",
                                       "vec4(floatBitsToInt(%s) >> 3)",
                                       "vec4(ivec4(%s) * 3 %% 7)",
                                       "vec4(uvec4(%s) ^ 5u)",
                                       "(m * (%s))",
                                       "vec4(isnan(%s))",
                                       "clamp(%s, 0.0, 1.0)",
                                       "vec4(mat3(m) * (%s).xyz, 1)",
                                       "smoothstep(0.1, 0.9, %s)",
                                       "atan(%s)",
                                       "acos(%s)",
                                       "tanh(%s)",
                                       "intBitsToFloat(ivec4(%s))"};
   static const char *const binary[] = {"(%s + %s)",
                                        "(%s - %s)",
                                        "(%s * %s)",
                                        "(%s / %s)",
                                        "min(%s, %s)",
                                        "max(%s, %s)",
                                        "pow(%s, %s)",
                                        "mod(%s, %s)",
                                        "vec4(dot(%s, %s))",
                                        "mix(%s, %s, 0.25)",
                                        "reflect(%s, %s)",
                                        "(b[2].x > 0.5 ? %s : %s)",
                                        "step(%s, %s)",
                                        "(outerProduct(%s, %s) * u[1])",
                                        "vec4(ivec4(%s) / (ivec4(%s) | 1))",
                                        "vec4(ivec4(%s) << (ivec4(%s) & 31))",
                                        "vec4(equal(%s, %s))",
                                        "atan(%s, %s)"};
   char x[512], y[512];
   if (!depth || random_one_in(5)) {
      leaf(out, size);
      return;
   }
   if (random_one_in(4)) {
      lookup(depth - 1, out, size);
      return;
   }
   expression(depth - 1, x, sizeof(x));
   expression(depth - 1, y, sizeof(y));
   if (source.kind == GL_FRAGMENT_SHADER && random_one_in(10))
      snprintf(out, size, "%s(%s)", random_one_in(2) ? "dFdx" : "fwidth", x);
   else if (random_one_in(2))
      snprintf(out, size, unary[random_below(RANDOM_LENGTH(unary))], x);
   else
      snprintf(out, size, binary[random_below(RANDOM_LENGTH(binary))], x, y);
}

static void
statements(unsigned count)
{
   char e[2048], other[2048];
   for (unsigned i = 0; i < count; i++) {
      expression(3, e, sizeof(e));
      expression(1, other, sizeof(other));
      switch (source.locals ? random_below(9) : 0) {
      case 0:
      case 1:
         put("vec4 l%u = %s;\n", source.locals, e);
         source.locals++;
         break;
      case 2:
         put("if ((%s).x > 0.25) l0 = %s; else l0 += %s;\n", other, e, other);
         break;
      case 3:
         put("for (int k = 0; k < %u; k++) { l0 += %s; if (l0.x > 4.0) %s; }\n",
             1 + random_below(6), other, random_one_in(2) ? "break" : "continue");
         break;
      case 4:
         put("switch (int((%s).x)) { case 0: l0 = %s; case 1: l0.y = 1.0; break;"
             " default: l0 *= 0.5; }\n",
             other, e);
         break;
      case 5:
         put("{ vec4 t[4]; t[0] = %s; t[1] = l0; t[2] = t[3] = t[0];"
             " l0 = t[int((%s).y) & 3]; }\n",
             e, other);
         break;
      case 6:
         if (source.kind == GL_FRAGMENT_SHADER && random_one_in(3))
            put("if ((%s).x > 1.5) discard;\n", other);
         else
            put("l0.%c = (%s).x;\n", "xyzw"[random_below(4)], e);
         break;
      case 7:
         put("for (int k = int((%s).x) & 7; k > 0; k--) l0 = l0.yzwx + b[k & 3];\n", other);
         break;
      default:
         put("l0 = %s;\n", e);
         break;
      }
   }
}

static void
declarations(void)
{
   put("#version %s\n", random_gl.es ? "300 es\nprecision highp float;\nprecision highp int;\n"
                                       "precision highp sampler3D;\n"
                                       "precision highp sampler2DArray;\n"
                                       "precision highp sampler2DShadow;\n"
                                       "precision highp isampler2D;\nprecision highp usampler2D;"
                                     : "330");
   put("uniform mat4 m; uniform vec4 u[3];\nlayout(std140) uniform B { vec4 b[4]; mat3 c; };\n");
   for (size_t i = 0; i < RANDOM_LENGTH(samplers); i++) {
      if ((samplers[i].es || !random_gl.es) && (!i || samplers[i].name != samplers[i - 1].name))
         put("uniform %s %s;\n", samplers[i].type, samplers[i].name);
   }
   put("vec4 f(vec4 x) { if (x.x > 0.5) return x.yxwz; return x * %u.5; }\n", random_below(3));
}

static void
text_vertex(void)
{
   char e[2048];
   put("in vec4 a0; in vec4 a1; in vec4 a2; in ivec4 a3;\n");
   put("out vec4 v0; out vec4 v1; %s out vec4 v2;\n", random_one_in(2) ? "flat" : "smooth");
   put("void main() {\n");
   statements(1 + random_below(3));
   expression(2, e, sizeof(e));
   put("v0 = %s; v1 = a1 + vec4(a3) * 0.01; v2 = vec4(gl_VertexID, gl_InstanceID, a0.xy);\n", e);
   static const char *const positions[] = {
       "m * a0", "vec4(a0.xyz, 1)",
       "vec4(vec2(gl_VertexID % 5, gl_VertexID * 7 % 4) * 0.6 - 1.1, a0.z, 1)",
       "vec4(vec2(gl_VertexID % 3, gl_VertexID / 2 % 3) - 1.0, 0.25, 1)"};
   put("gl_Position = %s; gl_PointSize = 1.0 + a0.x * 4.0;\n", positions[random_below(4)]);
   if (!random_gl.es && random_one_in(5))
      put("gl_ClipDistance[0] = v0.x; gl_ClipDistance[1] = 1.0;\n");
   put("}\n");
}

static void
text_geometry(void)
{
   static const struct {
      const char *name;
      unsigned vertices;
   } in[] = {{"points", 1},    {"lines", 2},           {"triangles", 3},
             {"triangles", 3}, {"lines_adjacency", 4}, {"triangles_adjacency", 6}};
   static const char *const out[] = {"points", "line_strip", "triangle_strip", "triangle_strip"};
   const unsigned k = random_below(RANDOM_LENGTH(in));
   put("layout(%s) in; layout(%s, max_vertices = %u) out;\n", in[k].name, out[random_below(4)],
       1 + random_below(12));
   put("in vec4 v0[]; in vec4 v1[]; in vec4 v2[];\n"
       "out vec4 v0_; out vec4 v1_; out vec4 v2_;\n");
   put("void main() { for (int i = 0; i < %u; i++) {\n", in[k].vertices);
   statements(1);
   put("gl_Position = gl_in[i].gl_Position * %u.75; v0_ = l0; v1_ = v1[i]; v2_ = v2[i];\n",
       random_below(2));
   if (random_one_in(3))
      put("gl_Layer = i;\n");
   if (random_one_in(4))
      put("gl_PrimitiveID = gl_PrimitiveIDIn;\n");
   put("EmitVertex();%s } EndPrimitive(); }\n", random_one_in(4) ? " EndPrimitive();" : "");
}

static void
text_fragment(void)
{
   static const char *const types[] = {"vec4", "vec4", "vec4", "ivec4", "uvec4", "vec2"};
   const unsigned buffers = 1 + random_below(3);
   char e[2048];
   put("%s in vec4 v2; in vec4 v0; in vec4 v1;\n", random_one_in(2) ? "flat" : "smooth");
   const char *type[3];
   for (unsigned i = 0; i < buffers; i++) {
      type[i] = random_one_in(2) ? "vec4" : types[random_below(RANDOM_LENGTH(types))];
      put("layout(location = %u) out %s o%u;\n", i, type[i], i);
   }
   put("void main() {\n");
   statements(1 + random_below(4));
   for (unsigned i = 0; i < buffers; i++) {
      expression(2, e, sizeof(e));
      put("o%u = %s(%s%s);\n", i, type[i], e, type[i][3] == '2' ? ".xy" : "");
   }
   if (random_one_in(5))
      put("gl_FragDepth = l0.x;\n");
   if (random_one_in(5))
      put("o0 += %s(gl_FragCoord%s * 0.01) + %s(gl_FrontFacing);\n", type[0],
          type[0][3] == '2' ? ".xy" : "", type[0]);
   put("}\n");
}

void
random_shader_text(GLenum kind, char *text, size_t size)
{
   source.text = text;
   source.size = size;
   source.used = source.locals = 0;
   source.kind = kind;
   text[0] = 0;
   declarations();
   if (kind == GL_VERTEX_SHADER)
      text_vertex();
   else if (kind == GL_GEOMETRY_SHADER)
      text_geometry();
   else
      text_fragment();
   if (!random_one_in(25))
      return;
   for (unsigned i = 1 + random_below(4); i > 0 && source.used; i--) /* broken */
      text[random_below((unsigned)source.used)] = (char)(32 + random_below(96));
}

static GLuint
shader(GLenum kind)
{
   static char text[65536], log[512];
   const char *parts[1] = {text};
   random_shader_text(kind, text, sizeof(text));
   const GLint length = (GLint)(random_one_in(60) ? random_below(2000) : strlen(text));
   const GLuint name = glCreateShader(kind);
   glShaderSource(name, 1, parts, random_one_in(3) ? &length : NULL);
   glCompileShader(name);
   glGetShaderInfoLog(name, (GLsizei)random_below(sizeof(log)), NULL, log);
   return name;
}

/* Shaders that take what a geometry shader makes have its names. */
static void
link_names(GLuint program, bool geometry)
{
   static const char *const varyings[] = {"gl_Position", "v0", "v1", "v2", "nothing"};
   static const char *const varyings_geometry[] = {"v0_", "gl_Position", "v1_", "v2_", "v0_"};
   for (GLuint i = 0; i < 4; i++) {
      const char name[3] = {'a', (char)('0' + i)};
      if (!random_one_in(20))
         glBindAttribLocation(program, i, name);
   }
   if (random_one_in(3))
      glTransformFeedbackVaryings(program, (GLsizei)random_below(random_one_in(10) ? 6 : 4),
                                  geometry ? varyings_geometry : varyings,
                                  random_one_in(2) ? GL_INTERLEAVED_ATTRIBS : GL_SEPARATE_ATTRIBS);
}

void
random_program_new(void)
{
   GLint ok = 0;
   char log[256];
   const GLuint program = glCreateProgram();
   const GLuint vertex = shader(GL_VERTEX_SHADER), fragment = shader(GL_FRAGMENT_SHADER);
   glAttachShader(program, vertex);
   glAttachShader(program, fragment);
   const bool geometry = !random_gl.es && random_one_in(4);
   if (geometry) {
      const GLuint middle = shader(GL_GEOMETRY_SHADER);
      glAttachShader(program, middle);
      glDeleteShader(middle);
   }
   link_names(program, geometry);
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   glGetProgramInfoLog(program, (GLsizei)random_below(sizeof(log)), NULL, log);
   random_add(&random_gl.programs, program, 0);
   if (ok || random_one_in(10))
      glUseProgram(program);
   glUniformBlockBinding(program, random_one_in(40) ? random_below(9) : 0, random_below(3));
   if (random_one_in(2)) {
      glDetachShader(program, vertex);
      glDetachShader(program, random_name(&random_gl.programs));
   }
   glDeleteShader(vertex);
   glDeleteShader(fragment);
   random_uniforms();
}

void
random_program_use(void)
{
   const GLuint program = random_name(&random_gl.programs);
   if (random_one_in(8))
      glValidateProgram(program);
   if (random_one_in(12))
      glLinkProgram(program);
   glUseProgram(program);
}

void
random_uniforms(void)
{
   const GLfloat f[16] = {random_float(),
                          random_float(),
                          0.5f,
                          1,
                          random_float(),
                          1,
                          random_float(),
                          0.25f,
                          0,
                          random_float(),
                          1,
                          random_float(),
                          0.125f,
                          0,
                          random_float(),
                          1};
   GLint program = 0, active = 0;
   glGetIntegerv(GL_CURRENT_PROGRAM, &program);
   glGetProgramiv((GLuint)program, GL_ACTIVE_UNIFORMS, &active);
   for (GLint i = 0; i < active && i < 32; i++) {
      char name[64];
      GLint size = 0;
      GLenum type = 0;
      glGetActiveUniform((GLuint)program, (GLuint)i, sizeof(name), NULL, &size, &type, name);
      const GLint at = glGetUniformLocation((GLuint)program, name) +
                       (random_one_in(50) ? (GLint)random_below(20) : 0);
      if (random_one_in(40))
         type = RANDOM_OF(((const GLenum[]){GL_FLOAT_MAT4, GL_FLOAT_VEC4, GL_SAMPLER_2D}));
      if (type == GL_FLOAT_MAT4)
         glUniformMatrix4fv(at, random_one_in(30) ? -1 : 1, random_one_in(4), f);
      else if (type == GL_FLOAT_VEC4)
         glUniform4fv(at, random_one_in(20) ? (GLsizei)random_below(5) : size > 3 ? 3 : size, f);
      else
         glUniform1i(at, random_one_in(50) ? random_place() : (GLint)random_below(RANDOM_UNITS));
   }
}
