"""A study after Qsilver, Figure 5: clock domains whose voltage and frequency a queue between them
controls. Not here: running (studies/main.py), the policies (src/sim/dvfs), energies
(attila-sim power), the runs (studies/clocks_runs.py).
"""

import os

from attila.studies.clocks_runs import HEAD, LEAKAGE, POLICIES, RUNS, ClockRuns
from attila.studies.results import Study, percent, table

# The paper's Figure 5 and its text, at 10, 30 and 50 %: None where only the plot has it.
PAPER = {"T": (1.015, None, None), "E": (.87, None, .70), "ED²": (.89, None, .70)}
# {column of the table beside the paper: (run, account)}
COMPARED = {"here": ("tenth", "all"), "its rule of leakage": ("tenth", "idle"),
            "and no time": ("free", "idle"), "and half the frequency at once": ("deep", "idle")}


class ClockDomains(Study):
    name = "clock-domains"
    title = "Clock domains with dynamic voltage"
    source = "Qsilver (Sheaffer and others 2004), section 5.2.2, Figure 5"
    what = ("Geometry and fragments are two domains, with a queue between them. While the queue "
            "stays nearly full, the domain in front of it becomes 10 % slower, and again after as "
            "long; while it stays nearly empty, the domain behind it; down to half the frequency, "
            "with the voltage in proportion. When the queue leaves that state, the domain is back "
            "at full speed at once (policy WATERMARK, "
            "[dvfs.md](../../explanation/dvfs.md#policies)). Energies of "
            "`configs/power/150nm.ini` with 10, 30 and 50 % leakage.")
    measures = True
    scenes = ["build", "shading:shading=phong", "shadow", "desktop"]

    def measure(self, o):
        captures = {n: (os.path.join(o.captures, n + ".attila"), None)
                    for n in (s.split(":")[0] for s in self.scenes)}
        for game in o.game:
            path, _, frames = game.rpartition(":")
            captures[os.path.basename(path).removesuffix(".attila")] = (path, frames)
        return ClockRuns(o, captures)

    def design(self, o):
        return "Scenes of glmark2%s, on `configs/ispass2006-split.ini`" % "".join(
            "; %s, frames %s" % (os.path.basename(g.rpartition(":")[0]).removesuffix(".attila"),
                                 g.rpartition(":")[2]) for g in o.game)

    def text(self, r):
        games, captures = r.games(), list(r.captures)
        groups = [("all", captures)] + [("games", games)] * (0 < len(games) < len(captures))
        rows = [[f"{text}: {group}"] + r.row(p, chosen)
                for group, chosen in groups for p, (text, _, _) in POLICIES.items()]
        by_capture = [[c] + r.row("tenth", [c]) for c in captures]
        found = [[r.ratios(run, games or captures, n, account) for n in LEAKAGE]
                 for run, account in COMPARED.values()]
        compare = []
        for i, what in enumerate(("T", "E", "ED²")):
            for k, n in enumerate(LEAKAGE):
                if PAPER[what][k]:
                    compare.append([f"{what} at {n} %", percent(PAPER[what][k])] +
                                   [percent(f[k][i]) for f in found])
        return (table(["queue, how long, transition"] + HEAD, rows) +
                ("\nOver the same machine at nominal frequency. By capture, "
                 f"{RUNS['tenth'][0]}:\n\n") + table(["capture"] + HEAD, by_capture) + "\n" +
                table(["", "paper"] + [h.replace("here", "here, games" if games else "here")
                                       for h in COMPARED],
                      compare) +
                "\n## Why\n\n" + r.why(games or captures) + "\n" + self.differs)

    differs = (
        "What differs, and what the experiments say:\n\nSavings grow with leakage only if the "
        "rest of the energy saves less than leakage does. With this table the rest is mostly "
        "clock tree, latches and units without work, which save nearly as much. The paper has no "
        "clock tree, and its units without work burn a share of their power. With that rule the "
        "rest is work at full voltage, and savings grow as in the paper.\n\nHow much they grow "
        "depends on how large leakage is. The paper's figures follow if the whole leakage is two "
        "to five times the work and saves about half. Here it is 15 times the work, so at 10 % it "
        "is already more than half of the energy. The last columns apply our savings to the "
        "paper's sizes.\n\nWith transitions that take no time and deep steps at once, the paper's "
        "rule saves as much as the paper at 50 %, at hardly any cost in time. The first rows lose "
        "the difference to transitions and waiting. With the paper's 50,000 cycles and 10 µs "
        "nothing is saved, since what limits our frames changes every few draws. Streams of one "
        "engine (alu_dependent, texture_trilinear) save more than the paper's frame.\n\nNearly "
        "only the fragment domain saves; the queue of 16 quads is hardly ever full for long. With "
        "room for 512, savings are four to six points larger. Triangles before the rasteriser are "
        "a worse queue to watch: they also run out while the fragment shaders are busy.")

    def plot(self, plt, r):
        games, captures = r.games(), list(r.captures)
        figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4))
        found = [r.ratios("tenth", games or captures, n) for n in LEAKAGE]
        for i, what in enumerate(("T", "ED²", "E")):
            place = {"T": 0, "E": 1, "ED²": 2}[what]
            at = [k + i * .27 for k in range(len(LEAKAGE))]
            left.bar(at, [f[place] for f in found], .25, label=what)
            for x, value in zip(at, PAPER[what]):
                if value:
                    left.plot([x - .12, x + .12], [value, value], color="#222222", linewidth=2,
                              label="paper" if what == "T" else None)
        left.set_xticks([k + .27 for k in range(3)], [f"{n} % leakage" for n in LEAKAGE])
        left.set_ylabel("over nominal frequency; less is better")
        left.set_ylim(0, 1.5)
        left.legend(frameon=False, fontsize=8, ncol=4)
        left.set_title("games" if games else "all captures", fontsize=9)
        for i, (p, (text, _, _)) in enumerate(POLICIES.items()):
            right.bar([n + i * .2 for n in range(len(captures))],
                      [r.ratios(p, [c], 30)[2] for c in captures], .2, label=text)
        right.set_xticks([n + .3 for n in range(len(captures))], captures, rotation=15,
                         fontsize=8)
        right.axhline(1, color="#222222", linewidth=.6)
        right.set_ylabel("ED² at 30 % leakage")
        right.legend(frameon=False, fontsize=7)
        return figure, "Time, energy and ED² of clock domains"
