"""attila run: starts attila-run, which has the options."""

from __future__ import annotations

import os

from attila import paths


def main(args: list[str]) -> None:
    run = paths.places().run
    os.execv(run, [run, *args])
