"""attila state: the state of a draw by OpenGL's names, and what differs between two draws, from a
record. Not here: how registers read in OpenGL's words (src/sim/decode/sim_pipeline_items.h).
"""

from __future__ import annotations

import argparse
import json
import re
from typing import Any, NamedTuple

from attila import cli
from attila.cli import Error, UsageError
from attila.records import reader

DIFFERENT = 4
Key = tuple[str, int | None, str]  # part, number, name


class Item(NamedTuple):
    """An item of the state of a draw: its value, and that of the draw before (None: absent). Of a
    uniform also the type in GLSL, and before is the last value that its program had."""

    part: str
    number: int | None
    name: str
    value: Any
    before: Any
    type: str | None = None


def find(db: reader.Database, draw: int | tuple[int, int]) -> int:
    """The row of a draw. draw: its row (work.work), or its frame and its number in it."""
    if isinstance(draw, tuple):
        found = db.execute("SELECT work FROM work WHERE kind = 'draw' AND frame = ? AND draw = ?",
                           draw).fetchone()
        if not found:
            draws, = db.execute("SELECT count(*) FROM work WHERE kind = 'draw' AND frame = ?",
                                draw[:1]).fetchone()
            raise UsageError(f"{db.path}: frame {draw[0]} has no draw {draw[1]}" + (
                f": it has {draws}, from 0" if draws else ": it has no draws"))
        return int(found[0])
    kind = db.execute("SELECT kind FROM work WHERE work = ?", (draw,)).fetchone()
    if not kind:
        raise UsageError(f"{db.path}: there is no work {draw}")
    if kind[0] != "draw":
        raise UsageError(f"{db.path}: work {draw} is no draw: it is of kind {kind[0]}")
    return draw


def items(db: reader.Database, work: int) -> list[Item]:
    """The state of a draw in the order of the pipeline, with what only the draw before had."""
    found = [Item(*row) for row in db.execute(
        "SELECT part, number, name, value, before, type FROM work_pipeline WHERE work = ? "
        "ORDER BY item", (work,))]
    if not found:
        raise Error(f"{db.path} has no state of work {work}")
    uniforms = [i for i in found if i.type]
    others = [i for i in found if not i.type]
    at = max((n for n, i in enumerate(others, 1) if i.part == "program"), default=0)
    return others[:at] + uniforms + others[at:]


def types(of: list[Item]) -> dict[Key, str]:
    """The types of uniforms."""
    return {i[:3]: i.type for i in of if i.type}


def differences(a: list[Item], b: list[Item]) -> list[tuple[Key, Any, Any]]:
    """[(part, number, name), value in a, value in b] of the items that differ."""
    left, right = ({i[:3]: i.value for i in side} for side in (a, b))
    return [(key, left.get(key), right.get(key)) for key in dict.fromkeys([*left, *right])
            if left.get(key) != right.get(key)]


def nested(of: list[Item]) -> dict[str, Any]:
    """{part: {name: value}}, and {part: {number: {name: value}}} of what has several."""
    result: dict[str, Any] = {}
    for i in of:
        if i.value is not None:
            part = result.setdefault(i.part, {})
            (part if i.number is None else part.setdefault(i.number, {}))[i.name] = i.value
    return result


def head(key: Key) -> str:
    part, number, _ = key
    return part if number is None else f"{part}[{number}]"


def text(value: Any) -> str:
    return "(absent)" if value is None else str(value)


def say(rows: list[tuple[Key, str]], kinds: dict[Key, str]) -> None:
    """Prints a line for each item. kinds: the types of uniforms."""
    above = None
    for key, values in rows:
        constant = key[2] == "c"
        group = key[0] + "s" if constant or key in kinds else head(key)
        if group != above:
            print(group)
        above = group
        name = head(key) if constant else f"{kinds[key]} {key[2]}" if key in kinds else key[2]
        print(f"   {name:<34} {values}")


def place(value: str) -> tuple[int, int]:
    """An argparse type: FRAME:DRAW."""
    found = re.fullmatch(r"(\d+):(\d+)", value)
    if not found:
        raise argparse.ArgumentTypeError(f"takes FRAME:DRAW, both from 0, not '{value}'")
    return int(found[1]), int(found[2])


def title(db: reader.Database, work: int) -> str:
    frame, draw, call, label = db.execute(
        "SELECT frame, draw, call, label FROM work WHERE work = ?", (work,)).fetchone()
    return f"frame {frame}, draw {draw}" + (f": {call}" if call else "") + (
        f" ({label})" if label else "")


def main(args: list[str]) -> int:
    p = cli.Parser("state", "[options] DIR FRAME:DRAW\n[options] DIR FRAME:DRAW FRAME:DRAW",
                   "Prints the state of a draw by OpenGL's names, from DIR/run.sqlite; * marks "
                   "what differs from the draw before. With two draws, prints what differs "
                   "between them. Exit status: 0; of two draws 0: nothing differs, 4: something.")
    p.add_argument("folder", metavar="DIR", help=argparse.SUPPRESS)
    p.add_argument("draws", nargs="+", type=place, metavar="FRAME:DRAW", help=argparse.SUPPRESS)
    p.add_argument("--run", metavar="DIR2", help="the second draw is of this run")
    p.add_argument("--changed", action="store_true",
                   help="print only what differs from the draw before")
    p.add_argument("--format", choices=("text", "json"), default="text",
                   help="text (default), or json: an object of parts, or of two draws a list")
    o = p.parse_args(args)
    if len(o.draws) > 2:
        p.error("one or two draws are wanted")
    if len(o.draws) == 1 and o.run:
        o.draws *= 2
    if len(o.draws) == 2 and o.changed:
        p.error("--changed needs one draw")
    runs = [reader.open_record(f) for f in [o.folder, o.run or o.folder][:len(o.draws)]]
    works = [find(db, draw) for db, draw in zip(runs, o.draws)]
    states = [items(db, work) for db, work in zip(runs, works)]
    if len(states) == 2:
        found = differences(*states)
        if o.format == "json":
            print(json.dumps([{"part": k[0], "number": k[1], "name": k[2], "a": a, "b": b}
                              for k, a, b in found], indent=1))
        else:
            for side, db, work in zip("ab", runs, works):
                print(f"{side}: {title(db, work)}")
            say([(k, f"{text(a)} -> {text(b)}") for k, a, b in found],
                types(states[0]) | types(states[1]))
            if not found:
                print("no difference")
        return DIFFERENT if found else 0
    shown = [i for i in states[0] if i.value != i.before or not o.changed]
    if o.format == "json":
        print(json.dumps(nested(shown), indent=1))
        return 0
    print(title(runs[0], works[0]))
    say([((i.part, i.number, i.name), text(i.value) + (
        "" if i.value == i.before else f" * (before: {text(i.before)})")) for i in shown],
        types(shown))
    return 0
