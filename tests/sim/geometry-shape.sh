#!/bin/bash
# What docs/notebook/geometry.md says of a machine like the G80: passing primitives on costs
# nothing, 12 declared vertices cost far more than 8, a larger output buffer helps the program that
# expands most, and multiplications take four times as long as additions; and the page has these
# figures.
# Not here: bounds by hand (tests/timing/cases.txt), the boxes (tests/unit/test_geometry_boxes.c).
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
page=$TOP/docs/notebook/geometry.md

cycles() { # stream, options: of its only draw
   quietly "$*" "$SIM" run "$TOP/tests/timing/$1.attila" --config "$TOP/configs/g80.ini" \
      --record csv --out "$WORK/out" "${@:2}"
   awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i}
      $at["kind"] == "draw" {print $at["cycles"]}' "$WORK/out/draws.csv"
}
# row TEXT FIRST SECOND LEAST MOST [gain]: the row of the page with this text has FIRST over SECOND,
# or what that is above 1 in percent; it is LEAST to MOST hundredths
row() {
   local hundredths=$(((200 * $2 / $3 + 1) / 2)) text
   text=$(printf '%d.%02d' $((hundredths / 100)) $((hundredths % 100)))
   [ "$hundredths" -ge "$4" ] && [ "$hundredths" -le "$5" ] || fail "$1: $text"
   [ "${6:-}" != gain ] || text="+ $((hundredths - 100)) %"
   grep -F "| $1" "$page" | grep -qF "| $text" || fail "$1: $text, but not in $page"
   echo "$1: $text"
}
plain=$(cycles mesh_plain) passed=$(cycles mesh_passed) twelve=$(cycles mesh_triangles)
eight=$(cycles mesh_strips) four=$(cycles stage_four)
large=GEOMETRYSTAGE.OutputBufferSize=98304
row "a mesh passed on" "$passed" "$plain" 95 105
row "each triangle made four" "$twelve" "$plain" 180 260
row "the same with 8 vertices" "$eight" "$plain" 75 100
row "12 vertices over 8" "$twelve" "$eight" 220 330
row "an output buffer six times larger" "$twelve" "$(cycles mesh_triangles --set $large)" \
   210 310 gain
row "the same, points to 4 vertices" "$four" "$(cycles stage_four --set $large)" 98 110 gain
row "32-bit multiplications" "$(cycles int_multiply)" "$(cycles int_add)" 380 400
