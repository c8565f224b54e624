"""What the timing validation, limiters and studies calculate. Not here: running them
(tests/sim/timing.sh, limiters.sh, studies.sh)."""

import pytest

from attila.cli import Error
from attila.studies import results as studies
from attila.timing import data, run
from attila.tools import limiters


def test_arithmetic_with_words():
    assert data.arithmetic("8 screens * 307,200 fragments / (4 ROPs * 4 fragments)") == 153600
    for wrong in ("many", "8 screens of 2", "1 / 0"):
        with pytest.raises(Error):
            data.arithmetic(wrong)


def test_families_add_instances():
    rows = [{"Hits_TU0": "3", "Hits_TU1": "4", "Name": "x"}, {"Hits_TU0": "1"}]
    assert data.families(rows) == {"Hits_TU#": 8}


@pytest.mark.parametrize("text, why", [
    ("[none]\nwhat = it\n", "there is no none.attila"),
    ("[fill]\nwhat = it\n", "has no unit"),
    ("[fill]\nwhat = it\nunit = one\nbound = 3 things\nratio = 2\n", "come together"),
    ("[fill]\nsize = 3\n", "size is not"),
    ("[fill]\n[fill]\n", "a second"),
])
def test_wrong_descriptions_are_told(tmp_path, text, why):
    path = tmp_path / "cases.txt"
    path.write_text(text)
    with pytest.raises(Error, match=why):
        data.read_descriptions(str(path), {"fill": data.Case("fill", str(tmp_path))})


def test_a_difference_is_within_a_tolerance():
    assert run.Difference("g", "n", 100, 109).within(0.10)
    assert not run.Difference("g", "n", 100, 112).within(0.10)
    assert run.Difference("g", "n", 0, 0).within(0.10)


def test_limiters_are_part_of_ideal_units():
    limiters.read_parts()
    assert limiters.PARTS["system bus"] == "bus" and limiters.PARTS["shaders"] == "shader"
    assert set(limiters.PARTS.values()) <= set(limiters.UNITS)


@pytest.mark.parametrize("limits, gains, want", [
    ([("shaders", 0.9)], {"shader": 40, "memory": 1}, "yes"),
    ([("shaders", 0.9)], {"shader": 2, "memory": 1}, "balanced"),
    ([("system bus", 0.5), ("shaders", 0.48)], {"shader": 40, "bus": 5}, "yes, with others"),
    ([("system bus", 0.5), ("shaders", 0.2)], {"shader": 40, "bus": 5}, "second"),
    ([("system bus", 0.5)], {"shader": 40, "bus": 5}, "no"),
])
def test_verdict_of_what_if_runs(limits, gains, want):
    limiters.read_parts()
    assert limiters.verdict(limits, gains) == want


def test_means_and_percents_of_studies():
    assert studies.mean([2, 8]) == pytest.approx(4)
    assert studies.percent(1.056) == "+5.6 %"
