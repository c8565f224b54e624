"""What all commands share: the parser of options, checks of values, errors, and the end of a
command. Not here: the table of commands (__main__.py), the commands.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TextIO, cast

from attila import __version__

# Debian's package of each library.
PACKAGES = {"numpy": "python3-numpy", "scipy": "python3-scipy", "pandas": "python3-pandas",
            "matplotlib": "python3-matplotlib", "jinja2": "python3-jinja2", "PIL": "python3-pil",
            "skimage": "python3-skimage", "google.protobuf": "python3-protobuf"}
GOES_ON = ("sample", "studies", "sweep")  # commands that resume an interrupted run


CONTROL = {c: f"\\x{c:02x}" for c in (*range(32), *range(127, 160)) if chr(c) not in "\n\t"}


class Printable:
    """A stream that escapes control characters, which names and labels in files may contain."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        return self.stream.write(text.translate(CONTROL))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def in_place(text: str, end: str = "") -> None:
    """Overwrites the present line of the terminal, on standard error."""
    stream = getattr(sys.stderr, "stream", sys.stderr)
    stream.write("\r" + text.translate(CONTROL) + end)
    stream.flush()


def escape_output() -> None:
    sys.stdout, sys.stderr = (cast(TextIO, Printable(s)) for s in (sys.stdout, sys.stderr))


class Error(Exception):
    """A message for the user: what is wrong, where, and what is accepted. status: the exit
    status."""

    status = 1


class UsageError(Error):
    """An argument that is wrong: which, and what is accepted."""

    status = 2


def lacking(*libraries: str) -> list[str]:
    """Debian's packages for those of the libraries that are missing."""
    def there(name: str) -> bool:
        try:
            return importlib.util.find_spec(name) is not None
        except (ModuleNotFoundError, ValueError):
            return False
    return [PACKAGES[name] for name in libraries if not there(name)]


def need(what: str, *libraries: str) -> None:
    """Raises an Error that names what is missing, if anything is."""
    if missing := lacking(*libraries):
        raise Error(f"{what} needs these Debian packages: {' '.join(missing)}")


class Version(argparse.Action):
    """--version: prints what attila-sim prints, with the commit that it was built from."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from attila.paths import places
        text = f"attila {__version__}"
        try:
            built = subprocess.run([places().sim, "version"], capture_output=True, text=True)
            text = built.stdout.strip().replace("attila-sim", "attila", 1) or text
        except (Error, OSError):
            pass  # nothing is built: there is no commit to name
        print(text)
        parser.exit()


class Help(argparse.RawDescriptionHelpFormatter):
    """Lays out the help as in every program of this project."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=24, width=98)

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: Any = None) -> None:
        super().add_usage(usage, actions, groups, "Usage: ")


class Parser(argparse.ArgumentParser):
    """The options of one command. usage: a line for each way to call it, without the command's
    name."""

    def __init__(self, name: str, usage: str, description: str, epilog: str | None = None) -> None:
        prog = f"attila {name}"
        lines = f"\n{'':7}".join(f"{prog} {line}" for line in usage.split("\n"))
        super().__init__(prog=prog, usage=lines, description=description, epilog=epilog,
                         allow_abbrev=False, formatter_class=Help)
        self.add_argument("--version", action=Version, nargs=0, help="print the version")

    def machine(self) -> None:
        """Adds --config and --set; machine_of turns them into options of attila-sim."""
        self.add_argument("--config", metavar="FILE", help="machine to simulate")
        self.add_argument("--set", action="append", default=[], metavar="SECTION.KEY=VALUE",
                          help="change one parameter of it; may be repeated")

    def jobs(self, what: str = "simulators") -> None:
        self.add_argument("-j", "--jobs", type=number(1), metavar="N",
                          default=len(os.sched_getaffinity(0)),
                          help=f"{what} at a time (default: all processors)")


def machine_of(o: argparse.Namespace) -> list[str]:
    """Options of attila-sim for the machine that --config and --set name."""
    return (["--config", o.config] if o.config else []) + [a for s in o.set for a in ("--set", s)]


def number(least: float, most: float | None = None,
           kind: type[int] | type[float] = int) -> Callable[[str], float]:
    """An argparse type: a number in that range."""
    accepted = f"a number from {least}" + (f" to {most}" if most is not None else "")

    def read(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"takes {accepted}, not '{text}'") from None
        if not value >= least or most is not None and value > most:
            raise argparse.ArgumentTypeError(f"takes {accepted}, not '{text}'")
        return value
    return read


def size(text: str) -> tuple[int, int]:
    """An argparse type: WIDTHxHEIGHT."""
    found = re.fullmatch(r"([1-9]\d{0,3})x([1-9]\d{0,3})", text)
    if not found or max(int(found[1]), int(found[2])) > 4096:
        raise argparse.ArgumentTypeError(f"'{text}' is not WIDTHxHEIGHT, at most 4096 each")
    return int(found[1]), int(found[2])


def words(known: Sequence[str]) -> Callable[[str], list[str]]:
    """An argparse type: some of the known words, with commas between them."""
    def read(text: str) -> list[str]:
        for name in text.split(","):
            if name not in known:
                raise argparse.ArgumentTypeError(f"'{name}' is none of {', '.join(known)}")
        return text.split(",")
    return read


def frame_range(text: str) -> tuple[int, int]:
    """An argparse type: A or A-B, frames from 0."""
    found = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if not found or int(found[2] or found[1]) < int(found[1]):
        raise argparse.ArgumentTypeError(f"takes A or A-B with B not below A, not '{text}'")
    return int(found[1]), int(found[2] or found[1])


def output(text: str) -> str:
    """An argparse type: a file that can be written, as far as can be known before."""
    folder = os.path.dirname(os.path.abspath(text))
    if os.path.isdir(text):
        raise Error(f"{text} is a folder: name a file")
    if not os.path.isdir(folder):
        raise Error(f"cannot write {text}: there is no folder {folder}")
    return text


def folder(text: str) -> str:
    """An argparse type: a folder to write to, which need not exist."""
    if os.path.exists(text) and not os.path.isdir(text):
        raise Error(f"{text} is a file: name a folder")
    return text


def program_after(parser: Parser, args: Sequence[str],
                  with_dashes: Iterable[str] = ()) -> tuple[list[str], list[str] | None]:
    """The options, and the program with its arguments behind "--" (None: there is none).
    with_dashes: options whose value may also begin with a dash."""
    rest, program = list(args), None
    if "--" in rest:
        at = rest.index("--")
        rest, program = rest[:at], rest[at + 1:]
        if not program:
            parser.error("no program after --")
    for n in range(len(rest) - 2, -1, -1):
        if rest[n] in with_dashes:
            rest[n:n + 2] = [f"{rest[n]}={rest[n + 1]}"]
    return rest, program


@contextlib.contextmanager
def threads(number: int) -> Iterator[Any]:
    """A pool of threads. After an exception, such as an interrupt, nothing more begins in it."""
    from concurrent.futures import ThreadPoolExecutor  # takes its time
    pool = ThreadPoolExecutor(number)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def say(name: str | None, text: str) -> None:
    """A line about the progress of a command, or of what several have (None)."""
    print(f"attila {name}: {text}" if name else f"attila: {text}", file=sys.stderr, flush=True)


def ending(name: str, main: Callable[[list[str]], Any], args: list[str]) -> int:
    """Runs a command; its exit status. Errors become one line."""
    try:
        # scripts/attila blocks it until here.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        return int(main(args) or 0)
    except Error as e:
        say(name, f"error: {e}")
        return e.status
    except ModuleNotFoundError as e:
        root = (e.name or "").partition(".")[0]
        for library, package in PACKAGES.items():
            if library.partition(".")[0] == root:
                say(name, f"error: the Debian package {package} is missing")
                return 1
        raise
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as e:
        say(name, f"error: {e.filename}: {e.strerror}" if e.filename else f"error: {e}")
        return 1
    except KeyboardInterrupt:
        say(name, "interrupted" + ("; the same command goes on where this one stopped"
                                   if name in GOES_ON else ""))
        return 130
