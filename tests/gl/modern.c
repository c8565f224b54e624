/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What programs of OpenGL 3.3 do that glmark2's scenes do not, for scripts/bench and modern.sh:
 *
 *   shadows    boxes as instances of one mesh, matrices and boxes in uniform blocks, and a depth
 *              texture that is drawn first and compared four times for each fragment
 *   particles  points that a vertex shader with integers moves by transform feedback
 *   fur        a sphere whose geometry shader grows a hair out of each triangle
 *
 * Time is the number of the frame over 60, so that all drivers draw the same. Not here: checks of
 * single features (feedback.c, geometry.c, blocks.c). */
#include <math.h>
#include <stdint.h>
#include "gl_util.h"

#define GLSL "#version 330 core\n"

static GLsizei width = 800, height = 600;

/* --- Matrices: 16 floats, column by column --- */

static void
multiply(float *out, const float *a, const float *b)
{
   for (unsigned column = 0; column < 4; column++) {
      for (unsigned row = 0; row < 4; row++) {
         out[4 * column + row] = 0.0f;
         for (unsigned k = 0; k < 4; k++)
            out[4 * column + row] += a[4 * k + row] * b[4 * column + k];
      }
   }
}

static void
perspective(float *out, float focal, float aspect, float near, float far)
{
   memset(out, 0, 16 * sizeof(float));
   out[0] = focal / aspect;
   out[5] = focal;
   out[10] = (far + near) / (near - far);
   out[11] = -1.0f;
   out[14] = 2.0f * far * near / (near - far);
}

static void
orthographic(float *out, float half, float near, float far)
{
   memset(out, 0, 16 * sizeof(float));
   out[0] = out[5] = 1.0f / half;
   out[10] = 2.0f / (near - far);
   out[14] = (far + near) / (near - far);
   out[15] = 1.0f;
}

static void
normalize(float *v)
{
   const float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
   for (unsigned i = 0; i < 3; i++)
      v[i] /= length;
}

static void
cross(float *out, const float *a, const float *b)
{
   for (unsigned i = 0; i < 3; i++)
      out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* From the eye to the origin, y is up. */
static void
look_at_origin(float *out, const float *eye)
{
   float axis[3][3], back[3] = {eye[0], eye[1], eye[2]};
   static const float up[3] = {0.0f, 1.0f, 0.0f};
   normalize(back);
   cross(axis[0], up, back);
   normalize(axis[0]);
   cross(axis[1], back, axis[0]);
   memcpy(axis[2], back, sizeof(back));
   memset(out, 0, 16 * sizeof(float));
   out[15] = 1.0f;
   for (unsigned row = 0; row < 3; row++) {
      for (unsigned i = 0; i < 3; i++) {
         out[4 * i + row] = axis[row][i];
         out[12 + row] -= axis[row][i] * eye[i];
      }
   }
}

/* The view of a camera that turns around the origin. */
static void
turning_camera(float *out, float *eye, float angle, float distance, float up)
{
   float view[16], lens[16];
   eye[0] = distance * sinf(angle);
   eye[1] = up;
   eye[2] = distance * cosf(angle);
   look_at_origin(view, eye);
   perspective(lens, 1.8f, (float)width / (float)height, 1.0f, 60.0f);
   multiply(out, lens, view);
}

static GLuint
buffer(GLenum target, GLsizeiptr size, const void *data, GLenum usage)
{
   GLuint name;
   glGenBuffers(1, &name);
   glBindBuffer(target, name);
   glBufferData(target, size, data, usage);
   return name;
}

static void
attribute(GLuint index, GLint components, GLsizei stride, size_t offset)
{
   glEnableVertexAttribArray(index);
   glVertexAttribPointer(index, components, GL_FLOAT, GL_FALSE, stride, (const void *)offset);
}

static GLuint
vertex_array(void)
{
   GLuint name;
   glGenVertexArrays(1, &name);
   glBindVertexArray(name);
   return name;
}

/* --- Shadows --- */

enum { BOXES = 60, SHADOW_SIZE = 1024 };

/* std140 */
struct camera {
   float view[16], light[16], sun[4];
};
struct boxes {
   float place[BOXES][4], size[BOXES][4], color[BOXES][4];
};

static struct {
   GLuint depth_program, lit_program, framebuffer, camera, boxes;
} shadows;

#define SHADOW_BLOCKS                                               \
   "layout(std140) uniform Camera { mat4 view, light; vec4 sun; };" \
   "layout(std140) uniform Boxes { vec4 place[60], size[60], color[60]; };"

static const char *const shadow_vertex = SHADOW_BLOCKS
    "layout(location = 0) in vec3 position; layout(location = 1) in vec3 normal;"
    "flat out int box; out vec3 direction; out vec4 in_light;"
    "uniform bool from_light;"
    "void main() {"
    "   float s = sin(place[gl_InstanceID].w), c = cos(place[gl_InstanceID].w);"
    "   mat3 turn = mat3(c, 0, -s, 0, 1, 0, s, 0, c);"
    "   vec3 world = turn * (position * size[gl_InstanceID].xyz) + place[gl_InstanceID].xyz;"
    "   box = gl_InstanceID; direction = turn * normal; in_light = light * vec4(world, 1);"
    "   gl_Position = from_light ? in_light : view * vec4(world, 1);"
    "}";

static const char *const shadow_fragment = SHADOW_BLOCKS
    "flat in int box; in vec3 direction; in vec4 in_light; out vec4 result;"
    "uniform sampler2DShadow map;"
    "void main() {"
    "   vec3 at = in_light.xyz * .5 + .5 - vec3(0, 0, .002);"
    "   float lit = textureOffset(map, at, ivec2(0, 0)) + textureOffset(map, at, ivec2(1, 0)) +"
    "               textureOffset(map, at, ivec2(0, 1)) + textureOffset(map, at, ivec2(1, 1));"
    "   float facing = max(dot(normalize(direction), sun.xyz), 0.);"
    "   result = vec4(color[box].rgb * (.25 + .1875 * facing * lit), 1);"
    "}";

static void
cube(void)
{
   float vertex[24][6];
   GLushort index[36];
   static const GLushort corner[6] = {0, 1, 2, 2, 1, 3};
   for (unsigned face = 0; face < 6; face++) {
      const unsigned axis = face / 2;
      const float side = face & 1 ? 1.0f : -1.0f;
      for (unsigned i = 0; i < 4; i++) {
         float *v = vertex[4 * face + i];
         memset(v, 0, sizeof(vertex[0]));
         v[axis] = v[3 + axis] = side;
         v[(axis + 1) % 3] = (i & 1 ? 1.0f : -1.0f) * side;
         v[(axis + 2) % 3] = i & 2 ? 1.0f : -1.0f;
      }
      for (unsigned i = 0; i < 6; i++)
         index[6 * face + i] = (GLushort)(4 * face + corner[i]);
   }
   buffer(GL_ARRAY_BUFFER, sizeof(vertex), vertex, GL_STATIC_DRAW);
   attribute(0, 3, sizeof(vertex[0]), 0);
   attribute(1, 3, sizeof(vertex[0]), 3 * sizeof(float));
   buffer(GL_ELEMENT_ARRAY_BUFFER, sizeof(index), index, GL_STATIC_DRAW);
}

static void
shadow_blocks(GLuint program)
{
   glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Camera"), 0);
   glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Boxes"), 1);
}

static void
shadows_start(void)
{
   GLuint texture;
   shadows.depth_program = util_program(GLSL, shadow_vertex, "void main() {}");
   shadow_blocks(shadows.depth_program);
   glUniform1i(glGetUniformLocation(shadows.depth_program, "from_light"), 1);
   shadows.lit_program = util_program(GLSL, shadow_vertex, shadow_fragment);
   shadow_blocks(shadows.lit_program);
   vertex_array();
   cube();
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE, 0,
                GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
   glGenFramebuffers(1, &shadows.framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, shadows.framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, texture, 0);
   glDrawBuffer(GL_NONE);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "incomplete");
   shadows.camera = buffer(GL_UNIFORM_BUFFER, sizeof(struct camera), NULL, GL_STREAM_DRAW);
   shadows.boxes = buffer(GL_UNIFORM_BUFFER, sizeof(struct boxes), NULL, GL_STREAM_DRAW);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, shadows.camera);
   glBindBufferBase(GL_UNIFORM_BUFFER, 1, shadows.boxes);
   glEnable(GL_DEPTH_TEST);
   glEnable(GL_CULL_FACE);
}

/* Box 0 is the floor. */
static void
shadows_move(float time)
{
   struct boxes b = {
       .place[0] = {0, -1.2f, 0, 0}, .size[0] = {12, .2f, 12, 0}, .color[0] = {.9f, .9f, .85f, 1}};
   for (unsigned i = 1; i < BOXES; i++) {
      const float angle = 2.4f * (float)i, far = 1.3f * sqrtf((float)i);
      const float tall = .3f + .7f * (.5f + .5f * sinf(3.0f * time + (float)i));
      memcpy(b.place[i], (float[]){far * sinf(angle), tall - 1.0f, far * cosf(angle), angle + time},
             16);
      memcpy(b.size[i], (float[]){.35f, tall, .35f, 0}, 16);
      memcpy(b.color[i],
             (float[]){.5f + .5f * sinf(angle), .5f + .5f * sinf(angle + 2),
                       .5f + .5f * sinf(angle + 4), 1},
             16);
   }
   glBindBuffer(GL_UNIFORM_BUFFER, shadows.boxes);
   glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof(b), &b);
}

static void
shadows_draw(float time)
{
   struct camera c = {.sun = {.5f, .8f, .3f, 0}};
   float eye[3], view[16], lens[16], sun[3];
   normalize(c.sun);
   turning_camera(c.view, eye, .5f + .4f * time, 16.0f, 8.0f);
   for (unsigned i = 0; i < 3; i++)
      sun[i] = 20.0f * c.sun[i];
   look_at_origin(view, sun);
   orthographic(lens, 14.0f, 1.0f, 40.0f);
   multiply(c.light, lens, view);
   glBindBuffer(GL_UNIFORM_BUFFER, shadows.camera);
   glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof(c), &c);
   shadows_move(time);
   glBindFramebuffer(GL_FRAMEBUFFER, shadows.framebuffer);
   glViewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
   glClear(GL_DEPTH_BUFFER_BIT);
   glUseProgram(shadows.depth_program);
   glDrawElementsInstanced(GL_TRIANGLES, 36, GL_UNSIGNED_SHORT, NULL, BOXES);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glViewport(0, 0, width, height);
   glClearColor(.55f, .7f, .9f, 1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glUseProgram(shadows.lit_program);
   glDrawElementsInstanced(GL_TRIANGLES, 36, GL_UNSIGNED_SHORT, NULL, BOXES);
}

/* --- Particles --- */

enum { PARTICLES = 8192 };
struct particle {
   float place[3], age, speed[3], life;
};

static struct {
   GLuint move_program, draw_program, buffer[2], array[2];
   unsigned current;
} particles;

static const char *const particle_move =
    "layout(location = 0) in vec4 place; layout(location = 1) in vec4 speed;"
    "out vec4 new_place, new_speed;"
    "uniform uint frame;"
    "uint state;"
    "float random() {"
    "   state ^= state << 13; state ^= state >> 17; state ^= state << 5;"
    "   return float(state >> 8) / 16777216.;"
    "}"
    "void main() {"
    "   const float step = 1. / 60.;"
    "   new_place = place + vec4(speed.xyz, 1) * step;"
    "   new_speed = speed - vec4(0, 4, 0, 0) * step;"
    "   if (new_place.y < -1.) {"
    "      new_place.y = -2. - new_place.y; new_speed.y *= -.6;"
    "   }"
    "   if (new_place.w > speed.w) {"
    "      state = uint(gl_VertexID) * 747796405u + frame * 2891336453u + 1u;"
    "      random();"
    "      float angle = 6.2832 * random(), out_ = .2 + .8 * random();"
    "      new_place = vec4(0, -1, 0, 0);"
    "      new_speed = vec4(out_ * cos(angle), 3. + 1.5 * random(), out_ * sin(angle),"
    "                       1. + 2. * random());"
    "   }"
    "   gl_Position = vec4(0);"
    "}";

static const char *const particle_vertex =
    "layout(location = 0) in vec4 place; layout(location = 1) in vec4 speed;"
    "flat out vec4 color; uniform mat4 view; uniform float size;"
    "void main() {"
    "   float young = 1. - place.w / speed.w;"
    "   gl_Position = view * vec4(place.xyz, 1);"
    "   gl_PointSize = size * (.3 + young) / gl_Position.w;"
    "   color = mix(vec4(.6, .05, 0, 0), vec4(.35, .45, .9, 0), young) * .15;"
    "}";

static const char *const particle_fragment = "flat in vec4 color; out vec4 result;"
                                             "void main() {"
                                             "   vec2 at = gl_PointCoord * 2. - 1.;"
                                             "   result = color * max(1. - dot(at, at), 0.);"
                                             "}";

static float
particle_random(uint32_t *state)
{
   *state = *state * 1664525u + 1013904223u;
   return (float)(*state >> 8) / 16777216.0f;
}

/* Where a particle is some time after it was born. */
static void
particle_fly(struct particle *p, uint32_t number)
{
   uint32_t state = number * 747796405u;
   const float angle = 6.2832f * particle_random(&state), out = .2f + .8f * particle_random(&state),
               up = 3.0f + 1.5f * particle_random(&state);
   p->life = 1.0f + 2.0f * particle_random(&state);
   p->age = p->life * particle_random(&state);
   p->speed[0] = out * cosf(angle);
   p->speed[1] = up - 4.0f * p->age;
   p->speed[2] = out * sinf(angle);
   for (unsigned i = 0; i < 3; i += 2)
      p->place[i] = p->speed[i] * p->age;
   p->place[1] = fmaxf(-1.0f + (up - 2.0f * p->age) * p->age, -1.0f);
}

static void
particles_start(void)
{
   static const char *const varyings[] = {"new_place", "new_speed"};
   static struct particle p[PARTICLES];
   for (unsigned i = 0; i < PARTICLES; i++)
      particle_fly(&p[i], i);
   particles.move_program = glCreateProgram();
   glAttachShader(particles.move_program, util_shader(GL_VERTEX_SHADER, GLSL, particle_move));
   glTransformFeedbackVaryings(particles.move_program, 2, varyings, GL_INTERLEAVED_ATTRIBS);
   util_link(particles.move_program);
   particles.draw_program = util_program(GLSL, particle_vertex, particle_fragment);
   for (unsigned i = 0; i < 2; i++) {
      particles.array[i] = vertex_array();
      particles.buffer[i] = buffer(GL_ARRAY_BUFFER, sizeof(p), p, GL_STREAM_COPY);
      attribute(0, 4, sizeof(p[0]), 0);
      attribute(1, 4, sizeof(p[0]), 4 * sizeof(float));
   }
   glEnable(GL_PROGRAM_POINT_SIZE);
   glBlendFunc(GL_ONE, GL_ONE);
}

static void
particles_draw(float time)
{
   float view[16], eye[3];
   const unsigned next = !particles.current;
   glUseProgram(particles.move_program);
   glUniform1ui(glGetUniformLocation(particles.move_program, "frame"),
                (GLuint)(60.0f * time + .5f));
   glBindVertexArray(particles.array[particles.current]);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, particles.buffer[next]);
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, PARTICLES);
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);
   particles.current = next;

   turning_camera(view, eye, time, 5.0f, 1.5f);
   glClearColor(.02f, .02f, .05f, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glUseProgram(particles.draw_program);
   glUniformMatrix4fv(glGetUniformLocation(particles.draw_program, "view"), 1, GL_FALSE, view);
   glUniform1f(glGetUniformLocation(particles.draw_program, "size"), (float)height / 12.0f);
   glBindVertexArray(particles.array[next]);
   glEnable(GL_BLEND);
   glDrawArrays(GL_POINTS, 0, PARTICLES);
   glDisable(GL_BLEND);
}

/* --- Fur --- */

enum { RINGS = 32, SEGMENTS = 48 };

static GLuint fur_program;

static const char *const fur_vertex =
    "layout(location = 0) in vec3 position; out vec3 normal;"
    "void main() { normal = position; gl_Position = vec4(position, 1); }";

static const char *const fur_geometry =
    "layout(triangles) in; layout(triangle_strip, max_vertices = 6) out;"
    "in vec3 normal[]; out vec3 color; uniform mat4 view; uniform float time;"
    "void vertex(vec3 at, vec3 shade) {"
    "   gl_Position = view * vec4(at, 1); color = shade; EmitVertex();"
    "}"
    "void main() {"
    "   vec3 sun = normalize(vec3(.5, .8, .6)), middle = vec3(0);"
    "   for (int i = 0; i < 3; i++) {"
    "      vertex(gl_in[i].gl_Position.xyz, vec3(.3, .2, .15) * (.4 + max(dot(normal[i], sun), "
    "0.)));"
    "      middle += normal[i];"
    "   }"
    "   EndPrimitive();"
    "   middle = normalize(middle);"
    "   vec3 wind = vec3(sin(5. * time + 4. * middle.y), 0, cos(4. * time + 3. * middle.x));"
    "   float lit = .5 + max(dot(middle, sun), 0.);"
    "   vertex(mix(gl_in[0].gl_Position.xyz, middle, .5), vec3(.5, .3, .2) * lit);"
    "   vertex(mix(gl_in[1].gl_Position.xyz, middle, .5), vec3(.5, .3, .2) * lit);"
    "   vertex(middle * 1.3 + .08 * wind, vec3(1, .75, .4) * lit);"
    "   EndPrimitive();"
    "}";

static void
sphere(void)
{
   static float vertex[RINGS + 1][SEGMENTS + 1][3];
   static GLushort index[RINGS][SEGMENTS][6];
   for (unsigned y = 0; y <= RINGS; y++) {
      for (unsigned x = 0; x <= SEGMENTS; x++) {
         const float up = 3.14159265f * (float)y / RINGS, around = 6.2831853f * (float)x / SEGMENTS;
         memcpy(vertex[y][x], (float[]){sinf(up) * cosf(around), cosf(up), sinf(up) * sinf(around)},
                12);
      }
   }
   for (unsigned y = 0; y < RINGS; y++) {
      for (unsigned x = 0; x < SEGMENTS; x++) {
         const GLushort a = (GLushort)(y * (SEGMENTS + 1) + x), b = (GLushort)(a + SEGMENTS + 1);
         memcpy(index[y][x], (GLushort[]){a, a + 1, b, b, a + 1, b + 1}, sizeof(index[y][x]));
      }
   }
   buffer(GL_ARRAY_BUFFER, sizeof(vertex), vertex, GL_STATIC_DRAW);
   attribute(0, 3, 3 * sizeof(float), 0);
   buffer(GL_ELEMENT_ARRAY_BUFFER, sizeof(index), index, GL_STATIC_DRAW);
}

static void
fur_start(void)
{
   fur_program = glCreateProgram();
   glAttachShader(fur_program, util_shader(GL_VERTEX_SHADER, GLSL, fur_vertex));
   glAttachShader(fur_program, util_shader(GL_GEOMETRY_SHADER, GLSL, fur_geometry));
   glAttachShader(fur_program, util_shader(GL_FRAGMENT_SHADER, GLSL,
                                           "in vec3 color; out vec4 result;"
                                           "void main() { result = vec4(color, 1); }"));
   util_link(fur_program);
   vertex_array();
   sphere();
   glEnable(GL_DEPTH_TEST);
}

static void
fur_draw(float time)
{
   float view[16], eye[3];
   turning_camera(view, eye, time, 4.5f, 1.5f);
   glClearColor(.75f, .8f, .85f, 1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glUniformMatrix4fv(glGetUniformLocation(fur_program, "view"), 1, GL_FALSE, view);
   glUniform1f(glGetUniformLocation(fur_program, "time"), time);
   glDrawElements(GL_TRIANGLES, RINGS * SEGMENTS * 6, GL_UNSIGNED_SHORT, NULL);
}

/* --- The program --- */

static const struct scene {
   const char *name;
   void (*start)(void);
   void (*draw)(float time);
} scenes[] = {
    {"shadows", shadows_start, shadows_draw},
    {"particles", particles_start, particles_draw},
    {"fur", fur_start, fur_draw},
};

static void
context(EGLDisplay display)
{
   static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                                    3,
                                    EGL_CONTEXT_MINOR_VERSION,
                                    3,
                                    EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                    EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                    EGL_NONE};
   const EGLint size[] = {EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
   /* With 8 bits of alpha: else EGL offers 10 bits of each colour first. */
   static const EGLint bits[] = {EGL_SURFACE_TYPE,
                                 EGL_PBUFFER_BIT,
                                 EGL_RENDERABLE_TYPE,
                                 EGL_OPENGL_BIT,
                                 EGL_ALPHA_SIZE,
                                 8,
                                 EGL_DEPTH_SIZE,
                                 24,
                                 EGL_NONE};
   EGLConfig config;
   EGLint count = 0;
   CHECK(eglChooseConfig(display, bits, &config, 1, &count) && count == 1, "no configuration");
   EGLContext name = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
   EGLSurface surface = eglCreatePbufferSurface(display, config, size);
   CHECK(name && surface && eglMakeCurrent(display, surface, surface, name),
         "no core context of OpenGL 3.3: EGL error 0x%x", eglGetError());
}

static void
save(const char *file)
{
   unsigned char *rgb = malloc(3 * (size_t)width * (size_t)height);
   FILE *f = fopen(file, "wb");
   CHECK(f && rgb, "cannot write %s", file);
   glPixelStorei(GL_PACK_ALIGNMENT, 1);
   glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
   fprintf(f, "P6 %d %d 255\n", width, height);
   for (GLsizei y = height; y-- > 0;)
      fwrite(rgb + 3 * (size_t)y * (size_t)width, 3, (size_t)width, f);
   CHECK(!fclose(f), "cannot write %s", file);
   free(rgb);
}

int
main(int argc, char **argv)
{
   const struct scene *scene = NULL;
   const int frames = argc > 2 ? atoi(argv[2]) : 0;
   for (unsigned i = 0; argc > 1 && i < sizeof(scenes) / sizeof(scenes[0]); i++) {
      if (!strcmp(argv[1], scenes[i].name))
         scene = &scenes[i];
   }
   if (argc > 3)
      CHECK(sscanf(argv[3], "%dx%d", &width, &height) == 2, "no size: %s", argv[3]);
   CHECK(scene && frames > 0 && width > 0 && height > 0,
         "usage: modern shadows|particles|fur FRAMES [WIDTHxHEIGHT [LAST-FRAME.ppm]]");
   EGLDisplay display = util_display(EGL_OPENGL_API);
   context(display);
   scene->start();
   for (int frame = 0; frame < frames; frame++) {
      scene->draw((float)frame / 60.0f);
      if (frame == frames - 1 && argc > 4)
         save(argv[4]);
      eglSwapBuffers(display, eglGetCurrentSurface(EGL_DRAW));
   }
   CHECK(glGetError() == GL_NO_ERROR, "an OpenGL error");
   printf("%d frames of %s\n", frames, scene->name);
   return 0;
}
