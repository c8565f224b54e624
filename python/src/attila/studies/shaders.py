"""Studies of shaders: MICRO 2005, Figures 4, 5 and 9, and ISPASS 2006, section 5. Not here: running
(studies/main.py).
"""

from attila.studies.results import Study, cycles_table, mean, percent, table, texture_hits

# Scenes of glmark2 with the work of games: vertices, textures, programs, transparency.
SCENES = ["build", "texture:texture-filter=mipmap", "shading:shading=phong", "bump", "shadow",
          "desktop"]
# Millions of transistors, MICRO 2005, section 6.2.
VERTEX, UNIT, ALU = 2.5, 15, .15


def transistors(place):
    """Of the shaders alone, as the paper counts them."""
    grown = 1 + ALU * (int(place.settings["FetchRate"]) - 1)
    return grown * (UNIT * int(place.settings["NumFragmentShaders"]) +
                    (4 * VERTEX if place.machine == "separate" else 0))


class Unified(Study):
    name = "unified"
    title = "Unified and separate shaders"
    source = "MICRO 2005, sections 6.1 and 6.2, Figures 4 and 5"
    what = ("Two to eight shaders for vertices and fragments together, beside as many for\n"
            "fragments with four more for vertices; one, two and four instructions per cycle.")
    spaces, scenes = ["unified"], SCENES

    def pairs(self, r):
        """[(unified, separate)]"""
        return [(u, r.one(machine="separate", NumFragmentShaders=u.settings["NumFragmentShaders"],
                          FetchRate=u.settings["FetchRate"])) for u in r.all(machine="unified")]

    def text(self, r):
        base = r.one(machine="separate", NumFragmentShaders=2, FetchRate=1)
        rows, gains, shaders, chips = [], [], [], []
        for u, s in self.pairs(r):
            gain = r.speed(u, s)
            gains.append(gain)
            shaders.append(gain * transistors(s) / transistors(u))
            chips.append(gain * s.area / u.area)
            rows.append([f"{u.settings['NumFragmentShaders']}, {u.settings['FetchRate']}-way",
                         f"{r.speed(s, base):.2f}", f"{r.speed(u, base):.2f}", percent(gain),
                         percent(shaders[-1]), percent(chips[-1])])
        by_scene = [[c] + [percent(s.cycles[c] / u.cycles[c]) for u, s in self.pairs(r)
                           if u.settings["FetchRate"] == "1"] for c in r.captures]
        return (table(["shaders", "separate", "unified", "unified over separate",
                       "per transistor of shaders", "per mm² of the chip"], rows) +
                "\nSpeed over separate, 2 shaders, 1-way; mean of the captures. Unified over "
                "separate by capture,\n1-way, for 2, 4, 6 and 8 shaders:\n\n" +
                table(["capture", "2", "4", "6", "8"], by_scene) +
                "\n| | paper | here |\n|---|---:|---:|\n| unified over separate | +1 to +8 %% "
                "(abstract: +2 to +7 %%) | %s to %s |\n| per area of the shaders | +15 to +30 %% | "
                "%s to %s |\n| per area of the chip (`attila-sim area`) | not given | %s to %s "
                "|\n| 4 shaders over 2, separate, 1-way | about 2 | %.2f |\n| 2-way over 1-way, at "
                "most | +8 %% | %s |\n| 4-way over 2-way | nothing | %s at most |\n" % (
                    *(percent(f(v)) for v in (gains, shaders, chips) for f in (min, max)),
                    r.speed(r.one(machine="separate", NumFragmentShaders=4, FetchRate=1), base),
                    percent(max(self.wider(r, 1, 2))), percent(max(self.wider(r, 2, 4)))) +
                "\nWhat differs: the paper's frames of UT2004 at 1024x768 with anisotropic "
                "filters are nearly always bound by fragments, so more fragment shaders help "
                "more. Here frames are small and meshes fine. Scenes with many vertices gain more "
                "from the larger pool; those that wait for memory or the system bus (texture, "
                "bump) gain nothing. The four vertex shaders are a third of the smallest machine "
                "and a twelfth of the largest, and less of a whole chip. With larger frames "
                "(`scripts/studies --size 1280x960 unified`, glmark2 alone) 4 shaders over 2 are "
                "1.54 (1.17 at 320x240), and unified over separate -5.6 to +0.8 % (+8 to +26 % "
                "per area of the shaders).\n"
                + cycles_table(r, lambda p: (f"{p.machine} {p.settings['NumFragmentShaders']}, "
                                             f"{p.settings['FetchRate']}-way")))

    @staticmethod
    def wider(r, narrow, wide):
        return [r.speed(r.one(machine=p.machine, FetchRate=wide,
                              NumFragmentShaders=p.settings["NumFragmentShaders"]), p)
                for p in r.all(FetchRate=narrow)]

    def plot(self, plt, r):
        base = r.one(machine="separate", NumFragmentShaders=2, FetchRate=1)
        figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
        for machine, style in (("unified", "-"), ("separate", "--")):
            for ways in (1, 2, 4):
                places = r.all(machine=machine, FetchRate=ways)
                speed = [r.speed(p, base) for p in places]
                label = f"{machine}, {ways}-way"
                left.plot([int(p.settings["NumFragmentShaders"]) for p in places], speed, style,
                          marker="o", markersize=3, label=label)
                right.plot([transistors(p) for p in places], speed, style, marker="o",
                           markersize=3, label=label)
        left.set_xlabel("shaders (Figure 4)")
        right.set_xlabel("million transistors of shaders (Figure 5)")
        left.set_ylabel("speed over separate, 2 shaders, 1-way")
        right.legend(frameon=False, fontsize=8)
        return figure, "Speed of unified and separate shaders, by number and by transistors"


class Bandwidth(Study):
    name = "bandwidth"
    title = "More memory bandwidth for many shaders"
    source = "MICRO 2005, section 6.4, Figure 9"
    what = ("Six and eight shaders with four, five and six memory channels: 64, 80 and 96 bytes "
            "per\ncycle.")
    spaces = ["bandwidth"]
    scenes = ["texture:texture-filter=mipmap", "shading:shading=phong", "bump", "desktop"]

    def gain(self, r, p, channels):
        return r.speed(r.one(machine=p.machine, V2MemoryChannels=channels,
                             NumFragmentShaders=p.settings["NumFragmentShaders"],
                             FetchRate=p.settings["FetchRate"]), p)

    def text(self, r):
        bases = r.all(V2MemoryChannels=4)
        rows = [[f"{p.machine}, {p.settings['NumFragmentShaders']} shaders, "
                 f"{p.settings['FetchRate']}-way",
                 percent(self.gain(r, p, 5)), percent(self.gain(r, p, 6))] for p in bases]
        wide = r.one(machine="unified", NumFragmentShaders=8, FetchRate=2, V2MemoryChannels=4)
        by_scene = []
        for c in r.captures:
            more = [r.one(**{**{k: wide.settings[k] for k in ("NumFragmentShaders", "FetchRate")},
                             "machine": "unified", "V2MemoryChannels": n}) for n in (5, 6)]
            by_scene.append([c] + [percent(wide.cycles[c] / m.cycles[c]) for m in more])
        both = [self.gain(r, p, n) for p in bases for n in (5, 6)]
        return (table(["machine", "+25 %", "+50 %"], rows) +
                "\nSpeed over four channels. By capture, unified, 8 shaders, 2-way:\n\n" +
                table(["capture", "+25 %", "+50 %"], by_scene) +
                ("\n| | paper | here |\n|---|---:|---:|\n| 25 and 50 % more bandwidth | +7 to +14 "
                 f"% | {percent(min(both))} to {percent(max(both))} |\n") +
                "\nWhat differs: the mean is close to the paper's, but of other captures. The "
                "paper's machines with six and eight shaders use 60 to 70 % of their bandwidth "
                "over a frame of 1024x768, mostly for textures. Here captures that read a lot "
                "(texture, desktop) gain more than the paper's, and those that shaders limit "
                "(shading, bump) nothing. Faster shaders (8, 2-way) gain more than slower ones, "
                "as in the paper.\n" +
                cycles_table(r, lambda p: (f"{p.machine} {p.settings['NumFragmentShaders']}, "
                                           f"{p.settings['FetchRate']}-way, "
                                           f"{p.settings['V2MemoryChannels']} channels")))

    def plot(self, plt, r):
        figure, axes = plt.subplots(figsize=(7, 4))
        for p in r.all(V2MemoryChannels=4):
            axes.plot([64, 80, 96], [1, self.gain(r, p, 5), self.gain(r, p, 6)], marker="o",
                      markersize=4, linestyle="-" if p.machine == "unified" else "--",
                      label=(f"{p.machine} {p.settings['NumFragmentShaders']}, "
                             f"{p.settings['FetchRate']}-way"))
        axes.axhspan(1.07, 1.14, color="#e3efe5", label="paper, +25 and +50 %")
        axes.set_xticks([64, 80, 96])
        axes.set_xlabel("bytes per cycle")
        axes.set_ylabel("speed over 64 bytes per cycle")
        axes.legend(frameon=False, fontsize=8)
        return figure, "Speed over memory bandwidth"


class TextureUnits(Study):
    name = "texture-units"
    title = "Shader ALUs and texture units"
    source = "ISPASS 2006, section 5, Figures 7 and 8"
    what = ("Three shaders share three, two and one texture units; threads wait in a window, from\n"
            "which any ready one may go on, or in a queue that stops at the first that waits.")
    spaces = ["texture-units"]
    scenes = ["texture:texture-filter=mipmap", "bump", "shadow", "desktop",
              "timing/texture_trilinear", "timing/texture_aniso"]

    @staticmethod
    def places(r):
        """[(label, Place)]"""
        return [(f"{kind}, {n}", r.one(ThreadWindow=window, SharedTextureUnits=n))
                for kind, window in (("window", "TRUE"), ("queue", "FALSE")) for n in (3, 2, 1)]

    def text(self, r):
        places = self.places(r)
        base = places[0][1]
        speeds = [[c] + [percent(base.cycles[c] / p.cycles[c]) for _, p in places]
                  for c in r.captures]
        speeds.append(["mean"] + [percent(r.speed(p, base)) for _, p in places])
        reads = [[c] for c in r.captures]
        for row, c in zip(reads, r.captures):
            for n in (3, 2, 1):
                s = r.one(ThreadWindow="TRUE", SharedTextureUnits=n).statistics[c]
                row.append(texture_hits(s))
            for n in (3, 2, 1):
                s = r.one(ThreadWindow="TRUE", SharedTextureUnits=n).statistics[c]
                row.append(f"{s.get('ReadBytesMemory_TU-FSTU', 0)}")
        return (table(["capture"] + [n for n, _ in places], speeds) +
                "\nSpeed over a window and three texture units (Figure 7). Hit rate of the texture "
                "caches and bytes\nread by the texture units, with the window (Figure 8):\n\n" +
                table(["capture", "hits, 3", "2", "1", "bytes, 3", "2", "1"], reads) +
                "\n| | paper | here, captures bound by texture units |\n|---|---:|---:|\n"
                "| window, 3 to 2 | -5 to -10 % | " + self.change(r, "TRUE", 2) + " |\n"
                "| window, 3 to 1 | a relatively large hit | " + self.change(r, "TRUE", 1) + " |\n"
                "| queue against window, 3 | latency not hidden | " + self.change(r, "FALSE", 3) +
                " |\n\nWhat differs: the paper's games filter with up to 8 anisotropic samples, "
                "which keeps a single texture unit 95 to 99 % busy. glmark2's scenes use one "
                "bilinear or trilinear sample and many instructions; two units are enough for "
                "them. `timing/texture_aniso` and `timing/texture_trilinear` are bound by texture "
                "units and behave as in the paper; with the queue the number of units still "
                "matters for them, since they do nothing else. Fewer units share one cache for "
                "the same texels: hit rates rise and bytes fall, as in Figure 8.\n" +
                cycles_table(r, lambda p: "%s, %s" % (
                    "window" if p.settings["ThreadWindow"] == "TRUE" else "queue",
                    p.settings["SharedTextureUnits"])))

    @staticmethod
    def change(r, window, units):
        bound = [c for c in r.captures if c.startswith("texture_")]
        return percent(mean([r.one(ThreadWindow="TRUE", SharedTextureUnits=3).cycles[c] /
                             r.one(ThreadWindow=window, SharedTextureUnits=units).cycles[c]
                             for c in bound])) if bound else ""

    def plot(self, plt, r):
        figure, axes = plt.subplots(figsize=(8, 4))
        places = self.places(r)
        base = places[0][1]
        width = .8 / len(places)
        for i, (label, p) in enumerate(places):
            axes.bar([n + i * width for n in range(len(r.captures))],
                     [base.cycles[c] / p.cycles[c] for c in r.captures], width, label=label)
        axes.set_xticks([n + .4 for n in range(len(r.captures))], r.captures, rotation=15,
                        fontsize=8)
        axes.set_ylabel("speed over window, 3 units")
        axes.legend(frameon=False, fontsize=8, ncol=2)
        return figure, "Three shaders with 3, 2 and 1 texture units"
