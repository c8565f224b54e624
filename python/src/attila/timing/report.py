"""Prints results of the timing validation: text for a terminal, validation.md, CSV. Used by
timing/main.py. Not here: the picture (timing/chart.py).
"""

from __future__ import annotations

import csv
import math
import textwrap

from attila.timing.data import CLOSE, SMALL, TARGET

MARK = "!"


def percent(part: float) -> str:
    return "" if part is None else f"{100 * part:.0f} %"


def ratio_text(ratio: float) -> str:
    return "" if ratio is None else f"{ratio:.2f}" if ratio < 99.995 else "> 99"


def difference_text(d) -> str:
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


def paragraph(text, indent=""):
    return textwrap.fill(text, 100, subsequent_indent=indent, break_long_words=False,
                         break_on_hyphens=False) + "\n"


def worst_first(differences):
    def distance(d) -> float:
        if d.ours is None or not d.ours or not d.original:
            return math.inf
        return abs(math.log(d.ratio))
    return sorted(differences, key=distance, reverse=True)


def close_count(results) -> tuple[int, int]:
    known = [r for r in results if r.ratio is not None]
    return sum(r.close for r in known), len(known)


def targets(result) -> list[tuple[str, bool, str]]:
    """(what, met, text) for the targets of a case."""
    missed = result.missed_targets()
    rows = [("cycles", result.close, ratio_text(result.ratio))]
    titles = []
    for d in result.compared:
        if d.group.sums and d.group.title not in titles:
            titles.append(d.group.title)
    for title in titles:
        bad = [d for d in missed if d.group.title == title]
        rows.append((title, not bad, ", ".join(difference_text(d) for d in bad)))
    return rows


# --- A terminal ---

def print_text(results) -> None:
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


def effect_text(pair):
    return " / ".join("–" if e is None else f"{e:.2f}" for e in pair)


def print_changes(rows, cells, good) -> None:
    names = list(rows[0][1])
    print("%-46s" % "change", *[f"{n:>16}" for n in names])
    for change, _ in rows[1:]:
        texts = [f"{effect_text(c):>16}" for c in cells[change]]
        print(f"{change:<46}" if len(change) <= 46 else change + "\n" + " " * 46, *texts)
    print("Effects, original / ours (– without such a key), as ratios to the unchanged machine: "
          "%d of %d\nagree within 10 %%" % good)


# --- CSV with everything ---

def write_csv(path: str, results) -> None:
    """A row for each case and statistic, ours beside the original."""
    with open(path, "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["case", "statistic", "original", "ours"])
        for r in results:
            for name in sorted(set(r.counted) | set(r.case.original),
                               key=lambda n: (n != "cycles", n)):
                ours = r.counted.get(name)
                out.writerow([r.case.name, name, r.case.original.get(name, ""),
                              "" if ours is None else f"{ours:.10g}"])


# --- docs/notebook/validation.md ---

HEAD = """\
# Validation of the timing

Written by `scripts/validate-timing --update`; do not edit. The last release of the original ATTILA
(2015) and this simulator execute the same OpenGL calls with the values of the original's
`attila-bGPU.ini` (`tests/timing/reference.ini`). Each case keeps one unit busy. Captures and the
original's figures are checked in (`tests/timing/`), so anyone can measure again without Mesa:

<!-- not run: takes minutes; tests/sim/timing.sh runs it -->
```sh
scripts/validate-timing                 # this table, and the statistics beyond 10 %%
scripts/validate-timing --help          # changes of the configuration, CSV, other captures
```

`scripts/attila-run build/tests/timing/microbench fill` draws a case live.

Mesa's compiler makes shorter programs than the original's library. Cases with `_same` in their
names have the original's program, instruction for instruction (`tests/timing/programs/`, put into
the captures by `attila-sim reprogram`), so both machines do the same work.

![Cycles of each case over those of the original](%s)
"""

TABLE = """
## Cycles

%d of %d cases are within 10 %% of the original. The bound is the least time that the limiting unit
needs ([arithmetic](#bounds)). "of peak" is the bound over the cycles.

| case | what it draws | original | ours | ratio | bound | original, of peak | ours, of peak |
|---|---|---:|---:|---:|---:|---:|---:|
"""

OUTSIDE = """
## Outside 10 %

The causes, as far as statistics and experiments show them:

"""

TARGETS = """
## Targets

Cycles within 10 %%; bytes of each memory client, DRAM commands and row hits within 15 %%, where
they are at least %d %% of a case's bytes (commands, accesses).

| case | %s |
|---|%s|
"""

STATISTICS = """
## Statistics beyond 10 %

Ours over the original's, the largest differences first. `tests/timing/statistics.txt` lists the
statistics that are compared; `scripts/validate-timing` prints all differences, `-o FILE` writes
every statistic.

| case | within 10 % | beyond |
|---|---:|---|
"""

BOUNDS = """
## Bounds

The work of the unit that limits a case, over what the unit can do in a GPU cycle.

| case | limited by | cycles at least |
|---|---|---|
"""


def markdown(results, extras, picture):
    """extras: paragraphs that go before the bounds; picture: where the chart is."""
    out = HEAD % picture + TABLE % close_count(results)
    for r in results:
        original = r.case.original.get("cycles")
        bound = r.case.bound
        out += "| %s | %s | %s | %d | %s | %.0f | %s | %s |\n" % (
            r.case.name, r.case.what, original or "–", r.cycles,
            ("**%s**" if not r.close else "%s") % (ratio_text(r.ratio) or "–"), bound,
            percent(bound / original) if original else "–", percent(r.peak))
    cannot = [r.case.name for r in results if not r.case.original]
    if cannot:
        out += "\n" + paragraph(
            "%s use calls that the original does not have; only their bound is compared." %
            " and ".join(f"`{n}`" for n in cannot))
    far = [r for r in results if not r.close]
    if far:
        out += OUTSIDE
        out += "".join(paragraph("- **%s** (%s): %s" % (
            r.case.name, ratio_text(r.ratio),
            r.case.outside or "no reason is written down in `tests/timing/cases.txt`."), "  ")
            for r in far)
    out += target_table([r for r in results if r.case.goal])
    out += STATISTICS
    for r in results:
        if r.compared:
            known = [d for d in r.compared if d.ours is not None]
            far = worst_first(r.beyond())
            text = ", ".join(difference_text(d) for d in far[:6])
            if len(far) > 6:
                text += f" and {len(far) - 6} more"
            out += f"| {r.case.name} | {len(known) - len(far)} of {len(known)} | {text} |\n"
    out += extras + BOUNDS
    for r in results:
        out += (f"| {r.case.name} | {r.case.unit} | {r.case.bound_text.replace('*', '×')} = "
                f"{r.case.bound:.0f} |\n")
    return out


def target_table(goals):
    if not goals:
        return ""
    titles = []
    for r in goals:
        titles += [what for what, _, _ in targets(r) if what not in titles]
    out = TARGETS % (100 * SMALL, " | ".join(titles), "---|" * (len(titles) - 1) + "---")
    for r in goals:
        cells = {what: "met" if met else "**not met**: " + text for what, met, text in targets(r)}
        out += f"| {r.case.name} | {' | '.join(cells.get(t, '–') for t in titles)} |\n"
    return out


def changes_markdown(rows, cells, good, current):
    """The table of changes of the configuration; current: whether ours was measured with this
    model."""
    out = "\n## Changes of the configuration\n\n" + paragraph(
        "The cycles of a changed machine over those of the unchanged one, original / ours. %d of "
        "%d agree within 10 %%%s. A dash stands for a key that this simulator does not have. "
        "`scripts/validate-timing --variations` measures them again." %
        (*good, "" if current else ", measured with an earlier model")) + "\n"
    names = list(rows[0][1])
    out += f"| change | {' | '.join(names)} |\n|---|{'---:|' * len(names)}\n"
    for change, _ in rows[1:]:
        texts = []
        for a, b in cells[change]:
            far = a is not None and b is not None and abs(b / a - 1) > CLOSE
            texts.append(("**%s**" if far else "%s") % effect_text((a, b)))
        out += f"| {change.replace(';', ', ')} | {' | '.join(texts)} |\n"
    return out


def traces_markdown(rows, current, about):
    """about: a paragraph, or nothing, that stands below the table."""
    if not rows:
        return ""
    out = "\n## Traces of the original\n\n" + paragraph(
        "Regression traces of the original, which are not part of this "
        f"project{'' if current else ' (measured with an earlier model)'}.")
    out += ("\n| trace | original | ours | ratio | bytes, commands and row hits beyond "
            f"{100 * TARGET:.0f} % |\n|---|---:|---:|---:|---|\n")
    for r in rows:
        ratio = int(r["ours"]) / int(r["original"])
        text = ("**%.2f**" if abs(ratio - 1) > CLOSE else "%.2f") % ratio
        out += (f"| {r['case']} | {r['original']} | {r['ours']} | {text} | {r['missed'] or 'none'} "
                "|\n")
    return out + ("\n" + paragraph(about) if about else "")
