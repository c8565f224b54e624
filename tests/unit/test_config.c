/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Tests of configurations: the named machines, what the reader accepts and how it complains, and
 * that no input makes it crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "config/sim_shader_machine.h"

static char *ignored; /* of the last file */

/* A file of the source tree, found from this file's own path. */
static const char *
source_path(const char *name)
{
   static char path[4096];
   const char *slash = strrchr(__FILE__, '/');
   snprintf(path, sizeof(path), "%.*s/../../%s", slash ? (int)(slash - __FILE__) : 1,
            slash ? __FILE__ : ".", name);
   return path;
}

static bool
load_text(struct sim_config *c, const char *text, size_t size, char *error, size_t error_size)
{
   char path[] = "/tmp/attila-test-XXXXXX";
   int fd = mkstemp(path);
   assert_true(fd >= 0);
   assert_int_equal(write(fd, text, size), (ssize_t)size);
   close(fd);
   sim_config_defaults(c);
   free(ignored);
   bool ok = sim_config_load(c, path, &ignored, error, error_size);
   unlink(path);
   return ok;
}

static uint32_t
shader_registers(const struct sim_config *config)
{
   struct attila_shader_machine machine;
   sim_shader_machine_describe(config, ATTILA_STAGE_FRAGMENT, &machine);
   return machine.registers;
}

static void
test_paper_is_the_default(void **state)
{
   struct sim_config defaults, file;
   char error[512];
   sim_config_defaults(&defaults);
   assert_true(sim_config_check(&defaults, error, sizeof(error)));
   memset(&file, 0xa5, sizeof(file)); /* every key must be in the file */
   assert_true(sim_config_load(&file, source_path("configs/ispass2006.ini"), &ignored, error,
                               sizeof(error)));
   assert_null(ignored);
#define P(section, key, member, def, min, max, unit, doc) assert_int_equal(SEC(file).member, def);
#define B(section, key, member, def, doc) assert_int_equal(SEC(file).member, def);
#define T(section, key, member, def, doc) assert_string_equal(SEC(file).member, def);
#define SEC(c) c.gpu
   SIM_PARAMS_GPU(P, B, T)
#undef SEC
#define SEC(c) c.mc
   SIM_PARAMS_MEMORYCONTROLLER(P, B, T)
#undef SEC
#define SEC(c) c.shader
   SIM_PARAMS_FRAGMENTSHADER(P, B, T)
#undef SEC
#undef P
#undef B
#undef T
   /* The others, with padding that neither of them sets made equal. */
   struct sim_config again;
   memset(&again, 0xa5, sizeof(again));
   assert_true(
       sim_config_load(&again, source_path("configs/ispass2006.ini"), NULL, error, sizeof(error)));
   char *a = NULL, *b = NULL;
   size_t na, nb;
   FILE *fa = open_memstream(&a, &na), *fb = open_memstream(&b, &nb);
   sim_config_describe(&again, SIM_DESCRIBE_INI, fa);
   sim_config_describe(&defaults, SIM_DESCRIBE_INI, fb);
   fclose(fa);
   fclose(fb);
   assert_string_equal(a, b);
   free(a);
   free(b);
   /* Facts of the paper. */
   assert_int_equal(file.mc.channels, 4);
   assert_int_equal(file.mc.burst_bytes, 16);
   assert_int_equal(file.gpu.num_rops, 2);
   assert_int_equal(shader_registers(&file), 448);
}

static void
test_attilas_bgpu_file_loads(void **state)
{
   struct sim_config c;
   char error[512];
   sim_config_defaults(&c);
   assert_true(
       sim_config_load(&c, source_path("configs/attila-bgpu.ini"), &ignored, error, sizeof(error)));
   assert_null(ignored);
   assert_true(sim_config_check(&c, error, sizeof(error)));
   assert_int_equal(c.gpu.num_shaders, 4);
   assert_int_equal(c.gpu.num_rops, 4);
   assert_int_equal(c.mc.channels, 8);
   assert_int_equal(c.shader.vector_length, 16);
   assert_int_equal(shader_registers(&c), 8192);
}

/* What ATTILA's own files look like: quotes, blanks, comments, keys and sections of units that this
 * machine does not have. */
static void
test_attilas_syntax_is_read(void **state)
{
   static const char text[] =
       "#\n# bGPU Simulator\n#\n\n[SIMULATOR]\nInputFile = \"tracefile.txt.gz\"\nUseACD = "
       "FALSE\n[GPU]\n\n"
       "NumFragmentShaders = 3\nUnified = \"FALSE\"\n[MEMORYCONTROLLER]\nMemorySize=256\n"
       "V2ChannelInterleavingMask = \"10 9 8\"\nV2MemoryTrace = FALSE\nSharedBanks =  "
       "5\nV2MemoryChannels = "
       " \"8\"  # eight\n"
       "[FRAGMENTSHADER]\nVectorShader = TRUE\nVectorResources = 512\nVectorLength = 16\nScalarALU "
       "= "
       "TRUE\nFetchRate=2\n";
   struct sim_config c;
   char error[512];
   assert_true(load_text(&c, text, strlen(text), error, sizeof(error)));
   assert_int_equal(c.gpu.num_shaders, 3);
   assert_false(c.gpu.unified);
   assert_int_equal(c.mc.memory_size, 256);
   assert_int_equal(c.mc.channels, 8);
   assert_string_equal(c.mc.channel_mask, "10 9 8");
   assert_true(c.shader.scalar_alu);
   /* Registers of 16 inputs each. */
   assert_int_equal(shader_registers(&c), 512 * 16);
   assert_non_null(strstr(ignored, "4 keys"));
   assert_non_null(strstr(ignored, "[MEMORYCONTROLLER] SharedBanks: it describes the release"));
   assert_non_null(strstr(ignored, "[SIMULATOR] InputFile: the command line"));
   assert_non_null(strstr(ignored, "[SIMULATOR] UseACD: there is one driver"));
   assert_non_null(strstr(ignored, "[MEMORYCONTROLLER] V2MemoryTrace: attila-sim run"));
}

/* A file on "base = release2015", or with the heading of the release's file, begins with what the
 * release has in its code; its own values stay. Keys that only the release knows change nothing. */
static void
test_release_file_starts_from_the_releases_values(void **state)
{
   static const char ours[] = "[SIMULATOR]\nInputFile = \"x\"\n",
                     release[] = "base = release2015\n[ZSTENCILTEST]\nZCacheAllSets = TRUE\n",
                     heading[] = "#\n# bGPU Simulator\n#\n[ZSTENCILTEST]\nZCacheAllSets = TRUE\n",
                     inside[] = "[GPU]\n# bGPU Simulator\nGPUClock = 5\n";
   struct sim_config c;
   char error[512];
   assert_true(load_text(&c, ours, strlen(ours), error, sizeof(error)));
   assert_int_equal(c.rast.distribution, 4);
   assert_true(c.zst.all_sets && c.cw.all_sets);
   assert_int_equal(c.latency.op_SIN, 9);
   assert_int_equal(c.repeat.op_RCP, 1);
   assert_non_null(strstr(ignored, "base = release2015"));
   for (unsigned i = 0; i < 2; i++) {
      const char *text = i ? heading : release;
      assert_true(load_text(&c, text, strlen(text), error, sizeof(error)));
      assert_int_equal(c.rast.distribution, 0);
      assert_true(c.zst.all_sets);
      assert_false(c.cw.all_sets);
      assert_int_equal(c.latency.op_SIN, 12);
      assert_int_equal(c.repeat.op_RCP, 4);
   }
   assert_true(load_text(&c, inside, strlen(inside), error, sizeof(error)));
   assert_int_equal(c.rast.distribution, 4);
}

static void
expect_error(const char *text, const char *expected)
{
   struct sim_config c;
   char error[512] = "";
   assert_false(load_text(&c, text, strlen(text), error, sizeof(error)));
   if (!strstr(error, expected))
      fail_msg("\"%s\" does not contain \"%s\"", error, expected);
}

static void
test_error_names_file_line_key_and_range(void **state)
{
   expect_error("[GPU]\n\nNumStampPipes = 33\n",
                ":3: GPU.NumStampPipes = 33: expected a number from 1 to 32 (ROPs)");
   expect_error("[GPU]\nNumStampPipes = four\n", ":2: GPU.NumStampPipes = four: expected a number");
   expect_error("[GPU]\nNumStampPipes = -1\n", "expected a number from 1 to 32");
   expect_error("[GPU]\nNumStampPipes = 4294967298\n", "expected a number from 1 to 32");
   expect_error("[GPU]\nNumStampPipes =\n", "expected a number");
   expect_error("[GPU]\nUnified = maybe\n", ":2: GPU.Unified = maybe: expected TRUE or FALSE");
   expect_error("[GPU]\nnonsense\n", ":2: neither");
   expect_error("[FRAGMENTSHADER]\nVectorResources = 70000\n", "from 4 to 65536");
   expect_error("[GPU]\nNumStampPipe = 1\n",
                ":2: GPU.NumStampPipe is not a parameter; is it GPU.NumStampPipes?");
   expect_error("[GPU]\nVectorLenght = 4\n", "; is it FRAGMENTSHADER.VectorLength?");
   expect_error("[GPU]\nqqqqqqqq = 4\n", "not a parameter (attila-sim describe lists them)");
   expect_error("[GPUU]\n", ":1: [GPUU] is not a section; is it [GPU]?");
   expect_error("\n[ZSTENCILTESTS]\nCacheSets = 1\n", ":2: [ZSTENCILTESTS] is not a section; is it "
                                                      "[ZSTENCILTEST]?");
   expect_error("NumStampPipes = 1\n", ":1: no [section] before it: NumStampPipes is not a "
                                       "parameter; is it GPU.NumStampPipes?");
   expect_error("[GPU]\nGPUClock = 5\n[DAC]\n[gpu]\ngpuclock = 6\n",
                ":5: GPU.GPUClock stands in line 2, too: expected once");
   expect_error("[GPU]\nbase = x.ini\n", ":2: GPU.base is not a parameter");
   expect_error("base = no-such-machine\n", ":1: base = no-such-machine: no such file");
   struct sim_config c;
   char error[512];
   sim_config_defaults(&c);
   assert_false(sim_config_load(&c, "/dev/null/x.ini", NULL, error, sizeof(error)));
   assert_non_null(strstr(error, "/dev/null/x.ini: Not a directory"));
   assert_false(sim_config_load(&c, "/tmp", NULL, error, sizeof(error)));
   assert_non_null(strstr(error, "/tmp: a folder"));
}

static void
write_file(const char *folder, const char *name, const char *text)
{
   char path[200];
   snprintf(path, sizeof(path), "%s/%s", folder, name);
   FILE *f = fopen(path, "w");
   assert_non_null(f);
   fputs(text, f);
   assert_int_equal(fclose(f), 0);
}

/* A file on another one: what it says wins, keys without effect of both are named, errors name the
 * file that has them. */
static void
test_file_overrides_its_base(void **state)
{
   char folder[] = "/tmp/attila-test-XXXXXX", path[200], error[512] = "";
   struct sim_config c;
   assert_non_null(mkdtemp(folder));
   write_file(folder, "a.ini", "base = b.ini\n[GPU]\nNumStampPipes = 4\n[SIMULATOR]\nUseACD = 1\n");
   write_file(folder, "b.ini",
              "# below\nbase = c\n[GPU]\nNumStampPipes = 8\nGPUClock = 123\n"
              "[SIMULATOR]\nUseACD = 1\nInputFile = x\n");
   write_file(folder, "c", "[GPU]\nGPUClock = 5\nNumFragmentShaders = 7\n");
   write_file(folder, "loop.ini", "base = loop.ini\n");
   write_file(folder, "late.ini", "[GPU]\n[DAC]\nbase = c\n");
   write_file(folder, "bad.ini", "\nbase = worse.ini\n");
   write_file(folder, "worse.ini", "[GPU]\n\nGPUClok = 1\n");
   /* Two files: the second one's values count, and those of the file itself more. */
   write_file(folder, "two.ini", "base = b.ini , second one.ini\n[GPU]\nNumFragmentShaders = 9\n");
   write_file(folder, "second one.ini", "[GPU]\nGPUClock = 321\nNumFragmentShaders = 3\n");
   write_file(folder, "hole.ini", "base = c, , b.ini\n");
   sim_config_defaults(&c);
   snprintf(path, sizeof(path), "%s/two.ini", folder);
   assert_true(sim_config_load(&c, path, NULL, error, sizeof(error)));
   assert_int_equal(c.gpu.num_rops, 8);
   assert_int_equal(c.gpu.gpu_clock, 321);
   assert_int_equal(c.gpu.num_shaders, 9);
   sim_config_defaults(&c);
   snprintf(path, sizeof(path), "%s/a.ini", folder);
   free(ignored);
   assert_true(sim_config_load(&c, path, &ignored, error, sizeof(error)));
   assert_int_equal(c.gpu.num_rops, 4);
   assert_int_equal(c.gpu.gpu_clock, 123);
   assert_int_equal(c.gpu.num_shaders, 7);
   assert_non_null(strstr(ignored, "a.ini: 2 keys have no effect"));
   static const char *const bad[][2] = {
       {"loop.ini", "more than 16 files, each"},
       {"late.ini", "late.ini:3: DAC.base is not a parameter"},
       {"hole.ini", "hole.ini:1: base = FILE, FILE: a name is empty"},
       {"bad.ini", "worse.ini:3: GPU.GPUClok is not a parameter"}};
   for (unsigned i = 0; i < 4; i++) {
      snprintf(path, sizeof(path), "%s/%s", folder, bad[i][0]);
      assert_false(sim_config_load(&c, path, NULL, error, sizeof(error)));
      if (!strstr(error, bad[i][1]))
         fail_msg("\"%s\" does not contain \"%s\"", error, bad[i][1]);
   }
   static const char *const names[] = {"a.ini",    "b.ini",         "c",         "loop.ini",
                                       "late.ini", "bad.ini",       "worse.ini", "two.ini",
                                       "hole.ini", "second one.ini"};
   for (unsigned i = 0; i < 10; i++) {
      snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
      unlink(path);
   }
   rmdir(folder);
}

/* Machines by name, from any folder. */
static void
test_machines_are_found_by_name(void **state)
{
   static const char *const names[] = {"micro2005", "micro2005.ini", "configs/micro2005.ini"};
   struct sim_config c;
   char error[1024] = "", path[4096];
   setenv("ATTILA_MACHINES", source_path("configs"), 1);
   for (unsigned i = 0; i < 3; i++) {
      sim_config_defaults(&c);
      c.shader.fetch_rate = 99;
      assert_true(sim_config_load(&c, names[i], NULL, error, sizeof(error)));
      assert_int_equal(c.shader.fetch_rate, 1);
   }
   assert_true(sim_config_find("130nm", "power/", path, sizeof(path)));
   assert_non_null(strstr(path, "configs/power/130nm.ini"));
   assert_false(sim_config_find("130nm", "", path, sizeof(path)));
   assert_false(sim_config_load(&c, "micro2006", NULL, error, sizeof(error)));
   assert_non_null(strstr(error, "machines by name: "));
   assert_non_null(strstr(error, "embedded, "));
   /* Nothing outside it. */
   setenv("ATTILA_MACHINES", "/dev/null", 1);
   assert_false(sim_config_load(&c, "micro2005", NULL, error, sizeof(error)));
   unsetenv("ATTILA_MACHINES");
}

static void
test_set_and_check(void **state)
{
   struct sim_config c;
   char error[512];
   sim_config_defaults(&c);
   assert_true(sim_config_set(&c, "MEMORYCONTROLLER.V2MemoryChannels=8", error, sizeof(error)));
   assert_int_equal(c.mc.channels, 8);
   assert_true(sim_config_set(&c, "gpu.unified=false", error, sizeof(error)));
   assert_false(c.gpu.unified);
   assert_false(sim_config_set(&c, "GPU.Unifed=1", error, sizeof(error)));
   assert_non_null(strstr(error, "GPU.Unifed is not a parameter"));
   assert_false(sim_config_set(&c, "GPU", error, sizeof(error)));
   assert_false(sim_config_set(&c, "=.", error, sizeof(error)));
   assert_false(sim_config_set(&c, "GPU.GPUClock=0", error, sizeof(error)));
   static const char *const contradictions[][2] = {
       {"MEMORYCONTROLLER.ChannelInterleave=100", "power of two"},
       {"FRAGMENTSHADER.ThreadGroup=6", "a multiple of 4"},
       {"FRAGMENTSHADER.LockedExecutionMode=0", "LockedExecutionMode"},
       {"FRAGMENTSHADER.ScalarALU=1", "FetchRate"},
       {"FRAGMENTSHADER.ExecutableThreads=3", "at least one group, 4"},
       {"FRAGMENTSHADER.VectorALUConfig=simd8", "simd4 simd4+scalar scalar"},
       {"FRAGMENTSHADER.IssuePolicy=newest", "ROUND_ROBIN OLDEST_FIRST"},
       {"FRAGMENTSHADER.TextureCacheLineSize=100", "power of two"},
       {"FRAGMENTSHADER.AnisoRoundThreshold=257", "2^AnisoRoundPrecision, 256"},
       {"FRAGMENTSHADER.BrilinearThreshold=129", "at most half of 2^TrilinearPrecision, 128"},
   };
   for (unsigned i = 0; i < sizeof(contradictions) / sizeof(contradictions[0]); i++) {
      sim_config_defaults(&c);
      assert_true(sim_config_set(&c, contradictions[i][0], error, sizeof(error)));
      assert_false(sim_config_check(&c, error, sizeof(error)));
      assert_non_null(strstr(error, contradictions[i][1]));
   }
}

static void
test_more_than_64_shaders_are_refused(void **state)
{
   struct sim_config c;
   char error[512];
   sim_config_defaults(&c);
   c.gpu.unified = false;
   c.gpu.num_vertex_shaders = 16;
   c.gpu.num_shaders = 48;
   assert_true(sim_config_check(&c, error, sizeof(error)));
   c.gpu.num_shaders = 50;
   assert_false(sim_config_check(&c, error, sizeof(error)));
   assert_non_null(strstr(error, "NumVertexShaders = 16: expected at most 14 beside 50"));
}

static void
test_a_shared_window_of_a_split_machine_or_beyond_16_bits_is_refused(void **state)
{
   struct sim_config c;
   char error[512];
   (void)state;
   sim_config_defaults(&c);
   c.shader.shared_window = true;
   assert_true(sim_config_check(&c, error, sizeof(error)));
   c.gpu.unified = false;
   assert_false(sim_config_check(&c, error, sizeof(error)));
   assert_non_null(strstr(error, "SharedWindow = TRUE: expected FALSE with GPU.Unified = FALSE"));
   c.gpu.unified = true;
   c.shader.vector = true;
   c.shader.vector_threads = 1024;
   c.gpu.num_shaders = 64;
   assert_true(sim_config_check(&c, error, sizeof(error)));
   c.shader.vector = false;
   c.shader.threads = 16384;
   c.gpu.num_shaders = 16;
   assert_false(sim_config_check(&c, error, sizeof(error)));
   assert_non_null(strstr(error, "at most 4096 thread groups for each of 16 shaders, here 4100"));
}

/* Of the memory controller with banks. */
static void
test_contradictory_gddr_keys_are_refused(void **state)
{
   static const char *const bad[][2] = {
       {"V2MemoryChannels=8", "expected 3 bits"},
       {"V2MemoryChannels=2", "expected 1 bits"},
       {"V2ChannelInterleavingMask=9 32", "each from 2 to 31"},
       {"V2ChannelInterleavingMask=nine", "expected up to 5 bits"},
       {"V2BankInterleavingMask=13 12 9", "bit 9 of addresses selects"},
       {"V2BankInterleavingMask=13 12 4", "a burst of 32 bytes"},
       {"V2SplitterType=0", "V2ChannelInterleaving = 0: expected a power of two"},
       {"V2SecondInterleaving=TRUE", "V2SecondChannelInterleavingMask"},
       {"V2BankSelectionPolicy=OLDEST_LAST", "expected up to 8 of OLDEST_FIRST YOUNGEST_FIRST"},
       {"V2BankSelectionPolicy=", "expected up to 8 of"},
       {"V2ChannelScheduler=4", "never released"},
       {"V2GDDR_Profile=700", "\"600\", \"custom\" or \"perfect\""},
       {"V2MemoryType=gddr4", "\"lpddr5\" or \"hbm2\""},
       {"V2BankGroups=3", "power of two"},
       {"V2BankGroups=16", "at most V2BanksPerMemoryChannel, 8"},
       {"V2RefreshPerBank=TRUE;V2GDDR_tREFI=59;V2GDDR_tRFC=60", "no time is left"},
       {"V2DedicatedChannelReadTransactions=64", "less than V2MaxChannelTransactions, 64"},
       {"V2MaxChannelTransactions=15", "two for each bank, 16"},
       {"V2BanksPerMemoryChannel=3", "power of two"},
       {"V2GDDR_tREFI=100", "no time is left"},
       {"BurstLength=2", "at most a burst"},
   };
   struct sim_config c;
   char error[512], text[128];
   sim_config_defaults(&c);
   c.mc.v2 = true;
   assert_true(sim_config_check(&c, error, sizeof(error)));
   for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
      sim_config_defaults(&c);
      c.mc.v2 = true;
      const char *p = bad[i][0];
      for (size_t n; *p; p += n + (p[n] == ';')) {
         n = strcspn(p, ";");
         snprintf(text, sizeof(text), "MEMORYCONTROLLER.%.*s", (int)n, p);
         assert_true(sim_config_set(&c, text, error, sizeof(error)));
      }
      assert_false(sim_config_check(&c, error, sizeof(error)));
      if (!strstr(error, bad[i][1]))
         fail_msg("%s: \"%s\" does not contain \"%s\"", bad[i][0], error, bad[i][1]);
   }
   /* Names, also where the machine does not use them. */
   static const char *const names[] = {"V2GDDR_Profile", "V2MemoryType", "V2BankSelectionPolicy"};
   for (unsigned i = 0; i < 3; i++) {
      sim_config_defaults(&c);
      assert_false(c.mc.v2);
      snprintf(text, sizeof(text), "MEMORYCONTROLLER.%s=none", names[i]);
      assert_true(sim_config_set(&c, text, error, sizeof(error)));
      assert_false(sim_config_check(&c, error, sizeof(error)));
      assert_non_null(strstr(error, names[i]));
   }
   assert_false(sim_config_set(&c, "MEMORYCONTROLLER.V2GDDR_Profile=a$b", error, sizeof(error)));
   assert_non_null(strstr(error, "letters, digits"));
   assert_false(
       sim_config_set(&c,
                      "MEMORYCONTROLLER.V2BankInterleavingMask=0123456789012345678901234567"
                      "890123456789012345678901234567890123",
                      error, sizeof(error)));
   assert_non_null(strstr(error, "up to 63"));
}

/* A text that this machine does not use is no less wrong. */
static void
test_texts_are_checked_where_they_have_no_effect(void **state)
{
   static const char *const bad[][2] = {
       {"DVFS.Queue=ts_t", "DVFS.Queue = \"ts_t\": expected a signal"},
       {"DVFS.Frequencies=geometry 200", "expected a domain and 10 to 100"},
       {"DVFS.Scaled=nothing", "\"nothing\" is none of the domains"},
       {"DVFS.FrontDomain=nowhere", "FrontDomain: \"nowhere\" is none of the domains"},
       {"DVFS.BackDomain=nowhere", "BackDomain: \"nowhere\" is none of the domains"},
       {"DVFS.RopDomain=two words", "one word"},
       {"MEMORYCONTROLLER.V2ChannelInterleavingMask=nine", "each from 2 to 31"},
       {"MEMORYCONTROLLER.V2BankInterleavingMask=9 8 7 6 5", "expected up to 4 bits"},
       {"MEMORYCONTROLLER.V2SecondChannelInterleavingMask=9,8", "each from 2 to 31"},
       {"MEMORYCONTROLLER.V2SecondBankInterleavingMask=1", "each from 2 to 31"},
       {"MEMORYCONTROLLER.V2BankSelectionPolicy=OLDEST_LAST", "expected up to 8 of"},
   };
   struct sim_config c;
   char error[512];
   for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
      sim_config_defaults(&c);
      c.mc.v2 = false;
      assert_true(sim_config_set(&c, bad[i][0], error, sizeof(error)));
      assert_false(sim_config_check(&c, error, sizeof(error)));
      if (!strstr(error, bad[i][1]))
         fail_msg("%s: \"%s\" does not contain \"%s\"", bad[i][0], error, bad[i][1]);
   }
   /* Defaults of keys without effect may name domains that are not there. */
   sim_config_defaults(&c);
   assert_true(sim_config_set(&c, "DVFS.RasterDomain=back", error, sizeof(error)));
   assert_true(sim_config_set(&c, "DVFS.ShaderDomain=back", error, sizeof(error)));
   assert_true(sim_config_set(&c, "DVFS.RopDomain=back", error, sizeof(error)));
   assert_true(sim_config_check(&c, error, sizeof(error)));
}

/* Whatever is in the file, the result is an error message or a configuration within its ranges. */
static void
test_random_files_give_an_error_or_valid_values(void **state)
{
   static const char *const pieces[] = {"[GPU]\n",
                                        "[",
                                        "]",
                                        "\n",
                                        "GPUClock",
                                        " = ",
                                        "=",
                                        "5",
                                        "99999999999",
                                        "\"",
                                        "#",
                                        ";",
                                        "TRUE",
                                        "\r\n",
                                        " ",
                                        "[MEMORYCONTROLLER]\n",
                                        "MemorySize=64\n",
                                        "\t",
                                        "\xff",
                                        "base = x\n[GPU]\n",
                                        "VectorResources=1\n",
                                        "[FRAGMENTSHADER]\n",
                                        "-",
                                        "0"};
   uint32_t x = 7;
   unsigned good = 0;
   for (unsigned i = 0; i < 3000; i++) {
      char text[4096] = "", error[128] = "";
      for (unsigned n = 0; n < i % 40; n++) {
         x = x * 1664525 + 1013904223;
         strcat(text, pieces[(x >> 16) % (sizeof(pieces) / sizeof(pieces[0]))]);
      }
      if (i % 7 == 0)
         text[(x >> 8) % (strlen(text) + 1)] = '\0';
      struct sim_config c;
      if (load_text(&c, text, i % 7 ? strlen(text) : 60, error, sizeof(error))) {
         good++;
         assert_true(c.gpu.gpu_clock >= 1 && c.gpu.gpu_clock <= 10000);
         assert_true(c.mc.memory_size >= 16 && c.mc.memory_size <= 2048);
      } else {
         assert_true(error[0] != '\0');
      }
   }
   assert_true(good > 10 && good < 2990);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_paper_is_the_default),
       cmocka_unit_test(test_attilas_bgpu_file_loads),
       cmocka_unit_test(test_release_file_starts_from_the_releases_values),
       cmocka_unit_test(test_attilas_syntax_is_read),
       cmocka_unit_test(test_error_names_file_line_key_and_range),
       cmocka_unit_test(test_file_overrides_its_base),
       cmocka_unit_test(test_machines_are_found_by_name),
       cmocka_unit_test(test_set_and_check),
       cmocka_unit_test(test_more_than_64_shaders_are_refused),
       cmocka_unit_test(test_a_shared_window_of_a_split_machine_or_beyond_16_bits_is_refused),
       cmocka_unit_test(test_contradictory_gddr_keys_are_refused),
       cmocka_unit_test(test_texts_are_checked_where_they_have_no_effect),
       cmocka_unit_test(test_random_files_give_an_error_or_valid_values),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
