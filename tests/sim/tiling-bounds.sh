#!/bin/bash
# A tile-based machine stores, loads and lists what arithmetic says (tests/timing/tiling.txt): each
# case is within 5 % of its bound, or as far away as its reason says. A wrong bound is found.
# Full only: more than a minute of runs.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
bounds() { # FILE
   PYTHONPATH=$TOP/python/src /usr/bin/python3 - "$1" "$SIM" "$TOP" "$WORK/run" <<'END'
import configparser, csv, subprocess, sys
from attila.studies import streams
from attila.timing.data import arithmetic
path, sim, top, out = sys.argv[1:]

def edited(stream, frames, fences):
    """A capture that plays another one so many times, without its fences if wanted."""
    head, chunks = streams.chunks(f"{top}/tests/timing/{stream}.attila")
    if not fences:
        chunks = [(kind, streams.packed(c for c in streams.commands(body) if c[0] != streams.FENCE)
                   if kind == streams.COMMANDS else body)
                  for kind, body in chunks if kind in (streams.COMMANDS, streams.DICTIONARY)]
    return streams.save(f"{out}.attila", head, [c for c in chunks if c[1]] * frames)

cases = configparser.ConfigParser(delimiters="=", interpolation=None)
cases.optionxform = str
with open(path, encoding="utf-8") as f:
    cases.read_file(f)
KEYS, CLOSE = {"what", "stream", "set", "statistic", "bound", "off", "why", "frames", "fences"}, 5
ran, wrong = {}, 0
for name in cases.sections():
    case = cases[name]
    if set(case) - KEYS or ("off" in case) != ("why" in case) or not case.get("what"):
        sys.exit(f"{name}: unknown or missing keys")
    changes = tuple(c.strip() for c in case.get("set", "").split(";") if c.strip())
    plain = ("COLORWRITE.DisableCompression=TRUE", "ZSTENCILTEST.DisableCompression=TRUE")
    key = case["stream"], int(case.get("frames", "1")), case.get("fences", "yes") == "yes", changes
    if key not in ran:
        subprocess.run([sim, "run", edited(*key[:3]), "--config",
                        f"{top}/configs/tiled.ini", "--out", out] +
                       [w for c in plain + changes for w in ("--set", c)], check=True,
                       stdout=subprocess.DEVNULL)
        with open(f"{out}/frames.csv", encoding="utf-8") as f:
            ran[key] = list(csv.DictReader(f))
    value = sum(int(row[case["statistic"]]) for row in ran[key])
    bound = arithmetic(case["bound"])
    off = 100 * abs(value - bound) / bound if bound else 100 * (value != 0)
    said = float(case["off"].rstrip(" %")) if "off" in case else 0
    ok = off <= CLOSE and not said if not said else abs(off - said) <= 1
    wrong += not ok
    print(f"{'ok' if ok else 'WRONG':5} {name:32} {value:9} {bound:12.1f} {off:5.1f} %")
print(f"{len(cases.sections())} bounds")
sys.exit(wrong != 0)
END
}
bounds "$TOP/tests/timing/tiling.txt" || fail "see above"
sed 's/8 rounds - 1/8 rounds + 1/' "$TOP/tests/timing/tiling.txt" >"$WORK/wrong.txt"
bounds "$WORK/wrong.txt" >"$WORK/log" && fail "a wrong bound is not found"
grep -q '^WRONG passes_of_targets ' "$WORK/log" || { cat "$WORK/log"; fail "not the wrong one"; }
