#!/bin/bash
# The message of every commit has a subject of at most 72 characters that begins with the part that
# changes, and a body that says why. Looked at are the commits since the last one that changed this
# file, and in a shallow clone those that are there: what has landed cannot be changed any more.
. "$(dirname "$0")/../lib/house.sh"
rule=tests/house/commits.sh

# messages REPOSITORY: writes the messages since the rule to $WORK/messages, a file for each.
messages() {
   local first commit
   rm -rf "$WORK/messages"
   mkdir "$WORK/messages" && : >"$WORK/commits" || fail "no folder"
   first=$(git -C "$1" log -1 --format=%H -- $rule)
   [ -n "$first" ] || return 0 # not yet committed
   git -C "$1" rev-list --no-merges "$first..HEAD" >"$WORK/commits" || fail "git rev-list"
   while read -r commit; do
      git -C "$1" log -1 --format=%B "$commit" >"$WORK/messages/${commit:0:12}" || fail "git log"
   done <"$WORK/commits"
}
check() { # REPOSITORY: prints what is wrong with its messages
   local file bad=0
   messages "$1"
   for file in "$WORK"/messages/*; do
      [ -e "$file" ] || continue
      # What is meant to be squashed into another commit is not meant to land.
      ! grep -qE '^(fixup|squash|amend)! ' "$file" || { echo "${file##*/}: not squashed"; bad=1; }
      "$TOP/scripts/lib/hook.sh" message "$file" 2>&1 | sed "s/^/${file##*\/}: /"
      [ "${PIPESTATUS[0]}" = 0 ] || bad=1
   done
   return $bad
}

# First the check itself, on a repository with one of each.
tree=$WORK/tree
mkdir -p "$tree/tests/house" && git -C "$tree" init -q || fail "git init"
commit() { # MESSAGE
   git -C "$tree" -c user.name=x -c user.email=x@example.com -c core.hooksPath=/dev/null \
      commit -q --allow-empty --cleanup=verbatim -m "$1" || fail "git commit"
}
commit 'Before the rule'
touch "$tree/$rule" && git -C "$tree" add -A && commit 'The rule itself'
body=$'\n\nIt took 12 s, and now takes 3.'
commit "sim/rop: charge clears per block$body"
commit $'Revert "sim/rop: charge clears per block"\n\nThis reverts commit 0.'
check "$tree" || fail "right messages are refused"
[ "$(wc -l <"$WORK/commits")" = 2 ] || fail "not the commits after the rule"
while IFS='|' read -r text message; do
   commit "$(printf %b "$message")"
   expect_failure 1 "$text" check "$tree"
   git -C "$tree" reset -q HEAD~ || fail "git reset"
done <<END
has 73 characters|sim: $(printf 'x%.0s' {1..68})\n\nSome body.
is not .part: what|Charge clears per block\n\nSome body.
is not .part: what|sim/rop:charge clears\n\nSome body.
no body that says why|sim: charge clears per block
no body that says why|sim: charge clears per block\n\n
no body that says why|sim: charge clears per block\n\nSigned-off-by: A B <a@b.c>
no empty line|sim: charge clears per block\nSome body.\n
not squashed|fixup! sim: charge clears per block
END
git clone -q --depth 2 "file://$tree" "$WORK/shallow" || fail "git clone"
check "$WORK/shallow" || fail "a shallow clone is refused"

git -C "$TOP" rev-parse >/dev/null 2>&1 || skip "not a git repository: no commits"
check "$TOP" || fail 'see CONTRIBUTING.md, "Commits"'
echo "$(wc -l <"$WORK/commits") commits"
