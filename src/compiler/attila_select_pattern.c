/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Selection of LIT, DST, XPD, EXP and LOG, which Mesa lowers to simpler operations. They are
 * recognised before selection; operations that only they need become dead code. Where such an
 * instruction gives the same bits as what it replaces, the machine's table decides which is faster.
 * Full LIT (exponent up to 127.996, as ARB programs allow) and LOG (more exact than its parts) are
 * always chosen, so that no pixel depends on the machine. */
#include <math.h>
#include "attila_nir.h"
#include "util/ralloc.h"

/* LIT clamps its exponent to this. */
#define LIT_LIMIT 127.99609375

/* An instruction that is selected in place of a NIR instruction (root), and the values of its
 * components. */
struct attila_pattern {
   uint8_t op;
   nir_scalar x, y, w; /* LIT: components of its operand; EXP, LOG: x */
   bool one;           /* LIT: x is 1 */
   nir_def *a, *b;     /* DST, XPD: operands ... */
   uint8_t swizzle_a[4], swizzle_b[4];
   nir_def *result[4]; /* one component each; NULL: unused */
};

static nir_scalar
attila_select_pattern_chase(nir_alu_instr *alu, unsigned src, unsigned channel)
{
   nir_scalar s = {alu->src[src].src.ssa, alu->src[src].swizzle[channel]};
   return nir_scalar_chase_movs(s);
}

static bool
attila_select_pattern_same(nir_scalar a, nir_scalar b)
{
   return a.def == b.def && a.comp == b.comp;
}

static bool
attila_select_pattern_used_once(const nir_def *def)
{
   return list_is_singular(&def->uses);
}

/* Returns whether a scalar is the result of an operation on this constant and another operand;
 * finds the other operand. */
static bool
attila_select_pattern_is_with(nir_scalar s, nir_op op, double value, nir_scalar *other)
{
   for (unsigned i = 0; attila_scalar_is(s, op) && i < 2; i++) {
      if (attila_scalar_is_float(attila_scalar_operand(s, i), value)) {
         *other = attila_scalar_operand(s, 1 - i);
         return true;
      }
   }
   return false;
}

/* --- What it costs --- */

/* Returns the half cycles of the ALUs that an instruction takes. A scalar instruction on a machine
 * with dual issue takes half, as it is seldom alone. */
static unsigned
attila_select_pattern_cost(const struct attila_select *e, unsigned op, uint8_t mask)
{
   const struct attila_shader_machine *m = e->ir->machine;
   struct attila_isa_instr in = {.op = op, .dst = {.write_mask = mask}};
   unsigned steps = m->alu == ATTILA_ALU_SCALAR ? attila_isa_scalar_steps(&in) : 1;
   unsigned cycles = MAX2(m->fetch_gap, steps * m->vector * m->repeat[op]);
   bool joins = m->ways > 1 && m->alu == ATTILA_ALU_SIMD_SCALAR && attila_isa_is_scalar(&in);
   return joins ? cycles : 2 * cycles;
}

/* Returns the cost of bringing a value into a component of an operand: 0 if it can be computed
 * there. */
static unsigned
attila_select_pattern_move_cost(const struct attila_select *e, nir_scalar s)
{
   bool there =
       nir_scalar_is_alu(s) && s.def->num_components == 1 && attila_select_pattern_used_once(s.def);
   return there ? 0 : attila_select_pattern_cost(e, ATTILA_OP_MOV, 1);
}

/* Returns the cost of using a result in the component where the instruction leaves it: a use in
 * another component needs a copy. */
static unsigned
attila_select_pattern_result_cost(const struct attila_select *e, const nir_def *def)
{
   nir_foreach_use_including_if(src, def)
   {
      const nir_instr *user = nir_src_is_if(src) ? NULL : nir_src_parent_instr(src);
      if (user && user->type == nir_instr_type_intrinsic)
         return attila_select_pattern_cost(e, ATTILA_OP_MOV, 1);
      if (!user || user->type != nir_instr_type_alu)
         continue;
      nir_op op = nir_instr_as_alu((nir_instr *)user)->op;
      if (op == nir_op_mov || nir_op_is_vec(op))
         return attila_select_pattern_cost(e, ATTILA_OP_MOV, 1);
   }
   return 0;
}

static bool
attila_select_pattern_is_faster(const struct attila_select *e, unsigned after, unsigned before)
{
   return !e->ir->ignore_machine && after < before;
}

/* --- LIT --- */

/* Matches a base that is not negative; if it is max(x, 0), finds x. */
static bool
attila_select_pattern_power_base(nir_scalar s, nir_scalar *base, bool *folded)
{
   *folded = attila_select_pattern_is_with(s, nir_op_fmax, 0.0, base);
   if (*folded)
      return true;
   *base = s;
   if (attila_scalar_is(s, nir_op_fsat))
      return true;
   for (unsigned i = 0; attila_scalar_is(s, nir_op_fmax) && i < 2; i++) {
      nir_scalar least = attila_scalar_operand(s, i);
      if (nir_scalar_is_const(least) && nir_scalar_as_float(least) > 0.0)
         return true;
   }
   return false;
}

/* Matches max(min(w, 128), -128), in either order. */
static bool
attila_select_pattern_clamped_exponent(nir_scalar s, nir_scalar *w)
{
   nir_scalar inner;
   if (attila_select_pattern_is_with(s, nir_op_fmax, -128.0, &inner))
      return attila_select_pattern_is_with(inner, nir_op_fmin, 128.0, w);
   return attila_select_pattern_is_with(s, nir_op_fmin, 128.0, &inner) &&
          attila_select_pattern_is_with(inner, nir_op_fmax, -128.0, w);
}

static bool
attila_select_pattern_is_short_exponent(nir_scalar s)
{
   return nir_scalar_is_const(s) && fabs(nir_scalar_as_float(s)) <= LIT_LIMIT &&
          nir_scalar_as_float(s) != 0.0;
}

/* Matches x > 0 ? value : 0 in its forms at this stage. */
static bool
attila_select_pattern_match_if_positive(nir_alu_instr *alu, nir_scalar *x, nir_scalar *value)
{
   if (alu->op != nir_op_fcsel && alu->op != nir_op_fcsel_gt && alu->op != nir_op_fcsel_ge)
      return false;
   nir_scalar a = attila_select_pattern_chase(alu, 0, 0),
              b = attila_select_pattern_chase(alu, 1, 0),
              c = attila_select_pattern_chase(alu, 2, 0);
   bool then = attila_scalar_is_float(c, 0.0), otherwise = attila_scalar_is_float(b, 0.0);
   *value = then ? b : c;
   if (alu->op == nir_op_fcsel_gt) {
      *x = a;
      return then;
   }
   if (alu->op == nir_op_fcsel_ge) {
      *x = attila_scalar_is(a, nir_op_fneg) ? attila_scalar_operand(a, 0) : a;
      return otherwise && attila_scalar_is(a, nir_op_fneg);
   }
   bool less = attila_scalar_is(a, nir_op_slt) && then,
        not_less = attila_scalar_is(a, nir_op_sge) && otherwise;
   if ((!less && !not_less) || !attila_scalar_is_float(attila_scalar_operand(a, 0), 0.0))
      return false;
   *x = attila_scalar_operand(a, 1);
   return true;
}

/* Returns whether all reads of a value come after an instruction. */
static bool
attila_select_pattern_is_read_behind(const nir_def *def, const nir_instr *instr)
{
   nir_foreach_use_including_if(src, def)
   {
      if (nir_src_is_if(src) || nir_src_parent_instr(src)->index <= instr->index)
         return false;
   }
   return true;
}

/* Finds max(x, 0) in the same block, which LIT gives for free. */
static void
attila_select_pattern_find_diffuse(struct attila_pattern *p, nir_instr *root)
{
   nir_foreach_use(src, p->x.def)
   {
      nir_instr *user = nir_src_parent_instr(src);
      nir_scalar x;
      if (user->type != nir_instr_type_alu || user->block != root->block || user->pass_flags)
         continue;
      nir_alu_instr *max = nir_instr_as_alu(user);
      if (max->def.num_components != 1 ||
          !attila_select_pattern_is_with((nir_scalar){&max->def, 0}, nir_op_fmax, 0.0, &x) ||
          !attila_select_pattern_same(x, p->x) ||
          !attila_select_pattern_is_read_behind(&max->def, root))
         continue;
      p->result[1] = &max->def;
      user->pass_flags = 1;
      return;
   }
}

static bool
attila_select_pattern_match_lit(struct attila_select *e, nir_alu_instr *alu,
                                struct attila_pattern *p)
{
   nir_scalar power;
   bool folded;
   *p = (struct attila_pattern){.op = ATTILA_OP_LIT};
   p->result[2] = &alu->def;
   if (alu->def.num_components != 1)
      return false;
   if (attila_select_pattern_match_if_positive(alu, &p->x, &power)) {
      if (e->ir->ignore_machine || !attila_scalar_is(power, nir_op_fpow) ||
          !attila_select_pattern_power_base(attila_scalar_operand(power, 0), &p->y, &folded))
         return false;
      if (!attila_select_pattern_clamped_exponent(attila_scalar_operand(power, 1), &p->w)) {
         p->w = attila_scalar_operand(power, 1);
         if (!attila_select_pattern_is_short_exponent(p->w))
            return false;
      }
      attila_select_pattern_find_diffuse(p, &alu->instr);
      return true;
   }
   if (alu->op != nir_op_fpow ||
       !attila_select_pattern_is_short_exponent(attila_select_pattern_chase(alu, 1, 0)) ||
       !attila_select_pattern_power_base(attila_select_pattern_chase(alu, 0, 0), &p->y, &folded))
      return false;
   p->one = true;
   p->w = attila_select_pattern_chase(alu, 1, 0);
   unsigned before = attila_select_pattern_cost(e, ATTILA_OP_POW, 1),
            after = attila_select_pattern_cost(e, ATTILA_OP_LIT, 4) +
                    attila_select_pattern_cost(e, ATTILA_OP_MOV, 9) +
                    attila_select_pattern_move_cost(e, p->y) +
                    attila_select_pattern_result_cost(e, &alu->def);
   if (folded && attila_select_pattern_used_once(alu->src[0].src.ssa))
      before += attila_select_pattern_cost(e, ATTILA_OP_MAX, 1);
   return attila_select_pattern_is_faster(e, after, before);
}

static void
attila_select_pattern_emit_lit(struct attila_select *e, const struct attila_pattern *p)
{
   unsigned operand = air_new_vreg(e->ir, true), result = air_new_vreg(e->ir, true);
   const nir_scalar parts[4] = {p->x, p->y, {0}, p->w};
   uint8_t constant = 0, written = 0;
   float values[4] = {1, 1, 1, 1};
   for (unsigned c = 0; c < 4; c++) {
      if (c == 2)
         continue;
      bool is_one = c == 0 && p->one;
      if (is_one || nir_scalar_is_const(parts[c])) {
         values[c] = is_one ? 1.0f : nir_scalar_as_float(parts[c]);
         constant |= 1u << c;
         continue;
      }
      struct attila_isa_src src = attila_select_scalars(e, &parts[c], 1);
      attila_select_op(e, ATTILA_OP_MOV, operand, 1u << c)->src[0] = attila_replicate(src, 0);
   }
   if (constant) {
      struct attila_isa_src src = air_literal(e->ir, values, 4);
      attila_select_op(e, ATTILA_OP_MOV, operand, constant)->src[0] = src;
   }
   for (unsigned c = 0; c < 4; c++)
      written |= p->result[c] ? 1u << c : 0;
   attila_select_op(e, ATTILA_OP_LIT, result, written)->src[0] = attila_temp(operand);
   for (unsigned c = 0; c < 4; c++) {
      if (p->result[c])
         attila_select_op(e, ATTILA_OP_MOV, attila_select_def(e, p->result[c]), 1)->src[0] =
             attila_replicate(attila_temp(result), c);
   }
}

/* --- XPD --- */

/* Matches the scalars of an operand, in order, as a swizzle of one value. */
static bool
attila_select_pattern_one_value(const nir_scalar *s, nir_def **def, uint8_t *swizzle)
{
   *def = s[0].def;
   for (unsigned c = 0; c < 3; c++) {
      if (s[c].def != *def)
         return false;
      swizzle[c] = s[c].comp;
   }
   return true;
}

static nir_scalar
attila_select_pattern_without_sign(nir_scalar s, bool *negative)
{
   if (!attila_scalar_is(s, nir_op_fneg))
      return s;
   *negative = !*negative;
   return attila_scalar_operand(s, 0);
}

struct product {
   nir_scalar a, b;
   bool negative;
};

static struct product
attila_select_pattern_make_product(nir_scalar a, nir_scalar b, bool negative)
{
   struct product p = {.negative = negative};
   p.a = attila_select_pattern_without_sign(a, &p.negative);
   p.b = attila_select_pattern_without_sign(b, &p.negative);
   return p;
}

/* Finds the two products whose difference a channel of MUL and MAD is, the positive one first. */
static bool
attila_select_pattern_two_products(nir_alu_instr *alu, unsigned channel, struct product *positive,
                                   struct product *negative)
{
   bool sign = false;
   nir_scalar sum = attila_select_pattern_chase(alu, 2, channel),
              mul = attila_select_pattern_without_sign(sum, &sign);
   if (!attila_scalar_is(mul, nir_op_fmul) || !attila_select_pattern_used_once(sum.def) ||
       !attila_select_pattern_used_once(mul.def))
      return false;
   *positive =
       attila_select_pattern_make_product(attila_select_pattern_chase(alu, 0, channel),
                                          attila_select_pattern_chase(alu, 1, channel), false);
   *negative = attila_select_pattern_make_product(attila_scalar_operand(mul, 0),
                                                  attila_scalar_operand(mul, 1), sign);
   if (positive->negative) {
      struct product p = *positive;
      *positive = *negative;
      *negative = p;
   }
   return !positive->negative && negative->negative;
}

/* Matches a.yzx * b.zxy - a.zxy * b.yzx as MUL and MAD. */
static bool
attila_select_pattern_match_xpd(struct attila_select *e, nir_alu_instr *alu,
                                struct attila_pattern *p)
{
   struct product positive[3], negative[3];
   if (alu->op != nir_op_ffma || alu->def.num_components != 3)
      return false;
   for (unsigned c = 0; c < 3; c++) {
      if (!attila_select_pattern_two_products(alu, c, &positive[c], &negative[c]))
         return false;
   }
   for (unsigned swap = 0; swap < 2; swap++) {
      nir_scalar a[3], b[3];
      bool match = true;
      for (unsigned c = 0; c < 3; c++) {
         a[(c + 1) % 3] = swap ? positive[c].b : positive[c].a;
         b[(c + 2) % 3] = swap ? positive[c].a : positive[c].b;
      }
      for (unsigned c = 0; c < 3; c++) {
         nir_scalar f = negative[c].a, g = negative[c].b, x = a[(c + 2) % 3], y = b[(c + 1) % 3];
         match &= (attila_select_pattern_same(f, x) && attila_select_pattern_same(g, y)) ||
                  (attila_select_pattern_same(f, y) && attila_select_pattern_same(g, x));
      }
      *p = (struct attila_pattern){.op = ATTILA_OP_XPD};
      if (match && attila_select_pattern_one_value(a, &p->a, p->swizzle_a) &&
          attila_select_pattern_one_value(b, &p->b, p->swizzle_b))
         return attila_select_pattern_is_faster(
             e, attila_select_pattern_cost(e, ATTILA_OP_XPD, 7),
             attila_select_pattern_cost(e, ATTILA_OP_MUL, 7) +
                 attila_select_pattern_cost(e, ATTILA_OP_MAD, 7));
   }
   return false;
}

/* --- DST --- */

static bool
attila_select_pattern_same_or_constants(nir_scalar a, nir_scalar b)
{
   return a.def == b.def || (nir_scalar_is_const(a) && nir_scalar_is_const(b));
}

/* Matches (1, a.y * b.y, a.z, b.w). */
static bool
attila_select_pattern_match_dst(struct attila_select *e, nir_alu_instr *alu,
                                struct attila_pattern *p)
{
   if (alu->op != nir_op_vec4 ||
       !attila_scalar_is_float(attila_select_pattern_chase(alu, 0, 0), 1.0))
      return false;
   nir_scalar product = attila_select_pattern_chase(alu, 1, 0),
              z = attila_select_pattern_chase(alu, 2, 0),
              w = attila_select_pattern_chase(alu, 3, 0);
   if (!nir_scalar_is_alu(product) || nir_scalar_alu_op(product) != nir_op_fmul ||
       !attila_select_pattern_used_once(product.def) || product.def->num_components != 1)
      return false;
   nir_alu_instr *mul = nir_instr_as_alu(product.def->parent_instr);
   for (unsigned swap = 0; swap < 2; swap++) {
      nir_scalar a = attila_select_pattern_chase(mul, swap, 0),
                 b = attila_select_pattern_chase(mul, 1 - swap, 0);
      /* Literals are combined elsewhere. */
      if (!attila_select_pattern_same_or_constants(a, z) ||
          !attila_select_pattern_same_or_constants(b, w) || nir_scalar_is_const(a) ||
          nir_scalar_is_const(b))
         continue;
      *p = (struct attila_pattern){.op = ATTILA_OP_DST, .a = a.def, .b = b.def};
      p->swizzle_a[0] = p->swizzle_a[1] = a.comp;
      p->swizzle_a[2] = p->swizzle_a[3] = z.comp;
      p->swizzle_b[0] = p->swizzle_b[1] = p->swizzle_b[2] = b.comp;
      p->swizzle_b[3] = w.comp;
      unsigned moves =
          attila_select_pattern_move_cost(e, z) +
          (attila_select_pattern_same(z, w) ? 0 : attila_select_pattern_move_cost(e, w));
      return attila_select_pattern_is_faster(e, attila_select_pattern_cost(e, ATTILA_OP_DST, 15),
                                             attila_select_pattern_cost(e, ATTILA_OP_MOV, 1) +
                                                 attila_select_pattern_cost(e, ATTILA_OP_MUL, 1) +
                                                 moves);
   }
   return false;
}

static void
attila_select_pattern_emit_two_operands(struct attila_select *e, const struct attila_pattern *p,
                                        nir_alu_instr *root)
{
   unsigned count = p->op == ATTILA_OP_XPD ? 3 : 4;
   struct attila_isa_src a = attila_select_channels(e, p->a, p->swizzle_a, count),
                         b = attila_select_channels(e, p->b, p->swizzle_b, count);
   struct attila_isa_instr *in =
       attila_select_op(e, p->op, attila_select_def(e, &root->def), (1u << count) - 1);
   in->src[0] = a;
   in->src[1] = b;
}

/* --- EXP and LOG --- */

/* Returns which component of the result of EXP x a value is, or -1; sets *x. */
static int
attila_select_pattern_component_of_exp(nir_alu_instr *alu, nir_scalar *x)
{
   if (alu->def.num_components != 1)
      return -1;
   *x = attila_select_pattern_chase(alu, 0, 0);
   for (unsigned i = 0; alu->op == nir_op_fadd && i < 2; i++) {
      nir_scalar floor = attila_select_pattern_chase(alu, 1 - i, 0);
      *x = attila_select_pattern_chase(alu, i, 0);
      if (attila_scalar_is(floor, nir_op_fneg) &&
          attila_scalar_is(attila_scalar_operand(floor, 0), nir_op_ffloor) &&
          attila_select_pattern_same(attila_scalar_operand(attila_scalar_operand(floor, 0), 0), *x))
         return 1;
   }
   if (alu->op == nir_op_ffract)
      return 1;
   if (alu->op != nir_op_fexp2)
      return -1;
   bool floor = attila_scalar_is(*x, nir_op_ffloor);
   if (floor)
      *x = attila_scalar_operand(*x, 0);
   return floor ? 0 : 2;
}

/* Matches 2^-f or 1 / 2^f, f being floor of *log, a log2. */
static bool
attila_select_pattern_is_scale(nir_scalar s, nir_scalar *log)
{
   nir_scalar f = s;
   if (attila_scalar_is(s, nir_op_frcp) &&
       attila_scalar_is(attila_scalar_operand(s, 0), nir_op_fexp2))
      f = attila_scalar_operand(attila_scalar_operand(s, 0), 0);
   else if (attila_scalar_is(s, nir_op_fexp2) &&
            attila_scalar_is(attila_scalar_operand(s, 0), nir_op_fneg))
      f = attila_scalar_operand(attila_scalar_operand(s, 0), 0);
   else
      return false;
   if (!attila_scalar_is(f, nir_op_ffloor) ||
       !attila_scalar_is(attila_scalar_operand(f, 0), nir_op_flog2))
      return false;
   *log = attila_scalar_operand(f, 0);
   return true;
}

/* Returns which component of the result of LOG x a value is, or -1; component z is log2 |x|. */
static int
attila_select_pattern_component_of_log(nir_alu_instr *alu, nir_scalar *x)
{
   nir_scalar s = {&alu->def, 0}, log;
   int component = -1;
   if (alu->def.num_components != 1)
      return -1;
   if (alu->op == nir_op_flog2) {
      log = s;
      component = 2;
   } else if (alu->op == nir_op_ffloor &&
              attila_scalar_is(attila_scalar_operand(s, 0), nir_op_flog2)) {
      log = attila_scalar_operand(s, 0);
      component = 0;
   }
   for (unsigned i = 0; alu->op == nir_op_fmul && component < 0 && i < 2; i++) {
      if (attila_select_pattern_is_scale(attila_scalar_operand(s, i), &log) &&
          attila_select_pattern_same(attila_scalar_operand(log, 0),
                                     attila_scalar_operand(s, 1 - i)))
         component = 1;
   }
   if (component < 0 || !attila_scalar_is(attila_scalar_operand(log, 0), nir_op_fabs))
      return -1;
   *x = attila_scalar_operand(attila_scalar_operand(log, 0), 0);
   return component;
}

/* Matches the components of EXP or LOG of one x in a block, from the first on. */
static bool
attila_select_pattern_match_exp_log(struct attila_select *e, nir_alu_instr *alu,
                                    struct attila_pattern *p, unsigned op)
{
   static const uint8_t parts_of_exp[3][2] = {
       {ATTILA_OP_EX2, ATTILA_OP_FLR}, {ATTILA_OP_FRC}, {ATTILA_OP_EX2}};
   int (*component_of)(nir_alu_instr *, nir_scalar *) =
       op == ATTILA_OP_EXP ? attila_select_pattern_component_of_exp
                           : attila_select_pattern_component_of_log;
   nir_scalar x;
   unsigned before = 0, found = 0;
   *p = (struct attila_pattern){.op = op};
   if (alu->instr.pass_flags || component_of(alu, &p->x) < 0)
      return false;
   for (nir_instr *i = &alu->instr; i; i = nir_instr_next(i)) {
      if (i->type != nir_instr_type_alu || i->pass_flags)
         continue;
      nir_alu_instr *part = nir_instr_as_alu(i);
      int c = component_of(part, &x);
      if (c < 0 || !attila_select_pattern_same(x, p->x) || p->result[c])
         continue;
      p->result[c] = &part->def;
      found++;
      for (unsigned k = 0; k < 2; k++)
         before += parts_of_exp[c][k] ? attila_select_pattern_cost(e, parts_of_exp[c][k], 1) : 0;
   }
   bool chosen = op == ATTILA_OP_EXP
                     ? found > 1 && attila_select_pattern_is_faster(
                                        e, attila_select_pattern_cost(e, ATTILA_OP_EXP, 7), before)
                     : p->result[1] && !e->ir->ignore_machine;
   for (unsigned c = 0; chosen && c < 3; c++) {
      if (p->result[c])
         p->result[c]->parent_instr->pass_flags = 1;
   }
   return chosen;
}

static void
attila_select_pattern_emit_exp_log(struct attila_select *e, const struct attila_pattern *p)
{
   uint8_t written = 0;
   for (unsigned c = 0; c < 3; c++)
      written |= p->result[c] ? 1u << c : 0;
   struct attila_isa_src x = attila_replicate(attila_select_scalars(e, &p->x, 1), 0);
   unsigned result = air_new_vreg(e->ir, true);
   attila_select_op(e, p->op, result, written)->src[0] = x;
   for (unsigned c = 0; c < 3; c++) {
      if (p->result[c])
         attila_select_op(e, ATTILA_OP_MOV, attila_select_def(e, p->result[c]), 1)->src[0] =
             attila_replicate(attila_temp(result), c);
   }
}

/* --- All of them --- */

void
attila_select_find_patterns(struct attila_select *e, nir_function_impl *impl)
{
   unsigned count = nir_index_instrs(impl);
   e->pattern = rzalloc_array(e->ir->mem, struct attila_pattern *, count + 1);
   nir_foreach_block (block, impl) {
      nir_foreach_instr (instr, block)
         instr->pass_flags = 0;
   }
   nir_foreach_block (block, impl) {
      nir_foreach_instr (instr, block) {
         struct attila_pattern p;
         if (instr->type != nir_instr_type_alu)
            continue;
         nir_alu_instr *alu = nir_instr_as_alu(instr);
         if (attila_select_pattern_match_lit(e, alu, &p) ||
             attila_select_pattern_match_xpd(e, alu, &p) ||
             attila_select_pattern_match_dst(e, alu, &p) ||
             attila_select_pattern_match_exp_log(e, alu, &p, ATTILA_OP_EXP) ||
             attila_select_pattern_match_exp_log(e, alu, &p, ATTILA_OP_LOG))
            e->pattern[instr->index] = ralloc_memdup(e->ir->mem, &p, sizeof(p));
      }
   }
}

bool
attila_select_pattern(struct attila_select *e, nir_alu_instr *alu)
{
   const struct attila_pattern *p = e->pattern[alu->instr.index];
   if (!p)
      return alu->instr.pass_flags; /* selected with another one */
   switch (p->op) {
   case ATTILA_OP_LIT:
      attila_select_pattern_emit_lit(e, p);
      break;
   case ATTILA_OP_EXP:
   case ATTILA_OP_LOG:
      attila_select_pattern_emit_exp_log(e, p);
      break;
   default:
      attila_select_pattern_emit_two_operands(e, p, alu);
      break;
   }
   return true;
}
