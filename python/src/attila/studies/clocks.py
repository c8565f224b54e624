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
    what = ("Geometry and fragments are two domains. While a queue between them stays nearly full, "
            "the one in front of it\nbecomes 10 % slower, and again after as long; while it stays "
            "nearly empty, the one behind it; down to half the\nfrequency, and the voltage in "
            "proportion. As the queue leaves that state, the domain is back at full speed at\nonce "
            "(policy WATERMARK, [dvfs.md](../../explanation/dvfs.md#policies)). Energies of "
            "`configs/power/150nm.ini` with 10, 30\nand 50 % leakage.")
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
        rows = [["%s: %s" % (text, group)] + r.row(p, chosen)
                for group, chosen in groups for p, (text, _, _) in POLICIES.items()]
        by_capture = [[c] + r.row("tenth", [c]) for c in captures]
        found = [[r.ratios(run, games or captures, n, account) for n in LEAKAGE]
                 for run, account in COMPARED.values()]
        compare = []
        for i, what in enumerate(("T", "E", "ED²")):
            for k, n in enumerate(LEAKAGE):
                if PAPER[what][k]:
                    compare.append(["%s at %d %%" % (what, n), percent(PAPER[what][k])] +
                                   [percent(f[k][i]) for f in found])
        return (table(["queue, how long, transition"] + HEAD, rows) +
                "\nOver the same machine at nominal frequency. By capture, %s:\n\n" %
                RUNS["tenth"][0] + table(["capture"] + HEAD, by_capture) + "\n" +
                table(["", "paper"] + [h.replace("here", "here, games" if games else "here")
                                       for h in COMPARED],
                      compare) +
                "\n## Why\n\n" + r.why(games or captures) + "\n" + self.differs)

    differs = (
        "What differs, and what the experiment says of it:\n\n"
        "Growth with leakage. It takes a rest of the energy that saves less than leakage does. "
        "With this table the rest is mostly clock tree, latches and units without work, which "
        "save nearly as leakage does: fewer cycles at a lower voltage. So it does not matter how "
        "large leakage is. The paper speaks of no clock tree, and its units without work burn a "
        "share of their power, which is their leakage. With this rule the rest is work; most of "
        "it is done at full voltage, since a domain is slowed down while it waits; and savings "
        "grow with leakage as in the paper. That is the assumption that makes the difference.\n\n"
        "How much they grow depends on how large leakage is. The paper's figures follow when the "
        "whole of it is two to five times the work, and saves about half, and work hardly "
        "anything. Here it is 15 times the work, as units do a small part of what they could, so "
        "that at 10 % it is already more than half of the energy. The last columns are what our "
        "savings would make of the paper's sizes.\n\n"
        "Time and ED². Changes that take no time cost hardly any, and deep steps at once, which "
        "use each short phase, with the paper's rule save as much as the paper at 50 %, and more "
        "at 10 %: what is missing in the first rows is lost to transitions and to waiting. With "
        "the paper's times, 50,000 cycles and 10 µs, nothing is saved. Its frame of Enemy "
        "Territory is bound by one engine for long; ours change every few draws. Streams of one "
        "engine (alu_dependent, texture_trilinear) save more than the paper's frame, and grow "
        "more.\n\n"
        "Nearly only one domain saves: fragments, which wait for vertices and uploads. Geometry "
        "stays near its full frequency, since the queue of 16 quads is hardly ever full for "
        "long; with room for 512 savings are four to six points larger. In the paper both "
        "engines wait in turn.\n\n"
        "Which queue is watched matters more than how: triangles before the rasteriser run out "
        "also while the fragment shaders have much to do, and then the wrong domain is slowed "
        "down.")

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
        left.set_xticks([k + .27 for k in range(3)], ["%d %% leakage" % n for n in LEAKAGE])
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
