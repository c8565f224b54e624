#!/bin/bash
# A program that brings its own SQLite has a record like any other.
. "$(dirname "$0")/../lib/test.sh"
LD_PRELOAD=$BUILD/tests/gl/other_sqlite.so "$RUN" --no-check --mode functional --out "$WORK/out" \
   "$BUILD/tests/gl/grab" >"$WORK/log" 2>&1 || { cat "$WORK/log"; fail "grab with --out"; }
frames=$(sqlite3 "$WORK/out/run.sqlite" "SELECT count(*) FROM frames") || fail "no record"
[ "$frames" = 1 ] || fail "$frames frames in the record"
echo "$frames frame"
