#!/bin/bash
# The name of a static function begins with the first word of its file's name, so that a stack trace
# can be read (CONTRIBUTING.md): with attila_ in the driver and the compiler, which share one with
# Mesa, without attila_ or sim_ elsewhere.
. "$(dirname "$0")/../lib/house.sh"
folders=(src/compiler src/gallium/drivers/attila src/hw src/sim src/tools)

# unprefixed FILE...: prints the static functions whose names have another beginning, those that a
# macro makes, too.
unprefixed() {
   awk '
      FNR == 1 {
         word = FILENAME
         sub(".*/", "", word)
         sub(/^(attila|sim)_/, "", word)
         sub(/[_.].*/, "", word)
         prefix = (FILENAME ~ /src\/(compiler|gallium)\// ? "attila_" : "") word
         is_static = 0
      }
      {name = ""}
      is_static && match($0, /^[a-z][A-Za-z0-9_]*\(/) {name = substr($0, 1, RLENGTH - 1)}
      /^ *static / && match($0, /^[^=;(]*[ *][a-z][A-Za-z0-9_#]*\(/) {
         name = substr($0, 1, RLENGTH - 1)
         sub(/.*[ *]/, "", name)
      }
      name != "" && name != prefix && index(name, prefix "_") != 1 {
         print FILENAME ":" FNR ": " name " does not begin with " prefix "_"
      }
      {is_static = /^static .*[a-z0-9_*]$/}' "$@"
}

# Of each two names the first is wrong.
mkdir -p "$WORK/src/gallium" "$WORK/src/compiler" "$WORK/src/sim" || fail "no folder"
statics() { printf 'static void\n%s(int a)\n{\n}\n' "$@"; }
statics cs_emit attila_cs_emit >"$WORK/src/gallium/attila_cs.c"
statics nir_run attila_nir_run >"$WORK/src/compiler/attila_nir_lower.c"
statics find cs_find >"$WORK/src/sim/sim_cs.c"
printf '   static inline void %s##type(int a) \\\n' copy_ attila_copy_ \
   >"$WORK/src/gallium/attila_copy.c"
unprefixed "$WORK"/src/*/*.c | sed 's#.*/##' | LC_ALL=C sort >"$WORK/log"
diff - "$WORK/log" <<'END' || fail "the check itself is broken"
attila_copy.c:1: copy_##type does not begin with attila_copy_
attila_cs.c:2: cs_emit does not begin with attila_cs_
attila_nir_lower.c:2: nir_run does not begin with attila_nir_
sim_cs.c:2: find does not begin with cs_
END

tracked "${folders[@]/%/\/*.c}"
checked=()
for file in "${files[@]}"; do [[ $file == */tests/* ]] || checked+=("$TOP/$file"); done
unprefixed "${checked[@]}" >"$WORK/log"
[ ! -s "$WORK/log" ] ||
   { sed "s#^$TOP/##" "$WORK/log"; fail 'see CONTRIBUTING.md, "Rules of the code"'; }
echo "${#checked[@]} files"
