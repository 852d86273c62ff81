"""The loops of an arm, and the arm in its driven joints: what pages of ``projection.py`` run on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from torsor.errors import Unsupported
from torsor.mechanics.assembly import Assembly, assembled, free_names, require_determined
from torsor.mechanics.closure import At, Closure, closure_of
from torsor.mechanics.tree import Array, Tree
from torsor.model.model import Model
from torsor.model.parts import Limits

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
                found[k] = _middle(link.joint.limits, float(self.assembly.reference[k]))
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

    def times_G(self, A: Array) -> Array:
        """A G (..., rows, n) for A (..., rows, tree joints), zeros of G left out."""
        columns: list[Any] = [np.zeros(A.shape[-2])] * self.closure.n
        for source, row in self.at.rows.items():
            for j, weight in row.items():
                one = isinstance(weight, float) and weight == 1.0
                share = A[..., :, source] if one else A[..., :, source] * np.asarray(weight)[..., None]
                columns[j] = columns[j] + share
        return np.stack(np.broadcast_arrays(*columns), axis=-1)

    def along(self, *rates: Array) -> list[Array]:
        """q', q'', ... (..., tree joints) on a path of which x', x'', ... are given; the third and on traced."""
        found = [self.rates(rates[0])]
        if len(rates) > 1:
            found.append(self.accelerations(found[0], rates[1]))
        for k in range(2, len(rates)):
            found.append(self.changing(found[-1], *rates[: k + 1]))
        return found

    def changing(self, value: Array, *rates: Array) -> Array:
        """d value / ds on a path, of a traced array that depends on x, q and all rates x', x'', ... but the last."""
        from torsor.algebra import directional

        hidden = np.array([self.hidden[k] for k in self.closure.dependent], dtype=object)
        follow = self.rates(rates[0])[..., list(self.closure.dependent)]
        by, change = np.concatenate([self.x, hidden, *rates[:-1]]), np.concatenate([rates[0], follow, *rates[1:]])
        found: Array = directional(value, by, change)
        return found

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
        step = self.closure.newton_step(self.x, self.guess)[0]
        put = dict(zip((self.hidden[k] for k in self.closure.guessed), self.guess + step, strict=True))
        return {name: substitute(value, put) for name, value in outputs.items()}
