"""Calls attila-sim and reads its output. Not here: its path (paths.py), runs that are watched while
they go on (sweep/run.py).
"""

from __future__ import annotations

import subprocess
from typing import NamedTuple

from attila.cli import Error


class Answer(NamedTuple):
    """The output, and an error or None."""

    text: str
    why: str | None


def ask(sim: str, *arguments: str) -> Answer:
    try:
        done = subprocess.run([sim, *arguments], capture_output=True, text=True, check=False)
    except OSError as e:
        raise Error(f"cannot run {sim}: {e.strerror}") from None
    said = [n for n in done.stderr.strip().split("\n") if not n.startswith('Try "')] or [""]
    last = said[-1].removeprefix("attila-sim: ")
    return Answer(done.stdout, (last or f"status {done.returncode}") if done.returncode else None)


def call(sim: str, *arguments: str) -> str:
    """Returns the output; raises Error if the simulator fails."""
    answer = ask(sim, *arguments)
    if answer.why:
        raise Error(answer.why)
    return answer.text
