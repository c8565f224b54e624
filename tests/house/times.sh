#!/bin/bash
# How long scripts take is the same wherever a page or a help says it: as in times.txt. Not here:
# what was measured (docs/notebook).
. "$(dirname "$0")/../lib/house.sh"

# quotes FOLDER FILE...: a line "MINUTES: FILE" for each time that a file has, line breaks or not
quotes() {
   local folder=$1 file; shift
   for file; do
      tr '\n' ' ' <"$folder/$file" | grep -oE '[0-9]+( +to +[0-9]+)? +minutes' | tr -s ' ' |
         sed "s#\$#: $file#"
   done | sort -u
}
printf 'It takes 3 to\n5 minutes, or 10\n' >"$WORK/a"
[ "$(quotes "$WORK" a)" = '3 to 5 minutes: a' ] || fail "the search itself"

tracked README.md CONTRIBUTING.md 'docs/*.md' scripts
checked=()
for file in "${files[@]}"; do [[ $file == docs/notebook/* ]] || checked+=("$file"); done
quotes "$TOP" "${checked[@]}" >"$WORK/found"
while IFS=: read -r time names; do
   for name in $names; do echo "$time: $name"; done
done < <(grep -v '^#' "$TOP/tests/house/times.txt") | sort -u >"$WORK/listed"
diff "$WORK/listed" "$WORK/found" || fail "tests/house/times.txt (<) and what files say (>) differ"
echo "$(wc -l <"$WORK/found") times"
