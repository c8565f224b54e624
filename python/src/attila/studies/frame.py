"""Studies that look into one frame of a game: its batches' programs, vertices against fragments,
how busy the units are and who moves the bytes, over its cycles. After MICRO 2005, Figures 6 to 8,
and ISPASS 2006, Figures 8 and 9. Not here: pictures of the frame, queues and watts
(studies/evolution.py). """

from __future__ import annotations

import os

from attila.studies.results import Study, percent, table
from attila.studies.runs import Timeline, records

INTERVAL = 10000  # the papers'
LANES = 4         # vertices or fragments of a thread group
PEAK_BYTES = 64   # a cycle, of four channels
PEAK_FRAGMENTS = 8


def mean(values):
    return sum(values) / len(values)


def both(values):
    """Mean and peak of shares, as text."""
    return f"{100 * mean(values):.0f} %, at most {100 * max(values):.0f} %"


def utilisation(t, counter, per_cycle):
    """[share of the most that is possible] of a counter."""
    return [v / per_cycle for v in t.per_cycle(counter)] if counter in t.counters else (
        [0] * len(t.cycles))


# Vertices on their way: 48 in the papers' machines.
ROOM = [f"STREAMER.{k}=512" for k in ("OutputFIFOSize", "OutputMemorySize",
                                        "SLInputRequestQueueSize")]


class FrameStudy(Study):
    """A study of one frame: machines {name: (file of configs/, settings)}."""

    measures = True
    scenes = ["desktop"]
    machines: dict[str, tuple] = {}

    def measure(self, o):
        """Timelines of the first game's first frame, else of a scene's last."""
        if o.game:
            path, _, frames = o.game[0].rpartition(":")
            frame = int(frames.split("-")[0])
        else:
            path, frame = os.path.join(o.captures, "desktop.attila"), 1
        self.frame = f"frame {frame} of {os.path.basename(path).removesuffix('.attila')}"
        options = ["--frames", f"{frame}-{frame}", "--interval", str(INTERVAL)]
        folders = records(o, {name: (path, config, settings, options)
                              for name, (config, settings) in self.machines.items()})
        return {name: Timeline(folder, frame) for name, folder in folders.items()}

    def design(self, o):
        return f"{self.frame[0].upper() + self.frame[1:]}; a point is {INTERVAL} cycles"


def shaders(number: int, rate: int) -> list[str]:
    return [f"GPU.NumFragmentShaders={number}", f"FRAGMENTSHADER.FetchRate={rate}",
            f"VERTEXSHADER.FetchRate={rate}"]


class Frame(FrameStudy):
    name = "frame"
    title = "What limits a frame"
    source = "MICRO 2005, section 6.3, Figures 6 to 8"
    what = ("One frame: how long its batches' programs are (Figure 6); how much separate shaders "
            "have to do with vertices and\nwith fragments (Figure 7, eight shaders, 2-way); "
            "memory, shaders and ROPs over its time, as shares of what they\ncan do, on two "
            "unified shaders, 1-way, and eight, 2-way (Figure 8).")
    machines = {"small": ("micro2005", shaders(2, 1)), "large": ("micro2005", shaders(8, 2)),
                "separate": ("micro2005-split", shaders(8, 2)),
                "large, room": ("micro2005", shaders(8, 2) + ROOM),
                "separate, room": ("micro2005-split", shaders(8, 2) + ROOM)}
    sizes = {"small": (2, 1), "large": (8, 2)}

    @staticmethod
    def batches(r):
        """[(instructions of the vertex program, of the fragment program)]; 0: it has none."""
        return r["separate"].db.execute(
            "SELECT coalesce(v.instructions, 0), coalesce(f.instructions, 0) FROM work w "
            "LEFT JOIN programs v ON v.program = w.vertex_program "
            "LEFT JOIN programs f ON f.program = w.fragment_program "
            "WHERE w.kind = 'draw' ORDER BY w.draw").fetchall()

    @staticmethod
    def balance(r):
        """([vertices], [fragments]): instructions, as shares of what their shaders can execute."""
        number, rate = Frame.sizes["large"]
        t = r["separate"]
        # The fragment shaders come first.
        found = t.instances("ExecutedInstructions_ShDX-FS")
        none = [0] * len(t.cycles)

        def share(boxes, lanes):
            every = [found.get(b, none) for b in boxes]
            return [sum(column) / (n * len(boxes) * lanes * rate)
                    for n, column in zip(t.lengths, zip(*every))]
        return share(range(number, number + 4), 1), share(range(number), LANES)

    def shares(self, r, name):
        """{what: [share of its peak]}"""
        t = r[name]
        number, rate = self.sizes[name]
        every = [sum(v) / (n * PEAK_BYTES) for n, v in zip(t.lengths, zip(*t.bytes.values()))]
        return {"memory": every,
                "shaders": utilisation(t, "ExecutedInstructions_ShDX-FS", number * LANES * rate),
                "Z test": utilisation(t, "TestedFragments_ZST-SU", PEAK_FRAGMENTS),
                "colour": utilisation(t, "BlendedFragments_CW-SU", PEAK_FRAGMENTS)}

    @staticmethod
    def uploads(r):
        """Share of the frame in which nothing but uploads went on."""
        alone, cycles = r["separate"].db.execute(
            "SELECT sum(CASE kind WHEN 'upload' THEN exclusive_cycles END), "
            "sum(exclusive_cycles) FROM work").fetchone()
        return (alone or 0) / cycles

    @staticmethod
    def busiest(t):
        total = sum(map(sum, t.bytes.values()))
        most = sorted(t.bytes.items(), key=lambda i: -sum(i[1]))
        return ", ".join(f"{n} {100 * sum(v) / total:.0f} %" for n, v in most[:4])

    def text(self, r):
        batches = self.batches(r)
        vertex, fragment = (sorted(b[i] for b in batches) for i in range(2))
        n = len(batches)
        of_vertices, of_fragments = self.balance(r)
        geometry = [a > b for a, b in zip(of_vertices, of_fragments)]
        time = sum(t for t, g in zip(r["separate"].lengths, geometry) if g)
        small, large = self.shares(r, "small"), self.shares(r, "large")
        cycles = {name: t.cycles[-1] for name, t in r.items()}
        rows = [
            ["batches (6)", "260", f"{n}"],
            ["instructions of fragment programs (6)", "most 6 to 10",
             f"half of them {fragment[n // 4]} to {fragment[3 * n // 4]}, at most "
             f"{fragment[-1]}"],
            ["of vertex programs (6)", "up to about 100",
             f"half of them {vertex[n // 4]} to {vertex[3 * n // 4]}, at most {vertex[-1]}"],
            ["time in which vertex shaders do more than fragment shaders (7)",
             "one zone, 200,000 cycles", f"{100 * time / cycles['separate']:.0f} % of "
                                         f"{cycles['separate']} cycles"],
            ["vertex shaders (7)", "full in that zone", both(of_vertices)],
            ["fragment shaders (7)", "", both(of_fragments)],
            ["unified over separate, 8, 2-way", "+1 to +8 % over the frames",
             percent(cycles["separate"] / cycles["large"])],
            ["the same, with room for 512 vertices in the streamer instead of 48", "",
             percent(cycles["separate, room"] / cycles["large, room"])],
            ["uploads through the system bus", "", f"{100 * self.uploads(r):.0f} % of the time"],
            ["8, 2-way, over 2, 1-way", "about 3 over the frames",
             f"{cycles['small'] / cycles['large']:.2f}"],
            ["2 shaders, 1-way: shaders (8b)", "they limit", both(small["shaders"])],
            ["memory (8a)", "", both(small["memory"])],
            ["8 shaders, 2-way: shaders (8d)", "30 %, above 50 % at times",
             both(large["shaders"])],
            ["memory (8c)", "60 to 70 %, once 90 %", both(large["memory"])],
            ["ROPs (8d)", "70 % at the begin", f"Z test {both(large['Z test'])}; colour "
                                               f"{both(large['colour'])}"],
            ["bytes (8c), in order", "textures, colour, Z", self.busiest(r["large"])]]
        return (table(["", "paper, frame 330 of UT2004", f"here, {self.frame}"], rows) +
                "\nMeans are of the points, not of the batches. Instructions are ATTILA's, of "
                "the programs that Mesa makes of fixed function\nand GLSL.\n\n" + self.differs)

    differs = (
        "What differs: the frame. UT2004 has fixed function and 1024x768 pixels. OpenArena's "
        "renderer has longer GLSL programs with lights and branches, and more and smaller "
        "batches; with a tenth of the pixels, vertices weigh more. Uploads of vertices over the "
        "system bus take a third of the time, and memory has little to do meanwhile.\n\nWhat "
        "agrees: two shaders are busy most of the time, eight are not, though no other unit is at "
        "its peak, since different units limit the frame in turn. Textures are the largest part "
        "of the bytes, and one phase belongs to vertices.\n\nUnified shaders can lose. Their "
        "vertices share them with fragments and take longer; the streamer has room for 48 "
        "vertices in flight, so small batches wait. With more room the sign is the paper's, whose "
        "batches are larger.")

    def plot(self, plt, r):
        figure, axes = plt.subplots(4, 2, figsize=(11, 11))
        batches = self.batches(r)
        for i, what in enumerate(("vertex", "fragment")):
            axes[0][0].plot([b[i] for b in batches], linewidth=1, label=what + " program")
        axes[0][0].set_xlabel("batch (6)")
        axes[0][0].set_ylabel("instructions")
        t = r["separate"]
        for what, values in zip(("vertex shaders", "fragment shaders"), self.balance(r)):
            axes[0][1].plot(t.cycles, [100 * v for v in values], linewidth=1, label=what)
        axes[0][1].set_xlabel("cycle (7), separate, 8 shaders, 2-way")
        axes[0][1].set_ylabel("of their peak (%)")
        for column, (name, title) in enumerate((("small", "2 shaders, 1-way"),
                                                ("large", "8 shaders, 2-way"))):
            t = r[name]
            used = [(n, v) for n, v in t.bytes.items() if any(v)]
            axes[1][column].stackplot(t.cycles, [[a / b for a, b in zip(v, t.lengths)]
                                                 for _, v in used], labels=[n for n, _ in used])
            axes[1][column].set_ylabel("bytes per cycle (8)")
            axes[1][column].set_ylim(0, PEAK_BYTES)
            shares = self.shares(r, name)
            for what in ("shaders", "Z test", "colour"):
                axes[2][column].plot(t.cycles, [100 * v for v in shares[what]], linewidth=1,
                                     label=what)
            axes[3][column].plot(t.cycles, [100 * v for v in shares["memory"]], linewidth=1,
                                 label="memory")
            for row in (2, 3):
                axes[row][column].set_ylim(0, 105)
                axes[row][column].set_ylabel("of their peak (%)")
            axes[3][column].set_xlabel("cycle (8), unified, " + title)
        for row in axes:
            for a in row:
                a.legend(frameon=False, fontsize=7)
        return figure, "Programs of a frame's batches, its balance and what its units do"


class Units(FrameStudy):
    name = "units"
    title = "How busy units are with few texture units"
    source = "ISPASS 2006, section 5, Figure 9 and the hit rate of Figure 8"
    what = ("One frame on three shaders with three texture units, with one, and with three but "
            "threads in a queue instead of a\nwindow ([texture-units](texture-units.md)): how "
            "busy each unit is over the frame, and how many look-ups of texels\nhit.")
    machines = {
        "window, 3": ("ispass2006-texture-units", ["FRAGMENTSHADER.SharedTextureUnits=3"]),
        "window, 1": ("ispass2006-texture-units", ["FRAGMENTSHADER.SharedTextureUnits=1"]),
        "queue, 3": ("ispass2006-texture-units", ["FRAGMENTSHADER.SharedTextureUnits=3",
                                                  "FRAGMENTSHADER.ThreadWindow=FALSE"])}
    shown = (("streamer", "SL"), ("setup", "TS"), ("traversal", "TT"), ("Z test", "ZST-SU"),
             ("interpolator", "Interpolator"), ("shaders", "ShDX-FS"),
             ("texture units", "TU-FSTU"), ("colour", "CW-SU"), ("memory", "Sched"))

    @staticmethod
    def hits(t):
        """[share] of look-ups, None where there are none. A miss counts once, when it asks for its
        line."""
        hit, miss = (t.counters.get(n + "Fetch_FC64_TU-FSTU", [0] * len(t.cycles))
                     for n in ("Hits", "MissOK"))
        return [a / (a + b) if a + b else None for a, b in zip(hit, miss)]

    def text(self, r):
        rows = []
        for label, unit in self.shown:
            if all(unit in t.busy for t in r.values()):
                rows.append([label] + [both([v / 100 for v in t.busy[unit]]) for t in r.values()])
        rows.append(["cycles of the frame"] + [f"{t.cycles[-1]}" for t in r.values()])
        hits = []
        for name, t in r.items():
            found = sorted(h for h in self.hits(t) if h is not None)
            hits.append([name] + [f"{100 * found[n]:.1f} %"
                                  for n in (0, len(found) // 2, -1)])
        base = r["window, 3"].cycles[-1]
        most = {name: max(t.busy["TU-FSTU"]) for name, t in r.items()}
        compare = [["one texture unit is busy", "95 to 99 %", 
                    f"{mean(r['window, 1'].busy['TU-FSTU']):.0f} "
                                                              "% on average, at most "
                                                              f"{most['window, 1']:.0f} %"],
                   ["3 units to 1: frame is slower by", "a relatively large part",
                    percent(r["window, 1"].cycles[-1] / base)],
                   ["queue for window: slower by", "all units are under-used",
                    percent(r["queue, 3"].cycles[-1] / base)]]
        return (table(["busy"] + list(r), rows) + "\nMean and peak of the points.\n\n" +
                table(["texel look-ups that hit"] + ["least", "median", "most"], hits) + "\n" +
                table(["", "paper, frame 377 of Doom 3", f"here, {self.frame}"], compare) +
                "\n" + self.differs)

    differs = (
        "What differs: Doom 3 at 1024x768 uses up to 8 anisotropic samples of several textures "
        "for each pixel, so one texture unit limits the frame. OpenArena uses them, too, but has "
        "a tenth of the pixels and long programs, so one unit is at its limit only at times. The "
        "streams of [texture-units](texture-units.md) show a unit that limits. The queue leaves "
        "all units less busy, as in the paper: each thread waits for the memory of the one "
        "before. Lookups nearly always hit, and more often with one unit, since neighbouring "
        "quads share its cache, as in the paper's Figure 8.")

    def plot(self, plt, r):
        figure, axes = plt.subplots(4, 1, figsize=(11, 10), sharex=True)
        last = max(t.cycles[-1] for t in r.values())
        for a, (name, t) in zip(axes, r.items()):
            for label, unit in self.shown:
                if unit in t.busy and any(t.busy[unit]):
                    a.plot(t.cycles, t.busy[unit], linewidth=1, label=label)
            a.set_ylabel("busy (%)")
            a.set_title(name + " texture unit" + "s" * (name[-1] != "1"), fontsize=9)
            a.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, .5))
        for name, t in r.items():
            points = [(c, 100 * h) for c, h in zip(t.cycles, self.hits(t)) if h is not None]
            axes[3].plot([p[0] for p in points], [p[1] for p in points], linewidth=1, label=name)
        axes[3].set_ylabel("texels that hit (%)")
        axes[3].set_xlabel("cycle")
        axes[3].set_xlim(0, last)
        axes[3].legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, .5))
        return figure, "How busy units are with three texture units, one, and a queue"
