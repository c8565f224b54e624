#!/bin/bash
# Uniform blocks in both modes: the pictures are those that blocks.c computes.
. "$(dirname "$0")/../lib/test.sh"
program=$BUILD/tests/gl/blocks
for mode in functional cycle; do
   timeout 300 "$RUN" --no-check --mode $mode "$program" || fail "blocks in $mode mode"
done
"$RUN" --no-check --mode functional --debug isa "$program" 2>"$WORK/isa" || fail "blocks"
grep -q '^ *LDC' "$WORK/isa" || { cat "$WORK/isa"; fail "no loads in the programs"; }
