#!/bin/bash
# A Wayland client gets our renderer, where there is a compositor.
. "$(dirname "$0")/../lib/test.sh"
[ -n "${WAYLAND_DISPLAY:-}" ] || skip "no Wayland compositor (WAYLAND_DISPLAY is not set)"
"$RUN" eglinfo -B -p wayland 2>&1 | grep -q ATTILA || fail "EGL on Wayland"
