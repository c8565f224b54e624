/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture emulator: level of detail, wrapping, addresses, texel conversion and filtering (ISPASS 2006 section 3, TextureEmulator).
 * Two phases, so that a texture unit can fetch through its cache in between: plan computes which texels, filter combines
 * them. Functional mode calls both with GPU memory as the texel source; results are identical.
 */
#ifndef EMUL_TEXTURE_H
#define EMUL_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>
#include "cmd/attila_regs.h"
#include "cmd/attila_surface.h"
#include "emul/emul_shader.h"

/* A texture unit's registers with everything derived from them once per draw. Registers with values out of range give a
 * disabled unit (valid = false), never an access outside memory. */
struct emul_tex_state {
   struct attila_tex_regs regs;
   struct attila_layout layout;
   const struct attila_format_desc *format;
   bool valid;
   uint8_t swizzle[4];
   uint32_t memory_size; /* texel addresses are below it */
};
void emul_tex_state_init(struct emul_tex_state *state, const struct attila_tex_regs *regs, uint32_t memory_size);

#define EMUL_TEX_TAPS       4
#define EMUL_TEX_MAX_STEPS  64 /* bilinear operations of one lane: 16 anisotropic samples x 2 levels x 2 slices */
#define EMUL_TEX_BORDER     0xffffffffu /* address of a tap that reads the border colour */
#define EMUL_TEX_UNUSED     0xfffffffeu /* address of a tap that is not read (weight 0) */

/* One bilinear operation of all lanes. */
struct emul_tex_step {
   uint32_t address[EMUL_TEX_TAPS][EMUL_LANES]; /* of the element in GPU memory, or BORDER, UNUSED */
   uint8_t inside[EMUL_TEX_TAPS][EMUL_LANES];   /* compressed: texel inside the element, y * 4 + x */
   float weight[EMUL_TEX_TAPS][EMUL_LANES];     /* includes mip, slice and anisotropy weights; they sum to 1 over all steps and taps */
   uint16_t mask;                               /* lanes that take part */
};
struct emul_tex_plan {
   uint16_t mask;                    /* lanes that want a result */
   unsigned num_steps;
   uint8_t quad_steps[EMUL_LANES / 4]; /* bilinear operations each quad needs: what the texture unit takes cycles for */
   uint8_t element_bytes;
   uint8_t aniso_ratio[EMUL_LANES / 4];
   struct emul_tex_step steps[EMUL_TEX_MAX_STEPS];
};

/* Computes every texel address and weight of a request. */
void emul_tex_plan(const struct emul_tex_state *state, const struct emul_tex_request *request, struct emul_tex_plan *plan);
/* Converts, compares, filters and swizzles. texels: texel source; an element is read at texels + address, element_bytes long. A texture
 * unit that copied the elements out of its cache rewrites the plan's addresses to offsets in its copy. */
void emul_tex_filter(const struct emul_tex_state *state, const struct emul_tex_request *request, const struct emul_tex_plan *plan,
                     const uint8_t *texels, struct emul_vec4 *result);
/* plan + filter from memory, in one call; may take shortcuts that give the same result bit for bit. */
void emul_tex_sample(const struct emul_tex_state *state, const struct emul_tex_request *request, const uint8_t *memory,
                     struct emul_vec4 *result);

#endif
