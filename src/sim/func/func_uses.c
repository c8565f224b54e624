/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which memory draws read, noted for caches that are warm when cycle mode begins
 * (decode/sim_uses.h). Not here: what is written (sim_func.c, func_fragment.c). */
#include "func/sim_func_impl.h"

/* Plans the request anew: the shortcuts of emul_tex_sample keep no addresses. Neighbouring lanes
 * mostly read the same bytes. */
static void
func_uses_texels(const struct func_pass *p, const struct emul_tex_request *request)
{
   struct emul_tex_plan plan; /* only steps in use are touched */
   uint64_t last[EMUL_TEX_TAPS] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
   emul_tex_plan(&p->state.tex[request->unit], request, &plan);
   for (unsigned s = 0; s < plan.num_steps; s++) {
      const struct emul_tex_step *step = &plan.steps[s];
      for (unsigned lane = 0; lane < EMUL_LANES; lane++) {
         for (unsigned tap = 0; tap < (plan.linear ? EMUL_TEX_TAPS : 1); tap++) {
            const uint64_t at = step->address[tap][lane];
            if (at >= EMUL_TEX_NO_ADDRESS || !(step->mask >> lane & 1) ||
                at / SIM_USES_UNIT == last[tap])
               continue;
            last[tap] = at / SIM_USES_UNIT;
            sim_use(&p->device->uses, SIM_USER_TEXTURES, at, at + plan.element_bytes, false);
         }
      }
   }
}

void
func_sample(void *pass, const struct emul_tex_request *request, struct emul_vec4 *texel)
{
   const struct func_pass *p = pass;
   if (p->device->uses.users)
      func_uses_texels(p, request);
   emul_tex_sample(&p->state.tex[request->unit], request, p->device->memory, texel);
}

void
func_use_storage(void *pass, const struct emul_memory_request *request)
{
   const struct func_pass *p = pass;
   for (unsigned lane = 0; lane < EMUL_LANES; lane++) {
      const unsigned words = request->words.components[lane];
      if (!words)
         continue;
      const uint64_t at = request->words.address[lane];
      sim_use(&p->device->uses, SIM_USER_STORAGE,
              at + request->unit * (unsigned)__builtin_ctz(words),
              at + request->unit * (32 - (unsigned)__builtin_clz(words)),
              request->op != ATTILA_OP_LDB && request->op != ATTILA_OP_LDI);
   }
}

/* Attribute a of so many vertices. */
void
func_use_vertices(const struct func_pass *p, unsigned a, const uint32_t *vertex, unsigned count,
                  uint32_t instance)
{
   const uint32_t bytes =
       a < ATTILA_MAX_ATTRIBS ? attila_formats[p->state.regs.attrib[a].format].bytes : 0;
   for (unsigned i = 0; bytes && i < count; i++) {
      const uint64_t at = emul_attrib_address(&p->state, a, vertex[i], instance);
      if (at != ATTILA_NO_ADDRESS)
         sim_use(&p->device->uses, SIM_USER_VERTICES, at, at + bytes, false);
   }
}

void
func_use_indices(const struct func_pass *p)
{
   const struct attila_cmd_draw *cmd = &p->state.cmd;
   const uint64_t first = cmd->index_address + (uint64_t)cmd->start * cmd->index_size;
   sim_use(&p->device->uses, SIM_USER_INDICES, first,
           first + (uint64_t)cmd->count * cmd->index_size, false);
}
