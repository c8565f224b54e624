#!/bin/bash
# A program is recorded with other GLSL (docs/howto/experiments.md): Mesa writes the sources of
# shaders, and reads them from there, for attila-run and attila.record(). An unchanged source
# changes nothing.
. "$(dirname "$0")/../lib/test.sh"
scene=("$BUILD/tests/gl/modern" shadows 2 200x150)
[ -x "${scene[0]}" ] || skip "no build with Mesa"
record() { # NAME VARIABLE...
   quietly "$1" env "${@:2}" "$RUN" --no-check --mode functional --fixed-clock 60 \
      --capture "$WORK/$1.attila" --out "$WORK/$1" --save-frames "${scene[@]}"
}
mkdir "$WORK/glsl"
record before MESA_SHADER_DUMP_PATH="$WORK/glsl"
record same MESA_SHADER_READ_PATH="$WORK/glsl"
cmp "$WORK/before.attila" "$WORK/same.attila" || fail "an unchanged source changes the commands"
sed -i 's/color\[box\].rgb/color[box].ggg/' "$WORK"/glsl/FS_*.glsl
record after MESA_SHADER_READ_PATH="$WORK/glsl"
! cmp -s "$WORK/before/frame-0001.png" "$WORK/after/frame-0001.png" || fail "the same picture"
/usr/bin/python3 - "$WORK" "${scene[@]}" <<'END' || fail "attila.record()"
import sys
import attila
work, *scene = sys.argv[1:]
path = attila.record(["env", f"MESA_SHADER_READ_PATH={work}/glsl", *scene], f"{work}/python.attila",
                     progress=False)
with attila.simulate(path, mode="functional", progress=False) as run:
    sources = run.sql("SELECT source FROM programs WHERE source LIKE '%color[box]%'")["source"]
assert len(sources) == 1 and "color[box].ggg" in sources[0], sources
END
