"""Which frames attila sample draws, and what it says of the others. Not here: how often intervals
have the truth (tests/sim/sample-coverage.sh)."""

import numpy
import pytest

from attila import frame_ranges
from attila.sample import estimate, strata
from attila.tools.warm_starts import numbers_of, ranges_of
from attila.cli import Error


def test_spread_is_a_permutation_that_a_seed_repeats():
    assert sorted(estimate.spread_out(100, "1 0")) == list(range(100))
    assert estimate.spread_out(50, "1 0") == estimate.spread_out(50, "1 0")
    assert estimate.spread_out(50, "1 0") != estimate.spread_out(50, "2 0")


def test_any_beginning_of_the_spread_is_even():
    first = sorted(estimate.spread_out(1000, "7")[:20])
    assert max(b - a for a, b in zip(first, first[1:])) < 3 * 1000 / 20


@pytest.mark.parametrize("confidence, freedom, want", [
    (0.95, 1, 12.7062), (0.95, 10, 2.2281), (0.99, 30, 2.7500), (0.95, 1000, 1.9623)])
def test_quantile_of_student(confidence, freedom, want):
    assert estimate.t_quantile(confidence, freedom) == pytest.approx(want, abs=1e-4)


def test_allocation_is_whole_and_within_bounds():
    frames, want = numpy.array([100, 10, 3]), numpy.array([5.0, 5.0, 1.0])
    given = estimate.allocate(frames, want, 24, numpy.array([3, 3, 3]))
    assert given.sum() == 24 and (given <= frames).all() and (given >= 3).all()
    assert given[0] > given[2]


def test_programs_are_kinds_of_their_own():
    parts = numpy.array([[100.0, 0, 1]] * 60 + [[0, 400.0, 1]] * 60)
    kinds = strata.strata(parts, 0.01, parts.sum())
    assert len(kinds) == 2
    assert sorted(numpy.concatenate([s for kind in kinds for s in kind])) == list(range(120))
    for kind in kinds:
        assert len({bool(i < 60) for s in kind for i in s}) == 1


def test_a_frame_like_no_other_is_rare():
    parts = numpy.array([[100.0, 1]] * 50 + [[5000.0, 1]])
    assert strata.rare(parts, 0.01) == [50]


def test_halves_are_clusters():
    parts = numpy.array([[1.0], [1.1], [0.9], [9.0], [9.2]])
    first = strata.halves(parts)
    assert len(set(first[:3])) == 1 and len(set(first[3:])) == 1 and first[0] != first[3]
    assert strata.halves(numpy.ones((4, 2))) is None


def test_cost_parts_add_up_to_the_bound():
    names = ["frame", "fragments_a", "fragments_b", "shading", "bound"]
    parts = strata.cost_parts(names, [[0, 30, 10, 80, 100], [1, 0, 0, 0, 7]])
    assert parts.sum(axis=1).tolist() == [100, 7]
    assert parts[0].tolist() == [60, 20, 20]


def population(cycles):
    """A population of frames whose one feature tells most of their cost."""
    rows = [[c // 10] for c in cycles]
    kinds = [[numpy.arange(len(cycles))]]
    parts = numpy.array([[float(c)] for c in cycles])
    return estimate.Population(kinds, rows, parts, 1)


def test_a_linear_run_is_estimated_exactly():
    cycles = [1000 + 10 * n for n in range(200)]
    p = population(cycles)
    counts = p.pilot(30)
    drawn = p.drawn(counts)
    total, variance = estimate.Sample(p, counts).of([float(cycles[i]) for i in drawn])
    assert total == pytest.approx(sum(cycles), rel=1e-3)
    assert variance.half(counts, 0.95) < 0.01 * sum(cycles)


def test_ranges_as_text_and_back():
    assert frame_ranges.text([9, 3, 8, 7]) == "3,7-9"
    assert numbers_of("8,14,20-22") == [8, 14, 20, 21, 22]
    assert ranges_of("20-39,250-", "--draws", "1-") == [(20, 39), (250, float("inf"))]
    for wrong in ("7-2", "x", "1--2"):
        with pytest.raises(Error, match="is not a list such as"):
            numbers_of(wrong)
