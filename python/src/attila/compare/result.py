"""What a comparison found, frame by frame, and the files that it leaves: table, CSV, JSON,
pictures. Not here: the page (compare/html.py), docs/notebook/hardware.md (compare/doc.py)."""

from __future__ import annotations

import csv
import json
import os
import statistics
from collections.abc import Sequence
from typing import Any

from attila import whole_file
from attila.cli import Error
from attila.compare import images, replay
from attila.live import apps as live_apps

SHOWN = 3  # frames of a program on the page: the ones that differ most


class Frames:
    """The frames of one program. frames: [{"frame", "call", figures of compare_images.compare}] or
    {"frame", "call", "problem"}."""

    def __init__(self, program: replay.Program) -> None:
        self.program, self.name = program, program.name
        self.problem = None
        self.frames: list[Any] = []
        self.kept: dict[int, tuple[float, images.Packed, images.Packed]] = {}

    def add(self, number: int, call: int, first: Any, second: Any) -> None:
        row: dict[str, Any] = {"frame": number, "call_of_swap": call}
        self.frames.append(row)
        if first is None or second is None:
            row["problem"] = f"no picture from {'attila' if first is None else 'the reference'}"
            return
        try:
            row.update(images.compare(first, second))
        except images.PictureError as e:
            row["problem"] = str(e)
            return
        row["size"] = f"{first.shape[1]}x{first.shape[0]}"
        self.kept[number] = row["psnr"], images.pack(first), images.pack(second)
        if len(self.kept) > SHOWN:
            del self.kept[max(self.kept, key=lambda n: self.kept[n][0])]

    def shown(self) -> list[Any]:
        return sorted(self.kept, key=lambda n: self.kept[n][0])

    def index(self, number: int) -> Any:
        return next(i for i, row in enumerate(self.frames) if row["frame"] == number)

    def picture(self, number: int) -> tuple[Any, ...]:
        return images.unpack(self.kept[number][1]), images.unpack(self.kept[number][2])

    def good(self) -> list[Any]:
        return [row for row in self.frames if "psnr" in row]

    def below(self, bound: float) -> list[Any]:
        return [row for row in self.good() if row["psnr"] < bound]

    def worst(self) -> Any:
        return min(self.good(), key=lambda row: float(row["psnr"]), default=None)


class Comparison:
    HEAD = ("program", "frames", "PSNR dB", "median", "SSIM", "largest", "pixels %", "blocks",
            "below", "verdict")

    def __init__(self, first: Any, second: Any, bound: float, max_blocks: int) -> None:
        self.first, self.second = first, second
        self.bound, self.max_blocks = bound, max_blocks
        self.programs: list[Any] = []
        self.times: list[Any] = []

    def verdict(self, program: Frames) -> Any:
        if program.problem:
            return program.problem
        problems = [row["problem"] for row in program.frames if "problem" in row]
        if problems or not program.frames:
            return problems[0] if problems else "no picture"
        bad = any(row["blocks"] > self.max_blocks for row in program.frames)
        return "differs" if program.below(self.bound) or bad else ""

    def row(self, program: Frames) -> tuple[Any, ...]:
        worst, good = program.worst(), program.good()
        if not worst:
            return (program.name, 0, "", "", "", "", "", "", "", self.verdict(program))
        return (program.name, len(program.frames), f"{worst['psnr']:.2f}",
                f"{statistics.median(r['psnr'] for r in good):.2f}",
                f"{min(r['ssim'] for r in good):.4f}", max(r["largest"] for r in good),
                f"{100 * max(r['share'] for r in good):.2f}", max(r["blocks"] for r in good),
                len(program.below(self.bound)), self.verdict(program))

    def rows(self) -> list[Any]:
        return [self.row(program) for program in self.programs]

    def failed(self) -> list[Any]:
        return [p for p in self.programs if self.verdict(p)]


LAYOUT = "%-28s %6s %8s %7s %7s %7s %8s %6s %5s  %s"


def say_head() -> None:
    print(LAYOUT % Comparison.HEAD)


def say(comparison: Comparison, program: Frames) -> None:
    print((LAYOUT % comparison.row(program)).rstrip(), flush=True)


def write_csv(path: str, comparison: Comparison) -> None:
    columns = ["psnr", "ssim", "largest", "pixels", "share", "blocks"]
    with whole_file.opened(path, newline="", encoding="utf-8") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["program", "frame", "swap_call", *columns, *images.CLASSES, "call", "draw",
                      "problem"])
        for program in comparison.programs:
            for row in program.frames:
                classes = row.get("classes", {})
                out.writerow([program.name, row["frame"], row["call_of_swap"],
                              *(row.get(c, "") for c in columns),
                              *(classes.get(c, "") for c in images.CLASSES), row.get("call", ""),
                              row.get("draw", ""), row.get("problem", "")])


def write_all(folder: str, comparison: Comparison) -> None:
    """Writes all files. Call it after every program, so that an interrupted comparison leaves its
    results so far, for read."""
    write_csv(os.path.join(folder, "frames.csv"), comparison)
    write_json(os.path.join(folder, "compare.json"), comparison)


def read(path: str, first: Any, second: Any, bound: float) -> Any:
    """{file name of the trace: Frames}, without pictures, that an earlier comparison of the same
    two drivers with the same bound has left. Programs that failed are not in it."""
    try:
        with open(path, encoding="utf-8") as f:
            data = json.load(f)
        same = data["bound"] == bound and all(
            data[key][name] == getattr(side, name)
            for key, side in (("attila", first), ("reference", second))
            for name in ("renderer", "version"))
        result = {}
        for entry in data["programs"] if same else []:
            found = Frames(replay.Program(entry["name"], entry["trace"]))
            found.frames = entry["frames"]
            if found.frames and entry["verdict"] != "failed":
                result[entry["trace"]] = found
        return result
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError) as e:
        raise Error(f"{path} is not of scripts/compare: {e!r}") from None


def write_json(path: str, comparison: Comparison) -> None:
    sides = [{"name": s.name, "renderer": s.renderer, "version": s.version}
             for s in (comparison.first, comparison.second)]
    data = {"attila": sides[0], "reference": sides[1], "bound": comparison.bound,
            "max_blocks": comparison.max_blocks,
            "programs": [{"name": p.name, "trace": os.path.basename(p.program.trace or ""),
                          "verdict": comparison.verdict(p), "frames": p.frames}
                         for p in comparison.programs], "times": comparison.times}
    with whole_file.opened(path, encoding="utf-8") as f:
        json.dump(data, f, indent=1)
        f.write("\n")


def write_pictures(folder: str, program: Frames, names: Sequence[str]) -> None:
    """Writes the worst frame of both sides, and the signed difference."""
    if not program.kept:
        return
    first, second = program.picture(program.shown()[0])
    base = os.path.join(folder, live_apps.safe(program.name))
    for name, pixels in ((names[0], first), (names[1], second),
                         ("diff", images.signed(first, second))):
        with whole_file.opened(f"{base}-{name}.png", "wb") as f:
            f.write(images.png(pixels))
