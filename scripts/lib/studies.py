"""Machines, tables and texts of the studies. Started by scripts/studies, which has the options'
description and records the captures. Not here: running a capture (timing_run.py).
"""

import argparse
import math
import os
import sys

from timing_data import TOP, BadData
from timing_run import Machine, Progress, in_parallel

CONFIGS = os.path.join(TOP, "configs")
PAGES = os.path.join(TOP, "docs", "studies")
# Scenes of glmark2 with the work of games: vertices, textures, programs, transparency.
SCENES = ["build", "texture:texture-filter=mipmap", "shading:shading=phong", "bump", "shadow",
          "refract", "desktop", "terrain"]
# Those of Zhang and others.
RASTER_SCENES = ["build", "shadow", "refract", "buffer", "bump", "loop", "jellyfish", "ideas",
                 "terrain"]
# The last two are bound by texture units, as the paper's games with anisotropic filters.
TEXTURED = ["texture:texture-filter=mipmap", "bump", "shadow", "refract", "desktop", "terrain",
            "timing/texture_trilinear", "timing/texture_aniso"]


class Column:
    """A column of a study: a file of configs/ with changes."""

    def __init__(self, label, config, *sets):
        self.label, self.config, self.sets = label, os.path.join(CONFIGS, config), sets

    def run(self, sim, capture):
        """{statistic: sum over all frames but the first, if there are several}"""
        rows = Machine(sim, self.config, self.sets).frames(capture)
        rows = rows[1:] or rows
        return {n: sum(float(r[n]) for r in rows) for n in rows[0] if n != "frame"}


def mean(ratios):
    """Geometric."""
    return math.exp(sum(math.log(r) for r in ratios) / len(ratios))


def percent(ratio):
    return "%+.1f %%" % (100 * (ratio - 1))


def table(head, rows):
    out = "| %s |\n|%s\n" % (" | ".join(head), "---|" + "---:|" * (len(head) - 1))
    return out + "".join("| %s |\n" % " | ".join(r) for r in rows)


def plain_cycles(study, counted):
    """A row for each scene: cycles of each machine."""
    return table(["scene"] + [m.label for m in study.machines],
                 [[s] + ["%d" % counted[s, m.label]["cycles"] for m in study.machines]
                  for s in study.names()])


class Study:
    title = what = source = ""
    scenes, machines = [], []

    def names(self):
        return [s.split(":")[0] for s in self.scenes]

    def speed(self, counted, fast, slow):
        """Speed of a machine over another one's, mean of the scenes."""
        return mean([counted[s, slow]["cycles"] / counted[s, fast]["cycles"]
                     for s in self.names()])

    def text(self, counted):
        raise NotImplementedError


class Unified(Study):
    title = "Unified and separate shaders"
    source = "MICRO 2005, section 5, Figures 4 and 5"
    what = ("Two to eight shaders for vertices and fragments together, beside as many for\n"
            "fragments with four more for vertices, one to four instructions per cycle.")
    scenes = SCENES
    shaders, widths = (2, 4, 8), (1, 2, 4)
    machines = [Column("%s %d, %d-way" % (kind, n, w), file, "GPU.NumFragmentShaders=%d" % n,
                        "FRAGMENTSHADER.FetchRate=%d" % w, *more(w))
                for kind, file, more in (
                    ("unified", "micro2005.ini", lambda w: []),
                    ("separate", "micro2005-split.ini",
                     lambda w: ["VERTEXSHADER.FetchRate=%d" % w]))
                for n in (2, 4, 8) for w in (1, 2, 4)]

    def text(self, counted):
        rows = []
        for n in self.shaders:
            for w in self.widths:
                unified, separate = "unified %d, %d-way" % (n, w), "separate %d, %d-way" % (n, w)
                rows.append(["%d shaders, %d-way" % (n, w),
                             percent(self.speed(counted, unified, "separate 2, 1-way")),
                             percent(self.speed(counted, separate, "separate 2, 1-way")),
                             percent(self.speed(counted, unified, separate))])
        return (table(["machine", "unified, speed over separate 2, 1-way", "separate, the same",
                       "unified over separate"], rows) +
                "\nThe paper: unified shaders are 2 to 7 % faster, although four vertex shaders "
                "are missing, in\na game (UT2004) whose batches are mostly bound by fragments.\n")


class TextureUnits(Study):
    title = "Shader ALUs and texture units"
    source = "ISPASS 2006, section 5, Figure 7"
    what = ("Three shaders share three, two and one texture units; threads wait in a window, from\n"
            "which any ready one may go on, or in a queue that stops at the first that waits.")
    scenes = TEXTURED
    machines = [Column("%s, %d" % (kind, n), "ispass2006-texture-units.ini",
                        "FRAGMENTSHADER.SharedTextureUnits=%d" % n,
                        "FRAGMENTSHADER.ThreadWindow=%s" % window)
                for kind, window in (("window", "TRUE"), ("queue", "FALSE")) for n in (3, 2, 1)]

    def text(self, counted):
        machines = [m.label for m in self.machines]
        rows = [[s] + [percent(counted[s, "window, 3"]["cycles"] / counted[s, m]["cycles"])
                       for m in machines] for s in self.names()]
        return (table(["scene"] + machines, rows) +
                "\nSpeed over a window and three texture units. The paper, in games with up to 8 "
                "anisotropic\nsamples: with the window 5 to 10 % are lost from three to two and "
                "much more from three to\none; with the queue the latency of textures is not "
                "hidden and their number does not matter.\nHere the two captures that are bound "
                "by texture units show the loss, with both. glmark2's\nscenes filter little: of "
                "fewer units, whose caches hold less of the same, refract loses some\npercent, "
                "texture gains, and the others hardly change. A queue costs all but texture 7 to"
                "\n48 %, whatever the number of units.\n")


class BoundingBox(Study):
    title = "A bounding-box test in a rasteriser of levels"
    source = "Zhang and others 2019, section 4.2, Figure 8"
    what = ("A rasteriser of seven levels drops tiles that lie outside an edge of the triangle; a\n"
            "test against its bounding box drops those that no edge tells to be elsewhere.")
    scenes = RASTER_SCENES
    machines = [Column("without", "loongson.ini"),
                Column("with", "loongson.ini", "RASTERIZER.TileBoundingBoxTest=TRUE")]

    def text(self, counted):
        rows, saved, pixels = [], 0, 0
        for s in self.names():
            a, b = counted[s, "without"], counted[s, "with"]
            row = [s]
            for level in range(1, 8):
                name = "TilesLevel%d_TT" % level
                row.append("%.1f %%" % (100 * (1 - b[name] / a[name]) if a[name] else 0))
            total = [sum(c["TilesLevel%d_TT" % i] for i in range(1, 8)) for c in (a, b)]
            row += ["%.1f %%" % (100 * (1 - total[1] / total[0])),
                    percent(a["cycles"] / b["cycles"])]
            rows.append(row)
            weight = a["GeneratedFragments_TT"]
            saved += weight * (1 - total[1] / total[0])
            pixels += weight
        return (table(["scene"] + ["level %d" % i for i in range(1, 8)] + ["all", "frame"], rows) +
                "\nTiles that a level need not divide, all of them, and how much faster the frame "
                "is. Weighted by\nfragments, %.1f %% of all tiles are saved. The paper: 10.11 %%, "
                "most in the levels of small\ntiles, next to nothing in the first three and for "
                "bump. It does not say how large its frames are;\nhere triangles are small, and a "
                "tile beside a small triangle is often on the inner side of all\nthree edges in "
                "part. Traversal limits few of these frames, so they gain little.\n" %
                (100 * saved / pixels))


STUDIES = {"unified": Unified, "texture-units": TextureUnits, "bounding-box": BoundingBox}


def capture_of(scene, folder):
    if scene.startswith("timing/"):
        return os.path.join(TOP, "tests", scene + ".attila")
    return os.path.join(folder, scene + ".attila")


def run(study, o):
    tasks = [(s, m) for s in study.names() for m in study.machines]
    progress = Progress(study.title, len(tasks))
    counted = in_parallel(o.jobs, [
        ("%s on %s" % (s, m.label),
         lambda s=s, m=m: m.run(o.sim, capture_of(s, o.captures)))
        for s, m in tasks], progress)
    return {(s, m.label): c for (s, m), c in zip(tasks, counted)}


def main(args):
    p = argparse.ArgumentParser(prog="scripts/studies", add_help=False, allow_abbrev=False,
                                usage='see "scripts/studies --help"')
    p.add_argument("names", nargs="+")
    p.add_argument("--sim", required=True)
    p.add_argument("--captures")
    p.add_argument("--scenes", action="store_true")
    p.add_argument("--update", action="store_true")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    o = p.parse_args(args)
    names = list(STUDIES) if o.names == ["all"] else o.names
    for name in names:
        if name not in STUDIES:
            raise BadData("no study %s; there are: %s, all" % (name, ", ".join(STUDIES)))
    if o.jobs < 1:
        raise BadData("--jobs takes a number from 1")
    if o.scenes:
        scenes = dict.fromkeys(s for n in names for s in STUDIES[n].scenes)
        print("\n".join(s for s in scenes if not s.startswith("timing/")))
        return 0
    for name in names:
        study = STUDIES[name]()
        counted = run(study, o)
        body = "%s\n\n%s" % (study.what, study.text(counted))
        print("%s (%s)\n\n%s" % (study.title, study.source, body))
        if o.update:
            os.makedirs(PAGES, exist_ok=True)
            with open(os.path.join(PAGES, name + ".md"), "w",
                      encoding="utf-8") as f:
                f.write("# %s\n\nWritten by `scripts/studies --update %s`; do not edit.\n"
                        "After %s.\nScenes of glmark2 at %s pixels, "
                        "without their first frame.\n\n%s\n## Cycles\n\n%s" %
                        (study.title, name, study.source,
                         os.path.basename(o.captures).split("-")[0], body,
                         plain_cycles(study, counted)))
            print("wrote %s" % os.path.relpath(f.name, TOP))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BadData as e:
        print("studies: %s" % e, file=sys.stderr)
        sys.exit(2)
