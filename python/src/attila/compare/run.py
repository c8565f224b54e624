"""Runs a comparison, from tracing the programs to the files of results: of all frames, of the draw
that goes wrong, or of times. Not here: the options (command.py), how pictures and draws are
compared (images.py, draws.py).
"""

from __future__ import annotations

import argparse
import functools
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from attila import whole_file
from attila.cli import Error
from attila.compare import replay
from attila.compare import doc as compare_doc
from attila.compare import draws as compare_draws
from attila.compare import html as compare_html
from attila.compare import images as compare_images
from attila.compare import result as compare_result
from attila.compare import time as compare_time
from attila.compare.draws import Bisection
from attila.compare.replay import AnySide, Side
from attila.compare.result import Comparison
from attila.compare.time import Draw
from attila.live import apps as live_apps


def _same(program: replay.Program) -> replay.Program:
    return program


class Jobs:
    """The programs to compare; prepare() traces them one after the other."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.list: list[Callable[[], replay.Program]] = []
        self.names: list[str] = []
        self.standard = options.what == ["standard"]
        if self.standard:
            options.skip = options.skip or 1
        self.size = options.size or ((320, 240) if self.standard else (800, 600))
        for trace in options.trace:
            self.names.append(replay.trace_name(trace))
            self.list.append(functools.partial(replay.Program, replay.trace_name(trace), trace))
        if self.list or isinstance(options.side, replay.Folder) and not options.what:
            if not self.list:
                programs = options.side.programs()
                self.names = [p.name for p in programs]
                self.list = [functools.partial(_same, p) for p in programs]
            return
        for kind, name in options.chosen:
            {"scene": self.scene, "game": self.game, "program": self.program}[kind](name)

    def frames(self, default: Any) -> Any:
        if self.options.frame is not None:
            return self.options.frame + 1
        if self.options.time and self.standard: # use the same traces as for pictures
            return default
        return self.options.frames or default

    def program(self, name: str) -> None:
        command = self.options.what
        self.add(name, lambda: (os.path.basename(name), command, None, ""), self.frames(1))

    def scene(self, name: str) -> None:
        frames = self.frames(60 if self.standard else 1)
        program = self.options.program
        self.add(name, lambda: live_apps.scene(name, self.size, frames, program), frames)

    def game(self, name: str) -> None:
        self.add(name, lambda: live_apps.game(name, self.size), self.frames(280))

    def add(self, name: str, what: Any, frames: int) -> None:
        self.names.append(name)

        def make() -> Any:
            done = what()
            log = os.path.join(self.options.out, f"log-trace-{live_apps.safe(done[0])}.txt")
            return replay.record(done, frames, os.path.join(self.options.out, "traces"),
                                 self.options.fixed_clock, log)
        self.list.append(make)


def compare_program(comparison: Comparison, program: replay.Program,
                    options: argparse.Namespace) -> None:
    found = compare_result.Frames(program)
    comparison.programs.append(found)
    first, second = comparison.first, comparison.second
    for number, (call, a, b) in enumerate(replay.both(first, second, program.trace, "frame")):
        if number >= options.skip and options.frame in (None, number):
            found.add(number, call, a, b)
        if number == options.frame or number + 1 == options.frames:
            break
    if not found.frames:
        raise Error(f"{program.name} has no frame {options.frame or options.skip}")
    below = [row["frame"] for row in found.below(options.bound)]
    if below and not options.no_explain and isinstance(second, replay.Side):
        calls = compare_draws.Calls(program.trace)
        why = compare_draws.explain(first, second, program.trace, calls, below, options.bound)
        for row in found.frames:
            reason = why.get(row["frame"])
            if reason:
                row["call"], row["draw"] = reason[0].number, reason[0].title()
                row["draw_share"] = reason[1]
    compare_result.write_pictures(options.out, found, (first.name, second.name))


def compare_all(first: Side, second: AnySide, jobs: Jobs, options: argparse.Namespace) -> Any:
    comparison = compare_result.Comparison(first, second, options.bound, options.max_blocks)
    print(f"attila: {first.renderer}, {first.version}\n{second.name}: {second.renderer}, "
          f"{second.version}")
    compare_result.say_head()
    known = compare_result.read(os.path.join(options.out, "compare.json"), first, second,
                                options.bound) if options.resume else {}
    for name, make in zip(jobs.names, jobs.list):
        before = len(comparison.programs)
        try:
            program = make()
            if os.path.basename(program.trace) in known:
                comparison.programs.append(known[os.path.basename(program.trace)])
            else:
                compare_program(comparison, program, options)
        except (Error, compare_images.PictureError) as e:
            # Go on with the other programs.
            print(f"compare: error: {name}: {e}", file=sys.stderr)
            if len(comparison.programs) == before:
                comparison.programs.append(compare_result.Frames(replay.Program(name, "")))
            comparison.programs[-1].problem = "failed"
        compare_result.say(comparison, comparison.programs[-1])
        compare_result.write_all(options.out, comparison)
    with whole_file.opened(os.path.join(options.out, "compare.html"), encoding="utf-8") as f:
        f.write(compare_html.comparison(comparison))
    failed = comparison.failed()
    print(f"{len(comparison.programs) - len(failed)} of {len(comparison.programs)} alike (PSNR "
          f">= {options.bound:g} dB, at most {options.max_blocks} blocks of other geometry); "
          f"pictures and compare.html in {options.out}")
    if options.update:
        return compare_doc.update_pictures(comparison)
    return 1 if failed else 0


def print_bisection(found: Bisection, first: Side, second: AnySide) -> None:
    call = found.call
    print("call %d: %s\n   %.2f dB, %d pixels differ by up to %d%s" %
          (call.number, call.text, found.psnr, found.figures["pixels"], found.figures["largest"],
           f", in framebuffer {call.target}" if call.target else ""))
    print("   classes: " + ", ".join(f"{n} {c}" for c, n in found.figures["classes"].items()
                                     if n))
    print("history of pixel %d, %d" % found.pixel + f" ({first.name}, {second.name}):")
    for step, a, b in found.history:
        print("   %-8d %-16s %-16s %s%s" % (step.number, "%d %d %d" % a, "%d %d %d" % b,
                                            step.title()[:60], " <--" if step is call else ""))
    print("state:")
    for name, one, two in compare_draws.shown_state(found):
        if one != two:
            print(f"   {name:<32} {one}, but {second.name}: {two}")
        else:
            print(f"   {name:<32} {one}")


def bisect(first: Side, second: AnySide, jobs: Jobs, options: argparse.Namespace) -> int:
    if len(jobs.list) != 1:
        raise Error(f"--bisect takes one program or trace, not {len(jobs.list)}")
    program = jobs.list[0]()
    calls = compare_draws.Calls(program.trace)
    found = compare_draws.bisect(first, second, program.trace, calls, options.frame, options.bound)
    if not found.call:
        print(f"none of the {found.draws} draws of frame {options.frame} leaves a picture "
              f"below {options.bound:g} dB")
        return 0
    print_bisection(found, first, second)
    for (side, when), pixels in found.pictures.items():
        name = f"bisect-{when}-{(first, second)[side].name}.png"
        with whole_file.opened(os.path.join(options.out, name), "wb") as f:
            f.write(compare_images.png(pixels))
    with whole_file.opened(os.path.join(options.out, "bisect.html"), encoding="utf-8") as f:
        f.write(compare_html.bisection(found, first, second, program.name, options.frame,
                                       compare_draws.shown_state(found),
                                       compare_draws.textures(found)))
    print(f"pictures before and after it: bisect.html and bisect-*.png in {options.out}")
    return 1


def times(first: Side, second: AnySide, jobs: Jobs, options: argparse.Namespace) -> int:
    groups, rows = [], os.path.join(options.out, "times.csv")
    if os.path.exists(rows):
        os.remove(rows)
    print("%-32s %6s %9s %14s" % ("program", "draws", "Spearman", "median ratio"))
    for make in jobs.list:
        program = make()
        calls = compare_draws.Calls(program.trace)
        trace = program.trace
        if options.frames and isinstance(second, replay.Side):
            trace = compare_time.shorten(trace, calls, options.frames, options.out)
        draws = compare_time.measure(first, second, trace, calls, options.repeat)
        groups.append((program.name, draws))
        compare_time.write_csv(rows, program.name, draws)
        print_times(program.name, draws)
    everything = [d for _, draws in groups for d in draws]
    if len(groups) > 1:
        print_times("all", everything)
    compare_time.scatter(os.path.join(options.out, "times.svg"), groups,
                         (first.renderer, second.renderer))
    print("\ndraws that disagree most: their ratio of simulated to reference time as a multiple of "
          "the ratio\nof the program's middle draw")
    for name, draws in groups:
        for d in compare_time.disagree(draws, 3):
            print(f"   {d.ratio:8.2f}  {name}, frame {d.frame}, call {d.call.number}: "
                  f"{d.ours / 1000:.1f} us, {second.name} {d.theirs / 1000:.1f} us: "
                  f"{d.call.title()[:80]}")
    print(f"times.csv, times.svg in {options.out}")
    if options.update:
        compare_doc.update_times(groups, first, second)
    return 0


def print_times(name: str, draws: Sequence[Draw]) -> None:
    rank = compare_time.spearman(draws)
    middle = sorted(d.ours / d.theirs for d in draws)[len(draws) // 2]
    print("%-32s %6d %9s %14.3f" % (name, len(draws), "" if rank is None else f"{rank:.3f}",
                                    middle), flush=True)


def run(options: argparse.Namespace) -> Any:
    """Runs the comparison of the options; returns the exit status."""
    replay.check_build()
    os.makedirs(options.out, exist_ok=True)
    options.side = second = replay.reference(options.reference, options.out)
    jobs = Jobs(options)
    mode = options.mode or ("functional" if jobs.standard and not options.time else "cycle")
    if options.time and mode == "functional":
        raise Error("--time needs cycle or half mode: functional mode has no time")
    extra = ["--config", options.config] if options.config else []
    first = replay.Side("attila", ["--mode", mode, *extra], options.out)
    for side in (first, second):
        side.identify()
    work = bisect if options.bisect else times if options.time else compare_all
    return work(first, second, jobs, options)
