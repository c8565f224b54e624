/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Selection apart from arithmetic: inputs, outputs, constants, system values, kills, derivatives,
 * NIR registers. Decides each varying's register, and reports it to the driver. */
#include "attila_nir.h"
#include "util/ralloc.h"

/* Finds the first slot and count that an access may touch. A constant offset is 0 here, since
 * lowering has moved it to the base. */
static void
attila_select_io_range(nir_intrinsic_instr *intr, unsigned *first, unsigned *count)
{
   nir_io_semantics sem = nir_intrinsic_io_semantics(intr);
   nir_src *offset = nir_get_io_offset_src(intr);
   *first = sem.location;
   *count = MAX2(sem.num_slots, 1);
   if (nir_src_is_const(*offset))
      *count = 1;
}

static bool
attila_select_io_is_input(const nir_intrinsic_instr *intr)
{
   return intr->intrinsic == nir_intrinsic_load_input ||
          intr->intrinsic == nir_intrinsic_load_per_vertex_input ||
          intr->intrinsic == nir_intrinsic_load_interpolated_input;
}

/* Returns the varying slot for a fragment system value. */
static int
attila_select_io_sysval_slot(nir_intrinsic_op op)
{
   switch (op) {
   case nir_intrinsic_load_frag_coord:
      return VARYING_SLOT_POS;
   case nir_intrinsic_load_front_face:
      return VARYING_SLOT_FACE;
   case nir_intrinsic_load_point_coord:
      return VARYING_SLOT_PNTC;
   default:
      return -1;
   }
}

/* Returns the component of ATTILA_VS_INPUT_IDS or ATTILA_GS_INPUT_IDS that holds a system value, or
 * -1. */
static int
attila_select_io_id_component(nir_intrinsic_op op)
{
   switch (op) {
   case nir_intrinsic_load_vertex_id:
   case nir_intrinsic_load_primitive_id:
      return 0;
   case nir_intrinsic_load_instance_id:
   case nir_intrinsic_load_invocation_id:
      return 1;
   case nir_intrinsic_load_base_vertex:
      return 2;
   default:
      return -1;
   }
}

static struct attila_fs_input
attila_select_io_describe_input(nir_intrinsic_instr *intr, unsigned slot)
{
   struct attila_fs_input input = {
       .slot = slot, .source = ATTILA_FS_VARYING, .interp = ATTILA_INTERP_PERSPECTIVE};
   if (slot == VARYING_SLOT_POS)
      input.source = ATTILA_FS_POSITION;
   else if (slot == VARYING_SLOT_FACE)
      input.source = ATTILA_FS_FACE;
   else if (slot == VARYING_SLOT_PNTC)
      input.source = ATTILA_FS_POINT_COORD;
   else if (slot == VARYING_SLOT_PRIMITIVE_ID || slot == ATTILA_SLOT_SAMPLES)
      input.interp = ATTILA_INTERP_FLAT; /* a register of the driver names its source */
   else if (intr->intrinsic == nir_intrinsic_load_input)
      input.interp = ATTILA_INTERP_FLAT;
   else if (intr->intrinsic == nir_intrinsic_load_interpolated_input) {
      const nir_intrinsic_instr *bary = nir_src_as_intrinsic(intr->src[0]);
      unsigned mode = nir_intrinsic_interp_mode(bary);
      if (mode == INTERP_MODE_NOPERSPECTIVE)
         input.interp = ATTILA_INTERP_LINEAR;
      else if (mode == INTERP_MODE_FLAT || mode == INTERP_MODE_EXPLICIT)
         input.interp = ATTILA_INTERP_FLAT;
      if (bary->intrinsic == nir_intrinsic_load_barycentric_centroid &&
          input.interp != ATTILA_INTERP_FLAT)
         input.interp |= ATTILA_INTERP_CENTROID;
      input.color =
          mode == INTERP_MODE_NONE && (slot == VARYING_SLOT_COL0 || slot == VARYING_SLOT_COL1 ||
                                       slot == VARYING_SLOT_BFC0 || slot == VARYING_SLOT_BFC1);
   }
   return input;
}

/* Fragment: how an input is read. */
enum { READ_AT_PIXEL = 1, READ_AT_CENTROID = 2 };

struct layout {
   unsigned num_attribs;                           /* vertex: input registers */
   bool instance;                                  /* vertex: the instance is read, as a float */
   struct attila_fs_input input[VARYING_SLOT_MAX]; /* fragment */
   uint8_t places[VARYING_SLOT_MAX];               /* fragment: READ_AT */
   bool read[VARYING_SLOT_MAX];                    /* geometry, fragment */
   bool written[VARYING_SLOT_MAX];                 /* vertex, geometry */
};

/* Notes that a fragment shader reads an input. One that it reads both at pixels and at centroids
 * has two registers. */
static void
attila_select_io_gather_input(struct layout *l, nir_intrinsic_instr *intr, unsigned slot)
{
   const struct attila_fs_input input = attila_select_io_describe_input(intr, slot);
   const bool centroid = input.interp & ATTILA_INTERP_CENTROID;
   if (!centroid || !(l->places[slot] & READ_AT_PIXEL))
      l->input[slot] = input;
   l->places[slot] |= centroid ? READ_AT_CENTROID : READ_AT_PIXEL;
}

static void
attila_select_io_gather(struct attila_select *e, nir_intrinsic_instr *intr, struct layout *l)
{
   const gl_shader_stage stage = e->nir->info.stage;
   const bool store = intr->intrinsic == nir_intrinsic_store_output;
   unsigned first, count;
   int sysval = attila_select_io_sysval_slot(intr->intrinsic);
   if (stage == MESA_SHADER_VERTEX && attila_select_io_is_input(intr)) {
      attila_select_io_range(intr, &first, &count);
      l->num_attribs = MAX2(l->num_attribs, nir_intrinsic_base(intr) + count);
      return;
   }
   l->instance |= intr->intrinsic == nir_intrinsic_load_instance_id && !e->integers;
   if (sysval >= 0) {
      first = sysval;
      count = 1;
   } else if (store ? stage != MESA_SHADER_FRAGMENT : attila_select_io_is_input(intr)) {
      attila_select_io_range(intr, &first, &count);
   } else {
      return;
   }
   if (first + count > VARYING_SLOT_MAX) {
      air_error(e->ir, "varying slot %u", first + count - 1);
      return;
   }
   for (unsigned slot = first; slot < first + count; slot++) {
      if (stage == MESA_SHADER_FRAGMENT)
         attila_select_io_gather_input(l, intr, slot);
      if (store)
         l->written[slot] = true;
      else
         l->read[slot] = true;
   }
}

static void
attila_select_io_layout_outputs(struct attila_select *e, const struct layout *l)
{
   unsigned next = ATTILA_VS_OUTPUT_POSITION + 1;
   for (unsigned slot = 0; slot < VARYING_SLOT_MAX; slot++) {
      if (!l->written[slot])
         continue;
      unsigned reg = slot == VARYING_SLOT_POS ? ATTILA_VS_OUTPUT_POSITION : next++;
      if (reg >= ATTILA_ISA_MAX_OUTPUTS) {
         air_error(e->ir, "more than %u %s outputs", ATTILA_ISA_MAX_OUTPUTS,
                   gl_shader_stage_name(e->nir->info.stage));
         return;
      }
      e->out->output[slot] = reg;
      e->out->isa.wide |= reg >= ATTILA_ISA_NEAR_REGISTERS;
   }
}

static void
attila_select_io_layout_inputs(struct attila_select *e, const struct layout *l)
{
   const bool geometry = e->nir->info.stage == MESA_SHADER_GEOMETRY;
   const unsigned limit = geometry ? ATTILA_MAX_GS_INPUTS : ATTILA_ISA_MAX_INPUTS;
   unsigned num = 0;
   for (unsigned i = 0; i < 2 * VARYING_SLOT_MAX; i++) {
      const unsigned slot = i % VARYING_SLOT_MAX;
      const bool second = i >= VARYING_SLOT_MAX;
      if (!l->read[slot] || (second && l->places[slot] != (READ_AT_PIXEL | READ_AT_CENTROID)))
         continue;
      if (num == limit) {
         air_error(e->ir, "more than %u %s inputs", limit,
                   gl_shader_stage_name(e->nir->info.stage));
         return;
      }
      if (geometry)
         e->out->gs_input[num] = slot;
      else
         e->out->fs_input[num] = l->input[slot];
      if (second)
         e->out->fs_input[num].interp |= ATTILA_INTERP_CENTROID;
      e->input_reg[i] = ++num;
   }
   *(geometry ? &e->out->num_gs_inputs : &e->out->num_fs_inputs) = num;
   e->out->isa.wide |= num > ATTILA_ISA_NEAR_REGISTERS;
}

/* Registers follow the slots' order, so arrays of varyings are consecutive. */
void
attila_select_layout(struct attila_select *e)
{
   struct layout *l = rzalloc(e->ir->mem, struct layout);
   nir_foreach_block (block, nir_shader_get_entrypoint(e->nir)) {
      nir_foreach_instr (instr, block) {
         if (instr->type == nir_instr_type_intrinsic)
            attila_select_io_gather(e, nir_instr_as_intrinsic(instr), l);
      }
   }
   memset(e->out->output, ATTILA_NO_OUTPUT, sizeof(e->out->output));
   e->out->vs_instance_input = ATTILA_NO_INPUT;
   if (l->instance && l->num_attribs < ATTILA_MAX_ATTRIBS)
      e->out->vs_instance_input = l->num_attribs;
   attila_select_io_layout_inputs(e, l);
   attila_select_io_layout_outputs(e, l);
}

static struct attila_isa_instr *
attila_select_io_emit_mov(struct attila_select *e, nir_def *def, struct attila_isa_src src)
{
   struct attila_isa_instr *in = attila_select_op(e, ATTILA_OP_MOV, attila_select_def(e, def),
                                                  (1u << def->num_components) - 1);
   in->src[0] = src;
   return in;
}

/* Returns the swizzle from component first to channel x. */
static uint8_t
attila_select_io_shift_swizzle(unsigned first)
{
   return ATTILA_SWZ(MIN2(first, 3u), MIN2(first + 1, 3u), MIN2(first + 2, 3u), 3);
}

static void
attila_select_io_emit_load_input(struct attila_select *e, nir_intrinsic_instr *intr)
{
   nir_src *offset = nir_get_io_offset_src(intr);
   unsigned first, count;
   attila_select_io_range(intr, &first, &count);
   struct attila_isa_src src = {.file = ATTILA_FILE_INPUT,
                                .swizzle =
                                    attila_select_io_shift_swizzle(nir_intrinsic_component(intr))};
   unsigned limit = ATTILA_ISA_MAX_INPUTS;
   if (e->nir->info.stage == MESA_SHADER_VERTEX) {
      src.index = nir_intrinsic_base(intr);
      limit = ATTILA_MAX_ATTRIBS;
   } else {
      const bool centroid =
          attila_select_io_describe_input(intr, first).interp & ATTILA_INTERP_CENTROID;
      const unsigned second = e->input_reg[VARYING_SLOT_MAX + first];
      src.index = (centroid && second ? second : e->input_reg[first]) - 1;
   }
   if (src.index + count > limit) {
      air_error(e->ir, "input register %u", src.index + count - 1);
      return;
   }
   if (!nir_src_is_const(*offset)) {
      src.relative = true;
      src.rel_comp = attila_select_address(e, offset);
   }
   attila_select_io_emit_mov(e, &intr->def, src);
}

/* Geometry shader: loads an input of any vertex of the primitive. */
static void
attila_select_io_emit_load_vertex_input(struct attila_select *e, nir_intrinsic_instr *intr)
{
   const unsigned last = e->nir->info.gs.vertices_in - 1,
                  input = e->input_reg[nir_intrinsic_io_semantics(intr).location] - 1;
   nir_src *vertex = nir_get_io_arrayed_index_src(intr);
   struct attila_isa_src src = {.file = ATTILA_FILE_INPUT,
                                .index = ATTILA_GS_INPUT(input, 0),
                                .swizzle =
                                    attila_select_io_shift_swizzle(nir_intrinsic_component(intr))};
   assert(nir_src_is_const(*nir_get_io_offset_src(intr)));
   if (nir_src_is_const(*vertex)) {
      src.index += MIN2(nir_src_as_uint(*vertex), last);
   } else {
      src.relative = true;
      src.rel_comp = attila_select_address(e, vertex);
   }
   attila_select_io_emit_mov(e, &intr->def, src);
}

/* Selects EmitVertex and EndPrimitive. */
static void
attila_select_io_emit_strip(struct attila_select *e, nir_intrinsic_instr *intr)
{
   const unsigned stream = nir_intrinsic_stream_id(intr);
   if (!e->nir->info.gs.vertices_out)
      return;
   if (intr->intrinsic == nir_intrinsic_emit_vertex)
      air_append(e->ir, ATTILA_OP_EMIT)->target = stream;
   else if (!stream) /* points have no strips */
      air_append(e->ir, ATTILA_OP_CUT);
}

static void
attila_select_io_emit_sysval(struct attila_select *e, nir_intrinsic_instr *intr)
{
   struct attila_isa_src src = {.file = ATTILA_FILE_INPUT, .swizzle = ATTILA_SWZ_XYZW};
   const int id = e->integers ? attila_select_io_id_component(intr->intrinsic) : -1;
   if (id >= 0) {
      src.index =
          e->nir->info.stage == MESA_SHADER_GEOMETRY ? ATTILA_GS_INPUT_IDS : ATTILA_VS_INPUT_IDS;
      attila_select_io_emit_mov(e, &intr->def, attila_replicate(src, id));
      return;
   }
   if (intr->intrinsic == nir_intrinsic_load_instance_id) {
      src.index = e->out->vs_instance_input;
      if (src.index == ATTILA_NO_INPUT) { /* all inputs are attributes, so convert the integer */
         src.index = ATTILA_VS_INPUT_IDS;
         attila_select_op(e, ATTILA_OP_I2F, attila_select_def(e, &intr->def), 1)->src[0] =
             attila_replicate(src, attila_select_io_id_component(intr->intrinsic));
         return;
      }
      attila_select_io_emit_mov(e, &intr->def, src);
      return;
   }
   if (e->nir->info.stage != MESA_SHADER_FRAGMENT) {
      air_error(e->ir, "%s in a %s shader", nir_intrinsic_infos[intr->intrinsic].name,
                gl_shader_stage_name(e->nir->info.stage));
      return;
   }
   src.index = e->input_reg[attila_select_io_sysval_slot(intr->intrinsic)] - 1;
   attila_select_io_emit_mov(e, &intr->def, src);
}

static void
attila_select_io_emit_load_uniform(struct attila_select *e, nir_intrinsic_instr *intr)
{
   struct attila_isa_src src = {.file = ATTILA_FILE_CONST, .swizzle = ATTILA_SWZ_XYZW};
   unsigned index = nir_intrinsic_base(intr), last;
   if (nir_src_is_const(intr->src[0])) {
      last = index;
   } else {
      unsigned range = nir_intrinsic_range(intr);
      last = range && range < ATTILA_MAX_CONSTS ? index + range - 1
                                                : MAX2(e->nir->num_uniforms, index + 1) - 1;
      src.relative = true;
      src.rel_comp = attila_select_address(e, &intr->src[0]);
   }
   if (last >= ATTILA_MAX_CONSTS) {
      air_error(e->ir, "constant %u; there are %u", last, ATTILA_MAX_CONSTS);
      return;
   }
   src.index = index;
   e->ir->num_consts = MAX2(e->ir->num_consts, last + 1);
   attila_select_io_emit_mov(e, &intr->def, src);
}

struct attila_isa_src
attila_select_scalar(struct attila_select *e, nir_src *src)
{
   const nir_scalar s = nir_get_scalar(src->ssa, 0);
   return attila_replicate(attila_select_scalars(e, &s, 1), 0);
}

/* Loads from a uniform block: block and byte may differ by input. */
static void
attila_select_io_emit_load_ubo(struct attila_select *e, nir_intrinsic_instr *intr)
{
   const struct attila_isa_src block = attila_select_scalar(e, &intr->src[0]),
                               offset = attila_select_scalar(e, &intr->src[1]);
   struct attila_isa_instr *in = attila_select_op(
       e, ATTILA_OP_LDC, attila_select_def(e, &intr->def), (1u << intr->def.num_components) - 1);
   in->src[0] = offset;
   in->src[1] = block;
}

/* Returns the output of a slot. The second colour of dual-source blending is output 1. */
static int
attila_select_io_fragment_output(struct attila_select *e, unsigned slot, bool second)
{
   if (second)
      return slot == FRAG_RESULT_DATA0 || slot == FRAG_RESULT_COLOR ? 1 : -1;
   if (slot == FRAG_RESULT_COLOR) {
      e->out->color0_to_all = true;
      return 0;
   }
   if (slot >= FRAG_RESULT_DATA0 && slot < FRAG_RESULT_DATA0 + ATTILA_MAX_COLOR_BUFFERS)
      return slot - FRAG_RESULT_DATA0;
   return slot == FRAG_RESULT_DEPTH         ? ATTILA_FS_OUTPUT_DEPTH
          : slot == FRAG_RESULT_SAMPLE_MASK ? ATTILA_FS_OUTPUT_SAMPLES
                                            : -1;
}

static void
attila_select_io_emit_store_output(struct attila_select *e, nir_intrinsic_instr *intr)
{
   nir_src *offset = nir_get_io_offset_src(intr);
   unsigned first, count, component = nir_intrinsic_component(intr);
   attila_select_io_range(intr, &first, &count);
   bool fragment = e->nir->info.stage == MESA_SHADER_FRAGMENT;
   const bool second = fragment && nir_intrinsic_io_semantics(intr).dual_source_blend_index;
   int reg = fragment ? attila_select_io_fragment_output(e, first, second) : e->out->output[first];
   if (reg < 0) {
      air_error(e->ir, "fragment output %s%s", gl_frag_result_name(first),
                second ? ", second source" : "");
      return;
   }
   struct attila_isa_dst dst = {.file = ATTILA_FILE_OUTPUT, .index = reg};
   dst.write_mask = (nir_intrinsic_write_mask(intr) << component) & 0xf;
   if (!nir_src_is_const(*offset)) {
      if (fragment) {
         air_error(e->ir, "indirect fragment output");
         return;
      }
      dst.relative = true;
      dst.rel_comp = attila_select_address(e, offset);
   }
   struct attila_isa_src src = attila_select_src(e, &intr->src[0]);
   if (component) {
      uint8_t s[4];
      for (unsigned c = 0; c < 4; c++)
         s[c] = ATTILA_SWZ_GET(src.swizzle, c >= component ? c - component : 0);
      src.swizzle = ATTILA_SWZ(s[0], s[1], s[2], s[3]);
   }
   struct attila_isa_instr *in = air_append(e->ir, ATTILA_OP_MOV);
   in->dst = dst;
   in->src[0] = src;
}

static bool
attila_select_io_all_zero(const nir_scalar *scalars, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (!attila_scalar_is_float(scalars[i], 0.0))
         return false;
   }
   return true;
}

/* Matches "any of some components is below the same component of another vector", which is how ARB
 * programs kill. Finds the components and returns their number. */
static unsigned
attila_select_io_any_below(nir_scalar s, nir_scalar a[4], nir_scalar b[4])
{
   const unsigned count = attila_scalar_is(s, nir_op_fany_nequal2)   ? 2
                          : attila_scalar_is(s, nir_op_fany_nequal3) ? 3
                          : attila_scalar_is(s, nir_op_fany_nequal4) ? 4
                                                                     : 0;
   for (unsigned i = 0; i < count; i++) {
      const nir_alu_src *src = nir_instr_as_alu(s.def->parent_instr)->src;
      nir_scalar less = nir_scalar_chase_movs(nir_get_scalar(src[0].src.ssa, src[0].swizzle[i])),
                 zero = nir_scalar_chase_movs(nir_get_scalar(src[1].src.ssa, src[1].swizzle[i]));
      if (!attila_select_io_all_zero(&zero, 1) || !attila_scalar_is(less, nir_op_slt))
         return 0;
      a[i] = attila_scalar_operand(less, 0);
      b[i] = attila_scalar_operand(less, 1);
   }
   return count;
}

/* Repeats component count - 1 in those behind it, since KIL tests four components. */
static struct attila_isa_src
attila_select_io_repeat_last(struct attila_isa_src src, unsigned count)
{
   uint8_t s[4];
   for (unsigned i = 0; i < 4; i++)
      s[i] = ATTILA_SWZ_GET(src.swizzle, MIN2(i, count - 1));
   src.swizzle = ATTILA_SWZ(s[0], s[1], s[2], s[3]);
   return src;
}

/* Kills where a component of a is below that of b, that is, where the difference is negative. This
 * is exact, as small differences are not flushed to zero. */
static void
attila_select_io_emit_kill_below(struct attila_select *e, const nir_scalar *a, const nir_scalar *b,
                                 unsigned count)
{
   const bool from_zero = attila_select_io_all_zero(a, count);
   struct attila_isa_src src = attila_select_scalars(e, from_zero ? b : a, count);
   src.negate ^= from_zero;
   if (!from_zero && !attila_select_io_all_zero(b, count)) {
      struct attila_isa_src other = attila_select_scalars(e, b, count);
      const unsigned difference = air_new_vreg(e->ir, true);
      struct attila_isa_instr *in =
          attila_select_op(e, ATTILA_OP_ADD, difference, (1u << count) - 1);
      in->src[0] = src;
      in->src[1] = other;
      in->src[1].negate = !other.negate;
      src = attila_temp(difference);
   }
   air_append(e->ir, ATTILA_OP_KIL)->src[0] = attila_select_io_repeat_last(src, count);
}

/* Selects a kill. KIL compares with zero, so some comparisons become part of it. */
static void
attila_select_io_emit_kill(struct attila_select *e, nir_intrinsic_instr *intr, bool conditional)
{
   static const float one = 1.0f;
   if (!conditional) {
      struct attila_isa_src src = air_literal(e->ir, &one, 1);
      air_append(e->ir, ATTILA_OP_KILC)->src[0] = src;
      return;
   }
   nir_scalar a[4], b[4], s = nir_scalar_chase_movs(nir_get_scalar(intr->src[0].ssa, 0));
   unsigned count = attila_select_io_any_below(s, a, b);
   if (attila_scalar_is(s, nir_op_slt)) {
      a[0] = attila_scalar_operand(s, 0);
      b[0] = attila_scalar_operand(s, 1);
      count = attila_select_io_all_zero(a, 1) || attila_select_io_all_zero(b, 1);
   }
   if (count) {
      attila_select_io_emit_kill_below(e, a, b, count);
      return;
   }
   struct attila_isa_src src = attila_replicate(attila_select_src(e, &intr->src[0]), 0);
   air_append(e->ir, ATTILA_OP_KILC)->src[0] = src;
}

static void
attila_select_io_emit_decl_reg(struct attila_select *e, nir_intrinsic_instr *intr)
{
   unsigned elements = nir_intrinsic_num_array_elems(intr);
   e->vreg[intr->def.index] =
       (elements ? air_new_array(e->ir, elements) : air_new_vreg(e->ir, false)) + 1;
}

static void
attila_select_io_emit_reg_access(struct attila_select *e, nir_intrinsic_instr *intr, bool store,
                                 bool indirect)
{
   unsigned reg = attila_select_def(e, intr->src[store ? 1 : 0].ssa) + nir_intrinsic_base(intr);
   unsigned address = 0;
   if (indirect)
      address = attila_select_address(e, &intr->src[store ? 2 : 1]);
   if (!store) {
      struct attila_isa_instr *in = attila_select_io_emit_mov(e, &intr->def, attila_temp(reg));
      in->src[0].relative = indirect;
      in->src[0].rel_comp = address;
      return;
   }
   struct attila_isa_src src = attila_select_src(e, &intr->src[0]);
   struct attila_isa_instr *in =
       attila_select_op(e, ATTILA_OP_MOV, reg, nir_intrinsic_write_mask(intr));
   in->src[0] = src;
   in->dst.relative = indirect;
   in->dst.rel_comp = address;
}

static void
attila_select_io_emit_derivative(struct attila_select *e, nir_intrinsic_instr *intr, unsigned op)
{
   struct attila_isa_src src = attila_select_src(e, &intr->src[0]);
   attila_select_op(e, op, attila_select_def(e, &intr->def), (1u << intr->def.num_components) - 1)
       ->src[0] = src;
}

void
attila_select_intrinsic(struct attila_select *e, nir_intrinsic_instr *intr)
{
   switch (intr->intrinsic) {
   case nir_intrinsic_load_input:
   case nir_intrinsic_load_interpolated_input:
      attila_select_io_emit_load_input(e, intr);
      break;
   case nir_intrinsic_load_per_vertex_input:
      attila_select_io_emit_load_vertex_input(e, intr);
      break;
   case nir_intrinsic_emit_vertex:
   case nir_intrinsic_end_primitive:
      attila_select_io_emit_strip(e, intr);
      break;
   case nir_intrinsic_load_barycentric_pixel:
   case nir_intrinsic_load_barycentric_centroid:
   case nir_intrinsic_load_barycentric_sample:
      break; /* setup interpolates */
   case nir_intrinsic_load_frag_coord:
   case nir_intrinsic_load_front_face:
   case nir_intrinsic_load_vertex_id:
   case nir_intrinsic_load_instance_id:
   case nir_intrinsic_load_base_vertex:
   case nir_intrinsic_load_point_coord:
   case nir_intrinsic_load_primitive_id:
   case nir_intrinsic_load_invocation_id:
      attila_select_io_emit_sysval(e, intr);
      break;
   case nir_intrinsic_load_uniform:
      attila_select_io_emit_load_uniform(e, intr);
      break;
   case nir_intrinsic_load_ubo:
      attila_select_io_emit_load_ubo(e, intr);
      break;
   case nir_intrinsic_store_output:
      attila_select_io_emit_store_output(e, intr);
      break;
   case nir_intrinsic_terminate:
   case nir_intrinsic_demote:
      attila_select_io_emit_kill(e, intr, false);
      break;
   case nir_intrinsic_terminate_if:
   case nir_intrinsic_demote_if:
      attila_select_io_emit_kill(e, intr, true);
      break;
   case nir_intrinsic_ddx:
   case nir_intrinsic_ddx_fine:
   case nir_intrinsic_ddx_coarse:
      attila_select_io_emit_derivative(e, intr, ATTILA_OP_DDX);
      break;
   case nir_intrinsic_ddy:
   case nir_intrinsic_ddy_fine:
   case nir_intrinsic_ddy_coarse:
      attila_select_io_emit_derivative(e, intr, ATTILA_OP_DDY);
      break;
   case nir_intrinsic_decl_reg:
      attila_select_io_emit_decl_reg(e, intr);
      break;
   case nir_intrinsic_load_reg:
      attila_select_io_emit_reg_access(e, intr, false, false);
      break;
   case nir_intrinsic_load_reg_indirect:
      attila_select_io_emit_reg_access(e, intr, false, true);
      break;
   case nir_intrinsic_store_reg:
      attila_select_io_emit_reg_access(e, intr, true, false);
      break;
   case nir_intrinsic_store_reg_indirect:
      attila_select_io_emit_reg_access(e, intr, true, true);
      break;
   default:
      if (!attila_select_memory(e, intr))
         air_error(e->ir, "%s is not supported", nir_intrinsic_infos[intr->intrinsic].name);
      break;
   }
}
