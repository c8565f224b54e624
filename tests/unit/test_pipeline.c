/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The state of draws in OpenGL's words (decode/sim_pipeline.h): what registers read as, that a draw
 * announces what differs from the draw before and nothing else, on streams made by hand and random
 * ones, that both modes announce the same, and that uniforms have their names, types and values.
 * Not here: the tables of the record (test_merge in tests/sim/record.sh). */
#include "random_scene.h"
#include "decode/sim_pipeline.h"
#include "func/sim_func.h"
#include "session/machine/machine_impl.h"
#include "session/session_impl.h"

#define MAX_ITEMS 20000

/* The state of a draw: texts by number of the item; empty: absent. */
struct known {
   char (*value)[SIM_PIPELINE_BYTES];
   unsigned changes; /* of the last draw */
};

struct hearing {
   struct sim_observer observer; /* first */
   struct known known;
   FILE *log; /* NULL: none */
};

static void
note_changes(struct sim_observer *o, uint32_t number, const struct sim_pipeline_change *changes,
             unsigned num)
{
   struct hearing *h = (struct hearing *)o;
   h->known.changes = num;
   for (unsigned i = 0; i < num; i++) {
      const struct sim_pipeline_change *c = &changes[i];
      assert_true(c->item < MAX_ITEMS);
      char *known = h->known.value[c->item];
      /* It differs. */
      assert_true(c->absent ? known[0] || c->is_new : strcmp(known, c->value));
      strcpy(known, c->absent ? "" : c->value);
      if (h->log)
         fprintf(h->log, "%u %s[%d].%s%s%s = %s\n", number, c->part, c->number,
                 c->type ? c->type : "", c->type ? " " : "", c->name,
                 c->absent ? "(absent)" : c->value);
   }
}

static const struct sim_observer_class hearing_class = {.pipeline = note_changes};

static void
hearing_make(struct hearing *h)
{
   *h = (struct hearing){.observer.cls = &hearing_class};
   h->known.value = calloc(MAX_ITEMS, sizeof(*h->known.value));
   assert_non_null(h->known.value);
}

/* --- Differences add up --- */

/* The state of consecutive draws, as differences. */
struct comparison {
   struct hearing heard;
   struct sim_observed observed;
   struct sim_pipeline *pipeline;
   const uint8_t *memory; /* the GPU's */
   unsigned draws, items; /* compared; that had a value */
};

static void
compare_with_whole_state(void *user, const struct emul_draw_state *state)
{
   struct comparison *c = user;
   struct hearing whole;
   struct sim_observed observed = {0};
   struct sim_pipeline *pipeline = NULL;
   hearing_make(&whole);
   sim_observe(&observed, &whole.observer);
   assert_int_equal(sim_pipeline_announce(&pipeline, &observed, state, c->memory), 1);
   assert_int_not_equal(sim_pipeline_announce(&c->pipeline, &c->observed, state, c->memory), 0);
   for (unsigned i = 0; i < MAX_ITEMS; i++) {
      assert_string_equal(c->heard.known.value[i], whole.known.value[i]);
      c->items += whole.known.value[i][0] != '\0';
   }
   c->draws++;
   sim_pipeline_destroy(pipeline);
   free(whole.known.value);
}

static void
ignore_written(void *user, uint64_t start, uint64_t end)
{
}

static void
ignore_color(void *user, uint32_t buffers, const float color[4])
{
}

static void
ignore_zs(void *user, uint32_t planes, float depth, uint32_t stencil)
{
}

static void
ignore_command(void *user, const uint32_t *payload)
{
}

static void
test_differences_add_up_to_the_whole_state(void **state)
{
   struct comparison c = {0};
   hearing_make(&c.heard);
   sim_observe(&c.observed, &c.heard.observer);
   for (unsigned n = 0; n < 8; n++) {
      const struct sim_func_watch watch = {.user = &c,
                                           .written = ignore_written,
                                           .clear_color = ignore_color,
                                           .clear_zs = ignore_zs,
                                           .draw = compare_with_whole_state,
                                           .program = ignore_command,
                                           .context = ignore_command,
                                           .color_block = 256,
                                           .zs_block = 256};
      struct scene scene;
      char error[512];
      const struct attila_sim_options o = {.mode = ATTILA_MODE_FUNCTIONAL};
      make_scene(&scene, 500 + n);
      struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
      if (!sim)
         fail_msg("%s", error);
      c.memory = sim->machine->device.memory;
      sim_func_set_watch(sim->machine->func, &watch);
      assert_true(attila_sim_submit(sim, scene.s.words, scene.s.num));
      attila_sim_destroy(sim);
      free(scene.s.words);
   }
   assert_true(c.draws > 100 && c.items > 50 * c.draws);
   sim_pipeline_destroy(c.pipeline);
   free(c.heard.known.value);
}

/* --- What a run announces --- */

/* Runs the stream, which is freed, and returns a line for each item that a draw changes. changes:
 * of the last state; NULL: not wanted. */
static char *
announced(struct stream *s, enum attila_mode mode, unsigned *changes)
{
   char *text = NULL, error[512];
   size_t size;
   struct hearing h;
   const char *const memory = "MEMORYCONTROLLER.MemorySize=16";
   const struct attila_sim_options o = {.mode = mode, .overrides = &memory, .num_overrides = 1};
   hearing_make(&h);
   h.log = open_memstream(&text, &size);
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim)
      fail_msg("%s", error);
   struct sim_observed *observed = &sim->machine->device.observed;
   sim_observe(observed, &h.observer);
   observed->wants_state = true;
   assert_true(attila_sim_submit(sim, s->words, s->num));
   assert_true(attila_session_finish(sim));
   attila_sim_destroy(sim);
   fclose(h.log);
   if (changes)
      *changes = h.known.changes;
   free(h.known.value);
   free(s->words);
   return text;
}

static void
test_both_modes_announce_the_same(void **state)
{
   for (unsigned n = 0; n < 3; n++) {
      struct scene a, b;
      make_scene(&a, 500 + n);
      make_scene(&b, 500 + n);
      char *functional = announced(&a.s, ATTILA_MODE_FUNCTIONAL, NULL),
           *cycle = announced(&b.s, ATTILA_MODE_CYCLE, NULL);
      assert_non_null(strstr(functional, "GL_BLEND"));
      assert_string_equal(functional, cycle);
      free(functional);
      free(cycle);
   }
}

static void
begin(struct stream *s)
{
   static const float triangle[] = {-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1};
   stream_start(s, 64, 48, 1);
   stream_program(s, ATTILA_STAGE_VERTEX, ".vertex\nADD o0, i0, c1\nEND\n");
   stream_program(s, ATTILA_STAGE_FRAGMENT, ".fragment\nTEX o0, c0, t0, 2D\nEND\n");
   stream_attrib(s, 0, triangle, 4, 3);
   s->regs.tex[0] = (struct attila_tex_regs){.address = stream_alloc(s, 4096),
                                             .enable = 1,
                                             .target = ATTILA_TEX_2D,
                                             .format = ATTILA_FORMAT_R8G8B8A8_UNORM,
                                             .num_levels = 1,
                                             .width = 16,
                                             .height = 8,
                                             .depth = 1,
                                             .swizzle = 0 | 1 << 3 | 2 << 6 | 5 << 9,
                                             .wrap_s = ATTILA_WRAP_MIRROR_REPEAT,
                                             .wrap_t = ATTILA_WRAP_CLAMP_TO_EDGE,
                                             .min_filter = ATTILA_FILTER_LINEAR,
                                             .mip_filter = ATTILA_MIP_NONE,
                                             .max_aniso = 4};
}

#define HAS(text, line)                                  \
   do {                                                  \
      if (!strstr(text, " " line "\n"))                  \
         fail_msg("no line \"%s\" in:\n%s", line, text); \
   } while (0)
#define HAS_NOT(text, what)                           \
   do {                                               \
      if (strstr(text, what))                         \
         fail_msg("there is %s in:\n%s", what, text); \
   } while (0)

/* State of every kind, with values of its own. */
static void
set_state(struct attila_regs *r)
{
   r->z_test = 1;
   r->z_func = ATTILA_FUNC_LEQUAL;
   r->stencil[0] = (struct attila_stencil_regs){.enable = 1,
                                                .func = ATTILA_FUNC_NOTEQUAL,
                                                .fail = ATTILA_STENCIL_INCR_SAT,
                                                .zfail = ATTILA_STENCIL_DECR_WRAP,
                                                .zpass = ATTILA_STENCIL_KEEP,
                                                .ref = 5,
                                                .value_mask = 0xf0,
                                                .write_mask = 0x0f};
   r->color[0].blend_enable = 1;
   r->color[0].rgb_eq = ATTILA_BLEND_REVERSE_SUBTRACT;
   r->color[0].rgb_src = ATTILA_FACTOR_INV_SRC_ALPHA;
   r->color[0].rgb_src_second = 1;
   r->color[0].rgb_dst = ATTILA_FACTOR_CONST_COLOR;
   r->color[0].write_mask = 5;
   r->blend_color[0] = 0.25f;
   r->cull = ATTILA_CULL_BACK;
   r->front_ccw = 1;
   r->fill_front = ATTILA_FILL_LINE;
   r->line_width = 2.5f;
   /* A window: row 0 is on top. */
   r->bottom_edge_rule = 1;
   r->scissor_minx = 4;
   r->scissor_maxx = 20;
   r->scissor_miny = 8;
   r->scissor_maxy = 40;
   r->viewport_scale[0] = 16;
   r->viewport_scale[1] = -10;
   r->viewport_translate[0] = 20;
   r->viewport_translate[1] = 12;
}

static void
test_registers_read_in_words_of_opengl(void **state)
{
   struct stream s;
   const struct {
      uint32_t stage, first;
      float c[2][4];
   } consts = {ATTILA_STAGE_VERTEX, 0, {{7, 7, 7, 7}, {0.1f, 0, -2, 1e-8f}}};
   begin(&s);
   stream_command(&s, ATTILA_CMD_WRITE_CONSTS, &consts, sizeof(consts) / 4);
   set_state(&s.regs);
   const uint16_t indices[] = {0, 1, 2};
   stream_draw_indexed(&s, ATTILA_PRIM_TRIANGLE_STRIP, stream_upload(&s, indices, 6), 2, 3, 0xffff);
   char *text = announced(&s, ATTILA_MODE_FUNCTIONAL, NULL);
   HAS(text, "draw[-1].mode = GL_TRIANGLE_STRIP");
   HAS(text, "draw[-1].type = GL_UNSIGNED_SHORT");
   HAS(text, "draw[-1].GL_PRIMITIVE_RESTART_INDEX = 65535");
   HAS(text, "attribute[0].format = R32G32B32A32_FLOAT");
   HAS(text, "attribute[0].GL_VERTEX_ATTRIB_ARRAY_STRIDE = 16");
   HAS(text, "vertex constant[1].c = 0.1 0 -2 1e-08");
   HAS_NOT(text, "vertex constant[0]"); /* the program does not read it */
   HAS(text, "texture[0].target = GL_TEXTURE_2D");
   HAS(text, "texture[0].GL_TEXTURE_SWIZZLE_RGBA = RGB1");
   HAS(text, "texture[0].GL_TEXTURE_MIN_FILTER = GL_LINEAR");
   HAS(text, "texture[0].GL_TEXTURE_WRAP_S = GL_MIRRORED_REPEAT");
   HAS(text, "texture[0].GL_TEXTURE_MAX_ANISOTROPY = 4");
   HAS_NOT(text, "GL_TEXTURE_WRAP_R");
   HAS(text, "raster[-1].GL_VIEWPORT = 4 26 32 20"); /* 48 - (12 + 10) */
   HAS(text, "raster[-1].GL_SCISSOR_BOX = 4 8 16 32");
   HAS(text, "raster[-1].GL_DEPTH_RANGE = 0 1");
   HAS(text, "raster[-1].GL_CULL_FACE_MODE = GL_BACK");
   HAS(text, "raster[-1].GL_FRONT_FACE = GL_CCW");
   HAS(text, "raster[-1].GL_POLYGON_MODE = GL_LINE GL_FILL");
   HAS(text, "raster[-1].GL_LINE_WIDTH = 2.5");
   HAS_NOT(text, "GL_POINT_SIZE"); /* there are no points */
   HAS(text, "depth[-1].format = Z24S8");
   HAS(text, "depth[-1].GL_DEPTH_FUNC = GL_LEQUAL");
   HAS(text, "depth[-1].GL_DEPTH_WRITEMASK = GL_FALSE");
   HAS(text, "stencil[-1].GL_STENCIL_FUNC = GL_NOTEQUAL");
   HAS(text, "stencil[-1].GL_STENCIL_REF = 5");
   HAS(text, "stencil[-1].GL_STENCIL_VALUE_MASK = 0xf0");
   HAS(text, "stencil[-1].GL_STENCIL_FAIL = GL_INCR");
   HAS(text, "stencil[-1].GL_STENCIL_PASS_DEPTH_FAIL = GL_DECR_WRAP");
   HAS(text, "stencil[-1].GL_STENCIL_WRITEMASK = 0xf");
   HAS_NOT(text, "GL_STENCIL_BACK"); /* as the front */
   HAS(text, "framebuffer[-1].width = 64");
   HAS(text, "color[0].format = R8G8B8A8_UNORM");
   HAS(text, "color[0].GL_COLOR_WRITEMASK = R-B-");
   HAS(text, "color[0].GL_BLEND_EQUATION_RGB = GL_FUNC_REVERSE_SUBTRACT");
   HAS(text, "color[0].GL_BLEND_SRC_RGB = GL_ONE_MINUS_SRC1_ALPHA");
   HAS(text, "color[0].GL_BLEND_DST_RGB = GL_CONSTANT_COLOR");
   HAS(text, "color[0].GL_BLEND_COLOR = 0.25 0 0 0");
   free(text);
}

static void
test_what_has_no_effect_is_absent(void **state)
{
   struct stream s;
   begin(&s);
   s.regs.z_func = ATTILA_FUNC_GREATER; /* without the test */
   s.regs.color[0].rgb_src = ATTILA_FACTOR_SRC_ALPHA;
   s.regs.attrib[1] = s.regs.attrib[0]; /* which the program does not read */
   stream_draw(&s, ATTILA_PRIM_POINTS, 1, 2);
   char *text = announced(&s, ATTILA_MODE_FUNCTIONAL, NULL);
   HAS(text, "draw[-1].first = 1");
   HAS(text, "depth[-1].GL_DEPTH_TEST = GL_FALSE");
   HAS(text, "raster[-1].GL_SCISSOR_TEST = GL_FALSE");
   HAS(text, "raster[-1].GL_POINT_SIZE = 1");
   HAS_NOT(text, "GL_DEPTH_FUNC");
   HAS_NOT(text, "GL_BLEND_SRC_RGB");
   HAS_NOT(text, "attribute[1]");
   HAS_NOT(text, "GL_SCISSOR_BOX");
   HAS_NOT(text, "draw[-1].type");
   HAS_NOT(text, "GL_LINE_WIDTH");
   free(text);
}

static void
test_a_draw_announces_only_what_it_changes(void **state)
{
   struct stream s;
   unsigned changes;
   begin(&s);
   s.regs.z_test = 1;
   s.regs.z_func = ATTILA_FUNC_LESS;
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3); /* the same state */
   s.regs.z_func = ATTILA_FUNC_EQUAL;
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
   s.regs.z_test = 0;
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
   char *text = announced(&s, ATTILA_MODE_FUNCTIONAL, &changes);
   const char *second = strstr(text, "\n2 ");
   assert_non_null(second);
   assert_string_equal(second + 1, "2 depth[-1].GL_DEPTH_FUNC = GL_EQUAL\n"
                                   "3 depth[-1].GL_DEPTH_TEST = GL_FALSE\n"
                                   "3 depth[-1].GL_DEPTH_FUNC = (absent)\n"
                                   "3 depth[-1].GL_DEPTH_WRITEMASK = (absent)\n");
   assert_int_equal(changes, 3);
   free(text);
}

static void
test_bits_of_integers_are_shown_as_they_are(void **state)
{
   struct stream s;
   struct {
      uint32_t stage, first, c[2][4];
   } consts = {ATTILA_STAGE_VERTEX, 0, {{0}, {3, 0x80000000u, 0x7f800000u, ~0u}}};
   begin(&s);
   stream_command(&s, ATTILA_CMD_WRITE_CONSTS, &consts, sizeof(consts) / 4);
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
   char *text = announced(&s, ATTILA_MODE_FUNCTIONAL, NULL);
   HAS(text, "vertex constant[1].c = 0x3 -0 inf 0xffffffff");
   free(text);
}

static void
test_a_geometry_program_decides_what_is_drawn(void **state)
{
   static const char *const programs[] = {".geometry 3 1 1\nMOV o0, i0\nEMIT\nEND\n",
                                          ".geometry 3 2 1\nMOV o0, i0\nEMIT\nEND\n"};
   const struct attila_cmd_geometry on = {.enable = 1};
   struct stream s;
   begin(&s);
   stream_command(&s, ATTILA_CMD_GEOMETRY, &on, sizeof(on) / 4);
   for (unsigned i = 0; i < 2; i++) {
      stream_program(&s, ATTILA_STAGE_GEOMETRY, programs[i]);
      stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
   }
   char *text = announced(&s, ATTILA_MODE_FUNCTIONAL, NULL);
   HAS(text, "raster[-1].GL_POINT_SIZE = 1");
   HAS(text, "raster[-1].GL_POINT_SIZE = (absent)"); /* lines, with the same registers */
   HAS(text, "raster[-1].GL_LINE_WIDTH = 1");
   free(text);
}

/* --- Uniforms --- */

static const char vertex_uniforms[] = "c 0 mat4 view\n"
                                      "c 4 vec3 lights[1].position\n"
                                      "c 5 ivec2 count\n"
                                      "f 6 ivec2 legacy\n"
                                      "c 7 bool[2] flags\n"
                                      "c 9 uint bits\n"
                                      "c 40 vec4 unread\n"
                                      "b 1 16 16 0 float[2] Block.w\n"
                                      "b 1 48 0 16 mat2x3 Block.m\n"
                                      "r 1 80 0 16 mat2 Block.r\n"
                                      "c 10 vec9 wrong\nc 10 mat5 wrong\nc 10 vec4[0] wrong\n"
                                      "c 10 vec4[2 wrong\nc 10\nc -1 vec4 wrong\nx 10 vec4 wrong\n"
                                      "c 10 vec4 \nb 1 0 vec4 wrong\n\nc 1055 mat4 outside\n"
                                      "b 14 0 0 0 vec4 outside\nb 1 65532 0 0 vec4 outside\n"
                                      "t 48 sampler2D outside";

/* As stream_program, with a note of uniforms. Returns the command. */
static struct attila_cmd_program
noted_program(struct stream *s, unsigned stage, const char *text, const char *uniforms)
{
   struct attila_isa_program isa;
   uint32_t load[1024] = {0};
   char error[256];
   if (!attila_isa_assemble(text, &isa, error, sizeof(error)))
      fail_msg("%s", error);
   const size_t size = attila_isa_encoded_size(&isa);
   void *binary = calloc(1, size);
   attila_isa_encode(&isa, binary);
   attila_isa_free(&isa);
   const struct attila_cmd_program cmd = {
       .stage = stage, .address = stream_upload(s, binary, size), .size = (uint32_t)size};
   free(binary);
   assert_true(strlen(uniforms) < sizeof(load) - sizeof(cmd) - 16);
   memcpy(load, &cmd, sizeof(cmd));
   strcpy((char *)(load + 4) + 1, uniforms); /* behind no lines and no source */
   stream_command(s, ATTILA_CMD_LOAD_PROGRAM, load, sizeof(load) / 4);
   return cmd;
}

static const char reads_uniforms[] =
    ".vertex\n.temps 1\nADD r0, i0, c0\nADD r0, r0, c1\nADD r0, r0, c2\nADD r0, r0, c3\n"
    "ADD r0, r0, c4\nADD r0, r0, c5\nADD r0, r0, c6\nADD r0, r0, c7\nADD r0, r0, c8\n"
    "ADD r0, r0, c9\nADD r0, r0, c10\nMOV o0, r0\nLDC r0, c5.x, c5.x\nEND\n";

static void
write_constant(struct stream *s, uint32_t index, const void *value)
{
   uint32_t payload[6] = {ATTILA_STAGE_VERTEX, index};
   memcpy(payload + 2, value, 16);
   stream_command(s, ATTILA_CMD_WRITE_CONSTS, payload, 6);
}

static void
bind_block(struct stream *s, uint32_t address, uint32_t bytes)
{
   const uint32_t bind[] = {ATTILA_STAGE_VERTEX, 1, address, bytes};
   stream_command(s, ATTILA_CMD_CONST_BUFFERS, bind, 4);
}

/* Sets values of all uniforms. Returns the address of the block. */
static uint32_t
set_uniforms(struct stream *s)
{
   float block[28] = {0};
   for (unsigned c = 0; c < 4; c++) {
      const float column[] = {c + 1.0f, 0, -1, 0.5f};
      write_constant(s, c, column);
   }
   write_constant(s, 4, (const float[]){1.5f, 2, 3, 99});
   write_constant(s, 5, (const int32_t[]){-7, 1 << 30, 0, 0});
   write_constant(s, 6, (const float[]){-7, 20, 0, 0});
   write_constant(s, 7, (const uint32_t[4]){0});
   write_constant(s, 8, (const float[]){1, 0, 0, 0});
   write_constant(s, 9, (const uint32_t[]){0xfffffffeu, 0, 0, 0});
   write_constant(s, 10, (const float[]){5, 6, 7, 8});
   for (unsigned i = 0; i < 28; i++)
      block[i] = (float)i;
   return stream_upload(s, block, sizeof(block));
}

static void
test_uniforms_have_names_types_and_values(void **state)
{
   for (unsigned mode = 0; mode < 2; mode++) {
      struct stream s;
      begin(&s);
      noted_program(&s, ATTILA_STAGE_VERTEX, reads_uniforms, vertex_uniforms);
      noted_program(&s, ATTILA_STAGE_FRAGMENT, ".fragment\nTEX o0, c0, t1, 2D\nEND\n",
                    "t 0 sampler2D[3] image\n");
      bind_block(&s, set_uniforms(&s), 112);
      stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
      char *text = announced(&s, mode ? ATTILA_MODE_CYCLE : ATTILA_MODE_FUNCTIONAL, NULL);
      HAS(text, "vertex uniform[-1].mat4 view = 1 0 -1 0.5, 2 0 -1 0.5, 3 0 -1 0.5, 4 0 -1 0.5");
      HAS(text, "vertex uniform[-1].vec3 lights[1].position = 1.5 2 3");
      HAS(text, "vertex uniform[-1].ivec2 count = -7 1073741824");
      HAS(text, "vertex uniform[-1].ivec2 legacy = -7 20");
      HAS(text, "vertex uniform[-1].bool flags[0] = false");
      HAS(text, "vertex uniform[-1].bool flags[1] = true");
      HAS(text, "vertex uniform[-1].uint bits = 4294967294");
      HAS(text, "vertex uniform[-1].float Block.w[0] = 4");
      HAS(text, "vertex uniform[-1].float Block.w[1] = 8");
      HAS(text, "vertex uniform[-1].mat2x3 Block.m = 12 13 14, 16 17 18");
      HAS(text, "vertex uniform[-1].mat2 Block.r = 20 24, 21 25");
      HAS(text, "fragment uniform[-1].sampler2D image[1] = 1");
      HAS(text, "vertex constant[10].c = 5 6 7 8"); /* without a name */
      HAS_NOT(text, "vertex constant[0]");
      HAS_NOT(text, "unread");
      HAS_NOT(text, "wrong");
      HAS_NOT(text, "outside");
      HAS_NOT(text, "image[0]"); /* is not sampled */
      free(text);
   }
}

static void
test_only_uniforms_that_differ_are_announced(void **state)
{
   struct stream s;
   begin(&s);
   const struct attila_cmd_program a =
       noted_program(&s, ATTILA_STAGE_VERTEX, reads_uniforms, vertex_uniforms);
   const uint32_t block = set_uniforms(&s);
   bind_block(&s, block, 112);
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
   write_constant(&s, 4, (const float[]){1.5f, 2, 3, 100}); /* w is not of the vec3 */
   write_constant(&s, 9, (const uint32_t[]){3, 0, 0, 0});
   bind_block(&s, block, 96); /* without the second row of r */
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
   /* The same program at another place, with other names. */
   noted_program(&s, ATTILA_STAGE_VERTEX, reads_uniforms, "c 9 uint other\n");
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
   stream_command(&s, ATTILA_CMD_LOAD_PROGRAM, &a, sizeof(a) / 4);
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
   char *text = announced(&s, ATTILA_MODE_FUNCTIONAL, NULL);
   const char *second = strstr(text, "\n2 "), *third = strstr(text, "\n3 ");
   assert_true(second && third);
   static const char wanted[] = "2 vertex block[1].bytes = 96\n"
                                "2 vertex uniform[-1].uint bits = 3\n"
                                "2 vertex uniform[-1].mat2 Block.r = (absent)\n";
   assert_int_equal(third - second, strlen(wanted));
   assert_memory_equal(second + 1, wanted, strlen(wanted));
   assert_non_null(strstr(third, "\n3 vertex uniform[-1].uint other = 3\n"));
   assert_non_null(strstr(third, "\n3 vertex constant[0].c = 1 0 -1 0.5\n"));
   /* The first program comes back, and its uniforms are what they were. */
   assert_non_null(strstr(third, "\n4 vertex constant[0].c = (absent)\n"));
   assert_null(strstr(third, "\n4 vertex uniform"));
   free(text);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_registers_read_in_words_of_opengl),
       cmocka_unit_test(test_what_has_no_effect_is_absent),
       cmocka_unit_test(test_a_draw_announces_only_what_it_changes),
       cmocka_unit_test(test_bits_of_integers_are_shown_as_they_are),
       cmocka_unit_test(test_a_geometry_program_decides_what_is_drawn),
       cmocka_unit_test(test_uniforms_have_names_types_and_values),
       cmocka_unit_test(test_only_uniforms_that_differ_are_announced),
       cmocka_unit_test(test_differences_add_up_to_the_whole_state),
       cmocka_unit_test(test_both_modes_announce_the_same),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
