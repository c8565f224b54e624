#!/bin/bash
# scripts/validate-timing: the small streams of tests/timing/ take as many cycles as
# validation.md says, and every case outside 10 % of the original has its sentence; each way of
# being wrong is found; and configs/attila-bgpu.ini is the machine that the original's figures are
# for. Not here: recording the streams anew (scripts/validate-timing --capture).
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
validate=$TOP/scripts/validate-timing

# --- Options ---
quietly "help" "$validate" --help
grep -q -- --variations "$WORK/log" || fail "the help says nothing of --variations"
expect_failure 2 'there is no case nothing; there are: fill' "$validate" nothing
expect_failure 2 'unrecognized arguments: --wrong' "$validate" --wrong
expect_failure 2 'takes a number from 1' "$validate" --jobs 0
expect_failure 2 'exclude each other' "$validate" --check --update
expect_failure 2 'goes with --update' "$validate" --accept
expect_failure 2 'has all cases and the configuration' "$validate" --check fill
expect_failure 1 'no captures' "$validate" --folder "$WORK"
expect_failure 1 'original.frames.csv.gz' "$validate" --import "$WORK" --into "$WORK"
quietly "all statistics of a case" "$validate" -o "$WORK/all.csv" clear
grep -q '^clear,cycles,5664,[1-9]' "$WORK/all.csv" || fail "no cycles in what -o writes"

# --- What is wrong is found: a copy with two cases ---
tree=$WORK/tree
mkdir -p "$tree"/{python/src,scripts/lib,tests/timing,docs/images,docs/notebook} || fail "no $tree"
cp -r "$TOP/python/src/attila" "$tree/python/src/"
cp "$TOP"/scripts/lib/{common,paths,sim}.sh "$tree/scripts/lib/"
cp "$TOP"/tests/timing/{clear.attila,many_draws.attila,reference.ini} "$tree/tests/timing/"
printf '= Bytes (parts of a sum)\n%s\n%s\n' CommandProcessor_ReadBytes_MC ColorWrite_WriteBytes_MC \
   >"$tree/tests/timing/statistics.txt"
printf '%s\n' change,case,original,ours,model base,clear,5664,, \
   GPU.NumFragmentShaders=2,clear,5664,, SIMULATOR.UseACD=TRUE,clear,5664,, \
   >"$tree/tests/timing/variations.csv"
ours() { # case, statistic
   awk -F, -v name="$1" -v what="$2" '$1 == name && $2 == what {print $4}' "$WORK/all.csv"
}
copy() {
   PYTHONPATH=$tree/python/src ATTILA_BUILD_DIR=${SIM%/src/sim/attila-sim} \
      /usr/bin/python3 -m attila validate-timing "$@"
}
quietly "the two cases" "$validate" -o "$WORK/all.csv" clear many_draws
# describe BOUND OF clear, ITS original, LINES MORE: both cases as near as they can be, but for that
# and for the few bytes that the command processor reads
describe() {
   printf 'case,cycles,%s,%s\nclear,%s,0,0\nmany_draws,%s,9,%s\n' \
      CommandProcessor_ReadBytes_MC ColorWrite_WriteBytes_MC "$2" "$(ours many_draws cycles)" \
      "$(ours many_draws ColorWrite_WriteBytes_MC)" >"$tree/tests/timing/original.csv"
   printf '[%s]\nwhat = it\nunit = one\nbound = %s\n' many_draws '10 things' clear "$1" \
      >"$tree/tests/timing/cases.txt"
   printf '%s\n' "${@:3}" >>"$tree/tests/timing/cases.txt"
}
right=$(ours clear cycles)
describe '2 * 2 things' "$right"
quietly "a case" copy many_draws
grep -q '^many_draws .* 1.00 ' "$WORK/log" || { cat "$WORK/log"; fail "no ratio"; }
! grep -q '_MC ' "$WORK/log" || { cat "$WORK/log"; fail "less than 1 % of the bytes counts"; }
sed -i 's/,9,.*/,9,99/' "$tree/tests/timing/original.csv"
quietly "other bytes" copy many_draws
grep -q 'ColorWrite_WriteBytes_MC > 99, CommandProcessor_ReadBytes_MC' "$WORK/log" ||
   { cat "$WORK/log"; fail "other bytes are not told"; }
sed -i 's/CommandProcessor_ReadBytes_MC/Bytes_MC/' "$tree/tests/timing/original.csv"
expect_failure 1 'original.csv has no CommandProcessor_ReadBytes_MC' copy clear
describe '2 * 2 things' "$right"
quietly "writing the page" copy --update
quietly "a page that is right" copy --check
grep -q '| clear | one | 2 × 2 things = 4 |' "$tree/docs/notebook/validation.md" || fail "no bound"
echo more >>"$tree/docs/notebook/validation.md"
expect_failure 1 'docs/notebook/validation.md is not what is measured' copy --check
copy --update >/dev/null
sed -i "s/^clear [0-9.]*/clear 7.00/" "$tree/docs/images/validation.svg"
expect_failure 1 'docs/images/validation.svg is not what is measured' copy --check
describe '4 things' $((right * 2))
expect_failure 1 'clear: ratio 0.50 is outside 10 %, and cases.txt does not say why' copy --update
describe '4 things' $((right * 2)) 'ratio = 0.52' 'outside = as it is'
quietly "a sentence" copy --update
quietly "a page with a sentence" copy --check
grep -q '^- \*\*clear\*\* (0.50): as it is' "$tree/docs/notebook/validation.md" ||
   fail "no sentence"
describe '4 things' $((right * 2)) 'ratio = 0.60' 'outside = as it is'
expect_failure 1 'clear: ratio 0.50, but cases.txt has a sentence for 0.60' copy --check
quietly "accepting it" copy --update --accept
grep -qx 'ratio = 0.50' "$tree/tests/timing/cases.txt" || fail "--accept does not write the ratio"
quietly "an accepted ratio" copy --check
describe '4 things' "$right" 'ratio = 0.60' 'outside = as it is'
expect_failure 1 'is within 10 %, but cases.txt says why it is not' copy --check
describe '4 things' "$right" 'ratio = 0.60'
expect_failure 1 'ratio and outside come together' copy --check
describe '4000 things' "$right" 'reach = 60 %'
quietly "what a bound promises" copy --update
describe '4000 things' "$right" 'reach = 80 %'
expect_failure 1 "clear: 70.5 % of its bound's rate, not 80 to 100 %" copy --update
describe '4000000 things' "$right" 'reach = 80 %'
expect_failure 1 "clear: 70484.6 % of its bound's rate, not 80 to 100 %" copy --update
describe '4 things' "$right" '[slow]' 'what = it' 'unit = one' 'bound = 4 things' 'stream = clear' \
   'set = COLORWRITE.BlocksClearedPerCycle=128'
quietly "a case on another machine" copy clear slow
grep -q '^slow  *- *9259 ' "$WORK/log" || { cat "$WORK/log"; fail "its clears are no slower"; }
mkdir -p "$tree/configs/memory"
cp "$TOP/configs/memory/lpddr4.ini" "$tree/configs/memory/"
describe '4 things' "$right" '[slow]' 'what = it' 'unit = one' 'bound = 4 things' \
   'stream = clear' 'memory = lpddr4'
cp "$TOP/tests/timing/reference.ini" "$TOP/configs/memory/lpddr4.ini" "$WORK/"
echo 'base = reference.ini, lpddr4.ini' >"$WORK/both.ini"
quietly "that memory" "$SIM" run "$TOP/tests/timing/clear.attila" --config "$WORK/both.ini" \
   --out "$WORK/both"
grep -q "^slow  *- *$(column "$WORK/both/frames.csv" cycles) " <(copy slow) ||
   fail "its memory is not LPDDR4"
describe '4 things' "$right" '[slow]' 'what = it' 'unit = one' 'bound = 4 things' \
   'stream = clear' 'memory = none'
expect_failure 1 'configs/memory/none.ini: No such file' copy clear
describe '4 things' "$right" '[slow]' 'what = it' 'unit = one' 'bound = 4 things' 'stream = no'
expect_failure 1 'there is no no.attila' copy clear
describe '4 +' "$right"
expect_failure 1 "'4 \+' cannot be calculated" copy --check
describe 'many' "$right"
expect_failure 1 "'many' is no arithmetic" copy --check
describe '4 things' "$right"
quietly "a change of the configuration" copy --variations
grep -q 'NumFragmentShaders=2  *1.00 / 1.00' "$WORK/log" && grep -q '1 of 1' "$WORK/log" &&
   grep -q 'not measured: SIMULATOR.UseACD=TRUE: there is no such key' "$WORK/log" ||
   { cat "$WORK/log"; fail "changes are not compared"; }
sed -i 's/NumFragmentShaders=2/Nothing=4/' "$tree/tests/timing/variations.csv"
expect_failure 1 'the configuration has no Nothing in \[GPU\]' copy --variations
head -c 100 "$TOP/tests/timing/clear.attila" >"$tree/tests/timing/clear.attila"
expect_failure 1 'clear.attila: chunk at byte 24: the file ends inside it' copy --check

# --- configs/attila-bgpu.ini is the same machine, but for what its head explains ---
keys() { # .ini on standard input: SECTION.Key = value, a line each
   sed -n -e 's/^\[\(.*\)\]$/\1/;t section' -e '/=/{G;s/\(.*\)\n\(.*\)/\2.\1/p}' -e b \
      -e ': section' -e 'h'
}
machine() { "$SIM" describe --format ini --config "$1" 2>/dev/null | keys | sort; }
machine "$TOP/tests/timing/reference.ini" >"$WORK/reference"
machine "$TOP/configs/attila-bgpu.ini" >"$WORK/ours"
keys <"$TOP/tests/timing/reference.ini" | sed 's/ *=.*//' | sort >"$WORK/original"
[ "$(sed 's/ *=.*//' "$WORK/ours" | sort | comm -12 - "$WORK/original" | wc -l)" -gt 90 ] ||
   fail "few keys of the original's are known"
comm -13 "$WORK/reference" "$WORK/ours" | sed 's/ *=.*//' | sort | comm -12 - "$WORK/original" \
   >"$WORK/differ"
grep -Eo '^# +[A-Z]+\.[A-Za-z*]+' "$TOP/configs/attila-bgpu.ini" | tr -d '# ' >"$WORK/excused"
while read -r key; do
   excused=0
   while read -r pattern; do
      # shellcheck disable=SC2053 # a pattern
      [[ $key != $pattern ]] || excused=1
   done <"$WORK/excused"
   [ $excused = 1 ] ||
      fail "configs/attila-bgpu.ini: $key is not the original's, and its head does not say why"
done <"$WORK/differ"

# --- The cases themselves ---
"$validate" --check || fail "see above"
echo "cycles are those of docs/notebook/validation.md; $(wc -l <"$WORK/differ") keys of" \
   "configs/attila-bgpu.ini are not the original's"
