#!/bin/bash
# scripts/attila-sweep: a sweep of 108 points over three captures on two processes, killed twice and
# resumed, has the results of one that went through, and no point ran twice; designs, expressions,
# ranges of frames, samples, points that fail; wrong spaces are refused before anything runs. Under
# Slurm: sweep-slurm.sh.
# Full only: a hundred points, three times.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
SWEEP=$TOP/scripts/attila-sweep
timing=$TOP/tests/timing
captures=("$timing"/{clear,triangles_culled,program_changes}.attila)

# A simulator that notes what it runs.
fake=$WORK/build/src/sim/attila-sim
mkdir -p "$(dirname "$fake")"
cat >"$fake" <<END
#!/bin/sh
[ "\$1" != run ] || echo "\$@" >>"$WORK/ran"
[ ! -e "$WORK/break" ] || [ "\$1" != run ] || { echo broken >&2; exit 3; }
exec "$SIM" "\$@"
END
chmod +x "$fake"
export ATTILA_BUILD_DIR=$WORK/build
query() { # DATABASE SQL
   /usr/bin/python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1], timeout=60).execute(sys.argv[2]): print(*row, sep="|")' "$@"
}

cat >"$WORK/space.ini" <<'END'
[sweep]
config = attila-bgpu.ini
[parameters]
GPU.NumFragmentShaders = 1, 4
NumStampPipes = min(NumFragmentShaders, 2), 1   # a ratio
HardwareContexts = 1..8 times 2
COMMANDPROCESSOR.PipelinedBatchRendering = TRUE, FALSE
STREAMER.OutputFIFOSize = 16, 32
[constraints]
PipelinedBatchRendering or HardwareContexts <= 4
HardwareContexts != 4 or OutputFIFOSize == 16
[area]
area = 10 * NumFragmentShaders + 4 * NumStampPipes
END

# Before anything runs: what is wrong is said, with what would be right.
wrong() { # TEXT LINE...
   printf '%s\n' "${@:2}" >"$WORK/wrong.ini"
   expect_failure 2 "$1" "$SWEEP" "$WORK/wrong.ini" "${captures[0]}"
}
wrong 'GPU.NumStampPipes = 33: expected a number from 1 to 32 \(ROPs\)' \
   '[parameters]' 'GPU.NumStampPipes = 1, 33'
wrong 'NumFragmentShader is not a parameter; is it GPU.NumFragmentShaders' \
   '[parameters]' 'NumFragmentShader = 1'
wrong 'FetchRate is one of FRAGMENTSHADER.FetchRate, VERTEXSHADER.FetchRate' \
   '[parameters]' 'FetchRate = 1'
wrong 'NumStampPipes = 0.5: expected .* where GPU.NumFragmentShaders = 1; \[constraints\]' \
   '[parameters]' 'NumFragmentShaders = 1, 2' 'NumStampPipes = NumFragmentShaders / 2'
wrong 'depend on each other' '[parameters]' 'NumFragmentShaders = NumStampPipes' \
   'NumStampPipes = NumFragmentShaders'
wrong 'wrong.ini:2: .*is not understood' '[constraints]' '__import__("os").getpid() > 0'
wrong 'constraints leave nothing' '[parameters]' 'NumStampPipes = 1' '[constraints]' '1 > 2'
wrong 'no section \[params\]' '[params]' 'NumStampPipes = 1'
wrong 'nothing varies' '[sweep]' 'design = grid'
wrong 'design is grid' '[sweep]' 'design = all'
wrong 'none of these machines: .*expected 1 bits' '[sweep]' 'config = attila-bgpu.ini' \
   '[parameters]' 'V2MemoryChannels = 2'
wrong 'frames 0-9 of clear, which has' '[sweep]' 'frames = 0-9' '[parameters]' 'NumStampPipes = 1'
wrong 'no machine none.ini' '[sweep]' 'config = none.ini' '[parameters]' 'NumStampPipes = 1'
wrong "sample is PERCENT or PERCENT most N, not 'many'" '[sweep]' 'sample = many' \
   '[parameters]' 'NumStampPipes = 1'
wrong 'warm_up needs frames, split or sample' '[sweep]' 'warm_up = 1' '[parameters]' \
   'NumStampPipes = 1'
wrong "warm_up is a number from 0, not 'x'" '[sweep]' 'warm_up = x' '[parameters]' \
   'NumStampPipes = 1'
wrong 'count is not for it' '[sweep]' 'sample = 1' 'count = 1-' '[parameters]' 'NumStampPipes = 1'
expect_failure 2 'no capture given' "$SWEEP" "$WORK/space.ini"
expect_failure 1 'none.attila: No such file' "$SWEEP" "$WORK/space.ini" "$WORK/none.attila"
[ ! -e "$WORK/wrong.sweep" ] || fail "a refused space leaves a folder"
[ ! -e "$WORK/ran" ] || fail "something ran: $(cat "$WORK/ran")"

sweep() { # DIR OPTION...
   "$SWEEP" "$WORK/space.ini" "${captures[@]}" -j 2 --out "$WORK/$1" "${@:2}"
}
quietly "dry run" sweep whole --dry-run
grep -q '^108 points, 108 to run' <(grep -o '108 points, 108 to run' "$WORK/log") ||
   { tail -n 1 "$WORK/log"; fail "another number of points"; }
[ ! -e "$WORK/ran" ] || fail "a dry run ran something"

quietly "whole sweep" sweep whole
[ "$(wc -l <"$WORK/ran")" = 108 ] || fail "$(wc -l <"$WORK/ran") runs for 108 points"
for file in table.csv sweep.html; do [ -s "$WORK/whole/$file" ] || fail "no $file"; done
grep -Eq '(src|href)="(https?:)?//' "$WORK/whole/sweep.html" && fail "sweep.html loads more"
if /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then
   for plot in speed-up-NumFragmentShaders heat-NumFragmentShaders-NumStampPipes pareto; do
      [ -s "$WORK/whole/$plot.svg" ] && [ -s "$WORK/whole/$plot.png" ] || fail "no $plot"
   done
fi

# Killed twice, with what it had started.
rm "$WORK/ran"
for least in 20 60; do
   "$SWEEP" "$WORK/space.ini" "${captures[@]}" -j 2 --out "$WORK/killed" >"$WORK/log" 2>&1 &
   until done=$(query "$WORK/killed/sweep.sqlite" 'SELECT count(*) FROM points' 2>/dev/null)
      [ "${done:-0}" -ge "$least" ]; do
      kill -0 $! || { cat "$WORK/log"; fail "it ended before $least points"; }
      sleep 0.05
   done
   kill -9 $! || { cat "$WORK/log"; fail "it ended before it was killed"; }
   wait $! 2>/dev/null
done
expect_failure 0 'points: [6-9][0-9] have a result' sweep killed
runs=$(wc -l <"$WORK/ran")
[ "$runs" -ge 108 ] && [ "$runs" -le 112 ] || fail "$runs runs: two may be lost at each kill"
for sql in 'SELECT point, state, message FROM points ORDER BY point' \
   'SELECT * FROM frames ORDER BY point, frame' 'SELECT * FROM places' 'SELECT * FROM settings' \
   'SELECT text FROM configurations ORDER BY configuration'; do
   query "$WORK/whole/sweep.sqlite" "$sql" >"$WORK/a"
   query "$WORK/killed/sweep.sqlite" "$sql" >"$WORK/b"
   [ -s "$WORK/a" ] && cmp "$WORK/a" "$WORK/b" || fail "killed and resumed, it differs: $sql"
done
cmp "$WORK/whole/table.csv" "$WORK/killed/table.csv" || fail "tables differ"
for file in "$WORK"/whole/*.svg; do
   [ ! -e "$file" ] || cmp "$file" "$WORK/killed/$(basename "$file")" || fail "plots differ"
done
[ ! -e "$WORK/killed/scratch" ] || fail "scratch is left"

# The numbers are those of the simulator; nothing runs again, also from another place.
: >"$WORK/ran"
mkdir "$WORK/moved"
cp "${captures[@]}" "$WORK/moved"
expect_failure 0 '108 points: 108 have a result' "$SWEEP" "$WORK/space.ini" --out "$WORK/whole" \
   "$WORK"/moved/{clear,triangles_culled,program_changes}.attila
[ ! -s "$WORK/ran" ] || fail "points ran twice"
place=$(awk -F, '$2 == 4 && $3 == 2 && $4 == 8 && $5 == "TRUE" && $6 == 32 {print $9}' \
   "$WORK/whole/table.csv")
quietly "one run" "$SIM" run "${captures[1]}" --config "$TOP/configs/attila-bgpu.ini" \
   --set GPU.NumFragmentShaders=4 --set GPU.NumStampPipes=2 --out "$WORK/alone" --record csv \
   --set COMMANDPROCESSOR.HardwareContexts=8 --set STREAMER.OutputFIFOSize=32
alone=$(column "$WORK/alone/frames.csv" cycles)
[ -n "$alone" ] && [ "$place" = "$alone" ] || fail "$place cycles in the table, $alone alone"

# Energies: those of attila-sim power, and speed-up over the growth of the power.
printf '%s\n' '[sweep]' 'energy = built-in LEAKAGE.Ratio=0.5' 'config = attila-bgpu.ini' \
   '[parameters]' 'NumStampPipes = 1, 2' >"$WORK/energy.ini"
quietly "energies" "$SWEEP" "$WORK/energy.ini" "${captures[1]}" --out "$WORK/energy"
quietly "one more run" "$SIM" run "${captures[1]}" --config "$TOP/configs/attila-bgpu.ini" \
   --set GPU.NumStampPipes=2 --out "$WORK/alone2" --record sqlite
"$SIM" power "$WORK/alone2" --set LEAKAGE.Ratio=0.5 --by frame --format csv >"$WORK/alone2.csv"
/usr/bin/python3 - "$WORK/energy/table.csv" "$WORK/alone2.csv" <<'END' || fail "energies of a sweep"
import csv, sys
one, two = csv.DictReader(open(sys.argv[1]))
fj = sum(int(r["total_fj"]) for r in csv.DictReader(open(sys.argv[2])))
energy, cycles = ([float(r[n]) for r in (one, two)] for n in ("mJ", "cycles triangles_culled"))
assert two["mJ"] == "%.6g" % (fj * 1e-12), (two, fj)
assert abs(float(two["per watt"]) - energy[0] / energy[1]) < .001, (one, two)
watts = [e / c for e, c in zip(energy, cycles)]
assert abs(float(two["per watt"]) - float(two["speed-up"]) * watts[0] / watts[1]) < .002, (one, two)
best = [n for n in range(2) if energy[n] < energy[1 - n] or cycles[n] < cycles[1 - n]]
assert [r["energy front"] for r in (one, two)] == ["*" if n in best else "" for n in range(2)]
END

# Samples: frames of a run of forty, the same on each machine, of which one has an L2. The run of
# all frames is in each interval, and so is its speed-up; nothing is drawn or simulated again.
{
   cat "$TOP/tests/golden/texture.attila"
   for _ in {1..19}; do tail -c +25 "$TOP/tests/golden/texture.attila"; done
} >"$WORK/long.attila"
printf '%s\n' '[parameters]' 'GPU.NumFragmentShaders = 1, 2' \
   'L2.Enabled = NumFragmentShaders == 2' >"$WORK/all.ini"
{
   printf '%s\n' '[sweep]' 'sample = 2' 'split = 20' 'warm_up = 1'
   cat "$WORK/all.ini"
} >"$WORK/sample.ini"
some() { "$SWEEP" "$WORK/sample.ini" "$WORK/long.attila" --no-plots "$@"; }
expect_failure 2 'is not drawn yet' some --dry-run
grep -v warm_up "$WORK/sample.ini" >"$WORK/cold.ini"
expect_failure 2 'is not drawn yet' "$SWEEP" "$WORK/cold.ini" "$WORK/long.attila" --dry-run
: >"$WORK/ran"
quietly "all frames" "$SWEEP" "$WORK/all.ini" "$WORK/long.attila" --no-plots
quietly "samples" some
[ "$(grep -c -- '--frames [0-9,-]* .*--jobs 1 .*--warm-up 1' "$WORK/ran")" = 4 ] ||
   { cat "$WORK/ran"; fail "no lists of frames in two points each"; }
/usr/bin/python3 - "$WORK"/{all,sample}.sweep/table.csv <<'END' || fail "estimates of a sweep"
import csv, sys
truth, some = (list(csv.DictReader(open(p))) for p in sys.argv[1:])
for t, s in zip(truth, some, strict=True):
    right, cycles = int(t["cycles long"]), int(s["cycles long"])
    assert abs(cycles - right) <= float(s["+- % long"]) / 100 * right, (t, s)
    assert 0 < float(s["+- % long"]) <= 2, s
    assert abs(float(s["speed-up"]) - float(t["speed-up"])) <= float(s["+-"]) + .0005, (t, s)
assert some[0]["+-"] == "0.000" < some[1]["+-"], some
assert float(some[1]["speed-up"]) > 1.05, some
END
: >"$WORK/ran"
expect_failure 0 '4 points: 4 have a result' some
[ ! -s "$WORK/ran" ] || fail "a sample was drawn or simulated twice"
expect_failure 0 '2 configurations, 1 captures, 4 points, 0 to run' some --dry-run

# What fails is kept with its message and does not run again, but with --retry.
printf '%s\n' '[parameters]' 'NumStampPipes = 1, 2' >"$WORK/few.ini"
few() { "$SWEEP" "$WORK/few.ini" "${captures[0]}" --no-plots "$@"; }
touch "$WORK/break"
expect_failure 1 '2 of 2 points have no result; .*status 3: broken' few
rm "$WORK/break"; : >"$WORK/ran"
expect_failure 1 '2 points: 2 have a result' few
[ ! -s "$WORK/ran" ] || fail "a point that failed ran again"
expect_failure 0 '2 of 2 points' few --retry

# Designs, machines, texts, ranges of frames.
count() { # POINTS LINE...
   printf '%s\n' "${@:2}" >"$WORK/design.ini"
   expect_failure 0 ", $1 points," "$SWEEP" "$WORK/design.ini" --dry-run \
      "$TOP/tests/golden/build.attila"
}
count 6 '[sweep]' 'design = one-at-a-time' '[parameters]' 'NumFragmentShaders = 1, 2, 4, 8' \
   'NumStampPipes = 1, 4' 'HardwareContexts = 8'
grep -q '^NumFragmentShaders=8, NumStampPipes=2, HardwareContexts=8$' "$WORK/expect" ||
   fail "one at a time: others are not those of the machine"
count 7 '[sweep]' 'design = random 7' '[parameters]' 'NumFragmentShaders = 1..16' \
   'NumStampPipes = 1..16' 'HardwareContexts = 1..64' 'MaxDraws = 1..15' \
   'UpdateBufferSize = 1..65536' '[constraints]' 'NumStampPipes <= NumFragmentShaders'
cp "$WORK/expect" "$WORK/random"
"$SWEEP" "$WORK/design.ini" --dry-run "$TOP/tests/golden/build.attila" >"$WORK/a" 2>/dev/null
cmp -s "$WORK/a" "$WORK/random" || fail "the same seed draws other places"
count 12 '[sweep]' 'frames = 0-' 'split = 1' \
   '[parameters]' 'IssuePolicy = OLDEST_FIRST, ROUND_ROBIN' \
   '[machine small]' 'config = embedded.ini' '[machine wide]' 'NumStampPipes = 4' \
   '[machine same]' 'NumStampPipes = 2 + 2' 'HardwareContexts = 7'
echo "108 points: $runs runs when killed twice"
