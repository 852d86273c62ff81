"""What is not known of an arm, and what is asked of it all the same.

The dynamics are linear in the inertial parameters, tau = Y pi. What is not known is a box of directions in pi:
pi = centre + B theta, |theta_i| <= reach_i. Every arm that an ``Uncertainty`` allows lies in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.control.gains import SAME, numbers, vector
from torsor.errors import ShapeError, Unsupported
from torsor.model.mass import Mass
from torsor.model.transforms import Floats

STATES = 32  # at which it is looked whether a direction is felt
PAIRS = tuple(combinations_with_replacement(range(3), 2))


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """What may differ from the arm as it is described.

    - ``payload``: (least, most) mass in kg held at the tool, instead of the arm's own payload; None: that is known;
    - ``com``: where it is in the tool frame, m, and ``com_spread``, how far off in each axis it may be;
    - ``gyration``: largest radius of gyration of the payload about its centre of mass, m (0: a point);
    - ``link_mass``: share by which each link may be heavier or lighter, of the same shape (0.05: 5 %);
    - ``link_inertia``: share by which the inertia of each link about its centre of mass may be off;
    - ``disturbance``: torque in N m, of all joints or of each, that anything unknown (friction, touch) may add.
    """

    payload: tuple[float, float] | None = None
    com: ArrayLike = (0.0, 0.0, 0.0)
    com_spread: ArrayLike = 0.0
    gyration: float = 0.0
    link_mass: float = 0.0
    link_inertia: float = 0.0
    disturbance: ArrayLike = 0.0

    def __post_init__(self) -> None:
        for name in ("link_mass", "link_inertia"):
            share = numbers(name, getattr(self, name))
            if share.shape != () or not 0.0 <= share < 1.0:
                raise ShapeError(f"{name} is {getattr(self, name)!r}", hint="a share from 0 to below 1")
        if self.payload is not None:
            mass = numbers("payload", self.payload)
            if mass.shape != (2,) or not 0.0 <= mass[0] <= mass[1]:
                raise ShapeError(f"payload is {self.payload!r}", hint="give (least, most) in kg, zero or more")
        vector("com", self.com, 3)
        vector("com_spread", self.com_spread, 3, zero=True)
        vector("gyration", self.gyration, 1, zero=True)
        numbers("disturbance", self.disturbance)

    def centre(self, arm: Arm) -> Arm:
        """The arm in the middle of what is possible."""
        if self.payload is None:
            return arm
        low, high = self.payload
        return arm.with_payload(0.5 * (low + high), self.com, 0.5 * high * self.gyration**2 * np.eye(3))

    def perturbed(
        self,
        arm: Arm,
        *,
        payload: float | None = None,
        com: ArrayLike | None = None,
        inertia: ArrayLike | None = None,
        link_mass: ArrayLike = 0.0,
        link_inertia: ArrayLike = 0.0,
    ) -> Arm:
        """An arm that may be the true one: shares (of each link, or one for all) added, a payload held.

        >>> import torsor
        >>> arm = torsor.load("planar2")
        >>> Uncertainty(payload=(0, 2)).perturbed(arm, payload=2.0, link_mass=0.1)
        <Arm planar2: 2 joints RR, 2 links, 4.2 kg>
        """
        many = len(arm.model.links)
        heavier, rounder = vector("link_mass", link_mass, many), vector("link_inertia", link_inertia, many)
        links = []
        for link, a, b in zip(arm.model.links, heavier, rounder, strict=True):
            m = link.mass
            changed = None if m is None else Mass(m.mass * (1 + a), m.com, m.inertia * (1 + a) * (1 + b))
            links.append(replace(link, mass=changed))
        found = Arm(replace(arm.model, links=tuple(links)))
        return found if payload is None else found.with_payload(payload, self.com if com is None else com, inertia)

    def directions(self, arm: Arm) -> Directions:
        """The box of parameters around ``centre(arm)``: the directions that some torque of the arm feels."""
        if arm.model.loops:
            raise Unsupported(f"{arm.name!r} has closed loops", hint="parameters are bounded for open arms: arm.tree")
        found: list[tuple[str, Floats, float]] = []
        bare = arm.with_payload(0.0) if self.payload is not None else arm
        own = bare.parameters.reshape(-1, 10)
        mass_share, inertia_share = float(self.link_mass), float(self.link_inertia)
        for k, (pi, name) in enumerate(zip(own, arm.parameter_names[::10], strict=True)):
            body = name.removeprefix("m_")
            whole, central = np.zeros_like(own), np.zeros_like(own)
            whole[k] = pi
            central[k, 4:] = _central(pi)
            if mass_share and pi.any():
                found.append((f"mass of {body}", whole.ravel(), mass_share))
            if inertia_share and central.any():
                found.append((f"inertia of {body}", central.ravel(), inertia_share * (1.0 + mass_share)))
        if self.payload is not None:
            found += self._payload_directions(bare)
        found = _felt(bare, found)
        size = own.size
        B = np.array([each for _, each, _ in found]).reshape(-1, size).T
        return Directions(
            names=tuple(name for name, _, _ in found),
            B=B,
            reach=np.array([reach for _, _, reach in found]),
            disturbance=vector("disturbance", self.disturbance, arm.n, zero=True),
            of=self,
        )

    def _payload_directions(self, bare: Arm) -> list[tuple[str, Floats, float]]:
        assert self.payload is not None
        low, high = self.payload
        c, s = vector("com", self.com, 3), vector("com_spread", self.com_spread, 3)
        solid, zero = np.eye(3), (0, 0, 0)

        def held(com: ArrayLike, inertia: Floats | None = None) -> Floats:
            return bare.with_payload(1.0, com, inertia).parameters

        found = [("payload mass", held(c) - bare.parameters, 0.5 * (high - low))]
        for axis, e, spread in zip("xyz", solid, s, strict=True):
            # the same second moments about the tool, the centre of mass moved by one
            b = held(e, solid + np.outer(e, e)) - held(zero, 2 * solid)
            found.append((f"payload moment {axis}", b, high * spread))
        second = high * (np.outer(np.abs(c), s) + np.outer(s, np.abs(c)) + np.outer(s, s))  # of m (c + d)(c + d)^T
        radius = 0.5 * high * float(self.gyration) ** 2
        for i, j in PAIRS:
            unit = np.zeros((3, 3))
            unit[i, j] = unit[j, i] = 0.25
            off = second[i, j] if i != j else sum(second[k, k] for k in range(3) if k != i)
            b = 4.0 * (held(zero, solid + unit) - held(zero, solid))
            found.append((f"payload inertia {'xyz'[i]}{'xyz'[j]}", b, off + radius))
        return [(name, b, float(reach)) for name, b, reach in found if reach > 0.0]


def _felt(arm: Arm, directions: list[tuple[str, Floats, float]]) -> list[tuple[str, Floats, float]]:
    """Those that some torque feels: Y b is not zero but for rounding.

    Nothing shows the others, as Ixx of what an arm holds that moves in the plane x, y: they need no bound, and no gain
    could be found for them.
    """
    Y = arm.reference.regressor(*np.random.default_rng(0).uniform(-1.0, 1.0, (3, STATES, arm.n)))
    least = SAME * np.abs(Y).max()
    return [each for each in directions if np.abs(Y @ each[1]).max() > least * np.abs(each[1]).max()]


def _central(pi: Floats) -> Floats:
    """Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the centre of mass, of a body's ten parameters."""
    if pi[0] <= 0.0:
        return np.zeros(6)
    h = pi[1:4]
    shift = (h @ h * np.eye(3) - np.outer(h, h)) / pi[0]
    central: Floats = pi[4:] - shift[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    return np.where(np.abs(central) <= SAME * np.abs(pi[4:]).max(), 0.0, central)


@dataclass(frozen=True, eq=False)
class Directions:
    """pi = centre + B theta, |theta_i| <= reach_i, and torques |d_j| <= disturbance_j on top."""

    names: tuple[str, ...]
    B: Floats  # (10 bodies, k)
    reach: Floats  # (k,)
    disturbance: Floats  # (n,)
    of: Uncertainty

    @property
    def k(self) -> int:
        return len(self.names)

    def draw(self, rng: np.random.Generator, count: int) -> Floats:
        """theta (count, k) of arms that can be, every other one as extreme as it can be.

        The box also holds parameters that no body has, a first moment without mass; these are never drawn.
        """
        edge = np.arange(count) % 2 == 0

        def within(*shape: int) -> Floats:
            """From -1 to 1."""
            inside = rng.uniform(-1.0, 1.0, size=(count, *shape))
            return np.where(edge.reshape(-1, *(1 for _ in shape)), np.sign(inside), inside)

        found: dict[str, Floats] = {}
        for body in dict.fromkeys(name.partition(" of ")[2] for name in self.names if " of " in name):
            heavier = float(self.of.link_mass) * within()
            found[f"mass of {body}"] = heavier
            found[f"inertia of {body}"] = (1.0 + heavier) * float(self.of.link_inertia) * within()
        if self.of.payload is not None:
            found |= self._payload(within, rng, count)
        return np.stack([found[name] for name in self.names], axis=-1) if self.names else np.zeros((count, 0))

    def _payload(self, within: Callable[..., Floats], rng: np.random.Generator, count: int) -> dict[str, Floats]:
        assert self.of.payload is not None
        low, high = self.of.payload
        c, spread, radius = vector("com", self.of.com, 3), vector("com_spread", self.of.com_spread, 3), self.of.gyration
        off = 0.5 * (high - low) * within()
        m = 0.5 * (low + high) + off
        d = spread * within(3)
        points = rng.standard_normal((count, 4, 3))
        points -= points.mean(axis=1, keepdims=True)
        own = _turned_round(np.swapaxes(points, -1, -2) @ points)
        size = np.einsum("nii->ni", own).max(axis=-1)
        own = own * (m * radius**2 * np.abs(within()) / size)[:, None, None]
        there = m[:, None, None] * (_turned_round(_square(c + d)) - _turned_round(_square(c)))
        inertia = there + own - 0.5 * high * radius**2 * np.eye(3)
        found = {"payload mass": off} | {f"payload moment {'xyz'[k]}": m * d[:, k] for k in range(3)}
        return found | {f"payload inertia {'xyz'[i]}{'xyz'[j]}": inertia[:, i, j] for i, j in PAIRS}


def _square(v: Floats) -> Floats:
    """v v^T over the last dimension."""
    return v[..., :, None] * v[..., None, :]


def _turned_round(second: Floats) -> Floats:
    """Inertia of second moments: tr(K) 1 - K."""
    return np.asarray(np.trace(second, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - second)


@dataclass(frozen=True, eq=False)
class Performance:
    """What is asked of the loop.

    - ``error``: rad (m), the tracking error that no joint may exceed;
    - ``speed``, ``acceleration``: largest rates of references, rad/s and rad/s^2;
    - ``workspace``: (n, 2) least and most of each joint of references; None: the arm's limits, else a full turn;
    - ``bandwidth``: lambda in 1/s, how fast errors fall; None: the one that makes the loop least stiff.
    """

    error: ArrayLike
    speed: ArrayLike = 1.0
    acceleration: ArrayLike = 2.0
    workspace: ArrayLike | None = None
    bandwidth: float | None = None

    def box(self, arm: Arm) -> Floats:
        """(n, 2)"""
        if self.workspace is not None:
            box = numbers("workspace", self.workspace)
            if box.shape != (arm.n, 2) or not (box[:, 0] < box[:, 1]).all():
                raise ShapeError(f"workspace has shape {box.shape}", hint=f"{arm.n} rows of (least, most)")
            return box
        joints = [link.joint for link in arm.model.links_on(arm.joint_names)]
        for joint in joints:
            if joint.limits.position is None and joint.kind not in ("revolute", "continuous"):
                raise Unsupported(f"joint {joint.name!r} has no position limits", hint="give workspace=")
        return np.array([joint.limits.position or (-np.pi, np.pi) for joint in joints])
