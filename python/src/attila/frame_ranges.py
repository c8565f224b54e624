"""Numbers of frames as people and attila-sim write them: ranges."""


def text(frames, between=","):
    """3, 7, 8, 9 as "3,7-9"."""
    ranges = []
    for f in sorted(frames):
        if ranges and ranges[-1][1] == f - 1:
            ranges[-1][1] = f
        else:
            ranges.append([f, f])
    return between.join(f"{a}" if a == b else f"{a}-{b}" for a, b in ranges)
