"""A study after Qsilver, Figure 5: clock domains whose voltage and frequency a queue between them
controls. Not here: running (studies.py), the policies (src/sim/dvfs), energies (attila-sim power).
"""

from study_results import Study, cycles_table, mean, percent, table

LEAKAGE = (10, 30, 50)
POLICIES = {
    "paper": "fragments, 50,000 cycles, 10 µs",
    "tenth": "fragments, 5,000 cycles, 1 µs",
    "free": "fragments, 5,000 cycles, no time",
    "triangles": "triangles, 5,000 cycles, 1 µs",
}
# The paper's Figure 5 and its text, at 10, 30 and 50 %: None where only the plot has it.
PAPER = {"T": (1.015, None, None), "E": (.87, None, .70), "ED²": (.89, None, .70)}


class ClockDomains(Study):
    name = "clock-domains"
    title = "Clock domains with dynamic voltage"
    source = "Qsilver (Sheaffer and others 2004), section 5.2.2, Figure 5"
    what = ("Geometry and fragments are two domains. While a queue between them stays nearly full, "
            "the one in front of it\nbecomes 10 % slower, and again after as long; while it stays "
            "nearly empty, the one behind it; down to half the\nfrequency, and the voltage in "
            "proportion. As the queue leaves that state, the domain is back at full speed at\nonce "
            "(policy WATERMARK, [power.md](../power.md#policies)). Energies of "
            "`configs/power/150nm.ini` with 10, 30 and\n50 % leakage.")
    spaces = ["clock-domains"]
    variants = {"-%d" % n: "energy = 150nm.ini LEAKAGE.Ratio=%g" % (n / 100) for n in LEAKAGE}
    scenes = ["build", "shading:shading=phong", "shadow", "desktop"]

    @staticmethod
    def ratios(r, policy, leakage, captures):
        """(T, E, ED2) over the base, means of captures."""
        base, p = (r.one(space="clock-domains-%d" % leakage, machine=m)
                   for m in ("fixed", policy))
        t = mean([p.seconds[c] / base.seconds[c] for c in captures])
        e = mean([p.statistics[c]["EnergyTotal"] / base.statistics[c]["EnergyTotal"]
                  for c in captures])
        return t, e, e * t * t

    def games_of(self, r):
        """Captures that are no scenes."""
        return [c for c in r.captures if c not in [s.split(":")[0] for s in self.scenes]]

    def row(self, r, policy, captures):
        found = [self.ratios(r, policy, n, captures) for n in LEAKAGE]
        return ([percent(found[0][0])] + [percent(f[1]) for f in found] +
                [percent(f[2]) for f in found])

    def text(self, r):
        head = (["time"] + ["E, %d %%" % n for n in LEAKAGE] +
                ["ED², %d %%" % n for n in LEAKAGE])
        games = self.games_of(r)
        groups = [("all", r.captures)] + [("games", games)] * (0 < len(games) < len(r.captures))
        rows = [["%s: %s" % (text, group)] + self.row(r, p, captures)
                for group, captures in groups for p, text in POLICIES.items()]
        by_capture = [[c] + self.row(r, "tenth", [c]) for c in r.captures]
        best = [self.ratios(r, "tenth", n, games or r.captures) for n in LEAKAGE]
        compare = []
        for i, what in enumerate(("T", "E", "ED²")):
            for k, n in enumerate(LEAKAGE):
                if PAPER[what][k]:
                    compare.append(["%s at %d %%" % (what, n), percent(PAPER[what][k]),
                                    percent(best[k][i])])
        return (table(["queue, how long, transition"] + head, rows) +
                "\nOver the same machine at nominal frequency. By capture, %s:\n\n" %
                POLICIES["tenth"] + table(["capture"] + head, by_capture) + "\n" +
                table(["", "paper", "here, games" if games else "here"], compare) + "\n" +
                self.differs + "\n" + cycles_table(
                    Only(r, "clock-domains-%d" % LEAKAGE[0]), lambda p: p.machine))

    differs = (
        "What differs: how long a phase lasts. The paper's frame of Enemy Territory is bound by "
        "one engine for long, ours\nchange every few draws. With the paper's times (first row) "
        "little is saved, since the queue is seldom full or empty for\n50,000 cycles, and each "
        "change stands still for 6,000. With a tenth of both, energy falls as in the paper at 10 "
        "%, and\nOpenArena gains what the paper's game did; others lose what the changes cost. "
        "That transitions are the reason\nshows the row in which they take no time: hardly slower, "
        "and ED² falls by what the paper has between 10 and 50 %\nleakage.\n\n"
        "Which queue is watched matters more than how: triangles before the rasteriser run out "
        "also while the fragment\nshaders have much to do, and then the wrong domain is slowed "
        "down. Quads before the shaders, with the rasteriser in\nthe domain of geometry, are the "
        "paper's fragment queue.\n\n"
        "Here savings hardly grow with leakage, the paper's more than double. In the paper an idle "
        "unit costs its leakage and\nnothing else; here it has a clock tree and latches, which "
        "cost much and fall with V², as what leaks does. With\n`attila-sim power --set "
        "CLOCK.GatingStyle=linear --set CLOCK.TreeRatio=0 --set CLOCK.LocalRatio=0`, as in "
        "the\npaper, OpenArena's frame 401 saves 9.3 % at 10 % leakage, 12.8 % at 30 % and 14.3 % "
        "at 50 %, instead of 15.4, 15.9\nand 16.3. Memory chips, 8 to 13 % of the energy, are "
        "in no domain that changes.")

    def plot(self, plt, r):
        games = self.games_of(r)
        figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4))
        found = [self.ratios(r, "tenth", n, games or r.captures) for n in LEAKAGE]
        for i, what in enumerate(("T", "ED²", "E")):
            place = {"T": 0, "E": 1, "ED²": 2}[what]
            at = [k + i * .27 for k in range(len(LEAKAGE))]
            left.bar(at, [f[place] for f in found], .25, label=what)
            for x, value in zip(at, PAPER[what]):
                if value:
                    left.plot([x - .12, x + .12], [value, value], color="#222222", linewidth=2,
                              label="paper" if what == "T" else None)
        left.set_xticks([k + .27 for k in range(3)], ["%d %% leakage" % n for n in LEAKAGE])
        left.set_ylabel("over nominal frequency; less is better")
        left.set_ylim(0, 1.5)
        left.legend(frameon=False, fontsize=8, ncol=4)
        left.set_title("games" if games else "all captures", fontsize=9)
        for i, (p, text) in enumerate(POLICIES.items()):
            right.bar([n + i * .2 for n in range(len(r.captures))],
                      [self.ratios(r, p, 30, [c])[2] for c in r.captures], .2, label=text)
        right.set_xticks([n + .3 for n in range(len(r.captures))], r.captures, rotation=15,
                         fontsize=8)
        right.axhline(1, color="#222222", linewidth=.6)
        right.set_ylabel("ED² at 30 % leakage")
        right.legend(frameon=False, fontsize=7)
        return figure, "Time, energy and ED² of clock domains"


class Only:
    """The places of one space, for a table."""

    def __init__(self, results, space):
        self.captures, self.places = results.captures, results.all(space=space)
