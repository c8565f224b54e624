/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The validator of register allocation. First with small cases: a virtual program, the places of
 * its registers, and the allocated program. Correct ones pass; the others are what a broken
 * allocator would make, and the message must say where the error shows. Then with random programs
 * of which one register is moved: if the validator lets it pass, the program must still compute the
 * same. */
#include "attila_ir.h"
#include "attila_nir.h"
#include "random_program.h"

/* clang-format off */
#define AT_MAP(r, x, y, z, w) {.reg = (r), .map = ATTILA_SWZ(x, y, z, w), .used = true}
#define AT(r) AT_MAP(r, 0, 1, 2, 3)
/* clang-format on */

struct ra_case {
   const char *name;
   const char *virt, *real; /* "-": the MOV was removed; NULL: as placed */
   struct air_place places[8];
   unsigned elements; /* r0 is the first of an array */
   const char *error; /* NULL: it is correct */
};

/* Straight line. r0 and r1 are both read by the ADD. */
#define SUM "MOV r0, i0\nMOV r1, i1\nADD o0, r0, r1\n"
/* r0 is live from before the loop to behind it, r1 only inside. */
#define LOOP \
   "MOV r0, i0\nLOOP\nMOV r1, i1\nIF r1.xxxx\nBRK\nENDIF\nADD o1, r1, r0\nENDLOOP\nMOV o0, r0\n"
/* r2 is written in one arm only, r0 is read behind the branch. */
#define BRANCH "MOV r0, i0\nIF i1.xxxx\nMOV r2, i2\nMOV o1, r2\nENDIF\nMOV o0, r0\n"
/* The array r0..r2, and r3 that is live while the array is written. */
#define ARRAY "ARL a0.x, i0\nMOV r3, i1\nMOV r[a0.x+0], i2\nMOV o0, r3\nMOV o1, r[a0.x+1]\n"

static const struct ra_case cases[] = {
    {"apart", SUM, NULL, {AT(0), AT(1)}},
    {"the second one over the first",
     SUM,
     NULL,
     {AT(1), AT(1)},
     .error = "instruction 2: it reads a value that was overwritten"},
    {"components of one register",
     "MOV r0.xy, i0\nMOV r1.x, i1\nADD o0.xy, r0, r1.xxxx\n",
     "MOV r0.yz, i0.xyxw\nMOV r0.x, i1\nADD o0.xy, r0.zyyy, r0.xxxx\n",
     {AT_MAP(0, 2, 1, 2, 3), AT(0)}},
    {"a component over another one",
     "MOV r0.xy, i0\nMOV r1.x, i1\nADD o0.xy, r0, r1.xxxx\n",
     NULL,
     {AT(0), AT_MAP(0, 1, 1, 2, 3)},
     .error = "instruction 2: it reads a value that was overwritten"},
    {"wrong swizzle of the source",
     "MOV r0.xy, i0\nMOV o0.xy, r0\n",
     "MOV r0.yz, i0.xyzw\nMOV o0.xy, r0.zyyy\n",
     {AT_MAP(0, 2, 1, 2, 3)},
     .error = "instruction 0: a source in another component"},
    {"wrong register of the source",
     SUM,
     "MOV r0, i0\nMOV r1, i1\nADD o0, r0, r0\n",
     {AT(0), AT(1)},
     .error = "instruction 2: a source in another register"},
    {"wrong register of the destination",
     SUM,
     "MOV r0, i0\nMOV r0, i1\nADD o0, r0, r1\n",
     {AT(0), AT(1)},
     .error = "instruction 1: a destination in another register"},
    {"another operation",
     SUM,
     "MOV r0, i0\nMOV r1, i1\nMUL o0, r0, r1\n",
     {AT(0), AT(1)},
     .error = "instruction 2: another operation"},
    {"a lost negation",
     "MOV r0, -i0\nMOV o0, r0\n",
     "MOV r0, i0\nMOV o0, r0\n",
     {AT(0)},
     .error = "instruction 0: a source of another kind"},
    {"more registers than it says",
     SUM,
     NULL,
     {AT(0), AT(9)},
     .error = "instruction 1: a destination without a register"},
    {"a texel's components stay",
     "TEX r0.xy, i0, t0, 2D\nMOV o0.xy, r0\n",
     "TEX r0.yz, i0, t0, 2D\nMOV o0.xy, r0.yzzz\n",
     {AT_MAP(0, 1, 2, 2, 3)},
     .error = "instruction 0: a result in another component"},
    /* Copies. */
    {"a removed copy", "MOV r0, i0\nMOV r1, r0\nMOV o0, r1\n", NULL, {AT(0), AT(0)}},
    {"a removed copy of something else",
     "MOV r0, i0\nMOV r1, r0\nMOV o0, r1\n",
     "MOV r0, i0\n-\nMOV o0, r1\n",
     {AT(0), AT(1)},
     .error = "instruction 1: removed, but it copies from another register"},
    {"a removed operation",
     "MOV r0, i0\nADD r1, r0, r0\nMOV o0, r1\n",
     "MOV r0, i0\n-\nMOV o0, r0\n",
     {AT(0), AT(0)},
     .error = "instruction 1: removed, but not a plain copy"},
    {"the copy of a lost value",
     "MOV r0, i0\nMOV r2, i1\nMOV r1, r0\nADD o0, r1, r2\n",
     NULL,
     {AT(0), AT(0), AT(0)},
     .error = "instruction 3: it reads a value that was overwritten"},
    /* Branches and loops. */
    {"a value beside a branch", BRANCH, NULL, {AT(0), AT(0), AT(1)}},
    {"a value lost in one arm",
     BRANCH,
     NULL,
     {AT(0), AT(0), AT(0)},
     .error = "instruction 5: it reads a value that was overwritten"},
    {"a value beside a loop", LOOP, NULL, {AT(0), AT(1)}},
    {"a value lost by the last iteration", LOOP, NULL, {AT(1), AT(1)}, .error = "overwritten"},
    {"a value that only the next iteration reads",
     "MOV r0, i0\nLOOP\nADD r1, r0, i1\nMOV o0, r1\nIF i2.xxxx\nBRK\nENDIF\nMOV r2, i3\n"
     "MOV o1, r2\nENDLOOP\n",
     NULL,
     {AT(0), AT(1), AT(0)},
     .error = "instruction 2: it reads a value that was overwritten"},
    {"the same, read behind a branch",
     "MOV r0, i0\nLOOP\nIF i2.xxxx\nBRK\nENDIF\nADD r1, r0, i1\nMOV o0, r1\nMOV r2, i3\n"
     "MOV o1, r2\nENDLOOP\n",
     NULL,
     {AT(0), AT(1), AT(0)},
     .error = "instruction 5: it reads a value that was overwritten"},
    /* Arrays. */
    {"an array beside a value", ARRAY, NULL, {AT(1), AT(2), AT(3), AT(0)}, .elements = 3},
    {"a value inside an array",
     ARRAY,
     NULL,
     {AT(0), AT(1), AT(2), AT(1)},
     .elements = 3,
     .error = "instruction 3: it reads a value that was overwritten"},
    {"an array that is not in one piece",
     ARRAY,
     NULL,
     {AT(1), AT(3), AT(2), AT(0)},
     .elements = 3,
     .error = "instruction 2: an array that is not in consecutive registers"},
    {"an element lost before an indexed read",
     "ARL a0.x, i0\nMOV r0, i1\nMOV r1, i1\nMOV r2, i1\nMOV r3, i2\nMOV o0, r3\n"
     "MOV o1, r[a0.x+1]\n",
     NULL,
     {AT(0), AT(1), AT(2), AT(2)},
     .elements = 3,
     .error = "instruction 6: it reads a value that was overwritten"},
    {"elements that were never written",
     "ARL a0.x, i0\nMOV r3, i2\nMOV o0, r3\nMOV o1, r[a0.x+1]\n",
     NULL,
     {AT(0), AT(1), AT(2), AT(2)},
     .elements = 3},
};

/* Returns the instructions of a text; a line "-" stands for a NOP. */
static struct attila_isa_instr *
assemble(const char *text, unsigned *count)
{
   char source[1024], error[200];
   struct attila_isa_program p;
   unsigned length = (unsigned)snprintf(source, sizeof(source), ".vertex\n.temps 8\n");
   for (const char *c = text; *c; c++)
      length += (unsigned)snprintf(source + length, sizeof(source) - length,
                                   *c == '-' && c[1] == '\n' ? "NOP" : "%c", *c);
   snprintf(source + length, sizeof(source) - length, "END\n");
   if (!attila_isa_assemble(source, &p, error, sizeof(error)))
      fail_msg("%s in %s", error, source);
   free(p.literals);
   *count = p.num_instrs;
   return p.instrs;
}

static void
check_case(const struct ra_case *test)
{
   struct air *ir = rzalloc(NULL, struct air);
   ir->mem = ir;
   for (unsigned v = 0; v < 8; v++)
      air_new_vreg(ir, false);
   for (unsigned e = 0; e < test->elements; e++)
      ir->vregs[e] = (struct air_vreg){.array = 1, .elements = test->elements};
   unsigned count;
   ir->instrs = assemble(test->virt, &ir->num_instrs);
   struct attila_isa_instr *real = assemble(test->real ? test->real : test->virt, &count);
   assert_int_equal(count, ir->num_instrs);
   for (unsigned i = 0; !test->real && i < count; i++)
      air_place_operands(&real[i], test->places);
   bool valid = air_validate_allocation(ir, real, test->places, 4);
   if (valid != !test->error || (!valid && !strstr(ir->error, test->error)))
      fail_msg("%s: %s", test->name, valid ? "passed" : ir->error);
   assert_int_equal(ir->broken, !valid);
   free(ir->instrs);
   free(real);
   ralloc_free(ir);
}

static void
test_validator_knows_right_from_wrong_allocations(void **state)
{
   (void)state;
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++)
      check_case(&cases[i]);
}

/* --- Random programs --- */

static uint32_t
draw(uint32_t *seed, uint32_t below)
{
   *seed = *seed * 1664525u + 1013904223u;
   return (*seed >> 8) % below;
}

/* Moves a used register, or an array, to another register, or to other components if it may. */
static void
move_one(const struct air *ir, struct air_place *places, unsigned num_regs, uint32_t *seed)
{
   unsigned v;
   do
      v = draw(seed, ir->num_vregs);
   while (!places[v].used);
   if (ir->vregs[v].array) {
      unsigned first = ir->vregs[v].array - 1u, count = ir->vregs[first].elements;
      unsigned reg = draw(seed, num_regs - count + 1);
      for (unsigned e = 0; e < count; e++)
         places[first + e].reg = reg + e;
      return;
   }
   if (draw(seed, 2)) {
      places[v].reg = draw(seed, num_regs);
      return;
   }
   unsigned a = draw(seed, 4), b = draw(seed, 4), swizzle[4];
   for (unsigned c = 0; c < 4; c++)
      swizzle[c] = ATTILA_SWZ_GET(places[v].map, c);
   unsigned t = swizzle[a];
   swizzle[a] = swizzle[b];
   swizzle[b] = t;
   places[v].map = ATTILA_SWZ(swizzle[0], swizzle[1], swizzle[2], swizzle[3]);
}

/* Puts the program of ir and its allocation into t. */
static void
finish_program(struct shader_test *t, const struct air *ir, const struct attila_isa_instr *real,
               unsigned num_regs)
{
   char error[200];
   attila_isa_free(&t->out.isa);
   t->out.isa = (struct attila_isa_program){.stage = ir->stage,
                                            .num_temps = num_regs,
                                            .num_consts = ir->num_consts,
                                            .num_literals = ir->num_literals,
                                            .num_instrs = ir->num_instrs};
   t->out.isa.instrs = malloc(ir->num_instrs * sizeof(*real));
   t->out.isa.literals = malloc((ir->num_literals + 1) * sizeof(*ir->literals));
   assert_true(t->out.isa.instrs && t->out.isa.literals);
   memcpy(t->out.isa.instrs, real, ir->num_instrs * sizeof(*real));
   if (ir->num_literals)
      memcpy(t->out.isa.literals, ir->literals, ir->num_literals * sizeof(*ir->literals));
   if (!attila_isa_finalize(&t->out.isa, error, sizeof(error)) ||
       !attila_isa_validate(&t->out.isa, error, sizeof(error)))
      fail_msg("%s", error);
}

struct tally {
   unsigned passed, reported, harmless; /* harmless: reported, but the program computes the same */
};

/* Moves one register, and compares the verdict of the validator with the results of the program. */
static void
try_move(struct shader_test *t, const struct random_program *p, const struct random_lane *lanes,
         const struct air *ir, const struct air_place *places, unsigned num_regs, uint32_t *seed,
         struct tally *tally)
{
   struct air copy = *ir;
   struct air_place *moved = ralloc_memdup(ir->mem, places, ir->num_vregs * sizeof(*places));
   struct attila_isa_instr *real =
       ralloc_memdup(ir->mem, ir->instrs, ir->num_instrs * sizeof(*real));
   move_one(ir, moved, num_regs, seed);
   for (unsigned i = 0; i < ir->num_instrs; i++)
      air_place_operands(&real[i], moved);
   bool valid = air_validate_allocation(&copy, real, moved, num_regs);
   finish_program(t, ir, real, num_regs);
   const char *difference = random_program_run(p, t, lanes);
   if (valid && difference)
      fail_msg("seed %u: validated, but %s", p->seed, difference);
   tally->passed += valid;
   tally->reported += !valid;
   tally->harmless += !valid && !difference;
   ralloc_free(moved);
   ralloc_free(real);
}

static void
check_moves(uint32_t seed, struct random_program *p, struct tally *tally)
{
   gl_shader_stage stage = seed & 1 ? MESA_SHADER_VERTEX : MESA_SHADER_FRAGMENT;
   random_program_make(p, stage, seed);
   struct shader_test *t = test_begin(stage);
   random_program_constants(t);
   random_program_build(p, t);
   struct random_lane lanes[EMUL_LANES];
   for (unsigned l = 0; l < EMUL_LANES; l++)
      random_program_start(&lanes[l], t, l);
   random_program_interpret(p, lanes);

   struct air *ir = rzalloc(NULL, struct air);
   ir->mem = ir;
   ir->stage = stage == MESA_SHADER_FRAGMENT ? ATTILA_STAGE_FRAGMENT : ATTILA_STAGE_VERTEX;
   nir_shader *nir = nir_shader_clone(ir, t->b.shader);
   static const struct attila_compile_options options;
   assert_true(attila_nir_lower(nir, &options, &t->out, ir, &ir->error));
   assert_true(attila_select_shader(ir, nir, &t->out));
   air_optimize(ir);
   struct air_place *places = ralloc_array(ir, struct air_place, ir->num_vregs + 1);
   unsigned num_regs = air_choose_places(ir, places);
   for (unsigned n = 0; n < 20 && num_regs > 1; n++)
      try_move(t, p, lanes, ir, places, num_regs, &seed, tally);
   ralloc_free(ir);
   test_end(t);
}

static void
test_validator_finds_moved_registers(void **state)
{
   (void)state;
   struct tally tally = {0};
   struct random_program *p = malloc(sizeof(*p));
   assert_non_null(p);
   for (uint32_t seed = 0; seed < 150; seed++)
      check_moves(seed, p, &tally);
   free(p);
   print_message("%u passed, %u reported, of which %u compute the same\n", tally.passed,
                 tally.reported, tally.harmless);
   /* The validator must pass some programs and report others. */
   assert_true(tally.passed > 200);
   assert_true(tally.reported - tally.harmless > 200);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_validator_knows_right_from_wrong_allocations),
       cmocka_unit_test(test_validator_finds_moved_registers),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
