#!/bin/bash
# attila-run while a program runs and when it ends: status, signals and standard input are the
# program's, frames end and are limited as asked, an interrupt ends a long frame, a note tells when
# nothing was drawn, nothing is left behind. Not here: refused options (options.sh).
. "$(dirname "$0")/../lib/test.sh"
frames=$BUILD/tests/gl/frames
mkdir "$WORK/tmp"
export TMPDIR=$WORK/tmp
rows() { column "$1/frames.csv" frame | wc -l; }
# within SECONDS COMMAND...: true as soon as the command is.
within() {
   local end=$((SECONDS + $1)); shift
   until "$@"; do
      [ $SECONDS -lt $end ] || return 1
      sleep 0.05
   done
}
wait_for() { # file, text
   within 30 grep -qs -- "$2" "$1" || { cat "$1"; fail "no '$2' after 30 s"; }
}
# A zombie is gone, too: whose parent has ended may wait for process 1.
gone() { ! grep -qs '^State:[[:space:]]*[^Z]' "/proc/$1/status"; }
tidy() { [ -z "$(ls -A "$TMPDIR")" ]; }

# --- The program's own status, standard input, signals ---
"$RUN" --no-check sh -c 'exit 7' 2>/dev/null; [ $? = 7 ] || fail "exit status"
(ulimit -c 0; "$RUN" --no-check sh -c 'kill -SEGV $$') 2>/dev/null
[ $? = 139 ] || fail "status of a crash"
[ "$(echo 'a line' | "$RUN" --no-check cat 2>/dev/null)" = 'a line' ] || fail "standard input"
for signal in INT TERM HUP USR1 RTMIN; do
   rm -f "$WORK/signal"
   # A job started in the background ignores SIGINT.
   env --default-signal=INT "$RUN" --no-check bash -c \
      "trap 'echo got $signal; exit 5' $signal; echo ready; while :; do sleep 0.1; done" \
      >"$WORK/signal" 2>/dev/null &
   pid=$!
   wait_for "$WORK/signal" ready
   kill -s $signal $pid
   wait $pid; status=$?
   [ $status = 5 ] || fail "SIG$signal: status $status"
   grep -q "got $signal" "$WORK/signal" || fail "SIG$signal did not reach the program"
done
# A shell with job control: what the terminal stops, the shell sees as stopped, and continues.
cat >"$WORK/jobs" <<END
set -m
"$RUN" --no-check bash -c 'echo first; kill -TSTP \$\$; echo second; exit 6' 2>/dev/null &
pid=\$!
for i in \$(seq 100); do jobs %1 | grep -q Stopped && break; sleep 0.1; done
jobs %1
kill -CONT \$pid
# The shell may not know yet that the job goes on: 128 and the signal.
for i in \$(seq 100); do wait %1; status=\$?; [ \$status -ge 128 ] || break; sleep 0.1; done
echo status \$status
END
timeout 60 bash "$WORK/jobs" >"$WORK/jobs.log" 2>&1
grep -q Stopped "$WORK/jobs.log" && grep -q second "$WORK/jobs.log" &&
   grep -q 'status 6' "$WORK/jobs.log" || { cat "$WORK/jobs.log"; fail "stop and continue"; }

# --- A watcher that is killed takes program, display and temporary files with it ---
# shellcheck disable=SC2016 # the program expands them
env -u DISPLAY "$RUN" --no-check bash -c \
   'echo "$$ $DISPLAY $XAUTHORITY"; echo ready; while :; do sleep 0.1; done' >"$WORK/killed" 2>&1 &
pid=$!
wait_for "$WORK/killed" ready
read -r program display authority <"$WORK/killed"
[ -n "$authority" ] && [ "$(stat -c %a "$(dirname "$authority")")" = 700 ] ||
   fail "the virtual server's cookie is not private: $authority"
! env -u XAUTHORITY HOME=/dev/null DISPLAY="$display" xdpyinfo >/dev/null 2>&1 ||
   fail "the virtual server takes clients without a cookie"
DISPLAY=$display XAUTHORITY=$authority xdpyinfo >/dev/null || fail "the cookie does not work"
kill -KILL $pid
within 10 gone "$program" || fail "the program outlives its watcher"
within 10 tidy || { ls -lR "$TMPDIR"; fail "temporary files are left"; }
! DISPLAY=$display xdpyinfo >/dev/null 2>&1 || fail "the virtual server is left"

# --- What ends a frame ---
run() { # name, options..., --, how: frames.csv of at most 4 frames
   local name=$1 options=(); shift
   while [ "$1" != -- ]; do options+=("$1"); shift; done
   rm -rf "${WORK:?}/$name"
   timeout 60 "$RUN" --no-check --mode functional --out "$WORK/$name" "${options[@]}" \
      "$frames" "$2" >"$WORK/$name.log" 2>&1
}
for how in 'swap' 'finish --frame-on-finish' 'flush --frame-on-flush' 'finish --frame-on-flush' \
   'context --frame-on-flush'; do
   read -r how option <<<"$how"
   run "$how" ${option:+"$option"} --frames 4 -- "$how"; status=$?
   [ $status = 0 ] || { cat "$WORK/$how.log"; fail "--frames 4, $how $option: status $status"; }
   [ "$(rows "$WORK/$how")" = 4 ] || fail "--frames 4, $how $option: $(rows "$WORK/$how") rows"
   [ "$(column "$WORK/$how/frames.csv" draws | sort -u)" = 1 ] || fail "$how: not a draw per frame"
   grep -q '4 frames are done' "$WORK/$how.log" && grep -q drawing "$WORK/$how.log" ||
      { cat "$WORK/$how.log"; fail "$how: no message, or the program's output is lost"; }
done
# After the first swap, flushes do not count.
run both --frame-on-flush --frames 4 -- both || { cat "$WORK/both.log"; fail both; }
[ "$(column "$WORK/both/frames.csv" draws | tr '\n' ' ')" = '1 1 2 2 ' ] ||
   { cut -d, -f1-2 "$WORK/both/frames.csv"; fail "flushes between swaps end frames"; }

# --- The frames of one process end the whole program, even one that does not care ---
start=$SECONDS
"$RUN" --no-check --mode functional --frames 2 --frame-on-flush --out "$WORK/deaf" \
   bash -c "trap '' TERM; '$frames' deaf; sleep 1234 & echo \$!; wait" >"$WORK/log" 2>&1
status=$?
[ $status = 0 ] && [ "$(rows "$WORK/deaf")" = 2 ] ||
   { cat "$WORK/log"; fail "--frames of a child: status $status, $(rows "$WORK/deaf") rows"; }
grep -q 'rest of the program was ended' "$WORK/log" || { cat "$WORK/log"; fail "no message"; }
within 10 gone "$(grep -x '[0-9]*' "$WORK/log")" || fail "a process of the program is left"
[ $((SECONDS - start)) -lt 30 ] || fail "--frames of a child took $((SECONDS - start)) s"

# A frame that ends without a swap shows nothing, and says so.
run nothing --save-frames --frame-on-finish --frames 2 -- finish ||
   { cat "$WORK/nothing.log"; fail "finish with --save-frames"; }
[ "$(grep -c 'no picture of a frame that ends without a swap' "$WORK/nothing.log")" = 1 ] ||
   { cat "$WORK/nothing.log"; fail "no word on pictures that are not there"; }

# --- An interrupt in the middle of a frame that takes hours ---
for how in direct child; do
   command=("$frames" swap 2)
   [ $how = direct ] || command=(bash -c "'$frames' swap 2; echo status \$?")
   rm -rf "$WORK/long" "$WORK/log"
   "$RUN" --no-check --out "$WORK/long" "${command[@]}" >"$WORK/log" 2>&1 &
   pid=$!
   wait_for "$WORK/log" 'takes long'
   sleep 0.5
   kill -INT $pid
   within 10 gone $pid || { kill -KILL $pid; fail "SIGINT does not end a long frame ($how)"; }
   wait $pid; status=$?
   # A shell in between goes on with its next command.
   [ $how = direct ] && want=130 || want=0
   [ $status = "$want" ] ||
      { cat "$WORK/log"; fail "status $status, not $want, after SIGINT ($how)"; }
   [ "$(rows "$WORK/long")" = 2 ] &&
      [ "$(column <(draws "$WORK/long/draws.csv") frame | wc -l)" = 2 ] ||
      { cut -d, -f1-8 "$WORK/long/frames.csv"; fail "reports are not those of two whole frames"; }
   grep -q 'middle of frame 2' "$WORK/log" || { cat "$WORK/log"; fail "no message ($how)"; }
done
# Between frames the program decides.
"$RUN" --no-check --mode functional --out "$WORK/own" "$frames" swap >"$WORK/log" 2>&1 &
pid=$!
wait_for "$WORK/own/frames.csv" '^1,'
kill -INT $pid
wait $pid; status=$?
[ $status = 3 ] && grep -q 'asked to stop by signal 2' "$WORK/log" ||
   { cat "$WORK/log"; fail "the program's own handler: status $status"; }

# --- A note when nothing was drawn ---
"$RUN" --no-check true 2>"$WORK/log" || fail "true"
grep -q 'true never opened OpenGL' "$WORK/log" || { cat "$WORK/log"; fail "no note: no context"; }
"$RUN" --no-check "$BUILD/tests/gl/core43" 2>"$WORK/log"
grep -q 'core43 opened it, but made no OpenGL context' "$WORK/log" ||
   { cat "$WORK/log"; fail "no note: no context"; }
"$RUN" glxinfo -B >/dev/null 2>"$WORK/log" || fail "glxinfo"
"$RUN" --no-check --frames 1 "$frames" swap >>"$WORK/log" 2>&1 || fail "frames swap"
"$RUN" --driver softpipe true >>"$WORK/log" 2>&1 || fail "true on softpipe"
! grep -q 'drew nothing' "$WORK/log" || { cat "$WORK/log"; fail "a note without cause"; }
# A variable is for whatever follows, an option for this program.
quietly "a variable" env ATTILA_FRAMES=3 "$RUN" --driver softpipe true
expect_failure 2 'frames needs --driver attila' \
   env ATTILA_FRAMES=3 "$RUN" --driver softpipe --frames 5 true
within 10 tidy || { ls -lR "$TMPDIR"; fail "temporary files are left"; }
