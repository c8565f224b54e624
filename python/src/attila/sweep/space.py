"""The design space of attila-sweep: reads SPACE.INI, checks every name and value against the keys
of the simulator, and lists the configurations. Not here: calling the simulator (sweep/machine.py),
running (sweep/run.py). The format is in docs/howto/sweep.md.
"""

from __future__ import annotations

import ast
import hashlib
import operator
import os
import re
from dataclasses import dataclass
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attila.cli import Error, UsageError

LARGEST = 1000000  # combinations that are listed; a random design may draw from more
MOST_BITS = 1024  # of the result of a power


class SpaceError(UsageError):
    """An error in the space, with a message for its author."""


class Undefined(SpaceError):
    """An expression without a value, such as a division by 0."""


def power(a: Any, b: Any) -> Any:
    """a ** b with a bound: without one, 9**9**9 would take all memory."""
    if isinstance(a, int) and isinstance(b, int) and abs(b) * a.bit_length() > MOST_BITS:
        raise OverflowError(f"a power of more than {MOST_BITS} bits")
    return a ** b


def times(a: Any, b: Any) -> Any:
    if isinstance(a, str) or isinstance(b, str):
        raise TypeError("a text cannot be multiplied")
    return a * b


def log2(x: Any) -> int:
    """Returns the logarithm of a whole number from 1, rounded down."""
    if not isinstance(x, int) or x < 1:
        raise ValueError(f"log2 takes a whole number from 1, not {x}")
    return x.bit_length() - 1


OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: times, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: power, ast.Eq: operator.eq,
    ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.USub: operator.neg, ast.Not: operator.not_}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": lambda *v: min(v), "max": lambda *v: max(v), "abs": abs, "round": round, "log2": log2}


class Expression:
    """Arithmetic over parameters: 2 * GPU.NumStampPipes, min(8, NumFragmentShaders), TRUE. resolve:
    turns a name into a full name or raises SpaceError."""

    def __init__(self, text: str, resolve: Callable[[str], str]) -> None:
        self.text = text
        self.names: set[Any] = set()
        try:
            tree = ast.parse(text.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise SpaceError(f"'{text}' is no expression") from None
        self._value = self._compile(tree.body, resolve)

    def _compile(self, node: ast.AST, resolve: Callable[[str], str]) -> Any:
        """Compiles a node to a function of {name: value}."""
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str)):
            return lambda v, c=node.value: c
        if isinstance(node, ast.Name) and node.id.upper() in ("TRUE", "FALSE"):
            return lambda v, c=node.id.upper() == "TRUE": c
        if isinstance(node, (ast.Name, ast.Attribute)):
            name = resolve(ast.unparse(node))
            self.names.add(name)
            return lambda v: v[name]
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            parts = [self._compile(n, resolve) for n in (node.left, node.right)]
            return lambda v, f=OPERATORS[type(node.op)]: f(parts[0](v), parts[1](v))
        if isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
            part = self._compile(node.operand, resolve)
            return lambda v, f=OPERATORS[type(node.op)]: f(part(v))
        if isinstance(node, ast.BoolOp):
            parts = [self._compile(n, resolve) for n in node.values]
            which = all if isinstance(node.op, ast.And) else any
            return lambda v: which(p(v) for p in parts)
        if isinstance(node, ast.Compare) and all(type(o) in OPERATORS for o in node.ops):
            parts = [self._compile(n, resolve) for n in [node.left] + node.comparators]
            tests: list[Callable[[Any, Any], Any]] = [OPERATORS[type(o)] for o in node.ops]
            return lambda v: all(t(a(v), b(v)) for t, a, b in zip(tests, parts, parts[1:]))
        if isinstance(node, ast.IfExp):
            parts = [self._compile(n, resolve) for n in (node.test, node.body, node.orelse)]
            return lambda v: parts[1](v) if parts[0](v) else parts[2](v)
        if (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and
                node.func.id in FUNCTIONS and not node.keywords):
            parts = [self._compile(n, resolve) for n in node.args]
            return lambda v, f=FUNCTIONS[node.func.id]: f(*[p(v) for p in parts])
        raise SpaceError(f"'{ast.unparse(node)}' in '{self.text}' is not understood")

    def value(self, values: dict[str, bool | int]) -> Any:
        try:
            v = self._value(values)
        except (ArithmeticError, TypeError, ValueError) as e:
            raise Undefined(f"'{self.text}' has no value: {e}") from None
        return int(v) if isinstance(v, float) and v.is_integer() else v


@dataclass
class Axis:
    """A parameter and its alternatives, each an expression."""

    key: Any
    alternatives: list[Expression]

    @property
    def derived(self) -> Any:
        """Whether the parameter follows from others and has no alternatives."""
        return len(self.alternatives) == 1 and bool(self.alternatives[0].names)

    def needs(self) -> set[str]:
        return set().union(*(a.names for a in self.alternatives)) if self.alternatives else set()


@dataclass
class Configuration:
    """A place in the space: a machine, and the values of all axes as texts."""

    machine: str
    settings: dict[str, str]

    def sets(self) -> list[str]:
        return ["%s=%s" % item for item in self.settings.items()]

    def label(self) -> str:
        parts = [] if self.machine == "" else [self.machine]
        return ", ".join(parts + [f"{k.split('.')[1]}={v}"
                                  for k, v in self.settings.items()]) or "the machine as it is"


def split_list(text: str) -> list[str]:
    """Splits at commas that are not in parentheses or quotes."""
    parts, depth, quoted = [""], 0, False
    for c in text:
        quoted ^= c == '"'
        depth += 0 if quoted else (c == "(") - (c == ")")
        if c == "," and not depth and not quoted:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts]


def without_comment(line: str) -> str:
    quoted = False
    for i, c in enumerate(line):
        quoted ^= c == '"'
        if c in "#;" and not quoted:
            return line[:i].strip()
    return line.strip()


def read_sections(path: str) -> Any:
    """[(section, number of the line, text)] of all lines that are not empty or comments."""
    lines, section = [], None
    try:
        with open(path, encoding="utf-8") as f:
            text = f.read().split("\n")
    except (OSError, UnicodeDecodeError) as e:
        raise Error(f"cannot read {path}: {getattr(e, 'strerror', None) or e}") from None
    for number, line in enumerate(text, 1):
        line = without_comment(line)
        m = re.fullmatch(r"\[\s*(.*?)\s*\]", line)
        if m:
            section = m[1]
        elif line and section is None:
            raise SpaceError(f"{path}:{number}: a line before the first [section]")
        if line:
            lines.append((section, number, None if m else line))
    return lines


def expand(item: str, where: str) -> list[str]:
    """Expands 1..8, 1..8 step 2 and 1..16 times 2 to their values; others stay as they are."""
    m = re.fullmatch(r"(\d+)\s*\.\.\s*(\d+)(?:\s+(step|times)\s+(\d+))?", item)
    if not m:
        return [item]
    low, high, by = int(m[1]), int(m[2]), int(m[4] or 1)
    if high < low or by < 1 or (m[3] == "times" and (by < 2 or low < 1)) or high - low > LARGEST:
        raise SpaceError(f"{where}: '{item}' is no range")
    values = [low]
    while True:
        n = values[-1] * by if m[3] == "times" else values[-1] + by
        if n > high:
            return [str(v) for v in values]
        values.append(n)


class Space:
    """What SPACE.INI says. keys is a Keys (sweep/machine.py). Members: options ({name: text} of
    [sweep]), machines ({name: (config or None, [Section.Key=value])}), axes, constraints, area (an
    Expression or None), captures (paths)."""

    OPTIONS = ("config", "design", "samples", "seed", "mode", "ideal", "frames", "split", "count",
               "statistics", "baseline", "energy", "sample", "warm_up")
    DESIGNS = ("grid", "random", "one-at-a-time")

    def __init__(self, path: str, keys: Any) -> None:
        self.path, self.keys = path, keys
        self.folder = os.path.dirname(os.path.abspath(path))
        self.options: dict[Any, Any] = {}
        self.machines: dict[Any, Any] = {}
        self.axes: list[Any] = []
        self.area: Expression | None = None
        self.constraints: list[Any] = []
        self.captures: list[Any] = []
        self.lines: dict[tuple[str, str], int] = {}  # number of the line of each name of a section
        with_text = hashlib.sha256()
        for section, number, line in read_sections(path):
            where = f"{path}:{number}"
            with_text.update((f"[{section}]{line}\n").encode())
            try:
                self._line(section, line, number)
            except SpaceError as e:
                raise SpaceError(f"{where}: {e}") from None
        self.hash = with_text.hexdigest()
        self._check_options()
        self._order()

    def _once(self, section: str, name: str, number: int) -> None:
        before = self.lines.setdefault((section, name), number)
        if before != number:
            raise SpaceError(f"{name} stands in line {before}, too: expected once")

    def _line(self, section: str, line: str | None, number: int) -> None:
        machine = re.fullmatch(r"machine\s+([\w.+-]+)", section)
        if line is None:
            if not machine and section not in ("sweep", "parameters", "constraints", "area",
                                               "captures"):
                raise SpaceError(f"no section [{section}]: there are [sweep], [parameters], "
                                 "[constraints], [area], [captures] and [machine NAME]")
            if machine:
                self._once(section, f"[machine {machine[1]}]", number)
                self.machines[machine[1]] = (None, [])
        elif section == "constraints":
            self.constraints.append(Expression(line, self.keys.resolve))
        elif section == "captures":
            self.captures.append(os.path.join(self.folder, line))
        else:
            name, equals, text = (p.strip() for p in line.partition("="))
            if not equals or not name or not text:
                raise SpaceError(f"NAME = VALUE is wanted, not '{line}'")
            of_machine = section == "parameters" or machine and name != "config"
            self._once(section, self.keys.find(name).full if of_machine else name, number)
            self._assignment(section, machine[1] if machine else None, name, text)

    def _assignment(self, section: str, machine: str | None, name: str, text: str) -> None:
        if section == "sweep":
            if name not in self.OPTIONS:
                raise SpaceError(f"[sweep] has no '{name}': there are {', '.join(self.OPTIONS)}")
            self.options[name] = text
        elif section == "area":
            if name != "area" or self.area:
                raise SpaceError("[area] has one line, area = EXPRESSION")
            self.area = Expression(text, self.keys.resolve)
        elif machine and name == "config":
            self.machines[machine] = (text, self.machines[machine][1])
        elif machine:
            key = self.keys.find(name)
            value = key.check(text.strip('"') if key.kind == "text" else
                              Expression(text, self.keys.resolve).value({}))
            self.machines[machine][1].append(f"{key.full}={value}")
        else:
            self._axis(self.keys.find(name), text)

    def _axis(self, key: Any, text: str) -> None:
        items = split_list(text)
        if "" in items:
            raise SpaceError(f"{key.full}: a value is missing in '{text}'")
        if key.kind == "text":
            alternatives = [Expression(repr(i.strip('"')), self.keys.resolve) for i in items]
        else:
            alternatives = [Expression(v, self.keys.resolve)
                            for i in items for v in expand(i, key.full)]
        for a in alternatives:
            if not a.names:  # the others are checked once their values are known
                key.check(a.value({}))
            elif key.full in a.names:
                raise SpaceError(f"{key.full} depends on itself")
        self.axes.append(Axis(key, alternatives))

    def _check_options(self) -> None:
        o = self.options
        words = o.setdefault("design", "grid").split()
        if len(words) == 2 and words[0] == "random":  # random 100
            o["design"], o["samples"] = words
        if o["design"] not in self.DESIGNS:
            raise SpaceError(f"{self.path}: design is {', '.join(self.DESIGNS[:-1])} or "
                             f"{self.DESIGNS[-1]}, not '{o['design']}'")
        for name in ("samples", "split"):
            if name in o and not re.fullmatch(r"[1-9]\d{0,8}", o[name]):
                raise SpaceError(f"{self.path}: {name} is a number from 1, not '{o[name]}'")
        if (o["design"] == "random") != ("samples" in o):
            raise SpaceError(f"{self.path}: design = random N, and only that design, says how many")
        if not re.fullmatch(r"\d{1,9}", o.get("baseline", "0")):
            raise SpaceError(f"{self.path}: baseline is the number of a place, not "
                             f"'{o['baseline']}'")
        for name in ("frames", "count"):
            if name in o and not re.fullmatch(r"\d{1,9}(-(\d{1,9})?)?", o[name]):
                raise SpaceError(f"{self.path}: {name} is A, A-B or A-, not '{o[name]}'")
        if "sample" in o and not (re.fullmatch(r"\d{1,2}(\.\d{1,3})?( most [1-9]\d{0,8})?",
                                               o["sample"]) and float(o["sample"].split()[0])):
            raise SpaceError(f"{self.path}: sample is PERCENT or PERCENT most N, not "
                             f"'{o['sample']}'")
        if not re.fullmatch(r"\d{1,9}", o.get("warm_up", "0")):
            raise SpaceError(f"{self.path}: warm_up is a number from 0, not '{o['warm_up']}'")
        if int(o.get("warm_up", 0)) and not {"frames", "split", "sample"} & set(o):
            raise SpaceError(f"{self.path}: warm_up needs frames, split or sample: other runs "
                             "begin with the first frame")
        if "sample" in o and "count" in o:
            raise SpaceError(f"{self.path}: a sample is of all frames, or of frames = A-B; count "
                             "is not for it")
        if o.setdefault("mode", "cycle") not in ("cycle", "half"):
            raise SpaceError(f"{self.path}: mode is cycle or half, not '{o['mode']}'")
        if not self.axes and not self.machines:
            raise SpaceError(f"{self.path}: nothing varies: no [parameters] and no [machine NAME]")
        if not self.machines:
            self.machines[""] = (None, [])

    def _order(self) -> None:
        """Sorts parameters: those on which others depend come first."""
        left, names = list(self.axes), {a.key.full for a in self.axes}
        ordered: list[Any] = []
        while left:
            known = {a.key.full for a in ordered}
            ready = [a for a in left if a.needs() & names <= known]
            if not ready:
                raise SpaceError(f"{self.path}: these depend on each other: "
                                 f"{', '.join(a.key.full for a in left)}")
            ordered += ready
            left = [a for a in left if a not in ready]
        self.order = ordered

    def config_of(self, machine: str, default: str | None) -> str | None:
        return self.machines[machine][0] or self.options.get("config") or default

    def _place(self, base: dict[str, bool | int],
               chosen: Mapping[str, Expression]) -> dict[str, str] | None:
        """{key: text} for the chosen alternatives ({full name: Expression}), or None if a
        constraint fails. base: the values of the machine."""
        values = dict(base)
        for axis in self.order:
            choice = chosen.get(axis.key.full)
            if choice is not None:
                values[axis.key.full] = choice.value(values)
        if not all(c.value(values) for c in self.constraints):
            return None
        settings = {}
        for axis in self.axes:
            name = axis.key.full
            try:
                settings[name] = axis.key.check(values[name])
            except SpaceError as e:
                others = ", ".join(f"{a.key.full} = {values[a.key.full]}"
                                   for a in self.axes if a is not axis)
                raise SpaceError(f"{e}, where {others}; [constraints] can leave such places "
                                 "out") from None
        return settings

    def _indices(self, total: int) -> Any:
        """The numbers of the combinations to try, in order; for a random design, without end."""
        if self.options["design"] != "random":
            return range(total)
        if total <= LARGEST:
            seed = self.options.get("seed", "1")
            return sorted(range(total), key=lambda i: hashlib.sha256(
                (f"{seed}:{i}").encode()).digest())
        return self._drawn(total)

    def _drawn(self, total: int) -> Iterator[Any]:
        seen = set()
        for n in range(LARGEST):
            digest = hashlib.sha256((f"{self.options.get('seed', '1')}:{n}").encode())
            i = int.from_bytes(digest.digest(), "big") % total
            if i not in seen:
                seen.add(i)
                yield i

    def _choices(self) -> Iterator[Any]:
        """Yields {key: Expression} for each combination of the design."""
        if self.options["design"] == "one-at-a-time":
            derived = {a.key.full: a.alternatives[0] for a in self.axes if a.derived}
            yield derived
            for axis in self.axes:
                for alternative in () if axis.derived else axis.alternatives:
                    yield {**derived, axis.key.full: alternative}
            return
        total = 1
        for axis in self.axes:
            total *= len(axis.alternatives)
        if total > LARGEST and self.options["design"] == "grid":
            raise SpaceError(f"{self.path}: {total} combinations are too many for a grid: design "
                             "= random N")
        for i in self._indices(total):
            chosen = {}
            for axis in reversed(self.axes):  # the last parameter changes fastest
                i, n = divmod(i, len(axis.alternatives))
                chosen[axis.key.full] = axis.alternatives[n]
            yield chosen

    def configurations(self, bases: Mapping[str, Any]) -> Any:
        """Lists the configurations, each once; for a random design, each sample on all machines.
        bases: {machine: {full name: value}}."""
        found = []
        wanted = int(self.options.get("samples", LARGEST))
        for machine in self.machines:
            seen: dict[Any, Any] = {}
            try:
                for chosen in self._choices():
                    settings = self._place(bases[machine], chosen)
                    if settings is not None:
                        seen.setdefault(tuple(settings.items()), settings)
                    if len(seen) == wanted:
                        break
            except SpaceError as e:
                raise SpaceError(f"{self.path}: {e}") from None
            found += [Configuration(machine, s) for s in seen.values()]
        if not found:
            raise SpaceError(f"{self.path}: the constraints leave nothing")
        if int(self.options.get("baseline", 0)) >= len(found):
            raise SpaceError(f"{self.path}: there are places 0 to {len(found) - 1}, no baseline "
                             f"{self.options['baseline']}")
        return found
