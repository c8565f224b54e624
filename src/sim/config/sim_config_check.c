/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Relations of parameters that a machine needs: powers of two, lanes, matching sizes. Not here:
 * each one's range (the sheets, sim_params.h, sim_config.c). */
#include <strings.h>
#include "config/sim_bank_policy.h"
#include "config/sim_config.h"
#include "config/sim_dvfs_config.h"
#include "config/sim_gddr_timing.h"
#include "config/sim_memory_map.h"
#include "config/sim_shader_machine.h"
#include "core/sim_box.h"

/* Checks the keys of the memory controller with banks. */
static bool
config_check_gddr(const struct sim_config *config, char *error, size_t error_size)
{
   const typeof(config->mc) *mc = &config->mc;
   struct sim_memory_map map;
   struct sim_gddr_timing timing;
   if (!sim_memory_map_init(&map, config, false, error, error_size) ||
       (mc->second && !sim_memory_map_init(&map, config, true, error, error_size)) ||
       !sim_gddr_timing_init(&timing, config, error, error_size))
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

/* Checks the keys of the L2. A request lies within a block of 256 bytes, so such a block must
 * belong to one slice, and a sector to one bank. */
static bool
config_check_l2(const struct sim_config *config, char *error, size_t error_size)
{
   const typeof(config->l2) *l2 = &config->l2;
   const typeof(config->mc) *mc = &config->mc;
   struct sim_memory_map map;
   unsigned lowest = 8, sector = (unsigned)__builtin_ctz(l2->sector_size);
   if (l2->line_size < l2->sector_size || l2->line_size > 8 * l2->sector_size) {
      snprintf(error, error_size,
               "L2.LineSize = %u: expected 1 to 8 times SectorSize, %u to %u bytes", l2->line_size,
               l2->sector_size, 8 * l2->sector_size);
      return false;
   }
   if (!l2->on)
      return true;
   if (!mc->v2) {
      if (mc->interleave >= 256)
         return true;
      snprintf(error, error_size,
               "MEMORYCONTROLLER.ChannelInterleave = %u: expected at least 256 with L2.Enabled",
               mc->interleave);
      return false;
   }
   if (mc->second) {
      snprintf(error, error_size,
               "MEMORYCONTROLLER.V2SecondInterleaving = TRUE: expected FALSE with L2.Enabled");
      return false;
   }
   if (!sim_memory_map_init(&map, config, false, error, error_size))
      return false;
   for (unsigned i = 0; i < map.channel_bits; i++)
      lowest = map.channel_bit[i] < lowest ? map.channel_bit[i] : lowest;
   if (lowest < 8 || map.granule < sector) {
      snprintf(error, error_size,
               "MEMORYCONTROLLER: bit %u of addresses selects the channel, bit %u channel or bank: "
               "expected bits from 8 for channels and from %u for banks with L2.Enabled and "
               "L2.SectorSize = %u",
               lowest, map.granule, sector, l2->sector_size);
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
       {"MEMORYCONTROLLER.V2BankGroups", config->mc.bank_groups},
       {"MEMORYCONTROLLER.V2MemoryRowSize", config->mc.row_size},
       {"MEMORYCONTROLLER.BurstLength", config->mc.burst_length},
       {"L2.LineSize", config->l2.line_size},
       {"L2.SectorSize", config->l2.sector_size},
       {"L2.Lines", config->l2.sets},
       {"L2.PortWidth", config->l2.port_width},
       {"STREAMER.SLInputCacheLineSize", config->streamer.cache_line_size},
       {"STREAMOUT.WriteLineSize", config->so.line_size},
       {"FRAGMENTSHADER.TextureCacheLineSize", config->shader.tex_line_size},
       {"FRAGMENTSHADER.TextureCacheLines", config->shader.tex_sets},
       {"FRAGMENTSHADER.TextureCacheLineSizeL1", config->shader.tex_line_size_l1},
       {"FRAGMENTSHADER.TextureCacheLinesL1", config->shader.tex_sets_l1},
       {"FRAGMENTSHADER.ConstantCacheLineSize", config->shader.cc_line_size},
       {"FRAGMENTSHADER.ConstantCacheLines", config->shader.cc_sets},
       {"FRAGMENTSHADER.ConstantCachePortWidth", config->shader.cc_port_width},
       {"FRAGMENTSHADER.LoadStoreSegment", config->shader.lsu_segment},
       {"RASTERIZER.HZCacheLineSize", config->rast.hz_cache_line_size},
       {"RASTERIZER.OverScanWidth", config->rast.over_width},
       {"RASTERIZER.OverScanHeight", config->rast.over_height},
       {"RASTERIZER.ScanWidth", config->rast.scan_width},
       {"RASTERIZER.ScanHeight", config->rast.scan_height},
       {"TILING.TileWidth", config->tiling.width},
       {"TILING.TileHeight", config->tiling.height},
       {"TILING.ListBlockBytes", config->tiling.block_bytes},
       {"TILING.ListEntryBytes", config->tiling.entry_bytes},
       {"TILING.TileCacheLines", config->tiling.cache_sets},
       {"TILING.TileCacheLineSize", config->tiling.cache_line},
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
   const uint32_t group = sim_shader_lanes(config) / 4, least = group > 16 ? group : 16;
   if (config->rast.shaded_queue && config->rast.shaded_queue < least) {
      snprintf(error, error_size,
               "RASTERIZER.ShadedStampQueueSize = %u: expected 0 or a number from %u (quads)",
               config->rast.shaded_queue, least);
      return false;
   }
   if (config->rast.hz_variant == 2 && config->rast.hz_cache_lines == 0) {
      snprintf(error, error_size,
               "RASTERIZER.HZCacheLines = 0: expected 1 at least with HZVariant 2 (release)");
      return false;
   }
   return true;
}

static bool
config_check_word(const char *key, const char *text, const char *one, const char *other,
                  char *error, size_t error_size)
{
   if (!strcasecmp(text, one) || !strcasecmp(text, other))
      return true;
   snprintf(error, error_size, "%s = \"%s\": expected %s or %s", key, text, one, other);
   return false;
}

/* Checks a tile-based machine. Draws of a pass always overlap. */
static bool
config_check_tiling(const struct sim_config *config, char *error, size_t error_size)
{
   const typeof(config->tiling) *t = &config->tiling;
   if (!config_check_word("GPU.Renderer", config->gpu.renderer, "IMMEDIATE", "TILED", error,
                          error_size) ||
       !config_check_word("TILING.TileOrder", t->order, "SCAN", "Z", error, error_size))
      return false;
   if (t->block_bytes < 2 * t->entry_bytes + 4) {
      snprintf(error, error_size,
               "TILING.ListBlockBytes = %u: expected room for two entries and an address, %u",
               t->block_bytes, 2 * t->entry_bytes + 4);
      return false;
   }
   if (t->cache_line < t->block_bytes) {
      snprintf(error, error_size,
               "TILING.TileCacheLineSize = %u: expected at least ListBlockBytes, %u", t->cache_line,
               t->block_bytes);
      return false;
   }
   if (!sim_tiled(config) && t->kill_quads) {
      snprintf(error, error_size,
               "TILING.ForwardPixelKill = %u: expected 0 with GPU.Renderer = IMMEDIATE",
               t->kill_quads);
      return false;
   }
   if (!sim_tiled(config) && t->low_z_tiles) {
      snprintf(error, error_size,
               "TILING.LowResolutionZ = %u: expected 0 with GPU.Renderer = IMMEDIATE",
               t->low_z_tiles);
      return false;
   }
   if (!sim_tiled(config) && t->hides) {
      snprintf(error, error_size,
               "TILING.HiddenSurfaceRemoval = TRUE: expected FALSE with "
               "GPU.Renderer = IMMEDIATE");
      return false;
   }
   if (!sim_tiled(config))
      return true;
   if (t->memory_size < 16 * t->open_passes) {
      snprintf(error, error_size,
               "TILING.ParameterBufferSize = %u: expected at least 16 for each of OpenPasses, %u",
               t->memory_size, 16 * t->open_passes);
      return false;
   }
   if (!config->cp.free_overlap || !config->cp.pipelined) {
      snprintf(error, error_size,
               "COMMANDPROCESSOR.%s = FALSE: expected TRUE with GPU.Renderer = TILED",
               config->cp.pipelined ? "FreeOverlap" : "PipelinedBatchRendering");
      return false;
   }
   return true;
}

/* Checks a window for all shaders, whose contexts have numbers of 16 bits. */
static bool
config_check_shared_window(const struct sim_config *config, char *error, size_t error_size)
{
   const __typeof__(config->shader) *s = &config->shader;
   const uint32_t lanes = sim_shader_lanes(config),
                  groups = s->vector ? s->vector_threads : (s->threads + s->buffers) / lanes,
                  most = 65536 / config->gpu.num_shaders;
   if (!s->shared_window)
      return true;
   if (!config->gpu.unified) {
      snprintf(error, error_size,
               "FRAGMENTSHADER.SharedWindow = TRUE: expected FALSE with GPU.Unified = FALSE");
      return false;
   }
   if (groups > most) {
      snprintf(error, error_size,
               "FRAGMENTSHADER.SharedWindow = TRUE: expected at most %u thread groups for each of "
               "%u shaders, here %u",
               most, config->gpu.num_shaders, groups);
      return false;
   }
   return true;
}

static bool
config_check_shaders(const struct sim_config *config, char *error, size_t error_size)
{
   const uint32_t fragments = config->gpu.num_shaders;
   if (NUM_SHADERS(config) > SIM_MAX_SHADERS) {
      snprintf(error, error_size,
               "GPU.NumVertexShaders = %u: expected at most %u beside %u fragment shaders",
               config->gpu.num_vertex_shaders, SIM_MAX_SHADERS - fragments, fragments);
      return false;
   }
   return config_check_shared_window(config, error, error_size);
}

bool
sim_config_check(const struct sim_config *config, char *error, size_t error_size)
{
   struct sim_shader_machine shader;
   struct sim_dvfs_config dvfs;
   uint8_t policies[SIM_MAX_BANK_POLICIES];
   if (!sim_config_check_ranges(config, error, error_size) ||
       !sim_dvfs_config_read(&dvfs, config, error, error_size) ||
       !sim_memory_map_check_masks(config, error, error_size) ||
       !sim_bank_policies(config->mc.bank_policy, policies, error, error_size) ||
       !sim_gddr_names_check(config, error, error_size) ||
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
   if (!config_check_shaders(config, error, error_size) ||
       !config_check_texture(config, error, error_size) ||
       !config_check_raster(config, error, error_size) ||
       !config_check_tiling(config, error, error_size))
      return false;
   if (config->mc.page_size < config->mc.interleave) {
      snprintf(error, error_size,
               "MEMORYCONTROLLER.MemoryPageSize (%u) is smaller than ChannelInterleave (%u)",
               config->mc.page_size, config->mc.interleave);
      return false;
   }
   return (!config->mc.v2 || config_check_gddr(config, error, error_size)) &&
          config_check_l2(config, error, error_size);
}
