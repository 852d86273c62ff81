"""``arm.closure``: the loops of an arm. Where its other joints are for driven ones, how they move, what loops carry."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import LoopOpen, SingularLoop, Unsupported, did_you_mean
from torsor.mechanics.arguments import floats
from torsor.mechanics.canonical import Trees
from torsor.mechanics.closure import Closure
from torsor.mechanics.dyad import Dyad
from torsor.mechanics.loops import GUESS, Loops, reference_guess
from torsor.model.model import Model
from torsor.model.transforms import Floats
from torsor.motion.closing import followed
from torsor.motion.dead_centres import Singularity, explain_open, singularities_of

if TYPE_CHECKING:
    from torsor.emit import Kernel

ROUNDING = 1e-14  # by which a flat triangle may seem open
SINGULAR = 1e-7  # distance to a singularity below which rates mean nothing


class LoopClosure:
    """All joints q of the tree, in file order, from the driven ones x.

    Arrays are x (..., n) and q (..., tree joints), with any leading dimensions.

    >>> import torsor
    >>> closure = torsor.load("asea-irb").closure
    >>> closure.dependent
    ('joint3', 'joint8')
    >>> closure.positions([0.0, 1.7, 0.0, 1.3, 0.0, 2.1]).round(3).tolist()
    [0.0, 1.7, 1.866, 0.0, 1.3, 0.0, 2.1, -0.446]
    """

    def __init__(self, model: Model, trees: Trees) -> None:
        assert trees.loops is not None
        self.model = model
        self.trees = trees
        self.loops: Loops = trees.loops
        self._kernels: dict[str, Kernel] = {}

    @property
    def driven(self) -> tuple[str, ...]:
        """Names of the entries of x."""
        return self.loops.names

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the entries of q."""
        return self.model.joint_names

    @property
    def dependent(self) -> tuple[str, ...]:
        """The joints that the loops move."""
        return tuple(name for name in self.names if name not in self.driven)

    @property
    def reference(self) -> Floats:
        """An assembled posture of the tree, (tree joints,), close to what the arm file says."""
        return self.loops.assembly.reference.copy()

    @property
    def is_closed_form(self) -> bool:
        """Whether all loops are closed in closed form; the others are by Newton's method."""
        return self._closure.is_explicit

    @property
    def redundant(self) -> int:
        """How many equations of the loops, counted in space, only repeat others."""
        return self.loops.assembly.equations - self.loops.assembly.rank

    @cached_property
    def _closure(self) -> Closure:
        return self.loops.closure(self.trees.plain)

    def driven_by(self, names: Sequence[str]) -> LoopClosure:
        """The same loops with other joints given, such as the joints of the tool's chain.

        >>> import torsor
        >>> closure = torsor.load("asea-irb").closure.driven_by([f"joint{k}" for k in range(1, 7)])
        >>> closure.dependent
        ('joint7', 'joint8')
        """
        for name in names:
            if name not in self.names:
                raise Unsupported(f"{self.model.name!r} has no joint {name!r}", hint=did_you_mean(name, self.names))
        ordered = tuple(name for name in self.names if name in set(names))
        return LoopClosure(self.model, Trees(self.trees.plain, loops=Loops(self.model, self.trees.plain, ordered)))

    # kinematics

    def positions(self, x: ArrayLike) -> Floats:
        """q (..., tree joints). One x at which a loop cannot close raises LoopOpen; in a batch it gives NaN."""
        given = self._x("x", x)
        q = self._array("positions", given)
        if given.ndim == 1 and np.isnan(q).any() and np.isfinite(given).all():
            problem, hint = explain_open(self, given)
            raise LoopOpen(problem, hint=hint)
        return q

    def driven_of(self, q: ArrayLike) -> Floats:
        """x (..., n): the driven ones of all joints."""
        return self._q("q", q)[..., [self.names.index(name) for name in self.driven]]

    def matrix(self, x: ArrayLike) -> Floats:
        """G (..., tree joints, n) of qd = G xd."""
        given = self._x("x", x)
        self._regular(given)
        return self._array("matrix", given)

    def velocities(self, x: ArrayLike, xd: ArrayLike) -> Floats:
        """qd = G xd (..., tree joints)."""
        given = self._x("x", x)
        self._regular(given)
        return self._array("velocities", given, self._x("xd", xd))

    def accelerations(self, x: ArrayLike, xd: ArrayLike, xdd: ArrayLike) -> Floats:
        """qdd = G xdd + gamma (..., tree joints)."""
        given = self._x("x", x)
        self._regular(given)
        return self._array("accelerations", given, self._x("xd", xd), self._x("xdd", xdd))

    def violation(self, q: ArrayLike) -> Floats:
        """(...): the largest of what the loops' equations leave at all joints q, in m or as sines of angles."""
        return np.asarray(np.abs(self._array("residual", self._q("q", q))).max(axis=-1))

    def assembled(self, q: ArrayLike, qd: ArrayLike | None = None) -> tuple[Floats, Floats]:
        """The nearest q at which the loops close, and the nearest qd they allow there."""
        positions = self._q("q", q)
        rates = np.zeros_like(positions) if qd is None else self._q("qd", qd)
        for _ in range(20):
            dq, dqd = self._run("correction", positions, rates)
            positions = positions + dq
            if not np.abs(dq).max(initial=0.0) > 1e-14:
                break
        _, dqd = self._run("correction", positions, rates)
        return positions, rates + dqd

    def assembly_modes(self, x: ArrayLike) -> list[Floats]:
        """Every q (tree joints,) at which the loops close in closed form for one x; the arm's own comes first."""
        given = self._x("x", x)
        found = [self.positions(given)]
        if not self.is_closed_form:
            raise Unsupported(f"the loops of {self.model.name!r} are closed by Newton's method, in one mode only")
        stages = self._closure.stages
        for bits in range(1, 2 ** len(stages)):
            modes = [
                stage.with_mode(-stage.mode) if bits >> k & 1 else stage
                for k, stage in enumerate(stages)
                if isinstance(stage, Dyad)
            ]
            other = Closure(self._closure.tree, self._closure.driven, tuple(modes), self._closure.centres)
            with np.errstate(invalid="ignore"):
                q = other.at(given).posture.q()
            if np.isfinite(q).all():
                found.append(q)
        return found

    # singularities

    def distance_to_singularity(self, x: ArrayLike) -> Floats:
        """(...): 0 where driven joints do not move a loop, 1 where they move it best; NaN where it cannot close.

        Of a loop in closed form the sine of the angle at which its last two sides meet, of others the smallest
        singular value of their equations over the largest; of all loops the least.
        """
        given = self._x("x", x)
        flat = given.reshape(-1, given.shape[-1])
        return np.sqrt(self._squares(flat)).reshape(given.shape[:-1])

    def _squares(self, x: Floats) -> Floats:
        """(samples,): square of the distance to a singularity; NaN where a loop cannot close."""
        guess = self._guess(x)
        least = np.full(len(x), np.inf)
        found = {source: guess[:, k] for k, source in enumerate(self._closure.guessed)}
        with np.errstate(all="ignore"):
            posture, equations = self._closure.posture(x, found)
            for stage, each in zip(self._closure.stages, equations, strict=True):
                if isinstance(stage, Dyad):
                    own = np.broadcast_to(stage.squared_flatness(posture), least.shape)
                    own = np.where(own < -ROUNDING, np.nan, np.maximum(own, 0.0))
                else:
                    columns = each.columns()
                    A = np.stack(
                        [np.stack(np.broadcast_arrays(*columns[k], least)[:-1], axis=-1) for k in stage.unknown],
                        axis=-1,
                    )
                    open_ = ~np.isfinite(A).all(axis=(-1, -2))
                    values = np.linalg.svd(np.where(open_[:, None, None], 0.0, A), compute_uv=False)
                    own = np.where(open_, np.nan, (values[:, -1] / values[:, 0]) ** 2)
                least = np.minimum(least, own)  # NaN stays
        return least

    def margins(self, x: Any) -> list[Any]:
        """Square of the distance to a singularity of each loop in closed form, below zero where it cannot close.

        On graph scalars too, so that a simulation can watch it.
        """
        posture, _ = self._closure.posture(x, {})
        return [stage.squared_flatness(posture) for stage in self._closure.stages if isinstance(stage, Dyad)]

    def singularities(self, x: ArrayLike | None = None) -> list[Singularity]:
        """Where driving one joint alone, from x (or the reference) up and down, meets a singularity of a loop.

        >>> import torsor
        >>> for each in torsor.load("asea-irb").closure.singularities():
        ...     print(each)
        driving joint2 is singular at joint3 = 81.36 deg
        driving joint2 is singular at joint3 = 264.35 deg
        driving joint7 is singular at joint3 = 264.35 deg
        driving joint7 is singular at joint3 = 81.36 deg
        """
        return singularities_of(self, self.driven_of(self.reference) if x is None else self._x("x", x))

    def _regular(self, x: Floats) -> None:
        """Refuses rates of one singular posture by name; batches give what division by zero gives."""
        if x.ndim == 1:
            distance = float(self.distance_to_singularity(x))
            if np.isnan(distance):
                self.positions(x)
            elif distance < SINGULAR:
                from torsor.motion.dead_centres import name_singular

                raise SingularLoop(name_singular(self, x), hint="drive it through with another joint, or stay away")

    # forces

    def forces(
        self,
        x: ArrayLike,
        xd: ArrayLike,
        xdd: ArrayLike,
        *,
        gravity: ArrayLike | None = None,
        wrench: ArrayLike | None = None,
    ) -> Floats:
        """(..., loops, 6): force over moment that each cut joint exerts on the link of its first end, there.

        In the axes of its second end. Of a planar loop the forces along its normal and the tilting moments are
        indeterminate, because its other joints carry them too; here the cut joint carries none.
        """
        self.model.require_inertia()
        states = [self._x("x", x), self._x("xd", xd), self._x("xdd", xdd)]
        return self._array("forces", *states, *self._loads(gravity, wrench))

    def forward_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        *,
        stabilise: float = 0.0,
        gravity: ArrayLike | None = None,
        wrench: ArrayLike | None = None,
    ) -> tuple[Floats, Floats]:
        """qdd (..., tree joints) and the multipliers of the loops' equations, for torques (..., n) of driven joints.

        In all joints of the tree, which passes dead centres: M qdd + h = tau + Phi^T lambda, and the loops' equations
        phi obey (d/dt + a)^2 phi = 0 with a = ``stabilise`` in 1/s.
        """
        self.model.require_inertia()
        states = [self._q("q", q), self._q("qd", qd), self._x("tau", tau)]
        rate = np.array([float(stabilise)])
        return cast(tuple[Floats, Floats], self._run("constrained", *states, rate, *self._loads(gravity, wrench)))

    def _loads(self, gravity: ArrayLike | None, wrench: ArrayLike | None) -> list[Floats]:
        down = self.trees.plain.gravity
        if gravity is not None:
            down = floats("gravity", gravity, 3, "a vector in world axes") @ self.model.base[:3, :3]
        load = np.zeros(6) if wrench is None else floats("wrench", wrench, 6, "force over moment at the tool")
        return [down, load]

    def __repr__(self) -> str:
        how = "in closed form" if self.is_closed_form else "by Newton's method"
        moved = ", ".join(self.dependent)
        return f"<LoopClosure of {self.model.name}: {moved} from {', '.join(self.driven)}, {how}>"

    # the way to kernels

    def guess(self, x: Floats) -> Floats:
        """(..., guessed) where Newton's method in kernels starts: solved already, along a line from the reference."""
        return self._guess(x)

    def _guess(self, x: Floats) -> Floats:
        if self._closure.is_explicit:
            return np.zeros((*x.shape[:-1], 0))
        return followed(self._kernel("step"), x, reference_guess(self._closure, self.loops))

    def _run(self, name: str, *arrays: Floats) -> Any:
        kernel = self._kernel(name)
        if kernel.tape.inputs[-1].name == GUESS and name != "step":
            return kernel.general(*arrays, self._guess(arrays[0]))
        return kernel.general(*arrays)

    def _array(self, name: str, *arrays: Floats) -> Floats:
        return cast(Floats, self._run(name, *arrays))

    def _kernel(self, name: str) -> Kernel:
        from torsor.emit import recall_kernel

        if name not in self._kernels:
            facts = b"closure " + name.encode() + self.trees.plain.facts("tool") + self.loops.facts()
            self._kernels[name] = recall_kernel(facts, lambda: self._trace(name))
        return self._kernels[name]

    def _trace(self, name: str) -> Any:
        from torsor.algebra import simplify, tape_from
        from torsor.motion.closure_pages import PAGES

        inputs, outputs = PAGES[name](self.trees)
        return tape_from(f"{self.model.name}_closure_{name}", inputs, simplify(outputs))

    def _x(self, name: str, value: ArrayLike) -> Floats:
        return floats(name, value, self.loops.n, f"{self.model.name!r} has {self.loops.n} driven joints")

    def _q(self, name: str, value: ArrayLike) -> Floats:
        n = self.trees.plain.n
        return floats(name, value, n, f"the tree of {self.model.name!r} has {n} joints")
