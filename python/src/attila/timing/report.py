"""Results of the timing validation as text for a terminal, as validation.md, as CSV. Used by
timing/command.py. Not here: the template of validation.md (python/src/attila/pages), the picture
(timing/chart.py).
"""

from __future__ import annotations

import csv
import math
import textwrap
from collections.abc import Iterable
from typing import Any

from attila import page
from attila.timing.data import CLOSE, SMALL, TARGET
from attila.timing.run import Difference, Result

MARK = "!"


def percent(part: float | None) -> str:
    return "" if part is None else f"{100 * part:.0f} %"


def ratio_text(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}" if ratio < 99.995 else "> 99"


def difference_text(d: Difference) -> str:
    return "%s %s" % (d.name, "not counted" if d.ours is None else
                      f"{int(d.ours)}, not 0" if not d.original else ratio_text(d.ratio))


def wrapped(items: list[str], indent: str, width: int = 100) -> list[str]:
    lines, line = [], ""
    for item in items:
        if line and len(indent) + len(line) + 2 + len(item) > width:
            lines.append(indent + line)
            line = ""
        line += (", " if line else "") + item
    return lines + ([indent + line] if line else [])


def paragraph(text: str, indent: str = "") -> str:
    return textwrap.fill(text, 100, subsequent_indent=indent, break_long_words=False,
                         break_on_hyphens=False) + "\n"


def worst_first(differences: Iterable[Difference]) -> list[Any]:
    def distance(d: Difference) -> float:
        if d.ours is None or not d.ours or not d.original:
            return math.inf
        return abs(math.log(d.ratio))
    return sorted(differences, key=distance, reverse=True)


def close_count(results: list[Result]) -> tuple[int, int]:
    known = [r for r in results if r.ratio is not None]
    return sum(r.close for r in known), len(known)


def targets(result: Result) -> list[tuple[str, bool, str]]:
    """(what, met, text) for the targets of a case."""
    missed = result.missed_targets()
    rows = [("cycles", result.close, ratio_text(result.ratio))]
    titles = []
    for d in result.compared:
        if d.group.target and d.group.title not in titles:
            titles.append(d.group.title)
    for title in titles:
        bad = [d for d in missed if d.group.title == title]
        rows.append((title, not bad, ", ".join(difference_text(d) for d in bad)))
    return rows


# --- A terminal ---

def print_text(results: list[Result]) -> None:
    form = "%-18s %10s %10s %7s %1s %9s  %s"
    print(form % ("case", "original", "ours", "ratio", "", "of peak", "limited by"))
    missing = []
    for r in results:
        print(form % (r.case.name, r.case.original.get("cycles", "-"), r.cycles,
                      ratio_text(r.ratio), "" if r.close else MARK, percent(r.peak),
                      r.case.unit.split(":")[0]))
        for line in wrapped([difference_text(d) for d in worst_first(r.beyond())], "    "):
            print(line)
        missing += [d.name for d in r.compared if d.ours is None and d.name not in missing]
    print("\n%d of %d cases within 10 %% of the original (%s: not); below each the statistics "
          "beyond 10 %%\n(ours / original)." % (*close_count(results), MARK))
    if missing:
        print("Not counted by this simulator:")
        print("\n".join(wrapped(missing, "    ")))
    goals = [r for r in results if r.case.goal]
    if goals:
        print("\nTargets: cycles within 10 %, bytes, commands and row hits within 15 %")
    for r in goals:
        for what, met, text in targets(r):
            line = f"{r.case.name:<18} {what:<24} {'met' if met else 'NOT MET':<7}"
            items = text.split(", ") if text and not met else []
            if len(line) + 1 + len(text) <= 100:
                print((line + " " + ", ".join(items)).rstrip())
            else:
                print(line.rstrip())
                print("\n".join(wrapped(items, "    ")))


def effect_text(pair: Any) -> str:
    return " / ".join("–" if e is None else f"{e:.2f}" for e in pair)


def print_changes(rows: Any, cells: Any, good: tuple[int, int]) -> None:
    names = list(rows[0][1])
    print("%-46s" % "change", *[f"{n:>16}" for n in names])
    for change, _ in rows[1:]:
        texts = [f"{effect_text(c):>16}" for c in cells[change]]
        print(f"{change:<46}" if len(change) <= 46 else change + "\n" + " " * 46, *texts)
    print("Effects, original / ours (– without such a key), as ratios to the unchanged machine: "
          "%d of %d\nagree within 10 %%" % good)


# --- CSV with everything ---

def write_csv(path: str, results: list[Result]) -> None:
    """Writes a row for each case and statistic, with the original's value and ours."""
    with open(path, "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["case", "statistic", "original", "ours"])
        for r in results:
            for name in sorted(set(r.counted) | set(r.case.original),
                               key=lambda n: (n != "cycles", n)):
                ours = r.counted.get(name)
                out.writerow([r.case.name, name, r.case.original.get(name, ""),
                              "" if ours is None else f"{ours:.10g}"])


# --- docs/notebook/validation.md, whose words are those of a template ---

def markdown(results: list[Result], picture: str, traces: Any, traces_current: bool, about: str,
             changes: Any, cells: Any, good: tuple[int, int], changes_current: bool) -> str:
    """traces, changes: rows of the files that hold them; ..._current: whether our values were
    measured with the present model; about: a paragraph for below the traces; picture: the path of
    the chart.
    """
    goals = [r for r in results if r.case.goal]
    titles: list[str] = []
    for r in goals:
        titles += [what for what, _, _ in targets(r) if what not in titles]
    met = [{what: "met" if met else "**not met**: " + text for what, met, text in targets(r)}
           for r in goals]
    close, known = close_count(results)
    return page.render(
        "validation.md.jinja", results=results, picture=picture, close=close, known=known,
        cannot=sum(not r.case.original for r in results),
        far=[r for r in results if not r.close], titles=titles,
        goals=[(r, [cells.get(t, "–") for t in titles]) for r, cells in zip(goals, met)],
        traces=traces, traces_current=traces_current, about=about, changes=changes, cells=cells,
        good=good, changes_current=changes_current, small=round(100 * SMALL),
        target=round(100 * TARGET), close_by=CLOSE, ratio=ratio_text, percent=percent,
        effect=effect_text, worst_first=worst_first,
        differences=lambda some: ", ".join(map(difference_text, some)),
        paragraph=paragraph, bold=lambda text, far: f"**{text}**" if far else text)
