"""The pages of attila compare: a table of programs, a curve of PSNR over frames, and the worst
frames of both sides with a slider and with blinking; the page of a bisect. The layout is in
pages/. Not here: the report of a run (report/command.py).
"""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from typing import Any

from attila import page
from attila.compare import images
from attila.compare.draws import Bisection
from attila.compare.images import Picture
from attila.compare.replay import AnySide, Side
from attila.compare.result import Comparison, Frames
from attila.paths import TOP

LOW, HIGH = 20.0, 100.0  # dB of the curve


def uri(pixels: Picture) -> str:
    return "data:image/png;base64," + base64.b64encode(images.png(pixels)).decode()


def pair_of(kind: str) -> str:
    """A part of the report: the style of a pair of pictures, or the script of its slider and
    button."""
    with open(os.path.join(TOP, "src", "report-html", "pair" + kind), encoding="utf-8") as f:
        return f.read()


def render(template: str, title: str, first: Side, second: AnySide, /, **values: Any) -> Any:
    return page.render(template, title=title, one=first, two=second, uri=uri, signed=images.signed,
                       pair_style=pair_of(".css"),
                       pair_script=pair_of(".js").replace("export function", "function"), **values)


def height(db: float) -> float:
    return round(10 + (HIGH - min(max(db, LOW), HIGH)) / (HIGH - LOW) * 90, 1)


def curve(program: Frames) -> str:
    """PSNR over frames as points of a polyline; "" if there are fewer than two."""
    rows = [(f["frame"], f["psnr"]) for f in program.frames if "psnr" in f]
    last = max((frame for frame, _ in rows), default=0) or 1
    return " ".join(f"{40 + frame / last * 590:.1f},{height(db)}" for frame, db in rows) \
        if len(rows) > 1 else ""


def comparison(result: Comparison) -> Any:
    """The page of a comparison. result: a result.Comparison."""
    return render("compare.html", f"Attila beside {result.second.renderer}", result.first,
                  result.second, result=result, curve=curve, bound_y=height(result.bound),
                  classes=images.CLASSES, meaning=images.MEANING)


def bisection(found: Bisection, first: Side, second: AnySide, name: str, frame: int,
              state: Sequence[Any], textures: Sequence[Any]) -> Any:
    """The page of a bisect that found a draw."""
    return render("bisect.html", f"{name}, frame {frame}", first, second, found=found, name=name,
                  frame=frame, state=state, textures=textures)
