"""Finds comments that are riddles: persons in the place of parts of a program, and fragments.

Usage: english.py FILE...    C, Python or shell; prints FILE:LINE: WORDS, what is wrong, and ends
                             with status 1 if there is any

It knows a few words. Whether a comment is good English needs a reader.
"""

import io
import re
import sys
import tokenize

PEOPLE = "users|people|readers|students|engineers|developers|architects|authors|reviewers"
RIDDLES = {
    rf"\b(?:some|no|any|every)(?:body|one)\b|\bno one\b|\bwho(?:m|ever)\b"
    rf"|\b(?!(?:{PEOPLE})\b)[\w'-]+,? who\b|^who\b":
        "which part of the program or of the machine?",
    r"\b(?:is|are|was|were|be|been|being)(?: not| then| once)? (?:told|asked)\b(?! (?:for|of)\b)":
        "the usual verb: called, passed, sent, reported",
    r"\bof none\b|\bthat (?:is|are) none\b":
        "say what it is: invalid, unknown, no X",
    r"^of (?:it|them|those|these|which)\b":
        "begin with what it is",
}
DOCSTRING = '"""'  # begins the text of one
FRAGMENT = r"(?:of|as|in|for|with|after|those|that) "
C_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|' r"'(?:\\.|[^'\\\n])*'|(/\*.*?\*/)|//([^\n]*)", re.S)
SHELL_COMMENT = re.compile(r"(?:^|\s)#(?!!)\s?([^\n]*)", re.M)


def comments(path: str, text: str):
    """Yields (line, comment's text on one line)."""
    if path.endswith((".c", ".h")):
        for match in C_TOKEN.finditer(text):
            comment = match.group(1) or match.group(2)
            if comment:
                yield text.count("\n", 0, match.start()) + 1, re.sub(r"\n\s*\*?", " ",
                                                                     comment.strip("/*"))
    elif path.endswith(".py") or re.match("#!.*python", text):
        block = []
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                block.append((token.start[0], token.string.lstrip("# ")))
            elif token.type != tokenize.NL:
                if block:
                    yield block[0][0], " ".join(line for _, line in block)
                block = []
                if token.type == tokenize.STRING and token.string.startswith(('"""', 'r"""')):
                    yield token.start[0], DOCSTRING + token.string.strip('r').strip('"')
    else:
        block, last = [], 0
        for match in SHELL_COMMENT.finditer(text):
            line = text.count("\n", 0, match.start(1)) + 1
            if block and line != last + 1:
                yield block[0][0], " ".join(words for _, words in block)
                block = []
            block.append((line, match.group(1)))
            last = line
        if block:
            yield block[0][0], " ".join(words for _, words in block)


def main() -> int:
    bad = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for line, comment in comments(path, text):
            comment = " ".join(comment.split())
            if comment.startswith(DOCSTRING):
                comment = comment[len(DOCSTRING):]
                if re.match(FRAGMENT, comment, re.I):
                    print(f"{path}:{line}: {comment[:30]}: begin with a noun or a verb")
                    bad += 1
            for pattern, advice in RIDDLES.items():
                for match in re.finditer(pattern, comment, re.I):
                    print(f"{path}:{line}: {match.group()}: {advice}")
                    bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
