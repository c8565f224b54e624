/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Protocol buffers, written: a message after the other to a file, fields in the order of the calls.
 * Encoding: https://protobuf.dev/programming-guides/encoding/. Not here: reading, and what the
 * messages mean.
 */
#ifndef SIM_PROTO_H
#define SIM_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* One message of the outermost level, with what is nested in it; zeroed to begin with. */
struct proto {
   uint8_t *data; /* owned */
   size_t size, capacity;
   bool failed; /* no memory: what was written since is lost */
};

/* Field numbers are those of the message that is open. */
void proto_number(struct proto *p, unsigned field, uint64_t value);
void proto_signed(struct proto *p, unsigned field, int64_t value); /* int32, int64; not sint64 */
void proto_double(struct proto *p, unsigned field, double value);
/* UTF-8; bytes of text that are not are replaced by '?', since decoders refuse the whole message.
 */
void proto_text(struct proto *p, unsigned field, const char *text);
/* Opens a nested message; what it returns closes it. */
size_t proto_open(struct proto *p, unsigned field);
void proto_close(struct proto *p, size_t opened);
/* Writes what there is to a file and begins anew; false if that failed. */
bool proto_flush(struct proto *p, FILE *f);
void proto_free(struct proto *p);

#endif
