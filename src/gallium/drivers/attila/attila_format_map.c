/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Maps formats of Gallium to formats of the GPU, with their uses. Luminance, intensity and formats
 * with an unused channel are textures with a swizzle, never render targets: colour write has no
 * swizzle. */
#include "attila_format_map.h"

#include "attila_screen.h"
#include "frontend/sw_winsys.h"
#include "hw/attila_surface.h"
#include "pipe/p_defines.h"
#include "util/format/u_format.h"

#define X ATTILA_SWIZZLE_X
#define Y ATTILA_SWIZZLE_Y
#define Z ATTILA_SWIZZLE_Z
#define W ATTILA_SWIZZLE_W
#define O ATTILA_SWIZZLE_0
#define I ATTILA_SWIZZLE_1
#define ALL 0xff

/* Uses of a multisampled surface. */
#define SAMPLES_BIND                                                          \
   (PIPE_BIND_RENDER_TARGET | PIPE_BIND_BLENDABLE | PIPE_BIND_DEPTH_STENCIL | \
    PIPE_BIND_SAMPLER_VIEW)

/* Formats that have the same name on both sides. */
#define SAME(name) [PIPE_FORMAT_##name] = {ATTILA_FORMAT_##name, ALL, {X, Y, Z, W}}
/* Formats for vertices only. */
#define VERT(name) [PIPE_FORMAT_##name] = {ATTILA_FORMAT_##name, ATTILA_USE_VERTEX, {X, Y, Z, W}}
/* Formats for textures only, with a swizzle. */
#define SWIZ(name, attila, r, g, b, a) \
   [PIPE_FORMAT_##                     \
       name] = {ATTILA_FORMAT_##attila, ATTILA_USE_TEXTURE | ATTILA_USE_SRGB, {r, g, b, a}}
#define NAMED(name, attila) [PIPE_FORMAT_##name] = {ATTILA_FORMAT_##attila, ALL, {X, Y, Z, W}}

static const struct attila_format_map formats[PIPE_FORMAT_COUNT] = {
    SAME(R8_UNORM),
    SAME(A8_UNORM),
    SAME(R8G8_UNORM),
    SAME(R8A8_UNORM),
    SAME(R8G8B8A8_UNORM),
    SAME(R8G8B8X8_UNORM),
    SAME(B8G8R8A8_UNORM),
    SAME(B8G8R8X8_UNORM),
    SAME(A8R8G8B8_UNORM),
    SAME(A8B8G8R8_UNORM),
    SAME(R8G8B8A8_SRGB),
    SAME(R8G8B8X8_SRGB),
    SAME(B8G8R8A8_SRGB),
    SAME(B8G8R8X8_SRGB),
    SAME(R8_SRGB),
    SAME(B5G6R5_UNORM),
    SAME(B5G5R5A1_UNORM),
    SAME(B5G5R5X1_UNORM),
    SAME(B4G4R4A4_UNORM),
    SAME(B4G4R4X4_UNORM),
    SAME(B2G3R3_UNORM),
    SAME(R4A4_UNORM),
    SAME(R10G10B10A2_UNORM),
    SAME(B10G10R10A2_UNORM),
    SAME(R16_UNORM),
    SAME(A16_UNORM),
    SAME(R16G16_UNORM),
    SAME(R16A16_UNORM),
    SAME(R16G16B16A16_UNORM),
    SAME(R8_SNORM),
    SAME(A8_SNORM),
    SAME(R8G8_SNORM),
    SAME(R8A8_SNORM),
    SAME(R8G8B8A8_SNORM),
    SAME(R16_SNORM),
    SAME(A16_SNORM),
    SAME(R16G16_SNORM),
    SAME(R16A16_SNORM),
    SAME(R16G16B16A16_SNORM),
    SAME(R16_FLOAT),
    SAME(A16_FLOAT),
    SAME(R16G16_FLOAT),
    SAME(R16A16_FLOAT),
    SAME(R16G16B16A16_FLOAT),
    SAME(R32_FLOAT),
    SAME(A32_FLOAT),
    SAME(R32G32_FLOAT),
    SAME(R32A32_FLOAT),
    SAME(R32G32B32A32_FLOAT),
    SAME(R11G11B10_FLOAT),
    SAME(R9G9B9E5_FLOAT),
    SAME(R8_UINT),
    SAME(R8G8_UINT),
    SAME(R8G8B8A8_UINT),
    SAME(R16_UINT),
    SAME(R16G16_UINT),
    SAME(R16G16B16A16_UINT),
    SAME(R32_UINT),
    SAME(R32G32_UINT),
    SAME(R32G32B32A32_UINT),
    SAME(R8_SINT),
    SAME(R8G8_SINT),
    SAME(R8G8B8A8_SINT),
    SAME(R16_SINT),
    SAME(R16G16_SINT),
    SAME(R16G16B16A16_SINT),
    SAME(R32_SINT),
    SAME(R32G32_SINT),
    SAME(R32G32B32A32_SINT),
    SAME(R10G10B10A2_UINT),

    SWIZ(L8_UNORM, R8_UNORM, X, X, X, I),
    SWIZ(I8_UNORM, R8_UNORM, X, X, X, X),
    SWIZ(L8A8_UNORM, R8A8_UNORM, X, X, X, W),
    SWIZ(L4A4_UNORM, R4A4_UNORM, X, X, X, W),
    SWIZ(L8_SRGB, R8_SRGB, X, X, X, I),
    SWIZ(L8A8_SRGB, R8A8_SRGB, X, X, X, W),
    SWIZ(L16_UNORM, R16_UNORM, X, X, X, I),
    SWIZ(I16_UNORM, R16_UNORM, X, X, X, X),
    SWIZ(L16A16_UNORM, R16A16_UNORM, X, X, X, W),
    SWIZ(L8_SNORM, R8_SNORM, X, X, X, I),
    SWIZ(I8_SNORM, R8_SNORM, X, X, X, X),
    SWIZ(L8A8_SNORM, R8A8_SNORM, X, X, X, W),
    SWIZ(L16_SNORM, R16_SNORM, X, X, X, I),
    SWIZ(I16_SNORM, R16_SNORM, X, X, X, X),
    SWIZ(L16A16_SNORM, R16A16_SNORM, X, X, X, W),
    SWIZ(L16_FLOAT, R16_FLOAT, X, X, X, I),
    SWIZ(I16_FLOAT, R16_FLOAT, X, X, X, X),
    SWIZ(L16A16_FLOAT, R16A16_FLOAT, X, X, X, W),
    SWIZ(L32_FLOAT, R32_FLOAT, X, X, X, I),
    SWIZ(I32_FLOAT, R32_FLOAT, X, X, X, X),
    SWIZ(L32A32_FLOAT, R32A32_FLOAT, X, X, X, W),
    SWIZ(X8R8G8B8_UNORM, A8R8G8B8_UNORM, X, Y, Z, I),
    SWIZ(X8B8G8R8_UNORM, A8B8G8R8_UNORM, X, Y, Z, I),
    SWIZ(R10G10B10X2_UNORM, R10G10B10A2_UNORM, X, Y, Z, I),
    SWIZ(B10G10R10X2_UNORM, B10G10R10A2_UNORM, X, Y, Z, I),
    SWIZ(R8G8B8X8_SNORM, R8G8B8A8_SNORM, X, Y, Z, I),
    SWIZ(R16G16B16X16_UNORM, R16G16B16A16_UNORM, X, Y, Z, I),
    SWIZ(R16G16B16X16_SNORM, R16G16B16A16_SNORM, X, Y, Z, I),
    SWIZ(R16G16B16X16_FLOAT, R16G16B16A16_FLOAT, X, Y, Z, I),
    SWIZ(R32G32B32X32_FLOAT, R32G32B32A32_FLOAT, X, Y, Z, I),
    SWIZ(LATC1_UNORM, RGTC1_UNORM, X, X, X, I),
    SWIZ(LATC1_SNORM, RGTC1_SNORM, X, X, X, I),
    SWIZ(LATC2_UNORM, RGTC2_UNORM, X, X, X, Y),
    SWIZ(LATC2_SNORM, RGTC2_SNORM, X, X, X, Y),
    SWIZ(A8_UINT, R8_UINT, O, O, O, X),
    SWIZ(L8_UINT, R8_UINT, X, X, X, I),
    SWIZ(I8_UINT, R8_UINT, X, X, X, X),
    SWIZ(L8A8_UINT, R8G8_UINT, X, X, X, Y),
    SWIZ(R8G8B8X8_UINT, R8G8B8A8_UINT, X, Y, Z, I),
    SWIZ(A16_UINT, R16_UINT, O, O, O, X),
    SWIZ(L16_UINT, R16_UINT, X, X, X, I),
    SWIZ(I16_UINT, R16_UINT, X, X, X, X),
    SWIZ(L16A16_UINT, R16G16_UINT, X, X, X, Y),
    SWIZ(R16G16B16X16_UINT, R16G16B16A16_UINT, X, Y, Z, I),
    SWIZ(A32_UINT, R32_UINT, O, O, O, X),
    SWIZ(L32_UINT, R32_UINT, X, X, X, I),
    SWIZ(I32_UINT, R32_UINT, X, X, X, X),
    SWIZ(L32A32_UINT, R32G32_UINT, X, X, X, Y),
    SWIZ(R32G32B32X32_UINT, R32G32B32A32_UINT, X, Y, Z, I),
    SWIZ(A8_SINT, R8_SINT, O, O, O, X),
    SWIZ(L8_SINT, R8_SINT, X, X, X, I),
    SWIZ(I8_SINT, R8_SINT, X, X, X, X),
    SWIZ(L8A8_SINT, R8G8_SINT, X, X, X, Y),
    SWIZ(R8G8B8X8_SINT, R8G8B8A8_SINT, X, Y, Z, I),
    SWIZ(A16_SINT, R16_SINT, O, O, O, X),
    SWIZ(L16_SINT, R16_SINT, X, X, X, I),
    SWIZ(I16_SINT, R16_SINT, X, X, X, X),
    SWIZ(L16A16_SINT, R16G16_SINT, X, X, X, Y),
    SWIZ(R16G16B16X16_SINT, R16G16B16A16_SINT, X, Y, Z, I),
    SWIZ(A32_SINT, R32_SINT, O, O, O, X),
    SWIZ(L32_SINT, R32_SINT, X, X, X, I),
    SWIZ(I32_SINT, R32_SINT, X, X, X, X),
    SWIZ(L32A32_SINT, R32G32_SINT, X, X, X, Y),
    SWIZ(R32G32B32X32_SINT, R32G32B32A32_SINT, X, Y, Z, I),

    SAME(DXT1_RGB),
    SAME(DXT1_RGBA),
    SAME(DXT3_RGBA),
    SAME(DXT5_RGBA),
    SAME(DXT1_SRGB),
    SAME(DXT1_SRGBA),
    SAME(DXT3_SRGBA),
    SAME(DXT5_SRGBA),
    SAME(RGTC1_UNORM),
    SAME(RGTC1_SNORM),
    SAME(RGTC2_UNORM),
    SAME(RGTC2_SNORM),
    SAME(ETC1_RGB8),
    SAME(ETC2_RGB8),
    SAME(ETC2_SRGB8),
    SAME(ETC2_RGB8A1),
    SAME(ETC2_SRGB8A1),
    SAME(ETC2_RGBA8),
    SAME(ETC2_SRGBA8),
    SAME(ETC2_R11_UNORM),
    SAME(ETC2_R11_SNORM),
    SAME(ETC2_RG11_UNORM),
    SAME(ETC2_RG11_SNORM),

    SAME(Z16_UNORM),
    SAME(Z24X8_UNORM),
    NAMED(Z24_UNORM_S8_UINT, Z24S8),
    SAME(Z32_FLOAT),
    NAMED(Z32_FLOAT_S8X24_UINT, Z32_FLOAT_S8X24),
    SAME(X24S8_UINT),
    SAME(X32_S8X24_UINT),

    VERT(R8G8B8_UNORM),
    VERT(R8G8B8_SNORM),
    VERT(R16G16B16_UNORM),
    VERT(R16G16B16_SNORM),
    VERT(R16G16B16_FLOAT),
    VERT(R32G32B32_FLOAT),
    VERT(R10G10B10A2_SNORM),
    VERT(B10G10R10A2_SNORM),
    VERT(R10G10B10A2_USCALED),
    VERT(R10G10B10A2_SSCALED),
    VERT(B10G10R10A2_USCALED),
    VERT(B10G10R10A2_SSCALED),
    VERT(R8_USCALED),
    VERT(R8G8_USCALED),
    VERT(R8G8B8_USCALED),
    VERT(R8G8B8A8_USCALED),
    VERT(R8_SSCALED),
    VERT(R8G8_SSCALED),
    VERT(R8G8B8_SSCALED),
    VERT(R8G8B8A8_SSCALED),
    VERT(R16_USCALED),
    VERT(R16G16_USCALED),
    VERT(R16G16B16_USCALED),
    VERT(R16G16B16A16_USCALED),
    VERT(R16_SSCALED),
    VERT(R16G16_SSCALED),
    VERT(R16G16B16_SSCALED),
    VERT(R16G16B16A16_SSCALED),
    VERT(R32_USCALED),
    VERT(R32G32_USCALED),
    VERT(R32G32B32_USCALED),
    VERT(R32G32B32A32_USCALED),
    VERT(R32_SSCALED),
    VERT(R32G32_SSCALED),
    VERT(R32G32B32_SSCALED),
    VERT(R32G32B32A32_SSCALED),
    VERT(R32_UNORM),
    VERT(R32G32_UNORM),
    VERT(R32G32B32_UNORM),
    VERT(R32G32B32A32_UNORM),
    VERT(R32_SNORM),
    VERT(R32G32_SNORM),
    VERT(R32G32B32_SNORM),
    VERT(R32G32B32A32_SNORM),
    VERT(R32_FIXED),
    VERT(R32G32_FIXED),
    VERT(R32G32B32_FIXED),
    VERT(R32G32B32A32_FIXED),
    VERT(R8G8B8_UINT),
    VERT(R16G16B16_UINT),
    VERT(R32G32B32_UINT),
    VERT(R8G8B8_SINT),
    VERT(R16G16B16_SINT),
    VERT(R32G32B32_SINT),
};

const struct attila_format_map *
attila_map_format(enum pipe_format format)
{
   return (unsigned)format < PIPE_FORMAT_COUNT ? &formats[format] : &formats[PIPE_FORMAT_NONE];
}

/* Returns the uses that a bind flag demands of the format. */
static unsigned
attila_format_map_uses_for_bind(unsigned bind)
{
   unsigned uses = 0;
   if (bind & PIPE_BIND_SAMPLER_VIEW)
      uses |= ATTILA_USE_TEXTURE;
   if (bind & (PIPE_BIND_RENDER_TARGET | PIPE_BIND_BLENDABLE | PIPE_BIND_DISPLAY_TARGET))
      uses |= ATTILA_USE_COLOR;
   if (bind & PIPE_BIND_DEPTH_STENCIL)
      uses |= ATTILA_USE_ZS;
   if (bind & PIPE_BIND_VERTEX_BUFFER)
      uses |= ATTILA_USE_VERTEX;
   return uses;
}

/* Returns whether buffers can have the format: those of vertices, and those whose elements texture
 * units read one by one. */
static bool
attila_format_map_fits_buffer(enum pipe_format format, unsigned uses)
{
   if (uses & ~(ATTILA_USE_VERTEX | ATTILA_USE_TEXTURE))
      return false;
   return !(uses & ATTILA_USE_TEXTURE) ||
          (!util_format_is_compressed(format) && !util_format_is_depth_or_stencil(format));
}

bool
attila_is_image_format(enum pipe_format format)
{
   const struct attila_format_map *map = attila_map_format(format);
   bool same = true;
   for (unsigned c = 0; c < 4; c++)
      same &= map->swizzle[c] == c ||
              (map->swizzle[c] == (c < 3 ? ATTILA_SWIZZLE_0 : ATTILA_SWIZZLE_1) &&
               !attila_formats[map->format].channel[c].bits);
   return same && map->uses & attila_formats[map->format].uses & ATTILA_USE_COLOR &&
          !(attila_formats[map->format].uses & ATTILA_USE_SRGB);
}

bool
attila_is_format_supported(struct pipe_screen *pscreen, enum pipe_format format,
                           enum pipe_texture_target target, unsigned sample_count,
                           unsigned storage_sample_count, unsigned bind)
{
   struct sw_winsys *winsys = attila_winsys(pscreen);

   if (MAX2(1, sample_count) != MAX2(1, storage_sample_count))
      return false;
   /* Multisampled surfaces are rendered, fetched and resolved, but not shown. */
   if (sample_count > 1 &&
       ((sample_count != 2 && sample_count != 4 && sample_count != ATTILA_MAX_SAMPLES) ||
        (target != PIPE_TEXTURE_2D && target != PIPE_TEXTURE_2D_ARRAY) || (bind & ~SAMPLES_BIND) ||
        util_format_is_compressed(format)))
      return false;
   if (format == PIPE_FORMAT_NONE) /* a framebuffer without attachments */
      return bind == PIPE_BIND_RENDER_TARGET;

   if (bind & PIPE_BIND_INDEX_BUFFER) {
      if (format != PIPE_FORMAT_R8_UINT && format != PIPE_FORMAT_R16_UINT &&
          format != PIPE_FORMAT_R32_UINT)
         return false;
      bind &= ~PIPE_BIND_INDEX_BUFFER;
      if (!bind)
         return true;
   }
   if (bind & (PIPE_BIND_SHADER_BUFFER | PIPE_BIND_LINEAR))
      return false;
   if (bind & PIPE_BIND_SHADER_IMAGE && !attila_is_image_format(format))
      return false;

   const struct attila_format_map *map = attila_map_format(format);
   unsigned uses = attila_format_map_uses_for_bind(bind);
   if (target == PIPE_BUFFER && attila_formats[map->format].uses & ATTILA_USE_TEXTURE_BUFFER)
      uses &= ~ATTILA_USE_TEXTURE;
   if (map->format == ATTILA_FORMAT_NONE ||
       (uses & ~(map->uses & attila_formats[map->format].uses)))
      return false;
   if ((bind & PIPE_BIND_BLENDABLE) && util_format_is_pure_integer(format))
      return false;
   if (target == PIPE_BUFFER && !attila_format_map_fits_buffer(format, uses))
      return false;
   /* Compressed blocks exist in 2D tiles only. */
   if (util_format_is_compressed(format) &&
       (target == PIPE_TEXTURE_1D || target == PIPE_TEXTURE_1D_ARRAY || target == PIPE_TEXTURE_3D ||
        target == PIPE_TEXTURE_RECT))
      return false;
   if ((bind & PIPE_BIND_DISPLAY_TARGET) &&
       !winsys->is_displaytarget_format_supported(winsys, bind, format))
      return false;
   return true;
}
