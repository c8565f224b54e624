"""The package as a whole: its version, the table of commands, options that all share."""

import argparse
import importlib
import os
import re
import subprocess
import sys

import pytest

import attila
from attila import cli, paths, whole_file
from attila.__main__ import COMMANDS, main
from attila.report import reference


def test_version_is_that_of_the_build():
    for file, pattern in (("meson.build", r"version : '([\d.]+)'"),
                          ("scripts/record-frames", r'VERSION = "([\d.]+)"')):
        with open(os.path.join(paths.TOP, file), encoding="utf-8") as f:
            assert re.search(pattern, f.read())[1] == attila.__version__, file


def test_every_command_has_help(capsys):
    for name, (module, what) in COMMANDS.items():
        assert callable(importlib.import_module(module).main) and what
        if name != "run":
            with pytest.raises(SystemExit) as end:
                main([name, "--help"])
            assert end.value.code == 0
            assert capsys.readouterr().out.startswith(f"Usage: attila {name}")


def test_light_commands_do_not_import_heavy_libraries():
    code = ("import sys, attila.__main__, attila.report.command, attila.sample.command, "
            "attila.sweep.command, attila.compare.command, attila.studies.command\n"
            "print([n for n in ('numpy', 'pandas', 'scipy', 'matplotlib', 'skimage') "
            "if n in sys.modules])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.stdout.strip() == "[]"


def without_libraries(*args):
    """Runs attila with these arguments where no library beside Python's own is installed."""
    code = ("import sys\nfor name in ('numpy', 'pandas', 'scipy', 'matplotlib', 'skimage', 'PIL', "
            "'jinja2', 'google'):\n    sys.modules[name] = None\n"
            "from attila.__main__ import main\nsys.exit(main(sys.argv[1:]))")
    return subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})


def test_help_and_checks_of_arguments_need_no_library():
    for name in COMMANDS:
        if name != "run":
            assert without_libraries(name, "--help").returncode == 0, name
            assert without_libraries(name, "--nonsense").returncode == 2, name


def test_a_missing_library_is_one_line(tmp_path):
    for name in ("frames.csv", "draws.csv"):
        (tmp_path / name).write_text("frame,memory_cycles\n0,0\n")
        (tmp_path / "a.png").write_text("")
    for args in (["check-rows", str(tmp_path)], ["diff", str(tmp_path), str(tmp_path)],
                 ["imgdiff", str(tmp_path / "a.png"), str(tmp_path / "a.png")]):
        done = without_libraries(*args)
        assert done.returncode == 1, args
        assert re.fullmatch(r"attila [\w-]+: error: .* Debian package.* python3-\w+.*\n",
                            done.stderr), done.stderr


def test_a_reference_is_looked_at_before_the_packages(monkeypatch, tmp_path):
    for n in ("ours", "theirs"):
        (tmp_path / n).mkdir()
    monkeypatch.setattr(cli, "lacking", lambda *names: ["python3-skimage"])
    with pytest.raises(cli.Error, match="gone is no folder"):
        reference.matched(str(tmp_path / "ours"), {0}, str(tmp_path / "gone"))
    for n in ("ours", "theirs"):
        (tmp_path / n / "frame-0000.png").write_text("")
    with pytest.raises(cli.Error, match="python3-skimage"):
        reference.matched(str(tmp_path / "ours"), {0}, str(tmp_path / "theirs"))


def test_only_commands_that_go_on_say_so(capsys):
    def interrupted(_):
        raise KeyboardInterrupt
    assert cli.ending("report", interrupted, []) == 130
    assert cli.ending("sweep", interrupted, []) == 130
    assert capsys.readouterr().err == (
        "attila report: interrupted\n"
        "attila sweep: interrupted; the same command goes on where this one stopped\n")


def test_every_command_takes_the_version_of_the_build(capsys):
    for args in (["--version"], ["report", "--version"], ["bench", "--version"]):
        with pytest.raises(SystemExit):
            main(args)
        said = capsys.readouterr().out
        built = paths.places().sim
        assert re.fullmatch(r"attila [\d.]+( \(.+\))?\n", said)
        assert not os.path.exists(built) or "(" in said


def test_an_output_is_a_file_in_a_folder(tmp_path):
    assert cli.output(str(tmp_path / "x")) == str(tmp_path / "x")
    for wrong, why in ((tmp_path, "is a folder"), (tmp_path / "none" / "x", "no folder")):
        with pytest.raises(cli.Error, match=why):
            cli.output(str(wrong))


def test_scripts_are_commands():
    scripts = os.path.join(paths.TOP, "scripts")
    links = [n for n in os.listdir(scripts) if os.path.islink(os.path.join(scripts, n))]
    assert len(links) > 10
    assert {n.removeprefix("attila-") for n in links} <= set(COMMANDS)


def test_an_error_is_one_line(capsys):
    def fails(_):
        raise cli.UsageError("no such thing")
    assert cli.ending("sweep", fails, []) == 2
    assert capsys.readouterr().err == "attila sweep: error: no such thing\n"


@pytest.mark.parametrize("text", ["0", "x", "5"])
def test_number_says_what_it_takes(text):
    with pytest.raises(argparse.ArgumentTypeError, match="from 1 to 4"):
        cli.number(1, 4)(text)
    assert cli.number(1, 4)("4") == 4


def test_size_and_words():
    assert cli.size("320x240") == (320, 240)
    assert cli.words(["a", "b"])("b,a") == ["b", "a"]
    for wrong in (lambda: cli.size("320"), lambda: cli.size("9999x1"),
                  lambda: cli.words(["a"])("b")):
        with pytest.raises(argparse.ArgumentTypeError):
            wrong()


def test_program_after_dashes():
    parser = cli.Parser("sweep", "", "")
    args = ["--run-options", "--frames 3", "x.ini", "--", "glxgears", "-info"]
    assert cli.program_after(parser, args, ["--run-options"]) == (
        ["--run-options=--frames 3", "x.ini"], ["glxgears", "-info"])
    assert cli.program_after(parser, ["x.ini"]) == (["x.ini"], None)
    with pytest.raises(SystemExit):
        cli.program_after(parser, ["--"])


def test_temporary_names_follow_no_links(tmp_path):
    victim, path = tmp_path / "victim", str(tmp_path / "file")
    victim.write_text("precious")
    for target in (victim, tmp_path / "missing"):
        os.symlink(target, path + ".part")
        with pytest.raises(OSError, match="symbolic link"):
            whole_file.write(path, "ours")
        os.path.lexists(path + ".part") or os.symlink(target, path + ".part")
        assert not os.path.lexists(whole_file.part_of(path))
    assert victim.read_text() == "precious" and os.listdir(tmp_path) == ["victim"]
