"""Reads piglit results, prints a summary, and compares them with expectations or with another run.

Usage: piglit_results.py [--expect DIR] [--against RESULTS] [--table FILE] RESULTS

DIR holds attila-fails.txt ("name,Status # reason") and attila-flakes.txt ("regular expression # reason"). Exit status 1
when a test that is not listed fails, or a listed one fails in a worse way.
"""

import argparse
import bz2
import glob
import gzip
import json
import lzma
import os
import re
import sys
from collections import Counter

STATUS = {"pass": "Pass", "warn": "Warn", "fail": "Fail", "crash": "Crash", "timeout": "Timeout", "skip": "Skip",
          "incomplete": "Crash", "dmesg-fail": "Fail", "dmesg-warn": "Warn", "notrun": "Skip"}


def load(folder):
    """Returns {test: (status, {subtest: status})}."""
    paths = [folder] if os.path.isfile(folder) else sorted(glob.glob(os.path.join(folder, "results.json*")))
    if not paths:
        sys.exit("piglit_results: no results in " + folder)
    opener = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}.get(os.path.splitext(paths[0])[1], open)
    with opener(paths[0], "rt") as f:
        data = json.load(f)
    out = {}
    for name, test in data["tests"].items():
        subtests = {k: STATUS.get(v, v) for k, v in (test.get("subtests") or {}).items()}
        out[name] = (STATUS.get(test["result"], test["result"]), subtests)
    return out


def lines(path):
    if not os.path.exists(path):
        return
    with open(path) as f:
        for number, line in enumerate(f, 1):
            text, _, reason = line.partition("#")
            text = text.strip()
            if text:
                if not reason.strip():
                    sys.exit("%s:%d: no reason given" % (path, number))
                yield text


def area(name):
    parts = name.split("@")
    return "@".join(parts[:2]) if len(parts) > 2 else parts[0]


def write_table(path, results):
    counts = {}
    for name, (status, _) in results.items():
        counts.setdefault(area(name), Counter())[status] += 1
    order = ["Pass", "Warn", "Fail", "Crash", "Timeout", "Skip"]
    total = Counter()
    with open(path, "w") as f:
        f.write("| tests | " + " | ".join(o.lower() for o in order) + " |\n|---|" + "---:|" * len(order) + "\n")
        for name in sorted(counts):
            c = counts[name]
            total.update(c)
            if sum(c.values()) > c["Skip"]:
                f.write("| %s | %s |\n" % (name, " | ".join(str(c[o]) for o in order)))
        f.write("| **all** | %s |\n" % " | ".join("**%d**" % total[o] for o in order))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--expect")
    p.add_argument("--against")
    p.add_argument("--table")
    p.add_argument("results")
    a = p.parse_args()
    results = load(a.results)
    count = Counter(status for status, _ in results.values())
    executed = sum(count.values()) - count["Skip"]
    if a.table:
        write_table(a.table, results)
    bad = 0
    if a.expect:
        fails = dict(t.rsplit(",", 1) for t in lines(os.path.join(a.expect, "attila-fails.txt")))
        flakes = [re.compile(t) for t in lines(os.path.join(a.expect, "attila-flakes.txt"))]
        worse, fixed = [], []
        for name, (status, _) in sorted(results.items()):
            if any(f.fullmatch(name) for f in flakes):
                continue
            want = fails.get(name)
            if status in ("Fail", "Crash", "Timeout") and status != want:
                worse.append("%s,%s%s" % (name, status, " (expected %s)" % want if want else ""))
            elif want and status in ("Pass", "Warn"):
                fixed.append("%s,%s (expected %s)" % (name, status, want))
        for title, rows in (("Regressions", worse), ("Fixed (remove from attila-fails.txt)", fixed)):
            if rows:
                print("%s: %d" % (title, len(rows)))
                for r in rows[:200]:
                    print("  " + r)
        bad = len(worse)
    if a.against:
        other = load(a.against)
        both = [n for n in results if n in other and results[n][0] != "Skip" and other[n][0] != "Skip"]
        ours = sum(results[n][0] in ("Pass", "Warn") for n in both)
        theirs = sum(other[n][0] in ("Pass", "Warn") for n in both)
        print("Executed by both: %d; passed here %d, there %d" % (len(both), ours, theirs))
        for n in sorted(both):
            if results[n][0] != other[n][0]:
                print("  %s: here %s, there %s" % (n, results[n][0], other[n][0]))
        lost = [n for n in results if n in other and results[n][0] == "Skip" and other[n][0] != "Skip"]
        print("Executed there and skipped here: %d" % len(lost))
    print("%d listed, %d executed: %d passed (%.2f %%), %d warned, %d failed, %d crashed, %d timed out; %d skipped" % (
        len(results), executed, count["Pass"], 100.0 * (count["Pass"] + count["Warn"]) / max(executed, 1), count["Warn"],
        count["Fail"], count["Crash"], count["Timeout"], count["Skip"]))
    sys.exit(1 if bad else 0)


main()
