"""What a sample of frames says about all of them (scripts/attila-sample): which frames are drawn,
and the total of a statistic with its interval.

Frames are spread over the run by the golden ratio (Weyl's sequence): any number of them, and any
further one, is as even as can be, so that what changes slowly is caught without being counted. From
those simulated a linear model of the features is fitted (ridge regression; its weight is the one
with the least error when each frame is predicted from the others), and the total is what was
simulated and, for all other frames, what the model predicts: the generalised regression estimator
of survey sampling. The interval comes from the errors of these predictions as if the frames had
been drawn by chance, which is wider than it need be. What hot starts are off by is the same way for
many frames, so an allowance for it is added, whatever the sample's size.

All that holds for frames that have others like them. One that loads a level has none, a sample
would hardly have it, and no model of the others knows it: such frames are known by their features
(rare) and are to be simulated in any case.
Not here: features, simulation, files (sample.py)."""
import math
import random

import numpy

GOLDEN = (math.sqrt(5) - 1) / 2
ALIKE = 3  # others that a frame must have near it
WEIGHTS = [10.0 ** (k / 2) for k in range(-8, 6)]  # of the ridge, that are tried


def spread_out(frames, seed):
    """Positions 0 .. frames - 1 in the order in which they are drawn."""
    start = random.Random(seed).random()
    drawn, order, step = set(), [], 0
    while len(order) < frames:
        at = int(frames * ((start + step * GOLDEN) % 1))
        step += 1
        while at in drawn:
            at = (at + 1) % frames
        drawn.add(at)
        order.append(at)
    return order


def rare(costs, error):
    """Positions of frames that may not be left to chance: that cost, as far as can be told without
    simulating (costs), so much more or less than all but a few others that one of them could move
    the total by a thirtieth of its error, a share."""
    costs = numpy.array(costs, float)
    apart, order = error / 30 * costs.sum(), numpy.argsort(costs, kind="stable")
    ascending = costs[order]
    return sorted(int(order[i]) for i in range(len(costs))
                  if len(costs) > ALIKE and
                  numpy.sort(abs(ascending[max(0, i - ALIKE):i + ALIKE + 1] - ascending[i]))[ALIKE]
                  > apart)


def standardise(rows):
    """Columns that vary, on one scale: the logarithm tames frames that upload a level."""
    columns = numpy.array(rows, float)
    tame = columns.max(axis=0) > 100 * (numpy.median(columns, axis=0) + 1)
    columns[:, tame] = numpy.log1p(columns[:, tame])
    deviation = columns.std(axis=0)
    if not deviation.any():
        return numpy.zeros((len(columns), 1))
    return ((columns - columns.mean(axis=0))[:, deviation > 0]) / deviation[deviation > 0]


def t_quantile(confidence, freedom):
    """Two-sided quantile of Student's distribution, by bisection of its integral."""
    freedom = min(freedom, 200)
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) \
        / math.sqrt(freedom * math.pi)

    def within(t):
        # Substituting tan keeps the tail of few degrees of freedom.
        steps, top = 200, math.atan(t)
        h = top / steps
        f = [scale * (1 + math.tan(i * h) ** 2 / freedom) ** (-(freedom + 1) / 2) *
             (1 + math.tan(i * h) ** 2) for i in range(steps + 1)]
        return 2 * h / 3 * (f[0] + f[-1] + 4 * sum(f[1:-1:2]) + 2 * sum(f[2:-1:2]))
    low, high = 0.0, 700.0
    for _ in range(60):
        t = (low + high) / 2
        low, high = (t, high) if within(t) < confidence else (low, t)
    return high


class Sample:
    """Those of all frames that were simulated; at least two. features: a row per frame,
    standardised; at: positions of the simulated ones; confidence: 0 to 1; hot: what hot starts may
    be off by, as a share."""

    def __init__(self, features, at, confidence, hot):
        self.all, self.n, self.hot = len(features), len(at), hot
        self.others = numpy.ones(self.all, bool)
        self.others[at] = False
        here = features[at]
        self.rest = features[self.others] - here.mean(axis=0)
        u, s, vt = numpy.linalg.svd(here - here.mean(axis=0), full_matrices=False)
        kept = s > 1e-9 * max(s.max(initial=0), 1e-9)
        self.u, self.s, self.vt = u[:, kept], s[kept], vt[kept]
        self.quantile = t_quantile(confidence, self.n - 1)

    def estimate(self, values):
        """Total of a statistic over all frames, and half of its interval. values: of the simulated
        frames, as in at."""
        values = numpy.array(values, float)
        mean = values.mean()
        along = self.u.T @ (values - mean)
        best = None
        for weight in WEIGHTS:
            shrink = self.s ** 2 / (self.s ** 2 + weight * self.n)
            lever = 1 / self.n + (self.u ** 2 * shrink).sum(axis=1)
            # What a frame is off by when the model does not know it, without fitting anew.
            error = (values - mean - self.u @ (shrink * along)) / (1 - numpy.minimum(lever, 0.999))
            square = (error ** 2).mean()
            if best is None or square < best[0]:
                best = square, self.vt.T @ (self.s / (self.s ** 2 + weight * self.n) * along)
        square, slope = best
        total = values.sum() + (mean + self.rest @ slope).sum()
        variance = self.all * (self.all - self.n) / self.n * square
        return total, self.hot * abs(total) + self.quantile * math.sqrt(variance)
