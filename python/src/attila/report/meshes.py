"""Meshes for a report, made from a capture of the run: the positions of a draw's vertices before
and after the vertex program, and its primitives (attila-sim picture --vertices --primitives).

Not here: which draws are the costliest (pictures.py), the view (src/report-html/mesh.js).
"""

from __future__ import annotations

from typing import Any


def chosen(work: list[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """These draws in their order, without those that have more vertices or indices than are left
    of most."""
    result = []
    for w in work:
        size = w["count"] * (w["instances"] or 1)
        if size <= most:
            most -= size
            result.append(w)
    return result


def position_of(vertices: list[dict[str, Any]]) -> str | None:
    """The first input that looks like a position: two of its first three components vary."""
    for name in vertices[0]["in"]:
        values = [v["in"][name] for v in vertices]
        if sum(len({value[i] for value in values}) > 1 for i in range(3)) > 1:
            return str(name)
    return None


def short(value: Any) -> float | None:
    """The number with 5 digits; None if it is none ("nan", "inf")."""
    return None if isinstance(value, str) else float(f"{value:.5g}")


def mesh_of(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    vertices = [r for r in rows if "vertex" in r]
    primitives = [r["primitive"] for r in rows if "primitive" in r]
    if not primitives or "o0" not in vertices[0]["out"]:
        return None
    name = position_of(vertices)
    return {"input": name, "corners": len(primitives[0]),
            "in": [short(c) for v in vertices for c in v["in"][name][:3]] if name else None,
            "out": [short(c) for v in vertices for c in v["out"]["o0"]],
            "primitives": [v for p in primitives for v in p]}


def of_rows(rows: dict[int, list[dict[str, Any]]]) -> dict[int, Any]:
    """{work: mesh} of the draws that have one. rows: {work: rows of attila-sim picture}"""
    meshes = {work: mesh_of(of) for work, of in rows.items()}
    return {work: mesh for work, mesh in meshes.items() if mesh}
