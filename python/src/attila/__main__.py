"""The program "attila": one table of all commands. Each command is a module with main(arguments),
which is imported only when it is called, so that a light command does not wait for the libraries of
a heavy one. Not here: the commands and their options.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from typing import Any

from attila import cli

# Command: its module, and what it is for. The programs attila-run, attila-report, attila-sample and
# attila-sweep, and those of scripts/, are these commands under other names.
COMMANDS = {
    "run": ("attila.tools.run", "run an OpenGL program on the simulated ATTILA GPU"),
    "export": ("attila.records.export", "CSV files or a Perfetto trace from a record"),
    "diff": ("attila.records.diff", "what two runs count differently"),
    "state": ("attila.records.state", "the state of a draw, or what differs between two"),
    "report": ("attila.report.command", "page of a run on the simulated GPU"),
    "sample": ("attila.sample.command", "cycles of a long run from some of its frames"),
    "sweep": ("attila.sweep.command", "run captures on every configuration of a design space"),
    "experiments": ("attila.tools.experiments", "what a frame would save if its draws did less"),
    "compare": ("attila.compare.command", "compare frames and times with another OpenGL driver"),
    "imgdiff": ("attila.compare.imgdiff", "compare two pictures"),
    "studies": ("attila.studies.command", "rerun studies of published papers"),
    "validate-timing": ("attila.timing.command", "cycles beside those of the original simulator"),
    "bench": ("attila.tools.bench", "speed of the simulator, cost of its records"),
    "rates": ("attila.tools.rates", "peak rates and scaling of the papers' machines"),
    "limiters": ("attila.tools.limiters", "check what the record names as limiting"),
    "key-effects": ("attila.tools.key_effects", "measure what every parameter does"),
    "warm-starts": ("attila.tools.warm_starts", "error of frames that begin from a checkpoint"),
    "check-rows": ("attila.records.check_rows", "check that the statistics of a run add up"),
    "power-chips": ("attila.tools.power_chips", "energy beside that of published chips"),
    "thermal": ("attila.tools.thermal", "temperatures of the units of a run"),
    "shader-table": ("attila.tools.shader_table", "what a compiler that knows the machine gains"),
    "calibrate": ("attila.tools.calibrate", "a machine from the times of a card"),
    "summary": ("attila.tools.summary", "a short table of several runs"),
}


def _module(command: str) -> Any:
    return importlib.import_module(COMMANDS[command][0])


def main(args: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="attila", usage="attila [--version] COMMAND [arguments]", allow_abbrev=False,
        formatter_class=cli.Help, description="Tools around the simulated ATTILA GPU.",
        epilog='"attila COMMAND --help" explains a command.')
    parser.add_argument("--version", action=cli.Version, nargs=0)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (_, what) in COMMANDS.items():
        # A command reads its own options, including --help.
        commands.add_parser(name, help=what, add_help=False, prefix_chars="\0").add_argument(
            "arguments", nargs=argparse.REMAINDER)
    if args is None:
        cli.escape_output()
    o = parser.parse_args(sys.argv[1:] if args is None else args)
    # For small matrices one thread is faster, and gives the same results on every machine.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return cli.ending(o.command, lambda args: _module(o.command).main(args), o.arguments)


if __name__ == "__main__":
    sys.exit(main())
