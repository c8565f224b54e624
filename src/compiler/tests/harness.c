/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * See harness.h. */
#include "harness.h"
#include "config/sim_shader_machine.h"
#include "compiler/glsl_types.h"

struct shader_test *
test_begin(gl_shader_stage stage)
{
   return test_begin_with(stage, false);
}

struct shader_test *
test_begin_with(gl_shader_stage stage, bool integers)
{
   struct shader_test *t = aligned_alloc(64, (sizeof(*t) + 63) & ~(size_t)63);
   assert_non_null(t);
   memset(t, 0, sizeof(*t));
   glsl_type_singleton_init_or_ref();
   t->b = nir_builder_init_simple_shader(stage, attila_nir_options(), "test");
   t->b.shader->info.use_legacy_math_rules = !integers;
   t->b.shader->info.io_lowered = true;
   t->b.shader->num_uniforms = 64;
   for (unsigned r = 0; r < ARRAY_SIZE(t->inputs); r++) {
      for (unsigned l = 0; l < EMUL_LANES; l++) {
         for (unsigned c = 0; c < 4; c++)
            t->inputs[r].c[c][l] = 100.0f * r + 10.0f * c + l;
      }
   }
   for (unsigned r = 0; r < ATTILA_MAX_CONSTS; r++) {
      for (unsigned c = 0; c < 4; c++)
         t->consts[r][c] = 1000.0f + r + 0.25f * c;
   }
   return t;
}

void
test_end(struct shader_test *t)
{
   attila_compiled_finish(&t->out);
   free(t->error);
   ralloc_free(t->b.shader);
   glsl_type_singleton_decref();
   free(t);
}

nir_def *
test_input_indirect(struct shader_test *t, unsigned first, unsigned count, nir_def *index)
{
   nir_builder *b = &t->b;
   if (b->shader->info.stage == MESA_SHADER_VERTEX) {
      nir_io_semantics sem = {.location = VERT_ATTRIB_GENERIC0 + first, .num_slots = count};
      return nir_load_input(b, 4, 32, index, .base = first, .dest_type = nir_type_float32,
                            .io_semantics = sem);
   }
   nir_io_semantics sem = {.location = VARYING_SLOT_VAR0 + first, .num_slots = count};
   nir_def *bary = nir_load_barycentric_pixel(b, 32, .interp_mode = INTERP_MODE_SMOOTH);
   return nir_load_interpolated_input(b, 4, 32, bary, index, .base = first,
                                      .dest_type = nir_type_float32, .io_semantics = sem);
}

nir_def *
test_input(struct shader_test *t, unsigned n)
{
   return test_input_indirect(t, n, 1, nir_imm_int(&t->b, 0));
}

nir_def *
test_uniform_indirect(struct shader_test *t, unsigned first, unsigned count, nir_def *index)
{
   return nir_load_uniform(&t->b, 4, 32, index, .base = first, .range = count,
                           .dest_type = nir_type_float32);
}

nir_def *
test_uniform(struct shader_test *t, unsigned n)
{
   return test_uniform_indirect(t, n, 1, nir_imm_int(&t->b, 0));
}

void
test_output(struct shader_test *t, unsigned n, nir_def *value)
{
   bool fragment = t->b.shader->info.stage == MESA_SHADER_FRAGMENT;
   nir_io_semantics sem = {
       .location = (fragment ? (unsigned)FRAG_RESULT_DATA0 : (unsigned)VARYING_SLOT_VAR0) + n,
       .num_slots = 1};
   nir_store_output(&t->b, value, nir_imm_int(&t->b, 0), .base = n, .src_type = nir_type_float32,
                    .write_mask = nir_component_mask(value->num_components), .io_semantics = sem);
}

void
test_set_machine(struct shader_test *t, unsigned n)
{
   static const char *const machines[][4] = {
       {0},
       {"FRAGMENTSHADER.VectorShader=TRUE", "FRAGMENTSHADER.VectorALUConfig=\"simd4+scalar\"",
        "FRAGMENTSHADER.VectorLength=16", "FRAGMENTSHADER.VectorResources=512"},
       {"FRAGMENTSHADER.FetchRate=2", "FRAGMENTSHADER.ScalarALU=TRUE"},
       {"FRAGMENTSHADER.FetchRate=4", "FRAGMENTSHADER.ExecutableThreads=16"},
       {"FRAGMENTSHADER.VectorShader=TRUE", "FRAGMENTSHADER.VectorALUConfig=\"scalar\""},
   };
   n %= ARRAY_SIZE(machines);
   for (t->num_settings = 0; t->num_settings < 4 && machines[n][t->num_settings]; t->num_settings++)
      t->settings[t->num_settings] = machines[n][t->num_settings];
   t->release_rates = n == 1 || n == 4;
}

static void
describe_machine(struct shader_test *t)
{
   struct sim_config config;
   char message[200];
#define RATE(name, srcs, dst, cls, lat, rep, doc) "REPEATRATE." #name "=" #rep,
   static const char *const rates[] = {ATTILA_ISA_OPCODES(RATE)};
#undef RATE
   sim_config_defaults(&config);
   for (unsigned i = 0; t->release_rates && i < ARRAY_SIZE(rates); i++) {
      if (!sim_config_set(&config, rates[i], message, sizeof(message)))
         fail_msg("%s", message);
   }
   for (unsigned i = 0; i < t->num_settings; i++) {
      if (!sim_config_set(&config, t->settings[i], message, sizeof(message)))
         fail_msg("%s", message);
   }
   static const enum attila_stage stages[] = {[MESA_SHADER_VERTEX] = ATTILA_STAGE_VERTEX,
                                              [MESA_SHADER_GEOMETRY] = ATTILA_STAGE_GEOMETRY,
                                              [MESA_SHADER_FRAGMENT] = ATTILA_STAGE_FRAGMENT};
   sim_shader_machine_describe(&config, stages[t->b.shader->info.stage], &t->machine);
}

bool
test_compile(struct shader_test *t, uint32_t debug)
{
   struct attila_compile_options options = {
       .debug = debug | ATTILA_DEBUG_VALIDATE,
       .variant = t->variant,
   };
   describe_machine(t);
   options.machine = t->machine;
   attila_compiled_finish(&t->out);
   free(t->error);
   nir_validate_shader(t->b.shader, "before compilation");
   bool ok = attila_compile(t->b.shader, &options, &t->out, &t->error);
   if (ok)
      attila_compiled_print(&t->out, "test", &options);
   return ok;
}

void
test_must_compile(struct shader_test *t, uint32_t debug)
{
   if (!test_compile(t, debug))
      fail_msg("%s", t->error);
}

static void
sample(void *user, const struct emul_tex_request *request, struct emul_vec4 *texel)
{
   struct shader_test *t = user;
   t->last_tex = *request;
   t->num_tex++;
   if (t->sample) {
      t->sample(t, request, texel);
      return;
   }
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      for (unsigned c = 0; c < 4; c++) {
         if (!(request->unread >> c & 1))
            texel->c[c][l] = c == 3 ? request->unit : request->coord[c][l] + c + 1;
      }
   }
}

bool
test_run(struct shader_test *t)
{
   struct emul_thread *thread = aligned_alloc(64, (sizeof(*thread) + 63) & ~(size_t)63);
   assert_non_null(thread);
   memset(thread, 0, sizeof(*thread));
   struct emul_program *program = emul_program_create(&t->out.isa);
   assert_non_null(program);
   thread->program = program;
   thread->temps = t->temps;
   thread->inputs = t->inputs;
   thread->outputs = t->outputs;
   thread->consts = t->consts;
   /* Registers hold what the last thread left. */
   for (unsigned r = 0; r < t->out.isa.num_temps; r++) {
      for (unsigned l = 0; l < EMUL_LANES; l++) {
         for (unsigned c = 0; c < 4; c++)
            t->temps[r].c[c][l] = -77777.0f;
      }
   }
   t->num_tex = 0;
   for (unsigned l = 0; l < EMUL_LANES && t->b.shader->info.stage == MESA_SHADER_GEOMETRY; l++) {
      assert_true(t->out.isa.gs_max_vertices <= TEST_MAX_EMITTED);
      t->emission[l].out = t->emitted[l][0];
      emul_emission_start(&t->emission[l], ATTILA_ISA_MAX_OUTPUTS, t->out.isa.gs_max_vertices);
      thread->emission[l] = &t->emission[l];
   }
   emul_thread_start(thread, program, 0xffff, t->b.shader->info.stage == MESA_SHADER_FRAGMENT,
                     1u << 16);
   enum emul_step end = emul_thread_run(thread, sample, t);
   t->killed = thread->killed;
   emul_program_destroy(program);
   free(thread);
   return end == EMUL_STEP_END;
}

struct emul_vec4 *
test_find_input(struct shader_test *t, unsigned n)
{
   if (t->b.shader->info.stage == MESA_SHADER_VERTEX)
      return &t->inputs[n];
   for (unsigned i = 0; i < t->out.num_fs_inputs; i++) {
      if (t->out.fs_input[i].source == ATTILA_FS_VARYING &&
          t->out.fs_input[i].slot == VARYING_SLOT_VAR0 + n)
         return &t->inputs[i];
   }
   return NULL;
}

struct emul_vec4 *
test_input_reg(struct shader_test *t, unsigned n)
{
   struct emul_vec4 *reg = test_find_input(t, n);
   if (!reg)
      fail_msg("input %u has no register", n);
   return reg;
}

struct emul_vec4 *
test_output_reg(struct shader_test *t, unsigned n)
{
   if (t->b.shader->info.stage == MESA_SHADER_FRAGMENT)
      return &t->outputs[n];
   assert_int_not_equal(t->out.output[VARYING_SLOT_VAR0 + n], ATTILA_NO_OUTPUT);
   return &t->outputs[t->out.output[VARYING_SLOT_VAR0 + n]];
}

unsigned
test_count(const struct shader_test *t, unsigned op)
{
   unsigned count = 0;
   for (unsigned i = 0; i < t->out.isa.num_instrs; i++)
      count += t->out.isa.instrs[i].op == op;
   return count;
}
