/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Images in the shader emulator: which bytes of memory a group's texels are, and their conversion.
 * A texel is accessed in elements of 1, 2 or 4 bytes, as a storage buffer is in words. All inputs
 * of a group access the image of its first active one, as OpenGL has it (4.2, section 4.1.7 of the
 * shading language: indices are dynamically uniform). A texel outside of it is loaded as one of
 * zeros, so alpha is 1 if the format has none (4.2, section 3.9.20), and not written; nor are
 * texels that are no word changed by an atomic operation. Not here: the accesses themselves
 * (emul_memory.c, box/shader/lsu.c). */
#include <string.h>
#include "hw/attila_cmd.h"
#include "emul/format/emul_format.h"
#include "emul/shader/emul_shader_program.h"

/* Returns the image of the first active lane. */
static const struct attila_image *
emul_image_of(const struct emul_thread *t, const uint32_t number[EMUL_LANES])
{
   static const struct attila_image none;
   const unsigned lanes = t->exec & t->lanes;
   const uint32_t n = lanes ? number[__builtin_ctz(lanes)] : ATTILA_MAX_IMAGES;
   return n < ATTILA_MAX_IMAGES && attila_image_bytes(&t->images[n]) ? &t->images[n] : &none;
}

static uint32_t
emul_image_address(const struct attila_image *image, unsigned bytes, const uint32_t at[3])
{
   if (!image->pitch_tiles)
      return image->address + at[0] * bytes;
   return image->address + at[2] * image->slice_stride +
          (uint32_t)attila_element_offset(image->pitch_tiles, 1, bytes, at[0], at[1], 0);
}

/* Makes a texel's elements of what a lane stores. */
static void
emul_image_pack(struct emul_memory_request *r, unsigned lane)
{
   float rgba[4];
   uint8_t texel[16];
   for (unsigned c = 0; c < 4; c++)
      memcpy(&rgba[c], &r->data[c][lane], 4);
   emul_format_pack((enum attila_format)r->format, rgba, texel);
   for (unsigned c = 0; c < 4; c++) {
      r->data[c][lane] = 0;
      if (r->words.components[lane] >> c & 1)
         memcpy(&r->data[c][lane], texel + c * r->unit, r->unit);
   }
}

void
emul_image_begin(struct emul_thread *t, const struct emul_instr *in, uint32_t coord[3][EMUL_LANES],
                 const uint32_t number[EMUL_LANES])
{
   struct emul_memory_request *r = &t->request;
   const struct attila_image *image = emul_image_of(t, number);
   const unsigned bytes = attila_formats[image->format].bytes;
   const bool wrong = attila_isa_is_atomic(in->op) && bytes != 4;
   unsigned lanes = t->exec & t->lanes;
   if (in->op != ATTILA_OP_LDI)
      lanes &= ~(unsigned)(t->killed | t->stopped | t->helpers);
   r->op = in->op;
   r->atomic = in->atomic;
   r->format = (uint8_t)image->format;
   r->unit = bytes < 4 ? (uint8_t)bytes : 4;
   memset(r->words.components, 0, sizeof(r->words.components));
   if (in->op == ATTILA_OP_SZI) {
      const uint32_t size[4] = {image->width, image->height, image->depth};
      memcpy(r->size, size, sizeof(size));
      lanes = 0;
   }
   for (; lanes && !wrong; lanes &= lanes - 1) {
      const unsigned l = (unsigned)__builtin_ctz(lanes);
      const uint32_t at[3] = {coord[0][l], coord[1][l], coord[2][l]};
      if (at[0] >= image->width || at[1] >= image->height || at[2] >= image->depth)
         continue;
      r->words.address[l] = emul_image_address(image, bytes, at);
      r->words.components[l] = (uint8_t)((1u << bytes / r->unit) - 1);
      if (in->op == ATTILA_OP_STI)
         emul_image_pack(r, l);
   }
   t->pc--;
}

void
emul_image_finish(const struct emul_memory_request *r, struct emul_vec4 *result)
{
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      float rgba[4] = {0};
      uint8_t texel[16] = {0};
      for (unsigned c = 0; c < 4; c++)
         memcpy(texel + c * r->unit, &result->c[c][l], r->unit);
      if (r->op == ATTILA_OP_SZI)
         memcpy(rgba, r->size, sizeof(rgba));
      else if (r->format)
         emul_format_unpack((enum attila_format)r->format, texel, 0, rgba);
      for (unsigned c = 0; c < 4; c++)
         result->c[c][l] = rgba[c];
   }
}
