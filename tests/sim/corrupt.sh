#!/bin/bash
# Damaged captures and configurations end in a message and a status, never in a crash.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
stream=$(ls "$TOP"/tests/golden/*.attila 2>/dev/null | head -n 1)
[ -n "$stream" ] || fail "no golden stream"
size=$(stat -c %s "$stream")
check() { # what, command...: any status but a signal's
   local what=$1 status; shift
   timeout 60 "$@" >"$WORK/out" 2>&1; status=$?
   [ $status -lt 124 ] || { tail -n 5 "$WORK/out"; fail "$what: status $status"; }
   [ $status = 0 ] || [ -s "$WORK/out" ] || fail "$what: no message"
}
expect_failure 2 . "$SIM" run "$WORK/none.attila"
: >"$WORK/empty.attila"
expect_failure 2 . "$SIM" run "$WORK/empty.attila"
head -c 100000 /dev/zero | tr '\0' 'x' >"$WORK/junk.attila"
expect_failure 2 . "$SIM" run "$WORK/junk.attila"
for part in 1 10 33 50 75 99; do
   head -c $((size * part / 100)) "$stream" >"$WORK/cut.attila"
   check "cut at $part %" "$SIM" run "$WORK/cut.attila" --mode functional
   cp "$stream" "$WORK/flip.attila"
   printf '\x5a' | dd of="$WORK/flip.attila" bs=1 seek=$((size * part / 100)) conv=notrunc status=none
   check "damaged at $part %" "$SIM" run "$WORK/flip.attila" --mode functional
   check "info of damage at $part %" "$SIM" info "$WORK/flip.attila"
done
for text in '[GPU]\nNumStampPipes = 99\n' '[GPU]\nNumStampPipes = \n' '[GPU]\nUnified = maybe\n' '[STREAMER]\nSLInputCacheLineSize = 100\n' '[FRAGMENTSHADER]\nVectorLength = 5\n'; do
   printf "$text" >"$WORK/bad.ini"
   "$SIM" --describe --config "$WORK/bad.ini" >"$WORK/out" 2>&1 && { cat "$WORK/bad.ini"; fail "accepted"; }
   [ $? -lt 124 ] && grep -q . "$WORK/out" || fail "no message for $text"
done
head -c 65536 /dev/urandom >"$WORK/random.ini"
check "random .ini" "$SIM" --describe --config "$WORK/random.ini"
