/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Predicted cycles (attila_isa_cycles) beside those of Shader Fetch and Decode/Execute, clocked by
 * hand with full groups and a texture unit of fixed latency: on many machines, for directed
 * programs and random ones. "--print" prints both for each. */
#include "shader_random.h"
#include "shader_wave.h"
#include "machine_text.h"

static bool print;

static const char *const programs[] = {
    "MOV o0, i0\n",
    /* Chains, and what does not wait. */
    "MUL r0, i0, i0\nMUL r0, r0, r0\nMUL r0, r0, r0\nMUL r0, r0, r0\nMUL o0, r0, r0\n",
    "MUL r0, i0, i0\nMUL r1, i0, c0\nMUL r2, i0, c1\nMUL r3, i0, c2\nADD r0, r0, r1\n"
    "ADD r2, r2, r3\nADD o0, r0, r2\n",
    "DP3 r0.x, i0, i0\nRSQ r0.x, r0.x\nMUL r0, i0, r0.x\nDP3 r0.x, r0, c0\nPOW r0.x, r0.x, c1.x\n"
    "MUL o0, r0.x, c2\n",
    "SIN r0.x, i0.x\nCOS r1.x, i0.y\nEX2 r2.x, i0.x\nLG2 r3.x, i0.y\nADD r0.x, r0.x, r1.x\n"
    "ADD r2.x, r2.x, r3.x\nADD o0, r0.x, r2.x\n",
    "LIT r0, i0\nDST r1, i0, i0\nXPD r2, i0, c0\nEXP r3, i0.x\nADD r0, r0, r1\nADD r2, r2, r3\n"
    "ADD o0, r0, r2\n",
    /* Pairs: of two kinds, of the same, dependent ones, into the same register. */
    "MUL r0, i0, i0\nRCP r1.x, i0.x\nMUL r2, i0, c0\nADD r3.x, i0.x, c0.x\nMAD r0, r0, r2, c1\n"
    "MUL r1.x, r1.x, r3.x\nMUL o0, r0, r1.x\n",
    "ADD r0.x, i0.x, c0.x\nADD r1.x, i0.y, c0.y\nADD r2.x, i0.z, c0.z\nADD r3.x, i0.w, c0.w\n"
    "MUL r0.x, r0.x, r1.x\nMUL r2.x, r2.x, r3.x\nMUL o0, r0.x, r2.x\n",
    "ADD r0.x, i0.x, c0.x\nADD r0.y, i0.y, c0.y\nADD r0.z, i0.z, c0.z\nMOV r0.w, c0\nMUL o0, r0, "
    "r0\n",
    "RCP r0.x, i0.x\nMUL r1, i0, r0.x\nRCP r2.x, r1.x\nMUL o0, r1, r2.x\n",
    /* Many registers: few groups. */
    ".temps 20\nMUL r0, i0, i0\nMUL r0, r0, r0\nMUL r0, r0, r0\nRCP r0.x, r0.x\nMUL r0, r0, r0\n"
    "MUL o0, r0, r0\n",
    ".temps 60\nDP3 r0.x, i0, i0\nRSQ r0.x, r0.x\nMUL r0, i0, r0.x\nMUL r1, i0, c0\nMUL r2, i0, "
    "c1\nADD r1, r1, r2\nADD o0, r0, r1\n",
    /* Branches, loops, arrays. */
    "IF i0.x\nMUL r0, i0, i0\nMUL r1, i0, c0\nENDIF\nADD o0, r0, r1\n",
    "ARL a0.x, i0.x\nMOV r0, c[a0.x+1]\nADD r1, r0, c[a0.x+2]\nMOV r[a0.x+2], r0\nADD o0, r1, "
    "r[a0.x+0]\n",
    /* Textures. */
    "TEX o0, i0, t0, 2D\n",
    "TEX r0, i0, t0, 2D\nTEX r1, i0, t1, 2D\nMUL o0, r0, r1\n",
    ".temps 12\nMUL r0, i0, c0\nTEX r1, r0, t0, 2D\nMAD r1, r1, c1, c2\nDP3 r0.x, r1, i0\n"
    "MUL r2, r0.x, i0\nTEX r2, r2, t1, 2D\nMUL o0, r2, r1\n",
    ".temps 40\nTEX r1, i0, t0, 2D\nMAD r1, r1, c1, c2\nTEX r2, r1, t1, 2D\nMUL o0, r2, r1\n",
};

static const char *const machines[] = {
    "",
    "FRAGMENTSHADER.VectorALUConfig=\"simd4\"",
    "FRAGMENTSHADER.VectorALUConfig=\"scalar\"",
    "FRAGMENTSHADER.VectorALUWidth=16",
    "FRAGMENTSHADER.VectorLength=32",
    "FRAGMENTSHADER.VectorLength=64;FRAGMENTSHADER.VectorALUWidth=32",
    "FRAGMENTSHADER.VectorThreads=4",
    "FRAGMENTSHADER.VectorLength=4;FRAGMENTSHADER.FetchDelay=4",
    "FRAGMENTSHADER.VectorWaitOnStall=TRUE",
    "FRAGMENTSHADER.FetchScoreboard=TRUE",
    "FRAGMENTSHADER.FixedLatencyALU=TRUE",
    "FRAGMENTSHADER.RegisterGranularity=4",
    "FRAGMENTSHADER.VectorShader=FALSE",
    "FRAGMENTSHADER.VectorShader=FALSE;FRAGMENTSHADER.FetchRate=2",
    "FRAGMENTSHADER.VectorShader=FALSE;FRAGMENTSHADER.FetchRate=2;FRAGMENTSHADER.ScalarALU=TRUE",
    "FRAGMENTSHADER.VectorShader=FALSE;FRAGMENTSHADER.FetchRate=4",
    "FRAGMENTSHADER.VectorShader=FALSE;FRAGMENTSHADER.FetchDelay=8",
    "FRAGMENTSHADER.VectorShader=FALSE;FRAGMENTSHADER.ThreadGroup=16",
    "FRAGMENTSHADER.VectorShader=FALSE;FRAGMENTSHADER.ExecutableThreads=60;"
    "FRAGMENTSHADER.InputBuffers=4;FRAGMENTSHADER.ThreadResources=240",
    "FRAGMENTSHADER.VectorShader=FALSE;FRAGMENTSHADER.IssuePolicy=\"OLDEST_FIRST\"",
    "FRAGMENTSHADER.VectorShader=FALSE;FRAGMENTSHADER.SwapOnBlock=TRUE",
    "FRAGMENTSHADER.VectorShader=FALSE;FRAGMENTSHADER.ThreadWindow=FALSE",
    "LATENCY.MUL=9;REPEATRATE.MUL=3",
};

static void
set_machine(const char *settings)
{
   char error[200];
   default_config();
   config.shader.vector_threads = 64;
   config.shader.vector_resources = 256;
   snprintf(config.shader.vector_alu, sizeof(config.shader.vector_alu), "simd4+scalar");
   scene.quads = 1;
   scene.vertices = 0;
   if (!machine_set(&config, "", settings, error, sizeof(error)))
      fail_msg("%s", error);
}

struct sums {
   unsigned count, far, wrong_order, pairs;
   double sum, worst; /* of relative errors */
};

static void
report(const struct sums *s)
{
   if (print)
      printf(
          "%u: mean error %.2f %%, worst %.1f %%, %u beyond 5 %%, order of %u in %u pairs wrong\n",
          s->count, 100 * s->sum / s->count, 100 * s->worst, s->far, s->wrong_order, s->pairs);
}

/* The prediction for one program; the simulated cycles in *simulated. */
static double
compare(const char *text, double *simulated, struct sums *sums, double bound)
{
   struct attila_isa_program p;
   struct attila_shader_machine m;
   char error[200];
   if (!attila_isa_assemble(text, &p, error, sizeof(error)))
      fail_msg("%s", error);
   sim_shader_machine_describe(&config, ATTILA_STAGE_FRAGMENT, &m);
   double predicted = attila_isa_cycles(&p, &m) / 100.0;
   *simulated = simulate_groups(&p, text, &m);
   attila_isa_free(&p);
   double error_share = fabs(predicted / *simulated - 1);
   sums->count++;
   sums->sum += error_share;
   sums->far += error_share > bound;
   sums->worst = error_share > sums->worst ? error_share : sums->worst;
   return predicted;
}

static void
predictions_match_the_boxes(void **state)
{
   (void)state;
   enum { N = sizeof(programs) / sizeof(programs[0]) };
   struct sums sums = {0};
   for (unsigned i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
      double predicted[N], simulated[N];
      set_machine(machines[i]);
      for (unsigned n = 0; n < N; n++) {
         char text[1024];
         snprintf(text, sizeof(text), ".fragment\n%sEND\n", programs[n]);
         predicted[n] = compare(text, &simulated[n], &sums, 0.05);
         if (print)
            printf("%2u %2u %8.2f predicted %8.2f simulated %6.1f %%\n", i, n, predicted[n],
                   simulated[n], 100 * (predicted[n] / simulated[n] - 1));
      }
      for (unsigned a = 0; a < N; a++) {
         for (unsigned b = 0; b < N; b++) {
            if (simulated[a] < 0.97 * simulated[b]) {
               sums.pairs++;
               sums.wrong_order += predicted[a] > predicted[b];
            }
         }
      }
   }
   report(&sums);
   /* Choices by it are right; 1 % is worth a choice. */
   assert_int_equal(sums.wrong_order, 0);
   assert_true(sums.sum / sums.count < 0.01 && sums.worst < 0.15);
}

/* A straight program of random instructions. */
static char *
random_text(void)
{
   struct generator g = {0};
   char error[128];
   g.p.stage = ATTILA_STAGE_FRAGMENT;
   g.p.instrs = calloc(64, sizeof(*g.p.instrs));
   g.p.literals = calloc(RND_LITS, sizeof(*g.p.literals));
   g.p.num_literals = RND_LITS;
   g.p.num_temps = RND_TEMPS + rnd(40);
   g.p.num_consts = RND_CONSTS;
   for (unsigned length = 2 + rnd(40); length; length--)
      emit(&g, random_op(&g));
   emit(&g, ATTILA_OP_END);
   if (!attila_isa_finalize(&g.p, error, sizeof(error)))
      fail_msg("%s", error);
   char *text = attila_isa_disassemble(&g.p);
   attila_isa_free(&g.p);
   return text;
}

static void
check_random_programs(void **state)
{
   (void)state;
   struct sums sums = {0};
   for (unsigned i = 0; i < 150; i++) {
      double simulated;
      char *text = random_text();
      set_machine(machines[rnd(sizeof(machines) / sizeof(machines[0]))]);
      compare(text, &simulated, &sums, 0.05);
      free(text);
   }
   report(&sums);
   assert_true(sums.sum / sums.count < 0.02 && sums.worst < 0.15);
}

int
main(int argc, char **argv)
{
   print = argc > 1 && !strcmp(argv[1], "--print");
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(predictions_match_the_boxes),
       cmocka_unit_test(check_random_programs),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
