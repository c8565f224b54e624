#!/bin/bash
# Energy of recorded runs (power.md): boxes, rows and intervals add up to frames to the
# femtojoule, with the run's table and with others; nothing changes cycles; what is refused.
. "$(dirname "$0")/../lib/test.sh"
ATTILA=$TOP/scripts/attila
[ -x "$SIM" ] || skip "no build"
config=$TOP/configs/attila-bgpu.ini
# sums DIR: by frame and unit; and what the interval of the run's last cycles has more.
sums() {
   /usr/bin/python3 - "$1/run.sqlite" <<'END' || fail "energies of $1 do not add up"
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
rows = lambda sql: sorted(db.execute(sql))
columns = "sum(dynamic_fj), sum(clock_fj), sum(leakage_fj), sum(offchip_fj), sum(total_fj)"
frames = rows("SELECT frame, unit, %s FROM frame_energy GROUP BY 1, 2" % columns)
work = rows("SELECT frame, unit, %s FROM work_energy JOIN work USING (work) GROUP BY 1, 2" %
            columns)
boxes = rows("SELECT frame, unit, %s FROM frame_box_energy e JOIN boxes b ON b.name = e.box "
             "GROUP BY 1, 2" % columns)
assert frames and work == frames, "work"
assert boxes == frames, "boxes"
one = lambda sql: db.execute(sql).fetchone()[0]
more = one("SELECT sum(cycles) FROM intervals") - one("SELECT sum(cycles) FROM frames")
tail = one("SELECT ifnull(sum(value * fj), 0) FROM (SELECT counter, value FROM interval_values "
           "UNION ALL SELECT counter, -value FROM frame_values) JOIN power_terms USING (counter)")
time = one("SELECT sum(boxes * fj) FROM power_terms WHERE counter = -1")
assert 0 <= more < 10, "cycles"
assert one("SELECT sum(total_fj) FROM interval_energy") == \
   sum(f[6] for f in frames) + tail + more * time, "intervals"
watts = [w for (w,) in db.execute("SELECT watts FROM frame_power")]
assert all(0.5 < w < 500 for w in watts), watts
END
}
number=0
for stream in golden/build golden/shading golden/texture timing/blend timing/triangles_lit; do
   dir=$WORK/run-$number; number=$((number + 1))
   table=builtin
   [ $stream != golden/texture ] || table=$TOP/configs/power/110nm.ini
   quietly "$stream" "$SIM" run "$TOP/tests/$stream.attila" --config "$config" --out "$dir" \
      --record sqlite --interval 5000 --power "$table"
   sums "$dir"
done
# The simple memory controller, split shaders, other clocks.
quietly "another machine" "$SIM" run "$TOP/tests/golden/build.attila" --out "$WORK/other" \
   --set GPU.Unified=FALSE --set GPU.MemoryClock=300 --interval 3000 --record sqlite
quietly "--write" "$SIM" power "$WORK/other" --write --set CLOCK.GatingStyle=none \
   --set LEAKAGE.Ratio=0.5
sums "$WORK/other"

# --- attila export: joules beside the tables, row by row what views say ---
quietly export "$ATTILA" export "$WORK/run-0"
/usr/bin/python3 - "$WORK/run-0" <<'END' || fail "the files of joules"
import csv, sqlite3, sys
db = sqlite3.connect(sys.argv[1] + "/run.sqlite")
for name, table, key in (("frames", "frames", "frame"), ("draws", "work", "work"),
                         ("cycles", "intervals", "interval")):
    lines = list(csv.DictReader(open("%s/%s-energy.csv" % (sys.argv[1], name))))
    beside = list(csv.DictReader(open("%s/%s.csv" % (sys.argv[1], name))))
    keys = [k for k, in db.execute("SELECT %s FROM %s ORDER BY 1" % (key, table))]
    assert len(lines) == len(beside) == len(keys) > 0, name
    units = [c[7:] for c in lines[0] if c.startswith("joules_")][4:]
    assert units == [u for u, in db.execute(
        "SELECT unit FROM power_terms GROUP BY unit ORDER BY min(term)")], units
    energy = {(k, u): e for k, u, *e in db.execute(
        "SELECT %s, unit, dynamic_fj, clock_fj, leakage_fj, offchip_fj, total_fj FROM %s_energy" %
        (key, key))}
    near = lambda text, fj: abs(float(text) * 1e15 - fj) <= 1e-9 * fj
    for k, line, other in zip(keys, lines, beside):
        assert all(line[c] == other[c] for c in line if c in other and c != "label"), line
        row = [energy.get((k, u), [0] * 5) for u in units]
        assert near(line["joules"], sum(e[4] for e in row)), (name, k)
        assert all(near(line["joules_" + u], e[4]) for u, e in zip(units, row)), (name, k)
        assert all(near(line["joules_" + kind], sum(e[i] for e in row)) for i, kind in
                   enumerate(("dynamic", "clock", "leakage", "offchip"))), (name, k)
        if float(line["seconds"]):
            watts = float(line["joules"]) / float(line["seconds"])
            assert abs(float(line["watts"]) - watts) <= 1e-9 * watts, (name, k)
END

# --- Another table does not change the record; CSV has the same sums ---
dir=$WORK/run-1
add() { # COLUMN from 0: of the CSV on standard input, its exact sum
   /usr/bin/python3 -c 'import csv, sys
rows = list(csv.reader(sys.stdin))[1:]
print(sum(int(r[int(sys.argv[1])]) for r in rows))' "$1"
}
total() { # COLUMN OPTION...: femtojoules of a column of the CSV by run
   local column=$1; shift
   "$SIM" power "$dir" --format csv "$@" | add $((column - 1))
}
before=$(cksum <"$dir/run.sqlite")
full=$(total 3) half=$(total 3 --set PROCESS.Voltage=0.725)
awk -v a="$full" -v b="$half" 'BEGIN { exit !(a > 3.999 * b && a < 4.001 * b) }' ||
   fail "half the voltage: $half of $full"
[ "$(total 6)" = "$(total 6 --set PROCESS.Voltage=0.725)" ] || fail "memory has another voltage"
more=$(total 5 --set LEAKAGE.Ratio=0.3)
awk -v a="$(total 5)" -v b="$more" 'BEGIN { exit !(b > 2.999 * a && b < 3.001 * a) }' ||
   fail "three times the leakage: $more"
[ "$(total 7)" = "$("$SIM" power "$dir" --by frame --format csv | add 7)" ] ||
   fail "frames have another sum than the run"
[ "$before" = "$(cksum <"$dir/run.sqlite")" ] || fail "looking changed the record"
"$SIM" power "$dir" >"$WORK/text" || fail "no table"
grep -q 'E\*D^2' "$WORK/text" || fail "no E*D^2 in the table"
"$SIM" power --describe | diff - <(tail -n +3 "$TOP/configs/power/130nm.ini") ||
   fail "configs/power/130nm.ini is not the built-in table: attila-sim power --describe"
/usr/bin/python3 - <(tail -n +3 "$TOP/configs/power/130nm.ini") \
   <("$SIM" power --describe --format json -s PROCESS.Voltage=1.25) <<'END' || fail "table as JSON"
import configparser, json, sys
ini = configparser.ConfigParser(delimiters="=")
ini.optionxform = str
ini.read(sys.argv[1])
with open(sys.argv[2]) as f:
    table = json.load(f)
ini["PROCESS"]["Voltage"] = "1.25"
assert table["gating_style"] == ini["CLOCK"].pop("GatingStyle")
energies = dict(ini["ENERGY"])
ini.remove_section("ENERGY")
assert {(n["section"], n["key"]): n["value"] for n in table["numbers"]} == {
    (s, k): float(v) for s in ini.sections() for k, v in ini[s].items()}
assert all(n["min"] <= n["value"] <= n["max"] and n["meaning"] for n in table["numbers"])
assert {e["key"]: [e["picojoules"], e["uncertainty_percent"], e["source"]]
        for e in table["energies"]} == {k: [*map(float, v.split()[:2]), v.split('"')[1]]
                                        for k, v in energies.items()}
END
expect_failure 2 'describe is text or json' "$SIM" power --describe --format csv
for table in "$TOP"/configs/power/*.ini; do
   quietly "$table" "$SIM" power "$dir" --table "$table"
done
# --- Workers ---
quietly "--jobs" "$SIM" run "$TOP/tests/golden/shading.attila" --config "$config" --jobs 2 \
   --out "$WORK/jobs" --power builtin
quietly "a record of workers" "$SIM" power "$WORK/jobs"

# --- Beside published chips: a row of the table, on one capture. Its board draws what a chip of its
# size did, and less when idle ---
chips() { ATTILA_BUILD_DIR=${SIM%/src/sim/attila-sim} "$TOP/scripts/power-chips" "$@"; }
chips --chip '6800 Ultra' --case blend >"$WORK/chips" || fail "power-chips"
[ "$(wc -l <"$WORK/chips")" = 3 ] || fail "power-chips has $(wc -l <"$WORK/chips") lines"
awk -F'|' 'NR == 3 {split($5, load, " "); split($7, idle, " ");
   exit !(load[1] > 40 && load[1] < 100 && idle[1] > 15 && idle[1] < load[1])}' "$WORK/chips" ||
   fail "power-chips: $(tail -n 1 "$WORK/chips")"
expect_failure 2 'no chip is called Voodoo; there are: GeForce 4' chips --chip Voodoo

# --- Temperatures: as many watts leave as the units have, at the steady state they begin with ---
thermal() { ATTILA_BUILD_DIR=${SIM%/src/sim/attila-sim} "$TOP/scripts/attila" thermal "$@"; }
thermal "$dir" --set SINK.Ambient=40 --set SINK.Resistance=0.5 >"$WORK/thermal" || fail "thermal"
awk '$1 == "sink" {watts = $2; mean = $3} NF == 6 && $1 != "unit" {sum += $3}
   END {exit !(watts > 1 && (sum - watts) ^ 2 < 1e-3 && (mean - 40 - watts / 2) ^ 2 < 1e-2)}' \
   "$WORK/thermal" || fail "thermal: $(cat "$WORK/thermal")"
expect_failure 1 'SINK.Ambient = 400: expected -50 to 100' thermal "$dir" --set SINK.Ambient=400
expect_failure 2 'expected SECTION.KEY=VALUE' thermal "$dir" --set Ambient

# --- What is refused ---
expect_failure 2 'expected DIR' "$SIM" power
"$SIM" power "$dir" --format csv >"$WORK/power.csv" && "$SIM" power "$dir" --format json \
   >"$WORK/power.json" || fail "no energies"
/usr/bin/python3 - "$WORK" <<'END' || fail "energies as JSON are not those of the CSV"
import csv, json, sys
rows = json.load(open(sys.argv[1] + "/power.json"))
assert len(rows) > 15 and [{k: str(v) for k, v in r.items()} for r in rows] == list(
    csv.DictReader(open(sys.argv[1] + "/power.csv")))
END
expect_failure 2 'needs --format csv or json' "$SIM" power "$dir" --by work
expect_failure 2 'expected text, csv or json' "$SIM" power "$dir" --format xml
expect_failure 2 'from 0 to 0.95' "$SIM" power "$dir" --set LEAKAGE.Ratio=7
expect_failure 1 'cannot read it' "$SIM" power "$dir" --table "$WORK/none.ini"
printf '[PROCESS]\nNode = 130\nColour = red\n' >"$WORK/bad.ini"
expect_failure 1 'bad.ini:3: PROCESS.Colour is not a key' "$SIM" power "$dir" \
   --table "$WORK/bad.ini"
printf '[PROCESS]\nNode = 130\nNode = 90\n' >"$WORK/twice.ini"
expect_failure 1 'twice.ini:3: PROCESS.Node stands in line 2, too' "$SIM" power "$dir" \
   --table "$WORK/twice.ini"
expect_failure 1 'bad.ini:3' "$SIM" run "$TOP/tests/golden/build.attila" --out "$WORK/x" \
   --power "$WORK/bad.ini"
expect_failure 1 'unable to open' "$SIM" power "$WORK/nowhere"
expect_failure 2 'power needs --out' "$SIM" run "$TOP/tests/golden/build.attila" --power builtin
quietly "functional" "$SIM" run "$TOP/tests/golden/build.attila" --mode functional --out "$WORK/f"
expect_failure 2 'power needs cycle or half mode' "$SIM" run "$TOP/tests/golden/build.attila" \
   --mode functional --out "$WORK/f" --power builtin
expect_failure 1 'has no time, and no energy' "$SIM" power "$WORK/f"
quietly "few columns" "$SIM" run "$TOP/tests/golden/build.attila" --out "$WORK/few" \
   --draws-columns 'ReadBytes_*'
expect_failure 1 'only some statistics' "$SIM" power "$WORK/few" --by work --format csv
quietly "frames have all" "$SIM" power "$WORK/few" --by frame --format csv
echo "energies of six runs add up"
