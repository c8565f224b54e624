#!/bin/bash
# The simulator builds with other compilers and for the processor it is built on, and its pixels,
# cycles and statistics are the same: clang (skipped where it is not installed), whose build is kept
# in build-clang/, and -march=native. All unit tests with clang: CC=clang scripts/test --sim-only.
# Full only: a whole build with clang.
. "$(dirname "$0")/../lib/test.sh"

# Every source with the instructions of this processor switched on in all of them.
while read -r file; do
   quietly "$file with -march=native" \
      cc -std=gnu11 -D_GNU_SOURCE -Wno-psabi -march=native -O1 -fsyntax-only -I"$TOP/src" \
      -I"$TOP/src/sim" "$file"
done < <(find "$TOP/src/sim" "$TOP/src/hw" -name '*.c' ! -name attila_sim_main.c)
echo "every source compiles for this processor"

command -v clang >/dev/null || skip "no clang"
clang=$TOP/build-clang
[ -f "$clang/build.ninja" ] || CC=clang quietly "configuring with clang" \
   meson setup "$clang" "$TOP" -Dmesa=false --native-file "$TOP/native.ini"
quietly "building with clang" ninja -C "$clang" src/sim/attila-sim
ATTILA_BUILD_DIR=$clang quietly "golden streams, built with clang" "$TOP/tests/sim/golden.sh"
echo "clang: $(tail -n 1 "$WORK/log")"
