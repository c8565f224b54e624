#!/bin/bash
# attila-sim run --trace (tools.md): nothing changes in the machine; python3-protobuf, which is
# not ours, decodes the trace; slices nest, flows connect, and all of a run's trace is what its
# record says.
# Full only: two minutes of decoding in Python.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
command -v protoc >/dev/null || skip "no protoc (protobuf-compiler)"
/usr/bin/python3 -c 'import google.protobuf' 2>/dev/null || skip "no python3-protobuf"
protoc -I"$TOP/tests/lib" --python_out="$WORK" perfetto.proto || fail "protoc"
# A cycle is 2 ns, in every clock: times are exact.
clocks=(--set GPU.GPUClock=500 --set GPU.ShaderClock=500 --set GPU.MemoryClock=500)
v2=(--set MEMORYCONTROLLER.MemoryControllerV2=TRUE)
run() { # NAME CAPTURE OPTION...: of tests/golden, or FOLDER/CAPTURE
   local name=$1 stream=$TOP/tests/golden/$2.attila; shift 2
   [ -f "$stream" ] || stream=${stream/golden\//}
   quietly "$name: $*" "$SIM" run "$stream" "$@"
}
check() { # TRACE [RECORD]: what trace_check.py found is in $WORK/found
   /usr/bin/python3 "$TOP/tests/lib/trace_check.py" "$WORK" "$@" >"$WORK/found" || fail "$*"
   cat "$WORK/found"
}
has() { # TEXT...: each is in what was found
   local text
   for text; do grep -Eq -- "$text" "$WORK/found" || fail "no $text in what was found"; done
}
t=$WORK/t.pftrace

# --- All of a run: machines of several shapes ---
run plain build "${clocks[@]}" "${v2[@]}" --frames 0 --out "$WORK/plain" --save-frames
run banks build "${clocks[@]}" "${v2[@]}" --frames 0 --out "$WORK/banks" --save-frames \
   --trace "$t"
cmp "$WORK/plain/draws.csv" "$WORK/banks/draws.csv" || fail "a trace changes rows"
for f in "$WORK"/plain/*.png; do
   cmp "$f" "$WORK/banks/${f##*/}" || fail "a trace changes pixels"
done
check "$t" "$WORK/banks/run.sqlite"
has '"HZ ZST-SU Interpolator FFU ShF-FS CW-SU": [0-9]{4}' '"row": [0-9]{4}' '"request": [0-9]{4}'
cp "$t" "$WORK/first"
run again build "${clocks[@]}" "${v2[@]}" --frames 0 --out "$WORK/again" --trace "$t"
cmp "$t" "$WORK/first" || fail "two traces of the same run differ"
has '"SL read vertex": [0-9]{4}' 'StOC SL FFU ShF-FS StC draw": [0-9]{5}'
# Requesters: indices, vertices whose lines are not there, texels of one cache and of two.
run indices timing/triangles_8 "${clocks[@]}" "${v2[@]}" --out "$WORK/indices" --trace "$t"
check "$t" "$WORK/indices/run.sqlite"; has '"StF read indices": [0-9]{3}'
run texels desktop "${clocks[@]}" --frames 0 --out "$WORK/texels" --trace "$t"
check "$t" "$WORK/texels/run.sqlite"
has '"TU-FSTU read quad": [0-9]{4}' '"CW-SU read quad": [0-9]{2}' '"CW-SU write quad": [0-9]{3}'
run two-levels texture "${clocks[@]}" "${v2[@]}" --out "$WORK/two" --trace "$t" \
   --set FRAGMENTSHADER.TwoLevelTextureCache=TRUE
check "$t" "$WORK/two/run.sqlite"; has '"TU-FSTU read quad": [0-9]{4}' '"ZST-SU write quad"'
# Through an L2 that holds something: from a request to its slice, and on to banks if it missed.
run shared texture "${clocks[@]}" "${v2[@]}" --out "$WORK/shared" --trace "$t" \
   --set L2.Enabled=TRUE
check "$t" "$WORK/shared/run.sqlite"; has '"TU-FSTU read quad": [0-9]{4}' '"to banks": [0-9]{3}'
run late shading "${clocks[@]}" --out "$WORK/late" --trace "$t" --set GPU.NumStampPipes=4 \
   --frames 0 --trace-what units,draws,vertices,triangles,quads
check "$t" "$WORK/late/run.sqlite"
run setup texture "${clocks[@]}" --set RASTERIZER.TriangleSetupOnShader=TRUE --frames 0 \
   --out "$WORK/setup" --trace "$t" --set RASTERIZER.RasteriserVariant=3
check "$t" "$WORK/setup/run.sqlite"
run half shading "${clocks[@]}" "${v2[@]}" --set GPU.Unified=FALSE --mode half --frames 0 \
   --set RASTERIZER.RecursiveMode=FALSE --out "$WORK/half" --trace "$t"
check "$t" "$WORK/half/run.sqlite"

# --- Windows: cycles, frames, draws; several clocks ---
window() { # FIRST LAST: cycles of 2 ns within which all events are
   /usr/bin/python3 - "$WORK" "$t" "$1" "$2" <<'END_PYTHON' || fail "the window is not $1 to $2"
import sys
sys.path.insert(0, sys.argv[1])
import perfetto_pb2
trace = perfetto_pb2.Trace()
trace.ParseFromString(open(sys.argv[2], "rb").read())
times = [p.timestamp for p in trace.packet if p.HasField("track_event")]
first, last = (int(a) * 2 for a in sys.argv[3:5])
# Memory commands are booked some cycles ahead, and what is sent arrives a little later.
if not times or min(times) < first or max(times) > last + 200:
    sys.exit(f"{min(times, default=None)} to {max(times, default=None)} ns, not {first} to {last}")
END_PYTHON
}
bgpu=(--config "$TOP/configs/attila-bgpu.ini" --set GPU.GPUClock=500)
# The first cycles, before anything has happened: the window is reached, and it ends.
for first in 0-0 0-1 1-1; do
   run "first $first" build --frames 0 --trace "$t" --trace-cycles $first
   grep -q 'never reached' "$WORK/log" && fail "--trace-cycles $first is not reached"
   [ "$(stat -c %s "$t")" -lt 10000 ] || fail "--trace-cycles $first does not end"
done
run cycles texture "${bgpu[@]}" --trace "$t" --trace-cycles 150000-153000
check "$t"; has '"quad": [0-9]{3}' '"flows": [0-9]{3}'; window 150000 153001
run clocks texture "${bgpu[@]}" --set GPU.MemoryClock=375 --set GPU.ShaderClock=700 --trace "$t" \
   --trace-cycles 150000-153000 --trace-what units,draws,triangles,quads,memory,banks,queues
check "$t"; has '"value": [0-9]{4}'; window 150000 153001
run frames desktop "${bgpu[@]}" --trace "$t" --trace-frames 1 --out "$WORK/frames" \
   --trace-what draws,units
check "$t"
window "$(column "$WORK/frames/frames.csv" start_cycle | tail -1)" \
   "$(column "$WORK/frames/frames.csv" end_cycle | tail -1)"
has "\"draw\": $(column "$WORK/frames/frames.csv" draws | tail -1)[,}]"
run draws desktop "${bgpu[@]}" --trace "$t" --trace-draws 1-2 --out "$WORK/draws"
check "$t"; has '"draw": 2'

# A tile-based machine: the trace ends with the pass of the last draw.
run tiles timing/many_draws --config "$TOP/configs/tiled.ini" "${clocks[@]}" --trace "$t" \
   --set TILING.PassDraws=50 --trace-draws 60-70 --out "$WORK/tiles"
check "$t"
of_pass() {
   sqlite3 "$WORK/tiles/run.sqlite" "SELECT $1 FROM passes WHERE first_draw = 50"
}
window "$(of_pass start_cycle)" "$(of_pass end_cycle)"

# --- What is chosen is there, and nothing else; units without the others is small ---
run units build "${bgpu[@]}" --frames 0 --trace "$t" --trace-what units
check "$t"
grep -Eq '"(quad|triangle|draw|request|command)"' "$WORK/found" && fail "more than units"
run quads build "${bgpu[@]}" --frames 0 --trace "$t" --trace-what quads,triangles
check "$t"; has '"triangle": [0-9]' '"new quad": [0-9]'
grep -Eq '"(vertex|miss)"' "$WORK/found" && fail "more than quads and triangles"
run misses build "${bgpu[@]}" --frames 0 --trace "$t" --trace-what memory
check "$t"; has '"SL read nobody": [0-9]{4}'

# --- What cannot be; a file that is full is whole up to there ---
stream=$TOP/tests/golden/texture.attila
expect_failure 0 'has 1 MiB: the trace ends at cycle [0-9]+' "$SIM" run "$stream" --trace "$t" \
   --trace-limit 1
check "$t"
[ "$(stat -c %s "$t")" -lt 3000000 ] || fail "larger than its limit"
expect_failure 0 'window was never reached' "$SIM" run "$stream" --trace "$t" --trace-frames 99
check "$t"
expect_failure 2 'trace-cycles needs --trace' "$SIM" run "$stream" --trace-cycles 1-2
expect_failure 2 'trace-what "quads,quarks": expected words with commas' \
   "$SIM" run "$stream" --trace "$t" \
   --trace-what quads,quarks
expect_failure 2 '"9-3": expected A or A-B' "$SIM" run "$stream" --trace "$t" --trace-cycles 9-3
expect_failure 2 'exclude each other' \
   "$SIM" run "$stream" --trace "$t" --trace-cycles 9 --trace-frames 1
expect_failure 1 'no folder to write to' "$SIM" run "$stream" --trace "$WORK/no/file.pftrace"
expect_failure 2 '"[^"]*t\.vcd".*a file that ends in \.pftrace or \.perfetto-trace' \
   "$SIM" run "$stream" --trace "$WORK/t.vcd"
ATTILA_TRACE=x.json expect_failure 2 'ATTILA_TRACE=x.json: expected a file that ends in \.pf' \
   "$SIM" check-env
ln -s /dev/full "$WORK/full.perfetto-trace"
expect_failure 2 'trace needs cycle or half mode' \
   "$SIM" run "$stream" --trace "$t" --mode functional
expect_failure 1 'No space left.*the trace ends here' \
   "$SIM" run "$stream" --trace "$WORK/full.perfetto-trace"
ATTILA_TRACE=$t ATTILA_TRACE_LIMIT=x expect_failure 2 'ATTILA_TRACE_LIMIT=x' "$SIM" check-env
