"""Spaces of attila sweep, and what its tables say. Not here: running (tests/sim/sweep.sh)."""

import threading

import pytest

from attila.pool import Pool, in_words
from attila.sweep import command, plots
from attila.sweep.machine import Key, Keys
from attila.sweep.report import Results
from attila.sweep.run import Point
from attila.sweep.space import Space, SpaceError, split_list

KEYS = Keys([Key("GPU.Shaders", "number", 1, 64, "shaders"),
             Key("GPU.Pipes", "number", 1, 64, "pipes"),
             Key("RASTER.Early", "flag", None, None, ""),
             Key("MEMORY.Channels", "number", 1, 64, "channels")])
BASE = {"": {"GPU.Shaders": 4, "GPU.Pipes": 2, "RASTER.Early": True, "MEMORY.Channels": 8}}


def space(tmp_path, text):
    path = tmp_path / "space.ini"
    path.write_text(text)
    return Space(str(path), KEYS)


def places(tmp_path, text):
    s = space(tmp_path, text)
    return [c.settings for c in s.configurations({m: BASE[""] for m in s.machines})]


def test_a_grid_with_a_derived_parameter(tmp_path):
    found = places(tmp_path, "[sweep]\nconfig = a.ini\n[parameters]\nShaders = 1, 2, 4\n"
                             "Pipes = Shaders * 2\n")
    assert [f["GPU.Shaders"] for f in found] == ["1", "2", "4"]
    assert [f["GPU.Pipes"] for f in found] == ["2", "4", "8"]


def test_ranges_and_constraints(tmp_path):
    found = places(tmp_path, "[parameters]\nShaders = 2..8 step 2\nChannels = 1, 2, 4, 8\n"
                             "[constraints]\nChannels <= Shaders\n")
    assert all(int(f["MEMORY.Channels"]) <= int(f["GPU.Shaders"]) for f in found)
    assert [f["GPU.Shaders"] for f in found if f["MEMORY.Channels"] == "1"] == ["2", "4", "6", "8"]


def test_one_at_a_time(tmp_path):
    found = places(tmp_path, "[sweep]\ndesign = one-at-a-time\n[parameters]\nShaders = 1, 2\n"
                             "Early = TRUE, FALSE\n")
    assert len(found) == 4  # the unchanged machine is one of them, too


def test_a_random_design_repeats(tmp_path):
    text = "[sweep]\ndesign = random 5\n[parameters]\nShaders = 1..64\nPipes = 1..64\n"
    first = places(tmp_path, text)
    assert len(first) == 5 and first == places(tmp_path, text)


@pytest.mark.parametrize("text, why", [
    ("[nonsense]\n", r"no section \[nonsense\]"),
    ("[parameters]\nShader = 1\n", "is it GPU.Shaders"),
    ("[parameters]\nShaders = 1, 65\n", "a number from 1 to 64"),
    ("[sweep]\nwhat = 1\n", "has no 'what'"),
    ("[sweep]\nmode = half\nmode = cycle\n", ":3: mode stands in line 2, too"),
    ("[parameters]\nShaders = 1\nGPU.Shaders = 2\n", ":3: GPU.Shaders stands in line 2, too"),
    ("[machine a]\nPipes = 1\n[machine b]\nPipes = 2\nPipes = 3\n",
     ":5: GPU.Pipes stands in line 4, too"),
    ("[machine a]\n[machine b]\n[machine a]\n", "stands in line 1, too"),
    ("[parameters]\nShaders = 1\n[constraints]\nShaders > 9\n", "leave nothing"),
    ("[parameters]\nShaders = Pipes\nPipes = Shaders\n", "."),
    ("[parameters]\nShaders = 1/0\n", ":2: '1/0' has no value: division by zero"),
    ("[parameters]\nShaders = log2(0)\n", "log2 takes a whole number from 1, not 0"),
    ("[parameters]\nShaders = max()\n", "has no value"),
    ("[parameters]\nShaders = 9**9**9**9\n", "a power of more than 1024 bits"),
    ("[parameters]\nShaders = 'a' * 9999999999\n", "a text cannot be multiplied"),
    ("[parameters]\nShaders = " + "-" * 9999 + "1\n", "is no expression"),
    ("[machine a]\nShaders = 1/0\n", ":2: '1/0' has no value"),
    ("[parameters]\nShaders = 1, 2\n[constraints]\n1 / (Shaders - 1) > 0\n", "division by zero"),
])
def test_what_is_wrong_with_a_space_is_said(tmp_path, text, why):
    with pytest.raises(SpaceError, match=why):
        places(tmp_path, text)


def test_lists_split_at_commas_outside_parentheses():
    assert [p.strip() for p in split_list("1, max(2, 3), 4")] == ["1", "max(2, 3)", "4"]


def test_a_point_is_what_its_result_depends_on():
    a = dict(configuration="c", capture="h", mode="cycle", path="/a.attila")
    assert Point(**a).id == Point(**{**a, "path": "/b.attila"}).id
    assert Point(**a).id != Point(**{**a, "mode": "half"}).id
    assert Point(**a).id != Point(**a, energy=["hash", None, []]).id


def test_an_interrupt_while_the_first_point_starts_ends_the_sweep(monkeypatch):
    start, started = threading.Thread.start, []

    def start_and_interrupt(thread):
        started.append(thread)
        start(thread)
        raise KeyboardInterrupt
    monkeypatch.setattr(threading.Thread, "start", start_and_interrupt)
    with pytest.raises(KeyboardInterrupt):
        Pool(1, lambda *_: {"state": "done"}).run([Point("m", "c")], lambda *_: None)
    started[0].join(5)
    assert not started[0].is_alive()


def test_the_folder_of_a_space_that_stands_where_nothing_can_be_written(tmp_path, monkeypatch):
    space = str(tmp_path / "space.ini")
    assert command.default_folder(space) == str(tmp_path / "space.sweep")
    monkeypatch.setattr(command.os, "access", lambda path, mode: path != str(tmp_path))
    assert command.default_folder(space) == "space.sweep"
    assert command.default_folder("space.ini") == "space.sweep"


def test_times_in_words():
    assert [in_words(s) for s in (12.7, 600, 7200)] == ["12 s", "10 min", "2.0 h"]


class Store:
    """Four places on one capture: (area, cycles)."""

    path = "sweep.sqlite"

    def __init__(self, places):
        self.places, self.db = places, self

    def table(self, _design):
        return [{"place": n, "machine": "", "label": "", "area": area, "energy": {},
                 "settings": {"GPU.Shaders": str(2 ** n)},
                 "cycles": {"build": cycles and (cycles, 2)}}
                for n, (area, cycles) in enumerate(self.places)], ["build"]

    def execute(self, *_arguments):
        return self

    def fetchone(self):
        return ("space.ini", None, None)

    def samples(self, _design):
        return {}


def test_speeds_and_the_pareto_front():
    r = Results(Store([(1.0, 400), (2.0, 200), (3.0, 250), (4.0, 100)]), 1)
    assert [p["mean"] for p in r.places] == pytest.approx([1, 2, 1.6, 4])
    assert [p["place"] for p in r.front] == [0, 1, 3]  # 2 is larger and slower than 1
    assert r.axes == {"GPU.Shaders": ["1", "2", "4", "8"]}


def test_no_point_of_the_pareto_plot_lies_under_its_legend(monkeypatch):
    kept = []
    monkeypatch.setattr(plots, "save", lambda plt, figure, *rest: kept.append(figure))
    r = Results(Store([(150.0, 100), (300.0, 110)]), 1)
    plots.pareto(plots.style(), r, "", "pareto", "area", "area", r.front, lambda p: p["area"])
    figure = kept[0]
    figure.tight_layout()
    figure.canvas.draw()
    axes = figure.axes[0]
    legend = axes.get_legend().get_window_extent()
    for p in r.places:
        assert not legend.contains(*axes.transData.transform((p["area"], p["mean"])))
    assert {t.get_text() for t in axes.texts} == {"0", "1"}


def test_a_place_without_a_result_has_no_speed():
    r = Results(Store([(1.0, 400), (2.0, None)]), 1)
    assert r.places[1]["mean"] is None and [p["place"] for p in r.front] == [0]
