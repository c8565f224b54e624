#!/bin/bash
# The quick set of piglit in cycle mode: nothing regressed (scripts/piglit installs piglit).
. "$(dirname "$0")/../lib/common.sh"
command -v piglit >/dev/null && command -v wflinfo >/dev/null || skip "piglit is not installed (scripts/piglit installs it)"
exec "$TOP/scripts/piglit" --quick --no-setup --out "$TOP/out/test/piglit"
