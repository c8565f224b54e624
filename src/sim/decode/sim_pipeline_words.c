/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The values of a draw's state as texts, by OpenGL's names, and which of them differ from the draw
 * before (sim_pipeline_items.h). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/sim_mix.h"
#include "decode/sim_pipeline_impl.h"
#include "decode/sim_programs.h"
#include "hw/isa/attila_isa.h"

/* --- Words --- */

#define GL(name, value) [value] = "GL_" #name,
#define GL_PRIM(name) [ATTILA_PRIM_##name] = "GL_" #name,
static const char *const prims[] = {ATTILA_PRIMS(GL_PRIM)};
static const char *const funcs[] = {ATTILA_FUNCS(GL)};
static const char *const logic_ops[] = {ATTILA_LOGIC_OPS(GL)};
static const char *const index_types[] =
    {[1] = "GL_UNSIGNED_BYTE", [2] = "GL_UNSIGNED_SHORT", [4] = "GL_UNSIGNED_INT"};
static const char *const stencil_ops[] = {
    [ATTILA_STENCIL_KEEP] = "GL_KEEP",           [ATTILA_STENCIL_ZERO] = "GL_ZERO",
    [ATTILA_STENCIL_REPLACE] = "GL_REPLACE",     [ATTILA_STENCIL_INCR_SAT] = "GL_INCR",
    [ATTILA_STENCIL_DECR_SAT] = "GL_DECR",       [ATTILA_STENCIL_INCR_WRAP] = "GL_INCR_WRAP",
    [ATTILA_STENCIL_DECR_WRAP] = "GL_DECR_WRAP", [ATTILA_STENCIL_INVERT] = "GL_INVERT",
};
static const char *const blend_eqs[] = {
    [ATTILA_BLEND_ADD] = "GL_FUNC_ADD",
    [ATTILA_BLEND_SUBTRACT] = "GL_FUNC_SUBTRACT",
    [ATTILA_BLEND_REVERSE_SUBTRACT] = "GL_FUNC_REVERSE_SUBTRACT",
    [ATTILA_BLEND_MIN] = "GL_MIN",
    [ATTILA_BLEND_MAX] = "GL_MAX",
};
/* Of the first and of the second colour. */
static const char *const blend_factors[][2] = {
    [ATTILA_FACTOR_ZERO] = {"GL_ZERO"},
    [ATTILA_FACTOR_ONE] = {"GL_ONE"},
    [ATTILA_FACTOR_SRC_COLOR] = {"GL_SRC_COLOR", "GL_SRC1_COLOR"},
    [ATTILA_FACTOR_SRC_ALPHA] = {"GL_SRC_ALPHA", "GL_SRC1_ALPHA"},
    [ATTILA_FACTOR_DST_COLOR] = {"GL_DST_COLOR"},
    [ATTILA_FACTOR_DST_ALPHA] = {"GL_DST_ALPHA"},
    [ATTILA_FACTOR_CONST_COLOR] = {"GL_CONSTANT_COLOR"},
    [ATTILA_FACTOR_CONST_ALPHA] = {"GL_CONSTANT_ALPHA"},
    [ATTILA_FACTOR_SRC_ALPHA_SATURATE] = {"GL_SRC_ALPHA_SATURATE"},
    [ATTILA_FACTOR_INV_SRC_COLOR] = {"GL_ONE_MINUS_SRC_COLOR", "GL_ONE_MINUS_SRC1_COLOR"},
    [ATTILA_FACTOR_INV_SRC_ALPHA] = {"GL_ONE_MINUS_SRC_ALPHA", "GL_ONE_MINUS_SRC1_ALPHA"},
    [ATTILA_FACTOR_INV_DST_COLOR] = {"GL_ONE_MINUS_DST_COLOR"},
    [ATTILA_FACTOR_INV_DST_ALPHA] = {"GL_ONE_MINUS_DST_ALPHA"},
    [ATTILA_FACTOR_INV_CONST_COLOR] = {"GL_ONE_MINUS_CONSTANT_COLOR"},
    [ATTILA_FACTOR_INV_CONST_ALPHA] = {"GL_ONE_MINUS_CONSTANT_ALPHA"},
};
static const char *const fills[] = {[ATTILA_FILL_SOLID] = "GL_FILL",
                                    [ATTILA_FILL_LINE] = "GL_LINE",
                                    [ATTILA_FILL_POINT] = "GL_POINT"};
static const char *const culls[] = {
    [ATTILA_CULL_FRONT] = "GL_FRONT",
    [ATTILA_CULL_BACK] = "GL_BACK",
    [ATTILA_CULL_FRONT | ATTILA_CULL_BACK] = "GL_FRONT_AND_BACK",
};
static const char *const wraps[] = {
    [ATTILA_WRAP_REPEAT] = "GL_REPEAT",
    [ATTILA_WRAP_CLAMP] = "GL_CLAMP",
    [ATTILA_WRAP_CLAMP_TO_EDGE] = "GL_CLAMP_TO_EDGE",
    [ATTILA_WRAP_CLAMP_TO_BORDER] = "GL_CLAMP_TO_BORDER",
    [ATTILA_WRAP_MIRROR_REPEAT] = "GL_MIRRORED_REPEAT",
    [ATTILA_WRAP_MIRROR_CLAMP] = "GL_MIRROR_CLAMP_EXT",
    [ATTILA_WRAP_MIRROR_CLAMP_TO_EDGE] = "GL_MIRROR_CLAMP_TO_EDGE",
    [ATTILA_WRAP_MIRROR_CLAMP_TO_BORDER] = "GL_MIRROR_CLAMP_TO_BORDER_EXT",
};
/* [mip filter][filter] */
static const char *const min_filters[4][2] = {
    [ATTILA_MIP_NEAREST] = {"GL_NEAREST_MIPMAP_NEAREST", "GL_LINEAR_MIPMAP_NEAREST"},
    [ATTILA_MIP_LINEAR] = {"GL_NEAREST_MIPMAP_LINEAR", "GL_LINEAR_MIPMAP_LINEAR"},
    [ATTILA_MIP_NONE] = {"GL_NEAREST", "GL_LINEAR"},
};
static const char *const targets[] = {
    [ATTILA_TEX_1D] = "GL_TEXTURE_1D",
    [ATTILA_TEX_2D] = "GL_TEXTURE_2D",
    [ATTILA_TEX_3D] = "GL_TEXTURE_3D",
    [ATTILA_TEX_CUBE] = "GL_TEXTURE_CUBE_MAP",
    [ATTILA_TEX_RECT] = "GL_TEXTURE_RECTANGLE",
    [ATTILA_TEX_1D_ARRAY] = "GL_TEXTURE_1D_ARRAY",
    [ATTILA_TEX_2D_ARRAY] = "GL_TEXTURE_2D_ARRAY",
    [ATTILA_TEX_BUFFER] = "GL_TEXTURE_BUFFER",
};

/* --- Texts of values, as sim_pipeline_items.h uses them --- */

__attribute__((format(printf, 2, 3))) static const char *
pipeline_text(struct sim_pipeline *p, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   vsnprintf(p->text, sizeof(p->text), format, args);
   va_end(args);
   return p->text;
}

size_t
pipeline_float(char *text, size_t size, float x)
{
   uint32_t bits;
   int n = 0;
   memcpy(&bits, &x, sizeof(bits));
   const uint32_t exponent = bits >> 23 & 0xff;
   if (bits << 9 && (exponent == 0 || exponent == 0xff))
      return (size_t)snprintf(text, size, "0x%x", (unsigned)bits);
   if (x > -1e6f && x < 1e6f && x == (float)(int)x && bits != 0x80000000u)
      return (size_t)snprintf(text, size, "%d", (int)x); /* most are; it is three times as fast */
   for (int digits = 6; digits <= 9; digits++) {
      n = snprintf(text, size, "%.*g", digits, (double)x);
      if (strtof(text, NULL) == x)
         break;
   }
   return (size_t)n;
}

static const char *
pipeline_floats(struct sim_pipeline *p, const float *x, unsigned num)
{
   size_t at = 0;
   for (unsigned i = 0; i < num; i++) {
      if (i)
         p->text[at++] = ' ';
      at += pipeline_float(p->text + at, sizeof(p->text) - at, x[i]);
   }
   return p->text;
}

static const char *
pipeline_word(const char *const *words, size_t num, uint32_t value)
{
   return value < num && words[value] ? words[value] : "?";
}

#define R (s->regs)
#define A (s->regs.attrib[i])
#define C (s->regs.color[i])
#define T (s->regs.tex[i])
#define S0 (s->regs.stencil[0])
#define S1 (s->regs.stencil[1])
#define B(x) ((x) ? "GL_TRUE" : "GL_FALSE")
#define N(x) pipeline_text(p, "%u", (unsigned)(x))
#define X(x) pipeline_text(p, "0x%x", (unsigned)(x))
#define F(x) pipeline_floats(p, &(x), 1)
#define F4(x) pipeline_floats(p, x, 4)
#define W(words, x) pipeline_word(words, sizeof(words) / sizeof(words[0]), x)

static const char *
pipeline_format(uint32_t format)
{
   return format < ATTILA_NUM_FORMATS ? attila_formats[format].name : "?";
}

static const char *
pipeline_attribute(struct sim_pipeline *p, const struct attila_attrib_regs *a)
{
   return a->enable == ATTILA_ATTRIB_MEMORY     ? pipeline_format(a->format)
          : a->enable == ATTILA_ATTRIB_INSTANCE ? "gl_InstanceID"
                                                : "0 0 0 1";
}

/* The same program has the same text; its hash is that of the record's table of programs. */
static const char *
pipeline_program(struct sim_pipeline *p, const struct emul_draw_state *s, enum attila_stage stage)
{
   const struct sim_program *program = s->held[stage];
   if (!program)
      return NULL;
   return pipeline_text(p, "%s%s%016llx", program->name, program->name[0] ? " " : "program ",
                        (unsigned long long)program->hash);
}

static const char *
pipeline_constant(struct sim_pipeline *p, const struct emul_draw_state *s, enum attila_stage stage,
                  unsigned i)
{
   return pipeline_floats(p, s->consts[stage][i], 4);
}

static bool
pipeline_sampled(const struct attila_tex_regs *t)
{
   return t->target != ATTILA_TEX_BUFFER && t->samples <= 1;
}

static unsigned
pipeline_dimensions(const struct attila_tex_regs *t)
{
   switch (t->target) {
   case ATTILA_TEX_1D:
   case ATTILA_TEX_1D_ARRAY:
   case ATTILA_TEX_BUFFER:
      return 1;
   case ATTILA_TEX_3D:
      return 3;
   default:
      return 2;
   }
}

static const char *
pipeline_target(const struct attila_tex_regs *t)
{
   if (t->target == ATTILA_TEX_CUBE && t->cube_array)
      return "GL_TEXTURE_CUBE_MAP_ARRAY";
   if (t->samples > 1)
      return t->target == ATTILA_TEX_2D ? "GL_TEXTURE_2D_MULTISAMPLE"
                                        : "GL_TEXTURE_2D_MULTISAMPLE_ARRAY";
   return W(targets, t->target);
}

static const char *
pipeline_swizzle(struct sim_pipeline *p, uint32_t swizzle)
{
   for (unsigned c = 0; c < 4; c++)
      p->text[c] = "RGBA01??"[swizzle >> 3 * c & 7];
   p->text[4] = '\0';
   return p->text;
}

static bool
pipeline_border(const struct attila_tex_regs *t)
{
   const unsigned uses = 1u << ATTILA_WRAP_CLAMP | 1u << ATTILA_WRAP_CLAMP_TO_BORDER |
                         1u << ATTILA_WRAP_MIRROR_CLAMP | 1u << ATTILA_WRAP_MIRROR_CLAMP_TO_BORDER;
   const unsigned d = pipeline_dimensions(t);
   return uses >> t->wrap_s & 1 || (d > 1 && uses >> t->wrap_t & 1) ||
          (d > 2 && uses >> t->wrap_r & 1);
}

/* OpenGL counts rows from the bottom of a window, which is in memory from the top. */
static float
pipeline_bottom(const struct attila_regs *r, float low, float high)
{
   return r->bottom_edge_rule ? (float)r->fb_height - high : low;
}

static const char *
pipeline_viewport(struct sim_pipeline *p, const struct attila_regs *r)
{
   const float x = r->viewport_scale[0] < 0 ? -r->viewport_scale[0] : r->viewport_scale[0];
   const float y = r->viewport_scale[1] < 0 ? -r->viewport_scale[1] : r->viewport_scale[1];
   const float box[4] = {
       r->viewport_translate[0] - x,
       pipeline_bottom(r, r->viewport_translate[1] - y, r->viewport_translate[1] + y),
       2 * x,
       2 * y,
   };
   return pipeline_floats(p, box, 4);
}

static const char *
pipeline_depth_range(struct sim_pipeline *p, const struct attila_regs *r)
{
   const float scale = r->viewport_scale[2], translate = r->viewport_translate[2];
   const float range[2] = {r->clip_halfz ? translate : translate - scale, translate + scale};
   return pipeline_floats(p, range, 2);
}

/* OpenGL's test without an effect is the same as none. */
static bool
pipeline_scissored(const struct attila_regs *r)
{
   return r->scissor_minx || r->scissor_miny || r->scissor_maxx < r->fb_width ||
          r->scissor_maxy < r->fb_height;
}

static const char *
pipeline_scissor(struct sim_pipeline *p, const struct attila_regs *r)
{
   return pipeline_text(p, "%u %.0f %u %u", (unsigned)r->scissor_minx,
                        (double)pipeline_bottom(r, r->scissor_miny, r->scissor_maxy),
                        (unsigned)(r->scissor_maxx - r->scissor_minx),
                        (unsigned)(r->scissor_maxy - r->scissor_miny));
}

static const char *
pipeline_bits(struct sim_pipeline *p, uint32_t bits)
{
   size_t at = 0;
   for (; bits; bits &= bits - 1)
      at += (size_t)snprintf(p->text + at, sizeof(p->text) - at, "%s%d", at ? " " : "",
                             __builtin_ctz(bits));
   return p->text;
}

static const char *
pipeline_polygon_mode(struct sim_pipeline *p, const struct attila_regs *r)
{
   const char *front = W(fills, r->fill_front), *back = W(fills, r->fill_back);
   return front == back ? front : pipeline_text(p, "%s %s", front, back);
}

static bool
pipeline_mode(const struct attila_regs *r, enum attila_fill fill)
{
   return r->fill_front == fill || r->fill_back == fill;
}

static bool
pipeline_offset(const struct attila_regs *r)
{
   return r->offset_tri || (r->offset_line && pipeline_mode(r, ATTILA_FILL_LINE)) ||
          (r->offset_point && pipeline_mode(r, ATTILA_FILL_POINT));
}

/* Returns the vertices of a primitive that comes to the clipper: 1 point, 2 line, 3 triangle. */
static unsigned
pipeline_primitive(const struct emul_draw_state *s)
{
   return s->gs ? emul_program_isa(s->gs)->gs_vertices_out
                : emul_assembled_vertices(s->cmd.prim, false);
}

static bool
pipeline_lines(const struct emul_draw_state *s)
{
   const unsigned vertices = pipeline_primitive(s);
   return vertices == 2 || (vertices == 3 && pipeline_mode(&R, ATTILA_FILL_LINE));
}

static bool
pipeline_points(const struct emul_draw_state *s)
{
   const unsigned vertices = pipeline_primitive(s);
   return vertices == 1 || (vertices == 3 && pipeline_mode(&R, ATTILA_FILL_POINT));
}

static const char *
pipeline_mask(struct sim_pipeline *p, uint32_t mask)
{
   for (unsigned c = 0; c < 4; c++)
      p->text[c] = mask >> c & 1 ? "RGBA"[c] : '-';
   p->text[4] = '\0';
   return p->text;
}

static const char *
pipeline_factor(uint32_t factor, bool second)
{
   if (factor >= sizeof(blend_factors) / sizeof(blend_factors[0]))
      return "?";
   return blend_factors[factor][second && blend_factors[factor][1]];
}

static bool
pipeline_blends_constant(const struct attila_color_regs *c)
{
   const unsigned uses = 1u << ATTILA_FACTOR_CONST_COLOR | 1u << ATTILA_FACTOR_CONST_ALPHA |
                         1u << ATTILA_FACTOR_INV_CONST_COLOR | 1u << ATTILA_FACTOR_INV_CONST_ALPHA;
   return (uses >> c->rgb_src | uses >> c->rgb_dst | uses >> c->alpha_src | uses >> c->alpha_dst) &
          1;
}

/* --- Items --- */

/* text: NULL: absent. number: -1: the part is there once. */
static void
pipeline_put(struct sim_pipeline *p, unsigned item, const char *part, int32_t number,
             const char *name, const char *text)
{
   const uint64_t hash = text ? sim_mix(1, text, strlen(text)) | 1 : 0;
   if (p->value[item] == hash)
      return;
   p->value[item] = hash;
   struct sim_pipeline_change *c = pipeline_change(p);
   *c = (struct sim_pipeline_change){.item = item,
                                     .part = part,
                                     .number = number,
                                     .name = name,
                                     .is_new = !p->seen[item],
                                     .absent = !text};
   snprintf(c->value, sizeof(c->value), "%s", text ? text : "");
   p->seen[item] = true;
}

/* Puts the items of a part, number i of its kind; used: the draw uses it. */
#define ITEM(name_, condition, value)                              \
   pipeline_put(p, item++, part, single ? -1 : (int32_t)i, #name_, \
                used && (condition) ? (value) : NULL);
#define P(id, name, count, ITEMS)                                                              \
   void pipeline_put_##id(struct sim_pipeline *p, const struct emul_draw_state *s, unsigned i, \
                          bool used)                                                           \
   {                                                                                           \
      static const char part[] = name;                                                         \
      const bool single = (count) == 1;                                                        \
      unsigned item = FIRST_##id + i * ITEMS_##id;                                             \
      ITEMS(ITEM)                                                                              \
   }
PIPELINE_PARTS(P)
#undef P
#undef ITEM
