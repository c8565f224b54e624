"""A study of the machines of configs/ beside each other, after the evaluation report's section on
what the parameters describe. Not here: running (studies/main.py).
"""

from attila.studies.results import Study, cycles_table, mean, table, texture_hits
from attila.studies.shaders import SCENES


class Configurations(Study):
    name = "configurations"
    title = "The machines of configs/"
    source = "Martínez del Amor, Evaluating ATTILA, section 3.1 and Figure 4.6"
    what = ("What the parameters describe, from a telephone's GPU to one larger than any of the\n"
            "papers': speed at each machine's clock, area (`attila-sim area`) and energy\n"
            "(`attila-sim power`, built-in table at 130 nm for all).")
    spaces, scenes = ["configurations"], SCENES

    @staticmethod
    def joules(p):
        """Of a frame, mean of the captures."""
        return mean([s["EnergyTotal"] / 1e15 / p.frames[c] for c, s in p.statistics.items()])

    @staticmethod
    def fps(p):
        return mean([p.frames[c] / s for c, s in p.seconds.items()])

    def text(self, r):
        rows, texture = [], []
        for p in r.places:
            fps, joules = self.fps(p), self.joules(p)
            rows.append([p.machine, f"{fps:.0f}", f"{p.area:.1f}", f"{fps / p.area:.1f}",
                         f"{1000 * joules:.2f}", f"{fps * joules:.1f}", f"{1 / joules:.0f}"])
            total = p.total()
            blocked, ready, ended = (total.get(n + "Threads_ShF-FS", 0)
                                     for n in ("Blocked", "Ready", "Finished"))
            threads = blocked + ready + ended
            texture.append([p.machine, texture_hits(total) or "no such caches",
                            f"{100 * blocked / threads:.1f} %" if threads else ""])
        return (table(["machine", "frames/s", "mm² at 130 nm", "frames/s per mm²",
                       "mJ per frame", "watts", "frames per J"], rows) +
                "\nMeans of the captures. The report's Figure 4.6 shows, of one machine over time, "
                "look-ups of\ntextures that hit and that fail, and threads of shaders that are "
                "blocked:\n\n" +
                table(["machine", "texture look-ups that hit",
                       "threads that are blocked"], texture) +
                "\nWhat differs: the report gives no speeds; it says that the original takes 13 "
                "to 20 minutes for a frame of Doom 3, and that few fetches fail. Its fetches "
                "count again in each cycle in which they are tried; here each counts once. `large` "
                "is far too large for 320x240. Over time: `scripts/studies evolution`.\n" +
                cycles_table(r, lambda p: p.machine))

    def plot(self, plt, r):
        figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
        for axes, value, what in ((left, lambda p: p.area, "mm² at 130 nm"),
                                  (right, lambda p: 1000 * self.joules(p), "mJ per frame")):
            there = {}  # machines that differ in nothing that counts here
            for p in r.places:
                there.setdefault((round(value(p), 6), round(self.fps(p), 6)), []).append(p.machine)
            for (x, y), names in there.items():
                axes.plot(x, y, "o", label=", ".join(names))
            axes.set_xscale("log")
            axes.set_xlabel(what)
            axes.set_ylim(0)
            axes.margins(x=.1)
        left.set_ylabel("frames per second, mean of the captures")
        right.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, .5))
        return figure, "Machines by speed, area and energy"
