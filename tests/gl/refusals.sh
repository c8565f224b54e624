#!/bin/bash
# Shaders of a newer GLSL: the refusal names the feature and the version it came with, in the
# program's log and once on standard error. Without overrides Mesa refuses the version.
. "$(dirname "$0")/../lib/test.sh"
refusals=$BUILD/tests/gl/refusals
newer='ARB_texture_gather ARB_gpu_shader5 ARB_gpu_shader_fp64 ARB_texture_cube_map_array'
newer+=' ARB_sample_shading'
# shellcheck disable=SC2086 # one word each
MESA_EXTENSION_OVERRIDE=$(printf '+GL_%s ' $newer) MESA_GL_VERSION_OVERRIDE=4.0COMPAT \
   MESA_GLSL_VERSION_OVERRIDE=400 \
   "$RUN" --no-check --mode functional "$refusals" 400 >"$WORK/programs" 2>"$WORK/messages" ||
   { cat "$WORK/programs" "$WORK/messages"; fail "refusals"; }
show() { cat "$WORK/programs" "$WORK/messages"; }
[ "$(grep -c '^plain: linked' "$WORK/programs")" = 2 ] || { show; fail "plain"; }
while IFS='|' read -r name feature; do
   # Both programs are told, the user once.
   [ "$(grep -c "^$name: .*it uses $feature, which ATTILA" "$WORK/programs")" = 2 ] ||
      { show; fail "the log of $name does not name '$feature' twice"; }
   [ "$(grep -c "does not compile: it uses $feature, which" "$WORK/messages")" = 1 ] ||
      { show; fail "standard error does not name '$feature' once"; }
done <<'END'
gather|textureGather (GLSL 4.00, GLSL ES 3.20)
cubes|arrays of cube maps (GLSL 4.00, GLSL ES 3.20)
sample|shading of single samples (GLSL 4.00, GLSL ES 3.20)
double|numbers of 64 bits (GLSL 4.00)
END
quietly "refusals without overrides" "$RUN" --no-check --mode functional "$refusals" 330
grep -q 'GLSL 3.30 is not supported. Supported versions are: 1.10, 1.20' "$WORK/log" ||
   { cat "$WORK/log"; fail "the refusal of #version 330"; }
