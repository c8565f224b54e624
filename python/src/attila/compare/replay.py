"""Where the pictures of a comparison come from: programs that are traced once, and two sides, which
replay the trace here or were recorded elsewhere. Not here: what is compared (compare/images.py,
compare/draws.py), recording on a machine without this project (scripts/record-frames)."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from attila import whole_file
from attila.cli import Error
from attila.compare import images as compare_images
from attila.live import apps as live_apps
from attila.paths import TOP

What = tuple[str, list[str], str | None, str]  # name, command, file in the home folder, its text
RUN = os.path.join(TOP, "scripts", "attila-run")
HOOK = os.path.join(os.environ.get("ATTILA_BUILD_DIR") or os.path.join(TOP, "build"), "src",
                    "tools", "libattila-hook.so")
SOFTWARE = re.compile("llvmpipe|softpipe|swrast")


def check_build() -> None:
    """Checks that the driver and the hook are built, which both sides of a comparison need."""
    if not os.access(HOOK, os.R_OK):
        raise Error(f"no build in {os.path.dirname(os.path.dirname(os.path.dirname(HOOK)))}: run "
                      "scripts/setup first")


@dataclass
class Program:
    """A program to compare. trace: the file of its trace; "" if it could not be made."""

    name: str
    trace: str


def record(what: What, frames: int, folder: str, clock: float, log: str) -> Program:
    """Traces a program on ATTILA in functional mode, so that it uses only features of this GPU, and
    with a fixed clock, so that it draws the same each time. Traces are kept: a program is traced
    once."""
    name, arguments, path, text = what
    live_apps.need("apitrace", "apitrace")
    key = hashlib.sha256(repr((arguments, frames, clock, text)).encode()).hexdigest()[:8]
    trace = os.path.join(folder, f"{live_apps.safe(name)}-{key}.trace")
    if os.path.exists(trace):
        return Program(name, trace)
    live_apps.need(arguments[0], "that it is in")
    os.makedirs(folder, exist_ok=True)
    api = ["-a", "egl"] if "es2" in os.path.basename(arguments[0]) else []
    part = whole_file.part_of(trace)
    # Use a fresh home folder, as saved settings must not matter, and no sound device.
    with tempfile.TemporaryDirectory() as home, open(log, "wb") as out:
        if path:
            os.makedirs(os.path.join(home, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(home, path), "w", encoding="utf-8") as f:
                f.write(text)
        env = dict(os.environ, HOME=home, SDL_AUDIODRIVER="dummy", ALSOFT_DRIVERS="null",
                   XDG_CONFIG_HOME=home + "/.config", XDG_DATA_HOME=home + "/.local",
                   PATH=live_apps.PATH)
        command = [RUN, "--no-check", "--mode", "functional", "--fixed-clock", str(clock),
                   "--frames", str(frames), "apitrace", "trace", *api, "-o", part, *arguments]
        status = subprocess.call(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL, env=env)
    if status or not os.path.exists(part):
        raise Error(f"{name} could not be traced (status {status}); see {log}")
    os.rename(part, trace)
    return Program(name, trace)


def trace_name(path: str) -> Any:
    """The name of the program, without what makes the file's name unique."""
    return re.sub(r"(-[0-9a-f]{8})?(\.trace)?$", "", os.path.basename(path))


def digest(path: str) -> Any:
    total = hashlib.sha256()
    with open(path, "rb") as f:
        for part in iter(lambda: f.read(1 << 20), b""):
            total.update(part)
    return total.hexdigest()


def replayer(trace: str) -> str:
    """The program for a trace: glretrace, or eglretrace for a trace of EGL. Refuses a file that is
    no trace."""
    live_apps.need("apitrace", "apitrace")
    done = subprocess.run(["apitrace", "info", trace], capture_output=True, text=True, check=False)
    try:
        api = json.loads(done.stdout)["API"]
    except (ValueError, KeyError):
        raise Error(f"{trace} is not a trace of apitrace") from None
    return "eglretrace" if "EGL" in api else "glretrace"


class Side:
    """One driver that replays traces. options: of scripts/attila-run."""

    def __init__(self, name: str, options: Sequence[str], folder: str) -> None:
        self.name, self.options, self.folder = name, options, folder
        self.log = os.path.join(folder, f"log-{name}.txt")
        self.renderer = self.version = ""

    def command(self, trace: str, *arguments: str) -> list[Any]:
        return [RUN, "--no-check", *self.options, replayer(trace), *arguments, trace]

    def identify(self) -> None:
        """Reads the driver's name and version."""
        command = [RUN, "--no-check", *self.options, "glxinfo", "-B"]
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        for line in said.splitlines():
            if line.startswith("OpenGL renderer string: "):
                self.renderer = line.split(": ", 1)[1]
            elif line.startswith("OpenGL version string: "):
                self.version = line.split(": ", 1)[1]
        if not self.renderer:
            raise Error(f"{self.name} has no OpenGL: {' '.join(command)} printed no renderer")

    def pictures(self, trace: str, calls: str) -> Iterator[Any]:
        """Yields (call, picture) for each call of the set, as it is drawn. If the caller stops
        early, the replay ends."""
        with open(self.log, "ab") as log:
            process = subprocess.Popen(self.command(trace, "-s", "-", "-S", calls),
                                       stdout=subprocess.PIPE, stderr=log,
                                       stdin=subprocess.DEVNULL)
        output = process.stdout
        assert output
        try:
            while True:
                found = compare_images.read_pnm(output)
                if found is None:
                    break
                yield found
        finally:
            if process.poll() is None:
                output.close()
                process.terminate()
            process.wait()
        if process.returncode:
            raise Error(f"{self.name}: glretrace ended with status {process.returncode}; see "
                          f"{self.log}")

    def state(self, trace: str, call: int) -> Any:
        """The OpenGL state after a call, as glretrace dumps it, without pictures."""
        with open(self.log, "ab") as log:
            done = subprocess.run(self.command(trace, "-D", str(call)), stdout=subprocess.PIPE,
                                  stderr=log, check=False)
        try:
            return json.loads(done.stdout.decode("utf-8", "replace"), strict=False)
        except ValueError:
            return {}

    def times(self, trace: str) -> Any:
        """What glretrace measures: {call: (name, ns)} of calls that took GPU time. For a software
        driver this is the time of the call, in which it shades vertices, plus the time of the
        query, in which it rasterises; the hook separates the draws (src/tools/app_hook_query.c)."""
        command = self.command(trace, "--pgpu")
        if SOFTWARE.search(self.renderer):
            command = self.command(trace, "--pgpu", "--pcpu")
            # The hook is only for glretrace, not for scripts and the X server.
            command[-4:-4] = ["env", "LD_PRELOAD=" + HOOK, "ATTILA_HOOK_FINISH=1"]
        with open(self.log, "ab") as log:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=log,
                                  text=True, check=False)
        return read_times(done.stdout.splitlines())


def read_times(lines: Iterable[str]) -> Any:
    result = {}
    for line in lines:
        parts = line.split()
        # "call" number, GPU start and duration, CPU start and duration, ..., name.
        if parts[:1] == ["call"] and len(parts) >= 12 and int(parts[3]) > 0:
            result[int(parts[1])] = (parts[-1], int(parts[3]) + int(parts[5]))
    return result


class Folder:
    """A side that scripts/record-frames has recorded elsewhere: it has only frames, and perhaps
    times."""

    def __init__(self, path: str) -> None:
        self.path, self.name = path, "recorded"
        try:
            with open(os.path.join(path, "manifest.json"), encoding="utf-8") as f:
                self.manifest = json.load(f)
            self.renderer, self.version = self.manifest["renderer"], self.manifest["version"]
            self.runs = {run["trace_sha256"]: run for run in self.manifest["runs"]}
        except (OSError, ValueError, KeyError, TypeError) as e:
            raise Error(f"{path} is no folder of scripts/record-frames: {e}") from None

    def identify(self) -> None:
        pass

    def programs(self) -> Any:
        """The traces that are in the folder."""
        result = []
        for run in self.runs.values():
            trace = os.path.join(self.path, run["trace"]) if run.get("trace") else None
            if trace and os.path.exists(trace):
                result.append(Program(trace_name(trace), trace))
        return result

    def run(self, trace: str) -> Any:
        found = self.runs.get(digest(trace))
        if not found:
            raise Error(f"{self.path} has no frames of {trace} (the traces must be the same "
                          "file)")
        return found

    def pictures(self, trace: str, calls: str) -> Iterator[Any]:
        if calls != "frame":
            raise Error("a recorded folder has frames only: draws need a driver on this machine")
        for frame in self.run(trace)["frames"]:
            pixels = compare_images.read_png(os.path.join(self.path, frame["file"]))
            if hashlib.sha256(pixels.tobytes()).hexdigest() != frame["sha256"]:
                raise Error(f"{self.path}/{frame['file']} is not the picture that was recorded "
                              "(its hash differs)")
            yield frame["call"], pixels

    def state(self, _trace: Any, _call: Any) -> dict[str, Any]:
        return {}

    def times(self, trace: str) -> Any:
        run = self.run(trace)
        if not run.get("times"):
            raise Error(f"{self.path} has no times: record again with --times")
        with open(os.path.join(self.path, run["times"]), encoding="utf-8") as f:
            return read_times(f)


AnySide = Side | Folder


def reference(name: str, folder: str) -> AnySide:
    """The side that --reference names."""
    if name in ("system", "softpipe", "llvmpipe"):
        return Side(name, ["--driver", name], folder)
    if os.path.isdir(name):
        return Folder(name)
    raise Error("--reference is system, softpipe, llvmpipe or a folder of scripts/record-frames, "
                  f"not '{name}'")


def both(first: Any, second: Any, trace: str, calls: str) -> Iterator[tuple[int, Any, Any]]:
    """Yields (call, picture of the first side, of the second) for calls of which both have a
    picture; a picture is None where that side has failed."""
    one, two = first.pictures(trace, calls), second.pictures(trace, calls)
    try:
        a, b = next(one, None), next(two, None)
        while a or b:
            if a and (not b or a[0] < b[0]):
                yield a[0], a[1], None
                a = next(one, None)
            elif b and (not a or b[0] < a[0]):
                yield b[0], None, b[1]
                b = next(two, None)
            elif a and b:
                yield a[0], a[1], b[1]
                a, b = next(one, None), next(two, None)
    finally:
        one.close()
        two.close()
