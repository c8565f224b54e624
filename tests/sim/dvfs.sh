#!/bin/bash
# Voltage and frequency during a run (dvfs.md): golden streams keep their pixels under every
# policy, two runs are the same, the record says what changed and divides what was counted, and what
# cannot be is refused.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
stream() { echo "$TOP/tests/golden/$1.attila"; }
sql() { sqlite3 "$WORK/$1/run.sqlite" "$2"; }
# in_states RUN [all]: no statistic has more in states than the frame; all: as much.
in_states() {
   /usr/bin/python3 - "$WORK/$1" "${2-}" <<'END'
import collections, sys
from attila.records import reader
db = reader.open_record(sys.argv[1])
number = dict(db.execute("SELECT name, counter FROM counters"))
instance = dict(db.execute("SELECT name, instance FROM boxes"))
counted = {(f, number[n], -1): v for f, n, v in reader.values(db, "frame")}
counted.update({(f, number[n], instance[b]): v for f, b, n, v in reader.box_values(db, "frame")})
parts = collections.Counter()
for frame, counter, of, value in db.execute(
        "SELECT frame, counter, instance, value FROM frame_states WHERE counter >= 0"):
    parts[frame, counter, of] += value
wrong = [k for k in parts if parts[k] > counted.get(k, 0)]
if sys.argv[2]:
    wrong += [k for k in counted if parts[k] != counted[k]]
sys.exit(bool(wrong) or not parts)
END
}
simulate() { # name stream assignments...: into $WORK/name
   local name=$1 of=$2 sets=() s; shift 2
   for s in "$@"; do sets+=(--set "DVFS.$s"); done
   quietly "$name" "$SIM" run "$(stream "$of")" "${sets[@]}" --out "$WORK/$name" --save-frames
}
fast=(HoldCycles=2000 SampleCycles=100 TransitionTime=200)
frames=(FrameRate=2000 SampleCycles=100)

for of in build texture; do
   simulate $of-off $of
   simulate $of-fixed $of Policy=FIXED "Frequencies=geometry 70, fragment 40, memory 90"
   simulate $of-watermark $of Policy=WATERMARK "${fast[@]}"
   simulate $of-race $of Policy=RACE_TO_IDLE "${frames[@]}"
   simulate $of-deadline $of Policy=DEADLINE "${frames[@]}"
   simulate $of-oracle $of Policy=ORACLE "${frames[@]}" "Oracle=$WORK/$of-off/frames.csv"
   for policy in fixed watermark race deadline oracle; do
      for picture in "$WORK/$of-off"/frame-*.png; do
         cmp "$picture" "$WORK/$of-$policy/${picture##*/}" || fail "$policy changes pixels of $of"
      done
   done
   # Never faster than at full speed.
   for policy in fixed watermark race deadline oracle; do
      [ "$(sql $of-$policy 'SELECT max(end_cycle) FROM frames')" -ge \
         "$(sql $of-off 'SELECT max(end_cycle) FROM frames')" ] || fail "$policy is faster"
   done
done

# The same run gives the same files.
simulate again build Policy=WATERMARK "${fast[@]}"
cmp "$WORK/again/draws.csv" "$WORK/build-watermark/draws.csv" || fail "another run is another one"

# Steps of 10 % down, and back to 100 at once; the voltage goes along.
[ "$(sql build-watermark "SELECT count(*) FROM clock_changes
   WHERE reason = 'queue empty'")" -ge 5 ] || fail "the queue was never empty for long"
[ "$(sql build-watermark "SELECT count(*) FROM (SELECT percent, reason, lag(percent) OVER
   (PARTITION BY domain ORDER BY change) AS before FROM clock_changes) WHERE reason <> 'start' AND
   percent NOT IN (before - 10, 100) OR percent < 50")" = 0 ] || fail "a step is not 10 %"
[ "$(sql build-watermark "SELECT count(*) FROM clock_changes WHERE voltage_permille <>
   700 + (percent - 50) * 6 OR reason <> 'start' AND still_ns <> 200")" = 0 ] || fail "voltages"
[ "$(sql build-off "SELECT count(*) FROM sqlite_master WHERE name LIKE 'clock%'")" = 0 ] ||
   fail "tables of clocks without a policy"

# What was counted in states is part of what the frame counted, and the time of it too.
for run in build-watermark texture-race texture-oracle build-fixed; do
   [ "$(sql $run "SELECT count(*) FROM (SELECT s.frame, s.counter, s.instance, sum(s.value) AS part,
      (SELECT f.cycles FROM frames f WHERE f.frame = s.frame) AS cycles FROM frame_states s GROUP BY
      1, 2, 3) WHERE counter = -1 AND part > cycles")" = 0 ] ||
      fail "$run: states longer than frames"
   # The same of each statistic, of units and of boxes.
   in_states $run || fail "$run: more in states than in the frame"
done
# All the time in one state: all of it is there.
[ "$(sql build-fixed "SELECT count(*) FROM frames f WHERE f.cycles <> (SELECT value FROM
   frame_states s WHERE s.frame = f.frame AND counter = -1)")" = 0 ] || fail "time of a state"
in_states build-fixed all || fail "counts of a state"
[ "$(sql build-fixed "SELECT count(*) FROM frame_clocks WHERE
   (name = 'fragment' AND percent = 40) OR (name = 'geometry' AND percent = 70)")" = 4 ] ||
   fail "frame_clocks"

# Frames of 1/2000 s: the second one begins when the first was due, 300,000 cycles of 600 MHz.
[ "$(sql texture-deadline 'SELECT end_cycle > 300000 FROM frames WHERE frame = 1')" = 1 ] ||
   fail "frames are not paced"
[ "$(sql texture-oracle 'SELECT max(end_cycle) FROM frames WHERE frame = 0')" -le 300000 ] ||
   fail "the oracle is late"

# The policy of a worker hears of its frames, and its record has the clocks.
sets=(--set DVFS.Policy=DEADLINE)
for s in "${frames[@]}"; do sets+=(--set "DVFS.$s"); done
quietly workers "$SIM" run "$(stream texture)" "${sets[@]}" --jobs 1 --job-frames 2 \
   --out "$WORK/workers"
for what in 'cycles FROM frames' 'frame, domain, cycle, percent FROM clock_changes'; do
   [ "$(sql workers "SELECT $what")" = "$(sql texture-deadline "SELECT $what")" ] ||
      fail "a worker: $what"
done

# Functional mode has no time: the frame after it begins at once, with the first frequencies.
for policy in OFF RACE_TO_IDLE DEADLINE; do
   quietly "$policy from frame 1" "$SIM" run "$(stream texture)" --frames 1 \
      --set DVFS.Policy=$policy --out "$WORK/window-$policy"
   [ "$(sql window-$policy 'SELECT cycles FROM frames')" = \
      "$(sql window-OFF 'SELECT cycles FROM frames')" ] || fail "$policy: time of a first frame"
done

# Half of everything takes twice as long; the DAC keeps its clock.
simulate half build Policy=FIXED "Frequencies=geometry 50, fragment 50, memory 50"
ratio=$(awk -v a="$(sql half 'SELECT max(end_cycle) FROM frames')" \
   -v b="$(sql build-off 'SELECT max(end_cycle) FROM frames')" 'BEGIN {printf "%.2f", a / b}')
[ "$ratio" = 2.00 ] || fail "half the frequency: $ratio times the time"

# Shaders of a split machine are of one unit and in two domains: those of the slow one alone cost
# less, by the square of their voltage.
quietly split "$SIM" run "$(stream build)" --config "$TOP/configs/ispass2006-split.ini" \
   --set DVFS.Policy=FIXED --set DVFS.MinVoltage=50 --set "DVFS.Frequencies=geometry 50" \
   --power builtin --record sqlite,boxes --out "$WORK/split"
[ "$(sql split "SELECT count(DISTINCT d.name), sum(abs(s.fj - n.fj * CASE d.name WHEN 'geometry'
   THEN .25 ELSE 1 END) > 1) FROM power_terms s JOIN power_terms n ON n.state = 0 AND
   n.unit = s.unit AND n.event = s.event AND n.counter = s.counter JOIN boxes b ON b.unit = s.unit
   AND b.instance = s.instance JOIN clock_boxes c USING (box) JOIN clock_domains d USING (domain)
   WHERE s.state > 0 AND s.kind IN ('dynamic', 'clock') AND s.unit = 'ShDX-FS'")" = "2|0" ] ||
   fail "voltages of shaders in two domains"
for rows in frame_box_energy work_energy work_box_energy; do
   [ "$(sql split "SELECT sum(total_fj) - (SELECT sum(total_fj) FROM frame_energy) FROM $rows")" \
      = 0 ] || fail "$rows of two domains do not add up"
done

for bad in Policy=SOMETIMES "Frequencies=geometry 200" RopDomain= Queue=nowhere \
   Oracle=/dev/null/x; do
   policy=WATERMARK
   [ "${bad%%=*}" = Oracle ] && policy=ORACLE
   expect_failure 1 "DVFS.${bad%%=*}" "$SIM" run "$(stream build)" --set DVFS.Policy=$policy \
      --set "DVFS.$bad" --out "$WORK/bad"
done
expect_failure 1 'a trace has one time' "$SIM" run "$(stream build)" --set DVFS.Policy=FIXED \
   --trace "$WORK/t.pftrace" --out "$WORK/bad"
echo "policies change time and nothing else"
