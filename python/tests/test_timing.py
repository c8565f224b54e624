"""What the timing validation, limiters and studies calculate. Not here: running them
(tests/sim/timing.sh, limiters.sh, studies.sh)."""

import random

import pytest

from attila import simulator
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
    assert set(limiters.PARTS.values()) <= set(limiters.units())


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


@pytest.mark.parametrize("first, gains, want", [
    ("shaders", {"shader": 40, "bus": 1}, True),
    ("shaders", {"shader": 40, "bus": 45}, True),
    ("shaders", {"shader": 40, "bus": 46}, False),
    ("shaders", {"shader": 0, "bus": 4}, True),    # balanced
    ("shaders", {"shader": 20, "caches": 60}, True),
    (None, {"shader": 20, "bus": 0}, False),
])
def test_first_limiter_is_one_whose_ideal_helps(first, gains, want):
    limiters.read_parts()
    assert limiters.names_one_that_helps(first, gains) == want


def test_random_values_are_in_range():
    rnd = random.Random(1)
    values = [limiters.random_value(rnd, {"default": 16, "min": 2, "max": 40}) for _ in range(200)]
    assert min(values) == 4 and 32 < max(values) <= 40 and {8, 16, 32} <= set(values)
    assert {limiters.random_value(rnd, {"default": True}) for _ in range(20)} == {True, False}


def test_means_and_percents_of_studies():
    assert studies.mean([2, 8]) == pytest.approx(4)
    assert studies.percent(1.056) == "+5.6 %"


def test_a_unit_that_a_machine_cannot_have_ideal_is_left_out(monkeypatch, capsys):
    def ask(_, *arguments):
        return simulator.Answer("", "expected at most 2" if "texture" in arguments else None)

    def run(_sim, _capture, _config, ideal, _sets):
        assert ideal != "texture"
        return limiters.Run(50 if ideal == "memory" else 100, [("memory bandwidth", 0.9)])
    monkeypatch.setattr(simulator, "ask", ask)
    monkeypatch.setattr(limiters, "run", run)
    monkeypatch.setattr(limiters, "random_machine", lambda *_: [])
    monkeypatch.setitem(limiters.PARTS, "memory bandwidth", "memory")
    assert limiters.try_random("", 0, 1)
    assert "memory 50; this machine cannot have an ideal texture\n" in capsys.readouterr().out
