#!/bin/bash
# Surrogate frames: each has the statistics that its .ini says are published, within 10 % or with a
# reason, the same pixels in both modes, and the same file each time; what the generator refuses.
# Not here: the claims on them (scripts/studies surrogates).
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
SURROGATE=${SIM%/src/sim/attila-sim}/tests/workloads/surrogate
[ -x "$SURROGATE" ] || skip "no $SURROGATE (an installation)"
INI=$TOP/tests/workloads/ut2004.ini
expect_failure 2 'usage: surrogate' "$SURROGATE"
expect_failure 2 'usage: surrogate' "$SURROGATE" "$INI" 320x "$WORK/none.attila"
expect_failure 1 "cannot read $WORK/none.ini" "$SURROGATE" "$WORK/none.ini" 320x240 "$WORK/none"
expect_failure 1 "/no/none.attila: No such file" "$SURROGATE" "$INI" 320x240 "$WORK/no/none.attila"
refused() { # sed's edit of a file, what the message says, the file
   sed "$1" "${3:-$INI}" >"$WORK/edited.ini"
   expect_failure 1 "$2" "$SURROGATE" "$WORK/edited.ini" 320x240 "$WORK/none.attila"
}
refused 's/^clipped = 30/clipped = many/' "clipped takes a number from 0 to 90, not 'many'"
refused 's/^clipped/cliped/' 'there is no key cliped'
refused '/^clipped/d' 'there is no clipped'
refused 's/^removed_hz = .*/removed_hz = 90/' 'leave too little of the overdraw'
refused 's/^removed_mask = 0/removed_mask = 9/' 'without lights removed_mask'
refused 's/^samples_per_request = .*/samples_per_request = 9/' 'samples_per_request must be from'
refused 's/^lights = 6/lights = 4/' 'lights must be' "$TOP/tests/workloads/doom3.ini"

/usr/bin/python3 - "$SIM" "$WORK" <<'PYTHON' || fail "statistics of surrogates"
import filecmp
import os
import subprocess
import sys
from attila.studies.surrogates import Surrogates, compared, make, measured
sim, work = sys.argv[1:]
size, pictures = (320, 240), {}

def run(path, mode, out):
    subprocess.run([sim, "run", path, "--config", "micro2005", "--frames", "1", "--mode", mode,
                    "--record", "sqlite", "--save-frames", "--out", out], check=True,
                   stdout=subprocess.DEVNULL)
    with open(os.path.join(out, "frame-0001.png"), "rb") as f:
        return f.read()

for name in Surrogates.machines:
    path = make(sim, name, size, os.path.join(work, "made"))
    assert filecmp.cmp(path, make(sim, name, size, os.path.join(work, "again")), False), name
    out = os.path.join(work, name)
    pictures[name] = run(path, "cycle", out)
    assert pictures[name] == run(path, "functional", out + "-functional"), name
    rows = compared(name, measured(out, size))
    assert len(rows) >= 15, rows
    print(name, *(f"{k} {here:.2f} ({wanted:g})" for k, wanted, here, _ in rows), sep="\n   ")
assert len(set(pictures.values())) == len(pictures)
PYTHON
