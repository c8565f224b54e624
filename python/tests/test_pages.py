"""Pages of HTML: they have what they are given, escape what programs say, and load nothing."""

import re
from types import SimpleNamespace

import numpy

from attila import page
from attila.compare import draws, html, replay, result

ONE = SimpleNamespace(name="attila", renderer="ATTILA <1>", version="1")
TWO = SimpleNamespace(name="softpipe", renderer="softpipe", version="2")
BLACK = numpy.zeros((32, 32, 3), numpy.uint8)


def loads_nothing(text):
    return "default-src 'none'" in text and not re.search(r'(src|href)="(https?:)?//', text)


def test_comparison():
    comparison = result.Comparison(ONE, TWO, 40, 0)
    found = result.Frames(replay.Program("game", "game.trace"))
    for n in range(3):
        other = BLACK.copy()
        other[:4 * n] = 100
        found.add(n, n, BLACK, other)
    found.frames[2].update(call=7, draw="glDraw<5>")
    comparison.programs.append(found)
    text = html.comparison(comparison)
    assert "<h1>ATTILA &lt;1&gt; beside softpipe</h1>" in text and loads_nothing(text)
    assert "256 pixels differ (256 of geometry), by up to 100" in text
    assert "Comes with call 7: <code>glDraw&lt;5&gt;</code>" in text
    assert text.count('alt="signed difference"') == 3
    assert html.curve(found) == "40.0,10.0 335.0,100.0 630.0,100.0"


def test_bisection():
    call = draws.Call(5, "glDrawArrays(<mode>)", 0, 0, 0)
    found = SimpleNamespace(pixel=(1, 2), call=call, psnr=20.0,
                            pictures={(0, "before"): BLACK, (1, "before"): BLACK},
                            history=[(call, (1, 2, 3), (4, 5, 6))])
    text = html.bisection(found, ONE, TWO, "game", 3, [("blend", "1", "0")], [("t", "8x8")])
    assert "Pixel 1, 2 (from the top left)" in text and loads_nothing(text)
    assert "rgb(1,2,3)" in text and "glDrawArrays(&lt;mode&gt;)" in text
    assert "<h2>Before the draw</h2>" in text and "<h2>After the draw</h2>" not in text


def test_report_has_its_program_as_it_is():
    text = page.render("report.html", title="a & b", style="b > i {}", script="if (1 < 2) f();",
                       data="eJw=", counters="eJz=", states="eJy=", meshes="", histories="",
                       notices="<MIT>")
    assert "<title>a &amp; b</title>" in text and "<style>b > i {}</style>" in text
    assert "<script>if (1 < 2) f();</script>" in text and loads_nothing(text)
    assert "&lt;MIT&gt;" in text
