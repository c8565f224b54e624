"""attila.simulate() and attila.record(), and what they return. The capture is one of tests/golden.
Not here: recording a program, which needs Mesa (tests/gl/commands.sh runs docs/howto/python.md)."""

import gc
import inspect
import os
import sys
import types

import pandas
import pytest

import attila
from attila import paths, pool, runs

CAPTURE = os.path.join(paths.TOP, "tests", "golden", "texture.attila")
SHORT = os.path.join(paths.TOP, "tests", "timing", "clear.attila")  # one frame
pytestmark = pytest.mark.skipif(not os.access(paths.places().sim, os.X_OK), reason="no build")


def cycles(run):
    return int(run.frames["cycles"].sum())


def test_one_run_is_a_run_of_a_capture():
    with attila.simulate(CAPTURE, "attila-bgpu", progress=False) as run:
        assert isinstance(run, attila.Run) and len(run.frames) == 2 and cycles(run) > 0
        folder = run.folder
        assert os.path.isdir(folder)
    assert not os.path.exists(folder)
    with pytest.raises(attila.Error, match="is closed"):
        run.table("boxes")


def test_a_folder_that_was_asked_for_stays(tmp_path):
    out = tmp_path / "out"
    with attila.simulate(CAPTURE, out=out, frames=1, save_frames=True, progress=False) as run:
        assert run.folder == str(out) and list(run.frames["frame"]) == [1]
    assert (out / "frame-0001.png").exists()
    with attila.open_run(out) as again:
        assert list(again.frames["cycles"]) == list(run.frames["cycles"])


def test_the_state_of_a_draw_is_a_table_of_opengl_names():
    with attila.simulate(CAPTURE, frames=1, progress=False) as run:
        state = run.state((1, 0))
        assert state.loc[("draw", -1, "mode"), "value"] == "GL_TRIANGLES"
        assert state.loc[("color", 0, "GL_COLOR_WRITEMASK"), "value"] == "RGBA"
        assert (state["before"].isna()).all()  # it is the first draw of this run
        work = int(run.draws["work"][0])
        assert run.state(work).equals(state)
        with pytest.raises(attila.UsageError, match="no draw 99: it has [0-9]+, from 0"):
            run.state((1, 99))
        other = int(run.work["work"][run.work["kind"] != "draw"].max())
        with pytest.raises(attila.UsageError, match=f"work {other} is no draw: it is of kind"):
            run.state(other)


def test_lists_give_a_run_for_each_combination():
    sets = [{"TextureCacheLines": 1}, {"FRAGMENTSHADER.TextureCacheLines": 16}]
    found = attila.simulate(CAPTURE, set=sets, ideal=[None, "memory"], processes=2, progress=False)
    assert len(found) == 4
    named = [r.configuration.set_index("key")["value"]["TextureCacheLines"] for r in found]
    assert [str(v) for v in named] == ["1", "1", "16", "16"]
    assert [r.about["ideal"] for r in found] == [None, "memory", None, "memory"]
    assert cycles(found[0]) > cycles(found[2]) > cycles(found[3])
    alone = attila.simulate(CAPTURE, set=sets[0], progress=False)
    assert cycles(alone) == cycles(found[0])
    folders = [r.folder for r in [*found, alone]]
    del found, alone
    gc.collect()
    assert not any(map(os.path.exists, folders))
    assert len(attila.simulate([CAPTURE], progress=False)) == 1
    with pytest.raises(attila.UsageError, match="nothing to simulate"):
        attila.simulate(CAPTURE, set=[])


@pytest.mark.parametrize("wrong, why", [
    ({"set": {"TextureCacheLine": 1}}, "is it FRAGMENTSHADER.TextureCacheLines"),
    ({"set": {"TextureCacheLines": 9999}}, "expected a number from 1 to 1024"),
    ({"config": "nowhere"}, "no machine nowhere"),
    ({"intervals": 1000}, "is it interval?"),
    ({"save_frames": 3}, "takes True or False"),
    ({"interval": True}, "takes a value, N"),
    ({"out": "x", "processes": 0}, "from 1"),
    ({"record": "csv"}, "needs sqlite"),
    ({"capture": "/dev/null/none.attila"}, "none.attila"),
])
def test_what_is_wrong_is_said_before_anything_runs(monkeypatch, wrong, why):
    monkeypatch.setattr(runs, "watched", lambda *_: pytest.fail("something ran"))
    with pytest.raises(attila.UsageError, match=why):
        attila.simulate(**{"capture": CAPTURE, **wrong})


def test_a_wrong_ideal_is_said_before_anything_runs(monkeypatch):
    monkeypatch.setattr(runs, "watched", lambda *_: pytest.fail("something ran"))
    with pytest.raises(attila.Error, match="memory, bus, geometry"):
        attila.simulate(CAPTURE, ideal="sun")


def test_runs_that_did_not_fail_are_kept():
    with pytest.raises(attila.SimulationError, match="1 of 2 runs.*clear.*only 1 frame") as e:
        attila.simulate([CAPTURE, SHORT], frames=1, progress=False)
    kept, lost = e.value.runs
    assert lost is None and len(kept.frames) == 1 and list(e.value.messages) == [1]


def test_numbers_of_numpy_are_numbers():
    sizes = pandas.Series([2]).to_numpy()
    run = attila.simulate(CAPTURE, set={"TextureCacheLines": sizes[0]}, frames=0, progress=False)
    assert len(run.frames) == 1


def test_a_program_that_is_not_there_is_not_recorded(tmp_path):
    for program in ("no-such-program-here", []):
        with pytest.raises(attila.RecordError, match="no program"):
            attila.record(program, tmp_path / "x.attila")
    with pytest.raises(attila.RecordError, match="no folder"):
        attila.record("true", tmp_path / "none" / "x.attila")


def test_a_notebook_shows_a_bar(monkeypatch):
    shown, shell = [], types.SimpleNamespace(kernel=object())

    class Handle:
        def update(self, bar):
            shown.append(bar)

    def display(bar, display_id):
        shown.append(bar)
        return Handle()
    python = types.ModuleType("IPython")
    python.get_ipython = lambda: shell
    python.display = types.ModuleType("IPython.display")
    python.display.display = display
    monkeypatch.setitem(sys.modules, "IPython", python)
    monkeypatch.setitem(sys.modules, "IPython.display", python.display)
    attila.simulate(CAPTURE, frames=0)
    assert 'value="1.0000"' in shown[-1]._repr_html_()
    assert repr(shown[-1]) == "attila: 1 of 1 runs, 1 of 1 frames"


def test_an_interrupt_ends_all_and_leaves_nothing(monkeypatch, tmp_path):
    monkeypatch.setattr(runs.tempfile, "mkdtemp", lambda prefix: str(tmp_path / "run"))

    def interrupted(*_):
        raise KeyboardInterrupt
    monkeypatch.setattr(pool.Pool, "_result", interrupted)
    with pytest.raises(KeyboardInterrupt):
        attila.simulate(CAPTURE, progress=False)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("option", ["mode.copy_on_write", "future.infer_string"])
def test_data_frames_are_the_same_as_pandas_3_has_them(option):
    """What pandas 3 changes can be switched on in versions before it."""
    def shown():
        run = attila.simulate(CAPTURE, progress=False)
        tables = [run.frames.drop(columns=["host_seconds", "cpu_seconds"]), run.draws,
                  run.counters("work"), run.units(), run.bytes(), run.caches(), run.configuration]
        return [t.to_csv() for t in tables]
    plain = shown()
    try:
        pandas.set_option(option, True)
    except pandas.errors.OptionError:
        pytest.skip(f"this pandas has no {option}")
    try:
        assert shown() == plain
    finally:
        pandas.reset_option(option)


def test_everything_that_is_exported_is_documented():
    assert set(attila.__all__) <= set(dir(attila))
    for name in attila.__all__:
        thing = getattr(attila, name)
        assert inspect.getdoc(thing), name
        assert not inspect.isclass(thing) or thing.__doc__, name
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            for member, value in vars(thing).items():
                assert member.startswith("_") or getattr(value, "__doc__", None), (name, member)
        assert name in attila.__doc__ or inspect.isclass(thing)
