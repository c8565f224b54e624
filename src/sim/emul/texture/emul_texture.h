/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture emulator: level of detail, wrapping, addresses, texel conversion, filtering (ISPASS 2006
 * section 3, TextureEmulator). emul_tex_plan computes which texels are needed, and emul_tex_filter
 * combines them, so a texture unit can fetch in between. Functional mode calls both with GPU memory
 * as the source. Results are identical. */
#ifndef EMUL_TEXTURE_H
#define EMUL_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/attila_regs.h"
#include "hw/attila_surface.h"
#include "emul/shader/emul_shader.h"

#define EMUL_TEX_MAX_ANISO 16 /* most samples along the longer axis */

/* How the filter converts texels. */
enum emul_tex_kind {
   EMUL_TEX_KIND_SCALAR, /* emul_format_unpack, by lane: compressed signed formats */
   EMUL_TEX_KIND_UNORM,  /* 1, 2 or 4 bytes with unsigned normalised channels of at most 16 bits */
   EMUL_TEX_KIND_BLOCK,  /* compressed; decodes to four 8-bit unsigned normalised channels */
   EMUL_TEX_KIND_DEPTH,  /* unsigned normalised depth in the low bits of 2 or 4 bytes */
   EMUL_TEX_KIND_FLOAT,  /* one float32 channel, red, in the first 4 bytes */
   EMUL_TEX_KIND_WORDS,  /* other float, signed normalised and shared exponent formats, 8-byte
                          * unsigned normalised, integers */
};

/* How a machine filters; its parameters have these names. */
enum emul_tex_aniso {                          /* the two axes that stand for a pixel's footprint */
                      EMUL_TEX_ANISO_TWO_AXIS, /* the gradients along x and y */
                      EMUL_TEX_ANISO_FOUR_AXIS,   /* these, or the gradients along the diagonals */
                      EMUL_TEX_ANISO_RECTANGULAR, /* with a rectangle around the footprint */
                      EMUL_TEX_ANISO_EWA, /* axes of the ellipse that a round pixel becomes */
                      EMUL_TEX_NUM_ANISO
};
struct emul_tex_quality {
   enum emul_tex_aniso aniso_algorithm;
   uint32_t max_aniso;        /* 1..16: most samples */
   bool force_max_aniso;      /* for every texture with a linear minification filter */
   bool even_samples;         /* 1, 2, 4, 6 ...; else 1, 2, 3, ... */
   float aniso_round;         /* 0..1: fraction of a ratio above which another sample is taken */
   float trilinear_threshold; /* 0..1/2: a level that is closer is taken alone */
};
/* The rules of OpenGL's EXT_texture_filter_anisotropic. */
#define EMUL_TEX_QUALITY_DEFAULT ((struct emul_tex_quality){.max_aniso = 16})

/* A texture unit's registers with all that is derived per draw. Values out of range disable the
 * unit (valid = false); no access leaves memory. */
struct emul_tex_state {
   struct attila_tex_regs regs;
   struct attila_layout layout;
   const struct attila_format_desc *format;
   bool valid;
   uint8_t swizzle[4];
   uint32_t memory_size; /* limit of texel addresses */
   /* Private to the emulator. */
   uint8_t kind;          /* enum emul_tex_kind */
   uint8_t element_shift; /* log2 of the element's bytes */
   uint8_t sample_shift;  /* log2 of the samples; if not 0 only fetches are possible */
   bool pow2;             /* width and height are powers of two */
   bool srgb;
   bool integer;     /* plans have one step of one tap (TXG: four), without arithmetic */
   bool cube_array;  /* target is CUBE */
   bool three_words; /* a buffer's element: format is that of a word; plans have a tap for each */
   bool clamp_reference; /* to [0, 1]: not a float format */
   uint8_t fast;         /* emul_tex_sample's shortcut; 0: none */
   uint8_t plain;        /* bit per channel that the shortcut's format has unswizzled */
   uint8_t byte[4][16];  /* 8-bit channels: shuffle to the low bytes of four elements */
   uint8_t channels[16]; /* bit per channel that these result components (bits) read */
   uint32_t first_level, last_level;
   float min_lod, max_lod;
   float mag_lod; /* up to this level of detail a texture is magnified */
   float trilinear_threshold;
   uint8_t aniso_algorithm, num_ratios;
   struct { /* samples for squared axis ratios above a limit */
      uint8_t samples;
      float limit;
   } ratio[EMUL_TEX_MAX_ANISO];
   int32_t width[ATTILA_MAX_LEVELS], height[ATTILA_MAX_LEVELS],
       depth[ATTILA_MAX_LEVELS]; /* texels per level */
   uint32_t address[ATTILA_MAX_LEVELS], slice[ATTILA_MAX_LEVELS];
   uint32_t pitch[ATTILA_MAX_LEVELS], super[ATTILA_MAX_LEVELS]; /* elements per row of tiles; log2
                                                                 * along a superblock's side */
   uint8_t word[4], raise[4];  /* KIND_WORDS: the channel's 32-bit word; shift from small float to
                                * half */
   uint32_t shift[4], mask[4]; /* channels of KIND_UNORM, KIND_BLOCK and KIND_WORDS; a missing one
                                * has mask 0 ... */
   uint32_t missing[4];        /* ... and this raw value; of KIND_WORDS these bits */
   uint32_t one;               /* bits that a 1 in the swizzle reads as */
   float scale[4];             /* raw value to channel */
   float border[4];            /* in the format's range, raw values; integers: bits */
};
void emul_tex_state_init(struct emul_tex_state *state, const struct attila_tex_regs *regs,
                         const struct emul_tex_quality *quality, uint32_t memory_size);

#define EMUL_TEX_TAPS 4
#define EMUL_TEX_MAX_STEPS 64       /* per lane: 16 anisotropic samples x 2 levels x 2 slices */
#define EMUL_TEX_BORDER 0xffffffffu /* address of a border tap */
#define EMUL_TEX_UNUSED 0xfffffffeu /* address of an unread tap (weight 0) */
#define EMUL_TEX_CORNER                                                                          \
   0xfffffffdu /* address of a tap beyond a seamless cube's corner: the mean of the step's other \
                  three */
#define EMUL_TEX_NO_ADDRESS EMUL_TEX_CORNER /* addresses from this one on read nothing */

/* A bilinear operation of all lanes; taps (x0, y0), (x1, y0), (x0, y1), (x1, y1). Blending with
 * earlier steps keeps equal texels exact: value = lerp(fy, lerp(fx, tap 0, tap 1), lerp(fx, tap 2,
 * tap 3)); result = lerp(blend, result, value), where lerp(0, a, b) is a for any b. The first step
 * sets the result. */
struct emul_tex_step {
   /* The element's address in GPU memory, or one of the values above; UNUSED in lanes outside mask.
    * Plans with point sampling set only tap 0, and neither fx nor fy. */
   uint32_t address[EMUL_TEX_TAPS][EMUL_LANES];
   float fx[EMUL_LANES], fy[EMUL_LANES];
   float blend[EMUL_LANES]; /* 0 in lanes outside mask */
   uint8_t inside[EMUL_TEX_TAPS]
                 [EMUL_LANES];     /* compressed: texel in the element, y * 4 + x; else unset */
   uint16_t mask;                  /* lanes in use */
   uint8_t sample[EMUL_LANES / 4]; /* [quad] its anisotropic sample */
} __attribute__((aligned(64)));
struct emul_tex_plan {
   uint16_t mask;                      /* lanes that need a result */
   uint16_t magnified;                 /* lanes with the magnification filter */
   uint8_t linear;                     /* steps: 0 point sampled, 1 bilinear, 2 some lanes */
   bool corners;                       /* some tap is a CORNER */
   bool placed;                        /* false, or set by a texture unit (emul_tex_filter) */
   unsigned num_steps;                 /* 0: disabled unit */
   uint8_t quad_steps[EMUL_LANES / 4]; /* bilinear operations per quad: the texture unit's cycles */
   uint8_t element_bytes;
   uint8_t aniso_ratio[EMUL_LANES / 4];
   struct emul_tex_step steps[EMUL_TEX_MAX_STEPS];
};

/* Returns the most steps of a plan in this state: memory for a plan may end behind them. */
unsigned emul_tex_max_steps(const struct emul_tex_state *state);
/* Returns whether the texels of plans in this state may be placed (emul_tex_filter). */
bool emul_tex_can_place(const struct emul_tex_state *state);
/* Computes all texel addresses and weights of a request. */
void emul_tex_plan(const struct emul_tex_state *state, const struct emul_tex_request *request,
                   struct emul_tex_plan *plan);
/* Converts, compares, filters, swizzles. Elements are at texels + address, element_bytes each. A
 * texture unit copies them from its cache, in one of two ways: it changes addresses to offsets in
 * its copy; or it keeps addresses and places elements of 4 bytes by step, tap and lane, in uint32_t
 * texels[num_steps][EMUL_TEX_TAPS][EMUL_LANES]. Elsewhere texels may hold anything. */
void emul_tex_filter(const struct emul_tex_state *state, const struct emul_tex_request *request,
                     const struct emul_tex_plan *plan, const uint8_t *texels,
                     struct emul_vec4 *result);
/* Does plan and filter from memory in one call; may take shortcuts of equal bits. */
void emul_tex_sample(const struct emul_tex_state *state, const struct emul_tex_request *request,
                     const uint8_t *memory, struct emul_vec4 *result);

#endif
