"""An arm under motor torques, ready to be stepped: mechanism, coordinates, and kernels traced from its pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.drives.drives import Drives
from torsor.drives.friction import require_reversible
from torsor.drives.pages import Mechanism
from torsor.mechanics.quantities import require_invertible
from torsor.model.model import Model
from torsor.model.parts import BASE, Drive
from torsor.model.transforms import Floats
from torsor.simulation.coordinates import Coordinates, coordinates_of
from torsor.simulation.dynamics import Moment, moment

if TYPE_CHECKING:
    from torsor.emit import Kernel

Law = Callable[[Any, Any, Any], Any]  # (t, q, qd) -> motor torques, on floats and traced


def direct(model: Model) -> Model:
    """An arm without drives as if each joint were driven directly, by a motor without inertia."""
    if model.drives:
        return model
    Z = np.array([0.0, 0.0, 1.0])
    motors = (Drive(name, row, 0.0, 0.0, BASE, Z) for name, row in zip(model.joint_names, np.eye(model.n), strict=True))
    return replace(model, drives=tuple(motors))


class System:
    """States are z, zd and the modes of the elements; ``law`` is traced into the kernels, held torques are an input."""

    def __init__(self, model: Model, law: Law | None, wrench: Floats | None, gravity: Floats | None) -> None:
        self.drives = Drives(direct(model))
        self.drives.model.require_inertia()
        require_invertible(self.drives.trees().plain)
        require_reversible(self.drives.contacts)
        self.law = law
        self.wrench = wrench
        self.gravity = self.drives.trees().plain.gravity if gravity is None else gravity
        self._made: dict[str, Kernel] = {}

    @property
    def n(self) -> int:
        return self.drives.model.n

    @property
    def m(self) -> int:
        return self.drives.m

    @property
    def many(self) -> int:
        """How many elements of friction there are."""
        return len(self.coordinates.elements)

    @cached_property
    def mechanism(self) -> Mechanism:
        return Mechanism(self.drives.trees().lean, self.drives.gearing, self.drives.contacts)

    @cached_property
    def coordinates(self) -> Coordinates:
        return coordinates_of(self.drives.gearing, self.drives.contacts)

    def moment(self, t: Any, z: Any, zd: Any, mode: Any, u: Any) -> Moment:
        """Traced: the law, where there is one, gives the torques."""
        c = self.coordinates
        if self.law is not None:
            q, qd = (c.B * z).sum(axis=-1), (c.B * zd).sum(axis=-1)
            u = np.broadcast_to(np.asarray(self.law(t, q, qd), dtype=object), (self.m,))
        return moment(self.mechanism, c, z, zd, mode, u, self.gravity, self.wrench)

    def kernel(self, name: str, sizes: dict[str, int], page: Callable[..., dict[str, Any]]) -> Kernel:
        """Compiles a page of named inputs. Elements may be none: then a cell stands for their modes."""
        from torsor.algebra import simplify, symbols, tape_from
        from torsor.emit import compile_kernel

        if name not in self._made:
            inputs: dict[str, Any] = {word: symbols(word, max(size, 1)) for word, size in sizes.items()}
            given = {word: array[: sizes[word]] for word, array in inputs.items()}
            outputs = {word: _never_empty(value) for word, value in page(**given).items()}
            tape = tape_from(f"{self.drives.model.name}_{name}", inputs, simplify(outputs))
            self._made[name] = compile_kernel(tape)
        return self._made[name]


def _never_empty(value: Any) -> Any:
    array = np.asarray(value)
    return array if array.size else np.zeros(1)
