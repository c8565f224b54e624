#!/bin/bash
# docs/keys.md has a row for every parameter and for nothing else, and none without an effect or a
# reason (scripts/key-effects measures them; here only the names are compared).
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
"$SIM" --describe --format ini --config "$TOP/tests/timing/reference.ini" >"$WORK/machine.ini" \
   2>"$WORK/log" || fail "--describe"
awk '/^\[/ {s = $1} /^[A-Za-z0-9]+ *=/ {print s, $1}' "$WORK/machine.ini" | tr -d '[]' |
   sort >"$WORK/have"
awk '/^## / {s = $2} /^\| `/ {gsub("`", "", $2); print s, $2}' "$TOP/docs/keys.md" |
   sort >"$WORK/listed"
diff "$WORK/have" "$WORK/listed" >"$WORK/differences" || {
   cat "$WORK/differences"
   fail "docs/keys.md lacks parameters (<) or has others (>): scripts/key-effects --update"
}
! grep -n '\*\*nothing\*\*' "$TOP/docs/keys.md" ||
   fail "these do nothing, and tests/timing/keys.txt does not say why"
