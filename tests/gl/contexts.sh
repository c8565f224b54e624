#!/bin/bash
# Contexts do not count, name or hold up each other's draws.
. "$(dirname "$0")/../lib/test.sh"
timeout 300 "$RUN" --no-check --mode cycle --out "$WORK/out" "$BUILD/tests/gl/contexts" ||
   fail "contexts"
names=$(column <(draws "$WORK/out/draws.csv") label | head -n 5 | tr '\n' ' ')
[ "$names" = '"first" "" "first" "second" "" ' ] || fail "names of the first draws: $names"
