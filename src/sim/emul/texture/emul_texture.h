/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture emulator: level of detail, wrapping, addresses, texel conversion and filtering (ISPASS
 * 2006 section 3, TextureEmulator). Two phases, so that a texture unit can fetch through its cache
 * in between: plan computes which texels, filter combines them. Functional mode calls both with GPU
 * memory as the texel source; results are identical.
 */
#ifndef EMUL_TEXTURE_H
#define EMUL_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/attila_regs.h"
#include "hw/attila_surface.h"
#include "emul/shader/emul_shader.h"

#define EMUL_TEX_MAX_ANISO 16 /* samples along the longer axis */

/* How the filter converts texels. */
enum emul_tex_kind {
   EMUL_TEX_KIND_SCALAR, /* emul_format_unpack, lane by lane: compressed signed formats */
   EMUL_TEX_KIND_UNORM,  /* elements of 1, 2 or 4 bytes with unsigned normalised channels of at most
                            16 bits */
   EMUL_TEX_KIND_BLOCK,  /* compressed; decodes to four 8-bit unsigned normalised channels */
   EMUL_TEX_KIND_DEPTH,  /* unsigned normalised depth in the low bits of 2 or 4 bytes */
   EMUL_TEX_KIND_FLOAT,  /* one float32 channel, red, in the first 4 bytes */
   EMUL_TEX_KIND_WORDS,  /* other float, signed normalised and shared exponent formats, unsigned
                            normalised of 8 bytes, integers */
};

/* How a machine filters, besides what programs ask for; what the parameters of the same names say.
 */
enum emul_tex_aniso {                             /* which two axes stand for a pixel's footprint */
                      EMUL_TEX_ANISO_TWO_AXIS,    /* the gradients along x and y */
                      EMUL_TEX_ANISO_FOUR_AXIS,   /* those or the ones along the diagonals */
                      EMUL_TEX_ANISO_RECTANGULAR, /* like that, with a rectangle around the
                                                     footprint */
                      EMUL_TEX_ANISO_EWA, /* the axes of the ellipse that a round pixel becomes */
                      EMUL_TEX_NUM_ANISO
};
struct emul_tex_quality {
   enum emul_tex_aniso aniso_algorithm;
   uint32_t max_aniso;        /* 1..16: most samples */
   bool force_max_aniso;      /* for every texture with a linear minification filter */
   bool even_samples;         /* 1, 2, 4, 6 ...; else 1, 2, 3, ... */
   float aniso_round;         /* 0..1: fraction of a ratio above which a sample more is taken */
   float trilinear_threshold; /* 0..1/2: levels closer than this are taken alone */
};
/* What OpenGL's extension says (EXT_texture_filter_anisotropic). */
#define EMUL_TEX_QUALITY_DEFAULT ((struct emul_tex_quality){.max_aniso = 16})

/* A texture unit's registers with everything derived from them once per draw. Registers with values
 * out of range give a disabled unit (valid = false), never an access outside memory. */
struct emul_tex_state {
   struct attila_tex_regs regs;
   struct attila_layout layout;
   const struct attila_format_desc *format;
   bool valid;
   uint8_t swizzle[4];
   uint32_t memory_size; /* texel addresses are below it */
   /* Private to the emulator. */
   uint8_t kind;          /* enum emul_tex_kind */
   uint8_t element_shift; /* log2 of the element's bytes */
   uint8_t sample_shift;  /* log2 of the samples; not 0: the texture is only fetched from */
   bool pow2;             /* width and height are powers of two */
   bool srgb;
   bool integer; /* a plan has one step of one tap, and nothing calculates with what it reads */
   bool clamp_reference; /* to [0, 1]: the format is not float */
   uint8_t fast;         /* emul_tex_sample's shortcut; 0: none */
   uint8_t plain;        /* bit per channel that a shortcut's format has and the swizzle leaves */
   uint8_t byte[4][16];  /* of channels of 8 bits: numbers of bytes that bring them to the low ends
                            of four elements */
   uint8_t channels[16]; /* bit per channel that the swizzle reads for these components of a result,
                            a bit each */
   uint32_t first_level, last_level;
   float min_lod, max_lod;
   float mag_lod; /* levels of detail up to it magnify */
   float trilinear_threshold;
   uint8_t aniso_algorithm, num_ratios;
   struct { /* anisotropic samples for squared ratios of the two axes above a limit */
      uint8_t samples;
      float limit;
   } ratio[EMUL_TEX_MAX_ANISO];
   int32_t width[ATTILA_MAX_LEVELS], height[ATTILA_MAX_LEVELS],
       depth[ATTILA_MAX_LEVELS]; /* texels of each level */
   uint32_t address[ATTILA_MAX_LEVELS], slice[ATTILA_MAX_LEVELS];
   uint32_t pitch[ATTILA_MAX_LEVELS], super[ATTILA_MAX_LEVELS]; /* elements in a row of tiles; log2
                                                               of those along a superblock's side */
   uint8_t word[4], raise[4]; /* KIND_WORDS: 32 bits of the element that a channel is in; what makes
                                 a small float a half */
   uint32_t shift[4], mask[4]; /* channels of KIND_UNORM, KIND_BLOCK and KIND_WORDS; what is missing
                                  has mask 0 ... */
   uint32_t missing[4];        /* ... and this raw value; of KIND_WORDS these bits */
   uint32_t one;               /* bits that the swizzle's 1 reads */
   float scale[4];             /* raw value to channel */
   float border[4];            /* clamped to the format's range, in raw values; integers: bits */
};
void emul_tex_state_init(struct emul_tex_state *state, const struct attila_tex_regs *regs,
                         const struct emul_tex_quality *quality, uint32_t memory_size);

#define EMUL_TEX_TAPS 4
#define EMUL_TEX_MAX_STEPS \
   64 /* bilinear operations of one lane: 16 anisotropic samples x 2 levels x 2 slices */
#define EMUL_TEX_BORDER 0xffffffffu /* address of a tap that reads the border colour */
#define EMUL_TEX_UNUSED 0xfffffffeu /* address of a tap that is not read (weight 0) */
#define EMUL_TEX_CORNER                                                                          \
   0xfffffffdu /* address of a tap beyond a seamless cube's corner: the mean of the step's other \
                  three */
#define EMUL_TEX_NO_ADDRESS EMUL_TEX_CORNER /* from here on nothing is read */

/* One bilinear operation of all lanes. Taps: (x0, y0), (x1, y0), (x0, y1), (x1, y1). Its value is
 * blended with what the steps before it gave, so that texels of one value always give exactly that
 * value: value = lerp(fy, lerp(fx, tap 0, tap 1), lerp(fx, tap 2, tap 3)); result = lerp(blend,
 * result, value) where lerp(0, a, b) is a, whatever b is. The first step sets the result. */
struct emul_tex_step {
   /* Of the element in GPU memory, or one of the above; UNUSED in lanes outside mask. When the plan
    * is point sampled only tap 0 is set, and neither fx nor fy. */
   uint32_t address[EMUL_TEX_TAPS][EMUL_LANES];
   float fx[EMUL_LANES], fy[EMUL_LANES];
   float blend[EMUL_LANES]; /* 0 in lanes outside mask */
   uint8_t inside[EMUL_TEX_TAPS]
                 [EMUL_LANES]; /* compressed: texel inside the element, y * 4 + x; else not set */
   uint16_t mask;              /* lanes that take part */
   uint8_t sample[EMUL_LANES / 4]; /* by quad: which anisotropic sample it belongs to */
} __attribute__((aligned(64)));
struct emul_tex_plan {
   uint16_t mask;      /* lanes that want a result */
   uint16_t magnified; /* lanes that use the magnification filter */
   uint8_t linear;     /* steps of bilinear samples: 0 point sampled, 1 yes, 2 some lanes */
   bool corners;       /* some tap is EMUL_TEX_CORNER */
   bool placed;        /* false; a texture unit may set it: see emul_tex_filter */
   unsigned num_steps; /* 0: disabled unit */
   uint8_t quad_steps[EMUL_LANES / 4]; /* bilinear operations each quad needs: what the texture unit
                                          takes cycles for */
   uint8_t element_bytes;
   uint8_t aniso_ratio[EMUL_LANES / 4];
   struct emul_tex_step steps[EMUL_TEX_MAX_STEPS];
};

/* Steps that a plan of this state may need: memory for a plan may end behind them. */
unsigned emul_tex_max_steps(const struct emul_tex_state *state);
/* Whether its plans may be placed. */
bool emul_tex_can_place(const struct emul_tex_state *state);
/* Computes every texel address and weight of a request. */
void emul_tex_plan(const struct emul_tex_state *state, const struct emul_tex_request *request,
                   struct emul_tex_plan *plan);
/* Converts, compares, filters and swizzles. texels: texel source; an element is read at texels +
 * address, element_bytes long. A texture unit that copied the elements out of its cache rewrites
 * the plan's addresses to offsets in its copy; or it places elements of 4 bytes by step, tap and
 * lane, texels being uint32_t [num_steps][EMUL_TEX_TAPS][EMUL_LANES], and leaves the addresses as
 * they are. What no address says to read may be anything there. */
void emul_tex_filter(const struct emul_tex_state *state, const struct emul_tex_request *request,
                     const struct emul_tex_plan *plan, const uint8_t *texels,
                     struct emul_vec4 *result);
/* plan + filter from memory, in one call; may take shortcuts that give the same result bit for bit.
 */
void emul_tex_sample(const struct emul_tex_state *state, const struct emul_tex_request *request,
                     const uint8_t *memory, struct emul_vec4 *result);

#endif
