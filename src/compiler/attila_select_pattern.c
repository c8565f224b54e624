/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Selection of LIT, DST, XPD, EXP and LOG: Mesa writes them out, and here they are recognised. They
 * are found before instructions are selected; what only they would have read becomes dead code.
 *
 * Where such an instruction gives the same bits as what it replaces the machine's table decides
 * which is faster. Full LIT (its exponent ends at 127.996, as ARB programs allow) and LOG (more
 * exact than its parts) are chosen on every machine, so that no pixel depends on the machine.
 */
#include <math.h>
#include "attila_nir.h"
#include "util/ralloc.h"

/* LIT's exponent is clamped to it. */
#define LIT_LIMIT 127.99609375

/* An instruction at the place of a NIR instruction (root), and the values that its components are.
 */
struct attila_pattern {
   uint8_t op;
   nir_scalar x, y, w; /* LIT: its operand's components; EXP, LOG: x */
   bool one;           /* LIT: x is 1 */
   nir_def *a, *b;     /* DST, XPD: operands ... */
   uint8_t swizzle_a[4], swizzle_b[4];
   nir_def *result[4]; /* values of one component each; NULL: not wanted */
};

static nir_scalar
chase(nir_alu_instr *alu, unsigned src, unsigned channel)
{
   nir_scalar s = {alu->src[src].src.ssa, alu->src[src].swizzle[channel]};
   return nir_scalar_chase_movs(s);
}

static bool
same(nir_scalar a, nir_scalar b)
{
   return a.def == b.def && a.comp == b.comp;
}

/* The instruction that makes a scalar if it has this operation and one component; or NULL. */
static nir_alu_instr *
made_by(nir_scalar s, nir_op op)
{
   if (!nir_scalar_is_alu(s))
      return NULL;
   nir_alu_instr *alu = nir_instr_as_alu(s.def->parent_instr);
   return alu->op == op && alu->def.num_components == 1 ? alu : NULL;
}

static bool
is_float(nir_scalar s, double value)
{
   return nir_scalar_is_const(s) && nir_scalar_as_float(s) == value;
}

static bool
used_once(const nir_def *def)
{
   return list_is_singular(&def->uses);
}

/* The other operand of an operation of two if one is this constant. */
static bool
other_operand(nir_alu_instr *alu, double value, nir_scalar *other)
{
   for (unsigned s = 0; alu && s < 2; s++) {
      if (is_float(chase(alu, s, 0), value)) {
         *other = chase(alu, 1 - s, 0);
         return true;
      }
   }
   return false;
}

/* --- What it costs --- */

static unsigned
cost(const struct attila_select *e, unsigned op, uint8_t mask)
{
   const struct attila_shader_machine *m = e->ir->machine;
   struct attila_isa_instr in = {.op = op, .dst = {.write_mask = mask}};
   unsigned steps = m->alu == ATTILA_ALU_SCALAR ? attila_isa_scalar_steps(&in) : 1;
   return MAX2(m->fetch_gap, steps * m->vector * m->repeat[op]);
}

/* Of bringing a value into a component of an operand: nothing if it can be made there. */
static unsigned
move_cost(const struct attila_select *e, nir_scalar s)
{
   bool there = nir_scalar_is_alu(s) && s.def->num_components == 1 && used_once(s.def);
   return there ? 0 : cost(e, ATTILA_OP_MOV, 1);
}

static bool
is_faster(const struct attila_select *e, unsigned after, unsigned before)
{
   return !e->ir->ignore_machine && after < before;
}

/* --- LIT --- */

/* Power of something that is not negative: its base (before a maximum with 0, if there is one). */
static bool
power_base(nir_alu_instr *pow, nir_scalar *base, bool *folded)
{
   nir_scalar s = chase(pow, 0, 0), other;
   nir_alu_instr *max = made_by(s, nir_op_fmax);
   *folded = other_operand(max, 0.0, base);
   if (*folded)
      return true;
   *base = s;
   if (made_by(s, nir_op_fsat))
      return true;
   for (unsigned i = 0; max && i < 2; i++) {
      other = chase(max, i, 0);
      if (nir_scalar_is_const(other) && nir_scalar_as_float(other) > 0.0)
         return true;
   }
   return false;
}

/* max(min(w, 128), -128), in either order. */
static bool
clamped_exponent(nir_scalar s, nir_scalar *w)
{
   nir_scalar inner;
   if (other_operand(made_by(s, nir_op_fmax), -128.0, &inner))
      return other_operand(made_by(inner, nir_op_fmin), 128.0, w);
   if (other_operand(made_by(s, nir_op_fmin), 128.0, &inner))
      return other_operand(made_by(inner, nir_op_fmax), -128.0, w);
   return false;
}

static bool
is_short_exponent(nir_scalar s)
{
   return nir_scalar_is_const(s) && fabs(nir_scalar_as_float(s)) <= LIT_LIMIT &&
          nir_scalar_as_float(s) != 0.0;
}

/* x > 0 ? value : 0, in the forms that it takes by now. */
static bool
match_if_positive(nir_alu_instr *alu, nir_scalar *x, nir_scalar *value)
{
   nir_scalar a = chase(alu, 0, 0), b, c;
   if (alu->op != nir_op_fcsel && alu->op != nir_op_fcsel_gt && alu->op != nir_op_fcsel_ge)
      return false;
   b = chase(alu, 1, 0);
   c = chase(alu, 2, 0);
   nir_alu_instr *slt = made_by(a, nir_op_slt), *sge = made_by(a, nir_op_sge),
                 *neg = made_by(a, nir_op_fneg);
   *value = is_float(c, 0.0) ? b : c;
   if (alu->op == nir_op_fcsel_gt && is_float(c, 0.0)) {
      *x = a;
      return true;
   }
   if (alu->op == nir_op_fcsel_ge && is_float(b, 0.0) && neg) {
      *x = chase(neg, 0, 0);
      return true;
   }
   if (alu->op != nir_op_fcsel)
      return false;
   if (slt && is_float(chase(slt, 0, 0), 0.0) && is_float(c, 0.0)) {
      *x = chase(slt, 1, 0);
      return true;
   }
   if (sge && is_float(chase(sge, 0, 0), 0.0) && is_float(b, 0.0)) {
      *x = chase(sge, 1, 0);
      return true;
   }
   return false;
}

/* Everything that reads a value comes behind an instruction. */
static bool
is_read_behind(const nir_def *def, const nir_instr *instr)
{
   nir_foreach_use_including_if(src, def)
   {
      if (nir_src_is_if(src) || nir_src_parent_instr(src)->index <= instr->index)
         return false;
   }
   return true;
}

/* max(x, 0) in the same block, which LIT gives for nothing. */
static void
find_diffuse(struct attila_pattern *p, nir_instr *root)
{
   nir_foreach_use(src, p->x.def)
   {
      nir_instr *user = nir_src_parent_instr(src);
      nir_scalar x;
      if (user->type != nir_instr_type_alu || user->block != root->block || user->pass_flags)
         continue;
      nir_alu_instr *max = nir_instr_as_alu(user);
      if (max->op != nir_op_fmax || max->def.num_components != 1 || !other_operand(max, 0.0, &x) ||
          !same(x, p->x) || !is_read_behind(&max->def, root))
         continue;
      p->result[1] = &max->def;
      user->pass_flags = 1;
      return;
   }
}

static bool
match_lit(struct attila_select *e, nir_alu_instr *alu, struct attila_pattern *p)
{
   nir_scalar power;
   bool folded;
   *p = (struct attila_pattern){.op = ATTILA_OP_LIT};
   p->result[2] = &alu->def;
   if (alu->def.num_components != 1)
      return false;
   if (match_if_positive(alu, &p->x, &power)) {
      nir_alu_instr *pow = made_by(power, nir_op_fpow);
      if (e->ir->ignore_machine || !pow || !power_base(pow, &p->y, &folded))
         return false;
      if (!clamped_exponent(chase(pow, 1, 0), &p->w)) {
         p->w = chase(pow, 1, 0);
         if (!is_short_exponent(p->w))
            return false;
      }
      find_diffuse(p, &alu->instr);
      return true;
   }
   if (alu->op != nir_op_fpow || !is_short_exponent(chase(alu, 1, 0)) ||
       !power_base(alu, &p->y, &folded))
      return false;
   p->one = true;
   p->w = chase(alu, 1, 0);
   unsigned before = cost(e, ATTILA_OP_POW, 1),
            after = cost(e, ATTILA_OP_LIT, 4) + cost(e, ATTILA_OP_MOV, 9) + move_cost(e, p->y);
   if (folded && used_once(alu->src[0].src.ssa))
      before += cost(e, ATTILA_OP_MAX, 1);
   /* Of two that take the ALUs as long the shorter chain. */
   const uint8_t *latency = e->ir->machine->latency;
   bool sooner = latency[ATTILA_OP_LIT] < latency[ATTILA_OP_POW];
   return is_faster(e, after, before + sooner);
}

static void
emit_lit(struct attila_select *e, const struct attila_pattern *p)
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

/* Scalars of an operand in the order of the vector: all of one value, with its swizzle. */
static bool
one_value(const nir_scalar *s, nir_def **def, uint8_t *swizzle)
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
without_sign(nir_scalar s, bool *negative)
{
   nir_scalar r = s;
   if (nir_scalar_is_alu(s) && nir_scalar_alu_op(s) == nir_op_fneg) {
      *negative = !*negative;
      r = nir_scalar_chase_movs(nir_scalar_chase_alu_src(s, 0));
   }
   return r;
}

/* a.yzx * b.zxy - a.zxy * b.yzx, which is MUL and MAD. */
static bool
match_xpd(struct attila_select *e, nir_alu_instr *alu, struct attila_pattern *p)
{
   if (alu->op != nir_op_ffma || alu->def.num_components != 3)
      return false;
   nir_instr *parent = alu->src[2].src.ssa->parent_instr;
   if (parent->type != nir_instr_type_alu || !used_once(alu->src[2].src.ssa))
      return false;
   nir_alu_instr *mul = nir_instr_as_alu(parent);
   if (mul->op != nir_op_fmul || mul->def.num_components != 3)
      return false;
   for (unsigned swap = 0; swap < 2; swap++) {
      nir_scalar a[3], b[3];
      bool match = true;
      for (unsigned c = 0; c < 3; c++) {
         unsigned channel = alu->src[2].swizzle[c];
         a[(c + 1) % 3] = chase(mul, swap, channel);
         b[(c + 2) % 3] = chase(mul, 1 - swap, channel);
      }
      for (unsigned c = 0; c < 3; c++) {
         bool negative = false;
         nir_scalar f = without_sign(chase(alu, 0, c), &negative),
                    g = without_sign(chase(alu, 1, c), &negative);
         nir_scalar wanted_a = a[(c + 2) % 3], wanted_b = b[(c + 1) % 3];
         match &= negative && ((same(f, wanted_a) && same(g, wanted_b)) ||
                               (same(f, wanted_b) && same(g, wanted_a)));
      }
      *p = (struct attila_pattern){.op = ATTILA_OP_XPD};
      if (match && one_value(a, &p->a, p->swizzle_a) && one_value(b, &p->b, p->swizzle_b))
         return is_faster(e, cost(e, ATTILA_OP_XPD, 7),
                          cost(e, ATTILA_OP_MUL, 7) + cost(e, ATTILA_OP_MAD, 7));
   }
   return false;
}

/* --- DST --- */

static bool
same_or_constants(nir_scalar a, nir_scalar b)
{
   return a.def == b.def || (nir_scalar_is_const(a) && nir_scalar_is_const(b));
}

/* (1, a.y * b.y, a.z, b.w). */
static bool
match_dst(struct attila_select *e, nir_alu_instr *alu, struct attila_pattern *p)
{
   if (alu->op != nir_op_vec4 || !is_float(chase(alu, 0, 0), 1.0))
      return false;
   nir_scalar product = chase(alu, 1, 0), z = chase(alu, 2, 0), w = chase(alu, 3, 0);
   if (!nir_scalar_is_alu(product) || nir_scalar_alu_op(product) != nir_op_fmul ||
       !used_once(product.def) || product.def->num_components != 1)
      return false;
   nir_alu_instr *mul = nir_instr_as_alu(product.def->parent_instr);
   for (unsigned swap = 0; swap < 2; swap++) {
      nir_scalar a = chase(mul, swap, 0), b = chase(mul, 1 - swap, 0);
      /* Literals are put together elsewhere. */
      if (!same_or_constants(a, z) || !same_or_constants(b, w) || nir_scalar_is_const(a) ||
          nir_scalar_is_const(b))
         continue;
      *p = (struct attila_pattern){.op = ATTILA_OP_DST, .a = a.def, .b = b.def};
      p->swizzle_a[0] = p->swizzle_a[1] = a.comp;
      p->swizzle_a[2] = p->swizzle_a[3] = z.comp;
      p->swizzle_b[0] = p->swizzle_b[1] = p->swizzle_b[2] = b.comp;
      p->swizzle_b[3] = w.comp;
      unsigned moves = move_cost(e, z) + (same(z, w) ? 0 : move_cost(e, w));
      return is_faster(e, cost(e, ATTILA_OP_DST, 15),
                       cost(e, ATTILA_OP_MOV, 1) + cost(e, ATTILA_OP_MUL, 1) + moves);
   }
   return false;
}

static void
emit_two_operands(struct attila_select *e, const struct attila_pattern *p, nir_alu_instr *root)
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

/* Which component of EXP x a value is, or -1; *x is set. */
static int
component_of_exp(nir_alu_instr *alu, nir_scalar *x)
{
   if (alu->def.num_components != 1 || (alu->op != nir_op_fexp2 && alu->op != nir_op_ffract))
      return -1;
   *x = chase(alu, 0, 0);
   if (alu->op == nir_op_ffract)
      return 1;
   nir_alu_instr *floor = made_by(*x, nir_op_ffloor);
   if (floor)
      *x = chase(floor, 0, 0);
   return floor ? 0 : 2;
}

/* Of LOG x; log2 x itself is z. */
static int
component_of_log(nir_alu_instr *alu, nir_scalar *x)
{
   if (alu->def.num_components != 1)
      return -1;
   nir_alu_instr *log = alu->op == nir_op_flog2 ? alu : NULL, *floor = NULL;
   if (alu->op == nir_op_ffloor) {
      log = made_by(chase(alu, 0, 0), nir_op_flog2);
   } else if (alu->op == nir_op_fmul) {
      /* |x| * 2^-floor(log2 |x|) */
      for (unsigned s = 0; s < 2 && !floor; s++) {
         nir_alu_instr *exp = made_by(chase(alu, s, 0), nir_op_fexp2), *rcp;
         nir_alu_instr *neg = exp ? made_by(chase(exp, 0, 0), nir_op_fneg) : NULL;
         floor = neg ? made_by(chase(neg, 0, 0), nir_op_ffloor) : NULL;
         rcp = floor ? NULL : made_by(chase(alu, s, 0), nir_op_frcp);
         exp = rcp ? made_by(chase(rcp, 0, 0), nir_op_fexp2) : NULL;
         floor = exp ? made_by(chase(exp, 0, 0), nir_op_ffloor) : floor;
         log = floor ? made_by(chase(floor, 0, 0), nir_op_flog2) : NULL;
         if (log && !same(chase(log, 0, 0), chase(alu, 1 - s, 0)))
            log = NULL;
      }
   }
   nir_alu_instr *abs = log ? made_by(chase(log, 0, 0), nir_op_fabs) : NULL;
   if (!abs)
      return -1;
   *x = chase(abs, 0, 0);
   return alu == log ? 2 : alu->op == nir_op_ffloor ? 0 : 1;
}

/* The components of EXP or LOG of one x that a block has, from its first one on. */
static bool
match_exp_log(struct attila_select *e, nir_alu_instr *alu, struct attila_pattern *p, unsigned op)
{
   static const uint8_t parts_of_exp[3][2] = {
       {ATTILA_OP_EX2, ATTILA_OP_FLR}, {ATTILA_OP_FRC}, {ATTILA_OP_EX2}};
   int (*component_of)(nir_alu_instr *, nir_scalar *) =
       op == ATTILA_OP_EXP ? component_of_exp : component_of_log;
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
      if (c < 0 || !same(x, p->x) || p->result[c])
         continue;
      p->result[c] = &part->def;
      found++;
      for (unsigned k = 0; k < 2; k++)
         before += parts_of_exp[c][k] ? cost(e, parts_of_exp[c][k], 1) : 0;
   }
   bool chosen = op == ATTILA_OP_EXP ? found > 1 && is_faster(e, cost(e, ATTILA_OP_EXP, 7), before)
                                     : p->result[1] && !e->ir->ignore_machine;
   for (unsigned c = 0; chosen && c < 3; c++) {
      if (p->result[c])
         p->result[c]->parent_instr->pass_flags = 1;
   }
   return chosen;
}

static void
emit_exp_log(struct attila_select *e, const struct attila_pattern *p)
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
         if (match_lit(e, alu, &p) || match_xpd(e, alu, &p) || match_dst(e, alu, &p) ||
             match_exp_log(e, alu, &p, ATTILA_OP_EXP) || match_exp_log(e, alu, &p, ATTILA_OP_LOG))
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
      emit_lit(e, p);
      break;
   case ATTILA_OP_EXP:
   case ATTILA_OP_LOG:
      emit_exp_log(e, p);
      break;
   default:
      emit_two_operands(e, p, alu);
      break;
   }
   return true;
}
