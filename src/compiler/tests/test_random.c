/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Random programs, compiled with and without optimisation, against a plain interpreter of the same
 * program: assignments with masks, swizzles and modifiers, nested branches, loops with break and
 * continue, local arrays, indexed constants. All values are whole numbers between -32 and 32, so
 * every order of evaluation gives the same bits.
 */
#include <math.h>
#include "harness.h"

#define VARS 6
#define ELEMENTS 4
#define MAX_NODES 400

enum kind { ASSIGN, BRANCH, LOOP, STORE, LOAD, UNIFORM, BREAK, CONTINUE };
enum op { ADD, MUL, MAD, MIN, MAX, LESS, SELECT, HALF, DOT, OPS };

struct operand {
   uint8_t source; /* below VARS: a variable; VARS: input; VARS + 1: constant register; VARS + 2:
                      literal */
   uint8_t swizzle[4];
   bool negate, absolute;
   int8_t literal[4];
};

struct node {
   enum kind kind;
   enum op op;
   uint8_t var, mask, count;
   struct operand src[3];
   int first, second, next; /* nodes inside, node behind; -1: none */
};

struct program {
   struct node nodes[MAX_NODES];
   int count;
   uint32_t seed;
};

static uint32_t
draw(struct program *p, uint32_t below)
{
   p->seed = p->seed * 1664525u + 1013904223u;
   return (p->seed >> 8) % below;
}

static struct operand
random_operand(struct program *p)
{
   struct operand o = {
       .source = draw(p, VARS + 3), .negate = draw(p, 4) == 0, .absolute = draw(p, 5) == 0};
   for (unsigned c = 0; c < 4; c++) {
      o.swizzle[c] = draw(p, 2) ? c : draw(p, 4);
      o.literal[c] = (int)draw(p, 9) - 4;
   }
   return o;
}

static int
random_list(struct program *p, unsigned depth, bool in_loop)
{
   int first = -1, *link = &first;
   unsigned length = 1 + draw(p, depth == 0 ? 14 : 5);
   for (unsigned i = 0; i < length && p->count < MAX_NODES - 8; i++) {
      int n = p->count++;
      struct node *node = &p->nodes[n];
      *node = (struct node){.first = -1, .second = -1, .next = -1};
      *link = n;
      link = &node->next;
      unsigned what = draw(p, 20);
      node->kind = what < 11   ? ASSIGN
                   : what < 13 ? STORE
                   : what < 15 ? LOAD
                   : what < 16 ? UNIFORM
                   : what < 19 ? BRANCH
                               : LOOP;
      if ((node->kind == BRANCH || node->kind == LOOP) && depth >= 4)
         node->kind = ASSIGN;
      node->op = draw(p, OPS);
      node->var = draw(p, VARS);
      node->mask = 1 + draw(p, 15);
      node->count = 1 + draw(p, 4);
      for (unsigned s = 0; s < 3; s++)
         node->src[s] = random_operand(p);
      if (node->kind == BRANCH) {
         int a = random_list(p, depth + 1, in_loop),
             b = draw(p, 2) ? random_list(p, depth + 1, in_loop) : -1;
         node = &p->nodes[n];
         node->first = a;
         node->second = b;
         if (in_loop && draw(p, 2) && p->count < MAX_NODES) {
            /* The branch ends with a jump. */
            int j = p->count++;
            p->nodes[j] = (struct node){
                .kind = draw(p, 2) ? BREAK : CONTINUE, .first = -1, .second = -1, .next = -1};
            int last = a;
            while (p->nodes[last].next >= 0)
               last = p->nodes[last].next;
            p->nodes[last].next = j;
         }
      } else if (node->kind == LOOP) {
         int a = random_list(p, depth + 1, true);
         p->nodes[n].first = a;
      }
      link = &p->nodes[n].next;
   }
   return first;
}

/* --- The interpreter --- */

struct lane {
   float var[VARS][4], array[ELEMENTS][4], input[4];
   const float (*consts)[4];
};

static void
read_operand(const struct lane *l, const struct operand *o, float *out)
{
   for (unsigned c = 0; c < 4; c++) {
      unsigned s = o->swizzle[c];
      float v = o->source < VARS        ? l->var[o->source][s]
                : o->source == VARS     ? l->input[s]
                : o->source == VARS + 1 ? l->consts[5][s]
                                        : o->literal[s];
      v = o->absolute ? fabsf(v) : v;
      out[c] = o->negate ? -v : v;
   }
}

static float
clamp(float v)
{
   return v < -32 ? -32 : v > 32 ? 32 : v;
}

static unsigned
index_of(float v)
{
   v = fabsf(v);
   return v > ELEMENTS - 1 ? ELEMENTS - 1 : (unsigned)v;
}

static float
evaluate(enum op op, const float *a, const float *b, const float *d, unsigned c)
{
   switch (op) {
   case ADD:
      return a[c] + b[c];
   case MUL:
      return a[c] * b[c];
   case MAD:
      return a[c] * b[c] + d[c];
   case MIN:
      return a[c] < b[c] ? a[c] : b[c];
   case MAX:
      return a[c] > b[c] ? a[c] : b[c];
   case LESS:
      return a[c] < b[c];
   case SELECT:
      return a[c] < b[c] ? d[c] : b[c];
   case HALF:
      return floorf(a[c] * 0.5f);
   default:
      return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
   }
}

/* Returns the jump that ends the list, or ASSIGN. */
static enum kind
interpret(const struct program *p, int n, struct lane *l)
{
   for (; n >= 0; n = p->nodes[n].next) {
      const struct node *node = &p->nodes[n];
      float a[4], b[4], d[4];
      read_operand(l, &node->src[0], a);
      read_operand(l, &node->src[1], b);
      read_operand(l, &node->src[2], d);
      enum kind jump = ASSIGN;
      switch (node->kind) {
      case ASSIGN:
      case LOAD:
      case STORE:
      case UNIFORM: {
         float *dst = node->kind == STORE ? l->array[index_of(a[0])] : l->var[node->var];
         for (unsigned c = 0; c < 4; c++) {
            if (!(node->mask & (1u << c)))
               continue;
            dst[c] = node->kind == ASSIGN  ? clamp(evaluate(node->op, a, b, d, c))
                     : node->kind == STORE ? clamp(b[c])
                     : node->kind == LOAD  ? l->array[index_of(a[0])][c]
                                           : l->consts[2 + index_of(a[0])][c];
         }
         break;
      }
      case BRANCH:
         jump = interpret(p, a[0] < b[0] ? node->first : node->second, l);
         break;
      case LOOP:
         for (unsigned i = 0; i < node->count; i++) {
            if (interpret(p, node->first, l) == BREAK)
               break;
         }
         break;
      default:
         return node->kind;
      }
      if (jump != ASSIGN)
         return jump;
   }
   return ASSIGN;
}

/* --- The same program in NIR --- */

struct build {
   struct shader_test *t;
   const struct program *p;
   nir_variable *var[VARS], *array;
   nir_def *input;
};

static nir_def *
build_operand(struct build *u, const struct operand *o)
{
   nir_builder *b = &u->t->b;
   nir_def *v = o->source < VARS    ? nir_load_var(b, u->var[o->source])
                : o->source == VARS ? u->input
                : o->source == VARS + 1
                    ? test_uniform(u->t, 5)
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
build_value(nir_builder *b, enum op op, nir_def *x, nir_def *y, nir_def *z)
{
   switch (op) {
   case ADD:
      return nir_fadd(b, x, y);
   case MUL:
      return nir_fmul(b, x, y);
   case MAD:
      return nir_fadd(b, nir_fmul(b, x, y), z);
   case MIN:
      return nir_fmin(b, x, y);
   case MAX:
      return nir_fmax(b, x, y);
   case LESS:
      return nir_b2f32(b, nir_flt(b, x, y));
   case SELECT:
      return nir_bcsel(b, nir_flt(b, x, y), z, y);
   case HALF:
      return nir_ffloor(b, nir_fmul_imm(b, x, 0.5));
   default:
      return nir_replicate(b, nir_fdot4(b, x, y), 4);
   }
}

static void build_list(struct build *u, int n);

static void
build_loop(struct build *u, const struct node *node)
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
build_node(struct build *u, const struct node *node)
{
   nir_builder *b = &u->t->b;
   if (node->kind == BREAK || node->kind == CONTINUE) {
      nir_jump(b, node->kind == BREAK ? nir_jump_break : nir_jump_continue);
      return;
   }
   if (node->kind == LOOP) {
      build_loop(u, node);
      return;
   }
   nir_def *x = build_operand(u, &node->src[0]), *y = build_operand(u, &node->src[1]),
           *z = build_operand(u, &node->src[2]);
   nir_def *index =
       nir_f2i32(b, nir_fmin(b, nir_fabs(b, nir_channel(b, x, 0)), nir_imm_float(b, ELEMENTS - 1)));
   nir_deref_instr *element = nir_build_deref_array(b, nir_build_deref_var(b, u->array), index);
   switch (node->kind) {
   case ASSIGN:
      nir_store_var(b, u->var[node->var], build_clamp(b, build_value(b, node->op, x, y, z)),
                    node->mask);
      break;
   case STORE:
      nir_store_deref(b, element, build_clamp(b, y), node->mask);
      break;
   case LOAD:
      nir_store_var(b, u->var[node->var], nir_load_deref(b, element), node->mask);
      break;
   case UNIFORM:
      nir_store_var(b, u->var[node->var], test_uniform_indirect(u->t, 2, ELEMENTS, index),
                    node->mask);
      break;
   default:
      nir_push_if(b, nir_flt(b, nir_channel(b, x, 0), nir_channel(b, y, 0)));
      build_list(u, node->first);
      if (node->second >= 0) {
         nir_push_else(b, NULL);
         build_list(u, node->second);
      }
      nir_pop_if(b, NULL);
      break;
   }
}

static void
build_list(struct build *u, int n)
{
   for (; n >= 0; n = u->p->nodes[n].next)
      build_node(u, &u->p->nodes[n]);
}

static void
build_shader(struct build *u, int first)
{
   nir_builder *b = &u->t->b;
   u->input = test_input(u->t, 0);
   u->array =
       nir_local_variable_create(b->impl, glsl_array_type(glsl_vec4_type(), ELEMENTS, 0), "array");
   nir_deref_instr *array = nir_build_deref_var(b, u->array);
   for (unsigned e = 0; e < ELEMENTS; e++)
      nir_store_deref(b, nir_build_deref_array_imm(b, array, e), nir_imm_vec4(b, e, 1, 2, 3), 0xf);
   for (unsigned v = 0; v < VARS; v++) {
      u->var[v] = nir_local_variable_create(b->impl, glsl_vec4_type(), "v");
      nir_store_var(b, u->var[v], nir_imm_vec4(b, v, 1, -2.0, 0), 0xf);
   }
   build_list(u, first);
   for (unsigned v = 0; v < VARS; v++)
      test_output(u->t, v, nir_load_var(b, u->var[v]));
}

static void
init_lane(struct lane *l, const struct shader_test *t, unsigned lane)
{
   memset(l, 0, sizeof(*l));
   l->consts = t->consts;
   for (unsigned v = 0; v < VARS; v++)
      memcpy(l->var[v], (float[4]){v, 1, -2, 0}, sizeof(l->var[v]));
   for (unsigned e = 0; e < ELEMENTS; e++)
      memcpy(l->array[e], (float[4]){e, 1, 2, 3}, sizeof(l->array[e]));
   for (unsigned c = 0; c < 4; c++)
      l->input[c] = (int)((lane * 7 + c * 5) % 13) - 6;
}

static void
check_program(struct program *p, uint32_t seed, uint32_t debug)
{
   p->seed = seed * 2654435761u + 12345;
   p->count = 0;
   int first = random_list(p, 0, false);
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   for (unsigned r = 0; r < 16; r++) {
      for (unsigned c = 0; c < 4; c++)
         t->consts[r][c] = (int)((r * 5 + c * 3) % 11) - 5;
   }
   struct build u = {.t = t, .p = p};
   build_shader(&u, first);
   if (!test_compile(t, debug))
      fail_msg("seed %u: %s", seed, t->error);
   struct lane lanes[EMUL_LANES];
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      init_lane(&lanes[l], t, l);
      for (unsigned c = 0; c < 4 && t->out.num_fs_inputs; c++)
         t->inputs[0].c[c][l] = lanes[l].input[c];
   }
   if (!test_run(t))
      fail_msg("seed %u: does not end", seed);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      interpret(p, first, &lanes[l]);
      for (unsigned v = 0; v < VARS; v++) {
         for (unsigned c = 0; c < 4; c++) {
            if (t->outputs[v].c[c][l] != lanes[l].var[v][c])
               fail_msg("seed %u debug %u: variable %u component %u lane %u is %g, not %g", seed,
                        debug, v, c, l, t->outputs[v].c[c][l], lanes[l].var[v][c]);
         }
      }
   }
   test_end(t);
}

static void
test_random_programs(void **state)
{
   (void)state;
   const char *env = getenv("ATTILA_TEST_SEED");
   struct program *p = malloc(sizeof(*p));
   assert_non_null(p);
   if (env) {
      check_program(p, atoi(env), ATTILA_DEBUG_ISA | ATTILA_DEBUG_NIR | ATTILA_DEBUG_STATS);
   } else {
      const char *seeds = getenv("ATTILA_TEST_SEEDS");
      for (uint32_t seed = 0, last = seeds ? atoi(seeds) : 400; seed < last; seed++) {
         check_program(p, seed, 0);
         check_program(p, seed, ATTILA_DEBUG_NOOPT);
      }
   }
   free(p);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_random_programs),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
