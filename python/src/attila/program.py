"""Records a program once, for many replays (sample/main.py, sweep/main.py), with attila-run in
functional mode and a clock that repeats. A record gets its name only when the program has ended
without an error, so it is complete or does not exist. Not here: the uses of records."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from attila import whole_file
from attila.cli import Error

CLOCK = ["--fixed-clock", "60"]
OURS = {"--mode", "-m", "--capture", "--out", "-o", "--jobs", "--cycle-frames", "--start-frame"}


class RecordError(Error):
    """A program that cannot be recorded."""


def options_of(words: list[str]) -> Any:
    """Checks the user's --run-options (words), and adds a fixed clock if they have none."""
    for w in words:
        if w.partition("=")[0] in OURS:
            raise RecordError(f"--run-options {w}: a record is made in functional mode, as a whole")
    return words if "--fixed-clock" in words else CLOCK + words


def record(run: str, program: Sequence[str], words: list[str], path: str, *, again: bool = False,
           quiet: bool = False) -> None:
    """Records a program (a list of arguments) as path, unless path exists and again is False. run:
    attila-run; words: its other options; quiet: prints nothing on stderr."""
    if os.path.exists(path) and not again:
        return
    options = options_of(words)
    if not quiet:
        print(f"recording {program[0]} in functional mode", file=sys.stderr, flush=True)
    # Variables of the user's shell are meant for other runs.
    clean = {k: v for k, v in os.environ.items()
             if not k.startswith("ATTILA_") or k == "ATTILA_BUILD_DIR"}
    try:
        part = whole_file.part_of(path)
        done = subprocess.run([run, "--mode", "functional", "--capture", part, *options, "--",
                               *program], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE if quiet else None, env=clean, text=True,
                              errors="replace", check=False)
        if done.returncode:
            said = (done.stderr or "").strip().rpartition("\n")[2]
            raise RecordError(f"{program[0]} ended with status {done.returncode}: no record. "
                              f"{said and said + '. '}A program that does not end by itself needs "
                              "the option --frames N of attila-run")
        if not os.path.exists(part):
            raise RecordError(f"{program[0]} drew nothing")
        os.rename(part, path)
    except OSError as e:
        raise RecordError(f"{path}: {e.strerror}") from None
