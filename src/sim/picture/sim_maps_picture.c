/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A map as a picture: colours, title, legend. The colours are those of viridis, whose lightness
 * grows evenly, also for red-green colour blindness (S. van der Walt and N. Smith, "A Better
 * Default Colormap for Matplotlib", SciPy 2015; values public domain, CC0). Pixels without a value
 * are black, which is not in viridis. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "picture/sim_maps.h"

#define MARGIN 8u
#define MIN_WIDTH 256u /* of a map in its picture; smaller ones are enlarged by a whole number */
#define WIDE 480u      /* pictures from this width on have double-size letters */
#define FONT_WIDTH 6u
#define FONT_HEIGHT 7u
#define LINE 10u /* between lines of text */
#define BAR 10u  /* height of the colour scale */

/* Viridis at 0, 0.1, ... 1. */
static const uint8_t viridis[11][3] = {
    {0x44, 0x01, 0x54}, {0x48, 0x25, 0x76}, {0x41, 0x44, 0x87}, {0x35, 0x60, 0x8d},
    {0x2a, 0x78, 0x8e}, {0x21, 0x90, 0x8c}, {0x22, 0xa8, 0x84}, {0x43, 0xbf, 0x71},
    {0x7a, 0xd1, 0x51}, {0xbb, 0xdf, 0x27}, {0xfd, 0xe7, 0x25},
};

/* Letters of 5 x 7 dots: 7 rows of 5 bits, top row and left dot highest. Other letters are
 * blank. */
static const uint64_t letters[128] = {
    [','] = 0x000003088, ['-'] = 0x0000f0000, ['.'] = 0x00000018c, ['0'] = 0x3a33ae62e,
    ['1'] = 0x11842108e, ['2'] = 0x3a211111f, ['3'] = 0x78217043e, ['4'] = 0x08ca97c42,
    ['5'] = 0x7e1e0862e, ['6'] = 0x3a10f462e, ['7'] = 0x7c2221108, ['8'] = 0x3a317462e,
    ['9'] = 0x3a317842e, [':'] = 0x018c03180, ['='] = 0x001e07800, ['>'] = 0x410411110,
    ['a'] = 0x000e0be2f, ['b'] = 0x421e8c63e, ['c'] = 0x000f8420f, ['d'] = 0x042f8c62f,
    ['e'] = 0x000e8fe0e, ['f'] = 0x1928e2108, ['g'] = 0x01f18bc2e, ['h'] = 0x421e8c631,
    ['i'] = 0x100c2108e, ['j'] = 0x080610a4c, ['k'] = 0x4212a6292, ['l'] = 0x30842108e,
    ['m'] = 0x001aad6b5, ['n'] = 0x001e8c631, ['o'] = 0x000e8c62e, ['p'] = 0x001e8fa10,
    ['q'] = 0x000f8bc21, ['r'] = 0x0016cc210, ['s'] = 0x000f8383e, ['t'] = 0x211e42126,
    ['u'] = 0x00118c62f, ['v'] = 0x00118c544, ['w'] = 0x0011ad6aa, ['x'] = 0x001151151,
    ['y'] = 0x02318bc2e, ['z'] = 0x001f1111f,
};

static const char *const titles[] = {
#define M(constant, name, unit, title) title,
    SIM_MAPS(M)
#undef M
};
static const char *const units[] = {
#define M(constant, name, unit, title) unit,
    SIM_MAPS(M)
#undef M
};

const char *
sim_map_unit(enum sim_map_kind kind)
{
   return units[kind];
}

void
sim_map_values(const struct sim_map *m, enum sim_map_kind kind, uint32_t *values)
{
   for (uint32_t y = 0; y < m->height; y++) {
      const uint32_t row = m->bottom_up ? m->height - 1 - y : y;
      for (uint32_t x = 0; x < m->width; x++) {
         const uint32_t *v = m->pixel[(size_t)y * m->width + x];
         uint32_t value = v[kind];
         if (kind == SIM_MAP_LATENCY && v[SIM_MAP_WRITTEN])
            value = (value + v[SIM_MAP_WRITTEN] / 2) / v[SIM_MAP_WRITTEN];
         values[(size_t)row * m->width + x] = value;
      }
   }
}

void
sim_map_sum_blocks(uint32_t *values, uint32_t width, uint32_t height, uint32_t n)
{
   for (uint32_t y0 = 0; y0 < height; y0 += n) {
      for (uint32_t x0 = 0; x0 < width; x0 += n) {
         const uint32_t x1 = x0 + n < width ? x0 + n : width,
                        y1 = y0 + n < height ? y0 + n : height;
         uint32_t sum = 0;
         for (uint32_t y = y0; y < y1; y++) {
            for (uint32_t x = x0; x < x1; x++)
               sum += values[(size_t)y * width + x];
         }
         for (uint32_t y = y0; y < y1; y++) {
            for (uint32_t x = x0; x < x1; x++)
               values[(size_t)y * width + x] = sum;
         }
      }
   }
}

/* Returns the end of the colour scale: a value that at most 0.5 % of the pixels exceed, so that a
 * few large values do not make all others look alike. */
static uint32_t
maps_picture_scale_end(const uint32_t *values, size_t num, const struct sim_map_summary *s)
{
   enum { BINS = 4096 };
   uint32_t bins[BINS] = {0}, shift = 0, above = 0, bin = BINS;
   while (s->max >> shift >= BINS)
      shift++;
   for (size_t i = 0; i < num; i++)
      bins[values[i] >> shift] += values[i] != 0;
   while (bin && above + bins[bin - 1] <= s->pixels / 200)
      above += bins[--bin];
   const uint64_t end = bin ? ((uint64_t)bin << shift) - 1 : 0;
   return end < s->min ? s->min : end < s->max ? (uint32_t)end : s->max;
}

void
sim_map_summarise(const uint32_t *values, size_t num, enum sim_map_kind kind,
                  struct sim_map_summary *s)
{
   *s = (struct sim_map_summary){.min = UINT32_MAX};
   for (size_t i = 0; i < num; i++) {
      if (!values[i])
         continue;
      s->min = values[i] < s->min ? values[i] : s->min;
      s->max = values[i] > s->max ? values[i] : s->max;
      s->sum += kind == SIM_MAP_DRAW ? 0 : values[i];
      s->pixels++;
   }
   if (!s->pixels)
      s->min = 0;
   s->top = kind == SIM_MAP_DRAW ? s->max : maps_picture_scale_end(values, num, s);
}

/* --- Drawing --- */

struct canvas {
   uint8_t *rgb;
   uint32_t width, height, letter; /* letter: pixels per dot */
};

static void
maps_picture_put(struct canvas *c, uint32_t x, uint32_t y, const uint8_t color[3])
{
   if (x < c->width && y < c->height)
      memcpy(c->rgb + 3 * ((size_t)y * c->width + x), color, 3);
}

static void
maps_picture_fill(struct canvas *c, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                  const uint8_t color[3])
{
   for (uint32_t i = 0; i < width * height; i++)
      maps_picture_put(c, x + i % width, y + i / width, color);
}

static void
maps_picture_write_text(struct canvas *c, uint32_t x, uint32_t y, const char *text)
{
   static const uint8_t light[3] = {0xe8, 0xe8, 0xe8};
   for (; *text; text++, x += FONT_WIDTH * c->letter) {
      const uint64_t dots = (uint8_t)*text < 128 ? letters[(uint8_t)*text] : 0;
      for (unsigned i = 0; i < 35; i++) {
         if (dots >> (34 - i) & 1)
            maps_picture_fill(c, x + i % 5 * c->letter, y + i / 5 * c->letter, c->letter, c->letter,
                              light);
      }
   }
}

static uint32_t
maps_picture_text_width(const struct canvas *c, const char *text)
{
   return (uint32_t)strlen(text) * FONT_WIDTH * c->letter;
}

void
sim_map_scale_color(double t, uint8_t color[3])
{
   const double at = t < 0.0 ? 0.0 : t < 1.0 ? t * 10.0 : 10.0;
   const unsigned i = at < 9.0 ? (unsigned)at : 9;
   for (unsigned c = 0; c < 3; c++)
      color[c] = (uint8_t)(viridis[i][c] + (at - i) * (viridis[i + 1][c] - viridis[i][c]) + 0.5);
}

static void
maps_picture_value_color(const struct sim_map_summary *s, uint32_t value, uint8_t color[3])
{
   memset(color, 0, 3);
   if (value)
      sim_map_scale_color(
          s->top > s->min ? ((double)value - s->min) / ((double)s->top - s->min) : 0.0, color);
}

/* Labels the ends and the middle of the scale, and black. */
static void
maps_picture_draw_legend(struct canvas *c, uint32_t y, enum sim_map_kind kind,
                         const struct sim_map_summary *s)
{
   static const uint8_t black[3] = {0}, frame[3] = {0x80, 0x80, 0x80};
   const uint32_t bar = BAR * c->letter, none = maps_picture_text_width(c, "none") + MARGIN;
   const uint32_t left = MARGIN + none, width = c->width - left - MARGIN;
   const uint32_t less = kind == SIM_MAP_DRAW;
   char text[32];
   maps_picture_fill(c, MARGIN, y, none - MARGIN, bar, frame);
   maps_picture_fill(c, MARGIN + 1, y + 1, none - MARGIN - 2, bar - 2, black);
   for (uint32_t x = 0; x < width; x++) {
      uint8_t color[3];
      sim_map_scale_color(s->top > s->min ? (double)x / (width - 1) : 0.0, color);
      maps_picture_fill(c, left + x, y, 1, bar, color);
   }
   y += bar + 3 * c->letter;
   maps_picture_write_text(c, MARGIN, y, "none");
   if (!s->pixels)
      return;
   snprintf(text, sizeof(text), "%u", s->min - less);
   maps_picture_write_text(c, left, y, text);
   if (s->top == s->min)
      return;
   snprintf(text, sizeof(text), "%s%u", s->max > s->top ? ">= " : "", s->top - less);
   maps_picture_write_text(c, left + width - maps_picture_text_width(c, text), y, text);
   if ((s->top - s->min) % 2 && s->top - s->min < 100)
      return; /* there is no integer in the middle */
   snprintf(text, sizeof(text), "%" PRIu64, ((uint64_t)s->min + s->top) / 2 - less);
   maps_picture_write_text(c, left + width / 2 - maps_picture_text_width(c, text) / 2, y, text);
}

static void
maps_picture_draw_title(struct canvas *c, enum sim_map_kind kind, const struct sim_map_summary *s,
                        const char *subject)
{
   char text[200];
   snprintf(text, sizeof(text), "%s: %s", sim_map_name(kind), titles[kind]);
   maps_picture_write_text(c, MARGIN, MARGIN, text);
   if (!s->pixels)
      snprintf(text, sizeof(text), "%s: none", subject);
   else if (kind == SIM_MAP_DRAW)
      snprintf(text, sizeof(text), "%s: %u to %u", subject, s->min - 1, s->max - 1);
   else
      snprintf(text, sizeof(text), "%s: max %u, mean %.*f", subject, s->max,
               (double)s->sum / s->pixels < 100.0 ? 2 : 0, (double)s->sum / s->pixels);
   maps_picture_write_text(c, MARGIN, MARGIN + LINE * c->letter, text);
}

uint8_t *
sim_map_picture(const uint32_t *values, uint32_t width, uint32_t height, enum sim_map_kind kind,
                const struct sim_map_summary *s, const char *subject, uint32_t *picture_width,
                uint32_t *picture_height)
{
   static const uint8_t background[3] = {0x30, 0x30, 0x30};
   const uint32_t enlarge = width < MIN_WIDTH ? (MIN_WIDTH + width - 1) / width : 1;
   struct canvas c = {.width = width * enlarge + 2 * MARGIN,
                      .letter = width * enlarge >= WIDE ? 2 : 1};
   const uint32_t top = MARGIN + 2 * LINE * c.letter + 2, legend = top + height * enlarge + MARGIN;
   c.height = legend + (BAR + 3 + FONT_HEIGHT) * c.letter + MARGIN;
   c.rgb = malloc((size_t)c.width * c.height * 3);
   if (!c.rgb)
      return NULL;
   maps_picture_fill(&c, 0, 0, c.width, c.height, background);
   maps_picture_draw_title(&c, kind, s, subject);
   for (uint32_t y = 0; y < height * enlarge; y++) {
      for (uint32_t x = 0; x < width * enlarge; x++) {
         uint8_t color[3];
         maps_picture_value_color(s, values[(size_t)(y / enlarge) * width + x / enlarge], color);
         maps_picture_put(&c, MARGIN + x, top + y, color);
      }
   }
   maps_picture_draw_legend(&c, legend, kind, s);
   *picture_width = c.width;
   *picture_height = c.height;
   return c.rgb;
}
