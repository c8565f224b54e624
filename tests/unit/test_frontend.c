/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The command front end: a draw keeps the constants, programs and texture states it began with,
 * whatever is written while it is in flight; what did not change is shared; programs are decoded
 * once per content. Commands restore on a new front end what commands have left. */
#include "func_stream.h"
#include "decode/sim_frontend.h"

static const char vs[] = ".vertex\nADD o0, i0, c3\nEND\n";
static const char fs[] = ".fragment\nTEX r0, i1, t2, 2D\nTEX r1, i1, t5, 2D\nADD o0, r0, r1\nEND\n";

struct fixture {
   struct sim_frontend *f;
};

static void
load(struct fixture *t, unsigned stage, const char *text)
{
   struct attila_isa_program isa;
   char error[256];
   assert_true(attila_isa_assemble(text, &isa, error, sizeof(error)));
   size_t size = attila_isa_encoded_size(&isa);
   void *binary = malloc(size);
   attila_isa_encode(&isa, binary);
   attila_isa_free(&isa);
   const uint32_t payload[ATTILA_LOAD_PROGRAM_WORDS] = {stage, 0, (uint32_t)size};
   if (!sim_frontend_load_program(t->f, payload, ATTILA_LOAD_PROGRAM_WORDS, binary, error,
                                  sizeof(error)))
      fail_msg("%s", error);
   free(binary);
}

static struct fixture
setup(void)
{
   struct fixture t;
   struct stream s;
   t.f = sim_frontend_create(16 << 20, &EMUL_TEX_QUALITY_DEFAULT);
   stream_start(&s, 64, 64, 1);
   for (unsigned u = 0; u < 8; u++)
      s.regs.tex[u] = (struct attila_tex_regs){.enable = 1,
                                               .target = ATTILA_TEX_2D,
                                               .format = ATTILA_FORMAT_R8G8B8A8_UNORM,
                                               .address = 65536,
                                               .width = 8 + u,
                                               .height = 8,
                                               .depth = 1,
                                               .num_levels = 1,
                                               .max_aniso = 1};
   uint32_t payload[1 + ATTILA_NUM_REGS] = {0};
   memcpy(payload + 1, &s.regs, sizeof(s.regs));
   sim_frontend_write_regs(t.f, payload, 1 + ATTILA_NUM_REGS);
   assert_memory_equal(sim_frontend_regs(t.f), &s.regs, sizeof(s.regs));
   load(&t, ATTILA_STAGE_VERTEX, vs);
   load(&t, ATTILA_STAGE_FRAGMENT, fs);
   return t;
}

static void
teardown(struct fixture *t)
{
   sim_frontend_destroy(t->f);
}

static void
begin(struct fixture *t, struct emul_draw_state *state)
{
   char error[256];
   const struct attila_cmd_draw cmd = {
       .prim = ATTILA_PRIM_TRIANGLES, .count = 3, .num_instances = 1};
   if (!sim_frontend_begin_draw(t->f, state, &cmd, error, sizeof(error)))
      fail_msg("%s", error);
}

static void
write_const(struct fixture *t, uint32_t index, float value)
{
   uint32_t payload[6] = {ATTILA_STAGE_VERTEX, index};
   const float v[4] = {value, value, value, value};
   memcpy(payload + 2, v, 16);
   sim_frontend_write_consts(t->f, payload, 6);
}

static void
write_reg(struct fixture *t, uint32_t reg, uint32_t value)
{
   const uint32_t payload[2] = {reg, value};
   sim_frontend_write_regs(t->f, payload, 2);
}

static void
test_draws_share_unchanged_constants(void **state)
{
   struct fixture t = setup();
   struct emul_draw_state draws[4];
   write_const(&t, 3, 1);
   begin(&t, &draws[0]);
   begin(&t, &draws[1]);
   assert_ptr_equal(draws[0].consts[0], draws[1].consts[0]); /* nothing changed in between */
   write_const(&t, 3, 1);
   begin(&t, &draws[2]);
   assert_ptr_equal(draws[0].consts[0], draws[2].consts[0]); /* nor by writing the same again */
   write_const(&t, 900, 2);
   begin(&t, &draws[3]);
   assert_true(draws[3].consts[0][3][0] == 1 && draws[3].consts[0][900][0] == 2);
   assert_true(draws[0].consts[0][900][0] == 0);
   assert_ptr_equal(draws[0].consts[1], draws[3].consts[1]);
   for (unsigned i = 0; i < 4; i++)
      sim_frontend_end_draw(t.f, &draws[i]);
   /* Many draws and writes against a plain copy; banks are used again and keep nothing of their
    * past. */
   static float copy[64][ATTILA_MAX_CONSTS], now[ATTILA_MAX_CONSTS];
   static struct emul_draw_state flight[64];
   bool used[64] = {false};
   uint32_t x = 1;
   now[3] = 1;
   now[900] = 2;
   for (unsigned i = 0; i < 3000; i++) {
      x = x * 1664525 + 1013904223;
      unsigned d = (x >> 10) % 64;
      if (used[d]) {
         for (unsigned c = 0; c < ATTILA_MAX_CONSTS; c++)
            assert_true(flight[d].consts[0][c][1] == copy[d][c]);
         sim_frontend_end_draw(t.f, &flight[d]);
      } else {
         if (x >> 30) {
            uint32_t c = (x >> 16) % ATTILA_MAX_CONSTS;
            now[c] = (float)i;
            write_const(&t, c, (float)i);
         }
         begin(&t, &flight[d]);
         memcpy(copy[d], now, sizeof(now));
      }
      used[d] = !used[d];
   }
   for (unsigned d = 0; d < 64; d++) {
      if (used[d])
         sim_frontend_end_draw(t.f, &flight[d]);
   }
   teardown(&t);
}

/* Sends the words of a texture unit with this width. */
static void
write_width(struct fixture *t, unsigned unit, uint32_t width)
{
   enum { WORDS = sizeof(struct attila_tex_regs) / 4 };
   struct attila_tex_regs r = sim_frontend_regs(t->f)->tex[unit];
   r.width = width;
   uint32_t payload[1 + WORDS] = {ATTILA_REG(tex) + unit * WORDS};
   memcpy(payload + 1, &r, sizeof(r));
   sim_frontend_write_regs(t->f, payload, 1 + WORDS);
}

static void
test_draws_share_unchanged_textures(void **state)
{
   struct fixture t = setup();
   struct emul_draw_state a, b, c, d;
   begin(&t, &a);
   assert_int_equal(a.tex[2].regs.width, 10);
   assert_int_equal(a.tex[5].regs.width, 13);
   write_width(&t, 7, 100); /* a unit no program samples */
   write_width(&t, 2, 10);  /* the value it has */
   begin(&t, &b);
   assert_ptr_equal(a.tex, b.tex);
   write_width(&t, 5, 64);
   begin(&t, &c);
   assert_int_equal(a.tex[5].regs.width, 13);
   assert_int_equal(c.tex[5].regs.width, 64);
   assert_int_equal(c.tex[2].regs.width, 10);
   assert_true(c.tex[2].valid && c.tex[5].valid);
   sim_frontend_end_draw(t.f, &a);
   sim_frontend_end_draw(t.f, &b);
   sim_frontend_end_draw(t.f, &c);
   /* No draw in flight: changed in place, from a write of many registers too. */
   uint32_t payload[1 + 40] = {ATTILA_REG(tex[2].address)};
   memcpy(payload + 1, (const uint32_t *)sim_frontend_regs(t.f) + payload[0], 160);
   payload[1] = 131072;
   sim_frontend_write_regs(t.f, payload, 41);
   begin(&t, &d);
   assert_int_equal(d.tex[2].regs.address, 131072);
   assert_int_equal(d.tex[5].regs.width, 64);
   sim_frontend_end_draw(t.f, &d);
   teardown(&t);
}

/* Only contexts that use them keep units and fragment inputs beyond OpenGL 2.1's. */
static void
later_registers_are_kept_by_contexts_that_use_them(void **state)
{
   struct fixture t = setup();
   struct attila_regs *regs = sim_frontend_regs(t.f);
   memset(regs->fs_input_more, 0, sizeof(regs->fs_input_more));
   const uint32_t words = sim_frontend_context_words(t.f),
                  with_unit = words + sizeof(struct attila_tex_regs) / 4;
   write_width(&t, 31, 10);
   write_width(&t, 40, 10);
   assert_int_equal(sim_frontend_context_words(t.f), words);
   regs->tex[40].enable = 1;
   assert_int_equal(sim_frontend_context_words(t.f), with_unit);
   attila_fs_input(regs, 31)->output = 5;
   assert_int_equal(sim_frontend_context_words(t.f), with_unit);
   attila_fs_input(regs, 32)->output = 5;
   attila_fs_input(regs, 43)->output = 6;
   assert_int_equal(sim_frontend_context_words(t.f), with_unit + 2);
   teardown(&t);
}

static void
test_programs_are_decoded_once(void **state)
{
   struct fixture t = setup();
   struct emul_draw_state a, b, c;
   char error[256];
   begin(&t, &a);
   load(&t, ATTILA_STAGE_VERTEX, ".vertex\nMOV o0, i0\nEND\n");
   begin(&t, &b);
   assert_ptr_not_equal(a.vs, b.vs);
   assert_ptr_equal(a.fs, b.fs);
   load(&t, ATTILA_STAGE_VERTEX, vs);
   begin(&t, &c);
   assert_ptr_equal(a.vs, c.vs); /* decoded once */
   struct attila_isa_program isa;
   assert_true(attila_isa_assemble(vs, &isa, error, sizeof(error)));
   size_t size = attila_isa_encoded_size(&isa);
   uint8_t *binary = malloc(size);
   attila_isa_encode(&isa, binary);
   attila_isa_free(&isa);
   uint32_t payload[ATTILA_LOAD_PROGRAM_WORDS] = {ATTILA_STAGE_FRAGMENT, 0, (uint32_t)size};
   assert_false(sim_frontend_load_program(t.f, payload, ATTILA_LOAD_PROGRAM_WORDS, binary, error,
                                          sizeof(error)));
   assert_string_equal(error, "a vertex program loaded for the fragment stage");
   payload[0] = ATTILA_STAGE_VERTEX;
   for (payload[2] = 0; payload[2] < size; payload[2]++)
      assert_false(sim_frontend_load_program(t.f, payload, ATTILA_LOAD_PROGRAM_WORDS, binary, error,
                                             sizeof(error)));
   free(binary);
   sim_frontend_end_draw(t.f, &a);
   sim_frontend_end_draw(t.f, &b);
   sim_frontend_end_draw(t.f, &c);
   teardown(&t);
}

/* A draw that cannot run gives a message and holds nothing. */
static void
test_refused_draw_holds_nothing(void **state)
{
   struct fixture t = setup();
   struct emul_draw_state s;
   char error[256] = "";
   const struct attila_cmd_draw cmd = {
       .prim = ATTILA_PRIM_TRIANGLES, .count = 3, .num_instances = 1};
   write_reg(&t, ATTILA_REG(color[0].address), 0xffffff00);
   assert_false(sim_frontend_begin_draw(t.f, &s, &cmd, error, sizeof(error)));
   assert_true(error[0] != '\0');
   assert_null(s.consts[0]);
   assert_null(s.tex);
   teardown(&t);
   /* No program at all. */
   t.f = sim_frontend_create(16 << 20, &EMUL_TEX_QUALITY_DEFAULT);
   assert_false(sim_frontend_begin_draw(t.f, &s, &cmd, error, sizeof(error)));
   teardown(&t);
}

/* What a draw draws comes from memory, and no more indices than there are. */
static void
test_indirect_draws_take_what_memory_says(void **state)
{
   struct fixture t = setup();
   const uint32_t numbers[] = {100, 2, 3, UINT32_MAX, 7};
   const struct attila_cmd_draw own = {.index_size = 2, .flags = ATTILA_DRAW_INDIRECT};
   struct attila_cmd_indirect cmd = {.words = 5, .indices = 90};
   sim_frontend_set_indirect(t.f, &cmd, numbers);
   struct attila_cmd_draw d = sim_frontend_draw_command(t.f, (const uint32_t *)&own);
   assert_int_equal(d.count, 87);
   assert_int_equal(d.num_instances, 2);
   assert_int_equal(d.start, 3);
   assert_int_equal(d.index_bias, UINT32_MAX);
   assert_int_equal(d.first_instance, 7);
   assert_int_equal(d.index_size, 2);
   cmd.indices = 2;
   sim_frontend_set_indirect(t.f, &cmd, numbers);
   assert_int_equal(sim_frontend_draw_command(t.f, (const uint32_t *)&own).count, 0);
   cmd.words = 4;
   sim_frontend_set_indirect(t.f, &cmd, numbers);
   d = sim_frontend_draw_command(t.f, (const uint32_t *)&own);
   assert_int_equal(d.count, 100);
   assert_int_equal(d.index_bias, 0);
   assert_int_equal(d.first_instance, UINT32_MAX);
   teardown(&t);
}

/* A new front end that executes commands, and its memory. */
struct copy {
   struct sim_frontend *f;
   uint8_t memory[65536];
};

static void
execute_read(struct copy *c, uint32_t op, const uint32_t *p, uint32_t words)
{
   char error[256];
   uint64_t filled[ATTILA_MAX_STREAM_BUFFERS];
   const struct attila_stream_target *target = (const struct attila_stream_target *)p;
   if (op == ATTILA_CMD_LOAD_PROGRAM) {
      assert_true(
          sim_frontend_load_program(c->f, p, words, c->memory + p[1], error, sizeof(error)));
   } else if (op == ATTILA_CMD_CONDITION) {
      const struct attila_cmd_condition *condition = (const struct attila_cmd_condition *)p;
      sim_frontend_set_condition(c->f, condition, c->memory + condition->address);
   } else if (op == ATTILA_CMD_VERTEX_COUNT) {
      memcpy(filled, c->memory + p[0], sizeof(filled[0]));
      sim_frontend_set_vertex_count(c->f, (const struct attila_cmd_vertex_count *)p, filled[0]);
   } else if (op == ATTILA_CMD_INDIRECT) {
      sim_frontend_set_indirect(c->f, (const struct attila_cmd_indirect *)p, c->memory + p[0]);
   } else if (op == ATTILA_CMD_STREAM_TARGETS) {
      for (unsigned b = 0; b < ATTILA_MAX_STREAM_BUFFERS; b++)
         memcpy(&filled[b], c->memory + target[b].filled, sizeof(filled[b]));
      sim_frontend_stream_targets(c->f, p, filled);
   } else {
      fail_msg("%s", sim_command_name(op));
   }
}

static void
execute(void *data, const uint32_t *command, size_t num)
{
   struct copy *c = data;
   char error[256];
   const uint32_t *p = command + 1, words = (uint32_t)num - 1, op = ATTILA_CMD_OP(command[0]);
   if (!sim_frontend_check(c->f, command, num, error, sizeof(error)))
      fail_msg("%s", error);
   switch (op) {
   case ATTILA_CMD_CONTEXT:
      sim_frontend_select(c->f, p);
      break;
   case ATTILA_CMD_WRITE_REGS:
      sim_frontend_write_regs(c->f, p, words);
      break;
   case ATTILA_CMD_WRITE_CONSTS:
      sim_frontend_write_consts(c->f, p, words);
      break;
   case ATTILA_CMD_CONST_BUFFERS:
      sim_frontend_const_buffers(c->f, p, words);
      break;
   case ATTILA_CMD_WRITE_BUFFER:
      memcpy(c->memory + p[0], p + 2, p[1]);
      break;
   case ATTILA_CMD_MARKER:
      sim_frontend_marker(c->f, p, words);
      break;
   case ATTILA_CMD_GEOMETRY:
      sim_frontend_geometry(c->f, p);
      break;
   case ATTILA_CMD_LAYERS:
      sim_frontend_layers(c->f, p);
      break;
   case ATTILA_CMD_STREAM_OUTPUTS:
      sim_frontend_stream_outputs(c->f, p, words);
      break;
   default:
      execute_read(c, op, p, words);
   }
}

/* Leaves something of every kind in the selected context. */
static void
leave_all(struct fixture *t)
{
   const struct attila_cmd_geometry geometry = {.enable = 1, .input = {3, 1}};
   const struct attila_cmd_layers layers = {.count = 4, .output = 2, .color_stride = {256}};
   const uint32_t buffers[] = {ATTILA_STAGE_FRAGMENT, 1, 4096, 64},
                  outputs[] = {16, 0, 0, 0, 3u << 8}, label[] = {ATTILA_MARKER_TEXT, 0x6c6c6177, 0},
                  name[] = {ATTILA_MARKER_SHADER_NAME, 0x656e6f, 0};
   /* Their counters were where the commands put them; nothing reads the addresses again. */
   const struct attila_stream_target targets[ATTILA_MAX_STREAM_BUFFERS] = {
       {8192, 4096, 8}, {0, 0, 16}, {0, 0, 24}, {0, 0, 32}};
   const uint64_t filled[ATTILA_MAX_STREAM_BUFFERS] = {48}, pair[] = {5, 5};
   write_const(t, 3, 0.5f);
   sim_frontend_geometry(t->f, (const uint32_t *)&geometry);
   sim_frontend_layers(t->f, (const uint32_t *)&layers);
   sim_frontend_const_buffers(t->f, buffers, 4);
   sim_frontend_stream_outputs(t->f, outputs, 5);
   sim_frontend_stream_targets(t->f, (const uint32_t *)targets, filled);
   sim_frontend_set_vertex_count(t->f, &(struct attila_cmd_vertex_count){.stride = 16}, 160);
   sim_frontend_set_condition(t->f, &(struct attila_cmd_condition){.count = 1}, pair);
   sim_frontend_set_indirect(t->f, &(struct attila_cmd_indirect){.words = 5, .indices = 90},
                             (const uint32_t[]){100, 2, 3, UINT32_MAX, 7});
   sim_frontend_marker(t->f, label, 3);
   sim_frontend_marker(t->f, name, 3);
}

/* What a trimmed capture begins with. */
static void
test_commands_restore_what_commands_have_left(void **state)
{
   struct fixture t = setup();
   struct copy *c = calloc(1, sizeof(*c));
   struct sim_state before = {0}, after = {0};
   leave_all(&t);
   sim_frontend_select(t.f, &(uint32_t){7});
   write_const(&t, 1, 2);
   load(&t, ATTILA_STAGE_VERTEX, vs);
   sim_frontend_select(t.f, &(uint32_t){2});
   c->f = sim_frontend_create(16 << 20, &EMUL_TEX_QUALITY_DEFAULT);
   const uint32_t overwritten = sim_frontend_commands(t.f, execute, c);
   assert_true(overwritten > 64 && overwritten < sizeof(c->memory));
   for (size_t i = overwritten; i < sizeof(c->memory); i++)
      assert_int_equal(c->memory[i], 0);
   assert_int_equal(sim_frontend_context(c->f), 2);
   sim_frontend_state(t.f, &before);
   sim_frontend_state(c->f, &after);
   assert_int_equal(before.at, after.at);
   assert_memory_equal(before.data, after.data, before.at);
   assert_int_equal(sim_frontend_context_counters(c->f, 0)[ATTILA_COUNTER_STREAM_BYTES_0], 48);
   assert_null(sim_frontend_context_counters(c->f, 1));
   free(before.data);
   free(after.data);
   sim_frontend_destroy(c->f);
   free(c);
   teardown(&t);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_draws_share_unchanged_constants),
       cmocka_unit_test(test_draws_share_unchanged_textures),
       cmocka_unit_test(later_registers_are_kept_by_contexts_that_use_them),
       cmocka_unit_test(test_programs_are_decoded_once),
       cmocka_unit_test(test_refused_draw_holds_nothing),
       cmocka_unit_test(test_indirect_draws_take_what_memory_says),
       cmocka_unit_test(test_commands_restore_what_commands_have_left),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
