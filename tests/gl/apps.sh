#!/bin/bash
# Debian's own programs that are installed draw the same frame as on softpipe: small ones, and the
# games with scripts/test --full (scripts/apps installs and runs all of them).
apps=(glxgears es2gears)
[ -z "${ATTILA_TEST_FULL:-}" ] || apps=()
exec "$(dirname "$0")/../../scripts/apps" --installed \
   --out "$(dirname "$0")/../../out/test/apps" "${apps[@]}"
