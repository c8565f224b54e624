/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture planning: a request's level of detail, anisotropy, cube faces, wrapping, texel addresses.
 * Each part of EMUL_TEX_VL lanes is planned by itself, from step 0 on; its lanes have no work in
 * steps beyond the part's last one. A fetch reads one texel without filter or wrapping, or zeros; a
 * gather reads the four that a linear filter would blend in the first level. OpenGL leaves a choice
 * for the level of detail. As in software renderers it comes from a coordinate's largest absolute
 * difference in the quad times the first level's size; it is 0 for vertex groups. A cube map
 * projects its direction's gradients onto the plane of each pixel's face. Anisotropic filtering
 * takes up to 16 samples along the longer of two axes of the pixel's footprint (enum
 * emul_tex_aniso; the gradients by default), as many as the axes' ratio. It does not apply to one
 * dimension. In cube maps they spread along the direction's gradient, each on its own face.
 * Included once per host instruction set (emul_tex_impl.h). */
#ifndef EMUL_TEX_PLAN_H
#define EMUL_TEX_PLAN_H

#include "emul/texture/emul_tex_cube.h"
#include "emul/texture/emul_tex_footprint.h"

/* A sample's place: coordinates in a face or layer. */
struct sample_place {
   vf s, t, r;
   vi face; /* cube: slice; array: layer */
};

/* A request being turned into steps. */
struct planner {
   const struct emul_tex_state *st;
   struct emul_tex_plan *plan;
   unsigned lane;           /* the part's first lane */
   unsigned num_steps;      /* the part's */
   unsigned target, linear; /* linear: 0 nearest, 1 linear, 2 by lane */
   bool texels;             /* s and t are in texels */
   bool cube_array;         /* target is CUBE */
   vi cube;                 /* first slice of the cube, in an array */
   vi is_linear;
   vi wanted; /* lanes of the request */
   vf lod;
   vf coord[3]; /* the request's */
   struct sample_place centre;
   vf gradient[3]; /* anisotropy: coord along the long axis */
   vi ratio;       /* samples along it, 1..16 */
   unsigned max_ratio;
   const int8_t *offset; /* the request's */
   bool fetch;           /* reads one texel at integers */
   unsigned sample;      /* the current anisotropic sample */
};

/* Does not clear what the parts set themselves: clearing a kilobyte costs as much as computing a
 * level of detail. */
SIM_INLINE void
planner_start(struct planner *p, const struct emul_tex_state *st, unsigned lane)
{
   p->st = st;
   p->target = st->regs.target;
   p->texels = false;
   p->cube_array = st->cube_array;
   p->lane = lane;
}

/* Returns how many coordinates have a gradient. */
static unsigned
gradient_components(unsigned target)
{
   switch (target) {
   case ATTILA_TEX_1D:
   case ATTILA_TEX_1D_ARRAY:
      return 1;
   case ATTILA_TEX_3D:
   case ATTILA_TEX_CUBE:
      return 3;
   default:
      return 2;
   }
}

/* Finds a direction's face, and s, t in it. */
static void
plan_cube_face(const vf v[3], struct sample_place *out)
{
   vf ax = vf_abs(v[0]), ay = vf_abs(v[1]), az = vf_abs(v[2]), plane[3];
   vi is_x = (ax >= ay) & (ax >= az), is_y = ~is_x & (ay >= ax) & (ay >= az);
   vi negative = ~(vf_sel(is_x, v[0], vf_sel(is_y, v[1], v[2])) >= 0.0f);
   out->face = vi_sel(is_x, vi_all(0), vi_sel(is_y, vi_all(2), vi_all(4))) - negative;
   cube_to_plane(out->face, v, plane);
   vf scale = -0.5f / vf_abs(plane[2]);
   out->s = plane[0] * scale + 0.5f;
   out->t = plane[1] * scale + 0.5f;
}

/* Projects a direction's gradients to s and t of its face. */
static void
project_gradients(const struct planner *p, vf dx[3], vf dy[3])
{
   vf x[3], y[3],
       major = vf_max(vf_max(vf_abs(p->coord[0]), vf_abs(p->coord[1])), vf_abs(p->coord[2]));
   cube_to_plane(p->centre.face, dx, x);
   cube_to_plane(p->centre.face, dy, y);
   vf scale = -0.5f / major, s = 2.0f * p->centre.s - 1.0f, t = 2.0f * p->centre.t - 1.0f;
   dx[0] = scale * (x[0] + s * x[2]);
   dx[1] = scale * (x[1] + t * x[2]);
   dy[0] = scale * (y[0] + s * y[2]);
   dy[1] = scale * (y[1] + t * y[2]);
}

/* Plans anisotropic samples and returns the level of detail left: the long axis divided by the
 * axes' ratio, not by the rounded number of samples (EXT_texture_filter_anisotropic allows both;
 * the release and NVIDIA's GPUs do this). dx, dy: gradients in texels. */
SIM_INLINE vf
plan_anisotropy(struct planner *p, unsigned n, const vf dx[3], const vf dy[3], struct footprint *f)
{
   *f = plan_footprint(p->st->aniso_algorithm, n, dx, dy);
   vi samples = vi_all(1);
   for (unsigned i = 0; i < p->st->num_ratios; i++)
      samples = vi_sel(f->ratio_long2 > f->ratio_short2 * p->st->ratio[i].limit,
                       vi_all(p->st->ratio[i].samples), samples);
   const vi long_axis = (f->length2 > 1.0f) & (f->length2 < 0x1p60f);
   p->ratio = vi_sel(long_axis, samples, vi_all(1));
   const vf most2 = vf_all((float)(p->st->regs.max_aniso * p->st->regs.max_aniso));
   /* A short axis of 0 gives infinity; both 0 give NaN. */
   vf ratio2 = f->ratio_long2 / f->ratio_short2;
   ratio2 = vf_sel(ratio2 < most2, ratio2, most2);
   ratio2 = vf_sel(long_axis, ratio2, vf_all(1.0f));
   return tex_lambda(f->length2 / ratio2);
}

/* Returns the level of detail that follows from gradients. */
SIM_INLINE vf
plan_lambda(struct planner *p, const struct emul_tex_request *req)
{
   const struct emul_tex_state *st = p->st;
   unsigned n = gradient_components(p->target);
   vf dx[3], dy[3],
       size[3] = {vf_all((float)st->width[st->first_level]),
                  vf_all((float)st->height[st->first_level]),
                  vf_all((float)st->depth[st->first_level])};
   if (st->regs.unnormalized)
      size[0] = size[1] = size[2] = vf_all(1.0f);
   for (unsigned c = 0; c < n; c++)
      tex_gradient(req, p->lane, c, &dx[c], &dy[c]);
   bool anisotropic = st->regs.max_aniso > 1 && n > 1;
   vf gx[3], gy[3];
   if (anisotropic) {
      memcpy(gx, dx, sizeof(gx));
      memcpy(gy, dy, sizeof(gy));
   }
   if (p->target == ATTILA_TEX_CUBE) {
      n = 2;
      project_gradients(p, dx, dy);
   }
   vf dx2 = vf_all(0.0f), dy2 = vf_all(0.0f);
   for (unsigned c = 0; c < n; c++) {
      dx[c] *= size[c];
      dy[c] *= size[c];
      dx2 += dx[c] * dx[c];
      dy2 += dy[c] * dy[c];
   }
   if (!anisotropic)
      return tex_lambda(tex_longer2(dx2, dy2));
   struct footprint f;
   vf lambda = plan_anisotropy(p, n, dx, dy, &f);
   for (unsigned c = 0; c < gradient_components(p->target); c++)
      p->gradient[c] = st->aniso_algorithm == EMUL_TEX_ANISO_TWO_AXIS
                           ? vf_sel(f.x > 0.0f, gx[c], gy[c])
                           : f.x * gx[c] + f.y * gy[c];
   return lambda;
}

/* Sets p->lod, clamped. */
static __attribute__((noinline)) void
plan_lod(struct planner *p, const struct emul_tex_request *req)
{
   p->ratio = vi_all(1);
   p->lod =
       tex_lod(p->st, req, p->lane, tex_lod_needs_lambda(req) ? plan_lambda(p, req) : vf_all(0.0f));
}

/* Sets a tap's address. instead: for lanes that read no texel; 0 in others. */
SIM_INLINE void
plan_tap(struct planner *p, struct emul_tex_step *step, unsigned tap, vi x, vi y, vi slice_offset,
         struct tex_rows rows, vi instead)
{
   const struct emul_tex_state *st = p->st;
   if (st->format->block_width == 4) {
      vi inside = (y & 3) << 2 | (x & 3);
      for (unsigned i = 0; i < EMUL_TEX_VL; i++)
         step->inside[tap][p->lane + i] = (uint8_t)inside[i];
      x >>= 2;
      y >>= 2;
   }
   vi of_y, of_x = tex_spread(rows, x, y, &of_y);
   vi address = ((of_x + of_y) << st->element_shift) + slice_offset;
   vi_store(&step->address[tap][p->lane], vi_sel(instead != 0, instead, address));
}

/* A step's level: sizes and place, by lane. */
struct level {
   vi width, height, depth, address, slice;
   struct tex_rows rows;
};

SIM_INLINE struct level
plan_level(const struct emul_tex_state *st, vi level)
{
   struct level out;
   if (st->first_level == st->last_level) {
      unsigned l = st->first_level;
      out = (struct level){.width = vi_all(st->width[l]),
                           .height = vi_all(st->height[l]),
                           .depth = vi_all(st->depth[l]),
                           .address = vi_all((int32_t)st->address[l]),
                           .slice = vi_all((int32_t)st->slice[l]),
                           .rows.pitch = vi_all((int32_t)st->pitch[l]),
                           .rows.super = vi_all((int32_t)st->super[l])};
   } else {
      out = (struct level){.width = vi_of_level(st->width, level),
                           .height = vi_of_level(st->height, level),
                           .depth = vi_of_level(st->depth, level),
                           .address = vi_of_level(st->address, level),
                           .slice = vi_of_level(st->slice, level),
                           .rows.pitch = vi_of_level(st->pitch, level),
                           .rows.super = vi_of_level(st->super, level)};
   }
   out.rows.mask = (vi_all(1) << out.rows.super) - 1;
   return out;
}

/* Leaves lanes first .. end - 1 without work in this step. */
static void
clear_lanes(struct emul_tex_step *step, unsigned first, unsigned end)
{
   for (unsigned i = first; i < end; i++) {
      for (unsigned tap = 0; tap < EMUL_TEX_TAPS; tap++)
         step->address[tap][i] = EMUL_TEX_UNUSED;
      step->fx[i] = step->fy[i] = step->blend[i] = 0.0f;
   }
   step->mask &= (uint16_t)((1u << first) - 1);
}

/* A bilinear step: texels of slice z (valid except in lanes of z_border). */
struct step_input {
   struct tex_axis x, y;
   vi z, z_border, lanes;
   vf blend;
};

static __attribute__((noinline)) void
plan_step(struct planner *p, const struct level *l, const struct step_input *in)
{
   struct emul_tex_step *step = &p->plan->steps[p->num_steps++];
   bool one_row = p->target == ATTILA_TEX_1D || p->target == ATTILA_TEX_1D_ARRAY;
   bool seamless = p->target == ATTILA_TEX_CUBE && p->st->regs.seamless && !p->fetch;
   vi lanes = in->lanes & p->wanted;
   vi nearest = p->linear == 1 ? vi_all(0) : p->linear == 0 ? vi_all(-1) : ~p->is_linear;
   for (unsigned tap = 0; tap < (p->linear ? EMUL_TEX_TAPS : 1); tap++) {
      vi unused = ~lanes;
      if (tap)
         unused |= nearest;
      if (tap & 2 && one_row) {
         vi_store(&step->address[tap][p->lane], vi_all((int32_t)EMUL_TEX_UNUSED));
         continue;
      }
      vi x = tap & 1 ? in->x.i1 : in->x.i0, y = tap & 2 ? in->y.i1 : in->y.i0, z = in->z, instead;
      if (seamless) {
         vi corner = cross_cube_edges(&x, &y, &z, l->width);
         p->plan->corners |= vi_bits(corner) != 0;
         instead = corner & (int32_t)EMUL_TEX_CORNER;
      } else
         instead = (in->z_border | (x < 0) | (x >= l->width) | (y < 0) | (y >= l->height)) &
                   (int32_t)EMUL_TEX_BORDER;
      instead = vi_sel(unused, vi_all((int32_t)EMUL_TEX_UNUSED), instead);
      plan_tap(p, step, tap, x, y, l->address + z * l->slice, l->rows, instead);
   }
   if (p->linear) {
      vf_store(&step->fx[p->lane], in->x.f);
      vf_store(&step->fy[p->lane], in->y.f);
   }
   vf_store(&step->blend[p->lane], (vf)((vi)in->blend & lanes));
   unsigned mask = vi_bits(lanes);
   if (p->lane == 0)
      step->mask = 0;
   else if (p->num_steps > p->plan->num_steps)
      clear_lanes(step, 0, p->lane);
   step->mask |= (uint16_t)(mask << p->lane);
   for (unsigned q = 0; q < EMUL_TEX_VL / 4; q++) {
      p->plan->quad_steps[p->lane / 4 + q] += (mask >> q * 4 & 15) != 0;
      step->sample[p->lane / 4 + q] = (uint8_t)p->sample;
   }
}

/* tex_wrap, compiled once. offset: texels to add before. */
static __attribute__((noinline)) void
plan_wrap(const struct planner *p, unsigned mode, bool pow2, const vf *s, const vi *size,
          int8_t offset, struct tex_axis *out)
{
   bool texels = p->st->regs.unnormalized || p->texels;
   vf c = *s;
   if (offset) {
      c = (texels ? c : c * vf_of(*size)) + (float)offset;
      texels = true;
   }
   *out = tex_wrap(mode, texels, pow2, p->linear, p->is_linear, c, *size);
}

/* Seamless cube maps: point samples stay on their face; linear ones cross edges by a texel. */
static __attribute__((noinline)) void
plan_wrap_cube(const struct planner *p, const vf *s, const vi *size, struct tex_axis *out)
{
   struct tex_axis linear =
       tex_wrap_linear(ATTILA_WRAP_CLAMP, false, false, *s, *size, vf_of(*size));
   vi nearest = tex_wrap_nearest(ATTILA_WRAP_CLAMP_TO_EDGE, false, false, *s, *size, vf_of(*size));
   vi is_linear = p->linear == 2 ? p->is_linear : vi_all(p->linear ? -1 : 0);
   out->i0 = vi_sel(is_linear, linear.i0, nearest);
   out->i1 = vi_sel(is_linear, linear.i1, nearest);
   out->f = (vf)((vi)linear.f & is_linear);
}

/* All that a sample position needs. */
struct sample_input {
   const struct sample_place *at;
   vf blend; /* of the sample */
   vi lanes;
};

/* Makes all steps of a sample position in one level. */
static __attribute__((noinline)) void
plan_sample(struct planner *p, const struct level *l, const struct sample_input *in)
{
   const struct attila_tex_regs *r = &p->st->regs;
   bool one_row = p->target == ATTILA_TEX_1D || p->target == ATTILA_TEX_1D_ARRAY;
   struct step_input step = {.z = in->at->face, .lanes = in->lanes, .blend = in->blend};
   if (p->target == ATTILA_TEX_CUBE && r->seamless) {
      plan_wrap_cube(p, &in->at->s, &l->width, &step.x);
      plan_wrap_cube(p, &in->at->t, &l->height, &step.y);
   } else {
      plan_wrap(p, r->wrap_s, p->st->pow2, &in->at->s, &l->width, p->offset[0], &step.x);
      if (!one_row)
         plan_wrap(p, r->wrap_t, p->st->pow2, &in->at->t, &l->height, p->offset[1], &step.y);
   }
   if (p->target != ATTILA_TEX_3D) {
      plan_step(p, l, &step);
      return;
   }
   struct tex_axis z;
   plan_wrap(p, r->wrap_r, false, &in->at->r, &l->depth, p->offset[2], &z);
   vi border0 = (z.i0 < 0) | (z.i0 >= l->depth), border1 = (z.i1 < 0) | (z.i1 >= l->depth);
   /* The two slices share the sample's blend, in the ratio z.f. */
   vf second = in->blend * z.f;
   step.blend = vf_sel(in->blend == 1.0f, vf_all(1.0f), in->blend * (1.0f - z.f) / (1.0f - second));
   step.z = z.i0 & ~border0;
   step.z_border = border0;
   plan_step(p, l, &step);
   if (!p->linear)
      return;
   step.blend = second;
   step.z = z.i1 & ~border1;
   step.z_border = border1;
   step.lanes = in->lanes & (z.f != 0.0f);
   plan_step(p, l, &step);
}

/* Finds the sample at a position (-1/2 .. 1/2, by lane) on the longer gradient. */
SIM_INLINE void
plan_place(const struct planner *p, vf position, vi single, struct sample_place *out)
{
   vf c[3];
   for (unsigned i = 0; i < 3; i++) {
      if (i < 2 || p->target == ATTILA_TEX_CUBE || p->target == ATTILA_TEX_3D)
         c[i] = vf_sel(single, p->coord[i], p->coord[i] + p->gradient[i] * position);
   }
   if (p->target == ATTILA_TEX_CUBE) {
      plan_cube_face(c, out);
   } else {
      out->s = c[0];
      out->t = c[1];
      if (p->target == ATTILA_TEX_3D)
         out->r = c[2];
   }
}

/* Plans the samples of one level. level_blend: the level's share; second: it is level 1 of two. */
static void
plan_samples(struct planner *p, const vi *level, const vf *level_blend, bool second,
             const vi *lanes)
{
   struct level l = plan_level(p->st, *level);
   if (p->cube_array)
      l.address += p->cube * l.slice;
   struct sample_input in = {&p->centre, second ? *level_blend : vf_all(1.0f), *lanes};
   p->sample = 0;
   if (p->max_ratio == 1) {
      plan_sample(p, &l, &in);
      return;
   }
   vf n = vf_of(p->ratio);
   vi single = p->ratio == 1;
   struct sample_place at = p->centre;
   in.at = &at;
   for (unsigned i = 0; i < p->max_ratio; i++) {
      p->sample = i;
      vf k = vf_all((float)(i + 1)), position = k / (n + 1.0f) - 0.5f;
      in.lanes = *lanes & (p->ratio > (int32_t)i);
      plan_place(p, position, single, &at);
      /* A running mean: after sample i all samples have equal weight. The samples of the other
       * level come first. */
      in.blend = second ? *level_blend / (n * (1.0f - *level_blend) + k * *level_blend) : 1.0f / k;
      plan_sample(p, &l, &in);
   }
}

/* Returns the layer nearest to a coordinate. */
SIM_INLINE vi
plan_layer(vf layer, uint32_t layers)
{
   return vi_min(vi_max(vi_floor(vf_safe(layer + 0.5f)), vi_all(0)), vi_all((int32_t)layers - 1));
}

static void
plan_cube_centre(struct planner *p, const struct emul_tex_request *req)
{
   plan_cube_face(p->coord, &p->centre);
   /* Other instructions have no layer. */
   if (p->cube_array && req->target == ATTILA_TEX_CUBE_ARRAY)
      p->cube = 6 * plan_layer(vf_load(&req->layer[p->lane]), p->st->regs.depth / 6);
   else if (p->cube_array)
      p->cube = vi_all(0);
}

SIM_INLINE void
plan_centre(struct planner *p, const struct emul_tex_request *req)
{
   p->centre = (struct sample_place){p->coord[0], p->coord[1], p->coord[2], vi_all(0)};
   if (p->target == ATTILA_TEX_CUBE)
      plan_cube_centre(p, req);
   else if (p->target == ATTILA_TEX_2D_ARRAY || p->target == ATTILA_TEX_1D_ARRAY)
      p->centre.face =
          plan_layer(p->coord[p->target == ATTILA_TEX_2D_ARRAY ? 2 : 1], p->st->regs.depth);
}

/* Returns the lanes' integer coordinates, limited so that an offset neither brings coordinates from
 * far outside back nor overflows. */
static inline vi
plan_integers(const struct planner *p, const struct emul_tex_request *req, unsigned c)
{
   const vi far = vi_all(2 * ATTILA_MAX_SURFACE_DIM);
   return vi_min(vi_max(vi_load(&req->coord[c][p->lane]), -far), far);
}

/* Turns addresses of elements into addresses of one sample each (attila_sample_number: a tile's
 * samples all precede the next tile). first: address of the slice. */
static void
plan_sample_addresses(const struct planner *p, vi first, vi sample)
{
   const struct emul_tex_state *st = p->st;
   uint32_t *address = &p->plan->steps[p->num_steps - 1].address[0][p->lane];
   const vi old = vi_load(address), number = (old - first) >> st->element_shift;
   const vi moved = ((number & ~3) << st->sample_shift) + (sample << 2) + (number & 3);
   const vi none = (old >= (int32_t)EMUL_TEX_NO_ADDRESS) & (old < 0);
   vi_store(address, vi_sel(none, old, first + (moved << st->element_shift)));
}

/* For elements of three words: makes taps 1 and 2 the words behind that of tap 0. */
static void
plan_second_words(const struct planner *p)
{
   struct emul_tex_step *step = &p->plan->steps[p->num_steps - 1];
   const vi first = vi_load(&step->address[0][p->lane]),
            none = (first >= (int32_t)EMUL_TEX_NO_ADDRESS) & (first < 0);
   for (int32_t tap = 1; tap < 3; tap++)
      vi_store(&step->address[tap][p->lane], vi_sel(none, first, first + tap * 4));
   vi_store(&step->address[3][p->lane], vi_all((int32_t)EMUL_TEX_UNUSED));
}

/* Plans a texel at integers for each lane from p->lane on. */
static __attribute__((noinline)) void
plan_fetch(struct planner *p, const struct emul_tex_request *req)
{
   const struct emul_tex_state *st = p->st;
   p->wanted = vi_mask(req->mask >> p->lane);
   const vi lod = vi_load(&req->lod[p->lane]), samples = vi_all(1 << st->sample_shift);
   vi level = st->sample_shift ? vi_all(0) : lod;
   vi outside = (level < 0) | (level > (int32_t)(st->last_level - st->first_level));
   if (st->sample_shift)
      outside |= (lod < 0) | (lod >= samples);
   struct level l = plan_level(st, (level & ~outside) + (int32_t)st->first_level);
   const vi zero = vi_all(0), second = plan_integers(p, req, 1);
   vi y = second + req->offset[1], z = zero;
   if (p->target == ATTILA_TEX_3D || p->target == ATTILA_TEX_2D_ARRAY)
      z = plan_integers(p, req, 2) + req->offset[2];
   else if (p->target == ATTILA_TEX_1D_ARRAY)
      z = second;
   if (p->target == ATTILA_TEX_1D || p->target == ATTILA_TEX_1D_ARRAY)
      y = zero;
   vi x = plan_integers(p, req, 0) + req->offset[0];
   if (p->target == ATTILA_TEX_BUFFER) {
      /* A buffer's elements are not in tiles; their offset is added to the level's address. */
      x = vi_load(&req->coord[0][p->lane]);
      outside |= (x < 0) | (x >= l.width);
      l.address += ((x & ~outside) << st->element_shift) * (st->three_words ? 3 : 1);
      x = y = zero;
   }
   outside |= (z < 0) | (z >= l.depth);
   const struct step_input in = {.x.i0 = x,
                                 .y.i0 = y,
                                 .z = z & ~outside,
                                 .z_border = outside,
                                 .lanes = vi_all(-1),
                                 .blend = vf_all(1.0f)};
   plan_step(p, &l, &in);
   if (st->sample_shift)
      plan_sample_addresses(p, l.address + in.z * l.slice, lod);
   if (st->three_words)
      plan_second_words(p);
}

/* Swaps two taps in these lanes. */
static void
plan_swap_taps(const struct planner *p, unsigned a, unsigned b, vi lanes)
{
   struct emul_tex_step *step = &p->plan->steps[p->num_steps - 1];
   const vi x = vi_load(&step->address[a][p->lane]), y = vi_load(&step->address[b][p->lane]);
   vi_store(&step->address[a][p->lane], vi_sel(lanes, y, x));
   vi_store(&step->address[b][p->lane], vi_sel(lanes, x, y));
   for (unsigned i = p->lane; i < p->lane + EMUL_TEX_VL; i++) {
      const uint8_t inside = step->inside[a][i];
      if (lanes[i - p->lane] && p->st->format->block_width == 4) {
         step->inside[a][i] = step->inside[b][i];
         step->inside[b][i] = inside;
      }
   }
}

/* Returns the lanes whose coordinate a mode mirrors: in these the filter's first texel is the
 * second one along the coordinate. */
static vi
plan_mirrored(unsigned mode, vf texels, int32_t size)
{
   switch (mode) {
   case ATTILA_WRAP_MIRROR_REPEAT:
      return (vi_floor(vf_safe(texels / (float)size)) & 1) != 0;
   case ATTILA_WRAP_MIRROR_CLAMP:
   case ATTILA_WRAP_MIRROR_CLAMP_TO_EDGE:
   case ATTILA_WRAP_MIRROR_CLAMP_TO_BORDER:
      return texels < 0.0f;
   default:
      return vi_all(0);
   }
}

/* Plans the four texels of the first level that a linear filter would blend, for each lane from
 * p->lane on. */
static __attribute__((noinline)) void
plan_gather(struct planner *p, const struct emul_tex_request *req)
{
   const struct emul_tex_state *st = p->st;
   const bool cube = p->target == ATTILA_TEX_CUBE;
   p->wanted = vi_mask(req->mask >> p->lane);
   p->sample = 0;
   for (unsigned c = 0; c < 3; c++)
      p->coord[c] = vf_load(&req->coord[c][p->lane]);
   plan_centre(p, req);
   const vi level = vi_all((int32_t)st->first_level), all = vi_all(-1);
   if (!cube) {
      /* Offsets are not scaled to the coordinate's range, which would round. */
      const vi width = vi_all(st->width[st->first_level]),
               height = vi_all(st->height[st->first_level]);
      const vf one = vf_all(1.0f);
      p->texels = true;
      p->centre.s = p->centre.s * (st->regs.unnormalized ? one : vf_of(width)) +
                    vf_of(vi_load(&req->ddx[0][p->lane]));
      p->centre.t = p->centre.t * (st->regs.unnormalized ? one : vf_of(height)) +
                    vf_of(vi_load(&req->ddx[1][p->lane]));
   }
   p->max_ratio = 1;
   plan_samples(p, &level, NULL, false, &all);
   if (cube)
      return;
   const vi x = plan_mirrored(st->regs.wrap_s, p->centre.s, st->width[st->first_level]),
            y = plan_mirrored(st->regs.wrap_t, p->centre.t, st->height[st->first_level]);
   plan_swap_taps(p, 0, 1, x);
   plan_swap_taps(p, 2, 3, x);
   plan_swap_taps(p, 0, 2, y);
   plan_swap_taps(p, 1, 3, y);
}

/* Plans the lanes from p->lane on. */
static __attribute__((noinline)) void
plan_part(struct planner *p, const struct emul_tex_request *req)
{
   const struct emul_tex_state *st = p->st;
   struct emul_tex_plan *plan = p->plan;
   p->wanted = vi_mask(req->mask >> p->lane);
   for (unsigned c = 0; c < 3; c++)
      p->coord[c] = vf_load(&req->coord[c][p->lane]);
   plan_centre(p, req);
   plan_lod(p, req);
   struct tex_levels l = tex_levels(st, p->lod);
   vi mag_linear = vi_all(st->regs.mag_filter == ATTILA_FILTER_LINEAR ? -1 : 0);
   vi min_linear = vi_all(st->regs.min_filter == ATTILA_FILTER_LINEAR ? -1 : 0);
   p->is_linear = vi_sel(l.magnified, mag_linear, min_linear);
   plan->magnified |= (uint16_t)(vi_bits(l.magnified & p->wanted) << p->lane);
   p->max_ratio = 1;
   if (st->regs.max_aniso > 1) {
      for (unsigned i = 0; i < EMUL_TEX_VL; i++) {
         unsigned ratio = (unsigned)p->ratio[i];
         uint8_t *quad = &plan->aniso_ratio[(p->lane + i) / 4];
         if (!(req->mask >> (p->lane + i) & 1))
            continue;
         p->max_ratio = ratio > p->max_ratio ? ratio : p->max_ratio;
         *quad = (uint8_t)(ratio > *quad ? ratio : *quad);
      }
   }
   vi all = vi_all(-1), two = l.two & (l.blend != 0.0f);
   plan_samples(p, &l.level0, &l.blend, false, &all);
   if (vi_bits(two & p->wanted))
      plan_samples(p, &l.level1, &l.blend, true, &two);
}

/* Returns whether a texture has two dimensions to gather from. The bound texture may be of another
 * kind than the instruction says. */
static bool
plan_can_gather(unsigned target)
{
   return target == ATTILA_TEX_2D || target == ATTILA_TEX_RECT || target == ATTILA_TEX_2D_ARRAY ||
          target == ATTILA_TEX_CUBE;
}

static void
plan_request(const struct emul_tex_state *st, const struct emul_tex_request *req,
             struct emul_tex_plan *plan)
{
   plan->mask = req->mask;
   plan->magnified = 0;
   plan->linear = 0;
   plan->num_steps = 0;
   plan->corners = plan->placed = false;
   plan->element_bytes = st->format->bytes;
   memset(plan->quad_steps, 0, sizeof(plan->quad_steps));
   memset(plan->aniso_ratio, 0, sizeof(plan->aniso_ratio));
   const bool fetch_only = st->sample_shift || st->regs.target == ATTILA_TEX_BUFFER;
   if (!st->valid || req->op == ATTILA_OP_TXS || req->op == ATTILA_OP_TXQL ||
       (fetch_only && req->op != ATTILA_OP_TXF) ||
       (req->op == ATTILA_OP_TXG && !plan_can_gather(st->regs.target)))
      return;
   struct planner p;
   planner_start(&p, st, 0);
   p.plan = plan;
   p.offset = req->offset;
   p.fetch = req->op == ATTILA_OP_TXF;
   p.sample = 0;
   const bool gather = req->op == ATTILA_OP_TXG;
   p.linear = p.fetch  ? 0
              : gather ? 1
              : st->regs.mag_filter == st->regs.min_filter
                  ? st->regs.mag_filter == ATTILA_FILTER_LINEAR
                  : 2;
   plan->linear = (uint8_t)p.linear | st->three_words;
   for (p.lane = 0; p.lane < EMUL_LANES; p.lane += EMUL_TEX_VL) {
      p.num_steps = 0;
      if (p.fetch)
         plan_fetch(&p, req);
      else if (gather)
         plan_gather(&p, req);
      else
         plan_part(&p, req);
      for (unsigned s = p.num_steps; s < plan->num_steps; s++)
         clear_lanes(&plan->steps[s], p.lane, p.lane + EMUL_TEX_VL);
      plan->num_steps = p.num_steps > plan->num_steps ? p.num_steps : plan->num_steps;
   }
}

#endif
