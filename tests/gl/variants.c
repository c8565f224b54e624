/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * State that Mesa puts into variants of shaders, a case each (variants.sh runs them all): changed
 * between two draws of the same shaders, it has its effect on the second draw. Not here: the first
 * draw with clip planes (mesa.c). */
#include <stdbool.h>
#include "gl_util.h"

enum { SIZE = 16 };

static const char header[] = "#version 120\n";

static void
begin(void)
{
   EGLContext context;
   EGLDisplay display = util_display(EGL_OPENGL_API);
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
}

static void
quad(GLenum front)
{
   glClear(GL_COLOR_BUFFER_BIT);
   glFrontFace(front);
   glBegin(GL_TRIANGLE_STRIP);
   glVertex2f(-1, -1);
   glVertex2f(1, -1);
   glVertex2f(-1, 1);
   glVertex2f(1, 1);
   glEnd();
}

static void
expect(int x, const char *what, unsigned want)
{
   GLubyte p[4] = {0};
   glReadPixels(x, SIZE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
   const unsigned got = (unsigned)p[0] << 16 | (unsigned)p[1] << 8 | p[2];
   CHECK(got == want, "%s: column %d is %06x, not %06x", what, x, got, want);
}

static const char two_colors[] =
    "void main() { gl_Position = gl_Vertex;"
    "gl_FrontColor = vec4(1, 0, 0, 1); gl_BackColor = vec4(0, 0, 1, 1); }";

static void
two_sided(void)
{
   begin();
   util_program(header, two_colors, "void main() { gl_FragColor = gl_Color; }");
   for (unsigned i = 0; i < 4; i++) {
      (i & 1 ? glEnable : glDisable)(GL_VERTEX_PROGRAM_TWO_SIDE);
      quad(GL_CW); /* its back is seen */
      expect(3, "two sides", i & 1 ? 0x0000ff : 0xff0000);
   }
}

/* Fixed-function lighting has two sides, a vertex program has not; the fragment program stays. */
static void
two_sided_program(void)
{
   static const char vertex[] = "!!ARBvp1.0\nMOV result.position, vertex.position;\n"
                                "MOV result.color.front, {1, 0, 0, 1};\n"
                                "MOV result.color.back, {0, 0, 1, 1};\nEND\n",
                     fragment[] = "!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n";
   static const GLfloat red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1}, black[4] = {0, 0, 0, 1};
   const PFNGLPROGRAMSTRINGARBPROC program_string =
       (PFNGLPROGRAMSTRINGARBPROC)eglGetProcAddress("glProgramStringARB");
   begin();
   program_string(GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, sizeof(vertex) - 1, vertex);
   program_string(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, sizeof(fragment) - 1,
                  fragment);
   glEnable(GL_FRAGMENT_PROGRAM_ARB);
   glEnable(GL_LIGHTING);
   glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);
   glLightModelfv(GL_LIGHT_MODEL_AMBIENT, black);
   glMaterialfv(GL_FRONT, GL_EMISSION, red);
   glMaterialfv(GL_BACK, GL_EMISSION, green);
   for (unsigned i = 0; i < 4; i++) {
      (i & 1 ? glEnable : glDisable)(GL_VERTEX_PROGRAM_ARB);
      quad(GL_CW); /* its back is seen */
      expect(3, "two sides of lighting and of a program", i & 1 ? 0xff0000 : 0x00ff00);
   }
}

static GLuint
separable(GLenum kind, const char *source)
{
   GLint ok;
   const GLuint program = glCreateShaderProgramv(kind, 1, &source);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   CHECK(ok, "a separable program does not link: %s", source);
   return program;
}

/* The last stage before the rasterizer clips: the vertex shader when the geometry shader is gone.
 */
static void
clip_planes_stages(void)
{
   static const GLdouble right[4] = {1, 0, 0, 0};
   GLuint pipeline;
   begin();
   const GLuint geometry = separable(
       GL_GEOMETRY_SHADER,
       "#version 150 compatibility\nlayout(triangles) in; layout(triangle_strip, max_vertices = 3)"
       " out; in gl_PerVertex { vec4 gl_Position; vec4 gl_ClipVertex; } gl_in[];"
       "out gl_PerVertex { vec4 gl_Position; vec4 gl_ClipVertex; };"
       "void main() { for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position;"
       "gl_ClipVertex = gl_Position; EmitVertex(); } EndPrimitive(); }");
   glGenProgramPipelines(1, &pipeline);
   glBindProgramPipeline(pipeline);
   glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT,
                      separable(GL_VERTEX_SHADER,
                                "#version 150 compatibility\n"
                                "out gl_PerVertex { vec4 gl_Position; vec4 gl_ClipVertex; };"
                                "void main() { gl_Position = gl_Vertex; gl_ClipVertex ="
                                " gl_Vertex; }"));
   glUseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT,
                      separable(GL_FRAGMENT_SHADER, "#version 150 compatibility\n"
                                                    "void main() { gl_FragColor = vec4(1); }"));
   glClipPlane(GL_CLIP_PLANE0, right);
   glEnable(GL_CLIP_PLANE0);
   for (unsigned i = 0; i < 4; i++) {
      glUseProgramStages(pipeline, GL_GEOMETRY_SHADER_BIT, i & 1 ? 0 : geometry);
      quad(GL_CCW);
      expect(3, i & 1 ? "clipped by the vertex shader" : "clipped by the geometry shader", 0);
      expect(12, "not clipped", 0xffffff);
   }
}

/* GL_FIXED_ONLY: framebuffers of normalized numbers clamp the colors of vertices, others do not. */
static void
clamp_vertex(void)
{
   GLuint fbo[2], texture[2];
   begin();
   util_program(header, "void main() { gl_Position = gl_Vertex; gl_FrontColor = vec4(3); }",
                "void main() { gl_FragColor = gl_Color / 4.0; }");
   glGenFramebuffers(2, fbo);
   glGenTextures(2, texture);
   for (unsigned i = 0; i < 2; i++) {
      glBindTexture(GL_TEXTURE_2D, texture[i]);
      glTexImage2D(GL_TEXTURE_2D, 0, i ? GL_RGBA32F : GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_FLOAT,
                   NULL);
      glBindFramebuffer(GL_FRAMEBUFFER, fbo[i]);
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture[i], 0);
   }
   glBindTexture(GL_TEXTURE_2D, 0);
   glClampColor(GL_CLAMP_VERTEX_COLOR, GL_FIXED_ONLY);
   for (unsigned i = 0; i < 4; i++) {
      glBindFramebuffer(GL_FRAMEBUFFER, fbo[i & 1]);
      quad(GL_CCW);
      expect(3, "colors of vertices", i & 1 ? 0xbfbfbf : 0x404040);
   }
}

int
main(int argc, char **argv)
{
   static const struct {
      const char *name;
      void (*run)(void);
   } cases[] = {{"two_sided", two_sided},
                {"two_sided_program", two_sided_program},
                {"clip_planes_stages", clip_planes_stages},
                {"clamp_vertex", clamp_vertex}};
   for (size_t i = 0; argc == 2 && i < sizeof(cases) / sizeof(cases[0]); i++) {
      if (strcmp(argv[1], cases[i].name))
         continue;
      cases[i].run();
      const GLenum error = glGetError();
      CHECK(error == GL_NO_ERROR, "OpenGL error 0x%x", error);
      return 0;
   }
   fprintf(stderr, "usage: variants CASE\n");
   return 2;
}
