#!/bin/bash
# The tables of docs/tutorial/lab.md are what the machine measures now.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
quietly "scripts/lib/lab.sh" "$TOP/scripts/lib/lab.sh"
