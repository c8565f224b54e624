#!/bin/bash
# parameters.md, statistics.md, units.md, interface.md and options.md in docs/reference/ are what
# attila-sim prints, the table of docs/notebook/memories.md is that of test_memories, and the
# machine that is printed as .ini loads and describes itself again.
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
# A meaning begins with what the option does or is, not in the middle of a sentence.
! grep -E '\| (and|only|of|at|in|for|by|the same)\b[^|]* \|$' "$WORK/page" ||
   fail "meanings of options that need another row"
memories=${SIM%/src/sim/attila-sim}/tests/unit/test_memories
[ ! -x "$memories" ] ||
   diff <(sed -n '/^| memory | channels/,/^$/{/^|--/d;/./p}' "$TOP/docs/notebook/memories.md") \
      <("$memories" --table | grep -v -e '^|--') || fail "memories.md is old: test_memories --table"
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
assert p["NumStampPipes"]["value"] == 3 and p["NumStampPipes"]["max"] == 32, p["NumStampPipes"]
assert p["IssuePolicy"]["default"] == "ROUND_ROBIN" and p["VectorShader"]["default"] is False
assert len(s) > 400 and s["Commands_CP"]["meaning"] == "commands executed"' || fail "--format json"
# A meaning reads alone: without the row before, the name and the unit beside it.
alone() { # prints the parameters, statistics and keys, in JSON on stdin, whose meaning does not
   /usr/bin/python3 -c 'import json, re, sys
start = (r"(of|and|or|in|those|these|its|they|their|it|the same|the others?|as|that|whose|who|"
         r"per|from|to|for|by|at|on|until|between|before|after|with|also)\b|[.]")
part = (r"(?!need|feed|timing|swing)([a-z]+ed|[a-z]+ing|sent|taken|read|written|made)"
        r"( (of|from|to|into|by|for|in|on|until|with|and|before|behind|or|together)\b|[,:;(]|$)")
label = r"(V2|simple|custom|vector|any profile|[A-Z_, ]+|V2, [^:]*|ShaderDistribution 0): "
data = json.load(sys.stdin)
for s in [row for rows in data.values() if isinstance(rows, list) for row in rows]:
    meaning = re.sub("^" + label, "", s.get("meaning", ""))
    if re.match(start, meaning) or re.match(part, meaning):
        print("%s: %s" % (s.get("key") or s["name"], s["meaning"]))'
}
said=$(alone <<<'{"statistics": [{"name": "a", "meaning": "of them those that could not"},
   {"name": "b", "meaning": "lines written"}, {"name": "c", "meaning": "written into lines"}],
   "parameters": [{"key": "d", "meaning": "V2: per channel"}, {"key": "e", "meaning": "loaded"},
   {"key": "f", "meaning": "V2: writes accepted and not complete"}]}')
[ "$(cut -d: -f1 <<<"$said" | tr '\n' ' ')" = "a c d e " ] ||
   fail "fragments of meanings are not found, or others are: $said"
for what in "describe" "power --describe"; do
   # shellcheck disable=SC2086 # a subcommand and its option
   said=$("$SIM" $what --format json | alone)
   [ -z "$said" ] || fail "meanings that need another row: $said"
done
for config in "$TOP"/configs/*.ini; do
   "$SIM" describe --config "$config" >/dev/null 2>"$WORK/warnings" &&
      [ ! -s "$WORK/warnings" ] || { cat "$WORK/warnings"; fail "$config"; }
done
