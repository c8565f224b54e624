"""Finds the command lines of a page in Markdown.

Usage: page_commands.py PAGE

Commands are in blocks that begin with ```sh. A comment on the line above such a block says how it
is tried:

  <!-- not run: WHY -->                not at all; the reason is for readers of the source
  <!-- run with: NAME=VALUE ... -->    with each word NAME of the block replaced by VALUE, in which
                                       + stands for a space

Prints a script of the blocks that are to be run, in their order, which also writes the line where a
block begins to descriptor 3 before it; lines "# not LINE: WHY" stand for the others. Prints
FILE:LINE: WHAT on standard error and ends with status 1 for a comment that belongs to no block or
says nothing, and for a block of another kind that has a command in it.
"""

import re
import sys

MARK = re.compile(r"\s*<!-- (not run|run with):?\s*(.*?)\s*-->\s*$")
# attila-bgpu is a machine, not a command.
COMMAND = re.compile(r"\s*(\$ |(scripts|build\S*)/\S+ |attila(-(?!bgpu )\w+)? )")


def replaced(text, words, wrong):
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            wrong("'%s' is not NAME=VALUE" % word)
            continue
        text, count = re.subn(r"(?<![\w.])%s(?!\w|\.\w)" % re.escape(name),
                              lambda _: value.replace("+", " "), text)
        if not count:
            wrong("the block has no %s" % name)
    return text


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    page = sys.argv[1]
    lines = open(page, encoding="utf-8").read().split("\n")
    bad = []
    mark, fence, block, start = None, None, [], 0
    for number, line in enumerate(lines + [""], 1):
        def wrong(what, at=number):
            bad.append("%s:%d: %s" % (page, at, what))

        if fence is None:
            if line.lstrip().startswith("```"):
                fence, block, start = line.strip()[3:], [], number
                if mark and fence != "sh":
                    wrong("a mark above a block that is not ```sh")
                continue
            if mark:
                wrong("a mark with no block below it", number - 1)
            mark = MARK.match(line)
            if mark and not mark[2]:
                wrong("'%s' says nothing" % mark[1])
        elif line.strip() == "```":
            text = "\n".join(block) + "\n"
            if fence == "sh" and mark and mark[1] == "not run":
                print("# not %d: %s" % (start, mark[2]))
            elif fence == "sh":
                words = mark[2].split() if mark else []
                print("echo %d >&3\n%s" % (start, replaced(text, words,
                                                          lambda w: wrong(w, start))))
            elif fence == "" and any(COMMAND.match(c) for c in block):
                wrong("a command in a block that is not ```sh", start)
            fence = mark = None
        else:
            block.append(line)
    print("\n".join(bad), end="\n" if bad else "", file=sys.stderr)
    sys.exit(1 if bad else 0)


main()
