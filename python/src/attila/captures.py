"""Captures of scenes and games, which commands replay, and one display for several programs. Not
here: a user's program (program.py), scenes and games that run live (live/apps.py).
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import urllib.parse
from collections.abc import Iterable, Iterator

from attila import cli, whole_file
from attila.live import apps
from attila.paths import TOP, places

# Games like those of the papers: OpenArena plays a recorded match with its fixed-function renderer,
# Neverball the recorded game of its title screen, both with trilinear filters and 8 anisotropic
# samples. OpenArena compresses textures (S3TC); games of 2004 came with compressed ones. Two user
# interfaces, in which little moves: Chromium asks for its window's size, GTK's has its own. {2} is
# the folder of the project as part of a URL.
PROGRAMS = {
    "neverball": "neverball --replay gui/demo1.nbr",
    "openarena": "openarena +set com_hunkMegs 512 +set r_fullscreen 0 +set r_mode -1 "
                 "+set r_customwidth {0} +set r_customheight {1} +set s_initsound 0 "
                 "+set cl_renderer opengl1 +set r_textureMode GL_LINEAR_MIPMAP_LINEAR "
                 "+set r_ext_compressed_textures 1 "
                 "+set r_ext_texture_filter_anisotropic 1 +set r_ext_max_anisotropy 8 "
                 "+set timedemo 1 +set demoloop1 'demo demo088-test1; set nextdemo quit' "
                 "+vstr demoloop1",
    "chromium": "chromium --no-sandbox --test-type --ignore-gpu-blocklist --use-gl=angle "
                "--use-angle=gl --window-size={0},{1} --app=file://{2}/tests/workloads/page.html",
    "gtk4-widget-factory": "gtk4-widget-factory",
}


def frames_of(sim: str, capture: str) -> int:
    """How many frames a capture has; 0: there are none, or this simulator cannot play it."""
    done = subprocess.run([sim, "info", capture], capture_output=True, text=True, check=False)
    found = re.search(r" (\d+) frames?\b", done.stdout)
    return int(found[1]) if found and not done.returncode else 0


def _record(file: str, log: str, options: list[str], program: list[str],
            env: dict[str, str] | None = None) -> None:
    part = whole_file.part_of(file)
    with open(log, "wb") as f:
        status = subprocess.call(
            [places().run, "--no-check", "--mode", "functional", *options, "--capture",
             part, *program], stdout=f, stderr=f, env={**os.environ, **(env or {})})
    if status:
        with open(log, encoding="utf-8", errors="replace") as text:
            last = "".join(text.readlines()[-5:])
        raise cli.Error(f"recording {program[0]} failed (status {status}):\n{last}")
    os.replace(part, file)
    for other in glob.glob(glob.escape(file) + "-*.part"):  # of further GPUs that a browser makes
        os.remove(other)


def scenes(sim: str, folder: str, size: str, frames: int, names: Iterable[str],
           ending: str = "") -> list[str]:
    """Captures NAME.attila of scenes of live/apps.py. Captures that the folder lacks, or that
    another version has made, are recorded. NAME is the scene, without its options unless there is
    an ending."""
    os.makedirs(folder, exist_ok=True)
    result = []
    for scene in names:
        name = re.sub("[:=/;, ]", "_", scene) + ending if ending else scene.split(":")[0]
        file = os.path.join(folder, name + ".attila")
        if not frames_of(sim, file):
            cli.say(None, f"recording {scene}")
            _record(file, os.path.join(folder, "log"), ["--fixed-clock", "60"],
                    apps.scene_command(scene, size, frames))
        result.append(file)
    return result


def program(sim: str, folder: str, size: str, name: str, last: int) -> str:
    """The capture of frames 0 to last of one of PROGRAMS."""
    file, width, height = os.path.join(folder, name + ".attila"), *size.split("x")
    os.makedirs(folder, exist_ok=True)
    if frames_of(sim, file) <= last:
        path = os.environ.get("PATH", "") + ":/usr/games"
        if not shutil.which(name, path=path):
            raise cli.Error(f"{name} is not installed")
        cli.say(None, f"recording {name}, frames 0 to {last}")
        with tempfile.TemporaryDirectory() as home:
            os.mkdir(os.path.join(home, ".neverball"))
            with open(os.path.join(home, ".neverball", "neverballrc"), "w") as f:
                f.write(f"width {width}\nheight {height}\nfullscreen 0\naniso 8\n")
            _record(file, os.path.join(folder, "log"),
                    ["--fixed-clock", "30", "--frames", str(last + 1)],
                    shlex.split(PROGRAMS[name].format(width, height, urllib.parse.quote(TOP))),
                    {"PATH": path, "HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home,
                     "SDL_AUDIODRIVER": "dummy", "ALSOFT_DRIVERS": "null"})
    return file


def index(sim: str, file: str, machines: Iterable[str]) -> None:
    """Makes checkpoints of a capture for machines of configs/, unless they exist."""
    for machine in machines:
        config = os.path.join(TOP, "configs", machine + ".ini")
        if subprocess.call([sim, "index", file, "--config", config], stdout=subprocess.DEVNULL):
            raise cli.Error(f"no index of {file}")


@contextlib.contextmanager
def display(size: str = "1280x1024") -> Iterator[None]:
    """Starts one X server for all programs of the block, if there is none."""
    with subprocess.Popen([os.path.join(TOP, "scripts", "attila-run"), "--driver", "system",
                           "--no-check", "--size", size, "sh", "-c",
                           'echo "$DISPLAY"; echo "${XAUTHORITY:-}"; cat'],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin and server.stdout
        name, authority = server.stdout.readline().strip(), server.stdout.readline().strip()
        if not name:
            raise cli.Error("no display: see above")
        before = dict(os.environ)
        os.environ.update({"DISPLAY": name, **({"XAUTHORITY": authority} if authority else {})})
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)
            server.stdin.close()
