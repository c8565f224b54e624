#!/bin/bash
# Every key and every statistic of the original exists here (attribution.md has the statistics),
# or docs/reference/parameters.md says why not; none does both. Its keys are those of
# tests/timing/reference.ini.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
{
   "$SIM" describe --format markdown && echo "# Statistics" &&
      "$SIM" describe --format statistics
} >"$WORK/pages.md" || fail "--describe"
/usr/bin/python3 - "$WORK/pages.md" "$TOP/tests/timing/reference.ini" \
   "$TOP/tests/sim/original-statistics.txt" <<'PYTHON' || fail "names of the original"
import configparser, fnmatch, re, sys

page, ini, families = sys.argv[1:]
tables, chapter, section = {}, None, None
for line in open(page):
    if line.startswith("# "):
        chapter, section = line[2:].strip(), None
        tables[chapter] = []
    elif line.startswith("## "):
        section = line[3:].strip()
    elif line.startswith("| "):
        first = line.split("|")[1].strip().strip("`")
        if first not in ("Key", "Statistic"):
            tables[chapter].append(section + "." + first if chapter == "Parameters" else first)
parameters, no_effect = tables["Parameters"], tables["Keys of the original without effect"]
statistics = {re.sub("[0-9]+", "#", s) for s in tables["Statistics"]}
patterns = tables["Statistics of the original that are not counted"]

config = configparser.ConfigParser(strict=False, comment_prefixes=(";", "#"))
config.optionxform = str
config.read_string("[top]\n" + open(ini).read())
config.remove_section("top")
keys = {"%s.%s" % (s, k) for s in config.sections() for k in config[s]}
names = [n.strip() for n in open(families) if not n.startswith("#")]
# VectorResources is a sum over the threads of a vector: sim_config.c.
known = set(parameters) | {"FRAGMENTSHADER.VectorResources"}
wrong = ["%s: neither a parameter nor in config/sim_release_keys.h" % k
         for k in sorted(keys - known - set(no_effect))]
wrong += ["%s: a parameter, and in config/sim_release_keys.h" % k
          for k in no_effect if k in known]
wrong += ["%s: in config/sim_release_keys.h, but no key of the original" % k
          for k in no_effect if k not in keys]
missing = [n for n in names if n not in statistics]
wrong += ["%s: neither counted nor in measure/sim_release_statistics.h" % n for n in missing
          if not any(fnmatch.fnmatchcase(n, p) for p in patterns)]
wrong += ["%s: in measure/sim_release_statistics.h, but nothing like it is missing" % p
          for p in patterns if not any(fnmatch.fnmatchcase(n, p) for n in missing)]
both = set(names) & statistics
wrong += ["%s: in measure/sim_release_statistics.h, but not counted by both" % p
          for p in tables["Statistics that the original counts otherwise"]
          if not any(fnmatch.fnmatchcase(n, p) for n in both)]
print("\n".join(wrong))
print("%d of %d keys have an effect, %d of %d statistics are counted" %
      (len(keys & known), len(keys), len(names) - len(missing), len(names)))
sys.exit(1 if wrong or len(keys) < 300 or len(names) < 600 else 0)
PYTHON
