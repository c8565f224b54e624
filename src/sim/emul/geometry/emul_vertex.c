/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Vertex attributes: addresses within limits, and conversion of every vertex format to float32;
 * integers stay bits (emul_format.h). Attributes without an address read (0, 0, 0, 1) or the
 * instance's number. Vertex and instance ids, as integers, are an input of their own. Not here:
 * fetching (box/geometry/sl.c, func/). */
#include <string.h>
#include "core/sim_inline.h"
#include "emul/emul_draw.h"
#include "emul/format/emul_format.h"
#include "emul/geometry/emul_transpose.h"

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
   /* Instances past 2^32 are outside every buffer, and their offset would overflow 64 bits. */
   if (index > UINT32_MAX && r->stride)
      return ATTILA_NO_ADDRESS;
   uint64_t offset = index * r->stride, end = offset + attila_formats[r->format].bytes;
   if (end > r->limit || r->address + end > state->memory_size)
      return ATTILA_NO_ADDRESS;
   return r->address + (uint32_t)offset;
}

/* Returns bits [shift, shift + bits) of an element; at most 32. */
static inline uint32_t
emul_vertex_extract(const uint8_t *element, unsigned shift, unsigned bits)
{
   uint64_t v = 0;
   unsigned first = shift / 8, last = (shift + bits + 7) / 8;
   for (unsigned i = first; i < last; i++)
      v |= (uint64_t)element[i] << 8 * (i - first);
   v >>= shift % 8;
   return (uint32_t)(bits == 32 ? v : v & ((1ull << bits) - 1));
}

static inline int32_t
emul_vertex_sign_extend(uint32_t v, unsigned bits)
{
   return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

static float
emul_vertex_channel(unsigned type, uint32_t v, unsigned bits)
{
   switch (type) {
   case ATTILA_TYPE_UNORM:
      return bits <= 16 ? (float)v / (float)((1u << bits) - 1) : (float)((double)v / 4294967295.0);
   case ATTILA_TYPE_SNORM: {
      double max = bits == 32 ? 2147483647.0 : (double)((1u << (bits - 1)) - 1);
      double f = emul_vertex_sign_extend(v, bits) / max;
      return f < -1.0 ? -1.0f : (float)f;
   }
   case ATTILA_TYPE_USCALED:
      return (float)v;
   case ATTILA_TYPE_SSCALED:
      return (float)emul_vertex_sign_extend(v, bits);
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
emul_vertex_convert_any(enum attila_format format, const uint8_t *element, float value[4])
{
   const struct attila_format_desc *d = &attila_formats[format];
   if (attila_type_is_integer(d->type)) {
      emul_format_unpack(format, element, 0, value);
      return;
   }
   for (unsigned c = 0; c < 4; c++) {
      unsigned bits = d->channel[c].bits;
      value[c] = bits ? emul_vertex_channel(
                            d->type, emul_vertex_extract(element, d->channel[c].shift, bits), bits)
                 : c == 3 ? 1.0f
                          : 0.0f;
   }
}

SIM_INLINE void
emul_vertex_convert(enum attila_format format, const uint8_t *element, float value[4])
{
   value[0] = value[1] = value[2] = 0.0f;
   value[3] = 1.0f;
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
      emul_vertex_convert_any(format, element, value);
      break;
   }
}

/* Does the same for formats with code of their own. */
SIM_INLINE emul_f32x4
emul_vertex_convert_vector(enum attila_format format, const uint8_t *element)
{
   float f[4];
   emul_f32x4 v = {0.0f, 0.0f, 0.0f, 1.0f};
   if (!element)
      return v;
   switch (format) {
   case ATTILA_FORMAT_R32G32_FLOAT:
      memcpy(f, element, 8);
      return (emul_f32x4){f[0], f[1], 0.0f, 1.0f};
   case ATTILA_FORMAT_R32G32B32_FLOAT:
      memcpy(f, element, 12);
      return (emul_f32x4){f[0], f[1], f[2], 1.0f};
   case ATTILA_FORMAT_R32G32B32A32_FLOAT:
      memcpy(&v, element, 16);
      return v;
   default:
      emul_vertex_convert(format, element, f);
      memcpy(&v, f, 16);
      return v;
   }
}

static inline bool
emul_vertex_reads_instance(const struct emul_draw_state *state, unsigned a)
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
      format = ATTILA_FORMAT_NONE;
   if (element && format != ATTILA_FORMAT_NONE) {
      emul_vertex_convert(format, element, value);
   } else {
      value[0] = value[1] = value[2] = 0.0f;
      value[3] = emul_format_one(&attila_formats[format]);
   }
   if (emul_vertex_reads_instance(state, a))
      value[0] = (float)(instance - state->cmd.first_instance);
}

void
emul_vertex_ids(const struct emul_draw_state *state, uint32_t vertex, uint32_t instance,
                float value[4])
{
   const uint32_t ids[4] = {vertex, instance - state->cmd.first_instance, state->cmd.index_bias, 0};
   memcpy(value, ids, sizeof(ids));
}

/* Attribute a, located by emul_attrib_address for many vertices. */
struct attrib_source {
   uint64_t address, stride; /* 32 bits */
   uint64_t last;            /* largest offset inside */
   bool exists;
};

static struct attrib_source
emul_vertex_attrib_source(const struct emul_draw_state *state, unsigned a)
{
   const struct attila_attrib_regs *r = &state->regs.attrib[a];
   const uint64_t bytes = attila_formats[r->format].bytes,
                  room = r->address < state->memory_size ? state->memory_size - r->address : 0,
                  limit = r->limit < room ? r->limit : room;
   return (struct attrib_source){.address = r->address,
                                 .stride = r->stride,
                                 .last = limit - bytes,
                                 .exists = r->enable == ATTILA_ATTRIB_MEMORY && limit >= bytes};
}

SIM_INLINE void
emul_vertex_store_four(emul_f32x4 v[4], unsigned first, struct emul_vec4 *in)
{
   emul_transpose(v);
   for (unsigned c = 0; c < 4; c++)
      memcpy(&in->c[c][first], &v[c], sizeof(v[c]));
}

/* Returns whether 16 bytes from every vertex's element on are inside the buffer. */
static inline bool
emul_vertex_all_inside(const struct attrib_source *s, unsigned bytes, const uint32_t *vertex,
                       unsigned count)
{
   uint32_t most = 0;
   for (unsigned i = 0; i < count; i++)
      most = vertex[i] > most ? vertex[i] : most;
   return s->exists && most * s->stride + sizeof(emul_f32x4) - bytes <= s->last;
}

/* Fetches three floats for each vertex of a group, together with the bytes behind them. */
static void
emul_vertex_fetch_three(const struct attrib_source *s, const uint8_t *memory,
                        const uint32_t *vertex, struct emul_vec4 *in)
{
   for (unsigned i = 0; i < EMUL_LANES; i += 4) {
      emul_f32x4 v[4];
      for (unsigned k = 0; k < 4; k++)
         memcpy(&v[k], memory + s->address + vertex[i + k] * s->stride, sizeof(v[k]));
      emul_vertex_store_four(v, i, in);
   }
   for (unsigned i = 0; i < EMUL_LANES; i++)
      in->c[3][i] = 1.0f;
}

/* The loop of emul_attrib_fetch for one format, constant in each call so that the conversion is
 * inlined. Not for instanced attributes. */
SIM_INLINE void
emul_vertex_fetch(const struct emul_draw_state *state, unsigned a, const uint8_t *memory,
                  const uint32_t *vertex, unsigned count, struct emul_vec4 *in,
                  enum attila_format format)
{
   const struct attrib_source source = emul_vertex_attrib_source(state, a);
   if (format == ATTILA_FORMAT_R32G32B32_FLOAT && count == EMUL_LANES &&
       emul_vertex_all_inside(&source, 12, vertex, count)) {
      emul_vertex_fetch_three(&source, memory, vertex, in);
      return;
   }
   for (unsigned i = 0; i < count; i += 4) {
      emul_f32x4 v[4] = {{0}};
      for (unsigned k = 0; k < 4 && i + k < count; k++) {
         const uint64_t offset = vertex[i + k] * source.stride;
         const bool there = source.exists && offset <= source.last;
         v[k] = emul_vertex_convert_vector(format, there ? memory + source.address + offset : NULL);
      }
      emul_vertex_store_four(v, i, in);
   }
}

void
emul_attrib_fetch(const struct emul_draw_state *state, unsigned a, const uint8_t *memory,
                  const uint32_t *vertex, unsigned count, uint32_t instance, struct emul_vec4 *in)
{
   const bool by_vertex = a < ATTILA_MAX_ATTRIBS && !emul_vertex_reads_instance(state, a) &&
                          !state->regs.attrib[a].divisor;
   const enum attila_format format = by_vertex ? state->regs.attrib[a].format : ATTILA_FORMAT_NONE;
   switch (format) {
   case ATTILA_FORMAT_R32G32_FLOAT:
      emul_vertex_fetch(state, a, memory, vertex, count, in, ATTILA_FORMAT_R32G32_FLOAT);
      break;
   case ATTILA_FORMAT_R32G32B32_FLOAT:
      emul_vertex_fetch(state, a, memory, vertex, count, in, ATTILA_FORMAT_R32G32B32_FLOAT);
      break;
   case ATTILA_FORMAT_R32G32B32A32_FLOAT:
      emul_vertex_fetch(state, a, memory, vertex, count, in, ATTILA_FORMAT_R32G32B32A32_FLOAT);
      break;
   case ATTILA_FORMAT_R8G8B8A8_UNORM:
      emul_vertex_fetch(state, a, memory, vertex, count, in, ATTILA_FORMAT_R8G8B8A8_UNORM);
      break;
   default:
      for (unsigned i = 0; i < count; i++) {
         uint32_t address = emul_attrib_address(state, a, vertex[i], instance);
         float value[4];
         if (a == ATTILA_VS_INPUT_IDS)
            emul_vertex_ids(state, vertex[i], instance, value);
         else
            emul_attrib_convert(state, a, address == ATTILA_NO_ADDRESS ? NULL : memory + address,
                                instance, value);
         for (unsigned c = 0; c < 4; c++)
            in->c[c][i] = value[c];
      }
   }
}
