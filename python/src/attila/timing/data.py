"""The cases of the timing validation: descriptions, bounds, figures of the original. Used by
timing/main.py. Not here: running the simulator (timing/run.py), printing (timing/report.py).

A folder of cases such as tests/timing/ holds: CASE.attila, a capture for each case; original.csv,
the statistics of the original; and perhaps cases.txt with descriptions.
"""

from __future__ import annotations

import configparser
import csv
import glob
import gzip
import os
import re
from dataclasses import dataclass, field
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attila.cli import Error
from attila.paths import TOP

TIMING = os.path.join(TOP, "tests", "timing")
# A ratio or an effect agrees within the first; a statistic with a target agrees within the second.
CLOSE, TARGET = 0.10, 0.15
KEYS = ("what", "unit", "bound", "ratio", "outside", "goal", "limiter", "original", "stream", "set",
        "reach", "memory")
# A statistic with less than this part of all bytes or commands of a case is not compared.
SMALL = 0.01


@dataclass
class Case:
    """A case, as in cases.txt. reach: the part of its bound's rate that it must reach; stream: the
    case whose capture it plays, if not its own; memory: the file of configs/memory on which the
    machine is based; changes: of the machine, SECTION.Key=value; original: {family: value} with
    "cycles", empty if the original cannot run it; same_as: the case whose figures of the original
    also hold for this one."""

    name: str
    folder: str
    what: str = ""
    unit: str = ""
    bound_text: str = ""
    outside: str = ""
    bound: float | None = None
    recorded: float | None = None
    reach: float | None = None
    stream: str = ""
    memory: str = ""
    changes: list[str] = field(default_factory=list)
    original: dict[str, int] = field(default_factory=dict)
    goal: bool = False
    same_as: str = ""

    @property
    def capture(self) -> str:
        return os.path.join(self.folder, (self.stream or self.name) + ".attila")

    @property
    def options(self) -> list[str]:
        return [word for change in memory_keys(self.memory) + self.changes
                for word in ("--set", change)]


def memory_keys(name: str) -> list[str]:
    """The keys of a file of configs/memory, SECTION.Key=value; "": none."""
    if not name:
        return []
    path = os.path.join(TOP, "configs", "memory", name + ".ini")
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment]
    parser.read_string("\n".join(read_lines(path)))
    return [f"{section}.{key}=" + value.strip('"')
            for section in parser.sections() for key, value in parser[section].items()]


def arithmetic(text: str) -> float:
    """The value of a text such as '8 screens * 307200 fragments / (4 ROPs * 4 fragments)'. Words
    explain the numbers and are ignored."""
    formula = re.sub(r"[A-Za-z_][A-Za-z_0-9'-]*", " ", re.sub(r",(?=\d{3})", "", text))
    if not re.fullmatch(r"[\d\s.+*/()-]+", formula) or not re.search(r"\d", formula):
        raise Error(f"'{text}' is no arithmetic with words")
    try:
        return float(eval(formula, {"__builtins__": {}}))  # only digits and operators, see above
    except (SyntaxError, TypeError, ZeroDivisionError):
        raise Error(f"'{text}' cannot be calculated") from None


def read_lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8") as f:
            return f.read().split("\n")
    except OSError as e:
        raise Error(f"{path}: {e.strerror}") from None


def read_descriptions(path: str, cases: dict[str, Case]) -> Any:
    """Fills in {name: Case} from cases.txt, which has '[name]' and then 'key = text', which may
    continue on indented lines."""
    key = name = ""
    entries: dict[str, dict[str, str]] = {}
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line[0].isspace() and key:
            entries[name][key] += " " + line.strip()
        elif re.fullmatch(r"\[\w+\]", line.strip()):
            name, key = line.strip()[1:-1], ""
            if name in entries:
                raise Error(f"{path}:{number}: a second [{name}]")
            entries[name] = {}
        elif "=" in line and name:
            key, _, value = line.partition("=")
            key = key.strip()
            if key not in KEYS:
                raise Error(f"{path}:{number}: {key} is not one of {', '.join(KEYS)}")
            entries[name][key] = value.strip()
        else:
            raise Error(f"{path}:{number}: expected [case] or key = text")
    for name, keys in entries.items():
        stream = keys.get("stream", name)
        if stream not in cases:
            raise Error(f"{path}: there is no {stream}.attila")
        case = cases.setdefault(name, Case(name, cases[stream].folder))
        case.stream = stream
        case.memory = keys.get("memory", "")
        memory_keys(case.memory)  # is there
        case.changes = [c.strip() for c in keys["set"].split(";")] if "set" in keys else []
        for key in ("what", "unit", "bound"):
            if not keys.get(key):
                raise Error(f"{path}: [{name}] has no {key}")
        if bool(keys.get("ratio")) != bool(keys.get("outside")):
            raise Error(f"{path}: [{name}]: ratio and outside come together")
        case.what, case.unit, case.bound_text = keys["what"], keys["unit"], keys["bound"]
        case.outside = keys.get("outside", "")
        case.goal = keys.get("goal") == "yes"
        case.same_as = keys.get("original", "")
        if case.same_as and case.same_as not in cases:
            raise Error(f"{path}: [{name}]: there is no case {case.same_as}")
        try:
            case.bound = arithmetic(keys["bound"])
            case.recorded = float(keys["ratio"]) if "ratio" in keys else None
            case.reach = float(keys["reach"].rstrip(" %")) / 100 if "reach" in keys else None
        except (Error, ValueError) as e:
            raise Error(f"{path}: [{name}]: {e}") from None
    return list(entries)


def write_ratios(folder: str, ratios: Mapping[str, float | None]) -> None:
    """Writes {name: ratio} into the lines "ratio = " of cases.txt, for the cases that have one."""
    path, name, lines = os.path.join(folder, "cases.txt"), "", []
    for line in read_lines(path):
        if re.fullmatch(r"\[\w+\]", line.strip()):
            name = line.strip()[1:-1]
        if re.match(r"ratio *=", line) and ratios.get(name) is not None:
            line = f"ratio = {ratios[name]:.2f}"
        lines.append(line)
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(lines))


def read_folder(folder: str) -> list[Case]:
    """The cases of a folder in the order of cases.txt."""
    names = sorted(os.path.basename(f)[:-len(".attila")]
                   for f in glob.glob(os.path.join(glob.escape(folder), "*.attila")))
    if not names:
        raise Error(f"{folder}: no captures (CASE.attila) in it")
    cases = {n: Case(n, folder) for n in names}
    path = os.path.join(folder, "cases.txt")
    order = read_descriptions(path, cases) if os.path.exists(path) else []
    path = os.path.join(folder, "original.csv")
    if os.path.exists(path):
        for row in read_table(path):
            name = row.pop("case")
            if name not in cases:
                raise Error(f"{path}: there is no {name}.attila")
            try:
                cases[name].original = {k: int(v) for k, v in row.items() if v != ""}
            except (TypeError, ValueError):
                raise Error(f"{path}: {name}: not a number in each column") from None
    for case in cases.values():
        if case.same_as:
            case.original = cases[case.same_as].original
    return [cases[n] for n in order + [n for n in names if n not in order]]


def read_table(path: str) -> list[dict[str, str]]:
    lines = read_lines(path)
    rows = list(csv.DictReader(lines))
    if not rows:
        raise Error(f"{path}: no rows")
    return rows


class Group:
    """Statistics that are listed together in statistics.txt; small parts of a sum are not compared.
    names: {our statistic: another one that the original includes in it, or ""}."""

    def __init__(self, title: str, what: str) -> None:
        self.title = title
        self.names: dict[str, str] = {}
        self.sums, self.target = bool(what), what.endswith("a target")


def read_statistics() -> list[Group]:
    """[Group] of statistics.txt: '= title', '= title (parts of a sum)' or '= title (parts of a sum,
    a target)', then a family per line, in which # stands for the number of an instance; 'FAMILY -
    OTHER' means that the original includes OTHER in it."""
    path, groups = os.path.join(TIMING, "statistics.txt"), []
    for number, line in enumerate(read_lines(path), 1):
        line = line.strip()
        if not line or line.startswith("# "):
            continue
        heading = re.fullmatch(r"= (.*?)(?: \((parts of a sum(?:, a target)?)\))?", line)
        family = re.fullmatch(r"([\w#-]+)(?: - ([\w#-]+))?", line)
        if heading:
            groups.append(Group(heading[1], heading[2] or ""))
        elif groups and family:
            groups[-1].names[family[1]] = family[2] or ""
        else:
            raise Error(f"{path}:{number}: expected '= title' or the name of a statistic")
    return groups


def check_columns(folder: str, wanted: Sequence[str]) -> None:
    """Checks that the folder's original.csv has a column for every statistic that is compared."""
    path = os.path.join(folder, "original.csv")
    have: Any = next(csv.reader(read_lines(path)), [])
    for name in wanted:
        if name not in have:
            raise Error(f"{path} has no {name}: it is to be imported anew (--import)")


def families(rows: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """{family: sum over rows and instances}. Digits in the unit's name, behind the last _, are
    instances."""
    out: dict[Any, Any] = {}
    for row in rows:
        for name, value in row.items():
            what, _, unit = (name or "").rpartition("_")
            try:
                number = float(value)
            except (TypeError, ValueError):
                continue
            family = what + "_" + re.sub(r"\d+", "#", unit) if what else name
            out[family] = out.get(family, 0) + number
    return out


def import_original(source: str, folder: str, wanted: Sequence[str]) -> Any:
    """Writes folder/original.csv anew for the cases in source; for each case the original has left
    CASE/original.frames.csv.gz there. Returns the names."""
    path, rows, found = os.path.join(folder, "original.csv"), {}, []
    if os.path.exists(path):
        rows = {r["case"]: r for r in read_table(path)}
    for file in sorted(glob.glob(os.path.join(glob.escape(source), "*",
                                              "original.frames.csv.gz"))):
        name = os.path.basename(os.path.dirname(file))
        try:
            with gzip.open(file, "rt") as f:
                counted = families(csv.DictReader(f, delimiter=";"))
        except (OSError, EOFError) as e:
            raise Error(f"{file}: {e}") from None
        if "CycleCounter" not in counted:
            raise Error(f"{file}: no column CycleCounter: not a file of the original")
        row = {"case": name, "cycles": f"{int(counted['CycleCounter'])}"}
        row.update((w, f"{int(counted[w])}") for w in wanted if w in counted)
        rows[name] = row
        found.append(name)
    if not found:
        raise Error(f"{source}: no CASE/original.frames.csv.gz in it")
    with open(path, "w", encoding="utf-8", newline="") as f:
        writer = csv.DictWriter(f, ["case", "cycles", *wanted], restval="",
                                extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[n] for n in sorted(rows))
    return found
