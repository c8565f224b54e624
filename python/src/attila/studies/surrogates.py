"""A study of surrogates: frames with the published statistics of games that cannot be had, and
claims of MICRO 2005 and ISPASS 2006 on them. Not here: making them (tests/workloads/surrogate.c),
the statistics and their sources (tests/workloads/*.ini).
"""

from __future__ import annotations

import argparse
import configparser
import os
from collections.abc import Mapping
from typing import Any

from attila.cli import Error
from attila.paths import TOP
from attila.records import reader
from attila.studies.claims import Seen
from attila.studies.frame import INTERVAL, LANES, ORDER, PEAK_BYTES, each, mean, shaders
from attila.studies.results import Study, change, percent, share, texture_hits
from attila.studies.runs import Timeline, command, records
from attila.studies.trials import Trial, busy, executed, limiter

WORKLOADS = os.path.join(TOP, "tests", "workloads")
PUBLISHED = 1024 * 768  # pixels of the frames that the statistics are of
CLOSE = .1              # a measured value that is as near as this needs no reason
MICRO, ISPASS = "micro2005", "ispass2006-texture-units"
LARGE = [*shaders(8, 2)]
# What saves bytes of Z: {without what: settings}
SAVERS = {"Hierarchical Z": ["RASTERIZER.DisableHZ=TRUE"],
          "Z compression": ["ZSTENCILTEST.DisableCompression=TRUE"]}
SAVERS["both"] = [key for keys in list(SAVERS.values()) for key in keys]
NUMBERS = (2, 4, 6, 8)
UNITS = (3, 2, 1)
# {machine: (file of configs/, settings)} for the claims of each paper
OF_MICRO = {
    **{f"{n} unified": (MICRO, shaders(n, 1)) for n in NUMBERS},
    **{f"{n} separate": (MICRO + "-split", shaders(n, 1)) for n in NUMBERS},
    "8 unified, 2-way": (MICRO, LARGE),
    "50 % more bandwidth": (MICRO, [*LARGE, "MEMORYCONTROLLER.V2MemoryChannels=6"]),
    **{f"without {what}": (MICRO, [*LARGE, *keys]) for what, keys in SAVERS.items()}}
OF_ISPASS = {
    f"{kind}, {n}": (ISPASS, [f"FRAGMENTSHADER.ThreadWindow={window}",
                              f"FRAGMENTSHADER.SharedTextureUnits={n}"])
    for kind, window in (("window", "TRUE"), ("queue", "FALSE")) for n in UNITS}
SMALL, WIDE = "2 unified", "8 unified, 2-way"
MICRO_FRAMES = ("ut2004", "ut2004-330")
IDEAL_BOTH = ["--ideal", "memory,texture"]
# {surrogate: [(slow machine, fast machine)]} that also run with ideal memory
IDEAL = {"ut2004": [(SMALL, "4 unified"), (SMALL, WIDE), ("queue, 1", "queue, 3"),
                    ("window, 1", "window, 3")],
         "ut2004-330": [(SMALL, "4 unified")]}


def read(name: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None)
    with open(os.path.join(WORKLOADS, name + ".ini"), encoding="utf-8") as f:
        parser.read_file(f)
    return parser


def make(sim: str, name: str, size: tuple[int, int], folder: str) -> str:
    """Writes the capture of a surrogate into a folder, unless it is there and newer than what it is
    made of; returns its path."""
    build = os.path.normpath(os.path.join(os.path.dirname(sim), "..", ".."))
    program = os.path.join(build, "tests", "workloads", "surrogate")
    text, path = os.path.join(WORKLOADS, name + ".ini"), os.path.join(folder, name + ".attila")
    if not os.access(program, os.X_OK):
        raise Error(f"no {program}: run scripts/setup first")
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(path) or os.path.getmtime(path) < max(map(os.path.getmtime,
                                                                    (program, text))):
        command(program, text, "{}x{}".format(*size), path + ".new")
        os.replace(path + ".new", path)
    return path


def measured(folder: str, size: tuple[int, int]) -> dict[str, float]:
    """What the statistics of a record say of its last frame, by the keys of an .ini. Instructions
    are without END, which is part of the last one in ATTILA."""
    db = reader.open_record(folder)
    cursor = db.execute("SELECT * FROM frame_all ORDER BY frame DESC LIMIT 1")
    row = dict(zip((d[0] for d in cursor.description), cursor.fetchone()))
    vertex, = db.execute(
        'SELECT sum("ShadedVertices_FFU" * (instructions - 1.0)) / sum("ShadedVertices_FFU") FROM '
        "work_all JOIN programs ON program = vertex_program").fetchone()
    # Draws that write colours.
    fragment, textures = db.execute(
        'SELECT sum("ShadedFragments_FFU" * (instructions - 1.0)) / sum("ShadedFragments_FFU"), '
        'sum("TextureRequests_ShDX-FS") * 1.0 / sum("InterpolatedQuads_Interpolator") FROM '
        'work_all JOIN programs ON program = fragment_program '
        'WHERE "OperatedFragments_CW-SU" > 0').fetchone()
    db.close()
    pixels = size[0] * size[1]
    quads = [row[f"Stamps{n}Fragment_TT"] for n in range(1, 5)]
    covered, every = sum(n * q for n, q in enumerate(quads, 1)), sum(quads)
    killed, failed = row["KilledStamps_FFU"], row["CulledQuads_ZST-SU"]
    written, hidden = row["OperatedFragments_CW-SU"], row["CulledHZFragments_HZ"]
    triangles = row["InputTriangles_CLP"]
    return {
        "indices_per_frame": row["IndexesSent_StF"] * PUBLISHED / pixels,
        "indices_per_batch": row["IndexesSent_StF"] / row["Batches_CP"],
        "index_bytes": row["ReadBytes_StF"] / row["IndexesSent_StF"],
        "vertex_instructions": vertex,
        "vertices_per_index": row["ShadedVertices_FFU"] / row["IndexesSent_StF"],
        "clipped": 100 * row["ClippedTriangles_CLP"] / triangles,
        "culled": 100 * row["CulledTriangles_TS"] / triangles,
        "overdraw": covered / pixels,
        "removed_hz": 100 * hidden / every,
        "removed_zs": 100 * failed / every,
        "removed_alpha": 100 * killed / every,
        "removed_mask": 100 * (every - hidden - failed - killed - written) / every,
        "fragment_instructions": fragment,
        "texture_instructions": textures,
        "samples_per_request": row["BilinearSamples_TU-FSTU"] / row["TextureRequests_ShDX-FS"],
        "triangle_size": covered / row["OutputTriangles_TS"],
        "complete_quads": 100 * quads[3] / every}


def compared(name: str, found: Mapping[str, float]) -> list[tuple[str, float, float, str]]:
    """[(statistic, published, measured, reason)] of a surrogate. Raises Error for a value that is
    not near the published one without a reason. Shares of quads below 1 % are compared in percent
    of all quads."""
    parser, rows = read(name), []
    for key, text in [*parser["published"].items(), *parser["compared"].items()]:
        if key not in found:  # the longest of several programs
            continue
        wanted, here = float(text), found[key]
        reason = parser["reasons"].get(key, "")
        near = abs(here - wanted) <= (CLOSE * wanted if wanted >= 1 or not key.startswith("removed")
                                      else CLOSE)
        if not near and not reason:
            raise Error(f"{name}: {key} is {here:.2f}, published {wanted:g}, without a reason in "
                        f"{name}.ini")
        rows.append((key, wanted, here, "" if near else " ".join(reason.split())))
    return rows


class Surrogates(Study):
    """Its results are {surrogate: {machine: Timeline}}."""

    name = "surrogates"
    title = "Surrogates of the papers' games"
    source = "MICRO 2005, section 6, and ISPASS 2006, section 5"
    measures, games = True, False
    size = (320, 240)
    trials = [
        *(Trial(f"{n} shaders, unified over separate",
                [OF_MICRO[f"{n} {m}"] for m in ("separate", "unified")],
                "ideal memory and texture units", options=IDEAL_BOTH, captures=MICRO_FRAMES)
          for n in NUMBERS),
        Trial(f"{SMALL}: what limits", [OF_MICRO[SMALL]], "ideal texture units",
              options=["--ideal", "texture"], value=limiter, captures=MICRO_FRAMES),
        *(Trial(f"{WIDE}: {what}", [OF_MICRO[WIDE]], "no time between reads and writes",
                ["MEMORYCONTROLLER.ReadToWriteLatency=0", "MEMORYCONTROLLER.WriteToReadLatency=0"],
                value=busy("Sched", statistic), captures=MICRO_FRAMES)
          for what, statistic in (("channels busy", "CyclesBusy"),
                                  ("channels move data", "DataCycles"))),
        Trial(f"{WIDE}: shaders' use", [OF_MICRO[WIDE]], "ideal memory and texture units",
              options=IDEAL_BOTH, value=executed(8 * LANES * 2), captures=MICRO_FRAMES),
        Trial(f"{WIDE}: 50 % more bandwidth",
              [OF_MICRO[m] for m in (WIDE, "50 % more bandwidth")],
              "data come 200 cycles after a read's command, not 10",
              ["MEMORYCONTROLLER.ReadLatency=200"], captures=MICRO_FRAMES)]
    # {surrogate: machines}
    machines = {"ut2004": OF_MICRO | OF_ISPASS, "ut2004-330": OF_MICRO,
                "doom3": {SMALL: OF_MICRO[SMALL], WIDE: OF_MICRO[WIDE]} | OF_ISPASS}

    def measure(self, o: argparse.Namespace) -> dict[str, dict[str, Timeline]]:
        paths = {name: make(o.sim, name, self.size, os.path.join(o.out, "made"))
                 for name in self.machines}
        folders = records(o, {
            (name, machine): (paths[name], config, settings,
                              ["--frames", "1", "--interval", str(INTERVAL)])
            for name, machines in self.machines.items()
            for machine, (config, settings) in machines.items()})
        ideal = records(o, {
            (name, machine): (paths[name], *self.machines[name][machine],
                              ["--frames", "1", "--ideal", "memory"])
            for name, pairs in IDEAL.items() for pair in pairs for machine in pair})
        self.ideal = {key: reader.limits(folder)[0] for key, folder in ideal.items()}
        self.statistics = {name: compared(name, measured(folders[name, SMALL], self.size))
                           for name in self.machines}
        self.cycles: dict[tuple[str, str], int] = {}
        self.limits: dict[str, dict[str, Any]] = {SMALL: {}, WIDE: {}}
        for (name, machine), folder in folders.items():
            self.cycles[name, machine], limits = reader.limits(folder)
            if machine in self.limits:
                self.limits[machine][name] = limits
        return {name: {machine: Timeline(folders[name, machine], 1) for machine in machines}
                for name, machines in self.machines.items()}

    def trial_captures(self, o: argparse.Namespace) -> list[tuple[str, str, list[str]]]:
        return [(name, make(o.sim, name, self.size, os.path.join(o.out, "made")),
                 ["--frames", "1", "--interval", str(INTERVAL)]) for name in self.machines]

    def speed(self, name: str, fast: str, slow: str) -> float:
        return float(self.cycles[name, slow] / self.cycles[name, fast])

    def of(self, machines: Mapping[str, Any]) -> list[str]:
        """The surrogates that ran on all of these machines."""
        return [name for name, ran in self.machines.items() if machines.keys() <= ran.keys()]

    @staticmethod
    def use(t: Timeline) -> tuple[float, float]:
        """What memory moves and what eight shaders, 2-way, execute, in percent of their peaks."""
        cycles = sum(t.lengths)
        return (100 * sum(map(sum, t.bytes.values())) / (PEAK_BYTES * cycles),
                100 * sum(t.counters["ExecutedInstructions_ShDX-FS"]) / (8 * LANES * 2 * cycles))

    @staticmethod
    def moved(t: Timeline) -> dict[str, float]:
        """{client: share of all bytes}, the largest first."""
        total = sum(map(sum, t.bytes.values()))
        shares: list[tuple[str, float]] = [(c, sum(v) / total) for c, v in t.bytes.items()]
        return dict(sorted(shares, key=lambda i: -i[1]))

    @staticmethod
    def hits(t: Timeline) -> float | None:
        return texture_hits({c: sum(v) for c, v in t.counters.items()})

    def found(self, r: Any) -> dict[str, Any]:
        micro, ispass = self.of(OF_MICRO), self.of(OF_ISPASS)
        both, window = ("unified", "separate"), [f"window, {n}" for n in UNITS]
        steps = {n: [self.speed(c, f"{n} {m}", f"2 {m}") for c in micro for m in both]
                 for n in NUMBERS}
        first = {m: {c: self.limits[m][c][0][0] for c in micro} for m in self.limits}
        order = {c: [n for n in self.moved(r[c][WIDE]) if n in ORDER] for c in micro}
        hits = {c: [100 * (self.hits(r[c][m]) or 0) for m in window] for c in ispass}
        read_bytes = {c: [sum(r[c][m].bytes["TextureUnit"]) / 1e6 for m in window] for c in ispass}
        return {
            "two-to-four": steps[4],
            "two-to-six": Seen(", ".join(f"{v:.2f}" for v in steps[6]),
                               all(a < b < 3 for a, b in zip(steps[4], steps[6]))),
            "two-to-eight": Seen(", ".join(f"{v:.2f}" for v in steps[8]),
                                 all(d - c < c - b for b, c, d in
                                     zip(steps[4], steps[6], steps[8]))),
            "unified": [change(self.speed(c, f"{n} unified", f"{n} separate"))
                        for c in micro for n in NUMBERS],
            "limited-small": each(first[SMALL], set(first[SMALL].values()) == {"shaders"}),
            "limited-large": each(first[WIDE], all(u.startswith("memory")
                                                   for u in first[WIDE].values())),
            "memory": [self.use(r[c][WIDE])[0] for c in micro],
            "shaders": [self.use(r[c][WIDE])[1] for c in micro],
            "bytes": each({c: ", ".join(o) for c, o in order.items()},
                          all(o == list(ORDER) for o in order.values())),
            "bandwidth": [change(self.speed(c, "50 % more bandwidth", WIDE)) for c in micro],
            "z-bytes": [self.z_bytes(r, c, "without both") / self.z_bytes(r, c, WIDE)
                        for c in micro],
            "window-two": [change(self.speed(c, "window, 2", "window, 3")) for c in ispass],
            "window-one": [change(self.speed(c, "window, 1", "window, 3")) for c in ispass],
            "queue-units": [change(self.speed(c, f"queue, {n}", "queue, 3")) for c in ispass
                            for n in (2, 1)],
            "queue": [change(self.speed(c, "queue, 3", "window, 3")) for c in ispass],
            "hits": Seen("; ".join(", ".join(f"{v:.2f}" for v in vs) + " %" for vs in
                                   hits.values()), all(v == sorted(v) for v in hits.values())),
            "bytes-units": Seen("; ".join(", ".join(f"{v:.1f}" for v in vs) + " MB"
                                          for vs in read_bytes.values()),
                                all(v == sorted(v, reverse=True) for v in read_bytes.values())),
            "busy": [mean(r["doom3"]["window, 1"].busy["TU-FSTU"])]}

    @staticmethod
    def z_bytes(r: Any, name: str, machine: str) -> float:
        return float(sum(r[name][machine].bytes["ZStencilTest"]))

    def data(self, r: Any) -> dict[str, Any]:
        keys = list(dict.fromkeys(k for rows in self.statistics.values() for k, *_ in rows))
        by_key = {name: {k: (f"{wanted:g}", f"{here:.2f}") for k, wanted, here, _ in rows}
                  for name, rows in self.statistics.items()}
        micro, ispass = self.of(OF_MICRO), self.of(OF_ISPASS)
        return {
            "surrogates": list(self.machines), "small": SMALL,
            "heads": [f"{c}, {what}" for c in self.machines for what in ("published", "measured")],
            "saver_heads": [f"{c}, {what}" for c in micro for what in ("bytes of Z", "speed")],
            "unit_heads": [f"{c}, {what}" for c in ispass for what in ("speed", "hits", "busy")],
            "statistics": [[k] + [cell for of in by_key.values() for cell in of.get(k, ("", ""))]
                           for k in keys],
            "reasons": list(dict.fromkeys(f"{k} of {name}: {why}" for name, rows in
                                          self.statistics.items() for k, _, _, why in rows if why)),
            "micro": micro, "ispass": ispass,
            "shaders": [[f"{n} {m}"] + [f"{self.speed(c, f'{n} {m}', '2 separate'):.2f}"
                                        for c in micro]
                        for m in ("unified", "separate") for n in NUMBERS],
            "savers": [[f"without {what}"] + [text for c in micro for text in (
                percent(self.z_bytes(r, c, f"without {what}") / self.z_bytes(r, c, WIDE)),
                percent(self.speed(c, f"without {what}", WIDE)))] for what in SAVERS],
            "clients": [[c, m, *(f"{n} {share(v)}" for n, v in [*self.moved(r[c][m]).items()][:4])]
                        for c in r for m in (SMALL, WIDE)],
            "uses": [[c] + [f"{v:.0f} %" for v in self.use(r[c][WIDE])] for c in r],
            "units": [[m] + [text for c in ispass for text in (
                percent(self.speed(c, m, "window, 3")), share(self.hits(r[c][m])),
                f"{mean(r[c][m].busy['TU-FSTU']):.0f} %")] for m in OF_ISPASS],
            "ideal": [[c, f"{fast} over {slow}", f"{self.speed(c, fast, slow):.2f}",
                       f"{self.ideal[c, slow] / self.ideal[c, fast]:.2f}",
                       f"{self.cycles[c, fast] / self.ideal[c, fast]:.2f}"]
                      for c, pairs in IDEAL.items() for slow, fast in pairs]}

    def plot(self, plt: Any, r: Any) -> tuple[Any, str]:
        figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
        for c in self.of(OF_MICRO):
            for m, line in (("unified", "-"), ("separate", "--")):
                left.plot(NUMBERS, [self.speed(c, f"{n} {m}", "2 separate") for n in NUMBERS],
                          line, marker="o", markersize=4, label=f"{c}, {m}")
        left.set_xticks(NUMBERS)
        left.set_xlabel("shaders, 1-way")
        left.set_ylabel("speed over 2 separate")
        for c in self.of(OF_ISPASS):
            for kind, line in (("window", "-"), ("queue", "--")):
                right.plot(UNITS, [self.speed(c, f"{kind}, {n}", "window, 3") for n in UNITS],
                           line, marker="o", markersize=4, label=f"{c}, {kind}")
        right.set_xticks(UNITS)
        right.set_xlabel("texture units of three shaders")
        right.set_ylabel("speed over window, 3 units")
        for axes in (left, right):
            axes.set_ylim(0)
            axes.legend(frameon=False, fontsize=8)
        return figure, "Surrogates by shaders and by texture units"
