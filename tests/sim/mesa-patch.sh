#!/bin/bash
# The patches to Mesa: the wrap file lists every one and no other, in their order; each applies to
# the pristine tarball at the lines it names, and the series as mails (git am), as upstream takes
# it; each has a reason, names its test, and has its row in the table of its group in
# docs/explanation/mesa.md. The page for Mesa's docs names the flags of ATTILA_DEBUG.
. "$(dirname "$0")/../lib/test.sh"
. "$TOP/scripts/lib/common.sh"
cd "$TOP" || exit 1

# mesa_patches is also what scripts/setup looks at to see whether Mesa must be unpacked again.
mapfile -t listed < <(mesa_patches)
[ ${#listed[@]} -ge 1 ] || fail "subprojects/mesa.wrap lists no patch"
printf '%s\n' "${listed[@]}" >"$WORK/listed"
find subprojects/packagefiles/mesa -type f | LC_ALL=C sort >"$WORK/files"
diff "$WORK/listed" "$WORK/files" >"$WORK/diff" ||
   { cat "$WORK/diff"; fail "the list in mesa.wrap (<) is not the sorted list of the files (>)"; }

for p in "${listed[@]}"; do
   name=$(basename "$p")
   sed '/^diff --git/,$d' "$p" >"$WORK/head"
   grep -q '^From: .*<.*>$' "$WORK/head" && grep -q '^Signed-off-by: .*<.*>$' "$WORK/head" ||
      fail "$name: no author or no Signed-off-by"
   grep -Eq '^Subject: [a-z/]+: [A-Z]' "$WORK/head" || fail "$name: Subject is not \"part: What\""
   ! grep -q '^Subject: st: ' "$WORK/head" || fail "$name: upstream writes st/mesa, not st"
   [ "$(grep -c '^diff --git a/' "$p")" = "$(grep -c '^+++ [b/]' "$p")" ] ||
      grep -q '^new file mode 120000' "$p" || fail "$name: a file without its line diff --git"
   ! grep '^@@ ' "$p" | awk '{ split($2, at, "[-,]"); if (at[2] > 150 && $0 ~ / @@$/) bad = 1 }
      END { exit !bad }' || fail "$name: hunks do not name their functions (diff -p)"
   [ "$(grep -Evc '^(From|Subject|Test|Signed-off-by):|^$' "$WORK/head")" -ge 2 ] ||
      fail "$name: no reason"
   test=$(sed -n 's/^Test: \([^ ]*\).*/\1/p' "$WORK/head")
   [ -n "$test" ] && [ -x "$test" ] || fail "$name: its test '$test' is not there"
   case $name in
   01*) group='Upstream bugs' ;;
   02*) group=Back-ports ;;
   03*) group=Ours ;;
   *) fail "$name: the number is not 01xx, 02xx or 03xx (docs/explanation/mesa.md)" ;;
   esac
   sed -n "/^## $group\$/,/^## /p" docs/explanation/mesa.md >"$WORK/rows"
   grep -q "^| ${name%%-*} |" "$WORK/rows" ||
      fail "docs/explanation/mesa.md has no row for $name under $group"
done
rows=$(grep -c '^| [0-9]\{4\} |' docs/explanation/mesa.md)
[ "$rows" = ${#listed[@]} ] || fail "mesa.md has $rows rows for ${#listed[@]} patches"

# Each flag with its meaning, in the form of Mesa's pages of drivers.
sed -n '/envvar:: ATTILA_DEBUG/,$p' subprojects/packagefiles/upstream/attila.rst |
   awk '/^  ``/ {gsub(/[` ]/, ""); printf "%s%s", sep, $0; sep = "\n"; next}
      /^    / {sub(/^ */, ""); printf " %s", $0} END {print ""}' | sort >"$WORK/flags"
tr '\n' ' ' <src/hw/attila_debug_flags.h | sed 's/[\\] */ /g' |
   grep -oE '"[a-z]+", *[0-9]+, *"[^"]+"' |
   sed -E 's/^"([a-z]+)"[^"]*"(.*)"/\1 \2/' | sort >"$WORK/declared"
diff "$WORK/declared" "$WORK/flags" || fail "attila.rst (>) has other flags than the driver (<)"
[ "$(wc -l <"$WORK/flags")" -gt 10 ] || fail "no flags in attila.rst"

tarball=subprojects/packagecache/$(wrap_field mesa source_filename)
[ -f "$tarball" ] || skip "the Mesa tarball is not here (scripts/setup fetches it)"
dir=$(wrap_field mesa directory)
sed -n "s#^--- a/#$dir/#p" "${listed[@]}" | sort -u >"$WORK/patched"
tar -C "$WORK" -xf "$tarball" -T "$WORK/patched" || fail "a patched file is not in the tarball"
cp -r "$WORK/$dir" "$WORK/mails"
for p in "${listed[@]}"; do
   patch -d "$WORK/$dir" -p1 --fuzz=0 --no-backup-if-mismatch <"$p" >"$WORK/log" 2>&1 ||
      { cat "$WORK/log"; fail "$(basename "$p") does not apply"; }
   if grep -E 'offset|fuzz' "$WORK/log"; then fail "$(basename "$p"): its line numbers are old"; fi
done
# As mails, on a repository of the same files.
mail() { git -C "$WORK/mails" -c user.name=a -c user.email=a@example.org "$@"; }
{ mail init -q && mail add -A -f && mail commit -qm base; } || fail "no repository of Mesa's files"
mail am -q "${listed[@]/#/$TOP/}" >"$WORK/log" 2>&1 ||
   { cat "$WORK/log"; fail "git am of the series"; }
diff -r --no-dereference --exclude=.git "$WORK/$dir" "$WORK/mails" ||
   fail "git am gives other files than patch"
[ -L "$WORK/$dir/src/gallium/drivers/attila" ] || fail "the driver's link is missing"
echo "${#listed[@]} patches"
