"""Estimates a long run from some of its frames (attila sample). It records the program if there is
one, counts features of all frames in functional mode, draws frames, simulates these from warm
starts, and repeats this until the cycles are known well enough. All results are in the folder at
once, so the same command continues after a kill. Not here: similarity of frames (sample/strata.py),
drawing and estimating (sample/estimate.py, sample/design.py)."""

from __future__ import annotations

import argparse
import csv
import fcntl
import functools
import json
import os
import shlex
import shutil
import subprocess
from typing import Any

from attila import frame_ranges, whole_file
from attila.cli import Error, UsageError
from attila.paths import places
from attila import program as record_program
from attila.sample.design import Design
from attila.sample import design as sample_design
from attila.sample.estimate import Population, Variance
from attila.sweep.machine import file_hash

Rows = dict[int, dict[str, str]]  # of frames.csv, by frame
FIRST = 30  # frames to begin with: the error of fewer could not be estimated
PLANNED = 0.95  # the plan aims at this share of --error: results seldom match the plan
HOST = {"host_seconds", "cpu_seconds", "kcycles_per_s"}


def fail(message: str, status: int = 1) -> None:
    raise UsageError(message) if status == 2 else Error(message)


# --- Runs ---

def whole_rows(path: str) -> Rows:
    """Rows of frames.csv by frame; of an incomplete file, its complete rows."""
    with open(path, newline="") as f:
        lines = [line for line in f if line.endswith("\n")]
    rows = csv.DictReader(lines)
    return {int(r["frame"]): r for r in rows if None not in r.values()}


@functools.cache
def rows_of(path: str) -> Rows:
    return whole_rows(path)


# If this process is killed, its simulator must end, too.
GUARD = ["setpriv", "--pdeathsig", "KILL", "--"]


def take_round(o: argparse.Namespace, out: str, sampled: Rows) -> None:
    """Adds the rows of a round to the sample."""
    path = os.path.join(out, "frames.csv")
    if os.path.isfile(path):
        sampled.update(whole_rows(path))
        write_sampled(o, sampled)
    shutil.rmtree(out)


def write_sampled(o: argparse.Namespace, sampled: Rows) -> None:
    frames = sorted(sampled)
    write_csv(os.path.join(o.out, "sampled.csv"), list(sampled[frames[0]]),
              [list(sampled[f].values()) for f in frames])


def known_rows(o: argparse.Namespace) -> Any:
    """Frames that an earlier run of the same command has simulated, also in an unfinished round."""
    path, out = os.path.join(o.out, "sampled.csv"), os.path.join(o.out, "round")
    sampled = whole_rows(path) if os.path.isfile(path) else {}
    if os.path.isdir(out):
        # Workers that had ended have complete records. Frames that cannot be read are simulated
        # again.
        if os.path.isdir(os.path.join(out, "workers")):
            subprocess.run([o.sim, "merge", out], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=False)
        take_round(o, out, sampled)
    return sampled


def simulate(o: argparse.Namespace, frames: list[int], sampled: Rows) -> None:
    """Simulates these frames and adds their rows."""
    frames = [f for f in frames if f not in sampled]
    if not frames:
        return
    if o.rehearse:
        sampled.update({f: rows_of(o.truth)[f] for f in frames})
        return
    out = os.path.join(o.out, "round")
    command = [o.sim, "run", o.capture, "--frames", frame_ranges.text(frames), "--jobs",
               str(o.jobs), "--warm-up", str(o.warm_up), "--mode", o.mode, "--out", out,
               "--draws-frames", "4294967294"] + o.machine
    result = subprocess.run(GUARD + command, stdout=subprocess.DEVNULL)
    if result.returncode:
        fail(f"simulating failed (status {result.returncode})")
    take_round(o, out, sampled)
    if any(f not in sampled for f in frames):
        fail("not all frames were simulated")


def read_features(o: argparse.Namespace) -> tuple[list[str], list[list[int]]]:
    path = os.path.join(o.out, "features.csv")
    if not os.path.isfile(path):
        with whole_file.writing(path) as f:
            if subprocess.run(GUARD + [o.sim, "features", o.capture] + o.part + o.machine,
                              stdout=f).returncode:
                fail(f"{o.capture} cannot be replayed")
    names, rows = sample_design.read_features(path)
    if not rows:
        fail(f"{o.capture} has no whole frame{' of these' if o.part else ''}")
    return names, rows


def write_csv(path: str, names: list[str], rows: list[list[Any]]) -> None:
    with whole_file.writing(path) as f:
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)


def say(o: argparse.Namespace, text: str) -> None:
    if not o.seeds:
        print(text, flush=True)


def column_of(sampled: Rows, column: str,
              frames: list[int]) -> dict[int, float]:
    return {f: float(sampled[f][column]) for f in frames}


def write_results(o: argparse.Namespace, design: Design, sampled: Rows,
                  planned: float) -> None:
    columns = [c for c in sampled[design.frames[0]] if c not in HOST and
               c not in ("frame", "start_cycle", "end_cycle")]
    rows = []
    for c in columns:
        total, variance = design.of(column_of(sampled, c, design.frames))
        half = design.half(total, variance, planned if c == "cycles" else 0.0)
        digits = 3 if any("." in sampled[f][c] for f in design.frames) else 0
        rows.append([c, "%.*f" % (digits, total), "%.*f" % (digits, half),
                     f"{100 * half / total:.3f}" if total else "0"])
    write_csv(os.path.join(o.out, "estimate.csv"),
              ["statistic", "total", "half_interval", "percent"], rows)
    design.write(o.out, {"error": o.error / 100, "seed": o.seed}, planned)


def compare(o: argparse.Namespace, total: float, half: float, simulated: list[int],
            frames: list[int]) -> tuple[Any, ...]:
    """simulated: the frames that were simulated. Returns the error of the estimate in percent,
    whether the true value is in the interval, and how many times as much work all frames are."""
    truth = {f: int(rows_of(o.truth)[f]["cycles"]) for f in frames}
    right = sum(truth[f] for f in frames)
    return 100 * (total / right - 1), abs(total - right) <= half, \
        right / sum(truth[f] for f in simulated)


# --- The folder ---

def claim(o: argparse.Namespace) -> Any:
    """Locks the folder and returns the lock. The folder must be new, or that of an earlier run of
    the same sample; only its extent (--error, --confidence, --most) and what is compared may
    differ."""
    source = [o.program, o.run_options] if o.program else os.path.abspath(o.capture)
    key = {"source": source, "part": o.part, "machine": o.machine, "mode": o.mode,
           "warm_up": o.warm_up, "rehearse": os.path.abspath(o.truth) if o.rehearse else None}
    try:
        key["simulator"] = file_hash(o.sim)
        for path in [o.capture] if o.capture else []:
            at = os.stat(path)
            key["file"] = [at.st_size, at.st_mtime_ns]
    except OSError as e:
        fail(f"{e.filename} cannot be replayed: {e.strerror}")
    path = os.path.join(o.out, "sample.json")
    try:
        if os.path.isdir(o.out) and not os.path.isfile(path):
            fail(f"{o.out} exists, and has no sample", 2)
        os.makedirs(o.out, exist_ok=True)
        lock = open(path, "a+")
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        lock.seek(0)
        text = lock.read()
    except BlockingIOError:
        fail(f"{o.out}: another attila-sample is at work there")
    except OSError as e:
        fail(f"{o.out}: {e.strerror}", 2 if isinstance(e, FileExistsError) else 1)
    if text:
        try:
            if json.loads(text) != key:
                fail(f"{o.out} exists, and its sample is of something else, or of another "
                     "simulator", 2)
            return lock
        except ValueError:
            lock.truncate(0)
    lock.write(json.dumps(key))
    lock.flush()
    return lock


# --- The sample ---

def draw(o: argparse.Namespace, frames: list[int], taken: list[int], population: Population,
         sampled: Rows) -> Any:
    """Simulates frames until the cycles are known well enough. Returns the Design and, for the
    cycles, their total, half the interval, and the planned half as a share."""
    left = len(frames) - len(taken)
    counts = population.pilot(min(FIRST, left))
    plan: Variance | None = None
    most = min(o.most - len(taken) if o.most else left, left)
    if most < counts.sum():
        fail(f"--most {o.most}: a sample begins with {counts.sum() + len(taken)} frames", 2)
    while True:
        here = Design(frames, taken, population, counts, o.confidence / 100,
                      o.warm_start_error / 100)
        simulate(o, here.frames, sampled)
        total, variance = here.of(column_of(sampled, "cycles", here.frames))
        planned = plan.half(counts, here.confidence) / total if plan else 0.0
        half = here.half(total, variance, planned)
        say(o, f"{len(here.frames)} of {len(frames)} frames: {total:.0f} cycles +- {half:.0f} "
               f"({100 * half / total:.3f} %, confidence {o.confidence:g} %)")
        found = here, (total, half, planned)
        if plan and half <= o.error / 100 * total or counts.sum() == most:
            return found
        want = PLANNED * (o.error - o.warm_start_error) / 100 * total
        new = variance.plan(counts, want, here.confidence, most)
        # If many more frames are needed, the plan from so few is unreliable: take half as many
        # more, then plan anew.
        step = counts.sum() + max(8, counts.sum() // 2)
        whole = new.sum() <= step
        if not whole:
            new = variance.plan(counts, want, here.confidence, min(step, most))
        elif plan and new.sum() == counts.sum():  # the interval was wider than planned
            new = population.divide(population.size, min(most, counts.sum() + 1), counts)
        elif new.sum() == counts.sum() and half <= o.error / 100 * total:
            return found
        counts, plan = new, variance if whole else None


def try_seeds(o: argparse.Namespace, frames: list[int], taken: list[int], population: Population,
              sampled: Rows) -> None:
    """Prints the estimate for each seed, and a table row for all of them (long-runs.md)."""
    rows = []
    for seed in range(o.seeds[0], o.seeds[1] + 1):
        population.reseed(seed)
        design, (total, half, _) = draw(o, frames, taken, population, sampled)
        off, has, work = compare(o, total, half, design.frames, frames)
        rows.append((len(design.frames), work, off, 100 * half / total, has))
    write_csv(os.path.join(o.out, "seeds.csv"),
              ["seed", "frames", "work", "off_percent", "half_percent", "has_truth"],
              [[o.seeds[0] + i, n, f"{work:.2f}", f"{off:.4f}", f"{half:.4f}", int(has)]
               for i, (n, work, off, half, has) in enumerate(rows)])
    n, work, off, half, has = zip(*rows)
    print(f"| {len(frames)} frames | {min(n)} to {max(n)}, mean {sum(n) / len(n):.0f} | "
          f"1/{max(work):.0f} to 1/{min(work):.0f} | {min(off):+.2f} to {max(off):+.2f} % | +- "
          f"{min(half):.2f} to {max(half):.2f} % | {sum(has)} of {len(has)} |")


def stratified(o: argparse.Namespace, names: list[str], rows: list[list[int]],
               sampled: Rows) -> tuple[Any, ...]:
    """Divides the frames as design.divide does, and simulates those that are similar to no
    others."""
    taken, population = sample_design.divide(names, rows, o.error / 100, o.seed)
    if taken:
        say(o, f"{len(taken)} frames are like no others")
    simulate(o, [rows[i][0] for i in taken], sampled)
    say(o, f"{len(population.kinds)} kinds of frames, {len(population.strata)} strata")
    return taken, population


def rehearsal(o: argparse.Namespace, names: list[str], rows: list[list[int]]) -> None:
    """Rehearses all --seeds."""
    sampled: dict[Any, Any] = {}
    taken, population = stratified(o, names, rows, sampled)
    try_seeds(o, [r[0] for r in rows], taken, population, sampled)


def estimate(o: argparse.Namespace) -> int:
    """Does what the options say; returns the exit status, 0 if the error is below the limit."""
    lock = claim(o)
    if o.program:
        o.capture = os.path.join(o.out, "program.attila")
        try:
            record_program.record(places().run, o.program, o.machine + shlex.split(o.run_options),
                                  o.capture)
        except ValueError as e:
            fail(str(e))
    names, rows = read_features(o)
    frames = [r[0] for r in rows]
    if o.truth and any(f not in rows_of(o.truth) for f in frames):
        fail(f"{o.truth} does not have all frames")
    if len(frames) < 2:
        fail(f"{o.capture} has one frame: simulate it")
    if o.seeds:
        rehearsal(o, names, rows)
        lock.close()
        return 0
    sampled = known_rows(o)
    taken, population = stratified(o, names, rows, sampled)
    design, (total, half, planned) = draw(o, frames, taken, population, sampled)
    write_sampled(o, sampled)
    write_results(o, design, sampled, planned)
    if o.truth:
        off, has, work = compare(o, total, half, design.frames, frames)
        print(f"truth: the estimate is off by {off:+.3f} %, the interval "
              f"{'has' if has else 'misses'} it; work: 1/{work:.1f}")
    lock.close()
    return 0 if half <= o.error / 100 * total else 1

