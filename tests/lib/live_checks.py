"""What one recorded run must be like: sums, intervals, maps, HUD, trace, pictures, replay, report.
Each check takes a Case, and raises Error or returns a few words. Not here: running programs
(live_run.py), sums of draws.csv (scripts/check-rows)."""

from __future__ import annotations

import collections
import csv
import glob
import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile

import numpy
from PIL import Image

from attila.cli import Error
from attila.records import reader
from live_run import HUD, TOP, last_line

TOOLS = os.path.join(TOP, "tests", "lib")
PYTHON = "/usr/bin/python3"
# frame_instructions: what its columns add up to.
INSTRUCTIONS = {"inputs": "ExecutedInputs_ShDX-FS", "alu_cycles": "ALUBusyCycles_ShF-FS",
                "wait_texture": "BlockedThreads_ShF-FS",
                "wait_constant": "ConstantThreads_ShF-FS", "wait_output": "FinishedThreads_ShF-FS",
                "refused_operands": "StallsOperands_ShDX-FS"}


class Skipped(Exception):
    """A check that cannot be made here; the text says what is missing."""


class Case:
    """A recorded run: its folder, the program, and where attila-sim is."""

    def __init__(self, program, folder, sim) -> None:
        self.program, self.folder, self.sim = program, folder, sim
        path = os.path.join(folder, "run.sqlite")
        if not os.path.exists(path):
            raise Error(f"there is no {path}: was anything drawn?")
        self.db = reader.open_record(folder)
        self.db.row_factory = sqlite3.Row
        self.frames = self.rows("SELECT * FROM frames ORDER BY frame")
        self.capture = os.path.join(folder, "run.attila")

    def rows(self, query, *values):
        return self.db.execute(query, values).fetchall()

    def one(self, query, *values):
        return self.db.execute(query, values).fetchone()[0]

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def tool(self, name, *command, **more):
        """Runs a command; its output is in DIR/../log-NAME, and is returned."""
        log = f"{self.folder.rstrip('/')}-{name}.txt"
        with open(log, "w", encoding="utf-8") as f:
            status = subprocess.call(command, stdout=f, stderr=subprocess.STDOUT, **more)
        if status:
            raise Error(f"{os.path.basename(command[0])}: status {status}: {last_line(log)}; "
                          f"see {log}")
        with open(log, encoding="utf-8", errors="replace") as f:
            return f.read()


def differing(found, wanted):
    return ", ".join(f"{name}: {found.get(name)}, not {wanted.get(name)}"
                     for name in sorted(set(found) | set(wanted))
                     if found.get(name) != wanted.get(name))[:400]


def sums(case):
    """Rows add up to frames for every statistic, activities to cycles, exclusive cycles to the
    frame's, instructions to statistics; the record holds what draws.csv and frames.csv say."""
    if len(case.frames) != case.program.frames:
        raise Error(f"{len(case.frames)} frames, not {case.program.frames}")
    if not case.one("SELECT complete FROM run"):
        raise Error("the record says that the run is not complete")
    case.tool("rows", os.path.join(TOP, "scripts", "check-rows"), case.folder)
    exclusive = dict(map(tuple, case.rows(
        "SELECT frame, sum(exclusive_cycles) FROM work GROUP BY frame")))
    wrong = differing(exclusive, {f["frame"]: f["cycles"] for f in case.frames})
    if wrong:
        raise Error("exclusive cycles of frames: " + wrong)
    # Shares that differ by less than 3 % count as equal (src/sim/measure/sim_limiter.c).
    order = " AND ".join("ifnull(limiter%s_share, 0) <= ifnull(limiter%s_share, 0) + 0.03" % pair
                         for pair in (("2", ""), ("3", "2")))
    for table in ("work", "frames"):
        bad = case.one(f"SELECT count(*) FROM {table} WHERE limiter IS NOT NULL AND NOT "
                       f"(limiter_share BETWEEN 0 AND 1 AND {order})")
        if bad:
            raise Error(f"{bad} rows of {table} have limiters without order")
    # A draw in the shadow of another one may have none: shares below 5 % do not count.
    unnamed = case.one("SELECT count(*) FROM frames WHERE limiter IS NULL AND draws > 0")
    if unnamed:
        raise Error(f"{unnamed} frames have no limiter")
    for column, counter in INSTRUCTIONS.items():
        found = case.one(f"SELECT ifnull(sum({column}), 0) FROM frame_instructions")
        counted = case.one(f'SELECT ifnull(sum("{counter}"), 0) FROM frame_counters')
        if found != counted:
            raise Error(f"{column} of instructions is {found}, {counter} is {counted}")
    with tempfile.TemporaryDirectory() as copy:
        shutil.copy(case.path("run.sqlite"), copy)
        case.tool("export", os.path.join(TOP, "scripts", "attila"), "export", copy)
        for name in ("draws.csv", "frames.csv"):
            with open(case.path(name), "rb") as a, open(os.path.join(copy, name), "rb") as b:
                if a.read() != b.read():
                    raise Error(f"attila export makes another {name} of the record")


def intervals(case):
    """Intervals add up to the frames for every statistic; what is more happened after the last
    frame, in the cycles of that time."""
    last = case.one("SELECT max(end_cycle) FROM intervals")
    rest = last - case.frames[-1]["end_cycle"]
    found, wanted = reader.totals(case.db, "interval"), reader.totals(case.db, "frame")
    if rest == 0 and found != wanted:
        raise Error("sums of intervals: " + differing(found, wanted))
    if rest < 0 or any(found.get(name, 0) < value for name, value in wanted.items()):
        raise Error("intervals have less than the frames")
    units = case.rows("SELECT unit, clock, count(*) AS boxes FROM boxes GROUP BY unit, clock")
    columns = {"gpu": "cycles", "shader": "shader_cycles", "memory": "memory_cycles"}
    clock = {u["unit"]: (columns[u["clock"]], u["boxes"]) for u in units}
    cycles = {i["interval"]: i for i in case.rows("SELECT * FROM intervals")}
    checked = 0
    for row in case.rows("SELECT * FROM interval_units"):
        name, boxes = clock[row["unit"]]
        spent = row["busy"] + row["blocked"] + row["starved"] + row["idle"]
        if spent != boxes * cycles[row["interval"]][name]:
            raise Error(f"interval {row['interval']}: {row['unit']} has {spent} cycles of "
                          f"{boxes * cycles[row['interval']][name]}")
        checked += 1
    if not checked:
        raise Error("there are no intervals")


def maps(case):
    """Maps add up to the record: as many fragments as were shaded; the files hold what maps.csv
    says."""
    with open(case.path("maps", "maps.csv"), newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    total = collections.Counter()
    for row in rows:
        if not row["draw"]:  # of a surface, not of a single draw
            total[row["map"], int(row["frame"])] += int(row["sum"])
        values = numpy.load(case.path("maps", row["raw"]))
        if values.shape != (int(row["height"]), int(row["width"])):
            raise Error(f"{row['raw']} is not {row['width']} x {row['height']}")
        if row["map"] not in ("latency", "draw") and int(values.sum(dtype="u8")) != int(row["sum"]):
            raise Error(f"{row['raw']} adds up to {values.sum()}, not {row['sum']}")
        Image.open(case.path("maps", row["file"])).verify()
    # What passes its tests is written unless no colour buffer takes it; samples are no pixels.
    other = case.one("SELECT count(*) FROM bindings WHERE slot = 'color1' OR (samples > 1 AND slot "
                     "NOT GLOB 'texture*')")
    for frame in case.rows('SELECT frame, "ShadedFragments_FFU" AS shaded, "WrittenSamples_CW-SU" '
                           'AS samples FROM frame_counters'):
        shaded, written = (total[name, frame["frame"]] for name in ("shaded", "written"))
        if shaded != frame["shaded"]:
            raise Error(f"frame {frame['frame']}: map shaded adds up to {shaded}, "
                          f"ShadedFragments_FFU is {frame['shaded']}")
        if not other and not frame["samples"] <= written <= shaded:
            raise Error(f"frame {frame['frame']}: map written adds up to {written}, with "
                          f"{shaded} shaded and {frame['samples']} samples")


def hud_wanted(case):
    """{counter of GALLIUM_HUD: its value for each frame}. A frame's graphs begin and end before its
    swap: their cycles are those between the ends of the last commands before two swaps."""
    frames = case.rows("SELECT * FROM frame_all ORDER BY frame")
    wanted = {name: [sum(f[c] for c in columns) for f in frames] for name, columns in HUD.items()}
    last = [r["last"] for r in case.rows(
        "SELECT max(end_cycle) AS last FROM work WHERE kind NOT IN ('swap', 'other', 'earlier', "
        "'shared') GROUP BY frame ORDER BY frame")]
    wanted["cycles"] = [b - a for a, b in zip([0] + last, last)]
    return wanted


def hud(case) -> None:
    """Each value that GALLIUM_HUD saw is a frame's, for successive frames."""
    for name, wanted in hud_wanted(case).items():
        path = case.path("hud", name)
        if not os.path.exists(path):
            raise Error(f"GALLIUM_HUD wrote no {name}")
        with open(path, encoding="utf-8") as f:
            # The end of the program may cut the last line.
            values = [int(line) for line in f.read().split("\n")[:-1]]
        # The first frame is not measured, and what a query gives is known a frame later.
        if not values or len(values) < len(wanted) - 2 or not any(
                values == wanted[i:i + len(values)] for i in range(1, 3)):
            raise Error(f"{name} of GALLIUM_HUD: {values[:8]}; of the frames: {wanted[:9]}")


def trace(case) -> None:
    """The trace between units is what a decoder that is not ours takes for Perfetto's, and so is
    that of the record."""
    if not shutil.which("protoc"):
        raise Skipped("no protoc (protobuf-compiler): traces")
    if subprocess.call([PYTHON, "-c", "import google.protobuf"], stderr=subprocess.DEVNULL):
        raise Skipped("no python3-protobuf: traces")
    with tempfile.TemporaryDirectory() as work:
        case.tool("protoc", "protoc", "-I" + TOOLS, "--python_out=" + work, "perfetto.proto")
        said = case.tool("trace", PYTHON, os.path.join(TOOLS, "trace_check.py"), work,
                         case.path("run.pftrace"))
        found = json.loads(said.splitlines()[-1])
        for what in ("draw", "quad", "flows", "busy"):
            if not found.get(what):
                raise Error(f"the trace has no {what}: {said[:200]}")
        frame = str(case.frames[-1]["frame"])
        out, text = os.path.join(work, "trace"), os.path.join(work, "trace.txt")
        case.tool("perfetto", os.path.join(TOP, "scripts", "attila"), "export", case.folder,
                  "--format", "perfetto", "--frames", frame, "-o", out)
        with open(out, "rb") as binary, open(text, "wb") as decoded:
            status = subprocess.call(["protoc", "-I" + TOOLS, "--decode", "perfetto.protos.Trace",
                                      "perfetto.proto"], stdin=binary, stdout=decoded)
        if status:
            raise Error("protoc does not decode the record's trace")
        case.tool("perfetto-check", PYTHON, os.path.join(TOOLS, "perfetto_check.py"), text,
                  case.path("run.sqlite"), frame, frame)


def pictures(case):
    """Every draw of the last frame: before and after it. Some draw leaves what was shown; after a
    draw is before the next one if nothing is between them."""
    frame = case.frames[-1]["frame"]
    work = case.rows("SELECT work, draw, kind FROM work WHERE frame = ? ORDER BY work", frame)
    draws = [w["draw"] for w in work if w["kind"] == "draw"]
    if not draws:
        raise Error(f"frame {frame} has no draws")
    with tempfile.TemporaryDirectory() as out:
        case.tool("picture", case.sim, "picture", case.capture, "--frame", str(frame), "--draws",
                  "0-", "--before", "--after", "--out", out)
        with open(os.path.join(out, "pictures.csv"), newline="", encoding="utf-8") as f:
            rows = {(int(r["draw"]), r["kind"]): r for r in csv.DictReader(f)}
        have = sorted({draw for draw, _ in rows})
        colour = case.rows("SELECT draw FROM work JOIN bindings USING (bindings) WHERE frame = ? "
                           "AND kind = 'draw' AND slot = 'color0'", frame)
        if have != sorted(r["draw"] for r in colour):
            raise Error(f"{len(colour)} draws have a colour buffer, {len(have)} a picture")

        def pixels(draw, kind):
            return numpy.asarray(Image.open(os.path.join(out, rows[draw, kind]["file"])))
        follow = 0
        for a, b in zip(work, work[1:]):
            if (a["kind"], b["kind"]) != ("draw", "draw") or a["draw"] not in have or \
                    b["draw"] not in have:
                continue
            if rows[a["draw"], "after"]["address"] != rows[b["draw"], "before"]["address"]:
                continue
            follow += 1
            if not numpy.array_equal(pixels(a["draw"], "after"), pixels(b["draw"], "before")):
                raise Error(f"draw {b['draw']} finds another picture than draw {a['draw']} "
                              "left")
        shown = numpy.asarray(Image.open(case.path(f"frame-{frame:04d}.png")).convert("RGB"))
        if not any(pixels(d, "after").shape == shown.shape and
                   numpy.array_equal(pixels(d, "after"), shown) for d in reversed(have)):
            raise Error(f"no draw of frame {frame} leaves the picture that was shown")


def replay(case) -> None:
    """The capture gives the same rows and the same pictures without the program."""
    with tempfile.TemporaryDirectory() as out:
        case.tool("run", case.sim, "run", case.capture, "--out", out, "--save-frames")
        for path in [case.path("draws.csv")] + sorted(glob.glob(case.path("frame-*.png"))):
            other = os.path.join(out, os.path.basename(path))
            if not os.path.exists(other):
                raise Error(f"a replay of the capture makes no {os.path.basename(path)}")
            with open(path, "rb") as a, open(other, "rb") as b:
                if a.read() != b.read():
                    raise Error(f"a replay of the capture gives another {os.path.basename(path)}")


def report(case) -> None:
    """The report's page in headless Chromium: sums, tables, pictures, no error."""
    if not (shutil.which("chromium") or shutil.which("chromium-browser")):
        raise Skipped("no chromium: the report is not opened")
    if not shutil.which("npm"):
        raise Skipped("no npm: the report is not made")
    env = dict(os.environ, CHROMIUM=shutil.which("chromium") or shutil.which("chromium-browser"),
               ATTILA_REPORT_DIR=os.environ.get("ATTILA_REPORT_DIR") or
               os.path.join(TOP, "build-report"))
    case.tool("bundle", os.path.join(TOP, "scripts", "lib", "report_bundle.sh"), "--tests", env=env)
    page, found = case.folder + ".html", case.folder + "-sums.json"
    case.tool("report", os.path.join(TOP, "scripts", "attila-report"), "--output", page,
              case.folder, env=env)
    said = subprocess.run([PYTHON, os.path.join(TOOLS, "report_sums.py"), case.folder],
                          capture_output=True, text=True, check=True)
    with open(found, "w", encoding="utf-8") as f:
        f.write(said.stdout)
    with tempfile.TemporaryDirectory() as home:
        env["WORK"] = home
        case.tool("chromium", "node", os.path.join(TOOLS, "report_check.mjs"), page, found,
                  "pictures", env=env)


def metrics(case, timeout):
    """Replays a trace: what GL_AMD_performance_monitor says of each draw call is the sum of the
    rows that the call caused."""
    if not case.program.replay:
        return None
    command = case.program.command
    listed = case.folder + "-metrics"
    case.program.call([], [command[0], "--list-metrics", *command[1:]], listed, timeout=timeout)
    with open(listed + ".out", encoding="utf-8") as f:
        numbers = metric_numbers(f.read())
    wanted = {"draws": "Batches_CP", "fragments": "ShadedFragments_FFU",
              "vertices": "ShadedVertices_FFU"}
    chosen = ", ".join("[%d,%d]" % numbers[name] for name in wanted)
    out = case.folder + "-calls"
    case.program.call(["--out", out],
                      [command[0], "--markers", "--pdrawcalls=GL_AMD_performance_monitor: " +
                       chosen, *command[1:]], out + ".txt", timeout=timeout)
    with open(out + ".txt.out", encoding="utf-8") as f:
        calls = {int(line[1]): dict(zip(wanted, map(int, line[4:])))
                 for line in (row.split("\t") for row in f.read().splitlines())
                 if line[0] == "call"}
    db = reader.open_record(out)
    rows = collections.defaultdict(collections.Counter)
    counted = ", ".join(f'ifnull("{c}", 0)' for c in wanted.values())
    for label, *values in db.execute(
            f"SELECT label, {counted} FROM work JOIN work_counters USING (work)"):
        number = re.match(r"(?:\[.*\] )?(\d+) ", label or "")
        if number:
            rows[int(number[1])].update(dict(zip(wanted.values(), values)))
    drawn = [number for number, c in calls.items() if c["draws"]]
    if not drawn:
        raise Error("glretrace prints no draws")
    for number in drawn:
        found = {name: rows[number][counter] for name, counter in wanted.items()}
        if found != calls[number]:
            raise Error(f"call {number}: rows against glretrace: "
                          f"{differing(found, calls[number])}")
    return None


def metric_numbers(text):
    """{name: (group, metric)} of the first group of glretrace --list-metrics."""
    result, group = {}, None
    for line in text.splitlines():
        found = re.match(r"\s*(Group|Metric) #(\d+): ([^\s.]+)", line)
        if found and found[1] == "Group":
            group = int(found[2])
        elif found:
            result.setdefault(found[3], (group, int(found[2])))
    if not {"draws", "fragments", "vertices"} <= set(result):
        raise Error("glretrace lists no metrics of GL_AMD_performance_monitor")
    return result
