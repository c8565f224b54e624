/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * ARB_vertex_program and ARB_fragment_program at what glGetProgramiv says: instructions,
 * temporaries, parameters, attributes, address registers, texture instructions and indirections;
 * one more of each is refused. Each program computes a value that shows that everything was
 * there. */
#include "limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static GLint
get(GLenum target, GLenum name)
{
   GLint value = 0;
   glGetProgramivARB(target, name, &value);
   return value;
}

/* Loads; true when it was accepted. */
static bool
load(GLenum target, const struct text *text)
{
   GLint position;
   while (glGetError() != GL_NO_ERROR) {
   }
   glProgramStringARB(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)text->size, text->data);
   GLenum error = glGetError();
   glGetIntegerv(GL_PROGRAM_ERROR_POSITION_ARB, &position);
   EXPECT((error == GL_INVALID_OPERATION) == (position >= 0), "error 0x%x with error position %d",
          error, position);
   EXPECT(error == GL_NO_ERROR || error == GL_INVALID_OPERATION, "glProgramString: error 0x%x",
          error);
   return error == GL_NO_ERROR;
}

static GLuint current; /* not program 0, for which there are no native limits */

/* The program's result is 1 everywhere: yellow comes out. */
static void
expect_result(GLenum target, const struct text *text, bool ok, const char *what)
{
   static const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
   const bool loaded = load(target, text);
   EXPECT(loaded == ok, "%s program, %s: %s (%s)",
          target == GL_VERTEX_PROGRAM_ARB ? "vertex" : "fragment", what,
          loaded ? "accepted" : "refused", (const char *)glGetString(GL_PROGRAM_ERROR_STRING_ARB));
   if (loaded && ok) {
      GLint native = get(target, GL_PROGRAM_UNDER_NATIVE_LIMITS_ARB);
      EXPECT(native, "%s: not under native limits", what);
      glEnable(target);
      glClearColor(0, 0, 1, 1);
      glClear(GL_COLOR_BUFFER_BIT);
      glEnableClientState(GL_VERTEX_ARRAY);
      glVertexPointer(2, GL_FLOAT, 0, corners);
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
      glDisableClientState(GL_VERTEX_ARRAY);
      EXPECT_PIXEL(SIZE / 2, SIZE / 2, 255, 255, 0, what);
      glDisable(target);
   }
}

static void
begin(struct text *t, GLenum target)
{
   glDeleteProgramsARB(1, &current);
   glGenProgramsARB(1, &current);
   glBindProgramARB(target, current);
   text_add(t, target == GL_VERTEX_PROGRAM_ARB ? "!!ARBvp1.0\n" : "!!ARBfp1.0\n");
   if (target == GL_VERTEX_PROGRAM_ARB)
      text_add(t, "MOV result.position, vertex.position;\n");
}

/* r.x == want gives yellow. Six instructions. */
#define END_INSTRUCTIONS 5
static void
end(struct text *t, GLenum target, double want)
{
   (void)target;
   text_add(t,
            "SUB r.x, r.x, %.9g; ABS r.x, r.x; SGE r.x, 0.001, r.x;\nMOV r.yzw, {0, 1, 0, 1}; MOV "
            "result.color, r;\nEND\n",
            want);
}

static void
check_instructions(GLenum target)
{
   static const char *const kinds[] = {"ADD r.x, r.x, 1;\n", "LIT q, c;\n", "XPD q, c, c.yzxw;\n",
                                       "POW q.x, c.y, c.x;\n", "LRP q, c, r, c;\n"};
   const int max = get(target, GL_MAX_PROGRAM_INSTRUCTIONS_ARB),
             extra = target == GL_VERTEX_PROGRAM_ARB ? 1 : 0;
   for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
      if (!strncmp(kinds[k], "LRP", 3) && target == GL_VERTEX_PROGRAM_ARB)
         continue;
      for (int over = 0; over < (k ? 1 : 2); over++) {
         struct text t = {0};
         /* END counts as an instruction in neither specification. */
         const int n = max - extra - END_INSTRUCTIONS - 1 - 1 + over;
         begin(&t, target);
         text_add(&t, "TEMP r, q; PARAM c = program.local[0];\nMOV r, 0; MOV q, c;\n");
         for (int i = 0; i < n - 1; i++) {
            if (k == 0)
               text_add(&t, "%s", kinds[0]);
            else if (i % 2)
               text_add(&t, "%s", kinds[k]);
            else /* needs what the other made */
               text_add(&t, "MAD r.x, q.x, 0, r.x;\n");
         }
         text_add(&t, "ADD r.x, r.x, 1;\n");
         end(&t, target, k ? 1 : n);
         glProgramLocalParameter4fARB(target, 0, 0.5f, 0.25f, 0.75f, 2);
         expect_result(target, &t, !over, kinds[k]);
         text_free(&t);
      }
   }
}

static void
check_temporaries(GLenum target)
{
   const int max = get(target, GL_MAX_PROGRAM_TEMPORARIES_ARB);
   for (int over = 0; over < 2; over++) {
      struct text t = {0};
      begin(&t, target);
      text_add(&t, "TEMP r;\n");
      for (int i = 1; i < max + over; i++)
         text_add(&t, "TEMP t%d;\n", i);
      text_add(&t, "MOV r, program.local[0];\n");
      double want = 0;
      for (int i = 1; i < max; i++)
         text_add(&t, "ADD t%d, r, %d;\n", i, i % 2 ? i % 100 : 1);
      for (int i = 1; i < max; i += 2) {
         if (i + 1 < max)
            text_add(&t, "MAD r, t%d.yzwx, t%d, r;\n", i, i + 1);
         else
            text_add(&t, "ADD r, r, t%d;\n", i);
         want += i % 100;
      }
      end(&t, target, want);
      glProgramLocalParameter4fARB(target, 0, 0, 0, 0, 0);
      expect_result(target, &t, !over, "temporaries");
      text_free(&t);
   }
}

static void
set_parameters(GLenum target, int local, int env)
{
   for (int i = 0; i < local; i++)
      glProgramLocalParameter4fARB(target, (GLuint)i, 1, (float)i, 0, 0);
   for (int i = 0; i < env; i++)
      glProgramEnvParameter4fARB(target, (GLuint)i, 2, (float)i, 0, 0);
   EXPECT_OK("parameters");
}

/* Parameters of every kind: local ones up to the limit of their own, environment, and constants in
 * the program. */
static void
check_parameters(GLenum target)
{
   const int local = get(target, GL_MAX_PROGRAM_LOCAL_PARAMETERS_ARB),
             env = get(target, GL_MAX_PROGRAM_ENV_PARAMETERS_ARB);
   const int max = get(target, GL_MAX_PROGRAM_PARAMETERS_ARB);
   EXPECT(local <= max, "%d local parameters, %d parameters", local, max);
   set_parameters(target, local, env);
   glProgramLocalParameter4fARB(target, (GLuint)local, 1, 0, 0, 0);
   EXPECT_ERROR(GL_INVALID_VALUE, "local parameter past the last");
   glProgramEnvParameter4fARB(target, (GLuint)env, 1, 0, 0, 0);
   EXPECT_ERROR(GL_INVALID_VALUE, "environment parameter past the last");

   /* Two constants are end's, one is the zero. */
   for (int kind = 0; kind < 3; kind++) {
      for (int over = 0; over < (limits_small ? 1 : 2); over++) {
         struct text t = {0};
         const int n = max - 4 + over * 8;
         double want = 0;
         begin(&t, target);
         set_parameters(target, local, env);
         text_add(&t, "TEMP r;\nMOV r, {0, 0, 0, 0};\n");
         for (int i = 0; i < n; i++) {
            const bool is_env = kind == 1 && i < env,
                       constant = kind == 2 || (!is_env && i >= local);
            if (constant)
               text_add(&t, "ADD r, r, {%d.5, %d, 3, 4};\n", i % 64, i);
            else
               text_add(&t, "ADD r, r, program.%s[%d];\n", is_env ? "env" : "local",
                        is_env ? i : i);
            want += constant ? i % 64 + 0.5 : is_env ? 2 : 1;
         }
         end(&t, target, want);
         /* A program may refer to more than the limit when the implementation packs; refusing must
          * be clean, accepting right. */
         if (!over)
            expect_result(target, &t, true,
                          kind == 2 ? "constants"
                          : kind    ? "environment parameters"
                                    : "local parameters");
         else if (load(target, &t))
            expect_result(target, &t, true, "more parameters");
         text_free(&t);
      }
   }
   if (target == GL_FRAGMENT_PROGRAM_ARB)
      return;
   /* Relative addressing over all of them. */
   struct text t = {0};
   begin(&t, target);
   set_parameters(target, local, env);
   text_add(&t,
            "TEMP r; ADDRESS a; PARAM p[%d] = {program.local[0..%d]};\nMOV r, 0; ARL a.x, "
            "vertex.color.x; MOV r.x, p[a.x + %d].y;\n",
            local - 8, local - 9, 60);
   end(&t, target, local - 9);
   glColor4f((float)(local - 9 - 60), 0, 0, 1);
   expect_result(target, &t, true, "relative addressing");
   glColor4f(1, 1, 1, 1);
   text_free(&t);
}

static void
check_vertex(void)
{
   const GLenum vp = GL_VERTEX_PROGRAM_ARB;
   const int attribs = get(vp, GL_MAX_PROGRAM_ATTRIBS_ARB),
             address = get(vp, GL_MAX_PROGRAM_ADDRESS_REGISTERS_ARB);
   struct text t = {0};
   begin(&t, vp);
   text_add(&t, "TEMP r; MOV r, 0;\n");
   for (int i = 1; i < attribs; i++) {
      glVertexAttrib4f((GLuint)i, (float)i, 0, 0, 1);
      text_add(&t, "ADD r.x, r.x, vertex.attrib[%d].x;\n", i);
   }
   end(&t, vp, attribs * (attribs - 1) / 2);
   expect_result(vp, &t, true, "attributes");
   text_free(&t);
   begin(&t, vp);
   text_add(&t, "MOV result.color, vertex.attrib[%d];\nEND\n", attribs);
   expect_result(vp, &t, false, "attribute past the last");
   text_free(&t);
   begin(&t, vp);
   for (int i = 0; i <= address; i++)
      text_add(&t, "ADDRESS a%d;\n", i);
   for (int i = 0; i <= address; i++)
      text_add(&t, "ARL a%d.x, vertex.position.x;\n", i);
   text_add(&t, "MOV result.color, 1;\nEND\n");
   expect_result(vp, &t, false, "address registers past the last");
   text_free(&t);
}

/* Dependent texture reads: the texture maps x to itself, so the coordinate survives. */
static void
check_textures(void)
{
   const GLenum fp = GL_FRAGMENT_PROGRAM_ARB;
   const int tex = get(fp, GL_MAX_PROGRAM_TEX_INSTRUCTIONS_ARB),
             indirections = get(fp, GL_MAX_PROGRAM_TEX_INDIRECTIONS_ARB);
   const int instructions = get(fp, GL_MAX_PROGRAM_INSTRUCTIONS_ARB);
   int n = tex < indirections ? tex : indirections;
   if (n > instructions - 8)
      n = instructions - 8;
   GLuint texture;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   static const float texel[4][4] = {{0.625f, 0.125f, 0, 0},
                                     {0.875f, 0.125f, 0, 0},
                                     {0.125f, 0.125f, 0, 0},
                                     {0.375f, 0.125f, 0, 0}};
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, 4, 1, 0, GL_RGBA, GL_FLOAT, texel);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   struct text t = {0};
   begin(&t, fp);
   text_add(&t, "TEMP r; MOV r, program.local[0];\n");
   glProgramLocalParameter4fARB(fp, 0, 0.125f, 0.125f, 0, 0);
   for (int i = 0; i < n; i++)
      text_add(&t, "TEX r, r, texture[0], 2D;\n");
   end(&t, fp, n % 2 ? 0.625 : 0.125);
   expect_result(fp, &t, true, "texture indirections");
   text_free(&t);
   glDeleteTextures(1, &texture);
}

void
limits_assembly(void)
{
   static const GLenum targets[] = {GL_VERTEX_PROGRAM_ARB, GL_FRAGMENT_PROGRAM_ARB};
   glUseProgram(0);
   for (int i = 0; i < 2; i++) {
      /* A large program is few fragments and vertices. */
      glViewport(SIZE / 2, SIZE / 2, i ? 1 : SIZE, i ? 1 : SIZE);
      glEnable(GL_SCISSOR_TEST);
      glScissor(SIZE / 2, SIZE / 2, 1, 1);
      if (!limits_small) {
         check_instructions(targets[i]);
         check_temporaries(targets[i]);
      }
      check_parameters(targets[i]);
      if (!i)
         check_vertex();
      else if (!limits_small)
         check_textures();
   }
   glDeleteProgramsARB(1, &current);
   glDisable(GL_SCISSOR_TEST);
   glViewport(0, 0, SIZE, SIZE);
}
