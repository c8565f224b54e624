#!/bin/bash
# glmark2 --validate and glmark2-es2 --validate in cycle mode: Success, or Unknown for entries that
# have no reference pixel. A sample of four scenes each; with scripts/test --all the 76 entries that
# glmark2 runs by default.
# Full only: scenes of 800x600 in cycle mode.
. "$(dirname "$0")/../lib/test.sh"
unknown='^\[(shading\] shading=cel|(ideas|jellyfish|terrain|shadow|refract)\]).*: '
checked="build texture shading bump effect2d pulsar desktop buffer conditionals function loop"
for program in glmark2 glmark2-es2; do
   scenes=$checked options=()
   if [ -z "${ATTILA_TEST_ALL:-}" ]; then
      # With their own options these have a reference pixel, too.
      scenes=$(printf '%s\n' build texture shading bump pulsar desktop buffer | sample 4)
      for scene in $scenes terrain; do options+=(-b "$scene"); done
   fi
   quietly "$program" "$RUN" $program -s 800x600 --validate "${options[@]}"
   grep '^\[' "$WORK/log" >"$WORK/entries"
   ! grep -Ev ': Validation: Success$' "$WORK/entries" |
      grep -Ev "${unknown}Validation: Unknown$" || fail "$program: these entries failed"
   for scene in $scenes; do
      grep "^\[$scene\]" "$WORK/entries" | grep -q ': Validation: Success$' ||
         fail "$program: no entry of $scene"
   done
   for result in Success Unknown; do
      echo "$program: $(grep -c ": Validation: $result$" "$WORK/entries") $result"
   done
done
