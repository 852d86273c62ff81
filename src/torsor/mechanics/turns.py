"""Turns about z, by angles of the state and by quarters that are exact, and where joints follow each other by such."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.mechanics.tree import Body

FOLLOWING = "following"  # symbols of joints that loops move: in the end sine and cosine are put in for them


@dataclass(frozen=True, eq=False)
class Turn:
    """A turn about z by a sum of symbols, None where there is none, and by what has cosine and sine: quarters, exactly,
    angles that are numbers, so that sums of large ones lose no digits, and those that loops are closed by."""

    angle: Any = None
    quarters: tuple[Any, Any] = (1.0, 0.0)

    @classmethod
    def by(cls, angle: Any) -> Turn:
        is_sum = np.asarray(angle).dtype == object and not is_following(angle)
        return cls(angle) if is_sum else cls(None, (np.cos(angle), np.sin(angle)))

    def then(self, other: Turn) -> Turn:
        (c, s), (c2, s2) = self.quarters, other.quarters
        angles = [each.angle for each in (self, other) if each.angle is not None]
        return Turn(sum(angles[1:], angles[0]) if angles else None, (c * c2 - s * s2, s * c2 + c * s2))

    def seen_from(self, side: float) -> Turn:
        """About z of the same direction (1), or of the opposite one (-1)."""
        if side > 0.0:
            return self
        return Turn(None if self.angle is None else -self.angle, (self.quarters[0], -self.quarters[1]))

    @property
    def unit(self) -> tuple[Any, Any]:
        """Cosine and sine."""
        c, s = self.quarters
        if self.angle is None:
            return c, s
        x, y = np.cos(self.angle), np.sin(self.angle)
        return c * x - s * y, s * x + c * y


def is_following(angle: Any) -> bool:
    """Whether it is that of a joint that a loop moves, on symbols."""
    entries = np.asarray(angle)
    if entries.dtype != object:
        return False
    from torsor.algebra.counting import nodes_of
    from torsor.algebra.walk import reachable

    return any(node.op == "symbol" and node.name.startswith(FOLLOWING) for node in reachable(nodes_of(entries)))


def quarters_between(body: Body) -> tuple[Turn, float] | None:
    """Quarter turns about z, then half a turn about x (-1) or none (1), between parallel joints; else None."""
    R = body.rotation
    if abs(R[2, 2]) != 1.0 or abs(R[0, 0]) not in (0.0, 1.0):
        return None
    return Turn(None, (R[0, 0], R[1, 0])), R[2, 2]
