/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Passes over instructions, each alone: random programs of a few registers, whose components are
 * swizzled, negated, made absolute, saturated and written in part, give the same outputs before and
 * after it. Not here: flow (test_random.c), booleans (test_alu.c), and what a pass must find
 * (test_compile.c). */
#include <math.h>
#include "attila_ir.h"
#include "harness.h"

enum { REGS = 6, INSTRS = 14, OUTPUTS = 2, MOST = REGS + INSTRS, PROGRAMS = 4000 };

static uint32_t value;

static unsigned
below(unsigned end)
{
   value = value * 1664525u + 1013904223u;
   return (value >> 8) % end;
}

static struct attila_isa_src
random_source(void)
{
   struct attila_isa_src src = {.file = below(5) ? ATTILA_FILE_TEMP : ATTILA_FILE_INPUT,
                                .index = below(REGS),
                                .swizzle = ATTILA_SWZ(below(4), below(4), below(4), below(4)),
                                .negate = below(3) == 0,
                                .absolute = below(4) == 0};
   if (below(2))
      src.swizzle = ATTILA_SWZ_XYZW;
   return src;
}

/* Makes a MOV of other components between the same registers, which may be merged with the
 * first. */
static void
move_like(struct attila_isa_instr *in, const struct attila_isa_instr *other)
{
   const uint8_t swizzle = in->src[0].swizzle, mask = in->dst.write_mask & ~other->dst.write_mask;
   if (other->op != ATTILA_OP_MOV || other->dst.index >= REGS || !mask)
      return;
   *in = *other;
   in->src[0].swizzle = swizzle;
   in->dst.write_mask = mask;
}

static struct attila_isa_instr *
append(struct air *ir, unsigned op, unsigned file, unsigned index)
{
   struct attila_isa_instr *in = air_append(ir, op);
   in->dst = (struct attila_isa_dst){.file = file, .index = index, .write_mask = 15};
   for (unsigned s = 0; s < air_num_srcs(in); s++)
      in->src[s] = random_source();
   return in;
}

/* Makes a program. Every register gets its input first, and some are copied to their outputs at the
 * end. Some results pass through a register that is written once. */
static struct air *
random_instructions(const struct attila_shader_machine *machine)
{
   static const uint8_t ops[] = {ATTILA_OP_MOV, ATTILA_OP_MOV, ATTILA_OP_MOV, ATTILA_OP_ADD,
                                 ATTILA_OP_MUL, ATTILA_OP_MIN, ATTILA_OP_DP3};
   struct air *ir = rzalloc(NULL, struct air);
   struct attila_isa_instr *in;
   ir->mem = ir;
   ir->machine = machine;
   ir->validate = true;
   for (unsigned r = 0; r < REGS; r++) {
      air_new_vreg(ir, false);
      in = append(ir, ATTILA_OP_MOV, ATTILA_FILE_TEMP, r);
      in->src[0].file = ATTILA_FILE_INPUT;
   }
   for (unsigned i = 0; i < INSTRS; i++) {
      const unsigned through = below(4) ? 0 : air_new_vreg(ir, true);
      if (through)
         append(ir, ops[below(ARRAY_SIZE(ops))], ATTILA_FILE_TEMP, through);
      in = append(ir, through ? ATTILA_OP_MOV : ops[below(ARRAY_SIZE(ops))], ATTILA_FILE_TEMP,
                  below(REGS));
      in->dst.write_mask = 1 + below(15);
      in->dst.saturate = below(6) == 0;
      if (through)
         in->src[0] = (struct attila_isa_src){
             .file = ATTILA_FILE_TEMP, .index = through, .swizzle = in->src[0].swizzle};
      else if (in->op == ATTILA_OP_MOV && below(2))
         move_like(in, in - 1 - below(3));
   }
   for (unsigned o = 0; o < OUTPUTS; o++) {
      in = append(ir, ATTILA_OP_MOV, ATTILA_FILE_OUTPUT, o);
      in->src[0].file = ATTILA_FILE_TEMP;
   }
   air_append(ir, ATTILA_OP_END);
   return ir;
}

typedef float registers[MOST][4];

static float
read_source(const struct attila_isa_src *src, const registers in, const registers temp, unsigned k)
{
   const float(*file)[4] = src->file == ATTILA_FILE_INPUT ? in : temp;
   float v = file[src->index][ATTILA_SWZ_GET(src->swizzle, k)];
   v = src->absolute ? fabsf(v) : v;
   return src->negate ? -v : v;
}

static void
interpret(const struct air *ir, registers out)
{
   static const registers in = {{-2, 0.25f, 3, -0.5f}, {0.75f, -1.5f, 1, 0.125f},
                                {5, -4, -0.25f, 2},    {-1, 0.5f, 7, -3},
                                {0.375f, 9, -6, 1.5f}, {4, -0.625f, -8, 0.0625f}};
   registers temp = {{0}};
   for (unsigned i = 0; ir->instrs[i].op != ATTILA_OP_END; i++) {
      const struct attila_isa_instr *instr = &ir->instrs[i];
      float a[3][4] = {{0}}, result[4];
      for (unsigned s = 0; s < air_num_srcs(instr); s++) {
         for (unsigned k = 0; k < 4; k++)
            a[s][k] = read_source(&instr->src[s], in, temp, k);
      }
      for (unsigned k = 0; k < 4; k++) {
         result[k] = instr->op == ATTILA_OP_MOV   ? a[0][k]
                     : instr->op == ATTILA_OP_ADD ? a[0][k] + a[1][k]
                     : instr->op == ATTILA_OP_MUL ? a[0][k] * a[1][k]
                     : instr->op == ATTILA_OP_MIN
                         ? fminf(a[0][k], a[1][k])
                         : a[0][0] * a[1][0] + a[0][1] * a[1][1] + a[0][2] * a[1][2];
         if (instr->dst.saturate)
            result[k] = fminf(fmaxf(result[k], 0), 1);
      }
      float *to = (instr->dst.file == ATTILA_FILE_OUTPUT ? out : temp)[instr->dst.index];
      for (unsigned k = 0; k < 4; k++)
         to[k] = instr->dst.write_mask & (1u << k) ? result[k] : to[k];
   }
}

static bool
schedule(struct air *ir)
{
   const size_t size = ir->num_instrs * sizeof(*ir->instrs);
   const void *before = ralloc_memdup(ir, ir->instrs, size);
   air_schedule(ir, &(struct air_order){.interval = 1});
   return memcmp(before, ir->instrs, size) != 0;
}

static bool
allocate(struct air *ir)
{
   air_allocate(ir);
   assert_true(ir->error || ir->num_temps <= MOST);
   return true;
}

static const struct {
   const char *name;
   bool (*run)(struct air *ir);
} passes[] = {{"copy propagation", air_copy_propagate},
              {"dead code", air_dead_code},
              {"merging of copies", air_merge_copies},
              {"coalescing", air_coalesce},
              {"scheduling", schedule},
              {"allocation", allocate}};

static void
test_passes_keep_what_programs_compute(void **state)
{
   (void)state;
   struct shader_test *t = test_begin(MESA_SHADER_VERTEX);
   test_output(t, 0, test_input(t, 0));
   assert_true(test_compile(t, 0));
   for (unsigned p = 0; p < ARRAY_SIZE(passes); p++) {
      unsigned changed = 0;
      for (unsigned seed = 0; seed < PROGRAMS; seed++) {
         value = seed;
         struct air *ir = random_instructions(&t->machine);
         registers want = {{0}}, got = {{0}};
         interpret(ir, want);
         changed += passes[p].run(ir);
         if (ir->error)
            fail_msg("%s of program %u: %s", passes[p].name, seed, ir->error);
         interpret(ir, got);
         for (unsigned i = 0; i < OUTPUTS * 4; i++) {
            const float a = want[i / 4][i % 4], b = got[i / 4][i % 4];
            if (a != b && !(isnan(a) && isnan(b)))
               fail_msg("%s of program %u: component %u of output %u is %g, not %g", passes[p].name,
                        seed, i % 4, i / 4, (double)b, (double)a);
         }
         ralloc_free(ir);
      }
      if (changed < PROGRAMS / 20)
         fail_msg("%s changes %u of %u programs", passes[p].name, changed, PROGRAMS);
   }
   test_end(t);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_passes_keep_what_programs_compute),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
