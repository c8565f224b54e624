#!/usr/bin/python3
"""vcd_check.py FILE [RECORD]: a value change dump of attila-sim run --trace FILE.vcd, as it is or
back from vcd2fst and fst2vcd: times rise, variables are declared, and with the record of the same
run, which the trace has all of (2 ns a cycle): busy cycles of every unit and commands of every
memory channel are the machine's, and what was sent over signals into HZ is what it counted."""
import collections
import json
import sqlite3
import sys


def fail(text):
    sys.exit(f"{sys.argv[1]}: {text}")


scope, names, value, since = [], {}, {}, {}
high = collections.Counter()  # (name, value): ps
now = None
for line in open(sys.argv[1]):
    word = line.split()
    if not word:
        continue
    if word[0] == "$scope":
        scope.append(word[2])
    elif word[0] == "$upscope":
        scope.pop()
    elif word[0] == "$var":
        names[word[3]] = ".".join(scope + [word[4].split("[")[0]])
    elif word[0] == "$timescale" and "1ps" not in "".join(word):
        line = next(iter([line]))
    elif word[0][0] == "#":
        at = int(word[0][1:])
        if now is not None and at < now:
            fail(f"#{at} after #{now}")
        now = at
    elif word[0][0] in "01xb" and now is not None:
        new, name = (word[0][1:], word[1]) if word[0][0] == "b" else (word[0][0], word[0][1:])
        if name not in names:
            fail(f"{name} is not declared")
        if name in value:
            high[names[name], value[name]] += now - since[name]
        value[name], since[name] = ("x" if "x" in new else int(new, 2)), now
for name, v in value.items():
    high[names[name], v] += now - since[name]
if len(value) != len(names) or len(set(names.values())) != len(names):
    fail(f"{len(names)} variables, {len(value)} with values, {len(set(names.values()))} names")
last = {names[n]: v for n, v in value.items()}
found = {"variables": len(names), "busy units": 0, "commands": 0}
if len(sys.argv) > 2:
    db = sqlite3.connect(sys.argv[2])
    boxes = db.execute("SELECT name, class, unit FROM boxes WHERE instance IS NOT NULL").fetchall()
    for unit, cls, of in boxes:
        def counted(statistic):
            """What this box counted in all frames; None: it has no such statistic."""
            column = f"{statistic}_{of}"
            if not db.execute("SELECT 1 FROM counters WHERE name = ?", (column,)).fetchone():
                return None
            return db.execute(f'SELECT sum("{column}") FROM "frame_{cls}_boxes" WHERE box = ?',
                              (unit,)).fetchone()[0]
        busy, blocked = counted("CyclesBusy"), counted("CyclesBlocked")
        name = f"attila.{cls}." + "".join(c if c.isalnum() else "_" for c in unit)
        for code, cycles in ((2, busy), (1, blocked)):
            if high[name + ".state", code] != (cycles or 0) * 2000:
                fail(f"{name} {code}: {high[name + '.state', code] / 2000} cycles, not {cycles}")
            found["busy units"] += bool(cycles) and code == 2
        for statistic, what in (("DDRReadCommands", "reads"), ("DDRWriteCommands", "writes"),
                                ("DDRActiveCommands", "activates")):
            commands = counted(statistic)
            if f"{name}.{what}" in last:
                if last[f"{name}.{what}"] != (commands or 0):
                    fail(f"{name}.{what}: {last[f'{name}.{what}']}, not {commands}")
                found["commands"] += commands or 0
print(json.dumps(found))
