"""What RAPID's operators do with records: vectors are added, stretched and multiplied, turns follow each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.model.transforms import Floats
from torsor.programs.rapid import rapid_frames as frames
from torsor.programs.values import Value

POS = ("x", "y", "z")
ORIENT = ("q1", "q2", "q3", "q4")


def computed(sign: str, a: Value, b: Value) -> Value | None:
    """The value of ``a sign b`` where one of them has parts and both are known; None where others know it."""
    if not any(isinstance(each, dict | tuple) for each in (a, b)) or not (frames.known(a) and frames.known(b)):
        return None
    if sign in ("=", "<>") and _same_parts(a, b):
        return (_bare(a) == _bare(b)) is (sign == "=")
    p, q = _vector(a), _vector(b)
    match sign:
        case "+" | "-" if p is not None and q is not None:
            return frames.pos_of(p + q if sign == "+" else p - q)
        case "*" if p is not None and q is not None:
            return frames.pos_of(np.cross(p, q))
        case "*" if p is not None and isinstance(b, float):
            return frames.pos_of(p * b)
        case "*" if q is not None and isinstance(a, float):
            return frames.pos_of(a * q)
        case "/" if p is not None and isinstance(b, float) and b != 0.0:
            return frames.pos_of(p / b)
        case "*" if _is_orient(a) and _is_orient(b):
            return frames.orient_of(frames.rotation(a) @ frames.rotation(b))
    return None


def _same_parts(a: Any, b: Any) -> bool:
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys()
    return isinstance(a, tuple | dict) and isinstance(b, tuple | dict) and len(a) == len(b)


def _bare(value: Any) -> Any:
    """A record as it is written in brackets: ``p.trans = [0,0,0]`` compares the parts in their order."""
    if isinstance(value, dict):
        value = tuple(value.values())
    return tuple(map(_bare, value)) if isinstance(value, tuple) else value


def _vector(value: Any) -> Floats | None:
    """A pos, or three numbers in brackets beside one."""
    if isinstance(value, dict) and tuple(value) == POS:
        return frames.position(value)
    if isinstance(value, tuple) and len(value) == 3 and all(isinstance(each, float) for each in value):
        return np.array(value, dtype=np.float64)
    return None


def _is_orient(value: Any) -> bool:
    return isinstance(value, dict) and tuple(value) == ORIENT
