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
overdrawn, pixels = collections.Counter(), {}
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
    if row['map'] in ('shaded', 'written'):
        surface = int(row['frame']), row['map'], int(row['address'])
        overdrawn[surface] += int(row['sum'])
        pixels[surface] = int(row['width']) * int(row['height'])
assert listed == {f for f in os.listdir(f'{folder}/maps') if f != 'maps.csv'}
db = sqlite3.connect(f'{folder}/run.sqlite')
for frame, shaded, written, misses in db.execute(
        'SELECT frame, "ShadedFragments_FFU", "WrittenSamples_CW-SU", "MissOKFetch_FC64_TU-FSTU" '
        'FROM frame_counters'):
    found = [sums[frame, m] for m in ('shaded', 'written', 'misses')]
    assert found == [shaded, written, misses], (frame, found, shaded, written, misses)
    assert sums[frame, 'shader'] > sums[frame, 'instructions'] > shaded > 0
    assert sums[frame, 'latency'] > 0
# Overdraw in the record is that of the maps, by surface; and that of the draws together.
found = 0
for frame, address, shaded, written, overdraw, ratio in db.execute(
        'SELECT frame, address, shaded, written, overdraw, shaded_per_written '
        'FROM frame_overdraw'):
    want = [overdrawn[frame, m, address] for m in ('shaded', 'written')]
    assert [shaded, written] == want, (frame, address, shaded, written, want)
    assert overdraw == written / pixels[frame, 'written', address], (frame, address, overdraw)
    assert ratio == shaded / written
    found += shaded + written
assert found == sum(overdrawn.values()) > 0, found
for name in 'shaded', 'written':
    together = [db.execute(f'SELECT sum({name}) FROM {k}_overdraw').fetchone()[0]
                for k in ('frame', 'work')]
    assert together[0] == together[1] > 0, together
assert db.execute('SELECT max(overdraw) FROM work_overdraw').fetchone()[0] == 1
END
done
capture=$TOP/tests/golden/texture.attila
l2=(--config "$TOP/configs/attila-bgpu.ini" --set L2.Enabled=TRUE)
quietly "plain with an L2" "$SIM" run "$capture" --out "$WORK/l2-plain" "${l2[@]}"
quietly "mapped with an L2" "$SIM" run "$capture" --out "$WORK/l2" --maps all "${l2[@]}"
cmp "$WORK/l2-plain/draws.csv" "$WORK/l2/draws.csv" || fail "maps change draws.csv with an L2"
cmp "$WORK/l2/maps/frame-0001-written.npy" "$WORK/texture/maps/frame-0001-written.npy" ||
   fail "an L2 changes what is written: $(ls "$WORK/l2/maps")"
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
for span in 5-2 5- x ''; do
   expect_failure 2 'draw ".*": expected A or A-B with B not below A' \
      "$SIM" maps "$capture" --draw "$span" --out "$WORK/no"
done
expect_failure 1 '"4294967296" is not A or A-B up to 4294967295' \
   "$SIM" maps "$capture" --draw 4294967296 --out "$WORK/no"
# Maps of single draws: of the one that --draw has alone the same values; all others as without.
quietly all "$SIM" maps "$capture" --frame 1 --map written,latency,draw --out "$WORK/all"
quietly each "$SIM" maps "$capture" --frame 1 --map written,latency,draw --each 3,5-6 \
   --out "$WORK/each"
for file in "$WORK"/all/*.npy "$WORK"/all/*.png; do
   cmp "$file" "$WORK/each/${file##*/}" || fail "--each changes ${file##*/}"
done
cmp "$WORK/draw/frame-0001-target1-written.npy" "$WORK/each/frame-0001-draw-0003-written.npy" ||
   cmp "$WORK/draw/frame-0001-written.npy" "$WORK/each/frame-0001-draw-0003-written.npy" ||
   fail "--each 3 is not --draw 3: $(ls "$WORK/each")"
[ "$(grep -c 'written.*,[356]$' "$WORK/each/maps.csv")" = 3 ] || fail "$(cat "$WORK/each/maps.csv")"
# All draws have their own: they add up to the surfaces.
quietly every "$SIM" run "$capture" --out "$WORK/every" --maps shaded,misses --maps-each 0-
/usr/bin/python3 - "$WORK/every/maps/maps.csv" <<'END' || fail "draws are not the sum of surfaces"
import collections, csv, sys
sums = collections.defaultdict(lambda: [0, 0])
for row in csv.DictReader(open(sys.argv[1])):
    sums[row['frame'], row['map'], row['target']][row['draw'] != ''] += int(row['sum'])
assert len(sums) > 4 and all(a == b for a, b in sums.values()), dict(sums)
assert sum(a for a, _ in sums.values()) > 10000
END
quietly order "$SIM" run "$capture" --out "$WORK/order" --maps all --box-order 7
diff -r "$WORK/order/maps" "$WORK/desktop/maps" || fail "maps depend on the order of boxes"
quietly frames "$SIM" run "$capture" --out "$WORK/frames" --maps shaded --draws-frames 1
! grep -q ',0,shaded,' "$WORK/frames/maps/maps.csv" || fail "--draws-frames does not count"
# From the environment, as the driver has it.
ATTILA_MAPS=shaded ATTILA_OUT=$WORK/env "$SIM" check-env || fail "ATTILA_MAPS"
expect_failure 2 'ATTILA_MAPS needs ATTILA_OUT' env ATTILA_MAPS=shaded "$SIM" check-env
expect_failure 2 'ATTILA_MAPS=shaded,depth: expected words with commas' \
   env ATTILA_MAPS=shaded,depth ATTILA_OUT="$WORK/env" "$SIM" check-env
expect_failure 2 '\-\-maps needs cycle or half mode' \
   "$SIM" run "$capture" -m functional --maps all --out "$WORK/x"
expect_failure 2 '\-\-maps needs --out' "$SIM" run "$capture" --maps all
expect_failure 2 '\-\-maps-each needs --maps' "$SIM" run "$capture" --maps-each 3 --out "$WORK/x"
expect_failure 2 'each "3,x": expected a list' \
   "$SIM" maps "$capture" --each 3,x --out "$WORK/x"
expect_failure 2 'ATTILA_MAPS_EACH needs ATTILA_MAPS' env ATTILA_MAPS_EACH=3 "$SIM" check-env
expect_failure 2 'map needs --out' "$SIM" maps "$capture"
expect_failure 2 'expected FILE' "$SIM" maps --out "$WORK/x"
expect_failure 2 'expected cycle or half' "$SIM" maps "$capture" --out "$WORK/x" -m functional
expect_failure 2 'map "heat": expected words' "$SIM" maps "$capture" --out "$WORK/x" --map heat
