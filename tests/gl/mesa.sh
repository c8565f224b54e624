#!/bin/bash
# What the patches to Mesa mend and no other test needs (mesa.md names each patch's test).
. "$(dirname "$0")/../lib/test.sh"
run() { # program, case, options of attila-run
   local program=$1 name=$2; shift 2
   timeout 120 "$RUN" --no-check "$@" "$BUILD/tests/gl/$program" "$name" >"$WORK/log" 2>&1 ||
      { cat "$WORK/log"; fail "$name"; }
   grep -q "^$name: passed" "$WORK/log" || { cat "$WORK/log"; fail "$name does not say passed"; }
}
mesa() { run mesa "$@"; }
for name in pbuffer pbuffer_samples no_config fog program_strings link_threads exit_context \
   half_float depth_stencil rectangles rectangles_samples power_zero raster_position selection \
   clip_planes message_length; do
   mesa $name --mode functional
done
for name in failed_link block_location empty_buffer vertices_outside indices_outside old_levels \
   deep_expressions many_calls; do
   run invalid $name --mode functional
done
for name in stencil_pixels signed_components magnification_gl magnification_es stencil_blit \
            halving_blit read_whole_range uploads resolve_formats blit_outside \
            short_rows read_clipped far_offsets \
            no_read_buffer saved_units; do
   run pixels $name --mode functional
done
# With the shader cache, from which the second run takes the programs.
for run in 1 2; do
   MESA_SHADER_CACHE_DISABLE=false MESA_SHADER_CACHE_DIR=$WORK/cache MALLOC_PERTURB_=85 \
      mesa relink --mode functional || fail "relink, run $run"
done
MESA_GLES_VERSION_OVERRIDE=2.0 mesa timestamp --mode cycle
for format in dxt3 dxt5 rgtc rgtc_signed; do
   "$BUILD/tests/gl/texcompress" $format || fail "compressing $format"
done
ST_DEBUG=gremedy mesa marker --mode cycle --out "$WORK/o"
labels=$(column <(draws "$WORK/o/draws.csv") label | paste -sd ' ')
[ "$labels" = '"first" "second" "third"' ] || fail "the draws' labels are: $labels"
