/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * GL_AMD_performance_monitor counts what is drawn between begin and end, and no more: vertices of
 * immediate mode before and after it are not in it. Status 3: there are no counters. Not here:
 * errors of the extension (piglit). */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include "egl_util.h"

enum { SIZE = 64, MAX = 1000 };

static const char *const wanted[] = {"draws",  "triangles",      "fragments",
                                     "cycles", "BusyPercent_TT", "vertex-cache-hits"};
enum { DRAWS, TRIANGLES, FRAGMENTS, CYCLES, BUSY, HITS, NUM };

static GLuint group_of[NUM], counter_of[NUM];

static void
find_counters(void)
{
   GLint num_groups = 0, total = 0;
   unsigned found = 0;
   GLuint groups[100];
   glGetPerfMonitorGroupsAMD(&num_groups, 100, groups);
   CHECK(num_groups > 15 && num_groups < 100, "%d groups", num_groups);
   for (GLint g = 0; g < num_groups; g++) {
      char name[200];
      GLint num = 0, active = 0;
      GLuint counters[MAX];
      glGetPerfMonitorCountersAMD(groups[g], &num, &active, MAX, counters);
      CHECK(num > 0 && active == num, "group %d: %d of %d counters at once", g, active, num);
      total += num;
      for (GLint c = 0; c < num; c++) {
         glGetPerfMonitorCounterStringAMD(groups[g], counters[c], sizeof(name), NULL, name);
         for (unsigned w = 0; w < NUM; w++) {
            if (!strcmp(name, wanted[w])) {
               group_of[w] = groups[g];
               counter_of[w] = counters[c];
               found++;
            }
         }
      }
   }
   CHECK(total > 300, "only %d counters", total);
   CHECK(found == NUM, "only %u of the counters that this test wants", found);
}

/* size * size pixels, as part of the vertices that Mesa collects. */
static void
draw(GLint size)
{
   const float s = 2.0f * (float)size / SIZE - 1;
   glBegin(GL_QUADS);
   glVertex2f(-1, -1);
   glVertex2f(s, -1);
   glVertex2f(s, s);
   glVertex2f(-1, s);
   glEnd();
}

/* Values by number in wanted. */
static void
result(GLuint monitor, double *values)
{
   GLuint data[NUM * 4], available = 0, bytes = 0;
   GLint written = 0, polls = 0;
   for (; !available && polls < 10; polls++)
      glGetPerfMonitorCounterDataAMD(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD, sizeof(available),
                                     &available, NULL);
   CHECK(available, "no result after %d questions", polls);
   glGetPerfMonitorCounterDataAMD(monitor, GL_PERFMON_RESULT_SIZE_AMD, sizeof(bytes), &bytes, NULL);
   CHECK(bytes && bytes <= sizeof(data), "%u bytes of results", bytes);
   glGetPerfMonitorCounterDataAMD(monitor, GL_PERFMON_RESULT_AMD, (GLsizei)bytes, data, &written);
   for (GLuint *p = data; p < data + written / 4;) {
      const GLuint group = *p++, counter = *p++;
      GLuint type = 0;
      GLuint64 u;
      GLfloat f;
      double value;
      glGetPerfMonitorCounterInfoAMD(group, counter, GL_COUNTER_TYPE_AMD, &type);
      if (type == GL_UNSIGNED_INT64_AMD) {
         memcpy(&u, p, sizeof(u));
         value = (double)u;
         p += 2;
      } else {
         CHECK(type == GL_PERCENTAGE_AMD, "type %x", type);
         memcpy(&f, p++, sizeof(f));
         value = f;
      }
      for (unsigned w = 0; w < NUM; w++) {
         if (group_of[w] == group && counter_of[w] == counter)
            values[w] = value;
      }
   }
}

int
main(void)
{
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   if (!strstr((const char *)glGetString(GL_EXTENSIONS), "GL_AMD_performance_monitor"))
      return 3;
   find_counters();
   GLuint monitors[3];
   glGenPerfMonitorsAMD(3, monitors);
   for (unsigned m = 0; m < 3; m++) {
      for (unsigned w = 0; w < NUM; w++)
         glSelectPerfMonitorCountersAMD(monitors[m], GL_TRUE, group_of[w], 1,
                                        (GLuint *)&counter_of[w]);
   }
   /* The second one is used twice; the third counts both and what is between. */
   for (unsigned again = 0; again < 2; again++) {
      double values[3][NUM] = {{-1}};
      glBeginPerfMonitorAMD(monitors[2]);
      draw(SIZE);
      glBeginPerfMonitorAMD(monitors[0]);
      draw(16);
      draw(16);
      glEndPerfMonitorAMD(monitors[0]);
      draw(8);
      glBeginPerfMonitorAMD(monitors[1]);
      draw(32);
      glEndPerfMonitorAMD(monitors[1]);
      glEndPerfMonitorAMD(monitors[2]);
      draw(4);
      for (unsigned m = 0; m < 3; m++) {
         result(monitors[m], values[m]);
         printf("%.0f draws, %.0f triangles, %.0f fragments, %.0f cycles, %.0f %%, %.0f %%\n",
                values[m][DRAWS], values[m][TRIANGLES], values[m][FRAGMENTS], values[m][CYCLES],
                values[m][BUSY], values[m][HITS]);
         CHECK(values[m][CYCLES] > 0 && values[m][BUSY] >= 1 && values[m][BUSY] <= 100 &&
                   values[m][HITS] >= 0 && values[m][HITS] <= 100,
               "monitor %u: out of range", m);
      }
      CHECK(values[0][FRAGMENTS] == 2 * 16 * 16 && values[0][TRIANGLES] == 4, "first monitor");
      CHECK(values[1][FRAGMENTS] == 32 * 32 && values[1][TRIANGLES] == 2, "second monitor");
      CHECK(values[2][FRAGMENTS] == SIZE * SIZE + 2 * 16 * 16 + 8 * 8 + 32 * 32, "third monitor");
      CHECK(values[2][DRAWS] > values[0][DRAWS] + values[1][DRAWS], "draws");
      CHECK(values[2][CYCLES] > values[0][CYCLES] + values[1][CYCLES], "cycles");
   }
   glDeletePerfMonitorsAMD(3, monitors);
   CHECK(glGetError() == GL_NO_ERROR, "OpenGL error");
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglTerminate(display);
   return 0;
}
