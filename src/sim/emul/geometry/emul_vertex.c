/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Vertex attributes: addresses within limits, and conversion of every vertex format to float32.
 * Attributes without an address read (0, 0, 0, 1), or the number of the instance. Not here: who
 * fetches the bytes (box/geometry/sl.c, func/).
 */
#include <string.h>
#include "emul/emul_draw.h"
#include "emul/format/emul_format.h"

uint32_t
emul_attrib_address(const struct emul_draw_state *state, unsigned a, uint32_t vertex,
                    uint32_t instance)
{
   if (a >= ATTILA_MAX_ATTRIBS)
      return ATTILA_NO_ADDRESS;
   const struct attila_attrib_regs *r = &state->regs.attrib[a];
   if (r->enable != ATTILA_ATTRIB_MEMORY || r->format >= ATTILA_NUM_FORMATS)
      return ATTILA_NO_ADDRESS;
   uint32_t first = state->cmd.first_instance;
   uint64_t index = r->divisor ? (uint64_t)first + (instance - first) / r->divisor : vertex;
   /* Instances past 2^32 are outside every buffer; their offset would not fit 64 bits. */
   if (index > UINT32_MAX && r->stride)
      return ATTILA_NO_ADDRESS;
   uint64_t offset = index * r->stride, end = offset + attila_formats[r->format].bytes;
   if (end > r->limit || r->address + end > state->memory_size)
      return ATTILA_NO_ADDRESS;
   return r->address + (uint32_t)offset;
}

/* Bits [shift, shift + bits) of an element; at most 32. */
static inline uint32_t
extract(const uint8_t *element, unsigned shift, unsigned bits)
{
   uint64_t v = 0;
   unsigned first = shift / 8, last = (shift + bits + 7) / 8;
   for (unsigned i = first; i < last; i++)
      v |= (uint64_t)element[i] << 8 * (i - first);
   v >>= shift % 8;
   return (uint32_t)(bits == 32 ? v : v & ((1ull << bits) - 1));
}

static inline int32_t
sign_extend(uint32_t v, unsigned bits)
{
   return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

static float
channel(unsigned type, uint32_t v, unsigned bits)
{
   switch (type) {
   case ATTILA_TYPE_UNORM:
      return bits <= 16 ? (float)v / (float)((1u << bits) - 1) : (float)((double)v / 4294967295.0);
   case ATTILA_TYPE_SNORM: {
      double max = bits == 32 ? 2147483647.0 : (double)((1u << (bits - 1)) - 1);
      double f = sign_extend(v, bits) / max;
      return f < -1.0 ? -1.0f : (float)f;
   }
   case ATTILA_TYPE_USCALED:
      return (float)v;
   case ATTILA_TYPE_SSCALED:
      return (float)sign_extend(v, bits);
   case ATTILA_TYPE_FIXED:
      return (float)((int32_t)v / 65536.0);
   case ATTILA_TYPE_FLOAT: {
      float f;
      if (bits == 16)
         return emul_half_to_float((uint16_t)v);
      memcpy(&f, &v, 4);
      return f;
   }
   default:
      return 0.0f;
   }
}

static void
convert_any(enum attila_format format, const uint8_t *element, float value[4])
{
   const struct attila_format_desc *d = &attila_formats[format];
   for (unsigned c = 0; c < 4; c++) {
      unsigned bits = d->channel[c].bits;
      value[c] = bits     ? channel(d->type, extract(element, d->channel[c].shift, bits), bits)
                 : c == 3 ? 1.0f
                          : 0.0f;
   }
}

static inline __attribute__((always_inline)) void
convert(enum attila_format format, const uint8_t *element, float value[4])
{
   value[0] = value[1] = value[2] = 0.0f;
   value[3] = 1.0f;
   if (!element)
      return;
   switch (format) {
   case ATTILA_FORMAT_R32_FLOAT:
      memcpy(value, element, 4);
      break;
   case ATTILA_FORMAT_R32G32_FLOAT:
      memcpy(value, element, 8);
      break;
   case ATTILA_FORMAT_R32G32B32_FLOAT:
      memcpy(value, element, 12);
      break;
   case ATTILA_FORMAT_R32G32B32A32_FLOAT:
      memcpy(value, element, 16);
      break;
   case ATTILA_FORMAT_R8G8B8A8_UNORM:
      for (unsigned c = 0; c < 4; c++)
         value[c] = (float)element[c] / 255.0f;
      break;
   default:
      convert_any(format, element, value);
      break;
   }
}

static inline bool
reads_instance(const struct emul_draw_state *state, unsigned a)
{
   return a < ATTILA_MAX_ATTRIBS && state->regs.attrib[a].enable == ATTILA_ATTRIB_INSTANCE;
}

void
emul_attrib_convert(const struct emul_draw_state *state, unsigned a, const uint8_t *element,
                    uint32_t instance, float value[4])
{
   enum attila_format format =
       a < ATTILA_MAX_ATTRIBS ? state->regs.attrib[a].format : ATTILA_FORMAT_NONE;
   if (format >= ATTILA_NUM_FORMATS || !(attila_formats[format].uses & ATTILA_USE_VERTEX))
      element = NULL;
   convert(format, element, value);
   if (reads_instance(state, a))
      value[0] = (float)(instance - state->cmd.first_instance);
}

/* The loop of emul_attrib_fetch for one format: constant in every call, so that the conversion is
 * inlined. */
static inline __attribute__((always_inline)) void
fetch(const struct emul_draw_state *state, unsigned a, const uint8_t *memory,
      const uint32_t *vertex, unsigned count, uint32_t instance, struct emul_vec4 *in,
      enum attila_format format)
{
   for (unsigned i = 0; i < count; i++) {
      uint32_t address = emul_attrib_address(state, a, vertex[i], instance);
      float value[4];
      convert(format, address == ATTILA_NO_ADDRESS ? NULL : memory + address, value);
      for (unsigned c = 0; c < 4; c++)
         in->c[c][i] = value[c];
   }
}

void
emul_attrib_fetch(const struct emul_draw_state *state, unsigned a, const uint8_t *memory,
                  const uint32_t *vertex, unsigned count, uint32_t instance, struct emul_vec4 *in)
{
   enum attila_format format = a < ATTILA_MAX_ATTRIBS && !reads_instance(state, a)
                                   ? state->regs.attrib[a].format
                                   : ATTILA_FORMAT_NONE;
   switch (format) {
   case ATTILA_FORMAT_R32G32_FLOAT:
      fetch(state, a, memory, vertex, count, instance, in, ATTILA_FORMAT_R32G32_FLOAT);
      break;
   case ATTILA_FORMAT_R32G32B32_FLOAT:
      fetch(state, a, memory, vertex, count, instance, in, ATTILA_FORMAT_R32G32B32_FLOAT);
      break;
   case ATTILA_FORMAT_R32G32B32A32_FLOAT:
      fetch(state, a, memory, vertex, count, instance, in, ATTILA_FORMAT_R32G32B32A32_FLOAT);
      break;
   case ATTILA_FORMAT_R8G8B8A8_UNORM:
      fetch(state, a, memory, vertex, count, instance, in, ATTILA_FORMAT_R8G8B8A8_UNORM);
      break;
   default:
      for (unsigned i = 0; i < count; i++) {
         uint32_t address = emul_attrib_address(state, a, vertex[i], instance);
         float value[4];
         emul_attrib_convert(state, a, address == ATTILA_NO_ADDRESS ? NULL : memory + address,
                             instance, value);
         for (unsigned c = 0; c < 4; c++)
            in->c[c][i] = value[c];
      }
   }
}
