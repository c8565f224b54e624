#!/bin/bash
# tutorial.sh: does what docs/tutorial.md does, prints what its commands print, and takes its
# pictures anew (docs/images/tutorial-*.png). Whoever changes the machine's timing runs it and
# corrects the numbers in the text. Needs a build with the driver, glmark2, npm and Chromium.
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/sim.sh"
system_path
cd "$ATTILA_TOP" || die "no $ATTILA_TOP"
CHROMIUM=$(command -v chromium) || die "no chromium"
WORK=$(mktemp -d) || die "no temporary folder"
trap 'rm -rf "$WORK"' EXIT
export CHROMIUM WORK ATTILA_REPORT_DIR=${ATTILA_REPORT_DIR:-$ATTILA_TOP/build-report}
scripts/lib/report_bundle.sh --tests || exit 1
sim=$(newest_sim "$ATTILA_TOP")
config=configs/attila-bgpu.ini

say() {
   echo "\$ $*" | sed "s|$WORK|out|g; s|$sim|attila-sim|g; s|$ATTILA_TOP/||g"
   "$@" || die "failed: $1"
}
shot() { # REPORT PAGE PICTURE WIDTH HEIGHT
   node tests/lib/report_shot.mjs "$1" "$2" "docs/images/tutorial-$3.png" light "$4" "$5" ||
      die "no picture $3"
}
ask() { sqlite3 "$WORK/jelly/run.sqlite" "$1" || die "no record"; }

say scripts/attila-run --config $config --fixed-clock 60 --frames 3 --save-frames --interval 2000 \
   --out "$WORK/jelly" --capture "$WORK/jelly/run.attila" \
   glmark2 -s 320x240 -b jellyfish:duration=1000000
say scripts/attila-report --map-frames 3 "$WORK/jelly"
work=$(ask "SELECT work FROM work WHERE frame = 2 AND kind = 'draw'
   ORDER BY exclusive_cycles DESC LIMIT 1")
program=$(ask "SELECT fragment_program FROM work WHERE work = $work")
shot "$WORK/jelly/report.html" summary summary 1000 465
shot "$WORK/jelly/report.html" "work/$work" draw 1000 875
shot "$WORK/jelly/report.html" "program/$program" program 1000 980
say "$sim" maps "$WORK/jelly/run.attila" -c $config --frame 2 --map written,misses \
   --out "$WORK/maps"
cp "$WORK/maps/frame-0002-misses.png" docs/images/tutorial-misses.png
cp "$WORK/maps/frame-0002-written.png" docs/images/tutorial-written.png
for what in '' '--ideal texture' '--ideal shader' '--ideal memory' '--ideal caches' \
   '--set FRAGMENTSHADER.TextureCacheLinesL1=64' '--set FRAGMENTSHADER.TextureCacheLinesL1=256'; do
   # shellcheck disable=SC2086 # words
   say "$sim" run "$WORK/jelly/run.attila" -c $config --frames 2 $what | sed "s|$WORK|out|g"
done
say "$sim" run "$WORK/jelly/run.attila" -c $config --frames 2 --out "$WORK/before"
say "$sim" run "$WORK/jelly/run.attila" -c $config --frames 2 --out "$WORK/after" \
   --set FRAGMENTSHADER.TextureCacheLinesL1=256
say "$sim" run "$WORK/jelly/run.attila" -c $config --frames 2 --out "$WORK/texture" \
   --ideal texture
for run in before texture after; do
   say sqlite3 "$WORK/$run/run.sqlite" \
      "SELECT read_bytes FROM frame_bytes WHERE client = 'TextureUnit'"
done
(cd "$WORK" && say "$ATTILA_TOP/scripts/attila-report" --pictures 0 -o compare.html before after) ||
   exit 1
shot "$WORK/compare.html" compare compare 1000 420
sqlite3 -header "$WORK/jelly/run.sqlite" "SELECT frame, cycles, limiter FROM frames" 2>/dev/null
ls -l docs/images/tutorial-*
