"""Arms with loops: from the joints of the tool's chain to the driven joints, by the loops driven from the other side.

The tool's chain solves for a pose as if its joints had motors. Closing the loops with these joints as the driven ones
gives all the others, the truly driven among them (theta7 of the ASEA arm from theta2 and theta3; Behi 3.3, Fig. 6). The
assembly is the one the arm file means. A solution belongs to it if closing the loops from the driven joints leads back.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from torsor.algebra import sqrt
from torsor.mechanics.closure import At, Closure, closure_of
from torsor.mechanics.kinematics import body_poses, rotate
from torsor.mechanics.loops import loops_of
from torsor.mechanics.tool_chain import ToolChain
from torsor.mechanics.tree import Array, Tree
from torsor.model.model import Model
from torsor.model.parts import BASE
from torsor.model.transforms import Floats
from torsor.motion.inverse.limits import WHOLE

MET = 1e-8  # m: how far the ends of a closed loop may be apart


class Linkage:
    """The loops of an arm, closed from the tool's chain and from the driven joints."""

    def __init__(self, model: Model, tree: Tree, chain: ToolChain) -> None:
        loops = loops_of(model, tree)
        assert loops is not None
        self.tree = tree
        self.reference: Floats = loops.assembly.reference
        self.turning = np.array([link.joint.kind in ("revolute", "continuous") for link in model.independent])
        centres = {k: float(self.reference[k]) for k in np.flatnonzero(self.turning).tolist()}
        self.driven = list(loops.assembly.driven)
        self.chain = list(chain.sources)
        self._from_driven = loops.closure(tree)
        self._from_chain = closure_of(tree, model.loops, self.chain, self.reference, centres)

    @property
    def is_explicit(self) -> bool:
        """Whether both ways are closed forms, and the joints of the chain are as free as the driven ones."""
        free = len(self.chain) == len(self.driven)
        return free and self._from_chain.is_explicit and self._from_driven.is_explicit

    @cached_property
    def _kernel(self) -> Any:
        from torsor.algebra import simplify, symbols, tape_from
        from torsor.emit import recall_kernel

        def trace() -> Any:
            x = symbols("x", len(self.driven))
            outputs = dict(zip(("q", "apart"), self._closed(self._from_driven, x), strict=True))
            return tape_from(f"{self.tree.name}_assembled", {"x": x}, simplify(outputs))

        return recall_kernel(b"assembled" + self.facts + self.tree.facts("tool"), trace)

    @property
    def facts(self) -> bytes:
        """All that the loops depend on, beside the tree."""
        ends = b"".join(m.rotation.tobytes() + m.position.tobytes() for pair in self.tree.ends for m in pair)
        return repr((self.chain, self.driven)).encode() + self.reference.tobytes() + ends

    def assembled(self, driven: Floats) -> Floats:
        """All joints of the tree (..., n) for driven joints; NaN where the loops do not close."""
        q, apart = self._kernel(driven)
        q[~(apart < MET)] = np.nan
        return np.asarray(q)

    # pages, for symbols or floats

    def closed_from_chain(self, chain: Array) -> tuple[Array, Any]:
        """All joints of the tree (..., n) for joints of the tool's chain, and by how much the loops stay open."""
        return self._closed(self._from_chain, chain)

    def _closed(self, closure: Closure, x: Array) -> tuple[Array, Any]:
        q = closure.posture(x, {})[0].q()
        return q, self._apart(q)

    def _apart(self, q: Array) -> Any:
        """How far the ends of the loops are apart, in all: zero where they are closed."""
        poses = body_poses(self.tree, q)
        total: Any = 0.0
        for first, second in self.tree.ends:
            (R, p), (S, r) = (
                (np.eye(3), np.zeros(3)) if end.body == BASE else poses[end.body] for end in (first, second)
            )
            gap = p + rotate(R, first.position) - r - rotate(S, second.position)
            total = total + sqrt(sum(gap[..., i] * gap[..., i] for i in range(3)))
        return total

    def chain_of(self, x: Array, xd: Array | None) -> tuple[Array, Array]:
        """The joints of the tool's chain, and their rates, for driven joints x (..., n) with rates xd."""
        posture, equations = self._from_driven.posture(x, {})
        chain = np.stack(np.broadcast_arrays(*(posture.entry(k) for k in self.chain)), axis=-1)
        if xd is None:
            return chain, chain
        rates = At(self._from_driven, posture, equations).rates(xd)
        return chain, np.stack(np.broadcast_arrays(*(rates[k] for k in self.chain)), axis=-1)

    def driven_rates(self, chain: Array, chain_qd: Array) -> Array:
        """Rates of the driven joints for those of the tool's chain."""
        rates = self._from_chain.at(chain).rates(chain_qd)
        return np.stack(np.broadcast_arrays(*(rates[k] for k in self.driven)), axis=-1)

    def driven_accelerations(self, chain: Array, chain_qd: Array, chain_qdd: Array) -> Array:
        """Accelerations of the driven joints for those of the tool's chain."""
        at = self._from_chain.at(chain)
        linear, drift = at.rates(chain_qdd), at.drift(at.rates(chain_qd))
        return np.stack(np.broadcast_arrays(*(linear[k] + drift.get(k, 0.0) for k in self.driven)), axis=-1)

    def is_assembled(self, q: Floats) -> Any:
        """Whether the driven joints lead back to all joints q (..., n): the assembly that the arm file means."""
        dependent = list(self._from_driven.dependent)
        again = self.assembled(q.take(self.driven, axis=-1)).take(dependent, axis=-1)
        apart = again - q.take(dependent, axis=-1)
        apart = apart - WHOLE * np.round(apart / WHOLE) * self.turning[dependent]
        return np.abs(apart).max(axis=-1) < 1e-6
