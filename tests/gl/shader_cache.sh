#!/bin/bash
# Compiled shaders are kept on disk: a second run compiles none and records the same commands. With
# the cache switched off, another build of the driver, damaged entries or a debug flag that changes
# code, everything is compiled.
. "$(dirname "$0")/../lib/test.sh"
export MESA_SHADER_CACHE_DISABLE=false MESA_SHADER_CACHE_DIR=$WORK/cache

LABEL=() # of the programs
# run NAME [OPTION...]: the shaders of one run in $WORK/NAME, its commands in $WORK/NAME.attila
run() {
   local name=$1; shift
   "$RUN" --no-check --mode functional --debug stats --capture "$WORK/$name.attila" "$@" \
      "$BUILD/tests/gl/shader_messages" "${LABEL[@]}" >"$WORK/out" 2>"$WORK/err" ||
      { cat "$WORK/err"; fail "run '$name'"; }
   sed -n 's/^ATTILA //p' "$WORK/err" >"$WORK/$name"
   [ "$(wc -l <"$WORK/$name")" -ge 4 ] || { cat "$WORK/err"; fail "run '$name' shows no shaders"; }
}
# compiled NAME, cached NAME: so many of its shaders
compiled() { grep -vc '(cached)' "$WORK/$1"; }
cached() { grep -c '(cached)' "$WORK/$1"; }
# expect_compiled NAME WHY: no shader came from another run. (The vertex shader is the same each
# time, so later ones may come from this run.)
expect_compiled() {
   ! grep -q '^FS.*(cached)' "$WORK/$1" || { cat "$WORK/$1"; fail "cached: $2"; }
   ! head -n 1 "$WORK/$1" | grep -q '(cached)' || { cat "$WORK/$1"; fail "cached: $2"; }
}

run first
expect_compiled first "before anything was compiled"
run second
[ "$(compiled second)" = 0 ] || { cat "$WORK/second"; fail "the second run compiles"; }
[ "$(cached second)" -ge 4 ] || fail "the second run shows no shaders"
cmp "$WORK/first.attila" "$WORK/second.attila" || fail "cached shaders give other commands"
# Labels are of the run, not of the one that filled the cache.
for label in alpha beta; do
   LABEL=("$label")
   run label
   [ "$(compiled label)" = 0 ] || { cat "$WORK/label"; fail "another label compiles"; }
   ! grep -v "^[VF]S GLSL[0-9]* $label " "$WORK/label" || fail "not all with this run's $label"
done
LABEL=()
# A machine with the same shaders takes the same programs; one with others has its own.
run machine --set GPU.NumFragmentShaders=1
[ "$(compiled machine)" = 0 ] || { cat "$WORK/machine"; fail "another machine compiles"; }
run pairs --set FRAGMENTSHADER.FetchRate=2 --set FRAGMENTSHADER.ScalarALU=TRUE
expect_compiled pairs "for shaders of another kind"
ATTILA_DEBUG= run nomachine --debug stats,nomachine
expect_compiled nomachine "although the machine is not asked"

MESA_SHADER_CACHE_DISABLE=true run disabled
expect_compiled disabled "although MESA_SHADER_CACHE_DISABLE is set"
ATTILA_DEBUG= run noopt --debug stats,noopt
expect_compiled noopt "although optimisation is off"

# Another build: the same library with another build id.
mkdir "$WORK/build"
gallium=$(echo "$BUILD"/subprojects/mesa-*/src/gallium/targets/dri/libgallium-*.so)
cp "$gallium" "$WORK/build/" || fail "no $gallium"
python3 - "$WORK/build/$(basename "$gallium")" <<'PY' || fail "the build id cannot be changed"
import sys
path = sys.argv[1]
data = bytearray(open(path, 'rb').read())
# ELF note: size of the name (4), size of the id (20), type NT_GNU_BUILD_ID (3), "GNU", the id.
note = data.index(b'\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0')
data[note + 16] ^= 0xff
open(path, 'wb').write(data)
PY
LD_PRELOAD=$WORK/build/$(basename "$gallium") run other-build
expect_compiled other-build "from another build"

# Damaged files: the cache is read, and its answers are rejected.
run again
[ "$(compiled again)" = 0 ] || fail "the entries of the first build are gone"
find "$WORK/cache" -type f -size +0 >"$WORK/files"
[ -s "$WORK/files" ] || fail "no files in the cache"
while read -r file; do
   python3 - "$file" <<'PY'
import sys
data = bytearray(open(sys.argv[1], 'rb').read())
for i in range(len(data) // 8, len(data), 61):
    data[i] ^= 0x5a
open(sys.argv[1], 'wb').write(data)
PY
done <"$WORK/files"
run damaged
cmp "$WORK/first.attila" "$WORK/damaged.attila" || fail "damaged entries change the commands"
[ "$(compiled damaged)" -ge 1 ] || { cat "$WORK/damaged"; fail "no entry was damaged"; }
