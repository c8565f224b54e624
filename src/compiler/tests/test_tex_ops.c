/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Directed tests of texture operations: how they are encoded, and what they request from the
 * texture unit. */
#include "harness.h"

static nir_tex_instr *
new_tex(nir_builder *b, nir_texop op, unsigned dim, bool array, unsigned sampler, unsigned srcs)
{
   nir_tex_instr *tex = nir_tex_instr_create(b->shader, srcs);
   tex->op = op;
   tex->sampler_dim = dim;
   tex->is_array = array;
   tex->texture_index = tex->sampler_index = sampler;
   tex->dest_type = nir_type_float32;
   tex->coord_components = glsl_get_sampler_dim_coordinate_components(dim) + array;
   return tex;
}

static nir_def *
finish_tex(nir_builder *b, nir_tex_instr *tex)
{
   nir_def_init(&tex->instr, &tex->def, 4, 32);
   nir_builder_instr_insert(b, &tex->instr);
   return &tex->def;
}

static const struct attila_isa_instr *
find_tex(const struct shader_test *t)
{
   for (unsigned i = 0; i < t->out.isa.num_instrs; i++) {
      if (attila_isa_ops[t->out.isa.instrs[i].op].cls == ATTILA_CLASS_TEXTURE)
         return &t->out.isa.instrs[i];
   }
   fail_msg("no texture instruction");
   return NULL;
}

/* shadow2DProj(s, x): one instruction that reads the varying as it is. */
static void
test_texture_projective_shadow(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   nir_builder *b = &t->b;
   nir_def *x = test_input(t, 3);
   nir_tex_instr *tex = new_tex(b, nir_texop_tex, GLSL_SAMPLER_DIM_2D, false, 5, 3);
   tex->is_shadow = true;
   tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_coord, nir_trim_vector(b, x, 2));
   tex->src[1] = nir_tex_src_for_ssa(nir_tex_src_comparator, nir_channel(b, x, 2));
   tex->src[2] = nir_tex_src_for_ssa(nir_tex_src_projector, nir_channel(b, x, 3));
   test_output(t, 0, finish_tex(b, tex));
   test_must_compile(t, 0);
   const struct attila_isa_instr *in = find_tex(t);
   assert_int_equal(in->op, ATTILA_OP_TXP);
   assert_int_equal(in->tex_unit, 5);
   assert_int_equal(in->tex_target, ATTILA_TEX_2D);
   assert_true(in->tex_shadow);
   assert_int_equal(in->src[0].file, ATTILA_FILE_INPUT);
   assert_int_equal(in->src[0].swizzle, ATTILA_SWZ_XYZW);
   assert_int_equal(t->out.isa.num_instrs, 2); /* and END: the texel goes to the output */
   assert_int_equal(t->out.samplers, 1u << 5);
   test_end(t);
}

/* Coordinates, reference value and level come from different places. Projection without an
 * instruction for it becomes a division. */
static void
test_texture_operands_are_packed(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   nir_builder *b = &t->b;
   nir_def *x = test_input(t, 0), *y = test_input(t, 1);
   nir_tex_instr *tex = new_tex(b, nir_texop_txb, GLSL_SAMPLER_DIM_2D, false, 1, 4);
   tex->is_shadow = true;
   tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_coord,
                                     nir_vec2(b, nir_channel(b, x, 1), nir_channel(b, y, 3)));
   tex->src[1] = nir_tex_src_for_ssa(nir_tex_src_comparator, nir_channel(b, y, 0));
   tex->src[2] = nir_tex_src_for_ssa(nir_tex_src_projector, nir_channel(b, x, 3));
   tex->src[3] = nir_tex_src_for_ssa(nir_tex_src_bias, nir_imm_float(b, 2.5));
   test_output(t, 0, finish_tex(b, tex));
   test_must_compile(t, 0);
   struct emul_vec4 *p = test_input_reg(t, 0), *q = test_input_reg(t, 1);
   for (unsigned l = 0; l < EMUL_LANES; l++)
      p->c[3][l] = l + 1;
   assert_true(test_run(t));
   assert_int_equal(t->num_tex, 1);
   assert_int_equal(t->last_tex.op, ATTILA_OP_TXB);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      assert_float_equal(t->last_tex.coord[0][l], p->c[1][l] / (l + 1), 1e-4);
      assert_float_equal(t->last_tex.coord[1][l], q->c[3][l] / (l + 1), 1e-4);
      assert_float_equal(t->last_tex.ref[l], q->c[0][l] / (l + 1), 1e-4);
      assert_float_equal(t->last_tex.lod[l], 2.5, 0);
   }
   test_end(t);
}

static void
test_texture_vertex_and_gradients(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_VERTEX);
   nir_builder *b = &t->b;
   nir_def *x = test_input(t, 0);
   nir_tex_instr *tex = new_tex(b, nir_texop_txl, GLSL_SAMPLER_DIM_CUBE, false, 2, 2);
   tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_coord, nir_trim_vector(b, x, 3));
   tex->src[1] = nir_tex_src_for_ssa(nir_tex_src_lod, nir_channel(b, x, 3));
   test_output(t, 0, finish_tex(b, tex));
   test_must_compile(t, 0);
   assert_int_equal(find_tex(t)->op, ATTILA_OP_TXL);
   assert_int_equal(find_tex(t)->tex_unit, attila_first_tex_unit(ATTILA_STAGE_VERTEX) + 2);
   assert_int_equal(find_tex(t)->src[1].swizzle & 3, 3);
   assert_int_equal(t->out.samplers, 1u << 2);
   test_end(t);

   t = test_begin(MESA_SHADER_FRAGMENT);
   b = &t->b;
   x = test_input(t, 0);
   tex = new_tex(b, nir_texop_txd, GLSL_SAMPLER_DIM_RECT, false, 0, 3);
   tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_coord, nir_trim_vector(b, x, 2));
   tex->src[1] = nir_tex_src_for_ssa(nir_tex_src_ddx, nir_ddx(b, nir_trim_vector(b, x, 2)));
   tex->src[2] = nir_tex_src_for_ssa(nir_tex_src_ddy, nir_ddy(b, nir_trim_vector(b, x, 2)));
   test_output(t, 0, finish_tex(b, tex));
   test_must_compile(t, 0);
   struct emul_vec4 *p = test_input_reg(t, 0);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      p->c[0][l] = 3.0f * (l & 1) + 5.0f * (l >> 1 & 1);
      p->c[1][l] = 7.0f * (l & 1);
   }
   assert_true(test_run(t));
   assert_int_equal(find_tex(t)->tex_target, ATTILA_TEX_RECT);
   assert_float_equal(t->last_tex.ddx[0][4], 3, 0);
   assert_float_equal(t->last_tex.ddx[1][4], 7, 0);
   assert_float_equal(t->last_tex.ddy[0][4], 5, 0);
   assert_float_equal(t->last_tex.ddy[1][4], 0, 0);
   test_end(t);
}

/* An array of samplers indexed by a value. */
static void
test_only_indexed_samplers_are_sampled(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   nir_builder *b = &t->b;
   nir_def *x = test_input(t, 0);
   nir_tex_instr *tex = new_tex(b, nir_texop_tex, GLSL_SAMPLER_DIM_2D, false, 2, 3);
   nir_def *index = nir_f2i32(b, nir_channel(b, x, 2));
   tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_coord, nir_trim_vector(b, x, 2));
   tex->src[1] = nir_tex_src_for_ssa(nir_tex_src_texture_offset, index);
   tex->src[2] = nir_tex_src_for_ssa(nir_tex_src_sampler_offset, index);
   BITSET_SET_RANGE(b->shader->info.textures_used, 2, 4);
   test_output(t, 0, finish_tex(b, tex));
   test_must_compile(t, 0);
   struct emul_vec4 *p = test_input_reg(t, 0);
   for (unsigned l = 0; l < EMUL_LANES; l++)
      p->c[2][l] = l % 3;
   assert_true(test_run(t));
   assert_int_equal(t->num_tex, 3);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      assert_float_equal(t->outputs[0].c[3][l], 2 + l % 3, 0);
      assert_float_equal(t->outputs[0].c[0][l], p->c[0][l] + 1, 0);
   }
   for (unsigned l = 0; l < EMUL_LANES; l++)
      p->c[2][l] = 1;
   assert_true(test_run(t));
   assert_int_equal(t->num_tex, 1);
   assert_float_equal(t->outputs[0].c[3][9], 3, 0);
   assert_int_equal(t->out.samplers, 7u << 2);
   assert_int_equal(t->out.indexed_samplers, 3);
   test_end(t);
}

static void
put(struct emul_vec4 *reg, unsigned c, unsigned lane, uint32_t bits)
{
   memcpy(&reg->c[c][lane], &bits, sizeof(bits));
}

/* texelFetchOffset: integers arrive as they are, the offset in the instruction. */
static void
test_texel_fetch_passes_integers_and_offset(void **state)
{
   (void)state;
   struct shader_test *t = test_begin_with(MESA_SHADER_FRAGMENT, true);
   nir_builder *b = &t->b;
   nir_def *x = test_input(t, 0);
   nir_tex_instr *tex = new_tex(b, nir_texop_txf, GLSL_SAMPLER_DIM_2D, true, 3, 3);
   tex->dest_type = nir_type_uint32;
   tex->sampler_index = 0;
   tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_coord, nir_trim_vector(b, x, 3));
   tex->src[1] = nir_tex_src_for_ssa(nir_tex_src_lod, nir_channel(b, x, 3));
   tex->src[2] = nir_tex_src_for_ssa(nir_tex_src_offset, nir_imm_ivec2(b, -8, 7));
   test_output(t, 0, finish_tex(b, tex));
   test_must_compile(t, 0);
   assert_int_equal(find_tex(t)->op, ATTILA_OP_TXF);
   assert_int_equal(find_tex(t)->tex_unit, 3);
   assert_int_equal(find_tex(t)->tex_target, ATTILA_TEX_2D_ARRAY);
   assert_int_equal(t->out.isa.num_instrs, 2);
   assert_int_equal(t->out.samplers, 1u << 3);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      for (unsigned c = 0; c < 4; c++)
         put(test_input_reg(t, 0), c, l, c * 100 + l);
   }
   assert_true(test_run(t));
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      for (unsigned c = 0; c < 4; c++) {
         int32_t got;
         memcpy(&got, c < 3 ? &t->last_tex.coord[c][l] : &t->last_tex.lod[l], sizeof(got));
         assert_int_equal(got, c * 100 + l);
      }
   }
   assert_int_equal(t->last_tex.offset[0], -8);
   assert_int_equal(t->last_tex.offset[1], 7);
   assert_int_equal(t->last_tex.offset[2], 0);
   test_end(t);
}

/* The number of the sample is in the place of the level. */
static void
test_texture_fetch_sample(void **state)
{
   (void)state;
   struct shader_test *t = test_begin_with(MESA_SHADER_FRAGMENT, true);
   nir_builder *b = &t->b;
   nir_def *x = test_input(t, 0);
   nir_tex_instr *tex = new_tex(b, nir_texop_txf_ms, GLSL_SAMPLER_DIM_MS, true, 2, 2);
   tex->dest_type = nir_type_uint32;
   tex->sampler_index = 0;
   tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_coord, nir_trim_vector(b, x, 3));
   tex->src[1] = nir_tex_src_for_ssa(nir_tex_src_ms_index, nir_channel(b, x, 3));
   test_output(t, 0, finish_tex(b, tex));
   test_must_compile(t, 0);
   assert_int_equal(find_tex(t)->op, ATTILA_OP_TXF);
   assert_int_equal(find_tex(t)->tex_target, ATTILA_TEX_2D_ARRAY);
   for (unsigned l = 0; l < EMUL_LANES; l++)
      put(test_input_reg(t, 0), 3, l, 3 + l);
   assert_true(test_run(t));
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      int32_t got;
      memcpy(&got, &t->last_tex.lod[l], sizeof(got));
      assert_int_equal(got, 3 + l);
   }
   test_end(t);
}

/* The texture unit returns 0x1001, ... in x, y, z, w. */
static void
answer_sizes(void *user, const struct emul_tex_request *request, struct emul_vec4 *texel)
{
   (void)user;
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned l = 0; l < EMUL_LANES && !(request->unread >> c & 1); l++)
         put(texel, c, l, 0x1001 + c);
   }
}

/* textureSize, and textureQueryLevels, which is the last component of the same instruction. */
static void
test_size_and_levels_come_from_one_instruction(void **state)
{
   (void)state;
   struct shader_test *t = test_begin_with(MESA_SHADER_FRAGMENT, true);
   nir_builder *b = &t->b;
   nir_tex_instr *tex = new_tex(b, nir_texop_txs, GLSL_SAMPLER_DIM_3D, false, 1, 1);
   tex->dest_type = nir_type_int32;
   tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_lod, nir_channel(b, test_input(t, 0), 2));
   nir_def_init(&tex->instr, &tex->def, 3, 32);
   nir_builder_instr_insert(b, &tex->instr);
   nir_tex_instr *levels = new_tex(b, nir_texop_query_levels, GLSL_SAMPLER_DIM_2D, false, 2, 0);
   levels->dest_type = nir_type_int32;
   nir_def_init(&levels->instr, &levels->def, 1, 32);
   nir_builder_instr_insert(b, &levels->instr);
   test_output(t, 0,
               nir_vec4(b, nir_channel(b, &tex->def, 0), nir_channel(b, &tex->def, 1),
                        nir_channel(b, &tex->def, 2), &levels->def));
   test_must_compile(t, 0);
   assert_int_equal(test_count(t, ATTILA_OP_TXS), 2);
   assert_int_equal(t->out.samplers, 6);
   t->sample = answer_sizes;
   for (unsigned l = 0; l < EMUL_LANES; l++)
      put(test_input_reg(t, 0), 2, l, 5);
   assert_true(test_run(t));
   for (unsigned c = 0; c < 4; c++) {
      uint32_t got;
      memcpy(&got, &test_output_reg(t, 0)->c[c][7], sizeof(got));
      assert_int_equal(got, 0x1001 + c);
   }
   test_end(t);
}

/* textureGradOffset: gradients with modifiers are copied, as there is no room for both. */
static void
test_texture_gradients_with_offset(void **state)
{
   (void)state;
   struct shader_test *t = test_begin_with(MESA_SHADER_FRAGMENT, true);
   nir_builder *b = &t->b;
   nir_def *x = test_input(t, 0);
   nir_tex_instr *tex = new_tex(b, nir_texop_txd, GLSL_SAMPLER_DIM_3D, false, 0, 4);
   tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_coord, nir_trim_vector(b, x, 3));
   tex->src[1] = nir_tex_src_for_ssa(nir_tex_src_ddx, nir_fneg(b, nir_trim_vector(b, x, 3)));
   tex->src[2] = nir_tex_src_for_ssa(nir_tex_src_ddy, nir_fabs(b, nir_trim_vector(b, x, 3)));
   tex->src[3] = nir_tex_src_for_ssa(nir_tex_src_offset, nir_imm_ivec3(b, 1, -2, 3));
   test_output(t, 0, finish_tex(b, tex));
   test_must_compile(t, 0);
   assert_true(test_run(t));
   assert_int_equal(t->last_tex.op, ATTILA_OP_TXD);
   assert_memory_equal(t->last_tex.offset, ((int8_t[4]){1, -2, 3}), 4);
   struct emul_vec4 *p = test_input_reg(t, 0);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      assert_float_equal(t->last_tex.ddx[1][l], -p->c[1][l], 0);
      assert_float_equal(t->last_tex.ddy[2][l], p->c[2][l], 0);
   }
   test_end(t);
}

/* textureGatherOffset with an offset that is not constant, and textureGather without an offset. */
static void
test_gathers_take_any_offset(void **state)
{
   (void)state;
   struct shader_test *t = test_begin_with(MESA_SHADER_FRAGMENT, true);
   nir_builder *b = &t->b;
   nir_def *x = test_input(t, 0);
   nir_tex_instr *tex = new_tex(b, nir_texop_tg4, GLSL_SAMPLER_DIM_2D, false, 3, 2);
   tex->component = 2;
   tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_coord, nir_trim_vector(b, x, 2));
   tex->src[1] = nir_tex_src_for_ssa(nir_tex_src_offset,
                                     nir_f2i32(b, nir_swizzle(b, x, (unsigned[]){3, 2}, 2)));
   test_output(t, 0, finish_tex(b, tex));
   test_must_compile(t, 0);
   assert_int_equal(find_tex(t)->op, ATTILA_OP_TXG);
   assert_int_equal(find_tex(t)->tex_component, 2);
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      test_input_reg(t, 0)->c[2][l] = l;
      test_input_reg(t, 0)->c[3][l] = -40.0f - l;
   }
   assert_true(test_run(t));
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      int32_t got[2];
      memcpy(&got[0], &t->last_tex.ddx[0][l], 4);
      memcpy(&got[1], &t->last_tex.ddx[1][l], 4);
      assert_int_equal(got[0], -40 - (int)l);
      assert_int_equal(got[1], l);
   }
   assert_int_equal(t->last_tex.component, 2);
   test_end(t);
}

/* For an array of cubes the layer is in w, so the reference is in the second operand. */
static void
test_cube_array_has_a_reference(void **state)
{
   (void)state;
   static const nir_texop ops[] = {nir_texop_tex, nir_texop_txl, nir_texop_tg4};
   static const uint8_t isa[] = {ATTILA_OP_TXB, ATTILA_OP_TXL, ATTILA_OP_TXG};
   for (unsigned i = 0; i < ARRAY_SIZE(ops); i++) {
      struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
      nir_builder *b = &t->b;
      nir_def *x = test_input(t, 0), *y = test_input(t, 1);
      nir_tex_instr *tex = new_tex(b, ops[i], GLSL_SAMPLER_DIM_CUBE, true, 1, i == 1 ? 3 : 2);
      tex->is_shadow = true;
      tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_coord, x);
      tex->src[1] = nir_tex_src_for_ssa(nir_tex_src_comparator, nir_channel(b, y, 1));
      if (i == 1)
         tex->src[2] = nir_tex_src_for_ssa(nir_tex_src_lod, nir_channel(b, y, 2));
      test_output(t, 0, finish_tex(b, tex));
      test_must_compile(t, 0);
      assert_int_equal(find_tex(t)->op, isa[i]);
      assert_int_equal(find_tex(t)->tex_target, ATTILA_TEX_CUBE_ARRAY);
      struct emul_vec4 *p = test_input_reg(t, 0), *q = test_input_reg(t, 1);
      for (unsigned l = 0; l < EMUL_LANES; l++)
         p->c[3][l] = l;
      assert_true(test_run(t));
      for (unsigned l = 0; l < EMUL_LANES; l++) {
         assert_float_equal(t->last_tex.layer[l], l, 0);
         assert_float_equal(t->last_tex.ref[l], q->c[1][l], 0);
         assert_float_equal(t->last_tex.coord[2][l], p->c[2][l], 0);
         if (i < 2)
            assert_float_equal(t->last_tex.lod[l], i ? q->c[2][l] : 0, 0);
      }
      test_end(t);
   }
}

/* textureQueryLod of an array takes no layer. */
static void
test_levels_of_detail_take_no_layer(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   nir_builder *b = &t->b;
   nir_tex_instr *tex = new_tex(b, nir_texop_lod, GLSL_SAMPLER_DIM_2D, true, 0, 1);
   tex->coord_components = 2;
   tex->src[0] = nir_tex_src_for_ssa(nir_tex_src_coord, nir_trim_vector(b, test_input(t, 0), 2));
   nir_def_init(&tex->instr, &tex->def, 2, 32);
   nir_builder_instr_insert(b, &tex->instr);
   test_output(t, 0,
               nir_vec4(b, nir_channel(b, &tex->def, 1), nir_channel(b, &tex->def, 0),
                        nir_channel(b, &tex->def, 0), nir_channel(b, &tex->def, 1)));
   test_must_compile(t, 0);
   assert_int_equal(find_tex(t)->op, ATTILA_OP_TXQL);
   assert_int_equal(find_tex(t)->tex_target, ATTILA_TEX_2D_ARRAY);
   assert_true(test_run(t));
   test_end(t);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_texture_projective_shadow),
       cmocka_unit_test(test_texture_operands_are_packed),
       cmocka_unit_test(test_texture_vertex_and_gradients),
       cmocka_unit_test(test_only_indexed_samplers_are_sampled),
       cmocka_unit_test(test_texel_fetch_passes_integers_and_offset),
       cmocka_unit_test(test_texture_fetch_sample),
       cmocka_unit_test(test_size_and_levels_come_from_one_instruction),
       cmocka_unit_test(test_texture_gradients_with_offset),
       cmocka_unit_test(test_gathers_take_any_offset),
       cmocka_unit_test(test_cube_array_has_a_reference),
       cmocka_unit_test(test_levels_of_detail_take_no_layer),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
