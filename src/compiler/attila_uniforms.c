/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The names of uniforms and where the program finds them, for people who look at the state of a
 * draw. The text is the one that attila_cmd.h describes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "attila_compiler.h"
#include "compiler/glsl_types.h"
#include "util/memstream.h"
#include "util/ralloc.h"

/* The part of a variable that is described next. */
struct attila_uniforms_part {
   const struct glsl_type *type;
   const char *name;  /* OpenGL's */
   const char *plain; /* the same without indices */
   unsigned at;       /* register, or byte in the block */
   unsigned index;    /* number of the element in all arrays around it together */
};

struct attila_uniforms {
   void *mem;
   FILE *out;
   const nir_shader *nir;
   const nir_variable *var;
   int block; /* -1: in registers */
};

static unsigned
attila_uniforms_slots(const struct glsl_type *type)
{
   return glsl_count_vec4_slots(type, false, false);
}

/* Returns the first texture unit of a sampler. Mesa makes a variable of its own for the samplers of
 * a structure's member (gl_nir_lower_samplers_as_deref). */
static int
attila_uniforms_unit(const struct attila_uniforms *w, const struct attila_uniforms_part *p)
{
   const nir_variable *var = w->var;
   if (glsl_type_is_struct(glsl_without_array(var->type))) {
      const char *name = ralloc_asprintf(w->mem, "lower@%s", p->plain);
      nir_foreach_variable_with_modes (v, w->nir, nir_var_uniform)
         var = v->name && !strcmp(v->name, name) ? v : var;
      if (var == w->var)
         return -1; /* no lookup uses it */
   }
   const unsigned length = glsl_type_is_array(p->type) ? glsl_get_length(p->type) : 1;
   return attila_first_tex_unit(attila_compiler_stage(w->nir)) + var->data.binding +
          p->index * length;
}

/* Writes the line of a scalar, vector, matrix or sampler, or of an array of them. */
static void
attila_uniforms_put(const struct attila_uniforms *w, const struct attila_uniforms_part *p)
{
   const struct glsl_type *type = glsl_without_array(p->type);
   const enum glsl_base_type base = glsl_get_base_type(type);
   const bool integer = base == GLSL_TYPE_INT || base == GLSL_TYPE_UINT;
   if (glsl_type_is_sampler(type)) {
      const int unit = attila_uniforms_unit(w, p);
      if (unit < 0)
         return;
      fprintf(w->out, "t %d", unit);
   } else if (!integer && base != GLSL_TYPE_FLOAT && base != GLSL_TYPE_BOOL) {
      return;
   } else if (w->block < 0) {
      fprintf(w->out, "%c %u", integer && w->nir->info.use_legacy_math_rules ? 'f' : 'c', p->at);
   } else {
      const bool matrix = glsl_type_is_matrix(type);
      fprintf(w->out, "%c %d %u %u %u", matrix && glsl_matrix_type_is_row_major(type) ? 'r' : 'b',
              w->block, p->at, glsl_type_is_array(p->type) ? glsl_get_explicit_stride(p->type) : 0,
              matrix ? glsl_get_explicit_stride(type) : 0);
   }
   fprintf(w->out, " %s", glsl_get_type_name(glsl_get_bare_type(type)));
   if (glsl_type_is_array(p->type))
      fprintf(w->out, "[%u]", glsl_get_length(p->type));
   fprintf(w->out, " %s\n", p->name);
}

/* Describes the parts of arrays and structures, as OpenGL lists active uniforms. */
static void
attila_uniforms_walk(const struct attila_uniforms *w, const struct attila_uniforms_part *p)
{
   const bool array = glsl_type_is_array(p->type), structure = glsl_type_is_struct_or_ifc(p->type);
   if (!structure && (!array || (!glsl_type_is_array(glsl_get_array_element(p->type)) &&
                                 !glsl_type_is_struct(glsl_get_array_element(p->type))))) {
      attila_uniforms_put(w, p);
      return;
   }
   unsigned at = p->at;
   for (unsigned i = 0; i < glsl_get_length(p->type); i++) {
      struct attila_uniforms_part part = {.at = at};
      if (array) {
         part.type = glsl_get_array_element(p->type);
         part.name = ralloc_asprintf(w->mem, "%s[%u]", p->name, i);
         part.plain = p->plain;
         part.index = p->index * glsl_get_length(p->type) + i;
         at += w->block < 0 ? attila_uniforms_slots(part.type) : glsl_get_explicit_stride(p->type);
      } else {
         const char *member = glsl_get_struct_elem_name(p->type, i);
         part.type = glsl_get_struct_field(p->type, i);
         part.name = ralloc_asprintf(w->mem, "%s.%s", p->name, member);
         part.plain = ralloc_asprintf(w->mem, "%s.%s", p->plain, member);
         part.index = p->index;
         if (w->block < 0)
            at += attila_uniforms_slots(part.type);
         else
            part.at = p->at + glsl_get_struct_field_offset(p->type, i);
      }
      attila_uniforms_walk(w, &part);
   }
}

/* Describes a block, or a member of a block without an instance name. */
static void
attila_uniforms_put_block(struct attila_uniforms *w)
{
   const struct glsl_type *block = glsl_without_array(w->var->interface_type);
   const char *name = glsl_get_type_name(block);
   w->block = w->var->data.driver_location;
   if (!glsl_type_is_interface(glsl_without_array(w->var->type))) {
      const int field = glsl_get_field_index(block, w->var->name);
      if (field >= 0)
         attila_uniforms_walk(
             w, &(struct attila_uniforms_part){.type = w->var->type,
                                               .name = w->var->name,
                                               .plain = w->var->name,
                                               .at = glsl_get_struct_field_offset(block, field)});
      return;
   }
   const bool array = glsl_type_is_array(w->var->type);
   for (unsigned i = 0; i < (array ? glsl_get_aoa_size(w->var->type) : 1); i++) {
      struct attila_uniforms_part part = {.type = block, .name = name, .plain = name};
      if (array)
         part.name = ralloc_asprintf(w->mem, "%s[%u]", name, i);
      attila_uniforms_walk(w, &part);
      w->block++;
   }
}

char *
attila_uniforms(const nir_shader *nir)
{
   /* The parameters of an assembly program are one array without names. */
   const bool assembly = nir->info.name && !strncmp(nir->info.name, "ARB", 3);
   struct attila_uniforms w = {.nir = nir, .mem = ralloc_context(NULL)};
   struct u_memstream stream;
   char *text = NULL;
   size_t size = 0;
   if (!u_memstream_open(&stream, &text, &size)) {
      ralloc_free(w.mem);
      return NULL;
   }
   w.out = u_memstream_get(&stream);
   nir_foreach_variable_with_modes (var, nir, nir_var_uniform | nir_var_mem_ubo) {
      w.var = var;
      w.block = -1;
      const bool sampler = glsl_type_is_sampler(glsl_without_array(var->type));
      if (!var->name || !strncmp(var->name, "lower@", 6) ||
          (assembly && !sampler && !var->num_state_slots) ||
          (!sampler && (int)var->data.driver_location < 0 &&
           !glsl_type_is_struct(glsl_without_array(var->type))))
         continue;
      if (var->data.mode == nir_var_mem_ubo)
         attila_uniforms_put_block(&w);
      else
         attila_uniforms_walk(&w, &(struct attila_uniforms_part){.type = var->type,
                                                                 .name = var->name,
                                                                 .plain = var->name,
                                                                 .at = var->data.driver_location});
   }
   u_memstream_close(&stream);
   ralloc_free(w.mem);
   if (size)
      return text;
   free(text);
   return NULL;
}
