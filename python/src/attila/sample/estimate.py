"""Estimates from a sample of frames (scripts/attila-sample): which frames are drawn, and the total
of a statistic over all frames, with its interval.

Frames are drawn from strata of similar frames (sample/strata.py). In each stratum they are spread
over the run by the golden ratio (Weyl's sequence): any number of frames is as evenly spread as
possible, also when more are added, so that slow changes during the run are covered. How many frames
are drawn from each stratum is planned from the results so far (Neyman's allocation, with the cost
of a frame). The interval is that of the plan or that of all frames drawn, whichever is wider; so
looking at it repeatedly until it happens to be narrow does not make it too narrow (Stein's two
stages).

For each kind of frames a linear model of the features, with a constant for each stratum, is fitted
to the simulated frames (ridge regression). The total is the sum of the simulated values and, for
all other frames, of the values that the model predicts: the stratified generalised regression
estimator of survey sampling. Its variance comes from the error with which each simulated frame is
predicted from the others, with the ridge weight that the others choose; so no error is measured on
frames to which the model was fitted. A few frames of a stratum are not enough to find its variance,
so the mean variance of all strata, relative to cost, counts as two more frames. The error of warm
starts has the same sign for many frames, so an allowance for it is added, whatever the size of the
sample. Not here: similarity of frames, features, simulation, files (sample/main.py)."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Sequence
from typing import Any

import numpy
from scipy import stats

from attila.sample.strata import Array, apart

GOLDEN = (math.sqrt(5) - 1) / 2
NONE = 1e9  # the weight of a ridge that means: no model
WEIGHTS = [10.0 ** (k / 2) for k in range(-8, 6)] + [NONE]  # the weights that are tried
SHARE = 3  # simulated frames that a model needs for each degree of freedom
PRIOR = 2  # how many frames the mean variance of all strata counts as, in the variance of each
LEAST = 3  # frames that are drawn from each stratum


def spread_out(frames: int, seed: Any) -> Any:
    """Positions 0 .. frames - 1 in the order in which they are drawn."""
    start = random.Random(seed).random()
    drawn, step = set(), 0
    order: list[Any] = []
    while len(order) < frames:
        at = int(frames * ((start + step * GOLDEN) % 1))
        step += 1
        while at in drawn:
            at = (at + 1) % frames
        drawn.add(at)
        order.append(at)
    return order


def standardise(rows: Array) -> Array:
    """The columns that vary, on one scale. Columns with extreme values (frames that upload a level
    of a game) are replaced by their logarithm."""
    columns = numpy.array(rows, float)
    tame = columns.max(axis=0) > 100 * (numpy.median(columns, axis=0) + 1)
    columns[:, tame] = numpy.log1p(columns[:, tame])
    deviation = columns.std(axis=0)
    if not deviation.any():
        return numpy.zeros((len(columns), 1))
    found: Array = ((columns - columns.mean(axis=0))[:, deviation > 0]) / deviation[deviation > 0]
    return found


@functools.cache
def t_quantile(confidence: float, freedom: float) -> float:
    """Two-sided quantile of Student's distribution."""
    return float(stats.t.ppf((1 + confidence) / 2, freedom))


def allocate(frames: Array, want: Array, count: int,
             least: Array) -> Array:
    """Divides count frames among the strata in proportion to want, but with at least least and not
    more frames than a stratum has."""
    if count <= least.sum() or not want.any():
        return least
    # Find by bisection how many frames a want of 1 gets.
    a, b = 0.0, 2 * frames.max() / want[want > 0].min()
    for _ in range(100):
        middle = (a + b) / 2
        few = numpy.clip(want * middle, least, frames).sum() < count
        a, b = (middle, b) if few else (a, middle)
    exact = numpy.clip(want * b, least, frames)
    given: Array = numpy.floor(exact + 1e-9).astype(int)
    most_left = numpy.argsort(given - exact, kind="stable")[:max(0, int(count - given.sum()))]
    given[most_left] += given[most_left] < frames[most_left]
    return given


class Kind:
    """Strata of frames of one kind, and their features."""

    def __init__(self, strata: Sequence[Array], rows: Any) -> None:
        features = standardise(rows[numpy.concatenate(strata)])
        self.features = numpy.split(features, numpy.cumsum([len(s) for s in strata])[:-1])
        self.frames = numpy.array([len(s) for s in strata])


class Model:
    """The model of a kind, fitted to its simulated frames. places: their places in each stratum."""

    def __init__(self, kind: Kind, places: Sequence[Any]) -> None:
        self.frames, self.n = kind.frames, numpy.array([len(p) for p in places])
        known = [f[p] for f, p in zip(kind.features, places)]
        middle = numpy.array([k.mean(axis=0) for k in known])
        self.rest = numpy.array([f.mean(axis=0) for f in kind.features]) - middle
        self.count = numpy.repeat(self.n, self.n)
        self.weight = numpy.repeat(self.frames / self.n, self.n)
        self.root = numpy.sqrt(self.weight)
        u, s, vt = numpy.linalg.svd(
            numpy.concatenate([k - m for k, m in zip(known, middle)]) * self.root[:, None],
            full_matrices=False)
        kept = s > 1e-9 * max(s.max(initial=0), 1e-9)
        self.u, self.s, self.vt = u[:, kept], s[kept], vt[kept]
        self.ridges = []
        free = self.n.sum() - len(self.n)
        for ridge in WEIGHTS:
            shrink = self.s ** 2 / (self.s ** 2 + ridge * self.weight.sum())
            if ridge == NONE or SHARE * shrink.sum() <= free - 4:
                lever = 1 / self.count + (self.u ** 2 * shrink).sum(axis=1)
                # With the root, the mean square is the variance if there is no model.
                scale = numpy.sqrt(1 - 1 / self.count) / (1 - numpy.minimum(lever, 0.999))
                left = max(0.2, 1 - shrink.sum() / max(1, free)) if ridge < NONE else 1
                self.ridges.append((shrink, numpy.where(self.count > 1, scale, 0), left))

    def of(self, values: Any) -> tuple[Any, ...]:
        """values: a list for each stratum. Returns, as lists over the strata: the sum over all
        frames; the mean square of the errors with which frames are predicted from the others; the
        share of degrees of freedom that the model leaves; whether there is a model."""
        mean = numpy.array([v.mean() for v in values])
        off = numpy.concatenate(values) - numpy.repeat(mean, self.n)
        along = self.u.T @ (off * self.root)
        squares = numpy.array([((off - self.u @ (shrink * along) / self.root) * scale) ** 2
                               for shrink, scale, _ in self.ridges])
        variance = self.weight * (self.weight - 1) * squares
        sums = variance.sum(axis=1)
        # For the error of a frame, use the ridge that is best for all other frames.
        chosen = (sums[:, None] - variance).argmin(axis=0)
        of_each = numpy.split(squares[chosen, range(len(off))], numpy.cumsum(self.n)[:-1])
        shrink, _, left = self.ridges[int(sums.argmin())]
        slope = self.vt.T @ (shrink / self.s * along)
        level, used = len(mean), left < 1
        return (self.frames * (mean + self.rest @ slope), [q.mean() for q in of_each],
                [left] * level, [used] * level)


class Population:
    """The frames from which samples are drawn, in strata. kinds: lists of strata (arrays of
    positions); rows: features of all positions; parts: parts of their cost (sample/strata.py)."""

    def __init__(self, kinds: Sequence[Sequence[Array]], rows: Any, parts: Array,
                 seed: Any) -> None:
        rows = numpy.array(rows, float)
        self.kinds = [Kind(strata, rows) for strata in kinds]
        self.strata = [s for strata in kinds for s in strata]
        self.frames = numpy.array([len(s) for s in self.strata])
        self.size = numpy.array([parts[s].sum(axis=1).mean() + 1 for s in self.strata])
        # How far apart the frames of each stratum are, relative to their cost.
        self.loose = numpy.array([(apart(parts[s], parts[s].mean(axis=0)) ** 2).mean()
                                  for s in self.strata]) / self.size ** 2
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """Sets the order in which frames are drawn from each stratum."""
        self.order = [spread_out(len(s), f"{seed} {h}") for h, s in enumerate(self.strata)]

    def divide(self, spread: Array, count: int, least: Array) -> Array:
        """Divides count frames among the strata so that they reduce the error most for the time
        they take. spread: how much the frames of each stratum differ; least: at least so many of
        each."""
        low = numpy.minimum(self.frames, numpy.maximum(least, LEAST))
        return allocate(self.frames, self.frames * spread / numpy.sqrt(self.size), count, low)

    def pilot(self, count: int) -> Array:
        """How many frames of each stratum to simulate first."""
        return self.divide(self.size, count, numpy.zeros(len(self.size), int))

    def drawn(self, counts: Array) -> list[int]:
        """Positions, stratum by stratum."""
        return [int(p) for s, o, n in zip(self.strata, self.order, counts) for p in s[o[:n]]]


class Sample:
    """A sample with counts[h] simulated frames of stratum h."""

    def __init__(self, population: Population, counts: Array) -> None:
        self.population, self.counts, self.models, at = population, counts, [], 0
        for kind in population.kinds:
            here = slice(at, at + len(kind.frames))
            self.models.append(Model(kind, [
                o[:n] for o, n in zip(population.order[here], counts[here])]))
            at = here.stop

    def of(self, values: Any) -> tuple[Any, ...]:
        """values: of a statistic, for the frames drawn. Returns its total over all positions, and
        its Variance."""
        values = numpy.split(numpy.array(values, float), numpy.cumsum(self.counts)[:-1])
        mean = numpy.array([v.mean() for v in values])
        found, at = [], 0
        for model in self.models:
            found.append(model.of(values[at:at + len(model.n)]))
            at += len(model.n)
        sums, squares, left, used = (numpy.concatenate(part) for part in zip(*found))
        # Without a model, differences of cost are not explained and count as variance.
        loose = numpy.where(used, 0, self.population.loose) * mean ** 2
        return sums.sum(), Variance(self.population, self.counts, squares, left, loose)


class Variance:
    """The variance of a statistic among the frames of each stratum, from the frames drawn."""

    def __init__(self, population: Population, counts: Array, squares: Array, left: Array,
                 loose: Array) -> None:
        self.population, self.frames, size = population, population.frames, population.size
        usual = numpy.average(squares / size ** 2, weights=self.frames * size)
        self.freedom = numpy.maximum(counts - 1, 0) * left
        self.one = (PRIOR * (usual * size ** 2 + loose) + self.freedom * squares) / \
            (PRIOR + self.freedom)

    def half(self, counts: Array, confidence: float) -> float:
        """Half the interval of the total if so many frames of each stratum are drawn."""
        parts = self.frames * (self.frames - counts) / counts * self.one
        if not parts.any():
            return 0.0
        # Satterthwaite's degrees of freedom, rounded to a quarter.
        freedom = parts.sum() ** 2 / (parts ** 2 / (PRIOR + self.freedom)).sum()
        return t_quantile(confidence, min(200, max(4, int(4 * freedom)) / 4)) * \
            math.sqrt(parts.sum())

    def plan(self, counts: Array, half: float, confidence: float,
             most: int) -> Array:
        """How many frames of each stratum are needed for this half of the interval: at least
        counts, and at most `most` in all."""
        total, new = counts.sum(), counts
        while total < most and self.half(new, confidence) > half:
            total = min(most, total + max(1, total // 32))
            new = self.population.divide(numpy.sqrt(self.one), total, counts)
        return new
