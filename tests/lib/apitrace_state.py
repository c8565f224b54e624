"""Compares the state of draws in a record with what apitrace says of the same calls.

   apitrace_state.py RUN CAPTURE PIXELS SIM CALL=DUMP ...

RUN and CAPTURE are those of "glretrace --markers TRACE" on Attila, DUMP what "glretrace -D CALL
TRACE" prints on any driver, PIXELS what "glretrace --ppd TRACE" prints. CAPTURE "-": no vertices;
PIXELS "-": no fragments. Prints each difference, and how many values agree; ends with status 1 if
anything differs. Not compared: addresses, and formats, for which OpenGL has other names.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import numpy as np

from attila.records import reader, state

TRUTH = {"true": 1, "false": 0, "GL_TRUE": 1, "GL_FALSE": 0}
RASTER = ("GL_VIEWPORT", "GL_DEPTH_RANGE", "GL_SCISSOR_TEST", "GL_SCISSOR_BOX", "GL_CULL_FACE",
          "GL_CULL_FACE_MODE", "GL_FRONT_FACE", "GL_POLYGON_MODE", "GL_POLYGON_OFFSET_FILL",
          "GL_POLYGON_OFFSET_FACTOR", "GL_POLYGON_OFFSET_UNITS", "GL_RASTERIZER_DISCARD",
          "GL_DEPTH_CLAMP", "GL_LINE_WIDTH", "GL_LINE_SMOOTH", "GL_POINT_SIZE", "GL_POINT_SMOOTH",
          "GL_POINT_SPRITE", "GL_PROGRAM_POINT_SIZE", "GL_POLYGON_SMOOTH", "GL_POLYGON_STIPPLE")
OTHERS = ("GL_SAMPLE_ALPHA_TO_COVERAGE", "GL_SAMPLE_ALPHA_TO_ONE", "GL_COLOR_LOGIC_OP",
          "GL_LOGIC_OP_MODE", "GL_SAMPLES")
BLEND = ("GL_BLEND", "GL_BLEND_EQUATION_RGB", "GL_BLEND_SRC_RGB", "GL_BLEND_DST_RGB",
         "GL_BLEND_EQUATION_ALPHA", "GL_BLEND_SRC_ALPHA", "GL_BLEND_DST_ALPHA", "GL_BLEND_COLOR")
SAMPLER = ("GL_TEXTURE_MIN_FILTER", "GL_TEXTURE_MAG_FILTER", "GL_TEXTURE_WRAP_S",
           "GL_TEXTURE_WRAP_T", "GL_TEXTURE_WRAP_R", "GL_TEXTURE_COMPARE_MODE",
           "GL_TEXTURE_COMPARE_FUNC", "GL_TEXTURE_LOD_BIAS", "GL_TEXTURE_MIN_LOD",
           "GL_TEXTURE_MAX_LOD", "GL_TEXTURE_MAX_ANISOTROPY", "GL_TEXTURE_BORDER_COLOR")


class Comparison:
    """Counts values that agree, and prints the others."""

    def __init__(self, call: int) -> None:
        self.call, self.agree, self.differ = call, 0, 0

    def check(self, what: str, got: Any, wanted: Any, off: float = 0) -> None:
        """Numbers of apitrace have 7 digits. off: by how much they may differ beside that."""
        a, b = numbers(got), numbers(wanted)
        if got == wanted or (a is not None and b is not None and len(a) == len(b) and
                             np.allclose(a, b, rtol=2e-6, atol=off)):
            self.agree += 1
        else:
            self.differ += 1
            print(f"call {self.call}: {what} is {got}, apitrace says {wanted}")


def flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for v in value:
            yield from flat(v)
    else:
        yield value


def numbers(value: Any) -> list[float] | None:
    parts = re.split(r"[ ,]+", value) if isinstance(value, str) else flat(value)
    try:
        return [float(TRUTH.get(p, p)) for p in parts]
    except (TypeError, ValueError):
        return None


def load(path: str) -> dict[str, Any]:
    with open(path, "rb") as f:  # a log of the driver may have control characters
        result: dict[str, Any] = json.loads(f.read().decode("utf-8", "replace"), strict=False)
    return result


def polygon_mode(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value[0] == value[-1] else value


def compare_fixed(of: Comparison, ours: dict[str, Any], dump: dict[str, Any]) -> None:
    """Raster, depth, stencil, blending, and the sizes of targets."""
    said = dump["parameters"]
    raster, size = ours["raster"], ours["framebuffer"]
    for name in RASTER:
        if name not in raster or name not in said:
            continue
        wanted = polygon_mode(said[name])
        if name == "GL_SCISSOR_TEST" and raster[name] == "GL_FALSE" and wanted == "GL_TRUE":
            x, y, w, h = said["GL_SCISSOR_BOX"]  # it has no effect if all is inside
            if x <= 0 and y <= 0 and x + w >= size["width"] and y + h >= size["height"]:
                wanted = "GL_FALSE"
        of.check(name, raster[name], wanted)
    targets = [v for v in dump["framebuffer"].values() if v.get("__class__") == "image"]
    for target in targets:
        of.check("framebuffer width", size["width"], target["__width__"])
        of.check("framebuffer height", size["height"], target["__height__"])
    for name in OTHERS:
        if name in size and name in said:
            of.check(name, size[name], said[name])
    for part in ("depth", "stencil"):
        for name, value in ours[part].items():
            if name in said:
                wanted = said[name]
                if name.endswith("MASK") and str(value).startswith("0x"):  # of 8 bits
                    value, wanted = int(value, 16), int(wanted) & 0xff
                of.check(name, value, wanted)
    for number, target in ours.get("color", {}).items():
        mask = said["GL_COLOR_WRITEMASK"]
        mask = mask[number] if isinstance(mask[0], list) else mask
        # A format without alpha has none to write.
        got = target["GL_COLOR_WRITEMASK"].replace("none", "")
        wanted = "".join(c for c, m in zip("RGBA", mask, strict=True) if m == "GL_TRUE")
        if "A8" not in target["format"]:
            got, wanted = got.replace("A", ""), wanted.replace("A", "")
        of.check(f"color[{number}] GL_COLOR_WRITEMASK", got, wanted)
        for name in BLEND:
            key = "GL_BLEND_EQUATION" if name == "GL_BLEND_EQUATION_RGB" else name
            if name in target and key in said:
                value = said[key]
                if isinstance(value, list) and name != "GL_BLEND_COLOR":
                    value = value[number]
                of.check(f"color[{number}] {name}", target[name], value)


def transform(dump: dict[str, Any]) -> tuple[Any, float]:
    """The matrix from vertices to clip space of fixed functions; the largest term of its sums."""
    a, b = (np.array(list(flat(dump["parameters"][f"GL_{name}_MATRIX"]))).reshape(4, 4).T
            for name in ("PROJECTION", "MODELVIEW"))
    return a @ b, float(np.max(np.abs(a) @ np.abs(b)))


ARRAYS = ("VERTEX", "NORMAL", "COLOR", "SECONDARY_COLOR", "FOG_COORD", "TEXTURE_COORD")
BITS = {"FLOAT": 32, "BYTE": 8, "SHORT": 16, "INT": 32, "HALF_FLOAT": 16}


def compare_attributes(of: Comparison, ours: dict[str, Any], dump: dict[str, Any]) -> None:
    """Size, type and stride of arrays. Attributes are in the order of OpenGL; a program may read
    fewer than are enabled, then nothing is known."""
    said = dump["parameters"]
    parts = ("SIZE", "TYPE", "STRIDE")
    arrays = [[said.get(f"GL_{a}_ARRAY_{k}", 3) for k in parts] for a in ARRAYS
              if said.get(f"GL_{a}_ARRAY") == "GL_TRUE"]  # normals have no size: it is 3
    for n in range(16):
        a = said.get(f"GL_VERTEX_ATTRIB_ARRAY{n}", {})
        if a.get("GL_VERTEX_ATTRIB_ARRAY_ENABLED") == "GL_TRUE":
            arrays.append([a[f"GL_VERTEX_ATTRIB_ARRAY_{k}"] for k in parts])
    got = [a for a in ours.get("attribute", {}).values() if "GL_VERTEX_ATTRIB_ARRAY_STRIDE" in a]
    if len(got) != len(arrays):
        return
    for n, (a, (size, kind, stride)) in enumerate(zip(got, arrays, strict=True)):
        bits = BITS.get(kind.replace("GL_", "").replace("UNSIGNED_", ""))
        if bits is None:  # packed
            continue
        of.check(f"attribute[{n}] format", re.findall(r"[RGBA](\d+)", a["format"]),
                 [str(bits)] * size)
        of.check(f"attribute[{n}] stride", a["GL_VERTEX_ATTRIB_ARRAY_STRIDE"],
                 stride or size * bits // 8)


def members(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """(name in the record, value) of a uniform of apitrace, where arrays of vectors, matrices and
    structures are nested lists and objects."""
    if isinstance(value, dict):
        for key, of in value.items():
            yield from members(f"{name}.{key}" if name else key, of)
        return
    yield name, value
    if isinstance(value, list):
        for i, of in enumerate(value):
            yield from members(f"{name}[{i}]", of)


def compare_uniforms(of: Comparison, items: list[state.Item], dump: dict[str, Any],
                     ) -> dict[int, int]:
    """Returns the unit of OpenGL of each texture that a sampler reads."""
    said = dict(members("", dump["uniforms"]))
    units = {}
    for i in items:
        if not i.type or i.value is None or i.name.startswith("gl_"):
            continue
        if i.name.startswith("state."):
            row = re.fullmatch(r"state\.matrix\.mvp\.transpose\.row\[(\d)\]", i.name)
            if row:
                matrix, largest = transform(dump)
                of.check(i.name, i.value, list(matrix[:, int(row[1])]), 2e-6 * largest)
            continue
        wanted = said.get(i.name, said.get(i.name.split(".", 1)[-1]))
        if "sampler" in i.type:  # programs of fixed functions name it by its unit
            fixed = re.fullmatch(r"sampler_(\d+)", i.name)
            units[int(i.value)] = int(fixed[1] if fixed else wanted)
        else:
            of.check(f"{i.part} {i.name}", i.value, wanted)
    return units


def compare_textures(of: Comparison, ours: dict[str, Any], units: dict[int, int],
                     dump: dict[str, Any]) -> None:
    for number, texture in ours.get("texture", {}).items():
        unit = dump["parameters"][f"GL_TEXTURE{units.get(number, number)}"]
        target = texture["target"]
        said = {**unit.get(target, {}), **unit.get("GL_SAMPLER", {})}
        what = f"texture[{number}] (unit {units.get(number, number)}) "
        if target not in unit:
            of.check(what + "target", target, [k for k in unit if isinstance(unit[k], dict)])
            continue
        said["GL_TEXTURE_MAX_ANISOTROPY"] = said.get("GL_TEXTURE_MAX_ANISOTROPY_EXT", 1)
        said.setdefault("GL_TEXTURE_COMPARE_MODE", "GL_NONE")
        if said["GL_TEXTURE_COMPARE_MODE"] == "GL_ZERO":  # the same number
            said["GL_TEXTURE_COMPARE_MODE"] = "GL_NONE"
        for name in SAMPLER:
            if name in texture and name in said:
                value = said[name]
                if name in ("GL_TEXTURE_MIN_LOD", "GL_TEXTURE_MAX_LOD"):  # the hardware's
                    value = min(max(value, 0), 15)
                of.check(what + name, texture[name], value)
        base = texture.get("GL_TEXTURE_BASE_LEVEL", said.get("GL_TEXTURE_BASE_LEVEL", 0))
        image = dump["textures"].get(next(
            (k for k in dump["textures"] if re.match(
                rf"GL_TEXTURE{units.get(number, number)}, {target}(_POSITIVE_X)?, level = {base}$",
                k)), ""), {})
        for name in ("width", "height"):
            if name in texture and f"__{name}__" in image:
                of.check(what + name, texture[name], image[f"__{name}__"])


def vertices(sim: str, capture: str, frame: int, draw: int) -> list[dict[str, str]]:
    done = subprocess.run([sim, "picture", capture, "--frame", str(frame), "--draw", str(draw),
                           "--vertices", "--format", "csv"], capture_output=True, text=True,
                          check=True)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def compare_vertices(of: Comparison, rows: list[dict[str, str]], dump: dict[str, Any]) -> None:
    """Each attribute of apitrace is an input of the vertex program. It has integers in place of
    normalized values."""
    said = dump["buffers"].get("vertices", [])
    if not said and not dump["shaders"]:
        matrix, largest = transform(dump)
        for r in rows:
            at, out = (np.array([float(r[f"{name}.{c}"]) for c in "xyzw"])
                       for name in ("i0", "o0"))
            of.check(f"position of vertex {r['vertex']}", list(out), list(matrix @ at),
                     2e-6 * largest * float(np.max(np.abs(at))))
    if not said:
        return
    inputs = sorted({k.split(".")[0] for k in rows[0] if re.match(r"i\d", k)})
    numbers_of = [int(r["vertex"]) for r in rows]
    for name, first in said[0].items():
        wide = len(list(flat(first)))
        good = None
        for i, one in itertools.product(inputs, (1, 255, 65535)):
            if all(v < len(said) and close([one * float(r[f"{i}.{c}"]) for c in "xyzw"[:wide]],
                                           list(flat(said[v][name])))
                   for v, r in zip(numbers_of, rows, strict=True)):
                good = i
        of.check(f"attribute {name} of {len(rows)} vertices", good is not None, True)


def close(a: list[float], b: list[float]) -> bool:
    return all(abs(x - y) <= 2e-6 * max(abs(x), abs(y)) + 1e-30 for x, y in zip(a, b, strict=True))


def passed(sim: str, capture: str, frame: int, draw: int) -> int:
    """Fragments of the draw that passed all tests."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sim, "picture", capture, "--frame", str(frame), "--draws",
                        f"{draw}-{draw}", "--coverage", "--surface", "color0,depth", "--out",
                        folder], capture_output=True, check=True)
        with open(f"{folder}/pictures.csv", encoding="utf-8") as f:
            return int(next(csv.DictReader(f))["passed"])


def pixels_of(path: str) -> dict[int, int]:
    """{call: fragments that passed} of what glretrace --ppd prints."""
    with open(path, encoding="utf-8") as f:
        rows = [line.split() for line in f if line.startswith("call ")]
    return {int(r[1]): int(r[10]) for r in rows}


def main() -> int:
    run, capture, pixels, sim, *calls = sys.argv[1:]
    db, bad, agree = reader.open_record(run), 0, 0
    counts = {} if pixels == "-" else pixels_of(pixels)
    for argument in calls:
        call, path = argument.split("=", 1)
        dump, of = load(path), Comparison(int(call))
        works = db.execute("SELECT work, frame, draw FROM work WHERE kind = 'draw' AND "
                           "label GLOB ?", (f"{call} *",)).fetchall()
        if not works:
            of.check("the draw", None, call)
            continue
        work, frame, draw = works[-1]
        items = state.items(db, work)
        ours = state.nested(items)
        compare_fixed(of, ours, dump)
        compare_attributes(of, ours, dump)
        compare_textures(of, ours, compare_uniforms(of, items, dump), dump)
        if capture != "-":
            compare_vertices(of, vertices(sim, capture, frame, draw), dump)
        if counts:  # rasterisers may differ in a fragment or two
            got = sum(passed(sim, capture, f, d) for _, f, d in works)
            of.check("fragments that passed", got, counts[int(call)],
                     2 + counts[int(call)] // 1000)
        print(f"call {call}: {of.agree} values agree, {of.differ} differ")
        bad, agree = bad + of.differ, agree + of.agree
    print(f"{agree} values agree, {bad} differ")
    return 1 if bad or not agree else 0


if __name__ == "__main__":
    sys.exit(main())
