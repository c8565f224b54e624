#!/bin/bash
# The line about each shader has the shape that Mesa's shader-db reads, goes to the application
# (KHR_debug) and to ATTILA_DEBUG=stats alike, and its threads are those that fit the configured
# machine. What is expensive about a shader is said, with the reason, and nothing about cheap ones.
. "$(dirname "$0")/../lib/test.sh"

# check_machine THREADS LANES REGISTERS: runs on such a machine and looks at every line.
check_machine() {
   "$RUN" --no-check --mode functional --debug stats --set FRAGMENTSHADER.VectorShader=TRUE \
      --set FRAGMENTSHADER.VectorThreads="$1" --set FRAGMENTSHADER.VectorLength="$2" \
      --set FRAGMENTSHADER.VectorResources="$(($3 / $2))" \
      "$BUILD/tests/gl/shader_messages" >"$WORK/out" 2>"$WORK/err" ||
      { cat "$WORK/err"; fail "shader_messages"; }
   sed -n 's/^info: \([VF]S shader: \)/\1/p' "$WORK/out" >"$WORK/info"
   [ "$(grep -c '^FS shader: ' "$WORK/info")" -ge 4 ] || fail "fragment shaders are missing"
   grep -q '^VS shader: ' "$WORK/info" || fail "the vertex shader is missing"
   # stderr has the same lines, with names.
   sed -n 's/^ATTILA \([VF]S\) .* shader: /\1 shader: /p' "$WORK/err" | sort >"$WORK/stats"
   sort "$WORK/info" | cmp -s - "$WORK/stats" || { cat "$WORK/err"; fail "stats differ"; }
   awk -v threads="$1" -v lanes="$2" -v registers="$3" '
      !/^[VF]S shader: ([0-9]+ [a-z]+, )+[0-9]+ threads$/ {print "shape: " $0; exit 1}
      {
         split("", n)
         for (i = 3; i < NF; i += 2) {name = $(i + 1); sub(",", "", name); n[name] = $i}
         if (n["inst"] != n["simd"] + n["scalar"] + n["tex"] + n["flow"] || n["flow"] < 1) {
            print "classes do not add up: " $0; exit 1
         }
         held = (n["regs"] ? n["regs"] : 1) * lanes
         fit = int(registers / held)
         fit = fit < threads ? fit : threads
         if (n["threads"] != (fit ? fit : 1)) {print "not " fit " threads: " $0; exit 1}
         loops += n["loops"]
         limited += n["threads"] < threads
      }
      END {if (loops != 1) {print loops " loops"; exit 1}; print limited + 0}
   ' "$WORK/info" >"$WORK/limited" || { cat "$WORK/limited"; fail "$*"; }
}

check_machine 28 4 448
check_machine 128 16 512
[ "$(cat "$WORK/limited")" -ge 1 ] || fail "no shader has too many registers for 128 threads"
check_machine 2 4 448
[ "$(cat "$WORK/limited")" = 0 ] || fail "registers limit 2 threads"

"$RUN" --no-check --mode functional --debug perf "$BUILD/tests/gl/shader_messages" \
   >"$WORK/out" 2>"$WORK/err" || { cat "$WORK/err"; fail "shader_messages"; }
sed -n 's/^performance: //p' "$WORK/out" | grep -v ' compiling took ' >"$WORK/said"
sed -n 's/^.*attila: slow: //p' "$WORK/err" | grep -v ' compiling took ' >"$WORK/printed"
cmp -s "$WORK/said" "$WORK/printed" ||
   { cat "$WORK/err"; fail "ATTILA_DEBUG=perf says other things"; }
cat >"$WORK/expected" <<'LINES'
its 9 registers leave room for 12 of 28 thread groups
it discards fragments, so depth and stencil may be tested only behind the shader
a sampler indexed by a value samples all 3 textures of its array
LINES
sed 's/^FS GLSL[0-9]*: //' "$WORK/said" | diff "$WORK/expected" - || fail "other messages"
