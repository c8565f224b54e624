#!/bin/bash
# No line is longer than 100 characters, and every C file begins with the licence and a comment that
# says what it is for. Layout of C: format.sh.
. "$(dirname "$0")/../lib/house.sh"
longest=100

# What may be longer: files (a pattern of their path), lines in them (a regular expression), why.
# A line of this list that excuses nothing any more is an error, too.
exceptions='
*.md                        ^\|                 a row of a table in Markdown is one line
docs/images/*.svg           .                   drawings
python/src/attila/pages/*   .                   a line of a template is one of the page
docs/reference/statistics.md .                  attila-sim prints it
docs/reference/units.md     .                   attila-sim prints it
tests/timing/keys.txt       ^[A-Z0-9]+[.]      a parameter is one line
subprojects/wayland-protocols.wrap ^source_url  an address is one value
subprojects/packagefiles/*  .                   patches keep the lines of Mesa
tests/sim/extending.patch   .                   a patch puts a column before the lines of sources
tests/piglit/*              .                   names of tests
tests/timing/*.csv          .                   a row of numbers is one line
docs/notebook/studies/*.csv .                   a claim is one row
python/examples/*.ipynb     .                   an output of a cell is one line
src/report-html/package-lock.json integrity     npm writes it
'
excused() { # file, line's text: whether an exception holds; marks it as used
   local path line number=0
   while read -r path line _; do
      number=$((number + 1))
      [ -n "$path" ] || continue
      # shellcheck disable=SC2053 # a pattern
      if [[ $1 == $path && $2 =~ $line ]]; then used[number]=1; return 0; fi
   done <<<"$exceptions"
   return 1
}

tracked .
long=0 used=()
# Binary files have no lines; the captures and pictures are such.
LC_ALL=C.UTF-8 grep -nIE "^.{$((longest + 1)),}$" "${files[@]/#/$TOP/}" >"$WORK/long"
while IFS= read -r hit; do
   hit=${hit#"$TOP/"}
   file=${hit%%:*} rest=${hit#*:}
   excused "$file" "${rest#*:}" && continue
   echo "$file:${rest%%:*}: longer than $longest characters"
   long=$((long + 1))
done <"$WORK/long"
[ -s "$WORK/long" ] || fail "no line is long: the search itself is broken, tables are"
number=0 stale=0
while read -r path line _; do
   number=$((number + 1))
   [ -z "$path" ] || [ -n "${used[number]:-}" ] ||
      { echo "excuses nothing: $path $line"; stale=$((stale + 1)); }
done <<<"$exceptions"

tracked '*.c' '*.h'
heads=0
for file in "${files[@]}"; do
   { read -r copyright; read -r licence; read -r blank; read -r text; } <"$TOP/$file"
   [ "$licence|$blank" = "* SPDX-License-Identifier: MIT|*" ] &&
      [[ $copyright =~ ^/\*\ Copyright\ [0-9]{4}\ The\ Attila\ developers$ ]] &&
      [[ $text =~ ^\*\ .{10} ]] && continue
   echo "$file:1: does not begin with copyright, licence and what the file is for"
   heads=$((heads + 1))
done
[ $((long + stale + heads)) = 0 ] ||
   fail "$long long lines, $heads files with another head, $stale exceptions for nothing"
echo "$(wc -l <"$WORK/long") lines are long for a reason; ${#files[@]} C files have their head"
