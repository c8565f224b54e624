#!/bin/bash
# The name of a static function begins with the first word of its file's name, without attila_ or
# sim_, so that a stack trace can be read (CONTRIBUTING.md).
. "$(dirname "$0")/../lib/house.sh"
folders=(src/compiler src/gallium/drivers/attila src/hw src/sim src/tools)

# unprefixed FILE...: prints the static functions whose names have another beginning.
unprefixed() {
   awk '
      FNR == 1 {
         word = FILENAME
         sub(".*/", "", word)
         prefix = sub(/^attila_nir/, "attila_nir", word) ? "attila_nir" : ""
         sub(/^(attila|sim)_/, "", word)
         sub(/[_.].*/, "", word)
         if (prefix == "") prefix = word
         is_static = 0
      }
      is_static && match($0, /^[a-z][A-Za-z0-9_]*\(/) {
         name = substr($0, 1, RLENGTH - 1)
         if (name != prefix && index(name, prefix "_") != 1)
            print FILENAME ":" FNR ": " name " does not begin with " prefix "_"
      }
      {is_static = /^static .*[a-z0-9_*]$/}' "$@"
}
mkdir "$WORK/src" || fail "no folder"
printf '%s\n' 'static void' 'cs_emit(int a)' '{' '}' 'static int' 'find(void)' '{' '}' \
   >"$WORK/src/attila_cs.c"
printf '%s\n' 'static bool' 'nir_run(void)' >"$WORK/src/attila_nir_lower.c"
unprefixed "$WORK"/src/*.c >"$WORK/log"
[ "$(grep -c . "$WORK/log")" = 2 ] && grep -q ':6: find does not begin with cs_$' "$WORK/log" &&
   grep -q ':2: nir_run does not begin with attila_nir_$' "$WORK/log" ||
   { cat "$WORK/log"; fail "the check itself is broken"; }

tracked "${folders[@]/%/\/*.c}"
checked=()
for file in "${files[@]}"; do [[ $file == */tests/* ]] || checked+=("$TOP/$file"); done
unprefixed "${checked[@]}" >"$WORK/log"
[ ! -s "$WORK/log" ] ||
   { sed "s#^$TOP/##" "$WORK/log"; fail 'see CONTRIBUTING.md, "Rules of the code"'; }
echo "${#checked[@]} files"
