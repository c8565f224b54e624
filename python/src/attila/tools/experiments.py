"""attila experiments: the table of attila.savings(). Not here: the runs (experiments.py)."""

from __future__ import annotations

import argparse
import sys

from attila import cli
from attila.experiments import savings

DESCRIPTION = """\
Prints what each experiment would save of a frame of a capture: all units ideal one by one, drawing
to one pixel, textures of 2x2 texels, no blending, and leaving out the draws that cost most. Each is
a run of the frame alone (attila-sim trim), from a warm start."""


def parse(args: list[str]) -> argparse.Namespace:
    p = cli.Parser("experiments", "[options] CAPTURE --frame F", DESCRIPTION)
    p.add_argument("capture", help=argparse.SUPPRESS)
    p.add_argument("--frame", type=cli.number(0), required=True, metavar="F",
                   help="the frame, counted from 0")
    p.machine()
    p.add_argument("--draws", type=cli.number(0), default=5, metavar="N",
                   help="leave out each of the N draws that cost most (default: 5)")
    p.add_argument("--format", choices=("text", "csv", "json"), default="text",
                   help="text (default), csv or json")
    p.jobs()
    return p.parse_args(args)


def main(args: list[str]) -> int:
    o = parse(args)
    settings: dict[str, object] = {}
    for text in o.set:
        key, equals, value = text.partition("=")
        if not equals:
            raise cli.UsageError(f"--set {text}: SECTION.KEY=VALUE is accepted")
        settings[key] = int(value) if value.lstrip("-").isdigit() else \
            {"TRUE": True, "FALSE": False}.get(value.upper(), value)
    table = savings(o.capture, o.frame, o.config, set=settings, draws=o.draws,
                            processes=o.jobs)
    if o.format == "csv":
        table.to_csv(sys.stdout, index=False, float_format="%.3f")
    elif o.format == "json":
        print(table.to_json(orient="records", double_precision=3))
    else:
        print(table.to_string(index=False, float_format=lambda v: f"{v:.1f}"))
    return 0
