#!/bin/bash
# Every file and folder that README, CONTRIBUTING, docs/ and comments name is there, and every
# document can be found: README, CONTRIBUTING or another document has a link to it.
# shellcheck disable=SC2016 # Markdown's backticks
. "$(dirname "$0")/../lib/house.sh"

# First the search itself, on a tree with names that are there and one that is not.
mkdir -p "$WORK/tree"/{docs,src/hw}
echo 'See [b](b.md), `src/hw/`, `hw/x.h`, `*.{h,md}`, `x.h` and `IF/ELSE`.' >"$WORK/tree/docs/a.md"
echo '/* x.h, docs/a.md, attila-bGPU.ini; no path: 1/2, s/t, e.g. */' >"$WORK/tree/src/hw/x.h"
touch "$WORK/tree/docs/b.md"
git -C "$WORK/tree" init -q && git -C "$WORK/tree" add -A || fail "git init"
quietly "names that are there" /usr/bin/python3 "$TOP/tests/lib/paths.py" "$WORK/tree"
for name in '`src/gone.c`' '`x/`, `hw/gone/`' '[c](c.md)' '`hw/gone*.h`' '`{x,gone}.h`'; do
   echo "$name" >"$WORK/tree/docs/b.md"
   expect_failure 1 '^docs/b.md:1: .*(gone|c\.md)' \
      /usr/bin/python3 "$TOP/tests/lib/paths.py" "$WORK/tree"
done
echo '/* see gone.h */' >"$WORK/tree/src/hw/x.h"
expect_failure 1 '^src/hw/x.h:1: gone.h' /usr/bin/python3 "$TOP/tests/lib/paths.py" "$WORK/tree"

/usr/bin/python3 "$TOP/tests/lib/paths.py" "$TOP" || fail "these names lead nowhere"

tracked 'docs/*.md'
cd "$TOP" || fail "no $TOP"
for file in "${files[@]}"; do
   found=0
   for other in README.md CONTRIBUTING.md "${files[@]}"; do
      [ "$other" = "$file" ] || ! grep -q "](\([^)]*/\)\?${file##*/}[)#]" "$other" || found=1
   done
   [ $found = 1 ] || fail "no document has a link to $file"
done
echo "${#files[@]} documents are linked"
