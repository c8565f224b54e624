"""The package as a whole: its version, the table of commands, options that all share."""

import argparse
import importlib.util
import os
import re
import subprocess
import sys

import pytest

import attila
from attila import cli, paths
from attila.__main__ import COMMANDS, main
from attila.report import reference


def test_version_is_that_of_the_build():
    with open(os.path.join(paths.TOP, "meson.build"), encoding="utf-8") as f:
        assert re.search(r"version : '([\d.]+)'", f.read())[1] == attila.__version__


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


def test_a_reference_names_the_packages_that_are_missing(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name != "skimage" or None)
    with pytest.raises(cli.Error, match="python3-skimage"):
        reference.collect("run", [0], "frames", 1)


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
