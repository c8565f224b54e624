"""Claims of the papers: claims.ini says what a paper claims, where, and which values agree with it;
a study has the values found here. Not here: how these are found (the studies), pages
(pages/*.md.jinja).
"""

from __future__ import annotations

import configparser
import csv
import functools
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields

from attila.cli import Error

FILE = os.path.join(os.path.dirname(__file__), "claims.ini")
AGREE, OTHER, DIFFER, CANNOT = VERDICTS = (
    "agree", "agrees on another quantity", "differ", "cannot be compared")
NO_GAMES = "No frame of a game was given (`scripts/studies workloads` records them)."


@dataclass(frozen=True)
class Claim:
    """A row of the tables. here, verdict and why come from the last run of the study."""

    study: str
    claim: str
    place: str
    paper: str
    agrees: str
    here: str
    verdict: str
    why: str


@dataclass(frozen=True)
class Seen:
    """The finding of a study where numbers alone do not decide."""

    here: str
    agrees: bool


def verdict_of(text: Mapping[str, str], agrees: bool) -> tuple[str, str]:
    """The verdict on a declared claim, and why."""
    if agrees and "other" in text:
        return OTHER, text["other"]
    verdict = AGREE if agrees else DIFFER
    return verdict, text.get(verdict, "")


def within(criterion: str, values: Sequence[float]) -> bool:
    """Whether all values are in the range that a criterion names: "A to B", "at least A" or
    "at most B"."""
    number = r"([-+]?[\d.]+)"
    if found := re.fullmatch(rf"{number} to {number}(?: %)?", criterion):
        return all(float(found[1]) <= v <= float(found[2]) for v in values)
    if found := re.fullmatch(rf"at (least|most) {number}(?: %)?", criterion):
        limit = float(found[2])
        return all(v >= limit if found[1] == "least" else v <= limit for v in values)
    raise Error(f"{FILE}: no range: {criterion}")


@functools.cache
def declared() -> Mapping[str, Mapping[str, str]]:
    """{"study.claim": its keys}, in the order of the file."""
    parser = configparser.ConfigParser(interpolation=None)
    with open(FILE, encoding="utf-8") as f:
        parser.read_file(f)
    return {name: {key: " ".join(text.split()) for key, text in parser[name].items()}
            for name in parser.sections()}


def experiment(row: Claim) -> str:
    """What shows the reason why a row differs; empty: none is declared."""
    return next((t.get("experiment", "") for n, t in declared().items()
                 if n.split(".")[0] == row.study and t["claim"] == row.claim), "")


def compared(study: str, found: Mapping[str, Sequence[float] | Seen], games: bool) -> list[Claim]:
    """The claims of a study with its findings; a claim without a finding cannot be compared."""
    rows, known = [], {n for n in declared() if n.split(".")[0] == study}
    if unknown := {f"{study}.{n}" for n in found} - known:
        raise Error(f"{FILE}: no claim {', '.join(sorted(unknown))}")
    for name in (n for n in declared() if n in known):
        text, seen = declared()[name], found.get(name.split(".")[1])
        if seen is None:
            here, verdict = "", CANNOT
            why = NO_GAMES if "needs" in text and not games else text.get("cannot", "")
        elif isinstance(seen, Seen):
            here = seen.here
            verdict, why = verdict_of(text, seen.agrees)
        else:
            form = text.get("form", "{:.2f}")
            ends = dict.fromkeys(form.format(f(seen)) for f in (min, max))
            here = " to ".join(ends)
            verdict, why = verdict_of(text, within(text["agrees"], seen))
        rows.append(Claim(study, text["claim"], text["place"], text["paper"],
                          text.get("agrees", ""), here, verdict, why))
    return rows


def read(path: str) -> list[Claim]:
    if not os.path.exists(path):
        return []
    with open(path, newline="", encoding="utf-8") as f:
        return [Claim(**row) for row in csv.DictReader(f)]


def update(path: str, study: str, rows: list[Claim], order: Sequence[str]) -> list[Claim]:
    """Replaces the rows of a study in the file; returns all rows."""
    every = [c for c in read(path) if c.study != study and c.study in order] + rows
    every.sort(key=lambda c: order.index(c.study))
    with open(path, "w", newline="", encoding="utf-8") as f:
        writer = csv.DictWriter(f, [n.name for n in fields(Claim)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(asdict, every))
    return every
