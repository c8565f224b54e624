"""The design of a sample: which frames of a run are simulated, and how values of all frames are
estimated from these. attila-sample (sample/main.py) makes the design round by round and writes it
to a file; attila-sweep (sweep/sample.py) reads it and simulates the same frames on other machines.
Not here: strata (sample/strata.py), the estimator (sample/estimate.py), simulation."""

from __future__ import annotations

import csv
import functools
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy

from attila import whole_file
from attila.sample import estimate as sample_estimate
from attila.sample import strata as sample_strata
from attila.sample.estimate import Population, Variance
from attila.sample.strata import Array

FILE = "design.json"


def others(of: Sequence[Any], taken: Sequence[int]) -> list[int]:
    """The members of a list that are not at the positions taken."""
    there = set(taken)
    return [x for i, x in enumerate(of) if i not in there]


def divide(names: list[str], rows: list[list[int]], error: float, seed: int) -> tuple[Any, ...]:
    """Positions of the frames that must be simulated, and the Population of the others. names,
    rows: of features.csv; error: as a share."""
    parts = sample_strata.cost_parts(names, rows)
    # At least two frames must be left to estimate.
    taken = sample_strata.rare(parts, error)[:len(rows) - 2]
    left = others(range(len(rows)), taken)
    kinds = sample_strata.strata(parts[left], error, parts.sum())
    return taken, sample_estimate.Population(kinds, [rows[i][1:] for i in left], parts[left], seed)


def read_features(path: str) -> tuple[list[str], list[list[int]]]:
    """Names of the columns of features.csv, and its rows as numbers."""
    with open(path, newline="", encoding="utf-8") as f:
        reader = csv.reader(f)
        names = next(reader)
        return names, [[int(v) for v in r] for r in reader]


class Design:
    """taken: frames that stand only for themselves; drawn: frames that also stand for others;
    frames: both."""

    def __init__(self, frames: list[int], taken: Sequence[int], population: Population,
                 counts: Array, confidence: float, warm_start: float) -> None:
        """frames: all frames of the run; taken: positions in that list; counts: how many frames are
        drawn from each stratum of the population; confidence, warm_start (the error of warm
        starts): as shares."""
        left = others(frames, taken)
        self.run, self.positions, self.population, self.counts = frames, taken, population, counts
        self.confidence, self.warm_start = confidence, warm_start
        self.taken = [frames[i] for i in taken]
        self.drawn = [left[i] for i in population.drawn(counts)]
        self.frames = self.taken + self.drawn

    @functools.cached_property
    def sample(self) -> Any:
        return sample_estimate.Sample(self.population, self.counts)

    def of(self, values: Mapping[int, float]) -> tuple[Any, ...]:
        """The total of a statistic over all frames of the run, and its Variance. values: {frame:
        value}."""
        total, variance = self.sample.of([float(values[f]) for f in self.drawn])
        return total + sum(float(values[f]) for f in self.taken), variance

    def half(self, total: float, variance: Variance, planned: float = 0.0) -> Any:
        """Half the interval of a total. planned: without warm starts, half is at least this share
        of the total."""
        return max(variance.half(self.counts, self.confidence), planned * abs(total)) + \
            self.warm_start * abs(total)

    def ratio(self, above: Mapping[int, float], below: Mapping[int, float]) -> tuple[Any, ...]:
        """The ratio of the totals of above and below, {frame: value} each, and half its interval.
        Both have the same frames, so the error from choosing these frames mostly cancels: the
        interval is that of above - ratio * below (the linearised estimator of a ratio)."""
        top, bottom = self.of(above)[0], self.of(below)[0]
        ratio = top / bottom
        _, variance = self.sample.of([above[f] - ratio * below[f] for f in self.drawn])
        half = variance.half(self.counts, self.confidence) / bottom
        same = all(above[f] == below[f] for f in self.frames)
        return ratio, 0.0 if same else half + self.warm_start * ratio

    def write(self, folder: str, options: dict[str, float | int], planned: float) -> None:
        """Writes the design to a file beside features.csv. options: the arguments error and seed of
        divide; planned: for the cycles, as in half."""
        path = os.path.join(folder, FILE)
        with whole_file.writing(path) as f:
            json.dump({**options, "confidence": self.confidence,
                       "warm_start": self.warm_start, "planned": float(planned),
                       "counts": [int(n) for n in self.counts],
                       "run": [self.run[0], self.run[-1]], "frames": sorted(self.frames)}, f)


def read(folder: str) -> tuple[Any, ...]:
    """The Design of a finished sample, and its `planned`. Raises OSError or ValueError."""
    with open(os.path.join(folder, FILE), encoding="utf-8") as f:
        was = json.load(f)
    if "warm_start" not in was:
        raise ValueError(f"{folder} is of another version of attila-sample")
    names, rows = read_features(os.path.join(folder, "features.csv"))
    taken, population = divide(names, rows, was["error"], was["seed"])
    if len(population.strata) != len(was["counts"]):
        raise ValueError(f"{folder} is of another version of attila-sample")
    design = Design([r[0] for r in rows], taken, population, numpy.array(was["counts"]),
                    was["confidence"], was["warm_start"])
    if sorted(design.frames) != was["frames"]:
        raise ValueError(f"{folder} is of another version of attila-sample")
    return design, was["planned"]
