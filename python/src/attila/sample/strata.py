"""Similarity of frames, from what they need of the GPU (scripts/attila-sample): frames that are
similar to no others, kinds, and strata.

The cost of a frame, as far as it is known without simulation (the feature bound), is divided into
parts: one for the fragments of each program, and one for the rest (uploads, vertices). The
difference of two frames is the cost that would have to be moved between parts to turn one into the
other; so frames with different programs differ even if they cost the same. Frames of a kind differ
from their mean by less than half of their cost. Strata are parts of kinds, so that no stratum is a
large part of the run. Not here: features, drawing frames and estimating from them
(sample/estimate.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray
from scipy.cluster import vq

Array = NDArray[Any]
ALIKE = 3  # how many other frames must be near a frame
HALF = 1 / 2  # frames of one kind differ by less than this share of their cost
LARGE = 0.3  # a stratum with more than this share of all cost is divided


def cost_parts(names: Sequence[str], rows: Any) -> Any:
    """A row per frame: the cost of each program's fragments, and the cost of all else. names: of
    the columns."""
    rows = numpy.array(rows, float)
    programs = rows[:, [k for k, name in enumerate(names) if name.startswith("fragments_")]]
    shading, bound = (rows[:, [names.index(c)]] for c in ("shading", "bound"))
    sums = programs.sum(axis=1, keepdims=True)
    share = numpy.divide(programs, sums, out=numpy.zeros_like(programs), where=sums > 0)
    return numpy.hstack([share * shading, bound - share.sum(axis=1, keepdims=True) * shading])


def apart(parts: Array, one: Array) -> Array:
    """The difference of each frame from one frame."""
    moved = abs(parts - one).sum(axis=1) / 2
    far: Array = numpy.maximum(moved, abs(parts.sum(axis=1) - one.sum()))
    return far


def rare(parts: Array, error: float) -> Any:
    """Positions of frames that must be simulated: they differ so much from all but a few others
    that one of them could change the total by a thirtieth of error, which is a share."""
    cost = parts.sum(axis=1)
    limit, order = error / 30 * cost.sum(), numpy.argsort(cost, kind="stable")
    ascending = cost[order]
    found: list[Any] = []
    if len(cost) <= ALIKE:
        return found
    for i, p in enumerate(parts):
        # Two frames differ at least by the difference of their costs.
        a, b = numpy.searchsorted(ascending, [cost[i] - limit, cost[i] + limit])
        at = numpy.searchsorted(ascending, cost[i])
        for a, b in [(max(a, at - 100), min(b, at + 100)), (a, b)]:
            # The frame itself is one of these, except for rounding.
            alike = (apart(parts[order[a:b]], p) <= limit).sum() if b > a else 0
            if alike > ALIKE:
                break
        else:
            found.append(i)
    return found


def halves(parts: Array) -> bool | None | None:
    """Marks the frames of the first of two groups (2-means); None if all frames are equal."""
    a = parts[apart(parts, parts.mean(axis=0)).argmax()]
    b = parts[apart(parts, a).argmax()]
    try:
        _, group = vq.kmeans2(parts, numpy.array([a, b]), iter=20, minit="matrix", missing="raise")
    except vq.ClusterError:
        return None
    return group == 0 if group.any() and not group.all() else None


def divided(parts: Array, groups: list[Array], measure: Callable[[Array], float],
            limit: float, most: int) -> list[Array]:
    """Halves groups (arrays of positions), always the one with the largest measure, until the sum
    of the measures is at most limit."""
    groups = list(groups)
    sizes = [measure(parts[g]) for g in groups]
    while len(groups) < most and sum(sizes) > limit:
        k = int(numpy.argmax(sizes))
        first = halves(parts[groups[k]]) if sizes[k] > 0 else None
        if first is None:
            if sizes[k] <= 0:
                break
            sizes[k] = 0
            continue
        groups.append(groups[k][~first])
        groups[k] = groups[k][first]
        sizes[k] = measure(parts[groups[k]])
        sizes.append(measure(parts[groups[-1]]))
    return groups


def unlike(parts: Array) -> Any:
    """The sum of the differences of outliers from the mean of these frames."""
    mean = parts.mean(axis=0)
    off = apart(parts, mean)
    return off[off > HALF * numpy.maximum(parts.sum(axis=1), mean.sum())].sum()


def strata(parts: Array, error: float, whole: float) -> list[Any]:
    """The kinds, each a list of strata, which are arrays of positions. whole: the cost of the
    run."""
    def large(group: Array) -> float:
        cost = float(group.sum())
        return cost if cost > LARGE * whole and len(group) > 20 else 0
    # Divide until outliers matter less than the error.
    groups = divided(parts, [numpy.arange(len(parts))], unlike, error / 3 * whole,
                     max(1, len(parts) // 8))
    kinds: list[Any] = []
    for group in sorted(groups, key=lambda g: -float(parts[g].sum())):
        # The division may have split a kind, so join groups that are similar.
        mean = parts[group].mean(axis=0)
        for head, members in kinds:
            if apart(head[None], mean)[0] <= HALF * max(head.sum(), mean.sum()):
                break
        else:
            kinds.append((mean, members := []))
        members.extend(divided(parts, [group], large, 0, 8))
    return [members for _, members in kinds]
