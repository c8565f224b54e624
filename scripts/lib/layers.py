"""Checks the includes of all C files against docs/layers.txt and draws them.

Usage: layers.py [--update]

Prints FILE:LINE for every include that runs up or to a folder beside that is not listed, for every
folder that is in no layer and for two files of one name, and ends with status 1 if there is any.
Also compares docs/images/layers.svg with what it would draw; with --update writes that file
instead. Not here: the drawing (layers_svg.py).
"""

import os
import re
import subprocess
import sys
from collections import namedtuple

import layers_svg

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
LIST, PICTURE = "docs/layers.txt", "docs/images/layers.svg"
# Where an include in quotes is looked for, after the folder of the file itself.
ROOTS = ("src", "src/sim", "src/compiler")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')

# A folder (or header) of the list. row counts from the bottom.
Place = namedtuple("Place", "name line row what sees")


def read_list(text, errors):
    """Returns {name: Place} in the order of the list, and the rows from bottom to top."""
    rows, places = [], {}
    # An indented line goes on with the one before.
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
    """The name in the list that a file belongs to, or None."""
    return path if path in places else os.path.dirname(path) if os.path.dirname(path) in places \
        else None


def allowed(source, target, places):
    """Whether the list lets source include from target; and the entry that does."""
    a, b = places[source], places[target]
    for entry in a.sees:
        if entry == target and b.row <= a.row:
            return entry
        if b.row < a.row and (entry == "all" or
                              entry.endswith("/") and (target + "/").startswith(entry)):
            return entry
    return None


def find_include(name, path, files):
    """The file of ours that an include means, or None."""
    for folder in (os.path.dirname(path), *ROOTS):
        candidate = os.path.normpath(os.path.join(folder, name))
        if candidate in files:
            return candidate
    return None


def read_includes(files, places, errors):
    """Checks each include; returns {(source, target): [file:line]} and the entries in use."""
    edges, used = {}, set()
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
    return edges, used


def find_cycle(edges):
    """A list of places that include from each other in a circle, or None."""
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


def check(errors):
    """Appends what is wrong to errors; returns the picture."""
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
    edges, used = read_includes(files, places, errors)
    cycle = find_cycle(edges)
    if cycle:
        errors.append("a circle: %s" % " includes from ".join(cycle))
    counts = {name: 0 for name in places}
    for path in files:
        if place_of(path, places):
            counts[place_of(path, places)] += 1
    for p in places.values():
        if not counts[p.name]:
            errors.append("%s:%d: %s holds no C file" % (LIST, p.line, p.name))
        for entry in p.sees:
            beside = entry in places and places[entry].row == p.row
            if beside and (p.name, entry) not in used:
                errors.append("%s:%d: %s includes nothing from %s" % (LIST, p.line, p.name, entry))
            if entry not in ("mesa", "all") and entry.rstrip("/") not in places:
                errors.append("%s:%d: there is no %s" % (LIST, p.line, entry))
    if cycle:
        return None
    boxes = {p.name: (p.what, counts[p.name]) for p in places.values()}
    # Arrows from what sees everything say nothing.
    arrows = [(a, b) for a, b in sorted(edges) if "all" not in places[a].sees]
    return layers_svg.draw(rows, boxes, arrows)


def main():
    if sys.argv[1:] not in ([], ["--update"]):
        sys.exit(__doc__)
    errors = []
    picture = check(errors)
    path = os.path.join(TOP, PICTURE)
    if sys.argv[1:] == ["--update"] and picture:
        with open(path, "w", encoding="utf-8") as f:
            f.write(picture)
    elif not os.path.exists(path) or open(path, encoding="utf-8").read() != picture:
        errors.append("%s is not what the includes look like: run scripts/lib/layers.py --update" %
                      PICTURE)
    for e in errors:
        print(e)
    sys.exit(1 if errors else 0)


main()
