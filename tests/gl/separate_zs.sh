#!/bin/bash
# Framebuffers with different images for depth and stencil, in both modes.
. "$(dirname "$0")/../lib/test.sh"
for options in '--mode functional' '--mode cycle'; do
   rounds=200
   [ "$options" = '--mode functional' ] || rounds=24
   # shellcheck disable=SC2086 # options are words
   quietly "separate_zs $options" timeout 300 "$RUN" --no-check $options --debug validate \
      "$BUILD/tests/gl/separate_zs" $rounds
   grep -q passed "$WORK/log" || { cat "$WORK/log"; fail "separate_zs $options"; }
done
