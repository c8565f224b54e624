#!/bin/bash
# glmark2 --validate and glmark2-es2 --validate in cycle mode, all default entries: Success, or
# Unknown for the six entries that have no reference pixel (cel, ideas, jellyfish, terrain, shadow,
# refract).
. "$(dirname "$0")/../lib/test.sh"
for program in glmark2 glmark2-es2; do
   "$RUN" $program -s 800x600 --validate >"$WORK/log" 2>&1 || { cat "$WORK/log"; fail "$program did not finish"; }
   grep 'Validation:' "$WORK/log"
   ok=$(grep -c 'Validation: Success' "$WORK/log") unknown=$(grep -c 'Validation: Unknown' "$WORK/log") all=$(grep -c '^\[' "$WORK/log")
   echo "$program: $ok Success, $unknown Unknown of $all"
   for scene in build texture shading bump effect2d pulsar desktop buffer conditionals function loop; do
      grep "^\[$scene\]" "$WORK/log" | grep -v 'shading=cel' | grep -qv 'Validation: Success' && fail "$program: an entry of $scene is not Success"
      grep "^\[$scene\]" "$WORK/log" | grep -q 'Validation: Success' || fail "$program: no entry of $scene"
   done
   [ $((ok + unknown)) = "$all" ] && [ "$unknown" -le 6 ] || fail "$program: $ok Success and $unknown Unknown of $all"
done
