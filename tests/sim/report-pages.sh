#!/bin/bash
# Every page that Attila writes, in headless Chromium at 420, 1024 and 1400 pixels, light and dark:
# axe-core finds nothing, nothing is wider than the window, the console is silent. Not here: what
# the pages say (report.sh, sweep.sh).
# Full only: 90 pages at a second each.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
need_pages
page() { # FILE [HASH...]
   node "$TOP/tests/lib/page_check.mjs" "$@" || fail "${1##*/}"
   echo "${1##*/}: $((${#} > 1 ? ${#} - 1 : 1)) pages"
}
run() { # DIR OPTION...
   local dir=$WORK/$1; shift
   quietly "${dir##*/}" "$SIM" run "$TOP/tests/golden/desktop.attila" --out "$dir" \
      --config "$TOP/configs/attila-bgpu.ini" "$@"
}

# A page that breaks the rules is reported.
cat >"$WORK/bad.html" <<'END'
<!DOCTYPE html><html lang="en"><title>bad</title><main><h1>bad</h1><input type="text">
<p style="width: 500px; height: 9px">wide</p></main><script>console.error("bad")</script></html>
END
node "$TOP/tests/lib/page_check.mjs" "$WORK/bad.html" >"$WORK/log" && fail "a bad page passes"
for what in 'page 5[0-9][0-9] (light 420' 'label: input' 'console: error: bad'; do
   grep -q "FAILED: $what" "$WORK/log" || { cat "$WORK/log"; fail "not found: $what"; }
done

run one --interval 1000 --save-frames --power builtin
run two --interval 1000 --ideal memory
mkdir "$WORK/other"; cp "$WORK/one/frame-0000.png" "$WORK/other/frame-0000.png"
cp "$WORK/one/frame-0000.png" "$WORK/other/frame-0001.png"
quietly "report" "$TOP/scripts/attila-report" --draw-pictures 2 --map-draws 1 \
   --reference "$WORK/other" "$WORK/one"
mapfile -t parts < <(printf '%s\n' summary draws timeline memory energy programs machine glossary \
   tree reference frame/0 work/3 program/1 beside/1 | sample 5)
page "$WORK/one/report.html" "${parts[@]}"
cp "$WORK/one/report.html" "$WORK/alone.html"
quietly "two runs" "$TOP/scripts/attila-report" --pictures 0 "$WORK/one" "$WORK/two"
cmp "$WORK/alone.html" "$WORK/one/report.html" || fail "two runs overwrite the page of one"
page "$WORK/one/report-two.html" compare tree pair/3

quietly "tiles" "$SIM" run "$TOP/tests/golden/desktop.attila" --out "$WORK/tiles" --frames 0 \
   --config "$TOP/configs/tiled.ini" --interval 5000
quietly "report of tiles" "$TOP/scripts/attila-report" --pictures 0 "$WORK/tiles"
page "$WORK/tiles/report.html" passes pass/0

printf '[sweep]\nconfig = attila-bgpu.ini\n[parameters]\n%s\n%s\n' 'GPU.NumFragmentShaders = 1, 2' \
   'STREAMER.OutputFIFOSize = 16, 32' >"$WORK/space.ini"
quietly "sweep" "$TOP/scripts/attila-sweep" "$WORK/space.ini" \
   "$TOP"/tests/timing/{clear,triangles_culled}.attila --out "$WORK/sweep"
page "$WORK/sweep/sweep.html"

/usr/bin/python3 - "$WORK" <<'END' || skip "pages of comparisons: a Python package is missing"
import sys
from types import SimpleNamespace as N
import numpy
from attila.compare import draws, html, replay, result
one, two = N(name="attila", renderer="ATTILA", version="1"), N(name="softpipe", renderer="softpipe",
                                                                version="2")
black, white = (numpy.full((32, 32, 3), v, numpy.uint8) for v in (0, 200))
comparison = result.Comparison(one, two, 40, 0)
frames = result.Frames(replay.Program("game", "game.trace"))
frames.add(0, 0, black, black)
frames.add(1, 1, black, white)
comparison.programs.append(frames)
call = draws.Call(5, "glDrawArrays()", 0, 0, 0)
found = N(pixel=(1, 2), call=call, psnr=20.0, history=[(call, (1, 2, 3), (4, 5, 6))],
          pictures={(side, when): black for side in (0, 1) for when in ("before", "after")})
for name, text in (("compare", html.comparison(comparison)), ("bisect", html.bisection(
        found, one, two, "game", 3, [("blend", "1", "0")], [("t", "8x8")]))):
    with open(f"{sys.argv[1]}/{name}.html", "w", encoding="utf-8") as f:
        f.write(text)
END
page "$WORK/compare.html"
page "$WORK/bisect.html"
