/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Random calls about textures and samplers: images of all formats and their parts, compressed ones,
 * copies from framebuffers, read-backs, parameters. Not here: textures as what is drawn to
 * (random_surfaces.c). */
#include "formats.h"

static const GLenum targets[] = {GL_TEXTURE_2D,
                                 GL_TEXTURE_2D,
                                 GL_TEXTURE_2D,
                                 GL_TEXTURE_3D,
                                 GL_TEXTURE_CUBE_MAP,
                                 GL_TEXTURE_2D_ARRAY,
                                 GL_TEXTURE_1D,
                                 GL_TEXTURE_1D_ARRAY,
                                 GL_TEXTURE_RECTANGLE,
                                 GL_TEXTURE_BUFFER,
                                 GL_TEXTURE_2D_MULTISAMPLE,
                                 GL_TEXTURE_2D_MULTISAMPLE_ARRAY};

/* A texture of the program, bound; *target is where. */
static void
texture_bind(GLenum *target)
{
   struct random_names *names = &random_gl.textures;
   const unsigned at = names->count ? random_below(names->count) : 0;
   glActiveTexture(GL_TEXTURE0 +
                   (random_one_in(50) ? random_below(300) : random_below(RANDOM_UNITS)));
   if (names->count < 3 || random_one_in(6)) {
      GLuint name;
      *target = RANDOM_OF(targets);
      glGenTextures(1, &name);
      random_add(names, name, *target);
      glBindTexture(*target, name);
   } else {
      *target = random_one_in(50) ? RANDOM_OF(targets) : names->target[at];
      glBindTexture(*target, random_one_in(60) ? random_name(names) : names->name[at]);
   }
   if (*target == GL_TEXTURE_CUBE_MAP && !random_one_in(20))
      *target = GL_TEXTURE_CUBE_MAP_POSITIVE_X + random_below(6);
}

static GLenum
whole(GLenum target)
{
   return target >= GL_TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z
              ? GL_TEXTURE_CUBE_MAP
              : target;
}

static unsigned
dimensions(GLenum target)
{
   switch (target) {
   case GL_TEXTURE_1D:
      return 1;
   case GL_TEXTURE_3D:
   case GL_TEXTURE_2D_ARRAY:
   case GL_TEXTURE_2D_MULTISAMPLE_ARRAY:
      return 3;
   default:
      return 2;
   }
}

static GLint
level(void)
{
   if (random_one_in(50))
      return (GLint)random_below(20) - 2;
   return random_one_in(3) ? (GLint)random_below(4) : 0;
}

void
random_texture_bind(void)
{
   GLenum target;
   texture_bind(&target);
}

/* Special kinds, which have no images of the program. */
static bool
texture_storage(GLenum target, const struct random_format *f)
{
   const GLsizei w = random_size(33), h = random_size(21);
   if (target == GL_TEXTURE_BUFFER)
      glTexBuffer(target, f->internal, random_name(&random_gl.buffers));
   else if (target == GL_TEXTURE_2D_MULTISAMPLE)
      glTexImage2DMultisample(target, random_size(8), f->internal, w, h, random_one_in(2));
   else if (target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY)
      glTexImage3DMultisample(target, random_size(8), f->internal, w, h, random_size(4),
                              random_one_in(2));
   else if (!random_one_in(5))
      return false;
   else if (dimensions(target) == 3)
      glTexStorage3D(target, random_size(6), f->internal, w, h, random_size(6));
   else if (dimensions(target) == 1)
      glTexStorage1D(target, random_size(6), f->internal, w);
   else
      glTexStorage2D(whole(target), random_size(6), f->internal, w,
                     whole(target) == GL_TEXTURE_CUBE_MAP ? w : h);
   return true;
}

/* Whole chains are complete, so that mipmaps are sampled. */
static GLint
texture_levels(GLsizei w, GLsizei h)
{
   GLint levels = 1;
   if (w < 1 || h < 1 || w > 64 || h > 64 || random_one_in(2))
      return 1;
   for (GLsizei size = w > h ? w : h; size > 1; size /= 2)
      levels++;
   return levels;
}

void
random_texture_image(void)
{
   const struct random_format *f = &random_formats[random_below(RANDOM_LENGTH(random_formats))];
   const bool odd = random_one_in(6);
   GLenum target;
   texture_bind(&target);
   if (texture_storage(target, f))
      return;
   const unsigned n = dimensions(target);
   const GLsizei w = random_size(40), d = n == 3 ? random_size(6) : 1;
   const GLsizei h = n == 1 ? 1 : whole(target) == GL_TEXTURE_CUBE_MAP ? w : random_size(30);
   const GLint first = random_one_in(8) ? level() : 0, levels = texture_levels(w, h);
   const GLint border = random_one_in(60) ? (GLint)random_below(3) - 1 : 0;
   for (GLint l = first; l < first + levels; l++) {
      struct random_image image = {.format = odd ? RANDOM_OF(random_pixel_formats) : f->format,
                                   .type = odd || random_one_in(12) ? RANDOM_OF(random_pixel_types)
                                                                    : f->type,
                                   .w = w >> (l - first) ? w >> (l - first)
                                        : w < 1          ? w
                                                         : 1,
                                   .h = h >> (l - first) ? h >> (l - first)
                                        : h < 1          ? h
                                                         : 1,
                                   .d = d,
                                   .dimensions = n};
      void *pixels;
      if (!random_pixels(&image, &pixels))
         return;
      const GLint internal = (GLint)f->internal;
      if (n == 1)
         glTexImage1D(target, l, internal, image.w, border, image.format, image.type, pixels);
      else if (n == 2)
         glTexImage2D(target, l, internal, image.w, image.h, border, image.format, image.type,
                      pixels);
      else
         glTexImage3D(target, l, internal, image.w, image.h, d, border, image.format, image.type,
                      pixels);
      random_release();
   }
}

void
random_texture_part(void)
{
   const struct random_format *f = &random_formats[random_below(RANDOM_LENGTH(random_formats))];
   GLenum target;
   texture_bind(&target);
   const unsigned n = dimensions(target);
   const GLint l = level(), x = random_place(), y = random_place(), z = random_place();
   struct random_image image = {
       .format = f->format, .type = f->type, .w = random_size(12), .h = 1, .d = 1, .dimensions = n};
   void *pixels;
   if (random_one_in(2)) {
      image.format = RANDOM_OF(random_pixel_formats);
      image.type = RANDOM_OF(random_pixel_types);
   }
   image.h = n > 1 ? random_size(10) : 1;
   image.d = n > 2 ? random_size(4) : 1;
   if (!random_pixels(&image, &pixels) || (!pixels && random_one_in(2)))
      return;
   if (n == 1)
      glTexSubImage1D(target, l, x, image.w, image.format, image.type, pixels);
   else if (n == 2)
      glTexSubImage2D(target, l, x, y, image.w, image.h, image.format, image.type, pixels);
   else
      glTexSubImage3D(target, l, x, y, z, image.w, image.h, image.d, image.format, image.type,
                      pixels);
}

static const struct {
   GLenum internal;
   GLsizei bytes; /* of a block of 4 by 4 */
} compressed[] = {
    {GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 8},
    {GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, 8},
    {GL_COMPRESSED_RGBA_S3TC_DXT3_EXT, 16},
    {GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, 16},
    {GL_COMPRESSED_RED_RGTC1, 8},
    {GL_COMPRESSED_SIGNED_RG_RGTC2, 16},
    {GL_COMPRESSED_RGB8_ETC2, 8},
    {GL_COMPRESSED_RGBA8_ETC2_EAC, 16},
    {GL_COMPRESSED_R11_EAC, 8},
    {GL_COMPRESSED_SIGNED_RG11_EAC, 16},
    {GL_COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2, 8},
    {GL_COMPRESSED_RGBA_BPTC_UNORM, 16},
};

void
random_texture_compressed(void)
{
   const unsigned c = random_below(RANDOM_LENGTH(compressed));
   const GLenum format = random_one_in(30) ? GL_RGBA8 : compressed[c].internal;
   GLenum target;
   texture_bind(&target);
   const unsigned n = dimensions(target);
   const bool part = random_one_in(3);
   const GLint l = level(), x = random_place() & ~3, y = random_place() & ~3;
   GLsizei w = random_size(30), h = random_size(30), d = n == 3 ? random_size(4) : 1;
   if (whole(target) == GL_TEXTURE_CUBE_MAP && !part)
      h = w;
   if (w < 0 || h < 0 || d < 0 || w > 1024 || h > 1024 || d > 16)
      w = 3, h = 5, d = -1;
   if (part && !random_one_in(3))
      w = (w + 3) & ~3, h = (h + 3) & ~3;
   GLsizei bytes = (w + 3) / 4 * ((h + 3) / 4) * d * compressed[c].bytes;
   if (random_one_in(12))
      bytes = random_size(500);
   void *data = random_compressed(bytes, false);
   if (!data && part)
      return;
   if (n == 3 && part)
      glCompressedTexSubImage3D(target, l, x, y, 0, w, h, d, format, bytes, data);
   else if (n == 3)
      glCompressedTexImage3D(target, l, format, w, h, d, 0, bytes, data);
   else if (part)
      glCompressedTexSubImage2D(target, l, x, y, w, h, format, bytes, data);
   else
      glCompressedTexImage2D(target, l, format, w, h, 0, bytes, data);
}

void
random_texture_copy(void)
{
   const struct random_format *f = &random_formats[random_below(RANDOM_LENGTH(random_formats))];
   GLenum target;
   texture_bind(&target);
   const unsigned n = dimensions(target);
   const GLint l = level(), x = random_place(), y = random_place();
   const GLint to_x = random_place(), to_y = random_place();
   const GLsizei w = random_size(30), h = random_size(30);
   if (random_one_in(3) && !(w > 4096 || h > 4096))
      n == 1 ? glCopyTexImage1D(target, l, f->internal, x, y, w, 0)
             : glCopyTexImage2D(target, l, f->internal, x, y, w, h, 0);
   else if (n == 1)
      glCopyTexSubImage1D(target, l, to_x, x, y, w);
   else if (n == 2)
      glCopyTexSubImage2D(target, l, to_x, to_y, x, y, w, h);
   else
      glCopyTexSubImage3D(target, l, to_x, to_y, random_place(), x, y, w, h);
   if (random_one_in(2))
      glGenerateMipmap(whole(target));
}

void
random_texture_read(void)
{
   GLenum target;
   GLint w = 0, h = 0, d = 0, is_compressed = 0, bytes = 0;
   void *pixels;
   texture_bind(&target);
   const GLint l = level();
   glGetTexLevelParameteriv(target, l, GL_TEXTURE_WIDTH, &w);
   glGetTexLevelParameteriv(target, l, GL_TEXTURE_HEIGHT, &h);
   glGetTexLevelParameteriv(target, l, GL_TEXTURE_DEPTH, &d);
   glGetTexLevelParameteriv(target, l, GL_TEXTURE_COMPRESSED, &is_compressed);
   if (is_compressed && random_one_in(2)) {
      glGetTexLevelParameteriv(target, l, GL_TEXTURE_COMPRESSED_IMAGE_SIZE, &bytes);
      pixels = random_compressed(bytes, true);
      if (pixels)
         glGetCompressedTexImage(target, l, pixels);
      return;
   }
   const struct random_image image = {.format = RANDOM_OF(random_pixel_formats),
                                      .type = RANDOM_OF(random_pixel_types),
                                      .w = w,
                                      .h = h,
                                      .d = d,
                                      .dimensions = dimensions(target),
                                      .pack = true};
   if (random_pixels(&image, &pixels) && (pixels || random_one_in(2)))
      glGetTexImage(target, l, image.format, image.type, pixels);
}

static const GLenum parameters[] = {
    GL_TEXTURE_MIN_FILTER,     GL_TEXTURE_MAG_FILTER,   GL_TEXTURE_WRAP_S,
    GL_TEXTURE_WRAP_T,         GL_TEXTURE_WRAP_R,       GL_TEXTURE_BASE_LEVEL,
    GL_TEXTURE_MAX_LEVEL,      GL_TEXTURE_MIN_LOD,      GL_TEXTURE_MAX_LOD,
    GL_TEXTURE_LOD_BIAS,       GL_TEXTURE_COMPARE_MODE, GL_TEXTURE_COMPARE_FUNC,
    GL_TEXTURE_SWIZZLE_R,      GL_TEXTURE_SWIZZLE_A,    GL_TEXTURE_BORDER_COLOR,
    GL_TEXTURE_MAX_ANISOTROPY, GL_TEXTURE_SWIZZLE_RGBA};
static const GLenum values[] = {GL_NEAREST,
                                GL_LINEAR,
                                GL_NEAREST_MIPMAP_NEAREST,
                                GL_LINEAR_MIPMAP_NEAREST,
                                GL_NEAREST_MIPMAP_LINEAR,
                                GL_LINEAR_MIPMAP_LINEAR,
                                GL_REPEAT,
                                GL_CLAMP_TO_EDGE,
                                GL_CLAMP_TO_BORDER,
                                GL_MIRRORED_REPEAT,
                                GL_COMPARE_REF_TO_TEXTURE,
                                GL_NONE,
                                GL_LESS,
                                GL_GEQUAL,
                                GL_RED,
                                GL_ALPHA,
                                GL_ONE};

/* A value that the parameter takes, or another one now and then. */
static GLint
texture_value(GLenum name)
{
   switch (name) {
   case GL_TEXTURE_MIN_FILTER:
      return (GLint)(random_one_in(15) ? RANDOM_OF(values) : values[random_below(6)]);
   case GL_TEXTURE_MAG_FILTER:
      return (GLint)(random_one_in(15) ? RANDOM_OF(values) : values[random_below(2)]);
   case GL_TEXTURE_WRAP_S:
   case GL_TEXTURE_WRAP_T:
   case GL_TEXTURE_WRAP_R:
      return (GLint)(random_one_in(15) ? RANDOM_OF(values) : values[6 + random_below(4)]);
   case GL_TEXTURE_BASE_LEVEL:
   case GL_TEXTURE_MAX_LEVEL:
   case GL_TEXTURE_MIN_LOD:
   case GL_TEXTURE_MAX_LOD:
   case GL_TEXTURE_LOD_BIAS:
   case GL_TEXTURE_MAX_ANISOTROPY:
      return random_one_in(15) ? random_place() : (GLint)random_below(5);
   default:
      return (GLint)RANDOM_OF(values);
   }
}

void
random_texture_state(void)
{
   const GLenum name = RANDOM_OF(parameters);
   const GLfloat f[4] = {random_float(), random_float(), random_float(), random_float()};
   const GLint i[4] = {texture_value(name), (GLint)RANDOM_OF(values), random_place(), GL_GREEN};
   GLenum target;
   texture_bind(&target);
   switch (random_below(4)) {
   case 0:
      glTexParameterfv(whole(target), name, f);
      break;
   case 1:
      glTexParameteriv(whole(target), name, i);
      break;
   default:
      glTexParameteri(whole(target), name, i[0]);
      break;
   }
   if (random_one_in(6))
      glGenerateMipmap(whole(target));
}

void
random_sampler(void)
{
   GLuint name = random_name(&random_gl.samplers);
   const GLenum parameter = RANDOM_OF(parameters);
   const GLfloat border[4] = {random_float(), random_float(), random_float(), random_float()};
   if (random_gl.samplers.count < 3) {
      glGenSamplers(1, &name);
      random_add(&random_gl.samplers, name, 0);
   }
   glBindSampler(random_below(RANDOM_UNITS), random_one_in(2) ? 0 : name);
   if (random_one_in(5))
      glSamplerParameterfv(name, parameter, border);
   else
      glSamplerParameteri(name, parameter, texture_value(parameter));
}
