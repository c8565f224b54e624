"""Studies after Zhang and others 2019: a bounding-box test in a rasteriser of levels, shaders
without latencies. Not here: running (studies/main.py).
"""

from __future__ import annotations

import os
from attila.paths import TOP
from attila.record import reader
from attila.studies.results import Study, cycles_table, mean, percent, table
from attila.studies.runs import records

LEVELS = range(1, 8)
# What the paper says of its Figure 8: levels in which a scene gains more than 10 %.
PAPER = {"build": "6, 7", "shadow": "6, 7", "refract": "6 (31.1 %), 7", "ideas": "6, 7",
         "terrain": "6, 7", "buffer": "5", "loop": "5", "jellyfish": "5", "bump": "none"}


def saved(a, b, level):
    name = f"TilesLevel{level}_TT"
    return 1 - b.get(name, 0) / a[name] if a.get(name) else 0


class BoundingBox(Study):
    name = "bounding-box"
    title = "A bounding-box test in a rasteriser of levels"
    source = "Zhang and others 2019, section 4.2, Figure 8"
    what = ("A rasteriser of seven levels drops tiles that lie outside an edge of the triangle; a\n"
            "test against its bounding box drops those that no edge tells to be elsewhere.")
    spaces = ["bounding-box"]
    scenes = ["build", "shadow", "refract", "buffer", "bump", "loop", "jellyfish", "ideas",
              "terrain"]
    games = False

    @staticmethod
    def pair(r):
        return (r.one(TileBoundingBoxTest="FALSE"), r.one(TileBoundingBoxTest="TRUE"))

    def text(self, r):
        without, test = self.pair(r)
        rows, kept, pixels = [], 0, 0
        for c in r.captures:
            a, b = without.statistics[c], test.statistics[c]
            tiles = [sum(s.get(f"TilesLevel{n}_TT", 0) for n in LEVELS) for s in (a, b)]
            share = 1 - tiles[1] / tiles[0]
            rows.append([c] + [f"{100 * saved(a, b, n):.1f} %" for n in LEVELS] +
                        [f"{100 * share:.1f} %", percent(without.cycles[c] / test.cycles[c]),
                         PAPER.get(c, "")])
            kept += a["GeneratedFragments_TT"] * share
            pixels += a["GeneratedFragments_TT"]
        return (table(["scene"] + [f"level {n}" for n in LEVELS] +
                      ["all", "frame", "paper: above 10 % in"], rows) +
                "\nTiles that a level need not divide, all of them, and how much faster the frame "
                "is.\n\n| | paper | here |\n|---|---:|---:|\n| tiles saved, mean weighted by "
                "fragments | 10.11 %% | %.1f %% |\n| in the first level | nearly nothing | %.1f %% "
                "at most |\n" % (100 * kept / pixels, 100 * max(
                    saved(without.statistics[c], test.statistics[c], 1) for c in r.captures)) +
                "\nWhat differs: the sign is the paper's; the size depends on the size of the "
                "frame, which the paper does not give. A tile beside a small triangle is often "
                "partly on the inner side of all three edges, and the box rejects it. In larger "
                "frames triangles are larger: `scripts/studies --size WxH bounding-box` gave 54.6 "
                "% at 320x240, 26.8 % at 1280x960 and 18.1 % at 1920x1440, and the largest share "
                "moved from the last level to the third. Traversal limits few of these frames, so "
                "they gain little.\n" +
                cycles_table(r, lambda p: "with" if p is test else "without"))

    def plot(self, plt, r):
        without, test = self.pair(r)
        figure, axes = plt.subplots(figsize=(8, 4))
        for c in r.captures:
            axes.plot(LEVELS, [100 * saved(without.statistics[c], test.statistics[c], n)
                               for n in LEVELS], marker="o", markersize=3, label=c)
        axes.set_xlabel("level of the rasteriser")
        axes.set_ylabel("tiles saved (%)")
        axes.legend(frameon=False, fontsize=8, ncol=2)
        return figure, "Tiles that a bounding-box test saves, by level"


# Golden streams, and streams of tests/timing, which keep one unit busy each.
LISTED = ("desktop", "shading", "texture")
STREAMS = ("alu_chain", "alu_dependent", "alu_independent", "fill", "many_draws",
           "program_changes", "state_changes", "texture_trilinear", "vertices_lit")
MACHINE = "attila-bgpu"
# What half-cycle mode has not, taken from cycle mode, too: settings, each with those before.
PAIRS = "FRAGMENTSHADER.VectorALUConfig=simd4"
ORDER = "FRAGMENTSHADER.SwapOnBlock=TRUE"
CHANGES = {"cycles": (), "no pairs": (PAIRS,), "and in one go": (PAIRS, ORDER),
           "half": ("SIMULATOR.HalfCycle=TRUE",)}


class HalfCycle(Study):
    name = "half-cycle"
    title = "Shaders without latencies"
    source = "Zhang and others 2019, section 2"
    what = ("Half-cycle mode simulates fixed function, texture units and memory cycle by cycle, "
            "and\nlets shaders execute without latencies "
            "([half-cycle.md](../../explanation/half-cycle.md)).")
    spaces = ["half-cycle"]
    glmark2 = ["build", "shadow", "refract", "buffer", "bump", "loop", "jellyfish", "ideas"]
    scenes = glmark2 + ["golden/" + name for name in LISTED]
    games = False

    @staticmethod
    def experiment(o, captures):
        """{stream: [cycles with each of CHANGES]} on MACHINE; loop is the scene, if it is there"""
        paths = {n: (os.path.join(TOP, "tests", "timing", n + ".attila"), ()) for n in STREAMS}
        for path, frames in captures:
            if os.path.basename(path) == "loop.attila":
                paths["loop"] = path, ("--frames", frames) if frames else ()
        folders = records(o, {(name, change): (path, MACHINE, sets, options)
                              for name, (path, options) in paths.items()
                              for change, sets in CHANGES.items()})
        return {name: [reader.open_record(folders[(name, c)]).execute(
            "SELECT sum(cycles) FROM frames").fetchone()[0] for c in CHANGES] for name in paths}

    @staticmethod
    def pair(r, machine):
        return [r.one(machine=machine, HalfCycle=half) for half in ("FALSE", "TRUE")]

    def ratios(self, r, machine: str) -> list[tuple[str, int, int]]:
        """[(capture, cycles, half)]"""
        full, half = self.pair(r, machine)
        return [(c, full.cycles[c], half.cycles[c]) for c in r.captures]

    def text(self, r):
        machines = list(dict.fromkeys(p.machine for p in r.places))
        found = {m: self.ratios(r, m) for m in machines}
        rows = [[m, c, str(a), str(b), f"{b / a:.2f}"] for m in machines for c, a, b in found[m]]
        every = [b / a for pairs in found.values() for _, a, b in pairs]
        return (table(["machine", "stream", "cycles", "half", "ratio"], rows) +
                (f"\nCycles of half-cycle mode over those of cycle mode: {min(every):.2f} to "
                 f"{max(every):.2f}, mean {mean(every):.2f}.\n\n") +
                (self.streams(r.experiment) if r.experiment else "") +
                (f"These runs take {sum(self.pair(r, MACHINE)[0].cpu.values()):.1f} s of a "
                 f"processor on {MACHINE} in cycle mode, "
                 f"{sum(self.pair(r, MACHINE)[1].cpu.values()):.1f} s in half-cycle mode.\n\nWhat "
                 "differs: the paper has no cycle-accurate shader to compare with; it argues that "
                 "the error is bearable and the simulator simpler. The tables show the error: next "
                 "to none where shaders wait for textures and memory, most where they compute.\n"))

    @staticmethod
    def streams(found):
        rows = [[n, *map(str, c), f"{c[-1] / c[0]:.2f}", f"{c[-1] / c[-2]:.2f}"]
                for n, c in found.items()]
        return (("Streams of `tests/timing` that keep one unit busy, and loop with its first "
                 f"frame,\non {MACHINE}:\n\n") +
                table(["stream", *CHANGES, "ratio", "to in one go"], rows) +
                ("\nSome take longer in half-cycle mode: it issues no pairs of instructions "
                 f"(`{PAIRS}` removes them from cycle mode), and a group runs to its end before "
                 f"another one starts (`{ORDER}` does that in cycle mode). Short fragment groups "
                 "then wait for long vertex groups, and later units have nothing to do for a "
                 "while. With both options cycle mode takes as long (\"to in one go\"), with as "
                 "many busy ALU cycles.\n\n"))

    def plot(self, plt, r):
        figure, axes = plt.subplots(figsize=(8, 4))
        programs = r.captures
        for i, m in enumerate(dict.fromkeys(p.machine for p in r.places)):
            axes.bar([n + i * .4 for n in range(len(programs))],
                     [b / a for _, a, b in self.ratios(r, m)], .4, label=m)
        axes.set_xticks([n + .2 for n in range(len(programs))], programs, rotation=30, fontsize=8)
        axes.axhline(1, color="#222222", linewidth=.8)
        axes.set_ylabel("half-cycle over cycle mode")
        axes.legend(frameon=False, fontsize=8)
        return figure, "Cycles of half-cycle mode over those of cycle mode"
