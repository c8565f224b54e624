#!/bin/bash
# attila-sim area: its tables and messages, and the area that a sweep has of its machines. Not here:
# the estimate (test_area).
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
quietly "area as csv" "$SIM" area --config "$TOP/configs/micro2005-split.ini" --format csv
total=$(awk -F, '$1 == "total" {print $7}' "$WORK/log")
sum=$(awk -F, '$1 != "total" && NR > 1 {s += $7} END {printf "%.3f", s}' "$WORK/log")
[ "$(printf %.3f "$total")" = "$sum" ] || fail "units are $sum mm2, their total $total"
quietly "area as text" "$SIM" area --config "$TOP/configs/micro2005-split.ini"
grep -q "^all .* $(printf %.2f "$total") *100.0\$" "$WORK/log" || fail "the text has another total"
for key in GPU.NumFragmentShaders=4 GPU.NumVertexShaders=5; do
   quietly "$key" "$SIM" area -c "$TOP/configs/micro2005-split.ini" -s $key --format csv
   awk -F, -v t="$total" '$1 == "total" && $7 > t {found = 1} END {exit !found}' "$WORK/log" ||
      fail "with $key it is no larger than $total mm2"
done
quietly "markdown" "$SIM" area --format markdown --process 90
grep -q 'mm² at 90 nm' "$WORK/log" && grep -q 'MICRO 2005, 6.2' "$WORK/log" || fail "no source"
expect_failure 2 'process "45": expected 150, 130, 110, 90, 65 or 40' "$SIM" area --process 45
"$SIM" area --format csv >"$WORK/area.csv" && "$SIM" area --format json >"$WORK/area.json" ||
   fail "no area"
/usr/bin/python3 - "$WORK" <<'END' || fail "the area as JSON is not that of the CSV"
import csv, json, sys
area = json.load(open(sys.argv[1] + "/area.json"))
rows = list(csv.DictReader(open(sys.argv[1] + "/area.csv")))
assert [(u["unit"], u["mm2"]) for u in area["units"]] == [
    (r["unit"], float(r["mm2"])) for r in rows[:-1]] and len(rows) > 10
assert area["mm2"] == float(rows[-1]["mm2"]) and all(u["source"] for u in area["units"])
END
expect_failure 2 'format "xml": expected text, csv, json or markdown' "$SIM" area --format xml
expect_failure 2 'one argument too many' "$SIM" area frame.attila
expect_failure 1 'none.ini' "$SIM" area --config "$WORK/none.ini"
expect_failure 1 'NumFragmentShaders' "$SIM" area --set GPU.NumFragmentShaders=99

printf '[sweep]\nconfig = micro2005.ini\n[parameters]\nGPU.NumFragmentShaders = 2, 4\n' \
   >"$WORK/space.ini"
quietly "sweep" "$TOP/scripts/attila-sweep" "$WORK/space.ini" --no-plots --out "$WORK/sweep" \
   "$TOP/tests/timing/clear.attila"
for shaders in 2 4; do
   quietly "area" "$SIM" area --config "$TOP/configs/micro2005.ini" --format csv \
      --set GPU.NumFragmentShaders=$shaders
   expected=$(awk -F, '$1 == "total" {printf "%g", $7}' "$WORK/log")
   awk -F, -v s=$shaders -v a="$expected" 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i}
      $2 == s {found = $n["area mm2"] == a && $n["per area"] != ""} END {exit !found}' \
      "$WORK/sweep/table.csv" ||
      { cat "$WORK/sweep/table.csv"; fail "with $shaders shaders the area is not $expected"; }
done
