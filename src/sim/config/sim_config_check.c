/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Relations of parameters that a machine needs: powers of two, lanes, matching sizes. Not here:
 * each one's range (the sheets, sim_params.h, sim_config.c). */
#include "config/sim_bank_policy.h"
#include "config/sim_config.h"
#include "config/sim_dvfs_config.h"
#include "config/sim_gddr_timing.h"
#include "config/sim_memory_map.h"
#include "config/sim_shader_machine.h"

/* Checks the keys of the memory controller with banks. */
static bool
config_check_gddr(const struct sim_config *config, char *error, size_t error_size)
{
   const typeof(config->mc) *mc = &config->mc;
   struct sim_memory_map map;
   struct sim_gddr_timing timing;
   uint8_t policies[SIM_MAX_BANK_POLICIES];
   if (!sim_memory_map_init(&map, config, false, error, error_size) ||
       (mc->second && !sim_memory_map_init(&map, config, true, error, error_size)) ||
       !sim_gddr_timing_init(&timing, config, error, error_size) ||
       !sim_bank_policies(mc->bank_policy, policies, error, error_size))
      return false;
   if (mc->scheduler == 4) {
      snprintf(error, error_size,
               "MEMORYCONTROLLER.V2ChannelScheduler = 4: expected 0 to 3 or 5 (the lookahead "
               "scheduler was never released)");
      return false;
   }
   if (mc->channel_reads >= mc->channel_transactions) {
      snprintf(error, error_size,
               "MEMORYCONTROLLER.V2DedicatedChannelReadTransactions = %u: expected less than "
               "V2MaxChannelTransactions, %u",
               mc->channel_reads, mc->channel_transactions);
      return false;
   }
   if (mc->channel_transactions < 2 * mc->banks) {
      snprintf(error, error_size,
               "MEMORYCONTROLLER.V2MaxChannelTransactions = %u: expected two for each bank, %u",
               mc->channel_transactions, 2 * mc->banks);
      return false;
   }
   return true;
}

static bool
config_check_power_of_two(uint32_t v)
{
   return v && !(v & (v - 1));
}

/* Checks a ROP's cache line and operation queue. */
static bool
config_check_rop(const char *cache, uint32_t line_bytes, const char *queue, uint32_t op_queue,
                 uint32_t latency, char *error, size_t error_size)
{
   if (line_bytes != 64 && line_bytes != 128 && line_bytes != 256) {
      snprintf(error, error_size,
               "%sStampsPerLine: lines of %u bytes (4 times BytesPerPixel each), expected 64, 128 "
               "or 256",
               cache, line_bytes);
      return false;
   }
   if (op_queue < latency) {
      snprintf(error, error_size, "%s = %u: expected at least the latency of the ALU, %u", queue,
               op_queue, latency);
      return false;
   }
   return true;
}

/* Checks caches of two levels, and numbers of units. */
static bool
config_check_texture(const struct sim_config *config, char *error, size_t error_size)
{
   const uint32_t shaders = NUM_SHADERS(config);
   if (config->shader.tex_two_levels &&
       config->shader.tex_line_size > config->shader.tex_line_size_l1) {
      snprintf(error, error_size,
               "FRAGMENTSHADER.TextureCacheLineSize = %u: expected at most "
               "TextureCacheLineSizeL1, %u, with two levels",
               config->shader.tex_line_size, config->shader.tex_line_size_l1);
      return false;
   }
   if (!config->shader.tex_shared && shaders * config->shader.tex_units > SIM_MAX_TEX_UNITS) {
      snprintf(error, error_size,
               "FRAGMENTSHADER.TextureUnits = %u: expected at most %u for each of %u shaders",
               config->shader.tex_units, SIM_MAX_TEX_UNITS / shaders, shaders);
      return false;
   }
   if (config->shader.tex_shared * shaders > SIM_MAX_TEX_LINKS) {
      snprintf(error, error_size,
               "FRAGMENTSHADER.SharedTextureUnits = %u: expected at most %u for %u shaders",
               config->shader.tex_shared, SIM_MAX_TEX_LINKS / shaders, shaders);
      return false;
   }
   if (config->shader.aniso_round > 1u << config->shader.aniso_round_bits) {
      snprintf(
          error, error_size,
          "FRAGMENTSHADER.AnisoRoundThreshold = %u: expected at most 2^AnisoRoundPrecision, %u",
          config->shader.aniso_round, 1u << config->shader.aniso_round_bits);
      return false;
   }
   if (config->shader.brilinear > 1u << (config->shader.trilinear_bits - 1)) {
      snprintf(error, error_size,
               "FRAGMENTSHADER.BrilinearThreshold = %u: expected at most half of "
               "2^TrilinearPrecision, %u",
               config->shader.brilinear, 1u << (config->shader.trilinear_bits - 1));
      return false;
   }
   return true;
}

static bool
config_check_powers_of_two(const struct sim_config *config, char *error, size_t error_size)
{
   const struct {
      const char *name;
      uint32_t value;
   } powers[] = {
       {"MEMORYCONTROLLER.V2BurstBytesPerCycle", config->mc.burst_bytes},
       {"MEMORYCONTROLLER.ChannelInterleave", config->mc.interleave},
       {"MEMORYCONTROLLER.MemoryPageSize", config->mc.page_size},
       {"MEMORYCONTROLLER.V2BanksPerMemoryChannel", config->mc.banks},
       {"MEMORYCONTROLLER.V2MemoryRowSize", config->mc.row_size},
       {"MEMORYCONTROLLER.BurstLength", config->mc.burst_length},
       {"STREAMER.SLInputCacheLineSize", config->streamer.cache_line_size},
       {"STREAMOUT.WriteLineSize", config->so.line_size},
       {"FRAGMENTSHADER.TextureCacheLineSize", config->shader.tex_line_size},
       {"FRAGMENTSHADER.TextureCacheLines", config->shader.tex_sets},
       {"FRAGMENTSHADER.TextureCacheLineSizeL1", config->shader.tex_line_size_l1},
       {"FRAGMENTSHADER.TextureCacheLinesL1", config->shader.tex_sets_l1},
       {"FRAGMENTSHADER.ConstantCacheLineSize", config->shader.cc_line_size},
       {"FRAGMENTSHADER.ConstantCacheLines", config->shader.cc_sets},
       {"FRAGMENTSHADER.ConstantCachePortWidth", config->shader.cc_port_width},
       {"RASTERIZER.HZCacheLineSize", config->rast.hz_cache_line_size},
       {"RASTERIZER.OverScanWidth", config->rast.over_width},
       {"RASTERIZER.OverScanHeight", config->rast.over_height},
       {"RASTERIZER.ScanWidth", config->rast.scan_width},
       {"RASTERIZER.ScanHeight", config->rast.scan_height},
       {"ZSTENCILTEST.ZCacheLines", config->zst.cache_sets},
       {"COLORWRITE.ColorCacheLines", config->cw.cache_sets},
   };
   for (unsigned i = 0; i < sizeof(powers) / sizeof(powers[0]); i++) {
      if (!config_check_power_of_two(powers[i].value)) {
         snprintf(error, error_size, "%s = %u: expected a power of two", powers[i].name,
                  powers[i].value);
         return false;
      }
   }
   return true;
}

static bool
config_check_raster(const struct sim_config *config, char *error, size_t error_size)
{
   if (config->rast.setup_on_shader && !config->gpu.unified) {
      snprintf(error, error_size,
               "RASTERIZER.TriangleSetupOnShader = TRUE: expected FALSE unless GPU.Unified");
      return false;
   }
   if (config->rast.shaded_queue && config->rast.shaded_queue < 16) {
      snprintf(error, error_size,
               "RASTERIZER.ShadedStampQueueSize = %u: expected 0 or a number from 16 (quads)",
               config->rast.shaded_queue);
      return false;
   }
   if (config->rast.hz_variant == 2 && config->rast.hz_cache_lines == 0) {
      snprintf(error, error_size,
               "RASTERIZER.HZCacheLines = 0: expected 1 at least with HZVariant 2 (release)");
      return false;
   }
   return true;
}

bool
sim_config_check(const struct sim_config *config, char *error, size_t error_size)
{
   struct sim_shader_machine shader;
   struct sim_dvfs_config dvfs;
   if (!sim_config_check_ranges(config, error, error_size) ||
       !sim_dvfs_config_read(&dvfs, config, error, error_size) ||
       !config_check_powers_of_two(config, error, error_size) ||
       !config_check_rop("ZSTENCILTEST.ZCache",
                         config->zst.line_stamps * 4 * config->zst.pixel_bytes,
                         "ZSTENCILTEST.OpQueueSize", config->zst.op_queue, config->zst.alu_latency,
                         error, error_size) ||
       !config_check_rop("COLORWRITE.ColorCache",
                         config->cw.line_stamps * 4 * config->cw.pixel_bytes,
                         "COLORWRITE.OpQueueSize", config->cw.op_queue, config->cw.alu_latency,
                         error, error_size) ||
       !sim_shader_machine_init(&shader, config, false, error, error_size) ||
       (!config->gpu.unified && !sim_shader_machine_init(&shader, config, true, error, error_size)))
      return false;
   if (dvfs.policy != SIM_DVFS_OFF && config->sim.threads > 1) {
      snprintf(error, error_size,
               "SIMULATOR.Threads = %u: expected 0 or 1 with DVFS.Policy, whose domains have "
               "times of their own",
               config->sim.threads);
      return false;
   }
   if (!config_check_texture(config, error, error_size) ||
       !config_check_raster(config, error, error_size))
      return false;
   if (config->mc.page_size < config->mc.interleave) {
      snprintf(error, error_size,
               "MEMORYCONTROLLER.MemoryPageSize (%u) is smaller than ChannelInterleave (%u)",
               config->mc.page_size, config->mc.interleave);
      return false;
   }
   return !config->mc.v2 || config_check_gddr(config, error, error_size);
}
