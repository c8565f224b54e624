"""Draws folders in rows and the includes between them as SVG. Used by layers.py.

Rows and the order in them are given. An arrow that spans rows passes each of them in a lane of its
own; boxes and lanes of a row are moved sideways until arrows are as straight as they can be. Arrows
that follow from others are left out, so that a picture of many includes stays readable. The same
input gives the same bytes. Not here: reading the sources.
"""

from xml.sax.saxutils import escape

CHAR, NAME_SIZE, TEXT_SIZE = 0.6, 13, 11        # monospace: a character's width over its height
PAD, GAP, LANE = 10, 14, 16                     # inside a box, between boxes, of an arrow's lane
BOX_HEIGHT, ROW_GAP, BAND_GAP = 54, 42, 8
LEFT, RIGHT, TOP, BOTTOM = 130, 20, 54, 12
STRAIGHT, CENTRE = 8.0, 2.0     # how much a lane wants to be straight, a box to stay in the middle
PALETTE = ("#fdf3d8", "#eaf3e3", "#e3eef7", "#f3e9f3", "#fbe9e1", "#e6f2f1", "#f0efe6", "#ededed")


def reduced(edges):
    """The edges that do not follow from a longer way."""
    below = {}
    for a, b in edges:
        below.setdefault(a, set()).add(b)

    def reach(name, seen):
        for b in below.get(name, ()):
            if b not in seen:
                seen.add(b)
                reach(b, seen)
        return seen

    return [(a, b) for a, b in edges
            if not any(b in reach(c, set()) for c in below[a] if c != b)]


class Item:
    """A box, or the lane of an arrow in a row that it only passes."""

    def __init__(self, row, name=None, width=LANE):
        self.row, self.name, self.width = row, name, width
        self.up, self.down, self.x = [], [], 0.0


def spread(items, wanted, weights):
    """Centres that are as near as can be to the wanted ones and keep the order without overlap."""
    offsets = [0.0]
    for a, b in zip(items, items[1:]):
        gap = GAP if a.name and b.name else 0.0
        offsets.append(offsets[-1] + (a.width + b.width) / 2 + gap)
    blocks = []
    for x, o, weight in zip(wanted, offsets, weights):
        blocks.append([(x - o) * weight, weight, 1])
        while len(blocks) > 1 and \
                blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            s, w, n = blocks.pop()
            blocks[-1] = [blocks[-1][0] + s, blocks[-1][1] + w, blocks[-1][2] + n]
    flat = [s / w for s, w, n in blocks for _ in range(n)]
    return [f + o for f, o in zip(flat, offsets)]


def place(rows, chains):
    """Sets x of all items. rows: lists of boxes from bottom to top; chains: items of each arrow."""
    for chain in chains:
        for a, b in zip(chain, chain[1:]):
            a.down.append(b)
            b.up.append(a)
    home = {}
    for row in rows:
        for item, x in zip(row, spread(row, [0.0] * len(row), [1.0] * len(row))):
            item.x = home[item.name] = x
    lanes = [i for c in chains for i in c[1:-1]]
    for _ in range(8):
        # A lane lies where its neighbours are; then it takes its place among the boxes.
        for lane in lanes + lanes[::-1]:
            lane.x = sum(i.x for i in lane.up + lane.down) / 2
        order = [row + [i for i in lanes if i.row == n] for n, row in enumerate(rows)]
        for n, row in enumerate(order):
            boxes = {id(i): k for k, i in enumerate(rows[n])}
            row.sort(key=lambda i: (i.x, id(i) not in boxes, boxes.get(id(i), 0)))
        for sweep in range(100):
            for row in order if sweep % 2 else order[::-1]:
                wanted, weights = [], []
                for i in row:
                    pull = [(k.x, 1.0 if i.name or k.name else STRAIGHT) for k in i.up + i.down]
                    if i.name:
                        pull.append((home[i.name], CENTRE))
                    total = sum(w for _, w in pull)
                    wanted.append(sum(x * w for x, w in pull) / total)
                    weights.append(1.0 if i.name else STRAIGHT)
                for i, x in zip(row, spread(row, wanted, weights)):
                    i.x = x
    left = min(i.x - i.width / 2 for row in order for i in row)
    for row in order:
        for i in row:
            i.x += LEFT + PAD - left
    return order


def text(x, y, size, what, extra=""):
    return '<text x="%.1f" y="%.1f" font-size="%d"%s>%s</text>' % (x, y, size, extra, escape(what))


def draw(rows, boxes, edges):
    """rows: (label, [name]) from bottom to top; boxes: {name: (what it is, files)}; edges: (from,
    to). Returns the SVG's text."""
    row_of = {name: n for n, (_, names) in enumerate(rows) for name in names}
    items = {}
    for name, (what, _) in boxes.items():
        width = max(len(name.replace("src/", "", 1)) * NAME_SIZE, len(what) * TEXT_SIZE) * CHAR
        items[name] = Item(row_of[name], name, width + 2 * PAD)
    shown = reduced(edges)
    chains, beside = [], []
    for a, b in shown:
        if row_of[a] == row_of[b]:
            beside.append((items[a], items[b]))
            continue
        lanes = [Item(n) for n in range(row_of[a] - 1, row_of[b], -1)]
        chains.append([items[a], *lanes, items[b]])
    order = place([[items[n] for n in names] for _, names in rows], chains)
    width = max(i.x + i.width / 2 for row in order for i in row) + RIGHT

    # From the top: bands of one or several rows.
    top, tops, bands = TOP, [0.0] * len(rows), []
    for n in range(len(rows) - 1, -1, -1):
        label = rows[n][0]
        if label:
            bands.append([label, top, 0.0])
        tops[n] = top + ROW_GAP / 2
        top += BOX_HEIGHT + ROW_GAP
        bands[-1][2] = top
        if n and rows[n - 1][0]:
            top += BAND_GAP
    height = top + BOTTOM

    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
           'font-family="DejaVu Sans Mono, monospace">' % ((width, height) * 2),
           "<!-- Written by scripts/lib/layers.py; do not edit. -->",
           '<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
           'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#55606b"/></marker>'
           '</defs>',
           '<rect width="100%" height="100%" fill="#ffffff"/>',
           text(16, 22, 15, "Layers of the sources: who includes from whom",
                ' fill="#222222" font-weight="bold"'),
           text(16, 40, 12, "What follows from other arrows is left out; tests see everything. "
                "Orange: beside, not below.", ' fill="#555555"')]
    for n, (label, y0, y1) in enumerate(bands):
        out.append('<rect x="8" y="%.1f" width="%.1f" height="%.1f" rx="6" fill="%s"/>' %
                   (y0, width - 16, y1 - y0, PALETTE[n % len(PALETTE)]))
        words, lines = label.split(), []
        for word in words:
            if lines and len(lines[-1]) + 1 + len(word) <= 13:
                lines[-1] += " " + word
            else:
                lines.append(word)
        for k, line in enumerate(lines):
            out.append(text(18, (y0 + y1) / 2 + 4 + 16 * (k - (len(lines) - 1) / 2), 12, line,
                            ' fill="#555555"'))

    # Where arrows leave and reach a box: side by side in the order of their other ends.
    ports = {}
    for name, item in items.items():
        for side, ends in (("down", item.down), ("up", item.up)):
            ends = sorted(ends, key=lambda i: i.x)
            step = min(LANE, (item.width - 2 * PAD) / max(len(ends), 1))
            for k, end in enumerate(ends):
                ports[side, name, id(end)] = item.x + (k - (len(ends) - 1) / 2) * step
    for chain in chains:
        x = ports["down", chain[0].name, id(chain[1])]
        y = tops[chain[0].row] + BOX_HEIGHT
        path = "M%.1f %.1f" % (x, y)
        for item in chain[1:]:
            last = item.name is not None
            x1 = ports["up", item.name, id(chain[-2])] if last else item.x
            y1 = tops[item.row]
            mid = (y + y1) / 2
            path += "C%.1f %.1f %.1f %.1f %.1f %.1f" % (x, mid, x1, mid, x1, y1 - last)
            if not last:
                path += "V%.1f" % (y1 + BOX_HEIGHT)
            x, y = x1, y1 + BOX_HEIGHT
        out.append('<path d="%s" fill="none" stroke="#55606b" stroke-width="1.3" '
                   'marker-end="url(#a)"/>' % path)
    for a, b in beside:
        right = b.x > a.x
        y = tops[a.row] + BOX_HEIGHT
        x0 = a.x + (a.width / 2 - PAD) * (1 if right else -1)
        x1 = b.x + (b.width / 2 - PAD) * (-1 if right else 1)
        out.append('<path d="M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f" fill="none" '
                   'stroke="#c05020" stroke-width="1.5" marker-end="url(#a)"/>' %
                   (x0, y, x0, y + ROW_GAP * 0.7, x1, y + ROW_GAP * 0.7, x1, y + 1))
    for name, (what, files) in boxes.items():
        item = items[name]
        x, y = item.x - item.width / 2, tops[item.row]
        out.append('<rect x="%.1f" y="%.1f" width="%.1f" height="%d" rx="5" fill="#ffffff" '
                   'stroke="#7a8791"/>' % (x, y, item.width, BOX_HEIGHT))
        middle = ' text-anchor="middle"'
        out.append(text(item.x, y + 18, NAME_SIZE, name.replace("src/", "", 1),
                        middle + ' font-weight="bold" fill="#1c2b36"'))
        out.append(text(item.x, y + 33, TEXT_SIZE, what, middle + ' fill="#333333"'))
        count = "a header" if name.endswith(".h") else \
            "1 file" if files == 1 else "%d files" % files
        out.append(text(item.x, y + 47, TEXT_SIZE, count, middle + ' fill="#777777"'))
    out.append("</svg>")
    return "\n".join(out) + "\n"
