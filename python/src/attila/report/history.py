"""Histories of pixels for a report, made from a capture of the run: the fragments that came to the
pixels of the pictures in a frame (attila-sim picture --grid).

Not here: the view (src/report-html/pixel.js).
"""

from __future__ import annotations

import csv
import subprocess
from typing import Any

MOST = 200000  # fragments of a frame in the page
FATES = ["passed", "failed stencil", "failed depth", "killed"]


def number(text: str, digits: int) -> float | str | None:
    """None: there is none; what is no finite number stays text."""
    if not text:
        return None
    value = float(text)
    return float(f"{value:.{digits}g}") if abs(value) < float("inf") else text


def of_frame(sim: str, capture: str, frame: int, step: int) -> tuple[list[Any] | None, str | None]:
    """The rows of a frame: [draw, address, x, y, fate, z, output, after, depth after], and None;
    None and None if there are too many; None and an error."""
    command = [sim, "picture", capture, "--frame", str(frame), "--grid", str(step)]
    rows: list[Any] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as process:
        assert process.stdout and process.stderr
        for r in csv.DictReader(process.stdout):
            if len(rows) == MOST:
                process.kill()
                return None, None
            rows.append([int(r["draw"]), int(r["address"]), int(r["x"]), int(r["y"]),
                         FATES.index(r["fate"]), number(r["z"], 6),
                         [number(r["output." + c], 3) for c in "rgba"],
                         [number(r["after." + c], 3) for c in "rgba"],
                         number(r["depth_after"], 6)])
        error = process.stderr.read().strip()
    if process.returncode:
        return None, error.splitlines()[-1] if error else f"status {process.returncode}"
    return rows, None


def collect(sim: str, capture: str, frame: int, side: int,
            largest: int) -> tuple[dict[int, Any], str | None]:
    """{frame: {"step": N, "rows": [...]}}, and an error or None. side: of the pictures, largest:
    of the frame's targets, in pixels. Of too many fragments, fewer pixels are taken."""
    step, rows = max(1, -(-largest // side)), None
    while rows is None:
        rows, error = of_frame(sim, capture, frame, step)
        if error:
            return {}, error
        step = step if rows is not None else 2 * step
    return {frame: {"step": step, "rows": rows}}, None
