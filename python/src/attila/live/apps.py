"""Programs that scripts run on the simulated GPU: scenes of glmark2 and of tests/gl/modern.c, and
games, with the settings for the size of their window. Not here: running them (live/run.py), tracing
them (compare/replay.py), captures that are kept (captures.py)."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Sequence
from typing import Any

from attila.cli import Error, UsageError
from attila.paths import places

SCENES = ("build texture shading shading:shading=phong shading:shading=cel bump "
          "bump:bump-render=normals effect2d pulsar desktop desktop:effect=shadow buffer ideas "
          "jellyfish terrain shadow refract conditionals function loop").split()
# The scenes of scripts/bench all.
BENCH = ("build bump clear conditionals buffer desktop desktop:effect=shadow effect2d function "
         "ideas jellyfish loop pulsar refract shading shadow terrain texture").split()
# Scenes of tests/gl/modern.c, which use OpenGL 3.3.
MODERN = ("modern:shadows", "modern:particles", "modern:fur")
# Name: (package, command, file in the home folder that sets the size, its text). Size is W, H.
GAMES = {
    "neverball": ("neverball", "neverball", ".neverball/neverballrc",
                  "width %d\nheight %d\nfullscreen 0\n"),
    "chromium-bsu": ("chromium-bsu", "chromium-bsu", None, ""),
    "openarena": ("openarena", "openarena +set r_fullscreen 0 +set r_mode -1 "
                  "+set r_customwidth %d +set r_customheight %d +devmap oa_dm5", None, ""),
}


PATH = os.environ.get("PATH", "") + ":/usr/games"


def need(program: str, package: Any) -> None:
    if not shutil.which(program, path=PATH):
        raise Error(f"there is no {program}: install the Debian package {package}")


def safe(name: str) -> Any:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name)


def scene_names() -> Any:
    """Names of glmark2's scenes, without options. With an unknown name glmark2 would draw for
    ever."""
    return {name.split(":")[0] for name in SCENES} | {"clear"}


def is_scene(name: str) -> bool:
    """Whether scene_command knows the name: a scene of glmark2, with or without options, or one of
    MODERN."""
    return name in MODERN or name.split(":")[0] in scene_names()


def chosen(words: Sequence[str]) -> list[tuple[str, str]]:
    """What words of a command line choose: ("scene", name) or ("game", name) of each, "scenes" and
    "games" for all of them; a program that is installed is ("program", name), and what follows are
    its arguments. Raises UsageError for any other word."""
    found: list[tuple[str, str]] = []
    for word in words:
        if word == "scenes":
            found += [("scene", name) for name in SCENES]
        elif word == "games":
            found += [("game", name) for name in GAMES]
        elif word in GAMES:
            found.append(("game", word))
        elif word.split(":")[0] in scene_names():
            found.append(("scene", word))
        elif not found and shutil.which(word, path=PATH):
            return [("program", word)]
        else:
            raise UsageError(f"'{word}' is neither a program nor a scene")
    return found


def scene_command(name: str, size: str, frames: int, program: str = "glmark2") -> list[str]:
    """The command that draws frames of a scene of glmark2 or of MODERN; size is WIDTHxHEIGHT."""
    if name in MODERN:
        modern = os.path.join(places().build, "tests", "gl", "modern")
        return [modern, name.split(":")[1], str(frames), size]
    return [program, "-s", size, "-b", f"{name}:nframes={frames}:duration=1000000"]


def scene(name: str, size: tuple[int, int], frames: int,
          program: str = "glmark2") -> tuple[Any, ...]:
    """A scene as (name, command, file in the home folder, its text); size is (width, height)."""
    return name, scene_command(name, "%dx%d" % size, frames, program), None, ""


def game(name: str, size: tuple[int, int]) -> tuple[Any, ...]:
    package, command, path, text = GAMES[name]
    arguments = shlex.split(command % size if "%d" in command else command)
    need(arguments[0], package)
    return name, arguments, path, text % size if text else ""
