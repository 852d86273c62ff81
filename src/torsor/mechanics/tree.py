"""The tree the formulations walk: moving bodies only, numbered outward from the base, every joint along its own z.

Lowering a model merges fixed links into the body they ride on, moves what follows a joint's motion (the tail of
standard DH) into the body, turns each joint axis to z, and writes a joint that follows another as factor q + shift.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from torsor.errors import ModelError, did_you_mean
from torsor.mechanics.transmissions import Rotor, rotors_of
from torsor.model.facts import described
from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import BASE, Frame
from torsor.model.transforms import Floats, inverse, pose, rotation_to_z, times

RotorKind = Literal[False, True, "reduced"]
Reals = NDArray[Any]  # of floats, or of graph scalars when a page is traced
Real = Any  # a float, or a graph scalar when a page is traced
NONE_BENDS: Mapping[int, Mass | None] = {}


@dataclass(frozen=True, eq=False)
class Body:
    """One moving body. Its joint turns it by turn * q about z and slides it by slide * q along z."""

    name: str
    parent: int  # index of the parent body, smaller than its own; BASE for the base
    turn: float  # 1 for revolute and screw, 0 for prismatic
    slide: float  # 1 for prismatic, the pitch for screw, 0 for revolute
    rotation: Floats  # R_parent_body at q = 0
    position: Floats  # a point of the joint's axis in the parent's frame ...
    along: float  # ... and how far beyond it, along z, the body's origin lies at q = 0
    mass: float
    moment: Floats  # first moment of mass about the body's origin, mass times centre of mass
    second: Floats  # second moments of mass about the origin, K = 1/2 tr(I) 1 - I
    source: int  # which entry of q moves it ...
    factor: float  # ... times this ...
    shift: float  # ... plus this
    link: Floats  # T_body_link: the link's frame as the user knows it
    place: int  # which link of the file it is

    @property
    def inertia(self) -> Floats:
        """I = tr(K) 1 - K, about the origin."""
        return np.asarray(np.trace(self.second) * np.eye(3) - self.second)

    @property
    def is_parallel(self) -> bool:
        """Whether its axis is along that of its parent, one way or the other, to the last digit.

        Cosines of angles up to 1e-8 are 1: sines tell.
        """
        R = self.rotation
        return not any((R[0, 2], R[1, 2], R[2, 0], R[2, 1]))

    def along_axis(self, force: Reals, moment: Reals) -> Any:
        """The part of a wrench, in the body's axes, that its joint feels: the torque of one that turns."""
        return self.turn * moment[..., 2] + self.slide * force[..., 2]


@dataclass(frozen=True, eq=False)
class Mount:
    """A frame fixed on a body (BASE: on the base)."""

    body: int
    rotation: Floats  # R_body_frame
    position: Floats

    @classmethod
    def at(cls, body: int, T: Floats) -> Mount:
        """By T_body_frame."""
        return cls(body, T[:3, :3], T[:3, 3])


@dataclass(frozen=True, eq=False)
class Tree:
    name: str
    n: int  # entries of q
    bodies: tuple[Body, ...]
    frames: Mapping[str, Mount]
    gravity: Floats  # in base axes
    root: Floats = field(default_factory=lambda: np.eye(3))  # R_base_root: axes in which the recursions start
    rotors: tuple[Rotor, ...] = ()  # spinning masses of the drives, where they are asked for
    ends: tuple[tuple[Mount, Mount], ...] = ()  # of each loop, the frames that meet

    def expand(self, q: Reals, *, rate: bool = False) -> Reals:
        """(..., n) joint coordinates (or their rates) to one for each body (..., bodies)."""
        if self.is_direct and (rate or not any(b.shift for b in self.bodies)):
            return q
        columns = [b.factor * q[..., b.source] + (0.0 if rate else b.shift) for b in self.bodies]
        return np.stack(columns, axis=-1)

    def gather(self, torques: Sequence[Any]) -> Reals:
        """Torques of the bodies' joints to those of q, by virtual work."""
        total: list[Any] = [0.0] * self.n
        for body, torque in zip(self.bodies, torques, strict=True):
            total[body.source] = total[body.source] + body.factor * torque
        return np.stack(np.broadcast_arrays(*total), axis=-1)

    def projected(self, entry: Callable[[int, int], Any], batch: tuple[int, ...]) -> Reals:
        """A matrix over bodies, given entry by entry, as the matrix over q it stands for: K^T E K (..., n, n)."""
        m = range(len(self.bodies))
        rows = [np.stack([np.broadcast_to(entry(i, j), batch) for j in m], axis=-1) for i in m]
        dense = np.stack(rows, axis=-2)
        return dense if self.is_direct else self.coupling.T @ dense @ self.coupling

    def symmetric(self, entries: Mapping[tuple[int, int], Any], batch: tuple[int, ...]) -> Reals:
        """The same of a symmetric matrix, of which either triangle is given; missing entries are zero."""
        return self.projected(lambda i, j: entries.get((i, j), entries.get((j, i), 0.0)), batch)

    @cached_property
    def is_direct(self) -> bool:
        """Whether body i is moved by q_i itself, up to a constant, as in most arms."""
        return len(self.bodies) == self.n and all((b.source, b.factor) == (i, 1.0) for i, b in enumerate(self.bodies))

    @cached_property
    def listed(self) -> tuple[int, ...]:
        """The bodies in the order of the file, which may list a child before its parent."""
        return tuple(sorted(range(len(self.bodies)), key=lambda i: self.bodies[i].place))

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {i: k + 1 for k, i in enumerate(self.listed)}

    def numbered(self, *bodies: int) -> tuple[int, ...]:
        """The numbers that papers give bodies: from 1, in the order of the file."""
        return tuple(self._numbers[i] for i in bodies)

    @cached_property
    def coupling(self) -> Floats:
        """K of qd_bodies = K qd."""
        K = np.zeros((len(self.bodies), self.n))
        for i, body in enumerate(self.bodies):
            K[i, body.source] = body.factor
        return K

    @cached_property
    def at_rest(self) -> list[Reals]:
        """T_root_body of every body with all joints at zero, their offsets left out; lengths may be symbols."""
        found: list[Reals] = []
        for body in self.bodies:
            place = np.asarray(body.position + body.rotation[:, 2] * body.along)
            T = np.vstack([np.column_stack([body.rotation, place]), [0.0, 0.0, 0.0, 1.0]])
            found.append(T if body.parent == BASE else times(found[body.parent], T))
        return found

    def path(self, body: int) -> list[int]:
        """The bodies from the base out to this one."""
        steps = []
        while body != BASE:
            steps.append(body)
            body = self.bodies[body].parent
        return steps[::-1]

    def facts(self, frame: str, decimals: int | None = None) -> bytes:
        """All that dynamics, and the pose of one frame, depend on."""
        return described(replace(self, frames={frame: self.mount(frame)}), decimals=decimals)

    def mount(self, frame: str) -> Mount:
        if frame not in self.frames:
            raise ModelError(f"arm {self.name!r} has no frame {frame!r}", hint=did_you_mean(frame, self.frames))
        return self.frames[frame]


def lower(model: Model, *, drives: RotorKind = False, bending: Mapping[int, Mass | None] = NONE_BENDS) -> Tree:
    """The tree of a model. Loops are left open; links without inertia count as massless (callers refuse dynamics).

    ``drives`` adds the rotors: True exactly, "reduced" as if their carriers did not turn. ``bending`` are links that
    bend, with what of them stays rigid at their joint: what is fixed to such a link keeps a body of its own, which
    neither turns nor slides.
    """
    source = {name: k for k, name in enumerate(model.joint_names)}
    bodies: list[dict[str, Any]] = []
    masses: list[Mass] = []
    at: dict[int, tuple[int, Floats]] = {BASE: (BASE, np.eye(4))}  # link -> (body, T_body_link)
    for index in _outward(model):
        link = model.links[index]
        joint = link.joint
        carrier, T_carrier_parent = at[link.parent]
        if not joint.moves and link.parent not in bending:
            at[index] = carrier, times(T_carrier_parent, joint.before, joint.after)
        else:
            to_z = pose(rotation_to_z(joint.axis))
            T_carrier_joint = times(T_carrier_parent, joint.before, to_z)
            name, factor, shift = _followed(model, index) if joint.moves else (None, 0.0, 0.0)
            turns = joint.kind != "prismatic"
            at[index] = len(bodies), times(inverse(to_z), joint.after)
            bodies.append(
                {
                    "name": link.name,
                    "parent": carrier,
                    "turn": 1.0 if turns and joint.moves else 0.0,
                    "slide": joint.pitch if turns else 1.0,
                    "rotation": T_carrier_joint[:3, :3],
                    "position": T_carrier_joint[:3, 3],
                    "along": 0.0,
                    "source": 0 if name is None else source[name],
                    "factor": factor,
                    "shift": shift,
                    "link": at[index][1],
                    "place": index,
                }
            )
            masses.append(Mass.none())
        body, T_body_link = at[index]
        mass = bending.get(index, link.mass)
        if mass is not None and body != BASE:
            masses[body] = masses[body] + mass.moved(T_body_link)
    body, T_body_link = at[model.tool.link]
    T_body_tool = times(T_body_link, model.tool.placement)
    if model.tool.link in bending:
        fixed = {"turn": 0.0, "slide": 0.0, "along": 0.0, "source": 0, "factor": 0.0, "shift": 0.0}
        R, p = T_body_tool[:3, :3], T_body_tool[:3, 3]
        bodies.append(
            {"name": "tool", "parent": body, "rotation": R, "position": p, "link": np.eye(4), "place": -1} | fixed
        )
        masses.append(Mass.none())
        body, T_body_tool = len(bodies) - 1, np.eye(4)
    if model.payload is not None and body != BASE:
        masses[body] = masses[body] + model.payload.moved(T_body_tool)

    def on_body(frame: Frame) -> Mount:
        carrier, T_carrier_link = at[frame.link]
        return Mount.at(carrier, times(T_carrier_link, frame.placement))

    frames = {model.base_name: Mount.at(BASE, np.eye(4))}
    frames |= {link.name: Mount.at(*at[i]) for i, link in enumerate(model.links)}
    frames |= {name: on_body(frame) for name, frame in model.frames.items()} | {"tool": Mount.at(body, T_body_tool)}
    return Tree(
        name=model.name,
        n=model.n,
        bodies=tuple(
            Body(**fields, mass=m.mass, moment=m.mass * m.com, second=second_moments(m.inertia_about_origin))
            for fields, m in zip(bodies, masses, strict=True)
        ),
        frames=frames,
        gravity=times(model.base[:3, :3].T, model.gravity),
        rotors=rotors_of(model, at.__getitem__, reduced=drives == "reduced") if drives else (),
        ends=tuple((on_body(loop.first), on_body(loop.second)) for loop in model.loops),
    )


def massless(tree: Tree) -> Tree:
    """The tree whose links have no inertia: what is left are rotors, and what is done to it from outside."""
    none, nothing = np.zeros(3), np.zeros((3, 3))
    return replace(tree, bodies=tuple(replace(b, mass=0.0, moment=none, second=nothing) for b in tree.bodies))


def second_moments(inertia: Floats) -> Floats:
    """K of an inertia about the same point."""
    return np.asarray(0.5 * np.trace(inertia) * np.eye(3) - inertia)


def _outward(model: Model) -> list[int]:
    """Links in file order, but parents before children."""
    order, waiting = [BASE], list(range(len(model.links)))
    while waiting:
        order.append(next(i for i in waiting if model.links[i].parent in order))
        waiting.remove(order[-1])
    return order[1:]


def _followed(model: Model, index: int) -> tuple[str, float, float]:
    """The joint of q that moves this link's joint, with factor and shift along the chain of mimics."""
    by_name = {link.joint.name: link.joint for link in model.links}
    joint = model.links[index].joint
    factor, shift = 1.0, 0.0
    while joint.mimic is not None:
        factor, shift = factor * joint.mimic.factor, shift + factor * joint.mimic.offset
        joint = by_name[joint.mimic.joint]
    return joint.name, factor, shift
