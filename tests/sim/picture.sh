#!/bin/bash
# attila-sim picture: after the last draw the surface is the frame that is shown; before a draw is
# after the draw before it; textures, raw values, many draws in one replay, errors.
. "$(dirname "$0")/../lib/test.sh"
capture=$TOP/tests/golden/desktop.attila
quietly run "$SIM" run "$capture" -m functional --out "$WORK/run" --save-frames
for frame in 0:15 1:7; do
   quietly picture "$SIM" picture "$capture" --pick $frame -o "$WORK/last.png"
   cmp "$WORK/last.png" "$WORK/run/frame-000${frame%:*}.png" ||
      fail "after draw $frame, the last one, is not what is shown"
   grep -q 'color0, after: 160 x 120 B8G8R8A8_UNORM at 0x4000, [1-9][0-9]* pixels changed' \
      "$WORK/log" || { cat "$WORK/log"; fail "what it prints"; }
done
d=$WORK/all
quietly all "$SIM" picture "$capture" --draws 0- --before --after --diff --surface color0,depth \
   --textures --raw --out "$d"
# Draws 3 to 7 of frame 0 that draw to 0x23c000: nothing comes between them.
for pair in 3:4 6:7 10:11; do
   cmp "$d/frame-0000-draw-$(printf %04d "${pair%:*}")-color0-after.png" \
      "$d/frame-0000-draw-$(printf %04d "${pair#*:}")-color0-before.png" ||
      fail "after draw ${pair%:*} is not before draw ${pair#*:}"
done
[ "$(column "$d/pictures.csv" file | sort -u | wc -l)" = "$(find "$d" -name '*.png' | wc -l)" ] ||
   fail "pictures.csv does not list the pictures"
awk -F, 'NR > 1 && $4 == "texture" && $3 == "texture0" {n++} END {exit n != 16}' \
   "$d/pictures.csv" || fail "not a texture for each draw"
awk -F, 'NR > 1 && $4 == "after" && $2 == 3 {exit $10 != 1456}' "$d/pictures.csv" ||
   fail "draw 3 did not change 1456 pixels"
python3 - "$d" <<'END' || fail "raw values"
import ast, struct, sys
def read(name):
    data = open(f'{sys.argv[1]}/frame-0000-draw-{name}.npy', 'rb').read()
    size = 10 + struct.unpack_from('<H', data, 8)[0]
    head = ast.literal_eval(data[10:size].decode())
    count = (len(data) - size) // 4
    return head['shape'], struct.unpack_from(f'<{count}f', data, size)
shape, colors = read('0015-color0-after')
assert shape == (120, 160, 4) and len(colors) == 120 * 160 * 4, shape
assert colors[:3] == (1.0, 1.0, 1.0) and min(colors) < 0.5 and max(colors) <= 1.0
shape, depth = read('0015-depth-after')
assert shape == (120, 160) and set(depth) == {1.0}
END
# A draw is where it is, also without the draws before it being asked for; smaller on request.
quietly one "$SIM" picture "$capture" --pick 0:4-5,1:2 --max-size 20 --out "$WORK/one"
[ "$(find "$WORK/one" -name '*.png' | wc -l)" = 3 ] || fail "--pick: $(ls "$WORK/one")"
size() { python3 -c 'import struct, sys
print(*struct.unpack(">2I", open(sys.argv[1], "rb").read()[16:24]))' "$1"; }
[ "$(size "$WORK/one/frame-0000-draw-0004-color0-after.png")" = '20 15' ] || fail "--max-size"
# Every mode gives these pixels, so the machine does not matter.
quietly other "$SIM" picture "$capture" -c "$TOP/configs/attila-bgpu.ini" --draw 4 -o "$WORK/4.png"
cmp "$WORK/4.png" "$d/frame-0000-draw-0004-color0-after.png" || fail "another machine's picture"

expect_failure 1 'which draw' "$SIM" picture "$capture" -o "$WORK/x.png"
expect_failure 1 'where to' "$SIM" picture "$capture" --draw 1
expect_failure 1 'is one picture' "$SIM" picture "$capture" --draws 1-2 -o "$WORK/x.png"
expect_failure 1 'not together' "$SIM" picture "$capture" --pick 0:1 --frame 1 -o "$WORK/x.png"
expect_failure 1 'not a value' "$SIM" picture "$capture" --draw 1 --surface colour -o "$WORK/x.png"
expect_failure 1 'not a value' "$SIM" picture "$capture" --draws 3-1 --out "$WORK/x"
expect_failure 1 'capture file is missing' "$SIM" picture --draw 1 -o "$WORK/x.png"
expect_failure 2 'no such draw' "$SIM" picture "$capture" --draw 16 -o "$WORK/x.png"
expect_failure 2 'no such draw' "$SIM" picture "$capture" --frame 2 --draw 0 -o "$WORK/x.png"
expect_failure 2 'have no stencil' "$SIM" picture "$capture" --draw 0 --surface stencil \
   -o "$WORK/x.png"
expect_failure 2 'No such file' "$SIM" picture "$WORK/none" --draw 0 -o "$WORK/x.png"
expect_failure 2 'No such file|not be opened' "$SIM" picture "$capture" --draw 0 \
   -o "$WORK/none/x.png"
