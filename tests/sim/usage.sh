#!/bin/bash
# Wrong options of scripts and of attila-sim end in a message and a status, not in a traceback or a
# run. Not here: attila-run, which has more to check (tests/gl/options.sh).
. "$(dirname "$0")/../lib/test.sh"
for script in "$TOP"/scripts/*; do
   [ -f "$script" ] && [ -x "$script" ] || continue
   name=$(basename "$script")
   quietly "$script --help" timeout 60 "$script" --help
   grep -Eq "^Usage: scripts/$name" "$WORK/log" || fail "$script --help has no usage"
   expect_failure 2 'unknown option|usage|unrecognized arguments' timeout 60 "$script" --nonsense
   ! grep -q Traceback "$WORK/expect" || { cat "$WORK/expect"; fail "$script --nonsense"; }
done
expect_failure 1 'no frames.csv in' "$TOP/scripts/check-rows" "$WORK"
[ -x "$SIM" ] || skip "no build"
expect_failure 1 '"nonsense" is not a command' "$SIM" nonsense
expect_failure 1 '"nonsense" is not a command' "$SIM" nonsense "$TOP/tests/golden/build.attila"
expect_failure 1 'run needs a capture file' "$SIM" run
expect_failure 2 'none: No such file' "$SIM" run "$WORK/none"
expect_failure 2 'not a capture file' "$SIM" info "$WORK"
expect_failure 1 'not a value this option accepts' "$SIM" run "$TOP/tests/golden/build.attila" -m x
