"""The loops of an arm, and the arm in its driven joints: what pages of ``projection.py`` run on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from torsor.errors import Unsupported
from torsor.mechanics.assembly import Assembly, assembled, driven_names
from torsor.mechanics.closure import At, Closure, closure_of
from torsor.mechanics.constraint import Columns
from torsor.mechanics.posture import Posture
from torsor.mechanics.spatial_loop import Group
from torsor.mechanics.tree import Array, Tree
from torsor.model.model import Model
from torsor.model.parts import Limits
from torsor.model.transforms import Floats

GUESS = "guess"  # the input of kernels that close loops by Newton's method


@dataclass(frozen=True, eq=False)
class Loops:
    """The loops of a model with a choice of driven joints; put together when they are first needed."""

    model: Model
    plain: Tree
    names: tuple[str, ...]  # of the driven joints

    @property
    def n(self) -> int:
        return len(self.names)

    @cached_property
    def assembly(self) -> Assembly:
        return assembled(self.model, self.plain, self.names)

    @cached_property
    def centres(self) -> dict[int, float]:
        """Angles of dependent joints are given within half a turn of these: the middle of their range, where known."""
        found = {}
        for k, link in enumerate(self.model.independent):
            if link.joint.kind in ("revolute", "continuous") and link.joint.name not in self.names:
                found[k] = _middle(link.joint.limits, float(self.assembly.reference[k]))
        return found

    def closure(self, tree: Tree) -> Closure:
        """Of the arm's tree, or of the same in other frames."""
        if any(b.position.dtype == object or b.rotation.dtype == object for b in tree.bodies):
            raise Unsupported(
                f"the loops of {tree.name!r} are closed with numbers for their lengths", hint="ask for lengths=False"
            )
        known = self._closures.get(id(tree))
        if known is None or known.tree is not tree:
            a = self.assembly
            known = closure_of(tree, self.model.loops, a.driven, a.reference, self.centres)
            self._closures[id(tree)] = known
        return known

    @cached_property
    def _closures(self) -> dict[int, Closure]:
        return {}

    def facts(self) -> bytes:
        """All the closure depends on beside the tree, without putting the arm together."""
        limits = [link.joint.limits.position for link in self.model.independent]
        described = [(loop.name, loop.kind, loop.driven, loop.near, loop.length) for loop in self.model.loops]
        ends = [mount for pair in self.plain.ends for mount in pair]
        numbers = b"".join(mount.rotation.tobytes() + mount.position.tobytes() for mount in ends)
        return repr((self.names, limits, described, [mount.body for mount in ends])).encode() + numbers


def loops_of(model: Model, plain: Tree, names: Sequence[str] | None = None) -> Loops | None:
    """The loops of a model, None where it has none."""
    if not model.loops:
        return None
    return Loops(model, plain, driven_names(model) if names is None else tuple(names))


def _middle(limits: Limits, otherwise: float) -> float:
    return otherwise if limits.position is None else 0.5 * (limits.position[0] + limits.position[1])


class Driven:
    """A tree at driven joints x: its closure there and all its joints q.

    Traced, a joint that a loop moves is a symbol of its own in q until ``finish`` puts in what it is: its sine and
    cosine where pages ask for these, its angle elsewhere. Until then derivatives are total ones, d/dx = partial_x + G^T
    partial_q, which holds however the loop is solved.
    """

    def __init__(self, closure: Closure, x: Array, found: dict[int, Any] | None = None) -> None:
        self.closure = closure
        self.tree = closure.tree
        self.x = x
        self.traced = x.dtype == object
        self.guess: Array | None = None
        if not self.traced:
            self.at: At = closure.at(x, found)
            self.q = self.at.posture.q()
            return
        from torsor.algebra import symbols

        self.hidden = dict(zip(closure.dependent, symbols("following", len(closure.dependent)), strict=True))
        self.at = closure.at(x, {k: self.hidden[k] for k in closure.guessed})
        entries = [self.hidden[k] if k in self.hidden else x[..., closure.driven.index(k)] for k in range(self.tree.n)]
        self.q = np.stack(np.broadcast_arrays(*entries), axis=-1)
        if closure.guessed:
            self.guess = symbols(GUESS, len(closure.guessed))

    def rates(self, xd: Array) -> Array:
        """qd (..., tree joints)."""
        found = self.at.rates(xd)
        return np.stack(np.broadcast_arrays(*(found[k] for k in range(self.tree.n))), axis=-1)

    def accelerations(self, qd: Array, xdd: Array) -> Array:
        """qdd (..., tree joints)."""
        linear, gamma = self.at.rates(xdd), self.drift(qd)
        return np.stack(np.broadcast_arrays(*(linear[k] + gamma[..., k] for k in range(self.tree.n))), axis=-1)

    def drift(self, qd: Array) -> Array:
        """gamma (..., tree joints) of qdd = G xdd + gamma."""
        found = self.at.drift({k: qd[..., k] for k in range(self.tree.n)})
        entries: list[Any] = [found.get(k, 0.0) for k in range(self.tree.n)]
        return np.stack(np.broadcast_arrays(*entries), axis=-1)

    def G_rate(self, qd: Array) -> Array:
        return self.at.G_rate({k: qd[..., k] for k in range(self.tree.n)})

    def slopes(self, outputs: Array) -> Array:
        """Total derivatives d outputs / dx of a traced array, before ``finish``."""
        from torsor.algebra import jacobian

        n, hidden = self.closure.n, list(self.hidden)
        found = jacobian(outputs, np.concatenate([self.x, [self.hidden[k] for k in hidden]]))
        rows = self.at.rows
        G = np.array([[rows[k].get(j, 0.0) for j in range(n)] for k in hidden], dtype=object).reshape(len(hidden), n)
        total: Array = found[..., :n] + found[..., n:] @ G
        return total

    def finish(self, outputs: Any) -> Any:
        """Outputs with what the loops move put in."""
        if not self.traced:
            return outputs
        from torsor.algebra import substitute

        put = {}
        posture, turning = self.at.posture, self.tree.expand(self.q)
        for i, body in enumerate(self.tree.bodies):
            if body.source in posture.units and body.turn:
                unit = posture.unit(i)
                put[np.cos(turning[i])], put[np.sin(turning[i])] = unit.x, unit.y
        for source, symbol in self.hidden.items():
            if source not in self.closure.guessed:
                put[symbol] = posture.entry(source)
        outputs = {name: substitute(value, put) for name, value in outputs.items()}
        if self.guess is None:
            return outputs
        step = newton_step(self.closure, self.x, self.guess)[0]
        put = dict(zip((self.hidden[k] for k in self.closure.guessed), self.guess + step, strict=True))
        return {name: substitute(value, put) for name, value in outputs.items()}


def newton_step(closure: Closure, x: Array, guess: Array) -> tuple[Array, Array]:
    """One step of Newton's method for the guessed entries (..., d), and what their equations leave (...), squared."""
    found = {source: guess[..., k] for k, source in enumerate(closure.guessed)}
    _, equations = closure.posture(x, found)
    equated = equations[-1]
    assert isinstance(closure.stages[-1], Group)
    columns: Columns = equated.columns()
    left = equated.residual()
    step = equated.linear(columns).solve([-each for each in left])
    size: Any = 0.0
    for each in left:
        size = size + each * each
    return np.stack(np.broadcast_arrays(*step), axis=-1), size


def open_posture(tree: Tree, q: Array) -> Posture:
    """A posture of which all joints are given, whether its loops close or not."""
    return Posture(tree, {k: q[..., k] for k in range(tree.n)}, {})


def reference_guess(closure: Closure, loops: Loops) -> tuple[Floats, Floats]:
    """Where continuation starts: driven joints and guessed entries of the assembled posture."""
    q = loops.assembly.reference
    return q[list(closure.driven)], q[list(closure.guessed)]
