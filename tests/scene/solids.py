"""Solids as triangles, written in every format that is read; their volumes and areas are known in closed form."""

from __future__ import annotations

import struct

import numpy as np


def box(a: float, b: float, c: float) -> tuple[np.ndarray, np.ndarray]:
    """Corners (8, 3) and triangles (12, 3) of a box about the origin, seen from outside counterclockwise."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * [a / 2, b / 2, c / 2]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, np.array([t for i, j, k, l in quads for t in ((i, j, k), (i, k, l))])


def ball(r: float, parts: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """A ball of rings and meridians."""
    lat, lon = np.meshgrid(np.linspace(0, np.pi, parts + 1), np.arange(2 * parts) * np.pi / parts, indexing="ij")
    corners = r * np.stack([np.sin(lat) * np.cos(lon), np.sin(lat) * np.sin(lon), np.cos(lat)], -1).reshape(-1, 3)
    index = np.arange((parts + 1) * 2 * parts).reshape(parts + 1, 2 * parts)
    a, b = index[:-1], index[1:]
    a2, b2 = np.roll(a, -1, axis=1), np.roll(b, -1, axis=1)
    triangles = np.concatenate([np.stack([a, b, b2], -1).reshape(-1, 3), np.stack([a, b2, a2], -1).reshape(-1, 3)])
    return corners, triangles


def volume(corners: np.ndarray, triangles: np.ndarray) -> float:
    """By Gauss's theorem."""
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    return float((a * np.cross(b, c)).sum() / 6.0)


def area(corners: np.ndarray, triangles: np.ndarray) -> float:
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0)


def binary_stl(corners: np.ndarray, triangles: np.ndarray, head: bytes = b"made here") -> bytes:
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *corners[t].ravel(), 0) for t in triangles)
    return head.ljust(80, b" ") + struct.pack("<I", len(triangles)) + body


def ascii_stl(corners: np.ndarray, triangles: np.ndarray) -> bytes:
    lines = ["solid made here"]
    for t in triangles:
        vertices = [f"vertex {x!r} {y!r} {z!r}" for x, y, z in corners[t].tolist()]
        lines += ["facet normal 0 0 0", "outer loop", *vertices, "endloop", "endfacet"]
    return "\n".join([*lines, "endsolid made here", ""]).encode()


def obj(corners: np.ndarray, triangles: np.ndarray) -> bytes:
    lines = ["# made here", "mtllib none.mtl", *(f"v {x!r} {y!r} {z!r}" for x, y, z in corners.tolist()), "vn 0 0 1"]
    return "\n".join([*lines, *(f"f {a}//1 {b}//1 {c}//1" for a, b, c in (triangles + 1).tolist()), ""]).encode()


def dae(
    corners: np.ndarray,
    triangles: np.ndarray,
    *,
    unit: float = 1.0,
    up: str = "Z_UP",
    node: str = "",
    kind: str = "triangles",
    inner: str = "",
) -> bytes:
    """One geometry, placed once by a node with these transforms, red by its effect."""
    numbers = " ".join(map(repr, corners.ravel().tolist()))
    p = " ".join(f"{k} 0" for k in triangles.ravel())
    counts = f"<vcount>{' '.join(['3'] * len(triangles))}</vcount>" if kind == "polylist" else ""
    pieces = f"<p>{p}</p>"
    if kind == "polygons":
        pieces = "".join(f"<p>{a} 0 {b} 0 {c} 0</p>" for a, b, c in triangles)
    return f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="unit" meter="{unit}"/><up_axis>{up}</up_axis></asset>
<library_effects><effect id="effect"><profile_COMMON><technique sid="common"><lambert>
<diffuse><color>1 0.5 0 1</color></diffuse></lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="material"><instance_effect url="#effect"/></material></library_materials>
<library_geometries><geometry id="solid"><mesh>
<source id="at"><float_array id="array" count="{corners.size}">{numbers}</float_array><technique_common>
<accessor source="#array" count="{len(corners)}" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<source id="normal"><float_array id="n" count="3">0 0 1</float_array><technique_common>
<accessor source="#n" count="1" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="vertices"><input semantic="POSITION" source="#at"/></vertices>
<{kind} count="{len(triangles)}" material="painted"><input semantic="VERTEX" source="#vertices" offset="0"/>
<input semantic="NORMAL" source="#normal" offset="1"/>{counts}{pieces}</{kind}>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="scene"><node id="outer">{node}
<instance_geometry url="#solid"><bind_material><technique_common>
<instance_material symbol="painted" target="#material"/></technique_common></bind_material></instance_geometry>{inner}
</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene></COLLADA>""".encode()


WRITERS = {"binary.stl": binary_stl, "text.stl": ascii_stl, "plain.obj": obj, "plain.dae": dae}
