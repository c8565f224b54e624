"""Numbers of frames as ranges, as people and attila-sim write them."""

from __future__ import annotations

from collections.abc import Iterable


def text(frames: Iterable[int], between: str = ",") -> str:
    """3, 7, 8, 9 as "3,7-9"."""
    ranges: list[list[int]] = []
    for f in sorted(frames):
        if ranges and ranges[-1][1] == f - 1:
            ranges[-1][1] = f
        else:
            ranges.append([f, f])
    return between.join(f"{a}" if a == b else f"{a}-{b}" for a, b in ranges)
