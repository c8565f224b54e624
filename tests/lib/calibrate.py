#!/usr/bin/python3
"""Random machines for tests/gl/calibrate.sh: "calibrate.py machine SEED" prints one,
"calibrate.py check SEED FILE" compares FILE, which attila calibrate wrote, with it, and ends with
status 1 if less than four fifths of its parameters are found again within 10 %. Not here:
parameters that no time tells (attila/tools/calibrate.py, FIXED)."""

from __future__ import annotations

import random
import sys

from attila.tools.calibrate import FIXED

SHARE = .8  # 12 of 15


def hidden(seed: int) -> dict[str, int]:
    """The parameters that are to be found. Units are chosen so that each of them can be the limit
    of a draw."""
    r = random.Random(seed)
    shaders, lanes = r.randint(2, 8), r.choice((2, 4, 8))
    lanes = max(lanes, 4 if shaders < 4 else 2)  # 8 in all, for a ROP to be the limit
    return {
        "GPU.GPUClock": r.randint(300, 1500), "GPU.NumFragmentShaders": shaders,
        "GPU.NumStampPipes": r.choice([n for n in (1, 2, 4) if n * 8 <= shaders * lanes]),
        "FRAGMENTSHADER.VectorALUWidth": lanes, "LATENCY.MAD": r.randint(3, 20),
        "REPEATRATE.RSQ": r.randint(1, 6), "COLORWRITE.BlendALURate": r.randint(1, 4),
        "ZSTENCILTEST.ZALUTestRate": r.randint(1, 4),
        "FRAGMENTSHADER.TextureUnits": r.randint(1, 2),
        "FRAGMENTSHADER.TextureCacheLineSize": r.choice((64, 128, 256)),
        "FRAGMENTSHADER.TextureCacheLines": r.choice((4, 8, 16, 32)),
        "FRAGMENTSHADER.AddressALULatency": r.randint(6, 60),
        "MEMORYCONTROLLER.ReadLatency": r.randint(20, 200),
        "MEMORYCONTROLLER.PageOpenLatency": r.randint(10, 100),
        "MEMORYCONTROLLER.V2MemoryChannels": r.choice([n for n in (1, 2, 4, 8) if n <= shaders]),
        "STREAMER.OutputMemorySize": r.randint(32, 128), "STREAMER.VerticesCycle": r.randint(1, 2)}


# Keys that follow from a hidden one.
SAME = {"GPU.GPUClock": ("GPU.ShaderClock", "GPU.MemoryClock"),
        "FRAGMENTSHADER.TextureUnits": ("FRAGMENTSHADER.TextureRequestRate",),
        "STREAMER.VerticesCycle": ("STREAMER.IndicesCycle", "STREAMER.SLIndicesCycle")}


def text(seed: int) -> str:
    keys = dict(FIXED)
    for key, value in hidden(seed).items():
        keys.update({k: str(value) for k in (key, *SAME.get(key, ()))})
    sections: dict[str, list[str]] = {}
    for key, value in keys.items():
        section, _, name = key.partition(".")
        sections.setdefault(section, []).append(f"{name} = {value}")
    return "base = ispass2006.ini\n" + "".join(
        f"[{section}]\n" + "\n".join(lines) + "\n" for section, lines in sections.items())


def read(path: str) -> dict[str, str]:
    keys, section = {}, ""
    with open(path, encoding="utf-8") as f:
        for line in f:
            name, equals, value = line.strip().partition(" = ")
            if line.startswith("["):
                section = line.strip()[1:-1]
            elif equals and section:
                keys[f"{section}.{name}"] = value
    return keys


def check(seed: int, path: str) -> int:
    found, right = read(path), 0
    for key, want in hidden(seed).items():
        value = found.get(key)
        ok = value is not None and abs(float(value) - want) <= .1 * want
        right += ok
        print(f"{key:38} {want:6} {value or 'none':>6}{'' if ok else '  wrong'}")
    print(f"machine {seed}: {right} of {len(hidden(seed))} within 10 %")
    return 0 if right >= SHARE * len(hidden(seed)) else 1


if sys.argv[1] == "machine":
    sys.stdout.write(text(int(sys.argv[2])))
else:
    sys.exit(check(int(sys.argv[2]), sys.argv[3]))
