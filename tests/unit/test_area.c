/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The area of machines (config/sim_area.h): the published figures come out, more of anything is
 * larger, parts add up. Not here: the tables of attila-sim area (tests/sim/area.sh). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "config/sim_area.h"

static struct sim_area
area_of(unsigned nm, const char *const *sets, unsigned num_sets)
{
   struct sim_config config;
   struct sim_area area;
   char error[512];
   sim_config_defaults(&config);
   for (unsigned i = 0; i < num_sets; i++) {
      if (!sim_config_set(&config, sets[i], error, sizeof(error)))
         fail_msg("%s", error);
   }
   if (!sim_config_check(&config, error, sizeof(error)))
      fail_msg("%s", error);
   sim_area_of(&area, &config, sim_area_process(nm));
   return area;
}

#define AREA(nm, ...)                                \
   area_of((nm), (const char *const[]){__VA_ARGS__}, \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static const struct sim_area_unit *
unit_of(const struct sim_area *a, const char *name)
{
   for (unsigned i = 0; i < a->num; i++) {
      if (!strcmp(a->unit[i].name, name))
         return &a->unit[i];
   }
   fail_msg("no area is called %s", name);
   return NULL;
}

static double
shader_unit(const struct sim_area *a)
{
   return unit_of(a, "shaders")->mtransistors + unit_of(a, "texture_units")->mtransistors;
}

/* MICRO 2005, section 6.2. */
static void
test_published_areas_are_met(void **state)
{
   const struct sim_area one = AREA(130, "GPU.Unified=FALSE"),
                         two = AREA(130, "GPU.Unified=FALSE", "FRAGMENTSHADER.FetchRate=2",
                                    "VERTEXSHADER.FetchRate=2"),
                         scalar = AREA(130, "GPU.Unified=FALSE", "FRAGMENTSHADER.FetchRate=2",
                                       "FRAGMENTSHADER.ScalarALU=TRUE"),
                         four = AREA(130, "FRAGMENTSHADER.FetchRate=4");
   assert_float_equal(shader_unit(&one), 15, 1e-6);
   assert_float_equal(unit_of(&one, "vertex_shaders")->mtransistors, 2.5, 1e-6);
   assert_float_equal(shader_unit(&two), 15 * 1.15, 1e-6);
   assert_float_equal(unit_of(&two, "vertex_shaders")->mtransistors, 2.5 * 1.15, 1e-6);
   assert_float_equal(shader_unit(&scalar), 15 * 1.05, 1e-6);
   assert_float_equal(shader_unit(&four), 15 * 1.45, 1e-6);
}

/* What the chips of the paper have of our machine: no geometry stage, stream-out and constant
 * caches, and no unit that was added to it since. */
static double
chip(const struct sim_area *a)
{
   static const char *const names[] = {
       "command",       "vertex_cache", "streamer",       "assembly",      "clipper",
       "setup",         "traversal",    "hierarchical_z", "z_stencil",     "interpolators",
       "fragment_fifo", "shaders",      "vertex_shaders", "texture_units", "colour_write",
       "display",       "crossbar",     "channels"};
   double sum = 0;
   for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
      const struct sim_area_unit *u = unit_of(a, names[i]);
      sum += u->units * u->mtransistors;
   }
   return sum;
}

/* The estimate of a chip is nearer to its own published figure than to the other's. */
static void
test_chips_have_their_transistors(void **state)
{
   const struct sim_area large = AREA(130, "GPU.Unified=FALSE", "GPU.NumVertexShaders=6",
                                      "GPU.NumFragmentShaders=4", "GPU.NumStampPipes=4"),
                         small = AREA(130, "GPU.Unified=FALSE", "GPU.NumVertexShaders=4",
                                      "GPU.NumFragmentShaders=2", "GPU.NumStampPipes=2");
   const double r400 = 160, rv400 = 120, half = (r400 - rv400) / 2;
   assert_float_equal(chip(&large), r400, half);
   assert_float_equal(chip(&small), rv400, half);
}

static void
test_more_is_larger(void **state)
{
   static const char *const more[] = {
       "GPU.NumFragmentShaders=3",
       "GPU.NumStampPipes=3",
       "COMMANDPROCESSOR.InstructionMemory=8192",
       "COMMANDPROCESSOR.HardwareContexts=9",
       "MEMORYCONTROLLER.V2MemoryChannels=5",
       "MEMORYCONTROLLER.V2BurstBytesPerCycle=32",
       "MEMORYCONTROLLER.ClientQueueSize=65",
       "STREAMER.OutputMemorySize=49",
       "STREAMER.StreamerLoaderUnits=2",
       "STREAMER.SLInputCacheLines=64",
       "PRIMITIVEASSEMBLY.AssemblyQueueSize=25",
       "CLIPPER.ClipperUnits=2",
       "RASTERIZER.SetupUnits=2",
       "RASTERIZER.TileTesters=8",
       "RASTERIZER.HierarchicalZBufferSize=524288",
       "RASTERIZER.NumInterpolators=11",
       "RASTERIZER.ShaderInputQueueSize=132",
       "FRAGMENTSHADER.ThreadResources=512",
       "FRAGMENTSHADER.FetchRate=2",
       "FRAGMENTSHADER.TextureUnits=2",
       "FRAGMENTSHADER.TextureCacheWays=8",
       "FRAGMENTSHADER.TwoLevelTextureCache=TRUE",
       "ZSTENCILTEST.ZCacheLines=32",
       "COLORWRITE.ColorCacheWays=8",
       "COLORWRITE.InputQueueSize=65",
       "DAC.BlockRequestQueueSize=33",
       "GPU.Unified=FALSE",
   };
   const struct sim_area plain = AREA(130, "GPU.Unified=TRUE");
   for (unsigned i = 0; i < sizeof(more) / sizeof(*more); i++) {
      const struct sim_area larger = area_of(130, &more[i], 1);
      if (larger.mm2 <= plain.mm2 || larger.mtransistors < plain.mtransistors)
         fail_msg("%s: %f mm2, without %f", more[i], larger.mm2, plain.mm2);
   }
   const struct sim_area no_hz = AREA(130, "RASTERIZER.DisableHZ=TRUE");
   const struct sim_area on_shader = AREA(130, "RASTERIZER.TriangleSetupOnShader=TRUE");
   assert_true(no_hz.mm2 < plain.mm2 && on_shader.mm2 < plain.mm2);
}

static void
test_sums_and_processes(void **state)
{
   double before = INFINITY;
   assert_null(sim_area_process(7));
   for (unsigned p = 0; p < sim_num_area_processes; p++) {
      const struct sim_area a = AREA(sim_area_processes[p].nm, "GPU.Unified=FALSE");
      double mm2 = 0, mtransistors = 0;
      for (unsigned i = 0; i < a.num; i++) {
         mm2 += a.unit[i].units * a.unit[i].mm2;
         mtransistors += a.unit[i].units * a.unit[i].mtransistors;
         assert_true(a.unit[i].mm2 > 0 || !strcmp(a.unit[i].source, SIM_AREA_UNDECLARED));
      }
      assert_float_equal(mm2, a.mm2, 1e-9);
      assert_float_equal(mtransistors, a.mtransistors, 1e-9);
      assert_true(a.mm2 < before); /* the processes stand in the order of their sizes */
      before = a.mm2;
   }
}

/* A unit that is part of another one's area names one that there is. */
static void
test_units_inside_another_exist(void **state)
{
   const struct sim_area a = AREA(130, "GPU.Unified=TRUE");
   static const char *const parts[] = {
#define ROW(...)
#define IN(name) #name,
#define U(class) SIM_AREA_##class(ROW, IN)
       SIM_EACH_UNIT
#undef U
#undef IN
#undef ROW
   };
   (void)state;
   for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
      assert_true(unit_of(&a, parts[i])->mm2 > 0);
}

/* Texture units that are shared are so many; shaders of another width have that many lanes. */
static void
test_shared_units_and_lanes_are_counted(void **state)
{
   const struct sim_area shared = AREA(130, "FRAGMENTSHADER.SharedTextureUnits=3"),
                         narrow = AREA(130, "FRAGMENTSHADER.ThreadRate=1"),
                         plain = AREA(130, "GPU.Unified=TRUE");
   assert_float_equal(unit_of(&shared, "texture_units")->units, 3, 0);
   assert_float_equal(unit_of(&plain, "vertex_shaders")->units, 0, 0);
   assert_true(unit_of(&narrow, "shaders")->mtransistors <
               .3 * unit_of(&plain, "shaders")->mtransistors);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_published_areas_are_met),
       cmocka_unit_test(test_chips_have_their_transistors),
       cmocka_unit_test(test_more_is_larger),
       cmocka_unit_test(test_sums_and_processes),
       cmocka_unit_test(test_units_inside_another_exist),
       cmocka_unit_test(test_shared_units_and_lanes_are_counted),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
