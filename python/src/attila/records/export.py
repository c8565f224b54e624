"""Writes the tables of records as CSV files, or as a trace for Perfetto's viewer. Reads run.sqlite
and nothing else, so it works on any machine's record. Not here: the meaning of the tables
(docs/reference/record.md), the files (tables.py, perfetto.py).
"""

from __future__ import annotations

import argparse
import os

from attila import cli
from attila.cli import Error
from attila.records import perfetto, reader, tables


def main(args: list[str]) -> None:
    p = cli.Parser("export", "[options] DIR...", "Writes the tables of DIR/run.sqlite as CSV files "
                   "into DIR, or a trace of its frames, draws and counters for ui.perfetto.dev.")
    p.add_argument("folders", nargs="+", metavar="DIR", help=argparse.SUPPRESS)
    p.add_argument("--format", choices=("csv", "perfetto"), default="csv",
                   help="csv (default): frames.csv, draws.csv, cycles.csv, instructions.csv, "
                   "counters.csv, and with energies frames-energy.csv, draws-energy.csv, "
                   "cycles-energy.csv; perfetto: DIR/run.perfetto-trace")
    p.add_argument("-f", "--frames", type=cli.frame_range, metavar="A[-B]",
                   help="export only frames A to B, from 0; needs --format perfetto")
    p.add_argument("-o", "--out", metavar="FILE", type=cli.output,
                   help="write the trace to this file; needs --format perfetto")
    o = p.parse_args(args)
    if o.format == "csv" and (o.frames or o.out):
        p.error(f"{'--out' if o.out else '--frames'} needs --format perfetto")
    if o.out and len(o.folders) > 1:
        p.error(f"--out {o.out} is one file, but there are several folders")
    for folder in o.folders:
        db = reader.open_record(folder)
        # A label may be any bytes that the program passed.
        db.text_factory = lambda text: text.decode(errors="surrogateescape")
        if o.format == "csv":
            tables.export(db, folder)
            continue
        record = os.path.join(folder, "run.sqlite")
        if o.out and os.path.exists(o.out) and os.path.samefile(o.out, record):
            raise Error(f"{o.out} is the record itself: name another file")
        perfetto.export(db, folder, o.out, o.frames)
