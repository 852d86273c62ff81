"""Vectors of a plane as complex numbers, on floats with any leading dimensions or on graph scalars.

NumPy's complex numbers cannot be traced; a pair of real parts can, and costs only the operations that are needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin
from typing import Any


@dataclass(frozen=True, eq=False)
class Vector:
    """x + i y."""

    x: Any
    y: Any

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other: Vector) -> Vector:
        return Vector(self.x - other.x, self.y - other.y)

    def __neg__(self) -> Vector:
        return Vector(-self.x, -self.y)

    def __mul__(self, other: Vector) -> Vector:
        """The product of complex numbers: lengths multiplied, angles added."""
        return Vector(self.x * other.x - self.y * other.y, self.x * other.y + self.y * other.x)

    def over(self, other: Vector) -> Vector:
        """self times the conjugate of other: the angle from other to self."""
        return Vector(self.x * other.x + self.y * other.y, self.y * other.x - self.x * other.y)

    def times(self, scale: Any) -> Vector:
        return Vector(self.x * scale, self.y * scale)

    def across(self) -> Vector:
        """A quarter turn on: i (x + i y)."""
        return Vector(-self.y, self.x)

    def mirrored(self) -> Vector:
        return Vector(self.x, -self.y)

    def square(self) -> Any:
        """The length squared."""
        return self.x * self.x + self.y * self.y

    def dot(self, other: Vector) -> Any:
        return self.x * other.x + self.y * other.y

    def cross(self, other: Vector) -> Any:
        """The area spanned, positive where other lies to the left."""
        return self.x * other.y - self.y * other.x


ZERO = Vector(0.0, 0.0)
ONE = Vector(1.0, 0.0)


def direction(angle: float) -> Vector:
    """The unit vector at an angle; quarter turns are exact."""
    return Vector(_exact(cos(angle)), _exact(sin(angle)))


def _exact(value: float) -> float:
    return float(round(value)) if abs(value - round(value)) < 1e-15 else value
