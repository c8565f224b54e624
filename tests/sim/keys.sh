#!/bin/bash
# keys.md has every parameter of the machine and no other, each with an effect or the reason
# why it has none that a capture shows; and a sample of the parameters has an effect where the page
# says. With --all every row is tried (minutes). The figures are not compared: scripts/key-effects
# --page writes them.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
page=$TOP/docs/reference/keys.md
/usr/bin/python3 - "$SIM" "$page" "${1:-}" <<'PYTHON' ||
import sys

from attila.tools import key_effects as k

sim, page, every = sys.argv[1:]
rows = {n: [f.strip() for f in r.split("|")] for n, r in k.read_page(page).items()}
keys = {key.name for key in k.read_keys(sim, k.REFERENCE)}
wrong = ["%s: not in docs/reference/keys.md" % n for n in sorted(keys - set(rows))]
wrong += ["%s: in docs/reference/keys.md, but no parameter" % n for n in sorted(set(rows) - keys)]
wrong += ["%s: no effect, and no reason" % n for n, r in rows.items() if "**" in r[3]]

machines = {name: (config, sets) for name, config, sets in k.MACHINES}
quick = {"state_changes", "vertices", "depth_hidden", "golden/build", "golden/texture"}
bench = k.Bench(sim, 1)
measured = sorted((n, r) for n, r in rows.items() if r[0] and n in keys)
# Small effects come and go with other changes of the machine.
large = [(n, r) for n, r in measured if r[1].replace("glmark2 ", "golden/") in quick
         and r[3].endswith(" times the cycles") and not 0.95 < float(r[3].split()[0]) < 1.05]
tried = measured if every else large[3::len(large) // 12]
for name, (change, stream, machine, *_) in tried:
    config, sets = machines.get(machine, (k.REFERENCE, k.split(machine)))
    stream = stream.replace("glmark2 ", "golden/")
    value = change.split(" → ")[1]
    before = bench.unchanged(config, sets, [stream])[stream]
    after = bench.run(config, sets + ["%s=%s" % (name, value)], [stream])[stream]
    if before == after:
        wrong.append("%s=%s: nothing changes in %s" % (name, value, stream))
print("\n".join(wrong))
print("%d parameters, %d of them tried" % (len(keys), len(tried)))
sys.exit(1 if wrong or len(tried) < 10 else 0)
PYTHON
   fail "docs/reference/keys.md: scripts/key-effects --page docs/reference/keys.md writes it anew"
