/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Protocol buffers, written (core/sim_proto.h). Varints, doubles and nested messages are all that
 * traces need; a generator and its library would be a dependency of the build for less than this
 * file.
 */
#include "core/sim_proto.h"
#include <stdlib.h>
#include <string.h>

/* Wire types. */
enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_LENGTH = 2 };

#define MAX_VARINT 10 /* bytes */

/* Room for more bytes, or NULL. */
static uint8_t *
proto_grow(struct proto *p, size_t bytes)
{
   if (p->failed)
      return NULL;
   if (p->size + bytes > p->capacity) {
      const size_t capacity = (p->size + bytes) * 2;
      uint8_t *data = realloc(p->data, capacity);
      if (!data) {
         p->failed = true;
         return NULL;
      }
      p->data = data;
      p->capacity = capacity;
   }
   return p->data + p->size;
}

/* How many bytes it took. */
static size_t
proto_encode(uint8_t *to, uint64_t value)
{
   size_t n = 0;
   for (; value >= 0x80; value >>= 7)
      to[n++] = (uint8_t)(value | 0x80);
   to[n++] = (uint8_t)value;
   return n;
}

static void
proto_put_varint(struct proto *p, uint64_t value)
{
   uint8_t *to = proto_grow(p, MAX_VARINT);
   if (to)
      p->size += proto_encode(to, value);
}

static void
proto_put_bytes(struct proto *p, const void *bytes, size_t size)
{
   uint8_t *to = proto_grow(p, size);
   if (to && size) {
      memcpy(to, bytes, size);
      p->size += size;
   }
}

static void
proto_put_key(struct proto *p, unsigned field, unsigned wire)
{
   proto_put_varint(p, (uint64_t)field << 3 | wire);
}

void
proto_number(struct proto *p, unsigned field, uint64_t value)
{
   proto_put_key(p, field, WIRE_VARINT);
   proto_put_varint(p, value);
}

void
proto_signed(struct proto *p, unsigned field, int64_t value)
{
   proto_number(p, field, (uint64_t)value);
}

void
proto_double(struct proto *p, unsigned field, double value)
{
   uint8_t bytes[8];
   uint64_t bits;
   memcpy(&bits, &value, sizeof(bits));
   for (unsigned i = 0; i < 8; i++)
      bytes[i] = (uint8_t)(bits >> (8 * i));
   proto_put_key(p, field, WIRE_64);
   proto_put_bytes(p, bytes, sizeof(bytes));
}

/* Bytes of the UTF-8 character that begins here; 0: it is none (RFC 3629, section 4). */
static size_t
proto_utf8_length(const uint8_t *s)
{
   const size_t n = s[0] < 0x80                   ? 1
                    : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                    : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                    : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                                  : 0;
   for (size_t i = 1; i < n; i++) {
      if ((s[i] & 0xc0) != 0x80) /* the end, too */
         return 0;
   }
   const bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
   const bool beyond = (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf4 && s[1] >= 0x90);
   return overlong || beyond ? 0 : n;
}

void
proto_text(struct proto *p, unsigned field, const char *text)
{
   const size_t size = strlen(text);
   proto_put_key(p, field, WIRE_LENGTH);
   proto_put_varint(p, size);
   for (const uint8_t *s = (const uint8_t *)text; *s;) {
      const size_t n = proto_utf8_length(s);
      proto_put_bytes(p, n ? (const void *)s : "?", n ? n : 1);
      s += n ? n : 1;
   }
}

size_t
proto_open(struct proto *p, unsigned field)
{
   proto_put_key(p, field, WIRE_LENGTH);
   return p->size;
}

/* The length goes before what has been written, which moves: nothing need be known ahead. */
void
proto_close(struct proto *p, size_t opened)
{
   uint8_t length[MAX_VARINT];
   if (!proto_grow(p, MAX_VARINT))
      return;
   const size_t n = proto_encode(length, p->size - opened);
   memmove(p->data + opened + n, p->data + opened, p->size - opened);
   memcpy(p->data + opened, length, n);
   p->size += n;
}

bool
proto_flush(struct proto *p, FILE *f)
{
   const bool good = !p->failed && fwrite(p->data, 1, p->size, f) == p->size;
   p->size = 0;
   return good;
}

void
proto_free(struct proto *p)
{
   free(p->data);
   *p = (struct proto){0};
}
