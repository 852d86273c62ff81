"""Arms with loops: their tool rides on a chain of joints, not all of which have motors.

Paths are made in the joints of the chain. The loops are closed along them: points of both ends of a loop coincide,
Phi(q) = 0 for all joints q of the tree, and Phi_q q' = 0, Phi_q q'' = -b1, Phi_q q''' = -b2 give the other joints with
exact derivatives, the driven ones among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from torsor.errors import TorsorError, Unsupported
from torsor.mechanics.assembly import assembled, driven_names
from torsor.mechanics.kinematics import body_poses, rotate
from torsor.mechanics.tool_chain import tool_chain
from torsor.mechanics.tree import Array, Mount, Tree, lower
from torsor.model.model import Model
from torsor.model.parts import BASE
from torsor.model.transforms import Floats
from torsor.motion.curves import Along, Path
from torsor.motion.paths.chain import ALIKE, Chain

# Points of a frame, in its axes, that coincide where the loop's joint holds: all that a hinge leaves free is its turn.
_POINTS = {
    "ball": ((0.0, 0.0, 0.0),),
    "hinge": ((0.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    "rigid": ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
}
CLOSED = 1e-9  # m: how far points that coincide may be apart
_NODES, _STEPS = 64, 20


class LoopChain(Chain):
    """The chain of the tool of an arm with loops, and the driven joints that belong to its joints."""

    def __init__(self, model: Model) -> None:
        whole = lower(model)
        chain = tool_chain(whole)
        kinds = {loop.kind for loop in model.loops} - set(_POINTS)
        if chain is None or kinds:
            what = f"a loop of kind {', '.join(sorted(kinds))}" if kinds else "joints of the tool that follow others"
            raise Unsupported(f"moves of {model.name!r} are not planned: it has {what}", hint="plan in its joints")
        names = model.joint_names
        super().__init__(model)
        self.whole = whole
        self.tree = chain.tree
        self.sources = list(chain.sources)
        self.links = tuple(model.independent[k] for k in self.sources)
        self.driving = [names.index(name) for name in driven_names(model)]
        self.posture: Floats = assembled(model, whole, driven_names(model)).reference  # where it was last closed

    def home(self) -> Floats:
        return self.posture[self.sources]

    def to_arm(self, q: Floats) -> Floats:
        return self._stepped(self.sources, q)[self.driving]

    def from_arm(self, q: Floats, near: Floats) -> Floats:
        self._stepped(self.sources, near)
        return self._stepped(self.driving, q)[self.sources]

    def driven(self, path: Path) -> Path:
        return Driven(self, path)

    def closed(self, given: list[int], values: Floats, guess: Floats) -> Floats | None:
        """All joints (k, tree joints) of those given (k, ...), near the guess; None where loops stay open there."""
        q = guess.copy()
        q[:, given] = values
        free = self._others(given)
        for _ in range(_STEPS):
            Phi, J = self._kernel("loops", 1)(q)
            step = -(np.linalg.pinv(J[:, :, free]) @ Phi[..., None])[..., 0]
            size = float(np.abs(step).max())
            if not size < 1.0:
                return None
            q[:, free] += step
            if size < ALIKE:
                open_by = float(np.abs(self._kernel("loops", 1)(q)[0]).max())
                return q if open_by < CLOSED else None
        return None

    def along(self, q: Floats, path: Along) -> Along:
        """All joints with their derivatives, for those of the chain."""
        free = self._others(self.sources)
        _, J = self._kernel("loops", 1)(q)
        inverse = np.linalg.pinv(J[:, :, free])
        found: list[Floats] = []
        for rate in (path.dq, path.ddq, path.dddq):
            each = np.zeros_like(q)
            each[:, self.sources] = rate
            right = (J @ each[..., None])[..., 0]
            if len(found) == 1:
                right = right + self._kernel("loops_drift", 2)(q, found[0])
            elif len(found) == 2:
                right = right + self._kernel("loops_drift2", 3)(q, *found)
            each[:, free] = -(inverse @ right[..., None])[..., 0]
            found.append(each)
        return Along(q, *found)

    def _stepped(self, given: list[int], values: Floats) -> Floats:
        """Closed from where it was last, in steps, so that it stays put together as it is."""
        start = self.posture[given]
        for steps in (16, 256, 1):
            q: Floats | None = self.posture[None]
            for k in range(steps):
                if q is not None:
                    q = self.closed(given, (start + (values - start) * ((k + 1) / steps))[None], q)
            if q is not None:
                self.posture = q[0]
                return self.posture
        raise TorsorError(
            f"the loops of {self.model.name!r} do not close there", hint="its links are too short for these joints"
        )

    def _others(self, given: list[int]) -> list[int]:
        return [k for k in range(self.whole.n) if k not in given]

    def _compiled(self, what: str, inputs: int) -> Any:
        if not what.startswith("loops"):
            return super()._compiled(what, inputs)
        from torsor.emit import recall_kernel

        kinds = [loop.kind for loop in self.model.loops]
        mounts = [m for pair in self.whole.ends for m in pair]
        ends = repr(kinds).encode() + b"".join(
            np.array([m.body]).tobytes() + m.rotation.tobytes() + m.position.tobytes() for m in mounts
        )
        facts = f"motion {what}".encode() + self.whole.facts("tool") + ends
        self._kernels[what] = recall_kernel(facts, lambda: _tape(self.whole, kinds, inputs))
        return self._kernels[what]


class Driven:
    """A path of the chain's joints in the driven joints of the arm."""

    def __init__(self, chain: LoopChain, path: Path) -> None:
        self.chain, self.path = chain, path
        self.nodes = np.linspace(0.0, path.length, _NODES + 1)
        along = path.at(self.nodes).q
        posture = chain._stepped(chain.sources, along[0])
        found = []
        for each in along:
            q = chain.closed(chain.sources, each[None], posture[None])
            if q is None:
                raise TorsorError(
                    f"the loops of {chain.model.name!r} do not close along the path",
                    hint="its links are too short for these joints",
                )
            posture = q[0]
            found.append(posture)
        chain.posture = posture
        self.q = np.array(found)

    @property
    def length(self) -> float:
        return self.path.length

    def at(self, s: Floats) -> Along:
        along = self.path.at(s)
        guess = np.stack([np.interp(s, self.nodes, column) for column in self.q.T], axis=-1)
        q = self.chain.closed(self.chain.sources, along.q, guess)
        if q is None:
            raise TorsorError(f"the loops of {self.chain.model.name!r} do not close along the path")
        return Along(*(each[:, self.chain.driving] for each in self.chain.along(q, along)))


def _tape(tree: Tree, kinds: Sequence[str], inputs: int) -> Any:
    from torsor.algebra import directional, jacobian, simplify, symbols, tape_from

    given = {name: symbols(name, (tree.n,)) for name in ("q", "dq", "ddq")[:inputs]}
    q = given["q"]
    Phi = _apart(tree, kinds, q)
    if inputs == 1:
        outputs: dict[str, Any] = {"Phi": Phi, "J": jacobian(Phi, q)}
    else:
        dq, zero = given["dq"], np.zeros(tree.n)
        rate = directional(Phi, q, dq)
        if inputs == 2:
            outputs = {"b": directional(rate, np.concatenate([q, dq]), np.concatenate([dq, zero]))}
        else:
            ddq = given["ddq"]
            second = directional(rate, np.concatenate([q, dq]), np.concatenate([dq, ddq]))
            states = np.concatenate([q, dq, ddq])
            outputs = {"b": directional(second, states, np.concatenate([dq, ddq, zero]))}
    return tape_from(f"{tree.name}_loops{inputs}", given, simplify(outputs))


def _apart(tree: Tree, kinds: Sequence[str], q: Array) -> Array:
    """How far apart the points of all loops are that should coincide."""
    poses = body_poses(tree, q)

    def point(mount: Mount, at: tuple[float, float, float]) -> Array:
        local = mount.position + mount.rotation @ np.array(at)
        if mount.body == BASE:
            return np.asarray(local)
        R, p = poses[mount.body]
        return np.asarray(p + rotate(R, local))

    return np.hstack(
        [point(a, at) - point(b, at) for kind, (a, b) in zip(kinds, tree.ends, strict=True) for at in _POINTS[kind]]
    )
