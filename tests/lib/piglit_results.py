"""Reads piglit results, prints a summary, and compares them with expectations or with another run.

DIR holds attila-fails.txt ("name,Status") and attila-flakes.txt (regular expressions) in the form
of Mesa's ci folders, with a reason in comments above each group of lines. RESULTS is a folder that
piglit wrote; where the runs recorded what their tests present (src/tools/piglit_hook.c), --against
compares that too. Exit status 1 when a test that is not listed fails, or a listed one fails in
another way, or with --must-match when a verdict or an image differs.
"""

from __future__ import annotations

import bz2
import glob
import gzip
import json
import lzma
import os
import re
import sys
from collections import Counter, namedtuple
from collections.abc import Iterator, Mapping
from typing import Any

from attila import cli

STATUS = {"pass": "Pass", "warn": "Warn", "fail": "Fail", "crash": "Crash", "timeout": "Timeout",
          "skip": "Skip", "dmesg-fail": "Fail", "dmesg-warn": "Warn"}
GOOD, BAD = ("Pass", "Warn"), ("Fail", "Crash", "Timeout")
# Piglit's words for a test that ended by itself but gave no verdict. A test that a signal ended is
# always "crash".
NO_VERDICT = ("notrun", "incomplete")
IMAGE = re.compile(r"^attila-image: (\d+) (\w+) (.*?)(?: (\S+\.png))?$", re.MULTILINE)
SHOWN = 200

# status: one of the words above; no_verdict: how a test ended that is counted as failed for want of
# a verdict, else empty; images: {number: (what, name of the PNG)}
Result = namedtuple("Result", "status no_verdict subtests images")


def result(test: Mapping[str, Any]) -> Result:
    status, no_verdict = STATUS.get(test["result"], test["result"]), ""
    code = test.get("returncode")
    if code is not None and code < 0:
        status = "Crash"
    elif test["result"] in NO_VERDICT:
        status = "Fail"
        no_verdict = "exit status not recorded" if code is None else f"exit status {code}"
    subtests = {k: STATUS.get(v, v) for k, v in (test.get("subtests") or {}).items()
                if k != "__type__"}
    images = {int(m[1]): (f"{m[2]} {m[3]}", m[4])
              for m in IMAGE.finditer(test.get("err") or "")}
    return Result(status, no_verdict, subtests, images)


def load(folder: str) -> dict[str, Result]:
    """Returns {test: Result}."""
    paths = [folder]
    if not os.path.isfile(folder):
        paths = sorted(glob.glob(os.path.join(folder, "results.json*")))
    if not paths:
        raise cli.Error(f"no results in {folder}")
    openers: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
    opener = openers.get(os.path.splitext(paths[0])[1], open)
    with opener(paths[0], "rt") as f:
        data = json.load(f)
    return {name: result(test) for name, test in data["tests"].items()}


def lines(path: str) -> Iterator[str]:
    """Yields the lines of a list, each of which has a reason above it."""
    if not os.path.exists(path):
        return
    reason = False
    with open(path) as f:
        for number, line in enumerate(f, 1):
            text = line.strip()
            if text and not text.startswith("#"):
                if not reason:
                    raise cli.Error(f"{path}:{number}: no reason given in the lines above")
                yield text
            else:  # an empty line ends a group
                reason = bool(text)


def show(title: str, rows: list[str]) -> None:
    """Prints a list when it is not empty."""
    if rows:
        print(f"{title}: {len(rows)}")
        for r in rows[:SHOWN]:
            print("  " + r)
        if len(rows) > SHOWN:
            print(f"  ... and {len(rows) - SHOWN} more")


def area(name: str) -> Any:
    parts = name.split("@")
    return "@".join(parts[:2]) if len(parts) > 2 else parts[0]


def write_table(path: str, results: dict[str, Result]) -> None:
    counts: dict[Any, Any] = {}
    for name, r in results.items():
        counts.setdefault(area(name), Counter())[r.status] += 1
    order = ["Pass", "Warn", "Fail", "Crash", "Timeout", "Skip"]
    total: Counter[str] = Counter()
    with open(path, "w") as f:
        f.write("| tests | " + " | ".join(o.lower() for o in order) + " |\n")
        f.write("|---|" + "---:|" * len(order) + "\n")
        for name in sorted(counts):
            c = counts[name]
            total.update(c)
            if sum(c.values()) > c["Skip"]:
                f.write(f"| {name} | {' | '.join(str(c[o]) for o in order)} |\n")
        f.write("| **all** | %s |\n" % " | ".join(f"**{total[o]}**" for o in order))


def compare_with_expectations(folder: str, results: dict[str, Result]) -> int:
    """Returns how many tests did worse than listed."""
    fails = dict(t.rsplit(",", 1) for t in lines(os.path.join(folder, "attila-fails.txt")))
    flakes = [re.compile(t) for t in lines(os.path.join(folder, "attila-flakes.txt"))]
    worse, fixed = [], []
    for name, r in sorted(results.items()):
        if any(f.fullmatch(name) for f in flakes):
            continue
        want = fails.get(name)
        if r.status in BAD and r.status != want:
            worse.append("%s,%s%s" % (name, r.status, f" (expected {want})" if want else ""))
        elif want and r.status in GOOD:
            fixed.append(f"{name},{r.status} (expected {want})")
    show("Regressions", worse)
    show("Fixed (remove from attila-fails.txt)", fixed)
    return len(worse)


def compare_verdicts(ours: dict[str, Result], theirs: dict[str, Result]) -> int:
    """Returns how many tests have another verdict there, in themselves or in a subtest.

    Both hold the same tests.
    """
    ran = [n for n in ours if ours[n].status != "Skip" and theirs[n].status != "Skip"]
    passed = [sum(r[n].status in GOOD for n in ran) for r in (ours, theirs)]
    print("Executed by both: %d; passed here %d, there %d" % (len(ran), *passed))
    tests = set()
    worse: list[Any] = []
    better: list[Any] = []
    other: list[Any] = []
    for n in sorted(ours):
        pairs = [(n, ours[n].status, theirs[n].status)]
        for s in sorted(set(ours[n].subtests) | set(theirs[n].subtests)):
            pairs.append((f"{n}@{s}", ours[n].subtests.get(s, "none"),
                          theirs[n].subtests.get(s, "none")))
        for name, here, there in pairs:
            if here != there:
                tests.add(n)
                rows = other
                if here in BAD and there in GOOD:
                    rows = worse
                elif here in GOOD and there in BAD:
                    rows = better
                rows.append(f"{name}: here {here}, there {there}")
    # Of tests and subtests; what a person looks for first comes first.
    show("Pass only there", worse)
    show("Pass only here", better)
    show("Other differences", other)
    print(f"Verdicts: the same for {len(ours) - len(tests)} of {len(ours)} tests")
    lost = sum(ours[n].status == "Skip" and theirs[n].status != "Skip" for n in ours)
    print(f"Executed there and skipped here: {lost}")
    return len(tests)


def compare_images(ours: dict[str, Result], theirs: dict[str, Result]) -> int:
    """Returns how many tests that ran in both present other images there.

    Both hold the same tests.
    """
    presenting = [n for n in ours if "Skip" not in (ours[n].status, theirs[n].status) and
                  (ours[n].images or theirs[n].images)]
    if not all(any(r[n].images for n in presenting) for r in (ours, theirs)):
        print("Images: not recorded by both runs")
        return 0
    rows = []
    for n in sorted(presenting):
        numbers = sorted(set(ours[n].images) | set(theirs[n].images))
        pairs = [(i, *(r[n].images.get(i, ("none", None)) for r in (ours, theirs)))
                 for i in numbers]
        differ = [p for p in pairs if p[1] != p[2]]
        if differ:
            i, here, there = differ[0]
            name = here[1] or there[1] or "no picture"
            more = f" and {len(differ) - 1} more of {len(pairs)}" if len(pairs) > 1 else ""
            rows.append(f"{n}: image {i}{more}: here {here[0]}, there {there[0]} ({name})")
    show("Other images (in the folder images of either run)", rows)
    print(f"Images: {len(presenting)} tests present "
          f"{sum(len(ours[n].images) for n in presenting)}; the same for "
          f"{len(presenting) - len(rows)} tests, different for {len(rows)}")
    return len(rows)


def main(args: list[str]) -> int:
    p = cli.Parser("piglit-results", "[options] RESULTS", __doc__)
    p.add_argument("--expect")
    p.add_argument("--against")
    p.add_argument("--must-match", action="store_true")
    p.add_argument("--table")
    p.add_argument("results")
    a = p.parse_args(args)
    results = load(a.results)
    count = Counter(r.status for r in results.values())
    executed = sum(count.values()) - count["Skip"]
    if a.table:
        write_table(a.table, results)
    bad = compare_with_expectations(a.expect, results) if a.expect else 0
    if a.against:
        other = load(a.against)
        both = [n for n in results if n in other]
        ours, theirs = {n: results[n] for n in both}, {n: other[n] for n in both}
        print(f"In both runs: {len(both)} tests; only here {len(results) - len(both)}, only "
              f"there {len(other) - len(both)}")
        differ = compare_verdicts(ours, theirs) + compare_images(ours, theirs)
        if a.must_match:
            bad += differ
            if not both:
                print("error: no test to compare")
                bad += 1
    show("Ended without a verdict, counted as failed",
         sorted(f"{n}: {r.no_verdict}" for n, r in results.items() if r.no_verdict))
    rate = 100.0 * (count["Pass"] + count["Warn"]) / max(executed, 1)
    print(f"{len(results)} listed, {executed} executed: {count['Pass']} passed ({rate:.2f} %), "
          f"{count['Warn']} warned, {count['Fail']} failed, {count['Crash']} crashed, "
          f"{count['Timeout']} timed out; {count['Skip']} skipped")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(cli.ending("piglit-results", main, sys.argv[1:]))
