"""The area of a run's machine for a report, from attila-sim area (area.md)."""

from __future__ import annotations

import csv
import subprocess
from typing import Any

from attila.report import pictures as report_pictures


def area(sim: str, data: dict[str, Any]) -> dict[str, Any]:
    """{"units": [[unit, units, million transistors, mm2], ...], "mm2", "mtransistors", "process"},
    or {"note": why there is none}."""
    if data["run"]["ideal"]:
        return {"note": f"units were ideal ({data['run']['ideal']}): no area holds them"}
    if not sim:
        return {"note": "there is no attila-sim: run scripts/setup"}
    command = [sim, "area"] + report_pictures.machine_options(data)
    done = subprocess.run(command + ["--format", "csv"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    if done.returncode or not rows or rows[-1]["unit"] != "total":
        lines = done.stderr.strip().splitlines()
        return {"note": lines[-1] if lines else f"attila-sim area: status {done.returncode}"}
    units = [[r["unit"].replace("_", " "), int(r["units"]), float(r["mtransistors"]),
              float(r["mm2"])] for r in rows[:-1]]
    return {"units": units, "mm2": float(rows[-1]["mm2"]),
            "mtransistors": float(rows[-1]["mtransistors"])}
