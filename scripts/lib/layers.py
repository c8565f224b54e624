"""Checks the includes of all C files against docs/layers.txt and draws them.

Usage: layers.py [--update]

Prints FILE:LINE for every include of a higher layer, or of another folder of the same layer that is
not listed. Also reports every folder that is in no layer, and files that have the same name. Ends
with status 1 if there is any. docs/images/layers.svg has a hash of the list and the arrows that it
was drawn from, which must be the present ones. --update draws it anew with graphviz.
"""

import hashlib
import os
import re
import subprocess
import sys
from collections import namedtuple

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
LIST, PICTURE = "docs/layers.txt", "docs/images/layers.svg"
# Where an include in quotes is looked for, after the folder of the file itself.
ROOTS = ("src", "src/sim", "src/compiler")
PALETTE = ("#fdf3d8", "#eaf3e3", "#e3eef7", "#f3e9f3", "#fbe9e1", "#e6f2f1", "#f0efe6", "#ededed")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')

# A folder (or header) of the list. row: counted from the bottom.
Place = namedtuple("Place", "name line row what sees")


def read_list(text, errors):
    """Returns {name: Place} in the order of the list, and the rows from bottom to top."""
    rows, places = [], {}
    # An indented line continues the line before it.
    text = re.sub(r"\n[ \t]+", lambda m: "\0 ", text)
    number = 1
    for line in text.split("\n"):
        here, number = number, number + 1 + line.count("\0")
        line = line.replace("\0", "").strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("=") or line == "-":
            if line == "-" and not rows:
                errors.append("%s:%d: a row before the first layer" % (LIST, here))
            rows.append((line[1:].strip(), []))
            continue
        parts = [p.strip() for p in line.split(":")]
        if len(parts) != 3 or not rows:
            errors.append("%s:%d: expected FOLDER : what it is : what it may include from" %
                          (LIST, here))
            continue
        name, what, sees = parts
        if name in places:
            errors.append("%s:%d: %s is listed twice" % (LIST, here, name))
        places[name] = Place(name, here, -len(rows), what, sees.split())
        rows[-1][1].append(name)
    places = {n: p._replace(row=p.row + len(rows)) for n, p in places.items()}
    return places, rows[::-1]


def place_of(path, places):
    """Returns the name in the list that a file belongs to, or None."""
    return path if path in places else os.path.dirname(path) if os.path.dirname(path) in places \
        else None


def allowed(source, target, places):
    """Returns whether the list allows source to include from target, and the entry that allows
    it."""
    a, b = places[source], places[target]
    for entry in a.sees:
        if entry == target and b.row <= a.row:
            return entry
        if b.row < a.row and (entry == "all" or
                              entry.endswith("/") and (target + "/").startswith(entry)):
            return entry
    return None


def find_include(name, path, files):
    """Returns our file that an include refers to, or None."""
    for folder in (os.path.dirname(path), *ROOTS):
        candidate = os.path.normpath(os.path.join(folder, name))
        if candidate in files:
            return candidate
    return None


def read_includes(files, places, errors):
    """Checks each include. Returns {(source, target): [file:line]} of folders, the entries of the
    list that are in use, and all includes as (file, file)."""
    edges, used, between = {}, set(), set()
    for path in sorted(files):
        source = place_of(path, places)
        if source is None:
            errors.append("%s:1: its folder is in no layer of %s" % (path, LIST))
            continue
        with open(os.path.join(TOP, path), encoding="utf-8") as f:
            lines = f.read().split("\n")
        for number, line in enumerate(lines, 1):
            m = INCLUDE.match(line)
            if not m:
                continue
            where = "%s:%d" % (path, number)
            file = find_include(m[1], path, files)
            if file is None:
                if "mesa" not in places[source].sees:
                    errors.append('%s: "%s" is no file of ours, and Mesa is not seen from here' %
                                  (where, m[1]))
                used.add((source, "mesa"))
                continue
            between.add((path, file))
            target = place_of(file, places)
            if target is None or target == source:
                continue
            entry = allowed(source, target, places)
            used.add((source, entry))
            edges.setdefault((source, target), []).append(where)
            if entry is None:
                way = ("runs up" if places[target].row > places[source].row else
                       "runs sideways" if places[target].row == places[source].row else
                       "is not listed")
                errors.append("%s: %s includes from %s: that %s" % (where, source, target, way))
    return edges, used, between


def find_cycle(edges):
    """Returns a list of places, or files, that include each other in a circle, or None."""
    below = {}
    for a, b in edges:
        below.setdefault(a, []).append(b)
    done, path = set(), []

    def visit(name):
        if name in path:
            return path[path.index(name):] + [name]
        if name in done:
            return None
        path.append(name)
        for b in sorted(below.get(name, [])):
            cycle = visit(b)
            if cycle:
                return cycle
        path.pop()
        done.add(name)
        return None

    for name in sorted(below):
        cycle = visit(name)
        if cycle:
            return cycle
    return None


def reduced(edges):
    """Returns the edges that do not follow from a longer path."""
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


def source_of(rows, boxes, edges):
    """Returns the picture's source for graphviz. rows: (label, [name]) from bottom to top; boxes:
    {name: what it is}; edges: (from, to). An arrow that follows from others is left out. Nothing
    here depends on the number of files or includes, so that a new file alone does not need a new
    picture."""
    row_of = {name: n for n, (_, names) in enumerate(rows) for name in names}
    out = ['digraph layers {', 'newrank=true; ranksep=0.35; nodesep=0.15; labelloc=t',
           'label="Layers of the sources: who includes from whom. What follows from other arrows '
           'is left out; tests see everything. Orange: beside, not below."',
           'graph [fontname="DejaVu Sans Mono", fontsize=13]',
           'node [shape=box, style="rounded,filled", fillcolor=white, fontsize=11, '
           'fontname="DejaVu Sans Mono"]', 'edge [color="#55606b", arrowsize=0.6]']
    for n in range(len(rows) - 1, -1, -1):
        label, names = rows[n]
        if label:
            out.append('subgraph "cluster %s" { label="%s"; labeljust=l; color="#dddddd"; '
                       'style=filled; fillcolor="%s"' % (label, label, PALETTE[n % len(PALETTE)]))
        out.append('{ rank=same; "row %d" [style=invis, width=0, height=0, label=""]' % n)
        for name in names:
            out.append('"%s" [label="%s\\n%s"]' % (name, name.replace("src/", "", 1), boxes[name]))
        out.append("}")
        if n == 0 or rows[n - 1][0]:
            out.append("}")
    out += ['"row %d" -> "row %d" [style=invis]' % (n, n - 1) for n in range(len(rows) - 1, 0, -1)]
    out += ['"%s" -> "%s"%s' % (a, b, ' [color="#d07020", constraint=false]'
                                if row_of[a] == row_of[b] else "") for a, b in reduced(edges)]
    return "\n".join(out + ["}"]) + "\n"


def check(errors):
    """Appends what is wrong to errors; returns the picture's source for graphviz."""
    listed = subprocess.run(["git", "-C", TOP, "ls-files", "*.c", "*.h"], check=True,
                            capture_output=True, text=True).stdout.split("\n")
    files = {f for f in listed if f and os.path.exists(os.path.join(TOP, f))}
    if not files:
        errors.append("git keeps no C file")
    names = {}
    for path in sorted(files):
        names.setdefault(os.path.basename(path), []).append(path)
    for same in names.values():
        if len(same) > 1:
            errors.append("%s:1: has the name of %s" % (same[1], same[0]))
    with open(os.path.join(TOP, LIST), encoding="utf-8") as f:
        places, rows = read_list(f.read(), errors)
    edges, used, between = read_includes(files, places, errors)
    cycle = find_cycle(edges)
    for circle in (cycle, find_cycle(between)):
        if circle:
            errors.append("a circle: %s" % " includes from ".join(circle))
    inhabited = {place_of(path, places) for path in files}
    for p in places.values():
        if p.name not in inhabited:
            errors.append("%s:%d: %s holds no C file" % (LIST, p.line, p.name))
        for entry in p.sees:
            beside = entry in places and places[entry].row == p.row
            if beside and (p.name, entry) not in used:
                errors.append("%s:%d: %s includes nothing from %s" % (LIST, p.line, p.name, entry))
            if entry not in ("mesa", "all") and entry.rstrip("/") not in places:
                errors.append("%s:%d: there is no %s" % (LIST, p.line, entry))
    if cycle:
        return None
    boxes = {p.name: p.what for p in places.values()}
    # Omit arrows from folders that see all others; they say nothing.
    arrows = [(a, b) for a, b in sorted(edges) if "all" not in places[a].sees]
    return source_of(rows, boxes, arrows)


def main():
    if sys.argv[1:] not in ([], ["--update"]):
        sys.exit(__doc__)
    errors = []
    source = check(errors)
    path = os.path.join(TOP, PICTURE)
    mark = "<!-- Drawn by scripts/lib/layers.py from %s; do not edit. -->\n" % hashlib.sha256(
        (source or "").encode()).hexdigest()[:16]
    if sys.argv[1:] == ["--update"] and source:
        svg = subprocess.run(["dot", "-Tsvg"], input=source, check=True, capture_output=True,
                             text=True).stdout
        with open(path, "w", encoding="utf-8") as f:
            f.write(svg.replace("<!DOCTYPE", mark + "<!DOCTYPE", 1))
    elif not os.path.exists(path) or mark not in open(path, encoding="utf-8").read():
        errors.append("%s is not what the includes look like: run scripts/lib/layers.py --update" %
                      PICTURE)
    for e in errors:
        print(e)
    sys.exit(1 if errors else 0)


main()
