"""Arms with loops: from the joints of the tool's chain to the free joints, by the loops closed from the other side.

The tool's chain solves for a pose as if its joints had motors. Closing the loops from these joints gives all others,
the free ones among them (theta7 of the ASEA arm from theta2 and theta3; Behi 3.3, Fig. 6). The assembly is the one the
arm file means. A solution belongs to it if closing the loops from the free joints leads back.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from torsor.emit.page import Page
from torsor.errors import ModelError
from torsor.mechanics.closed_stance import ClosedStance
from torsor.mechanics.closure import Closure
from torsor.mechanics.dyad import Dyad
from torsor.mechanics.kinematics import vector
from torsor.mechanics.loops import loops_of
from torsor.mechanics.posture import open_posture
from torsor.mechanics.tool_chain import ToolChain
from torsor.mechanics.tree import Reals, Tree
from torsor.model.model import Model
from torsor.model.transforms import Floats
from torsor.motion.inverse.joint_ranges import WHOLE


class ToolLoops:
    """The loops of an arm, closed from the tool's chain and from the free joints."""

    def __init__(self, model: Model, tree: Tree, chain: ToolChain) -> None:
        loops = loops_of(model, tree)
        assert loops is not None
        self.tree, self.facts = tree, loops.facts()
        self.turning = np.array([link.joint.kind in ("revolute", "continuous") for link in model.independent])
        self.chain = list(chain.sources)
        self._from_free = loops.closure(tree)
        self.reference = self._from_free.reference
        self.free = list(self._from_free.free)
        try:
            other = loops.given([model.joint_names[k] for k in self.chain])
        except ModelError:  # its joints do not say where all others are
            self._from_chain: Closure | None = None
        else:
            centres = {k: float(self.reference[k]) for k in np.flatnonzero(self.turning).tolist()}
            self._from_chain = replace(other.closure(tree), free=tuple(self.chain), centres=centres)

    @property
    def is_explicit(self) -> bool:
        """Whether both ways are closed forms."""
        return self._from_chain is not None and self._from_chain.is_explicit and self._from_free.is_explicit

    @cached_property
    def _assembled(self) -> Page:
        def whole(x: Any) -> dict[str, Any]:
            return {"q": self._from_free.posture(x, {})[0].q()}

        facts = (self.facts, self.tree.facts("tool"))
        return Page(f"{self.tree.name}_assembled", {"x": len(self.free)}, whole, facts)

    def assembled(self, x: Floats) -> Floats:
        """All joints of the tree (..., n) for free joints; NaN where the loops do not close."""
        q = np.asarray(self._assembled(x))
        q[np.isnan(q).any(axis=-1)] = np.nan
        return q

    # pages, for symbols or floats

    @property
    def _by_chain(self) -> Closure:
        assert self._from_chain is not None
        return self._from_chain

    @cached_property
    def modes(self) -> Floats:
        """(ways, dyads): the ways in which the loops may close from the tool's chain, that of the file first."""
        own = [float(stage.mode) for stage in self._by_chain.stages if isinstance(stage, Dyad)]
        signs = np.array(list(product((1.0, -1.0), repeat=len(own))), dtype=np.float64)
        return np.asarray(own * signs)

    def way_of(self, q: Floats) -> int:
        """In which of the ``modes`` joints of the tree (n,) are: going on from there an arm stays in it."""
        known = open_posture(self.tree, q)
        own = [float(stage.mode_at(known)) for stage in self._by_chain.stages if isinstance(stage, Dyad)]
        return int(np.flatnonzero((self.modes == own).all(axis=-1))[0])

    def closed_from_chain(self, chain: Reals, modes: Reals) -> Reals:
        """All joints of the tree (..., n) for joints of the tool's chain, in one of the ``modes``."""
        each = iter(modes)
        stages = [stage.with_mode(next(each)) for stage in self._by_chain.stages if isinstance(stage, Dyad)]
        return replace(self._by_chain, stages=tuple(stages)).posture(chain, {})[0].q()

    def chain_of(self, x: Reals, xd: Reals | None) -> tuple[Reals, Reals]:
        """The joints of the tool's chain, and their rates, for free joints x (..., n) with rates xd."""
        at = ClosedStance(self._from_free, x)
        chain = vector(*(at.posture.entry(k) for k in self.chain))
        return chain, chain if xd is None else at.rates(xd)[..., self.chain]

    def free_rates(self, chain: Reals, chain_qd: Reals) -> Reals:
        """Rates of the free joints for those of the tool's chain."""
        return ClosedStance(self._by_chain, chain).rates(chain_qd)[..., self.free]

    def free_accelerations(self, chain: Reals, chain_qd: Reals, chain_qdd: Reals) -> Reals:
        """Accelerations of the free joints for those of the tool's chain."""
        at = ClosedStance(self._by_chain, chain)
        return at.accelerations(at.rates(chain_qd), chain_qdd)[..., self.free]

    def is_assembled(self, q: Floats) -> Any:
        """Whether the free joints lead back to all joints q (..., n): the assembly that the arm file means."""
        dependent = list(self._from_free.dependent)
        again = self.assembled(q.take(self.free, axis=-1)).take(dependent, axis=-1)
        apart = again - q.take(dependent, axis=-1)
        apart = apart - WHOLE * np.round(apart / WHOLE) * self.turning[dependent]
        return np.abs(apart).max(axis=-1) < 1e-6
