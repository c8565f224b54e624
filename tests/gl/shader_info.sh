#!/bin/bash
# The line about each shader has the shape that Mesa's shader-db reads, goes to the application
# (KHR_debug) and to ATTILA_DEBUG=stats alike; its counts are those of the program that is loaded,
# its threads those that fit the configured machine. What is expensive about a shader is said, with
# the reason, and nothing about cheap ones.
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
      !/^[VF]S shader: [0-9]+ inst, [0-9]+ loops, [0-9]+ cycles, 0:0 spills:fills, / ||
      !/spills:fills(, [0-9]+ [a-z]+)+$/ {print "shape: " $0; exit 1}
      {
         if ($NF != "threads") {print "shape: " $0; exit 1}
         split("", n)
         for (i = 3; i < NF; i += 2) {name = $(i + 1); sub(",", "", name); n[name] = $i}
         if (n["inst"] != n["simd"] + n["scalar"] + n["tex"] + n["flow"] || n["flow"] < 1) {
            print "classes do not add up: " $0; exit 1
         }
         if (n["cycles"] < 1) {print "no cycles: " $0; exit 1}
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

# check_counts: the lines beside the programs that the command stream holds, as the disassembler
# prints them.
check_counts() {
   "$RUN" --no-check --mode functional --debug stats --capture "$WORK/shaders.attila" \
      "$BUILD/tests/gl/shader_messages" >"$WORK/out" 2>"$WORK/err" ||
      { cat "$WORK/err"; fail "shader_messages"; }
   sed -n 's/^ATTILA [VF]S .* shader: //p' "$WORK/err" | sort -u >"$WORK/said"
   "$SIM" disasm "$WORK/shaders.attila" >"$WORK/programs" || fail "disasm"
   awk '
      function count(   i) {
         if (!text) return
         if (n["inst"] != inst || n["loops"] != loops || n["tex"] != tex) {
            print "not " inst " inst, " loops " loops, " tex " tex: " line; exit 1
         }
         print line
      }
      /^# [0-9]+ inst, / {
         count()
         line = substr($0, 3); text = 1; inst = loops = tex = 0
         split("", n)
         for (i = 2; i < NF; i += 2) {name = $(i + 1); sub(",", "", name); n[name] = $i}
         next
      }
      /^#/ || /^\./ || NF == 0 {next}
      {inst++; loops += $1 == "LOOP"; tex += $1 ~ /^T(EX|XP|XB|XL|XD|XF|XS)(_SAT)?$/}
      END {count()}
   ' "$WORK/programs" | sort -u >"$WORK/loaded" || fail "programs"
   # Of every shader that was drawn with the same line was said.
   comm -13 "$WORK/said" "$WORK/loaded" >"$WORK/unsaid"
   [ ! -s "$WORK/unsaid" ] || { cat "$WORK/unsaid" "$WORK/said"; fail "no such line was said"; }
   [ "$(wc -l <"$WORK/loaded")" -ge 2 ] || fail "nothing was drawn"
}

check_machine 28 4 448
check_machine 128 16 512
[ "$(cat "$WORK/limited")" -ge 1 ] || fail "no shader has too many registers for 128 threads"
check_counts
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
a sampler indexed by a value needs a branch for each of 3 textures
LINES
sed 's/^FS GLSL[0-9]*: //' "$WORK/said" | diff "$WORK/expected" - || fail "other messages"
