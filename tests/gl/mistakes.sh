#!/bin/bash
# Every mistake of mistakes.txt ends with its status and a sentence, or is right to succeed; none
# with a traceback. Each command and script is in that list. Not here: which options there are
# (tests/sim/usage.sh, options.sh).
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/core43" ] || skip "no build with Mesa"
for tool in glxgears glxinfo Xvfb; do command -v $tool >/dev/null || skip "no $tool"; done
need_display
export TOP BUILD
PATH=$TOP/scripts/bin:$(dirname "$SIM"):$PATH
cd "$WORK" || fail "no $WORK"
printf '[GPU]\nNumFragmentShader = 8\n' >badkey.ini
printf '[GPU]\nNumFragmentShaders = many\n' >badval.ini
printf '[GPU]\nNumFragmentShaders = 99\n' >range.ini
printf '[GPUS]\nNumFragmentShaders = 8\n' >badsec.ini
printf 'NumFragmentShaders = 8\n' >nosec.ini
printf 'this is no machine\n' >garbage.ini
printf '[sweep]\n[parameters]\nGPU.NumFragmentShader = 1,2\n' >typo.ini
printf '[sweep]\n[parameters]\nGPU.NumFragmentShaders = 1,2\n' >nocaptures.ini
cp "$TOP/python/examples/space.ini" .
for file in "$TOP"/tests/golden/*.attila; do cp "$file" "$(basename "$file" .attila).golden"; done
mkdir dir.ini
head -c 100000 "$TOP/tests/golden/build.attila" >trunc.attila
# after CONDITION SIGNAL COMMAND...: sends the signal as soon as the condition holds, in which $pid
# is the command's process, and has the status of the command.
after() {
   local condition=$1 signal=$2 pid; shift 2
   set -m # else the shell makes it ignore SIGINT
   "$@" & pid=$!
   until eval "$condition"; do
      kill -0 $pid || { echo "it ended before: $condition" >&2; return 1; }
      sleep 0.02
   done
   kill -s "$signal" $pid
   wait $pid
}
export -f after
num=0 bad=0
while IFS= read -r line; do
   case $line in
   ''|'#'*) continue ;;
   '$ '*) command=${line#\$ }; continue ;;
   esac
   want=${line%% *} text=${line#* }
   timeout 60 bash -c "$command" >"$WORK/out.log" 2>"$WORK/error.log" </dev/null; status=$?
   num=$((num + 1))
   if [ $status != "$want" ] || grep -q Traceback "$WORK/error.log" ||
      { [ "$text" != - ] && ! grep -Eq -- "$text" "$WORK/error.log"; }; then
      echo "--- $command: status $status, not $want, or not said: $text"
      head -n 5 "$WORK/error.log"
      bad=$((bad + 1))
   fi
done <"$TOP/tests/gl/mistakes.txt"
[ $bad = 0 ] || fail "$bad of $num mistakes"
# None of them is forgotten.
programs=$("$SIM" --help | sed -n '/^Subcommands/,/^$/s/^  \([a-z-]*\) .*/attila-sim \1/p'
   attila --help | sed -n 's/^    \([a-z][a-z-]*\).*/\1/p'
   find "$TOP/scripts" -maxdepth 1 -type f -executable -printf '%f\n')
[ "$(wc -l <<<"$programs")" -gt 50 ] || fail "few programs: $programs"
while read -r name; do
   grep -Eq "^\\$ .*\b$name\b" "$TOP/tests/gl/mistakes.txt" || fail "no mistake of $name"
done <<<"$programs"
[ $num -ge 68 ] || fail "only $num mistakes"
echo "$num mistakes"
