"""Runs points of a sweep as job arrays of Slurm. The jobs and the process that started them share
a folder (spool) on a file system that all nodes have: a task reads its points from it, and leaves
each result there as a whole file. Only the process that started them writes sweep.sqlite, which
cannot be written from several nodes.

A task may be ended at any time and run again on another node, by Slurm (--requeue) or by a later
array for the missing points; points that have a result are skipped. sweep/main.py uses this file; a
task runs it as a program: sweep/slurm.py SPOOL NUMBER."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attila import whole_file
from attila.paths import TOP
from attila.sweep.run import Point, Tools, now, run_point
from attila.sweep.space import SpaceError
from attila.sweep.store import Store

LOST = 5  # after so many arrays in a row without a result the rest is given up


def command(*arguments: str) -> tuple[int, str, str]:
    """(status, output, text on standard error)"""
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=120)
    except (OSError, subprocess.TimeoutExpired) as e:
        return 1, "", str(e)
    return done.returncode, done.stdout, done.stderr.strip()


def check(o: argparse.Namespace) -> None:
    """Checks that there is a Slurm that accepts jobs."""
    for program in ("sbatch", "squeue", "scancel"):
        if not shutil.which(program):
            raise SpaceError(f"--slurm: no {program}: install Debian's slurm-client, or run "
                             "without --slurm on this machine")
    status, _, errors = command("squeue", "--noheader", "--name=attila-sweep")
    if status:
        raise SpaceError("--slurm: squeue says: %s" % (errors.split("\n")[-1] or status))


def result_file(spool: str, point: str) -> str:
    return os.path.join(spool, "results", point + ".json")


def name_of(spool: str) -> str:
    """The name of the jobs of a spool. It finds them even if their number was not written to a
    file."""
    return "attila-sweep-" + os.path.basename(spool)


class Spool:
    """The folder of an array. Its files: array.json (tools, options, tasks: lists of points),
    machines/ID.ini, results/ID.json, log-JOB_TASK."""

    def __init__(self, path: str, points: Sequence[Point], texts: Mapping[str, str], tools: Tools,
                 chunk: int, timeout: float | None) -> None:
        self.path = path
        for folder in ("machines", "results"):
            os.makedirs(os.path.join(path, folder))
        for configuration in {p.configuration for p in points}:
            whole_file.write(os.path.join(path, "machines", configuration + ".ini"),
                             texts[configuration], shared=True)
        tasks = [[p.fields() for p in points[i:i + chunk]] for i in range(0, len(points), chunk)]
        self.count = len(tasks)
        whole_file.write(os.path.join(path, "array.json"), json.dumps(
            {"sim": tools.sim, "run": tools.run, "timeout": timeout, "tasks": tasks}), shared=True)
        whole_file.write(os.path.join(path, "job"),
                         f"#!/bin/sh\nPYTHONPATH={shlex.quote(os.path.join(TOP, 'python', 'src'))} "
                         f"exec /usr/bin/python3 -m attila.sweep.slurm {shlex.quote(path)} "
                         "\"$SLURM_ARRAY_TASK_ID\"\n",
                         shared=True)

    def submit(self, options: Sequence[str]) -> Any:
        """Submits an array with the name of the folder; returns its number, for messages."""
        status, output, errors = command(
            "sbatch", "--parsable", "--requeue", "--job-name=" + name_of(self.path), "--ntasks=1",
            "--cpus-per-task=1", f"--array=0-{self.count - 1}",
            "--output=" + os.path.join(self.path, "log-%A_%a"), "--open-mode=append", *options,
            os.path.join(self.path, "job"))
        if status:
            raise SpaceError("sbatch: %s" % (errors.split("\n")[-1] or f"status {status}"))
        return output.strip().split(";")[0]


def largest_array() -> Any:
    """How many tasks an array may have in this Slurm."""
    _, output, _ = command("scontrol", "show", "config")
    for line in output.split("\n"):
        name, _, value = line.partition("=")
        if name.strip() == "MaxArraySize" and value.strip().isdigit():
            return max(1, int(value) - 1)
    return 1000


def alive(spool: str) -> bool:
    """Whether tasks of the spool wait or run. If Slurm does not answer, they count as alive, as the
    controller may be away for a while."""
    status, output, _ = command("squeue", "--noheader", "--name=" + name_of(spool), "--format=%T")
    return status != 0 or bool(output.split())


class Gatherer:
    """Takes results from spools and passes them to keep(point, result)."""

    def __init__(self, points: Sequence[Point],
                 keep: Callable[[Point, dict[str, Any]], None]) -> None:
        self.missing, self.keep = {p.id: p for p in points}, keep

    def gather(self, spool: str) -> Any:
        """Takes the new results of a spool; returns how many there were."""
        found = 0
        try:
            names = os.listdir(os.path.join(spool, "results"))
        except OSError:
            return 0
        for name in sorted(names):
            point = self.missing.get(name.removesuffix(".json"))
            if point is None or not name.endswith(".json"):
                continue
            with open(os.path.join(spool, "results", name), encoding="utf-8") as f:
                result = json.load(f)
            self.keep(point, result)
            del self.missing[point.id]
            found += 1
        return found


def finish(store: Store, gatherer: Any, spools: Sequence[str], poll: float) -> Any:
    """Waits until the jobs of all spools have ended or nothing is missing; returns how many results
    came."""
    found, spools = 0, list(spools)
    while spools:
        # Ask for ended jobs first: all their files are visible after that.
        ended = [s for s in spools if not alive(s)]
        found += sum(gatherer.gather(s) for s in spools)
        for spool in ended if gatherer.missing else list(spools):
            if spool not in ended:  # the results of its other tasks are not needed
                command("scancel", "--name=" + name_of(spool))
            store.spool_ended(spool)
            spools.remove(spool)
            shutil.rmtree(spool, ignore_errors=True)
        if spools:
            time.sleep(poll)
    return found


def run(o: argparse.Namespace, store: Store, points: Sequence[Point], texts: Mapping[str, str],
        tools: Tools, keep: Callable[[Point, dict[str, Any]], None],
        say: Callable[[str], None]) -> None:
    """Runs the points; points that no node can finish have no result."""
    gatherer = Gatherer(points, keep)
    earlier = store.spools()
    if earlier:  # spools of a killed sweep, whose jobs went on
        say(f"{len(earlier)} job arrays of an earlier start are known")
        finish(store, gatherer, earlier, o.slurm_poll)
    fruitless = 0
    while gatherer.missing and fruitless < LOST:
        left = list(gatherer.missing.values())[:largest_array() * o.slurm_chunk]
        spool = os.path.join(o.out, f"slurm-{now().replace(':', '')}-{os.getpid()}")
        while os.path.exists(spool):
            spool += "+"
        array = Spool(spool, left, texts, tools, o.slurm_chunk, o.timeout)
        store.remember_spool(spool, now())
        job = array.submit(shlex.split(o.slurm_options))
        say(f"job {job}: {array.count} tasks for {len(left)} points")
        found = finish(store, gatherer, [spool], o.slurm_poll)
        fruitless = 0 if found else fruitless + 1
    if gatherer.missing:
        say(f"{len(gatherer.missing)} points have no result after {LOST} arrays that brought "
            "nothing")


def task(spool: str, number: int) -> None:
    """What a task runs on a node."""
    with open(os.path.join(spool, "array.json"), encoding="utf-8") as f:
        array = json.load(f)
    tools = Tools(array["sim"], array["run"])
    local = os.environ.get("SLURM_TMPDIR") or os.environ.get("TMPDIR") or "/tmp"
    for fields in array["tasks"][number]:
        point = Point(**fields)
        if os.path.exists(result_file(spool, point.id)):
            continue
        with open(os.path.join(spool, "machines", point.configuration + ".ini"),
                  encoding="utf-8") as f:
            text = f.read()
        scratch = os.path.join(local, f"attila-sweep-{point.id}-{os.getpid()}")
        result = run_point(point, tools, text, scratch, array["timeout"])
        result["host"] = os.environ.get("SLURMD_NODENAME", result["host"])
        if result["state"] == "lost":  # not the point's fault: another node may run it
            sys.exit(f"attila-sweep: {point.id}: {result['message']}")
        # The file must be on disk before the node may stop.
        whole_file.write(result_file(spool, point.id), json.dumps(result), shared=True)


if __name__ == "__main__":
    task(sys.argv[1], int(sys.argv[2]))
