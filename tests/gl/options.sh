#!/bin/bash
# Wrong options, machines and programs of attila-run end in a message and a status, not in a
# picture.
. "$(dirname "$0")/../lib/test.sh"
expect_failure 2 'unknown option --nonsense' "$RUN" --nonsense glxinfo
expect_failure 2 'no program' "$RUN"
expect_failure 2 "cycle or functional" "$RUN" --mode fast glxinfo
expect_failure 2 'SECTION.KEY=VALUE' "$RUN" --set nonsense glxinfo
expect_failure 1 'cannot read' "$RUN" --config "$WORK/none.ini" glxinfo
expect_failure 127 'no program' "$RUN" no-such-program-here
cp /bin/true "$WORK/setgid" && chmod 2755 "$WORK/setgid"
expect_failure 1 'run a copy of' "$RUN" "$WORK/setgid"
expect_failure 1 'NumFragmentShaders.*1 *(to|\.\.|and) *16' \
   "$RUN" --set GPU.NumFragmentShaders=99 glxinfo -B
printf '[GPU]\nNumStampPipes = many\n' >"$WORK/bad.ini"
expect_failure 1 'bad.ini.*NumStampPipes|NumStampPipes.*bad.ini' \
   "$RUN" --config "$WORK/bad.ini" glxinfo -B
# The program's own status comes through.
"$RUN" --no-check sh -c 'exit 7'; [ $? = 7 ] || fail "exit status"
# A parameter changes the machine: one shader is slower than four.
for n in 1 4; do
   quietly "run with $n shaders" "$RUN" --no-check --set GPU.NumFragmentShaders=$n \
      --fixed-clock 60 --out "$WORK/n$n" \
      glmark2 -s 200x150 -b build:nframes=1:duration=1000000
done
one=$(column "$WORK/n1/frames.csv" cycles | tail -n 1)
four=$(column "$WORK/n4/frames.csv" cycles | tail -n 1)
[ "$one" -gt "$four" ] || fail "1 shader: $one cycles, 4 shaders: $four"
