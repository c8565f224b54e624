"""Turns the --help of a program into its manual page: usage lines become the synopsis, lines that
begin with an option become a list, indented blocks stay as they are. Run by Meson: manpage.py NAME
SUMMARY VERSION COMMAND [ARGUMENT ...] prints the page for the output of COMMAND.
"""

import re
import subprocess
import sys

OPTION = re.compile(r"^ {2,8}(-\S.*?)(?:  +(\S.*))?$")


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def synopsis(lines):
    """Removes the lines of the usage from the front of the list, and returns them without
    'Usage:'."""
    found = []
    while lines and (lines[0].lower().startswith("usage:") or
                     (found and lines[0].startswith("   "))):
        found.append(re.sub(r"(?i)^usage:\s*", "", lines.pop(0)).strip())
    return found


def options(lines):
    """Removes options and their continuation lines from the front; returns [(option, text)]."""
    m = OPTION.match(lines.pop(0))
    texts = [m[2]] if m[2] else []
    while lines and re.match(r"^ {9,}\S", lines[0]) and not OPTION.match(lines[0]):
        texts.append(lines.pop(0).strip())
    return [".TP", "\\fB%s\\fR" % escape(m[1]), escape(" ".join(texts))]


def body(lines):
    out, filled = [], False
    while lines:
        line = lines[0]
        if OPTION.match(line):
            out += options(lines)
            filled = False
        elif re.match(r"^ {2,}\S", line):
            out += [".PP", ".nf", ".RS"]
            while lines and (re.match(r"^ {2,}\S", lines[0]) and not OPTION.match(lines[0])):
                out.append(escape(lines.pop(0)[2:].rstrip()))
            out += [".RE", ".fi"]
            filled = False
        elif not line.strip():
            lines.pop(0)
            filled = False
        else:
            if not filled:
                out.append(".PP")
            out.append(escape(lines.pop(0).strip()))
            filled = True
    return out


def main(name, summary, version, command):
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = done.stdout.replace("scripts/" + name, name).rstrip("\n").split("\n")
    usage = synopsis(lines)
    if not usage:
        sys.exit("manpage.py: %s has no usage" % " ".join(command))
    out = ['.TH %s 1 "" "attila %s" "Attila"' % (name.upper(), version), ".SH NAME",
           "%s \\- %s" % (name, escape(summary)), ".SH SYNOPSIS", ".nf"]
    out += [escape(u) for u in usage]
    out += [".fi", ".SH DESCRIPTION"]
    out += body(lines)
    others = [n for n in ("attila-run", "attila-sim", "attila-report", "attila-sample",
                          "attila-sweep") if n != name]
    out += [".SH SEE ALSO", ", ".join("\\fB%s\\fR(1)" % escape(n) for n in others),
            ".PP", "The documents in /usr/share/doc/attila."]
    print("\n".join(out))


main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
