#!/bin/bash
# docs/reference.md, the list in docs/statistics.md and docs/interface.md are what attila-sim
# --describe and attila-sim interface print, and the machine that is printed as .ini loads and
# describes itself again.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
"$SIM" --describe --format markdown >"$WORK/reference.md" || fail "--describe"
diff -u "$TOP/docs/reference.md" "$WORK/reference.md" | head -n 40
cmp -s "$TOP/docs/reference.md" "$WORK/reference.md" ||
   fail "docs/reference.md is old: attila-sim --describe --format markdown > docs/reference.md"
"$SIM" --describe --format statistics >"$WORK/statistics.md" || fail "--format statistics"
[ "$(grep -c '^| ' "$WORK/statistics.md")" -gt 400 ] || fail "--format statistics prints too little"
cmp -s <(sed '1,/^.attila-sim --describe --format statistics.:$/d' "$TOP/docs/statistics.md") \
   "$WORK/statistics.md" ||
   fail "docs/statistics.md is old: it ends with attila-sim --describe --format statistics"
"$SIM" interface >"$WORK/interface.md" || fail "interface"
cmp -s "$TOP/docs/interface.md" "$WORK/interface.md" ||
   fail "docs/interface.md is old: attila-sim interface > docs/interface.md"
"$SIM" --describe --format ini >"$WORK/a.ini" || fail "--format ini"
"$SIM" --describe --format ini --config "$WORK/a.ini" >"$WORK/b.ini" 2>"$WORK/warnings" ||
   fail "the printed machine does not load"
[ ! -s "$WORK/warnings" ] || { cat "$WORK/warnings"; fail "the printed machine gives warnings"; }
cmp "$WORK/a.ini" "$WORK/b.ini" || fail "the printed machine describes itself differently"
for config in "$TOP"/configs/*.ini; do
   "$SIM" --describe --config "$config" >/dev/null 2>"$WORK/warnings" &&
      [ ! -s "$WORK/warnings" ] || { cat "$WORK/warnings"; fail "$config"; }
done
