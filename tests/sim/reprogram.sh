#!/bin/bash
# attila-sim reprogram: a capture with other shader programs runs them, instruction for instruction;
# what does not fit is refused; and the cases of tests/timing/ with the original's programs are what
# tests/timing/programs/ says.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
timing=$TOP/tests/timing
capture=$timing/alu_independent.attila
statistic() { # FOLDER NAME
   column "$WORK/$1/frames.csv" "$2" | head -n 1
}
run() { # NAME: simulates $WORK/NAME.attila
   quietly "running $1" "$SIM" run "$WORK/$1.attila" --config "$timing/reference.ini" \
      --out "$WORK/$1" --save-frames
}
replace() { # NAME: program 2 of the capture becomes the text on standard input
   cat >"$WORK/$1.txt"
   quietly "making $1" "$SIM" reprogram "$capture" 2="$WORK/$1.txt" --out "$WORK/$1.attila"
}

# --- The same program, printed and read again ---
"$SIM" disasm "$capture" | sed -n '/^# program 2,/,/^$/p' >"$WORK/program"
grep -q '^MAD r0, i0, l0, l0$' "$WORK/program" || fail "disasm has no program 2"
cp "$capture" "$WORK/before.attila"
run before
replace printed <"$WORK/program"
run printed
cmp "$WORK/before/frame-0000.png" "$WORK/printed/frame-0000.png" || fail "another picture"
[ "$(statistic before ExecutedInstructions_ShDX-FS)" = \
   "$(statistic printed ExecutedInstructions_ShDX-FS)" ] || fail "other instructions"
"$SIM" disasm "$WORK/printed.attila" | sed -n '/^# program 2,/,/^$/p' | grep -v '^#' >"$WORK/again"
grep -v '^#' "$WORK/program" | diff - "$WORK/again" || fail "another program"

# --- Two instructions for each fragment more, although they do nothing ---
sed '/^MAD o0/i MOV r0, r0\nMOV r0, r0' "$WORK/program" | replace longer
run longer
cmp "$WORK/before/frame-0000.png" "$WORK/longer/frame-0000.png" || fail "MOVs change the picture"
more=$(($(statistic longer ExecutedInstructions_ShDX-FS) -
   $(statistic before ExecutedInstructions_ShDX-FS)))
# Quads at edges have lanes without a fragment.
[ $more -ge $((2 * 614400)) ] && [ $more -lt $((2 * 620000)) ] || fail "$more instructions more"

# --- Another colour ---
printf '.fragment\n.literal 0, 1, 0, 1\nMOV o0, l0\nEND\n' | replace green
run green
! cmp -s "$WORK/before/frame-0000.png" "$WORK/green/frame-0000.png" || fail "the same picture"

# --- What does not fit ---
refuse() { # TEXT OF THE MESSAGE; the program on standard input
   cat >"$WORK/bad.txt"
   expect_failure 1 "$1" "$SIM" reprogram "$capture" 2="$WORK/bad.txt" --out "$WORK/bad.attila"
   [ ! -e "$WORK/bad.attila" ] || fail "a copy although: $1"
}
refuse 'bad.txt: line 2: unknown instruction' < <(printf '.fragment\nMOVE o0, i0\nEND\n')
refuse 'is of another stage' < <(printf '.vertex\nMOV o0, i0\nEND\n')
refuse 'reads inputs that' < <(printf '.fragment\nMOV o0, i1\nEND\n')
refuse 'writes other outputs' < <(printf '.fragment\nMOV o0, i0\nMOV o1, i0\nEND\n')
refuse 'samples textures' < <(printf '.fragment\nTEX o0, i0, t0, 2D\nEND\n')
refuse 'has a KIL, unlike' < <(printf '.fragment\nKIL i0\nMOV o0, i0\nEND\n')
make() { "$SIM" reprogram "$@"; }
good=$WORK/green.txt
expect_failure 1 'has no program 3; it has 2' make "$capture" 3="$good" --out "$WORK/bad.attila"
expect_failure 1 'nothing.txt: cannot be read' make "$capture" 2="$WORK/nothing.txt" -o "$WORK/bad"
expect_failure 2 'no other TEXT replaces' make "$capture" 2="$good" 2="$good" -o "$WORK/bad"
expect_failure 2 'is not N=TEXT' make "$capture" "$good" -o "$WORK/bad"
expect_failure 2 'expected FILE N=TEXT...' make "$capture" -o "$WORK/bad"
expect_failure 2 '--out FILE is missing' make "$capture" 2="$good"
expect_failure 2 'requires an argument' make "$capture" 2="$good" --out
expect_failure 2 'unrecognized option .--frames' make "$capture" 2="$good" --frames 1
expect_failure 2 'is the capture itself' make "$WORK/before.attila" 2="$good" \
   --out "$WORK/before.attila"
cmp "$capture" "$WORK/before.attila" || fail "the capture was changed"
expect_failure 1 'No such file' make "$WORK/nothing" 2="$good" -o "$WORK/bad"
expect_failure 1 'no folder to write to' make "$capture" 2="$good" -o "$WORK/no/folder"
head -c 300 "$capture" >"$WORK/short.attila"
expect_failure 1 'short.attila' make "$WORK/short.attila" 2="$good" -o "$WORK/bad.attila"
[ ! -e "$WORK/bad.attila" ] || fail "a copy of half a capture"
quietly "the help" make --help
grep -q 'N=TEXT' "$WORK/log" || fail "no help"

# --- The cases of scripts/validate-timing ---
for text in "$timing"/programs/*.txt; do
   name=$(basename "$text" .txt)
   read -r _ other number _ <"$text"
   quietly "$name" make "$timing/$other.attila" "${number%:}=$text" --out "$WORK/$name.attila"
   # The commands are compared, not the bytes: those depend on where compressed blocks end.
   for folder in "$timing" "$WORK"; do
      "$SIM" dump "$folder/$name.attila" | sed 1d >"$WORK/dump-${folder##*/}"
   done
   cmp "$WORK/dump-timing" "$WORK/dump-${WORK##*/}" ||
      fail "$name.attila is not what programs/$name.txt says"
done
