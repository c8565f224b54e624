"""Claims of the papers: what agrees with a criterion, what a study without a result says, and that
the pages of docs/notebook/studies/ are of the claims that claims.ini declares today."""

import os
import re

import pytest

from attila.cli import Error
from attila.studies import claims, command

PAGES = command.PAGES


@pytest.mark.parametrize("criterion, values, agrees", [
    ("1.7 to 2.3", [1.7, 2.3], True), ("1.7 to 2.3", [2, 2.31], False),
    ("-12 to -3 %", [-12, -3], True), ("-12 to -3 %", [-2.9], False),
    ("at least 3", [3, 9], True), ("at least 3", [2.9], False),
    ("at most -15 %", [-15], True), ("at most -15 %", [-14.9], False)])
def test_within(criterion, values, agrees):
    assert claims.within(criterion, values) is agrees


def test_a_criterion_that_is_no_range_needs_a_study_that_decides():
    with pytest.raises(Error, match="no range: yes"):
        claims.within("yes", [1])


def rows(study, found, games):
    return {c.claim: c for c in claims.compared(study, found, games)}


def test_verdicts():
    name = claims.declared()["texture-units.window-two"]["claim"]
    row = rows("texture-units", {"window-two": [-7]}, True)[name]
    assert (row.verdict, row.here) == (claims.AGREE, "-7.0 %")
    row = rows("texture-units", {"window-two": [-7, 1]}, True)[name]
    assert (row.verdict, row.here) == (claims.DIFFER, "-7.0 % to +1.0 %")
    row = rows("texture-units", {}, False)[name]
    assert (row.verdict, row.here, row.why) == (claims.CANNOT, "", claims.NO_GAMES)
    text = claims.declared()["units.busy-bound"]
    row = rows("units", {"busy-bound": [98]}, True)[text["claim"]]
    assert (row.verdict, row.why) == (claims.OTHER, text["other"])
    with pytest.raises(Error, match="no claim texture-units.none"):
        claims.compared("texture-units", {"none": [1]}, True)


def test_update_replaces_the_rows_of_one_study(tmp_path):
    path = str(tmp_path / "claims.csv")
    order = ["unified", "texture-units"]
    claims.update(path, "texture-units", claims.compared("texture-units", {}, False), order)
    every = claims.update(path, "unified", claims.compared("unified", {}, False), order)
    assert [c.study for c in every] == sorted((c.study for c in every), key=order.index)
    again = claims.update(path, "unified", [], order)
    assert {c.study for c in again} == {"texture-units"} and again == claims.read(path)


def test_every_claim_has_its_keys():
    for name, text in claims.declared().items():
        assert name.split(".")[0] in command.STUDIES, name
        assert {"place", "claim", "paper"} <= set(text), name
        assert "agrees" in text or "cannot" in text, name
        assert set(text) <= {"place", "claim", "paper", "agrees", "form", "needs", "agree",
                             "differ", "cannot", "other", "experiment"}, name


def test_every_row_that_differs_has_its_experiment():
    for row in claims.read(os.path.join(PAGES, "claims.csv")):
        assert row.verdict != claims.DIFFER or claims.experiment(row), row


def test_pages_have_the_claims_of_today():
    written = claims.read(os.path.join(PAGES, "claims.csv"))
    keys = ("claim", "place", "paper")
    assert ([(c.study, c.claim, c.place, c.paper, c.agrees) for c in written] ==
            [(n.split(".")[0], *(t[k] for k in keys), t.get("agrees", ""))
             for study in command.STUDIES for n, t in claims.declared().items()
             if n.split(".")[0] == study])
    for row in written:
        with open(os.path.join(PAGES, row.study + ".md"), encoding="utf-8") as f:
            assert f"| {row.here} | {row.verdict} |" in f.read(), row


def test_pages_name_the_commit_that_they_are_of():
    for study in command.STUDIES:
        with open(os.path.join(PAGES, study + ".md"), encoding="utf-8") as f:
            assert re.search(r"with attila-sim [\d.]+\s\([0-9a-f]{7,}\);", f.read()), study


def test_the_index_is_of_these_claims():
    with open(os.path.join(PAGES, "README.md"), encoding="utf-8") as f:
        assert f.read() == command.index(claims.read(os.path.join(PAGES, "claims.csv")))
