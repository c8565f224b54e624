"""Records a program once, for many replays (sample/main.py, sweep/main.py):
attila-run in functional mode with a clock that repeats. A record is whole or not there: it has its
name only when the program has ended well. Not here: what is done with it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from attila.cli import Error

CLOCK = ["--fixed-clock", "60"]
OURS = {"--mode", "-m", "--capture", "--out", "-o", "--jobs", "--cycle-frames", "--start-frame"}


class RecordError(Error):
    """A program that cannot be recorded."""


def options_of(words: list[str]) -> Any:
    """What attila-run is given besides what is given here; words: the user's --run-options."""
    for w in words:
        if w.partition("=")[0] in OURS:
            raise RecordError(f"--run-options {w}: a record is made in functional mode, as a whole")
    return words if "--fixed-clock" in words else CLOCK + words


def record(run: str, program: Sequence[str], words: list[str], path: str) -> None:
    """The record of a program (a list of arguments) at path, which is made if it is not there.
    run: attila-run; words: its other options."""
    if os.path.exists(path):
        return
    options = options_of(words)
    part = path + ".part"
    print(f"recording {program[0]} in functional mode", file=sys.stderr, flush=True)
    # What the user's shell says of runs is of others.
    clean = {k: v for k, v in os.environ.items()
             if not k.startswith("ATTILA_") or k == "ATTILA_BUILD_DIR"}
    try:
        if os.path.exists(part):
            os.remove(part)
        status = subprocess.run([run, "--mode", "functional", "--capture", part, *options, "--",
                                 *program], stdout=subprocess.DEVNULL, env=clean,
                                check=False).returncode
        if status:
            raise RecordError(f"{program[0]} ended with status {status}: no record. A program "
                              "that does not end by itself needs --run-options '--frames N'")
        if not os.path.exists(part):
            raise RecordError(f"{program[0]} drew nothing")
        os.rename(part, path)
    except OSError as e:
        raise RecordError(f"{path}: {e.strerror}") from None
