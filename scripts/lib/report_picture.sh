#!/bin/bash
# report_picture.sh: takes docs/images/report.png and report-reference.png anew: the page of the
# costliest draw of a golden run, and a frame of glmark2 beside the system's driver. Needs what
# tests/sim/report.sh needs: a build with the driver, npm, Chromium, glmark2.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/sim.sh"
system_path
work=$(mktemp -d) || die "no temporary folder"
trap 'rm -rf "$work"' EXIT
sim=$(newest_sim "$ATTILA_TOP")
[ -x "$sim" ] || die "no build"
CHROMIUM=$(command -v chromium) || die "no chromium"
export CHROMIUM WORK=$work ATTILA_REPORT_DIR=${ATTILA_REPORT_DIR:-$ATTILA_TOP/build-report}
cd "$ATTILA_TOP" || die "no $ATTILA_TOP"
scripts/lib/report_bundle.sh --tests || exit 1
"$sim" run tests/golden/desktop.attila --config configs/attila-bgpu.ini --interval 2000 \
   --save-frames --out "$work/desktop" >/dev/null 2>&1 || die "the run failed"
scripts/attila-report "$work/desktop" || exit 1
draw=$(/usr/bin/python3 -c 'import sqlite3, sys
print(*sqlite3.connect(sys.argv[1]).execute("""SELECT work FROM work WHERE kind = '\''draw'\''
   ORDER BY exclusive_cycles DESC LIMIT 1""").fetchone())' "$work/desktop/run.sqlite") ||
   die "no draw"
node tests/lib/report_shot.mjs "$work/desktop/report.html" "work/$draw" docs/images/report.png \
   light 960 640

program=(glmark2 -s 320x240 -b terrain:nframes=2:duration=1000000)
scripts/attila-run --no-check --fixed-clock 60 --save-frames --out "$work/terrain" "${program[@]}" \
   >/dev/null 2>&1 || die "glmark2 failed"
scripts/attila-run --no-check --fixed-clock 60 --driver system --grab "$work/system" \
   "${program[@]}" >/dev/null 2>&1 || die "glmark2 failed with the system's driver"
scripts/attila-report --reference "$work/system" --pictures 4 "$work/terrain" || exit 1
node tests/lib/report_shot.mjs "$work/terrain/report.html" beside/1 \
   docs/images/report-reference.png light 960 640
