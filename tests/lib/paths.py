"""Finds names of files in documents and comments that are not there.

Usage: paths.py FOLDER      FOLDER: the source tree, a git repository

In Markdown it looks at links, at what stands between backticks and at listings, in sources at
comments, in scripts/ at all text. A name counts when it has the ending of a source, or a slash
after the name of a folder of ours. It may be relative to the tree, to a folder in ROOTS or to the
document; a single name may be in any folder; * stands for anything, and {a,b} for a or b. Prints
FILE:LINE: NAME for each that is nowhere, and ends with status 1 if there is any.
"""

import fnmatch
import os
import re
import subprocess
import sys

ROOTS = ("", "src/", "src/sim/", "src/gallium/drivers/attila/", "tests/", "python/src/",
         "python/src/attila/")
ENDINGS = ("c", "h", "md", "sh", "py", "ini", "patch", "build", "svg")
PATH = re.compile(r"(?<![\w./$*<{-])((?:[\w.*{},-]+/)*"
                  r"(?:[\w*{},-][\w.*{},-]*\.(?:(?:%s)\b|\{[\w,]+\})|[\w*{},-]+/(?![\w$<*])))" %
                  "|".join(ENDINGS))
# Names that are no files of ours, and what they are.
OTHERS = {
    "attila-bGPU.ini": "the configuration that came with ATTILA",
    "table.md": "written by scripts/piglit",
    "machine.ini": "an example",
    "times.svg": "written by scripts/compare",
    "a0.c": "a register's component",
    "out/": "what the scripts write",
    "build/": "where Meson builds",
}


def names_in(path, text):
    """Yields (line number, text in which names are looked for)."""
    if path.endswith(".md"):
        fenced = False
        for n, line in enumerate(text.split("\n"), 1):
            if line.startswith("```"):
                fenced = not fenced
            elif fenced:
                yield n, line
            else:
                for m in re.finditer(r"`([^`]+)`|\]\(([^)#]+)", line):
                    yield n, m[1] or m[2]
    elif path.endswith((".c", ".h")):
        for m in re.finditer(r"/\*.*?\*/|//[^\n]*", text, re.S):
            first = text.count("\n", 0, m.start()) + 1
            for k, line in enumerate(m[0].split("\n")):
                yield first + k, line
    else:
        for n, line in enumerate(text.split("\n"), 1):
            if path.startswith("scripts/") or line.lstrip().startswith("#"):
                yield n, line


def alternatives(name):
    m = re.search(r"\{([^{}]*)\}", name)
    if not m:
        return [name]
    return [a for part in m[1].split(",")
            for a in alternatives(name[:m.start()] + part + name[m.end():])]


class Tree:
    def __init__(self, top):
        listed = subprocess.run(["git", "-C", top, "ls-files"], check=True, capture_output=True,
                                text=True).stdout.split("\n")
        self.files = [f for f in listed if f and os.path.exists(os.path.join(top, f))]
        self.folders = {f[:i] for f in self.files for i in range(len(f)) if f[i] == "/"}
        self.known = set(self.files) | self.folders
        self.last = {k.rsplit("/", 1)[-1] for k in self.known}
        self.folder_names = {d.rsplit("/", 1)[-1] for d in self.folders}

    def has(self, name, document):
        name = name.rstrip("/")
        roots = ROOTS + (os.path.dirname(document) + "/",)
        if "*" in name:
            return any(fnmatch.filter(self.known, os.path.normpath(r + name)) for r in roots) or \
                "/" not in name and bool(fnmatch.filter(self.last, name))
        return any(os.path.normpath(r + name) in self.known for r in roots) or name in self.last

    def ours(self, name):
        """Whether a name says that it is a file or folder of this tree."""
        first = name.split("/")[0]
        if name in OTHERS or first + "/" in OTHERS:
            return False
        return "/" not in name or first in self.folder_names


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tree, bad, good = Tree(sys.argv[1]), 0, 0
    for path in tree.files:
        if not path.endswith((".md", ".c", ".h", ".sh", ".py", ".build", ".ini")) and \
                not path.startswith("scripts/"):
            continue
        with open(os.path.join(sys.argv[1], path), encoding="utf-8") as f:
            text = f.read()
        for number, part in names_in(path, text):
            for m in PATH.finditer(part):
                for name in alternatives(m[1]):
                    if not tree.ours(name):
                        continue
                    good += 1
                    if not tree.has(name, path):
                        print("%s:%d: %s" % (path, number, name))
                        bad, good = bad + 1, good - 1
    print("%d names of files are right, %d are not" % (good, bad))
    sys.exit(1 if bad or not good else 0)


main()
