#!/bin/bash
# What instructions cost (record.md, frame_instructions): sums are the shaders' statistics, on
# machines of several shapes; the CSV file has the same; nothing changes, and without a record there
# is nothing.
. "$(dirname "$0")/../lib/test.sh"
ATTILA=$TOP/scripts/attila
[ -x "$SIM" ] || skip "no build"
run() { # DIR CAPTURE OPTION...
   local dir=$WORK/$1 stream=$TOP/tests/golden/$2.attila; shift 2
   quietly "$*" "$SIM" run "$stream" --out "$dir" "$@"
}
check() { # DIR: its record, and the CSV file made from it
   quietly "export of $1" "$ATTILA" export "$WORK/$1"
   /usr/bin/python3 - "$WORK/$1" <<'END_PYTHON' || fail "$1"
import csv, sqlite3, sys
db = sqlite3.connect(sys.argv[1] + "/run.sqlite")
def one(sql): return db.execute(sql).fetchone()[0]
equal = {"inputs": "ExecutedInputs_ShDX-FS", "alu_cycles": "ALUBusyCycles_ShF-FS",
         "wait_fetch + wait_result + wait_decode": "ReadyThreads_ShF-FS",
         "wait_texture": "BlockedThreads_ShF-FS", "wait_output": "FinishedThreads_ShF-FS",
         "refused_operands": "StallsOperands_ShDX-FS"}
for frame in range(one("SELECT count(*) FROM frames")):
    for cost, name in equal.items():
        a = one(f"SELECT coalesce(sum({cost}), 0) FROM frame_instructions WHERE frame = {frame}")
        b = one(f'SELECT "{name}" FROM frame_counters WHERE frame = {frame}')
        if a != b: sys.exit(f"frame {frame}: {cost} is {a}, {name} is {b}")
    groups = one(f"SELECT sum(groups) FROM frame_instructions WHERE frame = {frame}")
    executed = one('SELECT "ExecutedInstructions_ShDX-FS" FROM frame_counters '
                   f"WHERE frame = {frame}")
    if groups and executed % groups: sys.exit(f"frame {frame}: {executed} of {groups} groups")
if one("SELECT sum(groups) FROM instruction_costs") < 1000: sys.exit("hardly anything is executed")
table = list(csv.DictReader(open(sys.argv[1] + "/instructions.csv")))
waits = one("SELECT sum(wait_texture) FROM instruction_costs")
if sum(int(r["wait_texture"]) for r in table) != waits:
    sys.exit("instructions.csv has another sum")
text = {(str(p), str(n)): t
        for p, n, t in db.execute("SELECT program, position, text FROM instructions")}
for r in table:
    if r["text"] != text[r["program"], r["position"]]: sys.exit(f"instructions.csv: {r}")
    if int(r["wait_texture"]) and not r["text"].strip().startswith("T"): sys.exit(f"waits: {r}")
END_PYTHON
}
run vec4 desktop
cp "$WORK/vec4/draws.csv" "$WORK/counted.csv" || fail "no draws.csv"
check vec4
run scalar shading --config "$TOP/configs/attila-bgpu.ini"; check scalar
run setup build --set RASTERIZER.TriangleSetupOnShader=TRUE; check setup
run half texture --mode half; check half
run functional build --mode functional
quietly "export" "$ATTILA" export "$WORK/functional"
[ ! -e "$WORK/functional/instructions.csv" ] || fail "functional mode has costs"
run csv desktop --record csv
cmp "$WORK/csv/draws.csv" "$WORK/counted.csv" || fail "counting costs changes cycles"
