#!/bin/bash
# attila export --format perfetto (tools.md): protoc, which is not ours, decodes the trace,
# and what is in it is what the record says: slices, their times and arguments, counters.
. "$(dirname "$0")/../lib/test.sh"
ATTILA=$TOP/scripts/attila
[ -x "$SIM" ] || skip "no build"
command -v protoc >/dev/null || skip "no protoc (protobuf-compiler)"
run() { # DIR CAPTURE OPTION...
   local dir=$WORK/$1 stream=$TOP/tests/golden/$2.attila; shift 2
   quietly "$*" "$SIM" run "$stream" --out "$dir" "$@"
}
# decoded TRACE DB FIRST LAST: the trace is that of the record's frames.
decoded() {
   protoc --decode=perfetto.protos.Trace -I"$TOP/tests/lib" perfetto.proto <"$1" >"$WORK/text" ||
      fail "protoc cannot decode $1"
   /usr/bin/python3 "$TOP/tests/lib/perfetto_check.py" "$WORK/text" "$2" "$3" "$4" ||
      fail "$1 is not what its record says"
}
trace() { # DIR OPTION...
   local dir=$WORK/$1; shift
   quietly "export of $dir" "$ATTILA" export "$dir" --format perfetto "$@"
}

# --- Machines with one and several clocks; cycles of whole ns, and of 5/3 ns ---
run plain desktop --interval 777
trace plain
decoded "$WORK/plain/run.perfetto-trace" "$WORK/plain/run.sqlite" 0 9 | tee "$WORK/counts"
grep -Eq '"lanes": ([2-9]|[0-9]{2})' "$WORK/counts" || fail "draws do not overlap in this test"
grep -q '"counters": 0' "$WORK/counts" && fail "no counters"
run clocks shading --interval 1000 --set GPU.GPUClock=500 --set GPU.MemoryClock=250 \
   --config "$TOP/configs/attila-bgpu.ini"
trace clocks
decoded "$WORK/clocks/run.perfetto-trace" "$WORK/clocks/run.sqlite" 0 9

# --- With energies: watts and joules, which the record without them does not have ---
run power texture --interval 5000 --power builtin --config "$TOP/configs/attila-bgpu.ini"
trace power
decoded "$WORK/power/run.perfetto-trace" "$WORK/power/run.sqlite" 0 9
grep -q 'name: "machine power"' "$WORK/text" || fail "no power in the trace"
grep -q 'name: "joules"' "$WORK/text" || fail "no slice has joules"

# --- A tile-based machine: its passes, of which several are open at once ---
run tiles ../timing/target_switches --config "$TOP/configs/tiled.ini" --interval 5000 \
   --set TILING.OpenPasses=3
trace tiles
decoded "$WORK/tiles/run.perfetto-trace" "$WORK/tiles/run.sqlite" 0 9 | tee "$WORK/counts"
grep -Eq '"passes": [1-9]' "$WORK/counts" || fail "no passes in the trace"
grep -q 'name: "passes, lane 2"' "$WORK/text" || fail "passes do not overlap in this test"

# --- Twice the same; chosen frames; another file ---
trace plain -o "$WORK/again"
cmp "$WORK/again" "$WORK/plain/run.perfetto-trace" || fail "two exports are not the same"
trace plain --frames 1 --out "$WORK/one"
decoded "$WORK/one" "$WORK/plain/run.sqlite" 1 1

# --- Without intervals there is a line that says so, and a trace ---
run bare build
trace bare
[ "$(wc -l <"$WORK/log")" = 1 ] && grep -q 'no intervals are recorded.*--interval' "$WORK/log" ||
   { cat "$WORK/log"; fail "nothing says that counters are missing"; }
decoded "$WORK/bare/run.perfetto-trace" "$WORK/bare/run.sqlite" 0 9

# --- A label that is not UTF-8 does not spoil the trace ---
/usr/bin/python3 - "$WORK/bare/run.sqlite" <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("UPDATE work SET label = CAST(x'c3a9ff65cc' AS TEXT) WHERE kind = 'draw'")
db.commit()
END
trace bare
protoc --decode=perfetto.protos.Trace -I"$TOP/tests/lib" perfetto.proto \
   <"$WORK/bare/run.perfetto-trace" | grep -Fq 'name: "\303\251?e?"' ||
   fail "a label in no encoding"

# --- What cannot be ---
run functional build --mode functional
expect_failure 1 'no cycles to trace' "$ATTILA" export "$WORK/functional" --format perfetto
[ ! -e "$WORK/functional/run.perfetto-trace" ] || fail "half a trace is left"
expect_failure 1 'no frame with cycles' "$ATTILA" export "$WORK/plain" --format perfetto -f 7
expect_failure 1 'no run.sqlite in' "$ATTILA" export "$WORK" --format perfetto
expect_failure 1 'no folder' "$ATTILA" export "$WORK/plain" --format perfetto -o "$WORK/no/file"
expect_failure 1 'is the record itself' "$ATTILA" export "$WORK/plain" --format perfetto \
   -o "$WORK/plain/run.sqlite"
expect_failure 1 'No space left' "$ATTILA" export "$WORK/plain" --format perfetto -o /dev/full
[ -c /dev/full ] || fail "a device is not ours to remove"
# Python 3.13 writes choices without quotes.
expect_failure 2 "choose from '?csv'?, '?perfetto'?" "$ATTILA" export "$WORK/plain" \
   --format markdown
expect_failure 2 'needs --format perfetto' "$ATTILA" export "$WORK/plain" --frames 1
expect_failure 2 'one file, but there are several' \
   "$ATTILA" export a b --format perfetto -o "$WORK/x"
