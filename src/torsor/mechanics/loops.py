"""The loops of an arm, put together once, and closed from any joints that say where all are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from torsor.errors import Unsupported
from torsor.mechanics.assembly import Assembly, assembled, free_names, require_determined
from torsor.mechanics.closure import Closure, closure_of
from torsor.mechanics.tree import Reals, Tree
from torsor.model.model import Model
from torsor.model.transforms import Floats

GUESS = "guess"  # the input of kernels that close loops by Newton's method


@dataclass(frozen=True, eq=False)
class Loops:
    """The loops of a model, closed from some of its joints; put together when they are first needed."""

    model: Model
    plain: Tree
    names: tuple[str, ...]  # of the joints given
    origin: Loops | None = None  # from the free joints, where others are given

    @property
    def n(self) -> int:
        return len(self.names)

    @cached_property
    def assembly(self) -> Assembly:
        """One for an arm, whichever joints are given."""
        return assembled(self.model, self.plain, self.names) if self.origin is None else self.origin.assembly

    @property
    def reference(self) -> Floats:
        """The given joints (n,) of the assembled posture."""
        return self.assembly.reference[[self.model.joint_names.index(name) for name in self.names]]

    def about(self, x: Reals) -> dict[Any, float]:
        """Symbols of the given joints (n,), each with where it is in the assembled posture."""
        return dict(zip(x, map(float, self.reference), strict=True))

    def given(self, names: Sequence[str]) -> Loops:
        """The same loops closed from other joints, in file order; those that do not say where all are are refused."""
        chosen = [k for k, name in enumerate(self.model.joint_names) if name in names]
        require_determined(self.model, self.assembly, chosen)
        return Loops(self.model, self.plain, tuple(self.model.joint_names[k] for k in chosen), self.origin or self)

    @cached_property
    def centres(self) -> dict[int, float]:
        """Angles of dependent joints are given within half a turn of these: the middle of their range, where known."""
        found = {}
        for k, link in enumerate(self.model.independent):
            if link.joint.kind in ("revolute", "continuous") and link.joint.name not in self.names:
                limits = link.joint.limits.position
                found[k] = float(self.assembly.reference[k]) if limits is None else 0.5 * (limits[0] + limits[1])
        return found

    def closure(self, tree: Tree) -> Closure:
        """Of the arm's tree, or of the same in other frames."""
        if any(b.position.dtype == object or b.rotation.dtype == object for b in tree.bodies):
            raise Unsupported(
                f"the loops of {tree.name!r} are closed with numbers for their lengths", hint="ask for lengths=False"
            )
        given = [self.model.joint_names.index(name) for name in self.names]
        return closure_of(tree, self.model.loops, given, self.assembly.reference, self.centres)

    def facts(self) -> bytes:
        """All the closure depends on beside the tree, without putting the arm together."""
        limits = [link.joint.limits.position for link in self.model.independent]
        described = [(loop.name, loop.kind, loop.driven, loop.near, loop.length) for loop in self.model.loops]
        ends = [mount for pair in self.plain.ends for mount in pair]
        numbers = b"".join(mount.rotation.tobytes() + mount.position.tobytes() for mount in ends)
        return repr((self.names, limits, described, [mount.body for mount in ends])).encode() + numbers


def loops_of(model: Model, plain: Tree) -> Loops | None:
    """The loops of a model closed from its free joints, None where it has none."""
    return Loops(model, plain, free_names(model)) if model.loops else None
