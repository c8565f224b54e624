#!/bin/bash
# scripts/attila-report: the page of a golden run in headless Chromium adds up to run.sqlite, sorts,
# filters and opens by mouse and keyboard, without an error of the console; 10,000 draws; two runs
# beside each other; what is no run is refused. Times are printed, not judged.
# Full only: minutes of a browser.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
REPORT=$TOP/scripts/attila-report

# Refused before any page is made: these need neither npm nor a browser.
mkdir "$WORK/nothing" "$WORK/broken"
expect_failure 2 'one or two folders' "$REPORT"
expect_failure 2 'unrecognized arguments: --fast' "$REPORT" --fast "$WORK"
expect_failure 1 'is no folder' "$REPORT" "$WORK/gone"
expect_failure 1 'no run.sqlite in .*nothing' "$REPORT" "$WORK/nothing"
quietly "--help" "$REPORT" --help
json() { "$REPORT" --json "$@"; }
expect_failure 1 'is a folder: name a file' json -o "$WORK" "$WORK/nothing"
echo 'no database' >"$WORK/broken/run.sqlite"
expect_failure 1 'is no record of a run' json "$WORK/broken"
build=$TOP/tests/golden/build.attila config=$TOP/configs/attila-bgpu.ini
quietly "functional run" "$SIM" run "$build" --mode functional --out "$WORK/functional"
expect_failure 1 'functional mode: it has no cycles' json "$WORK/functional"
quietly "summary" "$TOP/scripts/attila" summary "$WORK/functional"
grep -q 'functional mode, which has no cycles' "$WORK/log" || fail "summary of a functional run"
! "$TOP/scripts/attila" summary "$WORK/gone" 2>/dev/null | grep -q . || fail "a table of no run"
run() { # DIR CAPTURE OPTION...
   local dir=$1 capture=$TOP/tests/golden/$2.attila; shift 2
   quietly "$dir" "$SIM" run "$capture" --config "$config" --out "$WORK/$dir" "$@"
}
run build build --interval 1000 --save-frames
expect_failure 4 'is in functional mode, the second in cycle mode' "$TOP/scripts/attila" diff \
   "$WORK/functional" "$WORK/build"
# A damaged record: a text or the schema that is not UTF-8, a page that is overwritten. Every
# command that opens one says so in a line.
damaged() { # MESSAGE, then Python that changes the bytes b
   mkdir -p "$WORK/damaged"
   /usr/bin/python3 - "$WORK/build/run.sqlite" "$WORK/damaged/run.sqlite" <<END || fail "no damage"
import sys
b = bytearray(open(sys.argv[1], "rb").read())
$2
open(sys.argv[2], "wb").write(b)
END
   for command in "report --json --pictures 0" summary "export --format perfetto" thermal; do
      # shellcheck disable=SC2086 # words
      "$TOP/scripts/attila" $command "$WORK/damaged" >"$WORK/out" 2>"$WORK/log"
      status=$?
      # A command that does not read what is damaged may succeed.
      [ $status = 0 ] && [ "$command" != "report --json --pictures 0" ] && continue
      [ $status = 1 ] && [ "$(wc -l <"$WORK/log")" = 1 ] ||
         { cat "$WORK/log"; fail "attila $command: status $status"; }
      [ "$command" = thermal ] || grep -Eq "run.sqlite.*$1" "$WORK/log" ||
         { cat "$WORK/log"; fail "attila $command does not say $1"; }
   done
}
damaged 'UTF-8' 'at = b.rindex(b"waited for"); b[at] = 0xf8'
damaged 'UTF-8' 'at = b.index(b"CREATE TABLE"); b[at + 7:at + 9] = b"\xf8\xf8"'
damaged 'malformed|not a database' 'b[8192:len(b) // 2] = bytes(len(b) // 2 - 8192)'

cp -r "$WORK/build" "$WORK/empty"
/usr/bin/python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1]); db.execute("DELETE FROM frames"); db.commit()' \
   "$WORK/empty/run.sqlite" || fail "no empty run"
expect_failure 1 'has no frames: no frame was recorded' json "$WORK/empty"
expect_failure 1 'has no frames 7 to 9: it has 0 to 1' json --frames 7-9 "$WORK/build"
expect_failure 2 'takes A or A-B' json --frames 9-7 "$WORK/build"
expect_failure 2 'a number from 0' json --pictures many "$WORK/build"

# Pictures from the capture that the record names, one in the folder, one that is given; none; a
# broken one costs the pictures, not the report; maps that the run has made are taken.
made() { # WHAT COMMAND OF A PYTHON CHECK OF made... OPTION... DIR
   local what=$1 check=$2; shift 2
   json "$@" 2>"$WORK/notes" | /usr/bin/python3 -c "import json, sys
m = json.load(sys.stdin)['runs'][0]['made']
assert $check, (list(m['draws']), list(m['maps']), m['note'])" || fail "$what: $(cat "$WORK/notes")"
}
made "what was replayed" "len(m['draws']) == 2 and len(m['maps']['0']) == 7 and not m['note'] and \
   [len(d) for d in m['draw_maps'].values()] == [7]" "$WORK/build"
made "fewer" "len(m['draws']) == 1 and len(m['maps']) == 0 and not m['draw_maps']" \
   --draw-pictures 1 --map-frames 0 "$WORK/build"
made "no maps of draws" "len(m['maps']['0']) == 7 and not m['draw_maps']" --map-draws 0 \
   "$WORK/build"
made "not asked for" "'not asked for' in m['note'] and not m['images']" --pictures 0 "$WORK/build"
made "meshes" "sorted(m['meshes']['works']) == sorted(map(int, m['draws'])) and \
   m['histories'] == []" --map-frames 0 "$WORK/build"
made "a mesh that fits" "len(m['meshes']['works']) == 1" --mesh-vertices 21516 --map-frames 0 \
   "$WORK/build"
made "no mesh that fits" "not m['meshes']['works']" --mesh-vertices 21515 --map-frames 0 \
   "$WORK/build"
expect_failure 2 'a number from 0' json --mesh-vertices some "$WORK/build"
# After the vertex program a mesh is where the draw is: its box in the window is that of the pixels
# that the draw covers.
json --map-frames 0 --history "$WORK/build" >"$WORK/mesh.json" || fail "meshes"
quietly "cover" "$SIM" picture "$build" --draw 0 --overdraw --raw --out "$WORK/cover"
/usr/bin/python3 - "$WORK" <<'EOF' || fail "the mesh is elsewhere than the draw"
import json, struct, sys
run = json.load(open(sys.argv[1] + "/mesh.json"))["runs"][0]
mesh = run["meshes"][min(run["meshes"], key=int)]
assert (mesh["input"], mesh["corners"], len(mesh["primitives"])) == ("i0", 3, 21516), mesh["input"]
assert len(mesh["in"]) == 3 * 21516 and run["made"]["histories"] == [0]
out = list(zip(*[iter(mesh["out"])] * 4))
at = [((x / w + 1) * 80, (1 - y / w) * 60) for x, y, _, w in out]
data = open(sys.argv[1] + "/cover/frame-0000-draw-0000-color0-overdraw.npy", "rb").read()
size = 10 + struct.unpack_from("<H", data, 8)[0]
counts = struct.unpack_from("<38400I", data, size)[::2]
covered = [(i % 160, i // 160) for i, n in enumerate(counts) if n]
for axis in (0, 1):
    have, want = [p[axis] for p in at], [p[axis] for p in covered]
    assert abs(min(have) - min(want)) < 1.5 and abs(max(have) - max(want) - 1) < 1.5, axis
EOF
echo nothing >"$WORK/build/x.attila"
made "a broken capture" "not m['draws'] and 'not a capture' in m['note']" "$WORK/build"
cp "$build" "$WORK/build/y.attila"
made "two captures" "not m['draws'] and 'several' in m['note']" "$WORK/build"
rm "$WORK/build/x.attila"
made "in the folder" "m['capture'].endswith('y.attila (the run\\'s folder)')" "$WORK/build"
rm "$WORK/build/y.attila"
made "given" "len(m['draws']) == 2" --capture "$build" "$WORK/build"
run mapped build --maps written
made "maps of the run" "m['maps_from'] == 'run' and len(m['maps']['0']) == 1" "$WORK/mapped"
run each build --maps written,latency --maps-each 0
made "maps of draws of the run" \
   "m['maps_from'] == 'run' and [len(d) for d in m['draw_maps'].values()] == [2, 2]" "$WORK/each"
expect_failure 2 'a number from 0' json --draw-pictures few "$WORK/build"
expect_failure 2 'a number from 0 to 64' json --map-draws 65 "$WORK/build"
# The area is that of the run's machine, not of the one that attila-sim has built in.
area() { # DIR
   json --pictures 0 "$WORK/$1" | /usr/bin/python3 -c 'import json, sys
a = json.load(sys.stdin)["runs"][0]["area"]; print(a.get("note") or "%.1f" % a["mm2"])'
}
wanted=$("$SIM" area --config "$config" --format csv | sed -n 's/^total.*,//p')
[ "$(area build)" = "$(printf %.1f "$wanted")" ] || fail "area: $(area build), not $wanted"
expect_failure 1 'no capture' json --capture "$WORK/none" "$WORK/build"
# Where a page does not fit, the error names it, and leaves no part of it.
(ulimit -f 100; expect_failure 1 'small.html: File too large' "$REPORT" --pictures 0 \
   -o "$WORK/small.html" "$WORK/build") || exit 1
[ -z "$(find "$WORK" -name 'small.html*')" ] || fail "a part of a page"

# Beside another driver's pictures: none, none of the same frames, of several programs; a block of
# the first frame differs.
expect_failure 1 'is no folder' json --reference "$WORK/gone" "$WORK/build"
expect_failure 1 'no frame-NNNN.png in .*nothing' json --reference "$WORK/nothing" "$WORK/build"
mkdir -p "$WORK/ref/one" "$WORK/late"
cp "$WORK/build/frame-0001.png" "$WORK/late/frame-0005.png"
expect_failure 1 'frames 0 to 1, .* of 5 to 5: none' json --reference "$WORK/late" "$WORK/build"
cp "$WORK"/build/frame-*.png "$WORK/ref/one"
manifest() { echo "{\"renderer\":\"Test driver\",\"version\":\"4.2\",\"runs\":[$1]}" \
   >"$WORK/ref/manifest.json"; }
manifest '{"name":"one"},{"name":"two"}'
expect_failure 1 'several programs; name one: .*ref/one, .*ref/two' json --reference "$WORK/ref" \
   "$WORK/build"
echo '{' >"$WORK/ref/manifest.json"
expect_failure 1 'is none of scripts/record-frames' json --reference "$WORK/ref" "$WORK/build"
manifest '{"name":"one"}'
if /usr/bin/python3 -c 'import PIL, skimage' 2>/dev/null; then
   /usr/bin/python3 - "$WORK/ref/one/frame-0000.png" >"$WORK/beside.json" <<'EOF' || fail "picture"
import json, sys
from PIL import Image
image = Image.open(sys.argv[1]).convert("RGB")
block = [(x, y) for x in range(16, 24) for y in range(16, 24)]
for place in block:
    image.putpixel(place, tuple(c - 60 if c >= 60 else c + 60 for c in image.getpixel(place)))
image.save(sys.argv[1])
json.dump({"differing": len(block), "width": image.width}, sys.stdout)
EOF
   json --reference "$WORK/ref" "$WORK/build" | /usr/bin/python3 -c 'import json, sys
r = json.load(sys.stdin)["runs"][0]["reference"]
assert (r["renderer"], r["version"], r["alone"]) == ("Test driver", "4.2", 0), r
assert [f["pixels"] for f in r["frames"]] == [64, 0] and r["frames"][0]["largest"] == 60, r
assert sum(r["frames"][0]["classes"].values()) == 64 and sorted(r["pictures"]) == ["0", "1"], r' ||
      fail "figures beside another driver"
else echo "no python3-skimage: figures beside another driver are not tested"; fi
expect_failure 1 'the run has no pictures to compare' json --reference "$WORK/ref" "$WORK/each"

# Every limiter and unit of the simulator has the colour of a part of the machine in the page.
colours=0
# shellcheck disable=SC2013 # a name a line
while read -r name; do
   grep -q "\"$name\"" "$TOP/src/report-html/dom.js" || fail "$name has no colour"
   colours=$((colours + 1))
done < <(sed -n 's/^ *[LCM]([0-9]*, *"\([^"]*\)".*/\1/p' "$TOP"/src/sim/units/unit_*.h
   /usr/bin/python3 -c 'import sqlite3, sys
for unit, in sqlite3.connect(sys.argv[1]).execute("SELECT DISTINCT unit FROM boxes"): print(unit)' \
      "$WORK/build/run.sqlite")
[ $colours -gt 35 ] || fail "only $colours names of limiters and units"

# The page is no concern of a record that cannot be shown; it is never made behind one's back.
ATTILA_REPORT_DIR=$WORK/unbundled expect_failure 1 'it has no cycles' "$REPORT" "$WORK/functional"
ATTILA_REPORT_DIR=$WORK/unbundled expect_failure 1 'run scripts/setup --report' "$REPORT" \
   --pictures 0 "$WORK/build"
[ ! -e "$WORK/unbundled" ] || fail "attila-report wrote into the folder of the page"

need_pages

mkdir "$WORK/lacks"
echo 'raise ModuleNotFoundError("none", name="jinja2")' >"$WORK/lacks/jinja2.py"
PYTHONPATH=$WORK/lacks expect_failure 1 'error: .*python3-jinja2' "$REPORT" --pictures 0 \
   "$WORK/build"
! grep -q Traceback "$WORK/expect" || fail "a missing package is a traceback"

check() { # DIR WHAT [OPTION of report_sums.py...]
   local dir=$WORK/$1 what=$2; shift 2
   /usr/bin/python3 "$TOP/tests/lib/report_sums.py" "$@" "$dir" >"$dir/sums.json" || fail "sums"
   quietly "report of $dir" "$REPORT" "$dir"
   grep -Eq '(src|href)="(https?:)?//' "$dir/report.html" && fail "$dir/report.html loads more"
   # shellcheck disable=SC2086 # none or one word
   node "$TOP/tests/lib/report_check.mjs" "$dir/report.html" "$dir/sums.json" $what ||
      fail "page of $dir"
}
check build pictures
"$SIM" picture "$build" --pixel 81,60 --format json | /usr/bin/python3 -c 'import json, sys
rows = [[r["fate"], float("%.6g" % r["z"])] for r in json.load(sys.stdin)]
assert rows
json.dump({"pixel": rows}, sys.stdout)' >"$WORK/pixel.json" || fail "fragments of a pixel"
quietly "report with histories" "$REPORT" --history --map-frames 0 "$WORK/build"
node "$TOP/tests/lib/report_check.mjs" "$WORK/build/report.html" "$WORK/pixel.json" history ||
   fail "page with histories"
quietly "energy of build" "$SIM" power "$WORK/build" --write
quietly "report with energy" "$REPORT" --pictures 0 "$WORK/build"
node "$TOP/tests/lib/report_check.mjs" "$WORK/build/report.html" "$WORK/build/sums.json" energy ||
   fail "page of energy and area"
if [ -s "$WORK/beside.json" ]; then
   quietly "report beside another driver" "$REPORT" --pictures 1 --draw-pictures 0 --map-frames 0 \
      --reference "$WORK/ref/one" "$WORK/build"
   node "$TOP/tests/lib/report_check.mjs" "$WORK/build/report.html" "$WORK/beside.json" reference ||
      fail "page beside another driver"
fi
run desktop desktop
check desktop pictures
cp -r "$WORK/desktop" "$WORK/many"
check many '' --many 10000

run ideal desktop --ideal memory
[[ $(area ideal) == 'units were ideal (memory)'* ]] ||
   fail "area of an ideal machine: $(area ideal)"
quietly "two runs" "$REPORT" -o "$WORK/two.html" "$WORK/desktop" "$WORK/ideal"
node "$TOP/tests/lib/report_check.mjs" "$WORK/two.html" "$WORK/desktop/sums.json" compare ||
   fail "page of two runs"
# A record with fewer columns says what it lacks.
cp "$TOP/tests/golden/desktop.attila" "$WORK/few.attila"
quietly few "$SIM" run "$WORK/few.attila" --config "$config" --out "$WORK/few" --draws-columns none
mv "$WORK/few.attila" "$WORK/elsewhere.attila"
quietly "few columns" "$REPORT" "$WORK/few"
node "$TOP/tests/lib/report_check.mjs" "$WORK/few/report.html" "$WORK/desktop/sums.json" lacking ||
   fail "page of a record without columns"
