"""STL: triangles as text or as bytes, without colours."""

from __future__ import annotations

import re

import numpy as np

from torsor.model.triangles import MeshRefused, Triangles, checked

HEAD, EACH = 84, 50  # bytes before the triangles, and of each
_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_VERTEX = re.compile(rb"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)", re.IGNORECASE)


def read_stl(raw: bytes) -> list[Triangles]:
    """Bytes where the count in their head fits their number, else text: some binary files begin with "solid" too."""
    count = int.from_bytes(raw[80:84], "little") if len(raw) >= HEAD else 0
    if count and len(raw) >= HEAD + EACH * count:
        with np.errstate(invalid="ignore"):  # a NaN that signals is a NaN: ``checked`` refuses it
            corners = np.frombuffer(raw, _RECORD, count, HEAD)["corners"].reshape(-1, 3).astype(np.float64)
    elif raw[:512].lstrip()[:5].lower() == b"solid":
        corners = _text(raw)
    else:
        raise MeshRefused(f"says that it has {count} triangles, and ends before them")
    return [checked(corners, np.arange(len(corners)).reshape(-1, 3))]


def _text(raw: bytes) -> np.ndarray:
    try:
        corners = np.array(_VERTEX.findall(raw), dtype="S32").astype(np.float64).reshape(-1, 3)
    except ValueError:
        raise MeshRefused("has a corner that is no number") from None
    if len(corners) % 3 or b"endsolid" not in raw[-512:].lower():
        raise MeshRefused("ends before its end")
    return corners
