"""Finds the draw that goes wrong: the calls of a trace, the draw in which the difference of a frame
arose, and the first draw below a bound with its state, its pictures and the history of its worst
pixel. Not here: how pictures are compared (compare/images.py), the page (compare/html.py)."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field
from collections.abc import Iterable, Sequence
from typing import Any

import numpy

from attila.cli import Error
from attila.compare import images, replay

LINE = re.compile(r"^(\d+) (\w+)\((.*)$")
NUMBER = re.compile(r"(\w+) = (0x[0-9a-f]+|\d+|GL_\w+|NULL)")
SWAPS = ("glXSwapBuffers", "eglSwapBuffers", "eglSwapBuffersWithDamageKHR",
         "eglSwapBuffersWithDamageEXT")
LONGEST = 300  # characters of the text of a call


@dataclass
class Call:
    """A call that draws: its number and text, the framebuffer it draws to, and its program."""

    number: int
    text: str
    frame: int
    target: int
    program: int

    def title(self) -> str:
        """The call as tables name it, without its number and pointers: the same for all frames."""
        text = re.sub(r"blob\(\d+\)|0x[0-9a-f]+", "...", self.text)
        text = re.sub(r"(\w+) = ", "", text)
        where = f" in framebuffer {self.target}" if self.target else ""
        shader = f" with program {self.program}" if self.program else ""
        return f"{text}{shader}{where}"


class Calls:
    """The calls of a trace: the call that ends each frame, and every call with the framebuffer and
    the program that are bound at it."""

    def __init__(self, trace: str) -> None:
        self.ends: list[Any] = []
        self.calls: dict[Any, Any] = {}
        command = ["apitrace", "dump", "--color=never", "--multiline=no", trace]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True, errors="replace") as process:
            self.read(process.stdout or ())
        if process.returncode:
            raise Error(f"apitrace cannot read {trace}")

    def read(self, lines: Iterable[str]) -> None:
        target = program = vertices = 0
        begin = ""
        for line in lines:
            found = LINE.match(line)
            if not found:
                continue
            number, name = int(found.group(1)), found.group(2)
            values = dict(NUMBER.findall(line))
            if name in SWAPS:
                self.ends.append(number)
            elif name.startswith("glBindFramebuffer") and \
                    values.get("target") != "GL_READ_FRAMEBUFFER":
                target = int(values.get("framebuffer", 0))
            elif name in ("glUseProgram", "glUseProgramObjectARB"):
                program = int(values.get("program", values.get("programObj", "0")), 0)
            elif name == "glBegin":
                begin, vertices = values.get("mode", ""), 0
            elif name.startswith("glVertex"):
                vertices += 1
            elif name == "glEnd":
                text = f"glBegin(mode = {begin}), {vertices} vertices, glEnd()"
                self.calls[number] = Call(number, text, len(self.ends), target, program)
            elif name.startswith(("glDraw", "glMultiDraw", "glClear", "glCall", "glBlit",
                                  "glCopyPixels", "glBitmap", "glRect", "glAccum")):
                text = line[len(found.group(1)) + 1:].strip()
                self.calls[number] = Call(number, text[:LONGEST], len(self.ends), target, program)

    def get(self, number: int) -> Call:
        return self.calls.get(number) or Call(number, f"call {number}", 0, 0, 0)

    def span(self, frame: int) -> tuple[int, int]:
        """First and last call of a frame."""
        if not 0 <= frame < len(self.ends):
            raise Error(f"there is no frame {frame}: the trace has {len(self.ends)}")
        return self.ends[frame - 1] + 1 if frame else 0, self.ends[frame]

    def draws(self, frame: int) -> str:
        """The frame's draws as a set of calls for glretrace."""
        return "%d-%d/draw" % self.span(frame)


class Origins:
    """The draw of a frame with which each pixel began to differ, and the first draw into a texture
    that brings the texture's picture below the bound."""

    def __init__(self, bound: float) -> None:
        self.bound = bound
        self.first: Call | None = None
        self.last: tuple[Any, Any, Any] | None = None
        self.state: dict[Any, Any] = {}

    def draw(self, call: Call, first: Any, second: Any) -> None:
        if first is None or second is None or first.shape != second.shape:
            return
        key = (call.target, first.shape)
        if key not in self.state:
            self.state[key] = [numpy.zeros(first.shape[:2], bool),
                               numpy.zeros(first.shape[:2], numpy.int64)]
        before, origin = self.state[key]
        differs = images.largest(first, second) > images.PRECISION
        origin[differs & ~before] = call.number
        origin[~differs] = 0
        self.state[key][0] = differs
        if call.target and not self.first and images.psnr(first, second) < self.bound:
            self.first = call
        if not call.target:
            self.last = key, first, second

    def shares(self) -> list[tuple[int, float]]:
        """[(call number, share of the window's squared error)], the largest first. Number 0 stands
        for pixels that differ only by rounding."""
        if not self.last:
            return []
        key, first, second = self.last
        diff = first.astype(numpy.int32) - second
        error = (diff * diff).sum(axis=2)
        total, origin = error.sum(), self.state[key][1]
        if not total:
            return []
        numbers, inverse = numpy.unique(origin, return_inverse=True)
        sums = numpy.bincount(inverse.ravel(), weights=error.ravel())
        return sorted(((int(n), float(s / total)) for n, s in zip(numbers, sums)),
                      key=lambda x: -x[1])


STEP = 24  # draws between the pictures of explain's first replay


def samples(draws: Sequence[Call]) -> list[Any]:
    """Every STEP-th draw, and the last one before each change of the framebuffer."""
    return [draw for n, draw in enumerate(draws) if n % STEP == STEP - 1 or
            n + 1 == len(draws) or draws[n + 1].target != draw.target]


def walk(first: Any, second: Any, trace: str, calls: Calls, frames: Iterable[int],
         sets: Sequence[str], bound: float) -> Any:
    """{frame: Origins} of the calls in sets."""
    found = {frame: Origins(bound) for frame in frames}
    for number, a, b in replay.both(first, second, trace, ",".join(sets)):
        call = calls.get(number)
        if call.frame in found:
            found[call.frame].draw(call, a, b)
    return found


def explain(first: Any, second: Any, trace: str, calls: Calls, frames: Sequence[int],
            bound: float) -> Any:
    """{frame: (call, share)}: for each frame below the bound, the draw that causes this. If a draw
    into a texture is below the bound, and the frame uses the texture later, this is the first such
    draw (its share is None); else it is the draw that added most of the squared error of the
    window. This takes two replays. The first takes a picture after some draws of the frame, which
    shows between which two of them the error arose; the second takes one after each draw between
    these two."""
    draws: dict[Any, Any] = {frame: [] for frame in frames}
    for call in calls.calls.values():
        if call.frame in draws:
            draws[call.frame].append(call)
    draws = {frame: found for frame, found in draws.items() if found}
    if not draws:
        return {}
    chosen = {frame: samples(found) for frame, found in draws.items()}
    sets = [str(call.number) for frame in sorted(chosen) for call in chosen[frame]]
    coarse = walk(first, second, trace, calls, draws, sets, bound)
    spans: dict[int, tuple[Any, int]] = {}
    whole = {}
    for frame, origins in coarse.items():
        shares = [s for s in origins.shares() if s[0]]
        end = origins.first.number if origins.first else shares[0][0] if shares else None
        if end is None:
            continue
        begin = max((c.number for c in chosen[frame] if c.number < end), default=None)
        spans[frame], whole[frame] = (begin, end), bool(origins.first)
    if not spans:
        return {}
    sets = ["%d-%d/draw" % (draws[frame][0].number if spans[frame][0] is None else spans[frame][0],
                            spans[frame][1]) for frame in sorted(spans)]
    fine = walk(first, second, trace, calls, spans, sets, bound)
    result = {}
    for frame, (begin, end) in spans.items():
        origins = fine[frame]
        new = [s for s in origins.shares() if s[0] and s[0] != begin]
        if whole[frame]:
            result[frame] = origins.first or calls.get(end), None
        else:
            total = dict(coarse[frame].shares())[end]
            inside = sum(share for _, share in new) or 1
            result[frame] = ((calls.get(new[0][0]), total * new[0][1] / inside) if new else
                             (calls.get(end), total))
    return result


@dataclass
class Bisection:
    """The result of bisect. call: None if no draw of the frame is below the bound. pictures: by
    side, and "before" or "after". history: calls with the colours of both sides."""

    call: Any = None
    psnr: float = 0.0
    figures: dict[str, Any] = field(default_factory=dict)
    pixel: tuple[int, ...] = ()
    pictures: dict[tuple[int, str], images.Picture] = field(default_factory=dict)
    history: list[tuple[Call, tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)
    states: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    draws: int = 0


def bisect(first: Any, second: Any, trace: str, calls: Calls, frame: int,
           bound: float) -> Bisection:
    """The first draw of a frame after which the picture that it draws into is below the bound. One
    replay of each side shows the picture after every draw. Halving would need more replays, and
    would be wrong if a later draw covers the error."""
    result, kept = Bisection(), []
    for number, a, b in replay.both(first, second, trace, calls.draws(frame)):
        result.draws += 1
        call = calls.get(number)
        if a is None or b is None:
            continue
        kept.append((call, images.pack(a), images.pack(b)))
        if result.call is None and a.shape == b.shape and images.psnr(a, b) < bound:
            result.call = call
            result.figures = images.compare(a, b)
            result.psnr = result.figures["psnr"]
            worst = images.largest(a, b)
            result.pixel = tuple(int(v) for v in
                                 numpy.unravel_index(worst.argmax(), worst.shape))[::-1]
            result.pictures[0, "after"], result.pictures[1, "after"] = a, b
    if result.call is None:
        return result
    history(result, kept)
    result.states = (first.state(trace, result.call.number),
                     second.state(trace, result.call.number))
    return result


def history(result: Bisection, kept: Sequence[Any]) -> None:
    """Goes through the pictures once more, for the picture before the draw and the history of the
    worst pixel."""
    x, y = result.pixel
    shape, last = result.pictures[0, "after"].shape, None
    for call, first, second in kept:
        if call.target != result.call.target or first[0] != shape or second[0] != shape:
            continue
        a, b = images.unpack(first), images.unpack(second)
        if call.number < result.call.number:
            result.pictures[0, "before"], result.pictures[1, "before"] = a, b
        colours = tuple(int(v) for v in a[y, x]), tuple(int(v) for v in b[y, x])
        if colours != last or call is result.call:
            result.history.append((call, *colours))
        last = colours


STATE = ("GL_BLEND GL_BLEND_SRC GL_BLEND_DST GL_BLEND_SRC_RGB GL_BLEND_DST_RGB GL_BLEND_SRC_ALPHA "
         "GL_BLEND_DST_ALPHA GL_BLEND_EQUATION_RGB GL_BLEND_EQUATION_ALPHA GL_BLEND_COLOR "
         "GL_COLOR_WRITEMASK GL_LOGIC_OP GL_COLOR_LOGIC_OP GL_LOGIC_OP_MODE GL_ALPHA_TEST "
         "GL_ALPHA_TEST_FUNC GL_ALPHA_TEST_REF GL_DEPTH_TEST GL_DEPTH_FUNC GL_DEPTH_WRITEMASK "
         "GL_DEPTH_RANGE GL_STENCIL_TEST GL_STENCIL_FUNC GL_STENCIL_REF GL_STENCIL_VALUE_MASK "
         "GL_STENCIL_FAIL GL_STENCIL_PASS_DEPTH_FAIL GL_STENCIL_PASS_DEPTH_PASS GL_CULL_FACE "
         "GL_CULL_FACE_MODE GL_FRONT_FACE GL_POLYGON_MODE GL_POLYGON_OFFSET_FILL GL_SCISSOR_TEST "
         "GL_SCISSOR_BOX GL_VIEWPORT GL_SHADE_MODEL GL_LIGHTING GL_FOG GL_MULTISAMPLE "
         "GL_CURRENT_PROGRAM GL_DRAW_FRAMEBUFFER_BINDING GL_FRAMEBUFFER_SRGB").split()
# State in which drivers may differ: limits, and what they report about themselves.
OWN = re.compile(r"MAX_|RANGE|GRANULARITY|BITS|NUM_|FORMATS|VERSION|VENDOR|RENDERER|EXTENSION|"
                 r"MEMORY|TIMESTAMP|QUERY|SAMPLE|IMPLEMENTATION|SUBPIXEL|DOUBLEBUFFER|STEREO|"
                 r"RESET|PROFILE|FLAGS|COMPRESSED|DEBUG|_MAX$|CONVENTION")


def shown_state(result: Bisection) -> Any:
    """[(name, value of the first side, of the second)]: the state of the draw that affects pixels,
    and all other state that differs between the sides, except limits."""
    one, two = (state.get("parameters", {}) for state in result.states)
    rows = [(name, one.get(name), two.get(name)) for name in STATE if name in one or name in two]
    rows += [(name, one[name], two[name]) for name in sorted(set(one) & set(two) - set(STATE))
             if one[name] != two[name] and not isinstance(one[name], dict) and
             not OWN.search(name)]
    return rows


def textures(result: Bisection) -> Any:
    """[(name, size and format)] of the textures that are bound on the first side."""
    rows = []
    for name, texture in sorted((result.states[0].get("textures") or {}).items()):
        if isinstance(texture, dict) and name.endswith("level = 0"):
            rows.append((name, f"{texture.get('__width__', '?')}x{texture.get('__height__', '?')} "
                               f"{texture.get('__format__', '')}"))
    return rows
