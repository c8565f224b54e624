#!/bin/bash
# A heap that fails (tests/unit/fail_alloc.c): whichever allocation it is, attila-sim does its work,
# or says so and ends with a status; it never crashes, and the record has what was collected. Not
# here: memory of the simulated GPU (tests/gl/limits_memory.c); Mesa, which does not check all of
# its own allocations.
. "$(dirname "$0")/../lib/test.sh"
HEAP=$BUILD/tests/unit/fail_alloc.so
[ -x "$SIM" ] && [ -e "$HEAP" ] || skip "no build"
cd "$WORK" || fail "no $WORK"
cp "$TOP/tests/golden/build.attila" . && cp "$TOP/tests/timing/clear.attila" . || fail "no captures"
# failing VARIABLE N COMMAND...: the status.
failing() {
   local variable=$1 n=$2; shift 2
   rm -rf out
   env "$variable=$n" LD_PRELOAD="$HEAP" "$SIM" "$@" >log 2>&1
}
# The record, where there is one, is a whole database.
sound() {
   [ ! -s out/run.sqlite ] || [ "$(sqlite3 out/run.sqlite 'PRAGMA integrity_check' 2>&1)" = ok ]
}
tried=0 ended=0
# each MOST COMMAND...: the first 40 allocations, then fewer and fewer, MOST in all; also when all
# that follow fail.
each() {
   local most=$1 num step n variable status; shift
   failing FAIL_ALLOC_COUNT 1 "$@" || { cat log; fail "$*"; }
   num=$(sed -n 's/^allocations: //p' log)
   [ "${num:-0}" -gt 0 ] || fail "$*: no allocation"
   for variable in FAIL_ALLOC_AT FAIL_ALLOC_FROM; do
      for ((n = 1, step = 1; n <= num; n += step)); do
         [ $n -lt 40 ] || step=$((1 + (num - 40) / (most - 40)))
         failing $variable $n "$@"; status=$?
         tried=$((tried + 1))
         case $status in
         0) ;;
         [123]) [ -s log ] || fail "$variable=$n $*: status $status without a word"
                ended=$((ended + 1)) ;;
         *) cat log; fail "$variable=$n $*: status $status" ;;
         esac
         sound || { cat log; fail "$variable=$n $*: the record is broken"; }
      done
   done
}
for command in info dump disasm features; do each 100 $command build.attila; done
each 100 dump build.attila
each 100 describe
each 100 picture build.attila --draw 0 -o out.png
each 100 picture build.attila --pixel 5,5
each 100 run build.attila --mode functional --out out
each 100 run clear.attila --out out --record csv --save-frames --maps all
each 70 run build.attila --frames 0 --out out
[ $tried -gt 800 ] && [ $ended -gt 400 ] || fail "$tried heaps failed, $ended of them were noticed"
echo "$tried heaps that fail: $ended runs ended with a message, the others did their work"
