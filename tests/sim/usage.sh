#!/bin/bash
# Wrong options of scripts and of attila-sim end in a message and a status, not in a traceback or a
# run; what only prints (--help, --version, --list, --packages) writes no file. Not here:
# attila-run, which has more to check (tests/gl/options.sh).
. "$(dirname "$0")/../lib/test.sh"
# In a copy of the tree. Python's caches do not count.
tree() { find "$copy" -name __pycache__ -prune -o -type f -printf '%p %s %T@\n' -o -print | sort; }
copy=$WORK/copy
mkdir "$copy" && cp -r "$TOP"/{configs,python,scripts,src,tests} "$copy" || fail "no copy"
export ATTILA_BUILD_DIR=${SIM%/src/sim/attila-sim} PYTHONDONTWRITEBYTECODE=1
tree >"$WORK/before"
for script in "$copy"/scripts/*; do
   [ -f "$script" ] && [ -x "$script" ] || continue
   name=$(basename "$script")
   # attila-run's options are attila-sim's.
   [ "$name" != attila-run ] || [ -x "$SIM" ] || continue
   quietly "$script --help" timeout 60 "$script" --help
   grep -Eq "^Usage: (scripts/|attila )?(attila-)?${name#attila-}" "$WORK/log" ||
      fail "$script --help has no usage"
   cp "$WORK/log" "$WORK/help"
   for option in --list --packages; do
      grep -qE "^  $option " "$WORK/help" || continue
      quietly "$script $option" timeout 60 "$script" "$option"
      [ -s "$WORK/log" ] || fail "$script $option prints nothing"
   done
   expect_failure 2 'unknown option|[Uu]sage|unrecognized (option|arguments)' \
      timeout 60 "$script" --nonsense
   ! [ -x "$SIM" ] || ! grep -q lib/common.sh "$script" ||
      "$script" --version | grep -q '^attila-sim [0-9]' || fail "$script --version"
   ! grep -q Traceback "$WORK/expect" || { cat "$WORK/expect"; fail "$script --nonsense"; }
done
tree | diff "$WORK/before" - || fail "scripts that only print change the tree (>)"
expect_failure 2 "takes a number from 1, not '-3'" "$TOP/scripts/record-frames" --out "$WORK" \
   --frames=-3 --trace x
expect_failure 1 'no frames.csv in' "$TOP/scripts/check-rows" "$WORK"
[ -x "$SIM" ] || skip "no build"
build=$TOP/tests/golden/build.attila
expect_failure 2 'Usage: attila-sim SUBCOMMAND' "$SIM"
expect_failure 2 'no subcommand "nonsense"' "$SIM" nonsense
expect_failure 2 'no subcommand "nonsense"' "$SIM" nonsense "$build"
expect_failure 2 'run: expected FILE' "$SIM" run
expect_failure 2 'one argument too many' "$SIM" run "$build" "$build"
expect_failure 1 'none: No such file' "$SIM" run "$WORK/none"
expect_failure 1 'not a capture file' "$SIM" info "$WORK"
expect_failure 2 'mode "x": expected cycle, functional or half' "$SIM" run "$build" -m x

# What cannot be written is refused before the work, which would end with another error.
touch "$WORK/file"
mkdir "$WORK/folder" "$WORK/folder.pftrace"
cannot() { expect_failure 1 "$1" "$SIM" "${@:2:1}" "$build" "${@:3}"; }
cannot 'folder is a folder: name a file' picture --draw 999 -o "$WORK/folder"
cannot 'none/x.png: there is no folder' picture --draw 999 -o "$WORK/none/x.png"
cannot 'file is a file: name a folder' picture --draw 999 --out "$WORK/file"
cannot 'file is a file: name a folder' maps --frame 999 --out "$WORK/file"
cannot 'file is a file: name a folder' run --frames 999 --out "$WORK/file"
cannot 'folder.pftrace is a folder: name a file' run --frames 999 --trace "$WORK/folder.pftrace"
cannot 'folder is a folder: name a file' reprogram 1=none -o "$WORK/folder"
# A folder of the same command may come to be.
quietly "a trace in --out" "$SIM" run "$build" --frames 0 --out "$WORK/made" \
   --trace "$WORK/made/x.pftrace"
for command in 'sample none' 'sweep none.ini' 'studies zhang' 'studies evolution none' \
   shader-table; do
   # shellcheck disable=SC2086 # a list of words
   expect_failure 1 'file is a file: name a folder' "$TOP/scripts/attila" $command \
      --out "$WORK/file"
done
expect_failure 1 'file is a file: name a folder' "$TOP/scripts/attila" compare --out "$WORK/file" \
   glxgears

# Control characters of files and names do not reach a terminal.
escaped() { # COMMAND...
   "$@" >"$WORK/log" 2>&1
   ! grep -q $'[\e\a\b]' "$WORK/log" && grep -qF '\x1b[31mred\x07' "$WORK/log" ||
      { cat -v "$WORK/log"; fail "control characters: $*"; }
}
red=$'\e[31mred\a'
printf '[GPU]\n%s = 4\n' "$red" >"$WORK/red.ini"
escaped "$SIM" describe --config "$WORK/red.ini"
printf '[sweep]\n[parameters]\nGPU.%s = 1,2\n' "$red" >"$WORK/space.ini"
escaped "$TOP/scripts/attila-sweep" "$WORK/space.ini" "$build"
cp "$build" "$WORK/$red.attila"
escaped "$SIM" info "$WORK/$red.attila"
quietly "a run in a red folder" "$SIM" run "$build" --frames 0 --out "$WORK/$red"
escaped "$TOP/scripts/attila" summary "$WORK/$red"
escaped "$SIM" picture "$build" --draw 0 --out "$WORK/$red"

# An option of another subcommand is an error.
expect_failure 2 "disasm: unrecognized option '--jobs'" "$SIM" disasm "$build" --jobs 3
expect_failure 2 "bench: unrecognized option '--label'" "$SIM" bench "$build" --label x
expect_failure 2 "info: unrecognized option '--out'" "$SIM" info "$build" --out "$WORK/x"

# Every subcommand has help of its own, in lines of 100 characters, with exactly the options that it
# takes; so does attila-run.
"$SIM" --help >"$WORK/all" || fail "--help"
commands=$(sed -n '/^Subcommands/,/^$/s/^  \([a-z-]*\) .*/\1/p' "$WORK/all")
[ "$(wc -w <<<"$commands")" -ge 20 ] || fail "--help lists too few subcommands"
options() {
   grep -oE '^ {2,6}(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | grep -vE '^--(help|version)$' |
      sort
}
for command in $commands attila-run; do
   quietly "help $command" "$SIM" help "$command"
   grep -Eq "^Usage: (attila-sim )?($command|attila-run)" "$WORK/log" || fail "$command: no usage"
   ! grep -E '.{101}' "$WORK/log" || fail "$command: a line is too long"
   diff <(options <"$WORK/log") <("$SIM" options "$command" | cut -f 1 | sort) ||
      fail "$command: help and options differ"
   [ "$command" = attila-run ] ||
      "$SIM" "$command" --help | cmp - "$WORK/log" || fail "$command --help is not its help"
done
for command in version --version; do
   "$SIM" $command | grep -Eq '^attila-sim [0-9.]+ \((release|[0-9a-f]+(-dirty)?)\)$' ||
      fail "$command"
done

# attila-run gives the program its words, and variables with whole paths.
cd "$WORK" || fail "no $WORK"
# shellcheck disable=SC2016 # the program expands them
got=$(ATTILA_SET=GPU.NumStampPipes=4 size=5 launch --set GPU.NumFragmentShaders=2 \
   --mode=functional --out "it's" --threads 3 -- sh -c 'echo "$ATTILA_SET|$ATTILA_MODE|$ATTILA_OUT"
      echo "$ATTILA_THREADS|${ATTILA_PLACES:-}|$#|$1|$2"' prog --mode "a b" 2>"$WORK/log") ||
   { cat "$WORK/log"; fail "launch"; }
[ "$got" = "GPU.NumStampPipes=4;GPU.NumFragmentShaders=2|functional|$WORK/it's
3||2|--mode|a b" ] || fail "launch: $got"
expect_failure 2 "unrecognized option '--nonsense'" "$SIM" launch --nonsense prog
expect_failure 2 'expected PROGRAM' "$SIM" launch
expect_failure 1 'start attila-run' "$SIM" launch true
expect_failure 2 'simulated-clock needs --driver attila' "$SIM" launch --simulated-clock \
   --driver softpipe prog
expect_failure 2 'needs cycle or half mode' env ATTILA_MODE=functional "$SIM" launch \
   --simulated-clock prog
expect_failure 2 'frames 4-5 end before the program does' "$SIM" launch --cycle-frames 4-5 prog
expect_failure 2 'size "0x7": expected WIDTHxHEIGHT' "$SIM" launch --size 0x7 prog
expect_failure 2 'ATTILA_FRAMES=many: expected a whole number' \
   env ATTILA_FRAMES=many "$SIM" launch prog
expect_failure 1 'GPU.NumFragmentShaders = 99.*1 to 64' "$SIM" launch \
   --set GPU.NumFragmentShaders=99 prog

# A full disk is an error of everything that prints.
for command in "info $build" "dump $build" "disasm $build" "features $build" describe interface \
   area options version help; do
   # shellcheck disable=SC2086 # a list of words
   "$SIM" $command >/dev/full 2>"$WORK/log"; status=$?
   [ $status = 1 ] && grep -q 'No space left' "$WORK/log" ||
      { cat "$WORK/log"; fail "$command on a full disk: status $status"; }
done
# Without standard streams no file of the run takes their place.
"$SIM" run "$build" --frames 0 --mode functional --out "$WORK/closed" --progress >&- 2>&- <&-
"$SIM" run "$build" --frames 0 --mode functional --out "$WORK/open" --progress >/dev/null 2>&1
for file in frames.csv draws.csv; do
   ! grep -av '^[0-9]*,\|^frame,' "$WORK/closed/$file" || fail "$file has what was printed"
   [ "$(wc -l <"$WORK/closed/$file")" = "$(wc -l <"$WORK/open/$file")" ] ||
      fail "$file without streams"
done
