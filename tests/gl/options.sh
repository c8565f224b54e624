#!/bin/bash
# Wrong options, machines and programs of attila-run end in a message and a status, not in a
# picture.
. "$(dirname "$0")/../lib/test.sh"
expect_failure 2 'unrecognized option .--nonsense' "$RUN" --nonsense glxinfo
expect_failure 2 'expected PROGRAM' "$RUN"
expect_failure 2 "expected cycle, functional or half" "$RUN" --mode fast glxinfo
expect_failure 2 'SECTION.KEY=VALUE' "$RUN" --set nonsense glxinfo
expect_failure 1 'none.ini' "$RUN" --config "$WORK/none.ini" glxinfo
expect_failure 127 'no program' "$RUN" no-such-program-here
echo >"$WORK/text"
expect_failure 126 'is not executable' "$RUN" "$WORK/text"
cp /bin/true "$WORK/setgid" && chmod 2755 "$WORK/setgid"
expect_failure 1 'run a copy of' "$RUN" "$WORK/setgid"
printf '[GPU]\nNumStampPipes = many\n' >"$WORK/bad.ini"
# A machine that cannot be built is one line, and the program is not started.
refused() { # text, options...
   local text=$1; shift
   expect_failure 1 "$text" "$RUN" "$@" sh -c 'echo started'
   [ "$(wc -l <"$WORK/expect")" = 1 ] || { cat "$WORK/expect"; fail "more than a line: $*"; }
}
refused 'GPU.NumFragmentShaders = 99.*1 to 64' --set GPU.NumFragmentShaders=99
refused 'GPU.Shaders is not a parameter' --set GPU.Shaders=4
refused 'NumStampPipes = many' --set GPU.NumStampPipes=many
refused 'bad.ini.*NumStampPipes|NumStampPipes.*bad.ini' --no-check --config "$WORK/bad.ini"
# A key of the original that is not supported is a warning, not part of the refusal.
printf '[SIMULATOR]\nUseACD = 1\n[GPU]\nNumStampPipes = 99\n' >"$WORK/bad.ini"
refused 'NumStampPipes' --config "$WORK/bad.ini"
expect_failure 2 'ATTILA_MODE=slow' env ATTILA_MODE=slow "$RUN" true
refused 'no statistic of this machine is named "Nonsense_HZ"' --out "$WORK/x" \
   --draws-columns Nonsense_HZ
expect_failure 2 'draws-frames "3-1": expected a list' \
   "$RUN" --out "$WORK/x" --draws-frames 3-1 true
expect_failure 2 'maps "latency,heat": expected words' \
   "$RUN" --out "$WORK/x" --maps latency,heat true
expect_failure 2 'record "banana": expected words with commas between them, of sqlite, boxes, csv' \
   "$RUN" --out "$WORK/x" --record banana true
refused 'no folder to write to' --capture "$WORK/none/file"
refused 'is a folder: name a file' --capture "$WORK"
touch "$WORK/taken"
refused 'cannot write to the folder' --out "$WORK/taken/x"
expect_failure 1 'cannot write to the folder' env ATTILA_OUT="$WORK/taken/x" "$RUN" true
expect_failure 2 'ATTILA_FRAMES=many: expected a whole number from 1' \
   env ATTILA_FRAMES=many "$RUN" true
expect_failure 2 'draws-frames needs --out' "$RUN" --draws-frames 1 true
expect_failure 2 'maps needs --out' "$RUN" --maps all true
for n in 0 -1 x 5000000000; do expect_failure 2 'frames ".*": expected a whole number from 1' \
   "$RUN" --frames "$n" true; done
# A planted link does not lead a temporary file elsewhere; the name once was the process's number.
mkdir "$WORK/tmp"
echo mine >"$WORK/victim"
# shellcheck disable=SC2016 # the inner shell, which becomes attila-run, expands them
TMPDIR=$WORK/tmp bash -c 'ln -s "$1" "$TMPDIR/attila-run.$$"; exec "$2" true' \
   - "$WORK/victim" "$RUN" 2>/dev/null || fail "true"
[ "$(cat "$WORK/victim")" = mine ] || fail "a temporary file of attila-run followed a link"
# A parameter changes the machine: one shader is slower than four.
for n in 1 4; do
   quietly "run with $n shaders" "$RUN" --no-check --set GPU.NumFragmentShaders=$n \
      --fixed-clock 60 --out "$WORK/n$n" \
      glmark2 -s 200x150 -b build:nframes=1:duration=1000000
done
one=$(column "$WORK/n1/frames.csv" cycles | tail -n 1)
four=$(column "$WORK/n4/frames.csv" cycles | tail -n 1)
[ "$one" -gt "$four" ] || fail "1 shader: $one cycles, 4 shaders: $four"
