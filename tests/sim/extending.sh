#!/bin/bash
# docs/howto/extending.md and caches.md to the letter: their files are all that a parameter, a
# statistic, a signal, a box and a replacement policy need, and scripts/test --sim-only passes on
# the tree that results. The policy is the text in caches.md.
# extending.patch puts two boxes between clipper and setup, so that the signal between these two has
# another name at each of them: a FIFO with everything that a sheet can say, and a box that declares
# only a statistic; and it adds a policy. Not here: the arithmetic of energy and area (test_power,
# test_area); the tests that run with --full alone, of which this is one.
# Full only: builds the simulator anew and runs its tests.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
patch=$TOP/tests/sim/extending.patch

# The files that the page names: new ones of the units, lists, those that have the signal's name.
old=clp_ts
git apply --numstat "$patch" | cut -f3 | sort >"$WORK/touched"
{
   (cd "$TOP" && git grep -lw $old -- src tests ':!tests/sim/extending.*')
   cat <<'END'
configs/ispass2006.ini
src/sim/box/geometry/bare.c
src/sim/box/geometry/fifo.c
src/sim/box/replace_first_in.c
src/sim/meson.build
src/sim/options/attila_options_table.h
src/sim/units/replacements.h
src/sim/units/unit_bare.h
src/sim/units/unit_fifo.h
src/sim/units/units.h
tests/unit/test_raster_boxes.c
END
} | sort -u >"$WORK/named"
diff "$WORK/named" "$WORK/touched" || fail "extending.patch touches other files than the page names"

tree=$WORK/tree
mkdir "$tree" && git -C "$TOP" ls-files -z | (cd "$TOP" && xargs -0 tar -c) | tar -x -C "$tree" ||
   fail "no copy of the tree"
commit() { # SUBJECT
   git -C "$tree" add -A && git -C "$tree" -c user.name=test -c user.email=test@localhost \
      commit -qm "$1" -m "For a test." || fail "git commit"
}
git -C "$tree" init -q || fail "git init"
commit "tests: the tree as it is"
(cd "$tree" && git apply "$patch") || fail "extending.patch does not apply"
! git -C "$tree" grep -nw $old -- src tests/unit || fail "$old is still there"
/usr/bin/python3 - "$TOP/docs/howto/caches.md" "$tree/src/sim" <<'END' || fail "caches.md is not it"
import re, sys
file, line = re.findall(r"```c\n(.*?)```", open(sys.argv[1]).read(), re.S)[:2]
assert open(sys.argv[2] + "/box/replace_first_in.c").read() == file, file
assert line.strip() in open(sys.argv[2] + "/units/replacements.h").read(), line
END
export CCACHE_BASEDIR=$tree
quietly "meson setup" meson setup "$tree/build-sim" "$tree" -Dmesa=false \
   --native-file "$tree/native.ini"
quietly "build" ninja -C "$tree/build-sim"
! grep -q warning: "$WORK/log" || { grep warning: "$WORK/log"; fail "warnings"; }
new=$tree/build-sim/src/sim/attila-sim

# What is written anew: pages, and the cycles, which a box on the way changes.
anew() { # COMMAND...: in the new tree
   (cd "$tree" && unset ATTILA_BUILD_DIR ATTILA_TEST_FULL ATTILA_TEST_ALL &&
      export ATTILA_REPORT_DIR="${ATTILA_REPORT_DIR:-$TOP/build-report}" && "$@") \
      >"$WORK/log" 2>&1 ||
      { tail -n 40 "$WORK/log"; fail "$*"; }
}
for page in parameters=markdown statistics=statistics units=units; do
   "$new" describe --format "${page#*=}" >"$tree/docs/reference/${page%=*}.md" || fail "$page"
done
"$new" options >"$tree/docs/reference/options.md" || fail "options.md"
anew scripts/key-effects --page docs/reference/keys.md FIFO.Cycles
anew scripts/golden
[ -z "${ATTILA_TEST_ALL:-}" ] || anew scripts/validate-timing --update
anew scripts/lib/lab.sh --update
pixels() { sed -n 's/ cycles .*//p' "$1"; } # golden.txt
diff <(pixels "$TOP/tests/golden/golden.txt") <(pixels "$tree/tests/golden/golden.txt") ||
   fail "pixels changed"
commit "sim: two boxes between clipper and setup"
# With --all whole, else tests that a new box may break, but for those that take minutes.
part="unit layers static_names limits sim/golden sim/describe sim/lab sim/rows"
[ -z "${ATTILA_TEST_ALL:-}" ] || part=
# shellcheck disable=SC2086 # a list
anew scripts/test --sim-only --no-setup $part
grep -q ' 0 failed' "$WORK/log" || fail "scripts/test says nothing of its result"

stream=$TOP/tests/golden/build.attila
says() { # TEXT COMMAND...: its output has a line that matches TEXT
   local text=$1; shift
   "$@" >"$WORK/said" 2>"$WORK/log" || { cat "$WORK/log"; fail "$*"; }
   grep -Eq -- "$text" "$WORK/said" || { head -n 40 "$WORK/said"; fail "no /$text/ from $*"; }
}
cycles() { "$@" 2>"$WORK/log" | sed -n 's/.* \([0-9]*\) cycles.*/\1/p'; }

# describe: parameter, statistics.
says '^\| Cycles \| 2 \| 1 to 1000 \| cycles \| interval between' "$new" describe --format markdown
says '^\| Primitives_FIFO \| triangles \|' "$new" describe --format statistics
says '2 the one held longest' "$new" describe --format markdown

# A run, its record, its trace; the picture is the same.
quietly "run" "$SIM" run "$stream" --out "$WORK/old" --save-frames
quietly "run" "$new" run "$stream" --out "$WORK/run" --save-frames --power builtin \
   --interval 10000 --trace "$WORK/queues.pftrace" --trace-what queues
cmp "$WORK/old/frame-0001.png" "$WORK/run/frame-0001.png" || fail "pixels differ"
assembled=$(column "$WORK/run/frames.csv" Triangles_PA | tail -n 1)
[ "$assembled" -gt 0 ] || fail "no primitives"
[ "$(column "$WORK/run/frames.csv" Primitives_FIFO | tail -n 1)" = "$assembled" ] ||
   fail "the FIFO did not count $assembled primitives"
[ "$(column "$WORK/run/frames.csv" Messages_BARE | tail -n 1)" -gt "$assembled" ] ||
   fail "the box without anything did not count ends of draws"
grep -aq "CLP to FIFO" "$WORK/queues.pftrace" || fail "the trace has no signal of the FIFO"
quietly "trace" "$new" run "$stream" --trace "$WORK/trace.pftrace"
grep -aq 'FIFO (Fifo)' "$WORK/trace.pftrace" || fail "the trace for Perfetto has no FIFO"
quietly "report" "$TOP/scripts/attila-report" -o "$WORK/report.html" "$WORK/run"

# power, area: what is declared, and that nothing is.
says '^FIFO +0\.00[0-9]*[1-9]' "$new" power "$WORK/run"
says '^BARE +0\.0000 +0\.0000 +0\.0000 +0\.0000 +0\.0000' "$new" power "$WORK/run"
says '^BARE: .*declares no energy' "$new" power "$WORK/run"
says '^fifo,1,0\.0' "$new" area --format csv
says '^Bare: no area declared' "$new" area
# An attila-sim without the unit does not make up its energy.
expect_failure 1 'FIFO.Cycles is not a parameter' "$SIM" power "$WORK/run"

# The limiter, and the ideal unit that helps.
quietly "slow" "$new" run "$stream" --out "$WORK/slow" --set FIFO.Cycles=200
limiter=$(/usr/bin/python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
print(*db.execute("SELECT limiter FROM frames WHERE frame = 1").fetchone())
' "$WORK/slow/run.sqlite")
[ "$limiter" = FIFO ] || fail "a FIFO of 200 cycles a primitive does not limit, but $limiter"
[ "$(cycles "$new" run "$stream" --set FIFO.Cycles=200 --ideal fifo)" = \
   "$(cycles "$new" run "$stream" --ideal fifo)" ] ||
   fail "--ideal fifo leaves a parameter as it is"

# The policy: other lines go, the pixels stay.
set -- FRAGMENTSHADER.TextureCacheReplacement ZSTENCILTEST.ZCacheReplacement \
   COLORWRITE.ColorCacheReplacement
stream=$TOP/tests/golden/texture.attila
quietly "policy" "$new" run "$stream" --out "$WORK/first" --save-frames \
   --set "$1=2" --set "$2=2" --set "$3=2"
quietly "policy" "$SIM" run "$stream" --out "$WORK/lru" --save-frames
cmp "$WORK/lru/frame-0001.png" "$WORK/first/frame-0001.png" || fail "a policy changes pixels"
[ "$(cycles "$new" run "$stream" --set "$1=2")" != "$(cycles "$new" run "$stream")" ] ||
   fail "the policy first_in replaces the same lines"

set -- "$stream" --config "$TOP/configs/attila-bgpu.ini" --set L2.Enabled=TRUE --set L2.Lines=8
quietly "policy of the L2" "$new" run "$@" --out "$WORK/l2" --save-frames --set L2.Replacement=2
cmp "$WORK/lru/frame-0001.png" "$WORK/l2/frame-0001.png" || fail "a policy of the L2 changes pixels"
[ "$(cycles "$new" run "$@" --set L2.Replacement=2)" != "$(cycles "$new" run "$@")" ] ||
   fail "the policy first_in replaces the same lines of the L2"

# A sheet that names the output of another unit, as an unchanged one would, does not compile.
sed -i '/SIM_LIMITER_clp/,+1s/clp_fifo/bare_ts/' "$tree/src/sim/units/unit_clp.h"
expect_failure 1 'SIM_LIMITER: bare_ts is no output of the unit' ninja -C "$tree/build-sim" \
   src/sim/libattila_sim.a.p/measure_sim_limiter.c.o
