# Shared by the tests of SIMULATOR.Threads: compares runs with several threads with one. Sourced,
# after test.sh.
# shellcheck shell=bash
cat >"$WORK/record.py" <<'EOF'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"):
    if table in ("run", "configuration"):
        continue
    names = [c[1] for c in db.execute(f'PRAGMA table_info("{table}")')]
    kept = ", ".join(f'"{n}"' for n in names if "host" not in n and "cpu" not in n)
    for row in db.execute(f'SELECT {kept} FROM "{table}"'):
        print(table, *row)
EOF
# files NAME: what is compared of a run: all but what the host's time decides
files() {
   (cd "$WORK/$1" && find . -type f ! -name '*.sqlite' ! -name 'frames.csv' | sort |
      while read -r f; do echo "$f $(cksum <"$f")"; done)
   cut -d, -f1-5 "$WORK/$1/frames.csv"
   [ ! -f "$WORK/$1/run.sqlite" ] || /usr/bin/python3 "$WORK/record.py" "$WORK/$1/run.sqlite" ||
      fail "$1: no record"
}
# compare WHAT MACHINE "COUNTS" STREAM OPTIONS...: numbers of threads beside one; @ is the run's
# folder
compare() {
   local what=$1 machine=$2 counts=$3 stream=$4 n order; shift 4
   for n in 1 $counts; do
      order=()
      # A trace has the events of a cycle in the order of the boxes.
      [ "$n" = 1 ] || [ "$what" = trace ] || order=(--box-order "$n")
      quietly "$what with $n threads" "$SIM" run "$stream" --config "$machine" "${order[@]}" \
         --set SIMULATOR.Threads="$n" --out "$WORK/$what-$n" "${@//@/$WORK/$what-$n}"
      mv "$WORK/log" "$WORK/$what-$n.log"
      files "$what-$n" >"$WORK/$what-$n.files"
      cmp "$WORK/$what-1.files" "$WORK/$what-$n.files" || fail "$what: $n threads change a file"
   done
}
