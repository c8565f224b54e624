"""attila report: makes one HTML file for one or two runs, which contains the script and style of
the page, the data, and pictures. The data are compressed (zlib, base64), as 10,000 draws with all
their counters are 20 MB of JSON. Not here: reading a record (data.py), the script of the page
(src/report-html).
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import subprocess
import zlib
from typing import Any

from attila import cli, page, whole_file
from attila.paths import TOP, places
from attila.report import area as report_area
from attila.report import data as report_data
from attila.report import pictures as report_pictures
from attila.report import reference as report_reference

DESCRIPTION = """\
Makes one HTML file of what a run recorded (DIR/run.sqlite, written by attila-run --out DIR or
attila-sim run --out DIR): summary, frames, draws with their limiters, units over time, memory, and
what every counter means. With DIR2 also what the second run did differently, draw by draw. The
file opens in any browser and loads nothing else."""
EPILOG = "Exit: 0 done, 1 the run cannot be reported, 2 wrong usage."


def pictures(folder: str, data: Any, limit: int) -> dict[str, dict[int, str] | int]:
    """{frame: data URI} of the frames that have a picture; if these are too many, some of them,
    evenly spread."""
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


def options(args: list[str]) -> argparse.Namespace:
    p = cli.Parser("report", "[options] DIR [DIR2]", DESCRIPTION, EPILOG)
    p.add_argument("runs", nargs="*", help=argparse.SUPPRESS)
    p.add_argument("-o", "--output", metavar="FILE", type=cli.output,
                   help="where to; default: DIR/report.html, of two runs DIR/report-NAME.html with "
                   "the name of DIR2")
    p.add_argument("-f", "--frames", metavar="A[-B]", type=cli.frame_range,
                   help="show only frames A to B (from 0); for runs too long for one page")
    p.add_argument("--pictures", metavar="MIB", type=cli.number(0), default=16, dest="limit",
                   help="largest size of frames' pictures (DIR/frame-NNNN.png) in the file, and "
                   "as much again of those made from a capture; default 16")
    p.add_argument("--capture", metavar="FILE",
                   help="the capture of the run, for pictures of draws, textures and maps; "
                   "default: the one in DIR, or the one that attila-sim replayed")
    p.add_argument("--draw-pictures", metavar="N", type=cli.number(0), default=24, dest="draws",
                   help="before, after and textures of the N costliest draws; default 24")
    p.add_argument("--mesh-vertices", metavar="N", type=cli.number(0), default=60000, dest="meshes",
                   help="meshes of these draws, the costliest first, that together have at most N "
                   "vertices or indices; default 60000")
    p.add_argument("--history", action="store_true",
                   help="the fragments that came to each pixel of the pictures in the costliest "
                   "frame: a click on a pixel shows them")
    p.add_argument("--map-frames", metavar="N", type=cli.number(0), default=1, dest="maps",
                   help="maps of the N costliest frames (pictures.md): those in DIR/maps, or else "
                   "these frames are simulated again, which takes its time; default 1")
    p.add_argument("--map-draws", metavar="N", type=cli.number(0, 64), default=8,
                   help="also maps of each of the N costliest draws of these frames alone; default "
                   "8. In DIR/maps they are recorded by --maps-each (attila-run, attila-sim run): "
                   "all that are there are taken")
    p.add_argument("--reference", metavar="FRAMES",
                   help="compare the run's pictures (attila-run --save-frames) with another "
                   "driver's: a folder that scripts/record-frames or attila-run --driver WHO "
                   "--grab wrote. Of two runs the first is compared")
    p.add_argument("--json", action="store_true", help="the data of the page instead of the page")
    o = p.parse_args(args)
    if not 1 <= len(o.runs) <= 2:
        p.error("one or two folders are wanted")
    if o.capture and not os.path.isfile(o.capture):
        raise cli.Error(f"no capture {o.capture}")
    o.limit <<= 20
    o.sim = places().sim if os.access(places().sim, os.X_OK) else None
    return o


def bundle() -> str:
    """The folder with the script and style of the page."""
    folder = places().bundle
    if not os.path.isfile(os.path.join(folder, "page.js")):
        raise cli.Error(f"no {folder}/page.js: " + (
            "this installation was made without the page (scripts/setup --report before meson "
            "install)" if places().installed else "run scripts/setup --report"))
    if not places().installed and subprocess.call(
            [os.path.join(TOP, "scripts", "lib", "report_bundle.sh"), "--current"]):
        raise cli.Error(f"{folder}/page.js is not of the sources in src/report-html: run "
                        "scripts/setup --report")
    return folder


def as_json(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), allow_nan=False)


def packed(data: Any) -> str:
    return base64.b64encode(zlib.compress(as_json(data).encode(), 6)).decode()


def default_output(runs: list[str]) -> str:
    """The path of the page. A page of two runs has another name, so the page of the first run
    stays."""
    second = "".join("-" + os.path.basename(os.path.abspath(r)) for r in runs[1:])
    return os.path.join(runs[0], f"report{second}.html")


def text_of(path: str) -> str:
    with open(path, encoding="utf-8") as f:
        return f.read()


def main(args: list[str]) -> None:
    o = options(args)
    runs = [report_data.read_run(folder, o.frames) for folder in o.runs]
    numbers = {f["frame"] for f in report_pictures.rows_of(runs[0], "frames")}
    reference = o.reference and report_reference.matched(o.runs[0], numbers, o.reference)
    if not o.json:
        cli.need("the page", "jinja2")
        page_folder = bundle()
    data = {"runs": runs}
    if len(runs) == 2:
        data["pairs"] = report_data.pairs(*runs)
        for run, folder in zip(runs, o.runs):
            run["name"] = folder
    for run, folder in zip(runs, o.runs):
        run["area"] = report_area.area(o.sim, run)
        run["pictures"] = pictures(folder, run, o.limit)
        # Of two runs, only the first has a capture; the page shows it by default.
        made = report_pictures.collect(folder, run, o) if run is runs[0] else {}
        run["meshes"], run["histories"] = made.pop("meshes", {}), made.pop("histories", {})
        run["made"] = made or None
        if made:
            made["meshes"] = {"works": list(run["meshes"]), "most": o.meshes}
            made["histories"] = list(run["histories"])
    if reference:
        runs[0]["reference"] = report_reference.collect(*reference, o.limit)
    if o.json:
        print(as_json(data))
        return
    # These are most of the data; the page reads them only when it shows them.
    counters = [run["of_work"].pop("counters") for run in runs]
    later = {name: packed([run.pop(name) for run in runs])
             for name in ("states", "meshes", "histories")}
    text = page.render(
        "report.html", title="Attila: " + " and ".join(r["name"] for r in runs),
        style=text_of(os.path.join(page_folder, "page.css")),
        script=text_of(os.path.join(page_folder, "page.js")),
        notices=text_of(os.path.join(page_folder, "notices.txt")),
        data=packed(data), counters=packed(counters), **later)
    output = o.output or default_output(o.runs)
    whole_file.write(output, text)
    made = runs[0]["made"]
    print(f"{output}: {len(runs[0]['frames']['rows'])} frames, {len(runs[0]['work']['rows'])} rows "
          f"of work, pictures of {len(made['draws'])} draws, meshes of "
          f"{len(made['meshes']['works'])}, maps of {len(made['maps'])} frames "
          f"and {len(made['draw_maps'])} draws, {len(text) / 1000000.0:.1f} MB")
    if made["note"]:
        cli.say("report", f"pictures: {made['note']}")

