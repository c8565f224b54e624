/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Random grids: programs with shared memory, barriers, storage, loops and branches, whose
 * invocations race and take what atomic operations return. Memory is the same in both modes, on
 * machines of several shapes and on random ones, with any order of boxes, and in two host threads.
 * Not here: what the values are (test_compute.c). */
#include "func_stream.h"
#include "machine_text.h"
#include "random_machines.h"
#include "sample.h"

static uint64_t seed;

static uint32_t
rnd(uint32_t n)
{
   seed = seed * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(seed >> 33) % n;
}

static bool
chance(uint32_t percent)
{
   return rnd(100) < percent;
}
#include "random_config.h"

#define MAX_CONFIG 16384
#define MAX_TEXT 8192
#define BUFFER_BYTES 1024
#define BUFFERS 3
#define GRIDS 5

struct text {
   char s[MAX_TEXT];
   size_t length;
};

static void __attribute__((format(printf, 2, 3))) add(struct text *t, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   const int n = vsnprintf(t->s + t->length, sizeof(t->s) - t->length, format, args);
   va_end(args);
   assert_true(n >= 0 && t->length + (size_t)n < sizeof(t->s));
   t->length += (size_t)n;
}

/* Literal 0: a mask of offsets, 2, 1, 0. Registers 0 to 5 hold values, 6 an offset, 7 a
 * condition. */
static const char literals[] = ".literal 0x000003fc, 0x00000002, 0x00000001, 0x00000000\n"
                               ".literal 0x9e3779b1, 0x00000007, 0x00000011, 0x00000003\n";

static const char *const atomics[] = {"ADD", "UMIN", "UMAX",     "IMIN",        "IMAX",
                                      "AND", "OR",   "EXCHANGE", "COMPARE_SWAP"};

/* Adds an access whose offset is some value. */
static void
add_access(struct text *t)
{
   const unsigned a = rnd(6), b = rnd(6), words = 1 + rnd(4);
   const char *const op = atomics[rnd(9)], buffer = "wzyx"[rnd(4)];
   add(t, "AND r6.x, r%u.%c, l0.x\n", a, "xyzw"[rnd(4)]);
   switch (rnd(8)) {
   case 0:
      add(t, "LDS r%u, r6.x\n", b);
      break;
   case 1:
      add(t, "STS r6.x, r%u, %u\n", b, words);
      break;
   case 2:
   case 3:
      add(t, "ATOMS r%u.x, r6.x, r%u.xyzw, %s\n", b, rnd(6), op);
      break;
   case 4:
      add(t, "LDB r%u.xz, r6.x, l0.%c\n", b, buffer);
      break;
   case 5:
      add(t, "STB r6.x, l0.%c, r%u, %u\n", buffer, b, words);
      break;
   case 6:
      add(t, "RED r6.x, l0.%c, r%u, %s\n", buffer, b, op);
      break;
   default:
      add(t, "ATOM r%u.y, r6.x, l0.%c, r%u, %s\n", b, buffer, rnd(6), op);
      break;
   }
}

static void
add_arithmetic(struct text *t)
{
   static const char *const ops[] = {"IADD", "ISUB", "IMUL", "XOR", "USHR", "UMIN"};
   add(t, "%s r%u, r%u, r%u.%s\n", ops[rnd(6)], rnd(6), rnd(6), rnd(6), rnd(2) ? "yzwx" : "xyzw");
}

static void
add_body(struct text *t, unsigned depth)
{
   for (unsigned n = 2 + rnd(5); n; n--) {
      if (rnd(3))
         add_access(t);
      else
         add_arithmetic(t);
      if (depth < 2 && rnd(6) == 0) {
         add(t, "AND r7.x, r%u.x, l1.w\nIF r7.x\n", rnd(6));
         add_body(t, depth + 1);
         add(t, "ENDIF\n");
      } else if (depth < 2 && rnd(8) == 0) {
         /* Few iterations, not equally many for all. */
         add(t, "AND r8.%c, r%u.x, l1.w\nLOOP\nIEQ r7.x, r8.%c, l0.w\nIF r7.x\nBRK\nENDIF\n",
             "xy"[depth], rnd(6), "xy"[depth]);
         add_body(t, depth + 1);
         add(t, "ISUB r8.%c, r8.%c, l0.z\nENDLOOP\n", "xy"[depth], "xy"[depth]);
      }
      if (rnd(depth ? 20 : 4) == 0)
         add(t, "BAR\n");
   }
}

static void
add_program(struct stream *s)
{
   static const unsigned sizes[][3] = {{1, 1, 1}, {16, 1, 1}, {7, 5, 1},   {64, 1, 1},
                                       {8, 8, 4}, {3, 2, 9},  {32, 16, 1}, {1024, 1, 1}};
   const unsigned *size = sizes[rnd(8)];
   struct text t = {.length = 0};
   add(&t, ".compute %u %u %u %u\n%s", size[0], size[1], size[2], 4 * rnd(300), literals);
   add(&t, "IMUL r0, i0.w, l1.x\nIADD r1, i0, i1.yzxw\nIMUL r2, i1.x, l1.yzwx\nMOV r3, i2\n"
           "XOR r4, r0, i1.x\nMOV r5, i0.wzyx\n");
   add_body(&t, 0);
   /* What is left of the values shows. */
   add(&t, "IADD r6.x, r0.x, r1.y\nAND r6.x, r6.x, l0.x\nRED r6.x, l0.w, r2, ADD\n"
           "RED r6.x, l0.z, r3, XOR\nRED r6.x, l0.y, r5, UMAX\nEND\n");
   stream_program(s, ATTILA_STAGE_COMPUTE, t.s);
}

static void
make_grids(struct stream *s, uint32_t number)
{
   uint32_t words[BUFFERS * BUFFER_BYTES / 4];
   *s = (struct stream){.next = 4096};
   seed = 9000 + number;
   for (unsigned i = 0; i < BUFFERS * BUFFER_BYTES / 4; i++)
      words[i] = rnd(1u << 31);
   const uint32_t at = stream_upload(s, words, sizeof(words));
   for (unsigned n = 0; n < GRIDS; n++) {
      uint32_t bind[2 + 2 * BUFFERS] = {ATTILA_STAGE_COMPUTE, 0};
      for (unsigned i = 0; i < BUFFERS; i++) { /* some overlap */
         bind[2 + 2 * i] = at + BUFFER_BYTES * i + 4 * rnd(16);
         bind[3 + 2 * i] = rnd(3) ? BUFFER_BYTES - 64 : rnd(BUFFER_BYTES);
      }
      stream_command(s, ATTILA_CMD_STORAGE, bind, 2 + 2 * BUFFERS);
      if (!n || rnd(3))
         add_program(s);
      const struct attila_cmd_dispatch d = {.groups = {1 + rnd(5), 1 + rnd(3), 1 + rnd(2)}};
      stream_command(s, ATTILA_CMD_DISPATCH, &d, ATTILA_DISPATCH_WORDS);
   }
}

/* Returns memory after the grids. */
static uint8_t *
run(const struct stream *s, enum attila_mode mode, const char *config, uint32_t order)
{
   const struct attila_sim_options o = {.mode = mode, .threads = 1, .box_order_seed = order};
   struct attila_sim *sim = machine_create(o, 16, config);
   if (!attila_sim_submit(sim, s->words, s->num))
      fail_msg("%s", attila_sim_error(sim));
   uint8_t *memory = stream_read_memory(sim, s);
   attila_sim_destroy(sim);
   return memory;
}

static void
compare(const struct stream *s, const uint8_t *want, uint8_t *got, uint32_t number,
        const char *config)
{
   for (uint32_t i = 0; i < s->next; i++) {
      if (want[i] != got[i])
         fail_msg("grids %u: byte 0x%x is 0x%02x, expected 0x%02x; machine \"%s\"", number, i,
                  got[i], want[i], config);
   }
   free(got);
}

static void
both_modes_leave_the_same_memory(void **state)
{
   const uint32_t first = sample_number("ATTILA_TEST_FIRST", 0),
                  end = first + sample_number("ATTILA_TEST_SCENES", 4);
   (void)state;
   for (uint32_t number = first; number < end; number++) {
      struct stream s;
      char config[MAX_CONFIG];
      make_grids(&s, number);
      uint8_t *f = run(&s, ATTILA_MODE_FUNCTIONAL, "", 0);
      for (unsigned m = 0; m < NUM_MACHINES; m++) {
         if (sample_has(m + number))
            compare(&s, f, run(&s, ATTILA_MODE_CYCLE, machines[m], number + m), number,
                    machines[m]);
      }
      compare(&s, f, run(&s, ATTILA_MODE_CYCLE, "SIMULATOR.Threads=2", 0), number, "two threads");
      random_config(9000 + number, "", config, sizeof(config));
      compare(&s, f, run(&s, ATTILA_MODE_CYCLE, config, number), number, config);
      free(f);
      free(s.words);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(both_modes_leave_the_same_memory)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
