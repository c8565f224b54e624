#!/bin/bash
# tutorial.sh: runs the commands of slow-frame.md and prints their output, takes its pictures anew
# (docs/images/tutorial-*.png), and lists the numbers that the text lacks (then status 1). A change
# of the machine's timing needs a run, and corrections. Needs a build with the driver, glmark2,
# sqlite3, npm and Chromium.
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
shot() { # REPORT PAGE PICTURE WIDTH HEIGHT [SECTION]
   node tests/lib/report_shot.mjs "$1" "$2" "docs/images/tutorial-$3.png" light "${@:4}" ||
      die "no picture $3"
}
ask() { sqlite3 "$WORK/${2:-jelly}/run.sqlite" "$1" || die "no record"; }
text=$(tr -s '\n ' ' ' <docs/tutorial/slow-frame.md)
wrong=0
# has TEXT WHAT: checks that docs/tutorial/slow-frame.md has the text, however its lines are broken.
has() {
   case $text in *"$1"*) return ;; esac
   echo "docs/tutorial/slow-frame.md does not have '$1': $2" >&2
   wrong=1
}
# commas N: 1234567 is 1,234,567
commas() { sed -E ':a; s/^([0-9]+)([0-9]{3})/\1,\2/; ta' <<<"$1"; }

say scripts/attila-run --config $config --fixed-clock 60 --frames 3 --save-frames --interval 2000 \
   --out "$WORK/jelly" --capture "$WORK/jelly/run.attila" \
   glmark2 -s 320x240 -b jellyfish:duration=1000000
said=$(say scripts/attila-report --map-frames 3 "$WORK/jelly") || exit 1
echo "${said//$WORK/out}"
has "$(sed -n "s|^$WORK|out|p" <<<"$said")" "what attila-report says"
work=$(ask "SELECT work FROM work WHERE frame = 2 AND kind = 'draw'
   ORDER BY exclusive_cycles DESC LIMIT 1")
program=$(ask "SELECT fragment_program FROM work WHERE work = $work")
shot "$WORK/jelly/report.html" summary summary 1000 465
shot "$WORK/jelly/report.html" "work/$work" draw 1000 875
shot "$WORK/jelly/report.html" "program/$program" program 1000 560 Code
say "$sim" maps "$WORK/jelly/run.attila" -c $config --frame 2 --map written,misses \
   --out "$WORK/maps"
cp "$WORK/maps/frame-0002-misses.png" docs/images/tutorial-misses.png
cp "$WORK/maps/frame-0002-written.png" docs/images/tutorial-written.png
alone=
for what in '' '--ideal texture' '--ideal shader' '--ideal memory' '--ideal caches' \
   '--set FRAGMENTSHADER.TextureCacheLinesL1=64' '--set FRAGMENTSHADER.TextureCacheLinesL1=256'; do
   # shellcheck disable=SC2086 # words
   said=$(say "$sim" run "$WORK/jelly/run.attila" -c $config --frames 2 $what) || exit 1
   echo "${said//$WORK/out}"
   cycles=$(sed -n 's/.* frames, \([0-9]*\) cycles.*/\1/p' <<<"$said")
   : "${alone:=$cycles}"
   has "| $(commas "$cycles") | $([ -z "$what" ] ||
      awk "BEGIN {printf \"%+.1f %%\", 100 * ($cycles / $alone - 1)}")" "frame 2 with '$what'"
done
say "$sim" run "$WORK/jelly/run.attila" -c $config --frames 2 --out "$WORK/before"
say "$sim" run "$WORK/jelly/run.attila" -c $config --frames 2 --out "$WORK/after" \
   --set FRAGMENTSHADER.TextureCacheLinesL1=256
for ideal in texture shader; do
   say "$sim" run "$WORK/jelly/run.attila" -c $config --frames 2 --out "$WORK/$ideal" \
      --ideal $ideal
done
for run in before texture shader after; do
   say sqlite3 "$WORK/$run/run.sqlite" \
      "SELECT read_bytes FROM frame_bytes WHERE client = 'TextureUnit'"
done
(cd "$WORK" && say "$ATTILA_TOP/scripts/attila-report" --pictures 0 -o compare.html before after) ||
   exit 1
shot "$WORK/compare.html" compare compare 1000 420

for row in 'cycles FROM frames WHERE frame = 1' 'cycles FROM frames WHERE frame = 2' \
   "exclusive_cycles FROM work WHERE work = $work" "cycles FROM work WHERE work = $work" \
   "max(alu_cycles) FROM instruction_costs WHERE program = $program"; do
   has "$(commas "$(ask "SELECT $row")")" "$row"
done
for row in "limiter_share FROM work WHERE work = $work" \
   "limiter2_share FROM work WHERE work = $work" \
   "exclusive_cycles * 1.0 / f.cycles FROM work JOIN frames f USING (frame) WHERE work = $work"; do
   has "$(ask "SELECT printf('%.1f %%', 100 * ${row%% FROM *}) FROM ${row#* FROM }")" "$row"
done
moved="SELECT sum(read_bytes + written_bytes) AS n, sum(iif(client = 'TextureUnit', read_bytes, 0))
   AS tu FROM work_bytes WHERE work = $work"
has "Of the $(ask "SELECT printf('%.2f', n / 1e6) FROM ($moved)") MB" "bytes of the draw"
has "for $(ask "SELECT printf('%.1f %%: %.2f', 100.0 * tu / n, tu / 1e6) FROM ($moved)") MB" \
   "bytes of its texture units"
slowest="SELECT max(exclusive_cycles) FROM work WHERE kind = 'draw'"
gained=$(($(ask "$slowest" before) - $(ask "$slowest" after)))
has "$(commas $gained) cycles" "what the draw gained"
for run in before texture shader after; do
   has "$(ask "SELECT read_bytes FROM frame_bytes WHERE client = 'TextureUnit'" $run)" \
      "bytes read by texture units ($run)"
done
for row in $(ask "SELECT printf('%.1f', (wait_fetch + wait_result + wait_decode + wait_texture +
   wait_output) / 1e6) FROM instruction_costs WHERE program = $program AND wait_texture > 0"); do
   has "$row" "million cycles of waiting, mostly for texels"
done
ls -l docs/images/tutorial-*
exit $wrong
