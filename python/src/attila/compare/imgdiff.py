"""Compares two PNG files by the measures of this project: PSNR over all colour channels, and the
blocks that differ so much that geometry must be missing or extra. Not here: the measures
(compare/images.py), many pictures of programs (attila compare).
"""

from __future__ import annotations

import argparse
import os
import zlib

from attila import cli
from attila.cli import Error, number


def parser() -> cli.Parser:
    p = cli.Parser(
        "imgdiff", "[options] FIRST.png SECOND.png\n--crc FILE.png ...",
        "Prints PSNR in dB, the largest difference of a channel, how many pixels differ, and how "
        "many 8x8\nblocks differ by more than 48 levels on average (missing or extra geometry).",
        "Exit: 0 alike enough, 1 not, or a file cannot be read or the sizes differ.")
    p.add_argument("files", nargs="+", metavar="FILE", help=argparse.SUPPRESS)
    p.add_argument("--out", metavar="FILE", type=cli.output,
                   help="write a signed difference image: 128 + (first - second) * gain")
    p.add_argument("--gain", type=number(0, kind=float), default=4.0, metavar="G",
                   help="gain of that image (default 4)")
    p.add_argument("--min-psnr", type=number(0, kind=float), default=0.0, metavar="DB",
                   help="exit 1 below it")
    p.add_argument("--max-blocks", type=number(0), metavar="N",
                   help="exit 1 when more blocks differ (default: not checked)")
    p.add_argument("--crc", action="store_true",
                   help="print the CRC-32 of each picture's RGB pixels instead")
    p.add_argument("--quiet", action="store_true",
                   help="one line: psnr, largest difference, pixels, blocks")
    return p


def print_crc(path: str) -> None:
    """Prints the CRC of the pixels, however the PNG was compressed (for golden pictures)."""
    from PIL import Image
    try:
        with Image.open(path) as image:
            pixels, (width, height) = image.convert("RGB").tobytes(), image.size
    except (OSError, ValueError) as e:
        raise Error(f"{path}: {getattr(e, 'strerror', None) or e}") from e
    print(f"{zlib.crc32(pixels):08x} {width}x{height}")


def main(args: list[str]) -> int:
    p = parser()
    o = p.parse_args(args)
    if o.crc:
        for path in o.files:
            print_crc(path)
        return 0
    if len(o.files) != 2:
        p.error("expected two files")
    for path in o.files:
        if not os.path.isfile(path):
            raise Error(f"{path}: No such file or directory")
    cli.need("imgdiff", "numpy", "scipy", "PIL")
    from attila.compare import images  # this import takes longer than all the rest
    try:
        first, second = (images.read_png(path) for path in o.files)
    except images.PictureError as e:
        raise Error(str(e)) from e
    if first.shape != second.shape:
        raise Error("sizes differ: " + " and ".join(f"{i.shape[1]}x{i.shape[0]}"
                                                    for i in (first, second)))
    worst, psnr = images.largest(first, second), images.psnr(first, second)
    blocks, differ = int(images.blocks(first, second).sum()), int((worst > 0).sum())
    if o.quiet:
        print(f"{psnr:.2f} {worst.max()} {differ} {blocks}")
    else:
        print(f"PSNR {psnr:.2f} dB, largest difference {worst.max()} of 255, {differ} of "
              f"{worst.size} pixels differ, {blocks} blocks of other geometry")
    if o.out:
        with open(o.out, "wb") as f:
            f.write(images.png(images.signed(first, second, o.gain)))
    return int(psnr < o.min_psnr or o.max_blocks is not None and blocks > o.max_blocks)
