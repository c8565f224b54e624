"""The pictures of a run beside those of another driver, for a report: how much each frame that both
have differs, and pictures of the frames that differ most. Not here: measures of difference
(compare/images.py), pictures of another driver (scripts/record-frames, attila-run --grab)."""

from __future__ import annotations

import base64
import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from attila import cli
from attila.cli import Error, need

SHOWN = 8  # frames with pictures on the page: the ones that differ most


def pictures_in(folder: str) -> dict[Any, Any]:
    """{frame: path}."""
    names = [(re.fullmatch(r"frame-(\d{4,})\.png", name), name) for name in os.listdir(folder)]
    return {int(m[1]): os.path.join(folder, name) for m, name in names if m}


def manifest_of(folder: str) -> dict[str, Any]:
    """The file of scripts/record-frames; {} if there is none."""
    path = os.path.join(folder, "manifest.json")
    try:
        with open(path, encoding="utf-8") as f:
            manifest = json.load(f)
        return {"renderer": manifest["renderer"], "version": manifest["version"],
                "names": [run["name"] for run in manifest["runs"]]}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise Error(f"{path} is none of scripts/record-frames: {e}") from None


def find(folder: str) -> tuple[Any, ...]:
    """({frame: path}, who drew them) of frames that scripts/record-frames or attila-run --grab
    wrote."""
    folder = folder.rstrip("/") or "/"
    if not os.path.isdir(folder):
        raise Error(f"--reference: {folder} is no folder")
    manifest, inside = manifest_of(folder), folder
    if len(manifest.get("names", ())) > 1:
        raise Error("%s has frames of several programs; name one: %s" % (folder, ", ".join(
            os.path.join(folder, name) for name in manifest["names"])))
    if manifest:
        inside = os.path.join(folder, *manifest["names"])
    else:
        manifest = manifest_of(os.path.dirname(folder) or ".")
    found = pictures_in(inside) if os.path.isdir(inside) else {}
    if not found:
        raise Error(f"no frame-NNNN.png in {inside}: a folder of scripts/record-frames or of "
                          "attila-run --grab is wanted")
    who = manifest.get("renderer") or os.path.basename(os.path.abspath(folder))
    return found, who, manifest.get("version", "")


def uri(images: Any, pixels: Any) -> str:
    return "data:image/png;base64," + base64.b64encode(images.png(pixels)).decode()


def figures_of(images: Any, one: str, two: str) -> Any:
    try:
        return images.compare(images.read_png(one), images.read_png(two))
    except images.PictureError as e:
        return {"problem": str(e)}


def shown(images: Any, frames: Sequence[dict[str, Any]], ours: Mapping[int, str],
          theirs: Mapping[int, str], limit: int) -> Any:
    """Both pictures and their difference for the frames that differ most, in at most limit
    bytes."""
    result, size = {}, 0
    worst = sorted((f for f in frames if "psnr" in f), key=lambda f: (f["psnr"], f["frame"]))
    for f in worst[:SHOWN]:
        one, two = (images.read_png(side[f["frame"]]) for side in (ours, theirs))
        made = {"ours": uri(images, one), "theirs": uri(images, two),
                "signed": uri(images, images.signed(one, two))}
        size += sum(map(len, made.values()))
        if size > limit:
            break
        result[f["frame"]] = made
    return result


def matched(folder: str, numbers: set[int], reference: str) -> tuple[
        dict[int, str], dict[int, str], str, str]:
    """Pictures of the run's frames (numbers) and of a folder: {frame: path} of each, with at least
    one frame in both, and the renderer and version of the folder's. Checks that the libraries for
    the comparison are installed."""
    theirs, renderer, version = find(reference)
    ours = {n: path for n, path in pictures_in(folder).items() if n in numbers}
    if not ours:
        raise Error("the run has no pictures to compare: attila-run --save-frames")
    if not ours.keys() & theirs.keys():
        raise Error(f"the run has pictures of frames {min(ours)} to {max(ours)}, "
                    f"{reference} of {min(theirs)} to {max(theirs)}: none of both")
    need("--reference", "numpy", "scipy", "PIL", "skimage")
    return ours, theirs, renderer, version


def collect(ours: dict[int, str], theirs: dict[int, str], renderer: str, version: str,
            limit: int) -> dict[str, Any]:
    """Matched pictures for the page. limit: bytes of the largest differences."""
    from attila.compare import images  # needs libraries
    both = sorted(ours.keys() & theirs.keys())
    frames = []
    for done, n in enumerate(both):
        frames.append({"frame": n, **figures_of(images, ours[n], theirs[n])})
        if sys.stderr.isatty():
            cli.in_place(f"attila-report: compared {done + 1} of {len(both)} frames",
                         "\n" if n == both[-1] else "")
    return {"renderer": renderer, "version": version, "frames": frames,
            "alone": len(ours) - len(both), "classes": images.MEANING,
            "pictures": shown(images, frames, ours, theirs, limit)}
