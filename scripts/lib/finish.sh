#!/bin/bash
# finish.sh SIM OUT NEXT CAPTURE: what follows the program of attila-run, whatever its end: one
# record from those of the workers of --jobs, and the pages of --report (NEXT: how to start
# attila-report; empty: no page; CAPTURE: of the first simulator). attila-watch runs it. Not here:
# the program itself.
sim=$1 out=$2 next=$3 capture=$4 status=0
unset "${!ATTILA_@}"
say() { printf 'attila-run: %s\n' "$*" >&2; }
for folder in "$out" "$out"/simulator-*; do
   [ ! -d "$folder/workers" ] || "$sim" merge "$folder" || status=1
done
[ -n "$next" ] || exit $status

# Simulator 2 reports to simulator-2/ and captures to name-2.attila. A simulator without a report
# may have taken that name; its capture has fewer frames than the report. A page without a capture
# says so.
capture_of() { # FOLDER
   local n=${1#"$out"} file=$capture
   n=${n#/simulator}
   case ${file##*/} in
   ?*.*) file=${file%.*}$n.${file##*.} ;;
   *) file=$file$n ;;
   esac
   local last; last=$(tail -n 1 "$1/frames.csv" | cut -d, -f1)
   local frames; frames=$("$sim" info "$file" 2>/dev/null | sed -n 's/.* \([0-9]*\) frames.*/\1/p')
   [ "${frames:-0}" -gt "$last" ] 2>/dev/null && echo "$file"
}
pages=0
for folder in "$out" "$out"/simulator-*; do
   [ -s "$folder/run.sqlite" ] || continue
   file=$(capture_of "$folder")
   "$next" ${file:+--capture "$file"} "$folder" >/dev/null ||
      { say "error: no page of $folder"; status=1; continue; }
   pages=$((pages + 1))
   say "folder: $folder"
   say "page: $folder/report.html"
   [ -z "$file" ] || say "next: $(printf '%q ' "$sim" run "$file")--config NAME --out DIR replays" \
      "the capture on another machine"
done
[ $pages -gt 0 ] || { [ $status = 1 ] || say "nothing was recorded, so there is no page"; exit 1; }
exit $status
