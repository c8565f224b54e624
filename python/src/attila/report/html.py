"""One HTML file of the data of one or two runs: the page's program and style, the data, pictures.

The data travel compressed (zlib, base64): 10,000 draws with all that was counted for them are 20 MB
of JSON. Usage: scripts/attila-report --help.
"""

import argparse
import base64
import json
import os
import re
import sys
import zlib

from attila import page
from attila.report import area as report_area
from attila.report import data as report_data
from attila.report import pictures as report_pictures
from attila.report import reference as report_reference
from attila import whole_file

BODY = """<noscript>This report needs JavaScript: its tables are made in the browser.</noscript>
<div id="app"><p class="loading">Reading the data ...</p></div>
<script type="text/plain" id="data">%(data)s</script>
<script>%(script)s</script>"""


def fail(text):
    print(f"attila-report: error: {text}", file=sys.stderr)
    sys.exit(1)


def pictures(folder, data, limit):
    """{frame: data URI} of the frames that have a picture, evenly spread if they are too many."""
    column = data["frames"]["columns"].index("frame")
    found = []
    for row in data["frames"]["rows"]:
        path = os.path.join(folder, f"frame-{row[column]:04d}.png")
        if os.path.isfile(path):
            found.append((row[column], path, os.path.getsize(path)))
    total = sum(size for _, _, size in found)
    step = max(1, -(-total // limit)) if limit else len(found) + 1
    result = {}
    for frame, path, _ in found[::step] if limit else []:
        with open(path, "rb") as f:
            result[frame] = "data:image/png;base64," + base64.b64encode(f.read()).decode()
    return {"of": result, "recorded": len(found)}


def parse():
    p = argparse.ArgumentParser(prog="attila-report")
    p.add_argument("--bundle", required=True)
    p.add_argument("--output")
    p.add_argument("--frames")
    p.add_argument("--pictures", default="16")
    p.add_argument("--capture")
    p.add_argument("--reference")
    p.add_argument("--draw-pictures", default="24", dest="draws")
    p.add_argument("--map-frames", default="1", dest="maps")
    p.add_argument("--map-draws", default="8", dest="map_draws")
    p.add_argument("--sim")
    p.add_argument("--json", action="store_true")
    p.add_argument("runs", nargs="+")
    args = p.parse_args()
    if args.frames is not None:
        m = re.fullmatch(r"(\d+)(?:-(\d+))?", args.frames)
        if not m or int(m[2] or m[1]) < int(m[1]):
            fail(f"--frames takes A or A-B with B not below A, not {args.frames}")
        args.frames = (int(m[1]), int(m[2] or m[1]))
    if not re.fullmatch(r"\d+", args.pictures):
        fail(f"--pictures takes a number of MiB from 0, not {args.pictures}")
    for name, option in (("draws", "--draw-pictures"), ("maps", "--map-frames"),
                         ("map_draws", "--map-draws")):
        if not re.fullmatch(r"\d{1,6}", getattr(args, name)):
            fail(f"{option} takes a number from 0, not {getattr(args, name)}")
        setattr(args, name, int(getattr(args, name)))
    if args.map_draws > 64:
        fail(f"--map-draws takes a number from 0 to 64, not {args.map_draws}")
    args.limit = int(args.pictures) << 20
    return args


def text_of(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def write(path, text):
    try:
        whole_file.write(path, text)
    except OSError as e:
        fail(f"cannot write {path}: {e.strerror}")


def main():
    args = parse()
    try:
        runs = [report_data.read_run(folder, args.frames) for folder in args.runs]
    except report_data.ReportError as e:
        fail(e)
    data = {"runs": runs}
    if len(runs) == 2:
        data["pairs"] = report_data.pairs(*runs)
        for run, folder in zip(runs, args.runs):
            run["name"] = folder
    for run, folder in zip(runs, args.runs):
        run["area"] = report_area.area(args.sim, run)
        run["pictures"] = pictures(folder, run, args.limit)
        # Of two runs only the first, which the page shows by default, has a capture of its own.
        run["made"] = report_pictures.collect(folder, run, args) if run is runs[0] else None
    if args.reference:
        numbers = {f["frame"] for f in report_pictures.rows_of(runs[0], "frames")}
        try:
            runs[0]["reference"] = report_reference.collect(args.runs[0], numbers, args.reference,
                                                            args.limit)
        except report_reference.NoReference as e:
            fail(e)
    packed = json.dumps(data, separators=(",", ":"), allow_nan=False)
    if args.json:
        print(packed)
        return
    body = BODY % {
        "script": text_of(os.path.join(args.bundle, "page.js")),
        "data": base64.b64encode(zlib.compress(packed.encode(), 6)).decode(),
    }
    text = page.page("Attila: " + " and ".join(r["name"] for r in runs),
                     text_of(os.path.join(args.bundle, "page.css")), body)
    output = args.output or os.path.join(args.runs[0], "report.html")
    write(output, text)
    made = runs[0]["made"]
    print(f"{output}: {len(runs[0]['frames']['rows'])} frames, {len(runs[0]['work']['rows'])} rows "
          f"of work, pictures of {len(made['draws'])} draws, maps of {len(made['maps'])} frames "
          f"and {len(made['draw_maps'])} draws, {len(text) / 1000000.0:.1f} MB")
    if made["note"]:
        print("attila-report: pictures: " + made["note"], file=sys.stderr)


main()
