#!/bin/bash
# The case study of ISPASS 2006, section 5: with a thread window two texture units are nearly as
# good as three, and one costs a lot; in order, the latency of texels that come from memory is not
# hidden, and the number of units changes nothing. Not here: how large each effect is exactly.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"

cycles() { # stream, units, ThreadWindow
   "$SIM" run "$TOP/tests/timing/$1.attila" --config "$TOP/configs/ispass2006-texture-units.ini" \
      --set "FRAGMENTSHADER.SharedTextureUnits=$2" --set "FRAGMENTSHADER.ThreadWindow=$3" \
      >"$WORK/log" 2>&1 || { cat "$WORK/log"; fail "$*"; }
   grep -oE '[0-9]+ cycles' "$WORK/log" | cut -d' ' -f1
}
within() { # least and most permille that the first number is of the second, what it is
   local permille=$((1000 * $1 / $2))
   echo "$5: $1 to $2"
   [ $permille -ge "$3" ] && [ $permille -le "$4" ] || fail "$5: $permille of 1000"
}

# Two bilinear samples per quad, of a texture that the cache holds.
three=$(cycles texture_trilinear 3 TRUE)
within "$(cycles texture_trilinear 2 TRUE)" "$three" 980 1120 "window, two units to three"
within "$(cycles texture_trilinear 1 TRUE)" "$three" 1300 2000 "window, one unit to three"
# One per quad, of a texture that it does not hold. Fewer units have fewer caches, which read less.
window=$(cycles texture_bilinear 3 TRUE)
three=$(cycles texture_bilinear 3 FALSE)
within "$three" "$window" 1150 3000 "in order to window"
within "$(cycles texture_bilinear 2 FALSE)" "$three" 900 1060 "in order, two units to three"
within "$(cycles texture_bilinear 1 FALSE)" "$three" 900 1060 "in order, one unit to three"
