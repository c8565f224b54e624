"""Studies after Qsilver, Figures 3 and 4: time and energy against the rates of fragments and
vertices. Not here: running (studies/main.py), energies (attila-sim power).
"""

from attila.studies.results import Study, cycles_table, mean, percent, table
from attila.studies.shaders import SCENES


class Rate(Study):
    """T, E and ED2 over the number of shaders of a kind; base: the number whose values are 1."""

    scenes = SCENES
    key = kind = paper = differs = ""
    base = 1

    def values(self, r):
        """[(number, T, E, ED2)] relative to the base, means of the captures."""
        base = r.one(**{self.key: self.base})
        rows = []
        for p in r.places:
            t = mean([p.seconds[c] / base.seconds[c] for c in r.captures])
            e = mean([p.statistics[c]["EnergyTotal"] / base.statistics[c]["EnergyTotal"]
                      for c in r.captures])
            rows.append((int(p.settings[self.key]), t, e, e * t * t))
        return rows

    def text(self, r):
        rows = self.values(r)
        best = {w: min(rows, key=lambda v, i=i: v[i])[0]
                for i, w in enumerate(("T", "E", "ED²"), 1)}
        by_scene = []
        for c in r.captures:
            ed2 = {int(p.settings[self.key]): p.statistics[c]["EnergyTotal"] * p.seconds[c] ** 2
                   for p in r.places}
            base, last = r.one(**{self.key: self.base}), r.places[-1]
            by_scene.append([c, percent(last.seconds[c] / base.seconds[c]),
                             percent(last.statistics[c]["EnergyTotal"] /
                                     base.statistics[c]["EnergyTotal"]),
                             str(min(ed2, key=ed2.get))])
        return (table([self.kind, "T", "E", "ED²"],
                      [[f"{n}"] + [f"{v:.3f}" for v in values] for n, *values in rows]) +
                (f"\nRelative to {self.base}; mean of the captures. Least T at {best['T']}, "
                 f"least E at {best['E']}, least ED² at {best['ED²']}.\nBy capture, "
                 f"{rows[-1][0]} instead of {self.base}, and the number with the least "
                 "ED²:\n\n") +
                table(["capture", "T", "E", "least ED²"], by_scene) + "\n" + self.paper + "\n\n" +
                self.differs + "\n" + cycles_table(r, lambda p: p.settings[self.key]))

    def plot(self, plt, r):
        figure, axes = plt.subplots(figsize=(7, 4))
        rows = self.values(r)
        for i, what in enumerate(("T", "E", "ED²"), 1):
            axes.plot([v[0] for v in rows], [v[i] for v in rows], marker="o", label=what)
        axes.axhline(1, color="#222222", linewidth=.6)
        axes.set_xlabel(self.kind)
        axes.set_ylabel(f"relative to {self.base}; less is better")
        axes.set_ylim(0)
        axes.legend(frameon=False)
        return figure, f"{self.title}: time, energy and ED²"


class FragmentRate(Rate):
    name = "fragment-rate"
    title = "Energy against the rate of fragments"
    source = "Qsilver (Sheaffer and others 2004), section 5.2.1, Figure 3"
    what = ("One to eight fragment shaders beside four vertex shaders; energies of\n"
            "`configs/power/150nm.ini`, the paper's process.")
    spaces, key, kind, base = ["fragment-rate"], "NumFragmentShaders", "fragment shaders", 2
    paper = ("The paper: time falls with the rate until returns diminish, at 4 cycles a tile; "
             "beyond that the\npower of a faster engine costs more than it gains, so ED² has a "
             "minimum in between.")
    differs = ("What differs: the paper scales one engine; here whole shaders with their texture "
               "units are counted. Its frame of Enemy Territory is mostly bound by fragments. The "
               "signs agree: energy falls while the frame gets shorter and rises afterwards, and "
               "ED² is least at more shaders than energy. Where the minimum lies depends on what "
               "limits a capture. Captures bound by fragments gain to the end. Those bound by "
               "vertices or the bus gain nothing and pay for the leakage and clock of more "
               "shaders. More shaders can even take longer, since each has a texture cache that "
               "fetches the same texels ([texture-units.md](texture-units.md)).")


class VertexRate(Rate):
    name = "vertex-rate"
    title = "Energy against the rate of vertices"
    source = "Qsilver (Sheaffer and others 2004), section 5.2.1, Figure 4"
    what = ("One to eight vertex shaders beside two fragment shaders; energies of\n"
            "`configs/power/150nm.ini`, the paper's process.")
    spaces, key, kind, base = ["vertex-rate"], "NumVertexShaders", "vertex shaders", 4
    paper = ("The paper: time goes on falling with the rate of vertices, energy begins to rise at "
             "the most\naggressive rates, ED² is least at 5 to 6 cycles a vertex, much faster than "
             "its base of 18 or 38.")
    differs = ("What differs: the signs agree: least energy is at fewer and least ED² at more "
               "shaders than the base. The curve is flatter than the paper's because it is a mean "
               "of captures. With fine meshes time and ED² fall to the end; where fragments "
               "limit, four more vertex shaders gain nothing and cost energy.")
