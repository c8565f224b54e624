/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Memory instructions of the shader emulator: which words of storage buffers or shared memory a
 * group accesses, and the accesses of these and of images as functional mode does them, lane by
 * lane. What lies outside reads zeros and is not written. Lanes that are helpers, or whose fragment
 * was killed, load but do not write. Not here: which bytes an image's texels are (emul_image.c),
 * the unit that does it in time (box/shader/lsu.c). */
#include <string.h>
#include "emul/shader/emul_atomic.h"
#include "emul/shader/emul_shader_program.h"

/* Returns the memory that a lane's instruction accesses. */
static struct emul_const_buffer
emul_memory_buffer(const struct emul_thread *t, unsigned op, unsigned lane, uint32_t number)
{
   static const struct emul_const_buffer none;
   if (attila_isa_is_shared(op))
      return (struct emul_const_buffer){.size = t->program->isa.shared_bytes};
   const bool exists = (t->lanes >> lane & 1) && number < ATTILA_MAX_STORAGE_BUFFERS;
   return exists ? t->storage[number] : none;
}

void
emul_memory_begin(struct emul_thread *t, const struct emul_instr *in, uint32_t where[3][EMUL_LANES],
                  const uint32_t number[EMUL_LANES])
{
   if (attila_isa_is_image(in->op)) {
      emul_image_begin(t, in, where, number);
      return;
   }
   struct emul_memory_request *r = &t->request;
   const bool loads = emul_memory_loads(in->op);
   const unsigned words = loads                             ? in->write_mask
                          : attila_isa_stores_words(in->op) ? (1u << in->words) - 1
                                                            : in->op != ATTILA_OP_SZB;
   const unsigned lanes = loads ? t->exec : t->exec & ~(t->killed | t->stopped | t->helpers);
   r->op = in->op;
   r->atomic = in->atomic;
   r->unit = 4;
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      const struct emul_const_buffer b = emul_memory_buffer(t, in->op, l, number[l]);
      const uint32_t first = where[0][l] & ~3u;
      r->words.components[l] = 0;
      r->words.address[l] = in->op == ATTILA_OP_SZB ? b.size : b.address + first;
      for (unsigned c = 0; (lanes >> l & 1) && c < 4; c++) {
         if ((words >> c & 1) && first + 4ull * c + 4 <= b.size)
            r->words.components[l] |= (uint8_t)(1u << c);
      }
   }
   t->pc--;
}

/* Changes a word; returns the old one. */
static uint32_t
emul_memory_atomic(const struct emul_memory_request *r, unsigned lane, uint8_t *at)
{
   uint32_t old;
   memcpy(&old, at, 4);
   const uint32_t changed =
       emul_atomic_result((enum attila_atomic)r->atomic, old, r->data[0][lane], r->data[1][lane]);
   memcpy(at, &changed, 4);
   return old;
}

void
emul_memory_take(const struct emul_memory_request *r, uint64_t start, uint64_t end,
                 const uint8_t *bytes, struct emul_vec4 *result)
{
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      for (unsigned left = r->words.components[l]; left; left &= left - 1) {
         const unsigned c = (unsigned)__builtin_ctz(left);
         const uint64_t address = r->words.address[l] + r->unit * (uint64_t)c;
         if (address >= start && address < end)
            memcpy(&result->c[c][l], bytes + (address - start), r->unit);
      }
   }
}

void
emul_memory_finish(const struct emul_memory_request *r, struct emul_vec4 *result)
{
   if (r->op == ATTILA_OP_LDI || r->op == ATTILA_OP_SZI) {
      emul_image_finish(r, result);
      return;
   }
   if (r->op == ATTILA_OP_SZB)
      memcpy(result->c[0], r->words.address, sizeof(result->c[0]));
   for (unsigned c = 1; c < 4 && !emul_memory_loads(r->op); c++)
      memcpy(result->c[c], result->c[0], sizeof(result->c[c]));
}

void
emul_memory_execute(const struct emul_memory_request *r, uint8_t *memory, struct emul_vec4 *result)
{
   memset(result, 0, sizeof(*result));
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      for (unsigned left = r->words.components[l]; left; left &= left - 1) {
         const unsigned c = (unsigned)__builtin_ctz(left);
         uint8_t *at = memory + r->words.address[l] + r->unit * c;
         if (attila_isa_is_store(r->op)) {
            memcpy(at, &r->data[c][l], r->unit);
         } else if (!attila_isa_is_atomic(r->op)) {
            memcpy(&result->c[c][l], at, r->unit);
         } else {
            const uint32_t old = emul_memory_atomic(r, l, at);
            memcpy(&result->c[0][l], &old, 4);
         }
      }
   }
   emul_memory_finish(r, result);
}
