#!/bin/bash
# The patches apply to the pristine Mesa tarball without fuzz.
. "$(dirname "$0")/../lib/test.sh"
tarball=$TOP/subprojects/packagecache/$(sed -n 's/^source_filename *= *//p' "$TOP/subprojects/mesa.wrap")
[ -f "$tarball" ] || skip "the Mesa tarball is not here (scripts/setup fetches it)"
files=$(sed -n 's#^+++ b/\(.*\)#\1#p' "$TOP"/subprojects/packagefiles/mesa/*.patch | grep -v '^src/gallium/drivers/attila$\|^src/attila/compiler$' | sort -u)
dir=$(sed -n 's/^directory *= *//p' "$TOP/subprojects/mesa.wrap")
tar -C "$WORK" -xf "$tarball" $(for f in $files; do echo "$dir/$f"; done) || fail "a patched file is not in the tarball"
for p in "$TOP"/subprojects/packagefiles/mesa/*.patch; do
   patch -d "$WORK/$dir" -p1 --fuzz=0 <"$p" || fail "$(basename "$p") does not apply"
done
[ -L "$WORK/$dir/src/gallium/drivers/attila" ] || fail "the driver's link is missing"
