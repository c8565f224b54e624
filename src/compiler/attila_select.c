/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Selects instructions for lowered NIR: control flow, arithmetic, operands. Each NIR value gets a
 * virtual register and each copy a MOV; the passes attila_opt*.c reduce them. Inputs, outputs and
 * constants: attila_select_io.c; textures: attila_select_tex.c. */
#include "attila_nir.h"
#include "util/ralloc.h"

struct alu_info {
   uint8_t op;       /* ATTILA_OP_NOP: unknown */
   uint8_t order[3]; /* NIR source of each operand */
   bool negate0;
   bool absolute0;
   bool saturate;
};

#define ALU(nir, isa, a, b, c) [nir_op_##nir] = {.op = ATTILA_OP_##isa, .order = {a, b, c}}

static const struct alu_info alu_table[nir_num_opcodes] = {
    ALU(mov, MOV, 0, 0, 0),
    [nir_op_fneg] = {.op = ATTILA_OP_MOV, .negate0 = true},
    [nir_op_fabs] = {.op = ATTILA_OP_MOV, .absolute0 = true},
    [nir_op_fsat] = {.op = ATTILA_OP_MOV, .saturate = true},
    /* Integers; comparisons give 1.0 and 0.0 (attila_nir_bool.c). */
    ALU(iadd, IADD, 0, 1, 0),
    ALU(isub, ISUB, 0, 1, 0),
    ALU(imul, IMUL, 0, 1, 0),
    ALU(iand, AND, 0, 1, 0),
    ALU(ior, OR, 0, 1, 0),
    ALU(ixor, XOR, 0, 1, 0),
    ALU(ishl, SHL, 0, 1, 0),
    ALU(ishr, ISHR, 0, 1, 0),
    ALU(ushr, USHR, 0, 1, 0),
    ALU(imin, IMIN, 0, 1, 0),
    ALU(imax, IMAX, 0, 1, 0),
    ALU(umin, UMIN, 0, 1, 0),
    ALU(umax, UMAX, 0, 1, 0),
    ALU(ieq32, IEQ, 0, 1, 0),
    ALU(ine32, INE, 0, 1, 0),
    ALU(ilt32, ILT, 0, 1, 0),
    ALU(ige32, IGE, 0, 1, 0),
    ALU(ult32, ULT, 0, 1, 0),
    ALU(uge32, UGE, 0, 1, 0),
    ALU(i2f32, I2F, 0, 0, 0),
    ALU(u2f32, U2F, 0, 0, 0),
    ALU(f2i32, F2I, 0, 0, 0),
    ALU(f2u32, F2U, 0, 0, 0),
    ALU(fadd, ADD, 0, 1, 0),
    ALU(fmul, MUL, 0, 1, 0),
    ALU(ffma, MAD, 0, 1, 2),
    ALU(fmin, MIN, 0, 1, 0),
    ALU(fmax, MAX, 0, 1, 0),
    ALU(slt, SLT, 0, 1, 0),
    ALU(sge, SGE, 0, 1, 0),
    ALU(seq, SEQ, 0, 1, 0),
    ALU(sne, SNE, 0, 1, 0),
    ALU(fcsel, CND, 0, 1, 2),
    /* a > 0 ? b : c, and a >= 0 ? b : c except for NaN (attila_select_emit_exact) */
    [nir_op_fcsel_gt] = {.op = ATTILA_OP_CMP, .order = {0, 1, 2}, .negate0 = true},
    ALU(fcsel_ge, CMP, 0, 2, 1),
    /* x (1 - t) + y t */
    ALU(flrp, LRP, 2, 1, 0),
    ALU(ffract, FRC, 0, 0, 0),
    ALU(ffloor, FLR, 0, 0, 0),
    ALU(fceil, CEIL, 0, 0, 0),
    ALU(ftrunc, TRUNC, 0, 0, 0),
    ALU(fround_even, ROUND, 0, 0, 0),
    ALU(fsign, SSG, 0, 0, 0),
    ALU(frcp, RCP, 0, 0, 0),
    ALU(frsq, RSQ, 0, 0, 0),
    ALU(fsqrt, SQRT, 0, 0, 0),
    ALU(fexp2, EX2, 0, 0, 0),
    ALU(flog2, LG2, 0, 0, 0),
    ALU(fpow, POW, 0, 1, 0),
    ALU(fsin, SIN, 0, 0, 0),
    ALU(fcos, COS, 0, 0, 0),
    ALU(fdot2, DP2, 0, 1, 0),
    ALU(fdot3, DP3, 0, 1, 0),
    ALU(fdot4, DP4, 0, 1, 0),
    ALU(fdot2_replicated, DP2, 0, 1, 0),
    ALU(fdot3_replicated, DP3, 0, 1, 0),
    ALU(fdot4_replicated, DP4, 0, 1, 0),
    ALU(fdph, DPH, 0, 1, 0),
    ALU(fdph_replicated, DPH, 0, 1, 0),
};

struct attila_isa_instr *
attila_select_op(struct attila_select *e, unsigned op, unsigned vreg, uint8_t mask)
{
   struct attila_isa_instr *in = air_append(e->ir, op);
   if (attila_isa_ops[op].has_dst) {
      in->dst.file = ATTILA_FILE_TEMP;
      in->dst.index = vreg;
      in->dst.write_mask = mask;
   }
   return in;
}

unsigned
attila_select_def(struct attila_select *e, nir_def *def)
{
   uint32_t *slot = &e->vreg[def->index];
   if (!*slot)
      *slot = air_new_vreg(e->ir, true) + 1;
   return *slot - 1;
}

/* Returns channels of a NIR value; constants as literals. */
struct attila_isa_src
attila_select_channels(struct attila_select *e, nir_def *def, const uint8_t *swizzle,
                       unsigned count)
{
   nir_instr *parent = def->parent_instr;
   if (parent->type == nir_instr_type_load_const || parent->type == nir_instr_type_undef) {
      float values[4] = {0};
      for (unsigned i = 0; i < count && parent->type == nir_instr_type_load_const; i++)
         values[i] = nir_instr_as_load_const(parent)->value[swizzle[i]].f32;
      return air_literal(e->ir, values, count);
   }
   assert(count >= 1 && count <= 4);
   struct attila_isa_src src = attila_temp(attila_select_def(e, def));
   uint8_t s[4];
   for (unsigned i = 0; i < 4; i++)
      s[i] = swizzle[MIN2(i, count - 1)];
   src.swizzle = ATTILA_SWZ(s[0], s[1], s[2], s[3]);
   return src;
}

struct attila_isa_src
attila_select_src(struct attila_select *e, nir_src *src)
{
   static const uint8_t identity[4] = {0, 1, 2, 3};
   return attila_select_channels(e, src->ssa, identity, src->ssa->num_components);
}

static bool
attila_select_is_constant(nir_scalar s)
{
   return s.def->parent_instr->type == nir_instr_type_load_const ||
          s.def->parent_instr->type == nir_instr_type_undef;
}

static float
attila_select_constant_value(nir_scalar s)
{
   if (s.def->parent_instr->type != nir_instr_type_load_const)
      return 0.0f;
   return nir_instr_as_load_const(s.def->parent_instr)->value[s.comp].f32;
}

/* Writes scalars to channels 0 .. count - 1 of vreg, with one MOV per distinct source and one for
 * all constants. */
void
attila_select_vector(struct attila_select *e, unsigned vreg, const nir_scalar *scalars,
                     unsigned count)
{
   uint8_t done = 0;
   for (unsigned i = 0; i < count; i++) {
      if (done & (1u << i))
         continue;
      bool constant = attila_select_is_constant(scalars[i]);
      float values[4] = {0};
      uint8_t swizzle[4] = {0}, mask = 0;
      for (unsigned k = 0; k < count; k++) {
         if (constant ? !attila_select_is_constant(scalars[k]) : scalars[k].def != scalars[i].def) {
            values[k] = constant ? attila_select_constant_value(scalars[i]) : 0.0f;
            swizzle[k] = scalars[i].comp;
            continue;
         }
         values[k] = constant ? attila_select_constant_value(scalars[k]) : 0.0f;
         swizzle[k] = scalars[k].comp;
         mask |= 1u << k;
      }
      struct attila_isa_src src = constant
                                      ? air_literal(e->ir, values, count)
                                      : attila_select_channels(e, scalars[i].def, swizzle, count);
      attila_select_op(e, ATTILA_OP_MOV, vreg, mask)->src[0] = src;
      done |= mask;
   }
}

/* Returns an operand with the scalars in its first channels: a swizzle if all are part of one
 * value, else a new register. */
struct attila_isa_src
attila_select_scalars(struct attila_select *e, const nir_scalar *scalars, unsigned count)
{
   nir_scalar chased[4];
   uint8_t swizzle[4];
   bool same = true, constant = true;
   float values[4];
   for (unsigned i = 0; i < count; i++) {
      chased[i] = nir_scalar_chase_movs(scalars[i]);
      swizzle[i] = chased[i].comp;
      same &= chased[i].def == chased[0].def;
      constant &= attila_select_is_constant(chased[i]);
      values[i] =
          attila_select_is_constant(chased[i]) ? attila_select_constant_value(chased[i]) : 0.0f;
   }
   if (constant)
      return air_literal(e->ir, values, count);
   if (same)
      return attila_select_channels(e, chased[0].def, swizzle, count);
   unsigned vreg = air_new_vreg(e->ir, true);
   attila_select_vector(e, vreg, chased, count);
   return attila_temp(vreg);
}

static struct attila_isa_src
attila_select_alu_src(struct attila_select *e, nir_alu_instr *alu, unsigned s)
{
   return attila_select_channels(e, alu->src[s].src.ssa, alu->src[s].swizzle,
                                 nir_ssa_alu_instr_src_components(alu, s));
}

/* Compares vectors: counts the components for which the comparison op holds, then tests the count
 * for zero. */
static void
attila_select_emit_vector_compare(struct attila_select *e, nir_alu_instr *alu, unsigned count,
                                  bool all_equal, unsigned differs)
{
   static const uint8_t dots[] = {ATTILA_OP_DP2, ATTILA_OP_DP3, ATTILA_OP_DP4};
   static const float zero = 0.0f;
   unsigned differ = air_new_vreg(e->ir, true), sum = air_new_vreg(e->ir, true);
   struct attila_isa_src a = attila_select_alu_src(e, alu, 0), b = attila_select_alu_src(e, alu, 1),
                         l = air_literal(e->ir, &zero, 1);
   struct attila_isa_instr *in = attila_select_op(e, differs, differ, (1u << count) - 1);
   in->src[0] = a;
   in->src[1] = b;
   in = attila_select_op(e, dots[count - 2], sum, 1);
   in->src[0] = in->src[1] = attila_temp(differ);
   in = attila_select_op(e, all_equal ? ATTILA_OP_SEQ : ATTILA_OP_SNE,
                         attila_select_def(e, &alu->def), 1);
   in->src[0] = attila_replicate(attila_temp(sum), 0);
   in->src[1] = l;
}

static void
attila_select_emit_vec(struct attila_select *e, nir_alu_instr *alu)
{
   nir_scalar scalars[4];
   for (unsigned i = 0; i < alu->def.num_components; i++)
      scalars[i] = nir_scalar_chase_movs(nir_get_scalar(&alu->def, i));
   attila_select_vector(e, attila_select_def(e, &alu->def), scalars, alu->def.num_components);
}

static void
attila_select_emit_table_alu(struct attila_select *e, nir_alu_instr *alu,
                             const struct alu_info *info)
{
   unsigned count = attila_isa_ops[info->op].num_srcs, components = alu->def.num_components;
   struct attila_isa_src src[3];
   for (unsigned s = 0; s < count; s++)
      src[s] = attila_select_alu_src(e, alu, info->order[s]);
   if (info->absolute0) {
      src[0].negate = false;
      src[0].absolute = true;
   }
   if (info->negate0)
      src[0].negate = !src[0].negate;
   unsigned vreg = attila_select_def(e, &alu->def);
   bool scalar = attila_isa_ops[info->op].cls == ATTILA_CLASS_SCALAR;
   /* Later passes may have made vectors of scalar operations; split these. */
   for (unsigned c = 0; c < (scalar ? components : 1); c++) {
      struct attila_isa_instr *in =
          attila_select_op(e, info->op, vreg, scalar ? 1u << c : (1u << components) - 1);
      in->dst.saturate = info->saturate;
      for (unsigned s = 0; s < count; s++)
         in->src[s] = scalar ? attila_replicate(src[s], c) : src[s];
   }
}

/* Selects a >= 0 ? b : c where a may be NaN, which CMP treats as not negative. */
static void
attila_select_emit_exact(struct attila_select *e, nir_alu_instr *alu)
{
   static const float zero = 0.0f;
   uint8_t mask = (1u << alu->def.num_components) - 1;
   unsigned condition = air_new_vreg(e->ir, true);
   struct attila_isa_src src[3];
   for (unsigned s = 0; s < 3; s++)
      src[s] = attila_select_alu_src(e, alu, s);
   struct attila_isa_src literal = attila_replicate(air_literal(e->ir, &zero, 1), 0);
   struct attila_isa_instr *in = attila_select_op(e, ATTILA_OP_SGE, condition, mask);
   in->src[0] = src[0];
   in->src[1] = literal;
   in = attila_select_op(e, ATTILA_OP_CND, attila_select_def(e, &alu->def), mask);
   in->src[0] = attila_temp(condition);
   in->src[1] = src[1];
   in->src[2] = src[2];
}

static struct attila_isa_src
attila_select_integer_literal(struct attila_select *e, uint32_t bits)
{
   float value;
   memcpy(&value, &bits, sizeof(value));
   return attila_replicate(air_literal(e->ir, &value, 1), 0);
}

/* Selects a > 0 ? b : c, or a >= 0 ? b : c. */
static void
attila_select_emit_integer_select(struct attila_select *e, nir_alu_instr *alu)
{
   const uint8_t mask = (1u << alu->def.num_components) - 1;
   const bool greater = alu->op == nir_op_i32csel_gt;
   const unsigned condition = air_new_vreg(e->ir, true);
   struct attila_isa_src src[3], zero = attila_select_integer_literal(e, 0);
   for (unsigned s = 0; s < 3; s++)
      src[s] = attila_select_alu_src(e, alu, s);
   struct attila_isa_instr *in =
       attila_select_op(e, greater ? ATTILA_OP_ILT : ATTILA_OP_IGE, condition, mask);
   in->src[greater] = src[0];
   in->src[!greater] = zero;
   in = attila_select_op(e, ATTILA_OP_CND, attila_select_def(e, &alu->def), mask);
   in->src[0] = attila_temp(condition);
   in->src[1] = src[1];
   in->src[2] = src[2];
}

/* Selects 0 - a and ~a. */
static void
attila_select_emit_integer_unary(struct attila_select *e, nir_alu_instr *alu)
{
   const bool negates = alu->op == nir_op_ineg;
   struct attila_isa_src a = attila_select_alu_src(e, alu, 0),
                         other = attila_select_integer_literal(e, negates ? 0 : ~0u);
   struct attila_isa_instr *in =
       attila_select_op(e, negates ? ATTILA_OP_ISUB : ATTILA_OP_XOR,
                        attila_select_def(e, &alu->def), (1u << alu->def.num_components) - 1);
   in->src[negates] = a;
   in->src[!negates] = other;
}

static void
attila_select_emit_alu(struct attila_select *e, nir_alu_instr *alu)
{
   if (alu->op == nir_op_fcsel_ge && alu->exact) {
      attila_select_emit_exact(e, alu);
      return;
   }
   switch (alu->op) {
   case nir_op_vec2:
   case nir_op_vec3:
   case nir_op_vec4:
      attila_select_emit_vec(e, alu);
      return;
   case nir_op_fall_equal2:
      attila_select_emit_vector_compare(e, alu, 2, true, ATTILA_OP_SNE);
      return;
   case nir_op_fall_equal3:
      attila_select_emit_vector_compare(e, alu, 3, true, ATTILA_OP_SNE);
      return;
   case nir_op_fall_equal4:
      attila_select_emit_vector_compare(e, alu, 4, true, ATTILA_OP_SNE);
      return;
   case nir_op_fany_nequal2:
      attila_select_emit_vector_compare(e, alu, 2, false, ATTILA_OP_SNE);
      return;
   case nir_op_fany_nequal3:
      attila_select_emit_vector_compare(e, alu, 3, false, ATTILA_OP_SNE);
      return;
   case nir_op_fany_nequal4:
      attila_select_emit_vector_compare(e, alu, 4, false, ATTILA_OP_SNE);
      return;
   case nir_op_b32all_iequal2:
      attila_select_emit_vector_compare(e, alu, 2, true, ATTILA_OP_INE);
      return;
   case nir_op_b32all_iequal3:
      attila_select_emit_vector_compare(e, alu, 3, true, ATTILA_OP_INE);
      return;
   case nir_op_b32all_iequal4:
      attila_select_emit_vector_compare(e, alu, 4, true, ATTILA_OP_INE);
      return;
   case nir_op_b32any_inequal2:
      attila_select_emit_vector_compare(e, alu, 2, false, ATTILA_OP_INE);
      return;
   case nir_op_b32any_inequal3:
      attila_select_emit_vector_compare(e, alu, 3, false, ATTILA_OP_INE);
      return;
   case nir_op_b32any_inequal4:
      attila_select_emit_vector_compare(e, alu, 4, false, ATTILA_OP_INE);
      return;
   case nir_op_i32csel_gt:
   case nir_op_i32csel_ge:
      attila_select_emit_integer_select(e, alu);
      return;
   case nir_op_ineg:
   case nir_op_inot:
      attila_select_emit_integer_unary(e, alu);
      return;
   case nir_op_fsub: {
      struct attila_isa_src a = attila_select_alu_src(e, alu, 0),
                            b = attila_select_alu_src(e, alu, 1);
      struct attila_isa_instr *in = attila_select_op(
          e, ATTILA_OP_ADD, attila_select_def(e, &alu->def), (1u << alu->def.num_components) - 1);
      in->src[0] = a;
      in->src[1] = b;
      in->src[1].negate = !b.negate;
      return;
   }
   default:
      break;
   }
   if (alu_table[alu->op].op == ATTILA_OP_NOP)
      air_error(e->ir, "operation %s is not supported", nir_op_infos[alu->op].name);
   else
      attila_select_emit_table_alu(e, alu, &alu_table[alu->op]);
}

void
attila_select_forget_addresses(struct attila_select *e)
{
   memset(e->address, 0, sizeof(e->address));
}

unsigned
attila_select_address(struct attila_select *e, nir_src *offset)
{
   nir_scalar scalar = nir_scalar_chase_movs(nir_get_scalar(offset->ssa, 0));
   struct attila_isa_src src = attila_select_scalars(e, &scalar, 1);
   uint32_t key =
       src.file == ATTILA_FILE_TEMP ? src.index * 4u + ATTILA_SWZ_GET(src.swizzle, 0) + 1 : 0;
   unsigned oldest = 0;
   for (unsigned c = 0; c < 4; c++) {
      if (key && e->address[c].key == key) {
         e->address[c].age = ++e->clock;
         return c;
      }
      if (e->address[c].age < e->address[oldest].age)
         oldest = c;
   }
   src = attila_replicate(src, 0);
   if (e->integers) {
      const unsigned number = air_new_vreg(e->ir, true);
      attila_select_op(e, ATTILA_OP_I2F, number, 1)->src[0] = src;
      src = attila_replicate(attila_temp(number), 0);
   }
   struct attila_isa_instr *in = air_append(e->ir, ATTILA_OP_ARL);
   in->dst.file = ATTILA_FILE_ADDRESS;
   in->dst.write_mask = 1u << oldest;
   in->src[0] = src;
   e->address[oldest].key = key;
   e->address[oldest].age = ++e->clock;
   return oldest;
}

/* Returns the line of the source that an instruction comes from; 0: unknown. */
static uint16_t
attila_select_line(nir_instr *instr)
{
   const uint32_t line = instr->has_debug_info ? nir_instr_get_debug_info(instr)->line : 0;
   return line <= UINT16_MAX ? (uint16_t)line : 0;
}

static void attila_select_emit_cf_list(struct attila_select *e, struct exec_list *list);

static void
attila_select_emit_if(struct attila_select *e, nir_if *nif)
{
   const uint16_t line = attila_select_line(nif->condition.ssa->parent_instr);
   e->ir->line = line;
   struct attila_isa_src condition = attila_replicate(attila_select_src(e, &nif->condition), 0);
   air_append(e->ir, ATTILA_OP_IF)->src[0] = condition;
   attila_select_emit_cf_list(e, &nif->then_list);
   nir_block *first = nir_if_first_else_block(nif);
   if (!nir_cf_list_is_empty_block(&nif->else_list) || !exec_list_is_empty(&first->instr_list)) {
      e->ir->line = line;
      air_append(e->ir, ATTILA_OP_ELSE);
      attila_select_emit_cf_list(e, &nif->else_list);
   }
   e->ir->line = line;
   air_append(e->ir, ATTILA_OP_ENDIF);
}

static void
attila_select_emit_jump(struct attila_select *e, nir_jump_instr *jump)
{
   if (jump->type == nir_jump_break)
      air_append(e->ir, ATTILA_OP_BRK);
   else if (jump->type == nir_jump_continue)
      air_append(e->ir, ATTILA_OP_CONT);
   else
      air_error(e->ir, "jump of type %u", jump->type);
}

static void
attila_select_emit_block(struct attila_select *e, nir_block *block)
{
   attila_select_forget_addresses(e);
   nir_foreach_instr (instr, block) {
      e->ir->line = attila_select_line(instr);
      switch (instr->type) {
      case nir_instr_type_alu:
         if (!attila_select_pattern(e, nir_instr_as_alu(instr)))
            attila_select_emit_alu(e, nir_instr_as_alu(instr));
         break;
      case nir_instr_type_intrinsic:
         attila_select_intrinsic(e, nir_instr_as_intrinsic(instr));
         break;
      case nir_instr_type_tex:
         attila_select_texture(e, nir_instr_as_tex(instr));
         break;
      case nir_instr_type_jump:
         attila_select_emit_jump(e, nir_instr_as_jump(instr));
         break;
      case nir_instr_type_load_const:
      case nir_instr_type_undef:
         break; /* selected at their uses */
      case nir_instr_type_deref:
         break; /* it is dead, or an intrinsic reports an error */
      default:
         air_error(e->ir, "NIR instruction of type %u", instr->type);
         break;
      }
   }
}

static void
attila_select_emit_cf_list(struct attila_select *e, struct exec_list *list)
{
   foreach_list_typed(nir_cf_node, node, node, list)
   {
      switch (node->type) {
      case nir_cf_node_block:
         attila_select_emit_block(e, nir_cf_node_as_block(node));
         break;
      case nir_cf_node_if:
         attila_select_emit_if(e, nir_cf_node_as_if(node));
         break;
      case nir_cf_node_loop:
         if (nir_loop_has_continue_construct(nir_cf_node_as_loop(node)))
            air_error(e->ir, "loop with a continue construct");
         e->ir->line = 0;
         air_append(e->ir, ATTILA_OP_LOOP);
         attila_select_emit_cf_list(e, &nir_cf_node_as_loop(node)->body);
         e->ir->line = 0;
         air_append(e->ir, ATTILA_OP_ENDLOOP);
         break;
      default:
         air_error(e->ir, "control flow of type %u", node->type);
         break;
      }
   }
}

bool
attila_select_shader(struct air *ir, nir_shader *nir, struct attila_compiled *out)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(nir);
   struct attila_select e = {
       .ir = ir, .nir = nir, .out = out, .integers = !nir->options->no_integers};
   nir_index_ssa_defs(impl);
   e.vreg = rzalloc_array(ir->mem, uint32_t, impl->ssa_alloc + 1);
   e.input_reg = rzalloc_array(ir->mem, uint8_t, 2 * VARYING_SLOT_MAX);
   attila_select_find_patterns(&e, impl);
   attila_select_layout(&e);
   if (!ir->error)
      attila_select_emit_cf_list(&e, &impl->body);
   ir->line = 0;
   air_append(ir, ATTILA_OP_END);
   return !ir->error;
}
