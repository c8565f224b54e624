"""Pictures for a report, made from a capture of the run: the surfaces of the costliest draws before
and after them, their textures, and maps of the costliest frames and of draws in them.

collect(folder, data, options) returns what the page needs, or a "note" that says why there is
nothing. One functional replay makes the pictures of all draws; maps simulate a frame again
(attila-sim picture, attila-sim maps; docs/howto/pictures.md). If this fails, the report has no
pictures, but it is made.
"""

from __future__ import annotations

import argparse
import base64
import csv
import glob
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from typing import Any

from attila.report import history, meshes

SIDE = 320  # largest width and height of the picture of a draw, in pixels
COVER = ("covered", "fragments", "passed", "most")  # columns of pictures.csv
VERTICES = 20  # largest number of vertices of a draw


def rows_of(data: dict[str, Any], name: str) -> list[Any]:
    columns = data[name]["columns"]
    return [dict(zip(columns, row)) for row in data[name]["rows"]]


def find_capture(folder: str, run: dict[str, Any], given: str | None) -> tuple[str | None, str]:
    """Returns (path, where it comes from) or (None, why there is none)."""
    if given:
        return given, "--capture"
    inside = sorted(glob.glob(os.path.join(glob.escape(folder), "*.attila")))
    if len(inside) == 1:
        return inside[0], "the run's folder"
    if inside:
        return None, "several captures are in the run's folder: choose with --capture"
    # For attila-sim run CAPTURE, the record names the capture.
    if os.path.basename(run["program"] or "") == "attila-sim":
        for word in shlex.split(run["arguments"] or ""):
            if word.endswith(".attila") and os.path.isfile(word):
                return word, "what attila-sim replayed"
    return None, ("there is no capture of the run: attila-run --capture DIR/run.attila beside "
                  "--out DIR, or attila-report --capture FILE")


def machine_options(data: dict[str, Any]) -> list[str]:
    """Options of attila-sim for the machine of the run: every parameter that is not at its
    default."""
    options = []
    for p in rows_of(data, "configuration"):
        if p["value"] != p["default_value"] and p["key"] != "MemorySize":
            options += ["--set", f"{p['section']}.{p['key']}={p['value']}"]
    return options


def output_of(command: list[str]) -> tuple[str, str | None]:
    """Returns the command's output and None; if it fails, "" and an error."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout, None
    lines = done.stderr.strip().splitlines()
    return "", lines[-1] if lines else f"status {done.returncode}"


def call(command: list[str]) -> str | None:
    """Runs a command. Returns None, or an error."""
    return output_of(command)[1]


class Images:
    """Files as data URIs, each of them once, up to a limit of bytes."""

    def __init__(self, limit: int) -> None:
        self.left = limit
        self.of: dict[Any, Any] = {}

    def add(self, folder: str, name: str, key: str | None = None) -> Any:
        """Adds a file; returns its key, or None if the limit is reached."""
        key = key or name
        if key not in self.of:
            path = os.path.join(folder, name)
            size = os.path.getsize(path)
            if size > self.left:
                return None
            self.left -= size
            with open(path, "rb") as f:
                self.of[key] = "data:image/png;base64," + base64.b64encode(f.read()).decode()
        return key


def read_list(folder: str, name: str) -> list[dict[str, str]]:
    with open(os.path.join(folder, name), newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def draws_wanted(data: dict[str, Any], most: int | None,
                 frames: list[int] | None = None) -> dict[tuple[int, int], int]:
    """The costliest draws, of these frames if they are given: {(frame, draw): number of the row of
    work}, costliest first."""
    work = [w for w in rows_of(data, "work") if w["kind"] == "draw" and
            (frames is None or w["frame"] in frames)]
    work.sort(key=lambda w: (-w["exclusive_cycles"], w["work"]))
    return {(w["frame"], w["draw"]): w["work"] for w in work[:most]}


def picks(wanted: Mapping[tuple[int, int], int]) -> str:
    """The draws as --pick takes them."""
    return ",".join("%d:%d" % key for key in wanted)


def surface_of(rows: list[dict[str, str]]) -> dict[str, Any]:
    """What the page says of a surface of a draw; rows: its pictures."""
    of = rows[0]
    return {"slot": of["surface"], "format": of["format"], "width": int(of["width"]),
            "height": int(of["height"]), "changed": int(of["changed"]), "min": of["min"],
            "max": of["max"], "pictures": {}}


def of_draws(sim: str, capture: str, data: dict[str, Any], most: int,
             images: Images) -> tuple[Any, ...]:
    """{work: {...}} with the pictures of each draw, and an error or None: of the surface that it
    draws to all kinds (before, after, diff, coverage, overdraw, wireframe), of depth and stencil
    beside a colour buffer two, or none where the surface has one value everywhere."""
    wanted = draws_wanted(data, most)
    result: dict[Any, Any] = {}
    if not wanted:
        return result, None
    with tempfile.TemporaryDirectory() as folder:
        error = call([sim, "picture", capture, "--pick", picks(wanted), "--before", "--after",
                      "--diff", "--coverage", "--overdraw", "--wireframe", "--textures",
                      "--surface", "color0,depth,stencil", "--max-size", str(SIDE), "--out",
                      folder])
        if error:
            return result, error
        found: dict[Any, Any] = {}
        for row in read_list(folder, "pictures.csv"):
            found.setdefault((int(row["frame"]), int(row["draw"])), {}).setdefault(
                row["surface"], []).append(row)
        for key, work in wanted.items():
            one: dict[str, Any] = {"surfaces": [], "textures": []}
            for slot, rows in found.get(key, {}).items():
                if rows[0]["kind"] == "texture":
                    of = surface_of(rows)
                    of["image"] = images.add(folder, rows[0]["file"])
                    one["textures"].append(of)
                    if of["image"] is None:
                        return result, None
                    continue
                surface = surface_of(rows)
                main = not one["surfaces"]
                if main:
                    one["cover"] = {name: int(rows[0][name]) for name in COVER}
                one["surfaces"].append(surface)
                for row in rows:
                    if main or (row["kind"] in ("after", "diff") and row["min"] != row["max"]):
                        name = images.add(folder, row["file"])
                        if name is None:
                            return result, None
                        surface["pictures"][row["kind"]] = name
            if one["surfaces"]:
                result[work] = one
    return result, None


def vertices_of(sim: str, capture: str, wanted: Mapping[tuple[int, int], int],
                *options: str) -> tuple[dict[int, list[dict[str, Any]]], str | None]:
    """{work: rows} of attila-sim picture --vertices, and an error or None. wanted: {(frame, draw):
    work}"""
    result: dict[int, list[dict[str, Any]]] = {}
    if not wanted:
        return result, None
    text, error = output_of([sim, "picture", capture, "--pick", picks(wanted), "--vertices",
                             *options, "--format", "json"])
    for row in json.loads(text) if not error else []:
        result.setdefault(wanted[row["frame"], row["draw"]], []).append(row)
    return result, error


def of_vertices(sim: str, capture: str, data: dict[str, Any], most: int) -> tuple[Any, ...]:
    """{work: {"in": [register], "out": [...], "rows": [[vertex, instance, values], ...]}} of the
    costliest draws, and an error or None."""
    shown, error = vertices_of(sim, capture, draws_wanted(data, most), "--most", str(VERTICES))
    return {work: {"in": list(rows[0]["in"]), "out": list(rows[0]["out"]),
                   "rows": [[row["vertex"], row["instance"], *row["in"].values(),
                             *row["out"].values()] for row in rows]}
            for work, rows in shown.items()}, error


def take_maps(folder: str, images: Images, frames: set[int],
              works: Mapping[tuple[int, int], int]) -> tuple[Any, ...]:
    """The maps in a folder, of these frames and of single draws: two dictionaries of lists for the
    page. works: {(frame, draw): work} of draws that may have maps."""
    result: dict[Any, Any] = {}
    draws: dict[Any, Any] = {}
    rows = read_list(folder, "maps.csv")
    for row in sorted(rows, key=lambda row: row.get("draw", "") != ""):
        frame = int(row["frame"])
        single = row.get("draw", "") != ""
        work = works.get((frame, int(row["draw"]))) if single else None
        if work is None if single else frame not in frames:
            continue
        name = images.add(folder, row["file"])
        if name is None:
            break
        one = {"image": name, "map": row["map"], "unit": row["unit"]}
        for column in ("target", "address", "width", "height", "draws", "first_draw", "last_draw",
                       "max", "sum", "pixels"):
            one[column] = int(row[column])
        if single:
            draws.setdefault(work, []).append(one)
        else:
            result.setdefault(frame, []).append(one)
    return result, draws


def of_frames(sim: str, capture: str | None, folder: str, data: dict[str, Any],
              options: argparse.Namespace, images: Images) -> Any:
    """{frame: [map, ...]}, {work: [map, ...]}, where they come from, and an error or None."""
    frames = sorted(rows_of(data, "frames"), key=lambda f: -int(f["cycles"]))
    chosen = [f["frame"] for f in frames[:options.maps]]
    recorded = os.path.join(folder, "maps")
    if os.path.isfile(os.path.join(recorded, "maps.csv")):
        return take_maps(recorded, images, set(chosen), draws_wanted(data, None)) + ("run", None)
    run = data["run"]
    result: dict[Any, Any] = {}
    draws: dict[Any, Any] = {}
    wanted = draws_wanted(data, options.map_draws, chosen)
    for frame in chosen if capture else []:
        with tempfile.TemporaryDirectory() as out:
            mode = [] if run["mode"] == "cycle" else ["--mode", run["mode"]]
            print(f"attila-report: maps of frame {frame}: it is simulated again",
                  file=sys.stderr)
            each = ",".join(str(draw) for of, draw in wanted if of == frame)
            error = call([sim, "maps", capture, "--frame", str(frame), "--out", out] + mode +
                         (["--each", each] if each else []) + machine_options(data))
            if error:
                return result, draws, "again", error
            for all_of, some in zip((result, draws), take_maps(out, images, {frame}, wanted)):
                all_of.update(some)
    return result, draws, "again", None


def largest_target(data: dict[str, Any], frame: int) -> int:
    """The larger side, in pixels, of the largest surface that the frame draws to."""
    bound = {w["bindings"] for w in rows_of(data, "work") if w["frame"] == frame}
    return max((max(b["width"], b["height"]) for b in rows_of(data, "bindings")
                if b["bindings"] in bound and b["slot"] in ("color0", "depth")), default=1)


def collect(folder: str, data: dict[str, Any], options: argparse.Namespace) -> Any:
    """Collects everything. options: sim; capture (None: look for one); draws, maps, map_draws: the
    largest numbers of these; limit: bytes."""
    result: dict[str, Any] = {"images": {}, "draws": {}, "vertices": {}, "maps": {},
                              "draw_maps": {}, "maps_from": None, "note": None, "meshes": {},
                              "histories": {}}
    images = Images(options.limit)
    if not options.limit or not (options.draws or options.maps):
        result["note"] = "pictures were not asked for"
        return result
    capture, source = find_capture(folder, data["run"], options.capture)
    notes = [] if capture else [source]
    if capture and not options.sim:
        capture, notes = None, ["there is no attila-sim: run scripts/setup"]
    if capture and options.draws:
        result["draws"], error = of_draws(options.sim, capture, data, options.draws, images)
        notes += [error] if error else []
        result["vertices"], error = of_vertices(options.sim, capture, data, options.draws)
        notes += [error] if error else []
        of = {w["work"]: w for w in rows_of(data, "work")}
        draws = meshes.chosen([of[work] for work in draws_wanted(data, options.draws).values()],
                              options.meshes)
        rows, error = vertices_of(options.sim, capture, {(w["frame"], w["draw"]): w["work"]
                                                         for w in draws}, "--primitives")
        result["meshes"] = meshes.of_rows(rows)
        notes += [error] if error else []
    if capture and options.history:
        frame = max(rows_of(data, "frames"), key=lambda f: int(f["cycles"]))["frame"]
        result["histories"], error = history.collect(options.sim, capture, frame, SIDE,
                                                     largest_target(data, frame))
        notes += [error] if error else []
    if options.maps:
        result["maps"], result["draw_maps"], result["maps_from"], error = of_frames(
            options.sim, capture, folder, data, options, images)
        notes += [error] if error else []
    result["images"] = images.of
    result["capture"] = capture and f"{capture} ({source})"
    result["note"] = "; ".join(notes) or None
    return result
