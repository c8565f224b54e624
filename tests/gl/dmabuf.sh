#!/bin/bash
# dmabufs without a DRM device: images of other processes' memory, and textures given to others,
# where there is /dev/udmabuf (here a preloaded library has it).
. "$(dirname "$0")/../lib/test.sh"
exports=
[ -w /dev/udmabuf ] && exports=--export
for mode in functional cycle; do
   timeout 300 "$RUN" --no-check --mode $mode "$BUILD/tests/gl/dmabuf" $exports ||
      fail "dmabuf in $mode mode"
   timeout 300 "$RUN" --no-check --mode $mode env LD_PRELOAD="$BUILD/tests/gl/fake_drm.so" \
      "$BUILD/tests/gl/dmabuf" --export || fail "dmabuf with exports in $mode mode"
done
# It says so, once, when what was drawn cannot be given to a file that can only be read.
"$RUN" --no-check --mode functional "$BUILD/tests/gl/dmabuf" $exports 2>&1 |
   grep -c 'cannot write to a shared texture' | grep -qx 1 || fail "no word about a read-only file"
