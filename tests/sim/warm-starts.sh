#!/bin/bash
# scripts/warm-starts: its numbers are those of the runs that it is about, of frames and of parts;
# and what it refuses. Not here: how far warm starts may be off (scale.sh, parts.sh).
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
stream=$TOP/tests/golden/desktop.attila
warm=$TOP/scripts/warm-starts
cycles() { column "$WORK/$1/frames.csv" cycles | tail -n 1; }
# Thousands separated, and the difference in percent.
row() { # WHOLE OTHER...
   /usr/bin/python3 -c 'import sys
a, *others = map(int, sys.argv[1:])
print(" | ".join([format(a, ",")] + ["%+.2f %%" % (100 * (b / a - 1)) for b in others]))' "$@"
}

quietly "whole run" "$SIM" run "$stream" --out "$WORK/full"
quietly "warm start" "$SIM" run "$stream" --frames 1 --out "$WORK/warm"
quietly "frames" "$warm" --frames 1 --name Desktop "$stream"
want="| Desktop, 1 | $(row "$(cycles full)" "$(cycles warm)" "$(cycles full)") |"
grep -qxF -- "$want" "$WORK/log" || { cat "$WORK/log"; fail "not the row $want"; }
# Another truth: a tenth of it, so that the warm start is off by ten times as much.
awk -F, -v OFS=, 'NR > 1 {$5 = int($5 / 10)} {print}' "$WORK/full/frames.csv" >"$WORK/truth.csv"
quietly "a truth" "$warm" --frames 0-1 --warm-up 0 --full "$WORK/truth.csv" "$stream"
want=$(row "$(column "$WORK/truth.csv" cycles | tail -n 1)" "$(cycles warm)")
grep -qxF -- "| desktop, 1 | $want |" "$WORK/log" || { cat "$WORK/log"; fail "not the row $want"; }
largest=$(sed -n 's/^| desktop, [01] |.*| +\(.*\) % |$/\1/p' "$WORK/log" | sort -n | tail -n 1)
grep -qxF "| largest | | ${largest:?} % |" "$WORK/log" ||
   { cat "$WORK/log"; fail "not the largest"; }

quietly "a part" "$SIM" run "$stream" --frames 1 --cycle-draws 2-5 --out "$WORK/part"
sum() {
   sqlite3 "$WORK/$1/run.sqlite" "SELECT sum(exclusive_cycles) FROM work WHERE kind = 'draw' AND
      frame = 1 AND draw BETWEEN 2 AND 5"
}
quietly "parts" "$warm" --frames 1 --draws 2-5,7- "$stream"
want="| desktop, 1 | 2-5 | $(row "$(sum full)" "$(sum part)") |"
grep -qF -- "$want" "$WORK/log" || { cat "$WORK/log"; fail "not the row $want"; }
grep -q '^| desktop, 1 | 7-7 |' "$WORK/log" || { cat "$WORK/log"; fail "no row of draws 7-"; }

quietly "frame 0" "$warm" --frames 0-0 --warm-up 0 "$stream"
grep -q '^| desktop, 0 |.*+0\.00 % |$' "$WORK/log" || { cat "$WORK/log"; fail "no row of frame 0"; }

expect_failure 2 'required: --frames' "$warm" "$stream"
expect_failure 2 '\-\-frames 7-2 is not a list such as' "$warm" --frames 7-2 "$stream"
expect_failure 2 '\-\-frames 1- has no last frame' "$warm" --frames 1- "$stream"
expect_failure 2 '\-\-draws 5-x is not a list such as' "$warm" --frames 1 --draws 5-x "$stream"
expect_failure 2 'has no frame 7' "$warm" --frames 0,7 "$stream"
expect_failure 2 'frame 1 of .* has no draw 9' "$warm" --frames 1 --draws 2,9- "$stream"
expect_failure 2 'is not the frames.csv of a run' "$warm" --frames 1 --full "$stream" "$stream"
expect_failure 1 'cannot read' "$warm" --frames 1 "$WORK/none.attila"
exit 0
