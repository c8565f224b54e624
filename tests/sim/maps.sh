#!/bin/bash
# Maps of what the fragments of a pixel cost: their sums are the statistics of the frame, pixels,
# cycles and statistics are what they are without maps, files are what maps.csv says; errors.
. "$(dirname "$0")/../lib/test.sh"
for name in desktop texture; do
   capture=$TOP/tests/golden/$name.attila
   quietly plain "$SIM" run "$capture" --out "$WORK/$name-plain" --save-frames
   quietly mapped "$SIM" run "$capture" --out "$WORK/$name" --save-frames --maps all
   for file in draws.csv frame-0000.png frame-0001.png; do
      cmp "$WORK/$name-plain/$file" "$WORK/$name/$file" || fail "maps change $file of $name"
   done
   python3 - "$WORK/$name" <<'END' || fail "$name: sums of maps are not the frame's statistics"
import ast, collections, csv, os, sqlite3, struct, sys
folder = sys.argv[1]
sums = collections.Counter()
listed = set()
for row in csv.DictReader(open(f'{folder}/maps/maps.csv')):
    listed |= {row['file'], row['raw']}
    data = open(f"{folder}/maps/{row['raw']}", 'rb').read()
    start = 10 + struct.unpack_from('<H', data, 8)[0]
    shape = ast.literal_eval(data[10:start].decode())['shape']
    assert shape == (int(row['height']), int(row['width'])), row
    values = struct.unpack_from(f'<{shape[0] * shape[1]}I', data, start)
    some = [v for v in values if v]
    less = row['map'] == 'draw'
    assert len(some) == int(row['pixels']), row
    assert not some or (min(some) - less, max(some) - less) == (int(row['min']), int(row['max']))
    assert int(row['sum']) == (0 if less else sum(values)), row
    assert not less or all(int(row['first_draw']) <= v - 1 <= int(row['last_draw']) for v in some)
    sums[int(row['frame']), row['map']] += int(row['sum'])
assert listed == {f for f in os.listdir(f'{folder}/maps') if f != 'maps.csv'}
db = sqlite3.connect(f'{folder}/run.sqlite')
for frame, shaded, written, misses in db.execute(
        'SELECT frame, "ShadedFragments_FFU", "WrittenSamples_CW-SU", "MissOKFetch_FC64_TU-FSTU" '
        'FROM frame_counters'):
    found = [sums[frame, m] for m in ('shaded', 'written', 'misses')]
    assert found == [shaded, written, misses], (frame, found, shaded, written, misses)
    assert sums[frame, 'shader'] > sums[frame, 'instructions'] > shaded > 0
    assert sums[frame, 'latency'] > 0
END
done
capture=$TOP/tests/golden/desktop.attila
# By the command of its own; draws of choice; the same in another order of boxes and run to run.
quietly frame "$SIM" maps "$capture" --frame 1 --map draw,overdraw --out "$WORK/one"
[ "$(find "$WORK/one" -name '*.png' | wc -l)" = 12 ] || fail "--map: $(ls "$WORK/one")"
# Frames before it cost no time.
cycles() { sed -n 's/.* frames, \([0-9]*\) cycles.*/\1/p' "$WORK/log"; }
mapped=$(cycles)
quietly second "$SIM" run "$capture" --frames 1
[ "$mapped" = "$(cycles)" ] || fail "the frames before it take cycles: $mapped, not $(cycles)"
quietly draw "$SIM" maps "$capture" --frame 1 --draw 3 --map written --out "$WORK/draw"
[ "$(column "$WORK/draw/maps.csv" sum)" = 1764 ] || fail "--draw: $(cat "$WORK/draw/maps.csv")"
quietly order "$SIM" run "$capture" --out "$WORK/order" --maps all --box-order 7
diff -r "$WORK/order/maps" "$WORK/desktop/maps" || fail "maps depend on the order of boxes"
quietly frames "$SIM" run "$capture" --out "$WORK/frames" --maps shaded --draws-frames 1
! grep -q ',0,shaded,' "$WORK/frames/maps/maps.csv" || fail "--draws-frames does not count"
# From the environment, as the driver has it.
ATTILA_MAPS=shaded ATTILA_OUT=$WORK/env "$SIM" --check-env || fail "ATTILA_MAPS"
expect_failure 2 'ATTILA_MAPS needs ATTILA_OUT' env ATTILA_MAPS=shaded "$SIM" --check-env
expect_failure 2 '"depth" is none of overdraw' \
   env ATTILA_MAPS=shaded,depth ATTILA_OUT="$WORK/env" "$SIM" --check-env
expect_failure 2 'maps need cycle or half mode' \
   "$SIM" run "$capture" -m functional --maps all --out "$WORK/x"
expect_failure 1 '\-\-maps needs --out' "$SIM" run "$capture" --maps all
expect_failure 1 'where to' "$SIM" maps "$capture"
expect_failure 1 'one capture file' "$SIM" maps --out "$WORK/x"
expect_failure 1 'not a value' "$SIM" maps "$capture" --out "$WORK/x" -m functional
expect_failure 2 'is none of' "$SIM" maps "$capture" --out "$WORK/x" --map heat
