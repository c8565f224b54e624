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

# --- What draws cover ---
# Cycle mode's maps of each draw count the same fragments: of one with a depth test, one that is
# hidden, one with several samples.
for scene in golden/build timing/depth_hidden timing/msaa4_small timing/blend_scattered; do
   rm -rf "$WORK/cover" "$WORK/maps"
   quietly "cover" "$SIM" picture "$TOP/tests/$scene.attila" --draws 0-1 --coverage --overdraw \
      --wireframe --raw --out "$WORK/cover"
   quietly "maps" "$SIM" maps "$TOP/tests/$scene.attila" --frame 0 --each 0-1 --map written \
      --out "$WORK/maps"
   /usr/bin/python3 - "$WORK" >"$WORK/log" <<'END' || { cat "$WORK/log"; fail "cover of $scene"; }
import ast, csv, struct, sys
def read(path):
    data = open(path, 'rb').read()
    size = 10 + struct.unpack_from('<H', data, 8)[0]
    head = ast.literal_eval(data[10:size].decode())
    assert head['descr'] == '<u4', head
    return head['shape'], struct.unpack_from(f'<{(len(data) - size) // 4}I', data, size)
def rows(name):
    return list(csv.DictReader(open(f'{sys.argv[1]}/{name}')))
cover = [r for r in rows('cover/pictures.csv') if r['kind'] == 'overdraw']
maps = {r['draw']: r for r in rows('maps/maps.csv') if r['draw']}
assert len(cover) == len(maps) > 0, (len(cover), len(maps))
for row in cover:
    shape, counts = read(f'{sys.argv[1]}/cover/{row["file"][:-4]}.npy')
    assert shape == (int(row['height']), int(row['width']), 2), shape
    fragments, passed = counts[::2], counts[1::2]
    file = f'{sys.argv[1]}/maps/{maps[row["draw"]]["file"][:-4]}.npy'
    assert read(file)[1] == passed, f'draw {row["draw"]}: other fragments than in the map'
    assert all(p <= f for p, f in zip(passed, fragments))
    assert [int(row[c]) for c in ('covered', 'fragments', 'passed', 'most')] == \
        [sum(f > 0 for f in fragments), sum(fragments), sum(passed), max(fragments)], row
    print(row['draw'], sum(fragments), sum(passed))
END
   cat "$WORK/log"
done
quietly hidden "$SIM" picture "$TOP/tests/timing/depth_hidden.attila" --draw 1 --after \
   --coverage --out "$WORK/hidden"
grep -q ', 0 pixels changed, 307200 pixels covered by 307200 fragments, of which 0 passed$' \
   "$WORK/log" || { cat "$WORK/log"; fail "a hidden draw"; }
# It is shown once, over the first surface.
rm -rf "$WORK/cover"
quietly "two surfaces" "$SIM" picture "$TOP/tests/golden/build.attila" --draw 0 --after --coverage \
   --surface depth,color0 --out "$WORK/cover"
[ "$(find "$WORK/cover" -name '*-coverage.png' -printf '%f')" = \
   frame-0000-draw-0000-color0-coverage.png ] || fail "coverage: $(ls "$WORK/cover")"
# The colours: draw 3 is a rectangle of two triangles, all of which pass.
if /usr/bin/python3 -c 'import PIL' 2>/dev/null; then
   quietly rectangle "$SIM" picture "$capture" --draw 3 --after --coverage --overdraw --wireframe \
      --out "$WORK/colours"
   /usr/bin/python3 - "$WORK"/colours/frame-0000-draw-0003-color0 \
      "$WORK"/hidden/frame-0000-draw-0001-color0 <<'END' ||
import sys
from PIL import Image
def pixels(path):
    return list(Image.open(path).convert('RGB').getdata())
after, coverage, overdraw, wire = (pixels(f'{sys.argv[1]}-{k}.png') for k in
                                   ('after', 'coverage', 'overdraw', 'wireframe'))
width = Image.open(sys.argv[1] + '-after.png').width
def mix(color, with_):
    return tuple((2 * c + w) // 3 for c, w in zip(color, with_))
def grey(p):
    return ((299 * p[0] + 587 * p[1] + 114 * p[2]) // 4000,) * 3
inside = [c == mix((0x6e, 0xf0, 0xa0), a) for c, a in zip(coverage, after)]
assert all(i or c == grey(a) for i, c, a in zip(inside, coverage, after))
assert len({o for o, i in zip(overdraw, inside) if i}) == 1
assert all(i or o == grey(a) for i, o, a in zip(inside, overdraw, after))
line = [w == (0xff, 0xe0, 0x60) for w in wire]
assert all(l or w == tuple(c // 2 for c in a) for l, w, a in zip(line, wire, after))
at = [divmod(i, width) for i in range(len(inside)) if inside[i]]
top, left, bottom, right = min(at)[0], min(a[1] for a in at), max(at)[0], max(a[1] for a in at)
assert len(at) == (bottom - top + 1) * (right - left + 1), 'no rectangle'
border = [line[y * width + x] for y, x in at if y in (top, bottom) or x in (left, right)]
print(sum(line), len(border))
assert all(border) and len(border) < sum(line) < len(border) + 2 * (right - left)
# What failed is red.
after, coverage = (pixels(f'{sys.argv[2]}-{k}.png') for k in ('after', 'coverage'))
assert all(c == mix((0xd0, 0x30, 0x20), a) for c, a in zip(coverage, after))
END
      fail "colours of what a draw covers"
else echo "no python3-pil: the colours of coverage are not tested"; fi
for kind in coverage overdraw wireframe; do
   expect_failure 2 "--pixel and --$kind exclude" "$SIM" picture "$capture" --pixel 1,2 --$kind
   expect_failure 2 "--cycle and --$kind exclude" "$SIM" picture "$capture" --cycle 9 --$kind \
      -o "$WORK/x.png"
   expect_failure 2 "--vertices and --$kind exclude" "$SIM" picture "$capture" --draw 1 \
      --vertices --$kind
done
expect_failure 2 'takes one picture' "$SIM" picture "$capture" --draw 1 --coverage --overdraw \
   -o "$WORK/x.png"

# --- Vertices ---
vertices() { quietly vertices "$SIM" picture "$TOP/tests/golden/$1.attila" --vertices "${@:2}"; }
vertices desktop --draw 3
# A rectangle whose program hands its position on and widens its texture coordinates.
cat >"$WORK/want" <<'END'
frame 0, draw 3
0 0 0.2375 -0.35 0 1 0 0 0 1 0.2375 -0.35 0 1 0 0 0 0
1 0 0.7625 -0.35 0 1 1 0 0 1 0.7625 -0.35 0 1 1 0 0 0
2 0 0.2375 0.35 0 1 0 1 0 1 0.2375 0.35 0 1 0 1 0 0
3 0 0.7625 0.35 0 1 1 1 0 1 0.7625 0.35 0 1 1 1 0 0
END
sed 's/  */ /g; s/^ //; /^vertex/d' "$WORK/log" | diff "$WORK/want" - || fail "vertices of draw 3"
vertices build --draw 0 --most 7
grep -q '^7 of 21516 vertices; --most N prints more$' "$WORK/log" || fail "--vertices --most"
"$SIM" picture "$TOP/tests/golden/build.attila" --vertices --draw 0 --format csv \
   >"$WORK/vertices.csv" || fail "--vertices --format csv"
[ "$(wc -l <"$WORK/vertices.csv")" = 21517 ] || fail "CSV: $(wc -l <"$WORK/vertices.csv") lines"
vertices desktop --pick 0:3,1:2 --format json
/usr/bin/python3 -c "import json, sys
rows = json.load(open(sys.argv[1]))
assert [(r['frame'], r['draw'], r['vertex']) for r in rows] == [(0, 3, v) for v in range(4)] + \
   [(1, 2, v) for v in range(4)], rows
assert rows[1]['in']['i1'] == [1, 0, 0, 1] and rows[1]['out']['o0'][3] == 1, rows[1]" "$WORK/log" ||
   fail "vertices as JSON"
# Primitives name the draw's vertices: a strip of two triangles, and all of a mesh, whose vertices
# are shaded in parts.
vertices desktop --draw 3 --primitives --format json
/usr/bin/python3 -c "import json, sys
rows = json.load(open(sys.argv[1]))
vertices, primitives = [r for r in rows if 'vertex' in r], [r for r in rows if 'primitive' in r]
assert len(vertices) == 4 and len(primitives) == 2, rows
assert all(r['primitive'] != p['primitive'] for r, p in zip(primitives, primitives[1:])), rows
assert {v for r in primitives for v in r['primitive']} == {0, 1, 2, 3}, rows" "$WORK/log" ||
   fail "primitives of draw 3"
vertices build --draw 0 --primitives --format json
/usr/bin/python3 -c "import json, sys
rows = json.load(open(sys.argv[1]))
vertex = [r['vertex'] for r in rows if 'vertex' in r]
primitives = [[vertex[v] for v in r['primitive']] for r in rows if 'primitive' in r]
assert primitives == [list(range(i, i + 3)) for i in range(0, 21516, 3)], primitives[:9]" \
   "$WORK/log" || fail "primitives of a mesh"
expect_failure 2 'primitives needs --format json' "$SIM" picture "$capture" --draw 1 --vertices \
   --primitives
expect_failure 2 'primitives needs --vertices' "$SIM" picture "$capture" --draw 1 --primitives \
   -o "$WORK/x.png"
expect_failure 2 'csv takes one draw' "$SIM" picture "$capture" --draws 1-2 --vertices --format csv
expect_failure 2 'formats text and json' "$SIM" picture "$capture" --pixel 1,2 --format csv
expect_failure 2 'most' "$SIM" picture "$capture" --draw 1 --most 3 -o "$WORK/x.png"
expect_failure 1 'no such draw' "$SIM" picture "$capture" --draw 77 --vertices

# --- The fragments of a pixel ---
as_json() { # FILE OPTION...
   quietly "as JSON" "$SIM" picture "$1" --format json "${@:2}"
   cp "$WORK/log" "$WORK/rows.json"
}
pixel() { as_json "$TOP/tests/$1.attila" --pixel "${@:2}"; } # CAPTURE X,Y OPTION...
# said CHECK: a Python expression of rows
said() { /usr/bin/python3 -c "import json, sys
rows = json.load(open(sys.argv[1]), parse_constant=sys.exit)
sys.exit(not ($1))" "$WORK/rows.json" || { cat "$WORK/rows.json"; fail "not so: $1"; }; }
pixel timing/depth_hidden 100,100
said "[r['fate'] for r in rows] == ['passed'] + 7 * ['failed depth']"
said "[round(20 * r['z']) for r in rows] == [5, 6, 7, 8, 9, 10, 11, 12]"
said "all(abs(r['depth_after'] - 0.25) < 1e-6 for r in rows)"
pixel timing/layer_switches 100,100
said "[r['layer'] for r in rows] == [0, 1, 2, 3] and len({r['address'] for r in rows}) == 4"
said "all(r['color_before'] == [0, 0, 0, 0] and r['color_after'] == [1, 0, 0, 1] for r in rows)"
pixel golden/desktop 60,60 --frame 1
said "[r['draw'] for r in rows] == [0, 5, 6, 7] and rows[3]['label'] is None"
said "rows[0]['color_after'] == rows[1]['color_before'] and \
   rows[1]['color_after'] == rows[2]['color_before'] != rows[2]['color_after']"
quietly raw "$SIM" picture "$capture" --pick 1:7 --raw --out "$WORK/raw"
last=$(/usr/bin/python3 -c 'import struct, sys
data = open(sys.argv[1], "rb").read()
size = 10 + struct.unpack_from("<H", data, 8)[0]
print([round(c, 6) for c in struct.unpack_from("<4f", data, size + 16 * (60 * 160 + 60))])' \
   "$WORK/raw/frame-0001-draw-0007-color0-after.npy")
said "[round(c, 6) for c in rows[3]['color_after']] == $last"
pixel golden/desktop 60,60 --frame 1 --draw 5
said "[r['draw'] for r in rows] == [5]"
# What is no number.
cat >"$WORK/infinite.txt" <<'EOF'
.vertex
.literal 0, -1, 0, 0
.temps 2
.consts 5
MUL r0, c0, i0.x
MAD r0, c1, i0.y, r0
MAD r0, c2, i0.z, r0
MAD o0, c3, i0.w, r0
RCP r1, l0.x
MUL r1.y, r1.x, l0.x
MUL r1.z, r1.x, l0.y
MOV o1, r1
END
EOF
quietly reprogram "$SIM" reprogram "$TOP/tests/timing/alu_dependent.attila" \
   1="$WORK/infinite.txt" --out "$WORK/infinite.attila"
as_json "$WORK/infinite.attila" --vertices --draw 0
said "rows[0]['out']['o1'] == ['inf', 'nan', '-inf', 'inf']"
as_json "$WORK/infinite.attila" --pixel 600,60
said "rows[0]['output'] == ['nan'] * 4"
quietly text "$SIM" picture "$capture" --pixel 600,60
grep -q '^no fragment came to this pixel in 16 draws$' "$WORK/log" || fail "no pixel, no word"
expect_failure 2 'expected X,Y from the top left' "$SIM" picture "$capture" --pixel 60
expect_failure 2 '--pixel and --out exclude' "$SIM" picture "$capture" --pixel 6,6 --out "$WORK/x"
expect_failure 2 '--format needs --pixel' "$SIM" picture "$capture" --draw 0 -o "$WORK/x" \
   --format json
expect_failure 1 'no such draw' "$SIM" picture "$capture" --pixel 6,6 --frame 9

# The fragments of a grid are those of its pixels.
quietly grid "$SIM" picture "$capture" --frame 1 --grid 40
cp "$WORK/log" "$WORK/grid.csv"
for at in 20,20 60,60 100,100; do
   pixel golden/desktop $at --frame 1
   /usr/bin/python3 - "$WORK" $at <<'END' || fail "--grid at $at"
import csv, json, sys
rows = json.load(open(f'{sys.argv[1]}/rows.json'))
found = [r for r in csv.DictReader(open(f'{sys.argv[1]}/grid.csv'))
         if f'{r["x"]},{r["y"]}' == sys.argv[2]]
def floats(r, name, letters):
    return [round(float(r[name + c]), 6) for c in letters if r[name + c]]
def of(r):
    return [r['draw'], r['primitive'], r['fate'], r['address'], r['layer'], round(r['z'], 6)] + \
        [round(v, 6) for v in (r['output'] or []) + r['color_after'] + [r['depth_after']]
         if v is not None]
def of_grid(r):
    return [int(r['draw']), int(r['primitive']), r['fate'], int(r['address']), int(r['layer'])] + \
        floats(r, '', ['z']) + floats(r, 'output.', 'rgba') + floats(r, 'after.', 'rgba') + \
        floats(r, '', ['depth_after'])
assert rows and [of_grid(r) for r in found] == [of(r) for r in rows], (found, rows)
END
done
[ "$(cut -d, -f4 "$WORK/grid.csv" | sort -un | xargs)" = 'x 20 60 100 140' ] || fail "columns"
expect_failure 2 '--grid and --pixel exclude' "$SIM" picture "$capture" --grid 2 --pixel 1,1
expect_failure 2 '--grid' "$SIM" picture "$capture" --grid 0
expect_failure 2 'format' "$SIM" picture "$capture" --grid 2 --format json

# --- A cycle: what is drawn so far, also what is only in caches ---
# span DRAW: first and last cycle of a draw of frame 0
span() { column "$WORK/cycles/draws.csv" draw | awk -v d="$1" '$1 == d {print NR}' | head -n 1 |
   { read -r row; column "$WORK/cycles/draws.csv" start_cycle | sed -n "${row}p"
     column "$WORK/cycles/draws.csv" end_cycle | sed -n "${row}p"; } | xargs; }
for config in ispass2006 attila-bgpu; do
   machine=(-c "$TOP/configs/$config.ini")
   quietly run "$SIM" run "$capture" "${machine[@]}" --out "$WORK/cycles"
   # When a draw is over, caches are not written back, but the picture is functional mode's.
   for draw in 0 2 8 15; do
      read -r first last <<<"$(span $draw)"
      quietly "cycle" "$SIM" picture "$capture" "${machine[@]}" --cycle "$last" \
         -o "$WORK/cycle.png"
      cmp "$WORK/cycle.png" "$d/frame-0000-draw-$(printf %04d $draw)-color0-after.png" ||
         fail "$config: the end of draw $draw is not what it leaves"
   done
   # In its middle a part of its pixels is drawn, the others are as they were; more and more.
   read -r first last <<<"$(span 8)"
   third=$(((last - first) / 3))
   rm -rf "$WORK/middle"
   quietly "middle" "$SIM" picture "$capture" "${machine[@]}" --raw --out "$WORK/middle" \
      --cycle "$((first + third)),$((last - third))-$last/$((third * 3 / 4))"
   [ "$(grep -c 'draw 8, color0, cycle' "$WORK/log")" = 3 ] || { cat "$WORK/log"; fail "middle"; }
   /usr/bin/python3 - "$d/frame-0000-draw-0008-color0" "$WORK/middle" <<'END' ||
import csv, struct, sys
def read(path):
    data = open(path, 'rb').read()
    at = 10 + struct.unpack_from('<H', data, 8)[0]
    return [data[i:i + 16] for i in range(at, len(data), 16)]
before, after = (read(f'{sys.argv[1]}-{k}.npy') for k in ('before', 'after'))
drawn = []
for row in csv.DictReader(open(f'{sys.argv[2]}/pictures.csv')):
    now = read(f'{sys.argv[2]}/{row["file"][:-4]}.npy')
    assert all(n in (b, a) for n, b, a in zip(now, before, after)), row
    drawn.append(sum(n == a != b for n, b, a in zip(now, before, after)))
changed = sum(a != b for a, b in zip(after, before))
print(drawn, changed)
assert 0 < drawn[0] < drawn[1] < drawn[2] <= changed, drawn
END
      fail "$config: in the middle of draw 8"
done
quietly "warm start" "$SIM" picture "$capture" --frame 1 --cycle 30000 -o "$WORK/warm.png"
grep -q 'frame 1, draw [0-9]*, color0, cycle 30000: ' "$WORK/log" || fail "--frame with --cycle"
quietly "half" "$SIM" picture "$capture" --mode half --cycle 380000 -o "$WORK/half.png"
cycle() { "$SIM" picture "$capture" "$@" -o "$WORK/x.png"; }
expect_failure 1 'the run ends at cycle [0-9]*, before cycle 99999999' cycle --cycle 99999999
expect_failure 1 'cycle 1: nothing has been drawn' cycle --cycle 1
expect_failure 1 'have no color5' cycle --cycle 300000 --surface color5
for list in 0 9,8 9-8/1 1-9 1-9/0 x '1,' 5000000000; do
   expect_failure 2 "\"$list\": expected rising cycles" cycle --cycle "$list"
done
expect_failure 2 'draw and --cycle exclude each other' cycle --cycle 5 --draw 1
expect_failure 2 'takes one picture' cycle --cycle 5,6
expect_failure 2 'mode needs --cycle' cycle --draw 1 --mode half
expect_failure 2 'expected cycle or half' cycle --cycle 5 --mode functional

expect_failure 2 '--cycle is missing' "$SIM" picture "$capture" -o "$WORK/x.png"
expect_failure 2 '--grid N or --vertices is missing' "$SIM" picture "$capture" --draw 1
expect_failure 2 'takes one picture' "$SIM" picture "$capture" --draws 1-2 -o "$WORK/x.png"
expect_failure 2 'exclude each other' \
   "$SIM" picture "$capture" --pick 0:1 --frame 1 -o "$WORK/x.png"
expect_failure 2 'expected color0 to color7' \
   "$SIM" picture "$capture" --draw 1 --surface colour -o "$WORK/x.png"
expect_failure 2 'expected draws such as' "$SIM" picture "$capture" --draws 3-1 --out "$WORK/x"
expect_failure 2 'expected FILE' "$SIM" picture --draw 1 -o "$WORK/x.png"
expect_failure 1 'no such draw' "$SIM" picture "$capture" --draw 16 -o "$WORK/x.png"
expect_failure 1 'no such draw' "$SIM" picture "$capture" --frame 2 --draw 0 -o "$WORK/x.png"
expect_failure 1 'have no stencil' "$SIM" picture "$capture" --draw 0 --surface stencil \
   -o "$WORK/x.png"
expect_failure 1 'No such file' "$SIM" picture "$WORK/none" --draw 0 -o "$WORK/x.png"
expect_failure 1 'no folder to write to' "$SIM" picture "$capture" --draw 0 \
   -o "$WORK/none/x.png"
