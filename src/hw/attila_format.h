/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Element formats of surfaces, textures and vertex attributes, one line each. Bit positions are in
 * the little-endian element. Luminance, intensity, alpha and other channel orders are the driver's
 * swizzles of texture views. A channel with 0 bits reads 0 (red, green, blue) or 1 (alpha; the
 * integer 1 in integer formats). Integer textures are point sampled, integer colour buffers do not
 * blend (EXT_texture_integer). */
#ifndef ATTILA_FORMAT_H
#define ATTILA_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

/* How a channel becomes a register component: a float32 or an integer. */
enum attila_format_type {
   ATTILA_TYPE_NONE,
   ATTILA_TYPE_UNORM,
   ATTILA_TYPE_SNORM,
   ATTILA_TYPE_USCALED,
   ATTILA_TYPE_SSCALED,
   ATTILA_TYPE_FLOAT,
   ATTILA_TYPE_FIXED /* 16.16 */,
   ATTILA_TYPE_SHARED_EXP /* R9G9B9E5 */,
   ATTILA_TYPE_S3TC,
   ATTILA_TYPE_RGTC_UNORM,
   ATTILA_TYPE_RGTC_SNORM,
   ATTILA_TYPE_ETC, /* ETC1 and ETC2 */
   ATTILA_TYPE_EAC_UNORM,
   ATTILA_TYPE_EAC_SNORM,
   ATTILA_TYPE_ZS,   /* depth and/or stencil: depth reads as unorm or float in red; X24S8_UINT and
                      * X32_S8X24_UINT read the stencil of Z24S8 and Z32_FLOAT_S8X24 */
   ATTILA_TYPE_UINT, /* uint32_t bits ... */
   ATTILA_TYPE_SINT, /* ... or int32_t bits */
};

enum attila_format_use {
   ATTILA_USE_TEXTURE = 1 << 0,
   ATTILA_USE_COLOR = 1 << 1,
   ATTILA_USE_ZS = 1 << 2,
   ATTILA_USE_VERTEX = 1 << 3,
   ATTILA_USE_SRGB = 1 << 4,           /* red, green, blue are sRGB encoded */
   ATTILA_USE_TEXTURE_BUFFER = 1 << 5, /* only as a texture of target BUFFER */
};

#define T ATTILA_USE_TEXTURE
#define TC (ATTILA_USE_TEXTURE | ATTILA_USE_COLOR)
#define TV (ATTILA_USE_TEXTURE | ATTILA_USE_VERTEX)
#define TCV (ATTILA_USE_TEXTURE | ATTILA_USE_COLOR | ATTILA_USE_VERTEX)
#define TZ (ATTILA_USE_TEXTURE | ATTILA_USE_ZS)
#define Z ATTILA_USE_ZS
#define V ATTILA_USE_VERTEX
#define BV (ATTILA_USE_TEXTURE_BUFFER | ATTILA_USE_VERTEX)
#define S ATTILA_USE_SRGB

/* F(name, element bytes, block width, block height, type, red bits, shift, green bits, shift, blue
 * bits, shift, alpha bits, shift, uses). In ZS formats red is depth, green stencil. */
/* clang-format off */
#define ATTILA_FORMATS(F)                                                      \
   F(NONE,               0, 1, 1, NONE,    0, 0,  0, 0,  0, 0,  0, 0, 0)       \
   F(R8_UNORM,           1, 1, 1, UNORM,   8, 0,  0, 0,  0, 0,  0, 0, TCV)     \
   F(A8_UNORM,           1, 1, 1, UNORM,   0, 0,  0, 0,  0, 0,  8, 0, TC)      \
   F(R8G8_UNORM,         2, 1, 1, UNORM,   8, 0,  8, 8,  0, 0,  0, 0, TCV)     \
   F(R8A8_UNORM,         2, 1, 1, UNORM,   8, 0,  0, 0,  0, 0,  8, 8, TC)      \
   F(R8G8B8_UNORM,       3, 1, 1, UNORM,   8, 0,  8, 8,  8, 16, 0, 0, V)       \
   F(R8G8B8A8_UNORM,     4, 1, 1, UNORM,   8, 0,  8, 8,  8, 16, 8, 24, TCV)    \
   F(R8G8B8X8_UNORM,     4, 1, 1, UNORM,   8, 0,  8, 8,  8, 16, 0, 0, TC)      \
   F(B8G8R8A8_UNORM,     4, 1, 1, UNORM,   8, 16, 8, 8,  8, 0,  8, 24, TCV)    \
   F(B8G8R8X8_UNORM,     4, 1, 1, UNORM,   8, 16, 8, 8,  8, 0,  0, 0, TC)      \
   F(A8R8G8B8_UNORM,     4, 1, 1, UNORM,   8, 8,  8, 16, 8, 24, 8, 0, TC)      \
   F(A8B8G8R8_UNORM,     4, 1, 1, UNORM,   8, 24, 8, 16, 8, 8,  8, 0, TC)      \
   F(R8G8B8A8_SRGB,      4, 1, 1, UNORM,   8, 0,  8, 8,  8, 16, 8, 24, TC | S) \
   F(R8G8B8X8_SRGB,      4, 1, 1, UNORM,   8, 0,  8, 8,  8, 16, 0, 0, TC | S)  \
   F(B8G8R8A8_SRGB,      4, 1, 1, UNORM,   8, 16, 8, 8,  8, 0,  8, 24, TC | S) \
   F(B8G8R8X8_SRGB,      4, 1, 1, UNORM,   8, 16, 8, 8,  8, 0,  0, 0, TC | S)  \
   F(R8_SRGB,            1, 1, 1, UNORM,   8, 0,  0, 0,  0, 0,  0, 0, T | S)   \
   F(R8A8_SRGB,          2, 1, 1, UNORM,   8, 0,  0, 0,  0, 0,  8, 8, T | S)   \
   F(B5G6R5_UNORM,       2, 1, 1, UNORM,   5, 11, 6, 5,  5, 0,  0, 0, TC)      \
   F(B5G5R5A1_UNORM,     2, 1, 1, UNORM,   5, 10, 5, 5,  5, 0,  1, 15, TC)     \
   F(B5G5R5X1_UNORM,     2, 1, 1, UNORM,   5, 10, 5, 5,  5, 0,  0, 0, TC)      \
   F(B4G4R4A4_UNORM,     2, 1, 1, UNORM,   4, 8,  4, 4,  4, 0,  4, 12, TC)     \
   F(B4G4R4X4_UNORM,     2, 1, 1, UNORM,   4, 8,  4, 4,  4, 0,  0, 0, TC)      \
   F(B2G3R3_UNORM,       1, 1, 1, UNORM,   3, 5,  3, 2,  2, 0,  0, 0, TC)      \
   F(R4A4_UNORM,         1, 1, 1, UNORM,   4, 0,  0, 0,  0, 0,  4, 4, T)       \
   F(R10G10B10A2_UNORM,  4, 1, 1, UNORM,  10, 0, 10, 10, 10, 20, 2, 30, TCV)   \
   F(B10G10R10A2_UNORM,  4, 1, 1, UNORM,  10, 20, 10, 10, 10, 0, 2, 30, TCV)   \
   F(R10G10B10A2_SNORM,  4, 1, 1, SNORM,  10, 0, 10, 10, 10, 20, 2, 30, V)     \
   F(B10G10R10A2_SNORM,  4, 1, 1, SNORM,  10, 20, 10, 10, 10, 0, 2, 30, V)     \
   F(R10G10B10A2_USCALED,4, 1, 1, USCALED,10, 0, 10, 10, 10, 20, 2, 30, V)     \
   F(R10G10B10A2_SSCALED,4, 1, 1, SSCALED,10, 0, 10, 10, 10, 20, 2, 30, V)     \
   F(R16_UNORM,          2, 1, 1, UNORM,  16, 0,  0, 0,  0, 0,  0, 0, TCV)     \
   F(A16_UNORM,          2, 1, 1, UNORM,   0, 0,  0, 0,  0, 0, 16, 0, TC)      \
   F(R16G16_UNORM,       4, 1, 1, UNORM,  16, 0, 16, 16, 0, 0,  0, 0, TCV)     \
   F(R16A16_UNORM,       4, 1, 1, UNORM,  16, 0,  0, 0,  0, 0, 16, 16, TC)     \
   F(R16G16B16_UNORM,    6, 1, 1, UNORM,  16, 0, 16, 16, 16, 32, 0, 0, V)      \
   F(R16G16B16A16_UNORM, 8, 1, 1, UNORM,  16, 0, 16, 16, 16, 32, 16, 48, TCV)  \
   F(R8_SNORM,           1, 1, 1, SNORM,   8, 0,  0, 0,  0, 0,  0, 0, TCV)     \
   F(A8_SNORM,           1, 1, 1, SNORM,   0, 0,  0, 0,  0, 0,  8, 0, TC)      \
   F(R8G8_SNORM,         2, 1, 1, SNORM,   8, 0,  8, 8,  0, 0,  0, 0, TCV)     \
   F(R8A8_SNORM,         2, 1, 1, SNORM,   8, 0,  0, 0,  0, 0,  8, 8, TC)      \
   F(R8G8B8_SNORM,       3, 1, 1, SNORM,   8, 0,  8, 8,  8, 16, 0, 0, V)       \
   F(R8G8B8A8_SNORM,     4, 1, 1, SNORM,   8, 0,  8, 8,  8, 16, 8, 24, TCV)    \
   F(R16_SNORM,          2, 1, 1, SNORM,  16, 0,  0, 0,  0, 0,  0, 0, TCV)     \
   F(A16_SNORM,          2, 1, 1, SNORM,   0, 0,  0, 0,  0, 0, 16, 0, TC)      \
   F(R16G16_SNORM,       4, 1, 1, SNORM,  16, 0, 16, 16, 0, 0,  0, 0, TCV)     \
   F(R16A16_SNORM,       4, 1, 1, SNORM,  16, 0,  0, 0,  0, 0, 16, 16, TC)     \
   F(R16G16B16_SNORM,    6, 1, 1, SNORM,  16, 0, 16, 16, 16, 32, 0, 0, V)      \
   F(R16G16B16A16_SNORM, 8, 1, 1, SNORM,  16, 0, 16, 16, 16, 32, 16, 48, TCV)  \
   F(R16_FLOAT,          2, 1, 1, FLOAT,  16, 0,  0, 0,  0, 0,  0, 0, TCV)     \
   F(A16_FLOAT,          2, 1, 1, FLOAT,   0, 0,  0, 0,  0, 0, 16, 0, TC)      \
   F(R16G16_FLOAT,       4, 1, 1, FLOAT,  16, 0, 16, 16, 0, 0,  0, 0, TCV)     \
   F(R16A16_FLOAT,       4, 1, 1, FLOAT,  16, 0,  0, 0,  0, 0, 16, 16, TC)     \
   F(R16G16B16_FLOAT,    6, 1, 1, FLOAT,  16, 0, 16, 16, 16, 32, 0, 0, V)      \
   F(R16G16B16A16_FLOAT, 8, 1, 1, FLOAT,  16, 0, 16, 16, 16, 32, 16, 48, TCV)  \
   F(R32_FLOAT,          4, 1, 1, FLOAT,  32, 0,  0, 0,  0, 0,  0, 0, TCV)     \
   F(A32_FLOAT,          4, 1, 1, FLOAT,   0, 0,  0, 0,  0, 0, 32, 0, TC)      \
   F(R32G32_FLOAT,       8, 1, 1, FLOAT,  32, 0, 32, 32, 0, 0,  0, 0, TCV)     \
   F(R32A32_FLOAT,       8, 1, 1, FLOAT,  32, 0,  0, 0,  0, 0, 32, 32, TC)     \
   F(R32G32B32_FLOAT,   12, 1, 1, FLOAT,  32, 0, 32, 32, 32, 64, 0, 0, BV)     \
   F(R32G32B32A32_FLOAT,16, 1, 1, FLOAT,  32, 0, 32, 32, 32, 64, 32, 96, TCV)  \
   F(R11G11B10_FLOAT,    4, 1, 1, FLOAT,  11, 0, 11, 11, 10, 22, 0, 0, TC)     \
   F(R9G9B9E5_FLOAT,     4, 1, 1, SHARED_EXP, 9, 0, 9, 9, 9, 18, 0, 0, T)      \
   F(R8_USCALED,         1, 1, 1, USCALED, 8, 0,  0, 0,  0, 0,  0, 0, V)       \
   F(R8G8_USCALED,       2, 1, 1, USCALED, 8, 0,  8, 8,  0, 0,  0, 0, V)       \
   F(R8G8B8_USCALED,     3, 1, 1, USCALED, 8, 0,  8, 8,  8, 16, 0, 0, V)       \
   F(R8G8B8A8_USCALED,   4, 1, 1, USCALED, 8, 0,  8, 8,  8, 16, 8, 24, V)      \
   F(R8_SSCALED,         1, 1, 1, SSCALED, 8, 0,  0, 0,  0, 0,  0, 0, V)       \
   F(R8G8_SSCALED,       2, 1, 1, SSCALED, 8, 0,  8, 8,  0, 0,  0, 0, V)       \
   F(R8G8B8_SSCALED,     3, 1, 1, SSCALED, 8, 0,  8, 8,  8, 16, 0, 0, V)       \
   F(R8G8B8A8_SSCALED,   4, 1, 1, SSCALED, 8, 0,  8, 8,  8, 16, 8, 24, V)      \
   F(R16_USCALED,        2, 1, 1, USCALED,16, 0,  0, 0,  0, 0,  0, 0, V)       \
   F(R16G16_USCALED,     4, 1, 1, USCALED,16, 0, 16, 16, 0, 0,  0, 0, V)       \
   F(R16G16B16_USCALED,  6, 1, 1, USCALED,16, 0, 16, 16, 16, 32, 0, 0, V)      \
   F(R16G16B16A16_USCALED,8,1, 1, USCALED,16, 0, 16, 16, 16, 32, 16, 48, V)    \
   F(R16_SSCALED,        2, 1, 1, SSCALED,16, 0,  0, 0,  0, 0,  0, 0, V)       \
   F(R16G16_SSCALED,     4, 1, 1, SSCALED,16, 0, 16, 16, 0, 0,  0, 0, V)       \
   F(R16G16B16_SSCALED,  6, 1, 1, SSCALED,16, 0, 16, 16, 16, 32, 0, 0, V)      \
   F(R16G16B16A16_SSCALED,8,1, 1, SSCALED,16, 0, 16, 16, 16, 32, 16, 48, V)    \
   F(R32_USCALED,        4, 1, 1, USCALED,32, 0,  0, 0,  0, 0,  0, 0, V)       \
   F(R32G32_USCALED,     8, 1, 1, USCALED,32, 0, 32, 32, 0, 0,  0, 0, V)       \
   F(R32G32B32_USCALED, 12, 1, 1, USCALED,32, 0, 32, 32, 32, 64, 0, 0, V)      \
   F(R32G32B32A32_USCALED,16,1,1, USCALED,32, 0, 32, 32, 32, 64, 32, 96, V)    \
   F(R32_SSCALED,        4, 1, 1, SSCALED,32, 0,  0, 0,  0, 0,  0, 0, V)       \
   F(R32G32_SSCALED,     8, 1, 1, SSCALED,32, 0, 32, 32, 0, 0,  0, 0, V)       \
   F(R32G32B32_SSCALED, 12, 1, 1, SSCALED,32, 0, 32, 32, 32, 64, 0, 0, V)      \
   F(R32G32B32A32_SSCALED,16,1,1, SSCALED,32, 0, 32, 32, 32, 64, 32, 96, V)    \
   F(R32_UNORM,          4, 1, 1, UNORM,  32, 0,  0, 0,  0, 0,  0, 0, V)       \
   F(R32G32_UNORM,       8, 1, 1, UNORM,  32, 0, 32, 32, 0, 0,  0, 0, V)       \
   F(R32G32B32_UNORM,   12, 1, 1, UNORM,  32, 0, 32, 32, 32, 64, 0, 0, V)      \
   F(R32G32B32A32_UNORM,16, 1, 1, UNORM,  32, 0, 32, 32, 32, 64, 32, 96, V)    \
   F(R32_SNORM,          4, 1, 1, SNORM,  32, 0,  0, 0,  0, 0,  0, 0, V)       \
   F(R32G32_SNORM,       8, 1, 1, SNORM,  32, 0, 32, 32, 0, 0,  0, 0, V)       \
   F(R32G32B32_SNORM,   12, 1, 1, SNORM,  32, 0, 32, 32, 32, 64, 0, 0, V)      \
   F(R32G32B32A32_SNORM,16, 1, 1, SNORM,  32, 0, 32, 32, 32, 64, 32, 96, V)    \
   F(R32_FIXED,          4, 1, 1, FIXED,  32, 0,  0, 0,  0, 0,  0, 0, V)       \
   F(R32G32_FIXED,       8, 1, 1, FIXED,  32, 0, 32, 32, 0, 0,  0, 0, V)       \
   F(R32G32B32_FIXED,   12, 1, 1, FIXED,  32, 0, 32, 32, 32, 64, 0, 0, V)      \
   F(R32G32B32A32_FIXED,16, 1, 1, FIXED,  32, 0, 32, 32, 32, 64, 32, 96, V)    \
   F(DXT1_RGB,           8, 4, 4, S3TC,    0, 0,  0, 0,  0, 0,  0, 0, T)       \
   F(DXT1_RGBA,          8, 4, 4, S3TC,    0, 0,  0, 0,  0, 0,  1, 0, T)       \
   F(DXT3_RGBA,         16, 4, 4, S3TC,    0, 0,  0, 0,  0, 0,  4, 0, T)       \
   F(DXT5_RGBA,         16, 4, 4, S3TC,    0, 0,  0, 0,  0, 0,  8, 0, T)       \
   F(DXT1_SRGB,          8, 4, 4, S3TC,    0, 0,  0, 0,  0, 0,  0, 0, T | S)   \
   F(DXT1_SRGBA,         8, 4, 4, S3TC,    0, 0,  0, 0,  0, 0,  1, 0, T | S)   \
   F(DXT3_SRGBA,        16, 4, 4, S3TC,    0, 0,  0, 0,  0, 0,  4, 0, T | S)   \
   F(DXT5_SRGBA,        16, 4, 4, S3TC,    0, 0,  0, 0,  0, 0,  8, 0, T | S)   \
   F(RGTC1_UNORM,        8, 4, 4, RGTC_UNORM, 8, 0, 0, 0, 0, 0, 0, 0, T)       \
   F(RGTC1_SNORM,        8, 4, 4, RGTC_SNORM, 8, 0, 0, 0, 0, 0, 0, 0, T)       \
   F(RGTC2_UNORM,       16, 4, 4, RGTC_UNORM, 8, 0, 8, 0, 0, 0, 0, 0, T)       \
   F(RGTC2_SNORM,       16, 4, 4, RGTC_SNORM, 8, 0, 8, 0, 0, 0, 0, 0, T)       \
   F(ETC1_RGB8,          8, 4, 4, ETC,     0, 0,  0, 0,  0, 0,  0, 0, T)       \
   F(Z16_UNORM,          2, 1, 1, ZS,     16, 0,  0, 0,  0, 0,  0, 0, TZ)      \
   F(Z24X8_UNORM,        4, 1, 1, ZS,     24, 0,  0, 0,  0, 0,  0, 0, TZ)      \
   F(Z24S8,              4, 1, 1, ZS,     24, 0,  8, 24, 0, 0,  0, 0, TZ)      \
   F(Z32_FLOAT,          4, 1, 1, ZS,     32, 0,  0, 0,  0, 0,  0, 0, TZ)      \
   F(Z32_FLOAT_S8X24,    8, 1, 1, ZS,     32, 0,  8, 32, 0, 0,  0, 0, TZ)      \
   F(S8,                 1, 1, 1, ZS,      0, 0,  8, 0,  0, 0,  0, 0, Z)       \
   F(Z16S8,              4, 1, 1, ZS,     16, 0,  8, 16, 0, 0,  0, 0, TZ)      \
   F(ETC2_RGB8,          8, 4, 4, ETC,     0, 0,  0, 0,  0, 0,  0, 0, T)       \
   F(ETC2_SRGB8,         8, 4, 4, ETC,     0, 0,  0, 0,  0, 0,  0, 0, T | S)   \
   F(ETC2_RGB8A1,        8, 4, 4, ETC,     0, 0,  0, 0,  0, 0,  1, 0, T)       \
   F(ETC2_SRGB8A1,       8, 4, 4, ETC,     0, 0,  0, 0,  0, 0,  1, 0, T | S)   \
   F(ETC2_RGBA8,        16, 4, 4, ETC,     0, 0,  0, 0,  0, 0,  8, 0, T)       \
   F(ETC2_SRGBA8,       16, 4, 4, ETC,     0, 0,  0, 0,  0, 0,  8, 0, T | S)   \
   F(ETC2_R11_UNORM,     8, 4, 4, EAC_UNORM, 11, 0, 0, 0, 0, 0, 0, 0, T)       \
   F(ETC2_R11_SNORM,     8, 4, 4, EAC_SNORM, 11, 0, 0, 0, 0, 0, 0, 0, T)       \
   F(ETC2_RG11_UNORM,   16, 4, 4, EAC_UNORM, 11, 0, 11, 0, 0, 0, 0, 0, T)      \
   F(ETC2_RG11_SNORM,   16, 4, 4, EAC_SNORM, 11, 0, 11, 0, 0, 0, 0, 0, T)      \
   F(B10G10R10A2_USCALED, 4, 1, 1, USCALED,10, 20, 10, 10, 10, 0,  2, 30, V)   \
   F(B10G10R10A2_SSCALED, 4, 1, 1, SSCALED,10, 20, 10, 10, 10, 0,  2, 30, V)   \
   F(R8_UINT,            1, 1, 1, UINT,    8, 0,  0, 0,  0, 0,  0, 0, TCV)     \
   F(R8_SINT,            1, 1, 1, SINT,    8, 0,  0, 0,  0, 0,  0, 0, TCV)     \
   F(R8G8_UINT,          2, 1, 1, UINT,    8, 0,  8, 8,  0, 0,  0, 0, TCV)     \
   F(R8G8_SINT,          2, 1, 1, SINT,    8, 0,  8, 8,  0, 0,  0, 0, TCV)     \
   F(R8G8B8_UINT,        3, 1, 1, UINT,    8, 0,  8, 8,  8, 16,  0, 0, V)      \
   F(R8G8B8_SINT,        3, 1, 1, SINT,    8, 0,  8, 8,  8, 16,  0, 0, V)      \
   F(R8G8B8A8_UINT,      4, 1, 1, UINT,    8, 0,  8, 8,  8, 16,  8, 24, TCV)   \
   F(R8G8B8A8_SINT,      4, 1, 1, SINT,    8, 0,  8, 8,  8, 16,  8, 24, TCV)   \
   F(R16_UINT,           2, 1, 1, UINT,   16, 0,  0, 0,  0, 0,  0, 0, TCV)     \
   F(R16_SINT,           2, 1, 1, SINT,   16, 0,  0, 0,  0, 0,  0, 0, TCV)     \
   F(R16G16_UINT,        4, 1, 1, UINT,   16, 0, 16, 16,  0, 0,  0, 0, TCV)    \
   F(R16G16_SINT,        4, 1, 1, SINT,   16, 0, 16, 16,  0, 0,  0, 0, TCV)    \
   F(R16G16B16_UINT,     6, 1, 1, UINT,   16, 0, 16, 16, 16, 32,  0, 0, V)     \
   F(R16G16B16_SINT,     6, 1, 1, SINT,   16, 0, 16, 16, 16, 32,  0, 0, V)     \
   F(R16G16B16A16_UINT,  8, 1, 1, UINT,   16, 0, 16, 16, 16, 32, 16, 48, TCV)  \
   F(R16G16B16A16_SINT,  8, 1, 1, SINT,   16, 0, 16, 16, 16, 32, 16, 48, TCV)  \
   F(R32_UINT,           4, 1, 1, UINT,   32, 0,  0, 0,  0, 0,  0, 0, TCV)     \
   F(R32_SINT,           4, 1, 1, SINT,   32, 0,  0, 0,  0, 0,  0, 0, TCV)     \
   F(R32G32_UINT,        8, 1, 1, UINT,   32, 0, 32, 32,  0, 0,  0, 0, TCV)    \
   F(R32G32_SINT,        8, 1, 1, SINT,   32, 0, 32, 32,  0, 0,  0, 0, TCV)    \
   F(R32G32B32_UINT,    12, 1, 1, UINT,   32, 0, 32, 32, 32, 64,  0, 0, BV)    \
   F(R32G32B32_SINT,    12, 1, 1, SINT,   32, 0, 32, 32, 32, 64,  0, 0, BV)    \
   F(R32G32B32A32_UINT, 16, 1, 1, UINT,   32, 0, 32, 32, 32, 64, 32, 96, TCV)  \
   F(R32G32B32A32_SINT, 16, 1, 1, SINT,   32, 0, 32, 32, 32, 64, 32, 96, TCV)  \
   F(R10G10B10A2_UINT,   4, 1, 1, UINT,   10, 0, 10, 10, 10, 20,  2, 30, TC)   \
   F(X24S8_UINT,         4, 1, 1, UINT,    8, 24, 0, 0,  0, 0,   0, 0, T)      \
   F(X32_S8X24_UINT,     8, 1, 1, UINT,    8, 32, 0, 0,  0, 0,   0, 0, T)
/* clang-format on */

enum attila_format {
#define F(name, ...) ATTILA_FORMAT_##name,
   ATTILA_FORMATS(F)
#undef F
       ATTILA_NUM_FORMATS
};

struct attila_format_desc {
   const char *name;
   uint8_t bytes;                     /* per element: a texel or a compressed block */
   uint8_t block_width, block_height; /* texels per element */
   uint8_t type;                      /* enum attila_format_type */
   struct {
      uint8_t bits, shift;
   } channel[4];
   uint8_t uses; /* enum attila_format_use */
};

static const struct attila_format_desc attila_formats[ATTILA_NUM_FORMATS]
    __attribute__((unused)) = {
#define F(name, bytes, bw, bh, type, rb, rs, gb, gs, bb, bs, ab, as, uses) \
   {#name, bytes, bw, bh, ATTILA_TYPE_##type, {{rb, rs}, {gb, gs}, {bb, bs}, {ab, as}}, uses},
        ATTILA_FORMATS(F)
#undef F
};

/* Returns whether components of this type are integers. */
static inline bool
attila_type_is_integer(unsigned type)
{
   return type == ATTILA_TYPE_UINT || type == ATTILA_TYPE_SINT;
}

#undef T
#undef TC
#undef TV
#undef TCV
#undef TZ
#undef Z
#undef V
#undef BV
#undef S

#endif
