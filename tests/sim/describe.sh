#!/bin/bash
# parameters.md, statistics.md, units.md, interface.md and options.md in docs/reference/ are what
# attila-sim prints, and the machine that is printed as .ini loads and describes itself again.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
page() { # NAME, arguments of attila-sim: they print docs/reference/NAME.md
   local page=docs/reference/$1.md
   shift
   "$SIM" "$@" >"$WORK/page" || fail "attila-sim $*"
   diff -u "$TOP/$page" "$WORK/page" >"$WORK/differ" || {
      head -n 40 "$WORK/differ"
      fail "$page is old: attila-sim $* > $page"
   }
}
page parameters describe --format markdown
page statistics describe --format statistics
page units describe --format units
page interface interface
page options options
[ "$(grep -c '^| ' "$TOP/docs/reference/statistics.md")" -gt 400 ] || fail "too few statistics"
"$SIM" describe --format ini >"$WORK/a.ini" || fail "--format ini"
"$SIM" describe --format ini --config "$WORK/a.ini" >"$WORK/b.ini" 2>"$WORK/warnings" ||
   fail "the printed machine does not load"
[ ! -s "$WORK/warnings" ] || { cat "$WORK/warnings"; fail "the printed machine gives warnings"; }
cmp "$WORK/a.ini" "$WORK/b.ini" || fail "the printed machine describes itself differently"
"$SIM" describe --format json --set GPU.NumStampPipes=3 | /usr/bin/python3 -c 'import json, sys
d = json.load(sys.stdin)
p = {o["key"]: o for o in d["parameters"]}
s = {o["name"]: o for o in d["statistics"]}
assert p["NumStampPipes"]["value"] == 3 and p["NumStampPipes"]["max"] == 16, p["NumStampPipes"]
assert p["IssuePolicy"]["default"] == "ROUND_ROBIN" and p["VectorShader"]["default"] is False
assert len(s) > 400 and s["Commands_CP"]["meaning"] == "commands executed"' || fail "--format json"
# A meaning reads alone: it does not go on with that of the row before.
alone() { # names of statistics whose meaning, in JSON on stdin, does not
   /usr/bin/python3 -c 'import json, re, sys
for s in json.load(sys.stdin)["statistics"]:
    if re.match(r"(of|and|or|in|those|these|its|they|their)\b|[.]", s["meaning"]):
        print("%s: %s" % (s["name"], s["meaning"]))'
}
said=$(alone <<<'{"statistics": [{"name": "a", "meaning": "of them those that could not"},
   {"name": "b", "meaning": "lines written"}]}')
[ "$said" = "a: of them those that could not" ] ||
   fail "fragments of meanings are not found, or others are: $said"
said=$("$SIM" describe --format json | alone)
[ -z "$said" ] || fail "meanings that need another row: $said"
for config in "$TOP"/configs/*.ini; do
   "$SIM" describe --config "$config" >/dev/null 2>"$WORK/warnings" &&
      [ ! -s "$WORK/warnings" ] || { cat "$WORK/warnings"; fail "$config"; }
done
