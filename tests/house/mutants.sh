#!/bin/bash
# The changes of tests/mutants.txt fit the sources; with scripts/test --full three of those that
# need no Mesa are made, and tests notice them (scripts/mutants makes all of them).
. "$(dirname "$0")/../lib/house.sh"
MUTANTS=$TOP/scripts/mutants
quietly "a change that does not fit" "$MUTANTS" --check
cat "$WORK/log"
"$MUTANTS" --list >"$WORK/list" || fail "--list"
# Each names tests that there are.
while read -r test; do
   case $test in
   unit/*) grep -q "^  '${test#unit/}',\$" "$TOP/tests/unit/meson.build" ;;
   compiler/*) [ -f "$TOP/src/compiler/tests/test_${test#compiler/}.c" ] ;;
   *) [ -x "$TOP/tests/$test.sh" ] ;;
   esac || fail "there is no test $test"
done < <(awk '{for (i = 3; i <= NF; i++) print $i}' "$WORK/list" | sort -u)
[ -n "${ATTILA_TEST_FULL:-}" ] || exit 0
"$MUTANTS" --sim-only --sample 3 --seed "${ATTILA_TEST_SAMPLE:-1}" || fail "see above"
