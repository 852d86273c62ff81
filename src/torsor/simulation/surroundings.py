"""What acts on the arm from outside: wrenches at the tool, a wall that pushes back, buffers at the ends of joints."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.algebra.functions import less, maximum, select
from torsor.arm import Arm
from torsor.elastic.coupled_equations import CoupledEquations
from torsor.errors import CompileError, ShapeError, Unsupported
from torsor.mechanics.arguments import floats
from torsor.simulation.recorded import Recorded, recorded

Wrench = Callable[[Any, Any, Any], Any]  # (t, q, qd) -> (6,), traced
WrenchLike = ArrayLike | Callable[..., Any] | Sequence[Any] | None


@dataclass(frozen=True)
class ContactSpring:
    """A plane that pushes the tool's origin back once it is behind it, without friction and without pulling.

    F = normal max(0, stiffness d - damping dd/dt) for a depth d = offset - normal . p above zero, p and the normal in
    base axes, in m, N/m and N s/m.

    >>> import torsor
    >>> wall = ContactSpring(normal=[-1, 0, 0], offset=-0.6, stiffness=2e4)  # at x = 0.6, the arm on its near side
    >>> wall.depth(torsor.load("irb140"), [0, 0.5, 0, 0, 0, 0]).round(3)
    np.float64(0.033)
    """

    normal: ArrayLike
    offset: float
    stiffness: float
    damping: float = 0.0

    def __post_init__(self) -> None:
        n = np.asarray(self.normal, dtype=np.float64)
        if n.shape != (3,) or not np.isfinite(n).all() or not np.linalg.norm(n) > 0.0:
            raise ShapeError(f"normal is {self.normal!r}", hint="a direction (3,) in base axes, away from the wall")
        if not 0.0 < self.stiffness < np.inf or not 0.0 <= self.damping < np.inf or not np.isfinite(self.offset):
            text = f"offset is {self.offset}, stiffness {self.stiffness}, damping {self.damping}"
            raise ShapeError(text, hint="finite, the stiffness in N/m above zero")
        object.__setattr__(self, "normal", tuple((n / np.linalg.norm(n)).tolist()))

    def depth(self, arm: Arm, q: ArrayLike) -> Any:
        """How far (...) the tool is behind the plane, in m; below zero: how far in front of it."""
        return self.offset - (arm.pose(q)[..., :3, 3] * np.array(self.normal)).sum(axis=-1)

    def wrench(self, arm: Arm, q: Any, qd: Any) -> Any:
        """(..., 6) on the tool, in base axes; traced or on floats."""
        velocity = (arm.jacobian(q)[..., :3, :] * qd[..., None, :]).sum(axis=-1)
        return self.push(arm.pose(q)[..., :3, 3], velocity)

    def push(self, place: Any, velocity: Any) -> Any:
        """(..., 6) on a tool that is there and moves so, (..., 3) each."""
        n = np.array(self.normal)
        rate, depth = (velocity * n).sum(axis=-1), self.offset - (place * n).sum(axis=-1)
        size = select(less(0.0, depth), maximum(self.stiffness * depth - self.damping * rate, 0.0), 0.0)
        force = [size * n[i] for i in range(3)]
        return np.stack([*force, *([0.0 * size] * 3)], axis=-1)


@dataclass(frozen=True)
class Buffers:
    """Elastic buffers at the position limits of the joints: a torque stiffness x + damping dx/dt against going on."""

    stiffness: float
    damping: float = 0.0

    def __post_init__(self) -> None:
        if not 0.0 < self.stiffness < np.inf or not 0.0 <= self.damping < np.inf:
            text = f"stiffness is {self.stiffness}, damping {self.damping}"
            raise ShapeError(text, hint="finite, the stiffness in N m/rad above zero")

    def torques(self, lower: Any, upper: Any, q: Any, qd: Any) -> Any:
        total = []
        for j, (low, high) in enumerate(zip(lower.tolist(), upper.tolist(), strict=True)):
            torque: Any = 0.0 * q[..., j]
            if np.isfinite(high):
                push = maximum(self.stiffness * (q[..., j] - high) + self.damping * qd[..., j], 0.0)
                torque = torque - select(less(high, q[..., j]), push, 0.0)
            if np.isfinite(low):
                push = maximum(self.stiffness * (low - q[..., j]) - self.damping * qd[..., j], 0.0)
                torque = torque + select(less(q[..., j], low), push, 0.0)
            total.append(torque)
        return np.stack(total, axis=-1)


def wrench_of(given: WrenchLike, arm: Arm, bending: CoupledEquations | None = None) -> Recorded | None:
    """The sum of all wrenches on the tool, as they are now; of an elastic arm where all its coordinates have it."""
    sources = _sources(given, arm, bending)
    if not sources:
        return None
    size = None if bending is None else bending.n
    return recorded(lambda *now: sum(source(*now) for source in sources), arm, 0, "wrench", coordinates=size)


def _sources(given: WrenchLike, arm: Arm, bending: CoupledEquations | None) -> tuple[Wrench, ...]:
    """Each source of a wrench as a function of t, q and qd."""
    if given is None:
        return ()
    if isinstance(given, list | tuple) and any(callable(each) or isinstance(each, ContactSpring) for each in given):
        return tuple(wrench for each in given for wrench in _sources(each, arm, bending))
    if isinstance(given, ContactSpring):
        if bending is not None:  # it meets the tool where that is
            return (lambda t, x, xd: given.push(*bending.tool(x, xd)),)
        return (lambda t, q, qd: given.wrench(arm, q, qd),)
    if callable(given):
        wrench = _of_state(given)
        return (lambda t, q, qd: wrench(t, q[: arm.n], qd[: arm.n]),)
    constant = floats("wrench", given, 6, "force over moment at the tool, in base axes")
    if constant.ndim != 1 or not np.isfinite(constant).all():
        raise ShapeError(f"wrench is {constant}", hint="(6,), or a function of t, or of t, q and qd")
    return (lambda t, q, qd: constant,)


def _of_state(function: Callable[..., Any]) -> Wrench:
    try:
        wanted = len(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        wanted = 3
    if wanted not in (1, 3):
        raise Unsupported(f"wrench is a function of {wanted} arguments", hint="wrench(t), or wrench(t, q, qd)")

    def wrench(t: Any, q: Any, qd: Any) -> Any:
        try:
            found = np.asarray(function(t, q, qd) if wanted == 3 else function(t), dtype=object)
        except CompileError as error:
            raise Unsupported(f"wrench cannot be traced: {error.problem}", hint=error.hint) from error
        if found.shape != (6,):
            raise ShapeError(f"wrench gives {found.shape}", hint="(6,), force over moment at the tool, in base axes")
        return found

    return wrench
