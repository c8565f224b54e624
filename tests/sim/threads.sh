#!/bin/bash
# Functional mode's fragment threads: pictures, draws and features do not depend on how many there
# are; what is no number of threads is refused. Not here: random scenes, forks and data races
# (tests/unit/test_func_threads.c).
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
for stream in "$TOP"/tests/golden/*.attila; do
   name=$(basename "$stream" .attila)
   for n in 1 2 5; do
      quietly "$name with $n threads" "$SIM" run "$stream" --mode functional --threads $n \
         --out "$WORK/$name-$n" --save-frames
      quietly "features with $n threads" "$SIM" features "$stream" --threads $n
      cp "$WORK/log" "$WORK/$name-$n.features"
   done
   [ -e "$WORK/$name-1/frame-0000.png" ] || fail "$name has no picture"
   grep -q '[1-9]' "$WORK/$name-1.features" || fail "$name has no features"
   for n in 2 5; do
      for file in "$WORK/$name-1"/*.png "$WORK/$name-1/draws.csv"; do
         cmp "$file" "$WORK/$name-$n/${file##*/}" || fail "$name: $n threads change ${file##*/}"
      done
      cmp "$WORK/$name-1.features" "$WORK/$name-$n.features" ||
         fail "$name: $n threads change the features"
   done
done
for n in 0 65 -1 2x; do
   expect_failure 2 'expected a whole number from 1 to 64' "$SIM" run "$stream" --threads $n
done
for n in 0 65; do
   expect_failure 2 "ATTILA_THREADS=$n: expected a whole number from 1 to 64" \
      env ATTILA_THREADS=$n "$SIM" check-env
done
expect_failure 2 'ATTILA_THREADS=some: expected a whole number' \
   env ATTILA_THREADS=some "$SIM" check-env
quietly "a good number" env ATTILA_THREADS=64 "$SIM" check-env
