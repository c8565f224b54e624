"""Draws docs/images/validation.svg: a bar per case, ours over the original, on a logarithmic scale
with the band of 10 %. Used by timing/main.py."""

import math
from xml.sax.saxutils import escape

ROW, LEFT, WIDTH, TOP, BOTTOM, TEXT = 17, 130, 560, 46, 26, 11
INSIDE, OUTSIDE, BAND, GRID = "#4a8c5c", "#c0703a", "#e3efe5", "#dddddd"
LOWEST, HIGHEST = 0.25, 4.0


def text(x, y, what, extra=""):
    return '<text x="%.1f" y="%.1f" font-size="%d"%s>%s</text>' % (x, y, TEXT, extra, escape(what))


def position(ratio):
    ratio = min(max(ratio, LOWEST), HIGHEST)
    return LEFT + WIDTH * math.log(ratio / LOWEST) / math.log(HIGHEST / LOWEST)


def draw(results, close):
    """results: [(name, ratio)]. Returns the SVG's text."""
    bottom = TOP + ROW * len(results)
    width, height = LEFT + WIDTH + 60, bottom + BOTTOM
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
           'font-family="DejaVu Sans, sans-serif">' % (width, height, width, height),
           '<!-- Written by scripts/validate-timing; do not edit. -->',
           '<rect width="100%" height="100%" fill="#ffffff"/>',
           text(12, 20, "Cycles over those of the original: 1 is right; green: within 10 %",
                ' font-weight="bold" fill="#222222"'),
           '<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>' %
           (position(1 - close), TOP, position(1 + close) - position(1 - close), bottom - TOP,
            BAND)]
    for tick in (0.25, 0.5, 1, 2, 4):
        x = position(tick)
        out.append('<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="%s"/>' %
                   (x, TOP, x, bottom, "#888888" if tick == 1 else GRID))
        for y in (TOP - 6, bottom + 16):
            out.append(text(x, y, f"{tick:g}", ' text-anchor="middle" fill="#555555"'))
    for n, (name, ratio) in enumerate(results):
        y = TOP + ROW * n
        x0, x1 = sorted((position(1), position(ratio)))
        good = abs(ratio - 1) <= close
        out.append(text(LEFT - 8, y + 12, name, ' text-anchor="end" fill="#333333"'))
        out.append('<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>' %
                   (x0, y + 3, max(x1 - x0, 1), ROW - 5, INSIDE if good else OUTSIDE))
        side, anchor = (x0 - 4, "end") if ratio < 1 else (x1 + 4, "start")
        out.append(text(side, y + 12, f"{ratio:.2f}", ' text-anchor="%s" fill="#555555"' % anchor))
    return "\n".join(out + ["</svg>"]) + "\n"
