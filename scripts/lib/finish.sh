#!/bin/bash
# finish.sh SIM OUT NEXT: what follows the program of attila-run, whatever its end: one record from
# those of the workers of --jobs, and the page of --report (NEXT: how to start attila-report; empty:
# no page). attila-watch runs it. Not here: the program itself.
sim=$1 out=$2 next=$3 status=0
unset "${!ATTILA_@}"
say() { printf 'attila-run: %s\n' "$*" >&2; }
for folder in "$out" "$out"/simulator-*; do
   [ ! -d "$folder/workers" ] || "$sim" merge "$folder" || status=1
done
[ -n "$next" ] || exit $status
[ -s "$out/run.sqlite" ] || { say "nothing was recorded, so there is no page"; exit 1; }
"$next" "$out" >/dev/null || { say "error: no page of $out"; exit 1; }
say "folder: $out"
say "page: $out/report.html"
say "next: $(printf '%q ' "$sim" run "$out/capture.attila")--config NAME --out DIR replays the" \
   "capture on another machine"
exit $status
