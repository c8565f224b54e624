"""Sweeps of samples: each configuration simulates the frames that attila-sample has drawn for one
of them, and whole captures are estimated from these frames, with intervals. Not here: drawing
frames and estimating (sample/main.py, sample/design.py), running points (sweep/run.py)."""

from __future__ import annotations

import argparse
import functools
import hashlib
import importlib.util
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attila import cli, frame_ranges, whole_file
from attila.sweep.machine import Simulator
from attila.sweep.space import SpaceError


def module() -> Any:
    """Imports sample_design, which needs numpy; only sampled sweeps need it."""
    if not importlib.util.find_spec("numpy"):
        raise SpaceError("sample needs the Debian package python3-numpy")
    from attila.sample import design as sample_design
    return sample_design


def design_of(folder: str) -> tuple[Any, float]:
    """(Design, planned share) of a sample's folder."""
    try:
        found: tuple[Any, float] = module().read(folder)
        return found
    except (OSError, ValueError, KeyError) as e:
        raise SpaceError(f"{folder} has no sample that can be read: {e}") from None


class Samples:
    """The samples of the captures of a space. options: of [sweep]; text: all keys of the machine
    with which frames are drawn."""

    def __init__(self, o: argparse.Namespace, options: Mapping[str, str], simulator: Simulator,
                 text: str) -> None:
        if o.program:
            raise SpaceError("sample is of captures: --record makes one of a program")
        module()
        self.o, self.options, self.simulator, self.text = o, options, simulator, text

    def folder(self, capture: Any) -> str:
        """The folder of a capture's sample. Its name contains all that the sample depends on."""
        made_of = [capture.hash, self.text, self.simulator.identity] + \
            [self.options.get(n) for n in ("sample", "frames", "mode")] + \
            [self.options[n] for n in ("warm_up",) if n in self.options]
        return os.path.join(self.o.out, "sample-" + hashlib.sha256(
            json.dumps(made_of).encode()).hexdigest()[:16])

    def draw(self, capture: Any) -> Any:
        """Draws the frames of a capture; the same command continues after a kill."""
        folder, words = self.folder(capture), self.options["sample"].split()
        if not os.path.isfile(os.path.join(folder, "design.json")):
            if self.o.dry_run:
                raise SpaceError(f"the sample of {capture.name} is not drawn yet: without "
                                 "--dry-run it is")
            os.makedirs(self.o.out, exist_ok=True)
            machine = folder + ".ini"
            with whole_file.opened(machine, encoding="utf-8") as f:
                f.write(self.text)
            command = ["--error", words[0], "--out", folder, "--jobs", str(self.o.jobs),
                       "--config", machine, "--mode", self.options["mode"]]
            command += ["--most", words[2]] if len(words) > 1 else []
            if "frames" in self.options:
                command += ["--frames", self.options["frames"]]
            command += ["--warm-up", self.options.get("warm_up", "0")]
            cli.say("sweep", f"a sample of {capture.name}")
            status = subprocess.run(
                [sys.executable, "-m", "attila", "sample", *command, capture.path],
                stdout=sys.stderr, check=False).returncode
            # With "most" the error need not hold.
            if status and not os.path.isfile(os.path.join(folder, "design.json")):
                raise SpaceError(f"no sample of {capture.name}")
        return design_of(folder)[0].frames

    def lists(self, capture: Any) -> list[Any]:
        """The frames of each point, as texts."""
        frames = sorted(self.draw(capture))
        step = int(self.options.get("split", len(frames)))
        return [frame_ranges.text(frames[i:i + step]) for i in range(0, len(frames), step)]


class Estimates:
    """Estimates for the places of a design, for one capture. values(place, statistic): {frame:
    value} of the simulated frames, from the store; statistic None: cycles."""

    def __init__(self, folder: str, values: Callable[..., Mapping[int, float]]) -> None:
        self.design, self.planned = design_of(folder)
        self.values = functools.cache(values)

    def _known(self, place: int, statistic: str | None = None) -> Any:
        values = self.values(place, statistic)
        return values if all(f in values for f in self.design.frames) else None

    def cycles(self, place: int) -> tuple[Any, ...] | None:
        """(total, half the interval, frames of the run), or None where a frame is missing."""
        values = self._known(place)
        if not values:
            return None
        total, variance = self.design.of(values)
        half = self.design.half(total, variance, self.planned)
        return round(total), half, len(self.design.run)

    def total(self, place: int, statistic: str | None) -> Any:
        values = self._known(place, statistic)
        return values and self.design.of(values)[0]

    def speed(self, base: int, place: int) -> Any:
        """(speed-up, half its interval) over base, or None."""
        above, below = self._known(base), self._known(place)
        return self.design.ratio(above, below) if above and below else None


def combined(speeds: Sequence[tuple[float, float]]) -> Any:
    """Half the interval of the geometric mean of the speed-ups of captures, [(speed-up, half)],
    whose samples are independent."""
    mean = math.exp(sum(math.log(s) for s, _ in speeds) / len(speeds))
    return mean * math.sqrt(sum((h / s) ** 2 for s, h in speeds)) / len(speeds)
