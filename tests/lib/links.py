"""Checks the links of Markdown pages.

Usage: links.py FOLDER      FOLDER: the source tree, a git repository

A link leads to a file or folder of the tree, relative to its page, and its anchor to a heading or
an <a id> there. Every page but those of .github/ can be reached from README.md. Links to other
hosts are not followed. Prints FILE:LINE: WHAT for each that is wrong, and ends with status 1 if
there is any. Not here: names of files in text and comments (paths.py).
"""

import os
import posixpath
import re
import subprocess
import sys

LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)|^\[[^\]]+\]:\s+(\S+)")


def listed(top):
    files = subprocess.run(["git", "-C", top, "ls-files", "-z"], check=True, capture_output=True,
                           text=True).stdout.split("\0")
    return {f for f in files if f and os.path.exists(os.path.join(top, f))}


class Page:
    """The links (line, target) and anchors of a page."""

    def __init__(self, path):
        self.links, self.anchors = [], set()
        fenced = False
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                if line.lstrip().startswith("```"):
                    fenced = not fenced
                elif not fenced:
                    self._line(number, line)

    def _line(self, number, line):
        heading = re.match(r"#+\s+(.*?)\s*#*$", line)
        if heading:
            self._anchor(heading[1])
        self.anchors.update(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", line))
        for m in LINK.finditer(re.sub(r"`[^`]*`", "", line)):
            self.links.append((number, m[1] or m[2]))

    def _anchor(self, text):
        """A heading's anchor, as hosts of git repositories make it."""
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
        name = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        number, unique = 0, name
        while unique in self.anchors:
            number += 1
            unique = "%s-%d" % (name, number)
        self.anchors.add(unique)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    top = sys.argv[1]
    files = listed(top)
    folders = {f[:i] for f in files for i in range(len(f)) if f[i] == "/"}
    pages = {f: Page(os.path.join(top, f)) for f in files if f.endswith(".md")}
    bad, good, to = [], 0, {f: set() for f in pages}
    for path, page in sorted(pages.items()):
        for number, target in page.links:
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            folder = posixpath.dirname(path)
            name = posixpath.normpath(posixpath.join(folder, name)) if name else path
            if name not in files and name not in folders and name != ".":
                bad.append("%s:%d: %s is not there" % (path, number, name))
            elif anchor and (name not in pages or anchor not in pages[name].anchors):
                bad.append("%s:%d: %s has no #%s" % (path, number, name, anchor))
            else:
                good += 1
                if name in pages:
                    to[path].add(name)
    reached, left = set(), ["README.md"]
    while left:
        page = left.pop()
        if page not in reached:
            reached.add(page)
            left += to.get(page, ())
    bad += ["%s:1: no link leads here from README.md" % p for p in sorted(pages)
            if p not in reached and not p.startswith(".github/")]
    print("\n".join(bad + ["%d links are right, %d are not" % (good, len(bad))]))
    sys.exit(1 if bad or not good else 0)


main()
