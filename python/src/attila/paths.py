"""Where the files of a source tree are, or of an installation, which has the same folders in
share/attila. Only scripts/lib/paths.sh knows what is built where. A package that was installed by
pip belongs to the attila-run on the path, or to the folder in the variable ATTILA_HOME. Not here:
paths that a user gives.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from dataclasses import dataclass

from attila.cli import Error


def _top() -> str:
    here = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 3))
    run = shutil.which("attila-run")
    scripts = os.path.dirname(os.path.realpath(run)) if run else here
    for top in (here, os.environ.get("ATTILA_HOME", here), os.path.dirname(scripts)):
        if os.path.isfile(os.path.join(top, "scripts", "lib", "paths.sh")):
            return os.path.abspath(top)
    return here


TOP = _top()


@dataclass(frozen=True)
class Places:
    """sim: attila-sim (the one that was built last); run: attila-run; driver: the library with
    driver and simulator; configs: machines; bundle: the report's page; build: where Meson builds;
    installed: this is an installation, not a source tree; missing: advice for when something is
    missing."""

    sim: str
    run: str
    driver: str
    configs: str
    bundle: str
    build: str
    installed: str
    missing: str


@functools.cache
def places() -> Places:
    """All places. Raises Error if there is neither a source tree nor an installation."""
    lib = os.path.join(TOP, "scripts", "lib")
    if not os.path.isfile(os.path.join(lib, "paths.sh")):
        raise Error("no Attila: put attila-run on the path, or set ATTILA_HOME to a source tree or "
                    "to the folder share/attila of an installation")
    names = list(Places.__annotations__)
    script = ('. "$1/common.sh"; . "$1/sim.sh"; ATTILA_SIM=$(newest_sim "$ATTILA_TOP"); ' +
              "".join(f'printf "%s\\n" "$ATTILA_{n.upper()}"; ' for n in names))
    text = subprocess.run(["bash", "-c", script, "attila", lib], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    return Places(*text.split("\n")[:len(names)])


def simulator() -> str:
    """The path of attila-sim; raises Error if it does not exist."""
    p = places()
    if not os.access(p.sim, os.X_OK):
        raise Error(f"no {p.sim}: run scripts/setup, or scripts/setup --sim-only" if not p.installed
                    else f"no {p.sim}: {p.missing}")
    return p.sim


def system_path() -> None:
    """Sets PATH so that programs find the system's Python first, which has Debian's packages."""
    os.environ["PATH"] = "/usr/bin:/bin:/usr/sbin:/sbin:" + os.environ.get("PATH", "")
