#!/bin/bash
# Every C file looks as clang-format 14 writes it (Debian 12's version; other versions lay out some
# lines in another way). Lengths of lines and heads of files: lines.sh.
. "$(dirname "$0")/../lib/house.sh"
tool=
for name in clang-format-14 clang-format; do
   if "$name" --version 2>/dev/null | grep -Eq 'version 14\.'; then tool=$name; break; fi
done
[ -n "$tool" ] || skip "clang-format 14 is not installed (Debian 12 has it: clang-format-14)"
tracked '*.c' '*.h'
(cd "$TOP" && "$tool" --dry-run --Werror "${files[@]}") >"$WORK/log" 2>&1 ||
   { head -n 40 "$WORK/log"; fail "not formatted: clang-format -i FILE (version 14)"; }
echo "${#files[@]} files are formatted"
