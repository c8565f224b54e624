#!/bin/bash
# tests/lib/piglit_results.py tells verdicts and images of two runs apart, and a crash from a
# test without a verdict.
. "$(dirname "$0")/../lib/test.sh"
results() { /usr/bin/python3 "$TOP/tests/lib/piglit_results.py" "$@"; }

# run DIR NAME=RESULT/EXIT STATUS[/IMAGE...] ...: results as piglit writes them.
run() {
   local dir=$WORK/$1 test image sep='' list; shift
   mkdir -p "$dir"
   {
      printf '{"tests": {'
      for test in "$@"; do
         IFS=/ read -r -a list <<<"${test#*=}"
         printf '%s"%s": {"result": "%s", "returncode": %s, ' "$sep" "${test%%=*}" \
            "${list[0]}" "${list[1]}"
         printf '"subtests": {"part": "pass", "__type__": "Subtests"}, "err": "noise\\n'
         for image in "${list[@]:2}"; do printf 'attila-image: %s\\n' "$image"; done
         printf '"}'
         sep=,
      done
      printf '}}'
   } >"$dir/results.json"
}
# says TEXT ARGUMENTS: the comparison succeeds and says so.
says() {
   local text=$1; shift
   results "$@" >"$WORK/log" && grep -Eq -- "$text" "$WORK/log" ||
      { cat "$WORK/log"; fail "not said with success: $text"; }
}
image='0 present 160x160 color 01234567 depth 89abcdef a-0.png'
second='1 swap none incomplete'
run one "a=pass/0/$image/$second" b=skip/null "c=fail/1/$image"
run same "a=pass/0/$image/$second" b=skip/null "c=fail/1/$image"
run depth "a=pass/0/${image/89/88}/$second" b=skip/null "c=fail/1/$image"
run fewer "a=pass/0/$image" b=skip/null "c=fail/1/$image"
run verdict "a=pass/0/$image/$second" b=skip/null "c=crash/-11/$image"
run none a=pass/0 b=skip/null c=fail/1
cd "$WORK" || fail "no $WORK"

says '^Verdicts: the same for 3 of 3 tests' --against same --must-match one
says '^Images: 2 tests present 3; the same for 2 tests, different for 0' \
   --against same --must-match one
says '^Images: not recorded by both' --against none --must-match one
expect_failure 1 'a: image 0 and 0 more of 2: here .* 89abcdef, there .* 88abcdef \(a-0.png\)' \
   results --against depth --must-match one
expect_failure 1 "a: image 1 and 0 more of 2: here ${second#1 }, there none" \
   results --against fewer --must-match one
expect_failure 1 'c: here Fail, there Crash' results --against verdict --must-match one
# What fails here and passes there is printed first.
run better a=pass/0 b=pass/0 c=pass/0
expect_failure 1 '^Pass only there: 1$' results --against better --must-match one
grep -A1 '^Pass only there' "$WORK/expect" | grep -q 'c: here Fail, there Pass' ||
   fail "c passes only there"
grep -A1 '^Other differences: 1' "$WORK/expect" | grep -q 'b: here Skip, there Pass' ||
   fail "b is skipped here"
expect_failure 1 '^Pass only here: 1$' results --against one --must-match better
# Against anything but the other mode a difference is only told.
says 'different for 1' --against depth one
says 'c: here Fail, there Crash' --against verdict one

# What a signal ended is a crash; what ended by itself without a verdict is a failure that is
# listed.
mkdir expected
run ends signal=crash/-6 silent=notrun/0 lost=incomplete/null late=pass/-11
says '4 executed: 0 passed .* 2 failed, 2 crashed' ends
says 'silent: exit status 0' ends
says 'lost: exit status not recorded' ends
expect_failure 1 'Regressions: 4' results --expect expected ends
printf '%s\n' '# x' signal,Crash silent,Fail '' '# y' '# z' lost,Fail late,Crash \
   >expected/attila-fails.txt
says '4 executed' --expect expected ends
sed -i 's/signal,Crash/signal,Fail/' expected/attila-fails.txt
expect_failure 1 'signal,Crash \(expected Fail\)' results --expect expected ends

# The lists have the form of Mesa's: comments are lines of their own. Each test has a reason.
printf '%s\n' '# x' signal,Crash '' lost,Fail >expected/attila-fails.txt
expect_failure 1 'fails.txt:4: no reason given in the lines above' results --expect expected ends
for list in "$TOP"/src/gallium/drivers/attila/ci/*-fails.txt; do
   ! grep -vE '^(#.*|[^#",]+,(Fail|Crash|Timeout))?$' "$list" || fail "$list: not Mesa's form"
   results --expect "$(dirname "$list")" ends >"$WORK/log" 2>&1
   ! grep 'no reason' "$WORK/log" || fail "$list"
done
