#!/bin/bash
# Every command line of README, CONTRIBUTING and docs/ works: a shell runs the ```sh blocks of a
# page in their order in a copy of the source tree, which has a capture of two frames in place of a
# game's. tests/lib/page_commands.py says how a block is marked that cannot be run here. First the
# test itself, on pages that have something wrong. With arguments: these pages only.
# shellcheck disable=SC2016 # pages have variables and backticks
. "$(dirname "$0")/../lib/house.sh"
[ ! -x "$BUILD/tests/gl/frames" ] || need_display "$@"
commands() { /usr/bin/python3 "$TOP/tests/lib/page_commands.py" "$@"; }

# tried PAGE: runs the blocks of a page; leaves the folder's name in $place.
tried() {
   local page=$1 name status
   name=$(basename "$page" .md)
   place=$WORK/page-$name
   rm -rf "$place"
   mkdir -p "$place" "$WORK/tmp"
   (cd "$TOP" && printf '%s\0' "${files[@]}" | xargs -0 cp -P --parents -t "$place") ||
      fail "no copy of the tree"
   for what in "$TOP"/build-*; do [ ! -e "$what" ] || ln -s "$what" "$place/"; done
   ln -s "$BUILD" "$place/build"
   cp "$TOP/tests/golden/desktop.attila" "$place/game.attila"
   commands "$page" >"$WORK/script" || return 1
   # A reader's /tmp is not this machine's.
   sed -i "s#/tmp/#$WORK/tmp/#g" "$WORK/script"
   grep '^# not ' "$WORK/script" | sed "s/^# not /$name.md:/"
   : >"$WORK/lines"
   ( cd "$place" && PATH=$PWD/scripts/bin:$PWD/build/src/sim:$PWD/build/src/tools:$PATH
     exec timeout 600 bash -eu "$WORK/script" ) \
      >"$WORK/log" 2>&1 </dev/null 3>>"$WORK/lines"
   status=$?
   ran=$((ran + $(wc -l <"$WORK/lines")))
   [ $status = 0 ] || { tail -n 20 "$WORK/log"
      echo "$page:$(tail -n 1 "$WORK/lines"): status $status"; return 1; }
}
tracked .
ran=0 place=

# page NAME LINE...: a page to try the test on
page() { printf '%s\n' "${@:2}" >"$WORK/$1.md"; }
fence='```'
page good '```sh' 'echo one >a' "$fence" '<!-- run with: PROGRAM=true DIR=x+y -->' '```sh' \
   'PROGRAM DIR; test -e a; echo DIR >b; two=2' "$fence" '```sh' 'test $two = 2' "$fence" \
   '<!-- not run: it fails -->' '```sh' false "$fence"
tried "$WORK/good.md" >"$WORK/said" || fail "a page without an error"
[ "$ran" = 3 ] && [ "$(cat "$place/b")" = 'x y' ] && grep -q 'good.md:12: it fails' "$WORK/said" ||
   fail "blocks are not run, replaced or left out as they should: $ran"
wrong() { # TEXT LINE...
   page bad "${@:2}"
   tried "$WORK/bad.md" >"$WORK/said" 2>&1 && fail "no error: $1"
   grep -q "$1" "$WORK/said" || { cat "$WORK/said"; fail "not said: $1"; }
}
wrong 'bad.md:1: status 1' '```sh' 'true' 'false' 'true' "$fence"
wrong 'bad.md:1: status 1' '```sh' 'x=$nothing' "$fence"
wrong "'not run' says nothing" '<!-- not run: -->' '```sh' true "$fence"
wrong 'no block below' '<!-- not run: a GPU is missing -->' text '```sh' true "$fence"
wrong 'the block has no DIR' '<!-- run with: DIR=o -->' '```sh' true "$fence"
wrong 'not ```sh' '```' 'scripts/setup --help' "$fence"

# --- The pages ---
[ -x "$SIM" ] && [ -x "$BUILD/tests/gl/frames" ] || skip "no build with Mesa"
for tool in glmark2 glxgears apitrace glretrace sqlite3 npm; do
   command -v $tool >/dev/null || skip "no $tool"
done
"$TOP/scripts/lib/report_bundle.sh" >"$WORK/log" 2>&1 ||
   { cat "$WORK/log"; grep -q 'could not fetch' "$WORK/log" && skip "npm packages: no network"
     fail "the page of reports cannot be bundled"; }
# A program that has no end of its own draws three frames; a reader has a display.
export ATTILA_FRAMES=3
ran=0
cd "$TOP" || fail "no $TOP"
pages=("$@")
[ $# -gt 0 ] || mapfile -t pages < <(git ls-files '*.md' | xargs grep -l '^ *```sh')
[ $# -gt 0 ] || [ ${#pages[@]} -ge 5 ] || fail "no pages: ${pages[*]}"
bad=0
for page in "${pages[@]}"; do tried "$TOP/$page" || bad=$((bad + 1)); done
[ $bad = 0 ] || fail "$bad pages have commands that do not work"
[ $ran -gt 0 ] || fail "no command was run"
echo "$ran blocks of commands in ${#pages[@]} pages work"
