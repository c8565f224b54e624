"""attila validate-timing: cycles and statistics of the simulator beside the original's. Not here:
cases (data.py), running (run.py), tables (report.py), the picture (chart.py).
"""

from __future__ import annotations

import argparse
import csv
import difflib
import functools
import glob
import os
import subprocess
import sys
from typing import Any

from attila import cli
from attila.cli import Error, UsageError
from attila.paths import TOP, places, simulator, system_path
from attila.timing import chart as timing_chart
from attila.timing.data import (CLOSE, TIMING, check_columns, import_original, read_folder,
                                read_lines, read_statistics, read_table, write_ratios)
from attila.timing import report as timing_report
from attila.timing.data import Case
from attila.timing.run import Machine, Result, run_cases, run_changes

REFERENCE = os.path.join(TIMING, "reference.ini")
VARIATIONS = os.path.join(TIMING, "variations.csv")
TRACES = os.path.join(TIMING, "traces.csv")
ABOUT_TRACES = os.path.join(TIMING, "traces.txt")
PAGE = os.path.join(TOP, "docs", "notebook", "validation.md")
PICTURE = os.path.join(TOP, "docs", "images", "validation.svg")
# How far a ratio may move from the one for which the sentence in cases.txt was written.
MOVED = 0.05
Pairs = dict[str, tuple[int | None, int | None]]  # {case: cycles of the original, ours}
Changes = list[tuple[str, Pairs]]
say = functools.partial(cli.say, "validate-timing")


DESCRIPTION = """\
Runs the captures in tests/timing/ (or those of the CASEs) with the original's configuration and
prints for each: cycles of the original and ours, their ratio, how much of the limiting unit's
theoretical peak that is, and the statistics that differ by more than 10 %. Needs no Mesa."""
EPILOG = """The original plays what `build/tests/timing/microbench --trace CASE DIR` writes.
Exit: 0 done, 1 a check failed, 2 wrong usage."""


def options(args: list[str]) -> argparse.Namespace:
    p = cli.Parser("validate-timing", "[options] [CASE ...]", DESCRIPTION, EPILOG)
    p.add_argument("cases", nargs="*", help=argparse.SUPPRESS)
    p.add_argument("--folder", action="append", default=[], metavar="DIR",
                   help="also the cases of DIR: CASE.attila, and original.csv with the original's "
                   "figures")
    p.machine()
    p.set_defaults(config=REFERENCE)
    p.jobs()
    p.add_argument("-o", dest="csv", metavar="FILE", type=cli.output,
                   help="all statistics, the original's and ours, as CSV")
    p.add_argument("--variations", action="store_true",
                   help="instead: the effect of changes of the configuration, original and ours")
    p.add_argument("--markdown", action="store_true", help="print docs/notebook/validation.md")
    p.add_argument("--update", action="store_true",
                   help="write validation.md and docs/images/validation.svg. With --variations "
                   "also measures the changes anew, with --folder also the table of other traces")
    p.add_argument("--accept", action="store_true",
                   help="with --update: the sentences of tests/timing/cases.txt hold for the "
                   "ratios that are measured now; for who has read them again")
    p.add_argument("--check", action="store_true",
                   help="fail when validation.md is not what is measured, when a case outside "
                   "10 %% has no sentence in tests/timing/cases.txt, or when its ratio has moved")
    p.add_argument("--import", dest="source", metavar="DIR",
                   help="write original.csv anew from DIR/CASE/original.frames.csv.gz, which the "
                   "original wrote")
    p.add_argument("--into", default=TIMING, metavar="FOLDER",
                   help="with --import: there, not into tests/timing/")
    p.add_argument("--capture", action="store_true",
                   help="record the captures anew, after a change of the command stream's format. "
                   "Needs the full build")
    o = p.parse_args(args)
    if o.capture and len(args) > 1:
        p.error("--capture stands alone")
    if o.markdown + o.update + o.check > 1:
        p.error("--markdown, --update and --check exclude each other")
    if o.accept and not o.update:
        p.error("--accept goes with --update")
    if (o.markdown or o.update or o.check) and (o.cases or o.set or o.config != REFERENCE):
        p.error("docs/notebook/validation.md has all cases and the configuration "
                f"{os.path.relpath(REFERENCE, TOP)}")
    return o


def chosen(names: list[str], cases: list[Case]) -> Any:
    known = {c.name: c for c in cases}
    for name in names:
        if name not in known:
            raise UsageError(f"there is no case {name}; there are: {' '.join(known)}")
    return [known[n] for n in names] if names else cases


# --- What docs/notebook/validation.md shows beside the cases that need no original ---

def fingerprint(results: list[Result]) -> Any:
    """A number that changes when the model does: the sum of our cycles of all cases that the
    original can run."""
    return sum(r.cycles for r in results if r.case.original)


def effects(rows: Changes) -> tuple[Any, ...]:
    """rows: [(change, {case: (original, ours)})] with 'base' first. Returns {change: [(effect in
    the original or None, in ours or None)]}, and (how many agree, how many there are)."""
    base, good, count = rows[0][1], 0, 0
    cells: dict[Any, Any] = {}
    for change, cycles in rows[1:]:
        cells[change] = []
        for case, pair in cycles.items():
            a, b = (v / w if v is not None and w else None for v, w in zip(pair, base[case]))
            cells[change].append((a, b))
            if a is not None and b is not None:
                count += 1
                good += abs(b / a - 1) <= CLOSE
    return cells, (good, count)


def read_changes() -> tuple[Any, ...]:
    """[(change, {case: (original, ours)})], and the fingerprint of the model when ours was
    measured."""
    model = None
    rows: dict[Any, Any] = {}
    for row in read_table(VARIATIONS):
        cycles = rows.setdefault(row["change"], {})
        cycles[row["case"]] = tuple(int(row[k]) if row[k] else None for k in ("original", "ours"))
        model = int(row["model"]) if row["model"] else None
    if next(iter(rows)) != "base":
        raise Error(f"{VARIATIONS}: the first change is not 'base'")
    return list(rows.items()), model


def write_changes(rows: Changes, model: int | None) -> None:
    with open(VARIATIONS, "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["change", "case", "original", "ours", "model"])
        for change, cycles in rows:
            for case, pair in cycles.items():
                out.writerow([change, case] + ["" if v is None else v for v in pair] + [model])


def measure_changes(o: argparse.Namespace, cases: list[Case]) -> list[Any]:
    """Our cycles with every change beside those of the original; nothing if we have no such key."""
    rows, _ = read_changes()
    known = {c.name: c for c in cases}
    ours = run_changes(o.sim, o.config, [change for change, _ in rows],
                       [known[n] for n in rows[0][1]], o.jobs)
    return [(change, {case: (original, ours[change][case] if change in ours else None)
                      for case, (original, _) in cycles.items()}) for change, cycles in rows]


def read_traces() -> tuple[Any, ...]:
    if not os.path.exists(TRACES):
        return [], None
    rows = read_table(TRACES)
    return rows, int(rows[0]["model"])


def write_traces(results: list[Result], model: int | None) -> None:
    with open(TRACES, "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["case", "original", "ours", "missed", "model"])
        for r in results:
            if r.ratio is not None:
                out.writerow([r.case.name, r.case.original["cycles"], r.cycles,
                              ", ".join(timing_report.difference_text(d)
                                        for d in r.missed_targets()), model])


def page(results: list[Result]) -> Any:
    model = fingerprint(results)
    traces, traces_model = read_traces()
    rows, rows_model = read_changes()
    about = " ".join(read_lines(ABOUT_TRACES)) if traces else ""
    cells, good = effects(rows) if rows_model is not None else ({}, (0, 0))
    return timing_report.markdown(
        results, os.path.relpath(PICTURE, os.path.dirname(PAGE)), traces, traces_model == model,
        about, rows if rows_model is not None else [], cells, good, rows_model == model)


def ratios(results: list[Result]) -> list[Any]:
    return [(r.case.name, r.ratio) for r in results if r.ratio is not None]


# --- Checks ---

def sentence_errors(results: list[Result]) -> Any:
    """Errors in cases.txt: every case outside 10 % needs a sentence that was written for about its
    present ratio, and no other case has one. A case that declares which part of its bound's rate it
    reaches must reach it, and not more than the whole."""
    errors = []
    for r in results:
        name, recorded = r.case.name, r.case.recorded
        if not r.case.what:
            errors.append(f"{name}: nothing about it in cases.txt")
        elif not r.close and not r.case.outside:
            errors.append(f"{name}: ratio {r.ratio:.2f} is outside 10 %, and cases.txt does not "
                          "say why")
        elif r.close and r.case.outside:
            errors.append(f"{name}: ratio {timing_report.ratio_text(r.ratio)} is within 10 %, but "
                          "cases.txt says why it is not")
        elif recorded and abs(r.ratio / recorded - 1) > MOVED:
            errors.append(f"{name}: ratio {r.ratio:.2f}, but cases.txt has a sentence for "
                          f"{recorded:.2f}")
        peak = r.peak or 0
        if r.case.reach and not r.case.reach <= peak <= 1:
            errors.append(f"{name}: {100 * peak:.1f} % of its bound's rate, not "
                          f"{100 * r.case.reach:g} to 100 %")
    return errors


def page_errors(results: list[Result]) -> Any:
    errors = []
    for path, text in ((PAGE, page(results)), (PICTURE, timing_chart.mark(ratios(results)))):
        name = os.path.relpath(path, TOP)
        try:
            with open(path, encoding="utf-8") as f:
                old = f.read()
        except OSError as e:
            errors.append(f"{name}: {e.strerror}")
            continue
        if path == PICTURE:  # only its first line: the rest depends on matplotlib
            old = old[old.find("<!-- Drawn"):old.find("<svg ")]
        if old == text:
            continue
        changed = [line for line in difflib.unified_diff(old.split("\n"), text.split("\n"),
                                                         "checked in", "measured", "", "", 0, "")
                   if line[0] in "+-"]
        errors.append("%s is not what is measured; if the model was meant to change, run "
                      "scripts/validate-timing --update\n%s" %
                      (name, "\n".join("   " + line[:97] for line in changed[:12])))
    return errors


def update(o: argparse.Namespace, results: list[Result], others: list[Result]) -> Any:
    model = fingerprint(results)
    if o.accept:
        write_ratios(TIMING, {r.case.name: r.ratio for r in results})
        for r in results:
            r.case.recorded = r.case.recorded and r.ratio
    if others:
        write_traces(others, model)
    if o.variations:
        write_changes(measure_changes(o, [r.case for r in results]), model)
    for path, text in ((PAGE, page(results)), (PICTURE, timing_chart.draw(ratios(results), CLOSE))):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        print(f"wrote {os.path.relpath(path, TOP)}")
    return sentence_errors(results)


def attila_run(*words: str) -> None:
    """Runs attila-run in functional mode, without a check of the renderer."""
    if subprocess.call([places().run, "--no-check", "--mode", "functional", *words]):
        raise Error(f"attila-run {' '.join(words)} failed")


def capture_all() -> None:
    """Records all captures: the cases of microbench; those of programs/CASE.txt, which begins with
    '# OTHER N:' (CASE is OTHER with this text as program N); and what the original draws with
    ForceMSAA (run.py)."""
    bench = os.path.join(places().build, "tests", "timing", "microbench")
    sim = os.path.join(places().build, "src", "sim", "attila-sim")
    if not os.access(bench, os.X_OK):
        raise Error(f"no {bench}: run scripts/setup first")
    listed = subprocess.run([bench, "--list"], check=True, capture_output=True, text=True).stdout
    for name in [line.split()[0] for line in listed.splitlines()]:
        attila_run("--capture", os.path.join(TIMING, name + ".attila"), bench, name)
        say(f"captured {name}")
    for text in sorted(glob.glob(os.path.join(TIMING, "programs", "*.txt"))):
        name = os.path.basename(text).removesuffix(".txt")
        _, other, number, *_ = read_lines(text)[0].split()
        subprocess.run([sim, "reprogram", os.path.join(TIMING, other + ".attila"),
                        f"{number.rstrip(':')}={text}", "--out",
                        os.path.join(TIMING, name + ".attila")], check=True)
        say(f"wrote {name}")
    for name in [r["case"] for r in read_table(VARIATIONS) if r["change"] == "base"]:
        attila_run("--capture", os.path.join(TIMING, "forced_msaa", name + ".attila"), bench,
                   "--samples", "4", name)
        say(f"captured {name} with samples")


def main(args: list[str]) -> int:
    o = options(args)
    if o.capture:
        capture_all()
        return 0
    system_path()
    o.sim = simulator()
    say(f"simulator: {os.path.relpath(o.sim, TOP)}")
    groups = read_statistics()
    wanted = [n for g in groups for n in g.names]
    if o.source:
        names = import_original(o.source, o.into, wanted)
        print(f"{os.path.join(os.path.relpath(o.into, TOP), 'original.csv')}: {' '.join(names)}")
        return 0
    machine = Machine(o.sim, o.config, o.set)
    own = read_folder(TIMING)
    check_columns(TIMING, wanted)
    others = [c for folder in o.folder for c in read_folder(folder)]
    errors = []
    if o.variations and not o.update:
        rows = measure_changes(o, own)
        timing_report.print_changes(rows, *effects(rows))
        return 0
    selected = chosen(o.cases, own + others)
    results = run_cases(machine, selected, groups, o.jobs)
    if o.csv:
        timing_report.write_csv(o.csv, results)
    mine = [r for r in results if r.case.folder == TIMING]
    if o.update:
        errors = update(o, mine, [r for r in results if r.case.folder != TIMING])
    elif o.markdown:
        sys.stdout.write(page(mine))
        errors = sentence_errors(mine)
    elif o.check:
        errors = sentence_errors(mine) + page_errors(mine)
    else:
        timing_report.print_text(results)
    for e in errors:
        say(e)
    return 1 if errors else 0
