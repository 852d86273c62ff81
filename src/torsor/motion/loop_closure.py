"""``arm.closure``: the loops of an arm. Where its other joints are for free ones, how they move, what loops carry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from torsor.emit.page import Page, Shape
from torsor.errors import LoopOpen, SingularLoop, Unsupported, did_you_mean
from torsor.mechanics.arguments import floats
from torsor.mechanics.asking import require_invertible
from torsor.mechanics.assembly import AllLoops
from torsor.mechanics.canonical import Trees
from torsor.mechanics.closed_stance import ClosedStance
from torsor.mechanics.closure import Closure
from torsor.mechanics.constrained import forward_dynamics, independent
from torsor.mechanics.dyad import Dyad
from torsor.mechanics.posture import open_posture
from torsor.mechanics.recording import guess_at
from torsor.model.model import Model
from torsor.model.transforms import Floats
from torsor.motion import dead_centres
from torsor.motion.closed_pages import ClosedPages
from torsor.motion.dead_centres import Singularity, explain_open, name_singular, singularities_of

_PAGES: dict[str, tuple[Callable[..., dict[str, Any]], tuple[str, ...]]] = {
    "positions": (lambda at: {"q": at.q}, ()),
    "matrix": (lambda at: {"G": at.G()}, ()),
    "velocities": (lambda at, xd: {"qd": at.rates(xd)}, ("xd",)),
    "accelerations": (lambda at, xd, xdd: {"qdd": at.accelerations(at.rates(xd), xdd)}, ("xd", "xdd")),
    "forces": (lambda at, *given: {"forces": at.forces(*given)}, ("xd", "xdd", "gravity", "wrench")),
}
_SIZES = {"gravity": 3, "wrench": 6}

ROUNDING = 1e-14  # by which a flat triangle may seem open
SINGULAR = 1e-7  # distance to a singularity below which rates mean nothing


class LoopClosure:
    """All joints q of the tree, in file order, from the free ones x.

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
        self.model, self.trees, self.loops = model, trees, trees.loops

    @property
    def free(self) -> tuple[str, ...]:
        """Names of the entries of x."""
        return self.loops.names

    driven = free  # by its old name

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the entries of q."""
        return self.model.joint_names

    @property
    def dependent(self) -> tuple[str, ...]:
        """The joints that the loops move."""
        return tuple(name for name in self.names if name not in self.free)

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
        return len(self.loops.assembly.J) - self.loops.assembly.rank

    @cached_property
    def _closure(self) -> Closure:
        return self.loops.closure(self.trees.plain)

    @cached_property
    def pages(self) -> ClosedPages:
        """Pages in x, compiled."""
        return ClosedPages(self.model.name, self._closure, self.facts)

    @cached_property
    def facts(self) -> bytes:
        """All that the closure depends on."""
        return self.trees.plain.facts("tool") + self.loops.facts()

    def given(self, names: Sequence[str]) -> LoopClosure:
        """The same loops closed from other joints that say where all are, such as the joints of the tool's chain.

        >>> import torsor
        >>> closure = torsor.load("asea-irb").closure.given([f"joint{k}" for k in range(1, 7)])
        >>> closure.dependent
        ('joint7', 'joint8')
        """
        for name in names:
            if name not in self.names:
                raise Unsupported(f"{self.model.name!r} has no joint {name!r}", hint=did_you_mean(name, self.names))
        return LoopClosure(self.model, Trees(self.trees.plain, loops=self.loops.given(names)))

    driven_by = given  # by its old name

    # kinematics

    def positions(self, x: ArrayLike, *, near: ArrayLike | None = None) -> Floats:
        """q (..., tree joints). One x at which a loop cannot close raises LoopOpen; in a batch it gives NaN.

        ``near`` is a closed posture (..., tree joints): the arm is put together as there, and closed on from there.
        Without it the arm file says how, and loops without a closed form are followed from the reference.
        """
        given = self._x("x", x)
        if near is None:
            q = self._run("positions", given)
        else:
            closed = self._q("near", near)
            closure = self._closure.in_mode_of(closed)
            with np.errstate(invalid="ignore"):
                q = closure.posture(given, closure.entries(closure.guess(given, closed)))[0].q()
        if given.ndim == 1 and np.isnan(q).any() and np.isfinite(given).all():
            problem, hint = explain_open(self, given)
            raise LoopOpen(problem, hint=hint)
        return q

    def free_of(self, q: ArrayLike) -> Floats:
        """x (..., n): the free ones of all joints."""
        return self._q("q", q)[..., list(self._closure.free)]

    driven_of = free_of  # by its old name

    def matrix(self, x: ArrayLike) -> Floats:
        """G (..., tree joints, n) of qd = G xd."""
        return self._run("matrix", self._regular(x))

    def velocities(self, x: ArrayLike, xd: ArrayLike) -> Floats:
        """qd = G xd (..., tree joints)."""
        return self._run("velocities", self._regular(x), self._x("xd", xd))

    def accelerations(self, x: ArrayLike, xd: ArrayLike, xdd: ArrayLike) -> Floats:
        """qdd = G xdd + gamma (..., tree joints)."""
        return self._run("accelerations", self._regular(x), self._x("xd", xd), self._x("xdd", xdd))

    def along(self, x: ArrayLike, *rates: ArrayLike) -> tuple[Floats, ...]:
        """q and its derivatives (..., tree joints) on a path, as many as are given of x: x', x'', ... (..., n).

        >>> import torsor
        >>> q, dq, ddq, dddq = torsor.load("fourbar").closure.along([1.0], [1.0], [0.0], [0.0])
        >>> dddq.round(4).tolist()
        [0.0, -0.2035, -0.7291]
        """
        given = [self._x(f"derivative {k + 1} of x", each) for k, each in enumerate(rates)]

        def page(at: ClosedStance, *rates: Any) -> dict[str, Any]:
            return {"q": at.q} | {f"d{k + 1}q": each for k, each in enumerate(at.along(*rates))}

        shapes = {f"d{k + 1}x": self.loops.n for k in range(len(rates))}
        found = self.pages.run(f"loops_along{len(rates)}", page, self._regular(x), *given, **shapes)
        return cast(tuple[Floats, ...], found if rates else (found,))

    def violation(self, q: ArrayLike) -> Floats:
        """(...): the largest of what the loops' equations leave at all joints q, in m or as sines of angles."""
        return np.asarray(np.abs(self._residual(self._q("q", q))).max(axis=-1))

    def assembled(self, q: ArrayLike, qd: ArrayLike | None = None) -> tuple[Floats, Floats]:
        """The nearest q at which the loops close, and the nearest qd they allow there."""
        positions = self._q("q", q)
        rates = np.zeros_like(positions) if qd is None else self._q("qd", qd)
        closed, allowed = self.equations.assembled(*(each.reshape(-1, each.shape[-1]) for each in (positions, rates)))
        return closed.reshape(positions.shape), allowed.reshape(rates.shape)

    def assembly_modes(self, x: ArrayLike) -> list[Floats]:
        """Every q (tree joints,) at which the loops close in closed form for one x; the arm's own comes first."""
        given = self._x("x", x)
        found = [self.positions(given)]
        if not self.is_closed_form:
            raise Unsupported(f"the loops of {self.model.name!r} are closed by Newton's method, in one mode only")
        stages = [stage for stage in self._closure.stages if isinstance(stage, Dyad)]
        for bits in range(1, 2 ** len(stages)):
            modes = [stage.with_mode(-stage.mode) if bits >> k & 1 else stage for k, stage in enumerate(stages)]
            with np.errstate(invalid="ignore"):
                q = replace(self._closure, stages=tuple(modes)).posture(given, {})[0].q()
            if np.isfinite(q).all():
                found.append(q)
        return found

    # singularities

    def distance_to_singularity(self, x: ArrayLike) -> Floats:
        """(...): 0 where free joints do not move a loop, 1 where they move it best; NaN where it cannot close.

        Of a loop in closed form the sine of the angle at which its last two sides meet, of others the smallest
        singular value of their equations over the largest; of all loops the least.
        """
        given = self._x("x", x)
        flat = given.reshape(-1, given.shape[-1])
        return np.sqrt(self._squares(flat)).reshape(given.shape[:-1])

    def _squares(self, x: Floats) -> Floats:
        """(samples,): square of the distance to a singularity; NaN where a loop cannot close."""
        least = np.full(len(x), np.inf)
        with np.errstate(all="ignore"):
            posture, equations = self._closure.posture(x, self._closure.entries(self.guess(x)))
            for stage, each in zip(self._closure.stages, equations, strict=True):
                if isinstance(stage, Dyad):
                    own = np.broadcast_to(stage.squared_flatness(posture), least.shape)
                    own = np.where(own < -ROUNDING, np.nan, np.maximum(own, 0.0))
                else:
                    columns = [np.broadcast_arrays(*each.columns()[k], least)[:-1] for k in stage.unknown]
                    A = np.stack([np.stack(column, axis=-1) for column in columns], axis=-1)
                    open_ = ~np.isfinite(A).all(axis=(-1, -2))
                    values = np.linalg.svd(np.where(open_[:, None, None], 0.0, A), compute_uv=False)
                    own = np.where(open_, np.nan, (values[:, -1] / values[:, 0]) ** 2)
                least = np.minimum(least, own)  # NaN stays
        return least

    def margins(self, x: Any) -> list[Any]:
        """Square of the distance to a singularity of each loop in closed form, below zero where it cannot close.

        Loops that are solved together by Newton's method have one in common, below zero beyond a singularity. On graph
        scalars too, so that a simulation can watch it; the guess is taken for closed then.
        """
        return dead_centres.margins(self, x)

    def margin_rate(self, x: Any, xd: Any) -> Any:
        """Of graph scalars: how fast the last of the margins changes, that of loops closed by Newton's method."""
        return dead_centres.margin_rate(self, x, xd)

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
        return singularities_of(self, self.free_of(self.reference) if x is None else self._x("x", x))

    def _regular(self, x: ArrayLike) -> Floats:
        """Refuses rates of one singular posture by name; batches give what division by zero gives."""
        given = self._x("x", x)
        if given.ndim == 1:
            distance = float(self.distance_to_singularity(given))
            if np.isnan(distance):
                self.positions(given)
            elif distance < SINGULAR:
                raise SingularLoop(name_singular(self, given), hint="drive it through with another joint, or stay away")
        return given

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
        return self._run("forces", *states, *self._loads(gravity, wrench))

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
        """qdd (..., tree joints) and the multipliers of the loops' equations, for torques (..., n) of free joints.

        In all joints of the tree, which passes dead centres: M qdd + h = tau + Phi^T lambda, and the loops' equations
        phi obey (d/dt + a)^2 phi = 0 with a = ``stabilise`` in 1/s.
        """
        self.model.require_inertia()
        states = [self._q("q", q), self._q("qd", qd), self._x("tau", tau)]
        rate = np.array([float(stabilise)])
        return cast(tuple[Floats, Floats], self._constrained(*states, rate, *self._loads(gravity, wrench)))

    def _loads(self, gravity: ArrayLike | None, wrench: ArrayLike | None) -> list[Floats]:
        down = self.trees.plain.gravity
        if gravity is not None:
            down = floats("gravity", gravity, 3, "a vector in world axes") @ self.model.base[:3, :3]
        load = np.zeros(6) if wrench is None else floats("wrench", wrench, 6, "force over moment at the tool")
        return [down, load]

    def __repr__(self) -> str:
        how = "in closed form" if self.is_closed_form else "by Newton's method"
        moved = ", ".join(self.dependent)
        return f"<LoopClosure of {self.model.name}: {moved} from {', '.join(self.free)}, {how}>"

    # the way to kernels

    def guess(self, x: Floats) -> Floats:
        """(..., guessed) where Newton's method in kernels starts: solved already, along a line from the reference."""
        return self.pages.guess(x)

    def guess_for(self, x: Any) -> Any:
        """The same for numbers, or for graph scalars while a function of a state is recorded."""
        given = np.asarray(x)
        return guess_at(self._closure, self.facts, given) if given.dtype == object else self.guess(given)

    def _run(self, name: str, x: Floats, *arrays: Floats) -> Floats:
        function, shapes = _PAGES[name]
        sizes = {each: _SIZES.get(each, self.loops.n) for each in shapes}
        return cast(Floats, self.pages.run(f"loops_{name}", function, x, *arrays, **sizes))

    @cached_property
    def _residual(self) -> Page:
        def residual(q: Any) -> dict[str, Any]:
            posture = open_posture(self.trees.plain, q)
            return {"left": np.array([each for stage in self._closure.stages for each in stage.at(posture).residual()])}

        return self._page("residual", {"q": self.trees.plain.n}, residual)

    @cached_property
    def _constrained(self) -> Page:
        def constrained(q: Any, qd: Any, tau: Any, rate: Any, gravity: Any, wrench: Any) -> dict[str, Any]:
            require_invertible(self.trees.plain)  # the mass matrix of all joints is factored
            kept = independent(self.loops, self._closure)
            closure = self.loops.closure(self.trees.lean)
            qdd, lam = forward_dynamics(closure, kept, q, qd, tau, rate[0], gravity, wrench)
            return {"qdd": qdd, "multipliers": lam}

        n = self.trees.plain.n
        inputs: dict[str, Shape] = {"q": n, "qd": n, "tau": self.loops.n, "rate": 1, "gravity": 3, "wrench": 6}
        return self._page("constrained", inputs, constrained)

    def _page(self, name: str, inputs: dict[str, Shape], function: Callable[..., dict[str, Any]]) -> Page:
        return Page(f"{self.model.name}_loops_{name}", inputs, function, (self.pages.facts,))

    @cached_property
    def equations(self) -> AllLoops:
        """In space, repeated ones included."""
        return AllLoops(self.trees.plain, self.model.loops)

    def _x(self, name: str, value: ArrayLike) -> Floats:
        return floats(name, value, self.loops.n, f"{self.model.name!r} has {self.loops.n} free joints")

    def _q(self, name: str, value: ArrayLike) -> Floats:
        n = self.trees.plain.n
        return floats(name, value, n, f"the tree of {self.model.name!r} has {n} joints")
