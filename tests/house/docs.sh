#!/bin/bash
# Every file and folder that README, CONTRIBUTING, docs/ and comments name is there, every link and
# anchor leads somewhere, and every page can be reached from README.
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

# --- Links and anchors, the same way ---
links() { /usr/bin/python3 "$TOP/tests/lib/links.py" "$@"; }
rm "$WORK/tree/src/hw/x.h"
printf '%s\n' '# Top' '' '## The `x` of *y*: why?' '## Twice' '## Twice' '<a id="there"></a>' \
   >"$WORK/tree/docs/b.md"
good='[b](docs/b.md) [x](docs/b.md#the-x-of-y-why) ![p](docs/a.md#) [e](https://a.b/c.md#d)
`[c](c.md)` [t](docs/b.md#twice-1) [u](docs/b.md#there) [folder](docs) [a](docs/a.md)'
page() { # LINE...: the tree's README
   printf '%s\n' "$@" >"$WORK/tree/README.md"
   git -C "$WORK/tree" add -A || fail "git add"
}
page "$good"
quietly "links that are right" links "$WORK/tree"
page "$good" '[c](docs/c.md)'
expect_failure 1 '^README.md:3: docs/c.md is not there' links "$WORK/tree"
page "$good" '[c](docs/b.md#twice-2)' '[d](#here)'
expect_failure 1 '^README.md:3: docs/b.md has no #twice-2' links "$WORK/tree"
grep -q '^README.md:4: README.md has no #here' "$WORK/expect" || fail "an anchor of the same page"
page '[b](docs/b.md)'
expect_failure 1 '^docs/a.md:1: no link leads here' links "$WORK/tree"

links "$TOP" || fail "these links lead nowhere"

# --- The example of docs/howto/listen.md is the code that tests/unit/test_listen.c runs ---
sed -n '/example begins here/,/example ends here/{//!p}' \
   "$TOP/tests/unit/test_listen.c" >"$WORK/code"
sed -n '/^```c$/,/^```$/{//!p}' "$TOP/docs/howto/listen.md" >"$WORK/page"
[ "$(wc -l <"$WORK/page")" -gt 30 ] || fail "docs/howto/listen.md has no example"
diff -B "$WORK/code" "$WORK/page" || fail "docs/howto/listen.md: not the code of test_listen.c"
