"""The generated parts of hardware.md: the results of a comparison of all programs, and times. Each
draw that puts a frame below the bound has a sentence of tests/gl/hardware-causes.txt. Not here:
comparing."""

from __future__ import annotations

import os
import re
import statistics
from collections.abc import Sequence
from typing import Any

from attila import frame_ranges
from attila.cli import Error
from attila.compare.replay import AnySide, Side
from attila.compare.result import Comparison
from attila.compare.time import Groups
from attila.paths import TOP
from attila.compare import time as compare_time

Causes = list[tuple[str, re.Pattern[str], str]]  # program, its draw, a sentence
DOC = os.path.join(TOP, "docs", "notebook", "hardware.md")
CAUSES = os.path.join(TOP, "tests", "gl", "hardware-causes.txt")


def read_causes(path: str = CAUSES) -> Any:
    """[(name of the program, regular expression of the draw, sentence)]. An indented line continues
    the one before it."""
    entries: list[Any] = []
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            if not line.strip() or line.startswith("#"):
                continue
            if line[0].isspace() and entries:
                entries[-1][1] += " " + line.strip()
            else:
                entries.append([number, line.strip()])
    causes = []
    for number, text in entries:
        parts = [part.strip() for part in text.split("|", 2)]
        if len(parts) != 3 or not parts[2]:
            raise Error(f"{path}:{number}: not PROGRAM | DRAW | SENTENCE")
        causes.append((parts[0], re.compile(parts[1]), parts[2]))
    return causes


def sentence(causes: Causes, program: str, draw: str) -> Any:
    return next((text for name, pattern, text in causes
                 if name == program and pattern.search(draw)), None)


def replace(section: str, lines: Sequence[str]) -> None:
    """Replaces the lines between the two comments that name the section."""
    begin, end = f"<!-- {section} -->", f"<!-- end of {section} -->"
    with open(DOC, encoding="utf-8") as f:
        text = f.read()
    if begin not in text or end not in text:
        raise Error(f"{DOC} has no section {section}")
    head, rest = text.split(begin, 1)
    with open(DOC, "w", encoding="utf-8") as f:
        f.write(head + begin + "\n" + "\n".join(lines) + "\n" + end + rest.split(end, 1)[1])


def most(frames: Sequence[dict[str, Any]]) -> str:
    """The commonest class of pixels that differ by more than rounding, and its share."""
    total: dict[str, int] = {}
    for row in frames:
        for name, n in row["classes"].items():
            total[name] = total.get(name, 0) + n
    rounded = total.pop("precision", None)
    pixels = sum(total.values())
    if not pixels:
        return "precision" if rounded else "none differs"
    name = max(total, key=lambda n: total[n])
    return f"{name} ({int(round(100 * total[name] / pixels))} %)"


def summary(comparison: Comparison) -> tuple[Any, ...]:
    rows = [f"| program | frames | PSNR: lowest, median | SSIM | below {comparison.bound:g} dB | "
            "most pixels |", "|---|---|---|---|---|---|"]
    total = 0
    for program in comparison.programs:
        good = program.good()
        total += len(good)
        if not good:
            rows.append(f"| {program.name} | 0 | {comparison.verdict(program)} | | | |")
            continue
        rows.append(f"| {program.name} | {len(good)} | {program.worst()['psnr']:.1f}, "
                    f"{statistics.median(r['psnr'] for r in good):.1f} | "
                    f"{min(r['ssim'] for r in good):.4f} | {len(program.below(comparison.bound))} "
                    f"| {most(good)} |")
    return total, rows


def explained(comparison: Comparison, causes: Causes) -> tuple[Any, ...]:
    """Table rows of the frames below the bound, by draw, and how many rows have no sentence."""
    rows, missing = [], 0
    for program in comparison.programs:
        groups: dict[Any, Any] = {}
        for row in program.below(comparison.bound):
            draw = row.get("draw") or "no draw was found"
            text = sentence(causes, program.name, draw)
            missing += text is None
            # Draws with the same sentence share one row.
            groups.setdefault(text or draw, []).append((draw, row))
        for text, found in groups.items():
            numbers = [row["frame"] for _, row in found]
            draw, row = min(found, key=lambda f: float(f[1]["psnr"]))
            rows.append("| %s | %s | %.1f | %d: `%s` | %s |" %
                        (program.name, frame_ranges.text(numbers, ", "), row["psnr"],
                         row.get("call", 0),
                         draw.replace("|", "\\|"),
                         text if text != draw else "**not explained**"))
    return rows, missing


def update_pictures(comparison: Comparison) -> int:
    """Writes the section of pictures; status 1 when a frame below the bound has no sentence."""
    causes = read_causes()
    total, rows = summary(comparison)
    below, missing = explained(comparison, causes)
    lines = ["", f"{total} frames: {comparison.first.renderer}",
             f"beside {comparison.second.renderer}, {comparison.second.version}:", "", *rows,
             ""]
    if below:
        lines += [f"Frames below {comparison.bound:g} dB, with the draw that the difference comes "
                  "with:", "",
                  "| program | frames | lowest | draw (of the lowest frame) | why |",
                  "|---|---|---|---|---|", *below, ""]
    else:
        lines += [f"No frame is below {comparison.bound:g} dB.", ""]
    replace("pictures", lines)
    print(f"hardware.md: {total} frames, {len(below)} rows of frames below {comparison.bound:g} "
          f"dB, {missing} frames not explained")
    return 1 if missing else 0


def update_times(groups: Groups, first: Side, second: AnySide) -> None:
    """Writes the section of times. groups: [(program, draws)]."""
    lines = ["", first.renderer, f"beside {second.renderer}, {second.version}:", "",
             "| program | draws | rank correlation (Spearman) |", "|---|---|---|"]
    everything = ("all", [d for _, draws in groups for d in draws])
    for name, draws in [*groups, everything]:
        rank = compare_time.spearman(draws)
        lines.append("| %s | %d | %s |" % (name, len(draws),
                                           "" if rank is None else f"{rank:.2f}"))
    lines += ["", "Draws that disagree most; ratio: simulated over reference time, as a multiple "
              "of that of the", "program's middle draw:", "",
              "| program | draw | simulated µs | reference µs | ratio |", "|---|---|---|---|---|"]
    for name, draws in groups:
        for d in compare_time.disagree(draws, 2):
            lines.append("| %s | %d: `%s` | %.1f | %.1f | %.2f |" %
                         (name, d.call.number, d.call.title()[:90].replace("|", "\\|"),
                          d.ours / 1000, d.theirs / 1000, d.ratio))
    replace("times", lines + [""])
