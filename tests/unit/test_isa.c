/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The instruction set's binary and text forms: exact round trips, rejection of everything
 * malformed, and no access outside the input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>
#include "config/sim_shader_machine.h"
#include "shader_random.h"

static bool
same_program(const struct attila_isa_program *a, const struct attila_isa_program *b)
{
   if (a->stage != b->stage || a->num_instrs != b->num_instrs ||
       a->num_literals != b->num_literals || a->num_temps != b->num_temps ||
       a->num_consts != b->num_consts || a->inputs_read != b->inputs_read ||
       a->outputs_written != b->outputs_written || a->tex_units != b->tex_units ||
       a->uses_kill != b->uses_kill || a->writes_depth != b->writes_depth ||
       a->uses_derivatives != b->uses_derivatives || a->uses_flow != b->uses_flow ||
       a->wide != b->wide || a->gs_vertices_in != b->gs_vertices_in ||
       a->gs_vertices_out != b->gs_vertices_out || a->gs_max_vertices != b->gs_max_vertices ||
       a->gs_reads_ids != b->gs_reads_ids || a->gs_repeats != b->gs_repeats ||
       a->writes_samples != b->writes_samples)
      return false;
   for (uint32_t i = 0; i < a->num_instrs; i++) {
      const struct attila_isa_instr *x = &a->instrs[i], *y = &b->instrs[i];
      if (x->op != y->op || x->tex_unit != y->tex_unit || x->tex_target != y->tex_target ||
          x->tex_shadow != y->tex_shadow || x->tex_component != y->tex_component ||
          memcmp(x->tex_offset, y->tex_offset, sizeof(x->tex_offset)) || x->target != y->target ||
          x->dst.file != y->dst.file || x->dst.write_mask != y->dst.write_mask ||
          x->dst.index != y->dst.index || x->dst.saturate != y->dst.saturate ||
          x->dst.relative != y->dst.relative || x->dst.rel_comp != y->dst.rel_comp)
         return false;
      for (unsigned s = 0; s < 3; s++) {
         const struct attila_isa_src *u = &x->src[s], *v = &y->src[s];
         if (u->file != v->file || u->swizzle != v->swizzle || u->index != v->index ||
             u->negate != v->negate || u->absolute != v->absolute || u->relative != v->relative ||
             u->rel_comp != v->rel_comp)
            return false;
      }
   }
   return a->num_literals == 0 ||
          memcmp(a->literals, b->literals, a->num_literals * sizeof(*a->literals)) == 0;
}

static void
test_programs_survive_text_and_binary(void **state)
{
   (void)state;
   char error[256];
   for (unsigned n = 0; n < 400; n++) {
      struct attila_isa_program p = random_program(true, true, true, 60), q;
      if (n % 3 == 0) { /* any bit pattern: NaN payloads, infinities, -0 */
         uint32_t *bits = (uint32_t *)p.literals;
         for (unsigned i = 4; i < 4 * RND_LITS; i++)
            bits[i] = n % 2 ? 0x7f800000u | rnd(1u << 23) | rnd(2) << 31 : rnd(0xffffffffu);
         bits[7] = 0x80000000u;
      }
      assert_true(attila_isa_validate(&p, error, sizeof(error)));
      size_t size = attila_isa_encoded_size(&p);
      void *binary = malloc(size);
      attila_isa_encode(&p, binary);
      if (!attila_isa_decode(binary, size, &q, error, sizeof(error)))
         fail_msg("decode: %s", error);
      assert_true(same_program(&p, &q));
      attila_isa_free(&q);
      char *text = attila_isa_disassemble(&p);
      assert_non_null(text);
      if (!attila_isa_assemble(text, &q, error, sizeof(error)))
         fail_msg("%s\n%s", error, text);
      assert_true(same_program(&p, &q));
      attila_isa_free(&q);
      free(text);
      free(binary);
      attila_isa_free(&p);
   }
}

/* Every field at its largest value: none runs into its neighbour. */
static void
test_largest_values_fit_their_fields(void **state)
{
   (void)state;
   char error[256];
   static const char text[] = ".fragment\n.temps 4096\n.consts 1056\n"
                              "TXD_SAT r[a0.w+4095], -|r[a0.w+4095].w|, r[a0.w+4095].w, "
                              "-|c[a0.w+1055].w|, t31, 1D_ARRAY, SHADOW\n"
                              "TEX r4095.x, i31, t16, 1D\nMOV o0, r4095\n"
                              "TXF r0, -|r[a0.w+4095].w|, -|c[a0.w+1055].w|, t31, 3D, "
                              "OFFSET -8 7 -1\n"
                              "TXD r0, r4095.w, r4095.w, c1055.w, t31, 3D, OFFSET 7 -8 -1\n"
                              "TXD r0, r4095.w, r4095.w, c1055.w, t31, 3D, OFFSET 0 0 -8\n"
                              "TXD r0, r4095.w, r4095.w, -|c[a0.w+1055].w|, t31, CUBE_ARRAY\n"
                              "TXG r0, r4095.w, -|c[a0.w+1055].w|, t31, CUBE_ARRAY, COMPONENT w\n"
                              "TXB r0, r4095.w, r4095.w, t31, CUBE_ARRAY, SHADOW\nEND\n";
   struct attila_isa_program p, q;
   if (!attila_isa_assemble(text, &p, error, sizeof(error)))
      fail_msg("%s", error);
   uint32_t binary[96];
   assert_true(attila_isa_encoded_size(&p) <= sizeof(binary));
   attila_isa_encode(&p, binary);
   if (!attila_isa_decode(binary, sizeof(binary), &q, error, sizeof(error)))
      fail_msg("%s", error);
   assert_true(same_program(&p, &q));
   assert_int_equal(q.instrs[0].dst.index, 4095);
   assert_int_equal(q.instrs[0].tex_unit, 31);
   assert_int_equal(q.instrs[1].tex_unit, 16);
   assert_int_equal(q.instrs[3].tex_offset[0], -8);
   assert_int_equal(q.instrs[4].tex_offset[1], -8);
   assert_int_equal(q.instrs[6].tex_target, ATTILA_TEX_CUBE_ARRAY);
   assert_int_equal(q.instrs[7].tex_component, 3);
   assert_int_equal(q.num_temps, 4096);
   attila_isa_free(&p);
   attila_isa_free(&q);
}

/* Random damage: rejected with a message, or another valid program with exactly that encoding. Cut
 * short: always rejected. */
static void
test_damaged_binaries_are_refused_or_valid(void **state)
{
   (void)state;
   char error[256];
   unsigned rejected = 0, accepted = 0;
   for (unsigned n = 0; n < 200; n++) {
      struct attila_isa_program p = random_program(true, true, true, 20), q;
      size_t size = attila_isa_encoded_size(&p);
      uint8_t *binary = malloc(size), *again = malloc(size);
      for (unsigned k = 0; k < 20; k++) {
         attila_isa_encode(&p, binary);
         for (unsigned flips = 1 + rnd(3); flips > 0; flips--)
            binary[rnd((uint32_t)size)] ^= (uint8_t)(1u << rnd(8));
         error[0] = 0;
         if (attila_isa_decode(binary, size, &q, error, sizeof(error))) {
            if (attila_isa_encoded_size(&q) <= size) {
               attila_isa_encode(&q, again);
               assert_memory_equal(binary, again, attila_isa_encoded_size(&q));
            }
            attila_isa_free(&q);
            accepted++;
         } else {
            assert_true(error[0] != 0);
            assert_null(q.instrs);
            rejected++;
         }
      }
      attila_isa_encode(&p, binary);
      size_t cut = rnd((uint32_t)size);
      uint8_t *part = malloc(cut ? cut : 1); /* so that a sanitizer sees a read past it */
      memcpy(part, binary, cut);
      assert_false(attila_isa_decode(part, cut, &q, error, sizeof(error)));
      free(part);
      free(binary);
      free(again);
      attila_isa_free(&p);
   }
   assert_true(rejected > 100 && accepted > 100);
}

static void
test_wrong_text_is_refused_with_a_message(void **state)
{
   (void)state;
   static const struct {
      const char *text, *message;
   } cases[] = {
       {"MOV r0, i0\n", "END"},
       {"END\nEND\n", "END"},
       {"", "0 instructions"},
       {"FOO r0, i0\nEND\n", "unknown instruction"},
       {"MOV r4096, i0\nEND\n", "range"},
       {"MOV r0, i44\nEND\n", "outside"},
       {"MOV r0, l0\nEND\n", "outside"},
       {"MOV r0, c1056\nEND\n", "1057 constants"},
       {"MOV i0, r0\nEND\n", "cannot be written"},
       {"MOV r0, o0\nEND\n", "cannot be read"},
       {"MOV r0.yx, i0\nEND\n", "in order"},
       {"MOV r0, i0.xy\nEND\n", "1 or 4"},
       {"MOV r0, |i0\nEND\n", "| is expected"},
       {"MOV r0 i0\nEND\n", ", is expected"},
       {"MOV r0, i0 i1\nEND\n", "after the end"},
       {"MOV a0.x, i0\nEND\n", "ARL"},
       {"ARL r0.x, i0\nEND\n", "ARL"},
       {"ARL_SAT a0.x, i0\nEND\n", "saturation"},
       {"IF i0.x\nEND\n", "not closed"},
       {"ELSE\nEND\n", "ELSE without"},
       {"ENDIF\nEND\n", "ENDIF without"},
       {"IF i0\nELSE\nELSE\nENDIF\nEND\n", "ELSE without"},
       {"LOOP\nENDIF\nENDLOOP\nEND\n", "ENDIF without"},
       {"IF i0\nENDLOOP\nENDIF\nEND\n", "ENDLOOP without"},
       {"BRK\nEND\n", "outside a loop"},
       {"IF i0\nCONT\nENDIF\nEND\n", "outside a loop"},
       {".vertex\nKIL i0\nEND\n", "not of fragments"},
       {".geometry 3 3 4\nDDX r0, i0\nEND\n", "not of fragments"},
       {".vertex\nEMIT\nEND\n", "not of primitives"},
       {".fragment\nCUT\nEND\n", "not of primitives"},
       {".geometry 3 3\nEND\n", "number"},
       {".geometry 0 3 4\nEND\n", "come in"},
       {".geometry 5 3 4\nEND\n", "come in"},
       {".geometry 7 3 4\nEND\n", "range"},
       {".geometry 3 0 4\nEND\n", "go out"},
       {".geometry 3 4 4\nEND\n", "range"},
       {".geometry 3 3 0\nEND\n", "emitted"},
       {".geometry 3 3 1025\nEND\n", "range"},
       {".geometry 3 3 4\n.vertex\nEND\n", "not of primitives"},
       {".geometry 3 3 4\nMOV o0, i3\nEND\n", "input register 3"},
       {".geometry 2 3 4\nMOV o0, i10\nEND\n", "input register 10"},
       {".geometry 3 3 4\nMOV o0, i[a0.x+7]\nEND\n", "not relative"},
       {".geometry 3 3 4\nMOV o0, i256\nEND\n", "outside"},
       {".fragment\nMOV o10, i0\nEND\n", "outside"},
       {"TEX r0, i0, t48, 2D\nEND\n", "tN"},
       {"TEX r0, i0, t32, 2D\nEND\n", "texture unit 32"},
       {"TEX r0, i0, t0, 4D\nEND\n", "target"},
       {"TEX r0, i0, t0, 3D, SHADOW\nEND\n", "3D"},
       {"TXF r0, i0, i1, t0, 2D, SHADOW\nEND\n", "TXF has no shadow"},
       {"TXF r0, i0, i1, t0, CUBE\nEND\n", "cube"},
       {"TXS r0, i0, t0, 2D, OFFSET 1 0 0\nEND\n", "takes none"},
       {"TEX r0, i0, t0, CUBE, OFFSET 1 0 0\nEND\n", "takes none"},
       {"TEX r0, i0, t0, 1D_ARRAY, OFFSET 0 1 0\nEND\n", "takes none"},
       {"TEX r0, i0, t0, 2D, OFFSET 8 0 0\nEND\n", "range"},
       {"TEX r0, i0, t0, 2D, OFFSET -9 0 0\nEND\n", "range"},
       {"TEX r0, i0, t0, 2D, OFFSET 1 0\nEND\n", "number"},
       {"TEX r0, i0, t0, 2D, OFFSET 1 0 0, SHADOW\nEND\n", "after the end"},
       {"TEX r0, i0, t0, 2D, SHADOW, SHADOW\nEND\n", "OFFSET is expected"},
       {"TXD r0, i0, -i1, i2, t0, 2D, OFFSET 1 0 0\nEND\n", "source 1: a modifier"},
       {"TXD r0, i0, i1, c[a0.x+2], t0, 2D, OFFSET 1 0 0\nEND\n", "source 2: a modifier"},
       {".literal 1, 2, 3\nEND\n", "4 components"},
       {".literal 1, 2, 3, x\nEND\n", "number"},
       {".temps 4097\nEND\n", "range"},
       {".bogus\nEND\n", "directive"},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      struct attila_isa_program p;
      char error[256] = "";
      if (attila_isa_assemble(cases[i].text, &p, error, sizeof(error)))
         fail_msg("accepted: %s", cases[i].text);
      if (!strstr(error, cases[i].message))
         fail_msg("%s gives '%s', not '%s'", cases[i].text, error, cases[i].message);
      assert_null(p.instrs);
   }
}

/* Random characters inserted, removed and repeated: no crash, and what is accepted prints and reads
 * back. */
static void
test_damaged_text_is_refused_or_valid(void **state)
{
   (void)state;
   static const char characters[] = "rioclat0123456789.,|-[]+xyzw_ \n#ABCDEFENDIFLOOP";
   for (unsigned n = 0; n < 300; n++) {
      struct attila_isa_program p = random_program(true, true, true, 15), q;
      char *text = attila_isa_disassemble(&p), error[256];
      size_t length = strlen(text);
      for (unsigned k = 0; k < 3; k++)
         text[rnd((uint32_t)length)] = characters[rnd(sizeof(characters) - 1)];
      if (attila_isa_assemble(text, &q, error, sizeof(error))) {
         char *again = attila_isa_disassemble(&q);
         struct attila_isa_program r;
         assert_true(attila_isa_assemble(again, &r, error, sizeof(error)));
         assert_true(same_program(&q, &r));
         attila_isa_free(&r);
         free(again);
         attila_isa_free(&q);
      }
      free(text);
      attila_isa_free(&p);
   }
}

static void
test_masks_and_targets_are_derived(void **state)
{
   (void)state;
   struct attila_isa_program p;
   char error[128], line[200];
   assert_true(
       attila_isa_assemble(".fragment\n.temps 5\nMOV r1, i3\nTEX r2, i0, t7, 2D\nIF c9.x\nKIL "
                           "r2\nELSE\nMOV o8.x, r1\nENDIF\n"
                           "LOOP\nIF r1.x\nBRK\nENDIF\nRCP r0.x, r1.x\nENDLOOP\nMOV o0, r2\nEND\n",
                           &p, error, sizeof(error)));
   assert_int_equal(p.num_temps, 5);
   assert_int_equal(p.num_consts, 10);
   assert_int_equal(p.inputs_read, 1u << 3 | 1u << 0);
   assert_int_equal(p.outputs_written, 1u << 8 | 1u << 0);
   assert_int_equal(p.tex_units, 1u << 7);
   assert_true(p.uses_kill && p.writes_depth && p.uses_flow && !p.uses_derivatives);
   assert_int_equal(p.instrs[2].target, 4);  /* IF to ELSE */
   assert_int_equal(p.instrs[4].target, 6);  /* ELSE to ENDIF */
   assert_int_equal(p.instrs[7].target, 12); /* LOOP to ENDLOOP */
   assert_int_equal(p.instrs[12].target, 7);
   /* 5 temporaries of 16 inputs are 80 registers of a group. */
   static const struct {
      uint32_t threads, lanes, registers, granularity, fit;
   } machines[] = {{28, 16, 448, 1, 5},
                   {4, 16, 448, 1, 4},
                   {28, 4, 448, 1, 22},
                   {28, 4, 448, 2, 18},
                   {28, 16, 79, 0, 1}};
   struct sim_config config;
   sim_config_defaults(&config);
   for (unsigned i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
      struct attila_shader_machine machine;
      sim_shader_machine_describe(&config, ATTILA_STAGE_FRAGMENT, &machine);
      machine.threads = machines[i].threads;
      machine.lanes = machines[i].lanes;
      machine.registers = machines[i].registers;
      machine.granularity = machines[i].granularity;
      assert_int_equal(attila_isa_threads(&p, &machine), machines[i].fit);
      attila_isa_stats_line(&p, &machine, line, sizeof(line));
      char want[200];
      snprintf(want, sizeof(want),
               "15 inst, 1 loops, %u cycles, 0:0 spills:fills, 3 simd, 1 scalar, 1 tex, 10 flow, "
               "0 literals, 5 regs, %u threads",
               (attila_isa_cycles(&p, &machine) + 99) / 100, machines[i].fit);
      assert_string_equal(line, want);
   }
   p.instrs[2].target = 6;
   assert_false(attila_isa_validate(&p, error, sizeof(error)));
   assert_non_null(strstr(error, "instruction 2: target"));
   attila_isa_free(&p);
}

/* Relative operands reach the 32 registers that older machines had, unless a program asks for all.
 */
static void
relative_operands_reach_what_the_program_says(void **state)
{
   static const char near[] = ".vertex\nMOV o[a0.x+1], i[a0.x+0]\nMOV o43, i42\nEND\n",
                     wide[] = ".vertex\n.wide\nMOV o[a0.x+1], i[a0.x+0]\nMOV o43, i42\nEND\n";
   char error[128];
   (void)state;
   for (unsigned n = 0; n < 2; n++) {
      struct attila_isa_program p, q;
      assert_true(attila_isa_assemble(n ? wide : near, &p, error, sizeof(error)));
      assert_int_equal(p.wide, n);
      assert_true(p.inputs_read == (n ? (1ull << 44) - 1 : 1ull << 42 | UINT32_MAX));
      assert_true(p.outputs_written == (n ? (1ull << 44) - 1 : 1ull << 43 | UINT32_MAX));
      assert_int_equal(attila_isa_inputs(&p), n ? 44 : 33);
      assert_int_equal(attila_isa_outputs(&p), n ? 44 : 33);
      char *again = attila_isa_disassemble(&p);
      assert_string_equal(again, n ? wide : near);
      free(again);
      void *binary = malloc(attila_isa_encoded_size(&p));
      attila_isa_encode(&p, binary);
      assert_true(attila_isa_decode(binary, attila_isa_encoded_size(&p), &q, error, sizeof(error)));
      assert_true(same_program(&p, &q));
      free(binary);
      attila_isa_free(&p);
      attila_isa_free(&q);
   }
}

/* --- The table in docs/reference/shader-isa.md is what the declarations say --- */

/* Of a geometry program: its primitives, and inputs by their number whatever the vertex. */
static void
test_geometry_programs_list_inputs_by_number(void **state)
{
   static const char text[] = ".geometry 6 1 300 32\n.temps 1\n"
                              "ADD r0, i5, i[a0.y+24]\nTEX r0, r0, t47, 2D\nMOV o0, r0\nMOV o2.x, "
                              "i7.x\nEMIT\nEMIT 3\nCUT\n"
                              "END\n";
   struct attila_isa_program p, q;
   char error[128];
   (void)state;
   assert_true(attila_isa_assemble(text, &p, error, sizeof(error)));
   assert_int_equal(p.stage, ATTILA_STAGE_GEOMETRY);
   assert_int_equal(p.gs_vertices_in, 6);
   assert_int_equal(p.gs_vertices_out, 1);
   assert_int_equal(p.instrs[5].target, 3);
   assert_int_equal(p.gs_max_vertices, 300);
   assert_int_equal(p.gs_repeats, 31);
   assert_true(p.gs_reads_ids);
   assert_int_equal(p.inputs_read, 1u << 0 | 1u << 3);
   assert_int_equal(p.outputs_written, 1u << 0 | 1u << 2);
   assert_true(p.tex_units == 1ull << 47);
   assert_int_equal(attila_isa_registers(&p), 2 * 6 + 1);
   char *again = attila_isa_disassemble(&p);
   assert_string_equal(again, text);
   free(again);
   size_t size = attila_isa_encoded_size(&p);
   uint32_t *binary = malloc(size);
   attila_isa_encode(&p, binary);
   assert_true(attila_isa_decode(binary, size, &q, error, sizeof(error)));
   assert_true(same_program(&p, &q));
   attila_isa_free(&q);
   binary[7] |= 8; /* means nothing */
   assert_false(attila_isa_decode(binary, size, &q, error, sizeof(error)));
   free(binary);
   attila_isa_free(&p);
}

static void
print_table(char *out, size_t size)
{
   static const char *const classes[] = {"SIMD",    "scalar", "texture", "flow",
                                         "integer", "load",   "memory"};
   size_t n = (size_t)snprintf(out, size,
                               "| Operation | Sources | Class | Latency | Repeat rate | Result "
                               "|\n|---|---|---|---|---|---|\n");
   for (unsigned op = 0; op < ATTILA_NUM_OPS && n < size; op++) {
      const struct attila_isa_op_info *o = &attila_isa_ops[op];
      char doc[160];
      size_t d = 0;
      for (const char *c = o->doc; *c && d + 2 < sizeof(doc); c++) { /* a bar would end the cell */
         if (*c == '|')
            doc[d++] = '\\';
         doc[d++] = *c;
      }
      doc[d] = 0;
      n += (size_t)snprintf(out + n, size - n, "| %s | %u%s | %s | %u | %u | %s |\n", o->name,
                            o->num_srcs, o->has_dst ? "" : ", no result", classes[o->cls],
                            o->latency, o->repeat, doc);
   }
}

static char *
read_file(const char *path)
{
   FILE *f = fopen(path, "rb");
   if (!f)
      return NULL;
   char *text = calloc(1, 1 << 16);
   size_t n = fread(text, 1, (1 << 16) - 1, f);
   text[n] = 0;
   fclose(f);
   return text;
}

/* Of a compute program: its workgroup and shared memory. */
static void
test_compute_programs_say_their_workgroup(void **state)
{
   static const char text[] = ".compute 1024 1 1 32768\n.temps 1\nLDS r0.xy, i0.w\n"
                              "STS i0.w, r0, 3\nBAR\nATOMS r0.x, i1.x, i2, COMPARE_SWAP\nEND\n";
   static const char *const bad[] = {".compute 1025 1 1\nEND\n",
                                     ".compute 32 32 2\nEND\n",
                                     ".compute 1 1 0\nEND\n",
                                     ".compute 1 1 1 6\nEND\n",
                                     ".compute 1 1 1\nMOV o0, i0\nEND\n",
                                     ".compute 1 1 1\n.temps 1\nMOV r0, i3\nEND\n",
                                     ".fragment\nBAR\nEND\n",
                                     ".vertex\n.temps 1\nLDS r0, i0\nEND\n"};
   struct attila_isa_program p, q;
   char error[128];
   (void)state;
   assert_true(attila_isa_assemble(text, &p, error, sizeof(error)));
   assert_int_equal(attila_isa_workgroup(&p), 1024);
   assert_int_equal(p.shared_bytes, 32768);
   assert_true(p.uses_shared && p.uses_barrier && !p.uses_storage && !p.storage_order);
   void *binary = malloc(attila_isa_encoded_size(&p));
   attila_isa_encode(&p, binary);
   assert_true(attila_isa_decode(binary, attila_isa_encoded_size(&p), &q, error, sizeof(error)));
   char *again = attila_isa_disassemble(&q);
   assert_string_equal(again, text);
   free(again);
   free(binary);
   attila_isa_free(&p);
   attila_isa_free(&q);
   for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
      assert_false(attila_isa_assemble(bad[i], &p, error, sizeof(error)));
}

static void
test_documentation_has_every_instruction(void **state)
{
   (void)state;
   static char table[16384];
   char path[1024] =
       __FILE__; /* as the compiler was called: relative to the build folder, where tests run */
   char *file = strstr(path, "tests/unit/");
   assert_non_null(file);
   strcpy(file, "docs/reference/shader-isa.md");
   char *text = read_file(path);
   if (!text)
      fail_msg("%s cannot be read", path);
   print_table(table, sizeof(table));
   if (!strstr(text, table))
      fail_msg("docs/reference/shader-isa.md does not hold the table that test_isa --print writes");
   free(text);
}

int
main(int argc, char **argv)
{
   if (argc > 1 && !strcmp(argv[1], "--print")) {
      static char table[16384];
      print_table(table, sizeof(table));
      fputs(table, stdout);
      return 0;
   }
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_programs_survive_text_and_binary),
       cmocka_unit_test(test_largest_values_fit_their_fields),
       cmocka_unit_test(test_damaged_binaries_are_refused_or_valid),
       cmocka_unit_test(test_wrong_text_is_refused_with_a_message),
       cmocka_unit_test(test_damaged_text_is_refused_or_valid),
       cmocka_unit_test(test_masks_and_targets_are_derived),
       cmocka_unit_test(test_geometry_programs_list_inputs_by_number),
       cmocka_unit_test(relative_operands_reach_what_the_program_says),
       cmocka_unit_test(test_compute_programs_say_their_workgroup),
       cmocka_unit_test(test_documentation_has_every_instruction),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
