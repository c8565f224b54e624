#!/bin/bash
# Tests name no path outside their own folder but those that every system has: on some machine there
# is a folder such as "/nowhere", and root would write into it. A path below /dev/null is never
# there. First the search itself.
. "$(dirname "$0")/../lib/house.sh"

# outside FOLDER FILE...: prints such paths: what begins a literal of C, or follows '=' elsewhere.
outside() {
   (cd "$1" && shift && for file; do
      case $file in *.[ch]) before='"' ;; *) before='=' ;; esac
      grep -HnoE "$before/[a-z][^\" ,;:]*" "$file" |
         grep -vE "$before/(dev|proc|sys|tmp|usr|bin|sbin|etc)(/|\$)"
   done)
}
mkdir "$WORK/tree"
printf '%s\n' 'open("/nowhere/x");' 'open("/dev/null/x"); sprintf("%s/x", dir);' >"$WORK/tree/a.c"
printf '%s\n' 'HOME=/nowhere run' 'HOME=/dev/null/x A="/tests" run' >"$WORK/tree/b.sh"
outside "$WORK/tree" a.c b.sh >"$WORK/found"
printf '%s\n' 'a.c:1:"/nowhere/x' 'b.sh:1:=/nowhere' | diff - "$WORK/found" ||
   fail "the search itself"

tracked 'tests/*.c' 'tests/*.h' 'tests/*.sh' 'tests/*.txt' 'src/*/tests/*.c' 'src/*/tests/*.h'
checked=()
for file in "${files[@]}"; do [ "$file" = tests/house/outside.sh ] || checked+=("$file"); done
outside "$TOP" "${checked[@]}" >"$WORK/found"
[ ! -s "$WORK/found" ] ||
   { cat "$WORK/found"; fail "name a path below \$WORK, mkdtemp() or /dev/null"; }
echo "${#checked[@]} files"
