"""Streams of commands that studies make from captures of tests/: layers of meshes, and frames that
change a little. Captures are read and written as src/sim/capture/sim_capture.h says; commands and
registers are those of docs/reference/interface.md. Not here: recording programs
(attila/captures.py).
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable, Container, Iterable

from attila import whole_file
from attila.paths import TOP

Chunk = tuple[int, bytes]    # kind, contents
Command = tuple[int, bytes]  # opcode, payload

HEADER, COMMANDS, DICTIONARY = 24, 1, 3  # bytes of the head, kinds of chunks
(WRITE_REGS, WRITE_CONSTS, WRITE_BUFFER, DRAW, CLEAR_COLOR, CLEAR_ZS, FLUSH, SWAP, FENCE,
 DISCARD) = 2, 3, 4, 7, 8, 9, 11, 15, 17, 24
SIZE, COLOR, BLEND, Z_ADDRESS, Z_TEST, VIEWPORT_X, ATTRIBUTES = 0, 1, 3, 30, 32, 40, 85  # registers
VIEWPORT, SCISSOR = (37, 38, 40, 41), (43, 44)
ADDED = 1 | 1 << 4 | 1 << 8 | 1 << 15 | 1 << 19  # what is drawn is added to what is there
LESS = 1 | 1 << 1 | 1 << 2                       # depth is tested and written if it is less
FRAGMENT, TRIANGLES, NO_WAIT = 1, 4, 0x80000000

PLAIN, WIDTH, HEIGHT = "timing/fill_plain", 640, 480  # vertices of a colour and a position
BAND = 8             # squares of a mesh that are beside each other before the next line begins
VERTICES = 0x400000  # behind all surfaces of this capture
LARGE = 0x8000000    # behind all that the captures of tests/golden have
SUPERBLOCK = 8       # tiles of a side of the largest squares of tiles (hw/attila_surface.h)


def chunks(path: str) -> tuple[bytes, list[Chunk]]:
    """The head of a capture, and its chunks."""
    with open(path, "rb") as f:
        data = f.read()
    at, found = HEADER, []
    while at < len(data):
        kind, raw, stored, _ = struct.unpack_from("<4I", data, at)
        body = data[at + 16:at + 16 + stored]
        found.append((kind, body if raw == stored else zlib.decompress(body)))
        at += 16 + stored
    return data[:HEADER], found


def save(path: str, head: bytes, contents: Iterable[Chunk]) -> str:
    with whole_file.opened(path, "wb") as f:
        f.write(head)
        for kind, raw in contents:
            body = min(raw, zlib.compress(raw), key=len)
            size = struct.pack("<3I", kind, len(raw), len(body))
            f.write(size + struct.pack("<I", zlib.crc32(size + body)) + body)
    return path


def commands(body: bytes) -> list[Command]:
    at, found = 0, []
    while at < len(body):
        header, = struct.unpack_from("<I", body, at)
        end = at + 4 + 4 * (header >> 8)
        found.append((header & 255, body[at + 4:end]))
        at = end
    return found


def packed(stream: Iterable[Command]) -> bytes:
    return b"".join(struct.pack("<I", op | len(payload) // 4 << 8) + payload
                    for op, payload in stream)


def words(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}I", *values)


def unpacked(payload: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(payload) // 4}I", payload)


def scaled(value: int, factor: float, more: float) -> int:
    """A register that holds a float: so many times as large, and more."""
    x, = struct.unpack("<f", words(value))
    return int.from_bytes(struct.pack("<f", x * factor + more), "little")


def edited(path: str, capture: str, edit: Callable[[list[Command]], Iterable[Command]]) -> str:
    """Writes a capture of tests/ whose commands are edited. Times at which its program waited are
    left out."""
    head, every = chunks(os.path.join(TOP, "tests", capture + ".attila"))
    stream = commands(b"".join(body for kind, body in every if kind == COMMANDS))
    return save(path, head, [c for c in every if c[0] == DICTIONARY] +
                [(COMMANDS, packed(edit(stream)))])


# --- Layers ---

def _mesh(side: int, z: float, shade: float) -> tuple[bytes, bytes]:
    """(vertices, indices) of a screen of squares; side: of a square, in pixels, or 0: one square.
    """
    across, down = (WIDTH // side, HEIGHT // side) if side else (1, 1)
    vertices = [v for y in range(down + 1) for x in range(across + 1)
                for v in (shade, 1 - shade, x / across, x / across, y / down, z)]
    indices = []
    for band in range(0, across, BAND):
        for y in range(down):
            for x in range(band, min(band + BAND, across)):
                a = y * (across + 1) + x
                indices += [a, a + 1, a + across + 2, a, a + across + 2, a + across + 1]
    return struct.pack(f"<{len(vertices)}f", *vertices), words(*indices)


def layers(folder: str, kind: str, number: int, side: int) -> str:
    """Writes a capture of so many screens of squares, one over the other; the second frame draws
    what the first one has uploaded. kind: "opaque" without depth, "blended", "nearer" (each in
    front of the last), "farther" (behind it)."""
    def edit(stream: list[Command]) -> Iterable[Command]:
        first = next(n for n, (op, _) in enumerate(stream) if op == DRAW)
        clears = [c for c in stream[:first] if c[0] == CLEAR_COLOR]
        setup, uploads, draws, address = stream[:first], list[Command](), list[Command](), VERTICES
        if kind == "blended":
            setup.append((WRITE_REGS, words(BLEND, ADDED)))
        elif kind != "opaque":
            setup.append((WRITE_REGS, words(Z_TEST, LESS)))
            clears.append((CLEAR_ZS, words(3, 0x3f800000, 0)))
        for n in range(number):
            z = (n + 1) / (number + 1) * (-1 if kind == "farther" else 1)
            vertices, indices = _mesh(side, z, (n + 1) / number)
            if not n:
                listed, address = address, address + len(indices)
                uploads.append((WRITE_BUFFER, words(listed, len(indices) | NO_WAIT) + indices))
            uploads.append((WRITE_BUFFER, words(address, len(vertices) | NO_WAIT) + vertices))
            draws += [(WRITE_REGS, words(ATTRIBUTES, address + 12, 24, len(vertices) - 12)),
                      (WRITE_REGS, words(ATTRIBUTES + 5, address, 24, len(vertices))),
                      (DRAW, words(TRIANGLES, len(indices) // 4, 0, 4, listed, 0, 1, 0, 0, 0))]
            address += len(vertices)
        frame = clears + draws + [c for c in stream[first:] if c[0] in (FLUSH, SWAP)]
        return without_depth(setup + uploads + frame + frame)
    return edited(os.path.join(folder, f"{kind}-{side or 'screen'}-{number}.attila"), PLAIN, edit)


# --- Frames ---

class Registers(dict[int, int]):
    """What a stream has written to registers so far."""

    def take(self, op: int, payload: bytes) -> None:
        if op == WRITE_REGS:
            first, *values = unpacked(payload)
            self.update(enumerate(values, first))

    def discard(self) -> list[Command]:
        """DISCARD of the depth buffer that is bound."""
        at, pitch = self.get(Z_ADDRESS, 0), self.get(Z_ADDRESS + 1, 0) >> 8 & 0x7ff
        side = min(pitch & -pitch, SUPERBLOCK)  # tiles of 8x8 pixels and 256 bytes
        down = -(-(self.get(SIZE, 0) >> 14 & 0x3fff) // (8 * side)) * side if side else 0
        return [(DISCARD, words(at, pitch * down * 256))] if at else []


def without_depth(stream: Iterable[Command]) -> Iterable[Command]:
    """Adds what the driver sends at a swap, and did not when the captures of tests/ were recorded:
    that depth is of no use any more, before the commands between the last draw and the swap."""
    registers, ends = Registers(), list[Command]()
    for op, payload in stream:
        registers.take(op, payload)
        if op in (FENCE, FLUSH):
            ends.append((op, payload))
            continue
        yield from registers.discard() if op == SWAP else []
        yield from ends
        ends = []
        yield op, payload


def frames(stream: Iterable[Command]) -> list[list[Command]]:
    """The frames of a stream; what follows the last swap is left out."""
    found, frame = list[list[Command]](), list[Command]()
    for command in stream:
        frame.append(command)
        if command[0] == SWAP:
            found.append(frame)
            frame = []
    return found


def moving(stream: Iterable[Command], pixels: float) -> Iterable[Command]:
    """Moves what each frame but the first one draws by so many pixels to the right."""
    registers = Registers()
    for n, frame in enumerate(frames(stream)):
        if n:
            frame = [(WRITE_REGS, words(VIEWPORT_X, registers[VIEWPORT_X])), *frame]
        for op, payload in frame:
            registers.take(op, payload)
            if n and op == WRITE_REGS:
                first, *values = unpacked(payload)
                if first <= VIEWPORT_X < first + len(values):
                    values[VIEWPORT_X - first] = scaled(values[VIEWPORT_X - first], 1, pixels)
                payload = words(first, *values)
            yield op, payload


def recolored(stream: Iterable[Command], chosen: Container[int]) -> Iterable[Command]:
    """Gives some draws of each frame but the first one another colour, which is their constant."""
    for n, frame in enumerate(frames(stream)):
        draws = 0
        for op, payload in frame:
            if op == DRAW:
                if n and draws in chosen:
                    yield WRITE_CONSTS, words(FRAGMENT, 0) + struct.pack("<4f", 1, 0, 1, 1)
                draws += 1
            yield op, payload


def enlarged(stream: list[Command], factor: int) -> Iterable[Command]:
    """Makes the window larger, as if the program had been started so: sizes, viewports and
    scissors, and the window's surfaces, which go behind all others. Other targets keep theirs."""
    window, *_ = unpacked(next(p for op, p in reversed(stream) if op == SWAP))
    registers = Registers()

    def size(value: int) -> int:
        return (value & 0x3fff) * factor | (value >> 14 & 0x3fff) * factor << 14

    def value_of(number: int, value: int) -> int:
        pitch = -(-(registers[SIZE] & 0x3fff) * factor // (8 * SUPERBLOCK)) * SUPERBLOCK << 8
        if number in (COLOR, Z_ADDRESS):
            return value and LARGE << (number == COLOR)
        if number in (COLOR + 1, Z_ADDRESS + 1):
            return value & ~(0x7ff << 8) | pitch
        if number == SIZE:
            return value & ~0xfffffff | size(value)
        if number in VIEWPORT:
            return scaled(value, factor, 0)
        return size(value) if number in SCISSOR else value

    for op, payload in stream:
        registers.take(op, payload)
        if op == WRITE_REGS and registers[COLOR] == window:
            first, *values = unpacked(payload)
            payload = words(first, *(value_of(n, v) for n, v in enumerate(values, first)))
        elif op == SWAP:
            _, form, _, width, height, *rest = unpacked(payload)
            pitch = -(-width * factor // (8 * SUPERBLOCK)) * SUPERBLOCK
            payload = words(LARGE << 1, form, pitch, width * factor, height * factor, *rest)
        yield op, payload
