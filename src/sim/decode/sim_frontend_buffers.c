/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The front end's commands that bind memory to stages: constant buffers, storage buffers, images.
 * Not here: what of them a draw keeps (sim_frontend.c). */
#include <string.h>
#include "decode/sim_frontend_impl.h"

/* Binds buffers of a stage; each stage has max of them. */
static void
frontend_bind(struct emul_const_buffer *buffers, uint32_t max, const uint32_t *payload,
              uint32_t words)
{
   const uint32_t stage = payload[0], first = payload[1], num = (words - 2) / 2;
   if (words < 4 || stage >= ATTILA_NUM_STAGES || first >= max || num > max - first)
      return;
   for (uint32_t i = 0; i < num; i++)
      buffers[stage * max + first + i] =
          (struct emul_const_buffer){payload[2 + 2 * i], payload[3 + 2 * i]};
}

void
sim_frontend_const_buffers(struct sim_frontend *f, const uint32_t *payload, uint32_t words)
{
   frontend_bind(f->now->const_buffers[0], ATTILA_MAX_CONST_BUFFERS, payload, words);
}

void
sim_frontend_storage(struct sim_frontend *f, const uint32_t *payload, uint32_t words)
{
   frontend_bind(f->now->storage[0], ATTILA_MAX_STORAGE_BUFFERS, payload, words);
}

void
sim_frontend_images(struct sim_frontend *f, const uint32_t *payload, uint32_t words)
{
   const uint32_t stage = payload[0], first = payload[1], num = (words - 2) / ATTILA_IMAGE_WORDS;
   for (uint32_t i = 0; i < num && first + i < ATTILA_MAX_IMAGES; i++)
      memcpy(&f->now->images[stage][first + i], payload + 2 + i * ATTILA_IMAGE_WORDS,
             sizeof(struct attila_image));
}
