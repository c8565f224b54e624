"""Compares cycles and statistics of the simulator with the original's. Started by
scripts/validate-timing, which has the options' description. Not here: what a case is
(timing/data.py), running (timing/run.py), tables (timing/report.py), the picture
(timing/chart.py).
"""

import argparse
import csv
import difflib
import os
import sys

from attila.timing import chart as timing_chart
from attila.timing import report as timing_report
from attila.timing.data import (CLOSE, TIMING, TOP, BadData, check_columns, import_original,
                         read_folder, read_lines, read_statistics, read_table, write_ratios)
from attila.timing.run import Machine, run_cases, run_changes

REFERENCE = os.path.join(TIMING, "reference.ini")
VARIATIONS = os.path.join(TIMING, "variations.csv")
TRACES = os.path.join(TIMING, "traces.csv")
ABOUT_TRACES = os.path.join(TIMING, "traces.txt")
PAGE = os.path.join(TOP, "docs", "notebook", "validation.md")
PICTURE = os.path.join(TOP, "docs", "images", "validation.svg")
# How far a ratio may move from the one that the sentence in cases.txt was written for.
MOVED = 0.05


def options(args):
    p = argparse.ArgumentParser(prog="scripts/validate-timing", add_help=False, allow_abbrev=False,
                                usage='see "scripts/validate-timing --help"')
    p.add_argument("cases", nargs="*")
    p.add_argument("--folder", action="append", default=[])
    p.add_argument("--config", default=REFERENCE)
    p.add_argument("--set", action="append", default=[])
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    p.add_argument("-o", dest="csv")
    for what in ("markdown", "update", "check", "variations", "accept"):
        p.add_argument("--" + what, action="store_true")
    p.add_argument("--import", dest="source")
    p.add_argument("--into", default=TIMING)
    p.add_argument("--sim", required=True)
    o = p.parse_args(args)
    if o.jobs < 1:
        p.error("--jobs takes a number from 1")
    if o.markdown + o.update + o.check > 1:
        p.error("--markdown, --update and --check exclude each other")
    if o.accept and not o.update:
        p.error("--accept goes with --update")
    if (o.markdown or o.update or o.check) and (o.cases or o.set or o.config != REFERENCE):
        p.error("docs/notebook/validation.md has all cases and the configuration "
                f"{os.path.relpath(REFERENCE, TOP)}")
    return o


def chosen(names, cases):
    known = {c.name: c for c in cases}
    for name in names:
        if name not in known:
            raise BadData(f"there is no case {name}; there are: {' '.join(known)}")
    return [known[n] for n in names] if names else cases


# --- What docs/notebook/validation.md shows beside the cases that anyone can run ---

def fingerprint(results):
    """Changes with the model: the sum of the cycles of all cases."""
    return sum(r.cycles for r in results)


def effects(rows):
    """rows: [(change, {case: (original, ours)})] with 'base' first. Returns {change: [(effect in
    the original or None, in ours or None)]} and how many agree of how many."""
    base, cells, good, count = rows[0][1], {}, 0, 0
    for change, cycles in rows[1:]:
        cells[change] = []
        for case, pair in cycles.items():
            a, b = (v / w if v is not None else None for v, w in zip(pair, base[case]))
            cells[change].append((a, b))
            if a is not None and b is not None:
                count += 1
                good += abs(b / a - 1) <= CLOSE
    return cells, (good, count)


def read_changes():
    """[(change, {case: (original, ours)})]; the model's fingerprint when ours was measured."""
    rows, model = {}, None
    for row in read_table(VARIATIONS):
        cycles = rows.setdefault(row["change"], {})
        cycles[row["case"]] = tuple(int(row[k]) if row[k] else None for k in ("original", "ours"))
        model = int(row["model"]) if row["model"] else None
    if next(iter(rows)) != "base":
        raise BadData(f"{VARIATIONS}: the first change is not 'base'")
    return list(rows.items()), model


def write_changes(rows, model):
    with open(VARIATIONS, "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["change", "case", "original", "ours", "model"])
        for change, cycles in rows:
            for case, pair in cycles.items():
                out.writerow([change, case] + ["" if v is None else v for v in pair] + [model])


def measure_changes(o, cases):
    """Our cycles under every change beside the original's; nothing where we have no such key."""
    rows, _ = read_changes()
    known = {c.name: c for c in cases}
    ours = run_changes(o.sim, o.config, [change for change, _ in rows],
                       [known[n] for n in rows[0][1]], o.jobs)
    return [(change, {case: (original, ours[change][case] if change in ours else None)
                      for case, (original, _) in cycles.items()}) for change, cycles in rows]


def read_traces():
    if not os.path.exists(TRACES):
        return [], None
    rows = read_table(TRACES)
    return rows, int(rows[0]["model"])


def write_traces(results, model):
    with open(TRACES, "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["case", "original", "ours", "missed", "model"])
        for r in results:
            if r.ratio is not None:
                out.writerow([r.case.name, r.case.original["cycles"], r.cycles,
                              ", ".join(timing_report.difference_text(d)
                                        for d in r.missed_targets()), model])


def page(results):
    model = fingerprint(results)
    traces, traces_model = read_traces()
    rows, rows_model = read_changes()
    about = " ".join(read_lines(ABOUT_TRACES)) if traces else ""
    extras = timing_report.traces_markdown(traces, traces_model == model, about)
    if rows_model is not None:
        extras += timing_report.changes_markdown(rows, *effects(rows), rows_model == model)
    return timing_report.markdown(results, extras, os.path.relpath(PICTURE, os.path.dirname(PAGE)))


def picture(results):
    return timing_chart.draw([(r.case.name, r.ratio) for r in results if r.ratio is not None],
                             CLOSE)


# --- Checks ---

def sentence_errors(results):
    """Every case outside 10 % has a sentence that was written for about this ratio, no other."""
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
    return errors


def page_errors(results):
    errors = []
    for path, text in ((PAGE, page(results)), (PICTURE, picture(results))):
        name = os.path.relpath(path, TOP)
        try:
            with open(path, encoding="utf-8") as f:
                old = f.read()
        except OSError as e:
            errors.append(f"{name}: {e.strerror}")
            continue
        if old == text:
            continue
        changed = [line for line in difflib.unified_diff(old.split("\n"), text.split("\n"),
                                                         "checked in", "measured", "", "", 0, "")
                   if line[0] in "+-"]
        errors.append("%s is not what is measured; if the model was meant to change, run "
                      "scripts/validate-timing --update\n%s" %
                      (name, "\n".join("   " + line[:97] for line in changed[:12])))
    return errors


def update(o, results, others):
    model = fingerprint(results)
    if o.accept:
        write_ratios(TIMING, {r.case.name: r.ratio for r in results})
        for r in results:
            r.case.recorded = r.case.recorded and r.ratio
    if others:
        write_traces(others, model)
    if o.variations:
        write_changes(measure_changes(o, [r.case for r in results]), model)
    for path, text in ((PAGE, page(results)), (PICTURE, picture(results))):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        print(f"wrote {os.path.relpath(path, TOP)}")
    return sentence_errors(results)


def main(args):
    o = options(args)
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
        print(f"scripts/validate-timing: {e}", file=sys.stderr)
    return 1 if errors else 0


try:
    sys.exit(main(sys.argv[1:]))
except BadData as e:
    sys.exit(f"scripts/validate-timing: error: {e}")
except BrokenPipeError:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(1)
except OSError as e:
    sys.exit(f"scripts/validate-timing: error: {e.filename}: {e.strerror}")
except KeyboardInterrupt:
    sys.exit(130)
