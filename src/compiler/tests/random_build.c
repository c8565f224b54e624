/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Random programs (random_program.h) as NIR. */
#include "random_program.h"

struct build {
   struct shader_test *t;
   const struct random_program *p;
   nir_variable *var[RANDOM_VARS], *array;
   nir_def *input;
};

static nir_def *
build_operand(struct build *u, const struct random_operand *o)
{
   nir_builder *b = &u->t->b;
   nir_def *v = o->source < RANDOM_VARS     ? nir_load_var(b, u->var[o->source])
                : o->source == RANDOM_INPUT ? u->input
                : o->source == RANDOM_CONSTANT
                    ? test_uniform(u->t, RANDOM_CONST)
                    : nir_imm_vec4(b, o->literal[0], o->literal[1], o->literal[2], o->literal[3]);
   unsigned swizzle[4] = {o->swizzle[0], o->swizzle[1], o->swizzle[2], o->swizzle[3]};
   v = nir_swizzle(b, v, swizzle, 4);
   v = o->absolute ? nir_fabs(b, v) : v;
   return o->negate ? nir_fneg(b, v) : v;
}

static nir_def *
build_clamp(nir_builder *b, nir_def *v)
{
   return nir_fmin(b, nir_fmax(b, v, nir_imm_vec4(b, -32, -32, -32, -32)),
                   nir_imm_vec4(b, 32, 32, 32, 32));
}

static nir_def *
build_integer(nir_builder *b, nir_op op, nir_def *x, nir_def *y)
{
   nir_def *i = nir_f2i32(b, x), *k = nir_f2i32(b, y);
   nir_def *quotient = nir_build_alu2(b, op, i, k);
   return nir_i2f32(b, nir_bcsel(b, nir_ieq_imm(b, k, 0), nir_imm_zero(b, 4, 32), quotient));
}

static nir_def *
build_value(nir_builder *b, enum random_op op, nir_def *x, nir_def *y, nir_def *z)
{
   nir_def *zero = nir_imm_zero(b, 4, 32);
   switch (op) {
   case RANDOM_ADD:
      return nir_fadd(b, x, y);
   case RANDOM_MUL:
      return nir_fmul(b, x, y);
   case RANDOM_MAD:
      return nir_fadd(b, nir_fmul(b, x, y), z);
   case RANDOM_MIN:
      return nir_fmin(b, x, y);
   case RANDOM_MAX:
      return nir_fmax(b, x, y);
   case RANDOM_LESS:
      return nir_b2f32(b, nir_flt(b, x, y));
   case RANDOM_SELECT:
      return nir_bcsel(b, nir_flt(b, x, y), z, y);
   case RANDOM_HALF:
      return nir_ffloor(b, nir_fmul_imm(b, x, 0.5));
   case RANDOM_SATURATE:
      return nir_fsat(b, nir_fadd(b, x, y));
   case RANDOM_SIGN:
      return nir_fsign(b, x);
   case RANDOM_EQUAL:
      return nir_b2f32(b, nir_ixor(b, nir_feq(b, x, y), nir_flt(b, z, zero)));
   case RANDOM_SELECT_POSITIVE:
      return nir_bcsel(b, nir_fge(b, x, zero), y, z);
   case RANDOM_ALL_EQUAL:
      return nir_replicate(b, nir_b2f32(b, nir_ball_fequal4(b, x, y)), 4);
   case RANDOM_DIVIDE:
      return build_integer(b, nir_op_idiv, x, y);
   case RANDOM_MODULO:
      return build_integer(b, nir_op_irem, x, y);
   default:
      return nir_replicate(b, nir_fdot4(b, x, y), 4);
   }
}

static nir_def *
build_texture(struct build *u, const struct random_texture *r, nir_def *x, nir_def *y, nir_def *z)
{
   static const struct {
      uint8_t dim, coordinates;
      bool array;
   } targets[ATTILA_NUM_TEX_TARGETS] = {
       [ATTILA_TEX_1D] = {GLSL_SAMPLER_DIM_1D, 1},
       [ATTILA_TEX_2D] = {GLSL_SAMPLER_DIM_2D, 2},
       [ATTILA_TEX_3D] = {GLSL_SAMPLER_DIM_3D, 3},
       [ATTILA_TEX_CUBE] = {GLSL_SAMPLER_DIM_CUBE, 3},
       [ATTILA_TEX_RECT] = {GLSL_SAMPLER_DIM_RECT, 2},
       [ATTILA_TEX_2D_ARRAY] = {GLSL_SAMPLER_DIM_2D, 3, true},
       [ATTILA_TEX_1D_ARRAY] = {GLSL_SAMPLER_DIM_1D, 2, true},
   };
   static const unsigned reversed[4] = {3, 2, 1, 0};
   nir_builder *b = &u->t->b;
   nir_tex_src src[6];
   unsigned count = 0, n = targets[r->target].coordinates;
   unsigned derivatives = n - targets[r->target].array;
   src[count++] = nir_tex_src_for_ssa(nir_tex_src_coord, nir_trim_vector(b, x, n));
   if (r->shadow)
      src[count++] = nir_tex_src_for_ssa(nir_tex_src_comparator, nir_channel(b, y, 0));
   if (r->op == nir_texop_txb || r->op == nir_texop_txl)
      src[count++] = nir_tex_src_for_ssa(
          r->op == nir_texop_txb ? nir_tex_src_bias : nir_tex_src_lod, nir_channel(b, y, 1));
   if (r->project) {
      nir_def *positive = nir_flt(b, nir_imm_float(b, 0), nir_channel(b, y, 2));
      nir_def *w = nir_bcsel(b, positive, nir_imm_float(b, 2), nir_imm_float(b, 1));
      src[count++] = nir_tex_src_for_ssa(nir_tex_src_projector, w);
   }
   if (r->op == nir_texop_txd) {
      nir_def *dy = nir_fneg(b, nir_swizzle(b, z, reversed, 4));
      src[count++] = nir_tex_src_for_ssa(nir_tex_src_ddx, nir_trim_vector(b, z, derivatives));
      src[count++] = nir_tex_src_for_ssa(nir_tex_src_ddy, nir_trim_vector(b, dy, derivatives));
   }
   nir_tex_instr *tex = nir_tex_instr_create(b->shader, count);
   tex->op = r->op;
   tex->sampler_dim = targets[r->target].dim;
   tex->is_array = targets[r->target].array;
   tex->is_shadow = r->shadow;
   tex->texture_index = tex->sampler_index = r->unit;
   tex->dest_type = nir_type_float32;
   tex->coord_components = n;
   memcpy(tex->src, src, count * sizeof(*src));
   nir_def_init(&tex->instr, &tex->def, 4, 32);
   nir_builder_instr_insert(b, &tex->instr);
   return &tex->def;
}

static void build_list(struct build *u, int n);

static void
build_loop(struct build *u, const struct random_node *node)
{
   nir_builder *b = &u->t->b;
   nir_variable *counter = nir_local_variable_create(b->impl, glsl_int_type(), "i");
   nir_store_var(b, counter, nir_imm_int(b, 0), 1);
   nir_push_loop(b);
   nir_def *i = nir_load_var(b, counter);
   nir_break_if(b, nir_ige_imm(b, i, node->count));
   nir_store_var(b, counter, nir_iadd_imm(b, i, 1), 1);
   build_list(u, node->first);
   nir_pop_loop(b, NULL);
}

static void
build_branch(struct build *u, const struct random_node *node, nir_def *condition)
{
   nir_builder *b = &u->t->b;
   nir_push_if(b, condition);
   build_list(u, node->first);
   if (node->second >= 0) {
      nir_push_else(b, NULL);
      build_list(u, node->second);
   }
   nir_pop_if(b, NULL);
}

static void
build_node(struct build *u, const struct random_node *node)
{
   nir_builder *b = &u->t->b;
   nir_def *x = build_operand(u, &node->src[0]), *y = build_operand(u, &node->src[1]),
           *z = build_operand(u, &node->src[2]);
   nir_def *first = nir_channel(b, x, 0);
   nir_def *less = nir_flt(b, first, nir_channel(b, y, 0));
   nir_def *index =
       nir_f2i32(b, nir_fmin(b, nir_fabs(b, first), nir_imm_float(b, RANDOM_ELEMENTS - 1)));
   nir_deref_instr *element = nir_build_deref_array(b, nir_build_deref_var(b, u->array), index);
   nir_def *value = NULL;
   switch (node->kind) {
   case RANDOM_ASSIGN:
      value = build_value(b, node->op, x, y, z);
      if (random_op_grows(node->op))
         value = build_clamp(b, value);
      break;
   case RANDOM_LOAD:
      value = nir_load_deref(b, element);
      break;
   case RANDOM_UNIFORM:
      value = test_uniform_indirect(u->t, RANDOM_FIRST_INDEX, RANDOM_ELEMENTS, index);
      break;
   case RANDOM_TEXTURE:
      value = build_texture(u, &node->tex, x, y, z);
      break;
   case RANDOM_DERIVATIVE:
      value = build_clamp(b, node->vertical ? nir_ddy(b, x) : nir_ddx(b, x));
      break;
   case RANDOM_STORE:
      nir_store_deref(b, element, y, node->mask);
      break;
   case RANDOM_KILL:
      nir_demote_if(b, node->vertical ? nir_flt_imm(b, first, 0) : less);
      break;
   default:
      build_branch(u, node, less);
      break;
   }
   if (value)
      nir_store_var(b, u->var[node->var], value, node->mask);
}

static void
build_list(struct build *u, int n)
{
   for (; n >= 0; n = u->p->nodes[n].next) {
      const struct random_node *node = &u->p->nodes[n];
      if (node->kind == RANDOM_BREAK || node->kind == RANDOM_CONTINUE)
         nir_jump(&u->t->b, node->kind == RANDOM_BREAK ? nir_jump_break : nir_jump_continue);
      else if (node->kind == RANDOM_LOOP)
         build_loop(u, node);
      else
         build_node(u, node);
   }
}

void
random_program_build(const struct random_program *p, struct shader_test *t)
{
   struct build u = {.t = t, .p = p};
   nir_builder *b = &t->b;
   u.input = test_input(t, 0);
   u.array = nir_local_variable_create(
       b->impl, glsl_array_type(glsl_vec4_type(), RANDOM_ELEMENTS, 0), "array");
   nir_deref_instr *array = nir_build_deref_var(b, u.array);
   for (unsigned e = 0; e < RANDOM_ELEMENTS; e++)
      nir_store_deref(b, nir_build_deref_array_imm(b, array, e), nir_imm_vec4(b, e, 1, 2, 3), 0xf);
   for (unsigned v = 0; v < RANDOM_VARS; v++) {
      u.var[v] = nir_local_variable_create(b->impl, glsl_vec4_type(), "v");
      nir_store_var(b, u.var[v], nir_imm_vec4(b, v, 1, -2, 0), 0xf);
   }
   build_list(&u, p->first);
   for (unsigned v = 0; v < RANDOM_VARS; v++)
      test_output(t, v, nir_load_var(b, u.var[v]));
}
