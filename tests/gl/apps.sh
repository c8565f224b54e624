#!/bin/bash
# Debian's own programs that are installed draw the same frame as on softpipe: small ones, and with
# scripts/test --full one of the games (scripts/apps installs and runs all of them).
. "$(dirname "$0")/../lib/test.sh"
games=(neverball extremetuxracer chromium-bsu)
apps=(glxgears es2gears)
[ -z "${ATTILA_TEST_FULL:-}" ] || mapfile -t -O 2 apps < <(printf '%s\n' "${games[@]}" | sample 1)
"$TOP/scripts/apps" --installed --out "$TOP/out/test/apps" "${apps[@]}"
