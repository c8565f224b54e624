"""Pictures and how two of them differ: reading what glretrace writes, PNG, PSNR, SSIM, classes of
differing pixels, signed difference images. Not here: where pictures come from (compare/replay.py).
hardware.md describes the classes; tests/gl/compare_tools.sh tests them."""

from __future__ import annotations

import io
import zlib
from typing import IO, Any

import numpy
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

Array = NDArray[Any]
Picture = NDArray[numpy.uint8]
Packed = tuple[tuple[int, ...], bytes]
EQUAL = 99.99        # PSNR of equal pictures, which is infinite
PRECISION = 4        # levels (of 255) by which rounding and interpolation may differ
NEAR = 8             # levels by which two colours of the same surface differ at most
CONTRAST = 48        # levels by which two surfaces at an edge differ at least
MEAN = 12            # levels by which means of 7x7 pixels differ at most if only filters differ
BLOCK, BLOCK_LIMIT = 8, 48  # blocks in which geometry differs
CLASSES = ("precision", "edge", "filtering", "geometry", "shading")
MEANING = {
    "precision": f"no channel differs by more than {PRECISION} levels of 255",
    "edge": (f"the colour of each side is within {NEAR} levels among the 3x3 pixels around the "
             "same place on the other side, and on both sides these differ by more than "
             f"{CONTRAST} levels: an edge that covers one pixel more or less"),
    "filtering": ("one side's colour is between the darkest and the lightest of the other side's "
                  f"3x3 pixels (and {NEAR} levels), and the means of 7x7 pixels differ by at "
                  f"most {MEAN}: the same texels, weighed in another way"),
    "geometry": (f"in an 8x8 block whose mean difference is above {BLOCK_LIMIT} levels in a "
                 "channel: something is missing or too much"),
    "shading": "anything else: another colour over an area",
}


class PictureError(Exception):
    """The file is not a picture."""


def read_pnm(stream: IO[bytes]) -> tuple[int | None, Picture] | None:
    """The next (number of the call, picture) of glretrace's stream of PNM, or None at its end. A
    picture is an H x W x 3 array of bytes; floats are clamped to 0..1."""
    magic = stream.readline().strip()
    if not magic:
        return None
    call, need = None, 3
    numbers: list[Any] = []
    if magic not in (b"P5", b"P6", b"PF", b"Pf"):
        raise PictureError(f"glretrace wrote {magic[:40]!r} where a picture should begin")
    while len(numbers) < need:
        line = stream.readline()
        if not line:
            raise PictureError("a picture ends in its head")
        if line.startswith(b"#"):
            call = int(line[1:].split()[0])
        else:
            numbers += line.split()
    width, height = int(numbers[0]), int(numbers[1])
    channels = 3 if magic in (b"P6", b"PF") else 1
    floats = magic in (b"PF", b"Pf")
    size = width * height * channels * (4 if floats else 1)
    data = stream.read(size)
    if len(data) != size:
        raise PictureError("a picture ends before its last pixel")
    if floats:
        values = numpy.frombuffer(data, "<f4")
        pixels = (numpy.nan_to_num(values).clip(0, 1) * 255 + 0.5).astype(numpy.uint8)
    else:
        pixels = numpy.frombuffer(data, numpy.uint8)
    pixels = pixels.reshape(height, width, channels)
    return call, pixels if channels == 3 else pixels.repeat(3, axis=2)


def read_png(path: str) -> Picture:
    try:
        with Image.open(path) as image:
            return numpy.asarray(image.convert("RGB"))
    except (OSError, ValueError) as e:
        raise PictureError(f"{path}: {getattr(e, 'strerror', None) or e}") from e


def png(pixels: Picture) -> bytes:
    """The picture as the bytes of a PNG file."""
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG", optimize=False)
    return out.getvalue()


def pack(pixels: Picture) -> Packed:
    """Compresses a picture in memory; unpack restores it."""
    return pixels.shape, zlib.compress(pixels.tobytes(), 1)


def unpack(packed: Packed) -> Picture:
    return numpy.frombuffer(zlib.decompress(packed[1]), numpy.uint8).reshape(packed[0])


def signed(first: Picture, second: Picture, gain: float = 4) -> Picture:
    """128 + (first - second) * gain: grey where equal, lighter where the first is brighter."""
    diff = first.astype(numpy.int16) - second
    return (128 + diff * gain).clip(0, 255).astype(numpy.uint8)


def largest(first: Picture, second: Picture) -> Array:
    """The largest difference among the channels of each pixel."""
    found: Array = numpy.abs(first.astype(numpy.int16) - second).max(axis=2)
    return found


def psnr_of(squares: int, values: int) -> float:
    """dB of a sum of squared differences over so many values."""
    if not squares:
        return EQUAL
    return min(EQUAL, float(10 * numpy.log10(255.0 ** 2 * values / squares)))


def squares(first: Picture, second: Picture) -> int:
    diff = first.astype(numpy.int32) - second
    return int((diff * diff).sum())


def psnr(first: Picture, second: Picture) -> float:
    return float(psnr_of(squares(first, second), first.size))


def luma(pixels: Picture) -> Array:
    return pixels.astype(numpy.float32) @ numpy.array([0.299, 0.587, 0.114], numpy.float32)


def ssim(first: Picture, second: Picture) -> float:
    """Mean structural similarity of the brightness (Wang et al. 2004: a Gaussian of 1.5 pixels, 11
    wide), borders included."""
    from skimage.metrics import structural_similarity
    a, b = luma(first), luma(second)
    short = [(0, max(0, 11 - n)) for n in a.shape]  # no side may be shorter than the Gaussian
    return float(structural_similarity(
        numpy.pad(a, short, "edge"), numpy.pad(b, short, "edge"), data_range=255, full=True,
        gaussian_weights=True, sigma=1.5, use_sample_covariance=False)[1].mean())


def blocks(first: Picture, second: Picture) -> Array:
    """An array that says for each block of 8x8 pixels whether geometry differs in it."""
    diff = numpy.abs(first.astype(numpy.int16) - second).astype(numpy.float32)
    high, wide = -(-diff.shape[0] // BLOCK), -(-diff.shape[1] // BLOCK)
    padding = ((0, high * BLOCK - diff.shape[0]), (0, wide * BLOCK - diff.shape[1]), (0, 0))
    sums = numpy.pad(diff, padding).reshape(high, BLOCK, wide, BLOCK, 3).sum(axis=(1, 3))
    there = numpy.pad(numpy.ones(diff.shape[:2]), padding[:2])
    counts = there.reshape(high, BLOCK, wide, BLOCK).sum(axis=(1, 3))
    found: Array = (sums / counts[:, :, None]).max(axis=2) > BLOCK_LIMIT
    return found


def around(pixels: Picture, y: Array, x: Array) -> Array:
    """The 3x3 pixels around each of the places, borders repeated: N x 9 x 3."""
    padded = numpy.pad(pixels, ((1, 1), (1, 1), (0, 0)), mode="edge").astype(numpy.int16)
    return numpy.stack([padded[y + i, x + j] for i in range(3) for j in range(3)], axis=1)


def classify(first: Picture, second: Picture) -> dict[str, int]:
    """{class: number of pixels}: a differing pixel is in the first class whose rule it meets."""
    worst = largest(first, second)
    result = dict.fromkeys(CLASSES, 0)
    differ = int((worst > 0).sum())
    y, x = numpy.nonzero(worst > PRECISION)
    result["precision"] = differ - len(y)
    if not len(y):
        return result
    a, b = first[y, x].astype(numpy.int16), second[y, x].astype(numpy.int16)
    near_a, near_b = around(first, y, x), around(second, y, x)
    found_a = (numpy.abs(near_b - a[:, None]).max(axis=2) <= NEAR).any(axis=1)
    found_b = (numpy.abs(near_a - b[:, None]).max(axis=2) <= NEAR).any(axis=1)
    low_a, high_a = near_a.min(axis=1), near_a.max(axis=1)
    low_b, high_b = near_b.min(axis=1), near_b.max(axis=1)
    steep = ((high_a - low_a).max(axis=1) > CONTRAST) & ((high_b - low_b).max(axis=1) > CONTRAST)
    edge = found_a & found_b & steep
    within_b = ((a >= low_b - NEAR) & (a <= high_b + NEAR)).all(axis=1)
    within_a = ((b >= low_a - NEAR) & (b <= high_a + NEAR)).all(axis=1)
    diff = first.astype(numpy.float32) - second
    means = numpy.abs(ndimage.uniform_filter(diff, (7, 7, 1), mode="nearest")).max(axis=2)[y, x]
    filtering = ~edge & (within_a | within_b) & (means <= MEAN)
    geometry = ~edge & ~filtering & blocks(first, second)[y // BLOCK, x // BLOCK]
    result["edge"], result["filtering"] = int(edge.sum()), int(filtering.sum())
    result["geometry"] = int(geometry.sum())
    result["shading"] = len(y) - int((edge | filtering | geometry).sum())
    return result


def compare(first: Picture, second: Picture) -> dict[str, Any]:
    """Everything that a table says about two pictures of the same size."""
    if first.shape != second.shape:
        raise PictureError(f"one picture has {first.shape[1]} x {first.shape[0]} pixels, the "
                           f"other {second.shape[1]} x {second.shape[0]}")
    worst = largest(first, second)
    pixels = worst.size
    if not worst.any():
        return {"psnr": EQUAL, "ssim": 1.0, "largest": 0, "pixels": 0, "share": 0.0, "blocks": 0,
                "classes": dict.fromkeys(CLASSES, 0)}
    differ = int((worst > 0).sum())
    return {"psnr": round(psnr(first, second), 2), "ssim": round(ssim(first, second), 5),
            "largest": int(worst.max()), "pixels": differ, "share": round(differ / pixels, 6),
            "blocks": int(blocks(first, second).sum()), "classes": classify(first, second)}
