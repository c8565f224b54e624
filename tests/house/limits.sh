#!/bin/bash
# No source has more than 700 lines, no C function more than 80 from brace to brace. First the
# search itself, on a tree with one of each that is too long.
. "$(dirname "$0")/../lib/house.sh"
most_lines=700 most_function=80

# What may be longer: a file, or a file and a function's name, and why. A line of this list that
# excuses nothing any more is an error, too.
exceptions='
'

# too_long FOLDER FILE...: a line "FILE:LINE: WHAT" for each file or function that is too long.
too_long() {
   local top=$1; shift
   (cd "$top" && awk -v most="$most_lines" -v most_function="$most_function" '
      function file_ends() {
         if (lines > most) print name ":1: " lines " lines"
      }
      FNR == 1 {file_ends(); name = FILENAME; begin = 0; c = name ~ /\.[ch]$/}
      {lines = FNR}
      # As clang-format writes it: a function is named at the beginning of a line, and its braces
      # are alone in the first column.
      c && /^[a-zA-Z_][a-zA-Z_0-9 *]*\(/ {called = $0; sub(/\(.*/, "", called)
                                          sub(/.*[ *]/, "", called)}
      c && /^\{/ {begin = FNR}
      c && /^\}/ && begin {
         if (FNR - begin + 1 > most_function)
            print name ":" begin ": " called " has " FNR - begin + 1 " lines"
         begin = 0
      }
      END {file_ends()}' "$@")
}
mkdir "$WORK/tree"
{ seq -f '// %g' 698; printf 'int\nf(int a)\n{\n}\n'; } >"$WORK/tree/long.c"
{ printf 'static char *\nright(void)\n{\n'; seq -f '// %g' 78; printf '}\n'
  printf 'int wrong(int a, ...)\n{\n'; seq -f '// %g' 79; printf '}\n'; } >"$WORK/tree/function.c"
seq 700 >"$WORK/tree/right.py"
seq 701 >"$WORK/tree/wrong.py"
too_long "$WORK/tree" function.c long.c right.py wrong.py >"$WORK/found"
printf '%s\n' 'function.c:84: wrong has 81 lines' 'long.c:1: 702 lines' 'wrong.py:1: 701 lines' |
   diff - "$WORK/found" || fail "the search itself"

tracked '*.c' '*.h' '*.py' '*.sh' '*.js' '*.mjs' '*.css' scripts
too_long "$TOP" "${files[@]}" >"$WORK/found"
bad=0
while read -r hit; do
   file=${hit%%:*} what=${hit#*: }
   if [[ $what == *' has '* ]]; then what="$file ${what%% has *}"; else what=$file; fi
   if grep -q "^$what   " <<<"$exceptions"; then echo "$what" >>"$WORK/used"; continue; fi
   echo "$hit"
   bad=$((bad + 1))
done <"$WORK/found"
while IFS= read -r line; do
   [ -n "$line" ] || continue
   grep -qsx "${line%%   *}" "$WORK/used" ||
      { echo "excuses nothing: $line"; bad=$((bad + 1)); }
done <<<"$exceptions"
[ $bad = 0 ] || fail "$most_lines lines a file, $most_function a function: see above"
echo "${#files[@]} files are within the limits"
