#!/bin/bash
# --fixed-clock and --simulated-clock: time advances by frames, or with the simulated GPU, and by
# what the program waits; random numbers repeat, and neither the watcher nor the simulator's host
# times are affected.
. "$(dirname "$0")/../lib/test.sh"
clocks=$BUILD/tests/gl/clocks
run() { # name, options...
   local name=$1; shift
   "$RUN" --no-check --mode functional "$@" "$clocks" >"$WORK/$name" 2>"$WORK/log" ||
      { cat "$WORK/log"; fail "clocks ($*)"; }
}
value() { awk -v frame="$2" -v name="$3" '$1 == frame && $2 == name {print $3}' "$WORK/$1"; }
run first --fixed-clock 50 --out "$WORK/out"
sleep 1.1 # time(NULL) has another value
run second --fixed-clock 50
[ "$(wc -l <"$WORK/first")" -ge 64 ] || { cat "$WORK/first"; fail "lines are missing"; }
diff "$WORK/first" "$WORK/second" || fail "two runs differ"
for name in realtime monotonic monotonic_raw boottime timespec_get gettimeofday; do
   awk -v a="$(value first 1 $name)" -v b="$(value first 3 $name)" \
      'BEGIN {d = b - a; exit !(d > 0.0399 && d < 0.0401)}' ||
      { cat "$WORK/first"; fail "two frames of 20 ms do not advance $name by 40 ms"; }
done
for name in nanosleep clock_nanosleep until usleep poll ppoll select pselect epoll_wait \
   epoll_pwait; do
   [ "$(value first 0 $name)" = 0.005000 ] ||
      { cat "$WORK/first"; fail "5 ms of $name are not 5 ms"; }
done
[ "$(value first 0 thread)" = 0.000000 ] ||
   { cat "$WORK/first"; fail "the clock advances when another thread waits"; }
[ "$(awk '$2 ~ /^get(random|entropy)$/ {print $3}' "$WORK/first" | sort -u | wc -l)" = 8 ] ||
   { cat "$WORK/first"; fail "random numbers repeat within a run"; }
# The simulated GPU's clock: what passes between two frames is what they took.
simulated() { # name, options...
   local name=$1; shift
   "$RUN" --no-check --simulated-clock "$@" "$clocks" >"$WORK/$name" 2>"$WORK/log" ||
      { cat "$WORK/log"; fail "clocks (--simulated-clock $*)"; }
}
simulated fifth --out "$WORK/simulated"
sleep 1.1
simulated sixth
diff "$WORK/fifth" "$WORK/sixth" || fail "two runs with the simulated clock differ"
column "$WORK/simulated/frames.csv" simulated_ms >"$WORK/ms" || fail "no simulated_ms"
for name in realtime monotonic gettimeofday; do
   awk -v a="$(value fifth 1 $name)" -v b="$(value fifth 3 $name)" '
      NR == 2 || NR == 3 {ms += $1}
      END {d = (b - a) * 1000 - ms; exit !(ms > 0 && d > -0.0021 && d < 0.0021)}' "$WORK/ms" ||
      { cat "$WORK/fifth" "$WORK/ms"; fail "$name does not advance by what frames take"; }
done
for name in nanosleep poll select; do
   [ "$(value fifth 0 $name)" = 0.005000 ] ||
      { cat "$WORK/fifth"; fail "5 ms of $name are not 5 ms of the simulated clock"; }
done
expect_failure 2 'functional mode has no time' \
   "$RUN" --simulated-clock --mode functional "$clocks"
expect_failure 2 'exclude each other' "$RUN" --simulated-clock --fixed-clock 50 "$clocks"
# Without the option nothing is replaced, also where the library is there for --grab.
run third --grab "$WORK/grab"
run fourth --grab "$WORK/grab"
for name in getrandom getentropy monotonic_raw; do
   [ "$(value third 1 $name)" != "$(value fourth 1 $name)" ] || fail "$name is fixed without option"
done
elapsed=$(($(date +%s) - $(value third 0 time)))
[ $elapsed -ge 0 ] && [ $elapsed -lt 60 ] || fail "time is replaced without option"
# The simulator measures with the real clock.
column "$WORK/out/frames.csv" host_seconds >"$WORK/host" || fail "no host_seconds"
grep -q '[1-9]' "$WORK/host" || { cat "$WORK/host"; fail "host_seconds are zero"; }
# An interrupt of a long frame depends on the watcher's clock.
"$RUN" --no-check --fixed-clock 60 "$BUILD/tests/gl/frames" swap 1 >"$WORK/log" 2>&1 &
pid=$!
for _ in $(seq 300); do grep -q 'takes long' "$WORK/log" && break; sleep 0.1; done
sleep 0.5
kill -INT $pid
for _ in $(seq 100); do kill -0 $pid 2>/dev/null || break; sleep 0.1; done
! kill -0 $pid 2>/dev/null || { kill -KILL $pid; fail "no interrupt with a fixed clock"; }
exit 0
