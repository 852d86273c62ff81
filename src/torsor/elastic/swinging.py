"""What an elastic arm does while its joints follow a motion: springs and links swing, the tool with them.

Joints are where they are told to be: drives are taken for ideal. Joints that loops move are about where the rigid arm
would have them. ``fidelity`` 1 is linear in what bends (``linear_vibration.py``); 2 is the page itself, by the
classical Runge-Kutta method with steps from the spectrum (``coupled_swing.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from torsor.elastic import elastic_kinematics
from torsor.elastic.constrained_motion import told_page
from torsor.elastic.coupled_swing import coupled
from torsor.elastic.elastic_arm import Elastic
from torsor.elastic.elastic_loops import SwayingArm
from torsor.elastic.elastic_tree import ElasticTree, straight
from torsor.elastic.hanging import hung, page_of, told_inputs
from torsor.elastic.linear_vibration import step_page
from torsor.elastic.motion_shapes import global_motions
from torsor.elastic.row_stepping import along
from torsor.errors import ShapeError, TorsorError
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats

Fidelity = Literal[1, 2]


@dataclass(frozen=True, eq=False)
class Swing:
    """Samples of a motion with what bends; all in base axes."""

    elastic: Elastic
    arm: SwayingArm
    time: Floats  # (steps,)
    q: Floats  # (steps, n) of the arm
    told: tuple[Floats, Floats, Floats]  # (steps, joints of the tree): where the rigid arm has them, with rates
    u: Floats  # (steps, unknown): by how much passive joints are elsewhere, then springs and modes
    ud: Floats
    found: tuple[Floats, Floats] | None  # `balance`, where stepping found it

    @property
    def tree(self) -> ElasticTree:
        return self.arm.tree

    @property
    def e(self) -> Floats:
        """(steps, elastic coordinates): springs, then modes."""
        return self.u[:, len(self.arm.passive) :]

    @property
    def ed(self) -> Floats:
        return self.ud[:, len(self.arm.passive) :]

    @cached_property
    def x(self) -> Floats:
        """(steps, x): all coordinates of the tree, joints first."""
        return self.arm.x(self.told[0], self.u)

    @cached_property
    def xd(self) -> Floats:
        return self.arm.x(self.told[1], self.ud)

    @cached_property
    def xdd(self) -> Floats:
        return self.arm.x(self.told[2], self.balance[0])

    @cached_property
    def balance(self) -> tuple[Floats, Floats]:
        """(steps, unknown) and (steps, equations): accelerations, and multipliers of the loops' equations."""
        if self.found is not None:
            return self.found
        page = page_of(self.elastic, self.arm, "told", told_inputs(self.arm), told_page)
        given = page(*self.told, self.u, self.ud)
        return (given[0], given[1]) if self.arm.loops else (np.asarray(given), np.zeros((len(self.time), 0)))

    @cached_property
    def tip(self) -> Floats:
        """(steps, 6): displacement over turn of the tool against the rigid arm, as far as it is small."""
        return self._at_tool(self.u)

    @cached_property
    def sag(self) -> Floats:
        """(steps, 6): what of it gravity alone would bend in the posture of each moment, with the same modes."""
        return self._at_tool(hung(self.elastic, self.arm, self.told[0])[0])

    def hanging(self, k: int) -> Floats:
        """(unknown,): u of the arm that stands still in the posture of sample k."""
        return hung(self.elastic, self.arm, self.told[0][k])[0]

    def frequencies_at(self, q: Floats) -> Floats:
        """Hz (postures, k), rising, at q (postures, n), nothing bent, with the shapes of this motion."""
        if not self.elastic.by_posture and self.tree is self.elastic.tree:
            return self.elastic.frequencies(q, drives="held")
        squares = np.array([each for each, _ in global_motions(self.arm, self.elastic.told(q)[0])])
        return np.asarray(np.sqrt(np.maximum(squares, 0.0)) / (2.0 * np.pi))

    def _at_tool(self, u: Floats) -> Floats:
        inputs = {"q": self.tree.n, "u": self.arm.size}
        return np.asarray(page_of(self.elastic, self.arm, "tool", inputs, _tool_page)(self.told[0], u))

    @property
    def deviation(self) -> Floats:
        """(steps,): how far the tool is from where gravity alone would have it, m."""
        return np.asarray(np.linalg.norm((self.tip - self.sag)[:, :3], axis=1))

    @cached_property
    def strain_energy(self) -> Floats:
        """(steps,): stored in springs and links, J."""
        K = self.tree.K[self.tree.n :, self.tree.n :]
        return np.asarray(0.5 * np.einsum("ti,ij,tj->t", self.e, K, self.e))

    @cached_property
    def loops(self) -> dict[str, Floats]:
        """By loop (steps, 6): force over moment on the link of its first end, there, in the axes of its second end."""
        return self.arm.forces(self.x, self.balance[1])

    @property
    def loop_forces(self) -> tuple[Floats, ...]:
        """The same, in the order of the arm file."""
        return tuple(self.loops.values())


def follow(
    elastic: Elastic,
    time: Floats,
    q: Floats,
    qd: Floats,
    qdd: Floats,
    fidelity: Fidelity = 1,
    *,
    modes: int | None = None,
) -> Swing:
    """From rest in the first posture, along samples of a motion at equal steps of time.

    ``modes``: shapes of all links together; without a word those of the arm file, and of an arm with loops the 24 that
    matter most (``motion_shapes.py``).
    """
    steps = np.diff(time)
    if len(time) < 2 or not np.allclose(steps, steps[0], rtol=1e-6, atol=0.0) or not steps[0] > 0.0:
        raise ShapeError("samples are not at equal steps of time", hint="give time as np.arange(0.0, end, dt)")
    if not all(np.isfinite(part).all() for part in (q, qd, qdd)):
        raise TorsorError("the motion is not finite", hint="look at q, qd and qdd")
    dt = float(time[-1] - time[0]) / (len(time) - 1)
    told = _told(elastic, time, q, qd, qdd)
    arm = elastic.swaying(modes)
    if fidelity == 1:
        u, ud, found = _linear(elastic, arm, dt, *told)
    else:
        (u, ud), found = coupled(elastic, arm, dt, *told), None
    return Swing(elastic, arm, time, q, told, u, ud, found)


def _told(elastic: Elastic, time: Floats, q: Floats, qd: Floats, qdd: Floats) -> tuple[Floats, Floats, Floats]:
    """Of all joints of the tree."""
    joints, rates, accelerations = elastic.told(q, qd, qdd)
    if not all(np.isfinite(part).all() for part in (joints, rates, accelerations)):
        first = int(np.argmin(np.isfinite(joints).all(axis=1) & np.isfinite(accelerations).all(axis=1)))
        assert elastic.closure is not None
        elastic.closure.velocities(q[first], qd[first])  # says which loop does not close, or is singular
        raise TorsorError(f"the loops do not close at {time[first]:.4g} s", hint="look at arm.closure.positions")
    turning = [body.source for body in elastic.tree.tree.bodies if body.turn]
    if elastic.closure is not None:  # which gives angles within half a turn
        joints[:, turning] = np.unwrap(joints[:, turning], axis=0)
    return joints, rates, accelerations


def hanging(elastic: Elastic, q: Floats, modes: int | None = None) -> Floats:
    """u (..., unknown) of the arm that stands still at q (..., n), as far as it is small."""
    return hung(elastic, elastic.swaying(modes), elastic.told(q)[0])[0]


def _tool_page(arm: SwayingArm, q: Reals, u: Reals) -> dict[str, Any]:
    return {"tip": elastic_kinematics.jacobian(arm.tree, straight(arm.tree, q))[:, arm.unknown] @ u}


def _linear(
    elastic: Elastic, arm: SwayingArm, dt: float, q: Floats, qd: Floats, qdd: Floats
) -> tuple[Floats, Floats, tuple[Floats, Floats]]:
    m, rows = arm.size, len(arm.kept)
    inputs: dict[str, Any] = {"dt": (), **told_inputs(arm), "udd": m, "averaged": m} | ({"force": rows} if rows else {})
    step = page_of(elastic, arm, "vibration", inputs, step_page).kernel
    u0, force0 = hung(elastic, arm, q[0])
    start = [u0, np.zeros(m), np.zeros(m), np.zeros(m), *([force0] if rows else [])]
    given = [np.full(len(q) - 1, dt), q[1:], qd[1:], qdd[1:]]
    u, ud, udd, _, *force = along(step, given, start, dt=dt)
    return u, ud, (udd, force[0] if rows else np.zeros((len(q), 0)))
