#!/bin/bash
# scripts/attila-sample: the estimate from all frames is the run itself; from some its interval has
# the truth; the same seed gives the same numbers; one that is killed goes on; and what is refused.
# Full only: a minute of samples.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
sample=$TOP/scripts/attila-sample
# Forty frames of the two of a golden stream, in turn: the header and its chunks, again and again.
stream=$TOP/tests/golden/texture.attila
{
   cat "$stream"
   for _ in {1..19}; do tail -c +25 "$stream"; done
} >"$WORK/long.attila"
quietly "the whole run" "$SIM" run "$WORK/long.attila" --out "$WORK/full" --draws-columns none
quietly "features" "$SIM" features "$WORK/long.attila"
[ "$(wc -l <"$WORK/log")" = 41 ] || fail "40 frames have $(wc -l <"$WORK/log") lines of features"
quietly "sample" "$sample" --out "$WORK/a" --error 2 --truth "$WORK/full/frames.csv" \
   "$WORK/long.attila"
grep -q 'the interval has it' "$WORK/log" || { cat "$WORK/log"; fail "the interval is wrong"; }
quietly "again" "$sample" --out "$WORK/b" --error 2 --jobs 3 "$WORK/long.attila"
cmp "$WORK/a/estimate.csv" "$WORK/b/estimate.csv" || fail "the same seed, other estimates"
# The machine's clock has 600 MHz.
awk -F, '$1 == "cycles" {c = $2} $1 == "simulated_ms" {ms = $2}
   END {exit !(c && (ms - c / 600000) ^ 2 < 1e-5)}' "$WORK/a/estimate.csv" ||
   { head -n 4 "$WORK/a/estimate.csv"; fail "milliseconds are not those of the cycles"; }
[ "$(wc -l <"$WORK/a/sampled.csv")" -lt 41 ] || fail "all frames were simulated"
# A part of the run, and a rehearsal: the same frames from the run of all of them.
quietly "part" "$sample" --out "$WORK/part" --frames 10-29 --error 5 \
   --truth "$WORK/full/frames.csv" --rehearse "$WORK/long.attila"
grep -q '^20 of 20 frames' "$WORK/log" || { cat "$WORK/log"; fail "--frames 10-29"; }
awk -F, 'NR > 1 && ($1 < 10 || $1 > 29) {exit 1}' "$WORK/part/sampled.csv" || fail "other frames"
# Of seeds a row, as each of them would have it.
quietly "seeds" "$sample" --out "$WORK/seeds" --error 2 --seeds 1-3 --rehearse \
   --truth "$WORK/full/frames.csv" "$WORK/long.attila"
grep -Eq '^\| 40 frames \|.*\| 3 of 3 \|$' "$WORK/log" || { cat "$WORK/log"; fail "--seeds"; }
[ "$(wc -l <"$WORK/seeds/seeds.csv")" = 4 ] || fail "seeds.csv"
quietly "seed 2" "$sample" --out "$WORK/two" --error 2 --seed 2 --rehearse \
   --truth "$WORK/full/frames.csv" "$WORK/long.attila"
awk -F, -v frames="$(grep -o '^[0-9]* of 40 frames' "$WORK/log" | tail -1 | cut -d' ' -f1)" \
   -v off="$(grep -o 'off by [-+0-9.]*' "$WORK/log" | cut -d' ' -f3)" '
   $1 == 2 {found = $2 == frames && $4 - off < 0.001 && off - $4 < 0.001} END {exit !found}' \
   "$WORK/seeds/seeds.csv" || fail "--seeds says other things of seed 2 than --seed 2"
# A frame that no other is like is simulated, whatever the seed draws: one of another program.
{
   cat "$WORK/long.attila"
   tail -c +25 "$TOP/tests/golden/desktop.attila"
} >"$WORK/rare.attila"
quietly "the whole run" "$SIM" run "$WORK/rare.attila" --out "$WORK/rare" --draws-columns none
for seed in 1 2 3; do
   quietly "rare, $seed" "$sample" --out "$WORK/rare$seed" --seed $seed --error 2 --rehearse \
      --truth "$WORK/rare/frames.csv" "$WORK/rare.attila"
   grep -q '^2 frames are like no others' "$WORK/log" && grep -q 'interval has it' "$WORK/log" ||
      { cat "$WORK/log"; fail "frames like no others are left to chance"; }
   [ "$(awk -F, 'NR > 1 && $1 > 39 {n++} END {print n}' "$WORK/rare$seed/sampled.csv")" = 2 ] ||
      fail "they were not simulated"
done
# Frames that are the same leave no doubt.
quietly "no doubt" "$sample" --out "$WORK/c" --error 0.001 --warm-start-error 0 "$WORK/long.attila"
grep -q '^30 of 40 .*(0.000 %' "$WORK/log" ||
   { cat "$WORK/log"; fail "equal frames leave doubt"; }

# Killed in a round: the same command goes on with what had been done, and ends with the same.
(exec "$sample" --out "$WORK/k" --error 2 --jobs 1 "$WORK/long.attila") >/dev/null 2>&1 &
killed=$!
until [ -n "$(find "$WORK/k/round/workers" -name run.sqlite 2>/dev/null | tail -n +3)" ]; do
   kill -0 $killed 2>/dev/null || fail "it ended before it was killed"
   sleep 0.02
done
kill -9 $killed
wait $killed 2>/dev/null
for _ in {1..100}; do # its simulator ends with it
   pgrep -f "run $WORK/long.attila.*--out $WORK/k/round" >/dev/null || break
   sleep 0.05
done
inode=$(stat -c %i "$WORK/k/features.csv")
quietly "after a kill" "$sample" --out "$WORK/k" --error 2 "$WORK/long.attila"
cmp "$WORK/k/estimate.csv" "$WORK/a/estimate.csv" || fail "after a kill: other estimates"
[ "$inode" = "$(stat -c %i "$WORK/k/features.csv")" ] || fail "features were counted again"
[ ! -e "$WORK/k/round" ] || fail "the round is left"
# What has been simulated is taken as it is: ten times the cycles, ten times the estimate.
awk -F, -v OFS=, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "cycles") c = i}
   NR > 1 {$c = 10 * $c} {print}' "$WORK/k/sampled.csv" >"$WORK/tenfold"
cp "$WORK/tenfold" "$WORK/k/sampled.csv"
quietly "another error" "$sample" --out "$WORK/k" --error 5 --confidence 90 "$WORK/long.attila"
once=$(awk -F, '$1 == "cycles" {print $2}' "$WORK/a/estimate.csv")
tenfold=$(awk -F, '$1 == "cycles" {print $2}' "$WORK/k/estimate.csv")
[ $((tenfold - 10 * once)) -le 10 ] && [ $((10 * once - tenfold)) -le 10 ] ||
   fail "frames were simulated again: $once, then $tenfold"

expect_failure 2 'of something else' "$sample" --out "$WORK/a" --warm-up 1 "$WORK/long.attila"
expect_failure 2 'of something else' "$sample" --out "$WORK/a" --frames 3-30 "$WORK/long.attila"
expect_failure 2 'has no sample' "$sample" --out "$WORK/full" "$WORK/long.attila"
expect_failure 2 'one of them' "$sample" --out "$WORK/x" "$WORK/long.attila" -- true
expect_failure 2 'one of them' "$sample" --out "$WORK/x"
expect_failure 2 'are of a program' "$sample" --out "$WORK/x" --run-options '--frames 3' \
   "$WORK/long.attila"
expect_failure 2 'required' "$sample" "$WORK/long.attila"
expect_failure 2 'a number from 0.001' "$sample" --out "$WORK/d" --error 0 "$WORK/long.attila"
expect_failure 2 'cannot hold' "$sample" --out "$WORK/d" --error 0.1 "$WORK/long.attila"
expect_failure 2 'begins with 30 frames' "$sample" --out "$WORK/f" --most 5 "$WORK/long.attila"
expect_failure 2 'of a rehearsal' "$sample" --out "$WORK/g" --seeds 1-3 "$WORK/long.attila"
expect_failure 2 'no range of seeds' "$sample" --out "$WORK/g" --rehearse --seeds 3-1 \
   --truth "$WORK/full/frames.csv" "$WORK/long.attila"
expect_failure 2 'from --truth, which is missing' "$sample" --out "$WORK/g" --rehearse \
   "$WORK/long.attila"
expect_failure 2 'no such file' "$sample" --out "$WORK/g" --truth "$WORK/nothing" \
   "$WORK/long.attila"
expect_failure 1 'cannot be replayed' "$sample" --out "$WORK/e" "$WORK/nothing"
