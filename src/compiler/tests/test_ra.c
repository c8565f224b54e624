/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The validator of register allocation, with small programs: a virtual one, where its registers
 * were put, and what became of it. The good ones pass; the others are what a broken allocator would
 * make, and the message says where it shows.
 */
#include "attila_ir.h"
#include "harness.h"

/* clang-format off */
#define AT_MAP(r, x, y, z, w) {.reg = (r), .map = ATTILA_SWZ(x, y, z, w), .used = true}
#define AT(r) AT_MAP(r, 0, 1, 2, 3)
/* clang-format on */

struct ra_case {
   const char *name;
   const char *virt, *real; /* "-": the MOV was removed; NULL: as placed */
   struct air_place places[8];
   unsigned elements; /* r0 is the first of an array */
   const char *error; /* NULL: it is right */
};

/* Straight line. r0 and r1 are both read by the ADD. */
#define SUM "MOV r0, i0\nMOV r1, i1\nADD o0, r0, r1\n"
/* r0 lives from before the loop to behind it, r1 inside only. */
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

/* Instructions of a text; "-" on a line stands for NOP. */
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
test_allocations(void **state)
{
   (void)state;
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++)
      check_case(&cases[i]);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_allocations),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
