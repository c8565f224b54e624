/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Random calls about what is drawn to: framebuffers with textures and renderbuffers, whole or not,
 * clears, blits, read-backs of pixels, and the state of packing and unpacking. */
#include "formats.h"

static const GLenum attachments[] = {
    GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT0,  GL_COLOR_ATTACHMENT1,       GL_COLOR_ATTACHMENT2,
    GL_DEPTH_ATTACHMENT,  GL_STENCIL_ATTACHMENT, GL_DEPTH_STENCIL_ATTACHMENT};
static const GLenum bindings[] = {GL_FRAMEBUFFER, GL_FRAMEBUFFER, GL_DRAW_FRAMEBUFFER,
                                  GL_READ_FRAMEBUFFER};

static void
surface_bind(void)
{
   GLuint name = random_name(&random_gl.framebuffers);
   if (random_gl.framebuffers.count < 2) {
      glGenFramebuffers(1, &name);
      random_add(&random_gl.framebuffers, name, 0);
   }
   glBindFramebuffer(RANDOM_OF(bindings), random_one_in(3) ? 0 : name);
}

static void
surface_attach(GLenum binding)
{
   const struct random_names *names = &random_gl.textures;
   const unsigned at = names->count ? random_below(names->count) : 0;
   const GLuint name = random_one_in(20) ? random_name(names) : names->name[at];
   const GLint level = random_one_in(4) ? (GLint)random_below(3) : 0;
   const GLenum attachment = RANDOM_OF(attachments);
   switch (random_below(6)) {
   case 0:
      glFramebufferTexture(binding, attachment, name, level);
      break;
   case 1:
      glFramebufferTextureLayer(binding, attachment, name, level, random_place() & 7);
      break;
   case 2:
   case 3:
      glFramebufferRenderbuffer(binding, attachment, GL_RENDERBUFFER,
                                random_name(&random_gl.renderbuffers));
      break;
   default: {
      const GLenum target = names->target[at] == GL_TEXTURE_CUBE_MAP
                                ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + random_below(6)
                                : names->target[at];
      if (target == GL_TEXTURE_1D)
         glFramebufferTexture1D(binding, attachment, target, name, level);
      else if (target == GL_TEXTURE_3D)
         glFramebufferTexture3D(binding, attachment, target, name, level, random_place() & 7);
      else
         glFramebufferTexture2D(binding, attachment, target, name, level);
      break;
   }
   }
}

/* Colour and depth of one size, which can be drawn to. */
static void
surface_whole(void)
{
   static const GLenum colors[] = {GL_RGBA8,   GL_RGB10_A2, GL_RGB565,       GL_RGBA4,  GL_R8,
                                   GL_RGBA16F, GL_RG32UI,   GL_SRGB8_ALPHA8, GL_RGBA8I, GL_R32F};
   static const GLenum depths[] = {GL_DEPTH_COMPONENT16, GL_DEPTH24_STENCIL8, GL_DEPTH32F_STENCIL8,
                                   GL_DEPTH_COMPONENT24};
   const GLsizei w = random_size(70), h = random_size(70);
   const GLsizei samples = random_one_in(3) ? random_size(8) : 0;
   const unsigned buffers = 1 + random_below(3);
   GLuint name, storage[4];
   glGenFramebuffers(1, &name);
   random_add(&random_gl.framebuffers, name, 0);
   glBindFramebuffer(GL_FRAMEBUFFER, name);
   glGenRenderbuffers(4, storage);
   for (unsigned i = 0; i < 4; i++) {
      const bool depth = i == 3;
      random_add(&random_gl.renderbuffers, storage[i], 0);
      if (!depth && i >= buffers)
         continue;
      const GLenum format = depth ? RANDOM_OF(depths) : RANDOM_OF(colors);
      glBindRenderbuffer(GL_RENDERBUFFER, storage[i]);
      glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, w, h);
      glFramebufferRenderbuffer(GL_FRAMEBUFFER,
                                !depth ? GL_COLOR_ATTACHMENT0 + i
                                : format == GL_DEPTH24_STENCIL8 || format == GL_DEPTH32F_STENCIL8
                                    ? GL_DEPTH_STENCIL_ATTACHMENT
                                    : GL_DEPTH_ATTACHMENT,
                                GL_RENDERBUFFER, storage[i]);
   }
}

void
random_framebuffer(void)
{
   if (random_one_in(4)) {
      surface_whole();
      return;
   }
   surface_bind();
   if (random_one_in(2))
      surface_attach(RANDOM_OF(bindings));
   if (random_one_in(3))
      glCheckFramebufferStatus(RANDOM_OF(bindings));
   if (random_one_in(12)) {
      const GLenum list[3] = {RANDOM_OF(attachments), RANDOM_OF(attachments),
                              random_one_in(3) ? GL_COLOR : GL_COLOR_ATTACHMENT0};
      const GLsizei count = random_size(3); /* at most what the list has, which the driver reads */
      glInvalidateSubFramebuffer(RANDOM_OF(bindings), count > 3 ? 3 : count, list, random_place(),
                                 random_place(), random_size(40), random_size(40));
   }
}

void
random_renderbuffer(void)
{
   const struct random_format *f = &random_formats[random_below(RANDOM_LENGTH(random_formats))];
   const GLsizei w = random_size(60), h = random_size(60), samples = random_size(8);
   GLuint name = random_name(&random_gl.renderbuffers);
   if (random_gl.renderbuffers.count < 2) {
      glGenRenderbuffers(1, &name);
      random_add(&random_gl.renderbuffers, name, 0);
   }
   glBindRenderbuffer(GL_RENDERBUFFER, name);
   if (random_one_in(2))
      glRenderbufferStorage(GL_RENDERBUFFER, f->internal, w, h);
   else
      glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, f->internal, w, h);
}

void
random_draw_buffers(void)
{
   static const GLenum buffers[] = {GL_NONE,
                                    GL_BACK,
                                    GL_COLOR_ATTACHMENT0,
                                    GL_COLOR_ATTACHMENT1,
                                    GL_FRONT,
                                    GL_COLOR_ATTACHMENT2};
   const GLenum list[4] = {random_one_in(3) ? RANDOM_OF(buffers) : GL_COLOR_ATTACHMENT0,
                           random_one_in(2) ? GL_NONE : GL_COLOR_ATTACHMENT1,
                           random_one_in(2) ? GL_NONE : GL_COLOR_ATTACHMENT2, RANDOM_OF(buffers)};
   switch (random_below(3)) {
   case 0:
      glDrawBuffers(
          random_one_in(20) ? 9 - 10 * (GLsizei)random_below(2) : (GLsizei)random_below(4), list);
      break;
   case 1:
      glReadBuffer(RANDOM_OF(buffers));
      break;
   default:
      glDrawBuffer(RANDOM_OF(buffers));
      break;
   }
}

void
random_blit(void)
{
   static const GLbitfield masks[] = {GL_COLOR_BUFFER_BIT, GL_COLOR_BUFFER_BIT, GL_DEPTH_BUFFER_BIT,
                                      GL_STENCIL_BUFFER_BIT,
                                      GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT};
   glBindFramebuffer(GL_READ_FRAMEBUFFER, random_name(&random_gl.framebuffers));
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER,
                     random_one_in(2) ? 0 : random_name(&random_gl.framebuffers));
   const GLint x = random_place(), y = random_place(), w = random_size(40), h = random_size(40);
   const bool same = random_one_in(2);
   /* Coordinates that no int holds are the program's mistake, which C does not define. */
   const GLint x1 = (GLint)((uint32_t)x + (uint32_t)w), y1 = (GLint)((uint32_t)y + (uint32_t)h);
   glBlitFramebuffer(x, y, x1, y1, same ? x : random_place(), same ? y : random_place(),
                     same ? x1 : random_place(), same ? y1 : random_place(), RANDOM_OF(masks),
                     random_one_in(2) ? GL_LINEAR : GL_NEAREST);
}

void
random_clear(void)
{
   const GLfloat f[4] = {random_float(), random_float(), random_float(), random_float()};
   const GLint i[4] = {random_place(), random_place(), random_place(), random_place()};
   static const GLenum buffers[] = {GL_COLOR, GL_COLOR, GL_DEPTH, GL_STENCIL, GL_DEPTH_STENCIL};
   const GLint which = random_one_in(30) ? random_place() : (GLint)random_below(3);
   glClearColor(f[0], f[1], f[2], f[3]);
   glClearStencil(i[0]);
   glClearDepthf(f[1]);
   switch (random_below(6)) {
   case 0:
      glClearBufferfv(RANDOM_OF(buffers), which, f);
      break;
   case 1:
      glClearBufferiv(RANDOM_OF(buffers), which, i);
      break;
   case 2:
      glClearBufferuiv(GL_COLOR, which, (const GLuint *)i);
      break;
   case 3:
      glClearBufferfi(RANDOM_OF(buffers), 0, f[0], i[1]);
      break;
   default:
      glClear(random_one_in(25) ? random_below(0x10000)
                                : (random_below(2) ? GL_COLOR_BUFFER_BIT : 0u) |
                                      (random_below(2) ? GL_DEPTH_BUFFER_BIT : 0u) |
                                      (random_below(2) ? GL_STENCIL_BUFFER_BIT : 0u));
      break;
   }
}

void
random_read_pixels(void)
{
   struct random_image image = {.format = GL_RGBA,
                                .type = GL_UNSIGNED_BYTE,
                                .w = random_size(40),
                                .h = random_size(40),
                                .d = 1,
                                .dimensions = 2,
                                .pack = true};
   void *pixels;
   surface_bind();
   if (random_one_in(2)) {
      image.format = RANDOM_OF(random_pixel_formats);
      image.type = RANDOM_OF(random_pixel_types);
   }
   if (random_pixels(&image, &pixels))
      glReadPixels(random_place(), random_place(), image.w, image.h, image.format, image.type,
                   pixels);
}

void
random_pixel_store(void)
{
   static const GLenum names[] = {
       GL_UNPACK_SWAP_BYTES,  GL_UNPACK_LSB_FIRST, GL_UNPACK_ROW_LENGTH,  GL_UNPACK_IMAGE_HEIGHT,
       GL_UNPACK_SKIP_PIXELS, GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_IMAGES, GL_UNPACK_ALIGNMENT,
       GL_PACK_SWAP_BYTES,    GL_PACK_LSB_FIRST,   GL_PACK_ROW_LENGTH,    GL_PACK_IMAGE_HEIGHT,
       GL_PACK_SKIP_PIXELS,   GL_PACK_SKIP_ROWS,   GL_PACK_SKIP_IMAGES,   GL_PACK_ALIGNMENT};
   static const GLint lengths[] = {0, 0, 0, 1, 2, 3, 5, 17, 41, -1};
   const GLenum name = RANDOM_OF(names);
   const bool alignment = name == GL_UNPACK_ALIGNMENT || name == GL_PACK_ALIGNMENT;
   glPixelStorei(name, alignment ? 1 << random_below(4) : lengths[random_below(10)]);
   if (random_one_in(4)) {
      const GLenum target = random_one_in(2) ? GL_PIXEL_PACK_BUFFER : GL_PIXEL_UNPACK_BUFFER;
      glBindBuffer(target, random_one_in(3) ? random_name(&random_gl.buffers) : 0);
   }
}
