#!/bin/bash
# EGL on GBM gets our renderer, where there is a DRM device for dumb buffers.
. "$(dirname "$0")/../lib/test.sh"
[ -e /dev/dri/card0 ] || skip "no DRM device (/dev/dri/card0)"
"$RUN" eglinfo -B -p gbm 2>&1 | grep -q ATTILA || fail "EGL on GBM"
