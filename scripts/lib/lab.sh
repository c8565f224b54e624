#!/bin/bash
# lab.sh [--update]: runs the commands of docs/tutorial/lab.md whose results the page shows.
# Compares the results (status 1 if they differ), or writes them into the page. A change of the
# machine's timing needs an update. Not here: the other blocks of the page (tests/gl/commands.sh),
# the policy of the third exercise (tests/sim/extending.sh builds a policy).
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/sim.sh"
system_path
cd "$ATTILA_TOP" || die "no $ATTILA_TOP"
case ${1:-} in ''|--update) ;; *) usage_error "unknown option $1" ;; esac
sim=$(newest_sim "$ATTILA_TOP")
[ -x "$sim" ] || die "no $sim: run scripts/setup first"
WORK=$(mktemp -d) || die "no temporary folder"
trap 'rm -rf "$WORK"' EXIT
frame=(tests/golden/desktop.attila --config attila-bgpu --frames 1)
cycles() { # options; prints the cycles of the frame, from its record
   "$sim" run "${frame[@]}" "$@" --out "$WORK/run" >"$WORK/log" 2>&1 &&
      awk -F, 'NR == 1 {while ($++c != "cycles") if (c > NF) exit 1; next} {print $c}' \
         "$WORK/run/frames.csv" | grep . || { cat "$WORK/log" >&2; die "failed: $*"; }
}
row() { printf '| %s | %s |\n' "$1" "$(cycles "${@:2}")" || exit 1; }

limiter() {
   "$sim" run "${frame[@]}" --out "$WORK/run" >/dev/null || die "no run"
   /usr/bin/python3 - "$WORK/run/run.sqlite" <<'END'
import sqlite3, sys
query = """SELECT limiter, printf('%.0f', 100 * limiter_share), limiter2,
   printf('%.0f', 100 * limiter2_share) FROM frames"""
print("| limiter | % of cycles | second | % |\n|---|---|---|---|")
for r in sqlite3.connect(sys.argv[1]).execute(query):
    print("| %s |" % " | ".join(map(str, r)))
END
   printf '\n| made ideal | cycles |\n|---|---|\n'
   row nothing
   for unit in memory shader texture raster rop; do row $unit --ideal $unit; done
}
caches() {
   printf '| sets | cycles |\n|---|---|\n'
   for n in 1 2 4 8 16; do
      row $n --set FRAGMENTSHADER.TextureCacheLines=$n --set FRAGMENTSHADER.TextureCacheLinesL1=$n
   done
}
policies() {
   printf '| TextureCacheReplacement | cycles |\n|---|---|\n'
   for n in 0 1; do
      row $n --set FRAGMENTSHADER.TextureCacheLines=1 --set FRAGMENTSHADER.TextureCacheLinesL1=1 \
         --set FRAGMENTSHADER.TextureCacheReplacement=$n
   done
}

page=docs/tutorial/lab.md
for part in limiter caches policies; do
   $part >"$WORK/$part" || exit 1
done
# Replaces the text between <!-- NAME --> and <!-- end -->.
awk -v work="$WORK" '
   /^<!-- [a-z]+: made by scripts\/lib\/lab.sh -->$/ {
      print; print ""
      name = $2; sub(":", "", name)
      while ((getline line <(work "/" name)) > 0) print line
      print ""; off = 1; next}
   /^<!-- end -->$/ {off = 0}
   !off' $page >"$WORK/page" || die "cannot read $page"
for part in limiter caches policies; do
   grep -q "^<!-- $part: made by" "$WORK/page" || die "$page has no place for $part"
done
if [ "${1:-}" = --update ]; then cp "$WORK/page" $page
else
   diff $page "$WORK/page" >&2 ||
      die "$page has other numbers than this machine (>): scripts/lib/lab.sh --update"
fi
