"""What attila-sweep gets from the simulator: its keys with ranges, a configuration with all keys,
the frames of a capture, its version. Not here: the space (sweep/space.py), running (sweep/run.py).
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from attila import simulator
from attila.sweep.space import SpaceError


@dataclass(frozen=True)
class Key:
    """A parameter. full: SECTION.KEY; kind: number, flag or text; low, high: of numbers."""

    full: str
    kind: str
    low: int | None
    high: int | None
    unit: str

    def accepted(self) -> str:
        if self.kind == "number":
            return f"a number from {self.low} to {self.high} ({self.unit})"
        return "TRUE or FALSE" if self.kind == "flag" else "a text"

    def check(self, value: Any) -> Any:
        """The value as text for the simulator; raises SpaceError if it is invalid."""
        if self.kind == "number" and type(value) is int and \
                (self.low or 0) <= value <= (self.high or 0):
            return str(value)
        if self.kind == "flag" and type(value) is bool:
            return "TRUE" if value else "FALSE"
        if self.kind == "text" and isinstance(value, str) and '"' not in value:
            return value
        raise SpaceError(f"{self.full} = {value}: expected {self.accepted()}")

    def read(self, text: str) -> Any:
        """The value of a text that the simulator printed."""
        if self.kind == "number":
            return int(text)
        return text == "TRUE" if self.kind == "flag" else text.strip('"')


class Keys:
    """All parameters of the simulator, by their names."""

    def __init__(self, keys: Iterable[Key]) -> None:
        self.by_name = {k.full: k for k in keys}
        self.short: dict[str, list[str]] = {}
        for full in self.by_name:
            self.short.setdefault(full.split(".")[1], []).append(full)

    def resolve(self, name: str) -> str:
        """The full name for Section.Key, or for Key if only one section has it."""
        if name in self.by_name:
            return name
        found = self.short.get(name, [])
        if len(found) == 1:
            return found[0]
        if found:
            raise SpaceError(f"{name} is one of {', '.join(found)}")
        raise SpaceError(f"{name} is not a parameter{self._like(name)} (attila-sim describe "
                         "lists them)")

    def _like(self, name: str) -> str:
        lower = {k.lower(): k for full in self.by_name for k in (full, full.split(".")[1])}
        close = difflib.get_close_matches(name.lower(), lower, 1, 0.7)
        found = [self.short.get(lower[c], [lower[c]]) for c in close]
        return f"; is it {' or '.join(found[0])}?" if found else ""

    def find(self, name: str) -> Key:
        return self.by_name[self.resolve(name)]


def file_hash(path: str) -> str:
    h = hashlib.sha256()
    with open(path, "rb") as f:
        while True:
            block = f.read(1 << 20)
            if not block:
                return h.hexdigest()
            h.update(block)


class Simulator:
    """The program attila-sim. identity: its version and a hash of the program, since a rebuilt
    simulator may count differently."""

    def __init__(self, path: str, more: Sequence[str] = ()) -> None:
        self.path = path
        text = simulator.call(path, "--version")
        hashes = [file_hash(f) for f in [path, *more]]
        self.version = text.strip().removeprefix("attila-sim ")
        self.identity = f"{self.version} {'-'.join(h[:16] for h in hashes)}"

    @staticmethod
    def options(config: str | None, sets: Sequence[str]) -> list[str]:
        return (["--config", config] if config else []) + [a for s in sets for a in ("--set", s)]

    def keys(self, config: str | None = None, sets: Sequence[str] = ()) -> tuple[Any, ...]:
        """(Keys, {full name: value} of that machine)"""
        text = simulator.call(self.path, "--describe", "--format", "markdown",
                              *self.options(config, sets))
        section, values = None, {}
        keys: list[Any] = []
        for line in text.split("\n"):
            if line.startswith("# ") and keys:
                break
            if line.startswith("## "):
                section = line[3:]
            cells = [c.strip() for c in line.strip("|").split("|")]
            if len(cells) < 5 or cells[0] in ("Key", "---") or not line.startswith("| "):
                continue
            m = re.fullmatch(r"(\d+) to (\d+)", cells[2])
            kind = "number" if m else "text" if cells[2] == "text" else "flag"
            key = Key(f"{section}.{cells[0]}", kind, int(m[1]) if m else None,
                      int(m[2]) if m else None, cells[3])
            keys.append(key)
            values[key.full] = key.read(cells[1])
        return Keys(keys), values

    def resolved(self, config: str | None, sets: list[str]) -> tuple[Any, ...]:
        """Returns (text of the configuration with all keys, None) or (None, error)."""
        text, why = simulator.ask(self.path, "--describe", "--format", "ini",
                                  *self.options(config, sets))
        if why:
            return None, why
        # Points run in parallel, which is faster than several threads for one point.
        text = re.sub(r"^Threads = 0$", "Threads = 1", text, flags=re.MULTILINE)
        lines = (n for n in text.split("\n") if n and not n.startswith("#"))
        return "\n".join(lines) + "\n", None

    def area(self, config: str | None, sets: list[str]) -> float | None:
        """Area of the machine in mm2 (attila-sim area); None if it cannot be built."""
        text, why = simulator.ask(self.path, "area", "--format", "csv",
                                  *self.options(config, sets))
        total = re.search(r"^total,.*,([0-9.]+)$", text, re.MULTILINE)
        return float(total[1]) if not why and total else None

    def frames(self, capture: str) -> int:
        """Number of frames of a capture."""
        text, why = simulator.ask(self.path, "info", capture)
        m = re.search(r" (\d+) frames,", text)
        if why or not m:
            raise SpaceError(why or f"{capture} is no capture")
        return int(m[1])


def find_config(name: str | None, folder: str, configs: str) -> str | None:
    """The path of the file of a machine: as given, or beside SPACE.INI, or an installed one, whose
    name needs no .ini."""
    if not name:
        return None
    for path in (name if os.path.isabs(name) else os.path.join(folder, name),
                 os.path.abspath(name), os.path.join(configs, name),
                 os.path.join(configs, name + ".ini")):
        if os.path.isfile(path):
            return path
    raise SpaceError(f"no machine {name}, neither here nor in {configs}")
