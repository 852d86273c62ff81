"""What an elastic arm at rest is asked with: what holds its joints, and what loads it."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from torsor.elastic.elastic_tree import ElasticTree
from torsor.errors import ModelError, ShapeError, Unsupported, did_you_mean
from torsor.mechanics.arguments import floats
from torsor.mechanics.asking import LIGHTER, NEGATIVE, not_positive
from torsor.model.model import Model
from torsor.model.ranges import PAYLOAD
from torsor.model.transforms import Floats, times

Hold = Literal["locked", "held", "free"]
NO_PUSH = np.zeros(6)


def require_known(drives: Hold) -> None:
    if drives not in get_args(Hold):
        raise Unsupported(f"drives are {drives!r}", hint=did_you_mean(str(drives), get_args(Hold)))


def require_held(model: Model, drives: Hold) -> None:
    """Refuses loads at rest on an arm that they would set in motion."""
    require_known(drives)
    if drives == "free":
        raise Unsupported(f"nobody holds the joints of {model.name!r}", hint='ask with drives="held" or "locked"')


def require_mass(tree: ElasticTree, Z: Floats, M: Floats) -> None:
    """Refuses frequencies of motions Z (x, motions) that move no mass at any posture of M: they have none."""
    found = not_positive(M)
    if found is not None:
        most = int(np.argmax(np.abs(Z[:, found[0]])))
        what = NEGATIVE if found[1] else f"{tree.names[most]!r} moves no mass"
        hint = LIGHTER if found[1] else "give what swings mass and inertia"
        raise ModelError(f"frequencies of {tree.tree.name!r}: {what}", hint=hint)


def push_of(wrench: ArrayLike | None) -> Floats:
    return NO_PUSH if wrench is None else floats("wrench", wrench, 6, "force over moment at the tool")


def loads_of(
    model: Model, payload: float, wrench: ArrayLike | None, gravity: ArrayLike | None
) -> tuple[Floats, Floats]:
    """Gravity, and the wrench on the tool with the weight of a payload, in base axes."""
    if np.ndim(payload) or np.asarray(payload).dtype.kind not in "fiu":
        raise ShapeError(f"payload is {payload!r:.60}", hint="one mass at the tool, in kg")
    PAYLOAD.refuse("payload", payload)
    field = model.gravity if gravity is None else floats("gravity", gravity, 3, "in world axes")
    if field.ndim != 1:
        raise ShapeError(f"gravity has shape {field.shape}", hint="one for all postures, in world axes: give (3,)")
    g = times(model.base[:3, :3].T, field)
    return g, push_of(wrench) + payload * np.concatenate([g, np.zeros(3)])
