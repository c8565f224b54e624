"""Running a program live with everything at once that explains its cycles, and what two such runs
must have in common. Not here: what one run must be like (live_checks.py), which programs there are
(attila.live.apps)."""

from __future__ import annotations

import csv
import glob
import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from attila.cli import Error
from attila.live import apps as live_apps
from attila.paths import TOP
from attila.records import reader

RUN = os.path.join(TOP, "scripts", "attila-run")
INTERVAL = 5000   # cycles
TRACE_LIMIT = 2   # MiB of a trace between units
# Counters of GALLIUM_HUD, and the columns of frames.csv whose sum each one must be; cycles are not
# a frame's (live_checks.py).
HUD = {"cycles": ["cycles"],
       "draws": ["Batches_CP"],
       "vertices": ["ShadedVertices_FFU"],
       "fragments": ["ShadedFragments_FFU"],
       "CyclesBusy_HZ": ["CyclesBusy_HZ"]}
# What depends on the host, in frames.csv and in tables of the record.
HOST_COLUMNS = {"host_seconds", "cpu_seconds", "kcycles_per_s"}
HOST_RECORD = {"run": {"host", "started", "wall_seconds", "cpu_seconds"},
               "frames": {"host_seconds", "cpu_seconds"}}


def last_line(path: str) -> Any:
    with open(path, encoding="utf-8", errors="replace") as f:
        lines = f.read().strip().splitlines()
    return lines[-1] if lines else "no message"


class Program:
    """Something to run: a name, a command, frames; home: (file, text) that it finds in its home."""

    def __init__(self, name: str, command: list[str], frames: int,
                 home: tuple[str, str] | None = None, ends_itself: bool = False,
                 replay: str | None = None) -> None:
        self.name, self.command, self.frames, self.home = name, command, frames, home
        self.ends_itself = ends_itself  # after these frames
        self.replay = replay            # the trace that the command replays

    def call(self, options: Sequence[str], command: list[str], log: str,
             extra: Mapping[str, str] | None = None, timeout: float | None = None) -> None:
        """Starts scripts/attila-run in a fresh home, without sound. The program's output is in
        log + '.out', everything else in log."""
        with tempfile.TemporaryDirectory() as home:
            if self.home:
                path = os.path.join(home, self.home[0])
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as f:
                    f.write(self.home[1])
            env = dict(os.environ, HOME=home, XDG_CONFIG_HOME=home + "/.config",
                       XDG_DATA_HOME=home + "/.local", SDL_AUDIODRIVER="dummy",
                       ALSOFT_DRIVERS="null", **(extra or {}))
            env["PATH"] = env.get("PATH", "") + ":/usr/games"
            with open(log + ".out", "wb") as out, open(log, "wb") as errors:
                try:
                    status = subprocess.call([RUN, "--no-check", *options, *command], env=env,
                                             stdin=subprocess.DEVNULL, stdout=out, stderr=errors,
                                             timeout=timeout)
                except subprocess.TimeoutExpired:
                    raise Error(f"did not end within {timeout} s; see {log}") from None
        if status:
            raise Error(f"{shlex.join(command)} ended with status {status}: {last_line(log)}; "
                          f"see {log}")


def described(name: str, size: tuple[int, int], frames: int) -> Program:
    """The program of that name: a game, or a scene of glmark2; size is (width, height)."""
    if name in live_apps.GAMES:
        _, command, path, text = live_apps.game(name, size)
        return Program(name, command, frames, (path, text) if path else None)
    if not live_apps.is_scene(name):
        raise Error(f"'{name}' is neither a scene of glmark2 nor one of "
                    f"{', '.join((*live_apps.MODERN, *live_apps.GAMES))}")
    _, command, _, _ = live_apps.scene(name, size, frames)
    if name not in live_apps.MODERN:
        live_apps.need(command[0], "glmark2")
    return Program(name, command, frames, ends_itself=True)


def live(program: Program, folder: str, timeout: float | None) -> None:
    """Runs a program with the record, intervals, maps, pictures, a capture, a trace and
    GALLIUM_HUD, on the simulated GPU's clock."""
    hud = os.path.join(folder, "hud")
    os.makedirs(hud)
    options = ["--simulated-clock", "--record", "sqlite,boxes,csv", "--out", folder,
               "--save-frames", "--interval", str(INTERVAL),
               "--maps", "all", "--capture", os.path.join(folder, "run.attila"),
               "--trace", os.path.join(folder, "run.pftrace"),
               "--trace-frames", str(program.frames - 1), "--trace-draws", "0-1",
               "--trace-limit", str(TRACE_LIMIT)]
    if not program.ends_itself:
        options += ["--frames", str(program.frames)]
    # The graphs are not drawn: what is recorded is the program's own work.
    extra = {"GALLIUM_HUD": ".d" + "+".join(HUD), "GALLIUM_HUD_PERIOD": "0",
             "GALLIUM_HUD_VISIBLE": "false", "GALLIUM_HUD_DUMP_DIR": hud}
    program.call(options, program.command, os.path.join(folder, "log"), extra, timeout)
    others = glob.glob(os.path.join(folder, "simulator-*"))
    if others:
        raise Error(f"made {1 + len(others)} simulated GPUs; one was expected")


def rows_without(path: str, columns: set[str]) -> list[Any]:
    with open(path, newline="", encoding="utf-8") as f:
        rows = list(csv.reader(f))
    keep = [i for i, name in enumerate(rows[0]) if name not in columns]
    return [[row[i] for i in keep] for row in rows]


def tables(path: str) -> Any:
    """{table: rows} of a record, without what depends on the host."""
    db = reader.open_record(os.path.dirname(path))
    result = {}
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
        found = db.execute(f'SELECT * FROM "{name}"')
        left_out = HOST_RECORD.get(name, set())
        keep = [i for i, d in enumerate(found.description) if d[0] not in left_out]
        result[name] = [[row[i] for i in keep] for row in found]
    db.close()
    return result


def files(folder: str) -> list[Any]:
    return sorted(os.path.relpath(os.path.join(where, name), folder)
                  for where, _, names in os.walk(folder) for name in names)


# Not of the run, but of this check.
IGNORED = ("log",)


def differences(first: str, second: str) -> Any:
    """Names of what is not the same in the folders of two runs of a program."""
    one, two = files(first), files(second)
    result = [f"{name} is missing in one" for name in sorted(set(one) ^ set(two))
              if name not in IGNORED]
    for name in sorted(set(one) & set(two)):
        a, b = os.path.join(first, name), os.path.join(second, name)
        if name in IGNORED:
            continue
        if name == "run.sqlite":
            old, new = tables(a), tables(b)
            result += [f"table {t} of run.sqlite" for t in sorted(set(old) | set(new))
                       if old.get(t) != new.get(t)]
        elif name == "frames.csv":
            if rows_without(a, HOST_COLUMNS) != rows_without(b, HOST_COLUMNS):
                result.append(name)
        else:
            with open(a, "rb") as f, open(b, "rb") as g:
                if f.read() != g.read():
                    result.append(name)
    return result
