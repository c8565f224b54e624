/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Generator and interpreter of random programs, and the comparison of what the interpreter and the
 * compiled program leave. It never looks at NIR. */
#include "random_program.h"
#include <math.h>

static uint32_t
draw(struct random_program *p, uint32_t below)
{
   p->seed = p->seed * 1664525u + 1013904223u;
   return (p->seed >> 8) % below;
}

static struct random_operand
random_operand(struct random_program *p)
{
   struct random_operand o = {
       .source = draw(p, RANDOM_SOURCES), .negate = draw(p, 4) == 0, .absolute = draw(p, 5) == 0};
   for (unsigned c = 0; c < 4; c++) {
      o.swizzle[c] = draw(p, 2) ? c : draw(p, 4);
      o.literal[c] = (int)draw(p, 9) - 4;
   }
   return o;
}

static struct random_texture
random_texture(struct random_program *p)
{
   static const nir_texop ops[] = {nir_texop_tex, nir_texop_txb, nir_texop_txl, nir_texop_txd};
   struct random_texture t = {.op = ops[draw(p, 4)], .target = draw(p, ATTILA_TEX_BUFFER)};
   if (p->stage == MESA_SHADER_VERTEX)
      t.op = nir_texop_txl;
   t.unit = draw(p, ATTILA_STAGE_TEX_UNITS);
   t.shadow = t.target != ATTILA_TEX_3D && draw(p, 3) == 0;
   bool may_project = t.target == ATTILA_TEX_1D || t.target == ATTILA_TEX_2D ||
                      t.target == ATTILA_TEX_3D || t.target == ATTILA_TEX_RECT;
   t.project = may_project && draw(p, 3) == 0;
   return t;
}

static enum random_kind
random_kind(struct random_program *p, unsigned depth)
{
   static const enum random_kind kinds[] = {
       RANDOM_ASSIGN, RANDOM_ASSIGN, RANDOM_ASSIGN,  RANDOM_ASSIGN,    RANDOM_ASSIGN, RANDOM_ASSIGN,
       RANDOM_ASSIGN, RANDOM_ASSIGN, RANDOM_ASSIGN,  RANDOM_ASSIGN,    RANDOM_STORE,  RANDOM_STORE,
       RANDOM_LOAD,   RANDOM_LOAD,   RANDOM_UNIFORM, RANDOM_TEXTURE,   RANDOM_KILL,   RANDOM_BRANCH,
       RANDOM_BRANCH, RANDOM_BRANCH, RANDOM_LOOP,    RANDOM_DERIVATIVE};
   enum random_kind kind = kinds[draw(p, ARRAY_SIZE(kinds))];
   bool fragment = p->stage == MESA_SHADER_FRAGMENT;
   if (((kind == RANDOM_BRANCH || kind == RANDOM_LOOP) && depth >= 4) ||
       (kind == RANDOM_DERIVATIVE && (depth > 0 || !fragment)) ||
       (kind == RANDOM_KILL && !fragment))
      kind = RANDOM_ASSIGN;
   return kind;
}

static int random_list(struct random_program *p, unsigned depth, bool in_loop);

/* Makes the arms of a branch, of which one may end with a jump, or the body of a loop. */
static void
random_inside(struct random_program *p, int n, unsigned depth, bool in_loop)
{
   if (p->nodes[n].kind == RANDOM_LOOP)
      p->nodes[n].first = random_list(p, depth + 1, true);
   if (p->nodes[n].kind != RANDOM_BRANCH)
      return;
   int a = random_list(p, depth + 1, in_loop);
   int b = draw(p, 2) ? random_list(p, depth + 1, in_loop) : -1;
   p->nodes[n].first = a;
   p->nodes[n].second = b;
   if (!in_loop || !draw(p, 2) || p->count == RANDOM_MAX_NODES)
      return;
   int j = p->count++;
   p->nodes[j] = (struct random_node){
       .kind = draw(p, 2) ? RANDOM_BREAK : RANDOM_CONTINUE, .first = -1, .second = -1, .next = -1};
   int last = a;
   while (p->nodes[last].next >= 0)
      last = p->nodes[last].next;
   p->nodes[last].next = j;
}

static int
random_list(struct random_program *p, unsigned depth, bool in_loop)
{
   int first = -1, *link = &first;
   unsigned length = 1 + draw(p, depth == 0 ? 14 : 5);
   for (unsigned i = 0; i < length && p->count < RANDOM_MAX_NODES - 8; i++) {
      int n = p->count++;
      struct random_node *node = &p->nodes[n];
      *node = (struct random_node){.first = -1, .second = -1, .next = -1};
      *link = n;
      node->kind = random_kind(p, depth);
      node->op = draw(p, RANDOM_OPS);
      node->var = draw(p, RANDOM_VARS);
      node->mask = 1 + draw(p, 15);
      node->count = 1 + draw(p, 4);
      node->vertical = draw(p, 2);
      node->tex = random_texture(p);
      for (unsigned s = 0; s < 3; s++)
         node->src[s] = random_operand(p);
      random_inside(p, n, depth, in_loop);
      link = &node->next;
   }
   return first;
}

void
random_program_make(struct random_program *p, gl_shader_stage stage, uint32_t seed)
{
   p->stage = stage;
   p->seed = seed * 2654435761u + 12345 + stage;
   p->count = 0;
   p->first = random_list(p, 0, false);
}

void
random_program_constants(struct shader_test *t)
{
   for (unsigned r = 0; r < 16; r++) {
      for (unsigned c = 0; c < 4; c++)
         t->consts[r][c] = (int)((r * 5 + c * 3) % 11) - 5;
   }
}

/* --- The interpreter --- */

static void
read_operand(const struct random_lane *l, const struct random_operand *o, float *out)
{
   for (unsigned c = 0; c < 4; c++) {
      unsigned s = o->swizzle[c];
      float v = o->source < RANDOM_VARS        ? l->var[o->source][s]
                : o->source == RANDOM_INPUT    ? l->input[s]
                : o->source == RANDOM_CONSTANT ? l->consts[RANDOM_CONST][s]
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
   return v > RANDOM_ELEMENTS - 1 ? RANDOM_ELEMENTS - 1 : (unsigned)v;
}

static float
evaluate(enum random_op op, const float *a, const float *b, const float *d, unsigned c)
{
   float sum = a[c] + b[c];
   switch (op) {
   case RANDOM_ADD:
      return sum;
   case RANDOM_MUL:
      return a[c] * b[c];
   case RANDOM_MAD:
      return a[c] * b[c] + d[c];
   case RANDOM_MIN:
      return a[c] < b[c] ? a[c] : b[c];
   case RANDOM_MAX:
      return a[c] > b[c] ? a[c] : b[c];
   case RANDOM_LESS:
      return a[c] < b[c];
   case RANDOM_SELECT:
      return a[c] < b[c] ? d[c] : b[c];
   case RANDOM_HALF:
      return floorf(a[c] * 0.5f);
   case RANDOM_SATURATE:
      return sum < 0 ? 0 : sum > 1 ? 1 : sum;
   case RANDOM_SIGN:
      return (a[c] > 0) - (a[c] < 0);
   case RANDOM_EQUAL:
      return (a[c] == b[c]) != (d[c] < 0);
   case RANDOM_SELECT_POSITIVE:
      return a[c] >= 0 ? b[c] : d[c];
   case RANDOM_ALL_EQUAL:
      return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
   case RANDOM_DIVIDE:
      return b[c] == 0 ? 0 : (int)a[c] / (int)b[c];
   case RANDOM_MODULO:
      return b[c] == 0 ? 0 : (int)a[c] % (int)b[c];
   default:
      return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
   }
}

/* A request to a texture unit, in OpenGL's order: coordinates, reference, level of detail or bias,
 * derivatives. What a request lacks is 0. */
struct question {
   float coord[3], ref, lod, ddx[3], ddy[3];
   unsigned op, unit, target;
};

/* The texture of the test: every part of a request changes the result. */
static float
answer(const struct question *q, unsigned c)
{
   float v = 0;
   switch (c) {
   case 0:
      v = q->coord[0] + 2 * q->coord[1] - q->coord[2] + q->unit;
      break;
   case 1:
      v = 3 * q->ref + q->coord[0] - q->target;
      break;
   case 2:
      /* NIR makes a TEX of a TXB whose bias is the constant 0. */
      v = 2 * q->lod - q->coord[1] + (q->op == 1 && q->lod == 0 ? 0 : q->op);
      break;
   default:
      for (unsigned i = 0; i < 3; i++)
         v += (i + 1) * q->ddx[i] - (i + 2) * q->ddy[i];
      break;
   }
   return clamp(floorf(v));
}

static unsigned
num_coordinates(unsigned target)
{
   static const uint8_t count[ATTILA_NUM_TEX_TARGETS] = {
       [ATTILA_TEX_1D] = 1,       [ATTILA_TEX_2D] = 2,   [ATTILA_TEX_3D] = 3,
       [ATTILA_TEX_CUBE] = 3,     [ATTILA_TEX_RECT] = 2, [ATTILA_TEX_2D_ARRAY] = 3,
       [ATTILA_TEX_1D_ARRAY] = 2,
   };
   return count[target];
}

static bool
is_array(unsigned target)
{
   return target == ATTILA_TEX_1D_ARRAY || target == ATTILA_TEX_2D_ARRAY;
}

/* The first operand has the coordinates; the second one has the reference (x), the level of detail
 * (y) and the projector (z: 2 or 1); the third one has the derivatives. */
static void
sample(const struct random_program *p, const struct random_texture *t, const float *a,
       const float *b, const float *d, float *texel)
{
   static const uint8_t ops[] = {
       [nir_texop_tex] = 0, [nir_texop_txb] = 1, [nir_texop_txl] = 2, [nir_texop_txd] = 3};
   unsigned n = num_coordinates(t->target);
   float w = t->project && b[2] > 0 ? 2 : 1;
   struct question q = {.op = ops[t->op], .target = t->target};
   q.unit = t->unit + attila_first_tex_unit(p->stage == MESA_SHADER_VERTEX ? ATTILA_STAGE_VERTEX
                                                                           : ATTILA_STAGE_FRAGMENT);
   for (unsigned i = 0; i < n; i++)
      q.coord[i] = a[i] / w;
   if (t->shadow)
      q.ref = b[0] / w;
   if (t->op == nir_texop_txb || t->op == nir_texop_txl)
      q.lod = b[1];
   for (unsigned i = 0; t->op == nir_texop_txd && i < n - is_array(t->target); i++) {
      q.ddx[i] = d[i];
      q.ddy[i] = -d[3 - i];
   }
   for (unsigned c = 0; c < 4; c++)
      texel[c] = answer(&q, c);
}

static void
assign(const struct random_program *p, const struct random_node *node, struct random_lane *l,
       const float *a, const float *b, const float *d)
{
   float texel[4], *dst = l->var[node->var];
   if (node->kind == RANDOM_STORE)
      dst = l->array[index_of(a[0])];
   if (node->kind == RANDOM_TEXTURE)
      sample(p, &node->tex, a, b, d, texel);
   for (unsigned c = 0; c < 4; c++) {
      if (!(node->mask & (1u << c)))
         continue;
      dst[c] = node->kind == RANDOM_ASSIGN    ? clamp(evaluate(node->op, a, b, d, c))
               : node->kind == RANDOM_STORE   ? b[c]
               : node->kind == RANDOM_LOAD    ? l->array[index_of(a[0])][c]
               : node->kind == RANDOM_TEXTURE ? texel[c]
                                              : l->consts[RANDOM_FIRST_INDEX + index_of(a[0])][c];
   }
}

static enum random_kind interpret_list(const struct random_program *p, int n,
                                       struct random_lane *l);

/* Returns the jump that ends the list the node is in, or RANDOM_ASSIGN. */
static enum random_kind
interpret_node(const struct random_program *p, const struct random_node *node,
               struct random_lane *l)
{
   float a[4], b[4], d[4];
   read_operand(l, &node->src[0], a);
   read_operand(l, &node->src[1], b);
   read_operand(l, &node->src[2], d);
   switch (node->kind) {
   case RANDOM_BRANCH:
      return interpret_list(p, a[0] < b[0] ? node->first : node->second, l);
   case RANDOM_LOOP:
      for (unsigned i = 0; i < node->count; i++) {
         if (interpret_list(p, node->first, l) == RANDOM_BREAK)
            break;
      }
      return RANDOM_ASSIGN;
   case RANDOM_KILL:
      l->killed |= node->vertical ? a[0] < 0 : a[0] < b[0];
      return RANDOM_ASSIGN;
   case RANDOM_BREAK:
   case RANDOM_CONTINUE:
      return node->kind;
   default:
      assign(p, node, l, a, b, d);
      return RANDOM_ASSIGN;
   }
}

static enum random_kind
interpret_list(const struct random_program *p, int n, struct random_lane *l)
{
   enum random_kind jump = RANDOM_ASSIGN;
   for (; n >= 0 && jump == RANDOM_ASSIGN; n = p->nodes[n].next)
      jump = interpret_node(p, &p->nodes[n], l);
   return jump;
}

/* Returns a derivative in the quad: lower right minus lower left pixel, or lower left minus upper
 * left. */
static void
differentiate(const struct random_node *node, struct random_lane *lanes)
{
   float value[EMUL_LANES][4];
   for (unsigned l = 0; l < EMUL_LANES; l++)
      read_operand(&lanes[l], &node->src[0], value[l]);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      unsigned quad = l & ~3u, plus = quad + (node->vertical ? 2 : 3),
               minus = quad + (node->vertical ? 0 : 2);
      for (unsigned c = 0; c < 4; c++) {
         if (node->mask & (1u << c))
            lanes[l].var[node->var][c] = clamp(value[plus][c] - value[minus][c]);
      }
   }
}

void
random_program_interpret(const struct random_program *p, struct random_lane *lanes)
{
   for (int n = p->first; n >= 0; n = p->nodes[n].next) {
      const struct random_node *node = &p->nodes[n];
      if (node->kind == RANDOM_DERIVATIVE) {
         differentiate(node, lanes);
         continue;
      }
      for (unsigned l = 0; l < EMUL_LANES; l++)
         interpret_node(p, node, &lanes[l]);
   }
}

void
random_program_start(struct random_lane *l, const struct shader_test *t, unsigned lane)
{
   memset(l, 0, sizeof(*l));
   l->consts = t->consts;
   for (unsigned v = 0; v < RANDOM_VARS; v++)
      memcpy(l->var[v], (float[4]){v, 1, -2, 0}, sizeof(l->var[v]));
   for (unsigned e = 0; e < RANDOM_ELEMENTS; e++)
      memcpy(l->array[e], (float[4]){e, 1, 2, 3}, sizeof(l->array[e]));
   for (unsigned c = 0; c < 4; c++)
      l->input[c] = (int)((lane * 7 + c * 5) % 13) - 6;
}

/* --- The compiled program --- */

static void
answer_request(void *user, const struct emul_tex_request *r, struct emul_vec4 *texel)
{
   static const uint8_t ops[ATTILA_NUM_OPS] = {[ATTILA_OP_TEX] = 0,
                                               [ATTILA_OP_TXP] = 0,
                                               [ATTILA_OP_TXB] = 1,
                                               [ATTILA_OP_TXL] = 2,
                                               [ATTILA_OP_TXD] = 3};
   (void)user;
   unsigned n = num_coordinates(r->target);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      struct question q = {.op = ops[r->op], .unit = r->unit, .target = r->target};
      for (unsigned i = 0; i < n; i++)
         q.coord[i] = r->coord[i][l];
      q.ref = r->shadow ? r->ref[l] : 0;
      q.lod = r->op == ATTILA_OP_TXB || r->op == ATTILA_OP_TXL ? r->lod[l] : 0;
      for (unsigned i = 0; r->op == ATTILA_OP_TXD && i < n - is_array(r->target); i++) {
         q.ddx[i] = r->ddx[i][l];
         q.ddy[i] = r->ddy[i][l];
      }
      for (unsigned c = 0; c < 4; c++) {
         if (!(r->unread >> c & 1))
            texel->c[c][l] = answer(&q, c);
      }
   }
}

const char *
random_program_run(const struct random_program *p, struct shader_test *t,
                   const struct random_lane *lanes)
{
   static char message[160];
   struct emul_vec4 *input = test_find_input(t, 0);
   for (unsigned l = 0; input && l < EMUL_LANES; l++) {
      for (unsigned c = 0; c < 4; c++)
         input->c[c][l] = lanes[l].input[c];
   }
   t->sample = answer_request;
   if (!test_run(t))
      return "it does not end";
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      if ((t->killed >> l & 1) != lanes[l].killed) {
         snprintf(message, sizeof(message), "lane %u is %skilled", l,
                  lanes[l].killed ? "not " : "");
         return message;
      }
      for (unsigned i = 0; i < RANDOM_VARS * 4 && !lanes[l].killed; i++) {
         float got = test_output_reg(t, i / 4)->c[i % 4][l], want = lanes[l].var[i / 4][i % 4];
         if (got != want) {
            snprintf(message, sizeof(message), "variable %u.%c of lane %u is %g, not %g", i / 4,
                     "xyzw"[i % 4], l, got, want);
            return message;
         }
      }
   }
   return NULL;
}
