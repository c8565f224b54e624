"""Calls attila-sim and reads its answer. Not here: where it is (paths.py), runs that are watched
while they go on (sweep/run.py).
"""

from __future__ import annotations

import subprocess
from typing import NamedTuple

from attila.cli import Error


class Answer(NamedTuple):
    """What it prints, and why it failed (None: it did not)."""

    text: str
    why: str | None


def ask(sim: str, *arguments: str) -> Answer:
    try:
        done = subprocess.run([sim, *arguments], capture_output=True, text=True, check=False)
    except OSError as e:
        raise Error(f"cannot run {sim}: {e.strerror}") from None
    last = done.stderr.strip().split("\n")[-1].removeprefix("attila-sim: ")
    return Answer(done.stdout, (last or f"status {done.returncode}") if done.returncode else None)


def call(sim: str, *arguments: str) -> str:
    """What it prints; an Error where it fails."""
    answer = ask(sim, *arguments)
    if answer.why:
        raise Error(answer.why)
    return answer.text
